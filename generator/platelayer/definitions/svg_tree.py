"""SVG files as trees of elements with styles, and the numbers and lengths in them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NoReturn

from msgspec import Struct

from platelayer.model.company import CURRENT, Layer
from platelayer.scene.paths import LARGEST, NUMBER

_BLANK = re.compile(r"[\s,]*")
_LENGTH = re.compile(rf"({NUMBER})(px|pt|pc|mm|cm|in)?")
_UNITS = {
    None: 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96.0,
}


def lengths(words: str) -> list[float]:
    """Return lengths in user units, separated by blanks, commas or nothing. Raises ValueError for
    anything else, and for numbers beyond LARGEST."""
    numbers = []
    at = _BLANK.match(words).end()  # type: ignore[union-attr]
    while at < len(words):
        match = _LENGTH.match(words, at)
        if match is None:
            raise ValueError(f'"{words[at : at + 20]}" is not a length')
        number = float(match[1]) * _UNITS[match[2]]
        if not -LARGEST <= number <= LARGEST:
            raise ValueError(f"{match[0][:20]} is beyond {LARGEST:g}")
        numbers.append(number)
        at = _BLANK.match(words, match.end()).end()  # type: ignore[union-attr]
    return numbers


def length(words: str) -> float:
    """Return one length in user units. Raises ValueError."""
    (number,) = lengths(words)
    return number


def share(words: str) -> float:
    """Return a number or percentage, from 0 to 1. Raises ValueError."""
    number = words.removesuffix("%")
    if not re.fullmatch(NUMBER, number):
        raise ValueError(f'"{words[:20]}" is not a number')
    return min(1.0, max(0.0, float(number) / (100 if number != words else 1)))


# SVG files as elements, parsed safely and without scripts or references outside the file.


# Maximum nesting of elements.
MAX_DEPTH = 40
# Maximum length of the name of an element or attribute, and maximum number of namespaces.
MAX_NAME = 100

LINK = ("href", "xlink:href")
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_PLAIN = "save it as plain SVG"


class SvgError(ValueError):
    """Raised for something in an SVG file that cannot be read or drawn, with its line."""

    def __init__(self, line: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.line, self.message, self.hint = line, message, hint


class Element(Struct, kw_only=True):
    """An element with the line it begins on; `text` is that of a style sheet, in parts. Names in
    other namespaces begin with a colon. Words within <text> are elements without a tag."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = []
    text: list[str] = []

    def each(self) -> Iterator[Element]:
        """Yield this element and all elements inside it, in file order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)


def refuse(line: int, message: str, hint: str = "") -> NoReturn:
    """Raise SvgError."""
    raise SvgError(line, message, hint)


class _Tree:
    """Builds elements while a file is parsed; refuses what could run or refer to other files.

    Namespaces are resolved here: expat would write their whole addresses before each name, which
    may be thousands of times as long as the file.
    """

    def __init__(self) -> None:
        from xml.parsers import expat

        self.root: Element | None = None
        self._open: list[Element] = []
        self._spaces: list[Mapping[str, str]] = [{"": "", "xml": "xml"}]
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.CharacterDataHandler = self._data
        parser.EndElementHandler = self._end
        parser.SkippedEntityHandler = self._skipped
        self.parser = parser

    def _doctype(self, _name: str, _address: str | None, _public: str | None, has_own: int) -> None:
        """Refuse entities and default attributes, which can expand to far more than the file."""
        if has_own:
            refuse(
                self.parser.CurrentLineNumber,
                "the DOCTYPE declares entities or attributes of its own",
                _PLAIN,
            )

    def _skipped(self, name: str, _is_parameter: int) -> None:
        refuse(
            self.parser.CurrentLineNumber,
            f'the file is not XML: unknown entity "{name[:MAX_NAME]}"',
        )

    def _start(self, name: str, given: Mapping[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        spaces = self._known_spaces(given, line)
        space, local = self._resolved(name, spaces, line)
        tag = local if space in ("", _SVG) else f":{local}"
        if tag in ("script", "foreignObject", "iframe"):
            refuse(
                line, f"<{tag}> may run or load something", "remove it: pictures are plain shapes"
            )
        attributes = {}
        for key, value in given.items():
            if ":" in key or len(key) > MAX_NAME:
                space, local = self._resolved(key, spaces, line)
                key = f"xlink:{local}" if space == _XLINK else f":{local}"  # noqa: PLW2901
            if key.lower().startswith("on"):
                refuse(line, f'the attribute "{key}" of <{tag}> runs a script', "remove it")
            if key in LINK and not value.startswith("#"):
                refuse(
                    line,
                    f"<{tag}> refers to something outside the file",
                    "draw it in the picture itself",
                )
            attributes[key] = value
        element = Element(tag=tag, attributes=attributes, line=line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        self._spaces.append(spaces)
        if len(self._open) > MAX_DEPTH:
            refuse(line, f"elements are nested more than {MAX_DEPTH} deep", "ungroup the drawing")

    def _known_spaces(self, given: Mapping[str, str], line: int) -> Mapping[str, str]:
        """Return namespaces by prefix, including those that an element declares."""
        known = self._spaces[-1]
        own = {
            name[6:]: value
            for name, value in given.items()
            if name == "xmlns" or name.startswith("xmlns:")
        }
        if not own:
            return known
        if len(known) + len(own) > MAX_NAME:
            refuse(line, f"the file has more than {MAX_NAME} namespaces", _PLAIN)
        return {**known, **own}

    def _resolved(self, name: str, spaces: Mapping[str, str], line: int) -> tuple[str, str]:
        """Return the namespace and the local part of a name."""
        if len(name) > MAX_NAME:
            refuse(line, f'the name "{name[:40]}..." has more than {MAX_NAME} characters')
        prefix, _, local = name.rpartition(":")
        if prefix not in spaces and prefix != "xmlns":
            refuse(line, f'the file is not XML: unbound prefix "{prefix}"')
        return spaces.get(prefix, prefix), local

    def _data(self, text: str) -> None:
        """Collect text, which only style sheets and words need."""
        inside = self._open[-1]
        if inside.tag == "style":
            inside.text.append(text)
        elif inside.tag in ("text", "tspan"):
            line = self.parser.CurrentLineNumber
            inside.children.append(Element(tag="", attributes={}, line=line, text=[text]))

    def _end(self, _name: str) -> None:
        self._open.pop()
        self._spaces.pop()


def parse_svg(data: bytes) -> Element:
    """Return the outermost element of a file. Raises SvgError."""
    from xml.parsers.expat import ErrorString, ExpatError

    tree = _Tree()
    try:
        tree.parser.Parse(data, True)
    except ExpatError as error:
        refuse(error.lineno, f"the file is not XML: {ErrorString(error.code)}")
    except (LookupError, ValueError) as error:
        if isinstance(error, SvgError):
            raise
        refuse(0, "the file is not XML in UTF-8", _PLAIN)
    assert tree.root is not None
    return tree.root


# Cost of reading and painting pictures, counted in steps.


# Maximum steps of one picture: enough for 1000 shapes of 20 points each.
MAX_WORK = 140_000
# Maximum steps of all pictures of a title, enough for 100 elaborate logos; also the maximum of all
# pictures on a map.
MAX_WORK_OF_TITLE = 2_000_000

# Steps for each use of an element, for a shape, and for a point of a path or a dash of its line.
ELEMENT, SHAPE, POINT = 2, 40, 4
# Steps for a character of markup, each time it is read, and for a character of a style.
CHARACTER, STYLE_CHARACTER = 1 / 16, 1 / 2


class Work:
    """The steps that the pictures of one title have taken so far."""

    def __init__(self) -> None:
        self._picture = self._title = 0.0

    def begin(self) -> None:
        """Start counting for the next picture."""
        self._picture = 0.0

    def take(self, line: int, steps: float) -> None:
        """Count steps for something on a line. Raises SvgError if there are too many."""
        self._picture += steps
        self._title += steps
        if self._picture > MAX_WORK:
            costs = f"a shape takes {SHAPE}, a point or dash {POINT}, an element {ELEMENT} whenever it is used"
            message = f"the drawing is too detailed: it takes more than {MAX_WORK} steps ({costs})"
            refuse(line, message, "simplify its paths, lengthen its dashes")
        if self._title > MAX_WORK_OF_TITLE:
            message = f"the title's pictures are too detailed: together they take more than {MAX_WORK_OF_TITLE} steps"
            refuse(line, message, "simplify their paths")


def work_of(layer: Layer) -> float:
    """Return the steps that a layer takes wherever it is painted."""
    points = [
        complex(*command[at : at + 2])
        for command in layer.commands
        for at in range(1, len(command), 2)
    ]
    dashes = 0.0
    if layer.dash:  # measured along lines through all points: no curve is longer
        pattern = math.fsum(layer.dash) / len(layer.dash)
        dashes = (
            math.fsum(abs(b - a) for a, b in pairwise(points)) / pattern if pattern else math.inf
        )
    return SHAPE + POINT * (len(layer.commands) + dashes)


# Styles of SVG elements, from attributes, declarations and simple style sheets.


INITIAL = {
    "fill": "#000000",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-dasharray": "none",
    "fill-rule": "nonzero",
    "fill-opacity": "1",
    "stroke-opacity": "1",
    "visibility": "visible",
    "font": "",
    "font-family": "",
    "font-size": "16",
    "font-weight": "400",
    "text-anchor": "start",
    "dominant-baseline": "auto",
}
_OWN = {"opacity": "1", "display": "inline", "clip-path": "none", "mask": "none", "filter": "none"}
_KNOWN = INITIAL | _OWN
_SELECTOR = re.compile(r"(?P<tag>[a-zA-Z]+|\*)?(?P<mark>[.#])?(?P<name>[\w-]+)?")
_DIGITS = re.compile("[0-9]+")
# Maximum nesting of brackets, and maximum characters of a number and of a colour.
_DEEPEST, _LONGEST = 8, 100

_Declared = dict[str, str]
# Declarations by selector: ("", tag), (".", class) or ("#", id).
_Rules = dict[tuple[str, str], _Declared]


class Styles:
    """The style sheets of a file. Raises SvgError for selectors other than a tag, a class or an
    id."""

    def __init__(self, root: Element, work: Work) -> None:
        import tinycss2

        self._work = work
        self._read: dict[str, _Declared] = {}
        self._rules = rules = _Rules()
        for element in root.each():
            if element.tag != "style":
                continue
            tokens = self._tokens(element.line, "".join(element.text))
            for rule in tinycss2.parse_stylesheet(tokens, skip_whitespace=True):
                if rule.type != "qualified-rule":
                    what = (
                        f"@{rule.lower_at_keyword[:40]}"
                        if rule.type == "at-rule"
                        else "its style sheet"
                    )
                    refuse(
                        element.line,
                        f"{what} cannot be read",
                        "write fill and stroke on the shapes themselves",
                    )
                declared = _known(element.line, rule.content)
                for selector in tinycss2.serialize(rule.prelude).split(","):
                    match = _SELECTOR.fullmatch(selector.strip())
                    if match is None or (match["mark"] is None) != (match["name"] is None):
                        message = f'the selector "{selector.strip()[:40]}" cannot be read'
                        refuse(element.line, message, "a tag, .class or #id is")
                    mark = (match["mark"] or "", match["name"] or match["tag"])
                    rules.setdefault(mark, {}).update(declared)
        self._rules = rules

    def of(self, element: Element, around: Mapping[str, str]) -> dict[str, str]:
        """Return the style of an element within the style around it."""
        inherited = {**around, **_OWN}
        own = element.attributes
        marks = [
            ("", "*"),
            ("", element.tag),
            *((".", name) for name in own.get("class", "").split()),
        ]
        declared = {key: own[key].strip() for key in inherited if key in own}
        for mark in (*marks, ("#", own.get("id", ""))):
            declared |= self._rules.get(mark, {})
        # Declarations of the attribute `style`; equal texts are parsed once.
        words = own.get("style", "")
        if words not in self._read:
            self._read[words] = _known(element.line, self._tokens(element.line, words))
        declared |= self._read[words]
        return inherited | {key: value for key, value in declared.items() if value != "inherit"}

    def _tokens(self, line: int, words: str) -> list[Any]:
        """Return the tokens of a style. Refuses input on which tinycss2 fails: nested brackets, and
        numbers with many digits."""
        from tinycss2 import parse_component_value_list

        self._work.take(line, STYLE_CHARACTER * len(words))
        if any(len(digits) > _LONGEST for digits in _DIGITS.findall(words)):
            refuse(line, f"a number of a style has more than {_LONGEST} digits")
        tokens = parse_component_value_list(words, skip_comments=True)
        within = tokens
        for _ in range(_DEEPEST + 1):
            within = [
                token
                for block in within
                for token in getattr(block, "content", None)
                or getattr(block, "arguments", None)
                or ()
            ]
        if within:
            refuse(line, f"brackets of a style are nested more than {_DEEPEST} deep", "close them")
        return list(tokens)


def _known(line: int, tokens: Sequence[Any]) -> _Declared:
    """Return declarations of the supported properties."""
    import tinycss2

    parsed = tinycss2.parse_declaration_list(tokens, skip_whitespace=True)
    if any(token.type != "declaration" for token in parsed):
        refuse(line, f'the style "{tinycss2.serialize(tokens).strip()[:40]}" cannot be read')
    return {
        token.lower_name: tinycss2.serialize(token.value).strip()
        for token in parsed
        if token.lower_name in _KNOWN
    }


def opacity(element: Element, style: Mapping[str, str], key: str) -> float:
    """Return an opacity from 0 to 1. Raises SvgError."""
    try:
        return share(style[key])
    except ValueError:
        refuse(element.line, f'{key} "{style[key][:40]}" of <{element.tag}> is not a number')


def paint(element: Element, style: Mapping[str, str], key: str) -> str | None:
    """Return #rrggbb, CURRENT, or None if nothing is painted."""
    words = style[key]
    opaque = opacity(element, style, f"{key}-opacity")
    if words in ("none", "transparent") or opaque == 0:
        return None
    if words.startswith("url("):
        message = f"{key} {words[:40]} of <{element.tag}>: gradients and patterns cannot be printed in flat inks"
        refuse(element.line, message, "use a flat colour")
    colour, alpha = _colour(words) if len(words) <= _LONGEST else (None, 1.0)
    if colour is None:
        refuse(
            element.line,
            f'{key} "{words[:40]}" of <{element.tag}> is not a colour',
            'for example "#c8102e"',
        )
    if alpha == 0:
        return None
    if colour != CURRENT and (opaque < 1 or alpha < 1):
        refuse(
            element.line,
            f"the {key} of <{element.tag}> is half transparent",
            "give it the colour it has on paper",
        )
    return colour


@lru_cache(256)
def _colour(words: str) -> tuple[str | None, float]:
    """Return a CSS colour as #rrggbb or CURRENT (None for none), and its opacity."""
    import tinycss2.color3

    # The only colour name that CSS has added since level 3.
    colour = tinycss2.color3.parse_color("#663399" if words.lower() == "rebeccapurple" else words)
    if colour == "currentColor":
        return CURRENT, 1.0
    if colour is None:
        return None, 1.0
    return "#" + "".join(
        f"{round(min(1.0, max(0.0, part)) * 255):02x}" for part in colour[:3]
    ), colour.alpha
