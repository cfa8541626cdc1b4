"""Measures to choose by."""

from __future__ import annotations

import math
from collections.abc import Iterable

# Added and subtracted again, this leaves the nearest whole number of anything below 2 ** 51, the
# even one of two: a double has 52 bits behind its first. `round` to a number of places writes and
# reads the number as text, which takes four times as long; a build does it 200,000 times.
_WHOLE = 1.5 * 2.0**52
_PLACES = 1e6
_LAST_BITS = 1e12


def measured(value: float) -> float:
    """A measure, rounded to 6 places: so far that two that are the same in geometry are equal.
    Their last bits differ between C libraries, and must not decide: where measures are equal, the
    first in a fixed order is taken."""
    return (value * _PLACES + _WHOLE - _WHOLE) / _PLACES


def settled(value: float) -> float:
    """A coordinate or share without its last bits, rounded to 12 places. They would decide which
    way one that ends in 5 behind the last place that is written is rounded, as half of many lengths
    does. Keeps its sign, even that of zero."""
    return math.copysign((value * _LAST_BITS + _WHOLE - _WHOLE) / _LAST_BITS, value)


def ranked(measures: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Triples of measures in rising order, as far as they differ in geometry."""
    return sorted(measures, key=_measured)


def _measured(measures: tuple[float, float, float]) -> tuple[float, float, float]:
    """Triples of measures, in millionths."""
    one, two, three = measures
    return (
        one * _PLACES + _WHOLE - _WHOLE,
        two * _PLACES + _WHOLE - _WHOLE,
        three * _PLACES + _WHOLE - _WHOLE,
    )
