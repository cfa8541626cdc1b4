"""Words in columns on sheets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from platelayer.foundation.languages import Tongue
from platelayer.imposition.paper import Frame, Paper, find_paper, frames
from platelayer.scene.shapes import Item
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import TypeStyle, missing_glyphs, set_line, text_width, wrap

SIZE_PT, TITLE_PT = 7.5, 14.0
LEADING = 1.3
_COLUMN_MM, _BETWEEN_MM, APART_MM = 85.0, 6.0, 2.4
"""The least width of a column, and the room between columns and between blocks."""
HEAD_MM = 14.0
"""Room for a title and two lines below it, on the first sheet."""
_MARGIN_MM = 6.0


class Line(Struct, frozen=True, kw_only=True):
    """One line of a block; `ink` is a name of the theme's."""

    words: str
    style: TypeStyle
    ink: str = "text"


Block = Sequence[Line]
"""Lines that belong together."""
Sheet = list[list[Block]]
"""Columns of blocks."""


def frame_of(paper: Paper, margin_mm: float) -> Frame:
    """The room of a sheet: of this paper, or of A4 where it has no room for words."""
    return (frames(paper, margin_mm) or frames(find_paper("a4"), _MARGIN_MM))[0]


class Listing:
    """Blocks of lines set in columns on sheets of one size."""

    def __init__(self, frame: Frame, theme: Theme, tongue: Tongue) -> None:
        self.frame, self.theme, self.tongue = frame, theme, tongue
        self.strong, self.plain = theme.type("sheet.strong").at(SIZE_PT), theme.type("sheet").at(SIZE_PT)
        room = frame.room[2]
        self._count = max(1, int((room + _BETWEEN_MM) // (_COLUMN_MM + _BETWEEN_MM)))
        self._width = (room - (self._count - 1) * _BETWEEN_MM) / self._count

    def sheets(self, blocks: Iterable[Block]) -> Iterator[Sheet]:
        """Sheets of columns of blocks, in order, at least one; a block taller than a column is parted."""
        sheet: Sheet = [[]]
        room = left = self.frame.room[3] - HEAD_MM
        for block in blocks:
            waiting = [*block]
            while waiting:
                if _tall(waiting) > left and sheet[-1]:
                    if len(sheet) == self._count:
                        yield sheet
                        sheet, room = [], self.frame.room[3]
                    sheet.append([])
                    left = room
                fitting = max(1, int((left - APART_MM) // (LEADING * waiting[0].style.size_mm)))
                part, waiting = waiting[:fitting], waiting[fitting:]
                sheet[-1].append(part)
                left -= _tall(part)
        yield sheet

    def wrapped(self, words: str, type_style: TypeStyle, ink: str = "text") -> Iterator[Line]:
        """Lines that fit; what has no glyph becomes a question mark, and words that are too long are parted."""
        unknown = missing_glyphs(words, type_style.faces)
        clean = "".join("?" if char in unknown else char for char in words)
        for line in wrap(clean, type_style, self._width):
            rest = line
            while len(rest) > 1 and text_width(rest, type_style) > self._width:
                taken = next(count for count in range(len(rest) - 1, 0, -1) if self._fits(rest[:count], type_style))
                yield Line(words=rest[:taken], style=type_style, ink=ink)
                rest = rest[taken:]
            yield Line(words=rest, style=type_style, ink=ink)

    def _fits(self, words: str, type_style: TypeStyle) -> bool:
        return len(words) == 1 or text_width(words, type_style) <= self._width

    def columns(self, sheet: Sheet, *, first: bool) -> Iterator[Item]:
        """The blocks of a sheet; the first sheet has a head above them."""
        for number, column in enumerate(sheet):
            x = self.frame.room[0] + number * (self._width + _BETWEEN_MM)
            y = self.frame.room[1] + (HEAD_MM if first else 0.0)
            for block in column:
                for line in block:
                    y += LEADING * line.style.size_mm
                    yield from set_line(line.words, line.style, self.theme.ink(line.ink), x, y)
                y += APART_MM

    def head(self, title: str, words: str) -> Iterator[Item]:
        """What the sheets are, and at most two lines about it."""
        x, y = self.frame.room[:2]
        ink, large = self.theme.ink("text"), self.strong.at(TITLE_PT)
        yield from set_line(title, large, ink, x, y + 4.5)
        for number, line in enumerate(wrap(words, self.plain, self.frame.room[2])[:2]):
            yield from set_line(line, self.plain, ink, x, y + 9.0 + 3.4 * number)


def _tall(block: Block) -> float:
    return math.fsum(LEADING * line.style.size_mm for line in block) + APART_MM
