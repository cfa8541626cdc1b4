"""Measures of a map: how far apart homes lie, what they reach, and how the map is connected.

Every measure is defined in docs/atlas.md; the names and their order are those of MEASURES. Lengths
are counted in steps from a hex to a neighbour, money as printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.atlas.extent import HEX_MM, board_size_mm
from platelayer.atlas.fairness import TRAINS, evenness
from platelayer.atlas.homes import HomeMeasures, measure_home, train_incomes
from platelayer.atlas.measure_names import MEASURES, NONE
from platelayer.atlas.ways import Terrain, Terrains, Ways, is_land, ways_from
from platelayer.foundation.properties import cached_property
from platelayer.model.atlas import NEIGHBOURS, AtlasBox, AtlasLog, Axial, Ground


class Surveyor:
    """Measures maps of one box."""

    def __init__(self, box: AtlasBox) -> None:
        self._terrains = Terrains(box)

    def measure(self, log: AtlasLog) -> dict[str, float]:
        """All MEASURES of a map, by name, in order; ints except for means (to 4 places). The log
        must be legal."""
        subject = self.subject(log)
        values = {name: value for group in GROUPS for name, value in subject.group(group).items()}
        return {name: values[name] for name in MEASURES}

    def subject(self, log: AtlasLog) -> Subject:
        """A map of which only the measures asked for are taken. The log must be legal."""
        return Subject(self._terrains, log)


class Chosen(NamedTuple):
    """A home that a company may choose: its place, and what it measures."""

    at: Axial
    home: HomeMeasures


class Subject:
    """One map on its way through the measures: each group of them is taken once, when it is first
    asked for."""

    def __init__(self, terrains: Terrains, log: AtlasLog) -> None:
        self._terrains = terrains
        self._groups: dict[str, dict[str, float]] = {}
        self.log = log

    @cached_property
    def ground(self) -> Terrain:
        """The map by numbers of its hexes."""
        return self._terrains.of(self.log)

    @cached_property
    def paths(self) -> dict[int, Ways]:
        """Ways by land from each home."""
        return {home: ways_from(self.ground, home) for home in self.ground.homes}

    @cached_property
    def served(self) -> dict[int, HomeMeasures]:
        """What each home measures, except for its trains, which take longest."""
        return {home: measure_home(self.ground, ways) for home, ways in self.paths.items()}

    @cached_property
    def homes(self) -> dict[int, HomeMeasures]:
        """What each home measures."""
        ground, paths = self.ground, self.paths
        return {
            home: replace(income, trains=train_incomes(ground, paths[home]))
            for home, income in self.served.items()
        }

    @property
    def homes_by_company(self) -> dict[str, HomeMeasures]:
        """What each home measures, by id of the company, in the order in which their tiles were
        laid."""
        return {self.ground.homes[home]: measured for home, measured in self.homes.items()}

    @cached_property
    def chosen(self) -> dict[str, Chosen]:
        """The basic city without a capital that is worth most, of several the one laid first, for
        each company in play that has no home on the map and chooses one (Adaptive), by id of the
        company; those for which there is none are left out."""
        ground = self.ground
        homeless = set(self.companies) - set(ground.homes.values())
        cities = [city for city in ground.cities if city not in ground.capitals] if homeless else []
        best: Chosen | None = None
        for city in cities:
            ways = ways_from(ground, city)
            home = replace(measure_home(ground, ways), trains=train_incomes(ground, ways))
            if best is None or home.worth > best.home.worth:
                best = Chosen(ground.places[city], home)
        return {} if best is None else dict.fromkeys(sorted(homeless), best)

    @property
    def companies(self) -> tuple[str, ...]:
        """Ids of the companies in play."""
        return self._terrains.companies(self.log)

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
    values: dict[str, float] = {
        **_size(ground, len(subject.log.blanks)),
        "homes": len(ground.homes),
    }
    return {**values, **_exits(ground), **_parts(ground), "capital_centrality": _centrality(ground)}


def _of_ways(subject: Subject) -> dict[str, float]:
    ground, paths = subject.ground, subject.paths
    reached = {number for ways in paths.values() for number in ways.steps}
    dead = sum(is_land(face) and number not in reached for number, face in enumerate(ground.faces))
    return {**_distances(ground, paths), "dead_land": dead}


def _of_homes(subject: Subject) -> dict[str, float]:
    homes = list(subject.served.values())
    to_cities = [home for home in homes if home.mountain_cost != NONE]
    values = _spread("income", [home.income for home in homes])
    values |= _spread("mountain_cost", [home.mountain_cost for home in to_cities])
    values |= _spread("city_way", [home.city_way for home in to_cities])
    values["homes_short_of_cities"] = len(homes) - len(to_cities)
    to_destination = [home for home in homes if home.destination_way != NONE]
    values |= _spread("destination_way", [home.destination_way for home in to_destination])
    values |= _spread("destination_cost", [home.destination_cost for home in to_destination])
    values["homes_without_destination"] = len(homes) - len(to_destination)
    to_capital = [home for home in homes if home.capital_way != NONE]
    values |= _spread("capital_way", [home.capital_way for home in to_capital])
    values |= _spread("capital_cost", [home.capital_cost for home in to_capital])
    values["homes_without_capital"] = len(homes) - len(to_capital)
    values["stranded_homes"] = sum(home.stranded for home in homes)
    return {**values, **_spread("rivals", [home.rivals for home in homes])}


def _of_trains(subject: Subject) -> dict[str, float]:
    homes = list(subject.homes.values())
    values: dict[str, float] = {}
    for index, number in enumerate(TRAINS):
        values |= _spread(f"train_{number}", [home.trains[index] for home in homes])
    return {
        **values,
        "fairness": round(evenness([home.worth for home in homes]), 4) if homes else NONE,
    }


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
    measured = measure(box, log) if log.metrics else {}
    return tuple(
        (name, value, measured.get(name))
        for name, value in log.metrics
        if measured.get(name) != value
    )


def _spread(name: str, values: Sequence[int]) -> dict[str, float]:
    """Least, mean and greatest; NONE where there are no values."""
    if not values:
        return {f"{name}_{statistic}": NONE for statistic in ("min", "mean", "max")}
    return {
        f"{name}_min": min(values),
        f"{name}_mean": round(fmean(values), 4),
        f"{name}_max": max(values),
    }


def _size(ground: Terrain, blanks: int) -> dict[str, float]:
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


def _gaps(ground: Terrain) -> list[list[Axial]]:
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
    # Everything connected to the outermost empty place is outside; only gaps wider than the rim
    # need more steps.
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


def _distances(ground: Terrain, paths: Mapping[int, Ways]) -> dict[str, float]:
    homes = list(paths)
    pairs = [(one, other) for index, one in enumerate(homes) for other in homes[index + 1 :]]
    straight = [ground.places[one].steps_to(ground.places[other]) for one, other in pairs]
    by_land = [paths[one].steps[other] for one, other in pairs if other in paths[one].steps]
    spread = _spread("home_distance", straight) | _spread("home_land", by_land)
    return {**spread, "home_pairs_apart": len(pairs) - len(by_land)}


def _exits(ground: Terrain) -> dict[str, float]:
    """Dead exits: beyond a printed exit lies nothing, a hex that is closed on that side, or water
    that nobody may bridge."""
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
    return {
        "destinations": len(ground.destinations),
        "destinations_blocked": blocked,
        "dead_exits": len(dead),
    }


def _parts(ground: Terrain) -> dict[str, float]:
    left = {number for number, face in enumerate(ground.faces) if is_land(face)}
    sizes = []
    while left:
        part = [left.pop()]
        for number in part:
            new = [other for other in ground.land[number] if other in left]
            left.difference_update(new)
            part += new
        sizes.append(len(part))
    return {"land_parts": len(sizes), "land_largest": max(sizes, default=0)}


def _centrality(ground: Terrain) -> float:
    """Below 1 where capitals lie nearer to the homes than the basic cities do."""
    if not ground.capitals or not ground.homes:
        return NONE
    homes = [ground.places[home] for home in ground.homes]

    def mean(numbers: Iterable[int]) -> float:
        return fmean(ground.places[number].steps_to(home) for number in numbers for home in homes)

    return round(mean(ground.capitals) / mean(ground.cities), 4)
