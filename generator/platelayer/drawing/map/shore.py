"""Land and water on a map and around it as far as the frame, and the coasts between them.

A map gives its coasts point by point; otherwise, they follow the edges between land and water. For
this, the grid of hexes continues beyond the board, and each hex there is land or water like the
nearest edge of the board. These coasts are smoothed until the hexes are no longer recognisable, and
get bays and capes from a lattice noise (Perlin, "An Image Synthesizer", SIGGRAPH 1985) that depends
only on the position: an edit changes only the coast beside it.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Disc, between, meeting
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
    edge_point,
    hex_at,
    neighbour,
    opposite,
)
from platelayer.scene.shapes import (
    Command,
    Commands,
    Point,
    middle_of,
    polygon_path,
    polygons_path,
)

Line = tuple[Point, ...]

# Kinds of hexes.
_WATER, _EMPTY, _SHOWING, _FIRM, _RED = range(5)
# Number of points on an edge. Moving sums over the second number of points to either side, applied
# twice, remove the hexagons from a coast; the last smoothing removes the kinks caused by its
# limits.
_STEPS, _WINDOW, _LAST = 18, 7, 1
# Waves of a coast: length and height in mm on hexes of the usual size.
_WAVES = ((46.0, 4.0), (19.0, 2.2), (9.0, 1.7), (4.2, 0.9), (2.6, 0.4))
# Minimum distance of a coast beyond the edges of hexes: of empty ones, of those with contents, as
# names and prices are near their rim, and of those printed to their rim, whose strip of land is at
# random wider by up to `_SPARE_MM`. Beyond a circle, in apothems, a coast may cut off all corners.
_LEAST_MM, _SPARE_MM = {_EMPTY: -3.0, _SHOWING: -0.6, _FIRM: 0.8, _RED: 0.8}, 1.6
_ROUND = {_EMPTY: 1.0, _SHOWING: 1.06, _FIRM: 2.0, _RED: 2.0}
# A given coast with longer steps than this is subdivided, with waves whose height is this share of
# a step.
_STEP_MM, _TREMOR = 3.0, 0.11
_FAR_OFF_MM = 4000.0
# Distance to which coasts continue beyond the frame, so that the edges of their shallows are
# invisible.
_BEYOND_MM = 12.0
# Number of points that are merged into one for the simpler line of shallows.
_NEAR = 3
# Height of the rows in which water is distinguished from land.
_ROW_MM = 2.0
# Number of parts of an edge, number of those from whose ends a coast is searched, and number of
# those near its end.
_PARTS, _LOOKS, _NIGH = 24, 12, 4
# Maximum distance from a hex of the board at which land as far as the coast gets the ground of the
# hex. The second distance applies to a headland or bay enclosed by hexes and coasts, which would be
# a patch of another colour, with nothing on it but the ends of contour lines.
_CAPE_MM, _FAR_MM = 12.0, 60.0
# Step of the search for water; size of cells in which land is measured; width to either side where
# it continues; and maximum number of cells that count as enclosed.
_LOOK_MM, _CELL_MM, _NECK_MM, _MOST_CELLS = 2.5, 4.0, 6.0, 110


class Cape(NamedTuple):
    """Land between a hex of the board and the coast near one of its edges. The outline runs from
    the middle of the hex to a little beyond the coast. `lines` divide the cape from other land;
    each has the edge that it continues, if any."""

    at: Coord
    outline: tuple[Point, ...]
    lines: tuple[tuple[tuple[Point, Point], Edge | None], ...]


class Coast(Frozen, dict=True, eq=False):
    """Coasts of a map in mm on the sheet. `lines` are their points, `land` is all land as far as
    the frame; `shore` and `near` are the lines as paths, in full and simplified.

    `edges` are the edges of the board with water beyond; each has its parts beyond which there are
    no `capes`. All hexes of land except off-board areas have capes. `rows` has the points where
    coasts cross the middle of each numbered row of the sheet, beginning with water at the left.
    """

    lines: tuple[Line, ...]
    land: Commands
    shore: Commands
    near: Commands
    edges: dict[Edge, tuple[tuple[Point, Point], ...]]
    capes: tuple[Cape, ...]
    rows: dict[int, list[float]]
    is_island: bool
    frame: Rect

    @property
    def open_sea(self) -> bool:
        """True if there is any water."""
        return self.is_island or bool(self.lines)

    def on_water(self, point: Point) -> bool:
        """Return True if a point lies in water."""
        crossed = bisect(self.rows.get(int(point[1] // _ROW_MM), ()), point[0])
        return crossed % 2 == 0

    def clear(self, box: Rect, *, on_land: bool) -> bool:
        """Return True if a box is entirely on water or, with `on_land`, on land, clear of all
        shores."""
        left, top, width, height = box
        for row in range(int(top // _ROW_MM), int((top + height) // _ROW_MM) + 1):
            crossings = self.rows.get(row, ())
            before = bisect(crossings, left)
            if before % 2 != on_land or bisect(crossings, left + width) != before:
                return False
        return True

    def crossing(self, a: Point, b: Point) -> Point | None:
        """Return the first point at which the line from one point to another meets a coast."""
        count = 1 + int(measured(math.dist(a, b) / _CAPE_MM))
        places = (between(a, b, step / count) for step in range(count))
        met = (meeting(a, b, c, d) for place in places for c, d in self._squares.near(place))
        share = min((shares[0] for shares in met if shares is not None), default=None)
        return None if share is None else between(a, b, share)

    def is_near(self, point: Point, reach_mm: float) -> bool:
        """Return True if a coast is nearer than `reach_mm`."""
        near = self.nearest(point)
        return near is not None and math.dist(point, near) < reach_mm

    def nearest(self, point: Point) -> Point | None:
        """Return the nearest point of a coast; None if all coasts are far away."""
        steps = (start for start, _ in self._squares.near(point))
        return min(steps, key=lambda start: measured(math.dist(start, point)), default=None)

    @cached_property
    def _squares(self) -> Squares[tuple[Point, Point]]:
        squares = Squares[tuple[Point, Point]](_CAPE_MM)
        for line in self.lines:
            for step in pairwise(line):
                squares.add(step[0], step)
        return squares


def ends_at_shore(hexagon: MapHex) -> bool:
    """Return True for a hex whose ground ends at the shore: a plain white one. All other hexes are
    printed whole, surrounded by a strip of land."""
    return hexagon.tile.colour == "white" and hexagon.tile.ground is None


def coast_of(plan: MapPlan, room: Rect) -> Coast:
    """Return the coasts of a map as far as a frame (left, top, width, height in mm)."""
    # Boxes beside the board are not on the grid; half hexes of land lie on land drawn around them.
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
        kinds.append((hexagon.at, {"blue": _WATER, "red": _RED}.get(tile.colour, land)))
    wet = () if given else tuple(sorted(wet_edges(plan)))
    return _coast(
        _Outline(tuple(kinds), plan.layout, plan.across_mm, plan.origin, wet, given, room)
    )


class _Outline(Frozen):
    """Everything on which the coasts of a map depend; the cache key for them."""

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
        self.open: dict[tuple[int, int], bool] = {}
        self.targets: dict[Edge, list[Point | None]] = {}
        # Squares with coasts, with the width of the distance within which they matter.
        self.coastal: set[Point] | None = None

    def coast(self) -> Coast:
        """Return all coasts."""
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
        # Without coasts, a board with water on all sides is an island.
        if votes < 0 and (pieces or not all(self.sides.values())):
            rings = _rings(pieces, self.box, 1)
            rows = _rows(rings)
        coast = Coast(
            lines=tuple(map(tuple, pieces)),
            land=polygons_path(rings),
            shore=_joined(pieces, 1),
            near=_joined(pieces, _NEAR),
            edges={},
            capes=(),
            rows=rows,
            is_island=not rings,
            frame=self.room,
        )
        edges = self._edges_at_water(coast) if self.given else self._own(shores)
        targets = {edge: self._targets(coast, edge) for edge in sorted(edges)}
        bare: dict[Edge, tuple[tuple[Point, Point], ...]] = {}
        capes: list[Cape] = []
        for edge, found in targets.items():
            line, runs, start = self._edge_line(edge), [], 0
            for is_bare, run in groupby(target is None for target in found):
                end = start + len([*run])
                runs.append((is_bare, start, end - 1))
                start = end
            bare[edge] = tuple(
                (between(*line, first / _LOOKS), between(*line, last / _LOOKS))
                for is_bare, first, last in runs
                if is_bare
            )
            if self.board[edge[0]] not in (_WATER, _RED):
                capes += (
                    self._cape(coast, edge, targets, first, last)
                    for is_bare, first, last in runs
                    if not is_bare and last > first
                )
        return replace(coast, edges=bare, capes=tuple(capes))

    def _ahead(self, coast: Coast, start: Point, way: Point) -> float:
        """Return the distance in mm from a point to water along a unit vector; infinite if no water
        is near."""
        left, top, width, height = self.room
        (x, y), (dx, dy) = start, way
        for step in range(1, int(measured(_FAR_MM * self.scale / _LOOK_MM)) + 1):
            x, y = x + dx * _LOOK_MM, y + dy * _LOOK_MM
            if not (left < x < left + width and top < y < top + height):
                break
            if coast.on_water((x, y)):
                return step * _LOOK_MM
        return math.inf

    def _out(self, edge: Edge) -> Point:
        """Return the unit vector straight out from an edge."""
        (ax, ay), (bx, by) = self._edge_line(edge)
        return _unit(by - ay, ax - bx)  # edges run clockwise

    def _targets(self, coast: Coast, edge: Edge) -> list[Point | None]:
        """Return, for points of an edge, a point behind the coast beyond the edge; None if there is
        no cape between."""
        if edge in self.targets:
            return self.targets[edge]
        line, (dx, dy), near_mm = self._edge_line(edge), self._out(edge), _CAPE_MM * self.scale
        (x, y), side = between(*line, 0.5), _FAR_MM * self.scale
        if self.coastal is None:
            self.coastal = {(ax // side, ay // side) for piece in coast.lines for ax, ay in piece}
        around = ((x // side + dx, y // side + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        if self.coastal.isdisjoint(around):
            return [None] * (_LOOKS + 1)
        points = [between(*line, step / _LOOKS) for step in range(_LOOKS + 1)]
        ahead = [self._ahead(coast, point, (dx, dy)) for point in points]
        # A coast within the hex ends no land beyond it.
        nearest = [
            shore
            if way > near_mm
            and (shore := coast.nearest(point)) is not None
            and (shore[0] - point[0]) * dx + (shore[1] - point[1]) * dy > -_LOOK_MM
            else point
            for way, point in zip(ahead, points, strict=True)
        ]
        near = [
            min(way, math.dist(shore, point) or near_mm)
            for way, shore, point in zip(ahead, nearest, points, strict=True)
        ]
        is_coastal = min(ahead) < math.inf or min(near) < near_mm
        if is_coastal and self._is_enclosed(coast, points[1::3], (dx, dy)):
            most = max((way for way in ahead if way < math.inf), default=near_mm)
            ahead = [
                most if way == math.inf and far >= near_mm else way
                for way, far in zip(ahead, near, strict=True)
            ]
            near_mm = _FAR_MM * self.scale
        targets = self.targets[edge] = list[Point | None]()
        for (x, y), way, shore, far in zip(points, ahead, nearest, near, strict=True):
            if far >= near_mm:
                targets.append(None)
            elif way <= near_mm:
                targets.append((x + dx * way, y + dy * way))
            else:
                targets.append(between((x, y), shore, 1.0 + _LOOK_MM / far))
        return targets

    def _is_enclosed(self, coast: Coast, points: Sequence[Point], out: Point) -> bool:
        """Return True if the land beyond the board that begins at points of an edge ends near
        it."""
        left, top, width, height = self.room
        cell, neck = _CELL_MM * self.scale, _NECK_MM * self.scale
        starts = ((px + out[0] * neck, py + out[1] * neck) for px, py in points)
        queue = [*dict.fromkeys((round(px / cell), round(py / cell)) for px, py in starts)]
        queue = [place for place in queue if self._is_open(coast, *place)]
        seen = set(queue)
        for column, row in queue:
            is_framed = left < column * cell < left + width and top < row * cell < top + height
            if not is_framed or len(seen) > _MOST_CELLS:
                return False
            around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
            new = [place for place in around if place not in seen and self._is_open(coast, *place)]
            seen.update(new)
            queue += new
        return True

    def _is_open(self, coast: Coast, column: int, row: int) -> bool:
        """Return True for a cell of land beyond the board that is not in a neck between coasts."""
        known = self.open.get((column, row))
        if known is None:
            x, y = column * _CELL_MM * self.scale, row * _CELL_MM * self.scale
            neck = _NECK_MM * self.scale
            (ox, oy), around = self.origin, ((0, 0), (neck, 0), (-neck, 0), (0, neck), (0, -neck))
            known = (
                not any(coast.on_water((x + dx, y + dy)) for dx, dy in around)
                and hex_at((x - ox, y - oy), self.layout, self.across_mm, self.odd)
                not in self.board
            )
            self.open[column, row] = known
        return known

    def _cape(
        self,
        coast: Coast,
        edge: Edge,
        targets: dict[Edge, list[Point | None]],
        first: int,
        last: int,
    ) -> Cape:
        """Return the cape of a part of an edge, from one of its points to another. The outline
        follows the coast only a little beyond it, as there is other land across a strait."""
        (at, number), line = edge, self._edge_line(edge)
        rim = [target for target in targets[edge][first : last + 1] if target is not None]
        ways = [
            math.dist(target, between(*line, step / _LOOKS))
            for step, target in enumerate(rim, first)
        ]
        outs: list[Point] = []
        lines: list[tuple[tuple[Point, Point], Edge | None]] = []
        for step, side in ((first, number - 1), (last, number + 1)):
            end = between(*line, step / _LOOKS)
            beside = (at, side % 6)
            other = self.board.get(neighbour(*beside, self.layout), _WATER)
            is_corner = step in (0, _LOOKS)
            onward = is_corner and other != _WATER
            # Continue along the edge between two hexes, or outwards from the centre of a hex
            # between two capes; otherwise go straight to the coast.
            middle, (x, y) = self._point(at), end
            shared = beside in targets and targets[beside][_LOOKS - step] is not None
            nearest = coast.nearest(end)
            if onward:
                beyond = self._point(neighbour(*edge, self.layout))
                way = _unit(beyond[0] - x, beyond[1] - y)
            elif (is_corner and shared) or nearest is None:
                way = _unit(x - middle[0], y - middle[1])
            else:
                way = _unit(nearest[0] - x, nearest[1] - y)
            # To the first water; oblique ways are longer by the cosine of 30 degrees.
            far = max(ways[:_NIGH] if step == first else ways[-_NIGH:]) / COS_30 + _LOOK_MM
            # Water is known by rows: a coast that is slanting may lie as much farther on.
            far = min(far, self._ahead(coast, end, way) + _ROW_MM)
            met = coast.crossing(end, (x + way[0] * far, y + way[1] * far))
            if met is not None and (onward or not (is_corner and shared)):
                lines.append(((end, met), beside if onward else None))
            outs.append((x + way[0] * far, y + way[1] * far))
        ends = (between(*line, first / _LOOKS), between(*line, last / _LOOKS))
        # Other capes begin beyond the sides of a cape: those of neighbours around a hollow meet in
        # its middle.
        if (both := meeting(ends[0], outs[0], ends[1], outs[1])) is not None:
            outs, rim = [between(ends[0], outs[0], both[0])] * 2, []
        # Straight out from a corner that another hex shares is land of that hex.
        crossed = [start for (start, _), edge in lines if edge is not None]
        starts = (between(*line, (first + index) / _LOOKS) for index in range(len(rim)))
        rim = [
            target
            for start, target in zip(starts, rim, strict=True)
            if start not in crossed
            and (
                start in ends
                or not any(meeting(start, target, *side) for side in zip(ends, outs, strict=True))
            )
        ]
        outline = (self._point(at), ends[0], outs[0], *rim, outs[1], ends[1])
        return Cape(at, outline, tuple(lines))

    def _own(self, edges: Iterable[Edge]) -> Iterator[Edge]:
        """Yield edges in the form that their hexes on the board have."""
        for at, edge in edges:
            for side in ((at, edge), (neighbour(at, edge, self.layout), opposite(edge))):
                if side[0] in self.board:
                    yield side

    def _edges_at_water(self, coast: Coast) -> Iterator[Edge]:
        """Yield edges of the board between land and water, on maps that give their coasts."""
        for at, kind in self.board.items():
            for edge in EDGES:
                other = self.board.get(neighbour(at, edge, self.layout))
                if other is not None:
                    if (kind == _WATER) is not (other == _WATER):
                        yield at, edge
                elif kind != _WATER and self._targets(coast, (at, edge))[_LOOKS // 2]:
                    yield at, edge

    def _shores(self) -> Iterator[Edge]:
        """Yield edges between land and water, as far as one hex beyond the frame. Hexes beyond the
        board are water if at least half of their edges on the board's outline have water beyond;
        without such edges, if the nearest edge has, where water wins ties."""
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
            for edge in (3, 4, 5):  # the other edges belong to neighbours
                if wet.get(neighbour(at, edge, self.layout), is_wet) is not is_wet:
                    yield at, edge

    def _point(self, at: Coord) -> Point:
        """Return the middle of a hex, on the board or beyond it."""
        x, y = centre_mm(at, self.layout, self.across_mm)
        return x + self.origin[0], y + self.origin[1]

    def _edge_line(self, edge: Edge) -> tuple[Point, Point]:
        (x, y), number = self._point(edge[0]), edge[1]
        (ax, ay), (bx, by) = self.corners[number - 1], self.corners[number]
        return (x + ax, y + ay), (x + bx, y + by)

    def _wave(self, x: float, y: float, number: int) -> float:
        """Return the height of a wave of the coast at a point, from -1 to 1: random values at the
        corners of a grid, interpolated smoothly."""
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
        """Return a coast along edges of hexes."""
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
        """Return a point moved away from the middle of a hex, as far beyond its edges as a coast
        must be; by `spare` more around hexes that are printed to their rim."""
        x, y = self._point(land)
        dx, dy = point[0] - x, point[1] - y
        across, along = (dy, dx) if self.layout is Layout.FLAT else (dx, dy)
        # Distances to the three pairs of edges.
        half, slant = across / 2, along * COS_30
        far = max(abs(across), abs(half + slant), abs(half - slant))
        kind, apothem = self.board[land], self.across_mm / 2
        least = apothem + (_LEAST_MM[kind] + spare * (kind >= _FIRM)) * self.scale
        out = min(least / far, _ROUND[kind] * apothem / math.hypot(dx, dy)) if far else 1.0
        return (x + dx * out, y + dy * out) if out > 1.0 else point

    def _broken_up(self, given: Line) -> list[Point]:
        """Return a given coast in mm: in short steps, continued straight beyond its ends, and
        around all hexes that are printed to their rims."""
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
            if self.board.get(at, _WATER) >= _FIRM:
                points[index] = self._off((x, y), at, 0.0)
        line = [(round(measured(x), 2), round(measured(y), 2)) for x, y in points]
        if closed or len(line) < 2:
            return line
        ends = []
        for (ax, ay), (bx, by) in ((line[1], line[0]), (line[-2], line[-1])):
            far = _FAR_OFF_MM / (math.hypot(bx - ax, by - ay) or 1.0)
            ends.append((bx + (bx - ax) * far, by + (by - ay) * far))
        return [ends[0], *line, ends[1]]


def _unit(x: float, y: float) -> Point:
    size = math.hypot(x, y) or 1.0
    return x / size, y / size


def _averages(line: Sequence[Point], reach: int, closed: bool) -> list[Point]:
    """Return, for each point, the mean of the points up to `reach` to either side; the ends of open
    lines stay."""
    count = len(line)
    averages = []
    for index in range(count):
        near = reach if closed else min(reach, index, count - 1 - index)
        averages.append(middle_of([line[k % count] for k in range(index - near, index + near + 1)]))
    return averages


_Box = tuple[float, float, float, float]


def _within(line: Sequence[Point], box: _Box) -> list[list[Point]]:
    """Return the parts of a line within a box (left, top, right, bottom)."""
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
    """Return the land between coasts and the sides of a box on which their ends lie. The ends
    divide the sides into stretches; every other stretch is land, beginning with number `first`
    (0 or 1). Rings of land and rings of water within it run in opposite directions."""
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    corners = (
        (wide, (right, top)),
        (wide + tall, (right, bottom)),
        (2 * wide + tall, (left, bottom)),
        (2 * (wide + tall), (left, top)),
    )

    def round_box(x: float, y: float) -> float:
        """Return the distance clockwise around the box from its upper left corner to a point on its
        sides."""
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
    # For each end of a piece: the sides of the box from there, and the end of a piece to which they
    # lead.
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
    """Return True if a point lies in a ring."""
    crossings = 0
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (ay <= y) is not (by <= y) and ax + (bx - ax) * (y - ay) / (by - ay) < x:
            crossings += 1
    return crossings % 2 == 1


def _rows(rings: Sequence[Line]) -> dict[int, list[float]]:
    """Return, by the number of the row, the positions at which rings cross the middle of the
    row."""
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
    """Return coasts as one path, with `together` steps merged into one, fewer in short coasts."""
    commands: list[Command] = []
    for piece in pieces:
        line = (*piece[: -1 : min(together, 1 + len(piece) // 8)], piece[-1])
        closed = line[0] == line[-1]
        commands += polygon_path(line[:-1] if closed else line, closed=closed)
    return tuple(commands)


# Seas beside a map.


def coasts(plan: MapPlan) -> dict[str, tuple[Edge, ...]]:
    """Return, by the id of each sea, the edges of the outline clockwise from the start of its coast
    to its end."""
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


# Distance between circles that cover coasts, and their radius.
_INLET_STEP_MM, _INLET_MM = 1.2, 0.9


def inlets(plan: MapPlan, coast: Coast | None, least: float) -> dict[Coord, tuple[Disc, ...]]:
    """Return, for each hex of land into which water reaches by at least this share of its width,
    the circles that cover its coasts, relative to its middle, in mm."""
    if coast is None:
        return {}
    ending = tuple(hexagon.at for hexagon in plan.gamemap.hexes if ends_at_shore(hexagon))
    found = _inlets(coast, ending, plan.layout, plan.across_mm, plan.origin)
    return {at: discs for at, (rim, discs) in found.items() if rim < (0.5 - least) * plan.across_mm}


# Kept: few edits move a coast or make a hex end at one.
@lru_cache(maxsize=8)
def _inlets(
    coast: Coast, ending: tuple[Coord, ...], layout: Layout, across: float, origin: Point
) -> dict[Coord, tuple[float, tuple[Disc, ...]]]:
    """Return for each hex that ends at a coast in it how near water comes to its middle, and the
    circles that cover the coast."""
    found: dict[Coord, list[Disc]] = defaultdict(list)
    rims: dict[Coord, float] = {}
    known = {at: centre_mm(at, layout, across) for at in ending}
    ways = [edge_point(edge, layout, 1.0) for edge in EDGES]
    for line in coast.lines if ending else ():
        for a, b in pairwise(line):
            steps = math.ceil(measured(math.dist(a, b) / _INLET_STEP_MM))
            for x, y in (between(a, b, step / steps) for step in range(steps)):
                px, py = x - origin[0], y - origin[1]
                at = hex_at((px, py), layout, across, sum(ending[0]) % 2)
                if at in known:
                    dx, dy = px - known[at][0], py - known[at][1]
                    found[at].append((round(dx, 2), round(dy, 2), _INLET_MM))
                    rim = measured(max(dx * wx + dy * wy for wx, wy in ways))
                    rims[at] = min(rim, rims.get(at, math.inf))
    return {at: (rims[at], tuple(discs)) for at, discs in found.items()}


# Direction to each side of a sheet.
_WAYS = {"north": (0.0, -1.0), "east": (1.0, 0.0), "south": (0.0, 1.0), "west": (-1.0, 0.0)}


def wet_edges(plan: MapPlan) -> frozenset[Edge]:
    """Return the edges of the outline with water beyond: those that the map declares, by coasts or
    by sides; if it declares none, those that are implied."""
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
    """Yield the edges with water beyond for a map that declares no seas: edges of holes in the
    board, beside blue hexes, and of hexes with ports; all edges, if there are blue hexes but no
    off-board areas on its rim."""
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


# Cached, as few edits move a coast or an edge.
@lru_cache(maxsize=16)
def parts_of(
    coast: Coast,
    edges: tuple[tuple[Point, Point], ...],
    reach_mm: float,
    *,
    least_mm: float = 0.0,
) -> tuple[tuple[Point, Point], ...]:
    """Return the parts of edges of hexes that are not within `reach_mm` of a coast and are at least
    `least_mm` long."""
    side = max((math.dist(*edge) for edge in edges), default=0.0) / 2 + reach_mm
    cells = {(x // side, y // side) for line in coast.lines for x, y in line}
    kept: list[tuple[Point, Point]] = []
    for a, b in edges:
        column, row = (a[0] + b[0]) / 2 // side, (a[1] + b[1]) / 2 // side
        around = ((column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        if cells.isdisjoint(around):
            kept.append((a, b))
            continue
        steps = [between(a, b, step / _PARTS) for step in range(_PARTS + 1)]
        start = 0
        for is_near, run in groupby(coast.is_near(point, reach_mm) for point in steps):
            end = start + len([*run])
            ends = steps[start], steps[end - 1]
            if not is_near and math.dist(*ends) >= least_mm:
                kept.append(ends)
            start = end
    return tuple(kept)
