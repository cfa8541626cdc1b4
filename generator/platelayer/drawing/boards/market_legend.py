"""The legend of a stock market: what zones mean and how markers move."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from platelayer.drawing.boards.market_cells import zone_ink
from platelayer.drawing.kit.marks import zone_mark
from platelayer.drawing.kit.panels import LINE_MM
from platelayer.drawing.kit.parts import ARROWS, arrow
from platelayer.drawing.kit.rich_text import rich_width, set_lines, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.model.market import Market
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import Group, Item, Path, Stroke, polygon_path, rectangle_path, translation

_SIGN_MM = 7.6
_SWATCH_MM = (5.4, 3.9)
_LEADING = 1.24
_BETWEEN_MM = 1.5
_COLUMN_GAP_MM = 12.0


class Legend(Struct, frozen=True, kw_only=True):
    """Items from (0, 0) and how wide and high they are in mm."""

    items: tuple[Item, ...]
    width: float
    height: float


class _Entry(Struct, frozen=True, kw_only=True):
    """A sign drawn at (0, 0), level with the first line of some words."""

    sign: tuple[Item, ...]
    words: str


def legend_of(market: Market, style: Style, width_mm: float, *, columns: int = 1) -> Legend:
    """The legend, `width_mm` wide: zones first, then movement; in two columns zones stand left of movement."""
    zones, moves = _zones(market, style), _moves(market, style)
    if columns > 1 and zones and moves:
        side = (width_mm - _COLUMN_GAP_MM) / 2
        left, right = _stack(zones, style, side), _stack(moves, style, side)
        moved = Group(items=right.items, matrix=translation(left.width + _COLUMN_GAP_MM, 0))
        return Legend(
            items=(*left.items, moved),
            width=left.width + _COLUMN_GAP_MM + right.width,
            height=max(left.height, right.height),
        )
    return _stack((*zones, *moves), style, width_mm)


def _zones(market: Market, style: Style) -> tuple[_Entry, ...]:
    wide, tall = _SWATCH_MM
    entries = []
    for number, zone in enumerate(market.zones):
        ink = zone_ink(zone.colour, style)
        sign: list[Item] = [
            Path(
                commands=rectangle_path(0.2, -tall / 2, wide, tall),
                fill=ink,
                stroke=Stroke(ink=style.ink("board.line"), width_mm=LINE_MM),
            )
        ]
        if len(market.zones) > 1:
            sign.append(zone_mark(number, 0.2 + wide / 2, 0.0, readable_on(ink)))
        entries.append(_Entry(sign=tuple(sign), words=style.words(zone.name)))
    return tuple(entries)


def _moves(market: Market, style: Style) -> tuple[_Entry, ...]:
    ink = style.ink("board.edge")
    entries = []
    for text in market.movement:
        words = style.words(text)
        lead = words[:1]
        if lead in ARROWS:
            sign: Item = arrow(0.2 + _SWATCH_MM[0] / 2, 0.0, 4.6, ARROWS[lead], ink)
            words = words[1:].lstrip()
        else:
            x = 0.2 + _SWATCH_MM[0] / 2
            sign = Path(commands=polygon_path(((x, -0.8), (x + 0.8, 0.0), (x, 0.8), (x - 0.8, 0.0))), fill=ink)
        entries.append(_Entry(sign=(sign,), words=words))
    return tuple(entries)


def _stack(entries: Sequence[_Entry], style: Style, width_mm: float) -> Legend:
    kind, ink = style.type("board.legend"), style.ink("board.edge")
    items: list[Item] = []
    y = widest = 0.0
    for entry in entries:
        lines = wrap_within(entry.words, kind, width_mm - _SIGN_MM)
        widest = max(widest, *(rich_width(line, kind) for line in lines))
        level = y + _SWATCH_MM[1] / 2
        items.append(Group(items=entry.sign, matrix=translation(0.0, level)))
        items += set_lines(lines, kind, ink, _SIGN_MM, level + kind.cap_height_mm / 2, leading=_LEADING)
        y += _SWATCH_MM[1] + (len(lines) - 1) * _LEADING * kind.size_mm + _BETWEEN_MM
    return Legend(items=tuple(items), width=_SIGN_MM + widest, height=max(0.0, y - _BETWEEN_MM))
