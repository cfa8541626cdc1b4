"""Legend entries that only an assembled map needs."""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.drawing.atlas.shape import tile_outline, triangle
from platelayer.drawing.hex.ground import FRAME
from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.legend import Entry
from platelayer.drawing.map.map_tile_signs import border_art, rose_items
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.languages import FixedWords
from platelayer.model.atlas_board import BORDER
from platelayer.model.hexes import corner_points
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Circle, Item, Path, Point, Role, polygon_path
from platelayer.scene.typeset import set_centred

say = FixedWords("atlas")

_HEX_MM = 8.6
"""Hexes of the legend, flat to flat."""
_SMALL_MM = 5.4


def atlas_entries(plan: MapPlan, style: Style) -> tuple[Entry, ...]:
    """Entries for map tiles, and for the borders, water, destinations and capitals that the map has."""
    return tuple(_entries(plan, style))


def _entries(plan: MapPlan, style: Style) -> Iterator[Entry]:
    colours = {hexagon.tile.colour for hexagon in plan.gamemap.hexes}
    yield Entry(_tile(plan, style), style.words(say("tile_edge")), 10.6)
    if any(hexagon.tile.frame for hexagon in plan.gamemap.hexes):
        yield Entry(_capital(plan, style), style.words(say("capital")), _HEX_MM)
    if "blue" in colours:
        yield Entry((_hexagon(plan, _HEX_MM, style.ink("tile.blue"), style),), style.words(say("water")), _HEX_MM)
    if "red" in colours:
        sign = (_hexagon(plan, _HEX_MM, style.ink("tile.red"), style), *rose_items(_HEX_MM * 1.25, style))
        yield Entry(sign, style.words(say("destination")), _HEX_MM)
    if BORDER in colours:
        art = border_art(plan, (1, 2, 3, 4), style, scale=_HEX_MM / plan.across_mm)
        sign = (_hexagon(plan, _HEX_MM, style.ink(f"tile.{BORDER}"), style), *art)
        yield Entry(sign, style.words(say("border")), _HEX_MM)


def _hexagon(plan: MapPlan, across_mm: float, fill: Ink, style: Style, at: Point = (0.0, 0.0)) -> Path:
    points = [(x + at[0], y + at[1]) for x, y in corner_points(plan.layout, across_mm)]
    return Path(commands=polygon_path(points), fill=fill, stroke=style.stroke("map.hexrim"))


def _capital(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    inner = corner_points(plan.layout, _HEX_MM * (1 - 2.6 * FRAME))
    slot = Circle(cx=0, cy=0, r=_HEX_MM * 0.2, fill=style.ink("slot"), stroke=style.stroke("slot"), role=Role.SLOT)
    return (
        _hexagon(plan, _HEX_MM, style.ink("atlas.capital"), style),
        Path(commands=polygon_path(inner), fill=style.ink("tile.white")),
        slot,
        *icon_block("capital", "", _HEX_MM * 0.26, style, style.type("map.border.note")).items,
    )


def _tile(plan: MapPlan, style: Style) -> tuple[Item, ...]:
    """A small map tile with its strong outline."""
    centres = triangle(_SMALL_MM)
    items: list[Item] = [_hexagon(plan, _SMALL_MM, style.ink("tile.white"), style, at) for at in centres]
    items.append(Path(commands=tile_outline(_SMALL_MM), stroke=style.stroke("atlas.edge")))
    kind = style.type("map.border.note")
    items += set_centred("14", kind, style.ink("text"), 0, 0)
    return tuple(items)
