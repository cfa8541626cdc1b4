"""Heraldic divisions of roundels: their outlines in a disc of radius 1, and one division for each company."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from platelayer.foundation.matrices import direction
from platelayer.model.company import Company, CompanyKind
from platelayer.scene.shapes import Command, Point, circle_path, polygon_path

BAND = 0.4
"""Half the height of the band with the abbreviation: divisions show above and below it."""
PLAIN = "plain"
NUMBER = "number"
REVERSED = "reversed-"
"""Prefix of a division with its two colours exchanged."""

Commands = tuple[Command, ...]


def _bars(edges: Sequence[tuple[float, float]]) -> Commands:
    """Upright stripes between pairs of x."""
    return _join(polygon_path(((a, -1.1), (b, -1.1), (b, 1.1), (a, 1.1))) for a, b in edges)


def _stripes(edges: Sequence[tuple[float, float]]) -> Commands:
    """Level stripes between pairs of y."""
    return _join(polygon_path(((-1.1, a), (1.1, a), (1.1, b), (-1.1, b))) for a, b in edges)


def _slanted(offsets: Sequence[tuple[float, float]], slope: float) -> Commands:
    """Stripes between lines y = slope x + offset."""
    return _join(
        polygon_path(
            ((-1.5, -1.5 * slope + a), (1.5, 1.5 * slope + a), (1.5, 1.5 * slope + b), (-1.5, -1.5 * slope + b))
        )
        for a, b in offsets
    )


def _sectors(count: int, turn: float = 0.0) -> Commands:
    """Every second of `count` sectors, the first beginning `turn` degrees clockwise from the top."""
    step = 2 * math.pi / count
    first = math.radians(turn - 90)
    reach = 1.6

    def wedge(number: int) -> Commands:
        a = first + number * step
        ways = (direction(a + step * k) for k in (0, 0.5, 1))
        return polygon_path(((0, 0), *((reach * x, reach * y) for x, y in ways)))

    return _join(wedge(number) for number in range(0, count, 2))


def _chequers(side: float) -> Commands:
    n = math.ceil(1 / side)
    squares = ((x, y) for y in range(-n, n) for x in range(-n, n) if (x + y) % 2)
    return _join(
        polygon_path(
            (
                (x * side, y * side),
                ((x + 1) * side, y * side),
                ((x + 1) * side, (y + 1) * side),
                (x * side, (y + 1) * side),
            )
        )
        for x, y in squares
    )


def _waves(centres: Sequence[float], half: float, lift: float, length: float) -> Commands:
    """Wavy level stripes round each y."""

    def edge(y: float, backwards: bool) -> list[Command]:
        halves = math.ceil(2.2 / length) * 2
        xs = [-1.1 + length / 2 * k for k in range(halves + 1)]
        swings = [lift if k % 2 else -lift for k in range(halves)]
        steps = [(a, b, s) for a, b, s in zip(xs, xs[1:], swings, strict=False)]
        if backwards:
            steps = [(b, a, s) for a, b, s in reversed(steps)]
        third = length / 6
        curves: list[Command] = []
        for a, b, swing in steps:
            way = 1 if b > a else -1
            curves.append(("C", a + way * third, y + swing * 2, b - way * third, y + swing * 2, b, y))
        return curves

    def band(y: float) -> Commands:
        end = -1.1 + length * math.ceil(2.2 / length)
        return (("M", -1.1, y - half), *edge(y - half, False), ("L", end, y + half), *edge(y + half, True), ("Z",))

    return _join(band(y) for y in centres)


def _star(points: int, outer: float, inner: float) -> tuple[Point, ...]:
    return tuple(
        (
            (outer, inner)[k % 2] * math.sin(math.pi * k / points),
            -(outer, inner)[k % 2] * math.cos(math.pi * k / points),
        )
        for k in range(2 * points)
    )


def _join(parts: Iterable[Commands]) -> Commands:
    return tuple(command for part in parts for command in part)


def _ring(inner: float) -> Commands:
    return circle_path(0, 0, 1.1) + circle_path(0, 0, inner)


# What the second colour fills, by even-odd rule, in the order in which they are given to the companies of a title:
# the easiest to tell apart first. The band hides |y| < BAND, so each division shows above or below it.
DIVISIONS: dict[str, Commands] = {
    "quarterly": polygon_path(((0, -1.1), (1.1, -1.1), (1.1, 0), (0, 0)))
    + polygon_path(((-1.1, 0), (0, 0), (0, 1.1), (-1.1, 1.1))),
    "pale": _bars([(-0.27, 0.27)]),
    "border": _ring(0.76),
    "bend": _slanted([(-0.36, 0.36)], 1.0),
    "paly": _bars([(-1.0, -0.6), (-0.2, 0.2), (0.6, 1.0)]),
    "chevron": polygon_path(((0, -0.93), (1.2, 0.2), (1.2, 0.75), (0, -0.47), (-1.2, 0.75), (-1.2, 0.2))),
    "saltire": polygon_path(
        tuple((x * 1.6, y * 1.6) for x, y in ((0, -0.2), (0.8, -1), (1, -0.8), (0.2, 0), (1, 0.8), (0.8, 1), (0, 0.2)))
        + tuple((x * 1.6, y * 1.6) for x, y in ((-0.8, 1), (-1, 0.8), (-0.2, 0), (-1, -0.8), (-0.8, -1)))
    ),
    "fess": polygon_path(((-1.1, 0), (1.1, 0), (1.1, 1.1), (-1.1, 1.1))),
    "per-pale": polygon_path(((0, -1.1), (1.1, -1.1), (1.1, 1.1), (0, 1.1))),
    "lozenge": polygon_path(((0, -1), (0.75, 0), (0, 1), (-0.75, 0))),
    "bend-sinister": _slanted([(-0.36, 0.36)], -1.0),
    "barry": _stripes([(-0.85, -0.7), (-0.55, -0.3), (0.3, 0.55), (0.7, 0.85)]),
    "cross": _bars([(-0.2, 0.2)])
    + polygon_path(((-1.1, -0.58), (-0.2, -0.58), (-0.2, 0.58), (-1.1, 0.58)))
    + polygon_path(((0.2, -0.58), (1.1, -0.58), (1.1, 0.58), (0.2, 0.58))),
    "gyronny": _sectors(8),
    "pile": polygon_path(((-0.8, -1.1), (0.8, -1.1), (0, 0.95))),
    "chief": polygon_path(((-1.1, -1.1), (1.1, -1.1), (1.1, -0.66), (-1.1, -0.66))),
    "bendy": _slanted([(-1.6, -1.2), (-0.8, -0.4), (0.0, 0.4), (0.8, 1.2), (1.6, 2.0)], 1.0),
    "flaunches": circle_path(-1.15, 0, 0.85) + circle_path(1.15, 0, 0.85),
    "per-chevron": polygon_path(((0, -0.85), (1.2, 0.55), (1.2, 1.2), (-1.2, 1.2), (-1.2, 0.55))),
    "per-bend": polygon_path(((-1.1, -1.1), (1.1, 1.1), (-1.1, 1.1))),
    "chequy": _chequers(0.25),
    "base": polygon_path(((-1.1, 0.66), (1.1, 0.66), (1.1, 1.1), (-1.1, 1.1))),
    "sun": _sectors(24, 7.5),
    "canton": polygon_path(((-1.1, -1.1), (0, -1.1), (0, 0), (-1.1, 0))),
    "roundels": _join(circle_path(x, y, 0.145) for y in (-0.66, 0.66) for x in (-0.42, 0, 0.42)),
    "per-bend-sinister": polygon_path(((1.1, -1.1), (-1.1, 1.1), (1.1, 1.1))),
    "mullet": polygon_path(_star(8, 0.98, 0.42)),
    "barry-wavy": _waves((-0.64, 0.64), 0.1, 0.09, 0.55),
    "tierce": polygon_path(((-1.1, -1.1), (-0.3, -1.1), (-0.3, 1.1), (-1.1, 1.1))),
    "bendy-sinister": _slanted([(-1.6, -1.2), (-0.8, -0.4), (0.0, 0.4), (0.8, 1.2), (1.6, 2.0)], -1.0),
    PLAIN: (),
}


def assign_divisions(companies: Iterable[Company]) -> dict[str, str]:
    """A division for every company of a title that has tokens, by `ref`; no two are alike.

    A roundel given in the title is kept. Minors known by a number get `number` (a plain disc: the number tells them
    apart), privates and concessions `plain`. When all divisions are used up, they come again with colours exchanged.
    """
    companies = tuple(companies)
    given = {company.ref: company.roundel.division for company in companies if company.roundel is not None}
    taken = set(given.values())
    free = iter([name for name in (*DIVISIONS, *(REVERSED + name for name in DIVISIONS)) if name not in taken])
    found: dict[str, str] = {}
    for company in companies:
        if company.ref in given:
            found[company.ref] = given[company.ref]
        elif not company.has_charter:
            found[company.ref] = PLAIN
        elif company.kind is CompanyKind.MINOR and company.token_text.isdecimal():
            found[company.ref] = NUMBER
        else:
            found[company.ref] = next(free, PLAIN)
    return found
