"""Content streams and what they paint: pages, and the forms, patterns and glyphs that they place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from itertools import islice, pairwise
from typing import Any, TypeVar, cast

import pikepdf
from msgspec import Struct

from platelayer.foundation.geometry import IDENTITY, Matrix, least_scale, multiply, translation
from platelayer.foundation.values import Frozen
from platelayer.preflight.document import (
    BROKEN,
    MAX_NAME,
    TooMuch,
    Unreadable,
    entry,
    identity,
    items_of,
    length_of,
    matrix_of,
    name_of,
    number_of,
    read_stream,
    spend,
    words_of,
)
from platelayer.preflight.resources import (
    DEVICES,
    GRAY,
    Colour,
    Font,
    Image,
    Space,
    glyph_streams,
    read_font,
    read_image,
    read_space,
    shading_colour,
)

_Kind = TypeVar("_Kind")
_Read = TypeVar("_Read")

# Maximum number of inks in the mixtures of small words and of hairlines.
MOST_IN_WORDS, MOST_IN_LINES = 2, 3


class Paint(Frozen):
    """One way of painting: "fill", "stroke" or "text", with its colour, whether it overprints, and
    its layer ("" for none)."""

    use: str
    colour: Colour
    overprint: bool
    layer: str


class Size(Frozen):
    """The width of a "line" or the height of a "text" in points of the page, and whether it is
    mixed of too many inks."""

    of: str
    points: float
    mixed: bool


class Picture(Frozen):
    """An image, and the lengths of its sides in points of the page."""

    image: Image
    across: float
    down: float


class Fault(Frozen):
    """Something wrong with a stream itself."""

    words: str


class Transparency(Frozen):
    """A kind of transparency."""

    words: str


class Hidden(Frozen):
    """An overprint of white, which is therefore invisible."""

    use: str


Fact = Paint | Size | Picture | Font | Fault | Transparency | Hidden
# Left, bottom, right, top.
Box = tuple[float, float, float, float]


class Painted(Struct):
    """Everything in a content stream and in all it places: each thing once, however often it is
    painted; and the boxes of its texts, if requested."""

    facts: set[Fact] = set()
    boxes: set[Box] = set()

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        """All facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]


class State(Struct):
    """The graphics state as far as a check needs it. A colour is None while a pattern is set, which
    has been counted already. `keeps`: what overprints keeps the plates for which it has no ink
    (OPM 1)."""

    ctm: Matrix = IDENTITY
    fill: Colour | None = GRAY.colour()
    stroke: Colour | None = GRAY.colour()
    fill_over: bool = False
    stroke_over: bool = False
    width: float = 1.0
    layer: str = ""
    fill_space: Space | None = GRAY
    stroke_space: Space | None = GRAY
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    leading: float = 0.0
    rise: float = 0.0
    scale: float = 1.0
    mode: int = 0
    keeps: bool = False

    def of_form(self, matrix: Matrix) -> State:
        """The state in which a form begins under this matrix, at the origin."""
        a, b, c, d = (round(number, 6) for number in matrix[:4])
        return State(
            ctm=(a, b, c, d, 0.0, 0.0),
            fill=self.fill,
            stroke=self.stroke,
            fill_over=self.fill_over,
            stroke_over=self.stroke_over,
            width=self.width,
            layer=self.layer,
        )


# Maximum nesting of forms; deeper nesting is a loop or an attack.
_MAX_FORM_DEPTH = 40
# Cost in steps of using a resource and of storing a fact; and bytes per step when a stream is read
# again.
_STEPS_A_THING, _STEPS_A_FACT, _BYTES_A_STEP = 20, 10, 50


def _size(stream: Any) -> int:
    return len(read_stream(stream))


class Reader:
    """The content streams of one file and everything they use, each read once under the same
    circumstances. `ours`: we printed the file, so that all its operators are known.
    `wants_boxes`: the positions of texts matter."""

    def __init__(self, *, ours: bool, wants_boxes: bool) -> None:
        self.ours, self.wants_boxes = ours, wants_boxes
        self._open_forms: list[Any] = []
        self._known: dict[Any, Any] = {}

    def once(self, read: Callable[..., _Read], value: Any, *how: Any) -> _Read:
        """Read an object once and remember the result."""
        key = (read, identity(value))
        if key not in self._known:
            spend(_STEPS_A_THING)
            if key[1] is None:
                return read(value, *how)
            self._known[key] = read(value, *how)
        return cast("_Read", self._known[key])

    def form(self, stream: Any, outer: Any, state: State) -> Painted:
        """Collect what a form, a tiling pattern, a glyph or an appearance paints that begins in a
        state. Without resources of its own, it uses those of the stream that places it. A form
        that places itself has a fault and paints nothing."""
        key = identity(stream)
        if key in self._open_forms or len(self._open_forms) >= _MAX_FORM_DEPTH:
            words = f"a form places itself, or forms are nested more than {_MAX_FORM_DEPTH} deep"
            return Painted({Fault(words)})
        inks = (state.fill, state.stroke, state.fill_over, state.stroke_over)
        known = (key, state.ctm, inks, state.width, state.layer)
        if known not in self._known:
            self._open_forms.append(key)
            walker = Walker(self, entry(stream, "/Resources") or outer, state)
            try:
                size = self.once(_size, stream)
                spend(_STEPS_A_THING + size // _BYTES_A_STEP)
                walker.read(stream, stream)
            except Unreadable as error:
                walker.fault(str(error))
            finally:
                self._open_forms.pop()
            self._known[known] = walker.painted
        return cast("Painted", self._known[known])


# Operators that set a colour in a device space, with the number of their operands.
_DEVICE_OPERATORS = {"g": 1, "G": 1, "rg": 3, "RG": 3, "k": 4, "K": 4}
_NUMBERS = {"w": "width", "Tc": "spacing", "Tw": "word_spacing", "TL": "leading", "Ts": "rise"}
_READ = {
    *_DEVICE_OPERATORS,
    *_NUMBERS,
    *("q", "Q", "cm", "gs", "cs", "CS", "sc", "scn", "SC", "SCN", "sh", "Do", "ID"),
    *("f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "BDC", "BMC", "EMC", "BX", "EX"),
    *("BT", "Tf", "Tr", "Tm", "Td", "TD", "T*", "Tz", "Tj", "TJ", "'", '"'),
}
# Operators that do not matter to any check: path, clip, line style, glyph, marked points.
_IGNORED = {
    *("h", "n", "W", "W*", "re", "m", "l", "c", "v", "y", "d", "i", "j", "J", "M", "ri"),
    *("ET", "EI", "MP", "DP", "d0", "d1"),
}
# Abbreviated keys of inline images.
_LONG_KEYS = {"W": "Width", "H": "Height", "IM": "ImageMask", "CS": "ColorSpace"}
# Blend modes without an effect (ISO 32000-1, table 136).
_OPAQUE = ("", "Normal", "Compatible")
# Text rendering modes that paint nothing (ISO 32000-1, table 106).
_INVISIBLE = (3, 7)
_KINDS = {
    "XObject": "form or image",
    "Font": "font",
    "ExtGState": "graphics state",
    "Pattern": "pattern",
    "Shading": "shading",
    "Properties": "property list",
}
# Maximum number of groups in a membership dictionary whose names are read.
_MOST_LAYERS = 20
_MOST_OPERANDS = 10_000
# Maximum number of saved graphics states.
_MOST_SAVED = 10_000
# Cost in steps of reading an operator, besides its operands; and letters per step when text is
# measured.
_STEPS_AN_OPERATOR, _LETTERS_A_STEP = 6, 10


class Walker(pikepdf.StreamParser):
    """A walk through one content stream, beginning in a state."""

    def __init__(self, reader: Reader, resources: Any, state: State) -> None:
        super().__init__()
        self.painted = Painted()
        self._reader, self._resources, self._state = reader, resources, state
        self._base = state.ctm
        self._operands: list[Any] = []
        self._saved: list[State] = []
        self._layers: list[str] = []
        self._found: dict[tuple[str, str], Any] = {}
        self._placed: set[Any] = set()
        self._text = self._line = IDENTITY
        self._lenient = 0

    def read(self, holder: Any, contents: Any) -> None:
        """Read a stream, or several as one, to the end; `holder` is the dictionary that may make
        it a transparency group. Raises TooMuch."""
        if name_of(entry(holder, "/Group", "/S")) == "Transparency":
            self._keep(Transparency("a transparency group"))
        page = pikepdf.Page(pikepdf.Dictionary(Type=pikepdf.Name.Page, Contents=contents))
        if self._reader.ours:
            # This is twice as fast, but has no limits and skips all other operators.
            for each in pikepdf.parse_content_stream(page, " ".join(_READ)):
                self._obey(str(each.operator), list(each.operands))
        else:
            page.parse_contents(self)
        if self._saved:
            self.fault("graphics states are saved (q) but never restored (Q)")

    def handle_object(self, value: Any, _offset: int, _length: int) -> None:
        """Process an operand or an operator (called by the parser)."""
        if not isinstance(value, pikepdf.Operator):
            self._operands.append(value)
            if len(self._operands) > _MOST_OPERANDS:
                raise TooMuch(f"an operator has more than {_MOST_OPERANDS} operands")
            return
        operands, self._operands = self._operands, []
        spend(len(operands) + 1)
        operator = str(value)
        if operator in _READ:
            spend(_STEPS_AN_OPERATOR)
            self._obey(operator, operands)
        elif operator == "BI":
            # The parser itself finds the end of an inline image.
            spend(_STEPS_AN_OPERATOR)
        elif operator not in _IGNORED and not self._lenient:
            self.fault(f"{operator[:12]!r} is not an operator")

    def handle_eof(self) -> None:
        """Process the end of the stream (called by the parser)."""
        if self._operands and not self._lenient:
            self.fault("it ends with operands that no operator follows")

    def fault(self, words: str) -> None:
        """Record a fault of the stream itself."""
        self._keep(Fault(words))

    def _keep(self, fact: Fact) -> None:
        if fact not in self.painted.facts:
            spend(_STEPS_A_FACT)
            self.painted.facts.add(fact)

    def _obey(self, operator: str, operands: list[Any]) -> None:
        try:
            self._execute(operator, operands)
        except (_Wrong, IndexError):
            self.fault(f"the operator {operator} has the wrong operands")

    def _execute(self, operator: str, operands: list[Any]) -> None:
        state = self._state
        match operator:
            case "q":
                self._saved.append(copy(state))
                if len(self._saved) > _MOST_SAVED:
                    words = "graphics states are saved (q) and not restored (Q)"
                    raise TooMuch(f"more than {_MOST_SAVED} {words}")
            case "Q" if self._saved:
                layer = state.layer
                self._state = self._saved.pop()
                self._state.layer = layer
            case "Q":
                self.fault("a graphics state is restored (Q) without having been saved (q)")
            case "cm":
                state.ctm = multiply(state.ctm, _matrix(operands))
            case "gs":
                self._change_state(self._find("ExtGState", operands))
            # Colours.
            case "g" | "rg" | "k":
                state.fill = _device_colour(operator, operands)
            case "G" | "RG" | "K":
                state.stroke = _device_colour(operator, operands)
            case "cs" | "CS":
                space = self._space(operands)
                initial = space.colour() if space and space.family != "pattern" else None
                if operator == "CS":
                    state.stroke_space, state.stroke = space, initial
                else:
                    state.fill_space, state.fill = space, initial
            case "sc" | "scn":
                state.fill = self._colour_in(state.fill_space, operands)
            case "SC" | "SCN":
                state.stroke = self._colour_in(state.stroke_space, operands)
            # Painting.
            case "f" | "F" | "f*":
                self._paint("fill")
            case "S" | "s":
                self._stroke()
            case "B" | "B*" | "b" | "b*":
                self._paint("fill")
                self._stroke()
            case "sh":
                self._paint("fill", self._shading(self._find("Shading", operands)))
            case "Do":
                self._place(self._find("XObject", operands))
            case "ID":
                self._inline_image(operands)
            # Text.
            case "BT":
                self._text = self._line = IDENTITY
            case "Tf":
                font = self._find("Font", operands[:1])
                state.font = None if font is None else self._font(font)
                (state.size,) = _numbers(operands[1:], 1)
            case "Tz":
                state.scale = _numbers(operands, 1)[0] / 100
            case "Tr":
                state.mode = int(_numbers(operands, 1)[0]) & 7
            case "Tm":
                self._text = self._line = _matrix(operands)
            case "Td" | "TD":
                x, y = _numbers(operands, 2)
                if operator == "TD":
                    state.leading = -y
                self._move_line(x, y)
            case "T*":
                self._move_line(0.0, -state.leading)
            case "Tj" | "TJ":
                self._show(operands)
            case "'":
                self._move_line(0.0, -state.leading)
                self._show(operands)
            case '"':
                state.word_spacing, state.spacing = _numbers(operands[:2], 2)
                self._move_line(0.0, -state.leading)
                self._show(operands[2:])
            # Marked content.
            case "BDC" | "BMC":
                self._layers.append(state.layer)
                if len(operands) == 2 and name_of(operands[0]) == "OC":
                    group = self._find("Properties", operands)
                    state.layer = self._layer_name(group) or state.layer
            case "EMC" if self._layers:
                state.layer = self._layers.pop()
            case "EMC":
                self.fault("marked content ends (EMC) without having begun (BDC)")
            case "BX":
                self._lenient += 1
            case "EX":
                self._lenient = max(self._lenient - 1, 0)
            case _:
                (number,) = _numbers(operands, 1)
                setattr(state, _NUMBERS[operator], abs(number) if operator == "w" else number)

    def _find(self, kind: str, operands: Sequence[Any]) -> Any:
        """Return the resource that the last operand names, or None with a fault."""
        if not operands or not isinstance(operands[-1], pikepdf.Name):
            raise _Wrong
        key = (kind, name_of(operands[-1]))
        if key not in self._found:
            try:
                self._found[key] = entry(self._resources, f"/{kind}", f"/{key[1]}")
            except BROKEN:
                self._found[key] = None
            if self._found[key] is None:
                self.fault(f"there is no {_KINDS[kind]} {key[1]!r} among its resources")
        return self._found[key]

    def _change_state(self, value: Any) -> None:
        """Apply a graphics state from the resources."""
        state = self._state
        spend(_STEPS_A_THING)
        strokes_over, fills_over = entry(value, "/OP"), entry(value, "/op")
        # Without `op`, `OP` applies to all painting (ISO 32000-1, table 58).
        fills_over = strokes_over if fills_over is None else fills_over
        if strokes_over is not None:
            state.stroke_over = strokes_over is True
        if fills_over is not None:
            state.fill_over = fills_over is True
        state.width = number_of(entry(value, "/LW"), state.width)
        state.keeps = number_of(entry(value, "/OPM"), float(state.keeps)) == 1
        font = entry(value, "/Font")
        if length_of(font) == 2:
            state.font, state.size = self._font(font[0]), number_of(font[1])
        for key, words in (("/CA", "a stroke opacity"), ("/ca", "a fill opacity")):
            alpha = number_of(entry(value, key), 1.0)
            if alpha < 1:
                self._keep(Transparency(f"{words} of {alpha:.3g}"))
        mode = entry(value, "/BM")
        blend = name_of(next(items_of(mode), mode))
        if blend not in _OPAQUE:
            self._keep(Transparency(f"the blend mode {blend}"))
        if isinstance(entry(value, "/SMask"), pikepdf.Dictionary):
            self._keep(Transparency("a soft mask"))

    # Colours.

    def _space(self, operands: list[Any]) -> Space | None:
        """Return the colour space that the operand names: a device space, or one of the
        resources."""
        if not operands or not isinstance(operands[-1], pikepdf.Name):
            raise _Wrong
        name, named = operands[-1], entry(self._resources, "/ColorSpace")
        own = entry(named, str(name))
        value = name if own is None else own
        space = self._reader.once(read_space, value, named)
        if space is None:
            self.fault(f"there is no readable colour space {name_of(name)!r}")
        return space

    def _colour_in(self, space: Space | None, operands: list[Any]) -> Colour | None:
        """Return a colour of the current space; None for a pattern, whose own paint is counted."""
        if space is None:
            return None
        if space.family != "pattern":
            return space.colour(_numbers(operands, space.components))
        pattern = self._find("Pattern", operands)
        if isinstance(pattern, pikepdf.Stream):
            tint = _numbers(operands[:-1], len(operands) - 1)
            below = copy(self._state)
            below.fill = below.stroke = space.below.colour(tint) if space.below else None
            self._take(pattern, below, multiply(self._base, matrix_of(entry(pattern, "/Matrix"))))
        elif pattern is not None:
            self._paint("fill", self._shading(entry(pattern, "/Shading")))
        return None

    def _shading(self, value: Any) -> Colour | None:
        named = entry(self._resources, "/ColorSpace")
        colour = self._reader.once(shading_colour, value, named)
        if colour is None and value is not None:
            self.fault("a shading has no readable colour space")
        return colour

    # Painting.

    def _paint(self, use: str, colour: Colour | None = None) -> None:
        """Count a fill, a stroke or a text, in the current colour or another."""
        state = self._state
        own, overprint = state.fill, state.fill_over
        if use == "stroke":
            own, overprint = state.stroke, state.stroke_over
        colour = colour or own
        if colour is not None:
            self._keep(Paint(use, colour, overprint, state.layer))
            if overprint and state.keeps and colour.family == "cmyk" and colour.ink == 0:
                self._keep(Hidden(use))

    def _stroke(self) -> None:
        self._paint("stroke")
        state = self._state
        width = state.width * least_scale(state.ctm[:4])
        self._keep(Size("line", round(width, 4), _is_mixed(state.stroke, MOST_IN_LINES)))

    def _place(self, value: Any) -> None:
        """Count a form or an image of the resources."""
        kind = name_of(entry(value, "/Subtype"))
        spend(_STEPS_A_THING)
        if kind == "Form" and isinstance(value, pikepdf.Stream):
            state = copy(self._state)
            state.layer = self._layer_name(entry(value, "/OC")) or state.layer
            self._take(value, state, multiply(state.ctm, matrix_of(entry(value, "/Matrix"))))
        elif kind == "Image" and isinstance(value, pikepdf.Stream):
            named = entry(self._resources, "/ColorSpace")
            image = self._reader.once(read_image, value, named)
            self._place_image(image)
        elif value is not None:
            kind = kind or "without a kind"
            self.fault(f"it places an object that is neither a form nor an image ({kind})")

    def _take(self, form: Any, state: State, matrix: Matrix) -> None:
        """Count what a form paints; the same form under the same circumstances counts once."""
        start = state.of_form(matrix)
        part = self._reader.form(form, self._resources, start)
        x, y = matrix[4:] if self._reader.wants_boxes else (0.0, 0.0)
        if (id(part), x, y) not in self._placed:
            self._placed.add((id(part), x, y))
            self.take(part, x, y)

    def take(self, part: Painted, x: float, y: float) -> None:
        """Count what is painted elsewhere, moved by points of the page."""
        spend(_STEPS_A_FACT * (1 + len(part.facts) + len(part.boxes)))
        self.painted.facts |= part.facts
        for left, bottom, right, top in part.boxes:
            self.painted.boxes.add((left + x, bottom + y, right + x, top + y))

    def _inline_image(self, operands: list[Any]) -> None:
        """Count an inline image by its entries, which are operands."""
        spend(_STEPS_A_THING)
        entries = pikepdf.Dictionary()
        for key, value in pairwise(operands):
            name = f"/{_LONG_KEYS.get(name_of(key), name_of(key))}"
            if isinstance(key, pikepdf.Name) and name not in entries:
                entries[name] = value
        named = entry(self._resources, "/ColorSpace")
        self._place_image(read_image(entries, named, "inline image"))

    def _place_image(self, image: Image | str) -> None:
        if isinstance(image, str):
            self.fault(image)
            return
        a, b, c, d = self._state.ctm[:4]
        self._paint("fill", image.colour)
        self._keep(Picture(image, round(math.hypot(a, b), 4), round(math.hypot(c, d), 4)))
        if image.masked:
            self._keep(Transparency("an image with a soft mask"))

    # Text.

    def _font(self, value: Any) -> Font | None:
        font = self._reader.once(read_font, value, self._reader.wants_boxes)
        if font is None:
            self.fault("a font has no kind")
        elif font.kind == "Type3":
            # Glyphs have either the colour of the text or colours of their own.
            state = copy(self._state)
            state.fill = state.stroke = None
            resources = entry(value, "/Resources") or self._resources
            for glyph in glyph_streams(value):
                part = self._reader.form(glyph, resources, state.of_form(IDENTITY))
                kinds = (Paint, Fault, Transparency)
                own: set[Fact] = {fact for fact in part.facts if isinstance(fact, kinds)}
                self.take(Painted(own), 0.0, 0.0)
        return font

    def _move_line(self, x: float, y: float) -> None:
        self._text = self._line = multiply(self._line, translation(x, y))

    def _show(self, operands: list[Any]) -> None:
        state = self._state
        if state.font is None:
            self.fault("text is shown before a font is set")
            return
        where = multiply(state.ctm, self._text)
        if self._reader.wants_boxes:
            self._show_where(state.font, operands, where)
        if state.mode in _INVISIBLE:
            return
        self._keep(state.font)
        is_filled = state.mode % 4 != 1
        size = abs(state.size) * math.hypot(where[2], where[3])
        mixed = is_filled and _is_mixed(state.fill, MOST_IN_WORDS)
        if size:
            self._keep(Size("text", round(size, 3), mixed))
        if is_filled:
            self._paint("text")
        if state.mode % 4 in (1, 2):
            self._stroke()

    def _show_where(self, font: Font, operands: list[Any], where: Matrix) -> None:
        """Advance by the text, and record where it stood."""
        state = self._state
        reach = 0.0
        shown = operands[-1]
        parts = items_of(shown) if isinstance(shown, pikepdf.Array) else [shown]
        for part in parts:
            if isinstance(part, pikepdf.String):
                codes = bytes(part)
                spend(len(codes) // _LETTERS_A_STEP)
                reach += font.advance(codes, state.spacing, state.word_spacing, state.size)
            else:
                reach -= number_of(part) / 1000 * state.size
        reach *= state.scale
        if state.mode not in _INVISIBLE:
            end = reach - state.spacing * state.scale  # without the spacing after the last letter
            top = state.rise + font.cap_height / 1000 * state.size
            corners = [(x, y) for x in (0.0, end) for y in (state.rise, top)]
            a, b, c, d, e, f = where
            xs = [x * a + y * c + e for x, y in corners]
            ys = [x * b + y * d + f for x, y in corners]
            spend(_STEPS_A_FACT)
            self.painted.boxes.add((min(xs), min(ys), max(xs), max(ys)))
        self._text = multiply(self._text, translation(reach, 0.0))

    def _layer_name(self, group: Any, *, member: bool = False) -> str:
        """Return the name of an optional content group, or those of a membership dictionary; "" for
        anything else."""
        if not member and name_of(entry(group, "/Type")) == "OCMD":
            members = entry(group, "/OCGs")
            groups = items_of(members) if isinstance(members, pikepdf.Array) else [members]
            names = [self._layer_name(one, member=True) for one in islice(groups, _MOST_LAYERS)]
            return " + ".join(filter(None, names))
        name = words_of(entry(group, "/Name"))
        spend(len(name))
        return name[:MAX_NAME]


class _Wrong(Exception):
    """Raised for an operator with wrong operands."""


def _numbers(operands: Sequence[Any], count: int) -> list[float]:
    """Return the operands as that number of numbers. Raises _Wrong."""
    try:
        numbers = list(map(float, operands))
    except BROKEN:
        raise _Wrong from None
    if len(numbers) != count:
        raise _Wrong
    return numbers


def _matrix(operands: Sequence[Any]) -> Matrix:
    a, b, c, d, e, f = _numbers(operands, 6)
    return a, b, c, d, e, f


def _device_colour(operator: str, operands: Sequence[Any]) -> Colour:
    count = _DEVICE_OPERATORS[operator]
    return DEVICES[count].colour(_numbers(operands, count))


def _is_mixed(colour: Colour | None, most: int) -> bool:
    """Return True for a colour with more inks than fine things of its kind should have."""
    return colour is not None and colour.plates > most
