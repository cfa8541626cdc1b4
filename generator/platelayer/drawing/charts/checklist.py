"""The checklist: every piece to tick off, with small drawings of tiles, and the sources."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.charts.checklist_blocks import (
    Ledger,
    kind_blocks,
    provenance_blocks,
    provenance_heading,
    tile_blocks,
)
from platelayer.drawing.kit.columns import Block, column_items, columns_height, take_columns
from platelayer.drawing.kit.lettering import ink_height, one_line
from platelayer.drawing.kit.parts import rule
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.manifest import Manifest
from platelayer.model.title import Title
from platelayer.model.upgrade import UpgradeGraph
from platelayer.scene.shapes import Anchor, Group, Item, Scene, translation
from platelayer.scene.typeset import fit, rise_mm, set_line, text_width

say = FixedWords("cards")

_COLUMNS = 3
_COLUMN_GAP_MM = 6.0
_HEAD_MM = 15.0
_SECTION_GAP_MM = 6.0
_LEAST_REST_MM = 30.0
_BELOW_HEADING_MM = 1.8
_FINE_PRINT = (0.92, 0.84)
_FOOT_MM = 0.8
"""Below the last line: boxes to tick and the tails of letters reach below it."""


class _Part(Struct, frozen=True, kw_only=True):
    """Blocks in columns of a width in mm, below a heading across the page; `apart` if they begin a page."""

    blocks: tuple[Block, ...]
    columns: int
    width: float
    heading: Block | None = None
    apart: bool = False


class _Page(Struct, frozen=True, kw_only=True):
    """What stands below the head of a page, and how far down it reaches in mm."""

    items: tuple[Item, ...] = ()
    height: float = 0.0

    def with_items(self, items: tuple[Item, ...], y: float, height: float) -> _Page:
        """The page with more items, of this height, from y on."""
        placed = Group(items=items, matrix=translation(0.0, _HEAD_MM + y))
        return _Page(items=(*self.items, placed), height=y + height)


def _paginate(parts: Sequence[_Part], room: float) -> tuple[_Page, ...]:
    """The parts below each other on pages with this much room (mm); columns are balanced where a page or a part
    ends."""
    pages = [_Page()]
    for part in parts:
        if part.apart and pages[-1].items:
            pages.append(_Page())
        _add_part(pages, part, room)
    return tuple(pages)


def _add_part(pages: list[_Page], part: _Part, room: float) -> None:
    """The blocks of a part on the last of the pages, and on as many more as they need."""
    rest, heading = part.blocks, part.heading
    while rest:
        y = pages[-1].height + (_SECTION_GAP_MM if pages[-1].items else 0.0)
        columns, used = take_columns(rest, part.columns, room - y - (_head_mm(heading)))
        height = columns_height(columns)
        # There is too little room to begin a part; a part that continues begins a page anyway.
        tight = room - y < _LEAST_REST_MM or y + _head_mm(heading) + height > room + 0.01
        if pages[-1].items and tight:
            pages.append(_Page())
            continue
        if heading:
            pages[-1] = pages[-1].with_items(heading.items, y, heading.height)
            y, heading = y + _head_mm(heading), None
        drawn = column_items(columns, part.width, _COLUMN_GAP_MM)
        pages[-1] = pages[-1].with_items(drawn, y, height)
        rest = rest[used:]
        if rest:
            pages.append(_Page())


def _with_sources(lists: Sequence[_Part], ledger: Ledger, room: float, scale: float) -> tuple[_Page, ...]:
    """Pages of the lists and then the sources, in type scaled by a share of the usual size."""
    blocks = tuple(provenance_blocks(ledger, scale))
    sources = _Part(blocks=blocks, columns=_COLUMNS, width=ledger.width, heading=provenance_heading(ledger))
    pages = _paginate((*lists, sources), room)
    apart = _paginate((*lists, replace(sources, apart=True)), room)
    # A few leftover sources make a poor page: if all of them fit on one page, they share it.
    return apart if len(apart) == len(pages) and apart[-1].height > pages[-1].height else pages


def _head_mm(heading: Block | None) -> float:
    return heading.height + _BELOW_HEADING_MM if heading else 0.0


_PAGE_MM = (186.0, 256.0)
"""Size of a page: fits both A4 and Letter with margins and foot."""


def checklist_pages(title: Title, manifest: Manifest, _graph: UpgradeGraph, style: Style) -> tuple[Scene, ...]:
    """The checklist on pages for common paper."""
    return draw_checklists(title, manifest, style, *_PAGE_MM)


def draw_checklists(
    title: Title, manifest: Manifest, style: Style, width_mm: float, height_mm: float
) -> tuple[Scene, ...]:
    """The checklist on pages of this size (mm), as many as it takes; keys are `checklist:1`, `checklist:2` ...

    Tiles come first with small drawings, then every other kind, then where the definition's blocks come from.
    """
    column_mm = (width_mm - (_COLUMNS - 1) * _COLUMN_GAP_MM) / _COLUMNS
    ledger = Ledger(title=title, manifest=manifest, style=style, width=column_mm, page=width_mm)
    lists = (
        _Part(blocks=tuple(tile_blocks(ledger)), columns=1, width=width_mm),
        _Part(blocks=tuple(kind_blocks(ledger)), columns=_COLUMNS, width=column_mm),
    )
    room = height_mm - _HEAD_MM - _FOOT_MM
    pages = _with_sources(lists, ledger, room, 1.0)
    if len(pages) > len(_paginate(lists, room)):
        # Fine print where that saves a page; the first of equals is the largest.
        pages = min((pages, *(_with_sources(lists, ledger, room, scale) for scale in _FINE_PRINT)), key=len)
    return tuple(
        _scene(title, style, (width_mm, height_mm), page, (number, len(pages))) for number, page in enumerate(pages, 1)
    )


def _scene(title: Title, style: Style, size_mm: tuple[float, float], page: _Page, number: tuple[int, int]) -> Scene:
    width, height = size_mm
    words = style.words(say("checklist"))
    ink, text = style.ink("card.accent"), style.ink("card.text")
    count = style.words(say("page"), *number) if number[1] > 1 else ""
    small = style.type("aid.check")
    whole = f"{style.words(title.name)}  {words}"
    room = width - text_width(count, small) - 6.0
    big = fit(whole, style.type("card.banner"), room)
    big, shown = one_line(whole, big if text_width(whole, big) <= room else style.type("card.strong"), room)
    base = max(1.0 + rise_mm(shown, big), 0.3 + ink_height(shown, big.beside(shown))[1])
    items: list[Item] = [
        *set_line(shown, big, ink, 0.6, base),
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
