"""Land and water on a map and round it as far as the frame, and the shores between them.

The grid of hexes runs on beyond the board: each place there is land or water, as the nearest edge
of the board is. Shores follow the edges between land and water, broken up by midpoint displacement
(Fournier, Fussell & Carpenter, "Computer Rendering of Stochastic Models", CACM 25, 1982).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from platelayer.drawing.kit.rich_text import line_breaks, sizes_down, words_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import CUT, DESIGN_MM, Edge, MapPlan, spot, waypoint_mm
from platelayer.drawing.map.room import Rect
from platelayer.foundation.geometry import measured
from platelayer.foundation.seeds import chance
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, corner_points, neighbour, opposite
from platelayer.scene.inks import contrast, mix
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Stroke,
    middle_of,
    polygon_path,
    polygons_path,
    rectangle_path,
)

# A corner or the middle of a hex, in whole steps of a grid that holds both: corners that two hexes
# share are equal, which points in mm need not be.
Vertex = tuple[int, int]
Ends = tuple[Vertex, Vertex]
Line = tuple[Point, ...]

# Straight pieces of a shore along one edge (a power of two, as it is halved), and how many of them
# the simpler lines near the shore and far from it take together.
_PIECES, _NEAR, _FAR = 32, 4, 8
# Each round of displacement is this much smaller than the one before: 2**-H with H = 0.94, smoother
# than real coasts (H = 0.75), so that a shore does not look frayed in print.
_ROUGH = 0.52
# Side of the squares by which shores are found.
_CELL_MM = 3.0


class _Manner(Frozen):
    """Freedom of a shore round its edge, in mm on hexes of the usual size: `sway` of the first
    displacement, bounds towards the land (`low`, negative) and the water (`high`), and the way that
    its corners move."""

    sway: float
    low: float
    high: float
    corner: float


# Hexes that are printed to their rim stay land to the last corner; plain ones may lose some; beyond
# the board nothing is at stake.
_FIRM = _Manner(1.8, 0.3, 2.0, 1.6)
_SOFT = _Manner(2.8, -2.0, 2.0, 2.0)
_FREE = _Manner(5.0, -9.0, 9.0, 4.0)
# At the mouth of a river a shore lies so far back, within a bay so wide to either side and so deep.
_MOUTH_MM, _BAY_MM, _BAY_DEEP_MM = 1.1, 4.0, 3.0
# The zigzag of a free shore along the edges of the grid is smoothed so often.
_ROUNDS = 2
# Points smoothed on both sides of a corner, over how many on both sides each, and how often.
_BEND, _WINDOW, _PASSES = 5, 2, 2


class _Stretch(Frozen):
    """A shore along one edge, or from a corner to the middle of a place that is part land, part
    water; `out` points from the land to the water."""

    start: Vertex
    end: Vertex
    out: Point
    manner: _Manner


class Coast(Frozen):
    """The shores of a map in mm on the sheet. Paths: `shore` in full; `near` and `far`, more and
    more simply, for water lines, whose strokes hide the detail; `beyond`, the land round the board.

    `lines` are the shores as points; `land` and `water` the hexes of the board with a shore, as
    polygons; `edges` those of the board that are shores; `wet` the places of the grid, board and
    all, that are water to the last corner, and `cells` the squares of a fine grid through which
    shores run. The coordinates of places add up to an odd number if `odd` is 1, else to an even
    one.
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
        places = [at for at in plan.places_round(point) if (at.x + at.y) % 2 == self.odd]
        nearest = min(places, key=lambda at: (measured(math.dist(plan.centre(at), point)), at))
        return nearest in self.wet

    def clear(self, box: Rect, plan: MapPlan) -> bool:
        """True if a box is on water, clear of all shores."""
        left, top, width, height = box
        for across in (0.0, 0.5, 1.0):
            for down in (0.0, 0.5, 1.0):
                if not self.on_water((left + width * across, top + height * down), plan):
                    return False
        rows = range(int(top // _CELL_MM), int((top + height) // _CELL_MM) + 1)
        columns = range(int(left // _CELL_MM), int((left + width) // _CELL_MM) + 1)
        return not any((column, row) in self.cells for row in rows for column in columns)


def ends_at_shore(hexagon: MapHex) -> bool:
    """True for a hex whose ground ends at the shore: a plain white one. All others are printed
    whole, with a strip of land round them."""
    return hexagon.tile.colour == "white" and hexagon.tile.ground is None


_WATER, _SOFT_LAND, _FIRM_LAND = 0, 1, 2


def coast_of(plan: MapPlan, wet_edges: frozenset[Edge], room: Rect) -> Coast:
    """The shores of a map: round its blue hexes, along `wet_edges` of its outline and, between
    water and land beyond the board, as far as a frame (left, top, width, height in mm) reaches."""
    # Boxes beside the board are not on the grid; half hexes of land lie on land drawn round them.
    hexes = [
        hexagon
        for hexagon in plan.gamemap.hexes
        if not hexagon.apart and (hexagon.half is None or hexagon.tile.colour == "blue")
    ]
    kinds = []
    for hexagon in hexes or plan.gamemap.hexes:
        land = _SOFT_LAND if ends_at_shore(hexagon) else _FIRM_LAND
        kinds.append((hexagon.at, _WATER if hexagon.tile.colour == "blue" else land))
    ends = (river.course[-1] for river in plan.gamemap.rivers)
    mouths = tuple(
        waypoint_mm(end, plan.layout, plan.across_mm)
        for end in ends
        if end.towards is not None and end.share == 1.0
    )
    wet = tuple(sorted(wet_edges))
    return _coast(
        _Outline(tuple(kinds), plan.layout, plan.across_mm, plan.origin, wet, mouths, room)
    )


class _Outline(Frozen):
    """All that decides the shores of a map: its coast is kept by it."""

    kinds: tuple[tuple[Coord, int], ...]
    layout: Layout
    across_mm: float
    origin: Point
    wet_edges: tuple[Edge, ...]
    mouths: tuple[Point, ...]
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
        self.origin, self.room = outline.origin, outline.room
        self.scale = across_mm / DESIGN_MM
        self.corners = corner_points(layout, across_mm)
        flat = layout is Layout.FLAT
        half, pitch = across_mm / 2, across_mm * COS_30
        # Corners of hexes lie at thirds of the wider pitch: in units of a third they, too, are
        # whole.
        self.unit = (pitch / 3, half) if flat else (half, pitch / 3)
        self.triple = (3, 1) if flat else (1, 3)
        self.offsets = [(round(x / self.unit[0]), round(y / self.unit[1])) for x, y in self.corners]
        self.odd = sum(outline.kinds[0][0]) % 2
        self.mouths = [(x + self.origin[0], y + self.origin[1]) for x, y in outline.mouths]
        self.sides = {
            (at, edge): (at, edge) in outline.wet_edges or board[at] == _WATER
            for at in board
            for edge in EDGES
            if neighbour(at, edge, layout) not in board
        }
        self.beyond = self._beyond()
        self.stretches = [*self._stretches()]
        self.spots = self._spots()

    def _beyond(self) -> dict[Coord, tuple[bool, ...]]:
        """For each place beyond the board, as far as the frame and a hex farther, which of its six
        parts are water."""
        left, top, width, height = self.room
        wide, tall = self.unit[0] * self.triple[0], self.unit[1] * self.triple[1]
        reach = self.across_mm
        ox, oy = self.origin
        first_x = math.floor(measured((left - reach - ox) / wide))
        last_x = math.ceil(measured((left + width + reach - ox) / wide))
        first_y = math.floor(measured((top - reach - oy) / tall))
        last_y = math.ceil(measured((top + height + reach - oy) / tall))
        edges = []
        for (at, edge), wet in self.sides.items():
            other = neighbour(at, edge, self.layout)
            edges.append((at.x + other.x, at.y + other.y, wet))
        mixed = len({wet for *_, wet in edges}) > 1
        parts: dict[Coord, tuple[bool, ...]] = {}
        for x in range(first_x, last_x + 1):
            for y in range(first_y, last_y + 1):
                at = Coord(x, y)
                if (x + y) % 2 != self.odd or at in self.board:
                    continue
                touching = {
                    edge: self.sides[other, opposite(edge)]
                    for edge in EDGES
                    if (other := neighbour(at, edge, self.layout)) in self.board
                }
                if touching:
                    parts[at] = tuple(_as_near(touching, edge) for edge in EDGES)
                elif mixed:
                    # Squares of distances in whole numbers, in units in which hexes are regular:
                    # ties are exact, and water wins them.
                    _, dry = min(
                        (
                            self.triple[0] * (2 * x - ex) ** 2 + self.triple[1] * (2 * y - ey) ** 2,
                            not wet,
                        )
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

    def _stretches(self) -> Iterator[_Stretch]:
        for at in (*self.board, *self.beyond):
            for edge in (3, 4, 5):  # the others are edges of neighbours
                other = neighbour(at, edge, self.layout)
                here, there = self._wet(at, edge), self._wet(other, opposite(edge))
                if here is None or there is None or here is there:
                    continue
                kind = self.board.get(other if here else at)
                if kind is None:
                    manner = _SOFT if at in self.board or other in self.board else _FREE
                else:
                    manner = _FIRM if kind == _FIRM_LAND else _SOFT
                (ax, ay), (bx, by) = self.corners[edge - 1], self.corners[edge]
                x, y = ax + bx, ay + by
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
                    out = (-y / length, x / length)
                    yield _Stretch(self._corner(at, edge), self._middle(at), out, _FREE)

    def _middle(self, at: Coord) -> Vertex:
        return at.x * self.triple[0], at.y * self.triple[1]

    def _corner(self, at: Coord, corner: int) -> Vertex:
        (x, y), (dx, dy) = self._middle(at), self.offsets[corner % 6]
        return x + dx, y + dy

    def _point(self, vertex: Vertex) -> Point:
        return vertex[0] * self.unit[0] + self.origin[0], vertex[1] * self.unit[1] + self.origin[1]

    def _spots(self) -> dict[Vertex, Point]:
        """Points of the corners of shores: moved off the grid, each by its own chance."""
        meeting: dict[Vertex, list[_Stretch]] = {}
        for stretch in self.stretches:
            meeting.setdefault(stretch.start, []).append(stretch)
            meeting.setdefault(stretch.end, []).append(stretch)
        spots = {vertex: self._point(vertex) for vertex in meeting}
        for _ in range(_ROUNDS):
            smoother: dict[Vertex, Point] = {}
            for vertex, meet in meeting.items():
                if len(meet) == 2 and all(stretch.manner is _FREE for stretch in meet):
                    (ax, ay), (bx, by) = (
                        spots[stretch.end if stretch.start == vertex else stretch.start]
                        for stretch in meet
                    )
                    x, y = spots[vertex]
                    smoother[vertex] = ((2 * x + ax + bx) / 4, (2 * y + ay + by) / 4)
            spots |= smoother
        for vertex, meet in meeting.items():
            x = math.fsum(stretch.out[0] for stretch in meet)
            y = math.fsum(stretch.out[1] for stretch in meet)
            length = math.hypot(x, y)
            manners = [stretch.manner for stretch in meet]
            manner = _FIRM if _FIRM in manners else _SOFT if _SOFT in manners else _FREE
            reach = manner.corner * self.scale
            dx, dy = chance(*vertex, 1) * reach, chance(*vertex, 2) * reach
            if manner is _FIRM and length > 0.1:  # never inland
                share = (0.7 + 0.3 * chance(*vertex, 3)) * reach
                dx, dy = x / length * share, y / length * share
            elif manner is _SOFT and length > 0.1 and self._bay(spots[vertex], self.mouths) < 0.0:
                back = _MOUTH_MM * self.scale
                dx, dy = -x / length * back, -y / length * back
            spots[vertex] = (spots[vertex][0] + dx, spots[vertex][1] + dy)
        return spots

    def _line(self, stretch: _Stretch) -> Line:
        """The shore from the start of a stretch to its end."""
        # Always worked out from the lower corner: neighbours get the same line.
        low, high = sorted((stretch.start, stretch.end))
        swing = [0.0] * (_PIECES + 1)
        step, sway = _PIECES, stretch.manner.sway * self.scale
        while step > 1:
            for at in range(step // 2, _PIECES, step):
                between = (swing[at - step // 2] + swing[at + step // 2]) / 2
                swing[at] = between + chance(*low, *high, at) * sway
            step //= 2
            sway *= _ROUGH
        (ax, ay), (bx, by) = self.spots[low], self.spots[high]
        (px, py), (qx, qy) = self._point(low), self._point(high)
        ox, oy = stretch.out
        # Corners have moved: the line between them lies off the edge by this at its ends. (`out`
        # is square to the edge, so any of its points will do.)
        start = (ax - px) * ox + (ay - py) * oy
        end = (bx - px) * ox + (by - py) * oy
        manner = stretch.manner
        middle = (manner.high + manner.low) / 2 * self.scale
        half = (manner.high - manner.low) / 2 * self.scale
        centre = ((px + qx) / 2, (py + qy) / 2)
        mouths = [mouth for mouth in self.mouths if math.dist(centre, mouth) < self.across_mm]
        points = [(ax, ay)]
        for number in range(1, _PIECES):
            share = number / _PIECES
            off = start + (end - start) * share
            # A soft clamp between the bounds, x / sqrt(1 + x * x): cut off hard, a shore would run
            # along its bound in a straight line.
            far = (off + swing[number] - middle) / half
            out = middle + half * far / math.sqrt(1.0 + far * far)
            on_edge = (px + (qx - px) * share, py + (qy - py) * share)
            out = min(out, self._bay(on_edge, mouths) * self.scale) - off
            points.append((ax + (bx - ax) * share + ox * out, ay + (by - ay) * share + oy * out))
        points.append((bx, by))
        return tuple(points) if low == stretch.start else tuple(points[::-1])

    def _bay(self, point: Point, mouths: Sequence[Point]) -> float:
        """Farthest distance off an edge at which a shore may lie near a point, so that a river
        reaches the water: a parabola round its mouth."""
        away = min([math.dist(point, mouth) / self.scale for mouth in mouths], default=_BAY_MM)
        return -_MOUTH_MM + _BAY_DEEP_MM * (away / _BAY_MM) ** 2 if away < _BAY_MM else math.inf

    def coast(self) -> Coast:
        """All shores."""
        lines = {(stretch.start, stretch.end): self._line(stretch) for stretch in self.stretches}
        chains = _chains(lines)
        self.spots |= {pair[end]: line[-end] for pair, line in lines.items() for end in (0, 1)}
        edges: list[Edge] = []
        land: dict[Coord, Line] = {}
        water: dict[Coord, Line] = {}
        for at, kind in self.board.items():
            corners = [self._corner(at, corner) for corner in EDGES]
            for edge in EDGES:
                ends = (corners[edge - 1], corners[edge])
                if ends in lines or ends[::-1] in lines:
                    edges.append((at, edge))
            if any(corner in self.spots for corner in corners):
                (water if kind == _WATER else land)[at] = self._polygon(at, lines)
        wet = [at for at, kind in self.board.items() if kind == _WATER]
        wet += [at for at, parts in self.beyond.items() if all(parts)]
        cells = ((int(x // _CELL_MM), int(y // _CELL_MM)) for line in chains for x, y in line)
        return Coast(
            lines=chains,
            shore=_joined(chains, 1),
            near=_joined(chains, _NEAR),
            far=_joined(chains, _FAR),
            beyond=polygons_path(self._land_beyond(lines)),
            land=land,
            water=water,
            edges=frozenset(edges),
            wet=frozenset(wet),
            cells=frozenset(cells),
            open_sea=any(any(parts) for parts in self.beyond.values()),
            odd=self.odd,
            frame=self.room,
        )

    def _side(self, at: Coord, edge: int, lines: dict[Ends, Line]) -> Line:
        """An edge of a place clockwise, with its shore if it is one, without its end."""
        a, b = self._corner(at, edge - 1), self._corner(at, edge)
        if (a, b) in lines:
            return lines[a, b][:-1]
        if (b, a) in lines:
            return lines[b, a][:0:-1]
        # Two hexes of land meet along the line of the grid, wherever their shore begins.
        ends = [self._point(a)]
        if a in self.spots:
            ends.insert(0, self.spots[a])
        if b in self.spots:
            ends.append(self._point(b))
        return tuple((round(measured(x), 2), round(measured(y), 2)) for x, y in ends)

    def _polygon(self, at: Coord, lines: dict[Ends, Line]) -> Line:
        return tuple(point for edge in EDGES for point in self._side(at, edge, lines))

    def _land_beyond(self, lines: dict[Ends, Line]) -> Iterator[Line]:
        """Polygons of the land beyond the board: a place, or the parts of one that are land."""
        for at, parts in self.beyond.items():
            if not any(parts):
                yield self._polygon(at, lines)
            elif not all(parts):
                # Each run of parts that are land begins with a spoke out from the middle and ends
                # with one back to it; going round from the first part after water meets each whole.
                start = next(edge for edge in EDGES if parts[edge - 1] and not parts[edge])
                run: list[Point] = []
                middle = self._middle(at)
                for turn in range(6):
                    edge = (start + turn) % 6
                    if parts[edge]:
                        continue
                    if parts[edge - 1]:
                        run = [*lines[self._corner(at, edge - 1), middle][:0:-1]]
                    run += self._side(at, edge, lines)
                    if parts[(edge + 1) % 6]:
                        run += lines[self._corner(at, edge), middle][:-1]
                        yield tuple(run)


def _joined(chains: Sequence[Line], pieces: int) -> Commands:
    """Chains as one path, so many of their pieces taken together."""
    commands: list[Command] = []
    for chain in chains:
        line = (*chain[:-1:pieces], chain[-1])
        closed = line[0] == line[-1]
        commands += polygon_path(line[:-1] if closed else line, closed=closed)
    return tuple(commands)


def _as_near(touching: dict[int, bool], edge: int) -> bool:
    """Water or land as on the nearest known edge of a place; water where two are as near."""
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
    used: set[Ends] = set()
    chains: list[Line] = []
    # Open chains first, from where they end or fork: what is left runs in circles.
    starts = [vertex for vertex, meeting in at.items() if len(meeting) != 2]
    for start in (*starts, *(ends[0] for ends in lines)):
        for first in at[start]:
            if first in used:
                continue
            run: list[tuple[Ends, bool]] = []
            here, ends = start, first
            while True:
                used.add(ends)
                forward = ends[0] == here
                run.append((ends, forward))
                here = ends[1] if forward else ends[0]
                following = [other for other in at[here] if other not in used]
                if len(at[here]) != 2 or not following:
                    break
                ends = following[0]
            points: list[Point] = []
            for ends, forward in run:
                points += _directed(lines[ends], forward)[:-1]
            closed = here == start and len(at[start]) == 2
            if not closed:
                points.append(_directed(lines[run[-1][0]], run[-1][1])[-1])
            points = _smoothed(points, closed)
            if closed:
                points.append(points[0])
            for number, (ends, forward) in enumerate(run):
                piece = points[number * _PIECES : (number + 1) * _PIECES + 1]
                lines[ends] = _directed(piece, forward)
            chains.append(tuple(points))
    return tuple(chains)


def _directed(line: Sequence[Point], forward: bool) -> Line:
    return tuple(line) if forward else tuple(line[::-1])


def _smoothed(points: list[Point], closed: bool) -> list[Point]:
    """A chain of stretches without the angles between them; points in hundredths of a mm."""
    count = len(points)
    end = 0 if closed else _PIECES
    for _ in range(_PASSES):
        before = list(points)
        for corner in range(end, count - end, _PIECES):
            for number in range(corner - _BEND, corner + _BEND + 1):
                near = [before[(number + step) % count] for step in range(-_WINDOW, _WINDOW + 1)]
                points[number % count] = middle_of(near)
    return [(round(measured(x), 2), round(measured(y), 2)) for x, y in points]


# Seas beside a map: water along its coasts, and their names.

# For each depth: its reach from the shore in mm, the share of blue in its water, and the strength
# of the water line that ends it. Wide ones come first, as narrower ones are laid on them.
_DEPTHS = ((7.0, 0.56, 0.25), (4.7, 0.63, 0.45), (2.8, 0.72, 0.7), (1.3, 0.84, 0.9))
# Share of blue in the open sea.
_OPEN = 0.5
_LINE_MM = 0.13
# Depths that reach farther follow the simplest line.
_FAR_OUT_MM = 4.0
# Land goes on so far beyond the board, and fades in so many steps.
_FADE_MM, _FADES = 13.0, 9
_NAME_CLEAR_MM = 1.5
# Names of seas are tried so far beyond their coast, on points this far apart, and in sizes that
# differ by this much.
_NAME_REACH_MM, _NAME_STEP_MM, _LESS_PT = 60.0, 7.0, 2.0


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
        at, end = (spot(plan.waypoint(point)) for point in (sea.start, sea.end))
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
    known = plan.gamemap.by_coord
    blue = {at for at, hexagon in known.items() if hexagon.tile.colour == "blue"}
    if declared or not blue:
        return declared
    outline = [edge for edge in plan.outside_edges(plan.gamemap.hexes) if edge[1] < CUT]
    colours = {known[at].tile.colour for at, _ in outline}
    if "blue" in colours and "red" not in colours:
        return frozenset(outline)
    wet = []
    for at, edge in outline:
        beyond = neighbour(at, edge, plan.layout)
        if any(neighbour(beyond, other, plan.layout) in blue for other in EDGES):
            wet.append((at, edge))
    return frozenset(wet)


def world_items(plan: MapPlan, coast: Coast, style: Style) -> Items:
    """The surroundings of the board within its frame: water that is darker along the shores, and
    land that fades away."""
    frame = rectangle_path(*coast.frame)
    known = plan.gamemap.by_coord
    items: list[Item] = []
    if coast.open_sea:
        items += water_items(frame, coast, style)
        items.append(Path(commands=coast.beyond, fill=style.ink("map.ground")))
    inland = plan.lines(
        edge
        for edge in plan.outside_edges(plan.gamemap.hexes)
        if edge not in coast.edges and known[edge[0]].tile.colour != "blue"
    )
    fading: list[Item] = []
    for step in range(_FADES):
        width = 2 * _FADE_MM * (_FADES - step) / _FADES
        ink = mix(style.ink("map.ground"), style.ink("tile.white"), (step + 1) / (_FADES + 1))
        stroke = Stroke(ink=ink, width_mm=width, join="round", cap="round")
        fading.append(Path(commands=inland, stroke=stroke))
    items.append(Group(items=tuple(fading), clip=coast.beyond if coast.open_sea else None))
    firm = polygons_path(
        polygon for at, polygon in coast.land.items() if not ends_at_shore(known[at])
    )
    if firm:
        items.append(Path(commands=firm, fill=style.ink("tile.white")))
    return (Group(items=tuple(items), clip=frame),)


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
    """Water in an area: shallows and fading water lines along all shores."""
    ground, water, line = style.ink("map.margin"), style.ink("map.sea"), style.ink("map.sea.line")
    yield Path(commands=area, fill=mix(ground, water, _OPEN))
    for reach, strength, line_strength in _DEPTHS:
        along = coast.far if reach > _FAR_OUT_MM else coast.near
        shallows = mix(ground, water, strength)
        # A water line is the rim that a wider stroke leaves round the shallows.
        rim = mix(shallows, line, line_strength)
        for ink, width in ((rim, 2 * reach + 2 * _LINE_MM), (shallows, 2 * reach)):
            stroke = Stroke(ink=ink, width_mm=width, join="round", cap="round")
            yield Path(commands=along, stroke=stroke)


def sea_name_items(
    plan: MapPlan, coast: Coast, taken: Sequence[Rect], style: Style
) -> Iterator[Item]:
    """The name of each sea on its water, as near to the middle of its coast as there is room beside
    the board and what is `taken`."""
    taken = list(taken)
    centres = [plan.centre(hexagon.at) for hexagon in plan.gamemap.hexes]
    radius = plan.across_mm / 2 * 1.1

    def is_clear(x: float, y: float, w: float, h: float) -> bool:
        """True for a box `w` to either side of a point, and `h` up and down; quick tests first."""
        left, top, width, height = coast.frame
        if not (left + w < x < left + width - w and top + h < y < top + height - h):
            return False
        if not coast.on_water((x, y), plan):
            return False
        for left, top, width, height in taken:
            if left - w < x < left + width + w and top - h < y < top + height + h:
                return False
        for cx, cy in centres:
            dx, dy = abs(cx - x) - w, abs(cy - y) - h
            if dx < radius and dy < radius and math.hypot(max(0.0, dx), max(0.0, dy)) < radius:
                return False
        return coast.clear((x - w, y - h, 2 * w, 2 * h), plan)

    all_coasts = coasts(plan)
    for sea in plan.gamemap.seas:
        shore = [plan.edge_line(edge)[0] for edge in all_coasts[sea.id]]
        if sea.name is None or not shore:
            continue
        middle = middle_of(shore)
        reach = measured(max(math.dist(point, middle) for point in shore) * 0.7 + _NAME_REACH_MM)
        steps = _steps(int(measured(reach / _NAME_STEP_MM)))
        for type_style in sizes_down(style.type("map.sea"), _LESS_PT):
            best = None
            for lines in line_breaks(style.words(sea.name)):
                block = words_block(lines, type_style, style.ink("map.sea.name"))
                w, h = block.width / 2 + _NAME_CLEAR_MM, block.height / 2 + _NAME_CLEAR_MM
                for far, (dx, dy) in steps:
                    if far > reach or (best is not None and far >= best[0]):
                        break
                    x, y = middle[0] + dx, middle[1] + dy
                    if is_clear(x, y, w, h):
                        best = far, block, x, y
                        break
            if best is not None:
                _, block, x, y = best
                box = (x - block.width / 2, y - block.height / 2, block.width, block.height)
                taken.append(box)
                yield from block.at(x, y)
                break


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
