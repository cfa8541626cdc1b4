"""Layout of pieces: boxes in boxes, grids of cells, and measured blocks stacked with gaps.

A drawer says which box lies in which, and what stands in it; coordinates follow. Lengths are in mm
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

# Line round a chip.
_CHIP_LINE = 0.12


class Box(NamedTuple):
    """The place of a part: upper left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.width

    @property
    def foot(self) -> float:
        """The y of its lower side."""
        return self.y + self.height

    @property
    def middle(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its corners, clockwise from the upper left."""
        return (
            (self.x, self.y),
            (self.right, self.y),
            (self.right, self.foot),
            (self.x, self.foot),
        )

    def inset(self, across: float, down: float | None = None) -> Box:
        """The box inside margins at its left and right, and above and below (equal ones unless
        `down` says otherwise)."""
        down = across if down is None else down
        width, height = self.width - 2 * across, self.height - 2 * down
        return Box(self.x + across, self.y + down, width, height)

    def with_top(self, y: float) -> Box:
        """The box from another upper side down to the same foot."""
        return Box(self.x, y, self.width, self.foot - y)

    def columns(self, *widths: float, gap: float = 0) -> tuple[Box, ...]:
        """Boxes side by side; a width of 0 takes an equal share of what the others leave, so that
        a computed width must not be 0."""
        shared = _shared(self.width, widths, gap)
        return tuple(Box(self.x + at, self.y, wide, self.height) for at, wide in shared)

    def rows(self, *heights: float, gap: float = 0) -> tuple[Box, ...]:
        """Boxes one below the other; a height of 0 takes an equal share of what the others
        leave."""
        shared = _shared(self.height, heights, gap)
        return tuple(Box(self.x, self.y + at, self.width, tall) for at, tall in shared)

    def grid(self, widths: Sequence[float], heights: Sequence[float]) -> Grid:
        """Cells in columns and rows without gaps, shared out as by `columns` and `rows`."""
        xs = (self.x, *(box.right for box in self.columns(*widths)))
        ys = (self.y, *(box.foot for box in self.rows(*heights)))
        return Grid(xs, ys)

    def cells(self, across: int, down: int, gap: float) -> tuple[Box, ...]:
        """Equal boxes, `gap` apart, row by row from the upper left."""
        rows = self.rows(*[0] * down, gap=gap)
        return tuple(cell for row in rows for cell in row.columns(*[0] * across, gap=gap))

    def within(
        self, width: float, height: float, align: Anchor = Anchor.MIDDLE, level: float = 0.5
    ) -> Box:
        """A box of this size inside: at the left, the middle or the right, with `level` of the spare
        height above it."""
        x = self.x + SHARE[align] * (self.width - width)
        return Box(x, self.y + level * (self.height - height), width, height)

    def path(self, radius: float = 0) -> Commands:
        """Its outline, with rounded corners on request."""
        return rectangle_path(*self, radius)

    def plate(
        self,
        fill: Ink | None = None,
        stroke: Stroke | None = None,
        *,
        radius: float = 0,
        role: Role = Role.GROUND,
    ) -> Path:
        """The box filled, outlined, or both."""
        return Path(self.path(radius), fill=fill, stroke=stroke, role=role)

    def rule(self, stroke: Stroke, level: float = 1) -> Path:
        """A line from side to side, at the foot or at this share of the height."""
        y = self.y + level * self.height
        return line_path((self.x, y), (self.right, y), stroke)

    def boxed(self, items: Sequence[Item]) -> Group:
        """Items whose words may not leave the box."""
        return boxed(items, *self)

    def place(self, thing: str, ghost: Sequence[Item]) -> Group:
        """The place of a thing that people lay there, with what is faintly printed in it."""
        return replace(self.boxed(ghost), place=thing)

    def clipped(self, items: Sequence[Item], radius: float = 0) -> Group:
        """Items cut off at the edges of the box, which has rounded corners on request."""
        return Group(tuple(items), clip=self.path(radius))

    def placed(self, items: Sequence[Item]) -> Group:
        """Items drawn from (0, 0), moved to its upper left corner."""
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
        """One line in the middle of the height, `pad` from the left and right sides: in smaller type
        as needed, and cut with an ellipsis where even the smallest is too wide."""
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
        """A block inside, which may not leave the box: its middle on that of the box, unless `align`
        and `level` place it as in `within`, `pad` from the left and right sides and `down` from the
        upper and lower ones. Accents and tails that would leave the box move it."""
        x, y, *_ = self.inset(pad, down).within(block.width, block.height, align, level)
        highest, lowest = self.y + block.over, self.foot - block.height - block.tails
        y = max(highest, min(y, lowest)) if highest <= lowest else (highest + lowest) / 2
        return self.boxed(block.paint(x, y))


def _shared(room: float, lengths: Sequence[float], gap: float) -> tuple[tuple[float, float], ...]:
    """Start and length of each part of a room, in which parts of length 0 are equally long."""
    rest = room - math.fsum(lengths) - gap * (len(lengths) - 1)
    equal = rest / max(1, lengths.count(0))
    parts = [length or equal for length in lengths]
    starts = accumulate((part + gap for part in parts), initial=0)
    return tuple(zip(starts, parts, strict=False))


class Grid(Frozen):
    """Cells between uprights at `xs` and levels at `ys`, the first and last of which are its sides.

    `grid[column, row]` is a cell, counted from 0 at the upper left; with slices, several cells.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def __getitem__(self, cells: tuple[int | slice, int | slice]) -> Box:
        """The box of these columns and rows."""
        (left, right), (top, foot) = map(_sides, (self.xs, self.ys), cells)
        return Box(left, top, right - left, foot - top)

    def level(self, row: int, stroke: Stroke, columns: slice = slice(None)) -> Path:
        """The line above a row, across these columns."""
        left, right = _sides(self.xs, columns)
        return line_path((left, self.ys[row]), (right, self.ys[row]), stroke)

    def upright(self, column: int, stroke: Stroke, rows: slice = slice(None)) -> Path:
        """The line at the left of a column, down these rows."""
        top, foot = _sides(self.ys, rows)
        return line_path((self.xs[column], top), (self.xs[column], foot), stroke)


def _sides(lines: Sequence[float], cells: int | slice) -> tuple[float, float]:
    """The first and the last of the lines that bound cells."""
    if isinstance(cells, int):
        cells = slice(cells, cells + 1 or None)
    first, end, _ = cells.indices(len(lines) - 1)
    return lines[first], lines[end]


def line_path(start: Point, end: Point, stroke: Stroke) -> Path:
    """A straight line."""
    return Path((("M", *start), ("L", *end)), stroke=stroke)


def disc(
    middle: Point,
    radius: float,
    fill: Ink | None = None,
    stroke: Stroke | None = None,
    role: Role = Role.GROUND,
) -> Circle:
    """A disc or, without a fill, a ring."""
    x, y = middle
    return Circle(x, y, radius, fill=fill, stroke=stroke, role=role)


# Draws with the upper left corner of a block at (x, y).
Paint = Callable[[float, float], Items]


class Block(Frozen):
    """Something measured that is yet to be placed. Accents and tails of its words reach `over` its
    upper side, and `tails` below its lower one."""

    width: float
    height: float
    paint: Paint
    over: float = 0.0
    tails: float = 0.0

    def sized(
        self, width: float, height: float, align: Anchor = Anchor.MIDDLE, level: float = 0.5
    ) -> Block:
        """The same in a box of this size, placed as by `Box.within`."""
        across, down = SHARE[align] * (width - self.width), level * (height - self.height)
        return Block(width, height, lambda x, y: self.paint(x + across, y + down))


def strut(height: float) -> Block:
    """Nothing, which takes room."""
    return Block(0, height, lambda _x, _y: ())


# Height of a line above its baseline.
Rise = Callable[[str, TypeStyle], float]


def capitals_mm(_text: str, type_style: TypeStyle) -> float:
    """Height of capitals, whatever the line: figures and words beside each other are level."""
    return type_style.cap_height_mm


def leaded(ems: float) -> Rise:
    """The first baseline lies as far below the upper edge as lines are apart."""
    return lambda _text, type_style: ems * type_style.size_mm


def below(length: float) -> Rise:
    """The first baseline lies this far below the upper edge."""
    return lambda _text, _type_style: length


# What stands in a stack or a row: blocks, and gaps as lengths between them.
Part = Block | float


def box_block(width: float, height: float, draw: Callable[[Box], Iterable[Item]]) -> Block:
    """A block of this size, drawn into its box wherever that is placed."""
    return Block(width, height, lambda x, y: tuple(draw(Box(x, y, width, height))))


def placing(items: Sequence[Item]) -> Paint:
    """Items drawn from (0, 0), to be painted elsewhere."""
    return lambda x, y: (Group(tuple(items), matrix=translation(x, y)),)


def shape_block(items: Sequence[Item], width: float, height: float | None = None) -> Block:
    """Items drawn round (0, 0), which fill a square, or a box of this height."""
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
    """Lines, or one line, in a width, that of the widest unless it is given. Their height is from
    the `rise` of the first, the top of its capitals, to the last baseline or, `by_ink`, from the
    highest to the lowest ink. `leading` is in ems, but lines stand further apart where accents
    would touch the line above. To `fill` the width, Japanese lines but the last are opened."""
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
    """A text on lines of a width, flush left."""
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
    """One line, in smaller type or cut so that it fits a width."""
    type_style, text = one_line(text, type_style, width)
    return text_block(text, type_style, ink, rise=rise, by_ink=by_ink)


def rule_block(length: float, stroke: Stroke) -> Block:
    """A level line."""
    return Block(length, 0, lambda x, y: (line_path((x, y), (x + length, y), stroke),))


def chip_block(text: str, colour: str, type_style: TypeStyle, style: Style) -> Block:
    """A small plate in a tile colour with a name on it."""
    em, ground = type_style.size_mm, tile_ink(colour, style)
    ink, (low, high) = readable_on(ground), ink_height(text, type_style)
    edge = key_edge(colour, style, Stroke(ink, _CHIP_LINE))

    def draw(box: Box) -> Items:
        # A rim stands within the plate, so that neighbours keep their distance.
        inside = (edge.width_mm - _CHIP_LINE) / 2
        plate = box.inset(inside).plate(ground, edge, radius=box.height * 0.22 - inside)
        base = box.y + box.height / 2 + base_in(text, type_style, box.height)
        words = set_line(text, type_style, ink, box.middle[0], base, anchor=Anchor.MIDDLE)
        return (plate, box.boxed(words))

    width = max(text_width(text, type_style) + em * 0.62, em * 1.22)
    return box_block(width, max(em * 1.16, high - low + 0.1), draw)


def layered(*blocks: Block) -> Block:
    """Blocks one over the other, the first undermost, on one middle."""
    width, height = (
        max(lengths) for lengths in zip(*((b.width, b.height) for b in blocks), strict=True)
    )

    def paint(x: float, y: float) -> Items:
        placed = [block.sized(width, height).paint(x, y) for block in blocks]
        return tuple(chain.from_iterable(placed))

    return Block(width, height, paint)


def stacked(*parts: Part, gap: float = 0, align: Anchor = Anchor.MIDDLE) -> Block:
    """Blocks one below the other, `gap` apart, their middles (or left or right sides) in line; a
    length among them is a further gap."""
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
    """Blocks side by side, `gap` apart, with `level` of the spare height above each; a length among
    them is a further gap."""
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
    """Blocks side by side, `gap` apart, on as many lines as they need in a width, `between`
    apart."""
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
    """The blocks among some parts, where each begins, and where the last part ends."""
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
