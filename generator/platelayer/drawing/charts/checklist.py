"""The checklist: every piece to tick off, with small drawings of tiles, and the sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from operator import add

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.tile import thumbnail_items
from platelayer.drawing.kit.layout import Block, placing
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
from platelayer.drawing.kit.tables import Entry, columns_block, take_columns
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

# Kinds of which a company has several pieces: they stand side by side in one row.
_OF_COMPANIES = ("certificate", "token")
_BOX_MM = 2.5
_LEADING = 1.2
# From one box of a row to the next, or to the words: where it is the only one (three figures), and
# with others.
_PITCH_MM, _NARROW_PITCH_MM = 8.7, 7.4

_HEX_MM = 9.6
_TILE_MM = (15.4, 15.6)
# Space beside the box, number and count of a tile, all together.
_APART_MM = 2.6
_MADE_UP = "reconstruction"

_COLUMNS = 3
_COLUMN_GAP_MM = 6.0
_HEAD_MM = 15.0
_SECTION_GAP_MM = 6.0
_LEAST_REST_MM = 30.0
_BELOW_HEADING_MM = 1.8
_FINE_PRINT = (0.92, 0.84)
# Below the last line: boxes to tick and the tails of letters reach below it.
_FOOT_MM = 0.8
# Size of a page: fits both A4 and Letter with margins and foot.
_PAGE_MM = (186.0, 256.0)


class _Ledger(Struct, frozen=True, kw_only=True):
    """The pieces to list, the style, and the width of a column and of the page in mm."""

    title: Title
    manifest: Manifest
    style: Style
    width: float
    page: float

    def tally(self, key: str) -> tuple[int, int | None]:
        """Total of a kind or group, and the total that the box declares, if any."""
        return self.manifest.totals.get(key, 0), dict(self.title.pieces.box).get(key)


class _Part(Struct, frozen=True, kw_only=True):
    """Blocks in columns of a width in mm, below a heading across the page; `apart` if they begin a
    page."""

    blocks: tuple[Entry, ...]
    columns: int
    width: float
    heading: Block | None = None
    apart: bool = False


class _Page(Struct, frozen=True, kw_only=True):
    """Items below the head of a page, and how far down they reach in mm."""

    items: tuple[Item, ...] = ()
    height: float = 0.0

    def with_block(self, block: Block, y: float) -> _Page:
        """The page with a block more, from y on."""
        placed = block.paint(0.0, _HEAD_MM + y)
        return _Page(items=(*self.items, *placed), height=y + block.height)


def _paginate(parts: Sequence[_Part], room: float) -> list[_Page]:
    """The parts below each other on pages with this much room (mm); columns are balanced where a
    page or a part ends."""
    pages = [_Page()]
    for part in parts:
        if part.apart and pages[-1].items:
            pages.append(_Page())
        rest, heading = part.blocks, part.heading
        while rest:
            head = heading.height + _BELOW_HEADING_MM if heading else 0.0
            y = pages[-1].height + (_SECTION_GAP_MM if pages[-1].items else 0.0)
            columns, used = take_columns(rest, part.columns, room - y - head)
            body = columns_block(columns, part.width, _COLUMN_GAP_MM)
            # There is too little room to begin a part; a part that continues begins a page anyway.
            tight = room - y < _LEAST_REST_MM or y + head + body.height > room + SLACK_MM
            if pages[-1].items and tight:
                pages.append(_Page())
                continue
            if heading:
                pages[-1] = pages[-1].with_block(heading, y)
                y, heading = y + head, None
            pages[-1] = pages[-1].with_block(body, y)
            rest = rest[used:]
            if rest:
                pages.append(_Page())
    return pages


def _with_sources(
    lists: Sequence[_Part], ledger: _Ledger, room: float, scale: float
) -> list[_Page]:
    """Pages of the lists and then the sources, in type scaled by a share of the usual size."""
    style, type_style = ledger.style, ledger.style.type("aid.check.head")
    ink, base = style.ink("card.accent"), type_style.cap_height_mm
    words = set_line(style.words(card_words("notes")), type_style, ink, 0.2, base)
    line = rule(0.3, base + 1.1, ledger.page - 0.3, ink, 0.25)
    sources = _Part(
        blocks=tuple(_provenance_blocks(ledger, scale)),
        columns=_COLUMNS,
        width=ledger.width,
        heading=Block(ledger.page, base + 1.3, placing((*words, line))),
    )
    pages = _paginate((*lists, sources), room)
    apart = _paginate((*lists, replace(sources, apart=True)), room)
    # A few leftover sources make a poor page: if all of them fit on one page, they share it.
    return apart if len(apart) == len(pages) and apart[-1].height > pages[-1].height else pages


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

    Tiles come first with small drawings, then every other kind, then the sources of the definition.
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
        fine = (_with_sources(lists, ledger, room, scale) for scale in _FINE_PRINT)
        pages = min((pages, *fine), key=len)
    words = style.words(card_words("checklist"))
    ink, gold, text = (style.ink(f"card.{name}") for name in ("accent", "gold", "text"))
    small, whole = style.type("aid.check"), f"{style.words(title.name)}  {words}"
    scenes: list[Scene] = []
    for number, page in enumerate(pages, start=1):
        count = style.words(card_words("page"), number, len(pages)) if len(pages) > 1 else ""
        free = width_mm - text_width(count, small) - 6.0
        big = fit(whole, style.type("card.banner"), free)
        if text_width(whole, big) > free:
            big = style.type("card.strong")
        big, shown = one_line(whole, big, free)
        base = max(1.0 + rise_mm(shown, big), 0.3 + ink_height(shown, big.beside(shown))[1])
        items: tuple[Item, ...] = (
            *set_line(shown, big, ink, 0.6, base),
            *set_line(count, small, text, width_mm - 0.6, base, anchor=Anchor.END),
            rule(0.3, base + 3.2, width_mm - 0.3, ink, 0.5),
            rule(0.3, base + 4.0, width_mm - 0.3, gold, 0.2),
            *page.items,
        )
        scene = Scene(
            key=f"checklist:{number}",
            width_mm=width_mm,
            height_mm=height_mm,
            items=items,
            safe_mm=0.2,
            label=f"{words} {number}",
        )
        scenes.append(scene)
    return tuple(scenes)


def _tick(x: float, y: float, style: Style) -> Path:
    """A tick mark, its middle left at (x, y)."""
    stroke = Stroke(ink=style.ink("card.tick"), width_mm=0.45, cap="round", join="round")
    commands = (("M", x, y), ("L", x + 0.7, y + 0.8), ("L", x + 2.0, y - 1.0))
    return Path(commands=commands, stroke=stroke)


def _heading(words: str, key: str, ledger: _Ledger, width: float) -> Entry:
    """A heading with a total, and a tick where the box declares the same total; else the declared
    one, in red."""
    style = ledger.style
    type_style, body = style.type("aid.check.head"), style.type("aid.check")
    ink = style.ink("card.accent")
    base = type_style.cap_height_mm
    total, declared = ledger.tally(key)
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
    return Entry(ledger.width, base + 1.3, placing(items), above=4.2, keep=True)


def _tile_blocks(ledger: _Ledger) -> Iterator[Entry]:
    """Tiles by colour, a row of small drawings at a time."""
    style = ledger.style
    pieces = [piece for piece in ledger.manifest.pieces if piece.kind == "tile"]
    if not pieces:
        return
    layout = ledger.title.maps[0].layout if ledger.title.maps else Layout.FLAT
    yield _heading(style.words(KINDS["tile"].name), "tile", ledger, ledger.page)
    colours = dict.fromkeys([*ledger.title.colours, *(piece.group for piece in pieces)])
    entries = ledger.title.tile_by_id
    number_type, count_type = style.type("aid.tile"), style.type("aid.check")
    smallest = number_type.at(number_type.min_pt)
    # Room for the box, number and count of a tile with its number in the smallest type.
    numbers = (text_width(entries[piece.id].shown, smallest) for piece in pieces)
    counts = (text_width(f"×{piece.count}", count_type) for piece in pieces)
    widest = _BOX_MM + _APART_MM + max(map(add, numbers, counts))
    across = max(1, int(ledger.page // max(_TILE_MM[0], widest)))
    step = ledger.page / across
    for colour in colours:
        own = [piece for piece in pieces if piece.group == colour]
        for start in range(0, len(own), across):
            if start == 0:
                yield replace(_colour_heading(colour, ledger), above=2.6)
            items: list[Item] = []
            for column, piece in enumerate(own[start : start + across]):
                tile = _small_tile(entries[piece.id], piece, layout, style, step)
                items.append(Group(items=tile, matrix=translation(column * step, 0.0)))
            yield Entry(ledger.width, _TILE_MM[1], placing(items), above=0.8)


def _colour_heading(colour: str, ledger: _Ledger) -> Entry:
    """A tile colour with its total and, where the box declares one, whether they agree."""
    style = ledger.style
    type_style, strong = style.type("aid.check"), style.type("aid.check.strong")
    ink, base = style.ink("card.text"), 2.6
    total, declared = ledger.tally(f"tile/{colour}")
    words = f"{style.named(colour, card_words.table('colour'))}  {total}"
    swatch = rectangle_path(0.2, base - 2.3, 4.0, 2.6, 0.4)
    edge = Stroke(ink=ink, width_mm=0.15)
    items: list[Item] = [
        Path(commands=swatch, fill=tile_ink(colour, style), stroke=edge),
        *set_line(words, strong, ink, 5.6, base),
    ]
    x = 5.6 + text_width(words, strong) + 2.0
    if declared == total:
        items.append(_tick(x, base - type_style.cap_height_mm / 2, style))
    elif declared is not None:
        note = style.words(card_words("in_box"), declared)
        items += set_line(note, type_style, style.ink("card.alarm"), x, base)
    return Entry(ledger.width, base + 0.6, placing(items), keep=True)


def _small_tile(
    entry: TileCount, piece: Piece, layout: Layout, style: Style, step: float
) -> tuple[Item, ...]:
    """A small tile without its words, its number, its count, and a box."""
    number, count = style.type("aid.tile"), style.type("aid.check")
    wide, tall = _HEX_MM, _HEX_MM / COS_30
    if layout is Layout.FLAT:
        wide, tall = tall, wide
    base, middle = tall + 3.2, number.cap_height_mm / 2
    words, times = entry.shown, f"×{piece.count}"
    room = step - _BOX_MM - _APART_MM - text_width(times, count)
    if text_width(words, number) > room:
        number = number.at(max(number.min_pt, number.size_pt * room / text_width(words, number)))
    after = _BOX_MM + 1.0 + text_width(words, number) + 0.9
    drawing = thumbnail_items(entry.tile, layout, _HEX_MM, style)
    return (
        Group(items=drawing, matrix=translation(wide / 2 + 0.3, tall / 2)),
        _check_box(0.2, base - middle, style),
        *set_line(words, number, style.ink("card.text"), _BOX_MM + 1.0, base),
        *set_line(times, count, style.ink("card.soft"), after, base),
    )


def _kind_blocks(ledger: _Ledger) -> Iterator[Entry]:
    """Every kind but tiles: a heading with its total, then a line for each piece, or for each
    company."""
    style = ledger.style
    declared = (key for key, _ in ledger.title.pieces.box if "/" not in key)
    kinds = dict.fromkeys([*(piece.kind for piece in ledger.manifest.pieces), *declared])
    for kind in kinds:
        if kind == "tile":
            continue
        pieces = [piece for piece in ledger.manifest.pieces if piece.kind == kind]
        if {piece.group for piece in pieces} == {"concession"}:
            words = style.words(card_words("concessions"))
        else:
            words = style.words(KINDS[kind].name)
        yield _heading(words, kind, ledger, ledger.width)
        yield from _group_notes(pieces, ledger)
        if kind in _OF_COMPANIES:
            yield from _company_blocks(pieces, style, ledger.width)
            continue
        for number, piece in enumerate(pieces):
            # A card that is known by another name than its own has that name first.
            words = style.words(piece.name)
            if kind in card_words.table("named"):
                words = style.words(card_words.table("named")[kind], words)
            if kind == "train" and piece.id not in style.words(piece.name):
                words = style.words(card_words("card"), piece.id, words)
            row = ((0, piece.count),)
            block = _row_block(row, words, style, ledger.width, first=number == 0)
            yield replace(block, keep=_stays(number, len(pieces)))


def _group_notes(pieces: list[Piece], ledger: _Ledger) -> Iterator[Entry]:
    """Totals of a kind's groups, then of its sizes, each on its own lines, in red where the box
    declares a different total.

    Groups that the rows of companies count anyway appear only where the box declares a different
    total.
    """
    groups = tuple(dict.fromkeys(piece.group for piece in pieces))
    sizes = tuple(dict.fromkeys(piece.size for piece in pieces))
    counted = any(piece.kind in _OF_COMPANIES for piece in pieces)
    if not counted or any(_misses(f"{piece.kind}/{piece.group}", ledger) for piece in pieces):
        yield from _group_note(pieces, groups, ledger)
    if not {*sizes} <= {*groups, ""}:
        yield from _group_note(pieces, sizes, ledger)


def _misses(key: str, ledger: _Ledger) -> bool:
    """True if the box declares a different number for a group."""
    total, declared = ledger.tally(key)
    return declared is not None and declared != total


def _group_note(pieces: list[Piece], groups: tuple[str, ...], ledger: _Ledger) -> Iterator[Entry]:
    """The totals of some groups or sizes, if there are several; where some pieces belong to none,
    words say so first."""
    if len(groups) < 2 or not any(group in _group_words() for group in groups):
        return
    style = ledger.style
    body = style.type("aid.check")
    x, y = 0.2, body.cap_height_mm
    items: list[Item] = []
    if "" in groups:
        lead = style.words(card_words("of_these"))
        items += set_rich(lead, body, style.ink("card.soft"), x, y)
        x += rich_width(lead, body) + 1.2
    for group in filter(None, groups):
        key = f"{pieces[0].kind}/{group}"
        total, declared = ledger.tally(key)
        words = f"{style.named(group, _group_words())} {total}"
        wrong = _misses(key, ledger)
        if wrong:
            words += f" ({style.words(card_words('in_box'), declared)})"
        if x + rich_width(words, body) > ledger.width and x > 0.3:
            x, y = 0.2, y + _LEADING * body.size_mm
        items += set_rich(words, body, style.ink("card.alarm" if wrong else "card.soft"), x, y)
        x += rich_width(words, body) + 3.0
    yield Entry(ledger.width, y + 0.4, placing(items), above=1.0, keep=True)


def _provenance_blocks(ledger: _Ledger, scale: float = 1.0) -> Iterator[Entry]:
    """Sources of the definition's blocks: first reconstructions, then conflicting sources; in type
    scaled by a share of the usual size."""
    if not ledger.title.provenance:
        return
    style = ledger.style
    usual = (style.type("aid.check"), style.type("aid.check.strong"))
    body, strong = (type_style.at(type_style.size_pt * scale) for type_style in usual)
    text, alarm = style.ink("card.text"), style.ink("card.alarm")
    step, cap, width = _LEADING * body.size_mm, body.cap_height_mm, ledger.width - 0.6
    for entry in sorted(
        ledger.title.provenance, key=lambda entry: (entry.source != _MADE_UP, not entry.conflict)
    ):
        source = style.named(entry.source, card_words.table("source"))
        if entry.conflict:
            source = style.words(ASIDE, source, style.words(card_words("conflict")))
        lead = style.words(LEAD, source, subject_name(ledger.title, entry.subject, style))
        ink = alarm if entry.source == _MADE_UP or entry.conflict else text
        lines = wrap_within(style.words(entry.note), body, width)
        heads = wrap_within(lead, strong, width)
        items = (
            *set_lines(heads, strong, ink, 0.2, cap, leading=_LEADING),
            *set_lines(lines, body, text, 0.2, cap + len(heads) * step, leading=_LEADING),
        )
        height = cap + (len(heads) + len(lines) - 1) * step + 0.25 * body.size_mm
        yield Entry(ledger.width, height, placing(items), above=1.8 * scale)


def _group_words() -> Mapping[str, Text]:
    """Words for the groups of pieces: names of groups, kinds of company, and colours."""
    return {**card_words.table("group"), **card_words.table("who"), **card_words.table("colour")}


def _check_box(x: float, y: float, style: Style) -> Path:
    """An empty box to tick, its middle left at (x, y)."""
    edge = Stroke(ink=style.ink("aid.box"), width_mm=0.2)
    square = rectangle_path(x + 0.1, y - _BOX_MM / 2, _BOX_MM, _BOX_MM, 0.3)
    return Path(commands=square, stroke=edge)


def _stays(number: int, count: int) -> bool:
    """True if the row of this number stays with the next: no row of several stands alone in a
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
) -> Entry:
    """Boxes to tick with their counts, each in the column of that number, then words after this
    many columns."""
    body, strong = style.type("aid.check"), style.type("aid.check.strong")
    text, cap = style.ink("card.text"), body.cap_height_mm
    pitch = _PITCH_MM if columns == 1 else _NARROW_PITCH_MM
    indent = columns * pitch + 0.2
    lines = wrap_within(words, body, width - indent - 0.4)
    items: list[Item] = []
    for column, count in counts:
        right = (column + 1) * pitch - 1.0
        items.append(_check_box(0.2 + column * pitch, cap / 2 + 0.3, style))
        items += set_line(str(count), strong, text, right, cap + 0.3, anchor=Anchor.END)
    items += set_lines(lines, body, text, indent, cap + 0.3, leading=_LEADING)
    height = cap + 0.6 + (len(lines) - 1) * _LEADING * body.size_mm
    return Entry(width, height, placing(items), above=1.0 if first else 1.25)


def _company_blocks(pieces: Sequence[Piece], style: Style, width: float) -> Iterator[Entry]:
    """Heads of the columns of boxes with totals; then a row for each company: a box and a count in
    each column, the name, and the grades that differ from those of the heads."""
    # The head of a column is the grade where it is the same in all rows, else the group.
    grades: dict[str, dict[str, str]] = {}
    for piece in pieces:
        group = style.named(piece.group, _group_words())
        grades.setdefault(_column(piece), {})[_grade(piece, style)] = group
    heads = {
        column: next(iter(own if len(own) == 1 else own.values())) for column, own in grades.items()
    }
    if len(heads) > 1:
        yield _heads_block(heads, pieces, style, width)
    # A company takes as many rows as it has pieces in one column.
    rows: list[list[Piece]] = []
    for _, of_one in groupby(pieces, key=lambda piece: piece.name):
        columns: dict[str, list[Piece]] = {}
        for piece in of_one:
            columns.setdefault(_column(piece), []).append(piece)
        for slots in zip_longest(*columns.values()):
            rows.append([piece for piece in slots if piece is not None])
    order = list(heads)
    for number, row in enumerate(rows):
        counts = [(order.index(_column(piece)), piece.count) for piece in row]
        words = style.words(row[0].name)
        for piece in row:
            if _grade(piece, style) != heads[_column(piece)]:
                words = style.words(card_words("which"), words, _grade(piece, style))
        block = _row_block(counts, words, style, width, columns=len(heads), first=number == 0)
        yield replace(block, keep=_stays(number, len(rows)))


def _heads_block(
    heads: dict[str, str], pieces: Sequence[Piece], style: Style, width: float
) -> Entry:
    """A small box, a word and a total for each column."""
    body, soft = style.type("aid.check"), style.ink("card.soft")
    x, y = 0.2, body.cap_height_mm
    items: list[Item] = []
    for column, head in heads.items():
        words = f"{head} {sum(piece.count for piece in pieces if _column(piece) == column)}"
        step = _BOX_MM + 0.8 + rich_width(words, body)
        if x + step > width and x > 0.3:
            x, y = 0.2, y + 1.4 * body.size_mm
        items.append(_check_box(x, y - body.cap_height_mm / 2, style))
        items += set_rich(words, body, soft, x + _BOX_MM + 0.8, y)
        x += step + 3.0
    return Entry(width, y + 0.5, placing(items), above=1.2, keep=True)


def _column(piece: Piece) -> str:
    """The column a piece stands in: its group, but certificates held back have one of their own."""
    return f"{piece.group}/reserved" if _percent(piece).endswith("r") else piece.group


def _percent(piece: Piece) -> str:
    """The percentage in a certificate's id, with an `r` if it is held back, or "" """
    suffix = piece.id.rpartition("-")[2] if piece.kind == "certificate" else ""
    return suffix if suffix.removesuffix("r").isdecimal() else ""


def _grade(piece: Piece, style: Style) -> str:
    """Share, or group, of a company's piece in words."""
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
