"""The foot of a page: ruler, notice, title, sheet number and content."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.text import Text
from platelayer.imposition.page import Box
from platelayer.scene.shapes import (
    Anchor,
    Command,
    Item,
    Path,
    Role,
    Scene,
    TextRun,
    Use,
    rectangle_path,
    translation,
)
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import TypeStyle, fit, missing_glyphs, set_line, text_width

# Fixed words on sheets.


WORDS = FixedWords("sheets").all()


def printable(text: Text, tongue: Tongue, faces: Sequence[str], *parts: object) -> str:
    """A text in a language, its places filled; in English if the faces lack a glyph for it, because
    sheets must be legible everywhere."""
    words = tongue.say(text, *parts)
    return Tongue("en", tongue.terms).say(text, *parts) if missing_glyphs(words, faces) else words


def fixed(key: str, tongue: Tongue, faces: Sequence[str], *parts: object) -> str:
    """Fixed words with their places filled; an unknown key (a title's own group) stands for
    itself."""
    text = WORDS.get(key)
    return printable(text, tongue, faces, *parts) if text else key


def amount(what: str, count: int, tongue: Tongue) -> str:
    """A number of pieces or sheets in words, for the metadata of a file."""
    return tongue.say(WORDS[f"1 {what}" if count == 1 else f"n {what}"], count)


RULER_MM = 50
# A foot holds the whole ruler; narrower paper is too narrow to print on.
MIN_WIDTH_MM = RULER_MM + 2.0
# From this width on, words are beside the ruler; below it, they are under the ruler.
_WIDE_MM = 130.0
_WIDE_HEIGHT_MM, _NARROW_HEIGHT_MM = 8.0, 16.5
_TICKS_MM = {10: 2.2, 5: 1.6, 1: 1.0}
_SPACE_MM = 3.0
_PLAN_MM = 3.1
_ELLIPSIS = "…"


class Part(Struct, frozen=True, kw_only=True):
    """The part of something larger than the paper that a sheet shows: its row and column, and the
    number of parts in each row from the top or, if the whole is cut `down` first, in each column
    from the left."""

    row: int
    column: int
    bands: tuple[int, ...]
    down: bool = False

    @property
    def name(self) -> str:
        """Letter of the row, number of the column: "A1" is upper left."""
        return part_name(self.row, self.column)

    @property
    def of(self) -> int:
        """Number of parts."""
        return sum(self.bands)

    @property
    def rows(self) -> int:
        """Number of parts in its column."""
        return self.bands[self.column] if self.down else len(self.bands)

    @property
    def columns(self) -> int:
        """Number of parts in its row."""
        return len(self.bands) if self.down else self.bands[self.row]

    @property
    def most(self) -> tuple[int, int]:
        """The most columns and rows of the whole."""
        most, count = max(self.bands), len(self.bands)
        return (count, most) if self.down else (most, count)


def part_name(row: int, column: int) -> str:
    """The name of a part by its row and column (from 0)."""
    letters = ""
    row += 1
    while row:
        row, digit = divmod(row - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{column + 1}"


class Foot(Struct, frozen=True, kw_only=True):
    """Contents of the foot of one sheet: title, name of the document, number of the sheet `of` all
    (and its part, or that this is its back), and the pieces on it, as a list that may be cut
    short."""

    title: str
    document: str
    number: int
    of: int
    content: Sequence[str]
    part: Part | None = None
    back: bool = False


def foot_height_mm(width_mm: float) -> float | None:
    """Height of a foot of that width, including the space above it; None if the ruler does not
    fit."""
    if width_mm < MIN_WIDTH_MM:
        return None
    return _WIDE_HEIGHT_MM if width_mm >= _WIDE_MM else _NARROW_HEIGHT_MM


class FootPainter:
    """Draws feet. Ruler and notice are the same on all: one scene for each width, placed often."""

    def __init__(self, theme: Theme, tongue: Tongue) -> None:
        self._theme, self._tongue = theme, tongue
        self._strong, self._plain = theme.type("sheet.strong"), theme.type("sheet")
        self._notice = fixed("scale", tongue, self._plain.faces)
        self._notice_mm = text_width(self._notice, self._plain)
        self._scales: dict[float, Scene] = {}

    def draw(self, foot: Foot, box: Box) -> tuple[Item, ...]:
        """The foot in its box (mm on the page)."""
        x, y, width, height = box
        wide = width >= _WIDE_MM
        left = x + MIN_WIDTH_MM + 5 if wide else x
        right, bottom = x + width, y + height
        upper, lower = (bottom - 3.3, bottom - 0.55) if wide else (bottom - 6.1, bottom - 3.3)
        items: list[Item] = [Use(scene=self._scale(width, height), matrix=translation(x, y))]
        end = right
        if foot.part is not None:
            items += self._joining_plan(foot.part, right, upper)
            end -= _plan_size(foot.part)[0] + 2
        ink, faces = self._theme.ink("text"), self._strong.faces
        words, parts = "sheet back" if foot.back else "sheet", (foot.number, foot.of)
        if foot.part is None:
            position = fixed(words, self._tongue, faces, *parts)
        else:
            position = fixed("part", self._tongue, faces, foot.part.name, *parts)
        number = set_line(position, self._strong, ink, end, upper, anchor=Anchor.END)
        items += number
        items += self._headline(foot, left, upper, number[0].x - _SPACE_MM - left)
        free = right - left - (self._notice_mm + _SPACE_MM if wide else 0.0)
        content = abbreviated(foot.content, self._plain, free)
        items += set_line(content, self._plain, self._theme.ink("text.soft"), left, lower)
        return tuple(items)

    def _headline(
        self, foot: Foot, x: float, baseline: float, width_mm: float
    ) -> tuple[TextRun, ...]:
        """Title in strong type, then the name of the document if there is room for it."""
        ink, plain = self._theme.ink("text"), self._plain.at(self._strong.size_pt)
        title, style = _shortened(foot.title, self._strong, width_mm)
        runs = set_line(title, style, ink, x, baseline)
        after = text_width(title, style) + 2.2
        if after + text_width(foot.document, plain) <= width_mm:
            runs += set_line(foot.document, plain, ink, x + after, baseline)
        return runs

    def _scale(self, width: float, height: float) -> Scene:
        """Ruler and notice for feet of one width."""
        if width not in self._scales:
            ink = self._theme.ink("text.soft")
            wide = width >= _WIDE_MM
            x, anchor = (width, Anchor.END) if wide else (0.0, Anchor.START)
            notice = set_line(self._notice, self._plain, ink, x, height - 0.55, anchor=anchor)
            items = (*self._ruler(1.0, height - 1.9 if wide else 4.6), *notice)
            key = f"sheet:scale:{width:.3f}"
            self._scales[width] = Scene(key=key, width_mm=width, height_mm=height, items=items)
        return self._scales[width]

    def _ruler(self, x: float, y: float) -> tuple[Item, ...]:
        """A ruler of 50 mm on the line y, ticks upward, numbers below."""
        commands: list[Command] = [("M", x, y), ("L", x + RULER_MM, y)]
        for mm in range(RULER_MM + 1):
            tall = next(length for step, length in _TICKS_MM.items() if mm % step == 0)
            commands += (("M", x + mm, y), ("L", x + mm, y - tall))
        style, ink = self._theme.type("sheet.ruler"), self._theme.ink("text.soft")
        items: list[Item] = [self._lines(commands)]
        below = y + 0.5 + style.cap_height_mm
        for mm in range(0, RULER_MM, 10):
            items += set_line(str(mm), style, ink, x + mm, below, anchor=Anchor.MIDDLE)
        items += set_line(f"{RULER_MM} mm", style, ink, x + RULER_MM + 1, below, anchor=Anchor.END)
        return tuple(items)

    def _joining_plan(self, part: Part, right: float, baseline: float) -> tuple[Item, ...]:
        """A small plan of all parts with this one filled, ending at `right`."""
        width, height = _plan_size(part)
        x, y = right - width, baseline - 2.6
        lines: list[Command] = [*rectangle_path(x, y, width, height)]
        for band, count in enumerate(part.bands):
            if part.down:
                wide, tall = width / len(part.bands), height / count
                left = x + band * wide
                for at in (y + number * tall for number in range(1, count)):
                    lines += (("M", left, at), ("L", left + wide, at))
                if band:
                    lines += (("M", left, y), ("L", left, y + height))
            else:
                wide, tall = width / count, height / len(part.bands)
                top = y + band * tall
                for at in (x + number * wide for number in range(1, count)):
                    lines += (("M", at, top), ("L", at, top + tall))
                if band:
                    lines += (("M", x, top), ("L", right, top))
        wide, tall = width / part.columns, height / part.rows
        here = rectangle_path(x + part.column * wide, y + part.row * tall, wide, tall)
        filled = Path(commands=here, fill=self._theme.ink("text.soft"), role=Role.MARK)
        return filled, self._lines(lines)

    def _lines(self, commands: Sequence[Command]) -> Path:
        return Path(
            commands=tuple(commands), stroke=self._theme.stroke("sheet.ruler"), role=Role.MARK
        )


def abbreviated(parts: Sequence[str], type_style: TypeStyle, width_mm: float) -> str:
    """As many parts of a list as fit on a line, with an ellipsis for the rest."""

    def line(count: int) -> str:
        return ", ".join(parts) if count == len(parts) else ", ".join((*parts[:count], _ELLIPSIS))

    if text_width(line(len(parts)), type_style) <= width_mm:
        return line(len(parts))
    counts = range(1, len(parts))
    return line(
        bisect_right(counts, width_mm, key=lambda count: text_width(line(count), type_style))
    )


def _shortened(words: str, type_style: TypeStyle, width_mm: float) -> tuple[str, TypeStyle]:
    """Words and a style that fit a width: smaller type first, then fewer letters."""
    if text_width(words, type_style) <= width_mm:
        return words, type_style
    least = type_style.at(type_style.min_pt)
    if text_width(words, least) <= width_mm:
        return words, fit(words, type_style, width_mm)

    def width(count: int) -> float:
        return text_width(words[:count] + _ELLIPSIS, least)

    fits = bisect_right(range(1, len(words)), width_mm, key=width)
    return words[:fits].rstrip() + _ELLIPSIS, least


def _plan_size(part: Part) -> tuple[float, float]:
    """Width and height of the joining plan, which is never wider than 30 mm."""
    columns, rows = part.most
    return min(_PLAN_MM / rows * 1.3 * columns, 30.0), _PLAN_MM
