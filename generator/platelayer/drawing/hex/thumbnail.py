"""Small drawings of tiles without words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from platelayer.drawing.hex.ground import frame_items, ground_items, rim_items
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.stops import stop_ground_items, stop_items
from platelayer.drawing.hex.track import track_items
from platelayer.drawing.kit.style import Style
from platelayer.model.hexes import Layout
from platelayer.model.tile import Tile
from platelayer.scene.shapes import Circle, Group, Item, Path, TextRun, Use

_THINNEST_MM = 0.1


def thumbnail_items(tile: Tile, layout: Layout, across_mm: float, style: Style) -> tuple[Item, ...]:
    """Ground, track and stops of a tile, centred on (0, 0); no line is too thin to print."""
    plan = plan_hex(tile, layout, across_mm)
    items: list[Item] = [
        *ground_items(tile, layout, across_mm, style),
        *frame_items(tile, layout, across_mm, style),
        *rim_items(layout, across_mm, style),
    ]
    stops = [(stop, mark) for stop, mark in zip(tile.stops, plan.marks, strict=True) if mark and not stop.hidden]
    for stop, mark in stops:
        items += stop_ground_items(stop, mark, across_mm, style)
    items += track_items(tile, plan, across_mm, style)
    for stop, mark in stops:
        items += stop_items(stop, mark, across_mm, style)
    return _printable(items)


def _printable(items: Sequence[Item]) -> tuple[Item, ...]:
    """The same drawing without words and with lines thick enough."""
    kept: list[Item] = []
    for item in items:
        match item:
            case TextRun():
                continue
            case Group():
                kept.append(replace(item, items=_printable(item.items)))
            case Use():
                kept.append(Group(items=_printable(item.scene.items), matrix=item.matrix))
            case Path() | Circle():
                if item.stroke is not None and item.stroke.width_mm < _THINNEST_MM:
                    kept.append(replace(item, stroke=replace(item.stroke, width_mm=_THINNEST_MM)))
                else:
                    kept.append(item)
    return tuple(kept)
