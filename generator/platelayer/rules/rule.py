"""Rules and their registry: each has a code, a severity, and a function with a docstring that explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from platelayer.foundation.docstrings import docstring
from platelayer.foundation.problems import Severity
from platelayer.model.title import Title


class Finding(Struct, frozen=True, kw_only=True):
    """One breach of a rule. `pointer` is a JSON pointer into the assembled title ("/companies/BNR/homes/0"); `place`
    names what it is about in the title's own words ("57", "D4", "BNR"): waivers refer to it. `severity` None means
    the rule's own."""

    pointer: str
    place: str
    message: str
    hint: str = ""
    severity: Severity | None = None


Check = Callable[[Title], Iterator[Finding]]


class Rule(Struct, frozen=True, kw_only=True):
    """A rule in the registry. `name` is a few words; the docstring of `check` says what, wrong, right and source."""

    code: str
    name: str
    severity: Severity
    check: Check

    @property
    def explanation(self) -> str:
        """The docstring of its function, without indentation."""
        return docstring(self.check)


RULES: dict[str, Rule] = {}


def rule(code: str, name: str, severity: Severity = Severity.ERROR) -> Callable[[Check], Check]:
    """Register a function under a code that no other rule has."""

    def enter(check: Check) -> Check:
        if code in RULES:
            raise ValueError(f"two rules have the code {code}")
        RULES[code] = Rule(code=code, name=name, severity=severity, check=check)
        return check

    return enter
