"""A title and its manifest in, the pages of its checklist out: every piece to tick off, tiles in small, sources."""

from __future__ import annotations

from dataclasses import dataclass

from platelayer.drawing import card_words as say
from platelayer.drawing.card_parts import rule
from platelayer.drawing.checklist_blocks import (
    Ledger,
    kind_blocks,
    provenance_blocks,
    tile_blocks,
)
from platelayer.drawing.flow import column_items, columns_height, take_columns
from platelayer.drawing.style import Style
from platelayer.model.manifest import Manifest
from platelayer.model.title import Title
from platelayer.scene.shapes import Anchor, Group, Item, Scene, translation
from platelayer.scene.typeset import fit, rise_mm, set_line, text_width

_COLUMNS = 3
_COLUMN_GAP_MM = 6.0
_HEAD_MM = 15.0
_SECTION_GAP_MM = 6.0
_LEAST_REST_MM = 30.0
_FOOT_MM = 0.8
"""Below the last line: boxes to tick and the tails of letters reach below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """What stands below the head of a page."""

    items: tuple[Item, ...]


def draw_checklists(
    title: Title, manifest: Manifest, style: Style, width_mm: float, height_mm: float
) -> tuple[Scene, ...]:
    """The checklist on pages of this size (mm), as many as it takes; keys are `checklist:1`, `checklist:2` ...

    Tiles come first with small drawings, then every other kind, then where the definition's blocks come from.
    """
    column_mm = (width_mm - (_COLUMNS - 1) * _COLUMN_GAP_MM) / _COLUMNS
    ledger = Ledger(title=title, manifest=manifest, style=style, width=column_mm, page=width_mm)
    tiles = list(tile_blocks(ledger))
    lists = [*kind_blocks(ledger), *provenance_blocks(ledger)]
    room = height_mm - _HEAD_MM - _FOOT_MM
    pages: list[_Page] = []
    while tiles or lists:
        items: list[Item] = []
        left, y = room, _HEAD_MM
        if tiles:
            columns, used = take_columns(tiles, 1, room)
            items.append(Group(items=column_items(columns, width_mm, 0.0), matrix=translation(0.0, y)))
            tall = columns_height(columns) + _SECTION_GAP_MM
            tiles, left, y = tiles[used:], left - tall, y + tall
        if lists and not tiles and left >= _LEAST_REST_MM:
            columns, used = take_columns(lists, _COLUMNS, left)
            drawn = column_items(columns, column_mm, _COLUMN_GAP_MM)
            items.append(Group(items=drawn, matrix=translation(0.0, y)))
            lists = lists[used:]
        pages.append(_Page(items=tuple(items)))
    return tuple(
        _scene(title, style, (width_mm, height_mm), page, (number, len(pages))) for number, page in enumerate(pages, 1)
    )


def _scene(title: Title, style: Style, size_mm: tuple[float, float], page: _Page, number: tuple[int, int]) -> Scene:
    width, height = size_mm
    words = style.words(say.CHECKLIST)
    ink, text = style.ink("card.accent"), style.ink("card.text")
    count = style.words(say.PAGE).format(*number) if number[1] > 1 else ""
    small = style.type("aid.check")
    big = fit(f"{style.words(title.name)}  {words}", style.type("card.banner"), width - text_width(count, small) - 6.0)
    base = 1.0 + rise_mm(f"{style.words(title.name)}  {words}", big)
    items: list[Item] = [
        *set_line(f"{style.words(title.name)}  {words}", big, ink, 0.6, base),
        *set_line(count, small, text, width - 0.6, base, anchor=Anchor.END),
        rule(0.3, base + 3.2, width - 0.3, ink, 0.5),
        rule(0.3, base + 4.0, width - 0.3, style.ink("card.gold"), 0.2),
        *page.items,
    ]
    return Scene(
        key=f"checklist:{number[0]}",
        width_mm=width,
        height_mm=height,
        items=tuple(items),
        safe_mm=0.2,
        label=f"{words} {number[0]}",
    )
