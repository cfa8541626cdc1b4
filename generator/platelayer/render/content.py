"""PDF content streams: operators in mm, y down, with no state set twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFString

from platelayer.foundation.geometry import MM_PER_PT, least_scale
from platelayer.scene.inks import MAX_TOTAL_INK, REGISTRATION, Ink, spot_name_fault
from platelayer.scene.legibility import Word
from platelayer.scene.paths import matrix_numbers, number, numbers, pdf_path
from platelayer.scene.press import INKS, inks_of_line, inks_of_words, kept_by_press, recipe_of
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

# Colour spaces of spot inks, overprint states, and optional content groups of a PDF.


ColourMode = Literal["rgb", "cmyk"]

_SPACES = {"rgb": "/DeviceRGB", "cmyk": "/DeviceCMYK"}
_PAPER = {"rgb": "1 1 1", "cmyk": "0 0 0 0"}


class ClashingSpots(ValueError):
    """Two different looks for one separation: a printer has one plate of that name and can mix only
    one."""

    def __init__(self, spot: str) -> None:
        self.spot = spot
        super().__init__(f"two different inks print as the separation {spot!r}")


class Separations:
    """Names and objects of what the streams of one PDF refer to besides fonts and forms. Each is
    made when it is first named, so that a file contains those it uses, in the order of use."""

    def __init__(self, pdf: Any, mode: ColourMode) -> None:
        self._pdf, self._mode = pdf, mode
        self._spots: dict[str, tuple[str, Ink]] = {}
        self._layers: dict[str, tuple[str, Any]] = {}
        self._overprints: dict[tuple[bool, bool], str] = {}

    def spot(self, ink: Ink) -> str:
        """The colour space of a spot ink. Raises ClashingSpots if its separation already has a
        different look, ValueError for a name that no separation can have."""
        spot = str(ink.spot)
        if spot not in self._spots:
            if ink != REGISTRATION and (fault := spot_name_fault(spot)):
                raise ValueError(
                    f"ink {ink.name!r} cannot print as the separation {spot!r}: {fault}"
                )
            name = f"S{len(self._spots) + 1}"
            self._pdf.Reference(_separation(ink, self._mode), name)
            self._spots[spot] = (name, ink)
        name, known = self._spots[spot]
        if (known.rgb, known.cmyk) != (ink.rgb, ink.cmyk):
            raise ClashingSpots(spot)
        return name

    def overprint(self, fills: bool, strokes: bool) -> str:
        """The graphics state in which fills and strokes leave the other plates as they are, or
        not."""
        name = f"O{2 * fills + strokes}"
        if (fills, strokes) not in self._overprints:
            flags = {"op": fills, "OP": strokes}
            state = {key: "true" if flag else "false" for key, flag in flags.items()}
            self._pdf.Reference(PDFDictionary({"Type": "/ExtGState", **state, "OPM": 1}), name)
            self._overprints[fills, strokes] = name
        return name

    def layer(self, label: str) -> str:
        """The property list of a layer: its optional content group."""
        if label not in self._layers:
            name = f"L{len(self._layers) + 1}"
            group = PDFDictionary({"Type": "/OCG", "Name": PDFString(label)})
            self._layers[label] = (name, self._pdf.Reference(group, name))
        return self._layers[label][0]

    def layers(self) -> Any:
        """The catalogue's OCProperties: every layer in order, each switched on; None if there is
        none.

        PDF/X-4 (ISO 15930-7, 6.21) requires a named configuration that lists all layers and chooses
        nothing by itself.
        """
        if not self._layers:
            return None
        groups = [reference for _, reference in self._layers.values()]
        configuration = {"Name": PDFString("Layers"), "Order": PDFArray(groups), "BaseState": "/ON"}
        return PDFDictionary({"OCGs": PDFArray(groups), "D": PDFDictionary(configuration)})


def _separation(ink: Ink, mode: ColourMode) -> Any:
    """A colour space of one ink; where there is no plate for it, it looks like its recipe."""
    recipe = numbers(recipe_of(ink) if mode == "cmyk" else ink.rgb)
    tint = {
        "FunctionType": 2,
        "Domain": "[0 1]",
        "C0": f"[{_PAPER[mode]}]",
        "C1": f"[{recipe}]",
        "N": 1,
    }
    return PDFArray(["/Separation", _name(str(ink.spot)), _SPACES[mode], PDFDictionary(tint)])


def _name(text: str) -> str:
    """A PDF name (ISO 32000-1, 7.3.5): characters other than letters and digits are written as
    their UTF-8 bytes."""
    plain = (
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"#{byte:02X}"
        for byte in text.encode()
    )
    return "/" + "".join(plain)


# (face, words) to (font resource, bytes in that font's encoding), in reading order.
Encode = Callable[[str, str], Sequence[tuple[str, bytes]]]

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
_INK_PLACES = 4
# Rounding error allowed in a sum of four recipes.
_SLIP = 1e-6


def _colour(ink: Ink, mode: ColourMode, most: int, operators: Mapping[int, str]) -> str:
    """Sets an ink: CMYK by its recipe; RGB, and neutral inks in grey, because printers print grey
    words with black ink alone. Grey in CMYK is written in CMYK too: there is one space for
    everything, and no converter can turn grey into four inks."""
    parts: Sequence[float] = recipe_of(ink, most) if mode == "cmyk" else ink.rgb
    if mode == "cmyk" and math.fsum(parts) > MAX_TOTAL_INK + _SLIP:
        raise ValueError(
            f"ink {ink.name!r} takes {math.fsum(parts):.0%}, more than {MAX_TOTAL_INK:.0%}"
        )
    if mode == "rgb" and len(set(parts)) == 1:
        parts = parts[:1]
    return f"{numbers(parts, _INK_PLACES)} {operators[len(parts)]}"


@kept_by_press(maxsize=1024)
def _fill_operator(ink: Ink, mode: ColourMode, most: int) -> str:
    return _colour(ink, mode, most, _FILL_OPERATORS)


@kept_by_press(maxsize=1024)
def _stroke_operator(ink: Ink, mode: ColourMode, most: int) -> str:
    return _colour(ink, mode, most, _STROKE_OPERATORS)


@lru_cache(maxsize=1024)
def _line_operators(stroke: Stroke) -> tuple[tuple[str, str], ...]:
    """The parts of the graphics state a stroke sets besides its ink, each with its operator."""
    return (
        ("width", f"{number(stroke.width_mm)} w"),
        ("dash", f"[{numbers(stroke.dash)}] 0 d"),
        ("cap", _CAPS[stroke.cap]),
        ("join", _JOINS[stroke.join]),
    )


class ContentStream:
    """Writes items as operators and keeps track of the graphics state, so that it is set only where
    it changes.

    `scene` is the key of the scene that is written, `scale` the least at which it is placed: it
    decides which words and lines are fine. `overprinting` are the black words that overprint.
    `forms` names the form XObject of each placed scene by its key; the form or page that holds the
    stream needs what is in `used` (by the kind of resource) and, if `has_text`, the fonts among its
    resources.
    """

    def __init__(
        self,
        *,
        encode: Encode,
        forms: Mapping[str, str],
        separations: Separations,
        colour: ColourMode = "rgb",
        scene: str = "",
        scale: float = 1.0,
        overprinting: Container[Word] = (),
    ) -> None:
        self.used: dict[str, set[str]] = {
            "XObject": set(),
            "ColorSpace": set(),
            "ExtGState": set(),
            "Properties": set(),
        }
        self.has_text = False
        self._encode, self._forms = encode, forms
        self._separations, self._colour = separations, colour
        self._scene, self._scale, self._overprinting = scene, scale, overprinting
        self._operators: list[str] = []
        # What each part of the graphics state was last set to. Empty at first, as a form inherits
        # whatever is set where it is placed.
        self._state: dict[str, str] = {}

    def paint(self, items: Sequence[Item]) -> None:
        """Writes items in painting order."""
        for item in items:
            _PAINT[type(item)](self, item)

    def write(self, *operators: str) -> None:
        """Writes operators as they are; they must not change the tracked state."""
        self._operators += operators

    def getvalue(self) -> bytes:
        """The stream."""
        return "\n".join(self._operators).encode("latin-1")

    def _set(self, part: str, operator: str) -> None:
        if self._state.get(part) != operator:
            self._state[part] = operator
            self._operators.append(operator)

    def _shape(
        self, commands: Sequence[Command], fill: Ink | None, stroke: Stroke | None, even_odd: bool
    ) -> None:
        if not commands or (fill is None and stroke is None):
            return
        if stroke is None:
            self._inks(fill, None)
        else:
            self._inks(fill, stroke.ink, most_of_stroke=inks_of_line(stroke.width_mm * self._scale))
            for part, operator in _line_operators(stroke):
                self._set(part, operator)
        painting = _PAINTING[fill is not None, stroke is not None, even_odd]
        self._operators += (pdf_path(commands), painting)

    def _inks(
        self,
        fill: Ink | None,
        stroke: Ink | None,
        *,
        most_of_fill: int = INKS,
        most_of_stroke: int = INKS,
        overprint: bool = False,
    ) -> None:
        """Sets the inks of what is painted next. Spot inks overprint, and other fills if asked to;
        an ink that is not painted takes the setting of the other."""
        fill_spot, stroke_spot = (
            ink is not None and ink.spot is not None for ink in (fill, stroke)
        )
        if fill_spot or stroke_spot or overprint:
            self._overprint(overprint or fill_spot or fill is None, stroke_spot or stroke is None)
        elif "overprint" in self._state:
            self._overprint(False, False)
        if fill is not None and fill_spot:
            self._set("fill", self._spot(fill, "cs", "scn"))
        elif fill is not None:
            self._set("fill", _fill_operator(fill, self._colour, most_of_fill))
        if stroke is not None and stroke_spot:
            self._set("stroke", self._spot(stroke, "CS", "SCN"))
        elif stroke is not None:
            self._set("stroke", _stroke_operator(stroke, self._colour, most_of_stroke))

    def _spot(self, ink: Ink, space: str, tint: str) -> str:
        """Sets a spot ink in full."""
        name = self._separations.spot(ink)
        self.used["ColorSpace"].add(name)
        return f"/{name} {space} 1 {tint}"

    def _overprint(self, fills: bool, strokes: bool) -> None:
        name = self._separations.overprint(fills, strokes)
        self.used["ExtGState"].add(name)
        self._set("overprint", f"/{name} gs")

    def _path(self, path: Path) -> None:
        self._shape(path.commands, path.fill, path.stroke, path.even_odd)

    def _circle(self, circle: Circle) -> None:
        self._shape(circle_path(circle.cx, circle.cy, circle.r), circle.fill, circle.stroke, False)

    def _text(self, run: TextRun) -> None:
        """Glyphs are drawn y up, so the text matrix turns them over again."""
        if not run.text:
            return
        self.has_text = True
        over = self._colour == "cmyk" and (self._scene, run) in self._overprinting
        self._inks(
            run.ink, None, most_of_fill=inks_of_words(run.size_pt * self._scale), overprint=over
        )
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
        """A group with a layer can be switched off. Its state stays inside: not every viewer sets
        colours in hidden content."""
        if group.layer is None and group.matrix == IDENTITY and group.clip is None:
            self.paint(group.items)
            return
        if group.layer is not None:
            name = self._separations.layer(group.layer)
            self.used["Properties"].add(name)
            self._operators.append(f"/OC /{name} BDC")
        before, scale = dict(self._state), self._scale
        self._scale *= least_scale(group.matrix[:4])
        self._operators.append("q")
        if group.matrix != IDENTITY:
            self._operators.append(f"{matrix_numbers(group.matrix)} cm")
        if group.clip is not None:
            self._operators += (pdf_path(group.clip), "W n")
        self.paint(group.items)
        self._operators.append("Q")
        self._state, self._scale = before, scale
        if group.layer is not None:
            self._operators.append("EMC")

    def _use(self, use: Use) -> None:
        """Forms inherit the state of where they are placed, and count on finding no overprint."""
        form = self._forms[use.scene.key]
        self.used["XObject"].add(form)
        if "overprint" in self._state:
            self._overprint(False, False)
        operators = f"/{form} Do"
        if use.matrix != IDENTITY:
            operators = f"q {matrix_numbers(use.matrix)} cm {operators} Q"
        self._operators.append(operators)


_PAINT: dict[type, Callable[[ContentStream, Any], None]] = {
    Path: ContentStream._path,
    Circle: ContentStream._circle,
    TextRun: ContentStream._text,
    Group: ContentStream._group,
    Use: ContentStream._use,
}
