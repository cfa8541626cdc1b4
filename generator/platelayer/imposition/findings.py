"""The sheets of a draft that list what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import Problem, Severity
from platelayer.imposition.foot import Foot, FootPainter
from platelayer.imposition.page import Document, Page
from platelayer.imposition.paper import Frame, Paper, find_paper, frames
from platelayer.imposition.words import fixed
from platelayer.scene.shapes import Item, Scene
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import TypeStyle, missing_glyphs, set_line, text_width, wrap

STEM = "findings"
_SIZE_PT, _TITLE_PT = 7.5, 14.0
_LEADING = 1.3
_COLUMN_MM, _BETWEEN_MM, _APART_MM = 85.0, 6.0, 2.4
"""The least width of a column, and the room between columns and between findings."""
_TITLE_MM = 14.0
_MARGIN_MM = 6.0


class _Line(Struct, frozen=True, kw_only=True):
    """One line of a finding; `ink` is a name of the theme's."""

    words: str
    style: TypeStyle
    ink: str = "text"


_Block = Sequence[_Line]
"""The lines of one finding."""
_Sheet = list[list[_Block]]
"""Columns of findings."""


def findings_document(
    title_name: str, problems: Iterable[Problem], *, paper: Paper, margin_mm: float, theme: Theme, tongue: Tongue
) -> Document:
    """All problems, the gravest first, in columns on as many sheets as they need: of this paper, or of A4 where it has
    no room for them."""
    ways = frames(paper, margin_mm) or frames(find_paper("a4"), _MARGIN_MM)
    listing = _Listing(ways[0], theme, tongue)
    ordered = sorted(
        problems, key=lambda problem: (-problem.severity, problem.file, problem.line, problem.column, problem.code)
    )
    sheets = list(listing.sheets(ordered))
    name = fixed(STEM, tongue, listing.strong.faces)
    feet, frame = FootPainter(theme, tongue), listing.frame
    pages: list[Page] = []
    for number, sheet in enumerate(sheets, start=1):
        foot = Foot(title=title_name, document=name, number=number, of=len(sheets), content=())
        head = listing.head(ordered) if number == 1 else ()
        scene = Scene(
            key=f"sheet:{STEM}:{number}",
            width_mm=frame.width_mm,
            height_mm=frame.height_mm,
            items=(*head, *listing.columns(sheet, first=number == 1), *feet.draw(foot, frame.foot)),
            label=f"{title_name}: {name}, {number} / {len(sheets)}",
        )
        pages.append(Page(scene=scene, trim=frame.room, bleed=frame.room))
    return Document(stem=STEM, title=f"{title_name}: {name}", subject=name, pages=tuple(pages))


class _Listing:
    """Findings set in columns on sheets of one size."""

    def __init__(self, frame: Frame, theme: Theme, tongue: Tongue) -> None:
        self.frame, self._theme, self._tongue = frame, theme, tongue
        self.strong, self._plain = theme.type("sheet.strong").at(_SIZE_PT), theme.type("sheet").at(_SIZE_PT)
        room = frame.room[2]
        self._count = max(1, int((room + _BETWEEN_MM) // (_COLUMN_MM + _BETWEEN_MM)))
        self._width = (room - (self._count - 1) * _BETWEEN_MM) / self._count

    def sheets(self, problems: Iterable[Problem]) -> Iterator[_Sheet]:
        """Sheets of columns of findings, in order, at least one; a finding taller than a column is parted."""
        sheet: _Sheet = [[]]
        room = left = self.frame.room[3] - _TITLE_MM
        for problem in problems:
            waiting = [*self._block(problem)]
            while waiting:
                if _tall(waiting) > left and sheet[-1]:
                    if len(sheet) == self._count:
                        yield sheet
                        sheet, room = [], self.frame.room[3]
                    sheet.append([])
                    left = room
                fitting = max(1, int((left - _APART_MM) // (_LEADING * waiting[0].style.size_mm)))
                part, waiting = waiting[:fitting], waiting[fitting:]
                sheet[-1].append(part)
                left -= _tall(part)
        yield sheet

    def _block(self, problem: Problem) -> Iterator[_Line]:
        """The lines of one finding: severity, code and place; the message; the hint."""
        severity = fixed(problem.severity.word, self._tongue, self.strong.faces)
        yield from self._wrapped(f"{severity} {problem.code}  {problem.place}", self.strong)
        yield from self._wrapped(problem.message, self._plain)
        if problem.hint:
            hint = f"{fixed('hint', self._tongue, self._plain.faces)}: {problem.hint}"
            yield from self._wrapped(hint, self._plain, "text.soft")

    def _wrapped(self, words: str, type_style: TypeStyle, ink: str = "text") -> Iterator[_Line]:
        """Lines that fit; what has no glyph becomes a question mark, and words that are too long are parted."""
        unknown = missing_glyphs(words, type_style.faces)
        clean = "".join("?" if char in unknown else char for char in words)
        for line in wrap(clean, type_style, self._width):
            rest = line
            while len(rest) > 1 and text_width(rest, type_style) > self._width:
                taken = next(count for count in range(len(rest) - 1, 0, -1) if self._fits(rest[:count], type_style))
                yield _Line(words=rest[:taken], style=type_style, ink=ink)
                rest = rest[taken:]
            yield _Line(words=rest, style=type_style, ink=ink)

    def _fits(self, words: str, type_style: TypeStyle) -> bool:
        return len(words) == 1 or text_width(words, type_style) <= self._width

    def columns(self, sheet: _Sheet, *, first: bool) -> Iterator[Item]:
        """The findings of a sheet; the first sheet has a head above them."""
        for number, column in enumerate(sheet):
            x = self.frame.room[0] + number * (self._width + _BETWEEN_MM)
            y = self.frame.room[1] + (_TITLE_MM if first else 0.0)
            for block in column:
                for line in block:
                    y += _LEADING * line.style.size_mm
                    yield from set_line(line.words, line.style, self._theme.ink(line.ink), x, y)
                y += _APART_MM

    def head(self, problems: Sequence[Problem]) -> Iterator[Item]:
        """What the sheets are, and how many errors and warnings there are."""
        x, y = self.frame.room[:2]
        ink, large = self._theme.ink("text"), self.strong.at(_TITLE_PT)
        yield from set_line(fixed("findings draft", self._tongue, large.faces), large, ink, x, y + 4.5)
        counts = (
            sum(problem.severity is severity for problem in problems) for severity in (Severity.ERROR, Severity.WARNING)
        )
        words = fixed("findings totals" if problems else "findings none", self._tongue, self._plain.faces, *counts)
        for number, line in enumerate(wrap(words, self._plain, self.frame.room[2])[:2]):
            yield from set_line(line, self._plain, ink, x, y + 9.0 + 3.4 * number)


def _tall(block: _Block) -> float:
    return math.fsum(_LEADING * line.style.size_mm for line in block) + _APART_MM
