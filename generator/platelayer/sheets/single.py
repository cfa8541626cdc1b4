"""One scene in, a document of one page that is just large enough for it out."""

from __future__ import annotations

import math

from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Item, Path, Role, Scene, Stroke, Use, translation
from platelayer.sheets.marks import CLEAR_MM, MARK_MM, corner_marks
from platelayer.sheets.outline import form_of
from platelayer.sheets.page import Document, Page

_MARK = Stroke(ink=BLACK, width_mm=0.1)
_RIM_MM = 2.0


def single_page(scene: Scene, title: str, *, marks: bool = True) -> Document:
    """A page with one piece: trim, bleed, crop marks and a small rim, or (without `marks`) exactly trim and bleed, as
    card shops ask for. `title` names the document; its stem is the scene's key with "-" for ":"."""
    bleed = scene.bleed_mm
    rim = bleed + (CLEAR_MM + MARK_MM + _RIM_MM if marks else 0.0)
    box = (rim, rim, scene.width_mm, scene.height_mm)
    items: list[Item] = [Use(scene=scene, matrix=translation(rim, rim))]
    if marks:
        commands = corner_marks(form_of(scene), [box], bleed, math.inf)
        items.append(Path(commands=commands, stroke=_MARK, role=Role.MARK))
    page = Scene(
        key=f"page:{scene.key}",
        width_mm=scene.width_mm + 2 * rim,
        height_mm=scene.height_mm + 2 * rim,
        items=tuple(items),
        label=scene.label,
    )
    bleed_box = (rim - bleed, rim - bleed, scene.width_mm + 2 * bleed, scene.height_mm + 2 * bleed)
    return Document(
        stem=scene.key.replace(":", "-"),
        title=title,
        subject=scene.label or scene.key,
        pages=(Page(scene=page, trim=box, bleed=bleed_box),),
    )
