"""Words with arrows among them: measured, wrapped and drawn.

Arrow characters are drawn as shapes, since few faces have them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from platelayer.drawing.kit.parts import ARROWS, arrow
from platelayer.scene.breaks import end_costs, ends_cost, holds_wide, line_parts
from platelayer.scene.filling import Part, cut_within, fill_lines
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Anchor, Cut, Item
from platelayer.scene.typeset import TypeStyle, prepared, set_line, text_width

_ARROW_EMS = 0.95
_TRIED = 24
_UNEVEN = 2.0
"""The cost of an empty line among lines that should be even, in steps of worse line ends."""


def rich_width(text: str, kind: TypeStyle) -> float:
    """Width in mm of a line that may hold arrows."""
    return _unit_width(text, kind.at(1.0)) * kind.size_pt


@lru_cache(maxsize=8192)
def _unit_width(text: str, kind: TypeStyle) -> float:
    """Width in mm in 1 pt: widths grow with the size, so that each text is measured once for all sizes."""
    return math.fsum(width for _, width in _pieces(text, kind))


def _pieces(text: str, kind: TypeStyle) -> Iterator[tuple[str, float]]:
    """Runs of words and single arrows, with their widths."""
    kind, run = kind.beside(text), ""
    for char in prepared(text):
        if char in ARROWS:
            if run:
                yield run, text_width(run, kind)
            yield char, kind.size_mm * _ARROW_EMS
            run = ""
        else:
            run += char
    if run:
        yield run, text_width(run, kind)


def set_rich(
    text: str, kind: TypeStyle, ink: Ink, x: float, y: float, *, anchor: Anchor = Anchor.START
) -> tuple[Item, ...]:
    """One line with its baseline at (x, y); arrows stand at half the height of capitals."""
    kind = kind.beside(text)
    shift = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[anchor] * rich_width(text, kind)
    at = x - shift
    items: list[Item] = []
    lost = text.lost if isinstance(text, Cut) else None
    for piece, width in _pieces(text, kind):
        if piece in ARROWS:
            size = kind.size_mm * 0.82
            items.append(arrow(at + width / 2, y - kind.cap_height_mm / 2, size, ARROWS[piece], ink))
        else:
            runs = set_line(piece, kind, ink, at, y)
            items += (replace(run, lost=lost) if run is runs[0] else run for run in runs)
            lost = None
        at += width
    return tuple(items)


@lru_cache(maxsize=2048)
def _measured(text: str, kind: TypeStyle) -> tuple[Part, ...]:
    """Parts between which a line may break, measured in 1 pt."""
    kind, text = kind.beside(text), prepared(text)
    return tuple(
        (part, _unit_width(part, kind) + kind.tracking_mm, _unit_width(part.rstrip(), kind), cost)
        for part, cost in zip(line_parts(text), end_costs(text), strict=True)
    )


def wrap_rich(text: str, kind: TypeStyle, width_mm: float, *, lead_mm: float = 0.0) -> tuple[str, ...]:
    """Lines no wider than `width_mm`, the first one by `lead_mm` shorter (a single word that is wider stands alone)."""
    return fill_lines(_measured(text, kind.at(1.0)), width_mm / kind.size_pt, (width_mm - lead_mm) / kind.size_pt)


def wrap_within(text: str, kind: TypeStyle, width_mm: float, *, lead_mm: float = 0.0) -> tuple[str, ...]:
    """Lines no wider than `width_mm`, the first one by `lead_mm` shorter, whatever the text: a word that is wider is
    cut between two characters."""
    lines = wrap_rich(prepared(text), kind, width_mm, lead_mm=lead_mm)

    def cut(part: Sequence[str], room: float) -> tuple[str, ...]:
        return cut_within(part, room, lambda line: rich_width(line, kind))

    return (*cut(lines[:1], width_mm - lead_mm), *cut(lines[1:], width_mm))


def set_lines(
    lines: Sequence[str],
    kind: TypeStyle,
    ink: Ink,
    x: float,
    y: float,
    *,
    leading: float = 1.22,
    anchor: Anchor = Anchor.START,
) -> tuple[Item, ...]:
    """Lines below each other, the first baseline at y; `leading` in ems."""
    kind, step = kind.beside("".join(lines)), leading * kind.size_mm
    return tuple(
        item
        for number, line in enumerate(lines)
        for item in set_rich(line, kind, ink, x, y + number * step, anchor=anchor)
    )


def wrap_even(text: str, kind: TypeStyle, width_mm: float) -> tuple[str, ...]:
    """Lines no wider than `width_mm`, as few as possible, and about equally long; in Japanese one more where that ends
    lines at phrases. A word that is wider is cut between two characters."""
    lines = wrap_rich(text, kind, width_mm)
    if any(rich_width(line, kind) > width_mm + 0.01 for line in lines):
        return wrap_within(text, kind, width_mm)
    narrow, wide = 0.0, width_mm
    while len(lines) > 1 and wide - narrow > 0.5:
        middle = (narrow + wide) / 2
        tried = wrap_rich(text, kind, middle)
        fits = len(tried) == len(lines) and max(rich_width(line, kind) for line in tried) <= middle
        narrow, wide = (narrow, middle) if fits else (middle, wide)
    if len(lines) == 1 or not holds_wide(text):
        return wrap_rich(text, kind, wide)
    # In Japanese, good line ends matter more than even lines, even if that takes one more line.
    widths = (width_mm * (1 - 0.5 * step / _TRIED) for step in range(_TRIED + 1))
    ways = [tried for each in widths if len(tried := wrap_rich(text, kind, each)) <= len(lines) + 1]
    fitting = [way for way in ways if max(rich_width(line, kind) for line in way) <= width_mm] or [lines]
    return min(fitting, key=lambda way: _roughness(way, prepared(text), kind))


def _roughness(lines: Sequence[str], text: str, kind: TypeStyle) -> float:
    """How badly the lines of a text end, how uneven they are, and how many there are."""
    widths = [rich_width(line, kind) for line in lines]
    return len(lines) + ends_cost(text, lines) + _UNEVEN * (max(widths) - min(widths)) / max(widths)
