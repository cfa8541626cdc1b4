"""Printer's ornaments of certificates: banners, seals, wheels, beads and rules."""

from __future__ import annotations

import math
from collections.abc import Callable

from platelayer.drawing.kit.guilloche import derived, smooth_path
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Item,
    Path,
    Point,
    Role,
    Stroke,
    polygon_path,
    translation,
)

Commands = tuple[Command, ...]


def banner(
    middle: Point, width_mm: float, height_mm: float, *, radius_mm: float, fill: Ink, shade: Ink, rim: Stroke
) -> tuple[Item, ...]:
    """A ribbon whose middle lies at a point, rising on an arc, its folded tails behind it in `shade`."""
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


def seal(x: float, y: float, radius_mm: float, *, wax: Ink, light: Ink, ribbon: Ink, line: Stroke) -> tuple[Item, ...]:
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
    items: list[Item] = [Path(commands=tail, fill=ribbon, stroke=line, role=Role.ORNAMENT) for tail in tails]
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
        derived(lambda a: (r * 0.92 * math.sin(a), -r * 0.92 * math.cos(a))), -0.75, 0.75, 4, closed=True
    )
    items: tuple[Item, ...] = (
        Path(commands=tuple(rays), stroke=spoke, role=Role.ORNAMENT),
        Path(commands=weight, fill=ink, role=Role.ORNAMENT),
        Circle(cx=0, cy=0, r=r * 0.935, stroke=tyre, role=Role.ORNAMENT),
        Circle(cx=0, cy=0, r=r * 0.24, fill=ink, role=Role.ORNAMENT),
        Circle(cx=0, cy=r * 0.4, r=r * 0.13, fill=ink, role=Role.ORNAMENT),
    )
    return (Group(items=items, matrix=translation(x, y)),)


def beads(x: float, y: float, width_mm: float, height_mm: float, *, bead_mm: float, ink: Ink) -> tuple[Item, ...]:
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
        items.append(Path(commands=polygon_path(((ax, ay), (bx, by)), closed=False), stroke=dots, role=Role.ORNAMENT))
    return tuple(items)


def diamond_rule(x: float, y: float, length_mm: float, ink: Ink, width_mm: float, *, towards: int) -> tuple[Item, ...]:
    """A tapering rule from x in the direction `towards` (-1 or 1), a diamond at its head."""
    d = 0.55
    tip = x + towards * length_mm
    start = x + towards * 2.2 * d
    lozenge = polygon_path(((x, y), (x + towards * d, y - d), (x + towards * 2 * d, y), (x + towards * d, y + d)))
    taper = polygon_path(((start, y - width_mm), (tip, y), (start, y + width_mm)))
    return (
        Path(commands=lozenge, fill=ink, role=Role.ORNAMENT),
        Path(commands=taper, fill=ink, role=Role.ORNAMENT),
    )
