"""The tiles of a game of 18xx.games."""

from __future__ import annotations

from typing import Any

from platelayer.definitions.build_board import build_tile
from platelayer.definitions.catalogue import catalogue_definitions
from platelayer.exchange.eighteen_games.board import read_parts
from platelayer.exchange.eighteen_games.source import Json, Mapping, number
from platelayer.exchange.names import safe_id, unused
from platelayer.exchange.tiles.colours import tile_colour
from platelayer.exchange.tiles.definitions import tile_definition
from platelayer.exchange.tiles.same import same_tile

_TILE = ("colour", "stops", "track", "labels", "icons", "terrain", "partitions", "frame",
         "second_frame", "stripes", "name")  # fmt: skip


def tiles_block(mapping: Mapping, keys: frozenset[str]) -> Json:
    """The block `tiles`: a count where the catalogue has the tile, else the tile with it."""
    found: Json = {}
    shown: Json = {}
    for name, entry in mapping.table("tiles").items():
        own = entry if isinstance(entry, dict) else {"count": entry}
        base = _shown_otherwise(str(name), own, mapping.table("tiles"))
        if base is not None:
            shown.setdefault(base, []).append(str(name))
            continue
        number_id = unused(safe_id(name), found)
        if number_id != str(name):
            mapping.losses.assume(f'Tile "{name}" is called {number_id}: an id has letters, digits and . _ + - only.')
        found[number_id] = _tile(mapping, str(name), number_id, own, keys)
        if found[number_id] is None:
            del found[number_id]
    for base, others in shown.items():
        mapping.losses.assume(f"Tile {base} stands for {', '.join(others)}, too: the program shows what lies on it.")
    return found


def _shown_otherwise(name: str, own: Json, tiles: Json) -> str | None:
    """The tile that the program shows by another, which it does not offer: with a town or a resource on it."""
    if not own.get("hidden"):
        return None
    return max((str(each) for each in tiles if str(each) != name and name.startswith(str(each))), key=len, default=None)


def _tile(mapping: Mapping, name: str, number_id: str, own: Json, keys: frozenset[str]) -> Any:
    comments = mapping.comments(f"tile {name}")
    count = own.get("count")
    printed: Any = "unlimited" if count == "unlimited" else number(count, 0, 500)
    if printed is None:
        comments.lose("count of a tile", str(count))
        printed = 1
    if own.get("hidden"):
        comments.lose("tile that is not offered")
    definition = catalogue_definitions().get(number_id)
    colour, code = own.get("color"), own.get("code")
    if code is None:
        if definition is not None:
            return {**comments.comment, "count": printed} if comments.comment else printed
        if name not in mapping.game.catalogue:
            mapping.losses.lose("tile that no catalogue has", name)
            return None
        colour, code = mapping.game.catalogue[name]
    parts = read_parts(str(code), comments)
    tile = tile_definition(parts, comments, keys=keys, on_map=False, pictures=mapping.pictures)
    tile["colour"] = tile_colour(colour) or "gray"
    if tile_colour(colour) is None:
        comments.lose("colour of a tile", str(colour))
    tile = {key: tile[key] for key in _TILE if key in tile}
    if definition is not None and same_tile(build_tile(number_id, definition), build_tile(number_id, tile)):
        return {**comments.comment, "count": printed} if comments.comment else printed
    return {**comments.comment, "count": printed, "tile": tile}
