"""Icons: small flat pictures by name, as shapes centred on (0, 0)."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from platelayer.drawing.kit.rich_text import Stamp, words_block
from platelayer.drawing.kit.style import Style
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path, shipped_bytes
from platelayer.model.livery import CURRENT, Layer, Picture
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Image,
    Item,
    Path,
    Role,
    Scene,
    Stroke,
    TextRun,
    Use,
    multiply,
    polygon_path,
    rectangle_path,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import TypeStyle

# Pictures of a title as shapes.


# The least width of a line, and the least length of its pattern of dashes.
_THINNEST_MM = 0.1


@lru_cache(maxsize=64)
def picture_group(picture: Picture, size_mm: float, ink: Ink, *, role: Role = Role.SYMBOL) -> Group:
    """A picture centred on (0, 0), its longer side `size_mm`; `ink` stands for its current colour.
    No line is too thin to print, and no dash too short. Kept: a map shows the same picture
    on many hexes."""
    width, height = picture.width * size_mm, picture.height * size_mm
    if picture.pixels is not None:
        placed = multiply(translation(-width / 2, -height / 2), scaling(size_mm / _SIDE_MM))
        return Group(items=(Use(scene=_of_pixels(picture, role), matrix=placed),))
    return Group(
        items=tuple(_path(layer, size_mm, ink, role) for layer in picture.layers),
        clip=rectangle_path(-width / 2, -height / 2, width, height),
    )


# Longer side of the scene that all places of a picture of pixels share.
_SIDE_MM = 50.0


@lru_cache(maxsize=64)
def _of_pixels(picture: Picture, role: Role) -> Scene:
    """A picture of pixels as a scene, which painters keep once."""
    width, height = picture.width * _SIDE_MM, picture.height * _SIDE_MM
    assert picture.pixels is not None
    digest = sha256(picture.pixels.data).hexdigest()[:16]
    image = Image(pixels=picture.pixels, width_mm=width, height_mm=height, role=role)
    key = f"picture:{digest}:{role.value}"
    return Scene(key=key, width_mm=width, height_mm=height, items=(image,))


def _path(layer: Layer, size_mm: float, ink: Ink, role: Role) -> Path:
    def ink_of(colour: str) -> Ink:
        return ink if colour == CURRENT else ink_from_hex(colour)

    stroke = None
    if layer.stroke is not None:
        width = max(_THINNEST_MM, layer.width * size_mm)
        stretched = max(size_mm, _THINNEST_MM / math.fsum(layer.dash)) if layer.dash else size_mm
        dash = tuple(length * stretched for length in layer.dash)
        stroke = Stroke(
            ink=ink_of(layer.stroke), width_mm=width, dash=dash, cap=layer.cap, join=layer.join
        )
    return Path(
        commands=transform_commands(layer.commands, scaling(size_mm)),
        fill=None if layer.fill is None else ink_of(layer.fill),
        stroke=stroke,
        even_odd=layer.even_odd,
        role=role,
    )


# Pictures are drawn in a square of 24 units; the number is half of it.
_HALF = 12.0


def icon_block(name: str, text: str, width_mm: float, style: Style, type_style: TypeStyle) -> Stamp:
    """A picture by name, the title's own or one of those here, in a square `width_mm` wide; words
    (or an unknown name) stand in a lozenge instead."""
    own = style.pictures.get(name)
    if own is not None and not text:
        group = picture_group(own, width_mm, style.ink("tile.icon"))
        return Stamp((group,), width_mm * own.width, width_mm * own.height)
    if text or name not in _PICTURES:
        words = words_block((text or name,), type_style, style.ink("text"))
        height = type_style.cap_height_mm * 1.9
        width = words.width + height * 0.9
        reach, half = width / 2, height / 2
        point = half * 0.75
        upper = ((-reach, 0), (point - reach, -half), (reach - point, -half))
        shape = polygon_path((*upper, (reach, 0), (reach - point, half), (point - reach, half)))
        rim = style.stroke("tile.disc")
        ground = Path(commands=shape, fill=style.ink("white"), stroke=rim, role=Role.SYMBOL)
        return Stamp(
            (ground, *over_symbols(words.items)), width + rim.width_mm, height + rim.width_mm
        )
    unit = width_mm / (2 * _HALF)
    pen = _Pen(unit, style.ink("tile.icon"), style.ink("tile.icon.ground"))
    _PICTURES[name](pen)
    return Stamp(tuple(pen.items), width_mm, width_mm)


def picture_items(name: str, diagonal_mm: float, ink: Ink, style: Style) -> tuple[Item, ...]:
    """A picture of the title with this diagonal, centred on (0, 0), in `ink` where it names no
    colour; an icon of Platelayer's in its own colours, a little smaller."""
    own = style.pictures.get(name)
    if own is not None:
        size_mm = diagonal_mm / math.hypot(own.width, own.height)
        return (picture_group(own, size_mm, ink, role=Role.GROUND),)
    return icon_block(name, "", diagonal_mm * 0.7, style, style.type("tile.cost")).items


def icon_names() -> tuple[str, ...]:
    """Names of all pictures, sorted."""
    return tuple(sorted(_PICTURES))


def over_symbols(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Text runs that are meant to lie on a symbol."""
    return tuple(
        replace(item, over=(Role.SYMBOL,)) if isinstance(item, TextRun) else item for item in items
    )


class _Pen:
    """Draws in units of a square of 24, centred."""

    def __init__(self, unit: float, ink: Ink, ground: Ink) -> None:
        self.unit, self.ink, self.ground = unit, ink, ground
        self.items: list[Item] = []

    def stroke(self, width: float, *points: tuple[float, float]) -> None:
        """A line with round ends through points."""
        self.path(width, tuple(("L" if k else "M", x, y) for k, (x, y) in enumerate(points)))

    def path(self, width: float, commands: tuple[Command, ...]) -> None:
        """A curve with round ends."""
        stroke = Stroke(ink=self.ink, width_mm=width * self.unit, cap="round", join="round")
        self.items.append(Path(commands=self._scaled(commands), stroke=stroke, role=Role.SYMBOL))

    def fill(self, *points: tuple[float, float], light: bool = False) -> None:
        """A filled shape."""
        commands, ink = self._scaled(polygon_path(points)), self.ground if light else self.ink
        self.items.append(Path(commands=commands, fill=ink, role=Role.SYMBOL))

    def disc(self, x: float, y: float, radius: float, *, light: bool = False) -> None:
        """A filled circle."""
        k, ink = self.unit, self.ground if light else self.ink
        self.items.append(Circle(cx=x * k, cy=y * k, r=radius * k, fill=ink, role=Role.SYMBOL))

    def ring(self, x: float, y: float, radius: float, width: float) -> None:
        """A circle line."""
        k, stroke = self.unit, Stroke(ink=self.ink, width_mm=width * self.unit)
        self.items.append(Circle(cx=x * k, cy=y * k, r=radius * k, stroke=stroke, role=Role.SYMBOL))

    def _scaled(self, commands: tuple[Command, ...]) -> tuple[Command, ...]:
        unit = self.unit
        return tuple(
            (name, *(float(number) * unit for number in numbers)) for name, *numbers in commands
        )


def _port(pen: _Pen) -> None:
    pen.ring(0, -8.2, 2.3, 1.9)
    pen.stroke(2.4, (0, -5.8), (0, 9.4))
    pen.stroke(2.2, (-4.8, -2.6), (4.8, -2.6))
    pen.path(
        2.4,
        (("M", -9, 2.6), ("C", -8.4, 7.2, -4.6, 9.9, 0, 9.9), ("C", 4.6, 9.9, 8.4, 7.2, 9, 2.6)),
    )
    pen.fill((-11.4, 4.8), (-9.6, -0.6), (-5.9, 4.2))
    pen.fill((11.4, 4.8), (9.6, -0.6), (5.9, 4.2))


def _mine(pen: _Pen) -> None:
    for side in (-1, 1):
        pen.stroke(2.3, (side * -8.6, 9.6), (side * 5.4, -6.2))
        head = [(2.2, -10.6), (9.8, -2.9), (7.2, -0.5), (-0.4, -8.2)]
        pen.fill(*((side * x, y) for x, y in head))


def _tree(pen: _Pen) -> None:
    pen.fill((-1.2, 6), (1.2, 6), (1.2, 11.5), (-1.2, 11.5))
    for top, reach, low in ((-11.5, 4.8, -3.4), (-7, 6.6, 2), (-2.2, 8.6, 7.6)):
        pen.fill((0, top), (reach, low), (-reach, low))


def _star(pen: _Pen) -> None:
    points: list[tuple[float, float]] = []
    for number in range(10):
        angle, reach = math.radians(-90 + 36 * number), 11.4 if number % 2 == 0 else 4.6
        points.append((math.cos(angle) * reach, math.sin(angle) * reach))
    pen.fill(*points)


def _coal(pen: _Pen) -> None:
    pen.fill((-10.5, -3), (10.5, -3), (7.8, 6), (-7.8, 6))
    heap = ((-8.6, -4.2), (-6.2, -7.6), (-3.4, -6.6), (-0.4, -9.4), (3.2, -7.8), (5.6, -8.2))
    pen.fill(*heap, (8.6, -4.2))
    for x in (-4.6, 4.6):
        pen.disc(x, 8.4, 2.8)
        pen.disc(x, 8.4, 1.0, light=True)


def _tunnel(pen: _Pen) -> None:
    pen.path(
        2.2,
        (("M", -9.6, 10), ("L", -9.6, 0), ("C", -9.6, -12.8, 9.6, -12.8, 9.6, 0), ("L", 9.6, 10)),
    )
    pen.fill(
        (-6, 10), (-6, 0.6), (-4.6, -3.6), (-2, -5.6), (2, -5.6), (4.6, -3.6), (6, 0.6), (6, 10)
    )


def _bridge(pen: _Pen) -> None:
    pen.stroke(2.2, (-11, -3.4), (11, -3.4))
    pen.path(2.0, (("M", -10, 7.6), ("C", -6, -4.6, 6, -4.6, 10, 7.6)))
    for x in (-6, 0, 6):
        pen.stroke(1.4, (x, -3.4), (x, 0.2 + abs(x) * 0.25))


def _factory(pen: _Pen) -> None:
    roofs = ((-10.5, 10), (-10.5, -2), (-4.4, 2), (-4.4, -2), (1.8, 2), (1.8, -2), (5, 0))
    pen.fill(*roofs, (5.6, -10), (9, -10), (10.5, 10))


_PICTURES: dict[str, Callable[[_Pen], None]] = {
    "port": _port,
    "anchor": _port,
    "mine": _mine,
    "capital": _star,
    "tree": _tree,
    "star": _star,
    "coal": _coal,
    "tunnel": _tunnel,
    "bridge": _bridge,
    "factory": _factory,
}


# Artwork that is data (assets/art).


Form = TypeVar("Form", bound=msgspec.Struct)


def read_art(name: str, form: type[Form]) -> Form:
    """assets/art/<name>.json as a struct; keys and types are checked. Raises CannotRun for a file
    that was damaged."""
    art: Form = _read(name, form)
    return art


@cache
def _read(name: str, form: type[Form]) -> Form:
    path = asset_path("art", f"{name}.json")
    try:
        return msgspec.json.decode(shipped_bytes(path), type=form)
    except (OSError, msgspec.MsgspecError) as error:
        raise CannotRun(
            f"the artwork {path} cannot be read: {error}; reinstall Platelayer"
        ) from error


def path_commands(words: str) -> tuple[Command, ...]:
    """A path written as in SVG, with M, L, C and Z alone, absolute, one blank between all: "M 0 0 L
    4 2.5 Z"."""
    commands: list[list[str | float]] = []
    for word in words.split(" "):
        if word.isalpha():
            commands.append([word])
        else:
            commands[-1].append(float(word))
    return tuple(map(tuple, commands))
