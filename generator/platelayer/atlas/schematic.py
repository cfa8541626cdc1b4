"""Small pictures of maps: stages of building one, the new pieces in colour, and contact sheets of
many to choose one from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from string import ascii_uppercase

from msgspec.structs import replace

from platelayer.drawing.kit.layout import (
    Block,
    Box,
    below,
    disc,
    in_row,
    line_block,
    placing,
    shape_block,
    stacked,
    text_block,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import spot
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import (
    COS_30,
    EDGES,
    Coord,
    Layout,
    centre_mm,
    corner_points,
    neighbour,
)
from platelayer.model.map_tiles import (
    NEIGHBOURS,
    SCHEME,
    AtlasBox,
    AtlasHex,
    AtlasLog,
    Axial,
    Ground,
    MapTile,
    TileDraw,
    board_origin,
    doubled,
    occupied,
    place_name,
    tile_hexes,
)
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Circle,
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
    middle_of,
    polygon_path,
    rectangle_path,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import set_centred, text_width

_MOST_STAGES = 6
_LEAST_STEPS = 4


class Step(Frozen, kw_only=True):
    """One piece to lay: a map tile (its number) or, with `tile` None, a capital overlay. `hexes`
    are the grounds printed on it, each with its printed coordinates; `at` is the position of the
    first of them in the log, `rotation` in turns of 60 degrees; `beside` are the numbers of the
    tiles that it touches, or of the one below a capital."""

    order: int
    tile: int | None
    hexes: tuple[tuple[Ground, str], ...]
    at: Axial
    rotation: int = 0
    beside: tuple[int, ...] = ()


class Stage(Frozen, kw_only=True):
    """A few steps, those before them, and the positions of blanks (in the last stage only)."""

    new: tuple[Step, ...]
    before: tuple[Step, ...] = ()
    blanks: tuple[Axial, ...] = ()


# Inks of hexes in small pictures.
GROUND_INKS = {
    Ground.HOME: "tile.yellow",
    Ground.PLAIN: "tile.white",
    Ground.MOUNTAIN: "terrain.mountain.ground",
    Ground.WATER: "tile.blue",
    Ground.CITY: "tile.white",
    Ground.BORDER: "tile.border",
    Ground.DESTINATION: "tile.red",
}
# Space for the coordinates at the top and at the left, and minimum distance between two of them.
_RIM_MM, _APART_MM = 4.6, 3.7
_LARGEST_MM = 12.0


class Grid(Frozen, kw_only=True):
    """Position of the hexes of a map in a picture: `left`, `top` is the upper left of its first hex;
    mm. `name` gives their coordinates (None: from A1)."""

    origin: Coord
    across: float
    left: float
    top: float
    columns: int
    rows: int
    name: Callable[[Axial], str] | None = None

    @property
    def height(self) -> float:
        """Height from the upper edge of the first hex to the lower edge of the last."""
        return (self.rows + 1) / 2 * self.across

    def centre(self, at: Axial) -> Point:
        """Centre of a hex of the log."""
        x, y = doubled(at)
        cx, cy = centre_mm(Coord(x - self.origin.x, y - self.origin.y), Layout.FLAT, self.across)
        return self.left + self.across / COS_30 / 2 + cx, self.top + self.across / 2 + cy

    def rim(self, column: int, row: int) -> tuple[str, str]:
        """Coordinates of a column and of a row."""
        if self.name is None:
            return SCHEME.column(column), SCHEME.row(row)
        x, y = self.origin.x + column, self.origin.y + row
        printed = (
            self.name(Axial(x, (y - x + (y - x) % 2) // 2)),
            self.name(Axial(x + (x + y) % 2, (y - x - (x + y) % 2) // 2)),
        )
        return printed[0].rstrip("-0123456789"), printed[1].lstrip("-").lstrip(ascii_uppercase)


def grid_of(
    places: Sequence[Axial],
    origin: Coord,
    width_mm: float,
    height_mm: float,
    name: Callable[[Axial], str] | None = None,
) -> Grid:
    """Return the largest grid of these hexes in a picture of this size, centred in the room that
    the coordinates leave."""
    spots = [doubled(at) for at in places]
    columns = max(x for x, _ in spots) - origin.x + 1
    rows = max(y for _, y in spots) - origin.y + 1
    room = (width_mm - _RIM_MM, height_mm - _RIM_MM)
    # Columns are 0.866 of a hex apart and end in a point; rows are half a hex apart.
    wide, tall = (columns - 1) * COS_30 + 1 / COS_30, (rows + 1) / 2
    across = min(room[0] / wide, room[1] / tall, _LARGEST_MM)
    return Grid(
        origin=origin,
        across=across,
        left=_RIM_MM + (room[0] - wide * across) / 2,
        top=_RIM_MM + (room[1] - tall * across) / 2,
        columns=columns,
        rows=rows,
        name=name,
    )


def picture(box: AtlasBox, stage: Stage, grid: Grid, style: Style) -> Items:
    """Draw the map up to a stage: earlier tiles in grey, new ones in the colours of their hexes."""
    items = [*_coordinates(grid, style)]
    old, line = style.ink("atlas.laid"), style.stroke("atlas.guide.edge")

    def hexagon_at(point: Point, across: float) -> Commands:
        corners = corner_points(Layout.FLAT, across)
        return polygon_path([(point[0] + dx, point[1] + dy) for dx, dy in corners])

    for place in stage.blanks:
        shape = hexagon_at(grid.centre(place), grid.across)
        items.append(Path(shape, fill=style.ink("white"), stroke=line))
    for fresh, steps in ((False, stage.before), (True, stage.new)):
        for step in steps:
            if step.tile is None:
                continue
            places = [grid.centre(at) for at in tile_hexes(step.at, step.rotation)]
            for point, hexagon in zip(places, box.tile_by_number[step.tile].hexes, strict=True):
                fill = style.ink(GROUND_INKS[hexagon.ground]) if fresh else old
                shape = hexagon_at(point, grid.across)
                items.append(Path(shape, fill=fill, stroke=style.stroke("atlas.guide.hex")))
                if fresh:
                    sign = ground_sign(hexagon.ground, grid.across, style)
                    items.append(Group(sign, matrix=translation(*point)))
            middle = middle_of(places)
            outline = transform_commands(
                tile_outline(grid.across, step.rotation), translation(*middle)
            )
            items.append(Path(outline, stroke=style.stroke("atlas.guide.new") if fresh else line))
    for step in (*stage.before, *stage.new):
        if step.tile is None:
            shape = hexagon_at(grid.centre(step.at), grid.across * 0.8)
            items.append(Path(shape, stroke=style.stroke("atlas.guide.capital")))
    items += _numbers(stage.before, grid, style, "text.soft")
    items += _numbers(stage.new, grid, style, "text")
    return tuple(items)


class _Sign(Frozen):
    """The sign of a ground: lines through points (shares of the hex), closed if they are filled
    with an ink."""

    lines: tuple[tuple[Point, ...], ...]
    fill: str = ""
    stroke: str = ""


_SIGNS = {
    Ground.HOME: _Sign(
        (((-0.2, 0.19), (-0.2, -0.03), (0, -0.23), (0.2, -0.03), (0.2, 0.19)),), fill="text"
    ),
    Ground.MOUNTAIN: _Sign(
        (((-0.27, 0.17), (-0.08, -0.2), (0.04, 0.03), (0.11, -0.08), (0.27, 0.17)),),
        "white",
        "atlas.guide.edge",
    ),
    Ground.WATER: _Sign(
        tuple(
            ((-0.24, y), (-0.12, y - 0.08), (0, y), (0.12, y - 0.08), (0.24, y))
            for y in (-0.03, 0.13)
        ),
        stroke="atlas.guide.edge",
    ),
    Ground.BORDER: _Sign(
        (((-0.17, -0.17), (0.17, 0.17)), ((-0.17, 0.17), (0.17, -0.17))),
        stroke="atlas.guide.border",
    ),
    Ground.DESTINATION: _Sign(
        (((0, -0.21), (0.21, 0), (0, 0.21), (-0.21, 0)),), "white", "atlas.guide.edge"
    ),
}


def ground_sign(ground: Ground, across: float, style: Style) -> tuple[Circle | Path, ...]:
    """Return the sign of a hex's ground, around its middle, small enough to leave room for the
    number at the corner; a plain hex has none."""
    if ground is Ground.CITY:
        edge = style.stroke("atlas.guide.edge")
        return (disc((0, 0), 0.19 * across, style.ink("white"), edge, role=Role.SLOT),)
    if ground not in _SIGNS:
        return ()
    sign = _SIGNS[ground]
    fill, stroke = sign.fill and style.ink(sign.fill), sign.stroke and style.stroke(sign.stroke)
    shapes = []
    for line in sign.lines:
        points = [(x * across, y * across) for x, y in line]
        commands = (
            polygon_path(points)
            if fill
            else (("M", *points[0]), *(("L", *point) for point in points[1:]))
        )
        shapes.append(Path(commands, fill=fill or None, stroke=stroke or None, role=Role.SYMBOL))
    return tuple(shapes)


def _numbers(steps: Sequence[Step], grid: Grid, style: Style, ink: str) -> Iterator[Item]:
    """Numbers of tiles in their middles, as printed on the tiles; signs keep clear of it."""
    for step in steps:
        if step.tile is not None:
            middle = middle_of([grid.centre(at) for at in tile_hexes(step.at, step.rotation)])
            yield Group(_number(step.tile, style, ink), matrix=translation(*middle))


def _number(number: int, style: Style, ink: str) -> Items:
    """Number on the smallest white ground."""
    type_style = style.type("atlas.guide.number")
    wide, tall = text_width(str(number), type_style) + 0.7, type_style.cap_height_mm + 0.9
    plate = rectangle_path(-wide / 2, -tall / 2, wide, tall, 0.3)
    return (
        Path(plate, fill=style.ink("white"), role=Role.GROUND),
        *set_centred(str(number), type_style, style.ink(ink), 0, 0),
    )


def _coordinates(grid: Grid, style: Style) -> Iterator[Item]:
    """Letters along the head and numbers down the left, as many as fit."""
    type_style, ink = style.type("atlas.guide.rim"), style.ink("text.soft")
    pitch, half = grid.across * COS_30, grid.across / 2
    for column in range(0, grid.columns, math.ceil(_APART_MM / pitch)):
        x = grid.left + grid.across / COS_30 / 2 + column * pitch
        yield from set_centred(grid.rim(column, 0)[0], type_style, ink, x, grid.top - 2.2)
    for row in range(0, grid.rows, math.ceil(_APART_MM / half)):
        yield from set_centred(
            grid.rim(0, row)[1], type_style, ink, grid.left - 2.4, grid.top + half + row * half
        )


def hex_sign(ground: Ground, across_mm: float, style: Style) -> Items:
    """Return a small hex of a kind of ground, centred on (0, 0)."""
    shape = polygon_path(corner_points(Layout.FLAT, across_mm))
    hexagon = Path(
        shape, fill=style.ink(GROUND_INKS[ground]), stroke=style.stroke("atlas.guide.hex")
    )
    return (hexagon, *ground_sign(ground, across_mm, style))


def tile_sign(tile: MapTile, rotation: int, across_mm: float, style: Style) -> Items:
    """Return a small map tile in its rotation, centred on (0, 0): the signs of its hexes, and its
    number."""
    items: list[Item] = [
        Group(hex_sign(hexagon.ground, across_mm, style), matrix=translation(*centre))
        for centre, hexagon in zip(triangle(across_mm, rotation), tile.hexes, strict=True)
    ]
    items.append(Path(tile_outline(across_mm, rotation), stroke=style.stroke("atlas.guide.new")))
    return (*items, *_number(tile.number, style, "text"))


def steps_of(box: AtlasBox, log: AtlasLog) -> tuple[Step, ...]:
    """Return the pieces laid, in order, except blanks; a project that went to the bottom of the
    pile lays nothing."""
    origin = board_origin(log)
    steps: list[Step] = []
    owner: dict[Axial, int] = {}
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            places: tuple[Axial, ...] = draw.hexes
            near = [place + step for place in places for step in NEIGHBOURS]
            beside = dict.fromkeys(owner[place] for place in near if place in owner)
            owner |= dict.fromkeys(places, draw.tile)
            grounds = [hexagon.ground for hexagon in box.tile_by_number[draw.tile].hexes]
            tile, at, rotation = draw.tile, draw.at, draw.rotation
        elif draw.overlay_at is not None:
            tile, at, rotation = None, draw.overlay_at, 0
            places, grounds, beside = (
                (at,),
                [Ground.CITY],
                dict.fromkeys([owner[at]] if at in owner else []),
            )
        else:
            continue
        hexes = tuple(
            (ground, place_name(place, origin))
            for ground, place in zip(grounds, places, strict=True)
        )
        steps.append(
            Step(
                order=len(steps) + 1,
                tile=tile,
                hexes=hexes,
                at=at,
                rotation=rotation,
                beside=tuple(beside),
            )
        )
    return tuple(steps)


def stages_of(box: AtlasBox, log: AtlasLog) -> tuple[Stage, ...]:
    """Return the steps of a log in at most six stages of about equal length."""
    steps = steps_of(box, log)
    count = max(1, min(_MOST_STAGES, math.ceil(len(steps) / _LEAST_STEPS)))
    size = math.ceil(len(steps) / count) if steps else 1
    return tuple(
        Stage(
            new=steps[k : k + size],
            before=steps[:k],
            blanks=log.blanks if k + size >= len(steps) else (),
        )
        for k in range(0, len(steps), size)
    )


@lru_cache(64)
def triangle(across_mm: float, rotation: int = 0) -> tuple[Point, ...]:
    """Return the centres of hexes 1, 2 and 3 around the middle of the tile."""
    places = [
        centre_mm(doubled(at), Layout.FLAT, across_mm) for at in tile_hexes(Axial(0, 0), rotation)
    ]
    x, y = (math.fsum(axis) / 3 for axis in zip(*places, strict=True))
    return tuple((px - x, py - y) for px, py in places)


@lru_cache(64)
def tile_outline(across_mm: float, rotation: int = 0) -> Commands:
    """Return the common outline of the three hexes, around the middle of the tile."""
    places = [doubled(at) for at in tile_hexes(Axial(0, 0), rotation)]
    return polygon_path(_outline(tuple(places), triangle(across_mm, rotation), across_mm))


def _outline(
    places: tuple[Coord, ...], centres: tuple[Point, ...], across_mm: float
) -> list[Point]:
    corners = corner_points(Layout.FLAT, across_mm)
    step = {}
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


PAGE_MM = (210.0, 297.0)
ACROSS, DOWN = 3, 4
PER_SHEET = ACROSS * DOWN
_MARGIN_MM, _HEAD_MM, _GAP_MM, _WORDS_MM = 11.0, 13.0, 5.0, 10.0
_WIDEST_HEX_MM = 6.2
_APART_ENTRIES_MM = 3.4
# Darker than in the guide: without signs, only colours distinguish the hexes.
_GALLERY_INKS = GROUND_INKS | {
    Ground.MOUNTAIN: "terrain.mountain.shade",
    Ground.BORDER: "atlas.border.dark",
}


class Shown(Frozen, kw_only=True):
    """One map of a gallery: its log, and the two lines below it. With `place`, which names its
    hexes, it is drawn with coordinates and numbers of tiles, those after the first `known` draws in
    colour."""

    log: AtlasLog
    name: str
    words: str
    place: Callable[[Axial], str] | None = None
    known: int = 0


def draw_gallery(
    title: str, box: AtlasBox, maps: Sequence[Shown], style: Style
) -> tuple[Scene, ...]:
    """Sheets of A4 with PER_SHEET maps each, all hexes of one size, or with a single one."""
    page = Box(0, 0, *PAGE_MM)
    inner = page.inset(_MARGIN_MM)
    cells = inner.rows(_HEAD_MM, 0)[1].cells(
        *((1, 1) if len(maps) == 1 and maps[0].place else (ACROSS, DOWN)), _GAP_MM
    )
    room = cells[0].rows(0, _WORDS_MM)[0]
    across = _WIDEST_HEX_MM
    for shown in maps:
        _, _, width, height = _extent(shown.log, 1)
        across = min(across, room.width / width, room.height / height)
    ink, soft, strong = style.ink("text"), style.ink("text.soft"), style.type("sheet.strong")
    legend = _legend(style)
    head = line_block(title, strong.at(13), ink, inner.width - legend.width - _APART_ENTRIES_MM)
    sheets = []
    for number in range(0, len(maps), PER_SHEET):
        base = inner.y + 4.5
        items = [
            page.plate(style.ink("white")),
            *head.paint(inner.x, base - head.height),
            *legend.paint(inner.right - legend.width, base - 0.9 - legend.height / 2),
        ]
        for shown, cell in zip(maps[number : number + PER_SHEET], cells, strict=False):
            upper, words = cell.rows(0, _WORDS_MM)
            name = text_block(shown.name, strong, ink)
            about = text_block(shown.words, style.type("sheet"), soft, rise=below(3.4))
            if shown.place:
                log, wide, high = shown.log, upper.width, upper.height
                before = steps_of(box, replace(log, draws=log.draws[: shown.known]))
                new = steps_of(box, log)[len(before) :]
                grid = grid_of(occupied(log), board_origin(log), wide, high, shown.place)
                plan = picture(box, Stage(before=before, new=new, blanks=log.blanks), grid, style)
                drawn = Block(wide, high, placing(plan))
            else:
                drawn = _small_map(box, shown.log, across, style)
            items.append(upper.centred(drawn))
            items.append(words.centred(stacked(name, about), level=1, down=1.2))
        key = f"gallery:{number // PER_SHEET + 1}"
        sheets.append(Scene(key, PAGE_MM[0], PAGE_MM[1], tuple(items), label=title))
    return tuple(sheets)


def joined(sheets: Sequence[Scene]) -> Scene:
    """Return all sheets, one below the other, as one drawing."""
    items = tuple(
        Use(sheet, matrix=translation(0, index * sheet.height_mm))
        for index, sheet in enumerate(sheets)
    )
    height = math.fsum(sheet.height_mm for sheet in sheets)
    return Scene("gallery", PAGE_MM[0], height, items, label=sheets[0].label)


def _extent(log: AtlasLog, across_mm: float) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a map with its hex (0, 0) centred on (0, 0)."""
    centres = [centre_mm(doubled(place), Layout.FLAT, across_mm) for place in occupied(log)]
    half_w, half_h = across_mm / math.sqrt(3), across_mm / 2
    left, right = min(x for x, _ in centres) - half_w, max(x for x, _ in centres) + half_w
    top, bottom = min(y for _, y in centres) - half_h, max(y for _, y in centres) + half_h
    return left, top, right - left, bottom - top


def _small_map(box: AtlasBox, log: AtlasLog, across: float, style: Style) -> Block:
    left, top, width, height = _extent(log, across)
    corners = corner_points(Layout.FLAT, across)
    capitals = set(log.overlays)
    thin = Stroke(style.ink("map.hexrim"), 0.1)
    bold = Stroke(style.ink("map.frame.line"), 0.32, join="round")
    grounds = []
    rims = []
    signs = []

    def centre(place: Axial) -> tuple[float, float]:
        x, y = centre_mm(doubled(place), Layout.FLAT, across)
        return x - left, y - top

    def hexagon(place: Axial, fill: Ink) -> Path:
        x, y = centre(place)
        return Path(polygon_path((x + dx, y + dy) for dx, dy in corners), fill=fill, stroke=thin)

    for draw in log.placed:
        for place, printed in box.laid(draw):
            grounds.append(hexagon(place, style.ink(_GALLERY_INKS[printed.ground])))
            signs += _sign(printed, centre(place), across, style, capital=place in capitals)
            x, y = centre(place)
            for edge, step in enumerate(NEIGHBOURS):
                if place + step not in draw.hexes:
                    ends = [(x + dx, y + dy) for dx, dy in (corners[edge - 1], corners[edge])]
                    rims.append(Path(polygon_path(ends, closed=False), stroke=bold))
    for place in log.blanks:
        grounds.append(hexagon(place, style.ink("map.margin")))
    return Block(width, height, placing((*grounds, *rims, *signs)))


def _sign(
    hexagon: AtlasHex, at: Point, across: float, style: Style, *, capital: bool
) -> list[Item]:
    """Return the letters of a home, or the circle of a city, gold for a capital."""
    x, y = at
    if hexagon.ground is Ground.CITY:
        line = Stroke(style.ink("track"), 0.2)
        fill = style.ink("atlas.capital" if capital else "slot")
        return [disc((x, y), across * (0.34 if capital else 0.24), fill, line, role=Role.SLOT)]
    if hexagon.ground is Ground.HOME:
        letters = style.type("tile.number").at(across * 1.45)
        return list(set_centred(hexagon.company or "", letters, style.ink("text"), x, y))
    return []


def _legend(style: Style) -> Block:
    """Legend of the colours."""
    soft, ink = style.type("sheet"), style.ink("text.soft")
    line, swatch = Stroke(style.ink("map.hexrim"), 0.1), Box(-1.3, -1.3, 2.6, 2.6)
    entries = (
        ("home", "tile.yellow"),
        ("mountain", "terrain.mountain.shade"),
        ("water", "tile.blue"),
        ("destination", "tile.red"),
        ("border", "atlas.border.dark"),
        ("blank", "map.margin"),
        ("capital", "atlas.capital"),
    )
    blocks = []
    for words, colour in entries:
        sign = shape_block((swatch.plate(style.ink(colour), line),), swatch.width)
        blocks.append(in_row(sign, 1.2, text_block(words, soft, ink)))
    return in_row(*blocks, gap=_APART_ENTRIES_MM)
