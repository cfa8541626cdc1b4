"""Markers: discs with a letter or a locomotive in a ring."""

from __future__ import annotations

import math

from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.pictures import picture_group
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.locomotive import locomotive_items, locomotive_size
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, contrast, ink_from_hex, readable_on
from platelayer.scene.legibility import MIN_CONTRAST, MIN_PLAY_PT
from platelayer.scene.shapes import Circle, Group, Item, Path, Role, Scene, Stroke, circle_path, translation
from platelayer.scene.typeset import set_centred, text_width

_SAFE_MM = 1.2
_HEAD, _BELOW_HEAD, _HEAD_PT = 0.52, 1.16, 1.15
"""Levels of a small head and of the text below it, by the radius; the head's size in points by the radius in mm."""

_PICTURE = 1.56
"""The diagonal of a picture by the radius."""
_ENGINE, _ENGINE_WIDE, _RAIL = 1, 1.4, 0.74
"""The class of the locomotive; its width and half the rail's by the radius."""


def draw_marker(title: Title, piece_id: str, style: Style) -> Scene:
    """The marker `piece_id`, a disc in the title's size for markers. Raises KeyError for an unknown marker.

    A marker without text shows a locomotive, which wants a light colour.
    """
    return draw_marker_side(title, piece_id, style, back=False)


def draw_marker_side(title: Title, piece_id: str, style: Style, *, back: bool) -> Scene:
    """The front of a marker, or its back: the same, or in reversed colours with a text of its own."""
    marker = {each.id: each for each in title.pieces.markers}[piece_id]
    diameter = title.pieces.size("marker", piece_id).width_mm
    r = diameter / 2
    field = ink_from_hex(marker.colour)
    ink = ink_from_hex(marker.text_colour)
    text = marker.text
    if back and marker.back:
        field, ink, text = ink, field, marker.back
    if contrast(ink, field) < MIN_CONTRAST:
        ink = readable_on(field)
    items: list[Item] = [
        Circle(cx=r, cy=r, r=r + BLEED_MM, fill=field),
        Circle(cx=r, cy=r, r=r * 0.87, stroke=Stroke(ink=ink, width_mm=max(0.1, r * 0.045))),
    ]
    if marker.picture is not None and text == marker.text:
        items.append(_picture(marker.picture, r, ink, style))
    elif text:
        kind = style.type("card.marker")
        tall, wide = (0.82, 1.1) if marker.head else (0.98, 1.2)
        size = min(r * tall / (kind.cap_height_mm / kind.size_pt), kind.size_pt * r * wide / text_width(text, kind))
        level = r * (_BELOW_HEAD if marker.head else 1.0)
        items += set_centred(text, kind.at(max(kind.min_pt, round(size, 1))), ink, r, level)
        if marker.head:
            items += set_centred(marker.head, kind.at(max(MIN_PLAY_PT, round(_HEAD_PT * r, 1))), ink, r, r * _HEAD)
    else:
        items += _locomotive(r, style, ink)
    return Scene(
        key=f"marker:{piece_id}{':back' if back else ''}",
        width_mm=diameter,
        height_mm=diameter,
        items=tuple(items),
        bleed_mm=BLEED_MM,
        safe_mm=_SAFE_MM,
        outline=circle_path(r, r, r),
        label=style.words(marker.name),
    )


def _picture(name: str, r: float, ink: Ink, style: Style) -> Group:
    """A picture of the title in the middle of a disc of radius `r`; an icon of Platelayer's, in its own colours."""
    own = style.pictures.get(name)
    if own is not None:
        size = r * _PICTURE / math.hypot(own.width, own.height)
        return Group(items=(picture_group(own, size, ink, role=Role.GROUND),), matrix=translation(r, r))
    sign = icon_block(name, "", r * _PICTURE * 0.7, style, style.type("tile.cost"))
    return Group(items=sign.items, matrix=translation(r, r))


def _locomotive(r: float, style: Style, ink: Ink) -> tuple[Item, ...]:
    """A locomotive on a rail in the middle of a disc of radius `r`."""
    length, _ = locomotive_size(_ENGINE, 10.0)
    full = 10.0 * r * _ENGINE_WIDE / length
    length, height = locomotive_size(_ENGINE, full)
    level = r + height / 2
    rail = Stroke(ink=ink, width_mm=max(0.1, r * 0.05))
    return (
        Path(commands=(("M", r - r * _RAIL, level), ("L", r + r * _RAIL, level)), stroke=rail, role=Role.ORNAMENT),
        Group(items=locomotive_items(_ENGINE, full, style), matrix=translation(r - length / 2, level)),
    )
