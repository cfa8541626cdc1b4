"""The relief of a map: the shading of its high ground, lit from the upper left, and small signs
over it.

Heights are those of the terrain at the middles of the hexes, with a ridged noise (Musgrave 1993);
so ranges run on from hex to hex. The shading is two tints, bounded by contours (marching squares);
signs stand on tops, clear of all that is drawn in the hexes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Field
from platelayer.drawing.hex.terrain import Manner, manner_of, relief_manner, relief_sign
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.seeds import chance
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import COS_30, Coord, Layout, centre_mm
from platelayer.scene.flatten import bounds_of, inside
from platelayer.scene.inks import mix
from platelayer.scene.shapes import Command, Item, Path, Point, Role, Use, polygon_path, translation

Cell = tuple[int, int]
"""A point of the grid of heights."""

_DESIGN_MM = 38.6
_STEP_MM = 2.6
"""From one height to the next."""
_WAVES = ((14.0, 0.62), (6.4, 0.38))
"""Lengths of the waves of the noise in mm, and how much each counts."""
_TINTS = (
    (0.1, "shade", 0.14),
    (0.2, "shade", 0.26),
    (0.31, "shade", 0.38),
    (-0.14, "light", 0.3),
    (-0.27, "light", 0.6),
)
"""The tints of the shading: from which slope on each is laid (down to the lower right, or up to
it), and how much of the light or shade of the terrain is mixed into its ground."""
_LOW, _HIGH = 0.42, 0.8
"""Between these shares of its height the ground rises out of the plain."""
_LEAST_TOP = 0.3
_QUIET = {"line": 0.52, "shade": 0.45, "light": 0.25}
"""How much of the ground is mixed into the inks of signs."""
_CLEAR_MM = 0.5
"""Between signs and what is drawn in hexes."""
_SIZES_MM = 1.0
"""Signs come in widths so far apart: painters keep each of them once."""
_SMALLEST = 0.55
_JITTER = 0.36
_PIECE = 24
"""Steps of the grid that a piece of the shading extends over, or a little more."""
_TIE = 1e-6
_BEHIND = 1.35
"""How much farther signs are apart one behind the other than in a row."""


class Top(Struct, frozen=True):
    """A place for a sign: where it stands, of which kind it is, how large it may be (0 to 1), and
    which it is."""

    at: Point
    kind: str
    size: float
    number: int


class _Lands(Struct, frozen=True):
    """All that decides the relief of a map: the kinds of the hexes that have one."""

    kinds: tuple[tuple[Coord, str], ...]
    layout: Layout
    across_mm: float


def relief_kind(plan: MapPlan, hexagon: MapHex) -> str | None:
    """The kind of terrain that a hex shows as relief, if it does: the first one of a white hex
    whose ground is neither its own nor that of its region."""
    region = plan.gamemap.region_of.get(hexagon.id)
    tinted = hexagon.tile.ground is not None or (region is not None and region.tint is not None)
    if hexagon.tile.colour != "white" or tinted or hexagon.half is not None or hexagon.apart:
        return None
    kinds = (kind for terrain in hexagon.tile.terrain for kind in terrain.kinds)
    return relief_manner(next(kinds, ""))


def shading_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """The shading of the high ground of a map."""
    lands = _lands(plan, style)
    if lands is None:
        return ()
    items: list[Item] = []
    for kind, tint, commands in _shading(lands, plan.origin):
        _, part, share = _TINTS[tint]
        ink = style.theme.inks.get(f"terrain.{kind}.{part}") or style.ink(
            f"terrain.mountain.{part}"
        )
        fill = mix(style.ink(f"terrain.{kind}.ground"), ink, share * style.theme.relief)
        items.append(Path(commands=commands, fill=fill, role=Role.RELIEF))
    return tuple(items)


def relief_items(plan: MapPlan, room: Callable[[str], Room], style: Style) -> tuple[Item, ...]:
    """Small signs all over the ground of a map that has a relief; `room` is what is left of a hex
    by its printed coordinates."""
    lands = _lands(plan, style)
    if lands is None:
        return ()
    quiet = _quiet(style)
    rooms = _Rooms(plan, room)
    scale = plan.across_mm / _DESIGN_MM
    items: list[Item] = []
    for top in _tops(lands):
        width = manner_of(top.kind).width_mm * scale * (_SMALLEST + (1 - _SMALLEST) * top.size)
        sign = relief_sign(
            top.kind, top.number, round(round(width / _SIZES_MM) * _SIZES_MM, 2), quiet
        )
        box = (sign.width_mm, sign.height_mm)
        if all(rooms.clear(at, top.at, box) for at in _near(top.at, lands)):
            x, y = top.at[0] + plan.origin[0], top.at[1] + plan.origin[1]
            items.append(Use(scene=sign, matrix=translation(x - box[0] / 2, y - box[1] / 2)))
    return tuple(items)


def _lands(plan: MapPlan, style: Style) -> _Lands | None:
    """The kinds of the hexes that have a relief; None where there are none, or none is drawn."""
    if not style.theme.relief:
        return None
    kinds = tuple(
        (hexagon.at, kind)
        for hexagon in plan.gamemap.hexes
        if (kind := relief_kind(plan, hexagon)) is not None
    )
    return _Lands(kinds, plan.layout, plan.across_mm) if kinds else None


class Room:
    """What is left of a hex by what is drawn in it: whether a sign has room there is worked out
    once for each place."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._known: dict[tuple[Point, Point], bool] = {}

    def clear(self, spot: Point, box: Point) -> bool:
        """True if a box round a spot, counted from the middle of the hex, keeps clear of all."""
        clear = self._known.get((spot, box))
        if clear is None:
            room = self._field.box_room(*spot, box, enough=2 * _CLEAR_MM, floor=_CLEAR_MM)
            clear = self._known[spot, box] = room > _CLEAR_MM
        return clear


class _Rooms:
    """What is left of white hexes by what is drawn in them."""

    def __init__(self, plan: MapPlan, room: Callable[[str], Room]) -> None:
        self._plan, self._room = plan, room
        self._whole = Field(plan.layout, plan.across_mm, 0.0)
        self._rooms: dict[Coord, tuple[Point, Room | None]] = {}

    def clear(self, at: Coord, spot: Point, box: Point) -> bool:
        """True if a sign keeps clear of what is drawn in a hex, and out of places that are not
        white hexes."""
        if at not in self._rooms:
            hexagon = self._plan.gamemap.by_coord.get(at)
            white = hexagon is not None and hexagon.tile.colour == "white"
            room = self._room(hexagon.id) if hexagon is not None and white else None
            self._rooms[at] = centre_mm(at, self._plan.layout, self._plan.across_mm), room
        (x, y), room = self._rooms[at]
        dx, dy = spot[0] - x, spot[1] - y
        if room is not None:
            return room.clear((dx, dy), box)
        return any(
            dx * wx + dy * wy - abs(wx) * box[0] / 2 - abs(wy) * box[1] / 2 > self._whole.half
            for wx, wy in self._whole.ways
        )


@lru_cache(maxsize=8)
def _quiet(style: Style) -> Style:
    """The style with the inks of terrain nearer to the ground: relief is below the grid and rivers
    in loudness."""
    inks = dict(style.theme.inks)
    ground = style.ink("tile.white")
    for name, ink in style.theme.inks.items():
        family, _, part = name.rpartition(".")
        if family.startswith("terrain.") and part in _QUIET:
            share = 1.0 - (1.0 - _QUIET[part]) * style.theme.relief
            inks[name] = mix(ink, ground, share)
    return replace(style, theme=replace(style.theme, inks=inks))


# The grid


class _Grid:
    """Places of the hexes as a skewed grid of whole numbers, in which each point lies in a triangle
    of three hexes."""

    def __init__(self, lands: _Lands) -> None:
        self.flat = lands.layout is Layout.FLAT
        self.across = lands.across_mm
        first = lands.kinds[0][0]
        self.odd = (first.x + first.y) % 2

    def corners(self, point: Point) -> tuple[tuple[Cell, float], ...]:
        """The doubled coordinates of the three hexes round a point, with their weights."""
        x, y = point if self.flat else (point[1], point[0])
        u = x / (self.across * COS_30)
        v = y / self.across - u / 2 - self.odd / 2
        i, j = math.floor(u), math.floor(v)
        a, b = u - i, v - j
        row = 2 * j + i + self.odd
        right, below = (i + 1, row + 1), (i, row + 2)
        if a + b < 1.0:
            three = (((i, row), 1.0 - a - b), (right, a), (below, b))
        else:
            three = (((i + 1, row + 3), a + b - 1.0), (below, 1.0 - a), (right, 1.0 - b))
        return (
            three
            if self.flat
            else tuple(((across, along), weight) for (along, across), weight in three)
        )


def _near(point: Point, lands: _Lands) -> Iterator[Coord]:
    return (Coord(*at) for at, _ in _Grid(lands).corners(point))


class _Height(NamedTuple):
    """How far the ground rises out of the plain at a point and how near to a ridge it is, both from
    0 to 1; and the kind of its terrain, None in a hex that is flat."""

    rise: float
    ridge: float
    kind: str | None


@lru_cache(maxsize=2)
def _heights(lands: _Lands) -> dict[Cell, _Height]:
    """The ground round all high hexes, by points of a grid."""
    high: dict[Cell, tuple[float, str]] = {
        at: (rise, kind) for at, kind in lands.kinds if (rise := manner_of(kind).rise)
    }
    step = _STEP_MM * lands.across_mm / _DESIGN_MM
    reach = math.ceil(lands.across_mm * 0.72 / step)
    grid = _Grid(lands)
    heights: dict[Cell, _Height] = {}
    seen: dict[Cell, None] = {}
    for at in high:
        x, y = centre_mm(Coord(*at), lands.layout, lands.across_mm)
        middle = round(measured(x / step)), round(measured(y / step))
        for column in range(middle[0] - reach, middle[0] + reach + 1):
            for row in range(middle[1] - reach, middle[1] + reach + 1):
                cell = (column, row)
                if cell in seen:
                    continue
                seen[cell] = None
                rise, most, kind = 0.0, 0.0, None
                for place, weight in grid.corners((column * step, row * step)):
                    own = high.get(place)
                    if own is not None:
                        rise += weight * own[0]
                    if weight > most + _TIE:
                        most, kind = weight, own and own[1]
                if rise > _LOW:
                    share = min(1.0, (rise - _LOW) / (_HIGH - _LOW))
                    heights[cell] = _Height(
                        share * share * (3.0 - 2.0 * share) * rise, _ridge(column, row), kind
                    )
    return heights


def _ridge(column: int, row: int) -> float:
    """How near to a ridge a point of the grid of heights is, 0 to 1: a ridged noise of two
    waves."""
    total = 0.0
    for number, (_, weight) in enumerate(_WAVES):
        i, a = _in_wave(column, number)
        j, b = _in_wave(row, number)
        one, two, three, four = _wave_corners(i, j, number)
        upper, lower = one + (two - one) * a, three + (four - three) * a
        total += weight * (upper + (lower - upper) * b)
    return 1.0 - min(1.0, abs(total) * 1.9)


@lru_cache(maxsize=4096)
def _in_wave(step: int, number: int) -> tuple[int, float]:
    """The square of a wave in which a step of the grid lies, and how far in it, eased."""
    x = step * (_STEP_MM / _WAVES[number][0])
    i = math.floor(x)
    a = x - i
    return i, a * a * (3.0 - 2.0 * a)


@lru_cache(maxsize=4096)
def _wave_corners(i: int, j: int, number: int) -> tuple[float, float, float, float]:
    """The heights of a wave at the corners of a square."""
    return (
        _chance(i, j, number),
        _chance(i + 1, j, number),
        _chance(i, j + 1, number),
        _chance(i + 1, j + 1, number),
    )


_chance = lru_cache(maxsize=4096)(chance)


@lru_cache(maxsize=8)
def _tops(lands: _Lands) -> tuple[Top, ...]:
    """Places for signs, from the upper rim of the map to the lower."""
    scale = lands.across_mm / _DESIGN_MM
    step = _STEP_MM * scale
    high = sorted(
        (-round(height.rise * (0.4 + 0.6 * height.ridge), 6), cell, height.kind)
        for cell, height in _heights(lands).items()
        if height.kind is not None and height.ridge > _LEAST_TOP
    )
    tops: list[Top] = []
    spread = _Spread(
        max((manner_of(kind).apart_mm for _, kind in lands.kinds), default=1.0) * scale
    )
    for height, (column, row), kind in high:
        spot, manner = (column * step, row * step), manner_of(kind)
        if spread.take(spot, manner.apart_mm * scale):
            number = _one_of(manner, chance(column, row, 7))
            tops.append(
                Top(spot, kind, min(1.0, max(0.0, -height / manner.rise * 2.0 - 1.0)), number)
            )
    for at, kind in lands.kinds:
        if not manner_of(kind).rise:
            tops += _scattered(at, kind, lands)
    return tuple(
        sorted(tops, key=lambda top: (round(measured(top.at[1]), 3), round(measured(top.at[0]), 3)))
    )


def _one_of(manner: Manner, chosen: float) -> int:
    """The number of one of the signs of a manner, by a number from -1 to 1."""
    return int((chosen + 1.0) / 2 * len(manner.signs)) % len(manner.signs)


class _Spread:
    """Signs that keep a distance; in a row they may be closer than one behind the other."""

    def __init__(self, square_mm: float) -> None:
        self._square_mm = square_mm
        self._spots: dict[Cell, list[Point]] = {}

    def take(self, spot: Point, least: float) -> bool:
        """True if no sign is nearer than `least`, at most the size of a square; its spot is then
        taken."""
        x, y = spot[0], spot[1] * _BEHIND
        column, row = int(x // self._square_mm), int(y // self._square_mm)
        for i in (column - 1, column, column + 1):
            for j in (row - 1, row, row + 1):
                for px, py in self._spots.get((i, j), ()):
                    if (px - x) * (px - x) + (py - y) * (py - y) < least * least:
                        return False
        self._spots.setdefault((column, row), []).append((x, y))
        return True


def _scattered(at: Coord, kind: str, lands: _Lands) -> Iterator[Top]:
    """Places all over a hex, each out of its row by chance."""
    manner = manner_of(kind)
    apart = manner.apart_mm * lands.across_mm / _DESIGN_MM
    x, y = centre_mm(at, lands.layout, lands.across_mm)
    reach = math.ceil(lands.across_mm * 0.6 / apart)
    inside = Field(
        lands.layout, lands.across_mm, manner.width_mm * 0.42 * lands.across_mm / _DESIGN_MM
    )
    for row in range(-reach, reach + 1):
        for column in range(-reach, reach + 1):
            key = (at.x * 64 + column, at.y * 64 + row)
            dx = (column + (row % 2) / 2 + chance(*key, 1) * _JITTER) * apart
            dy = (row * 0.8 + chance(*key, 2) * _JITTER) * apart
            if inside.disc_room(dx, dy, 0.0, enough=1.0) > 0.0:
                yield Top(
                    (x + dx, y + dy),
                    kind,
                    (chance(*key, 3) + 1.0) / 2,
                    _one_of(manner, chance(*key, 4)),
                )


# The shading


@lru_cache(maxsize=8)
def _shading(lands: _Lands, origin: Point) -> tuple[tuple[str, int, tuple[Command, ...]], ...]:
    """For each kind of high ground and each tint that it has, its outlines on the sheet."""
    heights = _heights(lands)
    step = _STEP_MM * lands.across_mm / _DESIGN_MM
    slopes: dict[str, dict[Cell, float]] = {}
    for (column, row), height in heights.items():
        if height.kind is not None:
            above = heights.get((column - 1, row - 1), height).ridge
            below = heights.get((column + 1, row + 1), height).ridge
            slopes.setdefault(height.kind, {})[column, row] = height.rise * (above - below)
    return tuple(
        (kind, number, commands)
        for kind, values in slopes.items()
        for number, (level, _, _) in enumerate(_TINTS)
        for commands in _outlines(values, level, step, origin)
    )


def _outlines(
    values: dict[Cell, float], level: float, step: float, origin: Point
) -> Iterator[tuple[Command, ...]]:
    """Contours, with the holes in them, in pieces of those near each other: what looks for the
    ground of a word looks at few."""
    outer: list[tuple[list[Point], list[list[Point]]]] = []
    holes: list[list[Point]] = []
    for ring in _contours(values, level):
        if _area(ring) < 0:
            outer.append((ring, []))
        else:
            holes.append(ring)
    boxes = [bounds_of(ring) for ring, _ in outer]
    for hole in holes:
        x, y = hole[0]
        around = [
            own
            for (ring, own), (left, top, right, bottom) in zip(outer, boxes, strict=True)
            if left <= x <= right and top <= y <= bottom and inside(hole[0], tuple(ring))
        ]
        if around:
            around[-1].append(hole)
    pieces: dict[Cell, list[Command]] = {}
    for ring, own in outer:
        piece = pieces.setdefault((int(ring[0][0] // _PIECE), int(ring[0][1] // _PIECE)), [])
        for line in (ring, *own):
            piece += polygon_path(
                (round(measured(x * step + origin[0]), 2), round(measured(y * step + origin[1]), 2))
                for x, y in line
            )
    yield from (tuple(commands) for commands in pieces.values())


def _area(ring: Sequence[Point]) -> float:
    """Twice the area of a ring; less than 0 when it runs anticlockwise on the sheet, as those round
    high cells do."""
    return math.fsum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))


_CASES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((3, 0),),
    ((0, 1),),
    ((3, 1),),
    ((1, 2),),
    ((3, 0), (1, 2)),
    ((0, 2),),
    ((3, 2),),
    ((2, 3),),
    ((2, 0),),
    ((0, 1), (2, 3)),
    ((2, 1),),
    ((1, 3),),
    ((1, 0),),
    ((0, 3),),
    (),
)
"""Marching squares: for each way in which the corners of a square (upper left 1, upper right 2,
lower right 4, lower left 8) are high, the sides (top, right, bottom, left) at which a contour
enters and leaves it."""


def _contours(values: dict[Cell, float], level: float) -> Iterator[list[Point]]:
    """Closed lines round the cells whose value is beyond a level, in steps of the grid."""
    sign = 1.0 if level > 0 else -1.0
    high = {cell: value * sign for cell, value in values.items() if value * sign > level * sign}
    squares = {(i - dx, j - dy): None for i, j in high for dx in (0, 1) for dy in (0, 1)}
    follows: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for i, j in squares:
        case = (
            ((i, j) in high)
            + 2 * ((i + 1, j) in high)
            + 4 * ((i + 1, j + 1) in high)
            + 8 * ((i, j + 1) in high)
        )
        sides = ((i, j, 0), (i + 1, j, 1), (i, j + 1, 0), (i, j, 1))
        for enter, leave in _CASES[case]:
            follows[sides[enter]] = sides[leave]
    while follows:
        side = next(iter(follows))
        ring: list[Point] = []
        while side in follows:
            ring.append(_crossing(side, values, level))
            side = follows.pop(side)
        if len(ring) > 3:
            yield ring


def _crossing(side: tuple[int, int, int], values: dict[Cell, float], level: float) -> Point:
    """Where a contour crosses a side of a square: the upper (0) or left (1) one of square (i,
    j)."""
    i, j, upright = side
    one, two = values.get((i, j), 0.0), values.get((i, j + 1) if upright else (i + 1, j), 0.0)
    share = min(1.0, max(0.0, (level - one) / (two - one)))
    return (i, j + share) if upright else (i + share, j)
