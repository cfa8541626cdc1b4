"""The plan of a hex: where each stop sits and how each segment of track runs, in mm from the
centre."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product

from msgspec import Struct

from platelayer.drawing.hex.geometry import Curve, Disc, arc_from, join, line
from platelayer.drawing.hex.stops import BOX, Mark, city_mark, ring_mark, town_mark
from platelayer.foundation.geometry import direction
from platelayer.foundation.ties import measured
from platelayer.model.hexes import EDGES, Layout, edge_angle, edge_point
from platelayer.model.tile import (
    End,
    EndKind,
    Lane,
    Position,
    Segment,
    Stop,
    StopKind,
    Terminal,
    Tile,
    slot_share,
)
from platelayer.scene.shapes import Point

TRACK_WIDTH = 0.0551
"""Width of track as a share of the hex: 2.1 mm on 38.1 mm."""
_LANE_PITCH = 0.078
"""Distance between the middles of parallel lanes, as a share of the hex."""

_Exit = tuple[int, Lane | None]
"""An edge, and the lane in which track crosses it."""


class _Site(Struct, frozen=True):
    """What placement needs to know about a stop: kind, slots, hint, drawn or not, a boomtown or
    not, the size of a pass."""

    kind: StopKind
    slots: int
    at: Position | None
    drawn: bool
    boom: bool = False
    size: int | None = None


_Spot = tuple[float, Point, float | None]
"""What a place costs, the place in mm, and the direction of track there if it is known."""

_ON_ARC = (0.5, 0.44, 0.56, 0.38, 0.62, 0.33, 0.67, 0.28, 0.72, 0.24, 0.76)
_MANY = 9
"""More stops than this in a hex are spread evenly, without looking where their track leads."""
_SHARP = 0.2887
"""How far from the centre the middle of the sharpest curve runs, as a share of the hex."""

# Distances are shares of the hex.
_GAP = 0.028
"""Stops keep this from each other and from foreign track."""
_RIM_GAP = 0.03
_AIRY = 0.09
"""Distance from foreign track beyond which a stop does not look cramped."""
_OVERLAP_COST = 100.0
_NEAR_COST = 16.0
_TOLERANCE = 0.012
_SAMPLE = 0.06
_MOST_COMBINATIONS = 4000
_ROUGHLY = 4
"""Every fourth circle and point tells most of what two places cost."""
_LEAST_SLOT = 0.7
_SIDE_COST = 1.0

_PairCost = Callable[[int, int, int, int], float]
_EDGE_WAYS = {
    layout: tuple(
        (math.cos(angle), math.sin(angle)) for angle in (edge_angle(edge, layout) for edge in EDGES)
    )
    for layout in Layout
}


class _Option(Struct, frozen=True):
    """A place for a stop: what choosing it costs, the mark there, and points along its own
    track."""

    cost: float
    mark: Mark
    track: tuple[Point, ...]


TAPER = 0.23
"""How far the track of an off-board reaches in from the edge, as a share of the hex."""

Marks = tuple[Mark | None, ...]


class Plan(Struct, frozen=True):
    """Marks by stop (None: not drawn) and curves by segment, from its end `a` to its end `b`."""

    marks: Marks
    curves: tuple[Curve, ...]


def plan_hex(tile: Tile, layout: Layout, across_mm: float) -> Plan:
    """Places of all stops and track of a tile or map hex `across_mm` from flat to flat."""
    return _plan(
        tuple(map(_site_of, tile.stops)),
        tile.track,
        layout,
        across_mm,
        (slot_share(tile), bool(tile.slot_mm)),
    )


def drawn_slot_mm(tile: Tile, layout: Layout, across_mm: float) -> float:
    """How wide the slots of a hex are drawn; 0 where it draws none."""
    return max(
        (mark.slot_mm for mark in plan_hex(tile, layout, across_mm).marks if mark is not None),
        default=0.0,
    )


@lru_cache(maxsize=2048)
def _plan(
    sites: tuple[_Site, ...],
    track: tuple[Segment, ...],
    layout: Layout,
    across_mm: float,
    slots: tuple[float, bool],
) -> Plan:
    share, stated = slots
    ways = _Ways(sites, track, layout, across_mm)
    marks = _choose_marks(ways, share * across_mm, may_shrink=not stated)
    return Plan(marks, tuple(_curve(ways, segment, marks) for segment in track))


def _curve(ways: _Ways, segment: Segment, marks: Marks) -> Curve:
    """How one segment runs once the stops have their places."""
    lanes = segment.lanes or (None, None)
    a, b = segment.ends
    if a.kind is EndKind.EDGE and b.kind is EndKind.EDGE:
        return ways.arc((a.index, lanes[0]), (b.index, lanes[1]))
    if a.kind is EndKind.EDGE:
        return _from_edge(
            ways, (a.index, lanes[0]), b, marks, short=segment.terminal is Terminal.SHORT
        )
    if b.kind is EndKind.EDGE:
        short = segment.terminal is Terminal.SHORT
        return _from_edge(ways, (b.index, lanes[1]), a, marks, short=short).reversed()
    return _between(a, b, marks)


def _from_edge(ways: _Ways, way: _Exit, to: End, marks: Marks, *, short: bool) -> Curve:
    mark = _mark_at(to, marks)
    if short:
        return _stub(ways, way)
    if to.kind is EndKind.JUNCTION:
        return ways.approach(way, (0.0, 0.0))
    if mark is not None:
        return ways.approach(way, mark.centre)
    return _stub(ways, way)


def _stub(ways: _Ways, way: _Exit) -> Curve:
    (x, y), (dx, dy) = ways.edge(way)
    reach = TAPER * ways.across
    return line((x, y), (x + dx * reach, y + dy * reach))


def _between(a: End, b: End, marks: Marks) -> Curve:
    """From stop to stop: straight, except through the bars of towns, where it follows their
    track."""
    one, other = _mark_at(a, marks), _mark_at(b, marks)
    p, q = (mark.centre if mark else (0.0, 0.0) for mark in (one, other))
    chord = math.atan2(q[1] - p[1], q[0] - p[0])
    leave, arrive = _through(one, chord), _through(other, chord)
    if leave == arrive and math.cos(leave - chord) > 1 - 1e-9:
        return line(p, q)
    return join(p, _unit(leave), q, _unit(arrive))


def _mark_at(end: End, marks: Marks) -> Mark | None:
    return marks[end.index] if end.kind is EndKind.STOP and end.index < len(marks) else None


def _through(mark: Mark | None, chord: float) -> float:
    """The direction of track at a mark, the way the chord leads."""
    if mark is None or not mark.bar:
        return chord
    along = mark.angle + math.pi / 2
    return along if measured(math.cos(along - chord)) >= 0 else along + math.pi


def _unit(angle: float) -> Point:
    return direction(angle)


def _choose_marks(ways: _Ways, full_mm: float, *, may_shrink: bool) -> tuple[Mark | None, ...]:
    """A mark for each stop (None: not drawn): the places that cost least together. Slots are
    `full_mm` wide; if they `may_shrink`, they are narrower where they must."""
    slots = any(ways.sites[index].slots for index in ways.drawn)
    slot_mm = full_mm
    rooms = _Rooms(ways)
    picked: tuple[_Option, ...] = ()
    if len(ways.drawn) > _MANY:
        picked = tuple(_options(ways, index, slot_mm)[0] for index in ways.drawn)
    while ways.drawn and len(ways.drawn) <= _MANY:
        picked = _best(rooms, [_options(ways, index, slot_mm) for index in ways.drawn])
        if (
            not (slots and may_shrink)
            or slot_mm < full_mm * _LEAST_SLOT
            or rooms.overlap(picked) < _TOLERANCE
        ):
            break
        slot_mm *= 0.95
    chosen = {option.mark.index: option.mark for option in picked}
    return tuple(chosen.get(index) for index in range(len(ways.sites)))


def _options(ways: _Ways, index: int, slot_mm: float) -> list[_Option]:
    several = len(ways.drawn) > 1
    options = []
    for cost, at, heading in _spots(ways, index):
        track: tuple[Point, ...] = ()
        if several:
            curves = (ways.approach(way, at) for way in ways.exits[index])
            track = tuple(
                point for curve in curves for point in curve.points(_SAMPLE * ways.across)
            )
        options.append(_Option(cost, _mark(ways, index, at, heading, slot_mm), track))
    if _two_doubles(ways):
        options += _side_by_side(ways, index, slot_mm)
    return options


def _two_doubles(ways: _Ways) -> bool:
    """True for two cities of two slots each: they fill the hex, and have room only side by side."""
    return len(ways.drawn) == 2 and all(ways.sites[index].slots == 2 for index in ways.drawn)


def _side_by_side(ways: _Ways, index: int, slot_mm: float) -> list[_Option]:
    """Places for one of two rows that lie along each other, one on either side of the middle, in
    every direction."""
    site, options = ways.sites[index], []
    off = slot_mm / 2 + (BOX + _GAP / 2) * ways.across
    for k in range(12):
        turn = math.radians(30 * k)
        at = (off * math.cos(turn), off * math.sin(turn))
        curves = (ways.approach(way, at) for way in ways.exits[index])
        track = tuple(point for curve in curves for point in curve.points(_SAMPLE * ways.across))
        mark = city_mark(
            index,
            site.kind,
            2,
            at=at,
            angle=turn + math.pi / 2,
            slot_mm=slot_mm,
            across_mm=ways.across,
        )
        options.append(_Option(_SIDE_COST, mark, track))
    return options


def _mark(ways: _Ways, index: int, at: Point, heading: float | None, slot_mm: float) -> Mark:
    site = ways.sites[index]
    if site.slots:
        slanting = site.slots == 2 and site.kind is not StopKind.PASS
        angle = _row_angle(ways, index, at) if slanting else 0.0
        across = ways.across
        return city_mark(
            index,
            site.kind,
            site.slots,
            at=at,
            angle=angle,
            slot_mm=slot_mm,
            across_mm=across,
            size=site.size,
        )
    if site.boom or site.kind is StopKind.HALT:
        return ring_mark(index, site.kind, at=at, boom=site.boom, across_mm=ways.across)
    through = len(ways.exits[index]) + len(ways.links[index]) == 2
    if heading is None and through:
        heading = _along(ways, index, at)
    angle = (heading or 0.0) + math.pi / 2
    return town_mark(index, site.kind, at=at, angle=angle, bar=through, across_mm=ways.across)


def _best(rooms: _Rooms, options: list[list[_Option]]) -> tuple[_Option, ...]:
    """One option for each stop."""
    alone = [
        [measured(option.cost + rooms.alone_cost(option)) for option in choices]
        for choices in options
    ]
    if len(options) == 1:
        return (options[0][min(range(len(alone[0])), key=alone[0].__getitem__)],)

    def pairs(sample: int) -> _PairCost:
        memo: dict[tuple[int, int, int, int], float] = {}

        def pair(i: int, k: int, j: int, n: int) -> float:
            key = (i, k, j, n) if i < j else (j, n, i, k)
            if key not in memo:
                memo[key] = measured(rooms.pair_cost(options[i][k], options[j][n], sample))
            return memo[key]

        return pair

    if math.prod(map(len, options)) <= _MOST_COMBINATIONS:
        best = _best_of_all(alone, pairs(1), at_least=pairs(_ROUGHLY))
    else:
        best = _best_in_turn(alone, pairs(1))
    return tuple(options[i][k] for i, k in enumerate(best))


def _best_of_all(
    alone: list[list[float]], pair: _PairCost, *, at_least: _PairCost
) -> tuple[int, ...]:
    """The best of all combinations. `at_least` is quicker to find than the cost of a pair, and
    never more: what that alone makes worse than the best so far is passed over, which saves most of
    the time where stops are large."""

    def of_pairs(picked: tuple[int, ...], costs: _PairCost) -> float:
        return math.fsum(
            costs(i, picked[i], j, picked[j])
            for i in range(len(picked))
            for j in range(i + 1, len(picked))
        )

    every = product(*(range(len(row)) for row in alone))
    ranked = sorted(
        (measured(math.fsum(alone[i][k] for i, k in enumerate(picked))), picked) for picked in every
    )
    least, best = math.inf, ranked[0][1]
    for cost, picked in ranked:
        if cost >= least:
            break
        if cost + of_pairs(picked, at_least) > least:
            continue
        whole = measured(cost + of_pairs(picked, pair))
        if whole < least:
            least, best = whole, picked
    return best


def _best_in_turn(alone: list[list[float]], pair: _PairCost) -> tuple[int, ...]:
    """For many stops: each in turn takes its best place beside the others, in three rounds."""
    best = [min(range(len(row)), key=row.__getitem__) for row in alone]
    for i in [*range(len(alone))] * 3:
        others = [(j, n) for j, n in enumerate(best) if j != i]
        costs = [
            measured(cost + math.fsum(pair(i, k, j, n) for j, n in others))
            for k, cost in enumerate(alone[i])
        ]
        best[i] = min(range(len(costs)), key=costs.__getitem__)
    return tuple(best)


class _Rooms:
    """Distances between marks, track and rim of one hex, as shares of the hex."""

    def __init__(self, ways: _Ways) -> None:
        self.ways = ways
        self.passing = [
            point for curve in ways.passing() for point in curve.points(_SAMPLE * ways.across)
        ]

    def alone_cost(self, option: _Option) -> float:
        """What a place costs beside what is there anyway."""
        return _OVERLAP_COST * max(0.0, _RIM_GAP - self.to_rim(option.mark)) + _near(
            self.to_track(option.mark.bulk, self.passing)
        )

    def pair_cost(self, one: _Option, other: _Option, sample: int = 1) -> float:
        """What two places cost beside each other; with a sample of every so many circles and
        points, at least that."""
        mine, theirs = one.mark.bulk[::sample], other.mark.bulk[::sample]
        cost = 2 * _OVERLAP_COST * max(0.0, _GAP - self.between(mine, theirs))
        if self._apart(one, other):
            cost += _near(self.to_track(mine, other.track[::sample])) + _near(
                self.to_track(theirs, one.track[::sample])
            )
        return cost

    def overlap(self, picked: tuple[_Option, ...]) -> float:
        """How far places fall short of their distances."""
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
        return (
            one is not other
            and End(EndKind.STOP, other.mark.index) not in self.ways.links[one.mark.index]
        )

    def to_rim(self, mark: Mark) -> float:
        """From a mark to the nearest edge."""
        edges = _EDGE_WAYS[self.ways.layout]
        reach = max(x * wx + y * wy + r for x, y, r in mark.bulk for wx, wy in edges)
        return 0.5 - reach / self.ways.across

    def between(self, one: Sequence[Disc], other: Sequence[Disc]) -> float:
        """Between what two marks cover."""
        room = min([math.hypot(a - x, b - y) - r - q for a, b, r in one for x, y, q in other])
        return room / self.ways.across

    def to_track(self, bulk: Sequence[Disc], points: Sequence[Point]) -> float:
        """From what a mark covers to track."""
        if not points:
            return 1.0
        room = min([math.hypot(a - x, b - y) - r for a, b in points for x, y, r in bulk])
        return room / self.ways.across - TRACK_WIDTH / 2


def _near(room: float) -> float:
    return _OVERLAP_COST * max(0.0, _GAP - room) + _NEAR_COST * max(0.0, _AIRY - room)


def _spots(ways: _Ways, index: int) -> list[_Spot]:
    """Places for one stop: where its hint says, else where its track leads. A stop that is alone
    sits in the centre, unless it is a town on a curve."""
    site, exits, links = ways.sites[index], ways.exits[index], ways.links[index]
    if site.at is not None:
        return _hinted(ways, index)
    if len(ways.drawn) > _MANY:
        return [(0.0, _sown(ways, ways.drawn.index(index)), None)]
    alone = len(ways.drawn) == 1
    if len(exits) == 2 and not links and (not alone or not site.slots):
        return _on_arc(ways, index, exits[0], exits[1])
    if alone and not ways.passing():
        return [(0.0, (0.0, 0.0), None)]
    if len(exits) == 1:
        return _one_exit(ways, index)
    return _amid(ways, exits) if exits else _spread(ways, index)


def _one_exit(ways: _Ways, index: int) -> list[_Spot]:
    site, ((edge, _),) = ways.sites[index], ways.exits[index]
    partner = _partner(ways, index)
    if partner is not None:
        arc = ways.arc(ways.exits[index][0], ways.exits[partner][0])
        return [(abs(t - 0.32) * 4, arc.at(t), arc.heading(t)) for t in (0.32, 0.28, 0.36, 0.24)]
    if len(ways.links[index]) == 1 and not site.slots:
        return [
            (abs(d - 0.32) * 3, ways.towards(edge, d), ways.angle(edge))
            for d in (0.32, 0.34, 0.36, 0.3, 0.28)
        ]
    return _near_edge(ways, edge, best=0.255 if site.slots else 0.24)


def _along(ways: _Ways, index: int, at: Point) -> float:
    """The direction in which the two tracks of a stop pass it together, in radians."""
    headings = [ways.approach(way, at).heading(1.0) for way in ways.exits[index]]
    for link in ways.links[index]:
        hint = ways.hint(link)
        x, y = ways.towards(hint.edge, (hint.distance or 0.577) / 2) if hint else (0.0, 0.0)
        headings.append(math.atan2(at[1] - y, at[0] - x))
    dx, dy = (
        math.cos(headings[0]) - math.cos(headings[1]),
        math.sin(headings[0]) - math.sin(headings[1]),
    )
    return math.atan2(dy, dx) if math.hypot(dx, dy) > 1e-6 else headings[0]


def _row_angle(ways: _Ways, index: int, at: Point) -> float:
    """The direction of a row of two slots: across its track, and round the hex when off its
    centre."""
    if math.hypot(*at) > 0.05 * ways.across:
        return math.atan2(at[1], at[0]) + math.pi / 2
    leads = [ways.angle(edge) for edge, _ in ways.exits[index]]
    leads += [
        ways.angle(hint.edge) for hint in map(ways.hint, ways.links[index]) if hint is not None
    ]
    turns = [math.radians(30 * k) for k in range(6)]
    # The more level of two equally good rows.
    slant = (0, 1, 2, 3, 2, 1)
    level = (math.fsum(math.cos(turn - way) ** 2 for way in leads) for turn in turns)
    costs = [measured(cost + 0.01 * slant[k]) for k, cost in enumerate(level)]
    return turns[min(range(6), key=costs.__getitem__)]


def _hinted(ways: _Ways, index: int) -> list[_Spot]:
    at = ways.sites[index].at
    assert at is not None
    if at.distance is not None:
        return [(0.0, ways.towards(at.edge, at.distance / 2), None)]
    joined = any(
        hint is not None and hint.distance == 0 for hint in map(ways.hint, ways.links[index])
    )
    best = 0.37 if joined and not ways.sites[index].slots else _SHARP
    shifts = (0.0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06)
    return [(abs(shift) * 5, ways.towards(at.edge, best + shift), None) for shift in shifts]


def _on_arc(ways: _Ways, index: int, one: _Exit, other: _Exit) -> list[_Spot]:
    """Places along the arc between two edges; for a city of several slots, a little inward of
    it."""
    arc = ways.arc(one, other)
    spots: list[_Spot] = [(abs(t - 0.5) * 4, arc.at(t), arc.heading(t)) for t in _ON_ARC]
    x, y = arc.at(0.5)
    if ways.sites[index].slots > 1 and math.hypot(x, y) > 0.1 * ways.across:
        spots = [(cost + 0.4, at, heading) for cost, at, heading in spots]
        spots += [(abs(k - 0.86) * 2, (x * k, y * k), None) for k in (0.93, 0.86, 0.8)]
    return spots


def _partner(ways: _Ways, index: int) -> int | None:
    """The town with which this one shares a run of track from edge to edge (tile 71)."""
    links = ways.links[index]
    if len(links) != 1 or links[0].kind is not EndKind.STOP or links[0].index >= len(ways.sites):
        return None
    other = links[0].index
    towns = all(not ways.sites[k].slots and ways.sites[k].drawn for k in (index, other))
    single = all(len(ways.exits[k]) == 1 and len(ways.links[k]) == 1 for k in (index, other))
    chained = towns and single and End(EndKind.STOP, index) in ways.links[other]
    return other if chained and ways.exits[index] != ways.exits[other] else None


def _near_edge(ways: _Ways, edge: int, *, best: float) -> list[_Spot]:
    spots: list[_Spot] = [
        (abs(d - best) * 6, ways.towards(edge, d), None) for d in (best, 0.28, 0.3, 0.23, 0.2, 0.17)
    ]
    for turn in (0.25, -0.25, 0.5, -0.5):
        spots += [(1.4 + abs(turn), ways.towards(edge + turn, d), None) for d in (0.3, 0.25)]
    return spots


def _amid(ways: _Ways, exits: tuple[_Exit, ...]) -> list[_Spot]:
    """The centre, and places off it towards the middle of the exits."""
    leads = [ways.angle(edge) for edge, _ in exits]
    x, y = math.fsum(map(math.cos, leads)), math.fsum(map(math.sin, leads))
    leaning = math.hypot(x, y) > 0.1
    first = math.atan2(y, x) if leaning else 0.0
    turns = (0, 30, -30) if leaning else range(0, 360, 30)
    spots: list[_Spot] = [(0.0, (0.0, 0.0), None)]
    for turn in turns:
        way = first + math.radians(turn)
        for d in (0.06, 0.1, 0.14, 0.18, 0.22, 0.26):
            cost = d * 1.5 + (0.4 if turn and leaning else 0.0)
            spots.append(
                (cost, (math.cos(way) * d * ways.across, math.sin(way) * d * ways.across), None)
            )
    return spots


def _spread(ways: _Ways, index: int) -> list[_Spot]:
    """Places for a stop without an exit: fixed ones when no stop has any, else a ring."""
    idle = [k for k in ways.drawn if ways.sites[k].at is None]
    if not any(ways.exits[k] for k in ways.drawn) and not ways.passing():
        return [
            (
                0.0,
                _scattered(ways, idle.index(index), len(idle), city=bool(ways.sites[index].slots)),
                None,
            )
        ]
    spots: list[_Spot] = [(0.3, (0.0, 0.0), None)]
    for k in range(12):
        spots += [(abs(d - 0.28) * 4, ways.towards(k / 2, d), None) for d in (0.28, 0.32, 0.24)]
    return spots


def _sown(ways: _Ways, number: int) -> Point:
    """Places like a sunflower's seeds: as many as there are, all equally far apart."""
    radius = 0.42 * math.sqrt((number + 0.5) / len(ways.drawn)) * ways.across
    turn = number * math.pi * (3 - math.sqrt(5))
    return radius * math.cos(turn), radius * math.sin(turn)


def _scattered(ways: _Ways, number: int, count: int, *, city: bool) -> Point:
    if count == 1:
        return 0.0, 0.0
    if count == 2:
        reach = (0.2 if city else 0.15) * ways.across
        return (-reach, 0.0) if number == 0 else (reach, 0.0)
    radius = {3: 0.215, 4: 0.24}.get(count, 0.335) * ways.across
    turn = -math.pi * (0.75 if count == 4 else 0.5) + 2 * math.pi * number / count
    return radius * math.cos(turn), radius * math.sin(turn)


def _site_of(stop: Stop) -> _Site:
    """The site of a stop. Off-boards have no place of their own: a table shows them."""
    drawn = not (stop.hidden or stop.kind is StopKind.OFFBOARD)
    slots = max(1, stop.slots) if stop.kind in (StopKind.CITY, StopKind.PASS) else 0
    return _Site(stop.kind, slots, stop.at, drawn, stop.boom, stop.size)


def _edge_start(
    edge: int, lane: Lane | None, layout: Layout, across_mm: float
) -> tuple[Point, Point]:
    """Where track crosses an edge, and the unit vector that leads in from there.

    Lanes count anticlockwise: on the right edge of a pointy hex, lane 0 is the lowest.
    """
    cos, sin = direction(edge_angle(edge, layout))
    x, y = across_mm / 2 * cos, across_mm / 2 * sin
    if lane is not None and lane.width > 1:
        pitch = min(_LANE_PITCH, 0.5 / lane.width) * across_mm
        off = (lane.index - (lane.width - 1) / 2) * pitch
        x, y = x + off * sin, y - off * cos
    return (x, y), (-cos, -sin)


class _Ways:
    """The stops of one hex and what leads to them. `exits` and `links` use the index of the stop; a
    link is another stop or the junction."""

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
        """Where an exit crosses its edge, and the unit vector leading in."""
        return _edge_start(way[0], way[1], self.layout, self.across)

    def arc(self, one: _Exit, other: _Exit) -> Curve:
        """Track from edge to edge."""
        (start, leave), (end, back) = self.edge(one), self.edge(other)
        return join(start, leave, end, (-back[0], -back[1]))

    def approach(self, way: _Exit, to: Point) -> Curve:
        """Track from an edge to a place."""
        return arc_from(*self.edge(way), to)

    def towards(self, edge: float, distance: float) -> Point:
        """The point towards an edge, `distance` as a share of the hex."""
        return edge_point(edge, self.layout, distance * self.across)

    def angle(self, edge: float) -> float:
        """Direction of an edge in radians."""
        return edge_angle(edge, self.layout)

    def passing(self) -> tuple[Curve, ...]:
        """Track that leads to no stop."""
        curves = []
        for segment in self.track:
            if segment.a.kind is EndKind.EDGE and segment.b.kind is EndKind.EDGE:
                lanes = segment.lanes or (None, None)
                curves.append(self.arc((segment.a.index, lanes[0]), (segment.b.index, lanes[1])))
            else:
                ends = ((segment.a, segment.b), (segment.b, segment.a))
                edges = [
                    one.index
                    for one, two in ends
                    if one.kind is EndKind.EDGE and two.kind is EndKind.JUNCTION
                ]
                curves += [self.approach((edge, None), (0.0, 0.0)) for edge in edges]
        return tuple(curves)

    def hint(self, link: End) -> Position | None:
        """The hint of a linked stop."""
        known = link.kind is EndKind.STOP and link.index < len(self.sites)
        return self.sites[link.index].at if known else None
