"""Tiles."""

from __future__ import annotations

from platelayer.drawing.hex.hexes import SAFE, hex_items
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.model.hexes import COS_30, Layout, corner_points
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.shapes import Command, Group, Scene, polygon_path, translation


def draw_tile(title: Title, piece_id: str, style: Style) -> Scene:
    """A tile of the box (its number), lying as the hexes of the title's first map do.

    The scene is the hex's bounding box, its outline the hex; ground and track run on into the bleed. Raises KeyError
    when the title has no such tile.
    """
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    across_mm = title.pieces.size("tile", piece_id).width_mm
    return tile_scene(title.tile_by_id[piece_id].tile, layout, across_mm, style)


def tile_scene(tile: Tile, layout: Layout, across_mm: float, style: Style, *, bleed_mm: float = BLEED_MM) -> Scene:
    """One tile `across_mm` from flat to flat, with its number."""
    width, height, outline = hex_trim(layout, across_mm)
    items = hex_items(tile, layout, across_mm, style, rim=False, number=True, bleed_mm=bleed_mm)
    return Scene(
        key=f"tile:{tile.id}",
        width_mm=width,
        height_mm=height,
        items=(Group(items=items, matrix=translation(width / 2, height / 2)),),
        bleed_mm=bleed_mm,
        safe_mm=SAFE * across_mm * 0.95,
        outline=outline,
        label=tile.id,
    )


def hex_trim(layout: Layout, across_mm: float) -> tuple[float, float, tuple[Command, ...]]:
    """Width and height of a hex's bounding box, and its outline in it."""
    long_mm = across_mm / COS_30
    width, height = (long_mm, across_mm) if layout is Layout.FLAT else (across_mm, long_mm)
    corners = ((x + width / 2, y + height / 2) for x, y in corner_points(layout, across_mm))
    return width, height, polygon_path(corners)
