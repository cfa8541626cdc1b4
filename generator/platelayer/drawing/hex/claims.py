"""The claims of stops: of several in a hex, each has a room of its own, in which its name, value
and table stand.

The nearest stop of a word is its own by a factor of APART, and no line that divides the hex runs
between the two. Where no such place is free, a leader runs from the word to its stop.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from platelayer.drawing.hex.curves import Curve
from platelayer.drawing.hex.ground import dividing_lines
from platelayer.drawing.hex.places import Disc, box_distance
from platelayer.drawing.hex.plan import Plan
from platelayer.drawing.hex.stop_marks import Mark
from platelayer.drawing.hex.track import segments_bulk, taper_bulk
from platelayer.model.hexes import Layout, edge_point
from platelayer.model.tile import Segment, StopKind, Tile, stop_end
from platelayer.scene.belonging import APART
from platelayer.scene.flatten import Line, distance_to_line, lines_cross
from platelayer.scene.shapes import Point, middle_of

# Distances are shares of the hex.
_OFF_LINE = 0.007
"""Words keep this from a line that divides their hex."""
_SPARE = 0.008
"""Circles that cover a stop are a little larger than it."""
_LONGEST = 0.36
"""The longest leader."""
_OFF_LEADER = 0.012
"""A leader keeps this from other stops and their track."""

_LONG_COST, _ACROSS_COST = 3.0, 6.0
"""For the longest leader, and for one across track: mm of room, as all costs of places."""


class Claim(Struct, frozen=True):
    """A stop, what the `others` cover, `track` that does not lead to it, and the lines that bound
    its region; mm from the centre."""

    mark: Mark
    others: tuple[Disc, ...]
    track: tuple[Disc, ...]
    bounds: tuple[Line, ...]
    across_mm: float

    def holds(self, at: Point, half: Point, radius: float) -> bool:
        """True if a disc, or a box `half` as wide and high as this, is plainly the stop's at a
        place."""
        # Readers judge by the rim of a word, by its letters or by its middle.
        spare = _SPARE * self.across_mm
        for share in (1.0, 0.0) if radius else (1.0, 0.6, 0.0):
            size, off = (half[0] * share, half[1] * share), radius * share
            enough = APART * max(0.0, box_distance(at, size, self.mark.bulk) - off) + off + spare
            if box_distance(at, size, self.others, enough) < enough:
                return False
        return self._is_inside(at, half, radius)

    def leader(self, at: Point, half: Point, radius: float) -> Line | None:
        """The line from the rim of a disc or box to the stop; None where it would be long, or pass
        by another stop."""
        x, y, r = min(self.mark.bulk, key=lambda disc: math.dist(at, disc[:2]) - disc[2])
        dx, dy = x - at[0], y - at[1]
        length = math.hypot(dx, dy)
        if length <= r:
            return None
        ux, uy = dx / length, dy / length
        start = radius or min(
            side / abs(way) for side, way in zip(half, (ux, uy), strict=True) if abs(way) > 1e-9
        )
        if not 0.0 < length - start - r <= _LONGEST * self.across_mm:
            return None
        a, b = (at[0] + ux * start, at[1] + uy * start), (x - ux * r, y - uy * r)
        if self._meets((a, b), self.others) or not self._is_inside(at, half, radius):
            return None
        return a, b

    def leader_cost(self, leader: Line) -> float:
        """Cost of a leader: the shorter the better, and off the track of other stops."""
        longer = math.dist(*leader) / (_LONGEST * self.across_mm)
        return _LONG_COST * longer + (_ACROSS_COST if self._meets(leader, self.track) else 0.0)

    def _meets(self, line: Line, discs: Iterable[Disc]) -> bool:
        gap = _OFF_LEADER * self.across_mm
        return any(distance_to_line((x, y), *line) < r + gap for x, y, r in discs)

    def _is_inside(self, at: Point, half: Point, radius: float) -> bool:
        """True if no line that bounds the region runs through a word, or between it and the
        stop."""
        gap = radius + _OFF_LINE * self.across_mm
        return not any(
            lines_cross(at, self.mark.centre, *line) or line_distance(at, half, line) < gap
            for line in self.bounds
        )


def claims(tile: Tile, plan: Plan, layout: Layout, across_mm: float) -> dict[int, Claim]:
    """The claims of the stops of a hex by index, if there are several."""
    if len(tile.stops) < 2:
        return {}
    marks = [*_shown(tile, plan, layout, across_mm)]
    lines = dividing_lines(tile, layout, across_mm)
    return {
        mark.index: Claim(
            mark,
            tuple(disc for other in marks if other is not mark for disc in other.bulk),
            tuple(segments_bulk(_foreign(tile, plan, mark.index), across_mm)),
            tuple(
                line
                for line in lines
                if all(distance_to_line((x, y), *line) > r for x, y, r in mark.bulk)
            ),
            across_mm,
        )
        for mark in (marks if len(marks) > 1 else ())
    }


def _shown(tile: Tile, plan: Plan, layout: Layout, across_mm: float) -> Iterator[Mark]:
    """The marks of all stops, and what stands for the mark of an off-board: the ends of its track,
    else the place of its hint."""
    for index, (stop, mark) in enumerate(zip(tile.stops, plan.marks, strict=True)):
        if stop.hidden:
            continue
        if mark is not None:
            yield mark
            continue
        end = stop_end(index)
        curves = [
            curve if segment.a == end else curve.reversed()
            for segment, curve in zip(tile.track, plan.curves, strict=True)
            if end in segment.ends
        ]
        tips = [curve.p0 for curve in curves]
        if stop.at is not None and not tips:
            distance = 0.5 if stop.at.distance is None else stop.at.distance
            tips = [edge_point(stop.at.edge, layout, distance * across_mm / 2)]
        if tips:
            x, y = middle_of(tips)
            bulk = [disc for curve in curves for disc in taper_bulk(curve, across_mm)] or [
                (x, y, 0.0)
            ]
            marks = [disc for mark in plan.marks if mark is not None for disc in mark.bulk]
            # What runs below another stop shows nothing.
            bulk = [
                disc for disc in bulk if box_distance(disc[:2], (0.0, 0.0), marks) > 0.0
            ] or bulk
            yield Mark(
                index, StopKind.OFFBOARD, x, y, math.atan2(-y, -x), (), 0.0, False, tuple(bulk)
            )


def _foreign(tile: Tile, plan: Plan, index: int) -> Iterator[tuple[Segment, Curve]]:
    """Track that does not lead to a stop."""
    pairs = zip(tile.track, plan.curves, strict=True)
    return ((segment, curve) for segment, curve in pairs if stop_end(index) not in segment.ends)


def line_distance(at: Point, half: Point, line: Line) -> float:
    """From a box to a line; 0 where it runs through."""
    (x, y), (w, h) = at, half
    corners = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    if any(lines_cross(*line, corners[k - 1], corners[k]) for k in range(4)):
        return 0.0
    ends = (box_distance(at, half, ((*point, 0.0),)) for point in line)
    return min(*ends, *(distance_to_line(corner, *line) for corner in corners))
