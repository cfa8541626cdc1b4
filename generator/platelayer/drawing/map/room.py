"""Room on a map: beside its hexes, for blocks that may require a larger sheet; and within its
hexes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Generic, TypeVar

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Box, Disc, Field
from platelayer.foundation.geometry import measured
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import Layout
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Items, Point, Role, Scene

# Left, top, width, height in mm.
Rect = tuple[float, float, float, float]

# Width of the strips for which free heights are stored, and step along the top or bottom at which
# blocks are tried.
_STRIP_MM, _ALONG_MM = 2.0, 6.0
# Maximum number of places for each block, as all combinations are tried.
_KEEP = 14
# Penalties in square mm: of each step down the list of a block's shapes, and of a block that is in
# no corner and has no preference of its own.
_SHAPE_DISLIKE, _FREE_DISLIKE = 150.0, 600.0


class Growth(Frozen, kw_only=True):
    """Room added on each side, in mm."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    def joined(self, other: Growth) -> Growth:
        """Return the growth that is enough for both."""
        return Growth(
            left=max(self.left, other.left),
            top=max(self.top, other.top),
            right=max(self.right, other.right),
            bottom=max(self.bottom, other.bottom),
        )

    def area(self, width: float, height: float) -> float:
        """Return the area that a sheet of this size gains, in square mm."""
        across, along = self.left + self.right, self.top + self.bottom
        return width * along + height * across + across * along


class Place(Frozen, kw_only=True):
    """A place for one block: the number of the block's shape, the sides of the sheet at which it
    lies, and its price. `offset` is the distance from the left if it lies at neither side;
    `dislike`, in square mm, weighs preferences against paper."""

    shape: int
    size: Point
    side: str
    upright: str
    offset: float
    growth: Growth
    dislike: float

    def box(self, width: float, height: float, growth: Growth) -> Rect:
        """Return the box of the block on a sheet of this size (before growing) after growth."""
        w, h = self.size
        full_width = width + growth.left + growth.right
        full_height = height + growth.top + growth.bottom
        x = {"left": 0.0, "right": full_width - w, "free": self.offset + growth.left}[self.side]
        y = {"top": 0.0, "bottom": full_height - h}[self.upright]
        return x, y, w, h


class Placeable(Frozen, kw_only=True):
    """A block to place: its shapes (width, height), best first, and its preferences: dislike in
    square mm by (side, upright), where missing ones have a default."""

    shapes: tuple[Point, ...]
    tastes: tuple[tuple[tuple[str, str], float], ...] = ()


@lru_cache(8)
def skyline_of(
    centres: tuple[Point, ...],
    corners: tuple[Point, ...],
    width: float,
    height: float,
    clear: float,
) -> Skyline:
    """Return the skyline of a board, the same object for the same board so that it can be a cache
    key of `find_room`."""
    return Skyline(centres, corners, width, height, clear)


class Skyline:
    """Free heights above and below the hexes, in narrow strips from left to right.

    `corners` are those of a hex around (0, 0). Hexes and other blocks have a clearance of `clear`
    mm.
    """

    def __init__(
        self,
        centres: Sequence[Point],
        corners: Sequence[Point],
        width: float,
        height: float,
        clear: float,
    ) -> None:
        self.width, self.height, self.clear = width, height, clear
        # Strips begin beyond the sheet, because a block there must also keep clear of hexes at the
        # very edge.
        self._start = -math.ceil(clear / _STRIP_MM) * _STRIP_MM
        count = math.ceil((width + clear - self._start) / _STRIP_MM)
        self._above, self._below = [height] * count, [height] * count
        reach = max(x for x, _ in corners) + clear
        upper = sorted({(round(x, 6), round(y, 6)) for x, y in corners if x > -1e-6 and y > -1e-6})
        for x, y in centres:
            off_x = x - self._start
            first = max(0, math.floor((off_x - reach) / _STRIP_MM))
            last = min(count, math.ceil((off_x + reach) / _STRIP_MM))
            for index in range(first, last):
                off = max(0.0, index * _STRIP_MM - off_x, off_x - (index + 1) * _STRIP_MM) - clear
                half = _half_height(upper, max(0.0, off)) + clear
                self._above[index] = min(self._above[index], y - half)
                self._below[index] = min(self._below[index], height - y - half)

    def free(self, upright: str, start: float, width: float) -> float:
        """Return the free height from the top (or bottom) over a stretch; the whole height if the
        stretch is off the sheet."""
        heights = self._above if upright == "top" else self._below
        start -= self._start
        first = max(0, math.floor(start / _STRIP_MM))
        last = min(len(heights), math.ceil((start + width) / _STRIP_MM))
        return min(heights[first : max(first, last)], default=self.height)


def _half_height(upper: Sequence[Point], off: float) -> float:
    """Return half the height of a hex at a distance from its vertical axis, given the corners of
    one quarter."""
    first_x, first_y = upper[0]
    if off <= first_x:
        return first_y
    for (ax, ay), (bx, by) in pairwise(upper):
        if off <= bx and bx > ax:
            return ay + (by - ay) * (off - ax) / (bx - ax)
    return upper[-1][1] if off <= upper[-1][0] + 1e-6 else 0.0


@lru_cache(8)
def find_room(
    skyline: Skyline, blocks: tuple[Placeable, ...]
) -> tuple[Growth, tuple[tuple[int, Rect], ...]]:
    """Return the growth of the sheet and, for each block, the shape chosen and its box on the grown
    sheet.

    Blocks lie along the top or bottom, in a corner if possible, and have the same clearance from
    each other as from hexes. The arrangement that adds the least paper wins; preferences decide
    between arrangements that add about the same. As there are few blocks, all combinations of the
    best places of each are tried.
    """
    width, height = skyline.width, skyline.height
    options = [
        sorted(
            _places(skyline, block),
            key=lambda place: measured(place.growth.area(width, height) + place.dislike),
        )[:_KEEP]
        for block in blocks
    ]
    best: tuple[float, Growth, tuple[Place, ...]] | None = None
    for places in product(*options):
        growth = Growth()
        for place in places:
            growth = growth.joined(place.growth)
        cost = measured(growth.area(width, height) + math.fsum(place.dislike for place in places))
        if best is not None and cost >= best[0]:
            continue
        boxes = [place.box(width, height, growth) for place in places]
        if any(
            _touch(one, other, skyline.clear) for i, one in enumerate(boxes) for other in boxes[:i]
        ):
            continue
        best = cost, growth, places
    if best is None:
        growth, stacked = room_for(skyline, Growth(), (), [block.shapes[0] for block in blocks])
        return growth, tuple((0, box) for box in stacked)
    _, growth, places = best
    return growth, tuple((place.shape, place.box(width, height, growth)) for place in places)


def _places(skyline: Skyline, block: Placeable) -> Iterator[Place]:
    tastes = dict(block.tastes)
    for shape, size in enumerate(block.shapes):
        w, h = size
        wider, taller = max(0.0, w - skyline.width), max(0.0, h - skyline.height)
        for upright in ("top", "bottom"):
            taste = shape * _SHAPE_DISLIKE

            for side in ("left", "right"):
                start = 0.0 if side == "left" else skyline.width - w
                more = max(0.0, h - skyline.free(upright, start, w))
                place = Place(
                    shape=shape,
                    size=size,
                    side=side,
                    upright=upright,
                    offset=0.0,
                    growth=Growth(**{side: wider, upright: measured(more)}),
                    dislike=taste + tastes.get((side, upright), 0.0),
                )
                yield place
                if more:
                    # Alternatively add no height but width: move out until the corner is high
                    # enough.
                    by = 0.0
                    while by < w + skyline.clear:
                        out = -by if side == "left" else skyline.width - w + by
                        if skyline.free(upright, out, w) >= h - taller:
                            break
                        by += _STRIP_MM
                    yield replace(place, growth=Growth(**{side: measured(by), upright: taller}))
            if not wider:
                # The stretch along the top or bottom that needs the least height, preferably near
                # the middle.
                best, offset = (-math.inf, 0.0), 0.0
                for number in range(int((skyline.width - w) / _ALONG_MM) + 1):
                    start = number * _ALONG_MM
                    free = measured(min(h, skyline.free(upright, start, w)))
                    rank = (free, -measured(abs(start + w / 2 - skyline.width / 2)))
                    if rank > best:
                        best, offset = rank, start
                more = max(0.0, h - skyline.free(upright, offset, w))
                yield Place(
                    shape=shape,
                    size=size,
                    side="free",
                    upright=upright,
                    offset=offset,
                    growth=Growth(**{upright: measured(more)}),
                    dislike=taste + tastes.get(("free", upright), _FREE_DISLIKE),
                )


def spare_room(skyline: Skyline, growth: Growth, taken: Sequence[Rect], size: Point) -> Rect | None:
    """Return a corner of the grown sheet in which a block fits without further growth, clear of the
    boxes `taken`; None if there is none."""
    w, h = size
    width = skyline.width + growth.left + growth.right
    height = skyline.height + growth.top + growth.bottom
    right = (width - w, skyline.width + growth.right - w)
    for upright, y, spare in (("top", 0.0, growth.top), ("bottom", height - h, growth.bottom)):
        for x, start in (right, (0.0, -growth.left)):
            box = (x, y, w, h)
            if skyline.free(upright, start, w) + spare < h:
                continue
            if not any(_touch(box, other, skyline.clear) for other in taken):
                return box
    return None


def room_for(
    skyline: Skyline, growth: Growth, taken: Sequence[Rect], sizes: Sequence[Point]
) -> tuple[Growth, tuple[Rect, ...]]:
    """Return the growth of a sheet for further blocks, and their boxes: in a corner with room for
    them, otherwise side by side in a strip below everything or to the right of it, whichever
    adds less paper."""
    gap = skyline.clear
    boxes, placed = list(taken), []
    strip: Rect | None = None
    for w, h in sizes:
        width = skyline.width + growth.left + growth.right
        height = skyline.height + growth.top + growth.bottom
        box = spare_room(skyline, growth, boxes, (w, h))
        is_spare = box is not None
        if box is None and strip is not None and strip[0] + w <= width:
            box = (strip[0], strip[1], w, h)
            growth = replace(growth, bottom=growth.bottom + max(0.0, strip[1] + h - height))
        elif box is None:
            wider, taller = max(0.0, w - width), max(0.0, h - height)
            down, out = growth.bottom + h + gap, growth.right + w + gap
            below = replace(growth, right=growth.right + wider, bottom=down)
            beside = replace(growth, right=out, bottom=growth.bottom + taller)
            sheet = skyline.width, skyline.height
            if below.area(*sheet) <= beside.area(*sheet):
                growth, box = below, (0.0, height + gap, w, h)
            else:
                growth, box = beside, (width + gap, 0.0, w, h)
        # A box in a corner of the board does not begin a strip, as there may be hexes beside it.
        if not is_spare and box[1] > 0:
            strip = (box[0] + w + gap, box[1], w, h)
        boxes.append(box)
        placed.append(box)
    return growth, tuple(placed)


def _touch(one: Rect, other: Rect, gap_mm: float) -> bool:
    return (
        one[0] < other[0] + other[2] + gap_mm
        and other[0] < one[0] + one[2] + gap_mm
        and one[1] < other[1] + other[3] + gap_mm
        and other[1] < one[1] + one[3] + gap_mm
    )


Thing = TypeVar("Thing")


class Squares(Generic[Thing]):
    """Things by the square of a grid in which they lie. All things within the side of a square of a
    point are in the nine squares around it."""

    def __init__(self, side_mm: float) -> None:
        self._side_mm = side_mm
        self._things: dict[tuple[int, int], list[Thing]] = {}

    def add(self, point: Point, thing: Thing) -> None:
        """Add a thing at a point."""
        self._things.setdefault(self._square(point), []).append(thing)

    def near(self, point: Point) -> Iterator[Thing]:
        """Yield all things nearer than the side of a square, and some that are farther."""
        column, row = self._square(point)
        for x in (column - 1, column, column + 1):
            for y in (row - 1, row, row + 1):
                yield from self._things.get((x, y), ())

    def _square(self, point: Point) -> tuple[int, int]:
        return math.floor(point[0] / self._side_mm), math.floor(point[1] / self._side_mm)


class Drawn:
    """Items of a hex as part of a cache key. Hashing all of them would take longer than the work
    that the cache saves."""

    __slots__ = ("items",)

    def __init__(self, items: Items) -> None:
        self.items = items

    def __hash__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Drawn) and self.items == other.items


# Distance between discs along track.
_DISC_STEP_MM = 1.2


def room_left(layout: Layout, across_mm: float, drawn: Items, inset_mm: float) -> Field:
    """Return the field of a hex, relative to its middle, without the room taken by everything
    `drawn` in it: track as discs along its lines, everything else except grounds as boxes."""
    field = Field(layout, across_mm, inset_mm)
    scene = Scene("field", across_mm, across_mm, drawn)
    shapes, texts = flatten_scene(scene)
    boxes = []
    for shape in shapes:
        if shape.role is not Role.TRACK:
            if shape.role is not Role.GROUND:
                boxes.append(shape.bounds)
            continue
        radius = shape.stroke_mm / 2
        for points in shape.polygons:
            for (ax, ay), (bx, by) in pairwise(points):
                length = math.hypot(bx - ax, by - ay)
                steps = max(1, math.ceil(measured(length / _DISC_STEP_MM)))
                for k in range(steps):
                    field.take_disc(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps, radius)
            field.take_disc(*points[-1], radius)
    for left, top, right, bottom in (*boxes, *(text.bounds for text in texts)):
        field.take_box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    return field


# Everything on a board as rows of bits: testing whether a disc fits at a point is one lookup, and a
# whole row is grown or compared at once.

# Side of a cell.
CELL_MM = 1.0
# Lines that rise by less are horizontal.
_LEVEL_MM = 0.01

# For each row of cells from the top, an integer whose lowest bit is the leftmost cell.
Rows = tuple[int, ...]


class Frame(Frozen):
    """A grid of cells: the column and row of the first, and the number of columns and rows."""

    left: int
    top: int
    wide: int
    tall: int

    @property
    def whole(self) -> int:
        """A row in which all cells are taken."""
        return (1 << self.wide) - 1


def frame_of(bounds: Box) -> Frame:
    """Return the grid that covers bounds: left, top, right, bottom in mm."""
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
        """Fill a circle."""
        x, y, radius = disc
        low, high = self._span(y - radius, y + radius)
        middle, square = y - (self.frame.top + 0.5) * CELL_MM, radius * radius
        for row in range(low, high):
            off = row * CELL_MM - middle
            if off * off < square:
                half = math.sqrt(square - off * off)
                self._fill(row, x - half, x + half)

    def take_box(self, box: Box) -> None:
        """Fill a box: left, top, right, bottom."""
        low, high = self._span(box[1], box[3])
        for row in range(low, high):
            self._fill(row, box[0], box[2])

    def take_line(self, a: Point, b: Point, half_mm: float) -> None:
        """Fill a line and everything within half its width, or a little farther at its ends. In
        each row, the part of the line from half its width above to half its width below is
        filled."""
        (ax, ay), (bx, by) = (a, b) if a[1] <= b[1] else (b, a)
        steep = by - ay > _LEVEL_MM
        slope = (bx - ax) / (by - ay) if steep else 0.0
        low, high = self._span(ay - half_mm, by + half_mm)
        for row in range(low, high):
            y = (row + self.frame.top + 0.5) * CELL_MM
            one, other = ax, bx
            if steep:
                one = ax + (min(by, max(ay, y - half_mm)) - ay) * slope
                other = ax + (min(by, max(ay, y + half_mm)) - ay) * slope
            self._fill(row, min(one, other) - half_mm, max(one, other) + half_mm)

    def take_rows(self, frame: Frame, rows: Rows) -> None:
        """Fill the cells that are taken in a part of the grid, which may extend beyond it."""
        for number, row in enumerate(rows, frame.top - self.frame.top):
            if row and 0 <= number < self.frame.tall:
                shift = frame.left - self.frame.left
                self._rows[number] |= (row << shift if shift >= 0 else row >> -shift) & self._whole

    def rows(self) -> Rows:
        """Return all cells with their state, as rows of bits."""
        return tuple(self._rows)

    def _span(self, top: float, bottom: float) -> tuple[int, int]:
        """Return the first row and the end of the rows from one height to another, at least one
        row. Heights on the line between two rows belong to neither, as rounding errors must not
        add a row."""
        first = round(top / CELL_MM + 1e-6)
        last = max(round(bottom / CELL_MM - 1e-6), first + 1)
        return max(0, first - self.frame.top), min(self.frame.tall, last - self.frame.top)

    def _fill(self, row: int, left: float, right: float) -> None:
        begin, end = round(left / CELL_MM + 1e-6), round(right / CELL_MM - 1e-6)
        last = max(end, begin + 1) - self.frame.left
        if last > 0:
            first = max(0, begin - self.frame.left)
            self._rows[row] |= (1 << last) - (1 << first) & self._whole


def grown(rows: Rows, wide: int, reach: int) -> Rows:
    """Return the cells that are taken for the middle of a disc with a radius of `reach` cells: all
    that are nearer than that to a taken cell or to the end of the grid."""
    if reach <= 0:
        return rows
    step = bytes_of_row(wide)
    data = grown_cells(rows, wide, reach)
    starts = range(0, len(data), step)
    return tuple([int.from_bytes(data[start : start + step], "little") for start in starts])


@lru_cache(384)
def grown_cells(rows: Rows, wide: int, reach: int) -> bytes:
    """Return the cells of `grown` with a bit for each cell and `bytes_of_row` for each row. This
    avoids building rows if only a few cells are looked up."""
    return grown_bits(rows, wide, reach).to_bytes(bytes_of_row(wide) * len(rows), "little")


def bytes_of_row(wide: int) -> int:
    """Return the number of bytes for a row of `wide` cells, with a spare cell between rows."""
    return -(-(wide + 1) // 8)


def _packed(rows: Rows, wide: int) -> int:
    """Return rows one after the other as one integer, so that any operation works on all rows at
    once."""
    size = bytes_of_row(wide)
    return int.from_bytes(b"".join(row.to_bytes(size, "little") for row in rows), "little")


@lru_cache(384)
def grown_bits(rows: Rows, wide: int, reach: int) -> int:
    """Return the cells of `grown` as one number: the rows one after the other, `bytes_of_row` for
    each. Crosses (the four neighbours of a cell) and squares (all eight) alternate, which grows
    an octagon, close enough to a disc."""
    if reach <= 0:
        return _packed(rows, wide)
    inner = grown_bits(rows, wide, reach - 1)
    stride = 8 * bytes_of_row(wide)
    whole, edge, ends = _margins(wide, len(rows))
    spread = inner | inner << 1 | inner >> 1 | edge
    beside = inner if reach % 2 else spread
    return (beside << stride | spread | beside >> stride) & whole | ends


@lru_cache(64)
def _margins(wide: int, tall: int) -> tuple[int, int, int]:
    """Return all cells of a packed grid; its first and last column; its first and last row."""
    row, edge = (1 << wide) - 1, 1 | 1 << (wide - 1)
    stride = 8 * bytes_of_row(wide)
    whole, sides = _packed((row,) * tall, wide), _packed((edge,) * tall, wide)
    return whole, sides, row | row << stride * (tall - 1)


def part(rows: Rows, frame: Frame, inner: Frame) -> Rows:
    """Return the cells `inner` of a grid as a grid; cells outside the original are free."""
    shift, whole, first = inner.left - frame.left, inner.whole, inner.top - frame.top
    before, here = min(inner.tall, max(0, -first)), rows[max(0, first) : max(0, first + inner.tall)]
    left, right = max(0, -shift), max(0, shift)
    moved = [row << left >> right & whole for row in here]
    return (*(0,) * before, *moved, *(0,) * (inner.tall - before - len(here)))


def spans_free(frame: Frame, spans: Iterable[tuple[int, float, float]]) -> Rows:
    """Return a grid in which everything is taken except for stretches of rows: the number of a row,
    left and right in mm."""
    grid = Grid(frame)
    for number, left, right in spans:
        row = number - frame.top
        if 0 <= row < frame.tall:
            grid._fill(row, left, right)
    return tuple(frame.whole & ~row for row in grid.rows())
