"""Rivers: a network of smooth lines that widen with the length upstream, and costs of crossing
them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Disc, between
from platelayer.drawing.hex.terrain import RIVER_KINDS, smooth
from platelayer.drawing.kit.lettering import halo_path
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import DESIGN_MM, MapPlan, spot
from platelayer.drawing.map.room import Drawn, Rect
from platelayer.drawing.map.shore import Coast
from platelayer.foundation.geometry import measured
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import (
    COS_30,
    Coord,
    GameMap,
    Layout,
    MapHex,
    River,
    Waypoint,
    centre_mm,
)
from platelayer.model.tile import Terrain
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.inks import Ink, mix
from platelayer.scene.legibility import beneath, close_by
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    polygon_path,
    rectangle_path,
)
from platelayer.scene.typeset import run_corners

# Width of a river at its source, and maximum width, on hexes of the usual size. It grows with the
# square root of the length upstream, as that of real rivers does with their discharge (Leopold &
# Maddock, "The Hydraulic Geometry of Stream Channels and Some Physiographic Implications", USGS
# Professional Paper 252, 1953).
_LEAST_MM, _WIDEST_MM = 0.4, 1.8
# Assumed length upstream of a river from beyond the map, in hex sides.
_FROM_BEYOND = 4.0
# Length over which a river widens below the mouth of another.
_JOINING_MM = 14.0
# Mouth of a river at the sea: factor and length of its widening; maximum distance of the coast from
# the end of its course; and how far out and in its water covers the line of the coast.
_FLARE, _FLARE_MM, _COAST_MM, _OUT_MM, _IN_MM = 1.7, 7.0, 14.0, 0.5, 1.5
# Continuation of rivers beyond the board: number and length of its pieces, and its bend.
_OUTLAND_STEPS, _OUTLAND_MM, _OUTLAND_BEND = 9, 3.2, 0.14
# Width of the tint along the banks of a river that costs something to cross, outer and inner, and
# the strength of the outer tint.
_BANKS_MM, _FAINT = (13.0, 8.0), 0.5
_BANK_MM = 0.2
# Distance of a river from the edge that it follows, as a share of the hex, so that the line between
# the hexes stays clear.
_ASIDE = 0.09
# Amplitude of a river's bends, as a share of the distance between two waypoints; and strengths of a
# single and a double bend, in turn, so that no two reaches look alike.
_SWAY = 0.055
_SWINGS = ((1.0, 0.5), (-1.0, 0.3), (0.8, -0.6), (-0.7, -0.5), (0.5, 0.9))
# Number of points of the line from one waypoint to the next, and number of smoothing passes.
_STEPS, _SMOOTHINGS = 6, 2
# Number of points of the line in one piece of its outline.
_PIECE = 7
_DISC_STEP_MM = 2.0
# Width of the ground around letters that would otherwise touch a line.
HALO_MM = 0.55
# Maximum distance from the centre of a hex at which water belongs to it, as a share of the hex:
# just beyond its corners.
_IN_HEX = 0.62

# Distance between a cost and its river.
_BESIDE_MM = 0.5


class Stretch(Frozen):
    """A river as drawn: points from source to mouth, and half its width at each, in mm."""

    points: tuple[Point, ...]
    halves: tuple[float, ...]


def stretches(plan: MapPlan) -> tuple[Stretch, ...]:
    """Return the lines of all rivers on the sheet, in their order."""
    ox, oy = plan.origin
    return tuple(
        Stretch(tuple((x + ox, y + oy) for x, y in line.points), line.halves)
        for line in network(plan.gamemap.rivers, plan.layout, plan.across_mm)
    )


@lru_cache(maxsize=32)
def network(rivers: tuple[River, ...], layout: Layout, across_mm: float) -> tuple[Stretch, ...]:
    """Return the lines of all rivers, with hex (0, 0) centred on (0, 0). Their widths depend on the
    length upstream. A river that ends at a waypoint of another flows into it there."""
    numbers = range(len(rivers))
    places = [[at.point(layout, across_mm) for at in river.course] for river in rivers]
    ways = [
        _off_edges(river.course, own, layout, across_mm)
        for river, own in zip(rivers, places, strict=True)
    ]
    # For each river: the river into which it flows and the index of the waypoint there, or None.
    mouths: list[tuple[int, int] | None] = []
    for number in numbers:
        end = spot(places[number][-1])
        meeting = (
            (other, index)
            for other in numbers
            if other != number
            for index, place in enumerate(places[other][:-1])
            if spot(place) == end
        )
        mouths.append(next(meeting, None))
    # For each river: the indices of the points of its line at its waypoints.
    stations: list[list[int]] = []
    for way in ways:
        steps = [0]
        for point in way[:-1]:
            steps.append(steps[-1] + _STEPS * (point is not None))
        stations.append(steps[::2])
    # Each river ends on the line of the one into which it flows, which must be computed first; of
    # rivers that flow into each other, the first ends where its course says.
    courses: dict[int, list[Point]] = {}
    while len(courses) < len(rivers):
        left = [number for number in numbers if number not in courses]
        ready = [
            number for number in left if (mouth := mouths[number]) is None or mouth[0] in courses
        ]
        for number in ready or left[:1]:
            mouth = mouths[number]
            if mouth is not None and mouth[0] in courses:
                other, index = mouth
                ways[number][-1] = courses[other][stations[other][index]]
            courses[number] = _smoothed([point for point in ways[number] if point is not None])
    runs = [_run(courses[number]) for number in numbers]
    side_mm = across_mm / 2 / COS_30
    scale = across_mm / DESIGN_MM
    beyond = [_is_on_edge(river.course[0]) for river in rivers]
    totals: dict[int, float] = {}

    def inflows(number: int) -> list[tuple[float, float]]:
        """Return, for each river that joins this one, the distance along this river and the amount
        of water."""
        return [
            (runs[number][stations[number][mouth[1]]], total(other))
            for other, mouth in enumerate(mouths)
            if mouth is not None and mouth[0] == number
        ]

    def total(number: int) -> float:
        """Return the total length upstream of a river's mouth, in mm."""
        if number not in totals:
            own = runs[number][-1]
            totals[number] = own  # two rivers that flow into each other count once
            more = (water for _, water in inflows(number))
            totals[number] = math.fsum((own, _FROM_BEYOND * side_mm * beyond[number], *more))
        return totals[number]

    lines: list[Stretch] = []
    for number in numbers:
        joining = inflows(number)
        halves: list[float] = []
        for at in runs[number]:
            added = (more * _ramp((at - where) / (_JOINING_MM * scale)) for where, more in joining)
            water = math.fsum((at, beyond[number] * _FROM_BEYOND * side_mm, *added)) / side_mm
            halves.append(min(_WIDEST_MM, _LEAST_MM * math.sqrt(1.0 + water)) * scale / 2)
        lines.append(Stretch(tuple(courses[number]), tuple(halves)))
    return tuple(lines)


def _ramp(share: float) -> float:
    """Return a smooth step from 0 to 1 (3t² - 2t³)."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def _run(points: Sequence[Point]) -> list[float]:
    """Return the distance of each point from the first, along the line, in mm."""
    run = [0.0]
    for one, other in pairwise(points):
        run.append(run[-1] + math.dist(one, other))
    return run


def _is_on_edge(waypoint: Waypoint) -> bool:
    return waypoint.towards is not None and waypoint.share == 1.0


def _off_edges(
    course: Sequence[Waypoint], places: Sequence[Point], layout: Layout, across_mm: float
) -> list[Point | None]:
    """Return the points of a course, moved off the edges that it runs along. Between two waypoints
    there is one more point if the course runs along an edge, otherwise None. Each stretch along
    edges is moved to one side, the inner side of its bends."""
    along = [
        len(set(one.touches(layout)) & set(other.touches(layout))) > 1
        for one, other in pairwise(course)
    ]
    way: list[Point | None] = [places[0]]
    for (a, b), by_edge in zip(pairwise(places), along, strict=True):
        way += [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) if by_edge else None, b]
    start = 0
    while start < len(along):
        end = start
        while end < len(along) and along[end]:
            end += 1
        if end > start:
            before, after = max(0, start - 1), min(len(places) - 1, end + 1)
            steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places[before : after + 1])]
            turns = math.fsum(measured(a[0] * b[1] - a[1] * b[0]) for a, b in pairwise(steps))
            by_mm = (-1.0 if measured(turns) < 0 else 1.0) * _ASIDE * across_mm
            stretch = [point for point in way[2 * start : 2 * end + 1] if point is not None]
            for index, (x, y) in enumerate(stretch):
                ax, ay = stretch[max(0, index - 1)]
                bx, by = stretch[min(len(stretch) - 1, index + 1)]
                far = math.hypot(bx - ax, by - ay)
                moved = (x - by_mm * (by - ay) / far, y + by_mm * (bx - ax) / far)
                way[2 * start + index] = moved
        start = max(end, start + 1)
    return way


def _smoothed(places: Sequence[Point]) -> list[Point]:
    """Return the line through points: soft curves, each with its own swing."""
    points = [places[0]]
    for index, (start, end) in enumerate(pairwise(places)):
        before, after = places[max(0, index - 1)], places[min(len(places) - 1, index + 2)]
        dx, dy = end[0] - start[0], end[1] - start[1]
        once, twice = _SWINGS[(index * 3 + len(places)) % len(_SWINGS)]
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            x, y = (_catmull_rom(before[k], start[k], end[k], after[k], t) for k in (0, 1))
            # The last factor keeps the waypoints themselves in place.
            bends = once * math.sin(math.pi * t) + twice * math.sin(2 * math.pi * t)
            swing = _SWAY * bends * math.sin(math.pi * t)
            points.append((x - dy * swing, y + dx * swing))
    for _ in range(_SMOOTHINGS):
        points[1:-1] = [
            ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
            for a, b, c in zip(points, points[1:], points[2:], strict=False)
        ]
    return points


def _catmull_rom(before: float, start: float, end: float, after: float, t: float) -> float:
    return 0.5 * (
        2 * start
        + (end - before) * t
        + (2 * before - 5 * start + 4 * end - after) * t * t
        + (3 * start - before - 3 * end + after) * t**3
    )


def river_items(
    plan: MapPlan,
    coast: Coast | None,
    banks: Mapping[tuple[Ink, Ink], Sequence[MapHex]],
    style: Style,
) -> tuple[Items, Items]:
    """Draw all rivers of the board, with the tint of some hexes along their `banks`; and,
    separately, the mouths, which open a `coast` by covering its line."""
    ended = [
        (line, None) if coast is None else _to_coast(line, coast, plan) for line in stretches(plan)
    ]
    if not ended:
        return (), ()
    lines = [line for line, _ in ended]
    scale = plan.across_mm / DESIGN_MM
    items: list[Item] = []
    if coast is not None and (outland := tuple(_outland_items(plan, coast, style))):
        items.append(Group(items=outland, clip=rectangle_path(*coast.frame)))
    courses = tuple(
        command for line in lines for command in polygon_path(line.points, closed=False)
    )
    for (ground, tint), hexes in banks.items():
        tints = []
        for width, strength in zip(_BANKS_MM, (_FAINT, 1.0), strict=True):
            faint = mix(ground, tint, strength)
            stroke = Stroke(ink=faint, width_mm=width * scale, cap="round", join="round")
            tints.append(Path(commands=courses, stroke=stroke))
        items.append(Group(items=tuple(tints), clip=plan.area(hexes)))
    # All banks are below all waters, so that rivers merge.
    items += (
        Path(commands=_ribbon(line, more_mm), fill=style.ink(ink), role=Role.WATER)
        for ink, more_mm in (("map.river.bank", _BANK_MM * scale), ("map.river", 0.0))
        for line in lines
    )
    known = plan.gamemap.by_coord
    if not all(place.at in known for river in plan.gamemap.rivers for place in river.course):
        items = [Group(items=tuple(items), clip=plan.area(plan.gamemap.hexes))]  # a single hex
    opened = tuple(
        Path(commands=_ribbon(mouth, 0.0), fill=style.ink("map.river"), role=Role.WATER)
        for _, mouth in ended
        if mouth is not None
    )
    return tuple(items), opened


def _outland(plan: MapPlan, coast: Coast) -> Iterator[Stretch]:
    """Yield rivers that enter or leave the board, on their way over the land beyond it."""
    known, scale = plan.gamemap.by_coord, plan.across_mm / DESIGN_MM
    for river, line in zip(plan.gamemap.rivers, stretches(plan), strict=True):
        for end, number in ((river.course[0], 0), (river.course[-1], -1)):
            if not _is_on_edge(end) or all(at in known for at in end.touches(plan.layout)):
                continue
            (bx, by), before = line.points[:2] if number == 0 else line.points[:-3:-1]
            far = math.dist((bx, by), before) or 1.0
            ux, uy = (bx - before[0]) / far, (by - before[1]) / far
            points = [before]
            for step in range(_OUTLAND_STEPS + 1):
                out = step * _OUTLAND_MM * scale
                bend = out * math.sin(step * 0.7) * _OUTLAND_BEND
                points.append((bx + ux * out - uy * bend, by + uy * out + ux * bend))
            if not any(map(coast.on_water, points[1:])):
                yield Stretch(tuple(points), (line.halves[number],) * len(points))


def outland_boxes(plan: MapPlan, coast: Coast) -> Iterator[Rect]:
    """Yield boxes over the rivers beyond the board."""
    for line in _outland(plan, coast):
        for (ax, ay), (bx, by) in pairwise(line.points[1:]):
            yield min(ax, bx), min(ay, by), abs(bx - ax), abs(by - ay)


def _outland_items(plan: MapPlan, coast: Coast, style: Style) -> Iterator[Item]:
    """Draw rivers beyond the board, in pieces that become paler."""
    ground, scale = style.ink("map.ground"), plan.across_mm / DESIGN_MM
    for line in _outland(plan, coast):
        for step in range(_OUTLAND_STEPS, 0, -1):
            piece = Stretch(line.points[step - 1 : step + 2], line.halves[:3])
            strength = 1.0 - (step - 0.5) / _OUTLAND_STEPS
            for ink, more_mm in (("map.river.bank", _BANK_MM * scale), ("map.river", 0.0)):
                fill = mix(ground, style.ink(ink), strength)
                yield Path(commands=_ribbon(piece, more_mm), fill=fill, role=Role.WATER)


def _to_coast(line: Stretch, coast: Coast, plan: MapPlan) -> tuple[Stretch, Stretch | None]:
    """Return a river, shortened or extended to the coast if it ends there, and its mouth."""
    scale = plan.across_mm / DESIGN_MM
    points, halves = [*line.points], [*line.halves]
    end = None
    if coast.on_water(points[-1]):
        while end is None and len(points) > 1:
            end = coast.crossing(points[-2], points[-1])
            points.pop()
            halves.pop()
    else:
        (ax, ay), (bx, by) = points[-2:]
        far = _COAST_MM * scale / (math.dist((ax, ay), (bx, by)) or 1.0)
        end = coast.crossing((bx, by), (bx + (bx - ax) * far, by + (by - ay) * far))
    if end is None or len(points) < 2:
        return line, None
    points.append(end)
    halves.append(halves[-1])
    run = _run(points)
    wide = tuple(
        half * (1 + (_FLARE - 1) * _ramp(1 - (run[-1] - at) / (_FLARE_MM * scale)))
        for half, at in zip(halves, run, strict=True)
    )
    (ax, ay), (bx, by) = points[-2:]
    far = math.dist((ax, ay), (bx, by)) or 1.0
    ux, uy = (bx - ax) / far, (by - ay) / far
    ends = [(bx + ux * out * scale, by + uy * out * scale) for out in (-_IN_MM, 0.0, _OUT_MM)]
    mouth = Stretch(tuple(ends), (wide[-1],) * 2 + (wide[-1] * _FLARE,))
    return Stretch((*points, ends[-1]), (*wide, wide[-1])), mouth


@lru_cache(maxsize=128)
def _ribbon(line: Stretch, more_mm: float) -> Commands:
    """Return the outline of a river, `more_mm` wider on each side."""
    left: list[Point] = []
    right: list[Point] = []
    last = len(line.points) - 1
    for index, ((x, y), half) in enumerate(zip(line.points, line.halves, strict=True)):
        ax, ay = line.points[max(0, index - 1)]
        bx, by = line.points[min(last, index + 1)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        side = (half + more_mm) / length
        left.append((x - (by - ay) * side, y + (bx - ax) * side))
        right.append((x + (by - ay) * side, y - (bx - ax) * side))
    down, up = smooth(left), smooth(right[::-1])
    commands: list[Command] = []
    # In overlapping pieces, so that a search for a point in a river examines few of them.
    for start in range(0, last, _PIECE - 1):
        end = min(last, start + _PIECE)
        commands += [("M", *left[start]), *down[start + 1 : end + 1], ("L", *right[end])]
        commands += [*up[last - end + 1 : last - start + 1], ("Z",)]
    return tuple(commands)


def river_sign(style: Style) -> Items:
    """Draw a piece of a river for the legend, centred on (0, 0)."""
    points = tuple((-5.5 + step * 1.1, 0.9 * math.sin(step * math.pi / 5)) for step in range(11))
    line = Stretch(points, tuple(0.22 + step * 0.05 for step in range(11)))
    return (
        Path(commands=_ribbon(line, _BANK_MM), fill=style.ink("map.river.bank")),
        Path(commands=_ribbon(line, 0.0), fill=style.ink("map.river")),
    )


@lru_cache(maxsize=32)
def watered(rivers: tuple[River, ...], layout: Layout) -> frozenset[Coord]:
    """Return the hexes on the courses of rivers: those that a river runs through, and both hexes of
    an edge that it follows."""
    places: set[Coord] = set()
    for river in rivers:
        for one, other in pairwise(river.course):
            shared = set(one.touches(layout)) & set(other.touches(layout))
            places |= shared or {one.at, other.at}
    return frozenset(places)


def wet_discs(plan: MapPlan) -> Mapping[Coord, tuple[Disc, ...]]:
    """Return, for each hex with water, the circles that cover its rivers, relative to its middle,
    in mm."""
    return _wet(plan.gamemap.rivers, plan.layout, plan.across_mm)


@lru_cache(maxsize=32)
def _wet(
    rivers: tuple[River, ...], layout: Layout, across_mm: float
) -> dict[Coord, tuple[Disc, ...]]:
    discs = []
    for line in network(rivers, layout, across_mm):
        for (one, other), half in zip(pairwise(line.points), line.halves[1:], strict=True):
            steps = math.ceil(measured(math.dist(one, other) / _DISC_STEP_MM))
            for step in range(steps):
                discs.append((*between(one, other, step / steps), half + _BANK_MM))
    discs_at = {}
    for at in watered(rivers, layout):
        x, y = centre_mm(at, layout, across_mm)
        discs_at[at] = tuple(
            (round(measured(dx - x), 2), round(measured(dy - y), 2), radius)
            for dx, dy, radius in discs
            if math.hypot(dx - x, dy - y) < _IN_HEX * across_mm
        )
    return discs_at


# Cached, as an edit changes few hexes.
@lru_cache(maxsize=1536)
def halo_items(drawn: Drawn, wet: tuple[Disc, ...], across_mm: float, ink: Ink) -> Items:
    """Draw the ground of a hex around those of its words that found no room beside a river. The
    words are `drawn` relative to the hex's middle; `wet` covers the river."""
    scene = Scene(key="words", width_mm=across_mm, height_mm=across_mm, items=drawn.items)
    shapes, texts = flatten_scene(scene)
    halos: list[Item] = []
    for text, near in zip(texts, close_by(shapes, texts), strict=True):
        left, top, right, bottom = text.bounds
        in_water = any(
            math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom))
            < radius + _BESIDE_MM
            for x, y, radius in wet
        )
        if in_water and -1 in beneath(text, near).grounds:
            # The run has coordinates of its group; the corners on the sheet give the offset.
            (x, y), (own_x, own_y) = text.corners[0], run_corners(text.run)[0]
            run = replace(text.run, x=text.run.x + x - own_x, y=text.run.y + y - own_y)
            halos.append(halo_path(run, ink, HALO_MM))
    return tuple(halos)


def fords(gamemap: GameMap, hexagon: MapHex) -> tuple[Terrain, ...]:
    """Return the terrain of a hex that is shown by the river through it, and by a sign only if it
    costs something."""
    crossed = tuple(
        terrain
        for terrain in hexagon.tile.terrain
        if terrain.kinds and RIVER_KINDS.issuperset(terrain.kinds)
    )
    return crossed if crossed and hexagon.at in watered(gamemap.rivers, gamemap.layout) else ()
