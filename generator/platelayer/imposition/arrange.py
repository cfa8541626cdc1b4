"""Arrangements of pieces of one size on a sheet: offset rows and combs of hexes, grids, and nests.

In a nest, rows of pieces, each upright or rotated by 180 degrees, are pushed together until
outlines are a gap apart, so that pieces that are not rectangles (three hexes in a triangle) fit
into each other's hollows. The search for the rotations, the shift within a row and the shift from
row to row that hold most pieces tries all that align corners with corners.

Also the form of a piece's outline, and the clips for its bleed.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.values import Frozen
from platelayer.imposition.paper import Box, Frame, box_round
from platelayer.model.kinds import Form
from platelayer.scene.flatten import Polygon, bounds_of
from platelayer.scene.shapes import (
    Commands,
    Point,
    Scene,
    circle_path,
    polygon_path,
    rectangle_path,
)

# Left, top, right, bottom in mm.
Sides = tuple[float, float, float, float]

_EPS = 1e-6
# Tolerance when two outlines are compared.
_SLACK_MM = 0.02


class Places(Struct, frozen=True):
    """Places for pieces of one size on a sheet, in the order of filling. `columns` is 0 for offset
    rows; `gap_mm` is the space between neighbours."""

    frame: Frame
    boxes: tuple[Box, ...]
    columns: int
    gap_mm: float


def offset_rows(
    frames: Sequence[Frame], width_mm: float, height_mm: float, reserve_mm: float
) -> Places | None:
    """Return the sheet that holds most hexes (`width_mm` corner to corner, `height_mm` flat to
    flat) in offset rows; None if there is no room for one.

    Hexes touch corner to corner, and every second row is shifted by half a hex, so that all edges
    are on straight lines across the whole sheet. Rows run across or, with the hexes rotated, down
    the sheet. `reserve_mm` is the room that bleed and marks need above the first row and below the
    last.
    """
    # Bleed ends at the tips of the hexes, and marks leave at 60 degrees, so half of the reserve is
    # enough there.
    reserves = reserve_mm / 2, reserve_mm
    return _staggered(frames, (width_mm, height_mm), 0.0, height_mm, reserves, axes=(0, 1))


def honeycomb(
    frames: Sequence[Frame], width_mm: float, height_mm: float, gap_mm: float, reserve_mm: float
) -> Places | None:
    """Return the sheet that holds most hexes (`width_mm` corner to corner, `height_mm` flat to
    flat) side by side, with all edges a gap apart; None if there is no room for one.
    `reserve_mm` is the room for their bleed at the edges of the sheet. A cutter that follows
    outlines can cut them, a ruler cannot."""
    pitch = (height_mm + gap_mm) * math.sqrt(3) / 2
    reserves = reserve_mm, reserve_mm
    return _staggered(frames, (height_mm, width_mm), gap_mm, pitch, reserves, axes=(1, 0))


def _staggered(
    frames: Sequence[Frame],
    size: tuple[float, float],
    gap_mm: float,
    pitch: float,
    reserves: tuple[float, float],
    *,
    axes: Sequence[int],
) -> Places | None:
    """Return the sheet that holds most pieces in lines, a gap apart, with every second line shifted
    by half a step. Lines follow the first of the axes (0: across the sheet) or, if that holds
    more, the second. Sizes and reserves are given along a line, and from line to line."""
    (long, deep), step = size, size[0] + gap_mm
    best: Places | None = None
    for frame, axis in product(frames, axes):
        room = frame.room[2 + axis], frame.room[3 - axis]
        free, depth = (
            side - 2 * reserve + _EPS for side, reserve in zip(room, reserves, strict=True)
        )
        lines = math.floor((depth - deep) / pitch) + 1
        even = math.floor((free - long) / step) + 1
        if lines < 1 or even < 1:
            continue
        used = even * step - gap_mm
        odd = even if used + step / 2 <= free else even - 1
        if lines > 1 and odd == even:
            used += step / 2
        if best is not None and lines // 2 * (even + odd) + lines % 2 * even <= len(best.boxes):
            continue
        start, top = (room[0] - used) / 2, (room[1] - deep - (lines - 1) * pitch) / 2
        turn = 1 if axis == 0 else -1
        (wide, high), boxes = size[::turn], []
        for line in range(lines):
            for number in range(odd if line % 2 else even):
                at = start + number * step + line % 2 * step / 2, top + line * pitch
                x, y = at[::turn]
                boxes.append((frame.room[0] + x, frame.room[1] + y, wide, high))
        best = Places(frame, tuple(boxes), columns=0, gap_mm=gap_mm)
    return best


def grid(
    frames: Sequence[Frame],
    width_mm: float,
    height_mm: float,
    *,
    count: int,
    gaps_mm: Iterable[tuple[float, tuple[float, float]]],
) -> Places | None:
    """Return the grid that needs the fewest sheets for `count` pieces; among equals the one with
    the earliest gap, the paper upright, the piece not rotated. Each gap comes with the room that
    bleed and marks need beside and above the block, for pieces that are not rotated. None if
    there is no room for one piece."""
    fewest = math.inf
    best: Places | None = None
    for (gap, reserve), frame, turned in product(gaps_mm, frames, (False, True)):
        width, height = (height_mm, width_mm) if turned else (width_mm, height_mm)
        beside, above = reserve[::-1] if turned else reserve
        x, y, room_width, room_height = frame.room
        across, down = width + gap, height + gap
        columns = math.floor((room_width - 2 * beside + gap + _EPS) / across)
        rows = math.floor((room_height - 2 * above + gap + _EPS) / down)
        if columns < 1 or rows < 1:
            continue
        sheets = -(-count // (columns * rows))
        if sheets < fewest:
            fewest = sheets
            left = x + (room_width - columns * across + gap) / 2
            top = y + (room_height - rows * down + gap) / 2
            boxes = tuple(
                (left + column * across, top + row * down, width, height)
                for row in range(rows)
                for column in range(columns)
            )
            best = Places(frame, boxes, columns=columns, gap_mm=gap)
    return best


def form_of(scene: Scene) -> Form:
    """Return the form of a scene's outline: hexagon for the six straight lines of a regular one,
    disc for the four curves of a circle, or other."""
    verbs = "".join(str(command[0]) for command in scene.outline or ())
    if verbs == "MCCCCZ" and abs(scene.width_mm - scene.height_mm) < _SLACK_MM:
        return Form.DISC
    centre = (scene.width_mm / 2, scene.height_mm / 2)
    if verbs == "MLLLLLZ" and all(
        abs(math.dist(centre, corner) - max(centre)) < _SLACK_MM for corner in corners(scene)
    ):
        return Form.HEXAGON
    return Form.RECTANGLE


@lru_cache(256)
def with_corners(scene: Scene, radius_mm: float) -> Scene:
    """Return a rectangular scene whose outline has rounded corners, along which it is cut and
    shown."""
    if not radius_mm or scene.outline is not None:
        return scene
    radius = min(radius_mm, scene.width_mm / 2, scene.height_mm / 2)
    return replace(scene, outline=rectangle_path(0, 0, scene.width_mm, scene.height_mm, radius))


def corners(scene: Scene) -> tuple[Point, ...]:
    """Return the corners of a hexagonal outline in order."""
    return tuple(
        (float(command[1]), float(command[2]))
        for command in scene.outline or ()
        if len(command) == 3
    )


def grown(scene: Scene, form: Form, by_mm: float) -> Commands:
    """Return the outline of a hexagon or disc enlarged by `by_mm` on every side: the clip of pieces
    that touch no neighbour."""
    x, y = scene.width_mm / 2, scene.height_mm / 2
    if form is Form.DISC:
        return circle_path(x, y, x + by_mm)
    factor = 1 + by_mm / min(x, y)
    return polygon_path((x + (px - x) * factor, y + (py - y) * factor) for px, py in corners(scene))


def between_rows(scene: Scene, by_mm: float) -> Commands:
    """Return the clip of a hexagon that touches its neighbours corner to corner: `by_mm` further
    out along every side, but never past the line through a corner that divides the space there
    equally. There, the sides' offset lines end at 2 x `by_mm` beside the corner, as the angle
    between that line and a side is 30 degrees."""
    x, y = scene.width_mm / 2, scene.height_mm / 2
    points: list[Point] = []
    ring = corners(scene)
    for (px, py), (nx, ny) in zip(ring, ring[1:] + ring[:1], strict=True):
        radius = math.dist((x, y), (px, py))
        ux, uy = -(py - y) / radius, (px - x) / radius
        way = math.copysign(2 * by_mm, ux * (nx - px) + uy * (ny - py))
        points += ((px - ux * way, py - uy * way), (px + ux * way, py + uy * way))
    return polygon_path(points)


def rectangle_round(scene: Scene, sides: Sides) -> Commands:
    """Return the clip of a rectangular piece with a different bleed on each side (in the piece's
    coordinates)."""
    left, top, right, bottom = sides
    return rectangle_path(
        -left, -top, scene.width_mm + left + right, scene.height_mm + top + bottom
    )


# Nests of pieces with hollows.


# Required distance of two pieces that have no horizontal line in common: none.
_APART = -1e9
# Decimal places to which shifts are rounded before they are compared.
_PLACES_MM = 4
_MOST_STEPS = 17
# Maximum extension of a gap from a sharp corner, as a multiple of the gap.
_SPIKE = 4.0


class Nest(Frozen, kw_only=True):
    """Places for pieces of one outline on a sheet, in the order of filling: the box of each piece
    and its rotation, 0 or 180 degrees. `gap_mm` is the minimum distance between two outlines."""

    frame: Frame
    places: tuple[tuple[Box, int], ...]
    gap_mm: float


# Cached, because callers first ask whether a piece fits and then where.
@lru_cache(256)
def nested(
    frames: tuple[Frame, ...], outline: Polygon, *, gap_mm: float, reserve_mm: float = 0.0
) -> Nest | None:
    """Return the sheet that holds most pieces of an outline (corners in mm, y down, in either
    direction), at least `gap_mm` apart and `reserve_mm` from the edges of the room; None if
    there is no room for one. Among equals, prefer the earlier frame, then rows that run across,
    then the simpler pattern."""
    left, top, _, _ = bounds_of(outline)
    shape = _rounded((x - left, y - top) for x, y in outline)
    best: Nest | None = None
    for frame, upright in product(frames, (True, False)):
        x, y, width, height = frame.room
        room = (width - 2 * reserve_mm, height - 2 * reserve_mm)
        least = len(best.places) if best is not None else 0
        if upright:
            places = _Rows(shape, gap_mm).fill(room, least)
        else:
            down = _Rows(_mirrored(shape), gap_mm).fill(room[::-1], least)
            places = [((by, bx, bh, bw), turn) for (bx, by, bw, bh), turn in down]
        if places:
            # Centre the block of pieces horizontally; align it with the top of the room and each
            # row with the left.
            left, top, wide, high = box_round(box for box, _ in places)
            dx, dy = x + (width - wide) / 2 - left, y + (height - high) / 2 - top
            moved = [((bx + dx, by + dy, w, h), turn) for (bx, by, w, h), turn in places]
            moved.sort(key=lambda place: (round(place[0][1], 2), place[0][0]))
            best = Nest(frame=frame, places=tuple(moved), gap_mm=gap_mm)
    return best


def turned_half(outline: Sequence[Point]) -> Polygon:
    """Return an outline rotated by 180 degrees within its own bounds."""
    left, top, right, bottom = bounds_of(outline)
    return tuple((left + right - x, top + bottom - y) for x, y in outline)


# Upper left corner of the piece's box, and the number of half turns (0 or 1).
Piece = tuple[float, float, int]
Row = tuple[Piece, ...]


class _Rows:
    """Rows of one outline, whose bounds begin at (0, 0)."""

    def __init__(self, shape: Polygon, gap: float) -> None:
        self.gap = gap
        _, _, self.width, self.height = bounds_of(shape)
        shapes = (shape, _rounded(turned_half(shape)))
        grown = tuple(moved_out(outline, gap) for outline in shapes)
        self.ends = tuple(tuple(map(_ends, turns)) for turns in (grown, map(_mirrored, grown)))
        self.starts = tuple(tuple(map(_ends, turns)) for turns in (shapes, map(_mirrored, shapes)))
        self.reach = (self.height + gap, self.width + gap)
        self.known: dict[tuple[int, int, int, float], float] = {}
        self.levels = _steps((y for outline in shapes for _, y in outline), -self.height)
        self.shifts = _steps((x for outline in shapes for x, _ in outline), 0.0)

    def fill(self, room: tuple[float, float], least: int) -> list[tuple[Box, int]]:
        """Return the places of the first pattern that holds most pieces in a room, if there are
        more than `least`; otherwise none."""
        most = least
        best: tuple[Piece, ...] = ()
        for second, level in product((0, 1), self.levels):
            pattern = ((0, 0.0), (second, level))
            row = self._row(pattern, room[0])
            for other, shift in product((row, self._row(pattern[::-1], room[0])), self.shifts):
                # Leave out pieces that no longer fit.
                last = room[0] + _EPS - self.width - shift
                shifted = tuple((x + shift, y, turn) for x, y, turn in other if x <= last)
                placed = tuple(self._stack(row, shifted, room[1]))
                if len(placed) > most:
                    most, best = len(placed), placed
        return [((x, y, self.width, self.height), 180 * turn) for x, y, turn in best]

    def _row(self, pattern: Sequence[tuple[int, float]], width: float) -> Row:
        """Return as many pieces as fit in a width, pushed to the left, rotated and shifted by the
        pattern."""
        high = min(y for _, y in pattern)
        row: list[Piece] = []
        while True:
            turn, y = pattern[len(row) % len(pattern)]
            near = [bx + self._apart(0, other, turn, y - high - by) for bx, by, other in row]
            x = max((0.0, *near))
            if x + self.width > width + _EPS:
                return tuple(row)
            row.append((x, y - high, turn))

    def _stack(self, first: Row, second: Row, height: float) -> Iterator[Piece]:
        """Yield alternating rows, one below the other, while there is room."""
        rows = (first, second or first)
        down = max(0.0, self._drop(*rows))
        # A row must also clear the row before the last, which the row between them may not separate
        # from it everywhere.
        back = max(self._drop(*rows[::-1]), *(self._drop(row, row) - down for row in rows))
        below = (down, back)
        y, number = 0.0, 0
        while True:
            row = rows[number % 2]
            fitting = [
                (px, py + y, turn) for px, py, turn in row if py + y + self.height <= height + _EPS
            ]
            yield from fitting
            if len(fitting) < len(row) or not row:
                return
            y += below[number % 2]
            number += 1

    def _drop(self, upper: Row, lower: Row) -> float:
        """Return the distance from a row down to the next."""
        drops = (
            y1 - y2 + self._apart(1, one, other, x2 - x1)
            for (x1, y1, one), (x2, y2, other) in product(upper, lower)
        )
        return max(drops, default=0.0)

    def _apart(self, way: int, one: int, other: int, aside: float) -> float:
        """Return how far to the right of (way 0) or below (way 1) one piece the other must be, if
        it is `aside` lower or further right, to lie entirely on that side of it, a gap away."""
        if abs(aside) >= self.reach[way]:
            return _APART
        key = (way, one, other, round(aside, _PLACES_MM))
        if key not in self.known:
            self.known[key] = _apart(self.ends[way][one], self.starts[way][other], key[3])
        return self.known[key]


def _steps(values: Iterable[float], least: float) -> tuple[float, ...]:
    """Return differences of some values from `least` on, in ascending order without repetition; if
    there are very many, a sample across the range."""
    known = sorted(set(values))
    steps = {round(a - b, _PLACES_MM) for a in known for b in known}
    chosen = sorted((step for step in steps if step >= least), key=lambda step: (abs(step), step))
    return tuple(chosen[:: -(-len(chosen) // _MOST_STEPS)])


class _Ends(Frozen):
    """The outermost points at which horizontal lines meet a polygon: from each corner's level to
    the next, (left, right) at the upper level and at the lower one. All sides in between are
    straight."""

    levels: tuple[float, ...]
    upper: tuple[Point, ...]
    lower: tuple[Point, ...]

    def between(self, y: float) -> tuple[float, float] | None:
        """Return the left and right end of a horizontal line; None above and below the polygon."""
        slab = bisect_right(self.levels, y) - 1
        if not 0 <= slab < len(self.upper):
            return None
        top, bottom = self.levels[slab], self.levels[slab + 1]
        t = (y - top) / (bottom - top)
        (left, right), (low_left, low_right) = self.upper[slab], self.lower[slab]
        return left + (low_left - left) * t, right + (low_right - right) * t


def _ends(polygon: Polygon) -> _Ends:
    sides = tuple(zip(polygon, polygon[1:] + polygon[:1], strict=True))
    levels = tuple(sorted({y for _, y in polygon}))
    upper, lower = [], []
    for top, bottom in pairwise(levels):
        middle = (top + bottom) / 2
        crossing = [side for side in sides if (side[0][1] <= middle) != (side[1][1] <= middle)]
        upper.append(_outermost(crossing, top))
        lower.append(_outermost(crossing, bottom))
    return _Ends(levels, tuple(upper), tuple(lower))


def _outermost(sides: Sequence[tuple[Point, Point]], y: float) -> Point:
    """Return the smallest and the largest x of some sides at a level."""
    xs = [x1 + (x2 - x1) * (y - y1) / (y2 - y1) for (x1, y1), (x2, y2) in sides]
    return min(xs), max(xs)


def _apart(one: _Ends, other: _Ends, down: float) -> float:
    """Return how far the other polygon, `down` lower, must move to the right to lie right of the
    first on every horizontal line."""
    most = _APART
    for y in (*one.levels, *(level + down for level in other.levels)):
        # Ends are linear between two levels and may jump at a level, so test on both sides of each.
        for near in (y - _EPS, y + _EPS):
            here, there = one.between(near), other.between(near - down)
            if here is not None and there is not None:
                most = max(most, here[1] - there[0])
    return most


def _mirrored(polygon: Polygon) -> Polygon:
    """Return a polygon with x and y exchanged."""
    return tuple((y, x) for x, y in polygon)


def _rounded(points: Iterable[Point]) -> Polygon:
    return tuple((round(x, _PLACES_MM), round(y, _PLACES_MM)) for x, y in points)


def moved_out(polygon: Polygon, by: float) -> Polygon:
    """Return a polygon with every side moved outwards; convex corners are cut off, concave ones
    stay."""
    if not by:
        return polygon
    # The sign of the shoelace formula gives the orientation of the corners.
    sides = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    area = math.fsum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in sides)
    ring = polygon if area > 0 else polygon[::-1]
    points = []
    for before, here, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True):
        (ux, uy), (vx, vy) = _way(before, here), _way(here, after)
        turn, along = ux * vy - uy * vx, ux * vx + uy * vy
        if along > 1 - 1e-9:
            points.append((here[0] + uy * by, here[1] - ux * by))
            continue
        reach = min(by / math.sqrt((1 + along) / 2) if along > -1 + 1e-9 else math.inf, _SPIKE * by)
        nx, ny = uy + vy, -ux - vx
        length = math.hypot(nx, ny) or 1.0
        if turn > 0 and along < -0.5:  # sharper than 60 degrees: two points one gap beyond it
            points.append((here[0] + (uy + ux) * by, here[1] + (uy - ux) * by))
            points.append((here[0] + (vy - vx) * by, here[1] - (vx + vy) * by))
        else:
            points.append((here[0] + nx / length * reach, here[1] + ny / length * reach))
    return tuple(points)


def _way(start: Point, end: Point) -> Point:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
