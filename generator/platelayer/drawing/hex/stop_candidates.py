"""Candidate places for a stop."""

from __future__ import annotations

import math

from platelayer.drawing.hex.stop_links import Exit, Ways
from platelayer.foundation.ties import measured
from platelayer.model.tile import End, EndKind
from platelayer.scene.shapes import Point

Spot = tuple[float, Point, float | None]
"""What a place costs, the place in mm, and the direction of track there if it is known."""

_ON_ARC = (0.5, 0.44, 0.56, 0.38, 0.62, 0.33, 0.67, 0.28, 0.72, 0.24, 0.76)
MANY = 9
"""More stops than this in a hex are spread evenly, without looking where their track leads."""
_SHARP = 0.2887
"""How far from the centre the middle of the sharpest curve runs, as a share of the hex."""


def spots(ways: Ways, index: int) -> list[Spot]:
    """Places for one stop: where its hint says, else where its track leads. A stop that is alone sits in the centre,
    unless it is a town on a curve."""
    site, exits, links = ways.sites[index], ways.exits[index], ways.links[index]
    if site.at is not None:
        return _hinted(ways, index)
    if len(ways.drawn) > MANY:
        return [(0.0, _sown(ways, ways.drawn.index(index)), None)]
    alone = len(ways.drawn) == 1
    if len(exits) == 2 and not links and (not alone or not site.slots):
        return _on_arc(ways, index, exits[0], exits[1])
    if alone and not ways.passing():
        return [(0.0, (0.0, 0.0), None)]
    if len(exits) == 1:
        return _one_exit(ways, index)
    return _amid(ways, exits) if exits else _spread(ways, index)


def _one_exit(ways: Ways, index: int) -> list[Spot]:
    site, ((edge, _),) = ways.sites[index], ways.exits[index]
    partner = _partner(ways, index)
    if partner is not None:
        arc = ways.arc(ways.exits[index][0], ways.exits[partner][0])
        return [(abs(t - 0.32) * 4, arc.at(t), arc.heading(t)) for t in (0.32, 0.28, 0.36, 0.24)]
    if len(ways.links[index]) == 1 and not site.slots:
        return [(abs(d - 0.32) * 3, ways.towards(edge, d), ways.angle(edge)) for d in (0.32, 0.34, 0.36, 0.3, 0.28)]
    return _near_edge(ways, edge, best=0.255 if site.slots else 0.24)


def along(ways: Ways, index: int, at: Point) -> float:
    """The direction in which the two tracks of a stop pass it together, in radians."""
    found = [ways.approach(way, at).heading(1.0) for way in ways.exits[index]]
    for link in ways.links[index]:
        hint = ways.hint(link)
        x, y = ways.towards(hint.edge, (hint.distance or 0.577) / 2) if hint else (0.0, 0.0)
        found.append(math.atan2(at[1] - y, at[0] - x))
    dx, dy = math.cos(found[0]) - math.cos(found[1]), math.sin(found[0]) - math.sin(found[1])
    return math.atan2(dy, dx) if math.hypot(dx, dy) > 1e-6 else found[0]


def row_angle(ways: Ways, index: int, at: Point) -> float:
    """The direction of a row of two slots: across its track, and round the hex when off its centre."""
    if math.hypot(*at) > 0.05 * ways.across:
        return math.atan2(at[1], at[0]) + math.pi / 2
    leads = [ways.angle(edge) for edge, _ in ways.exits[index]]
    leads += [ways.angle(hint.edge) for hint in map(ways.hint, ways.links[index]) if hint is not None]
    turns = [math.radians(30 * k) for k in range(6)]
    # The more level of two equally good rows.
    slant = (0, 1, 2, 3, 2, 1)
    level = (math.fsum(math.cos(turn - way) ** 2 for way in leads) for turn in turns)
    costs = [measured(cost + 0.01 * slant[k]) for k, cost in enumerate(level)]
    return turns[min(range(6), key=costs.__getitem__)]


def _hinted(ways: Ways, index: int) -> list[Spot]:
    at = ways.sites[index].at
    assert at is not None
    if at.distance is not None:
        return [(0.0, ways.towards(at.edge, at.distance / 2), None)]
    joined = any(hint is not None and hint.distance == 0 for hint in map(ways.hint, ways.links[index]))
    best = 0.37 if joined and not ways.sites[index].slots else _SHARP
    shifts = (0.0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06)
    return [(abs(shift) * 5, ways.towards(at.edge, best + shift), None) for shift in shifts]


def _on_arc(ways: Ways, index: int, one: Exit, other: Exit) -> list[Spot]:
    """Places along the arc between two edges; for a city of several slots, a little inward of it."""
    arc = ways.arc(one, other)
    found: list[Spot] = [(abs(t - 0.5) * 4, arc.at(t), arc.heading(t)) for t in _ON_ARC]
    x, y = arc.at(0.5)
    if ways.sites[index].slots > 1 and math.hypot(x, y) > 0.1 * ways.across:
        found = [(cost + 0.4, at, heading) for cost, at, heading in found]
        found += [(abs(k - 0.86) * 2, (x * k, y * k), None) for k in (0.93, 0.86, 0.8)]
    return found


def _partner(ways: Ways, index: int) -> int | None:
    """The town with which this one shares a run of track from edge to edge (tile 71)."""
    links = ways.links[index]
    if len(links) != 1 or links[0].kind is not EndKind.STOP or links[0].index >= len(ways.sites):
        return None
    other = links[0].index
    towns = all(not ways.sites[k].slots and ways.sites[k].drawn for k in (index, other))
    single = all(len(ways.exits[k]) == 1 and len(ways.links[k]) == 1 for k in (index, other))
    chained = towns and single and End(EndKind.STOP, index) in ways.links[other]
    return other if chained and ways.exits[index] != ways.exits[other] else None


def _near_edge(ways: Ways, edge: int, *, best: float) -> list[Spot]:
    found: list[Spot] = [(abs(d - best) * 6, ways.towards(edge, d), None) for d in (best, 0.28, 0.3, 0.23, 0.2, 0.17)]
    for turn in (0.25, -0.25, 0.5, -0.5):
        found += [(1.4 + abs(turn), ways.towards(edge + turn, d), None) for d in (0.3, 0.25)]
    return found


def _amid(ways: Ways, exits: tuple[Exit, ...]) -> list[Spot]:
    """The centre, and places off it towards the middle of the exits."""
    leads = [ways.angle(edge) for edge, _ in exits]
    x, y = math.fsum(map(math.cos, leads)), math.fsum(map(math.sin, leads))
    leaning = math.hypot(x, y) > 0.1
    first = math.atan2(y, x) if leaning else 0.0
    turns = (0, 30, -30) if leaning else range(0, 360, 30)
    found: list[Spot] = [(0.0, (0.0, 0.0), None)]
    for turn in turns:
        way = first + math.radians(turn)
        for d in (0.06, 0.1, 0.14, 0.18, 0.22, 0.26):
            cost = d * 1.5 + (0.4 if turn and leaning else 0.0)
            found.append((cost, (math.cos(way) * d * ways.across, math.sin(way) * d * ways.across), None))
    return found


def _spread(ways: Ways, index: int) -> list[Spot]:
    """Places for a stop without an exit: fixed ones when no stop has any, else a ring."""
    idle = [k for k in ways.drawn if ways.sites[k].at is None]
    if not any(ways.exits[k] for k in ways.drawn) and not ways.passing():
        return [(0.0, _scattered(ways, idle.index(index), len(idle), city=bool(ways.sites[index].slots)), None)]
    found: list[Spot] = [(0.3, (0.0, 0.0), None)]
    for k in range(12):
        found += [(abs(d - 0.28) * 4, ways.towards(k / 2, d), None) for d in (0.28, 0.32, 0.24)]
    return found


def _sown(ways: Ways, number: int) -> Point:
    """Places like a sunflower's seeds: as many as there are, all equally far apart."""
    radius = 0.42 * math.sqrt((number + 0.5) / len(ways.drawn)) * ways.across
    turn = number * math.pi * (3 - math.sqrt(5))
    return radius * math.cos(turn), radius * math.sin(turn)


def _scattered(ways: Ways, number: int, count: int, *, city: bool) -> Point:
    if count == 1:
        return 0.0, 0.0
    if count == 2:
        reach = (0.2 if city else 0.15) * ways.across
        return (-reach, 0.0) if number == 0 else (reach, 0.0)
    radius = {3: 0.215, 4: 0.24}.get(count, 0.335) * ways.across
    turn = -math.pi * (0.75 if count == 4 else 0.5) + 2 * math.pi * number / count
    return radius * math.cos(turn), radius * math.sin(turn)
