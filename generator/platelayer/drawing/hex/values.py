"""Values in a hex: revenue discs, tables of values that change, and off-board blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.captions import Captions
from platelayer.drawing.hex.geometry import Candidate
from platelayer.drawing.hex.ground import letter_of
from platelayer.drawing.hex.stops import Mark
from platelayer.drawing.hex.words import Option, Shape, cut_lengths
from platelayer.drawing.kit.icons import over_symbols
from platelayer.drawing.kit.rich_text import (
    Block,
    cut_name,
    line_breaks,
    sizes_down,
    stacked,
    words_block,
)
from platelayer.drawing.kit.style import Style
from platelayer.foundation.text import Text, printed_number
from platelayer.foundation.ties import ranked
from platelayer.model.hexes import Layout
from platelayer.model.tile import RevenueStep, StopKind
from platelayer.scene.inks import Ink, mix, readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import Circle, Item, Path, Point, Role, rectangle_path
from platelayer.scene.typeset import SLACK_MM, TypeStyle, set_centred, text_width

_PAD = 0.42
"""Space left and right of a value, in cap heights; above and below it is a little more."""


class _Box(Struct, frozen=True):
    value: str
    note: str
    ground: Ink


class _Grid(Struct, frozen=True, kw_only=True):
    """Boxes of one size in rows, centred on (0, 0); mm."""

    columns: int
    rows: int
    width: float
    height: float

    def corner(self, index: int) -> Point:
        """Upper left of a box."""
        row, column = divmod(index, self.columns)
        return (column - self.columns / 2) * self.width, (row - self.rows / 2) * self.height


DISC = 0.079
"""Radius of a revenue disc as a share of the hex."""
_FULL = 1.62
"""Width of the widest figures in a disc, in radii."""
_WIDEST = 1.78
_SMALL = 0.86
_SMALL_COST, _CROWDED_COST = 0.9, 15.0
"""For a disc that is smaller than those of other hexes."""
_COVER_COST = 2.0
"""For covering some of a pattern or frame: more than a slightly smaller disc, less than one that is
crowded."""
_RIM_TINT = 0.4
"""How much of a solid rim's ink the ground of a value has where tiles are paler than their rims:
colours that are told by rims alone could not be told apart in a table."""
_CAPSULE = 1.85
"""Height of a capsule round a value, in cap heights."""
_SHRUNK_COST = 1.2
"""For figures smaller than those of other values, so that they fit into a disc."""
_SIZE_COST, _TABLE_SIZE_COST = 0.8, 0.5
_ROW_COST = 0.5
"""For each further row of a table."""
_PREFERRED = {Layout.FLAT: 0.0, Layout.POINTY: -30.0}
_ENOUGH, _TABLE_ENOUGH = 1.5, 1.4

Steps = tuple[RevenueStep, ...]


def add_offboard(captions: Captions) -> None:
    """The name of an off-board place above the table of its values, as one block; of each of
    several, if they have names of their own."""
    offboards = [
        stop for stop in captions.tile.stops if stop.kind is StopKind.OFFBOARD and not stop.hidden
    ]
    steps = offboards[0].revenue if offboards else ()
    for index, claim in captions.claims.items():
        stop = captions.tile.stops[index]
        if stop in offboards and stop.name is not None and any(step.value for step in stop.revenue):
            options = _offboard_options(captions, stop.name, stop.revenue, claim.mark)
            captions.add("offboard", options, enough=1.3, of=claim.mark)
            captions.told.add(index)
    if (
        captions.told
        or captions.tile.name is None
        or len(steps) < 2
        or captions.marks
        or not captions.is_alike()
    ):
        return
    captions.add("offboard", _offboard_options(captions, captions.tile.name, steps), enough=1.3)
    captions.told.update(range(len(captions.tile.stops)))
    captions.named = True


def _offboard_options(
    captions: Captions, place: Text, steps: Steps, mark: Mark | None = None
) -> Iterator[Option]:
    table_type = captions.type("map.offboard")

    def make(
        lines: tuple[str, ...], type_style: TypeStyle, number: int, size_pt: float
    ) -> tuple[Shape, Sequence[Candidate]]:
        words = words_block(lines, type_style, captions.ink)
        table = _tables(steps, size_pt, captions.style)[number]
        block = stacked(words, table, 1.1 * captions.scale)
        core = (table.width / 2, table.height / 2)
        return Shape(block, core=core), captions.beside(
            mark, block
        ) if mark else captions.anywhere()

    def shortened(length: int, number: int, size_pt: float) -> tuple[Shape, Sequence[Candidate]]:
        return make(cut_name(name, length), least, number, size_pt)

    name = captions.style.words(place)
    largest = captions.type("tile.name" if mark else "tile.name.large")
    least = largest.at(largest.min_pt)
    breaks = line_breaks(name)
    tables = range(len(_columns(steps)))
    for rank, type_style in enumerate(sizes_down(largest, 1.0)):
        size = max(table_type.min_pt, table_type.size_pt * (1 - 0.08 * rank))
        for count, lines in enumerate(breaks):
            for number in tables:
                cost = rank * _SIZE_COST + count * 0.15 + number * _ROW_COST
                yield Option(cost, partial(make, lines, type_style, number, size), rank > 0)
    for cost, length in cut_lengths(name) if captions.short else ():
        for number in tables:
            yield Option(cost, partial(shortened, length, number, size), True)


def add_tables(captions: Captions) -> None:
    """Values that change with the colour or phase, as tables: one for all stops when they are
    alike, else one each."""
    for steps, indices in captions.values().items():
        if len(steps) < 2:
            continue
        drawn = any(captions.plan.marks[index] is not None for index in indices)
        for mark in (
            [None] if captions.is_alike() else [captions.mark_of(index) for index in indices]
        ):
            options = _table_options(captions, steps, mark, ring=drawn)
            captions.add("table", options, enough=_TABLE_ENOUGH, of=mark)


def _table_options(
    captions: Captions, steps: Steps, mark: Mark | None, *, ring: bool
) -> Iterator[Option]:
    def make(number: int, size_pt: float) -> tuple[Shape, Sequence[Candidate]]:
        block = _tables(steps, size_pt, captions.style)[number]
        if mark is not None:
            return Shape(block), captions.beside(mark, block)
        shares = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
        return Shape(block), captions.ring(
            (block.width, block.height), 90.0, shares
        ) if ring else captions.anywhere()

    for rank, type_style in enumerate(sizes_down(captions.type("map.offboard"), 0.75)):
        for number in range(len(_columns(steps))):
            cost = rank * _TABLE_SIZE_COST + number * _ROW_COST
            yield Option(cost, partial(make, number, type_style.size_pt), rank > 0)


def _columns(steps: Steps) -> tuple[int, ...]:
    """How many values a row of a table can have, all its rows alike."""
    return tuple(columns for columns in range(len(steps), 0, -1) if len(steps) % columns == 0)


@lru_cache(maxsize=512)
def _tables(steps: Steps, size_pt: float, style: Style) -> tuple[Block, ...]:
    """A table of values in one row, in several full rows, in one column."""
    items, width, height = revenue_table(steps, style, max_width_mm=1e6, size_pt=size_pt)
    blocks = [Block(items, width, height)]
    for columns in _columns(steps)[1:]:
        limit = width / len(steps) * columns + SLACK_MM
        blocks.append(Block(*revenue_table(steps, style, max_width_mm=limit, size_pt=size_pt)))
    return tuple(blocks)


def add_discs(captions: Captions) -> None:
    """Values that stay: one disc for all stops when they are alike, else one each."""
    values = captions.values()
    for steps, indices in values.items():
        if len(steps) > 1:
            continue
        if captions.is_alike():
            marks = [
                mark
                for mark in (captions.plan.marks[index] for index in indices)
                if mark is not None
            ]
            _add_disc(captions, steps[0].value, marks, own=False)
            continue
        for mark in map(captions.mark_of, indices):
            # The only value keeps its place among tiles, as long as that is plainly its stop's.
            _add_disc(
                captions,
                steps[0].value,
                [mark] if mark else [],
                own=len(values) > 1 or len(indices) > 1,
            )


def _add_disc(captions: Captions, value: int, marks: list[Mark], *, own: bool) -> None:
    """A value in a disc; one too wide for it stands in a capsule, or smaller in a disc."""
    style, full = captions.style, captions.type("tile.revenue")
    usual = DISC * captions.across
    words = words_block((printed_number(value),), full, style.ink("text"))
    if long := words.width > _FULL * usual:
        fitting = full.at(max(full.min_pt, full.size_pt * _FULL * usual / words.width))
        words = words_block((printed_number(value),), fitting, style.ink("text"))
    radius = max(usual, words.width / _FULL)
    least = max(words.width / _WIDEST, _SMALL * radius)
    rim = style.stroke("tile.disc")

    def disc(reach: float, words: Block = words) -> tuple[Shape, Sequence[Candidate]]:
        ground = Circle(
            cx=0.0, cy=0.0, r=reach, fill=style.ink("white"), stroke=rim, role=Role.SYMBOL
        )
        outer = reach + rim.width_mm / 2
        block = Block((ground, *over_symbols(words.items)), 2 * outer, 2 * outer)
        return Shape(block, reach), _disc_places(captions, reach, (0.0, 0.0), marks, own=own)

    def capsule(type_style: TypeStyle) -> tuple[Shape, Sequence[Candidate]]:
        words = words_block((printed_number(value),), type_style, style.ink("text"))
        tall = type_style.cap_height_mm * _CAPSULE
        wide = words.width + 0.7 * tall
        box = rectangle_path(-wide / 2, -tall / 2, wide, tall, tall / 2)
        ground = Path(commands=box, fill=style.ink("white"), stroke=rim, role=Role.SYMBOL)
        block = Block(
            (ground, *over_symbols(words.items)), wide + rim.width_mm, tall + rim.width_mm
        )
        half = (block.width / 2, block.height / 2)
        return Shape(block), _disc_places(captions, 0.0, half, marks, own=own)

    smaller = _SHRUNK_COST if long else 0.0
    options = [
        Option(smaller, partial(disc, radius), smaller > 0),
        Option(smaller + _SMALL_COST, partial(disc, least), True),
    ]
    if long:
        for rank, type_style in enumerate(sizes_down(full, 0.75)):
            if type_style.size_pt >= fitting.size_pt:
                options.append(Option(rank * _SIZE_COST, partial(capsule, type_style), rank > 0))
    if captions.short:
        words = words_block((printed_number(value),), full.at(MIN_PLAY_PT), style.ink("text"))
        options.append(Option(_CROWDED_COST, partial(disc, words.width / _WIDEST, words), True))
    rivals, of = "values" if own else "", None if captions.is_alike() or not marks else marks[0]
    captions.add("value", options, enough=_ENOUGH, rivals=rivals, field=captions.rimmed, of=of)


def _disc_places(
    captions: Captions, radius: float, half: Point, marks: list[Mark], *, own: bool
) -> list[Candidate]:
    """Places round the hex for a disc, or for a box `half` as wide and high as this, on the same
    side of all tiles if possible; for towns and cities off the middle, beside them."""
    central = len(marks) != 1 or math.hypot(marks[0].x, marks[0].y) < 0.02 * captions.across
    places: list[Candidate] = []
    wide, tall = half[0] + radius, half[1] + radius
    if not marks and captions.hint is not None:
        places += captions.near(captions.hint)
    elif not own or not marks:
        town = bool(marks) and not marks[0].slots
        shares = (0.5, 0.6, 0.72, 0.84, 1.1) if town else (0.72, 0.6, 0.5, 0.84, 1.1)
        ring = captions.rimmed_ring((2 * wide, 2 * tall), _PREFERRED[captions.layout], shares)
        places += [(cost + (0.0 if central else 0.4), x, y) for cost, x, y in ring]
        if len(marks) != 1:
            places.append((0.1, 0.0, 0.0))
    for mark in marks:
        if own or not central or not mark.slots:
            places += captions.round_mark(
                mark, radius, 0.0 if own or len(marks) == 1 else 0.25, half
            )
        if mark.kind is StopKind.OFFBOARD:
            places += captions.near(captions.end_of(mark))
    if own and marks:
        places = captions.doubted(places, half, marks)
    return ranked(
        (cost + (_COVER_COST if captions.covered((x, y), half, radius) else 0.0), x, y)
        for cost, x, y in places
    )


def revenue_table(
    steps: tuple[RevenueStep, ...],
    style: Style,
    *,
    max_width_mm: float = 34.0,
    size_pt: float | None = None,
) -> tuple[tuple[Item, ...], float, float]:
    """Items centred on (0, 0), their width and height in mm.

    Each step is a box in the ink of its tile colour ("yellow" -> `tile.yellow`); a step that counts
    from a phase is a white box headed by the phase. Boxes that do not fit in `max_width_mm` go into
    further rows, all of them full. `size_pt` overrides the theme's `map.offboard`.
    """
    type_style = style.type("map.offboard")
    type_style = type_style.at(size_pt) if size_pt is not None else type_style
    boxes = [_box(step, style) for step in steps]
    if not boxes:
        return (), 0.0, 0.0
    cap = type_style.cap_height_mm
    width = max(
        max(text_width(box.value, type_style) for box in boxes) + 2 * _PAD * cap * 1.2, cap * 2.4
    )
    noted = any(box.note for box in boxes)
    # A letter says again what the ground shows; a phase is said nowhere else.
    again = [box.note != step.since for box, step in zip(boxes, steps, strict=True)]
    note_type = _note_style(
        type_style,
        style,
        fine=all(same or not box.note for box, same in zip(boxes, again, strict=True)),
    )
    width = max(
        width, *(text_width(box.note, note_type) + 0.8 * note_type.cap_height_mm for box in boxes)
    )
    head = note_type.cap_height_mm * 1.7 if noted else 0.0
    height = cap * 1.95 + head
    columns = next(
        columns for columns in _columns(steps) if columns == 1 or columns * width <= max_width_mm
    )
    grid = _Grid(columns=columns, rows=len(boxes) // columns, width=width, height=height)
    rim = style.stroke("map.offboard.rim")
    items: list[Item] = []
    for index, box in enumerate(boxes):
        x, y = grid.corner(index)
        items.append(
            Path(
                commands=rectangle_path(x, y, width, height),
                fill=box.ground,
                stroke=rim,
                role=Role.SYMBOL,
            )
        )
        ink = readable_on(box.ground, style.ink("text"), style.ink("white"))
        middle = x + width / 2
        if box.note:
            runs = set_centred(
                box.note, note_type, ink, middle, y + head * 0.75, over=(Role.SYMBOL,)
            )
            items += (replace(run, fine=again[index]) for run in runs)
        items += set_centred(
            box.value, type_style, ink, middle, y + head + (height - head) / 2, over=(Role.SYMBOL,)
        )
    frame = rectangle_path(*grid.corner(0), grid.columns * width, grid.rows * height)
    items.append(Path(commands=frame, stroke=style.stroke("map.offboard.frame"), role=Role.SYMBOL))
    return tuple(items), grid.columns * width, grid.rows * height


def _box(step: RevenueStep, style: Style) -> _Box:
    """The ground a step stands on, and the phase to write above it where its colour does not show
    it."""
    inks = style.theme.inks
    since = step.since
    if since is None:
        return _Box(step.printed, "", style.ink("white"))
    ground, pattern = inks.get(f"tile.{since}") or inks.get(since), style.theme.patterns.get(since)
    if ground is not None and pattern is not None and pattern.motif == "solid":
        ground = mix(ground, pattern.ink, _RIM_TINT)
    return _Box(
        step.printed, letter_of(since, style) if ground else since, ground or style.ink("white")
    )


def _note_style(type_style: TypeStyle, style: Style, *, fine: bool) -> TypeStyle:
    note = style.type("map.offboard.note")
    return note.at(
        max(note.min_pt if fine else MIN_PLAY_PT, min(note.size_pt, type_style.size_pt * 0.6))
    )
