"""Signs that show a tile colour without colour: a motif within the rim of a hex, and a letter."""

from __future__ import annotations

import math
from collections.abc import Callable

from platelayer.drawing.hex.places import Box
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import Block, words_block
from platelayer.model.hexes import Layout, corner_points
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    Command,
    Group,
    Item,
    Path,
    Role,
    Stroke,
    circle_path,
    polygon_path,
    rectangle_path,
)
from platelayer.scene.theme import Pattern
from platelayer.scene.typeset import TypeStyle

DESIGN_MM = 38.1
"""Lengths of patterns in a theme are meant for a hex of this size."""
_SIGN_STROKE_MM = 0.16
_RIM_LINE_MM = 0.14
_LEAST_STROKE_MM = 0.1


def rim_share(colour: str, style: Style) -> float:
    """Width of a colour's rim as a share of the hex; 0 for a colour without motif."""
    pattern = style.theme.patterns.get(colour)
    return pattern.rim_mm / DESIGN_MM if pattern and pattern.motif != "none" else 0.0


def hex_rim(
    colour: str,
    style: Style,
    layout: Layout,
    across_mm: float,
    *,
    ground: Ink,
    outline: tuple[Command, ...],
    edge_mm: float,
) -> tuple[Item, ...]:
    """The motif of a colour within the rim of a hex centred on (0, 0), whose `outline` lies
    `edge_mm` beyond its edges; further in, the ground shows again. Nothing where the colour has no
    motif."""
    share = rim_share(colour, style)
    if not share:
        return ()
    pattern, scale = style.theme.patterns[colour], across_mm / DESIGN_MM
    inner = polygon_path(corner_points(layout, across_mm * (1 - 2 * share)))
    if pattern.motif == "solid":
        return (Path(commands=outline, fill=pattern.ink), Path(commands=inner, fill=ground))
    reach = across_mm / math.sqrt(3) + edge_mm
    motif = Group(items=motif_items(pattern, (-reach, -reach, reach, reach), scale), clip=outline)
    line = Stroke(ink=pattern.ink, width_mm=max(_LEAST_STROKE_MM, _RIM_LINE_MM * scale))
    return (motif, Path(commands=inner, fill=ground, stroke=line))


def motif_items(pattern: Pattern, box: Box, scale: float) -> tuple[Item, ...]:
    """A box full of a motif; `scale` multiplies its lengths."""
    step = pattern.spacing_mm * scale
    if pattern.motif == "none":
        return ()
    if pattern.motif == "solid":
        return (Path(commands=box_path(box), fill=pattern.ink),)
    if pattern.motif == "dots":
        dots = _lattice(box, step, pattern.stroke_mm * scale / 2)
        return (Path(commands=dots, fill=pattern.ink),)
    width = max(_LEAST_STROKE_MM, pattern.stroke_mm * scale)
    return (
        Path(
            commands=_LINES[pattern.motif](box, step),
            stroke=Stroke(ink=pattern.ink, width_mm=width),
        ),
    )


def letter_of(colour: str, style: Style) -> str:
    """What stands for a colour in the language of the print; "" where the theme has nothing."""
    pattern = style.theme.patterns.get(colour)
    return style.words(pattern.letter) if pattern is not None and pattern.letter is not None else ""


def letter_block(colour: str, type_style: TypeStyle, style: Style) -> Block | None:
    """The letter of a colour in a little white hex, ready to be placed; None where the theme has
    none."""
    letter = letter_of(colour, style)
    if not letter:
        return None
    words = words_block((letter,), type_style, style.ink("text"))
    across = max(words.height * 1.5, words.width * 1.12 + 0.7)
    corners = polygon_path(corner_points(Layout.POINTY, across))
    line = Stroke(ink=style.ink("text"), width_mm=_SIGN_STROKE_MM, join="round")
    sign = Path(commands=corners, fill=style.ink("white"), stroke=line, role=Role.SYMBOL)
    return Block(
        (sign, *words.items), across + _SIGN_STROKE_MM, across * 2 / math.sqrt(3) + _SIGN_STROKE_MM
    )


def box_path(box: Box) -> tuple[Command, ...]:
    """The outline of a box."""
    left, top, right, bottom = box
    return rectangle_path(left, top, right - left, bottom - top)


def _steps(low: float, high: float, step: float) -> list[float]:
    """Multiples of a step from low to high, so that neighbours join."""
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _lattice(box: Box, step: float, radius: float) -> tuple[Command, ...]:
    left, top, right, bottom = box
    rows = _steps(top, bottom, step * math.sqrt(3) / 2)
    return tuple(
        command
        for number, y in enumerate(rows)
        for x in _steps(left, right, step)
        for command in circle_path(x + (step / 2 if number % 2 else 0.0), y, radius)
    )


def _level(box: Box, step: float) -> tuple[Command, ...]:
    left, top, right, bottom = box
    return tuple(c for y in _steps(top, bottom, step) for c in (("M", left, y), ("L", right, y)))


def _upright(box: Box, step: float) -> tuple[Command, ...]:
    left, top, right, bottom = box
    return tuple(c for x in _steps(left, right, step) for c in (("M", x, top), ("L", x, bottom)))


def _slanting(box: Box, step: float, way: int) -> tuple[Command, ...]:
    left, top, right, bottom = box
    tall, slant = bottom - top, step * math.sqrt(2)
    start, end = (top, bottom) if way > 0 else (bottom, top)
    return tuple(
        c
        for x in _steps(left - tall, right, slant)
        for c in (("M", x, start), ("L", x + tall, end))
    )


def _rise(box: Box, step: float) -> tuple[Command, ...]:
    return _slanting(box, step, -1)


def _fall(box: Box, step: float) -> tuple[Command, ...]:
    return _slanting(box, step, 1)


def _cross(box: Box, step: float) -> tuple[Command, ...]:
    return _rise(box, step) + _fall(box, step)


def _zigzag(box: Box, step: float) -> tuple[Command, ...]:
    left, top, right, bottom = box
    xs = _steps(left, right + step, step / 2)
    commands: list[Command] = []
    for y in _steps(top, bottom, step):
        commands += [
            ("M" if k == 0 else "L", x, y + (step * 0.45 if k % 2 else 0.0))
            for k, x in enumerate(xs)
        ]
    return tuple(commands)


def _rings(box: Box, step: float) -> tuple[Command, ...]:
    return _lattice(box, step, step * 0.32)


_LINES: dict[str, Callable[[Box, float], tuple[Command, ...]]] = {
    "level": _level,
    "upright": _upright,
    "rise": _rise,
    "fall": _fall,
    "cross": _cross,
    "zigzag": _zigzag,
    "rings": _rings,
}
