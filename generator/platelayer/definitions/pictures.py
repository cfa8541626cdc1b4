"""Pictures of a title: SVG files in its folder, as flat shapes.

Everything a file draws becomes paths in flat inks; anything that cannot is refused by name, with
its line. Words become outlines of the bundled faces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.assemble import Assembled, file_in_folder
from platelayer.definitions.svg_tree import (
    CHARACTER,
    ELEMENT,
    INITIAL,
    LINK,
    MAX_DEPTH,
    MAX_WORK,
    MAX_WORK_OF_TITLE,
    POINT,
    Element,
    Styles,
    SvgError,
    Work,
    length,
    lengths,
    opacity,
    paint,
    parse_svg,
    refuse,
    work_of,
)
from platelayer.foundation.door import NotRead, read_start
from platelayer.foundation.geometry import (
    IDENTITY,
    Matrix,
    multiply,
    rotation,
    scaling,
    translation,
)
from platelayer.foundation.pixels import MAX_BYTES as MAX_PIXEL_BYTES
from platelayer.foundation.pixels import SUFFIX as PIXELS
from platelayer.foundation.pixels import NotPixels, read_pixels
from platelayer.foundation.problems import Place, Problem, Problems, ProblemsFound, join_pointer
from platelayer.foundation.text import character, named
from platelayer.model.company import CURRENT, Layer, Picture
from platelayer.model.described import text_or_none
from platelayer.model.title import Title
from platelayer.scene.fonts import advances, face, glyph_outline
from platelayer.scene.paths import LARGEST, NUMBER, path_data_commands
from platelayer.scene.shapes import (
    Commands,
    circle_path,
    polygon_path,
    rectangle_path,
    transform_commands,
)
from platelayer.scene.typeset import TypeStyle, missing_glyphs, prepared, split_by_face

_Style = Mapping[str, str]
_SERIF = re.compile(
    r"(?<!sans-)(?<!sans )serif|times|georgia|garamond|palatino|bodoni|didot|mincho|cambria",
    re.IGNORECASE,
)
_BOLD = re.compile(r"bold|bolder|[6-9]00")
_SIGNS = (
    "NotoSansJPSigns-Medium",
    "NotoSans-SemiBold",
    "NotoSansSymbols2-Regular",
    "NotoSansMath-Regular",
    "NotoSansSymbols-SemiBold",
)
# Fonts by (serif, bold).
_FACES = {
    (False, False): ("Barlow-Medium", "FiraSans-Regular", "NotoSansJP-Regular", *_SIGNS),
    (False, True): ("Barlow-Bold", "FiraSans-Bold", "NotoSansJP-Bold", *_SIGNS),
    (True, False): (
        "EBGaramond-Regular",
        "EBGaramondMore-Regular",
        "NotoSerifJP-SemiBold",
        *_SIGNS,
    ),
    (True, True): ("EBGaramond-Bold", "EBGaramondMore-SemiBold", "NotoSerifJP-SemiBold", *_SIGNS),
}
_PLACED = ("rotate", "textLength")
_SHIFTS = {"start": 0.0, "middle": 0.5, "end": 1.0}
# Distance of the baseline below the text's y, in cap heights.
_DROPS = {"middle": 0.5, "central": 0.5, "hanging": 1.0, "text-before-edge": 1.0, "text-top": 1.0}


class Words(Struct, kw_only=True):
    """Words in one style, as outlines in user units."""

    style: _Style
    outline: Commands


class _Line(Struct, kw_only=True):
    """Words that follow each other from a place. `at` and `down` are the offset of the next ones,
    `inked` is the end of the last letter: trailing blanks do not count when a line is centred."""

    x: float
    y: float
    anchor: str
    at: float = 0.0
    down: float = 0.0
    inked: float = 0.0
    words: list[tuple[_Style, float, float, Commands]] = []


def _lines_of(
    element: Element, style: _Style, style_of: Callable[[Element, _Style], _Style]
) -> Iterator[Words]:
    """Yield the words of <text> in an element's style; `style_of` gives the style of a <tspan> from
    the style around it. Raises SvgError for an invalid length, and for a letter that no face
    has."""
    lines = [_Line(x=0.0, y=0.0, anchor=style["text-anchor"])]
    _collect(element, style, style_of, lines)
    for line in lines:
        left = line.x - _SHIFTS.get(line.anchor, 0.0) * line.inked
        for own, x, y, outline in line.words:
            moved = transform_commands(outline, translation(left + x, line.y + y))
            yield Words(style=own, outline=moved)


def _collect(
    element: Element,
    style: _Style,
    style_of: Callable[[Element, _Style], _Style],
    lines: list[_Line],
) -> None:
    given = element.attributes
    if style["display"] == "none":
        return
    for key in _PLACED:
        if key in given:
            refuse(
                element.line,
                f"{key} of <{element.tag}> places letters one by one",
                "turn text into paths",
            )
    if element.tag == "tspan" and style["opacity"] != "1":
        refuse(element.line, "<tspan> is half transparent", "give it the colour it has")
    line = lines[-1]
    if "x" in given or "y" in given:
        # Without an x of its own, a new line begins below the end of the last one.
        x = _first(element, "x", line.x + line.at if "x" not in given else 0.0)
        line = _Line(x=x, y=_first(element, "y", line.y), anchor=style["text-anchor"])
        lines.append(line)
    line.at += _first(element, "dx", 0.0)
    line.down += _first(element, "dy", 0.0)
    for child in element.children:
        if child.tag == "tspan":
            _collect(child, style_of(child, style), style_of, lines)
        elif not child.tag:
            _set(child, style, lines[-1])
        elif not child.tag.startswith(":") and child.tag not in ("title", "desc"):
            message = f"<{child.tag}> within <text> cannot be drawn"
            refuse(child.line, message, "turn text into paths")


def _set(element: Element, style: _Style, line: _Line) -> None:
    words = prepared(re.sub(r"\s+", " ", "".join(element.text)))
    if not line.words:
        words = words.lstrip()
    if style["font"]:
        message = f'font "{style["font"][:40]}" is not read'
        refuse(element.line, message, "give font-family, font-size and font-weight")
    try:
        size = length(style["font-size"])
    except ValueError:
        message = f'font-size "{style["font-size"][:40]}" is not a length'
        refuse(element.line, message, "give it in units of the picture")
    is_serif = _SERIF.search(style["font-family"]) is not None
    is_bold = _BOLD.fullmatch(style["font-weight"]) is not None
    faces = _FACES[is_serif, is_bold]
    drop = _DROPS.get(style["dominant-baseline"], 0.0) * face(faces[0]).cap_height * size
    if missing := missing_glyphs(words, faces):
        message = f"no font has {named(map(character, missing), most=8)}"
        refuse(element.line, message, "turn text into paths")
    for name, run in split_by_face(words, TypeStyle(faces=faces, size_pt=1.0)):
        for char, ems in zip(run, advances(name, run), strict=True):
            outline = transform_commands(glyph_outline(name, char), scaling(size))
            if outline:
                line.words.append((style, line.at, line.down + drop, outline))
            line.at += ems * size
            if outline:
                line.inked = line.at


def _first(element: Element, key: str, fallback: float) -> float:
    """Return the length given by an attribute. Raises SvgError, also for one length for each
    letter."""
    given = element.attributes.get(key, "").replace(",", " ").split()
    if len(given) > 1:
        refuse(
            element.line,
            f"{key} of <{element.tag}> places letters one by one",
            "turn text into paths",
        )
    try:
        return length(given[0]) if given else fallback
    except ValueError as error:
        refuse(element.line, f'{key}="{given[0][:40]}" of <{element.tag}>: {error}')


# Maximum size of a picture file.
MAX_BYTES = 1024 * 1024

# Maximum distance of a shape from the centre, and maximum line width, in sides of the picture: at
# 1200 dpi, cairo loses lines that extend farther outside a picture of 90 mm.
_FARTHEST = 20.0
# Minimum side of a picture in its own units, and maximum ratio of its sides.
_SMALLEST, _NARROWEST = 1e-6, 100.0
# Maximum number of lengths in a dash pattern that all programs support (PostScript supports 11),
# and the longest dash that is not drawn as a solid line.
_MOST_DASHES, _LONGEST_DASH = 10, 1000.0
_SILENT = frozenset({"title", "desc", "metadata", "style", "defs", "symbol"})
_UNPRINTED = frozenset(
    {"linearGradient", "radialGradient", "pattern", "clipPath", "mask", "filter", "marker"}
)
_STEP = re.compile(r"[\s,]*+(matrix|translate|scale|rotate|skewX|skewY)\s*+\(([^()]*+)\)[\s,]*+")


def read_svg(
    data: bytes, picture_id: str, work: Work | None = None, *, set_text: bool = False
) -> Picture:
    """Return the picture that an SVG file draws.

    `work` counts the steps of several pictures together. With `set_text`, words become outlines of
    the bundled faces. Raises SvgError for anything that is not SVG, that refers to something
    outside the file or could run, that cannot be printed in flat inks, for words without
    `set_text`, and for a picture that takes too much work.
    """
    work = work or Work()
    work.begin()
    work.take(0, CHARACTER * len(data))
    if len(data) > MAX_BYTES:
        refuse(0, f"the file has more than {MAX_BYTES // 1024**2} MB", "simplify the drawing")
    root = parse_svg(data)
    if root.tag != "svg":
        refuse(root.line, f"<{root.tag}> is not an SVG picture")
    view_box = root.attributes.get("viewBox")
    if view_box is None:
        left = top = 0.0
        width, height = _length(root, "width"), _length(root, "height")
        if width <= 0 or height <= 0:
            refuse(root.line, "the picture has no size", 'give it a viewBox such as "0 0 50 50"')
    else:
        numbers = _lengths(root, "viewBox", view_box)
        if len(numbers) != 4 or min(numbers[2:]) <= 0:
            message = f'viewBox "{view_box[:40]}" is not left, top, width and height'
            refuse(root.line, message, 'for example "0 0 50 50"')
        left, top, width, height = numbers
    size = max(width, height)
    if min(width, height) < _SMALLEST or size > _NARROWEST * min(width, height):
        message = f"the picture is {width:g} wide and {height:g} high"
        limits = f"a side is at least {_SMALLEST:g} and at most {_NARROWEST:g} times the other"
        refuse(root.line, f"{message}: {limits}", "check its viewBox")
    # Replace percentages with lengths.
    diagonal = math.hypot(width, height) / math.sqrt(2)
    wholes = {"width": width, "height": height, "": diagonal}
    for element in root.each():
        for key, words in element.attributes.items() if element is not root else ():
            if key in _SHARES and re.fullmatch(rf"{NUMBER}%", words.strip()):
                part = float(words.strip()[:-1]) / 100
                element.attributes[key] = f"{part * wholes[_SHARES[key]]:.9g}"
    drawing = _Drawing(root, work, set_text=set_text)
    # The centre of a picture is (0, 0), and its longer side is 1.
    frame = multiply(scaling(1 / size), translation(-left - width / 2, -top - height / 2))
    drawing.draw(root, dict(INITIAL), frame, 0)
    if not drawing.layers:
        refuse(root.line, "nothing in it is drawn")
    return Picture(
        id=picture_id, width=width / size, height=height / size, layers=tuple(drawing.layers)
    )


# Length to which a percentage of an attribute refers: a side of the picture, or "" for its diagonal
# divided by the square root of two (SVG 2, 8.9).
_SHARES = {
    **dict.fromkeys(("x", "x1", "x2", "dx", "cx", "rx", "width"), "width"),
    **dict.fromkeys(("y", "y1", "y2", "dy", "cy", "ry", "height"), "height"),
    **dict.fromkeys(("r", "stroke-width"), ""),
}


def _lengths(element: Element, key: str, words: str) -> list[float]:
    """Return lengths in user units. Raises SvgError."""
    try:
        return lengths(words)
    except ValueError as error:
        message = f'{key}="{words[:40]}" of <{element.tag}>: {error}'
        refuse(element.line, message, f"give numbers from -{LARGEST:g} to {LARGEST:g}")


def _length(element: Element, key: str, fallback: float = 0.0) -> float:
    """Return a length in user units. Raises SvgError."""
    given = element.attributes.get(key)
    return fallback if given is None else _one(element, key, given)


def _one(element: Element, key: str, words: str) -> float:
    numbers = _lengths(element, key, words)
    if len(numbers) != 1:
        message = f'{key}="{words[:40]}" of <{element.tag}> is not a length'
        refuse(element.line, message, "give a number")
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
        """Draw an element, inheriting the style of its surroundings."""
        tag, line = element.tag, element.line
        markup = "".join(element.attributes.values())
        self._work.take(line, ELEMENT + CHARACTER * len(markup))
        if tag.startswith(":") or tag in _SILENT or tag in _UNPRINTED:
            return  # data of other programs, and elements that show only where they are referenced
        style = self._styles.of(element, around)
        if style["display"] == "none":
            return
        for key in ("clip-path", "mask", "filter"):
            if style[key] != "none":
                message = f"{key} of <{tag}> cannot be printed in flat inks"
                refuse(line, message, "flatten the drawing")
        opaque = opacity(element, style, "opacity")
        if opaque == 0:
            return
        if opaque < 1:
            message = f"<{tag}> is half transparent (opacity {opaque:g})"
            refuse(line, message, "give it the colour it has")
        matrix = _within_reason(element, multiply(matrix, _transform(element)))
        if tag in ("svg", "g", "a") and (tag != "svg" or depth == 0):
            for child in element.children:
                self.draw(child, style, matrix, depth + 1)
        elif tag == "use":
            link = next((element.attributes[key] for key in LINK if key in element.attributes), "")
            target = self._by_id.get(link.removeprefix("#"))
            if target is None or depth > MAX_DEPTH:
                message = (
                    f'<use> refers to "{link[:40]}", which is not in the file or is round itself'
                )
                refuse(line, message)
            matrix = multiply(matrix, translation(_length(element, "x"), _length(element, "y")))
            for node in target.children if target.tag == "symbol" else (target,):
                self.draw(node, style, matrix, depth + 1)
        elif tag in _SHAPES:
            self._shape(element, style, matrix, _commands_of(element))
        elif tag == "text" and self._set_text:
            for words in _lines_of(element, style, self._styles.of):
                self._shape(element, words.style, matrix, words.outline)
        else:
            hint = f"drawn are {', '.join(_SHAPES)}, g and use"
            if tag in ("text", "tspan"):
                hint = "turn text into paths"
            refuse(line, f"<{tag}> cannot be drawn", hint)

    def _shape(
        self, element: Element, style: Mapping[str, str], matrix: Matrix, outline: Any
    ) -> None:
        fill, stroke = paint(element, style, "fill"), paint(element, style, "stroke")
        # Lengths scale by the square root of the scale of areas.
        grown = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        if style["visibility"] != "visible" or (fill is None and stroke is None) or grown == 0:
            return  # SVG does not draw what a transform makes flat
        commands = transform_commands(outline, matrix)
        width = _one(element, "stroke-width", style["stroke-width"]) * grown
        dash = _dash(element, style["stroke-dasharray"], grown) if stroke and width > 0 else ()
        numbers = [width, *(float(number) for command in commands for number in command[1:])]
        if not all(abs(number) <= _FARTHEST for number in numbers):
            farthest = f"shapes stay within {_FARTHEST:g} times its longer side"
            message = f"<{element.tag}> reaches far beyond the picture: {farthest}"
            refuse(element.line, message, "check its numbers")
        if not commands:
            return
        cap, join = style["stroke-linecap"], style["stroke-linejoin"]
        layer = Layer(
            commands=commands,
            fill=fill,
            stroke=stroke if width > 0 else None,
            width=width,
            cap=cap if cap in ("round", "square") else "butt",
            join=join if join in ("round", "bevel") else "miter",
            dash=dash,
            even_odd=style["fill-rule"] == "evenodd",
        )
        self._work.take(element.line, work_of(layer))
        self.layers.append(layer)


def _within_reason(element: Element, matrix: Matrix) -> Matrix:
    """Return a matrix whose numbers are all finite and not beyond LARGEST. Raises SvgError."""
    if not all(abs(number) <= LARGEST for number in matrix):
        message = f"<{element.tag}> is moved or enlarged by more than {LARGEST:g} times the picture"
        refuse(element.line, message, "check its transform")
    return matrix


def _dash(element: Element, words: str, grown: float) -> tuple[float, ...]:
    """Return a dash pattern as shares of the picture's longer side; empty for a plain line. Raises
    SvgError."""
    dashes = [] if words == "none" else _lengths(element, "stroke-dasharray", words)
    if len(dashes) > _MOST_DASHES or any(number < 0 for number in dashes):
        limits = f"{_MOST_DASHES} lengths at most are allowed, none of them below 0"
        refuse(element.line, f'stroke-dasharray "{words[:40]}" of <{element.tag}>: {limits}')
    return tuple(min(number * grown, _LONGEST_DASH) for number in dashes) if any(dashes) else ()


def _transform(element: Element) -> Matrix:
    words = element.attributes.get("transform", "").strip()
    matrix, at = IDENTITY, 0
    while at < len(words):
        match = _STEP.match(words, at)
        numbers = _lengths(element, "transform", match[2]) if match else []
        if match is None or len(numbers) not in _TRANSFORMS[match[1]]:
            message = f'transform "{words[at : at + 40]}" of <{element.tag}> cannot be read'
            hint = f"known are {', '.join(_TRANSFORMS)}, each with its numbers"
            refuse(element.line, message, hint)
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


_SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")


def _commands_of(element: Element) -> Any:
    """Return the path of one of _SHAPES; () for one that paints nothing. Raises SvgError."""
    match element.tag:
        case "path":
            try:
                # A path with more commands than this is too detailed, whatever follows.
                return path_data_commands(element.attributes.get("d", ""), MAX_WORK // POINT)
            except ValueError as error:
                refuse(element.line, f"the data of a <path> cannot be read: {error}")
        case "rect":
            x, y, width, height = (_length(element, key) for key in ("x", "y", "width", "height"))
            if width <= 0 or height <= 0:
                return ()
            rx = _length(element, "rx", _length(element, "ry"))
            return rectangle_path(x, y, width, height, min(rx, width / 2, height / 2))
        case "circle" | "ellipse":
            radius = _length(element, "r")
            across, tall = _length(element, "rx", radius), _length(element, "ry", radius)
            if across <= 0 or tall <= 0:
                return ()
            matrix = (across, 0.0, 0.0, tall, _length(element, "cx"), _length(element, "cy"))
            return transform_commands(circle_path(0, 0, 1), matrix)
        case "line":
            ends = [(_length(element, f"x{end}"), _length(element, f"y{end}")) for end in (1, 2)]
            return polygon_path(ends, closed=False)
    numbers = _lengths(element, "points", element.attributes.get("points", ""))
    points = list(zip(numbers[::2], numbers[1::2], strict=False))
    return polygon_path(points, closed=element.tag == "polygon") if points else ()


SUFFIX = re.compile(rf"\.svg|{PIXELS.pattern}", re.IGNORECASE)


def most_bytes(file: str) -> int:
    """Return the maximum size of a picture, by the ending of its file's name."""
    return MAX_PIXEL_BYTES if PIXELS.search(file) else MAX_BYTES


def read_picture(file: str, data: bytes, picture_id: str, work: Work | None = None) -> Picture:
    """Return the picture in an SVG, PNG or JPEG file, by its name. Raises SvgError."""
    if not PIXELS.search(file):
        return read_svg(data, picture_id, work)
    try:
        pixels = read_pixels(data, file)
    except NotPixels as error:
        refuse(0, error.message, error.hint)
    size = max(pixels.width, pixels.height)
    return Picture(
        id=picture_id, width=pixels.width / size, height=pixels.height / size, pixels=pixels
    )


def read_pictures(whole: Assembled) -> tuple[tuple[Picture, ...], list[Problem]]:
    """Return the pictures that a title names, and faults of their files: RF08, FI01 and PI01."""
    pictures = []
    problems: list[Problem] = []
    work = Work()
    read: dict[str, Picture] = {}
    entries = {} if "pictures" in whole.unsound else whole.value.get("pictures", {})
    for picture_id, entry in entries.items():
        pointer, name = join_pointer("pictures", picture_id), None
        file = entry
        if isinstance(entry, dict):
            file, pointer = entry["file"], f"{pointer}/file"
            name = text_or_none(entry.get("name"))
        try:
            if file not in read:
                path, shown = file_in_folder(whole, file, pointer, pattern="*.[spjSPJ]*[gG]")
                read[file] = read_picture(
                    file, read_start(path, most_bytes(file) + 1), picture_id, work
                )
        except ProblemsFound as error:
            problems += error.problems
        except NotRead as error:
            message = f"the picture cannot be read: {error.reason}"
            problem = Problem(error.code, message, error.hint)
            problems.append(problem.at(whole.place(pointer)))
        except SvgError as error:
            message = f'picture "{picture_id}": {error.message}'
            problem = Problem("PI01", message, error.hint)
            problems.append(problem.at(Place(shown, "", error.line, 1 if error.line else 0)))
        else:
            pictures.append(replace(read[file], id=picture_id, name=name))
    return tuple(pictures), problems


def crowded_maps(whole: Assembled, title: Title) -> Problems:
    """Yield PI01 for maps whose pictures take too long to paint."""
    work = {picture.id: math.fsum(map(work_of, picture.layers)) for picture in title.pictures}
    for gamemap in title.maps if work else ():
        icons = (icon.name for hexagon in gamemap.hexes for icon in hexagon.tile.icons)
        shown = [name for name in icons if name in work]
        steps = math.fsum(work[name] for name in shown)
        if steps > MAX_WORK_OF_TITLE:
            message = f'map "{gamemap.id}" shows pictures {len(shown)} times, which takes {steps:.0f} steps to paint'
            problem = Problem(
                "PI01",
                f"{message}; at most {MAX_WORK_OF_TITLE} are allowed",
                f'simplify "{max(shown, key=work.__getitem__)}"',
            )
            yield problem.at(whole.place(join_pointer("maps", gamemap.id)))


# Length of the longer side of a picture that is written.
_SIDE = 100.0


def write_svg(picture: Picture) -> bytes:
    """Return an SVG file that `read_svg` reads as an equal picture; one of pixels is embedded in
    it."""
    width, height = picture.width * _SIDE, picture.height * _SIDE
    left, top, right, bottom = map(_number, (-width / 2, -height / 2, width, height))
    box = f"{left} {top} {right} {bottom}"
    shapes = []
    if picture.pixels is not None:
        shapes.append(
            f'<image x="{left}" y="{top}" width="{right}" height="{bottom}" href="{picture.pixels.address}"/>\n'
        )
    for layer in picture.layers:
        path = "".join(
            f"{name}{' '.join(_number(float(at) * _SIDE) for at in numbers)}"
            for name, *numbers in layer.commands
        )
        given = {"d": path, "fill": _colour(layer.fill)}
        if layer.even_odd:
            given["fill-rule"] = "evenodd"
        if layer.stroke is not None:
            given |= {"stroke": _colour(layer.stroke), "stroke-width": _number(layer.width * _SIDE)}
            given |= {"stroke-linecap": layer.cap, "stroke-linejoin": layer.join}
            if layer.dash:
                given["stroke-dasharray"] = " ".join(_number(part * _SIDE) for part in layer.dash)
        attributes = " ".join(f'{key}="{value}"' for key, value in given.items())
        shapes.append(f"<path {attributes}/>\n")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">'
    return f"{head}\n{''.join(shapes)}</svg>\n".encode()


def _colour(colour: str | None) -> str:
    return "none" if colour is None else "currentColor" if colour == CURRENT else colour


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"
