"""Geometry within a hex, in mm: cubic curves of track, and free places scored by the room around
them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from platelayer.foundation.geometry import direction, measured
from platelayer.model.gamemap import EDGES, Layout, edge_angle
from platelayer.scene.shapes import Command, Commands, Point

# Smaller turns are straight lines, in radians. An arc turns by twice its angle to the chord; the
# second number is the maximum of that angle.
_STRAIGHT, _TURN_LIMIT = 1e-4, math.radians(80)


class Curve(Struct, frozen=True):
    """One cubic Bezier curve from `p0` to `p3` with handles `p1` and `p2`."""

    p0: Point
    p1: Point
    p2: Point
    p3: Point

    def at(self, t: float) -> Point:
        """Return the point at parameter t, 0 to 1."""
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = self.p0, self.p1, self.p2, self.p3
        return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3

    def heading(self, t: float) -> float:
        """Return the direction of travel at t, in radians clockwise from the x axis."""
        s = 1 - t
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = self.p0, self.p1, self.p2, self.p3
        a, b, c = s * s, 2 * s * t, t * t
        dx = a * (x1 - x0) + b * (x2 - x1) + c * (x3 - x2)
        dy = a * (y1 - y0) + b * (y2 - y1) + c * (y3 - y2)
        return math.atan2(dy, dx)

    def length(self) -> float:
        """Length in mm, accurate enough for curves that turn less than a half circle: the mean of
        the chord and of the handles' polygon (Gravesen, "Adaptive Subdivision and the Length and
        Energy of Bézier Curves", Computational Geometry 8, 1997)."""
        p0, p1, p2, p3 = self.p0, self.p1, self.p2, self.p3
        hull = math.dist(p0, p1) + math.dist(p1, p2) + math.dist(p2, p3)
        return (hull + math.dist(p0, p3)) / 2

    def points(self, step_mm: float) -> tuple[Point, ...]:
        """Return points along the curve about `step_mm` apart, including both ends."""
        count = max(2, math.ceil(measured(self.length() / step_mm)))
        return tuple(self.at(k / count) for k in range(count + 1))

    def part(self, t0: float, t1: float) -> Curve:
        """Return the piece between two parameters."""
        first = self._first(t1).reversed()
        return first._first(1 - (t0 / t1 if t1 else 0.0)).reversed()

    def _first(self, t: float) -> Curve:
        # De Casteljau's construction: divide the control polygon, then the lines that join these
        # points, and so on.
        a = between(self.p0, self.p1, t)
        b = between(self.p1, self.p2, t)
        c = between(self.p2, self.p3, t)
        d, e = between(a, b, t), between(b, c, t)
        return Curve(self.p0, a, d, between(d, e, t))

    def reversed(self) -> Curve:
        """Return the curve travelled in the other direction."""
        return Curve(self.p3, self.p2, self.p1, self.p0)

    def commands(self, before_mm: float = 0.0, after_mm: float = 0.0) -> Commands:
        """Return a path along the curve, extended straight by some mm at either end (into the
        bleed)."""
        commands: list[Command] = [("M", *_run_on(self.p0, self.p1, before_mm))]
        if before_mm:
            commands.append(("L", *self.p0))
        if self.is_straight():
            commands.append(("L", *self.p3))
        else:
            commands.append(("C", *self.p1, *self.p2, *self.p3))
        if after_mm:
            commands.append(("L", *_run_on(self.p3, self.p2, after_mm)))
        return tuple(commands)

    def is_straight(self) -> bool:
        """True if both handles lie on the line between the ends."""
        dx, dy = self.p3[0] - self.p0[0], self.p3[1] - self.p0[1]
        return all(
            abs((x - self.p0[0]) * dy - (y - self.p0[1]) * dx) < _STRAIGHT * 100
            for x, y in (self.p1, self.p2)
        )


def between(a: Point, b: Point, t: float) -> Point:
    """Return the point at share `t` of the way from one point to another."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _run_on(end: Point, handle: Point, by_mm: float) -> Point:
    dx, dy = end[0] - handle[0], end[1] - handle[1]
    length = math.hypot(dx, dy)
    return (end[0] + dx / length * by_mm, end[1] + dy / length * by_mm) if length else end


def line(a: Point, b: Point) -> Curve:
    """Return a straight line as a curve."""
    return Curve(a, between(a, b, 1 / 3), between(a, b, 2 / 3), b)


def arc_from(a: Point, towards: Point, b: Point) -> Curve:
    """Return the circular arc that leaves `a` in the direction `towards` (a unit vector) and
    arrives at `b`.

    If that arc would turn by more than about 160 degrees, return a softer curve that still leaves
    in that direction.
    """
    (ax, ay), (ux, uy) = a, towards
    dx, dy = b[0] - ax, b[1] - ay
    chord = math.hypot(dx, dy)
    if chord < _STRAIGHT:
        return line(a, b)
    turn = math.atan2((dy * ux - dx * uy) / chord, (dx * ux + dy * uy) / chord)
    if abs(turn) < _STRAIGHT:
        return line(a, b)
    if abs(turn) > _TURN_LIMIT:
        lead = (ax + ux * chord * 0.5, ay + uy * chord * 0.5)
        return Curve(a, lead, between(lead, b, 0.6), b)
    # Handles have a length of 4/3 tan(angle / 4) radii. The arc turns by 2 `turn`, and its radius
    # is chord / (2 sin(turn)).
    handle = 4 / 3 * math.tan(turn / 2) * chord / (2 * math.sin(turn))
    cos, sin = math.cos(2 * turn), math.sin(2 * turn)
    out_x, out_y = ux * cos - uy * sin, ux * sin + uy * cos
    leave = (ax + ux * handle, ay + uy * handle)
    return Curve(a, leave, (b[0] - out_x * handle, b[1] - out_y * handle), b)


def join(a: Point, leave: Point, b: Point, arrive: Point) -> Curve:
    """Return a smooth curve that leaves `a` towards `leave` and arrives at `b` heading `arrive`
    (unit vectors). It is a circular arc wherever one fits: where both ends turn towards each
    other by the same angle."""
    chord = math.dist(a, b)
    turn = math.acos(max(-1.0, min(1.0, leave[0] * arrive[0] + leave[1] * arrive[1])))
    if turn < _STRAIGHT:
        off = abs((b[0] - a[0]) * leave[1] - (b[1] - a[1]) * leave[0])
        if off < _STRAIGHT * 100:
            return line(a, b)
        handle = chord * 0.42  # parallel ends: an S-curve
    else:
        handle = 4 / 3 * math.tan(turn / 4) * chord / (2 * math.sin(turn / 2))
    one = (a[0] + leave[0] * handle, a[1] + leave[1] * handle)
    other = (b[0] - arrive[0] * handle, b[1] - arrive[1] * handle)
    return Curve(a, one, other, b)


def crossing(one: Curve, other: Curve) -> tuple[float, float] | None:
    """Return parameters (t on `one`, u on `other`) of the first place where two curves cross, or
    None."""
    steps = 10
    p = [one.at(k / steps) for k in range(steps + 1)]
    q = [other.at(k / steps) for k in range(steps + 1)]
    boxes = [
        (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])) for a, b in pairwise(q)
    ]
    for i, ((ax, ay), (bx, by)) in enumerate(pairwise(p)):
        left, right = (ax, bx) if ax < bx else (bx, ax)
        top, bottom = (ay, by) if ay < by else (by, ay)
        for j, (x0, y0, x1, y1) in enumerate(boxes):
            if right < x0 or x1 < left or bottom < y0 or y1 < top:
                continue
            met = meeting((ax, ay), (bx, by), q[j], q[j + 1])
            if met is not None:
                return (i + met[0]) / steps, (j + met[1]) / steps
    return None


def meeting(a: Point, b: Point, c: Point, d: Point) -> tuple[float, float] | None:
    """Return the shares of the ways from `a` to `b` and from `c` to `d` at which they meet, or
    None."""
    rx, ry, sx, sy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = rx * sy - ry * sx
    if abs(cross) < 1e-12:
        return None
    t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / cross
    u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / cross
    return (t, u) if 0 <= t <= 1 and 0 <= u <= 1 else None


# Free places in a hex.

# x, y, radius.
Disc = tuple[float, float, float]
# Left, top, right, bottom.
Box = tuple[float, float, float, float]
# Cost of the place (as mm of clearance that it outweighs), x, y.
Candidate = tuple[float, float, float]

_WAYS = {layout: tuple(direction(edge_angle(k, layout)) for k in EDGES) for layout in Layout}
_NONE = -1e9


class Field:
    """The free room of one hex, filled step by step; all lengths in mm from its centre.

    Everything placed stays `inset_mm` from the edges.
    """

    def __init__(
        self, layout: Layout, across_mm: float, inset_mm: float, taken: Iterable[Disc] = ()
    ) -> None:
        self.layout = layout
        self.half = across_mm / 2 - inset_mm
        self.ways = _WAYS[layout]
        self.discs: list[Disc] = list(taken)
        self.boxes: list[Box] = []

    def take_disc(self, x: float, y: float, radius: float) -> None:
        """Occupy a circle."""
        self.discs.append((x, y, radius))

    def take_box(self, x: float, y: float, width: float, height: float) -> None:
        """Occupy a box centred on (x, y)."""
        self.boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))

    def room(
        self,
        x: float,
        y: float,
        size: Point,
        radius: float = 0.0,
        *,
        enough: float,
        floor: float = _NONE,
    ) -> float:
        """Return the distance from a box centred on (x, y), with a rounded rim of `radius` if
        given, to the nearest occupied area, at most `enough`; `floor` or less as soon as that is
        certain."""
        # Called for hundreds of places: test first what ends the search soonest, and skip
        # everything farther away than the nearest obstacle so far.
        room = enough
        w, h = size[0] / 2, size[1] / 2
        for wx, wy in self.ways:
            gap = self.half - x * wx - y * wy - abs(wx) * w - abs(wy) * h - radius
            if gap < room:
                if gap <= floor:
                    return gap
                room = gap
        for index, (px, py, r) in enumerate(self.discs):
            limit = room + r + radius
            dx = abs(px - x) - w
            if dx >= limit:
                continue
            dy = abs(py - y) - h
            if dy >= limit:
                continue
            gap = (math.hypot(dx, dy) if dx > 0 and dy > 0 else max(dx, dy)) - r - radius
            if gap < room:
                if gap <= floor:
                    self._first(index)
                    return gap
                room = gap
        for left, top, right, bottom in self.boxes:
            dx, dy = max(left - x, x - right) - w, max(top - y, y - bottom) - h
            gap = (math.hypot(dx, dy) if dx > 0 and dy > 0 else max(dx, dy)) - radius
            if gap < room:
                if gap <= floor:
                    return gap
                room = gap
        return room

    def _first(self, index: int) -> None:
        """Move a disc to the front: one that blocks a place often blocks the next, so it is
        examined first."""
        self.discs[0], self.discs[index] = self.discs[index], self.discs[0]

    def reach(self, way: Point, width: float, height: float) -> float:
        """Return how far a box centred on a ray from the hex's centre may move out along it (a unit
        vector)."""
        room = math.inf
        for wx, wy in self.ways:
            along = wx * way[0] + wy * way[1]
            if along > 1e-9:
                room = min(room, (self.half - abs(wx) * width / 2 - abs(wy) * height / 2) / along)
        return room


def box_distance(at: Point, half: Point, discs: Iterable[Disc], enough: float = math.inf) -> float:
    """Return the distance from a box with half this width and height to the nearest of some discs,
    at most `enough`."""
    (x, y), (w, h) = at, half
    for px, py, r in discs:
        dx, dy = abs(px - x) - w, abs(py - y) - h
        if dx - r < enough and dy - r < enough:
            enough = min(enough, math.hypot(max(0.0, dx), max(0.0, dy)) - r)
    return enough


def box_discs(x: float, y: float, width: float, height: float) -> Iterator[Disc]:
    """Yield circles that cover a box at (x, y) that is wider than it is high, except for its
    corners."""
    steps = math.ceil(2 * (width - height) / height)
    for step in range(steps + 1):
        yield x + ((width - height) * (step / steps - 0.5) if steps else 0.0), y, height / 2
