"""Track of 18xx-maker, which is drawn, as what it joins.

18xx-maker draws curves and places stops by angle and distance; nothing says which stop a curve leads to. A curve leads
to a stop that lies on it, or where it ends. Lengths are in apothems; angles turn clockwise from side 1.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from msgspec import Struct

from platelayer.model.hexes import COS_30

Json = dict[str, Any]
Point = tuple[float, float]

_NEAR = 0.24
"""How far from a stop a curve may pass that leads through it."""
_FAR = 0.75
"""How far it may be at most from a stop that no other track leads to."""
_STEPS = 24
_TURNS = {"sharp": 1, "gentle": 2, "straight": 3, "mid": 3, "bent": 2}
GAUGES = {"narrow": "narrow", "dual": "dual"}
_STUBS = ("stub", "stop", "straightStop", "gentleStop", "gentleStopRev", "sharpStop", "sharpStopRev")


class Spot(Struct, frozen=True, kw_only=True):
    """Where a stop lies, and whether the track of a hex without a direction leads to it."""

    at: Point
    offboard: bool = False


def place(raw: Json) -> Point:
    """The point of something with an angle, or a side, and a distance from the centre."""
    angle = raw.get("angle")
    if angle is None:
        angle = 60 * (raw["side"] - 1) if "side" in raw else 0
    distance = float(raw.get("percent") or 0)
    return _towards(float(angle) / 60, distance)


def _towards(edge: float, distance: float) -> Point:
    turned = math.radians(60 * edge)
    return distance * math.cos(turned), distance * math.sin(turned)


def segments(track: list[Json], spots: list[Spot]) -> tuple[list[list[Any]], list[str]]:
    """Segments between edges, stops and the junction, and what could not be told."""
    drawn: list[list[Any]] = []
    lost: list[str] = []
    loose: list[tuple[int, Json]] = []
    curves: list[tuple[int, Json]] = []
    for segment in track:
        kind = segment.get("type")
        side = int(segment.get("side", 1)) - 1
        if segment.get("gauge") == "line" or segment.get("hidden"):
            continue
        if kind == "custom" or kind in _STUBS:
            lost.append(f"{kind} track")
        elif kind in _TURNS:
            curves.append((side, segment))
        else:
            loose.append((side, segment))
    inward = _inward(loose, spots, lost)
    passed = [_passed(side, arc, spots) for side, arc in curves]
    reached = {end for segment in inward for end in segment[:2]} | {
        f"stop:{index}" for stops in passed for _, index in stops
    }
    for index, spot in enumerate(spots):
        if f"stop:{index}" not in reached and curves:
            apart, step, curve = min(
                (*_closest(raw["type"], side, spot.at), number) for number, (side, raw) in enumerate(curves)
            )
            free = [number for number, stops in enumerate(passed) if not stops]
            if apart <= _FAR:
                passed[curve].append((step, index))
            elif free:
                passed[free[0]].append((0.5, index))
    for (side, arc), stops in zip(curves, passed, strict=True):
        drawn += _curve(side, arc, spots, stops)
    drawn += inward
    return _each_once(drawn), lost


def _inward(loose: list[tuple[int, Json]], spots: list[Spot], lost: list[str]) -> list[list[Any]]:
    """Track from an edge to the middle: to a stop there, else to the nearest towards the edge, else to a junction."""
    inward: list[list[Any]] = []
    for side, segment in loose:
        offboard = segment.get("type") == "offboard"
        index = _stop_of(side, spots, offboard=offboard)
        end = "junction" if index is None else f"stop:{index}"
        if index is None and offboard:
            lost.append("track to no off-board")
            continue
        if index is None and len(loose) < 2:
            lost.append("track that ends inside a hex")
        inward.append(_with([side, end], segment))
    return inward


def _stop_of(side: int, spots: list[Spot], *, offboard: bool) -> int | None:
    if not spots:
        return None
    wanted = [index for index, spot in enumerate(spots) if spot.offboard == offboard] or list(range(len(spots)))
    central = [index for index in wanted if math.hypot(*spots[index].at) < _NEAR]
    if len(central) == 1:
        return central[0]
    edge = _towards(side, 1)
    return min(wanted, key=lambda index: (round(math.dist(spots[index].at, edge), 6), index))


def _closest(kind: str, side: int, spot: Point) -> tuple[float, float]:
    """How near a curve comes to a point, and how far along."""
    apart, step = min((round(math.dist(_at(kind, side, step / _STEPS), spot), 9), step) for step in range(_STEPS + 1))
    return apart, step / _STEPS


def _passed(side: int, raw: Json, spots: list[Spot]) -> list[tuple[float, int]]:
    """The stops on a curve, with how far along they lie."""
    first, last = float(raw.get("start") or 0), float(raw.get("end") or 1)
    passed: list[tuple[float, int]] = []
    for index, spot in enumerate(spots):
        apart, along = _closest(raw["type"], side, spot.at)
        if apart <= _NEAR and first - 0.15 <= along <= last + 0.15:
            passed.append((along, index))
    return passed


def _curve(side: int, raw: Json, spots: list[Spot], passed: list[tuple[float, int]]) -> list[list[Any]]:
    """A curve between two edges, cut at the stops on it; one that ends on its way leads to the nearest stop."""
    other = (side + _TURNS[raw["type"]]) % 6
    first, last = float(raw.get("start") or 0), float(raw.get("end") or 1)
    ends: list[Any] = [f"stop:{index}" for _, index in sorted(passed)]
    if first == 0:
        ends.insert(0, side)
    elif not passed:
        ends.insert(0, _nearest(_at(raw["type"], side, first), spots))
    if last == 1:
        ends.append(other)
    elif not passed:
        ends.append(_nearest(_at(raw["type"], side, last), spots))
    return [_with([a, b], raw) for a, b in pairwise(ends) if a != b]


def _nearest(at: Point, spots: list[Spot]) -> str:
    if not spots:
        return "junction"
    return f"stop:{min(range(len(spots)), key=lambda index: (round(math.dist(spots[index].at, at), 6), index))}"


def _at(kind: str, side: int, along: float) -> Point:
    """The point of a curve from a side, from 0 there to 1 at its other end."""
    if kind in {"straight", "mid"}:
        return _towards(side, 1 - 2 * along)
    turn = _TURNS[kind]
    # The centre of an arc lies outside the hex, in the direction between its two edges.
    far, radius, sweep = (1 / COS_30, 0.5 / COS_30, 120) if turn == 1 else (2.0, 1.5 / COS_30, 60)
    middle = _towards(side + turn / 2, far)
    facing = 60 * (side + turn / 2) + 180
    angle = math.radians(facing + sweep * (0.5 - along))
    return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)


def _with(ends: list[Any], raw: Json) -> list[Any]:
    if isinstance(ends[1], int) and not isinstance(ends[0], int):
        ends = ends[::-1]
    more: Json = {}
    if raw.get("gauge") in GAUGES:
        more["gauge"] = GAUGES[raw["gauge"]]
    return [*ends, more] if more else ends


def _each_once(track: list[list[Any]]) -> list[list[Any]]:
    by_ends: dict[str, list[Any]] = {}
    for segment in track:
        by_ends.setdefault(repr((sorted(map(str, segment[:2])), segment[2:])), segment)
    return list(by_ends.values())
