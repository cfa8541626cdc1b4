"""All findings of the rules for a title, with its waivers applied."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from itertools import groupby

from msgspec.structs import replace

import platelayer.rules
from platelayer.foundation.pointers import join_pointer, touches
from platelayer.foundation.problems import Problem, Problems, Severity, folded
from platelayer.model.title import Title, Waiver
from platelayer.rules.rule import RULES, Rule, rule

UNUSED = "RW01"
UNKNOWN = "RW02"
_ABOUT_WAIVERS = (UNUSED, UNKNOWN)
_NAMED_IN_HINT = 8
# If a rule has more findings than this, the rest are not listed individually.
MOST_LISTED = 200


def all_rules() -> Mapping[str, Rule]:
    """Every rule by its code, sorted: those of the modules of this package that end in _rules, and
    any added since."""
    _load_rules()
    return dict(sorted(RULES.items()))


@cache
def _load_rules() -> None:
    for module in pkgutil.iter_modules(platelayer.rules.__path__):
        if module.name.endswith("_rules"):
            importlib.import_module(f"{platelayer.rules.__name__}.{module.name}")


def run_rules(title: Title, lost: Collection[str] = ()) -> tuple[Problem, ...]:
    """Everything that the rules find in a title, in the order of their codes; waived findings as
    notes, many of one cause as one. Beyond MOST_LISTED findings of one rule, only their number.
    `lost` are pointers of what an error has cost the title: findings that may come from this are
    left out."""
    judged = [_waived(title, problem) for problem in _findings(title, frozenset(all_rules()))]
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
    """Findings of some rules for a title, waived findings as notes."""
    rules = all_rules()
    return [_waived(title, problem) for code in codes for problem in rules[code].check(title)]


def _waived(title: Title, problem: Problem) -> Problem:
    """A finding as a note with the reason of the first waiver that covers it, or as waivable."""
    for waiver in title.waivers:
        if waiver.covers(problem.code, problem.about):
            message = f"{problem.message} (waived: {waiver.reason.get('en')})"
            return replace(problem, severity=Severity.NOTE, message=message, hint="")
    return replace(problem, waivable=True)


@lru_cache(2)
def _findings(title: Title, codes: frozenset[str]) -> tuple[Problem, ...]:
    """Findings of the rules with these codes, except those about waivers."""
    return tuple(
        problem
        for code, checked in all_rules().items()
        if code in codes and code not in _ABOUT_WAIVERS
        for problem in checked.check(title)
    )


@rule(UNUSED, "waiver that waives nothing", Severity.WARNING)
def waivers_used(title: Title) -> Problems:
    """A waiver matches no finding: the mistake has been fixed, or `at` is not the place that the
    finding names. In a title with variants, this is reported only if no variant needs the waiver.

    Wrong: {"code": "UP06", "at": "Y", "reason": "Scarce."}; UP06 names a label and a colour.

    Right: {"code": "UP06", "at": "Y/brown", "reason": "The rulebook counts nine tiles for fourteen
    hexes."}; or, for all colours, {"code": "UP06", "at": "Y/*", "reason": "..."}.

    Source: a waiver left in place can hide a new mistake, so remove it once it is no longer needed.
    """
    findings = _findings(title, frozenset(all_rules()))
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
    """The rules that a waiver names."""
    return [
        code
        for code in all_rules()
        if code not in _ABOUT_WAIVERS and waiver.covers(code, waiver.at)
    ]
