"""The sign of a company's destination: its roundel in a ring with arrowheads that point to it."""

from __future__ import annotations

import math

from platelayer.drawing.company.inks import company_inks
from platelayer.drawing.company.roundel import roundel_items
from platelayer.drawing.kit.style import Style
from platelayer.model.company import Company
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import Circle, Command, Group, Item, Path, Stroke, circle_path

_ROUNDEL = 0.7
"""The roundel, as a share of the sign."""
_HEADS = 4
_REACH, _TIP, _HALF = 0.98, 0.74, 0.26
"""From where and how far an arrowhead reaches, by the radius, and half its width in radians."""


def destination_items(company: Company, diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """The sign centred on (0, 0); take the company from `with_roundels(title)`."""
    r = diameter_mm / 2
    inks = company_inks(company, style)
    dark = min(inks.line, inks.on_band, key=luminance)
    heads: list[Command] = []
    for number in range(_HEADS):
        turn = 2 * math.pi * number / _HEADS
        corners = ((_REACH, turn - _HALF), (_REACH, turn + _HALF), (_TIP, turn))
        points = [(r * reach * math.sin(angle), -r * reach * math.cos(angle)) for reach, angle in corners]
        heads += [("M", *points[0]), ("L", *points[1]), ("L", *points[2]), ("Z",)]
    edge = max(0.12, r * 0.05)
    return (
        Circle(cx=0, cy=0, r=r - edge / 2, fill=style.ink("paper"), stroke=Stroke(ink=dark, width_mm=edge)),
        Group(items=(Path(commands=tuple(heads), fill=dark),), clip=circle_path(0, 0, r)),
        *roundel_items(company, diameter_mm * _ROUNDEL, style),
    )
