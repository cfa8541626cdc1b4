"""Measures of a map: how far apart homes lie, what they reach, and how the map is connected.

Every measure is defined in docs/atlas.md; the names and their order are those of MEASURES. Lengths are counted in steps
from a hex to a neighbour, money as printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from statistics import fmean

from msgspec import Struct, field
from msgspec.structs import replace

from platelayer.atlas.extent import HEX_MM, board_size_mm, companies_in_play
from platelayer.atlas.fairness import GREEN_TRAINS, TRAINS, evenness, train_income
from platelayer.atlas.measure_names import MEASURES, NONE, REACH
from platelayer.atlas.terrain import DESTINATION_INCOME, GREEN_DESTINATION_INCOME, Face, faces_of
from platelayer.model.atlas import NEIGHBOURS, AtlasBox, AtlasLog, Axial, Ground, tile_hexes

_BLANK = Face(ground=Ground.PLAIN, open_edges=0b111111)
_LAND = frozenset({Ground.HOME, Ground.PLAIN, Ground.MOUNTAIN, Ground.CITY})


class HomeMeasures(Struct, frozen=True, kw_only=True):
    """What one home measures: income within reach; steps to the nearest two cities and the cost of the mountains there;
    steps to the nearest destination and to the nearest capital with their costs (NONE: there are not two cities, or
    there is no way); whether it reaches any other stop; what trains may pay (as in TRAINS); other homes within reach;
    and its worth, from which the fairness of a map is made."""

    income: int
    mountain_cost: int
    city_way: int
    destination_way: int
    destination_cost: int
    capital_way: int
    capital_cost: int
    stranded: bool
    trains: tuple[int, ...]
    rivals: int

    @property
    def worth(self) -> int:
        """What trains may pay in all phases, less the cost of the mountains to the nearest two cities; 0 or more."""
        return max(0, sum(self.trains) - max(0, self.mountain_cost))


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
        subject = self.subject(log)
        values = {name: value for group in GROUPS for name, value in subject.group(group).items()}
        return {name: values[name] for name in MEASURES}

    def subject(self, log: AtlasLog) -> Subject:
        """A map of which only the measures asked for are taken. The log must be legal."""
        return Subject(self, log)

    def measure_homes(self, log: AtlasLog) -> dict[str, HomeMeasures]:
        """What each home measures, by id of the company, in the order in which their tiles were laid."""
        subject = self.subject(log)
        return {subject.ground.homes[home]: found for home, found in subject.homes.items()}

    def survey(self, log: AtlasLog) -> _Terrain:
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


class Subject:
    """One map on its way through the measures: each group of them is taken once, when it is first asked for."""

    def __init__(self, surveyor: Surveyor, log: AtlasLog) -> None:
        self._surveyor = surveyor
        self._groups: dict[str, dict[str, float]] = {}
        self.log = log

    @cached_property
    def ground(self) -> _Terrain:
        """The map by numbers of its hexes."""
        return self._surveyor.survey(self.log)

    @cached_property
    def paths(self) -> dict[int, _Ways]:
        """Ways by land from each home."""
        return {home: _ways(self.ground, home) for home in self.ground.homes}

    @cached_property
    def served(self) -> dict[int, HomeMeasures]:
        """What each home measures, except for its trains, which take longest."""
        return {home: _measure_home(self.ground, ways) for home, ways in self.paths.items()}

    @cached_property
    def homes(self) -> dict[int, HomeMeasures]:
        """What each home measures."""
        ground, paths = self.ground, self.paths
        return {home: replace(each, trains=_train_incomes(ground, paths[home])) for home, each in self.served.items()}

    def group(self, name: str) -> dict[str, float]:
        """The measures of one of GROUPS, by their names."""
        if name not in self._groups:
            self._groups[name] = GROUPS[name](self)
        return self._groups[name]

    def value(self, measure: str) -> float:
        """One measure."""
        return self.group(group_of(measure))[measure]


def _table(subject: Subject) -> dict[str, float]:
    short, long = sorted(board_size_mm(subject.log, HEX_MM))
    return {"table_long_mm": long, "table_short_mm": short}


def _lie(subject: Subject) -> dict[str, float]:
    ground = subject.ground
    values: dict[str, float] = {**_size(ground, len(subject.log.blanks)), "homes": len(ground.homes)}
    return {**values, **_exits(ground), **_parts(ground), "capital_centrality": _centrality(ground)}


def _of_ways(subject: Subject) -> dict[str, float]:
    ground, paths = subject.ground, subject.paths
    reached = {number for ways in paths.values() for number in ways.steps}
    dead = sum(_is_land(face) and number not in reached for number, face in enumerate(ground.faces))
    return {**_distances(ground, paths), "dead_land": dead}


def _of_homes(subject: Subject) -> dict[str, float]:
    homes = list(subject.served.values())
    found = [each for each in homes if each.mountain_cost != NONE]
    values = _spread("income", [each.income for each in homes])
    values |= _spread("mountain_cost", [each.mountain_cost for each in found])
    values |= _spread("city_way", [each.city_way for each in found])
    values["homes_short_of_cities"] = len(homes) - len(found)
    found = [each for each in homes if each.destination_way != NONE]
    values |= _spread("destination_way", [each.destination_way for each in found])
    values |= _spread("destination_cost", [each.destination_cost for each in found])
    values["homes_without_destination"] = len(homes) - len(found)
    found = [each for each in homes if each.capital_way != NONE]
    values |= _spread("capital_way", [each.capital_way for each in found])
    values |= _spread("capital_cost", [each.capital_cost for each in found])
    values["homes_without_capital"] = len(homes) - len(found)
    values["stranded_homes"] = sum(each.stranded for each in homes)
    return {**values, **_spread("rivals", [each.rivals for each in homes])}


def _of_trains(subject: Subject) -> dict[str, float]:
    homes = list(subject.homes.values())
    values: dict[str, float] = {}
    for index, number in enumerate(TRAINS):
        values |= _spread(f"train_{number}", [each.trains[index] for each in homes])
    return {**values, "fairness": round(evenness([each.worth for each in homes]), 4) if homes else NONE}


class Measured:
    """A map whose measures were all taken before."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values

    def value(self, measure: str) -> float:
        """One measure."""
        return self._values[measure]


GROUPS: dict[str, Callable[[Subject], dict[str, float]]] = {
    "table": _table,
    "lie": _lie,
    "ways": _of_ways,
    "homes": _of_homes,
    "trains": _of_trains,
}
"""Groups of measures that are taken together, from the quickest to the slowest."""
_IN_WAYS = ("home_land", "home_distance", "home_pairs", "dead_land")
_IN_LIE = frozenset(
    {
        *("hexes", "blanks", "perimeter", "diameter", "gaps", "gap_hexes", "homes", "destinations"),
        *("destinations_blocked", "dead_exits", "land_parts", "land_largest", "capital_centrality"),
    }
)


def group_of(measure: str) -> str:
    """The group that a measure belongs to."""
    if measure.startswith("table_"):
        return "table"
    if measure.startswith(_IN_WAYS):
        return "ways"
    if measure.startswith(("train_", "fairness")):
        return "trains"
    return "lie" if measure in _IN_LIE else "homes"


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


def _measure_home(ground: _Terrain, ways: _Ways) -> HomeMeasures:
    city_way, mountain_cost = _to_cities(ground, ways)
    destination_way, destination_cost = _nearest(ways, [n for n in ways.steps if ground.entered[n]])
    capital_way, capital_cost = _nearest(ways, [n for n in ground.capitals if n in ways.steps])
    home = ways.layers[0][0]
    return HomeMeasures(
        income=_income(ground, ways),
        mountain_cost=mountain_cost,
        city_way=city_way,
        destination_way=destination_way if destination_way == NONE else destination_way + 1,
        destination_cost=destination_cost,
        capital_way=capital_way,
        capital_cost=capital_cost,
        stranded=not _has_stop(ground, ways),
        trains=(),
        rivals=sum(other != home and ways.steps.get(other, REACH + 1) <= REACH for other in ground.homes),
    )


def _train_incomes(ground: _Terrain, ways: _Ways) -> tuple[int, ...]:
    """What each of TRAINS may pay. A hex counts as one stop."""
    home = ways.layers[0][0]
    faces = ground.faces
    stops = [(steps, number) for number, steps in ways.steps.items() if faces[number].income and number != home]
    entered: dict[int, int] = {}
    for number, steps in ways.steps.items():  # from near to far
        for destination in ground.entered[number]:
            entered.setdefault(destination, steps + 1)
    yellow = [(steps, faces[number].income) for steps, number in stops]
    yellow += [(steps, DESTINATION_INCOME) for steps in entered.values()]
    green = [(steps, faces[number].green) for steps, number in stops]
    green += [(steps, GREEN_DESTINATION_INCOME) for steps in entered.values()]
    return tuple(
        train_income(number, faces[home].green, green)
        if number in GREEN_TRAINS
        else train_income(number, faces[home].income, yellow)
        for number in TRAINS
    )


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


def _to_cities(ground: _Terrain, ways: _Ways) -> tuple[int, int]:
    """Steps and cost to the two cities with the fewest steps, among those the least cost; the home's own hex costs
    once. NONE twice if there are not two."""
    found: list[tuple[int, int]] = []
    for steps, layer in enumerate(ways.layers[1:], start=1):
        found += [
            (steps, cost) for cost in sorted(ways.cost[number] for number in layer if ground.faces[number].income)
        ]
        if len(found) >= 2:
            (one, cost), (two, other_cost) = found[:2]
            return one + two, cost + other_cost - ground.faces[ways.layers[0][0]].cost
    return NONE, NONE


def _nearest(ways: _Ways, numbers: Sequence[int]) -> tuple[int, int]:
    """Steps and cost to the hex with the fewest steps, among those the least cost; NONE twice if there is none."""
    return min(((ways.steps[number], ways.cost[number]) for number in numbers), default=(NONE, NONE))


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
