"""Words of SVG files as outlines of our own faces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

from platelayer.definitions.svg.lengths import length
from platelayer.definitions.svg.tree import Element, refuse
from platelayer.foundation.matrices import scaling, translation
from platelayer.foundation.suggestions import named
from platelayer.foundation.text import character
from platelayer.scene.fonts import face, glyph_outline
from platelayer.scene.shapes import Command, transform_commands
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
"""Faces for words in a serif family or another, bold or not."""
_PLACED = ("rotate", "textLength")
_SHIFTS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_DROPS = {"middle": 0.5, "central": 0.5, "hanging": 1.0, "text-before-edge": 1.0, "text-top": 1.0}
"""How far below its place a baseline lies, in heights of capitals."""


class Words(Struct, kw_only=True):
    """Words in one style, as outlines in user units."""

    style: _Style
    outline: tuple[Command, ...]


class _Line(Struct, kw_only=True):
    """Words that follow each other from a place; `at` and `down` say how far from it the next ones
    begin, `inked` where the last letter ends: blanks behind it do not count where a line is
    centred."""

    x: float
    y: float
    anchor: str
    at: float = 0.0
    down: float = 0.0
    inked: float = 0.0
    words: list[tuple[_Style, float, float, tuple[Command, ...]]] = field(default_factory=list)


def lines_of(
    element: Element, style: _Style, style_of: Callable[[Element, _Style], _Style]
) -> Iterator[Words]:
    """The words of <text> in an element's style; `style_of` gives that of a <tspan> in the style
    round it. Raises SvgError for a length that is none, and for a letter that no face has."""
    lines = [_Line(x=0.0, y=0.0, anchor=style["text-anchor"])]
    _collect(element, style, style_of, lines)
    for line in lines:
        left = line.x - _SHIFTS.get(line.anchor, 0.0) * line.inked
        for own, x, y, outline in line.words:
            yield Words(
                style=own, outline=transform_commands(outline, translation(left + x, line.y + y))
            )


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
    if "x" in given or "y" in given:
        last = lines[-1]
        x = _first(element, "x", last.x + last.at if "x" not in given else 0.0)
        lines.append(_Line(x=x, y=_first(element, "y", last.y), anchor=style["text-anchor"]))
    line = lines[-1]
    line.at += _first(element, "dx", 0.0)
    line.down += _first(element, "dy", 0.0)
    for child in element.children:
        if child.tag == "tspan":
            _collect(child, style_of(child, style), style_of, lines)
        elif not child.tag:
            _set(child, style, lines[-1])
        elif not child.tag.startswith(":") and child.tag not in ("title", "desc"):
            refuse(
                child.line, f"<{child.tag}> within <text> cannot be drawn", "turn text into paths"
            )


def _set(element: Element, style: _Style, line: _Line) -> None:
    words = prepared(re.sub(r"\s+", " ", "".join(element.text)))
    words = words if line.words else words.lstrip()
    if style["font"]:
        refuse(
            element.line,
            f'font "{style["font"][:40]}" is not read',
            "give font-family, font-size and font-weight",
        )
    try:
        size = length(style["font-size"])
    except ValueError:
        refuse(
            element.line,
            f'font-size "{style["font-size"][:40]}" is not a length',
            "give it in units of the picture",
        )
    faces = _FACES[
        bool(_SERIF.search(style["font-family"])), bool(_BOLD.fullmatch(style["font-weight"]))
    ]
    drop = _DROPS.get(style["dominant-baseline"], 0.0) * face(faces[0]).cap_height * size
    if missing := missing_glyphs(words, faces):
        refuse(
            element.line,
            f"no font has {named(map(character, missing), most=8)}",
            "turn text into paths",
        )
    for name, run in split_by_face(words, TypeStyle(faces=faces, size_pt=1.0)):
        for char in run:
            outline = transform_commands(glyph_outline(name, char), scaling(size))
            if outline:
                line.words.append((style, line.at, line.down + drop, outline))
            line.at += face(name).glyphs[char][0] * size
            line.inked = line.at if outline else line.inked


def _first(element: Element, key: str, fallback: float) -> float:
    """The length that an attribute gives. Raises SvgError, also for one for each letter."""
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
