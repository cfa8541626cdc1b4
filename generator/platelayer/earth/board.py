"""Boards and the earth: a part of the earth as a board, with cities and towns, off-board areas,
coasts, rivers and lands; and coasts for existing boards."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from msgspec import convert

from platelayer.earth.read import (
    Centre,
    City,
    Place,
    cities_named,
    countries,
    find_place,
    folded,
    zones,
)
from platelayer.earth.read import cities as all_cities
from platelayer.earth.survey import LEAST_LAND, MARGIN, Grid, Line, Point, Survey, rim
from platelayer.foundation.geometry import measured, thinned
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.values import Json
from platelayer.model.gamemap import (
    COS_30,
    EDGES,
    Coord,
    CoordinateScheme,
    Layout,
    Waypoint,
    edge_point,
    joined,
    neighbour,
    opposite,
)

# Minimum and maximum width of hexes for which the data are suitable, in km.
NARROWEST, WIDEST = 5.0, 250.0
# Share of the hexes on land that have a city, and share that have a city or a town.
_CITIES, _STOPS = 0.22, 0.46
# Stops are spread over the map: maximum number of stops in adjacent hexes, of which one that is
# this many times larger counts twice; a city has at most one.
_MOST_AROUND, _OUTSHONE = 4, 30
# Minimum population of a city with two slots and a value, as a share of the largest city's, and
# maximum share of hexes with such a city.
_LARGE, _LARGEST = 0.5, 0.04
# Minimum population of the second town of a hex, as a share of the first one's.
_SECOND = 0.4
# Share of its population that counts for the rank of a city in the same hex as a larger one.
_BESIDE = 0.5
# Share for suburbs, which are this near to a city this many times larger; number of cities that are
# tested for this, per hex of land.
_SUBURB, _SUBURB_KM, _OVER, _LOOKED_AT = 0.1, 35.0, 2.0, 4
# The states of a country are shown if they have this many hexes each on average; otherwise, the
# country is one land.
_LEAST_OF_STATE = 6
_MOST_REGIONS = _MOST_RIVERS = 60
_MOST_COASTS = 200
# Distance of coasts from the rim of off-board areas, inwards and in hexes.
_INSET_NAMED = 0.02
# Number of cells of the land raster across a hex: waters narrower than two cells are not drawn.
_FINE_CELLS = 40
# The earth is bent so that cities lie in the middle of their hexes: radius of bending around each,
# and stiffness. Radius of land around a stop, by kind and number, that has room for its sign.
_REACH, _STIFFNESS = 0.8, 0.1
_DRY = {("city", 1): 0.22, ("city", 2): 0.3, ("town", 1): 0.12, ("town", 2): 0.3}
# A city on a coast is moved inland: maximum number of steps, and their length.
_INLAND, _INLAND_STEP = 3, 0.05
_ROUNDS = 3
# Minimum area of islands and waters, in squares as wide as a hex.
_LEAST_ISLAND = 0.06
# Points nearer than this to the line between their neighbours are left out, in hexes.
_FINE = 0.012
# One in this number of points of a coast on a fine grid is retained.
_EVERY = 2

Hexes = dict[Coord, Json]


class RealBoard(NamedTuple):
    """A map in the form of its file, the names of the hexes with cities, the largest city first,
    and a note on its sources. `corner` is the hex of the grid (in `Grid.hexes`) with the first
    coordinates."""

    board: Json
    cities: tuple[str, ...]
    note: str
    corner: Coord


def real_board(
    where: str, rows: int, columns: int, km: float, layout: Layout, *, turn: float = 0.0
) -> RealBoard:
    """Return the map of a place, turned clockwise by `turn` degrees. Raises CannotRun for an
    unknown place, for hexes that are too narrow or too wide, and if there is no land."""
    if not NARROWEST <= km <= WIDEST:
        raise CannotRun(
            f"hexes may be {NARROWEST:g} to {WIDEST:g} km wide, from side to side, not {km:g}"
        )
    centre = find_place(where)
    grid = Grid(centre.lon, centre.lat, columns, rows, km, layout, turn)
    survey = Survey(grid)
    found = sorted(survey.cities(_BEYOND), key=lambda item: (-item[0].population, item[0]))
    shares = {at: survey.land_of(at) for at in grid.hexes}
    hexes, cities, placed = _stops(survey, found, shares)
    if not hexes:
        raise CannotRun(_at_sea(grid, centre))
    hexes = {at: hexes[at] for at in grid.hexes if at in hexes}
    land = set(hexes)
    known = {
        stop.get("name") or hexagon["name"]
        for hexagon in hexes.values()
        for stop in hexagon.get("stops", ())
    }
    offboards = _offboards(survey, land, [item for item in found if item[0].name not in known])
    hexes |= offboards
    left, top = (min(at[axis] for at in hexes) for axis in (0, 1))
    scheme = CoordinateScheme(letters_on="x" if layout is Layout.FLAT else "y")

    def name(at: Coord) -> str:
        return scheme.name(Coord(at.x - left, at.y - top))

    board: Json = {
        "layout": layout.value,
        "coordinates": {"letters_on": scheme.letters_on},
    }
    bent = _Located(*grid)
    bent.reach, bent.stiffness = _REACH, _STIFFNESS
    bent.bends = landings = [*_landings(survey, placed)]
    # Bends of neighbours add up, so the remaining error at each city is added to its own bend.
    for _ in range(_ROUNDS):
        bends = []
        for ((x, y), (dx, dy)), (_, (right, down)) in zip(bent.bends, landings, strict=True):
            now = bent.bent((x, y))
            bends.append(((x, y), (dx + x + right - now[0], dy + y + down - now[1])))
        bent.bends = bends
    fine = Survey(bent, _FINE_CELLS)
    dry = [
        (at, _DRY[stops[0]["kind"], len(stops) + stops[0].get("slots", 1) - 1])
        for at, hexagon in hexes.items()
        if at not in offboards and (stops := hexagon.get("stops"))
    ]
    coasts = fine.coasts(set(offboards), set(), dict.fromkeys(offboards, _INSET_NAMED), dry=dry)
    coasts = written(map(_smooth, coasts), survey.grid, hexes, name, 0.0)
    homes = {at: city.zone for at, city in placed.items()}
    blocks = {
        "rivers": _rivers(fine, land, name),
        "regions": _regions(survey, homes, land, found, name),
        "seas": {"water": {"coasts": coasts}} if coasts else {},
    }
    board |= {key: block for key, block in blocks.items() if block}
    board["hexes"] = {name(at): hexes[at] for at in sorted(hexes, key=lambda at: (at.y, at.x))}
    note = (
        f"{columns} x {rows} hexes of {km:g} km around {centre.words}. Coasts, lakes, rivers and borders: Natural "
        "Earth (public domain). Cities and lands: GeoNames (CC BY 4.0)."
    )
    return RealBoard(board, tuple(map(name, cities)), note, Coord(left, top))


def _at_sea(grid: Grid, centre: Centre) -> str:
    near = min(
        (city for city in all_cities() if city.population > 20_000),
        key=lambda city: math.dist((0, 0), grid.flat([(city.lon, city.lat)])[0]),
    )
    x, y = grid.flat([(near.lon, near.lat)])[0]
    away = math.hypot(x, y) * grid.km
    return (
        f"there is no land within {grid.columns} x {grid.rows} hexes of {grid.km:g} km around {centre.words}; "
        f"the nearest city is {near.name}, {away:,.0f} km to the {_bearing(x, y)}"
    )


def _bearing(x: float, y: float) -> str:
    names = (
        "east",
        "south-east",
        "south",
        "south-west",
        "west",
        "north-west",
        "north",
        "north-east",
    )
    return names[round(math.degrees(math.atan2(y, x)) / 45) % 8]


def _stops(
    survey: Survey, found: Iterable[tuple[City, Point]], shares: Mapping[Coord, float]
) -> tuple[Hexes, list[Coord], dict[Coord, City]]:
    """Return the hexes on land, with their stops; the hexes of cities, the largest first; and the
    first city of each stop. `found` has the largest city first. A city in the same hex as a
    larger one is placed in the nearest adjacent hex if that is free and the city lies on that
    side of its own hex, as on hand-made boards."""
    layout = survey.grid.layout
    land = {at for at, share in shares.items() if share >= LEAST_LAND}
    inside: dict[Coord, list[City]] = defaultdict(list)
    ranked: list[tuple[float, City, Coord, Point]] = []
    centres: list[tuple[City, Point]] = []
    reach = _SUBURB_KM / survey.grid.km
    for city, point in found:
        at = survey.hex_at(point)
        if at in shares:
            rank = city.population * (_BESIDE if inside[at] else 1.0)
            if len(ranked) < _LOOKED_AT * len(land) and reach > 0.5:
                if any(
                    other.population > _OVER * city.population and math.dist(point, there) < reach
                    for other, there in centres
                ):
                    rank *= _SUBURB
                else:
                    centres.append((city, point))
            inside[at].append(city)
            ranked.append((-rank, city, at, point))
    hexes: Hexes = {}
    cities: list[Coord] = []
    placed: dict[Coord, City] = {}
    used: set[str] = set()
    largest = max((city.population for _, city, _, _ in ranked), default=0)
    for _, city, home, point in sorted(ranked):
        if len(hexes) >= max(_STOPS * len(land), 2):
            break
        # Names are unique on a map. A hex that has a city from an adjacent hex is taken.
        if city.name in used or (home in hexes and city is inside[home][0]):
            continue
        ways = [(0.0, home)]
        if home in hexes:
            around = (neighbour(home, edge, layout) for edge in EDGES)
            ways = [
                (math.dist(survey.grid.centre(at), point), at)
                for at in around
                if at in land
                and at not in hexes
                and all(other.population < city.population for other in inside[at][:1])
            ]
        way, at = min(ways, default=(math.inf, home))
        near = (placed.get(neighbour(at, edge, layout)) for edge in EDGES)
        sizes = [other.population for other in near if other]
        crowd = len(sizes) + sum(size > _OUTSHONE * city.population for size in sizes)
        if way > 1.0 or crowd > _MOST_AROUND or shares[at] == 0.0:
            continue
        others = [other for other in inside[at] if other is not city and other.name not in used]
        if len(cities) < max(_CITIES * len(land), 1) and crowd < 2:
            is_large = city.population >= _LARGE * largest and len(cities) < max(
                _LARGEST * len(land), 1
            )
            size = {"slots": 2, "revenue": 20} if is_large else {}
            hexes[at] = {"name": city.name, "stops": [{"kind": "city", **size}]}
            cities.append(at)
        elif (
            at == home
            and others
            and others[0].population >= _SECOND * city.population
            # Tiles with two towns need ways out on all sides.
            and all(neighbour(at, edge, layout) in land for edge in EDGES)
        ):
            towns = [{"kind": "town", "name": town.name} for town in (city, others[0])]
            hexes[at] = {"stops": towns}
            used.add(others[0].name)
        else:
            hexes[at] = {"name": city.name, "stops": [{"kind": "town"}]}
        placed[at] = city
        used.add(city.name)
    return hexes | {at: {} for at in land - set(hexes)}, cities, placed


def _landings(survey: Survey, placed: Mapping[Coord, City]) -> Iterator[tuple[Point, Point]]:
    """Yield the position of each city on the map, and its offset from the middle of the city's hex.
    A city on a coast is moved inland, where its sign has land around it."""
    steps = [step * _INLAND_STEP for step in range(-_INLAND, _INLAND + 1)]
    ring = [(0.0, 0.0), *((0.2 * math.cos(turn), 0.2 * math.sin(turn)) for turn in range(6))]
    points = survey.grid.flat((city.lon, city.lat) for city in placed.values())
    for at, (px, py) in zip(placed, points, strict=True):
        if survey.hex_at((px, py)) != at:
            continue
        landings = []
        for x, y in ((px + dx, py + dy) for dx in steps for dy in steps):
            wet = sum(not survey.on_land((x + rx, y + ry)) for rx, ry in ring)
            landings.append((wet / len(ring) + math.dist((x, y), (px, py)), x, y))
        _, x, y = min(landings)
        to = survey.grid.centre(at)
        yield (x, y), (to[0] - x, to[1] - y)


# Off-board areas.


# Maximum distance from the grid of cities that off-board areas are named after, in hexes.
_BEYOND = 14.0
_OFFBOARD_SHARE = 0.2
# Minimum share of land in an off-board hex.
_LEAST_BEYOND = 0.5
_APART = 4.0
_REVENUES = ((10, 20), (20, 30), (20, 40), (30, 50), (30, 60), (40, 80))


def _offboards(survey: Survey, land: set[Coord], found: Iterable[tuple[City, Point]]) -> Hexes:
    """Return red hexes beside the grid, each towards a city beyond it that has none more important
    nearby."""
    grid = survey.grid
    exits = {
        at: [edge for edge in EDGES if neighbour(at, edge, grid.layout) in land] for at in rim(grid)
    }
    free = {
        at: grid.centre(at)
        for at, edges in exits.items()
        if edges and survey.land_of(at) >= _LEAST_BEYOND
    }
    most = max(round(_OFFBOARD_SHARE * (grid.columns + grid.rows)), 2)
    wide, high = (max(abs(point[axis]) for point in survey.centres.values()) for axis in (0, 1))
    beyond = []
    for city, (x, y) in found:
        off = math.hypot(max(abs(x) - wide, 0.0), max(abs(y) - high, 0.0))
        if 0.6 < off <= _BEYOND:
            beyond.append((city.population / (2.0 + off), city, (x, y)))
    hexes: Hexes = {}
    taken: list[Point] = []
    for _, city, (x, y) in sorted(beyond, key=lambda item: (-item[0], item[1])):
        if len(hexes) == most or not free:
            break
        # The point where the straight line from the middle of the map to the city leaves the map.
        out = min(wide / abs(x) if x else math.inf, high / abs(y) if y else math.inf)
        at = min(free, key=lambda at: (math.dist(free[at], (x * out, y * out)), at))
        if math.dist(free[at], (x * out, y * out)) > 2.0:
            continue
        if any(math.dist(free[at], other) < _APART for other in taken):
            continue
        level = round(2 * math.log10(max(city.population, 1) / 20_000))
        early, late = _REVENUES[min(max(level, 0), len(_REVENUES) - 1)]
        hexes[at] = {
            "name": city.name,
            "colour": "red",
            "stops": [{"kind": "offboard", "revenue": {"yellow": early, "brown": late}}],
            "track": [[edge, "stop:0"] for edge in exits[at]],
        }
        taken.append(free.pop(at))
    return hexes


# The land behind the hexes.


# Directions from the middle of a hex to its edges and corners.
_TOWARDS = [edge / 2 for edge in range(12)]


def written(
    lines: Iterable[Line],
    grid: Grid,
    hexes: Iterable[Coord],
    name: Callable[[Coord], str],
    lost: float = _FINE,
) -> list[Any]:
    """Return coasts in the form of a map's file, without the smallest ones and without points
    nearer than `lost` to the line between their neighbours. Each coast is measured from the
    middle of a hex of the board near its beginning."""
    anchors = {at: grid.centre(at) for at in sorted(hexes)}
    large = [line for line in lines if line[0] != line[-1] or abs(_area(line)) >= _LEAST_ISLAND]
    large.sort(key=lambda line: -len(line))
    coasts = []
    for line in large[:_MOST_COASTS]:
        at = min(anchors, key=lambda at: math.dist(anchors[at], line[0]))
        x, y = anchors[at]
        points = [[round(100 * (px - x)), round(100 * (py - y))] for px, py in thinned(line, lost)]
        if line[0] == line[-1]:
            points[-1] = points[0]
        coasts.append([{"hex": name(at), "points": points}])
    return coasts


def _smooth(line: Line) -> Line:
    """Return a line without the steps of its raster: weighted means of adjacent points, of which
    one in `_EVERY` is retained."""
    ring = line[0] == line[-1]
    ends = [line[-2], *line, line[1]] if ring else [line[0], *line, line[-1]]
    means = [
        ((ax + 2 * bx + cx) / 4, (ay + 2 * by + cy) / 4)
        for (ax, ay), (bx, by), (cx, cy) in zip(ends, ends[1:], ends[2:], strict=False)
    ]
    return [*means[:-1:_EVERY], means[-1]]


def _area(ring: Line) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(ring)) / 2


def _regions(
    survey: Survey,
    homes: Mapping[Coord, int],
    land: set[Coord],
    found: Iterable[tuple[City, Point]],
    name: Any,
) -> Json:
    """Return lands: a hex belongs to the state of its largest city, otherwise to that of an
    adjacent hex."""
    zone_of = dict(homes)
    for city, point in found:
        at = survey.hex_at(point)
        if at in land:
            zone_of.setdefault(at, city.zone)
    queue = sorted(zone_of)
    for at in queue:
        for other in (neighbour(at, edge, survey.grid.layout) for edge in EDGES):
            if other in land and other not in zone_of:
                zone_of[other] = zone_of[at]
                queue.append(other)
    states = zones()
    sizes = Counter(states[zone].country for zone in zone_of.values())
    parts = Counter(states[zone].country for zone in set(zone_of.values()))
    regions: dict[tuple[str, str], list[Coord]] = defaultdict(list)
    for at, zone in zone_of.items():
        country, _, state = states[zone]
        is_split = sizes[country] >= _LEAST_OF_STATE * parts[country]
        regions[country, state if is_split else ""].append(at)
    ordered = sorted(regions.items(), key=lambda item: (-len(item[1]), item[0]))[:_MOST_REGIONS]
    return {
        f"land-{number + 1}": {
            "name": state or countries()[country],
            "hexes": [name(at) for at in sorted(hexes, key=lambda at: (at.y, at.x))],
        }
        for number, ((country, state), hexes) in enumerate(ordered)
    }


def _point(survey: Survey, spot: Waypoint) -> Point:
    """Return the position of a waypoint of a course on the grid."""
    (x, y), (dx, dy) = spot.point(survey.grid.layout, 1.0), survey.grid.shift
    return x - dx, y - dy


def _nearest(survey: Survey, spots: Iterable[Waypoint], point: Point) -> Waypoint:
    return min(spots, key=lambda spot: measured(math.dist(_point(survey, spot), point)))


def _written(spot: Waypoint, name: Callable[[Coord], str]) -> Any:
    """Return a waypoint in the form that a course has in a file."""
    if spot.towards is None:
        return name(spot.at)
    side, number = ("edge", 0.0) if spot.towards % 1 == 0 else ("corner", 0.5)
    place = {"hex": name(spot.at), side: int((spot.towards - number) % 6)}
    return place if spot.share == 1.0 else {**place, "distance": spot.share}


def _spot(survey: Survey, at: Coord, point: Point) -> Waypoint:
    """Return the waypoint of a hex nearest to a point: its middle, or one on the way to an edge or
    corner."""
    x, y = survey.centres[at]
    spots = [Waypoint(at)]
    for towards in _TOWARDS:
        far = 0.5 if towards % 1 == 0 else 0.5 / COS_30
        dx, dy = edge_point(towards, survey.grid.layout, 1.0)
        share = ((point[0] - x) * dx + (point[1] - y) * dy) / far
        if share > 0.3:
            spots.append(Waypoint(at, towards, min(round(share, 1), 0.9)))
    return _nearest(survey, spots, point)


def _on_rim(spot: Waypoint) -> bool:
    return spot.towards is not None and spot.share == 1.0


def _rivers(survey: Survey, land: set[Coord], name: Callable[[Coord], str]) -> Json:
    """Return the courses of rivers on land, the longest first; a tributary ends on the course of
    the river that it flows into."""
    lines = _joined(survey.lines("rivers", 1.0))
    runs = [run for line in lines for run in _runs(survey, line, land)]
    runs.sort(key=lambda run: (-sum(len(points) for _, points in run), run[0][1][0]))
    layout = survey.grid.layout
    rivers = [course for run in runs if len(course := _course(survey, run, land)) > 2][
        :_MOST_RIVERS
    ]
    for number, course in enumerate(rivers):
        shared = {spot for other in rivers if other is not course for spot in other}
        for end, inner in ((0, 1), (-1, -2)):
            last = course[end]
            if _on_rim(last) or last in shared:
                continue
            here = _point(survey, last)
            joints = [
                spot
                for spot in sorted(shared, key=str)
                if math.dist(_point(survey, spot), here) < 0.5
                and joined(course[inner], spot, layout)
            ]
            sides = [Waypoint(last.at, towards) for towards in _TOWARDS]
            sides = [side for side in sides if not land.issuperset(side.touches(layout))]
            if joints:
                course[end] = _nearest(survey, joints, here)
            elif sides:
                # Continue to the sea, or off the board.
                course.insert(0 if end == 0 else len(course), _nearest(survey, sides, here))
        # A river ends where it flows into another.
        if course[0] in shared and course[-1] not in shared:
            rivers[number] = course[::-1]
    return {
        f"river-{number + 1}": {"course": [_written(spot, name) for spot in course]}
        for number, course in enumerate(rivers)
    }


def _joined(lines: Iterable[Line]) -> list[Line]:
    """Join lines end to end where one begins at the end of another."""
    made = []
    ends: dict[Point, Line] = {}
    for line in sorted(lines, key=lambda line: (line[0], line[-1])):
        if (before := ends.pop(line[0], None)) is not None and before is not line:
            before += line[1:]
            whole = before
        else:
            whole = list(line)
            made.append(whole)
        following = next((other for other in made if other[0] == whole[-1]), None)
        if following is not None and following is not whole:
            whole += following[1:]
            made = [other for other in made if other is not following]
            ends = {end: whole if other is following else other for end, other in ends.items()}
        ends[whole[-1]] = whole
    return made


# A hex and the points of a river in it.
_Run = list[tuple[Coord, Line]]
_PACE = 0.08


def _runs(survey: Survey, line: Line, land: set[Coord]) -> Iterator[_Run]:
    """Yield the parts of a river on land of the board, hex by hex."""
    run: _Run = []
    for (ax, ay), (bx, by) in pairwise(line):
        steps = max(math.ceil(math.dist((ax, ay), (bx, by)) / _PACE), 1)
        for step in range(steps):
            point = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
            at = survey.hex_at(point)
            if at not in land or not survey.on_land(point):
                if run:
                    yield _steady(run)
                run = []
            elif run and run[-1][0] == at:
                run[-1][1].append(point)
            else:
                run.append((at, [point]))
    if run:
        yield _steady(run)


def _steady(run: _Run) -> _Run:
    """Return the run without hexes that it barely enters on the way or at an end."""
    steady: _Run = []
    for at, points in run:
        if len(steady) > 1 and steady[-2][0] == at and len(steady[-1][1]) * _PACE < 0.4:
            touched = steady.pop()[1]
            steady[-1][1].extend((*touched, *points))
        else:
            steady.append((at, points))
    while len(steady) > 1 and len(steady[0][1]) * _PACE < 0.2:
        steady.pop(0)
    while len(steady) > 1 and len(steady[-1][1]) * _PACE < 0.2:
        steady.pop()
    return steady


def _course(survey: Survey, run: _Run, land: set[Coord]) -> list[Waypoint]:
    """Return the waypoints of a course: one at each crossing from hex to hex, and one in the middle
    of long stretches within a hex. The course is empty if these cannot be joined."""
    layout = survey.grid.layout
    course = []
    for number, (at, points) in enumerate(run):
        if number == 0:
            course.append(_first(survey, at, points[0], land))
        else:
            before = run[number - 1][0]
            edge = next(edge for edge in EDGES if neighbour(before, edge, layout) == at)
            sides = [Waypoint(before, (edge + part) % 6) for part in (-0.5, 0, 0.5)]
            course.append(_nearest(survey, sides, points[0]))
        if len(points) * _PACE > 0.5:
            course.append(_spot(survey, at, points[len(points) // 2]))
        if number == len(run) - 1:
            course.append(_first(survey, at, points[-1], land))
    kept = course[:1]
    for spot in course[1:]:
        if math.dist(_point(survey, spot), _point(survey, kept[-1])) > 0.2:
            kept.append(spot)
        elif _on_rim(spot) and len(kept) > 1:
            kept[-1] = spot
    whole = all(joined(one, other, layout) for one, other in pairwise(kept))
    return kept if whole else []


def _first(survey: Survey, at: Coord, point: Point, land: set[Coord]) -> Waypoint:
    """Return the waypoint near a point at which a course begins or ends: on an edge of the hex
    where the board or the land ends, otherwise within the hex."""
    ends = [
        Waypoint(at, edge) for edge in EDGES if neighbour(at, edge, survey.grid.layout) not in land
    ]
    if ends:
        side = _nearest(survey, ends, point)
        if math.dist(_point(survey, side), point) < 0.45:
            return side
    return _spot(survey, at, point)


# Existing boards are located on the earth by the names of their cities. Two cities with rare names
# determine a position of the board; the position with which most other cities agree is the right
# one. A plane through all that agree is fitted by least squares, and the remaining error at each
# city bends the earth near it, so that coasts run beside their cities' hexes.

# Separators of two names: of "Akron & Canton", the first is looked up.
_TWO = re.compile(r"\s*(?:[&/,+]| - )\s*")
# Maximum number of places per name, the most populous first; number of names that determine
# positions, the rarest first, and their minimum distance in hexes.
_MOST_OF_NAME, _RAREST, _SPREAD = 10, 14, 3.0
# Minimum and maximum width of hexes in km; maximum rotation of boards.
_NARROW, _WIDE, _TURN = 3.0, 600.0, math.radians(65)
# Maximum distance of cities from their hexes, in hexes, on the first plane and on the last. Minimum
# number of such cities, and their minimum share of those with places, for a board to be located.
_NEAR, _CLOSE = 1.7, 1.5
_LEAST, _LEAST_SHARE = 6, 0.55
# A hole in a board is water if it has less than this share of land. An impassable edge lies in
# water if there is any beside it; adjacent hexes with at least this share of land show their water
# there, except within this radius of their middles.
_LAND, _MOST_WATER, _DRY_OF_LAKES = 0.85, 0.5, 0.3
_DEGREE_KM = 111.2


class _Spot(NamedTuple):
    """The middle of a named hex, and the places on the earth with that name."""

    at: Point
    places: Sequence[Place]


class _Located(Grid):
    """A grid onto which the earth is stretched and bent."""

    # To the right and down: factors for both axes, and a shift.
    plane = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    # Cities on the plane with the offsets of their hexes; radius of bending around each, in hexes,
    # and stiffness.
    bends: Sequence[tuple[Point, Point]] = ()
    reach, stiffness = 2.2, 0.6

    def flat(self, places: Iterable[Place]) -> Line:
        """Return places as points on the map."""
        return [self.bent(self.on_plane(point)) for point in super().flat(places)]

    def on_plane(self, point: Point) -> Point:
        """Return a point as it is before bending."""
        (a, b, c), (d, e, f) = self.plane
        return a * point[0] + b * point[1] + c, d * point[0] + e * point[1] + f

    def place(self, point: Point) -> Place:
        """Return the place at a point that is far from all cities, where nothing is bent."""
        (a, b, c), (d, e, f) = self.plane
        x, y, size = point[0] - c, point[1] - f, a * e - b * d
        return super().place(((x * e - y * b) / size, (y * a - x * d) / size))

    def bent(self, point: Point) -> Point:
        x, y = point
        far = MARGIN + 3
        if abs(x) > self.columns / 2 + far or abs(y) > self.rows / 2 + far:
            return point
        total, dx, dy = self.stiffness, 0.0, 0.0
        for (cx, cy), (ox, oy) in self.bends:
            away = ((x - cx) ** 2 + (y - cy) ** 2) / self.reach**2
            if away < 9.0:
                weight = math.exp(-away)
                total, dx, dy = total + weight, dx + weight * ox, dy + weight * oy
        return x + dx / total, y + dy / total


def coasts_of(board: Json) -> list[Any]:
    """Return the coasts of a map, where both map and coasts are in the form of its file; none if
    the map's cities cannot be matched to the earth or if there is no water."""
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
    survey = Survey(grid)
    lakes = {*_lakes(survey, hexes)}
    near = {
        at for side, _ in lakes for at in (side, *(neighbour(side, edge, layout) for edge in EDGES))
    }
    shown = {
        at
        for at in near
        if at in hexes
        and hexes[at].get("colour", "white") == "white"
        and survey.land_of(at) >= _MOST_WATER
    }
    dry = [(at, _DRY_OF_LAKES) for at in sorted(shown) if hexes[at]]
    straits = [*_straits(survey, hexes), *sorted(lakes)]
    lines = survey.coasts(set(hexes) - blue - shown, blue, insets, straits, dry)
    return written(lines, grid, hexes, lambda at: scheme.name(Coord(at.x + left, at.y + top)))


def _straits(survey: Survey, hexes: dict[Coord, Json]) -> Iterator[tuple[Coord, int]]:
    """Yield edges along which two waters join, for example the parts of a lake that a board shows
    as two: edges between an empty hex and an off-board area with water at both ends, which no
    track can cross."""
    layout = survey.grid.layout

    def is_water(at: Coord) -> bool:
        known = hexes.get(at)
        return survey.land_of(at) < _LAND if known is None else known.get("colour") == "blue"

    for at, hexagon in hexes.items():
        exits = [end for track in hexagon.get("track", ()) for end in track]
        for edge in EDGES if hexagon.get("colour") == "red" else ():
            beside = neighbour(at, edge, layout)
            ends = [neighbour(at, (edge + turn) % 6, layout) for turn in (-1, 1)]
            if edge not in exits and not hexes.get(beside, True) and all(map(is_water, ends)):
                yield beside, opposite(edge)


def _lakes(survey: Survey, hexes: dict[Coord, Json]) -> Iterator[tuple[Coord, int]]:
    """Yield impassable edges beside water on the earth, once from each side: lakes and sounds
    between hexes that a board shows as whole."""
    layout = survey.grid.layout
    for at, hexagon in hexes.items():
        for border in hexagon.get("borders", ()):
            edge = border["edge"]
            both = [(at, edge), (neighbour(at, edge, layout), opposite(edge))]
            (x, y), (dx, dy) = survey.grid.centre(at), edge_point(edge, layout, 1.0)
            strip = (
                (x + out * dx + along * dy, y + out * dy - along * dx)
                for out in (0.2, 0.35, 0.5, 0.65, 0.8)
                for along in (-0.3, -0.15, 0.0, 0.15, 0.3)
            )
            if border["kind"] == "impassable" and not all(map(survey.on_land, strip)):
                yield from (side for side in both if side[0] in hexes)


def _inset(hexagon: Json) -> float:
    """Return the distance of the coast inwards from the edges of a hex, in hexes; below 0 if the
    hex is full and the coast lies beyond its edges."""
    if {"stops", "terrain"} <= hexagon.keys():
        return -0.08
    if hexagon.get("colour", "white") != "white":
        return -0.03
    return 0.02 if hexagon else 0.07


def _spots(grid: Grid, hexes: dict[Coord, Json]) -> Iterator[_Spot]:
    """Yield hexes with stops whose names are found on the earth. Off-board areas are excluded
    because they are nearer than the places they are named after."""
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
    """Return the middles of hexes with their places, from the plane through two of them that brings
    the most other places near their hexes."""
    rare = sorted(spots, key=lambda spot: len(spot.places))[:_RAREST]
    best: tuple[int, float, list[tuple[Point, Place]]] = 0, 0.0, []
    for one, two in combinations(rare, 2):
        (ax, ay), (bx, by) = one.at, two.at
        gap = math.dist(one.at, two.at)
        if gap < _SPREAD:
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
    """Return the distance to the right and down from place to place, in km."""
    lon = (b[0] - a[0] + 180.0) % 360.0 - 180.0
    narrow = math.cos(math.radians(middle[1]))
    return lon * narrow * _DEGREE_KM, (a[1] - b[1]) * _DEGREE_KM


def _located(grid: _Located, agreed: Sequence[tuple[Point, Place]]) -> _Located:
    """Return the grid positioned on the earth so that these hexes lie at these places."""
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
    """Return the plane that brings points nearest to others, by least squares (Cramer's rule)."""
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
