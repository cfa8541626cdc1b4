"""Maps and tiles as Ruby constants."""

from __future__ import annotations

import re

from platelayer.exchange.out.ruby_files.literals import Keywords, Literal, Symbol
from platelayer.exchange.out.ruby_files.names import Names
from platelayer.exchange.tiles.writing import hex_string, tile_string
from platelayer.model.atlas_board import printed_hexes
from platelayer.model.gamemap import GameMap

Constants = dict[str, Literal]


def boards(names: Names) -> Constants:
    """LAYOUT, AXES, LOCATION_NAMES and HEXES of each map, the first without an ending, and TILES. A title whose board
    is assembled has its map tiles in MAP_TILES, hex by hex."""
    found: Constants = {}
    for number, gamemap in enumerate(names.title.maps):
        ending = f"_{re.sub('[^A-Z0-9]', '_', gamemap.id.upper())}" if number else ""
        while f"HEXES{ending}" in found:  # ids that differ by a sign
            ending += "_"
        found |= {f"{name}{ending}": value for name, value in _board(names, gamemap).items()}
        if ending:
            names.losses.assume(f"The map {gamemap.id} is in HEXES{ending}: a game has one map, and chooses in code.")
    found["TILES"] = {entry.tile.id: _tile(names, entry.tile.id) for entry in names.title.tiles}
    if names.title.atlas is not None:
        found["MAP_TILES"] = _map_tiles(names)
        names.losses.assume("MAP_TILES are hexes of map tiles: 18xx.games has no maps that are drawn at random.")
    return found


def _board(names: Names, gamemap: GameMap) -> Constants:
    letters, numbers = Symbol("letter"), Symbol("number")
    on_x = gamemap.scheme.letters_on == "x"
    hexes: dict[str, dict[str, list[str]]] = {}
    for hexagon in gamemap.hexes:
        code = hex_string(hexagon, names.comments(hexagon.id), names.revenue)
        hexes.setdefault(hexagon.tile.colour, {}).setdefault(code, []).append(hexagon.id)
    by_places = {colour: {tuple(places): code for code, places in codes.items()} for colour, codes in hexes.items()}
    return {
        "LAYOUT": Symbol(gamemap.layout.value),
        "AXES": Keywords(x=letters if on_x else numbers, y=numbers if on_x else letters),
        "LOCATION_NAMES": {each.id: names.words(each.name) for each in gamemap.hexes if each.name is not None},
        "HEXES": Keywords(by_places),
    }


def _tile(names: Names, tile_id: str) -> Literal:
    entry = names.title.tile_by_id[tile_id]
    comments = names.comments(f"tile {tile_id}")
    if entry.via is not None:
        comments.lose("who lays a tile", names.words(entry.via))
    if entry.tile.name is not None:
        comments.lose("name of a tile", names.words(entry.tile.name))
    code = tile_string(entry.tile, comments, names.revenue)
    return {"count": "unlimited" if entry.unlimited else entry.count, "color": entry.tile.colour, "code": code}


def _map_tiles(names: Names) -> Literal:
    atlas = names.title.atlas
    assert atlas is not None
    found: dict[str, Literal] = {}
    for tile in printed_hexes(atlas):
        code = tile_string(tile, names.comments(tile.id), names.revenue)
        found[tile.id] = {"color": tile.colour, "code": code}
    return found
