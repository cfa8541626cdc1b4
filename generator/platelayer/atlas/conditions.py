"""Conditions on the measures of a map, and what a search is to make most or least of, as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from msgspec import Struct

from platelayer.atlas.compiled import Measured
from platelayer.atlas.extent import HEX_MM
from platelayer.atlas.fairness import GREEN_TRAINS, TRAINS
from platelayer.atlas.measure_names import MEASURES, NONE
from platelayer.atlas.measures import GROUPS, Subject, group_of
from platelayer.atlas.stacks import tiles_in_play
from platelayer.atlas.terrain import (
    CAPITAL_INCOME,
    DESTINATION_INCOME,
    GREEN_CAPITAL_INCOME,
    GREEN_DESTINATION_INCOME,
    faces_of,
)
from platelayer.foundation.suggestions import suggestion
from platelayer.model.atlas import AtlasBox, Ground, MapTile, Mode

TABLE = "table_mm"
"""The room on the table, two sides at once: `table_mm <= 600x900`, either way round."""
OPERATORS = ("<=", ">=", "!=", "<", ">", "=")
_ALIASES = {"==": "=", "=<": "<=", "=>": ">=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
_CONDITION = re.compile(r"\s*([^\s<>=!~≤≥≠]*)\s*([<>=!~≤≥≠]*)\s*(.*?)\s*", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?")
_SIDES = re.compile(r"([0-9]{1,6})\s*[x×]\s*([0-9]{1,6})")
_MOST_SHOWN = 40
_WHOLE_HEX_MM2 = HEX_MM**2 * math.sqrt(3) / 2


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
        (found,) = seen
        if NONE in (found, self.value):
            return self.operator == "=" and found == self.value
        return {
            "<=": found <= self.value,
            ">=": found >= self.value,
            "!=": found != self.value,
            "<": found < self.value,
            ">": found > self.value,
            "=": found == self.value,
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
        found = subject.value(self.name)
        if found == NONE:
            return -math.inf
        return found if self.most else -found


def read_conditions(words: str) -> tuple[Condition, ...]:
    """Conditions separated by commas, e.g. "income_min >= 80, table_mm <= 600x900". Raises WrongWords."""
    faults: list[str] = []
    read = [_condition(each, faults) for each in words.split(",")] if words.strip() else []
    if faults:
        raise WrongWords(*faults)
    return tuple(each for each in read if each is not None)


def _condition(words: str, faults: list[str]) -> Condition | None:
    match = _CONDITION.fullmatch(words)
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
        told = f"did you mean {meant}?" if meant else f"use {' '.join(OPERATORS)}"
        faults.append(f"{shown}: there is no operator {operator[:8]!a}; {told}")
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
    told = f"there is no measure {name[:_MOST_SHOWN]!a}"
    return f"{told}; {suggestion(name[:_MOST_SHOWN], [*MEASURES, TABLE]) or 'docs/atlas.md lists them'}"


def read_objectives(words: str) -> tuple[Objective, ...]:
    """Measures separated by commas, each after "most" (which may be left out) or "least". Raises WrongWords."""
    faults: list[str] = []
    read: list[Objective] = []
    for each in words.split(","):
        *how, name = each.split() or [""]
        if how not in ([], ["most"], ["least"]) or not name:
            faults.append(f"{each.strip()[:_MOST_SHOWN]!a} is not an objective; write for example least diameter")
        elif name not in MEASURES:
            faults.append(_unknown(name))
        elif name in [objective.name for objective in read]:
            faults.append(f"{name} is named twice")
        else:
            read.append(Objective(name=name, most=how != ["least"]))
    if faults:
        raise WrongWords(*faults)
    return tuple(read)


class _Bound(Struct, frozen=True):
    least: float
    most: float
    why: str


def impossible(box: AtlasBox, mode: Mode, condition: Condition) -> str:
    """Why no map of a mode can meet a condition, where it follows from the box; "" where it does not."""
    area = 3 * mode.tiles_used * _WHOLE_HEX_MM2
    if condition.name == TABLE:
        if condition.value * condition.other >= area:
            return ""
        return (
            f"{3 * mode.tiles_used} hexes of {HEX_MM:g} mm cover {math.ceil(area / 100)} cm², "
            f"{condition.value:g} x {condition.other:g} mm are {condition.value * condition.other / 100:g} cm²"
        )
    bound = _bound(box, mode, condition.name)
    value, operator = condition.value, condition.operator
    if value == NONE and operator == "=":
        return ""
    beyond = {
        "<=": value < bound.least,
        "<": value <= bound.least,
        ">=": value > bound.most,
        ">": value >= bound.most,
        "=": not bound.least <= value <= bound.most,
        "!=": bound.least == bound.most == value,
    }
    return bound.why if beyond[operator] else ""


def _bound(box: AtlasBox, mode: Mode, name: str) -> _Bound:
    """The least and the most that a measure can be on maps of a mode, as far as the box says, and why."""
    hexes = 3 * mode.tiles_used
    side = math.sqrt(hexes * _WHOLE_HEX_MM2)
    tiles = [piece.tile for piece in tiles_in_play(box, mode)]
    with_homes = sum(_has(tile, Ground.HOME) for tile in tiles)
    homes = min(with_homes, mode.homes_per_stack) if mode.stacks else with_homes
    fewest = homes - len(mode.stack_homes) if mode.stacks else homes
    why = f"mode {mode.id} has {f'at most {homes}' if fewest < homes else homes} homes on the map"
    known = {
        "hexes": _Bound(hexes, hexes, f"the {mode.tiles_used} map tiles of mode {mode.id} have {hexes} hexes"),
        "homes": _Bound(fewest, homes, why),
        "home_pairs_apart": _Bound(0, homes * (homes - 1) // 2, why),
        "fairness": _Bound(0, 100, "fairness is from 0 to 100"),
        "table_long_mm": _Bound(side, math.inf, f"{hexes} hexes of {HEX_MM:g} mm cover a square of {side:.0f} mm"),
    }
    if name in known:
        return known[name]
    if name.startswith(("homes_", "stranded_", "rivals_")):
        return _Bound(0, homes, why)
    if name.startswith("destinations"):
        found = sum(_has(tile, Ground.DESTINATION) for tile in tiles)
        return _Bound(0, found, f"mode {mode.id} has at most {found} destinations")
    if name.startswith("train_"):
        number = int(name.split("_")[1])
        most = _best_stops(box, mode, number)
        return _Bound(0, most, f"the {number} best stops of mode {mode.id} pay {most} together")
    return _Bound(0, math.inf, f"{name} is never less than 0")


def _has(tile: MapTile, ground: Ground) -> bool:
    return any(each.ground is ground for each in tile.hexes)


def _best_stops(box: AtlasBox, mode: Mode, number: int) -> int:
    """What the stops that pay most pay together, as many as a train of TRAINS counts."""
    assert number in TRAINS
    green = number in GREEN_TRAINS
    stops = [GREEN_CAPITAL_INCOME if green else CAPITAL_INCOME] * mode.capital_projects
    for piece in tiles_in_play(box, mode):
        stops += [face.green if green else face.income for face in faces_of(piece.tile, 0)]
        if _has(piece.tile, Ground.DESTINATION):
            stops.append(GREEN_DESTINATION_INCOME if green else DESTINATION_INCOME)
    return sum(sorted(stops)[-number:])


def staged(conditions: Iterable[Condition]) -> list[list[int]]:
    """Numbers of conditions by stage, quickest first; those of a stage are taken together."""
    by_stage: dict[int, list[int]] = {}
    for number, each in enumerate(conditions):
        by_stage.setdefault(each.stage, []).append(number)
    return [by_stage[stage] for stage in sorted(by_stage)]
