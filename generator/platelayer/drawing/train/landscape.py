"""The landscape behind an engine: pale hills and the rail."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from platelayer.drawing.kit.style import Style
from platelayer.scene.shapes import Command, Item, Path, Point, Role, Stroke, polygon_path, rectangle_path

_FAR = ((0.0, 6.2), (0.2, 9.6), (0.46, 5.4), (0.72, 8.8), (1.0, 6.0))
_NEAR = ((0.0, 4.2), (0.3, 2.6), (0.58, 5.6), (0.82, 3.0), (1.0, 4.6))
_SLEEPERS_MM = 1.6


def rail_items(x0: float, x1: float, y: float, style: Style) -> tuple[Item, ...]:
    """A rail on sleepers from x0 to x1, its top at y."""
    ties = [x0 + number * _SLEEPERS_MM for number in range(int((x1 - x0) / _SLEEPERS_MM))]
    sleepers = tuple(command for x in ties for command in rectangle_path(x, y + 0.3, 0.7, 0.34))
    return (
        Path(commands=sleepers, fill=style.ink("train.engine.mid"), role=Role.SYMBOL),
        Path(
            commands=polygon_path(((x0, y + 0.15), (x1, y + 0.15)), closed=False),
            stroke=Stroke(ink=style.ink("train.engine.dark"), width_mm=0.3),
            role=Role.SYMBOL,
        ),
    )


def hill_items(x0: float, x1: float, y: float, high: float, style: Style) -> tuple[Item, ...]:
    """Two ranges of pale hills that rise from a level at y, to `high` times their full height."""
    wide = x1 - x0
    return tuple(
        Path(commands=_range([(x0 + wide * t, y - up * high) for t, up in crests], y), fill=style.ink(ink))
        for ink, crests in (("train.hills.far", _FAR), ("train.hills.near", _NEAR))
    )


def _range(crests: Sequence[Point], y: float) -> tuple[Command, ...]:
    """A closed shape whose upper edge swings softly through points."""
    commands: list[Command] = [("M", crests[0][0], y), ("L", *crests[0])]
    for (ax, ay), (bx, by) in pairwise(crests):
        half = (bx - ax) * 0.45
        commands.append(("C", ax + half, ay, bx - half, by, bx, by))
    return (*commands, ("L", crests[-1][0], y), ("Z",))
