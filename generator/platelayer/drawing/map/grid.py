"""What is taken of a board, as rows of bits: whether a disc finds room at a point is one look."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from platelayer.drawing.hex.places import Box, Disc
from platelayer.scene.shapes import Point

CELL_MM = 1.0
"""A cell is a square of one mm."""
_LEVEL_MM = 0.01

Rows = tuple[int, ...]
"""For each row of cells from the top an integer, whose lowest bit is the leftmost cell."""


class Frame(Struct, frozen=True):
    """A grid of cells: the column and row of the first, and how many columns and rows there are."""

    left: int
    top: int
    wide: int
    tall: int

    @property
    def whole(self) -> int:
        """A row that is all taken."""
        return (1 << self.wide) - 1


def frame_of(bounds: Box) -> Frame:
    """The cells that hold some bounds: left, top, right, bottom in mm."""
    left, top, right, bottom = bounds
    first, row = math.floor(left / CELL_MM), math.floor(top / CELL_MM)
    return Frame(first, row, math.ceil(right / CELL_MM) - first, math.ceil(bottom / CELL_MM) - row)


class Grid:
    """A grid that is filled step by step."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._rows = [0] * frame.tall
        self._whole = frame.whole

    def take_disc(self, disc: Disc) -> None:
        """Fills a circle."""
        x, y, radius = disc
        low, high = self._span(y - radius, y + radius)
        middle, square = y - (self.frame.top + 0.5) * CELL_MM, radius * radius
        for row in range(low, high):
            off = row * CELL_MM - middle
            if off * off < square:
                half = math.sqrt(square - off * off)
                self._fill(row, x - half, x + half)

    def take_box(self, box: Box) -> None:
        """Fills a box: left, top, right, bottom."""
        low, high = self._span(box[1], box[3])
        for row in range(low, high):
            self._fill(row, box[0], box[2])

    def take_line(self, a: Point, b: Point, half_mm: float) -> None:
        """Fills a line and what is as near to it as half its width, or a little farther at its
        ends."""
        (ax, ay), (bx, by) = (a, b) if a[1] <= b[1] else (b, a)
        steep = by - ay > _LEVEL_MM
        slope = (bx - ax) / (by - ay) if steep else 0.0
        low, high = self._span(ay - half_mm, by + half_mm)
        for row in range(low, high):
            y = (row + self.frame.top + 0.5) * CELL_MM
            if steep:
                one, other = (
                    ax + (min(by, max(ay, y + off)) - ay) * slope for off in (-half_mm, half_mm)
                )
            else:
                one, other = ax, bx
            self._fill(row, min(one, other) - half_mm, max(one, other) + half_mm)

    def take_rows(self, rows: Iterable[tuple[int, int]]) -> None:
        """Fills what is taken in rows that are given by number."""
        for number, row in rows:
            self._rows[number] |= row

    def rows(self) -> Rows:
        """What is taken."""
        return tuple(self._rows)

    def _span(self, top: float, bottom: float) -> tuple[int, int]:
        first = self.frame.top
        return (
            max(0, round(top / CELL_MM + 1e-6) - first),
            min(
                self.frame.tall,
                max(round(bottom / CELL_MM - 1e-6), round(top / CELL_MM + 1e-6) + 1) - first,
            ),
        )

    def _fill(self, row: int, left: float, right: float) -> None:
        begin, end, start = (
            round(left / CELL_MM + 1e-6),
            round(right / CELL_MM - 1e-6),
            self.frame.left,
        )
        last = (end if end > begin else begin + 1) - start
        if last > 0:
            self._rows[row] |= (1 << last) - (1 << max(0, begin - start)) & self._whole


def packed(rows: Rows, stride: int) -> int:
    """Rows one after the other as one integer, `stride` bits (a multiple of 8) from one to the
    next: what is done to it is done to all rows at once."""
    return int.from_bytes(b"".join(row.to_bytes(stride // 8, "little") for row in rows), "little")


def grown(rows: Rows, wide: int, reach: int) -> Rows:
    """What is taken for the middle of a disc of so many cells: everything nearer than that to what
    is taken, and to the end of the grid. Crosses and squares by turns grow an octagon."""
    if reach <= 0:
        return rows
    step = bytes_of_row(wide)
    data = grown_cells(rows, wide, reach)
    return tuple(
        [
            int.from_bytes(data[start : start + step], "little")
            for start in range(0, len(data), step)
        ]
    )


@lru_cache(maxsize=384)
def grown_cells(rows: Rows, wide: int, reach: int) -> bytes:
    """The same, a bit for each cell, `bytes_of_row` for each row: where few cells are looked at,
    rows need not be made of it."""
    return _grown(rows, wide, max(0, reach)).to_bytes(bytes_of_row(wide) * len(rows), "little")


def bytes_of_row(wide: int) -> int:
    """How long a row of so many cells is."""
    return _stride(wide + 1) // 8


@lru_cache(maxsize=384)
def _grown(rows: Rows, wide: int, reach: int) -> int:
    """The same, packed."""
    stride = _stride(wide + 1)
    if reach == 0:
        return packed(rows, stride)
    inner = _grown(rows, wide, reach - 1)
    whole, edge, ends = _margins(wide, len(rows))
    spread = inner | inner << 1 | inner >> 1 | edge
    beside = inner if reach % 2 else spread
    return (beside << stride | spread | beside >> stride) & whole | ends


def _stride(bits: int) -> int:
    return -(-bits // 8) * 8


@lru_cache(maxsize=64)
def _margins(wide: int, tall: int) -> tuple[int, int, int]:
    """All cells of a packed grid; its first and last column; its first and last row."""
    row, stride = (1 << wide) - 1, _stride(wide + 1)
    edge = 1 | 1 << (wide - 1)
    return (
        packed((row,) * tall, stride),
        packed((edge,) * tall, stride),
        row | row << stride * (tall - 1),
    )


def part(rows: Rows, frame: Frame, inner: Frame) -> Rows:
    """Some cells of a grid as a grid; those that it has not are free."""
    shift, whole = inner.left - frame.left, inner.whole
    out: list[int] = []
    for number in range(inner.top - frame.top, inner.top - frame.top + inner.tall):
        row = rows[number] if 0 <= number < len(rows) else 0
        out.append((row >> shift if shift >= 0 else row << -shift) & whole)
    return tuple(out)


def spans_free(frame: Frame, spans: Iterable[tuple[int, float, float]]) -> Rows:
    """A grid that is all taken but for stretches of some rows: row, left and right in mm."""
    grid = Grid(frame)
    for row, left, right in spans:
        if 0 <= row < frame.tall:
            grid._fill(row, left, right)
    return tuple(frame.whole & ~row for row in grid.rows())
