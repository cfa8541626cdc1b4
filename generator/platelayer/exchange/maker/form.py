"""The form of game files of 18xx-maker, as far as an import relies on it.

What is `Any` may be anything, as whatever reads it looks at it first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypedDict

import msgspec

from platelayer.foundation.door import plain_fault
from platelayer.foundation.problems import CannotRun

Json = dict[str, Any]
Number = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]


class Placed(TypedDict, total=False):
    """Something with a place on a hex: an angle in degrees or a side, and how far it is from the
    centre."""

    angle: Number | None
    side: Number
    percent: Number | None


class Track(TypedDict, total=False):
    """A curve, or a line inwards, from a side."""

    type: str | None
    side: Number
    start: Number | None
    end: Number | None
    gauge: str | None
    path: str | None


class Stop(Placed, total=False):
    """A city or town."""

    companies: list[Any] | None
    groups: list[Any] | None


class OffBoard(TypedDict, total=False):
    """Revenues of an off-board."""

    revenues: list[Json] | None


class Terrain(TypedDict, total=False):
    """Terrain of a hex."""

    type: str | None


class HexForm(TypedDict, total=False):
    """A tile, or hexes of a map that look the same."""

    track: list[Track] | None
    cities: list[Stop] | None
    towns: list[Stop] | None
    centerTowns: list[Stop] | None
    mediumCities: list[Stop] | None
    boomtowns: list[Stop] | None
    offBoardRevenue: OffBoard | None
    values: list[Placed] | None
    names: list[Any] | None
    labels: list[Json] | None
    icons: list[Json] | None
    terrain: list[Terrain] | None
    bridges: list[Placed] | None
    tunnels: list[Placed] | None
    companies: list[Any] | None
    tokens: list[Any] | None
    removeBorders: list[Number] | bool | None
    borders: list[Json] | None
    hexes: list[str] | None


class Board(TypedDict, total=False):
    """A map. One that is a copy has the hexes of another, by its number, but for those that it
    removes."""

    copy: Annotated[int, msgspec.Meta(ge=0, le=99)] | None
    hexes: list[HexForm] | None
    remove: list[str] | None


class Share(TypedDict, total=False):
    """Certificates of a company."""

    quantity: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None


class Company(TypedDict, total=False):
    """A company. Shares and tokens may be the name of a list that companies have in common."""

    shares: list[Share] | str | None
    shareType: str | None


class Train(TypedDict, total=False):
    """A train."""

    discount: Json | None


class Phase(TypedDict, total=False):
    """A phase."""

    events: Json | None


class Players(TypedDict, total=False):
    """How many players begin with what."""

    number: int


class Par(TypedDict, total=False):
    """Start prices."""

    values: list[Any] | None


class Market(TypedDict, total=False):
    """The stock market."""

    market: list[Any] | None
    legend: list[Json] | None
    par: Par | None
    movement: dict[str, list[Any] | None] | None


class Game(TypedDict, total=False):
    """A game file."""

    info: Json
    players: list[Players] | None
    map: Board | list[Board] | None
    shareTypes: dict[str, list[Share] | None] | None
    tokenTypes: dict[str, list[Any] | None] | None
    companies: list[Company] | None
    privates: list[Json] | None
    trains: list[Train] | None
    phases: list[Phase] | None
    rounds: list[Any] | None
    stock: Market | None
    tiles: dict[str, HexForm | int | str | None] | None
    colors: Json | None


def check_form(path: Path, value: Any, form: Any) -> None:
    """Raises CannotRun for a value of a file that does not have a form of these, with the place in
    it."""
    try:
        msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise CannotRun(
            f"{path} does not follow the form of 18xx-maker: {plain_fault(error)}"
        ) from error
