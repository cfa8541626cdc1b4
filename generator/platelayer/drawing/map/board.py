"""Poster of a map: hexes, borders, homes, frame with printed coordinates, cartouche and legend."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.company.roundel import company_inks, roundel_items, with_roundels
from platelayer.drawing.hex.geometry import Disc
from platelayer.drawing.hex.ground import ground_items as tile_ground_items
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.tile import hex_items, hex_trim
from platelayer.drawing.kit.layout import Block
from platelayer.drawing.kit.ornament import run_items, sign_items, wheel
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.borders import (
    area_items,
    areas,
    border_items,
    border_notes,
    note_discs,
)
from platelayer.drawing.map.ground import (
    bank_grounds,
    ground_ink,
    ground_items,
    outer_name_items,
    rim_items,
    shore_items,
    state_items,
    wash_edges,
    wash_items,
    world_items,
)
from platelayer.drawing.map.marks import (
    HOME_SHARE,
    badge_discs,
    company_items,
    free_signs,
    held_discs,
    held_items,
    home_discs,
    stub_discs,
    stub_items,
)
from platelayer.drawing.map.names import name_items
from platelayer.drawing.map.panels import (
    Entry,
    bonus_panel,
    cartouche,
    legend,
    legend_entries,
    places_panels,
)
from platelayer.drawing.map.plan import MapPlan, half_polygon, without_words
from platelayer.drawing.map.relief import Room, relief_kind, shading_items, texture_items
from platelayer.drawing.map.rivers import (
    fords,
    halo_items,
    outland_boxes,
    river_items,
    wet_discs,
)
from platelayer.drawing.map.room import (
    Drawn,
    Growth,
    Placeable,
    Rect,
    Skyline,
    Squares,
    find_room,
    room_for,
    room_left,
    skyline_of,
    spare_room,
)
from platelayer.drawing.map.shore import Coast, coast_of, inlets
from platelayer.foundation.geometry import measured
from platelayer.foundation.text import Text
from platelayer.model.company import Company
from platelayer.model.gamemap import GameMap, Half, Layout, MapHex
from platelayer.model.position import NEUTRAL, InPlay, Placed, placed
from platelayer.model.tile import HEX_MM, WITH_SLOTS, Position, StopKind, Tile
from platelayer.model.title import Title
from platelayer.scene.flatten import bounds_of
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import (
    Circle,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Scene,
    Stroke,
    TextRun,
    polygon_path,
    polygons_path,
    rectangle_path,
    shifted,
)
from platelayer.scene.typeset import run_corners, set_centred

# Edges towards which the halves of hexes lie, and the distance of their only stop, in apothems.
_HALF_EDGE = {
    Layout.FLAT: {Half.LEFT: 1.5, Half.RIGHT: 4.5, Half.TOP: 3.0, Half.BOTTOM: 0.0},
    Layout.POINTY: {Half.LEFT: 1.0, Half.RIGHT: 4.0, Half.TOP: 2.5, Half.BOTTOM: 5.5},
}
_STOP_AT = 0.5
# Radius of a circle so large that it covers the missing half, in hexes.
_STRAIGHT = 1000.0

SAFE_MM = 3.0
# The frame: distance from the trim to its outer line, width of the band with the coordinates, and
# width of the strip of dark and light graduations in it.
_FRAME_INSET_MM, _FRAME_BAND_MM, _STRIP_MM = 7.0, 6.2, 0.9
_MARGIN_MM = _FRAME_INSET_MM + _FRAME_BAND_MM
# Distance inside the frame's inner line at which land and water end.
_NEAT_MM = 0.35
# Distance from the band to the heavy line around it: without and with the motif's border between
# them; and half the height of that border.
_PLAIN_MM, _BORDERED_MM, _BORDER_HALF_MM = 1.3, 3.6, 0.95
# Distances from the inner line of the frame to the nearest hex, and to the cartouche or legend; and
# between these and the hexes.
_PAD_MM, _BLOCK_INSET_MM, _CLEAR_MM = 9.0, 4.0, 7.0

# Minimum number of hexes in a layer, as an edit changes few of them; maximum number of layers of
# hexes, as a page must composite them.
_LEAST_SLICE, _MOST_SLICES = 20, 8
# Number of columns of the legend and width of their words in mm, in order of preference.
_LEGEND_SHAPES = ((2, 46.0), (1, 52.0), (3, 42.0), (2, 38.0), (4, 42.0), (1, 42.0))
_TITLE_WIDTHS = (104.0, 90.0, 78.0)
# Plates: margin of paper beyond the frame; minimum size of hexes, flat to flat; and number of steps
# by which hexes are reduced until the name fits into a corner.
_PLATE_RIM_MM, _PLATE_HEX_MM, _FIT_STEPS = 9.0, 26.0, 12
_UNIT_MM = 100.0
# Penalties of corners and sides in square mm of paper (`Placeable`). Places for cards are on the
# right (rulebook of 18CZ, 11-1), unless that costs a strip of some 3 cm.
_TITLE_TASTE = (
    (("left", "bottom"), 900.0),
    (("right", "bottom"), 900.0),
    (("right", "top"), 250.0),
    (("free", "bottom"), 2500.0),
)
_PLACES_TASTE = ((("left", "top"), 12000.0), (("left", "bottom"), 12000.0))
_LEGEND_TASTE = (
    (("left", "top"), 900.0),
    (("right", "top"), 400.0),
    (("left", "bottom"), 150.0),
    (("free", "top"), 2500.0),
)

_SEA_KINDS = ("sea", "water", "lake")

KeepClear = Callable[[MapHex, MapPlan], tuple[Disc, ...]]
Draw = Callable[[MapPlan, Style], Items]


class Extras(Struct, frozen=True, kw_only=True):
    """Additions to the poster of a map.

    `ground` is drawn around the board, within a frame (left, top, width, height in mm); `under` on
    the grounds of the hexes, `edges` on their rims, and `over` on top of the whole board. `titles`
    replace the cartouche, at several widths. `boards` lie beside the hexes. Of the `spare` blocks,
    the first that fits into an empty corner is drawn. `entries` follow the legend's own. `laid`
    gives the numbers of tiles by the ids of the hexes that they lie on; the numbers are printed if
    `numbered`.
    """

    ground: Callable[[Rect, Style], Items] | None = None
    under: Draw | None = None
    edges: Draw | None = None
    over: Draw | None = None
    keep_clear: KeepClear | None = None
    titles: Callable[[Style], tuple[Block, ...]] | None = None
    boards: tuple[Block, ...] = ()
    spare: Callable[[Style], tuple[Block, ...]] | None = None
    entries: Callable[[MapPlan, Style], tuple[Entry, ...]] | None = None
    laid: Mapping[str, str] = {}
    numbered: bool = False


NO_EXTRAS = Extras()


def draw_poster(
    title: Title,
    gamemap: GameMap,
    across_mm: float,
    style: Style,
    *,
    key: str,
    extras: Extras = NO_EXTRAS,
) -> Scene:
    """Draw the poster of a board whose hexes are `across_mm` from flat to flat, with the title's
    companies at home."""
    style = map_style(style)
    plan, skyline = _alone(gamemap, across_mm)
    names = _names(title, gamemap, style, extras)
    entries = legend_entries(title, plan, style)
    if extras.entries:
        entries += extras.entries(plan, style)
    legends = _legends(entries, gamemap.legend, across_mm, style)
    cards = tuple(places_panels(title, place, style) for place in gamemap.places)
    blocks = (
        Placeable(shapes=_sizes(names), tastes=_TITLE_TASTE),
        Placeable(shapes=_sizes(legends), tastes=_LEGEND_TASTE),
        *(Placeable(shapes=_sizes(panels), tastes=_PLACES_TASTE) for panels in cards),
    )
    growth, places = find_room(skyline, blocks)
    placed = [
        (panels[shape], box)
        for panels, (shape, box) in zip((names, legends, *cards), places, strict=True)
    ]

    def put_in_corner(block: Block) -> bool:
        """Put a block into an empty corner and return True, if there is one."""
        taken = [box for _, box in placed]
        spare = spare_room(skyline, growth, taken, (block.width, block.height))
        placed.extend([(block, spare)] if spare is not None else [])
        return spare is not None

    for bonus in title.bonus_tables:
        put_in_corner(bonus_panel(title, bonus, style))
    boards = extras.boards
    growth, rooms = room_for(skyline, growth, [box for _, box in placed], _sizes(boards))
    placed += zip(boards, rooms, strict=True)
    for block in extras.spare(style) if extras.spare else ():
        if put_in_corner(block):
            break
    return _sheet(title, (plan, skyline), growth, placed, style, key=key, extras=extras)


def draw_plate(
    title: Title, gamemap: GameMap, style: Style, *, key: str, extras: Extras = NO_EXTRAS
) -> Scene:
    """Draw a board as a framed picture for the wall, on the first of the title's papers for plates
    that is large enough: with its name, but without legend and panels for play."""
    style = map_style(style.finer())
    names = _names(title, gamemap, style, extras)
    plan, skyline = _alone(gamemap, _UNIT_MM)
    rim = _PLATE_RIM_MM
    for paper in title.plate:
        along = (skyline.width > skyline.height) is (paper[0] > paper[1])
        sheet = paper if along else paper[::-1]
        width, height = (side - 2 * (rim + _MARGIN_MM + _BLOCK_INSET_MM) for side in sheet)
        across_mm, growth, name = _fitted(plan, names, width, height)
        if across_mm >= _PLATE_HEX_MM:
            break
    board = _alone(gamemap, across_mm)
    picture = _sheet(title, board, growth, [name], style, key=key, extras=extras)
    back = rectangle_path(-BLEED_MM, -BLEED_MM, sheet[0] + 2 * BLEED_MM, sheet[1] + 2 * BLEED_MM)
    return replace(
        picture,
        width_mm=sheet[0],
        height_mm=sheet[1],
        items=(Path(commands=back, fill=style.ink("map.margin")), shifted(picture.items, rim, rim)),
        cuts=(),
        places=tuple((hex_id, x + rim, y + rim) for hex_id, x, y in picture.places),
    )


def _fitted(
    unit: MapPlan, names: tuple[Block, ...], width_mm: float, height_mm: float
) -> tuple[float, Growth, tuple[Block, Rect]]:
    """Return the size of the largest hexes, flat to flat, with which a board fits an area; the
    growth of its sheet that fills the area with the board in the middle; and its name with its
    box, in a corner or else below the board. `unit` has hexes of `_UNIT_MM`."""
    pads = 2 * (_PAD_MM - _BLOCK_INSET_MM)
    left, top, right, bottom = unit.bounds
    wide, tall = (right - left) / _UNIT_MM, (bottom - top) / _UNIT_MM

    def fitted(height: float) -> float:
        return measured(min((width_mm - pads) / wide, (height - pads) / tall))

    def filling(across_mm: float, height: float) -> Growth:
        side = (width_mm - pads - across_mm * wide) / 2
        end = (height - pads - across_mm * tall) / 2
        return Growth(left=side, right=side, top=end, bottom=end + height_mm - height)

    below = names[-1]
    height = height_mm - below.height - _CLEAR_MM
    most, least = fitted(height_mm), fitted(height)
    for step in range(_FIT_STEPS):
        across_mm = most + (least - most) * step / _FIT_STEPS
        growth = filling(across_mm, height_mm)
        _, skyline = _alone(unit.gamemap, across_mm)
        for name in names:
            box = spare_room(skyline, growth, (), (name.width, name.height))
            if box is not None:
                return across_mm, growth, (name, box)
    middle = (width_mm - below.width) / 2
    box = (middle, height_mm - below.height, below.width, below.height)
    return least, filling(least, height), (below, box)


def _alone(gamemap: GameMap, across_mm: float) -> tuple[MapPlan, Skyline]:
    """Return the plan and the skyline of a board surrounded only by a narrow margin."""
    # Water that takes tiles is a white hex with a blue ground; show it like other water.
    hexes = tuple(
        replace(hexagon, tile=replace(hexagon.tile, colour="blue", ground=None))
        if hexagon.tile.ground == "tile.blue"
        else hexagon
        for hexagon in gamemap.hexes
    )
    plan = MapPlan(gamemap=replace(gamemap, hexes=hexes), across_mm=across_mm)
    left, top, right, bottom = plan.bounds
    pad = _PAD_MM - _BLOCK_INSET_MM
    plan = plan.moved(-left + pad, -top + pad)
    centres = tuple(plan.centre(hexagon.at) for hexagon in gamemap.hexes)
    width, height = right - left + 2 * pad, bottom - top + 2 * pad
    return plan, skyline_of(centres, tuple(plan.corners), width, height, _CLEAR_MM)


def _names(title: Title, gamemap: GameMap, style: Style, extras: Extras) -> tuple[Block, ...]:
    """Return the plate with the name of a map, at several widths."""
    if extras.titles:
        return extras.titles(style)
    return tuple(cartouche(title, gamemap, width, style) for width in _TITLE_WIDTHS)


def _sheet(
    title: Title,
    board: tuple[MapPlan, Skyline],
    growth: Growth,
    placed: Sequence[tuple[Block, Rect]],
    style: Style,
    *,
    key: str,
    extras: Extras,
) -> Scene:
    """Draw the sheet of a board after growth, with blocks in their boxes beside the board."""
    plan, skyline = board
    edge = _MARGIN_MM + _BLOCK_INSET_MM
    plan = plan.moved(edge + growth.left, edge + growth.top)
    width = skyline.width + growth.left + growth.right + 2 * edge
    height = skyline.height + growth.top + growth.bottom + 2 * edge
    panels = tuple(
        item for panel, box in placed for item in panel.paint(edge + box[0], edge + box[1])
    )
    boxes = [(edge + box[0], edge + box[1], panel.width, panel.height) for panel, box in placed]
    rim = _MARGIN_MM + _NEAT_MM
    frame = (rim, rim, width - 2 * rim, height - 2 * rim)
    sheet = rectangle_path(-BLEED_MM, -BLEED_MM, width + 2 * BLEED_MM, height + 2 * BLEED_MM)
    below: list[Item] = [Path(commands=sheet, fill=style.ink("map.margin"))]
    below += _frame_items(plan, width, height, style)
    coast = None
    if extras.ground:  # a board assembled from pieces has no surroundings
        below += extras.ground(frame, style)
        below += shore_items(plan, style)
    else:
        coast = coast_of(plan, frame)
        below += world_items(plan, coast, style)
        # Names may be on the ranges that continue beyond the board.
        boxes += outland_boxes(plan, coast)
        panels = (*outer_name_items(plan, coast, boxes, style), *panels)
    rims = partial(rim_items, coast=coast)
    layers = (
        tuple(below),
        *board_layers(title, plan, style, rims=rims, extras=extras, coast=coast),
        panels,
    )
    return Scene(
        key=key,
        width_mm=width,
        height_mm=height,
        items=tuple(chain.from_iterable(layers)),
        cuts=tuple(accumulate(len(layer) for layer in layers[:-1])),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE_MM,
        label=f"{style.words(title.name)}: {style.words(plan.gamemap.name)}",
        places=tuple((hexagon.id, *plan.centre(hexagon.at)) for hexagon in plan.gamemap.hexes),
    )


# Cached, as few edits change what the legend explains.
@lru_cache(maxsize=8)
def _legends(
    entries: tuple[Entry, ...], notes: tuple[Text, ...], across_mm: float, style: Style
) -> tuple[Block, ...]:
    """Return the legend in all shapes."""
    return tuple(
        legend(entries, style, columns=columns, text_mm=text_mm, notes=notes, across_mm=across_mm)
        for columns, text_mm in _LEGEND_SHAPES
    )


@lru_cache(maxsize=8)
def map_style(style: Style, prefix: str = "map.hex.") -> Style:
    """Return the style for the contents of map hexes: `map.hex.*` replaces `tile.*`, as maps are
    read from farther away than tiles."""
    types = dict(style.theme.types)
    for name, type_style in style.theme.types.items():
        if name.startswith(prefix):
            types["tile." + name.removeprefix(prefix)] = type_style
    return replace(style, theme=replace(style.theme, types=types))


def draw_hex(hexagon: MapHex, layout: Layout, across_mm: float, style: Style) -> Scene:
    """Draw a single hex of a map, `across_mm` from flat to flat, without its borders, rivers and
    homes."""
    width, height, outline = hex_trim(layout, across_mm)
    own = map_style(style, "map.red." if hexagon.tile.colour == "red" else "map.hex.")
    items = hex_items(hexagon.tile, layout, across_mm, own, rim=False)
    at = shifted(items, width / 2, height / 2)
    return Scene(
        key=f"hex:{hexagon.id}", width_mm=width, height_mm=height, items=(at,), outline=outline
    )


def _shown(hexagon: MapHex, plan: MapPlan) -> Tile:
    """Return the tile of a hex without anything that is drawn for the whole map: waves of the sea,
    and rivers. If a half hex has only one stop and nothing else, the stop lies within that half."""
    tile = hexagon.tile
    crossed = fords(plan.gamemap, hexagon)
    shown = tuple(
        entry
        for entry in tile.terrain
        if (entry.cost or entry not in crossed)
        and (tile.colour != "blue" or entry.cost or not set(entry.kinds) <= set(_SEA_KINDS))
    )
    tile = replace(tile, terrain=shown)
    if hexagon.half is None or len(tile.stops) != 1:
        return tile
    (stop,) = tile.stops
    if stop.at is not None or stop.kind is StopKind.OFFBOARD:
        return tile
    at = Position(edge=_HALF_EDGE[plan.layout][hexagon.half], distance=_STOP_AT)
    return replace(tile, stops=(replace(stop, at=at),))


def _sizes(panels: tuple[Block, ...]) -> tuple[tuple[float, float], ...]:
    return tuple((panel.width, panel.height) for panel in panels)


# Minimum extent of water into a hex at which it obstructs words, in widths of the hex.
_AT_WORDS = 0.05


def board_layers(
    title: Title,
    plan: MapPlan,
    style: Style,
    *,
    rims: Callable[[MapPlan, Style], Items],
    extras: Extras = NO_EXTRAS,
    coast: Coast | None = None,
) -> tuple[Items, ...]:
    """Draw the hexes of a board with everything on them, in layers from the ground up; layers
    seldom change together. `style` comes from `map_style`. White hexes end at their `coast` if
    there is one, otherwise at their edges."""
    red = map_style(style, "map.red.")
    gamemap, clear = plan.gamemap, extras.keep_clear
    # Ranges and waters continue across the hexes of a sheet; a single piece has no neighbours.
    is_sheet = coast is not None or extras.ground is not None
    across = areas(plan)
    silent = {hexagon.id for area in across for hexagon in area.hexes}
    drawn: dict[str, Items] = {}
    badges: dict[str, tuple[Disc, ...]] = {}
    free = free_signs(title, plan)
    notes = tuple(border_notes(plan, title.phases))
    wet = inlets(plan, coast, _AT_WORDS)
    for at, discs in wet_discs(plan).items():
        wet[at] = (*wet.get(at, ()), *discs)

    def contents(hexagon: MapHex, tile: Tile) -> Items:
        with_relief = bool(style.theme.relief) and relief_kind(plan, hexagon) is not None
        return hex_items(
            tile,
            plan.layout,
            plan.across_mm,
            red if tile.colour == "red" else style,
            ground=False,
            rim=False,
            number=extras.laid.get(hexagon.id) if extras.numbered else None,
            named=gamemap.scheme.inside,
            badges=is_sheet and with_relief,
            keep_clear=(
                *_half_discs(hexagon.half, plan),
                *stub_discs(hexagon, plan),
                *home_discs(title, hexagon, plan),
                *held_discs(title, hexagon, plan),
                *note_discs(notes, plan, hexagon, style),
                *(clear(hexagon, plan) if clear else ()),
            ),
            signs=free.get(hexagon.id, ()),
            wet=wet.get(hexagon.at, ()),
        )

    for hexagon in gamemap.hexes:
        tile = _shown(hexagon, plan)
        tile = without_words(tile) if hexagon.id in silent else tile
        items = contents(hexagon, tile)
        signs = free.get(hexagon.id, ())
        badges[hexagon.id] = badge_discs(items[len(items) - len(signs) :], plan)
        if water := wet.get(hexagon.at):
            under = ground_ink(plan.ground, hexagon, style)
            items = (*halo_items(Drawn(items), water, plan.across_mm, under), *items)
        if hexagon.half is not None:
            outline = polygon_path(half_polygon(hexagon.half, plan.corners))
            items = (Group(items=items, clip=outline),)
        drawn[hexagon.id] = items
    hexes = [
        shifted(drawn[hexagon.id], *plan.centre(hexagon.at))
        for hexagon in gamemap.hexes
        if drawn[hexagon.id]
    ]
    taken: list[Disc] = []
    for hexagon in gamemap.hexes:
        x, y = plan.centre(hexagon.at)
        discs = (
            *held_discs(title, hexagon, plan),
            *home_discs(title, hexagon, plan),
            *badges[hexagon.id],
        )
        taken += ((x + dx, y + dy, radius) for dx, dy, radius in discs)
    ground = _ground(plan.ground, style, coast, is_sheet)
    names = name_items(
        plan,
        style,
        drawn=drawn,
        discs=taken,
        tints=ground.ranges,
        bands=ground.bands,
        coast=coast,
        laid=extras.laid.keys(),
    )
    covered = Squares[Rect](plan.across_mm)
    for item in names:
        if isinstance(item, TextRun):
            left, top, right, bottom = bounds_of(run_corners(item))
            width, height = right - left, bottom - top
            x, y = left + width / 2, top + height / 2
            covered.add((x, y), (x, y, width, height))

    def room_for_texture(hex_id: str) -> Room:
        hexagon = gamemap.by_id[hex_id]
        x, y = plan.centre(hexagon.at)
        near = [
            (cx - x, cy - y, width, height)
            for cx, cy, width, height in covered.near((x, y))
            if abs(cx - x) < plan.across_mm and abs(cy - y) < plan.across_mm
        ]
        discs = (*home_discs(title, hexagon, plan), *badges[hex_id], *wet.get(hexagon.at, ()))
        items = Drawn(drawn[hex_id])
        return _room(hex_id, plan.layout, plan.across_mm, items, (discs, tuple(near)))

    textures: Items = ()
    if coast is not None:
        textures = texture_items(plan, room_for_texture, style)
    # Ranges beyond the board are drawn below its capes.
    first = 1 if ground.ranges and coast is not None else 0
    land = (*ground.ranges[:first], *ground.land, *ground.bands, *ground.ranges[first:])
    if coast is not None and coast.lines:
        land = (Group(items=land, clip=coast.land),)
    below = (
        *ground.lines,
        *ground.beyond,
        *(extras.under(plan, style) if extras.under else ()),
        *rims(plan.ground, style),
        *ground.mouths,
        *(extras.edges(plan, style) if extras.edges else ()),
        *held_items(title, plan, style),
        *stub_items(plan, style),
        *names,
    )
    above: list[Item] = []
    covered_of = {
        hexagon.id: (
            *badges[hexagon.id],
            *stub_discs(hexagon, plan),
            *(clear(hexagon, plan) if clear else ()),
        )
        for area in across
        for hexagon in area.hexes
    }
    for area in across:
        above += area_items(area, plan, drawn, covered_of, red)
    above += border_items(plan, title.phases, notes, style)
    above += company_items(title, plan, style)
    above += extras.over(plan, style) if extras.over else ()
    size = max(_LEAST_SLICE, math.ceil(len(hexes) / _MOST_SLICES))
    slices = (tuple(hexes[start : start + size]) for start in range(0, len(hexes), size))
    return (*ground.sea, *land), textures, below, *slices, tuple(above)


class _Ground(NamedTuple):
    """All parts of a board that do not depend on its words."""

    ranges: Items
    bands: Items
    lines: Items
    mouths: Items
    sea: Items
    land: Items
    beyond: Items


@lru_cache(maxsize=4)
def _ground(plan: MapPlan, style: Style, coast: Coast | None, is_sheet: bool) -> _Ground:
    washes = wash_edges(plan, coast)
    ranges = shading_items(plan, coast, washes, style) if is_sheet else ()
    bands = wash_items(plan, washes, style, coast)
    rivers, mouths = river_items(plan, coast, bank_grounds(plan, style), style)
    lines = (*state_items(plan, style, coast), *rivers)
    grounds = ground_items(
        plan, style, coast, covered=bool(ranges or bands or lines), is_sheet=is_sheet
    )
    return _Ground(ranges, bands, lines, mouths, *grounds)


# Cached, as an edit changes few hexes.
@lru_cache(maxsize=1536)
def _room(
    _hex_id: str,
    layout: Layout,
    across_mm: float,
    drawn: Drawn,
    taken: tuple[tuple[Disc, ...], tuple[Rect, ...]],
) -> Room:
    """Return the room for a texture in a hex beside everything drawn there, and beside discs and
    boxes."""
    field = room_left(layout, across_mm, drawn.items, -across_mm)
    for disc in taken[0]:
        field.take_disc(*disc)
    for box in taken[1]:
        field.take_box(*box)
    return Room(field)


def _frame_items(plan: MapPlan, width_mm: float, height_mm: float, style: Style) -> Items:
    """Draw a heavy outer line, and a band with the coordinates of columns and rows, graduated like
    the frame of a chart."""
    left = top = _FRAME_INSET_MM
    right, bottom = width_mm - _FRAME_INSET_MM, height_mm - _FRAME_INSET_MM
    band, motif = _FRAME_BAND_MM, style.motif
    heavy, fine = style.stroke("map.frame.heavy"), style.stroke("map.frame.fine")
    ink, band_ink = style.ink("map.frame.line"), style.ink("map.frame.ground")

    def rectangle(inset: float, back: float = 0.0) -> Commands:
        """Return the outer rectangle of the band, smaller by `inset` on all sides."""
        x, y = left + inset - back, top + inset - back
        return rectangle_path(x, y, right - inset + back - x, bottom - inset + back - y)

    def turned(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((y, x) for x, y in points)

    items: list[Item] = [
        Path(commands=rectangle(0.0), fill=band_ink),
        Path(commands=rectangle(band), fill=style.ink("map.ground")),
    ]
    # Columns and rows that exist, with their labels on the rim.
    hexes, scheme = plan.gamemap.hexes, plan.gamemap.scheme
    (step_x, step_y), (ox, oy) = plan.pitch, plan.origin
    columns = [
        (ox + x * step_x, scheme.column(x)) for x in sorted({hexagon.at.x for hexagon in hexes})
    ]
    rows = [(oy + y * step_y, scheme.row(y)) for y in sorted({hexagon.at.y for hexagon in hexes})]
    # Graduations: divided half-way between neighbours, every other one dark, on both sides of the
    # sheet.
    dark: list[tuple[Point, ...]] = []
    ticks: list[tuple[Point, ...]] = []
    for stations, low, high, far, upright in (
        (columns, left + band, right - band, bottom, False),
        (rows, top + band, bottom - band, right, True),
    ):
        places = [place for place, _ in stations]
        middles = [(a + b) / 2 for a, b in pairwise(places)]
        cuts = [low, high]
        if middles:
            reach = min(b - a for a, b in pairwise(places)) / 2
            # Continue beyond the hexes, as the frame has nothing else there; the last step is at
            # least half a step long.
            start, end = max(low, places[0] - reach), min(high, places[-1] + reach)
            before, after = (
                [2 * reach * step for step in range(int(measured((room / reach + 1) / 2)))]
                for room in (start - low, high - end)
            )
            cuts = [start - far for far in before[::-1] or [0.0]] + middles
            cuts += [end + far for far in after or [0.0]]
            cuts = [*([low] if low < cuts[0] else []), *cuts, *([high] if high > cuts[-1] else [])]
        for number, (a, b) in enumerate(pairwise(cuts)):
            # First the band at the top or left, then the one at the bottom or right, each from its
            # inner side.
            for inner, outer in ((top + band, top), (far - band, far)):
                strip = inner - _STRIP_MM if inner > outer else inner + _STRIP_MM
                if number % 2 == 0:
                    box = ((a, inner), (b, inner), (b, strip), (a, strip))
                    dark.append(turned(box) if upright else box)
                lines = [((b, inner), (b, outer if b < high - 0.5 else strip))]
                if number == 0 and a > low + 0.5:
                    lines.append(((a, inner), (a, outer)))
                ticks += (turned(line) if upright else line for line in lines)
    items.append(Path(commands=polygons_path(dark), fill=ink))
    items.append(Path(commands=polygons_path(ticks, closed=False), stroke=fine))
    bordered = motif is not None and motif.run is not None
    out = _BORDERED_MM if bordered else _PLAIN_MM
    items.append(Path(commands=rectangle(-out), stroke=heavy))
    for inset, back in ((0.0, 0.0), (band, _STRIP_MM), (band, 0.0)):
        items.append(Path(commands=rectangle(inset, back), stroke=fine))
    if motif is not None and bordered:
        at = (out + heavy.width_mm / 2) / 2
        x, y, wide, tall = left - at, top - at, right - left + 2 * at, bottom - top + 2 * at
        items += run_items(motif, (x, y, wide, tall), half=_BORDER_HALF_MM, ink=ink)
        for cx, cy in ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)):
            items += sign_items(motif, cx, cy, _BORDER_HALF_MM * 1.15, ink)
    # The sign of the motif in each corner of the band, or a small wheel if it has no sign.
    for x, y in (
        (left, top),
        (right - band, top),
        (right - band, bottom - band),
        (left, bottom - band),
    ):
        corner = rectangle_path(x, y, band, band)
        items.append(Path(commands=corner, fill=band_ink, stroke=fine))
        cx, cy, r = x + band / 2, y + band / 2, band * 0.33
        items += (
            wheel(cx, cy, r, ink, spokes=6) if motif is None else sign_items(motif, cx, cy, r, ink)
        )
    type_style, text, half = style.type("map.rim"), style.ink("text"), (band - _STRIP_MM) / 2
    if not scheme.framed:
        return tuple(items)
    for x, word in columns:
        for y in (top + half, bottom - half):
            items += set_centred(word, type_style, text, x, y)
    for y, word in rows:
        for x in (left + half, right - half):
            items += set_centred(word, type_style, text, x, y)
    return tuple(items)


def _half_discs(half: Half | None, plan: MapPlan) -> tuple[Disc, ...]:
    """Return a circle over the missing half of a hex, so that words keep out of it."""
    if half is None:
        return ()
    # A circle so large that its rim is practically straight.
    far = _STRAIGHT * plan.across_mm
    x, y = {Half.LEFT: (1, 0), Half.RIGHT: (-1, 0), Half.TOP: (0, 1), Half.BOTTOM: (0, -1)}[half]
    return ((x * far, y * far, far),)


# Maps in play: tiles on their hexes, tokens in their slots.


# Diameter of a token as a share of its slot, so that the rims of both stay separate.
_TOKEN_SHARE = 0.94
# Diameter of a token in a stop without slots, on a hex of 38.1 mm.
_LOOSE_MM = 11.0


def as_played(title: Title, in_play: InPlay, extras: Extras) -> tuple[Title, GameMap, Extras]:
    """Return a title and its map as a position shows them, and the further contents of the poster.

    A tile hides everything printed on its hex, including rivers and names of lands. In a hex with
    tokens, homes that are still free are drawn beside the tokens. Companies with tokens are not
    shown in any other home.
    """
    position = in_play.position
    gamemap = title.map_of(position)
    shown = title.shown_in(position)
    laid = {
        hex_id: lay.tile
        for hex_id, lay in position.tiles
        if hex_id in shown and lay.tile in title.tile_by_id
    }
    known = {NEUTRAL, *title.company_by_id}
    tokens = [token for token in placed(position) if token.hex in shown and token.company in known]
    busy = {token.company for token in tokens}
    held = {token.hex for token in tokens}
    companies = with_roundels(title)
    waiting = {
        hex_id: [
            company
            for company in companies.values()
            if company.has_charter
            and company.id not in busy
            and any(home.hex == hex_id for home in company.homes)
        ]
        for hex_id in sorted(held)
    }

    def over(plan: MapPlan, style: Style) -> Items:
        before = extras.over(plan, style) if extras.over else ()
        return (*before, *_token_items(plan, companies, tokens, waiting, style))

    def under(plan: MapPlan, style: Style) -> Items:
        items = [*extras.under(plan, style)] if extras.under else []
        # Repeat the grounds of tiles above rivers and names of lands.
        if plan.gamemap.rivers or plan.gamemap.regions:
            for hexagon in plan.gamemap.hexes:
                if hexagon.id in laid:
                    ground = tile_ground_items(hexagon.tile, plan.layout, plan.across_mm, style)
                    items.append(shifted(ground, *plan.centre(hexagon.at)))
        return tuple(items)

    hexes = []
    for hexagon in gamemap.hexes:
        if hexagon.id not in laid:
            hexes.append(hexagon)
            continue
        tile = replace(shown[hexagon.id], id=hexagon.id)
        hexes.append(replace(hexagon, tile=tile, stubs=(), reserved=()))
    board = replace(gamemap, hexes=tuple(hexes))
    settled = []
    for company in title.companies:
        homes = () if company.id in busy else company.homes
        homes = tuple(home for home in homes if home.hex not in held)
        blocks = tuple(hex_id for hex_id in company.blocks if hex_id not in laid)
        settled.append(replace(company, homes=homes, blocks=blocks))
    maps = tuple(board if entry is gamemap else entry for entry in title.maps)
    return (
        replace(title, maps=maps, companies=tuple(settled)),
        board,
        replace(extras, over=over, under=under, laid=laid, numbered=in_play.numbers),
    )


def _token_items(
    plan: MapPlan,
    companies: dict[str, Company],
    tokens: list[Placed],
    waiting: dict[str, list[Company]],
    style: Style,
) -> Iterator[Item]:
    """Draw tokens in their slots, and in the free slots the homes of companies that have yet to
    place a token."""
    taken = {(token.hex, token.stop, token.slot) for token in tokens}
    for token in tokens:
        slot = _slot(plan, token.hex, token.stop, token.slot)
        if slot is not None:
            x, y, slot_mm = slot
            across = slot_mm * _TOKEN_SHARE
            if token.company == NEUTRAL:
                yield shifted(_neutral_items(across, style), x, y)
            else:
                yield shifted(token_items(companies[token.company], across, style), x, y)
    for hex_id, at_home in waiting.items():
        stops = plan.gamemap.by_id[hex_id].tile.stops
        for company in at_home:
            homes = {home.stop for home in company.homes if home.hex == hex_id}
            slots = (
                (hex_id, number, slot)
                for number, stop in enumerate(stops)
                if stop.kind in WITH_SLOTS and (None in homes or number in homes)
                for slot in range(stop.slots)
            )
            free = next((slot for slot in slots if slot not in taken), None)
            if free is not None and (place := _slot(plan, *free)) is not None:
                taken.add(free)
                x, y, slot_mm = place
                yield shifted(roundel_items(company, slot_mm * HOME_SHARE, style), x, y)


def _slot(plan: MapPlan, hex_id: str, stop: int, slot: int) -> tuple[float, float, float] | None:
    """Return the point of a slot on the sheet, and its width; for a stop without slots, those of
    the stop. None if nothing is drawn there."""
    hexagon = plan.gamemap.by_id[hex_id]
    marks = plan_hex(hexagon.tile, plan.layout, plan.across_mm).marks
    mark = marks[stop] if stop < len(marks) else None
    if mark is None:
        return None
    x, y = plan.centre(hexagon.at)
    if slot < len(mark.slots):
        dx, dy = mark.slots[slot]
        return x + dx, y + dy, mark.slot_mm
    if mark.slots or not mark.bulk:
        return None
    dx, dy, _ = mark.bulk[0]
    return x + dx, y + dy, _LOOSE_MM * plan.across_mm / HEX_MM


def token_items(company: Company, diameter_mm: float, style: Style) -> Items:
    """Draw a station token as it lies in its slot, centred on (0, 0). The company comes from
    `with_roundels`."""
    inks = company_inks(company, style)
    edge = min(inks.line, inks.on_band, key=luminance)
    rim = Circle(
        cx=0.0, cy=0.0, r=diameter_mm / 2, fill=inks.band, stroke=Stroke(ink=edge, width_mm=0.2)
    )
    return (rim, *roundel_items(company, diameter_mm * 0.9, style))


def _neutral_items(diameter_mm: float, style: Style) -> Items:
    """Draw a neutral token: a grey disc with a cross."""
    rim, arm = Stroke(ink=style.ink("black"), width_mm=0.2), diameter_mm * 0.2
    cross = Stroke(ink=style.ink("black"), width_mm=diameter_mm * 0.09, cap="round")
    lines = (("M", -arm, -arm), ("L", arm, arm), ("M", -arm, arm), ("L", arm, -arm))
    return (
        Circle(cx=0.0, cy=0.0, r=diameter_mm / 2, fill=style.ink("rule.soft"), stroke=rim),
        Path(commands=lines, stroke=cross),
    )
