"""Pictures of a title as shapes."""

from __future__ import annotations

import math
from functools import lru_cache

from platelayer.model.picture import CURRENT, Layer, Picture
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.shapes import (
    Group,
    Path,
    Role,
    Stroke,
    rectangle_path,
    scaling,
    transform_commands,
)

_THINNEST_MM = 0.1
"""The least width of a line, and the least length of its pattern of dashes."""


@lru_cache(maxsize=64)
def picture_group(picture: Picture, size_mm: float, ink: Ink, *, role: Role = Role.SYMBOL) -> Group:
    """A picture centred on (0, 0), its longer side `size_mm`; `ink` is what it means by its current
    colour. No line is too thin to print, and no dash too short. Kept: a map shows the same picture
    on many hexes."""
    width, height = picture.width * size_mm, picture.height * size_mm
    return Group(
        items=tuple(_path(layer, size_mm, ink, role) for layer in picture.layers),
        clip=rectangle_path(-width / 2, -height / 2, width, height),
    )


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
