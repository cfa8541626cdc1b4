"""The ground of a map: paper, water lines round the land, hexes by colour, sea and rims."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.hex.ground import colour_ink, rim_share
from platelayer.drawing.hex.ground import ground_items as hex_ground_items
from platelayer.drawing.hex.terrain import Pen, terrain_kind, wave
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.drawing.map.rivers import watered
from platelayer.drawing.map.shore import Coast, ends_at_shore, shows_water, water_items
from platelayer.model.gamemap import MapHex, Region
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, neighbour
from platelayer.scene.inks import Ink, mix
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    rectangle_path,
    translation,
)

# Political ground: states as washes of colour along their borders, as they were laid on by
# hand.


WASHES = 6
"""Inks of washes, `map.wash.0` and so on."""
_BANDS = ((4.8, 0.38), (2.4, 0.84))
"""How far each band reaches from the border in mm, and how strong it is."""

_BREATH = 0.55


def zones(plan: MapPlan) -> tuple[str, ...]:
    """Zones of the map in order of first appearance."""
    return tuple(
        dict.fromkeys(hexagon.zone for hexagon in plan.gamemap.hexes if hexagon.zone is not None)
    )


def zone_ink(number: int, style: Style) -> Ink:
    """The ground of a zone within its bands: a breath of its colour, for rules ask which zone a hex
    is in."""
    return mix(style.ink("tile.white"), style.ink(f"map.zone.{number % WASHES}"), _BREATH)


def wash_items(plan: MapPlan, style: Style, shores: Container[Edge] = ()) -> tuple[Item, ...]:
    """For each state that borders on another its bands, within its own white hexes: of a zone all
    round it but along coasts, of a region along its borders with others."""
    state_of = _states(plan)
    if len({*state_of.values()}) < 2:
        return ()
    edges_of, beside = _borders(plan, state_of)
    for edge in plan.outside_edges(plan.gamemap.hexes):
        hexagon = plan.gamemap.by_coord[edge[0]]
        if hexagon.zone is not None and edge not in shores:
            edges_of.setdefault(state_of[hexagon.id], []).append(edge)
    colours = _colours(plan, beside)
    white: dict[str, list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        if (
            hexagon.tile.colour == "white"
            and hexagon.tile.ground is None
            and hexagon.id in state_of
        ):
            white.setdefault(state_of[hexagon.id], []).append(hexagon)
    items: list[Item] = []
    for state, edges in edges_of.items():
        if state in white:
            lines = plan.lines(edges)
            bands = tuple(
                Path(
                    commands=lines,
                    stroke=Stroke(ink=ink, width_mm=2 * reach, cap="round", join="round"),
                )
                for reach, ink in _inks(colours[state], style)
            )
            items.append(Group(items=bands, clip=plan.area(white[state])))
    return tuple(items)


def wash_sign(number: int, plan: MapPlan, across_mm: float, style: Style) -> tuple[Item, ...]:
    """A hex with the wash of a zone along its edges, as the legend shows it."""
    share = across_mm / plan.across_mm
    outline = polygon_path([(x * share, y * share) for x, y in plan.corners])
    bands = tuple(
        Path(commands=outline, stroke=Stroke(ink=ink, width_mm=width, join="round"))
        for (_, ink), width in zip(
            _inks(number % WASHES, style), (across_mm * 0.46, across_mm * 0.28), strict=True
        )
    )
    return (
        Path(commands=outline, fill=zone_ink(number, style)),
        Group(items=bands, clip=outline),
        Path(commands=outline, stroke=style.stroke("map.hexrim")),
    )


def _inks(colour: int, style: Style) -> tuple[tuple[float, Ink], ...]:
    paper, wash = style.ink("tile.white"), style.ink(f"map.wash.{colour}")
    return tuple((reach, mix(paper, wash, strength)) for reach, strength in _BANDS)


def _states(plan: MapPlan) -> dict[str, str]:
    """The state of hexes by their printed coordinates: their zone, else their region unless that
    has a tint."""
    state_of: dict[str, str] = {}
    for hexagon in plan.gamemap.hexes:
        region = plan.gamemap.region_of.get(hexagon.id)
        if hexagon.zone is not None:
            state_of[hexagon.id] = f"zone {hexagon.zone}"
        elif region is not None and region.tint is None:
            state_of[hexagon.id] = f"region {region.id}"
    return state_of


def _borders(
    plan: MapPlan, state_of: dict[str, str]
) -> tuple[dict[str, list[Edge]], dict[str, dict[str, None]]]:
    """Edges between two states by state, and the states beside each."""
    edges_of: dict[str, list[Edge]] = {}
    beside: dict[str, dict[str, None]] = {}
    for edge in plan.inner_edges:
        other = plan.across(edge)
        assert other is not None
        hexes = (plan.gamemap.by_coord[edge[0]], other)
        one, two = (state_of.get(hexagon.id) for hexagon in hexes)
        if one is None or two is None:
            for hexagon, beyond in zip(hexes, hexes[::-1], strict=True):
                if hexagon.zone is not None and beyond.tile.colour != "blue":
                    edges_of.setdefault(state_of[hexagon.id], []).append(edge)
        elif one != two:
            for state, neighbour in ((one, two), (two, one)):
                edges_of.setdefault(state, []).append(edge)
                beside.setdefault(state, {})[neighbour] = None
    return edges_of, beside


def _colours(plan: MapPlan, beside: dict[str, dict[str, None]]) -> dict[str, int]:
    """The number of the wash of each state: that of its zone, else one that no neighbour has, the
    rarest first."""
    colours = {f"zone {zone}": number % WASHES for number, zone in enumerate(zones(plan))}
    for region in plan.gamemap.regions:
        state = f"region {region.id}"
        taken = [colours[other] for other in beside.get(state, ()) if other in colours]
        used = [*colours.values()]
        colours[state] = min(
            range(WASHES), key=lambda colour: (taken.count(colour), used.count(colour), colour)
        )
    return colours


_SHORE = ((1.3, 0.85), (2.9, 0.55), (5.0, 0.3))
"""Water lines round the board: how far out in mm, and how strong."""
_SEA = ((1.5, 0.9), (3.4, 0.6), (5.8, 0.35))
_LINE_MM = 0.16
_BEYOND = ("blue", "red")
"""Colours of hexes beyond the land: the sea, and off-board areas."""


def ground_ink(plan: MapPlan, hexagon: MapHex, style: Style) -> Ink:
    """What a hex is printed on: its tile colour; a white hex has a faint tint of its region,
    terrain or zone. Where the ground tells the state, only a sign tells the terrain."""
    inks = style.theme.inks
    tile = hexagon.tile
    if tile.ground is not None:
        return colour_ink(tile.ground, style)
    if tile.colour == "white":
        region = plan.gamemap.region_of.get(hexagon.id)
        if region is not None and region.tint is not None:
            return colour_ink(region.tint, style)
        for terrain in tile.terrain:
            for kind in terrain.kinds:
                tint = inks.get(f"terrain.{terrain_kind(kind)}.ground")
                if tint is not None and (
                    hexagon.zone is None or tint.rgb != style.ink("tile.white").rgb
                ):
                    return tint
        if hexagon.zone is not None:
            return zone_ink(zones(plan).index(hexagon.zone), style)
    return colour_ink(tile.colour, style)


def shore_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Water lines that fade away from the outline of the board, as engravers draw coasts."""
    return tuple(
        _bands(
            plan.lines(_outline(plan)), _SHORE, style.ink("map.waterline"), style.ink("map.ground")
        )
    )


def _outline(plan: MapPlan) -> tuple[Edge, ...]:
    return plan.outside_edges(plan.gamemap.hexes)


def _bands(
    commands: tuple[Command, ...], bands: Sequence[tuple[float, float]], line: Ink, ground: Ink
) -> Iterator[Item]:
    """Parallel lines on both sides of a path: wide strokes, each in turn covered by a narrower one
    of the ground."""
    for distance, strength in sorted(bands, reverse=True):
        for ink, width in (
            (mix(ground, line, strength), 2 * distance + _LINE_MM),
            (ground, 2 * distance - _LINE_MM),
        ):
            yield Path(
                commands=commands, stroke=Stroke(ink=ink, width_mm=width, join="round", cap="round")
            )


def ground_items(
    plan: MapPlan, style: Style, coast: Coast | None = None, *, covered: bool = False
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Grounds of all hexes, a path for each ink: of the land, and of what lies in the sea and in
    off-board areas, which hides what overlaps from the land if that is `covered` with anything.
    White hexes end at their `coast`, where the map has one; without one, at their edges."""
    land: dict[Ink, list[MapHex]] = {}
    beyond: dict[Ink, list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        group = (
            beyond if (covered or coast is not None) and hexagon.tile.colour in _BEYOND else land
        )
        group.setdefault(ground_ink(plan, hexagon, style), []).append(hexagon)
    grounds = tuple(
        Path(commands=_area(plan, hexes, coast), fill=ink) for ink, hexes in land.items()
    )
    items: list[Item] = []
    if coast is not None:
        if shows_water(style):
            beyond.pop(style.ink("tile.blue"), None)
        items += _coastal_sea(plan, coast, style)
    items += (Path(commands=plan.area(hexes), fill=ink) for ink, hexes in beyond.items())
    for hexagon in plan.gamemap.hexes:
        colour = hexagon.tile.colour
        bare = colour == "blue" and coast is not None and shows_water(style)
        patterned = colour in style.theme.patterns and (not bare or rim_share(colour, style))
        if hexagon.tile.stripes or patterned:
            striped = hex_ground_items(hexagon.tile, plan.layout, plan.across_mm, style)
            items.append(Group(items=striped, matrix=translation(*plan.centre(hexagon.at))))
    if coast is None:
        items += _sea(plan, style)
    items += _offboard(plan, style)
    return grounds, tuple(items)


def _area(plan: MapPlan, hexes: Sequence[MapHex], coast: Coast | None) -> tuple[Command, ...]:
    """Hexes as one path, white ones as far as their shores."""
    if coast is None:
        return plan.area(hexes)
    return tuple(
        command
        for hexagon in hexes
        for command in polygon_path(
            coast.land[hexagon.at]
            if hexagon.at in coast.land and ends_at_shore(hexagon)
            else plan.polygon(hexagon.at)
        )
    )


def _coastal_sea(plan: MapPlan, coast: Coast, style: Style) -> Iterator[Item]:
    """The water of blue hexes that rivers run into, as it is round the board."""
    wet = watered(plan.gamemap.rivers, plan.layout)
    sea = [
        hexagon.at
        for hexagon in plan.gamemap.hexes
        if hexagon.tile.colour == "blue" and hexagon.at in wet
    ]
    if sea:
        area = tuple(
            command
            for at in sea
            for command in polygon_path(coast.water.get(at) or plan.polygon(at))
        )
        yield Group(items=tuple(water_items(area, coast, style)), clip=area)


def _sea(plan: MapPlan, style: Style) -> Iterator[Item]:
    """Quiet waves, and water lines along the shores."""
    sea = [hexagon for hexagon in plan.gamemap.hexes if hexagon.tile.colour == "blue"]
    if not sea:
        return
    shores = tuple(
        edge
        for edge in plan.outside_edges(sea)
        if (land := plan.across(edge)) is not None and land.tile.colour != "blue"
    )
    ground = style.ink("tile.blue")
    items: list[Item] = []
    waves = _waves(plan.across_mm, style)
    for hexagon in sea:
        x, y = plan.centre(hexagon.at)
        items.append(
            Use(scene=waves, matrix=translation(x - waves.width_mm / 2, y - waves.height_mm / 2))
        )
    items += _bands(plan.lines(shores), _SEA, style.ink("map.sea.line"), ground)
    yield Group(items=tuple(items), clip=plan.area(sea))


@lru_cache(maxsize=8)
def _waves(across_mm: float, style: Style) -> Scene:
    """Short waves scattered over one hex, so that neighbours join without a visible pattern."""
    width = across_mm
    pen = Pen(style, width, Role.GROUND)
    rows = (
        (22, 12, 2),
        (58, 15, 3),
        (6, 34, 2),
        (76, 36, 2),
        (34, 30, 2),
        (12, 66, 3),
        (64, 62, 2),
        (44, 84, 3),
        (74, 84, 1),
    )
    pen.lines([wave(x, y, 5.5 * count, count, 1.5) for x, y, count in rows], "map.sea.line", 0.42)
    return Scene(
        key=f"map:waves:{across_mm:g}",
        width_mm=width,
        height_mm=width,
        items=tuple(pen.items),
        bleed_mm=1.0,
    )


def _offboard(plan: MapPlan, style: Style) -> Iterator[Item]:
    """A fine darker line within the outline of each off-board area."""
    red = [hexagon for hexagon in plan.gamemap.hexes if hexagon.tile.colour == "red"]
    if not red:
        return
    edges = tuple(
        (hexagon.at, number)
        for hexagon in red
        for number in plan.edges_of(hexagon)
        if plan.one_side((hexagon.at, number)) not in plan.open_edges
    )
    ground = style.ink("tile.red")
    lines = tuple(_bands(plan.lines(edges), ((1.25, 1.0),), style.ink("map.red.line"), ground))
    yield Group(items=lines, clip=plan.area(red))


def rim_items(plan: MapPlan, style: Style, coast: Coast | None = None) -> tuple[Item, ...]:
    """Fine lines between hexes and round the board, none where hexes belong together; and the
    shores: those of a `coast`, else a stronger line along edges between water and land and round
    the board."""
    fine, shore = shore_edges(plan)
    if coast is None:
        return (
            Path(commands=separate(plan, fine), stroke=style.stroke("map.hexrim")),
            Path(commands=plan.lines((*_outline(plan), *shore)), stroke=style.stroke("map.shore")),
        )
    every = (*fine, *shore, *_outline(plan))
    afloat = [edge for edge in every if edge not in coast.edges and _is_water(plan, edge)]
    ashore = [edge for edge in every if edge in coast.edges or not _is_water(plan, edge)]
    items = [
        Path(commands=separate(plan, edges), stroke=style.stroke(stroke))
        for edges, stroke in ((afloat, "map.searim"), (ashore, "map.hexrim"))
        if edges
    ]
    shores = Path(commands=coast.shore, stroke=style.stroke("map.shore"), role=Role.RELIEF)
    return (*items, Group(items=(shores,), clip=rectangle_path(*coast.frame)))


def _is_water(plan: MapPlan, edge: Edge) -> bool:
    return plan.gamemap.by_coord[edge[0]].tile.colour == "blue"


def shore_edges(plan: MapPlan) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    """Edges between two hexes of the board: those between land and land or water and water, and
    those of shores; without those on which no line is drawn."""
    known = plan.gamemap.by_coord
    fine: list[Edge] = []
    shore: list[Edge] = []
    for edge in plan.inner_edges:
        if edge in plan.open_edges:
            continue
        one, other = known[edge[0]].tile.colour, plan.across(edge)
        wet = (one == "blue", other is not None and other.tile.colour == "blue")
        (shore if wet[0] != wet[1] else fine).append(edge)
    return tuple(fine), tuple(shore)


def separate(plan: MapPlan, edges: Sequence[Edge]) -> tuple[Command, ...]:
    """Edges as one path, each by itself."""
    return tuple(
        command for edge in edges for command in polygon_path(plan.edge_line(edge), closed=False)
    )


# Regions of a map: their lands, and faint lines between them.


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
