"""The sheets of a draft that list what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import Problem, Severity
from platelayer.imposition.listing import Entry, Listing, listing_document
from platelayer.imposition.page import Document
from platelayer.imposition.paper import Paper
from platelayer.imposition.words import fixed
from platelayer.scene.theme import Theme

STEM = "findings"


def findings_document(
    title_name: str,
    problems: Iterable[Problem],
    *,
    paper: Paper,
    margin_mm: float,
    theme: Theme,
    tongue: Tongue,
) -> Document:
    """All problems, the gravest first, in columns on as many sheets as they need."""
    ordered = sorted(
        problems,
        key=lambda problem: (
            -problem.severity,
            problem.file,
            problem.line,
            problem.column,
            problem.code,
        ),
    )
    faces = theme.type("sheet").faces
    counts = (
        sum(problem.severity is severity for problem in ordered)
        for severity in (Severity.ERROR, Severity.WARNING)
    )
    listing = Listing(
        stem=STEM,
        heading="findings draft",
        intro=fixed("findings totals" if ordered else "findings none", tongue, faces, *counts),
        entries=tuple(_entries(ordered, theme, tongue)),
    )
    return listing_document(
        title_name, listing, paper=paper, margin_mm=margin_mm, theme=theme, tongue=tongue
    )


def _entries(problems: Iterable[Problem], theme: Theme, tongue: Tongue) -> Iterator[Entry]:
    """Severity, code and place; the message; the hint."""
    faces = theme.type("sheet").faces
    for problem in problems:
        severity = fixed(problem.severity.word, tongue, theme.type("sheet.strong").faces)
        hint = f"{fixed('hint', tongue, faces)}: {problem.hint}" if problem.hint else ""
        yield Entry(f"{severity} {problem.code}  {problem.place}", problem.message, hint)
