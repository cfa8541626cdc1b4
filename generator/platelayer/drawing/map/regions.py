"""Regions of a map: their lands, and faint lines between them."""

from __future__ import annotations

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, neighbour
from platelayer.model.landscape import Region
from platelayer.scene.shapes import Item, Path, Point

Span = tuple[float, float]


def state_edges(plan: MapPlan) -> tuple[Edge, ...]:
    """Edges between two regions where no border is drawn and the hexes do not belong together."""
    region_of = plan.gamemap.region_of
    if not region_of:
        return ()
    drawn = {*border_edges(plan), *plan.open_edges}
    edges: list[Edge] = []
    for edge in plan.inner_edges:
        other = plan.across(edge)
        assert other is not None
        one, two = region_of.get(plan.gamemap.by_coord[edge[0]].id), region_of.get(other.id)
        if edge not in drawn and one is not None and two is not None and one is not two:
            edges.append(edge)
    return tuple(edges)


def state_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Faint lines between regions."""
    edges = state_edges(plan)
    return (Path(commands=plan.lines(edges), stroke=style.stroke("map.state")),) if edges else ()


def lands(region: Region, plan: MapPlan) -> list[tuple[MapHex, ...]]:
    """The white hexes of a region that hang together, in the order of the map."""
    rest: dict[Coord, MapHex] = {
        hexagon.at: hexagon
        for hexagon in (plan.gamemap.by_id.get(member) for member in region.hexes)
        if hexagon is not None and hexagon.tile.colour == "white"
    }
    parts: list[tuple[MapHex, ...]] = []
    while rest:
        group = [rest.pop(next(iter(rest)))]
        for hexagon in group:
            around = (neighbour(hexagon.at, edge, plan.layout) for edge in EDGES)
            group += [rest.pop(at) for at in around if at in rest]
        parts.append(tuple(group))
    return parts


class Hexes(Struct, frozen=True):
    """Hexes by their centres."""

    centres: tuple[Point, ...]
    layout: Layout
    across_mm: float


def spans_at(y: float, hexes: Hexes) -> list[Span]:
    """Stretches of a level line that lie within some hexes, joined where these touch."""
    apothem = hexes.across_mm / 2
    radius = apothem / COS_30
    flat = hexes.layout is Layout.FLAT
    spans: list[Span] = []
    for cx, cy in hexes.centres:
        off = abs(y - cy)
        if off >= (apothem if flat else radius):
            continue
        half = (
            radius - off * radius / 2 / apothem
            if flat
            else min(apothem, (radius - off) * 2 * COS_30)
        )
        spans.append((cx - half, cx + half))
    joined: list[Span] = []
    for left, right in sorted(spans):
        if joined and left - joined[-1][1] < 0.2:
            joined[-1] = (joined[-1][0], max(joined[-1][1], right))
        else:
            joined.append((left, right))
    return joined
