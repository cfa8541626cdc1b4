"""The ground of a map: paper, water lines round the land, hexes by colour, sea and rims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from platelayer.drawing.hex.ground import colour_ink
from platelayer.drawing.hex.ground import ground_items as hex_ground_items
from platelayer.drawing.hex.patterns import rim_share
from platelayer.drawing.hex.terrain import Pen, terrain_kind, wave
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.drawing.map.rivers import watered
from platelayer.drawing.map.seas import shows_water, water_items
from platelayer.drawing.map.shore import Coast, ends_at_shore
from platelayer.drawing.map.states import zone_ink, zones
from platelayer.model.gamemap import MapHex
from platelayer.scene.inks import Ink, mix
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    rectangle_path,
    translation,
)

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
