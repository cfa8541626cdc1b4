"""One scene in, a document of one page that is just large enough for it out."""

from __future__ import annotations

import math

from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Group, Item, Matrix, Path, Role, Scene, Stroke, Use, rectangle_path, translation
from platelayer.sheets.marks import CLEAR_MM, MARK_MM, corner_marks
from platelayer.sheets.outline import form_of
from platelayer.sheets.page import Document, Page

_MARK = Stroke(ink=BLACK, width_mm=0.1)
_RIM_MM = 2.0


def single_page(scene: Scene, title: str, *, marks: bool = True) -> Document:
    """A document of one page with one piece: trim, bleed, crop marks and a small rim, or (without `marks`) exactly trim
    and bleed. `title` names the document; its stem is the scene's key with "-" for ":"."""
    page = piece_page(scene, rim_mm=CLEAR_MM + MARK_MM + _RIM_MM) if marks else piece_page(scene)
    return Document(stem=scene.key.replace(":", "-"), title=title, subject=scene.label or scene.key, pages=(page,))


def piece_page(
    scene: Scene,
    *,
    rim_mm: float = 0.0,
    bleed_mm: float | None = None,
    turned: bool = False,
    extra: tuple[Item, ...] = (),
) -> Page:
    """A page that holds one piece with its bleed (at most `bleed_mm`), and with a rim crop marks in it. `turned` lays
    the piece a quarter clockwise. `extra` is painted over it, in the piece's coordinates."""
    bleed = scene.bleed_mm if bleed_mm is None else min(bleed_mm, scene.bleed_mm)
    edge = rim_mm + bleed
    size = (scene.height_mm, scene.width_mm) if turned else (scene.width_mm, scene.height_mm)
    box = (edge, edge, *size)
    matrix: Matrix = (0.0, 1.0, -1.0, 0.0, edge + size[0], edge) if turned else translation(edge, edge)
    items: list[Item] = [Use(scene=scene, matrix=matrix)]
    if extra:
        items.append(Group(items=extra, matrix=matrix))
    if rim_mm:
        items = [
            Group(items=tuple(items), clip=rectangle_path(rim_mm, rim_mm, size[0] + 2 * bleed, size[1] + 2 * bleed))
        ]
        commands = corner_marks(form_of(scene), [box], bleed, math.inf)
        items.append(Path(commands=commands, stroke=_MARK, role=Role.MARK))
    page = Scene(
        key=f"page:{scene.key}",
        width_mm=size[0] + 2 * edge,
        height_mm=size[1] + 2 * edge,
        items=tuple(items),
        label=scene.label,
    )
    bleed_box = (rim_mm, rim_mm, size[0] + 2 * bleed, size[1] + 2 * bleed)
    return Page(scene=page, trim=box, bleed=bleed_box)
