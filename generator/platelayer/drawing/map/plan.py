"""The plan of a map: centres, corners, edges, and outlines of groups of hexes, in mm."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from platelayer.model.gamemap import Border, GameMap, MapHex
from platelayer.model.hexes import EDGES, Coord, Layout, centre_mm, corner_points, neighbour, opposite
from platelayer.scene.shapes import Command, Point, polygon_path

Edge = tuple[Coord, int]


class MapPlan(Struct, frozen=True, kw_only=True, dict=True):
    """The hexes of a map on a sheet; `origin` is where hex (0, 0) would be centred."""

    gamemap: GameMap
    across_mm: float
    origin: Point = (0.0, 0.0)

    @property
    def layout(self) -> Layout:
        """Which way the hexes lie."""
        return self.gamemap.layout

    @cached_property
    def corners(self) -> tuple[Point, ...]:
        """The corners of a hex centred on (0, 0)."""
        return corner_points(self.layout, self.across_mm)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all hexes."""
        half_width = max(x for x, _ in self.corners)
        half_height = max(y for _, y in self.corners)
        centres = [self.centre(hexagon.at) for hexagon in self.gamemap.hexes]
        xs, ys = [x for x, _ in centres], [y for _, y in centres]
        return min(xs) - half_width, min(ys) - half_height, max(xs) + half_width, max(ys) + half_height

    def moved(self, dx: float, dy: float) -> MapPlan:
        """The same plan elsewhere on the sheet."""
        return replace(self, origin=(self.origin[0] + dx, self.origin[1] + dy))

    def centre(self, at: Coord) -> Point:
        """Centre of a hex."""
        x, y = centre_mm(at, self.layout, self.across_mm)
        return x + self.origin[0], y + self.origin[1]

    def polygon(self, at: Coord) -> tuple[Point, ...]:
        """Corners of a hex on the sheet."""
        x, y = self.centre(at)
        return tuple((x + dx, y + dy) for dx, dy in self.corners)

    def edge_line(self, edge: Edge) -> tuple[Point, Point]:
        """Both ends of an edge, clockwise."""
        at, number = edge
        polygon = self.polygon(at)
        return polygon[(number - 1) % 6], polygon[number % 6]

    def area(self, hexes: Iterable[MapHex]) -> tuple[Command, ...]:
        """Hexes as one path of many polygons: without seams when it is filled."""
        return tuple(command for hexagon in hexes for command in polygon_path(self.polygon(hexagon.at)))

    def lines(self, edges: Iterable[Edge]) -> tuple[Command, ...]:
        """Edges as one path; those that meet are joined to runs so that corners are mitred."""
        return tuple(
            command
            for points, closed in _chains([self.edge_line(edge) for edge in edges])
            for command in polygon_path(points, closed=closed)
        )

    def outside_edges(self, hexes: Iterable[MapHex]) -> tuple[Edge, ...]:
        """Edges of a group of hexes that no two of the group share."""
        group = {hexagon.at: None for hexagon in hexes}
        return tuple((at, edge) for at in group for edge in EDGES if neighbour(at, edge, self.layout) not in group)

    @cached_property
    def inner_edges(self) -> tuple[Edge, ...]:
        """Edges between two hexes of the map, each once."""
        known = self.gamemap.by_coord
        return tuple(
            (hexagon.at, edge)
            for hexagon in self.gamemap.hexes
            for edge in (3, 4, 5)
            if neighbour(hexagon.at, edge, self.layout) in known
        )

    def across(self, edge: Edge) -> MapHex | None:
        """The hex on the other side of an edge."""
        return self.gamemap.by_coord.get(neighbour(edge[0], edge[1], self.layout))

    @cached_property
    def borders(self) -> tuple[tuple[Edge, Border], ...]:
        """Every border once, whichever of the two hexes (or both) declares it."""
        found: dict[tuple[Edge, str, str | None, str | None], Border] = {}
        for hexagon in self.gamemap.hexes:
            for border in hexagon.borders:
                key = (self.one_side((hexagon.at, border.edge)), border.kind, border.since, border.until)
                if key not in found or border.cost > found[key].cost:
                    found[key] = border
        return tuple((key[0], border) for key, border in found.items())

    def one_side(self, edge: Edge) -> Edge:
        """The name of an edge that both its hexes agree on."""
        at, number = edge
        other = neighbour(at, number, self.layout)
        if number in (3, 4, 5) or other not in self.gamemap.by_coord:
            return at, number
        return other, opposite(number)

    @cached_property
    def open_edges(self) -> frozenset[Edge]:
        """Edges on which no line is drawn: their hexes belong together."""
        return frozenset(edge for edge, border in self.borders if border.kind == "none")


def _chains(lines: Iterable[tuple[Point, Point]]) -> list[tuple[list[Point], bool]]:
    """Lines joined end to end into runs (points, closed), in order of first appearance."""

    def key(point: Point) -> tuple[int, int]:
        return round(point[0] * 50), round(point[1] * 50)

    lines = list(lines)
    at: dict[tuple[int, int], list[int]] = {}
    for index, line in enumerate(lines):
        for point in line:
            at.setdefault(key(point), []).append(index)
    used = [False] * len(lines)

    def extend(points: list[Point]) -> None:
        while True:
            here = at[key(points[-1])]
            free = [index for index in here if not used[index]]
            # Where more than two lines meet each run ends: a join there would depend on their order.
            if len(here) != 2 or not free:
                return
            used[free[0]] = True
            a, b = lines[free[0]]
            points.append(b if key(a) == key(points[-1]) else a)

    found: list[tuple[list[Point], bool]] = []
    for index, (a, b) in enumerate(lines):
        if used[index]:
            continue
        used[index] = True
        points = [a, b]
        extend(points)
        points.reverse()
        extend(points)
        closed = len(points) > 2 and key(points[0]) == key(points[-1])
        found.append((points[:-1] if closed else points, closed))
    return found
