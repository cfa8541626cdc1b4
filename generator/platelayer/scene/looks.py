"""Looks of inks on a press, as measured by its colour profile, and of colours on a screen.

A look is CIELAB under D50, relative to the white of the paper and to the darkest printed colour
(black point compensation).
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence

Triple = tuple[float, float, float]

WHITE_D50: Triple = (0.9642, 1.0, 0.8249)
# Linear sRGB to XYZ for the white point D50, adapted by Bradford's method as in the sRGB profile,
# and back.
FROM_SRGB: tuple[Triple, Triple, Triple] = (
    (0.4360747, 0.3850649, 0.1430804),
    (0.2225045, 0.7168786, 0.0606169),
    (0.0139322, 0.0971045, 0.7141733),
)
TO_SRGB: tuple[Triple, Triple, Triple] = (
    (3.13385637, -1.61686677, -0.49061477),
    (-0.97876856, 1.91614155, 0.03345412),
    (0.07194517, -0.22899128, 1.40524267),
)
_BEND = 6 / 29


class Table:
    """A 16-bit table (`mft2`) of a colour profile: curves, an interpolated grid, curves."""

    def __init__(self, tag: bytes) -> None:
        self.inputs, self.outputs, self.steps = tag[8:11]
        before, after = struct.unpack(">HH", tag[48:52])
        numbers = array("H", tag[52 : 52 + (len(tag) - 52) // 2 * 2])
        if sys.byteorder == "little":
            numbers.byteswap()
        grid = self.inputs * before
        end = grid + self.steps**self.inputs * self.outputs
        self.before = [numbers[n * before :][:before] for n in range(self.inputs)]
        self.grid = numbers[grid:end]
        self.after = [numbers[end + n * after :][:after] for n in range(self.outputs)]

    def __call__(self, place: Sequence[float]) -> list[float]:
        """Return the 16-bit numbers at a place, given as 0 to 1 along each axis."""
        shares = [_along(*of) / 65535 for of in zip(self.before, place, strict=True)]
        found = between(self.grid, self.steps, shares, self.outputs)
        return [_along(curve, part / 65535) for curve, part in zip(self.after, found, strict=True)]


def _along(curve: Sequence[int], share: float) -> float:
    last = len(curve) - 1
    place = min(1.0, max(0.0, share)) * last
    whole = min(int(place), last - 1)
    return curve[whole] + (place - whole) * (curve[whole + 1] - curve[whole])


def between(grid: Sequence[int], steps: int, place: Sequence[float], parts: int) -> list[float]:
    """Return the values at a place in a cube of nodes, by tetrahedral interpolation: between the
    nodes on the path from the lowest one that follows the axis with the largest share first."""
    node, stride = 0, parts
    ways = []
    for share in reversed(place):
        whole = min(int(share * (steps - 1)), steps - 2)
        ways.append((share * (steps - 1) - whole, stride))
        node += whole * stride
        stride *= steps
    ways.sort(reverse=True)
    found, left = [0.0] * parts, 1.0
    for share, stride in (*ways, (0.0, 0)):
        weight = left - share
        for part in range(parts):
            found[part] += weight * grid[node + part]
        node, left = node + stride, share
    return found


class Profile:
    """The colour profile of a press: its tags, and the looks of inks (A2B)."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        count = struct.unpack(">I", data[128:132])[0]
        entries = [struct.unpack_from(">4sII", data, 132 + 12 * n) for n in range(count)]
        self.tags = {name.decode(): data[at : at + size] for name, at, size in entries}
        self.inks = Table(self.tags["A2B1"])
        darkest = Table(self.tags["B2A0"])((0.0, 0.5, 0.5))
        # The black point as littlecms finds it: only the lightness, at most 50.
        lightness = min(50.0, self.inks([part / 65535 for part in darkest])[0] / 652.8)
        self.black = _cube((lightness + 16) / 116)

    def look(self, inks: Sequence[float]) -> Triple:
        """Return the look of a recipe of cyan, magenta, yellow and black, 0 to 1."""
        light, one, other = self.inks(inks)
        # Encoding of CIELAB in 16-bit tables of version 2 ICC profiles.
        middle = (light / 652.8 + 16) / 116
        x, y, z = (
            (_cube(root) - self.black) / (1 - self.black)
            for root in (
                middle + (one / 256 - 128) / 500,
                middle,
                middle - (other / 256 - 128) / 200,
            )
        )
        return _lab(x, y, z)


def look_of_rgb(rgb: Sequence[float]) -> Triple:
    """Return the look of an sRGB colour on a screen, relative to its white."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
    x, y, z = (
        (red * linear[0] + green * linear[1] + blue * linear[2]) / white
        for (red, green, blue), white in zip(FROM_SRGB, WHITE_D50, strict=True)
    )
    return _lab(x, y, z)


def rgb_of_look(look: Triple) -> Triple:
    """Return the sRGB colour of a look, clipped to the gamut of a screen."""
    middle = (look[0] + 16) / 116
    roots = (middle + look[1] / 500, middle, middle - look[2] / 200)
    x, y, z = (_cube(root) * white for root, white in zip(roots, WHITE_D50, strict=True))
    linear = (min(1.0, max(0.0, a * x + b * y + c * z)) for a, b, c in TO_SRGB)
    red, green, blue = (
        part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in linear
    )
    return red, green, blue


def _cube(root: float) -> float:
    return root**3 if root > _BEND else (root - 4 / 29) * 3 * _BEND**2


def _lab(x: float, y: float, z: float) -> Triple:
    """Return CIELAB for XYZ, each as a share of the white's."""
    x, y, z = (
        part ** (1 / 3) if part > _BEND**3 else part / (3 * _BEND**2) + 4 / 29 for part in (x, y, z)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
