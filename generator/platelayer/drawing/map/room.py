"""Room for blocks beside the hexes of a map, and how far the sheet must grow to hold them; room
left in a hex.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Box, Disc, Field
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.ties import measured
from platelayer.model.hexes import Layout
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Item, Point, Role, Scene

_STEP_MM = 1.2

# Left, top, width, height in mm.
Rect = tuple[float, float, float, float]
_KEEP = 14
_STEP = 2.0


class Growth(Struct, frozen=True, kw_only=True):
    """Room added on each side in mm."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    def joined(self, other: Growth) -> Growth:
        """Enough room for both."""
        return Growth(
            left=max(self.left, other.left),
            top=max(self.top, other.top),
            right=max(self.right, other.right),
            bottom=max(self.bottom, other.bottom),
        )

    def area(self, width: float, height: float) -> float:
        """What a sheet of this size grows by, in square mm."""
        across, along = self.left + self.right, self.top + self.bottom
        return width * along + height * across + across * along


class Place(Struct, frozen=True, kw_only=True):
    """A place for one block: which of its shapes, at which ends of the sheet, and what it costs.
    `across` is the distance from the left (0) or right end when not 0; `dislike` in square mm
    weighs taste against paper."""

    shape: int
    size: Point
    side: str
    upright: str
    offset: float
    growth: Growth
    dislike: float

    def box(self, width: float, height: float, growth: Growth) -> Rect:
        """Where it lies on a sheet of that size (before growing) once it has grown."""
        w, h = self.size
        full_width, full_height = (
            width + growth.left + growth.right,
            height + growth.top + growth.bottom,
        )
        x = {"left": 0.0, "right": full_width - w, "free": self.offset + growth.left}[self.side]
        y = {"top": 0.0, "bottom": full_height - h}[self.upright]
        return x, y, w, h


class Block(Struct, frozen=True, kw_only=True):
    """A block to place: its shapes (width, height), best first, and where it prefers to be: dislike
    in square mm by (side, upright), 0 where not named; `per_shape` is added for each step down the
    list of shapes."""

    shapes: tuple[Point, ...]
    tastes: tuple[tuple[tuple[str, str], float], ...] = ()
    per_shape: float = 150.0


@lru_cache(maxsize=8)
def skyline_of(
    centres: tuple[Point, ...],
    corners: tuple[Point, ...],
    width: float,
    height: float,
    clear: float,
) -> Skyline:
    """The skyline of a board; the same one for the same board, by which its rooms are kept."""
    return Skyline(centres, corners, width, height, clear)


class Skyline:
    """How much is free above and below the hexes, in narrow strips from left to right.

    `corners` are those of a hex round (0, 0); nothing may come nearer to a hex than `clear` mm.
    """

    def __init__(
        self,
        centres: Sequence[Point],
        corners: Sequence[Point],
        width: float,
        height: float,
        clear: float,
    ) -> None:
        self.width, self.height = width, height
        self._clear = clear
        # Strips begin beyond the sheet: a block set there must keep clear of hexes at its very
        # edge, too.
        self._start = -math.ceil(clear / _STEP) * _STEP
        count = math.ceil((width + clear - self._start) / _STEP)
        self._above, self._below = [height] * count, [height] * count
        reach = max(x for x, _ in corners) + clear
        upper = sorted({(round(x, 6), round(y, 6)) for x, y in corners if x > -1e-6 and y > -1e-6})
        for x, y in centres:
            off_x = x - self._start
            first, last = math.floor((off_x - reach) / _STEP), math.ceil((off_x + reach) / _STEP)
            for index in range(max(0, first), min(count, last)):
                off = max(0.0, index * _STEP - off_x, off_x - (index + 1) * _STEP) - clear
                half = _half_height(upper, max(0.0, off)) + clear
                self._above[index] = min(self._above[index], y - half)
                self._below[index] = min(self._below[index], height - y - half)

    def free(self, upright: str, start: float, width: float) -> float:
        """Height free from the top (or bottom) over a stretch; all of it where the stretch lies off
        the sheet."""
        heights = self._above if upright == "top" else self._below
        start -= self._start
        first, last = (
            max(0, math.floor(start / _STEP)),
            min(len(heights), math.ceil((start + width) / _STEP)),
        )
        return min(heights[first : max(first, last)], default=self.height)

    @property
    def clear(self) -> float:
        """What stays free round each hex, mm."""
        return self._clear


def _half_height(upper: Sequence[Point], off: float) -> float:
    """Half the height of a hex, whose corners in one quarter are given, at a distance from its
    upright axis."""
    first_x, first_y = upper[0]
    if off <= first_x:
        return first_y
    for (ax, ay), (bx, by) in pairwise(upper):
        if off <= bx and bx > ax:
            return ay + (by - ay) * (off - ax) / (bx - ax)
    return upper[-1][1] if off <= upper[-1][0] + 1e-6 else 0.0


@lru_cache(maxsize=8)
def find_room(
    skyline: Skyline, blocks: tuple[Block, ...], gap_mm: float
) -> tuple[Growth, tuple[tuple[int, Rect], ...]]:
    """How far the sheet grows, and for each block the shape chosen and its box on the grown sheet.

    Blocks lie along the top or bottom, in a corner where they can, outside all hexes, `gap_mm`
    apart. The way that adds least paper wins; preferences decide between ways that add about the
    same.
    """
    width, height = skyline.width, skyline.height
    options = [
        sorted(_places(skyline, block), key=lambda p: _cost(p.growth, p, skyline))[:_KEEP]
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
        if any(_touch(one, other, gap_mm) for i, one in enumerate(boxes) for other in boxes[:i]):
            continue
        best = cost, growth, places
    if best is None:
        return _stacked(skyline, blocks, gap_mm)
    _, growth, places = best
    return growth, tuple((place.shape, place.box(width, height, growth)) for place in places)


def _cost(growth: Growth, place: Place, skyline: Skyline) -> float:
    return measured(growth.area(skyline.width, skyline.height) + place.dislike)


def _places(skyline: Skyline, block: Block) -> Iterator[Place]:
    tastes = dict(block.tastes)
    for shape, (w, h) in enumerate(block.shapes):
        wider = max(0.0, w - skyline.width)
        for upright in ("top", "bottom"):
            taste = shape * block.per_shape
            for side in ("left", "right"):
                dislike = taste + tastes.get((side, upright), 0.0)
                start = 0.0 if side == "left" else skyline.width - w
                lacking = max(0.0, h - skyline.free(upright, start, w))
                taller = Place(
                    shape=shape,
                    size=(w, h),
                    side=side,
                    upright=upright,
                    offset=0.0,
                    growth=replace(_grown(upright, lacking), **{side: wider}),
                    dislike=dislike,
                )
                yield taller
                if lacking:
                    yield replace(taller, growth=_sideways(skyline, side, upright, (w, h)))
            if not wider:
                yield _along(
                    skyline, upright, shape, (w, h), taste + tastes.get(("free", upright), 600.0)
                )


def _grown(side: str, by: float) -> Growth:
    return replace(Growth(), **{side: measured(by)})


def _sideways(skyline: Skyline, side: str, upright: str, size: Point) -> Growth:
    """Room on the left or right so that a block fits in the corner without more height."""
    w, h = size
    taller = max(0.0, h - skyline.height)
    by = 0.0
    while by < w + skyline.clear:
        start = -by if side == "left" else skyline.width - w + by
        if skyline.free(upright, start, w) >= h - taller:
            break
        by += _STEP
    return replace(_grown(side, by), **{upright: taller})


def _along(skyline: Skyline, upright: str, shape: int, size: Point, dislike: float) -> Place:
    """The stretch along the top or bottom that needs the least extra height."""
    w, h = size
    stretches = [offset * 6.0 for offset in range(int((skyline.width - w) / 6.0) + 1)]
    offset = max(
        stretches,
        key=lambda start: (
            measured(min(h, skyline.free(upright, start, w))),
            -measured(abs(start + w / 2 - skyline.width / 2)),
        ),
    )
    lacking = max(0.0, h - skyline.free(upright, offset, w))
    return Place(
        shape=shape,
        size=size,
        side="free",
        upright=upright,
        offset=offset,
        growth=_grown(upright, lacking),
        dislike=dislike,
    )


def _stacked(
    skyline: Skyline, blocks: Sequence[Block], gap_mm: float
) -> tuple[Growth, tuple[tuple[int, Rect], ...]]:
    """Blocks in one row below all hexes: always possible."""
    sizes = [block.shapes[0] for block in blocks]
    lacking = max(max(0.0, h - skyline.free("bottom", 0.0, skyline.width)) for _, h in sizes)
    wider = max(0.0, math.fsum(w for w, _ in sizes) + gap_mm * (len(sizes) - 1) - skyline.width)
    full = skyline.height + lacking
    placed, x = [], 0.0
    for w, h in sizes:
        placed.append((0, (x, full - h, w, h)))
        x += w + gap_mm
    return Growth(bottom=lacking, right=wider), tuple(placed)


def spare_room(
    skyline: Skyline, growth: Growth, taken: Sequence[Rect], size: Point, gap_mm: float
) -> Rect | None:
    """A corner of the grown sheet where a block fits as it is, beside those placed already; None
    when there is none."""
    w, h = size
    width, height = (
        skyline.width + growth.left + growth.right,
        skyline.height + growth.top + growth.bottom,
    )
    for upright in ("top", "bottom"):
        spare = growth.top if upright == "top" else growth.bottom
        for x, start in ((width - w, skyline.width + growth.right - w), (0.0, -growth.left)):
            box = (x, 0.0 if upright == "top" else height - h, w, h)
            if skyline.free(upright, start, w) + spare >= h and not any(
                _touch(box, other, gap_mm) for other in taken
            ):
                return box
    return None


def room_for(
    skyline: Skyline, growth: Growth, taken: Sequence[Rect], sizes: Sequence[Point], gap_mm: float
) -> tuple[Growth, tuple[Rect, ...]]:
    """How far a sheet grows for further blocks, and where they lie: in a corner with room for them,
    else side by side in a strip below everything, or to the right of it, whichever adds less
    paper."""
    boxes, placed = list(taken), []
    strip: Rect | None = None
    for w, h in sizes:
        width = skyline.width + growth.left + growth.right
        height = skyline.height + growth.top + growth.bottom
        box = spare_room(skyline, growth, boxes, (w, h), gap_mm)
        if box is None and strip is not None and strip[0] + w <= width:
            box = (strip[0], strip[1], w, h)
            growth = growth.joined(
                replace(growth, bottom=growth.bottom + max(0.0, strip[1] + h - height))
            )
        elif box is None:
            wider, taller = max(0.0, w - width), max(0.0, h - height)
            below = growth.joined(
                replace(growth, right=growth.right + wider, bottom=growth.bottom + h + gap_mm)
            )
            beside = growth.joined(
                replace(growth, right=growth.right + w + gap_mm, bottom=growth.bottom + taller)
            )
            if below.area(skyline.width, skyline.height) <= beside.area(
                skyline.width, skyline.height
            ):
                growth, box = below, (0.0, height + gap_mm, w, h)
            else:
                growth, box = beside, (width + gap_mm, 0.0, w, h)
        if box[1] > 0 and box[1] + box[3] > height - 1e-9:
            strip = (box[0] + w + gap_mm, box[1], w, h)
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


class Drawn:
    """What is drawn in a hex, as part of a key: reading all of it for a hash would take longer than
    what is kept."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Item, ...]) -> None:
        self.items = items

    def __hash__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Drawn) and self.items == other.items


def left_room(plan: MapPlan, drawn: tuple[Item, ...], inset_mm: float) -> Field:
    """The field of a hex without what is `drawn` in it and where its track runs, round its
    middle."""
    return room_left(plan.layout, plan.across_mm, drawn, inset_mm)


def room_left(layout: Layout, across_mm: float, drawn: tuple[Item, ...], inset_mm: float) -> Field:
    """The field of any hex without what is `drawn` in it and where its track runs."""
    field = Field(layout, across_mm, inset_mm)
    shapes, texts = flatten_scene(
        Scene(key="field", width_mm=across_mm, height_mm=across_mm, items=drawn)
    )
    for shape in shapes:
        if shape.role is Role.TRACK:
            for points in shape.polygons:
                for px, py in _stations(points):
                    field.take_disc(px, py, shape.stroke_mm / 2)
        elif shape.role is not Role.GROUND:
            left, top, right, bottom = shape.bounds
            field.take_box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    for text in texts:
        left, top, right, bottom = text.bounds
        field.take_box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    return field


def sign_discs(drawn: tuple[Item, ...]) -> Iterator[Disc]:
    """Circles that the icons and letters `drawn` in a hex cover, round its middle; mm."""
    shapes, texts = flatten_scene(Scene(key="signs", width_mm=1.0, height_mm=1.0, items=drawn))
    boxes = [shape.bounds for shape in shapes if shape.role is Role.SYMBOL] + [
        text.bounds for text in texts
    ]
    for left, top, right, bottom in boxes:
        wide, tall = right - left, bottom - top
        count = max(1, math.ceil(measured(max(wide, tall) / max(min(wide, tall), _STEP_MM))))
        radius = (
            math.hypot(
                wide if wide < tall else wide / count, tall if tall <= wide else tall / count
            )
            / 2
        )
        for k in range(count):
            share = (k + 0.5) / count
            yield (
                (left + share * wide, (top + bottom) / 2, radius)
                if wide >= tall
                else ((left + right) / 2, top + share * tall, radius)
            )


def _stations(points: Sequence[Point]) -> Iterator[Point]:
    """Points of a line no farther apart than a step."""
    for (ax, ay), (bx, by) in pairwise(points):
        steps = max(1, math.ceil(measured(math.hypot(bx - ax, by - ay) / _STEP_MM)))
        yield from ((ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps) for k in range(steps))
    yield points[-1]


# What is taken of a board, as rows of bits: whether a disc finds room at a point is one look.


# A cell is a square of one mm.
CELL_MM = 1.0
_LEVEL_MM = 0.01

# For each row of cells from the top an integer, whose lowest bit is the leftmost cell.
Rows = tuple[int, ...]


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
    return _grid_grown(rows, wide, max(0, reach)).to_bytes(bytes_of_row(wide) * len(rows), "little")


def bytes_of_row(wide: int) -> int:
    """How long a row of so many cells is."""
    return _stride(wide + 1) // 8


@lru_cache(maxsize=384)
def _grid_grown(rows: Rows, wide: int, reach: int) -> int:
    """The same, packed."""
    stride = _stride(wide + 1)
    if reach == 0:
        return packed(rows, stride)
    inner = _grid_grown(rows, wide, reach - 1)
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
