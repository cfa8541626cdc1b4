"""Choose one place for each of several things at the least total cost: an integer program.

Each thing has candidate places, each with its cost; two places side by side may cost more. The sum
is minimised by branch and bound with forward checking: the optimum of point-feature label placement
(Christensen, Marks & Shieber, "An Empirical Study of Algorithms for Point-Feature Label Placement",
ACM Transactions on Graphics 14, 1995; the integer program is Zoraster's of 1990), with soft
conflicts in place of forbidden ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Generic, TypeVar

from platelayer.foundation.geometry import measured
from platelayer.foundation.values import Frozen

Spot = TypeVar("Spot")
# Positions of one thing with their costs, the cheapest first.
Row = Sequence[tuple[float, Spot]]
# Cost of two positions used together.
Apart = Callable[[Spot, Spot], float]

# Tolerance for sums of costs that differ only in their last bits.
SURE, EPSILON = 1e-6, 1e-9
# Number of compared pairs of positions after which the search stops with the best choice so far.
# Only extremely crowded pieces reach it.
_MOST_PAIRS = 12000


class Choice(Frozen, Generic[Spot]):
    """A place for each thing, their total cost, and whether it is proved to be the least."""

    places: tuple[Spot, ...]
    cost: float
    proved: bool = True


def choose(rows: Sequence[Row[Spot]], apart: Apart[Spot]) -> Choice[Spot]:
    """Return the places with the least total cost, given all costs in advance."""
    picked = _in_turn(rows, apart)
    least = math.fsum(row[0][0] for row in rows)
    slack = _total(picked, apart) - least
    proved = True
    if measured(slack) > 0:
        # The sum of all cheapest positions is a lower bound. So a position whose own excess equals
        # that of the whole greedy choice cannot be part of a better one.
        near = [
            [(cost - row[0][0], spot) for cost, spot in row if cost < row[0][0] + slack + SURE]
            for row in rows
        ]
        for group in _groups(near, apart):
            start = [picked[k] for k in group]
            wasted = _total(start, apart) - math.fsum(rows[k][0][0] for k in group)
            search = Search([near[k] for k in group], [spot for _, spot in start], wasted, apart)
            search.run()
            for k, spot in zip(group, search.best, strict=True):
                picked[k] = next(entry for entry in rows[k] if entry[1] is spot)
            proved = proved and search.proved
    return Choice(tuple(spot for _, spot in picked), _total(picked, apart), proved)


def _in_turn(rows: Sequence[Row[Spot]], apart: Apart[Spot]) -> list[tuple[float, Spot]]:
    """Return the greedy choice: for each thing in turn, the cheapest place given those already
    chosen."""
    picked: list[tuple[float, Spot]] = []
    for row in rows:
        costs = [
            measured(cost + math.fsum(apart(spot, other) for _, other in picked))
            for cost, spot in row
        ]
        picked.append(row[costs.index(min(costs))])
    return picked


def _total(picked: Sequence[tuple[float, Spot]], apart: Apart[Spot]) -> float:
    pairs = (apart(one, other) for (_, one), (_, other) in combinations(picked, 2))
    return math.fsum((*(cost for cost, _ in picked), *pairs))


def _groups(rows: Sequence[Row[Spot]], apart: Apart[Spot]) -> Iterator[list[int]]:
    """Yield groups of things, by number, whose places affect each other's costs."""
    rest = list(range(len(rows)))
    while rest:
        group = [rest.pop(0)]
        for one in group:
            near = [
                other
                for other in rest
                if any(apart(spot, place) for _, spot in rows[one] for _, place in rows[other])
            ]
            group += near
            rest = [other for other in rest if other not in near]
        yield sorted(group)


class Search(Generic[Spot]):
    """Branch and bound. `slack` is the cost of the best choice so far beyond the sum of every
    thing's cheapest place: a place whose own excess is not below it cannot be part of a better
    choice.

    `rows` lists, by thing, the excess cost of each place over the cheapest, which comes first; the
    search begins with the choice `start`, whose excess is `slack`. `apart` is the cost of two
    places together.
    """

    def __init__(
        self,
        rows: Sequence[Row[Spot]],
        start: Sequence[Spot],
        slack: float,
        apart: Apart[Spot],
    ) -> None:
        self.rows = rows
        self.best, self.slack, self.apart = list(start), slack, apart
        self.found = False
        self._picked: dict[int, Spot] = {}
        self._pairs = 0

    @property
    def proved(self) -> bool:
        """True if there is no better choice."""
        return self._pairs < _MOST_PAIRS

    def run(self) -> None:
        """Find the best choice."""
        self._extend(0.0, dict(enumerate(self.rows)))

    def _extend(self, wasted: float, rows: Mapping[int, Row[Spot]]) -> None:
        """Extend the places picked so far. `rows` lists, by thing, the places still possible beside
        them, with the excess cost of each."""
        if not rows:
            self.slack, self.found = wasted, True
            self.best = [self._picked[k] for k in range(len(self.best))]
            return
        # Begin with the thing that has the greatest unavoidable excess, and on a tie with the one
        # that has the fewest positions: it fails soonest. The unavoidable excess of the others is
        # the bound.
        tightest = min(rows, key=lambda k: (-measured(rows[k][0][0]), len(rows[k]), k))
        others = {k: row for k, row in rows.items() if k != tightest}
        floor = math.fsum(row[0][0] for row in others.values())
        for waste, place in rows[tightest]:
            if wasted + waste + floor > self.slack - EPSILON or self._pairs >= _MOST_PAIRS:
                return
            left = self._beside(place, wasted + waste, floor, others)
            if left is not None:
                self._picked[tightest] = place
                self._extend(wasted + waste, left)

    def _beside(
        self,
        place: Spot,
        wasted: float,
        floor: float,
        rows: Mapping[int, Row[Spot]],
    ) -> dict[int, Row[Spot]] | None:
        """Return the places left for the other things once one is picked; None if some thing has
        none left. `floor` is the excess they cannot avoid; it rises as their places become more
        expensive."""
        left: dict[int, Row[Spot]] = {}
        for k, row in rows.items():
            spare = self.slack - wasted - (floor - row[0][0]) - EPSILON
            near = []
            for waste, other in row:
                if waste > spare:
                    break
                self._pairs += 1
                now = waste + self.apart(place, other)
                if now <= spare:
                    near.append((now, other))
            if not near:
                return None
            near.sort(key=lambda pair: measured(pair[0]))
            floor += near[0][0] - row[0][0]
            left[k] = near
        return left
