"""The bank board: places as large as cards for what the bank holds, and a strip of phases."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, product

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company.roundel import company_inks, roundel_items, with_roundels
from platelayer.drawing.kit.lettering import balanced, ink_height, line_step, one_line
from platelayer.drawing.kit.panels import (
    EDGE_MM,
    MARGIN_MM,
    NOTE_LEADING,
    SPACE_LEADING,
    board_scene,
    title_plate,
)
from platelayer.drawing.kit.parts import chip_items, chip_width, tile_ink
from platelayer.drawing.kit.rich_text import set_lines, wrap_even
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import Cell, Column, DoesNotFit, Drawn, Table, draw_table
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
from platelayer.foundation.text import Text
from platelayer.model.company import Company
from platelayer.model.kinds import KINDS, piece_size
from platelayer.model.title import BankArea, BankBoard, Size, Title
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
    boxed,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, drop_mm, rise_mm, set_centred, set_line, text_width

card_words = FixedWords("cards")

_SCALES = (1.8, 1.6, 1.4, 1.25, 1.15, 1.05, 1.0)
_STRIP_PAD_MM, _STRIP_GAP_MM, _STRIP_BETWEEN_MM = 0.8, 1.4, 3.0
_NONE = "–"

_SPARE_MM = 2.0
"""How much larger than its card a place is."""
_BETWEEN_MM = 3.0
_AREA_GAP_MM = 4.0
_PAD_MM = 3.5
_BAND_MM = 7.6
_GAP_MM = 5.0
_MOST_MM, _WIDER_MM = 800.0, 20.0
"""How wide a board may become for its phases, and by how much it grows."""
_BESIDE_MM, _AFTER_RUSTS_MM = 2.5, 1.4
_ROUND_MM = 2.4
_BELOW_ROUNDEL_MM = 2.0
"""From a roundel to the name below it."""
_ROUNDEL = 0.46
_TRAIN_TINT = 0.45
_FIGURE = 0.4
"""Height of a roundel, and of the figures of a train, as shares of the place."""
_RUSTS_MM = 6.4
"""Room for what a train rusts."""


class _Place(Struct, frozen=True, kw_only=True):
    """One place: its size, its ground, and what draws its words from (0, 0) in as much of it as
    shows."""

    width: float
    height: float
    draw: Callable[[float, float], tuple[Item, ...]]
    ground: Ink


class _Panel(Struct, frozen=True, kw_only=True):
    """An area with its places and its least width and height in mm."""

    area: BankArea
    places: tuple[_Place, ...]
    note: tuple[str, ...]
    width: float
    height: float


def draw_bank_board(title: Title, piece_id: str, style: Style) -> Scene:
    """The board, as large as its places need. Raises KeyError when the title has none."""
    board = title.pieces.bank_board
    if board is None:
        raise KeyError(piece_id)
    rows = [
        [panel for panel in (_panel(title, area, style) for area in row) if panel]
        for row in board.rows
    ]
    rows = [row for row in rows if row]
    words = style.words(board.name)
    inner = max(map(_across, rows), default=96.0)
    strip = beside = None
    if board.phases and title.phases:
        beside = _strip_beside(title, board, style, inner, rows[-1]) if rows else None
        inner, strip = (inner, None) if beside else _strip(title, board, style, inner)
    plate, y = title_plate(title, words, style, inner)
    y += _GAP_MM
    items: list[Item] = [*plate]
    for row in rows:
        tall = max(panel.height for panel in row)
        last = beside if row is rows[-1] else None
        spare = 0.0 if last else inner - _across(row)
        x = MARGIN_MM
        for panel in row:
            wide = panel.width + spare / len(row)
            items.append(
                Group(items=_panel_items(panel, style, wide, tall), matrix=translation(x, y))
            )
            x += wide + _AREA_GAP_MM
        if last:
            items.append(Group(items=last.items, matrix=translation(x, y)))
        y += tall + _AREA_GAP_MM
    if strip is not None:
        items.append(Group(items=strip.items, matrix=translation(MARGIN_MM, y)))
        y += strip.height + _AREA_GAP_MM
    if board.note is not None:
        type_style = style.type("board.legend")
        lines = wrap_even(style.words(board.note), type_style, inner)
        base = y + type_style.cap_height_mm
        items += set_lines(
            lines,
            type_style,
            style.ink("board.edge"),
            MARGIN_MM + inner / 2,
            base,
            leading=NOTE_LEADING,
            anchor=Anchor.MIDDLE,
        )
        y = base + (len(lines) - 1) * NOTE_LEADING * type_style.size_mm + 2.0
    else:
        y -= _AREA_GAP_MM
    return board_scene(
        f"bank-board:{piece_id}", words, (inner + 2 * MARGIN_MM, y + MARGIN_MM), items, style
    )


def _strip(title: Title, board: BankBoard, style: Style, least: float) -> tuple[float, Drawn]:
    """The strip of phases and its width: as wide as its cells are on one line each; if that is too
    wide for a board, as wide as their words. Raises DoesNotFit."""
    widths = [
        least + number * _WIDER_MM
        for number in range(max(0, math.ceil((_MOST_MM - least) / _WIDER_MM)) + 2)
    ]
    *ways, last = [(width, wraps) for wraps in (False, True) for width in widths]
    for width, wraps in ways:
        with suppress(DoesNotFit):
            return width, _phases(title, board, style, width, wraps=wraps)
    width, wraps = last
    return width, _phases(title, board, style, width, wraps=wraps)


def _strip_beside(
    title: Title, board: BankBoard, style: Style, inner: float, row: Sequence[_Panel]
) -> Drawn | None:
    """The strip of phases beside the areas of a row and as high as these; None where they leave too
    little room."""
    width, height = inner - _across(row) - _AREA_GAP_MM, max(panel.height for panel in row)
    for scale, wraps in ((scale, wraps) for wraps in (False, True) for scale in _SCALES):
        with suppress(DoesNotFit):
            types, trains = _types(style, scale), _lacks_trains(title, board)
            strip = _below(
                _tables(title, style, types, trains=trains, wraps=wraps), width - 2 * _PAD_MM
            )
            if strip.height <= height - 2 * _PAD_MM:
                return _framed(strip, style, width, height)
    return None


def _across(row: Sequence[_Panel]) -> float:
    """The least width of areas beside each other."""
    return math.fsum(panel.width for panel in row) + _AREA_GAP_MM * (len(row) - 1)


def _lacks_trains(title: Title, board: BankBoard) -> bool:
    """Whether some trains have no place on the board, so that the strip tells what places would."""
    placed = {train for row in board.rows for area in row for train in area.trains}
    return not placed.issuperset(train.id for train in title.trains)


def _phases(title: Title, board: BankBoard, style: Style, width: float, *, wraps: bool) -> Drawn:
    """The strip of phases in a frame like those of areas."""
    strip = _phase_strip(
        title, style, width - 2 * _PAD_MM, trains=_lacks_trains(title, board), wraps=wraps
    )
    return _framed(strip, style, width, strip.height + 2 * _PAD_MM)


def _framed(strip: Drawn, style: Style, width: float, height: float) -> Drawn:
    """The strip in the middle of its frame."""
    frame = rectangle_path(0, 0, width, height, _ROUND_MM)
    edge = Stroke(ink=style.ink("board.edge"), width_mm=EDGE_MM)
    items = (
        Path(commands=frame, fill=style.ink("card.ground"), stroke=edge),
        Group(items=strip.items, matrix=translation(_PAD_MM, (height - strip.height) / 2)),
    )
    return Drawn(items=items, height=height)


def _panel(title: Title, area: BankArea, style: Style) -> _Panel | None:
    """The panel of an area; None where it has no place, as in a variant without its companies."""
    places = _places(title, area, style)
    if not places:
        return None
    columns = min(area.columns, len(places))
    lines = [places[at : at + columns] for at in range(0, len(places), columns)]
    wide = max(
        line[0].width + math.fsum(area.shows_mm or place.width + _BETWEEN_MM for place in line[1:])
        for line in lines
    )
    tall = math.fsum(max(place.height for place in line) for line in lines) + _BETWEEN_MM * (
        len(lines) - 1
    )
    type_style = style.type("board.legend")
    note = wrap_even(style.words(area.note), type_style, wide) if area.note is not None else ()
    note_mm = len(note) * NOTE_LEADING * type_style.size_mm + 1.0 if note else 0.0
    return _Panel(
        area=area,
        places=places,
        note=note,
        width=wide + 2 * _PAD_MM,
        height=_BAND_MM + note_mm + tall + 2 * _PAD_MM,
    )


def _places(title: Title, area: BankArea, style: Style) -> tuple[_Place, ...]:
    places: list[_Place] = []
    for company in with_roundels(title).values():
        listed = area.companies is not None and area.companies in (company.kind.value, company.size)
        if listed and company.certificates and not company.owned_whole:
            cards = [
                piece_size(title, "certificate", f"{company.id}-{certificate.grade}", company.size)
                for certificate in company.certificates
            ]
            places.append(_place(cards, partial(_company, company, style), style.ink("board.cell")))
    for train in (title.train_by_id[train_id] for train_id in area.trains):
        draw = partial(_train, title, train, style)
        places.append(
            _place([piece_size(title, "train", train.id)], draw, _train_ground(title, train, style))
        )
    cards = [piece_size(title, area.card, *piece) for piece in _cards(title, area.card)] or [
        piece_size(title, area.card)
    ]
    for words in area.places:
        places.append(_place(cards, partial(_named, words, style), style.ink("board.cell")))
    return tuple(places)


def _cards(title: Title, kind: str) -> Iterator[tuple[str, str | None]]:
    """Ids of all cards of a kind, with the sizes of their companies: a place with words is for any
    of them."""
    for piece in KINDS[kind].pieces(title):
        yield piece.id, piece.size or None


def _place(
    cards: Sequence[Size], draw: Callable[[float, float], tuple[Item, ...]], ground: Ink
) -> _Place:
    """A place for cards: as large as the largest of them, and a little more."""
    wide = max(card.width_mm for card in cards) + _SPARE_MM
    return _Place(
        width=wide,
        height=max(card.height_mm for card in cards) + _SPARE_MM,
        draw=draw,
        ground=ground,
    )


def _panel_items(panel: _Panel, style: Style, width: float, height: float) -> tuple[Item, ...]:
    """An area from (0, 0): a band with its heading, its note, and its places, spread over the
    width."""
    edge, cell = style.ink("board.edge"), style.ink("board.cell")
    frame = rectangle_path(0, 0, width, height, _ROUND_MM)
    band = Path(commands=rectangle_path(0, 0, width, _BAND_MM), fill=edge)
    words = style.words(panel.area.name)
    head, words = one_line(words, style.type("board.round").at(11.0), width - 2 * _PAD_MM)
    items: list[Item] = [
        Group(items=(Path(commands=frame, fill=style.ink("board.fifty")), band), clip=frame),
        Path(commands=frame, stroke=Stroke(ink=edge, width_mm=EDGE_MM)),
        boxed(set_centred(words, head, cell, width / 2, _BAND_MM / 2), 0.0, 0.0, width, _BAND_MM),
    ]
    y = _BAND_MM + _PAD_MM
    if panel.note:
        type_style = style.type("board.legend")
        base = y - 0.6 + type_style.cap_height_mm
        note = set_lines(
            panel.note,
            type_style,
            edge,
            width / 2,
            base,
            leading=NOTE_LEADING,
            anchor=Anchor.MIDDLE,
        )
        items.append(boxed(note, 0.0, _BAND_MM, width, height - _BAND_MM))
        y += len(panel.note) * NOTE_LEADING * type_style.size_mm + 1.0
    columns = min(panel.area.columns, len(panel.places))
    lines = [panel.places[at : at + columns] for at in range(0, len(panel.places), columns)]
    gap = max(
        _BETWEEN_MM,
        min(3 * _BETWEEN_MM, (width - math.fsum(p.width for p in lines[0])) / (columns + 1)),
    )
    shows, spare = panel.area.shows_mm, width - 2 * _PAD_MM
    room = height - y - _PAD_MM - math.fsum(max(place.height for place in line) for line in lines)
    # Lines are spread over the height, so that those of areas beside each other are level.
    apart = room / len(lines)
    y += apart / 2
    for line in lines:
        # What lies below others shows as much as there is room for.
        rest = line[1:]
        steps = [
            min(place.width + gap, (spare - line[0].width) / len(rest))
            if shows
            else place.width + gap
            for place in rest
        ]
        right = (width + line[0].width - math.fsum(steps)) / 2
        rights = accumulate(steps, initial=right)
        seen_mm = [line[0].width, *steps]
        for place, end, seen in reversed([*zip(line, rights, seen_mm, strict=True)]):
            free = min(place.width, seen)
            wide = min(free, *seen_mm) if shows else free
            told = boxed(place.draw(wide, place.height), 0.0, 0.0, wide, place.height)
            outline = _outline(style, place.width, place.height, place.ground)
            items.append(Group(items=(outline,), matrix=translation(end - place.width, y)))
            items.append(replace(told, matrix=translation(end - (free + wide) / 2, y)))
        y += max(place.height for place in line) + apart
    return tuple(items)


def _outline(style: Style, width: float, height: float, ground: Ink) -> Path:
    edge = Stroke(ink=style.ink("board.line"), width_mm=0.3, dash=(1.6, 1.1))
    return Path(commands=rectangle_path(0, 0, width, height, _ROUND_MM), fill=ground, stroke=edge)


def _company(company: Company, style: Style, width: float, height: float) -> tuple[Item, ...]:
    """The place of a company's certificates: its roundel, and its name below."""
    ring = min(height * _ROUNDEL, width - 2 * _BESIDE_MM)
    most = 2 if width > height else 3
    named, room = style.words(company.name), width - 2 * _BESIDE_MM
    type_style, lines = balanced(named, style.type("map.places"), room, most, clip=True)
    step = SPACE_LEADING * type_style.size_mm
    first = ring + _BELOW_ROUNDEL_MM + rise_mm(lines[0], type_style)
    # Roundels are level, however many lines their names take.
    tall = first + step
    top = (height - tall) / 2
    return (
        Group(
            items=roundel_items(company, ring, style), matrix=translation(width / 2, top + ring / 2)
        ),
        *set_lines(
            lines,
            type_style,
            company_inks(company, style).line,
            width / 2,
            top + first,
            leading=SPACE_LEADING,
            anchor=Anchor.MIDDLE,
        ),
    )


def _train_ground(title: Title, train: Train, style: Style) -> Ink:
    return mix(tile_ink(band_colour(title, train), style), style.ink("board.cell"), _TRAIN_TINT)


def _train(
    title: Title, train: Train, style: Style, width: float, height: float
) -> tuple[Item, ...]:
    """The place of a train's cards: its name on its colour, price and count, and the trains that
    its sale rusts."""
    face = train.faces[0]
    ink = readable_on(_train_ground(title, train, style), dark=style.ink("text"))
    name = " / ".join(side.name for side in train.faces)
    prices = " / ".join(dict.fromkeys(title.money(side.price) for side in train.faces))
    price = f"{prices}  × {cards_of(train)}"
    rusted = rusted_by(title, train, face)
    type_style, lines = _rust_lines(rusted, style, width)
    step = line_step(lines, type_style, NOTE_LEADING)
    # Where any train rusts others, all names stand as high as if each did.
    rusts = any(rusted_by(title, other, side) for other in title.trains for side in other.faces[:1])
    below = _RUSTS_MM + step * max(0, len(lines) - 1) if rusts else 0.0
    small, price = one_line(price, style.type("train.price"), width - 2 * _BESIDE_MM)
    big = style.type("train.name")
    big, name = one_line(
        name, big.at(big.size_pt * height * _FIGURE / big.cap_height_mm), width - 2 * _BESIDE_MM
    )
    rise = ink_height(name, big)[1]
    gap = 2.6 + drop_mm(name, big)
    tall = rise + gap + small.cap_height_mm + below
    base = (height - tall) / 2 + rise
    price_base = base + gap + small.cap_height_mm
    middle = price_base + below / 2 + 0.7
    first = middle + type_style.cap_height_mm / 2 - step * (len(lines) - 1) / 2
    return (
        *set_line(name, big, ink, width / 2, base, anchor=Anchor.MIDDLE),
        *set_line(price, small, ink, width / 2, price_base, anchor=Anchor.MIDDLE),
        *(
            set_lines(
                lines,
                type_style,
                ink,
                width / 2,
                first,
                leading=step / type_style.size_mm,
                anchor=Anchor.MIDDLE,
            )
            if lines
            else _chips(title, rusted, ink, style, (width / 2, middle))
        ),
    )


def _rust_lines(
    rusted: Sequence[str], style: Style, width: float
) -> tuple[TypeStyle, tuple[str, ...]]:
    """What a train rusts in words, where chips are too wide; no lines where they are not."""
    type_style = style.type("board.round")
    if not rusted or _chips_width(rusted, style) <= width - 2 * _BESIDE_MM:
        return type_style, ()
    return balanced(
        f"{style.words(card_words('rusts'))} {', '.join(rusted)}",
        type_style,
        width - 2 * _BESIDE_MM,
        2,
        clip=True,
    )


def _chips_width(rusted: Sequence[str], style: Style) -> float:
    word_mm = (
        text_width(style.words(card_words("rusts")), style.type("board.round")) + _AFTER_RUSTS_MM
    )
    return (
        word_mm
        + math.fsum(chip_width(name, style.type("card.chip")) for name in rusted)
        + len(rusted)
        - 1
    )


def _chips(
    title: Title, rusted: Sequence[str], ink: Ink, style: Style, middle: tuple[float, float]
) -> list[Item]:
    """What a train rusts: a word, and a chip for each of them; `middle` is that of the row."""
    if not rusted:
        return []
    type_style, chip = style.type("board.round"), style.type("card.chip")
    label = style.words(card_words("rusts"))
    x, y = middle[0] - _chips_width(rusted, style) / 2, middle[1]
    items: list[Item] = [*set_line(label, type_style, ink, x, y + type_style.cap_height_mm / 2)]
    x += text_width(label, type_style) + _AFTER_RUSTS_MM
    for name in rusted:
        items += chip_items(name, tile_ink(colour_of_name(title, name), style), chip, x, y)
        x += chip_width(name, chip) + 1.0
    return items


def _named(words: Text, style: Style, width: float, height: float) -> tuple[Item, ...]:
    """A place with words of its own."""
    type_style, lines = balanced(
        style.words(words), style.type("map.places"), width - 2 * _BESIDE_MM, 3, clip=True
    )
    step = NOTE_LEADING * type_style.size_mm
    tall = rise_mm(lines[0], type_style) + step * (len(lines) - 1) + drop_mm(lines[-1], type_style)
    first = (height - tall) / 2 + rise_mm(lines[0], type_style)
    ink = style.ink("board.edge")
    return (
        *set_lines(
            lines, type_style, ink, width / 2, first, leading=NOTE_LEADING, anchor=Anchor.MIDDLE
        ),
    )


def _phase_strip(
    title: Title, style: Style, width_mm: float, *, trains: bool, wraps: bool = False
) -> Drawn:
    """The strip in the largest type that fits the width; with `trains` their prices, counts and
    rusting beside the phases if there is room, else below. Long cells take several lines if it
    `wraps`. Raises DoesNotFit."""
    *larger, least = (
        _tables(title, style, _types(style, scale), trains=trains, wraps=wraps) for scale in _SCALES
    )
    for tables, place in product((*larger, least), (_beside, _below)):
        with suppress(DoesNotFit):
            return place(tables, width_mm)
    return _below(least, width_mm)


def _types(style: Style, scale: float) -> CardTypes:
    """Type that can be read on a board, from 7 pt."""
    types = CardTypes.of(style, scale)
    return replace(types, head=types.head.at(max(types.head.size_pt, MIN_PLAY_PT)))


def _tables(
    title: Title, style: Style, types: CardTypes, *, trains: bool, wraps: bool
) -> tuple[Table, ...]:
    tables = [_table(title, style, types)]
    tables += (
        train_tables(title, whole_side(title), style, types, _STRIP_PAD_MM * types.scale / 2)
        if trains
        else ()
    )
    return tuple(replace(table, wraps=table.wraps or wraps) for table in tables)


def _below(tables: Sequence[Table], width_mm: float) -> Drawn:
    """Tables one below the other. Raises DoesNotFit."""
    drawn = [draw_table(table, width_mm) for table in tables]
    tops = accumulate((table.height + _STRIP_BETWEEN_MM for table in drawn), initial=0.0)
    items = tuple(
        Group(items=table.items, matrix=translation(0.0, y))
        for table, y in zip(drawn, tops, strict=False)
    )
    tall = math.fsum(table.height for table in drawn) + _STRIP_BETWEEN_MM * (len(drawn) - 1)
    return Drawn(items=items, height=tall)


def _beside(tables: Sequence[Table], width_mm: float) -> Drawn:
    """Tables beside each other, as wide as their columns are many. Raises DoesNotFit."""
    columns = math.fsum(len(table.columns) for table in tables)
    room = width_mm - _PAD_MM * 2 * (len(tables) - 1)
    widths = [room * len(table.columns) / columns for table in tables]
    drawn = [draw_table(table, wide) for table, wide in zip(tables, widths, strict=True)]
    lefts = accumulate((wide + _PAD_MM * 2 for wide in widths), initial=0.0)
    items = tuple(
        Group(items=table.items, matrix=translation(x, 0.0))
        for table, x in zip(drawn, lefts, strict=False)
    )
    return Drawn(items=items, height=max(table.height for table in drawn))


def _table(title: Title, style: Style, types: CardTypes) -> Table:
    """Rows of what phases change; rows that say nothing are left out."""
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
        head = replace(head, text=limited_name(title, who, style)) if len(bound) > 1 else head
        rows.append((head, *(cells.limit(who, phase) for phase in phases)))
    if any(phase.operating_rounds for phase in phases):
        rows.append((cells.label(card_words("operating_rounds")), *map(cells.rounds, phases)))
    if any(phase.revenue is not None for phase in phases):
        rows.append((cells.label(card_words("off_board")), *map(cells.value, phases)))
    return Table(
        columns=(Column(), *([Column(align=Anchor.MIDDLE)] * len(phases))),
        rows=tuple(rows),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        pad=_STRIP_PAD_MM * types.scale,
        gap=_STRIP_GAP_MM,
        even=True,
    )
