"""The checklist: all pieces with boxes to tick, small drawings of tiles, and the sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from operator import add

from msgspec.structs import replace

from platelayer.drawing.hex.tile import thumbnail_items
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    flowed,
    in_row,
    line_block,
    paragraph,
    rule_block,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import ASIDE, LEAD, ink_height
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Entry, columns_block, take_columns
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import COS_30, Layout
from platelayer.model.kinds import KINDS, Piece
from platelayer.model.manifest import Manifest
from platelayer.model.tile import UpgradeGraph
from platelayer.model.title import TileCount, Title
from platelayer.scene.shapes import Anchor, Path, Scene, Stroke
from platelayer.scene.typeset import SLACK_MM, fit, rise_mm, text_width

_PARTED = re.compile("[/:]")
_BETWEEN = Text.plain(" – ")
subject_words = FixedWords("subjects")

card_words = FixedWords("cards")

# Kinds of which a company has several pieces: they stand side by side in one row.
_OF_COMPANIES = ("certificate", "token")
_LEADING = 1.2
# A box to tick, to its left, and from it to words; words without a box begin a little further left.
_BOX_MM, _BOX_LEFT_MM, _AFTER_BOX_MM, _LEFT_MM = 2.5, 0.3, 0.7, 0.2
# From a count to the next column.
_AFTER_COUNT_MM = 1.0
# Lines of headings end at half of this from the sides, names of pages at all of it.
_EDGE_MM = 0.6
# Distance from one box of a row to the next or to the words: for a single box (with three figures),
# and for several.
_PITCH_MM, _NARROW_PITCH_MM = 8.7, 7.4

_HEX_MM = 9.6
_TILE_MM = (15.4, 15.6)
# Total space beside the box, number and count of a tile.
_APART_MM = 2.6
_MADE_UP = "reconstruction"

_COLUMNS = 3
_COLUMN_GAP_MM = 6.0
_HEAD_MM = 15.0
_SECTION_GAP_MM = 6.0
_LEAST_REST_MM = 30.0
_BELOW_HEADING_MM = 1.8
_FINE_PRINT = (0.92, 0.84)
# Room below the last line for boxes to tick and descenders.
_FOOT_MM = 0.8
# Size of a page: fits both A4 and Letter with margins and foot.
_PAGE_MM = (186.0, 256.0)


class _Ledger(Frozen, kw_only=True):
    """The pieces to list, the style, and the width of a column and of the page in mm."""

    title: Title
    manifest: Manifest
    style: Style
    width: float
    page: float

    def tally(self, key: str) -> tuple[int, int | None]:
        """Return the total of a kind or group, and the total that the box declares, None if it
        declares none."""
        return self.manifest.totals.get(key, 0), dict(self.title.pieces.box).get(key)

    def line(self, words: str, type_name: str = "aid.check", ink: str = "card.text") -> Block:
        return text_block((words,), self.style.type(type_name), self.style.ink(ink))


class _Part(Frozen, kw_only=True):
    """Blocks in columns of this width in mm, below a heading across the page; with `apart`, they
    begin a new page."""

    blocks: tuple[Entry, ...]
    columns: int
    width: float
    heading: Block | None = None
    apart: bool = False


def _paginate(parts: Sequence[_Part], room: float) -> list[Block]:
    """Return pages with the parts one below the other, each at most `room` mm high; columns are
    balanced at the end of a page or part."""
    pages: list[list[Block | float]] = [[]]
    for part in parts:
        if part.apart and pages[-1]:
            pages.append([])
        rest, heading = part.blocks, part.heading
        while rest:
            above: list[Block | float] = [*pages[-1], _SECTION_GAP_MM] if pages[-1] else []
            head: list[Block | float] = [heading, _BELOW_HEADING_MM] if heading else []
            free, head_mm = room - stacked(*above).height, stacked(*head).height
            columns, used = take_columns(rest, part.columns, free - head_mm)
            body = columns_block(columns, part.width, _COLUMN_GAP_MM)
            # Too little room to begin a part; a part that continues begins a page anyway.
            if pages[-1] and (free < _LEAST_REST_MM or head_mm + body.height > free + SLACK_MM):
                pages.append([])
                continue
            pages[-1] = [*above, *head, body]
            rest, heading = rest[used:], None
            if rest:
                pages.append([])
    return [stacked(*page, align=Anchor.START) for page in pages]


def _with_sources(
    lists: Sequence[_Part], ledger: _Ledger, room: float, scale: float
) -> list[Block]:
    """Return pages with the lists and then the sources, in type scaled to a share of the usual
    size."""
    words = ledger.style.words(card_words("notes"))
    heading = ledger.line(words, "aid.check.head", "card.accent")
    sources = _Part(
        blocks=tuple(_provenance_blocks(ledger, scale)),
        columns=_COLUMNS,
        width=ledger.width,
        heading=_underlined(heading, ledger.page, ledger.style),
    )
    pages = _paginate((*lists, sources), room)
    apart = _paginate((*lists, replace(sources, apart=True)), room)
    # Avoid a page with a few leftover sources: if all sources fit on one page, keep them together.
    return apart if len(apart) == len(pages) and apart[-1].height > pages[-1].height else pages


def checklist_pages(
    title: Title, manifest: Manifest, _graph: UpgradeGraph, style: Style
) -> tuple[Scene, ...]:
    """Draw the checklist on pages for common paper."""
    return draw_checklists(title, manifest, style, *_PAGE_MM)


def draw_checklists(
    title: Title, manifest: Manifest, style: Style, width_mm: float, height_mm: float
) -> tuple[Scene, ...]:
    """Draw the checklist on as many pages of this size (mm) as needed; keys are `checklist:1`,
    `checklist:2` ...

    Tiles come first, with small drawings, then all other kinds, then the sources of the definition.
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
        # Use finer print only if that saves a page; `min` prefers the largest of equal choices.
        finer = (_with_sources(lists, ledger, room, scale) for scale in _FINE_PRINT)
        pages = min((pages, *finer), key=len)
    words = style.words(card_words("checklist"))
    ink, whole = style.ink("card.accent"), f"{style.words(title.name)}  {words}"
    long = rule_block(width_mm - _EDGE_MM, Stroke(ink, 0.5))
    fine = rule_block(width_mm - _EDGE_MM, Stroke(style.ink("card.gold"), 0.2))
    scenes = []
    for number, page in enumerate(pages, start=1):
        count = style.words(card_words("page"), number, len(pages)) if len(pages) > 1 else ""
        page_count = ledger.line(count)
        free = width_mm - page_count.width - 6.0
        big = fit(whole, style.type("card.banner"), free)
        if text_width(whole, big) > free:
            big = style.type("card.strong")
        # Leave space above the name, which accents may use.
        head = line_block(
            whole,
            big,
            ink,
            free,
            rise=lambda name, own: max(
                0.7 + rise_mm(name, own), ink_height(name, own.beside(name))[1]
            ),
        )
        between = width_mm - 2 * _EDGE_MM - head.width - page_count.width
        row = in_row(head, between, page_count, level=1)
        lines = stacked(row, 3.2, long, 0.8, fine)
        scenes.append(
            Scene(
                f"checklist:{number}",
                width_mm,
                height_mm,
                (*lines.paint(_EDGE_MM / 2, 0.3), *page.paint(0, _HEAD_MM)),
                safe_mm=0.2,
                label=f"{words} {number}",
            )
        )
    return tuple(scenes)


def _box(height: float, style: Style) -> Block:
    """Return an empty box to tick, in the middle of a line of this height."""
    square = Box(-_BOX_MM / 2, -_BOX_MM / 2, _BOX_MM, _BOX_MM)
    edge = Stroke(style.ink("aid.box"), 0.2)
    return shape_block((square.plate(None, edge, radius=0.3),), _BOX_MM, height)


def _verdict(key: str, ledger: _Ledger, height: float) -> Block | None:
    """Return a tick, in the middle of a line of this height, if the box declares the same total of
    a kind or group; the declared total in red if it differs; None if the box declares none."""
    total, declared = ledger.tally(key)
    if declared is None:
        return None
    if declared == total:
        ink = ledger.style.ink("card.tick")
        stroke = Stroke(ink, 0.45, cap="round", join="round")
        tick = Path((("M", -1.0, 0.0), ("L", -0.3, 0.8), ("L", 1.0, -1.0)), stroke=stroke)
        return shape_block((tick,), 2.0, height)
    return ledger.line(ledger.style.words(card_words("in_box"), declared), ink="card.alarm")


def _underlined(row: Block, width: float, style: Style) -> Block:
    """Return a heading above a line across the width."""
    line = rule_block(width - _EDGE_MM, Stroke(style.ink("card.accent"), 0.25))
    rule = in_row(_EDGE_MM / 2, line)
    return stacked(in_row(_LEFT_MM, row), 1.1, rule, 0.2, align=Anchor.START)


def _heading(words: str, key: str, ledger: _Ledger, width: float) -> Entry:
    """Return a heading with a total at the right, followed by the verdict on what the box
    declares."""
    name = ledger.line(words, "aid.check.head", "card.accent")
    total = ledger.line(str(ledger.tally(key)[0]), "aid.check.head", "card.accent")
    verdict = _verdict(key, ledger, total.height)
    if verdict is not None:
        total = in_row(total, 1.5 if _misses(key, ledger) else 1.0, verdict, level=1)
    row = in_row(name, width - 0.6 - name.width - total.width, total, level=1)
    return Entry.of(_underlined(row, width, ledger.style), above=4.2, keep=True)


def _tile_blocks(ledger: _Ledger) -> Iterator[Entry]:
    """Yield tiles by colour, one row of small drawings at a time."""
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
            row = [
                _small_tile(entries[piece.id], piece, layout, ledger, step)
                for piece in own[start : start + across]
            ]
            yield Entry(ledger.width, _TILE_MM[1], in_row(*row, level=0).paint, above=0.8)


def _colour_heading(colour: str, ledger: _Ledger) -> Entry:
    """Return a tile colour with its total and, if the box declares one, whether they agree."""
    style, key = ledger.style, f"tile/{colour}"
    name = style.named(colour, card_words.table("colour"))
    words = ledger.line(f"{name}  {ledger.tally(key)[0]}", "aid.check.strong")
    edge = Stroke(style.ink("card.text"), 0.15)
    plate = Box(-2.0, -1.3, 4.0, 2.6).plate(tile_ink(colour, style), edge, radius=0.4)
    swatch = shape_block((plate,), 4.0, 2.6)
    verdict = _verdict(key, ledger, style.type("aid.check").cap_height_mm)
    beside = words if verdict is None else in_row(words, 2.0, verdict, level=1)
    # The swatch extends slightly below the words.
    row = in_row(_LEFT_MM, swatch, 1.4, stacked(beside, 0.3), level=1)
    return Entry.of(stacked(0.3, row, 0.3), keep=True)


def _small_tile(
    entry: TileCount, piece: Piece, layout: Layout, ledger: _Ledger, step: float
) -> Block:
    """Return a small tile without its words; below it a box, its number and its count."""
    style, number = ledger.style, ledger.style.type("aid.tile")
    wide, tall = _HEX_MM, _HEX_MM / COS_30
    if layout is Layout.FLAT:
        wide, tall = tall, wide
    count = ledger.line(f"×{piece.count}", ink="card.soft")
    room, words = step - _BOX_MM - _APART_MM - count.width, entry.shown
    if text_width(words, number) > room:
        number = number.by(room / text_width(words, number))
    name = text_block((words,), number, style.ink("card.text"))
    line = in_row(_box(name.height, style), _AFTER_BOX_MM, name, 0.9, count, level=1)
    drawing = shape_block(thumbnail_items(entry.tile, layout, _HEX_MM, style), wide, tall)
    tile = stacked(drawing, 3.2 - name.height, line, align=Anchor.START)
    return replace(in_row(_BOX_LEFT_MM, tile), width=step)


def _kind_blocks(ledger: _Ledger) -> Iterator[Entry]:
    """Yield every kind except tiles: a heading with its total, then a line for each piece or
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
        # Totals of a kind's groups, then of its sizes, each on its own lines, in red if the box
        # declares a different total. Groups that the rows of companies count anyway appear only if
        # the box declares a different total.
        groups = tuple(dict.fromkeys(piece.group for piece in pieces))
        sizes = tuple(dict.fromkeys(piece.size for piece in pieces))
        counted = any(piece.kind in _OF_COMPANIES for piece in pieces)
        if not counted or any(_misses(f"{piece.kind}/{piece.group}", ledger) for piece in pieces):
            yield from _group_note(pieces, groups, ledger)
        if not {*sizes} <= {*groups, ""}:
            yield from _group_note(pieces, sizes, ledger)
        if kind in _OF_COMPANIES:
            yield from _company_blocks(pieces, ledger)
            continue
        for number, piece in enumerate(pieces):
            # A card that is usually called something else has that name first.
            words = style.words(piece.name)
            if kind in card_words.table("named"):
                words = style.words(card_words.table("named")[kind], words)
            if kind == "train" and piece.id not in style.words(piece.name):
                words = style.words(card_words("card"), piece.id, words)
            row = _row_block((piece.count,), words, ledger)
            yield _in_list(row, number, len(pieces))


def _misses(key: str, ledger: _Ledger) -> bool:
    """Return True if the box declares a different number for a group."""
    total, declared = ledger.tally(key)
    return declared is not None and declared != total


def _group_note(pieces: list[Piece], groups: tuple[str, ...], ledger: _Ledger) -> Iterator[Entry]:
    """Yield the totals of groups or sizes, if there are several; they begin with "of these" if some
    pieces belong to none."""
    if len(groups) < 2 or not any(group in _group_words() for group in groups):
        return
    style, body = ledger.style, ledger.style.type("aid.check")
    totals = []
    for group in filter(None, groups):
        key = f"{pieces[0].kind}/{group}"
        total, declared = ledger.tally(key)
        words, ink = f"{style.named(group, _group_words())} {total}", "card.soft"
        if _misses(key, ledger):
            words, ink = f"{words} ({style.words(card_words('in_box'), declared)})", "card.alarm"
        totals.append(ledger.line(words, ink=ink))
    if "" in groups:
        lead = ledger.line(style.words(card_words("of_these")), ink="card.soft")
        totals[0] = in_row(lead, 1.2, totals[0])
    between = _LEADING * body.size_mm - body.cap_height_mm
    lines = flowed(totals, ledger.width - _LEFT_MM, 3.0, between)
    yield Entry.of(stacked(in_row(_LEFT_MM, lines), 0.4), above=1.0, keep=True)


def _provenance_blocks(ledger: _Ledger, scale: float = 1.0) -> Iterator[Entry]:
    """Yield the sources of the definition's blocks: first reconstructions, then conflicting
    sources, then all others; in type scaled to a share of the usual size."""
    if not ledger.title.provenance:
        return
    style = ledger.style
    usual = (style.type("aid.check"), style.type("aid.check.strong"))
    body, strong = (type_style.at(type_style.size_pt * scale) for type_style in usual)
    text, alarm = style.ink("card.text"), style.ink("card.alarm")
    width = ledger.width - 0.6
    for entry in sorted(
        ledger.title.provenance, key=lambda entry: (entry.source != _MADE_UP, not entry.conflict)
    ):
        source = style.named(entry.source, card_words.table("source"))
        if entry.conflict:
            source = style.words(ASIDE, source, style.words(card_words("conflict")))
        lead = style.words(LEAD, source, subject_name(ledger.title, entry.subject, style))
        ink = alarm if entry.source == _MADE_UP or entry.conflict else text
        source_block = paragraph(lead, strong, ink, width, fill=False)
        note = paragraph(style.words(entry.note), body, text, width, fill=False)
        gap, tail = _LEADING * body.size_mm - body.cap_height_mm, 0.25 * body.size_mm
        yield Entry.of(in_row(_LEFT_MM, stacked(source_block, gap, note, tail)), above=1.8 * scale)


def _group_words() -> Mapping[str, Text]:
    """Return words for the groups of pieces: names of groups, kinds of company, and colours."""
    return {**card_words.table("group"), **card_words.table("who"), **card_words.table("colour")}


def _in_list(row: Block, number: int, count: int) -> Entry:
    """Return the row with this number in a list, arranged so that no row of several is alone in a
    column."""
    stays = number < count - 1 and number in (0, count - 2)
    return Entry.of(row, above=1.25 if number else 1.0, keep=stays)


def _row_block(counts: Sequence[int | None], words: str, ledger: _Ledger) -> Block:
    """Return columns of boxes to tick with their counts (None for an empty column), then words."""
    style, body = ledger.style, ledger.style.type("aid.check")
    pitch = _PITCH_MM if len(counts) == 1 else _NARROW_PITCH_MM
    room = pitch - _BOX_LEFT_MM - _BOX_MM - _AFTER_COUNT_MM
    columns = []
    for count in counts:
        column = strut(0)
        if count is not None:
            figures = ledger.line(str(count), "aid.check.strong")
            box = _box(body.cap_height_mm, style)
            column = in_row(_BOX_LEFT_MM, box, room - figures.width, figures, level=1)
        columns.append(replace(column, width=pitch))
    measure = ledger.width - len(counts) * pitch - _LEFT_MM - 0.4
    text = paragraph(words, body, style.ink("card.text"), measure, fill=False)
    return stacked(0.3, in_row(*columns, _LEFT_MM, text, level=0), 0.3)


def _company_blocks(pieces: Sequence[Piece], ledger: _Ledger) -> Iterator[Entry]:
    """Yield the heads of the columns of boxes with totals, then a row for each company: a box and a
    count in each column, the name, and the grades that differ from the heads."""
    style = ledger.style
    # The head of a column is the grade if it is the same in all rows, otherwise the group.
    grades: dict[str, dict[str, str]] = {}
    for piece in pieces:
        group = style.named(piece.group, _group_words())
        grades.setdefault(_column(piece), {})[_grade(piece, style)] = group
    heads = {
        column: next(iter(own if len(own) == 1 else own.values())) for column, own in grades.items()
    }
    if len(heads) > 1:
        yield _heads_block(heads, pieces, ledger)
    # A company takes as many rows as it has pieces in one column.
    rows: list[list[Piece]] = []
    for _, of_one in groupby(pieces, key=lambda piece: piece.name):
        columns: dict[str, list[Piece]] = {}
        for piece in of_one:
            columns.setdefault(_column(piece), []).append(piece)
        for slots in zip_longest(*columns.values()):
            rows.append([piece for piece in slots if piece is not None])
    for number, row in enumerate(rows):
        counts = {_column(piece): piece.count for piece in row}
        words = style.words(row[0].name)
        for piece in row:
            if _grade(piece, style) != heads[_column(piece)]:
                words = style.words(card_words("which"), words, _grade(piece, style))
        block = _row_block([counts.get(column) for column in heads], words, ledger)
        yield _in_list(block, number, len(rows))


def _heads_block(heads: dict[str, str], pieces: Sequence[Piece], ledger: _Ledger) -> Entry:
    """Return a small box, a word and a total for each column."""
    body = ledger.style.type("aid.check")
    entries = []
    for column, head in heads.items():
        total = sum(piece.count for piece in pieces if _column(piece) == column)
        words = ledger.line(f"{head} {total}", ink="card.soft")
        box = _box(words.height, ledger.style)
        entries.append(in_row(box, _AFTER_BOX_MM, words, level=1))
    between = 1.4 * body.size_mm - body.cap_height_mm
    lines = flowed(entries, ledger.width - _BOX_LEFT_MM, 3.1, between)
    return Entry.of(stacked(in_row(_BOX_LEFT_MM, lines), 0.5), above=1.2, keep=True)


def _column(piece: Piece) -> str:
    """Return the column of a piece: its group, except that certificates held back have their
    own."""
    return f"{piece.group}/reserved" if _percent(piece).endswith("r") else piece.group


_PERCENT = re.compile(r"[0-9]+(\.[0-9]+)?r?")


def _percent(piece: Piece) -> str:
    """Return the percentage in a certificate's id, with an `r` if it is held back; otherwise ""."""
    suffix = piece.id.rpartition("-")[2] if piece.kind == "certificate" else ""
    return suffix if _PERCENT.fullmatch(suffix) else ""


def _grade(piece: Piece, style: Style) -> str:
    """Return the share, or group, of a company's piece in words."""
    percent = _percent(piece)
    if not percent:
        return style.named(piece.group, _group_words())
    words = card_words("held_back") if percent.endswith("r") else card_words("share")
    return style.words(words, percent.removesuffix("r"))


def subject_name(title: Title, subject: str, style: Style) -> str:
    """Return the words for a JSON pointer ("companies/names") or a piece ("summary:merger"), with
    each part replaced by its name if it has one."""
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
