"""Terrain symbols for forests and fields, and a sign for any other terrain."""

from __future__ import annotations

from platelayer.drawing.hex.terrain_pen import Pen, smooth, straight
from platelayer.scene.shapes import Point


def _broadleaf(pen: Pen, x: float, y: float, size: float) -> None:
    """A round tree with its foot at (x, y)."""
    crown: list[Point] = [
        (x - 0.46 * size, y - 0.42 * size), (x - 0.50 * size, y - 0.66 * size), (x - 0.30 * size, y - 0.90 * size),
        (x, y - 1.0 * size), (x + 0.30 * size, y - 0.90 * size), (x + 0.50 * size, y - 0.64 * size),
        (x + 0.44 * size, y - 0.40 * size), (x + 0.18 * size, y - 0.28 * size), (x - 0.18 * size, y - 0.28 * size),
    ]  # fmt: skip
    pen.line(straight([(x, y), (x, y - 0.3 * size)]), "terrain.forest.line", 2.2)
    pen.fill(smooth(crown, closed=True), "terrain.forest.light")
    shade: list[Point] = [
        (x + 0.05 * size, y - 0.98 * size), *crown[4:8], (x - 0.05 * size, y - 0.29 * size),
        (x + 0.16 * size, y - 0.50 * size), (x + 0.20 * size, y - 0.76 * size),
    ]  # fmt: skip
    pen.fill(smooth(shade, closed=True), "terrain.forest.shade")
    pen.line(smooth(crown, closed=True), "terrain.forest.line", 1.0)


def _conifer(pen: Pen, x: float, y: float, size: float) -> None:
    """A fir in three tiers with its foot at (x, y)."""
    right = [(0.0, -1.0), (0.17, -0.66), (0.10, -0.68), (0.27, -0.38), (0.17, -0.41), (0.36, -0.10)]
    outline = [(x - dx * size, y + dy * size) for dx, dy in reversed(right)] + [
        (x + dx * size, y + dy * size) for dx, dy in right[1:]
    ]
    pen.line(straight([(x, y), (x, y - 0.12 * size)]), "terrain.forest.line", 2.2)
    pen.fill(straight(outline, closed=True), "terrain.forest.light")
    dark = [(x, y - size), *((x + dx * size, y + dy * size) for dx, dy in right[1:]), (x, y - 0.14 * size)]
    pen.fill(straight(dark, closed=True), "terrain.forest.shade")
    pen.line(straight(outline, closed=True), "terrain.forest.line", 1.0)


def draw_forest(pen: Pen) -> None:
    """Firs and broad-leaved trees; 100 x 44."""
    _conifer(pen, 17, 33, 29)
    _broadleaf(pen, 80, 32, 27)
    _broadleaf(pen, 36, 38, 30)
    _conifer(pen, 61, 38, 36)
    _conifer(pen, 91, 41, 24)
    _broadleaf(pen, 9, 42, 19)


def draw_field(pen: Pen) -> None:
    """Ploughed land: furrows that meet at a hedge; 100 x 34."""
    furrows = [((2 + step * 13.7, 31), (22 + step * 8, 8)) for step in range(8)]
    pen.lines(furrows, "terrain.marsh.line", 1.1)
    pen.lines([[(18, 5.6), (40, 4), (60, 5.2), (84, 4.4)]], "terrain.forest.line", 2.0)


def draw_other(pen: Pen) -> None:
    """A sign for terrain without a picture of its own: a row of plain hachured banks; 100 x 26."""
    pen.lines([[(4, 8), (28, 5), (52, 8), (76, 5), (96, 8)]], "terrain.rough.line", 1.4)
    teeth = [((x, 8.5 - (x % 3)), (x - 1.5, 20 - (x % 5))) for x in range(8, 96, 6)]
    pen.lines(teeth, "terrain.rough.line", 1.0)
