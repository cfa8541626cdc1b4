"""Colours: named inks with an sRGB and a CMYK recipe; contrast between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

RGB = tuple[float, float, float]
CMYK = tuple[float, float, float, float]

MAX_TOTAL_INK = 2.4
MAX_SPOT_NAME_BYTES = 127
"""PDF's limit for a name (ISO 32000-1, annex C)."""
_PROCESS = ("All", "None", "Cyan", "Magenta", "Yellow", "Black")


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour to print with. `rgb` and `cmyk` components run from 0 to 1; the CMYK total is at most 2.4 (240 %).
    `spot` names a separation (the cut line); its rgb/cmyk are then only its look on screen."""

    name: str
    rgb: RGB
    cmyk: CMYK
    spot: str | None = None

    @property
    def hex(self) -> str:
        """#rrggbb."""
        return "#" + "".join(f"{round(part * 255):02x}" for part in self.rgb)


BLACK = Ink("black", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
WHITE = Ink("white", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0))


def ink_from_hex(colour: str, name: str = "") -> Ink:
    """An ink from #rrggbb. Its CMYK recipe replaces the grey part by black (grey is K only) and keeps within 240 %."""
    value = int(colour.lstrip("#"), 16)
    rgb = ((value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255)
    return Ink(name or colour, rgb, cmyk_from_rgb(rgb))


def as_spot(ink: Ink, name: str) -> Ink:
    """An ink as the separation `name`: what it looked like is its look on screen. Raises ValueError for a name that no
    separation can have."""
    if fault := spot_name_fault(name):
        raise ValueError(f"{name!r} cannot be a spot colour: {fault}")
    return replace(ink, spot=name)


def spot_name_fault(name: str) -> str:
    """Why no separation can have this name, "" if one can: the names of the process inks mean their plates."""
    if name.strip() != name or not name:
        return "a name has no blanks at its ends and is not empty"
    if re.search(r"[\x00-\x1f\x7f]|[\ud800-\udfff]", name):
        return "it has characters that cannot be printed"
    if name.casefold() in {process.casefold() for process in _PROCESS}:
        return f"{', '.join(_PROCESS)} mean the plates of all printing"
    if len(name.encode()) > MAX_SPOT_NAME_BYTES:
        return f"it has more than {MAX_SPOT_NAME_BYTES} bytes"
    return ""


def cmyk_from_rgb(rgb: RGB) -> CMYK:
    """A plain recipe with full grey replacement, total ink at most 240 %; components rounded to whole percents."""
    black = 1.0 - max(rgb)
    if black >= 0.999:
        return (0.0, 0.0, 0.0, 1.0)
    cyan, magenta, yellow = ((1.0 - part - black) / (1.0 - black) for part in rgb)
    over = cyan + magenta + yellow + black - MAX_TOTAL_INK
    if over > 0:
        # Half a percent less for each of four inks, so that rounding never lifts the total above the limit.
        keep = 1.0 - (over + 0.02) / (cyan + magenta + yellow)
        cyan, magenta, yellow = cyan * keep, magenta * keep, yellow * keep
    return (round(cyan, 2), round(magenta, 2), round(yellow, 2), round(black, 2))


@cache
def luminance(ink: Ink) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in ink.rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Ink, other: Ink) -> float:
    """Contrast ratio of two inks, 1 to 21, WCAG 2.2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mix(one: Ink, other: Ink, share: float) -> Ink:
    """`share` (0-1) of `other` mixed into `one`, as a flat ink (no transparency)."""
    rgb = tuple(a + (b - a) * share for a, b in zip(one.rgb, other.rgb, strict=True))
    cmyk = tuple(round(a + (b - a) * share, 2) for a, b in zip(one.cmyk, other.cmyk, strict=True))
    return Ink(f"{one.name}+{share:.0%} {other.name}", rgb, cmyk)  # type: ignore[arg-type]


def readable_on(ground: Ink, dark: Ink = BLACK, light: Ink = WHITE) -> Ink:
    """Whichever of `dark` and `light` reads better on `ground`."""
    return dark if contrast(dark, ground) >= contrast(light, ground) else light
