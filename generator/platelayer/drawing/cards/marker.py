"""Markers: discs with a letter or a driving wheel in a ring."""

from __future__ import annotations

from platelayer.drawing.kit.ornament import wheel
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.model.title import Title
from platelayer.scene.inks import contrast, ink_from_hex, readable_on
from platelayer.scene.legibility import MIN_CONTRAST
from platelayer.scene.shapes import Circle, Item, Scene, Stroke, circle_path
from platelayer.scene.typeset import set_centred, text_width

_SAFE_MM = 1.2


def draw_marker(title: Title, piece_id: str, style: Style) -> Scene:
    """The marker `piece_id`, a disc in the title's size for markers. Raises KeyError for an unknown marker.

    A marker without text shows a locomotive's wheel.
    """
    marker = {each.id: each for each in title.pieces.markers}[piece_id]
    diameter = title.pieces.size("marker", piece_id).width_mm
    r = diameter / 2
    field = ink_from_hex(marker.colour)
    ink = ink_from_hex(marker.text_colour)
    if contrast(ink, field) < MIN_CONTRAST:
        ink = readable_on(field)
    items: list[Item] = [
        Circle(cx=r, cy=r, r=r + BLEED_MM, fill=field),
        Circle(cx=r, cy=r, r=r * 0.87, stroke=Stroke(ink=ink, width_mm=max(0.1, r * 0.045))),
    ]
    if marker.text:
        kind = style.type("card.marker")
        size = min(
            r * 0.98 / (kind.cap_height_mm / kind.size_pt), kind.size_pt * r * 1.2 / text_width(marker.text, kind)
        )
        items += set_centred(marker.text, kind.at(max(kind.min_pt, round(size, 1))), ink, r, r)
    else:
        items += wheel(r, r, r * 0.64, ink)
    return Scene(
        key=f"marker:{piece_id}",
        width_mm=diameter,
        height_mm=diameter,
        items=tuple(items),
        bleed_mm=BLEED_MM,
        safe_mm=_SAFE_MM,
        outline=circle_path(r, r, r),
        label=style.words(marker.name),
    )
