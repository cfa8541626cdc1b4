"""Cases of which some run always and all of them with the slow tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def _name(case: Any) -> str:
    return "-".join(map(str, case)) if type(case) is tuple else str(case)
