"""Columns of equal height, filled with blocks of known heights."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.scene.shapes import Group, Item, translation
from platelayer.scene.typeset import SLACK_MM


class Block(Struct, frozen=True, kw_only=True):
    """Items from (0, 0) that stay together, how high they are, the room above them (none at the
    head of a column), how much of that `airy` columns multiply, and whether they may not be the
    last of a column (a heading)."""

    items: tuple[Item, ...]
    height: float
    above: float = 0.0
    airy: float = 0.0
    keep: bool = False

    def aired(self, air: float) -> Block:
        """The same with this much air."""
        return replace(self, above=self.airy * air + self.above, airy=0.0)


Columns = tuple[tuple[tuple[Block, float], ...], ...]
"""For each column its blocks and where each begins."""


def fill_columns(blocks: Sequence[Block], count: int, height: float) -> Columns | None:
    """Blocks in order in at most `count` columns of some height, or None if they do not fit, or not
    without parting a block from one that it is to be kept with."""
    columns: list[list[tuple[Block, float]]] = [[]]
    y = 0.0
    for index, block in enumerate(blocks):
        gap = block.above if columns[-1] else 0.0
        if columns[-1] and y + gap + _run(blocks, index) > height + SLACK_MM:
            if columns[-1][-1][0].keep:
                return None
            columns.append([])
            y = gap = 0.0
        if len(columns) > count or block.height > height + SLACK_MM:
            return None
        columns[-1].append((block, y + gap))
        y += gap + block.height
    return tuple(map(tuple, columns))


def _run(blocks: Sequence[Block], index: int) -> float:
    """Height of a block with those that must follow it in the same column."""
    height = blocks[index].height
    while blocks[index].keep and index + 1 < len(blocks):
        index += 1
        height += blocks[index].above + blocks[index].height
    return height


def take_columns(blocks: Sequence[Block], count: int, height: float) -> tuple[Columns, int]:
    """The columns of one page, and how many of the blocks they hold: as many as fit in order, but
    at least one."""
    low, high = 0, len(blocks)
    while low < high:
        middle = (low + high + 1) // 2
        if fill_columns(blocks[:middle], count, height) is None:
            high = middle - 1
        else:
            low = middle
    while 0 < low < len(blocks) and blocks[low - 1].keep:
        low -= 1
    used = max(1, low) if blocks else 0
    filled = balance(blocks[:used], count, height)
    return filled or (tuple((block, 0.0) for block in blocks[:used]),), used


def balance(blocks: Sequence[Block], count: int, height: float) -> Columns | None:
    """The columns of least equal height that hold the blocks, or None if even `height` is too
    little."""
    best = fill_columns(blocks, count, height)
    if best is None:
        return None
    low, high = 0.0, height
    while high - low > 0.2:
        middle = (low + high) / 2
        tried = fill_columns(blocks, count, middle)
        if tried is None:
            low = middle
        else:
            best, high = tried, middle
    return best


def columns_height(columns: Columns) -> float:
    """Height in mm of the highest column."""
    return max((column[-1][1] + column[-1][0].height for column in columns if column), default=0.0)


def column_items(columns: Columns, width_mm: float, gap_mm: float) -> tuple[Item, ...]:
    """The blocks of all columns, each column `width_mm` wide, from (0, 0)."""
    return tuple(
        Group(items=block.items, matrix=translation(number * (width_mm + gap_mm), y))
        for number, column in enumerate(columns)
        for block, y in column
    )
