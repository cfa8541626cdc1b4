"""A grid of hexes laid on the earth, and the land below it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from platelayer.earth.read import Circle, City, Place, cities, is_land, near
from platelayer.foundation.geometry import contours
from platelayer.model.gamemap import (
    COS_30,
    EDGES,
    Coord,
    Layout,
    centre_mm,
    edge_point,
    hex_at,
    neighbour,
)

# Distance from the middle of the grid in widths of a hex, to the right and down.
Point = tuple[float, float]
Line = list[Point]

_EARTH_KM = 6371.0
# Default number of cells of the land raster across a hex, and number of lines scanned in each row.
CELLS = 16
_SCANS = 2
# Distance beyond the grid for which land and water are known, in hexes: as far as a sheet shows.
MARGIN = 5
# Half the width of the transition between given land and water, and amplitude of the coast's waves
# there.
_SOFT, _WINDS = 0.06, 0.1
# Width of water along an edge, in hexes.
_STRAIT = 0.17
# Hexes with at least this much land are land.
LEAST_LAND = 0.22


class Grid(NamedTuple):
    """Hexes around a place in columns and rows, each hex `km` wide from flat to flat.

    The earth is projected by Lambert's azimuthal equal-area projection around the place and turned
    clockwise by `turn` degrees.
    """

    lon: float
    lat: float
    columns: int
    rows: int
    km: float
    layout: Layout
    turn: float = 0.0

    @property
    def hexes(self) -> list[Coord]:
        """All hexes, row by row."""
        flat = self.layout is Layout.FLAT
        return [
            Coord(column, 2 * row + column % 2) if flat else Coord(2 * column + row % 2, row)
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    @property
    def shift(self) -> Point:
        """Vector from the middle of hex (0, 0) to the middle of the grid."""
        flat = self.layout is Layout.FLAT
        lines, places = (self.columns, self.rows) if flat else (self.rows, self.columns)
        along, across = (lines - 1) * COS_30 / 2, (places - 1 + (lines > 1) / 2) / 2
        return (along, across) if flat else (across, along)

    def centre(self, at: Coord) -> Point:
        """Return the middle of a hex."""
        (x, y), (middle_x, middle_y) = centre_mm(at, self.layout, 1.0), self.shift
        return x - middle_x, y - middle_y

    def flat(self, places: Iterable[Place]) -> Line:
        """Return places as points on the map."""
        sin, cos = math.sin, math.cos
        sin_0, cos_0 = sin(math.radians(self.lat)), cos(math.radians(self.lat))
        scale = _EARTH_KM / self.km
        right, down = cos(math.radians(self.turn)), sin(math.radians(self.turn))
        points = []
        for lon, lat in places:
            away, up = math.radians(lon - self.lon), math.radians(lat)
            sin_lat, cos_lat, cos_away = sin(up), cos(up), cos(away)
            near = 1.0 + sin_0 * sin_lat + cos_0 * cos_lat * cos_away
            k = scale * math.sqrt(2.0 / max(near, 1e-9))
            x = k * cos_lat * sin(away)
            y = -k * (cos_0 * sin_lat - sin_0 * cos_lat * cos_away)
            points.append((x * right - y * down, x * down + y * right))
        return points

    def place(self, point: Point) -> Place:
        """Return the place at a point."""
        right, down = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x = (point[0] * right + point[1] * down) * self.km / _EARTH_KM
        y = (point[0] * down - point[1] * right) * self.km / _EARTH_KM
        rho = math.hypot(x, y)
        if rho == 0.0:
            return self.lon, self.lat
        c = 2.0 * math.asin(min(rho / 2.0, 1.0))
        sin_0, cos_0 = math.sin(math.radians(self.lat)), math.cos(math.radians(self.lat))
        lat = math.asin(max(-1.0, min(1.0, math.cos(c) * sin_0 + y * math.sin(c) * cos_0 / rho)))
        away = math.atan2(x * math.sin(c), rho * cos_0 * math.cos(c) - y * sin_0 * math.sin(c))
        lon = (self.lon + math.degrees(away) + 180.0) % 360.0 - 180.0
        return lon, math.degrees(lat)

    def circle(self, margin: float) -> Circle:
        """Return the part of the earth that covers all hexes and `margin` hexes beyond."""
        reach = max(math.hypot(*self.centre(at)) for at in self.hexes) + margin + 1.0
        angle = 2.0 * math.asin(min(reach * self.km / _EARTH_KM / 2.0, 1.0))
        return Circle(self.lon, self.lat, math.degrees(angle))


class Survey:
    """Land and water below a grid."""

    def __init__(self, grid: Grid, cells: int = CELLS) -> None:
        self.grid, self.cells = grid, cells
        self.firm, self.level = (0.1, 0.6) if cells > CELLS else (0.0, 0.5)
        self.hexes = set(grid.hexes)
        self.centres = {at: grid.centre(at) for at in grid.hexes}
        xs, ys = zip(*self.centres.values(), strict=True)
        self.left, self.top = min(xs) - MARGIN, min(ys) - MARGIN
        self.across = math.ceil((max(xs) + MARGIN - self.left) * self.cells)
        self.down = math.ceil((max(ys) + MARGIN - self.top) * self.cells)

    @cached_property
    def raster(self) -> list[list[float]]:
        """Share of land in each cell, row by row."""
        rows = self._scanned(_SCANS * self.down)
        raster = []
        for first in range(0, len(rows), _SCANS):
            steps = [0.0] * (self.across + 2)
            for crossings in rows[first : first + _SCANS]:
                for start, end in zip(crossings[::2], crossings[1::2], strict=True):
                    _paint(steps, start * self.cells, end * self.cells, 1.0 / _SCANS)
            raster.append(list(accumulate(accumulate(steps)))[: self.across])
        return raster

    def _scanned(self, count: int) -> list[list[float]]:
        """Return, for each line from left to right, the positions at which land begins and ends."""
        pitch = self.down / self.cells / count
        rows: list[list[float]] = [[] for _ in range(count)]
        edge: list[float] = []
        end = self.across / self.cells
        for piece in near("shores", self.grid.circle(MARGIN * 1.5)):
            line = [(x - self.left, y - self.top) for x, y in self.grid.flat(piece)]
            for (ax, ay), (bx, by) in pairwise(line):
                if (ax < 0.0 and bx < 0.0) or (ax > end and bx > end):
                    continue
                if (ax < 0.0) != (bx < 0.0):
                    edge.append(ay + (by - ay) * ax / (ax - bx))
                low, high = (ay, by) if ay < by else (by, ay)
                first = max(math.ceil(low / pitch - 0.5), 0)
                last = min(math.ceil(high / pitch - 0.5), count)
                for row in range(first, last):
                    x = ax + (bx - ax) * ((row + 0.5) * pitch - ay) / (by - ay)
                    if x >= 0.0:
                        rows[row].append(min(x, end))
        # Determine whether each row begins on land or water: along the left edge, from its upper
        # end.
        edge.sort()
        land, passed = is_land(*self.grid.place((self.left, self.top))), 0
        while passed < len(edge) and edge[passed] < 0.0:
            passed += 1
        for number, crossings in enumerate(rows):
            while passed < len(edge) and edge[passed] < (number + 0.5) * pitch:
                land, passed = not land, passed + 1
            crossings.sort()
            if land:
                crossings.insert(0, 0.0)
            if len(crossings) % 2:
                crossings.append(end)
        return rows

    def _cell(self, point: Point) -> tuple[int, int]:
        return (
            min(max(int((point[0] - self.left) * self.cells), 0), self.across - 1),
            min(max(int((point[1] - self.top) * self.cells), 0), self.down - 1),
        )

    def on_land(self, point: Point) -> bool:
        """Return True if a point is on land, accurate to half a cell."""
        x, y = self._cell(point)
        return self.raster[y][x] >= 0.5

    def land_of(self, at: Coord) -> float:
        """Return the share of land in a hex."""
        x, y = self.centres.get(at) or self.grid.centre(at)
        cells = [self._cell((x + dx, y + dy)) for dx, dy in _within(self.grid.layout)]
        return math.fsum(self.raster[row][column] for column, row in cells) / len(cells)

    def hex_at(self, point: Point) -> Coord:
        """Return the hex at a point, on the grid or beyond it."""
        dx, dy = self.grid.shift
        return hex_at((point[0] + dx, point[1] + dy), self.grid.layout, 1.0)

    def cities(self, margin: float) -> Iterator[tuple[City, Point]]:
        """Yield the cities within the grid and `margin` hexes beyond it."""
        circle = self.grid.circle(margin)
        found = [c for c in cities() if circle.meets(c.lon, c.lat, c.lon, c.lat)]
        points = self.grid.flat((city.lon, city.lat) for city in found)
        yield from zip(found, points, strict=True)

    def lines(self, layer: str, margin: float) -> Iterator[Line]:
        """Yield the lines of a layer near the grid; the pieces of a line are joined."""
        line: Line = []
        for piece in near(layer, self.grid.circle(margin)):
            points = self.grid.flat(piece)
            if line and line[-1] == points[0]:
                line += points[1:]
            else:
                if line:
                    yield line
                line = points
        if line:
            yield line

    def coasts(
        self,
        land: Set[Coord],
        water: Set[Coord],
        insets: Mapping[Coord, float],
        straits: Iterable[tuple[Coord, int]] = (),
        dry: Iterable[tuple[Coord, float]] = (),
    ) -> list[Line]:
        """Return the lines between land and water, given hexes that are land and hexes that are
        water.

        An exception is a strip along the edges between the two and along the outline of both: its
        width is `insets` of a hex, beside which the line winds. Water runs along the edges
        `straits`; hexes in `dry` have land around their middles within the given radius.
        """
        raster = [row[:] for row in self.raster]
        reach = math.ceil((0.5 / COS_30 + _WINDS + _SOFT) * self.cells)
        ways = [edge_point(edge, self.grid.layout, 1.0) for edge in EDGES]
        # Land comes last, in order of decreasing inset, so that no water of a neighbour reaches
        # into named hexes.
        for at in sorted(land | water, key=lambda at: (at in land, -insets[at], at)):
            x, y = self.grid.centre(at)
            alike, inset = land if at in land else water, insets[at]
            inner = [neighbour(at, edge, self.grid.layout) in alike for edge in EDGES]
            sides = [*zip(ways, inner, strict=True)]
            # The waves move a strip by _WINDS at most. Cells near the middle are therefore filled
            # and cells far from it left in any case; only the cells between are measured.
            widest, narrowest = (
                [(wx, wy, _SOFT if is_inner else winds - inset) for (wx, wy), is_inner in sides]
                for winds in (_WINDS, -_WINDS)
            )
            column, line = self._cell((x, y))
            for row in range(max(line - reach, 0), min(line + reach + 1, self.down)):
                down = (row + 0.5) / self.cells + self.top
                cells = raster[row]
                left, right = self._deeper(widest, -_SOFT, x, down - y)
                first = min(max(math.floor(left), column - reach, 0), self.across)
                end = max(min(math.ceil(right) + 1, column + reach + 1, self.across), first)
                left, right = self._deeper(narrowest, _SOFT, x, down - y)
                filled = min(max(math.ceil(left) + 1, first), end)
                beyond = max(min(math.floor(right), end), filled)
                cells[filled:beyond] = [
                    old + (1 - old) if at in land else 0.0 for old in cells[filled:beyond]
                ]
                for cell in (*range(first, filled), *range(beyond, end)):
                    right = (cell + 0.5) / self.cells + self.left
                    # Depth of the cell within the strips, or within the hex on its other sides.
                    deep = inset + _WINDS * _wind(right, down)
                    depth = min(
                        0.5 - (right - x) * wx - (down - y) * wy + (_SOFT if is_inner else -deep)
                        for (wx, wy), is_inner in sides
                    )
                    share = min(max(0.5 + depth / (2 * _SOFT), 0.0), 1.0)
                    old = cells[cell]
                    cells[cell] = old + share * (1 - old) if at in land else old * (1 - share)
        for at, edge in straits:
            (x, y), (wx, wy) = self.grid.centre(at), edge_point(edge, self.grid.layout, 1.0)
            column, line = self._cell((x, y))
            for row in range(max(line - self.cells, 0), min(line + self.cells + 1, self.down)):
                for cell in range(
                    max(column - self.cells, 0), min(column + self.cells + 1, self.across)
                ):
                    dx = (cell + 0.5) / self.cells + self.left - x
                    dy = (row + 0.5) / self.cells + self.top - y
                    along, deep = dx * wy - dy * wx, 0.5 - dx * wx - dy * wy
                    wide = _STRAIT + _WINDS * _wind(x + dx, y + dy) / 2
                    if abs(along) < 0.5 and -0.04 < deep < wide:
                        raster[row][cell] = 0.0
        for at, radius in dry:
            x, y = self.grid.centre(at)
            column, line = self._cell((x, y))
            for row in range(line - self.cells // 2, line + self.cells // 2):
                for cell in range(column - self.cells // 2, column + self.cells // 2):
                    right, down = (
                        (cell + 0.5) / self.cells + self.left,
                        (row + 0.5) / self.cells + self.top,
                    )
                    deep = (
                        radius + _WINDS * _wind(right, down) / 3 - math.dist((right, down), (x, y))
                    )
                    share = min(max(0.5 + deep / (2 * _SOFT), 0.0), 1.0)
                    raster[row][cell] = max(raster[row][cell], share)
        self._open(raster)
        return [
            [
                ((x + 0.5) / self.cells + self.left, (y + 0.5) / self.cells + self.top)
                for x, y in line
            ]
            for line in contours(raster, self.level)
        ]

    def _deeper(
        self, sides: Iterable[tuple[float, float, float]], least: float, x: float, dy: float
    ) -> tuple[float, float]:
        """Return the ends of the part of a horizontal line that lies deeper than `least` within all
        sides of a hex, in cells from the left. The line is `dy` below the middle of the hex,
        which is at `x`. Each side is a direction out of the hex and the distance by which it is
        moved outwards."""
        low, high = -math.inf, math.inf
        for wx, wy, moved in sides:
            room = 0.5 - dy * wy + moved - least
            if abs(wx) > 1e-9:
                low, high = (low, min(high, room / wx)) if wx > 0 else (max(low, room / wx), high)
            elif room <= 0:
                return 0.0, -1.0
        return (x + low - self.left) * self.cells - 0.5, (x + high - self.left) * self.cells - 0.5

    def _open(self, raster: list[list[float]]) -> None:
        """Fill bays and cut off spits that are narrower than two cells, by a morphological opening
        of water, then of land. On fine grids, cells that are nearly half land count only beside
        others; otherwise, a line of such cells would remain."""
        for sign, other in ((-1, 0.8), (1, 0.3)):
            rows, firm = (
                [
                    int.from_bytes(
                        bytes(sign * (cell - self.level) > least for cell in row), "little"
                    )
                    for row in raster
                ]
                for least in (0.0, self.firm)
            )
            # Squares of two by two cells, a byte for each cell.
            squares = [a & a >> 8 & b & b >> 8 for a, b in pairwise(firm)]
            wide = [square | square << 8 for square in squares]
            near = [one | two for one, two in zip((0, *wide), (*wide, 0), strict=True)]
            if self.firm:
                near = [row | row << 8 | row >> 8 for row in near]
                near = [
                    a | b | c for a, b, c in zip((0, *near[:-1]), near, (*near[1:], 0), strict=True)
                ]
            for y, (row, kept) in enumerate(zip(rows, near, strict=True)):
                thin = (row & ~kept).to_bytes(self.across + 1, "little")
                x = thin.find(1)
                while x >= 0:
                    raster[y][x] = other
                    x = thin.find(1, x + 1)


@cache
def _within(layout: Layout) -> list[Point]:
    """Return points all over a hex, relative to its middle, as far apart as cells."""
    steps = [step / CELLS for step in range(-CELLS, CELLS + 1)]
    points = ((x, y) for x in steps for y in steps)
    return [point for point in points if hex_at(point, layout, 1.0) == (0, 0)]


def _wind(x: float, y: float) -> float:
    """Return a wave along a coast, from -1 to 1."""
    return (math.sin(4.3 * x + 2.1 * y) + math.sin(7.9 * y - 3.7 * x)) / 2


def _paint(steps: list[float], start: float, end: float, share: float) -> None:
    """Add the share of each cell that lies between two positions of a row, as second differences of
    the shares."""
    for place, sign in ((start, share), (end, -share)):
        cell = int(place)
        part = (cell + 1 - place) * sign
        # The cell in part, all after it whole.
        steps[cell] += part
        if cell + 1 < len(steps):
            steps[cell + 1] += sign - 2 * part
        if cell + 2 < len(steps):
            steps[cell + 2] -= sign - part


def rim(grid: Grid) -> list[Coord]:
    """Return the hexes outside a grid that touch it, sorted."""
    inside = set(grid.hexes)
    around = {neighbour(at, edge, grid.layout) for at in grid.hexes for edge in EDGES}
    return sorted(around - inside)
