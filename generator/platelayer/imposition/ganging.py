"""Ganging: sheets with pieces of several sizes that a guillotine cuts apart in full strokes.

A sheet is filled with blocks, grids of pieces of one size. The first block takes the upper left
corner of a free rectangle; a full stroke beside or below it divides the rest into two rectangles,
which are filled in the same way. This is the Guillotine algorithm of Jylänki ("A Thousand Ways to
Pack the Bin", 2010), with blocks instead of single pieces, as George and Robinson load containers
(1980), so that pieces of one size are cut together. Each sheet starts with the largest remaining
size, in the block that wastes least paper. The plan of a sheet is repeated while its pieces last.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import add

from msgspec.structs import replace

from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.values import Frozen
from platelayer.imposition.arrange import form_of, grown
from platelayer.imposition.cut import cross
from platelayer.imposition.draft import (
    Draft,
    PieceToPrint,
    Placed,
    SheetSettings,
    is_turned,
    pages_of,
    placed_front,
    with_blanks,
)
from platelayer.imposition.paper import NO_FOOT, Box, Die, Frame, box_round, find_paper, frames
from platelayer.imposition.plan import Layout
from platelayer.model.kinds import Form
from platelayer.scene.shapes import Commands, Point, Scene, circle_path, polygon_path

_EPS = 1e-6
_COS_30 = math.cos(math.radians(30))
# Depth down to which both directions of a stroke are tried; deeper, only the one that leaves the
# larger rectangle.
_BOTH_WAYS_DEEP = 2


class Batch(Frozen, kw_only=True):
    """Pieces of one size to pack: width, height and number; the gap between them; and the room that
    a block of them needs beside and above it. Those of a `comb` (hexes and discs, which no
    stroke separates) lie side by side, with every second column or row shifted by half a piece."""

    width_mm: float
    height_mm: float
    count: int
    gap_mm: float
    around_mm: tuple[float, float]
    comb: bool = False


class Block(Frozen, kw_only=True):
    """A grid of pieces of a batch (its index): the occupied places on the sheet, row by row, and
    the number of columns."""

    batch: int
    boxes: tuple[Box, ...]
    columns: int


class Gang(Frozen, kw_only=True):
    """A sheet: the paper and its contents."""

    frame: Frame
    blocks: tuple[Block, ...]


_Counts = tuple[int, ...]


class _Grid(Frozen):
    """A block without a place: its batch, the size of a piece in its orientation and the steps from
    one to the next, columns, rows, pieces; the total size with the room around it; the shift of
    odd rows to the right, and of odd columns down; and the room beside and above it."""

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
    shift: Point
    around: Point


# A block with its upper left corner; and for each axis, how far it may move right (or down), and
# the blocks that move with it, as offsets from its own index in the plan.
_Put = tuple[_Grid, Point, Point, tuple[range, range]]
# Covered area in hundredths of a square millimetre, and the blocks.
_Filled = tuple[int, tuple[_Put, ...]]


def gang(
    frames: Sequence[Frame], batches: Sequence[Batch], border_mm: float = 0.0
) -> tuple[Gang, ...]:
    """Return sheets for all pieces of some batches, each of which fits an empty sheet. `border_mm`
    beyond the room of a block stays free at the edges. The same batches in the same order give
    the same sheets."""
    left = tuple(batch.count for batch in batches)
    by_size = sorted(range(len(batches)), key=lambda index: -_area(batches[index]))
    rooms = [box_round([frame.room], -border_mm) for frame in frames]
    sheets: list[Gang] = []
    while any(left):
        # Place the largest size first while there is room; small pieces fit into any gap.
        largest = next(index for index in by_size if left[index])
        best, frame, room = 0, frames[0], rooms[0]
        plan: tuple[_Put, ...] = ()
        for other, whole in zip(frames, rooms, strict=True):
            covered, placed = _filled(batches, whole, left, 0, largest)
            if covered > best:
                best, plan, frame, room = covered, placed, other, whole
        if not plan:
            raise ValueError("a piece does not fit the sheet")
        # Centre the blocks as a whole in the room.
        x, y, width, height = room
        grids, across, down = [put[0] for put in plan], _snapped(plan, 0), _snapped(plan, 1)
        dx = (x + width - max(map(add, across, (grid.across for grid in grids)))) / 2
        dy = (y + height - max(map(add, down, (grid.down for grid in grids)))) / 2
        blocks = tuple(map(_block, grids, (dx + at for at in across), (dy + at for at in down)))
        # Identical sheets are cut together, as a stack.
        while min(rest := _without(left, grids)) >= 0:
            sheets.append(Gang(frame=frame, blocks=blocks))
            left = rest
    return tuple(sheets)


def apart(
    frames: Sequence[Frame],
    batches: Sequence[Batch],
    border_mm: float = 0.0,
    *,
    share_last: bool = False,
) -> tuple[Gang, ...]:
    """Return sheets with one size each, in the arrangement with the fewest strokes. With
    `share_last`, sheets that a size does not fill are shared as in `gang`."""
    sheets: list[Gang] = []
    rest: list[tuple[int, Batch]] = []
    for index, batch in enumerate(batches):
        own = gang(frames, [batch], border_mm)
        most = sum(len(block.boxes) for block in own[0].blocks)
        full = batch.count // most if share_last else len(own)
        sheets += (_numbered(sheet, [index]) for sheet in own[:full])
        if full < len(own):
            rest.append((index, replace(batch, count=batch.count - full * most)))
    if rest:
        shared = gang(frames, [batch for _, batch in rest], border_mm)
        sheets += (_numbered(sheet, [index for index, _ in rest]) for sheet in shared)
    return tuple(sheets)


def _numbered(sheet: Gang, indices: Sequence[int]) -> Gang:
    blocks = (replace(block, batch=indices[block.batch]) for block in sheet.blocks)
    return replace(sheet, blocks=tuple(blocks))


# Additional sheets that are acceptable for fewer strokes, as a share of the minimum number.
_WORTH = 1 / 20


def few_strokes(
    frames: Sequence[Frame],
    batches: Sequence[Batch],
    border_mm: float,
    fewest: tuple[Gang, ...],
) -> tuple[Gang, ...]:
    """Return sheets with one size each. If that takes a twentieth more sheets than `fewest`, the
    sheets that a size does not fill are shared; if that does too, return `fewest`."""
    # A stroke through a stack of one size separates more pieces than one through a mixed sheet.
    for share_last in (False, True):
        sheets = apart(frames, batches, border_mm, share_last=share_last)
        if len(sheets) <= (1 + _WORTH) * len(fewest):
            return sheets
    return fewest


def common_gang(
    frames: Sequence[Frame], batches: Sequence[Batch], border_mm: float = 0.0
) -> tuple[Gang, ...]:
    """Return the smallest number of identical sheets for all pieces of some batches, each with an
    equal share of every batch. If shares are not whole, some places of the last stay empty. If
    the sizes do not fit on one sheet, return the sheets of `gang`."""
    room = max(frame.room[2] * frame.room[3] for frame in frames) * 100
    least = math.ceil(math.fsum(_area(batch) * batch.count for batch in batches) / room)
    # From the minimum number of sheets by area to one piece of each size on each sheet.
    for sheets in range(max(least, 1), max(batch.count for batch in batches) + 1):
        shares = [replace(batch, count=-(-batch.count // sheets)) for batch in batches]
        found = gang(frames, shares, border_mm)
        if len(found) == 1:
            return found * sheets
    return gang(frames, batches, border_mm)


def fits_gang(frames: Sequence[Frame], batch: Batch, border_mm: float = 0.0) -> bool:
    """Return True if a piece fits an empty sheet."""
    rooms = (box_round([frame.room], -border_mm) for frame in frames)
    return any(any(_grids(batch, 0, 1, room[2], room[3])) for room in rooms)


def _area(batch: Batch) -> int:
    return round(batch.width_mm * batch.height_mm * 100)


def _filled(
    batches: Sequence[Batch], room: Box, left: _Counts, depth: int, first: int | None = None
) -> _Filled:
    """Return the best filling found for a free rectangle: with every promising block of the batch
    `first`, or with the block that covers most."""
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
    # Trying every block at every depth would take forever. Of the largest size alone, the choice of
    # the first block decides how well the sheet can be filled.
    if first is None:
        tried = [max(tried, key=lambda one: one[0])]
    best: _Filled = (0, ())
    for covered, grid in tried:
        for beside, below in _strokes(room, grid, depth):
            # Fill the larger rectangle first: it takes pieces that do not fit into the smaller one.
            one, other = sorted((beside, below), key=lambda free: -round(free[2] * free[3] * 100))
            whole = covered
            placed: tuple[_Put, ...] = ()
            remaining = _without(left, [grid])
            spare, pushed = [beside[2], below[3]], [range(0), range(0)]
            for free in (one, other):
                more, blocks = _filled(batches, free, remaining, depth + 1)
                if more:
                    axis = int(free is below)
                    spare[axis] = min(room[axis] for _, _, room, _ in blocks)
                    pushed[axis] = range(len(placed) + 1, len(placed) + 1 + len(blocks))
                    whole, placed = whole + more, (*placed, *blocks)
                    remaining = _without(remaining, (put[0] for put in blocks))
            if whole > best[0]:
                first_put = (grid, (x, y), (spare[0], spare[1]), (pushed[0], pushed[1]))
                best = (whole, (first_put, *placed))
    return best


def _without(left: _Counts, grids: Iterable[_Grid]) -> _Counts:
    counts = [*left]
    for grid in grids:
        counts[grid.batch] -= grid.count
    return tuple(counts)


# Minimum distance of marks; closer ones are confused with each other.
_CLOSE_MM = 2.0


def _snapped(plan: Sequence[_Put], axis: int) -> list[float]:
    """Return the left (or upper) ends of blocks, moved where there is room so that no line of one
    block runs close beside a line of another, where the two would be confused."""
    ends, spares = (
        [corner[axis] for _, corner, _, _ in plan],
        [room[axis] for _, _, room, _ in plan],
    )
    lines = [
        {
            round(box[axis] + size, 3)
            for box in _block(grid, *corner).boxes
            for size in (0.0, box[axis + 2])
        }
        for grid, corner, _, _ in plan
    ]
    # Move blocks with little room first, as the others can still make way.
    for index in sorted(range(len(plan)), key=lambda one: plan[one][2][axis]):
        moved = [index, *(index + place for place in plan[index][3][axis])]
        own, others = (
            set[float]().union(*(lines[one] for one in range(len(plan)) if (one in moved) is here))
            for here in (True, False)
        )
        apart = {b - a for a in own for b in others if abs(b - a) < 3 * _CLOSE_MM}
        # The count changes only at moves where two lines coincide or are just far enough apart, so
        # only these are tried. On a tie, the smallest move wins.
        _, move = min(
            (sum(0.01 < abs(way - move) < _CLOSE_MM - 0.01 for way in apart), move)
            for move in {0.0, *apart, *(way + _CLOSE_MM for way in apart)}
            if 0 <= move <= min(spares[index], 2 * _CLOSE_MM) + _EPS
        )
        for one in moved:
            ends[one] += move
            spares[one] -= move
            lines[one] = {line + move for line in lines[one]}
    return ends


def _grids(batch: Batch, index: int, count: int, width: float, height: float) -> Iterator[_Grid]:
    """Yield blocks of a batch that fit a rectangle, upright and rotated: with as many columns or as
    many rows as fit, and one fewer of each."""
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
        # One column or row fewer leaves a strip that another size may fill better.
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
                (beside, above),
            )


def _strokes(room: Box, grid: _Grid, depth: int) -> Iterator[tuple[Box, Box]]:
    """Yield the rooms left beside and below a block, for a stroke down the sheet and for one across
    it."""
    x, y, width, height = room
    right, bottom = width - grid.across, height - grid.down
    down = ((x + grid.across, y, right, height), (x, y + grid.down, grid.across, bottom))
    across = ((x + grid.across, y, right, grid.down), (x, y + grid.down, width, bottom))
    # A stroke down leaves a tall strip, one across leaves a wide one; which holds more is known
    # only when both are filled. Each depth doubles the search, which is worth it only near the
    # root.
    if depth < _BOTH_WAYS_DEEP:
        yield across
        yield down
    else:
        yield down if round(right * height * 100) > round(bottom * width * 100) else across


def _block(grid: _Grid, x: float, y: float) -> Block:
    (right, lower), (beside, above) = grid.shift, grid.around
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


# Pages for dies and label sheets, with a piece at each of their positions.


# Maximum excess of a piece over its position on the sheet: paper shrinks and dies shift by no more.
_SLACK_MM = 0.3
# Radius of a pin hole, and reach of the cross through it.
_PIN_MM, _PIN_CROSS_MM = 1.6, 4.0


def check_die_paper(stem: str, layout: Layout, settings: SheetSettings) -> None:
    """Raise ProblemsFound with SH05 for paper that the die is not made for, and for folded
    backs."""
    if layout.die is None:
        return
    paper, given = find_paper(layout.die.paper), settings.paper
    if sorted((paper.width_mm, paper.height_mm)) != sorted((given.width_mm, given.height_mm)):
        message = f"the layout of {stem} is for {paper.name}, not for {given.name}"
        hint = f"use the paper {layout.die.paper}"
    elif settings.options.duplex == "fold":
        message = f"the layout of {stem} takes the whole sheet: there is no half to fold over"
        hint = "use duplex long, short or none"
    else:
        return
    raise ProblemsFound([Problem("SH05", message, hint)])


def die_sheets(
    entries: Sequence[PieceToPrint], layout: Layout, settings: SheetSettings
) -> Iterator[Draft]:
    """Yield pages of a die, with its places filled column by column; places stay blank between
    groups if the layout requires it."""
    die = layout.die
    if die is None:
        return
    place = sorted(die.size_mm)
    sizes = (sorted((entry.scene.width_mm, entry.scene.height_mm)) for entry in entries)
    # Leave out pieces that are larger than the positions.
    entries = [
        entry
        for entry, size in zip(entries, sizes, strict=True)
        if size[0] <= place[0] + _SLACK_MM and size[1] <= place[1] + _SLACK_MM
    ]
    if not entries:
        return
    paper = find_paper(die.paper)
    frame = Frame(
        width_mm=paper.width_mm,
        height_mm=paper.height_mm,
        room=(0.0, 0.0, paper.width_mm, paper.height_mm),
        foot=NO_FOOT,
    )
    boxes = places_of(die)
    for way in frames(paper, settings.options.margin_mm, settings.options.duplex):
        # There is room for a foot if all positions are above it.
        if way.width_mm == paper.width_mm and all(
            y + high <= way.foot[1] for _, y, _, high in boxes
        ):
            frame = way
    copies = with_blanks(entries, layout.blank_between_groups, len(boxes))
    copies[:0] = [None] * (settings.options.start_at - 1)
    pins = tuple(
        command
        for pin in die.pins_mm
        for command in (*circle_path(*pin, _PIN_MM), *cross(*pin, _PIN_CROSS_MM))
    )
    for run in pages_of(copies, len(boxes)):
        taken = {box: entry for box, entry in zip(boxes, run, strict=False) if entry is not None}
        placed = tuple(_placed(entry, box, taken.keys(), layout) for box, entry in taken.items())
        yield Draft(frame, placed, marks=pins, lines=layout.outlined)


def places_of(die: Die) -> tuple[Box, ...]:
    """Return the places of a die, in order, in mm from the upper left of the paper."""
    (x, y), (width, height), (across, down) = die.first_mm, die.size_mm, die.pitch_mm
    boxes = [
        (x + column * across, y + row * down + (down / 2 if low else 0.0), width, height)
        for column in range(die.columns)
        for low in (die.short_columns and column % 2 == 1,)
        for row in range(die.rows - low)
    ]
    return tuple(sorted(boxes, key=lambda box: box[1::-1]) if die.by_rows else boxes)


def _placed(entry: PieceToPrint, box: Box, taken: Collection[Box], layout: Layout) -> Placed:
    """Return a piece centred in its place. Its colour extends over the cut on all sides except
    those that a neighbour touches."""
    scene = entry.scene
    x, y, width, height = box
    size = (scene.width_mm, scene.height_mm)
    if is_turned(entry, box):
        size = size[::-1]
    own = (x + (width - size[0]) / 2, y + (height - size[1]) / 2, *size)
    bleed = min(layout.bleed_mm, scene.bleed_mm)
    above = any(_touch(other, box) for other in taken)
    below = any(_touch(box, other) for other in taken)
    sides = (bleed, 0.0 if above else bleed, bleed, 0.0 if below else bleed)
    clip = _clip(scene, bleed, (above, below), turned=is_turned(entry, box))
    return placed_front(entry, own, bleed=sides, clip=clip)


def _touch(upper: Box, lower: Box) -> bool:
    return abs(upper[0] - lower[0]) < 0.01 and abs(upper[1] + upper[3] - lower[1]) < 0.01


def _clip(scene: Scene, bleed: float, touched: tuple[bool, bool], *, turned: bool) -> Commands:
    """Return the outline enlarged by the bleed and cut off where the piece above or below begins;
    left and right of a rotated piece, as a quarter turn clockwise brings its left side up."""
    form = form_of(scene)
    if form is Form.DISC:
        return grown(scene, form, bleed)
    length = scene.width_mm if turned else scene.height_mm
    if form is Form.HEXAGON:
        points = [(float(c[1]), float(c[2])) for c in grown(scene, form, bleed) if len(c) == 3]
    else:
        right, bottom = scene.width_mm + bleed, scene.height_mm + bleed
        points = [(-bleed, -bleed), (right, -bleed), (right, bottom), (-bleed, bottom)]
    axis = 0 if turned else 1
    if touched[0]:
        points = _kept(points, axis, 0.0, 1.0)
    if touched[1]:
        points = _kept(points, axis, length, -1.0)
    return polygon_path(points)


def _kept(points: Sequence[Point], axis: int, limit: float, sign: float) -> list[Point]:
    """Return a convex polygon without the part before `limit` along an axis (beyond it, with sign
    -1)."""
    kept = []
    for one, other in zip(points, (*points[1:], points[0]), strict=True):
        here, there = sign * (one[axis] - limit), sign * (other[axis] - limit)
        if here >= 0:
            kept.append(one)
        if here * there < 0:
            share = here / (here - there)
            kept.append(
                (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share)
            )
    return kept
