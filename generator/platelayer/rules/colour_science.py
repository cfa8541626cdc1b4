"""Colour differences (CIEDE2000), for normal vision and for dichromats.

Sources: IEC 61966-2-1 (sRGB); CIE 15:2018 (CIELAB, D65); Sharma, Wu and Dalal, "The CIEDE2000
color-difference formula", Color Research and Application 30 (2005); Machado, Oliveira and
Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE
Transactions on Visualization and Computer Graphics 15 (2009).
"""

from __future__ import annotations

import math
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

_XYZ_FROM_RGB: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Triple = (0.95047, 1.0, 1.08883)
"""Tristimulus values of D65, 2 degree observer."""
_IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Vision(Enum):
    """How the cones of an eye respond to linear sRGB, as the matrix of severity 1.0 in Machado et
    al. (2009), table 1."""

    NORMAL = _IDENTITY
    DEUTERANOPIA = (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    )
    PROTANOPIA = (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    )
    TRITANOPIA = (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    )

    @property
    def word(self) -> str:
        """Its name in a sentence, e.g. "deuteranopia"."""
        return self.name.lower()


class Lab(NamedTuple):
    """A colour in CIELAB (D65): lightness 0-100, green to red, blue to yellow."""

    lightness: float
    a: float
    b: float


@lru_cache(maxsize=2048)
def lab_from_hex(colour: str, vision: Vision = Vision.NORMAL) -> Lab:
    """CIELAB of #rrggbb as an eye of that kind sees it."""
    value = int(colour.removeprefix("#"), 16)
    linear = tuple(_linear((value >> shift & 255) / 255) for shift in (16, 8, 0))
    seen = [
        min(1.0, max(0.0, part)) for part in _times(vision.value, (linear[0], linear[1], linear[2]))
    ]
    xyz = _times(_XYZ_FROM_RGB, (seen[0], seen[1], seen[2]))
    x, y, z = (_cube_root(part / white) for part, white in zip(xyz, _WHITE, strict=True))
    return Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


@lru_cache(maxsize=1 << 15)
@lru_cache(maxsize=1 << 15)
def difference(one: str, other: str, vision: Vision = Vision.NORMAL) -> float:
    """CIEDE2000 of two colours #rrggbb as an eye of that kind sees them: 1 is just noticeable side
    by side."""
    return ciede2000(lab_from_hex(one, vision), lab_from_hex(other, vision))


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _times(matrix: Matrix, vector: Triple) -> Triple:
    first, second, third = (
        math.fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix
    )
    return first, second, third


def _cube_root(share: float) -> float:
    return share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116


def ciede2000(one: Lab, other: Lab) -> float:
    """Difference of two colours, kL = kC = kH = 1. Equations (2) to (22) of Sharma et al.
    (2005)."""
    chroma = (math.hypot(one.a, one.b) + math.hypot(other.a, other.b)) / 2
    stretch = 1.5 - 0.5 * _seventh(chroma)
    chroma1, hue1 = _polar(one.a * stretch, one.b)
    chroma2, hue2 = _polar(other.a * stretch, other.b)
    hue_step, hue = _hues(hue1, hue2, grey=chroma1 * chroma2 == 0)
    lightness, chroma = (one.lightness + other.lightness) / 2, (chroma1 + chroma2) / 2
    swing = (
        1
        - 0.17 * _cos(hue - 30)
        + 0.24 * _cos(2 * hue)
        + 0.32 * _cos(3 * hue + 6)
        - 0.20 * _cos(4 * hue - 63)
    )
    off_middle = (lightness - 50) ** 2
    by_lightness = (other.lightness - one.lightness) / (
        1 + 0.015 * off_middle / math.sqrt(20 + off_middle)
    )
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = (
        2
        * math.sqrt(chroma1 * chroma2)
        * math.sin(math.radians(hue_step / 2))
        / (1 + 0.015 * chroma * swing)
    )
    turn = 60 * math.exp(-(((hue - 275) / 25) ** 2))
    blue = -math.sin(math.radians(turn)) * 2 * _seventh(chroma)
    return math.sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + blue * by_chroma * by_hue)


def _seventh(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def _hues(hue1: float, hue2: float, *, grey: bool) -> tuple[float, float]:
    """The step from one hue to the other by the shorter way, and their mean, degrees; grey has no
    hue."""
    step, total = hue2 - hue1, hue1 + hue2
    if grey:
        return 0.0, total
    if abs(step) <= 180:
        return step, total / 2
    return step - math.copysign(360, step), (total + (360 if total < 360 else -360)) / 2
