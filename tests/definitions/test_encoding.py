"""JSON of tiles and hexes: what is written is read again as the same."""

from __future__ import annotations

from platelayer.definitions.build import build_tile, catalogue_tiles
from platelayer.definitions.decode import decode, encode
from platelayer.definitions.schemas import quick_check
from platelayer.model.gamemap import MapHex
from platelayer.model.tile import rotate_tile
from shipped import shipped

TITLES = ("18cz", "18eu", "1824", "1841")


def test_all_tiles_come_back() -> None:
    known = [entry.tile for title in TITLES for entry in shipped(title).tiles]
    for tile in (*catalogue_tiles(), *known):
        turned = rotate_tile(tile, 1)
        assert build_tile(tile.id, encode(turned)) == turned


def test_all_hexes_come_back() -> None:
    fits = quick_check("map", "/$defs/map_hex")
    for title in TITLES:
        for board in shipped(title).maps:
            for hexagon in board.hexes:
                written = encode(hexagon)
                assert fits(written), hexagon.id
                again = decode(MapHex, written, at=hexagon.at, tile=build_tile(hexagon.id, written))
                assert again == hexagon
