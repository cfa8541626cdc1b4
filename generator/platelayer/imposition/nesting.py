"""Nests: pages of pieces of one outline that fit into each other's hollows.

Rows of pieces, each upright or turned by 180 degrees, are pushed together until their outlines are
a gap apart. Pieces that are not rectangles (three hexes in a triangle) fit into each other's
hollows. The search for the turns, the shift within a row and the shift from row to row that hold
most tries all that bring corners level with corners.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product

from platelayer.foundation.values import Frozen
from platelayer.imposition.arrange import Sides, form_of
from platelayer.imposition.draft import Draft, PieceToPrint, Placed, SheetSettings, pages_of
from platelayer.imposition.paper import Box, Frame, box_round
from platelayer.imposition.plan import Layout
from platelayer.model.kinds import Form
from platelayer.scene.flatten import flatten_commands
from platelayer.scene.shapes import Point, Scene, polygon_path

Polygon = tuple[Point, ...]

_EPS = 1e-6
# Distance of two pieces that share no horizontal line: either may be anywhere.
_APART = -1e9
# Decimals that shifts are rounded to before they are compared.
_PLACES_MM = 4
_MOST_STEPS = 17
# A gap reaches out from a sharp corner by this many times its width at most.
_SPIKE = 4.0


def can_nest(scene: Scene) -> bool:
    """True if nesting helps an outline: rectangles, hexagons and discs fit just as well in a
    grid."""
    has_hollows = scene.outline is not None and len(_corners(scene)) > 4
    return has_hollows and form_of(scene) is Form.RECTANGLE


def nest_fits(scene: Scene, layout: Layout, settings: SheetSettings) -> bool:
    """True if such a piece fits a sheet."""
    return next(_nests(_corners(scene), scene, layout, settings), None) is not None


def nest_sheets(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Pages of pieces that `can_nest`, those of one outline together; with the first of the
    layout's gaps that needs no more pages than the others."""
    by_outline: dict[Polygon, list[PieceToPrint]] = {}
    for entry in entries:
        by_outline.setdefault(_corners(entry.scene), []).append(entry)
    for outline, alike in by_outline.items():
        copies = [entry for entry in alike for _ in range(entry.piece.count)]
        count = len(copies)
        least = min(alike, key=lambda entry: entry.scene.bleed_mm).scene
        nests = list(_nests(outline, least, layout, settings))
        if not nests:
            continue
        nest = min(nests, key=lambda nest: -(-count // len(nest.places)))
        bleed = _bleed(least, layout, nest.gap_mm)
        per_page = len(nest.places)
        if layout.board is not None:
            # Equally many on each punchboard, so that all have one die.
            per_page = -(-count // -(-count // per_page))
        for run in pages_of(copies, per_page):
            placed = tuple(
                _placed(entry, outline, place, bleed)
                for entry, place in zip(run, nest.places, strict=False)
            )
            yield Draft(nest.frame, placed, lines=layout.outlined)


def _nests(
    outline: Polygon, scene: Scene, layout: Layout, settings: SheetSettings
) -> Iterator[Nest]:
    """The nests of an outline with each of the layout's gaps."""
    for gap in layout.gaps_mm:
        nest = _nest(settings.frames, outline, gap, _bleed(scene, layout, gap))
        if nest is not None:
            yield nest


def _corners(scene: Scene) -> Polygon:
    return tuple((round(x, 4), round(y, 4)) for x, y in flatten_commands(scene.die_line)[0][0])


def _bleed(scene: Scene, layout: Layout, gap: float) -> float:
    """Bleed of pieces that are a gap apart."""
    return min(layout.bleed_mm, scene.bleed_mm, gap / 2)


@cache
def _nest(frames: tuple[Frame, ...], outline: Polygon, gap: float, bleed: float) -> Nest | None:
    """The places; found once, because callers ask whether a piece fits and then where it goes."""
    return nested(frames, outline, gap_mm=gap, reserve_mm=max(_beyond(outline, bleed)))


def _beyond(outline: Polygon, bleed: float) -> Sides:
    """Reach of a bleed beyond the box around an outline: further at its corners than along its
    sides."""
    left, top, right, bottom = bounds(outline)
    far_left, far_top, far_right, far_bottom = bounds(moved_out(outline, bleed))
    return left - far_left, top - far_top, far_right - right, far_bottom - bottom


def _placed(entry: PieceToPrint, outline: Polygon, place: tuple[Box, int], bleed: float) -> Placed:
    (x, y, _, _), turn = place
    scene = entry.scene
    left, top, right, bottom = bounds(outline)
    sides = _beyond(outline, bleed)
    if turn:
        left, top = scene.width_mm - right, scene.height_mm - bottom
        sides = (*sides[2:], *sides[:2])
    return Placed(
        entry,
        scene,
        face=entry.face,
        box=(x - left, y - top, scene.width_mm, scene.height_mm),
        rotation=turn,
        bleed=sides,
        clip=polygon_path(moved_out(outline, bleed)),
    )


class Nest(Frozen, kw_only=True):
    """Places for pieces of one outline on a sheet, in the order of filling: the box that a piece
    takes and how it is turned there, 0 or 180 degrees. `gap_mm` is the least distance between two
    outlines."""

    frame: Frame
    places: tuple[tuple[Box, int], ...]
    gap_mm: float


def nested(
    frames: Sequence[Frame], outline: Polygon, *, gap_mm: float, reserve_mm: float = 0.0
) -> Nest | None:
    """The sheet that takes most pieces of an outline (corners in mm, y down, either way round), at
    least `gap_mm` apart and `reserve_mm` from the sides of the room. Among equals the earlier
    frame, then rows that run across, then the plainer pattern. None when there is no room for one
    piece."""
    left, top, _, _ = bounds(outline)
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
            moved = _centred(places, (x + reserve_mm, y + reserve_mm, *room))
            best = Nest(frame=frame, places=moved, gap_mm=gap_mm)
    return best


def bounds(outline: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def turned_half(outline: Sequence[Point]) -> Polygon:
    """An outline turned by 180 degrees within its own bounds."""
    left, top, right, bottom = bounds(outline)
    return tuple((left + right - x, top + bottom - y) for x, y in outline)


def _centred(places: Sequence[tuple[Box, int]], room: Box) -> tuple[tuple[Box, int], ...]:
    """Places moved to the middle of the room, from its top, rows from the left."""
    left, top, wide, high = box_round(box for box, _ in places)
    x = room[0] + (room[2] - wide) / 2 - left
    y = room[1] + (room[3] - high) / 2 - top
    moved = (((bx + x, by + y, width, height), turn) for (bx, by, width, height), turn in places)
    return tuple(sorted(moved, key=lambda place: (round(place[0][1], 2), place[0][0])))


# x and y of the upper left corner of its box, and its half turns (0 or 1).
Piece = tuple[float, float, int]
Row = tuple[Piece, ...]


class _Rows:
    """Rows of one outline, whose bounds begin at (0, 0)."""

    def __init__(self, shape: Polygon, gap: float) -> None:
        self.gap = gap
        _, _, self.width, self.height = bounds(shape)
        shapes = (shape, _rounded(turned_half(shape)))
        grown = tuple(moved_out(outline, gap) for outline in shapes)
        self.ends = tuple(tuple(map(_ends, turns)) for turns in (grown, map(_mirrored, grown)))
        self.starts = tuple(tuple(map(_ends, turns)) for turns in (shapes, map(_mirrored, shapes)))
        self.reach = (self.height + gap, self.width + gap)
        self.known: dict[tuple[int, int, int, float], float] = {}
        self.levels = _steps((y for outline in shapes for _, y in outline), -self.height)
        self.shifts = _steps((x for outline in shapes for x, _ in outline), 0.0)

    def fill(self, room: tuple[float, float], least: int) -> list[tuple[Box, int]]:
        """The places of the first pattern that holds most in a room, if these are more than
        `least`; else none."""
        most = least
        best: tuple[Piece, ...] = ()
        for second, level in product((0, 1), self.levels):
            pattern = ((0, 0.0), (second, level))
            row = self._row(pattern, room[0])
            for other, shift in product((row, self._row(pattern[::-1], room[0])), self.shifts):
                # Pieces that then have no room are left out.
                last = room[0] + _EPS - self.width - shift
                shifted = tuple((x + shift, y, turn) for x, y, turn in other if x <= last)
                placed = tuple(self._stack(row, shifted, room[1]))
                if len(placed) > most:
                    most, best = len(placed), placed
        return [((x, y, self.width, self.height), 180 * turn) for x, y, turn in best]

    def _row(self, pattern: Sequence[tuple[int, float]], width: float) -> Row:
        """As many pieces as fit a width, pushed to the left, turned and shifted as the pattern
        says."""
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
        """Alternating rows, one below the other, as long as there is room."""
        rows = (first, second or first)
        down = max(0.0, self._drop(*rows))
        # A row must also clear the one before the last: the row between them may leave a way past.
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
        """The distance from a row down to the next."""
        drops = (
            y1 - y2 + self._apart(1, one, other, x2 - x1)
            for (x1, y1, one), (x2, y2, other) in product(upper, lower)
        )
        return max(drops, default=0.0)

    def _apart(self, way: int, one: int, other: int, aside: float) -> float:
        """The distance to the right of (way 0) or below (way 1) a piece of one that is `aside`
        lower or further right, wholly on that side of it and a gap away."""
        if abs(aside) >= self.reach[way]:
            return _APART
        key = (way, one, other, round(aside, _PLACES_MM))
        if key not in self.known:
            self.known[key] = _apart(self.ends[way][one], self.starts[way][other], key[3])
        return self.known[key]


def _steps(values: Iterable[float], least: float) -> tuple[float, ...]:
    """Differences of some values from `least` on, the smallest first, each once; if there are very
    many, a sample from all over."""
    known = sorted(set(values))
    steps = {round(a - b, _PLACES_MM) for a in known for b in known}
    chosen = sorted((step for step in steps if step >= least), key=lambda step: (abs(step), step))
    return tuple(chosen[:: -(-len(chosen) // _MOST_STEPS)])


class _Ends(Frozen):
    """The first and last points at which lines across meet a polygon: from each level of a corner
    to the next, (left, right) at the upper one and at the lower one, all sides between being
    straight."""

    levels: tuple[float, ...]
    upper: tuple[Point, ...]
    lower: tuple[Point, ...]

    def between(self, y: float) -> tuple[float, float] | None:
        """Left and right end of a line across; None above and below the polygon."""
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
    """The least and the greatest x of some sides at a level."""
    xs = [x1 + (x2 - x1) * (y - y1) / (y2 - y1) for (x1, y1), (x2, y2) in sides]
    return min(xs), max(xs)


def _apart(one: _Ends, other: _Ends, down: float) -> float:
    """The distance that the other polygon must move to the right, `down` lower, to lie right of the
    one on every line across."""
    most = _APART
    for y in (*one.levels, *(level + down for level in other.levels)):
        # Ends may jump at a level; between two levels they run straight.
        for near in (y - _EPS, y + _EPS):
            here, there = one.between(near), other.between(near - down)
            if here is not None and there is not None:
                most = max(most, here[1] - there[0])
    return most


def _mirrored(polygon: Polygon) -> Polygon:
    """x and y exchanged."""
    return tuple((y, x) for x, y in polygon)


def _rounded(points: Iterable[Point]) -> Polygon:
    return tuple((round(x, _PLACES_MM), round(y, _PLACES_MM)) for x, y in points)


def moved_out(polygon: Polygon, by: float) -> Polygon:
    """A polygon with every side moved out; sharp corners are cut, hollow ones stay."""
    if not by:
        return polygon
    # The shoelace formula: the sign says which way round the corners run.
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
        if turn > 0 and along < -0.5:  # sharper than 60 degrees: two points a gap beyond the tip
            points.append((here[0] + (uy + ux) * by, here[1] + (uy - ux) * by))
            points.append((here[0] + (vy - vx) * by, here[1] - (vx + vy) * by))
        else:
            points.append((here[0] + nx / length * reach, here[1] + ny / length * reach))
    return tuple(points)


def _way(start: Point, end: Point) -> Point:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
