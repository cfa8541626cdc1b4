"""Ganging: sheets of pieces of several sizes that a guillotine cuts apart in full strokes.

A sheet is filled with blocks, grids of pieces of one size. The first block takes the upper left
corner of a free rectangle; a full stroke beside or below it divides the rest into two rectangles,
which are filled in the same way. This is the Guillotine algorithm of Jylänki ("A Thousand Ways to
Pack the Bin", 2010), with blocks in place of single pieces as George and Robinson load containers
(1980), so that pieces of one size are cut together. Each sheet begins with the largest size that is
left, in the block that leaves least paper empty. A plan of a sheet is repeated as long as its
pieces last.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.imposition.page import Box
from platelayer.imposition.paper import Frame

_EPS = 1e-6
_COS_30 = math.cos(math.radians(30))
_BOTH_WAYS_DEEP = 2
"""How deep both strokes are tried; below, the one that leaves the larger rectangle."""


class Batch(Struct, frozen=True, kw_only=True):
    """Pieces of one size to pack: width, height and number; the gap between them; and the room that
    a block of them needs beside and above it. Those of a `comb` (hexes and discs that no stroke
    parts) lie side by side, every second column or row shifted by half a piece."""

    width_mm: float
    height_mm: float
    count: int
    gap_mm: float
    around_mm: tuple[float, float]
    comb: bool = False


class Block(Struct, frozen=True, kw_only=True):
    """A grid of pieces of a batch (its index): the places on the sheet that are taken, row by row,
    in so many columns."""

    batch: int
    boxes: tuple[Box, ...]
    columns: int


class Gang(Struct, frozen=True, kw_only=True):
    """A sheet: the paper, and what is on it."""

    frame: Frame
    blocks: tuple[Block, ...]


_Room = tuple[float, float, float, float]
_Counts = tuple[int, ...]


class _Grid(Struct, frozen=True):
    """A block before it has a place: its batch, the size of a piece as it lies and the steps from
    one to the next, columns, rows, pieces; the size of the whole with the room around it; how far
    odd rows are shifted to the right, and odd columns down."""

    batch: int
    width: float
    height: float
    step_x: float
    step_y: float
    columns: int
    rows: int
    count: int
    across: float
    down: float
    shift: tuple[float, float]


_Filled = tuple[int, tuple[tuple[_Grid, float, float], ...]]
"""How much is covered, in hundredths of square millimetres, and the blocks with their upper left
corners."""


def gang(
    frames: Sequence[Frame], batches: Sequence[Batch], border_mm: float = 0.0
) -> tuple[Gang, ...]:
    """Sheets for all pieces of some batches, each of which fits an empty sheet; `border_mm` more
    than the room of a block stays free at the edges. The same batches in the same order give the
    same sheets."""
    left = [batch.count for batch in batches]
    by_size = sorted(range(len(batches)), key=lambda index: -_area(batches[index]))
    rooms = [_inner(frame.room, border_mm) for frame in frames]
    sheets: list[Gang] = []
    while any(left):
        largest = next(index for index in by_size if left[index])
        best, frame, room = 0, frames[0], rooms[0]
        plan: tuple[tuple[_Grid, float, float], ...] = ()
        for other, whole in zip(frames, rooms, strict=True):
            covered, placed = _filled(batches, whole, tuple(left), 0, largest)
            if covered > best:
                best, plan, frame, room = covered, placed, other, whole
        if not plan:
            raise ValueError("a piece does not fit the sheet")
        used = [0] * len(batches)
        for grid, _, _ in plan:
            used[grid.batch] += grid.count
        times = min(have // need for have, need in zip(left, used, strict=True) if need)
        sheet = Gang(frame=frame, blocks=tuple(_block(*block) for block in _centred(plan, room)))
        sheets += [sheet] * times
        left = [have - times * need for have, need in zip(left, used, strict=True)]
    return tuple(sheets)


def common_gang(
    frames: Sequence[Frame], batches: Sequence[Batch], border_mm: float = 0.0
) -> tuple[Gang, ...]:
    """Sheets of one plan for all pieces of some batches, the fewest of which each holds an equal
    share; where shares are not whole, some places of the last stay empty. If the sizes do not share
    a sheet, those of `gang`."""
    room = max(frame.room[2] * frame.room[3] for frame in frames) * 100
    least = math.ceil(math.fsum(_area(batch) * batch.count for batch in batches) / room)
    for sheets in range(max(least, 1), max(batch.count for batch in batches) + 1):
        shares = [replace(batch, count=-(-batch.count // sheets)) for batch in batches]
        found = gang(frames, shares, border_mm)
        if len(found) == 1:
            return found * sheets
    return gang(frames, batches, border_mm)


def fits_gang(frames: Sequence[Frame], batch: Batch, border_mm: float = 0.0) -> bool:
    """Whether a piece fits an empty sheet."""
    rooms = (_inner(frame.room, border_mm) for frame in frames)
    return any(any(_grids(batch, 0, 1, room[2], room[3])) for room in rooms)


def _inner(room: Box, border: float) -> _Room:
    x, y, width, height = room
    return x + border, y + border, width - 2 * border, height - 2 * border


def _area(batch: Batch) -> int:
    return round(batch.width_mm * batch.height_mm * 100)


def _filled(
    batches: Sequence[Batch], room: _Room, left: _Counts, depth: int, first: int | None = None
) -> _Filled:
    """The best that is found for a free rectangle: with every block that is worth trying of the
    batch that is to be the first, or with the one that covers most."""
    x, y, width, height = room
    tried: list[tuple[int, _Grid]] = []
    for index, batch in enumerate(batches) if first is None else ((first, batches[first]),):
        if left[index]:
            tried += (
                (grid.count * _area(batch), grid)
                for grid in _grids(batch, index, left[index], width, height)
            )
    if not tried:
        return 0, ()
    if first is None:
        tried = [max(tried, key=lambda one: one[0])]
    best: _Filled = (0, ())
    for covered, grid in tried:
        rest = tuple(have - grid.count * (index == grid.batch) for index, have in enumerate(left))
        for beside, below in _strokes(room, grid, depth):
            # The larger rectangle is filled first: it takes what the smaller cannot.
            one, other = sorted((beside, below), key=lambda free: -round(free[2] * free[3] * 100))
            whole = covered
            placed: tuple[tuple[_Grid, float, float], ...] = ((grid, x, y),)
            remaining = rest
            for free in (one, other):
                more, blocks = _filled(batches, free, remaining, depth + 1)
                if more:
                    whole, placed = whole + more, (*placed, *blocks)
                    remaining = _without(remaining, blocks)
            if whole > best[0]:
                best = (whole, placed)
    return best


def _without(left: _Counts, blocks: Sequence[tuple[_Grid, float, float]]) -> _Counts:
    counts = list(left)
    for grid, _, _ in blocks:
        counts[grid.batch] -= grid.count
    return tuple(counts)


def _grids(batch: Batch, index: int, count: int, width: float, height: float) -> Iterator[_Grid]:
    """Blocks of a batch that a rectangle holds, upright and turned: as many columns or as many rows
    as there is room for, and one fewer of each."""
    ways = [(batch.width_mm, batch.height_mm, batch.around_mm)]
    if abs(batch.width_mm - batch.height_mm) > _EPS:
        ways.append((batch.height_mm, batch.width_mm, batch.around_mm[::-1]))
    gap = batch.gap_mm
    for wide, high, (beside, above) in ways:
        step_x, step_y, right, lower = wide + gap, high + gap, 0.0, 0.0
        if batch.comb and wide >= high:
            step_x, lower = step_y * _COS_30, step_y / 2
        elif batch.comb:
            step_y, right = step_x * _COS_30, step_x / 2
        columns = math.floor((width - 2 * beside - right - wide + step_x + _EPS) / step_x)
        rows = math.floor((height - 2 * above - lower - high + step_y + _EPS) / step_y)
        if columns < 1 or rows < 1:
            continue
        shapes: dict[tuple[int, int], None] = {}
        for most in (columns, columns - 1):
            if most > 0:
                shapes[min(most, count), min(rows, -(-count // most))] = None
        for most in (rows, rows - 1):
            if most > 0:
                shapes[min(columns, -(-count // most)), min(most, count)] = None
        for across, down in shapes:
            yield _Grid(
                index,
                wide,
                high,
                step_x,
                step_y,
                across,
                down,
                min(count, across * down),
                (across - 1) * step_x + wide + right + 2 * beside,
                (down - 1) * step_y + high + lower + 2 * above,
                (right, lower),
            )


def _strokes(room: _Room, grid: _Grid, depth: int) -> Iterator[tuple[_Room, _Room]]:
    """What is left beside and below a block, for a stroke down the sheet and for one across it."""
    x, y, width, height = room
    right, bottom = width - grid.across, height - grid.down
    down = ((x + grid.across, y, right, height), (x, y + grid.down, grid.across, bottom))
    across = ((x + grid.across, y, right, grid.down), (x, y + grid.down, width, bottom))
    if depth < _BOTH_WAYS_DEEP:
        yield across
        yield down
    else:
        yield down if round(right * height * 100) > round(bottom * width * 100) else across


def _centred(
    plan: Sequence[tuple[_Grid, float, float]], room: _Room
) -> Iterator[tuple[_Grid, float, float]]:
    """The blocks, moved together to the middle of the room."""
    x, y, width, height = room
    right = max(at + grid.across for grid, at, _ in plan)
    bottom = max(at + grid.down for grid, _, at in plan)
    dx, dy = (x + width - right) / 2, (y + height - bottom) / 2
    return ((grid, left + dx, top + dy) for grid, left, top in plan)


def _block(grid: _Grid, x: float, y: float) -> Block:
    right, lower = grid.shift
    beside = (grid.across - (grid.columns - 1) * grid.step_x - grid.width - right) / 2
    above = (grid.down - (grid.rows - 1) * grid.step_y - grid.height - lower) / 2
    boxes = tuple(
        (
            x + beside + column * grid.step_x + row % 2 * right,
            y + above + row * grid.step_y + column % 2 * lower,
            grid.width,
            grid.height,
        )
        for row in range(grid.rows)
        for column in range(grid.columns)
    )
    return Block(batch=grid.batch, boxes=boxes[: grid.count], columns=grid.columns)
