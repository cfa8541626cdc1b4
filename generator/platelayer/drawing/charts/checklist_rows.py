"""The rows of a checklist: boxes to tick with counts and words, one row for each company."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from msgspec.structs import replace

from platelayer.drawing.kit.columns import Block
from platelayer.drawing.kit.rich_text import rich_width, set_lines, set_rich, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.pieces import Piece
from platelayer.scene.shapes import Anchor, Item, Path, Stroke, rectangle_path
from platelayer.scene.typeset import set_line

say = FixedWords("cards")

OF_COMPANIES = ("certificate", "token")
"""Kinds of which a company has several pieces: they stand side by side in one row."""
BOX_MM = 2.5
LEADING = 1.2
_PITCH_MM, _NARROW_PITCH_MM = 8.7, 7.4
"""From one box of a row to the next, or to the words: where it is the only one (three figures), and with others."""


def group_words() -> Mapping[str, Text]:
    """Words for the groups of pieces: names of groups, kinds of company, and colours."""
    return {**say.table("group"), **say.table("who"), **say.table("colour")}


def check_box(x: float, y: float, style: Style) -> Path:
    """An empty box to tick, its middle left at (x, y)."""
    edge = Stroke(ink=style.ink("aid.box"), width_mm=0.2)
    return Path(commands=rectangle_path(x + 0.1, y - BOX_MM / 2, BOX_MM, BOX_MM, 0.3), stroke=edge)


def stays(number: int, count: int) -> bool:
    """Whether the row of this number stays with the next: no row of several stands alone in a column."""
    return number < count - 1 and number in (0, count - 2)


def row_block(
    counts: Sequence[tuple[int, int]], words: str, style: Style, width: float, *, columns: int = 1, first: bool
) -> Block:
    """Boxes to tick with their counts, each in the column of that number, then words after this many columns."""
    body, strong = style.type("aid.check"), style.type("aid.check.strong")
    text, cap = style.ink("card.text"), body.cap_height_mm
    pitch = _PITCH_MM if columns == 1 else _NARROW_PITCH_MM
    indent = columns * pitch + 0.2
    lines = wrap_within(words, body, width - indent - 0.4)
    items: list[Item] = []
    for column, count in counts:
        items.append(check_box(0.2 + column * pitch, cap / 2 + 0.3, style))
        items += set_line(str(count), strong, text, (column + 1) * pitch - 1.0, cap + 0.3, anchor=Anchor.END)
    items += set_lines(lines, body, text, indent, cap + 0.3, leading=LEADING)
    height = cap + 0.6 + (len(lines) - 1) * LEADING * body.size_mm
    return Block(items=tuple(items), height=height, above=1.0 if first else 1.25)


def company_blocks(pieces: Sequence[Piece], style: Style, width: float) -> Iterator[Block]:
    """What the boxes of a row stand for, from the left, with totals; then one row a company: a box and a count in
    each column, the name, and what the heads leave open.
    """
    heads = _heads(pieces, style)
    places = {column: number for number, column in enumerate(heads)}
    if len(heads) > 1:
        yield _heads_block(heads, pieces, style, width)
    rows = [row for _, of_one in groupby(pieces, key=lambda piece: piece.name) for row in _rows(tuple(of_one))]
    for number, row in enumerate(rows):
        counts = tuple((places[_column(piece)], piece.count) for piece in row)
        words = style.words(row[0].name)
        for piece in row:
            if _grade(piece, style) != heads[_column(piece)]:
                words = style.words(say("which"), words, _grade(piece, style))
        block = row_block(counts, words, style, width, columns=len(heads), first=number == 0)
        yield replace(block, keep=stays(number, len(rows)))


def _rows(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """The pieces of a company in as few rows as there are pieces in one column."""
    columns: dict[str, list[Piece]] = {}
    for piece in pieces:
        columns.setdefault(_column(piece), []).append(piece)
    for row in zip_longest(*columns.values()):
        yield tuple(piece for piece in row if piece is not None)


def _heads_block(heads: dict[str, str], pieces: Sequence[Piece], style: Style, width: float) -> Block:
    """A small box, a word and a total for each column."""
    body, soft = style.type("aid.check"), style.ink("card.soft")
    x, y = 0.2, body.cap_height_mm
    items: list[Item] = []
    for column, head in heads.items():
        words = f"{head} {sum(piece.count for piece in pieces if _column(piece) == column)}"
        step = BOX_MM + 0.8 + rich_width(words, body)
        if x + step > width and x > 0.3:
            x, y = 0.2, y + 1.4 * body.size_mm
        items += (check_box(x, y - body.cap_height_mm / 2, style), *set_rich(words, body, soft, x + BOX_MM + 0.8, y))
        x += step + 3.0
    return Block(items=tuple(items), height=y + 0.5, above=1.2, keep=True)


def _heads(pieces: Sequence[Piece], style: Style) -> dict[str, str]:
    """For each column what its head says: the grade where it is the same in all rows, else the group."""
    grades: dict[str, dict[str, str]] = {}
    for piece in pieces:
        grades.setdefault(_column(piece), {})[_grade(piece, style)] = style.named(piece.group, group_words())
    return {column: next(iter(own if len(own) == 1 else own.values())) for column, own in grades.items()}


def _column(piece: Piece) -> str:
    """The column a piece stands in: its group, but certificates held back have one of their own."""
    return f"{piece.group}/reserved" if _percent(piece).endswith("r") else piece.group


def _percent(piece: Piece) -> str:
    """The percentage in a certificate's id, with an `r` if it is held back, or "" """
    suffix = piece.id.rpartition("-")[2] if piece.kind == "certificate" else ""
    return suffix if suffix.removesuffix("r").isdecimal() else ""


def _grade(piece: Piece, style: Style) -> str:
    """Which of its company's pieces this is, in words."""
    percent = _percent(piece)
    if not percent:
        return style.named(piece.group, group_words())
    words = say("held_back") if percent.endswith("r") else say("share")
    return style.words(words, percent.removesuffix("r"))
