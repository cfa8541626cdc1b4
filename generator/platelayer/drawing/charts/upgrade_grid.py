"""Bands of an upgrade chart as grids by colour: each tile with the numbers of the tiles that may replace it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from platelayer.drawing.charts.upgrade_bands import HEX_COLUMN, Band, Node
from platelayer.drawing.charts.upgrade_parts import (
    HEAD_MM,
    LEADING,
    MOST_BESIDE_MM,
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
from platelayer.drawing.kit.lettering import one_line
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
_MARGIN_FREE_MM = MARGIN_MM - 3.2
"""What words may take of the margin of a page."""


def grid_blocks(band: Band, chart: Chart, room: float | None) -> list[Block]:
    """A band as one block, or as several when it is higher than `room` mm, or has more colours than a page is wide."""
    colours = [colour for colour in chart.colours if band.column(colour)]
    left, right = overhang_mm(band.nodes, chart)
    note = chart.style.type("board.note")
    longest = max((text_width(number, note) for node in band.nodes for number in node.after), default=0.0)
    right = max(right, (min(longest, MOST_BESIDE_MM) - chart.wide) / 2 - _MARGIN_FREE_MM)
    beside = _BESIDE_MM if right > 0.0 else 0.8
    cell = chart.wide + max(_CELL_GAP_MM, left + max(0.0, right) + beside)
    # What stands below a tile may reach into the margin, but not beyond it.
    beyond = min(max(0.0, right), cell - chart.wide - max(0.0, right)) + _MARGIN_FREE_MM
    below = min(cell - _CELL_GAP_MM, chart.wide + 2 * beyond)
    band = replace(band, nodes=tuple(part for node in band.nodes for part in _page_parts(node, below, chart, room)))
    widths = (cell, below, right)
    return [block for group in _abreast(colours, cell) for block in _grid(band, group, widths, chart, room)]


def _abreast(colours: Sequence[str], cell: float) -> list[Sequence[str]]:
    """Colours in order, as many together as a page is wide, and about as many each time."""
    for most in range(len(colours), 0, -1):
        groups = [colours[start : start + most] for start in range(0, len(colours), most)]
        if all(len(each) * (cell + _GROUP_GAP_MM) - _GROUP_GAP_MM <= _inner_mm(each) for each in groups):
            return groups
    return [[colour] for colour in colours]


def _inner_mm(colours: Sequence[str]) -> float:
    """Width of the columns of some colours together: the name of a band stands above unlaid hexes, else beside."""
    return WIDTH_MM - 2 * MARGIN_MM - (0.0 if colours[0] == HEX_COLUMN else _NAME_MM)


def _page_parts(node: Node, below: float, chart: Chart, room: float | None) -> Iterator[Node]:
    """A tile, again and again where more may replace it than a page has room to name below it."""
    step = chart.style.type("board.note").size_mm * LEADING
    most = None if room is None else int((room - HEAD_MM - _row_height([replace(node, after=())], below, chart)) / step)
    lines = list(_numbers(node, below, chart)) if most is not None else []
    if most is None or len(lines) <= most:
        yield node
        return
    for start in range(0, len(lines), max(1, most - 1)):
        yield replace(node, after=tuple(number for line in lines[start : start + max(1, most - 1)] for number in line))


def _grid(
    band: Band, colours: Sequence[str], widths: tuple[float, float, float], chart: Chart, room: float | None
) -> list[Block]:
    """Some colours of a band beside each other; `widths` are that of a cell, that of what stands below a tile, and how
    far words reach beyond tiles at the right."""
    cell, below, right = widths
    inner = _inner_mm(colours)
    most = max(len(colours), int((inner - _GROUP_GAP_MM * (len(colours) - 1)) / cell))
    shares = _share([len(band.column(colour)) for colour in colours], most)
    starts, x = [], WIDTH_MM - MARGIN_MM - inner + cell - chart.wide / 2 - max(0.0, right)
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
    heights = [_row_height([node for nodes in row for node in nodes], below, chart) for row in grid]
    blocks = []
    for part in _parts(heights, None if room is None else room - HEAD_MM):
        items: list[Item] = []
        y = chart.tall / 2
        for row in part:
            for start, nodes in zip(starts, grid[row], strict=True):
                for place, node in enumerate(nodes):
                    items += _cell_items(node, (start + place * cell, y), below, chart)
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


def _row_height(nodes: Sequence[Node], width: float, chart: Chart) -> float:
    """Height of a row with what stands below its tiles and the gap to the next row."""
    below = max(math.fsum(kind.size_mm * LEADING for kind, _ in _lines(node, width, chart)) for node in nodes)
    return chart.tall + (_ABOVE_MM + below if below else 0.0) + ROW_GAP_MM


def _lines(node: Node, width: float, chart: Chart) -> list[tuple[TypeStyle, str]]:
    """What stands below: the words of a hex, then the numbers of what may replace it."""
    kind, strong = chart.style.type("board.note"), chart.style.type("board.strong")
    found: list[tuple[TypeStyle, str]] = []
    if node.is_hex:
        smaller, lines = lines_within(node.words, strong, width)
        found += [(smaller, line) for line in lines]
    found += [(kind, one_line(" ".join(line), kind, width)[1]) for line in _numbers(node, width, chart)]
    return found


def _numbers(node: Node, width: float, chart: Chart) -> list[list[str]]:
    """The numbers of what may replace a tile, line by line."""
    kind = chart.style.type("board.note")
    lines: list[list[str]] = []
    for number in node.after:
        if lines and text_width(" ".join((*lines[-1], number)), kind) <= width:
            lines[-1].append(number)
        else:
            lines.append([number])
    return lines


def _cell_items(node: Node, place: Place, width: float, chart: Chart) -> tuple[Item, ...]:
    x, y = place
    items: list[Item] = [*tile_items(node, place, chart)]
    base = y + chart.tall / 2 + _ABOVE_MM
    for kind, line in _lines(node, width, chart):
        drop = kind.cap_height_mm
        items += set_line(line, kind, chart.style.ink("board.edge"), x, base + drop, anchor=Anchor.MIDDLE)
        base += kind.size_mm * LEADING
    return tuple(items)
