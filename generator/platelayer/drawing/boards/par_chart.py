"""The par chart: a row of places for the tokens of companies beside each start price."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from platelayer.drawing.kit.panels import (
    EDGE_MM,
    LINE_MM,
    MARGIN_MM,
    board_scene,
    title_plate,
    title_size,
    token_mm,
)
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import ParChart, Title
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    boxed,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import fit, set_centred

card_words = FixedWords("cards")

_PRICE_MM = 22.0
_ROUND_MM = 1.2
"""Air round each token."""
_GAP_MM = 4.0
_HIGHEST_MM = 150.0
"""Rows below each other, before a second column begins."""


def draw_par_chart(title: Title, piece_id: str, style: Style) -> Scene:
    """The chart as large as its prices and places need. Raises KeyError when the title has none."""
    chart = title.pieces.par_chart
    if chart is None:
        raise KeyError(piece_id)
    words = style.words(card_words("par_chart"))
    prices = _prices(title, chart)
    side = token_mm(title) + 2 * _ROUND_MM
    wide, rows = _PRICE_MM + chart.places * side, max(1, int(_HIGHEST_MM // side))
    columns = math.ceil(len(prices) / rows)
    rows = math.ceil(len(prices) / columns)
    inner = columns * wide + (columns - 1) * _GAP_MM
    inner = max(inner, title_size(title, words, style, 1000.0)[0])
    plate, down = title_plate(title, words, style, inner)
    down += _GAP_MM
    left = MARGIN_MM + (inner - columns * wide - (columns - 1) * _GAP_MM) / 2
    items: list[Item] = [*plate]
    for number, price in enumerate(prices):
        column, row = divmod(number, rows)
        at = translation(left + column * (wide + _GAP_MM), down + row * side)
        items.append(
            Group(items=tuple(_row(title.money(price), chart.places, side, style)), matrix=at)
        )
    size = (inner + 2 * MARGIN_MM, down + rows * side + MARGIN_MM)
    return board_scene(f"par-chart:{piece_id}", words, size, items, style)


def _prices(title: Title, chart: ParChart) -> Sequence[int]:
    """The prices of the chart, else the start prices of the market; the highest first."""
    given = chart.prices or (title.market.par_prices if title.market is not None else ())
    return sorted(given, reverse=True)


def _row(price: str, places: int, side: float, style: Style) -> Iterator[Item]:
    edge, line = Stroke(ink=style.ink("board.edge"), width_mm=EDGE_MM), style.ink("board.line")
    ink = style.ink("board.edge")
    width = _PRICE_MM + places * side
    yield Path(commands=rectangle_path(0, 0, width, side), fill=style.ink("board.cell"))
    yield Path(commands=rectangle_path(0, 0, _PRICE_MM, side), fill=style.ink("board.fifty"))
    yield Path(commands=rectangle_path(0, 0, width, side), stroke=edge)
    figures = fit(price, style.type("board.price"), _PRICE_MM - 3.0)
    yield boxed(
        set_centred(price, figures, ink, _PRICE_MM / 2, side / 2), 0.0, 0.0, _PRICE_MM, side
    )
    ring = Stroke(ink=line, width_mm=LINE_MM, dash=(1.1, 0.8))
    for place in range(places):
        yield Circle(
            cx=_PRICE_MM + (place + 0.5) * side, cy=side / 2, r=side / 2 - _ROUND_MM, stroke=ring
        )
