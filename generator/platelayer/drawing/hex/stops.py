"""Drawings of cities, passes and towns."""

from __future__ import annotations

import math
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.geometry import between
from platelayer.drawing.kit.style import Style
from platelayer.model.tile import Stop, StopKind
from platelayer.scene.shapes import Circle, Command, Item, Path, Point, Role, Stroke, polygon_path
from platelayer.scene.typeset import set_centred, text_width

# Shapes of stop marks: slots of a city, bars and dots of towns, all relative to the size of the
# hex.
#
# Sizes are shares of the hex's distance flat to flat; `model/tile.py` has those of slots.


BOX = 0.018
"""How far the white box of a city reaches beyond its slots."""
DOT_RADIUS = 0.06
BAR_LENGTH = 0.175
BAR_WIDTH = 0.052
MARK_RIM = 0.011
"""Width of the white rim round bars and dots."""
HALT_RADIUS = 0.068
BOOM_RADIUS = 0.125
"""A boomtown has a dashed ring about as wide as the slot that it may become."""

SMALL_PASS = 1
"""The size of a pass with a small mountain below its slots; that of any other, or of none, is large
and round them."""
_SMALL_ROCK = (0.0, 1.05, 0.95)
"""A small mountain: its distance from the slots, its height and half its width, in slot radii."""
_LARGE_ROCK = 1.14
"""A large mountain round one slot: the radius of the circle within it, in slot radii."""
_BLUNT_ROCK = (1.6, 0.35)
"""One round several slots: how far it rises above the middle of the highest and reaches beyond
them, in slot radii."""

Triangle = tuple[Point, Point, Point]


class Mark(Struct, frozen=True):
    """Where one stop is drawn, in mm from the centre of the hex.

    `angle` (radians) is the direction of a bar, or of a city's row of slots. `slots` are the
    centres of its slots, `slot_mm` their diameter; `bar` says whether a town is a bar or a dot.
    `bulk` are circles (x, y, r) that it covers. `rock` is the mountain of a pass: its top and its
    feet.
    """

    index: int
    kind: StopKind
    x: float
    y: float
    angle: float
    slots: tuple[Point, ...]
    slot_mm: float
    bar: bool
    bulk: tuple[tuple[float, float, float], ...]
    rock: Triangle | None = None

    @property
    def centre(self) -> Point:
        """Its place."""
        return self.x, self.y


@cache
def cluster(slots: int) -> tuple[Point, ...]:
    """Centres of `slots` touching circles of diameter 1, compact, round (0, 0); two lie on the x
    axis."""
    if slots == 1:
        return ((0.0, 0.0),)
    if slots == 2:
        return ((-0.5, 0.0), (0.5, 0.0))
    if slots in (3, 5):
        radius = 0.5 / math.sin(math.pi / slots)
        turns = (math.radians(-90 + 360 * k / slots) for k in range(slots))
        return tuple((radius * math.cos(turn), radius * math.sin(turn)) for turn in turns)
    columns = 3 if slots == 6 else math.ceil(math.sqrt(slots))
    rows = math.ceil(slots / columns)
    return tuple(
        (k % columns - (columns - 1) / 2, k // columns - (rows - 1) / 2) for k in range(slots)
    )


def city_mark(
    index: int,
    kind: StopKind,
    slots: int,
    *,
    at: Point,
    angle: float,
    slot_mm: float,
    across_mm: float,
    size: int | None = None,
) -> Mark:
    """A city or pass with its slots in a row along `angle` (two), a triangle, a square ...; a pass
    of a `size`."""
    cos, sin = math.cos(angle), math.sin(angle)
    centres = tuple(
        (at[0] + (x * cos - y * sin) * slot_mm, at[1] + (x * sin + y * cos) * slot_mm)
        for x, y in cluster(slots)
    )
    pad = BOX * across_mm if slots > 1 else 0.0
    bulk = [(x, y, slot_mm / 2 + pad) for x, y in centres]
    if slots > 1:
        bulk += [(*at, slot_mm / 2 + pad), *_sides(centres, slot_mm / 2 + pad)]
    mark = Mark(index, kind, at[0], at[1], angle, centres, slot_mm, False, tuple(bulk))
    if kind is not StopKind.PASS:
        return mark
    rock = (_small_rock if size == SMALL_PASS else _large_rock)(mark, pad)
    return replace(mark, bulk=(*mark.bulk, *_triangle_bulk(rock)), rock=rock)


def slot_reach(mark: Mark) -> float:
    """How far the slots of a city reach to either side of its middle."""
    return max(abs(x - mark.x) for x, _ in mark.slots) + mark.slot_mm / 2


def _small_rock(mark: Mark, pad_mm: float) -> Triangle:
    """A triangle below the slots of a pass."""
    gap, height, half = (share * mark.slot_mm / 2 for share in _SMALL_ROCK)
    top = max(y for _, y in mark.slots) + mark.slot_mm / 2 + pad_mm + gap
    return (mark.x, top), (mark.x - half, top + height), (mark.x + half, top + height)


def _large_rock(mark: Mark, pad_mm: float) -> Triangle:
    """A triangle round the slots of a pass: one with equal sides, or, where there are several
    slots, a blunt one."""
    radius = mark.slot_mm / 2
    within = _LARGE_ROCK * radius + pad_mm
    rise, spread = (share * radius for share in _BLUNT_ROCK)
    if len(mark.slots) == 1:
        rise, spread = 2 * within, math.sqrt(3) * within - radius
    heights = [y for _, y in mark.slots]
    half, base = slot_reach(mark) + spread, max(heights) + within
    return (mark.x, min(heights) - rise), (mark.x - half, base), (mark.x + half, base)


def _triangle_bulk(corners: Triangle) -> list[tuple[float, float, float]]:
    """Circles that fill a triangle: the one within it, and ever smaller ones towards each of its
    corners."""
    sides = [math.dist(corners[(k + 1) % 3], corners[(k + 2) % 3]) for k in range(3)]
    around = math.fsum(sides)
    x, y = (
        math.fsum(side * corner[axis] for side, corner in zip(sides, corners, strict=True)) / around
        for axis in (0, 1)
    )
    (ax, ay), (bx, by), (cx, cy) = corners
    radius = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / around
    return [
        (left + (x - left) * share, top + (y - top) * share, radius * share)
        for left, top in corners
        for share in (0.0, 0.07, 0.15, 0.3, 0.5, 0.75, 1.0)
    ]


def _sides(centres: tuple[Point, ...], radius: float) -> list[tuple[float, float, float]]:
    """Circles that fill the straight sides between neighbouring corners of a box round slots."""
    hull = _convex_hull(centres)
    pairs = [(hull[k - 1], hull[k]) for k in range(len(hull))]
    return [
        (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, radius)
        for a, b in pairs
        for t in (0.25, 0.5, 0.75)
    ]


def town_mark(
    index: int, kind: StopKind, *, at: Point, angle: float, bar: bool, across_mm: float
) -> Mark:
    """A town: a bar along `angle` (across its track), or a dot."""
    x, y = at
    if not bar:
        radius = (DOT_RADIUS + MARK_RIM) * across_mm
        return Mark(index, kind, x, y, angle, (), 0.0, False, ((x, y, radius),))
    half = (BAR_WIDTH / 2 + MARK_RIM) * across_mm
    reach = BAR_LENGTH / 2 * across_mm + MARK_RIM * across_mm - half
    dx, dy = reach * math.cos(angle), reach * math.sin(angle)
    steps = (-1.0, -0.5, 0.0, 0.5, 1.0)
    bulk = tuple((x + dx * k, y + dy * k, half * 1.15) for k in steps)
    return Mark(index, kind, x, y, angle, (), 0.0, True, bulk)


def ring_mark(index: int, kind: StopKind, *, at: Point, boom: bool, across_mm: float) -> Mark:
    """A halt, or a boomtown: a ring, whatever track leads to it."""
    radius = (BOOM_RADIUS if boom else HALT_RADIUS) * across_mm
    return Mark(index, kind, *at, 0.0, (), 0.0, False, ((*at, radius),))


def rounded_hull(centres: tuple[Point, ...], radius: float) -> tuple[Command, ...]:
    """The outline of a rubber band round circles of one radius: a circle, a capsule, a rounded
    triangle, square ..."""
    hull = _convex_hull(centres)
    if len(hull) == 1:
        hull = (hull[0], hull[0])
    count = len(hull)
    angles = []
    for k in range(count):
        (ax, ay), (bx, by) = hull[k], hull[(k + 1) % count]
        flat = math.pi * k if (ax, ay) == (bx, by) else math.atan2(by - ay, bx - ax)
        angles.append(flat - math.pi / 2)
    commands: list[Command] = []
    for k in range(count):
        x, y = hull[k]
        start, end = angles[k - 1], angles[k]
        while end <= start + 1e-9:
            end += 2 * math.pi
        commands.append(
            ("L" if commands else "M", x + radius * math.cos(start), y + radius * math.sin(start))
        )
        commands += arc_commands(x, y, radius, start, end)
    commands.append(("Z",))
    return tuple(commands)


def arc_commands(cx: float, cy: float, radius: float, start: float, end: float) -> list[Command]:
    """Cubic curves along a circle between two angles (radians, growing clockwise)."""
    count = max(1, math.ceil(abs(end - start) / (math.pi / 2) - 1e-9))
    step = (end - start) / count
    handle = 4 / 3 * math.tan(step / 4) * radius
    commands: list[Command] = []
    for k in range(count):
        a, b = start + k * step, start + (k + 1) * step
        ax, ay, bx, by = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
        commands.append(
            (
                "C",
                cx + radius * ax - handle * ay,
                cy + radius * ay + handle * ax,
                cx + radius * bx + handle * by,
                cy + radius * by - handle * bx,
                cx + radius * bx,
                cy + radius * by,
            )
        )
    return commands


def _convex_hull(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Corners of the hull, so that walking them keeps the outside on the left (y down)."""
    ordered = sorted({(round(x, 6), round(y, 6)) for x, y in points})
    if len(ordered) <= 2:
        return tuple(ordered)

    def half(chain: list[Point]) -> list[Point]:
        hull: list[Point] = []
        for x, y in chain:
            while len(hull) >= 2:
                (ax, ay), (bx, by) = hull[-2], hull[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-6:
                    break
                hull.pop()
            hull.append((x, y))
        return hull

    lower, upper = half(ordered), half(ordered[::-1])
    return tuple(lower[:-1] + upper[:-1])


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
