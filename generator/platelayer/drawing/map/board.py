"""The poster of a map: hexes, borders, homes, frame, cartouche and legend."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.hexes import hex_items
from platelayer.drawing.hex.places import Disc
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.drawing.map.bonus import bonus_panel
from platelayer.drawing.map.borders import border_items
from platelayer.drawing.map.card_places import places_panels
from platelayer.drawing.map.cartouche import Panel, cartouche
from platelayer.drawing.map.frame import FRAME_BAND_MM, FRAME_INSET_MM, frame_items
from platelayer.drawing.map.ground import ground_items, rim_items, shore_items
from platelayer.drawing.map.legend import Entry, legend, legend_entries
from platelayer.drawing.map.marks import company_items, held_items, stub_discs, stub_items
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.room import Block, Box, Skyline, find_room, spare_room
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.tile import Tile
from platelayer.model.title import Title
from platelayer.scene.shapes import Group, Item, Path, Scene, rectangle_path, translation

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


_SEA_KINDS = ("sea", "water", "lake")


class Extras(Struct, frozen=True, kw_only=True):
    """What a poster shows beyond what its map says: `ground` is drawn round the board, within a frame (left, top,
    width, height in mm), `under` is drawn on the grounds of the hexes, `edges` on their rims, `over` on everything else
    of the board; `titles` replace the cartouche, at several widths; `entries` follow those of the legend."""

    ground: Callable[[Box, Style], tuple[Item, ...]] | None = None
    under: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    edges: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    over: Callable[[MapPlan, Style], tuple[Item, ...]] | None = None
    keep_clear: Callable[[MapHex, MapPlan], tuple[Disc, ...]] | None = None
    titles: Callable[[Style], tuple[Panel, ...]] | None = None
    entries: Callable[[MapPlan, Style], tuple[Entry, ...]] | None = None


NO_EXTRAS = Extras()


def draw_map(title: Title, map_id: str, style: Style) -> Scene:
    """The poster of one map, as large as its hexes, frame, cartouche and legend need.

    Hexes are `title.pieces.size("map", map_id)` from flat to flat. Raises KeyError for a map the title does not have.
    """
    gamemap = {entry.id: entry for entry in title.maps}[map_id]
    across = title.pieces.size("map", map_id).width_mm
    return draw_poster(title, gamemap, across, style, key=f"map:{map_id}")


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
    edge = _MARGIN_MM + _BLOCK_INSET_MM
    plan = plan.moved(edge + growth.left, edge + growth.top)
    width = inner_width + growth.left + growth.right + 2 * edge
    height = inner_height + growth.top + growth.bottom + 2 * edge
    panels = [Group(items=panel.items, matrix=translation(edge + box[0], edge + box[1])) for panel, box in placed]
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
            *board_items(title, plan, style, rims=rim_items, extras=extras),
            *panels,
        ),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE_MM,
        label=f"{style.words(title.name)}: {style.words(gamemap.name)}",
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


def _shown(hexagon: MapHex) -> Tile:
    """What a hex prints itself: the waves of the sea are drawn for the whole map."""
    tile = hexagon.tile
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
    drawn = {
        hexagon.id: hex_items(
            _shown(hexagon),
            plan.layout,
            plan.across_mm,
            red if hexagon.tile.colour == "red" else style,
            ground=False,
            rim=False,
            keep_clear=stub_discs(hexagon, plan) + (clear(hexagon, plan) if clear else ()),
        )
        for hexagon in gamemap.hexes
    }
    hexes = [
        Group(items=drawn[hexagon.id], matrix=translation(*plan.centre(hexagon.at)))
        for hexagon in gamemap.hexes
        if drawn[hexagon.id]
    ]
    return (
        *ground_items(plan, style),
        *(extras.under(plan, style) if extras.under else ()),
        *rims(plan, style),
        *(extras.edges(plan, style) if extras.edges else ()),
        *held_items(title, plan, style),
        *stub_items(plan, style),
        *hexes,
        *border_items(plan, title.phases, style),
        *company_items(title, plan, style, drawn),
        *(extras.over(plan, style) if extras.over else ()),
    )
