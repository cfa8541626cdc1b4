"""Topology of a hex in, places out: where each stop sits and how each segment of track runs, in mm from the centre."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from platelayer.drawing.curves import Curve, arc_from, join, line
from platelayer.drawing.marks import Mark, city_mark, slot_share, town_mark
from platelayer.model.hexes import Layout, edge_angle, edge_point
from platelayer.model.tile import End, EndKind, Lane, Position, Segment, Stop, StopKind, Tile

Point = tuple[float, float]
_Spot = tuple[float, Point, float | None]
"""What a place costs, the place, and the direction of track there if it is known."""

TRACK_WIDTH = 0.0551
"""Width of track as a share of the hex: 2.1 mm on 38.1 mm."""
LANE_PITCH = 0.078
"""Distance between the middles of parallel lanes."""
TAPER = 0.27
"""How far the track of an off-board reaches in from the edge."""
_GAP = 0.028
_RIM_GAP = 0.03
_SAMPLE = 0.06
_OVERLAP_COST = 100.0
_MOST_COMBINATIONS = 700
_LEAST_SLOT = 0.7


@dataclass(frozen=True, slots=True)
class Plan:
    """Marks by stop (None: not drawn) and curves by segment, from its end `a` to its end `b`."""

    marks: tuple[Mark | None, ...]
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class _Site:
    """What placing a stop has to know: kind, slots, hint, drawn or not."""

    kind: StopKind
    slots: int
    at: Position | None
    drawn: bool


@dataclass(frozen=True, slots=True)
class _Option:
    """A place for a stop: what choosing it costs, the mark there, and points along its own track."""

    cost: float
    mark: Mark
    track: tuple[Point, ...]


def plan_hex(tile: Tile, layout: Layout, across_mm: float) -> Plan:
    """Places of all stops and track of a tile or map hex `across_mm` from flat to flat."""
    sites = tuple(_site(stop) for stop in tile.stops)
    return _plan(sites, tile.track, layout, across_mm)


def _site(stop: Stop) -> _Site:
    drawn = not (stop.hidden or stop.kind is StopKind.OFFBOARD)
    slots = max(1, stop.slots) if stop.kind in (StopKind.CITY, StopKind.PASS) else 0
    return _Site(stop.kind, slots, stop.at, drawn)


@lru_cache(maxsize=2048)
def _plan(sites: tuple[_Site, ...], track: tuple[Segment, ...], layout: Layout, across_mm: float) -> Plan:
    places = _Places(sites, track, layout, across_mm)
    marks = places.choose()
    return Plan(marks, tuple(places.curve(segment, marks) for segment in track))


def edge_start(edge: int, lane: Lane | None, layout: Layout, across_mm: float) -> tuple[Point, Point]:
    """Where track crosses an edge, and the unit vector that leads in from there.

    Lanes count against the clock: on the right edge of a pointy hex, lane 0 is the lowest.
    """
    angle = edge_angle(edge, layout)
    x, y = across_mm / 2 * math.cos(angle), across_mm / 2 * math.sin(angle)
    if lane is not None and lane.width > 1:
        pitch = min(LANE_PITCH, 0.5 / lane.width) * across_mm
        off = (lane.index - (lane.width - 1) / 2) * pitch
        x, y = x + off * math.sin(angle), y - off * math.cos(angle)
    return (x, y), (-math.cos(angle), -math.sin(angle))


class _Places:
    """The stops of one hex while their places are being found."""

    def __init__(self, sites: tuple[_Site, ...], track: tuple[Segment, ...], layout: Layout, across_mm: float) -> None:
        self.sites, self.track, self.layout, self.across = sites, track, layout, across_mm
        self.drawn = [index for index, site in enumerate(sites) if site.drawn]
        self.exits = {index: self._exits(index) for index in range(len(sites))}
        self.links = {index: self._links(index) for index in range(len(sites))}
        self.slot = slot_share(tuple(sites[index].slots for index in self.drawn if sites[index].slots)) * across_mm
        self.foreign = [
            point
            for segment in track
            if EndKind.STOP not in (segment.a.kind, segment.b.kind)
            for point in self.curve(segment, ()).points(_SAMPLE * across_mm)
        ]

    def _exits(self, index: int) -> tuple[tuple[int, Lane | None], ...]:
        found: dict[tuple[int, Lane | None], None] = {}
        for segment in self.track:
            for end, other, lane in _both_ways(segment):
                if end.kind is EndKind.STOP and end.index == index and other.kind is EndKind.EDGE:
                    found[other.index, lane] = None
        return tuple(found)

    def _links(self, index: int) -> tuple[End, ...]:
        found: dict[End, None] = {}
        for segment in self.track:
            for end, other, _ in _both_ways(segment):
                if end == End(EndKind.STOP, index) and other.kind is not EndKind.EDGE:
                    found[other] = None
        return tuple(found)

    def _edge(self, exit_: tuple[int, Lane | None]) -> tuple[Point, Point]:
        return edge_start(exit_[0], exit_[1], self.layout, self.across)

    def _towards(self, edge: float, distance: float) -> Point:
        return edge_point(edge, self.layout, distance * self.across)

    def curve(self, segment: Segment, marks: tuple[Mark | None, ...]) -> Curve:
        """How one segment runs once the stops have their places."""
        lanes = segment.lanes or (None, None)
        a, b = segment.ends
        if a.kind is EndKind.EDGE and b.kind is EndKind.EDGE:
            start, leave = edge_start(a.index, lanes[0], self.layout, self.across)
            end, back = edge_start(b.index, lanes[1], self.layout, self.across)
            return join(start, leave, end, (-back[0], -back[1]))
        if a.kind is EndKind.EDGE:
            return self._from_edge(a.index, lanes[0], b, marks)
        if b.kind is EndKind.EDGE:
            return self._from_edge(b.index, lanes[1], a, marks).reversed()
        return self._between(a, b, marks)

    def _from_edge(self, edge: int, lane: Lane | None, to: End, marks: tuple[Mark | None, ...]) -> Curve:
        start, inward = edge_start(edge, lane, self.layout, self.across)
        if to.kind is EndKind.JUNCTION:
            return arc_from(start, inward, (0.0, 0.0))
        mark = marks[to.index] if to.index < len(marks) else None
        if mark is None:
            reach = TAPER * self.across
            return line(start, (start[0] + inward[0] * reach, start[1] + inward[1] * reach))
        return arc_from(start, inward, mark.centre)

    def _between(self, a: End, b: End, marks: tuple[Mark | None, ...]) -> Curve:
        found = [marks[end.index] if end.kind is EndKind.STOP and end.index < len(marks) else None for end in (a, b)]
        p, q = (mark.centre if mark else (0.0, 0.0) for mark in found)
        chord = math.atan2(q[1] - p[1], q[0] - p[0])
        ways = []
        for mark in found:
            along = chord
            if mark and mark.bar:
                along = mark.angle + math.pi / 2
                if math.cos(along - chord) < 0:
                    along += math.pi
            ways.append((math.cos(along), math.sin(along)))
        straight = all(way[0] * math.cos(chord) + way[1] * math.sin(chord) > 1 - 1e-9 for way in ways)
        return line(p, q) if straight else join(p, ways[0], q, ways[1])

    def choose(self) -> tuple[Mark | None, ...]:
        """The places that cost least together; slots shrink where they would overlap."""
        chosen: dict[int, Mark] = {}
        slot = self.slot
        while self.drawn:
            options = [self._options(index) for index in self.drawn]
            cost, picked = self._best(options)
            chosen = {option.mark.index: option.mark for option in picked}
            if cost < _OVERLAP_COST * 0.01 or self.slot < slot * _LEAST_SLOT or not slot:
                break
            self.slot *= 0.95
        return tuple(chosen.get(index) for index in range(len(self.sites)))

    def _best(self, options: list[list[_Option]]) -> tuple[float, tuple[_Option, ...]]:
        alone = [[option.cost + self._foreign_cost(option) for option in choices] for choices in options]
        if len(options) == 1:
            best = min(range(len(options[0])), key=lambda k: alone[0][k])
            return alone[0][best] - options[0][best].cost, (options[0][best],)
        memo: dict[tuple[int, int, int, int], float] = {}

        def pair(i: int, k: int, j: int, n: int) -> float:
            key = (i, k, j, n)
            if key not in memo:
                memo[key] = self._pair_cost(options[i][k], options[j][n])
            return memo[key]

        def total(picked: tuple[int, ...]) -> float:
            cost = sum(alone[i][k] for i, k in enumerate(picked))
            return cost + sum(
                pair(i, picked[i], j, picked[j]) for i in range(len(picked)) for j in range(i + 1, len(picked))
            )

        if math.prod(map(len, options)) <= _MOST_COMBINATIONS:
            best_pick = min(product(*(range(len(choices)) for choices in options)), key=total)
        else:
            best_pick = tuple(min(range(len(row)), key=row.__getitem__) for row in alone)
            for i in [*range(len(options))] * 3:
                head, tail = best_pick[:i], best_pick[i + 1 :]
                best_pick = min(((*head, k, *tail) for k in range(len(options[i]))), key=total)
        picked = tuple(options[i][k] for i, k in enumerate(best_pick))
        return total(best_pick) - sum(option.cost for option in picked), picked

    def _foreign_cost(self, option: _Option) -> float:
        rim = min(_rim_room(x, y, self.layout, self.across) - r for x, y, r in option.mark.bulk) / self.across
        cost = _OVERLAP_COST * max(0.0, _RIM_GAP - rim)
        return cost + self._on_track(option.mark, self.foreign)

    def _on_track(self, mark: Mark, points: list[Point] | tuple[Point, ...]) -> float:
        if not points:
            return 0.0
        half = TRACK_WIDTH / 2 * self.across
        room = min(math.hypot(px - x, py - y) - r - half for px, py in points for x, y, r in mark.bulk)
        return _OVERLAP_COST * max(0.0, _GAP - room / self.across)

    def _pair_cost(self, one: _Option, other: _Option) -> float:
        room = min(
            math.hypot(x1 - x2, y1 - y2) - r1 - r2 for x1, y1, r1 in one.mark.bulk for x2, y2, r2 in other.mark.bulk
        )
        cost = 2 * _OVERLAP_COST * max(0.0, _GAP - room / self.across)
        linked = End(EndKind.STOP, other.mark.index) in self.links[one.mark.index]
        if not linked:
            cost += self._on_track(one.mark, other.track) + self._on_track(other.mark, one.track)
        return cost

    def _options(self, index: int) -> list[_Option]:
        site, exits = self.sites[index], self.exits[index]
        places = self._hinted(site, index) if site.at else self._free(index)
        found = []
        for cost, at, along in places:
            mark = self._mark(index, at, along)
            track = tuple(
                point for exit_ in exits for point in arc_from(*self._edge(exit_), at).points(_SAMPLE * self.across)
            )
            found.append(_Option(cost, mark, track))
        return found

    def _mark(self, index: int, at: Point, along: float | None) -> Mark:
        """The mark of a stop at a place; `along` is the direction of the track there, if it is known."""
        site = self.sites[index]
        if site.slots:
            angle = self._row(index, at) if site.slots == 2 else 0.0
            return city_mark(index, site.kind, site.slots, at=at, angle=angle, slot_mm=self.slot, across_mm=self.across)
        ends = len(self.exits[index]) + len(self.links[index])
        if along is None and ends == 2:
            along = self._along(index, at)
        return town_mark(
            index,
            site.kind,
            at=at,
            angle=(along or 0.0) + math.pi / 2,
            bar=ends == 2 and along is not None,
            across_mm=self.across,
        )

    def _along(self, index: int, at: Point) -> float:
        """The direction in which two tracks together pass a stop that is not on a common arc."""
        ways = [arc_from(*self._edge(exit_), at).heading(1.0) for exit_ in self.exits[index]]
        for link in self.links[index]:
            hint = self.sites[link.index].at if link.kind is EndKind.STOP and link.index < len(self.sites) else None
            x, y = self._towards(hint.edge, (hint.distance or 0.577) / 2) if hint else (0.0, 0.0)
            ways.append(math.atan2(at[1] - y, at[0] - x))
        dx = math.cos(ways[0]) - math.cos(ways[1])
        dy = math.sin(ways[0]) - math.sin(ways[1])
        return math.atan2(dy, dx) if math.hypot(dx, dy) > 1e-6 else ways[0]

    def _row(self, index: int, at: Point) -> float:
        """The direction of a row of two slots: across its track, and round the hex when off its centre."""
        if math.hypot(*at) > 0.05 * self.across:
            return math.atan2(at[1], at[0]) + math.pi / 2
        exits = [edge_angle(edge, self.layout) for edge, _ in self.exits[index]]
        turns = [math.radians(30 * k) for k in range(6)]
        level = {0: 0, 1: 1, 5: 1, 2: 2, 4: 2, 3: 3}
        costs = [sum(math.cos(turn - way) ** 2 for way in exits) + 0.01 * level[k] for k, turn in enumerate(turns)]
        return turns[min(range(6), key=lambda k: costs[k])]

    def _hinted(self, site: _Site, index: int) -> list[_Spot]:
        assert site.at is not None
        if site.at.distance is not None:
            return [(0.0, self._towards(site.at.edge, site.at.distance / 2), None)]
        joined = any(self._is_central(link) for link in self.links[index])
        best = 0.37 if joined and not site.slots else 0.2887
        shifts = (0.0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06)
        return [(abs(shift) * 5, self._towards(site.at.edge, best + shift), None) for shift in shifts]

    def _is_central(self, link: End) -> bool:
        at = self.sites[link.index].at if link.kind is EndKind.STOP and link.index < len(self.sites) else None
        return at is not None and at.distance == 0

    def _free(self, index: int) -> list[_Spot]:
        exits, links = self.exits[index], self.links[index]
        alone = len(self.drawn) == 1
        if len(exits) == 2 and not links and (not alone or not self.sites[index].slots):
            return self._on_arc(exits[0], exits[1])
        if alone and not self.foreign:
            return [(0.0, (0.0, 0.0), None)]
        partner = self._partner(index)
        if partner is not None:
            return self._on_chain(index, partner)
        if len(exits) == 1 and len(links) == 1 and not self.sites[index].slots:
            return [
                (abs(d - 0.32) * 3, self._towards(exits[0][0], d), edge_angle(exits[0][0], self.layout))
                for d in (0.32, 0.34, 0.36, 0.3, 0.28)
            ]
        if exits:
            return self._near_exits(index)
        return self._spread(index)

    def _on_arc(self, one: tuple[int, Lane | None], other: tuple[int, Lane | None]) -> list[_Spot]:
        (start, leave), (end, back) = self._edge(one), self._edge(other)
        arc = join(start, leave, end, (-back[0], -back[1]))
        spots = (0.5, 0.44, 0.56, 0.38, 0.62, 0.33, 0.67, 0.28, 0.72, 0.24, 0.76)
        return [(abs(t - 0.5) * 4, arc.at(t), arc.heading(t)) for t in spots]

    def _partner(self, index: int) -> int | None:
        """The town with which this one shares a run of track from edge to edge (tile 71)."""
        links = self.links[index]
        if len(links) != 1 or links[0].kind is not EndKind.STOP or links[0].index >= len(self.sites):
            return None
        other = links[0].index
        towns = all(not self.sites[k].slots and self.sites[k].drawn for k in (index, other))
        single = all(len(self.exits[k]) == 1 and len(self.links[k]) == 1 for k in (index, other))
        return other if towns and single and self.exits[index] != self.exits[other] else None

    def _on_chain(self, index: int, partner: int) -> list[_Spot]:
        (start, leave), (end, back) = self._edge(self.exits[index][0]), self._edge(self.exits[partner][0])
        arc = join(start, leave, end, (-back[0], -back[1]))
        return [(abs(t - 0.32) * 4, arc.at(t), arc.heading(t)) for t in (0.32, 0.28, 0.36, 0.24)]

    def _near_exits(self, index: int) -> list[_Spot]:
        edges = [edge for edge, _ in self.exits[index]]
        if len(edges) == 1:
            best = 0.3 if self.sites[index].slots else 0.26
            found: list[_Spot] = [
                (abs(d - best) * 6, self._towards(edges[0], d), None) for d in (best, 0.27, 0.33, 0.24, 0.21, 0.18)
            ]
            for turn in (0.25, -0.25, 0.5, -0.5):
                found += [(0.6 + abs(turn), self._towards(edges[0] + turn, d), None) for d in (0.3, 0.25)]
            return found
        x = sum(math.cos(edge_angle(edge, self.layout)) for edge in edges)
        y = sum(math.sin(edge_angle(edge, self.layout)) for edge in edges)
        length = math.hypot(x, y)
        ways = (
            [(x / length, y / length)] if length > 0.1 else [self._towards(k / 2, 1 / self.across) for k in range(12)]
        )
        if length > 0.1:
            turned = [math.atan2(y, x) + math.radians(turn) for turn in (30, -30)]
            ways += [(math.cos(turn), math.sin(turn)) for turn in turned]
        found = [(0.0, (0.0, 0.0), None)]
        for number, way in enumerate(ways):
            for d in (0.06, 0.1, 0.14, 0.18, 0.22, 0.26):
                at = (way[0] * d * self.across, way[1] * d * self.across)
                found.append((d * 1.5 + (0.4 if number and length > 0.1 else 0.0), at, None))
        return found

    def _spread(self, index: int) -> list[_Spot]:
        """Places for a stop without an exit: fixed ones when no stop has any, else a ring."""
        idle = [k for k in self.drawn if self.sites[k].at is None]
        if not any(self.exits[k] for k in self.drawn) and not self.foreign:
            return [(0.0, self._scattered(idle.index(index), len(idle), bool(self.sites[index].slots)), None)]
        found: list[_Spot] = [(0.3, (0.0, 0.0), None)]
        for k in range(12):
            found += [(abs(d - 0.28) * 4, self._towards(k / 2, d), None) for d in (0.28, 0.32, 0.24)]
        return found

    def _scattered(self, number: int, count: int, city: bool) -> Point:
        if count == 1:
            return 0.0, 0.0
        if count == 2:
            reach = (0.2 if city else 0.15) * self.across
            return (-reach, 0.0) if number == 0 else (reach, 0.0)
        radius = {3: 0.215, 4: 0.24}.get(count, 0.335) * self.across
        first = -math.pi * (0.75 if count == 4 else 0.5)
        turn = first + 2 * math.pi * number / count
        return radius * math.cos(turn), radius * math.sin(turn)


def _both_ways(segment: Segment) -> tuple[tuple[End, End, Lane | None], ...]:
    """Each end with the opposite end and the lane at that opposite end."""
    lanes = segment.lanes or (None, None)
    return (segment.a, segment.b, lanes[1]), (segment.b, segment.a, lanes[0])


def _rim_room(x: float, y: float, layout: Layout, across_mm: float) -> float:
    """Distance from a point to the nearest edge of the hex."""
    return across_mm / 2 - max(x * math.cos(way) + y * math.sin(way) for way in _EDGE_WAYS[layout])


_EDGE_WAYS = {layout: tuple(edge_angle(edge, layout) for edge in range(6)) for layout in Layout}
