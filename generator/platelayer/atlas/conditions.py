"""Conditions on the measures of a map, and what a search is to make most or least of, as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from msgspec import Struct

from platelayer.atlas.compiled import Measured
from platelayer.atlas.measure_names import MEASURES, NONE
from platelayer.atlas.measures import GROUPS, Subject, group_of
from platelayer.foundation.suggestions import suggestion

TABLE = "table_mm"
"""The room on the table, two sides at once: `table_mm <= 600x900`, either way round."""
OPERATORS = ("<=", ">=", "!=", "<", ">", "=")
_ALIASES = {"==": "=", "=<": "<=", "=>": ">=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
_CONDITION = re.compile(r"([^\s<>=!~≤≥≠]*)\s*([<>=!~≤≥≠]*)\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?")
_SIDES = re.compile(r"([0-9]{1,6})\s*[x×]\s*([0-9]{1,6})")
_MOST_SHOWN = 40
_MOST = 100
"""Conditions or objectives of one search."""


class WrongWords(ValueError):
    """Raised for conditions or objectives that make no sense; its arguments are all that is wrong, a line each."""


class Condition(Struct, frozen=True, kw_only=True):
    """What a map must fulfil: a measure, an operator and a number; for TABLE, `value` is the shorter side and `other`
    the longer one."""

    name: str
    operator: str
    value: float
    other: float = 0.0

    def __str__(self) -> str:
        number = f"{self.value:g}x{self.other:g}" if self.name == TABLE else f"{self.value:.10g}"
        return f"{self.name} {self.operator} {number}"

    @property
    def stage(self) -> int:
        """How slow the measure is: conditions are tried from the quickest to the slowest."""
        return [*GROUPS].index("table" if self.name == TABLE else group_of(self.name))

    def seen(self, subject: Subject | Measured) -> tuple[float, ...]:
        """What a map has: one number, or its sides in order of length."""
        if self.name == TABLE:
            return subject.value("table_short_mm"), subject.value("table_long_mm")
        return (subject.value(self.name),)

    def is_met(self, seen: tuple[float, ...]) -> bool:
        """Is it met? Where there was nothing to measure, only `= -1` is."""
        if self.name == TABLE:
            return seen[0] <= self.value and seen[1] <= self.other
        (value,) = seen
        if NONE in (value, self.value):
            return self.operator == "=" and value == self.value
        return {
            "<=": value <= self.value,
            ">=": value >= self.value,
            "!=": value != self.value,
            "<": value < self.value,
            ">": value > self.value,
            "=": value == self.value,
        }[self.operator]

    def distance(self, seen: tuple[float, ...]) -> float:
        """How far a map that does not meet it is from doing so; infinite where there was nothing to measure."""
        if self.name == TABLE:
            return max(seen[0] - self.value, seen[1] - self.other)
        return math.inf if NONE in (seen[0], self.value) else abs(seen[0] - self.value)


class Objective(Struct, frozen=True, kw_only=True):
    """A measure to make most or least of."""

    name: str
    most: bool

    def __str__(self) -> str:
        return f"{'most' if self.most else 'least'} {self.name}"

    def rank(self, subject: Subject | Measured) -> float:
        """Higher is better; nothing to measure is worst."""
        value = subject.value(self.name)
        if value == NONE:
            return -math.inf
        return value if self.most else -value


def read_conditions(words: str) -> tuple[Condition, ...]:
    """Conditions separated by commas, e.g. "income_min >= 80, table_mm <= 600x900". Raises WrongWords."""
    faults: list[str] = []
    read = [_condition(part, faults) for part in _split(words)] if words.strip() else []
    if faults:
        raise WrongWords(*faults)
    return tuple(condition for condition in read if condition is not None)


def _split(words: str) -> list[str]:
    parts = words.split(",")
    if len(parts) > _MOST:
        raise WrongWords(f"{len(parts)} are named, separated by commas; at most {_MOST} are allowed")
    return parts


def _condition(words: str, faults: list[str]) -> Condition | None:
    match = _CONDITION.fullmatch(words.strip())
    assert match is not None  # every part of it may be empty
    name, operator, number = match.groups()
    shown = f"{words.strip()[:_MOST_SHOWN]!a}"
    before = len(faults)
    if not name or not operator or not number:
        faults.append(f"{shown} is not a condition; write for example income_min >= 80")
        return None
    if name != TABLE and name not in MEASURES:
        faults.append(_unknown(name))
    if operator not in OPERATORS:
        meant = _ALIASES.get(operator)
        advice = f"did you mean {meant}?" if meant else f"use {' '.join(OPERATORS)}"
        faults.append(f"{shown}: there is no operator {operator[:8]!a}; {advice}")
    elif name == TABLE and operator != "<=":
        faults.append(f"{shown}: a table can only be large enough; use {TABLE} <=")
    sides = _SIDES.fullmatch(number)
    if name == TABLE:
        if sides is None:
            faults.append(f"{shown}: write both sides in mm, without a unit: {TABLE} <= 600x900")
        elif len(faults) == before:
            short, long = sorted((float(sides[1]), float(sides[2])))
            return Condition(name=name, operator=operator, value=short, other=long)
    elif not _NUMBER.fullmatch(number):
        faults.append(f"{shown}: {number[:_MOST_SHOWN]!a} is not a number; write it without a unit, like 80 or 2.5")
    elif len(faults) == before:
        return Condition(name=name, operator=operator, value=float(number))
    return None


def _unknown(name: str) -> str:
    fault = f"there is no measure {name[:_MOST_SHOWN]!a}"
    return f"{fault}; {suggestion(name[:_MOST_SHOWN], [*MEASURES, TABLE]) or 'docs/atlas.md lists them'}"


def read_objectives(words: str) -> tuple[Objective, ...]:
    """Measures separated by commas, each after "most" (which may be left out) or "least". Raises WrongWords."""
    faults: list[str] = []
    read: list[Objective] = []
    for part in _split(words):
        *how, name = part.split() or [""]
        if how not in ([], ["most"], ["least"]) or not name:
            faults.append(f"{part.strip()[:_MOST_SHOWN]!a} is not an objective; write for example least diameter")
        elif name not in MEASURES:
            faults.append(_unknown(name))
        elif name in [objective.name for objective in read]:
            faults.append(f"{name} is named twice")
        else:
            read.append(Objective(name=name, most=how != ["least"]))
    if faults:
        raise WrongWords(*faults)
    return tuple(read)


def staged(conditions: Iterable[Condition]) -> list[list[int]]:
    """Numbers of conditions by stage, quickest first; those of a stage are taken together."""
    by_stage: dict[int, list[int]] = {}
    for number, condition in enumerate(conditions):
        by_stage.setdefault(condition.stage, []).append(number)
    return [by_stage[stage] for stage in sorted(by_stage)]
