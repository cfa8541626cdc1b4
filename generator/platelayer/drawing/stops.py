"""Marks of stops in, drawn cities, passes and towns out."""

from __future__ import annotations

import math

from platelayer.drawing.marks import BAR_LENGTH, BAR_WIDTH, BOX, DOT_RADIUS, MARK_RIM, Mark, rounded_hull
from platelayer.drawing.style import Style
from platelayer.model.tile import Stop, StopKind
from platelayer.scene.shapes import Circle, Item, Path, Role, Stroke, polygon_path

_TILE_MM = 38.1


def stop_items(stop: Stop, mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    """One stop, drawn at its mark."""
    if stop.kind is StopKind.TOWN:
        return _bar(mark, across_mm, style) if mark.bar else _dot(mark, across_mm, style)
    peaks = _peaks(mark, across_mm, style) if stop.kind is StopKind.PASS else ()
    return (*peaks, *_slots(mark, across_mm, style))


def _slots(mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    scale = across_mm / _TILE_MM
    rim = style.stroke("slot")
    ink, width = rim.ink, rim.width_mm * scale
    white = style.ink("slot")
    radius = mark.slot_mm / 2
    if len(mark.slots) == 1:
        ((x, y),) = mark.slots
        return (Circle(cx=x, cy=y, r=radius, fill=white, stroke=Stroke(ink=ink, width_mm=width), role=Role.SLOT),)
    box = Path(
        commands=rounded_hull(mark.slots, radius + BOX * across_mm),
        fill=white,
        stroke=Stroke(ink=ink, width_mm=width),
        role=Role.SLOT,
    )
    thin = style.stroke("slot.inner")
    line = Stroke(ink=thin.ink, width_mm=thin.width_mm * scale)
    inner = radius - thin.width_mm * scale / 2
    return (box, *(Circle(cx=x, cy=y, r=inner, fill=white, stroke=line, role=Role.SLOT) for x, y in mark.slots))


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


def _peaks(mark: Mark, across_mm: float, style: Style) -> tuple[Item, ...]:
    """Mountains on both sides of the slots: a saddle with the city in it; a larger pass has a second range."""
    ((left, _), (right, _)) = min(mark.slots), max(mark.slots)
    radius = mark.slot_mm / 2
    x = (left + right) / 2
    reach = (right - left) / 2 + radius
    base = mark.y + radius * 1.02
    rock, snow = style.ink("slot.rock"), style.ink("slot.snow")
    line = Stroke(
        ink=style.stroke("slot").ink, width_mm=style.stroke("slot").width_mm * across_mm / _TILE_MM * 0.7, join="round"
    )
    found: list[Item] = []
    for side in (-1, 1):
        foot, peak, height = x + side * (reach + radius * 0.75), x + side * (reach * 0.86), radius * 2.3
        found.append(
            Path(
                commands=polygon_path([(x, base), (peak, base - height), (foot, base)]),
                fill=rock,
                stroke=line,
                role=Role.SLOT,
            )
        )
        cap = 0.3
        inner, outer = peak + (x - peak) * cap, peak + (foot - peak) * cap
        top = base - height
        low = top + height * cap
        found.append(
            Path(
                commands=polygon_path(
                    [
                        (peak, top),
                        (outer, low),
                        ((outer + peak) / 2, low - height * 0.06),
                        (peak, low + height * 0.05),
                        ((inner + peak) / 2, low - height * 0.06),
                        (inner, low),
                    ]
                ),
                fill=snow,
                stroke=line,
                role=Role.SLOT,
            )
        )
    return tuple(found)
