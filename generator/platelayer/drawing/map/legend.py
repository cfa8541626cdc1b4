"""The legend of a map: the signs and colours that occur on it, and the scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.cartouche import Panel, plate_items
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.languages import FixedWords
from platelayer.scene.shapes import (
    Group,
    Item,
    Path,
    Stroke,
    polygon_path,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import set_centred, set_line, text_width, wrap

words = FixedWords("map")

_PAD = 6.5
SIGN_MM = 15.0
"""Width of the column of signs."""
_ROW_MM = 8.6
_TALL = 1.4
"""Groups up to this many times as high as a column would be without them are not parted."""
_GAP_MM = 6.0
"""Between columns."""


class Entry(Struct, frozen=True):
    """A sign, centred on (0, 0), and what it means; a note without a sign runs under all columns. Entries of one
    `group` (1 and up) stay together in a column where they can."""

    sign: tuple[Item, ...]
    words: str
    height_mm: float = 7.0
    group: int = 0


def legend(entries: Sequence[Entry], plan: MapPlan, columns: int, text_mm: float, style: Style) -> Panel:
    """The legend in some columns whose words are at most `text_mm` wide; its height follows."""
    kind, heading = style.type("map.legend"), style.type("map.legend.heading")
    ink = style.ink("text")
    rows = [(entry, wrap(entry.words, kind, text_mm)) for entry in entries]
    notes = [style.words(text) for text in plan.gamemap.legend]
    column_mm = SIGN_MM + text_mm
    width = 2 * _PAD + columns * column_mm + (columns - 1) * _GAP_MM
    items: list[Item] = []
    y = _PAD + heading.cap_height_mm + 0.6
    items += set_centred(
        style.words(words("legend")), heading, style.ink("map.title"), width / 2, y - heading.cap_height_mm / 2
    )
    top = y + 3.0
    bottom = top
    for number, column in enumerate(_columns(rows, columns, kind.size_mm)):
        x, y = _PAD + number * (column_mm + _GAP_MM), top
        for entry, lines in column:
            height = _height(entry, lines, kind.size_mm)
            middle = y + height / 2
            items.append(Group(items=entry.sign, matrix=translation(x + SIGN_MM / 2 - 1.0, middle)))
            first = middle + kind.cap_height_mm / 2 - (len(lines) - 1) * kind.size_mm * 0.6
            for step, line in enumerate(lines):
                items += set_line(line, kind, ink, x + SIGN_MM, first + step * kind.size_mm * 1.2)
            y += height
        bottom = max(bottom, y)
    y = bottom + 1.5
    if notes:
        items.append(_rule(y, width, style))
        y += 1.2
        runs, y = _notes(notes, y, width, min(2, columns), style)
        items += runs
        y += 2.2
    items.append(_rule(y, width, style))
    y += 2.4
    y = _scale(plan, y, width, style, items)
    height = y + _PAD - 1.5
    return Panel(width_mm=width, height_mm=height, items=(*plate_items(width, height, style), *items))


def _rule(y: float, width: float, style: Style) -> Path:
    line = polygon_path(((_PAD, y), (width - _PAD, y)), closed=False)
    return Path(commands=line, stroke=Stroke(ink=style.ink("map.frame.line"), width_mm=0.16))


def _height(entry: Entry, lines: Sequence[str], size_mm: float) -> float:
    return max(entry.height_mm + 1.4, len(lines) * size_mm * 1.2 + 1.6, 5.2)


def _columns(
    rows: Sequence[tuple[Entry, tuple[str, ...]]], count: int, size_mm: float
) -> list[list[tuple[Entry, tuple[str, ...]]]]:
    """Rows in order, broken into columns so that the tallest is as low as possible."""
    heights = [_height(entry, lines, size_mm) for entry, lines in rows]
    groups = [entry.group for entry, _ in rows]
    wholes = [
        math.fsum(h for h, g in zip(heights, groups, strict=True) if g == each) for each in sorted({*groups} - {0})
    ]
    most = _TALL * math.fsum(heights) / count
    low, high = max((*heights, *(each for each in wholes if each <= most)), default=0.0), math.fsum(heights)
    while high - low > 0.1:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_broken(heights, groups, middle)) <= count else (middle, high)
    found, start = [], 0
    for size in _broken(heights, groups, high):
        found.append(list(rows[start : start + size]))
        start += size
    return found


def _broken(heights: Sequence[float], groups: Sequence[int], limit: float) -> list[int]:
    """How many rows stand in each column up to a height; groups that fit a column are not parted."""
    sizes, total = [0], 0.0
    for number, height in enumerate(heights):
        need = height
        if groups[number] and (number == 0 or groups[number] != groups[number - 1]):
            whole = math.fsum(each for each, group in zip(heights, groups, strict=True) if group == groups[number])
            need = whole if whole <= limit + 1e-6 else height
        if total + need > limit + 1e-6 and sizes[-1]:
            sizes.append(0)
            total = 0.0
        sizes[-1] += 1
        total += height
    return sizes


def _notes(notes: Sequence[str], y: float, width: float, count: int, style: Style) -> tuple[list[Item], float]:
    """The title's own lines in `count` columns from `y` down, and where they end."""
    kind, ink = style.type("map.legend.note"), style.ink("text")
    each = (width - 2 * _PAD - (count - 1) * _GAP_MM) / count
    blocks = [wrap(note, kind, each) for note in notes]
    leading, gap = kind.size_mm * 1.18, kind.size_mm * 0.45
    heights = [len(lines) * leading + gap for lines in blocks]
    half = math.fsum(heights) / count
    items: list[Item] = []
    bottom, column, at = y, 0, y
    for lines, height in zip(blocks, heights, strict=True):
        if column < count - 1 and at - y + height / 2 > half:
            column, at = column + 1, y
        for line in lines:
            at += leading
            items += set_line(line, kind, ink, _PAD + column * (each + _GAP_MM), at)
        at += gap
        bottom = max(bottom, at)
    return items, bottom


def _scale(plan: MapPlan, y: float, width: float, style: Style, items: list[Item]) -> float:
    """A bar of 50 mm in alternate colours, and the size of a hex."""
    kind, ink = style.type("map.legend.note"), style.ink("text")
    length = 50.0 if width > 50.0 + 2 * _PAD else 30.0
    note = style.words(words("across"), f"{plan.across_mm:g}")
    beside = width - 2 * _PAD >= length + 8.0 + text_width(note, kind)
    left = _PAD + 1.5 if beside else (width - length) / 2
    for step in range(round(length / 10)):
        fill = style.ink("map.frame.line" if step % 2 == 0 else "white")
        items.append(
            Path(
                commands=rectangle_path(left + 10 * step, y, 10, 1.3), fill=fill, stroke=style.stroke("map.frame.fine")
            )
        )
    base = y + 1.5 + kind.cap_height_mm + 0.7
    for mark in range(0, round(length) + 1, 10):
        text = f"{mark} mm" if mark == length else str(mark)
        if mark in (0, 10, length) or length > 40:
            items += set_line(text, kind, ink, left + mark - text_width(str(mark), kind) / 2, base)
    if beside:
        items += set_line(note, kind, ink, width - _PAD - text_width(note, kind), y + 1.3)
        return base + 0.6
    items += set_line(note, kind, ink, (width - text_width(note, kind)) / 2, base + kind.size_mm * 1.3)
    return base + kind.size_mm * 1.3 + 0.6
