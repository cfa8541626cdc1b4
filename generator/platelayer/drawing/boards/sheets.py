"""Boards with few spaces (rounds, revenue, final accounts), and the sheets of the map and the
market with the boards printed on them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from platelayer.drawing.boards.market import draw_market, draw_par_chart
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    box_block,
    chip_block,
    disc,
    in_row,
    layered,
    line_block,
    line_path,
    placing,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced, rich_width, set_lines, wrap_rich
from platelayer.drawing.kit.parts import arrow, bent_arrow, ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.surfaces import (
    BOARD_LINE_MM,
    EDGE_MM,
    INSET_MM,
    MARGIN_MM,
    NOTE_LEADING,
    STRIP_MM,
    board_note,
    board_scene,
    least_space_mm,
    sized_board,
    space_mm,
    space_name,
    strip_line,
    title_plate,
    token_place,
)
from platelayer.drawing.map.board import Extras, as_played, draw_plate, draw_poster
from platelayer.drawing.map.panels import plated
from platelayer.drawing.train.locomotive import locomotive_items, locomotive_size
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import piece_size
from platelayer.model.manifest import CYCLE_MM, GAME_RING_MM, ROUND_RING_MM
from platelayer.model.title import RevenueChart, Round, Title, printed_amount
from platelayer.scene.inks import mix, readable_on
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Items,
    Path,
    Point,
    Scene,
    Stroke,
    polygon_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, fit, text_width

card_words = FixedWords("cards")
map_words = FixedWords("map")

_GAME_SPACE_MM = (27.2, 26.0)
_TRACK_HEAD_MM = 24.6
# Padding beside an amount, and the width for it beside the ring.
_AMOUNT_PAD_MM = 1.1
_AMOUNT_MM = _GAME_SPACE_MM[0] - GAME_RING_MM - 2.6 - 2 * _AMOUNT_PAD_MM
# With this gap, eight sets of rounds and the cut marks fit on Letter in landscape.
_BETWEEN_MM = 2.6
# Height of the sign of an export, and length of the longest engine on it.
_EXPORT_MM, _ENGINE_MM = 10.6, 22.0
_ENGINE = 1
_TRACK_GAP_MM = 5.0
_LEAST_WIDE_MM = 96.0

_SPACE_MM = (33.0, 32.0)
_ARROW_MM = 9.0
_LOOP_MM = 8.0
# Width of an arrow's line and length of its head, in mm: on the usual path, and off it.
_LINE, _THIN = (0.9, 3.2), (0.5, 2.6)
# The line around rings and numbered spaces.
_FINE_MM = 0.3
_ABOVE_CYCLES_MM = 2.4
# Start of the path to a round played once, on the space before it, as a share of the space's width.
_OUTER = 0.78


def draw_round_track(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the track that shows the current round, as large as its spaces need, with cycles below
    it. Raises KeyError if there is none."""
    if not title.pieces.rounds:
        raise KeyError(piece_id)
    if title.pieces.rounds_once:
        return _draw_game_track(title, piece_id, style)
    words = style.words(card_words("rounds"))
    body = _row(title, style)
    if title.pieces.cycles:
        body = stacked(body, _cycles(title.pieces.cycles, style, body.width), gap=_TRACK_GAP_MM)
    inner = max(body.width, _LEAST_WIDE_MM)
    board = stacked(
        title_plate(title, words, style, inner),
        _TRACK_GAP_MM,
        body,
        board_note(title.pieces.rounds_note, style, inner, above_mm=4.0, even=True),
        _by_phase(title, style, inner),
    )
    return board_scene(f"round-track:{piece_id}", words, board.sized(inner, board.height), style)


def _row(title: Title, style: Style) -> Block:
    """Lay out rounds in a row: above it the rounds that are played once, at the start; below it
    those that are played once between two others."""
    ink, (wide, tall) = style.ink("board.edge"), _SPACE_MM
    rounds = [entry for entry in title.pieces.rounds if entry.into is None]
    once = [entry for entry in title.pieces.rounds if entry.into is not None]
    before = [entry for entry in once if entry.after is None]
    between = [entry for entry in once if entry.after is not None]

    def draw(box: Box) -> Iterator[Item]:
        row = box._replace(height=tall)
        if before:
            row = row._replace(y=row.foot + _ARROW_MM)
        spaces = {
            entry.id: space
            for entry, space in zip(
                rounds, row.columns(*[wide] * len(rounds), gap=_ARROW_MM), strict=True
            )
        }
        for entry in before:
            space = spaces[entry.into or ""]._replace(y=box.y)
            yield from _space(entry, style, space, first=True)
            middle = space.middle[0]
            way = ((middle, space.foot + 1), (middle, row.y - 1))
            yield from bent_arrow(way, *_LINE, ink)
        level = row.middle[1]
        for number, entry in enumerate(rounds):
            space = spaces[entry.id]
            yield from _space(entry, style, space, first=not before and number == 0)
            if number:
                way = ((space.x - _ARROW_MM + 1.2, level), (space.x - 1, level))
                yield from bent_arrow(way, *_LINE, ink)
        under, top = row.foot + 1, row.foot
        if len(rounds) > 1:
            start, end, low = row.right - wide / 2, row.x + wide / 2, top + _LOOP_MM - 2.2
            loop = ((start, under), (start, low), (end, low), (end, under))
            yield from bent_arrow(loop, *_LINE, ink)
            top += _LOOP_MM
        for entry in between:
            source = spaces[entry.after or ""].x + wide * _OUTER
            target = spaces[entry.into or ""].x + wide * (1 - _OUTER)
            space = Box((source + target - wide) / 2, top, wide, tall)
            yield from _space(entry, style, space, first=True)
            level = space.middle[1]
            near, far = space.right + 1, space.x - 1.0
            if target >= source:
                near, far = far, near
            out = ((source, under), (source, level), (near, level))
            back = ((far, level), (target, level), (target, under))
            yield from (*bent_arrow(out, *_THIN, ink), *bent_arrow(back, *_THIN, ink))
            top += tall + _TRACK_GAP_MM

    width = len(rounds) * wide + (len(rounds) - 1) * _ARROW_MM
    height = tall + (tall + _ARROW_MM if before else 0) + (_LOOP_MM if len(rounds) > 1 else 0)
    height += len(between) * (tall + _TRACK_GAP_MM) - (_TRACK_GAP_MM if between else 0)
    return box_block(width, height, draw)


def _space(entry: Round, style: Style, space: Box, *, first: bool) -> Iterator[Item]:
    """Draw a space: a ring for the marker, with the round's name below."""
    ink = style.ink("board.edge")
    ground = style.ink("board.fifty" if first else "board.cell")
    yield space.plate(ground, Stroke(ink, 0.5), radius=2.0)
    _, ring, below = space.rows(2.4, ROUND_RING_MM, 0)
    yield from _ring(ring.middle, ROUND_RING_MM / 2, 0.9, style)
    name, type_style = style.words(entry.name), style.type("board.round")
    block = space_name(name, type_style, ink, space.width - 3.0, below.height - 1)
    area = below.inset(0, INSET_MM / 2)
    x, y, *_ = area.within(block.width, block.height)
    # Accents may extend beside the ring, but descenders stay above the line around the space.
    y = min(y, area.foot - block.height - block.tails)
    yield space.boxed(block.paint(x, y))


def _ring(middle: Point, radius: float, inset: float, style: Style) -> Items:
    """Draw a slot for a marker, with a line of gold inside."""
    edge = Stroke(style.ink("board.edge"), _FINE_MM)
    (x, y), across = middle, 2 * radius
    return (
        disc(middle, radius, style.ink("board.ground"), edge),
        disc(middle, radius - inset, stroke=_gold(style)),
        Box(x - radius, y - radius, across, across).place("marker", ()),
    )


def _gold(style: Style) -> Stroke:
    return Stroke(style.ink("card.gold"), 0.2, dash=(1.1, 0.8))


def _cycles(count: int, style: Style, most: float) -> Block:
    """Lay out numbered spaces for a marker, one for each cycle, in rows at most `most` mm wide."""
    wide, tall = CYCLE_MM, 22.4
    ink, figure = style.ink("board.edge"), style.type("board.cycle")
    edge = Stroke(ink, _FINE_MM)
    heading = text_block(style.words(card_words("cycles")), style.type("board.round"), ink)
    rows = math.ceil(count * wide / most)
    columns = math.ceil(count / rows)
    radius = CYCLE_MM / 2 - 1.0

    def draw(box: Box) -> Iterator[Item]:
        grid = box.grid([wide] * columns, [tall] * rows)
        for number in range(count):
            row, column = divmod(number, columns)
            space = grid[column, row]
            numeral, slot, _ = space.rows(0, 2 * radius, 1)
            ground = style.ink("board.hundred" if number == count - 1 else "board.cell")
            yield space.plate(ground, edge)
            yield disc(slot.middle, radius, style.ink("board.ground"), _gold(style))
            yield numeral.words(str(number + 1), figure, ink)

    spaces = box_block(columns * wide, rows * tall, draw)
    return stacked(heading, _ABOVE_CYCLES_MM, spaces)


def _by_phase(title: Title, style: Style, width: float) -> Block:
    """Lay out the number of operating rounds of each phase, if it varies: phases as chips with the
    number beside them, as large as the width allows, because people read the track from across
    the table."""
    phases = title.phases
    if len({phase.operating_rounds for phase in phases}) < 2:
        return strut(0)
    chip, figure, head = (style.type(name) for name in ("card.chip", "card.figure", "board.round"))
    ink, number_ink = style.ink("board.edge"), readable_on(style.ink("board.ground"))

    def entries(scale: float) -> list[Block]:
        large, strong = chip.at(chip.size_pt * scale), figure.at(figure.size_pt * scale)
        blocks = []
        for phase in phases:
            colour = phase.tiles[-1] if phase.tiles else "white"
            number = text_block(str(phase.operating_rounds), strong, number_ink)
            blocks.append(in_row(chip_block(phase.id, colour, large, style), 1, number))
        return blocks

    least, most = 2.0, 10.0
    plain = math.fsum(entry.width for entry in entries(1))
    grown = max(1, min(1.6, (width - least * len(phases)) / plain))
    count = math.ceil((plain * grown + least * len(phases)) / (width + least) - 1e-6)
    blocks, per_row = entries(grown), math.ceil(len(phases) / count)
    rows = []
    for start in range(0, len(blocks), per_row):
        row = blocks[start : start + per_row]
        spare = width - math.fsum(block.width for block in row)
        rows.append(in_row(*row, gap=max(least, min(most, spare / len(row)))))
    heading = text_block(style.words(card_words("rounds_by_phase")), head, ink)
    apart = 0.54 * grown * chip.size_mm
    return stacked(3.0, heading, 2.6, stacked(*rows, gap=apart))


def _draw_game_track(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the track of a whole game, as large as its rounds need; the ring of each space holds a
    marker of up to 14 mm."""
    # Each column begins with a round without an amount. All amounts have one type size.
    columns: list[list[Block]] = []
    figure = style.type("board.cycle")
    amounts = (entry.amount for entry in title.pieces.rounds if entry.amount is not None)
    for amount in amounts:
        figure = fit(title.money(amount), figure, _AMOUNT_MM)
    for entry in title.pieces.rounds:
        if entry.amount is None or not columns:
            columns.append([])
        columns[-1].append(_game_space(title, entry, figure, style))
        if entry.export:
            columns[-1].append(_export_sign(style))
    stacks = [stacked(*column) for column in columns]
    row = in_row(*stacks, gap=_BETWEEN_MM, level=0)
    ink = style.ink("board.edge")

    def draw(box: Box) -> Iterator[Item]:
        yield from row.paint(box.x, box.y)
        heads = box.rows(_TRACK_HEAD_MM)[0].columns(*[0] * len(columns), gap=_BETWEEN_MM)
        for number, (head, column) in enumerate(zip(heads, columns, strict=True)):
            level = box.y
            for block in column[:-1]:
                # Arrows down the column.
                level += block.height
                yield arrow(head.x + 4.0, level + 1.4, 1.9, 90, ink)
            if number + 1 < len(heads):
                # An arrow from the foot of the column, up beside it, to the head of the next.
                x, foot = head.right + _BETWEEN_MM / 2, level + column[-1].height / 2
                way = ((head.right, foot), (x, foot), (x, head.middle[1]))
                yield Path(polygon_path(way, closed=False), stroke=Stroke(ink, 0.7, join="round"))
                yield arrow(x + 0.2, head.middle[1], 1.9, 0, ink)

    words, inner = style.words(card_words("game_track")), max(row.width, _LEAST_WIDE_MM)
    board = stacked(
        title_plate(title, words, style, inner),
        _TRACK_GAP_MM,
        box_block(row.width, row.height, draw),
        board_note(title.pieces.rounds_note, style, inner, above_mm=_TRACK_GAP_MM, even=False),
    )
    return board_scene(f"round-track:{piece_id}", words, board.sized(inner, board.height), style)


def _game_space(title: Title, entry: Round, figure: TypeStyle, style: Style) -> Block:
    """Lay out a space: a ring for the marker, the round's value beside it, the round's name
    below."""
    wide, tall = _GAME_SPACE_MM
    ink, edge = style.ink("board.edge"), Stroke(style.ink("board.edge"), 0.45)
    type_style, name = style.type("board.round"), style.words(entry.name)
    if entry.amount is None:
        tall, ground = _TRACK_HEAD_MM, style.ink("board.fifty")
        words = space_name(name, type_style, ink, wide - 3.0, tall - GAME_RING_MM - 4.0)
    else:
        ground, words = style.ink("board.cell"), line_block(name, type_style, ink, wide - 3.0)

    def draw(space: Box) -> Iterator[Item]:
        upper, lower = space.rows(0, words.height + words.over + 2.2)
        radius = min(GAME_RING_MM / 2, upper.height / 2 - 0.8)
        yield space.plate(ground, edge)
        if entry.amount is None:
            yield from _ring(upper.middle, radius, 0.8, style)
        else:
            _, ring, beside, _ = upper.columns(2.0, 2 * radius, 0, 0.6)
            yield from _ring(ring.middle, radius, 0.8, style)
            yield beside.words(title.money(entry.amount), figure, ink, pad=_AMOUNT_PAD_MM)
        yield lower.centred(words, level=1, down=2.2)

    return box_block(wide, tall, draw)


def _export_sign(style: Style) -> Block:
    """Lay out a crossed-out engine, the sign for a train that leaves the game, in a box as wide as
    a space."""
    box = Box(0, 0, _GAME_SPACE_MM[0], _EXPORT_MM)
    long, tall = locomotive_size(_ENGINE, _ENGINE_MM, style)
    engine, reach = box.within(long, tall), box.within(long - 2.0, tall)
    cross = Stroke(style.ink("board.ledge"), 0.8, cap="round")
    grey = mix(style.ink("board.ground"), style.ink("board.line"), 0.4)
    shape = locomotive_items(_ENGINE, _ENGINE_MM, style, silhouette=grey)
    at = translation(engine.x, engine.foot)
    items = (
        box.plate(stroke=Stroke(style.ink("board.edge"), 0.45)),
        Group(shape, matrix=at),
        line_path((reach.x, reach.y), (reach.right, reach.foot), cross),
        line_path((reach.right, reach.y), (reach.x, reach.foot), cross),
    )
    return Block(box.width, box.height, placing(items))


# The chart of revenue.


# Amounts without their currency, which the note states.
_PLAIN = "{}"
_GAP_MM = 4.0


def draw_revenue_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the board on which companies mark their last revenue, as large as its spaces need.

    Raises KeyError if the title has none.
    """
    chart = title.pieces.revenue_chart
    if chart is None:
        raise KeyError(piece_id)
    words = style.words(card_words("earnings" if chart.shares else "revenue"))
    shares_mm = _shares_mm(chart, style) if chart.shares else 0
    values = range(chart.step, chart.top + 1, chart.step)
    small = style.type("board.price")
    small = small.at(small.min_pt)
    number = max(text_width(printed_amount(value, _PLAIN), small) for value in values)
    number += 2 * INSET_MM
    # A space has its number in a strip above its marker, and the earnings of several shares in a
    # strip beside both.
    if chart.shares:
        cell_wide, cell_tall = least_space_mm(title)
        cell_wide = max(cell_wide + 2.0, number) + shares_mm
    else:
        cell_wide, cell_tall = space_mm(title)
        cell_wide = max(cell_wide, number)
    spaces = _spaces(chart, style, (cell_wide, cell_tall), shares_mm)
    top = title.money(chart.top)
    if chart.shares:
        first, last = chart.shares[0], chart.shares[-1]
        together = str(first) if first == last else f"{first}–{last}"
        note = style.words(card_words("earnings_note"), together, top, top)
    else:
        note = style.words(card_words("revenue_note"), top, top)
    small, lines = balanced(note, style.type("board.legend"), spaces.width, 3)
    board = stacked(
        title_plate(title, words, style, spaces.width),
        _GAP_MM,
        spaces,
        2.4,
        text_block(lines, small, style.ink("board.edge"), leading=NOTE_LEADING),
        # Descenders extend into the margin.
        -0.8,
    )
    return board_scene(f"revenue-chart:{piece_id}", words, board, style)


def _shares_mm(chart: RevenueChart, style: Style) -> float:
    """Return the width of the strip that shows the earnings of several shares."""
    counts, sums = style.type("board.shares"), style.type("board.earned")
    top = chart.top // chart.step * chart.step
    rows = (
        text_width(f"{share}×", counts) + text_width(str(share * top), sums)
        for share in chart.shares
    )
    return max(9.4, max(rows) + 0.9 + INSET_MM + 0.6)


def _spaces(
    chart: RevenueChart, style: Style, cell_mm: tuple[float, float], shares_mm: float
) -> Block:
    """Lay out the spaces in rows. The rightmost `shares_mm` of each space show the earnings of
    several shares."""
    edge = Stroke(style.ink("board.line"), BOARD_LINE_MM)
    hair = Stroke(style.ink("board.line"), BOARD_LINE_MM / 2)
    bold = Stroke(style.ink("board.edge"), EDGE_MM)
    price_type, ink = style.type("board.price"), style.ink("text")
    count_type, sum_type = style.type("board.shares"), style.type("board.earned")
    wide, tall = cell_mm
    values = range(chart.step, chart.top + 1, chart.step)
    columns, rows = min(len(values), chart.columns), -(-len(values) // chart.columns)
    board = Box(0, 0, columns * wide, rows * tall)
    grid = board.grid([wide] * columns, [tall] * rows)
    # Hundreds of money (tens of earnings per share) are largest and darkest, followed by fifties
    # (fives).
    strong = 10 * chart.step if chart.shares else 100
    items: list[Item] = []
    for number, value in enumerate(values):
        row, column = divmod(number, chart.columns)
        space = grid[column, row]
        type_style, ground = price_type, "board.fifty" if 2 * value % strong == 0 else "board.cell"
        if value % strong == 0:
            type_style, ground = type_style.at(type_style.size_pt * 1.15), "board.hundred"
        marker, earned = space.columns(wide - shares_mm, 0)
        strip = marker.rows(STRIP_MM)[0]
        amount = printed_amount(value, _PLAIN)
        items += (
            space.plate(style.ink(ground), edge),
            strip_line(marker, style),
            token_place(marker),
            strip.words(amount, type_style, ink, Anchor.START, pad=INSET_MM),
        )
        if chart.shares:
            side = earned.inset(0, 1.2)
            items.append(line_path((side.x, side.y), (side.x, side.foot), hair))
            lines = earned.inset(0, 0.8).rows(*[0] * len(chart.shares))
            for shares, line in zip(chart.shares, lines, strict=True):
                _, words, _ = line.columns(0.9, 0, INSET_MM)
                items.append(words.words(f"{shares}×", count_type, bold.ink, Anchor.START))
                items.append(words.words(str(shares * value), sum_type, ink, Anchor.END))
    for row in range(rows):
        filled = min(columns, len(values) - row * columns)
        items.append(grid[:filled, row].plate(stroke=bold))
    return Block(board.width, board.height, placing(items))


# The sheet for the final accounts: a row for each company with shares, a column for each
# player.


_HEAD_MM = 11.0
_PRICE_MM = 13.0
# Share of a player's column for the number of shares; the rest is for their worth.
_HOLDING = 0.34
_PAD_MM = 1.4
_BASE_MM = 1.7
_NOTE_LEADING = 1.3


def draw_score_sheet(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the form in the title's size: a row for each company with shares and for each sum, a
    column for each player. Raises KeyError if the title has none."""
    sheet = title.pieces.score_sheet
    if sheet is None:
        raise KeyError(piece_id)
    size = piece_size(title, "score-sheet", piece_id)
    page = Box(0, 0, size.width_mm, size.height_mm).inset(MARGIN_MM)
    words = style.words(card_words("accounts"))
    plate = title_plate(title, words, style, page.width)
    top = page.y + plate.height + _GAP_MM
    companies = [company for company in with_roundels(title).values() if company.certificates]
    sums = [style.words(text) for text in sheet.rows]
    players = title.most_players or 1
    ink, note_type, strong = (
        style.ink("board.edge"),
        style.type("board.note"),
        style.type("board.strong"),
    )
    notes = wrap_rich(style.words(card_words("accounts_note")), note_type, page.width)
    rows = len(companies) + len(sums)
    note_mm = len(notes) * _NOTE_LEADING * note_type.size_mm + 1.0
    row_mm = min(12.0, (page.foot - note_mm - top - _HEAD_MM) / max(1, rows))
    # The first column is as wide as the widest heading, within limits.
    widths = [text_width(company.token_text, strong) + 8.0 for company in companies]
    widths += [rich_width(line, strong) for line in sums]
    names = min(page.width * 0.25, max(widths, default=10.0) + 2 * _PAD_MM)

    # A column for names, one for the price of a share, and two for each player: shares, their worth.
    table = Box(page.x, top, page.width, _HEAD_MM + rows * row_mm)
    player_mm = (table.width - names - _PRICE_MM) / players
    holding = [_HOLDING * player_mm, (1 - _HOLDING) * player_mm]
    grid = table.grid((names, _PRICE_MM, *holding * players), (_HEAD_MM, *[row_mm] * rows))
    first, total = 1, 1 + len(companies)

    # White ground to write on, with every second row of companies tinted; heads and sums in colour.
    items: list[Item] = [
        page.centred(plate, level=0),
        table.plate(style.ink("board.cell")),
        grid[:, 0].plate(style.ink("board.hundred")),
        *(grid[:, row].plate(style.ink("board.ground")) for row in range(first + 1, total, 2)),
        grid[:, total:].plate(style.ink("board.fifty")),
    ]

    # Headings, and a line for each player's name.
    line = Stroke(style.ink("board.line"), BOARD_LINE_MM)
    name, price = (style.words(card_words(key)) for key in ("company", "share_price"))
    names_head, price_head = grid[0, 0], grid[1, 0]
    company_block = line_block(name, strong, ink, names_head.width - _PAD_MM)
    price_block = line_block(price, strong, ink, price_head.width - 1)
    items += (
        names_head.centred(company_block, Anchor.START, 1, pad=_PAD_MM, down=_BASE_MM),
        price_head.centred(price_block, level=1, down=_BASE_MM),
    )
    for player in range(players):
        head = grid[2 + 2 * player : 4 + 2 * player, 0]
        number = text_block(str(player + 1), note_type, ink)
        items.append(head.centred(number, Anchor.START, 0, pad=_PAD_MM, down=_BASE_MM))
        items.append(head.inset(_PAD_MM, _BASE_MM).rule(line))

    disc = min(6.0, row_mm - 1)
    for row, company in enumerate(companies, start=first):
        _, sign, _, initials, _ = grid[0, row].columns(_PAD_MM, disc, 1.4, 0, 0.6)
        items.append(sign.centred(shape_block(roundel_items(company, disc, style), disc)))
        items.append(initials.words(company.token_text, strong, ink, Anchor.START))
    for row, text in enumerate(sums, start=total):
        items.append(grid[:2, row].words(text, strong, ink, Anchor.START, pad=_PAD_MM))

    # Lines between rows and columns; inside a player's column, a finer one after the number of
    # shares.
    fine = Stroke(style.ink("board.line"), 0.12, dash=(0.8, 0.8))
    edge = Stroke(ink, EDGE_MM)
    listed = slice(first, total)
    items += (grid.upright(column, fine, listed) for column in range(3, 2 * players + 2, 2))
    items += (grid.level(row, line) for row in range(2, rows + 1))
    items += (grid.upright(column, line) for column in range(2, 2 * players + 2, 2))
    items.append(grid.upright(1, line, slice(0, total)))
    items += (grid.level(first, edge), grid.level(total, edge), table.plate(stroke=edge))
    base = table.foot + 1.2 * note_type.size_mm
    items += set_lines(notes, note_type, ink, page.x, base, leading=_NOTE_LEADING)
    return sized_board(
        f"score-sheet:{piece_id}", words, (size.width_mm, size.height_mm), items, style
    )


# The sheets of a map and of the market with the boards that are printed on them.


_SEAT_MM, _SEAT_PT = 20.0, 22.0
_BOARD_GAP_MM, _BOARD_PAD_MM = 4.0, 7.0


def draw_map(title: Title, map_id: str, style: Style) -> Scene:
    """Draw the poster of one map, as large as its hexes, frame, cartouche, legend and boards need.

    Hexes measure `piece_size(title, "map", map_id)` from flat to flat; those of a plate are as
    large as its paper allows. Raises KeyError if the title does not have the map.
    """
    gamemap = {entry.id: entry for entry in title.maps}[map_id]
    across = piece_size(title, "map", map_id).width_mm
    panels = (_panel(name, title, style) for name in gamemap.boards)
    extras = Extras(boards=tuple(panel for panel in panels if panel is not None))
    if title.in_play is not None and title.map_of(title.in_play.position) is gamemap:
        title, gamemap, extras = as_played(title, title.in_play, extras)
    key = f"map:{map_id}"
    if title.plate:
        return draw_plate(title, gamemap, style, key=key, extras=extras)
    return draw_poster(title, gamemap, across, style, key=key, extras=extras)


def draw_market_sheet(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the market, and below it the boards that are printed with it. Raises KeyError if the
    title has no market."""
    scene = draw_market(title, piece_id, style)
    boards = title.market.boards if title.market is not None else ()
    panels = [panel for name in boards if (panel := _panel(name, title, style)) is not None]
    if not panels:
        return scene
    rest = in_row(*panels, level=0)
    width, height = max(scene.width_mm, rest.width), scene.height_mm + rest.height
    sheet = ground(width, height, BLEED_MM, style.ink("board.ground"))
    below = rest.paint(0, scene.height_mm)
    return replace(scene, width_mm=width, height_mm=height, items=(sheet, *scene.items, *below))


def _panel(name: str, title: Title, style: Style) -> Block | None:
    """Return a board cut to its trim; None if the title has none."""
    if name == "seats":
        return _seats(title, style)
    if name == "market":
        board = draw_market_sheet(title, "market", style) if title.market is not None else None
    elif name == "par-chart":
        board = draw_par_chart(title, "par", style) if title.pieces.par_chart is not None else None
    else:
        board = draw_round_track(title, "rounds", style) if title.pieces.rounds else None
    if board is None:
        return None
    trim = Box(0, 0, board.width_mm, board.height_mm)
    return Block(trim.width, trim.height, placing((Group(board.items, clip=trim.path()),)))


def _seats(title: Title, style: Style) -> Block | None:
    """Lay out a numbered slot for a marker of each player, in order of play; None if there is no
    number of players."""
    most = title.most_players
    if not most:
        return None
    heading, number = style.type("map.legend.heading"), style.type("map.title").at(_SEAT_PT)
    ink, edge = style.ink("map.title"), Stroke(style.ink("map.frame.line"), 0.35)
    slot = disc((0, 0), _SEAT_MM / 2, style.ink("white"), edge)
    seats = [
        layered(shape_block((slot,), _SEAT_MM), text_block(str(seat + 1), number, ink))
        for seat in range(most)
    ]
    name = text_block(style.words(map_words("seats")), heading, ink)
    return plated(
        stacked(name, _BOARD_GAP_MM, in_row(*seats, gap=_BOARD_GAP_MM)),
        _BOARD_PAD_MM,
        style,
    )
