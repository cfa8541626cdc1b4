"""Whether two definitions are one tile, however it is turned and drawn."""

from __future__ import annotations

from typing import Any

from platelayer.model.hexes import EDGES
from platelayer.model.tile import EndKind, Tile, rotate_tile


def same_tile(one: Tile, other: Tile) -> bool:
    """True for the same colour, labels, stops, revenues, costs and track in some rotation, however
    both are listed; where stops are drawn makes no difference."""
    wanted = _shape(one)
    return any(_shape(rotate_tile(other, turn)) == wanted for turn in EDGES)


def turns(tile: Tile) -> int:
    """The number of different rotations: 1, 2, 3 or 6; after that many turns of 60 degrees it looks
    as before."""
    wanted = _shape(tile)
    return next(turn for turn in (1, 2, 3, 6) if _shape(rotate_tile(tile, turn)) == wanted)


def _shape(tile: Tile) -> Any:
    ends = [_stop_track(tile, index) for index in range(len(tile.stops))]
    stops = sorted(
        (stop.kind.value, stop.slots, str(stop.revenue), stop.groups, stop.hidden, ends[index])
        for index, stop in enumerate(tile.stops)
    )
    plain = sorted(
        (
            sorted((segment.a.index, segment.b.index)),
            segment.gauge.value,
            str(segment.lanes),
            segment.terminal,
        )
        for segment in tile.track
        if segment.a.kind is EndKind.EDGE and segment.b.kind is EndKind.EDGE
    )
    junction = sorted(
        (other.kind.value, other.index if other.kind is EndKind.EDGE else 0, segment.gauge.value)
        for segment in tile.track
        for end, other in (segment.ends, segment.ends[::-1])
        if end.kind is EndKind.JUNCTION
    )
    terrain = sorted((kind.kinds, kind.cost) for kind in tile.terrain)
    labels = sorted((label.text, label.since or "") for label in tile.labels)
    return tile.colour, tile.stripes, labels, terrain, stops, plain, junction


def _stop_track(tile: Tile, index: int) -> Any:
    """Track of one stop: edges, and kinds of other ends, with gauges."""
    return sorted(
        (
            other.kind.value,
            other.index if other.kind is EndKind.EDGE else 0,
            segment.gauge.value,
            segment.terminal,
        )
        for segment in tile.track
        for end, other in (segment.ends, segment.ends[::-1])
        if end.kind is EndKind.STOP and end.index == index
    )
