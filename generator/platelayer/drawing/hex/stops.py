"""Drawings of cities, passes and towns."""

from __future__ import annotations

import math

from platelayer.drawing.hex.curves import between
from platelayer.drawing.hex.stop_marks import (
    BAR_LENGTH,
    BAR_WIDTH,
    BOOM_RADIUS,
    BOX,
    DOT_RADIUS,
    HALT_RADIUS,
    MARK_RIM,
    Mark,
    Triangle,
    rounded_hull,
)
from platelayer.drawing.kit.style import Style
from platelayer.model.tile import Stop, StopKind
from platelayer.scene.shapes import Circle, Item, Path, Point, Role, Stroke, polygon_path
from platelayer.scene.typeset import set_centred, text_width

_TILE_MM = 38.1
_BOOM_DASHES = 12
"""Dashes of the ring of a boomtown."""
_SNOW = 0.3
"""How far down the slopes of a mountain snow lies, as a share of them."""
_TOLD_SIZES = 2
"""Sizes of passes that are told by their mountain: small and large."""


def stop_ground_items(stop: Stop, mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    """What lies under the track of a stop: the mountain of a pass, which track runs through."""
    return (
        _mountain(mark.rock, across_mm, style) if stop.kind is StopKind.PASS and mark.rock else ()
    )


def stop_items(stop: Stop, mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    """One stop, drawn at its mark, without what lies under its track."""
    if stop.kind is StopKind.HALT:
        return _halt(stop, mark, across_mm, style)
    if stop.kind is StopKind.TOWN and stop.boom:
        return (
            _dashed_ring(mark.centre, BOOM_RADIUS * across_mm, across_mm, style),
            *_dot(mark, across_mm, style),
        )
    if stop.kind is StopKind.TOWN:
        return _bar(mark, across_mm, style) if mark.bar else _dot(mark, across_mm, style)
    if stop.kind is StopKind.PASS:
        return (*_slots(mark, across_mm, style), *_size_plate(stop, mark, across_mm, style))
    return _slots(mark, across_mm, style, dashed=stop.boom)


def _halt(stop: Stop, mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    """A white disc with a ring, and the sign of the halt in it."""
    width = HALT_RADIUS * 0.2 * across_mm
    ring = Stroke(ink=style.ink("town"), width_mm=width)
    radius = HALT_RADIUS * across_mm - width / 2
    disc = Circle(
        cx=mark.x, cy=mark.y, r=radius, fill=style.ink("slot"), stroke=ring, role=Role.SLOT
    )
    if not stop.symbol:
        return (disc,)
    type_style = style.type("slot.size")
    type_style = type_style.at(max(type_style.min_pt, type_style.size_pt * across_mm / _TILE_MM))
    return (
        disc,
        *set_centred(stop.symbol, type_style, style.ink("town"), mark.x, mark.y, over=(Role.SLOT,)),
    )


def _dashed_ring(at: Point, outer_mm: float, across_mm: float, style: Style) -> Circle:
    rim = style.stroke("slot")
    width = rim.width_mm * across_mm / _TILE_MM
    radius = outer_mm - width / 2
    dash = 2 * math.pi * radius / _BOOM_DASHES
    stroke = Stroke(ink=rim.ink, width_mm=width, dash=(dash * 0.62, dash * 0.38))
    return Circle(
        cx=at[0], cy=at[1], r=radius, fill=style.ink("slot"), stroke=stroke, role=Role.SLOT
    )


def _slots(mark: Mark, across_mm: float, style: Style, *, dashed: bool = False) -> tuple[Item, ...]:
    scale = across_mm / _TILE_MM
    rim = style.stroke("slot")
    ink, width = rim.ink, rim.width_mm * scale
    if dashed and len(mark.slots) == 1:
        return (_dashed_ring(mark.slots[0], mark.slot_mm / 2 + width / 2, across_mm, style),)
    white = style.ink("slot")
    radius = mark.slot_mm / 2
    if len(mark.slots) == 1:
        ((x, y),) = mark.slots
        return (
            Circle(
                cx=x,
                cy=y,
                r=radius,
                fill=white,
                stroke=Stroke(ink=ink, width_mm=width),
                role=Role.SLOT,
            ),
        )
    box = Path(
        commands=rounded_hull(mark.slots, radius + BOX * across_mm),
        fill=white,
        stroke=Stroke(ink=ink, width_mm=width),
        role=Role.SLOT,
    )
    thin = style.stroke("slot.inner")
    line = Stroke(ink=thin.ink, width_mm=thin.width_mm * scale)
    inner = radius - thin.width_mm * scale / 2
    return (
        box,
        *(
            Circle(cx=x, cy=y, r=inner, fill=white, stroke=line, role=Role.SLOT)
            for x, y in mark.slots
        ),
    )


def _bar(mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    cos, sin = math.cos(mark.angle), math.sin(mark.angle)

    def box(length: float, width: float, ink: str) -> Path:
        a, b = length / 2 * across_mm, width / 2 * across_mm
        corners = ((-a, -b), (a, -b), (a, b), (-a, b))
        points = [(mark.x + x * cos - y * sin, mark.y + x * sin + y * cos) for x, y in corners]
        return Path(commands=polygon_path(points), fill=style.ink(ink), role=Role.SLOT)

    rim = 2 * MARK_RIM
    return box(BAR_LENGTH + rim, BAR_WIDTH + rim, "town.rim"), box(BAR_LENGTH, BAR_WIDTH, "town")


def _dot(mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    inner = DOT_RADIUS * across_mm
    outer = (DOT_RADIUS + MARK_RIM) * across_mm
    return (
        Circle(cx=mark.x, cy=mark.y, r=outer, fill=style.ink("town.rim"), role=Role.SLOT),
        Circle(cx=mark.x, cy=mark.y, r=inner, fill=style.ink("town"), role=Role.SLOT),
    )


def _mountain(rock: Triangle, across_mm: float, style: Style) -> tuple[Item, ...]:
    """A triangle of rock with snow on its top."""
    stroke = style.stroke("slot.rock")
    line = Stroke(ink=stroke.ink, width_mm=stroke.width_mm * across_mm / _TILE_MM, join="round")
    top, left, right = rock
    melts = [between(top, left, _SNOW), between(top, right, _SNOW)]
    low = 0.3 * _SNOW * (left[1] - top[1])
    edge = [between(melts[1], melts[0], share) for share in (0.3, 0.48, 0.7)]
    jagged = [(x, y + low * drop) for (x, y), drop in zip(edge, (-0.6, 0.9, -0.4), strict=True)]
    return (
        Path(commands=polygon_path(rock), fill=style.ink("slot.rock"), stroke=line, role=Role.SLOT),
        Path(
            commands=polygon_path((top, melts[1], *jagged, melts[0])),
            fill=style.ink("slot.snow"),
            stroke=line,
            role=Role.SLOT,
        ),
    )


def _size_plate(stop: Stop, mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    """A plate above the slots of a pass, with its size where no size of mountain tells it."""
    if stop.size is None or stop.size <= _TOLD_SIZES:
        return ()
    scale = across_mm / _TILE_MM
    type_style = style.type("slot.size")
    type_style = type_style.at(max(type_style.min_pt, type_style.size_pt * scale))
    height = type_style.cap_height_mm * 2.3
    half = max(height * 0.62, text_width(str(stop.size), type_style) / 2 + height * 0.34)
    high = min(y for _, y in mark.slots) - mark.slot_mm / 2
    foot = high - (BOX * across_mm if len(mark.slots) > 1 else 0.0) - 0.3 * scale
    plate = polygon_path([(mark.x - half, foot), (mark.x, foot - height), (mark.x + half, foot)])
    rim = Stroke(ink=style.ink("slot.snow"), width_mm=0.3 * scale, join="round")
    sign = Path(commands=plate, fill=style.ink("slot.plate"), stroke=rim, role=Role.SLOT)
    middle = foot - height * 0.14 - type_style.cap_height_mm / 2
    return (
        sign,
        *set_centred(
            str(stop.size), type_style, style.ink("white"), mark.x, middle, over=(Role.SLOT,)
        ),
    )
