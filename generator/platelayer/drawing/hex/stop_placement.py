"""Placement of stops: the candidate places that together keep the stops apart best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

from msgspec import Struct

from platelayer.drawing.hex.stop_candidates import MANY, along, row_angle, spots
from platelayer.drawing.hex.stop_links import TRACK_WIDTH, Ways
from platelayer.drawing.hex.stop_marks import BOX, Mark, city_mark, ring_mark, town_mark
from platelayer.foundation.ties import measured
from platelayer.model.hexes import EDGES, Layout, edge_angle
from platelayer.model.tile import End, EndKind, StopKind
from platelayer.scene.shapes import Point

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
_LEAST_SLOT = 0.7
_SIDE_COST = 1.0

_PairCost = Callable[[int, int, int, int], float]
_EDGE_WAYS = {
    layout: tuple((math.cos(angle), math.sin(angle)) for angle in (edge_angle(edge, layout) for edge in EDGES))
    for layout in Layout
}


class _Option(Struct, frozen=True):
    """A place for a stop: what choosing it costs, the mark there, and points along its own track."""

    cost: float
    mark: Mark
    track: tuple[Point, ...]


def choose_marks(ways: Ways, full_mm: float, *, may_shrink: bool) -> tuple[Mark | None, ...]:
    """A mark for each stop (None: not drawn): the places that cost least together. Slots are `full_mm` wide; if they
    `may_shrink`, they are narrower where they must."""
    slots = any(ways.sites[index].slots for index in ways.drawn)
    slot_mm = full_mm
    rooms = _Rooms(ways)
    picked: tuple[_Option, ...] = ()
    if len(ways.drawn) > MANY:
        picked = tuple(_options(ways, index, slot_mm)[0] for index in ways.drawn)
    while ways.drawn and len(ways.drawn) <= MANY:
        picked = _best(rooms, [_options(ways, index, slot_mm) for index in ways.drawn])
        if not (slots and may_shrink) or slot_mm < full_mm * _LEAST_SLOT or rooms.overlap(picked) < _TOLERANCE:
            break
        slot_mm *= 0.95
    chosen = {option.mark.index: option.mark for option in picked}
    return tuple(chosen.get(index) for index in range(len(ways.sites)))


def _options(ways: Ways, index: int, slot_mm: float) -> list[_Option]:
    several = len(ways.drawn) > 1
    found = []
    for cost, at, heading in spots(ways, index):
        track: tuple[Point, ...] = ()
        if several:
            curves = (ways.approach(way, at) for way in ways.exits[index])
            track = tuple(point for curve in curves for point in curve.points(_SAMPLE * ways.across))
        found.append(_Option(cost, _mark(ways, index, at, heading, slot_mm), track))
    if _two_doubles(ways):
        found += _side_by_side(ways, index, slot_mm)
    return found


def _two_doubles(ways: Ways) -> bool:
    """True for two cities of two slots each: they fill the hex, and have room only side by side."""
    return len(ways.drawn) == 2 and all(ways.sites[index].slots == 2 for index in ways.drawn)


def _side_by_side(ways: Ways, index: int, slot_mm: float) -> list[_Option]:
    """Places for one of two rows that lie along each other, one on either side of the middle, in every direction."""
    site, found = ways.sites[index], []
    off = slot_mm / 2 + (BOX + _GAP / 2) * ways.across
    for k in range(12):
        turn = math.radians(30 * k)
        at = (off * math.cos(turn), off * math.sin(turn))
        curves = (ways.approach(way, at) for way in ways.exits[index])
        track = tuple(point for curve in curves for point in curve.points(_SAMPLE * ways.across))
        mark = city_mark(index, site.kind, 2, at=at, angle=turn + math.pi / 2, slot_mm=slot_mm, across_mm=ways.across)
        found.append(_Option(_SIDE_COST, mark, track))
    return found


def _mark(ways: Ways, index: int, at: Point, heading: float | None, slot_mm: float) -> Mark:
    site = ways.sites[index]
    if site.slots:
        slanting = site.slots == 2 and site.kind is not StopKind.PASS
        angle = row_angle(ways, index, at) if slanting else 0.0
        across = ways.across
        return city_mark(
            index, site.kind, site.slots, at=at, angle=angle, slot_mm=slot_mm, across_mm=across, size=site.size
        )
    if site.boom or site.kind is StopKind.HALT:
        return ring_mark(index, site.kind, at=at, boom=site.boom, across_mm=ways.across)
    through = len(ways.exits[index]) + len(ways.links[index]) == 2
    if heading is None and through:
        heading = along(ways, index, at)
    angle = (heading or 0.0) + math.pi / 2
    return town_mark(index, site.kind, at=at, angle=angle, bar=through, across_mm=ways.across)


def _best(rooms: _Rooms, options: list[list[_Option]]) -> tuple[_Option, ...]:
    """One option for each stop."""
    alone = [[measured(option.cost + rooms.alone_cost(option)) for option in choices] for choices in options]
    if len(options) == 1:
        return (options[0][min(range(len(alone[0])), key=alone[0].__getitem__)],)
    memo: dict[tuple[int, int, int, int], float] = {}

    def pair(i: int, k: int, j: int, n: int) -> float:
        key = (i, k, j, n) if i < j else (j, n, i, k)
        if key not in memo:
            memo[key] = measured(rooms.pair_cost(options[i][k], options[j][n]))
        return memo[key]

    if math.prod(map(len, options)) <= _MOST_COMBINATIONS:
        best = _best_of_all(alone, pair)
    else:
        best = _best_in_turn(alone, pair)
    return tuple(options[i][k] for i, k in enumerate(best))


def _best_of_all(alone: list[list[float]], pair: _PairCost) -> tuple[int, ...]:
    every = product(*(range(len(row)) for row in alone))
    ranked = sorted((measured(math.fsum(alone[i][k] for i, k in enumerate(picked))), picked) for picked in every)
    least, best = math.inf, ranked[0][1]
    for cost, picked in ranked:
        if cost >= least:
            break
        pairs = math.fsum(
            pair(i, picked[i], j, picked[j]) for i in range(len(picked)) for j in range(i + 1, len(picked))
        )
        whole = measured(cost + pairs)
        if whole < least:
            least, best = whole, picked
    return best


def _best_in_turn(alone: list[list[float]], pair: _PairCost) -> tuple[int, ...]:
    """For many stops: each in turn takes its best place beside the others, in three rounds."""
    best = [min(range(len(row)), key=row.__getitem__) for row in alone]
    for i in [*range(len(alone))] * 3:
        others = [(j, n) for j, n in enumerate(best) if j != i]
        costs = [measured(cost + math.fsum(pair(i, k, j, n) for j, n in others)) for k, cost in enumerate(alone[i])]
        best[i] = min(range(len(costs)), key=costs.__getitem__)
    return tuple(best)


class _Rooms:
    """Distances between marks, track and rim of one hex, as shares of the hex."""

    def __init__(self, ways: Ways) -> None:
        self.ways = ways
        self.passing = [point for curve in ways.passing() for point in curve.points(_SAMPLE * ways.across)]

    def alone_cost(self, option: _Option) -> float:
        """What a place costs beside what is there anyway."""
        return _OVERLAP_COST * max(0.0, _RIM_GAP - self.to_rim(option.mark)) + _near(
            self.to_track(option.mark, self.passing)
        )

    def pair_cost(self, one: _Option, other: _Option) -> float:
        """What two places cost beside each other."""
        cost = 2 * _OVERLAP_COST * max(0.0, _GAP - self.between(one.mark, other.mark))
        if self._apart(one, other):
            cost += _near(self.to_track(one.mark, other.track)) + _near(self.to_track(other.mark, one.track))
        return cost

    def overlap(self, picked: tuple[_Option, ...]) -> float:
        """How far places fall short of their distances."""
        worst = [_GAP - self.to_track(option.mark, self.passing) for option in picked]
        worst += [_RIM_GAP - self.to_rim(option.mark) for option in picked]
        for i, one in enumerate(picked):
            worst += [_GAP - self.between(one.mark, other.mark) for other in picked[:i]]
            worst += [_GAP - self.to_track(one.mark, other.track) for other in picked if self._apart(one, other)]
        return max(worst)

    def _apart(self, one: _Option, other: _Option) -> bool:
        return one is not other and End(EndKind.STOP, other.mark.index) not in self.ways.links[one.mark.index]

    def to_rim(self, mark: Mark) -> float:
        """From a mark to the nearest edge."""
        edges = _EDGE_WAYS[self.ways.layout]
        reach = max(x * wx + y * wy + r for x, y, r in mark.bulk for wx, wy in edges)
        return 0.5 - reach / self.ways.across

    def between(self, one: Mark, other: Mark) -> float:
        """Between two marks."""
        room = min(math.hypot(a - x, b - y) - r - q for a, b, r in one.bulk for x, y, q in other.bulk)
        return room / self.ways.across

    def to_track(self, mark: Mark, points: Sequence[Point]) -> float:
        """From a mark to track."""
        if not points:
            return 1.0
        room = min(math.hypot(a - x, b - y) - r for a, b in points for x, y, r in mark.bulk)
        return room / self.ways.across - TRACK_WIDTH / 2


def _near(room: float) -> float:
    return _OVERLAP_COST * max(0.0, _GAP - room) + _NEAR_COST * max(0.0, _AIRY - room)
