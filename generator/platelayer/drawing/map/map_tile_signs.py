"""Signs of map tiles: closed hexes, destinations, edges of tiles, and their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from platelayer.drawing.hex.places import Disc
from platelayer.drawing.hex.stop_marks import arc_commands
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import Edge, MapPlan
from platelayer.model.atlas_board import BORDER
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import EDGES, Coord, corner_points
from platelayer.scene.inks import mix
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Item,
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    rectangle_path,
    rotation,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import set_centred

_NUMBER_RADIUS = 0.115
"""Of the disc with the number in the middle of a map tile, as a share of the hex."""
_POINT = 1.5
"""How far the point of the disc reaches, in its radii."""
_BAND = 0.105
"""Width of the striped band along the closed edges of a border hex, as a share of the hex."""
_STRIPE = 0.052
_CROSS = (0.46, 0.085)
"""Length and width of each board of the crossbuck on a border hex, as shares of the hex."""
_ROSE_RING = 0.26
"""Radius of the circle round a compass rose."""
_RHUMB_POINTS = 8
_RHUMB_RING = 0.43
_ROSE = ((0.0, 0.3), (45.0, 0.2))
"""Rays of the compass rose on a destination: first turn in degrees, length as a share of the hex."""


class Numbered(Struct, frozen=True):
    """A map tile on the board: its printed number, where its hexes 1, 2 and 3 lie, and its rotation."""

    number: int
    hexes: tuple[Coord, Coord, Coord]
    rotation: int


def _middle_of(tile: Numbered, plan: MapPlan) -> Point:
    """Where the three hexes of a map tile meet."""
    centres = [plan.centre(at) for at in tile.hexes]
    return math.fsum(x for x, _ in centres) / 3, math.fsum(y for _, y in centres) / 3


def number_discs(tile: Numbered, at: Coord, plan: MapPlan) -> tuple[Disc, ...]:
    """The circle that the number of a tile fills, and its point in hex 1, round the centre of one of its hexes."""
    x, y = _middle_of(tile, plan)
    dx, dy = plan.centre(at)
    radius = _NUMBER_RADIUS * plan.across_mm
    disc = (x - dx, y - dy, radius * 1.06)
    if at != tile.hexes[0]:
        return (disc,)
    away = math.hypot(x - dx, y - dy)
    share = _POINT * radius / away
    return disc, ((x - dx) * (1 - share), (y - dy) * (1 - share), radius * 0.2)


def number_items(tiles: Iterable[Numbered], plan: MapPlan, style: Style) -> Iterator[Item]:
    """Each tile's number, large, on a disc where its three hexes meet; the point of the disc shows its hex 1."""
    radius = _NUMBER_RADIUS * plan.across_mm
    kind = style.type("atlas.number")
    kind = kind.at(max(kind.min_pt, round(kind.size_pt * plan.across_mm / 40.0, 1)))
    ink, rim = style.ink("map.casing"), style.stroke("atlas.number")
    for tile in tiles:
        x, y = _middle_of(tile, plan)
        first = plan.centre(tile.hexes[0])
        turn = math.atan2(first[1] - y, first[0] - x)
        half = math.acos(1 / _POINT)
        point = (x + _POINT * radius * math.cos(turn), y + _POINT * radius * math.sin(turn))
        drop = (
            ("M", *point),
            ("L", x + radius * math.cos(turn + half), y + radius * math.sin(turn + half)),
            *arc_commands(x, y, radius, turn + half, turn - half + 2 * math.pi),
            ("Z",),
        )
        yield Path(commands=drop, fill=ink, stroke=rim, role=Role.SYMBOL)
        yield from set_centred(str(tile.number), kind, style.ink("text"), x, y, over=(Role.SYMBOL,))


def tile_edges(tiles: Sequence[Numbered], plan: MapPlan) -> tuple[Edge, ...]:
    """Edges between hexes of two map tiles, or of a tile and an overlay."""
    owner = {place: number for number, tile in enumerate(tiles) for place in tile.hexes}
    return tuple(
        edge
        for edge in plan.inner_edges
        if (other := plan.across(edge)) is not None
        and (edge[0] not in owner or owner.get(edge[0]) != owner.get(other.at))
    )


def edge_items(tiles: Sequence[Numbered], plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """The edges of the map tiles, a little stronger than those within them."""
    return (Path(commands=plan.lines(tile_edges(tiles, plan)), stroke=style.stroke("atlas.edge")),)


def sign_items(plan: MapPlan, style: Style) -> Iterator[Item]:
    """What is drawn on the grounds of border hexes and destinations."""
    for hexagon in plan.gamemap.hexes:
        if hexagon.tile.colour == BORDER:
            art = border_art(plan, closed_edges(plan, hexagon), style)
            yield Group(items=art, matrix=translation(*plan.centre(hexagon.at)))
    yield from _roses(plan, style)


def closed_edges(plan: MapPlan, hexagon: MapHex) -> tuple[int, ...]:
    """Edges of a border hex beyond which nothing lies; none of any other hex."""
    if hexagon.tile.colour != BORDER:
        return ()
    return tuple(edge for edge in EDGES if plan.across((hexagon.at, edge)) is None)


def border_art(
    plan: MapPlan, closed: Sequence[int], style: Style, *, scale: float = 1.0, bleed_mm: float = 0.0
) -> tuple[Item, ...]:
    """A hex that nothing may touch, centred on (0, 0): stripes of warning along its closed edges, a crossbuck."""
    across = plan.across_mm * scale
    outer = corner_points(plan.layout, across + 2 * bleed_mm)
    inner = corner_points(plan.layout, across * (1 - 2 * _BAND))
    light, dark = style.ink("atlas.border.light"), style.ink("atlas.border.dark")
    items: list[Item] = []
    bands: list[Command] = []
    lines: list[Command] = []
    for edge in closed:
        a, b = (edge - 1) % 6, edge % 6
        # Where the next edge is open, the band runs out to the corner square to the edge.
        bands += polygon_path((outer[a], outer[b], inner[b], inner[a]))
        lines += polygon_path((inner[a], inner[b]), closed=False)
    if bands:
        items.append(Group(items=(_stripes(across, bleed_mm, style),), clip=tuple(bands)))
        items.append(Path(commands=tuple(lines), stroke=Stroke(ink=light, width_mm=max(0.1, 0.009 * across))))
    length, width = (share * across for share in _CROSS)
    for degrees in (35.0, -35.0):
        board = polygon_path(
            ((-length / 2, -width / 2), (length / 2, -width / 2), (length / 2, width / 2), (-length / 2, width / 2))
        )
        stroke = Stroke(ink=dark, width_mm=max(0.1, 0.014 * across))
        items.append(
            Path(commands=transform_commands(board, rotation(degrees)), fill=light, stroke=stroke, role=Role.SYMBOL)
        )
    return tuple(items)


def _stripes(across_mm: float, bleed_mm: float, style: Style) -> Path:
    """Slanting stripes over the whole hex."""
    width = _STRIPE * across_mm
    reach = across_mm * 0.62 + bleed_mm
    commands: list[Command] = []
    count = math.ceil(reach / width)
    for k in range(-count, count):
        x = 2 * k * width
        left, right = x - reach, x + reach
        commands += polygon_path(((left, reach), (left + width, reach), (right + width, -reach), (right, -reach)))
    return Path(commands=tuple(commands), fill=style.ink("atlas.border.light"))


def rose_discs(hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """The circles round the centre of a destination that its compass rose fills."""
    if hexagon.tile.colour != "red":
        return ()
    mates = _mates(hexagon, plan)
    cx, cy = plan.centre(hexagon.at)
    x, y = _middle((hexagon, *mates), plan)
    return ((x - cx, y - cy, _ROSE_RING * _rose_size(len(mates), plan) + 0.3),)


def _mates(hexagon: MapHex, plan: MapPlan) -> list[MapHex]:
    """Hexes that belong to the same destination."""
    edges = ((hexagon.at, edge) for edge in EDGES)
    beyond = (plan.across(edge) for edge in edges if plan.one_side(edge) in plan.open_edges)
    return [other for other in beyond if other is not None]


def _middle(hexes: Sequence[MapHex], plan: MapPlan) -> Point:
    places = [plan.centre(each.at) for each in hexes]
    return math.fsum(x for x, _ in places) / len(places), math.fsum(y for _, y in places) / len(places)


def _rose_size(mates: int, plan: MapPlan) -> float:
    # Between two hexes there is less room: the number of their tile stands at one end of the line that they share.
    return plan.across_mm * (0.62 if mates else 0.8)


def _roses(plan: MapPlan, style: Style) -> Iterator[Item]:
    """A compass rose on each destination, on the line between its hexes where it has two."""
    seen: dict[Coord, None] = {}
    for hexagon in plan.gamemap.hexes:
        if hexagon.tile.colour != "red" or hexagon.at in seen:
            continue
        mates = _mates(hexagon, plan)
        seen.update(dict.fromkeys((hexagon.at, *(mate.at for mate in mates))))
        x, y = _middle((hexagon, *mates), plan)
        yield Group(items=rose_items(_rose_size(len(mates), plan), style), matrix=translation(x, y))


def rose_items(across_mm: float, style: Style) -> tuple[Item, ...]:
    """A compass rose centred on (0, 0) in tints of the red it lies on: each ray half light and half dark."""
    ground = style.ink("tile.red")
    light, dark = mix(ground, style.ink("white"), 0.42), mix(ground, style.ink("map.red.line"), 0.45)
    items: list[Item] = []
    line = Stroke(ink=light, width_mm=max(0.1, 0.006 * across_mm))
    for share in (_ROSE_RING - 0.025, _ROSE_RING):
        items.append(Circle(cx=0, cy=0, r=share * across_mm, stroke=line))
    for first, share in reversed(_ROSE):
        reach, waist = share * across_mm, share * across_mm * 0.24
        half = waist * math.sqrt(0.5)
        for quarter in range(4):
            matrix = rotation(first + 90.0 * quarter)
            for side, fill in ((1, light), (-1, dark)):
                ray = polygon_path(((0, 0), (side * half, -half), (0, -reach)))
                items.append(Path(commands=transform_commands(ray, matrix), fill=fill))
    return tuple(items)


def rhumb_items(frame: tuple[float, float, float, float], style: Style) -> tuple[Item, ...]:
    """The web of lines that sea charts had before they had degrees: from points on a circle to every wind."""
    left, top, width, height = frame
    centre = (left + width / 2, top + height / 2)
    ring = _RHUMB_RING * min(width, height)
    reach = math.hypot(width, height)
    commands: list[Command] = []
    for number in range(_RHUMB_POINTS):
        turn = 2 * math.pi * number / _RHUMB_POINTS + math.pi / _RHUMB_POINTS
        x, y = centre[0] + ring * math.cos(turn), centre[1] + ring * math.sin(turn)
        for wind in range(16):
            way = 2 * math.pi * wind / 16
            dx, dy = reach * math.cos(way), reach * math.sin(way)
            commands += polygon_path(((x, y), (x + dx, y + dy)), closed=False)
    return (
        Group(
            items=(
                Path(commands=tuple(commands), stroke=style.stroke("atlas.rhumb")),
                Circle(cx=centre[0], cy=centre[1], r=ring, stroke=style.stroke("atlas.rhumb")),
            ),
            clip=rectangle_path(*frame),
        ),
    )
