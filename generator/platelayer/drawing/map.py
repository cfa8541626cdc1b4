"""A title and one of its maps in, the poster out: hexes, borders, homes, frame, cartouche and legend."""

from __future__ import annotations

from platelayer.drawing.cartouche import Panel, cartouche
from platelayer.drawing.hexes import hex_items
from platelayer.drawing.legend import legend
from platelayer.drawing.map_borders import border_items
from platelayer.drawing.map_frame import FRAME_BAND_MM, FRAME_INSET_MM, frame_items
from platelayer.drawing.map_ground import ground_items, rim_items, shore_items
from platelayer.drawing.map_marks import company_items, held_items, stub_items
from platelayer.drawing.map_plan import MapPlan
from platelayer.drawing.map_room import Block, Skyline, find_room
from platelayer.drawing.style import Style
from platelayer.model.gamemap import GameMap
from platelayer.model.title import Title
from platelayer.scene.shapes import Group, Item, Path, Scene, rectangle_path, translation

BLEED_MM = 3.0
SAFE_MM = 3.0
_MARGIN_MM = FRAME_INSET_MM + FRAME_BAND_MM
"""From the trim to the inner line of the frame."""
_PAD_MM = 9.0
"""From the inner line of the frame to the nearest hex."""
_CLEAR_MM = 7.0
"""Between hexes and the cartouche or legend."""
_BLOCK_INSET_MM = 4.0
"""From the inner line of the frame to the cartouche or legend."""

_TITLE_WIDTHS = (112.0, 96.0, 80.0)
_LEGEND_SHAPES = ((2, 46.0), (1, 52.0), (3, 42.0), (2, 38.0), (4, 42.0), (1, 42.0), (5, 40.0))
"""Columns of the legend and the width of their words in mm, best first."""
_TITLE_TASTE = ((("left", "bottom"), 900.0), (("right", "bottom"), 900.0), (("right", "top"), 250.0), (("free", "bottom"), 2500.0))
_LEGEND_TASTE = ((("left", "top"), 900.0), (("right", "top"), 400.0), (("left", "bottom"), 150.0), (("free", "top"), 2500.0))


def draw_map(title: Title, map_id: str, style: Style) -> Scene:
    """The poster of one map, as large as its hexes, frame, cartouche and legend need.

    Hexes are `title.pieces.size("map", map_id)` from flat to flat. Raises KeyError for a map the title has not.
    """
    gamemap = {entry.id: entry for entry in title.maps}[map_id]
    across = title.pieces.size("map", map_id).width_mm
    plan = MapPlan(gamemap=gamemap, across_mm=across)
    left, top, right, bottom = plan.bounds
    plan = plan.moved(-left + _PAD_MM - _BLOCK_INSET_MM, -top + _PAD_MM - _BLOCK_INSET_MM)
    room = 2 * (_PAD_MM - _BLOCK_INSET_MM)
    inner_width, inner_height = right - left + room, bottom - top + room
    names = tuple(cartouche(title, gamemap, width, style) for width in _TITLE_WIDTHS)
    legends = tuple(legend(title, plan, columns, text_mm, style) for columns, text_mm in _LEGEND_SHAPES)
    skyline = Skyline([plan.polygon(hexagon.at) for hexagon in gamemap.hexes], inner_width, inner_height, _CLEAR_MM)
    blocks = (Block(shapes=_sizes(names), tastes=_TITLE_TASTE), Block(shapes=_sizes(legends), tastes=_LEGEND_TASTE))
    growth, places = find_room(skyline, blocks, _CLEAR_MM)
    edge = _MARGIN_MM + _BLOCK_INSET_MM
    plan = plan.moved(edge + growth.left, edge + growth.top)
    width = inner_width + growth.left + growth.right + 2 * edge
    height = inner_height + growth.top + growth.bottom + 2 * edge
    panels = [
        Group(items=panels[shape].items, matrix=translation(edge + box[0], edge + box[1]))
        for panels, (shape, box) in zip((names, legends), places, strict=True)
    ]
    sheet = rectangle_path(-BLEED_MM, -BLEED_MM, width + 2 * BLEED_MM, height + 2 * BLEED_MM)
    return Scene(
        key=f"map:{map_id}",
        width_mm=width,
        height_mm=height,
        items=(
            Path(commands=sheet, fill=style.ink("map.margin")),
            *frame_items(plan, width, height, style),
            *_board_items(title, gamemap, plan, style),
            *panels,
        ),
        bleed_mm=BLEED_MM,
        safe_mm=SAFE_MM,
        label=f"{style.words(title.name)}: {style.words(gamemap.name)}",
    )


def _sizes(panels: tuple[Panel, ...]) -> tuple[tuple[float, float], ...]:
    return tuple((panel.width_mm, panel.height_mm) for panel in panels)


def _board_items(title: Title, gamemap: GameMap, plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """Everything within the frame but the panels, from the ground up."""
    drawn = {
        hexagon.id: hex_items(hexagon.tile, plan.layout, plan.across_mm, style, ground=False, rim=False)
        for hexagon in gamemap.hexes
    }
    hexes = [
        Group(items=drawn[hexagon.id], matrix=translation(*plan.centre(hexagon.at)))
        for hexagon in gamemap.hexes
        if drawn[hexagon.id]
    ]
    return (
        *shore_items(plan, style),
        *ground_items(plan, style),
        *rim_items(plan, style),
        *held_items(title, plan, style),
        *stub_items(plan, style),
        *hexes,
        *border_items(plan, style),
        *company_items(title, plan, style, drawn),
    )
