"""The ground of a map: colours of hexes, washes of states, relief, rims."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
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
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.drawing.map.rivers import watered
from platelayer.drawing.map.shore import Coast, ends_at_shore, shows_water, water_items
from platelayer.foundation.seeds import chance
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import MapHex, Region
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, centre_mm, neighbour
from platelayer.scene.flatten import bounds_of, inside
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


# Inks of washes, `map.wash.0` and so on.
WASHES = 6
# How far each band reaches from the border in mm, and how strong it is.
_BANDS = ((4.8, 0.38), (2.4, 0.84))

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


# Water lines round the board: how far out in mm, and how strong.
_SHORE = ((1.3, 0.85), (2.9, 0.55), (5.0, 0.3))
_SEA = ((1.5, 0.9), (3.4, 0.6), (5.8, 0.35))
_LINE_MM = 0.16
# Colours of hexes beyond the land: the sea, and off-board areas.
_BEYOND = ("blue", "red")


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


# The relief of a map: the shading of its high ground, lit from the upper left, and small signs
# over it.
#
# Heights are those of the terrain at the middles of the hexes, with a ridged noise (Musgrave 1993);
# so ranges run on from hex to hex. The shading is two tints, bounded by contours (marching
# squares);
# signs stand on tops, clear of all that is drawn in the hexes.


# A point of the grid of heights.
Cell = tuple[int, int]

_DESIGN_MM = 38.6
# From one height to the next.
_STEP_MM = 2.6
# Lengths of the waves of the noise in mm, and how much each counts.
_WAVES = ((14.0, 0.62), (6.4, 0.38))
# The tints of the shading: from which slope on each is laid (down to the lower right, or up to it),
# and how much of the light or shade of the terrain is mixed into its ground.
_TINTS = (
    (0.1, "shade", 0.14),
    (0.2, "shade", 0.26),
    (0.31, "shade", 0.38),
    (-0.14, "light", 0.3),
    (-0.27, "light", 0.6),
)
# Between these shares of its height the ground rises out of the plain.
_LOW, _HIGH = 0.42, 0.8
_LEAST_TOP = 0.3
# How much of the ground is mixed into the inks of signs.
_QUIET = {"line": 0.52, "shade": 0.45, "light": 0.25}
# Between signs and what is drawn in hexes.
_CLEAR_MM = 0.5
# Signs come in widths so far apart: painters keep each of them once.
_SIZES_MM = 1.0
_SMALLEST = 0.55
_JITTER = 0.36
# Steps of the grid that a piece of the shading extends over, or a little more.
_PIECE = 24
_TIE = 1e-6
# How much farther signs are apart one behind the other than in a row.
_BEHIND = 1.35


class Top(Struct, frozen=True):
    """A place for a sign: where it stands, of which kind it is, how large it may be (0 to 1), and
    which it is."""

    at: Point
    kind: str
    size: float
    number: int


class _Lands(Struct, frozen=True):
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


def shading_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
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


def relief_items(plan: MapPlan, room: Callable[[str], Room], style: Style) -> tuple[Item, ...]:
    """Small signs all over the ground of a map that has a relief; `room` is what is left of a hex
    by its printed coordinates."""
    lands = _lands(plan, style)
    if lands is None:
        return ()
    quiet = _quiet(style)
    rooms = _Rooms(plan, room)
    scale = plan.across_mm / _DESIGN_MM
    items: list[Item] = []
    for top in _tops(lands):
        width = manner_of(top.kind).width_mm * scale * (_SMALLEST + (1 - _SMALLEST) * top.size)
        sign = relief_sign(
            top.kind, top.number, round(round(width / _SIZES_MM) * _SIZES_MM, 2), quiet
        )
        box = (sign.width_mm, sign.height_mm)
        if all(rooms.clear(at, top.at, box) for at in _near(top.at, lands)):
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
    """What is left of a hex by what is drawn in it: whether a sign has room there is worked out
    once for each place."""

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


class _Rooms:
    """What is left of white hexes by what is drawn in them."""

    def __init__(self, plan: MapPlan, room: Callable[[str], Room]) -> None:
        self._plan, self._room = plan, room
        self._whole = Field(plan.layout, plan.across_mm, 0.0)
        self._rooms: dict[Coord, tuple[Point, Room | None]] = {}

    def clear(self, at: Coord, spot: Point, box: Point) -> bool:
        """True if a sign keeps clear of what is drawn in a hex, and out of places that are not
        white hexes."""
        if at not in self._rooms:
            hexagon = self._plan.gamemap.by_coord.get(at)
            white = hexagon is not None and hexagon.tile.colour == "white"
            room = self._room(hexagon.id) if hexagon is not None and white else None
            self._rooms[at] = centre_mm(at, self._plan.layout, self._plan.across_mm), room
        (x, y), room = self._rooms[at]
        dx, dy = spot[0] - x, spot[1] - y
        if room is not None:
            return room.clear((dx, dy), box)
        return any(
            dx * wx + dy * wy - abs(wx) * box[0] / 2 - abs(wy) * box[1] / 2 > self._whole.half
            for wx, wy in self._whole.ways
        )


@lru_cache(maxsize=8)
def _quiet(style: Style) -> Style:
    """The style with the inks of terrain nearer to the ground: relief is below the grid and rivers
    in loudness."""
    inks = dict(style.theme.inks)
    ground = style.ink("tile.white")
    for name, ink in style.theme.inks.items():
        family, _, part = name.rpartition(".")
        if family.startswith("terrain.") and part in _QUIET:
            share = 1.0 - (1.0 - _QUIET[part]) * style.theme.relief
            inks[name] = mix(ink, ground, share)
    return replace(style, theme=replace(style.theme, inks=inks))


# The grid


class _Grid:
    """Places of the hexes as a skewed grid of whole numbers, in which each point lies in a triangle
    of three hexes."""

    def __init__(self, lands: _Lands) -> None:
        self.flat = lands.layout is Layout.FLAT
        self.across = lands.across_mm
        first = lands.kinds[0][0]
        self.odd = (first.x + first.y) % 2

    def corners(self, point: Point) -> tuple[tuple[Cell, float], ...]:
        """The doubled coordinates of the three hexes round a point, with their weights."""
        x, y = point if self.flat else (point[1], point[0])
        u = x / (self.across * COS_30)
        v = y / self.across - u / 2 - self.odd / 2
        i, j = math.floor(u), math.floor(v)
        a, b = u - i, v - j
        row = 2 * j + i + self.odd
        right, below = (i + 1, row + 1), (i, row + 2)
        if a + b < 1.0:
            three = (((i, row), 1.0 - a - b), (right, a), (below, b))
        else:
            three = (((i + 1, row + 3), a + b - 1.0), (below, 1.0 - a), (right, 1.0 - b))
        return (
            three
            if self.flat
            else tuple(((across, along), weight) for (along, across), weight in three)
        )


def _near(point: Point, lands: _Lands) -> Iterator[Coord]:
    return (Coord(*at) for at, _ in _Grid(lands).corners(point))


class _Height(NamedTuple):
    """How far the ground rises out of the plain at a point and how near to a ridge it is, both from
    0 to 1; and the kind of its terrain, None in a hex that is flat."""

    rise: float
    ridge: float
    kind: str | None


@lru_cache(maxsize=2)
def _heights(lands: _Lands) -> dict[Cell, _Height]:
    """The ground round all high hexes, by points of a grid."""
    high: dict[Cell, tuple[float, str]] = {
        at: (rise, kind) for at, kind in lands.kinds if (rise := manner_of(kind).rise)
    }
    step = _STEP_MM * lands.across_mm / _DESIGN_MM
    reach = math.ceil(lands.across_mm * 0.72 / step)
    grid = _Grid(lands)
    heights: dict[Cell, _Height] = {}
    seen: dict[Cell, None] = {}
    for at in high:
        x, y = centre_mm(Coord(*at), lands.layout, lands.across_mm)
        middle = round(measured(x / step)), round(measured(y / step))
        for column in range(middle[0] - reach, middle[0] + reach + 1):
            for row in range(middle[1] - reach, middle[1] + reach + 1):
                cell = (column, row)
                if cell in seen:
                    continue
                seen[cell] = None
                rise, most, kind = 0.0, 0.0, None
                for place, weight in grid.corners((column * step, row * step)):
                    own = high.get(place)
                    if own is not None:
                        rise += weight * own[0]
                    if weight > most + _TIE:
                        most, kind = weight, own and own[1]
                if rise > _LOW:
                    share = min(1.0, (rise - _LOW) / (_HIGH - _LOW))
                    heights[cell] = _Height(
                        share * share * (3.0 - 2.0 * share) * rise, _ridge(column, row), kind
                    )
    return heights


def _ridge(column: int, row: int) -> float:
    """How near to a ridge a point of the grid of heights is, 0 to 1: a ridged noise of two
    waves."""
    total = 0.0
    for number, (_, weight) in enumerate(_WAVES):
        i, a = _in_wave(column, number)
        j, b = _in_wave(row, number)
        one, two, three, four = _wave_corners(i, j, number)
        upper, lower = one + (two - one) * a, three + (four - three) * a
        total += weight * (upper + (lower - upper) * b)
    return 1.0 - min(1.0, abs(total) * 1.9)


@lru_cache(maxsize=4096)
def _in_wave(step: int, number: int) -> tuple[int, float]:
    """The square of a wave in which a step of the grid lies, and how far in it, eased."""
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
    """Places for signs, from the upper rim of the map to the lower."""
    scale = lands.across_mm / _DESIGN_MM
    step = _STEP_MM * scale
    high = sorted(
        (-round(height.rise * (0.4 + 0.6 * height.ridge), 6), cell, height.kind)
        for cell, height in _heights(lands).items()
        if height.kind is not None and height.ridge > _LEAST_TOP
    )
    tops: list[Top] = []
    spread = _Spread(
        max((manner_of(kind).apart_mm for _, kind in lands.kinds), default=1.0) * scale
    )
    for height, (column, row), kind in high:
        spot, manner = (column * step, row * step), manner_of(kind)
        if spread.take(spot, manner.apart_mm * scale):
            number = _one_of(manner, chance(column, row, 7))
            tops.append(
                Top(spot, kind, min(1.0, max(0.0, -height / manner.rise * 2.0 - 1.0)), number)
            )
    for at, kind in lands.kinds:
        if not manner_of(kind).rise:
            tops += _scattered(at, kind, lands)
    return tuple(
        sorted(tops, key=lambda top: (round(measured(top.at[1]), 3), round(measured(top.at[0]), 3)))
    )


def _one_of(manner: Manner, chosen: float) -> int:
    """The number of one of the signs of a manner, by a number from -1 to 1."""
    return int((chosen + 1.0) / 2 * len(manner.signs)) % len(manner.signs)


class _Spread:
    """Signs that keep a distance; in a row they may be closer than one behind the other."""

    def __init__(self, square_mm: float) -> None:
        self._square_mm = square_mm
        self._spots: dict[Cell, list[Point]] = {}

    def take(self, spot: Point, least: float) -> bool:
        """True if no sign is nearer than `least`, at most the size of a square; its spot is then
        taken."""
        x, y = spot[0], spot[1] * _BEHIND
        column, row = int(x // self._square_mm), int(y // self._square_mm)
        for i in (column - 1, column, column + 1):
            for j in (row - 1, row, row + 1):
                for px, py in self._spots.get((i, j), ()):
                    if (px - x) * (px - x) + (py - y) * (py - y) < least * least:
                        return False
        self._spots.setdefault((column, row), []).append((x, y))
        return True


def _scattered(at: Coord, kind: str, lands: _Lands) -> Iterator[Top]:
    """Places all over a hex, each out of its row by chance."""
    manner = manner_of(kind)
    apart = manner.apart_mm * lands.across_mm / _DESIGN_MM
    x, y = centre_mm(at, lands.layout, lands.across_mm)
    reach = math.ceil(lands.across_mm * 0.6 / apart)
    inside = Field(
        lands.layout, lands.across_mm, manner.width_mm * 0.42 * lands.across_mm / _DESIGN_MM
    )
    for row in range(-reach, reach + 1):
        for column in range(-reach, reach + 1):
            key = (at.x * 64 + column, at.y * 64 + row)
            dx = (column + (row % 2) / 2 + chance(*key, 1) * _JITTER) * apart
            dy = (row * 0.8 + chance(*key, 2) * _JITTER) * apart
            if inside.disc_room(dx, dy, 0.0, enough=1.0) > 0.0:
                yield Top(
                    (x + dx, y + dy),
                    kind,
                    (chance(*key, 3) + 1.0) / 2,
                    _one_of(manner, chance(*key, 4)),
                )


# The shading


@lru_cache(maxsize=8)
def _shading(lands: _Lands, origin: Point) -> tuple[tuple[str, int, tuple[Command, ...]], ...]:
    """For each kind of high ground and each tint that it has, its outlines on the sheet."""
    heights = _heights(lands)
    step = _STEP_MM * lands.across_mm / _DESIGN_MM
    slopes: dict[str, dict[Cell, float]] = {}
    for (column, row), height in heights.items():
        if height.kind is not None:
            above = heights.get((column - 1, row - 1), height).ridge
            below = heights.get((column + 1, row + 1), height).ridge
            slopes.setdefault(height.kind, {})[column, row] = height.rise * (above - below)
    return tuple(
        (kind, number, commands)
        for kind, values in slopes.items()
        for number, (level, _, _) in enumerate(_TINTS)
        for commands in _outlines(values, level, step, origin)
    )


def _outlines(
    values: dict[Cell, float], level: float, step: float, origin: Point
) -> Iterator[tuple[Command, ...]]:
    """Contours, with the holes in them, in pieces of those near each other: what looks for the
    ground of a word looks at few."""
    outer: list[tuple[list[Point], list[list[Point]]]] = []
    holes: list[list[Point]] = []
    for ring in _contours(values, level):
        if _relief_area(ring) < 0:
            outer.append((ring, []))
        else:
            holes.append(ring)
    boxes = [bounds_of(ring) for ring, _ in outer]
    for hole in holes:
        x, y = hole[0]
        around = [
            own
            for (ring, own), (left, top, right, bottom) in zip(outer, boxes, strict=True)
            if left <= x <= right and top <= y <= bottom and inside(hole[0], tuple(ring))
        ]
        if around:
            around[-1].append(hole)
    pieces: dict[Cell, list[Command]] = {}
    for ring, own in outer:
        piece = pieces.setdefault((int(ring[0][0] // _PIECE), int(ring[0][1] // _PIECE)), [])
        for line in (ring, *own):
            piece += polygon_path(
                (round(measured(x * step + origin[0]), 2), round(measured(y * step + origin[1]), 2))
                for x, y in line
            )
    yield from (tuple(commands) for commands in pieces.values())


def _relief_area(ring: Sequence[Point]) -> float:
    """Twice the area of a ring; less than 0 when it runs anticlockwise on the sheet, as those round
    high cells do."""
    return math.fsum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))


# Marching squares: for each way in which the corners of a square (upper left 1, upper right 2,
# lower right 4, lower left 8) are high, the sides (top, right, bottom, left) at which a contour
# enters and leaves it.
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


def _contours(values: dict[Cell, float], level: float) -> Iterator[list[Point]]:
    """Closed lines round the cells whose value is beyond a level, in steps of the grid."""
    sign = 1.0 if level > 0 else -1.0
    high = {cell: value * sign for cell, value in values.items() if value * sign > level * sign}
    squares = {(i - dx, j - dy): None for i, j in high for dx in (0, 1) for dy in (0, 1)}
    follows: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for i, j in squares:
        case = (
            ((i, j) in high)
            + 2 * ((i + 1, j) in high)
            + 4 * ((i + 1, j + 1) in high)
            + 8 * ((i, j + 1) in high)
        )
        sides = ((i, j, 0), (i + 1, j, 1), (i, j + 1, 0), (i, j, 1))
        for enter, leave in _CASES[case]:
            follows[sides[enter]] = sides[leave]
    while follows:
        side = next(iter(follows))
        ring: list[Point] = []
        while side in follows:
            ring.append(_crossing(side, values, level))
            side = follows.pop(side)
        if len(ring) > 3:
            yield ring


def _crossing(side: tuple[int, int, int], values: dict[Cell, float], level: float) -> Point:
    """Where a contour crosses a side of a square: the upper (0) or left (1) one of square (i,
    j)."""
    i, j, upright = side
    one, two = values.get((i, j), 0.0), values.get((i, j + 1) if upright else (i + 1, j), 0.0)
    share = min(1.0, max(0.0, (level - one) / (two - one)))
    return (i, j + share) if upright else (i + share, j)
