"""Fairness of a map: what a train from each home could pay phase by phase, and how evenly homes are
served."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

TRAINS = {2: 3, 3: 7, 4: 11}
"""Steps of track by the number of a train. A company lays two yellow tiles in each of the two
operating rounds of a cycle, the first of them at home; a train of the next number counts on the
track of one more cycle. Source: rulebook, sections 5 and 14."""
GREEN_TRAINS = (3, 4)
"""Trains of the green phase; a 2-train runs in the yellow phase. Source: rulebook, section 5."""
WHOLLY_FAIR = 100.0

Stop = tuple[int, int]
"""Steps of track to a stop, and what it pays."""


def train_income(number: int, own: int, stops: Iterable[Stop]) -> int:
    """The most that a train may pay that starts at a home which pays `own`: with the home it counts
    `number` stops, and the ways to the others have no more steps together than there is track
    (TRAINS).

    A train may stay at home: local routes are allowed (rulebook, section 16).
    """
    others, track = number - 1, TRAINS[number]
    useful: list[Stop] = []
    for way, money in sorted(stops, key=lambda stop: (stop[0], -stop[1])):
        # Not if enough stops that pay as much are as near.
        if way <= track and len([stop for stop in useful if stop[1] >= money]) < others:
            useful.append((way, money))
    most = 0
    for count in range(1, others + 1):
        for chosen in combinations(useful, count):
            if sum([way for way, _ in chosen]) <= track:
                most = max(most, sum([money for _, money in chosen]))
    return own + most


def evenness(worths: Sequence[int]) -> float:
    """100 where all are worth the same, towards 0 where one has everything: 100 x (1 - G), with the
    Gini coefficient G, half of the mean difference of all pairs (each with itself too) in relation
    to the mean.

    Source: Gini, "Variabilità e mutabilità", 1912. 100 where nothing is worth anything.
    """
    number = len(worths)
    # Sorted, the i-th of n is the greater one in i - 1 pairs and the lesser one in n - i.
    apart = math.fsum(
        (2 * place - number - 1) * worth for place, worth in enumerate(sorted(worths), start=1)
    )
    return evenness_of(number, math.fsum(worths), apart)


def evenness_of(number: int, total: float, apart: float) -> float:
    """The same from the sum of all worths, and that of the differences of all pairs."""
    return WHOLLY_FAIR * (1 - apart / (number * total)) if total else WHOLLY_FAIR
