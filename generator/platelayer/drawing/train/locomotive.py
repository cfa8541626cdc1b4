"""Locomotives seen from the side, which grow from train to train."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.engine_parts import (
    BRASS,
    DARK,
    FIRE,
    MID,
    PALE,
    Line,
    Part,
    Plate,
    Rod,
    Wheel,
)
from platelayer.drawing.train.engines import CLASSES, COACH_CLASS, engine_of
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Circle,
    Command,
    Item,
    Matrix,
    Path,
    Role,
    Scene,
    Stroke,
    Use,
    transform_commands,
    translation,
)

__all__ = ["CLASSES", "COACH_CLASS", "locomotive_items", "locomotive_size"]

_FULL = 112.0
"""Length of the longest engine in its own units: `width_mm` is what that one would take."""
_THINNEST_MM = 0.1
_TONES = (DARK, MID, PALE, BRASS, FIRE)


def locomotive_size(size_class: int, width_mm: float) -> tuple[float, float]:
    """Length and height in mm when the longest engine is `width_mm` long. Classes run from 0."""
    engine = engine_of(size_class)
    return engine.length * width_mm / _FULL, engine.height * width_mm / _FULL


def locomotive_items(size_class: int, width_mm: float, style: Style) -> tuple[Item, ...]:
    """The engine of a class, facing left: its front end at x = 0, the top of the rail at y = 0.

    `width_mm` is the length of the longest engine; smaller classes are shorter. Every shape has Role.SYMBOL; it comes
    as one `Use`, so that painters keep each engine and size once.
    """
    scene = _drawn(size_class, round(width_mm, 2), style)
    return (Use(scene=scene, matrix=translation(0.0, -scene.height_mm)),)


@lru_cache(maxsize=64)
def _drawn(size_class: int, width_mm: float, style: Style) -> Scene:
    engine = engine_of(size_class)
    length, height = locomotive_size(size_class, width_mm)
    inks = {tone: style.ink(f"train.engine.{tone}") for tone in _TONES}
    pen = _Pen(width_mm / _FULL, height, inks)
    items = tuple(item for part in engine.parts for item in _DRAW[type(part)](pen, part))
    return Scene(key=f"engine:{engine.name}:{width_mm:g}", width_mm=length, height_mm=height, items=items, bleed_mm=1.0)


class _Pen:
    """Units to millimetres, tones to inks; y turns from up to down."""

    def __init__(self, scale: float, height_mm: float, inks: dict[str, Ink]) -> None:
        self.scale = scale
        self.height_mm = height_mm
        self.inks = inks
        self.matrix: Matrix = (scale, 0.0, 0.0, -scale, 0.0, height_mm)

    def place(self, commands: tuple[Command, ...]) -> tuple[Command, ...]:
        """A path in millimetres."""
        return transform_commands(commands, self.matrix)

    def line(self, tone: str, width: float, cap: str = "butt") -> Stroke:
        """A stroke of a given width in units, never too thin to print."""
        return Stroke(ink=self.inks[tone], width_mm=max(_THINNEST_MM, width * self.scale), cap=cap, join="round")


def _plate(pen: _Pen, part: Plate) -> tuple[Item, ...]:
    edge = pen.line(PALE, 0.3) if part.edge else None
    return (Path(commands=pen.place(part.commands), fill=pen.inks[part.tone], stroke=edge, role=Role.SYMBOL),)


def _line(pen: _Pen, part: Line) -> tuple[Item, ...]:
    stroke = pen.line(part.tone, part.width)
    return (Path(commands=pen.place(part.commands), stroke=stroke, role=Role.SYMBOL),)


def _wheel(pen: _Pen, wheel: Wheel) -> tuple[Item, ...]:
    k = pen.scale
    x, y, r = wheel.x * k, pen.height_mm - wheel.radius * k, wheel.radius * k
    dark = pen.inks[DARK]
    if not wheel.spokes:
        return (
            Circle(cx=x, cy=y, r=r, fill=dark, role=Role.SYMBOL),
            Circle(cx=x, cy=y, r=r * 0.72, fill=pen.inks[MID], role=Role.SYMBOL),
            Circle(cx=x, cy=y, r=r * 0.28, fill=dark, role=Role.SYMBOL),
        )
    rim = wheel.radius * 0.15
    spokes: list[Command] = []
    for number in range(wheel.spokes):
        angle = 2 * math.pi * (number + 0.5) / wheel.spokes
        spokes += [("M", x, y), ("L", x + r * 0.9 * math.cos(angle), y - r * 0.9 * math.sin(angle))]
    items: list[Item] = [
        Circle(cx=x, cy=y, r=r * 0.92, fill=pen.inks[PALE], role=Role.SYMBOL),
        Path(commands=tuple(spokes), stroke=pen.line(DARK, 0.34), role=Role.SYMBOL),
        Circle(cx=x, cy=y, r=r - rim * k / 2, stroke=pen.line(DARK, rim), role=Role.SYMBOL),
        Circle(cx=x, cy=y, r=r * 0.2, fill=dark, role=Role.SYMBOL),
    ]
    if wheel.crank is not None:
        items.append(Path(commands=_weight(x, y, r * 0.9, wheel.crank), fill=dark, role=Role.SYMBOL))
    return tuple(items)


def _weight(x: float, y: float, r: float, crank: float) -> tuple[Command, ...]:
    """A balance weight: the part of the wheel beyond a chord, opposite the crank."""
    middle, half, steps = math.radians(crank), math.radians(42), 8
    angles = [middle - half + 2 * half * step / steps for step in range(steps + 1)]
    points = [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles]
    return (*((("L" if i else "M"), px, py) for i, (px, py) in enumerate(points)), ("Z",))


def _rod(pen: _Pen, rod: Rod) -> tuple[Item, ...]:
    commands = pen.place(tuple(("L" if i else "M", px, py) for i, (px, py) in enumerate(rod.points)))
    wide, thin = pen.line(DARK, rod.width + 0.7, "round"), pen.line(PALE, rod.width, "round")
    pins = [(px * pen.scale, pen.height_mm - py * pen.scale) for px, py in rod.points]
    boss = rod.boss * pen.scale
    return (
        Path(commands=commands, stroke=wide, role=Role.SYMBOL),
        *(Circle(cx=px, cy=py, r=boss, fill=pen.inks[DARK], role=Role.SYMBOL) for px, py in pins),
        Path(commands=commands, stroke=thin, role=Role.SYMBOL),
        *(Circle(cx=px, cy=py, r=boss * 0.45, fill=pen.inks[DARK], role=Role.SYMBOL) for px, py in pins),
    )


_DRAW: dict[type[Part], Callable[[_Pen, Any], tuple[Item, ...]]] = {
    Plate: _plate,
    Line: _line,
    Wheel: _wheel,
    Rod: _rod,
}
