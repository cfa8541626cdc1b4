"""Documents with one page that is just large enough for one scene."""

from __future__ import annotations

import math
from collections.abc import Sequence

from platelayer.imposition.marks import CLEAR_MM, MARK_MM, corner_marks
from platelayer.imposition.outline import form_of
from platelayer.imposition.page import Document, Page
from platelayer.scene.inks import BLACK, WHITE, Ink
from platelayer.scene.shapes import (
    Group,
    Item,
    Matrix,
    Path,
    Role,
    Scene,
    Stroke,
    Use,
    rectangle_path,
    translation,
)

_MARK = Stroke(ink=BLACK, width_mm=0.1)
_RIM_MM = 2.0


def single_page(scene: Scene, title: str, *, marks: bool = True) -> Document:
    """A document of one page with one piece: trim, bleed, crop marks and a small rim, or (without
    `marks`) exactly trim and bleed. `title` names the document; its stem is the scene's key with
    "-" for ":"."""
    page = piece_page(scene, rim_mm=CLEAR_MM + MARK_MM + _RIM_MM) if marks else piece_page(scene)
    return Document(
        stem=scene.key.replace(":", "-"),
        title=title,
        subject=scene.label or scene.key,
        pages=(page,),
    )


def piece_page(
    scene: Scene,
    *,
    rim_mm: float = 0.0,
    bleed_mm: float | None = None,
    rotation: int = 0,
    extra: tuple[Item, ...] = (),
) -> Page:
    """A page that holds one piece with its bleed (at most `bleed_mm`), and with a rim crop marks in
    it. `rotation` turns the piece clockwise (0, 90 or 270 degrees). `extra` is painted over it, in
    the piece's coordinates."""
    bleed = scene.bleed_mm if bleed_mm is None else min(bleed_mm, scene.bleed_mm)
    size = (scene.height_mm, scene.width_mm) if rotation else (scene.width_mm, scene.height_mm)
    edge = rim_mm + bleed
    whole = (size[0] + 2 * edge, size[1] + 2 * edge)
    items: list[Item] = [_placed(scene, (edge, edge), rotation, extra)]
    if rim_mm:
        held = rectangle_path(rim_mm, rim_mm, size[0] + 2 * bleed, size[1] + 2 * bleed)
        commands = corner_marks(form_of(scene), [(edge, edge, *size)], bleed, math.inf)
        items = [
            Group(items=tuple(items), clip=held),
            Path(commands=commands, stroke=_MARK, role=Role.MARK),
        ]
    bleed_box = (rim_mm, rim_mm, size[0] + 2 * bleed, size[1] + 2 * bleed)
    return Page(scene=_sheet(scene, whole, items), trim=(edge, edge, *size), bleed=bleed_box)


def canvas_page(
    scene: Scene,
    canvas_mm: tuple[float, float],
    *,
    rotation: int = 0,
    extra: tuple[Item, ...] = (),
    around: Ink = WHITE,
) -> Page:
    """A page of a given size in mm with one piece in its middle and a ground around it: a shop cuts
    its product out of it."""
    size = (scene.height_mm, scene.width_mm) if rotation else (scene.width_mm, scene.height_mm)
    at = ((canvas_mm[0] - size[0]) / 2, (canvas_mm[1] - size[1]) / 2)
    ground = Path(commands=rectangle_path(0, 0, *canvas_mm), fill=around)
    sheet = _sheet(scene, canvas_mm, [ground, _placed(scene, at, rotation, extra)])
    return Page(scene=sheet, trim=(*at, *size), bleed=(0.0, 0.0, *canvas_mm))


def _placed(scene: Scene, at: tuple[float, float], rotation: int, extra: tuple[Item, ...]) -> Group:
    x, y = at
    matrix: Matrix = {
        0: translation(x, y),
        90: (0.0, 1.0, -1.0, 0.0, x + scene.height_mm, y),
        270: (0.0, -1.0, 1.0, 0.0, x, y + scene.width_mm),
    }[rotation]
    return Group(items=(Use(scene=scene), *extra), matrix=matrix)


def _sheet(scene: Scene, size_mm: tuple[float, float], items: Sequence[Item]) -> Scene:
    key = f"page:{scene.key}"
    return Scene(
        key=key, width_mm=size_mm[0], height_mm=size_mm[1], items=tuple(items), label=scene.label
    )
