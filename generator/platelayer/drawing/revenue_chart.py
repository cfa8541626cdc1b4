"""A title in, its revenue chart out: a space for every revenue, fifties and hundreds marked."""

from __future__ import annotations

from platelayer.drawing import card_words as say
from platelayer.drawing.board_parts import (
    EDGE_MM,
    INSET_MM,
    LINE_MM,
    MARGIN_MM,
    board_scene,
    title_items,
    title_size,
)
from platelayer.drawing.style import Style
from platelayer.model.title import RevenueChart, Title
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Anchor, Group, Item, Path, Scene, Stroke, rectangle_path, translation
from platelayer.scene.typeset import fit, set_line

CELL_MM = (15.0, 15.0)
"""A space holds a 14 mm marker and shows its number beside it."""
_GAP_MM = 4.0


def draw_revenue_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """The board on which companies mark their last revenue, as large as its spaces need.

    Raises KeyError when the title has none.
    """
    chart = title.pieces.revenue_chart
    if chart is None:
        raise KeyError(piece_id)
    words = style.words(say.REVENUE)
    count = chart.top // chart.step
    rows = -(-count // chart.columns)
    wide, tall = min(count, chart.columns) * CELL_MM[0], rows * CELL_MM[1]
    plate_wide, plate_tall = title_size(title, words, style, wide)
    down = MARGIN_MM + plate_tall + _GAP_MM
    note = style.words(say.REVENUE_NOTE).format(title.money(chart.top), title.money(chart.top))
    small = fit(note, style.type("board.legend"), wide)
    foot = down + tall + 2.4 + small.cap_height_mm
    size = (wide + 2 * MARGIN_MM, foot + MARGIN_MM - 0.8)
    items: list[Item] = [
        *title_items(title, words, style, (MARGIN_MM + (wide - plate_wide) / 2, MARGIN_MM), wide),
        Group(items=_spaces(title, chart, style), matrix=translation(MARGIN_MM, down)),
        *set_line(note, small, style.ink("board.edge"), size[0] / 2, foot, anchor=Anchor.MIDDLE),
    ]
    return board_scene(f"revenue-chart:{piece_id}", words, size, items, style)


def _spaces(title: Title, chart: RevenueChart, style: Style) -> tuple[Item, ...]:
    edge = Stroke(ink=style.ink("board.line"), width_mm=LINE_MM)
    strong = Stroke(ink=style.ink("board.edge"), width_mm=EDGE_MM)
    wide, tall = CELL_MM
    values = range(chart.step, chart.top + 1, chart.step)
    items: list[Item] = []
    for place, value in enumerate(values):
        x, y = place % chart.columns * wide, place // chart.columns * tall
        items.append(Path(commands=rectangle_path(x, y, wide, tall), fill=_ground(value, style), stroke=edge))
        kind = style.type("board.price")
        if value % 100 == 0:
            kind = kind.at(kind.size_pt * 1.3)
        kind = fit(title.money(value), kind, wide - 2 * INSET_MM)
        base = y + INSET_MM + kind.cap_height_mm
        items += set_line(title.money(value), kind, style.ink("text"), x + INSET_MM, base)
    for row in range(-(-len(values) // chart.columns)):
        filled = min(chart.columns, len(values) - row * chart.columns)
        items.append(Path(commands=rectangle_path(0.0, row * tall, filled * wide, tall), stroke=strong))
    return tuple(items)


def _ground(value: int, style: Style) -> Ink:
    """Hundreds darkest, fifties next."""
    if value % 100 == 0:
        return style.ink("board.hundred")
    return style.ink("board.fifty" if value % 50 == 0 else "board.cell")
