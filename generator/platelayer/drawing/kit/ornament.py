"""Printer's ornaments: banners, seals, wheels and rules, and the signs, borders and plates of a
motif."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain

from msgspec.structs import replace

from platelayer.drawing.kit.guilloche import derived, smooth_path
from platelayer.model.livery import Figure, Motif
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Item,
    Matrix,
    Path,
    Point,
    Role,
    Stroke,
    multiply,
    notched_path,
    polygon_path,
    rectangle_path,
    rotation,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.svg_paths import path_data_commands

Commands = tuple[Command, ...]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""

_LINE, _LEAST_LINE_MM = 0.2, 0.1
"""Width of the lines of a figure, by half its height, and the least that prints."""
_CORNER = 2.1
"""From the corner of a border to its first repeat, by half its height: room for a sign."""


def banner(
    middle: Point,
    width_mm: float,
    height_mm: float,
    *,
    radius_mm: float,
    fill: Ink,
    shade: Ink,
    rim: Stroke,
) -> tuple[Item, ...]:
    """A ribbon whose middle lies at a point, rising on an arc, its folded tails behind it in
    `shade`."""
    x, y = middle
    half, tall = width_mm / 2, height_mm / 2
    tail, drop = height_mm * 0.95, height_mm * 0.3

    def at(across: float, up: float) -> Point:
        angle = across / radius_mm
        r = radius_mm + up
        return x + r * math.sin(angle), y + radius_mm - r * math.cos(angle)

    tails: list[Item] = []
    for side in (-1, 1):
        near, far = side * (half - tail * 0.45), side * (half + tail * 0.62)
        notch = side * (half + tail * 0.22)
        cut = (
            at(near, tall - drop),
            at(far, tall - drop),
            at(notch, -drop),
            at(far, -tall - drop),
            at(near, -tall - drop),
        )
        fold = (at(side * half, -tall), at(near, -tall), at(near, -tall - drop))
        tails.append(Path(commands=polygon_path(cut), fill=shade, stroke=rim))
        tails.append(Path(commands=polygon_path(fold), fill=rim.ink, stroke=rim))
    return (*tails, Path(commands=_arched(at, half, tall), fill=fill, stroke=rim))


def _arched(place: Callable[[float, float], Point], half: float, tall: float) -> Commands:
    top = smooth_path(derived(lambda t: place(t, tall)), -half, half, 4)
    bottom = smooth_path(derived(lambda t: place(-t, -tall)), -half, half, 4)
    _, bx, by = bottom[0]
    return (*top, ("L", bx, by), *bottom[1:], ("Z",))


def seal(
    x: float, y: float, radius_mm: float, *, wax: Ink, light: Ink, ribbon: Ink, line: Stroke
) -> tuple[Item, ...]:
    """A gold wafer with scalloped rim on two ribbon ends, a driving wheel stamped on it."""
    r = radius_mm
    tails = [
        polygon_path(
            (
                (lean * 0.05 * r, 0.4 * r),
                (lean * 0.62 * r, 0.3 * r),
                (lean * 0.86 * r, 1.42 * r),
                (lean * 0.52 * r, 1.28 * r),
                (lean * 0.26 * r, 1.5 * r),
            )
        )
        for lean in (-1, 1)
    ]
    teeth = 28
    rim = smooth_path(
        derived(
            lambda a: (
                r * (1 + 0.045 * math.cos(teeth * a)) * math.sin(a),
                -r * (1 + 0.045 * math.cos(teeth * a)) * math.cos(a),
            )
        ),
        0,
        2 * math.pi,
        teeth * 4,
        closed=True,
    )
    items: list[Item] = [
        Path(commands=tail, fill=ribbon, stroke=line, role=Role.ORNAMENT) for tail in tails
    ]
    items += [
        Path(commands=rim, fill=wax, stroke=line, role=Role.ORNAMENT),
        Circle(cx=0, cy=0, r=r * 0.86, stroke=line, role=Role.ORNAMENT),
        Circle(cx=0, cy=0, r=r * 0.8, fill=light, stroke=line, role=Role.ORNAMENT),
        *wheel(0, 0, r * 0.66, line.ink),
    ]
    return (Group(items=tuple(items), matrix=translation(x, y)),)


def wheel(x: float, y: float, radius_mm: float, ink: Ink, spokes: int = 12) -> tuple[Item, ...]:
    """A locomotive's driving wheel: tyre, spokes, hub, crank and balance weight."""
    r = radius_mm
    tyre = Stroke(ink=ink, width_mm=max(0.1, r * 0.13))
    spoke = Stroke(ink=ink, width_mm=max(0.1, r * 0.07))
    rays: list[Command] = []
    for number in range(spokes):
        a = 2 * math.pi * number / spokes + math.pi / spokes
        rays += [
            ("M", r * 0.2 * math.sin(a), -r * 0.2 * math.cos(a)),
            ("L", r * 0.9 * math.sin(a), -r * 0.9 * math.cos(a)),
        ]
    weight = smooth_path(
        derived(lambda a: (r * 0.92 * math.sin(a), -r * 0.92 * math.cos(a))),
        -0.75,
        0.75,
        4,
        closed=True,
    )
    items: tuple[Item, ...] = (
        Path(commands=tuple(rays), stroke=spoke, role=Role.ORNAMENT),
        Path(commands=weight, fill=ink, role=Role.ORNAMENT),
        Circle(cx=0, cy=0, r=r * 0.935, stroke=tyre, role=Role.ORNAMENT),
        Circle(cx=0, cy=0, r=r * 0.24, fill=ink, role=Role.ORNAMENT),
        Circle(cx=0, cy=r * 0.4, r=r * 0.13, fill=ink, role=Role.ORNAMENT),
    )
    return (Group(items=items, matrix=translation(x, y)),)


def beads(
    x: float, y: float, width_mm: float, height_mm: float, *, bead_mm: float, ink: Ink
) -> tuple[Item, ...]:
    """A row of round beads along a rectangle, evenly spaced from corner to corner."""
    items: list[Item] = []
    for (ax, ay), (bx, by) in (
        ((x, y), (x + width_mm, y)),
        ((x + width_mm, y), (x + width_mm, y + height_mm)),
        ((x + width_mm, y + height_mm), (x, y + height_mm)),
        ((x, y + height_mm), (x, y)),
    ):
        length = abs(bx - ax) + abs(by - ay)
        step = length / round(length / (bead_mm * 1.9))
        dots = Stroke(ink=ink, width_mm=bead_mm, dash=(0.001, step - 0.001), cap="round")
        items.append(
            Path(
                commands=polygon_path(((ax, ay), (bx, by)), closed=False),
                stroke=dots,
                role=Role.ORNAMENT,
            )
        )
    return tuple(items)


def tapering_rule(
    x: float,
    y: float,
    length_mm: float,
    ink: Ink,
    width_mm: float,
    *,
    towards: int,
    motif: Motif | None,
    unit_mm: float = 1.0,
) -> tuple[Item, ...]:
    """A tapering rule from x in the direction `towards` (-1 or 1), the sign of the motif (a diamond
    without one) at its head. One unit is `unit_mm` on paper."""
    d = 0.55 if motif is None else 0.75
    tip = x + towards * length_mm
    start = x + towards * 2.2 * d
    if motif is None:
        lozenge = polygon_path(
            ((x, y), (x + towards * d, y - d), (x + towards * 2 * d, y), (x + towards * d, y + d))
        )
        head: tuple[Item, ...] = (Path(commands=lozenge, fill=ink, role=Role.ORNAMENT),)
    else:
        head = sign_items(motif, x + towards * d, y, d, ink, unit_mm=unit_mm)
    taper = polygon_path(((start, y - width_mm), (tip, y), (start, y + width_mm)))
    return (*head, Path(commands=taper, fill=ink, role=Role.ORNAMENT))


def sign_items(
    motif: Motif, x: float, y: float, radius: float, ink: Ink, *, unit_mm: float = 1.0
) -> tuple[Item, ...]:
    """The sign of a motif in a circle round (x, y); one unit is `unit_mm` on paper."""
    return _figure_items(motif.sign, (radius, unit_mm), ink, x, y)


def _figure_items(
    figure: Figure, size: tuple[float, float], ink: Ink, x: float = 0.0, y: float = 0.0
) -> tuple[Path, ...]:
    """A figure from -1 to 1 with its (0, 0) at (x, y); `size` is half its height in units, and what
    a unit is in mm."""
    half, unit_mm = size
    place = multiply(translation(x, y), scaling(half))
    items: list[Path] = []
    if figure.fill:
        commands = transform_commands(_commands(figure.fill), place)
        items.append(Path(commands=commands, fill=ink, role=Role.ORNAMENT))
    if figure.line:
        line = Stroke(ink=ink, width_mm=max(_LEAST_LINE_MM / unit_mm, _LINE * half))
        commands = transform_commands(_commands(figure.line), place)
        items.append(Path(commands=commands, stroke=line, role=Role.ORNAMENT))
    return tuple(items)


_commands = lru_cache(maxsize=256)(path_data_commands)


@lru_cache(maxsize=64)
def run_items(
    motif: Motif, box: Box, *, half: float, ink: Ink, corner: float = _CORNER, unit_mm: float = 1.0
) -> tuple[Item, ...]:
    """The border of a motif along a rectangle, which is its middle line, twice `half` high, from
    `corner` (in half heights) to the same before the next corner: as many whole repeats as there is
    room for, drawn out to fill it. Nothing for a motif without one. One unit is `unit_mm` on
    paper."""
    if motif.run is None:
        return ()
    x, y, width, height = box
    gap, places = corner * half, list[Matrix]()
    for (left, top), turn, long in (
        ((x, y), 0, width),
        ((x + width, y), 90, height),
        ((x + width, y + height), 180, width),
        ((x, y + height), 270, height),
    ):
        count = math.floor((long - 2 * gap) / (motif.length * half))
        if count < 1:
            continue
        step = (long - 2 * gap) / count
        side, stretch = (
            multiply(translation(left, top), rotation(turn)),
            step / (motif.length * half),
        )
        places += (
            multiply(side, (stretch, 0.0, 0.0, 1.0, gap + number * step, 0.0))
            for number in range(count)
        )
    # Hundreds of repeats in one path: placed one by one, they take a browser longer than the rest
    # of a map.
    return tuple(
        replace(
            repeat,
            commands=tuple(
                chain.from_iterable(transform_commands(repeat.commands, at) for at in places)
            ),
        )
        for repeat in _figure_items(motif.run, (half, unit_mm), ink)
        if places
    )


def plate_path(motif: Motif | None, box: Box, bite: float, *, inset: float = 0.0) -> Commands:
    """The outline of a plate whose corners are cut `bite` deep, as the motif has it (notched
    without one); or a line within it, everywhere as far `inset`."""
    x, y, width, height = box
    shape = "notched" if motif is None else motif.plate
    bite = max(0.0, bite - _NARROWER.get(shape, 0.0) * inset)
    return _PLATES[shape](x + inset, y + inset, width - 2 * inset, height - 2 * inset, bite)


def _square(x: float, y: float, width: float, height: float, _bite: float) -> Commands:
    return rectangle_path(x, y, width, height)


def _clipped(x: float, y: float, width: float, height: float, bite: float) -> Commands:
    right, bottom, b = x + width, y + height, bite * 0.8
    ends = ((x + b, y), (right - b, y), (right, y + b), (right, bottom - b))
    return polygon_path((*ends, (right - b, bottom), (x + b, bottom), (x, bottom - b), (x, y + b)))


def _stepped(x: float, y: float, width: float, height: float, bite: float) -> Commands:
    right, bottom, b = x + width, y + height, bite * 0.6
    return polygon_path(
        (
            *((x + b, y), (right - b, y), (right - b, y + b), (right, y + b)),
            *((right, bottom - b), (right - b, bottom - b), (right - b, bottom), (x + b, bottom)),
            *((x + b, bottom - b), (x, bottom - b), (x, y + b), (x + b, y + b)),
        )
    )


_PLATES: Mapping[str, Callable[[float, float, float, float, float], Commands]] = {
    "square": _square,
    "rounded": rectangle_path,
    "notched": notched_path,
    "clipped": _clipped,
    "stepped": _stepped,
}
_NARROWER = {"rounded": 1.0, "clipped": 0.73}
"""By how much a line within a plate is cut less deep, for each mm that it lies further in."""
