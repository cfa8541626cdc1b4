"""A walk through a content stream and its resources, giving a summary of what it paints; each form it places is walked
once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from platelayer.foundation.matrices import IDENTITY, Linear, Matrix, multiply, translation
from platelayer.preflight.filters import Unreadable
from platelayer.preflight.fonts import Font, glyph_streams
from platelayer.preflight.lexer import operations
from platelayer.preflight.library import Library
from platelayer.preflight.objects import entry, name_of
from platelayer.preflight.painter import COUNTS, UNKNOWN, Painter, is_mixed
from platelayer.preflight.state import layer_name
from platelayer.preflight.streams import read_stream
from platelayer.preflight.summary import INHERITED, STEPS_TO_KEEP, Summary, moved

_INVISIBLE = (3, 7)
_BYTES_A_STEP = 10
_BATCH = 256
"""Operations that are read and counted at a time."""


class Walker(Painter):
    """Walks one content stream. What it finds is in `summary` afterwards."""

    def __init__(self, resources: Any, library: Library, *, of_form: bool) -> None:
        super().__init__(resources, library, of_form=of_form)
        self._text: Matrix = IDENTITY
        self._line: Matrix = IDENTITY
        self._layers: list[str] = []
        self._lenient = 0
        self._uprights: set[tuple[float, Linear, Linear, bool]] = set()

    def walk(self, stream: bytes) -> Summary:
        """Reads a stream to its end. Raises TooMuch."""
        budget, handlers = self.library.budget, _HANDLERS
        found = operations(stream, budget)
        kept = len(self.library.colours)
        while batch := list(islice(found, _BATCH)):
            for operands, operator in batch:
                handler = handlers.get(operator)
                if handler is None:
                    self._unknown(operands, operator)
                    continue
                try:
                    handler(self, operands)
                except (ValueError, IndexError, OverflowError):
                    self.fault(f"the operator {operator.decode()} has the wrong operands")
            before, kept = kept, self._kept()
            budget.spend_steps(len(batch) + STEPS_TO_KEEP * (kept - before))
        self._finish()
        return self.summary

    def _kept(self) -> int:
        """The number of things kept, for the stream and for all streams."""
        library = self.library
        return len(self.summary) + len(self.placed) + len(self.things) + len(self._uprights) + len(library.colours)

    def _finish(self) -> None:
        if self.saved:
            self.fault("graphics states are saved (q) but never restored (Q)")
        for (_, placed), form in self.placed.items():
            self.summary.place(form, placed, self.library.budget)
        for size, (_, _, c, d), (g, h, i, j), mixed in self._uprights:
            x, y = c * size, d * size
            self.summary.texts.add((round(x * g + y * i, 3), round(x * h + y * j, 3), mixed))

    def _unknown(self, operands: bytes, operator: bytes) -> None:
        if self._lenient or not (operator or operands.strip()):
            return
        if operator:
            self.fault(f"{operator[:12].decode('latin-1')!r} is not an operator")
        else:
            self.fault("it ends with operands that no operator follows")

    def walk_form(self, stream: Any, outer: Any) -> Summary:
        """A form, with the library that all streams of the file share."""
        return walk_form(stream, outer, self.library)

    # Text -------------------------------------------------------------------------------------------------------------

    def begin_text(self, _operands: bytes) -> None:
        """`BT`."""
        self._text = self._line = IDENTITY

    def font(self, operands: bytes) -> None:
        """`Tf`."""
        name, size = operands.split()
        self.state.font = self.find("Font", name, self._read_font)
        self.state.size = float(size)

    def _read_font(self, value: Any) -> Font | None:
        found = self.library.font(value)
        if found is None:
            self.fault("a font has no kind")
        elif found.kind == "Type3":
            for glyph in glyph_streams(value, self.library.budget):
                form = self.walk_form(glyph, entry(value, "/Resources") or self.resources)
                self.library.budget.spend_steps(len(form))
                self.summary.faults |= form.faults
                self.summary.extras |= form.extras
                self.summary.paints |= {paint for paint in form.paints if paint.colour is not INHERITED}
        return found

    def text_matrix(self, operands: bytes) -> None:
        """`Tm`."""
        a, b, c, d, e, f = map(float, operands.split())
        self._text = self._line = (a, b, c, d, e, f)

    def next_line(self, operands: bytes) -> None:
        """`Td`."""
        x, y = map(float, operands.split())
        self._text = self._line = multiply(self._line, translation(x, y))

    def next_line_leading(self, operands: bytes) -> None:
        """`TD`."""
        self.state.leading = -float(operands.split()[1])
        self.next_line(operands)

    def new_line(self, _operands: bytes) -> None:
        """`T*`."""
        self._text = self._line = multiply(self._line, translation(0.0, -self.state.leading))

    def show(self, operands: bytes) -> None:
        """`Tj`, `TJ`."""
        state = self.state
        if state.font is None:
            self.fault("text is shown before a font is set")
            return
        if self.library.wants_quads:
            self._show_where(state.font, operands)
        if state.mode in _INVISIBLE:
            return
        self.summary.fonts.add(state.font)
        mixed = state.mode % 4 != 1 and is_mixed(state.fill)
        self._uprights.add((state.size, self._text[:4], state.ctm[:4], mixed))
        if state.mode % 4 != 1:
            self._paint("text", state.fill, state.fill_over)
        if state.mode % 4 in (1, 2):
            self.stroke(operands)

    def show_on_new_line(self, operands: bytes) -> None:
        """`'`."""
        self.new_line(operands)
        self.show(operands)

    def show_spaced(self, operands: bytes) -> None:
        """`"`: with word and character spacing."""
        word, char, text = operands.split(maxsplit=2)
        self.state.word_spacing, self.state.spacing = float(word), float(char)
        self.show_on_new_line(text)

    def _show_where(self, font: Font, operands: bytes) -> None:
        """Moves on by the text, and notes where it stood."""
        state = self.state
        reach = 0.0
        parts = operands.replace(b"<", b" <").replace(b">", b"> ").strip(b" []\r\n\t").split()
        self.library.budget.spend_steps(len(parts) + len(operands) // _BYTES_A_STEP)
        for part in parts:
            if part.startswith(b"<"):
                codes = bytes.fromhex(part.strip(b"<>").decode("latin-1").ljust(len(part) - 2 + (len(part) & 1), "0"))
                reach += font.advance(codes, state.spacing, state.word_spacing, state.size)
            elif part not in (b"[", b"]"):
                reach -= float(part.strip(b"[]")) / 1000 * state.size
        reach *= state.scale
        top = state.rise + font.cap_height / 1000 * state.size
        where = multiply(state.ctm, self._text)
        if state.mode not in _INVISIBLE:
            corners = ((0.0, state.rise), (reach, state.rise), (reach, top), (0.0, top))
            self.summary.quads.append(moved(corners, where))
        self._text = multiply(self._text, translation(reach, 0.0))

    # Marked content ---------------------------------------------------------------------------------------------------

    def begin_content(self, operands: bytes) -> None:
        """`BDC`, `BMC`: mark layers."""
        words = operands.split()
        layer = self.find("Properties", operands, self._read_layer) if words[:1] == [b"/OC"] and len(words) == 2 else ""
        self._layers.append(self.layer)
        self.layer = layer or self.layer

    def _read_layer(self, value: Any) -> str:
        return layer_name(value, self.library.budget)

    def end_content(self, _operands: bytes) -> None:
        """`EMC`."""
        if self._layers:
            self.layer = self._layers.pop()
        else:
            self.fault("marked content ends (EMC) without having begun (BDC)")

    def be_lenient(self, _operands: bytes) -> None:
        """`BX`: unknown operators may follow."""
        self._lenient += 1

    def be_strict(self, _operands: bytes) -> None:
        """`EX`."""
        self._lenient = max(self._lenient - 1, 0)

    def nothing(self, _operands: bytes) -> None:
        """Operators that paint nothing a check looks at."""


def walk_form(stream: Any, outer: Any, library: Library) -> Summary:
    """What a form, a tiling pattern or a glyph paints; without resources of its own it uses those of the stream that
    places it."""

    def walk() -> Summary:
        walker = Walker(entry(stream, "/Resources") or outer, library, of_form=True)
        if name_of(entry(stream, "/Group", "/S")) == "Transparency":
            walker.summary.extras.add("a transparency group")
        try:
            return walker.walk(read_stream(stream, library.budget))
        except Unreadable as stop:
            walker.summary.faults.add(str(stop))
            return walker.summary

    return library.summary(stream, walk)


Handler = Callable[[Walker, bytes], None]


def _device(operator: bytes) -> Handler:
    def fill(walker: Walker, operands: bytes) -> None:
        walker.state.fill = walker.device_colour(operands, operator)

    def stroke(walker: Walker, operands: bytes) -> None:
        walker.state.stroke = walker.device_colour(operands, operator)

    return fill if operator.islower() else stroke


def _set_fill_space(walker: Walker, operands: bytes) -> None:
    space = walker.space(operands)
    walker.state.fill_space = space or UNKNOWN
    walker.state.fill = space.colour() if space and space.family != "pattern" else None


def _set_stroke_space(walker: Walker, operands: bytes) -> None:
    space = walker.space(operands)
    walker.state.stroke_space = space or UNKNOWN
    walker.state.stroke = space.colour() if space and space.family != "pattern" else None


def _set_fill(walker: Walker, operands: bytes) -> None:
    walker.state.fill = walker.colour_in(walker.state.fill_space, operands)


def _set_stroke(walker: Walker, operands: bytes) -> None:
    walker.state.stroke = walker.colour_in(walker.state.stroke_space, operands)


def _set_number(part: str, factor: float = 1.0) -> Handler:
    def handler(walker: Walker, operands: bytes) -> None:
        setattr(walker.state, part, float(operands) * factor)

    return handler


def _set_mode(walker: Walker, operands: bytes) -> None:
    walker.state.mode = int(float(operands)) & 7


_HANDLERS: dict[bytes, Handler] = {
    b"q": Walker.save,
    b"Q": Walker.restore,
    b"cm": Walker.concatenate,
    b"w": Walker.line_width,
    b"gs": Walker.graphics_state,
    **{operator: _device(operator) for operator in COUNTS},
    b"cs": _set_fill_space,
    b"CS": _set_stroke_space,
    b"sc": _set_fill,
    b"scn": _set_fill,
    b"SC": _set_stroke,
    b"SCN": _set_stroke,
    b"sh": Walker.shading,
    **dict.fromkeys((b"f", b"F", b"f*"), Walker.fill),
    **dict.fromkeys((b"S", b"s"), Walker.stroke),
    **dict.fromkeys((b"B", b"B*", b"b", b"b*"), Walker.fill_and_stroke),
    b"Do": Walker.place,
    b"ID": Walker.inline_image,
    b"BT": Walker.begin_text,
    b"Tf": Walker.font,
    b"Tm": Walker.text_matrix,
    b"Td": Walker.next_line,
    b"TD": Walker.next_line_leading,
    b"T*": Walker.new_line,
    b"Tj": Walker.show,
    b"TJ": Walker.show,
    b"'": Walker.show_on_new_line,
    b'"': Walker.show_spaced,
    b"Tr": _set_mode,
    b"Tc": _set_number("spacing"),
    b"Tw": _set_number("word_spacing"),
    b"Tz": _set_number("scale", 0.01),
    b"TL": _set_number("leading"),
    b"Ts": _set_number("rise"),
    **dict.fromkeys((b"BDC", b"BMC"), Walker.begin_content),
    b"EMC": Walker.end_content,
    b"BX": Walker.be_lenient,
    b"EX": Walker.be_strict,
    # Left over if they follow no operands, or a bracket: path, clip, line style, glyph and marked points.
    **dict.fromkeys(
        (b"h", b"n", b"W", b"W*", b"re", b"m", b"l", b"c", b"v", b"y", b"d", b"i", b"j", b"J", b"M", b"ri", b"ET",
         b"BI", b"MP", b"DP", b"d0", b"d1"),
        Walker.nothing,
    ),
}  # fmt: skip
