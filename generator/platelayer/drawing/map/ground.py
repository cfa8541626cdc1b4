"""The ground of a map: colours of hexes, washes of states, relief, rims.

States are washes of colour along their borders, as they were laid on by hand. Relief is a shading
of high ground, lit from the upper left, and small signs over it. Its heights are those of the
terrain at the middles of the hexes, with a ridged noise (Musgrave in Ebert et al., "Texturing and
Modeling", 1994), so that ranges run on from hex to hex; signs stand on tops, clear of all that is
drawn in the hexes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Field
from platelayer.drawing.hex.ground import colour_ink, rim_share
from platelayer.drawing.hex.ground import ground_items as hex_ground_items
from platelayer.drawing.hex.terrain import (
    Manner,
    Pen,
    manner_of,
    relief_manner,
    relief_sign,
    terrain_kind,
    wave,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.plan import DESIGN_MM, Edge, MapPlan
from platelayer.drawing.map.rivers import watered
from platelayer.drawing.map.shore import Coast, ends_at_shore, shows_water, water_items
from platelayer.foundation.geometry import measured
from platelayer.foundation.seeds import chance
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import MapHex, Region
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, centre_mm, neighbour
from platelayer.scene.flatten import bounds_of, inside
from platelayer.scene.inks import Ink, mix
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    polygons_path,
    rectangle_path,
    shifted,
    translation,
)

# Inks of washes: `map.wash.0` and so on.
WASHES = 6
# Reach of each band of a wash from the border in mm, and its strength.
_BANDS = ((4.8, 0.38), (2.4, 0.84))
# Share of its colour in the ground of a zone.
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


def wash_items(plan: MapPlan, style: Style, shores: Container[Edge] = ()) -> Items:
    """For each state that borders on another its bands, within its own white hexes: of a zone all
    round it but along coasts, of a region along its borders with others. The state of a hex is its
    zone, else its region unless that has a tint."""
    known, regions = plan.gamemap.by_coord, plan.gamemap.region_of
    state_of: dict[Coord, str] = {}
    for at, hexagon in known.items():
        region = regions.get(hexagon.id)
        if hexagon.zone is not None:
            state_of[at] = f"zone {hexagon.zone}"
        elif region is not None and region.tint is None:
            state_of[at] = f"region {region.id}"
    if len({*state_of.values()}) < 2:
        return ()
    edges_of: dict[str, list[Edge]] = {}
    beside: dict[str, set[str]] = {}
    for edge in plan.inner_edges:
        other = plan.across(edge)
        assert other is not None
        hexes = (known[edge[0]], other)
        one, two = (state_of.get(hexagon.at) for hexagon in hexes)
        if one is None or two is None:
            for hexagon, beyond in zip(hexes, hexes[::-1], strict=True):
                if hexagon.zone is not None and beyond.tile.colour != "blue":
                    edges_of.setdefault(state_of[hexagon.at], []).append(edge)
        elif one != two:
            for state, neighbouring in ((one, two), (two, one)):
                edges_of.setdefault(state, []).append(edge)
                beside.setdefault(state, set()).add(neighbouring)
    for edge in plan.outside_edges(plan.gamemap.hexes):
        if known[edge[0]].zone is not None and edge not in shores:
            edges_of.setdefault(state_of[edge[0]], []).append(edge)
    # Zones have washes by their numbers. Each region in turn takes the one that fewest neighbours
    # have, of these the rarest: a greedy colouring.
    colours = {f"zone {zone}": number % WASHES for number, zone in enumerate(zones(plan))}
    for region in plan.gamemap.regions:
        state = f"region {region.id}"
        taken = [colours[other] for other in beside.get(state, ()) if other in colours]
        used = [*colours.values()]
        colours[state] = min(
            range(WASHES), key=lambda colour: (taken.count(colour), used.count(colour), colour)
        )
    white: dict[str, list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        if ends_at_shore(hexagon) and hexagon.at in state_of:
            white.setdefault(state_of[hexagon.at], []).append(hexagon)
    items: list[Item] = []
    for state, edges in edges_of.items():
        if state in white:
            lines = plan.lines(edges)
            bands = []
            for ink, (reach, _) in zip(_wash_inks(colours[state], style), _BANDS, strict=True):
                stroke = Stroke(ink=ink, width_mm=2 * reach, cap="round", join="round")
                bands.append(Path(commands=lines, stroke=stroke))
            items.append(Group(items=tuple(bands), clip=plan.area(white[state])))
    return tuple(items)


def wash_sign(number: int, plan: MapPlan, across_mm: float, style: Style) -> Items:
    """A hex with the wash of a zone along its edges, as the legend shows it."""
    share = across_mm / plan.across_mm
    outline = polygon_path([(x * share, y * share) for x, y in plan.corners])
    bands = []
    for ink, width in zip(_wash_inks(number % WASHES, style), (0.46, 0.28), strict=True):
        stroke = Stroke(ink=ink, width_mm=across_mm * width, join="round")
        bands.append(Path(commands=outline, stroke=stroke))
    return (
        Path(commands=outline, fill=zone_ink(number, style)),
        Group(items=tuple(bands), clip=outline),
        Path(commands=outline, stroke=style.stroke("map.hexrim")),
    )


def _wash_inks(colour: int, style: Style) -> tuple[Ink, ...]:
    paper, wash = style.ink("tile.white"), style.ink(f"map.wash.{colour}")
    return tuple(mix(paper, wash, strength) for _, strength in _BANDS)


# Water lines round the board and along shores: distance in mm, and strength.
_SHORE = ((1.3, 0.85), (2.9, 0.55), (5.0, 0.3))
_SEA = ((1.5, 0.9), (3.4, 0.6), (5.8, 0.35))
_LINE_MM = 0.16
# Colours of hexes beyond the land: the sea, and off-board areas.
_BEYOND = ("blue", "red")


def ground_ink(plan: MapPlan, hexagon: MapHex, style: Style) -> Ink:
    """The ground on which a hex is printed: its tile colour; a white hex has a faint tint of its
    region, terrain or zone. Where the ground tells the state, only a sign tells the terrain."""
    tile = hexagon.tile
    if tile.ground is not None:
        return colour_ink(tile.ground, style)
    if tile.colour == "white":
        region = plan.gamemap.region_of.get(hexagon.id)
        if region is not None and region.tint is not None:
            return colour_ink(region.tint, style)
        white = style.ink("tile.white")
        for terrain in tile.terrain:
            for kind in terrain.kinds:
                tint = style.theme.inks.get(f"terrain.{terrain_kind(kind)}.ground")
                if tint is not None and (hexagon.zone is None or tint.rgb != white.rgb):
                    return tint
        if hexagon.zone is not None:
            return zone_ink(zones(plan).index(hexagon.zone), style)
    return colour_ink(tile.colour, style)


def shore_items(plan: MapPlan, style: Style) -> Items:
    """Water lines that fade away from the outline of the board, as engravers draw coasts."""
    outline = plan.lines(plan.outside_edges(plan.gamemap.hexes))
    return tuple(_bands(outline, _SHORE, style.ink("map.waterline"), style.ink("map.ground")))


def _bands(
    commands: Commands, bands: Sequence[tuple[float, float]], line: Ink, ground: Ink
) -> Iterator[Item]:
    """Parallel lines on both sides of a path: wide strokes, each in turn covered by a narrower one
    of the ground."""
    for distance, strength in sorted(bands, reverse=True):
        outer = (mix(ground, line, strength), 2 * distance + _LINE_MM)
        for ink, width in (outer, (ground, 2 * distance - _LINE_MM)):
            stroke = Stroke(ink=ink, width_mm=width, join="round", cap="round")
            yield Path(commands=commands, stroke=stroke)


def ground_items(
    plan: MapPlan, style: Style, coast: Coast | None = None, *, covered: bool = False
) -> tuple[Items, Items]:
    """Grounds of all hexes, a path for each ink: of the land, and of all that lies in the sea and
    in off-board areas, which hides what overlaps from the land if that is `covered` with anything.
    White hexes end at their `coast`, where the map has one; without one, at their edges."""
    apart = covered or coast is not None
    watery = coast is not None and shows_water(style)
    land: dict[Ink, list[MapHex]] = {}
    beyond: dict[Ink, list[MapHex]] = {}
    for hexagon in plan.gamemap.hexes:
        group = beyond if apart and hexagon.tile.colour in _BEYOND else land
        group.setdefault(ground_ink(plan, hexagon, style), []).append(hexagon)

    def outline(hexagon: MapHex) -> tuple[Point, ...]:
        if coast is not None and ends_at_shore(hexagon) and hexagon.at in coast.land:
            return coast.land[hexagon.at]
        return plan.polygon(hexagon.at)

    grounds = tuple(
        Path(commands=polygons_path(map(outline, hexes)), fill=ink) for ink, hexes in land.items()
    )
    items: list[Item] = []
    blue = [hexagon for hexagon in plan.gamemap.hexes if hexagon.tile.colour == "blue"]
    if watery:
        beyond.pop(style.ink("tile.blue"), None)
    if coast is not None:
        # The water of blue hexes that rivers run into, as it is round the board.
        wet = watered(plan.gamemap.rivers, plan.layout)
        sea = [hexagon.at for hexagon in blue if hexagon.at in wet]
        if sea:
            area = polygons_path(coast.water.get(at) or plan.polygon(at) for at in sea)
            items.append(Group(items=tuple(water_items(area, coast, style)), clip=area))
    items += (Path(commands=plan.area(hexes), fill=ink) for ink, hexes in beyond.items())
    for hexagon in plan.gamemap.hexes:
        colour = hexagon.tile.colour
        bare = colour == "blue" and watery
        patterned = colour in style.theme.patterns and (not bare or rim_share(colour, style))
        if hexagon.tile.stripes or patterned:
            striped = hex_ground_items(hexagon.tile, plan.layout, plan.across_mm, style)
            items.append(shifted(striped, *plan.centre(hexagon.at)))
    if coast is None and blue:
        # Quiet waves, and water lines along the shores.
        shores = [
            edge
            for edge in plan.outside_edges(blue)
            if (other := plan.across(edge)) is not None and other.tile.colour != "blue"
        ]
        waves = _waves(plan.across_mm, style)
        sea_items: list[Item] = []
        for hexagon in blue:
            x, y = plan.centre(hexagon.at)
            matrix = translation(x - waves.width_mm / 2, y - waves.height_mm / 2)
            sea_items.append(Use(scene=waves, matrix=matrix))
        line, ground = style.ink("map.sea.line"), style.ink("tile.blue")
        sea_items += _bands(plan.lines(shores), _SEA, line, ground)
        items.append(Group(items=tuple(sea_items), clip=plan.area(blue)))
    red = [hexagon for hexagon in plan.gamemap.hexes if hexagon.tile.colour == "red"]
    if red:
        # A fine darker line within the outline of each off-board area.
        edges = [
            (hexagon.at, number)
            for hexagon in red
            for number in plan.edges_of(hexagon)
            if plan.one_side((hexagon.at, number)) not in plan.open_edges
        ]
        line, ground = style.ink("map.red.line"), style.ink("tile.red")
        lines = tuple(_bands(plan.lines(edges), ((1.25, 1.0),), line, ground))
        items.append(Group(items=lines, clip=plan.area(red)))
    return grounds, tuple(items)


@lru_cache(maxsize=8)
def _waves(across_mm: float, style: Style) -> Scene:
    """Short waves scattered over one hex, so that neighbours join without a visible pattern."""
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
        key=f"map:waves:{across_mm:g}",
        width_mm=across_mm,
        height_mm=across_mm,
        items=tuple(pen.items),
        bleed_mm=1.0,
    )


def rim_items(plan: MapPlan, style: Style, coast: Coast | None = None) -> Items:
    """Fine lines between hexes and round the board, none where hexes belong together; and the
    shores: those of a `coast`, else a stronger line along edges between water and land and round
    the board."""
    fine, shore = shore_edges(plan)
    outline = plan.outside_edges(plan.gamemap.hexes)
    if coast is None:
        return (
            Path(commands=separate(plan, fine), stroke=style.stroke("map.hexrim")),
            Path(commands=plan.lines((*outline, *shore)), stroke=style.stroke("map.shore")),
        )
    afloat: list[Edge] = []
    ashore: list[Edge] = []
    for edge in (*fine, *shore, *outline):
        is_blue = plan.gamemap.by_coord[edge[0]].tile.colour == "blue"
        (afloat if is_blue and edge not in coast.edges else ashore).append(edge)
    items = [
        Path(commands=separate(plan, edges), stroke=style.stroke(stroke))
        for edges, stroke in ((afloat, "map.searim"), (ashore, "map.hexrim"))
        if edges
    ]
    shores = Path(commands=coast.shore, stroke=style.stroke("map.shore"), role=Role.RELIEF)
    return (*items, Group(items=(shores,), clip=rectangle_path(*coast.frame)))


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


def separate(plan: MapPlan, edges: Sequence[Edge]) -> Commands:
    """Edges as one path, each by itself."""
    return polygons_path(map(plan.edge_line, edges), closed=False)


# Regions of a map: their lands, and faint lines between them.


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


def state_items(plan: MapPlan, style: Style) -> Items:
    """Faint lines between regions."""
    edges = state_edges(plan)
    return (Path(commands=plan.lines(edges), stroke=style.stroke("map.state")),) if edges else ()


def lands(region: Region, plan: MapPlan) -> list[tuple[MapHex, ...]]:
    """The white hexes of a region that hang together, in the order of the map."""
    rest: dict[Coord, MapHex] = {}
    for member in region.hexes:
        hexagon = plan.gamemap.by_id.get(member)
        if hexagon is not None and hexagon.tile.colour == "white":
            rest[hexagon.at] = hexagon
    parts: list[tuple[MapHex, ...]] = []
    while rest:
        group = [rest.pop(next(iter(rest)))]
        for hexagon in group:
            around = (neighbour(hexagon.at, edge, plan.layout) for edge in EDGES)
            group += [rest.pop(at) for at in around if at in rest]
        parts.append(tuple(group))
    return parts


class Hexes(Frozen):
    """Hexes by their centres."""

    centres: tuple[Point, ...]
    layout: Layout
    across_mm: float


def spans_of(hexes: Hexes, cell_mm: float) -> Iterator[tuple[int, float, float]]:
    """Stretches of level lines that lie within some hexes, joined where these touch: for each the
    number of its row of cells, along whose middle it runs, its left and its right."""
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
            # Slanting sides run 1 : sqrt(3) in flat hexes, sqrt(3) : 1 in pointy ones, whose upright
            # sides bound them as well.
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


# Relief.

# A point of the grid of heights.
Cell = tuple[int, int]

# From one height to the next.
_STEP_MM = 2.6
# Lengths of the waves of the noise in mm, and the weight of each.
_WAVES = ((14.0, 0.62), (6.4, 0.38))
# The tints of the shading: the slope from which on each is laid (down to the lower right, or up to
# it), and the share of the light or shade of the terrain in its ground. Darker ones lie on lighter
# ones, so that steps are small.
_TINTS = (
    (0.1, "shade", 0.14),
    (0.2, "shade", 0.26),
    (0.31, "shade", 0.38),
    (-0.14, "light", 0.3),
    (-0.27, "light", 0.6),
)
# Between these shares of its height the ground rises out of the plain.
_LOW, _HIGH = 0.42, 0.8
# Signs stand only where the noise is at least so near to a ridge.
_LEAST_TOP = 0.3
# Share of the ground in the inks of signs.
_QUIET = {"line": 0.52, "shade": 0.45, "light": 0.25}
# Between signs and what is drawn in hexes.
_CLEAR_MM = 0.5
# Signs come in widths so far apart, as painters keep each of them once; the smallest is this share
# of the largest.
_SIZES_MM, _SMALLEST = 1.0, 0.55
# Chance moves scattered signs by this share of the way between them.
_JITTER = 0.36
# Steps of the grid that a piece of the shading extends over, or a little more.
_PIECE = 24
# Weights of hexes that differ by less are equal: the first counts.
_TIE = 1e-6
# A column of the grid, longer than any map, where a point is a single number.
_ROW = 1 << 20
# Signs one behind the other are so much farther apart than signs in a row.
_BEHIND = 1.35


class Top(Frozen):
    """A place for a sign: its point, its kind, the number of the sign and its width in mm; and the
    hexes round it, each with the point counted from its middle."""

    at: Point
    kind: str
    number: int
    width_mm: float
    hexes: tuple[tuple[Coord, Point], ...]

    @classmethod
    def of(cls, at: Point, kind: str, number: int, size: float, grid: _Grid) -> Top:
        """The place at a point for a sign whose size is from 0 to 1."""
        width_mm = manner_of(kind).width_mm * grid.across / DESIGN_MM
        width_mm *= _SMALLEST + (1 - _SMALLEST) * size
        hexes = []
        for (column, row), _ in grid.corners(at):
            x, y = centre_mm(Coord(column, row), grid.layout, grid.across)
            hexes.append((Coord(column, row), (at[0] - x, at[1] - y)))
        width_mm = round(round(width_mm / _SIZES_MM) * _SIZES_MM, 2)
        return cls(at, kind, number, width_mm, tuple(hexes))


class _Lands(Frozen):
    """All that decides the relief of a map: the kinds of the hexes that have one."""

    kinds: tuple[tuple[Coord, str], ...]
    layout: Layout
    across_mm: float


def relief_kind(plan: MapPlan, hexagon: MapHex) -> str | None:
    """The kind of terrain that a hex shows as relief, if it does: the first one of a white hex
    whose ground is neither its own nor that of its region."""
    region = plan.gamemap.region_of.get(hexagon.id)
    tinted = hexagon.tile.ground is not None or (region is not None and region.tint is not None)
    if hexagon.tile.colour != "white" or tinted or hexagon.half is not None or hexagon.apart:
        return None
    kinds = (kind for terrain in hexagon.tile.terrain for kind in terrain.kinds)
    return relief_manner(next(kinds, ""))


def shading_items(plan: MapPlan, style: Style) -> Items:
    """The shading of the high ground of a map."""
    lands = _lands(plan, style)
    if lands is None:
        return ()
    items: list[Item] = []
    for kind, tint, commands in _shading(lands, plan.origin):
        _, part, share = _TINTS[tint]
        ink = style.theme.inks.get(f"terrain.{kind}.{part}") or style.ink(
            f"terrain.mountain.{part}"
        )
        fill = mix(style.ink(f"terrain.{kind}.ground"), ink, share * style.theme.relief)
        items.append(Path(commands=commands, fill=fill, role=Role.RELIEF))
    return tuple(items)


def relief_items(plan: MapPlan, room: Callable[[str], Room], style: Style) -> Items:
    """Small signs all over the ground of a map that has a relief; `room` is the free part of a hex
    by its printed coordinates."""
    lands = _lands(plan, style)
    if lands is None:
        return ()
    # The inks of terrain nearer to the ground: relief is below the grid and rivers in loudness.
    quiet = _quiet(style)
    whole = Field(plan.layout, plan.across_mm, 0.0)
    signs: dict[tuple[str, int, float], Scene] = {}
    rooms: dict[Coord, Room | None] = {}
    items: list[Item] = []
    for top in _tops(lands):
        looks = (top.kind, top.number, top.width_mm)
        if looks not in signs:
            signs[looks] = relief_sign(*looks, quiet)
        sign = signs[looks]
        box = (sign.width_mm, sign.height_mm)
        for at, (dx, dy) in top.hexes:
            if at not in rooms:
                hexagon = plan.gamemap.by_coord.get(at)
                white = hexagon is not None and hexagon.tile.colour == "white"
                rooms[at] = room(hexagon.id) if hexagon is not None and white else None
            free = rooms[at]
            if free is not None:
                clear = free.clear((dx, dy), box)
            else:  # a place that is no white hex: the sign must be out of it
                clear = any(
                    dx * wx + dy * wy - abs(wx) * box[0] / 2 - abs(wy) * box[1] / 2 > whole.half
                    for wx, wy in whole.ways
                )
            if not clear:
                break
        else:
            x, y = top.at[0] + plan.origin[0], top.at[1] + plan.origin[1]
            items.append(Use(scene=sign, matrix=translation(x - box[0] / 2, y - box[1] / 2)))
    return tuple(items)


def _lands(plan: MapPlan, style: Style) -> _Lands | None:
    """The kinds of the hexes that have a relief; None where there are none, or none is drawn."""
    if not style.theme.relief:
        return None
    kinds = tuple(
        (hexagon.at, kind)
        for hexagon in plan.gamemap.hexes
        if (kind := relief_kind(plan, hexagon)) is not None
    )
    return _Lands(kinds, plan.layout, plan.across_mm) if kinds else None


class Room:
    """The free part of a hex: whether a sign has room there is worked out once for each place."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._known: dict[tuple[Point, Point], bool] = {}

    def clear(self, spot: Point, box: Point) -> bool:
        """True if a box round a spot, counted from the middle of the hex, keeps clear of all."""
        clear = self._known.get((spot, box))
        if clear is None:
            room = self._field.box_room(*spot, box, enough=2 * _CLEAR_MM, floor=_CLEAR_MM)
            clear = self._known[spot, box] = room > _CLEAR_MM
        return clear


@lru_cache(maxsize=8)
def _quiet(style: Style) -> Style:
    inks = dict(style.theme.inks)
    ground = style.ink("tile.white")
    for name, ink in style.theme.inks.items():
        family, _, part = name.rpartition(".")
        if family.startswith("terrain.") and part in _QUIET:
            share = 1.0 - (1.0 - _QUIET[part]) * style.theme.relief
            inks[name] = mix(ink, ground, share)
    return replace(style, theme=replace(style.theme, inks=inks))


class _Grid(Frozen):
    """Places of the hexes as a skewed grid of whole numbers, in which each point lies in a triangle
    of three hexes: half a square."""

    layout: Layout
    across: float
    odd: int

    @classmethod
    def of(cls, lands: _Lands) -> _Grid:
        """The grid of a map."""
        first = lands.kinds[0][0]
        return cls(lands.layout, lands.across_mm, (first.x + first.y) % 2)

    @property
    def flat(self) -> bool:
        """True if columns of hexes run along the skewed axis."""
        return self.layout is Layout.FLAT

    def skewed(self, point: Point) -> Point:
        """A point, the middles of hexes being whole numbers."""
        x, y = point if self.flat else (point[1], point[0])
        u = x / (self.across * COS_30)
        return u, y / self.across - u / 2 - self.odd / 2

    def squares_round(self, at: Cell) -> tuple[Cell, ...]:
        """The squares with a hex at a corner."""
        i, row = at if self.flat else (at[1], at[0])
        j = (row - i - self.odd) // 2
        return (i - 1, j - 1), (i - 1, j), (i, j - 1), (i, j)

    def corners_of(self, square: Cell) -> tuple[Cell, ...]:
        """The doubled coordinates of the hexes at the corners of a square."""
        i, j = square
        row = 2 * j + i + self.odd
        four = ((i, row), (i + 1, row + 1), (i, row + 2), (i + 1, row + 3))
        return four if self.flat else tuple((across, along) for along, across in four)

    def corners(self, point: Point) -> tuple[tuple[Cell, float], ...]:
        """The doubled coordinates of the three hexes round a point, with their weights: barycentric
        coordinates in the triangle of their middles."""
        u, v = self.skewed(point)
        i, j = math.floor(u), math.floor(v)
        a, b = u - i, v - j
        upper, right, below, far = self.corners_of((i, j))
        if a + b < 1.0:
            return (upper, 1.0 - a - b), (right, a), (below, b)
        return (far, a + b - 1.0), (below, 1.0 - a), (right, 1.0 - b)

    def cells(self, square: Cell, step: float) -> Iterator[Cell]:
        """The points of a grid with a step that lie in a square."""
        i, j = square
        wide, tall = self.across * COS_30 / step, self.across / step
        for along in range(math.floor(i * wide), math.ceil((i + 1) * wide) + 1):
            top = (j + along / wide / 2 + self.odd / 2) * tall
            for across in range(math.floor(top), math.ceil(top + tall) + 1):
                cell = (along, across) if self.flat else (across, along)
                u, v = self.skewed((cell[0] * step, cell[1] * step))
                if math.floor(u) == i and math.floor(v) == j:
                    yield cell


class _Height(NamedTuple):
    """The rise of the ground out of the plain at a point and its nearness to a ridge, both from 0
    to 1; its rank among places for a sign, the highest first; and the hex that it is in with the
    kind of its terrain, None in a hex that is flat."""

    rise: float
    ridge: float
    rank: float
    at: Coord | None
    kind: str | None


@lru_cache(maxsize=2)
def _heights(lands: _Lands) -> dict[Cell, _Height]:
    """The ground round all high hexes, by points of a grid."""
    high: dict[Cell, tuple[float, str]] = {
        at: (rise, kind) for at, kind in lands.kinds if (rise := manner_of(kind).rise)
    }
    grid = _Grid.of(lands)
    squares = dict.fromkeys(square for at in high for square in grid.squares_round(at))
    known: dict[Cell, _Height] = {}
    for square in squares:
        known |= _heights_in(square, grid, tuple(map(high.get, grid.corners_of(square))))
    # In the order of the hexes: lines round the shading are painted in that of their points.
    heights: dict[Cell, _Height] = {}
    step = _STEP_MM * lands.across_mm / DESIGN_MM
    reach = math.ceil(lands.across_mm * 0.72 / step)
    for at in high:
        x, y = (
            round(measured(place / step))
            for place in centre_mm(Coord(*at), lands.layout, lands.across_mm)
        )
        for cell in product(range(x - reach, x + reach + 1), range(y - reach, y + reach + 1)):
            if cell in known:
                heights[cell] = known.pop(cell)
    return heights


# Kept: an edit changes few hexes.
@lru_cache(maxsize=1024)
def _heights_in(
    square: Cell, grid: _Grid, corners: tuple[tuple[float, str] | None, ...]
) -> dict[Cell, _Height]:
    """The ground in a square whose corners are hexes of some rises and kinds: interpolated from
    their middles; the kind is that of the nearest."""
    high = dict(zip(grid.corners_of(square), corners, strict=True))
    step = _STEP_MM * grid.across / DESIGN_MM
    heights: dict[Cell, _Height] = {}
    for column, row in grid.cells(square, step):
        rise, most, nearest = 0.0, 0.0, square
        for place, weight in grid.corners((column * step, row * step)):
            own = high[place]
            if own is not None:
                rise += weight * own[0]
            if weight > most + _TIE:
                most, nearest = weight, place
        if rise > _LOW:
            share = min(1.0, (rise - _LOW) / (_HIGH - _LOW))
            eased, ridge = share * share * (3.0 - 2.0 * share) * rise, _ridge(column, row)
            rank, own = -round(eased * (0.4 + 0.6 * ridge), 6), high[nearest]
            at, kind = (Coord(*nearest), own[1]) if own is not None else (None, None)
            heights[column, row] = _Height(eased, ridge, rank, at, kind)
    return heights


def _ridge(column: int, row: int) -> float:
    """Nearness of a point of the grid of heights to a ridge, 0 to 1: a ridged noise, 1 - |noise|,
    of two waves of value noise. Its creases, where the noise is 0, are the ridges."""
    total = 0.0
    for number, (_, weight) in enumerate(_WAVES):
        i, a = _in_wave(column, number)
        j, b = _in_wave(row, number)
        one, two, three, four = _wave_corners(i, j, number)
        upper, lower = one + (two - one) * a, three + (four - three) * a
        total += weight * (upper + (lower - upper) * b)
    # Sums of two waves seldom come near 1: stretched, valleys are as frequent as ridges.
    return 1.0 - min(1.0, abs(total) * 1.9)


@lru_cache(maxsize=4096)
def _in_wave(step: int, number: int) -> tuple[int, float]:
    """The square of a wave in which a step of the grid lies, and the share of it before the step,
    eased so that the noise has no creases along its grid."""
    x = step * (_STEP_MM / _WAVES[number][0])
    i = math.floor(x)
    a = x - i
    return i, a * a * (3.0 - 2.0 * a)


@lru_cache(maxsize=4096)
def _wave_corners(i: int, j: int, number: int) -> tuple[float, float, float, float]:
    """The heights of a wave at the corners of a square."""
    return (
        _chance(i, j, number),
        _chance(i + 1, j, number),
        _chance(i, j + 1, number),
        _chance(i + 1, j + 1, number),
    )


_chance = lru_cache(maxsize=4096)(chance)


@lru_cache(maxsize=8)
def _tops(lands: _Lands) -> tuple[Top, ...]:
    """Places for signs, from the upper rim of the map to the lower: nearer ones cover farther ones.
    On high ground the highest points first, each of which keeps others away; all over flat
    hexes."""
    grid = _Grid.of(lands)
    high = sorted(
        (height.rank, cell, height.kind)
        for cell, height in _heights(lands).items()
        if height.kind is not None and height.ridge > _LEAST_TOP
    )
    # For each kind the points at which its signs would stand too near to those that there are; as
    # single numbers, to which steps are added in a third of the time.
    near = {
        kind: _near(manner_of(kind).apart_mm) for kind in dict.fromkeys(kind for *_, kind in high)
    }
    taken: dict[str, set[int]] = {kind: set() for kind in near}
    tops: list[Top] = []
    for rank, (column, row), kind in high:
        point = column * _ROW + row
        if point not in taken[kind]:
            for other, points in taken.items():
                points.update(map(point.__add__, near[other]))
            tops.append(_high_top(column, row, kind, rank, grid))
    for at, kind in lands.kinds:
        if not manner_of(kind).rise:
            tops += _scattered(at, kind, grid)
    return tuple(
        sorted(tops, key=lambda top: (round(measured(top.at[1]), 3), round(measured(top.at[0]), 3)))
    )


@lru_cache(maxsize=4096)
def _high_top(column: int, row: int, kind: str, rank: float, grid: _Grid) -> Top:
    step, manner = _STEP_MM * grid.across / DESIGN_MM, manner_of(kind)
    size = min(1.0, max(0.0, -rank / manner.rise * 2.0 - 1.0))
    number = _one_of(manner, chance(column, row, 7))
    return Top.of((column * step, row * step), kind, number, size, grid)


@cache
def _near(apart_mm: float) -> tuple[int, ...]:
    """The steps of the grid of heights to points that are too near for signs so far apart."""
    reach = math.ceil(apart_mm / _STEP_MM)
    steps = range(-reach, reach + 1)
    return tuple(
        column * _ROW + row
        for column, row in product(steps, steps)
        if math.hypot(column, row * _BEHIND) * _STEP_MM < apart_mm
    )


def _one_of(manner: Manner, chosen: float) -> int:
    """The number of one of the signs of a manner, by a number from -1 to 1."""
    return int((chosen + 1.0) / 2 * len(manner.signs)) % len(manner.signs)


@lru_cache(maxsize=1024)
def _scattered(at: Coord, kind: str, grid: _Grid) -> tuple[Top, ...]:
    """Places all over a hex, each out of its row by chance."""
    manner = manner_of(kind)
    apart = manner.apart_mm * grid.across / DESIGN_MM
    x, y = centre_mm(at, grid.layout, grid.across)
    reach = math.ceil(grid.across * 0.6 / apart)
    inset = manner.width_mm * 0.42 * grid.across / DESIGN_MM
    field = Field(grid.layout, grid.across, inset)
    tops: list[Top] = []
    for row in range(-reach, reach + 1):
        for column in range(-reach, reach + 1):
            key = (at.x * 64 + column, at.y * 64 + row)
            dx = (column + (row % 2) / 2 + chance(*key, 1) * _JITTER) * apart
            dy = (row * 0.8 + chance(*key, 2) * _JITTER) * apart
            if field.disc_room(dx, dy, 0.0, enough=1.0) > 0.0:
                size, number = (chance(*key, 3) + 1.0) / 2, _one_of(manner, chance(*key, 4))
                tops.append(Top.of((x + dx, y + dy), kind, number, size, grid))
    return tuple(tops)


@lru_cache(maxsize=8)
def _shading(lands: _Lands, origin: Point) -> tuple[tuple[str, int, Commands], ...]:
    """For each kind of high ground and each tint that it has, its outlines on the sheet. The slope
    is the difference of the noise along the light, from the upper left to the lower right."""
    heights = _heights(lands)
    step = _STEP_MM * lands.across_mm / DESIGN_MM
    range_of = _ranges(lands)
    slopes: dict[str, dict[Coord, dict[Cell, float]]] = {}
    for (column, row), height in heights.items():
        if height.at is not None and height.kind is not None:
            above = heights.get((column - 1, row - 1), height).ridge
            below = heights.get((column + 1, row + 1), height).ridge
            of_kind = slopes.setdefault(height.kind, {})
            own = of_kind.setdefault(range_of[height.at], {})
            own[column, row] = height.rise * (above - below)
    rank = {cell: number for number, cell in enumerate(heights)}
    shading: list[tuple[str, int, Commands]] = []
    for kind, ranges in slopes.items():
        drawn = [_outlines(tuple(own.items()), step, origin) for own in ranges.values()]
        for number in range(len(_TINTS)):
            lines = [line for outlines in drawn for line in outlines[number]]
            # In pieces of those near each other: a search for the ground of a word looks at few.
            pieces: dict[Cell, list[Command]] = {}
            for line in sorted(lines, key=lambda line: rank[line.first]):
                pieces.setdefault(line.piece, []).extend(line.commands)
            shading += ((kind, number, tuple(piece)) for piece in pieces.values())
    return tuple(shading)


def _ranges(lands: _Lands) -> dict[Coord, Coord]:
    """The first hex of the range that each hex belongs to: of one kind, and adjoining."""
    kind_of = dict(lands.kinds)
    range_of: dict[Coord, Coord] = {}
    for first, kind in lands.kinds:
        group = [] if first in range_of else [first]
        for at in group:
            range_of[at] = first
            around = (neighbour(at, edge, lands.layout) for edge in EDGES)
            group += (
                other for other in around if kind_of.get(other) == kind and other not in group
            )
    return range_of


class _Outline(NamedTuple):
    """A line round high cells, with the holes in it: the cell that it begins at, and the piece of
    the map that it is in."""

    first: Cell
    piece: Cell
    commands: Commands


# Kept: an edit changes few ranges.
@lru_cache(maxsize=256)
def _outlines(
    slopes: tuple[tuple[Cell, float], ...], step: float, origin: Point
) -> tuple[tuple[_Outline, ...], ...]:
    """The outlines of a range, for each tint."""
    values, (ox, oy) = dict(slopes), origin
    tints: list[tuple[_Outline, ...]] = []
    for level, _, _ in _TINTS:
        outer: list[tuple[Cell, list[Point], list[list[Point]]]] = []
        holes: list[list[Point]] = []
        for first, ring in _contours(values, level):
            # Twice the area, by the shoelace formula: lines round high cells run anticlockwise on
            # the sheet, for which it is less than 0.
            area = math.fsum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))
            if area < 0:
                outer.append((first, ring, []))
            else:
                holes.append(ring)
        boxes = [bounds_of(ring) for _, ring, _ in outer]
        for hole in holes:
            x, y = hole[0]
            around = [
                own
                for (_, ring, own), (left, top, right, bottom) in zip(outer, boxes, strict=True)
                if left <= x <= right and top <= y <= bottom and inside(hole[0], tuple(ring))
            ]
            if around:
                around[-1].append(hole)
        outlines: list[_Outline] = []
        for first, ring, own in outer:
            commands: list[Command] = []
            for line in (ring, *own):
                commands += polygon_path(
                    (round(measured(x * step + ox), 2), round(measured(y * step + oy), 2))
                    for x, y in line
                )
            piece = (int(ring[0][0] // _PIECE), int(ring[0][1] // _PIECE))
            outlines.append(_Outline(first, piece, tuple(commands)))
        tints.append(tuple(outlines))
    return tuple(tints)


# Marching squares (Lorensen & Cline 1987 for cubes): for each way in which the corners of a square
# (upper left 1, upper right 2, lower right 4, lower left 8) are high, the sides (top, right,
# bottom, left) at which a contour enters and leaves it. In the two cases of opposite corners they
# stay apart.
_CASES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((3, 0),),
    ((0, 1),),
    ((3, 1),),
    ((1, 2),),
    ((3, 0), (1, 2)),
    ((0, 2),),
    ((3, 2),),
    ((2, 3),),
    ((2, 0),),
    ((0, 1), (2, 3)),
    ((2, 1),),
    ((1, 3),),
    ((1, 0),),
    ((0, 3),),
    (),
)


def _contours(values: dict[Cell, float], level: float) -> Iterator[tuple[Cell, list[Point]]]:
    """Closed lines round the cells whose value is beyond a level, in steps of the grid, each with
    the cell that it begins at: the first of those round its first square."""
    sign = 1.0 if level > 0 else -1.0
    squares: dict[Cell, int] = {}
    first_of: dict[Cell, Cell] = {}
    for cell, value in values.items():
        if value * sign > level * sign:
            i, j = cell
            for square, corner in (
                ((i, j), 1),
                ((i, j - 1), 8),
                ((i - 1, j), 2),
                ((i - 1, j - 1), 4),
            ):
                if square in squares:
                    squares[square] |= corner
                else:
                    squares[square], first_of[square] = corner, cell
    # Each side of a square is named for its cell: the upper one 0, the left one 1.
    follows: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    begins: dict[tuple[int, int, int], Cell] = {}
    for square, case in squares.items():
        if not _CASES[case]:
            continue
        i, j = square
        sides = ((i, j, 0), (i + 1, j, 1), (i, j + 1, 0), (i, j, 1))
        for enter, leave in _CASES[case]:
            follows[sides[enter]] = sides[leave]
            begins[sides[enter]] = first_of[square]
    for first in tuple(follows):
        side, ring = first, list[Point]()
        while side in follows:
            i, j, upright = side
            end = (i, j + 1) if upright else (i + 1, j)
            one, two = values.get((i, j), 0.0), values.get(end, 0.0)
            share = min(1.0, max(0.0, (level - one) / (two - one)))
            ring.append((i, j + share) if upright else (i + share, j))
            side = follows.pop(side)
        if len(ring) > 3:
            yield begins[first], ring
