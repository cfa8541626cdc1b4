"""The sheets of a draft that list what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import Problem, Severity
from platelayer.imposition.foot import Foot, FootPainter
from platelayer.imposition.listing import TITLE_PT, Line, Listing, frame_of
from platelayer.imposition.page import Document, Page
from platelayer.imposition.paper import Paper
from platelayer.imposition.words import fixed
from platelayer.scene.shapes import Scene
from platelayer.scene.theme import Theme

STEM = "findings"


def findings_document(
    title_name: str, problems: Iterable[Problem], *, paper: Paper, margin_mm: float, theme: Theme, tongue: Tongue
) -> Document:
    """All problems, the gravest first, in columns on as many sheets as they need: of this paper, or of A4 where it has
    no room for them."""
    frame = frame_of(paper, margin_mm)
    listing = Listing(frame, theme, tongue)
    ordered = sorted(
        problems, key=lambda problem: (-problem.severity, problem.file, problem.line, problem.column, problem.code)
    )
    sheets = list(listing.sheets([*_block(problem, listing)] for problem in ordered))
    name = fixed(STEM, tongue, listing.strong.faces)
    feet = FootPainter(theme, tongue)
    counts = (
        sum(problem.severity is severity for problem in ordered) for severity in (Severity.ERROR, Severity.WARNING)
    )
    totals = fixed("findings totals" if ordered else "findings none", tongue, listing.plain.faces, *counts)
    title = fixed("findings draft", tongue, listing.strong.at(TITLE_PT).faces)
    pages: list[Page] = []
    for number, sheet in enumerate(sheets, start=1):
        foot = Foot(title=title_name, document=name, number=number, of=len(sheets), content=())
        head = listing.head(title, totals) if number == 1 else ()
        scene = Scene(
            key=f"sheet:{STEM}:{number}",
            width_mm=frame.width_mm,
            height_mm=frame.height_mm,
            items=(*head, *listing.columns(sheet, first=number == 1), *feet.draw(foot, frame.foot)),
            label=f"{title_name}: {name}, {number} / {len(sheets)}",
        )
        pages.append(Page(scene=scene, trim=frame.room, bleed=frame.room))
    return Document(stem=STEM, title=f"{title_name}: {name}", subject=name, pages=tuple(pages))


def _block(problem: Problem, listing: Listing) -> Iterator[Line]:
    """The lines of one finding: severity, code and place; the message; the hint."""
    severity = fixed(problem.severity.word, listing.tongue, listing.strong.faces)
    yield from listing.wrapped(f"{severity} {problem.code}  {problem.place}", listing.strong)
    yield from listing.wrapped(problem.message, listing.plain)
    if problem.hint:
        hint = f"{fixed('hint', listing.tongue, listing.plain.faces)}: {problem.hint}"
        yield from listing.wrapped(hint, listing.plain, "text.soft")
