"""Small signs that tell zones and sizes of company apart without colour."""

from __future__ import annotations

import math

from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Command, Path, Stroke, circle_path, polygon_path, rectangle_path

MARK_MM = 2.0


def zone_mark(number: int, x: float, y: float, ink: Ink) -> Path:
    """The sign of zone `number`, which distinguishes zones without colour, centred on (x, y)."""
    r = MARK_MM / 2
    shapes: tuple[tuple[Command, ...], ...] = (
        circle_path(x, y, r * 0.86),
        rectangle_path(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6),
        polygon_path(((x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8))),
        polygon_path(((x, y - r * 1.1), (x + r * 1.1, y), (x, y + r * 1.1), (x - r * 1.1, y))),
        _cross(x, y, r),
        _star(x, y, r * 1.15),
    )
    fill = None if number >= len(shapes) else ink
    edge = Stroke(ink=ink, width_mm=0.25) if fill is None else None
    return Path(commands=shapes[number % len(shapes)], fill=fill, stroke=edge)


def _cross(x: float, y: float, r: float) -> tuple[Command, ...]:
    a, b = r, r * 0.34
    corners = (
        (-b, -a),
        (b, -a),
        (b, -b),
        (a, -b),
        (a, b),
        (b, b),
        (b, a),
        (-b, a),
        (-b, b),
        (-a, b),
        (-a, -b),
        (-b, -b),
    )
    return polygon_path([(x + px, y + py) for px, py in corners])


def _star(x: float, y: float, r: float) -> tuple[Command, ...]:
    points = []
    for number in range(10):
        angle, reach = math.pi * number / 5, r if number % 2 == 0 else r * 0.42
        points.append((x + reach * math.sin(angle), y - reach * math.cos(angle)))
    return polygon_path(points)
