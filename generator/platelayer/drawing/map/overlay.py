"""Overlays: single hexes to lay on a board."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.map_tile import piece_scene, with_homes
from platelayer.drawing.map.rivers import watered
from platelayer.foundation.text import Text
from platelayer.model.atlas_board import SCHEME, blank_overlay, capital_overlay
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.hexes import Coord, Layout
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene

_PRINTS: dict[str, Callable[[str], Tile]] = {"capital": capital_overlay, "blank": blank_overlay}


def draw_overlay(title: Title, piece_id: str, style: Style) -> Scene:
    """A hex to lay on a map, with the companies at home there; or on or beside map tiles
    ("capital", "blank": both faces are alike). Raises KeyError for other ids."""
    across_mm = title.pieces.size("overlay", piece_id).width_mm
    own = [overlay.hex for overlay in title.pieces.overlays if overlay.id == piece_id]
    if own:
        return _map_overlay(title, piece_id, own[0], across_mm, style)
    tile = _PRINTS[piece_id]("A1")
    hexes = (MapHex(at=Coord(0, 0), tile=tile),)
    board = GameMap(
        id=piece_id, name=Text.plain(piece_id), layout=Layout.FLAT, scheme=SCHEME, hexes=hexes
    )
    return piece_scene(with_homes(title, {}), board, across_mm, style, key=f"overlay:{piece_id}")


def _map_overlay(title: Title, piece_id: str, hex_id: str, across_mm: float, style: Style) -> Scene:
    """One hex of the first map that has it, cut out with its half of the borders, which may differ
    from those that the map prints."""
    gamemap = next(gamemap for gamemap in title.maps if hex_id in gamemap.by_id)
    alone = gamemap.by_id[hex_id]
    here = watered(gamemap.rivers, gamemap.layout)
    rivers = (
        tuple(replace(river, name=None) for river in gamemap.rivers) if alone.at in here else ()
    )
    return piece_scene(
        title,
        replace(gamemap, hexes=(alone,), rivers=rivers, regions=(), seas=()),
        across_mm,
        style,
        key=f"overlay:{piece_id}",
    )
