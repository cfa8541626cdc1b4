"""The poster of a map: hexes, borders, homes, frame, cartouche and legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.hexes import hex_items
from platelayer.drawing.hex.places import Disc, Field
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.areas import Area, area_items, areas, bare_tile, without_words
from platelayer.drawing.map.bonus import bonus_panel
from platelayer.drawing.map.borders import border_items, border_notes, note_discs
from platelayer.drawing.map.card_places import places_panels
from platelayer.drawing.map.cartouche import Panel, cartouche
from platelayer.drawing.map.fords import ford_discs, ford_items, fords
from platelayer.drawing.map.frame import FRAME_BAND_MM, FRAME_INSET_MM, frame_items
from platelayer.drawing.map.ground import ground_items, rim_items, shore_items
from platelayer.drawing.map.halves import half_discs, in_half
from platelayer.drawing.map.left_room import left_room, sign_discs
from platelayer.drawing.map.legend import Entry, legend
from platelayer.drawing.map.legend_entries import legend_entries
from platelayer.drawing.map.marks import (
    badge_discs,
    company_items,
    crowded_discs,
    free_signs,
    held_discs,
    held_items,
    home_discs,
    stub_discs,
    stub_items,
)
from platelayer.drawing.map.plan import MapPlan, half_polygon
from platelayer.drawing.map.regions import region_captions, region_names, state_items
from platelayer.drawing.map.river_names import Ground, river_name_items
from platelayer.drawing.map.rivers import river_items, wet_discs
from platelayer.drawing.map.room import Block, Box, Skyline, find_room, room_for, spare_room
from platelayer.drawing.map.seas import sea_items, sea_name_items
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.shapes import Group, Item, Path, Scene, polygon_path, rectangle_path, translation

SAFE_MM = 3.0
_MARGIN_MM = FRAME_INSET_MM + FRAME_BAND_MM
"""From the trim to the inner line of the frame."""
_PAD_MM = 9.0
"""From the inner line of the frame to the nearest hex."""
_CLEAR_MM = 7.0
"""Between hexes and the cartouche or legend."""
_BLOCK_INSET_MM = 4.0
"""From the inner line of the frame to the cartouche or legend."""

_TITLE_WIDTHS = (104.0, 90.0, 78.0)
_LEGEND_SHAPES = ((2, 46.0), (1, 52.0), (3, 42.0), (2, 38.0), (4, 42.0), (1, 42.0))
"""Columns of the legend and the width of their words in mm, best first."""
_TITLE_TASTE = (
    (("left", "bottom"), 900.0),
    (("right", "bottom"), 900.0),
    (("right", "top"), 250.0),
    (("free", "bottom"), 2500.0),
)
_PLACES_TASTE = ((("left", "top"), 12000.0), (("left", "bottom"), 12000.0))
"""Places for cards stand on the right (rulebook of 18CZ, 11-1), unless that costs a strip of some 3 cm."""
_LEGEND_TASTE = (
    (("left", "top"), 900.0),
    (("right", "top"), 400.0),
    (("left", "bottom"), 150.0),
    (("free", "top"), 2500.0),
)


_INSET = 0.05
"""How far captions of regions stay from the rims of their hexes, as a share of the hex."""
_SEA_KINDS = ("sea", "water", "lake")


class Extras(Struct, frozen=True, kw_only=True):
    """What a poster shows beyond what its map says: `ground` is drawn round the board, within a frame (left, top,
    width, height in mm), `under` is drawn on the grounds of the hexes, `edges` on their rims, `over` on everything else
    of the board; `titles` replace the cartouche, at several widths; `boards` lie beside the hexes; `entries` follow
    those of the legend."""

    ground: Callable[[Box, Style], tuple[Item, ...]] | None = None
    under: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    edges: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    over: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    keep_clear: Callable[[MapHex, MapPlan], tuple[Disc, ...]] | None = None
    titles: Callable[[Style], tuple[Panel, ...]] | None = None
    boards: tuple[Panel, ...] = ()
    entries: Callable[[MapPlan, Style], tuple[Entry, ...]] | None = None


NO_EXTRAS = Extras()


def draw_poster(
    title: Title, gamemap: GameMap, across_mm: float, style: Style, *, key: str, extras: Extras = NO_EXTRAS
) -> Scene:
    """The poster of a board whose hexes are `across_mm` from flat to flat, with the title's companies at home."""
    style = map_style(style)
    plan = MapPlan(gamemap=gamemap, across_mm=across_mm)
    left, top, right, bottom = plan.bounds
    plan = plan.moved(-left + _PAD_MM - _BLOCK_INSET_MM, -top + _PAD_MM - _BLOCK_INSET_MM)
    room = 2 * (_PAD_MM - _BLOCK_INSET_MM)
    inner_width, inner_height = right - left + room, bottom - top + room
    names = extras.titles(style) if extras.titles else tuple(cartouche(title, gamemap, w, style) for w in _TITLE_WIDTHS)
    entries = legend_entries(title, plan, style) + (extras.entries(plan, style) if extras.entries else ())
    legends = tuple(legend(entries, plan, columns, text_mm, style) for columns, text_mm in _LEGEND_SHAPES)
    centres = [plan.centre(hexagon.at) for hexagon in gamemap.hexes]
    skyline = Skyline(centres, plan.corners, inner_width, inner_height, _CLEAR_MM)
    cards = tuple(places_panels(title, each, style) for each in gamemap.places)
    blocks = (
        Block(shapes=_sizes(names), tastes=_TITLE_TASTE),
        Block(shapes=_sizes(legends), tastes=_LEGEND_TASTE),
        *(Block(shapes=_sizes(panels), tastes=_PLACES_TASTE) for panels in cards),
    )
    growth, places = find_room(skyline, blocks, _CLEAR_MM)
    placed = [(panels[shape], box) for panels, (shape, box) in zip((names, legends, *cards), places, strict=True)]
    for bonus in title.bonuses:
        panel = bonus_panel(title, bonus, style)
        spare = spare_room(skyline, growth, [box for _, box in placed], (panel.width_mm, panel.height_mm), _CLEAR_MM)
        if spare is not None:
            placed.append((panel, spare))
    boards = extras.boards
    growth, rooms = room_for(skyline, growth, [box for _, box in placed], _sizes(boards), _CLEAR_MM)
    placed += zip(boards, rooms, strict=True)
    edge = _MARGIN_MM + _BLOCK_INSET_MM
    plan = plan.moved(edge + growth.left, edge + growth.top)
    width = inner_width + growth.left + growth.right + 2 * edge
    height = inner_height + growth.top + growth.bottom + 2 * edge
    panels = [Group(items=panel.items, matrix=translation(edge + box[0], edge + box[1])) for panel, box in placed]
    boxes = [(edge + box[0], edge + box[1], panel.width_mm, panel.height_mm) for panel, box in placed]
    names_at_sea = tuple(sea_name_items(plan, _within(width, height), boxes, style))
    sheet = rectangle_path(-BLEED_MM, -BLEED_MM, width + 2 * BLEED_MM, height + 2 * BLEED_MM)
    return Scene(
        key=key,
        width_mm=width,
        height_mm=height,
        items=(
            Path(commands=sheet, fill=style.ink("map.margin")),
            *frame_items(plan, width, height, style),
            *(extras.ground(_within(width, height), style) if extras.ground else ()),
            *shore_items(plan, style),
            *sea_items(plan, style),
            *names_at_sea,
            *board_items(title, plan, style, rims=rim_items, extras=extras),
            *panels,
        ),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE_MM,
        label=f"{style.words(title.name)}: {style.words(gamemap.name)}",
        places=tuple((hexagon.id, *plan.centre(hexagon.at)) for hexagon in gamemap.hexes),
    )


def _within(width: float, height: float) -> Box:
    """What the frame of a sheet leaves: left, top, width, height."""
    return _MARGIN_MM, _MARGIN_MM, width - 2 * _MARGIN_MM, height - 2 * _MARGIN_MM


@lru_cache(maxsize=8)
def map_style(style: Style, prefix: str = "map.hex.") -> Style:
    """The style for what is in hexes of a map: read from farther away than tiles, `map.hex.*` replaces `tile.*`."""
    types = dict(style.theme.types)
    for name, kind in style.theme.types.items():
        if name.startswith(prefix):
            types["tile." + name.removeprefix(prefix)] = kind
    return replace(style, theme=replace(style.theme, types=types))


def _shown(hexagon: MapHex, plan: MapPlan) -> Tile:
    """What a hex prints itself: the waves of the sea and rivers are drawn for the whole map."""
    tile = hexagon.tile
    shown = fords(plan.gamemap, hexagon)
    if shown:
        tile = replace(tile, terrain=tuple(entry for entry in tile.terrain if entry not in shown))
    if tile.colour != "blue":
        return tile
    land = tuple(entry for entry in tile.terrain if entry.cost or not set(entry.kinds) <= set(_SEA_KINDS))
    return replace(tile, terrain=land)


def _sizes(panels: tuple[Panel, ...]) -> tuple[tuple[float, float], ...]:
    return tuple((panel.width_mm, panel.height_mm) for panel in panels)


def board_items(
    title: Title,
    plan: MapPlan,
    style: Style,
    *,
    rims: Callable[[MapPlan, Style], tuple[Item, ...]],
    extras: Extras = NO_EXTRAS,
) -> tuple[Item, ...]:
    """The hexes of a board with all that is on them, from the ground up; `style` comes from `map_style`."""
    red = map_style(style, "map.red.")
    gamemap, clear = plan.gamemap, extras.keep_clear
    across = areas(plan)
    silent = {hexagon.id for area in across for hexagon in area.hexes}
    drawn: dict[str, tuple[Item, ...]] = {}
    free = free_signs(title, plan)
    notes = tuple(border_notes(plan, title.phases))

    def contents(hexagon: MapHex, tile: Tile, *taken: Disc) -> tuple[Item, ...]:
        return hex_items(
            tile,
            plan.layout,
            plan.across_mm,
            red if tile.colour == "red" else style,
            ground=False,
            rim=False,
            named=gamemap.inside,
            keep_clear=(
                *half_discs(hexagon.half, plan),
                *stub_discs(hexagon, plan),
                *home_discs(title, hexagon, plan),
                *held_discs(title, hexagon, plan),
                *note_discs(notes, plan, hexagon, style),
                *(clear(hexagon, plan) if clear else ()),
                *taken,
            ),
            wet=wet_discs(plan, hexagon),
        )

    for hexagon in gamemap.hexes:
        tile = _shown(hexagon, plan)
        if hexagon.half is not None:
            tile = in_half(tile, hexagon.half, plan.layout)
        tile = without_words(tile) if hexagon.id in silent else tile
        items = contents(hexagon, tile)
        bare = partial(contents, hexagon, bare_tile(tile))
        crowded = (
            *crowded_discs(len(free.get(hexagon.id, ())), plan, items, bare),
            *ford_discs(plan, hexagon, items, bare, style),
        )
        items = contents(hexagon, tile, *crowded) if crowded else items
        items = (*items, *ford_items(plan, hexagon, items, style))
        if hexagon.half is not None:
            items = (Group(items=items, clip=polygon_path(half_polygon(hexagon.half, plan.corners))),)
        drawn[hexagon.id] = items
    hexes = [
        Group(items=drawn[hexagon.id], matrix=translation(*plan.centre(hexagon.at)))
        for hexagon in gamemap.hexes
        if drawn[hexagon.id]
    ]
    companies = company_items(title, plan, style, drawn)
    lands = region_names(plan, style)
    names_of_lands = [item for items in lands.values() for item in items]

    def room(hex_id: str) -> Field:
        field = left_room(plan, drawn[hex_id], _INSET * plan.across_mm)
        hexagon = gamemap.by_id[hex_id]
        for disc in (*home_discs(title, hexagon, plan), *wet_discs(plan, hexagon)):
            field.take_disc(*disc)
        return field

    taken = (*badge_discs(companies, plan), *(disc for each in gamemap.hexes for disc in _held(title, each, plan)))
    names = river_name_items(Ground(plan, drawn, taken), style) if gamemap.rivers else ()
    return (
        *ground_items(plan, style, (*names_of_lands, *state_items(plan, style), *river_items(plan, style))),
        *(extras.under(plan, style) if extras.under else ()),
        *rims(plan, style),
        *(extras.edges(plan, style) if extras.edges else ()),
        *held_items(title, plan, style),
        *stub_items(plan, style),
        *hexes,
        *(item for area in across for item in area_items(area, plan, _kept(area, plan, drawn, clear, style), red)),
        *border_items(plan, title.phases, notes, style),
        *companies,
        *region_captions(plan, lands, room, style),
        *names,
        *(extras.over(plan, style) if extras.over else ()),
    )


def _held(title: Title, hexagon: MapHex, plan: MapPlan) -> Iterator[Disc]:
    """Circles on the sheet along the broken line of a held hex."""
    x, y = plan.centre(hexagon.at)
    return ((x + dx, y + dy, radius) for dx, dy, radius in held_discs(title, hexagon, plan))


def _kept(
    area: Area,
    plan: MapPlan,
    drawn: dict[str, tuple[Item, ...]],
    clear: Callable[[MapHex, MapPlan], tuple[Disc, ...]] | None,
    style: Style,
) -> Iterator[Disc]:
    """Circles on the sheet that words of an area leave free."""
    patterns = style.theme.patterns
    for hexagon in area.hexes:
        x, y = plan.centre(hexagon.at)
        # Without these nothing but track and stops is drawn in the hexes of an area.
        signed = hexagon.tile.icons or hexagon.tile.labels or hexagon.tile.colour in patterns
        signs = sign_discs(drawn[hexagon.id]) if signed else ()
        discs = (*signs, *stub_discs(hexagon, plan), *(clear(hexagon, plan) if clear else ()))
        yield from ((x + dx, y + dy, radius) for dx, dy, radius in discs)
