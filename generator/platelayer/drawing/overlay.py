"""A title and an overlay of its board in ("capital", "blank"), the scene of the single hex out."""

from __future__ import annotations

from collections.abc import Callable

from platelayer.drawing.map_tile import piece_scene, with_homes
from platelayer.drawing.style import Style
from platelayer.foundation.text import Text
from platelayer.model.atlas_board import SCHEME, blank_overlay, capital_overlay
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.hexes import Coord, Layout
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene

_PRINTS: dict[str, Callable[[str], Tile]] = {"capital": capital_overlay, "blank": blank_overlay}


def draw_overlay(title: Title, piece_id: str, style: Style) -> Scene:
    """A hex to be laid upon or beside map tiles; both faces are alike. Raises KeyError for other ids."""
    tile = _PRINTS[piece_id]("A1")
    hexes = (MapHex(at=Coord(0, 0), tile=tile),)
    board = GameMap(id=piece_id, name=Text.plain(piece_id), layout=Layout.FLAT, scheme=SCHEME, hexes=hexes)
    across_mm = title.pieces.size("overlay", piece_id).width_mm
    return piece_scene(with_homes(title, {}), board, across_mm, style, key=f"overlay:{piece_id}")
