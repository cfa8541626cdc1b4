"""The ground of a hex: fill, stripes, dividing lines, frame and rim."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Box, Disc, between
from platelayer.drawing.kit.lettering import Stamp, words_block
from platelayer.drawing.kit.style import Style
from platelayer.model.gamemap import COS_30, EDGES, Layout, corner_points, edge_point
from platelayer.model.tile import HEX_MM, Position, Tile
from platelayer.scene.inks import Ink, ink_from_hex, mix
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    circle_path,
    polygon_path,
    polygons_path,
    rectangle_path,
)
from platelayer.scene.typeset import Pattern, TypeStyle

# Signs that show a tile colour without colour: a motif within the rim of a hex, and a letter.

_SIGN_STROKE_MM, _RIM_LINE_MM, _LEAST_STROKE_MM = 0.16, 0.14, 0.1


def rim_share(colour: str, style: Style) -> float:
    """Return the width of a colour's rim as a share of the hex; 0 for a colour without motif."""
    pattern = style.theme.patterns.get(colour)
    return pattern.rim_mm / HEX_MM if pattern and pattern.motif != "none" else 0.0


def hex_rim(
    colour: str,
    style: Style,
    layout: Layout,
    across_mm: float,
    *,
    ground: Ink,
    outline: Commands,
    edge_mm: float,
) -> Items:
    """Return the motif of a colour within the rim of a hex centred on (0, 0), whose `outline` lies
    `edge_mm` beyond its edges; inside the rim, the ground shows again. Empty for a colour
    without motif."""
    share = rim_share(colour, style)
    if not share:
        return ()
    pattern, scale = style.theme.patterns[colour], across_mm / HEX_MM
    inner = polygon_path(corner_points(layout, across_mm * (1 - 2 * share)))
    if pattern.motif == "solid":
        return (Path(outline, fill=pattern.ink), Path(inner, fill=ground))
    reach = across_mm / math.sqrt(3) + edge_mm
    motif = Group(motif_items(pattern, (-reach, -reach, reach, reach), scale), clip=outline)
    line = Stroke(pattern.ink, max(_LEAST_STROKE_MM, _RIM_LINE_MM * scale))
    return (motif, Path(inner, fill=ground, stroke=line))


def motif_items(pattern: Pattern, box: Box, scale: float) -> Items:
    """Return a box filled with a motif; `scale` multiplies its lengths."""
    step, ink = pattern.spacing_mm * scale, pattern.ink
    if pattern.motif == "none":
        return ()
    if pattern.motif == "solid":
        return (Path(box_path(box), fill=ink),)
    if pattern.motif == "dots":
        return (Path(_lattice(box, step, pattern.stroke_mm * scale / 2), fill=ink),)
    width = max(_LEAST_STROKE_MM, pattern.stroke_mm * scale)
    lines = _LINES[pattern.motif](box, step)
    return (Path(lines, stroke=Stroke(ink, width)),)


def letter_of(colour: str, style: Style) -> str:
    """Return the letter of a colour in the language of the print; "" if the theme has none."""
    pattern = style.theme.patterns.get(colour)
    return style.words(pattern.letter) if pattern is not None and pattern.letter is not None else ""


def letter_block(colour: str, type_style: TypeStyle, style: Style) -> Stamp | None:
    """Return the letter of a colour in a small white hex, ready to be placed; None if the theme has
    none."""
    letter = letter_of(colour, style)
    if not letter:
        return None
    words = words_block((letter,), type_style, style.ink("text"))
    across = max(words.height * 1.5, words.width * 1.12 + 0.7)
    corners = polygon_path(corner_points(Layout.POINTY, across))
    line = Stroke(style.ink("text"), _SIGN_STROKE_MM, join="round")
    sign = Path(corners, fill=style.ink("white"), stroke=line, role=Role.SYMBOL)
    tall = across * 2 / math.sqrt(3)
    return Stamp((sign, *words.items), across + _SIGN_STROKE_MM, tall + _SIGN_STROKE_MM)


def box_path(box: Box) -> Commands:
    """Return the outline of a box."""
    left, top, right, bottom = box
    return rectangle_path(left, top, right - left, bottom - top)


def _steps(low: float, high: float, step: float) -> list[float]:
    """Return multiples of a step from low to high, so that neighbours join."""
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _lattice(box: Box, step: float, radius: float) -> Commands:
    left, top, right, bottom = box
    rows = _steps(top, bottom, step * math.sqrt(3) / 2)
    return tuple(
        command
        for number, y in enumerate(rows)
        for x in _steps(left, right, step)
        for command in circle_path(x + (step / 2 if number % 2 else 0.0), y, radius)
    )


def _slanting(box: Box, step: float, way: int) -> Commands:
    left, top, right, bottom = box
    tall, slant = bottom - top, step * math.sqrt(2)
    start, end = (top, bottom) if way > 0 else (bottom, top)
    ends = [((x, start), (x + tall, end)) for x in _steps(left - tall, right, slant)]
    return polygons_path(ends, closed=False)


def _zigzag(box: Box, step: float) -> Commands:
    left, top, right, bottom = box
    xs = _steps(left, right + step, step / 2)
    down = step * 0.45
    lines = [
        [(x, y + (down if k % 2 else 0.0)) for k, x in enumerate(xs)]
        for y in _steps(top, bottom, step)
    ]
    return polygons_path(lines, closed=False)


_LINES: dict[str, Callable[[Box, float], Commands]] = {
    "level": lambda box, step: polygons_path(
        [((box[0], y), (box[2], y)) for y in _steps(box[1], box[3], step)], closed=False
    ),
    "upright": lambda box, step: polygons_path(
        [((x, box[1]), (x, box[3])) for x in _steps(box[0], box[2], step)], closed=False
    ),
    "rise": lambda box, step: _slanting(box, step, -1),
    "fall": lambda box, step: _slanting(box, step, 1),
    "cross": lambda box, step: _slanting(box, step, -1) + _slanting(box, step, 1),
    "zigzag": _zigzag,
    "rings": lambda box, step: _lattice(box, step, step * 0.32),
}


# The ground of a whole hex. Lengths are shares of the hex.

# Keyline of a tile: its width and its distance inside the trim in mm, which is more than a knife
# slips, and the share of black in its ink.
_KEYLINE_MM, _KEYLINE_INSIDE_MM, _KEYLINE_BLACK = 0.25, 0.4, 0.3
# Width of the pale rim of off-board areas on maps.
RED_RIM = 0.057
# Widths of a coloured frame and of a stripe.
FRAME, _STRIPE = 0.05, 0.085
# Amplitudes of the successive waves of a winding line.
_SWAY = (0.8, -1.0, 1.2, -0.7, 1.0, -1.2, 0.8)
_WAVES = len(_SWAY)
# Partitions from which words keep clear; number of circles along one; and half its width including
# its bends.
_WIDE = ("coast", "mountain", "divider")
_COAST_DISCS, _COAST_HALF = 12, 0.03
_DIVIDERS = ("river", "province", "impassable", "mountain", "divider")


def colour_ink(name: str, style: Style) -> Ink:
    """Return the ink of a tile colour ("green"), of an ink's own name, or of #rrggbb."""
    if name.startswith("#"):
        return ink_from_hex(name)
    inks = style.theme.inks
    return inks.get(f"tile.{name}") or style.ink(name)


def painted(tile: Tile, style: Style) -> Ink:
    """Return the ink of a tile or hex: that of its special ground, or of its colour."""
    return colour_ink(tile.ground or tile.colour, style)


def hex_polygon(layout: Layout, across_mm: float, bleed_mm: float = 0.0) -> tuple[Point, ...]:
    """Return the corners of a hex around (0, 0), enlarged on every side by `bleed_mm`, with its
    points cut off at the bleed box."""
    corners = corner_points(layout, across_mm + 2 * bleed_mm)
    if not bleed_mm:
        return corners
    limit = across_mm / 2 / COS_30 + bleed_mm
    axis = 0 if layout is Layout.FLAT else 1
    points = []
    for k in EDGES:
        corner = corners[k]
        far = abs(corner[axis])
        if far <= limit + 1e-9:
            points.append(corner)
            continue
        for other in (corners[k - 1], corners[(k + 1) % 6]):
            points.append(between(corner, other, (far - limit) / (far - abs(other[axis]))))
    return tuple(points)


def ground_items(
    tile: Tile, layout: Layout, across_mm: float, style: Style, *, bleed_mm: float = 0.0
) -> Items:
    """Return the fill of a hex with its stripes, extending into the bleed."""
    outline = polygon_path(hex_polygon(layout, across_mm, bleed_mm))
    ground = painted(tile, style)
    items: list[Item] = [Path(outline, fill=ground)]
    items += hex_rim(
        tile.colour, style, layout, across_mm, ground=ground, outline=outline, edge_mm=bleed_mm
    )
    if tile.stripes:
        items.append(Group(_stripes(tile.stripes, across_mm, style), clip=outline))
    return tuple(items)


def frame_items(
    tile: Tile, layout: Layout, across_mm: float, style: Style, *, bleed_mm: float = 0.0
) -> Items:
    """Return the coloured frame of a tile, if it has one."""
    if tile.frame is None:
        return ()
    outer = polygon_path(hex_polygon(layout, across_mm, bleed_mm))
    inner = polygon_path(corner_points(layout, across_mm * (1 - 2 * FRAME)))
    rim = Path(outer + inner, fill=colour_ink(tile.frame, style), even_odd=True)
    if tile.second_frame is None:
        return (rim,)
    middle = polygon_path(corner_points(layout, across_mm * (1 - FRAME)))
    ink = colour_ink(tile.second_frame, style)
    return (rim, Path(middle + inner, fill=ink, even_odd=True))


def edge_items(tile: Tile, layout: Layout, across_mm: float, style: Style) -> Items:
    """Return the keyline of a tile, which separates it from neighbours of its colour."""
    if style.theme.edge == "none" or tile.frame is not None or rim_share(tile.colour, style):
        return ()
    ink = mix(painted(tile, style), style.ink("black"), _KEYLINE_BLACK)
    middle = across_mm - 2 * _KEYLINE_INSIDE_MM - _KEYLINE_MM
    outline = polygon_path(corner_points(layout, middle))
    return (Path(outline, stroke=Stroke(ink, _KEYLINE_MM)),)


def rim_items(layout: Layout, across_mm: float, style: Style) -> Items:
    """Return a fine line around a hex of a map."""
    outline = polygon_path(corner_points(layout, across_mm))
    return (Path(outline, stroke=style.stroke("tile.rim")),)


def _stripes(colour: str, across_mm: float, style: Style) -> Items:
    ink = colour_ink(colour, style)
    width, reach = _STRIPE * across_mm, across_mm
    slant = width * math.sqrt(2)
    items = []
    for k in range(-8, 8):
        x = (2 * k + 0.5) * width * math.sqrt(2)
        corners = (
            (x - reach, reach),
            (x + slant - reach, reach),
            (x + slant + reach, -reach),
            (x + reach, -reach),
        )
        items.append(Path(polygon_path(corners), fill=ink))
    return tuple(items)


def partition_items(tile: Tile, layout: Layout, across_mm: float, style: Style) -> Items:
    """Return dividing lines across a hex. The sea lies beyond a coast, on the side clockwise from
    its `a` to its `b`."""
    outline = polygon_path(corner_points(layout, across_mm))
    items = []
    lines = dividing_lines(tile, layout, across_mm)
    for partition, (a, b) in zip(tile.partitions, lines, strict=True):
        kind = partition.kind
        course = _course(a, b, across_mm, kind in ("coast", "river"))
        if kind == "coast":
            # Return from b to a around the outside of the hex.
            start, end = partition.a.edge % 6, partition.b.edge % 6
            if end <= start:
                end += 6
            turns = [start + (end - start) * k / 12 for k in range(12, -1, -1)]
            rim = (("L", *edge_point(turn, layout, across_mm)) for turn in turns)
            sea = Path((*course, *rim, ("Z",)), fill=style.ink("tile.blue"))
            items.append(Group((sea,), clip=outline))
        stroke = style.stroke(f"tile.divide.{kind if kind in _DIVIDERS else 'coast'}")
        if partition.colour is not None:
            stroke = replace(stroke, ink=colour_ink(partition.colour, style))
        items.append(Group((Path(course, stroke=stroke),), clip=outline))
    return tuple(items)


def coast_bulk(tile: Tile, layout: Layout, across_mm: float) -> list[Disc]:
    """Return circles that cover the windings of coasts and ridges, so that words stay on one
    side."""
    radius = _COAST_HALF * across_mm
    lines = dividing_lines(tile, layout, across_mm)
    return [
        (*between(a, b, k / _COAST_DISCS), radius)
        for partition, (a, b) in zip(tile.partitions, lines, strict=True)
        if partition.kind in _WIDE
        for k in range(_COAST_DISCS + 1)
    ]


def dividing_lines(tile: Tile, layout: Layout, across_mm: float) -> list[tuple[Point, Point]]:
    """Return the lines that divide a hex, straight from end to end."""
    ends = ((partition.a, partition.b) for partition in tile.partitions)
    return [(_place(a, layout, across_mm), _place(b, layout, across_mm)) for a, b in ends]


def _place(at: Position, layout: Layout, across_mm: float) -> Point:
    if at.distance is not None:
        return edge_point(at.edge, layout, at.distance * across_mm / 2)
    off = abs(at.edge - round(at.edge)) * math.radians(60)
    return edge_point(at.edge, layout, across_mm / 2 / math.cos(off))


def _course(a: Point, b: Point, across_mm: float, wavy: bool) -> Commands:
    """Return a line from a to b, gently winding if `wavy`."""
    if not wavy or math.dist(a, b) < 1e-6:
        return (("M", *a), ("L", *b))
    dx, dy = (b[0] - a[0]) / _WAVES, (b[1] - a[1]) / _WAVES
    length = math.hypot(dx, dy)
    nx, ny = -dy / length, dx / length
    commands: list[Command] = [("M", *a)]
    for k, sway in enumerate(_SWAY):
        x, y = a[0] + dx * k, a[1] + dy * k
        off = sway * 0.022 * across_mm
        leave = (x + dx * 0.35 + nx * off, y + dy * 0.35 + ny * off)
        arrive = (x + dx * 0.65 + nx * off, y + dy * 0.65 + ny * off)
        commands.append(("C", *leave, *arrive, x + dx, y + dy))
    return tuple(commands)
