"""Boards that people drew, found on the earth by the names of their cities, and their coasts.

Two cities whose names are rare lay a board on the earth; the way on which most others agree is the
right one. A plane through all that agree follows by least squares, and what is left at each city
bends the earth near it, so that coasts run beside their cities' hexes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from msgspec import convert

from platelayer.earth.board import written
from platelayer.earth.read import Place, cities_named, folded
from platelayer.earth.survey import MARGIN, Grid, Line, Point, Survey
from platelayer.foundation.values import Json
from platelayer.model.hexes import Coord, CoordinateScheme, Layout

# Of "Akron & Canton", the first is looked up.
_TWO = re.compile(r"\s*(?:[&/,+]| - )\s*")
# Places of one name that are looked at, the most populous first; names that lay a board, the rarest
# first, if they are so far apart in hexes.
_MOST_OF_NAME, _RAREST, _APART = 10, 14, 3.0
# Widths of hexes in km; boards are turned by at most so much.
_NARROW, _WIDE, _TURN = 3.0, 600.0, math.radians(65)
# Cities lie at most so far from their hexes, in hexes: on the first plane, and on the last. With
# fewer of them, or a smaller share of those that have places, a board is not found.
_NEAR, _CLOSE = 1.7, 1.5
_LEAST, _LEAST_SHARE = 6, 0.55
# How far the earth bends at a city, in hexes, and how much it resists.
_BEND, _STIFF = 2.2, 0.6
_DEGREE_KM = 111.2


class _Spot(NamedTuple):
    """The middle of a named hex, and the places on the earth of that name."""

    at: Point
    places: Sequence[Place]


class _Located(Grid):
    """A grid on which the earth is stretched and bent."""

    # To the right and down: shares of both axes, and a shift.
    plane = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    # Cities on the plane, and how far their hexes are from there.
    bends: Sequence[tuple[Point, Point]] = ()

    def flat(self, places: Iterable[Place]) -> Line:
        """Places on the map."""
        return [self._bent(self.on_plane(point)) for point in super().flat(places)]

    def on_plane(self, point: Point) -> Point:
        """A point before it is bent."""
        (a, b, c), (d, e, f) = self.plane
        return a * point[0] + b * point[1] + c, d * point[0] + e * point[1] + f

    def place(self, point: Point) -> Place:
        """The place at a point far from all cities, where nothing bends."""
        (a, b, c), (d, e, f) = self.plane
        x, y, size = point[0] - c, point[1] - f, a * e - b * d
        return super().place(((x * e - y * b) / size, (y * a - x * d) / size))

    def _bent(self, point: Point) -> Point:
        x, y = point
        far = MARGIN + 3
        if abs(x) > self.columns / 2 + far or abs(y) > self.rows / 2 + far:
            return point
        total, dx, dy = _STIFF, 0.0, 0.0
        for (cx, cy), (ox, oy) in self.bends:
            away = ((x - cx) ** 2 + (y - cy) ** 2) / _BEND**2
            if away < 9.0:
                weight = math.exp(-away)
                total, dx, dy = total + weight, dx + weight * ox, dy + weight * oy
        return x + dx / total, y + dy / total


def coasts_of(board: Json) -> list[Any]:
    """The coasts of a map, both as its file has them; none if its cities are not found on the earth,
    or if there is no water."""
    scheme = convert(board["coordinates"], CoordinateScheme)
    hexes = {
        at: hexagon
        for key, hexagon in board["hexes"].items()
        if not hexagon.get("apart") and (at := scheme.parse(key))
    }
    if not hexes:
        return []
    xs, ys = zip(*hexes, strict=True)
    left, top = min(xs), min(ys)
    left -= (left + top + xs[0] + ys[0]) % 2
    across, down = max(xs) + 1 - left, max(ys) + 1 - top
    layout = Layout(board["layout"])
    size = (across, down // 2 + 1) if layout is Layout.FLAT else (across // 2 + 1, down)
    hexes = {Coord(at.x - left, at.y - top): hexagon for at, hexagon in hexes.items()}
    spots = [*_spots(Grid(0.0, 0.0, *size, 1.0, layout), hexes)]
    agreed = _agreed(spots)
    if len(agreed) < max(_LEAST, _LEAST_SHARE * len(spots)):
        return []
    grid = _located(_Located(0.0, 0.0, *size, 1.0, layout), agreed)
    insets = {at: _inset(hexagon) for at, hexagon in hexes.items()}
    blue = {at for at, hexagon in hexes.items() if hexagon.get("colour") == "blue"}
    lines = Survey(grid).coasts(set(hexes) - blue, blue, insets)
    return written(lines, grid, hexes, lambda at: scheme.name(Coord(at.x + left, at.y + top)))


def _inset(hexagon: Json) -> float:
    """Return the distance of the coast from the edges of a hex, inwards and in hexes: beyond them
    where the hex is full."""
    if {"stops", "terrain"} <= hexagon.keys():
        return -0.08
    if hexagon.get("colour", "white") != "white":
        return -0.03
    return 0.02 if hexagon else 0.07


def _spots(grid: Grid, hexes: dict[Coord, Json]) -> Iterator[_Spot]:
    """Hexes with stops whose names have places on the earth; off-board areas lie nearer than what
    they are named after."""
    names: dict[str, list[Coord]] = {}
    for at, hexagon in hexes.items():
        name = hexagon.get("name")
        on_board = hexagon.get("stops") and hexagon.get("colour") not in ("red", "blue")
        if on_board and isinstance(name, str):
            names.setdefault(folded(_TWO.split(name)[0]), []).append(at)
    found = cities_named(names)
    for name, ats in names.items():
        if len(ats) == 1 and name in found:
            yield _Spot(grid.centre(ats[0]), found[name][:_MOST_OF_NAME])


def _agreed(spots: Sequence[_Spot]) -> list[tuple[Point, Place]]:
    """The middles of hexes and their places, by the plane through two of them on which most others
    lie near their hexes."""
    rare = sorted(spots, key=lambda spot: len(spot.places))[:_RAREST]
    best: tuple[int, float, list[tuple[Point, Place]]] = 0, 0.0, []
    for one, two in combinations(rare, 2):
        (ax, ay), (bx, by) = one.at, two.at
        gap = math.dist(one.at, two.at)
        if gap < _APART:
            continue
        for a in one.places:
            for b in two.places:
                x, y = _way(a, b, a)
                km = math.hypot(x, y) / gap
                turn = math.atan2(by - ay, bx - ax) - math.atan2(y, x)
                turn = (turn + math.pi) % (2 * math.pi) - math.pi
                if not _NARROW < km < _WIDE or abs(turn) > _TURN:
                    continue
                cos, sin = math.cos(turn) / km, math.sin(turn) / km
                agreed, off = [], 0.0
                for spot in spots:
                    ways = []
                    for place in spot.places:
                        x, y = _way(a, place, a)
                        dx, dy = ax + x * cos - y * sin, ay + x * sin + y * cos
                        ways.append((math.dist((dx, dy), spot.at), place))
                    way, place = min(ways)
                    if way < _NEAR:
                        agreed.append((spot.at, place))
                        off += way
                if (len(agreed), -off) > best[:2]:
                    best = len(agreed), -off, agreed
    return best[2]


def _way(a: Place, b: Place, middle: Place) -> Point:
    """From place to place, right and down, in km."""
    lon = (b[0] - a[0] + 180.0) % 360.0 - 180.0
    narrow = math.cos(math.radians(middle[1]))
    return lon * narrow * _DEGREE_KM, (a[1] - b[1]) * _DEGREE_KM


def _located(grid: _Located, agreed: Sequence[tuple[Point, Place]]) -> _Located:
    """The grid on the earth, where these hexes lie at these places."""
    ats, places = zip(*agreed, strict=True)
    lon, lat = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    middle = [sum(axis) / len(ats) for axis in zip(*ats, strict=True)]
    spread = sum(math.hypot(*_way((lon, lat), place, (lon, lat))) for place in places)
    km = spread / sum(math.dist(at, middle) for at in ats)
    grid = grid._replace(lon=lon, lat=lat, km=km)
    pairs = [*zip(Grid.flat(grid, places), ats, strict=True)]
    grid.plane = _plane(pairs)
    pairs = [pair for pair in pairs if math.dist(grid.on_plane(pair[0]), pair[1]) < _CLOSE]
    grid.plane = _plane(pairs)
    bends = []
    for point, at in pairs:
        x, y = grid.on_plane(point)
        bends.append(((x, y), (at[0] - x, at[1] - y)))
    grid.bends = bends
    return grid


def _plane(pairs: Sequence[tuple[Point, Point]]) -> Any:
    """The plane that brings points nearest to others, by least squares (Cramer's rule)."""
    sums = [[0.0] * 3 for _ in range(3)]
    wanted = [[0.0] * 3 for _ in range(2)]
    for (x, y), to in pairs:
        point = (x, y, 1.0)
        for i, one in enumerate(point):
            for axis in range(2):
                wanted[axis][i] += one * to[axis]
            for j, other in enumerate(point):
                sums[i][j] += one * other

    def size(rows: Sequence[Sequence[float]]) -> float:
        (a, b, c), (d, e, f), (g, h, i) = rows
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    whole = size(sums)
    return tuple(
        tuple(
            size(
                [[*row[:k], value, *row[k + 1 :]] for row, value in zip(sums, values, strict=True)]
            )
            / whole
            for k in range(3)
        )
        for values in wanted
    )
