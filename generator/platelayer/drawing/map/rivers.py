"""Rivers: courses as smooth lines that widen from source to mouth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from platelayer.drawing.hex.places import Disc
from platelayer.drawing.hex.terrain_pen import smooth
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import COS_30, Coord, Layout, centre_mm, edge_point
from platelayer.model.landscape import River, Waypoint
from platelayer.model.tile import Terrain
from platelayer.scene.shapes import Command, Group, Item, Path, Point

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
    found: list[Point] = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        x, y = (_between(before[k], start[k], end[k], after[k], t) for k in (0, 1))
        swing = _SWAY * (once * math.sin(math.pi * t) + twice * math.sin(2 * math.pi * t)) * math.sin(math.pi * t)
        found.append((x - dy * swing, y + dx * swing))
    return found


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
    found: list[Command] = []
    # In pieces that overlap: what looks for a point in a river looks at few of them.
    for start in range(0, last, _PIECE - 1):
        end = min(last, start + _PIECE)
        found += [("M", *left[start]), *down[start + 1 : end + 1], ("L", *right[end])]
        found += [*up[last - end + 1 : last - start + 1], ("Z",)]
    return tuple(found)


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
    found: set[Coord] = set()
    for river in rivers:
        for one, other in pairwise(river.course):
            shared = set(one.touches(layout)) & set(other.touches(layout))
            found |= shared or {one.at, other.at}
    return frozenset(found)


def wet_discs(plan: MapPlan, hexagon: MapHex) -> tuple[Disc, ...]:
    """Circles that cover the rivers of a hex, round its middle; mm."""
    return _wet(plan.gamemap.rivers, plan.layout, plan.across_mm).get(hexagon.at, ())


@lru_cache(maxsize=32)
def _wet(rivers: tuple[River, ...], layout: Layout, across_mm: float) -> dict[Coord, tuple[Disc, ...]]:
    hexes = {at: centre_mm(at, layout, across_mm) for at in watered(rivers, layout)}
    found: dict[Coord, list[Disc]] = {}
    for river in rivers:
        points, halves = _line(river.course, layout, across_mm)
        for (one, other), half in zip(pairwise(points), halves[1:], strict=True):
            steps = math.ceil(measured(math.dist(one, other) / _DISC_STEP_MM))
            for step in range(steps):
                x, y = (one[k] + (other[k] - one[k]) * step / steps for k in (0, 1))
                for at, (cx, cy) in hexes.items():
                    if measured(math.hypot(x - cx, y - cy) - _IN_HEX * across_mm) < 0:
                        found.setdefault(at, []).append(
                            (round(measured(x - cx), 2), round(measured(y - cy), 2), half + _BANK_MM)
                        )
    return {at: tuple(discs) for at, discs in found.items()}


def ford(terrain: Terrain) -> bool:
    """True for terrain that a river on the map shows already."""
    return bool(terrain.kinds) and set(terrain.kinds) <= set(RIVER_KINDS)
