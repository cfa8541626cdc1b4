"""Owners of words: in a hex of several stops, names and values stand plainly nearest to their own
(LG16)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from platelayer.scene.flatten import (
    Bounds,
    bounds_of,
    distance_to_line,
    flatten_commands,
    polygon_lines,
)
from platelayer.scene.shapes import (
    IDENTITY,
    Circle,
    Group,
    Item,
    Matrix,
    Path,
    Point,
    Stroke,
    TextRun,
    Use,
    apply,
    multiply,
)
from platelayer.scene.typeset import run_corners

APART = 1.3
"""Least ratio of distances from a name, value or table to the next stop and to its own."""
_SLACK_MM = 0.2

_Stroke = tuple[Point, Point, float]
"""A line and half its width; a circle is a line without length."""
Misplaced = tuple[str, int, int, float, float]
"""Words, their stop, the stop that they may be taken to belong to, and how far they are from the
two in mm."""


def misplaced(items: Iterable[Item]) -> Iterator[Misplaced]:
    """Words that do not stand plainly at their own stop, in all hexes that are among some items."""
    stops: dict[int, list[_Stroke]] = {}
    words: list[Group] = []
    inner = [*_sorted(items, stops, words)]
    for group in words if len(stops) > 1 else ():
        runs = [*_runs(group.items, IDENTITY)]
        led = any(isinstance(item, Group) and item.stop == group.of for item in group.items)
        if led or not runs or group.of not in stops:
            continue
        # A table below a name must be at the stop by itself.
        figures = [
            run for run in runs if run[0][-1].isdigit() and not any(map(str.isalpha, run[0]))
        ]
        box = bounds_of([corner for _, corners in figures or runs for corner in corners])
        away = {
            index: min(_distance(box, stroke) for stroke in strokes)
            for index, strokes in stops.items()
        }
        own = max(0.0, away.pop(group.of))
        other = min(away, key=away.__getitem__)
        if away[other] < APART * own - _SLACK_MM:
            yield " ".join(text for text, _ in runs), group.of, other, own, away[other]
    for each in inner:
        yield from misplaced(each)


def _sorted(
    items: Iterable[Item], stops: dict[int, list[_Stroke]], words: list[Group]
) -> Iterator[tuple[Item, ...]]:
    """Put stops and words of one hex into `stops` and `words`; yield what is placed elsewhere."""
    for item in items:
        match item:
            case Group() if item.stop is not None:
                stops.setdefault(item.stop, []).extend(_strokes(item.items))
            case Group() if item.of is not None:
                words.append(item)
            case Group() if item.matrix == IDENTITY:
                yield from _sorted(item.items, stops, words)
            case Group():
                yield item.items
            case Use():
                yield item.scene.items


def _strokes(items: Iterable[Item]) -> Iterator[_Stroke]:
    for item in items:
        match item:
            case Circle():
                yield (
                    (item.cx, item.cy),
                    (item.cx, item.cy),
                    item.r + (item.stroke.width_mm / 2 if item.stroke else 0.0),
                )
            case Path():
                half = item.stroke.width_mm / 2 if item.stroke else 0.0
                for polygon, closed in flatten_commands(item.commands):
                    for a, b in polygon_lines(polygon, closed=closed):
                        yield a, b, half


def _half(stroke: Stroke | None) -> float:
    return 0.0 if stroke is None else stroke.width_mm / 2


def _runs(items: Iterable[Item], matrix: Matrix) -> Iterator[tuple[str, list[Point]]]:
    """Texts with their corners."""
    for item in items:
        match item:
            case TextRun() if item.text:
                yield item.text, [apply(matrix, corner) for corner in run_corners(item)]
            case Group():
                yield from _runs(item.items, multiply(matrix, item.matrix))


def _distance(box: Bounds, stroke: _Stroke) -> float:
    """From a box to a line, less half its width."""
    left, top, right, bottom = box
    a, b, half = stroke
    away = min(
        math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)) for x, y in (a, b)
    )
    if a != b:
        away = min(
            away, *(distance_to_line((x, y), a, b) for x in (left, right) for y in (top, bottom))
        )
    return away - half
