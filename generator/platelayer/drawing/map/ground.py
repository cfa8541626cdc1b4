"""Ground of a map: colours of hexes, washes of states, rims; land and water beside the board, and
their names.

States have washes of colour along their borders, like those on hand-coloured maps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Field, between
from platelayer.drawing.hex.ground import RED_RIM, colour_ink, rim_share
from platelayer.drawing.hex.ground import ground_items as hex_ground_items
from platelayer.drawing.hex.terrain import (
    RIVER_KINDS,
    Pen,
    ranges,
    terrain_kind,
    wave,
)
from platelayer.drawing.kit.lettering import left_out, line_breaks, sizes_down, words_block
from platelayer.drawing.kit.style import Style, darkened
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.plan import WASHES, Edge, MapPlan
from platelayer.drawing.map.rivers import fords, watered
from platelayer.drawing.map.room import Rect
from platelayer.drawing.map.shore import (
    Coast,
    coasts,
    ends_at_shore,
    inlets,
    parts_of,
)
from platelayer.foundation.geometry import measured
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import COS_30, EDGES, Layout, MapHex, Region, neighbour
from platelayer.model.tile import StopKind
from platelayer.scene.inks import Ink, contrast, mix
from platelayer.scene.legibility import LARGE_CONTRAST, MIN_CONTRAST
from platelayer.scene.shapes import (
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    TextRun,
    Use,
    middle_of,
    polygon_path,
    polygons_path,
    rectangle_path,
    shifted,
    translation,
)
from platelayer.scene.typeset import TypeStyle

# Widths of the bands of a wash from the border in mm, with their strengths.
_BANDS = ((4.2, 0.38), (2.1, 0.84))
# Places on an edge, the middle first, at which two states may hang together, and how far land must
# reach from there into both hexes, as a share of the way to their middles.
_GATES, _INLAND = (0.5, 0.25, 0.75), 0.5
# Share of its colour in the ground of a zone.
_BREATH = 0.55


def zones(plan: MapPlan) -> tuple[str, ...]:
    """Return the zones of the map in order of first appearance."""
    return tuple(
        dict.fromkeys(hexagon.zone for hexagon in plan.gamemap.hexes if hexagon.zone is not None)
    )


def zone_ink(number: int, style: Style) -> Ink:
    """Return the ground of a zone within its bands: a faint tint of its colour, as rules may depend
    on the zone of a hex."""
    return mix(style.ink("tile.white"), style.ink(f"map.zone.{number % WASHES}"), _BREATH)


def wash_edges(plan: MapPlan, coast: Coast | None = None) -> dict[str, list[Edge]]:
    """Return the edges along which each state has bands, if there is more than one state: a zone on
    all sides except along coasts, a region along its borders with other states. The state of a
    hex is its zone, otherwise its region unless that has a tint."""
    known, state_of = plan.gamemap.by_coord, plan.state_of
    edges_of: dict[str, list[Edge]] = {}
    if len(plan.state_colours) < 2:
        return edges_of
    for edge in plan.inner_edges:
        other = plan.across(edge)
        assert other is not None
        hexes = (known[edge[0]], other)
        one, two = (state_of.get(hexagon.at) for hexagon in hexes)
        if one is None or two is None:
            for hexagon, beyond in zip(hexes, hexes[::-1], strict=True):
                if hexagon.zone is not None and beyond.tile.colour != "blue":
                    edges_of.setdefault(state_of[hexagon.at], []).append(edge)
        elif one != two and (
            any(hexagon.zone for hexagon in hexes) or not _is_parted(plan, edge, coast)
        ):
            for state in (one, two):
                edges_of.setdefault(state, []).append(edge)
    for edge in plan.outside_edges(plan.gamemap.hexes):
        if known[edge[0]].zone is not None and (coast is None or edge not in coast.edges):
            edges_of.setdefault(state_of[edge[0]], []).append(edge)
    return edges_of


def _is_parted(plan: MapPlan, edge: Edge, coast: Coast | None) -> bool:
    """Return True if water parts two hexes, so that any land at their edge is a strip that is cut
    off from one of them: no way from the edge far enough into both is dry."""
    other = plan.across(edge)
    if coast is None or other is None:
        return False
    line, middles = plan.edge_line(edge), (plan.centre(edge[0]), plan.centre(other.at))
    gates = (between(*line, share) for share in _GATES)
    return not any(
        not coast.on_water(gate)
        and not any(coast.crossing(gate, between(gate, middle, _INLAND)) for middle in middles)
        for gate in gates
    )


def wash_items(
    plan: MapPlan, edges_of: Mapping[str, Sequence[Edge]], style: Style, coast: Coast | None = None
) -> Items:
    """Draw the bands of each state along its edges, within its own white hexes and their capes."""
    known, state_of, colours = plan.gamemap.by_coord, plan.state_of, plan.state_colours
    white: dict[str, list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        if ends_at_shore(hexagon) and hexagon.at in state_of:
            white.setdefault(state_of[hexagon.at], []).append(hexagon)
    ashore: dict[str, list[tuple[Point, ...]]] = {}
    for cape in coast.capes if coast is not None else ():
        if ends_at_shore(known[cape.at]):
            ashore.setdefault(state_of.get(cape.at, ""), []).append(cape.outline)
    onward = _onward(plan, coast)
    items = []
    for state, edges in edges_of.items():
        if state in white:
            lines = plan.lines(edges, onward)
            bands = wash_bands(lines, colours[state], style.ink("tile.white"), style)
            area = (*plan.area(white[state]), *polygons_path(ashore.get(state, ())))
            items.append(Group(bands, clip=area))
    return tuple(items)


def wash_bands(
    lines: Commands, colour: int, ground: Ink, style: Style, strength: float = 1.0
) -> Items:
    """Draw the bands of a state along lines, on a ground."""
    inks = _wash_inks(colour, ground, style, strength)
    return tuple(
        Path(lines, stroke=Stroke(ink, 2 * reach, cap="round", join="round"))
        for ink, (reach, _) in zip(inks, _BANDS, strict=True)
    )


def _onward(plan: MapPlan, coast: Coast | None) -> dict[Edge, tuple[Point, Point]]:
    """Return the lines that continue edges of the board to the coast, by edge."""
    lines = (line for cape in coast.capes for line in cape.lines) if coast is not None else ()
    return {plan.one_side(edge): line for line, edge in lines if edge is not None}


def wash_sign(number: int, plan: MapPlan, across_mm: float, style: Style) -> Items:
    """Draw a hex with the wash of a zone along its edges, for the legend."""
    share = across_mm / plan.across_mm
    outline = polygon_path([(x * share, y * share) for x, y in plan.corners])
    inks = _wash_inks(number % WASHES, style.ink("tile.white"), style)
    bands = []
    for ink, width in zip(inks, (0.46, 0.28), strict=True):
        stroke = Stroke(ink, across_mm * width, join="round")
        bands.append(Path(outline, stroke=stroke))
    return (
        Path(outline, fill=zone_ink(number, style)),
        Group(tuple(bands), clip=outline),
        Path(outline, stroke=style.stroke("map.hexrim")),
    )


def _wash_inks(colour: int, ground: Ink, style: Style, strength: float = 1.0) -> tuple[Ink, ...]:
    wash = style.ink(f"map.wash.{colour}")
    return tuple(mix(ground, wash, share * strength) for _, share in _BANDS)


# Water lines around the board and along shores: distance in mm, and strength.
_SHORE = ((1.3, 0.85), (2.9, 0.55), (5.0, 0.3))
_SEA = ((1.5, 0.9), (3.4, 0.6), (5.8, 0.35))
# A line between hexes ends at this distance from the coast, and is omitted if less than the second
# length remains.
_CLEAR_MM, _STUB_MM = 1.5, 6.0
# Colours of hexes beyond the land: the sea, and off-board areas.
_BEYOND = ("blue", "red")
# Share of the colour of a state in the tint of a kind of terrain.
_STATE = 0.4
# Share of white in the rim of an off-board area.
_RIM = 0.62
# Share of white in the colour of a pass, so that it does not outshine the mountains around it.
_PASS = 0.15


def ground_ink(plan: MapPlan, hexagon: MapHex, style: Style) -> Ink:
    """Return the ground on which a hex is printed: its tile colour or, for a white hex, a faint
    tint of its region, terrain or zone. If the ground shows the state, terrain is shown only by
    a sign."""
    tile = hexagon.tile
    if tile.ground is not None:
        return colour_ink(tile.ground, style)
    if tile.colour == "white":
        region = plan.gamemap.region_of.get(hexagon.id)
        if region is not None and region.tint is not None:
            return colour_ink(region.tint, style)
        white, state = style.ink("tile.white"), plan.state_of.get(hexagon.at, "")
        colour = plan.state_colours.get(state)
        land = white
        if colour is not None and (hexagon.zone is not None or style.theme.relief):
            share = _BREATH if hexagon.zone is not None else _BREATH * style.theme.relief
            land = mix(white, style.ink(f"map.zone.{colour}"), share)
        kinds = [terrain_kind(kind) for terrain in tile.terrain for kind in terrain.kinds]
        # High ground takes precedence over water.
        for kind in sorted(kinds, key=lambda kind: kind not in ranges()):
            tint = style.theme.inks.get(f"terrain.{kind}.ground")
            if tint is None or tint.rgb == white.rgb:
                continue
            # A hex with a river is tinted only along the river.
            rivers = plan.gamemap.rivers if kind in RIVER_KINDS else ()
            if hexagon.at not in watered(rivers, plan.layout):
                return tint if land is white else mix(tint, land, _STATE)
        return land
    ink = colour_ink(tile.colour, style)
    if any(stop.kind is StopKind.PASS for stop in tile.stops):
        return mix(ink, style.ink("tile.white"), _PASS)
    return ink


def bank_grounds(plan: MapPlan, style: Style) -> dict[tuple[Ink, Ink], list[MapHex]]:
    """Return the white hexes with rivers that cost something to cross, by their ground and the tint
    along their rivers."""
    hexes: dict[tuple[Ink, Ink], list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        for terrain in fords(plan.gamemap, hexagon) if ends_at_shore(hexagon) else ():
            tint = style.theme.inks.get(f"terrain.{terrain_kind(terrain.kinds[0])}.ground")
            if tint is not None:
                hexes.setdefault((ground_ink(plan, hexagon, style), tint), []).append(hexagon)
                break
    return hexes


def shore_items(plan: MapPlan, style: Style) -> Items:
    """Draw water lines that fade away from the outline of the board, as on engraved coasts."""
    outline = plan.lines(plan.outside_edges(plan.gamemap.hexes))
    return tuple(parallels(outline, _SHORE, style.ink("map.waterline"), style.ink("map.ground")))


def ground_items(
    plan: MapPlan,
    style: Style,
    coast: Coast | None = None,
    *,
    covered: bool = False,
    is_sheet: bool = False,
) -> tuple[Items, Items, Items]:
    """Draw the grounds of all hexes, a path for each ink, in three layers: water below a `coast`;
    land, which is to be clipped at the coast; and everything that covers overlaps from the land,
    if the land is `covered` with anything: off-board areas and, if the map has no coast, water.
    On a sheet, this water has shallows like other seas; on a single piece, quiet waves."""
    apart = covered or coast is not None
    watery = coast is not None and shows_water(style)
    sea: dict[Ink, list[MapHex]] = {}
    land: dict[Ink, list[MapHex]] = {}
    beyond: dict[Ink, list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        group = beyond if apart and hexagon.tile.colour in _BEYOND else land
        if coast is not None and hexagon.tile.colour == "blue":
            group = sea
        group.setdefault(ground_ink(plan, hexagon, style), []).append(hexagon)
    if watery:
        sea.pop(style.ink("tile.blue"), None)
    grounds: list[Item] = []
    if coast is not None:
        ashore: dict[Ink, list[tuple[Point, ...]]] = {}
        for cape in coast.capes:
            ink = ground_ink(plan, plan.gamemap.by_coord[cape.at], style)
            ashore.setdefault(ink, []).append(cape.outline)
        tips = (Path(polygons_path(outlines), fill=ink) for ink, outlines in ashore.items())
        grounds.append(Group(tuple(tips), clip=rectangle_path(*coast.frame)))
    seas, lands, items = (
        [*before, *(Path(plan.area(hexes), fill=ink) for ink, hexes in group.items())]
        for before, group in (((), sea), (grounds, land), ((), beyond))
    )
    blue = [hexagon for hexagon in plan.gamemap.hexes if hexagon.tile.colour == "blue"]
    for hexagon in plan.gamemap.hexes:
        colour = hexagon.tile.colour
        bare = colour == "blue" and watery
        patterned = colour in style.theme.patterns and (not bare or rim_share(colour, style))
        if hexagon.tile.stripes or patterned:
            striped = hex_ground_items(hexagon.tile, plan.layout, plan.across_mm, style)
            # On land stripes are below the rivers, as a plain ground is.
            layer = items if colour in _BEYOND else lands
            layer.append(shifted(striped, *plan.centre(hexagon.at)))
    if coast is None and blue:
        # Water lines along the shores of a sheet; along the cut of a single piece there are none.
        area, outline = plan.area(blue), plan.outside_edges(blue)
        sea_items: list[Item] = []
        if is_sheet and shows_water(style):
            sea_items += water_items(area, plan.lines(outline), style)
        else:
            waves = _waves(plan.across_mm, style)
            for hexagon in blue:
                x, y = plan.centre(hexagon.at)
                matrix = translation(x - waves.width_mm / 2, y - waves.height_mm / 2)
                sea_items.append(Use(waves, matrix=matrix))
            shores = [
                edge
                for edge in outline
                if (other := plan.across(edge)) is not None and other.tile.colour != "blue"
            ]
            line, ground = style.ink("map.sea.line"), style.ink("tile.blue")
            sea_items += parallels(plan.lines(shores), _SEA, line, ground)
        items.append(Group(tuple(sea_items), clip=area))
    red = [hexagon for hexagon in plan.gamemap.hexes if hexagon.tile.colour == "red"]
    if red:
        # Off-board areas have a pale rim, separated from their red by a fine darker line.
        edges = [
            (hexagon.at, number)
            for hexagon in red
            for number in plan.edges_of(hexagon)
            if plan.one_side((hexagon.at, number)) not in plan.open_edges
        ]
        line, rim = (
            style.ink("map.red.line"),
            mix(style.ink("tile.red"), style.ink("tile.white"), _RIM),
        )
        lines = tuple(parallels(plan.lines(edges), ((RED_RIM * plan.across_mm, 1.0),), line, rim))
        items.append(Group(lines, clip=plan.area(red)))
    return tuple(seas), tuple(lands), tuple(items)


@lru_cache(8)
def _waves(across_mm: float, style: Style) -> Scene:
    """Draw short waves scattered over one hex, such that adjacent hexes join without a visible
    pattern."""
    pen = Pen(style, across_mm, Role.GROUND)
    # Left end, height and number of crests.
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
        f"map:waves:{across_mm:g}",
        across_mm,
        across_mm,
        tuple(pen.items),
        bleed_mm=1.0,
    )


# Minimum extent of water into a hex over which its outline is drawn, in widths of the hex.
_INLET = 0.15


@lru_cache(maxsize=8)
def rim_items(plan: MapPlan, style: Style, coast: Coast | None = None) -> Items:
    """Draw fine lines between hexes and around the board, except where hexes belong together; and
    the shores: those of a `coast`, otherwise a stronger line along edges between water and land
    and around the board."""
    fine, shore = shore_edges(plan)
    outline = plan.outside_edges(plan.gamemap.hexes)
    if coast is None:
        return (
            Path(separate(plan, fine), stroke=style.stroke("map.hexrim")),
            Path(plan.lines((*outline, *shore)), stroke=style.stroke("map.shore")),
        )
    # A line in water separates hexes of water. There is no line between land and a coast near it.
    known = plan.gamemap.by_coord
    afloat = []
    inland: list[tuple[Point, Point]] = []
    for edge in (*fine, *shore, *outline):
        line = plan.edge_line(edge)
        if known[edge[0]].tile.colour != "blue":
            inland += () if edge in coast.edges else (line,)
        elif edge not in coast.edges:
            afloat.append(line)
    # Track may cross water that extends into hexes of land, so the lines of these hexes continue
    # over it.
    reached = inlets(plan, coast, _INLET)
    around = (
        plan.edge_line(edge) for edge in outline if edge in coast.edges and edge[0] in reached
    )
    parts, beyond = (
        parts_of(coast, tuple(lines), _CLEAR_MM, least_mm=_STUB_MM) for lines in (inland, around)
    )
    over = [part for part in (*parts, *beyond) if coast.on_water(between(*part, 0.5))]
    ashore = [
        *(part for part in parts if part not in over),
        *(line for cape in coast.capes for line, _ in cape.lines),
        *(part for parts in coast.edges.values() for part in parts if math.dist(*part) > _STUB_MM),
    ]
    wet = parts_of(coast, tuple(afloat), _CLEAR_MM, least_mm=_STUB_MM)
    items: list[Item] = []
    if wet or over:
        path = Path(polygons_path((*wet, *over), closed=False), stroke=style.stroke("map.searim"))
        items.append(path)
    if ashore:
        path = Path(polygons_path(ashore, closed=False), stroke=style.stroke("map.hexrim"))
        items.append(Group((path,), clip=coast.land))
    shores = Path(coast.shore, stroke=style.stroke("map.shore"), role=Role.RELIEF)
    return (*items, Group((shores,), clip=rectangle_path(*coast.frame)))


def shore_edges(plan: MapPlan) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    """Return the edges between two hexes of the board, those on which no line is drawn excepted:
    first edges between land and land or water and water, then shores."""
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


def separate(plan: MapPlan, edges: Sequence[Edge]) -> Commands:
    """Return edges as one path of unconnected lines."""
    return polygons_path(map(plan.edge_line, edges), closed=False)


# Regions of a map: their lands, and faint lines between them.


def state_edges(plan: MapPlan) -> tuple[Edge, ...]:
    """Return the edges between two regions where no border is drawn and the hexes do not belong
    together."""
    region_of = plan.gamemap.region_of
    if not region_of:
        return ()
    drawn = {*border_edges(plan), *plan.open_edges}
    edges = []
    for edge in plan.inner_edges:
        other = plan.across(edge)
        assert other is not None
        one, two = region_of.get(plan.gamemap.by_coord[edge[0]].id), region_of.get(other.id)
        if edge not in drawn and one is not None and two is not None and one is not two:
            edges.append(edge)
    return tuple(edges)


def state_items(plan: MapPlan, style: Style, coast: Coast | None) -> Items:
    """Draw faint lines between regions, ending at the coast."""
    edges = [edge for edge in state_edges(plan) if not _is_parted(plan, edge, coast)]
    if not edges:
        return ()
    line = Path(plan.lines(edges, _onward(plan, coast)), stroke=style.stroke("map.state"))
    return (Group((line,), clip=coast.land),) if coast is not None and coast.lines else (line,)


def lands(region: Region, plan: MapPlan) -> list[tuple[MapHex, ...]]:
    """Return the white hexes of a region in connected groups, in the order of the map."""
    rest = {}
    for member in region.hexes:
        hexagon = plan.gamemap.by_id.get(member)
        if hexagon is not None and hexagon.tile.colour == "white":
            rest[hexagon.at] = hexagon
    parts = []
    while rest:
        group = [rest.pop(next(iter(rest)))]
        for hexagon in group:
            around = (neighbour(hexagon.at, edge, plan.layout) for edge in EDGES)
            group += [rest.pop(at) for at in around if at in rest]
        parts.append(tuple(group))
    return parts


class Hexes(Frozen):
    """Hexes given by their centres."""

    centres: tuple[Point, ...]
    layout: Layout
    across_mm: float


def spans_of(hexes: Hexes, cell_mm: float) -> Iterator[tuple[int, float, float]]:
    """Yield stretches of horizontal lines within hexes, joined where they touch: the number of the
    row of cells through whose middle each runs, and its left and right end."""
    apothem = hexes.across_mm / 2
    radius = apothem / COS_30
    flat = hexes.layout is Layout.FLAT
    tall = apothem if flat else radius
    spans: dict[int, list[tuple[float, float]]] = {}
    for cx, cy in hexes.centres:
        for row in range(math.floor((cy - tall) / cell_mm), math.ceil((cy + tall) / cell_mm)):
            off = abs((row + 0.5) * cell_mm - cy)
            if off >= tall:
                continue
            # Slanting sides have a slope of 1 : sqrt(3) in flat hexes and of sqrt(3) : 1 in pointy
            # ones, whose upright sides limit them as well.
            slanting = radius - off * radius / 2 / apothem if flat else (radius - off) * 2 * COS_30
            half = slanting if flat else min(apothem, slanting)
            spans.setdefault(row, []).append((cx - half, cx + half))
    for row, stretches in spans.items():
        stretches.sort()
        begin, end = stretches[0]
        for left, right in stretches[1:]:
            if left - end < 0.2:
                end = max(end, right)
            else:
                yield row, begin, end
                begin, end = left, right
        yield row, begin, end


# The surroundings of a board as far as its frame: water, land, and their names.

# For each depth: its distance from the shore in mm, the share of blue in its water, and the
# strength of the water line at its end. The widest comes first, as narrower ones are painted over
# it.
_DEPTHS = ((7.0, 0.56, 0.25), (4.7, 0.63, 0.45), (2.8, 0.72, 0.7), (1.3, 0.84, 0.9))
# Share of blue in the open sea.
_OPEN = 0.5
_LINE_MM = 0.15
# Contour lines of the land around the board: distance from it, the farthest first, and strength.
_CONTOURS = ((6.6, 0.22), (4.0, 0.34), (1.9, 0.5))
_NAME_CLEAR_MM = 1.5
# Names of seas: maximum distance from their coast, distance of points that are tried, and step
# between sizes.
_NAME_REACH_MM, _NAME_STEP_MM, _LESS_PT = 60.0, 7.0, 2.0
# Distances of names on water, and on land, from the centre of a hex, in halves of it; in mm,
# between two names, and from the frame.
_OFF_SHORE, _OFF_BOARD, _BETWEEN_MM, _OFF_FRAME_MM = 1.1, 1.4, 4.0, 2.5
# Share of shade in the darkest slopes beyond the board.
_SHADED = 0.47
# Distance of names of lands beyond the board from the centre of a hex on its outline, in halves of
# it.
_OUT = 2.4


def world_items(plan: MapPlan, coast: Coast, style: Style) -> Items:
    """Draw the surroundings of the board within its frame: water, darker along the shores, and flat
    land with contour lines along the board."""
    frame = rectangle_path(*coast.frame)
    known = plan.gamemap.by_coord
    items: list[Item] = []
    if coast.open_sea:
        items += water_items(frame, coast.near, style)
        items.append(Path(commands=coast.land, fill=style.ink("map.ground")))
    inland = plan.lines(
        edge
        for edge in plan.outside_edges(plan.gamemap.hexes)
        if edge not in coast.edges and known[edge[0]].tile.colour != "blue"
    )
    contours = parallels(inland, _CONTOURS, style.ink("map.waterline"), style.ink("map.ground"))
    items.append(Group(items=tuple(contours), clip=coast.land if coast.open_sea else None))
    return (Group(items=tuple(items), clip=frame),)


def parallels(
    commands: Commands, bands: Sequence[tuple[float, float]], line: Ink, ground: Ink
) -> Iterator[Item]:
    """Draw parallel lines on both sides of a path, each at a distance and with a strength: wide
    strokes, each of which is then covered by a narrower one in the ground's ink."""
    for distance, strength in sorted(bands, reverse=True):
        outer = (mix(ground, line, strength), 2 * distance + _LINE_MM)
        for ink, width in (outer, (ground, 2 * distance - _LINE_MM)):
            stroke = Stroke(ink, width, join="round", cap="round")
            yield Path(commands, stroke=stroke)


def shows_water(style: Style) -> bool:
    """Return True if blue hexes show the water around them, as words have the same best ink on it
    as on the hexes' own blue. Otherwise, blue hexes are painted."""
    water = open_water(style)
    black, white = style.ink("text"), style.ink("white")
    is_dark = [
        contrast(white, ground) > contrast(black, ground)
        for ground in (style.ink("tile.blue"), water)
    ]
    return is_dark[0] == is_dark[1]


def open_water(style: Style) -> Ink:
    """Return the ink of water far from all shores."""
    return mix(style.ink("map.margin"), style.ink("map.sea"), _OPEN)


def water_items(area: Commands, shores: Commands, style: Style) -> Iterator[Item]:
    """Draw water in an area, with shallows and fading water lines along all shores."""
    ground, water, line = style.ink("map.margin"), style.ink("map.sea"), style.ink("map.sea.line")
    yield Path(commands=area, fill=open_water(style))
    for reach, strength, line_strength in _DEPTHS:
        shallows = mix(ground, water, strength)
        yield from parallels(shores, ((reach, line_strength),), line, shallows)


# Names, types, inks, the centres and radii of the areas for them, and True on land.
_Wanted = tuple[str, TypeStyle, Ink, Point, float, bool]


# Cached, as few edits move a coast or an edge of the board.
@lru_cache(maxsize=8)
def _outer_names(
    coast: Coast,
    centres: tuple[Point, ...],
    apothem: float,
    boxes: tuple[Rect, ...],
    wanted: tuple[_Wanted, ...],
) -> Items:
    """Draw names beside a board, clear of hexes with these centres and of these boxes."""
    items: list[Item] = []
    left, top, width, height = coast.frame
    fields = []
    for reach in (_OFF_SHORE, _OFF_BOARD):
        discs = ((x, y, apothem * reach) for x, y in centres)
        fields.append(Field(Layout.FLAT, math.inf, 0.0, discs))
    for x, y, wide, tall in boxes:
        for field in fields:
            field.take_box(x + wide / 2, y + tall / 2, wide, tall)

    def is_clear(x: float, y: float, w: float, h: float, on_land: bool) -> bool:
        """Return True if a box is clear that extends `w` to either side of a point, and `h` up and
        down."""
        wide, tall = w + _OFF_FRAME_MM, h + _OFF_FRAME_MM
        if not (left + wide < x < left + width - wide and top + tall < y < top + height - tall):
            return False
        room = fields[on_land].room(x, y, (2 * w, 2 * h), enough=1.0, floor=0.0)
        return room > 0.0 and coast.clear((x - w, y - h, 2 * w, 2 * h), on_land=on_land)

    for words, kind, ink, middle, reach, on_land in wanted:
        steps = _steps(int(measured(reach / _NAME_STEP_MM)))
        for type_style in sizes_down(kind, _LESS_PT):
            best = None
            for lines in line_breaks(words):
                block = words_block(lines, type_style, ink)
                w, h = block.width / 2 + _NAME_CLEAR_MM, block.height / 2 + _NAME_CLEAR_MM
                for far, (dx, dy) in steps:
                    if far > reach or (best is not None and far >= best[0]):
                        break
                    x, y = middle[0] + dx, middle[1] + dy
                    if is_clear(x, y, w, h, on_land):
                        best = far, block, x, y
                        break
            if best is not None:
                _, block, x, y = best
                for field in fields:
                    w, h = block.width + 2 * _BETWEEN_MM, block.height + 2 * _BETWEEN_MM
                    field.take_box(x, y, w, h)
                items += (
                    replace(item, name=words) if isinstance(item, TextRun) else item
                    for item in block.at(x, y)
                )
                break
        else:
            items += left_out(words, kind, ink)
    return tuple(items)


def outer_name_items(plan: MapPlan, coast: Coast, taken: Iterable[Rect], style: Style) -> Items:
    """Draw the name of each sea on its water, as near to the middle of its coast as there is room
    beside the board and the boxes `taken`; and the names of lands beyond the board, near their
    places."""
    wanted: list[_Wanted] = []
    all_coasts = coasts(plan)
    for sea in plan.gamemap.seas:
        shore = [plan.edge_line(edge)[0] for edge in all_coasts.get(sea.id, ())]
        if not shore and sea.coasts:
            (ox, oy), across = plan.origin, plan.across_mm
            shore = [(x * across + ox, y * across + oy) for x, y in sea.coasts[0]]
        if sea.name is None or not shore:
            continue
        middle = middle_of(shore)
        reach = measured(max(math.dist(point, middle) for point in shore) * 0.7 + _NAME_REACH_MM)
        kind, ink = style.type("map.sea"), style.ink("map.sea.name")
        wanted.append((style.words(sea.name), kind, ink, middle, reach, False))
    ink = darkened(style.ink("map.region"), style.ink("map.ground"), MIN_CONTRAST)
    # Ranges may continue below the names.
    shade = _SHADED * style.theme.relief
    shaded = mix(style.ink("map.ground"), style.ink("map.relief.shade"), shade)
    ink = darkened(ink, shaded, LARGE_CONTRAST)
    for land in plan.gamemap.beyond:
        at = plan.waypoint(replace(land.near, share=_OUT))
        wanted.append(
            (style.words(land.name), style.type("map.beyond"), ink, at, _NAME_REACH_MM, True)
        )
    centres = tuple(plan.centre(hexagon.at) for hexagon in plan.gamemap.hexes)
    return _outer_names(coast, centres, plan.across_mm / 2, tuple(taken), tuple(wanted))


@lru_cache(maxsize=64)
def _steps(count: int) -> tuple[tuple[float, Point], ...]:
    """Return the vectors from a middle to points in rows around it, each with its length, the
    shortest first."""
    ways = (
        (dx * _NAME_STEP_MM, dy * _NAME_STEP_MM)
        for dx in range(-count, count + 1)
        for dy in range(-count, count + 1)
    )
    return tuple(sorted((round(math.hypot(*way), 2), way) for way in ways))


def coast_sign(style: Style) -> Items:
    """Draw a piece of a coast for the legend."""
    box = polygon_path(((-5.5, -1.6), (5.5, -1.6), (5.5, 1.8), (-5.5, 1.8)))
    shore = polygon_path(((-5.5, -1.6), (5.5, -1.6)), closed=False)
    return (
        Path(commands=box, fill=open_water(style)),
        Path(commands=shore, stroke=style.stroke("map.shore")),
    )
