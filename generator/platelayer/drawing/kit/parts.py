"""Parts shared by cards and boards: grounds, chips, arrows, swatches, signs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from platelayer.drawing.kit.style import Style
from platelayer.model.gamemap import Layout, corner_points
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.paths import path_data_commands
from platelayer.scene.shapes import (
    Items,
    Path,
    Point,
    Stroke,
    polygon_path,
    rectangle_path,
    rotation,
    scaling,
    transform_commands,
    translation,
)
from platelayer.scene.shapes import multiply as together

RULE_MM = 0.12


def ground(width_mm: float, height_mm: float, bleed_mm: float, ink: Ink) -> Path:
    """Return the whole piece and its bleed in one ink."""
    b = bleed_mm
    return Path(rectangle_path(-b, -b, width_mm + 2 * b, height_mm + 2 * b), fill=ink)


def rule(x0: float, y: float, x1: float, ink: Ink, width_mm: float = RULE_MM) -> Path:
    """Return a horizontal line."""
    return Path((("M", x0, y), ("L", x1, y)), stroke=Stroke(ink, width_mm))


# Width of the rim around small plates.
_RIM_MM = 0.45


def tile_ink(colour: str, style: Style) -> Ink:
    """Return the ink of a tile colour, of any other ink name, or of #rrggbb; black and unknown
    words give grey."""
    if colour.startswith("#"):
        return ink_from_hex(colour)
    inks = style.theme.inks
    return inks.get(f"tile.{colour}") or inks.get(colour) or inks["tile.gray"]


def rim_ink(colour: str, style: Style) -> Ink | None:
    """Return the full tile colour where the theme prints it as a rim around a tint, otherwise
    None."""
    return style.theme.inks.get(f"rim.{colour.removeprefix('tile.')}")


def key_edge(colour: str, style: Style, plain: Stroke) -> Stroke:
    """Return the edge of a small plate in a tile colour: a rim, or else the plain one."""
    rim = rim_ink(colour, style)
    return Stroke(rim, _RIM_MM) if rim is not None else plain


def hexagon(x: float, y: float, across_mm: float, fill: Ink, edge: Stroke | None = None) -> Path:
    """Return a small flat-topped hex centred on (x, y)."""
    points = [(x + px, y + py) for px, py in corner_points(Layout.FLAT, across_mm)]
    return Path(polygon_path(points), fill=fill, stroke=edge)


_ARROW: tuple[Point, ...] = (
    (-0.5, -0.09),
    (0.06, -0.09),
    (0.06, -0.32),
    (0.5, 0.0),
    (0.06, 0.32),
    (0.06, 0.09),
    (-0.5, 0.09),
)
# Arrow characters with their clockwise angle from pointing right.
ARROWS = {char: 45.0 * number for number, char in enumerate("→↘↓↙←↖↑↗")}


def arrow(x: float, y: float, length_mm: float, degrees: float, ink: Ink) -> Path:
    """Return an arrow centred on (x, y) that points right, rotated clockwise by `degrees`."""
    scaled = (length_mm, 0.0, 0.0, length_mm, 0.0, 0.0)
    matrix = together(translation(x, y), together(rotation(degrees), scaled))
    return Path(transform_commands(polygon_path(_ARROW), matrix), fill=ink)


def bent_arrow(points: Sequence[Point], width_mm: float, head_mm: float, ink: Ink) -> Items:
    """Return a line through points that ends in an arrow head."""
    (ax, ay), (bx, by) = points[-2:]
    length = math.hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / length, (by - ay) / length
    neck = (bx - ux * head_mm, by - uy * head_mm)
    wing = head_mm * 0.55
    left = (neck[0] - uy * wing, neck[1] + ux * wing)
    right = (neck[0] + uy * wing, neck[1] - ux * wing)
    shaft = polygon_path((*points[:-1], neck), closed=False)
    stroke = Stroke(ink, width_mm, join="round")
    head = Path(polygon_path(((bx, by), left, right)), fill=ink)
    return Path(shaft, stroke=stroke), head


def diamond(x: float, y: float, half_mm: float, ink: Ink) -> Path:
    """Return a small square standing on its corner, centred on (x, y)."""
    r = half_mm
    return Path(polygon_path(((x, y - r), (x + r, y), (x, y + r), (x - r, y))), fill=ink)


def diamonds(x: float, y: float, width_mm: float, ink: Ink) -> Items:
    """Return a printer's ornament: a thin rule with a diamond in its middle, centred on (x, y)."""
    half, gap = width_mm / 2, 1.35
    return (
        rule(x - half, y, x - gap, ink, 0.18),
        rule(x + gap, y, x + half, ink, 0.18),
        diamond(x, y, 0.75, ink),
    )


# Small signs that distinguish zones and sizes of companies without colour.


MARK_MM = 2.0
# A disc, a square, a triangle, a lozenge, a cross and a star, in a sign of radius 1.
_MARKS = (
    "M 0.86 0 C 0.86 0.475 0.475 0.86 0 0.86 S -0.86 0.475 -0.86 0 S -0.475 -0.86 0 -0.86 S 0.86 -0.475 0.86 0 Z",
    "M -0.8 -0.8 L 0.8 -0.8 L 0.8 0.8 L -0.8 0.8 Z",
    "M 0 -1 L 1 0.8 L -1 0.8 Z",
    "M 0 -1.1 L 1.1 0 L 0 1.1 L -1.1 0 Z",
    "M -0.34 -1 H 0.34 V -0.34 H 1 V 0.34 H 0.34 V 1 H -0.34 V 0.34 H -1 V -0.34 H -0.34 Z",
    "M 0 -1.15 0.28 -0.39 1.09 -0.36 0.46 0.15 0.68 0.93 0 0.48 -0.68 0.93 -0.46 0.15 -1.09 -0.36 -0.28 -0.39 Z",
)


def zone_mark(number: int, x: float, y: float, ink: Ink) -> Path:
    """Return the sign of zone `number`, which distinguishes zones without colour, centred on (x,
    y): filled or, once all signs are used, hollow."""
    at = together(translation(x, y), scaling(MARK_MM / 2))
    shape = transform_commands(path_data_commands(_MARKS[number % len(_MARKS)]), at)
    if number < len(_MARKS):
        return Path(shape, fill=ink)
    return Path(shape, stroke=Stroke(ink, 0.25))
