"""Icons: small flat pictures by name, as shapes centred on (0, 0)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.kit.lettering import Stamp, words_block
from platelayer.drawing.kit.style import Style
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path, shipped_bytes
from platelayer.foundation.values import Frozen
from platelayer.model.company import CURRENT, Layer, Picture
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.shapes import (
    Circle,
    Commands,
    Group,
    Image,
    Item,
    Items,
    Path,
    Point,
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


# Minimum width of a line, and minimum length of a dash pattern.
_THINNEST_MM = 0.1


@lru_cache(64)
def picture_group(picture: Picture, size_mm: float, ink: Ink, *, role: Role = Role.SYMBOL) -> Group:
    """Return a picture centred on (0, 0), with its longer side `size_mm`; `ink` stands for its
    current colour. No line is too thin to print, and no dash too short. Cached, because a map
    shows the same picture on many hexes."""
    width, height = picture.width * size_mm, picture.height * size_mm
    if picture.pixels is not None:
        placed = multiply(translation(-width / 2, -height / 2), scaling(size_mm / _SIDE_MM))
        return Group((Use(_of_pixels(picture, role), matrix=placed),))
    return Group(
        tuple(_path(layer, size_mm, ink, role) for layer in picture.layers),
        clip=rectangle_path(-width / 2, -height / 2, width, height),
    )


# Longer side of the scene that all uses of a bitmap picture share.
_SIDE_MM = 50.0


@lru_cache(64)
def _of_pixels(picture: Picture, role: Role) -> Scene:
    """Return a bitmap picture as a scene, which painters store once."""
    width, height = picture.width * _SIDE_MM, picture.height * _SIDE_MM
    assert picture.pixels is not None
    digest = sha256(picture.pixels.data).hexdigest()[:16]
    image = Image(pixels=picture.pixels, width_mm=width, height_mm=height, role=role)
    key = f"picture:{digest}:{role.value}"
    return Scene(key, width, height, (image,))


def _path(layer: Layer, size_mm: float, ink: Ink, role: Role) -> Path:
    def ink_of(colour: str) -> Ink:
        return ink if colour == CURRENT else ink_from_hex(colour)

    stroke = None
    if layer.stroke is not None:
        width = max(_THINNEST_MM, layer.width * size_mm)
        stretched = max(size_mm, _THINNEST_MM / math.fsum(layer.dash)) if layer.dash else size_mm
        dash = tuple(length * stretched for length in layer.dash)
        stroke = Stroke(ink_of(layer.stroke), width, dash=dash, cap=layer.cap, join=layer.join)
    return Path(
        transform_commands(layer.commands, scaling(size_mm)),
        fill=None if layer.fill is None else ink_of(layer.fill),
        stroke=stroke,
        even_odd=layer.even_odd,
        role=role,
    )


# Side of the square in which an icon is drawn.
_SHEET = 24.0


def icon_block(name: str, text: str, width_mm: float, style: Style, type_style: TypeStyle) -> Stamp:
    """Return a picture by name (the title's own or a shipped one) in a square `width_mm` wide,
    above words in a lozenge; an unknown name stands in the lozenge itself."""
    own = style.pictures.get(name)
    if own is not None:
        group = picture_group(own, width_mm, style.ink("tile.icon"))
        picture = Stamp((group,), width_mm * own.width, width_mm * own.height)
    elif name in icon_names():
        art = read_art("icons", _Icons)
        drawn = tuple(_items(art.icons[art.same_as.get(name, name)], width_mm / _SHEET, style))
        picture = Stamp(drawn, width_mm, width_mm)
    else:
        return _lozenge(text or name, style, type_style)
    return picture.above(_lozenge(text, style, type_style), width_mm * 0.06) if text else picture


def _lozenge(text: str, style: Style, type_style: TypeStyle) -> Stamp:
    words = words_block((text,), type_style, style.ink("text"))
    height = type_style.cap_height_mm * 1.9
    width = words.width + height * 0.9
    reach, half = width / 2, height / 2
    point = half * 0.75
    upper = ((-reach, 0), (point - reach, -half), (reach - point, -half))
    shape = polygon_path((*upper, (reach, 0), (reach - point, half), (point - reach, half)))
    rim = style.stroke("tile.disc")
    ground = Path(shape, fill=style.ink("white"), stroke=rim, role=Role.SYMBOL)
    return Stamp((ground, *over_symbols(words.items)), width + rim.width_mm, height + rim.width_mm)


class _Step(Frozen, kw_only=True, forbid_unknown_fields=True):
    """One drawing step; the schema says which fields each kind of step needs."""

    draw: str
    points: tuple[Point, ...] = ()
    path: str = ""
    at: tuple[float, float, float] = (0, 0, 0)
    weight: float = 0
    light: bool = False
    ink: str = ""


class _Icon(Frozen, kw_only=True, forbid_unknown_fields=True):
    about: str
    steps: tuple[_Step, ...]


class _Icons(Frozen, kw_only=True):
    """The whole file: icons, and the signs of the steps of a turn, with their inks; `same_as` names
    icons that share a picture."""

    icons: dict[str, _Icon]
    signs: dict[str, _Icon]
    same_as: dict[str, str]


def sign_items(name: str, size_mm: float, style: Style, x: float, y: float) -> Items:
    """Return the sign "tile", "token", "train", "coin" or "share", `size_mm` high and about as
    wide, centred on (x, y)."""
    sign = read_art("icons", _Icons).signs[name]
    items = tuple(_items(sign, size_mm / _SHEET, style))
    return (Group(items, matrix=translation(x, y)),)


def _items(icon: _Icon, unit: float, style: Style) -> Iterator[Item]:
    for step in icon.steps:
        ink = style.ink(step.ink or "tile.icon")
        # Signs of a step are scaled down together with its words.
        width = max(_THINNEST_MM, step.weight * unit)
        fill = style.ink("tile.icon.ground") if step.light else ink
        x, y, r = (number * unit for number in step.at)
        filled = step.draw == "fill"
        points = path_commands(step.path) if step.path else polygon_path(step.points, closed=filled)
        commands = transform_commands(points, scaling(unit))
        match step.draw:
            case "disc":
                yield Circle(x, y, r, fill=fill, role=Role.SYMBOL)
            case "ring":
                ring = Stroke(ink, width)
                yield Circle(x, y, r, stroke=ring, role=Role.SYMBOL)
            case "fill":
                yield Path(commands, fill=fill, role=Role.SYMBOL)
            case _:
                line = Stroke(ink, width, cap="round", join="round")
                yield Path(commands, stroke=line, role=Role.SYMBOL)


def picture_items(name: str, diagonal_mm: float, ink: Ink, style: Style) -> Items:
    """Return a picture of the title with this diagonal, centred on (0, 0), in `ink` where it names
    no colour; or a shipped icon in its own colours, slightly smaller."""
    own = style.pictures.get(name)
    if own is not None:
        size_mm = diagonal_mm / math.hypot(own.width, own.height)
        return (picture_group(own, size_mm, ink, role=Role.GROUND),)
    return icon_block(name, "", diagonal_mm * 0.7, style, style.type("tile.cost")).items


def icon_names() -> tuple[str, ...]:
    """Return the names of all pictures, sorted."""
    art = read_art("icons", _Icons)
    return tuple(sorted((*art.icons, *art.same_as)))


def over_symbols(items: Items) -> Items:
    """Return text runs marked as meant to lie on a symbol."""
    return tuple(
        replace(item, over=(Role.SYMBOL,)) if isinstance(item, TextRun) else item for item in items
    )


# Artwork stored as data (assets/art).


Form = TypeVar("Form", bound=Struct)


def read_art(name: str, form: type[Form]) -> Form:
    """Return assets/art/<name>.json as a struct; keys and types are checked. Raises CannotRun for a
    damaged file."""
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


def path_commands(words: str) -> Commands:
    """Return a path written as in SVG with only absolute M, L, C and Z and single blanks: "M 0 0 L
    4 2.5 Z"."""
    commands: list[list[str | float]] = []
    for word in words.split(" "):
        if word.isalpha():
            commands.append([word])
        else:
            commands[-1].append(float(word))
    return tuple(map(tuple, commands))
