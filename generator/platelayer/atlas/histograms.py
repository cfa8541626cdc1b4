"""Sheets of histograms: how often each measure of a map has each value."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.scene.shapes import (
    Anchor,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    polygon_path,
    rectangle_path,
)
from platelayer.scene.typeset import set_block, set_line, wrap

_ACROSS = 4
_CELL = (62.0, 42.0)
_GAP_MM = 8.0
_RIM_MM = 10.0
_HEAD_MM = 14.0
_BARS = 30
"""The most bars in a histogram; where there are more values, neighbours share a bar."""
_WIDEST_MM = 9.0
_PLOT_TOP_MM, _PLOT_BOTTOM_MM = 13.0, 5.0


class Histogram(Struct, frozen=True, kw_only=True):
    """One measure: its name and meaning, (value, how often) by value, the mean; `whole`: no value
    lies between."""

    name: str
    meaning: str
    counts: tuple[tuple[float, int], ...]
    mean: float
    whole: bool


def draw_histograms(title: str, histograms: Sequence[Histogram], style: Style) -> Scene:
    """A sheet with a histogram of each measure, in mm as on paper; the sheet is as large as it
    needs to be."""
    rows = math.ceil(len(histograms) / _ACROSS)
    width = 2 * _RIM_MM + _ACROSS * _CELL[0] + (_ACROSS - 1) * _GAP_MM
    height = 2 * _RIM_MM + _HEAD_MM + rows * (_CELL[1] + _GAP_MM) - _GAP_MM
    items: list[Item] = [
        Path(commands=rectangle_path(0, 0, width, height), fill=style.ink("white")),
        *set_line(
            title, style.type("sheet.strong").at(13), style.ink("text"), _RIM_MM, _RIM_MM + 4.5
        ),
    ]
    for index, histogram in enumerate(histograms):
        row, column = divmod(index, _ACROSS)
        x = _RIM_MM + column * (_CELL[0] + _GAP_MM)
        y = _RIM_MM + _HEAD_MM + row * (_CELL[1] + _GAP_MM)
        items += _plot(histogram, x, y, style)
    return Scene(
        key="histograms", width_mm=width, height_mm=height, items=tuple(items), label=title
    )


def _plot(histogram: Histogram, x: float, y: float, style: Style) -> list[Item]:
    """One histogram with its upper left corner at (x, y)."""
    width, height = _CELL
    soft, strong = style.type("sheet"), style.type("sheet.strong")
    name = histogram.name.replace("_", " ")
    mean = f"mean {histogram.mean:.4g}" if histogram.counts else "none"
    meaning = wrap(histogram.meaning, soft, width)
    items: list[Item] = [
        *set_line(name, strong, style.ink("text"), x, y + 2.8),
        *set_line(mean, soft, style.ink("text"), x + width, y + 2.8, anchor=Anchor.END),
        *set_block(meaning, soft, style.ink("text.soft"), x, y + 6.2),
    ]
    base, top = y + height - _PLOT_BOTTOM_MM, y + _PLOT_TOP_MM
    if not histogram.counts:
        return items
    low, step, bars = _bars(histogram)
    most = max(bars)
    pitch = min(_WIDEST_MM, width / len(bars))
    gap = min(0.4, pitch / 6)
    for index, number in enumerate(bars):
        if number:
            bar = max(0.15, (base - top) * number / most)
            shape = rectangle_path(x + index * pitch + gap / 2, base - bar, pitch - gap, bar)
            items.append(Path(commands=shape, fill=style.ink("tile.shore")))
    rule = Stroke(ink=style.ink("rule"), width_mm=0.2)
    items.append(
        Path(
            commands=polygon_path(((x, base), (x + width, base)), closed=False),
            stroke=rule,
            role=Role.MARK,
        )
    )
    for index in _labelled(len(bars)):
        words = (
            f"{low + index * step:g}"
            if histogram.whole or step >= 1
            else f"{low + index * step:.2f}"
        )
        at = x + (index + 0.5) * pitch
        items += set_line(words, soft, style.ink("text.soft"), at, base + 3.2, anchor=Anchor.MIDDLE)
    total = sum(bars)
    share = f"{most / total:.0%}"
    items += set_line(share, soft.at(5.5), style.ink("text.soft"), x, top - 0.6)
    items.append(
        Path(
            commands=polygon_path(((x + 6, top), (x + width, top)), closed=False),
            stroke=Stroke(ink=style.ink("rule.soft"), width_mm=0.15),
            role=Role.MARK,
        )
    )
    return items


def _bars(histogram: Histogram) -> tuple[float, float, list[int]]:
    """The value of the first bar, the step to the next, and the height of each."""
    values = [value for value, _ in histogram.counts]
    low, high = values[0], values[-1]
    if histogram.whole:
        unit = math.gcd(*(int(value - low) for value in values)) or 1
        step: float = unit * max(1, math.ceil((high - low + unit) / unit / _BARS))
    else:
        step = max(0.05, math.ceil((high - low) / _BARS / 0.05) * 0.05)
    bars = [0] * (int((high - low) / step + 1e-6) + 1)
    for value, number in histogram.counts:
        bars[int((value - low) / step + 1e-6)] += number
    return low, step, bars


def _labelled(bars: int) -> list[int]:
    """Which bars show their value: about seven, evenly spread."""
    every = max(1, math.ceil(bars / 7))
    return list(range(0, bars, every))
