"""Tiles, and small drawings of them without words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from platelayer.drawing.hex.ground import frame_items, ground_items, rim_items
from platelayer.drawing.hex.hexes import SAFE, hex_items
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.stops import stop_ground_items, stop_items
from platelayer.drawing.hex.track import track_items
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.model.hexes import COS_30, Layout, corner_points
from platelayer.model.tile import Tile
from platelayer.model.title import NO_CORNER, Title
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Item,
    Path,
    Scene,
    TextRun,
    Use,
    polygon_path,
    transform_commands,
    translation,
)

_THINNEST_MM = 0.1


def draw_tile(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """A tile of the box (its number), lying as the hexes of the title's first map do, or the tile
    on its other side.

    The scene is the hex's bounding box, its outline the hex; ground and track run on into the
    bleed. Raises KeyError when the title has no such tile.
    """
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    across_mm = title.pieces.size("tile", piece_id).width_mm
    other = title.other_side(piece_id) if back else None
    entry = other or title.tile_by_id[piece_id]
    corner = title.pieces.number_corner if entry.number_corner is None else entry.number_corner
    number = "" if corner == NO_CORNER else entry.shown
    scene = tile_scene(entry.tile, layout, across_mm, style, number=number, corner=corner)
    if other is None:
        return scene
    return replace(
        scene, key=f"tile:{piece_id}:back", outline=mirrored(scene.outline or (), scene.width_mm)
    )


def tile_scene(
    tile: Tile,
    layout: Layout,
    across_mm: float,
    style: Style,
    *,
    number: str | None = None,
    corner: int | str | None = None,
) -> Scene:
    """One tile `across_mm` from flat to flat, with its number (None: its id) in a corner (None:
    worked out)."""
    width, height, outline = hex_trim(layout, across_mm)
    number = tile.id if number is None else number
    items = hex_items(
        tile, layout, across_mm, style, rim=False, number=number, corner=corner, bleed_mm=BLEED_MM
    )
    return Scene(
        key=f"tile:{tile.id}",
        width_mm=width,
        height_mm=height,
        items=(Group(items=items, matrix=translation(width / 2, height / 2)),),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across_mm * 0.95,
        outline=outline,
        label=number or tile.id,
    )


def hex_trim(layout: Layout, across_mm: float) -> tuple[float, float, tuple[Command, ...]]:
    """Width and height of a hex's bounding box, and its outline in it."""
    long_mm = across_mm / COS_30
    width, height = (long_mm, across_mm) if layout is Layout.FLAT else (across_mm, long_mm)
    corners = ((x + width / 2, y + height / 2) for x, y in corner_points(layout, across_mm))
    return width, height, polygon_path(corners)


def mirrored(outline: Sequence[Command], width_mm: float) -> tuple[Command, ...]:
    """A die line as it is seen from behind."""
    return transform_commands(outline, (-1.0, 0.0, 0.0, 1.0, width_mm, 0.0))


def thumbnail_items(tile: Tile, layout: Layout, across_mm: float, style: Style) -> tuple[Item, ...]:
    """Ground, track and stops of a tile, centred on (0, 0); no line is too thin to print."""
    plan = plan_hex(tile, layout, across_mm)
    items: list[Item] = [
        *ground_items(tile, layout, across_mm, style),
        *frame_items(tile, layout, across_mm, style),
        *rim_items(layout, across_mm, style),
    ]
    stops = [
        (stop, mark)
        for stop, mark in zip(tile.stops, plan.marks, strict=True)
        if mark and not stop.hidden
    ]
    for stop, mark in stops:
        items += stop_ground_items(stop, mark, across_mm, style)
    items += track_items(tile, plan, across_mm, style)
    for stop, mark in stops:
        items += stop_items(stop, mark, across_mm, style)
    return _printable(items)


def _printable(items: Sequence[Item]) -> tuple[Item, ...]:
    """The same drawing without words and with lines thick enough."""
    printable: list[Item] = []
    for item in items:
        match item:
            case TextRun():
                continue
            case Group():
                printable.append(replace(item, items=_printable(item.items)))
            case Use():
                printable.append(Group(items=_printable(item.scene.items), matrix=item.matrix))
            case Path() | Circle():
                if item.stroke is not None and item.stroke.width_mm < _THINNEST_MM:
                    printable.append(
                        replace(item, stroke=replace(item.stroke, width_mm=_THINNEST_MM))
                    )
                else:
                    printable.append(item)
    return tuple(printable)
