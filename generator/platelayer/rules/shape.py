"""A tile in, its shape out: equal for two tiles exactly when one is the other turned."""

from __future__ import annotations

from dataclasses import replace

from platelayer.model.tile import End, EndKind, Tile, edge_end
from platelayer.model.upgrade import COMMON_RULES
from platelayer.rules.replacement import Form, Turned, tile_form

Shape = tuple[object, ...]


def shape(tile: Tile) -> Shape:
    """Stops (kind, slots, size) and track, whichever way the tile lies. Lanes and tapering do not count, nor does where
    a stop is drawn."""
    form = tile_form(tile, (), COMMON_RULES)
    return min(_lying(form, turned) for turned in form.turned)


def mirror(tile: Tile) -> Tile:
    """The track of a tile as a mirror shows it, every edge e at (6 - e) mod 6; where stops are drawn is not kept."""
    track = (replace(segment, a=_mirrored(segment.a), b=_mirrored(segment.b)) for segment in tile.track)
    return replace(tile, track=tuple(track))


def _mirrored(end: End) -> End:
    return edge_end(-end.index) if end.kind is EndKind.EDGE else end


def _lying(form: Form, turned: Turned) -> Shape:
    stops = [
        (kind.value, slots, size or 0, edges)
        for (kind, slots, size), edges in zip(form.stops, turned.stops, strict=True)
    ]
    order = sorted(range(len(stops)), key=stops.__getitem__)
    rank = {stop: place for place, stop in enumerate(order)}
    links = tuple(sorted((*sorted((rank[a], rank[b])), gauges) for (a, b), gauges in form.links))
    junction_stops = tuple(sorted((rank[stop], gauges) for stop, gauges in form.junction_stops))
    return tuple(stops[stop] for stop in order), turned.joined, turned.junction, links, junction_stops
