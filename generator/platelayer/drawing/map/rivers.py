"""Rivers: a network of smooth lines that widen with what lies upstream, and costs of crossing
them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Disc, box_discs
from platelayer.drawing.hex.terrain import smooth, terrain_items, terrain_size
from platelayer.drawing.kit.lettering import halo_path
from platelayer.drawing.kit.rich_text import Block, words_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import Edge, MapPlan, spot
from platelayer.drawing.map.room import Drawn, left_room
from platelayer.foundation.text import printed_number
from platelayer.foundation.ties import measured, ranked
from platelayer.model.gamemap import GameMap, MapHex, River, Waypoint
from platelayer.model.hexes import COS_30, Coord, Layout, centre_mm, edge_point
from platelayer.model.tile import Terrain
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.inks import Ink
from platelayer.scene.legibility import Nearby, beneath
from platelayer.scene.shapes import Command, Group, Item, Path, Point, Role, Scene, translation
from platelayer.scene.typeset import run_corners

# Width of the sign as a share of the hex.
_SIGN = 0.16
_INSET = 0.045
_FORD_CLEAR_MM = 1.2
# Between a cost and its river.
_BESIDE_MM = 0.5
_RINGS = (0.0, 0.12, 0.2, 0.27, 0.33, 0.38)
_FORD_STEPS = 24

# Kinds of terrain that the line of a river shows.
RIVER_KINDS = ("river", "water")
_DESIGN_MM = 38.6
# How wide a river is below one hex side of water, on the usual hex; it grows with the root of the
# length upstream, as rivers do (Leopold & Maddock, "The Hydraulic Geometry of Stream Channels",
# 1953).
_GROWTH_MM = 0.4
_WIDEST_MM = 2.4
# A river begins at this share of its width, and has all of it after so many mm.
_SPRING, _TAPER_MM = 0.22, 9.0
# The length upstream, in hex sides, of a river that comes from beyond the map.
_FROM_BEYOND = 4.0
# Over which a river widens below the mouth of another.
_JOINING_MM = 14.0
# How much wider a river is where it meets the sea, over which length, and how far out its water
# reaches.
_FLARE, _FLARE_MM, _OUT_MM = 1.7, 9.0, 1.6
# A river wider than this ends in a delta: its arms part so far from the coast, and are this much of
# its width.
_DELTA_MM, _ARM_MM, _ARM = 1.15, 8.5, 0.6
_BANK_MM = 0.2
# How far a river stays from an edge that it runs along, as a share of the hex: the line between the
# hexes stays clear.
_ASIDE = 0.09
# How far a river swings from the shortest way, as a share of the way between two places.
_SWAY = 0.055
_STEPS, _SMOOTHINGS = 6, 2
_DISC_STEP_MM = 2.0
# How far the ground reaches round letters that would stand on a line.
HALO_MM = 0.55
# How far from the middle of a hex its own water is, as a share of the hex.
_IN_HEX = 0.62
_PIECE = 7
# How strongly it swings in one bend and in two, by turns.
_SWINGS = ((1.0, 0.5), (-1.0, 0.3), (0.8, -0.6), (-0.7, -0.5), (0.5, 0.9))


class Stretch(Struct, frozen=True):
    """A river as it is drawn: points from source to mouth, and half its width at each, in mm."""

    points: tuple[Point, ...]
    halves: tuple[float, ...]

    def moved(self, dx: float, dy: float) -> Stretch:
        """The same elsewhere."""
        return Stretch(tuple((x + dx, y + dy) for x, y in self.points), self.halves)


def stretches(plan: MapPlan) -> tuple[Stretch, ...]:
    """The lines of all rivers on the sheet, in their order."""
    lines = network(plan.gamemap.rivers, plan.layout, plan.across_mm)
    return tuple(line.moved(*plan.origin) for line in lines)


@lru_cache(maxsize=32)
def network(rivers: tuple[River, ...], layout: Layout, across_mm: float) -> tuple[Stretch, ...]:
    """The lines of all rivers, hex (0, 0) centred on (0, 0). Their widths follow from what lies
    upstream: a river that ends on a place of another's course flows into it there."""
    point = MapPoint(layout, across_mm)
    raw = [[point.of(waypoint) for waypoint in river.course] for river in rivers]
    aside = [
        _aside(river.course, places, layout, across_mm)
        for river, places in zip(rivers, raw, strict=True)
    ]
    mouths = [_confluence(number, raw) for number in range(len(rivers))]
    stations = [_places_along(places) for places in aside]
    courses = _courses(aside, mouths, stations)
    runs = [_run(points) for points in courses]
    side_mm = across_mm / 2 / COS_30
    scale = across_mm / _DESIGN_MM
    totals: dict[int, float] = {}

    def inflows(number: int) -> list[tuple[float, float]]:
        """Where along a river others join it, and how much water they bring."""
        joining = [
            (other, mouth[1])
            for other, mouth in enumerate(mouths)
            if mouth is not None and mouth[0] == number
        ]
        return [(runs[number][stations[number][index]], total(other)) for other, index in joining]

    def total(number: int) -> float:
        """All that lies upstream of a mouth, in mm."""
        if number not in totals:
            totals[number] = runs[number][-1]  # two that flow into each other count once
            beyond = _FROM_BEYOND * side_mm * _is_on_edge(rivers[number].course[0])
            totals[number] = math.fsum(
                (runs[number][-1], beyond, *(more for _, more in inflows(number)))
            )
        return totals[number]

    lines: list[Stretch] = []
    for number, river in enumerate(rivers):
        beyond = _is_on_edge(river.course[0])
        joining = inflows(number)
        halves: list[float] = []
        for at in runs[number]:
            added = (more * _ramp((at - where) / (_JOINING_MM * scale)) for where, more in joining)
            water = math.fsum((at, beyond * _FROM_BEYOND * side_mm, *added)) / side_mm
            spring = 1.0 if beyond else _SPRING + (1 - _SPRING) * min(1.0, at / (_TAPER_MM * scale))
            width = min(_WIDEST_MM, _GROWTH_MM * math.sqrt(max(0.6, water))) * spring
            halves.append(width * scale / 2)
        lines.append(Stretch(tuple(courses[number]), tuple(halves)))
    return tuple(lines)


def _ramp(share: float) -> float:
    """From 0 to 1 without a corner."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def _run(points: Sequence[Point]) -> list[float]:
    """How far each point lies from the first along the line, mm."""
    run = [0.0]
    for one, other in pairwise(points):
        run.append(run[-1] + math.dist(one, other))
    return run


def _is_on_edge(waypoint: Waypoint) -> bool:
    return waypoint.towards is not None and waypoint.share == 1.0


def _confluence(number: int, raw: Sequence[Sequence[Point]]) -> tuple[int, int] | None:
    """The river into which another flows, and the place on its course; None for one that flows into
    no other."""
    end = spot(raw[number][-1])
    for other, places in enumerate(raw):
        if other != number:
            for index, place in enumerate(places):
                if spot(place) == end and index + 1 < len(places):
                    return other, index
    return None


def _aside(
    course: Sequence[Waypoint], places: Sequence[Point], layout: Layout, across_mm: float
) -> list[Point | None]:
    """The places of a course, between each and the next one more where it runs along an edge, else
    None; moved off the edges that it runs along, all of one such stretch to the same side, the
    inner one of its bends."""
    along = [
        len(set(one.touches(layout)) & set(other.touches(layout))) > 1
        for one, other in pairwise(course)
    ]
    moved: list[Point | None] = [places[0]]
    for (a, b), by_edge in zip(pairwise(places), along, strict=True):
        moved += [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) if by_edge else None, b]
    start = 0
    while start < len(along):
        end = start
        while end < len(along) and along[end]:
            end += 1
        if end > start:
            _move_aside(moved, places, start, end, _ASIDE * across_mm)
        start = max(end, start + 1)
    return moved


def _move_aside(
    moved: list[Point | None], places: Sequence[Point], start: int, end: int, by_mm: float
) -> None:
    """Moves the places from one number to another, between which a course follows edges."""
    before, after = max(0, start - 1), min(len(places) - 1, end + 1)
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places[before : after + 1])]
    turns = math.fsum(measured(a[0] * b[1] - a[1] * b[0]) for a, b in pairwise(ways))
    side = -1.0 if measured(turns) < 0 else 1.0
    stretch = [point for point in moved[2 * start : 2 * end + 1] if point is not None]
    for index, (x, y) in enumerate(stretch):
        (ax, ay), (bx, by) = stretch[max(0, index - 1)], stretch[min(len(stretch) - 1, index + 1)]
        far = math.hypot(bx - ax, by - ay)
        moved[2 * start + index] = (
            x - side * by_mm * (by - ay) / far,
            y + side * by_mm * (bx - ax) / far,
        )


def _courses(
    aside: Sequence[list[Point | None]],
    mouths: Sequence[tuple[int, int] | None],
    stations: Sequence[Sequence[int]],
) -> list[list[Point]]:
    """The lines of all rivers, each ending on the line of the one into which it flows."""
    courses: dict[int, list[Point]] = {}
    while len(courses) < len(aside):
        ready = [number for number in range(len(aside)) if number not in courses]
        flowing = [
            number for number in ready if (mouth := mouths[number]) is None or mouth[0] in courses
        ]
        for number in (
            flowing or ready[:1]
        ):  # of rivers that flow into each other, the first does not
            mouth = mouths[number]
            if mouth is not None and mouth[0] in courses:
                aside[number][-1] = courses[mouth[0]][stations[mouth[0]][mouth[1]]]
            courses[number] = _smoothed(aside[number])
    return [courses[number] for number in range(len(aside))]


def _smoothed(aside: Sequence[Point | None]) -> list[Point]:
    """The line through some places."""
    places = [point for point in aside if point is not None]
    points = [places[0]]
    for index in range(len(places) - 1):
        points += _bends(places, index)
    for _ in range(_SMOOTHINGS):
        points[1:-1] = [
            tuple((a[k] + 2 * b[k] + c[k]) / 4 for k in (0, 1))  # type: ignore[misc]
            for a, b, c in zip(points, points[1:], points[2:], strict=False)
        ]
    return points


def _places_along(aside: Sequence[Point | None]) -> list[int]:
    """The numbers of the points of the line through some places at which each waypoint lies."""
    numbers, count = [], 0
    for index, point in enumerate(aside):
        if index % 2 == 0:
            numbers.append(count)
        count += _STEPS * (point is not None)
    return numbers


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
    """Points from one place to the next, that one included: a soft curve with a swing of its
    own."""
    before, start = places[max(0, index - 1)], places[index]
    end, after = places[index + 1], places[min(len(places) - 1, index + 2)]
    dx, dy = end[0] - start[0], end[1] - start[1]
    once, twice = _SWINGS[(index * 3 + len(places)) % len(_SWINGS)]
    points: list[Point] = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        x, y = (_between(before[k], start[k], end[k], after[k], t) for k in (0, 1))
        swing = (
            _SWAY
            * (once * math.sin(math.pi * t) + twice * math.sin(2 * math.pi * t))
            * math.sin(math.pi * t)
        )
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


def river_items(plan: MapPlan, coast: Collection[Edge], style: Style) -> tuple[Item, ...]:
    """All rivers of the board; the sea and off-board areas cover them. Those that end on an edge of
    the `coast` run out into the sea, large ones in several arms."""
    rivers = plan.gamemap.rivers
    if not rivers:
        return ()
    scale = plan.across_mm / _DESIGN_MM
    lines = river_lines(plan, coast)
    bank, water = style.ink("map.river.bank"), style.ink("map.river")
    # All banks lie under all waters, so that rivers run into each other.
    items = (
        *(
            Path(commands=_ribbon(line, _BANK_MM * scale), fill=bank, role=Role.WATER)
            for line in lines
        ),
        *(Path(commands=_ribbon(line, 0.0), fill=water, role=Role.WATER) for line in lines),
    )
    known = plan.gamemap.by_coord
    if all(place.at in known for river in rivers for place in river.course):
        return items
    return (Group(items=items, clip=plan.area(plan.gamemap.hexes)),)  # a single hex of the map


def river_lines(plan: MapPlan, coast: Collection[Edge]) -> tuple[Stretch, ...]:
    """The lines of all rivers on the sheet, with the arms of deltas on a `coast`."""
    shores = {spot(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) for a, b in map(plan.edge_line, coast)}
    lines: list[Stretch] = []
    for line in stretches(plan):
        lines += (
            _arms(line, plan.across_mm / _DESIGN_MM) if spot(line.points[-1]) in shores else (line,)
        )
    return tuple(lines)


def _arms(line: Stretch, scale: float) -> Iterator[Stretch]:
    """A river that meets the sea: it widens, or parts into the three arms of a delta."""
    points, halves, run = line.points, line.halves, _run(line.points)
    (ax, ay), (bx, by) = points[-2:]
    far = math.hypot(bx - ax, by - ay) or 1.0
    way = ((bx - ax) / far, (by - ay) / far)
    out = _OUT_MM * scale
    tip = (bx + way[0] * out, by + way[1] * out)
    if 2 * halves[-1] < _DELTA_MM * scale:
        wide = [
            half * (1 + (_FLARE - 1) * _ramp(1 - (run[-1] - at) / (_FLARE_MM * scale)))
            for half, at in zip(halves, run, strict=True)
        ]
        yield Stretch((*points, tip), (*wide, wide[-1] * 1.15))
        return
    yield Stretch((*points, tip), (*halves, halves[-1]))
    reach = _ARM_MM * scale
    apex = next((index for index, at in enumerate(run) if run[-1] - at <= reach), len(run) - 1)
    x, y = points[apex]
    length = max(reach, run[-1] - run[apex]) + out
    for side in (-1.0, 1.0):
        arm = []
        for step in range(_STEPS + 1):
            t = step / _STEPS
            aside = side * length * 0.42 * _ramp(t) * (1 + 0.15 * math.sin(2 * math.pi * t))
            arm.append(
                (x + way[0] * length * t - way[1] * aside, y + way[1] * length * t + way[0] * aside)
            )
        yield Stretch(
            tuple(arm),
            tuple(halves[apex] * _ARM * (0.8 + 0.35 * step / _STEPS) for step in range(_STEPS + 1)),
        )


@lru_cache(maxsize=128)
def _ribbon(line: Stretch, more_mm: float) -> tuple[Command, ...]:
    """The outline of a river, `more_mm` wider on each side."""
    left: list[Point] = []
    right: list[Point] = []
    for index, ((x, y), half) in enumerate(zip(line.points, line.halves, strict=True)):
        (ax, ay), (bx, by) = (
            line.points[max(0, index - 1)],
            line.points[min(len(line.points) - 1, index + 1)],
        )
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
    """The hexes on the courses of rivers: those they run through, and both beside an edge they
    follow."""
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
def _wet(
    rivers: tuple[River, ...], layout: Layout, across_mm: float
) -> dict[Coord, tuple[Disc, ...]]:
    hexes = {at: centre_mm(at, layout, across_mm) for at in watered(rivers, layout)}
    discs_at: dict[Coord, list[Disc]] = {}
    reach = _IN_HEX * across_mm
    for line in network(rivers, layout, across_mm):
        for (one, other), half in zip(pairwise(line.points), line.halves[1:], strict=True):
            far = math.dist(one, other)
            steps = math.ceil(measured(far / _DISC_STEP_MM))
            near = [(at, c) for at, c in hexes.items() if math.dist(c, one) < reach + far]
            for step in range(steps):
                x, y = (one[k] + (other[k] - one[k]) * step / steps for k in (0, 1))
                for at, (cx, cy) in near:
                    if measured(math.hypot(x - cx, y - cy) - reach) < 0:
                        discs_at.setdefault(at, []).append(
                            (
                                round(measured(x - cx), 2),
                                round(measured(y - cy), 2),
                                half + _BANK_MM,
                            )
                        )
    return {at: tuple(discs) for at, discs in discs_at.items()}


def halo_items(
    plan: MapPlan, hexagon: MapHex, drawn: tuple[Item, ...], ink: Ink
) -> tuple[Item, ...]:
    """The ground of a hex round those of its words, `drawn` round its middle, that found no room
    beside a river."""
    wet = wet_discs(plan, hexagon)
    return _halos(Drawn(drawn), tuple(wet), plan.across_mm, ink) if wet else ()


@lru_cache(maxsize=1536)
def _halos(drawn: Drawn, wet: tuple[Disc, ...], across_mm: float, ink: Ink) -> tuple[Item, ...]:
    """The ground round words of a hex that touch water. Kept: an edit changes few hexes."""
    shapes, texts = flatten_scene(
        Scene(key="words", width_mm=across_mm, height_mm=across_mm, items=drawn.items)
    )
    near = Nearby(shapes, ())
    halos: list[Item] = []
    for text in texts:
        left, top, right, bottom = text.bounds
        in_water = any(
            math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom))
            < radius + _BESIDE_MM
            for x, y, radius in wet
        )
        if in_water and -1 in beneath(text, near).grounds:
            (x, y), (own_x, own_y) = text.corners[0], run_corners(text.run)[0]
            run = replace(text.run, x=text.run.x + x - own_x, y=text.run.y + y - own_y)
            halos.append(halo_path(run, ink, HALO_MM))
    return tuple(halos)


def ford(terrain: Terrain) -> bool:
    """True for terrain that a river on the map shows already."""
    return bool(terrain.kinds) and set(terrain.kinds) <= set(RIVER_KINDS)


def fords(gamemap: GameMap, hexagon: MapHex) -> tuple[Terrain, ...]:
    """Terrain of a hex that is shown by the river through it, and by a sign only where it costs
    something."""
    crossed = tuple(terrain for terrain in hexagon.tile.terrain if ford(terrain))
    return crossed if crossed and hexagon.at in watered(gamemap.rivers, gamemap.layout) else ()


def ford_items(
    plan: MapPlan, hexagon: MapHex, drawn: tuple[Item, ...], style: Style
) -> tuple[Item, ...]:
    """The costs of a hex beside its river, round its middle, at a free place."""
    return tuple(
        item for x, y, _, block in _signs(plan, hexagon, drawn, style) for item in block.at(x, y)
    )


def ford_discs(
    plan: MapPlan,
    hexagon: MapHex,
    drawn: tuple[Item, ...],
    bare: Callable[[], tuple[Item, ...]],
    style: Style,
) -> tuple[Disc, ...]:
    """Circles that words must leave free for costs that find no room beside what is `drawn` in a
    hex: where they have the most beside what it shows without words, `bare`. None where they find
    it."""
    if all(room >= 0.0 for _, _, room, _ in _signs(plan, hexagon, drawn, style)):
        return ()
    signs = _signs(plan, hexagon, bare(), style)
    return tuple(
        disc for x, y, _, block in signs for disc in box_discs(x, y, block.width, block.height)
    )


def _signs(
    plan: MapPlan, hexagon: MapHex, drawn: tuple[Item, ...], style: Style
) -> list[tuple[float, float, float, Block]]:
    """For each cost of a hex where it stands, how much room it has there, and what it looks
    like."""
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
            places.append(
                (cost, ring * across_mm * math.cos(angle), ring * across_mm * math.sin(angle))
            )
    return ranked(places)


def _sign(cost: int, across_mm: float, style: Style) -> Block:
    words = words_block((printed_number(cost),), style.type("tile.cost"), style.ink("text"))
    width, height = terrain_size("river", round(_SIGN * across_mm, 2))
    total = width + 0.6 + words.width
    wave = Group(
        items=terrain_items("river", width, style), matrix=translation((width - total) / 2, 0.0)
    )
    return Block(
        (wave, *words.at((total - words.width) / 2, 0.0)), total, max(height, words.height)
    )
