"""The stock market: a line, a zigzag, a grid or shifted rows of spaces with zones, ledges and a legend."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.boards.market_cells import (
    Room,
    Space,
    grid_items,
    least_width_mm,
    letter_items,
    space_items,
    spaces_of,
)
from platelayer.drawing.boards.market_legend import Legend, legend_of
from platelayer.drawing.kit.panels import (
    MARGIN_MM,
    board_scene,
    least_space_mm,
    space_mm,
    title_items,
    title_size,
)
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords
from platelayer.model.market import Market, MarketShape
from platelayer.model.title import Title
from platelayer.scene.shapes import Group, Item, Scene, translation

say = FixedWords("cards")

MOST_MM = (283.0, 196.0)
"""A board up to this size lies on one A4 page across; a market is folded or drawn a little smaller to keep to it."""
_GAP_MM = 4.0
_PLATE_MM = 118.0


class _Corner(Struct, frozen=True, kw_only=True):
    """Free room at the lower right of a stepped grid, in mm from the grid's upper left."""

    x: float
    y: float
    width: float
    height: float


def draw_market(title: Title, piece_id: str, style: Style) -> Scene:
    """The stock market board, as large as its spaces need. Raises KeyError when the title has no market.

    Title and legend stand in the free corner of a stepped grid, else above and below the spaces.
    """
    market = title.market
    if market is None:
        raise KeyError(piece_id)
    words = style.words(say("market"))
    spaces, (wide, tall) = spaces_of(market, _room(title, market, style))
    cells: list[Item] = [
        *space_items(market, spaces, style),
        *grid_items(market, spaces, style),
        *letter_items(market, spaces, style),
    ]
    corner = _corner(title, market, spaces, (wide, tall), style)
    if corner is not None:
        plate, block = _in_corner(title, words, corner, style)
        body = Group(items=(*cells, *plate, *block), matrix=translation(MARGIN_MM, MARGIN_MM))
        size = (wide + 2 * MARGIN_MM, tall + 2 * MARGIN_MM)
        return board_scene(f"market:{piece_id}", words, size, (body,), style)
    plate_wide, plate_tall = title_size(title, words, style, wide)
    legend = legend_of(market, style, wide, columns=2)
    down = MARGIN_MM + plate_tall + _GAP_MM
    items: list[Item] = [
        *title_items(title, words, style, (MARGIN_MM + (wide - plate_wide) / 2, MARGIN_MM), wide),
        Group(items=tuple(cells), matrix=translation(MARGIN_MM, down)),
    ]
    height = down + tall + MARGIN_MM
    if legend.height > 0:
        items.append(
            Group(items=legend.items, matrix=translation(MARGIN_MM + (wide - legend.width) / 2, down + tall + _GAP_MM))
        )
        height += legend.height + _GAP_MM
    return board_scene(f"market:{piece_id}", words, (wide + 2 * MARGIN_MM, height), items, style)


def _room(title: Title, market: Market, style: Style) -> Room:
    (wide, tall), (least, lowest), words_mm = space_mm(title), least_space_mm(title), least_width_mm(market, style)
    return Room(
        size_mm=(MOST_MM[0] - 2 * MARGIN_MM, MOST_MM[1] - 2 * MARGIN_MM),
        space_mm=(max(wide, words_mm), tall),
        least_mm=(max(least, words_mm), lowest),
    )


def first_space(title: Title, style: Style) -> Space:
    """The space at the upper left, or where it would be, on the board that `draw_market` draws. Raises KeyError when
    the title has no market."""
    market = title.market
    if market is None:
        raise KeyError("market")
    spaces, (wide, tall) = spaces_of(market, _room(title, market, style))
    down = MARGIN_MM
    if _corner(title, market, spaces, (wide, tall), style) is None:
        down += title_size(title, style.words(say("market")), style, wide)[1] + _GAP_MM
    left, top = min(space.x for space in spaces), min(space.y for space in spaces)
    return replace(spaces[0], x=MARGIN_MM + left, y=down + top)


def _corner(
    title: Title, market: Market, spaces: tuple[Space, ...], size_mm: tuple[float, float], style: Style
) -> _Corner | None:
    """The roomiest free corner in which title plate and legend fit one above the other, if there is any."""
    if market.shape not in (MarketShape.GRID, MarketShape.HEX):
        return None
    wide, tall = size_mm
    found: list[_Corner] = []
    for top in sorted({space.y for space in spaces})[1:]:
        reach = max(space.x + space.width for space in spaces if space.y >= top - 0.01)
        corner = _Corner(x=reach + _GAP_MM, y=top + _GAP_MM, width=wide - reach - _GAP_MM, height=tall - top - _GAP_MM)
        if corner.width > 40.0:
            found.append(corner)
    words = style.words(say("market"))
    for corner in sorted(found, key=lambda corner: -min(corner.width, _PLATE_MM) * corner.height):
        width = min(corner.width, _PLATE_MM)
        plate = title_size(title, words, style, width)[1]
        if plate + _GAP_MM + legend_of(market, style, width).height <= corner.height:
            return corner
    return None


def _in_corner(title: Title, words: str, corner: _Corner, style: Style) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Title plate and legend, centred on each other in a free corner."""
    market = title.market
    assert market is not None
    width = min(corner.width, _PLATE_MM)
    plate_wide, plate_tall = title_size(title, words, style, width)
    legend: Legend = legend_of(market, style, width)
    x = corner.x + (corner.width - width) / 2
    spare = corner.height - plate_tall - _GAP_MM - legend.height
    y = corner.y + spare * 0.5
    plate = title_items(title, words, style, (x + (width - plate_wide) / 2, y), width)
    block = Group(items=legend.items, matrix=translation(x + (width - legend.width) / 2, y + plate_tall + _GAP_MM))
    return plate, (block,)
