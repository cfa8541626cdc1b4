"""SVG files as elements: parsed safely, and free of what could run or reach outside the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from msgspec import Struct, field

MAX_DEPTH = 40
"""Deepest nesting of elements."""
MAX_NAME = 100
"""Longest name of an element or attribute, and most namespaces."""

LINK = ("href", "xlink:href")
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_PLAIN = "save it as plain SVG"


class SvgError(ValueError):
    """Something in an SVG file that cannot be read or drawn, with its line."""

    def __init__(self, line: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.line, self.message, self.hint = line, message, hint


class Element(Struct, kw_only=True):
    """An element with the line it begins on; `text` is that of a style sheet, in parts. Names of
    other namespaces begin with a colon. Words within <text> are elements of their own, without a
    tag."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def each(self) -> Iterator[Element]:
        """It and all elements inside it, as they follow each other in the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)


def refuse(line: int, message: str, hint: str = "") -> NoReturn:
    """Raises SvgError."""
    raise SvgError(line, message, hint)


class _Tree:
    """Builds elements while a file is parsed; refuses what could run or reach out.

    Namespaces are resolved here: expat would write their whole addresses before each name, which
    may be thousands of times as long as the file.
    """

    def __init__(self) -> None:
        from xml.parsers import expat

        self.root: Element | None = None
        self._open: list[Element] = []
        self._spaces: list[Mapping[str, str]] = [{"": "", "xml": "xml"}]
        parser: Any = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.CharacterDataHandler = self._data
        parser.EndElementHandler = self._end
        parser.SkippedEntityHandler = self._skipped
        self.parser = parser

    def _doctype(self, _name: str, _address: str | None, _public: str | None, has_own: int) -> None:
        """What a file declares itself (entities, values of attributes) may be far more than the
        file."""
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
        """Namespaces by their prefixes, with those that an element declares."""
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
        """The namespace and the local part of a name."""
        if len(name) > MAX_NAME:
            refuse(line, f'the name "{name[:40]}..." has more than {MAX_NAME} characters')
        prefix, _, local = name.rpartition(":")
        if prefix not in spaces and prefix != "xmlns":
            refuse(line, f'the file is not XML: unbound prefix "{prefix}"')
        return spaces.get(prefix, prefix), local

    def _data(self, text: str) -> None:
        """Text, which only style sheets and words need."""
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
    """The outermost element of a file. Raises SvgError."""
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
