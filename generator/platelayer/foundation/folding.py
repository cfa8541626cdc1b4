"""Many problems of one cause as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from platelayer.foundation.problems import Problem
from platelayer.foundation.suggestions import named

MOST_ALIKE = 3
"""Problems of one cause that are listed each by itself."""


def folded(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems in their order; more than MOST_ALIKE of one code, severity and cause as one, at the
    first of them."""
    alike: dict[tuple[object, ...], list[Problem]] = {}
    for number, problem in enumerate(problems):
        shared = (problem.code, problem.severity, problem.waivable, problem.cause)
        alike.setdefault(shared if problem.cause else (number,), []).append(problem)
    return tuple(
        problem
        for group in alike.values()
        for problem in (group if len(group) <= MOST_ALIKE else (standing_for(group),))
    )


def standing_for(group: Sequence[Problem], message: str = "") -> Problem:
    """The first problem of a group as one for all."""
    first, *others = group
    message = (
        message
        or f"{first.message}; {len(others)} more like it: {named(other.about for other in others)}"
    )
    return replace(first, message=message, others=tuple(others))
