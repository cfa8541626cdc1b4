"""Small pictures of a map as it is built up, with what is new in colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from platelayer.drawing.atlas.shape import tile_outline, triangle
from platelayer.drawing.atlas.steps import Stage, Step
from platelayer.drawing.kit.style import Style
from platelayer.model.atlas import AtlasBox, Axial, Ground, doubled, tile_hexes
from platelayer.model.atlas_board import SCHEME
from platelayer.model.hexes import COS_30, Coord, Layout, centre_mm, corner_points
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Circle, Item, Path, Point, Role, polygon_path, transform_commands, translation
from platelayer.scene.typeset import set_centred

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
            middle = (math.fsum(x for x, _ in places) / 3, math.fsum(y for _, y in places) / 3)
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
    kind = style.type("atlas.guide.number")
    radius = min(grid.across * 0.46, 1.75)
    for step in steps:
        if step.tile is not None:
            x, y = grid.centre(step.at)
            yield Circle(cx=x, cy=y, r=radius, fill=style.ink("white"), role=Role.SYMBOL)
            yield from set_centred(str(step.tile), kind, style.ink("text"), x, y, over=(Role.SYMBOL, Role.SLOT))


def _coordinates(grid: Grid, style: Style) -> Iterator[Item]:
    """Letters along the head and numbers down the left, as many as there is room for."""
    kind, ink = style.type("atlas.guide.rim"), style.ink("text.soft")
    pitch, half = grid.across * COS_30, grid.across / 2
    for column in range(0, grid.columns, math.ceil(_APART_MM / pitch)):
        x = grid.left + grid.across / COS_30 / 2 + column * pitch
        yield from set_centred(SCHEME.column(column), kind, ink, x, grid.top - 1.5)
    for row in range(0, grid.rows, math.ceil(_APART_MM / half)):
        yield from set_centred(SCHEME.row(row), kind, ink, grid.left - 1.6, grid.top + half + row * half)


def tile_sign(number: int, rotation: int, across_mm: float, style: Style, fill: Ink | None = None) -> tuple[Item, ...]:
    """A small map tile centred on (0, 0), turned, with its number in its hex 1."""
    ground = fill or style.ink("tile.white")
    corners = corner_points(Layout.FLAT, across_mm)
    items: list[Item] = []
    centres = triangle(across_mm, rotation)
    for x, y in centres:
        shape = polygon_path([(x + dx, y + dy) for dx, dy in corners])
        items.append(Path(commands=shape, fill=ground, stroke=style.stroke("atlas.guide.hex")))
    items.append(Path(commands=tile_outline(across_mm, rotation), stroke=style.stroke("atlas.guide.new")))
    items += set_centred(str(number), style.type("atlas.guide.number"), style.ink("text"), *centres[0])
    return tuple(items)
