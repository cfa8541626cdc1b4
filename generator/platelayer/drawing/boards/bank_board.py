"""The bank board: card-sized places for what the bank holds, and a strip of phases."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, product
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.company.roundel import (
    GHOST,
    company_inks,
    roundel_ghost,
    with_roundels,
)
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    Part,
    chip_block,
    in_row,
    line_block,
    placing,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced, wrap_even
from platelayer.drawing.kit.ornament import wheel
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import (
    EDGE_MM,
    NOTE_LEADING,
    board_note,
    board_scene,
    title_plate,
)
from platelayer.drawing.kit.tables import Cell, Column, DoesNotFit, Table, draw_table
from platelayer.drawing.train.card import band_colour, cards_of, colour_of_name, ended_by, price_of
from platelayer.drawing.train.phase_tables import (
    CardTypes,
    Cells,
    phase_facts,
    train_tables,
    whole_side,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company
from platelayer.model.kinds import KINDS, piece_size
from platelayer.model.title import BankArea, Size, Title
from platelayer.model.train import Train
from platelayer.scene.inks import Ink, mix, readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Items,
    Path,
    Scene,
    Stroke,
)
from platelayer.scene.typeset import TypeStyle, fit, text_width

card_words = FixedWords("cards")

_SCALES = (1.8, 1.6, 1.4, 1.25, 1.15, 1.05, 1)
_STRIP_PAD_MM = 0.8

# Extra width and height of a place compared with its card.
_SPARE_MM = 2.0
_BETWEEN_MM = 3.0
_AREA_GAP_MM = 4.0
_PAD_MM = 2.5
_BAND_MM = 7.6
# Maximum width to which a board may grow for its phases, and the step of growth.
_MOST_MM, _WIDER_MM = 800.0, 20.0
_BESIDE_MM = 1.9
# Gap between the slots of a fan.
_SLOT_GAP_MM = 1.2
_ROUND_MM = 2.4
# Padding above and below the words of a head; gap between words side by side, and the width from
# which words stand side by side.
_HEAD_PAD_MM, _HEAD_GAP_MM, _WIDE_MM = 1.6, 2.4, 44.0
# Maximum type size of names in heads, and the gap between lines there.
_NAME_PT, _LINE_MM = 9.0, 1.7


class _Head(NamedTuple):
    """Head of a place: its type size, its words, and the share of the spare height above them."""

    size_pt: float
    words: Block
    level: float = 0.5


class _Place(NamedTuple):
    """Place for cards: the kind of card, its size, the grounds of its head and of itself, the
    function that sets its head for a width and a maximum type size, and the one that draws its
    ghost."""

    thing: str
    width: float
    height: float
    band: Ink
    ground: Ink
    head: partial[_Head]
    ghost: Callable[[Box], Items]


class _Area(NamedTuple):
    """Area with lines of places and the heights of their heads; its note, which is in the band with
    its name if it fits there; and its minimum width and height in mm."""

    area: BankArea
    lines: list[list[_Place]]
    heads: list[float]
    note: Block
    in_band: bool
    width: float
    height: float


# Function that lays out tables within a width.
_Arrange = Callable[[Sequence[Table], float], Block]


def draw_bank_board(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the board, as large as its places need. Raises KeyError if the title has none."""
    board = title.pieces.bank_board
    if board is None:
        raise KeyError(piece_id)
    rows = [[each for area in row if (each := _measured(title, area, style))] for row in board.rows]
    rows = [row for row in rows if row]
    acrosses = [
        math.fsum(area.width for area in row) + _AREA_GAP_MM * (len(row) - 1) for row in rows
    ]
    inner = max(acrosses, default=96.0)
    strip = beside = None
    if board.phases and title.phases:
        placed = {train for row in board.rows for area in row for train in area.trains}
        # If some trains have no place, the strip states the facts that their heads would.
        trains = not placed.issuperset(train.id for train in title.trains)
        if rows:
            # If possible, the strip is beside the areas of the last row and as high as these.
            spare = inner - acrosses[-1] - _AREA_GAP_MM
            tall = max(area.height for area in rows[-1])
            ways = product((False, True), (spare,), _SCALES, (_stacked,))
            if fitting := _fitting(title, style, ways, trains=trains, tall=tall):
                beside = _framed(*fitting, style, tall)
        if beside is None:
            # Prefer cells on one line each; wrap them if that is too wide for a board. In the
            # largest type that fits, tables are side by side if possible.
            steps = max(0, math.ceil((_MOST_MM - inner) / _WIDER_MM)) + 2
            widths = [inner + number * _WIDER_MM for number in range(steps)]
            ways = product((False, True), widths, _SCALES, (_side_by_side, _stacked))
            fitting = _fitting(title, style, ways, trains=trains)
            if fitting is None:
                raise DoesNotFit(f"bank-board: the phases are wider than {widths[-1]:.0f} mm")
            inner, drawn = fitting
            strip = _framed(inner, drawn, style, drawn.height + 2 * _PAD_MM)
    blocks = []
    for row, across in zip(rows, acrosses, strict=True):
        tall = max(area.height for area in row)
        last = [beside] if beside and row is rows[-1] else []
        spare = 0 if last else (inner - across) / len(row)
        areas = [_area_block(area, style, area.width + spare, tall) for area in row]
        blocks.append(in_row(*areas, *last, gap=_AREA_GAP_MM))
    if strip:
        blocks.append(strip)
    words = style.words(board.name)
    plate, body = title_plate(title, words, style, inner), stacked(*blocks, gap=_AREA_GAP_MM)
    parts: list[Part] = [plate, 5.0, body]
    if board.note is not None:
        note = board_note(board.note, style, inner, above_mm=_AREA_GAP_MM, even=True)
        parts += (note, 2.0)
    return board_scene(f"bank-board:{piece_id}", words, stacked(*parts), style)


def _fitting(
    title: Title,
    style: Style,
    ways: Iterable[tuple[bool, float, float, _Arrange]],
    *,
    trains: bool,
    tall: float = math.inf,
) -> tuple[float, Block] | None:
    """Return the strip of phases, with its width, in the first way (wrapped cells or not, width,
    scale of type, arrangement) in which it fits; None if it fits in none."""
    for wraps, width, scale, arrange in ways:
        with suppress(DoesNotFit):
            tables = _tables(title, style, scale, trains=trains, wraps=wraps)
            strip = arrange(tables, width - 2 * _PAD_MM)
            spare = tall - 2 * _PAD_MM - strip.height
            if 0 <= spare < math.inf:
                # Spread the rows over the given height.
                pad = spare / 2 / sum(len(table.rows) for table in tables)
                tables = [replace(table, pad=table.pad + pad) for table in tables]
                strip = arrange(tables, width - 2 * _PAD_MM)
            if spare >= 0:
                return width, strip
    return None


def _framed(width: float, strip: Block, style: Style, height: float) -> Block:
    """Return the strip, centred in a frame of this size."""
    frame = Box(0, 0, width, height)
    edge = Stroke(style.ink("board.edge"), EDGE_MM)
    plate = frame.plate(style.ink("card.ground"), edge, radius=_ROUND_MM)
    return Block(width, height, placing((plate, frame.centred(strip))))


def _measured(title: Title, area: BankArea, style: Style) -> _Area | None:
    """Return an area at its minimum size; None if it has no places, for example in a variant
    without its companies."""
    places = _places(title, area, style)
    if not places:
        return None
    columns = min(area.columns, len(places))
    lines = [places[at : at + columns] for at in range(0, len(places), columns)]
    wide = max(
        line[0].width + math.fsum(area.shows_mm or place.width + _BETWEEN_MM for place in line[1:])
        for line in lines
    )
    heads = []
    for line in lines:
        least = area.shows_mm - _SLOT_GAP_MM if area.shows_mm and len(line) > 1 else line[0].width
        set_heads = _heads(line, least - 2 * _BESIDE_MM)
        heads.append(max(head.words.height for head in set_heads) + 2 * _HEAD_PAD_MM)
    tall = math.fsum(max(place.height for place in line) for line in lines) + math.fsum(heads)
    tall += _BETWEEN_MM * (len(lines) - 1)
    note, in_band = strut(0), False
    if area.note is not None:
        type_style, words = style.type("board.legend"), style.words(area.note)
        name = text_width(style.words(area.name), _heading(style))
        fitted = fit(words, type_style, wide - name - 3 * _HEAD_GAP_MM)
        in_band = text_width(words, fitted) + name + 3 * _HEAD_GAP_MM <= wide
        type_style = fitted if in_band else type_style
        ink = style.ink("board.cell" if in_band else "board.edge")
        rows = (words,) if in_band else wrap_even(words, type_style, wide)
        note = text_block(rows, type_style, ink, leading=NOTE_LEADING)
        if not in_band:
            below = 1.6 + NOTE_LEADING * type_style.size_mm - type_style.cap_height_mm
            note = stacked(-0.6, note, below)
    height = _BAND_MM + (0 if in_band else note.height) + tall + 2 * _PAD_MM
    return _Area(area, lines, heads, note, in_band, wide + 2 * _PAD_MM, height)


def _heading(style: Style) -> TypeStyle:
    return style.type("board.round").at(11)


def _heads(line: Sequence[_Place], width: float) -> list[_Head]:
    """Return the heads of a line of places. Heads of one kind have the same type size, that of the
    smallest."""
    # Go over the line twice: a head set in the size of another may break differently and then need
    # a smaller size.
    sizes: dict[object, float] = {}
    for place in (*line, *line):
        most = sizes.get(place.head.func, math.inf)
        sizes[place.head.func] = min(most, place.head(width, most).size_pt)
    return [place.head(width, sizes[place.head.func]) for place in line]


def _places(title: Title, area: BankArea, style: Style) -> list[_Place]:
    """Return the places of an area, each slightly larger than the largest card that may lie
    there."""
    cell, edge = style.ink("board.cell"), style.ink("board.edge")
    places = []

    def add(
        thing: str,
        cards: Sequence[Size],
        inks: tuple[Ink, Ink],
        head: partial[_Head],
        ghost: Callable[[Box], Items],
    ) -> None:
        width = max(card.width_mm for card in cards) + _SPARE_MM
        height = max(card.height_mm for card in cards) + _SPARE_MM
        places.append(_Place(thing, width, height, *inks, head, ghost))

    for company in with_roundels(title).values():
        listed = area.companies is not None and area.companies in (company.kind.value, company.size)
        if listed and company.certificates and not company.owned_whole:
            cards = [
                piece_size(title, "certificate", f"{company.id}-{certificate.grade}", company.size)
                for certificate in company.certificates
            ]
            inks = company_inks(company, style)
            pale = mix(cell, inks.line, GHOST)
            ghost = partial(roundel_ghost, company, cell, Stroke(pale, 0.3))
            head = partial(_company, company, style)
            add("certificate", cards, (inks.band, cell), head, ghost)
    for train_id in area.trains:
        train = title.train_by_id[train_id]
        band = tile_ink(band_colour(title, train), style)
        ground = mix(band, cell, 0.45)
        pale = mix(ground, readable_on(ground, dark=style.ink("text")), GHOST)
        head, cards = partial(_train, title, train, style), [piece_size(title, "train", train_id)]
        add(
            "train",
            cards,
            (band, ground),
            head,
            partial(_wheel, pale),
        )
    # A place with stated words must fit any card of its kind.
    pieces = KINDS[area.card].pieces(title)
    cards = [piece_size(title, area.card, piece.id, piece.size or None) for piece in pieces]
    for text in area.places:
        head = partial(_named, style.words(text), style)
        sizes = cards or [piece_size(title, area.card)]
        add(area.card, sizes, (edge, cell), head, lambda _: ())
    return places


def _wheel(ink: Ink, place: Box) -> Items:
    return wheel(*place.middle, place.height * 0.2, ink)


def _area_block(area: _Area, style: Style, width: float, height: float) -> Block:
    """Lay out an area: a band with its heading, its note, and its places, spread over the width."""
    edge, frame = style.ink("board.edge"), Box(0, 0, width, height)
    band, body = frame.rows(_BAND_MM, 0)
    outline, name = frame.path(_ROUND_MM), style.words(area.area.name)
    grounds = (Path(outline, fill=style.ink("board.fifty")), band.plate(edge))
    inner = body.inset(0, _PAD_MM)
    if area.in_band:
        note = band.centred(area.note, Anchor.END, pad=_PAD_MM)
    else:
        note = body.centred(area.note, level=0, down=_PAD_MM)
        inner = inner.within(width, inner.height - area.note.height, level=1)
    items = (
        Group(grounds, clip=outline),
        Path(outline, stroke=Stroke(edge, EDGE_MM)),
        band.words(name, _heading(style), style.ink("board.cell"), Anchor.START, pad=_PAD_MM),
        note,
        *_lines(area, style, inner),
    )
    return Block(width, height, placing(items))


def _lines(area: _Area, style: Style, body: Box) -> Iterator[Item]:
    """Draw the places of an area in lines, each place below its head. Lines are spread over the
    height from the top, so that heads of areas side by side are level."""
    lines, shows = area.lines, area.area.shows_mm
    free = body.width - math.fsum(place.width for place in lines[0])
    gap = max(_BETWEEN_MM, min(3 * _BETWEEN_MM, free / (len(lines[0]) + 1)))
    heights = [
        head + max(place.height for place in line)
        for line, head in zip(lines, area.heads, strict=True)
    ]
    apart = (body.height - math.fsum(heights)) / len(lines)
    edge = style.ink("board.line")
    outline = Stroke(edge, 0.3)
    paper = style.ink("board.fifty")
    ghost = Stroke(mix(paper, edge, 2 * GHOST), 0.25)
    rows = body._replace(height=body.height - apart).rows(*heights, gap=apart)
    for line, tall, row in zip(lines, area.heads, rows, strict=True):
        (first, *rest), (above, low) = line, row.rows(tall, 0)
        steps = [place.width + gap for place in rest]
        if shows:
            # Cards overlap; each shows as much as there is room for.
            most = (body.width - 2 * _PAD_MM - first.width) / max(1, len(rest))
            steps = [min(step, most) for step in steps]
        rights = accumulate(steps, initial=row.middle[0] + (first.width - math.fsum(steps)) / 2)
        cards = [
            Box(end - place.width, low.y, place.width, place.height)
            for place, end in zip(line, rights, strict=True)
        ]
        fanned = bool(steps) and min(steps) < first.width
        wide = min(steps) - _SLOT_GAP_MM if fanned else first.width
        if fanned:
            # All slots are equal; edges drawn at their left show how the cards overlap.
            left = cards[0]._replace(width=cards[0].width - wide - _SLOT_GAP_MM)
            edges = [card.plate(paper, ghost, radius=_ROUND_MM) for card in cards]
            yield left.clipped(edges)
        for place, card, head in zip(line, cards, _heads(line, wide - 2 * _BESIDE_MM), strict=True):
            slot = card.within(min(wide, card.width), card.height, Anchor.END)
            whole = Box(slot.x, above.y, slot.width, tall + slot.height)
            top = whole._replace(height=tall)
            grounds = (whole.plate(place.ground), top.plate(place.band))
            yield whole.clipped(grounds, _ROUND_MM)
            yield top.centred(head.words, level=head.level, down=_HEAD_PAD_MM)
            yield card.place(place.thing, place.ghost(slot))
            yield whole.plate(stroke=outline, radius=_ROUND_MM)


def _company(company: Company, style: Style, width: float, most_pt: float) -> _Head:
    """Set the abbreviation and name of a company."""
    own, ink = style.type("map.places").at(_NAME_PT), company_inks(company, style).on_band
    short = line_block(company.token_text, style.type("board.cycle"), ink, width)
    beside = width >= _WIDE_MM
    room = width - short.width - _HEAD_GAP_MM if beside else width
    most = own.at(min(own.size_pt, most_pt))
    words, fewest = style.words(company.name), 2
    type_style, lines = balanced(words, most, room, fewest)
    if len(lines) > fewest or type_style.size_pt <= type_style.min_pt:
        type_style, lines = balanced(words, most, room, fewest + 1, clip=True)
    name = text_block(lines, type_style, ink, leading=NOTE_LEADING)
    if beside:
        return _Head(type_style.size_pt, in_row(short, name, gap=_HEAD_GAP_MM))
    # Give every name the height of two lines in the largest type, so that all heads are level.
    height = max(name.height, own.cap_height_mm + NOTE_LEADING * own.size_mm)
    name = name.sized(name.width, height, level=0)
    return _Head(type_style.size_pt, stacked(short, _LINE_MM, name), 0)


def _train(title: Title, train: Train, style: Style, width: float, most_pt: float) -> _Head:
    """Set the name of a train, its price with the number of cards, and the trains that its sale
    rusts."""
    ink = readable_on(tile_ink(band_colour(title, train), style), dark=style.ink("text"))
    names = " / ".join(side.name for side in train.faces)
    prices = " / ".join(dict.fromkeys(price_of(title, side) for side in train.faces))
    price, small = f"{prices}  × {cards_of(train)}".strip(), style.type("train.price").at(11)
    beside = width >= _WIDE_MM
    room = width * (0.3 if beside else 0.45)
    name = line_block(names, style.type("train.name").at(20 if beside else 16), ink, room)
    room = width - name.width - _HEAD_GAP_MM
    rusted = ended_by(title, train, train.faces[0])
    # If any train rusts others, all heads have room for it.
    rusts = any(ended_by(title, other, other.faces[0]) for other in title.trains)
    chip, round_type = style.type("card.chip"), style.type("board.round")
    parts: list[Block | float] = []
    for key, ended in rusted:
        words = line_block(style.words(card_words(key)), round_type.at(8.5), ink, width)
        chips = (chip_block(each, colour_of_name(title, each), chip, style) for each in ended)
        parts += [words, 0.4, *chips]
    below = in_row(*parts, gap=1) if rusted else strut(0)
    if below.width > (room if beside else width):
        said = (f"{style.words(card_words(key))} {', '.join(ended)}" for key, ended in rusted)
        below = line_block("  ".join(said), round_type, ink, width)
    if beside:
        room -= below.width + _HEAD_GAP_MM if rusted else 0
    fitted = fit(price, small.at(min(most_pt, small.size_pt)), room)
    paid = text_block(price, fitted, ink)
    if beside:
        row = (name, paid, below) if rusted else (name, paid)
        return _Head(fitted.size_pt, in_row(*row, gap=_HEAD_GAP_MM))
    first = in_row(name, paid, gap=_HEAD_GAP_MM, level=1)
    height = (
        first.height + _LINE_MM + chip_block("1", "white", chip, style).height
        if rusts
        else first.height
    )
    return _Head(
        fitted.size_pt, stacked(first, _LINE_MM, below).sized(first.width, height, level=0)
    )


def _named(words: str, style: Style, width: float, most_pt: float) -> _Head:
    """Set the stated words of a place."""
    own = style.type("map.places").at(_NAME_PT)
    type_style, lines = balanced(words, own.at(min(own.size_pt, most_pt)), width, 2, clip=True)
    ink = style.ink("board.cell")
    return _Head(type_style.size_pt, text_block(lines, type_style, ink, leading=NOTE_LEADING))


def _tables(title: Title, style: Style, scale: float, *, trains: bool, wraps: bool) -> list[Table]:
    """Return tables of phases and, if requested, of trains with their prices, counts and rusting.
    With `wraps`, long cells may take several lines."""
    types = CardTypes.of(style, scale)
    # Type on a board must have at least MIN_PLAY_PT.
    types = replace(types, head=types.head.at(max(types.head.size_pt, MIN_PLAY_PT)))
    # A column for each phase.
    cells, phases = Cells(title=title, style=style, types=types), title.phases
    facts, rows = phase_facts(cells, phases, brief=True), list[Sequence[Cell]]()
    limits, words = [fact for fact in facts if fact.limit], cells.label("train_limit")
    for fact in facts:
        if len(limits) > 1 and fact is limits[0]:
            rows.append((words, *[None] * len(phases)))
        head = words if limits == [fact] else fact.head
        rows.append((head, *map(fact.cell, phases)))
    columns = (Column(), *[Column(align=Anchor.MIDDLE)] * len(phases))
    tables = [cells.table(columns, rows, pad=_STRIP_PAD_MM * types.scale, gap=1.4, even=True)]
    if trains:
        tables += train_tables(title, whole_side(title), style, types, _STRIP_PAD_MM * scale / 2)
    return [replace(table, wraps=table.wraps or wraps) for table in tables]


def _stacked(tables: Sequence[Table], width_mm: float) -> Block:
    """Lay out tables one below the other. Raises DoesNotFit."""
    return stacked(*(draw_table(table, width_mm) for table in tables), gap=3.0)


def _side_by_side(tables: Sequence[Table], width_mm: float) -> Block:
    """Lay out tables side by side, with widths proportional to their numbers of columns. Raises
    DoesNotFit."""
    columns = math.fsum(len(table.columns) for table in tables)
    room = width_mm - _PAD_MM * 2 * (len(tables) - 1)
    drawn = [draw_table(table, room * len(table.columns) / columns) for table in tables]
    return in_row(*drawn, gap=2 * _PAD_MM, level=0)
