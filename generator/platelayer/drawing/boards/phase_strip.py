"""The strip of phases on a bank board: a column for each phase, and trains with their prices where they have no
places."""

from __future__ import annotations

import math
from contextlib import suppress

from msgspec.structs import replace

from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Cell, Chips, Column, DoesNotFit, Drawn, Table, Words, draw_table
from platelayer.drawing.train.phase_tables import (
    CardTypes,
    begins,
    limited_name,
    limits_of,
    tiles_cell,
    train_tables,
    value_cell,
    whole_side,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import Anchor, Group, translation

say = FixedWords("cards")

_SCALES = (1.8, 1.6, 1.4, 1.25, 1.15, 1.05, 1.0)
_PAD_MM, _GAP_MM, _BETWEEN_MM = 0.8, 1.4, 3.0
_NONE = "–"


def phase_strip(title: Title, style: Style, width_mm: float, *, trains: bool, wraps: bool = False) -> Drawn:
    """The strip in the largest type that fits the width; with `trains` their prices, counts and rusting below. Long
    cells take several lines if it `wraps`. Raises DoesNotFit."""
    *larger, least = _SCALES
    for scale in larger:
        with suppress(DoesNotFit):
            return _stacked(title, style, _types(style, scale), width_mm, trains=trains, wraps=wraps)
    return _stacked(title, style, _types(style, least), width_mm, trains=trains, wraps=wraps)


def _types(style: Style, scale: float) -> CardTypes:
    """Type that can be read on a board, from 7 pt."""
    types = CardTypes.of(style, scale)
    return replace(types, head=types.head.at(max(types.head.size_pt, MIN_PLAY_PT)))


def _stacked(title: Title, style: Style, types: CardTypes, width_mm: float, *, trains: bool, wraps: bool) -> Drawn:
    tables = [_table(title, style, types)]
    tables += train_tables(title, whole_side(title), style, types, _PAD_MM * types.scale / 2) if trains else ()
    drawn = [draw_table(replace(table, wraps=table.wraps or wraps), width_mm) for table in tables]
    items, y = [], 0.0
    for each in drawn:
        items.append(Group(items=each.items, matrix=translation(0.0, y)))
        y += each.height + _BETWEEN_MM
    return Drawn(items=tuple(items), height=math.fsum(each.height for each in drawn) + _BETWEEN_MM * (len(drawn) - 1))


def _table(title: Title, style: Style, types: CardTypes) -> Table:
    """Rows of what phases change; rows that say nothing are left out."""
    text, soft = style.ink("card.text"), style.ink("card.soft")
    phases = title.phases

    def label(words: str) -> Words:
        return Words(text=words, kind=types.head, ink=soft)

    def figure(value: int | None) -> Words:
        return Words(text=_NONE if value is None else str(value), kind=types.figure, ink=text)

    rows: list[tuple[Cell, ...]] = [
        (
            label(style.words(say("phase"))),
            *(
                Chips(names=((each.id, tile_ink(each.tiles[-1] if each.tiles else "white", style)),), kind=types.chip)
                for each in phases
            ),
        ),
        (
            label(style.words(say("begins_with"))),
            *(Words(text=begins(title, each, style), kind=types.body, ink=text) for each in phases),
        ),
        (label(style.words(say("tiles"))), *(tiles_cell(each, style, types) for each in phases)),
    ]
    bound = limits_of(phases)
    if len(bound) > 1:
        rows.append((label(style.words(say("train_limit"))), *([None] * len(phases))))
    for who in bound:
        named = limited_name(title, who, style) if len(bound) > 1 else style.words(say("train_limit"))
        limits = ({limit.who: limit.limit for limit in each.train_limits}.get(who) for each in phases)
        rows.append((label(named), *map(figure, limits)))
    if any(each.operating_rounds for each in phases):
        rows.append((label(style.words(say("operating_rounds"))), *(figure(each.operating_rounds) for each in phases)))
    if any(each.revenue is not None for each in phases):
        rows.append((label(style.words(say("off_board"))), *(value_cell(each, style, types) for each in phases)))
    return Table(
        columns=(Column(), *([Column(align=Anchor.MIDDLE)] * len(phases))),
        rows=tuple(rows),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        pad=_PAD_MM * types.scale,
        gap=_GAP_MM,
        even=True,
    )
