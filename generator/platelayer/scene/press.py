"""Colours on the press: the recipe printed for an RGB colour, and the look of a recipe on paper.

Looks are read from the press's colour profile (A2B). littlecms would give other last bits from
release to release, and takes 30 ms to start. Recipes start from a table computed by
`tools/press_table.py`, which decides how much black they have. Each thread prints for one press at
a time.
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
    MAX_TOTAL_INK,
    RGB,
    Ink,
    in_percents,
    ink_from_hex,
    is_grey,
)
from platelayer.scene.looks import Profile, Triple, between, look_of_rgb, rgb_of_look

# File name in assets/icc, without suffix, of the profile and the table of each press.
PRESSES = {
    "coated": "ISOcoated_v2_300_bas",
    "uncoated": "FOGRA47L_uncoated",
    "gracol": "GRACoL_TR006_coated",
}
COATED = "coated"
# Number of nodes along each side of the colour cube.
COLOUR_STEPS = 33
# Value of a byte in the table that means 100 %.
FULL = 255
_GREYS_AT = COLOUR_STEPS**3 * 4
# A smaller share of an ink hardly prints dots.
_FAINT = 0.02
# Step sizes in the search for two inks: the first, and the lower limit.
_COARSE, _FINEST = 1 / 6, 0.03
# Weights in the difference of colours of small words: for hue, for lightness, and for being lighter
# by more than `_PALER`.
_HUE, _LIGHTNESS, _PALE, _PALER = 2.0, 1.5, 20.0, 3.0
# A difference (CIE 1976) small enough to need no further black or third ink; one that ends a
# search; the minimum gain of a step; and the change of an ink by which slopes are measured.
_GOOD, _NEAR, _GAIN, _NUDGE = 0.5, 0.1, 0.01, 0.04
_ROUNDS = 8
# Number of inks of the press.
INKS = 4
_TWO, _THREE = 2, 3
_FINE_TEXT_PT = 8.0
_FINE_STROKE_MM = mm_from_pt(0.5)
# Rounding error allowed in a size.
_SLIP = 1e-6


def inks_of_words(size_pt: float) -> int:
    """Return the maximum number of inks for words of this size. Below 8 pt it is two: where the
    plates are slightly misaligned, a third would blur the letters. Above, it is three, which
    make any hue."""
    return _TWO if size_pt < _FINE_TEXT_PT - _SLIP else _THREE


def inks_of_line(width_mm: float) -> int:
    """Return the maximum number of inks for a line of this width: three up to 0.5 pt."""
    return _THREE if width_mm <= _FINE_STROKE_MM + _SLIP else INKS


_Function = TypeVar("_Function", bound=Callable[..., Any])
_here = ContextVar("press", default=COATED)


def kept_by_press(maxsize: int) -> Callable[[_Function], _Function]:
    """Decorate a function whose results depend on the current press: they are cached separately for
    each press."""

    def decorated(function: _Function) -> _Function:
        kept = {press: lru_cache(maxsize=maxsize)(function) for press in PRESSES}

        @wraps(function)
        def of_this_press(*given: Any, **named: Any) -> Any:
            return kept[_here.get()](*given, **named)

        return cast("_Function", of_this_press)

    return decorated


def press_at_hand() -> str:
    """Return the name of this thread's current press."""
    return _here.get()


@contextmanager
def printing_on(press: str) -> Iterator[None]:
    """Mix and judge inks for a press within this block and this thread. Raises KeyError for an
    unknown press."""
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


@kept_by_press(maxsize=1)
def _profile() -> Profile:
    return Profile(asset_bytes("icc", f"{PRESSES[_here.get()]}.icc"))


@kept_by_press(maxsize=4096)
def recipe_of(ink: Ink, most: int = INKS) -> CMYK:
    """Return the CMYK recipe printed for an ink, at most 240 %: that of its theme or, for a colour
    given only as RGB, the mixture that looks like it by the profile of the output intent. Greys
    are black ink alone. With `most` two or three inks, it is the mixture of that many that looks
    like it."""
    recipe = _mixed(ink.rgb) if ink.by_profile else ink.cmyk
    # Most recipes have few enough inks already. Only the others are mixed again, which is slow.
    if sum(map(bool, recipe)) <= most:
        return recipe
    return _of_three(recipe) if most == _THREE else _of_two(recipe)


def _mixed(rgb: RGB) -> CMYK:
    start = _by_table(rgb)
    if is_grey(rgb):
        return in_percents(start)
    clean = [part if part >= _FAINT else 0.0 for part in start]
    # A screen, and so the stated colour of a proof in SVG, has 256 steps of each component.
    aim = look_of_rgb([round(part * FULL) / FULL for part in rgb])
    # Black stays as in the table, and faint inks are dropped, unless the look needs them. If the
    # result is not good enough, try all sets of three inks, and finally the three colours with ever
    # more black.
    best = _nearest(clean, [ink for ink, part in enumerate(clean) if part][:_THREE], aim)
    for free in combinations(range(INKS), _THREE):
        if best[0] >= _GOOD:
            best = min(best, _nearest(start, free, aim))
    for more in (0.25, 0.5, 0.75):
        if best[0] >= _GOOD:
            start[3] += more * (1 - start[3])
            best = min(best, _nearest(start, range(_THREE), aim))
    return best[1]


def _by_table(rgb: RGB) -> list[float]:
    """Return the recipe interpolated in the table, which is slightly off for some colours."""
    if not is_grey(rgb):
        return [part / FULL for part in between(_table(), COLOUR_STEPS, rgb, INKS)]
    # A grey of three colours turns green or pink as soon as one plate prints a little heavier;
    # black alone does not.
    return [0.0, 0.0, 0.0, _blacks()[round(math.fsum(rgb) / 3 * FULL)] / FULL]


@kept_by_press(maxsize=4096)
def proof(ink: Ink, most: int = INKS) -> Ink:
    """Return the ink as it looks on paper when printed with at most `most` inks: its RGB is
    relative to the white of the paper and the darkest black of the press. A spot ink keeps its
    look."""
    return ink if ink.spot else replace(ink, rgb=rgb_of_look(_lab(recipe_of(ink, most))))


@kept_by_press(maxsize=4096)
def printed_contrast(words: Ink, ground: Ink, most: int = INKS) -> float:
    """Return the contrast ratio of two inks on paper, 1 to 21 (WCAG 2.2), with words printed in at
    most `most` inks. It is computed from their lightness, because a proof in sRGB shows deep
    greens and blues too pale."""
    light, dark = sorted((_luminance(words, most), _luminance(ground, INKS)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(ink: Ink, most: int) -> float:
    lightness = _lab(recipe_of(ink, most))[0]
    return ((lightness + 16) / 116) ** 3 if lightness > 8 else lightness / 903.3


def _of_two(recipe: CMYK) -> CMYK:
    """Return the mixture of at most two inks that looks most like a recipe: the best of a coarse
    grid, refined in ever smaller steps."""
    aim = _lab(recipe)
    # Each pair of inks may have a local optimum: a coarse search over all pairs finds the right
    # pair, and only then do ever smaller steps refine the mixture.
    best = min((_unlike(look, aim), mixture) for look, mixture in _pairs())
    pair = [place for place, part in enumerate(best[1]) if part] or [3]
    step = _COARSE
    while step > _FINEST:
        step /= 2
        for moves in product((-step, 0.0, step), repeat=len(pair)):
            if not any(moves):
                continue
            mixture = list(best[1])
            for place, move in zip(pair, moves, strict=True):
                mixture[place] = min(1.0, max(0.0, mixture[place] + move))
            # On a tie, take the smaller mixture, so that the choice is the same on all machines.
            best = min(best, (_unlike(_lab(mixture), aim), tuple(mixture)))
    return in_percents([0.0 if part < _FAINT else part for part in best[1]])


def _unlike(look: Triple, aim: Triple) -> float:
    """Return the difference of two colours of words, by lightness, chroma and hue (CIE 1976). Hue
    counts most, unless words become much lighter than they were chosen to be legible."""
    lighter, chroma, wanted = look[0] - aim[0], math.hypot(*look[1:]), math.hypot(*aim[1:])
    # A grey has no hue of its own, so the difference of hue is measured by direction, at the
    # desired chroma.
    hue = wanted * math.dist(_direction(look, chroma), _direction(aim, wanted))
    pale = max(0.0, lighter - _PALER)
    return math.hypot(_LIGHTNESS * lighter, _PALE * pale, chroma - wanted, _HUE * hue)


def _direction(look: Triple, chroma: float) -> tuple[float, float]:
    return (look[1] / chroma, look[2] / chroma) if chroma else (0.0, 0.0)


def _of_three(recipe: CMYK) -> CMYK:
    """Return the mixture of three inks that looks like a recipe of four: black replaces the grey
    component of its colours, refined towards the look of the recipe."""
    # Equal parts of the three colours make a grey, which black can replace. So the colour with the
    # smallest part is the one to drop, except in some greys.
    least, aim = min(recipe[:3]), _lab(recipe)
    mixture = [*(part - least for part in recipe[:3]), recipe[3] + (1 - recipe[3]) * least]
    best = (math.inf, recipe)
    for gone in sorted(range(_THREE), key=recipe.__getitem__):
        if best[0] >= _GOOD:
            start = [*mixture[:gone], 0.0, *mixture[gone + 1 :]]
            free = [ink for ink in range(INKS) if ink != gone]
            best = min(best, _nearest(start, free, aim))
    return best[1]


def _nearest(start: Sequence[float], free: Sequence[int], aim: Triple) -> tuple[float, CMYK]:
    """Return the miss and the mixture, in whole percents, near `start` that looks most like `aim`;
    at most three inks, `free`, may change. Uses damped Newton steps (Levenberg and Marquardt)."""
    best = _within([part if ink in free else round(part, 2) for ink, part in enumerate(start)])
    look, damping = _lab(best), 1.0
    miss, slopes = math.dist(look, aim), _slopes(best, look, free)
    for _ in range(_ROUNDS):
        if miss < _NEAR:
            break
        left = [wanted - seen for wanted, seen in zip(aim, look, strict=True)]
        pull = [_dot(slope, left) for slope in slopes]
        square = [[_dot(one, other) for other in slopes] for one in slopes]
        for n in range(_THREE):
            square[n][n] += damping
        # With little damping this is Newton's step, inexact only because the slopes change; with
        # much damping it follows the steepest descent, which always gains something. Solved by
        # Cramer's rule: for each ink the determinant with the residual in place of the ink's row.
        whole, tried = _volume(*square), list(best)
        for n, ink in enumerate(free):
            rows = (pull if n == other else row for other, row in enumerate(square))
            tried[ink] = best[ink] + _volume(*rows) / whole
        tried = _within(tried)
        look_then = _lab(tried)
        then = math.dist(look_then, aim)
        if then < miss - _GAIN:
            best, look, miss, damping = tried, look_then, then, damping / 5
            slopes = _slopes(best, look, free)
        else:
            damping *= 8
    # Rounding each ink to the nearest per cent may cause a difference of 1. Testing the at most
    # eight mixtures around the best one avoids that.
    lows = [math.floor(part * 100 + _SLIP) / 100 for part in best]
    ways = [(low, min(1.0, low + 0.01)) if ink in free else (low,) for ink, low in enumerate(lows)]
    return min(
        (math.dist(_lab(mixture), aim), in_percents(mixture))
        for mixture in product(*ways)
        if math.fsum(mixture) <= MAX_TOTAL_INK + _SLIP
    )


def _within(mixture: Sequence[float]) -> list[float]:
    """Return a mixture limited to 0 to 1 and to the maximum ink. The colours are reduced, because
    black is worth three of them."""
    *colours, black = (min(1.0, max(0.0, part)) for part in mixture)
    share = min(1.0, (MAX_TOTAL_INK - black) / max(math.fsum(colours), _SLIP))
    return [*(part * share for part in colours), black]


def _slopes(mixture: list[float], look: Triple, free: Sequence[int]) -> list[list[float]]:
    """Return the slopes of a look by each of the free inks, padded to three with zeros."""
    slopes = []
    for ink in free:
        # Step inwards, as the profile says nothing beyond 0 and 1.
        by = _NUDGE if mixture[ink] < 0.5 else -_NUDGE
        moved = [*mixture[:ink], mixture[ink] + by, *mixture[ink + 1 :]]
        slopes.append([(then - now) / by for then, now in zip(_lab(moved), look, strict=True)])
    return slopes + [[0.0] * 3] * (_THREE - len(slopes))


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _volume(one: Sequence[float], other: Sequence[float], third: Sequence[float]) -> float:
    """Return the determinant of three columns."""
    (a, b, c), (d, e, f), (g, h, i) = one, other, third
    return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e)


@kept_by_press(maxsize=1)
def _pairs() -> tuple[tuple[Triple, tuple[float, ...]], ...]:
    """Return every mixture of two inks in coarse steps with its look."""
    samples = []
    for one, other in combinations(range(4), 2):
        for first, second in product(range(7), repeat=2):
            mixture = [0.0] * 4
            mixture[one], mixture[other] = first * _COARSE, second * _COARSE
            samples.append((_lab(mixture), tuple(mixture)))
    return tuple(samples)


def _lab(recipe: Sequence[float]) -> Triple:
    return _profile().look(recipe)


def inks_of_pixels(pixels: Pixels) -> bytes:
    """Return cyan, magenta, yellow and black of each pixel, 0 to 255, row by row; greys in black
    ink alone, as for other colours."""
    return inks_of(pixels, _recipes(), COLOUR_STEPS, _blacks(), int(GREY * FULL))


def proof_of_pixels(pixels: Pixels) -> Pixels:
    """Return the picture as it looks on paper."""
    return in_colours(pixels, _looks(), _LOOK_STEPS)


@kept_by_press(maxsize=1)
def _recipes() -> list[float]:
    return [part / FULL for part in _table()[:_GREYS_AT]]


@kept_by_press(maxsize=1)
def _blacks() -> bytes:
    """Return the amount of black ink for each grey."""
    return bytes(
        FULL if grey <= BLACK_ON_PAPER * FULL else _table()[_GREYS_AT + grey]
        for grey in range(FULL + 1)
    )


# Number of nodes along each side of the cube of colour looks.
_LOOK_STEPS = 17


@kept_by_press(maxsize=1)
def _looks() -> list[float]:
    sides = [node / (_LOOK_STEPS - 1) for node in range(_LOOK_STEPS)]
    colours = ((red, green, blue) for red, green, blue in product(sides, repeat=3))
    return [part for rgb in colours for part in rgb_of_look(_lab(_by_table(rgb)))]


@kept_by_press(maxsize=1024)
def printed_hex(colour: str) -> str:
    """Return #rrggbb as it looks on paper."""
    return proof(ink_from_hex(colour)).hex
