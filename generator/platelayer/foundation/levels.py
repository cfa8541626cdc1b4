"""Lines of equal height on a grid of values, and lines with fewer points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

Point = tuple[float, float]
Rows = Sequence[Sequence[float]]

# Marching squares (Lorensen & Cline 1987 for cubes): for each way in which the corners of a square
# (upper left 1, upper right 2, lower right 4, lower left 8) are high, the sides (top, right,
# bottom, left) at which a contour enters and leaves it. In the two cases of opposite corners they
# stay apart.
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
# Of a byte for each square, those that a contour crosses.
_CROSSED = re.compile(rb"[\x01-\x0e]", re.DOTALL)


def level_rings(values: Rows, level: float) -> Iterator[list[Point]]:
    """Closed lines round the points of a grid beyond a level (above it, or below one that is
    negative), which those at its rim are not; columns and rows."""
    # A byte for each point, so that all squares of a row are told apart at once.
    is_beyond = level.__gt__ if level < 0 else level.__lt__
    beyond = [int.from_bytes(bytes(map(is_beyond, line)), "little") for line in values]
    columns = len(values[0])
    # Each side of a square is named for its point: twice its number the upper one, the left one 1
    # more.
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
    """Lines along which a grid is at a positive level: rings, whose last point is their first, and
    lines from edge to edge."""
    wide, tall = len(values[0]), len(values)
    rim = [0.0] * (wide + 2)
    for ring in level_rings([rim, *([0.0, *row, 0.0] for row in values), rim], level):
        line = [(x - 1, y - 1) for x, y in ring]
        inside = [0 <= x <= wide - 1 and 0 <= y <= tall - 1 for x, y in line]
        if all(inside):
            yield [*line, line[0]]
            continue
        # From a point on the rim of the grid on, so that no line is cut where the ring begins.
        first = inside.index(False)
        pairs = [*zip(inside, line, strict=True)]
        for is_inside, run in groupby(pairs[first:] + pairs[:first], lambda pair: pair[0]):
            points = [point for _, point in run]
            if is_inside and len(points) > 1:
                yield points


def thinned(line: Sequence[Point], least: float) -> Iterator[Point]:
    """The points of a line without those that lie nearly straight between the last one kept and the
    next."""
    kept = line[0]
    yield kept
    for here, after in pairwise(line[1:]):
        dx, dy = after[0] - kept[0], after[1] - kept[1]
        off = (here[0] - kept[0]) * dy - (here[1] - kept[1]) * dx
        if off * off > least * least * (dx * dx + dy * dy):
            kept = here
            yield here
    yield line[-1]
