"""Cut lines, each drawn once even if several pieces share it, and the marks beside pieces, as path
commands in mm on the page."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from platelayer.imposition.paper import (
    REGISTER_RIM_MM,
    SQUARE_MM,
    Box,
    CutLine,
    Cutter,
    Frame,
    box_round,
)
from platelayer.model.described import LETTERS
from platelayer.model.kinds import Form
from platelayer.model.options import PrintOptions
from platelayer.scene.inks import BLACK, CMYK, Ink, as_spot
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    circle_path,
    rectangle_path,
    transform_commands,
)
from platelayer.scene.typeset import Theme

if TYPE_CHECKING:
    from platelayer.imposition.draft import Placed
    from platelayer.imposition.plan import Board


# Nicks: short bridges in a die line that hold a piece in its board until it is punched out.


# Number of chords by which the length of a curve is measured: for a quarter of a circle the result
# is 0.04 % too small.
_STEPS = 16
# Number of positions tried for the first nick: the one that keeps nicks farthest from corners is
# used.
_PHASES = 12

# Two points of a straight line, or four of a cubic curve.
_Side = tuple[Point, ...]


def nicked(outline: Sequence[Command], board: Board) -> Commands:
    """Return a closed outline with as many gaps as the board's settings require, at equal distances
    along it and away from its corners; unchanged if nicks have no width."""
    sides = tuple(_sides(outline))
    measures = [_measure(side) for side in sides]
    ends = list(accumulate(measure[-1] for measure in measures))
    whole = ends[-1]
    count = max(board.least_nicks, round(whole / board.nick_every_mm))
    if not board.nick_mm or not count:
        return tuple(outline)
    step, half = whole / count, board.nick_mm / 2

    def distance_from_corners(first: float) -> float:
        """Return the smallest distance of a nick from an end of a side, in tenths of a millimetre,
        so that equal distances compare as equal."""
        return min(round(min((end - first) % step, (first - end) % step) * 10) for end in ends)

    # Keep nicks away from corners, where a bridge would tear the paper when the piece is punched
    # out.
    phases = [step * phase / _PHASES for phase in range(_PHASES)]
    first = max(phases, key=distance_from_corners)
    commands: list[Command] = []
    for number in range(count):
        start, end = first + number * step + half, first + (number + 1) * step - half
        commands += _between(sides, measures, ends, start, end)
    return tuple(commands)


def _sides(outline: Sequence[Command]) -> Iterator[_Side]:
    start = last = (0.0, 0.0)
    for verb, *numbers in outline:
        points = [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if verb == "M":
            start = last = points[0]
        elif verb == "Z":
            points = [start]
        if verb != "M" and points[-1] != last:
            yield (last, *points)
            last = points[-1]


def _split(side: _Side, at: float) -> tuple[_Side, _Side]:
    """Return a side before and after a parameter from 0 to 1 (de Casteljau)."""
    before, behind, points = [side[0]], [side[-1]], side
    while len(points) > 1:
        points = tuple((x + (u - x) * at, y + (v - y) * at) for (x, y), (u, v) in pairwise(points))
        before.append(points[0])
        behind.append(points[-1])
    return tuple(before), tuple(reversed(behind))


def _measure(side: _Side) -> tuple[float, ...]:
    """Return lengths along a side, from 0 on, at equal steps of its parameter."""
    steps = 1 if len(side) == 2 else _STEPS
    points = [_split(side, number / steps)[0][-1] for number in range(steps + 1)]
    return tuple(accumulate((math.dist(a, b) for a, b in pairwise(points)), initial=0.0))


def _parameter(measure: Sequence[float], length: float) -> float:
    """Return the parameter of a side at a length along it."""
    steps = len(measure) - 1
    number = min(max(bisect_left(measure, length), 1), steps)
    low, high = measure[number - 1], measure[number]
    return (number - 1 + (length - low) / (high - low)) / steps


def _between(
    sides: Sequence[_Side],
    measures: Sequence[Sequence[float]],
    ends: Sequence[float],
    start: float,
    end: float,
) -> Iterator[Command]:
    """Yield the part of a closed outline from one length along it to another, which may lie beyond
    its end."""
    whole, begun = ends[-1], False
    # Go round twice, as a part may extend past the starting point of the outline.
    for turn in (0, 1):
        for side, measure, last in zip(sides, measures, ends, strict=True):
            first = last - measure[-1] + turn * whole
            low, high = max(start, first) - first, min(end, first + measure[-1]) - first
            if high - low <= 1e-9:
                continue
            near, far = _parameter(measure, low), _parameter(measure, high)
            part = _split(side, far)[0]
            part = _split(part, near / far)[1] if near > 0 else part
            if not begun:
                yield ("M", *part[0])
                begun = True
            yield ("L", *part[1]) if len(part) == 2 else ("C", *part[1], *part[2], *part[3])


_SHARED = "shared-lines"
_HAIR_MM = 0.1
_SPOT_MM = 0.25
# Ends closer than this are merged. The shift keeps round lengths away from rounding boundaries.
_SAME_MM, _SHIFT = 0.05, 0.1237


def cut_items(outlines: Sequence[Commands], options: PrintOptions, theme: Theme) -> Items:
    """Return cut lines as thin lines, or in the spot colour on its own layer, each line once."""
    return line_items(tuple(merged(outlines)), options, theme)


def line_items(commands: Commands, options: PrintOptions, theme: Theme) -> Items:
    """Return lines unchanged, thin or in the spot colour on its own layer."""
    if not commands:
        return ()
    stroke = Stroke(theme.ink("mark"), _HAIR_MM)
    if options.cut == "spot":
        stroke = Stroke(as_spot(theme.ink("cut"), options.spot_name), _SPOT_MM)
    line = Path(commands, stroke=stroke, role=Role.MARK)
    return (Group((line,), layer=options.spot_layer) if options.cut == "spot" else line,)


def fronts_of(placed: Iterable[Placed]) -> list[tuple[Placed, Commands]]:
    """Return the fronts on a page with their die lines in page coordinates."""
    return [
        (copy, transform_commands(copy.scene.die_line, copy.matrix))
        for copy in placed
        if copy.face == copy.entry.face
    ]


def cut_lines(placed: Iterable[Placed]) -> tuple[CutLine, ...]:
    """Return the outlines of the fronts on a page for a cutter. An outline that shares no line with
    another piece is closed, and so a separate shape there; all others are merged, each line
    once."""
    fronts = fronts_of(placed)
    users = Counter(line for _, outline in fronts for line in _lines(outline))
    # Make XML ids from the names of pieces: "tile-57".
    no_name = re.compile(f"[^{LETTERS}_.-]")  # compiled in 3 ms
    names = [no_name.sub("_", copy.entry.piece.key.replace(":", "-", 1)) for copy, _ in fronts]
    counts, seen = Counter(names), Counter[str]()
    alone = []
    shared = []
    for name, (_, outline) in zip(names, fronts, strict=True):
        seen[name] += 1
        if any(users[line] > 1 for line in _lines(outline)):
            shared.append(outline)
            continue
        closed = outline if outline[-1] == ("Z",) else (*outline, ("Z",))
        line_id = f"{name}-{seen[name]}" if counts[name] > 1 else name
        alone.append(CutLine(line_id, closed))
    if shared:
        alone.append(CutLine(_SHARED, tuple(merged(shared))))
    return tuple(alone)


def die_lines(placed: Iterable[Placed], board: Board) -> tuple[CutLine, ...]:
    """Return the outlines of the fronts on a page with nicks, named by kind and number: a die cuts
    whatever lies there."""
    seen: Counter[str] = Counter()
    lines = []
    for copy, outline in fronts_of(placed):
        kind = copy.entry.piece.kind
        seen[kind] += 1
        lines.append(CutLine(f"{kind}-{seen[kind]}", nicked(outline, board)))
    return tuple(lines)


_Line = tuple[tuple[int, int], ...]


def _lines(outline: Sequence[Command]) -> dict[_Line, tuple[Point, Point]]:
    """Return the start and end of each line of a straight outline, by a key that is the same in
    both directions; none for an outline with curves."""
    if any(command[0] == "C" for command in outline):
        return {}
    points = [(float(command[1]), float(command[2])) for command in outline if len(command) == 3]
    lines: dict[_Line, tuple[Point, Point]] = {}
    for start, end in zip(points, (*points[1:], points[0]), strict=True):
        ends = (
            (round(x / _SAME_MM + _SHIFT), round(y / _SAME_MM + _SHIFT)) for x, y in (start, end)
        )
        lines.setdefault(tuple(sorted(ends)), (start, end))
    return lines


def merged(outlines: Iterable[Commands]) -> list[Command]:
    """Return straight outlines as runs in which no line appears twice, because a blade that follows
    a line twice cuts too deep; then outlines with curves, unchanged."""
    done = set()
    straight: list[Command] = []
    curved: list[Command] = []
    for outline in outlines:
        lines = _lines(outline)
        if not lines:
            curved += outline
        last: Point | None = None
        for line, (start, end) in lines.items():
            if line in done:
                last = None
                continue
            done.add(line)
            if last != start:
                straight.append(("M", *start))
            straight.append(("L", *end))
            last = end
    return straight + curved


# Marks beside pieces.


# A path command that draws a straight line.
Line = tuple[str, float, float]
# Length of a mark if there is room.
MARK_MM = 4.0
# Minimum lengths of marks, for which room is reserved: at home, and on a press, where the
# guillotine is aligned with them.
LEAST_MARK_MM, LEAST_PRESS_MARK_MM = 2.0, 3.0
# Distance between bleed and mark.
CLEAR_MM = 0.5
_TIP_CLEAR_MM = 0.8
_LEAST_USEFUL_MM = 1.0
_COS_30 = math.cos(math.radians(30))


def cross(x: float, y: float, reach: float) -> Commands:
    """Return two lines through a point, each twice as long as the reach."""
    return (("M", x - reach, y), ("L", x + reach, y), ("M", x, y - reach), ("L", x, y + reach))


def edge_marks(boxes: Sequence[Box], bleed_mm: float, room: Box) -> Commands:
    """Return marks beside a block of boxes in columns and rows, one for every cut across the sheet,
    within `room`."""
    around = box_round(boxes)
    far = bleed_mm + CLEAR_MM
    commands: list[Line] = []
    for axis in (0, 1):
        across = 1 - axis
        low, high = around[across] - far, around[across] + around[across + 2] + far
        first, last = room[across], room[across] + room[across + 2]
        sides = sorted(side for box in boxes for side in (box[axis], box[axis] + box[axis + 2]))
        # Merge lines less than a hundredth of a millimetre apart.
        once = [at for n, at in enumerate(sides) if not n or at - sides[n - 1] > 0.01]
        for at in once:
            for near, end in ((low, max(low - MARK_MM, first)), (high, min(high + MARK_MM, last))):
                ends = ((near, at), (end, at)) if axis else ((at, near), (at, end))
                commands += _segment(*ends)
    return tuple(commands)


def row_marks(boxes: Sequence[Box], room: Box) -> Commands:
    """Return marks for hexes in offset rows: at both ends of every straight line of edges, within
    `room`."""
    flat = boxes[0][2] > boxes[0][3]
    pitch = min(boxes[0][2:])
    first = 0.0 if flat else 30.0
    lines: dict[tuple[int, int], list[float]] = {}
    for way in range(3):
        dx, dy = _unit(first + 60 * way)
        origin = None
        for x, y, width, height in boxes:
            centre = (x + width / 2, y + height / 2)
            along, off = centre[0] * dx + centre[1] * dy, centre[1] * dx - centre[0] * dy
            for side in (-0.5, 0.5):
                at = off + side * pitch
                origin = at if origin is None else origin
                ends = lines.setdefault((way, round((at - origin) / pitch)), [at, along, along])
                half = max(width, height) / 4
                ends[1], ends[2] = min(ends[1], along - half), max(ends[2], along + half)
    commands: list[Line] = []
    for (way, _), (off, start, end) in lines.items():
        dx, dy = _unit(first + 60 * way)
        for at, sign in ((start, -1), (end, 1)):
            near = at + sign * _TIP_CLEAR_MM
            point = (near * dx - off * dy, near * dy + off * dx)
            length = min(MARK_MM, _reach(point, (sign * dx, sign * dy), room))
            commands += _segment(
                point, (point[0] + sign * dx * length, point[1] + sign * dy * length)
            )
    return tuple(commands)


def corner_marks(form: Form, boxes: Sequence[Box], bleed_mm: float, gap_mm: float) -> Commands:
    """Return marks around each piece of a size, `gap_mm` from its neighbours: each continues an
    edge (for a disc, an axis) and is clear of all bleed."""
    _, _, width, height = boxes[0]
    cx, cy = width / 2, height / 2
    own: list[Line] = []
    if form is Form.HEXAGON:
        # Extend both edges of each corner outwards, 60 degrees to either side of the line from the
        # centre.
        radius, first = max(width, height) / 2, 0.0 if width > height else 30.0
        near, length = bleed_mm / _COS_30 + _hex_clear(bleed_mm), _hex_length(bleed_mm, gap_mm)
        for corner in range(6):
            ux, uy = _unit(first + 60 * corner)
            for turn in (-60.0, 60.0):
                dx, dy = _unit(first + 60 * corner + turn)
                start = (cx + ux * radius + dx * near, cy + uy * radius + dy * near)
                own += _segment(start, (start[0] + dx * length, start[1] + dy * length))
    elif form is Form.DISC:
        near = cx + bleed_mm + CLEAR_MM
        far = near + _free_length(bleed_mm, gap_mm)
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            own += _segment((cx + dx * near, cy + dy * near), (cx + dx * far, cy + dy * far))
    else:
        near = bleed_mm + CLEAR_MM
        far = near + _free_length(bleed_mm, gap_mm)
        for px, sx in ((0.0, -1), (width, 1)):
            for py, sy in ((0.0, -1), (height, 1)):
                own += _segment((px + sx * near, py), (px + sx * far, py))
                own += _segment((px, py + sy * near), (px, py + sy * far))
    return tuple((verb, x + dx, y + dy) for x, y, _, _ in boxes for verb, dx, dy in own)


def corner_reach_mm(form: Form, bleed_mm: float, gap_mm: float) -> tuple[float, float]:
    """Return how far bleed and `corner_marks` extend beyond a piece, to the sides and up (for a
    flat hexagon)."""
    if form is Form.HEXAGON:
        far = bleed_mm / _COS_30 + _hex_clear(bleed_mm) + _hex_length(bleed_mm, gap_mm)
        return max(far / 2, bleed_mm / _COS_30), far * _COS_30
    reach = bleed_mm + CLEAR_MM + _free_length(bleed_mm, gap_mm)
    return reach, reach


def corner_gap_mm(form: Form, bleed_mm: float, length_mm: float) -> float:
    """Return the minimum gap between pieces in which `corner_marks` have a given length."""
    if form is Form.HEXAGON:
        return length_mm * _COS_30 + 2 * bleed_mm + _hex_clear(bleed_mm) * _COS_30 + CLEAR_MM / 2
    return length_mm + 2 * bleed_mm + 2 * CLEAR_MM


def row_reserve_mm(length_mm: float) -> float:
    """Return the room beyond the tips of hexes in rows in which `row_marks`, which run outwards at
    60 degrees, have a given length."""
    return length_mm + _TIP_CLEAR_MM


def _free_length(bleed: float, gap: float) -> float:
    return min(MARK_MM, max(gap - 2 * bleed - 2 * CLEAR_MM, 0.0))


def _hex_clear(bleed: float) -> float:
    return CLEAR_MM / 2 if bleed else CLEAR_MM


def _hex_length(bleed: float, gap: float) -> float:
    """Return the length of the marks above a hexagon, which rise at 60 degrees and end clear of the
    next piece's bleed."""
    free = (gap - bleed - CLEAR_MM / 2) / _COS_30
    return min(MARK_MM, max(free - bleed / _COS_30 - _hex_clear(bleed), 0.0))


def _unit(degrees: float) -> Point:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def _segment(start: Point, end: Point) -> tuple[Line, ...]:
    """Return a line, unless it is too short to be useful or there is no room."""
    length = math.dist(start, end)
    return (("M", *start), ("L", *end)) if length >= _LEAST_USEFUL_MM - 1e-6 else ()


def _reach(point: Point, way: Point, room: Box) -> float:
    """Return the distance from a point to the edge of a box in a direction; 0 outside the box."""
    far = math.inf
    for at, step, low, size in zip(point, way, room[:2], room[2:], strict=True):
        if not low <= at <= low + size:
            return 0.0
        if step > 1e-9:
            far = min(far, (low + size - at) / step)
        elif step < -1e-9:
            far = min(far, (low - at) / step)
    return far


# Alignment marks: front to back, plate to plate, and cut to print.


_CROSS_MM, _RING_MM = 2.2, 1.3
_PATCH_MM, _BAR_CLEAR_MM = 4.0, 8.0
# Colour patches that a printer measures first: solid inks, overprints of two, and the grey that
# reveals a cast.
_PATCHES: tuple[tuple[str, CMYK], ...] = (
    ("cyan", (1.0, 0.0, 0.0, 0.0)),
    ("magenta", (0.0, 1.0, 0.0, 0.0)),
    ("yellow", (0.0, 0.0, 1.0, 0.0)),
    ("black", (0.0, 0.0, 0.0, 1.0)),
    ("red", (0.0, 1.0, 1.0, 0.0)),
    ("green", (1.0, 0.0, 1.0, 0.0)),
    ("blue", (1.0, 1.0, 0.0, 0.0)),
    ("grey of three inks", (0.5, 0.4, 0.4, 0.0)),
    ("grey of black", (0.0, 0.0, 0.0, 0.5)),
)


def register_marks(frame: Frame, *, press: bool) -> Commands:
    """Return crosses in rings at both ends of the foot and, on sheets for a `press`, above the
    middle of the room."""
    x, y, width, height = frame.foot
    half = REGISTER_RIM_MM / 2
    low = y + height - half
    spots = [(x - half, low), (x + width + half, low)]
    if press:
        spots.append((frame.width_mm / 2, frame.room[1] - half))
    return tuple(
        command
        for spot in spots
        for command in (*cross(*spot, _CROSS_MM), *circle_path(*spot, _RING_MM))
    )


def colour_bar_box(frame: Frame) -> Box | None:
    """Return the place of the colour bar: in the rim above the room, left of the mark in the
    middle; None if the rim is too narrow."""
    x, y, width, _ = frame.room
    length = len(_PATCHES) * _PATCH_MM
    if width / 2 < length + _BAR_CLEAR_MM + 2 * _CROSS_MM:
        return None
    return (x + _BAR_CLEAR_MM, y - (REGISTER_RIM_MM + _PATCH_MM) / 2, length, _PATCH_MM)


def colour_bar(box: Box) -> Iterator[Item]:
    """Yield the patches of a colour bar in its box."""
    x, y, length, height = box
    across = length / len(_PATCHES)
    for number, (name, recipe) in enumerate(_PATCHES):
        cyan, magenta, yellow, black = recipe
        rgb = ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
        patch = rectangle_path(x + number * across, y, across, height)
        yield Path(patch, fill=Ink(name, rgb, recipe), role=Role.MARK)


def cutter_marks(frame: Frame, cutter: Cutter) -> Items:
    """Return angles for a cutter's sensor, and a square in the upper left if it looks for three
    marks (Silhouette Studio's marks of type 1)."""
    inset, half = cutter.inset_mm, cutter.thick_mm / 2
    right, bottom = frame.width_mm - inset, frame.height_mm - inset
    corners = [(right, inset), (inset, bottom)]
    items: list[Item] = []
    if cutter.marks == 4:
        corners += [(inset, inset), (right, bottom)]
    else:
        square = rectangle_path(inset, inset, SQUARE_MM, SQUARE_MM)
        items.append(Path(square, fill=BLACK, role=Role.MARK))
    angles: list[Command] = []
    for x, y in corners:
        inwards_x, inwards_y = math.copysign(1, right - x - 1), math.copysign(1, bottom - y - 1)
        near_x, near_y = x + inwards_x * half, y + inwards_y * half
        angles += (
            ("M", x + inwards_x * cutter.arm_mm, near_y),
            ("L", near_x, near_y),
            ("L", near_x, y + inwards_y * cutter.arm_mm),
        )
    stroke = Stroke(BLACK, cutter.thick_mm)
    return (*items, Path(tuple(angles), stroke=stroke, role=Role.MARK))
