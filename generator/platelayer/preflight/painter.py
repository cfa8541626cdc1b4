"""Operators that set and use colours, lines, forms and images, and what they paint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pikepdf

from platelayer.foundation.matrices import Matrix, multiply
from platelayer.preflight.budget import TooMuch
from platelayer.preflight.colours import Colour, Space, device_space, shading_colour
from platelayer.preflight.images import Image, inline_image
from platelayer.preflight.library import Library, resource
from platelayer.preflight.objects import entry, matrix_of, name_of
from platelayer.preflight.state import State, decoded_name, layer_name, read_graphics_state
from platelayer.preflight.summary import INHERITED, Paint, Placed, Summary

UNKNOWN = Space("unknown", "unknown", 0)
"""A space that could not be read: reported once, not again for every colour in it."""
COUNTS = {b"g": 1, b"G": 1, b"rg": 3, b"RG": 3, b"k": 4, b"K": 4}
"""Operators that set a colour of a device space, and how many values it takes."""

MOST_FINE_INKS = 2
"""Inks that small words and hairlines may be mixed of."""
_STEPS = 5
"""Cost of looking up a resource."""
_MOST_SAVED = 10_000
"""Graphics states remembered at a time; each takes a thousand bytes."""
_KINDS = {
    "XObject": "form or image",
    "Font": "font",
    "ExtGState": "graphics state",
    "Pattern": "pattern",
    "Shading": "shading",
    "Properties": "property list",
}


def is_mixed(colour: Colour | None) -> bool:
    """Whether a colour takes more than two inks."""
    return colour is not None and colour.plates > MOST_FINE_INKS


class Painter:
    """The part of a walk through a content stream that does not deal with text: methods are operators, and take
    operands as written in the stream. They raise ValueError or IndexError for wrong operands."""

    def __init__(self, resources: Any, library: Library, *, of_form: bool) -> None:
        self.summary = Summary()
        self.resources, self.library = resources, library
        self.state = State(of_form=of_form)
        self.saved: list[State] = []
        self.layer = ""
        self.placed: dict[tuple[int, Placed], Summary] = {}
        self.things: dict[tuple[str | int, bytes], Any] = {}

    def walk_form(self, stream: Any, outer: Any) -> Summary:
        """What a form, a tiling pattern or a glyph paints; without resources of its own it uses those of the stream
        that places it."""
        raise NotImplementedError

    def fault(self, words: str) -> None:
        """Something is wrong with the stream itself."""
        self.summary.faults.add(words)

    def find(self, kind: str, operands: bytes, read: Callable[[Any], Any]) -> Any:
        """What the last name among the operands refers to, as `read` makes it from the resource, or None with a
        fault."""
        key = (kind, operands)
        if key not in self.things:
            self.library.budget.spend_steps(_STEPS)
            name = decoded_name(operands.split()[-1])
            value = resource(self.resources, kind, name)
            if value is None:
                self.fault(f"there is no {_KINDS[kind]} {name!r} among its resources")
            self.things[key] = None if value is None else read(value)
        return self.things[key]

    # Graphics state ---------------------------------------------------------------------------------------------------

    def save(self, _operands: bytes) -> None:
        """`q`: remembers the graphics state."""
        self.saved.append(self.state.copied())
        if len(self.saved) > _MOST_SAVED:
            raise TooMuch(f"more than {_MOST_SAVED} graphics states are saved (q) and not restored (Q)")

    def restore(self, _operands: bytes) -> None:
        """`Q`: goes back to the graphics state remembered last."""
        if self.saved:
            self.state = self.saved.pop()
        else:
            self.fault("a graphics state is restored (Q) without having been saved (q)")

    def concatenate(self, operands: bytes) -> None:
        """`cm`: moves, turns or scales what follows."""
        a, b, c, d, e, f = map(float, operands.split())
        self.state.ctm = multiply(self.state.ctm, (a, b, c, d, e, f))

    def line_width(self, operands: bytes) -> None:
        """`w`."""
        self.state.width = abs(float(operands))

    def graphics_state(self, operands: bytes) -> None:
        """`gs`: applies what a dictionary of the resources sets."""
        found = self.find("ExtGState", operands, lambda value: read_graphics_state(value, self.library.budget))
        if found is None:
            return
        state, (width, strokes_over, fills_over, font, extras, keeps) = self.state, found
        state.keeps = state.keeps if keeps is None else keeps
        state.width = state.width if width is None else width
        state.stroke_over = state.stroke_over if strokes_over is None else strokes_over
        state.fill_over = state.fill_over if fills_over is None else fills_over
        self.summary.extras |= extras
        if font is not None:
            state.font, state.size = self.library.font(font[0]), font[1]

    # Colours ----------------------------------------------------------------------------------------------------------

    def device_colour(self, operands: bytes, operator: bytes) -> Colour:
        """A colour that sets its space as well, as with `rg`."""
        known = self.library.colours
        found = known.get((operands, operator))
        if found is None:
            values = [float(word) for word in operands.split()]
            space = device_space(COUNTS[operator])
            if len(values) != space.components:
                raise ValueError(operator)
            found = known[operands, operator] = space.colour(values)
        return found

    def space(self, operands: bytes) -> Space | None:
        """The colour space that the operands name: a device space, or one of the resources."""
        key = ("ColorSpace", operands)
        if key not in self.things:
            name = decoded_name(operands.split()[-1])
            named = entry(self.resources, "/ColorSpace")
            own = entry(named, f"/{name}")
            found = self.library.space(pikepdf.Name(f"/{name}") if own is None else own, named)
            if found is None:
                self.fault(f"there is no readable colour space {name!r}")
            self.things[key] = found
        return self.things[key]  # type: ignore[no-any-return]

    def colour_in(self, space: Space, operands: bytes) -> Colour | None:
        """A colour of the current space, or None for a pattern, whose own paint is taken in."""
        if space is UNKNOWN:
            return None
        if space.family == "pattern":
            tint = [float(word) for word in operands.split()[:-1]]
            self._pattern(operands, space.below.colour(tint) if space.below else None)
            return None
        key = (id(space), operands)
        if key not in self.things:
            values = [float(word) for word in operands.split()]
            if len(values) != space.components:
                raise ValueError(operands)
            self.things[key] = space.colour(values)
        return self.things[key]  # type: ignore[no-any-return]

    def _pattern(self, operands: bytes, below: Colour | None) -> None:
        pattern = self.find("Pattern", operands, self._read_pattern)
        if isinstance(pattern, Colour):
            self._paint("fill", pattern, self.state.fill_over)
        elif pattern is not None:
            form, matrix = pattern
            self._take(form, below, below, matrix)

    def _read_pattern(self, value: Any) -> tuple[Summary, Matrix] | Colour | None:
        if isinstance(value, pikepdf.Stream):
            return self.walk_form(value, self.resources), matrix_of(entry(value, "/Matrix"))
        return self._read_shading(entry(value, "/Shading"))

    def shading(self, operands: bytes) -> None:
        """`sh`: paints a gradient."""
        self._paint("fill", self.find("Shading", operands, self._read_shading), self.state.fill_over)

    def _read_shading(self, value: Any) -> Colour | None:
        colour = shading_colour(value, entry(self.resources, "/ColorSpace"), self.library.budget)
        if colour is None:
            self.fault("a shading has no readable colour space")
        return colour

    # Painting ---------------------------------------------------------------------------------------------------------

    def _paint(self, use: str, colour: Colour | None, overprint: bool | None) -> None:
        if colour is not None:
            self.summary.paints.add(Paint(use, colour, overprint, self.layer))
            if overprint and self.state.keeps and colour.family == "cmyk" and colour.ink == 0:
                self.summary.hidden.add(use)
            if colour is INHERITED or overprint is None:
                self.summary.inherits = True

    def fill(self, _operands: bytes) -> None:
        """`f`, `f*`."""
        self._paint("fill", self.state.fill, self.state.fill_over)

    def stroke(self, _operands: bytes) -> None:
        """`S`, `s`."""
        state = self.state
        self._paint("stroke", state.stroke, state.stroke_over)
        self.summary.strokes.add((state.width, state.ctm[:4], is_mixed(state.stroke)))
        if state.width is None:
            self.summary.inherits = True

    def fill_and_stroke(self, operands: bytes) -> None:
        """`B` and its variants."""
        self.fill(operands)
        self.stroke(operands)

    def place(self, operands: bytes) -> None:
        """`Do`: a form or an image."""
        thing = self.find("XObject", operands, self._read_thing)
        if isinstance(thing, tuple):
            form, matrix, layer = thing
            self._take(form, self.state.fill, self.state.stroke, multiply(self.state.ctm, matrix), layer)
        elif isinstance(thing, Image):
            self._place_image(thing)
        elif isinstance(thing, str):
            self.fault(thing)

    def _read_thing(self, value: Any) -> tuple[Summary, Matrix, str] | Image | str:
        kind = name_of(entry(value, "/Subtype"))
        if kind == "Image" and isinstance(value, pikepdf.Stream):
            return self.library.image(value, entry(self.resources, "/ColorSpace"))
        if kind == "Form" and isinstance(value, pikepdf.Stream):
            layer = layer_name(entry(value, "/OC"), self.library.budget)
            return self.walk_form(value, self.resources), matrix_of(entry(value, "/Matrix")), layer
        return f"it places an object that is neither a form nor an image ({kind or 'without a kind'})"

    def _take(self, form: Summary, fill: Colour | None, stroke: Colour | None, matrix: Matrix, layer: str = "") -> None:
        """Remembers where a form lies; the same form under the same circumstances counts once."""
        state = self.state
        if not self.library.wants_quads:
            matrix = (*matrix[:4], 0.0, 0.0)
        layer = layer or self.layer
        if form.inherits:
            self.summary.inherits = True
            placed = Placed(matrix, fill, stroke, state.fill_over, state.stroke_over, state.width, layer)
        else:
            placed = Placed(matrix, None, None, None, None, None, layer)
        self.placed[id(form), placed] = form

    def _place_image(self, image: Image) -> None:
        state = self.state
        self._paint("fill", image.colour or state.fill, state.fill_over)
        self.summary.images.add((image, state.ctm[:4]))
        if image.masked:
            self.summary.extras.add("an image with a soft mask")

    def inline_image(self, operands: bytes) -> None:
        """`ID`: the data of an inline image, whose entries are its operands."""
        key = ("ID", operands)
        if key not in self.things:
            self.things[key] = self._read_inline(operands)
        if isinstance(self.things[key], str):
            self.fault(self.things[key])
        else:
            self._place_image(self.things[key])

    def _read_inline(self, operands: bytes) -> Image | str:
        words = operands.replace(b"[", b" ").replace(b"]", b" ").replace(b"/", b" /").decode("latin-1").split()
        self.library.budget.spend_steps(_STEPS + len(words))
        entries: dict[str, str] = {}
        for number, word in enumerate(words[:-1]):
            if word.startswith("/") and word[1:] not in entries:
                entries[word[1:]] = words[number + 1].removeprefix("/")
        return inline_image(entries, entry(self.resources, "/ColorSpace"), self.library.budget)
