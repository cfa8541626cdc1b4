"""Units of length, matrices, rounding that gives equal results on every system, and contour lines
of a grid."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH
PT_PER_MM = PT_PER_INCH / MM_PER_INCH


def pt_from_mm(length_mm: float) -> float:
    """Convert millimetres to PostScript points (1/72 inch)."""
    return length_mm * PT_PER_MM


def mm_from_pt(length_pt: float) -> float:
    """Convert PostScript points (1/72 inch) to millimetres."""
    return length_pt * MM_PER_PT


# Matrices of the plane.


# A length or a factor. An int stays an int when it is stored and read again, which `float` would
# not allow.
Number = int | float
Point = tuple[Number, Number]
# (a, b, c, d, e, f): x' = a x + c y + e, y' = b x + d y + f, as in SVG and PDF.
Matrix = tuple[Number, Number, Number, Number, Number, Number]
# The identity matrix.
Linear = tuple[float, float, float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix that applies `inner` first, then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


def translation(x: float, y: float) -> Matrix:
    """Return the matrix that moves by (x, y) mm."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def direction(angle: float) -> Point:
    """Return the unit vector of an angle in radians, clockwise from the x axis. Components of
    exactly one half are the same with every C library."""
    return settled(math.cos(angle)), settled(math.sin(angle))


def rotation(degrees: float, about: Point = (0.0, 0.0)) -> Matrix:
    """Return the matrix that rotates clockwise (y down) by `degrees` about a point; quarter turns
    are exact."""
    turned = degrees % 360
    radians = math.radians(turned)
    quarter = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
    cos, sin = quarter.get(turned) or (math.cos(radians), math.sin(radians))
    x, y = about
    return (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)


def scaling(factor: float) -> Matrix:
    """Return the matrix that scales about the origin."""
    return (factor, 0.0, 0.0, factor, 0.0, 0.0)


def apply(matrix: Matrix, point: Point) -> Point:
    """Return a point transformed by a matrix."""
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a matrix."""
    a, b, c, d, e, f = matrix
    size = a * d - b * c
    return (
        d / size,
        -b / size,
        -c / size,
        a / size,
        (c * f - d * e) / size,
        (b * e - a * f) / size,
    )


def least_scale(linear: Linear) -> float:
    """Return the smaller singular value of a matrix: its scale in the direction that it stretches
    least."""
    a, b, c, d = linear
    total = a * a + b * b + c * c + d * d
    apart = math.hypot(a * a + b * b - c * c - d * d, 2 * (a * c + b * d))
    return math.sqrt(max(total - apart, 0.0) / 2)


# Adding and subtracting this rounds any number below 2 ** 51 to the nearest whole number, ties to
# even: a double has 52 bits after its leading one. `round` with a number of places converts to text
# and back, which takes four times as long, and a build rounds 200,000 times.
_WHOLE = 1.5 * 2.0**52
_PLACES = 1e6
_LAST_BITS = 1e12


def measured(value: float) -> float:
    """Return a measure rounded to 6 places, so that geometrically equal measures compare as equal.
    Their last bits differ between C libraries and must not decide; where measures are equal, the
    first in a fixed order is taken."""
    return (value * _PLACES + _WHOLE - _WHOLE) / _PLACES


def settled(value: float) -> float:
    """Return a coordinate or share rounded to 12 places, without its last bits. Otherwise these
    would decide how a value that ends in 5 just behind the last written place is rounded, as
    half of many lengths does. Keeps the sign, even that of zero."""
    return math.copysign((value * _LAST_BITS + _WHOLE - _WHOLE) / _LAST_BITS, value)


def ranked(measures: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Return triples of measures in ascending order; triples that are geometrically equal stay in
    the given order."""
    return sorted(measures, key=_measured)


def _measured(measures: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a triple of measures in millionths."""
    one, two, three = measures
    return (
        one * _PLACES + _WHOLE - _WHOLE,
        two * _PLACES + _WHOLE - _WHOLE,
        three * _PLACES + _WHOLE - _WHOLE,
    )


Rows = Sequence[Sequence[float]]

# Marching squares (Lorensen & Cline 1987 for cubes). The index is the set of corners of a square
# that are high (upper left 1, upper right 2, lower right 4, lower left 8); each case lists the
# sides (top, right, bottom, left) at which a contour enters and leaves the square. Opposite high
# corners are not joined.
_CASES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((3, 0),),
    ((0, 1),),
    ((3, 1),),
    ((1, 2),),
    ((3, 0), (1, 2)),
    ((0, 2),),
    ((3, 2),),
    ((2, 3),),
    ((2, 0),),
    ((0, 1), (2, 3)),
    ((2, 1),),
    ((1, 3),),
    ((1, 0),),
    ((0, 3),),
    (),
)
# Matches squares that a contour crosses, in a row with one byte for each square.
_CROSSED = re.compile(rb"[\x01-\x0e]", re.DOTALL)


def level_rings(values: Rows, level: float) -> Iterator[list[Point]]:
    """Yield closed lines around the points of a grid beyond a level: above it, or below it if it is
    negative. Points on the grid's rim must not be beyond it. Coordinates are columns and rows."""
    # One byte for each point, so that one addition classifies all squares of a row.
    is_beyond = level.__gt__ if level < 0 else level.__lt__
    beyond = [int.from_bytes(bytes(map(is_beyond, line)), "little") for line in values]
    columns = len(values[0])
    # A side of a square is numbered by its point: twice the point's index for the upper side, one
    # more for the left side.
    follows: dict[int, int] = {}
    for row, (above, below) in enumerate(pairwise(beyond)):
        if above or below:
            cases = above + (above >> 7) + (below >> 6) + (below << 3)
            for square in _CROSSED.finditer(cases.to_bytes(columns + 1, "little"), 0, columns - 1):
                here = row * columns + square.start()
                sides = (2 * here, 2 * here + 3, 2 * (here + columns), 2 * here + 1)
                for enter, leave in _CASES[square[0][0]]:
                    follows[sides[enter]] = sides[leave]
    while follows:
        side = next(iter(follows))
        ring: list[Point] = []
        while side in follows:
            row, column = divmod(side >> 1, columns)
            one = values[row][column]
            two = values[row + 1][column] if side & 1 else values[row][column + 1]
            share = (level - one) / (two - one)
            ring.append((column, row + share) if side & 1 else (column + share, row))
            side = follows.pop(side)
        yield ring


def contours(values: Rows, level: float) -> Iterator[list[Point]]:
    """Yield the lines along which a grid has a positive level: closed ones, whose last point is
    their first, and lines from edge to edge."""
    wide, tall = len(values[0]), len(values)
    rim = [0.0] * (wide + 2)
    for ring in level_rings([rim, *([0.0, *row, 0.0] for row in values), rim], level):
        line = [(x - 1, y - 1) for x, y in ring]
        inside = [0 <= x <= wide - 1 and 0 <= y <= tall - 1 for x, y in line]
        if all(inside):
            yield [*line, line[0]]
            continue
        # Begin at a point on the rim of the grid, so that no line is split where the ring begins.
        first = inside.index(False)
        pairs = [*zip(inside, line, strict=True)]
        for is_inside, run in groupby(pairs[first:] + pairs[:first], lambda pair: pair[0]):
            points = [point for _, point in run]
            if is_inside and len(points) > 1:
                yield points


def thinned(line: Sequence[Point], least: float) -> Iterator[Point]:
    """Yield the points of a line without those that lie nearly straight between the last one kept
    and the next."""
    kept = line[0]
    yield kept
    for here, after in pairwise(line[1:]):
        dx, dy = after[0] - kept[0], after[1] - kept[1]
        off = (here[0] - kept[0]) * dy - (here[1] - kept[1]) * dx
        if off * off > least * least * (dx * dx + dy * dy):
            kept = here
            yield here
    yield line[-1]
