"""Sheets of text in columns, followed by pictures: the problems of a draft, the contents of a
box."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.values import Frozen
from platelayer.imposition.paper import (
    Document,
    Foot,
    FootPainter,
    Frame,
    Page,
    Paper,
    find_paper,
    fixed,
    frames,
)
from platelayer.scene.shapes import Group, Item, Items, Scene, Use
from platelayer.scene.typeset import Theme, TypeStyle, missing_glyphs, set_line, text_width, wrap

_SIZE_PT, TITLE_PT = 7.5, 14.0
_LEADING = 1.3
# Minimum width of a column, and the distances between columns and between entries.
_COLUMN_MM, _BETWEEN_MM, _APART_MM = 85.0, 6.0, 2.4
_TITLE_MM = 14.0
_MARGIN_MM = 6.0


class Entry(Frozen):
    """A line in strong type, lines below it, and one in softer ink (each may be "")."""

    head: str
    words: str
    aside: str = ""


class Listing(Frozen, kw_only=True):
    """Contents of a document: its stem, which is the key of its name among the fixed words of
    sheets; a heading with a line or two below it; entries; and pictures, which have a sheet
    each."""

    stem: str
    heading: str
    intro: str
    entries: Sequence[Entry]
    pictures: Sequence[Scene] = ()


def listing_document(
    title_name: str,
    listing: Listing,
    *,
    paper: Paper,
    margin_mm: float,
    theme: Theme,
    tongue: Tongue,
) -> Document:
    """Return a listing on as many sheets as it needs, on this paper or, if that has no room for
    words, on A4."""
    ways = frames_of(paper, margin_mm)
    setter = Setter(ways[0], theme, tongue)
    heading = fixed(listing.heading, tongue, setter.strong.at(TITLE_PT).faces)
    contents = [
        (ways[0], tuple(sheet))
        for sheet in setter.sheets(map(setter.block, listing.entries), heading, listing.intro)
    ]
    for picture in listing.pictures:
        frame = max(ways, key=lambda way: _scale(picture, way))
        # Centre the picture on the sheet, and reduce it if necessary.
        scale, (left, top, width, height) = _scale(picture, frame), frame.room
        x = left + (width - scale * picture.width_mm) / 2
        y = top + (height - scale * picture.height_mm) / 2
        shown = Group((Use(picture),), matrix=(scale, 0.0, 0.0, scale, x, y))
        contents.append((frame, (shown,)))
    return document_of(listing.stem, title_name, contents, theme, tongue)


def document_of(
    stem: str,
    title_name: str,
    contents: Sequence[tuple[Frame, Items]],
    theme: Theme,
    tongue: Tongue,
) -> Document:
    """Return sheets with their feet. `stem` is the key of the document's name among the fixed words
    of sheets."""
    name = fixed(stem, tongue, theme.type("sheet.strong").faces)
    feet = FootPainter(theme, tongue)
    pages = []
    for number, (frame, items) in enumerate(contents, start=1):
        foot = Foot(title_name, name, number=number, of=len(contents), content=())
        scene = Scene(
            f"sheet:{stem}:{number}",
            frame.width_mm,
            frame.height_mm,
            (*items, *feet.draw(foot, frame.foot)),
            label=f"{title_name}: {name}, {number} / {len(contents)}",
        )
        pages.append(Page(scene, frame.room, frame.room))
    return Document(stem=stem, title=f"{title_name}: {name}", subject=name, pages=tuple(pages))


def frames_of(paper: Paper, margin_mm: float) -> Sequence[Frame]:
    """Return the room of a sheet, upright and rotated, on this paper or, if that has no room for
    words, on A4."""
    return frames(paper, margin_mm) or frames(find_paper("a4"), _MARGIN_MM)


def _scale(picture: Scene, frame: Frame) -> float:
    return min(frame.room[2] / picture.width_mm, frame.room[3] / picture.height_mm, 1.0)


class Line(Frozen, kw_only=True):
    """One line of an entry; `ink` is a name of the theme's."""

    words: str
    style: TypeStyle
    ink: str = "text"


# Lines that must stay together.
_Block = Sequence[Line]
# The columns of a sheet, each with its blocks.
_Sheet = list[list[_Block]]


class Setter:
    """Blocks of lines set in columns on sheets of one size."""

    def __init__(self, frame: Frame, theme: Theme, tongue: Tongue) -> None:
        self.frame, self.theme, self.tongue = frame, theme, tongue
        self.strong, self.plain = (
            theme.type("sheet.strong").at(_SIZE_PT),
            theme.type("sheet").at(_SIZE_PT),
        )
        room = frame.room[2]
        self._count = max(1, int((room + _BETWEEN_MM) // (_COLUMN_MM + _BETWEEN_MM)))
        self._width = (room - (self._count - 1) * _BETWEEN_MM) / self._count

    def sheets(
        self, blocks: Iterable[Iterable[Line]], heading: str, intro: str
    ) -> Iterator[Iterator[Item]]:
        """Yield sheets of blocks in columns, in order, at least one, the first with a heading above
        them."""
        for number, sheet in enumerate(self._columns(blocks)):
            yield self._set(sheet, heading if number == 0 else "", intro)

    def _columns(self, blocks: Iterable[Iterable[Line]]) -> Iterator[_Sheet]:
        """Yield sheets of columns. A block taller than a column is split."""
        sheet: _Sheet = [[]]
        room = left = self.frame.room[3] - _TITLE_MM
        for block in blocks:
            waiting = [*block]
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

    def block(self, entry: Entry) -> Iterator[Line]:
        """Yield the lines of an entry."""
        if entry.head:
            yield from self.wrapped(entry.head, self.strong)
        for words in entry.words.splitlines():
            yield from self.wrapped(words, self.plain)
        if entry.aside:
            yield from self.wrapped(entry.aside, self.plain, "text.soft")

    def wrapped(self, words: str, type_style: TypeStyle, ink: str = "text") -> Iterator[Line]:
        """Yield lines that fit. A character without a glyph becomes a question mark, and words that
        are too long are split."""
        unknown = missing_glyphs(words, type_style.faces)
        clean = "".join("?" if char in unknown else char for char in words)
        for line in wrap(clean, type_style, self._width):
            rest = line
            while len(rest) > 1 and text_width(rest, type_style) > self._width:
                count = len(rest) - 1
                while count > 1 and text_width(rest[:count], type_style) > self._width:
                    count -= 1
                yield Line(words=rest[:count], style=type_style, ink=ink)
                rest = rest[count:]
            yield Line(words=rest, style=type_style, ink=ink)

    def _set(self, sheet: _Sheet, heading: str, intro: str) -> Iterator[Item]:
        left, top = self.frame.room[:2]
        for number, column in enumerate(sheet):
            x = left + number * (self._width + _BETWEEN_MM)
            y = top + (_TITLE_MM if heading else 0.0)
            for block in column:
                for line in block:
                    y += _LEADING * line.style.size_mm
                    yield from set_line(line.words, line.style, self.theme.ink(line.ink), x, y)
                y += _APART_MM
        if heading:
            ink, large = self.theme.ink("text"), self.strong.at(TITLE_PT)
            yield from set_line(heading, large, ink, left, top + 4.5)
            for number, words in enumerate(wrap(intro, self.plain, self.frame.room[2])[:2]):
                yield from set_line(words, self.plain, ink, left, top + 9.0 + 3.4 * number)


def _tall(block: _Block) -> float:
    return math.fsum(_LEADING * line.style.size_mm for line in block) + _APART_MM


# File name of the sheets of a draft that list its problems.


STEM = "findings"


def findings_listing(problems: Iterable[Problem], theme: Theme, tongue: Tongue) -> Listing:
    """Return all problems as a listing, the most serious first."""
    faces, strong = theme.type("sheet").faces, theme.type("sheet.strong").faces

    def order(problem: Problem) -> tuple[object, ...]:
        return -problem.severity, problem.file, problem.line, problem.column, problem.code

    ordered = sorted(problems, key=order)
    entries = []
    for problem in ordered:
        head = f"{fixed(problem.severity.word, tongue, strong)} {problem.code}  {problem.place}"
        hint = f"{fixed('hint', tongue, faces)}: {problem.hint}" if problem.hint else ""
        entries.append(Entry(head, problem.message, hint))
    counts = Counter(problem.severity for problem in ordered)
    totals = (counts[Severity.ERROR], counts[Severity.WARNING])
    return Listing(
        stem=STEM,
        heading="findings draft",
        intro=fixed("findings totals" if ordered else "findings none", tongue, faces, *totals),
        entries=entries,
    )
