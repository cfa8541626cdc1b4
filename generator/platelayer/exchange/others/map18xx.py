"""Games of map18xx: a map, a manifest of tiles, and companies, drawn with the program's tile
definitions."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict

from msgspec import Struct, field

from platelayer.exchange.imported import Imported
from platelayer.exchange.losses import Comments, Entry, in_json, list_of, number, one_line, several
from platelayer.exchange.maker_form import edge_point
from platelayer.exchange.others.common import (
    AXES,
    Notes,
    Stop,
    amount,
    catalogue_tile,
    currency,
    files_named,
    printed_at,
    read_object,
    tile_code,
    title_from_data,
    turned,
)
from platelayer.exchange.tile_strings import tile_colour
from platelayer.foundation.door import real
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Json

# Edges of a flat hex; those of a pointy one are turned back by half a side.
_SIDES = {"S": 0, "SW": 1, "NW": 2, "N": 3, "NE": 4, "SE": 5}
# Rotation in sixths of a turn, by the side to which the northern one is turned.
_TURNS = {"N": 0, "NE": 1, "SE": 2, "S": 3, "SW": 4, "NW": 5}
_COLOURS = {"ground": "white", "russet": "brown", "grey": "gray", "barrier": "brown"}
# End points of the three axes of map18xx's coordinates on a flat hex, in apothems.
_AXES = (2 / math.sqrt(3), complex(1 / math.sqrt(3), -1), complex(-1 / math.sqrt(3), -1))
# Distance of a curve's control points from the centre, as a fraction of the distance of its ends.
_HANDLE = 0.551915024494
_PHASES = {
    "yellow": "yellow",
    "green": "green",
    "russet": "brown",
    "brown": "brown",
    "grey": "gray",
}
# Tile definitions of hexes without track, recognised by name if their files are missing.
_BARE = {"plain": "", "city": "city=revenue:0", "dit": "town=revenue:0",
         "city2": "city=revenue:0;city=revenue:0", "dit2": "town=revenue:0;town=revenue:0"}  # fmt: skip
_LOOKS: list[str] = asset_json("imports.json")["looks"]["map18xx"]


class _Definition(TypedDict, total=False):
    text: list[Json]
    paths: list[Json]
    cities: list[Json]
    stops: list[Json]


class _Hex(TypedDict, total=False):
    arrows: list[str]
    revenue: Json
    terrain: Json


class _Board(TypedDict, total=False):
    barriers: list[Json]
    tiles: list[_Hex]


class _Manifest(TypedDict, total=False):
    amounts: Json
    tiles: list[Json]


def title_from_file(source: Path, title_id: str) -> Imported:
    """Return the definition of a title. Raises CannotRun for files that cannot be read."""
    folder = source if source.is_dir() else source.parent
    reader = _Reader(folder=folder)
    path = source if source.is_file() else next(files_named(folder, "map"))
    board = read_object(path, _Board, reader.notes.losses)
    flat = str(board.get("orientation")) != "Vertical"
    manifest = reader.beside("manifest", _Manifest)
    companies = reader.beside("companies", dict[str, Json])
    data: Json = {
        "title": real(folder).name,
        "layout": "flat" if flat else "pointy",
        "axes": AXES[not flat],
        "hexes": {},
        "location_names": {},
        "tiles": reader.tiles(manifest),
    }
    barriers: dict[str, list[str]] = {}
    for barrier in list_of(board, "barriers"):
        place = _printed(barrier.get("location"), flat=flat) or "?"
        barriers.setdefault(place, []).append(str(barrier.get("side")))
        reader.notes.name_unread("hexes", place, barrier)
    for entry in list_of(board, "tiles"):
        reader.hexagon(entry, data, barriers, flat=flat)
    data["corporations"] = [
        reader.company(symbol, entry, flat=flat) for symbol, entry in companies.items()
    ]
    signs = [sign for sign in reader.signs if sign]
    data["currency"] = currency(signs)
    reader.notes.name_unread("title", "title", [board, manifest], _LOOKS)
    reader.notes.losses.assume("Shares, prices and stations of companies are not in map18xx.")
    return title_from_data(path, title_id, data, reader.notes, program="map18xx")


class _Reader(Struct, kw_only=True):
    """Files of a game, and the tile definitions to which they refer."""

    folder: Path
    notes: Notes = field(default_factory=Notes)
    known: dict[str, Entry | None] = {}
    signs: list[str] = []

    def beside(self, stem: str, form: Any) -> Entry:
        """Return another file of the game; empty, and noted as unread, if it does not exist."""
        for path in files_named(self.folder, stem):
            return read_object(path, form, self.notes.losses)
        self.notes.losses.unread.append(f"There is no {stem}.json beside the map.")
        return Entry({})

    def definition(self, name: str) -> Entry | None:
        """Return a tile definition; None if it does not exist."""
        if name not in self.known:
            self.known[name] = None
            for folder in (real(self.folder).parent.parent / "tiledefs", self.folder / "tiledefs"):
                for path in files_named(folder, name) if re.fullmatch(r"[\w-]+", name) else ():
                    self.known[name] = self.known[name] or read_object(
                        path, _Definition, self.notes.losses, within=folder
                    )
        return self.known[name]

    def tiles(self, manifest: Any) -> Json:
        """Return the tiles of a manifest."""
        counts = dict(manifest.get("amounts") or {})
        tiles: Json = {}
        for entry in list_of(manifest, "tiles"):
            words = _words(entry.get("text"), first=0)
            name = one_line(words.pop("number", words.pop("0", ""))) or str(entry.get("base_tile"))
            comments = self.notes.at("tiles", name)
            count = number(counts.pop(name, None), 0, 500)
            if count is None:
                comments.lose("tile without an amount", name)
            code, _ = self.code(str(entry.get("base_tile")), words, comments)
            colour = _colour(entry.get("color"))
            self.notes.name_unread("tiles", name, entry)
            if code is not None:
                tiles[name] = {"count": count or 0, "color": colour, "code": code}
        for name, count in counts.items():
            if catalogue_tile(str(name)) is None:
                self.notes.losses.lose(
                    "amount of a tile that the manifest does not have", f"{name}: {count}"
                )
            else:
                tiles[str(name)] = number(count, 0, 500) or 0
        return tiles

    def code(
        self, name: str, words: dict[str, str], comments: Comments, revenue: str = ""
    ) -> tuple[str | None, str]:
        """Return the tile string and the name that a definition draws with these words."""
        drawn = self.definition(name)
        if drawn is None:
            given = catalogue_tile(name)
            if name in _BARE:
                drawn = Entry({})
            elif given is None:
                comments.lose("tile definition that there is not", name)
                return None, ""
            else:
                self.notes.losses.assume(
                    f"Tile definitions are not beside the game; {name} is that of our catalogue."
                )
                value = amount(words.pop("1", ""))  # tile definitions use it for the revenue
                more, title = self.say(words, Entry({}))
                revenue = revenue or str(value or 0)
                code = re.sub(r"revenue:[^,;]*", f"revenue:{revenue}", given[1])
                return ";".join([code, *more]), title
        stops = []
        valued = set()
        for kind, key in (("city", "cities"), ("town", "stops")):
            for stop in list_of(drawn, key):
                value = amount(words.get(str(stop.get("text_id")), ""))
                valued |= {str(stop.get("text_id"))} if value is not None else set()
                stops.append(
                    Stop(
                        kind=kind,
                        revenue=revenue or str(value or 0),
                        at=_point(stop.get("position")),
                        slots=number(stop.get("circles", 1), 1, 9) or 1,
                    )
                )
        words = {key: text for key, text in words.items() if key not in valued}
        lines = [
            _curve(_point(path.get("start")), _point(path.get("end")))
            for path in list_of(drawn, "paths")
        ]
        if not drawn and name in _BARE and _BARE[name]:
            stops = [Stop(kind=part.partition("=")[0]) for part in _BARE[name].split(";")]
        more, title = self.say(words, drawn)
        comments.name_unread(drawn, (*_LOOKS, "name"))
        return tile_code(stops, lines, more), title

    def say(self, words: dict[str, str], drawn: Entry) -> tuple[list[str], str]:
        """Return the parts of a tile string, and the name, that words on a tile stand for: an
        amount is a cost, a few letters are a label, the letters of a company are its mark."""
        places = {str(text.get("id")): text.get("purpose") for text in list_of(drawn, "text")}
        label_id = str(drawn.get("code_text_id"))
        parts = []
        names = []
        for key, text in words.items():
            if not text:
                continue
            if amount(text) is not None:
                self.signs.append(re.sub(r"[\d,]+.*", "", text))
                parts.append(f"upgrade=cost:{amount(text)}")
            elif key in ("code", label_id) or (len(text) <= 2 and not places.get(key)):
                parts.append(f"label={text}")
            elif re.fullmatch(r"[A-Z][A-Za-z.]?&[A-Za-z.&]{1,8}|[A-Z]{1,4}", text):
                parts.append(f"icon=image:{text}")
            else:
                names.append(text)
        return parts, " & ".join(names)

    def hexagon(
        self, entry: Entry, data: Json, barriers: dict[str, list[str]], *, flat: bool
    ) -> None:
        """Add one hex to the data."""
        printed = _printed(entry.get("location"), flat=flat)
        if printed is None:
            self.notes.losses.lose("hex with coordinates that are none", in_json(entry, 80))
            return
        comments = self.notes.at("hexes", printed)
        words = _words(entry.get("text"), first=1)
        colour = _colour(entry.get("color", "ground"))
        track = entry.get("revenue") or Entry({})
        values = [
            f"{ours}_{value}"
            for theirs, ours in _PHASES.items()
            if (value := amount(track.get(theirs, ""))) is not None
        ]
        code, name = self.code(str(entry.get("tile", "plain")), words, comments, "|".join(values))
        arrows = [_SIDES[arrow] for arrow in list_of(entry, "arrows") if arrow in _SIDES]
        if (arrows or values) and not (code or "").startswith(("city", "town")):
            code = tile_code(
                [Stop(kind="offboard", revenue="|".join(values) or "0", hidden=not values)],
                [[_point(side), 0j] for side in _SIDES if _SIDES[side] in arrows],
                filter(None, [code or ""]),
            )
        elif arrows:
            comments.lose("arrows on a stop", ", ".join(entry["arrows"]))
        turn = _TURNS.get(str(entry.get("orientation", "N")), 0)
        parts = [turned(code or "", (turn if not arrows else 0) - (not flat))]
        terrain = entry.get("terrain")
        if isinstance(terrain, dict):
            cost = str(terrain.get("cost", ""))
            self.signs.append(re.sub(r"[\d,]+.*", "", cost))
            parts.append(f"upgrade=cost:{amount(cost) or 0},terrain:{terrain.get('type')}")
        for side in barriers.get(printed, ()):
            if side in _SIDES:
                parts.append(f"border=edge:{(_SIDES[side] - (not flat)) % 6},type:impassable")
        data["hexes"].setdefault(colour, {})[(printed,)] = ";".join(filter(None, parts))
        if name:
            data["location_names"][printed] = name
        self.notes.name_unread("hexes", printed, entry, _LOOKS)

    def company(self, symbol: str, entry: Any, *, flat: bool) -> Json:
        """Return a company as a corporation of 18xx.games."""
        home = entry.get("home")
        city = home[2] if isinstance(home, list) and len(home) == 3 else None
        company = {
            "sym": symbol,
            "name": entry.get("name"),
            "color": entry.get("color"),
            "shares": [],
            **({"coordinates": _printed(home, flat=flat) or str(home)} if home else {}),
            **({"city": number(city, 0, 9)} if city is not None else {}),
        }
        self.notes.name_unread("companies", symbol, entry)
        return company


def _words(given: Any, *, first: int) -> dict[str, str]:
    """Return words by the ids of their positions; in a list, ids count from `first`."""
    import html  # here, because its tables take time to load

    pairs = given.items() if isinstance(given, dict) else enumerate(several(given), first)
    return {str(key): html.unescape(one_line(text)) for key, text in pairs}


def _colour(name: object) -> str:
    words = str(name).lower()
    return _COLOURS.get(words) or tile_colour(words) or words


def _printed(location: Any, *, flat: bool) -> str | None:
    """Return the printed coordinates of a location, which is a name or [x, y]; None if it is
    neither."""
    if isinstance(location, str):
        return location
    at = [number(part, 0, 99) for part in several(location)[:2]]
    if len(at) < 2 or at[0] is None or at[1] is None:
        return None
    return printed_at(at[1], at[0], flat=flat)


def _point(given: Any) -> complex:
    """Return a coordinate as a point. It is the code of a side, or three numbers; in older files,
    it is in an object under the name of its form."""
    if isinstance(given, dict):
        given = given.get("Named") or given.get("HexSpace")
    if isinstance(given, str) and given in _SIDES:
        return edge_point(_SIDES[given])
    with suppress(ValueError, TypeError):
        return sum(
            (axis * float(part) for axis, part in zip(_AXES, several(given), strict=True)), 0j
        )
    return 0j


def _curve(start: complex, end: complex) -> list[complex]:
    """Return points on the curve that is drawn between two points."""
    steps = [step / 12 for step in range(13)]
    return [
        start * ((1 - t) ** 3 + 3 * _HANDLE * t * (1 - t) ** 2)
        + end * (t**3 + 3 * _HANDLE * (1 - t) * t**2)
        for t in steps
    ]
