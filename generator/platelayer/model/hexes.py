"""Hex coordinates: neighbours, printed names and positions in millimetres.

Coordinates are doubled (x right, y down): in a flat layout vertical neighbours differ by 2 in y, in
a pointy layout horizontal neighbours differ by 2 in x. Edges are numbered 0-5 clockwise from the
bottom (flat) or lower left (pointy); angles grow clockwise from the x axis because y grows
downwards.
"""

import math
import re
from enum import Enum
from functools import lru_cache
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from platelayer.foundation.geometry import direction, measured
from platelayer.model.described import DERIVED, one_of

Point = tuple[float, float]

EDGES = range(6)
COS_30 = math.sqrt(3) / 2


class Layout(Enum):
    """Orientation of the hexes: with a flat side or a point at the top."""

    FLAT = "flat"
    POINTY = "pointy"


class Coord(NamedTuple):
    """Doubled coordinates of one hex."""

    x: int
    y: int


# The neighbour across each edge, from edge 0 on.
_STEPS: dict[Layout, tuple[Coord, ...]] = {
    Layout.FLAT: (
        Coord(0, 2),
        Coord(-1, 1),
        Coord(-1, -1),
        Coord(0, -2),
        Coord(1, -1),
        Coord(1, 1),
    ),
    Layout.POINTY: (
        Coord(-1, 1),
        Coord(-2, 0),
        Coord(-1, -1),
        Coord(1, -1),
        Coord(2, 0),
        Coord(1, 1),
    ),
}
_EDGE_0_DEGREES = {Layout.FLAT: 90.0, Layout.POINTY: 120.0}


def opposite(edge: int) -> int:
    """The edge that touches `edge` from the neighbouring hex."""
    return (edge + 3) % 6


def neighbour(at: Coord, edge: int, layout: Layout) -> Coord:
    """The hex on the other side of `edge`."""
    step = _STEPS[layout][edge % 6]
    return Coord(at.x + step.x, at.y + step.y)


def beside(at: Coord) -> tuple[Coord, ...]:
    """Places half a step away, whose hexes would cover part of this one."""
    return (
        Coord(at.x - 1, at.y),
        Coord(at.x + 1, at.y),
        Coord(at.x, at.y - 1),
        Coord(at.x, at.y + 1),
    )


def centre_mm(at: Coord, layout: Layout, across_mm: float) -> Point:
    """Centre of a hex in mm when hex (0, 0) is centred on (0, 0); `across_mm` is the distance flat
    to flat."""
    half, pitch = across_mm / 2, across_mm * COS_30
    return (at.x * pitch, at.y * half) if layout is Layout.FLAT else (at.x * half, at.y * pitch)


def hex_at(point: Point, layout: Layout, across_mm: float, odd: int = 0) -> Coord:
    """The hex in which a point lies, of those whose coordinates have an even sum (or an odd one)."""
    wide, tall = centre_mm(Coord(1, 1), layout, across_mm)
    column, row = math.floor(measured(point[0] / wide)), math.floor(measured(point[1] / tall))
    near = [Coord(column + dx, row + dy) for dx in (0, 1) for dy in (0, 1)]

    def away(at: Coord) -> float:
        return measured(math.dist(centre_mm(at, layout, across_mm), point))

    return min((at for at in near if (at.x + at.y) % 2 == odd), key=away)


def edge_angle(edge: float, layout: Layout) -> float:
    """Direction from the centre to the middle of an edge, in radians clockwise from the x axis.

    Fractions are allowed: 2.5 points to the corner between edges 2 and 3.
    """
    return math.radians(_EDGE_0_DEGREES[layout] + 60.0 * edge)


@lru_cache(1024)
def edge_point(edge: float, layout: Layout, distance_mm: float) -> Point:
    """The point at `distance_mm` from the centre towards an edge (fractions allowed)."""
    x, y = direction(edge_angle(edge, layout))
    return distance_mm * x, distance_mm * y


@lru_cache(256)
def corner_points(layout: Layout, across_mm: float) -> tuple[Point, ...]:
    """The six corners round the centre (0, 0); corner k lies between edge k and edge k + 1."""
    radius = across_mm / 2 / COS_30
    return tuple(edge_point(k + 0.5, layout, radius) for k in EDGES)


def letters_from_index(index: int) -> str:
    """0 -> A, 25 -> Z, 26 -> AA; below zero lower case: -1 -> a, -2 -> b."""
    if index < 0:
        return chr(ord("a") - 1 - index)
    letters = ""
    # Letters are digits from 1 to 26 without a zero, so that AA follows Z.
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def index_from_letters(letters: str) -> int:
    """The inverse of `letters_from_index`."""
    if letters.islower():  # columns left of A, as some maps print them
        return ord("a") - 1 - ord(letters)
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


_PRINTED = re.compile(r"([a-z]|[A-Z]{1,2})(-?[0-9]{1,3})")


class CoordinateScheme(Struct, frozen=True, kw_only=True):
    """Printed coordinates of a board: which axis has letters, and where each begins."""

    letters_on: Annotated[
        str,
        one_of("x", "y"),
        Meta(title="an axis"),
        'The axis with letters: "x" (columns) or "y" (rows); numbers are on the other.',
    ]
    first_letter: Annotated[
        str,
        Meta(title='a letter such as "A"', pattern="^([a-z]|[A-Z]{1,2})$"),
        "Letter printed where its axis is 0 in doubled coordinates.",
    ] = "A"
    first_number: Annotated[
        int, Meta(ge=-999, le=999), "Number printed where its axis is 0 in doubled coordinates."
    ] = 1
    inside: Annotated[
        bool, "Print them in every hex as well, small in a corner, if there is room."
    ] = False
    # On the frame of the map.
    framed: Annotated[bool, DERIVED] = True

    def parse(self, printed: str) -> Coord | None:
        """Printed coordinates such as "D4" to doubled coordinates; None if they are not
        coordinates."""
        match = _PRINTED.fullmatch(printed)
        if match is None:
            return None
        letter = index_from_letters(match[1]) - index_from_letters(self.first_letter)
        number = int(match[2]) - self.first_number
        return Coord(letter, number) if self.letters_on == "x" else Coord(number, letter)

    def name(self, at: Coord) -> str:
        """Doubled coordinates to printed ones."""
        letter, number = (at.x, at.y) if self.letters_on == "x" else (at.y, at.x)
        return self.letter(letter) + self.number(number)

    def letter(self, value: int) -> str:
        """Coordinate on the lettered axis at `value`."""
        return letters_from_index(value + index_from_letters(self.first_letter))

    def number(self, value: int) -> str:
        """Coordinate on the numbered axis at `value`."""
        return str(value + self.first_number)

    def column(self, x: int) -> str:
        """Coordinate printed on the rim above column x."""
        return self.letter(x) if self.letters_on == "x" else self.number(x)

    def row(self, y: int) -> str:
        """Coordinate printed on the rim beside row y."""
        return self.letter(y) if self.letters_on == "y" else self.number(y)
