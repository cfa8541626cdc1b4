"""Terrain symbols for water: waves, lakes, rivers, marshes and coasts."""

from __future__ import annotations

from platelayer.drawing.hex.terrain_pen import Pen, smooth, straight
from platelayer.scene.shapes import Point

_INK = "terrain.water.line"


def wave(x: float, y: float, length: float, count: int, height: float) -> tuple[Point, ...]:
    """A line of `count` waves from (x, y), crests up, as points of a curve."""
    step = length / count
    points: list[Point] = [(x, y)]
    for index in range(count):
        start = x + index * step
        points += [(start + step * 0.5, y - height), (start + step, y)]
    return tuple(points)


def draw_water(pen: Pen) -> None:
    """Three rows of waves, long and short; 100 x 34."""
    rows = (
        wave(22, 6, 56, 3, 6),
        wave(2, 17, 74, 4, 6),
        wave(84, 17, 14, 1, 5),
        wave(10, 28, 16, 1, 5),
        wave(34, 28, 57, 3, 6),
    )
    pen.lines(rows, _INK, 2.0)


_LAKE: tuple[Point, ...] = (
    (3, 24), (9, 13), (24, 10), (33, 4), (51, 2), (66, 7), (80, 6), (95, 14), (97, 25), (86, 33), (71, 34), (60, 42),
    (40, 43), (28, 37), (12, 36),
)  # fmt: skip


def _shrunk(points: tuple[Point, ...], share: float) -> tuple[Point, ...]:
    return tuple((50 + (x - 50) * share, 23 + (y - 23) * share) for x, y in points)


def draw_lake(pen: Pen) -> None:
    """A lake with its shore lines; 100 x 45."""
    pen.fill(smooth(_LAKE, closed=True), "terrain.water.light")
    pen.line(smooth(_LAKE, closed=True), _INK, 1.6)
    for share in (0.82, 0.66):
        pen.line(smooth(_shrunk(_LAKE, share), closed=True), "terrain.water.shade", 0.9)
    pen.lines((wave(36, 22, 28, 2, 4), wave(44, 28, 16, 1, 4)), _INK, 1.2)


def draw_river(pen: Pen) -> None:
    """A river winding through; 100 x 40."""
    course = ((5, 13), (17, 8), (30, 16), (36, 28), (52, 33), (64, 22), (72, 10), (85, 9), (95, 16))
    pen.line(smooth(course), _INK, 9.0)
    pen.line(smooth(course), "terrain.water.light", 6.6)
    upper = tuple((x, y - 1.0) for x, y in course[1:5])
    lower = tuple((x, y + 1.0) for x, y in course[4:8])
    pen.lines((upper, lower), "terrain.water.shade", 0.9)


def _tuft(x: float, y: float, size: float) -> list[tuple[Point, ...]]:
    """Five blades of reed that spring from (x, y)."""
    blades = ((-0.62, -0.52), (-0.30, -0.86), (0.02, -1.0), (0.34, -0.84), (0.62, -0.48))
    return [
        ((x + dx * size * 0.18, y), (x + dx * size * 0.7, y + dy * size * 0.62), (x + dx * size, y + dy * size))
        for dx, dy in blades
    ]


def draw_marsh(pen: Pen) -> None:
    """Tufts of reed over still water; 100 x 46."""
    tufts = ((20, 18, 14), (76, 17, 13), (48, 29, 17), (14, 42, 12), (84, 41, 13))
    water: list[tuple[Point, ...]] = []
    reeds: list[tuple[Point, ...]] = []
    for x, y, size in tufts:
        reeds += _tuft(x, y, size)
        water.append(((x - size * 0.95, y + 0.6), (x + size * 0.95, y + 0.6)))
        water.append(((x - size * 0.45, y + 3.2), (x + size * 0.75, y + 3.2)))
    water += [((38, 8), (55, 8)), ((44, 11), (51, 11)), ((40, 42), (60, 42)), ((46, 44.6), (66, 44.6))]
    pen.lines(water, _INK, 1.3)
    pen.lines(reeds, "terrain.marsh.line", 1.35)


def draw_coast(pen: Pen) -> None:
    """A shore with its water lines below; 100 x 40."""
    shore = ((1, 12), (14, 8), (26, 15), (38, 9), (50, 17), (63, 12), (75, 18), (87, 10), (99, 14))
    pen.fill(
        (*smooth(shore), *straight(((99, 2), (1, 2)))[0:0], ("L", 99, 2), ("L", 1, 2), ("Z",)), "terrain.coast.light"
    )
    pen.line(smooth(shore), "terrain.coast.line", 1.8)
    for drop, weight in ((5, 1.1), (11, 1.0), (18, 0.9)):
        flat = 1 - drop / 30
        pen.line(smooth([(x, 13 + (y - 13) * flat + drop) for x, y in shore]), _INK, weight)
