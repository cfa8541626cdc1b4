"""Measures of a map: how far apart homes lie, what they reach, and how the map is connected.

Every measure is defined in docs/atlas.md; the names and their order are those of MEASURES. Lengths are counted in steps
from a hex to a neighbour, money as printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from msgspec import Struct, field

from platelayer.atlas.extent import companies_in_play
from platelayer.atlas.terrain import DESTINATION_INCOME, Face, faces_of
from platelayer.model.atlas import NEIGHBOURS, AtlasBox, AtlasLog, Axial, Ground, tile_hexes

REACH = 3
"""Steps by land within which the income of a home counts."""
NONE = -1
"""The value of a measure if there is nothing to measure."""
_BLANK = Face(ground=Ground.PLAIN, open_edges=0b111111)
_LAND = frozenset({Ground.HOME, Ground.PLAIN, Ground.MOUNTAIN, Ground.CITY})

MEASURES: dict[str, str] = {
    "hexes": "hexes of map tiles",
    "blanks": "blank overlays",
    "perimeter": "edges with a map tile on one side only",
    "diameter": "steps between the two map-tile hexes farthest apart",
    "gaps": "enclosed gaps: groups of empty places cut off from the outside",
    "gap_hexes": "empty places in enclosed gaps",
    "homes": "home hexes",
    "home_distance_min": "steps between the two nearest homes",
    "home_distance_mean": "mean steps between two homes",
    "home_distance_max": "steps between the two homes farthest apart",
    "home_land_min": "steps by land between the two nearest homes joined by land",
    "home_land_mean": "mean steps by land between two homes joined by land",
    "home_land_max": "steps by land between the two farthest homes joined by land",
    "home_pairs_apart": "pairs of homes without a way by land",
    "income_min": f"income within {REACH} steps by land of the poorest home",
    "income_mean": f"income within {REACH} steps by land of a home, mean",
    "income_max": f"income within {REACH} steps by land of the richest home",
    "mountain_cost_min": "cost of the mountains on the ways to the nearest two cities, cheapest home",
    "mountain_cost_mean": "cost of the mountains on the ways to the nearest two cities, mean",
    "mountain_cost_max": "cost of the mountains on the ways to the nearest two cities, most expensive home",
    "homes_short_of_cities": "homes that reach fewer than two cities by land",
    "destination_way_min": "steps by land to the nearest destination, nearest home",
    "destination_way_mean": "steps by land to the nearest destination, mean over homes with a way",
    "destination_way_max": "steps by land to the nearest destination, farthest home with a way",
    "homes_without_destination": "homes without a way by land to a destination",
    "destinations": "destinations (the hexes of one map tile count as one)",
    "destinations_blocked": "destinations whose entrances are all dead",
    "dead_exits": "printed exits and entrances that lead nowhere, or to water without a company that bridges it",
    "land_parts": "parts of the land with no way by land between them",
    "land_largest": "hexes of the largest part of the land",
    "stranded_homes": "homes that reach no other stop by land",
    "capital_centrality": "mean steps from capitals to homes, divided by those from all basic cities",
}
"""Names in order, each with its meaning in one line."""


class HomeMeasures(Struct, frozen=True, kw_only=True):
    """What one home measures: income within reach, cost of the mountains to the nearest two cities, steps to the
    nearest destination (NONE: there are not two cities, or there is no way), and whether it reaches any other stop."""

    income: int
    mountain_cost: int
    destination_way: int
    stranded: bool


class _Terrain(Struct):
    """A map by numbers of its hexes: faces, neighbours beyond each edge (-1: none), ways by land, ways into
    destinations (named by number), where everything is, and whether somebody lays bridges."""

    places: list[Axial]
    faces: list[Face]
    beyond: list[tuple[int, ...]]
    land: list[list[int]]
    entered: list[list[int]]
    tiled: int
    homes: dict[int, str] = field(default_factory=dict)
    cities: list[int] = field(default_factory=list)
    capitals: list[int] = field(default_factory=list)
    destinations: list[list[int]] = field(default_factory=list)
    bridged: bool = False


class Surveyor:
    """Measures maps of one box; holds what the box's map tiles look like in each rotation."""

    def __init__(self, box: AtlasBox) -> None:
        self._box = box
        self._faces: dict[tuple[int, int], tuple[Face, Face, Face]] = {}

    def measure(self, log: AtlasLog) -> dict[str, float]:
        """All MEASURES of a map, by name, in order; ints except for means (to 4 places). The log must be legal."""
        ground = self._survey(log)
        paths = {home: _ways(ground, home) for home in ground.homes}
        homes = list(_measure_homes(ground, paths).values())
        values: dict[str, float] = {**_size(ground, len(log.blanks)), "homes": len(homes)}
        values |= _distances(ground, paths)
        values |= _spread("income", [each.income for each in homes])
        values |= _spread("mountain_cost", [each.mountain_cost for each in homes if each.mountain_cost != NONE])
        values["homes_short_of_cities"] = sum(each.mountain_cost == NONE for each in homes)
        values |= _spread("destination_way", [each.destination_way for each in homes if each.destination_way != NONE])
        values["homes_without_destination"] = sum(each.destination_way == NONE for each in homes)
        values |= _exits(ground)
        values |= _parts(ground)
        values["stranded_homes"] = sum(each.stranded for each in homes)
        values["capital_centrality"] = _centrality(ground)
        return {name: values[name] for name in MEASURES}

    def measure_homes(self, log: AtlasLog) -> dict[str, HomeMeasures]:
        """What each home measures, by id of the company, in the order in which their tiles were laid."""
        ground = self._survey(log)
        measured = _measure_homes(ground, {home: _ways(ground, home) for home in ground.homes})
        return {ground.homes[home]: found for home, found in measured.items()}

    def _survey(self, log: AtlasLog) -> _Terrain:
        """The map by numbers: hexes of tiles in the order they were laid, then blanks."""
        capitals = set(log.overlays)
        places: list[Axial] = []
        faces: list[Face] = []
        homes: dict[int, str] = {}
        cities: list[int] = []
        taken: list[int] = []
        destinations: list[list[int]] = []
        for draw in log.placed:
            tile = self._box.tile_by_number[draw.tile]
            first = len(places)
            places += tile_hexes(draw.at, draw.rotation)
            faces += self._faces_of(draw.tile, draw.rotation)
            entered = []
            for number, hexagon in enumerate(tile.hexes, start=first):
                match hexagon.ground:
                    case Ground.HOME:
                        homes[number] = hexagon.company or str(draw.tile)
                    case Ground.CITY:
                        cities.append(number)
                        if places[number] in capitals:
                            taken.append(number)
                            faces[number] = faces[number].as_capital()
                    case Ground.DESTINATION:
                        entered.append(number)
            if entered:
                destinations.append(entered)
        tiled = len(places)
        places += log.blanks
        faces += [_BLANK] * len(log.blanks)
        ground = _linked(places, faces, tiled)
        ground.homes, ground.cities, ground.capitals, ground.destinations = homes, cities, taken, destinations
        in_play = companies_in_play(self._box, self._box.mode_by_id[log.mode], log)
        ground.bridged = not set(self._box.bridging).isdisjoint(in_play)
        for index, hexes in enumerate(destinations):
            for number in hexes:
                for edge in ground.faces[number].exits:
                    other = ground.beyond[number][edge]
                    if other >= 0 and _is_land(faces[other]) and faces[other].is_open(edge + 3):
                        ground.entered[other].append(index)
        return ground

    def _faces_of(self, number: int, rotation: int) -> tuple[Face, Face, Face]:
        key = number, rotation
        if key not in self._faces:
            self._faces[key] = faces_of(self._box.tile_by_number[number], rotation)
        return self._faces[key]


def measure(box: AtlasBox, log: AtlasLog) -> dict[str, float]:
    """All MEASURES of one map; for many maps of one box, keep a Surveyor."""
    return Surveyor(box).measure(log)


def false_metrics(box: AtlasBox, log: AtlasLog) -> tuple[tuple[str, float, float | None], ...]:
    """False measures in a legal log: name, recorded value, actual value (None: no such measure)."""
    found = measure(box, log) if log.metrics else {}
    return tuple((name, value, found.get(name)) for name, value in log.metrics if found.get(name) != value)


def _is_land(face: Face) -> bool:
    return face.ground in _LAND


def _linked(places: list[Axial], faces: list[Face], tiled: int) -> _Terrain:
    """Which hexes touch, and between which there is a way by land: both are land, and neither is closed there."""
    at: dict[tuple[int, int], int] = {place: number for number, place in enumerate(places)}
    get = at.get
    beyond = [tuple(get((q + dq, r + dr), -1) for dq, dr in NEIGHBOURS) for q, r in places]
    land: list[list[int]] = []
    for face, around in zip(faces, beyond, strict=True):
        if face.ground not in _LAND:
            land.append([])
            continue
        mine = face.open_edges
        land.append(
            [
                other
                for edge, other in enumerate(around)
                if other >= 0
                and mine >> edge & 1
                and faces[other].ground in _LAND
                and faces[other].open_edges >> (edge + 3) % 6 & 1
            ]
        )
    return _Terrain(places, faces, beyond, land, [[] for _ in places], tiled)


class _Ways(Struct, frozen=True):
    """Shortest ways by land from one home: hexes in layers (by steps), the steps to each, and the least cost of the
    mountains on such a way."""

    layers: list[list[int]]
    steps: dict[int, int]
    cost: dict[int, int]


def _ways(ground: _Terrain, home: int) -> _Ways:
    land, faces = ground.land, ground.faces
    steps, cost = {home: 0}, {home: faces[home].cost}
    layers = [[home]]
    while layers[-1]:
        found: dict[int, int] = {}
        for number in layers[-1]:
            so_far = cost[number]
            for other in land[number]:
                if other not in steps and so_far < found.get(other, so_far + 1):
                    found[other] = so_far
        for number, so_far in found.items():
            steps[number] = len(layers)
            cost[number] = so_far + faces[number].cost
        layers.append(list(found))
    layers.pop()
    return _Ways(layers, steps, cost)


def _measure_homes(ground: _Terrain, paths: Mapping[int, _Ways]) -> dict[int, HomeMeasures]:
    return {
        home: HomeMeasures(
            income=_income(ground, ways),
            mountain_cost=_mountain_cost(ground, ways),
            destination_way=_destination_way(ground, ways),
            stranded=not _has_stop(ground, ways),
        )
        for home, ways in paths.items()
    }


def _income(ground: _Terrain, ways: _Ways) -> int:
    """Printed income of other cities and homes at most REACH steps away, and of destinations entered by then."""
    income, destinations = 0, set()
    for steps, layer in enumerate(ways.layers[: REACH + 1]):
        for number in layer:
            if steps:
                income += ground.faces[number].income
            if steps < REACH:
                destinations.update(ground.entered[number])
    return income + DESTINATION_INCOME * len(destinations)


def _mountain_cost(ground: _Terrain, ways: _Ways) -> int:
    """The two cities with the fewest steps, among those the least cost; the home's own hex counts once."""
    costs: list[int] = []
    for layer in ways.layers[1:]:
        costs += sorted(ways.cost[number] for number in layer if ground.faces[number].income)
        if len(costs) >= 2:
            own = ground.faces[ways.layers[0][0]].cost
            return costs[0] + costs[1] - own
    return NONE


def _destination_way(ground: _Terrain, ways: _Ways) -> int:
    entered = ground.entered
    return next(
        (steps + 1 for steps, layer in enumerate(ways.layers) if any(entered[number] for number in layer)), NONE
    )


def _has_stop(ground: _Terrain, ways: _Ways) -> bool:
    home = ways.layers[0][0]
    return any(ground.entered[n] or (ground.faces[n].income and n != home) for layer in ways.layers for n in layer)


def _spread(name: str, values: Sequence[int]) -> dict[str, float]:
    """Least, mean and greatest; NONE where there are no values."""
    if not values:
        return {f"{name}_{each}": NONE for each in ("min", "mean", "max")}
    return {f"{name}_min": min(values), f"{name}_mean": round(fmean(values), 4), f"{name}_max": max(values)}


def _size(ground: _Terrain, blanks: int) -> dict[str, float]:
    tiled = range(ground.tiled)
    rim = sum(not 0 <= other < ground.tiled for number in tiled for other in ground.beyond[number])
    gaps = _gaps(ground)
    return {
        "hexes": ground.tiled,
        "blanks": blanks,
        "perimeter": rim,
        "diameter": _diameter(ground.places[: ground.tiled]),
        "gaps": len(gaps),
        "gap_hexes": sum(map(len, gaps)),
    }


def _diameter(places: Iterable[Axial]) -> int:
    """The two hexes farthest apart are also the farthest apart along one of the three axes."""
    axes = zip(*((q, r, q + r) for q, r in places), strict=True)
    return max((max(axis) - min(axis) for axis in axes), default=0)


def _gaps(ground: _Terrain) -> list[list[Axial]]:
    """Connected empty places that are enclosed by hexes of tiles and blanks."""
    held = set(ground.places)
    rim = {
        (q + NEIGHBOURS[edge][0], r + NEIGHBOURS[edge][1])
        for (q, r), around in zip(ground.places, ground.beyond, strict=True)
        for edge, other in enumerate(around)
        if other < 0
    }
    if not rim:
        return []
    # Everything connected to the outermost empty place is outside; only gaps wider than the rim need more steps.
    low_q, high_q = min(q for q, _ in rim), max(q for q, _ in rim)
    low_r, high_r = min(r for _, r in rim), max(r for _, r in rim)
    gaps: list[list[Axial]] = []
    left = dict.fromkeys(sorted(rim))
    while left:
        part = [left.popitem()[0]]
        seen, outside = {part[0]}, False
        for q, r in part:
            outside = outside or not (low_q < q < high_q and low_r < r < high_r)
            for dq, dr in NEIGHBOURS:
                other = (q + dq, r + dr)
                if other in seen or other in held:
                    continue
                if low_q <= other[0] <= high_q and low_r <= other[1] <= high_r:
                    seen.add(other)
                    part.append(other)
                    left.pop(other, None)
        if not outside:
            gaps.append([Axial(q, r) for q, r in part])
    return gaps


def _distance(one: Axial, other: Axial) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def _distances(ground: _Terrain, paths: Mapping[int, _Ways]) -> dict[str, float]:
    homes = list(paths)
    pairs = [(one, other) for index, one in enumerate(homes) for other in homes[index + 1 :]]
    straight = [_distance(ground.places[one], ground.places[other]) for one, other in pairs]
    by_land = [paths[one].steps[other] for one, other in pairs if other in paths[one].steps]
    found = _spread("home_distance", straight) | _spread("home_land", by_land)
    return {**found, "home_pairs_apart": len(pairs) - len(by_land)}


def _exits(ground: _Terrain) -> dict[str, float]:
    """Dead exits: beyond a printed exit lies nothing, a hex that is closed on that side, or water that nobody may
    bridge."""
    dead = {
        (number, edge)
        for number, face in enumerate(ground.faces)
        for edge in face.exits
        if (other := ground.beyond[number][edge]) < 0
        or not ground.faces[other].is_open(edge + 3)
        or (ground.faces[other].ground is Ground.WATER and not ground.bridged)
        or face.ground is ground.faces[other].ground is Ground.DESTINATION
    }
    blocked = sum(
        all((number, edge) in dead for number in hexes for edge in ground.faces[number].exits)
        for hexes in ground.destinations
    )
    return {"destinations": len(ground.destinations), "destinations_blocked": blocked, "dead_exits": len(dead)}


def _parts(ground: _Terrain) -> dict[str, float]:
    left = {number for number, face in enumerate(ground.faces) if face.ground in _LAND}
    sizes = []
    while left:
        part = [left.pop()]
        for number in part:
            new = [other for other in ground.land[number] if other in left]
            left.difference_update(new)
            part += new
        sizes.append(len(part))
    return {"land_parts": len(sizes), "land_largest": max(sizes, default=0)}


def _centrality(ground: _Terrain) -> float:
    """Below 1 where capitals lie nearer to the homes than the basic cities do."""
    if not ground.capitals or not ground.homes:
        return NONE
    homes = [ground.places[home] for home in ground.homes]

    def mean(numbers: Iterable[int]) -> float:
        return fmean(_distance(ground.places[number], home) for number in numbers for home in homes)

    return round(mean(ground.capitals) / mean(ground.cities), 4)
