"""Colour spaces of a PDF, and their colours from values: how much ink, on which plates."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import pikepdf

from platelayer.foundation.values import Frozen
from platelayer.preflight.document import (
    TooMuch,
    Unreadable,
    budget,
    decoded,
    entry,
    filters_of,
    items_of,
    name_of,
    number_of,
    numbers_of,
    read_stream,
    spend,
)

_PLATES = ("Cyan", "Magenta", "Yellow", "Black")
# The separation that prints on every plate, used for marks.
ALL = "All"
_MAX_DEPTH = 8
# Maximum number of items in the array of a colour space.
_PARTS = 5
# Maximum number of components of a DeviceN space, and of entries of a table.
_MOST_PLATES, _MOST_COLOURS = 32, 256
_BYTES_A_STEP, _STEPS_A_FUNCTION = 100, 20


class Colour(NamedTuple):
    """A colour used for painting: its family, its space in words, its inks in per cent (None if
    they depend on the printer's conversion), its spot colours, and the number of plates it
    prints on (0: unknown)."""

    family: str
    space: str
    ink: float | None = None
    spots: tuple[str, ...] = ()
    plates: int = 0


class Space(NamedTuple):
    """A colour space: its family (`pattern` for patterns), its name in messages, the number of
    values of a colour, its spot colours; for an indexed space the inks of each entry of its
    table; for a pattern space the one below it, if any."""

    family: str
    label: str
    components: int
    spots: tuple[str, ...] = ()
    table: tuple[float | None, ...] | None = None
    below: Space | None = None

    def colour(self, values: Sequence[float] | None = None) -> Colour:
        """Return a colour by its values from 0 to 1, or the initial colour of the space."""
        if values is None:
            # Initial colours by ISO 32000-1, 8.6.8: black, full tints, the first entry of a table.
            values = (0.0,) * self.components
            if self.table is None and self.family == "cmyk":
                values = (0.0, 0.0, 0.0, 1.0)
            elif self.table is None and self.family == "spot":
                values = (1.0,) * self.components
        ink: float | None = None
        plates = 0
        if self.table is not None:
            index = int(values[0]) if values else 0
            ink = self.table[index] if 0 <= index < len(self.table) else None
        elif self.family == "gray":
            ink = 100 - _sum_percent(values[:1])
        elif self.family in ("cmyk", "spot"):
            ink = _sum_percent(values)
            plates = sum(value > 0 for value in values)
        return Colour(self.family, self.label, ink, self.spots, plates)

    @property
    def most_ink(self) -> float | None:
        """The most ink that a colour of an indexed space can have; None for other spaces."""
        known = [ink for ink in self.table or () if ink is not None]
        return max(known, default=None)


def _sum_percent(values: Sequence[float]) -> float:
    return 100 * math.fsum(min(max(value, 0.0), 1.0) for value in values)


GRAY = Space("gray", "DeviceGray", 1)
RGB = Space("rgb", "DeviceRGB", 3)
CMYK = Space("cmyk", "DeviceCMYK", 4)
PATTERN = Space("pattern", "Pattern", 0)
# Device colour spaces by number of components.
DEVICES = {1: GRAY, 3: RGB, 4: CMYK}
_NAMED = {
    "DeviceGray": GRAY,
    "G": GRAY,
    "CalGray": GRAY,
    "DeviceRGB": RGB,
    "RGB": RGB,
    "CalRGB": RGB,
    "DeviceCMYK": CMYK,
    "CMYK": CMYK,
    "CalCMYK": CMYK,
    "Pattern": PATTERN,
}
_MEASURED = {
    "CalGray": Space("gray", "CalGray", 1),
    "CalRGB": Space("rgb", "CalRGB", 3),
    "Lab": Space("lab", "Lab", 3),
}
_ICC = {1: ("gray", "Gray"), 3: ("rgb", "RGB"), 4: ("cmyk", "CMYK")}


def read_space(value: Any, named: Any, depth: int = 0) -> Space | None:
    """Return a colour space from its object; `named` are the colour spaces of the resources, for
    names other than device spaces. None for anything that is not a colour space."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, pikepdf.Name):
        own = entry(named, str(value))
        if own is None or isinstance(own, pikepdf.Name):
            return _NAMED.get(name_of(value if own is None else own))
        return read_space(own, None, depth + 1)
    items = list(islice(items_of(value), _PARTS))
    kind = name_of(items[0]) if items else ""
    operand = items[1] if len(items) > 1 else None
    if kind == "ICCBased":
        count = int(number_of(entry(operand, "/N")))
        if count not in _ICC:
            return None
        family, label = _ICC[count]
        return Space(family, f"ICCBased {label}", count)
    if kind == "Pattern":
        below = read_space(operand, named, depth + 1) if len(items) > 1 else None
        return PATTERN._replace(below=below)
    if kind not in ("Separation", "DeviceN", "Indexed", "I"):
        return _MEASURED.get(kind) or _NAMED.get(kind)
    if len(items) < 4:
        return None
    if kind in ("Indexed", "I"):
        base = read_space(operand, named, depth + 1)
        return base and _indexed(base, items[3])
    names = [name_of(operand)]
    if kind == "DeviceN":
        names = [name_of(item) for item in islice(items_of(operand), _MOST_PLATES + 1)]
        if not 0 < len(names) <= _MOST_PLATES:
            return None
    spots = tuple(name for name in names if name not in _PLATES and name != "None")
    plates = ", ".join(f'"{name}"' for name in names)
    label = f"{'Separation' if len(names) == 1 else 'DeviceN'} {plates}"
    return Space("spot" if spots else "cmyk", label, len(names), spots)


def _indexed(base: Space, table: Any) -> Space | None:
    """Return a space whose values are indices into a table of another space's colours."""
    count = base.components
    if base.table is not None or not count:
        return None
    try:
        data = read_stream(table) if isinstance(table, pikepdf.Stream) else bytes(table)
    except (Unreadable, TypeError):
        return None
    spend(len(data) // _BYTES_A_STEP)
    rows = zip(*[iter(data[: _MOST_COLOURS * count])] * count, strict=False)
    inks = tuple(base.colour([byte / 255 for byte in row]).ink for row in rows)
    return Space(base.family, f"Indexed {base.label}", 1, base.spots, inks)


def shading_colour(shading: Any, named: Any) -> Colour | None:
    """Return the colour of a shading, with the most ink at the ends of its gradients; None if its
    space is not a colour space."""
    space = read_space(entry(shading, "/ColorSpace"), named)
    if space is None:
        return None
    ends = _ends(entry(shading, "/Function"), space.components)
    inks = [space.colour(end).ink for end in ends]
    known = [ink for ink in inks if ink is not None]
    return Colour(space.family, f"{space.label} (shading)", max(known, default=None), space.spots)


def _ends(function: Any, count: int, depth: int = 0) -> Iterator[tuple[float, ...]]:
    """Yield the values at the ends of exponential functions, including stitched ones."""
    if depth > _MAX_DEPTH:
        return
    for key in ("/C0", "/C1"):
        numbers = numbers_of(entry(function, key), count)
        if numbers is not None:
            yield numbers
    parts = function if isinstance(function, pikepdf.Array) else entry(function, "/Functions")
    for part in items_of(parts):
        spend(_STEPS_A_FUNCTION)
        yield from _ends(part, count, depth + 1)


# Fonts of a PDF, as far as a print shop needs to know: embedding, subsets, widths of glyphs.


_SUBSET = re.compile(r"[A-Z]{6}\+.")
_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_MAX_GLYPHS = 70_000
# Cap height in thousandths of the font size, if a font does not state it.
_CAP_HEIGHT = 700.0


class Font(Frozen, kw_only=True, eq=False):
    """A font as far as a check needs it. Widths and `cap_height` are in thousandths of the size;
    `code_bytes` is the number of bytes of a character."""

    name: str
    kind: str
    embedded: bool
    subset: bool
    widths: Mapping[int, float]
    default_width: float
    cap_height: float
    code_bytes: int

    def advance(self, codes: bytes, spacing: float, word_spacing: float, size: float) -> float:
        """Return the width of a text with these bytes, in units of text space, before horizontal
        scaling."""
        step = self.code_bytes
        whole = len(codes) // step * step
        characters = [int.from_bytes(codes[at : at + step], "big") for at in range(0, whole, step)]
        widths = math.fsum(self.widths.get(code, self.default_width) for code in characters)
        spaces = codes.count(b" ") if step == 1 else 0
        return widths / 1000 * size + spacing * len(characters) + word_spacing * spaces


def read_font(value: Any, measured: bool) -> Font | None:
    """Return a font from its dictionary, with the widths of its glyphs if it is to be `measured`;
    None for anything that is not a font."""
    kind = name_of(entry(value, "/Subtype"))
    if not kind or not isinstance(value, pikepdf.Dictionary):
        return None
    name = name_of(entry(value, "/BaseFont")) or name_of(entry(value, "/Name"))
    is_type0, is_type3 = kind == "Type0", kind == "Type3"
    inner: Any = value
    if is_type0:
        inner = next(items_of(entry(value, "/DescendantFonts")), None)
    descriptor = entry(inner, "/FontDescriptor")
    unit = 1.0
    if is_type3:
        matrix = items_of(entry(value, "/FontMatrix"))
        unit = 1000 * abs(number_of(next(matrix, None), 0.001))
    widths = {}
    if measured and is_type0:
        widths = _cid_widths(inner)
    elif measured:
        first = int(number_of(entry(value, "/FirstChar")))
        listed = islice(items_of(entry(value, "/Widths")), 256)
        widths = {first + index: number_of(width) * unit for index, width in enumerate(listed)}
    default = number_of(entry(descriptor, "/MissingWidth"), 0.0 if is_type3 else 500.0)
    if is_type0:
        default = number_of(entry(inner, "/DW"), 1000.0)
    files = [entry(descriptor, key) for key in _FILES]
    return Font(
        name=name or f"a {kind} font without a name",
        kind=kind,
        embedded=is_type3 or any(isinstance(file, pikepdf.Stream) for file in files),
        subset=is_type3 or _SUBSET.match(name) is not None,
        widths=widths,
        default_width=default,
        cap_height=number_of(entry(descriptor, "/CapHeight")) or _CAP_HEIGHT,
        code_bytes=2 if is_type0 else 1,
    )


def _cid_widths(font: Any) -> dict[int, float]:
    """Return widths by CID (ISO 32000-1, 9.7.4.3): `first [width ...]` and `first last width`, in
    any order."""
    items = items_of(entry(font, "/W"))
    widths: dict[int, float] = {}
    for item in items:
        first, second = int(number_of(item)), next(items, None)
        if isinstance(second, pikepdf.Array):
            listed = islice(items_of(second), _MAX_GLYPHS)
            widths |= {first + index: number_of(width) for index, width in enumerate(listed)}
        else:
            last = min(int(number_of(second)), first + _MAX_GLYPHS)
            width = number_of(next(items, None))
            spend(max(last - first, 0))
            widths |= dict.fromkeys(range(first, last + 1), width)
        if len(widths) > _MAX_GLYPHS:
            break
    spend(len(widths))
    return widths


def glyph_streams(font: Any) -> Iterator[Any]:
    """Yield the drawings of a Type 3 font's glyphs."""
    glyphs = entry(font, "/CharProcs")
    for key in sorted(glyphs.keys()) if isinstance(glyphs, pikepdf.Dictionary) else ():
        spend(1)
        if isinstance(glyphs[key], pikepdf.Stream):
            yield glyphs[key]


# Images of a PDF, as far as a print shop needs to know: pixels, colours, ink.


# Maximum number of pixels of a picture that is inspected pixel by pixel.
_MAX_PIXELS = 4_000_000
_PIXELS_A_STEP = 5
# Maps each byte to its value under Decode [1 0 ...].
_TURNED = bytes(range(255, -1, -1))


class Image(Frozen, kw_only=True):
    """A picture as far as a check needs it. `colour` is None for a stencil, which is painted with
    the current colour; `ink` says whether its inks are known, `masked` whether it is partly
    transparent."""

    width: int
    height: int
    colour: Colour | None
    ink_known: bool
    masked: bool


def read_image(stream: Any, named: Any, what: str = "image") -> Image | str:
    """Return an image from its stream, or from the entries of an inline one, whose ink is known
    only by its space; or a text that says why it cannot be one."""
    width, height = (int(number_of(entry(stream, key))) for key in ("/Width", "/Height"))
    if width < 1 or height < 1:
        return f"an {what} has no width or height"
    masked = entry(stream, "/SMask") is not None or number_of(entry(stream, "/SMaskInData")) > 0
    if entry(stream, "/ImageMask") is True:
        return Image(width=width, height=height, colour=None, ink_known=True, masked=False)
    space = read_space(entry(stream, "/ColorSpace"), named)
    if space is None:
        if "JPXDecode" not in filters_of(stream):
            return f"an {what} has no readable colour space"
        space = Space("rgb", "JPEG 2000 of its own colours", 3)
    ink, known = _ink(stream, space, width * height)
    colour = Colour(space.family, f"{space.label} ({what})", ink, space.spots)
    return Image(width=width, height=height, colour=colour, ink_known=known, masked=masked)


def _ink(stream: Any, space: Space, pixels: int) -> tuple[float | None, bool]:
    """Return the most ink of a pixel, and whether it is known. Colours that a press has to convert
    have none."""
    if space.table is not None:
        return space.most_ink, True
    if space.family in ("rgb", "lab"):
        return None, True
    if space.components == 1:
        return 100.0, True
    size = pixels * space.components
    is_plain = number_of(entry(stream, "/BitsPerComponent")) == 8 and pixels <= _MAX_PIXELS
    data = b""
    left = budget.get()
    if is_plain and size <= left.picture_bytes:
        left.picture_bytes -= size
        with suppress(Unreadable, TooMuch):
            data = decoded(stream)
    if not data or len(data) > size:
        return None, False
    spend(pixels // _PIXELS_A_STEP)
    if numbers_of(entry(stream, "/Decode"), 2 * space.components) == (1.0, 0.0) * space.components:
        data = data.translate(_TURNED)
    most = max(map(sum, zip(*[iter(data)] * space.components, strict=False)), default=0)
    return most / 255 * 100, True
