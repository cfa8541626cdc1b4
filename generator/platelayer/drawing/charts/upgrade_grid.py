"""Bands of an upgrade chart as grids by colour: each tile with the numbers of the tiles that may replace it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from platelayer.drawing.charts.upgrade_bands import HEX_COLUMN, Band, Node
from platelayer.drawing.charts.upgrade_parts import (
    HEAD_MM,
    LEADING,
    ROW_GAP_MM,
    WIDTH_MM,
    Chart,
    Place,
    lines_within,
    overhang_mm,
    tile_items,
    with_head,
)
from platelayer.drawing.kit.columns import Block
from platelayer.drawing.kit.panels import MARGIN_MM
from platelayer.drawing.kit.parts import arrow
from platelayer.scene.shapes import Anchor, Item
from platelayer.scene.typeset import TypeStyle, set_line, text_width

_GROUP_GAP_MM = 5.0
_CELL_GAP_MM = 1.6
_BESIDE_MM = 2.6
"""Between the values of a tile that reach beyond it and the number of the next."""
_NAME_MM = 30.0
"""Room for the name of a band without unlaid hexes, beside its first column."""
_ABOVE_MM = 1.2


def grid_blocks(band: Band, chart: Chart, room: float | None) -> list[Block]:
    """A band as one block, or as several when it is higher than `room` mm."""
    colours = [colour for colour in chart.colours if band.column(colour)]
    left, right = overhang_mm(band.nodes, chart)
    beside = _BESIDE_MM if right > 0.0 else 0.8
    cell = chart.wide + max(_CELL_GAP_MM, left + max(0.0, right) + beside)
    aside = 0.0 if colours[0] == HEX_COLUMN else _NAME_MM
    inner = WIDTH_MM - 2 * MARGIN_MM - aside
    most = max(len(colours), int((inner - _GROUP_GAP_MM * (len(colours) - 1)) / cell))
    shares = _share([len(band.column(colour)) for colour in colours], most)
    starts, x = [], MARGIN_MM + aside + cell - chart.wide / 2 - max(0.0, right)
    for share in shares:
        starts.append(x)
        x += share * cell + _GROUP_GAP_MM
    heads = {
        colour: (start, start + (min(share, len(band.column(colour))) - 1) * cell)
        for colour, start, share in zip(colours, starts, shares, strict=True)
    }
    rows = max(-(-len(band.column(colour)) // share) for colour, share in zip(colours, shares, strict=True))
    grid = [
        [band.column(colour)[row * share : (row + 1) * share] for colour, share in zip(colours, shares, strict=True)]
        for row in range(rows)
    ]
    heights = [_row_height([node for nodes in row for node in nodes], cell, chart) for row in grid]
    blocks = []
    for part in _parts(heights, None if room is None else room - HEAD_MM):
        items: list[Item] = []
        y = chart.tall / 2
        for row in part:
            for start, nodes in zip(starts, grid[row], strict=True):
                for place, node in enumerate(nodes):
                    items += _cell_items(node, (start + place * cell, y), cell, chart)
            y += heights[row]
        for (_, end), (start, _) in pairwise(heads.values()):
            middle = (end + start) / 2
            items.append(arrow(middle, 4.9 - HEAD_MM, 3.0, 0.0, chart.style.ink("board.edge")))
        height = math.fsum(heights[row] for row in part) - ROW_GAP_MM
        blocks.append(with_head(band.name, heads, items, height, chart))
    return blocks


def _share(counts: Sequence[int], most: int) -> list[int]:
    """Columns of a grid shared out among colours so that the tallest is as low as possible."""
    shares = [1] * len(counts)
    while sum(shares) < most:
        need = [count / share if count > share else 0.0 for count, share in zip(counts, shares, strict=True)]
        if max(need, default=0.0) == 0.0:
            break
        shares[need.index(max(need))] += 1
    return shares


def _parts(heights: Sequence[float], room: float | None) -> list[list[int]]:
    """Rows in order, as many together as there is room for, at least one."""
    parts: list[list[int]] = [[]]
    for row, height in enumerate(heights):
        if room is not None and parts[-1] and math.fsum(heights[each] for each in parts[-1]) + height > room:
            parts.append([])
        parts[-1].append(row)
    return parts


def _row_height(nodes: Sequence[Node], cell: float, chart: Chart) -> float:
    """Height of a row with what stands below its tiles and the gap to the next row."""
    below = max(math.fsum(kind.size_mm * LEADING for kind, _ in _lines(node, cell, chart)) for node in nodes)
    return chart.tall + (_ABOVE_MM + below if below else 0.0) + ROW_GAP_MM


def _lines(node: Node, cell: float, chart: Chart) -> list[tuple[TypeStyle, str]]:
    """What stands below: the words of a hex, then the numbers of what may replace it."""
    kind, strong = chart.style.type("board.note"), chart.style.type("board.strong")
    width = cell - _CELL_GAP_MM
    found: list[tuple[TypeStyle, str]] = []
    if node.is_hex:
        smaller, lines = lines_within(node.words, strong, width)
        found += [(smaller, line) for line in lines]
    numbers: list[str] = []
    for number in node.after:
        longer = f"{numbers[-1]} {number}" if numbers else number
        if numbers and text_width(longer, kind) <= width:
            numbers[-1] = longer
        else:
            numbers.append(number)
    return [*found, *((kind, line) for line in numbers)]


def _cell_items(node: Node, place: Place, cell: float, chart: Chart) -> tuple[Item, ...]:
    x, y = place
    items: list[Item] = [*tile_items(node, place, chart)]
    base = y + chart.tall / 2 + _ABOVE_MM
    for kind, line in _lines(node, cell, chart):
        drop = kind.cap_height_mm
        items += set_line(line, kind, chart.style.ink("board.edge"), x, base + drop, anchor=Anchor.MIDDLE)
        base += kind.size_mm * LEADING
    return tuple(items)
