"""Phase cards, and sheets for the initial round: each private has a space and a place for its card.
The backs of sheets have phases, trains and upgrades."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from platelayer.drawing.company.roundel import GHOST, company_inks
from platelayer.drawing.kit.layout import Block, Box, line_block, paragraph, stacked, text_block
from platelayer.drawing.kit.lettering import ASIDE, balanced, ink_height, left_out, listed, one_line
from platelayer.drawing.kit.ornament import centred, pattern_of, rosette_scene
from platelayer.drawing.kit.parts import tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import card_scene, heading_band, trimmed
from platelayer.drawing.kit.tables import (
    SCALES,
    Cell,
    Column,
    DoesNotFit,
    Head,
    Span,
    Stack,
    Table,
    draw_table,
    stacked_card,
    swatch_block,
)
from platelayer.drawing.train.card import side_band
from platelayer.drawing.train.phase_tables import (
    GAP_MM,
    PAD_MM,
    Cells,
    Side,
    briefer_sides,
    events_of,
    limited_name,
    namesakes,
    side_of,
    side_stack,
)
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company
from platelayer.model.kinds import CARD_SAFE_MM, offered, piece_size
from platelayer.model.manifest import OFFER_SIDE_MM, offered_card
from platelayer.model.title import Size, Title
from platelayer.model.train import Phase
from platelayer.scene.inks import mix, readable_on
from platelayer.scene.shapes import Anchor, Group, Item, Items, Role, Scene, Stroke
from platelayer.scene.typeset import fit, rise_mm

card_words = FixedWords("cards")

# Gap between spaces, maximum height of a space, and its minimum width and height.
_SPACE_GAP_MM, _MOST_SPACE_MM, _LEAST_SPACE_MM = 2.4, 44.0, (44.0, 20.0)
# Width of the plate with price and income, and distance from the sides of a space to its names.
_PLATE_MM, _PAD_MM = 19.0, 2.2
_NAME_LEADING = 1.08
# Distance between the last line of names and the edge of a space.
_FOOT_MM = 1.4
_DOT = " · "


def draw_offer_sheet(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw the sheet of one size (or kind) of privates and concessions: a space for each, the
    cheapest on top, with a place for its card; or draw the sheet's back. Raises KeyError if the
    title has no such sheet."""
    if back:
        # The back has everything that changes with the phases, and the official table of upgrades
        # by tile numbers, with a star for tiles that only an ability lays. Omit parts if it does
        # not fit the sheet. Raises DoesNotFit.
        *larger, least = briefer_sides(title)
        for side in larger:
            with suppress(DoesNotFit):
                return _drawn(title, piece_id, side, style)
        return _drawn(title, piece_id, least, style)
    companies = offered(title).get(piece_id)
    offer = title.pieces.offer
    if offer is None or companies is None:
        raise KeyError(piece_id)
    size = piece_size(title, "offer-sheet", piece_id)
    name = style.words(card_words("offer"))
    band, rest = heading_band(name, style.words(title.name), trimmed(size), style)
    parts = rest.inset(OFFER_SIDE_MM, 0).rows(2.4, 6.0, 2.0, 0, CARD_SAFE_MM + 1.4)
    _, head, _, body, _ = parts
    # Cards lie in a fan beside their spaces, each partly covering the one before it.
    wide, tall = offered_card(title, companies)
    beside, bay = body.columns(0, wide, gap=_SPACE_GAP_MM)
    under = len(companies) - 1
    step = min(_MOST_SPACE_MM, (body.height - tall) / under if under else tall)
    foot = under * step + tall
    if beside.width < _LEAST_SPACE_MM[0] or step < _LEAST_SPACE_MM[1]:
        card = f"{len(companies)} cards of {wide:g} x {tall:g} mm"
        sheet = f"a sheet of {size.width_mm:g} x {size.height_mm:g} mm"
        raise DoesNotFit(f"offer-sheet: {card} do not fit {sheet}", "make offer-sheet larger")
    first = companies[0]
    inks, sort = company_inks(first, style), first.class_name
    kind = style.named(first.kind.value, card_words.table("who"))
    # A class name is singular, so state the number of companies.
    several = f" × {len(companies)}" if len(companies) > 1 else ""
    items: list[Item] = [
        *band,
        head.plate(inks.band, radius=1.2),
        head.words(
            f"{style.words(sort)}{several}" if sort else kind,
            style.type("card.strong"),
            inks.on_band,
            pad=2.0,
        ),
    ]
    ground = mix(style.ink("card.ground"), style.ink("white"), 0.6)
    ghost = Stroke(mix(ground, inks.line, 2 * GHOST), 0.3)
    for number, company in enumerate(companies):
        level = body.y + number * step
        items += _space(
            title, company, style, beside._replace(y=level, height=step - _SPACE_GAP_MM)
        )
        place = Box(bay.x, level, wide, tall)
        items += (
            place.plate(ground, ghost, radius=1.8),
            place.place("private", ()),
        )
    if offer.note is not None:
        words, type_style = style.words(offer.note), style.type("card.body")
        note = paragraph(words, type_style, style.ink("card.text"), beside.width)
        low = beside._replace(y=level + step, height=body.y + foot - level - step)
        if note.height > low.height:
            raise DoesNotFit(
                "offer-sheet: its note does not fit", "shorten it, or make offer-sheet larger"
            )
        items += note.paint(low.x, low.y + 0.6)
    return card_scene(f"offer-sheet:{piece_id}", name, size, items, style)


def _space(title: Title, company: Company, style: Style, space: Box) -> Items:
    """Draw price and income on the company's colour at the left, names at the right, and curves
    behind."""
    inks, tall = company_inks(company, style), space.height
    plate, beside = space.columns(_PLATE_MM, 0)
    _, price, income = plate.rows(tall * 0.4 - 4.3, 8.6, 8.6)
    amounts: list[Item] = []
    if company.value is not None:
        figures, large = title.money(company.value), style.type("offer.price")
        amounts.append(price.words(figures, large, inks.on_band, pad=1.5))
    if company.income is not None:
        words = f"{style.words(card_words('income'))} {title.money(company.income)}"
        amounts.append(income.words(words, style.type("card.strong"), inks.on_band, pad=1.2))
    sort, radius = company.size or company.kind.value, tall * 0.44
    stroke = Stroke(inks.veil, 0.14)
    petals = pattern_of(sort, style.motif).petals
    lace = rosette_scene(f"offer:{sort}:{radius:.12g}", (petals,), radius, stroke, Role.GROUND)
    edge = Stroke(inks.line, 0.35)
    frame = space.plate(None, edge, radius=1.8, role=Role.ORNAMENT)
    inside = (
        space.plate(inks.tint, radius=1.8),
        plate.plate(inks.band),
        *amounts,
        centred(lace, *beside.middle),
    )
    return (
        Group(inside, clip=frame.commands),
        beside.boxed(_names(company, style, beside)),
        frame,
    )


def _names(company: Company, style: Style, space: Box) -> Sequence[Item]:
    """Draw the company's short name in the upper right corner, its name, and below that its second
    name."""
    soft, text, own = style.ink("card.soft"), style.ink("card.text"), style.type("offer.name")
    room = space.inset(_PAD_MM, 2.0)
    full = style.words(company.name)
    fitted, lines = balanced(full, own, room.width, 2, clip=True)
    short = line_block(company.token_text, style.type("card.chip"), soft, room.width)
    name = text_block(lines, fitted, text, room.width, leading=_NAME_LEADING)
    top = space.y + space.height * 0.4 - name.height / 2
    items = [*short.paint(room.right - short.width, room.y), *name.paint(room.x, top)]
    if company.second_name is None:
        return items
    # Words after a dot go on their own line, so that a date does not share one with half a name.
    words, plain = style.words(company.second_name), style.type("private.second")
    first, dot, rest = words.partition(_DOT)
    second, rows = balanced(first, plain.beside(words), room.width, 2, clip=True)
    if dot:
        second, rest = one_line(rest, second, room.width)
        rows = (*rows, rest)
    # Keep descenders and accents of adjacent lines apart.
    high = ink_height(rows[0], second.beside(rows[0]))[1]
    low = ink_height(lines[-1], fitted.beside(lines[-1]))[0]
    step = max(second.size_mm * 1.45, high - low + 0.2)
    below = text_block(rows, second, text, room.width, leading=_NAME_LEADING)
    level = top + name.height + step - second.cap_height_mm
    if level + below.height > space.foot - _FOOT_MM:
        return [*items, *left_out(words, second, text)]
    return [*items, *below.paint(room.x, level)]


def _drawn(title: Title, piece_id: str, side: Side, style: Style) -> Scene:
    def stack(scale: float, pad: float, width: float) -> Stack:
        cells = Cells.of(title, style, scale)
        chains = [_chain_table(cells, pad)] if title.chains else []
        return side_stack(cells, side, pad, width, chains)

    size, name = piece_size(title, "offer-sheet", piece_id), style.words(card_words("offer_back"))
    head = Head(f"offer-sheet:{piece_id}:back", name, size)
    return stacked_card(title, head, stack, style)


def _chain_table(cells: Cells, pad: float) -> Table:
    """Return a table with a row for each chain of upgrades and a column for each colour."""
    title, style, types = cells.title, cells.style, cells.types
    steps = [step for chain in title.chains for step in chain.steps]
    tiles = [title.tile_by_id[number] for step in steps for number in step]
    used = {entry.tile.colour for entry in tiles}
    colours = [colour for colour in title.colours if colour in used]
    heading = style.words(card_words("upgrades"))
    if any(entry.via for entry in tiles):
        heading = style.words(ASIDE, heading, style.words(card_words("starred")))
    swatches = [swatch_block(colour, style, 3.5 * types.scale) for colour in colours]
    rows: list[tuple[Cell, ...]] = [(cells.soft(heading), *swatches)]
    for chain in title.chains:
        by_colour: dict[str, list[str]] = {}
        for number in (number for step in chain.steps for number in step):
            entry = title.tile_by_id[number]
            shown = entry.shown + ("*" if entry.via else "")
            by_colour.setdefault(entry.tile.colour, []).append(shown)
        name = cells.words(style.words(chain.name), types.strong)
        lists = (listed(by_colour.get(colour, []), style) for colour in colours)
        rows.append((name, *map(cells.words, lists)))
    columns = [Column(), *(Column(flexible=True) for _ in colours)]
    return cells.table(columns, rows, pad=PAD_MM + pad, gap=GAP_MM)


# Width of the band as a share of the card.
_BAND = 0.28
_GAP_MM = 0.9
# Minimum space above and below each row.
_ROW_PAD_MM = 0.5

_LARGE_SCALES = (1.3, 1.25, 1.2)
# Maximum number of phases that leave room for larger type and for events.
_FEW_PHASES = 4


def draw_phase_card(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """Draw a phase card in the title's size: a single phase in large type, or the table of several
    with their trains and, on the front, bonuses. Raises DoesNotFit if the phases do not fit even
    in the smallest type, KeyError for a card that the title does not have."""
    side = side_of(title, piece_id, back=back)
    key = f"phase-card:{piece_id}{':back' if back else ''}"
    size = piece_size(title, "phase-card", piece_id)
    chosen = any(card.id == piece_id and card.front for card in title.pieces.phase_cards)
    if len(side.phases) == 1 and (chosen or len(title.phases) > 1):
        return _draw_phase(title, side.phases[0], size, style, key=key)
    head = Head(key, style.words(card_words("phases")), size)
    return draw_tables(title, side, head, style)


def draw_tables(title: Title, side: Side, head: Head, style: Style) -> Scene:
    """Draw the tables of phases and trains, and the bonuses, of one side. Raises DoesNotFit."""
    # Events are paragraphs, which would pull the rows apart in large type.
    has_events = any(phase.events or phase.status for phase in side.phases)
    scales = [scale for scale in SCALES if scale <= 1 or not has_events]
    if len(side.phases) <= _FEW_PHASES:
        scales = [*_LARGE_SCALES, *SCALES]

    def stack(scale: float, pad: float, width: float) -> Stack:
        key = (draw_tables, side, style, scale, pad, width)
        if key not in title.kept:  # for an aid with the tables of a phase card
            title.kept[key] = side_stack(Cells.of(title, style, scale), side, pad, width)
        kept: Stack = title.kept[key]
        return kept

    return stacked_card(title, head, stack, style, scales=scales)


def _draw_phase(title: Title, phase: Phase, size: Size, style: Style, *, key: str) -> Scene:
    """Draw one phase on its own card: a band with its name, and its facts. Raises DoesNotFit if
    they do not fit even in the smallest type."""
    card = trimmed(size)
    band, _, beside, _ = card.columns(card.width * _BAND, 2.6, 0, CARD_SAFE_MM + 0.4)
    _, room, _ = beside.rows(CARD_SAFE_MM + 0.5, 0, CARD_SAFE_MM + 0.3)
    facts = _fitting(title, phase, room, style)
    if facts is None:
        on = f"a card of {size.width_mm:g} x {size.height_mm:g} mm"
        message = f"phase-card: phase {phase.id} does not fit {on}"
        hint = "give phase-card a larger size, or shorten what happens in the phase"
        raise DoesNotFit(message, hint)
    # A phase has its own name, or that of all trains on the card whose first sale begins it.
    names = namesakes(title, phase)
    name = "/".join(names) if names[0] == phase.id else phase.id
    colour = phase.tiles[-1] if phase.tiles else "white"
    pattern, ink = style.theme.patterns.get(colour), readable_on(tile_ink(colour, style))
    rim = 1.2 + (pattern.rim_mm if pattern is not None else 0)
    _, inner, _ = band.columns(CARD_SAFE_MM, 0, rim)
    word, measure = style.words(card_words("phase")), inner.width - 1.2
    label = fit(word, style.type("train.label"), measure)
    heading = text_block((word,), label, ink, measure, rise=rise_mm)
    above = CARD_SAFE_MM + 0.5
    _, middle, _ = inner.rows(above + heading.height, 0, CARD_SAFE_MM)
    items = (
        *side_band(colour, card, band.width, style),
        band.boxed(heading.paint(inner.x + 0.6, above)),
        middle.words(name, style.type("train.name").at(62), ink, pad=0.6),
        room.centred(facts),
    )
    return card_scene(key, f"{word} {name}", size, items, style)


def _fitting(title: Title, phase: Phase, room: Box, style: Style) -> Block | None:
    """Return the facts in the largest type that fits, with rows as widely spaced as the room
    allows; None if they do not fit in any."""
    for scale in (smaller for smaller in SCALES if smaller <= 1):
        cells = Cells.of(title, style, scale)
        with suppress(DoesNotFit):
            tight, rows = _facts(cells, phase, room.width, _ROW_PAD_MM)
            if tight.height <= room.height:
                spare = (room.height - tight.height) / (2 * rows)
                return _facts(cells, phase, room.width, _ROW_PAD_MM + min(0.5, spare * 0.9))[0]
    return None


def _facts(cells: Cells, phase: Phase, width: float, pad: float) -> tuple[Block, int]:
    """Lay out a row for each fact, with the events of the phase below. Return this with the number
    of rows over which spare height can be spread."""
    types, style = cells.types, cells.style
    begins = replace(cells.begins(phase), type_style=types.strong)
    rows: list[tuple[Cell, ...]] = [(cells.label("begins_with"), begins)]
    if phase.tiles:
        rows.append((cells.label("tiles"), cells.tiles(phase)))
    if phase.tile_lays is not None:
        rows.append((cells.label("tile_lays"), cells.lays(phase)))
    if phase.revenue is not None:
        rows.append((cells.label("off_board"), cells.value(phase)))
    columns = (Column(), Column(flexible=True))
    tables = [draw_table(cells.table(columns, rows, head=False, pad=pad, gap=2.0), width)]
    if phase.train_limits:
        limits, words = phase.train_limits, cells.label("train_limit")
        span = Span(0, len(limits) - 1, words)
        plain = replace(types.head, capitals=False)
        names = (limited_name(cells.title, limit.who, style) for limit in limits)
        heads = [replace(cells.soft(name), type_style=plain) for name in names]
        figures = [cells.figure(limit.limit) for limit in limits]
        middle = [Column(align=Anchor.MIDDLE)] * len(limits)
        table = cells.table(middle, (heads, figures), spans=(span,), pad=pad * 0.8, gap=1.2)
        tables.append(draw_table(table, width))
    # Spare height also goes above and below the whole.
    spread = sum(len(table.rows) for table in tables) + 2
    parts: list[Block] = [*tables]
    events = events_of((phase,), phase, style)
    if events:
        em, ink = types.body.size_mm, style.ink("card.text")
        text = paragraph(events, types.body, ink, width, rise=lambda *_: em * 0.8)
        parts.append(stacked(text, em * 0.25))
    return stacked(*parts, gap=_GAP_MM + pad), spread
