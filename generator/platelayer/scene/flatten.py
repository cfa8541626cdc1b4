"""Flattened scenes: shapes and words in the scene's own coordinates, in painting order.

Paths stay as they are until the area they cover or cross is needed: points are transformed into the
path's own coordinates rather than thousands of guilloche curves into the scene's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, cast

from msgspec import Struct

from platelayer.foundation.geometry import inverse
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    IDENTITY,
    Circle,
    Command,
    Group,
    Item,
    Matrix,
    Path,
    Point,
    Role,
    Scene,
    TextRun,
    Use,
    apply,
    circle_path,
    multiply,
)
from platelayer.scene.typeset import run_corners

Polygon = tuple[Point, ...]
Line = tuple[Point, Point]
Bounds = tuple[float, float, float, float]

_CURVE_STEPS = 6
# Of the four points of a curve, at each end of a chord.
_SHARES = tuple(
    ((1 - t) * (1 - t) * (1 - t), 3 * (1 - t) * (1 - t) * t, 3 * (1 - t) * t * t, t * t * t)
    for t in (step / _CURVE_STEPS for step in range(1, _CURVE_STEPS + 1))
)
# Commands that are looked at together, and runs of them: a frame all round a poster has 15 000
# commands.
_RUN, _RUNS = 12, 16
_MOST_KEPT = 3000


def _control_bounds(commands: Sequence[Command]) -> Bounds:
    """Bounds of all points of some commands, including control points: quick, and never too
    small."""
    numbers = [*chain.from_iterable(command[1:] for command in commands)] or [0.0, 0.0]
    xs, ys = numbers[0::2], numbers[1::2]
    return min(xs), min(ys), max(xs), max(ys)  # type: ignore[return-value]


class Outline:
    """Facts about one sequence of path commands, computed when first needed."""

    __slots__ = ("_blocks", "_rings", "_subpaths", "bounds", "commands")

    def __repr__(self) -> str:
        return f"Outline({self.commands!r})"

    def __init__(self, commands: Sequence[Command]) -> None:
        self.commands = commands
        self.bounds = _control_bounds(commands)
        self._subpaths: tuple[tuple[Polygon, bool], ...] | None = None
        self._rings: tuple[tuple[Bounds, Polygon], ...] | None = None
        self._blocks: list[tuple[Bounds, list[_Run]]] | None = None

    @property
    def is_rectangle(self) -> bool:
        """True for four straight lines along the axes (as `rectangle_path` draws them)."""
        if (
            len(self.commands) != 5
            or "".join(str(command[0]) for command in self.commands) != "MLLLZ"
        ):
            return False
        left, top, right, bottom = self.bounds
        return {command[1:] for command in self.commands[:4]} == {
            (x, y) for x in (left, right) for y in (top, bottom)
        }

    @property
    def subpaths(self) -> tuple[tuple[Polygon, bool], ...]:
        """(points, closed) with curves as chords."""
        if self._subpaths is None:
            self._subpaths = flatten_commands(self.commands)
        return self._subpaths

    def surrounded(self, points: Sequence[Point]) -> list[bool]:
        """For each of some points that are near each other, whether it lies inside (even-odd)."""
        if self._rings is None:
            self._rings = tuple((bounds_of(polygon), polygon) for polygon, _ in self.subpaths)
        box = bounds_of(points)
        near = [ring for ring in self._rings if touch(ring[0], box)]
        return [_within(x, y, near) for x, y in points] if near else [False] * len(points)

    def lines_near(self, near: Bounds) -> Iterator[Line]:
        """Lines that may touch some bounds: curves are made chords only where their control points
        come near."""
        if self._blocks is None:
            runs = [*_runs(self.commands)]
            blocks = [runs[start : start + _RUNS] for start in range(0, len(runs), _RUNS)]
            self._blocks = []
            for block in blocks:
                lefts, tops, rights, bottoms = zip(*(run.bounds for run in block), strict=True)
                around = (min(lefts), min(tops), max(rights), max(bottoms))
                self._blocks.append((around, block))
        for bounds, block in self._blocks:
            if not touch(bounds, near):
                continue
            for run in block:
                if touch(run.bounds, near):
                    if run.lines is None:
                        subpaths = flatten_commands(run.commands)
                        run.lines = tuple(
                            line
                            for polygon, closed in subpaths
                            for line in polygon_lines(polygon, closed=closed)
                        )
                    yield from (line for line in run.lines if _line_touches(*line, near))


def _within(x: float, y: float, rings: Sequence[tuple[Bounds, Polygon]]) -> bool:
    """True when a point lies inside some rings together (even-odd)."""
    within = False
    for (left, top, right, bottom), ring in rings:
        if left <= x <= right and top <= y <= bottom and inside((x, y), ring):
            within = not within
    return within


class _Run:
    """A few commands in a row, starting with an M; their lines are worked out when first needed."""

    __slots__ = ("bounds", "commands", "lines")

    def __init__(self, commands: Sequence[Command]) -> None:
        self.commands = commands
        self.bounds = _control_bounds(commands)
        self.lines: tuple[Line, ...] | None = None


def _runs(commands: Sequence[Command]) -> Iterator[_Run]:
    """Commands in runs of a few; where one is cut, the next starts at the same point, and Z becomes
    a line."""
    run: list[Command] = []
    start: Command = ("M", 0.0, 0.0)
    for command in commands:
        if command[0] == "M":
            if len(run) > 1:
                yield _Run(run)
            start, run = command, [command]
        else:
            run.append(("L", *start[1:]) if command[0] == "Z" else command)
            if len(run) > _RUN:
                yield _Run(run)
                run = [("M", *run[-1][-2:])]
    if len(run) > 1:
        yield _Run(run)


# Outlines used lately, and those used before them.
_outlines: list[dict[int, Outline]] = [{}, {}]


def outline_of(commands: Sequence[Command]) -> Outline:
    """The outline of a path; the same commands (the same object) are looked at once."""
    lately, before = _outlines
    outline = lately.get(id(commands))
    if outline is None or outline.commands is not commands:
        outline = before.get(id(commands))
        if outline is None or outline.commands is not commands:
            outline = Outline(commands)
        if len(lately) >= _MOST_KEPT:
            lately = {}
            _outlines[:] = [lately, _outlines[0]]
        lately[id(commands)] = outline
    return outline


class FlatShape(Struct, frozen=True, kw_only=True, eq=False):
    """A shape where it is painted. `matrix` transforms its outline's coordinates to the scene's,
    `inverse` back, `scale` is its factor of length; `stroke_mm` (0: none) is in the scene's
    millimetres, in the ink `line`. `clips` hide what is outside any of them. `bounds` (left, top,
    right, bottom) contain it with half its stroke, and may be larger."""

    order: int
    role: Role
    fill: Ink | None
    line: Ink | None
    stroke_mm: float
    dash: tuple[float, ...]
    outline: Outline
    matrix: Matrix
    inverse: Matrix
    scale: float
    clips: tuple[Polygon, ...]
    bounds: Bounds

    def covered(self, points: Sequence[Point]) -> list[bool]:
        """For each of some points of the scene that are near each other, whether its fill covers
        it."""
        if self.fill is None:
            return [False] * len(points)
        covered = self.outline.surrounded([apply(self.inverse, point) for point in points])
        if not self.clips or not any(covered):
            return covered
        return [
            is_covered and all(inside(point, clip) for clip in self.clips)
            for point, is_covered in zip(points, covered, strict=True)
        ]

    def covers_box(self, box: Bounds) -> bool:
        """True when it is plainly a filled, upright, unclipped rectangle that holds a box: most
        grounds are."""
        if self.clips or self.matrix[1] or self.matrix[2] or not self.outline.is_rectangle:
            return False
        left, top, right, bottom = self.bounds
        half = self.stroke_mm / 2
        return (
            left + half <= box[0]
            and top + half <= box[1]
            and box[2] <= right - half
            and box[3] <= bottom - half
        )

    def crosses(self, box: Polygon) -> bool:
        """True when its lines, with their stroke, enter a convex box of the scene."""
        local = tuple(apply(self.inverse, corner) for corner in box)
        half = self.stroke_mm / 2 / self.scale
        near = bounds_of(local, half)
        sides = polygon_lines(local, closed=True)
        return any(_enters(a, b, local, sides, half) for a, b in self.outline.lines_near(near))

    @property
    def polygons(self) -> tuple[Polygon, ...]:
        """Its subpaths in the scene, curves as chords."""
        return tuple(
            tuple(apply(self.matrix, point) for point in polygon)
            for polygon, _ in self.outline.subpaths
        )

    @property
    def exact_bounds(self) -> Bounds:
        """Bounds of its chords in the scene, with half its stroke; of a path that draws no line,
        its points'."""
        points = [point for polygon in self.polygons for point in polygon]
        return bounds_of(points, self.stroke_mm / 2) if points else self.bounds


class FlatText(Struct, frozen=True, kw_only=True, eq=False):
    """A text run with the four corners of its ink and its size after all transforms, the key of the
    scene whose own it is (a placed scene's words are its own), and the corners of the innermost box
    that owns it, if any does."""

    order: int
    owner: str
    run: TextRun
    corners: Polygon
    size_pt: float
    bounds: Bounds
    box: Polygon | None = None


def flatten_commands(
    commands: Sequence[Command], matrix: Matrix = IDENTITY
) -> tuple[tuple[Polygon, bool], ...]:
    """Path commands as (points, closed) subpaths; curves become chords."""
    polygons: list[tuple[Polygon, bool]] = []
    points: list[Point] = []

    def end(closed: bool) -> None:
        if len(points) > 1:
            polygons.append((tuple(points), closed))
        points.clear()

    for name, *numbers in cast("Sequence[tuple[Any, ...]]", commands):
        if name == "Z":
            end(closed=True)
            continue
        if name == "M":
            end(closed=False)
        if name == "C":
            ax, ay, bx, by, x, y = numbers
            x0, y0 = points[-1]
            x1, y1 = apply(matrix, (ax, ay))
            x2, y2 = apply(matrix, (bx, by))
            x3, y3 = apply(matrix, (x, y))
            points += [
                (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)
                for a, b, c, d in _SHARES
            ]
        else:
            x, y = numbers
            points.append(apply(matrix, (x, y)))
    end(closed=False)
    return tuple(polygons)


def polygon_lines(polygon: Polygon, *, closed: bool) -> tuple[Line, ...]:
    """The lines from point to point, and back to the first if closed."""
    return tuple(zip(polygon, polygon[1:] + polygon[:1] if closed else polygon[1:], strict=False))


def bounds_of(points: Sequence[Point], grow: float = 0.0) -> Bounds:
    """Left, top, right, bottom of some points, grown on every side."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - grow, min(ys) - grow, max(xs) + grow, max(ys) + grow


def touch(a: Bounds, b: Bounds) -> bool:
    """True when two bounds have a point in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def flatten_scene(scene: Scene) -> tuple[tuple[FlatShape, ...], tuple[FlatText, ...]]:
    """Every shape and every text run of a scene, placed scenes included."""
    shapes: list[FlatShape] = []
    texts: list[FlatText] = []
    _flatten(scene, scene.items, IDENTITY, ((), None), (shapes, texts))
    return tuple(shapes), tuple(texts)


def _flatten(
    scene: Scene,
    items: Sequence[Item],
    matrix: Matrix,
    within: tuple[tuple[Polygon, ...], Polygon | None],
    flat: tuple[list[FlatShape], list[FlatText]],
) -> None:
    """Append to `flat` what some items are, placed by a matrix within clips and a box."""
    (shapes, texts), (clips, box) = flat, within
    scale, back = math.hypot(matrix[0], matrix[1]), inverse(matrix)
    for item in items:
        order = len(shapes) + len(texts)
        match item:
            case Path():
                if item.commands:
                    outline = outline_of(item.commands)
                    shapes.append(_flat_shape(item, outline, order, (matrix, back, scale), clips))
            case Circle():
                outline = Outline(circle_path(item.cx, item.cy, item.r))
                shapes.append(_flat_shape(item, outline, order, (matrix, back, scale), clips))
            case TextRun():
                corners = tuple(apply(matrix, corner) for corner in run_corners(item))
                text = FlatText(
                    order=order,
                    owner=scene.key,
                    run=item,
                    corners=corners,
                    size_pt=item.size_pt * scale,
                    bounds=bounds_of(corners),
                    box=box,
                )
                texts.append(text)
            case Group():
                inner, clipped, owner = multiply(matrix, item.matrix), clips, box
                if item.clip is not None:
                    clipped += tuple(polygon for polygon, _ in flatten_commands(item.clip, inner))
                if item.box is not None:
                    owner = tuple(apply(inner, corner) for corner in _corners(item.box))
                _flatten(scene, item.items, inner, (clipped, owner), flat)
            case Use():
                _flatten(item.scene, item.scene.items, multiply(matrix, item.matrix), within, flat)


def _corners(bounds: Bounds) -> Polygon:
    left, top, right, bottom = bounds
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _flat_shape(
    item: Path | Circle,
    outline: Outline,
    order: int,
    placed: tuple[Matrix, Matrix, float],
    clips: tuple[Polygon, ...],
) -> FlatShape:
    matrix, back, scale = placed
    corners = _corners(outline.bounds)
    # Where nothing is turned, two corners tell all.
    corners = corners if matrix[1] or matrix[2] else corners[::2]
    stroke_mm = item.stroke.width_mm * scale if item.stroke else 0.0
    return FlatShape(
        order=order,
        role=item.role,
        fill=item.fill,
        line=item.stroke.ink if item.stroke else None,
        stroke_mm=stroke_mm,
        dash=item.stroke.dash if item.stroke else (),
        outline=outline,
        matrix=matrix,
        inverse=back,
        scale=scale,
        clips=clips,
        bounds=bounds_of([apply(matrix, corner) for corner in corners], stroke_mm / 2),
    )


def inside(point: Point, polygon: Polygon) -> bool:
    """True when a point lies inside a polygon (even-odd)."""
    x, y = point
    within = False
    x1, y1 = polygon[-1]
    for x2, y2 in polygon:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            within = not within
        x1, y1 = x2, y2
    return within


def distance_to_line(point: Point, a: Point, b: Point) -> float:
    """Distance in mm from a point to the line from a to b."""
    (px, py), (ax, ay), (bx, by) = point, a, b
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / length))
    return math.hypot(px - ax - t * dx, py - ay - t * dy)


def lines_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """True when the line a-b properly crosses the line c-d."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _line_touches(a: Point, b: Point, near: Bounds) -> bool:
    left, top, right, bottom = near
    (ax, ay), (bx, by) = a, b
    return not (
        (ax < left and bx < left)
        or (ax > right and bx > right)
        or (ay < top and by < top)
        or (ay > bottom and by > bottom)
    )


def _enters(a: Point, b: Point, box: Polygon, sides: Sequence[Line], half: float) -> bool:
    """True when the line a-b, `half` wide on either side, enters a convex box."""
    if inside(a, box) or inside(b, box) or any(lines_cross(a, b, c, d) for c, d in sides):
        return True
    if not half:
        return False
    return any(distance_to_line(p, a, b) < half for p in box) or any(
        distance_to_line(a, c, d) < half for c, d in sides
    )
