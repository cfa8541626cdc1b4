"""Land and water of a map and round it as far as the frame, and the shores between them.

The grid of the hexes runs on beyond the board: each place there is land or water, as the nearest
edge of the board has it. Shores follow edges between land and water, broken up by midpoint
displacement (Fournier, Fussell & Carpenter 1982).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.kit.rich_text import Block, line_breaks, sizes_down, words_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import CUT, Edge, MapPlan, spot
from platelayer.drawing.map.rivers import MapPoint
from platelayer.drawing.map.room import Rect
from platelayer.foundation.seeds import chance
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import MapHex, Waypoint
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, corner_points, neighbour, opposite
from platelayer.scene.inks import contrast, mix
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Point,
    Stroke,
    middle_of,
    polygon_path,
    rectangle_path,
)

# A corner or the middle of a hex, in whole steps of a grid that holds both.
Vertex = tuple[int, int]
Ends = tuple[Vertex, Vertex]
Line = tuple[Point, ...]
Commands = tuple[Command, ...]

# Straight pieces of a shore along one edge.
_PIECES = 32
# Of so many pieces lines near the shore, and far from it, make one.
_NEAR, _FAR = 4, 8
# How much smaller each round of displacement is than the one before.
_ROUGH = 0.52
_DESIGN_MM = 38.6
_CELL_MM = 3.0


class _Manner(Struct, frozen=True):
    """How far a shore strays from its edge: `sway` in the first round; `low` and `high` are its
    bounds, towards the land (negative) and the water; `corner` is how far its corners move. In mm
    on hexes of the usual size."""

    sway: float
    low: float
    high: float
    corner: float


# Along what is printed to the rim of its hex: all of it stays land.
_FIRM = _Manner(1.8, 0.3, 2.0, 1.6)
_SOFT = _Manner(2.8, -2.0, 2.0, 2.0)
# Beyond the board.
_FREE = _Manner(5.0, -9.0, 9.0, 4.0)
# At the mouth of a river a shore lies so far back, within a bay so wide to either side and so deep.
_MOUTH_MM, _BAY_MM, _BAY_DEEP_MM = 1.1, 4.0, 3.0
# How often the zigzag of a free shore is smoothed.
_ROUNDS = 2
# How many points on both sides of a corner are smoothed, over how many on both sides, and how
# often.
_BEND, _WINDOW, _PASSES = 5, 2, 2


class _Stretch(Struct, frozen=True):
    """A shore along one edge (or from a corner to the middle) of a place; `out` points from the
    land to the water."""

    start: Vertex
    end: Vertex
    out: Point
    manner: _Manner


class Coast(Struct, frozen=True):
    """The shores of a map in mm on the sheet. Paths: `shore` in full; `near` and `far`, more and
    more simply, for what follows it off the land; `beyond`, the land round the board.

    `lines` are the shores as points; `land` and `water` the hexes of the board with a shore, as
    polygons; `edges` those of the board that are shores; `wet` the places of the grid, board and
    all, that are water to the last corner, and `cells` the squares of a fine grid through which
    shores run.
    """

    lines: tuple[Line, ...]
    shore: Commands
    near: Commands
    far: Commands
    beyond: Commands
    land: dict[Coord, Line]
    water: dict[Coord, Line]
    edges: frozenset[Edge]
    wet: frozenset[Coord]
    cells: frozenset[tuple[int, int]]
    open_sea: bool
    odd: int
    frame: Rect

    def on_water(self, point: Point, plan: MapPlan) -> bool:
        """True if a point lies in a place that is all water."""
        return _place_at(point, plan, self.odd) in self.wet

    def clear(self, box: Rect, plan: MapPlan) -> bool:
        """True if a box is on water, clear of all shores."""
        left, top, width, height = box
        if not all(
            self.on_water((left + width * across, top + height * down), plan)
            for across in (0.0, 0.5, 1.0)
            for down in (0.0, 0.5, 1.0)
        ):
            return False
        rows = range(int(top // _CELL_MM), int((top + height) // _CELL_MM) + 1)
        columns = range(int(left // _CELL_MM), int((left + width) // _CELL_MM) + 1)
        return not any((column, row) in self.cells for row in rows for column in columns)


def _place_at(point: Point, plan: MapPlan, odd: int) -> Coord:
    """The place that a point lies in, of a grid whose coordinates add up to odd (1) or even
    numbers."""
    half, pitch = plan.across_mm / 2, plan.across_mm * COS_30
    wide, tall = (pitch, half) if plan.layout is Layout.FLAT else (half, pitch)
    x, y = (point[0] - plan.origin[0]) / wide, (point[1] - plan.origin[1]) / tall
    column, row = math.floor(x), math.floor(y)
    near = ((column, row), (column, row + 1), (column + 1, row), (column + 1, row + 1))
    places = [Coord(*at) for at in near if (at[0] + at[1]) % 2 == odd]
    return min(
        places, key=lambda at: (measured(math.hypot((x - at.x) * wide, (y - at.y) * tall)), at)
    )


def _simple(line: Line, pieces: int) -> Line:
    return (*line[:-1:pieces], line[-1])


def _polygons(lines: Sequence[Line]) -> Commands:
    return tuple(command for line in lines for command in polygon_path(line))


def _joined(lines: Sequence[Line]) -> Commands:
    return tuple(
        command
        for line in lines
        for command in polygon_path(
            line if line[0] != line[-1] else line[:-1], closed=line[0] == line[-1]
        )
    )


def coast_of(plan: MapPlan, wet_edges: frozenset[Edge], room: Rect) -> Coast:
    """The shores of a map: round its blue hexes, along `wet_edges` of its outline and, between
    water and land beyond the board, as far as a frame (left, top, width, height in mm) reaches.
    Kept for each outline."""
    hexes = [hexagon for hexagon in plan.gamemap.hexes if _on_grid(hexagon)] or plan.gamemap.hexes
    kinds = tuple((hexagon.at, _kind(hexagon)) for hexagon in hexes)
    point = MapPoint(plan.layout, plan.across_mm)
    ends = (river.course[-1] for river in plan.gamemap.rivers)
    mouths = tuple(point.of(end) for end in ends if end.towards is not None and end.share == 1.0)
    outline = _Outline(
        kinds, plan.layout, plan.across_mm, plan.origin, tuple(sorted(wet_edges)), mouths, room
    )
    return _coast(outline)


def _on_grid(hexagon: MapHex) -> bool:
    """False for boxes beside the board, and for half hexes of land, which lie on land that is drawn
    round them."""
    return not hexagon.apart and (hexagon.half is None or hexagon.tile.colour == "blue")


class _Outline(Struct, frozen=True):
    """All that decides the shores of a map."""

    kinds: tuple[tuple[Coord, int], ...]
    layout: Layout
    across_mm: float
    origin: Point
    wet_edges: tuple[Edge, ...]
    mouths: tuple[Point, ...]
    room: Rect


_WATER, _SOFT_LAND, _FIRM_LAND = 0, 1, 2


def ends_at_shore(hexagon: MapHex) -> bool:
    """True for a hex whose ground ends at the shore: plain white ones. All others are whole, with a
    strip of land."""
    return hexagon.tile.colour == "white" and hexagon.tile.ground is None


def _kind(hexagon: MapHex) -> int:
    if hexagon.tile.colour == "blue":
        return _WATER
    return _SOFT_LAND if ends_at_shore(hexagon) else _FIRM_LAND


@lru_cache(maxsize=8)
def _coast(outline: _Outline) -> Coast:
    return _World(outline).coast()


class _World:
    """The grid of a map as far as its frame."""

    def __init__(self, outline: _Outline) -> None:
        self.board = board = dict(outline.kinds)
        self.layout = layout = outline.layout
        self.across_mm, self.origin, self.room = outline.across_mm, outline.origin, outline.room
        self.corners = corner_points(layout, self.across_mm)
        flat = layout is Layout.FLAT
        half, pitch = self.across_mm / 2, self.across_mm * COS_30
        self.unit = (pitch / 3, half) if flat else (half, pitch / 3)
        self.triple = (3, 1) if flat else (1, 3)
        self.offsets = [(round(x / self.unit[0]), round(y / self.unit[1])) for x, y in self.corners]
        first, _ = outline.kinds[0]
        self.odd = (first.x + first.y) % 2
        self.mouths = [(x + self.origin[0], y + self.origin[1]) for x, y in outline.mouths]
        declared = {*outline.wet_edges}
        self.sides = {
            (at, edge): (at, edge) in declared or board[at] == _WATER
            for at in board
            for edge in EDGES
            if neighbour(at, edge, layout) not in board
        }
        self.beyond = self._beyond(self._around())
        self.stretches = [*self._stretches()]
        self.spots = self._spots()

    # Which places are water

    def _around(self) -> list[Coord]:
        """Places of the grid beyond the board, as far as the frame and a hex farther."""
        left, top, width, height = self.room
        wide, tall = self.unit[0] * self.triple[0], self.unit[1] * self.triple[1]
        reach = self.across_mm
        columns = range(
            math.floor(measured((left - reach - self.origin[0]) / wide)),
            math.ceil(measured((left + width + reach - self.origin[0]) / wide)) + 1,
        )
        rows = range(
            math.floor(measured((top - reach - self.origin[1]) / tall)),
            math.ceil(measured((top + height + reach - self.origin[1]) / tall)) + 1,
        )
        return [
            at
            for x in columns
            for y in rows
            if (x + y) % 2 == self.odd and (at := Coord(x, y)) not in self.board
        ]

    def _beyond(self, around: Sequence[Coord]) -> dict[Coord, tuple[bool, ...]]:
        """For each place beyond the board which of its six parts are water."""
        heavy = (3, 1) if self.layout is Layout.FLAT else (1, 3)
        edges = []
        for (at, edge), wet in self.sides.items():
            other = neighbour(at, edge, self.layout)
            edges.append((at.x + other.x, at.y + other.y, wet))
        mixed = len({wet for *_, wet in edges}) > 1
        parts: dict[Coord, tuple[bool, ...]] = {}
        for at in around:
            touching = {
                edge: self.sides[other, opposite(edge)]
                for edge in EDGES
                if (other := neighbour(at, edge, self.layout)) in self.board
            }
            if touching:
                parts[at] = tuple(_as_near(touching, edge) for edge in EDGES)
            elif mixed:
                x, y = 2 * at.x, 2 * at.y
                # Whole numbers: ties are ties, and water wins them.
                _, dry = min(
                    (heavy[0] * (x - ex) ** 2 + heavy[1] * (y - ey) ** 2, not wet)
                    for ex, ey, wet in edges
                )
                parts[at] = (not dry,) * 6
            else:
                parts[at] = (edges[0][2],) * 6
        return parts

    def _wet(self, at: Coord, edge: int) -> bool | None:
        """True if a place is water along an edge; None beyond all that is known."""
        kind = self.board.get(at)
        if kind is not None:
            return kind == _WATER
        parts = self.beyond.get(at)
        return None if parts is None else parts[edge]

    # Where shores run

    def _stretches(self) -> Iterator[_Stretch]:
        for at in (*self.board, *self.beyond):
            for edge in (3, 4, 5):
                other = neighbour(at, edge, self.layout)
                here, there = self._wet(at, edge), self._wet(other, opposite(edge))
                if here is None or there is None or here is there:
                    continue
                land = other if here else at
                kind = self.board.get(land)
                if kind is None:
                    manner = _SOFT if at in self.board or other in self.board else _FREE
                else:
                    manner = _FIRM if kind == _FIRM_LAND else _SOFT
                x, y = (self.corners[edge - 1][k] + self.corners[edge][k] for k in (0, 1))
                way = -1.0 if here else 1.0
                length = math.hypot(x, y)
                out = (way * x / length, way * y / length)
                yield _Stretch(self._corner(at, edge - 1), self._corner(at, edge), out, manner)
            parts = self.beyond.get(at, ())
            for edge in range(len(parts)):
                after = (edge + 1) % 6
                if parts[edge] is not parts[after]:
                    x, y = self.corners[edge]
                    length = math.hypot(x, y) * (1.0 if parts[after] else -1.0)
                    yield _Stretch(
                        self._corner(at, edge), self._middle(at), (-y / length, x / length), _FREE
                    )

    def _middle(self, at: Coord) -> Vertex:
        return at.x * self.triple[0], at.y * self.triple[1]

    def _corner(self, at: Coord, corner: int) -> Vertex:
        (x, y), (dx, dy) = self._middle(at), self.offsets[corner % 6]
        return x + dx, y + dy

    def _point(self, vertex: Vertex) -> Point:
        return vertex[0] * self.unit[0] + self.origin[0], vertex[1] * self.unit[1] + self.origin[1]

    def _spots(self) -> dict[Vertex, Point]:
        """Where the corners of shores lie."""
        meeting: dict[Vertex, list[_Stretch]] = {}
        for stretch in self.stretches:
            meeting.setdefault(stretch.start, []).append(stretch)
            meeting.setdefault(stretch.end, []).append(stretch)
        spots = {vertex: self._point(vertex) for vertex in meeting}
        free = [
            vertex for vertex, meet in meeting.items() if all(each.manner is _FREE for each in meet)
        ]
        for _ in range(_ROUNDS):
            smoother: dict[Vertex, Point] = {}
            for vertex in free:
                ends = [
                    spots[meet.end if meet.start == vertex else meet.start]
                    for meet in meeting[vertex]
                ]
                if len(ends) == 2:
                    (x, y), (ax, ay), (bx, by) = spots[vertex], *ends
                    smoother[vertex] = ((2 * x + ax + bx) / 4, (2 * y + ay + by) / 4)
            spots |= smoother
        scale = self.across_mm / _DESIGN_MM
        for vertex, meet in meeting.items():
            x, y = (math.fsum(stretch.out[k] for stretch in meet) for k in (0, 1))
            length = math.hypot(x, y)
            manner = next(
                (kind for kind in (_FIRM, _SOFT) if any(each.manner is kind for each in meet)),
                _FREE,
            )
            reach = manner.corner * scale
            dx, dy = (chance(*vertex, axis) * reach for axis in (1, 2))
            if manner is _FIRM and length > 0.1:
                share = (0.7 + 0.3 * chance(*vertex, 3)) * reach
                dx, dy = x / length * share, y / length * share
            elif manner is _SOFT and length > 0.1 and self._bay(spots[vertex], self.mouths) < 0.0:
                dx, dy = -x / length * _MOUTH_MM * scale, -y / length * _MOUTH_MM * scale
            spots[vertex] = (spots[vertex][0] + dx, spots[vertex][1] + dy)
        return spots

    def _line(self, stretch: _Stretch) -> Line:
        """The shore from the start of a stretch to its end."""
        scale = self.across_mm / _DESIGN_MM
        low, high = (
            (stretch.start, stretch.end)
            if stretch.start < stretch.end
            else (stretch.end, stretch.start)
        )
        key = (low[0], low[1], high[0], high[1])
        swing = [0.0] * (_PIECES + 1)
        step, sway = _PIECES, stretch.manner.sway * scale
        (ax, ay), (bx, by) = self.spots[low], self.spots[high]
        ox, oy = stretch.out
        while step > 1:
            for at in range(step // 2, _PIECES, step):
                before, after = swing[at - step // 2], swing[at + step // 2]
                swing[at] = (before + after) / 2 + chance(*key, at) * sway
            step //= 2
            sway *= _ROUGH
        (px, py), (qx, qy) = self._point(low), self._point(high)
        start, end = ((x - px) * ox + (y - py) * oy for x, y in (self.spots[low], self.spots[high]))
        middle, half = (
            (stretch.manner.high + side * stretch.manner.low) / 2 * scale for side in (1.0, -1.0)
        )
        points = [(ax, ay)]
        mouths = self._mouths_near(((px + qx) / 2, (py + qy) / 2), self.across_mm)
        for number in range(1, _PIECES):
            share = number / _PIECES
            # How far it lies off its edge already, for its corners have moved.
            off = start + (end - start) * share
            far = (off + swing[number] - middle) / half
            out = middle + half * far / math.sqrt(1.0 + far * far)
            out = (
                min(
                    out, self._bay((px + (qx - px) * share, py + (qy - py) * share), mouths) * scale
                )
                - off
            )
            points.append((ax + (bx - ax) * share + ox * out, ay + (by - ay) * share + oy * out))
        points.append((bx, by))
        return tuple(points) if low == stretch.start else tuple(points[::-1])

    def _mouths_near(self, point: Point, far_mm: float) -> list[Point]:
        return [mouth for mouth in self.mouths if math.dist(point, mouth) < far_mm]

    def _bay(self, point: Point, mouths: Sequence[Point]) -> float:
        """How far out a shore lies at most at a point of an edge, for a river to reach the
        water."""
        scale = self.across_mm / _DESIGN_MM
        away = min([math.dist(point, mouth) / scale for mouth in mouths], default=_BAY_MM)
        return -_MOUTH_MM + _BAY_DEEP_MM * (away / _BAY_MM) ** 2 if away < _BAY_MM else math.inf

    # What is drawn

    def coast(self) -> Coast:
        """All shores."""
        lines = {(stretch.start, stretch.end): self._line(stretch) for stretch in self.stretches}
        chains = _chains(lines)
        self.spots |= {pair[end]: line[-end] for pair, line in lines.items() for end in (0, 1)}
        edges: dict[Edge, None] = {}
        land: dict[Coord, Line] = {}
        water: dict[Coord, Line] = {}
        for at, kind in self.board.items():
            edges.update(
                dict.fromkeys((at, edge) for edge in EDGES if self._is_shore(at, edge, lines))
            )
            if any(self._corner(at, corner) in self.spots for corner in EDGES):
                (water if kind == _WATER else land)[at] = self._polygon(at, lines)
        beyond = [*self._land_beyond(lines)]
        wet = [at for at, kind in self.board.items() if kind == _WATER]
        wet += [at for at, parts in self.beyond.items() if all(parts)]
        return Coast(
            lines=chains,
            shore=_joined(chains),
            near=_joined([_simple(line, _NEAR) for line in chains]),
            far=_joined([_simple(line, _FAR) for line in chains]),
            beyond=_polygons(beyond),
            land=land,
            water=water,
            edges=frozenset(edges),
            wet=frozenset(wet),
            cells=frozenset(
                (int(x // _CELL_MM), int(y // _CELL_MM)) for line in chains for x, y in line
            ),
            open_sea=any(any(parts) for parts in self.beyond.values()),
            odd=self.odd,
            frame=self.room,
        )

    def _is_shore(self, at: Coord, edge: int, lines: dict[Ends, Line]) -> bool:
        a, b = self._corner(at, edge - 1), self._corner(at, edge)
        return (a, b) in lines or (b, a) in lines

    def _side(self, at: Coord, edge: int, lines: dict[Ends, Line]) -> Line:
        """An edge of a place clockwise, with its shore if it is one, without its end."""
        a, b = self._corner(at, edge - 1), self._corner(at, edge)
        line = lines.get((a, b))
        if line is not None:
            return line[:-1]
        line = lines.get((b, a))
        if line is not None:
            return line[:0:-1]
        # Two hexes of land meet along the line of the grid, wherever their shore begins.
        ends = (*((self.spots[a],) if a in self.spots else ()), self._point(a))
        ends = (*ends, self._point(b)) if b in self.spots else ends
        return tuple((round(measured(x), 2), round(measured(y), 2)) for x, y in ends)

    def _polygon(self, at: Coord, lines: dict[Ends, Line]) -> Line:
        return tuple(point for edge in EDGES for point in self._side(at, edge, lines))

    def _land_beyond(self, lines: dict[Ends, Line]) -> Iterator[Line]:
        """Polygons of the land beyond the board: a place, or the parts of one that are land."""
        for at, parts in self.beyond.items():
            if not any(parts):
                yield self._polygon(at, lines)
            elif not all(parts):
                start = next(edge for edge in EDGES if parts[edge - 1] and not parts[edge])
                run: list[Point] = []
                middle = self._middle(at)
                for turn in range(6):
                    edge = (start + turn) % 6
                    if parts[edge]:
                        continue
                    if parts[edge - 1]:
                        spoke = (self._corner(at, edge - 1), middle)
                        run = [*lines[spoke][::-1][:-1]]
                    run += self._side(at, edge, lines)
                    if parts[(edge + 1) % 6]:
                        run += lines[self._corner(at, edge), middle][:-1]
                        yield tuple(run)


def _as_near(touching: dict[int, bool], edge: int) -> bool:
    """What the nearest known part of a place is; water where two are as near."""
    for far in range(4):
        near = [
            touching[other] for other in ((edge + far) % 6, (edge - far) % 6) if other in touching
        ]
        if near:
            return any(near)
    raise AssertionError("no part is known")


def _chains(lines: dict[Ends, Line]) -> tuple[Line, ...]:
    """Stretches joined end to end; a chain that is closed ends where it begins. Where two meet the
    bend is smoothed, in `lines` as well."""
    at: dict[Vertex, list[Ends]] = {}
    for ends in lines:
        for vertex in ends:
            at.setdefault(vertex, []).append(ends)
    used: dict[Ends, None] = {}
    chains: list[Line] = []
    starts = [vertex for vertex, meeting in at.items() if len(meeting) != 2]
    for start in (*starts, *(ends[0] for ends in lines)):
        for first in at[start]:
            if first in used:
                continue
            run: list[tuple[Ends, bool]] = []
            here, ends = start, first
            while True:
                used[ends] = None
                forward = ends[0] == here
                run.append((ends, forward))
                here = ends[1] if forward else ends[0]
                following = [other for other in at[here] if other not in used]
                if len(at[here]) != 2 or not following:
                    break
                ends = following[0]
            points = [
                point for ends, forward in run for point in _directed(lines[ends], forward)[:-1]
            ]
            closed = here == start and len(at[start]) == 2
            if not closed:
                points.append(_directed(lines[run[-1][0]], run[-1][1])[-1])
            points = _smoothed(points, closed)
            if closed:
                points.append(points[0])
            for number, (ends, forward) in enumerate(run):
                lines[ends] = _directed(
                    points[number * _PIECES : (number + 1) * _PIECES + 1], forward
                )
            chains.append(tuple(points))
    return tuple(chains)


def _directed(line: Sequence[Point], forward: bool) -> Line:
    return tuple(line) if forward else tuple(line[::-1])


def _smoothed(points: list[Point], closed: bool) -> list[Point]:
    """A chain of stretches without the angles between them; points in hundredths of a mm."""
    count = len(points)
    corners = range(0 if closed else _PIECES, count - (0 if closed else _PIECES), _PIECES)
    for _ in range(_PASSES):
        before = list(points)
        for corner in corners:
            for number in range(corner - _BEND, corner + _BEND + 1):
                near = [before[(number + step) % count] for step in range(-_WINDOW, _WINDOW + 1)]
                points[number % count] = (
                    math.fsum(x for x, _ in near) / len(near),
                    math.fsum(y for _, y in near) / len(near),
                )
    return [(round(measured(x), 2), round(measured(y), 2)) for x, y in points]


# Seas beside a map: water along its coasts, and their names.


# How far each depth reaches from the shore in mm, how blue it is, and how strong the water line
# that ends it is.
_DEPTHS = ((7.0, 0.56, 0.25), (4.7, 0.63, 0.45), (2.8, 0.72, 0.7), (1.3, 0.84, 0.9))
# How blue the open sea is.
_OPEN = 0.5
_LINE_MM = 0.13
_FAR_OUT_MM = 4.0
# How far land goes on beyond the board, and in how many steps it fades.
_FADE_MM, _FADES = 13.0, 9
_NAME_CLEAR_MM = 1.5
_FAR_MM = 60.0
_STEP_MM = 7.0
_LESS_PT = 2.0


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
        at, end = (spot(_corner(plan, point)) for point in (sea.start, sea.end))
        coast: list[Edge] = []
        while at in from_corner and len(coast) < len(outline):
            coast.append(from_corner[at])
            at = spot(lines[coast[-1]][1])
            if at == end:
                break
        edges_of[sea.id] = tuple(coast)
    return edges_of


def wet_edges(plan: MapPlan) -> frozenset[Edge]:
    """Edges of the outline with water beyond: those that the map declares. A map with blue hexes on
    its outline that declares none is an island where no off-board area lies on its outline, and all
    round it is water; else there is water where a place beyond the outline touches a blue hex."""
    declared = frozenset(edge for coast in coasts(plan).values() for edge in coast if edge[1] < CUT)
    if declared or not any(hexagon.tile.colour == "blue" for hexagon in plan.gamemap.hexes):
        return declared
    known = plan.gamemap.by_coord
    outline = [edge for edge in plan.outside_edges(plan.gamemap.hexes) if edge[1] < CUT]
    colours = {known[at].tile.colour for at, _ in outline}
    if "blue" in colours and "red" not in colours:
        return frozenset(outline)
    return frozenset(
        edge for edge in outline if _by_water(plan, neighbour(edge[0], edge[1], plan.layout))
    )


def _by_water(plan: MapPlan, place: Coord) -> bool:
    around = (plan.gamemap.by_coord.get(neighbour(place, edge, plan.layout)) for edge in EDGES)
    return any(other is not None and other.tile.colour == "blue" for other in around)


def world_items(plan: MapPlan, coast: Coast, style: Style) -> tuple[Item, ...]:
    """What lies round the board within its frame: water that is darker along the shores, and land
    that fades away."""
    frame = rectangle_path(*coast.frame)
    items: list[Item] = []
    if coast.open_sea:
        items += water_items(frame, coast, style)
        items.append(Path(commands=coast.beyond, fill=style.ink("map.ground")))
    inland = [
        edge for edge in plan.outside_edges(plan.gamemap.hexes) if _is_inland(plan, edge, coast)
    ]
    fading = tuple(_fading(plan.lines(inland), style))
    items.append(Group(items=fading, clip=coast.beyond) if coast.open_sea else Group(items=fading))
    firm = tuple(
        command
        for at, polygon in coast.land.items()
        if not ends_at_shore(plan.gamemap.by_coord[at])
        for command in polygon_path(polygon)
    )
    if firm:
        items.append(Path(commands=firm, fill=style.ink("tile.white")))
    return (Group(items=tuple(items), clip=frame),)


def _is_inland(plan: MapPlan, edge: Edge, coast: Coast) -> bool:
    return edge not in coast.edges and plan.gamemap.by_coord[edge[0]].tile.colour != "blue"


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


def water_items(area: tuple[Command, ...], coast: Coast, style: Style) -> Iterator[Item]:
    """Water in an area: shallows and fading water lines along all shores."""
    ground, water, line = style.ink("map.margin"), style.ink("map.sea"), style.ink("map.sea.line")
    yield Path(commands=area, fill=mix(ground, water, _OPEN))
    for reach, strength, line_strength in _DEPTHS:
        along = coast.far if reach > _FAR_OUT_MM else coast.near
        ink = mix(ground, water, strength)
        for colour, width in (
            (mix(ink, line, line_strength), 2 * reach + 2 * _LINE_MM),
            (ink, 2 * reach),
        ):
            yield Path(
                commands=along, stroke=Stroke(ink=colour, width_mm=width, join="round", cap="round")
            )


def _fading(along: tuple[Command, ...], style: Style) -> Iterator[Item]:
    """Land that goes on beyond the board, and fades into the paper."""
    ground, land = style.ink("map.ground"), style.ink("tile.white")
    for step in range(_FADES):
        width = 2 * _FADE_MM * (_FADES - step) / _FADES
        ink = mix(ground, land, (step + 1) / (_FADES + 1))
        yield Path(
            commands=along, stroke=Stroke(ink=ink, width_mm=width, join="round", cap="round")
        )


def sea_name_items(
    plan: MapPlan, coast: Coast, taken: Sequence[Rect], style: Style
) -> Iterator[Item]:
    """The name of each sea on its water, as near to the middle of its coast as there is room beside
    the board."""
    beside = _Beside(
        plan, coast, list(taken), [plan.centre(hexagon.at) for hexagon in plan.gamemap.hexes]
    )
    all_coasts = coasts(plan)
    for sea in plan.gamemap.seas:
        shore = [plan.edge_line(edge)[0] for edge in all_coasts[sea.id]]
        if sea.name is None or not shore:
            continue
        middle = middle_of(shore)
        reach = measured(max(math.dist(point, middle) for point in shore) * 0.7 + _FAR_MM)
        steps = _steps(int(measured(reach / _STEP_MM)))
        for type_style in sizes_down(style.type("map.sea"), _LESS_PT):
            best: tuple[float, Block, Point] | None = None
            for lines in line_breaks(style.words(sea.name)):
                block = words_block(lines, type_style, style.ink("map.sea.name"))
                for far, (dx, dy) in steps:
                    if far > reach or (best is not None and far >= best[0]):
                        break
                    at = middle[0] + dx, middle[1] + dy
                    if beside.clear(at, block):
                        best = far, block, at
                        break
            if best is not None:
                _, block, (x, y) = best
                beside.taken.append(
                    (x - block.width / 2, y - block.height / 2, block.width, block.height)
                )
                yield from block.at(x, y)
                break


@lru_cache(maxsize=64)
def _steps(count: int) -> tuple[tuple[float, Point], ...]:
    """Ways from a middle to points in rows round it, the nearest first, with their distance."""
    ways = (
        (dx * _STEP_MM, dy * _STEP_MM)
        for dx in range(-count, count + 1)
        for dy in range(-count, count + 1)
    )
    return tuple(sorted((round(math.hypot(*way), 2), way) for way in ways))


class _Beside(Struct, frozen=True):
    """What lies beside a board: water within the frame, panels, and the middles of its hexes."""

    plan: MapPlan
    coast: Coast
    taken: list[Rect]
    centres: Sequence[Point]

    def clear(self, at: Point, block: Block) -> bool:
        """True if a block finds room at a point."""
        x, y = at
        w, h = block.width / 2 + _NAME_CLEAR_MM, block.height / 2 + _NAME_CLEAR_MM
        left, top, width, height = self.coast.frame
        if not (left + w < x < left + width - w and top + h < y < top + height - h):
            return False
        if not self.coast.on_water(at, self.plan):
            return False
        for left, top, width, height in self.taken:
            if left - w < x < left + width + w and top - h < y < top + height + h:
                return False
        half = self.plan.across_mm / 2 * 1.1
        for cx, cy in self.centres:
            dx, dy = abs(cx - x) - w, abs(cy - y) - h
            if dx < half and dy < half and math.hypot(max(0.0, dx), max(0.0, dy)) < half:
                return False
        return self.coast.clear((x - w, y - h, 2 * w, 2 * h), self.plan)


def coast_sign(style: Style) -> tuple[Item, ...]:
    """A piece of a coast, as the legend shows it."""
    box = polygon_path(((-5.5, -1.6), (5.5, -1.6), (5.5, 1.8), (-5.5, 1.8)))
    shore = polygon_path(((-5.5, -1.6), (5.5, -1.6)), closed=False)
    fill = mix(style.ink("map.margin"), style.ink("map.sea"), _OPEN)
    return (Path(commands=box, fill=fill), Path(commands=shore, stroke=style.stroke("map.shore")))


def _corner(plan: MapPlan, point: Waypoint) -> Point:
    x, y = MapPoint(plan.layout, plan.across_mm).of(point)
    return x + plan.origin[0], y + plan.origin[1]
