"""Plan of a map: centres, corners, edges, and outlines of groups of hexes, in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.geometry import measured
from platelayer.model.gamemap import (
    COS_30,
    EDGES,
    Border,
    Coord,
    GameMap,
    Half,
    Layout,
    MapHex,
    Waypoint,
    centre_mm,
    corner_points,
    hex_at,
    neighbour,
    opposite,
)
from platelayer.model.tile import Tile
from platelayer.scene.flatten import bounds_of
from platelayer.scene.shapes import Command, Commands, Point, polygon_path, polygons_path

Edge = tuple[Coord, int]

# Size of the hexes that ornament on a map is designed for.
DESIGN_MM = 38.6

# Number of colours of states: the inks `map.wash.0`, `map.zone.0` and so on.
WASHES = 6

# The cut of a half hex: an edge in addition to the other six.
CUT = 6
# Added to an edge: the part of it that an adjacent half hex does not cover.
BARE = 10
_LEAST_MM = 0.05
_TOWARDS = {
    Half.LEFT: (-1.0, 0.0),
    Half.RIGHT: (1.0, 0.0),
    Half.TOP: (0.0, -1.0),
    Half.BOTTOM: (0.0, 1.0),
}


def half_polygon(half: Half, corners: Sequence[Point]) -> tuple[Point, ...]:
    """Return the corners of a half hex whose whole hex is centred on (0, 0)."""
    wx, wy = _TOWARDS[half]
    points = []
    for k in range(len(corners)):
        a, b = corners[k - 1], corners[k]
        out_a, out_b = a[0] * wx + a[1] * wy, b[0] * wx + b[1] * wy
        if min(out_a, out_b) < -1e-9 and max(out_a, out_b) > 1e-9:
            t = out_a / (out_a - out_b)
            points.append((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))
        if out_b > -1e-9:
            points.append(b)
    return tuple(points)


class _Lattice:
    """Adjacency of the hexes of a map, which depends only on their coordinates and halves."""

    def __init__(self, layout: Layout, hexes: tuple[tuple[Coord, Half | None], ...]) -> None:
        self._layout, self._halves = layout, dict(hexes)
        self._across: dict[Edge, Coord | None] = {}
        self._outside: dict[tuple[Coord, ...], tuple[Edge, ...]] = {}

    def edges_of(self, at: Coord) -> tuple[int, ...]:
        """Return the edges of a hex: six, or those of a half hex and its cut."""
        half = self._halves.get(at)
        if half is None:
            return tuple(EDGES)
        return (*(edge for edge in EDGES if half.has(edge, self._layout)), CUT)

    def across(self, edge: Edge) -> Coord | None:
        """Return the hex on the other side of an edge, if both hexes have this edge."""
        if edge not in self._across:
            at, number = edge
            beyond = None
            if number < CUT:
                other = neighbour(at, number, self._layout)
                known = other in self._halves
                if known and self._has(other, opposite(number)) and self._has(at, number):
                    beyond = other
            self._across[edge] = beyond
        return self._across[edge]

    def _has(self, at: Coord, edge: int) -> bool:
        half = self._halves.get(at)
        return half is None or half.has(edge, self._layout)

    def outside(self, group: tuple[Coord, ...]) -> tuple[Edge, ...]:
        """Return the outer edges of a group of hexes: those that no two of them share."""
        edges = self._outside.get(group)
        if edges is None:
            known = set(group)
            every = ((at, edge) for at in dict.fromkeys(group) for edge in self.edges_of(at))
            edges = self._outside[group] = tuple(
                edge for edge in every if self.across(edge) not in known
            )
        return edges

    @cached_property
    def inner(self) -> tuple[Edge, ...]:
        """Edges between two hexes, each listed once."""
        return tuple(
            (at, edge)
            for at in self._halves
            for edge in (3, 4, 5)
            if self.across((at, edge)) is not None
        )


@lru_cache(8)
def _lattice(layout: Layout, hexes: tuple[tuple[Coord, Half | None], ...]) -> _Lattice:
    """Return a lattice, shared by maps with the same hexes whatever their contents."""
    return _Lattice(layout, hexes)


def without_words(tile: Tile) -> Tile:
    """Return a tile without its name and values."""
    return replace(tile, name=None, stops=tuple(replace(stop, revenue=()) for stop in tile.stops))


class MapPlan(Struct, frozen=True, dict=True, cache_hash=True):
    """Hexes of a map on a sheet. `origin` is the point on which hex (0, 0) would be centred."""

    gamemap: GameMap
    across_mm: float
    origin: Point = (0.0, 0.0)

    @property
    def layout(self) -> Layout:
        """Orientation of the hexes."""
        return self.gamemap.layout

    @cached_property
    def corners(self) -> tuple[Point, ...]:
        """Corners of a hex centred on (0, 0)."""
        return corner_points(self.layout, self.across_mm)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all hexes."""
        hexes = self.gamemap.hexes
        if self._has_halves:
            return bounds_of([point for hexagon in hexes for point in self.polygon(hexagon.at)])
        half_width = max(x for x, _ in self.corners)
        half_height = max(y for _, y in self.corners)
        left, top, right, bottom = bounds_of([self.centre(hexagon.at) for hexagon in hexes])
        return left - half_width, top - half_height, right + half_width, bottom + half_height

    @cached_property
    def ground(self) -> MapPlan:
        """This plan without the words of its hexes, on which the ground does not depend. As long as
        edits change nothing else, it stays the same object, so that it is a fast cache key."""
        hexes = (replace(each, tile=without_words(each.tile)) for each in self.gamemap.hexes)
        return _known(replace(self, gamemap=replace(self.gamemap, hexes=tuple(hexes))))

    def moved(self, dx: float, dy: float) -> MapPlan:
        """Return this plan at another position on the sheet."""
        return replace(self, origin=(self.origin[0] + dx, self.origin[1] + dy))

    def centre(self, at: Coord) -> Point:
        """Return the centre of a hex on the sheet."""
        x, y = centre_mm(at, self.layout, self.across_mm)
        return x + self.origin[0], y + self.origin[1]

    @property
    def pitch(self) -> Point:
        """Distances between adjacent columns and rows of doubled coordinates."""
        half, pitch = self.across_mm / 2, self.across_mm * COS_30
        return (pitch, half) if self.layout is Layout.FLAT else (half, pitch)

    def hex_at(self, point: Point) -> MapHex | None:
        """Return the hex of the board in which a point lies."""
        (ox, oy), odd = self.origin, sum(self.gamemap.hexes[0].at) % 2
        at = hex_at((point[0] - ox, point[1] - oy), self.layout, self.across_mm, odd)
        return self.gamemap.by_coord.get(at)

    def waypoint(self, waypoint: Waypoint) -> Point:
        """Return the point of a waypoint on the sheet."""
        x, y = waypoint.point(self.layout, self.across_mm)
        return x + self.origin[0], y + self.origin[1]

    def polygon(self, at: Coord) -> tuple[Point, ...]:
        """Return the corners of a hex or half hex on the sheet. Corners shared by hexes are equal,
        so that no point on an edge is outside both."""
        x, y = self.centre(at)
        half = self.half_of(at)
        corners = self.corners if half is None else half_polygon(half, self.corners)
        return tuple((measured(x + dx), measured(y + dy)) for dx, dy in corners)

    def half_of(self, at: Coord) -> Half | None:
        """Return the half of a half hex; None for a whole hex and if there is no hex."""
        hexagon = self.gamemap.by_coord.get(at)
        return None if hexagon is None else hexagon.half

    def edge_line(self, edge: Edge) -> tuple[Point, Point]:
        """Return both ends of an edge, clockwise, or of the cut of a half hex."""
        at, number = edge
        if number >= BARE:
            return self._bare_part((at, number - BARE))
        x, y = self.centre(at)
        half = self.half_of(at)
        a, b = self.corners[(number - 1) % 6], self.corners[number % 6]
        if half is not None:
            wx, wy = _TOWARDS[half]
            there = half_polygon(half, self.corners)
            on_cut = [point for point in there if abs(point[0] * wx + point[1] * wy) < 1e-6]
            a, b = on_cut if number == CUT else _cut_line(a, b, (wx, wy))
        return (x + a[0], y + a[1]), (x + b[0], y + b[1])

    def _bare_part(self, edge: Edge) -> tuple[Point, Point]:
        beyond = self.across(edge)
        assert beyond is not None
        assert beyond.half is not None
        (x, y), (wx, wy) = self.centre(beyond.at), _TOWARDS[beyond.half]
        a, b = ((px - x, py - y) for px, py in self.edge_line(edge))
        a, b = _cut_line(a, b, (-wx, -wy))
        return (a[0] + x, a[1] + y), (b[0] + x, b[1] + y)

    def area(self, hexes: Iterable[MapHex]) -> Commands:
        """Return hexes as one path of several polygons, which has no seams when filled."""
        return polygons_path(self.polygon(hexagon.at) for hexagon in hexes)

    def lines(
        self, edges: Iterable[Edge], onward: Mapping[Edge, tuple[Point, Point]] | None = None
    ) -> Commands:
        """Return edges as one path, including the lines `onward` that continue some of them. Edges
        that meet are joined into runs so that corners are mitred."""
        edges = tuple(edges)
        commands: list[Command] = []
        beyond = [onward[edge] for edge in edges if edge in onward] if onward else []
        for points, closed in chains([*map(self.edge_line, edges), *beyond]):
            commands += polygon_path(points, closed=closed)
        return tuple(commands)

    def outside_edges(self, hexes: Iterable[MapHex]) -> tuple[Edge, ...]:
        """Return the outer edges of a group of hexes: those that no two of the group share, and the
        parts of edges that a half hex beyond does not reach."""
        outer = self._lattice.outside(tuple(hexagon.at for hexagon in hexes))
        if not self._has_halves:
            return outer
        bare = []
        for hexagon in hexes:
            for number in self.edges_of(hexagon):
                beyond = self.across((hexagon.at, number))
                if beyond is not None and beyond.half is not None:
                    part = self._bare_part((hexagon.at, number))
                    if math.dist(*part) > _LEAST_MM:
                        bare.append((hexagon.at, number + BARE))
        return (*outer, *bare)

    @cached_property
    def _has_halves(self) -> bool:
        return any(hexagon.half is not None for hexagon in self.gamemap.hexes)

    def edges_of(self, hexagon: MapHex) -> tuple[int, ...]:
        """Return the edges of a hex: six, or those of a half hex and its cut."""
        return self._lattice.edges_of(hexagon.at)

    @property
    def inner_edges(self) -> tuple[Edge, ...]:
        """Edges between two hexes of the map, each listed once."""
        return self._lattice.inner

    def across(self, edge: Edge) -> MapHex | None:
        """Return the hex on the other side of an edge, if both hexes have this edge."""
        at = self._lattice.across(edge)
        return None if at is None else self.gamemap.by_coord[at]

    @cached_property
    def _lattice(self) -> _Lattice:
        return _lattice(
            self.layout, tuple((hexagon.at, hexagon.half) for hexagon in self.gamemap.hexes)
        )

    @cached_property
    def borders(self) -> tuple[tuple[Edge, Border], ...]:
        """All borders, each listed once, with everything that either of its two hexes declares
        about it."""
        by_side: dict[tuple[Edge, str, str | None, str | None], Border] = {}
        for hexagon in self.gamemap.hexes:
            for border in hexagon.borders:
                edge = self.one_side((hexagon.at, border.edge))
                key = (edge, border.kind, border.since, border.until)
                known = by_side.get(key, border)
                by_side[key] = replace(
                    known,
                    cost=known.cost or border.cost,
                    colour=known.colour or border.colour,
                    name=known.name or border.name,
                )
        return tuple((key[0], border) for key, border in by_side.items())

    def one_side(self, edge: Edge) -> Edge:
        """Return the canonical form of an edge, which is the same for both its hexes."""
        at, number = edge
        other = neighbour(at, number, self.layout)
        if number in (3, 4, 5) or number >= CUT or other not in self.gamemap.by_coord:
            return at, number
        return other, opposite(number)

    @cached_property
    def state_of(self) -> dict[Coord, str]:
        """State of each hex that has one: its zone, otherwise its region unless that has a tint."""
        states = {}
        for at, hexagon in self.gamemap.by_coord.items():
            region = self.gamemap.region_of.get(hexagon.id)
            if hexagon.zone is not None:
                states[at] = f"zone {hexagon.zone}"
            elif region is not None and region.tint is None:
                states[at] = f"region {region.id}"
        return states

    @cached_property
    def state_colours(self) -> dict[str, int]:
        """Numbers of the colours of states, by a greedy colouring. Zones take them in the order of
        the map. Then, if there are several states, each region takes the colour that the fewest
        of its neighbours have, and of these the rarest."""
        states = [*dict.fromkeys(self.state_of.values())]
        beside: dict[str, set[str]] = {}
        for edge in self.inner_edges:
            other = self.across(edge)
            assert other is not None
            one, two = self.state_of.get(edge[0]), self.state_of.get(other.at)
            if one is not None and two is not None and one != two:
                beside.setdefault(one, set()).add(two)
                beside.setdefault(two, set()).add(one)
        zones = [state for state in states if state.startswith("zone ")]
        colours = {zone: number % WASHES for number, zone in enumerate(zones)}
        for region in self.gamemap.regions if len(states) > 1 else ():
            state = f"region {region.id}"
            taken = [colours[other] for other in beside.get(state, ()) if other in colours]
            used = [*colours.values()]
            colours[state] = min(
                range(WASHES), key=lambda colour: (taken.count(colour), used.count(colour), colour)
            )
        return colours

    @cached_property
    def open_edges(self) -> frozenset[Edge]:
        """Edges on which no line is drawn because their hexes belong together."""
        return frozenset(edge for edge, border in self.borders if border.kind == "none")


@lru_cache(8)
def _known(plan: MapPlan) -> MapPlan:
    """Return the first of all equal plans."""
    return plan


def _cut_line(a: Point, b: Point, towards: Point) -> tuple[Point, Point]:
    """Return the part of an edge that a half hex has, on the side of the cut that points
    `towards`."""
    out_a, out_b = a[0] * towards[0] + a[1] * towards[1], b[0] * towards[0] + b[1] * towards[1]
    t = 0.0
    if (out_a < -1e-9) != (out_b < -1e-9) and abs(out_a - out_b) > 1e-9:
        t = out_a / (out_a - out_b)
    met = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
    return (met if out_a < -1e-9 else a), (met if out_b < -1e-9 else b)


def spot(point: Point) -> tuple[int, int]:
    """Return a point as a key, rounded to a fiftieth of a mm so that the ends of lines that meet
    are equal."""
    return round(point[0] * 50), round(point[1] * 50)


def chains(lines: Sequence[tuple[Point, Point]]) -> list[tuple[list[Point], bool]]:
    """Join lines end to end into runs (points, closed), in order of first appearance."""
    at: dict[tuple[int, int], list[int]] = {}
    for index, line in enumerate(lines):
        for point in line:
            at.setdefault(spot(point), []).append(index)
    used = set()
    outlines = []
    for index, line in enumerate(lines):
        if index in used:
            continue
        used.add(index)
        points = [*line[::-1]]
        # Extend the line at its end, then reverse it and extend the other end. Stop where more than
        # two lines meet: a join there would depend on their order.
        for _ in range(2):
            points.reverse()
            while True:
                here = at[spot(points[-1])]
                free = [other for other in here if other not in used]
                if len(here) != 2 or not free:
                    break
                used.add(free[0])
                a, b = lines[free[0]]
                points.append(b if spot(a) == spot(points[-1]) else a)
        closed = len(points) > 2 and spot(points[0]) == spot(points[-1])
        outlines.append((points[:-1] if closed else points, closed))
    return outlines
