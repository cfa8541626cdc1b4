"""The revenue chart, the score sheet, and the sheets of a map and of the market with the boards that
are printed on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from platelayer.drawing.boards.market import draw_market, draw_par_chart
from platelayer.drawing.boards.round_track import draw_round_track
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.layout import (
    Block,
    Box,
    disc,
    in_row,
    layered,
    line_block,
    line_path,
    placing,
    shape_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import balanced, rich_width, set_lines, wrap_rich
from platelayer.drawing.kit.parts import ground
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.kit.surfaces import (
    BOARD_LINE_MM,
    EDGE_MM,
    INSET_MM,
    MARGIN_MM,
    NOTE_LEADING,
    STRIP_MM,
    board_scene,
    least_space_mm,
    sized_board,
    space_mm,
    strip_line,
    title_plate,
    token_place,
)
from platelayer.drawing.map.board import Extras, as_played, draw_plate, draw_poster
from platelayer.drawing.map.panels import plated
from platelayer.foundation.languages import FixedWords
from platelayer.model.kinds import piece_size
from platelayer.model.title import RevenueChart, Title, printed_amount
from platelayer.scene.shapes import Anchor, Group, Item, Scene, Stroke
from platelayer.scene.typeset import text_width

if TYPE_CHECKING:
    from platelayer.drawing.kit.style import Style
    from platelayer.model.title import Title

card_words = FixedWords("cards")

# Amounts without their currency, which the note says once.
_PLAIN = "{}"
_GAP_MM = 4.0


def draw_revenue_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """The board on which companies mark their last revenue, as large as its spaces need.

    Raises KeyError when the title has none.
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
    # A space shows its number in a strip above its marker, and the earnings of several shares in a
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
        # Tails hang into the margin.
        -0.8,
    )
    return board_scene(f"revenue-chart:{piece_id}", words, board, style)


def _shares_mm(chart: RevenueChart, style: Style) -> float:
    """Width of the strip that shows the earnings of several shares."""
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
    """The spaces in rows, the last `shares_mm` of each for the earnings of several shares."""
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
    # Hundreds of money, or tens of earnings per share, are printed strongest and darkest, fifties or
    # fives next.
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
    """The form in the title's size: a row for each company with shares and for each sum, a column
    for each player. Raises KeyError when the title has none."""
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

    # White paper to write on, every second row of companies tinted, the heads and sums on colour.
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

    # Lines between rows and columns; within a player's column a finer one after the number of
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


map_words = FixedWords("map")

_SEAT_MM, _SEAT_PT = 20.0, 22.0
_BOARD_GAP_MM, _BOARD_PAD_MM = 4.0, 7.0


def draw_map(title: Title, map_id: str, style: Style) -> Scene:
    """The poster of one map, as large as its hexes, frame, cartouche, legend and boards need.

    Hexes are `piece_size(title, "map", map_id)` from flat to flat, those of a plate as large as its
    paper allows. Raises KeyError for a map the title does not have.
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
    """The market, and below it the boards that are printed with it. Raises KeyError when the title
    has no market."""
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
    """A board as it is when it is cut out; None where the title has none."""
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
    """A numbered slot for a marker of each player, in their order of play."""
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
