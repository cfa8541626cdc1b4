"""Contact sheets of tiles: one sheet for each colour, every tile with its number below it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from platelayer.drawing.hex.tile import hex_items
from platelayer.drawing.kit.style import Style
from platelayer.model.gamemap import COS_30, Layout, corner_points
from platelayer.model.tile import Tile
from platelayer.scene.shapes import (
    Anchor,
    Group,
    Item,
    Path,
    Scene,
    multiply,
    polygon_path,
    rectangle_path,
    scaling,
)
from platelayer.scene.shapes import translation as moved
from platelayer.scene.typeset import set_line

_COLUMNS = 12
"""Tiles in a row of a contact sheet."""
_TILE_MM = 38.1
_SCALE = 0.6
_MARGIN_MM = 8.0
_HEAD_MM = 11.0
_GAP_MM = 2.6
_NUMBER_MM = 5.2


def catalogue_sheets(tiles: Iterable[Tile], style: Style) -> tuple[Scene, ...]:
    """One scene `catalogue:<colour>` for each colour, in the order in which the colours first
    appear; tiles of mixed colour (striped) go with their first colour. Tiles are drawn flat, at 0.6
    of their size."""
    groups: dict[str, list[Tile]] = {}
    for tile in tiles:
        groups.setdefault(tile.colour, []).append(tile)
    return tuple(_sheet(colour, group, style) for colour, group in groups.items())


def _sheet(colour: str, tiles: list[Tile], style: Style) -> Scene:
    across = _TILE_MM * _SCALE
    cell = (across / COS_30 + _GAP_MM, across + _NUMBER_MM + _GAP_MM)
    width = _COLUMNS * cell[0] - _GAP_MM + 2 * _MARGIN_MM
    height = math.ceil(len(tiles) / _COLUMNS) * cell[1] - _GAP_MM + 2 * _MARGIN_MM + _HEAD_MM
    paper = Path(commands=rectangle_path(0, 0, width, height), fill=style.ink("paper"))
    head, note, number = (style.type(f"catalogue.{name}") for name in ("head", "note", "number"))
    words = f"{colour.capitalize()} tiles"
    items: list[Item] = [
        paper,
        *set_line(words, head, style.ink("text"), _MARGIN_MM, _MARGIN_MM + 5.0),
    ]
    count = f"{len(tiles)} in the catalogue"
    items += set_line(
        count, note, style.ink("text.soft"), width - _MARGIN_MM, _MARGIN_MM + 5.0, anchor=Anchor.END
    )
    outline = polygon_path(corner_points(Layout.FLAT, _TILE_MM))
    for index, tile in enumerate(tiles):
        row, column = divmod(index, _COLUMNS)
        x = _MARGIN_MM + column * cell[0] + across / COS_30 / 2
        y = _MARGIN_MM + _HEAD_MM + row * cell[1] + across / 2
        drawn = hex_items(tile, Layout.FLAT, _TILE_MM, style, rim=True)
        items.append(
            Group(items=drawn, matrix=multiply(moved(x, y), scaling(_SCALE)), clip=outline)
        )
        items += set_line(
            tile.id, number, style.ink("text"), x, y + across / 2 + 3.6, anchor=Anchor.MIDDLE
        )
    return Scene(
        key=f"catalogue:{colour}", width_mm=width, height_mm=height, items=tuple(items), label=words
    )
