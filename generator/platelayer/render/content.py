"""Items in, a PDF content stream out: operators in mm, y down, nothing said twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from platelayer.foundation.units import MM_PER_PT
from platelayer.render.numbers import matrix_numbers, number, numbers, pdf_path
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import (
    IDENTITY,
    Anchor,
    Circle,
    Command,
    Group,
    Item,
    Path,
    Stroke,
    TextRun,
    Use,
    circle_path,
)

ColourMode = Literal["rgb", "cmyk"]
Encode = Callable[[str, str], Sequence[tuple[str, bytes]]]
"""(face, words) to (font resource, bytes in that font's encoding), in reading order."""

_CAPS = {"butt": "0 J", "round": "1 J", "square": "2 J"}
_JOINS = {"miter": "0 j", "round": "1 j", "bevel": "2 j"}
_START_SHIFT = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}
_PAINTING = {  # (filled, stroked, even-odd)
    (True, False, False): "f",
    (True, False, True): "f*",
    (False, True, False): "S",
    (False, True, True): "S",
    (True, True, False): "B",
    (True, True, True): "B*",
}


_FILL_OPERATORS = {1: "g", 3: "rg", 4: "k"}
_STROKE_OPERATORS = {1: "G", 3: "RG", 4: "K"}


def _colour(ink: Ink, mode: ColourMode, operators: Mapping[int, str]) -> str:
    """Sets an ink: CMYK by its recipe; RGB, and neutral inks in grey, for printers put grey words on paper with black
    ink alone."""
    parts: Sequence[float] = ink.cmyk if mode == "cmyk" else ink.rgb
    if mode == "rgb" and len(set(parts)) == 1:
        parts = parts[:1]
    return f"{numbers(parts)} {operators[len(parts)]}"


@lru_cache(maxsize=1024)
def _fill_operator(ink: Ink, mode: ColourMode) -> str:
    return _colour(ink, mode, _FILL_OPERATORS)


@lru_cache(maxsize=1024)
def _stroke_operators(stroke: Stroke, mode: ColourMode) -> tuple[tuple[str, str], ...]:
    """The parts of the graphics state a stroke sets, each with its operator."""
    return (
        ("stroke", _colour(stroke.ink, mode, _STROKE_OPERATORS)),
        ("width", f"{number(stroke.width_mm)} w"),
        ("dash", f"[{numbers(stroke.dash)}] 0 d"),
        ("cap", _CAPS[stroke.cap]),
        ("join", _JOINS[stroke.join]),
    )


class ContentStream:
    """Writes items as operators and keeps in mind the graphics state, so that it is set only where it changes.

    `forms` names the form XObject of each placed scene by its key; the form or page that holds the stream needs
    `used_forms` and, if `has_text`, the fonts among its resources.
    """

    def __init__(self, *, encode: Encode, forms: Mapping[str, str], colour: ColourMode = "rgb") -> None:
        self.used_forms: set[str] = set()
        self.has_text = False
        self._encode, self._forms, self._colour = encode, forms, colour
        self._operators: list[str] = []
        # What each part of the graphics state was last set to. Empty at first, as a form inherits whatever its placer
        # had set.
        self._state: dict[str, str] = {}

    def paint(self, items: Sequence[Item]) -> None:
        """Writes items in painting order."""
        for item in items:
            _PAINT[type(item)](self, item)

    def write(self, *operators: str) -> None:
        """Writes operators as they are; they must not change the state kept in mind."""
        self._operators += operators

    def getvalue(self) -> bytes:
        """The stream."""
        return "\n".join(self._operators).encode("latin-1")

    def _set(self, part: str, operator: str) -> None:
        if self._state.get(part) != operator:
            self._state[part] = operator
            self._operators.append(operator)

    def _shape(self, commands: Sequence[Command], fill: Ink | None, stroke: Stroke | None, even_odd: bool) -> None:
        if not commands or (fill is None and stroke is None):
            return
        if fill is not None:
            self._set("fill", _fill_operator(fill, self._colour))
        if stroke is not None:
            for part, operator in _stroke_operators(stroke, self._colour):
                self._set(part, operator)
        painting = _PAINTING[fill is not None, stroke is not None, even_odd]
        self._operators += (pdf_path(commands), painting)

    def _path(self, path: Path) -> None:
        self._shape(path.commands, path.fill, path.stroke, path.even_odd)

    def _circle(self, circle: Circle) -> None:
        self._shape(circle_path(circle.cx, circle.cy, circle.r), circle.fill, circle.stroke, False)

    def _text(self, run: TextRun) -> None:
        """Glyphs are drawn y up, so the text matrix turns them over once more."""
        if not run.text:
            return
        self.has_text = True
        self._set("fill", _fill_operator(run.ink, self._colour))
        self._set("tracking", f"{number(run.tracking_mm, 4)} Tc")
        angle, shift = math.radians(run.angle), _START_SHIFT[run.anchor] * run.width_mm
        cos, sin = math.cos(angle), math.sin(angle)
        turn, start = (cos, sin, sin, -cos), (run.x - shift * cos, run.y - shift * sin)
        self._operators += ("BT", f"{numbers(turn, 6)} {numbers(start)} Tm")
        size = number(run.size_pt * MM_PER_PT, 4)
        for font, encoded in self._encode(run.face, run.text):
            self._set("font", f"/{font} {size} Tf")
            self._operators.append(f"<{encoded.hex()}> Tj")
        self._operators.append("ET")

    def _group(self, group: Group) -> None:
        if group.matrix == IDENTITY and group.clip is None:
            self.paint(group.items)
            return
        before = dict(self._state)
        self._operators.append("q")
        if group.matrix != IDENTITY:
            self._operators.append(f"{matrix_numbers(group.matrix)} cm")
        if group.clip is not None:
            self._operators += (pdf_path(group.clip), "W n")
        self.paint(group.items)
        self._operators.append("Q")
        self._state = before

    def _use(self, use: Use) -> None:
        form = self._forms[use.scene.key]
        self.used_forms.add(form)
        place = f"/{form} Do"
        self._operators.append(place if use.matrix == IDENTITY else f"q {matrix_numbers(use.matrix)} cm {place} Q")


_PAINT: dict[type, Callable[[ContentStream, Any], None]] = {
    Path: ContentStream._path,
    Circle: ContentStream._circle,
    TextRun: ContentStream._text,
    Group: ContentStream._group,
    Use: ContentStream._use,
}
