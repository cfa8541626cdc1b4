"""Locomotives seen from the side, which grow from train to train."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
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
# Handles of a cubic that is nearly a quarter of a circle, by the radius.
_ROUND = 4 / 3 * math.tan(math.pi / 8)
_THINNEST_MM = 0.1
# Lines that hatch dark parts: the least width and height of these in mm, how much wider the lines
# are where the light falls, and at which share of the height that is, and how far it reaches.
_HATCHED_MM, _LIGHT_MM, _LIGHT, _FADES = 1.3, 0.09, 0.3, 0.42
# From the middle of a wheel to its crank pin, by the radius.
_THROW = 0.42

# The class of a car that only lengthens another train (a Pullman).
COACH_CLASS = -1
# Engines in the file, from the smallest to the largest.
CLASSES = 7


class _Step(Frozen, kw_only=True, forbid_unknown_fields=True):
    """One thing to draw; the schema says for each what `at` holds."""

    draw: str
    at: tuple[float, ...] = ()
    path: str = ""
    tone: str = _DARK
    edge: bool = False
    width: float = 0.0
    spokes: int = 0
    crank: float | None = None
    wheels: tuple[tuple[float, float, int], ...] = ()
    main: int = 0


class _Engine(Frozen, kw_only=True, forbid_unknown_fields=True):
    """An engine or car that faces left: its length and height, and its parts in the order of
    painting."""

    name: str
    about: str
    year: int = 0
    length: float
    height: float
    parts: tuple[_Step, ...]


class _Engines(Frozen, kw_only=True):
    """The whole file: engines from the smallest to the largest, and the coach."""

    engines: tuple[_Engine, ...]
    coach: _Engine


def engine_of(size_class: int, last_year: int | None = None) -> _Engine:
    """The engine of a class, or of the nearest that there is; the coach for COACH_CLASS. The
    classes share out the engines that there are up to a year."""
    if size_class == COACH_CLASS:
        return read_art("engines", _Engines).coach
    known = _known(last_year)
    return known[round(max(0, min(CLASSES - 1, size_class)) * (len(known) - 1) / (CLASSES - 1))]


def _known(last_year: int | None) -> Sequence[_Engine]:
    """The engines that there are up to a year, the oldest always."""
    first, *rest = read_art("engines", _Engines).engines
    return [first, *(engine for engine in rest if engine.year <= (last_year or engine.year))]


def _longest(last_year: int | None) -> float:
    """Length of the longest engine in its own units: `width_mm` is its length on paper."""
    return max(engine.length for engine in _known(last_year))


def locomotive_size(size_class: int, width_mm: float, style: Style) -> tuple[float, float]:
    """Length and height in mm when the longest engine is `width_mm` long. Classes run from 0."""
    engine = engine_of(size_class, style.last_year)
    longest = _longest(style.last_year)
    return engine.length * width_mm / longest, engine.height * width_mm / longest


def locomotive_items(
    size_class: int, width_mm: float, style: Style, *, silhouette: Ink | None = None
) -> Items:
    """The engine of a class, facing left: its front end at x = 0, the top of the rail at y = 0; or
    its silhouette in an ink.

    `width_mm` is the length of the longest engine; smaller classes are shorter. Every shape has
    Role.SYMBOL; it comes as one `Use`, so that painters keep each engine and size once.
    """
    scene = _engine_scene(size_class, round(width_mm, 2), style, silhouette)
    return (Use(scene, matrix=translation(0.0, -scene.height_mm)),)


def engine_block(size_class: int, width_mm: float, style: Style) -> Block:
    """The engine as a block, its wheels on the foot of it."""
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
    """Draws an engine: units become millimetres, tones inks, and y turns from up to down. It
    remembers the pins of cranks, which rods join."""

    def __init__(
        self, scale: float, height_mm: float, inks: dict[str, Ink], hatch_mm: float
    ) -> None:
        self.scale = scale
        self.hatch_mm = hatch_mm
        self.height_mm = height_mm
        self.inks = inks
        self.matrix: Matrix = (scale, 0.0, 0.0, -scale, 0.0, height_mm)
        self.items: list[Item] = []
        self.pins: list[Point] = []

    def stroke(self, tone: str, width: float, cap: str = "butt") -> Stroke:
        """A stroke of a width in units, never too thin to print."""
        width_mm = max(_THINNEST_MM, width * self.scale)
        return Stroke(self.inks[tone], width_mm, cap=cap, join="round")

    def disc(self, x: float, y: float, radius: float, tone: str) -> None:
        """A filled circle, in mm."""
        fill = self.inks[tone]
        self.items.append(Circle(x, y, radius, fill=fill, role=Role.SYMBOL))

    def plate(self, commands: Commands, tone: str = _DARK, *, edge: bool = False) -> None:
        """A filled shape; an `edge` in the pale tone sets dark parts apart."""
        shape = transform_commands(commands, self.matrix)
        stroke = self.stroke(_PALE, 0.3) if edge else None
        fill = self.inks[tone]
        self.items.append(Path(shape, fill=fill, stroke=stroke, role=Role.SYMBOL))
        if tone == _DARK and (lines := self.hatch(shape)):
            self.items.append(Group(lines, clip=shape))
            if stroke:
                self.items.append(Path(shape, stroke=stroke, role=Role.SYMBOL))

    def hatch(self, shape: Commands) -> Items:
        """Level lines over a dark part, as an engraver shades a boiler: wider where light falls."""
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
        """A line through points."""
        commands = transform_commands(polygon_path(points, closed=False), self.matrix)
        stroke = self.stroke(tone, width, cap)
        self.items.append(Path(commands, stroke=stroke, role=Role.SYMBOL))

    def wheel(self, x: float, radius: float, spokes: int = 0, crank: float | None = None) -> None:
        """A wheel standing on the rail. Without spokes it is a disc; `crank` is the angle of its
        crank in degrees from the front, upwards, and gives it a balance weight."""
        if crank is not None:
            angle, reach = math.radians(crank), radius * _THROW
            self.pins.append((x - reach * math.cos(angle), radius + reach * math.sin(angle)))
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
        """A bright rod through points, with round bosses there."""
        middles = [(x * self.scale, self.height_mm - y * self.scale) for x, y in points]
        self.line(points, width + 0.7, _DARK, "round")
        for x, y in middles:
            self.disc(x, y, boss * self.scale, _DARK)
        self.line(points, width, _PALE, "round")
        for x, y in middles:
            self.disc(x, y, boss * self.scale * 0.45, _DARK)

    def motion(self, x: float, y: float, main: int) -> None:
        """Coupling rods, the connecting rod to driver `main`, piston rod and crosshead; the back
        end of the cylinder is at (x, y)."""
        cross = (x + 5.6, y)
        if len(self.pins) > 1:
            self.rod(self.pins, 1.0, 1.15)
        for level in (y + 1.15, y - 1.15):
            self.line([(x, level), (x + 7.6, level)], 0.5, _MID)
        self.line([(x, y), cross], 0.6, _PALE)
        self.rod([cross, self.pins[main]], 0.9, 1.2)
        self.plate(_box(cross[0] - 1.0, y - 1.2, cross[0] + 1.0, y + 1.2, 0.3), edge=True)

    def bands(self, y0: float, y1: float, *xs: float) -> None:
        """Boiler bands."""
        for x in xs:
            self.line([(x, y0), (x, y1)], 0.35, _BRASS)

    def buffers(self, y: float, front: float, back: float) -> None:
        """A red buffer beam and a buffer in front, and a buffer behind, at a height of y."""
        self.plate(_box(front + 2.6, y - 1.9, front + 3.9, y + 1.9), _FIRE)
        self.plate(_box(front + 0.5, y - 0.55, front + 2.6, y + 0.55))
        self.plate(_box(front, y - 1.5, front + 0.75, y + 1.5, 0.35))
        self.plate(_box(back - 2.2, y - 0.55, back - 0.5, y + 0.55))
        self.plate(_box(back - 0.75, y - 1.5, back, y + 1.5, 0.35))

    def tender(self, x0: float, x1: float, floor: float, top: float, coal: float) -> None:
        """A tender's coal, frame and tank."""
        self.plate(_heap(x0 + 0.8, x1 - 4.6, top - 0.4, coal))
        self.plate(_box(x0 + 1.4, floor - 4.2, x1 - 1.4, floor - 1.6), _MID)
        self.plate(_box(x0, floor - 1.9, x1 + 0.4, floor))
        self.plate(_box(x0, floor, x1, top, 0.5), edge=True)
        for level in (top - 1.2, floor + 1.2):
            self.line([(x0 + 1.2, level), (x1 - 1.2, level)], 0.3, _BRASS)

    def step(self, step: _Step) -> None:
        """Draw one step of the file."""
        at = step.at
        match step.draw:
            case "line":
                self.line(_points(at), step.width, step.tone)
            case "wheel":
                self.wheel(at[0], at[1], step.spokes, step.crank)
            case "bogie":
                for wheel in step.wheels:
                    self.wheel(*wheel)
                first, last = step.wheels[0][0], step.wheels[-1][0]
                self.plate(_box(first - 1.8, at[0] - 0.5, last + 1.8, at[0] + 0.7, 0.4), _MID)
            case "motion":
                self.motion(at[0], at[1], step.main)
            case "bands":
                self.bands(*at)
            case "buffers":
                self.buffers(*at)
            case "tender":
                self.tender(*at)
            case kind:
                commands = path_commands(step.path) if step.path else _PLATES[kind](*at)
                self.plate(commands, step.tone, edge=step.edge)


def _points(at: Sequence[float]) -> list[Point]:
    return list(zip(at[::2], at[1::2], strict=True))


def _box(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> Commands:
    """A rectangle from the lower left to the upper right."""
    return transform_commands(rectangle_path(x0, -y1, x1 - x0, y1 - y0, radius), _UP)


def _dome(x: float, y: float, width: float, height: float) -> Commands:
    """A dome on a flared foot, its foot centred on (x, y)."""
    w, foot, shoulder = width / 2, width * 0.64, y + height - width * 0.42
    k = w * _ROUND
    rise = (y + height - shoulder) * _ROUND
    top = y + height
    return (
        ("M", x - foot, y),
        ("C", x - w, y + height * 0.08, x - w, y + height * 0.16, x - w, y + height * 0.3),
        ("L", x - w, shoulder),
        ("C", x - w, shoulder + rise, x - k, top, x, top),
        ("C", x + k, top, x + w, shoulder + rise, x + w, shoulder),
        ("L", x + w, y + height * 0.3),
        ("C", x + w, y + height * 0.16, x + w, y + height * 0.08, x + foot, y),
        ("Z",),
    )


def _chimney(x: float, y: float, width: float, height: float, taper: float = 0.0) -> Commands:
    """A chimney with a flared foot and a rolled cap; `taper` is how much wider its head is than its
    waist."""
    w, head, foot = width / 2, width / 2 + taper / 2, width * 0.78
    top, cap = y + height, y + height - width * 0.42
    lip, roll, swell, rim = 0.15 * width, cap + 0.12 * width, 0.3 * width, 0.22 * width
    return (
        ("M", x - foot, y),
        ("C", x - w, y + width * 0.15, x - w, y + width * 0.3, x - w, y + width * 0.55),
        ("L", x - head, cap),
        ("C", x - head - lip, cap, x - head - swell, roll, x - head - rim, top),
        ("L", x + head + rim, top),
        ("C", x + head + swell, roll, x + head + lip, cap, x + head, cap),
        ("L", x + w, y + width * 0.55),
        ("C", x + w, y + width * 0.3, x + w, y + width * 0.15, x + foot, y),
        ("Z",),
    )


def _balloon(x: float, y: float, width: float, height: float) -> Commands:
    """A balloon stack: a stem that swells into a spark arrester and narrows to a rim."""
    s, w, rim = width * 0.2, width / 2, width * 0.3
    belly, neck, top = y + height * 0.66, y + height * 0.34, y + height
    return (
        ("M", x - s * 1.7, y),
        ("C", x - s, y + height * 0.04, x - s, y + height * 0.08, x - s, y + height * 0.12),
        ("L", x - s, neck),
        ("C", x - s * 1.2, neck + height * 0.1, x - w, belly - height * 0.14, x - w, belly),
        ("C", x - w, belly + height * 0.16, x - rim, top - height * 0.1, x - rim, top),
        ("L", x + rim, top),
        ("C", x + rim, top - height * 0.1, x + w, belly + height * 0.16, x + w, belly),
        ("C", x + w, belly - height * 0.14, x + s * 1.2, neck + height * 0.1, x + s, neck),
        ("L", x + s, y + height * 0.12),
        ("C", x + s, y + height * 0.08, x + s, y + height * 0.04, x + s * 1.7, y),
        ("Z",),
    )


def _heap(x0: float, x1: float, y: float, height: float) -> Commands:
    """A heap of coal between x0 and x1 on a level."""
    w, top = x1 - x0, y + height
    dip, crest = top - height * 0.25, top - height * 0.16
    return (
        ("M", x0, y),
        ("C", x0 + w * 0.08, y + height * 0.9, x0 + w * 0.2, top, x0 + w * 0.34, top),
        ("C", x0 + w * 0.46, top, x0 + w * 0.5, dip, x0 + w * 0.6, crest),
        ("C", x0 + w * 0.76, top - height * 0.02, x0 + w * 0.92, y + height * 0.6, x1, y),
        ("Z",),
    )


def _arch(x: float, y: float, radius: float, height: float = 0.0) -> Commands:
    """A half disc with its foot on a level (a splasher over a wheel), or as high as `height` if
    that is given."""
    r, h = radius, height or radius
    k, m = r * _ROUND, h * _ROUND
    return (
        ("M", x - r, y),
        ("C", x - r, y + m, x - k, y + h, x, y + h),
        ("C", x + k, y + h, x + r, y + m, x + r, y),
        ("Z",),
    )


_PLATES: Mapping[str, Callable[..., Commands]] = {
    "box": _box,
    "arch": _arch,
    "balloon": _balloon,
    "chimney": _chimney,
    "dome": _dome,
    "heap": _heap,
    "shape": lambda *at: polygon_path(_points(at)),
}


def rail_items(x0: float, x1: float, y: float, style: Style, *, sleepers: bool = True) -> Items:
    """A rail from x0 to x1, its top at y, on sleepers or bare."""
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
    """Two ranges of pale hills that swing softly through their crests and rise from a level at y, to
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
