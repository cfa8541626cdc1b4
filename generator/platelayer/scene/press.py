"""Colours on the press: what is printed of a colour given as RGB, and how a recipe looks on paper.

Both are read from a table that `tools/press_table.py` works out from the colour profile: littlecms
would give other last bits from release to release, and takes 30 ms to start. There is a table for
each press; a thread prints for one at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from itertools import combinations, product
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from platelayer.foundation.geometry import mm_from_pt
from platelayer.foundation.pixels import Pixels, in_colours, inks_of
from platelayer.foundation.resources import asset_bytes
from platelayer.scene.inks import (
    BLACK_ON_PAPER,
    CMYK,
    GREY,
    RGB,
    Ink,
    in_percents,
    ink_from_hex,
    ink_from_rgb,
    is_grey,
)

# The file in assets/icc, without suffix, that has the profile and the table of each press.
PRESSES = {
    "coated": "ISOcoated_v2_300_bas",
    "uncoated": "FOGRA47L_uncoated",
    "gracol": "GRACoL_TR006_coated",
}
COATED = "coated"
# Nodes along each side of the cube of colours, and of the cube of inks.
COLOUR_STEPS, INK_STEPS = 33, 13
# A byte of the table that means all of a part.
FULL = 255
_GREYS_AT = COLOUR_STEPS**3 * 4
_LOOKS_AT = _GREYS_AT + 256
_LABS_AT = _LOOKS_AT + INK_STEPS**4 * 3
# Where a and b of a grey are in the table.
_NEUTRAL = 128
# Less than this of an ink prints no dots.
_FAINT = 0.02
_FINEST = 0.03
# How much more a miss of small words counts in hue, in lightness, and in being lighter by more than
# `_PALER`.
_HUE, _LIGHTNESS, _PALE, _PALER = 2.0, 1.5, 20.0, 3.0
_NEAR, _NUDGE, _FLAT = 0.5, 0.04, 1.0
Lab = tuple[float, float, float]
# All inks of the press.
INKS = 4
_TWO, _THREE = 2, 3
_FINE_TEXT_PT = 8.0
_FINE_STROKE_MM = mm_from_pt(0.5)
# Rounding error allowed in a size.
_SLIP = 1e-6


def inks_of_words(size_pt: float) -> int:
    """The most inks that words of this size are printed with. Under 8 pt two: where the plates do
    not quite meet, a third would blur the letters. From there on three, which make any hue."""
    return _TWO if size_pt < _FINE_TEXT_PT - _SLIP else _THREE


def inks_of_line(width_mm: float) -> int:
    """The most inks that a line of this width is printed with. Up to 0.5 pt three."""
    return _THREE if width_mm <= _FINE_STROKE_MM + _SLIP else INKS


_Function = TypeVar("_Function", bound=Callable[..., Any])
_here = ContextVar("press", default=COATED)


def kept_by_press(maxsize: int) -> Callable[[_Function], _Function]:
    """Decorates a function whose results hold for the press at hand: they are kept for each press
    by itself."""

    def decorated(function: _Function) -> _Function:
        kept = {press: lru_cache(maxsize=maxsize)(function) for press in PRESSES}

        @wraps(function)
        def of_this_press(*given: Any, **named: Any) -> Any:
            return kept[_here.get()](*given, **named)

        return cast("_Function", of_this_press)

    return decorated


def press_at_hand() -> str:
    """The name of the press that inks are mixed for, in this thread."""
    return _here.get()


@contextmanager
def printing_on(press: str) -> Iterator[None]:
    """Inks are mixed for a press, and judged on it, as long as this lasts, in this thread alone.
    Raises KeyError for an unknown one."""
    if press not in PRESSES:
        raise KeyError(press)
    before = _here.set(press)
    try:
        yield
    finally:
        _here.reset(before)


@kept_by_press(maxsize=1)
def _table() -> bytes:
    return asset_bytes("icc", f"{PRESSES[_here.get()]}.table")


@kept_by_press(maxsize=4096)
def recipe_of(ink: Ink, most: int = INKS) -> CMYK:
    """CMYK recipe that is printed for an ink: that of its theme or, for a colour given as RGB
    alone, the mixture that looks like it in the profile of the output intent; greys in black ink
    alone; at most 240 %. With `most`, two or three inks, it is the mixture of these that looks like
    it."""
    recipe = _mixed(ink.rgb) if ink.by_profile else ink.cmyk
    # Most recipes have few inks as they are; only the others are mixed anew, which takes long.
    if sum(map(bool, recipe)) <= most:
        return recipe
    return _of_three(recipe) if most == _THREE else _of_two(recipe)


def _mixed(rgb: RGB) -> CMYK:
    if is_grey(rgb):
        # A grey of three colours turns green or pink as soon as one plate prints a little heavier;
        # black alone cannot.
        grey = math.fsum(rgb) / 3
        black = 1.0 if grey <= BLACK_ON_PAPER else _table()[_GREYS_AT + round(grey * FULL)] / FULL
        return (0.0, 0.0, 0.0, round(black, 2))
    return _printable(_between(0, COLOUR_STEPS, rgb, 4))


def _printable(recipe: Sequence[float]) -> CMYK:
    return in_percents([0.0 if part < _FAINT else part for part in recipe])


@kept_by_press(maxsize=4096)
def proof(ink: Ink, most: int = INKS) -> Ink:
    """The ink as it looks on paper, printed with at `most` so many inks: an ink with the RGB of
    what is printed, seen beside the paper's white and the darkest black of the press. A spot ink
    keeps its look."""
    return ink if ink.spot else replace(ink, rgb=_look(recipe_of(ink, most)))


@kept_by_press(maxsize=4096)
def printed_contrast(words: Ink, ground: Ink, most: int = INKS) -> float:
    """Contrast ratio of two inks on paper, 1 to 21, WCAG 2.2, where the words are printed with at
    `most` so many inks. It is that of their lightness, as a proof in sRGB shows deep greens and
    blues paler than they are."""
    light, dark = sorted((_luminance(words, most), _luminance(ground, INKS)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(ink: Ink, most: int) -> float:
    lightness = _lab(recipe_of(ink, most))[0]
    return ((lightness + 16) / 116) ** 3 if lightness > 8 else lightness / 903.3


def _look(recipe: Sequence[float]) -> RGB:
    red, green, blue = _between(_LOOKS_AT, INK_STEPS, recipe, 3)
    return red, green, blue


def _of_two(recipe: CMYK) -> CMYK:
    """The mixture of at most two inks that looks most like a recipe: the best of all in every
    second step of the table, then in ever smaller steps from there."""
    aim = _lab(recipe)
    # Each pair of inks may have a best mixture of its own: a coarse search over all pairs finds the
    # right one, and only then ever smaller steps lead to its best.
    best = min((_unlike(look, aim), mixture) for look, mixture in _pairs())
    pair = [place for place, part in enumerate(best[1]) if part] or [3]
    step = 2 / (INK_STEPS - 1)
    while step > _FINEST:
        step /= 2
        for moves in product((-step, 0.0, step), repeat=len(pair)):
            if not any(moves):
                continue
            mixture = list(best[1])
            for place, move in zip(pair, moves, strict=True):
                mixture[place] = min(1.0, max(0.0, mixture[place] + move))
            # Of equals the smaller mixture: with the ink itself the choice is the same everywhere.
            best = min(best, (_unlike(_lab(mixture), aim), tuple(mixture)))
    return _printable(best[1])


def _unlike(look: Lab, aim: Lab) -> float:
    """Difference of two colours of words: of lightness, chroma and hue (CIE 1976). Hue counts most,
    as long as words do not get much lighter than they were chosen to be legible."""
    lighter, chroma, wanted = look[0] - aim[0], math.hypot(*look[1:]), math.hypot(*aim[1:])
    # A grey has no hue to be measured by: what counts is the turn, at the chroma that is wanted.
    hue = wanted * math.dist(_direction(look, chroma), _direction(aim, wanted))
    pale = max(0.0, lighter - _PALER)
    return math.hypot(_LIGHTNESS * lighter, _PALE * pale, chroma - wanted, _HUE * hue)


def _direction(look: Lab, chroma: float) -> tuple[float, float]:
    return (look[1] / chroma, look[2] / chroma) if chroma else (0.0, 0.0)


def _of_three(recipe: CMYK) -> CMYK:
    """The mixture of three inks that looks like a recipe of four: black in place of the grey that
    is in its colours, and then Newton's steps towards the look of the recipe."""
    # Equal parts of the three colours make a grey, which black makes as well: the least of them is
    # the one that can go.
    aim, least = _lab(recipe), min(recipe[:3])
    places = [place for place in range(INKS) if place != recipe.index(least)]
    mixture = [part - least for part in recipe]
    mixture[3] = recipe[3] + (1 - recipe[3]) * least
    look = _lab(mixture)
    while (miss := math.dist(look, aim)) > _NEAR:
        nearer = _step(mixture, look, places, aim)
        seen = _lab(nearer)
        # Colours that three inks cannot make are approached as far as they can be: a step that
        # hardly helps is the last.
        if math.dist(seen, aim) > miss - _NEAR / 10:
            break
        mixture, look = nearer, seen
    return _printable(mixture)


def _step(mixture: list[float], look: Lab, places: Sequence[int], aim: Lab) -> list[float]:
    """A mixture that would have the look of `aim` if looks followed three amounts in straight
    lines."""
    slopes = []
    for place in places:
        moved = list(mixture)
        # Away from the ends, beyond which the table says nothing.
        by = _NUDGE if moved[place] < 0.5 else -_NUDGE
        moved[place] += by
        light, one, other = _lab(moved)
        slopes.append(((light - look[0]) / by, (one - look[1]) / by, (other - look[2]) / by))
    left = (aim[0] - look[0], aim[1] - look[1], aim[2] - look[2])
    # Cramer's rule: each amount by the determinant with what is left in place of its own slope. Where
    # the three slopes lie almost in one plane, no step is better than a wild one.
    whole, nearer = _volume(*slopes), list(mixture)
    if abs(whole) > _FLAT:
        for number, place in enumerate(places):
            share = (
                _volume(*(left if number == other else slope for other, slope in enumerate(slopes)))
                / whole
            )
            nearer[place] = min(1.0, max(0.0, nearer[place] + share))
    return nearer


def _volume(one: Lab, other: Lab, third: Lab) -> float:
    """The determinant of three columns."""
    (a, b, c), (d, e, f), (g, h, i) = one, other, third
    return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e)


@kept_by_press(maxsize=1)
def _pairs() -> tuple[tuple[Lab, tuple[float, ...]], ...]:
    """Every mixture of two inks in every second step of the table, and how it looks."""
    samples = []
    for one, other in combinations(range(4), 2):
        for first, second in product(range(0, INK_STEPS, 2), repeat=2):
            mixture = [0.0] * 4
            mixture[one], mixture[other] = first / (INK_STEPS - 1), second / (INK_STEPS - 1)
            samples.append((_lab(mixture), tuple(mixture)))
    return tuple(samples)


def _lab(recipe: Sequence[float]) -> Lab:
    """CIE Lab of a recipe beside its paper and the darkest black of the press: sRGB has not all
    that inks make."""
    light, one, other = _between(_LABS_AT, INK_STEPS, recipe, 3)
    return light * 100, one * FULL - _NEUTRAL, other * FULL - _NEUTRAL


def inks_of_pixels(pixels: Pixels) -> bytes:
    """Cyan, magenta, yellow and black of each pixel, 0 to 255, row by row: greys in black ink alone, as
    other colours."""
    return inks_of(pixels, _recipes(), COLOUR_STEPS, _blacks(), int(GREY * FULL))


def proof_of_pixels(pixels: Pixels) -> Pixels:
    """The picture as it looks on paper."""
    return in_colours(pixels, _looks(), _LOOK_STEPS)


@kept_by_press(maxsize=1)
def _recipes() -> list[float]:
    return [part / FULL for part in _table()[:_GREYS_AT]]


@kept_by_press(maxsize=1)
def _blacks() -> bytes:
    """Black ink for each grey."""
    return bytes(
        FULL if grey <= BLACK_ON_PAPER * FULL else _table()[_GREYS_AT + grey]
        for grey in range(FULL + 1)
    )


# Nodes along each side of the cube of looks of colours.
_LOOK_STEPS = 17


@kept_by_press(maxsize=1)
def _looks() -> list[float]:
    sides = [node / (_LOOK_STEPS - 1) for node in range(_LOOK_STEPS)]
    colours = product(sides, repeat=3)
    return [part for r, g, b in colours for part in proof(ink_from_rgb((r, g, b), "")).rgb]


@kept_by_press(maxsize=1024)
def printed_hex(colour: str) -> str:
    """#rrggbb as it looks on paper."""
    return proof(ink_from_hex(colour)).hex


def _between(start: int, steps: int, place: Sequence[float], parts: int) -> list[float]:
    """The parts at a place in a cube of nodes: between those nodes by which one gets to it from the
    lowest, along the sides of the greatest share first (tetrahedral interpolation)."""
    table, node, stride = _table(), 0, 1
    ways = []
    for share in reversed(place):
        whole = min(int(share * (steps - 1)), steps - 2)
        ways.append((share * (steps - 1) - whole, stride))
        node += whole * stride
        stride *= steps
    ways.sort(reverse=True)
    inks, left = [0.0] * parts, 1.0
    for share, stride in (*ways, (0.0, 0)):
        at, weight = start + node * parts, left - share
        for part in range(parts):
            inks[part] += weight * table[at + part]
        node, left = node + stride, share
    return [min(1.0, max(0.0, part / FULL)) for part in inks]
