"""Cases of which some run always and all of them with the slow tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, cycle, islice, product
from typing import Any

import pytest


def often(cases: Iterable[Any] | Mapping[str, Any], *always: Any) -> list[Any]:
    """Parameters for `pytest.mark.parametrize`: all cases, those that are not in `always` marked
    slow. A mapping's cases go by their names."""
    named = cases if isinstance(cases, Mapping) else {_name(case): case for case in cases}
    chosen = {each if isinstance(cases, Mapping) else _name(each) for each in always}
    assert chosen <= named.keys(), chosen - named.keys()
    return [
        pytest.param(
            *(case if type(case) is tuple else (case,)),
            id=name,
            marks=() if name in chosen else pytest.mark.slow,
        )
        for name, case in named.items()
    ]


def crossed(*axes: Iterable[Any]) -> list[Any]:
    """Parameters for all combinations, of which as many run always as the longest axis has values:
    each value of each axis at least once. A tuple on an axis stands for several parameters."""
    values = [tuple(axis) for axis in axes]
    longest = max(map(len, values))
    diagonal = zip(*(islice(cycle(axis), longest) for axis in values), strict=True)
    return often(map(_flat, product(*values)), *map(_flat, diagonal))


def some_of(step: int) -> list[Any]:
    """Parameters for slices of a long list that one test goes through: one in `step` always, all
    of it with the slow tests."""
    return [
        pytest.param(slice(None, None, step), id=f"one in {step}"),
        pytest.param(slice(None), id="all", marks=pytest.mark.slow),
    ]


def _flat(case: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(each if type(each) is tuple else (each,) for each in case))


def _name(case: Any) -> str:
    return "-".join(map(str, case)) if type(case) is tuple else str(case)
