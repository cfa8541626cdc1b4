"""Measures to choose by."""

from __future__ import annotations

from collections.abc import Iterable

_PLACES = 6
_LAST_BITS = 12


def measured(value: float) -> float:
    """A measure, rounded so far that two that are the same in geometry are equal. Their last bits
    differ between C libraries, and must not decide: where measures are equal, the first in a fixed
    order is taken."""
    return round(value, _PLACES)


def settled(value: float) -> float:
    """A coordinate or share without its last bits. They would decide which way one that ends in 5
    behind the last place that is written is rounded, as half of many lengths does."""
    return round(value, _LAST_BITS)


def ranked(measures: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Triples of measures in rising order, as far as they differ in geometry."""
    return sorted(measures, key=_measured)


def _measured(measures: tuple[float, float, float]) -> tuple[float, float, float]:
    one, two, three = measures
    return round(one, _PLACES), round(two, _PLACES), round(three, _PLACES)
