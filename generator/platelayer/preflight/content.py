"""The operations of a content stream, one by one: operands as written, and the operator."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sized
from itertools import islice, pairwise
from typing import Any, NamedTuple, TypeVar, cast

import pikepdf
from msgspec import Struct, field

from platelayer.foundation.geometry import IDENTITY, Linear, Matrix, multiply, translation
from platelayer.preflight.document import (
    BROKEN,
    MAX_NAME,
    Budget,
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
    words_of,
)
from platelayer.preflight.resources import (
    GRAY,
    Colour,
    Font,
    Image,
    Space,
    device_space,
    glyph_streams,
    inline_image,
    read_font,
    read_image,
    read_space,
    shading_colour,
)

# The most bytes before one operator. No print needs a hundredth of it.
MAX_OPERANDS = 2**20

_END = rb"(?![^\s()<>\[\]{}/%])"

# One match an operation, so that the work is done by the regular expression engine: reading the 2.4
# MB of streams of 18EU takes 0.03 s this way, and 0.34 s as the objects that
# pikepdf.parse_content_stream makes. What builds paths, clips and shapes lines leaves no trace that
# a check looks at; runs of it are skipped in one match (two empty groups). No input makes it look
# twice at the same bytes: quantifiers of one byte are possessive, those of more stand in atomic
# groups (possessive ones match wrongly before Python 3.11.5, gh-106052). The engine remembers every
# turn of an atomic group until it is through, some hundred bytes each, so that their number has a
# limit: longer runs are several matches.
_OPERATION = re.compile(
    rb"(?>(?:[-+.0-9\s\[\]]++(?:[clmhvyJjdMin]|W\*?+|re)" + _END + rb"){0,1000})"
    rb"((?>(?:[-+.0-9\s\[\]]++|/[^\s()<>\[\]{}/%]*+|<<|>>|<[0-9A-Fa-f\s]*+>){0,1000}))"
    rb"([A-Za-z'\"][A-Za-z0-9*'\"]*+|[^-+.0-9\s\[\]/<>]|)"
)
_WORDS = (b"true", b"false", b"null")
# Everything that is not a plain operator: nested strings, comments and the data of inline images,
# which need more than a regular expression; words that are operands though they look like
# operators; nothing.
_ODD = frozenset((b"(", b"%", b"ID", *_WORDS, b""))
_PLAIN_STRING = re.compile(rb"[^()\\]*+\)")
_IN_STRING = re.compile(rb"\\.|[()]", re.DOTALL)
_LINE_END = re.compile(rb"(?=[\r\n])")
_IMAGE_END = re.compile(rb"(?<=\s)EI(?=\s|\Z)")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPES = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}


def operations(stream: bytes, budget: Budget) -> Iterator[tuple[bytes, bytes]]:
    """(operands, operator) in order, without path construction. Literal strings come as hexadecimal
    strings, comments are left out, an inline image is the operator `ID` after its entries. An
    operator that is not a word is a stray byte; operands without an operator come with an empty
    one. Raises TooMuch. The caller counts what is yielded as steps."""
    text = stream.replace(b"\0", b" ")
    is_long = len(text) > MAX_OPERANDS
    held = bytearray()
    at = 0
    while True:
        for match in _OPERATION.finditer(text, at):
            operands, operator = match.groups()
            if held and match.start(1) > match.start():
                held.clear()
            if operator not in _ODD:
                if held or (is_long and len(operands) > MAX_OPERANDS):
                    operands = _released(held, operands)
                yield operands, operator
            elif operator and operator not in _WORDS:
                break
            elif operands or operator:
                budget.spend_steps(1)
                _hold(held, operands + operator)
            elif match.start() == match.end() < len(text):
                yield _released(held, b""), text[match.end() : match.end() + 1]
        else:
            if held:
                yield _released(held, b""), b""
            return
        budget.spend_steps(2)
        _hold(held, operands)
        at = match.end()
        if operator == b"ID":
            yield _released(held, b""), operator
        at = _behind_odd(operator, stream, at, held, budget)


def _behind_odd(operator: bytes, stream: bytes, at: int, held: bytearray, budget: Budget) -> int:
    """The end of a string, a comment or the data of an image; strings are kept as operands."""
    if operator != b"(":
        match = (_LINE_END if operator == b"%" else _IMAGE_END).search(stream, at)
        return match.end() if match else len(stream)
    end = _string_end(stream, at)
    literal = stream[at : min(end, at + MAX_OPERANDS)]
    budget.spend_steps(literal.count(b"(") + literal.count(b"\\"))
    _hold(held, b"<%s>" % unescaped(literal).hex().encode())
    return end + 1


def _hold(held: bytearray, operands: bytes) -> None:
    """Keeps operands before an oddity, or before a limit of the engine, for the operator that
    follows."""
    held += operands
    if len(held) > MAX_OPERANDS:
        raise TooMuch(f"an operator has more than {MAX_OPERANDS // 2**20} MB of operands")


def _released(held: bytearray, operands: bytes) -> bytes:
    """All operands of an operator."""
    _hold(held, operands)
    whole = bytes(held)
    held.clear()
    return whole


def _string_end(stream: bytes, start: int) -> int:
    """The position of the bracket that closes the one before `start`; the end of the stream if
    there is none."""
    plain = _PLAIN_STRING.match(stream, start)
    if plain:
        return plain.end() - 1
    depth = 1
    for bracket in _IN_STRING.finditer(stream, start, start + MAX_OPERANDS):
        depth += (bracket[0] == b"(") - (bracket[0] == b")")
        if depth == 0:
            return bracket.start()
    return len(stream)


def unescaped(literal: bytes) -> bytes:
    """The bytes between the brackets of a literal string (ISO 32000-1, 7.3.4.2)."""

    def plain(escape: re.Match[bytes]) -> bytes:
        word = escape[1]
        if word.isdigit() and word < b"8":
            return bytes([int(word, 8) & 255])
        return _ESCAPES.get(word, word)

    return _ESCAPE.sub(plain, literal) if b"\\" in literal else literal


# What a content stream paints, as sets: each kind of thing once, however often it is placed.


# The initial colour of a form: whatever was set where it is placed.
INHERITED = Colour("inherited", "inherited")

# Inks that small words and hairlines may be mixed of.
MOST_IN_WORDS, MOST_IN_LINES = 2, 3

# Cost of keeping one thing, or of transferring it from a form to its placement: a few hundred
# bytes, some microseconds.
STEPS_TO_KEEP = 10

# The position of a run of text: start and end of its baseline, then its corners at cap height, in
# points.
Quad = tuple[tuple[float, float], ...]


class Paint(NamedTuple):
    """One way of painting: "fill", "stroke" or "text", with what, whether it overprints (None:
    inherited) and on which layer ("" for none)."""

    use: str
    colour: Colour
    overprint: bool | None
    layer: str


class Placed(NamedTuple):
    """The matrix under which a form is placed, and the state it inherits there: fill, stroke, both
    overprints, line width (None: inherited), layer."""

    matrix: Matrix
    fill: Colour | None = None
    stroke: Colour | None = None
    fill_over: bool | None = None
    stroke_over: bool | None = None
    width: float | None = None
    layer: str = ""


class Summary(Struct):
    """Everything in a content stream and in all it places, in its own coordinates.

    `strokes` are line widths (None: inherited) with the matrix they are under; `texts` the upright
    of a letter as a vector of its size; both with whether they are mixed of too many inks. `hidden`
    are ways in which white overprints, so that nothing is seen of it; `images` pictures with the
    matrix that places their unit square; `quads` the positions of text, if requested; `extras`
    kinds of transparency; `faults` what is wrong with the stream itself.
    """

    paints: set[Paint] = field(default_factory=set)
    strokes: set[tuple[float | None, Linear, bool]] = field(default_factory=set)
    texts: set[tuple[float, float, bool]] = field(default_factory=set)
    images: set[tuple[Image, Linear]] = field(default_factory=set)
    quads: list[Quad] = field(default_factory=list)
    fonts: set[Font] = field(default_factory=set)
    extras: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    faults: set[str] = field(default_factory=set)
    inherits: bool = False

    def __len__(self) -> int:
        """The number of things it keeps in memory."""
        few: tuple[Sized, ...] = (self.paints, self.images, self.fonts, self.extras, self.faults)
        return len(self.strokes) + len(self.texts) + len(self.quads) + sum(map(len, few))

    def place(self, other: Summary, placed: Placed, budget: Budget) -> None:
        """Adds what a form paints in its place. Raises TooMuch."""
        budget.spend_steps(STEPS_TO_KEEP * (len(other) + 1))
        self.paints.update(_inheriting(paint, placed) for paint in other.paints)
        a, b, c, d = linear = placed.matrix[:4]
        for width, inner, mixed in other.strokes:
            own = placed.width if width is None else width
            self.strokes.add((own, _linear(inner, linear), mixed))
        self.texts.update(
            (round(x * a + y * c, 3), round(x * b + y * d, 3), mixed) for x, y, mixed in other.texts
        )
        self.images.update((image, _linear(inner, linear)) for image, inner in other.images)
        self.quads += (moved(quad, placed.matrix) for quad in other.quads)
        self.fonts |= other.fonts
        self.extras |= other.extras
        self.hidden |= other.hidden
        self.faults |= other.faults
        self.inherits |= other.inherits


def moved(quad: Quad, matrix: Matrix) -> Quad:
    """Points under a matrix."""
    a, b, c, d, e, f = matrix
    return tuple([(x * a + y * c + e, x * b + y * d + f) for x, y in quad])


def _linear(inner: Linear, outer: Linear) -> Linear:
    a, b, c, d = inner
    g, h, i, j = outer
    return (
        round(a * g + b * i, 6),
        round(a * h + b * j, 6),
        round(c * g + d * i, 6),
        round(c * h + d * j, 6),
    )


def _inheriting(paint: Paint, placed: Placed) -> Paint:
    stroked = paint.use == "stroke"
    colour, overprint = paint.colour, paint.overprint
    if colour is INHERITED:
        colour = (placed.stroke if stroked else placed.fill) or INHERITED
    if overprint is None:
        overprint = placed.stroke_over if stroked else placed.fill_over
    return Paint(paint.use, colour, overprint, paint.layer or placed.layer)


# A walk through a content stream and its resources, giving a summary of what it paints; each form
# it places is walked once.


_Read = TypeVar("_Read")

# A space that could not be read: reported once, not again for every colour in it.
_UNKNOWN = Space("unknown", "unknown", 0)
# Operators that set a colour of a device space, and the number of its values.
_COUNTS = {b"g": 1, b"G": 1, b"rg": 3, b"RG": 3, b"k": 4, b"K": 4}
# Blend modes that change nothing (ISO 32000-1, table 136).
_OPAQUE = ("", "Normal", "Compatible")
# Modes of showing text that paint nothing (ISO 32000-1, table 106).
_INVISIBLE = (3, 7)
_KINDS = {
    "XObject": "form or image",
    "Font": "font",
    "ExtGState": "graphics state",
    "Pattern": "pattern",
    "Shading": "shading",
    "Properties": "property list",
}
# Groups of one membership dictionary whose names are read.
_MOST_LAYERS = 20
# Forms within forms; more is a loop or a trap.
_MAX_FORM_DEPTH = 40
# Graphics states remembered at a time; each takes a thousand bytes.
_MOST_SAVED = 10_000
# Cost of reading a resource, of looking one up, and of measuring a text.
_STEPS_A_THING, _STEPS_A_NAME, _BYTES_A_STEP = 20, 5, 10
# Operations that are read and counted at a time.
_BATCH = 256


class Library:
    """The fonts, images, colour spaces and forms of one file: each read once, when it is first
    named. `wants_quads`: whether the position of text matters."""

    def __init__(self, budget: Budget, *, wants_quads: bool) -> None:
        self.budget, self.wants_quads = budget, wants_quads
        self.colours: dict[tuple[bytes, bytes], Colour] = {}
        self._open_forms: list[Any] = []
        self._known: dict[tuple[str, tuple[int, int]], Any] = {}

    def font(self, value: Any) -> Font | None:
        """A font by its dictionary."""

        def read() -> Font | None:
            return read_font(value, self.budget, measured=self.wants_quads)

        return self._once("font", value, read)

    def space(self, value: Any, named: Any) -> Space | None:
        """A colour space by its object."""
        return self._once("space", value, lambda: read_space(value, named, self.budget))

    def image(self, value: Any, named: Any) -> Image | str:
        """An image by its stream, or what is wrong with it."""
        return self._once("image", value, lambda: read_image(value, named, self.budget))

    def form(self, stream: Any, outer: Any) -> Summary:
        """The summary of a form, a tiling pattern, a glyph or an appearance; without resources of
        its own it uses those of the stream that places it. One that places itself has a fault and
        paints nothing."""
        key = identity(stream)
        is_open = key is not None and key in self._open_forms
        if is_open or len(self._open_forms) >= _MAX_FORM_DEPTH:
            fault = f"a form places itself, or forms are nested more than {_MAX_FORM_DEPTH} deep"
            return Summary(faults={fault})

        def walk() -> Summary:
            self._open_forms.append(key)
            try:
                walker = Walker(stream, entry(stream, "/Resources") or outer, self, of_form=True)
                try:
                    return walker.walk(read_stream(stream, self.budget))
                except Unreadable as error:
                    walker.fault(str(error))
                    return walker.summary
            finally:
                self._open_forms.pop()

        return self._once("form", stream, walk)

    def _once(self, kind: str, value: Any, read: Callable[[], _Read]) -> _Read:
        key = identity(value)
        if key is None or (kind, key) not in self._known:
            self.budget.spend_steps(_STEPS_A_THING)
        if key is None:
            return read()
        if (kind, key) not in self._known:
            self._known[kind, key] = read()
        return cast("_Read", self._known[kind, key])


class _State:
    """The graphics state as far as a check needs it. Colours are None while a pattern is set: what
    it paints has been taken in already. None for a line width, a size or an overprint: inherited
    from wherever the form is placed. `keeps`: what overprints keeps the plates of which it has no
    ink (OPM 1)."""

    def __init__(self, *, of_form: bool) -> None:
        black = GRAY.colour()
        self.ctm: Matrix = IDENTITY
        self.fill: Colour | None = INHERITED if of_form else black
        self.stroke: Colour | None = INHERITED if of_form else black
        self.fill_space: Space = GRAY
        self.stroke_space: Space = GRAY
        self.fill_over: bool | None = None if of_form else False
        self.stroke_over: bool | None = None if of_form else False
        self.width: float | None = None if of_form else 1.0
        self.font: Font | None = None
        self.size = self.spacing = self.word_spacing = self.leading = self.rise = 0.0
        self.scale = 1.0
        self.mode = 0
        self.keeps = False

    def copied(self) -> _State:
        """A copy of the state that can be changed independently."""
        copy = _State.__new__(_State)
        copy.__dict__.update(self.__dict__)
        return copy


_Handler = Callable[["Walker", bytes], None]
# The handler of each operator takes operands as written, and raises ValueError or IndexError if
# they are wrong.
_HANDLERS: dict[bytes, _Handler] = {}


def _reads(*operators: bytes) -> Callable[[_Handler], _Handler]:
    """Makes a method the handler of some operators."""

    def add(handler: _Handler) -> _Handler:
        _HANDLERS.update(dict.fromkeys(operators, handler))
        return handler

    return add


class Walker:
    """Walks one content stream: of a page, or of a form that inherits what it does not set.
    `holder` is the dictionary that may make it a transparency group. What it finds is in `summary`
    afterwards."""

    def __init__(self, holder: Any, resources: Any, library: Library, *, of_form: bool) -> None:
        self.summary = Summary()
        self.state = _State(of_form=of_form)
        self._resources, self._library = resources, library
        self._saved: list[_State] = []
        self._placed: dict[tuple[int, Placed], Summary] = {}
        self._things: dict[tuple[str | int, bytes], Any] = {}
        self._text: Matrix = IDENTITY
        self._line: Matrix = IDENTITY
        self._uprights: set[tuple[float, Linear, Linear, bool]] = set()
        self._layer = ""
        self._layers: list[str] = []
        self._lenient = 0
        if name_of(entry(holder, "/Group", "/S")) == "Transparency":
            self.summary.extras.add("a transparency group")

    def walk(self, stream: bytes) -> Summary:
        """Reads a stream to its end. Raises TooMuch."""
        budget, handlers, summary = self._library.budget, _HANDLERS, self.summary
        waiting = operations(stream, budget)
        # Things are kept for the stream and, colours, for all streams.
        keepers: tuple[Sized, ...] = (summary, self._placed, self._things, self._uprights)
        keepers = (*keepers, self._library.colours)
        kept = len(self._library.colours)
        while batch := list(islice(waiting, _BATCH)):
            for operands, operator in batch:
                handler = handlers.get(operator)
                if handler is not None:
                    try:
                        handler(self, operands)
                    except (ValueError, IndexError, OverflowError):
                        self.fault(f"the operator {operator.decode()} has the wrong operands")
                elif operator and not self._lenient:
                    self.fault(f"{operator[:12].decode('latin-1')!r} is not an operator")
                elif operands.strip() and not self._lenient:
                    self.fault("it ends with operands that no operator follows")
            before, kept = kept, sum(map(len, keepers))
            budget.spend_steps(len(batch) + STEPS_TO_KEEP * (kept - before))
        if self._saved:
            self.fault("graphics states are saved (q) but never restored (Q)")
        for (_, placed), form in self._placed.items():
            summary.place(form, placed, budget)
        for size, (_, _, c, d), (g, h, i, j), mixed in self._uprights:
            x, y = c * size, d * size
            summary.texts.add((round(x * g + y * i, 3), round(x * h + y * j, 3), mixed))
        return summary

    def fault(self, words: str) -> None:
        """Something is wrong with the stream itself."""
        self.summary.faults.add(words)

    def _find(self, kind: str, operands: bytes, read: Callable[[Any], Any]) -> Any:
        """The thing that the last name among the operands refers to, as `read` makes it from the
        resource, or None with a fault."""
        key = (kind, operands)
        if key not in self._things:
            self._library.budget.spend_steps(_STEPS_A_NAME)
            name = _decoded_name(operands.split()[-1])
            try:
                value = entry(self._resources, f"/{kind}", f"/{name}")
            except BROKEN:
                value = None
            if value is None:
                self.fault(f"there is no {_KINDS[kind]} {name!r} among its resources")
            self._things[key] = None if value is None else read(value)
        return self._things[key]

    # Graphics state.

    @_reads(b"q")
    def _save(self, _operands: bytes) -> None:
        self._saved.append(self.state.copied())
        if len(self._saved) > _MOST_SAVED:
            raise TooMuch(
                f"more than {_MOST_SAVED} graphics states are saved (q) and not restored (Q)"
            )

    @_reads(b"Q")
    def _restore(self, _operands: bytes) -> None:
        if self._saved:
            self.state = self._saved.pop()
        else:
            self.fault("a graphics state is restored (Q) without having been saved (q)")

    @_reads(b"cm")
    def _concatenate(self, operands: bytes) -> None:
        a, b, c, d, e, f = map(float, operands.split())
        self.state.ctm = multiply(self.state.ctm, (a, b, c, d, e, f))

    @_reads(b"w")
    def _line_width(self, operands: bytes) -> None:
        self.state.width = abs(float(operands))

    @_reads(b"gs")
    def _graphics_state(self, operands: bytes) -> None:
        changes = self._find("ExtGState", operands, self._read_graphics_state)
        for part, value in (changes or {}).items():
            setattr(self.state, part, value)

    def _read_graphics_state(self, value: Any) -> dict[str, Any]:
        """The parts of the state that a dictionary of the resources changes."""
        budget, summary = self._library.budget, self.summary
        width, font = entry(value, "/LW"), entry(value, "/Font")
        overprint_mode = entry(value, "/OPM")
        strokes_over, fills_over = entry(value, "/OP"), entry(value, "/op")
        if fills_over is None:
            fills_over = strokes_over
        changes: dict[str, Any] = {}
        if width is not None:
            changes["width"] = number_of(width)
        if strokes_over is not None:
            changes["stroke_over"] = strokes_over is True
        if fills_over is not None:
            changes["fill_over"] = fills_over is True
        if overprint_mode is not None:
            changes["keeps"] = number_of(overprint_mode) == 1
        if length_of(font) == 2:
            changes["font"], changes["size"] = self._library.font(font[0]), number_of(font[1])
        for key, words in (("/CA", "a stroke opacity"), ("/ca", "a fill opacity")):
            alpha = number_of(entry(value, key), 1.0)
            if alpha < 1:
                summary.extras.add(f"{words} of {alpha:.3g}")
        mode = entry(value, "/BM")
        blend = name_of(next(items_of(mode, budget), mode))
        if blend not in _OPAQUE:
            summary.extras.add(f"the blend mode {blend}")
        if isinstance(entry(value, "/SMask"), pikepdf.Dictionary):
            summary.extras.add("a soft mask")
        return changes

    # Colours.

    def device_colour(self, operands: bytes, operator: bytes) -> Colour:
        """A colour that sets its space as well, as with `rg`."""
        known = self._library.colours
        colour = known.get((operands, operator))
        if colour is None:
            values = [float(word) for word in operands.split()]
            space = device_space(_COUNTS[operator])
            if len(values) != space.components:
                raise ValueError(operator)
            colour = known[operands, operator] = space.colour(values)
        return colour

    def space(self, operands: bytes) -> Space | None:
        """The colour space that the operands name: a device space, or one of the resources."""
        key = ("ColorSpace", operands)
        if key not in self._things:
            name = _decoded_name(operands.split()[-1])
            named = entry(self._resources, "/ColorSpace")
            own = entry(named, f"/{name}")
            space = self._library.space(pikepdf.Name(f"/{name}") if own is None else own, named)
            if space is None:
                self.fault(f"there is no readable colour space {name!r}")
            self._things[key] = space
        return self._things[key]  # type: ignore[no-any-return]

    def colour_in(self, space: Space, operands: bytes) -> Colour | None:
        """A colour of the current space, or None for a pattern, whose own paint is taken in."""
        if space is _UNKNOWN:
            return None
        if space.family == "pattern":
            tint = [float(word) for word in operands.split()[:-1]]
            below = space.below.colour(tint) if space.below else None
            pattern = self._find("Pattern", operands, self._read_pattern)
            if isinstance(pattern, Colour):
                self._paint("fill", pattern, self.state.fill_over)
            elif pattern is not None:
                form, matrix = pattern
                self._take(form, below, below, matrix)
            return None
        key = (id(space), operands)
        if key not in self._things:
            values = [float(word) for word in operands.split()]
            if len(values) != space.components:
                raise ValueError(operands)
            self._things[key] = space.colour(values)
        return self._things[key]  # type: ignore[no-any-return]

    def _read_pattern(self, value: Any) -> tuple[Summary, Matrix] | Colour | None:
        if isinstance(value, pikepdf.Stream):
            return self._library.form(value, self._resources), matrix_of(entry(value, "/Matrix"))
        return self._read_shading(entry(value, "/Shading"))

    @_reads(b"sh")
    def _shading(self, operands: bytes) -> None:
        colour = self._find("Shading", operands, self._read_shading)
        self._paint("fill", colour, self.state.fill_over)

    def _read_shading(self, value: Any) -> Colour | None:
        colour = shading_colour(value, entry(self._resources, "/ColorSpace"), self._library.budget)
        if colour is None:
            self.fault("a shading has no readable colour space")
        return colour

    # Painting.

    def _paint(self, use: str, colour: Colour | None, overprint: bool | None) -> None:
        if colour is not None:
            self.summary.paints.add(Paint(use, colour, overprint, self._layer))
            if overprint and self.state.keeps and colour.family == "cmyk" and colour.ink == 0:
                self.summary.hidden.add(use)
            if colour is INHERITED or overprint is None:
                self.summary.inherits = True

    @_reads(b"f", b"F", b"f*")
    def _fill(self, _operands: bytes) -> None:
        self._paint("fill", self.state.fill, self.state.fill_over)

    @_reads(b"S", b"s")
    def _stroke(self, _operands: bytes) -> None:
        state = self.state
        self._paint("stroke", state.stroke, state.stroke_over)
        mixed = _is_mixed(state.stroke, MOST_IN_LINES)
        self.summary.strokes.add((state.width, state.ctm[:4], mixed))
        if state.width is None:
            self.summary.inherits = True

    @_reads(b"B", b"B*", b"b", b"b*")
    def _fill_and_stroke(self, operands: bytes) -> None:
        self._fill(operands)
        self._stroke(operands)

    @_reads(b"Do")
    def _place(self, operands: bytes) -> None:
        thing = self._find("XObject", operands, self._read_thing)
        if isinstance(thing, tuple):
            form, matrix, layer = thing
            state = self.state
            self._take(form, state.fill, state.stroke, multiply(state.ctm, matrix), layer)
        elif isinstance(thing, Image):
            self._place_image(thing)
        elif isinstance(thing, str):
            self.fault(thing)

    def _read_thing(self, value: Any) -> tuple[Summary, Matrix, str] | Image | str:
        kind = name_of(entry(value, "/Subtype"))
        if kind == "Image" and isinstance(value, pikepdf.Stream):
            return self._library.image(value, entry(self._resources, "/ColorSpace"))
        if kind == "Form" and isinstance(value, pikepdf.Stream):
            layer = _layer_name(entry(value, "/OC"), self._library.budget)
            form = self._library.form(value, self._resources)
            return form, matrix_of(entry(value, "/Matrix")), layer
        kind = kind or "without a kind"
        return f"it places an object that is neither a form nor an image ({kind})"

    def _take(
        self,
        form: Summary,
        fill: Colour | None,
        stroke: Colour | None,
        matrix: Matrix,
        layer: str = "",
    ) -> None:
        """Remembers where a form lies; the same form under the same circumstances counts once."""
        state = self.state
        if not self._library.wants_quads:
            matrix = (*matrix[:4], 0.0, 0.0)
        layer = layer or self._layer
        if form.inherits:
            self.summary.inherits = True
            placed = Placed(
                matrix, fill, stroke, state.fill_over, state.stroke_over, state.width, layer
            )
        else:
            placed = Placed(matrix, layer=layer)
        self._placed[id(form), placed] = form

    def _place_image(self, image: Image) -> None:
        state = self.state
        self._paint("fill", image.colour or state.fill, state.fill_over)
        self.summary.images.add((image, state.ctm[:4]))
        if image.masked:
            self.summary.extras.add("an image with a soft mask")

    @_reads(b"ID")
    def _inline_image(self, operands: bytes) -> None:
        """The data of an inline image, whose entries are its operands."""
        key = ("ID", operands)
        if key not in self._things:
            apart = operands.replace(b"[", b" ").replace(b"]", b" ").replace(b"/", b" /")
            words = apart.decode("latin-1").split()
            self._library.budget.spend_steps(_STEPS_A_NAME + len(words))
            entries: dict[str, str] = {}
            for word, following in pairwise(words):
                if word.startswith("/"):
                    entries.setdefault(word[1:], following.removeprefix("/"))
            named = entry(self._resources, "/ColorSpace")
            self._things[key] = inline_image(entries, named, self._library.budget)
        image = self._things[key]
        if isinstance(image, str):
            self.fault(image)
        else:
            self._place_image(image)

    # Text.

    @_reads(b"BT")
    def _begin_text(self, _operands: bytes) -> None:
        self._text = self._line = IDENTITY

    @_reads(b"Tf")
    def _font(self, operands: bytes) -> None:
        name, size = operands.split()
        self.state.font = self._find("Font", name, self._read_font)
        self.state.size = float(size)

    def _read_font(self, value: Any) -> Font | None:
        font = self._library.font(value)
        if font is None:
            self.fault("a font has no kind")
        elif font.kind == "Type3":
            for glyph in glyph_streams(value, self._library.budget):
                form = self._library.form(glyph, entry(value, "/Resources") or self._resources)
                self._library.budget.spend_steps(len(form))
                self.summary.faults |= form.faults
                self.summary.extras |= form.extras
                own = {paint for paint in form.paints if paint.colour is not INHERITED}
                self.summary.paints |= own
        return font

    @_reads(b"Tr")
    def _text_mode(self, operands: bytes) -> None:
        self.state.mode = int(float(operands)) & 7

    @_reads(b"Tm")
    def _text_matrix(self, operands: bytes) -> None:
        a, b, c, d, e, f = map(float, operands.split())
        self._text = self._line = (a, b, c, d, e, f)

    @_reads(b"Td")
    def _next_line(self, operands: bytes) -> None:
        x, y = map(float, operands.split())
        self._text = self._line = multiply(self._line, translation(x, y))

    @_reads(b"TD")
    def _next_line_leading(self, operands: bytes) -> None:
        self.state.leading = -float(operands.split()[1])
        self._next_line(operands)

    @_reads(b"T*")
    def _new_line(self, _operands: bytes) -> None:
        self._text = self._line = multiply(self._line, translation(0.0, -self.state.leading))

    @_reads(b"Tj", b"TJ")
    def _show(self, operands: bytes) -> None:
        state = self.state
        if state.font is None:
            self.fault("text is shown before a font is set")
            return
        if self._library.wants_quads:
            self._show_where(state.font, operands)
        if state.mode in _INVISIBLE:
            return
        self.summary.fonts.add(state.font)
        is_filled = state.mode % 4 != 1
        mixed = is_filled and _is_mixed(state.fill, MOST_IN_WORDS)
        self._uprights.add((state.size, self._text[:4], state.ctm[:4], mixed))
        if is_filled:
            self._paint("text", state.fill, state.fill_over)
        if state.mode % 4 in (1, 2):
            self._stroke(operands)

    @_reads(b"'")
    def _show_on_new_line(self, operands: bytes) -> None:
        self._new_line(operands)
        self._show(operands)

    @_reads(b'"')
    def _show_spaced(self, operands: bytes) -> None:
        word, char, text = operands.split(maxsplit=2)
        self.state.word_spacing, self.state.spacing = float(word), float(char)
        self._show_on_new_line(text)

    def _show_where(self, font: Font, operands: bytes) -> None:
        """Moves on by the text, and notes where it stood."""
        state = self.state
        reach = 0.0
        parts = operands.replace(b"<", b" <").replace(b">", b"> ").strip(b" []\r\n\t").split()
        self._library.budget.spend_steps(len(parts) + len(operands) // _BYTES_A_STEP)
        for part in parts:
            if part.startswith(b"<"):
                # The last digit may be missing: it is 0 (ISO 32000-1, 7.3.4.3).
                digits = part.strip(b"<>").decode("latin-1")
                codes = bytes.fromhex(digits.ljust(len(part) - 2 + (len(part) & 1), "0"))
                reach += font.advance(codes, state.spacing, state.word_spacing, state.size)
            elif part not in (b"[", b"]"):
                reach -= float(part.strip(b"[]")) / 1000 * state.size
        reach *= state.scale
        top = state.rise + font.cap_height / 1000 * state.size
        where = multiply(state.ctm, self._text)
        if state.mode not in _INVISIBLE:
            end = reach - state.spacing * state.scale  # what follows the last letter is no text
            corners = ((0.0, state.rise), (end, state.rise), (end, top), (0.0, top))
            self.summary.quads.append(moved(corners, where))
        self._text = multiply(self._text, translation(reach, 0.0))

    # Marked content.

    @_reads(b"BDC", b"BMC")
    def _begin_content(self, operands: bytes) -> None:
        words = operands.split()
        layer = ""
        if words[:1] == [b"/OC"] and len(words) == 2:
            layer = self._find(
                "Properties", operands, lambda group: _layer_name(group, self._library.budget)
            )
        self._layers.append(self._layer)
        self._layer = layer or self._layer

    @_reads(b"EMC")
    def _end_content(self, _operands: bytes) -> None:
        if self._layers:
            self._layer = self._layers.pop()
        else:
            self.fault("marked content ends (EMC) without having begun (BDC)")

    @_reads(b"BX")
    def _be_lenient(self, _operands: bytes) -> None:
        """Unknown operators may follow."""
        self._lenient += 1

    @_reads(b"EX")
    def _be_strict(self, _operands: bytes) -> None:
        self._lenient = max(self._lenient - 1, 0)

    # Left over if they follow no operands, or a bracket: path, clip, line style, glyph and marked
    # points.
    @_reads(*b"h n W W* re m l c v y d i j J M ri ET BI MP DP d0 d1".split())
    def _nothing(self, _operands: bytes) -> None:
        """Operators that paint nothing a check looks at."""


def _add_number(operator: bytes, part: str, factor: float = 1.0) -> None:
    @_reads(operator)
    def handler(walker: Walker, operands: bytes) -> None:
        setattr(walker.state, part, float(operands) * factor)


def _add_colours(
    part: str, device: tuple[bytes, ...], space: bytes, values: tuple[bytes, ...]
) -> None:
    """Handlers of the operators that set the colour of fills, or of strokes."""

    @_reads(space)
    def set_space(walker: Walker, operands: bytes) -> None:
        space = walker.space(operands)
        setattr(walker.state, f"{part}_space", space or _UNKNOWN)
        setattr(walker.state, part, space.colour() if space and space.family != "pattern" else None)

    @_reads(*values)
    def set_values(walker: Walker, operands: bytes) -> None:
        space = getattr(walker.state, f"{part}_space")
        setattr(walker.state, part, walker.colour_in(space, operands))

    def add_device(operator: bytes) -> None:
        @_reads(operator)
        def set_both(walker: Walker, operands: bytes) -> None:
            setattr(walker.state, part, walker.device_colour(operands, operator))

    for operator in device:
        add_device(operator)


_add_number(b"Tc", "spacing")
_add_number(b"Tw", "word_spacing")
_add_number(b"Tz", "scale", 0.01)
_add_number(b"TL", "leading")
_add_number(b"Ts", "rise")
_add_colours("fill", (b"g", b"rg", b"k"), b"cs", (b"sc", b"scn"))
_add_colours("stroke", (b"G", b"RG", b"K"), b"CS", (b"SC", b"SCN"))


def _is_mixed(colour: Colour | None, most: int) -> bool:
    """True for a colour of more inks than fine things of its kind should have."""
    return colour is not None and colour.plates > most


def _layer_name(group: Any, budget: Budget, *, member: bool = False) -> str:
    """The name of an optional content group, or those of a membership dictionary; "" for anything
    else."""
    if not member and name_of(entry(group, "/Type")) == "OCMD":
        members = entry(group, "/OCGs")
        groups = items_of(members, budget) if isinstance(members, pikepdf.Array) else [members]
        names = (_layer_name(one, budget, member=True) for one in islice(groups, _MOST_LAYERS))
        return " + ".join(filter(None, names))
    name = words_of(entry(group, "/Name"))
    budget.spend_steps(len(name))
    return name[:MAX_NAME]


def _decoded_name(word: bytes) -> str:
    """A name as written in a stream, without its slash and with its #xx read. Raises ValueError for
    anything that is not a name."""
    if not word.startswith(b"/") or len(word) > MAX_NAME:
        raise ValueError(word[:MAX_NAME])
    if b"#" not in word:
        return word[1:].decode("utf-8", "replace")
    first, *parts = word[1:].split(b"#")
    read = b"".join(bytes.fromhex(part[:2].decode("latin-1")) + part[2:] for part in parts)
    return (first + read).decode("utf-8", "replace")
