"""Rivers: courses as smooth lines that widen from source to mouth, their names, and costs of crossing them."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from platelayer.drawing.hex.places import Disc, Field, box_discs
from platelayer.drawing.hex.terrain import smooth, terrain_items, terrain_size
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import Block, words_block
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.room import left_room
from platelayer.foundation.ties import measured, ranked
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, centre_mm, edge_point, neighbour
from platelayer.model.landscape import River, Waypoint
from platelayer.model.tile import Terrain
from platelayer.scene.shapes import Command, Group, Item, Path, Point, TextRun, translation
from platelayer.scene.typeset import TypeStyle, drop_mm, rise_mm, set_centred, text_width

_SIGN = 0.16
"""Width of the sign as a share of the hex."""
_INSET = 0.045
_FORD_CLEAR_MM = 1.2
_BESIDE_MM = 0.5
"""Between a cost and its river."""
_RINGS = (0.0, 0.12, 0.2, 0.27, 0.33, 0.38)
_FORD_STEPS = 24

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
            known = self._hexes.get(at)
            if known is not None and (far := math.dist(known[0], point)) < least:
                nearest, least = known[1], far
        return nearest


RIVER_KINDS = ("river", "water")
"""Kinds of terrain that the line of a river shows."""
_DESIGN_MM = 38.6
_SOURCE_MM, _MOUTH_MM = 0.5, 0.95
_GROWTH = 1 / 300
"""How much wider a river is at its mouth for each mm of its length."""
_WIDEST_MM = 2.1
_BANK_MM = 0.24
_SWAY = 0.055
"""How far a river swings from the shortest way, as a share of the way between two places."""
_STEPS = 6
_DISC_STEP_MM = 2.0
_IN_HEX = 0.62
"""How far from the middle of a hex its own water is, as a share of the hex."""
_PIECE = 7
_SWINGS = ((1.0, 0.5), (-1.0, 0.3), (0.8, -0.6), (-0.7, -0.5), (0.5, 0.9))
"""How strongly it swings in one bend and in two, by turns."""


class Stretch(Struct, frozen=True):
    """A river as it is drawn: points from source to mouth, and half its width at each, in mm."""

    points: tuple[Point, ...]
    halves: tuple[float, ...]


def stretch(river: River, plan: MapPlan) -> Stretch:
    """The line of a river on the sheet."""
    places, halves = _line(river.course, plan.layout, plan.across_mm)
    return Stretch(tuple((x + plan.origin[0], y + plan.origin[1]) for x, y in places), halves)


@lru_cache(maxsize=256)
def _line(
    course: tuple[Waypoint, ...], layout: Layout, across_mm: float
) -> tuple[tuple[Point, ...], tuple[float, ...]]:
    plan_point = MapPoint(layout, across_mm)
    places = [plan_point.of(waypoint) for waypoint in course]
    points = [places[0]]
    for index in range(len(places) - 1):
        points += _bends(places, index)
    run = [0.0]
    for one, other in pairwise(points):
        run.append(run[-1] + math.dist(one, other))
    scale = across_mm / _DESIGN_MM
    mouth = min(_WIDEST_MM, _MOUTH_MM + run[-1] / scale * _GROWTH) * scale
    source = _SOURCE_MM * scale
    halves = tuple((source + (mouth - source) * (at / run[-1] if run[-1] else 1.0)) / 2 for at in run)
    return tuple(points), halves


class MapPoint(Struct, frozen=True):
    """Where places of a map lie in mm, hex (0, 0) centred on (0, 0)."""

    layout: Layout
    across_mm: float

    def of(self, waypoint: Waypoint) -> Point:
        """The point of a place."""
        x, y = centre_mm(waypoint.at, self.layout, self.across_mm)
        if waypoint.towards is None:
            return x, y
        reach = self.across_mm / 2 * waypoint.share
        if waypoint.towards % 1:
            reach /= COS_30
        dx, dy = edge_point(waypoint.towards, self.layout, reach)
        return x + dx, y + dy


def _bends(places: Sequence[Point], index: int) -> list[Point]:
    """Points from one place to the next, that one included: a soft curve with a swing of its own."""
    before, start = places[max(0, index - 1)], places[index]
    end, after = places[index + 1], places[min(len(places) - 1, index + 2)]
    dx, dy = end[0] - start[0], end[1] - start[1]
    once, twice = _SWINGS[(index * 3 + len(places)) % len(_SWINGS)]
    points: list[Point] = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        x, y = (_between(before[k], start[k], end[k], after[k], t) for k in (0, 1))
        swing = _SWAY * (once * math.sin(math.pi * t) + twice * math.sin(2 * math.pi * t)) * math.sin(math.pi * t)
        points.append((x - dy * swing, y + dx * swing))
    return points


def _between(before: float, start: float, end: float, after: float, t: float) -> float:
    """Catmull-Rom."""
    return 0.5 * (
        2 * start
        + (end - before) * t
        + (2 * before - 5 * start + 4 * end - after) * t * t
        + (3 * start - before - 3 * end + after) * t**3
    )


def river_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """All rivers of the board; the sea and off-board areas cover them."""
    rivers = plan.gamemap.rivers
    if not rivers:
        return ()
    lines = [stretch(river, plan) for river in rivers]
    bank, water = style.ink("map.river.bank"), style.ink("map.river")
    # All banks lie under all waters, so that rivers run into each other.
    items = (
        *(Path(commands=_ribbon(line, _BANK_MM), fill=bank) for line in lines),
        *(Path(commands=_ribbon(line, 0.0), fill=water) for line in lines),
    )
    known = plan.gamemap.by_coord
    if all(place.at in known for river in rivers for place in river.course):
        return items
    return (Group(items=items, clip=plan.area(plan.gamemap.hexes)),)  # a single hex of the map


@lru_cache(maxsize=128)
def _ribbon(line: Stretch, more_mm: float) -> tuple[Command, ...]:
    """The outline of a river, `more_mm` wider on each side."""
    left: list[Point] = []
    right: list[Point] = []
    for index, ((x, y), half) in enumerate(zip(line.points, line.halves, strict=True)):
        (ax, ay), (bx, by) = line.points[max(0, index - 1)], line.points[min(len(line.points) - 1, index + 1)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        side = (half + more_mm) / length
        left.append((x - (by - ay) * side, y + (bx - ax) * side))
        right.append((x + (by - ay) * side, y - (bx - ax) * side))
    down, up, last = smooth(left), smooth(right[::-1]), len(left) - 1
    commands: list[Command] = []
    # In pieces that overlap: what looks for a point in a river looks at few of them.
    for start in range(0, last, _PIECE - 1):
        end = min(last, start + _PIECE)
        commands += [("M", *left[start]), *down[start + 1 : end + 1], ("L", *right[end])]
        commands += [*up[last - end + 1 : last - start + 1], ("Z",)]
    return tuple(commands)


def river_sign(style: Style) -> tuple[Item, ...]:
    """A piece of a river, as the legend shows it, centred on (0, 0)."""
    points = tuple((-5.5 + step * 1.1, 0.9 * math.sin(step * math.pi / 5)) for step in range(11))
    line = Stretch(points, tuple(0.22 + step * 0.05 for step in range(11)))
    return (
        Path(commands=_ribbon(line, _BANK_MM), fill=style.ink("map.river.bank")),
        Path(commands=_ribbon(line, 0.0), fill=style.ink("map.river")),
    )


@lru_cache(maxsize=32)
def watered(rivers: tuple[River, ...], layout: Layout) -> frozenset[Coord]:
    """The hexes on the courses of rivers: those they run through, and both beside an edge they follow."""
    places: set[Coord] = set()
    for river in rivers:
        for one, other in pairwise(river.course):
            shared = set(one.touches(layout)) & set(other.touches(layout))
            places |= shared or {one.at, other.at}
    return frozenset(places)


def wet_discs(plan: MapPlan, hexagon: MapHex) -> tuple[Disc, ...]:
    """Circles that cover the rivers of a hex, round its middle; mm."""
    return _wet(plan.gamemap.rivers, plan.layout, plan.across_mm).get(hexagon.at, ())


@lru_cache(maxsize=32)
def _wet(rivers: tuple[River, ...], layout: Layout, across_mm: float) -> dict[Coord, tuple[Disc, ...]]:
    hexes = {at: centre_mm(at, layout, across_mm) for at in watered(rivers, layout)}
    discs_at: dict[Coord, list[Disc]] = {}
    for river in rivers:
        points, halves = _line(river.course, layout, across_mm)
        for (one, other), half in zip(pairwise(points), halves[1:], strict=True):
            steps = math.ceil(measured(math.dist(one, other) / _DISC_STEP_MM))
            for step in range(steps):
                x, y = (one[k] + (other[k] - one[k]) * step / steps for k in (0, 1))
                for at, (cx, cy) in hexes.items():
                    if measured(math.hypot(x - cx, y - cy) - _IN_HEX * across_mm) < 0:
                        discs_at.setdefault(at, []).append(
                            (round(measured(x - cx), 2), round(measured(y - cy), 2), half + _BANK_MM)
                        )
    return {at: tuple(discs) for at, discs in discs_at.items()}


def ford(terrain: Terrain) -> bool:
    """True for terrain that a river on the map shows already."""
    return bool(terrain.kinds) and set(terrain.kinds) <= set(RIVER_KINDS)


def river_name_items(ground: Ground, style: Style) -> tuple[Item, ...]:
    """The names of all rivers, each where its course has a free side; none where there is no room."""
    type_style = style.type("map.river")
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
            letters = _best(name, type_style, dense[low:high], ground)
            for letter in letters:
                items += set_centred(letter.char, type_style, ink, *letter.at, angle=letter.angle)
    return tuple(items)


def _bounds(line: Stretch) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in line.points], [y for _, y in line.points]
    return min(xs) - _WIDE_MM, min(ys) - _WIDE_MM, max(xs) + _WIDE_MM, max(ys) + _WIDE_MM


@lru_cache(maxsize=64)
def _dense(line: Stretch) -> tuple[tuple[Point, float], ...]:
    """Points a sample apart, with half the width of the river at each."""
    course: list[tuple[Point, float]] = []
    left = 0.0
    for (a, b), half in zip(pairwise(line.points), line.halves, strict=False):
        length = math.dist(a, b)
        at = left
        while measured(length - at) > 0:
            t = at / length
            course.append(((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t), half))
            at += _SAMPLE_MM
        left = at - length
    return tuple(course)


def _best(
    name: str, type_style: TypeStyle, dense: Sequence[tuple[Point, float]], ground: Ground
) -> tuple[_Letter, ...]:
    """The letters at the first free window of a course, straight windows first; () when there is none."""
    gap = _TRACKING * type_style.size_mm
    widths = [text_width(char, type_style) + gap for char in name]
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
            letters = tuple(_letters(name, type_style, widths, window, side))
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
    name: str, type_style: TypeStyle, widths: Sequence[float], window: Sequence[tuple[Point, float]], side: float
) -> Iterator[_Letter]:
    """Letters along a window read from left to right, above it (-1) or below."""
    at = 0.0
    tall = type_style.cap_height_mm
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
                (width / 2, max(tall, rise_mm(char, type_style) + drop_mm(char, type_style)) * 0.55),
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


def fords(gamemap: GameMap, hexagon: MapHex) -> tuple[Terrain, ...]:
    """Terrain of a hex that is shown by the river through it, and by a sign only where it costs something."""
    crossed = tuple(terrain for terrain in hexagon.tile.terrain if ford(terrain))
    return crossed if crossed and hexagon.at in watered(gamemap.rivers, gamemap.layout) else ()


def ford_items(plan: MapPlan, hexagon: MapHex, drawn: tuple[Item, ...], style: Style) -> tuple[Item, ...]:
    """The costs of a hex beside its river, round its middle, at a free place."""
    return tuple(item for x, y, _, block in _signs(plan, hexagon, drawn, style) for item in block.at(x, y))


def ford_discs(
    plan: MapPlan,
    hexagon: MapHex,
    drawn: tuple[Item, ...],
    bare: Callable[[], tuple[Item, ...]],
    style: Style,
) -> tuple[Disc, ...]:
    """Circles that words must leave free for costs that find no room beside what is `drawn` in a hex: where they have
    the most beside what it shows without words, `bare`. None where they find it."""
    if all(room >= 0.0 for _, _, room, _ in _signs(plan, hexagon, drawn, style)):
        return ()
    signs = _signs(plan, hexagon, bare(), style)
    return tuple(disc for x, y, _, block in signs for disc in box_discs(x, y, block.width, block.height))


def _signs(
    plan: MapPlan, hexagon: MapHex, drawn: tuple[Item, ...], style: Style
) -> list[tuple[float, float, float, Block]]:
    """For each cost of a hex where it stands, how much room it has there, and what it looks like."""
    costs = [terrain.cost for terrain in fords(plan.gamemap, hexagon) if terrain.cost]
    if not costs:
        return []
    field = left_room(plan, drawn, _INSET * plan.across_mm)
    wet = left_room(plan, drawn, _INSET * plan.across_mm)
    for x, y, radius in wet_discs(plan, hexagon):
        wet.take_disc(x, y, radius + _BESIDE_MM)
    signs: list[tuple[float, float, float, Block]] = []
    for cost in costs:
        block = _sign(cost, plan.across_mm, style)
        places = _places(plan.across_mm)
        bx, by, room = wet.best_box(places, block.width, block.height, _FORD_CLEAR_MM)
        if room < 0.0:  # where all dry places are taken, the number stands on the water
            bx, by, room = field.best_box(places, block.width, block.height, _FORD_CLEAR_MM)
        field.take_box(bx, by, block.width, block.height)
        wet.take_box(bx, by, block.width, block.height)
        signs.append((bx, by, room, block))
    return signs


def _places(across_mm: float) -> list[tuple[float, float, float]]:
    """Round the hex, below its middle first."""
    places = []
    for ring in _RINGS:
        for step in range(_FORD_STEPS):
            angle = 2 * math.pi * step / _FORD_STEPS
            cost = 0.25 * abs(ring - 0.27) / 0.27 + 0.2 * (1 - math.sin(angle)) * (ring > 0)
            places.append((cost, ring * across_mm * math.cos(angle), ring * across_mm * math.sin(angle)))
    return ranked(places)


def _sign(cost: int, across_mm: float, style: Style) -> Block:
    words = words_block((str(cost),), style.type("tile.cost"), style.ink("text"))
    width, height = terrain_size("river", round(_SIGN * across_mm, 2))
    total = width + 0.6 + words.width
    wave = Group(items=terrain_items("river", width, style), matrix=translation((width - total) / 2, 0.0))
    return Block((wave, *words.at((total - words.width) / 2, 0.0)), total, max(height, words.height))
