"""A title in, what every rule finds in it out, with the title's waivers applied."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from msgspec import Struct

import platelayer.rules
from platelayer.foundation.problems import Severity
from platelayer.model.title import Title, Waiver
from platelayer.rules.rule import RULES, Finding, Rule, pointer, rule

UNUSED = "RW01"
UNKNOWN = "RW02"
_ABOUT_WAIVERS = (UNUSED, UNKNOWN)
_NAMED_IN_HINT = 8


class Judged(Struct, frozen=True, kw_only=True):
    """A finding after waivers: `severity` is that of the rule or of the finding, a note when it is waived; `message`
    then gives the reason. `pointer` is a JSON pointer into the assembled title."""

    code: str
    severity: Severity
    pointer: str
    place: str
    message: str
    hint: str = ""
    waived: bool = False


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its code, sorted: a module of this package that ends in _rules enters its own."""
    for module in pkgutil.iter_modules(platelayer.rules.__path__):
        if module.name.endswith("_rules"):
            importlib.import_module(f"{platelayer.rules.__name__}.{module.name}")
    return dict(sorted(RULES.items()))


def run_rules(title: Title) -> tuple[Judged, ...]:
    """Everything that the rules find in a title, in the order of their codes; waived findings as notes."""
    waivers = {(waiver.code, waiver.at): waiver for waiver in title.waivers}
    rules = all_rules()
    judged = [_judge(rules[code], finding, waivers.get((code, finding.place))) for code, finding in _findings(title)]
    for code in _ABOUT_WAIVERS:
        judged += [_judge(rules[code], finding, None) for finding in rules[code].check(title)]
    return tuple(judged)


def _judge(rule: Rule, finding: Finding, waiver: Waiver | None) -> Judged:
    waived = waiver is not None
    return Judged(
        code=rule.code,
        severity=Severity.NOTE if waived else finding.severity or rule.severity,
        pointer=finding.pointer,
        place=finding.place,
        message=f"{finding.message} (waived: {waiver.reason.get('en')})" if waiver else finding.message,
        hint="" if waived else finding.hint,
        waived=waived,
    )


@lru_cache(maxsize=2)
def _findings(title: Title) -> tuple[tuple[str, Finding], ...]:
    """(code, finding) of every rule but those about waivers."""
    return tuple(
        (code, finding)
        for code, each in all_rules().items()
        if code not in _ABOUT_WAIVERS
        for finding in each.check(title)
    )


@rule(UNUSED, "waiver that waives nothing", Severity.WARNING)
def waivers_used(title: Title) -> Iterator[Finding]:
    """A waiver stands for a finding that there is not, or no more: the mistake was mended, or `at` is not written as
    the finding names its place. Of a title with variants this is told only when no variant needs the waiver.

    Wrong: {"code": "UP06", "at": "Y", "reason": "Scarce."}; UP06 names a label and a colour.

    Right: {"code": "UP06", "at": "Y/brown", "reason": "The rulebook counts nine tiles for fourteen hexes."}.

    Source: a waiver hides a mistake as long as it stands; so it has to go when it is needed no more.
    """
    rules, found = all_rules(), _findings(title)
    for number, waiver in enumerate(title.waivers):
        if waiver.code in rules and not any((waiver.code, waiver.at) == (code, each.place) for code, each in found):
            places = list(dict.fromkeys(each.place for code, each in found if code == waiver.code))
            told = ", ".join(f'"{place}"' for place in places[:_NAMED_IN_HINT])
            yield Finding(
                pointer=pointer("waivers", number),
                place=f"{waiver.code} {waiver.at}",
                message=f'there is no finding of {waiver.code} about "{waiver.at}" to waive',
                hint=f"{waiver.code} has findings about {told}" if told else "take the waiver out",
            )


@rule(UNKNOWN, "waiver of an unknown rule")
def waivers_of_rules(title: Title) -> Iterator[Finding]:
    """A waiver names a code that no rule has. Only findings of rules can be waived: what a schema or a reference
    refuses would leave no title to look at, and what cannot be read on paper has to be mended.

    Wrong: {"code": "UP66", "at": "D4", "reason": "..."}; {"code": "SC01", ...}.

    Right: {"code": "UP06", "at": "Y/brown", "reason": "..."}.

    Source: docs/rules.md lists the rules; `platelayer explain CODE` tells one.
    """
    for number, waiver in enumerate(title.waivers):
        if waiver.code not in all_rules() or waiver.code in _ABOUT_WAIVERS:
            yield Finding(
                pointer=pointer("waivers", number, "code"),
                place=f"{waiver.code} {waiver.at}",
                message=f"no rule that can be waived has the code {waiver.code}",
                hint="codes are listed in docs/rules.md",
            )
