"""SVG files as elements: parsed safely, and free of what could run or reach outside the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from msgspec import Struct, field

MAX_DEPTH = 40
"""Deepest nesting of elements."""

_SVG = "{http://www.w3.org/2000/svg}"
LINK = ("href", "{http://www.w3.org/1999/xlink}href")


class SvgError(ValueError):
    """Something in an SVG file that cannot be read or drawn, with its line."""

    def __init__(self, line: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.line, self.message, self.hint = line, message, hint


class Element(Struct, kw_only=True):
    """An element with the line it begins on; `text` is that of a style sheet."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def each(self) -> Iterator[Element]:
        """It and all elements inside it."""
        yield self
        for child in self.children:
            yield from child.each()


def refuse(line: int, message: str, hint: str = "") -> NoReturn:
    """Raises SvgError."""
    raise SvgError(line, message, hint)


class _Tree:
    """Builds elements while a file is parsed; refuses what could run or reach out."""

    def __init__(self) -> None:
        self.parser: Any = None
        self.root: Element | None = None
        self._open: list[Element] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        line = self.parser.parser.CurrentLineNumber
        name = tag.removeprefix(_SVG)
        if name in ("script", "foreignObject", "iframe"):
            refuse(line, f"<{name}> may run or load something", "remove it: pictures are plain shapes")
        for key, value in attributes.items():
            if key.lower().startswith("on"):
                refuse(line, f'the attribute "{key}" of <{name}> runs a script', "remove it")
            if key in LINK and not value.startswith("#"):
                refuse(line, f"<{name}> refers to something outside the file", "draw it in the picture itself")
        element = Element(tag=name, attributes=dict(attributes), line=line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        if len(self._open) > MAX_DEPTH:
            refuse(line, f"elements are nested more than {MAX_DEPTH} deep", "ungroup the drawing")

    def data(self, text: str) -> None:
        """Text, which only style sheets need."""
        if self._open and self._open[-1].tag == "style":
            self._open[-1].text += text

    def end(self, _tag: str) -> None:
        """An element ends."""
        self._open.pop()

    def close(self) -> None:
        """The file ends."""


def parse_svg(data: bytes) -> Element:
    """The outermost element of a file. Raises SvgError."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    tree = _Tree()
    parser = tree.parser = DefusedXMLParser(target=tree)
    try:
        parser.feed(data)
        parser.close()
    except ParseError as fault:
        refuse(fault.position[0], f"the file is not XML: {str(fault).partition(':')[0]}")
    except DefusedXmlException:
        refuse(0, "the file defines or loads entities", "save it as plain SVG")
    except (LookupError, ValueError) as fault:
        if isinstance(fault, SvgError):
            raise
        refuse(0, "the file is not XML in UTF-8", "save it as plain SVG")
    assert tree.root is not None
    return tree.root
