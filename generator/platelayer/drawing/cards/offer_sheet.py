"""The sheet of the initial round: a space for every private; on its back phases, trains and
upgrades."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from platelayer.drawing.company.roundel import company_inks
from platelayer.drawing.kit.lettering import balanced, ink_height, left_out, line_step, one_line
from platelayer.drawing.kit.ornament import centred, pattern_of, rosette_scene
from platelayer.drawing.kit.parts import card_scene, ground, heading_band, tile_ink
from platelayer.drawing.kit.rich_text import ASIDE, listed, set_lines, wrap_within
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.tables import (
    Cell,
    Column,
    DoesNotFit,
    Head,
    Stack,
    Swatches,
    Table,
    Words,
    stacked_card,
)
from platelayer.drawing.train.phase_tables import (
    CardTypes,
    Side,
    bonus_line,
    briefer_sides,
    phase_table,
    train_tables,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company
from platelayer.model.kinds import CARD_SAFE_MM, piece_size
from platelayer.model.manifest import OFFER_SIDE_MM, offer_width_mm, offered
from platelayer.model.title import Title
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    boxed,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, set_centred, set_line, text_width

card_words = FixedWords("cards")

_SPACE_GAP_MM = 2.4
_HEAD_MM = 8.0
_MOST_SPACE_MM = 44.0
_SMALL_NAME = 0.8
_NAME_LEADING = 1.08
# Between letters and accents of lines that come close.
_CLEAR_MM = 0.2
# Between the last line of names and the edge of a space.
_FOOT_MM = 1.4
# Width of the plate with price and income.
_PLATE_MM = 19.0
_DOT = " · "


def draw_offer_sheet(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The sheet in the title's size: privates and concessions in a column for each of their sizes
    (or kinds), the cheapest on top; or its back. Raises KeyError when the title has no such
    sheet."""
    if back:
        return _draw_back(title, piece_id, style)
    offer = title.pieces.offer
    if offer is None:
        raise KeyError(piece_id)
    size = piece_size(title, "offer-sheet", piece_id)
    width, height = size.width_mm, size.height_mm
    name = style.words(card_words("offer"))
    band, top = heading_band(name, style.words(title.name), width, style)
    columns = offered(title)
    wide = offer_width_mm(title)
    note = style.words(offer.note) if offer.note is not None else ""
    body = style.type("card.body")
    lines = wrap_within(note, body, width - 2 * OFFER_SIDE_MM) if note else ()
    foot = height - CARD_SAFE_MM - 1.4 - max(0, len(lines) - 1) * 1.2 * body.size_mm
    low = foot - body.cap_height_mm - 3.0 if lines else height - CARD_SAFE_MM - 1.5
    head = top + 2.4
    rows = max(map(len, columns), default=1)
    tall = min(_MOST_SPACE_MM, (low - head - _HEAD_MM + _SPACE_GAP_MM) / rows - _SPACE_GAP_MM)
    items: list[Item] = [ground(width, height, BLEED_MM, style.ink("card.ground")), *band]
    for number, column in enumerate(columns):
        x = OFFER_SIDE_MM + number * (wide + OFFER_SIDE_MM)
        items.append(Group(items=_heading(column[0], style, wide), matrix=translation(x, head)))
        for row, company in enumerate(column):
            y = head + _HEAD_MM + row * (tall + _SPACE_GAP_MM)
            space = _space(title, company, style, wide, tall)
            items.append(Group(items=space, matrix=translation(x, y)))
    measure = width - 2 * OFFER_SIDE_MM
    items += set_lines(
        lines, body, style.ink("card.text"), OFFER_SIDE_MM, foot, leading=1.2, measure_mm=measure
    )
    return card_scene(f"offer-sheet:{piece_id}", name, width, height, items)


def _heading(company: Company, style: Style, wide: float) -> tuple[Item, ...]:
    """The class of the companies of a column, on their colour; from (0, 0)."""
    inks, tall = company_inks(company, style), _HEAD_MM - 2.0
    if company.class_name:
        words = style.words(company.class_name)
    else:
        words = style.named(company.kind.value, card_words.table("who"))
    type_style, words = one_line(words, style.type("card.strong"), wide - 4.0)
    runs = set_centred(words, type_style, inks.on_band, wide / 2, _HEAD_MM / 2 - 1.0)
    return (
        Path(commands=rectangle_path(0, 0, wide, tall, 1.2), fill=inks.band),
        boxed(runs, 0, 0, wide, tall),
    )


def _space(
    title: Title, company: Company, style: Style, wide: float, tall: float
) -> tuple[Item, ...]:
    """One space from (0, 0): price and income on the colour at the left, names at the right, curves
    behind."""
    inks = company_inks(company, style)
    frame = rectangle_path(0, 0, wide, tall, 1.8)
    amounts: list[Item] = []
    if company.value is not None:
        price = title.money(company.value)
        figure = fit(price, style.type("offer.price"), _PLATE_MM - 3.0)
        amounts += set_centred(price, figure, inks.on_band, _PLATE_MM / 2, tall * 0.4)
    if company.income is not None:
        words = f"{style.words(card_words('income'))} {title.money(company.income)}"
        small = fit(words, style.type("card.strong"), _PLATE_MM - 2.4)
        amounts += set_centred(words, small, inks.on_band, _PLATE_MM / 2, tall * 0.4 + 8.6)
    sort, radius = company.size or company.kind.value, tall * 0.44
    stroke = Stroke(ink=inks.veil, width_mm=0.14)
    petals = pattern_of(sort, style.motif).petals
    lace = rosette_scene(f"offer:{sort}:{radius:.12g}", (petals,), radius, stroke, Role.GROUND)
    inside = (
        Path(commands=frame, fill=inks.tint),
        Path(commands=rectangle_path(0, 0, _PLATE_MM, tall), fill=inks.band),
        boxed(amounts, 0.0, 0.0, _PLATE_MM, tall),
        centred(lace, (_PLATE_MM + wide) / 2, tall / 2),
    )
    names = _names(company, style, (_PLATE_MM + 2.2, wide - 2.2), tall)
    edge = Stroke(ink=inks.line, width_mm=0.35)
    return (
        Group(items=inside, clip=frame),
        boxed(names, _PLATE_MM, 0.0, wide - _PLATE_MM, tall),
        Path(commands=frame, stroke=edge, role=Role.ORNAMENT),
    )


def _names(
    company: Company, style: Style, room: tuple[float, float], tall: float
) -> Sequence[Item]:
    """Its short name, its name, and its name in another language."""
    (x0, x1), own = room, style.type("offer.name")
    width, middle = x1 - x0, (x0 + x1) / 2
    soft, text = style.ink("card.soft"), style.ink("card.text")
    full = style.words(company.name)
    name, lines = balanced(full, own, width, 2)
    if name.size_pt < own.size_pt * _SMALL_NAME:
        # Three lines break a long name where it may be broken.
        name, lines = balanced(full, own, width, 3, several=_SMALL_NAME, clip=True)
    step = line_step(lines, name, _NAME_LEADING)
    base = tall * 0.4 + name.cap_height_mm / 2 - (len(lines) - 1) * step / 2
    chip, short = one_line(company.token_text, style.type("card.chip"), width)
    left, top, ems = x1 - text_width(short, chip), 2.0 + chip.cap_height_mm, step / name.size_mm
    items: list[Item] = [
        *set_line(short, chip, soft, left, top),
        *set_lines(lines, name, text, middle, base, leading=ems, anchor=Anchor.MIDDLE),
    ]
    if company.second_name is None:
        return items
    # Words after a dot have a line of their own: a date does not share a line with half a name.
    words = style.words(company.second_name)
    first, dot, rest = words.partition(_DOT)
    second, rows = balanced(first, style.type("private.second").beside(words), width, 2, clip=True)
    if dot:
        second, rest = one_line(rest, second, width)
        rows = (*rows, rest)
    high = ink_height(rows[0], second.beside(rows[0]))[1]
    low = ink_height(lines[-1], name.beside(lines[-1]))[0]
    level = base + (len(lines) - 1) * step + max(second.size_mm * 1.45, high - low + _CLEAR_MM)
    between = line_step(rows, second, _NAME_LEADING)
    if level + (len(rows) - 1) * between > tall - _FOOT_MM:
        return [*items, *left_out(words, second, text)]
    ems = between / second.size_mm
    items += set_lines(rows, second, text, middle, level, leading=ems, anchor=Anchor.MIDDLE)
    return items


def _draw_back(title: Title, piece_id: str, style: Style) -> Scene:
    """Everything that the phases change, and the official table of upgrades by tile numbers; a star
    marks tiles that only an ability lays; less where that is too much for the sheet. Raises
    DoesNotFit."""
    *larger, least = briefer_sides(title)
    for side in larger:
        with suppress(DoesNotFit):
            return _drawn(title, piece_id, side, style)
    return _drawn(title, piece_id, least, style)


def _drawn(title: Title, piece_id: str, side: Side, style: Style) -> Scene:
    def stack(scale: float, pad: float, width: float) -> Stack:
        types = CardTypes.of(style, scale)
        tables = [
            phase_table(title, side, style, types, pad),
            *train_tables(title, side, style, types, pad),
        ]
        if title.chains:
            tables.append(_chain_table(title, style, types, pad))
        bonuses = [bonus_line(bonus, style, types, width) for bonus in side.bonuses]
        return Stack.of(tables, width, bonuses)

    size, name = piece_size(title, "offer-sheet", piece_id), style.words(card_words("offer_back"))
    head = Head(key=f"offer-sheet:{piece_id}:back", name=name, size=size)
    return stacked_card(title, head, stack, style)


def _chain_table(title: Title, style: Style, types: CardTypes, pad: float) -> Table:
    """A row for each chain of upgrades, a column for each colour."""
    text, soft = style.ink("card.text"), style.ink("card.soft")
    steps = [step for chain in title.chains for step in chain.steps]
    tiles = [title.tile_by_id[number] for step in steps for number in step]
    used = {entry.tile.colour for entry in tiles}
    colours = [colour for colour in title.colours if colour in used]
    heading = style.words(card_words("upgrades"))
    if any(entry.via for entry in tiles):
        heading = style.words(ASIDE, heading, style.words(card_words("starred")))
    size = 3.5 * types.scale
    swatches = [
        Swatches(inks=(tile_ink(colour, style),), edge=text, size_mm=size) for colour in colours
    ]
    rows: list[tuple[Cell, ...]] = [
        (Words(text=heading, type_style=types.head, ink=soft), *swatches)
    ]
    for chain in title.chains:
        by_colour: dict[str, list[str]] = {}
        for number in (number for step in chain.steps for number in step):
            entry = title.tile_by_id[number]
            shown = entry.shown + ("*" if entry.via else "")
            by_colour.setdefault(entry.tile.colour, []).append(shown)
        name = Words(text=style.words(chain.name), type_style=types.strong, ink=text)
        lists = (listed(by_colour.get(colour, []), style) for colour in colours)
        rows.append((name, *(Words(text=each, type_style=types.body, ink=text) for each in lists)))
    return Table(
        columns=(Column(), *(Column(flexible=True) for _ in colours)),
        rows=tuple(rows),
        rule=style.ink("card.hair"),
        strong=style.ink("card.accent"),
        pad=0.62 + pad,
        gap=2.6,
    )
