"""Flattened scenes: shapes and words in the scene's own coordinates, in painting order.

Paths stay as they are until the area they cover or cross is needed: points are transformed into the
path's own coordinates rather than thousands of guilloche curves into the scene's, and only curves
near them become chords. Placed scenes without words may stay whole, as pictures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import and_
from typing import Any, cast
from weakref import WeakKeyDictionary

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
# Of the four points of a curve, at each end of a chord.
_SHARES = tuple(
    ((1 - t) * (1 - t) * (1 - t), 3 * (1 - t) * (1 - t) * t, 3 * (1 - t) * t * t, t * t * t)
    for t in (step / _CURVE_STEPS for step in range(1, _CURVE_STEPS + 1))
)
# Commands that are looked at together, and runs of them: a frame all round a poster has 15 000
# commands.
_RUN, _RUNS = 12, 16
_MOST_KEPT = 3000
# Rounding: of lengths, and shares of a length.
_ROUNDING_MM, _SLIP = 1e-6, 1e-9


def _control_bounds(commands: Iterable[Command]) -> Bounds:
    """Bounds of all points of some commands, including control points: quick, and never too
    small."""
    numbers: list[Any] = []
    for command in commands:
        numbers += command[1:]
    numbers = numbers or [0.0, 0.0]
    xs, ys = numbers[0::2], numbers[1::2]
    return min(xs), min(ys), max(xs), max(ys)


class Outline:
    """Facts about one sequence of path commands, computed when first needed."""

    __slots__ = ("_blocks", "_is_rectangle", "_subpaths", "bounds", "commands")

    def __repr__(self) -> str:
        return f"Outline({self.commands!r})"

    def __init__(self, commands: Sequence[Command], bounds: Bounds | None = None) -> None:
        self.commands = commands
        self.bounds = bounds or _control_bounds(commands)
        self._is_rectangle: bool | None = None
        self._subpaths: tuple[tuple[Polygon, bool], ...] | None = None
        self._blocks: list[_Block] | None = None

    @property
    def is_rectangle(self) -> bool:
        """True for four straight lines along the axes (as `rectangle_path` draws them)."""
        if self._is_rectangle is None:
            names = "".join(str(command[0]) for command in self.commands[:6])
            left, top, right, bottom = self.bounds
            corners = {(x, y) for x in (left, right) for y in (top, bottom)}
            self._is_rectangle = (
                names == "MLLLZ" and {command[1:] for command in self.commands[:4]} == corners
            )
        return self._is_rectangle

    @property
    def subpaths(self) -> tuple[tuple[Polygon, bool], ...]:
        """(points, closed) with curves as chords."""
        if self._subpaths is None:
            self._subpaths = flatten_commands(self.commands)
        return self._subpaths

    def surrounded(self, points: Sequence[Point]) -> list[bool]:
        """For each of some points that are near each other, whether it lies inside (even-odd)."""
        box = left, top, right, bottom = bounds_of(points)
        lines = []
        for run in self._runs_near((left - _ROUNDING_MM, top, math.inf, bottom)):
            # On the right of all points, what counts is where a run begins and ends.
            if run.bounds[0] > right + _ROUNDING_MM:
                lines.append(run.ends)
            else:
                lines += run.lines
        return _within(points, box, lines)

    def lines_near(self, near: Bounds) -> Iterator[Line]:
        """Lines that may touch some bounds: curves are made chords only where their control points
        come near."""
        for run in self._runs_near(near):
            if not run.is_closing:
                yield from (line for line in run.lines if _line_touches(*line, near))

    def _runs_near(self, near: Bounds) -> Iterator[_Run]:
        if self._blocks is None:
            runs = [*_runs(self.commands)]
            parts = [runs[start : start + _RUNS] for start in range(0, len(runs), _RUNS)]
            bounds = self.bounds if len(parts) == 1 else None
            self._blocks = [_Block(part, bounds) for part in parts]
        for block in self._blocks:
            if touch(block.bounds, near):
                yield from (run for run in block.runs if touch(run.bounds, near))


def _within(points: Sequence[Point], box: Bounds, lines: Iterable[Line]) -> list[bool]:
    """For each of some points in a box, whether it lies within closed lines (even-odd)."""
    left, top, right, bottom = box
    left, right = left - _ROUNDING_MM, right + _ROUNDING_MM
    # A line counts for the points on its left that are level with a part of it.
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
    """True when a ray from a point to the right meets an odd number of lines."""
    within = False
    for (x1, y1), (x2, y2) in lines:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            within = not within
    return within


class _Run:
    """A few commands in a row, starting with an M; their lines are worked out when first needed.
    One that `is_closing` is the line that closes a fill, where nothing is drawn."""

    __slots__ = ("_lines", "bounds", "commands", "is_closing")

    def __init__(self, commands: Sequence[Command], is_closing: bool) -> None:
        self.commands = commands
        self.bounds = _control_bounds(commands)
        self.is_closing = is_closing
        self._lines: tuple[Line, ...] | None = None

    @property
    def ends(self) -> Line:
        """The line from its first point to its last."""
        return self.commands[0][1:], self.commands[-1][-2:]  # type: ignore[return-value]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Its lines, curves as chords."""
        if self._lines is None:
            ((polygon, _),) = flatten_commands(self.commands)
            self._lines = polygon_lines(polygon, closed=False)
        return self._lines


class _Block:
    """A few runs, worked out when first needed."""

    __slots__ = ("_plans", "_runs", "bounds")

    def __init__(
        self, plans: Sequence[tuple[Sequence[Command], bool]], bounds: Bounds | None
    ) -> None:
        self._plans = plans
        self._runs: list[_Run] | None = None
        commands = chain.from_iterable(commands for commands, _ in plans)
        self.bounds = bounds or _control_bounds(commands)

    @property
    def runs(self) -> list[_Run]:
        """Its runs."""
        if self._runs is None:
            self._runs = [_Run(*plan) for plan in self._plans]
        return self._runs


def _runs(commands: Sequence[Command]) -> Iterator[tuple[Sequence[Command], bool]]:
    """Commands in runs of a few, each with whether it only closes a fill; where a path is cut, the
    next run starts at the same point, and Z becomes a line."""
    run: list[Command] = []
    start: Command = ("M", 0.0, 0.0)
    for command in (*commands, start):
        if command[0] == "M":
            if len(run) > 1:
                yield run, False
            if run and run[-1][-2:] != start[1:]:
                yield [("M", *run[-1][-2:]), ("L", *start[1:])], True
            start, run = command, [command]
        else:
            run.append(("L", *start[1:]) if command[0] == "Z" else command)
            if len(run) > _RUN:
                yield run, False
                run = [("M", *run[-1][-2:])]


# Outlines used lately, and those used before them.
_outlines: list[dict[int, Outline]] = [{}, {}]


def outline_of(item: Path | Circle) -> Outline:
    """The outline of a shape; the same commands (the same object) are looked at once."""
    if isinstance(item, Circle):
        x, y, r = item.cx, item.cy, item.r
        return Outline(circle_path(x, y, r), (x - r, y - r, x + r, y + r))
    return _kept(item.commands)


def _kept(commands: Commands) -> Outline:
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


class FlatShape(Frozen, kw_only=True, eq=False):
    """A shape where it is painted. `matrix` transforms its outline's coordinates to the scene's,
    `scale` is its factor of length; `stroke_mm` (0: none) is in the scene's millimetres, in the ink
    `line`. `clips` hide what is outside any of them. `bounds` (left, top, right, bottom) contain it
    with half its stroke, and may be larger."""

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

    @property
    def shapes(self) -> tuple[FlatShape, ...]:
        """The shape itself, as the only one of its part."""
        return (self,)

    def covered(self, points: Sequence[Point]) -> list[bool]:
        """For each of some points of the scene that are near each other, whether its fill covers
        it."""
        if self.fill is None:
            return [False] * len(points)
        covered = self.outline.surrounded(_moved(points, inverse(self.matrix)))
        for clip in self.clips if any(covered) else ():
            covered = [*map(and_, covered, clip.surrounded(points))]
        return covered

    def covers_box(self, box: Bounds) -> bool:
        """True when it is plainly a filled, upright, unclipped rectangle that holds a box: most
        grounds are."""
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
        """True when its lines, with their stroke, enter a convex box of the scene."""
        local = _moved(box, inverse(self.matrix))
        half = self.stroke_mm / 2 / self.scale
        near = bounds_of(local, half)
        sides = polygon_lines(local, closed=True)
        return any(_enters(a, b, local, sides, half) for a, b in self.outline.lines_near(near))

    @property
    def polygons(self) -> tuple[Polygon, ...]:
        """Its subpaths in the scene, curves as chords."""
        return tuple(_moved(polygon, self.matrix) for polygon, _ in self.outline.subpaths)

    @property
    def exact_bounds(self) -> Bounds:
        """Bounds of its chords in the scene, with half its stroke; of a path that draws no line,
        its points'."""
        points = [point for polygon in self.polygons for point in polygon]
        return bounds_of(points, self.stroke_mm / 2) if points else self.bounds


class Picture(Frozen, kw_only=True, eq=False):
    """A placed scene without words, whole: most are far from all words, and nobody needs their
    shapes. Its `bounds` hold those of all its shapes, and none has a stroke thinner than
    `stroke_mm`."""

    order: int
    scene: Scene
    matrix: Matrix
    clips: tuple[Outline, ...]
    bounds: Bounds
    stroke_mm: float

    @property
    def shapes(self) -> Sequence[FlatShape]:
        """Its shapes, in painting order."""
        flat = _Flat(count=self.order)
        _flatten(self.scene, self.scene.items, self.matrix, (self.clips, None), flat)
        return flat.parts


class FlatText(Frozen, kw_only=True, eq=False):
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
                x0, y0 = points[-1]
                _, x1, y1, x2, y2, x3, y3 = command
                points += [
                    (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)
                    for a, b, c, d in _SHARES
                ]
            case name:
                if name == "M":
                    end(closed=False)
                points.append(command[1:])
    end(closed=False)
    return tuple(polygons)


def polygon_lines(polygon: Polygon, *, closed: bool) -> tuple[Line, ...]:
    """The lines from point to point, and back to the first if closed."""
    return tuple(zip(polygon, polygon[1:] + polygon[:1] if closed else polygon[1:], strict=False))


def bounds_of(points: Sequence[Point], grow: float = 0.0) -> Bounds:
    """Left, top, right, bottom of some points, grown on every side."""
    xs, ys = zip(*points, strict=True)
    return min(xs) - grow, min(ys) - grow, max(xs) + grow, max(ys) + grow


def touch(a: Bounds, b: Bounds) -> bool:
    """True when two bounds have a point in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _moved(points: Iterable[Point], matrix: Matrix) -> Polygon:
    """Points transformed (`apply`, without a call for each of them)."""
    a, b, c, d, e, f = matrix
    return tuple([(a * x + c * y + e, b * x + d * y + f) for x, y in points])


def _moved_bounds(bounds: Bounds, matrix: Matrix, grow: float) -> Bounds:
    """Bounds of bounds transformed, grown on every side."""
    a, b, c, d, e, f = matrix
    if b or c or a < 0 or d < 0:
        return bounds_of(_moved(_corners(bounds), matrix), grow)
    left, top, right, bottom = bounds
    return a * left + e - grow, d * top + f - grow, a * right + e + grow, d * bottom + f + grow


def flatten_scene(scene: Scene) -> tuple[tuple[FlatShape, ...], tuple[FlatText, ...]]:
    """Every shape and every text run of a scene, placed scenes included."""
    flat = _Flat()
    _flatten(scene, scene.items, IDENTITY, ((), None), flat)
    return tuple(flat.parts), tuple(flat.texts)


def sketch_scene(scene: Scene) -> tuple[Sequence[FlatShape | Picture], Sequence[FlatText]]:
    """Every shape and every text run of a scene, those of pictures left together."""
    flat = _Flat(whole=True)
    _flatten(scene, scene.items, IDENTITY, ((), None), flat)
    return flat.parts, flat.texts


class _Flat:
    """Parts and texts found so far, and how many shapes and texts that is."""

    def __init__(self, *, count: int = 0, whole: bool = False) -> None:
        self.parts: list[Any] = []
        self.texts: list[FlatText] = []
        self.count = count
        self.whole = whole


def _flatten(
    scene: Scene,
    items: Sequence[Item],
    matrix: Matrix,
    within: tuple[tuple[Outline, ...], Polygon | None],
    flat: _Flat,
) -> None:
    """Append to `flat` what some items are, placed by a matrix within clips and a box."""
    clips, box = within
    scale = math.hypot(matrix[0], matrix[1])
    for item in items:
        match item:
            case Path(commands=()):
                pass
            case Path() | Circle():
                outline, stroke = outline_of(item), item.stroke
                stroke_mm = stroke.width_mm * scale if stroke else 0.0
                shape = FlatShape(
                    order=flat.count,
                    role=item.role,
                    fill=item.fill,
                    line=stroke.ink if stroke else None,
                    stroke_mm=stroke_mm,
                    dash=stroke.dash if stroke else (),
                    outline=outline,
                    matrix=matrix,
                    scale=scale,
                    clips=clips,
                    bounds=_moved_bounds(outline.bounds, matrix, stroke_mm / 2),
                )
                flat.parts.append(shape)
                flat.count += 1
            case Image():
                outline = Outline(rectangle_path(0, 0, item.width_mm, item.height_mm))
                shape = FlatShape(
                    order=flat.count,
                    role=item.role,
                    fill=ink_from_hex(item.pixels.mean) if item.pixels.opaque else None,
                    line=None,
                    stroke_mm=0.0,
                    dash=(),
                    outline=outline,
                    matrix=matrix,
                    scale=scale,
                    clips=clips,
                    bounds=_moved_bounds(outline.bounds, matrix, 0.0),
                    image=item,
                )
                flat.parts.append(shape)
                flat.count += 1
            case TextRun():
                corners = _moved(run_corners(item), matrix)
                text = FlatText(
                    order=flat.count,
                    owner=scene.key,
                    run=item,
                    corners=corners,
                    size_pt=item.size_pt * math.hypot(matrix[2], matrix[3]),
                    bounds=bounds_of(corners),
                    box=box,
                )
                flat.texts.append(text)
                flat.count += 1
            case Group():
                inner, clipped, owner = multiply(matrix, item.matrix), clips, box
                if item.clip is not None:
                    whole = inner == IDENTITY
                    moved = item.clip if whole else transform_commands(item.clip, inner)
                    clipped = (*clips, _kept(moved) if whole else Outline(moved))
                if item.box is not None:
                    owner = _moved(_corners(item.box), inner)
                _flatten(scene, item.items, inner, (clipped, owner), flat)
            case Use():
                placed, inner = item.scene, multiply(matrix, item.matrix)
                a, b, c, d, _, _ = inner
                # The bounds of lines follow from those of a picture unless they are stretched.
                is_even = abs(a - d) < _SLIP and abs(b + c) < _SLIP
                facts = _facts(placed) if flat.whole and is_even else None
                if facts is None:
                    _flatten(placed, placed.items, inner, within, flat)
                    continue
                flat.parts.append(
                    Picture(
                        order=flat.count,
                        scene=placed,
                        matrix=inner,
                        clips=clips,
                        bounds=_moved_bounds(facts.bounds, inner, _ROUNDING_MM),
                        stroke_mm=facts.stroke_mm * math.hypot(a, b) * (1 - _SLIP),
                    )
                )
                flat.count += facts.count


class _Facts(Frozen):
    """A scene without words as a whole: number of shapes, bounds, thinnest stroke."""

    count: int
    bounds: Bounds
    stroke_mm: float


_known: WeakKeyDictionary[Scene, _Facts | None] = WeakKeyDictionary()


def _facts(scene: Scene) -> _Facts | None:
    """Facts of a scene; None if it has words or pixels, or is empty."""
    if scene not in _known:
        _known[scene] = None if _is_judged_closely(scene.items) else _found_facts(scene)
    return _known[scene]


def _is_judged_closely(items: Iterable[Item]) -> bool:
    return any(
        isinstance(item, (TextRun, Image))
        or (isinstance(item, Group) and _is_judged_closely(item.items))
        or (isinstance(item, Use) and _is_judged_closely(item.scene.items))
        for item in items
    )


def _found_facts(scene: Scene) -> _Facts | None:
    flat = _Flat(whole=True)
    _flatten(scene, scene.items, IDENTITY, ((), None), flat)
    if not flat.parts:
        return None
    strokes = [part.stroke_mm for part in flat.parts if part.stroke_mm]
    lefts, tops, rights, bottoms = zip(*(part.bounds for part in flat.parts), strict=True)
    around = min(lefts), min(tops), max(rights), max(bottoms)
    return _Facts(flat.count, around, min(strokes, default=math.inf))


def _corners(bounds: Bounds) -> Polygon:
    left, top, right, bottom = bounds
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def inside(point: Point, polygon: Polygon) -> bool:
    """True when a point lies inside a polygon (even-odd)."""
    return _is_within(*point, polygon_lines(polygon, closed=True))


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
