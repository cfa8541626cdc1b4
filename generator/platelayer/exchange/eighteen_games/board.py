"""The map and the tiles of a game of 18xx.games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from platelayer.definitions.build import build_tile, catalogue_definitions
from platelayer.exchange.imported import Pictures, by_rows, market_rows, off_the_grid
from platelayer.exchange.losses import (
    Comments,
    Losses,
    as_printed,
    filled,
    hashes,
    line_of,
    list_of,
    mark,
    number,
    one_line,
    safe_id,
    several,
    shown_by,
    spoken,
    unused,
)
from platelayer.exchange.ruby.game import PRICE_TYPES, RubyGame
from platelayer.exchange.tile_strings import (
    Part,
    icon_word,
    read_tile,
    rgb,
    same_tile,
    tile_colour,
    tile_definition,
)
from platelayer.foundation.values import Json
from platelayer.model.gamemap import EDGES

# State shared by the mapping of one game: its data, its losses, and the ids assigned so far.


class Mapping(Struct, kw_only=True):
    """A game being converted to a definition. `marks` has the companies that a hex shows anyway,
    `stops` the kinds of stop of each hex, `phases` and `trains` ids by name, `events` the events
    of trains that begin no phase."""

    game: RubyGame
    losses: Losses
    pictures: Pictures = field(default_factory=Pictures)
    marks: dict[str, set[str]] = {}
    stops: dict[str, list[str]] = {}
    phases: dict[str, str] = {}
    trains: dict[str, str] = {}
    events: dict[str, list[str]] = {}
    classes: list[str] = []

    def entries(self, key: str) -> list[Json]:
        """Return the hashes in a list of the game; empty if the game has no such list."""
        value = self.game.data.get(key)
        return hashes(value) if isinstance(value, list) else []

    def table(self, key: str) -> Json:
        """Return a hash of the game; empty if the game has no such hash."""
        value = self.game.data.get(key)
        return value if isinstance(value, dict) else {}


_PLACE = re.compile(r"([a-z]|[A-Z]{1,2})-?[0-9]{1,3}")
# Names that stand for tile strings on maps, used if the engine's own catalogue is not available.
_NAMED = {
    "blank": "", "town": "town=revenue:0", "city": "city=revenue:0", "double_town": "town=revenue:0;town=revenue:0",
}  # fmt: skip
_BLANK = "white"
_ORDER = ("name", "colour", "stops", "track", "labels", "icons", "terrain", "partitions", "ground",
          "frame", "second_frame", "stripes", "borders", "stubs", "zone")  # fmt: skip


def board_block(mapping: Mapping, keys: frozenset[str], name: str) -> Json | None:
    """Return the block `map`; None if no hexes of the game could be read."""
    axes, layout = mapping.game.data.get("axes"), mapping.game.data.get("layout")
    # Letters are on the rows of a pointy map and on the columns of a flat one, unless the game says
    # otherwise.
    rows = axes.get("y") if isinstance(axes, dict) else "letter" if layout == "pointy" else ""
    letters_on = "y" if rows == "letter" else "x"
    given = {printed: place for printed, *place in _hexes(mapping)}
    if not given:
        return None
    apart, between = off_the_grid(given, letters_on)
    for printed in between:
        mapping.losses.lose("hex between the others", printed)
    hexes = {
        printed: _hex(mapping, printed, (place[0], place[1]), keys)
        for printed, place in given.items()
        if printed not in between
    }
    for printed in apart:
        hexes[printed]["apart"] = True
    if layout not in ("flat", "pointy"):
        mapping.losses.assume(f"The layout of the map is {layout or 'not told'}; flat was taken.")
        layout = "flat"

    return {
        "name": name,
        "layout": layout,
        "coordinates": {"letters_on": letters_on},
        "hexes": by_rows(hexes, letters_on),
    }


def _hexes(mapping: Mapping) -> Iterator[tuple[str, str, str]]:
    """Yield (printed coordinates, colour, tile string), in the order of the source."""
    for colour, by_places in mapping.table("hexes").items():
        for places, code in by_places.items() if isinstance(by_places, dict) else ():
            for printed in several(places):
                if isinstance(printed, str) and _PLACE.fullmatch(printed) and isinstance(code, str):
                    if colour != "empty":
                        yield printed, str(colour), code
                else:
                    mapping.losses.lose("hex with coordinates that are none", str(printed)[:40])


def tile_string(mapping: Mapping, code: str) -> tuple[str | None, str]:
    """Return (colour, tile string) for a string on the map, which may be the number of a tile."""
    if code in mapping.game.catalogue:
        return mapping.game.catalogue[code]
    return None, _NAMED.get(code, code)


def read_parts(code: str, comments: Comments) -> tuple[Part, ...]:
    """Return the parts of a tile string; refused parts count as lost."""
    parts, refused = read_tile(code)
    for part in refused:
        comments.lose("part of a tile string that is none", part)
    return parts


def _hex(mapping: Mapping, printed: str, given: tuple[str, str], keys: frozenset[str]) -> Json:
    colour, code = given
    comments = mapping.losses.comments(printed)
    own, string = tile_string(mapping, code)
    parts = read_parts(string, comments)
    shown = mapping.marks.get(printed, set())
    parts = tuple(part for part in parts if part.kind != "icon" or icon_word(part) not in shown)
    hexagon = tile_definition(parts, comments, keys=keys, on_map=True, pictures=mapping.pictures)
    _name_companies(mapping, hexagon.get("icons", ()))
    mapping.stops[printed] = [stop["kind"] for stop in hexagon.get("stops", ())]
    known = tile_colour(own or colour)
    if known is None:
        ground = rgb(own or colour)
        if ground is None:
            comments.lose("colour of a hex", own or colour)
        else:
            known, hexagon["ground"] = "gray", ground
    if known not in (None, _BLANK):
        hexagon["colour"] = known
    hexagon |= filled({"name": one_line(mapping.table("location_names").get(printed))})
    hexagon = {key: hexagon[key] for key in _ORDER if key in hexagon}
    comments.account("hexes", [string, mapping.table("location_names").get(printed)], hexagon)
    return comments.comment | hexagon


def _name_companies(mapping: Mapping, icons: Iterable[Any]) -> None:
    """Replace the texts of icons that show a company's mark with the company's symbol: IC for "ic"
    and "ic_2"."""
    entries = (
        entry for key in ("corporations", "minors", "companies") for entry in mapping.entries(key)
    )
    symbols = {mark(entry.get("sym")): line_of(entry, "sym") for entry in entries} if icons else {}
    for icon in icons:
        word = mark(icon["text"]) if isinstance(icon, dict) else ""
        symbol = symbols.get(word) or symbols.get(word.rstrip("0123456789")) or ""
        if len(symbol) in range(1, 13):
            icon["text"] = symbol


_TILE = ("colour", "stops", "track", "labels", "icons", "terrain", "partitions", "frame",
         "second_frame", "stripes", "name")  # fmt: skip


def tiles_block(mapping: Mapping, keys: frozenset[str]) -> Json:
    """Return the block `tiles`: only the count of a tile that is in the catalogue, otherwise the
    count and the tile."""
    tiles: Json = {}
    shown: Json = {}
    for name, entry in mapping.table("tiles").items():
        own = entry if isinstance(entry, dict) else {"count": entry}
        numbers = map(str, mapping.table("tiles"))
        base = shown_by(str(name), numbers) if own.get("hidden") else None
        if base is not None:
            shown.setdefault(base, []).append(str(name))
            continue
        number_id = unused(safe_id(name), tiles)
        if number_id != str(name):
            mapping.losses.assume(
                f'Tile "{name}" is called {number_id}: an id has letters, digits and . _ + - only.'
            )
        tiles[number_id] = _tile(mapping, str(name), number_id, own, keys)
        if tiles[number_id] is None:
            del tiles[number_id]
    for base, others in shown.items():
        mapping.losses.assume(
            f"Tile {base} stands for {', '.join(others)}, too: the program shows what lies on it."
        )
    return tiles


def _tile(mapping: Mapping, name: str, number_id: str, own: Json, keys: frozenset[str]) -> Any:
    comments = mapping.losses.comments(f"tile {name}")
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
    comments.account("tiles", [own, code], {number_id: [printed, tile]})
    rotations = (0,) if mapping.game.records else EDGES
    if definition is not None and same_tile(
        build_tile(number_id, definition), build_tile(number_id, tile), rotations
    ):
        return {**comments.comment, "count": printed} if comments.comment else printed
    return {**comments.comment, "count": printed, "tile": tile}


# The stock market of a game of 18xx.games.


PAR = ("par", "par_overlap", "par_1", "par_2", "par_3", "safe_par")
_COLOURS = {
    "red": "#e8a9a0", "blue": "#a2c4e0", "black": "#8a8a8a", "brown": "#d9b38c", "orange": "#f6c58f",
    "yellow": "#f7ec9a", "gray": "#cccccc", "grey": "#cccccc", "green": "#b5d6a7", "white": "#ffffff",
    "purple": "#cdb2d6", "peach": "#fbd7b5", "pink": "#f5c6d0",
}  # fmt: skip
_PLAIN = "#e4e4e4"
_CELL = re.compile(r"([0-9]{1,5})([A-Za-z]*)")


def market_block(mapping: Mapping) -> Json | None:
    """Return the block `market`; None if there is no market."""
    comments = mapping.losses.comments("market")
    letters: dict[str, None] = {}
    given = several(mapping.game.data.get("market"))
    rows = [
        [_space(cell, letters, comments) for cell in row] for row in given if isinstance(row, list)
    ]
    rows = market_rows(rows, comments)
    if not rows:
        return None
    comments.account("market", given, rows)
    market: Json = {
        **comments.comment,
        "shape": "line" if len(rows) == 1 else "grid",
        "rows": rows,
    }
    if len(rows) > 1:
        market["ends"] = {"left": "down", "right": "up"}
        mapping.losses.assume(
            "A marker that would leave a row of the market moves down at its left, up at its right end."
        )
    if letters:
        zones: Json = {}
        market["zones"] = zones
        for letter in letters:
            name = PRICE_TYPES.get(letter, f"zone {letter}")
            colour = str(mapping.table("market_colours").get(name) or "")
            zones[letter] = {
                "name": as_printed(one_line(mapping.table("market_texts").get(name)), ends=False)
                or spoken(name),
                "colour": _COLOURS.get(colour) or rgb(colour) or _PLAIN,
            }
            if name in PAR:
                zones[letter]["par"] = True
    return market


def _space(cell: Any, letters: dict[str, None], comments: Comments) -> str | None:
    if isinstance(cell, dict):
        price = number(cell.get("price"), 0, 99999)
        if price is None and cell.get("info") is not None:
            comments.lose("words on the market", line_of(cell, "info"))
        known = {name: letter for letter, name in PRICE_TYPES.items()}
        names = [] if price is None else list(map(str, list_of(cell, "types")))
        for name in names:
            if name not in known:
                comments.lose("kind of space of the market", name)
        cell = (
            price is not None
            and f"{price}{''.join(known[name] for name in names if name in known)}"
        )
    words = str(cell or "").strip()
    match = _CELL.match(words)  # like the engine, stop at unknown characters
    if match is None:
        if words:
            comments.lose("space of the market", one_line(cell)[:40])
        return None
    letters |= dict.fromkeys(match[2])
    return match[1] + "".join(dict.fromkeys(match[2]))
