"""Colour spaces of a PDF and their families; with values, colours: how much ink, on which
plates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import pikepdf
from msgspec import Struct

from platelayer.preflight.document import (
    Budget,
    Unreadable,
    entry,
    filters_of,
    items_of,
    keys_of,
    name_of,
    number_of,
    numbers_of,
    read_picture,
    read_stream,
)

_PLATES = {"Cyan": "cmyk", "Magenta": "cmyk", "Yellow": "cmyk", "Black": "cmyk"}
ALL = "All"
"""The separation that prints on every plate, as marks do."""
_MAX_DEPTH = 8
_PARTS = 5
"""The most items in the array of a colour space."""
_MOST_PLATES, _MOST_COLOURS = 32, 256
"""The most components of a DeviceN space, and entries of a table."""
_BYTES_A_STEP, _STEPS_A_FUNCTION = 200, 10


class Colour(NamedTuple):
    """A colour used for painting: its family, its space in words, its inks in per cent (None if
    they depend on the printer's conversion), its spot colours, and on how many plates it prints (0:
    unknown)."""

    family: str
    space: str
    ink: float | None = None
    spots: tuple[str, ...] = ()
    plates: int = 0


class Space(NamedTuple):
    """A colour space: its family (`pattern` for patterns), what to call it, how many values make a
    colour, its spot colours; for an indexed space the inks of each entry of its table; for a
    pattern space the one below it, if any."""

    family: str
    label: str
    components: int
    spots: tuple[str, ...] = ()
    table: tuple[float | None, ...] | None = None
    below: Space | None = None

    def colour(self, values: Sequence[float] | None = None) -> Colour:
        """A colour by its values from 0 to 1, or the initial colour of its space."""
        if values is None:
            values = _first_values(self)
        plates = (
            sum(value > 0 for value in values)
            if self.family in ("cmyk", "spot") and self.table is None
            else 0
        )
        return Colour(self.family, self.label, self._ink(values), self.spots, plates)

    def _ink(self, values: Sequence[float]) -> float | None:
        if self.table is not None:
            index = int(values[0]) if values else 0
            return self.table[index] if 0 <= index < len(self.table) else None
        inks = _INKS.get(self.family)
        return inks(values) if inks else None

    @property
    def most_ink(self) -> float | None:
        """The most ink that a colour of an indexed space can have; None for other spaces."""
        known = [ink for ink in self.table or () if ink is not None]
        return max(known, default=None)


def _first_values(space: Space) -> tuple[float, ...]:
    """ISO 32000-1, 8.6.8: black, full tints, the first entry of a table."""
    if space.table is not None:
        return (0.0,)
    return {"cmyk": (0.0, 0.0, 0.0, 1.0), "spot": (1.0,) * space.components}.get(
        space.family, (0.0,) * space.components
    )


def _sum_percent(values: Sequence[float]) -> float:
    return 100 * math.fsum(min(max(value, 0.0), 1.0) for value in values)


_INKS = {
    "gray": lambda values: 100 - _sum_percent(values[:1]),
    "cmyk": _sum_percent,
    "spot": _sum_percent,
}

GRAY = Space("gray", "DeviceGray", 1)
RGB = Space("rgb", "DeviceRGB", 3)
CMYK = Space("cmyk", "DeviceCMYK", 4)
PATTERN = Space("pattern", "Pattern", 0)
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


def device_space(count: int) -> Space:
    """The device space with this many components: 1 gray, 3 RGB, 4 CMYK."""
    return {1: GRAY, 3: RGB, 4: CMYK}[count]


def read_space(value: Any, named: Any, budget: Budget, depth: int = 0) -> Space | None:
    """A colour space from its object; `named` are the colour spaces of the resources, for names
    other than device spaces. None for anything that is not a colour space."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, pikepdf.Name):
        own = entry(named, str(value))
        if own is None or isinstance(own, pikepdf.Name):
            return _NAMED.get(name_of(value if own is None else own))
        return read_space(own, None, budget, depth + 1)
    items = list(islice(items_of(value, budget), _PARTS))
    kind = name_of(items[0]) if items else ""
    if kind in _READ:
        return _READ[kind](items, named, budget, depth + 1)
    return _MEASURED.get(kind) or _NAMED.get(kind)


def _read_icc(items: list[Any], _named: Any, _budget: Budget, _depth: int) -> Space | None:
    count = int(number_of(entry(items[1], "/N"))) if len(items) > 1 else 0
    if count not in _ICC:
        return None
    family, label = _ICC[count]
    return Space(family, f"ICCBased {label}", count)


def _read_indexed(items: list[Any], named: Any, budget: Budget, depth: int) -> Space | None:
    base = read_space(items[1], named, budget, depth) if len(items) > 3 else None
    if base is None or base.table is not None or not base.components:
        return None
    table = items[3]
    try:
        data = read_stream(table, budget) if isinstance(table, pikepdf.Stream) else bytes(table)
    except (Unreadable, TypeError):
        return None
    budget.spend_steps(len(data) // _BYTES_A_STEP)
    rows = zip(*[iter(data[: _MOST_COLOURS * base.components])] * base.components, strict=False)
    inks = tuple(base.colour([byte / 255 for byte in row]).ink for row in rows)
    return Space(base.family, f"Indexed {base.label}", 1, base.spots, inks)


def _read_separation(items: list[Any], _named: Any, budget: Budget, _depth: int) -> Space | None:
    return _plates([name_of(items[1])], budget) if len(items) > 3 else None


def _read_device_n(items: list[Any], _named: Any, budget: Budget, _depth: int) -> Space | None:
    names = (
        [name_of(item) for item in islice(items_of(items[1], budget), _MOST_PLATES + 1)]
        if len(items) > 3
        else []
    )
    return _plates(names, budget) if 0 < len(names) <= _MOST_PLATES else None


def _plates(names: list[str], budget: Budget) -> Space:
    budget.spend_steps(sum(map(len, names)))
    spots = tuple(name for name in names if name not in _PLATES and name != "None")
    label = ("Separation " if len(names) == 1 else "DeviceN ") + ", ".join(
        f'"{name}"' for name in names
    )
    return Space("spot" if spots else "cmyk", label, len(names), spots)


def _read_pattern(items: list[Any], named: Any, budget: Budget, depth: int) -> Space | None:
    below = read_space(items[1], named, budget, depth) if len(items) > 1 else None
    return PATTERN._replace(below=below)


_READ = {
    "ICCBased": _read_icc,
    "Indexed": _read_indexed,
    "I": _read_indexed,
    "Separation": _read_separation,
    "DeviceN": _read_device_n,
    "Pattern": _read_pattern,
}


def shading_colour(shading: Any, named: Any, budget: Budget) -> Colour | None:
    """The colour of a shading, with the most ink at the ends of its gradients; None if its space is
    not a colour space."""
    space = read_space(entry(shading, "/ColorSpace"), named, budget)
    if space is None:
        return None
    inks = [
        space.colour(end).ink
        for end in _ends(entry(shading, "/Function"), space.components, budget)
    ]
    known = [ink for ink in inks if ink is not None]
    return Colour(space.family, f"{space.label} (shading)", max(known, default=None), space.spots)


def _ends(function: Any, count: int, budget: Budget, depth: int = 0) -> Iterator[tuple[float, ...]]:
    """The values at the ends of exponential functions, including stitched ones."""
    if depth > _MAX_DEPTH:
        return
    for key in ("/C0", "/C1"):
        numbers = numbers_of(entry(function, key), count)
        if numbers is not None:
            yield numbers
    for part in items_of(
        function if isinstance(function, pikepdf.Array) else entry(function, "/Functions"), budget
    ):
        budget.spend_steps(_STEPS_A_FUNCTION)
        yield from _ends(part, count, budget, depth + 1)


# Fonts of a PDF, as far as a print shop cares: is it embedded, is it a subset, how wide are its
# glyphs.


_SUBSET = re.compile(r"[A-Z]{6}\+.")
_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_MAX_GLYPHS = 70_000
_CAP_HEIGHT = 700.0
"""Height of capitals in thousandths of the size if a font does not say."""


class Font(Struct, frozen=True, kw_only=True, eq=False):
    """A font as far as a check needs it. Widths and `cap_height` are in thousandths of the size;
    `code_bytes` is how many bytes make a character."""

    name: str
    kind: str
    embedded: bool
    subset: bool
    widths: Mapping[int, float]
    default_width: float
    cap_height: float
    code_bytes: int

    def advance(self, codes: bytes, spacing: float, word_spacing: float, size: float) -> float:
        """The width of a text with these bytes, in units of text space, before horizontal
        scaling."""
        step = self.code_bytes
        whole = len(codes) // step * step
        characters = [int.from_bytes(codes[at : at + step], "big") for at in range(0, whole, step)]
        widths = math.fsum(self.widths.get(code, self.default_width) for code in characters)
        spaces = codes.count(b" ") if step == 1 else 0
        return widths / 1000 * size + spacing * len(characters) + word_spacing * spaces


def read_font(value: Any, budget: Budget, *, measured: bool) -> Font | None:
    """A font from its dictionary, with the widths of its glyphs if it is to be `measured`; None for
    anything that is not a font."""
    kind = name_of(entry(value, "/Subtype"))
    if not kind or not isinstance(value, pikepdf.Dictionary):
        return None
    name = name_of(entry(value, "/BaseFont")) or name_of(entry(value, "/Name"))
    inner: Any = value
    if kind == "Type0":
        inner = next(items_of(entry(value, "/DescendantFonts"), budget), None)
    descriptor = entry(inner, "/FontDescriptor")
    type3 = kind == "Type3"
    unit = (
        1000 * abs(number_of(next(items_of(entry(value, "/FontMatrix"), budget), None), 0.001))
        if type3
        else 1.0
    )
    widths: Mapping[int, float] = {}
    if measured:
        widths = (
            _cid_widths(inner, budget) if kind == "Type0" else _simple_widths(value, unit, budget)
        )
    return Font(
        name=name or f"a {kind} font without a name",
        kind=kind,
        embedded=type3 or any(isinstance(entry(descriptor, key), pikepdf.Stream) for key in _FILES),
        subset=type3 or _SUBSET.match(name) is not None,
        widths=widths,
        default_width=number_of(entry(inner, "/DW"), 1000.0)
        if kind == "Type0"
        else number_of(entry(descriptor, "/MissingWidth"), 0.0 if type3 else 500.0),
        cap_height=number_of(entry(descriptor, "/CapHeight")) or _CAP_HEIGHT,
        code_bytes=2 if kind == "Type0" else 1,
    )


def _simple_widths(font: Any, unit: float, budget: Budget) -> dict[int, float]:
    first = int(number_of(entry(font, "/FirstChar")))
    widths = islice(items_of(entry(font, "/Widths"), budget), 256)
    return {first + index: number_of(width) * unit for index, width in enumerate(widths)}


def _cid_widths(font: Any, budget: Budget) -> dict[int, float]:
    """ISO 32000-1, 9.7.4.3: `first [width ...]` and `first last width`, in any order."""
    items = items_of(entry(font, "/W"), budget)
    widths: dict[int, float] = {}
    for item in items:
        first, second = int(number_of(item)), next(items, None)
        if isinstance(second, pikepdf.Array):
            listed = islice(items_of(second, budget), _MAX_GLYPHS)
            widths |= {first + index: number_of(width) for index, width in enumerate(listed)}
        else:
            last = min(int(number_of(second)), first + _MAX_GLYPHS)
            width = number_of(next(items, None))
            budget.spend_steps(max(last - first, 0))
            widths |= dict.fromkeys(range(first, last + 1), width)
        if len(widths) > _MAX_GLYPHS:
            break
    budget.spend_steps(len(widths))
    return widths


def glyph_streams(font: Any, budget: Budget) -> Iterator[Any]:
    """The drawings of a Type 3 font's glyphs."""
    glyphs = entry(font, "/CharProcs")
    for key in keys_of(glyphs, budget):
        stream = entry(glyphs, key)
        if isinstance(stream, pikepdf.Stream):
            yield stream


# Images of a PDF, as far as a print shop cares: pixels, colours, ink.


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
