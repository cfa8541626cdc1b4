"""Track of 18xx-maker, which is drawn, as what it joins.

18xx-maker draws curves and places stops by angle and distance; nothing says which stop a curve
leads to. A curve leads to a stop that lies on it, or where it ends. Lengths are in apothems; angles
turn clockwise from side 1.
"""

from __future__ import annotations

import math
import re
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
_APOTHEM = 85.0
"""That of a hex, in the units of paths, whose y axis points to side 1."""
_LONGEST = 400
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,20})?")
_ABSOLUTE = re.compile(r"[mM][-0-9., ]*(?:[LCQA][-0-9., ]*)+")
_BEYOND = 0.15
"""How far beyond its drawn end, as a part of its whole, a curve still leads to a stop."""
_RIM = 0.8
"""How far out it is at least that something lies on an edge."""
_STEPS = 24
_TURNS = {"sharp": 1, "gentle": 2, "straight": 3, "mid": 3, "bent": 2}
GAUGES = {"narrow": "narrow", "dual": "dual"}
_STUBS = (
    "stub",
    "stop",
    "straightStop",
    "gentleStop",
    "gentleStopRev",
    "sharpStop",
    "sharpStopRev",
)


class Spot(Struct, frozen=True, kw_only=True):
    """Where a stop lies, and whether the track of a hex without a direction leads to it."""

    at: Point
    offboard: bool = False


def place(raw: Json, turn: int = 0) -> Point:
    """The point of something with an angle, or a side, and a distance from the centre. Angles turn
    from the foot of the sheet, also on a pointy map (`turn` 1), where side 1 is at the left."""
    angle, side = raw.get("angle"), raw.get("side", 1)
    edge = side - 1 if angle is None else (angle - 90 * turn) / 60
    return _towards(edge, float(raw.get("percent") or 0))


def edge_at(raw: Json, turn: int) -> int | None:
    """The edge at whose middle something lies, None for what lies elsewhere."""
    x, y = place(raw, turn)
    towards = math.degrees(math.atan2(y, x)) / 60
    near_edge = math.hypot(x, y) > _RIM and abs(towards - round(towards)) < _NEAR
    return (round(towards) + turn) % 6 if near_edge else None


def _towards(edge: float, distance: float) -> Point:
    turned = math.radians(60 * edge)
    return distance * math.cos(turned), distance * math.sin(turned)


def segments(track: list[Json], spots: list[Spot]) -> tuple[list[list[Any]], list[str]]:
    """Segments between edges, stops and the junction, and what could not be told."""
    inward: list[list[Any]] = []
    lost: list[str] = []
    loose: list[tuple[int, Json]] = []
    curves: list[tuple[int, Json]] = []
    for segment in track:
        kind = segment.get("type")
        side = int(segment.get("side", 1)) - 1
        if segment.get("gauge") == "line" or segment.get("hidden"):
            continue
        ends = _ends_of_path(segment, side, spots) if kind == "custom" else None
        if ends is not None:
            inward.append(_with(ends, segment))
        elif kind == "custom" or kind in _STUBS:
            lost.append(f"{kind} track")
        elif kind in _TURNS:
            curves.append((side, segment))
        else:
            loose.append((side, segment))
    inward += _inward(loose, spots, lost)
    passed = [_passed(side, arc, spots) for side, arc in curves]
    reached = {end for segment in inward for end in segment[:2]} | {
        f"stop:{index}" for stops in passed for _, index in stops
    }
    for index, spot in enumerate(spots):
        if f"stop:{index}" not in reached and curves:
            apart, step, curve = min(
                (*_closest(side, raw, spot.at), number) for number, (side, raw) in enumerate(curves)
            )
            free = [number for number, stops in enumerate(passed) if not stops]
            if apart <= _FAR:
                passed[curve].append((step, index))
            elif free:
                passed[free[0]].append((0.5, index))
    curved = [
        segment
        for (side, arc), stops in zip(curves, passed, strict=True)
        for segment in _curve(side, arc, spots, stops)
    ]
    return _each_once([*curved, *inward]), lost


def _ends_of_path(segment: Json, side: int, spots: list[Spot]) -> list[Any] | None:
    """What a path that the game draws itself joins: edges that it begins or ends at, or the stops
    nearest to there. None for one whose ends are not said in coordinates, or that joins nothing."""
    path = str(segment.get("path") or "")
    numbers = [float(number) for number in _NUMBER.findall(path)] if len(path) <= _LONGEST else []
    if not _ABSOLUTE.fullmatch(path) or len(numbers) < 4:
        return None
    ends: list[Any] = []
    for x, y in (numbers[:2], numbers[-2:]):
        far, towards = math.hypot(x, y) / _APOTHEM, math.degrees(math.atan2(-x, y)) / 60 + side
        at_edge = far > _RIM and abs(towards - round(towards)) < _NEAR
        if not at_edge and not spots:
            return None
        ends.append(round(towards) % 6 if at_edge else _nearest(_towards(towards, far), spots))
    return ends if ends[0] != ends[1] else None


def _inward(loose: list[tuple[int, Json]], spots: list[Spot], lost: list[str]) -> list[list[Any]]:
    """Track from an edge to the middle: to a stop there, else to the nearest towards the edge, else
    to a junction."""
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
    wanted = [index for index, spot in enumerate(spots) if spot.offboard == offboard] or list(
        range(len(spots))
    )
    central = [index for index in wanted if math.hypot(*spots[index].at) < _NEAR]
    if len(central) == 1:
        return central[0]
    edge = _towards(side, 1)
    return min(wanted, key=lambda index: (round(math.dist(spots[index].at, edge), 6), index))


def _closest(side: int, raw: Json, spot: Point) -> tuple[float, float]:
    """How near what is drawn of a curve comes to a point, and how far along."""
    first, last = _ends(raw)
    drawn = [
        step for step in range(_STEPS + 1) if first - _BEYOND <= step / _STEPS <= last + _BEYOND
    ]
    apart, step = min(
        (round(math.dist(_at(raw["type"], side, step / _STEPS), spot), 9), step) for step in drawn
    )
    return apart, step / _STEPS


def _ends(raw: Json) -> tuple[float, float]:
    """The part of a curve that is drawn, from 0 to 1."""
    first, last = float(raw.get("start") or 0), float(raw.get("end") or 1)
    return (first, last) if 0 <= first < last <= 1 else (0.0, 1.0)


def _passed(side: int, raw: Json, spots: list[Spot]) -> list[tuple[float, int]]:
    """The stops on a curve, with how far along they lie."""
    passed: list[tuple[float, int]] = []
    for index, spot in enumerate(spots):
        apart, along = _closest(side, raw, spot.at)
        if apart <= _NEAR:
            passed.append((along, index))
    return passed


def _curve(
    side: int, raw: Json, spots: list[Spot], passed: list[tuple[float, int]]
) -> list[list[Any]]:
    """A curve between two edges, cut at the stops on it; one that ends on its way leads to the
    nearest stop."""
    other = (side + _TURNS[raw["type"]]) % 6
    first, last = _ends(raw)
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
