"""Assignments of old stops to new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from platelayer.model.tile import StopKind

MAX_STEPS = 3000
"""The most stops tried in one search. Tiles of real games need a few dozen; beyond this limit the answer is no."""

StopForm = tuple[StopKind, int, int | None]
"""Kind, slots, size of a pass."""
Link = tuple[int, int]
"""Two stops, the lower index first."""


class Assignment(Struct, frozen=True, kw_only=True):
    """The question: which new stop (by index) each old one becomes, out of its `candidates`.

    Stops of the kinds in `merging` may go to one new one, which then has slots for them all; others go to different
    ones. At most `appearing` new stops of each kind may appear. Stops that `links` join (with gauges as bits) go to
    stops that `new_links` join, or to one.
    """

    old: Sequence[StopForm]
    new: Sequence[StopForm]
    candidates: Sequence[Sequence[int]]
    links: Mapping[Link, int]
    new_links: Mapping[Link, int]
    merging: frozenset[StopKind]
    appearing: Mapping[StopKind, int]


def is_possible(asked: Assignment) -> bool:
    """True when there is such an assignment. At most MAX_STEPS stops are tried."""
    if not asked.old or (len(asked.old) == 1 and not asked.links):
        chosen = asked.candidates[0][:1] if asked.old else ()
        return len(chosen) == len(asked.old) and _none_out_of_nothing(asked, set(chosen))
    return _Search(asked).extend(0)


def _none_out_of_nothing(asked: Assignment, used: set[int]) -> bool:
    unused = Counter(kind for index, (kind, _, _) in enumerate(asked.new) if index not in used)
    return all(number <= asked.appearing.get(kind, 0) for kind, number in unused.items())


class _Search:
    """Old stops with the fewest candidates first; a choice is abandoned as soon as slots or links do not fit."""

    def __init__(self, asked: Assignment) -> None:
        self.asked = asked
        self.order = sorted(range(len(asked.old)), key=lambda number: len(asked.candidates[number]))
        self.neighbours: list[list[tuple[int, int]]] = [[] for _ in asked.old]
        for (a, b), gauges in asked.links.items():
            self.neighbours[a].append((b, gauges))
            self.neighbours[b].append((a, gauges))
        self.chosen: dict[int, int] = {}
        self.room = [slots for _, slots, _ in asked.new]
        self.steps = MAX_STEPS

    def extend(self, depth: int) -> bool:
        """True when the stops from this place in the order on can be assigned."""
        if depth == len(self.order):
            return _none_out_of_nothing(self.asked, set(self.chosen.values()))
        number = self.order[depth]
        kind, slots, _ = self.asked.old[number]
        for index in self.asked.candidates[number]:
            self.steps -= 1
            if self.steps < 0:
                return False
            taken = index in self.chosen.values()
            if (taken and kind not in self.asked.merging) or self.room[index] < slots:
                continue
            if not all(self._joined(index, other, gauges) for other, gauges in self.neighbours[number]):
                continue
            self.chosen[number] = index
            self.room[index] -= slots
            if self.extend(depth + 1):
                return True
            del self.chosen[number]
            self.room[index] += slots
        return False

    def _joined(self, index: int, other: int, gauges: int) -> bool:
        """True when a new stop is joined to the one chosen for an old neighbour, is the same, or none is chosen yet."""
        there = self.chosen.get(other)
        if there is None or there == index:
            return True
        link = (min(index, there), max(index, there))
        return not gauges & ~self.asked.new_links.get(link, 0)
