"""Refusals of a call, with their problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from platelayer.foundation.problems import Problem, ProblemsFound


def refused(act: Callable[..., Any], *given: Any, **more: Any) -> tuple[Problem, ...]:
    """The problems that a call raises."""
    with pytest.raises(ProblemsFound) as raised:
        act(*given, **more)
    return tuple(raised.value.problems)
