"""What a content stream paints, as sets: each kind of thing once, however often it is placed."""

from __future__ import annotations

from collections.abc import Sized
from typing import NamedTuple

from msgspec import Struct, field

from platelayer.foundation.matrices import Linear, Matrix
from platelayer.preflight.colours import Colour
from platelayer.preflight.fonts import Font
from platelayer.preflight.images import Image
from platelayer.preflight.objects import Budget

INHERITED = Colour("inherited", "inherited")
"""The initial colour of a form: whatever was set where it is placed."""

MOST_IN_WORDS, MOST_IN_LINES = 2, 3
"""Inks that small words and hairlines may be mixed of."""

STEPS_TO_KEEP = 10
"""Cost of keeping one thing, or of transferring it from a form to its placement: a few hundred
bytes, some microseconds."""

Quad = tuple[tuple[float, float], ...]
"""The position of a run of text: start and end of its baseline, then its corners at cap height, in
points."""


class Paint(NamedTuple):
    """One way of painting: "fill", "stroke" or "text", with what, whether it overprints (None:
    inherited) and on which layer ("" for none)."""

    use: str
    colour: Colour
    overprint: bool | None
    layer: str


class Placed(NamedTuple):
    """Where a form is placed and what it inherits there: fill, stroke, both overprints, line width
    (None: inherited)."""

    matrix: Matrix
    fill: Colour | None = None
    stroke: Colour | None = None
    fill_over: bool | None = None
    stroke_over: bool | None = None
    width: float | None = None
    layer: str = ""


class Summary(Struct):
    """What is in a content stream and in all it places, in its own coordinates.

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
        linear = placed.matrix[:4]
        for width, inner, mixed in other.strokes:
            self.strokes.add(
                (placed.width if width is None else width, _linear(inner, linear), mixed)
            )
        a, b, c, d = linear
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
