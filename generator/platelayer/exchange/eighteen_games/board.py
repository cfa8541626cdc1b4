"""The map of a game of 18xx.games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from platelayer.exchange.eighteen_games.source import Json, Mapping
from platelayer.exchange.imported.places import apart_from_the_others, between_the_others
from platelayer.exchange.losses import Comments
from platelayer.exchange.names import mark, one_line
from platelayer.exchange.tiles.colours import rgb, tile_colour
from platelayer.exchange.tiles.definitions import icon_word, tile_definition
from platelayer.exchange.tiles.strings import Part, read_tile
from platelayer.model.hexes import CoordinateScheme

_PLACE = re.compile(r"([a-z]|[A-Z]{1,2})-?[0-9]{1,3}")
_NAMED = {
    "blank": "", "town": "town=revenue:0", "city": "city=revenue:0", "double_town": "town=revenue:0;town=revenue:0",
}  # fmt: skip
"""Names that stand for strings on maps, where the engine's own catalogue is not at hand."""
_BLANK = "white"
_ORDER = ("name", "colour", "stops", "track", "labels", "icons", "terrain", "partitions", "ground",
          "frame", "second_frame", "stripes", "borders", "stubs", "zone")  # fmt: skip


def board_block(mapping: Mapping, keys: frozenset[str], name: str) -> Json | None:
    """The block `map`; None where the game has no hexes that could be read."""
    letters_on = _letters_on(mapping.game.data.get("axes"), mapping.game.data.get("layout"))
    given = {printed: each for printed, *each in _hexes(mapping)}
    if not given:
        return None
    apart = apart_from_the_others(given, letters_on)
    aside = [printed for printed in between_the_others(given, letters_on) if printed not in apart]
    for printed in aside:
        mapping.losses.lose("hex between the others", printed)
    scheme = CoordinateScheme(letters_on=letters_on)
    hexes = {
        printed: _hex(mapping, printed, (each[0], each[1]), keys)
        for printed, each in given.items()
        if printed not in aside
    }
    for printed in apart:
        hexes[printed]["apart"] = True
    layout = mapping.game.data.get("layout")
    if layout not in ("flat", "pointy"):
        mapping.losses.assume(f"The layout of the map is {layout or 'not told'}; flat was taken.")
        layout = "flat"
    return {
        "name": name,
        "layout": layout,
        "coordinates": {"letters_on": letters_on},
        "hexes": dict(sorted(hexes.items(), key=lambda each: _row_by_row(scheme, each[0]))),
    }


def _row_by_row(scheme: CoordinateScheme, printed: str) -> tuple[int, int]:
    at = scheme.parse(printed)
    return (0, 0) if at is None else (at.y, at.x)


def _letters_on(axes: Any, layout: Any) -> str:
    """Letters are on the rows of a pointy map and on the columns of a flat one, unless the game says otherwise."""
    given = axes.get("y") if isinstance(axes, dict) else "letter" if layout == "pointy" else "number"
    return "y" if given == "letter" else "x"


def _hexes(mapping: Mapping) -> Iterator[tuple[str, str, str]]:
    """(printed coordinates, colour, tile string), in the order of the source."""
    for colour, by_places in mapping.table("hexes").items():
        for places, code in by_places.items() if isinstance(by_places, dict) else ():
            for printed in places if isinstance(places, (list, tuple)) else [places]:
                if isinstance(printed, str) and _PLACE.fullmatch(printed) and isinstance(code, str):
                    if colour != "empty":
                        yield printed, str(colour), code
                else:
                    mapping.losses.lose("hex with coordinates that are none", str(printed)[:40])


def tile_string(mapping: Mapping, code: str) -> tuple[str | None, str]:
    """What a string on the map stands for: (colour, tile string); one that is the number of a tile has its colour."""
    if code in mapping.game.catalogue:
        return mapping.game.catalogue[code]
    return None, _NAMED.get(code, code)


def read_parts(code: str, comments: Comments) -> tuple[Part, ...]:
    """The parts of a tile string; what is refused of it is lost."""
    parts, refused = read_tile(code)
    for each in refused:
        comments.lose("part of a tile string that is none", each)
    return parts


def _hex(mapping: Mapping, printed: str, given: tuple[str, str], keys: frozenset[str]) -> Json:
    colour, code = given
    comments = mapping.comments(printed)
    own, string = tile_string(mapping, code)
    parts = read_parts(string, comments)
    shown = mapping.marks.get(printed, set())
    parts = tuple(part for part in parts if part.kind != "icon" or icon_word(part) not in shown)
    found = tile_definition(parts, comments, keys=keys, on_map=True, pictures=mapping.pictures)
    _name_companies(mapping, found.get("icons", ()))
    mapping.stops[printed] = [stop["kind"] for stop in found.get("stops", ())]
    known = tile_colour(own or colour)
    if known is None:
        ground = rgb(own or colour)
        if ground is None:
            comments.lose("colour of a hex", own or colour)
        else:
            known, found["ground"] = "gray", ground
    if known not in (None, _BLANK):
        found["colour"] = known
    name = one_line(mapping.table("location_names").get(printed))
    if name:
        found["name"] = name
    return comments.comment | {key: found[key] for key in _ORDER if key in found}


def _name_companies(mapping: Mapping, icons: Iterable[Any]) -> None:
    """Write icons that are the mark of a company as the company does: IC for "ic"."""
    entries = (entry for key in ("corporations", "minors", "companies") for entry in mapping.entries(key))
    symbols = {mark(entry.get("sym")): one_line(entry.get("sym")) for entry in entries} if icons else {}
    for icon in icons:
        if isinstance(icon, dict) and len(symbols.get(mark(icon["text"]), "")) in range(1, 13):
            icon["text"] = symbols[mark(icon["text"])]
