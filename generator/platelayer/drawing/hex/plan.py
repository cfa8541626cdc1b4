"""The plan of a hex: where each stop sits and how each segment of track runs, in mm from the centre."""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.hex.curves import Curve, join, line
from platelayer.drawing.hex.stop_links import TRACK_WIDTH, Exit, Site, Ways, sites_of
from platelayer.drawing.hex.stop_marks import Mark
from platelayer.drawing.hex.stop_placement import choose_marks
from platelayer.foundation.matrices import direction
from platelayer.foundation.ties import measured
from platelayer.model.hexes import Layout
from platelayer.model.slots import slot_share
from platelayer.model.tile import End, EndKind, Segment, Terminal, Tile
from platelayer.scene.shapes import Point

__all__ = ["TAPER", "TRACK_WIDTH", "Marks", "Plan", "drawn_slot_mm", "plan_hex"]

TAPER = 0.23
"""How far the track of an off-board reaches in from the edge, as a share of the hex."""

Marks = tuple[Mark | None, ...]


class Plan(Struct, frozen=True):
    """Marks by stop (None: not drawn) and curves by segment, from its end `a` to its end `b`."""

    marks: Marks
    curves: tuple[Curve, ...]


def plan_hex(tile: Tile, layout: Layout, across_mm: float) -> Plan:
    """Places of all stops and track of a tile or map hex `across_mm` from flat to flat."""
    return _plan(sites_of(tile), tile.track, layout, across_mm, (slot_share(tile), bool(tile.slot_mm)))


def drawn_slot_mm(tile: Tile, layout: Layout, across_mm: float) -> float:
    """How wide the slots of a hex are drawn; 0 where it draws none."""
    return max((mark.slot_mm for mark in plan_hex(tile, layout, across_mm).marks if mark is not None), default=0.0)


@lru_cache(maxsize=2048)
def _plan(
    sites: tuple[Site, ...], track: tuple[Segment, ...], layout: Layout, across_mm: float, slots: tuple[float, bool]
) -> Plan:
    share, stated = slots
    ways = Ways(sites, track, layout, across_mm)
    marks = choose_marks(ways, share * across_mm, may_shrink=not stated)
    return Plan(marks, tuple(_curve(ways, segment, marks) for segment in track))


def _curve(ways: Ways, segment: Segment, marks: Marks) -> Curve:
    """How one segment runs once the stops have their places."""
    lanes = segment.lanes or (None, None)
    a, b = segment.ends
    if a.kind is EndKind.EDGE and b.kind is EndKind.EDGE:
        return ways.arc((a.index, lanes[0]), (b.index, lanes[1]))
    if a.kind is EndKind.EDGE:
        return _from_edge(ways, (a.index, lanes[0]), b, marks, short=segment.terminal is Terminal.SHORT)
    if b.kind is EndKind.EDGE:
        short = segment.terminal is Terminal.SHORT
        return _from_edge(ways, (b.index, lanes[1]), a, marks, short=short).reversed()
    return _between(a, b, marks)


def _from_edge(ways: Ways, way: Exit, to: End, marks: Marks, *, short: bool) -> Curve:
    mark = _mark_at(to, marks)
    if short:
        return _stub(ways, way)
    if to.kind is EndKind.JUNCTION:
        return ways.approach(way, (0.0, 0.0))
    if mark is not None:
        return ways.approach(way, mark.centre)
    return _stub(ways, way)


def _stub(ways: Ways, way: Exit) -> Curve:
    (x, y), (dx, dy) = ways.edge(way)
    reach = TAPER * ways.across
    return line((x, y), (x + dx * reach, y + dy * reach))


def _between(a: End, b: End, marks: Marks) -> Curve:
    """From stop to stop: straight, except through the bars of towns, where it follows their track."""
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
