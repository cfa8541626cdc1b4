"""Map tiles: pieces of three hexes, with their signs and number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Disc
from platelayer.drawing.hex.ground import frame_items, hex_polygon
from platelayer.drawing.hex.plan import arc_commands, plan_hex, track_items
from platelayer.drawing.hex.tile import SAFE
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.lettering import wrap_even
from platelayer.drawing.kit.ornament import wheel
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.board import Extras, board_layers, map_style
from platelayer.drawing.map.ground import ground_ink, separate, shore_edges
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import watered
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.company import Home
from platelayer.model.gamemap import (
    EDGES,
    Border,
    Coord,
    GameMap,
    Layout,
    MapHex,
    centre_mm,
    corner_points,
)
from platelayer.model.kinds import piece_size
from platelayer.model.map_tiles import (
    BORDER,
    CORNERS_OF_TILE,
    SCHEME,
    MapTile,
    blank_overlay,
    board_of_tile,
    capital_overlay,
    doubled,
)
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.inks import Ink, mix, readable_on
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    middle_of,
    polygon_path,
    polygons_path,
    rectangle_path,
    rotation,
    shifted,
    transform_commands,
)
from platelayer.scene.typeset import fit, set_centred

# Sizes are shares of the hex.

# Radius of the disc with the number in the centre of a map tile, and the reach of its pointer, in
# radii.
_NUMBER_RADIUS, _POINT = 0.115, 1.5
# Width of the striped band along the closed edges of a border hex, and of its stripes; length and
# width of each board of the crossbuck on it.
_BAND, _STRIPE = 0.105, 0.052
_CROSS = (0.46, 0.085)
# Rays of the compass rose on a destination: angle of the first in degrees, and length; and the
# radius of the circle around it.
_ROSE, _ROSE_RING = ((0.0, 0.3), (45.0, 0.2)), 0.26
# Rays and rings of the compass on a poster.
_COMPASS = ((0.0, 0.49), (45.0, 0.36), (22.5, 0.27), (67.5, 0.27))
_COMPASS_RINGS = (0.4, 0.375, 0.3)
# Number of points from which rhumb lines run, and radius of the circle of these points, as a share
# of the shorter side of a sheet.
_RHUMB_POINTS, _RHUMB_RING = 8, 0.43


class Numbered(Struct, frozen=True):
    """A map tile on the board: its printed number, and the coordinates of its hexes 1, 2 and 3."""

    number: int
    hexes: tuple[Coord, Coord, Coord]


def draw_map_tile(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw a map tile of the box, given by its printed number: three hexes, each `piece_size(title,
    "map-tile")` from flat to flat.

    The scene is the bounding box of the three hexes, and its outline is theirs; grounds and track
    extend into the bleed. Raises KeyError if the title has no such map tile.
    """
    box = title.atlas
    if box is None or not piece_id.isdecimal():
        raise KeyError(piece_id)
    tile = box.tile_by_number[int(piece_id)]
    across_mm = piece_size(title, "map-tile", piece_id).width_mm
    board = board_of_tile(tile, company_names(title))
    places = tuple(hexagon.at for hexagon in board.hexes)
    mark = Numbered(tile.number, (places[0], places[1], places[2]))
    return piece_scene(
        at_home(title, tile, board), board, across_mm, style, key=f"map-tile:{piece_id}", mark=mark
    )


def company_names(title: Title) -> dict[str, Text]:
    """Return the names of companies by id."""
    return {company.id: company.name for company in title.companies}


def at_home(title: Title, tile: MapTile, board: GameMap) -> Title:
    """Return the title with only those companies at home whose home is this map tile."""
    homes = {
        hexagon.company: hexes.id
        for hexagon, hexes in zip(tile.hexes, board.hexes, strict=True)
        if hexagon.company
    }
    return with_homes(title, homes)


def with_homes(title: Title, homes: dict[str, str]) -> Title:
    """Return the title with companies (by id) at home in hexes (by printed coordinates), at the
    first stop of each."""
    companies = tuple(
        replace(company, homes=(Home(homes[company.id], None),) if company.id in homes else ())
        for company in title.companies
    )
    return replace(title, companies=companies)


def piece_scene(
    title: Title,
    board: GameMap,
    across_mm: float,
    style: Style,
    *,
    key: str,
    mark: Numbered | None = None,
    over: Items = (),
) -> Scene:
    """Draw a piece of one or more connected hexes as it is cut out. `mark` prints its number;
    `over` (relative to the middle of the piece) is drawn on top."""
    style = map_style(style)
    plan = MapPlan(board, across_mm)
    left, top, right, bottom = plan.bounds
    plan = plan.moved(-left, -top)

    def clear(hexagon: MapHex, plan: MapPlan) -> tuple[tuple[float, float, float], ...]:
        number = number_discs(mark, hexagon.at, plan) if mark is not None else ()
        return number + rose_discs(hexagon, plan)

    extras = Extras(under=lambda plan, style: tuple(sign_items(plan, style)), keep_clear=clear)
    board_of = chain.from_iterable(board_layers(title, plan, style, rims=_rims, extras=extras))
    items: list[Item] = [*_bleeding(plan, style), *board_of]
    if mark is not None:
        items += number_items((mark,), plan, style)
    width, height = right - left, bottom - top
    middle = middle_of([plan.centre(hexagon.at) for hexagon in board.hexes])
    items.append(shifted(over, *middle))
    return Scene(
        key,
        width,
        height,
        tuple(items),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE * across_mm * 0.95,
        outline=plan.lines(plan.outside_edges(board.hexes)),
        label=key.partition(":")[2],
    )


def blank_board() -> GameMap:
    """Return the three hexes of an empty map tile, without lines between them."""
    hexes = tuple(
        MapHex(
            doubled(place),
            Tile(id=SCHEME.name(doubled(place)), colour="atlas.project"),
            borders=tuple(Border(edge=edge, kind="none") for edge in EDGES),
        )
        for place in CORNERS_OF_TILE
    )
    return GameMap(
        id="blank", name=Text.plain("blank"), layout=Layout.FLAT, scheme=SCHEME, hexes=hexes
    )


def _bleeding(plan: MapPlan, style: Style) -> list[Item]:
    """Draw grounds and track enlarged into the bleed. The overlap with the piece itself is painted
    over."""
    items: list[Item] = []
    layout, across = plan.layout, plan.across_mm
    outline = polygon_path(hex_polygon(layout, across, BLEED_MM))
    for hexagon in plan.gamemap.hexes:
        tile = hexagon.tile
        grown: list[Item] = [Path(outline, fill=ground_ink(plan, hexagon, style))]
        grown += frame_items(tile, layout, across, style, bleed_mm=BLEED_MM)
        planned = plan_hex(tile, layout, across)
        lines = track_items(tile, planned, across, style, bleed_mm=BLEED_MM)
        closed = _closed_edges(plan, hexagon)
        if closed:
            lines += border_art(closed, layout, across, style, bleed_mm=BLEED_MM)
        if lines:
            grown.append(Group(lines, clip=outline))
        items.append(shifted(tuple(grown), *plan.centre(hexagon.at)))
    return items


def _rims(plan: MapPlan, style: Style) -> Items:
    """Draw fine lines between the hexes of the piece, stronger ones along water, and none along the
    cut."""
    fine, shore = shore_edges(plan)
    items = [Path(separate(plan, fine), stroke=style.stroke("map.hexrim"))] if fine else []
    if shore:
        items.append(Path(plan.lines(shore), stroke=style.stroke("map.shore")))
    return tuple(items)


def _middle_of(tile: Numbered, plan: MapPlan) -> Point:
    """Return the point where the three hexes of a map tile meet."""
    return middle_of([plan.centre(at) for at in tile.hexes])


def number_discs(tile: Numbered, at: Coord, plan: MapPlan) -> tuple[Disc, ...]:
    """Return the circles covered by a tile's number, and by its point in hex 1, relative to the
    centre of one of the tile's hexes."""
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
    """Draw the number of each tile on a disc where its three hexes meet; the disc points to hex
    1."""
    radius = _NUMBER_RADIUS * plan.across_mm
    type_style = style.type("atlas.number")
    size_pt = round(type_style.size_pt * plan.across_mm / 40.0, 1)
    type_style = type_style.at(max(type_style.min_pt, size_pt))
    ink, rim, text = style.ink("map.casing"), style.stroke("atlas.number"), style.ink("text")
    for tile in tiles:
        x, y = _middle_of(tile, plan)
        first = plan.centre(tile.hexes[0])
        turn = math.atan2(first[1] - y, first[0] - x)
        # Both sides of the pointer are tangents of the disc.
        half = math.acos(1 / _POINT)
        point = (x + _POINT * radius * math.cos(turn), y + _POINT * radius * math.sin(turn))
        start = (x + radius * math.cos(turn + half), y + radius * math.sin(turn + half))
        round_disc = arc_commands(x, y, radius, turn + half, turn - half + 2 * math.pi)
        drop = (("M", *point), ("L", *start), *round_disc, ("Z",))
        yield Path(drop, fill=ink, stroke=rim, role=Role.SYMBOL)
        yield from set_centred(str(tile.number), type_style, text, x, y, over=(Role.SYMBOL,))


def edge_items(tiles: Sequence[Numbered], plan: MapPlan, style: Style) -> Items:
    """Draw the edges between hexes of two map tiles, or of a tile and an overlay, a little stronger
    than those within a tile."""
    owner = {place: number for number, tile in enumerate(tiles) for place in tile.hexes}
    edges = [
        edge
        for edge in plan.inner_edges
        if (other := plan.across(edge)) is not None
        and (edge[0] not in owner or owner.get(edge[0]) != owner.get(other.at))
    ]
    return (Path(plan.lines(edges), stroke=style.stroke("atlas.edge")),)


def sign_items(plan: MapPlan, style: Style) -> Iterator[Item]:
    """Draw the signs on the grounds of border hexes and destinations; a destination has a compass
    rose, on the line between its hexes if there are two."""
    for hexagon in plan.gamemap.hexes:
        if hexagon.tile.colour == BORDER:
            closed = _closed_edges(plan, hexagon)
            art = border_art(closed, plan.layout, plan.across_mm, style)
            yield shifted(art, *plan.centre(hexagon.at))
    seen: set[Coord] = set()
    for hexagon in plan.gamemap.hexes:
        if hexagon.tile.colour == "red" and hexagon.at not in seen:
            hexes = _destination(hexagon, plan)
            seen.update(other.at for other in hexes)
            middle = middle_of([plan.centre(other.at) for other in hexes])
            yield shifted(rose_items(_rose_size(hexes, plan), style), *middle)


def _closed_edges(plan: MapPlan, hexagon: MapHex) -> tuple[int, ...]:
    """Return the edges of a border hex with nothing beyond; none for any other hex."""
    if hexagon.tile.colour != BORDER:
        return ()
    return tuple(edge for edge in EDGES if plan.across((hexagon.at, edge)) is None)


def border_art(
    closed: Sequence[int], layout: Layout, across_mm: float, style: Style, *, bleed_mm: float = 0.0
) -> Items:
    """Draw a hex that nothing may touch, centred on (0, 0): warning stripes along its closed edges,
    and a crossbuck."""
    outer = corner_points(layout, across_mm + 2 * bleed_mm)
    inner = corner_points(layout, across_mm * (1 - 2 * _BAND))
    light, dark = style.ink("atlas.border.light"), style.ink("atlas.border.dark")
    items: list[Item] = []
    # The band of an edge ends on the lines from the middle of the hex through the edge's corners.
    sides = [((edge - 1) % 6, edge % 6) for edge in closed]
    bands = polygons_path((outer[a], outer[b], inner[b], inner[a]) for a, b in sides)
    lines = polygons_path(((inner[a], inner[b]) for a, b in sides), closed=False)
    if bands:
        items.append(Group((_stripes(across_mm, bleed_mm, style),), clip=bands))
        rim = Stroke(light, max(0.1, 0.009 * across_mm))
        items.append(Path(lines, stroke=rim))
    x, y = (share * across_mm / 2 for share in _CROSS)
    board = polygon_path(((-x, -y), (x, -y), (x, y), (-x, y)))
    stroke = Stroke(dark, max(0.1, 0.014 * across_mm))
    for degrees in (35.0, -35.0):
        turned = transform_commands(board, rotation(degrees))
        items.append(Path(turned, fill=light, stroke=stroke, role=Role.SYMBOL))
    return tuple(items)


def _stripes(across_mm: float, bleed_mm: float, style: Style) -> Path:
    """Draw slanting stripes over the whole hex."""
    width = _STRIPE * across_mm
    reach = across_mm * 0.62 + bleed_mm
    count = math.ceil(reach / width)
    stripes = []
    for k in range(-count, count):
        left, right = 2 * k * width - reach, 2 * k * width + reach
        stripes.append(
            ((left, reach), (left + width, reach), (right + width, -reach), (right, -reach))
        )
    return Path(polygons_path(stripes), fill=style.ink("atlas.border.light"))


def rose_discs(hexagon: MapHex, plan: MapPlan) -> tuple[Disc, ...]:
    """Return the circles covered by a destination's compass rose, relative to the hex's centre."""
    if hexagon.tile.colour != "red":
        return ()
    hexes = _destination(hexagon, plan)
    cx, cy = plan.centre(hexagon.at)
    x, y = middle_of([plan.centre(other.at) for other in hexes])
    return ((x - cx, y - cy, _ROSE_RING * _rose_size(hexes, plan) + 0.3),)


def _destination(hexagon: MapHex, plan: MapPlan) -> list[MapHex]:
    """Return the hexes of the destination to which a hex belongs, itself included."""
    edges = ((hexagon.at, edge) for edge in EDGES)
    beyond = (plan.across(edge) for edge in edges if plan.one_side(edge) in plan.open_edges)
    return [hexagon, *(other for other in beyond if other is not None)]


def _rose_size(hexes: Sequence[MapHex], plan: MapPlan) -> float:
    # There is less room between two hexes: the number of their tile is at one end of their common
    # line.
    return plan.across_mm * (0.62 if len(hexes) > 1 else 0.8)


def rose_items(across_mm: float, style: Style) -> Items:
    """Draw a compass rose centred on (0, 0), in tints of the red below it."""
    ground = style.ink("tile.red")
    light = mix(ground, style.ink("white"), 0.42)
    dark = mix(ground, style.ink("map.red.line"), 0.45)
    line = Stroke(light, max(0.1, 0.006 * across_mm))
    rings = (
        Circle(0, 0, share * across_mm, stroke=line) for share in (_ROSE_RING - 0.025, _ROSE_RING)
    )
    return (*rings, *_rays(_ROSE, across_mm, light, dark))


def compass_items(across_mm: float, style: Style) -> Items:
    """Draw the compass rose of a chart, centred on (0, 0): sixteen winds within a graduated
    ring."""
    ink, plate = style.ink("map.frame.line"), style.ink("map.plate")
    fine = Stroke(ink, max(0.12, 0.0025 * across_mm))
    heavy = Stroke(ink, 0.007 * across_mm)
    out, inner, within = (share * across_mm for share in _COMPASS_RINGS)
    arcs = []
    for number in range(0, 72, 2):
        a, b = (math.radians(5 * each) for each in (number, number + 1))
        corners = [
            (r * math.sin(turn), -r * math.cos(turn))
            for r, turn in ((inner, a), (out, a), (out, b), (inner, b))
        ]
        arcs.append(corners)
    return (
        Circle(0, 0, out, fill=plate, stroke=heavy),
        Path(polygons_path(arcs), fill=mix(plate, ink, 0.75)),
        Circle(0, 0, inner, stroke=fine),
        Circle(0, 0, within, stroke=fine),
        *_rays(_COMPASS, across_mm, plate, ink, Stroke(ink, 0.12)),
        Circle(0, 0, 0.035 * across_mm, fill=style.ink("map.title"), stroke=fine),
    )


def _rays(
    winds: Sequence[tuple[float, float]],
    across_mm: float,
    light: Ink,
    dark: Ink,
    line: Stroke | None = None,
) -> Iterator[Item]:
    """Draw the rays of a rose, each half light and half dark; later winds go below earlier ones."""
    for first, share in reversed(winds):
        reach, waist = share * across_mm, share * across_mm * 0.24
        half = waist * math.sqrt(0.5)
        for quarter in range(4):
            matrix = rotation(first + 90.0 * quarter)
            for side, fill in ((1, light), (-1, dark)):
                ray = polygon_path(((0, 0), (side * half, -half), (0, -reach)))
                yield Path(transform_commands(ray, matrix), fill=fill, stroke=line)


def rhumb_items(frame: tuple[float, float, float, float], style: Style) -> Items:
    """Draw the web of lines on sea charts from before the use of degrees: from points on a circle
    to every wind."""
    left, top, width, height = frame
    cx, cy = left + width / 2, top + height / 2
    ring = _RHUMB_RING * min(width, height)
    reach = math.hypot(width, height)
    lines = []
    for number in range(_RHUMB_POINTS):
        turn = 2 * math.pi * number / _RHUMB_POINTS + math.pi / _RHUMB_POINTS
        x, y = cx + ring * math.cos(turn), cy + ring * math.sin(turn)
        for wind in range(16):
            way = 2 * math.pi * wind / 16
            lines.append(((x, y), (x + reach * math.cos(way), y + reach * math.sin(way))))
    stroke = style.stroke("atlas.rhumb")
    web = Path(polygons_path(lines, closed=False), stroke=stroke)
    circle = Circle(cx, cy, ring, stroke=stroke)
    return (Group((web, circle), clip=rectangle_path(*frame)),)


# The capital project: a map tile without ground that requires a capital.


atlas_words = FixedWords("atlas")

# Radii of the rings around the emblem as shares of the hex, and their line widths in mm.
_RINGS = ((0.37, 0.55), (0.345, 0.16))
_EMBLEM = 0.42


def draw_capital_project(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw the capital project (its id is "capital"): a piece of three hexes, with the sign of a
    capital where they meet."""
    across = piece_size(title, "capital-project", piece_id).width_mm
    board = replace(blank_board(), id=piece_id, name=atlas_words("capital_project"))
    over = _emblem(across, style) + _words(across, style)
    return piece_scene(
        with_homes(title, {}), board, across, style, key=f"capital-project:{piece_id}", over=over
    )


def _emblem(across: float, style: Style) -> Items:
    """Draw the sign of a capital in rings, around the middle of the piece."""
    ink, gold = style.ink("map.title"), style.ink("atlas.capital")
    picture = icon_block("capital", "", _EMBLEM * across, style, style.type("tile.cost"))
    rings = []
    for number, (share, width) in enumerate(_RINGS):
        fill = None if number else style.ink("map.plate")
        line = Stroke(ink, width)
        rings.append(Circle(0, 0, share * across, fill=fill, stroke=line))
    # Dots around the outer ring: a whole number of dashes of zero length with round ends.
    radius = (_RINGS[0][0] + 0.03) * across
    step = 2 * math.pi * radius / 36
    dotted = Stroke(gold, 0.026 * across, dash=(0.001, step - 0.001), cap="round")
    dots = Circle(0, 0, radius, stroke=dotted, role=Role.ORNAMENT)
    return (*rings, dots, *picture.at(0.0, -0.01 * across))


def _words(across: float, style: Style) -> Items:
    """Draw a wheel in hex 1, the name in hex 2 and the instruction in hex 3, each a little outwards
    from the middle of its hex."""
    ink = readable_on(style.ink("atlas.project"))
    places = [centre_mm(doubled(place), Layout.FLAT, across) for place in CORNERS_OF_TILE]
    middle = middle_of(places)
    outward = [((x - middle[0]) * 1.28, (y - middle[1]) * 1.28) for x, y in places]
    room = 0.66 * across
    items: list[Item] = [shifted(wheel(0, 0, 0.1 * across, ink), *outward[0])]
    heading = style.type("atlas.project")
    heading = heading.at(max(heading.min_pt, heading.size_pt * across / 40))
    note = style.type("atlas.project.note")
    note = note.at(max(note.min_pt, note.size_pt * across / 40))
    for text, type_style, (x, y) in (
        (atlas_words("capital_project"), heading, outward[1]),
        (atlas_words("capital_project_note"), note, outward[2]),
    ):
        lines = wrap_even(style.words(text), type_style, room)
        step = type_style.size_mm * 1.15
        for number, line in enumerate(lines):
            down = y + (number - (len(lines) - 1) / 2) * step
            items += set_centred(line, fit(line, type_style, room), ink, x, down)
    return tuple(items)


# Overlays: single hexes to place on a board.


_PRINTS: dict[str, Callable[[str], Tile]] = {"capital": capital_overlay, "blank": blank_overlay}


def draw_overlay(title: Title, piece_id: str, style: Style) -> Scene:
    """Draw a hex to lay on a map, with the companies at home there; or one to lay on or beside map
    tiles ("capital", "blank": both faces are identical). Raises KeyError for other ids."""
    across_mm = piece_size(title, "overlay", piece_id).width_mm
    own = [overlay.hex for overlay in title.pieces.overlays if overlay.id == piece_id]
    if own:
        return _map_overlay(title, piece_id, own[0], across_mm, style)
    tile = _PRINTS[piece_id]("A1")
    hexes = (MapHex(Coord(0, 0), tile),)
    board = GameMap(
        id=piece_id, name=Text.plain(piece_id), layout=Layout.FLAT, scheme=SCHEME, hexes=hexes
    )
    return piece_scene(with_homes(title, {}), board, across_mm, style, key=f"overlay:{piece_id}")


def _map_overlay(title: Title, piece_id: str, hex_id: str, across_mm: float, style: Style) -> Scene:
    """Draw one hex of the first map that has it, cut out with its half of the borders, which may
    differ from those printed on the map."""
    gamemap = next(gamemap for gamemap in title.maps if hex_id in gamemap.by_id)
    alone = gamemap.by_id[hex_id]
    here = watered(gamemap.rivers, gamemap.layout)
    rivers = (
        tuple(replace(river, name=None) for river in gamemap.rivers) if alone.at in here else ()
    )
    return piece_scene(
        title,
        replace(gamemap, hexes=(alone,), rivers=rivers, regions=(), seas=()),
        across_mm,
        style,
        key=f"overlay:{piece_id}",
    )
