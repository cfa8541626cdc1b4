"""The rows below the engine on a face of a train card: words, chips and a note."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.parts import chip_items, chip_width, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_even
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import smaller
from platelayer.drawing.train.facts import colour_of_name, paying, rusted_by, skipped
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.model.train import Train, TrainFace
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Item
from platelayer.scene.typeset import TypeStyle, rise_mm, set_line, text_width

say = FixedWords("cards")

_NOTE_LINES = 4
_BETWEEN_MM = 2.6
_CHIP_EMS = 1.16
_TAIL_GAP_MM = 0.9


class RowTypes(Struct, frozen=True, kw_only=True):
    """Type of the rows."""

    label: TypeStyle
    chip: TypeStyle
    note: TypeStyle


class _Fact(Struct, frozen=True, kw_only=True):
    """Words, chips and a tail that stay on one line."""

    label: str
    chips: tuple[tuple[str, Ink], ...] = ()
    tail: str = ""

    def width(self, types: RowTypes) -> float:
        """Width in mm."""
        wide = text_width(self.label, types.label) + (0.5 if self.chips else 0.0)
        wide += math.fsum(chip_width(name, types.chip) + 0.6 for name, _ in self.chips)
        return wide + (text_width(self.tail, types.chip) + _TAIL_GAP_MM if self.tail else 0.0)


def _facts(title: Title, train: Train, face: TrainFace, style: Style) -> tuple[_Fact, ...]:
    def chips(names: Sequence[str]) -> tuple[tuple[str, Ink], ...]:
        return tuple((name, tile_ink(colour_of_name(title, name), style)) for name in names)

    found = [
        _Fact(label=style.words(words), chips=chips(names))
        for words, names in (
            (say("rusted_by"), face.rusts_on),
            (say("obsolete_by"), face.obsolete_on),
        )
        if names
    ] or [_Fact(label=style.words(say("permanent")))]
    gone = rusted_by(title, train, face)
    if gone:
        found.append(_Fact(label=style.words(say("rusts")), chips=chips(gone)))
    found += [
        _Fact(label=style.words(say("trade_in")), chips=chips((trade.train,)), tail=title.money(trade.price))
        for trade in face.trade_ins
    ]
    for stops, count in paying(face, style):
        told = style.words(say("pays_up_to") if count else say("pays_none")).format(stops, count)
        found.append(_Fact(label=style.words(say("pays")), tail=told))
    found += [_Fact(label=style.words(say("skips")).format(stops)) for stops in skipped(face, style)]
    return tuple(found)


def row_items(
    title: Title, train: Train, face: TrainFace, style: Style, *, width: float, types: RowTypes
) -> tuple[tuple[Item, ...], float]:
    """The facts in rows and the note below them, from (0, 0) down; and how high all that is in mm."""
    facts = _facts(title, train, face, style)
    while types.chip.size_pt > types.chip.min_pt and max(fact.width(types) for fact in facts) > width:
        types = replace(types, label=_smaller(types.label), chip=_smaller(types.chip))
    tall = types.chip.size_mm * _CHIP_EMS
    items: list[Item] = []
    y = 0.0
    for row in _rows(facts, types, width):
        items += _row(row, types, style, width=width, y=y + tall / 2)
        y += tall + 0.7
    y -= 0.7
    if face.note is not None:
        lines, kind = _note(style.words(face.note), types.note, width)
        y += 0.9
        tall = max(rise_mm(line, kind) for line in lines)
        items += set_lines(lines, kind, style.ink("card.text"), 0.0, y + tall, leading=1.2)
        y += tall + ((len(lines) - 1) * 1.2 + 0.25) * kind.size_mm
    return tuple(items), y


def _smaller(kind: TypeStyle) -> TypeStyle:
    return kind.at(max(kind.min_pt, smaller(kind.size_pt, 0.25)))


def _rows(facts: Sequence[_Fact], types: RowTypes, width: float) -> list[list[_Fact]]:
    """Facts in order, in as few lines as possible."""
    rows: list[list[_Fact]] = []
    room = 0.0
    for fact in facts:
        wide = fact.width(types)
        if rows and wide <= room:
            rows[-1].append(fact)
        else:
            rows.append([fact])
            room = width
        room -= wide + _BETWEEN_MM
    return rows


def _row(row: Sequence[_Fact], types: RowTypes, style: Style, *, width: float, y: float) -> tuple[Item, ...]:
    """Facts of one line, the last one flush right when there are several; y is the middle of the line."""
    text, soft = style.ink("card.text"), style.ink("card.soft")
    items: list[Item] = []
    at = 0.0
    for number, fact in enumerate(row):
        if number and number == len(row) - 1:
            at = width - fact.width(types)
        ink = soft if fact.chips or fact.tail else text
        items += set_line(fact.label, types.label, ink, at, y + types.label.cap_height_mm / 2)
        at += text_width(fact.label, types.label) + (0.5 if fact.chips else 0.0)
        for name, colour in fact.chips:
            at += 0.6
            items += chip_items(name, colour, types.chip, at, y)
            at += chip_width(name, types.chip)
        if fact.tail:
            items += set_line(fact.tail, types.chip, text, at + _TAIL_GAP_MM, y + types.chip.cap_height_mm / 2)
            at += _TAIL_GAP_MM + text_width(fact.tail, types.chip)
        at += _BETWEEN_MM
    return tuple(items)


def _note(words: str, kind: TypeStyle, width: float) -> tuple[tuple[str, ...], TypeStyle]:
    """A note in few lines, or in the smallest type."""
    while kind.size_pt > kind.min_pt:
        lines = wrap_even(words, kind, width)
        if len(lines) <= _NOTE_LINES:
            return lines, kind
        kind = kind.at(max(kind.min_pt, smaller(kind.size_pt, 0.2)))
    return wrap_even(words, kind, width), kind
