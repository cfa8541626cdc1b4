"""Cut marks beside pieces, as path commands in mm on the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from platelayer.imposition.media import SQUARE_MM, Cutter
from platelayer.imposition.paper import REGISTER_RIM_MM, Box, Frame, box_round
from platelayer.model.kinds import Form
from platelayer.scene.inks import BLACK, CMYK, Ink
from platelayer.scene.shapes import (
    Command,
    Commands,
    Item,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    circle_path,
    rectangle_path,
)

# A path command for a straight line.
Line = tuple[str, float, float]
# Length of a mark if there is room.
MARK_MM = 4.0
# Lengths of a mark for which room is reserved: at home, and on a press, whose guillotine is set by
# them.
LEAST_MARK_MM, LEAST_PRESS_MARK_MM = 2.0, 3.0
# Space between bleed and mark.
CLEAR_MM = 0.5
_TIP_CLEAR_MM = 0.8
_LEAST_USEFUL_MM = 1.0
_COS_30 = math.cos(math.radians(30))


def cross(x: float, y: float, reach: float) -> Commands:
    """Two lines of twice the reach through a point."""
    return (("M", x - reach, y), ("L", x + reach, y), ("M", x, y - reach), ("L", x, y + reach))


def edge_marks(boxes: Sequence[Box], bleed_mm: float, room: Box) -> Commands:
    """Marks beside a block of boxes in columns and rows, one for every cut across the sheet, within
    `room`."""
    around = box_round(boxes)
    far = bleed_mm + CLEAR_MM
    commands: list[Line] = []
    for axis in (0, 1):
        across = 1 - axis
        low, high = around[across] - far, around[across] + around[across + 2] + far
        first, last = room[across], room[across] + room[across + 2]
        for at in _once(side for box in boxes for side in (box[axis], box[axis] + box[axis + 2])):
            for near, end in ((low, max(low - MARK_MM, first)), (high, min(high + MARK_MM, last))):
                ends = ((near, at), (end, at)) if axis else ((at, near), (at, end))
                commands += _segment(*ends)
    return tuple(commands)


def row_marks(boxes: Sequence[Box], room: Box) -> Commands:
    """Marks for hexes in offset rows: at both ends of every straight line of edges, within
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
    """Marks around each piece of a size, `gap_mm` from its neighbours: each continues an edge (for
    a disc, an axis) and is clear of all bleed."""
    _, _, width, height = boxes[0]
    cx, cy = width / 2, height / 2
    own: list[Line] = []
    if form is Form.HEXAGON:
        # Both edges at a corner run on beyond it, 60 degrees to each side of the way out.
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
    """Reach of bleed and of `corner_marks` beyond a piece, to the sides and up (for a flat
    hexagon)."""
    if form is Form.HEXAGON:
        far = bleed_mm / _COS_30 + _hex_clear(bleed_mm) + _hex_length(bleed_mm, gap_mm)
        return max(far / 2, bleed_mm / _COS_30), far * _COS_30
    reach = bleed_mm + CLEAR_MM + _free_length(bleed_mm, gap_mm)
    return reach, reach


def corner_gap_mm(form: Form, bleed_mm: float, length_mm: float) -> float:
    """The least gap between pieces in which `corner_marks` have a length."""
    if form is Form.HEXAGON:
        return length_mm * _COS_30 + 2 * bleed_mm + _hex_clear(bleed_mm) * _COS_30 + CLEAR_MM / 2
    return length_mm + 2 * bleed_mm + 2 * CLEAR_MM


def row_reserve_mm(length_mm: float) -> float:
    """Room beyond the tips of hexes in rows in which `row_marks`, which run out at 60 degrees, have
    a length."""
    return length_mm + _TIP_CLEAR_MM


def _free_length(bleed: float, gap: float) -> float:
    return min(MARK_MM, max(gap - 2 * bleed - 2 * CLEAR_MM, 0.0))


def _hex_clear(bleed: float) -> float:
    return CLEAR_MM / 2 if bleed else CLEAR_MM


def _hex_length(bleed: float, gap: float) -> float:
    """Marks above a hexagon run up at 60 degrees and end clear of the bleed of the next."""
    free = (gap - bleed - CLEAR_MM / 2) / _COS_30
    return min(MARK_MM, max(free - bleed / _COS_30 - _hex_clear(bleed), 0.0))


def _unit(degrees: float) -> Point:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def _once(values: Iterable[float]) -> list[float]:
    """Values in order; those closer than a hundredth of a millimetre are merged."""
    apart: list[float] = []
    for value in sorted(values):
        if not apart or value - apart[-1] > 0.01:
            apart.append(value)
    return apart


def _segment(start: Point, end: Point) -> tuple[Line, ...]:
    """A line, unless it is too short to be useful or there is no room."""
    length = math.dist(start, end)
    return (("M", *start), ("L", *end)) if length >= _LEAST_USEFUL_MM - 1e-6 else ()


def _reach(point: Point, way: Point, room: Box) -> float:
    """The distance that a line may run from a point before it leaves a box; 0 outside it."""
    far = math.inf
    for at, step, low, size in zip(point, way, room[:2], room[2:], strict=True):
        if not low <= at <= low + size:
            return 0.0
        if step > 1e-9:
            far = min(far, (low + size - at) / step)
        elif step < -1e-9:
            far = min(far, (low - at) / step)
    return far


# Marks by which sheets are aligned: side on side, plate on plate, and cut on print.


_CROSS_MM, _RING_MM = 2.2, 1.3
_PATCH_MM, _BAR_CLEAR_MM = 4.0, 8.0
# Solid inks, two on each other, and the grey that shows a cast: a printer measures these first.
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
    """Crosses in rings at both ends of the foot and, on sheets of a `press`, above the middle of
    the room."""
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
    """The place of the colour bar: in the rim above the room, left of the mark in the middle; None
    if it is too narrow."""
    x, y, width, _ = frame.room
    length = len(_PATCHES) * _PATCH_MM
    if width / 2 < length + _BAR_CLEAR_MM + 2 * _CROSS_MM:
        return None
    return (x + _BAR_CLEAR_MM, y - (REGISTER_RIM_MM + _PATCH_MM) / 2, length, _PATCH_MM)


def colour_bar(box: Box) -> Iterator[Item]:
    """The patches of a colour bar in its box."""
    x, y, length, height = box
    across = length / len(_PATCHES)
    for number, (name, recipe) in enumerate(_PATCHES):
        cyan, magenta, yellow, black = recipe
        rgb = ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
        patch = rectangle_path(x + number * across, y, across, height)
        yield Path(patch, fill=Ink(name, rgb, recipe), role=Role.MARK)


def cutter_marks(frame: Frame, cutter: Cutter) -> Items:
    """Angles for the sensor of a cutter, and a square in the upper left if it looks for three marks
    (Silhouette Studio's marks of type 1)."""
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
