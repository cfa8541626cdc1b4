"""The revenue chart: a space for every revenue, or for earnings per share with what several shares
earn."""

from __future__ import annotations

from platelayer.drawing.kit.lettering import balanced, base_in
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
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
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
