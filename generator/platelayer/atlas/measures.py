"""Measures of a map: how far apart homes lie, what they reach, and how the map is connected.

Every measure is defined in docs/atlas-measures.md; the names and their order are those of MEASURES. Lengths
are counted in steps from a hex to a neighbour, money as printed.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.atlas.check import (
    DESTINATION_INCOME,
    GREEN_DESTINATION_INCOME,
    SUBURB_INCOME,
    Terrain,
    Terrains,
    Ways,
    is_land,
    steps_with_bridges,
    ways_from,
)
from platelayer.atlas.report import HEX_MM, board_size_mm
from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.resources import asset_json
from platelayer.model.map_tiles import HAND, NEIGHBOURS, AtlasBox, AtlasLog, Axial, Ground
from platelayer.model.title import Title

# Fairness of a map: possible income of a train from each home phase by phase, and how evenly homes
# are served.


# Number of track steps by the number of a train. A company lays two yellow tiles in each of the two
# operating rounds of a cycle, the first of them at home; a train of the next number uses the track
# of one more cycle. Source: rulebook, sections 5 and 14.
TRAINS = {2: 3, 3: 7, 4: 11}
# Trains of the green phase; a 2-train runs in the yellow phase. Source: rulebook, section 5.
GREEN_TRAINS = (3, 4)
WHOLLY_FAIR = 100.0

# Steps of track to a stop, its income, and True if a suburb may be laid there.
Stop = tuple[int, int, bool]


def train_income(
    number: int, own: int, stops: Iterable[Stop], *, extra: int = 0, suburbs: int = 0
) -> int:
    """Return the most that a train may pay from a home that pays `own`.

    With the home it counts `number` + `extra` stops, and the ways to the others together have no
    more steps than there is track (TRAINS); `suburbs` pay in addition. A train may stay at home:
    local routes are allowed (rulebook, section 16).
    """
    others, track = number + extra - 1, TRAINS[number]
    # There would be thousands of choices of a few stops out of dozens. So ignore a stop if enough
    # others of its kind are as near and pay as much: any choice can use these instead.
    useful: list[Stop] = []
    near = (stop for stop in stops if stop[0] <= track)
    for way, money, basic in sorted(near, key=lambda stop: (stop[0], -stop[1])):
        kind = basic and suburbs > 0
        if [stop[1] >= money and stop[2] is kind for stop in useful].count(True) < others:
            useful.append((way, money, kind))

    def best_of(first: int, left: int, room: int, tokens: int) -> int:
        most = 0
        for index in range(first, len(useful)):
            way, money, basic = useful[index]
            if way > room:
                break
            token = basic and tokens > 0
            if token:
                money += SUBURB_INCOME
            if left > 1:
                money += best_of(index + 1, left - 1, room - way, tokens - token)
            most = max(most, money)
        return most

    return own + best_of(0, others, track, suburbs)


def evenness(worths: Sequence[int]) -> float:
    """Return 100 if all are worth the same, down to 0 if one has everything: 100 x (1 - G), with
    the Gini coefficient G, half of the mean difference of all pairs (including each with itself)
    relative to the mean.

    Source: Gini, "Variabilità e mutabilità", 1912. 100 if nothing is worth anything.
    """
    number = len(worths)
    # In sorted order, the i-th of n values is the greater one in i - 1 pairs and the smaller one in
    # n - i.
    apart = math.fsum(
        (2 * place - number - 1) * worth for place, worth in enumerate(sorted(worths), start=1)
    )
    return evenness_of(number, math.fsum(worths), apart)


def evenness_of(number: int, total: float, apart: float) -> float:
    """Return `evenness` from the sum of all worths and the sum of the differences of all pairs."""
    return WHOLLY_FAIR * (1 - apart / (number * total)) if total else WHOLLY_FAIR


# Measures of a map by name, each described in one line.


# To be changed when a measure of any map changes its value; no survey may mix versions.
MEASURES_VERSION = 2
# Maximum number of steps by land at which income counts for a home.
REACH = 3
# The value of a measure if there is nothing to measure.
NONE = -1

# Names in order, each described in one line.
MEASURES: dict[str, str] = asset_json("atlas.json")["measures"]


# Measures of one home on a map.


class HomeMeasures(Struct, frozen=True, kw_only=True):
    """Measures of one home: income within reach; steps to the nearest two cities and the cost of
    the mountains there; steps to the nearest destination and to the nearest capital with their
    costs (NONE: there are not two cities, or there is no way); whether it reaches any other stop;
    what trains may pay (as in TRAINS); other homes within reach; the sides of its hex that no map
    tile touches; the mountains' cost after what is repaid; and its worth, from which the fairness of
    a map is made."""

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
    rim: int = 0
    paid: int = 0

    def measured(self, name: str) -> int:
        """Return one of HOME_MEASURES."""
        if name.startswith("train_"):
            return self.trains[HOME_TRAINS.index(name)]
        return int(getattr(self, name))

    @property
    def worth(self) -> int:
        """Income of trains in all phases, less the cost (after refunds) of the mountains to the
        nearest two cities; at least 0."""
        return max(0, sum(self.trains) - self.paid)


HOME_TRAINS = tuple(f"train_{number}" for number in TRAINS)
# Measures that can be required for the home of a company.
HOME_MEASURES = (
    *(
        "income",
        "mountain_cost",
        "city_way",
        "destination_way",
        "destination_cost",
        "capital_way",
        "capital_cost",
    ),
    *("rivals", "rim", *HOME_TRAINS, "worth"),
)


def measure_home(ground: Terrain, ways: Ways) -> HomeMeasures:
    """Return all measures of a home except those of trains."""
    city_way, mountain_cost = _to_cities(ground, ways)
    destination_way, destination_cost = _nearest(ways, [n for n in ways.steps if ground.entered[n]])
    capital_way, capital_cost = _nearest(ways, [n for n in ground.capitals if n in ways.steps])
    home = ways.layers[0][0]
    # For a company that is reimbursed for mountains another way may be the cheapest, so search
    # again.
    paid = max(0, mountain_cost)
    if (bonus := ground.mountain_bonuses.get(home, 0)) and city_way != NONE:
        _, paid = _to_cities(ground, ways_from(ground, home, bonus))
    # Printed income of other cities and homes at most REACH steps away, and of destinations that
    # can be entered within that distance.
    income, destinations = 0, set()
    for steps, layer in enumerate(ways.layers[: REACH + 1]):
        for number in layer:
            if steps:
                income += ground.faces[number].income
            if steps < REACH:
                destinations.update(ground.entered[number])
    return HomeMeasures(
        income=income + DESTINATION_INCOME * len(destinations),
        mountain_cost=mountain_cost,
        city_way=city_way,
        destination_way=destination_way if destination_way == NONE else destination_way + 1,
        destination_cost=destination_cost,
        capital_way=capital_way,
        capital_cost=capital_cost,
        stranded=not any(
            ground.entered[number] or (ground.faces[number].income and number != home)
            for layer in ways.layers
            for number in layer
        ),
        trains=(),
        rivals=sum(
            other != home and ways.steps.get(other, REACH + 1) <= REACH for other in ground.homes
        ),
        rim=sum(not 0 <= other < ground.tiled for other in ground.beyond[home]),
        paid=paid,
    )


def train_incomes(ground: Terrain, ways: Ways) -> tuple[int, ...]:
    """Return the income of each of TRAINS, with the powers of the company: trains of a company that
    builds bridges also cross water. A hex counts as one stop."""
    home = ways.layers[0][0]
    faces = ground.faces
    way_to = steps_with_bridges(ground, home) if home in ground.bridgers else ways.steps
    stops = [
        (steps, number)
        for number, steps in way_to.items()
        if faces[number].income and number != home
    ]
    entered: dict[int, int] = {}
    # Ways are sorted by length, so the first hex from which a destination can be entered is the
    # nearest; entering takes one step more.
    for number, steps in way_to.items():  # nearest first
        for destination in ground.entered[number]:
            entered.setdefault(destination, steps + 1)
    extra, suburbs = ground.extra_stops.get(home, 0), ground.suburbs.get(home, 0)
    basic = {number: suburbs > 0 and faces[number].is_basic for _, number in stops}
    yellow = [(steps, faces[number].income, basic[number]) for steps, number in stops]
    yellow += [(steps, DESTINATION_INCOME, False) for steps in entered.values()]
    green = [(steps, faces[number].green, basic[number]) for steps, number in stops]
    green += [(steps, GREEN_DESTINATION_INCOME, False) for steps in entered.values()]
    return tuple(
        train_income(
            number,
            faces[home].green if number in GREEN_TRAINS else faces[home].income,
            green if number in GREEN_TRAINS else yellow,
            extra=extra,
            suburbs=suburbs,
        )
        for number in TRAINS
    )


def _to_cities(ground: Terrain, ways: Ways) -> tuple[int, int]:
    """Return steps and cost to the two cities with the fewest steps and, among those, the lowest
    cost; the home's own hex costs once. Both are NONE if there are not two."""
    nearest = []
    for steps, layer in enumerate(ways.layers[1:], start=1):
        nearest += [
            (steps, cost)
            for cost in sorted(ways.cost[number] for number in layer if ground.faces[number].income)
        ]
        if len(nearest) >= 2:
            (one, cost), (two, other_cost) = nearest[:2]
            return one + two, cost + other_cost - ways.cost[ways.layers[0][0]]
    return NONE, NONE


def _nearest(ways: Ways, numbers: Sequence[int]) -> tuple[int, int]:
    """Return steps and cost to the hex with the fewest steps and, among those, the lowest cost;
    both are NONE if there is none."""
    return min(
        ((ways.steps[number], ways.cost[number]) for number in numbers), default=(NONE, NONE)
    )


class Surveyor:
    """Measures maps of one box."""

    def __init__(self, box: AtlasBox) -> None:
        self._terrains = Terrains(box)

    def measure(self, log: AtlasLog) -> dict[str, float]:
        """Return all MEASURES of a map, by name, in order; ints except for means (to 4 places). The
        log must be legal."""
        subject = self.subject(log)
        values = {name: value for group in GROUPS for name, value in subject.group(group).items()}
        return {name: values[name] for name in MEASURES}

    def subject(self, log: AtlasLog) -> Subject:
        """Return a map whose measures are computed on request. The log must be legal."""
        return Subject(self._terrains, log)


class Chosen(NamedTuple):
    """A home that a company may choose: its place and its measures."""

    at: Axial
    home: HomeMeasures


class Subject:
    """One map to measure. Each group of measures is computed once, on first request."""

    def __init__(self, terrains: Terrains, log: AtlasLog) -> None:
        self._terrains = terrains
        self._groups: dict[str, dict[str, float]] = {}
        self.log = log

    @cached_property
    def ground(self) -> Terrain:
        """The map by the numbers of its hexes."""
        return self._terrains.of(self.log)

    @cached_property
    def paths(self) -> dict[int, Ways]:
        """Ways by land from each home."""
        return {home: ways_from(self.ground, home) for home in self.ground.homes}

    @cached_property
    def served(self) -> dict[int, HomeMeasures]:
        """Measures of each home except for its trains, which take longest."""
        return {home: measure_home(self.ground, ways) for home, ways in self.paths.items()}

    @cached_property
    def homes(self) -> dict[int, HomeMeasures]:
        """Measures of each home."""
        ground, paths = self.ground, self.paths
        return {
            home: replace(income, trains=train_incomes(ground, paths[home]))
            for home, income in self.served.items()
        }

    @property
    def homes_by_company(self) -> dict[str, HomeMeasures]:
        """Measures of each home, by id of the company, in the order in which their tiles were
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
            # Strictly more, so that on a tie the city laid first wins.
            if best is None or home.worth > best.home.worth:
                best = Chosen(ground.places[city], home)
        return {} if best is None else dict.fromkeys(sorted(homeless), best)

    @property
    def companies(self) -> tuple[str, ...]:
        """Ids of the companies in play."""
        return self._terrains.companies(self.log)

    def group(self, name: str) -> dict[str, float]:
        """Return the measures of one of GROUPS, by name."""
        if name not in self._groups:
            self._groups[name] = GROUPS[name](self)
        return self._groups[name]

    def value(self, measure: str) -> float:
        """Return one measure."""
        return self.group(group_of(measure))[measure]


def _lie(subject: Subject) -> dict[str, float]:
    ground = subject.ground
    rim = sum(
        not 0 <= other < ground.tiled
        for number in range(ground.tiled)
        for other in ground.beyond[number]
    )
    gaps = _gaps(ground)
    # The two hexes farthest apart are also the farthest apart along one of the three axes.
    axes = zip(*((q, r, q + r) for q, r in ground.places[: ground.tiled]), strict=True)
    values: dict[str, float] = {
        "hexes": ground.tiled,
        "blanks": len(subject.log.blanks),
        "perimeter": rim,
        "diameter": max((max(axis) - min(axis) for axis in axes), default=0),
        "gaps": len(gaps),
        "gap_hexes": sum(map(len, gaps)),
        "homes": len(ground.homes),
    }
    return {**values, **_exits(ground), **_parts(ground), "capital_centrality": _centrality(ground)}


def _of_ways(subject: Subject) -> dict[str, float]:
    ground, paths = subject.ground, subject.paths
    reached = {number for ways in paths.values() for number in ways.steps}
    dead = sum(is_land(face) and number not in reached for number, face in enumerate(ground.faces))
    homes = list(paths)
    pairs = [(one, other) for index, one in enumerate(homes) for other in homes[index + 1 :]]
    straight = [ground.places[one].steps_to(ground.places[other]) for one, other in pairs]
    by_land = [paths[one].steps[other] for one, other in pairs if other in paths[one].steps]
    return {
        **_spread("home_distance", straight),
        **_spread("home_land", by_land),
        "home_pairs_apart": len(pairs) - len(by_land),
        "dead_land": dead,
    }


def _of_homes(subject: Subject) -> dict[str, float]:
    homes = list(subject.served.values())
    # Homes from which something can be reached: two cities, a destination, a capital.
    cities = [home for home in homes if home.mountain_cost != NONE]
    entering = [home for home in homes if home.destination_way != NONE]
    capital = [home for home in homes if home.capital_way != NONE]
    values: dict[str, float] = {
        "homes_short_of_cities": len(homes) - len(cities),
        "homes_without_destination": len(homes) - len(entering),
        "homes_without_capital": len(homes) - len(capital),
        "stranded_homes": sum(home.stranded for home in homes),
    }
    for among, names in (
        (homes, ("income", "rivals")),
        (cities, ("mountain_cost", "city_way")),
        (entering, ("destination_way", "destination_cost")),
        (capital, ("capital_way", "capital_cost")),
    ):
        for name in names:
            values |= _spread(name, [home.measured(name) for home in among])
    return values


def _of_trains(subject: Subject) -> dict[str, float]:
    homes = list(subject.homes.values())
    values: dict[str, float] = {}
    for index, number in enumerate(TRAINS):
        values |= _spread(f"train_{number}", [home.trains[index] for home in homes])
    return {
        **values,
        "fairness": round(evenness([home.worth for home in homes]), 4) if homes else NONE,
    }


# Groups of measures that are computed together, from the quickest to the slowest.
GROUPS: dict[str, Callable[[Subject], dict[str, float]]] = {
    "table": lambda subject: dict(
        zip(
            ("table_short_mm", "table_long_mm"),
            sorted(board_size_mm(subject.log, HEX_MM)),
            strict=True,
        )
    ),
    "lie": _lie,
    "ways": _of_ways,
    "homes": _of_homes,
    "trains": _of_trains,
}
_IN_WAYS = ("home_land", "home_distance", "home_pairs", "dead_land")
_IN_LIE = frozenset(
    {
        *("hexes", "blanks", "perimeter", "diameter", "gaps", "gap_hexes", "homes", "destinations"),
        *("destinations_blocked", "dead_exits", "land_parts", "land_largest", "capital_centrality"),
    }
)


def group_of(measure: str) -> str:
    """Return the group that a measure belongs to."""
    if measure.startswith("table_"):
        return "table"
    if measure.startswith(_IN_WAYS):
        return "ways"
    if measure.startswith(("train_", "fairness")):
        return "trains"
    return "lie" if measure in _IN_LIE else "homes"


def measure(box: AtlasBox, log: AtlasLog) -> dict[str, float]:
    """Return all MEASURES of one map. For many maps of one box, reuse a Surveyor."""
    return Surveyor(box).measure(log)


def false_metrics(box: AtlasBox, log: AtlasLog) -> tuple[tuple[str, float, float | None], ...]:
    """Return false measures in a legal log: name, recorded value, actual value (None: no such
    measure)."""
    measured = measure(box, log) if log.metrics else {}
    return tuple(
        (name, value, measured.get(name))
        for name, value in log.metrics
        if measured.get(name) != value
    )


def _spread(name: str, values: Sequence[int]) -> dict[str, float]:
    """Return minimum, mean and maximum; NONE if there are no values."""
    if not values:
        return {f"{name}_{statistic}": NONE for statistic in ("min", "mean", "max")}
    return {
        f"{name}_min": min(values),
        f"{name}_mean": round(fmean(values), 4),
        f"{name}_max": max(values),
    }


def _gaps(ground: Terrain) -> list[list[Axial]]:
    """Return connected empty places enclosed by hexes of tiles and blanks."""
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
    gaps = []
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


def _exits(ground: Terrain) -> dict[str, float]:
    """Return measures of dead exits: those that lead to nothing, to a hex closed on that side, or
    to water that nobody may bridge."""
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
    """Return a number below 1 if capitals lie nearer to the homes than the basic cities do."""
    if not ground.capitals or not ground.homes:
        return NONE
    homes = [ground.places[home] for home in ground.homes]

    def mean(numbers: Iterable[int]) -> float:
        return fmean(ground.places[number].steps_to(home) for number in numbers for home in homes)

    return round(mean(ground.capitals) / mean(ground.cities), 4)


# Sentences on the fairness of a map: comparison with other maps, each home, and bids for it.


words = FixedWords("atlas").table

# Size of the president's certificate in per cent, and the step of bids. Source: rulebook, sections
# 2 and 7.
PRESIDENT_PERCENT, BID_STEP = 40, 5


def compared(log: AtlasLog, fairness: float, tongue: Tongue) -> str:
    """Return a sentence on the share of maps that are less fair; "" for modes of other titles. A
    map laid by hand is compared with compact ones."""
    policy = "compact" if log.policy == HAND else log.policy
    # The nine deciles of fairness of maps of Railways of the Lost Atlas: surveys with seed 1
    # (docs/atlas-measures.md states the number of maps).
    deciles = asset_json("atlas.json")["deciles"].get(log.mode, {}).get(policy)
    if deciles is None:
        return ""
    return tongue.say(words("judgement_words")["compared"], 10 * bisect_left(deciles, fairness))


def judged(title: Title, homes: Mapping[str, HomeMeasures], tongue: Tongue) -> Iterator[str]:
    """Yield a sentence on each home, the one that is worth most first: its worth beside the mean,
    why, and what to bid."""
    box = title.atlas
    assert box is not None, "a map is of a title with map tiles"
    table = words("judgement_words")

    def say(key: str, *parts: object) -> str:
        return tongue.say(table[key], *parts)

    powers = (
        ("with_stops", dict(box.extra_stops)),
        ("with_suburbs", dict(box.suburbs)),
        ("with_bridges", dict.fromkeys(box.bridging, 1)),
    )
    mean = round(math.fsum(home.worth for home in homes.values()) / max(1, len(homes)))
    for company, home in sorted(homes.items(), key=lambda each: (-each[1].worth, each[0])):
        apart = home.worth - mean
        bid = round(abs(apart) * PRESIDENT_PERCENT / 100 / BID_STEP) * BID_STEP
        why = [say("near", home.city_way) if home.city_way != NONE else say("no_cities")]
        if home.paid:
            key = "mountains" if home.paid > 0 else "repaid"
            why.append(say(key, title.money(abs(home.paid))))
        why += [say(key) for key, power in powers if company in power]
        yield say(
            "home",
            tongue.say(title.company_by_id[company].name),
            title.money(home.worth),
            say("above" if apart > 0 else "below", title.money(abs(apart)))
            if apart
            else say("mean"),
            tongue.say(words("setup_words")["comma"]).join(why),
            say("more" if apart > 0 else "less", title.money(bid)) if bid else say("as_much"),
        )
