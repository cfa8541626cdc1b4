"""Search of many maps for those that meet conditions, and the front of the best."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

import msgspec
from msgspec import Struct, field

from platelayer.atlas.compiled import Measured, Wanted, compiled, map_of, same_version, seed_of_map
from platelayer.atlas.conditions import Asked, Objective, Wish, staged
from platelayer.atlas.measures import Subject, Surveyor
from platelayer.model.map_tiles import AtlasBox


class Search(Struct, frozen=True, kw_only=True):
    """Which maps are searched (those of a survey), what they must fulfil, what is best, and how
    many to keep. With `patient`, every condition is tried on every map, even if it has failed
    another. `title` names whose maps they are in commands (empty: Railways of the Lost Atlas)."""

    wanted: Wanted
    where: tuple[Asked, ...]
    best: tuple[Objective, ...]
    count: int
    patient: bool = False
    title: str = ""


class Candidate(Struct, frozen=True, array_like=True):
    """A map that meets all conditions: its number and the ranks by each objective (null: nothing to
    measure)."""

    number: int
    ranks: tuple[float | None, ...]

    def beats(self, other: Candidate) -> bool:
        """Is it as good by every objective and better by one?"""
        mine, theirs = self.worth, other.worth
        return mine != theirs and all(one >= two for one, two in zip(mine, theirs, strict=True))

    @property
    def worth(self) -> tuple[float, ...]:
        """The ranks, with nothing to measure as the worst."""
        return tuple(-math.inf if rank is None else rank for rank in self.ranks)


class Tried(Struct, kw_only=True):
    """How a condition fared: the maps it was tried on, those that met it, and the nearest of the
    others (what it had, and its number)."""

    maps: int = 0
    met: int = 0
    distance: float | None = None
    nearest: tuple[float, ...] = ()
    number: int = -1

    def add(self, other: Tried) -> None:
        """Count later maps too."""
        self.maps += other.maps
        self.met += other.met
        if other.distance is not None and (self.distance is None or other.distance < self.distance):
            self.distance, self.nearest, self.number = other.distance, other.nearest, other.number


class Searched(Struct, kw_only=True):
    """What a search of some maps found."""

    maps: int = 0
    met: int = 0
    tried: list[Tried] = field(default_factory=list)
    found: list[Candidate] = field(default_factory=list)

    def add(self, other: Searched, count: int) -> None:
        """Count later maps too, and keep the first `count` fronts."""
        self.maps += other.maps
        self.met += other.met
        if not self.tried:
            self.tried = [Tried() for _ in other.tried]
        for mine, theirs in zip(self.tried, other.tried, strict=True):
            mine.add(theirs)
        self.found = [
            candidate for front in fronts([*self.found, *other.found], count) for candidate in front
        ]


def search_maps(box: AtlasBox, search: Search, first: int, end: int) -> str:
    """What the maps from `first` to `end` - 1 of a survey have to offer, as JSON of Searched.

    Raises ValueError for a search of another version of Platelayer, and what `assemble` raises.
    """
    wanted = search.wanted
    same_version(wanted)
    stages = staged(search.where)
    if search.patient:
        stages = [[*range(len(search.where))]]
    result = Searched(maps=end - first, tried=[Tried() for _ in search.where])
    surveyor = Surveyor(box)
    for number, subject in enumerate(_subjects(box, wanted, first, end), start=first):
        whole: Subject | None = subject if isinstance(subject, Subject) else None
        for stage in stages:
            met = True
            for index in stage:
                condition = search.where[index]
                if isinstance(condition, Wish):
                    whole = whole or surveyor.subject(
                        map_of(box, wanted, number)
                    )  # the compiled core tells measures alone
                    seen = condition.seen(whole)
                else:
                    seen = condition.seen(subject)
                fits = condition.is_met(seen)
                met = met and fits
                distance = None if fits else condition.distance(seen)
                if distance == math.inf:
                    distance = None
                outcome = Tried(
                    maps=1, met=int(fits), distance=distance, nearest=seen, number=number
                )
                result.tried[index].add(outcome)
            if not met:
                break
        else:
            ranks = tuple(objective.rank(subject) for objective in search.best)
            result.met += 1
            result.found.append(
                Candidate(number, tuple(None if rank == -math.inf else rank for rank in ranks))
            )
    result.found = [
        candidate for front in fronts(result.found, search.count) for candidate in front
    ]
    return msgspec.json.encode(result).decode()


def _subjects(box: AtlasBox, wanted: Wanted, first: int, end: int) -> Iterator[Subject | Measured]:
    """The maps: measured by the compiled core where there is one, else only as far as it is asked
    for."""
    core = compiled(box, wanted.mode, wanted.policy, wanted.blanks)
    rows = (
        core.rows([seed_of_map(wanted.seed, number) for number in range(first, end)])
        if core is not None
        else []
    )
    surveyor = Surveyor(box)
    return (
        iter(rows)
        if rows
        else (surveyor.subject(map_of(box, wanted, number)) for number in range(first, end))
    )


def read_searched(text: str) -> Searched:
    """What `search_maps` wrote."""
    return msgspec.json.decode(text, type=Searched)


def fronts(candidates: Iterable[Candidate], count: int) -> list[list[Candidate]]:
    """The first `count` Pareto fronts: those that no other beats, then those that no other of the
    rest beats, and so on. Each is in order of the first objective, then the next, then of the maps.
    Of maps that are alike by every objective, all are in one front, but never more than the first
    `count`.

    Fronts of parts hold all that belongs to the fronts of the whole, because a map has no later
    front among fewer.
    """
    ordered = sorted(
        candidates, key=lambda candidate: ([-rank for rank in candidate.worth], candidate.number)
    )
    left = [
        candidate
        for _, alike in groupby(ordered, key=lambda one: one.worth)
        for candidate in islice(alike, count)
    ]
    ranked: list[list[Candidate]] = []
    while left and len(ranked) < count:
        front: list[Candidate] = []
        rest: list[Candidate] = []
        for candidate in left:  # nothing is beaten by what comes after it
            (rest if any(other.beats(candidate) for other in front) else front).append(candidate)
        ranked.append(front)
        left = rest
    return ranked


def chosen(candidates: Iterable[Candidate], count: int) -> tuple[list[Candidate], int]:
    """At most `count` maps, whole fronts first, and how many of them are of the first front; of a
    front that is too large, those that lie farthest from each other."""
    picked: list[Candidate] = []
    best = 0
    for number, front in enumerate(fronts(candidates, count)):
        picked += _spread_out(front, count - len(picked))
        if number == 0:
            best = len(picked)
        if len(picked) == count:
            break
    return picked, best


def _spread_out(front: Sequence[Candidate], count: int) -> list[Candidate]:
    """The best by each objective, then again and again the one farthest (in shares of the range of
    each objective) from those already chosen; in the order of the front."""
    if len(front) <= count:
        return list(front)
    ranks = [[worth if math.isfinite(worth) else 0.0 for worth in one.worth] for one in front]
    spans = [(max(column) - min(column)) or 1.0 for column in zip(*ranks, strict=True)]
    bests = [column.index(max(column)) for column in zip(*ranks, strict=True)]
    taken = list(dict.fromkeys(bests))[:count]

    def apart(one: int, two: int) -> float:
        return math.fsum(
            abs(a - b) / span for a, b, span in zip(ranks[one], ranks[two], spans, strict=True)
        )

    while len(taken) < count:
        left = [number for number in range(len(front)) if number not in taken]
        taken.append(
            max(left, key=lambda number: (min(apart(number, other) for other in taken), -number))
        )
    return [front[number] for number in sorted(taken)]
