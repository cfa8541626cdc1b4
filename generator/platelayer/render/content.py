"""PDF content streams: operators in mm, y down, with no state set twice."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import groupby
from typing import Any, Literal

from msgspec import Struct
from msgspec.msgpack import encode
from msgspec.structs import replace
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFString

from platelayer.foundation.geometry import MM_PER_PT, least_scale
from platelayer.foundation.pixels import Pixels
from platelayer.scene.fonts import advances, face
from platelayer.scene.inks import MAX_TOTAL_INK, REGISTRATION, Ink, spot_name_fault
from platelayer.scene.paths import matrix_numbers, number, numbers, pdf_path
from platelayer.scene.press import (
    INKS,
    inks_of_line,
    inks_of_words,
    kept_by_press,
    press_at_hand,
    recipe_of,
)
from platelayer.scene.shapes import (
    IDENTITY,
    SHARE,
    Circle,
    Commands,
    Group,
    Image,
    Item,
    Items,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
    circle_path,
)

# Objects of a PDF: colour spaces of spot inks, overprint states, and optional content groups.


ColourMode = Literal["rgb", "cmyk"]

_SPACES = {"rgb": "/DeviceRGB", "cmyk": "/DeviceCMYK"}
_PAPER = {"rgb": "1 1 1", "cmyk": "0 0 0 0"}


class ClashingSpots(ValueError):
    """Raised for two different looks of one separation: a printer has one plate of that name and
    can mix only one."""

    def __init__(self, spot: str) -> None:
        self.spot = spot
        super().__init__(f"two different inks print as the separation {spot!r}")


class Separations:
    """Names and objects to which the streams of one PDF refer besides fonts and forms. Each is made
    when first named, so that a file contains those it uses, in order of use."""

    def __init__(self, pdf: Any, mode: ColourMode) -> None:
        self._pdf, self._mode = pdf, mode
        self._spots: dict[str, tuple[str, Ink]] = {}
        self._layers: dict[str, tuple[str, Any]] = {}
        self._overprints: dict[tuple[bool, bool], str] = {}

    def spot(self, ink: Ink) -> str:
        """Return the colour space of a spot ink. Raises ClashingSpots if its separation already has
        a different look, ValueError for a name that no separation can have."""
        spot = str(ink.spot)
        if spot not in self._spots:
            if ink != REGISTRATION and (fault := spot_name_fault(spot)):
                raise ValueError(
                    f"ink {ink.name!r} cannot print as the separation {spot!r}: {fault}"
                )
            name = f"S{len(self._spots) + 1}"
            # A colour space with one ink. Without a plate for it, the alternate is the ink's
            # recipe.
            recipe = numbers(recipe_of(ink) if self._mode == "cmyk" else ink.rgb)
            tint = {
                "FunctionType": 2,
                "Domain": "[0 1]",
                "C0": f"[{_PAPER[self._mode]}]",
                "C1": f"[{recipe}]",
                "N": 1,
            }
            self._pdf.Reference(
                PDFArray(
                    ["/Separation", _name(str(ink.spot)), _SPACES[self._mode], PDFDictionary(tint)]
                ),
                name,
            )
            self._spots[spot] = (name, ink)
        name, known = self._spots[spot]
        if (known.rgb, known.cmyk) != (ink.rgb, ink.cmyk):
            raise ClashingSpots(spot)
        return name

    def overprint(self, fills: bool, strokes: bool) -> str:
        """Return the graphics state in which fills and strokes leave the other plates as they are,
        or not."""
        name = f"O{2 * fills + strokes}"
        if (fills, strokes) not in self._overprints:
            flags = {"op": fills, "OP": strokes}
            state = {key: "true" if flag else "false" for key, flag in flags.items()}
            self._pdf.Reference(PDFDictionary({"Type": "/ExtGState", **state, "OPM": 1}), name)
            self._overprints[fills, strokes] = name
        return name

    def layer(self, label: str) -> str:
        """Return the property list of a layer: its optional content group."""
        if label not in self._layers:
            name = f"L{len(self._layers) + 1}"
            group = PDFDictionary({"Type": "/OCG", "Name": PDFString(label)})
            self._layers[label] = (name, self._pdf.Reference(group, name))
        return self._layers[label][0]

    def layers(self) -> Any:
        """Return the catalogue's OCProperties: every layer in order, each switched on; None if
        there is none.

        PDF/X-4 (ISO 15930-7, 6.21) requires a named configuration that lists all layers and chooses
        nothing by itself.
        """
        if not self._layers:
            return None
        groups = [reference for _, reference in self._layers.values()]
        configuration = {"Name": PDFString("Layers"), "Order": PDFArray(groups), "BaseState": "/ON"}
        return PDFDictionary({"OCGs": PDFArray(groups), "D": PDFDictionary(configuration)})


def _name(text: str) -> str:
    """Return a PDF name (ISO 32000-1, 7.3.5): characters other than letters and digits are written
    as their UTF-8 bytes."""
    plain = (
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"#{byte:02X}"
        for byte in text.encode()
    )
    return "/" + "".join(plain)


_CAPS = {"butt": "0 J", "round": "1 J", "square": "2 J"}
_JOINS = {"miter": "0 j", "round": "1 j", "bevel": "2 j"}
_PAINTING = {  # keys: (filled, stroked, even-odd)
    (True, False, False): "f",
    (True, False, True): "f*",
    (False, True, False): "S",
    (False, True, True): "S",
    (True, True, False): "B",
    (True, True, True): "B*",
}


# Operators that set a fill colour; capitals set the stroke colour.
_OPERATORS = {1: "g", 3: "rg", 4: "k"}
_INK_PLACES = 4
# Rounding error allowed in a sum of four recipes.
_SLIP = 1e-6


@kept_by_press(maxsize=1024)
def _colour(ink: Ink, mode: ColourMode, most: int) -> str:
    """Return the operator that sets an ink: CMYK by its recipe, otherwise RGB. In RGB, neutral inks
    are set in grey, because printers print grey words with black ink alone; in CMYK, grey is set
    in CMYK too, so that there is one colour space for everything and no converter can turn grey
    into four inks."""
    parts: Sequence[float] = recipe_of(ink, most) if mode == "cmyk" else ink.rgb
    if mode == "cmyk" and math.fsum(parts) > MAX_TOTAL_INK + _SLIP:
        raise ValueError(
            f"ink {ink.name!r} takes {math.fsum(parts):.0%}, more than {MAX_TOTAL_INK:.0%}"
        )
    if mode == "rgb" and len(set(parts)) == 1:
        parts = parts[:1]
    return f"{numbers(parts, _INK_PLACES)} {_OPERATORS[len(parts)]}"


@lru_cache(1024)
def _line_operators(stroke: Stroke) -> tuple[tuple[str, str], ...]:
    """Return the parts of the graphics state that a stroke sets besides its ink, each with its
    operator."""
    return (
        ("width", f"{number(stroke.width_mm)} w"),
        ("dash", f"[{numbers(stroke.dash)}] 0 d"),
        ("cap", _CAPS[stroke.cap]),
        ("join", _JOINS[stroke.join]),
    )


# Compression level of zlib: at its default 6, all files of 18EU take 184 ms instead of 71 and are 4
# % smaller.
_PACKED = 4


class Content(Struct, frozen=True, kw_only=True, array_like=True):
    """A finished content stream, compressed.

    It contains no names of the file that it belongs to: its n-th form (each the key of a scene),
    picture of pixels, spot ink, pair of overprints and layer are its own resources X`n`, I`n`,
    S`n`, O`n` and L`n`; a font is named by its face and, beyond Unicode's first plane, by the
    plane. `words` are the characters that it shows, by face.
    """

    packed: bytes
    words: dict[str, str]
    forms: tuple[str, ...]
    spots: tuple[Ink, ...]
    overprints: tuple[tuple[bool, bool], ...]
    layers: tuple[str, ...]
    images: tuple[Pixels, ...] = ()


def deflated(data: bytes | bytearray) -> bytes:
    """Return a stream's data, for the filter FlateDecode."""
    return zlib.compress(data, _PACKED)


def font_name(face: str, plane: int) -> str:
    """Return the resource of the characters that a face has in a plane of Unicode."""
    return f"{face}.{plane}" if plane else face


def plane_of(char: str) -> int:
    """Return the plane of Unicode that a character is in."""
    return ord(char) >> 16


class Parts:
    """Finished streams by the digest of everything that decides them: those `known` from earlier
    files, and those `used` in a new one."""

    def __init__(self, known: Mapping[bytes, Content]) -> None:
        self.known = known
        self.used: dict[bytes, Content] = {}

    def found_or_made(self, decisive: Sequence[Any], make: Callable[[], Content]) -> Content:
        """Return the stream for these values, made only if it is not known."""
        try:
            digest = blake2b(encode(decisive), digest_size=20).digest()
        except (ValueError, RecursionError):
            return make()  # a lone surrogate, or nesting that is too deep
        if digest not in self.used:
            self.used[digest] = self.known.get(digest) or make()
        return self.used[digest]


def _without_placed(items: Sequence[Item]) -> Items:
    """Return items with empty scenes instead of placed ones: a stream only names what it places."""
    bare: list[Item] = []
    for item in items:
        if type(item) is Use:
            named = Scene(item.scene.key, 0.0, 0.0, ())
            bare.append(Use(named, matrix=item.matrix))
        elif type(item) is Group:
            bare.append(replace(item, items=_without_placed(item.items)))
        else:
            bare.append(item)
    return tuple(bare)


@lru_cache(4096)
def _in_planes(text: str, face_name: str) -> tuple[tuple[int, str], ...]:
    """Yield text plane by plane, as operands of the operator that shows it: each character by the
    hexadecimal digits of its position in its plane, with kerning in thousandths of an em."""
    glyphs, kerned = face(face_name).glyphs, iter(advances(face_name, text))
    planes = []
    for plane, same in groupby(text, plane_of):
        shown = ""
        for char, advance in zip(same, kerned, strict=False):
            shown += f"{ord(char) & 0xFFFF:04x}"
            back = glyphs[char][0] - advance
            if back and (back := round(back * 1000, 2)):
                shown += f">{back:g}<"
        planes.append((plane, f"[<{shown}>] TJ" if ">" in shown else f"<{shown}> Tj"))
    return tuple(planes)


class ContentStream:
    """Writes items as operators and tracks the graphics state, so that it is set only where it
    changes.

    `scale` is the smallest scale at which the items are placed: on a press, it decides which words
    and lines are fine. `overprinting` are the black words that overprint.
    """

    def __init__(
        self,
        *,
        colour: ColourMode = "rgb",
        scale: float = 1.0,
        overprinting: Collection[TextRun] = (),
    ) -> None:
        self._colour, self._scale, self._overprinting = colour, scale, overprinting
        self._operators: list[str] = []
        self._words: dict[str, set[str]] = {}
        # Object of each named resource, by the letter of its kind.
        self._named: dict[str, dict[Any, str]] = {letter: {} for letter in "XISOL"}
        # Last value set for each part of the graphics state. It begins empty, as a form inherits
        # the state at the place where it is used.
        self._state: dict[str, str] = {}

    def paint(self, items: Sequence[Item]) -> None:
        """Write items in painting order."""
        for item in items:
            match item:
                case Path():
                    self._shape(item.commands, item.fill, item.stroke, item.even_odd)
                case Circle():
                    outline = circle_path(item.cx, item.cy, item.r)
                    self._shape(outline, item.fill, item.stroke, False)
                case TextRun():
                    self._text(item)
                case Image():
                    self._image(item)
                case Group():
                    self._group(item)
                case Use():
                    # A form inherits the current state and expects overprint to be off.
                    if "overprint" in self._state:
                        self._overprint(False, False)
                    operators = f"/{self._resource('X', item.scene.key)} Do"
                    if item.matrix != IDENTITY:
                        operators = f"q {matrix_numbers(item.matrix)} cm {operators} Q"
                    self._operators.append(operators)

    def write(self, *operators: str) -> None:
        """Write operators as they are; they must not change the tracked state."""
        self._operators += operators

    def painted(self, items: Sequence[Item], parts: Parts | None = None) -> Content:
        """Return the stream with items added, made or found among parts."""
        if parts is None:
            self.paint(items)
            return self._finished()
        decisive: list[Any] = [self._operators, _without_placed(items)]
        if self._colour == "cmyk":
            decisive += (press_at_hand(), self._scale, sorted(map(encode, self._overprinting)))
        return parts.found_or_made(decisive, partial(self.painted, items))

    def _finished(self) -> Content:
        words = sorted(self._words.items())
        return Content(
            packed=deflated("\n".join(self._operators).encode("latin-1")),
            words={face: "".join(sorted(characters)) for face, characters in words},
            forms=tuple(self._named["X"]),
            images=tuple(self._named["I"]),
            spots=tuple(self._named["S"]),
            overprints=tuple(self._named["O"]),
            layers=tuple(self._named["L"]),
        )

    def _resource(self, letter: str, meaning: Any) -> str:
        """Return the name of a resource."""
        names = self._named[letter]
        return names.setdefault(meaning, f"{letter}{len(names) + 1}")

    def _set(self, part: str, operator: str) -> None:
        if self._state.get(part) != operator:
            self._state[part] = operator
            self._operators.append(operator)

    def _shape(
        self, commands: Commands, fill: Ink | None, stroke: Stroke | None, even_odd: bool
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
        """Set the inks for what is painted next. Spot inks overprint, and other fills if requested;
        an ink that is not painted takes the setting of the other."""
        inks = (("fill", fill, most_of_fill), ("stroke", stroke, most_of_stroke))
        fill_spot, stroke_spot = (ink is not None and ink.spot is not None for _, ink, _ in inks)
        if fill_spot or stroke_spot or overprint:
            self._overprint(overprint or fill_spot or fill is None, stroke_spot or stroke is None)
        elif "overprint" in self._state:
            self._overprint(False, False)
        for part, ink, most in inks:
            if ink is None:
                continue
            operator = (
                _colour(ink, self._colour, most)
                if ink.spot is None
                else f"/{self._resource('S', ink)} cs 1 scn"
            )
            self._set(part, operator if part == "fill" else operator.upper())

    def _overprint(self, fills: bool, strokes: bool) -> None:
        self._set("overprint", f"/{self._resource('O', (fills, strokes))} gs")

    def _text(self, run: TextRun) -> None:
        """Write a text run. Glyphs are drawn y up, so the text matrix flips them again."""
        if not run.text:
            return
        over = run in self._overprinting
        self._inks(
            run.ink, None, most_of_fill=inks_of_words(run.size_pt * self._scale), overprint=over
        )
        self._set("tracking", f"{number(run.tracking_mm, 4)} Tc")
        angle, shift = math.radians(run.angle), SHARE[run.anchor] * run.width_mm
        cos, sin = math.cos(angle), math.sin(angle)
        turn, start = (cos, sin, sin, -cos), (run.x - shift * cos, run.y - shift * sin)
        self._operators += ("BT", f"{numbers(turn, 6)} {numbers(start)} Tm")
        size = number(run.size_pt * MM_PER_PT, 4)
        # Some faces lack the no-break space.
        text = run.text.replace("\u00a0", " ")
        self._words.setdefault(run.face, set()).update(text)
        for plane, codes in _in_planes(text, run.face):
            self._set("font", f"/{font_name(run.face, plane)} {size} Tf")
            self._operators.append(codes)
        self._operators.append("ET")

    def _image(self, image: Image) -> None:
        """Write a picture, which is a unit square, y up."""
        if "overprint" in self._state:
            self._overprint(False, False)
        width, height = image.width_mm, image.height_mm
        place = numbers((width, 0.0, 0.0, -height, 0.0, height), 4)
        self._operators.append(f"q {place} cm /{self._resource('I', image.pixels)} Do Q")

    def _group(self, group: Group) -> None:
        """Write a group, which can be switched off if it has a layer. Its state stays inside,
        because not every viewer sets colours in hidden content."""
        if group.layer is None and group.matrix == IDENTITY and group.clip is None:
            self.paint(group.items)
            return
        if group.layer is not None:
            self._operators.append(f"/OC /{self._resource('L', group.layer)} BDC")
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
