"""Conditions on the measures of a map, and objectives to maximise or minimise, as people write
them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from operator import eq, ge, gt, le, lt, ne

from platelayer.atlas.check import (
    CAPITAL_INCOME,
    DESTINATION_INCOME,
    GREEN_CAPITAL_INCOME,
    GREEN_DESTINATION_INCOME,
    SUBURB_INCOME,
    faces_of,
)
from platelayer.atlas.compiled import Measured
from platelayer.atlas.layouts import tiles_in_play
from platelayer.atlas.measures import (
    GREEN_TRAINS,
    GROUPS,
    HOME_MEASURES,
    MEASURES,
    NONE,
    TRAINS,
    Subject,
    group_of,
)
from platelayer.atlas.report import HEX_MM
from platelayer.foundation.text import suggestion
from platelayer.foundation.values import Frozen
from platelayer.model.map_tiles import AtlasBox, Ground, MapTile, Mode

# The size of the table, with both sides in one condition: `table_mm <= 600x900`, in either
# orientation.
TABLE = "table_mm"
OPERATORS = {"<=": le, ">=": ge, "!=": ne, "<": lt, ">": gt, "=": eq}
_ALIASES = {"==": "=", "=<": "<=", "=>": ">=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
# Aliases that are accepted; the others may be typing errors.
_TAKEN = ("≤", "≥", "≠")
# Stands for every home of the map, in place of a company.
ALL = "all"
WITH, WITHOUT = _IN_OR_OUT = "with", "without"
_CONDITION = re.compile(r"([^\s<>=!~≤≥≠]*)\s*([<>=!~≤≥≠]*)\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?")
_SIDES = re.compile(r"([0-9]{1,6})\s*[x×]\s*([0-9]{1,6})")
_IN_PLAY = re.compile(rf"(?P<how>{WITH}|{WITHOUT})\s+(?P<company>[^<>=!~≤≥≠]+)", re.IGNORECASE)
_OF_COMPANY = re.compile(
    r"(?P<company>[^<>=!~≤≥≠.]+)\.\s*(?P<measure>[a-z0-9_]+)\s*(?P<operator>[<>=!~≤≥≠]+)\s*(?P<number>.+)",
    re.DOTALL,
)
_HOME_HINT = f"use {', '.join(HOME_MEASURES)}"
_MOST_SHOWN = 40


class WrongWords(ValueError):
    """Raised for conditions or objectives that make no sense; its arguments are the faults, one
    line each."""


class Condition(Frozen, kw_only=True):
    """Condition on a map: a measure, an operator and a number; for TABLE, `value` is the shorter side
    and `other` the longer one. With a `company`, called `said`, what its home (for ALL: every home)
    measures; or with the measure WITH or WITHOUT, that it is in play or not."""

    measure: str
    operator: str = "="
    value: float = 0.0
    other: float = 0.0
    company: str = ""
    said: str = ""

    def __str__(self) -> str:
        if self.measure in _IN_OR_OUT:
            return self.name
        of_table = self.measure == TABLE
        number = f"{self.value:g}x{self.other:g}" if of_table else f"{self.value:.10g}"
        return f"{self.name} {self.operator} {number}"

    @property
    def name(self) -> str:
        """Name of the measure."""
        if self.measure in _IN_OR_OUT:
            return f"{self.measure} {self.said}"
        return f"{self.said}.{self.measure}" if self.company else self.measure

    @property
    def stage(self) -> int:
        """Rank by speed: conditions are tried from the quickest to the slowest. Measures of whole
        maps come first, then those of companies, which need the map itself."""
        if self.company:
            return len(GROUPS)
        return [*GROUPS].index("table" if self.measure == TABLE else group_of(self.measure))

    def seen(self, subject: Subject | Measured) -> tuple[float, ...]:
        """Return the values of a map: one number, or its sides in order of length.

        For ALL there is a value for each home: NONE if there is nothing to measure, or no such
        home. For WITH and WITHOUT it is whether the company is in play. A company that chooses its
        home has the values of the best one.
        """
        if self.measure == TABLE:
            return subject.value("table_short_mm"), subject.value("table_long_mm")
        if not self.company:
            return (subject.value(self.measure),)
        assert isinstance(subject, Subject), "the compiled core measures no home by itself"
        if self.measure in _IN_OR_OUT:
            return (float(self.company in subject.companies),)
        homes = subject.homes_by_company
        wanted = [*homes] if self.company == ALL else [self.company]
        if self.company not in homes and self.company in subject.companies:
            homes = {company: chosen.home for company, chosen in subject.chosen.items()}
        return tuple(
            homes[company].measured(self.measure) if company in homes else NONE
            for company in wanted
        )

    def is_met(self, seen: tuple[float, ...]) -> bool:
        """Return True if the condition is met, for ALL by every home. If there was nothing to
        measure, only `= -1` is met."""
        if self.measure == TABLE:
            return seen[0] <= self.value and seen[1] <= self.other
        if self.measure in _IN_OR_OUT:
            return bool(seen[0]) is (self.measure == WITH)
        return all(compare(value, self.operator, self.value) for value in seen)

    def distance(self, seen: tuple[float, ...]) -> float:
        """Return by how much a map misses the condition; infinite if there was nothing to
        measure."""
        if self.measure == TABLE:
            return max(seen[0] - self.value, seen[1] - self.other)
        if self.measure in _IN_OR_OUT or NONE in (*seen, self.value):
            return math.inf
        return max(
            abs(value - self.value)
            for value in seen
            if not compare(value, self.operator, self.value)
        )

    def printed(self, seen: tuple[float, ...]) -> str:
        """Return the values of a map as text: a number, both sides, or the minimum and the maximum
        over homes."""
        if not self.company:
            return shown(*seen)
        least, most = min(seen, default=NONE), max(seen, default=NONE)
        return f"{least:g}" if least == most else f"{least:g}..{most:g}"


def shown(*values: float) -> str:
    """Return a measure as printed: a number, or two sides."""
    return "x".join(f"{value:.10g}" for value in values)


def compare(value: float, operator: str, number: float) -> bool:
    """Return True if a comparison holds. Nothing to measure (NONE) can only be compared by `=
    NONE`, which it meets, and `!= NONE`, which every other value meets."""
    # -1 means "nothing to measure". Without this test, `destination_way_min <= 5` would be true for
    # maps without any destination.
    if NONE in (value, number):
        return (operator == "=" and value == number) or (
            operator == "!=" and number == NONE != value
        )
    met: bool = OPERATORS[operator](value, number)
    return met


class Objective(Frozen, kw_only=True):
    """A measure to maximise or minimise."""

    name: str
    most: bool

    def __str__(self) -> str:
        return f"{'most' if self.most else 'least'} {self.name}"

    def rank(self, subject: Subject | Measured) -> float:
        """Return the rank of a map: higher is better; nothing to measure is worst."""
        value = subject.value(self.name)
        if value == NONE:
            return -math.inf
        return value if self.most else -value


def names_companies(words: str) -> bool:
    """Return True if conditions mention companies."""
    return any(_wished(part) for part in words.split(","))


def read_conditions(words: str, companies: Mapping[str, str] = {}) -> tuple[Condition, ...]:
    """Return conditions from text, separated by commas, e.g. "income_min >= 80, table_mm <=
    600x900, with Bridging". `companies` are ids by name, in lower case, by which conditions may
    mention them. Raises WrongWords."""
    faults: list[str] = []
    read = []
    for part in words.split(",") if words.strip() else []:
        wished = _wished(part)
        read.append(_wish(part, wished, companies, faults) if wished else _condition(part, faults))
    if faults:
        raise WrongWords(*faults)
    return tuple(condition for condition in read if condition is not None)


def _wished(words: str) -> re.Match[str] | None:
    return _IN_PLAY.fullmatch(words.strip()) or _OF_COMPANY.fullmatch(words.strip())


def _wish(
    words: str, match: re.Match[str], companies: Mapping[str, str], faults: list[str]
) -> Condition | None:
    said, of_home = match["company"].strip(), "measure" in match.groupdict()
    shown = f"{words.strip()[:_MOST_SHOWN]!a}"
    known = {**companies, ALL: ALL}
    before = len(faults)
    if (company := known.get(said.lower())) is None:
        names = [name for name in known if name != ALL or of_home]
        hint = suggestion(said[:_MOST_SHOWN], names)
        faults.append(f"there is no company {said[:_MOST_SHOWN]!a}; {hint}".rstrip("; "))
    if of_home:
        measure, value = match["measure"], 0.0
        if measure not in HOME_MEASURES:
            hint = suggestion(measure[:_MOST_SHOWN], HOME_MEASURES) or _HOME_HINT
            faults.append(f"no home measures {measure[:_MOST_SHOWN]!a}; {hint}")
        operator = _operator(shown, match["operator"], faults)
        value = _number(shown, match["number"], operator, faults)
    else:
        measure, operator, value = match["how"].lower(), "=", 0.0
        if company == ALL:
            faults.append(f"{shown}: name a company")
    if company is None or len(faults) > before:
        return None
    return Condition(measure=measure, operator=operator, value=value, company=company, said=said)


def _operator(shown: str, operator: str, faults: list[str]) -> str:
    """Return the operator; add a fault if there is no such operator."""
    if operator in _TAKEN:
        return _ALIASES[operator]
    if operator not in OPERATORS:
        meant = _ALIASES.get(operator)
        advice = f"did you mean {meant}?" if meant else f"use {' '.join(OPERATORS)}"
        faults.append(f"{shown}: there is no operator {operator[:8]!a}; {advice}")
    return operator


def _number(shown: str, number: str, operator: str, faults: list[str]) -> float:
    """Return the number; add a fault if it is not one, or makes no sense with the operator."""
    if not _NUMBER.fullmatch(number):
        faults.append(
            f"{shown}: {number[:_MOST_SHOWN]!a} is not a number; write it without a unit, like 80 or 2.5"
        )
        return 0.0
    value = float(number)
    if value == NONE and operator not in ("=", "!="):
        faults.append(
            f"{shown}: {NONE} says that there is nothing to measure; use = {NONE} or != {NONE}"
        )
    return value


def _condition(words: str, faults: list[str]) -> Condition | None:
    match = _CONDITION.fullmatch(words.strip())
    assert match is not None  # it matches every text, as each part may be empty
    name, operator, number = match.groups()
    shown = f"{words.strip()[:_MOST_SHOWN]!a}"
    before = len(faults)
    if not name or not operator or not number:
        faults.append(f"{shown} is not a condition; write for example income_min >= 80")
        return None
    if name != TABLE and name not in MEASURES:
        faults.append(_unknown(name))
    operator = _operator(shown, operator, faults)
    if name == TABLE and operator in OPERATORS and operator != "<=":
        faults.append(f"{shown}: a table can only be large enough; use {TABLE} <=")
    sides = _SIDES.fullmatch(number)
    if name == TABLE:
        if sides is None:
            faults.append(f"{shown}: write both sides in mm, without a unit: {TABLE} <= 600x900")
        elif len(faults) == before:
            short, long = sorted((float(sides[1]), float(sides[2])))
            return Condition(measure=name, operator=operator, value=short, other=long)
        return None
    value = _number(shown, number, operator, faults)
    return (
        Condition(measure=name, operator=operator, value=value) if len(faults) == before else None
    )


def _unknown(name: str) -> str:
    fault = f"there is no measure {name[:_MOST_SHOWN]!a}"
    return f"{fault}; {suggestion(name[:_MOST_SHOWN], [*MEASURES, TABLE]) or 'docs/atlas-measures.md lists them'}"


def read_objectives(words: str) -> tuple[Objective, ...]:
    """Return measures from text, separated by commas, each after "most" (which may be omitted) or
    "least". Raises WrongWords."""
    faults = []
    read: list[Objective] = []
    for part in words.split(","):
        *how, name = part.split() or [""]
        if how not in ([], ["most"], ["least"]) or not name:
            faults.append(
                f"{part.strip()[:_MOST_SHOWN]!a} is not an objective; write for example least diameter"
            )
        elif name == TABLE:
            faults.append(
                f"{TABLE} is two sides; make least of table_long_mm or of table_short_mm, or of both"
            )
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
    """Return the numbers of conditions by stage, quickest first; conditions of one stage are tried
    together."""
    by_stage: dict[int, list[int]] = {}
    for number, condition in enumerate(conditions):
        by_stage.setdefault(condition.stage, []).append(number)
    return [by_stage[stage] for stage in sorted(by_stage)]


# Ranges of measures that a box allows, and conditions that no map can meet.


_WHOLE_HEX_MM2 = HEX_MM**2 * math.sqrt(3) / 2
_SPREAD = ("min", "mean", "max")


def impossible(box: AtlasBox, mode: Mode, conditions: Sequence[Condition]) -> dict[int, str]:
    """Return, by the number of each condition that no map of a mode can meet, the reason: the box,
    or another condition."""
    reasons = {}
    for number, condition in enumerate(conditions):
        others = (earlier for earlier in conditions[:number] if _clash(condition, earlier))
        if why := _beyond(box, mode, condition) or next(
            (f"not together with {other}" for other in others), ""
        ):
            reasons[number] = why
    return reasons


def _clash(one: Condition, other: Condition) -> bool:
    """Return True if no value meets both conditions, also across measures: a minimum never exceeds
    the mean, nor the mean the maximum."""
    if one.company or other.company:
        ways = {one.measure, other.measure}
        return one.company == other.company and ways == {WITH, WITHOUT}
    # income_min >= 80 and income_max <= 60 contradict each other although they are two measures:
    # the minimum never exceeds the mean, nor the mean the maximum.
    (stem, place), (other_stem, other_place) = _family(one.measure), _family(other.measure)
    if stem != other_stem or TABLE in (one.measure, other.measure):
        return False
    (least, most), (other_least, other_most) = _range(one), _range(other)
    return (place <= other_place and least > other_most) or (
        other_place <= place and other_least > most
    )


def _family(name: str) -> tuple[str, int]:
    stem, _, end = name.rpartition("_")
    return (stem, _SPREAD.index(end)) if end in _SPREAD else (name, 0)


def _range(condition: Condition) -> tuple[float, float]:
    """Return the smallest and the largest number that meets a condition."""
    value = condition.value
    return {
        "<=": (-math.inf, value),
        # The next float, so that "< 3" and ">= 3" leave nothing between them.
        "<": (-math.inf, math.nextafter(value, -math.inf)),
        ">=": (value, math.inf),
        ">": (math.nextafter(value, math.inf), math.inf),
        "=": (value, value),
        "!=": (-math.inf, math.inf),
    }[condition.operator]


def _beyond(box: AtlasBox, mode: Mode, condition: Condition) -> str:
    """Return why the box leaves no room for a condition; "" if it does."""
    if company := condition.company:
        playing = {
            hexagon.company for piece in tiles_in_play(box, mode) for hexagon in piece.tile.hexes
        }
        playing |= set(box.homeless) - set(mode.absent)
        if condition.measure == WITHOUT:
            always = company in playing and not mode.stacks
            return f"{condition.said} always plays in mode {mode.id}" if always else ""
        if company in playing or (company == ALL and condition.measure != WITH):
            return ""
        return f"{condition.said} does not play in mode {mode.id}"
    area = 3 * mode.tiles_used * _WHOLE_HEX_MM2
    if condition.measure == TABLE:
        if condition.value * condition.other >= area:
            return ""
        return (
            f"{3 * mode.tiles_used} hexes of {HEX_MM:g} mm cover {math.ceil(area / 100)} cm², "
            f"{condition.value:g} x {condition.other:g} mm are {condition.value * condition.other / 100:g} cm²"
        )
    if condition.value == NONE and condition.operator == "=":
        return ""
    lowest, highest, why = _bound(box, mode, condition.measure)
    least, most = _range(condition)
    is_out = least > highest or most < lowest
    if condition.operator == "!=":
        is_out = lowest == highest == condition.value
    return why if is_out else ""


def _bound(box: AtlasBox, mode: Mode, name: str) -> tuple[float, float, str]:
    """Return the minimum and the maximum of a measure on maps of a mode, as far as the box
    determines them, and the reason."""
    tiles, used = [piece.tile for piece in tiles_in_play(box, mode)], mode.tiles_used
    hexes, faces = 3 * used, [face for tile in tiles for face in faces_of(tile, 0)]
    side = math.sqrt(hexes * _WHOLE_HEX_MM2)
    dealt = sorted(
        sum(hexagon.ground is Ground.HOME for hexagon in tile.hexes)
        for tile in tiles
        if mode.deals_as_home(tile)
    )
    drawn = mode.homes_per_stack if mode.stacks else len(dealt)
    fewest, homes = sum(dealt[:drawn]), sum(dealt[len(dealt) - drawn :])
    of_homes = (
        f"mode {mode.id} has {f'at most {homes}' if fewest < homes else homes} homes on the map"
    )
    # Two of the six neighbours of a home are hexes of its own tile.
    blanks = 4 * homes
    # A tile spans one step, and each tile that touches it adds at most two.
    across = 2 * used - 1
    destinations = sum(_has(tile, Ground.DESTINATION) for tile in tiles)
    income = _best_stops(box, mode, len(faces), green=False)
    narrow = next(steps for steps in count() if _most_hexes(steps) >= hexes)
    apart = f"{used} tiles that touch are"
    rows: list[tuple[str, float, float, str]] = [
        ("hexes", hexes, hexes, f"the {used} map tiles of mode {mode.id} have {hexes} hexes"),
        ("blanks", 0, blanks, f"{of_homes}, each with at most 4 places beside its tile"),
        ("homes", fewest, homes, of_homes),
        ("homes_ stranded_", 0, homes, of_homes),
        ("home_pairs", 0, homes * (homes - 1) // 2, of_homes),
        ("rivals", 0, max(0, homes - 1), of_homes),
        ("fairness", 0, 100, "fairness is from 0 to 100"),
        (
            "table_long",
            side,
            math.inf,
            f"{hexes} hexes of {HEX_MM:g} mm cover a square of {side:.0f} mm",
        ),
        ("diameter", narrow, across, f"{apart} {narrow} to {across} steps across"),
        ("home_distance", 0, across, f"{apart} at most {across} steps across"),
        (
            "destinations",
            0,
            destinations,
            f"mode {mode.id} has at most {destinations} destinations",
        ),
        ("income", 0, income, f"all stops of mode {mode.id} pay at most {income} together"),
        ("", 0, math.inf, f"{name} is never less than 0"),
    ]
    for number in TRAINS:
        stops = number + max((extra for _, extra in box.extra_stops), default=0)
        most = _best_stops(box, mode, stops, green=number in GREEN_TRAINS)
        most += SUBURB_INCOME * max((tokens for _, tokens in box.suburbs), default=0)
        why = f"the {stops} best stops of mode {mode.id} pay at most {most} together"
        rows.append((f"train_{number}", 0, most, why))
    # The longest prefix of a measure's name determines its subject.
    known = {start: row[1:] for row in rows for start in row[0].split() or [""]}
    return known[max(filter(name.startswith, known), key=len)]


def _has(tile: MapTile, ground: Ground) -> bool:
    return any(hexagon.ground is ground for hexagon in tile.hexes)


def _most_hexes(steps: int) -> int:
    """Return the maximum number of hexes that are pairwise at most `steps` apart: those of a
    hexagon that wide along each axis."""
    half, odd = divmod(steps, 2)
    return 3 * (half + 1) ** 2 if odd else 3 * half * (half + 1) + 1


def _best_stops(box: AtlasBox, mode: Mode, number: int, *, green: bool) -> int:
    """Return the total income of the `number` best-paying stops."""
    stops = [GREEN_CAPITAL_INCOME if green else CAPITAL_INCOME] * mode.capital_projects
    for piece in tiles_in_play(box, mode):
        faces = faces_of(piece.tile, 0)
        stops += [face.green if green else face.income for face in faces]
        if _has(piece.tile, Ground.DESTINATION):
            stops.append(GREEN_DESTINATION_INCOME if green else DESTINATION_INCOME)
    return sum(sorted(stops)[-number:])
