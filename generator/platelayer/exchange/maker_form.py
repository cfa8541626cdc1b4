"""The form of 18xx-maker's game files, as far as an import relies on it.

What 18xx-maker's own drawing takes is taken here: one thing for a list of one, and the spellings of
its older files. A part of another form is left out by name; the rest of the game is read. Other
programs with such forms, and track drawn as curves, share both.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from types import UnionType
from typing import (
    Annotated,
    Any,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from platelayer.exchange.losses import Entry
from platelayer.foundation.door import plain_fault
from platelayer.foundation.values import Json

# The form of each part. Values that are `Any` are looked at where they are read.


Number = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]


class Placed(TypedDict, total=False):
    """Something with a place on a hex: an angle in degrees or a side, and how far it is from the
    centre."""

    angle: Number
    side: Number
    percent: Number


class Track(TypedDict, total=False):
    """A curve, or a line inwards, from a side."""

    type: str
    side: Number
    start: Number
    begin: Number
    end: Number
    stop: Number
    gauge: str
    path: str


class Stop(Placed, total=False):
    """A city or town."""

    companies: list[Any]
    groups: list[Any]


class OffBoard(Placed, total=False):
    """Revenues of an off-board."""

    revenues: list[Json]


class Terrain(TypedDict, total=False):
    """Terrain of a hex."""

    type: str


class HexForm(TypedDict, total=False):
    """A tile, or hexes of a map that look the same."""

    copy: str
    track: list[Track]
    offBoardTrack: list[Track]
    cities: list[Stop]
    towns: list[Stop]
    centerTowns: list[Stop]
    mediumCities: list[Stop]
    boomtowns: list[Stop]
    offBoardRevenue: list[OffBoard]
    values: list[Placed]
    names: list[Any]
    labels: list[Json]
    icons: list[Json]
    terrain: list[Terrain]
    mountain: list[Terrain]
    water: list[Terrain]
    bridges: list[Placed]
    tunnels: list[Placed]
    companies: list[Any]
    tokens: list[Any]
    removeBorders: list[Number] | bool
    borders: list[Json]
    industries: list[Json]
    goods: list[Json]
    divides: list[Json]
    shapes: list[Json]
    tunnelEntrances: list[Json]
    routeBonuses: list[Json]
    hexes: list[str]


class Board(TypedDict, total=False):
    """A map. One that is a copy has the hexes of another, by its number, but for those that it
    removes."""

    copy: Annotated[int, msgspec.Meta(ge=0, le=99)]
    hexes: list[HexForm]
    remove: list[str]


class Share(TypedDict, total=False):
    """Certificates of a company."""

    quantity: Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Company(TypedDict, total=False):
    """A company. Shares and tokens may be the name of a list that companies have in common."""

    shares: list[Share] | str
    shareType: str


class Train(TypedDict, total=False):
    """A train."""

    discount: Json


class Phase(TypedDict, total=False):
    """A phase."""

    events: Json


class Players(TypedDict, total=False):
    """Cash by numbers of players."""

    number: int


class Par(TypedDict, total=False):
    """Start prices."""

    values: list[Any]


class Market(TypedDict, total=False):
    """The stock market."""

    market: list[Any]
    legend: list[Json]
    par: Par
    movement: dict[str, list[Any]]


class Game(TypedDict, total=False):
    """A game file."""

    info: Json
    players: list[Players]
    map: Board | list[Board]
    shareTypes: dict[str, list[Share]]
    tokenTypes: dict[str, list[Any]]
    companies: list[Company]
    privates: list[Json]
    trains: list[Train]
    phases: list[Phase]
    rounds: list[Any]
    stock: Market
    tiles: dict[str, HexForm | int | str]
    colors: Json


# Reading


# Left out: the value of a part of another form, and its place with what was wanted.
LeftOut = Callable[[str, Any], object]


def read_form(raw: Json, left_out: LeftOut) -> Json:
    """A game file in today's spelling, without what has another form; its objects are Entries."""
    game: Json = fitting(raw, Game, "", left_out)
    boards = game.get("map")
    for board in boards if isinstance(boards, list) else [boards] if boards else ():
        hexes = [_respelt(entry) for entry in board.get("hexes") or ()]
        board["hexes"] = [_resolved(entry, hexes) for entry in hexes]
    for tile in (game.get("tiles") or {}).values():
        if isinstance(tile, dict):
            _respelt(tile)
    return game


def read_tile(raw: Any, number: str, left_out: LeftOut) -> Json:
    """A tile of a file of tiles, in the same way; empty where it has another form."""
    tile = fitting(raw, HexForm, number, left_out)
    return _respelt(tile) if isinstance(tile, dict) else {}


_NOTHING = object()


def fitting(value: Any, form: Any, place: str, left_out: LeftOut) -> Any:
    """The value without what has another form, and without known keys of nothing; _NOTHING if that is
    all of it."""
    forms = get_args(form) if get_origin(form) in (Union, UnionType) else (form,)
    if isinstance(value, dict):
        record = next((arm for arm in forms if is_typeddict(arm)), None)
        table = next((arm for arm in forms if get_origin(arm) is dict), None)
        if record is not None or table is not None:
            hints = get_type_hints(record, include_extras=True) if record is not None else {}
            kind = Any if table is None else get_args(table)[1]
            fields = Entry({})
            for key, part in value.items():
                fitted = part
                if part is None and key in hints:
                    continue
                if part is not None:
                    there = f"{place}.{key}".lstrip(".")
                    fitted = fitting(part, hints.get(key, kind), there, left_out)
                fields |= {key: fitted} if fitted is not _NOTHING else {}
            return fields
    series = next((arm for arm in forms if get_origin(arm) is list), None)
    if series is not None and value is not None and type(value) not in forms:
        whole = value if isinstance(value, list) else [value]
        parts = [
            fitting(part, get_args(series)[0], f"{place}[{index}]", left_out)
            for index, part in enumerate(whole)
        ]
        return [part for part in parts if part is not _NOTHING]
    try:
        msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        left_out(f"{place} ({plain_fault(error)})", value)
        return _NOTHING
    return Entry.of(value)


# Names of track for a part of a curve, or for a curve beside the middle of its edges: the curve of
# today, its side from that of the name, and the part. A curve the other way round begins at its
# other side.
_TRACK: dict[str, tuple[str, int, Json]] = {
    "straightLeft": ("straight", 0, {}), "straightRight": ("straight", 0, {}),
    "gentleInner": ("gentle", 0, {}), "gentleOuter": ("gentle", 0, {}),
    "sharpInner": ("sharp", 0, {}), "sharpOuter": ("sharp", 0, {}),
    "straightGentleHalf": ("straight", 0, {"end": 0.3667}),
    "gentleHalf": ("gentle", 0, {"end": 0.5}), "gentleHalfRev": ("gentle", 4, {"start": 0.5}),
}  # fmt: skip


def _respelt(entry: Json) -> Json:
    """A hex or tile with terrain and track by their names of today."""
    terrain = entry.pop("terrain", None) or []
    for kind in ("mountain", "water"):
        terrain += [Entry(part | {"type": kind}) for part in entry.pop(kind, None) or ()]
    track = entry.pop("track", None) or []
    track += [Entry(part | {"type": "offboard"}) for part in entry.pop("offBoardTrack", None) or ()]
    for segment in track:
        segment |= {
            today: segment.pop(old)
            for old, today in (("begin", "start"), ("stop", "end"))
            if old in segment
        }
        if segment.get("type") in _TRACK:
            kind, turned, part = _TRACK[segment["type"]]
            side = (int(segment.get("side", 1)) + turned - 1) % 6 + 1
            segment |= {**part, "type": kind, "side": side}
    entry |= {key: parts for key, parts in (("terrain", terrain), ("track", track)) if parts}
    return entry


def _resolved(entry: Json, hexes: list[Json], seen: tuple[str, ...] = ()) -> Json:
    """A hex with what it copies from the one with the coordinates `copy`, which may copy, too."""
    named = entry.get("copy")
    base = next((other for other in hexes if named in (other.get("hexes") or ())), None)
    if named is None or base is None or named in seen:
        return entry
    whole = _merged(entry, _resolved(base, hexes, (*seen, named)))
    del whole["copy"]
    return whole


_ITS_OWN = ("companies", "hexes")


def _merged(own: Json, base: Json) -> Json:
    """An entry over that which it copies, as 18xx-maker merges them: track of both, of other lists
    as many as the shorter has, companies and places its own."""
    whole = Entry({**base, **own})
    for key in own.keys() & base.keys():
        mine, theirs = own[key], base[key]
        if isinstance(mine, dict) and isinstance(theirs, dict):
            whole[key] = _merged(mine, theirs)
        elif key == "track":
            whole[key] = [*mine, *theirs]
        elif isinstance(mine, list) and isinstance(theirs, list) and key not in _ITS_OWN:
            whole[key] = [
                _merged(a, b) if isinstance(a, dict) and isinstance(b, dict) else a
                for a, b in zip(mine, theirs, strict=False)
            ]
    return whole


# Points of track on a flat hex: complex numbers in apothems from its centre, with y downwards.


def edge_point(edge: float) -> complex:
    """The middle of an edge."""
    return 1j * cmath.exp(1j * math.pi / 3 * edge)


def along(start: int, end: int, part: float) -> complex:
    """The point at a part of the standard track between two edges: a straight line, or an arc that
    meets both at right angles."""
    a, b = edge_point(start), edge_point(end)
    if (start - end) % 6 == 3:
        return a * (1 - 2 * part)
    centre = (a + b) / (1 + (a * b.conjugate()).real)
    return centre + (a - centre) * ((b - centre) / (a - centre)) ** part
