"""Rules and their registry: each has a code, a severity, and a function with a docstring that
explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.docstrings import docstring
from platelayer.foundation.problems import Problem, Severity
from platelayer.model.hexes import Layout
from platelayer.model.tile import Tile
from platelayer.model.title import Title

Body = Callable[[Title], Iterator[Problem]]
"""What finds the breaches of a rule. `pointer` points into the assembled title
("/companies/BNR/homes/0"), `about` names what it is about; the registry adds the code, and limits
the severity to that of the rule."""


EVERYTHING = ("",)
"""Default `reads` of a rule: everything."""
ITSELF = ("/".join("." * 40),)
"""`reads` of a rule that judges each value by itself, wherever it stands."""


class Rule(Struct, frozen=True, kw_only=True):
    """A rule in the registry. `name` is a few words, `severity` the highest that it reports; the
    docstring of `body` states what is checked, a wrong and a right example, and the source.

    `reads` are the paths in the assembled title that decide its findings, as
    `foundation/pointers.py` reads them. Where some of that is missing because of other errors,
    findings that may come from this are not reported.
    """

    code: str
    name: str
    severity: Severity
    body: Body
    reads: tuple[str, ...] = EVERYTHING

    def check(self, title: Title) -> Iterator[Problem]:
        """Everything it finds in a title."""
        for problem in self.body(title):
            yield replace(problem, code=self.code, severity=min(problem.severity, self.severity))

    @property
    def explanation(self) -> str:
        """The docstring of its function, without indentation."""
        return docstring(self.body)


RULES: dict[str, Rule] = {}

MEASURES: dict[str, Callable[[Tile, Layout, float], float]] = {}
"""What rules ask of drawing, which they do not import: `pipeline/load.py` enters it. "slot_mm" is
how wide the slots of a hex are drawn, given how it lies and its width in mm; 0 where it draws
none."""


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
