"""Parts of an engine seen from the side, in drawing-office units: y goes up from the rail."""

from __future__ import annotations

import math

from msgspec import Struct

from platelayer.scene.shapes import Command, Matrix, Point, polygon_path, rectangle_path, transform_commands

DARK, MID, PALE, BRASS, FIRE = "dark", "mid", "pale", "brass", "fire"
"""Tones of an engine; the theme's inks `train.engine.*` print them."""

_UP: Matrix = (1.0, 0.0, 0.0, -1.0, 0.0, 0.0)
_ROUND = 4 / 3 * math.tan(math.pi / 8)


class Plate(Struct, frozen=True, kw_only=True):
    """A filled shape. `edge` draws its outline in the pale tone, so that dark parts stand apart."""

    commands: tuple[Command, ...]
    tone: str = DARK
    edge: bool = False


class Line(Struct, frozen=True, kw_only=True):
    """A line of some width; `tone` as of a plate."""

    commands: tuple[Command, ...]
    width: float
    tone: str = DARK


class Wheel(Struct, frozen=True, kw_only=True):
    """A wheel standing on the rail. Without spokes it is a disc; `crank` is the angle of its crank in degrees from
    the front, upwards, and gives it a balance weight."""

    x: float
    radius: float
    spokes: int = 0
    crank: float | None = None


class Rod(Struct, frozen=True, kw_only=True):
    """A bright rod through points, `width` thick, with round bosses there."""

    points: tuple[Point, ...]
    width: float
    boss: float


Part = Plate | Line | Wheel | Rod


class Engine(Struct, frozen=True, kw_only=True):
    """An engine or car: how long and how high it is, and its parts in the order of painting. It faces left."""

    name: str
    length: float
    height: float
    parts: tuple[Part, ...]


def box(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> tuple[Command, ...]:
    """A rectangle from the lower left to the upper right."""
    return transform_commands(rectangle_path(x0, -y1, x1 - x0, y1 - y0, radius), _UP)


def shape(*points: Point) -> tuple[Command, ...]:
    """A polygon."""
    return polygon_path(points)


def path(*points: Point) -> tuple[Command, ...]:
    """A line through points."""
    return polygon_path(points, closed=False)


def dome(x: float, y: float, width: float, height: float) -> tuple[Command, ...]:
    """A dome on a flared foot, its foot centred on (x, y)."""
    w, foot, shoulder = width / 2, width * 0.64, y + height - width * 0.42
    k = w * _ROUND
    rise = (y + height - shoulder) * _ROUND
    top = y + height
    return (
        ("M", x - foot, y),
        ("C", x - w, y + height * 0.08, x - w, y + height * 0.16, x - w, y + height * 0.3),
        ("L", x - w, shoulder),
        ("C", x - w, shoulder + rise, x - k, top, x, top),
        ("C", x + k, top, x + w, shoulder + rise, x + w, shoulder),
        ("L", x + w, y + height * 0.3),
        ("C", x + w, y + height * 0.16, x + w, y + height * 0.08, x + foot, y),
        ("Z",),
    )


def chimney(x: float, y: float, width: float, height: float, taper: float = 0.0) -> tuple[Command, ...]:
    """A chimney with a flared foot and a rolled cap; `taper` is how much wider its head is than its waist."""
    w, head, foot = width / 2, width / 2 + taper / 2, width * 0.78
    top, cap = y + height, y + height - width * 0.42
    return (
        ("M", x - foot, y),
        ("C", x - w, y + width * 0.15, x - w, y + width * 0.3, x - w, y + width * 0.55),
        ("L", x - head, cap),
        ("C", x - head - 0.15 * width, cap, x - head - 0.3 * width, cap + 0.12 * width, x - head - 0.22 * width, top),
        ("L", x + head + 0.22 * width, top),
        ("C", x + head + 0.3 * width, cap + 0.12 * width, x + head + 0.15 * width, cap, x + head, cap),
        ("L", x + w, y + width * 0.55),
        ("C", x + w, y + width * 0.3, x + w, y + width * 0.15, x + foot, y),
        ("Z",),
    )


def balloon(x: float, y: float, width: float, height: float) -> tuple[Command, ...]:
    """A balloon stack: a stem that swells into a spark arrester and narrows to a rim."""
    s, w, rim = width * 0.2, width / 2, width * 0.3
    belly, neck, top = y + height * 0.66, y + height * 0.34, y + height
    return (
        ("M", x - s * 1.7, y),
        ("C", x - s, y + height * 0.04, x - s, y + height * 0.08, x - s, y + height * 0.12),
        ("L", x - s, neck),
        ("C", x - s * 1.2, neck + height * 0.1, x - w, belly - height * 0.14, x - w, belly),
        ("C", x - w, belly + height * 0.16, x - rim, top - height * 0.1, x - rim, top),
        ("L", x + rim, top),
        ("C", x + rim, top - height * 0.1, x + w, belly + height * 0.16, x + w, belly),
        ("C", x + w, belly - height * 0.14, x + s * 1.2, neck + height * 0.1, x + s, neck),
        ("L", x + s, y + height * 0.12),
        ("C", x + s, y + height * 0.08, x + s, y + height * 0.04, x + s * 1.7, y),
        ("Z",),
    )


def heap(x0: float, x1: float, y: float, height: float) -> tuple[Command, ...]:
    """A heap of coal between x0 and x1 on a level."""
    w, top = x1 - x0, y + height
    return (
        ("M", x0, y),
        ("C", x0 + w * 0.08, y + height * 0.9, x0 + w * 0.2, top, x0 + w * 0.34, top),
        ("C", x0 + w * 0.46, top, x0 + w * 0.5, top - height * 0.25, x0 + w * 0.6, top - height * 0.16),
        ("C", x0 + w * 0.76, top - height * 0.02, x0 + w * 0.92, y + height * 0.6, x1, y),
        ("Z",),
    )


def arch(x: float, y: float, radius: float, height: float = 0.0) -> tuple[Command, ...]:
    """A half disc with its foot on a level (a splasher over a wheel), or as high as `height` if that is given."""
    r, h = radius, height or radius
    k, m = r * _ROUND, h * _ROUND
    return (
        ("M", x - r, y),
        ("C", x - r, y + m, x - k, y + h, x, y + h),
        ("C", x + k, y + h, x + r, y + m, x + r, y),
        ("Z",),
    )


def crank_pins(wheels: tuple[Wheel, ...], throw: float = 0.42) -> tuple[Point, ...]:
    """Where the cranks of driving wheels are."""
    pins = []
    for wheel in wheels:
        angle = math.radians(wheel.crank or 0.0)
        reach = wheel.radius * throw
        pins.append((wheel.x - reach * math.cos(angle), wheel.radius + reach * math.sin(angle)))
    return tuple(pins)
