"""SVG files of other programs as flat shapes: what is drawn, and by name what cannot be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from platelayer.definitions.svg.lengths import lengths
from platelayer.definitions.svg.style import INITIAL, Styles, opacity, paint
from platelayer.definitions.svg.text import lines_of
from platelayer.definitions.svg.tree import LINK, MAX_DEPTH, Element, parse_svg, refuse
from platelayer.definitions.svg.work import CHARACTER, ELEMENT, Work, work_of
from platelayer.foundation.matrices import (
    IDENTITY,
    Matrix,
    multiply,
    rotation,
    scaling,
    translation,
)
from platelayer.model.picture import Layer, Picture
from platelayer.scene.shapes import circle_path, polygon_path, rectangle_path, transform_commands
from platelayer.scene.svg_paths import LARGEST, NUMBER, path_data_commands

MAX_BYTES = 256 * 1024
"""Largest picture that is read."""

_FARTHEST = 20.0
"""How far from the middle a shape may reach, in sides of the picture, and how wide a line may be:
at 1200 dpi, cairo loses lines that leave a picture of 90 mm farther than that."""
_SMALLEST, _NARROWEST = 1e-6, 100.0
"""The least side of a picture in its own units, and how many times as long as the other one a side
may be."""
_MOST_DASHES, _LONGEST_DASH = 10, 1000.0
"""The most lengths of a pattern of dashes that all programs know (PostScript has 11), and the
longest that is told from a plain line."""
_SILENT = frozenset({"title", "desc", "metadata", "style", "defs", "symbol"})
_UNPRINTED = frozenset(
    {"linearGradient", "radialGradient", "pattern", "clipPath", "mask", "filter", "marker"}
)
_STEP = re.compile(r"[\s,]*+(matrix|translate|scale|rotate|skewX|skewY)\s*+\(([^()]*+)\)[\s,]*+")


def read_svg(
    data: bytes, picture_id: str, work: Work | None = None, *, set_text: bool = False
) -> Picture:
    """The picture that an SVG file draws; `work` counts what several pictures take together. Words
    become outlines of our own faces if `set_text`. Raises SvgError for what is not SVG, what
    reaches outside the file or could run, what cannot be printed in flat inks, words if they are
    not wanted, and what takes more work than a picture is worth."""
    work = work or Work()
    work.begin()
    work.take(0, CHARACTER * len(data))
    if len(data) > MAX_BYTES:
        refuse(0, f"the file has more than {MAX_BYTES // 1024} KB", "simplify the drawing")
    root = parse_svg(data)
    if root.tag != "svg":
        refuse(root.line, f"<{root.tag}> is not an SVG picture")
    left, top, width, height = _frame(root)
    size = max(width, height)
    frame = multiply(scaling(1 / size), translation(-left - width / 2, -top - height / 2))
    _resolve_shares(root, width, height)
    drawing = _Drawing(root, work, set_text=set_text)
    drawing.draw(root, dict(INITIAL), frame, 0)
    if not drawing.layers:
        refuse(root.line, "nothing in it is drawn")
    return Picture(
        id=picture_id, width=width / size, height=height / size, layers=tuple(drawing.layers)
    )


def _frame(root: Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of the picture."""
    given = root.attributes.get("viewBox")
    if given is None:
        left = top = 0.0
        width, height = (_length(root, key) for key in ("width", "height"))
        if width <= 0 or height <= 0:
            refuse(root.line, "the picture has no size", 'give it a viewBox such as "0 0 50 50"')
    else:
        numbers = _lengths(root, "viewBox", given)
        if len(numbers) != 4 or min(numbers[2:]) <= 0:
            message = f'viewBox "{given[:40]}" is not left, top, width and height'
            refuse(root.line, message, 'for example "0 0 50 50"')
        left, top, width, height = numbers
    if min(width, height) < _SMALLEST or max(width, height) > _NARROWEST * min(width, height):
        message = (
            f"the picture is {width:g} wide and {height:g} high: a side is at least {_SMALLEST:g}"
        )
        refuse(
            root.line, f"{message} and at most {_NARROWEST:g} times the other", "check its viewBox"
        )
    return left, top, width, height


_SHARES: dict[str, Callable[[float, float], float]] = {
    **dict.fromkeys(("x", "x1", "x2", "dx", "cx", "rx", "width"), lambda width, _height: width),
    **dict.fromkeys(("y", "y1", "y2", "dy", "cy", "ry", "height"), lambda _width, height: height),
    **dict.fromkeys(
        ("r", "stroke-width"), lambda width, height: math.hypot(width, height) / math.sqrt(2)
    ),
}
"""What a percentage of an attribute is a share of."""


def _resolve_shares(root: Element, width: float, height: float) -> None:
    """Write percentages as lengths."""
    for element in root.each():
        for key, words in element.attributes.items() if element is not root else ():
            if key in _SHARES and re.fullmatch(rf"{NUMBER}%", words.strip()):
                part = float(words.strip()[:-1]) / 100
                element.attributes[key] = f"{part * _SHARES[key](width, height):.9g}"


def _lengths(element: Element, key: str, words: str) -> list[float]:
    """Lengths in user units. Raises SvgError."""
    try:
        return lengths(words)
    except ValueError as error:
        refuse(
            element.line,
            f'{key}="{words[:40]}" of <{element.tag}>: {error}',
            f"give numbers from -{LARGEST:g} to {LARGEST:g}",
        )


def _length(element: Element, key: str, fallback: float = 0.0) -> float:
    """A length in user units. Raises SvgError."""
    given = element.attributes.get(key)
    return fallback if given is None else _one(element, key, given)


def _one(element: Element, key: str, words: str) -> float:
    numbers = _lengths(element, key, words)
    if len(numbers) != 1:
        refuse(
            element.line,
            f'{key}="{words[:40]}" of <{element.tag}> is not a length',
            "give a number",
        )
    return numbers[0]


class _Drawing:
    """The layers of a picture, collected element by element."""

    def __init__(self, root: Element, work: Work, *, set_text: bool) -> None:
        self._set_text = set_text
        self.layers: list[Layer] = []
        self._work = work
        self._by_id = {
            node.attributes["id"]: node for node in root.each() if "id" in node.attributes
        }
        self._styles = Styles(root, work)

    def draw(self, element: Element, around: Mapping[str, str], matrix: Matrix, depth: int) -> None:
        """What an element shows, in the style of what is round it."""
        tag = element.tag
        self._work.take(
            element.line, ELEMENT + CHARACTER * len("".join(element.attributes.values()))
        )
        if tag.startswith(":") or tag in _SILENT or tag in _UNPRINTED:
            return  # other programs' notes, and what shows only where something refers to it
        style = self._styles.of(element, around)
        if style["display"] == "none":
            return
        for key in ("clip-path", "mask", "filter"):
            if style[key] != "none":
                refuse(
                    element.line,
                    f"{key} of <{tag}> cannot be printed in flat inks",
                    "flatten the drawing",
                )
        if (opaque := opacity(element, style, "opacity")) == 0:
            return
        if opaque < 1:
            refuse(
                element.line,
                f"<{tag}> is half transparent (opacity {opaque:g})",
                "give it the colour it has",
            )
        matrix = _within_reason(element, multiply(matrix, _transform(element)))
        if tag in ("svg", "g", "a") and (tag != "svg" or depth == 0):
            for child in element.children:
                self.draw(child, style, matrix, depth + 1)
        elif tag == "use":
            self._use(element, style, matrix, depth)
        elif tag in _SHAPES:
            self._shape(element, style, matrix, _SHAPES[tag](element))
        elif tag == "text" and self._set_text:
            self._words(element, style, matrix)
        else:
            hint = (
                "turn text into paths"
                if tag in ("text", "tspan")
                else f"drawn are {', '.join(_SHAPES)}, g and use"
            )
            refuse(element.line, f"<{tag}> cannot be drawn", hint)

    def _use(self, element: Element, style: Mapping[str, str], matrix: Matrix, depth: int) -> None:
        link = next((element.attributes[key] for key in LINK if key in element.attributes), "")
        meant = self._by_id.get(link.removeprefix("#"))
        if meant is None or depth > MAX_DEPTH:
            refuse(
                element.line,
                f'<use> refers to "{link[:40]}", which is not in the file or is round itself',
            )
        matrix = multiply(matrix, translation(_length(element, "x"), _length(element, "y")))
        for node in meant.children if meant.tag == "symbol" else (meant,):
            self.draw(node, style, matrix, depth + 1)

    def _words(self, element: Element, style: Mapping[str, str], matrix: Matrix) -> None:
        for words in lines_of(element, style, self._styles.of):
            self._shape(element, words.style, matrix, words.outline)

    def _shape(
        self, element: Element, style: Mapping[str, str], matrix: Matrix, outline: Any
    ) -> None:
        fill, stroke = (paint(element, style, key) for key in ("fill", "stroke"))
        grown = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        if style["visibility"] != "visible" or (fill is None and stroke is None) or grown == 0:
            return  # what a transform makes flat is not drawn, as SVG has it
        commands = transform_commands(outline, matrix)
        width = _one(element, "stroke-width", style["stroke-width"]) * grown
        dash = _dash(element, style["stroke-dasharray"], grown) if stroke and width > 0 else ()
        numbers = [width, *(float(number) for command in commands for number in command[1:])]
        if not all(abs(number) <= _FARTHEST for number in numbers):
            farthest = f"shapes stay within {_FARTHEST:g} times its longer side"
            refuse(
                element.line,
                f"<{element.tag}> reaches far beyond the picture: {farthest}",
                "check its numbers",
            )
        if not commands:
            return
        layer = Layer(
            commands=commands,
            fill=fill,
            stroke=stroke if width > 0 else None,
            width=width,
            cap=style["stroke-linecap"]
            if style["stroke-linecap"] in ("round", "square")
            else "butt",
            join=style["stroke-linejoin"]
            if style["stroke-linejoin"] in ("round", "bevel")
            else "miter",
            dash=dash,
            even_odd=style["fill-rule"] == "evenodd",
        )
        self._work.take(element.line, work_of(layer))
        self.layers.append(layer)


def _within_reason(element: Element, matrix: Matrix) -> Matrix:
    """A matrix whose numbers are all finite and not beyond LARGEST. Raises SvgError."""
    if not all(abs(number) <= LARGEST for number in matrix):
        message = f"<{element.tag}> is moved or enlarged by more than {LARGEST:g} times the picture"
        refuse(element.line, message, "check its transform")
    return matrix


def _dash(element: Element, words: str, grown: float) -> tuple[float, ...]:
    """A pattern of dashes in sides of the picture; none for a plain line. Raises SvgError."""
    dashes = [] if words == "none" else _lengths(element, "stroke-dasharray", words)
    if len(dashes) > _MOST_DASHES or any(number < 0 for number in dashes):
        message = f'stroke-dasharray "{words[:40]}" of <{element.tag}>'
        refuse(
            element.line,
            f"{message}: {_MOST_DASHES} lengths at most are allowed, none of them below 0",
        )
    return tuple(min(number * grown, _LONGEST_DASH) for number in dashes) if any(dashes) else ()


def _transform(element: Element) -> Matrix:
    words = element.attributes.get("transform", "").strip()
    matrix, at = IDENTITY, 0
    while at < len(words):
        match = _STEP.match(words, at)
        numbers = _lengths(element, "transform", match[2]) if match else []
        if match is None or len(numbers) not in _TRANSFORMS[match[1]]:
            hint = f"known are {', '.join(_TRANSFORMS)}, each with its numbers"
            refuse(
                element.line,
                f'transform "{words[at : at + 40]}" of <{element.tag}> cannot be read',
                hint,
            )
        matrix = _within_reason(element, multiply(matrix, _step(match[1], numbers)))
        at = match.end()
    return matrix


_TRANSFORMS = {
    "matrix": (6,),
    "translate": (1, 2),
    "scale": (1, 2),
    "rotate": (1, 3),
    "skewX": (1,),
    "skewY": (1,),
}


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
    except ValueError as error:
        refuse(element.line, f"the data of a <path> cannot be read: {error}")


def _rectangle(element: Element) -> Any:
    x, y, width, height = (_length(element, key) for key in ("x", "y", "width", "height"))
    rx = _length(element, "rx", _length(element, "ry"))
    return (
        rectangle_path(x, y, width, height, min(rx, width / 2, height / 2))
        if width > 0 and height > 0
        else ()
    )


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
    numbers = _lengths(element, "points", element.attributes.get("points", ""))
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
