"""Series that should rise, and the entries that are named where they do not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from platelayer.rules.rule import at_fault, copies, falls, rises

values = st.lists(st.integers(0, 50) | st.none(), max_size=12)


@given(values)
def test_without_the_faults_a_series_rises(series: list[int | None]) -> None:
    faults = falls(series)
    rest = [value for at, value in enumerate(series) if at not in faults and value is not None]
    assert rest == sorted(rest)
    for at, other in faults.items():
        one, against = series[at], series[other]
        assert one is not None
        assert against is not None
        assert (at < other and one > against) or (at > other and one < against)


@given(values)
def test_falling_is_rising_turned_round(series: list[int | None]) -> None:
    assert bool(rises(series)) == bool(falls(series[::-1]))


@given(st.lists(st.integers(1, 1000), min_size=4, max_size=12, unique=True), st.data())
def test_one_entry_that_is_far_too_high_is_named_alone(
    series: list[int], data: st.DataObject
) -> None:
    series.sort()
    at = data.draw(st.integers(0, len(series) - 3))
    series[at] = 10_000
    assert falls(series) == {at: at + 1}


def test_examples() -> None:
    assert falls([100, 1800, 300, 450]) == {1: 2}
    assert falls([100, 200, 30, 500]) == {2: 1}
    assert rises([500, 35, 260, 240]) == {1: 2}
    assert falls([40, 7]) == {1: 0}
    assert falls([0, None, 100, 40]) == {3: 2}
    assert at_fault([(0, 1), (1, 2)]) == {1: 0}
    assert list(copies([("a", 1), ("b", 2), ("a", 3), ("a", 4)])) == [(3, 1), (4, 1)]


def test_a_long_series_turned_round() -> None:
    assert len(falls(list(range(400, 0, -1)))) == 399
