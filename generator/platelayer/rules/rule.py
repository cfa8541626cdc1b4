"""Rules and their registry (each has a code, a severity, and a function whose docstring explains
it), and all their findings for a title, with its waivers applied."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, wraps
from itertools import chain, combinations, groupby
from math import inf
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

import platelayer.rules
from platelayer.foundation.cache import Cache, digest_of
from platelayer.foundation.problems import (
    Problem,
    Problems,
    Severity,
    folded,
    join_pointer,
    split_pointer,
    touches,
)
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import Layout
from platelayer.model.tile import Tile
from platelayer.model.title import Title, Waiver

# Function that finds the violations of a rule. `pointer` points into the assembled title
# ("/companies/BNR/homes/0"); `about` names the subject if it is not the entry at the pointer. The
# registry adds the code, and limits the severity to that of the rule.
Body = Callable[[Title], Problems]
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def finding(
    at: str | tuple[str | int, ...],
    message: str,
    hint: str = "",
    *,
    about: str = "",
    severity: Severity = Severity.ERROR,
    cause: str = "",
) -> Problem:
    """Return a breach of a rule: `at` is a pointer into the title, or its keys."""
    pointer = at if isinstance(at, str) else join_pointer(*at)
    return Problem(
        pointer=pointer, message=message, hint=hint, about=about, severity=severity, cause=cause
    )


# Default of a rule's `reads`: everything.
EVERYTHING = ("",)
# `reads` of a rule that checks each value independently, wherever it is.
ITSELF = ("/".join("." * 40),)


class Rule(Struct, frozen=True, kw_only=True):
    """A rule in the registry. `name` is a few words, `severity` the highest that it reports; the
    docstring of `body` states what is checked, a wrong and a right example, and the source.

    `reads` are the paths in the assembled title that decide its findings, as
    `foundation/problems.py` reads them. Where some of that is missing because of other errors,
    findings that may come from this are not reported.
    """

    code: str
    name: str
    severity: Severity
    body: Body
    reads: tuple[str, ...] = EVERYTHING

    def check(self, title: Title) -> Problems:
        """Yield everything the rule finds in a title."""
        for problem in self.body(title):
            yield replace(
                problem,
                code=self.code,
                severity=min(problem.severity, self.severity),
                about=problem.about or _subject(problem.pointer),
            )

    def findings(self, title: Title) -> tuple[Problem, ...]:
        """Return everything the rule finds in a title, as a tuple."""
        return tuple(self.check(title))

    @property
    def explanation(self) -> str:
        """The docstring of the rule's function, without indentation."""
        return inspect.getdoc(self.body) or ""


def _subject(pointer: str) -> str:
    """Return the subject of a finding that names none: the entry of a block, or the hex of a map,
    to which it points. Entries of `privates` follow their block, as in a company's `ref`."""
    match split_pointer(pointer):
        case ["maps", _, "hexes", name, *_]:
            return name
        case ["privates", name, *_]:
            return f"privates/{name}"
        case ["companies" | "maps" | "phases" | "players" | "tiles" | "trains", name, *_]:
            return name
    return ""


RULES: dict[str, Rule] = {}

# Functions of the drawing layer, which rules must not import: `pipeline/load.py` enters them.
# "slot_mm" is the drawn width of the slots of a hex, given its layout and its width in mm; 0 if it
# has none.
MEASURES: dict[str, Callable[[Tile, Layout, float], float]] = {}


def has_added_rules() -> bool:
    """Return True if the user's program has registered its own rules."""
    return any(not rule.body.__module__.startswith("platelayer.") for rule in RULES.values())


def rule(
    code: str,
    name: str,
    severity: Severity = Severity.ERROR,
    *,
    reads: tuple[str, ...] = EVERYTHING,
) -> Callable[[Body], Body]:
    """Register a function under a code that no other rule has."""

    def enter(body: Body) -> Body:
        if code in RULES:
            raise ValueError(f"two rules have the code {code}")
        RULES[code] = Rule(code=code, name=name, severity=severity, body=body, reads=reads)
        return body

    return enter


# Tracking of the fields that rules read.


class Watched(Title, frozen=True, kw_only=True, eq=False):
    """A title that records which of its fields are read."""

    @classmethod
    def of(cls, title: Title) -> Watched:
        """Return a title that records reads."""
        return cls(**{name: getattr(title, name) for name in title.__struct_fields__})

    def __getattribute__(self, name: str) -> Any:
        kept = super().__getattribute__("__dict__")
        if name in _FIELDS and "reads" in kept:
            kept["reads"].add(name)
        elif name in _WORKED_OUT:
            return self.once(_WORKED_OUT[name])
        return super().__getattribute__(name)

    # Not hashable: a cache keyed by title would hide which fields a result depends on. `once` does
    # not.
    __hash__ = None  # type: ignore[assignment]

    def reads_of(self, work: Callable[[Title], T]) -> tuple[frozenset[str], T]:
        """Return the fields that a function reads, and its result."""
        around, self.__dict__["reads"] = self.__dict__.get("reads"), set()
        result = work(self)
        reads, self.__dict__["reads"] = self.__dict__["reads"], around
        return frozenset(reads), result

    def once(self, work: Callable[[Title], T]) -> T:
        """Return the cached result of a function. Every caller counts as having read what the
        function reads."""
        if work not in self.kept:
            self.kept[work] = self.reads_of(work)
        reads, result = cast("tuple[frozenset[str], T]", self.kept[work])
        self.__dict__["reads"] |= reads
        return result


_FIELDS = frozenset(Title.__struct_fields__)
_WORKED_OUT = {
    name: each.func
    for name, each in vars(Title).items()
    if isinstance(each, cached_property) and name != "kept"
}


def once(work: Callable[[Title], T]) -> Callable[[Title], T]:
    """Decorate a function of a title so that its result is computed once for each title."""
    kept = lru_cache(2)(work)

    @wraps(kept)
    def result(title: Title) -> T:
        return title.once(work) if isinstance(title, Watched) else kept(title)

    return result


# Contradictions between entries, explained by the fewest wrong entries.


def at_fault(
    pairs: Iterable[tuple[int, int]], oddity: Callable[[int], float] = lambda _entry: 0.0
) -> dict[int, int]:
    """Return (nearly) the fewest entries that take part in all pairs that contradict each other, by
    number, each with the nearest entry that it contradicts.

    The entry in most pairs is taken repeatedly; among equals the oddest, then the last. So 100,
    1800, 300, 450 is one wrong 1800, not two prices that fall.
    """
    # The exact answer is a minimum vertex cover, which takes exponential time. Repeatedly choosing
    # the entry in most pairs finds it in all but contrived cases.
    others: dict[int, set[int]] = {}
    for one, other in pairs:
        others.setdefault(one, set()).add(other)
        others.setdefault(other, set()).add(one)
    faults = {}
    while others:
        worst = max(others, key=lambda entry: (len(others[entry]), oddity(entry), entry))
        faults[worst] = min(others[worst], key=lambda other: (abs(other - worst), other))
        for other in others.pop(worst):
            others[other].discard(worst)
            if not others[other]:
                del others[other]
    return dict(sorted(faults.items()))


def reached(starts: Iterable[K], step: Callable[[K], Iterable[K]]) -> list[K]:
    """Return the starts and everything that repeated steps lead to from them, without
    repetition."""
    order = list(dict.fromkeys(starts))
    seen = {*order}
    for at in order:
        for to in step(at):
            if to not in seen:
                seen.add(to)
                order.append(to)
    return order


def copies(entries: Iterable[tuple[Hashable, T]]) -> Iterator[tuple[T, T]]:
    """Yield entries that have the same key as an earlier one, each with the first entry of that
    key."""
    first: dict[Hashable, T] = {}
    for key, entry in entries:
        if key in first:
            yield entry, first[key]
        else:
            first[key] = entry


def falls(values: Sequence[int | None]) -> dict[int, int]:
    """Return entries at fault in a series that should rise or stay the same; None stands for any
    value. Of two, it is the one that is farther from its other neighbours, if both have some,
    otherwise the later one.

    So 500, 35, 260, 240, which should fall, is one wrong 35.
    """
    pairs = {
        (before, after)
        for (before, value), (after, later) in combinations(enumerate(values), 2)
        if value is not None and later is not None and later < value
    }

    def distance(entry: int) -> float:
        own = abs(values[entry] or 0)
        sides = [pair for pair in ((entry - 1, entry), (entry, entry + 1)) if pair not in pairs]
        near = [
            abs(values[side] or 0)
            for pair in sides
            for side in pair
            if side != entry and 0 <= side < len(values)
        ]
        # The last entry has no successor to confirm it.
        unknown = inf if entry == len(values) - 1 else 0.0
        return max(
            (max(own, other) / min(own, other) for other in near if own and other), default=unknown
        )

    return at_fault(pairs, distance)


def rises(values: Sequence[int | None]) -> dict[int, int]:
    """Return entries at fault in a series that should fall or stay the same; None stands for any
    value."""
    return falls([None if value is None else -value for value in values])


UNUSED = "RW01"
UNKNOWN = "RW02"
_ABOUT_WAIVERS = (UNUSED, UNKNOWN)
_NAMED_IN_HINT = 8
# Maximum number of findings of a rule that are listed individually.
MOST_LISTED = 200


def all_rules() -> Mapping[str, Rule]:
    """Return every rule by its code, sorted: those of the modules of this package that end in
    _rules, and any added since."""
    _load_rules()
    return dict(sorted(RULES.items()))


@cache
def _load_rules() -> None:
    for module in pkgutil.iter_modules(platelayer.rules.__path__):
        if module.name.endswith("_rules"):
            importlib.import_module(f"{platelayer.rules.__name__}.{module.name}")


def run_rules(
    title: Title, lost: Collection[str] = (), cache: Cache | None = None
) -> tuple[Problem, ...]:
    """Return everything that the rules find in a title, in the order of their codes.

    Waived findings become notes, and many of the same cause are merged. Beyond MOST_LISTED findings
    of one rule, only their number is given. `lost` are pointers of parts lost to errors: findings
    that may be consequences of this are omitted.
    """
    judged = [_waived(title, problem) for problem in _findings(title, cache)]
    for code in _ABOUT_WAIVERS:
        judged += all_rules()[code].check(title)
    if lost:
        judged = [
            each for each in judged if not touches(all_rules()[each.code].reads, lost, each.pointer)
        ]
    kept = []
    for _, group in groupby(folded(judged), key=lambda problem: problem.code):
        alike = list(group)
        kept += alike[:MOST_LISTED]
        if rest := alike[MOST_LISTED:]:
            summary = replace(
                rest[0],
                severity=max(problem.severity for problem in rest),
                message=f"{len(rest)} more findings of this rule are not listed",
                hint="fix the first ones and check again",
            )
            kept.append(summary)
    return tuple(kept)


def judge_by(title: Title, codes: Iterable[str]) -> list[Problem]:
    """Return the findings of some rules for a title, with waived findings as notes."""
    rules = all_rules()
    return [_waived(title, problem) for code in codes for problem in rules[code].check(title)]


def _waived(title: Title, problem: Problem) -> Problem:
    """Return a finding as a note with the reason of the first waiver that covers it, or as
    waivable."""
    for waiver in title.waivers:
        if waiver.covers(problem.code, problem.about):
            message = f"{problem.message} (waived: {waiver.reason.get('en')})"
            return replace(problem, severity=Severity.NOTE, message=message, hint="")
    return replace(problem, waivable=True)


class KeptFindings(Frozen):
    """Digests of a title's fields and, by rule, the fields that it has read and what it has
    found."""

    fields: dict[str, str]
    found: dict[str, tuple[frozenset[str], tuple[Problem, ...]]]


def _findings(title: Title, cache: Cache | None = None) -> tuple[Problem, ...]:
    """Return the findings of all rules except those about waivers. Computed once for each title."""
    rules = {code: each for code, each in all_rules().items() if code not in _ABOUT_WAIVERS}
    key = (_findings, *rules)
    if key not in title.kept:
        found = (
            {code: each.findings(title) for code, each in rules.items()}
            if cache is None
            else _kept_findings(title, rules, cache)
        )
        title.kept[key] = tuple(chain.from_iterable(found.values()))
    findings: tuple[Problem, ...] = title.kept[key]
    return findings


def _kept_findings(
    title: Title, rules: Mapping[str, Rule], cache: Cache
) -> dict[str, tuple[Problem, ...]]:
    """Return findings by rule. The cache holds those for the title's previous state: a rule finds
    the same again if nothing that it reads has changed."""
    # One cache entry for each title and variant: the key locates it, the digests tell whether it is
    # still valid.
    key = digest_of("findings", title.id, title.variant)
    before = cache.get(key, KeptFindings) or KeptFindings({}, {})
    fields = {name: digest_of(getattr(title, name)) for name in title.__struct_fields__}
    changed = {name for name, own in fields.items() if before.fields.get(name) != own}
    watched, found = Watched.of(title), {}
    for code, each in rules.items():
        known = before.found.get(code)
        if known is None or not changed.isdisjoint(known[0]):
            known = watched.reads_of(each.findings)
        found[code] = known
    cache.put(key, KeptFindings(fields, found), KeptFindings)
    return {code: findings for code, (_, findings) in found.items()}


@rule(UNUSED, "waiver that waives nothing", Severity.WARNING)
def waivers_used(title: Title) -> Problems:
    """A waiver matches no finding: the mistake has been fixed, or `at` is not the place that the
    finding names. In a title with variants, this is reported only if no variant needs the waiver.

    Wrong: {"code": "UP06", "at": "Y", "reason": "Scarce."}; UP06 names a label and a colour.

    Right: {"code": "UP06", "at": "Y/brown", "reason": "The rulebook counts nine tiles for fourteen
    hexes."}; or, for all colours, {"code": "UP06", "at": "Y/*", "reason": "..."}.

    Source: a waiver left in place can hide a new mistake, so remove it once it is no longer needed.
    """
    findings = _findings(title)
    named = dict.fromkeys((problem.code, problem.about) for problem in findings)
    for number, waiver in enumerate(title.waivers):
        if (
            _codes(waiver)
            and not waiver.optional
            and not any(waiver.covers(code, about) for code, about in named)
        ):
            places = [about for code, about in named if code in _codes(waiver)]
            named_places = ", ".join(f'"{place}"' for place in places[:_NAMED_IN_HINT])
            yield Problem(
                pointer=join_pointer("waivers", number),
                about=f"{waiver.code} {waiver.at}",
                message=f'there is no finding of {waiver.code} about "{waiver.at}" to waive',
                hint=f"{waiver.code} has findings about {named_places}"
                if named_places
                else "remove the waiver",
            )


@rule(UNKNOWN, "waiver of an unknown rule", reads=("waivers/.",))
def waivers_of_rules(title: Title) -> Problems:
    """A waiver names a code that no rule has. Only findings of rules can be waived: a title that
    breaks a schema or a reference cannot be read at all, and illegible print must be fixed. (`build
    --draft` prints nevertheless.)

    Wrong: {"code": "UP66", "at": "D4", "reason": "..."}; {"code": "SC01", ...}.

    Right: {"code": "UP06", "at": "Y/brown", "reason": "..."}; {"code": "UP*", "reason": "Upgrades
    are not done yet."}.

    Source: `platelayer explain` lists all codes, `platelayer explain CODE` explains one.
    """
    for number, waiver in enumerate(title.waivers):
        if not _codes(waiver):
            yield Problem(
                pointer=join_pointer("waivers", number, "code"),
                about=f"{waiver.code} {waiver.at}",
                message=f"no rule that can be waived has the code {waiver.code}",
                hint="`platelayer explain` lists all codes",
            )


def _codes(waiver: Waiver) -> list[str]:
    """Return the rules that a waiver names."""
    return [
        code
        for code in all_rules()
        if code not in _ABOUT_WAIVERS and waiver.covers(code, waiver.at)
    ]
