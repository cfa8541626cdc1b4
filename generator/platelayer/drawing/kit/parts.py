"""Parts that cards and boards share: grounds, chips, arrows, swatches, signs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from platelayer.drawing.kit.style import Style
from platelayer.model.gamemap import Layout, corner_points
from platelayer.scene.inks import Ink, ink_from_hex
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Items,
    Path,
    Point,
    Stroke,
    circle_path,
    polygon_path,
    rectangle_path,
    rotation,
    transform_commands,
    translation,
)
from platelayer.scene.shapes import multiply as together

RULE_MM = 0.12


def ground(width_mm: float, height_mm: float, bleed_mm: float, ink: Ink) -> Path:
    """The whole piece and its bleed in one ink."""
    b = bleed_mm
    return Path(rectangle_path(-b, -b, width_mm + 2 * b, height_mm + 2 * b), fill=ink)


def rule(x0: float, y: float, x1: float, ink: Ink, width_mm: float = RULE_MM) -> Path:
    """A level line."""
    return Path((("M", x0, y), ("L", x1, y)), stroke=Stroke(ink, width_mm))


# Width of the rim round small plates.
_RIM_MM = 0.45


def tile_ink(colour: str, style: Style) -> Ink:
    """The ink of a tile colour, of any other ink name, or of #rrggbb; black and unknown words give
    grey."""
    if colour.startswith("#"):
        return ink_from_hex(colour)
    inks = style.theme.inks
    return inks.get(f"tile.{colour}") or inks.get(colour) or inks["tile.gray"]


def rim_ink(colour: str, style: Style) -> Ink | None:
    """A tile colour in full, where the theme prints it as a rim round a tint."""
    return style.theme.inks.get(f"rim.{colour.removeprefix('tile.')}")


def key_edge(colour: str, style: Style, plain: Stroke) -> Stroke:
    """The edge of a small plate in a tile colour: a rim, or else the plain one."""
    rim = rim_ink(colour, style)
    return Stroke(rim, _RIM_MM) if rim is not None else plain


def hexagon(x: float, y: float, across_mm: float, fill: Ink, edge: Stroke | None = None) -> Path:
    """A small flat-topped hex centred on (x, y)."""
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
# Arrow characters and how far each is turned clockwise from pointing right.
ARROWS = {char: 45.0 * number for number, char in enumerate("→↘↓↙←↖↑↗")}


def arrow(x: float, y: float, length_mm: float, degrees: float, ink: Ink) -> Path:
    """An arrow centred on (x, y), pointing right turned clockwise by `degrees`."""
    scaled = (length_mm, 0.0, 0.0, length_mm, 0.0, 0.0)
    matrix = together(translation(x, y), together(rotation(degrees), scaled))
    return Path(transform_commands(polygon_path(_ARROW), matrix), fill=ink)


def bent_arrow(points: Sequence[Point], width_mm: float, head_mm: float, ink: Ink) -> Items:
    """A line through points that ends in an arrow head."""
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
    """A small square on its corner, centred on (x, y)."""
    r = half_mm
    return Path(polygon_path(((x, y - r), (x + r, y), (x, y + r), (x - r, y))), fill=ink)


def diamonds(x: float, y: float, width_mm: float, ink: Ink) -> Items:
    """A printer's ornament: a thin rule with a diamond in its middle, centred on (x, y)."""
    half, gap = width_mm / 2, 1.35
    return (
        rule(x - half, y, x - gap, ink, 0.18),
        rule(x + gap, y, x + half, ink, 0.18),
        diamond(x, y, 0.75, ink),
    )


# Small signs that tell zones and sizes of company apart without colour.


MARK_MM = 2.0


def zone_mark(number: int, x: float, y: float, ink: Ink) -> Path:
    """The sign of zone `number`, which distinguishes zones without colour, centred on (x, y)."""
    r = MARK_MM / 2
    a, b = r, r * 0.34
    xs = (-b, b, b, a, a, b, b, -b, -b, -a, -a, -b)
    ys = (-a, -a, -b, -b, b, b, a, a, b, b, -b, -b)
    star = []
    for k in range(10):
        angle, reach = math.pi * k / 5, r * 1.15
        reach *= 1 if k % 2 == 0 else 0.42
        star.append((x + reach * math.sin(angle), y - reach * math.cos(angle)))
    shapes = (
        circle_path(x, y, r * 0.86),
        rectangle_path(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6),
        polygon_path(((x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8))),
        polygon_path(((x, y - r * 1.1), (x + r * 1.1, y), (x, y + r * 1.1), (x - r * 1.1, y))),
        polygon_path([(x + px, y + py) for px, py in zip(xs, ys, strict=True)]),
        polygon_path(star),
    )
    fill = None if number >= len(shapes) else ink
    edge = Stroke(ink, 0.25) if fill is None else None
    return Path(shapes[number % len(shapes)], fill=fill, stroke=edge)


# Small signs of what a step of a turn is about: a tile, a token, a train, money, a share.


# Width of lines as a share of a sign, and at least.
_LINE, _THINNEST_MM = 0.045, 0.12


def sign_items(name: str, size_mm: float, style: Style, x: float, y: float) -> Items:
    """The sign "tile", "token", "train", "coin" or "share", `size_mm` high and at most as wide,
    centred on (x, y)."""
    size, half = size_mm, size_mm / 2
    ink, accent = style.ink("card.text"), style.ink("card.accent")
    line = Stroke(ink, max(_THINNEST_MM, size * _LINE), join="round")
    items: list[Item] = []
    match name:
        case "tile":
            bend = ("C", 0.0, 0.0, half * 0.3, -half * 0.3, half * 0.78, -half * 0.46)
            stroke = Stroke(style.ink("black"), size * 0.16)
            items = [
                hexagon(0.0, 0.0, size * 0.96, tile_ink("yellow", style), line),
                Path((("M", 0.0, half * 0.94), bend), stroke=stroke),
            ]
        case "token":
            ring = Stroke(style.ink("card.ground"), size * 0.1)
            items = [
                Circle(0.0, 0.0, size * 0.47, fill=accent),
                Circle(0.0, 0.0, size * 0.3, stroke=ring),
            ]
        case "train":
            body = (
                *rectangle_path(-half * 0.42, -half * 0.3, half * 1.34, half * 0.72),
                *rectangle_path(-half * 0.92, -half * 0.8, half * 0.66, half * 1.22),
                *rectangle_path(half * 0.42, -half * 0.84, half * 0.3, half * 0.6),
            )
            items = [Path(body, fill=ink)]
            for across, r in ((-0.56, 0.32), (0.14, 0.32), (0.7, 0.24)):
                wheel = circle_path(across * half, half * 0.62, r * half)
                items.append(Path(wheel, fill=ink))
        case "coin":
            radius, gold = (size - line.width_mm) * 0.47, style.ink("card.gold")
            items = [
                Circle(0.0, 0.0, radius, fill=gold, stroke=line),
                Circle(0.0, 0.0, size * 0.28, stroke=line),
            ]
        case "share":
            tall, words_mm = size * 0.72, max(_THINNEST_MM, size * 0.08)
            sheet = rectangle_path(-half, -tall / 2, size, tall)
            items = [Path(sheet, fill=style.ink("white"), stroke=line)]
            for down, reach in ((-0.16, 0.28), (0.12, 0.2)):
                items.append(rule(-size * reach, down * tall, size * reach, accent, words_mm))
    return (Group(tuple(items), matrix=translation(x, y)),)
