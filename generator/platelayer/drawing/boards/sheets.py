"""The revenue chart: a space for every revenue, or for earnings per share with what several shares
earn.
"""

from __future__ import annotations

from msgspec import Struct

from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.kit.lettering import balanced, base_in, one_line
from platelayer.drawing.kit.panels import (
    EDGE_MM,
    INSET_MM,
    LINE_MM,
    MARGIN_MM,
    NOTE_LEADING,
    STRIP_MM,
    board_scene,
    least_space_mm,
    space_mm,
    strip_line,
    title_plate,
)
from platelayer.drawing.kit.rich_text import rich_width, set_lines, wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.company import Company
from platelayer.model.kinds import piece_size
from platelayer.model.title import RevenueChart, Title, printed_amount
from platelayer.scene.inks import Ink
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
from platelayer.scene.typeset import fit, set_block, set_line, text_width

card_words = FixedWords("cards")

_PLAIN = "{}"
"""Amounts without their currency, which the note says once."""
_SHARES_WIDE_MM = 9.4
_GAP_MM = 4.0


def draw_revenue_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """The board on which companies mark their last revenue, as large as its spaces need.

    Raises KeyError when the title has none.
    """
    chart = title.pieces.revenue_chart
    if chart is None:
        raise KeyError(piece_id)
    words = style.words(card_words("earnings") if chart.shares else card_words("revenue"))
    cell_wide, cell_tall = _cell_mm(title, chart, style)
    count = chart.top // chart.step
    rows = -(-count // chart.columns)
    wide, tall = min(count, chart.columns) * cell_wide, rows * cell_tall
    plate, down = title_plate(title, words, style, wide)
    down += _GAP_MM
    note = _note(title, chart, style)
    small, lines = balanced(note, style.type("board.legend"), wide, 3)
    first, step = down + tall + 2.4 + small.cap_height_mm, NOTE_LEADING * small.size_mm
    foot = first + step * (len(lines) - 1)
    size = (wide + 2 * MARGIN_MM, foot + MARGIN_MM - 0.8)
    items: list[Item] = [
        *plate,
        Group(items=_spaces(title, chart, style), matrix=translation(MARGIN_MM, down)),
        *set_block(
            lines,
            small,
            style.ink("board.edge"),
            size[0] / 2,
            first,
            leading=NOTE_LEADING,
            anchor=Anchor.MIDDLE,
        ),
    ]
    return board_scene(f"revenue-chart:{piece_id}", words, size, items, style)


def _cell_mm(title: Title, chart: RevenueChart, style: Style) -> tuple[float, float]:
    """A space shows its number in a strip above its marker, and what several shares earn in a strip
    beside both."""
    type_style = style.type("board.price")
    values = range(chart.step, chart.top + 1, chart.step)
    number = (
        max(
            text_width(printed_amount(value, _PLAIN), type_style.at(type_style.min_pt))
            for value in values
        )
        + 2 * INSET_MM
    )
    if not chart.shares:
        wide, tall = space_mm(title)
        return max(wide, number), tall
    wide, tall = least_space_mm(title)
    return max(wide + 2.0, number) + _shares_mm(chart, style), tall


def _shares_mm(chart: RevenueChart, style: Style) -> float:
    """How wide the strip is that shows what several shares earn."""
    counts, sums = style.type("board.shares"), style.type("board.earned")
    top = chart.top // chart.step * chart.step
    rows = (
        text_width(f"{share}×", counts) + text_width(str(share * top), sums)
        for share in chart.shares
    )
    return max(_SHARES_WIDE_MM, max(rows) + 0.9 + INSET_MM + 0.6)


def _note(title: Title, chart: RevenueChart, style: Style) -> str:
    top = title.money(chart.top)
    if not chart.shares:
        return style.words(card_words("revenue_note"), top, top)
    first, last = chart.shares[0], chart.shares[-1]
    together = str(first) if first == last else f"{first}–{last}"
    return style.words(card_words("earnings_note"), together, top, top)


def _spaces(title: Title, chart: RevenueChart, style: Style) -> tuple[Item, ...]:
    edge = Stroke(ink=style.ink("board.line"), width_mm=LINE_MM)
    strong = Stroke(ink=style.ink("board.edge"), width_mm=EDGE_MM)
    wide, tall = _cell_mm(title, chart, style)
    values = range(chart.step, chart.top + 1, chart.step)
    items: list[Item] = []
    for place, value in enumerate(values):
        x, y = place % chart.columns * wide, place // chart.columns * tall
        items.append(
            Path(
                commands=rectangle_path(x, y, wide, tall),
                fill=_ground(value, style, chart),
                stroke=edge,
            )
        )
        free = wide - (_shares_mm(chart, style) if chart.shares else 0.0)
        items.append(strip_line(x, y, free, style))
        type_style = style.type("board.price")
        if value % _strong(chart) == 0:
            type_style = type_style.at(type_style.size_pt * 1.15)
        type_style = fit(printed_amount(value, _PLAIN), type_style, free - 2 * INSET_MM)
        base = y + STRIP_MM / 2 + base_in(printed_amount(value, _PLAIN), type_style, STRIP_MM)
        price = set_line(
            printed_amount(value, _PLAIN), type_style, style.ink("text"), x + INSET_MM, base
        )
        items.append(boxed(price, x, y, free, STRIP_MM))
        items.append(
            boxed(
                _shares(value, chart, style, (x, y), (wide, tall)), x + free, y, wide - free, tall
            )
        )
    for row in range(-(-len(values) // chart.columns)):
        filled = min(chart.columns, len(values) - row * chart.columns)
        items.append(
            Path(commands=rectangle_path(0.0, row * tall, filled * wide, tall), stroke=strong)
        )
    return tuple(items)


def _shares(
    value: int,
    chart: RevenueChart,
    style: Style,
    place: tuple[float, float],
    size_mm: tuple[float, float],
) -> tuple[Item, ...]:
    """What several shares earn together, in a strip at the right of the space whose upper left is
    `place`."""
    if not chart.shares:
        return ()
    (x, y), (wide, tall) = place, size_mm
    left, right = x + wide - _shares_mm(chart, style), x + wide - INSET_MM
    count_type, sum_type = style.type("board.shares"), style.type("board.earned")
    rule = Stroke(ink=style.ink("board.line"), width_mm=LINE_MM / 2)
    items: list[Item] = [
        Path(commands=(("M", left, y + 1.2), ("L", left, y + tall - 1.2)), stroke=rule)
    ]
    step = (tall - 1.6) / len(chart.shares)
    for row, shares in enumerate(chart.shares):
        middle = y + 0.8 + (row + 0.5) * step
        base = middle + sum_type.cap_height_mm / 2
        items += set_line(f"{shares}×", count_type, style.ink("board.edge"), left + 0.9, base)
        items += set_line(
            str(shares * value), sum_type, style.ink("text"), right, base, anchor=Anchor.END
        )
    return tuple(items)


def _strong(chart: RevenueChart) -> int:
    """The value whose multiples are printed strongest: hundreds of money, tens of earnings per
    share."""
    return 10 * chart.step if chart.shares else 100


def _ground(value: int, style: Style, chart: RevenueChart) -> Ink:
    """Hundreds (tens) darkest, fifties (fives) next."""
    strong = _strong(chart)
    if value % strong == 0:
        return style.ink("board.hundred")
    return style.ink("board.fifty" if 2 * value % strong == 0 else "board.cell")


# The sheet for the final accounts: a row for each company with shares, a column for each
# player.


_HEAD_MM = 11.0
_PRICE_MM = 13.0
_HOLDING = 0.34
"""Share of a player's column for the number of shares; the rest is for their worth."""
_MOST_ROW_MM = 12.0
_PAD_MM = 1.4


class _Grid(Struct, frozen=True, kw_only=True):
    """Where the table lies, in mm: its upper left, columns and rows."""

    left: float
    top: float
    names: float
    player: float
    row: float
    players: int
    rows: int

    @property
    def right(self) -> float:
        return self.left + self.names + _PRICE_MM + self.players * self.player

    @property
    def bottom(self) -> float:
        return self.top + _HEAD_MM + self.rows * self.row

    def column(self, player: int) -> float:
        """Left side of a player's column."""
        return self.left + self.names + _PRICE_MM + player * self.player

    def line(self, row: int) -> float:
        """Upper side of a row."""
        return self.top + _HEAD_MM + row * self.row


def draw_score_sheet(title: Title, piece_id: str, style: Style) -> Scene:
    """The form in the title's size. Raises KeyError when the title has none."""
    sheet = title.pieces.score_sheet
    if sheet is None:
        raise KeyError(piece_id)
    size = piece_size(title, "score-sheet", piece_id)
    width, height = size.width_mm, size.height_mm
    inner = width - 2 * MARGIN_MM
    words = style.words(card_words("accounts"))
    plate, top = title_plate(title, words, style, inner)
    top += _GAP_MM
    companies = [company for company in with_roundels(title).values() if company.certificates]
    rows = [style.words(text) for text in sheet.rows]
    note_type = style.type("board.note")
    notes = wrap_rich(style.words(card_words("accounts_note")), note_type, inner)
    foot = len(notes) * 1.3 * note_type.size_mm + 1.0
    players = max((count.players for count in title.players), default=1)
    room = height - MARGIN_MM - foot - top - _HEAD_MM
    lines = len(companies) + len(rows)
    names = _names_width(companies, rows, style, inner * 0.25)
    grid = _Grid(
        left=MARGIN_MM,
        top=top,
        names=names,
        player=(inner - names - _PRICE_MM) / players,
        row=min(_MOST_ROW_MM, room / max(1, lines)),
        players=players,
        rows=lines,
    )
    items = [
        *plate,
        *_grounds(grid, len(companies), style),
        *_head(grid, style),
        *_company_rows(grid, companies, style),
        *_sum_rows(grid, rows, len(companies), style),
        *_rules(grid, len(companies), style),
        *set_lines(
            notes,
            note_type,
            style.ink("board.edge"),
            MARGIN_MM,
            grid.bottom + 1.2 * note_type.size_mm,
            leading=1.3,
        ),
    ]
    return board_scene(f"score-sheet:{piece_id}", words, (width, height), items, style)


def _names_width(companies: list[Company], rows: list[str], style: Style, most: float) -> float:
    """Width of the first column: the widest heading, within limits."""
    type_style = style.type("board.strong")
    widths = [text_width(company.token_text, type_style) + 8.0 for company in companies]
    widths += [rich_width(row, type_style) for row in rows]
    return min(most, max(widths, default=10.0) + 2 * _PAD_MM)


def _grounds(grid: _Grid, companies: int, style: Style) -> list[Item]:
    """White paper to write on, every second row of companies tinted, the heads and sums on
    colour."""
    wide = grid.right - grid.left
    items: list[Item] = [
        Path(
            commands=rectangle_path(grid.left, grid.top, wide, grid.bottom - grid.top),
            fill=style.ink("board.cell"),
        ),
        Path(
            commands=rectangle_path(grid.left, grid.top, wide, _HEAD_MM),
            fill=style.ink("board.hundred"),
        ),
    ]
    tinted = [row for row in range(companies) if row % 2]
    for row in tinted:
        band = rectangle_path(grid.left, grid.line(row), wide, grid.row)
        items.append(Path(commands=band, fill=style.ink("board.ground")))
    sums = rectangle_path(grid.left, grid.line(companies), wide, (grid.rows - companies) * grid.row)
    return [*items, Path(commands=sums, fill=style.ink("board.fifty"))]


def _head(grid: _Grid, style: Style) -> list[Item]:
    """Headings, and a line for each player's name."""
    type_style, ink = style.type("board.strong"), style.ink("board.edge")
    base = grid.top + _HEAD_MM - 1.8
    items: list[Item] = list(
        set_line(style.words(card_words("company")), type_style, ink, grid.left + _PAD_MM, base)
    )
    price = style.words(card_words("share_price"))
    fitted, price = one_line(price, type_style, _PRICE_MM - 1.0)
    left = grid.left + grid.names
    words = set_line(price, fitted, ink, left + _PRICE_MM / 2, base, anchor=Anchor.MIDDLE)
    items.append(boxed(words, left, grid.top, _PRICE_MM, _HEAD_MM))
    figure = style.type("board.note")
    for player in range(grid.players):
        x = grid.column(player)
        first = grid.top + 1.6 + figure.cap_height_mm
        items += set_line(str(player + 1), figure, ink, x + _PAD_MM, first)
        rule = (("M", x + _PAD_MM, base), ("L", x + grid.player - _PAD_MM, base))
        items.append(
            Path(commands=rule, stroke=Stroke(ink=style.ink("board.line"), width_mm=LINE_MM))
        )
    return items


def _company_rows(grid: _Grid, companies: list[Company], style: Style) -> list[Item]:
    type_style, ink = style.type("board.strong"), style.ink("board.edge")
    disc = min(6.0, grid.row - 1.0)
    items: list[Item] = []
    for row, company in enumerate(companies):
        middle = grid.line(row) + grid.row / 2
        sign = roundel_items(company, disc, style)
        items.append(Group(items=sign, matrix=translation(grid.left + _PAD_MM + disc / 2, middle)))
        x = grid.left + _PAD_MM + disc + 1.4
        fitted, shown = one_line(company.token_text, type_style, grid.left + grid.names - 0.6 - x)
        initials = set_line(shown, fitted, ink, x, middle + base_in(shown, fitted, grid.row))
        items.append(boxed(initials, grid.left, grid.line(row), grid.names, grid.row))
    return items


def _sum_rows(grid: _Grid, rows: list[str], companies: int, style: Style) -> list[Item]:
    type_style, ink = style.type("board.strong"), style.ink("board.edge")
    items: list[Item] = []
    for row, words in enumerate(rows, start=companies):
        fitted, shown = one_line(words, type_style, grid.names + _PRICE_MM - 2 * _PAD_MM)
        base = grid.line(row) + grid.row / 2 + base_in(shown, fitted, grid.row)
        line = set_line(shown, fitted, ink, grid.left + _PAD_MM, base)
        items.append(boxed(line, grid.left, grid.line(row), grid.names + _PRICE_MM, grid.row))
    return items


def _rules(grid: _Grid, companies: int, style: Style) -> list[Item]:
    """Lines between rows and columns; within a player's column a finer one after the number of
    shares."""
    line = Stroke(ink=style.ink("board.line"), width_mm=LINE_MM)
    fine = Stroke(ink=style.ink("board.line"), width_mm=0.12, dash=(0.8, 0.8))
    edge = Stroke(ink=style.ink("board.edge"), width_mm=EDGE_MM)
    sums = grid.line(companies)
    across = [
        (("M", grid.left, grid.line(row)), ("L", grid.right, grid.line(row)))
        for row in range(1, grid.rows)
    ]
    down = [
        (("M", x, grid.top), ("L", x, grid.bottom)) for x in map(grid.column, range(grid.players))
    ]
    price = grid.left + grid.names
    down.append((("M", price, grid.top), ("L", price, sums)))
    inside = [
        (("M", x, grid.line(0)), ("L", x, sums))
        for x in (grid.column(player) + _HOLDING * grid.player for player in range(grid.players))
    ]
    strong = [(("M", grid.left, y), ("L", grid.right, y)) for y in (grid.line(0), sums)]
    frame = rectangle_path(grid.left, grid.top, grid.right - grid.left, grid.bottom - grid.top)
    return [
        *(Path(commands=commands, stroke=fine) for commands in inside),
        *(Path(commands=commands, stroke=line) for commands in (*across, *down)),
        *(Path(commands=commands, stroke=edge) for commands in strong),
        Path(commands=frame, stroke=edge),
    ]
