"""Names of rivers, set letter by letter along their courses."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from platelayer.drawing.hex.places import Field
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.left_room import left_room
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import Stretch, stretch
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import COS_30, EDGES, Layout, neighbour
from platelayer.scene.shapes import Item, Point, TextRun
from platelayer.scene.typeset import TypeStyle, drop_mm, rise_mm, set_centred, text_width

_SAMPLE_MM = 0.5
_STEP = 6
"""Samples from one place that is tried to the next."""
_LOOK = 6
"""How many samples on either side the angle of a letter is taken from."""
_GAP_MM = 0.75
"""Between the bank and the letters."""
_TRACKING = 0.2
"""Space between letters, in ems."""
_BORDER_MM = 2.2
_RIVER_MM = 0.4
_CLEAR_MM = 0.3
_WIDE_MM = 5.0
_TURN = 0.3
"""The sharpest turn between two letters, in radians."""
_CROWD = 0.25
_REACH = 0.66
"""How far from its middle a hex is searched for what it shows, as a share of its size."""
_AGAIN = 11.0
"""A river is named again after this many hexes."""


class _Letter(Struct, frozen=True):
    """A letter, its middle, its angle in degrees, and half its width and height."""

    char: str
    at: Point
    angle: float
    half: Point


class Ground:
    """Where names may stand: within land hexes, clear of what is drawn there."""

    def __init__(
        self, plan: MapPlan, drawn: Mapping[str, tuple[Item, ...]], discs: Sequence[tuple[float, float, float]]
    ):
        self.plan, self._drawn, self._discs = plan, drawn, sorted(discs)
        self._widest = max((r for *_, r in discs), default=0.0)
        self._fields: dict[str, Field] = {}
        self._borders = [plan.edge_line(edge) for edge in border_edges(plan)]
        self.lines = [stretch(river, plan) for river in plan.gamemap.rivers]
        self._hexes: dict[tuple[int, int], tuple[Point, MapHex]] = {
            hexagon.at: (plan.centre(hexagon.at), hexagon) for hexagon in plan.gamemap.hexes
        }
        self._bounds = [(line, _bounds(line)) for line in self.lines]

    def free(self, letter: _Letter) -> bool:
        """True if a letter stands clear of everything."""
        x, y = letter.at
        hexagon = self._hex(letter.at)
        if hexagon is None or hexagon.tile.colour != "white":
            return False
        reach = math.hypot(*letter.half)
        near = self._widest + reach
        discs = self._discs[bisect(self._discs, (x - near,)) : bisect(self._discs, (x + near,))]
        if any(math.hypot(px - x, py - y) < r + reach for px, py, r in discs):
            return False
        if any(_distance(letter.at, a, b) < _BORDER_MM + letter.half[1] for a, b in self._borders):
            return False
        for beside in self._near(letter.at):
            cx, cy = self.plan.centre(beside.at)
            if beside.tile.colour != "white" and math.hypot(x - cx, y - cy) < self.plan.across_mm / 2 / COS_30 + reach:
                return False
            if self._field(beside).disc_room(x - cx, y - cy, reach * 0.9, enough=1.0) < _CLEAR_MM:
                return False
        wide = letter.half[1] + _RIVER_MM
        return not any(
            abs(px - x) < half + wide and math.hypot(px - x, py - y) < half + wide
            for line in self._around(x, y)
            for (px, py), half in zip(line.points, line.halves, strict=True)
        )

    def _around(self, x: float, y: float) -> Iterator[Stretch]:
        """Rivers whose bounds hold a point or come near it."""
        for line, (left, top, right, bottom) in self._bounds:
            if left < x < right and top < y < bottom:
                yield line

    def crowded(self, point: Point) -> float:
        """How much better a name stands elsewhere: beside one stop a little, beside several a lot."""
        hexagon = self._hex(point)
        return 0.0 if hexagon is None else _CROWD * min(3, len(hexagon.tile.stops))

    def _field(self, hexagon: MapHex) -> Field:
        field = self._fields.get(hexagon.id)
        if field is None:
            field = self._fields[hexagon.id] = left_room(self.plan, self._drawn[hexagon.id], -self.plan.across_mm)
        return field

    def _near(self, point: Point) -> Iterator[MapHex]:
        """Hexes that may show something near a point: the one it lies in and those around it."""
        hexagon = self._hex(point)
        if hexagon is not None:
            yield hexagon
            for edge in EDGES:
                other = self.plan.gamemap.by_coord.get(neighbour(hexagon.at, edge, self.plan.layout))
                if other is not None and math.dist(self.plan.centre(other.at), point) < self.plan.across_mm * _REACH:
                    yield other

    def _hex(self, point: Point) -> MapHex | None:
        """The hex that a point lies in."""
        across = self.plan.across_mm
        half, pitch = across / 2, across * COS_30
        flat = self.plan.layout is Layout.FLAT
        wide, tall = (pitch, half) if flat else (half, pitch)
        x, y = (point[0] - self.plan.origin[0]) / wide, (point[1] - self.plan.origin[1]) / tall
        column, row = math.floor(x), math.floor(y)
        nearest, least = None, half * 1.02
        for at in ((column, row), (column, row + 1), (column + 1, row), (column + 1, row + 1)):
            found = self._hexes.get(at)
            if found is not None and (far := math.dist(found[0], point)) < least:
                nearest, least = found[1], far
        return nearest


def river_name_items(ground: Ground, style: Style) -> tuple[Item, ...]:
    """The names of all rivers, each where its course has a free side; none where there is no room."""
    kind = style.type("map.river")
    ink = style.ink("map.river.name")
    items: list[TextRun] = []
    for river, line in zip(ground.plan.gamemap.rivers, ground.lines, strict=True):
        if river.name is None:
            continue
        name = style.words(river.name)
        dense = _dense(line)
        length = len(dense)
        count = 1 + int(measured(length * _SAMPLE_MM / (_AGAIN * ground.plan.across_mm)))
        for part in range(count):
            low, high = length * part // count, length * (part + 1) // count
            letters = _best(name, kind, dense[low:high], ground)
            for letter in letters:
                items += set_centred(letter.char, kind, ink, *letter.at, angle=letter.angle)
    return tuple(items)


def _bounds(line: Stretch) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in line.points], [y for _, y in line.points]
    return min(xs) - _WIDE_MM, min(ys) - _WIDE_MM, max(xs) + _WIDE_MM, max(ys) + _WIDE_MM


@lru_cache(maxsize=64)
def _dense(line: Stretch) -> tuple[tuple[Point, float], ...]:
    """Points a sample apart, with half the width of the river at each."""
    found: list[tuple[Point, float]] = []
    left = 0.0
    for (a, b), half in zip(pairwise(line.points), line.halves, strict=False):
        length = math.dist(a, b)
        at = left
        while measured(length - at) > 0:
            t = at / length
            found.append(((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t), half))
            at += _SAMPLE_MM
        left = at - length
    return tuple(found)


def _best(name: str, kind: TypeStyle, dense: Sequence[tuple[Point, float]], ground: Ground) -> tuple[_Letter, ...]:
    """The letters at the first free window of a course, straight windows first; () when there is none."""
    gap = _TRACKING * kind.size_mm
    widths = [text_width(char, kind) + gap for char in name]
    total = math.fsum(widths)
    reach = math.ceil(total / _SAMPLE_MM)
    windows = sorted(
        (measured(_bend(dense, start, reach) + ground.crowded(dense[start + reach // 2][0])), start)
        for start in range(2, len(dense) - reach - 2, _STEP)
    )
    for _, start in windows:
        window = dense[start : start + reach + 1]
        if window[-1][0][0] < window[0][0][0]:
            window = window[::-1]
        for side in (-1.0, 1.0):
            letters = tuple(_letters(name, kind, widths, window, side))
            if all(_apart(one, other, gap) for one, other in pairwise(letters)) and all(map(ground.free, letters)):
                return letters
    return ()


def _bend(dense: Sequence[tuple[Point, float]], start: int, reach: int) -> float:
    """How far a window strays from a level straight line; rounded, so that ties do not depend on last bits."""
    (ax, ay), (bx, by) = dense[start][0], dense[start + reach][0]
    chord, length = math.hypot(bx - ax, by - ay), reach * _SAMPLE_MM
    upright = abs(by - ay) / max(chord, 1e-6)
    middle = abs(start + reach / 2 - len(dense) / 2) / len(dense)
    return round(measured((length - chord) / length * 4 + upright * 0.5 + middle * 0.4), 3)


def _letters(
    name: str, kind: TypeStyle, widths: Sequence[float], window: Sequence[tuple[Point, float]], side: float
) -> Iterator[_Letter]:
    """Letters along a window read from left to right, above it (-1) or below."""
    at = 0.0
    tall = kind.cap_height_mm
    for char, width in zip(name, widths, strict=True):
        middle = at + width / 2
        index = min(len(window) - 1, round(middle / _SAMPLE_MM))
        a, b = window[max(0, index - _LOOK)][0], window[min(len(window) - 1, index + _LOOK)][0]
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        (x, y), half = window[index]
        off = side * (half + _GAP_MM + tall / 2 + (0.0 if side < 0 else tall * 0.15))
        if char != " ":
            yield _Letter(
                char,
                (x - math.sin(angle) * off, y + math.cos(angle) * off),
                round(math.degrees(angle), 1),
                (width / 2, max(tall, rise_mm(char, kind) + drop_mm(char, kind)) * 0.55),
            )
        at += width


def _apart(one: _Letter, other: _Letter, gap: float) -> bool:
    """True when two letters that follow each other neither touch nor lean too far from each other."""
    turn = abs(math.radians((other.angle - one.angle + 180) % 360 - 180))
    room = math.dist(one.at, other.at) - one.half[0] - other.half[0] + gap
    return turn < _TURN and room > (one.half[1] + other.half[1]) * turn / 2


def _distance(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0.0, min(1.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.hypot(point[0] - a[0] - dx * t, point[1] - a[1] - dy * t)
