"""The bank board: places as large as cards for what the bank holds, and a strip of phases."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, product
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.company.roundel import company_inks, roundel_items, with_roundels
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    Part,
    below,
    chip_block,
    in_row,
    line_block,
    placing,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced, ink_height
from platelayer.drawing.kit.panels import (
    EDGE_MM,
    NOTE_LEADING,
    SPACE_LEADING,
    board_note,
    board_scene,
    title_plate,
)
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.rich_text import wrap_even
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Cell, Column, DoesNotFit, Table, draw_table
from platelayer.drawing.train.card import band_colour, cards_of, colour_of_name, rusted_by
from platelayer.drawing.train.phase_tables import (
    CardTypes,
    Cells,
    limited_name,
    limits_of,
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
    Path,
    Scene,
    Stroke,
)
from platelayer.scene.typeset import TypeStyle, fit

card_words = FixedWords("cards")

_SCALES = (1.8, 1.6, 1.4, 1.25, 1.15, 1.05, 1)
_STRIP_PAD_MM = 0.8

# How much larger than its card a place is.
_SPARE_MM = 2.0
_BETWEEN_MM = 3.0
_AREA_GAP_MM = 4.0
_PAD_MM = 3.5
_BAND_MM = 7.6
# The most that a board may grow to for its phases, and each step of that.
_MOST_MM, _WIDER_MM = 800.0, 20.0
_BESIDE_MM = 1.9
# Between the slots of a fan; the part of a line's ink in the edges of its cards.
_SLOT_GAP_MM, _GHOST = 1.2, 0.15
_ROUND_MM = 2.4
# Room for the trains that a train rusts.
_RUSTS_MM = 5.0


class _Name(NamedTuple):
    """Setting of names in a line of places: their size, and that of prices below them; number of
    lines, and how far the tails of the last reach down."""

    size_pt: float
    price_pt: float = math.inf
    lines: int = 1
    tail: float = 0.0


class _Place(NamedTuple):
    """One place: what lies there, its size, its ground, the function that sets its name in as much
    of it as shows, and the one that draws its words there in the setting of its line."""

    thing: str
    width: float
    height: float
    ground: Ink
    name: partial[_Name]
    draw: Callable[[Box, _Name], Group]


class _Area(NamedTuple):
    """An area with lines of places, its note, and its least width and height in mm."""

    area: BankArea
    lines: list[list[_Place]]
    note: Block
    width: float
    height: float


# Tables in a width.
_Arrange = Callable[[Sequence[Table], float], Block]


def draw_bank_board(title: Title, piece_id: str, style: Style) -> Scene:
    """The board, as large as its places need. Raises KeyError when the title has none."""
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
        # Where some trains have no place, the strip says what their places would.
        trains = not placed.issuperset(train.id for train in title.trains)
        if rows:
            # The strip stands beside the areas of the last row, as high as these, if it can.
            spare = inner - acrosses[-1] - _AREA_GAP_MM
            tall = max(area.height for area in rows[-1])
            ways = product((False, True), (spare,), _SCALES, (_stacked,))
            if fitting := _fitting(title, style, ways, trains=trains, tall=tall):
                beside = _framed(*fitting, style, tall)
        if beside is None:
            # As wide as its cells are on one line each; if that is too wide for a board, as wide as
            # their words. In the largest type that fits, tables stand side by side if they can.
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
    """The strip of phases in the first way (wrapped cells or not, width, scale of type,
    arrangement) in which it fits, with its width."""
    for wraps, width, scale, arrange in ways:
        with suppress(DoesNotFit):
            tables = _tables(title, style, scale, trains=trains, wraps=wraps)
            strip = arrange(tables, width - 2 * _PAD_MM)
            spare = tall - 2 * _PAD_MM - strip.height
            if 0 <= spare < math.inf:
                # Rows fill the height of a frame that is given.
                pad = spare / 2 / sum(len(table.rows) for table in tables)
                tables = [replace(table, pad=table.pad + pad) for table in tables]
                strip = arrange(tables, width - 2 * _PAD_MM)
            if spare >= 0:
                return width, strip
    return None


def _framed(width: float, strip: Block, style: Style, height: float) -> Block:
    """The strip in the middle of its frame."""
    frame = Box(0, 0, width, height)
    edge = Stroke(style.ink("board.edge"), EDGE_MM)
    plate = frame.plate(style.ink("card.ground"), edge, radius=_ROUND_MM)
    return Block(width, height, placing((plate, frame.centred(strip))))


def _measured(title: Title, area: BankArea, style: Style) -> _Area | None:
    """An area as small as it can be; None where it has no place, as in a variant without its
    companies."""
    places = _places(title, area, style)
    if not places:
        return None
    columns = min(area.columns, len(places))
    lines = [places[at : at + columns] for at in range(0, len(places), columns)]
    wide = max(
        line[0].width + math.fsum(area.shows_mm or place.width + _BETWEEN_MM for place in line[1:])
        for line in lines
    )
    tall = math.fsum(max(place.height for place in line) for line in lines)
    tall += _BETWEEN_MM * (len(lines) - 1)
    note = strut(0)
    if area.note is not None:
        type_style = style.type("board.legend")
        words = wrap_even(style.words(area.note), type_style, wide)
        text = text_block(words, type_style, style.ink("board.edge"), leading=NOTE_LEADING)
        below = 1.6 + NOTE_LEADING * type_style.size_mm - type_style.cap_height_mm
        note = stacked(-0.6, text, below)
    height = _BAND_MM + note.height + tall + 2 * _PAD_MM
    return _Area(area, lines, note, wide + 2 * _PAD_MM, height)


def _places(title: Title, area: BankArea, style: Style) -> list[_Place]:
    """The places of an area: each as large as the largest card that may lie there, and a little
    more."""
    cell = style.ink("board.cell")
    places = []

    def add(
        thing: str,
        cards: Sequence[Size],
        ink: Ink,
        name: partial[_Name],
        draw: Callable[[Box, _Name], Group],
    ) -> None:
        width = max(card.width_mm for card in cards) + _SPARE_MM
        height = max(card.height_mm for card in cards) + _SPARE_MM
        places.append(_Place(thing, width, height, ink, name, draw))

    for company in with_roundels(title).values():
        listed = area.companies is not None and area.companies in (company.kind.value, company.size)
        if listed and company.certificates and not company.owned_whole:
            cards = [
                piece_size(title, "certificate", f"{company.id}-{certificate.grade}", company.size)
                for certificate in company.certificates
            ]
            words = style.words(company.name)
            name = partial(_name, words, style)
            add("certificate", cards, cell, name, partial(_company, company, style))
    for train_id in area.trains:
        train = title.train_by_id[train_id]
        colour = tile_ink(band_colour(title, train), style)
        ink = mix(colour, cell, 0.45)
        draw = partial(_train, title=title, train=train, style=style, ground=ink)
        add(
            "train",
            [piece_size(title, "train", train_id)],
            ink,
            partial(_train_name, title, train, style),
            draw,
        )
    # A place with words is for any card of its kind.
    pieces = KINDS[area.card].pieces(title)
    cards = [piece_size(title, area.card, piece.id, piece.size or None) for piece in pieces]
    for text in area.places:
        words = style.words(text)
        name = partial(_name, words, style)
        sizes = cards or [piece_size(title, area.card)]
        add(area.card, sizes, cell, name, partial(_named, words, style))
    return places


def _area_block(area: _Area, style: Style, width: float, height: float) -> Block:
    """An area: a band with its heading, its note, and its places, spread over the width."""
    edge, frame = style.ink("board.edge"), Box(0, 0, width, height)
    band, body = frame.rows(_BAND_MM, 0)
    outline, heading = frame.path(_ROUND_MM), style.type("board.round").at(11)
    grounds = (Path(outline, fill=style.ink("board.fifty")), band.plate(edge))
    inner = body.inset(0, _PAD_MM)
    places = inner.within(width, inner.height - area.note.height, level=1)
    items = (
        Group(grounds, clip=outline),
        Path(outline, stroke=Stroke(edge, EDGE_MM)),
        band.words(style.words(area.area.name), heading, style.ink("board.cell"), pad=_PAD_MM),
        body.centred(area.note, level=0, down=_PAD_MM),
        *_lines(area, style, places),
    )
    return Block(width, height, placing(items))


def _lines(area: _Area, style: Style, body: Box) -> Iterator[Item]:
    """The places of an area in lines. These are spread over the height, so that those of areas side
    by side are level."""
    lines, shows = area.lines, area.area.shows_mm
    free = body.width - math.fsum(place.width for place in lines[0])
    gap = max(_BETWEEN_MM, min(3 * _BETWEEN_MM, free / (len(lines[0]) + 1)))
    heights = [max(place.height for place in line) for line in lines]
    apart = (body.height - math.fsum(heights)) / len(lines)
    edge = style.ink("board.line")
    outline = Stroke(edge, 0.3, dash=(1.6, 1.1))
    paper = mix(style.ink("board.fifty"), style.ink("board.cell"), 0.35)
    ghost = Stroke(mix(paper, edge, _GHOST), 0.3)
    rows = body.inset(0, apart / 2).rows(*heights, gap=apart)
    for line, row in zip(lines, rows, strict=True):
        (first, *rest), slots = line, list[Box]()
        steps = [place.width + gap for place in rest]
        if shows:
            # Cards lie below each other and show as much as there is room for.
            most = (body.width - 2 * _PAD_MM - first.width) / max(1, len(rest))
            steps = [min(step, most) for step in steps]
        rights = accumulate(steps, initial=row.middle[0] + (first.width - math.fsum(steps)) / 2)
        cards = [
            Box(end - place.width, row.y, place.width, place.height)
            for place, end in zip(line, rights, strict=True)
        ]
        fanned = bool(steps) and min(steps) < first.width
        for card in cards:
            wide = min(steps) - _SLOT_GAP_MM if fanned else card.width
            slots.append(card.within(wide, card.height, Anchor.END))
        if fanned:
            # All slots are equal; at their left, the edges of cards show how these lie.
            left = cards[0]._replace(width=slots[0].x - _SLOT_GAP_MM - cards[0].x)
            edges = [card.plate(paper, ghost, radius=_ROUND_MM) for card in cards]
            yield left.clipped(edges)
        # Names of one sort have one size and one level; those that are set anew in the size of
        # others may need a smaller one for other breaks.
        names: dict[object, _Name] = {}
        for place, slot in 2 * [*zip(line, slots, strict=True)]:
            sort = place.name.func
            other = names.get(sort, _Name(math.inf))
            name = place.name(slot, other.size_pt)
            names[sort] = _Name(
                min(name.size_pt, other.size_pt),
                min(name.price_pt, other.price_pt),
                max(name.lines, other.lines),
                max(name.tail, other.tail),
            )
        for place, card, slot in zip(line, cards, slots, strict=True):
            plate = slot.plate(place.ground, outline, radius=_ROUND_MM)
            words = place.draw(slot, names[place.name.func])
            yield card.place(place.thing, (plate, words))


def _set_name(words: str, own: TypeStyle, place: Box) -> tuple[TypeStyle, tuple[str, ...]]:
    """A name on up to three lines in a place, in the largest type up to `own`."""
    room = place.width - 2 * _BESIDE_MM
    fitted = balanced(words, own, room, 3, clip=True)
    # Parts of a compound stand on lines of their own where that makes the name larger.
    parted = balanced(words.replace("-", "- "), own, room, 3, clip=True)
    if parted[0].size_pt > fitted[0].size_pt and not any("- " in line for line in parted[1]):
        return parted
    return fitted


def _name(words: str, style: Style, place: Box, most_pt: float) -> _Name:
    own = style.type("map.places")
    type_style, lines = _set_name(words, own.at(min(own.size_pt, most_pt)), place)
    return _Name(type_style.size_pt, lines=len(lines))


def _company(company: Company, style: Style, place: Box, name: _Name) -> Group:
    """The place of a company's certificates: its roundel, and its name below."""
    ring = min(0.46 * place.height, place.width - 2 * _BESIDE_MM)
    own, ink = style.type("map.places").at(name.size_pt), company_inks(company, style).line
    type_style, lines = _set_name(style.words(company.name), own, place)
    # Roundels and names are level, whatever these say and however many lines they take.
    rise = 0.8 * type_style.size_mm
    words = text_block(lines, type_style, ink, leading=SPACE_LEADING, rise=below(rise))
    tall = rise + (name.lines - 1) * SPACE_LEADING * type_style.size_mm
    roundel = shape_block(roundel_items(company, ring, style), ring)
    return place.centred(stacked(roundel, 2.0, replace(words, height=tall)))


def _train_words(title: Title, train: Train, style: Style) -> tuple[tuple[str, TypeStyle], ...]:
    """Name, and price with the number of cards, with their types."""
    name = " / ".join(side.name for side in train.faces)
    prices = " / ".join(dict.fromkeys(title.money(side.price) for side in train.faces))
    return (name, style.type("train.name")), (
        f"{prices}  × {cards_of(train)}",
        style.type("train.price"),
    )


def _train_name(title: Title, train: Train, style: Style, place: Box, most_pt: float) -> _Name:
    room = place.width - 2 * _BESIDE_MM
    (name, big), (price, small) = _train_words(title, train, style)
    big = fit(
        name, big.at(min(most_pt, big.size_pt * 0.4 * place.height / big.cap_height_mm)), room
    )
    tail = -ink_height(name, big)[0]
    return _Name(big.size_pt, fit(price, small, room).size_pt, tail=max(0.0, tail))


def _train(
    place: Box, setting: _Name, *, title: Title, train: Train, style: Style, ground: Ink
) -> Group:
    """The place of a train's cards: its name on its colour, price and count, and the trains that
    its sale rusts."""
    ink = readable_on(ground, dark=style.ink("text"))
    room = place.width - 2 * _BESIDE_MM
    (name, big), (price, small) = _train_words(title, train, style)
    parts: list[Part] = [
        line_block(name, big.at(setting.size_pt), ink, room),
        2.6 + setting.tail,
        line_block(price, small.at(setting.price_pt), ink, room),
    ]
    # Where any train rusts others, all names stand as high as if each did.
    if any(rusted_by(title, other, other.faces[0]) for other in title.trains):
        parts += (1.4, _rusts(title, train, style, ink, room))
    return place.centred(stacked(*parts))


def _rusts(title: Title, train: Train, style: Style, ink: Ink, room: float) -> Block:
    """The trains that the sale of a train rusts: as chips, or in words where these are too wide."""
    rusted = rusted_by(title, train, train.faces[0])
    type_style, chip = style.type("board.round"), style.type("card.chip")
    label = style.words(card_words("rusts"))
    if not rusted:
        return strut(_RUSTS_MM)
    parts: list[Part] = [text_block(label, type_style, ink), 0.4]
    for each in rusted:
        parts += (1, chip_block(each, tile_ink(colour_of_name(title, each), style), chip))
    chips = in_row(*parts)
    if chips.width <= room:
        return chips.sized(chips.width, _RUSTS_MM)
    type_style, lines = balanced(f"{label} {', '.join(rusted)}", type_style, room, 2, clip=True)
    words = text_block(lines, type_style, ink, leading=NOTE_LEADING)
    return words.sized(room, _RUSTS_MM + words.height - type_style.cap_height_mm)


def _named(words: str, style: Style, place: Box, name: _Name) -> Group:
    """A place with words of its own."""
    type_style, lines = _set_name(words, style.type("map.places").at(name.size_pt), place)
    ink = style.ink("board.edge")
    return place.centred(text_block(lines, type_style, ink, leading=NOTE_LEADING, by_ink=True))


def _tables(title: Title, style: Style, scale: float, *, trains: bool, wraps: bool) -> list[Table]:
    """Tables of phases and, if asked for, of trains with their prices, counts and rusting; long
    cells take several lines if they may wrap."""
    types = CardTypes.of(style, scale)
    # On a board type can be read from 7 pt.
    types = replace(types, head=types.head.at(max(types.head.size_pt, MIN_PLAY_PT)))
    # A column for each phase; rows that say nothing are left out.
    cells = Cells(title=title, style=style, types=types)
    phases = title.phases
    rows: list[tuple[Cell, ...]] = [
        (cells.label(card_words("phase")), *map(cells.phase, phases)),
        (cells.label(card_words("begins_with")), *map(cells.begins, phases)),
        (cells.label(card_words("tiles")), *map(cells.tiles, phases)),
    ]
    bound = limits_of(phases)
    if len(bound) > 1:
        rows.append((cells.label(card_words("train_limit")), *([None] * len(phases))))
    for who in bound:
        head = cells.label(card_words("train_limit"))
        if len(bound) > 1:
            head = replace(head, text=limited_name(title, who, style))
        rows.append((head, *(cells.limit(who, phase) for phase in phases)))
    if any(phase.operating_rounds for phase in phases):
        rows.append((cells.label(card_words("operating_rounds")), *map(cells.rounds, phases)))
    if any(phase.revenue is not None for phase in phases):
        rows.append((cells.label(card_words("off_board")), *map(cells.value, phases)))
    tables = [
        Table(
            columns=(Column(), *([Column(align=Anchor.MIDDLE)] * len(phases))),
            rows=tuple(rows),
            rule=style.ink("card.hair"),
            strong=style.ink("card.accent"),
            pad=_STRIP_PAD_MM * types.scale,
            gap=1.4,
            even=True,
        )
    ]
    if trains:
        tables += train_tables(title, whole_side(title), style, types, _STRIP_PAD_MM * scale / 2)
    return [replace(table, wraps=table.wraps or wraps) for table in tables]


def _stacked(tables: Sequence[Table], width_mm: float) -> Block:
    """Tables one below the other. Raises DoesNotFit."""
    return stacked(*(draw_table(table, width_mm) for table in tables), gap=3.0)


def _side_by_side(tables: Sequence[Table], width_mm: float) -> Block:
    """Tables side by side, as wide as their columns are many. Raises DoesNotFit."""
    columns = math.fsum(len(table.columns) for table in tables)
    room = width_mm - _PAD_MM * 2 * (len(tables) - 1)
    drawn = [draw_table(table, room * len(table.columns) / columns) for table in tables]
    return in_row(*drawn, gap=2 * _PAD_MM, level=0)
