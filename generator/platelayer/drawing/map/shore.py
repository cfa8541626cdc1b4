"""Land and water on a map and round it as far as the frame, and the coasts between them.

A map gives its coasts point by point, or they follow the edges between land and water: the grid of
hexes runs on beyond the board, and each place there is land or water as the nearest edge of the
board is. Such a coast is smoothed until its hexes are forgotten, and gets bays and capes from a
lattice noise (Perlin, "An Image Synthesizer", SIGGRAPH 1985) that depends on the place alone: an
edit changes the coast beside it and no other.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Field, between, meeting
from platelayer.drawing.kit.lettering import left_out, line_breaks, sizes_down, words_block
from platelayer.drawing.kit.style import Style, darkened
from platelayer.drawing.map.plan import CUT, DESIGN_MM, Edge, MapPlan, chains, spot
from platelayer.drawing.map.room import Rect, Squares
from platelayer.foundation.geometry import measured
from platelayer.foundation.seeds import chance
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import (
    COS_30,
    EDGES,
    Coord,
    Layout,
    MapHex,
    centre_mm,
    corner_points,
    hex_at,
    neighbour,
    opposite,
)
from platelayer.scene.inks import Ink, contrast, mix
from platelayer.scene.legibility import MIN_CONTRAST
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Stroke,
    TextRun,
    middle_of,
    polygon_path,
    polygons_path,
    rectangle_path,
)
from platelayer.scene.typeset import TypeStyle

Line = tuple[Point, ...]

# Kinds of hexes.
_WATER, _EMPTY, _SHOWING, _FIRM = range(4)
# Points on an edge. Sums over so many points to either side, twice, take the hexes out of a coast;
# the last smoothing takes the kinks out that its bounds leave.
_STEPS, _WINDOW, _LAST = 18, 7, 1
# Waves of a coast: their length and height in mm on hexes of the usual size.
_WAVES = ((46.0, 4.0), (19.0, 2.2), (9.0, 1.7), (4.2, 0.9), (2.6, 0.4))
# A coast lies at least so far beyond the edges of hexes: of empty ones, of those that show anything,
# as names and prices stand at their rim, and of those that are printed to their rim, whose strip of
# land is by chance up to so much wider. Beyond a circle, in apothems, it may take all corners.
_LEAST_MM, _SPARE_MM = {_EMPTY: -3.0, _SHOWING: -0.6, _FIRM: 0.8}, 1.6
_ROUND = {_EMPTY: 1.0, _SHOWING: 1.06, _FIRM: 2.0}
# A coast given in longer steps than this is broken up, by waves as high as this share of a step.
_STEP_MM, _TREMOR = 3.0, 0.11
_FAR_OFF_MM = 4000.0
# Coasts go on so far beyond the frame that the rims of their shallows do not show.
_BEYOND_MM = 12.0
# So many points together make the simpler line of shallows.
_NEAR = 3
# Rows in which water is told from land.
_ROW_MM = 2.0
_PARTS = 24
# Land between a hex of the board and a coast that is nearer has the ground of the hex.
CAPE_MM = 12.0
# So far beyond an edge of the board water is looked for, as a share of the hex.
_OFFSHORE = 0.3


class Coast(Frozen, dict=True, eq=False):
    """The coasts of a map in mm on the sheet. `lines` are their points, `land` is all land as far
    as the frame; `shore` and `near` are the lines as paths, in full and more simply.

    `edges` are those of the board with water beyond. `rows` has, by the number of a row of the
    sheet, where coasts cross its middle; left of the first is water if the row is in `wet`.
    """

    lines: tuple[Line, ...]
    land: Commands
    shore: Commands
    near: Commands
    edges: frozenset[Edge]
    rows: dict[int, list[float]]
    is_island: bool
    frame: Rect

    @property
    def open_sea(self) -> bool:
        """True if there is any water."""
        return self.is_island or bool(self.lines)

    def on_water(self, point: Point) -> bool:
        """True if a point lies in water."""
        crossed = bisect(self.rows.get(int(point[1] // _ROW_MM), ()), point[0])
        return crossed % 2 == 0

    def clear(self, box: Rect, *, on_land: bool) -> bool:
        """True if a box is on water, or on land, clear of all shores."""
        left, top, width, height = box
        for row in range(int(top // _ROW_MM), int((top + height) // _ROW_MM) + 1):
            crossings = self.rows.get(row, ())
            before = bisect(crossings, left)
            if before % 2 != on_land or bisect(crossings, left + width) != before:
                return False
        return True

    def crossing(self, a: Point, b: Point) -> Point | None:
        """The first point at which a way from one point to another meets a coast."""
        met = (meeting(a, b, c, d) for c, d in self._squares.near(a))
        share = min((shares[0] for shares in met if shares is not None), default=None)
        return None if share is None else between(a, b, share)

    def is_near(self, point: Point, reach_mm: float) -> bool:
        """True if a coast is nearer than so much."""
        near = self.nearest(point)
        return near is not None and math.dist(point, near) < reach_mm

    def nearest(self, point: Point) -> Point | None:
        """The nearest point of a coast that is not far off."""
        steps = (start for start, _ in self._squares.near(point))
        return min(steps, key=lambda start: measured(math.dist(start, point)), default=None)

    @cached_property
    def _squares(self) -> Squares[tuple[Point, Point]]:
        squares = Squares[tuple[Point, Point]](CAPE_MM)
        for line in self.lines:
            for step in pairwise(line):
                squares.add(step[0], step)
        return squares


def ends_at_shore(hexagon: MapHex) -> bool:
    """True for a hex whose ground ends at the shore: a plain white one. All others are printed
    whole, with a strip of land round them."""
    return hexagon.tile.colour == "white" and hexagon.tile.ground is None


def coast_of(plan: MapPlan, room: Rect) -> Coast:
    """The coasts of a map as far as a frame (left, top, width, height in mm) reaches."""
    # Boxes beside the board are not on the grid; half hexes of land lie on land drawn round them.
    hexes = [
        hexagon
        for hexagon in plan.gamemap.hexes
        if not hexagon.apart and (hexagon.half is None or hexagon.tile.colour == "blue")
    ]
    given = tuple(line for sea in plan.gamemap.seas for line in sea.coasts)
    kinds = []
    for hexagon in hexes or plan.gamemap.hexes:
        tile = hexagon.tile
        shows = given or tile.stops or tile.terrain or tile.labels or tile.icons or tile.name
        land = (_SHOWING if shows else _EMPTY) if ends_at_shore(hexagon) else _FIRM
        kinds.append((hexagon.at, _WATER if hexagon.tile.colour == "blue" else land))
    wet = () if given else tuple(sorted(wet_edges(plan)))
    return _coast(
        _Outline(tuple(kinds), plan.layout, plan.across_mm, plan.origin, wet, given, room)
    )


class _Outline(Frozen):
    """All that decides the coasts of a map: they are kept by it."""

    kinds: tuple[tuple[Coord, int], ...]
    layout: Layout
    across_mm: float
    origin: Point
    wet_edges: tuple[Edge, ...]
    given: tuple[Line, ...]
    room: Rect


@lru_cache(maxsize=8)
def _coast(outline: _Outline) -> Coast:
    return _World(outline).coast()


class _World:
    """The grid of a map as far as its frame."""

    def __init__(self, outline: _Outline) -> None:
        self.board = board = dict(outline.kinds)
        self.layout = layout = outline.layout
        self.across_mm = across_mm = outline.across_mm
        self.origin, self.room, self.given = outline.origin, outline.room, outline.given
        self.scale = across_mm / DESIGN_MM
        self.corners = corner_points(layout, across_mm)
        self.odd = sum(outline.kinds[0][0]) % 2
        left, top, width, height = outline.room
        self.box = (
            left - _BEYOND_MM,
            top - _BEYOND_MM,
            left + width + _BEYOND_MM,
            top + height + _BEYOND_MM,
        )
        self.sides = {
            (at, edge): (at, edge) in outline.wet_edges or board[at] == _WATER
            for at in board
            for edge in EDGES
            if neighbour(at, edge, layout) not in board
        }
        self.noise: dict[tuple[int, int, int], float] = {}

    def coast(self) -> Coast:
        """All coasts."""
        if self.given:
            lines = [self._broken_up(line) for line in self.given]
        else:
            shores = [*self._shores()]
            sides = [self._edge_line(edge) for edge in shores]
            lines = [self._wound(points, closed) for points, closed in chains(sides)]
        pieces = [piece for line in lines for piece in _within(line, self.box)]
        rings = _rings(pieces, self.box, 0)
        rows = _rows(rings)
        votes = 0
        for at, kind in self.board.items():
            x, y = self._point(at)
            on_land = bisect(rows.get(int(y // _ROW_MM), ()), x) % 2 == 1
            votes += 1 if on_land is (kind != _WATER) else -1
        # Without coasts the board is an island where it is wet all round.
        if votes < 0 and (pieces or not all(self.sides.values())):
            rings = _rings(pieces, self.box, 1)
            rows = _rows(rings)
        coast = Coast(
            lines=tuple(map(tuple, pieces)),
            land=polygons_path(rings),
            shore=_joined(pieces, 1),
            near=_joined(pieces, _NEAR),
            edges=frozenset(),
            rows=rows,
            is_island=not rings,
            frame=self.room,
        )
        edges = self._edges_at_water(coast) if self.given else self._own(shores)
        return replace(coast, edges=frozenset(edges))

    def _own(self, edges: Iterable[Edge]) -> Iterator[Edge]:
        """Edges as their hexes on the board name them."""
        for at, edge in edges:
            for side in ((at, edge), (neighbour(at, edge, self.layout), opposite(edge))):
                if side[0] in self.board:
                    yield side

    def _edges_at_water(self, coast: Coast) -> Iterator[Edge]:
        """Edges of the board between land and water, where coasts are given."""
        for at, kind in self.board.items():
            x, y = self._point(at)
            for edge in EDGES:
                other = self.board.get(neighbour(at, edge, self.layout))
                if other is not None:
                    if (kind == _WATER) is not (other == _WATER):
                        yield at, edge
                elif kind != _WATER:
                    (ax, ay), (bx, by) = self.corners[edge - 1], self.corners[edge]
                    far = (0.5 + _OFFSHORE) / 0.5 / 2
                    if coast.on_water((x + (ax + bx) * far, y + (ay + by) * far)):
                        yield at, edge

    def _shores(self) -> Iterator[Edge]:
        """Edges between land and water, as far as the frame and a hex farther. Places beyond the
        board are water if most of their edges on its outline have water beyond, or the nearest one
        has; water wins ties."""
        left, top, width, height = self.room
        wide, tall = centre_mm(Coord(1, 1), self.layout, self.across_mm)
        (ox, oy), reach = self.origin, self.across_mm
        wet = {at: kind == _WATER for at, kind in self.board.items()}
        outline = []
        for (at, edge), is_wet in self.sides.items():
            (ax, ay), (bx, by) = self._edge_line((at, edge))
            outline.append(((ax + bx) / 2, (ay + by) / 2, is_wet))
        for x in range(
            math.floor(measured((left - reach - ox) / wide)),
            math.ceil(measured((left + width + reach - ox) / wide)) + 1,
        ):
            for y in range(
                math.floor(measured((top - reach - oy) / tall)),
                math.ceil(measured((top + height + reach - oy) / tall)) + 1,
            ):
                at = Coord(x, y)
                if (x + y) % 2 != self.odd or at in self.board:
                    continue
                around = ((neighbour(at, edge, self.layout), opposite(edge)) for edge in EDGES)
                touching = [self.sides[side] for side in around if side in self.sides]
                if touching:
                    wet[at] = 2 * sum(touching) >= len(touching)
                else:
                    cx, cy = self._point(at)
                    near = (
                        (measured(math.hypot(ex - cx, ey - cy)), not w) for ex, ey, w in outline
                    )
                    wet[at] = not min(near)[1]
        for at, is_wet in wet.items():
            for edge in (3, 4, 5):  # the others are edges of neighbours
                if wet.get(neighbour(at, edge, self.layout), is_wet) is not is_wet:
                    yield at, edge

    def _point(self, at: Coord) -> Point:
        """The middle of a place."""
        x, y = centre_mm(at, self.layout, self.across_mm)
        return x + self.origin[0], y + self.origin[1]

    def _edge_line(self, edge: Edge) -> tuple[Point, Point]:
        (x, y), number = self._point(edge[0]), edge[1]
        (ax, ay), (bx, by) = self.corners[number - 1], self.corners[number]
        return (x + ax, y + ay), (x + bx, y + by)

    def _wave(self, x: float, y: float, number: int) -> float:
        """A wave of a coast at a point, from -1 to 1: chances at the corners of a grid, joined
        smoothly."""
        length = _WAVES[number][0] * self.scale
        x, y = (x - self.origin[0]) / length, (y - self.origin[1]) / length
        column, row = math.floor(measured(x)), math.floor(measured(y))
        x, y = x - column, y - row
        x, y = x * x * (3 - 2 * x), y * y * (3 - 2 * y)
        found = []
        for corner in ((column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)):
            key = (*corner, number)
            if key not in self.noise:
                self.noise[key] = chance(*key)
            found.append(self.noise[key])
        a, b, c, d = found
        above, below = a + (b - a) * x, c + (d - c) * x
        return above + (below - above) * y

    def _wound(self, corners: list[Point], closed: bool) -> list[Point]:
        """A coast along edges of hexes."""
        points: list[Point] = []
        for (ax, ay), (bx, by) in pairwise((*corners, corners[0]) if closed else corners):
            for step in range(_STEPS):
                share = step / _STEPS
                points.append((ax + (bx - ax) * share, ay + (by - ay) * share))
        if not closed:
            points.append(corners[-1])
        for _ in range(2):
            points = _averages(points, _WINDOW, closed)
        wound = []
        last = len(points) - 1
        for index, (x, y) in enumerate(points):
            ax, ay = points[index - 1 if index or closed else 0]
            bx, by = points[(index + 1) % (last + 1) if closed else min(last, index + 1)]
            dx, dy = bx - ax, by - ay
            out = math.fsum(
                self._wave(x, y, number) * height for number, (_, height) in enumerate(_WAVES)
            )
            out *= self.scale / (math.hypot(dx, dy) or 1.0)
            point = (x - dy * out, y + dx * out)
            here = hex_at(
                (x - self.origin[0], y - self.origin[1]), self.layout, self.across_mm, self.odd
            )
            spare = _SPARE_MM * abs(self._wave(x, y, 1))
            for at in (here, *(neighbour(here, edge, self.layout) for edge in EDGES)):
                if self.board.get(at, _WATER) != _WATER:
                    point = self._off(point, at, spare)
            wound.append(point)
        wound = _averages(wound, _LAST, closed)
        line = [(round(measured(x), 2), round(measured(y), 2)) for x, y in wound]
        return [*line, line[0]] if closed else line

    def _off(self, point: Point, land: Coord, spare: float) -> Point:
        """A point moved away from the middle of a place as far beyond its edges as a coast must be,
        and by something to spare round those that are printed to their rim."""
        x, y = self._point(land)
        dx, dy = point[0] - x, point[1] - y
        across, along = (dy, dx) if self.layout is Layout.FLAT else (dx, dy)
        # Distances to the three pairs of edges.
        half, slant = across / 2, along * COS_30
        far = max(abs(across), abs(half + slant), abs(half - slant))
        kind, apothem = self.board[land], self.across_mm / 2
        least = apothem + (_LEAST_MM[kind] + spare * (kind == _FIRM)) * self.scale
        out = min(least / far, _ROUND[kind] * apothem / math.hypot(dx, dy)) if far else 1.0
        return (x + dx * out, y + dy * out) if out > 1.0 else point

    def _broken_up(self, given: Line) -> list[Point]:
        """A given coast in mm: in short steps, beyond its ends straight on, and round all hexes that
        are printed to their rims."""
        (ox, oy), across = self.origin, self.across_mm
        left, top, right, bottom = self.box
        line = [(x * across + ox, y * across + oy) for x, y in given]
        closed = given[0] == given[-1]
        points: list[Point] = []
        for (ax, ay), (bx, by) in pairwise(line):
            points.append((ax, ay))
            if (
                max(ax, bx) < left
                or min(ax, bx) > right
                or max(ay, by) < top
                or min(ay, by) > bottom
            ):
                continue
            dx, dy = bx - ax, by - ay
            length = math.hypot(dx, dy)
            steps = max(1, math.ceil(measured(length / (_STEP_MM * self.scale))))
            for step in range(1, steps):
                share = step / steps
                x, y = ax + dx * share, ay + dy * share
                waves = self._wave(x, y, 1) + self._wave(x, y, 2) / 2 + self._wave(x, y, 3) / 4
                out = waves * _TREMOR * 4 * share * (1 - share)
                points.append((x - dy * out, y + dx * out))
        points.append(line[-1])
        for index, (x, y) in enumerate(points):
            at = hex_at((x - ox, y - oy), self.layout, across, self.odd)
            if self.board.get(at) == _FIRM:
                points[index] = self._off((x, y), at, 0.0)
        line = [(round(measured(x), 2), round(measured(y), 2)) for x, y in points]
        if closed or len(line) < 2:
            return line
        ends = []
        for (ax, ay), (bx, by) in ((line[1], line[0]), (line[-2], line[-1])):
            far = _FAR_OFF_MM / (math.hypot(bx - ax, by - ay) or 1.0)
            ends.append((bx + (bx - ax) * far, by + (by - ay) * far))
        return [ends[0], *line, ends[1]]


def _averages(line: Sequence[Point], reach: int, closed: bool) -> list[Point]:
    """For each point the middle of those up to so many to either side; open lines keep their
    ends."""
    count = len(line)
    averages = []
    for index in range(count):
        near = reach if closed else min(reach, index, count - 1 - index)
        averages.append(middle_of([line[k % count] for k in range(index - near, index + near + 1)]))
    return averages


_Box = tuple[float, float, float, float]


def _within(line: Sequence[Point], box: _Box) -> list[list[Point]]:
    """The parts of a line within a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    pieces: list[list[Point]] = []
    is_open = False
    for (ax, ay), (bx, by) in pairwise(line):
        dx, dy = bx - ax, by - ay
        start, end = 0.0, 1.0
        # Liang and Barsky, "A New Concept and Method for Line Clipping", 1984.
        for way, room in ((-dx, ax - left), (dx, right - ax), (-dy, ay - top), (dy, bottom - ay)):
            if way < 0.0:
                start = max(start, room / way)
            elif way > 0.0:
                end = min(end, room / way)
            elif room < 0.0:
                start = 2.0
        if start >= end:
            is_open = False
            continue
        one, two = (
            (round(measured(ax + dx * share), 2), round(measured(ay + dy * share), 2))
            for share in (start, end)
        )
        if not is_open:
            pieces.append([one if start > 0.0 else (ax, ay)])
        pieces[-1].append(two if end < 1.0 else (bx, by))
        is_open = end == 1.0
    if len(pieces) > 1 and line[0] == line[-1] == pieces[0][0] == pieces[-1][-1]:
        pieces[0] = pieces.pop() + pieces[0][1:]
    return pieces


def _rings(pieces: Sequence[Sequence[Point]], box: _Box, first: int) -> list[Line]:
    """The land between coasts and the sides of a box that their ends lie on: of the stretches of
    its sides from one end to the next, every other one is land, from the `first` on (0 or 1).
    Rings of land and of water within it run in opposite ways."""
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    corners = (
        (wide, (right, top)),
        (wide + tall, (right, bottom)),
        (2 * wide + tall, (left, bottom)),
        (2 * (wide + tall), (left, top)),
    )

    def round_box(x: float, y: float) -> float:
        """Way clockwise round the box from its upper left corner to the point of a side."""
        _, way = min(
            (abs(y - top), x - left),
            (abs(x - right), wide + y - top),
            (abs(y - bottom), wide + tall + right - x),
            (abs(x - left), 2 * wide + tall + bottom - y),
        )
        return way

    rings = [tuple(piece[:-1]) for piece in pieces if piece[0] == piece[-1]]
    ends = sorted(
        (round_box(*piece[end]), number, end)
        for number, piece in enumerate(pieces)
        if piece[0] != piece[-1]
        for end in (0, -1)
    )
    if not ends and first:
        rings.append(tuple(corner for _, corner in corners))
    # By an end of a piece: the sides of the box from there, and the end of a piece that they lead to.
    along: dict[tuple[int, int], tuple[list[Point], tuple[int, int]]] = {}
    for index in range(first, len(ends), 2):
        (way, number, end), (until, *_) = ends[index], ends[(index + 1) % len(ends)]
        until += 2 * (wide + tall) * (until < way)
        turns = ((far + lap, at) for lap in (0.0, 2 * (wide + tall)) for far, at in corners)
        sides = [at for far, at in turns if way < far < until]
        along[number, end] = sides, ends[(index + 1) % len(ends)][1:]
    while along:
        here = next(iter(along))
        outline: list[Point] = []
        while here in along:
            sides, (number, end) = along.pop(here)
            outline += sides
            outline += pieces[number] if end == 0 else pieces[number][::-1]
            here = (number, -1 - end)
        rings.append(tuple(outline))
    turned = []
    for ring in rings:
        area = math.fsum(
            a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1], strict=True)
        )
        x, y = middle_of(ring[:2])
        around = sum(_holds(other, x, y) for other in rings if other is not ring)
        turned.append(ring if (area > 0.0) is (around % 2 == 0) else ring[::-1])
    return turned


def _holds(ring: Line, x: float, y: float) -> bool:
    """True if a point lies in a ring."""
    crossings = 0
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (ay <= y) is not (by <= y) and ax + (bx - ax) * (y - ay) / (by - ay) < x:
            crossings += 1
    return crossings % 2 == 1


def _rows(rings: Sequence[Line]) -> dict[int, list[float]]:
    """By the numbers of rows: the places in their middles at which they cross rings."""
    rows: dict[int, list[float]] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            low, high = sorted((ay, by))
            for row in range(math.ceil(low / _ROW_MM - 0.5), math.ceil(high / _ROW_MM - 0.5)):
                y = (row + 0.5) * _ROW_MM
                rows.setdefault(row, []).append(ax + (bx - ax) * (y - ay) / (by - ay))
    for crossings in rows.values():
        crossings.sort()
    return rows


def _joined(pieces: Iterable[Sequence[Point]], together: int) -> Commands:
    """Coasts as one path, so many of their steps taken together, of short ones fewer."""
    commands: list[Command] = []
    for piece in pieces:
        line = (*piece[: -1 : min(together, 1 + len(piece) // 8)], piece[-1])
        closed = line[0] == line[-1]
        commands += polygon_path(line[:-1] if closed else line, closed=closed)
    return tuple(commands)


# Seas beside a map: water along its coasts, and their names.

# For each depth: its reach from the shore in mm, the share of blue in its water, and the strength
# of the water line that ends it. Wide ones come first, as narrower ones are laid on them.
_DEPTHS = ((7.0, 0.56, 0.25), (4.7, 0.63, 0.45), (2.8, 0.72, 0.7), (1.3, 0.84, 0.9))
# Share of blue in the open sea.
_OPEN = 0.5
_LINE_MM = 0.15
# Contour lines of the land round the board: how far from it, the farthest first, and their strength.
_CONTOURS = ((6.6, 0.22), (4.0, 0.34), (1.9, 0.5))
_NAME_CLEAR_MM = 1.5
# Names of seas are tried so far beyond their coast, on points this far apart, and in sizes that
# differ by this much.
_NAME_REACH_MM, _NAME_STEP_MM, _LESS_PT = 60.0, 7.0, 2.0
# Distance of names on water, and on land, from the middle of a hex, in halves of it; mm between two,
# and from the frame.
_OFF_SHORE, _OFF_BOARD, _BETWEEN_MM, _OFF_FRAME_MM = 1.1, 1.4, 4.0, 2.5
# Names of lands beyond the board are tried so far from the middle of a hex on its outline, in halves
# of it.
_BEYOND = 2.4


def coasts(plan: MapPlan) -> dict[str, tuple[Edge, ...]]:
    """By the id of each sea: edges of the outline clockwise from the start of its coast to its
    end."""
    if not plan.gamemap.seas:
        return {}
    outline = plan.outside_edges(plan.gamemap.hexes)
    lines = {edge: plan.edge_line(edge) for edge in outline}
    from_corner = {spot(start): edge for edge, (start, _) in lines.items()}
    edges_of: dict[str, tuple[Edge, ...]] = {}
    for sea in plan.gamemap.seas:
        if sea.start is None or sea.end is None:
            continue
        at, end = (spot(plan.waypoint(point)) for point in (sea.start, sea.end))
        coast: list[Edge] = []
        while at in from_corner and len(coast) < len(outline):
            coast.append(from_corner[at])
            at = spot(lines[coast[-1]][1])
            if at == end:
                break
        edges_of[sea.id] = tuple(coast)
    return edges_of


# The way to each side of a sheet.
_WAYS = {"north": (0.0, -1.0), "east": (1.0, 0.0), "south": (0.0, 1.0), "west": (-1.0, 0.0)}


def wet_edges(plan: MapPlan) -> frozenset[Edge]:
    """Edges of the outline with water beyond: those that the map declares, hex by hex or by its
    sides; where it declares none, those that are implied."""
    declared = frozenset(edge for coast in coasts(plan).values() for edge in coast if edge[1] < CUT)
    if declared:
        return declared
    outline = [edge for edge in plan.outside_edges(plan.gamemap.hexes) if edge[1] < CUT]
    sides = plan.gamemap.sea
    if "around" in sides:
        return frozenset(outline)
    if not sides:
        return frozenset(_implied(plan, outline))
    centres = [plan.centre(hexagon.at) for hexagon in plan.gamemap.hexes]
    wet = []
    for edge in outline:
        (ax, ay), (bx, by) = plan.edge_line(edge)
        x, y, (cx, cy) = (ax + bx) / 2, (ay + by) / 2, plan.centre(edge[0])
        for wx, wy in map(_WAYS.__getitem__, sides):
            faces = ((x - cx) * wx + (y - cy) * wy) / plan.across_mm
            behind = (
                (hx - x) * wx + (hy - y) * wy > 0.0
                and abs((hx - x) * wy - (hy - y) * wx) < 0.45 * plan.across_mm
                for hx, hy in centres
            )
            if measured(faces) >= 0.24 and not any(behind):
                wet.append(edge)
    return frozenset(wet)


def _implied(plan: MapPlan, outline: Sequence[Edge]) -> Iterator[Edge]:
    """Edges with water beyond where a map says nothing of its seas: of holes in the board, beside
    blue hexes, and of hexes with ports; all, if there are blue hexes but no off-board areas on its
    rim."""
    known = plan.gamemap.by_coord
    blue = {at for at, hexagon in known.items() if hexagon.tile.colour == "blue"}
    colours = {known[at].tile.colour for at, _ in outline}
    is_island = "blue" in colours and "red" not in colours
    xs, ys = zip(*known, strict=True)

    def is_in_hole(at: Coord) -> bool:
        places = {at: None}
        for place in (queue := [at]):
            if not (min(xs) < place.x < max(xs) and min(ys) < place.y < max(ys)):
                return False
            around = (neighbour(place, edge, plan.layout) for edge in EDGES)
            new = [other for other in around if other not in known and other not in places]
            places |= dict.fromkeys(new)
            queue += new
        return True

    for at, edge in outline:
        beyond = neighbour(at, edge, plan.layout)
        near = {neighbour(beyond, other, plan.layout) for other in EDGES}
        icons = {icon.name for icon in known[at].tile.icons}
        if is_island or near & blue or icons & {"port", "anchor"} or is_in_hole(beyond):
            yield at, edge


def world_items(plan: MapPlan, coast: Coast, style: Style) -> Items:
    """The surroundings of the board within its frame: water that is darker along the shores, and
    flat land with contour lines along the board."""
    frame = rectangle_path(*coast.frame)
    known = plan.gamemap.by_coord
    items: list[Item] = []
    if coast.open_sea:
        items += water_items(frame, coast, style)
        items.append(Path(commands=coast.land, fill=style.ink("map.ground")))
    inland = plan.lines(
        edge
        for edge in plan.outside_edges(plan.gamemap.hexes)
        if edge not in coast.edges and known[edge[0]].tile.colour != "blue"
    )
    contours = parallels(inland, _CONTOURS, style.ink("map.waterline"), style.ink("map.ground"))
    items.append(Group(items=tuple(contours), clip=coast.land if coast.open_sea else None))
    return (Group(items=tuple(items), clip=frame),)


def parallels(
    commands: Commands, bands: Sequence[tuple[float, float]], line: Ink, ground: Ink
) -> Iterator[Item]:
    """Parallel lines on both sides of a path, each at a distance and of a strength: wide strokes,
    each in turn covered by a narrower one of the ground."""
    for distance, strength in sorted(bands, reverse=True):
        outer = (mix(ground, line, strength), 2 * distance + _LINE_MM)
        for ink, width in (outer, (ground, 2 * distance - _LINE_MM)):
            stroke = Stroke(ink, width, join="round", cap="round")
            yield Path(commands, stroke=stroke)


def shows_water(style: Style) -> bool:
    """True if blue hexes show the water that is all round them: where words on their own blue have
    the ink that is best on water, too. Else they are painted."""
    water = mix(style.ink("map.margin"), style.ink("map.sea"), _OPEN)
    black, white = style.ink("text"), style.ink("white")
    is_dark = [
        contrast(white, ground) > contrast(black, ground)
        for ground in (style.ink("tile.blue"), water)
    ]
    return is_dark[0] == is_dark[1]


def water_items(area: Commands, coast: Coast, style: Style) -> Iterator[Item]:
    """Water in an area: shallows and fading water lines along all coasts."""
    ground, water, line = style.ink("map.margin"), style.ink("map.sea"), style.ink("map.sea.line")
    yield Path(commands=area, fill=mix(ground, water, _OPEN))
    for reach, strength, line_strength in _DEPTHS:
        shallows = mix(ground, water, strength)
        yield from parallels(coast.near, ((reach, line_strength),), line, shallows)


class Cape(NamedTuple):
    """Land between a hex of the board and the coast near one of its edges, from the middle of the
    hex out beyond the coast, and the lines that divide it from other land."""

    hexagon: MapHex
    outline: tuple[Point, ...]
    lines: tuple[tuple[Point, Point], ...]


def capes(plan: MapPlan, coast: Coast) -> Iterator[Cape]:
    """The capes of all hexes of land at the coast; off-board areas have none."""
    known, reach_mm = plan.gamemap.by_coord, CAPE_MM * plan.across_mm / DESIGN_MM
    for at, edge in sorted(coast.edges):
        if known[at].tile.colour in ("blue", "red"):
            continue
        corners = plan.edge_line((at, edge))
        middle, beyond = plan.centre(at), plan.centre(neighbour(at, edge, plan.layout))
        for part in parts_of(coast, (corners,), reach_mm, near=True):
            rim = []
            lines = []
            for end, corner, side in zip(part, corners, (edge - 1, edge + 1), strict=True):
                beside = known.get(neighbour(at, side, plan.layout))
                # On along the edge of two hexes, or out from the middle of one; else straight to the
                # coast.
                is_corner, start, to = spot(end) == spot(corner), end, beyond
                divides = True
                if is_corner and (beside is None or beside.tile.colour == "blue"):
                    start, to = middle, end
                    divides = (at, side % 6) not in coast.edges
                if (divides and to is not beyond) or not is_corner:
                    start, to = end, coast.nearest(end) or beyond
                dx, dy = to[0] - start[0], to[1] - start[1]
                # Slanting ways are longer by the cosine of 30 degrees.
                far = reach_mm / COS_30 / (math.hypot(dx, dy) or 1.0)
                out = (end[0] + dx * far, end[1] + dy * far)
                rim += [end, out]
                met = coast.crossing(end, out) if divides else None
                lines += [(end, met)] if met is not None else []
            yield Cape(known[at], (middle, rim[0], rim[1], rim[3], rim[2]), tuple(lines))


# Kept: few edits move a coast or an edge. Of capes, every edge at a coast is an entry.
@lru_cache(maxsize=512)
def parts_of(
    coast: Coast,
    edges: tuple[tuple[Point, Point], ...],
    reach_mm: float,
    *,
    near: bool = False,
    least_mm: float = 0.0,
) -> tuple[tuple[Point, Point], ...]:
    """The parts of edges of hexes that are not so near to a coast, or those that are, if they are
    long enough."""
    side = max((math.dist(*edge) for edge in edges), default=0.0) / 2 + reach_mm
    cells = {(x // side, y // side) for line in coast.lines for x, y in line}
    kept: list[tuple[Point, Point]] = []
    for a, b in edges:
        column, row = (a[0] + b[0]) / 2 // side, (a[1] + b[1]) / 2 // side
        around = ((column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        if cells.isdisjoint(around):
            kept += () if near else ((a, b),)
            continue
        steps = [between(a, b, step / _PARTS) for step in range(_PARTS + 1)]
        start = 0
        for is_near, run in groupby(coast.is_near(point, reach_mm) for point in steps):
            end = start + len([*run])
            ends = steps[start], steps[end - 1]
            if is_near is near and math.dist(*ends) >= least_mm:
                kept.append(ends)
            start = end
    return tuple(kept)


# Names, types, inks, the middles and the reach of their places, and whether they are on land.
_Wanted = tuple[str, TypeStyle, Ink, Point, float, bool]


# Kept: few edits move a coast or an edge of the board.
@lru_cache(maxsize=8)
def _outer_names(
    coast: Coast,
    centres: tuple[Point, ...],
    apothem: float,
    boxes: tuple[Rect, ...],
    wanted: tuple[_Wanted, ...],
) -> Items:
    """Names beside a board with hexes round these centres and what is in these boxes."""
    items: list[Item] = []
    left, top, width, height = coast.frame
    fields = []
    for reach in (_OFF_SHORE, _OFF_BOARD):
        discs = ((x, y, apothem * reach) for x, y in centres)
        fields.append(Field(Layout.FLAT, math.inf, 0.0, discs))
    for x, y, wide, tall in boxes:
        for field in fields:
            field.take_box(x + wide / 2, y + tall / 2, wide, tall)

    def is_clear(x: float, y: float, w: float, h: float, on_land: bool) -> bool:
        """True for a box `w` to either side of a point, and `h` up and down."""
        wide, tall = w + _OFF_FRAME_MM, h + _OFF_FRAME_MM
        if not (left + wide < x < left + width - wide and top + tall < y < top + height - tall):
            return False
        room = fields[on_land].room(x, y, (2 * w, 2 * h), enough=1.0, floor=0.0)
        return room > 0.0 and coast.clear((x - w, y - h, 2 * w, 2 * h), on_land=on_land)

    for words, kind, ink, middle, reach, on_land in wanted:
        steps = _steps(int(measured(reach / _NAME_STEP_MM)))
        for type_style in sizes_down(kind, _LESS_PT):
            best = None
            for lines in line_breaks(words):
                block = words_block(lines, type_style, ink)
                w, h = block.width / 2 + _NAME_CLEAR_MM, block.height / 2 + _NAME_CLEAR_MM
                for far, (dx, dy) in steps:
                    if far > reach or (best is not None and far >= best[0]):
                        break
                    x, y = middle[0] + dx, middle[1] + dy
                    if is_clear(x, y, w, h, on_land):
                        best = far, block, x, y
                        break
            if best is not None:
                _, block, x, y = best
                for field in fields:
                    w, h = block.width + 2 * _BETWEEN_MM, block.height + 2 * _BETWEEN_MM
                    field.take_box(x, y, w, h)
                items += (
                    replace(item, name=words) if isinstance(item, TextRun) else item
                    for item in block.at(x, y)
                )
                break
        else:
            items += left_out(words, kind, ink)
    return tuple(items)


def outer_name_items(plan: MapPlan, coast: Coast, taken: Iterable[Rect], style: Style) -> Items:
    """The name of each sea on its water, as near to the middle of its coast as there is room beside
    the board and what is `taken`; and those of lands beyond the board, near their places."""
    wanted: list[_Wanted] = []
    all_coasts = coasts(plan)
    for sea in plan.gamemap.seas:
        shore = [plan.edge_line(edge)[0] for edge in all_coasts.get(sea.id, ())]
        if not shore and sea.coasts:
            (ox, oy), across = plan.origin, plan.across_mm
            shore = [(x * across + ox, y * across + oy) for x, y in sea.coasts[0]]
        if sea.name is None or not shore:
            continue
        middle = middle_of(shore)
        reach = measured(max(math.dist(point, middle) for point in shore) * 0.7 + _NAME_REACH_MM)
        kind, ink = style.type("map.sea"), style.ink("map.sea.name")
        wanted.append((style.words(sea.name), kind, ink, middle, reach, False))
    ink = darkened(style.ink("map.region"), style.ink("map.ground"), MIN_CONTRAST)
    for land in plan.gamemap.beyond:
        at = plan.waypoint(replace(land.near, share=_BEYOND))
        wanted.append(
            (style.words(land.name), style.type("map.beyond"), ink, at, _NAME_REACH_MM, True)
        )
    centres = tuple(plan.centre(hexagon.at) for hexagon in plan.gamemap.hexes)
    return _outer_names(coast, centres, plan.across_mm / 2, tuple(taken), tuple(wanted))


@lru_cache(maxsize=64)
def _steps(count: int) -> tuple[tuple[float, Point], ...]:
    """Ways from a middle to points in rows round it, the nearest first, with their distance."""
    ways = (
        (dx * _NAME_STEP_MM, dy * _NAME_STEP_MM)
        for dx in range(-count, count + 1)
        for dy in range(-count, count + 1)
    )
    return tuple(sorted((round(math.hypot(*way), 2), way) for way in ways))


def coast_sign(style: Style) -> Items:
    """A piece of a coast, as the legend shows it."""
    box = polygon_path(((-5.5, -1.6), (5.5, -1.6), (5.5, 1.8), (-5.5, 1.8)))
    shore = polygon_path(((-5.5, -1.6), (5.5, -1.6)), closed=False)
    fill = mix(style.ink("map.margin"), style.ink("map.sea"), _OPEN)
    return (Path(commands=box, fill=fill), Path(commands=shore, stroke=style.stroke("map.shore")))
