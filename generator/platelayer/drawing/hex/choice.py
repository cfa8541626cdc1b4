"""The choice of places for all words of a hex at once: an integer program, solved exactly.

Each word has candidate places (`words.py`), each with its cost; two words that stand close cost
more (`crowding`). The sum is minimised by branch and bound with forward checking: the optimum of
point-feature label placement (Christensen, Marks & Shieber, "An Empirical Study of Algorithms for
Point-Feature Label Placement", ACM Transactions on Graphics 14, 1995; the integer program is
Zoraster's of 1990), with soft conflicts in place of forbidden ones. Words stay within their hex, so
that a tile hides exactly the words it replaces: every hex is a problem of its own, and small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from platelayer.drawing.hex.words import Place, Word, apart_cost
from platelayer.foundation.ties import measured

_EPSILON = 1e-9
_SURE = 1e-6
_MOST_PAIRS = 12000
"""Pairs of places compared, after which the search keeps the best it has found: only hexes in which
far too much stands get here."""


class Choice(Struct, frozen=True):
    """A place for each word, what they cost together, and whether that is proved to be the
    least."""

    places: tuple[Place, ...]
    cost: float
    proved: bool = True


def choose(words: Sequence[Word]) -> Choice:
    """The places that cost least together."""
    ideal = [word.best() for word in words]
    least = math.fsum(place.cost for place in ideal)
    if total_cost(ideal) - least < _EPSILON:
        return Choice(tuple(ideal), least)
    return _Search(words, ideal, _improved(words, ideal, _in_turn(words, ideal))).run()


def choose_in_turn(words: Sequence[Word]) -> Choice:
    """Each word in turn takes the place that costs least beside those before it: the greedy
    baseline."""
    chosen = _in_turn(words, [word.best() for word in words])
    return Choice(tuple(chosen), total_cost(chosen), proved=False)


def _in_turn(words: Sequence[Word], ideal: Sequence[Place]) -> list[Place]:
    chosen: list[Place] = []
    for word, place in zip(words, ideal, strict=True):
        chosen.append(_beside(word, place, place, chosen))
    return chosen


def _beside(word: Word, ideal: Place, place: Place, others: Sequence[Place]) -> Place:
    """The place that costs least beside others; nothing is better than a word's ideal place with
    nothing near it."""
    if not any(apart_cost(ideal, other) for other in others):
        return ideal
    return word.better(place, others)


def total_cost(places: Sequence[Place]) -> float:
    """What places cost together: each on its own, and each pair for how close they stand."""
    pairs = (apart_cost(one, other) for k, one in enumerate(places) for other in places[:k])
    return math.fsum((*(place.cost for place in places), *pairs))


def _improved(
    words: Sequence[Word], ideal: Sequence[Place], places: Sequence[Place]
) -> list[Place]:
    """Words moved one at a time, as long as that pays."""
    chosen = list(places)
    cost = total_cost(chosen)
    for _ in range(4):
        for k, word in enumerate(words):
            chosen[k] = _beside(word, ideal[k], chosen[k], [*chosen[:k], *chosen[k + 1 :]])
        now = total_cost(chosen)
        if now > cost - _EPSILON:
            break
        cost = now
    return chosen


class _Search:
    """Branch and bound. A word's place can be part of a better choice only if it costs less than
    the word's best place and all that the choice found so far wastes."""

    def __init__(
        self, words: Sequence[Word], ideal: Sequence[Place], start: Sequence[Place]
    ) -> None:
        self.least = [place.cost for place in ideal]
        self.best, self.cost = list(start), total_cost(start)
        self.slack = self.cost - math.fsum(self.least)
        self.lists = [
            word.within(least + self.slack + _SURE)
            for word, least in zip(words, self.least, strict=True)
        ]
        self.picked: dict[int, Place] = {}
        self.pairs = 0

    def run(self) -> Choice:
        """The best choice there is."""
        rows = {
            k: [(place.cost - self.least[k], place) for place in row]
            for k, row in enumerate(self.lists)
        }
        self._extend(0.0, rows)
        return Choice(tuple(self.best), self.cost, proved=self.pairs < _MOST_PAIRS)

    def _extend(self, wasted: float, rows: dict[int, list[tuple[float, Place]]]) -> None:
        """`rows` has, by word, the places that can still be taken beside those picked, with what
        each wastes there."""
        if not rows:
            self.slack = wasted
            self.best = [self.picked[k] for k in range(len(self.best))]
            self.cost = math.fsum(self.least) + wasted
            return
        tightest = min(rows, key=lambda k: (-measured(rows[k][0][0]), len(rows[k]), k))
        others = math.fsum(row[0][0] for k, row in rows.items() if k != tightest)
        for waste, place in rows[tightest]:
            if wasted + waste + others > self.slack - _EPSILON or self.pairs >= _MOST_PAIRS:
                return
            left = self._beside(
                place, wasted + waste, {k: row for k, row in rows.items() if k != tightest}
            )
            if left is not None:
                self.picked[tightest] = place
                self._extend(wasted + waste, left)

    def _beside(
        self, place: Place, wasted: float, rows: dict[int, list[tuple[float, Place]]]
    ) -> dict[int, list[tuple[float, Place]]] | None:
        """The places that are left for the other words once one is picked; None if there is none
        for one of them."""
        left: dict[int, list[tuple[float, Place]]] = {}
        floor = math.fsum(row[0][0] for row in rows.values())
        for k, row in rows.items():
            spare = self.slack - wasted - (floor - row[0][0]) - _EPSILON
            near = []
            for waste, other in row:
                if waste > spare:
                    break
                self.pairs += 1
                now = waste + apart_cost(place, other)
                if now <= spare:
                    near.append((now, other))
            if not near:
                return None
            near.sort(key=lambda pair: measured(pair[0]))
            floor += near[0][0] - row[0][0]
            left[k] = near
        return left
