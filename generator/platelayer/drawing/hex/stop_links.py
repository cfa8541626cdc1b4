"""Links of stops: their exits, other stops they connect to, and where track meets the edges."""

from __future__ import annotations

from msgspec import Struct

from platelayer.drawing.hex.curves import Curve, arc_from, join
from platelayer.foundation.matrices import direction
from platelayer.model.hexes import Layout, edge_angle, edge_point
from platelayer.model.tile import End, EndKind, Lane, Position, Segment, Stop, StopKind, Tile
from platelayer.scene.shapes import Point

TRACK_WIDTH = 0.0551
"""Width of track as a share of the hex: 2.1 mm on 38.1 mm."""
LANE_PITCH = 0.078
"""Distance between the middles of parallel lanes, as a share of the hex."""

Exit = tuple[int, Lane | None]
"""An edge, and the lane in which track crosses it."""


class Site(Struct, frozen=True):
    """What placement needs to know about a stop: kind, slots, hint, drawn or not, a boomtown or not, the size of a
    pass."""

    kind: StopKind
    slots: int
    at: Position | None
    drawn: bool
    boom: bool = False
    size: int | None = None


def site_of(stop: Stop) -> Site:
    """The site of a stop. Off-boards have no place of their own: a table shows them."""
    drawn = not (stop.hidden or stop.kind is StopKind.OFFBOARD)
    slots = max(1, stop.slots) if stop.kind in (StopKind.CITY, StopKind.PASS) else 0
    return Site(stop.kind, slots, stop.at, drawn, stop.boom, stop.size)


def sites_of(tile: Tile) -> tuple[Site, ...]:
    """The sites of all stops of a tile."""
    return tuple(map(site_of, tile.stops))


def edge_start(edge: int, lane: Lane | None, layout: Layout, across_mm: float) -> tuple[Point, Point]:
    """Where track crosses an edge, and the unit vector that leads in from there.

    Lanes count anticlockwise: on the right edge of a pointy hex, lane 0 is the lowest.
    """
    cos, sin = direction(edge_angle(edge, layout))
    x, y = across_mm / 2 * cos, across_mm / 2 * sin
    if lane is not None and lane.width > 1:
        pitch = min(LANE_PITCH, 0.5 / lane.width) * across_mm
        off = (lane.index - (lane.width - 1) / 2) * pitch
        x, y = x + off * sin, y - off * cos
    return (x, y), (-cos, -sin)


class Ways:
    """The stops of one hex and what leads to them. `exits` and `links` use the index of the stop; a link is another
    stop or the junction."""

    def __init__(self, sites: tuple[Site, ...], track: tuple[Segment, ...], layout: Layout, across_mm: float) -> None:
        self.sites, self.track, self.layout, self.across = sites, track, layout, across_mm
        self.drawn = tuple(index for index, site in enumerate(sites) if site.drawn)
        exits: list[dict[Exit, None]] = [{} for _ in sites]
        links: list[dict[End, None]] = [{} for _ in sites]
        for segment in track:
            lanes = segment.lanes or (None, None)
            for end, other, lane in ((segment.a, segment.b, lanes[1]), (segment.b, segment.a, lanes[0])):
                if end.kind is not EndKind.STOP or end.index >= len(sites):
                    continue
                if other.kind is EndKind.EDGE:
                    exits[end.index][other.index, lane] = None
                else:
                    links[end.index][other] = None
        self.exits = tuple(map(tuple, exits))
        self.links = tuple(map(tuple, links))

    def edge(self, way: Exit) -> tuple[Point, Point]:
        """Where an exit crosses its edge, and the unit vector leading in."""
        return edge_start(way[0], way[1], self.layout, self.across)

    def arc(self, one: Exit, other: Exit) -> Curve:
        """Track from edge to edge."""
        (start, leave), (end, back) = self.edge(one), self.edge(other)
        return join(start, leave, end, (-back[0], -back[1]))

    def approach(self, way: Exit, to: Point) -> Curve:
        """Track from an edge to a place."""
        return arc_from(*self.edge(way), to)

    def towards(self, edge: float, distance: float) -> Point:
        """The point towards an edge, `distance` as a share of the hex."""
        return edge_point(edge, self.layout, distance * self.across)

    def angle(self, edge: float) -> float:
        """Direction of an edge in radians."""
        return edge_angle(edge, self.layout)

    def passing(self) -> tuple[Curve, ...]:
        """Track that leads to no stop."""
        found = []
        for segment in self.track:
            if segment.a.kind is EndKind.EDGE and segment.b.kind is EndKind.EDGE:
                lanes = segment.lanes or (None, None)
                found.append(self.arc((segment.a.index, lanes[0]), (segment.b.index, lanes[1])))
            else:
                ends = ((segment.a, segment.b), (segment.b, segment.a))
                edges = [one.index for one, two in ends if one.kind is EndKind.EDGE and two.kind is EndKind.JUNCTION]
                found += [self.approach((edge, None), (0.0, 0.0)) for edge in edges]
        return tuple(found)

    def hint(self, link: End) -> Position | None:
        """The hint of a linked stop."""
        known = link.kind is EndKind.STOP and link.index < len(self.sites)
        return self.sites[link.index].at if known else None
