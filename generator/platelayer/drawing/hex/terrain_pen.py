"""The pen that draws terrain symbols: points on a sheet 100 wide become flat inked shapes in mm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from platelayer.drawing.kit.style import Style
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Command, Item, Path, Point, Role, Stroke

SHEET = 100.0
"""Width of the sheet a symbol is drawn on; its height is the symbol's own."""
_FINEST_MM = 0.1


def smooth(points: Sequence[Point], *, closed: bool = False) -> tuple[Command, ...]:
    """A soft curve through points (Catmull-Rom), as path commands."""
    count = len(points)

    def at(index: int) -> Point:
        return points[index % count] if closed else points[max(0, min(count - 1, index))]

    commands: list[Command] = [("M", *points[0])]
    for index in range(count if closed else count - 1):
        before, start, end, after = at(index - 1), at(index), at(index + 1), at(index + 2)
        commands.append(
            (
                "C",
                start[0] + (end[0] - before[0]) / 6,
                start[1] + (end[1] - before[1]) / 6,
                end[0] - (after[0] - start[0]) / 6,
                end[1] - (after[1] - start[1]) / 6,
                *end,
            )
        )
    if closed:
        commands.append(("Z",))
    return tuple(commands)


def straight(points: Sequence[Point], *, closed: bool = False) -> tuple[Command, ...]:
    """Straight lines through points, as path commands."""
    commands: list[Command] = [("L" if index else "M", x, y) for index, (x, y) in enumerate(points)]
    if closed:
        commands.append(("Z",))
    return tuple(commands)


def wave(x: float, y: float, length: float, count: int, height: float) -> tuple[Point, ...]:
    """A line of `count` waves from (x, y), crests up, as points of a curve."""
    step = length / count
    points: list[Point] = [(x, y)]
    for index in range(count):
        start = x + index * step
        points += [(start + step * 0.5, y - height), (start + step, y)]
    return tuple(points)


class Pen:
    """Collects the shapes of one symbol. Points are in hundredths of the symbol's width, y down from its top."""

    def __init__(self, style: Style, width_mm: float, role: Role = Role.SYMBOL) -> None:
        self._style = style
        self._scale = width_mm / SHEET
        self._role = role
        self.items: list[Item] = []

    def fill(self, commands: Iterable[Command], ink: str) -> None:
        """A flat area in the theme's ink of that name."""
        self.items.append(Path(commands=self._scaled(commands), fill=self._style.ink(ink), role=self._role))

    def line(self, commands: Iterable[Command], ink: str, weight: float = 1.0) -> None:
        """A line `weight` hundredths of the width thick, never too fine to print safely."""
        stroke = self._stroke(self._style.ink(ink), weight)
        self.items.append(Path(commands=self._scaled(commands), stroke=stroke, role=self._role))

    def lines(self, strokes: Iterable[Sequence[Point]], ink: str, weight: float = 1.0) -> None:
        """Many strokes as one path: two points make a straight stroke, more a curve."""
        commands = [
            command for points in strokes for command in (straight(points) if len(points) == 2 else smooth(points))
        ]
        if commands:
            self.line(commands, ink, weight)

    def _stroke(self, ink: Ink, weight: float) -> Stroke:
        return Stroke(ink=ink, width_mm=max(_FINEST_MM, weight * self._scale), cap="round", join="round")

    def _scaled(self, commands: Iterable[Command]) -> tuple[Command, ...]:
        k = self._scale
        return tuple((name, *(round(float(number) * k, 3) for number in numbers)) for name, *numbers in commands)
