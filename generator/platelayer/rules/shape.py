"""Shapes of tiles: equal for two tiles if one is the other rotated."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.model.tile import End, EndKind, Tile, edge_end
from platelayer.model.upgrade import COMMON_RULES
from platelayer.rules.replacement import Form, Turned, tile_form

Shape = tuple[object, ...]


def shape(tile: Tile) -> Shape:
    """Stops (kind, slots, size) and track, whatever the tile's rotation and the order of its stops. Lanes and tapering
    do not count, nor does where a stop is drawn."""
    form = tile_form(tile, (), COMMON_RULES)
    return min(_lying(form, turned) for turned in form.turned)


def mirror(tile: Tile) -> Tile:
    """The track of a tile as a mirror shows it, every edge e at (6 - e) mod 6; where stops are drawn is not kept."""
    track = (replace(segment, a=_mirrored(segment.a), b=_mirrored(segment.b)) for segment in tile.track)
    return replace(tile, track=tuple(track))


def _mirrored(end: End) -> End:
    return edge_end(-end.index) if end.kind is EndKind.EDGE else end


def _lying(form: Form, turned: Turned) -> Shape:
    at_junction = dict(form.junction_stops)
    stops: list[Shape] = [
        (kind.value, slots, size or 0, edges, at_junction.get(stop, 0))
        for stop, ((kind, slots, size), edges) in enumerate(zip(form.stops, turned.stops, strict=True))
    ]
    ranks = _ranks(stops)
    # Stops that look alike are distinguished by the stops they are joined to, and these by theirs.
    for _ in range(len(stops) if form.links else 0):
        joined: list[list[tuple[int, int]]] = [[] for _ in stops]
        for (a, b), gauges in form.links:
            joined[a].append((gauges, ranks[b]))
            joined[b].append((gauges, ranks[a]))
        ranks = _ranks([(rank, tuple(sorted(links))) for rank, links in zip(ranks, joined, strict=True)])
    links = sorted((*sorted((ranks[a], ranks[b])), gauges) for (a, b), gauges in form.links)
    return tuple(sorted(stops)), turned.joined, turned.junction, tuple(links)


def _ranks(values: list[Shape]) -> list[int]:
    """Place of each value among the sorted different ones."""
    order = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return [order[value] for value in values]
