"""Nicks: short bridges in a die line that hold a piece in its board until it is punched out."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from platelayer.imposition.plan import Board
from platelayer.scene.shapes import Command, Point

_STEPS = 16
"""Chords by which the length of a curve is measured: of a quarter of a circle they lack 0.04 %."""
_PHASES = 12
"""Places tried for the first nick, of which the one is taken that keeps nicks furthest from
corners."""

_Side = tuple[Point, ...]
"""Two points of a straight line, or the four of a cubic curve."""


def nicked(outline: Sequence[Command], board: Board) -> tuple[Command, ...]:
    """A closed outline with as many gaps as the board's settings ask for, at equal distances along
    it and off its corners; as it is if nicks have no width."""
    sides = tuple(_sides(outline))
    measures = [_measure(side) for side in sides]
    ends = list(accumulate(measure[-1] for measure in measures))
    whole = ends[-1]
    count = max(board.least_nicks, round(whole / board.nick_every_mm))
    if not board.nick_mm or not count:
        return tuple(outline)
    step, half = whole / count, board.nick_mm / 2
    first = max(
        (step * phase / _PHASES for phase in range(_PHASES)),
        key=lambda at: _off_corners(at, step, ends),
    )
    commands: list[Command] = []
    for number in range(count):
        start, end = first + number * step + half, first + (number + 1) * step - half
        commands += _between(sides, measures, ends, start, end)
    return tuple(commands)


def _off_corners(first: float, step: float, ends: Sequence[float]) -> float:
    """How far nicks are from the nearest end of a side, in tenths of a millimetre so that equals
    are equals."""
    return min(round(min((end - first) % step, (first - end) % step) * 10) for end in ends)


def _sides(outline: Sequence[Command]) -> Iterator[_Side]:
    start = last = (0.0, 0.0)
    for verb, *numbers in outline:
        points = [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if verb == "M":
            start = last = points[0]
        elif verb == "Z":
            points = [start]
        if verb != "M" and points[-1] != last:
            yield (last, *points)
            last = points[-1]


def _point(side: _Side, at: float) -> Point:
    return _split(side, at)[0][-1]


def _split(side: _Side, at: float) -> tuple[_Side, _Side]:
    """A side before and behind a parameter from 0 to 1 (de Casteljau)."""
    before, behind, points = [side[0]], [side[-1]], side
    while len(points) > 1:
        points = tuple((x + (u - x) * at, y + (v - y) * at) for (x, y), (u, v) in pairwise(points))
        before.append(points[0])
        behind.append(points[-1])
    return tuple(before), tuple(reversed(behind))


def _measure(side: _Side) -> tuple[float, ...]:
    """Lengths along a side, from 0 on, at equal steps of its parameter."""
    steps = 1 if len(side) == 2 else _STEPS
    points = [_point(side, number / steps) for number in range(steps + 1)]
    return tuple(accumulate((math.dist(a, b) for a, b in pairwise(points)), initial=0.0))


def _parameter(measure: Sequence[float], length: float) -> float:
    """Where on a side a length along it is reached."""
    steps = len(measure) - 1
    number = min(max(bisect_left(measure, length), 1), steps)
    low, high = measure[number - 1], measure[number]
    return (number - 1 + (length - low) / (high - low)) / steps


def _between(
    sides: Sequence[_Side],
    measures: Sequence[Sequence[float]],
    ends: Sequence[float],
    start: float,
    end: float,
) -> Iterator[Command]:
    """The part of a closed outline from one length along it to another, which may lie beyond its
    end."""
    whole, begun = ends[-1], False
    for turn in (0, 1):
        for side, measure, last in zip(sides, measures, ends, strict=True):
            first = last - measure[-1] + turn * whole
            low, high = max(start, first) - first, min(end, first + measure[-1]) - first
            if high - low <= 1e-9:
                continue
            near, far = _parameter(measure, low), _parameter(measure, high)
            part = _split(side, far)[0]
            part = _split(part, near / far)[1] if near > 0 else part
            if not begun:
                yield ("M", *part[0])
                begun = True
            yield ("L", *part[1]) if len(part) == 2 else ("C", *part[1], *part[2], *part[3])
