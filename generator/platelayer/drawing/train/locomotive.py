"""Locomotives seen from the side, which grow from train to train."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from msgspec import Struct

from platelayer.drawing.kit.icons import path_commands, read_art
from platelayer.drawing.kit.style import Style
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Circle,
    Command,
    Item,
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

_FAR = ((0.0, 6.2), (0.2, 9.6), (0.46, 5.4), (0.72, 8.8), (1.0, 6.0))
_NEAR = ((0.0, 4.2), (0.3, 2.6), (0.58, 5.6), (0.82, 3.0), (1.0, 4.6))
_SLEEPERS_MM = 1.6

_DARK, _MID, _PALE, _BRASS, _FIRE = "dark", "mid", "pale", "brass", "fire"
"""Tones of an engine; the theme's inks `train.engine.*` print them."""

_UP: Matrix = (1.0, 0.0, 0.0, -1.0, 0.0, 0.0)
_ROUND = 4 / 3 * math.tan(math.pi / 8)


class _Plate(Struct, frozen=True, kw_only=True):
    """A filled shape. `edge` draws its outline in the pale tone, so that dark parts stand apart."""

    commands: tuple[Command, ...]
    tone: str = _DARK
    edge: bool = False


class _Line(Struct, frozen=True, kw_only=True):
    """A line of some width; `tone` as of a plate."""

    commands: tuple[Command, ...]
    width: float
    tone: str = _DARK


class _Wheel(Struct, frozen=True, kw_only=True):
    """A wheel standing on the rail. Without spokes it is a disc; `crank` is the angle of its crank
    in degrees from the front, upwards, and gives it a balance weight."""

    x: float
    radius: float
    spokes: int = 0
    crank: float | None = None


class _Rod(Struct, frozen=True, kw_only=True):
    """A bright rod through points, `width` thick, with round bosses there."""

    points: tuple[Point, ...]
    width: float
    boss: float


_Part = _Plate | _Line | _Wheel | _Rod


class _Engine(Struct, frozen=True, kw_only=True):
    """An engine or car: how long and how high it is, and its parts in the order of painting. It
    faces left."""

    name: str
    length: float
    height: float
    parts: tuple[_Part, ...]


COACH_CLASS = -1
"""The class of a car that only lengthens another train (a Pullman)."""
CLASSES = 7
"""Engines in the file, from the smallest to the largest."""


class _Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to draw; what `at` holds, the schema says for each."""

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


class _Drawn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    about: str
    year: int = 0
    length: float
    height: float
    parts: tuple[_Step, ...]


class _Engines(Struct, frozen=True, kw_only=True):
    """The whole file: engines from the smallest to the largest, and the coach."""

    engines: tuple[_Drawn, ...]
    coach: _Drawn


_THINNEST_MM = 0.1
_TONES = (_DARK, _MID, _PALE, _BRASS, _FIRE)


def locomotive_size(size_class: int, width_mm: float, style: Style) -> tuple[float, float]:
    """Length and height in mm when the longest engine is `width_mm` long. Classes run from 0."""
    engine = engine_of(size_class, style.last_year)
    longest = _longest(style.last_year)
    return engine.length * width_mm / longest, engine.height * width_mm / longest


def locomotive_items(size_class: int, width_mm: float, style: Style) -> tuple[Item, ...]:
    """The engine of a class, facing left: its front end at x = 0, the top of the rail at y = 0.

    `width_mm` is the length of the longest engine; smaller classes are shorter. Every shape has
    Role.SYMBOL; it comes as one `Use`, so that painters keep each engine and size once.
    """
    scene = _drawn(size_class, round(width_mm, 2), style)
    return (Use(scene=scene, matrix=translation(0.0, -scene.height_mm)),)


@lru_cache(maxsize=64)
def _drawn(size_class: int, width_mm: float, style: Style) -> Scene:
    engine = engine_of(size_class, style.last_year)
    length, height = locomotive_size(size_class, width_mm, style)
    inks = {tone: style.ink(f"train.engine.{tone}") for tone in _TONES}
    pen = _Pen(width_mm / _longest(style.last_year), height, inks)
    items = tuple(item for part in engine.parts for item in _DRAW[type(part)](pen, part))
    return Scene(
        key=f"engine:{engine.name}:{width_mm:g}",
        width_mm=length,
        height_mm=height,
        items=items,
        bleed_mm=1.0,
    )


class _Pen:
    """Units to millimetres, tones to inks; y turns from up to down."""

    def __init__(self, scale: float, height_mm: float, inks: dict[str, Ink]) -> None:
        self.scale = scale
        self.height_mm = height_mm
        self.inks = inks
        self.matrix: Matrix = (scale, 0.0, 0.0, -scale, 0.0, height_mm)

    def place(self, commands: tuple[Command, ...]) -> tuple[Command, ...]:
        """A path in millimetres."""
        return transform_commands(commands, self.matrix)

    def line(self, tone: str, width: float, cap: str = "butt") -> Stroke:
        """A stroke of a given width in units, never too thin to print."""
        return Stroke(
            ink=self.inks[tone],
            width_mm=max(_THINNEST_MM, width * self.scale),
            cap=cap,
            join="round",
        )


def _plate(pen: _Pen, part: _Plate) -> tuple[Item, ...]:
    edge = pen.line(_PALE, 0.3) if part.edge else None
    return (
        Path(
            commands=pen.place(part.commands),
            fill=pen.inks[part.tone],
            stroke=edge,
            role=Role.SYMBOL,
        ),
    )


def _line(pen: _Pen, part: _Line) -> tuple[Item, ...]:
    stroke = pen.line(part.tone, part.width)
    return (Path(commands=pen.place(part.commands), stroke=stroke, role=Role.SYMBOL),)


def _wheel(pen: _Pen, wheel: _Wheel) -> tuple[Item, ...]:
    k = pen.scale
    x, y, r = wheel.x * k, pen.height_mm - wheel.radius * k, wheel.radius * k
    dark = pen.inks[_DARK]
    if not wheel.spokes:
        return (
            Circle(cx=x, cy=y, r=r, fill=dark, role=Role.SYMBOL),
            Circle(cx=x, cy=y, r=r * 0.72, fill=pen.inks[_MID], role=Role.SYMBOL),
            Circle(cx=x, cy=y, r=r * 0.28, fill=dark, role=Role.SYMBOL),
        )
    rim = wheel.radius * 0.15
    spokes: list[Command] = []
    for number in range(wheel.spokes):
        angle = 2 * math.pi * (number + 0.5) / wheel.spokes
        spokes += [("M", x, y), ("L", x + r * 0.9 * math.cos(angle), y - r * 0.9 * math.sin(angle))]
    items: list[Item] = [
        Circle(cx=x, cy=y, r=r * 0.92, fill=pen.inks[_PALE], role=Role.SYMBOL),
        Path(commands=tuple(spokes), stroke=pen.line(_DARK, 0.34), role=Role.SYMBOL),
        Circle(cx=x, cy=y, r=r - rim * k / 2, stroke=pen.line(_DARK, rim), role=Role.SYMBOL),
        Circle(cx=x, cy=y, r=r * 0.2, fill=dark, role=Role.SYMBOL),
    ]
    if wheel.crank is not None:
        items.append(
            Path(commands=_weight(x, y, r * 0.9, wheel.crank), fill=dark, role=Role.SYMBOL)
        )
    return tuple(items)


def _weight(x: float, y: float, r: float, crank: float) -> tuple[Command, ...]:
    """A balance weight: the part of the wheel beyond a chord, opposite the crank."""
    middle, half, steps = math.radians(crank), math.radians(42), 8
    angles = [middle - half + 2 * half * step / steps for step in range(steps + 1)]
    points = [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles]
    return (*((("L" if i else "M"), px, py) for i, (px, py) in enumerate(points)), ("Z",))


def _rod(pen: _Pen, rod: _Rod) -> tuple[Item, ...]:
    commands = pen.place(
        tuple(("L" if i else "M", px, py) for i, (px, py) in enumerate(rod.points))
    )
    wide, thin = pen.line(_DARK, rod.width + 0.7, "round"), pen.line(_PALE, rod.width, "round")
    pins = [(px * pen.scale, pen.height_mm - py * pen.scale) for px, py in rod.points]
    boss = rod.boss * pen.scale
    return (
        Path(commands=commands, stroke=wide, role=Role.SYMBOL),
        *(Circle(cx=px, cy=py, r=boss, fill=pen.inks[_DARK], role=Role.SYMBOL) for px, py in pins),
        Path(commands=commands, stroke=thin, role=Role.SYMBOL),
        *(
            Circle(cx=px, cy=py, r=boss * 0.45, fill=pen.inks[_DARK], role=Role.SYMBOL)
            for px, py in pins
        ),
    )


_DRAW: dict[type[_Part], Callable[[_Pen, Any], tuple[Item, ...]]] = {
    _Plate: _plate,
    _Line: _line,
    _Wheel: _wheel,
    _Rod: _rod,
}


def _known(last_year: int | None) -> Sequence[_Drawn]:
    """The engines that there are up to a year, the oldest always."""
    first, *rest = read_art("engines", _Engines).engines
    return [first, *(engine for engine in rest if engine.year <= (last_year or engine.year))]


@cache
def _longest(last_year: int | None) -> float:
    """Length of the longest engine in its own units: `width_mm` is what that one would take."""
    return max(engine.length for engine in _known(last_year))


@cache
def engine_of(size_class: int, last_year: int | None = None) -> _Engine:
    """The engine of a class, or of the nearest that there is; the coach for COACH_CLASS. The
    classes share out the engines that there are up to a year."""
    art = read_art("engines", _Engines)
    known = _known(last_year)
    rank = round(max(0, min(CLASSES - 1, size_class)) * (len(known) - 1) / (CLASSES - 1))
    drawn = art.coach if size_class == COACH_CLASS else known[rank]
    parts: list[_Part] = []
    for step in drawn.parts:
        parts += _parts(step, parts)
    return _Engine(name=drawn.name, length=drawn.length, height=drawn.height, parts=tuple(parts))


def _parts(step: _Step, before: Sequence[_Part]) -> tuple[_Part, ...]:
    """What a step draws; its rods join the cranks of the wheels `before` it."""
    at = step.at
    match step.draw:
        case "line":
            return (_Line(commands=_path(*_points(at)), width=step.width, tone=step.tone),)
        case "wheel":
            return (_Wheel(x=at[0], radius=at[1], spokes=step.spokes, crank=step.crank),)
        case "bogie":
            return _bogie(
                at[0],
                *(_Wheel(x=x, radius=radius, spokes=spokes) for x, radius, spokes in step.wheels),
            )
        case "motion":
            drivers = tuple(
                part for part in before if isinstance(part, _Wheel) and part.crank is not None
            )
            return _motion(drivers, (at[0], at[1]), step.main)
        case kind if kind in _GEAR:
            return _GEAR[kind](*at)
    commands = path_commands(step.path) if step.path else _PLATES[step.draw](*at)
    return (_Plate(commands=commands, tone=step.tone, edge=step.edge),)


def _points(at: Sequence[float]) -> tuple[Point, ...]:
    return tuple(zip(at[::2], at[1::2], strict=True))


def _bands(y0: float, y1: float, *xs: float) -> tuple[_Part, ...]:
    """Boiler bands."""
    return tuple(_Line(commands=_path((x, y0), (x, y1)), width=0.35, tone=_BRASS) for x in xs)


def _buffers(y: float, front: float, back: float) -> tuple[_Part, ...]:
    """A red buffer beam and a buffer in front, and a buffer behind, at a height of y."""
    return (
        _Plate(commands=_box(front + 2.6, y - 1.9, front + 3.9, y + 1.9), tone=_FIRE),
        _Plate(commands=_box(front + 0.5, y - 0.55, front + 2.6, y + 0.55)),
        _Plate(commands=_box(front, y - 1.5, front + 0.75, y + 1.5, 0.35)),
        _Plate(commands=_box(back - 2.2, y - 0.55, back - 0.5, y + 0.55)),
        _Plate(commands=_box(back - 0.75, y - 1.5, back, y + 1.5, 0.35)),
    )


def _motion(drivers: tuple[_Wheel, ...], cylinder: Point, main: int) -> tuple[_Part, ...]:
    """Coupling rods, the connecting rod to driver `main`, piston rod and crosshead; `cylinder` is
    its back end."""
    pins = _crank_pins(drivers)
    x, y = cylinder
    cross = (x + 5.6, y)
    rods: list[_Part] = []
    if len(pins) > 1:
        rods.append(_Rod(points=pins, width=1.0, boss=1.15))
    rods += [
        _Line(commands=_path((x, y + 1.15), (x + 7.6, y + 1.15)), width=0.5, tone=_MID),
        _Line(commands=_path((x, y - 1.15), (x + 7.6, y - 1.15)), width=0.5, tone=_MID),
        _Line(commands=_path((x, y), cross), width=0.6, tone=_PALE),
        _Rod(points=(cross, pins[main]), width=0.9, boss=1.2),
        _Plate(commands=_box(cross[0] - 1.0, y - 1.2, cross[0] + 1.0, y + 1.2, 0.3), edge=True),
    ]
    return tuple(rods)


def _bogie(y: float, *wheels: _Wheel) -> tuple[_Part, ...]:
    """Carrying wheels and the frame between them."""
    first, last = wheels[0].x, wheels[-1].x
    frame = _Plate(commands=_box(first - 1.8, y - 0.5, last + 1.8, y + 0.7, 0.4), tone=_MID)
    return (*wheels, frame)


def _tender(x0: float, x1: float, floor: float, top: float, coal: float) -> tuple[_Part, ...]:
    """A tender's frame, tank and coal."""
    return (
        _Plate(commands=_heap(x0 + 0.8, x1 - 4.6, top - 0.4, coal)),
        _Plate(commands=_box(x0 + 1.4, floor - 4.2, x1 - 1.4, floor - 1.6), tone=_MID),
        _Plate(commands=_box(x0, floor - 1.9, x1 + 0.4, floor)),
        _Plate(commands=_box(x0, floor, x1, top, 0.5), edge=True),
        _Line(commands=_path((x0 + 1.2, top - 1.2), (x1 - 1.2, top - 1.2)), width=0.3, tone=_BRASS),
        _Line(
            commands=_path((x0 + 1.2, floor + 1.2), (x1 - 1.2, floor + 1.2)), width=0.3, tone=_BRASS
        ),
    )


_GEAR: Mapping[str, Callable[..., tuple[_Part, ...]]] = {
    "bands": _bands,
    "buffers": _buffers,
    "tender": _tender,
}


def _box(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> tuple[Command, ...]:
    """A rectangle from the lower left to the upper right."""
    return transform_commands(rectangle_path(x0, -y1, x1 - x0, y1 - y0, radius), _UP)


def _shape(*points: Point) -> tuple[Command, ...]:
    """A polygon."""
    return polygon_path(points)


def _path(*points: Point) -> tuple[Command, ...]:
    """A line through points."""
    return polygon_path(points, closed=False)


def _dome(x: float, y: float, width: float, height: float) -> tuple[Command, ...]:
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


def _chimney(
    x: float, y: float, width: float, height: float, taper: float = 0.0
) -> tuple[Command, ...]:
    """A chimney with a flared foot and a rolled cap; `taper` is how much wider its head is than its
    waist."""
    w, head, foot = width / 2, width / 2 + taper / 2, width * 0.78
    top, cap = y + height, y + height - width * 0.42
    return (
        ("M", x - foot, y),
        ("C", x - w, y + width * 0.15, x - w, y + width * 0.3, x - w, y + width * 0.55),
        ("L", x - head, cap),
        (
            "C",
            x - head - 0.15 * width,
            cap,
            x - head - 0.3 * width,
            cap + 0.12 * width,
            x - head - 0.22 * width,
            top,
        ),
        ("L", x + head + 0.22 * width, top),
        (
            "C",
            x + head + 0.3 * width,
            cap + 0.12 * width,
            x + head + 0.15 * width,
            cap,
            x + head,
            cap,
        ),
        ("L", x + w, y + width * 0.55),
        ("C", x + w, y + width * 0.3, x + w, y + width * 0.15, x + foot, y),
        ("Z",),
    )


def _balloon(x: float, y: float, width: float, height: float) -> tuple[Command, ...]:
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


def _heap(x0: float, x1: float, y: float, height: float) -> tuple[Command, ...]:
    """A heap of coal between x0 and x1 on a level."""
    w, top = x1 - x0, y + height
    return (
        ("M", x0, y),
        ("C", x0 + w * 0.08, y + height * 0.9, x0 + w * 0.2, top, x0 + w * 0.34, top),
        (
            "C",
            x0 + w * 0.46,
            top,
            x0 + w * 0.5,
            top - height * 0.25,
            x0 + w * 0.6,
            top - height * 0.16,
        ),
        ("C", x0 + w * 0.76, top - height * 0.02, x0 + w * 0.92, y + height * 0.6, x1, y),
        ("Z",),
    )


def _arch(x: float, y: float, radius: float, height: float = 0.0) -> tuple[Command, ...]:
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


_PLATES: Mapping[str, Callable[..., tuple[Command, ...]]] = {
    "box": _box,
    "arch": _arch,
    "balloon": _balloon,
    "chimney": _chimney,
    "dome": _dome,
    "heap": _heap,
    "shape": lambda *at: _shape(*_points(at)),
}


_THROW = 0.42
"""How far a crank pin is from the middle of its wheel, as a share of the radius."""


def _crank_pins(wheels: tuple[_Wheel, ...]) -> tuple[Point, ...]:
    """Where the cranks of driving wheels are."""
    pins = []
    for wheel in wheels:
        angle = math.radians(wheel.crank or 0.0)
        reach = wheel.radius * _THROW
        pins.append((wheel.x - reach * math.cos(angle), wheel.radius + reach * math.sin(angle)))
    return tuple(pins)


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
        Path(
            commands=_range([(x0 + wide * t, y - up * high) for t, up in crests], y),
            fill=style.ink(ink),
        )
        for ink, crests in (("train.hills.far", _FAR), ("train.hills.near", _NEAR))
    )


def _range(crests: Sequence[Point], y: float) -> tuple[Command, ...]:
    """A closed shape whose upper edge swings softly through points."""
    commands: list[Command] = [("M", crests[0][0], y), ("L", *crests[0])]
    for (ax, ay), (bx, by) in pairwise(crests):
        half = (bx - ax) * 0.45
        commands.append(("C", ax + half, ay, bx - half, by, bx, by))
    return (*commands, ("L", crests[-1][0], y), ("Z",))
