"""Plates with outlines for cards beside a map, in several shapes."""

from __future__ import annotations

from platelayer.drawing.kit.lettering import balanced
from platelayer.drawing.kit.rich_text import set_lines
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.cartouche import Panel, plate_items
from platelayer.model.gamemap import CardPlaces
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Item, Path, Stroke, rectangle_path
from platelayer.scene.typeset import set_centred, wrap

_PAD_MM = 7.0
_GAP_MM = 4.0
_SPARE_MM = 2.0
"""How much larger than its card a place is."""
_ROUND_MM = 2.4


def places_panels(title: Title, places: CardPlaces, style: Style) -> tuple[Panel, ...]:
    """The plate with its places beside each other, then in other arrangements down to one column; each place has the
    size of a train card and a little more."""
    count = len(places.spaces)
    columns = [number for number in range(count, 0, -1) if count % number == 0]
    return tuple(_panel(title, places, number, style) for number in columns)


def _panel(title: Title, places: CardPlaces, columns: int, style: Style) -> Panel:
    size = title.pieces.size("train")
    wide, tall = size.width_mm + _SPARE_MM, size.height_mm + _SPARE_MM
    width = 2 * _PAD_MM + columns * wide + (columns - 1) * _GAP_MM
    heading, note, words = (style.type(f"map.{name}") for name in ("legend.heading", "legend", "places"))
    ink = style.ink("text")
    y = _PAD_MM + heading.cap_height_mm + 0.6
    items: list[Item] = list(
        set_centred(style.words(places.name), heading, style.ink("map.title"), width / 2, y - heading.cap_height_mm / 2)
    )
    if places.note is not None:
        lines = wrap(style.words(places.note), note, width - 2 * _PAD_MM)
        y += 1.2 + note.size_mm
        items += set_lines(lines, note, ink, width / 2, y, leading=1.2, anchor=Anchor.MIDDLE)
        y += (len(lines) - 1) * 1.2 * note.size_mm
    y += 3.2
    edge = Stroke(ink=style.ink("map.frame.line"), width_mm=0.3, dash=(1.6, 1.1))
    for number, space in enumerate(places.spaces):
        x, top = _PAD_MM + number % columns * (wide + _GAP_MM), y + number // columns * (tall + _GAP_MM)
        outline = rectangle_path(x, top, wide, tall, _ROUND_MM)
        items.append(Path(commands=outline, fill=style.ink("white"), stroke=edge))
        kind, lines = balanced(style.words(space), words, wide - 8.0, 3)
        first = top + tall / 2 - ((len(lines) - 1) * 1.24 * kind.size_mm - kind.cap_height_mm) / 2
        items += set_lines(lines, kind, ink, x + wide / 2, first, leading=1.24, anchor=Anchor.MIDDLE)
    rows = -(-len(places.spaces) // columns)
    height = y + rows * tall + (rows - 1) * _GAP_MM + _PAD_MM
    return Panel(width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items))
