"""SVG files of other programs as flat shapes: what is drawn, and by name what cannot be."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from platelayer.definitions.svg.style import INITIAL, NUMBER, Styles, paint, share
from platelayer.definitions.svg.tree import LINK, MAX_DEPTH, Element, parse_svg, refuse
from platelayer.foundation.matrices import IDENTITY, Matrix, multiply, rotation, scaling, translation
from platelayer.model.picture import Layer, Picture
from platelayer.scene.shapes import circle_path, polygon_path, rectangle_path, transform_commands
from platelayer.scene.svg_paths import path_data_commands

MAX_BYTES = 256 * 1024
"""Largest picture that is read."""
MAX_LAYERS, MAX_COMMANDS = 1000, 20_000
"""The most shapes and commands of one picture."""

_FARTHEST = 1000.0
"""How far from the middle a shape may reach, in sides of the picture."""
_SILENT = frozenset({"title", "desc", "metadata", "style", "defs", "symbol"})
_UNPRINTED = frozenset({"linearGradient", "radialGradient", "pattern", "clipPath", "mask", "filter", "marker"})
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*(px|pt|pc|mm|cm|in)?\s*")
_UNITS = {None: 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_STEP = re.compile(r"\s*,?\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)")


def read_svg(data: bytes, picture_id: str) -> Picture:
    """The picture that an SVG file draws. Raises SvgError for what is not SVG, what reaches outside the file or could
    run, and what cannot be printed in flat inks."""
    if len(data) > MAX_BYTES:
        refuse(0, f"the file has more than {MAX_BYTES // 1024} KB", "simplify the drawing")
    root = parse_svg(data)
    if root.tag != "svg":
        refuse(root.line, f"<{root.tag}> is not an SVG picture")
    left, top, width, height = _frame(root)
    size = max(width, height)
    frame = multiply(scaling(1 / size), translation(-left - width / 2, -top - height / 2))
    drawing = _Drawing(root)
    drawing.draw(root, dict(INITIAL), frame, 0)
    if not drawing.layers:
        refuse(root.line, "nothing in it is drawn")
    return Picture(id=picture_id, width=width / size, height=height / size, layers=tuple(drawing.layers))


def _frame(root: Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of the picture."""
    given = root.attributes.get("viewBox")
    if given is not None:
        numbers = _numbers(given)
        if len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0:
            return numbers[0], numbers[1], numbers[2], numbers[3]
        refuse(root.line, f'viewBox "{given[:40]}" is not left, top, width and height', 'for example "0 0 50 50"')
    width, height = (_length(root, key) for key in ("width", "height"))
    if width <= 0 or height <= 0:
        refuse(root.line, "the picture has no size", 'give it a viewBox such as "0 0 50 50"')
    return 0.0, 0.0, width, height


def _numbers(words: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(words)]


def _length(element: Element, key: str, fallback: float = 0.0) -> float:
    """A length in user units. Raises SvgError."""
    given = element.attributes.get(key)
    if given is None:
        return fallback
    match = _LENGTH.fullmatch(given)
    if match is None or not math.isfinite(float(match[1])):
        refuse(element.line, f'{key}="{given[:40]}" of <{element.tag}> is not a length', "give a number")
    return float(match[1]) * _UNITS[match[2]]


class _Drawing:
    """The layers of a picture, collected element by element."""

    def __init__(self, root: Element) -> None:
        self.layers: list[Layer] = []
        self._commands = 0
        self._by_id = {each.attributes["id"]: each for each in root.each() if "id" in each.attributes}
        self._styles = Styles(root)

    def draw(self, element: Element, around: Mapping[str, str], matrix: Matrix, depth: int) -> None:
        """What an element shows, in the style of what is round it."""
        tag = element.tag
        if tag.startswith("{") or tag in _SILENT or tag in _UNPRINTED:
            return  # other programs' notes, and what shows only where something refers to it
        style = self._styles.of(element, around)
        if style["display"] == "none":
            return
        for key in ("clip-path", "mask", "filter"):
            if style[key] != "none":
                refuse(element.line, f"{key} of <{tag}> cannot be printed in flat inks", "flatten the drawing")
        if (opacity := share(element, "opacity", style["opacity"])) == 0:
            return
        if opacity < 1:
            refuse(element.line, f"<{tag}> is half transparent (opacity {opacity:g})", "give it the colour it has")
        matrix = multiply(matrix, _transform(element))
        if tag in ("svg", "g", "a") and (tag != "svg" or depth == 0):
            for child in element.children:
                self.draw(child, style, matrix, depth + 1)
        elif tag == "use":
            self._use(element, style, matrix, depth)
        elif tag in _SHAPES:
            self._shape(element, style, matrix)
        else:
            hint = "turn text into paths" if tag in ("text", "tspan") else f"drawn are {', '.join(_SHAPES)}, g and use"
            refuse(element.line, f"<{tag}> cannot be drawn", hint)

    def _use(self, element: Element, style: Mapping[str, str], matrix: Matrix, depth: int) -> None:
        link = next((element.attributes[key] for key in LINK if key in element.attributes), "")
        meant = self._by_id.get(link.removeprefix("#"))
        if meant is None or depth > MAX_DEPTH:
            refuse(element.line, f'<use> refers to "{link[:40]}", which is not in the file or is round itself')
        matrix = multiply(matrix, translation(_length(element, "x"), _length(element, "y")))
        for each in meant.children if meant.tag == "symbol" else (meant,):
            self.draw(each, style, matrix, depth + 1)

    def _shape(self, element: Element, style: Mapping[str, str], matrix: Matrix) -> None:
        fill, stroke = (paint(element, style, key) for key in ("fill", "stroke"))
        if style["visibility"] != "visible" or (fill is None and stroke is None):
            return
        commands = transform_commands(_SHAPES[element.tag](element), matrix)
        self._commands += len(commands)
        if self._commands > MAX_COMMANDS or len(self.layers) >= MAX_LAYERS:
            most = f"at most {MAX_LAYERS} shapes and {MAX_COMMANDS} points"
            refuse(element.line, f"the drawing is too detailed: {most} are allowed", "simplify its paths")
        numbers = [float(number) for command in commands for number in command[1:]]
        if not all(abs(number) <= _FARTHEST for number in numbers):
            refuse(element.line, f"<{element.tag}> reaches far beyond the picture", "check its numbers")
        grown = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        width = _length(Element(tag=element.tag, attributes=dict(style), line=element.line), "stroke-width")
        dash = () if style["stroke-dasharray"] == "none" else _numbers(style["stroke-dasharray"])
        if commands:
            self.layers.append(
                Layer(
                    commands=commands,
                    fill=fill,
                    stroke=stroke if width > 0 else None,
                    width=width * grown,
                    cap=style["stroke-linecap"] if style["stroke-linecap"] in ("round", "square") else "butt",
                    join=style["stroke-linejoin"] if style["stroke-linejoin"] in ("round", "bevel") else "miter",
                    dash=tuple(number * grown for number in dash if number >= 0) if any(dash) else (),
                    even_odd=style["fill-rule"] == "evenodd",
                )
            )


def _transform(element: Element) -> Matrix:
    words = element.attributes.get("transform", "")
    matrix, rest = IDENTITY, words
    while rest.strip():
        match = _STEP.match(rest)
        numbers = _numbers(match[2]) if match else []
        if match is None or len(numbers) not in _TRANSFORMS[match[1]]:
            refuse(element.line, f'transform "{words[:40]}" of <{element.tag}> cannot be read')
        matrix = multiply(matrix, _step(match[1], numbers))
        rest = rest[match.end() :]
    return matrix


_TRANSFORMS = {"matrix": (6,), "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "skewX": (1,), "skewY": (1,)}


def _step(name: str, numbers: list[float]) -> Matrix:
    match name:
        case "matrix":
            a, b, c, d, e, f = numbers
            return (a, b, c, d, e, f)
        case "translate":
            return translation(numbers[0], numbers[1] if len(numbers) > 1 else 0.0)
        case "scale":
            return (numbers[0], 0.0, 0.0, numbers[-1], 0.0, 0.0)
        case "rotate":
            x, y = numbers[1:] or (0.0, 0.0)
            return multiply(translation(x, y), multiply(rotation(numbers[0]), translation(-x, -y)))
        case "skewX":
            return (1.0, 0.0, math.tan(math.radians(numbers[0])), 1.0, 0.0, 0.0)
    return (1.0, math.tan(math.radians(numbers[0])), 0.0, 1.0, 0.0, 0.0)


def _path(element: Element) -> Any:
    try:
        return path_data_commands(element.attributes.get("d", ""))
    except ValueError as fault:
        refuse(element.line, f"the data of a <path> cannot be read: {fault}")


def _rectangle(element: Element) -> Any:
    x, y, width, height = (_length(element, key) for key in ("x", "y", "width", "height"))
    rx = _length(element, "rx", _length(element, "ry"))
    return rectangle_path(x, y, width, height, min(rx, width / 2, height / 2)) if width > 0 and height > 0 else ()


def _ellipse(element: Element) -> Any:
    radius = _length(element, "r")
    across, tall = _length(element, "rx", radius), _length(element, "ry", radius)
    if across <= 0 or tall <= 0:
        return ()
    matrix = (across, 0.0, 0.0, tall, _length(element, "cx"), _length(element, "cy"))
    return transform_commands(circle_path(0, 0, 1), matrix)


def _line(element: Element) -> Any:
    ends = [(_length(element, f"x{end}"), _length(element, f"y{end}")) for end in (1, 2)]
    return polygon_path(ends, closed=False)


def _polygon(element: Element) -> Any:
    numbers = _numbers(element.attributes.get("points", ""))
    points = list(zip(numbers[::2], numbers[1::2], strict=False))
    return polygon_path(points, closed=element.tag == "polygon") if points else ()


_SHAPES = {
    "path": _path,
    "rect": _rectangle,
    "circle": _ellipse,
    "ellipse": _ellipse,
    "line": _line,
    "polyline": _polygon,
    "polygon": _polygon,
}
