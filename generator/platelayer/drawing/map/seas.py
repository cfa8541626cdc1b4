"""Seas beside a map: water along its coasts, and their names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import Block, line_breaks, sizes_down, words_block
from platelayer.drawing.map.plan import CUT, Edge, MapPlan, spot
from platelayer.drawing.map.rivers import MapPoint
from platelayer.drawing.map.room import Rect
from platelayer.drawing.map.shore import Coast, ends_at_shore
from platelayer.foundation.ties import measured
from platelayer.model.hexes import EDGES, Coord, neighbour
from platelayer.model.landscape import Waypoint
from platelayer.scene.inks import contrast, mix
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Point,
    Stroke,
    middle_of,
    polygon_path,
    rectangle_path,
)

_DEPTHS = ((7.0, 0.56, 0.25), (4.7, 0.63, 0.45), (2.8, 0.72, 0.7), (1.3, 0.84, 0.9))
"""How far each depth reaches from the shore in mm, how blue it is, and how strong the water line
that ends it is."""
_OPEN = 0.5
"""How blue the open sea is."""
_LINE_MM = 0.13
_FAR_OUT_MM = 4.0
_FADE_MM, _FADES = 13.0, 9
"""How far land goes on beyond the board, and in how many steps it fades."""
_NAME_CLEAR_MM = 1.5
_FAR_MM = 60.0
_STEP_MM = 7.0
_LESS_PT = 2.0


def coasts(plan: MapPlan) -> dict[str, tuple[Edge, ...]]:
    """By the id of each sea: edges of the outline clockwise from the start of its coast to its
    end."""
    if not plan.gamemap.seas:
        return {}
    outline = plan.outside_edges(plan.gamemap.hexes)
    lines = {edge: plan.edge_line(edge) for edge in outline}
    from_corner = {spot(start): edge for edge, (start, _) in lines.items()}
    edges_of: dict[str, tuple[Edge, ...]] = {}
    for sea in plan.gamemap.seas:
        at, end = (spot(_corner(plan, point)) for point in (sea.start, sea.end))
        coast: list[Edge] = []
        while at in from_corner and len(coast) < len(outline):
            coast.append(from_corner[at])
            at = spot(lines[coast[-1]][1])
            if at == end:
                break
        edges_of[sea.id] = tuple(coast)
    return edges_of


def wet_edges(plan: MapPlan) -> frozenset[Edge]:
    """Edges of the outline with water beyond: those that the map declares. A map with blue hexes on
    its outline that declares none is an island where no off-board area lies on its outline, and all
    round it is water; else there is water where a place beyond the outline touches a blue hex."""
    declared = frozenset(edge for coast in coasts(plan).values() for edge in coast if edge[1] < CUT)
    if declared or not any(hexagon.tile.colour == "blue" for hexagon in plan.gamemap.hexes):
        return declared
    known = plan.gamemap.by_coord
    outline = [edge for edge in plan.outside_edges(plan.gamemap.hexes) if edge[1] < CUT]
    colours = {known[at].tile.colour for at, _ in outline}
    if "blue" in colours and "red" not in colours:
        return frozenset(outline)
    return frozenset(
        edge for edge in outline if _by_water(plan, neighbour(edge[0], edge[1], plan.layout))
    )


def _by_water(plan: MapPlan, place: Coord) -> bool:
    around = (plan.gamemap.by_coord.get(neighbour(place, edge, plan.layout)) for edge in EDGES)
    return any(other is not None and other.tile.colour == "blue" for other in around)


def world_items(plan: MapPlan, coast: Coast, style: Style) -> tuple[Item, ...]:
    """What lies round the board within its frame: water that is darker along the shores, and land
    that fades away."""
    frame = rectangle_path(*coast.frame)
    items: list[Item] = []
    if coast.open_sea:
        items += water_items(frame, coast, style)
        items.append(Path(commands=coast.beyond, fill=style.ink("map.ground")))
    inland = [
        edge for edge in plan.outside_edges(plan.gamemap.hexes) if _is_inland(plan, edge, coast)
    ]
    fading = tuple(_fading(plan.lines(inland), style))
    items.append(Group(items=fading, clip=coast.beyond) if coast.open_sea else Group(items=fading))
    firm = tuple(
        command
        for at, polygon in coast.land.items()
        if not ends_at_shore(plan.gamemap.by_coord[at])
        for command in polygon_path(polygon)
    )
    if firm:
        items.append(Path(commands=firm, fill=style.ink("tile.white")))
    return (Group(items=tuple(items), clip=frame),)


def _is_inland(plan: MapPlan, edge: Edge, coast: Coast) -> bool:
    return edge not in coast.edges and plan.gamemap.by_coord[edge[0]].tile.colour != "blue"


def shows_water(style: Style) -> bool:
    """True if blue hexes show the water that is all round them: where words on their own blue have
    the ink that is best on water, too. Else they are painted."""
    water = mix(style.ink("map.margin"), style.ink("map.sea"), _OPEN)
    black, white = style.ink("text"), style.ink("white")
    is_dark = [
        contrast(white, ground) > contrast(black, ground)
        for ground in (style.ink("tile.blue"), water)
    ]
    return is_dark[0] == is_dark[1]


def water_items(area: tuple[Command, ...], coast: Coast, style: Style) -> Iterator[Item]:
    """Water in an area: shallows and fading water lines along all shores."""
    ground, water, line = style.ink("map.margin"), style.ink("map.sea"), style.ink("map.sea.line")
    yield Path(commands=area, fill=mix(ground, water, _OPEN))
    for reach, strength, line_strength in _DEPTHS:
        along = coast.far if reach > _FAR_OUT_MM else coast.near
        ink = mix(ground, water, strength)
        for colour, width in (
            (mix(ink, line, line_strength), 2 * reach + 2 * _LINE_MM),
            (ink, 2 * reach),
        ):
            yield Path(
                commands=along, stroke=Stroke(ink=colour, width_mm=width, join="round", cap="round")
            )


def _fading(along: tuple[Command, ...], style: Style) -> Iterator[Item]:
    """Land that goes on beyond the board, and fades into the paper."""
    ground, land = style.ink("map.ground"), style.ink("tile.white")
    for step in range(_FADES):
        width = 2 * _FADE_MM * (_FADES - step) / _FADES
        ink = mix(ground, land, (step + 1) / (_FADES + 1))
        yield Path(
            commands=along, stroke=Stroke(ink=ink, width_mm=width, join="round", cap="round")
        )


def sea_name_items(
    plan: MapPlan, coast: Coast, taken: Sequence[Rect], style: Style
) -> Iterator[Item]:
    """The name of each sea on its water, as near to the middle of its coast as there is room beside
    the board."""
    beside = _Beside(
        plan, coast, list(taken), [plan.centre(hexagon.at) for hexagon in plan.gamemap.hexes]
    )
    all_coasts = coasts(plan)
    for sea in plan.gamemap.seas:
        shore = [plan.edge_line(edge)[0] for edge in all_coasts[sea.id]]
        if sea.name is None or not shore:
            continue
        middle = middle_of(shore)
        reach = measured(max(math.dist(point, middle) for point in shore) * 0.7 + _FAR_MM)
        steps = _steps(int(measured(reach / _STEP_MM)))
        for type_style in sizes_down(style.type("map.sea"), _LESS_PT):
            best: tuple[float, Block, Point] | None = None
            for lines in line_breaks(style.words(sea.name)):
                block = words_block(lines, type_style, style.ink("map.sea.name"))
                for far, (dx, dy) in steps:
                    if far > reach or (best is not None and far >= best[0]):
                        break
                    at = middle[0] + dx, middle[1] + dy
                    if beside.clear(at, block):
                        best = far, block, at
                        break
            if best is not None:
                _, block, (x, y) = best
                beside.taken.append(
                    (x - block.width / 2, y - block.height / 2, block.width, block.height)
                )
                yield from block.at(x, y)
                break


@lru_cache(maxsize=64)
def _steps(count: int) -> tuple[tuple[float, Point], ...]:
    """Ways from a middle to points in rows round it, the nearest first, with their distance."""
    ways = (
        (dx * _STEP_MM, dy * _STEP_MM)
        for dx in range(-count, count + 1)
        for dy in range(-count, count + 1)
    )
    return tuple(sorted((round(math.hypot(*way), 2), way) for way in ways))


class _Beside(Struct, frozen=True):
    """What lies beside a board: water within the frame, panels, and the middles of its hexes."""

    plan: MapPlan
    coast: Coast
    taken: list[Rect]
    centres: Sequence[Point]

    def clear(self, at: Point, block: Block) -> bool:
        """True if a block finds room at a point."""
        x, y = at
        w, h = block.width / 2 + _NAME_CLEAR_MM, block.height / 2 + _NAME_CLEAR_MM
        left, top, width, height = self.coast.frame
        if not (left + w < x < left + width - w and top + h < y < top + height - h):
            return False
        if not self.coast.on_water(at, self.plan):
            return False
        for left, top, width, height in self.taken:
            if left - w < x < left + width + w and top - h < y < top + height + h:
                return False
        half = self.plan.across_mm / 2 * 1.1
        for cx, cy in self.centres:
            dx, dy = abs(cx - x) - w, abs(cy - y) - h
            if dx < half and dy < half and math.hypot(max(0.0, dx), max(0.0, dy)) < half:
                return False
        return self.coast.clear((x - w, y - h, 2 * w, 2 * h), self.plan)


def coast_sign(style: Style) -> tuple[Item, ...]:
    """A piece of a coast, as the legend shows it."""
    box = polygon_path(((-5.5, -1.6), (5.5, -1.6), (5.5, 1.8), (-5.5, 1.8)))
    shore = polygon_path(((-5.5, -1.6), (5.5, -1.6)), closed=False)
    fill = mix(style.ink("map.margin"), style.ink("map.sea"), _OPEN)
    return (Path(commands=box, fill=fill), Path(commands=shore, stroke=style.stroke("map.shore")))


def _corner(plan: MapPlan, point: Waypoint) -> Point:
    x, y = MapPoint(plan.layout, plan.across_mm).of(point)
    return x + plan.origin[0], y + plan.origin[1]
