"""Peaks, mounds and dunes: the parts of terrain symbols that are worked out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from platelayer.drawing.hex.terrain_pen import Pen, smooth, straight
from platelayer.scene.shapes import Point


class _Peak(Struct, frozen=True):
    """One peak: where its top and the feet of its slopes are, and how far its spur runs to the right of the top."""

    top: Point
    left: Point
    right: Point
    spur: float


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _slope(top: Point, foot: Point, sag: float) -> list[Point]:
    """From the top to a foot: a flank that is steep above and runs out below, broken by small ledges."""
    side = 1.0 if foot[0] > top[0] else -1.0
    points = [top]
    for share, ledge in ((0.2, -0.55), (0.38, 0.35), (0.6, -0.25), (0.8, 0.3)):
        x, y = _between(top, foot, share)
        bend = sag * 4 * share * (1 - share)
        points.append((x - side * (bend - ledge), y + bend * 0.55))
    return [*points, foot]


def _ridge(peak: _Peak) -> list[Point]:
    """The spur that separates light from shade, from the top to the foot of the peak, in zigzag."""
    foot_y = max(peak.left[1], peak.right[1])
    height = foot_y - peak.top[1]
    swing = ((0.16, 0.42), (0.30, 0.12), (0.48, 0.72), (0.64, 0.40), (0.82, 1.05), (1.0, 0.85))
    return [peak.top, *((peak.top[0] + peak.spur * x, peak.top[1] + height * share) for share, x in swing)]


def _at_height(line: Sequence[Point], y: float) -> float:
    """Where a falling line is at height y."""
    for (x1, y1), (x2, y2) in pairwise(line):
        if y1 <= y <= y2 and y2 > y1:
            return x1 + (x2 - x1) * (y - y1) / (y2 - y1)
    return line[-1][0]


def draw_peak(pen: Pen, *at: float) -> None:
    """A peak lit from the left: x and y of its top, of the feet to the left and right, and the reach of its spur."""
    x, y, left_x, left_y, right_x, right_y, spur = at
    peak = _Peak((x, y), (left_x, left_y), (right_x, right_y), spur)
    left, right, ridge = _slope(peak.top, peak.left, 2.2), _slope(peak.top, peak.right, 2.2), _ridge(peak)
    foot = (ridge[-1][0], max(peak.left[1], peak.right[1]) + 1.2)
    pen.fill(straight([*reversed(left), *right[1:], foot], closed=True), "terrain.mountain.light")
    pen.fill(straight([*ridge, foot, *reversed(right[1:])], closed=True), "terrain.mountain.shade")
    height = peak.right[1] - peak.top[1]
    fall = (peak.right[0] - peak.top[0]) / height
    shade: list[tuple[Point, Point]] = []
    for step in range(1, 8):
        start_y = peak.top[1] + height * (0.06 + 0.115 * step)
        start_x = _at_height(ridge, start_y) + 0.9
        length = height * (0.42 - 0.034 * step)
        end_y = min(start_y + length, peak.right[1] + 0.4)
        reach = _at_height(right, end_y) - 0.8
        end_x = min(start_x + (end_y - start_y) * fall * 0.92, reach)
        if end_y - start_y > 1.0 and end_x > start_x:
            shade.append(((start_x, start_y), (end_x, end_y)))
    pen.lines(shade, "terrain.mountain.line", 0.75)
    light: list[tuple[Point, Point]] = []
    run = (peak.top[0] - peak.left[0]) / (peak.left[1] - peak.top[1])
    for step in (2, 4, 6):
        start_y = peak.top[1] + height * (0.10 + 0.115 * step)
        start_x = _at_height(ridge, start_y) - 1.2
        length = height * (0.20 - 0.012 * step)
        end_x = max(start_x - length * run * 0.8, _at_height(left, min(start_y + length, peak.left[1])) + 1.2)
        if end_x < start_x:
            light.append(((start_x, start_y), (end_x, start_y + length)))
    pen.lines(light, "terrain.mountain.line", 0.6)
    pen.line(straight([*reversed(left), *right[1:]]), "terrain.mountain.line", 1.15)
    pen.line(straight(ridge[:-1]), "terrain.mountain.line", 0.75)


def draw_mound(pen: Pen, x: float, y: float, width: float, height: float) -> None:
    """A round hill with its foot at (x .. x + width, y), shaded on the right by fall lines."""
    arc = [
        (x, y),
        (x + width * 0.14, y - height * 0.48),
        (x + width * 0.34, y - height * 0.92),
        (x + width * 0.5, y - height),
        (x + width * 0.68, y - height * 0.88),
        (x + width * 0.88, y - height * 0.42),
        (x + width, y),
    ]
    pen.fill(
        (*smooth(arc), ("C", x + width * 0.7, y + 2.4, x + width * 0.3, y + 2.4, x, y), ("Z",)), "terrain.hill.light"
    )
    crest = [(x + width * 0.55, y - height * 0.99), (x + width * 0.62, y - height * 0.5), (x + width * 0.72, y + 1.4)]
    shade = (*smooth(crest), *smooth([(x + width * 0.72, y + 1.4), arc[6], arc[5], arc[4], crest[0]])[1:], ("Z",))
    pen.fill(shade, "terrain.hill.shade")
    strokes = []
    for share, start, end in ((0.58, 0.80, 0.38), (0.645, 0.72, 0.24), (0.715, 0.60, 0.12), (0.79, 0.46, 0.04)):
        lean = width * 0.075
        strokes.append(((x + width * share, y - height * start), (x + width * share + lean, y - height * end)))
    for share, start, end in ((0.30, 0.62, 0.38), (0.21, 0.42, 0.14)):
        strokes.append(((x + width * share, y - height * start), (x + width * (share - 0.06), y - height * end)))
    pen.lines(strokes, "terrain.hill.line", 0.75)
    pen.line(smooth(arc), "terrain.hill.line", 1.2)


def draw_dune(pen: Pen, x: float, y: float, width: float) -> None:
    """A dune with its foot at (x .. x + width, y), its lee in the shade."""
    crest = [
        (x, y),
        (x + width * 0.3, y - 7),
        (x + width * 0.52, y - 13),
        (x + width * 0.74, y - 6),
        (x + width, y),
    ]
    pen.fill((*smooth(crest), ("Z",)), "terrain.desert.light")
    lee = [(x + width * 0.52, y - 13), (x + width * 0.49, y - 6), (x + width * 0.62, y)]
    pen.fill(
        (*smooth(lee), ("L", x + width, y), *smooth([crest[4], crest[3], crest[2]])[1:], ("Z",)),
        "terrain.desert.shade",
    )
    pen.line(smooth(crest), "terrain.desert.line", 1.0)
    pen.line(smooth(lee), "terrain.desert.line", 0.75)
