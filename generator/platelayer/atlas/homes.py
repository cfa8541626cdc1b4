"""What one home of a map measures."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from platelayer.atlas.fairness import GREEN_TRAINS, TRAINS, train_income
from platelayer.atlas.measure_names import NONE, REACH
from platelayer.atlas.terrain import DESTINATION_INCOME, GREEN_DESTINATION_INCOME
from platelayer.atlas.ways import Terrain, Ways, steps_with_bridges


class HomeMeasures(Struct, frozen=True, kw_only=True):
    """What one home measures: income within reach; steps to the nearest two cities and the cost of
    the mountains there; steps to the nearest destination and to the nearest capital with their
    costs (NONE: there are not two cities, or there is no way); whether it reaches any other stop;
    what trains may pay (as in TRAINS); other homes within reach; the sides of its hex that no map
    tile touches; and its worth, from which the fairness of a map is made."""

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

    def measured(self, name: str) -> int:
        """One of HOME_MEASURES."""
        if name.startswith("train_"):
            return self.trains[HOME_TRAINS.index(name)]
        return int(getattr(self, name))

    @property
    def worth(self) -> int:
        """What trains may pay in all phases, less the cost of the mountains to the nearest two
        cities; 0 or more."""
        return max(0, sum(self.trains) - max(0, self.mountain_cost))


HOME_TRAINS = tuple(f"train_{number}" for number in TRAINS)
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
"""What can be wished for the home of a company."""


def measure_home(ground: Terrain, ways: Ways) -> HomeMeasures:
    """Everything but what trains may pay."""
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
        rivals=sum(
            other != home and ways.steps.get(other, REACH + 1) <= REACH for other in ground.homes
        ),
        rim=sum(not 0 <= other < ground.tiled for other in ground.beyond[home]),
    )


def train_incomes(ground: Terrain, ways: Ways) -> tuple[int, ...]:
    """What each of TRAINS may pay; those of a company that lays bridges cross water, too. A hex
    counts as one stop."""
    home = ways.layers[0][0]
    faces = ground.faces
    way_to = steps_with_bridges(ground, home) if home in ground.bridgers else ways.steps
    stops = [
        (steps, number)
        for number, steps in way_to.items()
        if faces[number].income and number != home
    ]
    entered: dict[int, int] = {}
    for number, steps in way_to.items():  # from near to far
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


def _income(ground: Terrain, ways: Ways) -> int:
    """Printed income of other cities and homes at most REACH steps away, and of destinations
    entered by then."""
    income, destinations = 0, set()
    for steps, layer in enumerate(ways.layers[: REACH + 1]):
        for number in layer:
            if steps:
                income += ground.faces[number].income
            if steps < REACH:
                destinations.update(ground.entered[number])
    return income + DESTINATION_INCOME * len(destinations)


def _to_cities(ground: Terrain, ways: Ways) -> tuple[int, int]:
    """Steps and cost to the two cities with the fewest steps, among those the least cost; the
    home's own hex costs once. NONE twice if there are not two."""
    nearest: list[tuple[int, int]] = []
    for steps, layer in enumerate(ways.layers[1:], start=1):
        nearest += [
            (steps, cost)
            for cost in sorted(ways.cost[number] for number in layer if ground.faces[number].income)
        ]
        if len(nearest) >= 2:
            (one, cost), (two, other_cost) = nearest[:2]
            return one + two, cost + other_cost - ground.faces[ways.layers[0][0]].cost
    return NONE, NONE


def _nearest(ways: Ways, numbers: Sequence[int]) -> tuple[int, int]:
    """Steps and cost to the hex with the fewest steps, among those the least cost; NONE twice if
    there is none."""
    return min(
        ((ways.steps[number], ways.cost[number]) for number in numbers), default=(NONE, NONE)
    )


def _has_stop(ground: Terrain, ways: Ways) -> bool:
    home = ways.layers[0][0]
    return any(
        ground.entered[n] or (ground.faces[n].income and n != home)
        for layer in ways.layers
        for n in layer
    )
