"""Images of a PDF, as far as a print shop cares: pixels, colours, ink."""

from __future__ import annotations

from typing import Any

import pikepdf
from msgspec import Struct

from platelayer.preflight.colours import CMYK, GRAY, Colour, Space, read_space
from platelayer.preflight.objects import Budget, entry, number_of, numbers_of
from platelayer.preflight.streams import Unreadable, filters_of, read_picture

_MAX_PIXELS = 4_000_000
"""Pictures with more pixels are not inspected pixel by pixel."""
_PIXELS_A_STEP = 5
_TURNED = bytes(range(255, -1, -1))
"""What Decode [1 0 ...] makes of each byte."""


class Image(Struct, frozen=True, kw_only=True):
    """A picture as far as a check needs it. `colour` is None for a stencil, which is painted with
    the current colour; `ink` says whether its inks are known, `masked` whether it is partly
    transparent."""

    width: int
    height: int
    colour: Colour | None
    ink_known: bool
    masked: bool


def read_image(stream: Any, named: Any, budget: Budget) -> Image | str:
    """An image from its stream, or a text that says why it cannot be one."""
    width, height = (
        int(number_of(entry(stream, "/Width"))),
        int(number_of(entry(stream, "/Height"))),
    )
    if width < 1 or height < 1:
        return "an image has no width or height"
    masked = entry(stream, "/SMask") is not None or number_of(entry(stream, "/SMaskInData")) > 0
    if entry(stream, "/ImageMask") is True:
        return Image(width=width, height=height, colour=None, ink_known=True, masked=False)
    space = read_space(entry(stream, "/ColorSpace"), named, budget)
    if space is None:
        if "JPXDecode" not in filters_of(stream, budget):
            return "an image has no readable colour space"
        space = Space("rgb", "JPEG 2000 of its own colours", 3)
    colour = Colour(space.family, f"{space.label} (image)", None, space.spots)
    ink, known = _ink(stream, space, width * height, budget)
    return Image(
        width=width, height=height, colour=colour._replace(ink=ink), ink_known=known, masked=masked
    )


def _ink(stream: Any, space: Space, pixels: int, budget: Budget) -> tuple[float | None, bool]:
    """The most ink of a pixel, and whether it is known. Colours that a press has to convert have
    none."""
    if space.table is not None:
        return space.most_ink, True
    if space.family in ("rgb", "lab"):
        return None, True
    if space.components == 1:
        return 100.0, True
    plain = int(number_of(entry(stream, "/BitsPerComponent"))) == 8 and pixels <= _MAX_PIXELS
    try:
        data = read_picture(stream, pixels * space.components, budget) if plain else None
    except Unreadable:
        data = None
    if data is None:
        return None, False
    budget.spend_steps(pixels // _PIXELS_A_STEP)
    if numbers_of(entry(stream, "/Decode"), 2 * space.components) == (1.0, 0.0) * space.components:
        data = data.translate(_TURNED)
    most = max(map(sum, zip(*[iter(data)] * space.components, strict=False)), default=0)
    return most / 255 * 100, True


_INLINE = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK"}


def inline_image(entries: dict[str, str], named: Any, budget: Budget) -> Image | str:
    """An inline image from its entries, keys and values as words; long and short keys mean the
    same."""
    width, height = (_whole(entries.get(short, entries.get(long, ""))) for short, long in _MEASURES)
    if width < 1 or height < 1:
        return "an inline image has no width or height"
    if entries.get("IM", entries.get("ImageMask")) == "true":
        return Image(width=width, height=height, colour=None, ink_known=True, masked=False)
    word = entries.get("CS", entries.get("ColorSpace", ""))
    space = read_space(_name(word), named, budget)
    if space is None:
        return f"an inline image has an unknown colour space {word or '(none)'}"
    known = space.family in ("rgb", "lab") or space.components == 1
    ink = {GRAY: 100.0}.get(space) if space != CMYK else None
    return Image(
        width=width,
        height=height,
        colour=Colour(space.family, f"{space.label} (inline image)", ink, space.spots),
        ink_known=known,
        masked=False,
    )


_MEASURES = (("W", "Width"), ("H", "Height"))


def _whole(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 9 else 0


def _name(word: str) -> Any:
    first = word.strip().partition(" ")[0]
    return pikepdf.Name(f"/{_INLINE.get(first, first)}") if first else None
