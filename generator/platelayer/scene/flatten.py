"""Flattened scenes: shapes and words in the scene's own coordinates, in painting order.

Paths stay as they are until the area they cover or cross is needed. Points are then transformed
into the path's coordinates, rather than thousands of guilloche curves into the scene's, and only
curves near them become chords.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from operator import and_
from typing import Any, cast

from platelayer.foundation.geometry import inverse
from platelayer.foundation.values import Frozen
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.shapes import (
    IDENTITY,
    Circle,
    Command,
    Commands,
    Group,
    Image,
    Item,
    Matrix,
    Path,
    Point,
    Role,
    Scene,
    TextRun,
    Use,
    circle_path,
    multiply,
    rectangle_path,
    transform_commands,
)
from platelayer.scene.typeset import run_corners

Polygon = tuple[Point, ...]
Line = tuple[Point, Point]
Bounds = tuple[float, float, float, float]

_CURVE_STEPS = 6
# Number of commands that are tested together as a run, and of runs for each band of an outline.
_RUN, _BAND = 12, 4
_MOST_KEPT = 3000
_ROUNDING_MM = 1e-6


def _control_bounds(commands: Iterable[Command]) -> Bounds:
    """Return bounds of all points of some commands, including control points: quick to compute, and
    never too small."""
    numbers: list[Any] = []
    for command in commands:
        numbers += command[1:]
    numbers = numbers or [0.0, 0.0]
    xs, ys = numbers[0::2], numbers[1::2]
    return min(xs), min(ys), max(xs), max(ys)


class Outline:
    """Facts about one sequence of path commands, computed on first use."""

    def __init__(self, commands: Sequence[Command], bounds: Bounds | None = None) -> None:
        self.commands = commands
        self.bounds = bounds or _control_bounds(commands)

    @cached_property
    def is_rectangle(self) -> bool:
        """True for four straight lines parallel to the axes (as `rectangle_path` draws them)."""
        names = "".join(str(command[0]) for command in self.commands[:6])
        left, top, right, bottom = self.bounds
        corners = {(x, y) for x in (left, right) for y in (top, bottom)}
        return names == "MLLLZ" and {command[1:] for command in self.commands[:4]} == corners

    @cached_property
    def subpaths(self) -> tuple[tuple[Polygon, bool], ...]:
        """Subpaths as (points, closed), with curves as chords."""
        return flatten_commands(self.commands)

    @cached_property
    def _runs(self) -> tuple[_Run, ...]:
        return tuple(_runs(self.commands))

    def surrounded(self, points: Sequence[Point]) -> list[bool]:
        """Return, for each of several neighbouring points, whether it lies inside (even-odd)."""
        box = left, top, right, bottom = bounds_of(points)
        lines = []
        for run in self._runs_near((left - _ROUNDING_MM, top, math.inf, bottom)):
            # For runs to the right of all points only the end points count.
            if run.bounds[0] > right + _ROUNDING_MM:
                lines.append(run.ends)
            else:
                lines += run.lines
        return _within(points, box, lines)

    def lines_near(self, near: Bounds) -> Iterator[Line]:
        """Yield lines that may touch some bounds. Curves become chords only where their control
        points are near."""
        for run in self._runs_near(near):
            if not run.is_closing:
                yield from (line for line in run.lines if _line_touches(*line, near))

    @cached_property
    def _bands(self) -> tuple[list[_Run], ...]:
        """Runs by the bands, of equal height, that they touch. The coast of a large map has thousands
        of runs, of which a word is near a few."""
        bands: tuple[list[_Run], ...] = tuple([] for _ in range(1 + len(self._runs) // _BAND))
        for run in self._runs:
            for band in self._bands_between(run.bounds[1], run.bounds[3], len(bands)):
                bands[band].append(run)
        return bands

    def _bands_between(self, first: float, last: float, count: int) -> range:
        """The bands from one height to another; what lies beyond the outline is in the outermost."""
        top, height = self.bounds[1], self.bounds[3] - self.bounds[1] or 1.0
        above, below = (
            int(min(max((y - top) / height * count, 0.0), count - 1)) for y in (first, last)
        )
        return range(above, below + 1)

    def _runs_near(self, near: Bounds) -> Iterator[_Run]:
        runs: Iterable[_Run] = self._runs
        if len(self._runs) >= _BAND:
            bands = self._bands_between(near[1], near[3], len(self._bands))
            runs = dict.fromkeys(run for band in bands for run in self._bands[band])
        return (run for run in runs if touch(run.bounds, near))


def _within(points: Sequence[Point], box: Bounds, lines: Iterable[Line]) -> list[bool]:
    """Return, for each of several points in a box, whether it lies within closed lines
    (even-odd)."""
    left, top, right, bottom = box
    left, right = left - _ROUNDING_MM, right + _ROUNDING_MM
    # Rays go to the right: a line counts for points on its left that are level with part of it.
    counting = [
        ((x1, y1), (x2, y2))
        for (x1, y1), (x2, y2) in lines
        if (y1 >= top or y2 >= top)
        and (y1 <= bottom or y2 <= bottom)
        and (x1 >= left or x2 >= left)
    ]
    if all(a[0] > right and b[0] > right for a, b in counting):
        return [_is_within(*points[0], counting)] * len(points)
    return [_is_within(x, y, counting) for x, y in points]


def _is_within(x: float, y: float, lines: Iterable[Line]) -> bool:
    """Return True if a ray from a point to the right meets an odd number of lines."""
    within = False
    for (x1, y1), (x2, y2) in lines:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            within = not within
    return within


class _Run:
    """A few consecutive commands, starting with an M, whose lines are computed on first use.
    `is_closing` marks the line that closes a fill, where nothing is drawn."""

    def __init__(self, commands: Sequence[Command], is_closing: bool) -> None:
        self.commands, self.is_closing = commands, is_closing
        self.bounds = _control_bounds(commands)

    @property
    def ends(self) -> Line:
        """The line from the run's first point to its last."""
        return self.commands[0][1:], self.commands[-1][-2:]  # type: ignore[return-value]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The run's lines, with curves as chords."""
        ((polygon, _),) = flatten_commands(self.commands)
        return polygon_lines(polygon, closed=False)


def _runs(commands: Sequence[Command]) -> Iterator[_Run]:
    """Yield commands in short runs. Where a path is cut, the next run starts at the same point, and
    Z becomes a line."""
    run: list[Command] = []
    start: Command = ("M", 0.0, 0.0)
    for command in (*commands, start):
        if command[0] == "M":
            if len(run) > 1:
                yield _Run(run, False)
            if run and run[-1][-2:] != start[1:]:
                yield _Run([("M", *run[-1][-2:]), ("L", *start[1:])], True)
            start, run = command, [command]
        else:
            run.append(("L", *start[1:]) if command[0] == "Z" else command)
            if len(run) > _RUN:
                yield _Run(run, False)
                run = [("M", *run[-1][-2:])]


def outline_of(item: Path | Circle) -> Outline:
    """Return the outline of a shape. The same commands (the same object) are examined only once."""
    if isinstance(item, Circle):
        x, y, r = item.cx, item.cy, item.r
        return Outline(circle_path(x, y, r), (x - r, y - r, x + r, y + r))
    return _kept(item.commands)


_outlines: dict[int, Outline] = {}


def _kept(commands: Commands) -> Outline:
    outline = _outlines.get(id(commands))
    if outline is None or outline.commands is not commands:
        if len(_outlines) >= _MOST_KEPT:
            _outlines.clear()
        outline = _outlines[id(commands)] = Outline(commands)
    return outline


class FlatShape(Frozen, kw_only=True, eq=False):
    """A shape where it is painted.

    `matrix` transforms its outline's coordinates to the scene's, `scale` is the factor for lengths;
    `stroke_mm` (0: none) is in the scene's millimetres, in the ink `line`. `clips` hide everything
    outside any of them. `bounds` (left, top, right, bottom) contain the shape with half its stroke,
    and may be larger.
    """

    order: int
    role: Role
    fill: Ink | None
    line: Ink | None
    stroke_mm: float
    dash: tuple[float, ...]
    outline: Outline
    matrix: Matrix
    scale: float
    clips: tuple[Outline, ...]
    bounds: Bounds
    image: Image | None = None

    def covered(self, points: Sequence[Point]) -> list[bool]:
        """Return, for each of several neighbouring points of the scene, whether the fill covers
        it."""
        if self.fill is None:
            return [False] * len(points)
        covered = self.outline.surrounded(_moved(points, inverse(self.matrix)))
        for clip in self.clips if any(covered) else ():
            covered = [*map(and_, covered, clip.surrounded(points))]
        return covered

    def covers_box(self, box: Bounds) -> bool:
        """Return True if this is clearly a filled, upright, unclipped rectangle that contains a
        box, as most grounds are."""
        left, top, right, bottom = self.bounds
        half = self.stroke_mm / 2
        return (
            left + half <= box[0]
            and top + half <= box[1]
            and box[2] <= right - half
            and box[3] <= bottom - half
            and not (self.clips or self.matrix[1] or self.matrix[2])
            and self.outline.is_rectangle
        )

    def crosses(self, box: Polygon) -> bool:
        """Return True if the shape's lines, with their stroke, enter a convex box of the scene."""
        local = _moved(box, inverse(self.matrix))
        half = self.stroke_mm / 2 / self.scale
        near = bounds_of(local, half)
        sides = polygon_lines(local, closed=True)
        return any(_enters(a, b, local, sides, half) for a, b in self.outline.lines_near(near))

    @property
    def polygons(self) -> tuple[Polygon, ...]:
        """Subpaths in the scene's coordinates, with curves as chords."""
        return tuple(_moved(polygon, self.matrix) for polygon, _ in self.outline.subpaths)

    @property
    def exact_bounds(self) -> Bounds:
        """Bounds of the chords in the scene, with half the stroke; for a path that draws no line,
        the bounds of its points."""
        points = [point for polygon in self.polygons for point in polygon]
        return bounds_of(points, self.stroke_mm / 2) if points else self.bounds


class FlatText(Frozen, kw_only=True, eq=False):
    """A text run with the four corners of its ink and its size after all transforms; the key of the
    scene that owns it (words of a placed scene belong to that scene); and the corners of the
    innermost box that owns it, if any."""

    order: int
    owner: str
    run: TextRun
    corners: Polygon
    size_pt: float
    bounds: Bounds
    box: Polygon | None = None


@cache
def _shares(steps: int) -> tuple[tuple[float, float, float, float], ...]:
    """Return the shares of a curve's four points at each end of a chord."""
    return tuple(
        ((1 - t) * (1 - t) * (1 - t), 3 * (1 - t) * (1 - t) * t, 3 * (1 - t) * t * t, t * t * t)
        for t in (step / steps for step in range(1, steps + 1))
    )


def flatten_commands(
    commands: Sequence[Command], matrix: Matrix = IDENTITY, steps: int = _CURVE_STEPS
) -> tuple[tuple[Polygon, bool], ...]:
    """Return path commands as (points, closed) subpaths, with `steps` chords for each curve."""
    polygons = []
    points: list[Point] = []

    def end(closed: bool) -> None:
        if len(points) > 1:
            polygons.append((tuple(points), closed))
        points.clear()

    if matrix != IDENTITY:
        commands = transform_commands(commands, matrix)
    for command in cast("Sequence[tuple[Any, ...]]", commands):
        match command[0]:
            case "Z":
                end(closed=True)
            case "C":
                # Use chords at equal steps of the parameter: curves in a print are short, so
                # choosing the steps would take longer than drawing a few chords too many.
                x0, y0 = points[-1]
                _, x1, y1, x2, y2, x3, y3 = command
                points += [
                    (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)
                    for a, b, c, d in _shares(steps)
                ]
            case name:
                if name == "M":
                    end(closed=False)
                points.append(command[1:])
    end(closed=False)
    return tuple(polygons)


def polygon_lines(polygon: Polygon, *, closed: bool) -> tuple[Line, ...]:
    """Return the lines from point to point, and back to the first if closed."""
    return tuple(zip(polygon, polygon[1:] + polygon[:1] if closed else polygon[1:], strict=False))


def bounds_of(points: Sequence[Point], grow: float = 0.0) -> Bounds:
    """Return left, top, right and bottom of some points, enlarged by `grow` on every side."""
    xs, ys = zip(*points, strict=True)
    return min(xs) - grow, min(ys) - grow, max(xs) + grow, max(ys) + grow


def touch(a: Bounds, b: Bounds) -> bool:
    """Return True if two bounds have a point in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _moved(points: Iterable[Point], matrix: Matrix) -> Polygon:
    """Return transformed points (`apply`, without a call for each of them)."""
    a, b, c, d, e, f = matrix
    return tuple([(a * x + c * y + e, b * x + d * y + f) for x, y in points])


def moved_bounds(bounds: Bounds, matrix: Matrix, grow: float = 0.0) -> Bounds:
    """Return bounds of transformed bounds, enlarged by `grow` on every side."""
    a, b, c, d, e, f = matrix
    if b or c or a < 0 or d < 0:
        return bounds_of(_moved(corners_of(bounds), matrix), grow)
    left, top, right, bottom = bounds
    return a * left + e - grow, d * top + f - grow, a * right + e + grow, d * bottom + f + grow


def flatten_scene(scene: Scene) -> tuple[Sequence[FlatShape], Sequence[FlatText]]:
    """Return every shape and every text run of a scene, including placed scenes."""
    shapes: list[FlatShape] = []
    texts: list[FlatText] = []
    _flatten(scene, scene.items, IDENTITY, ((), None), (shapes, texts))
    return shapes, texts


def _flatten(
    scene: Scene,
    items: Sequence[Item],
    matrix: Matrix,
    within: tuple[tuple[Outline, ...], Polygon | None],
    flat: tuple[list[FlatShape], list[FlatText]],
) -> None:
    """Append the shapes and texts of some items to `flat`, placed by a matrix within clips and a
    box."""
    (clips, box), (shapes, texts) = within, flat
    scale = math.hypot(matrix[0], matrix[1])
    for item in items:
        match item:
            case Path(commands=()):
                pass
            case Path() | Circle():
                outline, stroke = outline_of(item), item.stroke
                stroke_mm = stroke.width_mm * scale if stroke else 0.0
                shape = FlatShape(
                    order=len(shapes) + len(texts),
                    role=item.role,
                    fill=item.fill,
                    line=stroke.ink if stroke else None,
                    stroke_mm=stroke_mm,
                    dash=stroke.dash if stroke else (),
                    outline=outline,
                    matrix=matrix,
                    scale=scale,
                    clips=clips,
                    bounds=moved_bounds(outline.bounds, matrix, stroke_mm / 2),
                )
                shapes.append(shape)
            case Image():
                outline = Outline(rectangle_path(0, 0, item.width_mm, item.height_mm))
                shape = FlatShape(
                    order=len(shapes) + len(texts),
                    role=item.role,
                    fill=ink_from_hex(item.pixels.mean) if item.pixels.opaque else None,
                    line=None,
                    stroke_mm=0.0,
                    dash=(),
                    outline=outline,
                    matrix=matrix,
                    scale=scale,
                    clips=clips,
                    bounds=moved_bounds(outline.bounds, matrix, 0.0),
                    image=item,
                )
                shapes.append(shape)
            case TextRun():
                corners = _moved(run_corners(item), matrix)
                text = FlatText(
                    order=len(shapes) + len(texts),
                    owner=scene.key,
                    run=item,
                    corners=corners,
                    size_pt=item.size_pt * math.hypot(matrix[2], matrix[3]),
                    bounds=bounds_of(corners),
                    box=box,
                )
                texts.append(text)
            case Group():
                inner, clipped, owner = multiply(matrix, item.matrix), clips, box
                if item.clip is not None:
                    whole = inner == IDENTITY
                    moved = item.clip if whole else transform_commands(item.clip, inner)
                    clipped = (*clips, _kept(moved) if whole else Outline(moved))
                if item.box is not None:
                    owner = _moved(corners_of(item.box), inner)
                _flatten(scene, item.items, inner, (clipped, owner), flat)
            case Use():
                inner = multiply(matrix, item.matrix)
                _flatten(item.scene, item.scene.items, inner, within, flat)


def corners_of(bounds: Bounds) -> Polygon:
    """Return the corners of bounds clockwise, starting with the upper left."""
    left, top, right, bottom = bounds
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def inside(point: Point, polygon: Polygon) -> bool:
    """Return True if a point lies inside a polygon (even-odd)."""
    return _is_within(*point, polygon_lines(polygon, closed=True))


def distance_to_line(point: Point, a: Point, b: Point) -> float:
    """Return the distance in mm from a point to the line from a to b."""
    (px, py), (ax, ay), (bx, by) = point, a, b
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / length))
    return math.hypot(px - ax - t * dx, py - ay - t * dy)


def lines_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return True if the line a-b properly crosses the line c-d."""

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
    """Return True if the line a-b, `half` wide on either side, enters a convex box."""
    if inside(a, box) or inside(b, box) or any(lines_cross(a, b, c, d) for c, d in sides):
        return True
    if not half:
        return False
    return any(distance_to_line(p, a, b) < half for p in box) or any(
        distance_to_line(a, c, d) < half for c, d in sides
    )
