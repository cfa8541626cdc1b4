"""Small signs of what a step of a turn is about: a tile, a token, a train, money, a share."""

from __future__ import annotations

from collections.abc import Callable

from platelayer.drawing.kit.parts import hexagon, tile_ink
from platelayer.drawing.kit.style import Style
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Path,
    Stroke,
    circle_path,
    rectangle_path,
    translation,
)

_LINE = 0.045
"""Width of lines as a share of a sign; at least `_THINNEST_MM`."""
_THINNEST_MM = 0.12


def sign_items(name: str, size_mm: float, style: Style, x: float, y: float) -> tuple[Item, ...]:
    """The sign "tile", "token", "train", "coin" or "share", `size_mm` high and at most as wide,
    centred on (x, y)."""
    return (Group(items=_SIGNS[name](size_mm, style), matrix=translation(x, y)),)


def _line(size: float, style: Style) -> Stroke:
    return Stroke(
        ink=style.ink("card.text"), width_mm=max(_THINNEST_MM, size * _LINE), join="round"
    )


def _tile(size: float, style: Style) -> tuple[Item, ...]:
    half = size / 2
    track = Path(
        commands=(
            ("M", 0.0, half * 0.94),
            ("C", 0.0, 0.0, half * 0.3, -half * 0.3, half * 0.78, -half * 0.46),
        ),
        stroke=Stroke(ink=style.ink("black"), width_mm=size * 0.16),
    )
    return (hexagon(0.0, 0.0, size * 0.96, tile_ink("yellow", style), _line(size, style)), track)


def _token(size: float, style: Style) -> tuple[Item, ...]:
    accent, light = style.ink("card.accent"), style.ink("card.ground")
    return (
        Circle(cx=0.0, cy=0.0, r=size * 0.47, fill=accent),
        Circle(cx=0.0, cy=0.0, r=size * 0.3, stroke=Stroke(ink=light, width_mm=size * 0.1)),
    )


def _train(size: float, style: Style) -> tuple[Item, ...]:
    ink, half = style.ink("card.text"), size / 2
    body = (
        *rectangle_path(-half * 0.42, -half * 0.3, half * 1.34, half * 0.72),
        *rectangle_path(-half * 0.92, -half * 0.8, half * 0.66, half * 1.22),
        *rectangle_path(half * 0.42, -half * 0.84, half * 0.3, half * 0.6),
    )
    wheels = (
        circle_path(x * half, half * 0.62, r * half)
        for x, r in ((-0.56, 0.32), (0.14, 0.32), (0.7, 0.24))
    )
    return (Path(commands=body, fill=ink), *(Path(commands=wheel, fill=ink) for wheel in wheels))


def _coin(size: float, style: Style) -> tuple[Item, ...]:
    line = _line(size, style)
    return (
        Circle(
            cx=0.0,
            cy=0.0,
            r=(size - line.width_mm) * 0.47,
            fill=style.ink("card.gold"),
            stroke=line,
        ),
        Circle(cx=0.0, cy=0.0, r=size * 0.28, stroke=line),
    )


def _share(size: float, style: Style) -> tuple[Item, ...]:
    wide, tall = size, size * 0.72
    line = _line(size, style)
    words = Stroke(ink=style.ink("card.accent"), width_mm=max(_THINNEST_MM, size * 0.08))
    rows = tuple(
        Path(commands=(("M", -wide * reach, y * tall), ("L", wide * reach, y * tall)), stroke=words)
        for y, reach in ((-0.16, 0.28), (0.12, 0.2))
    )
    sheet = rectangle_path(-wide / 2, -tall / 2, wide, tall)
    return (Path(commands=sheet, fill=style.ink("white"), stroke=line), *rows)


_SIGNS: dict[str, Callable[[float, Style], tuple[Item, ...]]] = {
    "tile": _tile,
    "token": _token,
    "train": _train,
    "coin": _coin,
    "share": _share,
}
