"""Inks: named colours with an sRGB and a CMYK recipe, and contrast between inks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.geometry import Number

RGB = tuple[Number, Number, Number]
CMYK = tuple[Number, Number, Number, Number]

MAX_TOTAL_INK = 2.4
# Maximum length of a name in PDF (ISO 32000-1, annex C).
MAX_SPOT_NAME_BYTES = 127
# Rounding error allowed in a sum of floats.
_SLIP = 1e-6
# Maximum difference between the components of a colour that counts as grey.
GREY = 0.03
# Full black ink on coated paper looks like #231f20, the darkest colour that black alone can print.
BLACK_ON_PAPER = 0.14
# The separation that prints on every plate.
ALL_PLATES = "All"
_PROCESS = (ALL_PLATES, "None", "Cyan", "Magenta", "Yellow", "Black")


class Ink(Struct, frozen=True, array_like=True, cache_hash=True):
    """A colour to print with. `rgb` and `cmyk` components run from 0 to 1; the CMYK total is at
    most 2.4 (240 %). `spot` names a separation (the cut line), for which rgb and cmyk are only
    the look on screen.

    An ink given only as RGB is printed `by_profile` (`press.recipe_of`). Its `cmyk` is then a plain
    mixture used in digests, which stay the same from release to release even if the conversion
    changes.
    """

    name: str
    rgb: RGB
    cmyk: CMYK
    spot: str | None = None
    by_profile: bool = False

    @property
    def hex(self) -> str:
        """#rrggbb."""
        return "#" + "".join(f"{round(part * 255):02x}" for part in self.rgb)


BLACK = Ink("black", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
WHITE = Ink("white", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0))


# Ink of the registration marks, which show whether the plates are aligned. Without plates it is a
# deep black.
REGISTRATION = Ink("registration", (0.0, 0.0, 0.0), (0.46, 0.46, 0.46, 1.0), spot=ALL_PLATES)


def ink_from_hex(colour: str, name: str = "") -> Ink:
    """Return an ink from #rrggbb, printed by the press profile."""
    value = int(colour.lstrip("#"), 16)
    rgb = ((value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255)
    return ink_from_rgb(rgb, name or colour)


def ink_from_rgb(rgb: RGB, name: str) -> Ink:
    """Return an ink from components of 0 to 1, printed by the press profile."""
    return Ink(name, rgb, cmyk_from_rgb(rgb), by_profile=True)


def as_spot(ink: Ink, name: str) -> Ink:
    """Return an ink as the separation `name`, with its former look as its look on screen. Raises
    ValueError for a name that no separation can have."""
    if fault := spot_name_fault(name):
        raise ValueError(f"{name!r} cannot be a spot colour: {fault}")
    return replace(ink, spot=name)


def spot_name_fault(name: str) -> str:
    """Return why no separation can have this name, or "" if one can. The names of the process inks
    are taken by their own plates."""
    if name.strip() != name or not name:
        return "a name is not empty and has no spaces at its ends"
    if re.search(r"[\x00-\x1f\x7f]|[\ud800-\udfff]", name):
        return "it has characters that cannot be printed"
    if name.casefold() in {process.casefold() for process in _PROCESS}:
        return f"{', '.join(_PROCESS)} are reserved for the process plates and for all plates"
    if len(name.encode()) > MAX_SPOT_NAME_BYTES:
        return f"it has more than {MAX_SPOT_NAME_BYTES} bytes"
    return ""


def cmyk_from_rgb(rgb: RGB) -> CMYK:
    """Return a plain mixture with full grey replacement and a total of at most 240 %, in whole
    percents.

    Greys are printed with black ink alone, and with full black if darker than black ink on paper:
    text in several inks gets coloured edges, and text at 90 % a rough one.
    """
    if is_grey(rgb):
        grey = math.fsum(rgb) / 3
        return (0.0, 0.0, 0.0, 1.0 if grey <= BLACK_ON_PAPER else round(1.0 - grey, 2))
    black = 1.0 - max(rgb)
    cyan, magenta, yellow = ((1.0 - part - black) / (1.0 - black) for part in rgb)
    over = cyan + magenta + yellow + black - MAX_TOTAL_INK
    if over > 0:
        keep = 1.0 - over / (cyan + magenta + yellow)
        cyan, magenta, yellow = cyan * keep, magenta * keep, yellow * keep
    return in_percents((cyan, magenta, yellow, black))


def is_grey(rgb: RGB) -> bool:
    """Return True for colours that look grey, which are printed with black ink alone."""
    return max(rgb) - min(rgb) <= GREY


def in_percents(recipe: Sequence[float]) -> CMYK:
    """Return a recipe in whole percents, rounded down if rounding would exceed the limit."""
    rounded = [round(part, 2) for part in recipe]
    if math.fsum(rounded) > MAX_TOTAL_INK + _SLIP:
        rounded = [math.floor(part * 100 + _SLIP) / 100 for part in recipe]
    cyan, magenta, yellow, black = rounded
    return (cyan, magenta, yellow, black)


@cache
def luminance(ink: Ink) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in ink.rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@cache
def as_grey(ink: Ink) -> Ink:
    """Return the grey of the same luminance, so that contrasts do not change. A spot ink keeps its
    look."""
    if ink.spot is not None:
        return ink
    light = luminance(ink)
    grey = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return ink_from_rgb((grey, grey, grey), f"{ink.name} in grey")


def contrast(one: Ink, other: Ink) -> float:
    """Return the contrast ratio of two inks, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(4096)
def mix(one: Ink, other: Ink, share: float) -> Ink:
    """Return `one` with a `share` (0-1) of `other` mixed in, as a flat process ink without
    transparency, whatever inks they were. It is printed by profile, because a mixture of two
    recipes does not look like the mixture of two colours."""
    red, green, blue = (a + (b - a) * share for a, b in zip(one.rgb, other.rgb, strict=True))
    recipe = [a + (b - a) * share for a, b in zip(one.cmyk, other.cmyk, strict=True)]
    return Ink(
        f"{one.name}+{share:.0%} {other.name}",
        (red, green, blue),
        in_percents(recipe),
        by_profile=True,
    )


def shaded(ink: Ink, land: Ink, share: float) -> Ink:
    """Return the ink mixed with enough black or white that its lightness (CIE L*) is a `share`
    below that of `land`, to half a percent of the mixture."""
    lightness = 116 * luminance(land) ** (1 / 3) - 16
    wanted = ((lightness * (1 - share) + 16) / 116) ** 3
    too_light = luminance(ink) > wanted
    mixed = (mix(ink, BLACK if too_light else WHITE, step / 200) for step in range(201))
    return next(each for each in mixed if (luminance(each) > wanted) is not too_light)


_ABOUT_AS_CLEAR = 15.0


@cache
def perceived(words: Ink, ground: Ink) -> float:
    """Return the lightness contrast of words on their ground, 0 to 108 (APCA 0.1.9), whichever of
    the two is lighter. Unlike the WCAG ratio, it reflects that white words on a strong colour
    are easier to read than black ones."""
    dark, light = (_screen_luminance(ink) for ink in (words, ground))
    # The exponents depend on which of the two is lighter.
    scaled: float = (light**0.56 - dark**0.57 if dark <= light else dark**0.62 - light**0.65) * 1.14
    return 0.0 if scaled < 0.1 else (scaled - 0.027) * 100


def _screen_luminance(ink: Ink) -> float:
    """Return the luminance as defined by APCA, raised near black by the light that a screen
    reflects."""
    red, green, blue = (math.pow(part, 2.4) for part in ink.rgb)
    bright = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    return bright + math.pow(0.022 - bright, 1.414) if bright < 0.022 else bright


def clearer_on(ground: Ink) -> Ink:
    """Return black or white, whichever people see more clearly on a colour. If they are about
    equal, return the one with the ratio that words need, so that the colour does not have to
    change."""
    black, white = perceived(BLACK, ground), perceived(WHITE, ground)
    if abs(black - white) < _ABOUT_AS_CLEAR:
        return readable_on(ground)
    return BLACK if black > white else WHITE


def readable_on(ground: Ink, dark: Ink = BLACK, light: Ink = WHITE) -> Ink:
    """Return whichever of `dark` and `light` is easier to read on `ground`."""
    return dark if contrast(dark, ground) >= contrast(light, ground) else light
