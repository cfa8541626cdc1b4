"""Tiling: windows of equal size that overlap and together show something larger than the paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from platelayer.imposition.foot import Part, part_name
from platelayer.imposition.page import Box
from platelayer.imposition.paper import Frame
from platelayer.scene.shapes import Anchor, Command, Item, Path, Role, polygon_path
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import set_line, text_width

RIM_MM = 4.2
"""Room reserved around a window for joining marks and the names of its neighbours."""
_LEAST_STEP_MM = 20.0
_MARK_MM, _CLEAR_MM = 3.4, 0.6
_NAME_MM = 2.0
"""From a window to the middle of the name of its neighbour."""
_EPS = 1e-6


class Window(Struct, frozen=True, kw_only=True):
    """One part: what it shows, in the coordinates of the scene, and where that is on the page (`at` is the upper left
    of the window on the page)."""

    part: Part
    box: Box
    at: tuple[float, float]


class Tiling(Struct, frozen=True, kw_only=True):
    """All windows, by rows, in one orientation of the paper."""

    frame: Frame
    windows: tuple[Window, ...]
    overlap_mm: float


def tile_over(frames: Sequence[Frame], region: Box, overlap_mm: float) -> Tiling | None:
    """The fewest windows that cover `region` (in the scene's coordinates), neighbours sharing `overlap_mm`; among
    equals on portrait paper. None if the paper is too small to show a useful part."""
    best: Tiling | None = None
    for frame in frames:
        _, _, room_width, room_height = frame.room
        columns = _count(region[2], room_width - 2 * RIM_MM, overlap_mm)
        rows = _count(region[3], room_height - 2 * RIM_MM, overlap_mm)
        if columns is None or rows is None:
            continue
        if best is None or columns * rows < len(best.windows):
            windows = tuple(_windows(frame, region, overlap_mm, columns, rows))
            best = Tiling(frame=frame, windows=windows, overlap_mm=overlap_mm)
    return best


def _count(length: float, most: float, overlap: float) -> int | None:
    """Windows needed along one side."""
    if length <= most + _EPS:
        return 1
    step = most - overlap
    return math.ceil((length - overlap - _EPS) / step) if step >= _LEAST_STEP_MM else None


def _windows(frame: Frame, region: Box, overlap: float, columns: int, rows: int) -> Iterator[Window]:
    x, y, room_width, room_height = frame.room
    width = (region[2] + (columns - 1) * overlap) / columns
    height = (region[3] + (rows - 1) * overlap) / rows
    at = (x + (room_width - width) / 2, y + (room_height - height) / 2)
    for row in range(rows):
        for column in range(columns):
            left, top = region[0] + column * (width - overlap), region[1] + row * (height - overlap)
            part = Part(row=row, column=column, rows=rows, columns=columns)
            yield Window(part=part, box=(left, top, width, height), at=at)


def joining_marks(window: Window, overlap_mm: float, trim: tuple[float, float], theme: Theme) -> tuple[Item, ...]:
    """Beside a window: marks where it joins its neighbours (the middle of the overlap) and where the piece is cut
    (`trim` is its width and height), with the names of the neighbours."""
    part, (x, y) = window.part, window.at
    left, top, width, height = window.box
    commands: list[Command] = []
    for at in cuts(left, width, overlap_mm, (part.column, part.columns), trim[0]):
        px = x + at - left
        commands += (("M", px, y - _CLEAR_MM), ("L", px, y - _CLEAR_MM - _MARK_MM))
        commands += (("M", px, y + height + _CLEAR_MM), ("L", px, y + height + _CLEAR_MM + _MARK_MM))
    for at in cuts(top, height, overlap_mm, (part.row, part.rows), trim[1]):
        py = y + at - top
        commands += (("M", x - _CLEAR_MM, py), ("L", x - _CLEAR_MM - _MARK_MM, py))
        commands += (("M", x + width + _CLEAR_MM, py), ("L", x + width + _CLEAR_MM + _MARK_MM, py))
    return (
        Path(commands=tuple(commands), stroke=theme.stroke("sheet.mark"), role=Role.MARK),
        *_neighbours(window, theme),
    )


def cuts(start: float, length: float, overlap: float, of: tuple[int, int], trim: float) -> tuple[float, float]:
    """Positions along one side: the trim at outer windows, the middle of the overlap at inner ones. `of` is the
    index of the window and how many there are."""
    index, count = of
    first = start + overlap / 2 if index else 0.0
    return first, start + length - overlap / 2 if index < count - 1 else trim


def _neighbours(window: Window, theme: Theme) -> Iterator[Item]:
    """The name of each neighbouring part beside the middle of that side, with an arrowhead towards it."""
    part, (x, y), (_, _, width, height) = window.part, window.at, window.box
    style, ink = theme.type("sheet"), theme.ink("text.soft")
    sides = (
        (-1, 0, x - _CLEAR_MM - _NAME_MM, y + height / 2),
        (1, 0, x + width + _CLEAR_MM + _NAME_MM, y + height / 2),
        (0, -1, x + width / 2, y - _CLEAR_MM - _NAME_MM),
        (0, 1, x + width / 2, y + height + _CLEAR_MM + _NAME_MM),
    )
    for dx, dy, px, py in sides:
        column, row = part.column + dx, part.row + dy
        if not (0 <= column < part.columns and 0 <= row < part.rows):
            continue
        name = part_name(row, column)
        half = text_width(name, style) / 2
        # Words are level, above or beside the arrowhead, whichever way it points.
        away = (0.0, 1.6) if dx else (half + 1.6, 0.0)
        tip = ((px + dx * 1.1, py + dy * 1.1), (px - dx * 0.7 - dy, py - dy * 0.7 - dx))
        tail = (px - dx * 0.7 + dy, py - dy * 0.7 + dx)
        yield Path(commands=polygon_path((*tip, tail)), fill=ink, role=Role.MARK)
        middle = (px + away[0], py + away[1] + style.cap_height_mm)
        if not dx:
            middle = (middle[0], py + style.cap_height_mm / 2)
        yield from set_line(name, style, ink, *middle, anchor=Anchor.MIDDLE)
