"""The blocks of a checklist: tiles in rows, kinds of piece, and sources."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.charts.checklist_rows import (
    BOX_MM,
    LEADING,
    OF_COMPANIES,
    check_box,
    company_blocks,
    group_words,
    row_block,
    stays,
)
from platelayer.drawing.charts.subject_words import subject_words
from platelayer.drawing.hex.thumbnail import thumbnail_items
from platelayer.drawing.kit.columns import Block
from platelayer.drawing.kit.parts import rule, tile_ink
from platelayer.drawing.kit.rich_text import rich_width, set_lines, set_rich, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import ASIDE, LEAD
from platelayer.foundation.languages import FixedWords
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import Manifest
from platelayer.model.pieces import Piece
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Stroke,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import set_line, text_width

say = FixedWords("cards")

_HEX_MM = 9.6
_TILE_MM = (15.4, 15.6)
_APART_MM = 2.6
"""Space beside the box, number and count of a tile, all together."""
_MADE_UP = "reconstruction"


class Ledger(Struct, frozen=True, kw_only=True):
    """What is listed, in which style, and the width of a column and of the page in mm."""

    title: Title
    manifest: Manifest
    style: Style
    width: float
    page: float


def _tick(x: float, y: float, style: Style) -> Path:
    """A tick mark, its middle left at (x, y)."""
    stroke = Stroke(ink=style.ink("card.tick"), width_mm=0.45, cap="round", join="round")
    return Path(commands=(("M", x, y), ("L", x + 0.7, y + 0.8), ("L", x + 2.0, y - 1.0)), stroke=stroke)


def provenance_heading(ledger: Ledger) -> Block:
    """The heading above where the definition comes from, as wide as the page."""
    kind, ink = ledger.style.type("aid.check.head"), ledger.style.ink("card.accent")
    base = kind.cap_height_mm
    line = rule(0.3, base + 1.1, ledger.page - 0.3, ink, 0.25)
    return Block(items=(*set_line(ledger.style.words(say("notes")), kind, ink, 0.2, base), line), height=base + 1.3)


def _heading(words: str, key: str, ledger: Ledger, width: float) -> Block:
    """A heading with a total, and a tick where the box declares the same total; else what the box declares, in red."""
    style = ledger.style
    kind, body = style.type("aid.check.head"), style.type("aid.check")
    ink = style.ink("card.accent")
    base = kind.cap_height_mm
    total = ledger.manifest.totals.get(key, 0)
    declared = dict(ledger.title.pieces.box).get(key)
    items: list[Item] = list(set_line(words, kind, ink, 0.2, base))
    right = width - 0.4
    if declared == total:
        items.append(_tick(right - 2.0, base / 2, style))
        right -= 3.0
    elif declared is not None:
        note = style.words(say("in_box"), declared)
        items += set_line(note, body, style.ink("card.alarm"), right, base, anchor=Anchor.END)
        right -= text_width(note, body) + 1.5
    items += set_line(str(total), kind, ink, right, base, anchor=Anchor.END)
    items.append(rule(0.3, base + 1.1, width - 0.3, ink, 0.25))
    return Block(items=tuple(items), height=base + 1.3, above=4.2, keep=True)


def tile_blocks(ledger: Ledger) -> Iterator[Block]:
    """Tiles by colour, a row of small drawings at a time."""
    style = ledger.style
    pieces = [piece for piece in ledger.manifest.pieces if piece.kind == "tile"]
    if not pieces:
        return
    layout = ledger.title.maps[0].layout if ledger.title.maps else Layout.FLAT
    yield _heading(style.words(KINDS["tile"].name), "tile", ledger, ledger.page)
    colours = dict.fromkeys([*ledger.title.colours, *(piece.group for piece in pieces)])
    across = max(1, int(ledger.page // max(_TILE_MM[0], *(_least_width(piece, style) for piece in pieces))))
    step = ledger.page / across
    for colour in colours:
        own = [piece for piece in pieces if piece.group == colour]
        for start in range(0, len(own), across):
            row = own[start : start + across]
            if start == 0:
                yield replace(_colour_heading(colour, ledger), above=2.6)
            items = tuple(
                Group(
                    items=_small_tile(ledger.title.tile_by_id[piece.id].tile, piece, layout, ledger.style, step),
                    matrix=translation(place * step, 0.0),
                )
                for place, piece in enumerate(row)
            )
            yield Block(items=items, height=_TILE_MM[1], above=0.8)


def _colour_heading(colour: str, ledger: Ledger) -> Block:
    """A tile colour with its total and, where the box declares one, whether they agree."""
    style = ledger.style
    kind, strong = style.type("aid.check"), style.type("aid.check.strong")
    ink = style.ink("card.text")
    base = 2.6
    key = f"tile/{colour}"
    total, declared = ledger.manifest.totals.get(key, 0), dict(ledger.title.pieces.box).get(key)
    name = style.named(colour, say.table("colour"))
    edge = Stroke(ink=ink, width_mm=0.15)
    items: list[Item] = [
        Path(commands=rectangle_path(0.2, base - 2.3, 4.0, 2.6, 0.4), fill=tile_ink(colour, style), stroke=edge),
        *set_line(f"{name}  {total}", strong, ink, 5.6, base),
    ]
    x = 5.6 + text_width(f"{name}  {total}", strong) + 2.0
    if declared == total:
        items.append(_tick(x, base - kind.cap_height_mm / 2, style))
    elif declared is not None:
        items += set_line(style.words(say("in_box"), declared), kind, style.ink("card.alarm"), x, base)
    return Block(items=tuple(items), height=base + 0.6, keep=True)


def _least_width(piece: Piece, style: Style) -> float:
    """Room for the box, number and count of a tile with its number in the smallest type."""
    number, count = style.type("aid.tile"), style.type("aid.check")
    words, times = piece.id, f"×{piece.count}"
    return BOX_MM + _APART_MM + text_width(words, number.at(number.min_pt)) + text_width(times, count)


def _small_tile(tile: Tile, piece: Piece, layout: Layout, style: Style, step: float) -> tuple[Item, ...]:
    """A small tile without its words, its number, how many there are, and a box."""
    number, count = style.type("aid.tile"), style.type("aid.check")
    wide, tall = (_HEX_MM / COS_30, _HEX_MM) if layout is Layout.FLAT else (_HEX_MM, _HEX_MM / COS_30)
    text = style.ink("card.text")
    base = tall + 3.2
    middle = number.cap_height_mm / 2
    words, times = piece.id, f"×{piece.count}"
    room = step - BOX_MM - _APART_MM - text_width(times, count)
    if text_width(words, number) > room:
        number = number.at(max(number.min_pt, number.size_pt * room / text_width(words, number)))
    after = BOX_MM + 1.0 + text_width(words, number) + 0.9
    return (
        Group(items=thumbnail_items(tile, layout, _HEX_MM, style), matrix=translation(wide / 2 + 0.3, tall / 2)),
        check_box(0.2, base - middle, style),
        *set_line(words, number, text, BOX_MM + 1.0, base),
        *set_line(times, count, style.ink("card.soft"), after, base),
    )


def kind_blocks(ledger: Ledger) -> Iterator[Block]:
    """Every kind but tiles: a heading with its total, then a line for each piece, or for each company."""
    style = ledger.style
    declared = (key for key, _ in ledger.title.pieces.box if "/" not in key)
    kinds = dict.fromkeys([*(piece.kind for piece in ledger.manifest.pieces), *declared])
    for kind in kinds:
        if kind == "tile":
            continue
        pieces = [piece for piece in ledger.manifest.pieces if piece.kind == kind]
        concessions = {piece.group for piece in pieces} == {"concession"}
        words = style.words(say("concessions")) if concessions else style.words(KINDS[kind].name)
        yield _heading(words, kind, ledger, ledger.width)
        yield from _group_notes(pieces, ledger)
        if kind in OF_COMPANIES:
            yield from company_blocks(pieces, style, ledger.width)
            continue
        for number, piece in enumerate(pieces):
            yield replace(_line(piece, ledger, first=number == 0), keep=stays(number, len(pieces)))


def _group_notes(pieces: list[Piece], ledger: Ledger) -> Iterator[Block]:
    """Totals of a kind's groups, then of its sizes, each on its own lines, in red where the box declares a different
    total.

    Groups that the rows of companies count anyway appear only where the box declares a different total.
    """
    groups = tuple(dict.fromkeys(piece.group for piece in pieces))
    sizes = tuple(dict.fromkeys(piece.size for piece in pieces))
    if any(_misses(f"{piece.kind}/{piece.group}", ledger) for piece in pieces) or not _in_rows(pieces):
        yield from _group_note(pieces, groups, ledger)
    if not {*sizes} <= {*groups, ""}:
        yield from _group_note(pieces, sizes, ledger)


def _in_rows(pieces: list[Piece]) -> bool:
    return any(piece.kind in OF_COMPANIES for piece in pieces)


def _misses(key: str, ledger: Ledger) -> bool:
    """Whether the box declares a different number for a group."""
    total = ledger.manifest.totals.get(key)
    return dict(ledger.title.pieces.box).get(key, total) != total


def _group_note(pieces: list[Piece], groups: tuple[str, ...], ledger: Ledger) -> Iterator[Block]:
    """The totals of some groups or sizes, if there are several; where some pieces belong to none, words say so
    first."""
    if len(groups) < 2 or not any(group in group_words() for group in groups):
        return
    style = ledger.style
    box = dict(ledger.title.pieces.box)
    body = style.type("aid.check")
    x, y = 0.2, body.cap_height_mm
    items: list[Item] = []
    if "" in groups:
        lead = style.words(say("of_these"))
        items += set_rich(lead, body, style.ink("card.soft"), x, y)
        x += rich_width(lead, body) + 1.2
    for group in filter(None, groups):
        key = f"{pieces[0].kind}/{group}"
        total, declared = ledger.manifest.totals[key], box.get(key)
        words = f"{style.named(group, group_words())} {total}"
        wrong = _misses(key, ledger)
        if wrong:
            words += f" ({style.words(say('in_box'), declared)})"
        if x + rich_width(words, body) > ledger.width and x > 0.3:
            x, y = 0.2, y + LEADING * body.size_mm
        items += set_rich(words, body, style.ink("card.alarm" if wrong else "card.soft"), x, y)
        x += rich_width(words, body) + 3.0
    yield Block(items=tuple(items), height=y + 0.4, above=1.0, keep=True)


def _line(piece: Piece, ledger: Ledger, *, first: bool) -> Block:
    """A box, how many, and the piece's name."""
    return row_block(((0, piece.count),), _described(piece, ledger.style), ledger.style, ledger.width, first=first)


def _described(piece: Piece, style: Style) -> str:
    """The name of a piece; for a card that is known by another name, that name comes first."""
    name = style.words(piece.name)
    words = style.words(say.table("named")[piece.kind], name) if piece.kind in say.table("named") else name
    if piece.kind == "train" and piece.id not in name:
        return style.words(say("card"), piece.id, words)
    return words


def provenance_blocks(ledger: Ledger, scale: float = 1.0) -> Iterator[Block]:
    """Where the definition's blocks come from: first what is reconstructed, then what sources disagree on; in type
    scaled by a share of the usual size."""
    if not ledger.title.provenance:
        return
    style = ledger.style
    usual = (style.type("aid.check"), style.type("aid.check.strong"))
    body, strong = (kind.at(kind.size_pt * scale) for kind in usual)
    text = style.ink("card.text")
    order = sorted(ledger.title.provenance, key=lambda entry: (entry.source != _MADE_UP, not entry.conflict))
    for entry in order:
        source = style.named(entry.source, say.table("source"))
        if entry.conflict:
            source = style.words(ASIDE, source, style.words(say("conflict")))
        lead = style.words(LEAD, source, subject_words(ledger.title, entry.subject, style))
        alarm = entry.source == _MADE_UP or entry.conflict
        lines = wrap_within(style.words(entry.note), body, ledger.width - 0.6)
        heads = wrap_within(lead, strong, ledger.width - 0.6)
        step = LEADING * body.size_mm
        cap = body.cap_height_mm
        items = (
            *set_lines(heads, strong, style.ink("card.alarm") if alarm else text, 0.2, cap, leading=LEADING),
            *set_lines(lines, body, text, 0.2, cap + len(heads) * step, leading=LEADING),
        )
        height = cap + (len(heads) + len(lines) - 1) * step + 0.25 * body.size_mm
        yield Block(items=items, height=height, above=1.8 * scale)
