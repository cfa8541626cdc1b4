"""The checklist: every piece to tick off, with small drawings of tiles, and the sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.tile import thumbnail_items
from platelayer.drawing.kit.lettering import ink_height, one_line
from platelayer.drawing.kit.parts import rule, tile_ink
from platelayer.drawing.kit.rich_text import (
    ASIDE,
    LEAD,
    rich_width,
    set_lines,
    set_rich,
    wrap_within,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Block, column_items, columns_height, take_columns
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.kinds import KINDS, Piece
from platelayer.model.manifest import Manifest
from platelayer.model.title import TileCount, Title
from platelayer.model.upgrade import UpgradeGraph
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import SLACK_MM, fit, rise_mm, set_line, text_width

_PARTED = re.compile("[/:]")
_BETWEEN = Text.plain(" – ")
subject_words = FixedWords("subjects")

card_words = FixedWords("cards")

_OF_COMPANIES = ("certificate", "token")
"""Kinds of which a company has several pieces: they stand side by side in one row."""
_BOX_MM = 2.5
_LEADING = 1.2
_PITCH_MM, _NARROW_PITCH_MM = 8.7, 7.4
"""From one box of a row to the next, or to the words: where it is the only one (three figures), and
with others."""

_HEX_MM = 9.6
_TILE_MM = (15.4, 15.6)
_APART_MM = 2.6
"""Space beside the box, number and count of a tile, all together."""
_MADE_UP = "reconstruction"


class _Ledger(Struct, frozen=True, kw_only=True):
    """What is listed, in which style, and the width of a column and of the page in mm."""

    title: Title
    manifest: Manifest
    style: Style
    width: float
    page: float


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
    """Blocks in columns of a width in mm, below a heading across the page; `apart` if they begin a
    page."""

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
    """The parts below each other on pages with this much room (mm); columns are balanced where a
    page or a part ends."""
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
        tight = room - y < _LEAST_REST_MM or y + _head_mm(heading) + height > room + SLACK_MM
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


def _with_sources(
    lists: Sequence[_Part], ledger: _Ledger, room: float, scale: float
) -> tuple[_Page, ...]:
    """Pages of the lists and then the sources, in type scaled by a share of the usual size."""
    blocks = tuple(_provenance_blocks(ledger, scale))
    sources = _Part(
        blocks=blocks, columns=_COLUMNS, width=ledger.width, heading=_provenance_heading(ledger)
    )
    pages = _paginate((*lists, sources), room)
    apart = _paginate((*lists, replace(sources, apart=True)), room)
    # A few leftover sources make a poor page: if all of them fit on one page, they share it.
    return apart if len(apart) == len(pages) and apart[-1].height > pages[-1].height else pages


def _head_mm(heading: Block | None) -> float:
    return heading.height + _BELOW_HEADING_MM if heading else 0.0


_PAGE_MM = (186.0, 256.0)
"""Size of a page: fits both A4 and Letter with margins and foot."""


def checklist_pages(
    title: Title, manifest: Manifest, _graph: UpgradeGraph, style: Style
) -> tuple[Scene, ...]:
    """The checklist on pages for common paper."""
    return draw_checklists(title, manifest, style, *_PAGE_MM)


def draw_checklists(
    title: Title, manifest: Manifest, style: Style, width_mm: float, height_mm: float
) -> tuple[Scene, ...]:
    """The checklist on pages of this size (mm), as many as it takes; keys are `checklist:1`,
    `checklist:2` ...

    Tiles come first with small drawings, then every other kind, then where the definition's blocks
    come from.
    """
    column_mm = (width_mm - (_COLUMNS - 1) * _COLUMN_GAP_MM) / _COLUMNS
    ledger = _Ledger(title=title, manifest=manifest, style=style, width=column_mm, page=width_mm)
    lists = (
        _Part(blocks=tuple(_tile_blocks(ledger)), columns=1, width=width_mm),
        _Part(blocks=tuple(_kind_blocks(ledger)), columns=_COLUMNS, width=column_mm),
    )
    room = height_mm - _HEAD_MM - _FOOT_MM
    pages = _with_sources(lists, ledger, room, 1.0)
    if len(pages) > len(_paginate(lists, room)):
        # Fine print where that saves a page; the first of equals is the largest.
        pages = min(
            (pages, *(_with_sources(lists, ledger, room, scale) for scale in _FINE_PRINT)), key=len
        )
    return tuple(
        _scene(title, style, (width_mm, height_mm), page, (number, len(pages)))
        for number, page in enumerate(pages, 1)
    )


def _scene(
    title: Title, style: Style, size_mm: tuple[float, float], page: _Page, number: tuple[int, int]
) -> Scene:
    width, height = size_mm
    words = style.words(card_words("checklist"))
    ink, text = style.ink("card.accent"), style.ink("card.text")
    count = style.words(card_words("page"), *number) if number[1] > 1 else ""
    small = style.type("aid.check")
    whole = f"{style.words(title.name)}  {words}"
    room = width - text_width(count, small) - 6.0
    big = fit(whole, style.type("card.banner"), room)
    big, shown = one_line(
        whole, big if text_width(whole, big) <= room else style.type("card.strong"), room
    )
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


def _tick(x: float, y: float, style: Style) -> Path:
    """A tick mark, its middle left at (x, y)."""
    stroke = Stroke(ink=style.ink("card.tick"), width_mm=0.45, cap="round", join="round")
    return Path(
        commands=(("M", x, y), ("L", x + 0.7, y + 0.8), ("L", x + 2.0, y - 1.0)), stroke=stroke
    )


def _provenance_heading(ledger: _Ledger) -> Block:
    """The heading above where the definition comes from, as wide as the page."""
    type_style, ink = ledger.style.type("aid.check.head"), ledger.style.ink("card.accent")
    base = type_style.cap_height_mm
    line = rule(0.3, base + 1.1, ledger.page - 0.3, ink, 0.25)
    return Block(
        items=(
            *set_line(ledger.style.words(card_words("notes")), type_style, ink, 0.2, base),
            line,
        ),
        height=base + 1.3,
    )


def _heading(words: str, key: str, ledger: _Ledger, width: float) -> Block:
    """A heading with a total, and a tick where the box declares the same total; else what the box
    declares, in red."""
    style = ledger.style
    type_style, body = style.type("aid.check.head"), style.type("aid.check")
    ink = style.ink("card.accent")
    base = type_style.cap_height_mm
    total = ledger.manifest.totals.get(key, 0)
    declared = dict(ledger.title.pieces.box).get(key)
    items: list[Item] = list(set_line(words, type_style, ink, 0.2, base))
    right = width - 0.4
    if declared == total:
        items.append(_tick(right - 2.0, base / 2, style))
        right -= 3.0
    elif declared is not None:
        note = style.words(card_words("in_box"), declared)
        items += set_line(note, body, style.ink("card.alarm"), right, base, anchor=Anchor.END)
        right -= text_width(note, body) + 1.5
    items += set_line(str(total), type_style, ink, right, base, anchor=Anchor.END)
    items.append(rule(0.3, base + 1.1, width - 0.3, ink, 0.25))
    return Block(items=tuple(items), height=base + 1.3, above=4.2, keep=True)


def _tile_blocks(ledger: _Ledger) -> Iterator[Block]:
    """Tiles by colour, a row of small drawings at a time."""
    style = ledger.style
    pieces = [piece for piece in ledger.manifest.pieces if piece.kind == "tile"]
    if not pieces:
        return
    layout = ledger.title.maps[0].layout if ledger.title.maps else Layout.FLAT
    yield _heading(style.words(KINDS["tile"].name), "tile", ledger, ledger.page)
    colours = dict.fromkeys([*ledger.title.colours, *(piece.group for piece in pieces)])
    entries = ledger.title.tile_by_id
    widest = max(_least_width(entries[piece.id].shown, piece, style) for piece in pieces)
    across = max(1, int(ledger.page // max(_TILE_MM[0], widest)))
    step = ledger.page / across
    for colour in colours:
        own = [piece for piece in pieces if piece.group == colour]
        for start in range(0, len(own), across):
            row = own[start : start + across]
            if start == 0:
                yield replace(_colour_heading(colour, ledger), above=2.6)
            items = tuple(
                Group(
                    items=_small_tile(entries[piece.id], piece, layout, ledger.style, step),
                    matrix=translation(place * step, 0.0),
                )
                for place, piece in enumerate(row)
            )
            yield Block(items=items, height=_TILE_MM[1], above=0.8)


def _colour_heading(colour: str, ledger: _Ledger) -> Block:
    """A tile colour with its total and, where the box declares one, whether they agree."""
    style = ledger.style
    type_style, strong = style.type("aid.check"), style.type("aid.check.strong")
    ink = style.ink("card.text")
    base = 2.6
    key = f"tile/{colour}"
    total, declared = ledger.manifest.totals.get(key, 0), dict(ledger.title.pieces.box).get(key)
    name = style.named(colour, card_words.table("colour"))
    edge = Stroke(ink=ink, width_mm=0.15)
    items: list[Item] = [
        Path(
            commands=rectangle_path(0.2, base - 2.3, 4.0, 2.6, 0.4),
            fill=tile_ink(colour, style),
            stroke=edge,
        ),
        *set_line(f"{name}  {total}", strong, ink, 5.6, base),
    ]
    x = 5.6 + text_width(f"{name}  {total}", strong) + 2.0
    if declared == total:
        items.append(_tick(x, base - type_style.cap_height_mm / 2, style))
    elif declared is not None:
        items += set_line(
            style.words(card_words("in_box"), declared),
            type_style,
            style.ink("card.alarm"),
            x,
            base,
        )
    return Block(items=tuple(items), height=base + 0.6, keep=True)


def _least_width(words: str, piece: Piece, style: Style) -> float:
    """Room for the box, number and count of a tile with its number in the smallest type."""
    number, count = style.type("aid.tile"), style.type("aid.check")
    times = f"×{piece.count}"
    return (
        _BOX_MM + _APART_MM + text_width(words, number.at(number.min_pt)) + text_width(times, count)
    )


def _small_tile(
    entry: TileCount, piece: Piece, layout: Layout, style: Style, step: float
) -> tuple[Item, ...]:
    """A small tile without its words, its number, how many there are, and a box."""
    number, count = style.type("aid.tile"), style.type("aid.check")
    wide, tall = (
        (_HEX_MM / COS_30, _HEX_MM) if layout is Layout.FLAT else (_HEX_MM, _HEX_MM / COS_30)
    )
    text = style.ink("card.text")
    base = tall + 3.2
    middle = number.cap_height_mm / 2
    words, times = entry.shown, f"×{piece.count}"
    room = step - _BOX_MM - _APART_MM - text_width(times, count)
    if text_width(words, number) > room:
        number = number.at(max(number.min_pt, number.size_pt * room / text_width(words, number)))
    after = _BOX_MM + 1.0 + text_width(words, number) + 0.9
    return (
        Group(
            items=thumbnail_items(entry.tile, layout, _HEX_MM, style),
            matrix=translation(wide / 2 + 0.3, tall / 2),
        ),
        _check_box(0.2, base - middle, style),
        *set_line(words, number, text, _BOX_MM + 1.0, base),
        *set_line(times, count, style.ink("card.soft"), after, base),
    )


def _kind_blocks(ledger: _Ledger) -> Iterator[Block]:
    """Every kind but tiles: a heading with its total, then a line for each piece, or for each
    company."""
    style = ledger.style
    declared = (key for key, _ in ledger.title.pieces.box if "/" not in key)
    kinds = dict.fromkeys([*(piece.kind for piece in ledger.manifest.pieces), *declared])
    for kind in kinds:
        if kind == "tile":
            continue
        pieces = [piece for piece in ledger.manifest.pieces if piece.kind == kind]
        concessions = {piece.group for piece in pieces} == {"concession"}
        words = (
            style.words(card_words("concessions")) if concessions else style.words(KINDS[kind].name)
        )
        yield _heading(words, kind, ledger, ledger.width)
        yield from _group_notes(pieces, ledger)
        if kind in _OF_COMPANIES:
            yield from _company_blocks(pieces, style, ledger.width)
            continue
        for number, piece in enumerate(pieces):
            yield replace(_line(piece, ledger, first=number == 0), keep=_stays(number, len(pieces)))


def _group_notes(pieces: list[Piece], ledger: _Ledger) -> Iterator[Block]:
    """Totals of a kind's groups, then of its sizes, each on its own lines, in red where the box
    declares a different total.

    Groups that the rows of companies count anyway appear only where the box declares a different
    total.
    """
    groups = tuple(dict.fromkeys(piece.group for piece in pieces))
    sizes = tuple(dict.fromkeys(piece.size for piece in pieces))
    if any(_misses(f"{piece.kind}/{piece.group}", ledger) for piece in pieces) or not _in_rows(
        pieces
    ):
        yield from _group_note(pieces, groups, ledger)
    if not {*sizes} <= {*groups, ""}:
        yield from _group_note(pieces, sizes, ledger)


def _in_rows(pieces: list[Piece]) -> bool:
    return any(piece.kind in _OF_COMPANIES for piece in pieces)


def _misses(key: str, ledger: _Ledger) -> bool:
    """Whether the box declares a different number for a group."""
    total = ledger.manifest.totals.get(key)
    return dict(ledger.title.pieces.box).get(key, total) != total


def _group_note(pieces: list[Piece], groups: tuple[str, ...], ledger: _Ledger) -> Iterator[Block]:
    """The totals of some groups or sizes, if there are several; where some pieces belong to none,
    words say so first."""
    if len(groups) < 2 or not any(group in _group_words() for group in groups):
        return
    style = ledger.style
    box = dict(ledger.title.pieces.box)
    body = style.type("aid.check")
    x, y = 0.2, body.cap_height_mm
    items: list[Item] = []
    if "" in groups:
        lead = style.words(card_words("of_these"))
        items += set_rich(lead, body, style.ink("card.soft"), x, y)
        x += rich_width(lead, body) + 1.2
    for group in filter(None, groups):
        key = f"{pieces[0].kind}/{group}"
        total, declared = ledger.manifest.totals[key], box.get(key)
        words = f"{style.named(group, _group_words())} {total}"
        wrong = _misses(key, ledger)
        if wrong:
            words += f" ({style.words(card_words('in_box'), declared)})"
        if x + rich_width(words, body) > ledger.width and x > 0.3:
            x, y = 0.2, y + _LEADING * body.size_mm
        items += set_rich(words, body, style.ink("card.alarm" if wrong else "card.soft"), x, y)
        x += rich_width(words, body) + 3.0
    yield Block(items=tuple(items), height=y + 0.4, above=1.0, keep=True)


def _line(piece: Piece, ledger: _Ledger, *, first: bool) -> Block:
    """A box, how many, and the piece's name."""
    return _row_block(
        ((0, piece.count),),
        _described(piece, ledger.style),
        ledger.style,
        ledger.width,
        first=first,
    )


def _described(piece: Piece, style: Style) -> str:
    """The name of a piece; for a card that is known by another name, that name comes first."""
    name = style.words(piece.name)
    words = (
        style.words(card_words.table("named")[piece.kind], name)
        if piece.kind in card_words.table("named")
        else name
    )
    if piece.kind == "train" and piece.id not in name:
        return style.words(card_words("card"), piece.id, words)
    return words


def _provenance_blocks(ledger: _Ledger, scale: float = 1.0) -> Iterator[Block]:
    """Where the definition's blocks come from: first what is reconstructed, then what sources
    disagree on; in type scaled by a share of the usual size."""
    if not ledger.title.provenance:
        return
    style = ledger.style
    usual = (style.type("aid.check"), style.type("aid.check.strong"))
    body, strong = (type_style.at(type_style.size_pt * scale) for type_style in usual)
    text = style.ink("card.text")
    order = sorted(
        ledger.title.provenance, key=lambda entry: (entry.source != _MADE_UP, not entry.conflict)
    )
    for entry in order:
        source = style.named(entry.source, card_words.table("source"))
        if entry.conflict:
            source = style.words(ASIDE, source, style.words(card_words("conflict")))
        lead = style.words(LEAD, source, subject_name(ledger.title, entry.subject, style))
        alarm = entry.source == _MADE_UP or entry.conflict
        lines = wrap_within(style.words(entry.note), body, ledger.width - 0.6)
        heads = wrap_within(lead, strong, ledger.width - 0.6)
        step = _LEADING * body.size_mm
        cap = body.cap_height_mm
        items = (
            *set_lines(
                heads,
                strong,
                style.ink("card.alarm") if alarm else text,
                0.2,
                cap,
                leading=_LEADING,
            ),
            *set_lines(lines, body, text, 0.2, cap + len(heads) * step, leading=_LEADING),
        )
        height = cap + (len(heads) + len(lines) - 1) * step + 0.25 * body.size_mm
        yield Block(items=items, height=height, above=1.8 * scale)


def _group_words() -> Mapping[str, Text]:
    """Words for the groups of pieces: names of groups, kinds of company, and colours."""
    return {**card_words.table("group"), **card_words.table("who"), **card_words.table("colour")}


def _check_box(x: float, y: float, style: Style) -> Path:
    """An empty box to tick, its middle left at (x, y)."""
    edge = Stroke(ink=style.ink("aid.box"), width_mm=0.2)
    return Path(
        commands=rectangle_path(x + 0.1, y - _BOX_MM / 2, _BOX_MM, _BOX_MM, 0.3), stroke=edge
    )


def _stays(number: int, count: int) -> bool:
    """Whether the row of this number stays with the next: no row of several stands alone in a
    column."""
    return number < count - 1 and number in (0, count - 2)


def _row_block(
    counts: Sequence[tuple[int, int]],
    words: str,
    style: Style,
    width: float,
    *,
    columns: int = 1,
    first: bool,
) -> Block:
    """Boxes to tick with their counts, each in the column of that number, then words after this
    many columns."""
    body, strong = style.type("aid.check"), style.type("aid.check.strong")
    text, cap = style.ink("card.text"), body.cap_height_mm
    pitch = _PITCH_MM if columns == 1 else _NARROW_PITCH_MM
    indent = columns * pitch + 0.2
    lines = wrap_within(words, body, width - indent - 0.4)
    items: list[Item] = []
    for column, count in counts:
        items.append(_check_box(0.2 + column * pitch, cap / 2 + 0.3, style))
        items += set_line(
            str(count), strong, text, (column + 1) * pitch - 1.0, cap + 0.3, anchor=Anchor.END
        )
    items += set_lines(lines, body, text, indent, cap + 0.3, leading=_LEADING)
    height = cap + 0.6 + (len(lines) - 1) * _LEADING * body.size_mm
    return Block(items=tuple(items), height=height, above=1.0 if first else 1.25)


def _company_blocks(pieces: Sequence[Piece], style: Style, width: float) -> Iterator[Block]:
    """What the boxes of a row stand for, from the left, with totals; then one row a company: a box
    and a count in each column, the name, and what the heads leave open.
    """
    heads = _heads(pieces, style)
    places = {column: number for number, column in enumerate(heads)}
    if len(heads) > 1:
        yield _heads_block(heads, pieces, style, width)
    rows = [
        row
        for _, of_one in groupby(pieces, key=lambda piece: piece.name)
        for row in _rows(tuple(of_one))
    ]
    for number, row in enumerate(rows):
        counts = tuple((places[_column(piece)], piece.count) for piece in row)
        words = style.words(row[0].name)
        for piece in row:
            if _grade(piece, style) != heads[_column(piece)]:
                words = style.words(card_words("which"), words, _grade(piece, style))
        block = _row_block(counts, words, style, width, columns=len(heads), first=number == 0)
        yield replace(block, keep=_stays(number, len(rows)))


def _rows(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """The pieces of a company in as few rows as there are pieces in one column."""
    columns: dict[str, list[Piece]] = {}
    for piece in pieces:
        columns.setdefault(_column(piece), []).append(piece)
    for row in zip_longest(*columns.values()):
        yield tuple(piece for piece in row if piece is not None)


def _heads_block(
    heads: dict[str, str], pieces: Sequence[Piece], style: Style, width: float
) -> Block:
    """A small box, a word and a total for each column."""
    body, soft = style.type("aid.check"), style.ink("card.soft")
    x, y = 0.2, body.cap_height_mm
    items: list[Item] = []
    for column, head in heads.items():
        words = f"{head} {sum(piece.count for piece in pieces if _column(piece) == column)}"
        step = _BOX_MM + 0.8 + rich_width(words, body)
        if x + step > width and x > 0.3:
            x, y = 0.2, y + 1.4 * body.size_mm
        items += (
            _check_box(x, y - body.cap_height_mm / 2, style),
            *set_rich(words, body, soft, x + _BOX_MM + 0.8, y),
        )
        x += step + 3.0
    return Block(items=tuple(items), height=y + 0.5, above=1.2, keep=True)


def _heads(pieces: Sequence[Piece], style: Style) -> dict[str, str]:
    """For each column what its head says: the grade where it is the same in all rows, else the
    group."""
    grades: dict[str, dict[str, str]] = {}
    for piece in pieces:
        grades.setdefault(_column(piece), {})[_grade(piece, style)] = style.named(
            piece.group, _group_words()
        )
    return {
        column: next(iter(own if len(own) == 1 else own.values())) for column, own in grades.items()
    }


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
        return style.named(piece.group, _group_words())
    words = card_words("held_back") if percent.endswith("r") else card_words("share")
    return style.words(words, percent.removesuffix("r"))


def subject_name(title: Title, subject: str, style: Style) -> str:
    """The words for a JSON pointer ("companies/names") or for a piece ("summary:merger"): its name
    where it has one, else its id."""
    known = {**{kind.id: kind.name for kind in KINDS.values()}, **subject_words.all()}
    known |= {company.ref: company.name for company in title.companies}
    known |= {gamemap.id: gamemap.name for gamemap in title.maps}
    known |= {aid.id: aid.name for aid in title.aids}
    known |= {marker.id: marker.name for marker in title.pieces.markers}
    known |= {variant.id: variant.name for variant in title.variants}
    parts = [part for part in _PARTED.split(subject) if part]
    return style.words(_BETWEEN).join(
        style.words(known[part]) if part in known else part for part in parts
    )
