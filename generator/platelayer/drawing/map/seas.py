"""Seas beside a map: water along its coasts, and their names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import Block, line_breaks, sizes_down, words_block
from platelayer.drawing.map.plan import Edge, MapPlan, spot
from platelayer.drawing.map.rivers import MapPoint
from platelayer.drawing.map.room import Rect
from platelayer.foundation.ties import measured
from platelayer.model.landscape import Waypoint
from platelayer.scene.inks import mix
from platelayer.scene.shapes import Item, Path, Point, Stroke, middle_of, polygon_path

_DEPTHS = ((7.6, 0.3), (5.0, 0.55), (2.6, 0.85))
"""How far each depth reaches from the coast in mm, and how blue it is."""
_LINE_MM = 0.18
_NAME_CLEAR_MM = 1.5
_FAR_MM = 60.0
_STEP_MM = 7.0
_LESS_PT = 2.0


def coasts(plan: MapPlan) -> dict[str, tuple[Edge, ...]]:
    """By the id of each sea: edges of the outline clockwise from the start of its coast to its end."""
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


def sea_items(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Water that fades away from the coasts."""
    ground, water, line = style.ink("map.ground"), style.ink("map.sea"), style.ink("map.sea.line")
    lines = [plan.lines(coast) for coast in coasts(plan).values()]
    items: list[Item] = []
    for reach, strength in _DEPTHS:
        ink = mix(ground, water, strength)
        for coast in lines:
            for colour, width in ((mix(ink, line, 0.6), 2 * reach + 2 * _LINE_MM), (ink, 2 * reach)):
                items.append(Path(commands=coast, stroke=Stroke(ink=colour, width_mm=width, join="round", cap="round")))
    return tuple(items)


def sea_name_items(plan: MapPlan, room: Rect, taken: Sequence[Rect], style: Style) -> Iterator[Item]:
    """The name of each sea as near to the middle of its coast as there is room beside the board."""
    beside = _Beside(room, list(taken), [plan.centre(hexagon.at) for hexagon in plan.gamemap.hexes], plan.across_mm)
    all_coasts = coasts(plan)
    for sea in plan.gamemap.seas:
        coast = [plan.edge_line(edge)[0] for edge in all_coasts[sea.id]]
        if sea.name is None or not coast:
            continue
        middle = middle_of(coast)
        reach = measured(max(math.dist(point, middle) for point in coast) * 0.7 + _FAR_MM)
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
                beside.taken.append((x - block.width / 2, y - block.height / 2, block.width, block.height))
                yield from block.at(x, y)
                break


@lru_cache(maxsize=64)
def _steps(count: int) -> tuple[tuple[float, Point], ...]:
    """Ways from a middle to points in rows round it, the nearest first, with their distance."""
    ways = ((dx * _STEP_MM, dy * _STEP_MM) for dx in range(-count, count + 1) for dy in range(-count, count + 1))
    return tuple(sorted((round(math.hypot(*way), 2), way) for way in ways))


class _Beside(Struct, frozen=True):
    """What lies beside a board: the room within the frame, panels, and the middles of its hexes."""

    room: Rect
    taken: list[Rect]
    centres: Sequence[Point]
    across_mm: float

    def clear(self, at: Point, block: Block) -> bool:
        """True if a block finds room at a point."""
        x, y = at
        w, h = block.width / 2 + _NAME_CLEAR_MM, block.height / 2 + _NAME_CLEAR_MM
        left, top, width, height = self.room
        if not (left + w < x < left + width - w and top + h < y < top + height - h):
            return False
        for left, top, width, height in self.taken:
            if left - w < x < left + width + w and top - h < y < top + height + h:
                return False
        half = self.across_mm / 2 * 1.1
        for cx, cy in self.centres:
            dx, dy = abs(cx - x) - w, abs(cy - y) - h
            if dx < half and dy < half and math.hypot(max(0.0, dx), max(0.0, dy)) < half:
                return False
        return True


def coast_sign(style: Style) -> tuple[Item, ...]:
    """A piece of a coast, as the legend shows it."""
    box = polygon_path(((-5.5, -1.6), (5.5, -1.6), (5.5, 1.8), (-5.5, 1.8)))
    shore = polygon_path(((-5.5, -1.6), (5.5, -1.6)), closed=False)
    fill = mix(style.ink("map.ground"), style.ink("map.sea"), _DEPTHS[-1][1])
    return (Path(commands=box, fill=fill), Path(commands=shore, stroke=style.stroke("map.shore")))


def _corner(plan: MapPlan, point: Waypoint) -> Point:
    x, y = MapPoint(plan.layout, plan.across_mm).of(point)
    return x + plan.origin[0], y + plan.origin[1]
