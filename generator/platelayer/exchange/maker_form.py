"""The form of 18xx-maker's game files, as far as an import relies on it.

Whatever 18xx-maker's own drawing accepts is accepted here: a single item instead of a list, and the
spellings of older files. A part with another form is left out and reported by name; the rest of the
game is read. Imports from other programs with similar forms, or with track drawn as curves, use
this module as well.
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

# The form of each part. Values of type `Any` are checked when they are read.


Number = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]


class Placed(TypedDict, total=False):
    """Something positioned on a hex: by an angle in degrees or a side, and by a distance from the
    centre."""

    angle: Number
    side: Number
    percent: Number


class Track(TypedDict, total=False):
    """A curve or an inward line that starts at a side."""

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
    """A map. A map with `copy` has the hexes of the map with that number, except those in
    `remove`."""

    copy: Annotated[int, msgspec.Meta(ge=0, le=99)]
    hexes: list[HexForm]
    remove: list[str]


class Share(TypedDict, total=False):
    """Certificates of a company."""

    quantity: Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Company(TypedDict, total=False):
    """A company. Shares and tokens may be given by the name of a list that several companies
    share."""

    shares: list[Share] | str
    shareType: str


class Train(TypedDict, total=False):
    """A train."""

    discount: Json


class Phase(TypedDict, total=False):
    """A phase."""

    events: Json


class Players(TypedDict, total=False):
    """Cash for a number of players."""

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


# Function called for each part with another form: with the part's place and the expected form, and
# with its value.
LeftOut = Callable[[str, Any], object]


def read_form(raw: Json, left_out: LeftOut) -> Json:
    """Return a game file in current spelling, without the parts that have another form; its objects
    are Entries."""
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
    """Return a tile from a file of tiles in current spelling, without the parts that have another
    form; empty if the tile itself has another form."""
    tile = fitting(raw, HexForm, number, left_out)
    return _respelt(tile) if isinstance(tile, dict) else {}


_NOTHING = object()


def fitting(value: Any, form: Any, place: str, left_out: LeftOut) -> Any:
    """Return the value without the parts that have another form, and without known keys that are
    null; _NOTHING if the value itself has another form."""
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


# Older names of track for part of a curve, or for a curve beside the middle of its edges: the
# current curve, its side relative to the given one, and the drawn part. A reversed curve begins at
# its other side.
_TRACK: dict[str, tuple[str, int, Json]] = {
    "straightLeft": ("straight", 0, {}), "straightRight": ("straight", 0, {}),
    "gentleInner": ("gentle", 0, {}), "gentleOuter": ("gentle", 0, {}),
    "sharpInner": ("sharp", 0, {}), "sharpOuter": ("sharp", 0, {}),
    "straightGentleHalf": ("straight", 0, {"end": 0.3667}),
    "gentleHalf": ("gentle", 0, {"end": 0.5}), "gentleHalfRev": ("gentle", 4, {"start": 0.5}),
}  # fmt: skip


def _respelt(entry: Json) -> Json:
    """Change a hex or tile to the current names of terrain and track, and return it."""
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
    """Return a hex with the parts that it copies from the hex with the coordinates `copy`, which
    may be a copy itself."""
    named = entry.get("copy")
    base = next((other for other in hexes if named in (other.get("hexes") or ())), None)
    if named is None or base is None or named in seen:
        return entry
    whole = _merged(entry, _resolved(base, hexes, (*seen, named)))
    del whole["copy"]
    return whole


_ITS_OWN = ("companies", "hexes")


def _merged(own: Json, base: Json) -> Json:
    """Return an entry laid over the one that it copies, as 18xx-maker merges them: track of both;
    of other lists, as many items as the shorter one has; its own companies and hexes."""
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


# Points of track on a flat hex: complex numbers in apothems from its centre, y pointing down.


def edge_point(edge: float) -> complex:
    """Return the middle of an edge."""
    return 1j * cmath.exp(1j * math.pi / 3 * edge)


def along(start: int, end: int, part: float) -> complex:
    """Return the point at a part (0 to 1) of the standard track between two edges: a straight line,
    or an arc that meets both edges at right angles."""
    a, b = edge_point(start), edge_point(end)
    if (start - end) % 6 == 3:
        return a * (1 - 2 * part)
    centre = (a + b) / (1 + (a * b.conjugate()).real)
    return centre + (a - centre) * ((b - centre) / (a - centre)) ** part
