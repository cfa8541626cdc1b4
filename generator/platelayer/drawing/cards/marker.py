"""Markers: discs with a letter or a locomotive in a ring."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from platelayer.drawing.kit.icons import picture_items
from platelayer.drawing.kit.layout import Block, line_path, text_block
from platelayer.drawing.kit.lettering import (
    evenly_broken,
    ink_height,
    left_out,
    line_step,
    one_line,
)
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.train.locomotive import engine_block, locomotive_size
from platelayer.model.kinds import Piece, piece_size
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, contrast, ink_from_hex, readable_on
from platelayer.scene.legibility import MIN_CONTRAST, MIN_PLAY_PT
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Role,
    Scene,
    Stroke,
    circle_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, set_centred, text_width

_SAFE_MM = 1.2
# Levels of a small head and of the text below it, by the radius; the head's size in points by the
# radius in mm.
_HEAD, _BELOW_HEAD, _HEAD_PT = 0.52, 1.16, 1.15

# The diagonal of a picture by the radius.
_PICTURE = 1.56
# The class of the locomotive; its width and half the rail's by the radius.
_ENGINE, _ENGINE_WIDE, _RAIL = 1, 1.4, 0.74


def draw_marker_back(title: Title, piece: Piece, style: Style) -> Scene:
    """A marker is the same on both sides."""
    return draw_marker(title, piece.id, style, back=True)


def draw_marker(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The marker `piece_id`, a disc in the title's size for markers, or its back: the same, or in
    reversed colours with a text of its own. Raises KeyError for an unknown marker.

    A marker without text shows a locomotive, which wants a light colour.
    """
    marker = {marker.id: marker for marker in title.pieces.markers}[piece_id]
    diameter = piece_size(title, "marker", piece_id).width_mm
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
        picture = picture_items(marker.picture, r * _PICTURE, ink, style)
        items.append(Group(items=picture, matrix=translation(r, r)))
    elif text:
        items += _words(text, marker.head, r, ink, style)
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


def _words(text: str, head: str, r: float, ink: Ink, style: Style) -> Iterator[Item]:
    """A text as large as a disc of radius `r` lets it be, on several lines where it is long, below
    a small head."""
    type_style = style.type("card.marker").beside(text)
    tall, wide = (0.82, 1.1) if head else (0.98, 1.2)
    size = min(
        r * tall / (type_style.cap_height_mm / type_style.size_pt),
        type_style.size_pt * r * wide / text_width(text, type_style),
    )
    top, level = -r, r * (_BELOW_HEAD if head else 1)
    if head:
        small = type_style.at(max(MIN_PLAY_PT, round(_HEAD_PT * r, 1))).beside(head)
        low, high = ink_height(head, small)
        half, middle = small.cap_height_mm / 2, r * (_HEAD - 1)
        highest = middle - max(high - half, half)
        chord = 2 * math.sqrt(max(0.1, (r - _SAFE_MM) ** 2 - highest**2))
        small, head = one_line(head, small, chord)
        top = middle + half - low
    block = _fitted(text, type_style.at(round(size, 1)), ink, level - r, top=top, r=r)
    if block is None:
        yield from left_out(text, type_style, ink)
    else:
        yield from block.paint(r - block.width / 2, level - block.height / 2)
    if head:
        yield from set_centred(head, small, ink, r, r * _HEAD)


def _fitted(
    text: str, type_style: TypeStyle, ink: Ink, level: float, *, top: float, r: float
) -> Block | None:
    """A text in type of at most this size, on as few lines as can be, whose ink stays within a disc
    and below a height when its middle is at a level, both measured from the middle of the disc;
    None if none does."""

    def fits(lines: Sequence[str], tried: TypeStyle) -> bool:
        half, step = tried.cap_height_mm / 2, line_step(lines, tried, 1)
        for number, line in enumerate(lines):
            y = level + (number - (len(lines) - 1) / 2) * step
            low, high = ink_height(line, tried)
            furthest = max(y + half - low, high - half - y)
            reach = math.hypot(text_width(line, tried) / 2, furthest)
            if y + half - high <= top or reach > r - _SAFE_MM:
                return False
        return True

    for count in range(1, len(text) + 1):
        lines = evenly_broken(text, count)
        size = max(type_style.size_pt, type_style.min_pt)
        while size >= type_style.min_pt:
            if fits(lines, type_style.at(size)):
                return text_block(lines, type_style.at(size), ink, leading=1)
            size = round(size - 0.25, 2)
    return None


def _locomotive(r: float, style: Style, ink: Ink) -> tuple[Item, ...]:
    """A locomotive on a rail in the middle of a disc of radius `r`."""
    length, _ = locomotive_size(_ENGINE, 10.0, style)
    engine = engine_block(_ENGINE, 10.0 * r * _ENGINE_WIDE / length, style)
    foot = r + engine.height / 2
    rail = Stroke(ink=ink, width_mm=max(0.1, r * 0.05))
    track = line_path((r - r * _RAIL, foot), (r + r * _RAIL, foot), rail)
    shapes = engine.paint(r - engine.width / 2, foot - engine.height)
    return (replace(track, role=Role.ORNAMENT), *shapes)
