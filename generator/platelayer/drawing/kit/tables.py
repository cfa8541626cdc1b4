"""Tables of words, chips and swatches, measured and drawn with light rules; and cards with several
tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from platelayer.drawing.kit.layout import (
    Block,
    Box,
    box_block,
    line_path,
    placing,
    stacked,
    text_block,
)
from platelayer.drawing.kit.lettering import rich_width, set_rich, wrap_rich
from platelayer.drawing.kit.parts import (
    RULE_MM,
    hexagon,
    key_edge,
    rule,
    tile_ink,
)
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.surfaces import card_scene, heading_band, trimmed
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.values import Frozen
from platelayer.model.kinds import CARD_SAFE_MM
from platelayer.model.title import Size, Title
from platelayer.scene.breaks import whole_words
from platelayer.scene.inks import Ink, readable_on
from platelayer.scene.shapes import (
    Anchor,
    Item,
    Items,
    Scene,
    Stroke,
    boxed,
)
from platelayer.scene.typeset import SLACK_MM, TypeStyle, rise_mm, set_centred

# Scales of type, the largest first.
SCALES = (1.15, 1.1, 1.05, 1, 0.96, 0.92, 0.88, 0.84, 0.8, 0.76, 0.72, 0.68)
# At this scale words are set in a narrow face.
TIGHT = SCALES[-1]
_GAP_MM = 2.6
_SIDE_MM = 4.0
_MOST_PAD_MM = 1.0


class Head(Frozen):
    """A card's key, the words in its band, and its size."""

    key: str
    name: str
    size: Size


class Stack(Frozen, kw_only=True):
    """Blocks one below the other, and the number of rows that could be taller."""

    blocks: tuple[Block, ...]
    rows: int

    @staticmethod
    def of(tables: Sequence[Table], width_mm: float, more: Sequence[Block] = ()) -> Stack:
        """Return tables, and more blocks below them. Raises DoesNotFit if a table is too wide."""
        drawn = (*(draw_table(table, width_mm) for table in tables), *more)
        return Stack(blocks=drawn, rows=sum(len(table.rows) for table in tables))

    @property
    def height(self) -> float:
        """Height in mm with gaps."""
        return math.fsum(block.height for block in self.blocks) + _GAP_MM * (len(self.blocks) - 1)


# Function that returns the contents of a card at a scale of type, with the given padding above and
# below each row, in a column of the given width (mm).
_Stacked = Callable[[float, float, float], Stack]

_LEADING = 1.2
_DESCENT = 0.2


class DoesNotFit(ProblemsFound):
    """Raised if words do not fit even in the smallest type: one problem LG08 with a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__([Problem("LG08", message, hint)])


class Words(Frozen):
    """Text in one style; it wraps in a flexible column."""

    text: str
    type_style: TypeStyle
    ink: Ink

    @property
    def width(self) -> float:
        """Width in mm on one line."""
        return rich_width(self.text, self.type_style)

    def block(self, width: float, align: Anchor) -> Block:
        """Return the words in a column of this width, wrapped if they are wider."""
        if self.width <= width + SLACK_MM:
            return text_block(self.text, self.type_style, self.ink, width, align=align)
        lines = wrap_rich(self.text, self.type_style, width)
        text = text_block(lines, self.type_style, self.ink, width, leading=_LEADING, align=align)
        return stacked(text, _DESCENT * self.type_style.size_mm)


def swatch_block(
    colour: str,
    style: Style,
    size_mm: float,
    *,
    plate: bool = False,
    letter: str = "",
    type_style: TypeStyle | None = None,
) -> Block:
    """Return a small hex (or, as a `plate`, a small rectangle) in a tile colour, `size_mm` high,
    optionally with a letter on it."""
    wide = size_mm * (1.7 if plate else 1.155)
    line = key_edge(colour, style, Stroke(style.ink("card.text"), 0.15))
    ink = style.ink(colour) if plate and colour in ("black", "white") else tile_ink(colour, style)

    def draw(box: Box) -> Iterator[Item]:
        out = line.width_mm / 2
        inner = box.inset(out)
        yield (
            inner.plate(ink, line) if plate else hexagon(*box.middle, size_mm - 2 * out, ink, line)
        )
        if type_style is not None and letter:
            yield from set_centred(letter, type_style, readable_on(ink), *box.middle)

    return box_block(wide, size_mm, draw)


# Blocks are aligned with the first lines of words.
Cell = Words | Block | None


class Column(Frozen, kw_only=True):
    """A column: the alignment of its cells, and whether it takes the remaining width, wrapping its
    words."""

    align: Anchor = Anchor.START
    flexible: bool = False


class Span(Frozen):
    """A heading above the heads of columns `first` to `last`."""

    first: int
    last: int
    words: Words


class Table(Frozen, kw_only=True):
    """Rows with a cell for each column; the first is a head if `head` says so.

    Lengths are in mm: `pad` above and below each row, `gap` between columns. `even` gives equal
    width to all columns but the first, in which words are broken only if the table `wraps`. A fine
    line stands before each column whose index is in `parted`. With `whole_words`, Japanese words
    are not broken.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rule: Ink
    strong: Ink
    head: bool = True
    spans: tuple[Span, ...] = ()
    pad: float = 0.8
    gap: float = 3.0
    even: bool = False
    wraps: bool = False
    parted: tuple[int, ...] = ()
    whole_words: bool = True


class Drawn(Block, frozen=True):
    """A drawn table, and the lower edges of its rows in mm."""

    rows: tuple[float, ...] = ()


def draw_table(table: Table, width_mm: float) -> Drawn:
    """Draw the table, `width_mm` wide. Raises DoesNotFit if its columns together are too wide."""
    widths = _widths(table, width_mm)
    lefts = [math.fsum(widths[:index]) + table.gap * index for index in range(len(widths))]
    rises = [rise_mm(span.words.text, span.words.type_style) for span in table.spans]
    y = max((rise + 0.9 for rise in rises), default=0)
    # For each row, the boxes of its cells with their contents and positions.
    rows: list[list[tuple[Box, Block, float, float]]] = []
    ends = []
    for row in table.rows:
        blocks = [
            cell.block(width, column.align) if isinstance(cell, Words) else cell
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        ]
        first = max(map(_first_line, row), default=0)
        downs = [(first - _first_line(cell)) / 2 for cell in row]
        pad, tall = table.pad * (1.0 if rows or not table.head else 0.9), 0.0
        for block, down in zip(blocks, downs, strict=True):
            if block is not None:
                tall = max(tall, down + block.height)
                # Accents and descenders extend beyond the height of capitals.
                pad = max(pad, block.over, block.tails)
        placed = []
        for left, width, column, block, down in zip(
            lefts, widths, table.columns, blocks, downs, strict=True
        ):
            if block is not None:
                box = Box(left, y, width, tall + 2 * pad)
                x = box.within(block.width, 0, column.align).x
                placed.append((box, block, x, y + pad + down))
        y += tall + 2 * pad
        rows.append(placed)
        ends.append(y)

    def paint(x: float, y: float) -> Items:
        items: list[Item] = []
        for span, rise in zip(table.spans, rises, strict=True):
            words, size = span.words, span.words.type_style.size_mm
            left, right = lefts[span.first], lefts[span.last] + widths[span.last]
            middle = (left + right) / 2
            run = set_rich(
                words.text, words.type_style, words.ink, middle, rise, anchor=Anchor.MIDDLE
            )
            items.append(boxed(run, 0, -size, width_mm, rise + 2 * size))
            items.append(rule(left, rise + 0.7, right, table.rule, RULE_MM))
        for number, (cells, end) in enumerate(zip(rows, ends, strict=True)):
            items += (box.boxed(block.paint(*at)) for box, block, *at in cells)
            if table.head and number == 0:
                items.append(rule(0, end, width_mm, table.strong, 0.25))
            elif number < len(rows) - 1:
                items.append(rule(0, end, width_mm, table.rule, RULE_MM))
        between = Stroke(table.strong, RULE_MM)
        for index in table.parted:
            left = lefts[index] - table.gap / 2
            items.append(line_path((left, 0), (left, ends[-1]), between))
        return placing(items)(x, y)

    return Drawn(width_mm, y, paint, rows=tuple(ends))


def natural_width(cell: Cell) -> float:
    """Return the preferred width of a cell in mm."""
    return 0.0 if cell is None else cell.width


def _first_line(cell: Cell) -> float:
    """Return the height in mm of the first line of a cell."""
    if isinstance(cell, Words):
        return cell.type_style.cap_height_mm
    return 0.0 if cell is None else cell.height


def _widths(table: Table, width_mm: float) -> list[float]:
    """Return the widths of the columns. Raises DoesNotFit."""
    columns = list(zip(*table.rows, strict=True))
    natural = [max(map(natural_width, cells)) for cells in columns]
    count = len(natural)
    flexible = [index for index, column in enumerate(table.columns) if column.flexible]
    room = width_mm - table.gap * (count - 1)
    too_wide = f"a table of {count} columns is wider than {width_mm:.0f} mm"
    if table.even and count > 1:
        equal = (room - natural[0]) / (count - 1)
        needed = natural[1:]
        if table.wraps:
            needed = [_longest_word(table, cells) for cells in columns[1:]]
        if equal < max(needed) - SLACK_MM:
            raise DoesNotFit(too_wide)
        return [natural[0], *([equal] * (count - 1))]
    if not flexible:
        spare = room - math.fsum(natural)
        if spare < -0.01:
            raise DoesNotFit(too_wide)
        return [wide + spare / count for wide in natural]
    fixed = math.fsum(wide for index, wide in enumerate(natural) if index not in flexible)
    shares = _shares(room - fixed, [_longest_word(table, columns[index]) for index in flexible])
    if shares is None:
        raise DoesNotFit(too_wide)
    widths = natural
    for index, share in zip(flexible, shares, strict=True):
        widths[index] = share
    return widths


def _shares(room: float, wanted: Sequence[float]) -> list[float] | None:
    """Return the widths of columns in a room: equal ones, but each at least as wide as its longest
    word; None if there is too little room."""
    wide: set[int] = set()
    while len(wide) < len(wanted):
        share = (room - math.fsum(wanted[index] for index in wide)) / (len(wanted) - len(wide))
        over = {index for index, want in enumerate(wanted) if want > share + SLACK_MM}
        if over <= wide:
            return [want if index in wide else share for index, want in enumerate(wanted)]
        wide |= over
    return None


def _longest_word(table: Table, cells: Sequence[Cell]) -> float:
    """Return the width in mm of the widest word of a column."""
    widest = 0.0
    for cell in cells:
        if not isinstance(cell, Words):
            widest = max(widest, natural_width(cell))
        elif table.whole_words:
            words = whole_words(cell.text)
            widest = max([widest, *(rich_width(word, cell.type_style) for word in words)])
        else:
            parts = wrap_rich(cell.text, cell.type_style, 0.1)
            widest = max([widest, *(rich_width(part, cell.type_style) for part in parts)])
    return widest


def stacked_card(
    title: Title, head: Head, stack: _Stacked, style: Style, *, scales: Sequence[float] = SCALES
) -> Scene:
    """Draw the card with this head. Raises DoesNotFit if the stack does not fit even in the
    smallest type."""
    band, rest = heading_band(head.name, style.words(title.name), trimmed(head.size), style)
    inner = rest.inset(_SIDE_MM, 0)
    room = rest.height - 1.6 - CARD_SAFE_MM - 0.8
    body = _fitting(stack, inner.width, room, scales)
    if body is None:
        kind = head.key.partition(":")[0]
        hint = f"give {kind} a larger size, or shorten the events of the phases"
        size = f"{head.size.width_mm:g} x {head.size.height_mm:g} mm"
        raise DoesNotFit(f"{kind}: the phases do not fit a card of {size}", hint)
    spare = max(0, room - body.height) / max(1, len(body.blocks))
    tables = stacked(*body.blocks, gap=_GAP_MM + min(3.0, spare))
    above = 1.6 + min(1, spare / 2)
    items = (*band, *tables.paint(inner.x, inner.y + above))
    return card_scene(head.key, head.name, head.size, items, style)


def _fitting(stack: _Stacked, width: float, room: float, scales: Sequence[float]) -> Stack | None:
    """Return the stack in the largest type that fits, with rows as airy as the room allows."""
    for scale in scales:
        try:
            tight = stack(scale, 0, width)
        except DoesNotFit:
            continue
        if tight.height <= room:
            spare = (room - tight.height) / (2 * max(1, tight.rows))
            return stack(scale, min(_MOST_PAD_MM * max(1, scale) ** 3, spare * 0.85), width)
    return None


# Columns of equal height, filled with blocks of known heights.


class Entry(Block, frozen=True):
    """A block of a column, the room above it (none at the top of a column), the part of that room
    which `airy` columns multiply, and whether it must not be the last of a column (a heading)."""

    above: float = 0.0
    airy: float = 0.0
    keep: bool = False

    @staticmethod
    def of(block: Block, *, above: float = 0, keep: bool = False) -> Entry:
        """Return a block as part of a column."""
        return Entry(block.width, block.height, block.paint, above=above, keep=keep)

    def aired(self, air: float) -> Entry:
        """Return the entry with this much air."""
        return replace(self, above=self.airy * air + self.above, airy=0)


# For each column, its blocks with their start.
Columns = tuple[tuple[tuple[Entry, float], ...], ...]


def fill_columns(blocks: Sequence[Entry], count: int, height: float) -> Columns | None:
    """Return blocks in order in at most `count` columns of this height; None if they do not fit, or
    only by separating a block from one that it must stay with."""
    columns: list[list[tuple[Entry, float]]] = [[]]
    y = 0.0
    for index, block in enumerate(blocks):
        gap = block.above if columns[-1] else 0
        # A block moves together with those that must follow it in the same column.
        run, last = block.height, index
        while blocks[last].keep and last + 1 < len(blocks):
            last += 1
            run += blocks[last].above + blocks[last].height
        if columns[-1] and y + gap + run > height + SLACK_MM:
            if columns[-1][-1][0].keep:
                return None
            columns.append([])
            y = gap = 0.0
        if len(columns) > count or block.height > height + SLACK_MM:
            return None
        columns[-1].append((block, y + gap))
        y += gap + block.height
    return tuple(map(tuple, columns))


def take_columns(blocks: Sequence[Entry], count: int, height: float) -> tuple[Columns, int]:
    """Return the columns of one page, and the number of blocks in them: as many as fit in order,
    but at least one."""
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
    return filled or (tuple((block, 0) for block in blocks[:used]),), used


def balance(blocks: Sequence[Entry], count: int, height: float) -> Columns | None:
    """Return the columns of minimum equal height that hold the blocks; None if even `height` is too
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
    """Return the height in mm of the tallest column."""
    return max((column[-1][1] + column[-1][0].height for column in columns if column), default=0)


def columns_block(columns: Columns, width_mm: float, gap_mm: float) -> Block:
    """Return all columns, each `width_mm` wide."""
    pitch = width_mm + gap_mm

    def paint(x: float, y: float) -> Items:
        items = [
            item
            for number, column in enumerate(columns)
            for entry, down in column
            for item in entry.paint(number * pitch, down)
        ]
        return placing(items)(x, y)

    return Block(len(columns) * pitch - gap_mm, columns_height(columns), paint)
