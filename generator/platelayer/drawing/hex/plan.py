"""Stops and track of a hex: where they are and how they are drawn, in mm from the centre."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import product

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Curve, Disc, arc_from, crossing, join, line
from platelayer.drawing.hex.terrain import peak_items
from platelayer.drawing.kit.style import Style
from platelayer.foundation.choice import choose
from platelayer.foundation.geometry import direction, measured
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import EDGES, Layout, edge_angle, edge_point
from platelayer.model.tile import (
    HEX_MM,
    JUNCTION,
    WITH_SLOTS,
    End,
    EndKind,
    Gauge,
    Lane,
    Position,
    Segment,
    Stop,
    StopKind,
    Terminal,
    Tile,
    slot_share,
)
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Circle,
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    shifted,
)
from platelayer.scene.typeset import TypeStyle, set_centred, text_width

# Marks: the shapes of stops. Sizes are shares of the width of the hex, flat to flat; those of slots
# are in `model/tile.py`.

# Width of the white border of a city around its slots.
BOX = 0.018
# Dots and bars of towns, and the width of their white rim.
DOT_RADIUS, BAR_LENGTH, BAR_WIDTH = 0.06, 0.175, 0.052
MARK_RIM = 0.011
# Radii of halts, and of boomtowns, which have a dashed ring about as wide as the slot that may
# replace them.
HALT_RADIUS, BOOM_RADIUS = 0.068, 0.125

# Size of a pass whose mountain is small and below its slots; with any other size, or none, the
# mountain is large and around them.
SMALL_PASS = 1
# A small mountain: its distance from the slots, its height and half its width, in slot radii.
_SMALL_ROCK = (0.0, 1.05, 0.95)
# A large mountain around one slot: the radius of its inscribed circle, in slot radii.
_LARGE_ROCK = 1.14
# A large mountain around several slots: its rise above the centre of the highest slot, and its
# reach beyond them, in slot radii.
_BLUNT_ROCK = (1.6, 0.35)
# A small and a large mountain beside track: heights in slot radii, and half the width as a share of
# the height; number of directions that are tried, and distances from the stop.
_BESIDE_ROCK, _BESIDE_HALF = (0.85, 1.3), 0.66
_BESIDE_TURNS, _BESIDE_AWAY = 24, (0.2, 0.24, 0.28, 0.32, 0.36, 0.4)

Triangle = tuple[Point, Point, Point]


class Mark(Frozen):
    """The shape of one stop, in mm from the centre of the hex. `angle` (radians) is the direction
    of a bar, or of a city's row of slots. `slots` are the centres of its slots, `slot_mm` their
    diameter; `bar` says whether a town is a bar or a dot. `bulk` are circles (x, y, r) that it
    covers. `rock` is the mountain of a pass: its top and its feet."""

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
        """The centre of the stop."""
        return self.x, self.y


@cache
def cluster(slots: int) -> tuple[Point, ...]:
    """Return the centres of `slots` touching circles of diameter 1, compactly arranged around (0,
    0); two lie on the x axis."""
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
    bare: bool = False,
) -> Mark:
    """Return a city or pass with its slots in a row along `angle` (two), a triangle, a square ...;
    a pass has a `size`, or is drawn `bare`, without its mountain."""
    cos, sin = math.cos(angle), math.sin(angle)
    centres = tuple(
        (at[0] + (x * cos - y * sin) * slot_mm, at[1] + (x * sin + y * cos) * slot_mm)
        for x, y in cluster(slots)
    )
    radius = slot_mm / 2
    pad = BOX * across_mm if slots > 1 else 0.0
    reach = radius + pad
    bulk = [(x, y, reach) for x, y in centres]
    if slots > 1:
        bulk.append((*at, reach))
        # Follow the straight sides between neighbouring corners of the box.
        hull = _convex_hull(centres)
        for k, (bx, by) in enumerate(hull):
            ax, ay = hull[k - 1]
            bulk += ((ax + (bx - ax) * t, ay + (by - ay) * t, reach) for t in (0.25, 0.5, 0.75))
    mark = Mark(index, kind, at[0], at[1], angle, centres, slot_mm, False, tuple(bulk))
    if bare or kind is not StopKind.PASS:
        return mark
    x, heights = at[0], [y for _, y in centres]
    if size == SMALL_PASS:
        gap, tall, half = (share * slot_mm / 2 for share in _SMALL_ROCK)
        top = max(heights) + radius + pad + gap
        base = top + tall
    else:
        within = _LARGE_ROCK * radius + pad
        rise, spread = (share * radius for share in _BLUNT_ROCK)
        if slots == 1:  # an equilateral triangle around a circle
            rise, spread = 2 * within, math.sqrt(3) * within - radius
        half = max(abs(slot - x) for slot, _ in centres) + radius + spread
        top, base = min(heights) - rise, max(heights) + within
    rock = ((x, top), (x - half, base), (x + half, base))
    return replace(mark, bulk=(*mark.bulk, *_triangle_bulk(rock)), rock=rock)


def _triangle_bulk(corners: Triangle) -> list[Disc]:
    """Return circles that fill a triangle: the inscribed one, and ever smaller ones towards each
    corner."""
    # The incentre is the mean of the corners, weighted by the opposite sides; the inradius is twice
    # the area divided by the perimeter.
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


def town_mark(
    index: int,
    kind: StopKind,
    *,
    at: Point,
    angle: float,
    bar: bool,
    across_mm: float,
    double: bool = False,
) -> Mark:
    """Return a town: a bar along `angle` (across its track), or a dot; or two of these side by
    side."""
    x, y = at
    if double:
        mark = town_mark(index, kind, at=at, angle=angle, bar=bar, across_mm=across_mm)
        (ax, ay), (bx, by) = _double(angle, across_mm, bar=bar)
        beside = [((x + ax, y + ay, r), (x + bx, y + by, r)) for x, y, r in mark.bulk]
        return replace(mark, bulk=tuple(disc for pair in beside for disc in pair))
    if not bar:
        radius = (DOT_RADIUS + MARK_RIM) * across_mm
        return Mark(index, kind, x, y, angle, (), 0.0, False, ((x, y, radius),))
    half = (BAR_WIDTH / 2 + MARK_RIM) * across_mm
    reach = BAR_LENGTH / 2 * across_mm + MARK_RIM * across_mm - half
    dx, dy = reach * math.cos(angle), reach * math.sin(angle)
    steps = (-1.0, -0.5, 0.0, 0.5, 1.0)
    bulk = tuple((x + dx * k, y + dy * k, half * 1.15) for k in steps)
    return Mark(index, kind, x, y, angle, (), 0.0, True, bulk)


def _double(angle: float, across_mm: float, *, bar: bool) -> tuple[Point, Point]:
    """Return the places of two towns along their track, at right angles to a bar along `angle`."""
    apart = (BAR_WIDTH if bar else DOT_RADIUS) * across_mm
    x, y = -math.sin(angle) * apart, math.cos(angle) * apart
    return (x, y), (-x, -y)


def ring_mark(index: int, kind: StopKind, *, at: Point, boom: bool, across_mm: float) -> Mark:
    """Return a halt, or a boomtown: a ring, whatever track leads to it."""
    radius = (BOOM_RADIUS if boom else HALT_RADIUS) * across_mm
    return Mark(index, kind, *at, 0.0, (), 0.0, False, ((*at, radius),))


def rounded_hull(centres: tuple[Point, ...], radius: float) -> Commands:
    """Return the outline of a rubber band around circles of one radius: a circle, a capsule, a
    rounded triangle, square ..."""
    hull = _convex_hull(centres)
    if len(hull) == 1:
        hull = (hull[0], hull[0])
    angles = []
    for k, (ax, ay) in enumerate(hull):
        bx, by = hull[(k + 1) % len(hull)]
        flat = math.pi * k if (ax, ay) == (bx, by) else math.atan2(by - ay, bx - ax)
        angles.append(flat - math.pi / 2)
    commands: list[Command] = []
    for k, (x, y) in enumerate(hull):
        start, end = angles[k - 1], angles[k]
        while end <= start + 1e-9:
            end += 2 * math.pi
        begin = (x + radius * math.cos(start), y + radius * math.sin(start))
        commands.append(("L" if commands else "M", *begin))
        commands += arc_commands(x, y, radius, start, end)
    commands.append(("Z",))
    return tuple(commands)


def arc_commands(cx: float, cy: float, radius: float, start: float, end: float) -> list[Command]:
    """Return cubic curves along a circle between two angles (radians, growing clockwise), each at
    most a quarter: with handles of 4/3 tan(angle / 4) radii they deviate from the circle by less
    than 0.03 %."""
    count = max(1, math.ceil(abs(end - start) / (math.pi / 2) - 1e-9))
    step = (end - start) / count
    handle = 4 / 3 * math.tan(step / 4) * radius
    commands: list[Command] = []
    for k in range(count):
        a, b = start + k * step, start + (k + 1) * step
        ax, ay, bx, by = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
        leave = (cx + radius * ax - handle * ay, cy + radius * ay + handle * ax)
        arrive = (cx + radius * bx + handle * by, cy + radius * by - handle * bx)
        commands.append(("C", *leave, *arrive, cx + radius * bx, cy + radius * by))
    return commands


def _convex_hull(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the corners of the hull, in an order that keeps the outside on the left (y down):
    Andrew's monotone chain (Information Processing Letters 9, 1979)."""
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


# The plan: positions of all stops and track. Distances are shares of the hex.

# Width of track, 2.1 mm on 38.1 mm; and the distance between the centre lines of parallel lanes.
TRACK_WIDTH, _LANE_PITCH = 0.0551, 0.078
# Length of the track of an off-board, measured inwards from the edge.
_TAPER = 0.23

# An edge, and the lane in which track crosses it.
_Exit = tuple[int, Lane | None]


class _Site(Frozen):
    """Everything that placement needs to know about a stop: kind, slots, hint, whether it is drawn,
    whether it is a boomtown, the size of a pass, whether it is a double town."""

    kind: StopKind
    slots: int
    at: Position | None
    drawn: bool
    boom: bool = False
    size: int | None = None
    double: bool = False


# Cost of a place, its position in mm, and the direction of track there if it is known.
_Spot = tuple[float, Point, float | None]

# Parameters along the arc between two edges, beginning in the middle.
_ON_ARC = (0.5, 0.44, 0.56, 0.38, 0.62, 0.33, 0.67, 0.28, 0.72, 0.24, 0.76)
# With more stops than this in a hex, they form a ring, wherever their track leads.
_MANY = 9
# Distance from the centre to the middle of the sharpest curve: 1 / (2 sqrt(3)).
_SHARP = 0.2887
# Minimum distances of stops from each other and from foreign track, and from the rim; and the
# distance from foreign track from which they no longer look cramped.
_GAP, _RIM_GAP, _AIRY = 0.028, 0.03, 0.09
# Costs, per share of the hex, of an overlap of a stop and of a distance below `_AIRY`.
_OVERLAP_COST, _NEAR_COST = 100.0, 16.0
# Slots shrink until stops overlap by less than the first number, but not below the second share of
# their width.
_TOLERANCE, _LEAST_SLOT = 0.012, 0.7
# Distance between points along track from which clearances are measured.
_SAMPLE = 0.06
# Cost of two parallel rows of slots.
_SIDE_COST = 1.0

_EDGE_WAYS = {
    layout: tuple(direction(edge_angle(edge, layout)) for edge in EDGES) for layout in Layout
}


class _Option(Frozen, cache_hash=True):
    """A place for a stop: its cost, the mark there, and points along its own track."""

    cost: float
    mark: Mark
    track: tuple[Point, ...]


Marks = tuple[Mark | None, ...]


class Plan(Frozen):
    """Marks by stop (None: not drawn) and curves by segment, from its end `a` to its end `b`."""

    marks: Marks
    curves: tuple[Curve, ...]


def plan_hex(tile: Tile, layout: Layout, across_mm: float) -> Plan:
    """Return the places of all stops and track of a tile or map hex `across_mm` from flat to
    flat."""
    sites = []
    for stop in tile.stops:
        # Off-boards have no position: a table shows them.
        drawn = not (stop.hidden or stop.kind is StopKind.OFFBOARD)
        slots = max(1, stop.slots) if stop.kind in WITH_SLOTS else 0
        sites.append(_Site(stop.kind, slots, stop.at, drawn, stop.boom, stop.size, stop.double))
    slots_of = (slot_share(tile), bool(tile.slot_mm))
    return _plan(tuple(sites), tile.track, layout, across_mm, slots_of)


def drawn_slot_mm(tile: Tile, layout: Layout, across_mm: float) -> float:
    """Return the width of the slots of a hex as drawn; 0 if it has none."""
    return max(
        (mark.slot_mm for mark in plan_hex(tile, layout, across_mm).marks if mark is not None),
        default=0.0,
    )


@lru_cache(2048)
def _plan(
    sites: tuple[_Site, ...],
    track: tuple[Segment, ...],
    layout: Layout,
    across_mm: float,
    slots: tuple[float, bool],
) -> Plan:
    share, stated = slots
    ways = _Ways(sites, track, layout, across_mm)
    # Marks of all stops at the places with the lowest total cost (None: not drawn). Slots become
    # narrower if necessary, unless their width is stated.
    full_mm = slot_mm = share * across_mm
    may_shrink = not stated and any(ways.sites[index].slots for index in ways.drawn)
    rooms = _Rooms(ways)
    picked: tuple[_Option, ...] = ()
    while ways.drawn:
        picked = _best(rooms, [_options(ways, index, slot_mm) for index in ways.drawn])
        too_small = slot_mm < full_mm * _LEAST_SLOT
        if not may_shrink or too_small or rooms.overlap(picked) < _TOLERANCE:
            break
        slot_mm *= 0.95
    chosen = {option.mark.index: option.mark for option in picked}
    marks = tuple(chosen.get(index) for index in range(len(ways.sites)))
    curves = tuple(_curve(ways, segment, marks) for segment in track)
    marks = tuple(
        _beside_track(rooms, mark, curves)
        if mark is not None and mark.kind is StopKind.PASS and mark.rock is None
        else mark
        for mark in marks
    )
    return Plan(marks, curves)


def _beside_track(rooms: _Rooms, mark: Mark, curves: Sequence[Curve]) -> Mark:
    """Return a pass with its whole mountain beside the track: where it fits, or mostly fits, near
    the stop and low rather than high."""
    across, small = rooms.ways.across, rooms.ways.sites[mark.index].size == SMALL_PASS
    tall = _BESIDE_ROCK[0 if small else 1] * mark.slot_mm / 2
    points = [point for curve in curves for point in curve.points(_SAMPLE * across)]
    best = (-math.inf, 0.0, 0.0, mark)
    for turn, away in product(range(_BESIDE_TURNS), _BESIDE_AWAY):
        cos, sin = direction(2 * math.pi * turn / _BESIDE_TURNS)
        x, y = mark.x + away * across * cos, mark.y + away * across * sin
        top, base, half = y - tall / 2, y + tall / 2, _BESIDE_HALF * tall
        rock = ((x, top), (x - half, base), (x + half, base))
        bulk = tuple(_triangle_bulk(rock))
        free = min(
            rooms.between(bulk, mark.bulk),
            rooms.to_track(bulk, points),
            rooms.to_rim(replace(mark, bulk=bulk)),
        )
        placed = replace(mark, bulk=(*mark.bulk, *bulk), rock=rock)
        best = max(best, (min(free, _GAP), -away, y, placed), key=lambda each: each[:3])
    return best[3]


def _curve(ways: _Ways, segment: Segment, marks: Marks) -> Curve:
    """Return the curve of one segment once the stops have their places."""
    one, two = segment.lanes or (None, None)
    a, b = segment.ends
    if a.kind is EndKind.EDGE and b.kind is EndKind.EDGE:
        return ways.arc((a.index, one), (b.index, two))

    def mark_at(end: End) -> Mark | None:
        return marks[end.index] if end.kind is EndKind.STOP and end.index < len(marks) else None

    if EndKind.EDGE in (a.kind, b.kind):
        way, to = ((a.index, one), b) if a.kind is EndKind.EDGE else ((b.index, two), a)
        mark = mark_at(to)
        if segment.terminal is Terminal.SHORT or (mark is None and to.kind is EndKind.STOP):
            (x, y), (dx, dy) = ways.edge(way)
            reach = _TAPER * ways.across
            curve = line((x, y), (x + dx * reach, y + dy * reach))
        else:
            curve = ways.approach(way, mark.centre if mark else (0.0, 0.0))
        return curve if a.kind is EndKind.EDGE else curve.reversed()
    # From stop to stop the line is straight, except through the bars of towns, where it follows
    # their track.
    ends = [mark_at(a), mark_at(b)]
    p, q = (mark.centre if mark else (0.0, 0.0) for mark in ends)
    chord = math.atan2(q[1] - p[1], q[0] - p[0])
    headings = []
    for mark in ends:
        heading = chord
        if mark is not None and mark.bar:
            heading = mark.angle + math.pi / 2
            heading += 0.0 if measured(math.cos(heading - chord)) >= 0 else math.pi
        headings.append(heading)
    leave, arrive = headings
    if leave == arrive and math.cos(leave - chord) > 1 - 1e-9:
        return line(p, q)
    return join(p, direction(leave), q, direction(arrive))


def _options(ways: _Ways, index: int, slot_mm: float) -> list[_Option]:
    site, exits, across = ways.sites[index], ways.exits[index], ways.across

    def track(at: Point) -> tuple[Point, ...]:
        curves = (ways.approach(way, at) for way in exits)
        return tuple(point for curve in curves for point in curve.points(_SAMPLE * across))

    options = []
    for cost, at, heading in _spots(ways, index):
        mark = _mark(ways, index, at, heading, slot_mm)
        options.append(_Option(cost, mark, track(at) if len(ways.drawn) > 1 else ()))
    if len(ways.drawn) == 2 and all(ways.sites[other].slots == 2 for other in ways.drawn):
        # Two cities of two slots each fill the hex: they only fit as two parallel rows on either
        # side of the centre, in any direction.
        off = slot_mm / 2 + (BOX + _GAP / 2) * across
        for k in range(12):
            turn = math.radians(30 * k)
            at = (off * math.cos(turn), off * math.sin(turn))
            angle = turn + math.pi / 2
            mark = city_mark(
                index, site.kind, 2, at=at, angle=angle, slot_mm=slot_mm, across_mm=across
            )
            options.append(_Option(_SIDE_COST, mark, track(at)))
    return options


def _mark(ways: _Ways, index: int, at: Point, heading: float | None, slot_mm: float) -> Mark:
    site, kind, across = ways.sites[index], ways.sites[index].kind, ways.across
    if site.slots:
        slanting = site.slots == 2 and kind is not StopKind.PASS
        return city_mark(
            index,
            kind,
            site.slots,
            at=at,
            angle=_row_angle(ways, index, at) if slanting else 0.0,
            slot_mm=slot_mm,
            across_mm=across,
            size=site.size,
            bare=bool(ways.exits[index]),
        )
    if site.boom or kind is StopKind.HALT:
        return ring_mark(index, kind, at=at, boom=site.boom, across_mm=across)
    through = len(ways.exits[index]) + len(ways.links[index]) == 2
    if heading is None and through:
        # Direction of a stop between its two tracks, in radians: half-way between that of one as it
        # arrives and that of the other as it leaves.
        headings = [ways.approach(way, at).heading(1.0) for way in ways.exits[index]]
        for link in ways.links[index]:
            hint = ways.hint(link)
            x, y = ways.towards(hint.edge, (hint.distance or 0.577) / 2) if hint else (0.0, 0.0)
            headings.append(math.atan2(at[1] - y, at[0] - x))
        one, other = headings
        dx, dy = math.cos(one) - math.cos(other), math.sin(one) - math.sin(other)
        heading = math.atan2(dy, dx) if math.hypot(dx, dy) > 1e-6 else one
    angle = (heading or 0.0) + math.pi / 2
    return town_mark(
        index, kind, at=at, angle=angle, bar=through, across_mm=across, double=site.double
    )


def _best(rooms: _Rooms, options: list[list[_Option]]) -> tuple[_Option, ...]:
    """Return one option for each stop, with the least total cost."""
    rows = [
        sorted(
            ((measured(option.cost + rooms.alone_cost(option)), option) for option in choices),
            key=lambda entry: entry[0],
        )
        for choices in options
    ]
    return choose(rows, cache(rooms.pair_cost)).places


class _Rooms:
    """Distances between marks, track and rim of one hex, as shares of the hex."""

    def __init__(self, ways: _Ways) -> None:
        self.ways = ways
        self.passing = [
            point for curve in ways.passing() for point in curve.points(_SAMPLE * ways.across)
        ]

    def alone_cost(self, option: _Option) -> float:
        """Return the cost of a place given everything with a fixed place."""
        return _OVERLAP_COST * max(0.0, _RIM_GAP - self.to_rim(option.mark)) + _near(
            self.to_track(option.mark.bulk, self.passing)
        )

    def pair_cost(self, one: _Option, other: _Option) -> float:
        """Return the cost of two places side by side."""
        mine, theirs = one.mark.bulk, other.mark.bulk
        cost = 2 * _OVERLAP_COST * max(0.0, _GAP - self.between(mine, theirs))
        if self._apart(one, other):
            cost += _near(self.to_track(mine, other.track))
            cost += _near(self.to_track(theirs, one.track))
        return measured(cost)

    def overlap(self, picked: tuple[_Option, ...]) -> float:
        """Return the maximum by which places fall short of their required distances."""
        worst = [_GAP - self.to_track(option.mark.bulk, self.passing) for option in picked]
        worst += [_RIM_GAP - self.to_rim(option.mark) for option in picked]
        for i, one in enumerate(picked):
            worst += [_GAP - self.between(one.mark.bulk, other.mark.bulk) for other in picked[:i]]
            worst += [
                _GAP - self.to_track(one.mark.bulk, other.track)
                for other in picked
                if self._apart(one, other)
            ]
        return max(worst)

    def _apart(self, one: _Option, other: _Option) -> bool:
        linked = End(EndKind.STOP, other.mark.index) in self.ways.links[one.mark.index]
        return one is not other and not linked

    def to_rim(self, mark: Mark) -> float:
        """Return the distance from a mark to the nearest edge."""
        edges = _EDGE_WAYS[self.ways.layout]
        reach = max(x * wx + y * wy + r for x, y, r in mark.bulk for wx, wy in edges)
        return 0.5 - reach / self.ways.across

    def between(self, one: Sequence[Disc], other: Sequence[Disc]) -> float:
        """Return the distance between the shapes of two marks."""
        room = min([math.hypot(a - x, b - y) - r - q for a, b, r in one for x, y, q in other])
        return room / self.ways.across

    def to_track(self, bulk: Sequence[Disc], points: Sequence[Point]) -> float:
        """Return the distance from the shape of a mark to track."""
        if not points:
            return 1.0
        # Skip the exact computation for distant track, which is most of it.
        cx, cy, _ = bulk[0]
        reach = max([math.hypot(x - cx, y - cy) + r for x, y, r in bulk])
        room = min([math.hypot(a - cx, b - cy) for a, b in points]) - reach
        if room / self.ways.across - TRACK_WIDTH / 2 >= _AIRY:
            return 1.0
        room = min([math.hypot(a - x, b - y) - r for a, b in points for x, y, r in bulk])
        return room / self.ways.across - TRACK_WIDTH / 2


def _near(room: float) -> float:
    return _OVERLAP_COST * max(0.0, _GAP - room) + _NEAR_COST * max(0.0, _AIRY - room)


def _spots(ways: _Ways, index: int) -> list[_Spot]:
    """Return places for one stop: where its hint says, otherwise where its track leads. A single
    stop is in the centre, unless it is a town on a curve."""
    site, exits, links = ways.sites[index], ways.exits[index], ways.links[index]
    across = ways.across
    if site.at is not None:
        edge, distance = site.at.edge, site.at.distance
        if distance is not None:
            return [(0.0, ways.towards(edge, distance / 2), None)]
        # Without a given distance use that of the sharpest curve, or a larger one for a town whose
        # track leads on to a stop in the centre.
        hints = [ways.hint(link) for link in links]
        joined = any(hint is not None and hint.distance == 0 for hint in hints)
        best = 0.37 if joined and not site.slots else _SHARP
        shifts = (0.0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06)
        return [(abs(shift) * 5, ways.towards(edge, best + shift), None) for shift in shifts]
    alone, idle = len(ways.drawn) == 1, [k for k in ways.drawn if ways.sites[k].at is None]
    if len(ways.drawn) > _MANY:
        return [_fixed(ways, idle.index(index), len(idle))]
    if len(exits) == 2 and not links and (not alone or not site.slots):
        # Along the arc between two edges; for a city with several slots, slightly inside of it.
        arc = ways.arc(*exits)
        x, y = arc.at(0.5)
        inward = site.slots > 1 and math.hypot(x, y) > 0.1 * across
        spots: list[_Spot] = []
        for t in _ON_ARC:
            spots.append((abs(t - 0.5) * 4 + (0.4 if inward else 0.0), arc.at(t), arc.heading(t)))
        if inward:
            spots += [(abs(k - 0.86) * 2, (x * k, y * k), None) for k in (0.93, 0.86, 0.8)]
        return spots
    if alone and not ways.passing():
        return [(0.0, (0.0, 0.0), None)]
    if len(exits) == 1:
        edge = exits[0][0]
        partner = _partner(ways, index)
        if partner is not None:
            arc = ways.arc(exits[0], ways.exits[partner][0])
            shares = (0.32, 0.28, 0.36, 0.24)
            return [(abs(t - 0.32) * 4, arc.at(t), arc.heading(t)) for t in shares]
        if len(links) == 1 and not site.slots:
            heading = ways.angle(edge)
            distances = (0.32, 0.34, 0.36, 0.3, 0.28)
            return [(abs(d - 0.32) * 3, ways.towards(edge, d), heading) for d in distances]
        best = 0.255 if site.slots else 0.24
        away = (best, 0.28, 0.3, 0.23, 0.2, 0.17)
        spots = [(abs(d - best) * 6, ways.towards(edge, d), None) for d in away]
        for turn in (0.25, -0.25, 0.5, -0.5):
            spots += [(1.4 + abs(turn), ways.towards(edge + turn, d), None) for d in (0.3, 0.25)]
        return spots
    if exits:
        # The centre, and places off it towards the middle of the exits.
        leads = [ways.angle(edge) for edge, _ in exits]
        x, y = math.fsum(map(math.cos, leads)), math.fsum(map(math.sin, leads))
        leaning = math.hypot(x, y) > 0.1
        first = math.atan2(y, x) if leaning else 0.0
        spots = [(0.0, (0.0, 0.0), None)]
        for degrees in (0, 30, -30) if leaning else range(0, 360, 30):
            way = first + math.radians(degrees)
            for d in (0.06, 0.1, 0.14, 0.18, 0.22, 0.26):
                cost = d * 1.5 + (0.4 if degrees and leaning else 0.0)
                spots.append((cost, (math.cos(way) * d * across, math.sin(way) * d * across), None))
        return spots
    if any(ways.exits[k] for k in ways.drawn) or ways.passing():
        # Clear of the track of others: the centre, otherwise a ring.
        spots = [(0.3, (0.0, 0.0), None)]
        for k in range(12):
            spots += [(abs(d - 0.28) * 4, ways.towards(k / 2, d), None) for d in (0.28, 0.32, 0.24)]
        return spots
    return [_fixed(ways, idle.index(index), len(idle))]


def _fixed(ways: _Ways, number: int, count: int) -> _Spot:
    """Return the place of one of several stops without track: side by side or around the centre."""
    if count < 3:
        reach = (
            (count - 1) * (0.2 if any(site.slots for site in ways.sites) else 0.15) * ways.across
        )
        return 0.0, (-reach if number == 0 else reach, 0.0), None
    radius = {3: 0.215, 4: 0.24}.get(count, 0.335) * ways.across
    turn = -math.pi * (0.75 if count == 4 else 0.5) + 2 * math.pi * number / count
    return 0.0, (radius * math.cos(turn), radius * math.sin(turn)), None


def _row_angle(ways: _Ways, index: int, at: Point) -> float:
    """Return the direction of a row of two slots: across its track, and tangential when off the
    hex's centre."""
    if math.hypot(*at) > 0.05 * ways.across:
        return math.atan2(at[1], at[0]) + math.pi / 2
    leads = [ways.angle(edge) for edge, _ in ways.exits[index]]
    hints = [ways.hint(link) for link in ways.links[index]]
    leads += [ways.angle(hint.edge) for hint in hints if hint is not None]
    turns = [math.radians(30 * k) for k in range(6)]
    # Of two equally good rows, prefer the more horizontal one.
    slant = (0, 1, 2, 3, 2, 1)
    along = (math.fsum(math.cos(turn - way) ** 2 for way in leads) for turn in turns)
    costs = [measured(cost + 0.01 * slant[k]) for k, cost in enumerate(along)]
    return turns[min(range(6), key=costs.__getitem__)]


def _partner(ways: _Ways, index: int) -> int | None:
    """Return the town that shares a run of track from edge to edge with this one (tile 71)."""
    links = ways.links[index]
    if len(links) != 1 or links[0].kind is not EndKind.STOP or links[0].index >= len(ways.sites):
        return None
    other = links[0].index
    towns = all(not ways.sites[k].slots and ways.sites[k].drawn for k in (index, other))
    single = all(len(ways.exits[k]) == 1 and len(ways.links[k]) == 1 for k in (index, other))
    chained = towns and single and End(EndKind.STOP, index) in ways.links[other]
    return other if chained and ways.exits[index] != ways.exits[other] else None


class _Ways:
    """The stops of one hex and the track that leads to them. `exits` and `links` use the index of
    the stop; a link is another stop or the junction."""

    def __init__(
        self, sites: tuple[_Site, ...], track: tuple[Segment, ...], layout: Layout, across_mm: float
    ) -> None:
        self.sites, self.track, self.layout, self.across = sites, track, layout, across_mm
        self.drawn = tuple(index for index, site in enumerate(sites) if site.drawn)
        exits: list[dict[_Exit, None]] = [{} for _ in sites]
        links: list[dict[End, None]] = [{} for _ in sites]
        for segment in track:
            lanes = segment.lanes or (None, None)
            for end, other, lane in (
                (segment.a, segment.b, lanes[1]),
                (segment.b, segment.a, lanes[0]),
            ):
                if end.kind is not EndKind.STOP or end.index >= len(sites):
                    continue
                if other.kind is EndKind.EDGE:
                    exits[end.index][other.index, lane] = None
                else:
                    links[end.index][other] = None
        self.exits = tuple(map(tuple, exits))
        self.links = tuple(map(tuple, links))

    def edge(self, way: _Exit) -> tuple[Point, Point]:
        """Return the point where an exit crosses its edge, and the unit vector leading in. Lanes
        count anticlockwise: on the right edge of a pointy hex, lane 0 is the lowest."""
        number, lane = way
        cos, sin = direction(edge_angle(number, self.layout))
        x, y = self.across / 2 * cos, self.across / 2 * sin
        if lane is not None and lane.width > 1:
            pitch = min(_LANE_PITCH, 0.5 / lane.width) * self.across
            off = (lane.index - (lane.width - 1) / 2) * pitch
            x, y = x + off * sin, y - off * cos
        return (x, y), (-cos, -sin)

    def arc(self, one: _Exit, other: _Exit) -> Curve:
        """Return track from edge to edge."""
        (start, leave), (end, back) = self.edge(one), self.edge(other)
        return join(start, leave, end, (-back[0], -back[1]))

    def approach(self, way: _Exit, to: Point) -> Curve:
        """Return track from an edge to a place."""
        return arc_from(*self.edge(way), to)

    def towards(self, edge: float, distance: float) -> Point:
        """Return the point towards an edge, with `distance` as a share of the hex."""
        return edge_point(edge, self.layout, distance * self.across)

    def angle(self, edge: float) -> float:
        """Return the direction of an edge in radians."""
        return edge_angle(edge, self.layout)

    def passing(self) -> tuple[Curve, ...]:
        """Return track that leads to no stop."""
        curves = []
        for segment in self.track:
            a, b = segment.ends
            if a.kind is EndKind.EDGE and b.kind is EndKind.EDGE:
                one, two = segment.lanes or (None, None)
                curves.append(self.arc((a.index, one), (b.index, two)))
                continue
            for end, other in ((a, b), (b, a)):
                if end.kind is EndKind.EDGE and other.kind is EndKind.JUNCTION:
                    curves.append(self.approach((end.index, None), (0.0, 0.0)))
        return tuple(curves)

    def hint(self, link: End) -> Position | None:
        """Return the hint of a linked stop."""
        known = link.kind is EndKind.STOP and link.index < len(self.sites)
        return self.sites[link.index].at if known else None


# Drawing of stops.

# Number of dashes in the ring of a boomtown.
_BOOM_DASHES = 12
# Number of pass sizes that mountains distinguish: small and large.
_SHOWN_SIZES = 2


def stop_ground_items(stop: Stop, mark: Mark, style: Style) -> Items:
    """Return the ground below the track of a stop: the mountain of a pass, which track runs
    through."""
    if stop.kind is not StopKind.PASS or not mark.rock:
        return ()
    return peak_items(mark.rock, style)


def stop_items(stop: Stop, mark: Mark, across_mm: float, style: Style) -> Items:
    """Return one stop drawn at its mark, without the ground below its track."""
    if stop.kind is StopKind.HALT:
        # A white disc with a ring and the sign of a halt.
        x, y = mark.centre
        town = style.ink("town")
        width = HALT_RADIUS * 0.2 * across_mm
        radius = HALT_RADIUS * across_mm - width / 2
        ring = Stroke(town, width)
        disc = Circle(x, y, radius, fill=style.ink("slot"), stroke=ring, role=Role.SLOT)
        if not stop.symbol:
            return (disc,)
        type_style = _size_type(across_mm, style)
        return (disc, *set_centred(stop.symbol, type_style, town, x, y, over=(Role.SLOT,)))
    if stop.kind is StopKind.TOWN and stop.boom:
        return (
            _dashed_ring(mark.centre, BOOM_RADIUS * across_mm, across_mm, style),
            *_dot(mark, across_mm, style),
        )
    if stop.kind is StopKind.TOWN:
        signs = _bar(mark, across_mm, style) if mark.bar else _dot(mark, across_mm, style)
        if not stop.double:
            return signs
        return tuple(shifted(signs, *at) for at in _double(mark.angle, across_mm, bar=mark.bar))
    if stop.kind is StopKind.PASS:
        return (*_slots(mark, across_mm, style), *_size_plate(stop, mark, across_mm, style))
    return _slots(mark, across_mm, style, dashed=stop.boom)


def _size_type(across_mm: float, style: Style) -> TypeStyle:
    type_style = style.type("slot.size")
    return type_style.at(max(type_style.min_pt, type_style.size_pt * across_mm / HEX_MM))


def _dashed_ring(at: Point, outer_mm: float, across_mm: float, style: Style) -> Circle:
    rim = style.stroke("slot")
    width = rim.width_mm * across_mm / HEX_MM
    radius = outer_mm - width / 2
    dash = 2 * math.pi * radius / _BOOM_DASHES
    stroke = Stroke(rim.ink, width, dash=(dash * 0.62, dash * 0.38))
    return Circle(at[0], at[1], radius, fill=style.ink("slot"), stroke=stroke, role=Role.SLOT)


def _slots(mark: Mark, across_mm: float, style: Style, *, dashed: bool = False) -> Items:
    scale = across_mm / HEX_MM
    rim, thin, white = style.stroke("slot"), style.stroke("slot.inner"), style.ink("slot")
    width, radius = rim.width_mm * scale, mark.slot_mm / 2
    stroke = Stroke(rim.ink, width)
    if len(mark.slots) == 1:
        ((x, y),) = mark.slots
        if dashed:
            return (_dashed_ring((x, y), radius + width / 2, across_mm, style),)
        return (Circle(x, y, radius, fill=white, stroke=stroke, role=Role.SLOT),)
    hull = rounded_hull(mark.slots, radius + BOX * across_mm)
    line = Stroke(thin.ink, thin.width_mm * scale)
    inner = radius - thin.width_mm * scale / 2
    slots = (Circle(x, y, inner, fill=white, stroke=line, role=Role.SLOT) for x, y in mark.slots)
    return (Path(hull, fill=white, stroke=stroke, role=Role.SLOT), *slots)


def _bar(mark: Mark, across_mm: float, style: Style) -> Items:
    cos, sin = math.cos(mark.angle), math.sin(mark.angle)

    def box(length: float, width: float, ink: str) -> Path:
        a, b = length / 2 * across_mm, width / 2 * across_mm
        corners = ((-a, -b), (a, -b), (a, b), (-a, b))
        points = [(mark.x + x * cos - y * sin, mark.y + x * sin + y * cos) for x, y in corners]
        return Path(polygon_path(points), fill=style.ink(ink), role=Role.SLOT)

    rim = 2 * MARK_RIM
    return box(BAR_LENGTH + rim, BAR_WIDTH + rim, "town.rim"), box(BAR_LENGTH, BAR_WIDTH, "town")


def _dot(mark: Mark, across_mm: float, style: Style) -> Items:
    return tuple(
        Circle(mark.x, mark.y, share * across_mm, fill=style.ink(ink), role=Role.SLOT)
        for share, ink in ((DOT_RADIUS + MARK_RIM, "town.rim"), (DOT_RADIUS, "town"))
    )


def _size_plate(stop: Stop, mark: Mark, across_mm: float, style: Style) -> Items:
    """Return a plate above the slots of a pass, with its size if no mountain of a different size
    shows it."""
    if stop.size is None or stop.size <= _SHOWN_SIZES:
        return ()
    scale = across_mm / HEX_MM
    type_style = _size_type(across_mm, style)
    height = type_style.cap_height_mm * 2.3
    half = max(height * 0.62, text_width(str(stop.size), type_style) / 2 + height * 0.34)
    high = min(y for _, y in mark.slots) - mark.slot_mm / 2
    foot = high - (BOX * across_mm if len(mark.slots) > 1 else 0.0) - 0.3 * scale
    plate = polygon_path([(mark.x - half, foot), (mark.x, foot - height), (mark.x + half, foot)])
    rim = Stroke(style.ink("white"), 0.3 * scale, join="round")
    sign = Path(plate, fill=style.ink("slot.plate"), stroke=rim, role=Role.SLOT)
    middle = foot - height * 0.14 - type_style.cap_height_mm / 2
    white = style.ink("white")
    figure = set_centred(str(stop.size), type_style, white, mark.x, middle, over=(Role.SLOT,))
    return (sign, *figure)


# Drawing of track: cores, gauges, white casing at crossings, and tapered ends.


# Width of each gauge, in widths of standard track.
_WIDER = {
    Gauge.STANDARD: 1.0,
    Gauge.NARROW: 1.0,
    Gauge.DUAL: 1.3,
    Gauge.THIN: 0.5,
    Gauge.FERRY: 0.5,
    Gauge.FUTURE: 0.75,
    Gauge.LINE: 0.2,
}
# Width of the light centre line, as a share of the track.
_CORE_SHARE = {Gauge.NARROW: 0.5, Gauge.DUAL: 0.34}
# Gauges with dashed track; lengths of dashes and gaps, in widths of the track.
_DASHED = (Gauge.FUTURE, Gauge.FERRY)
_FUTURE_DASH = (1.1, 0.8)
_SLEEPER_MM = 1.5
# Lanes extend this far beyond the edge, so that no seam shows between the hexes of a place.
_LAP_MM = 0.08
# Width of the thin end of tapered track as a share of its width: at a stop, or at a dead end.
_TIP = {True: 0.35, False: 0.1}


def track_items(
    tile: Tile, plan: Plan, across_mm: float, style: Style, *, bleed_mm: float = 0.0
) -> Items:
    """Return all track of a hex. It ends at the edges of the hex, or continues straight by
    `bleed_mm` into the bleed.

    Where two segments without a common end cross, the later one lies on top and gets a white
    casing.
    """
    pens = [
        _Pen(segment, curve, across_mm, style, bleed_mm)
        for segment, curve in zip(tile.track, plan.curves, strict=True)
    ]
    for pen in pens:
        stops = (end.index for end in pen.segment.ends if end.kind is EndKind.STOP)
        pen.offboard = next((index for index in stops if plan.marks[index] is None), None)
        ends_in_nothing = pen.segment.terminal is Terminal.SHORT or pen.offboard is not None
        # Pairs of lanes run in parallel into their stop, without a taper; so does all track on the
        # same tile.
        pointed = pen.segment.terminal is not None and not any(each.lanes for each in tile.track)
        pen.tapered = pointed or ends_in_nothing
        pen.to_stop = not ends_in_nothing
    hub = [pen for pen in pens if JUNCTION in pen.segment.ends]
    if hub and all(pen.tapered for pen in hub):
        for pen in hub:
            pen.to_stop = False
        hub = []
    items: list[Item] = []
    for pen in pens:
        # If a tile has several stops, the end of the track represents the off-board.
        several = len(tile.stops) > 1
        if pen.offboard is not None and several and not tile.stops[pen.offboard].hidden:
            items.append(Group((pen.core(),), stop=pen.offboard))
        else:
            items.append(pen.core())
    if hub:  # a round joint where tracks meet in the centre
        radius = max(pen.width for pen in pens) / 2
        items.append(Circle(0.0, 0.0, radius, fill=style.ink("track"), role=Role.TRACK))
    for pen in pens:
        # The light centre line of narrow track (dashed) and dual track (solid).
        if pen.segment.gauge in _CORE_SHARE and not pen.tapered:
            items.append(pen.middle(pen.curve, pen.before, pen.after))
    for number, over in enumerate(pens):
        for under in pens[:number]:
            one, other = over.segment, under.segment
            # Segments with a common end join there, and a loop does not cross anything.
            joined = set(one.ends) & set(other.ends) or one.a == one.b or other.a == other.b
            if not (over.tapered or under.tapered or joined):
                items += over.bridge(under)
    return tuple(items)


def track_bulk(tile: Tile, plan: Plan, across_mm: float) -> list[Disc]:
    """Return circles that cover all track, so that other things keep clear of it."""
    return segments_bulk(zip(tile.track, plan.curves, strict=True), across_mm)


def segments_bulk(segments: Iterable[tuple[Segment, Curve]], across_mm: float) -> list[Disc]:
    """Return circles that cover some of the track."""
    discs = []
    seen = set()
    for segment, curve in segments:
        if curve in seen:
            continue
        seen.add(curve)
        half = TRACK_WIDTH / 2 * across_mm * _WIDER[segment.gauge]
        discs += [(x, y, half * 1.12) for x, y in curve.points(half * 1.3)]
    return discs


def taper_bulk(curve: Curve, across_mm: float) -> list[Disc]:
    """Return circles that cover the track of an off-board, from its thin end `p0` to the edge."""
    half = TRACK_WIDTH / 2 * across_mm
    steps = max(1, math.ceil(curve.length() / half))
    thin = _TIP[False]
    return [
        (*curve.at(k / steps), half * (thin + (1 - thin) * k / steps)) for k in range(steps + 1)
    ]


class _Pen:
    """One segment about to be drawn."""

    def __init__(
        self, segment: Segment, curve: Curve, across_mm: float, style: Style, bleed_mm: float
    ) -> None:
        bleed_mm += 0.4 if bleed_mm else _LAP_MM if segment.lanes else 0.0
        self.segment, self.curve, self.style = segment, curve, style
        self.scale = across_mm / HEX_MM
        self.width = TRACK_WIDTH * across_mm * _WIDER[segment.gauge]
        self.before = bleed_mm if segment.a.kind is EndKind.EDGE else 0.0
        self.after = bleed_mm if segment.b.kind is EndKind.EDGE else 0.0
        self.tapered = self.to_stop = False
        self.offboard: int | None = None
        self.ink = style.ink(
            "track" if segment.is_track or segment.gauge is Gauge.LINE else "track.future"
        )

    def core(self) -> Item:
        """Return the track itself."""
        if self.tapered:
            # Track that narrows towards the end that is not at an edge.
            backwards = (
                self.segment.b.kind is EndKind.EDGE and self.segment.a.kind is not EndKind.EDGE
            )
            curve = self.curve.reversed() if backwards else self.curve
            run_on = max(self.before, self.after)
            tip = _TIP[self.to_stop]
            steps = 1 if curve.is_straight() else 10
            left = []
            right = []
            for k in range(steps + 1):
                t = k / steps
                x, y = curve.at(t)
                way = curve.heading(min(t, 0.999))
                half = self.width / 2 * (1 - t * (1 - tip))
                side = (-math.sin(way) * half, math.cos(way) * half)
                if k == 0 and run_on:
                    bx, by = x - math.cos(way) * run_on, y - math.sin(way) * run_on
                    left.append((bx + side[0], by + side[1]))
                    right.append((bx - side[0], by - side[1]))
                left.append((x + side[0], y + side[1]))
                right.append((x - side[0], y - side[1]))
            return Path(polygon_path([*left, *reversed(right)]), fill=self.ink, role=Role.TRACK)
        return self._line(self.curve, self.ink, self.width, self.before, self.after)

    def bridge(self, under: _Pen) -> Items:
        """Return the piece of this track that passes over another, with its casing; nothing if they
        do not cross."""
        met = crossing(self.curve, under.curve)
        if met is None:
            return ()
        angle = self.curve.heading(met[0]) - under.curve.heading(met[1])
        sine = max(abs(math.sin(angle)), 0.35)
        casing = self.style.stroke("track.casing").width_mm - self.style.stroke("track").width_mm
        white = self.width + casing * self.scale
        # At an acute angle the crossing is longer, and the square ends of the casing project.
        reach = (under.width / 2 + white / 2 * abs(math.cos(angle))) / sine + 0.5 * self.scale
        length = max(self.curve.length(), 1e-6)
        sleeper = _SLEEPER_MM * self.scale / length
        low, high = met[0] - reach / length, met[0] + reach / length
        # Begin the upper track on a sleeper, so that the dashes of narrow track continue.
        first = math.floor(measured(low / sleeper / 2)) * sleeper * 2
        cased = self.curve.part(max(0.0, low), min(1.0, high))
        cored = self.curve.part(max(0.0, first), min(1.0, high + sleeper))
        items = [
            self._line(cased, self.style.ink("track.casing"), white),
            self._line(cored, self.ink, self.width),
        ]
        if self.segment.gauge in _CORE_SHARE:
            items.append(self.middle(cored))
        return tuple(items)

    def _line(
        self, curve: Curve, ink: Ink, width_mm: float, before_mm: float = 0.0, after_mm: float = 0.0
    ) -> Path:
        dashed = self.segment.gauge in _DASHED and width_mm == self.width
        dash = tuple(share * width_mm for share in _FUTURE_DASH) if dashed else ()
        stroke = Stroke(ink, width_mm, dash=dash)
        return Path(curve.commands(before_mm, after_mm), stroke=stroke, role=Role.TRACK)

    def middle(self, curve: Curve, before_mm: float = 0.0, after_mm: float = 0.0) -> Path:
        """Return the light line along narrow track (broken) and dual track (unbroken)."""
        gauge = self.segment.gauge
        sleeper = _SLEEPER_MM * self.scale
        stroke = Stroke(
            self.style.ink("track.casing"),
            self.width * _CORE_SHARE[gauge],
            dash=(sleeper, sleeper) if gauge is Gauge.NARROW else (),
        )
        return Path(curve.commands(before_mm, after_mm), stroke=stroke, role=Role.TRACK)
