"""Words with arrows among them: measured, wrapped and drawn.

Arrow characters are drawn as shapes, since few faces have them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from platelayer.drawing.kit.parts import ARROWS, arrow
from platelayer.scene.breaks import body_costs, end_costs, ends_cost, holds_wide, line_parts
from platelayer.scene.filling import Part, cut_within, fill_body, fill_lines
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Anchor, Cut, Item
from platelayer.scene.typeset import (
    SLACK_MM,
    TypeStyle,
    openings,
    part_widths,
    prepared,
    set_line,
    text_width,
)

_ARROW_EMS = 0.95
_TRIED = 24
_MOST_OPEN = 0.2
"""The most that is added between two characters, in ems."""
_UNEVEN = 2.0
"""The cost of an empty line among lines that should be even, in steps of worse line ends."""


def rich_width(text: str, type_style: TypeStyle) -> float:
    """Width in mm of a line that may hold arrows."""
    return _unit_width(text, type_style.at(1.0)) * type_style.size_pt


@lru_cache(maxsize=8192)
def _unit_width(text: str, type_style: TypeStyle) -> float:
    """Width in mm in 1 pt: widths grow with the size, so that each text is measured once for all
    sizes."""
    return math.fsum(width for _, width in _pieces(text, type_style))


def _pieces(text: str, type_style: TypeStyle) -> Iterator[tuple[str, float]]:
    """Runs of words and single arrows, with their widths."""
    type_style, run = type_style.beside(text), ""
    for char in prepared(text):
        if char in ARROWS:
            if run:
                yield run, text_width(run, type_style)
            yield char, type_style.size_mm * _ARROW_EMS
            run = ""
        else:
            run += char
    if run:
        yield run, text_width(run, type_style)


def set_rich(
    text: str,
    type_style: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
    *,
    anchor: Anchor = Anchor.START,
    open_mm: float = 0.0,
) -> tuple[Item, ...]:
    """One line with its baseline at (x, y); arrows stand at half the height of capitals. `open_mm`
    is added between its characters."""
    type_style = type_style.beside(text)
    shift = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[anchor] * rich_width(
        text, type_style
    )
    at = x - shift
    items: list[Item] = []
    lost = text.lost if isinstance(text, Cut) else None
    for piece, width in _pieces(text, type_style):
        if piece in ARROWS:
            size = type_style.size_mm * 0.82
            items.append(
                arrow(at + width / 2, y - type_style.cap_height_mm / 2, size, ARROWS[piece], ink)
            )
        else:
            runs = set_line(piece, type_style, ink, at, y, open_mm=open_mm)
            items += (replace(run, lost=lost) if run is runs[0] else run for run in runs)
            lost = None
        at += width
    return tuple(items)


@lru_cache(maxsize=2048)
def _measured(text: str, type_style: TypeStyle, *, body: bool) -> tuple[Part, ...]:
    """Parts between which a line may break, measured in 1 pt; the ends of lines are judged as those
    of running text, or as those of titles and other few words."""
    type_style, text = type_style.beside(text), prepared(text)
    parts, costs = line_parts(text), body_costs(text) if body else end_costs(text)
    widths = part_widths(parts, type_style, _unit_width)
    return tuple((part, *wide, cost) for part, wide, cost in zip(parts, widths, costs, strict=True))


def wrap_rich(
    text: str, type_style: TypeStyle, width_mm: float, *, lead_mm: float = 0.0
) -> tuple[str, ...]:
    """Lines of running text no wider than `width_mm`, the first one by `lead_mm` shorter (a single
    word that is wider stands alone)."""
    size = type_style.size_pt
    return fill_body(
        _measured(text, type_style.at(1.0), body=True), width_mm / size, (width_mm - lead_mm) / size
    )


def _wrap_phrases(text: str, type_style: TypeStyle, width_mm: float) -> tuple[str, ...]:
    """Lines no wider than `width_mm` that end with phrases where they can."""
    return fill_lines(
        _measured(text, type_style.at(1.0), body=False), width_mm / type_style.size_pt
    )


@lru_cache(maxsize=4096)
def wrap_within(
    text: str, type_style: TypeStyle, width_mm: float, *, lead_mm: float = 0.0
) -> tuple[str, ...]:
    """Lines no wider than `width_mm`, the first one by `lead_mm` shorter, whatever the text: a word
    that is wider is cut between two characters. Kept: the same words are tried with more and less
    air, and in rooms of other heights."""
    lines = wrap_rich(prepared(text), type_style, width_mm, lead_mm=lead_mm)

    def cut(part: Sequence[str], room: float) -> tuple[str, ...]:
        return cut_within(part, room, lambda line: rich_width(line, type_style))

    return (*cut(lines[:1], width_mm - lead_mm), *cut(lines[1:], width_mm))


def set_lines(
    lines: Sequence[str],
    type_style: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
    *,
    leading: float = 1.22,
    anchor: Anchor = Anchor.START,
    measure_mm: float = 0.0,
) -> tuple[Item, ...]:
    """Lines below each other, the first baseline at y; `leading` in ems. Japanese lines but the
    last are opened so that they fill `measure_mm`, if little is missing."""
    type_style, step = type_style.beside("".join(lines)), leading * type_style.size_mm
    opened = [opening(line, type_style, measure_mm) for line in lines[:-1]]
    return tuple(
        item
        for number, (line, open_mm) in enumerate(zip(lines, (*opened, 0.0), strict=False))
        for item in set_rich(
            line, type_style, ink, x, y + number * step, anchor=anchor, open_mm=open_mm
        )
    )


def opening(line: str, type_style: TypeStyle, measure_mm: float) -> float:
    """What to add between the characters of a line so that it fills its measure; 0 where that would
    tear it apart, and with arrows, which stand by themselves."""
    places = openings(line, type_style) if holds_wide(line) and not ARROWS.keys() & set(line) else 0
    missing = measure_mm - rich_width(line, type_style)
    return (
        missing / places
        if places and 0.0 < missing <= _MOST_OPEN * type_style.size_mm * places
        else 0.0
    )


def wrap_even(text: str, type_style: TypeStyle, width_mm: float) -> tuple[str, ...]:
    """Lines no wider than `width_mm`, as few as possible, and about equally long; in Japanese one
    more where that ends lines at phrases. A word that is wider is cut between two characters."""
    lines = _wrap_phrases(text, type_style, width_mm)
    if any(rich_width(line, type_style) > width_mm + SLACK_MM for line in lines):
        return wrap_within(text, type_style, width_mm)
    narrow, wide = 0.0, width_mm
    while len(lines) > 1 and wide - narrow > 0.5:
        middle = (narrow + wide) / 2
        tried = _wrap_phrases(text, type_style, middle)
        fits = (
            len(tried) == len(lines)
            and max(rich_width(line, type_style) for line in tried) <= middle
        )
        narrow, wide = (narrow, middle) if fits else (middle, wide)
    if len(lines) == 1 or not holds_wide(text):
        return _wrap_phrases(text, type_style, wide)
    # In Japanese, good line ends matter more than even lines, even if that takes one more line.
    widths = (width_mm * (1 - 0.5 * step / _TRIED) for step in range(_TRIED + 1))
    ways = [
        tried
        for room in widths
        if len(tried := _wrap_phrases(text, type_style, room)) <= len(lines) + 1
    ]
    fitting = [
        way for way in ways if max(rich_width(line, type_style) for line in way) <= width_mm
    ] or [lines]
    return min(fitting, key=lambda way: _roughness(way, prepared(text), type_style))


def _roughness(lines: Sequence[str], text: str, type_style: TypeStyle) -> float:
    """How badly the lines of a text end, how uneven they are, and how many there are."""
    widths = [rich_width(line, type_style) for line in lines]
    return len(lines) + ends_cost(text, lines) + _UNEVEN * (max(widths) - min(widths)) / max(widths)
