"""Layout of pieces: nested boxes, grids of cells, and measured blocks stacked with gaps.

A drawer says which box lies in which, and what each contains; coordinates follow. Lengths are in mm
or, on a `Card`, in its design units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.drawing.kit.lettering import (
    base_in,
    ink_height,
    line_step,
    one_line,
    rich_width,
    set_lines,
    wrap_within,
)
from platelayer.drawing.kit.parts import key_edge, tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.foundation.values import Frozen
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import (
    SHARE,
    Anchor,
    Circle,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    boxed,
    rectangle_path,
    translation,
)
from platelayer.scene.typeset import TypeStyle, set_line, text_width

# Width of the line around a chip.
_CHIP_LINE = 0.12


class Box(NamedTuple):
    """A rectangle for a part: upper left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.x + self.width

    @property
    def foot(self) -> float:
        """The y of the lower side."""
        return self.y + self.height

    @property
    def middle(self) -> Point:
        """The middle of the box."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """The corners, clockwise from the upper left."""
        return (
            (self.x, self.y),
            (self.right, self.y),
            (self.right, self.foot),
            (self.x, self.foot),
        )

    def inset(self, across: float, down: float | None = None) -> Box:
        """Return the box inside margins: `across` at left and right, and `down` (by default the
        same) above and below."""
        down = across if down is None else down
        width, height = self.width - 2 * across, self.height - 2 * down
        return Box(self.x + across, self.y + down, width, height)

    def with_top(self, y: float) -> Box:
        """Return the box with its upper side moved to `y` and the same foot."""
        return Box(self.x, y, self.width, self.foot - y)

    def columns(self, *widths: float, gap: float = 0) -> tuple[Box, ...]:
        """Return boxes side by side. A width of 0 takes an equal share of the remaining width, so
        that a computed width must not be 0."""
        shared = _shared(self.width, widths, gap)
        return tuple(Box(self.x + at, self.y, wide, self.height) for at, wide in shared)

    def rows(self, *heights: float, gap: float = 0) -> tuple[Box, ...]:
        """Return boxes one below the other. A height of 0 takes an equal share of the remaining
        height."""
        shared = _shared(self.height, heights, gap)
        return tuple(Box(self.x, self.y + at, self.width, tall) for at, tall in shared)

    def grid(self, widths: Sequence[float], heights: Sequence[float]) -> Grid:
        """Return cells in columns and rows without gaps, with sizes as in `columns` and `rows`."""
        xs = (self.x, *(box.right for box in self.columns(*widths)))
        ys = (self.y, *(box.foot for box in self.rows(*heights)))
        return Grid(xs, ys)

    def cells(self, across: int, down: int, gap: float) -> tuple[Box, ...]:
        """Return equal boxes, `gap` apart, row by row from the upper left."""
        rows = self.rows(*[0] * down, gap=gap)
        return tuple(cell for row in rows for cell in row.columns(*[0] * across, gap=gap))

    def within(
        self, width: float, height: float, align: Anchor = Anchor.MIDDLE, level: float = 0.5
    ) -> Box:
        """Return a box of this size inside: at the left, the middle or the right, with the share
        `level` of the spare height above it."""
        x = self.x + SHARE[align] * (self.width - width)
        return Box(x, self.y + level * (self.height - height), width, height)

    def path(self, radius: float = 0) -> Commands:
        """Return the outline, with rounded corners if requested."""
        return rectangle_path(*self, radius)

    def plate(
        self,
        fill: Ink | None = None,
        stroke: Stroke | None = None,
        *,
        radius: float = 0,
        role: Role = Role.GROUND,
    ) -> Path:
        """Return the box filled, outlined, or both."""
        return Path(self.path(radius), fill=fill, stroke=stroke, role=role)

    def rule(self, stroke: Stroke, level: float = 1) -> Path:
        """Return a line from side to side, at the foot or at a share of the height."""
        y = self.y + level * self.height
        return line_path((self.x, y), (self.right, y), stroke)

    def boxed(self, items: Sequence[Item]) -> Group:
        """Return items whose words may not leave the box."""
        return boxed(items, *self)

    def place(self, thing: str, ghost: Sequence[Item]) -> Group:
        """Return the box as the place where players put a thing, with a faint ghost printed in
        it."""
        return replace(self.boxed(ghost), place=thing)

    def clipped(self, items: Sequence[Item], radius: float = 0) -> Group:
        """Return items clipped to the box, which has rounded corners if requested."""
        return Group(tuple(items), clip=self.path(radius))

    def placed(self, items: Sequence[Item]) -> Group:
        """Return items drawn from (0, 0), moved to the box's upper left corner."""
        return Group(tuple(items), matrix=translation(self.x, self.y))

    def words(
        self,
        text: str,
        type_style: TypeStyle,
        ink: Ink,
        align: Anchor = Anchor.MIDDLE,
        *,
        pad: float = 0,
        over: tuple[Role, ...] = (),
    ) -> Group:
        """Return one line at half height, `pad` from the left and right sides: in smaller type as
        needed, and shortened with an ellipsis if even the smallest is too wide."""
        type_style, text = one_line(text, type_style, self.width - 2 * pad)
        x = self.x + pad + SHARE[align] * (self.width - 2 * pad)
        base = self.y + self.height / 2 + base_in(text, type_style, self.height)
        return self.boxed(set_line(text, type_style, ink, x, base, anchor=align, over=over))

    def centred(
        self,
        block: Block,
        align: Anchor = Anchor.MIDDLE,
        level: float = 0.5,
        *,
        pad: float = 0,
        down: float = 0,
    ) -> Group:
        """Return a block inside the box, which it may not leave: centred, or placed by `align` and
        `level` as in `within`, `pad` from the left and right sides and `down` from the upper and
        lower ones. It is moved if accents or tails would leave the box."""
        x, y, *_ = self.inset(pad, down).within(block.width, block.height, align, level)
        highest, lowest = self.y + block.over, self.foot - block.height - block.tails
        y = max(highest, min(y, lowest)) if highest <= lowest else (highest + lowest) / 2
        return self.boxed(block.paint(x, y))


def _shared(room: float, lengths: Sequence[float], gap: float) -> tuple[tuple[float, float], ...]:
    """Return start and length of each part of a room; parts of length 0 share the rest equally."""
    rest = room - math.fsum(lengths) - gap * (len(lengths) - 1)
    equal = rest / max(1, lengths.count(0))
    parts = [length or equal for length in lengths]
    starts = accumulate((part + gap for part in parts), initial=0)
    return tuple(zip(starts, parts, strict=False))


class Grid(Frozen):
    """Cells between vertical lines at `xs` and horizontal lines at `ys`, including the outer sides.

    `grid[column, row]` is a cell, counted from 0 at the upper left; with slices, a block of cells.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def __getitem__(self, cells: tuple[int | slice, int | slice]) -> Box:
        """Return the box of these columns and rows."""
        (left, right), (top, foot) = map(_sides, (self.xs, self.ys), cells)
        return Box(left, top, right - left, foot - top)

    def level(self, row: int, stroke: Stroke, columns: slice = slice(None)) -> Path:
        """Return the line above a row, across these columns."""
        left, right = _sides(self.xs, columns)
        return line_path((left, self.ys[row]), (right, self.ys[row]), stroke)

    def upright(self, column: int, stroke: Stroke, rows: slice = slice(None)) -> Path:
        """Return the line at the left of a column, down these rows."""
        top, foot = _sides(self.ys, rows)
        return line_path((self.xs[column], top), (self.xs[column], foot), stroke)


def _sides(lines: Sequence[float], cells: int | slice) -> tuple[float, float]:
    """Return the first and the last of the lines that bound cells."""
    if isinstance(cells, int):
        cells = slice(cells, cells + 1 or None)
    first, end, _ = cells.indices(len(lines) - 1)
    return lines[first], lines[end]


def line_path(start: Point, end: Point, stroke: Stroke) -> Path:
    """Return a straight line."""
    return Path((("M", *start), ("L", *end)), stroke=stroke)


def disc(
    middle: Point,
    radius: float,
    fill: Ink | None = None,
    stroke: Stroke | None = None,
    role: Role = Role.GROUND,
) -> Circle:
    """Return a disc or, without a fill, a ring."""
    x, y = middle
    return Circle(x, y, radius, fill=fill, stroke=stroke, role=role)


# Function that draws a block with its upper left corner at (x, y).
Paint = Callable[[float, float], Items]


class Block(Frozen):
    """Something measured that is yet to be placed. Accents and tails of its words extend `over`
    above its upper side, and `tails` below its lower one."""

    width: float
    height: float
    paint: Paint
    over: float = 0.0
    tails: float = 0.0

    def sized(
        self, width: float, height: float, align: Anchor = Anchor.MIDDLE, level: float = 0.5
    ) -> Block:
        """Return the block in a box of this size, placed as by `Box.within`."""
        across, down = SHARE[align] * (width - self.width), level * (height - self.height)
        return Block(width, height, lambda x, y: self.paint(x + across, y + down))


def strut(height: float) -> Block:
    """Return an empty block of this height."""
    return Block(0, height, lambda _x, _y: ())


# Function that returns the height of a line above its baseline.
Rise = Callable[[str, TypeStyle], float]


def capitals_mm(_text: str, type_style: TypeStyle) -> float:
    """Return the height of capitals, whatever the line, so that figures and words side by side are
    level."""
    return type_style.cap_height_mm


def leaded(ems: float) -> Rise:
    """Return a rise by which the first baseline lies one line spacing below the upper edge."""
    return lambda _text, type_style: ems * type_style.size_mm


def below(length: float) -> Rise:
    """Return a rise by which the first baseline lies this far below the upper edge."""
    return lambda _text, _type_style: length


# Contents of a stack or row: blocks, and lengths as gaps between them.
Part = Block | float


def box_block(width: float, height: float, draw: Callable[[Box], Iterable[Item]]) -> Block:
    """Return a block of this size that draws into its box wherever that is placed."""
    return Block(width, height, lambda x, y: tuple(draw(Box(x, y, width, height))))


def placing(items: Sequence[Item]) -> Paint:
    """Return a painter of items drawn from (0, 0), to be placed elsewhere."""
    return lambda x, y: (Group(tuple(items), matrix=translation(x, y)),)


def shape_block(items: Sequence[Item], width: float, height: float | None = None) -> Block:
    """Return items drawn around (0, 0) as a square block, or one of this height."""
    height, paint = width if height is None else height, placing(items)
    across, down = width / 2, height / 2
    return Block(width, height, lambda x, y: paint(x + across, y + down))


def text_block(
    lines: Sequence[str] | str,
    type_style: TypeStyle,
    ink: Ink,
    width: float | None = None,
    *,
    leading: float = 1.22,
    align: Anchor = Anchor.MIDDLE,
    rise: Rise = capitals_mm,
    by_ink: bool = False,
    fill: bool = False,
) -> Block:
    """Return lines, or one line, as a block of a width (by default that of the widest line).

    Its height is from the `rise` of the first line (by default the top of its capitals) to the last
    baseline or, `by_ink`, from the highest to the lowest ink. `leading` is in ems, but lines are
    further apart where accents would touch the line above. With `fill`, all Japanese lines but the
    last are opened to the full width.
    """
    if not lines:
        return strut(0)
    lines = (lines,) if isinstance(lines, str) else lines
    if width is None:
        width = max(rich_width(line, type_style) for line in lines)
    first, last = lines[0], lines[-1]
    step = line_step(lines, type_style, leading)
    highest = ink_height(first, type_style.beside(first))[1]
    lowest = ink_height(last, type_style.beside(last))[0]
    top, drop = (highest, -lowest) if by_ink else (rise(first, type_style), 0)
    across, ems, measure = SHARE[align] * width, step / type_style.size_mm, width if fill else 0

    def paint(x: float, y: float) -> Items:
        x, y = x + across, y + top
        return set_lines(
            lines, type_style, ink, x, y, leading=ems, anchor=align, measure_mm=measure
        )

    height = top + step * (len(lines) - 1) + drop
    return Block(width, height, paint, over=max(0, highest - top), tails=max(0, -lowest - drop))


def paragraph(
    text: str,
    type_style: TypeStyle,
    ink: Ink,
    width: float,
    *,
    leading: float = 1.2,
    rise: Rise = capitals_mm,
    fill: bool = True,
) -> Block:
    """Return a text wrapped to a width, flush left."""
    lines = wrap_within(text, type_style, width, fill=fill) if text else ()
    return text_block(
        lines, type_style, ink, width, leading=leading, align=Anchor.START, rise=rise, fill=fill
    )


def line_block(
    text: str,
    type_style: TypeStyle,
    ink: Ink,
    width: float,
    *,
    rise: Rise = capitals_mm,
    by_ink: bool = False,
) -> Block:
    """Return one line, in smaller type or shortened to fit a width."""
    type_style, text = one_line(text, type_style, width)
    return text_block(text, type_style, ink, rise=rise, by_ink=by_ink)


def rule_block(length: float, stroke: Stroke) -> Block:
    """Return a horizontal line."""
    return Block(length, 0, lambda x, y: (line_path((x, y), (x + length, y), stroke),))


def chip_block(text: str, colour: str, type_style: TypeStyle, style: Style) -> Block:
    """Return a small plate in a tile colour with a name on it."""
    em, ground = type_style.size_mm, tile_ink(colour, style)
    ink, (low, high) = readable_on(ground), ink_height(text, type_style)
    edge = key_edge(colour, style, Stroke(ink, _CHIP_LINE))

    def draw(box: Box) -> Items:
        # The rim is inside the plate, so that the gap to neighbours is unchanged.
        inside = (edge.width_mm - _CHIP_LINE) / 2
        plate = box.inset(inside).plate(ground, edge, radius=box.height * 0.22 - inside)
        base = box.y + box.height / 2 + base_in(text, type_style, box.height)
        words = set_line(text, type_style, ink, box.middle[0], base, anchor=Anchor.MIDDLE)
        return (plate, box.boxed(words))

    width = max(text_width(text, type_style) + em * 0.62, em * 1.22)
    return box_block(width, max(em * 1.16, high - low + 0.1), draw)


def layered(*blocks: Block) -> Block:
    """Return blocks on top of each other with a common middle, the first at the bottom."""
    width, height = (
        max(lengths) for lengths in zip(*((b.width, b.height) for b in blocks), strict=True)
    )

    def paint(x: float, y: float) -> Items:
        placed = [block.sized(width, height).paint(x, y) for block in blocks]
        return tuple(chain.from_iterable(placed))

    return Block(width, height, paint)


def stacked(*parts: Part, gap: float = 0, align: Anchor = Anchor.MIDDLE) -> Block:
    """Return blocks one below the other, `gap` apart, with their middles (or left or right sides)
    aligned; a length among them is an extra gap."""
    blocks, offsets, height = _lined_up(parts, gap, lambda block: block.height)
    width = max((block.width for block in blocks), default=0)

    def paint(x: float, y: float) -> Items:
        items: list[Item] = []
        for block, down in zip(blocks, offsets, strict=True):
            items += block.paint(x + SHARE[align] * (width - block.width), y + down)
        return tuple(items)

    over = blocks[0].over if blocks and blocks[0] is parts[0] else 0
    tails = blocks[-1].tails if blocks and blocks[-1] is parts[-1] else 0
    return Block(width, height, paint, over, tails)


def in_row(*parts: Part, gap: float = 0, level: float = 0.5) -> Block:
    """Return blocks side by side, `gap` apart, with the share `level` of the spare height above
    each; a length among them is an extra gap."""
    blocks, offsets, width = _lined_up(parts, gap, lambda block: block.width)
    height = max((block.height for block in blocks), default=0)

    def paint(x: float, y: float) -> Items:
        items: list[Item] = []
        for block, across in zip(blocks, offsets, strict=True):
            items += block.paint(x + across, y + level * (height - block.height))
        return tuple(items)

    return Block(width, height, paint)


def flowed(
    blocks: Sequence[Block],
    width: float,
    gap: float,
    between: float,
    align: Anchor = Anchor.START,
) -> Block:
    """Return blocks side by side, `gap` apart, on as many lines as a width requires, with the lines
    `between` apart."""
    lines: list[list[Block]] = []
    room = 0.0
    for block in blocks:
        if not lines or block.width > room:
            lines.append([])
            room = width
        lines[-1].append(block)
        room -= block.width + gap
    return stacked(*(in_row(*line, gap=gap) for line in lines), gap=between, align=align)


def _lined_up(
    parts: Sequence[Part], gap: float, length: Callable[[Block], float]
) -> tuple[list[Block], list[float], float]:
    """Return the blocks among some parts, the start of each, and the end of the last part."""
    blocks: list[Block] = []
    offsets = []
    at = 0.0
    for part in parts:
        if isinstance(part, Block):
            at += gap if blocks else 0
            blocks.append(part)
            offsets.append(at)
            at += length(part)
        else:
            at += part
    return blocks, offsets, at
