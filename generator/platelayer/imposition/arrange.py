"""Arrangements of pieces of one size on a sheet: offset rows and combs of hexes, and grids.

Also the form of a piece's outline, and the clips that hold its bleed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from platelayer.imposition.paper import Box, Frame
from platelayer.model.kinds import Form
from platelayer.scene.shapes import (
    Commands,
    Point,
    Scene,
    circle_path,
    polygon_path,
    rectangle_path,
)

# Left, top, right, bottom in mm.
Sides = tuple[float, float, float, float]

_EPS = 1e-6
# Two measures of one outline may differ by this much.
_SLACK_MM = 0.02


class Places(Struct, frozen=True):
    """Places for pieces of one size on a sheet, in the order of filling. `columns` is 0 for offset
    rows; `gap_mm` is the space between neighbours."""

    frame: Frame
    boxes: tuple[Box, ...]
    columns: int
    gap_mm: float


def offset_rows(
    frames: Sequence[Frame], width_mm: float, height_mm: float, reserve_mm: float
) -> Places | None:
    """The sheet that takes most hexes (`width_mm` corner to corner, `height_mm` flat to flat),
    corner to corner in rows, every second of which is shifted by half a hex: all edges are then on
    straight lines across the whole sheet. Rows run across or, with the hexes turned, down the
    sheet. `reserve_mm` is the room that bleed and marks need above the first row and below the
    last. None if there is no room for one."""
    half = width_mm / 2

    def rows_of(room_width: float, room_height: float) -> list[Box]:
        # Beyond the tips there is no bleed, and marks run out at 60 degrees: half the room is
        # enough.
        free_width = room_width - reserve_mm + _EPS
        rows = math.floor((room_height - 2 * reserve_mm + _EPS) / height_mm)
        even = math.floor(free_width / width_mm)
        if rows < 1 or even < 1:
            return []
        odd = even if even * width_mm + half <= free_width else even - 1
        used = even * width_mm
        if rows > 1:
            used = max(used, odd * width_mm + half)
        left, top = (room_width - used) / 2, (room_height - rows * height_mm) / 2
        return [
            (left + column * width_mm + row % 2 * half, top + row * height_mm, width_mm, height_mm)
            for row in range(rows)
            for column in range(odd if row % 2 else even)
        ]

    return _fullest(frames, rows_of, 0.0)


def honeycomb(
    frames: Sequence[Frame], width_mm: float, height_mm: float, gap_mm: float, reserve_mm: float
) -> Places | None:
    """The sheet that takes most hexes (`width_mm` corner to corner, `height_mm` flat to flat) side
    by side, all edges a gap apart; `reserve_mm` is the room that their bleed needs at the edges. A
    knife that follows outlines cuts them, a ruler does not. None if there is no room for one."""
    step = height_mm + gap_mm
    pitch = step * math.sqrt(3) / 2

    def columns_of(room_width: float, room_height: float) -> list[Box]:
        """Columns of hexes, every second half a hex lower."""
        free_width = room_width - 2 * reserve_mm + _EPS
        free_height = room_height - 2 * reserve_mm + _EPS
        columns = math.floor((free_width - width_mm) / pitch) + 1
        even = math.floor((free_height + gap_mm) / step)
        if free_width < width_mm or even < 1:
            return []
        height = even * step - gap_mm
        odd = even if height + step / 2 <= free_height else even - 1
        if odd == even and columns > 1:
            height += step / 2
        left = (room_width - width_mm - (columns - 1) * pitch) / 2
        top = (room_height - height) / 2
        return [
            (left + column * pitch, top + row * step + column % 2 * step / 2, width_mm, height_mm)
            for column in range(columns)
            for row in range(odd if column % 2 else even)
        ]

    return _fullest(frames, columns_of, gap_mm)


def _fullest(
    frames: Sequence[Frame], fill: Callable[[float, float], list[Box]], gap_mm: float
) -> Places | None:
    """The sheet that holds most boxes that `fill` arranges in a width and a height, across or, with
    x and y exchanged, down."""
    best: Places | None = None
    for frame in frames:
        x, y, width, height = frame.room
        # Columns are rows of the sheet seen on its side.
        down = [(bx, by, w, h) for by, bx, h, w in fill(height, width)]
        for boxes in (fill(width, height), down):
            if boxes and (best is None or len(boxes) > len(best.boxes)):
                moved = tuple((x + bx, y + by, w, h) for bx, by, w, h in boxes)
                best = Places(frame, moved, columns=0, gap_mm=gap_mm)
    return best


def grid(
    frames: Sequence[Frame],
    width_mm: float,
    height_mm: float,
    *,
    count: int,
    gaps_mm: Iterable[tuple[float, tuple[float, float]]],
) -> Places | None:
    """The grid that needs fewest sheets for `count` pieces; among equals the earliest gap, the
    paper upright, the piece unturned. Each gap comes with the room that bleed and marks need beside
    and above the block, for unturned pieces. None when there is no room for one piece."""
    fewest = math.inf
    best: Places | None = None
    for (gap, reserve), frame, turned in product(gaps_mm, frames, (False, True)):
        width, height = (height_mm, width_mm) if turned else (width_mm, height_mm)
        beside, above = reserve[::-1] if turned else reserve
        x, y, room_width, room_height = frame.room
        across, down = width + gap, height + gap
        columns = math.floor((room_width - 2 * beside + gap + _EPS) / across)
        rows = math.floor((room_height - 2 * above + gap + _EPS) / down)
        if columns < 1 or rows < 1:
            continue
        sheets = -(-count // (columns * rows))
        if sheets < fewest:
            fewest = sheets
            left = x + (room_width - columns * across + gap) / 2
            top = y + (room_height - rows * down + gap) / 2
            boxes = tuple(
                (left + column * across, top + row * down, width, height)
                for row in range(rows)
                for column in range(columns)
            )
            best = Places(frame, boxes, columns=columns, gap_mm=gap)
    return best


def form_of(scene: Scene) -> Form:
    """The form of a scene's outline: six straight lines of a regular hexagon, four curves of a
    circle, or other."""
    verbs = "".join(str(command[0]) for command in scene.outline or ())
    if verbs == "MCCCCZ" and abs(scene.width_mm - scene.height_mm) < _SLACK_MM:
        return Form.DISC
    centre = (scene.width_mm / 2, scene.height_mm / 2)
    if verbs == "MLLLLLZ" and all(
        abs(math.dist(centre, corner) - max(centre)) < _SLACK_MM for corner in corners(scene)
    ):
        return Form.HEXAGON
    return Form.RECTANGLE


@lru_cache(256)
def with_corners(scene: Scene, radius_mm: float) -> Scene:
    """A rectangular scene whose outline has rounded corners: it is cut there, and shown so."""
    if not radius_mm or scene.outline is not None:
        return scene
    radius = min(radius_mm, scene.width_mm / 2, scene.height_mm / 2)
    return replace(scene, outline=rectangle_path(0, 0, scene.width_mm, scene.height_mm, radius))


def corners(scene: Scene) -> tuple[Point, ...]:
    """Corners of a hexagonal outline in order."""
    return tuple(
        (float(command[1]), float(command[2]))
        for command in scene.outline or ()
        if len(command) == 3
    )


def grown(scene: Scene, form: Form, by_mm: float) -> Commands:
    """The outline of a hexagon or disc, `by_mm` further out on every side; the clip of pieces that
    touch no neighbour."""
    x, y = scene.width_mm / 2, scene.height_mm / 2
    if form is Form.DISC:
        return circle_path(x, y, x + by_mm)
    factor = 1 + by_mm / min(x, y)
    return polygon_path((x + (px - x) * factor, y + (py - y) * factor) for px, py in corners(scene))


def between_rows(scene: Scene, by_mm: float) -> Commands:
    """The clip of a hexagon that touches its neighbours corner to corner: `by_mm` further out along
    every side, but never past the line through a corner that divides the space there fairly. There
    the sides' offset lines end at 2 x `by_mm` beside the corner, as the angle between that line and
    a side is 30 degrees."""
    x, y = scene.width_mm / 2, scene.height_mm / 2
    points: list[Point] = []
    ring = corners(scene)
    for (px, py), (nx, ny) in zip(ring, ring[1:] + ring[:1], strict=True):
        radius = math.dist((x, y), (px, py))
        ux, uy = -(py - y) / radius, (px - x) / radius
        way = math.copysign(2 * by_mm, ux * (nx - px) + uy * (ny - py))
        points += ((px - ux * way, py - uy * way), (px + ux * way, py + uy * way))
    return polygon_path(points)


def rectangle_round(scene: Scene, sides: Sides) -> Commands:
    """The clip of a rectangular piece with its own bleed on every side (in the piece's
    coordinates)."""
    left, top, right, bottom = sides
    return rectangle_path(
        -left, -top, scene.width_mm + left + right, scene.height_mm + top + bottom
    )
