"""Locomotives in side view, which grow from train to train."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from platelayer.drawing.kit.icons import path_commands, read_art
from platelayer.drawing.kit.layout import Block, placing
from platelayer.drawing.kit.style import Style
from platelayer.foundation.values import Frozen
from platelayer.scene.flatten import Outline
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Circle,
    Command,
    Commands,
    Group,
    Item,
    Items,
    Matrix,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    rectangle_path,
    transform_commands,
    translation,
)

# Crests of the hills: (share of the length, height in mm).
_FAR = ((0.0, 6.2), (0.2, 9.6), (0.46, 5.4), (0.72, 8.8), (1.0, 6.0))
_NEAR = ((0.0, 4.2), (0.3, 2.6), (0.58, 5.6), (0.82, 3.0), (1.0, 4.6))
_SLEEPERS_MM = 1.6

# Tones of an engine; the theme's inks `train.engine.*` print them.
_DARK, _MID, _PALE, _BRASS, _FIRE = _TONES = ("dark", "mid", "pale", "brass", "fire")

_UP: Matrix = (1.0, 0.0, 0.0, -1.0, 0.0, 0.0)
_THINNEST_MM = 0.1
# Hatching of dark parts: minimum width and height of such a part in mm; extra thickness of lines
# where the light falls; the level of the light and its reach, as shares of the height.
_HATCHED_MM, _LIGHT_MM, _LIGHT, _FADES = 1.3, 0.09, 0.3, 0.42

# Class of a car that only extends another train (a Pullman).
COACH_CLASS = -1
# Number of engines in the file, which run from the smallest to the largest.
CLASSES = 7


class _Step(Frozen, kw_only=True, forbid_unknown_fields=True):
    """One drawing step; the schema defines `at` for each kind of step."""

    draw: str
    at: tuple[float, ...] = ()
    path: str = ""
    tone: str = _DARK
    edge: bool = False
    width: float = 0.0
    spokes: int = 0
    crank: float | None = None
    boss: float = 0.0


class _Engine(Frozen, kw_only=True, forbid_unknown_fields=True):
    """An engine or car that faces left: its length and height, and its parts in painting order."""

    name: str
    about: str
    year: int = 0
    length: float
    height: float
    parts: tuple[_Step, ...]


class _Engines(Frozen, kw_only=True):
    """The file of engines, from the smallest to the largest, and the coach."""

    engines: tuple[_Engine, ...]
    coach: _Engine


def engine_of(size_class: int, last_year: int | None = None) -> _Engine:
    """Return the engine of a class, or of the nearest existing class; the coach for COACH_CLASS.
    The classes are shared out among the engines built up to `last_year`."""
    if size_class == COACH_CLASS:
        return read_art("engines", _Engines).coach
    known = _known(last_year)
    return known[round(max(0, min(CLASSES - 1, size_class)) * (len(known) - 1) / (CLASSES - 1))]


def _known(last_year: int | None) -> Sequence[_Engine]:
    """Return the engines built up to a year, always including the oldest."""
    first, *rest = read_art("engines", _Engines).engines
    return [first, *(engine for engine in rest if engine.year <= (last_year or engine.year))]


def _longest(last_year: int | None) -> float:
    """Return the length of the longest engine in units of the file; on paper it is `width_mm`
    long."""
    return max(engine.length for engine in _known(last_year))


def locomotive_size(size_class: int, width_mm: float, style: Style) -> tuple[float, float]:
    """Return length and height in mm if the longest engine is `width_mm` long. Classes start at
    0."""
    engine = engine_of(size_class, style.last_year)
    longest = _longest(style.last_year)
    return engine.length * width_mm / longest, engine.height * width_mm / longest


def locomotive_items(
    size_class: int, width_mm: float, style: Style, *, silhouette: Ink | None = None
) -> Items:
    """Draw the engine of a class, facing left, with its front end at x = 0 and the top of the rail
    at y = 0; as a silhouette if an ink is given for one.

    `width_mm` is the length of the longest engine; smaller classes are shorter. Every shape has
    Role.SYMBOL; the engine is a single `Use`, so that painters store each engine and size once.
    """
    scene = _engine_scene(size_class, round(width_mm, 2), style, silhouette)
    return (Use(scene, matrix=translation(0.0, -scene.height_mm)),)


def engine_block(size_class: int, width_mm: float, style: Style) -> Block:
    """Return the engine as a block, with its wheels on the block's foot."""
    length, height = locomotive_size(size_class, width_mm, style)
    engine = locomotive_items(size_class, width_mm, style)
    return Block(length, height, lambda x, y: placing(engine)(x, y + height))


@lru_cache(64)
def _engine_scene(size_class: int, width_mm: float, style: Style, silhouette: Ink | None) -> Scene:
    engine = engine_of(size_class, style.last_year)
    length, height = locomotive_size(size_class, width_mm, style)
    inks = {tone: silhouette or style.ink(f"train.engine.{tone}") for tone in _TONES}
    hatch_mm = 0.0 if silhouette else style.theme.hatch_mm
    pen = _Pen(width_mm / _longest(style.last_year), height, inks, hatch_mm)
    for step in engine.parts:
        pen.step(step)
    return Scene(
        f"engine:{engine.name}:{width_mm:g}{silhouette.hex if silhouette else ''}",
        length,
        height,
        tuple(pen.items),
        bleed_mm=1.0,
    )


class _Pen:
    """Pen that draws an engine: it converts units to millimetres and tones to inks, and flips y
    from up to down."""

    def __init__(
        self, scale: float, height_mm: float, inks: dict[str, Ink], hatch_mm: float
    ) -> None:
        self.scale = scale
        self.hatch_mm = hatch_mm
        self.height_mm = height_mm
        self.inks = inks
        self.matrix: Matrix = (scale, 0.0, 0.0, -scale, 0.0, height_mm)
        self.items: list[Item] = []

    def stroke(self, tone: str, width: float, cap: str = "butt") -> Stroke:
        """Return a stroke with a width in units, never too thin to print."""
        width_mm = max(_THINNEST_MM, width * self.scale)
        return Stroke(self.inks[tone], width_mm, cap=cap, join="round")

    def disc(self, x: float, y: float, radius: float, tone: str) -> None:
        """Draw a filled circle, in mm."""
        fill = self.inks[tone]
        self.items.append(Circle(x, y, radius, fill=fill, role=Role.SYMBOL))

    def plate(self, commands: Commands, tone: str = _DARK, *, edge: bool = False) -> None:
        """Draw a filled shape; an `edge` in the pale tone separates dark parts."""
        shape = transform_commands(commands, self.matrix)
        stroke = self.stroke(_PALE, 0.3) if edge else None
        fill = self.inks[tone]
        self.items.append(Path(shape, fill=fill, stroke=stroke, role=Role.SYMBOL))
        if tone == _DARK and (lines := self.hatch(shape)):
            self.items.append(Group(lines, clip=shape))
            if stroke:
                self.items.append(Path(shape, stroke=stroke, role=Role.SYMBOL))

    def hatch(self, shape: Commands) -> Items:
        """Return horizontal lines over a dark part, as in an engraving of a boiler: thicker where
        light falls."""
        left, top, right, foot = Outline(shape).bounds
        if not self.hatch_mm or min(right - left, foot - top) < _HATCHED_MM:
            return ()
        lines = []
        for number in range(1, math.ceil((foot - top) / self.hatch_mm)):
            y = top + number * self.hatch_mm
            light = 1 - abs((y - top) / (foot - top) - _LIGHT) / _FADES
            if light > 0:
                line = polygon_path(((left, y), (right, y)), closed=False)
                stroke = Stroke(self.inks[_MID], _THINNEST_MM + _LIGHT_MM * light)
                lines.append(Path(line, stroke=stroke, role=Role.SYMBOL))
        return tuple(lines)

    def line(
        self, points: Sequence[Point], width: float, tone: str = _DARK, cap: str = "butt"
    ) -> None:
        commands = transform_commands(polygon_path(points, closed=False), self.matrix)
        stroke = self.stroke(tone, width, cap)
        self.items.append(Path(commands, stroke=stroke, role=Role.SYMBOL))

    def wheel(self, x: float, radius: float, spokes: int = 0, crank: float | None = None) -> None:
        """Draw a wheel standing on the rail. Without spokes it is a disc; `crank` is the angle of
        its crank in degrees from the front, upwards, and gives it a balance weight."""
        k = self.scale
        rim = radius * 0.15
        x, y, r = x * k, self.height_mm - radius * k, radius * k
        if not spokes:
            for share, tone in ((1.0, _DARK), (0.72, _MID), (0.28, _DARK)):
                self.disc(x, y, r * share, tone)
            return
        self.disc(x, y, r * 0.92, _PALE)
        rays = []
        for number in range(spokes):
            angle = 2 * math.pi * (number + 0.5) / spokes
            end = x + r * 0.9 * math.cos(angle), y - r * 0.9 * math.sin(angle)
            rays += [("M", x, y), ("L", *end)]
        tyre = self.stroke(_DARK, rim)
        self.items += (
            Path(tuple(rays), stroke=self.stroke(_DARK, 0.34), role=Role.SYMBOL),
            Circle(x, y, r - rim * k / 2, stroke=tyre, role=Role.SYMBOL),
        )
        self.disc(x, y, r * 0.2, _DARK)
        if crank is not None:
            # The balance weight is the part of the wheel beyond a chord, opposite the crank.
            middle, half, steps, reach = math.radians(crank), math.radians(42), 8, r * 0.9
            angles = [middle - half + 2 * half * step / steps for step in range(steps + 1)]
            weight = polygon_path(
                [(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles]
            )
            fill = self.inks[_DARK]
            self.items.append(Path(weight, fill=fill, role=Role.SYMBOL))

    def rod(self, points: Sequence[Point], width: float, boss: float) -> None:
        """Draw a bright rod through points, with a round boss at each."""
        middles = [(x * self.scale, self.height_mm - y * self.scale) for x, y in points]
        self.line(points, width + 0.7, _DARK, "round")
        for x, y in middles:
            self.disc(x, y, boss * self.scale, _DARK)
        self.line(points, width, _PALE, "round")
        for x, y in middles:
            self.disc(x, y, boss * self.scale * 0.45, _DARK)

    def step(self, step: _Step) -> None:
        """Draw one step of the file."""
        at, points = step.at, [*zip(step.at[::2], step.at[1::2], strict=False)]
        match step.draw:
            case "line":
                self.line(points, step.width, step.tone)
            case "wheel":
                self.wheel(at[0], at[1], step.spokes, step.crank)
            case "rod":
                self.rod(points, step.width, step.boss)
            case "box":
                self.plate(_box(*at), step.tone, edge=step.edge)
            case _:
                self.plate(path_commands(step.path), step.tone, edge=step.edge)


def _box(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> Commands:
    """Return a rectangle from the lower left to the upper right."""
    return transform_commands(rectangle_path(x0, -y1, x1 - x0, y1 - y0, radius), _UP)


def rail_items(x0: float, x1: float, y: float, style: Style, *, sleepers: bool = True) -> Items:
    """Draw a rail from x0 to x1 with its top at y, with or without sleepers."""
    count = int((x1 - x0) / _SLEEPERS_MM) if sleepers else 0
    ties = [x0 + number * _SLEEPERS_MM for number in range(count)]
    timber = tuple(command for x in ties for command in rectangle_path(x, y + 0.3, 0.7, 0.34))
    rail = polygon_path(((x0, y + 0.15), (x1, y + 0.15)), closed=False)
    stroke = Stroke(style.ink("train.engine.dark"), 0.3)
    laid = Path(rail, stroke=stroke, role=Role.SYMBOL)
    if not timber:
        return (laid,)
    return (Path(timber, fill=style.ink("train.engine.mid"), role=Role.SYMBOL), laid)


def hill_items(x0: float, x1: float, y: float, high: float, style: Style) -> Items:
    """Draw two ranges of pale hills with softly rounded crests, which rise from a level at y to
    `high` times their full height."""
    items = []
    for ink, shares in (("train.hills.far", _FAR), ("train.hills.near", _NEAR)):
        crests = [(x0 + (x1 - x0) * share, y - up * high) for share, up in shares]
        commands: list[Command] = [("M", crests[0][0], y), ("L", *crests[0])]
        for (ax, ay), (bx, by) in pairwise(crests):
            half = (bx - ax) * 0.45
            commands.append(("C", ax + half, ay, bx - half, by, bx, by))
        commands += [("L", crests[-1][0], y), ("Z",)]
        items.append(Path(tuple(commands), fill=style.ink(ink)))
    return tuple(items)
