"""Small pictures of a map as it is built up step by step, with what is new in colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import spot
from platelayer.model.atlas import AtlasBox, AtlasLog, Axial, Ground, TileDraw, doubled, tile_hexes
from platelayer.model.atlas_board import SCHEME, board_origin, place_name
from platelayer.model.hexes import COS_30, EDGES, Coord, Layout, centre_mm, corner_points, neighbour
from platelayer.scene.shapes import (
    Circle,
    Command,
    Item,
    Path,
    Point,
    Role,
    middle_of,
    polygon_path,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import set_centred

_MOST_STAGES = 6
_LEAST_STEPS = 4


class Step(Struct, frozen=True, kw_only=True):
    """One piece to lay: a map tile (its number) or, with `tile` None, a capital overlay. `place` is where its hex 1
    goes in printed coordinates, `at` the same in the log's, `rotation` how often it is turned by 60 degrees."""

    order: int
    tile: int | None
    place: str
    at: Axial
    rotation: int = 0


class Stage(Struct, frozen=True, kw_only=True):
    """A few steps to take, those taken before, and where blanks go once they are taken (only in the last stage)."""

    new: tuple[Step, ...]
    before: tuple[Step, ...] = ()
    blanks: tuple[Axial, ...] = ()


GROUND_INKS = {
    Ground.HOME: "tile.yellow",
    Ground.PLAIN: "tile.white",
    Ground.MOUNTAIN: "terrain.mountain.ground",
    Ground.WATER: "tile.blue",
    Ground.CITY: "tile.white",
    Ground.BORDER: "tile.border",
    Ground.DESTINATION: "tile.red",
}
"""Inks of the hexes of map tiles in small pictures."""
_CITIES = (Ground.CITY, Ground.HOME)
_RIM_MM = 3.2
"""Room for the coordinates at the head and the left."""
_LARGEST_MM = 12.0
_APART_MM = 2.5
"""How far apart coordinates stand at least."""


class Grid(Struct, frozen=True, kw_only=True):
    """Where the hexes of a map lie in a picture: `left`, `top` is the upper left of its first hex; mm."""

    origin: Coord
    across: float
    left: float
    top: float
    columns: int
    rows: int

    @property
    def height(self) -> float:
        """From the upper edge of its first hex to the lower one of its last."""
        return (self.rows + 1) / 2 * self.across

    def centre(self, at: Axial) -> Point:
        """The centre of a hex of the log."""
        x, y = doubled(at)
        cx, cy = centre_mm(Coord(x - self.origin.x, y - self.origin.y), Layout.FLAT, self.across)
        return self.left + self.across / COS_30 / 2 + cx, self.top + self.across / 2 + cy


def grid_of(places: Sequence[Axial], origin: Coord, width_mm: float, height_mm: float) -> Grid:
    """The largest grid of these hexes in a picture of a size, centred in it beside its coordinates."""
    spots = [doubled(at) for at in places]
    columns = max(x for x, _ in spots) - origin.x + 1
    rows = max(y for _, y in spots) - origin.y + 1
    room = (width_mm - _RIM_MM, height_mm - _RIM_MM)
    # Columns are 0.866 of a hex apart and end in a point; rows half a hex.
    wide, tall = (columns - 1) * COS_30 + 1 / COS_30, (rows + 1) / 2
    across = min(room[0] / wide, room[1] / tall, _LARGEST_MM)
    return Grid(
        origin=origin,
        across=across,
        left=_RIM_MM + (room[0] - wide * across) / 2,
        top=_RIM_MM + (room[1] - tall * across) / 2,
        columns=columns,
        rows=rows,
    )


def picture(box: AtlasBox, stage: Stage, grid: Grid, style: Style) -> tuple[Item, ...]:
    """The map so far: tiles laid before in grey, the new ones in the colours of their hexes with their numbers."""
    items: list[Item] = [*_coordinates(grid, style)]
    old, line = style.ink("atlas.laid"), style.stroke("atlas.guide.edge")
    corners = corner_points(Layout.FLAT, grid.across)
    for place in stage.blanks:
        x, y = grid.centre(place)
        shape = polygon_path([(x + dx, y + dy) for dx, dy in corners])
        items.append(Path(commands=shape, fill=style.ink("white"), stroke=style.stroke("atlas.guide.edge")))
    for fresh, steps in ((False, stage.before), (True, stage.new)):
        for step in steps:
            if step.tile is None:
                continue
            places = [grid.centre(at) for at in tile_hexes(step.at, step.rotation)]
            for (x, y), hexagon in zip(places, box.tile_by_number[step.tile].hexes, strict=True):
                fill = style.ink(GROUND_INKS[hexagon.ground]) if fresh else old
                shape = polygon_path([(x + dx, y + dy) for dx, dy in corners])
                items.append(Path(commands=shape, fill=fill, stroke=style.stroke("atlas.guide.hex")))
                if hexagon.ground in _CITIES:
                    items.append(_city(x, y, grid.across, style))
            middle = middle_of(places)
            outline = transform_commands(tile_outline(grid.across, step.rotation), translation(*middle))
            items.append(Path(commands=outline, stroke=style.stroke("atlas.guide.new") if fresh else line))
    items += _capitals((*stage.before, *stage.new), grid, style)
    items += _numbers(stage.new, grid, style)
    return tuple(items)


def _city(x: float, y: float, across: float, style: Style) -> Circle:
    return Circle(
        cx=x, cy=y, r=0.2 * across, fill=style.ink("white"), stroke=style.stroke("atlas.guide.edge"), role=Role.SLOT
    )


def _capitals(steps: Sequence[Step], grid: Grid, style: Style) -> Iterator[Item]:
    corners = corner_points(Layout.FLAT, grid.across * 0.8)
    for step in steps:
        if step.tile is None:
            x, y = grid.centre(step.at)
            ring = polygon_path([(x + dx, y + dy) for dx, dy in corners])
            yield Path(commands=ring, stroke=style.stroke("atlas.guide.capital"))


def _numbers(steps: Sequence[Step], grid: Grid, style: Style) -> Iterator[Item]:
    """Numbers of the new tiles, each on a white disc in its hex 1."""
    type_style = style.type("atlas.guide.number")
    radius = min(grid.across * 0.46, 1.75)
    for step in steps:
        if step.tile is not None:
            x, y = grid.centre(step.at)
            yield Circle(cx=x, cy=y, r=radius, fill=style.ink("white"), role=Role.SYMBOL)
            yield from set_centred(str(step.tile), type_style, style.ink("text"), x, y, over=(Role.SYMBOL, Role.SLOT))


def _coordinates(grid: Grid, style: Style) -> Iterator[Item]:
    """Letters along the head and numbers down the left, as many as there is room for."""
    type_style, ink = style.type("atlas.guide.rim"), style.ink("text.soft")
    pitch, half = grid.across * COS_30, grid.across / 2
    for column in range(0, grid.columns, math.ceil(_APART_MM / pitch)):
        x = grid.left + grid.across / COS_30 / 2 + column * pitch
        yield from set_centred(SCHEME.column(column), type_style, ink, x, grid.top - 1.5)
    for row in range(0, grid.rows, math.ceil(_APART_MM / half)):
        yield from set_centred(SCHEME.row(row), type_style, ink, grid.left - 1.6, grid.top + half + row * half)


def tile_sign(number: int, rotation: int, across_mm: float, style: Style) -> tuple[Item, ...]:
    """A small map tile centred on (0, 0), turned, with its number in its hex 1."""
    ground = style.ink("tile.white")
    corners = corner_points(Layout.FLAT, across_mm)
    items: list[Item] = []
    centres = triangle(across_mm, rotation)
    for x, y in centres:
        shape = polygon_path([(x + dx, y + dy) for dx, dy in corners])
        items.append(Path(commands=shape, fill=ground, stroke=style.stroke("atlas.guide.hex")))
    items.append(Path(commands=tile_outline(across_mm, rotation), stroke=style.stroke("atlas.guide.new")))
    items += set_centred(str(number), style.type("atlas.guide.number"), style.ink("text"), *centres[0])
    return tuple(items)


def hour(rotation: int) -> int:
    """The hour on a clock to which the number of a map tile points: towards its hex 1, seen from the tile's middle."""
    return (11 + 2 * rotation - 1) % 12 + 1


def steps_of(log: AtlasLog) -> tuple[Step, ...]:
    """What is laid, in order, except blanks; a project that went back under the pile lays nothing."""
    origin = board_origin(log)
    steps: list[Step] = []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            tile, at, rotation = draw.tile, draw.at, draw.rotation
        elif draw.overlay_at is not None:
            tile, at, rotation = None, draw.overlay_at, 0
        else:
            continue
        place = place_name(at, origin)
        steps.append(Step(order=len(steps) + 1, tile=tile, place=place, at=at, rotation=rotation))
    return tuple(steps)


def stages_of(log: AtlasLog) -> tuple[Stage, ...]:
    """The steps of a log a few at a time, in at most six stages of about equal length."""
    steps = steps_of(log)
    count = max(1, min(_MOST_STAGES, math.ceil(len(steps) / _LEAST_STEPS)))
    size = math.ceil(len(steps) / count) if steps else 1
    return tuple(
        Stage(new=steps[k : k + size], before=steps[:k], blanks=log.blanks if k + size >= len(steps) else ())
        for k in range(0, len(steps), size)
    )


@lru_cache(maxsize=64)
def triangle(across_mm: float, rotation: int = 0) -> tuple[Point, ...]:
    """Centres of hexes 1, 2 and 3 round the middle of the tile."""
    places = [centre_mm(doubled(at), Layout.FLAT, across_mm) for at in tile_hexes(Axial(0, 0), rotation)]
    x, y = (math.fsum(axis) / 3 for axis in zip(*places, strict=True))
    return tuple((px - x, py - y) for px, py in places)


@lru_cache(maxsize=64)
def tile_outline(across_mm: float, rotation: int = 0) -> tuple[Command, ...]:
    """The outline of the three hexes in one run, round the middle of the tile."""
    places = [doubled(at) for at in tile_hexes(Axial(0, 0), rotation)]
    return polygon_path(_outline(tuple(places), triangle(across_mm, rotation), across_mm))


def _outline(places: tuple[Coord, ...], centres: tuple[Point, ...], across_mm: float) -> list[Point]:
    corners = corner_points(Layout.FLAT, across_mm)
    step: dict[tuple[int, int], tuple[Point, Point]] = {}
    for place, (x, y) in zip(places, centres, strict=True):
        for edge in EDGES:
            if neighbour(place, edge, Layout.FLAT) not in places:
                (ax, ay), (bx, by) = corners[(edge - 1) % 6], corners[edge % 6]
                a, b = (x + ax, y + ay), (x + bx, y + by)
                step[spot(a)] = (a, b)
    point, end = next(iter(step.values()))
    outline = [point]
    while spot(end) != spot(outline[0]):
        outline.append(end)
        end = step[spot(end)][1]
    return outline
