"""A scene in, its shapes as polygons in the scene's own coordinates out, in painting order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    multiply,
)
from platelayer.scene.typeset import run_corners

Polygon = tuple[Point, ...]
Bounds = tuple[float, float, float, float]

_CURVE_STEPS = 6
_CIRCLE_STEPS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatShape:
    """A shape as subpaths (`closed` tells which are). `stroke_mm` is 0 without a stroke; `clips` are polygons that
    hide what lies outside any of them; `bounds` (left, top, right, bottom) include half the stroke."""

    order: int
    role: Role
    fill: Ink | None
    stroke_mm: float
    dash: tuple[float, ...]
    polygons: tuple[Polygon, ...]
    closed: tuple[bool, ...]
    clips: tuple[Polygon, ...]
    bounds: Bounds

    @property
    def subpaths(self) -> tuple[tuple[Polygon, bool], ...]:
        """Each polygon and whether it is closed."""
        return tuple(zip(self.polygons, self.closed, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatText:
    """A text run with the four corners of its ink and its size after all transforms."""

    order: int
    run: TextRun
    corners: Polygon
    size_pt: float
    bounds: Bounds


def flatten_commands(commands: Sequence[Command], matrix: Matrix = IDENTITY) -> tuple[tuple[Polygon, bool], ...]:
    """Path commands as (points, closed) subpaths; curves become chords."""
    found: list[tuple[Polygon, bool]] = []
    points: list[Point] = []

    def end(closed: bool) -> None:
        if len(points) > 1:
            found.append((tuple(points), closed))
        points.clear()

    for name, *raw in commands:
        numbers = [float(number) for number in raw]
        if name == "M":
            end(closed=False)
            points.append(apply(matrix, (numbers[0], numbers[1])))
        elif name == "L":
            points.append(apply(matrix, (numbers[0], numbers[1])))
        elif name == "C":
            points.extend(_curve(points[-1], *(apply(matrix, (numbers[i], numbers[i + 1])) for i in (0, 2, 4))))
        else:
            end(closed=True)
    end(closed=False)
    return tuple(found)


def _curve(p0: Point, p1: Point, p2: Point, p3: Point) -> Iterator[Point]:
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        yield a * p0[0] + b * p1[0] + c * p2[0] + d * p3[0], a * p0[1] + b * p1[1] + c * p2[1] + d * p3[1]


def bounds_of(points: Sequence[Point], grow: float = 0.0) -> Bounds:
    """Left, top, right, bottom of some points, grown on every side."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - grow, min(ys) - grow, max(xs) + grow, max(ys) + grow


def flatten_scene(scene: Scene) -> tuple[tuple[FlatShape, ...], tuple[FlatText, ...]]:
    """Every shape and every text run of a scene, placed scenes included."""
    shapes: list[FlatShape] = []
    texts: list[FlatText] = []
    _flatten(scene.items, IDENTITY, (), shapes, texts)
    return tuple(shapes), tuple(texts)


def _flatten(
    items: Sequence[Item],
    matrix: Matrix,
    clips: tuple[Polygon, ...],
    shapes: list[FlatShape],
    texts: list[FlatText],
) -> None:
    scale = math.hypot(matrix[0], matrix[1])
    for item in items:
        match item:
            case Path() | Circle():
                shape = _flat_shape(item, matrix, clips, scale, len(shapes) + len(texts))
                if shape is not None:
                    shapes.append(shape)
            case TextRun():
                corners = tuple(apply(matrix, corner) for corner in run_corners(item))
                texts.append(
                    FlatText(
                        order=len(shapes) + len(texts),
                        run=item,
                        corners=corners,
                        size_pt=item.size_pt * scale,
                        bounds=bounds_of(corners),
                    )
                )
            case Group():
                inner = multiply(matrix, item.matrix)
                clipped = clips
                if item.clip is not None:
                    clipped += tuple(polygon for polygon, _ in flatten_commands(item.clip, inner))
                _flatten(item.items, inner, clipped, shapes, texts)
            case Use():
                _flatten(item.scene.items, multiply(matrix, item.matrix), clips, shapes, texts)


def _flat_shape(
    item: Path | Circle, matrix: Matrix, clips: tuple[Polygon, ...], scale: float, order: int
) -> FlatShape | None:
    if isinstance(item, Circle):
        steps = (2 * math.pi * step / _CIRCLE_STEPS for step in range(_CIRCLE_STEPS))
        ring = tuple(apply(matrix, (item.cx + item.r * math.cos(a), item.cy + item.r * math.sin(a))) for a in steps)
        subpaths: tuple[tuple[Polygon, bool], ...] = ((ring, True),)
    else:
        subpaths = flatten_commands(item.commands, matrix)
    if not subpaths or (item.fill is None and item.stroke is None):
        return None
    width = item.stroke.width_mm * scale if item.stroke else 0.0
    polygons = tuple(polygon for polygon, _ in subpaths)
    return FlatShape(
        order=order,
        role=item.role,
        fill=item.fill,
        stroke_mm=width,
        dash=item.stroke.dash if item.stroke else (),
        polygons=polygons,
        closed=tuple(closed for _, closed in subpaths),
        clips=clips,
        bounds=bounds_of([point for polygon in polygons for point in polygon], width / 2),
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


def covers(shape: FlatShape, point: Point) -> bool:
    """True when the fill of a shape paints a point."""
    left, top, right, bottom = shape.bounds
    if shape.fill is None or not (left <= point[0] <= right and top <= point[1] <= bottom):
        return False
    parity = sum(inside(point, polygon) for polygon in shape.polygons) % 2
    return bool(parity) and all(inside(point, clip) for clip in shape.clips)


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
