"""Marks by which sheets are aligned: side on side, plate on plate, and cut on print."""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.imposition.marks import cross
from platelayer.imposition.page import Box
from platelayer.imposition.paper import REGISTER_RIM_MM, Frame
from platelayer.scene.inks import BLACK, CMYK, Ink
from platelayer.scene.shapes import Command, Item, Path, Role, Stroke, circle_path, rectangle_path

_CROSS_MM, _RING_MM = 2.2, 1.3
_PATCH_MM, _BAR_CLEAR_MM = 4.0, 8.0
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
"""Solid inks, two on each other, and the grey that shows a cast: what a printer measures first."""

SQUARE_MM, ARM_MM, THICK_MM, INSET_MM = 5.0, 20.0, 0.5, 10.0
"""Silhouette Studio's marks of type 1 (Cameo, Portrait, Curio): a square in the upper left, angles
in the upper right and lower left, inset from the edges of the paper. Length, thickness and inset
are settings there; the square is not."""
CUTTER_MARGIN_MM = INSET_MM + SQUARE_MM + 3.0
"""The least margin that keeps everything else out of the marks' way, as the cutter's sensor needs
it."""


def register_marks(frame: Frame, *, press: bool) -> tuple[Command, ...]:
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
        yield Path(commands=patch, fill=Ink(name, rgb, recipe), role=Role.MARK)


def cutter_marks(frame: Frame) -> tuple[Item, ...]:
    """A square and two angles for the sensor of a cutter."""
    right, bottom = frame.width_mm - INSET_MM, frame.height_mm - INSET_MM
    half = THICK_MM / 2
    angles: tuple[Command, ...] = (
        ("M", right - ARM_MM, INSET_MM + half),
        ("L", right - half, INSET_MM + half),
        ("L", right - half, INSET_MM + ARM_MM),
        ("M", INSET_MM + ARM_MM, bottom - half),
        ("L", INSET_MM + half, bottom - half),
        ("L", INSET_MM + half, bottom - ARM_MM),
    )
    return (
        Path(
            commands=rectangle_path(INSET_MM, INSET_MM, SQUARE_MM, SQUARE_MM),
            fill=BLACK,
            role=Role.MARK,
        ),
        Path(commands=angles, stroke=Stroke(ink=BLACK, width_mm=THICK_MM), role=Role.MARK),
    )
