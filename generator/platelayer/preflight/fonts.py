"""A font of a PDF in, what a print shop asks of it out: is it embedded, is it a subset, how wide are its glyphs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pikepdf
from msgspec import Struct

from platelayer.preflight.objects import entry, items_of, name_of, number_of

_SUBSET = re.compile(r"[A-Z]{6}\+.")
_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_MAX_GLYPHS = 70_000
_CAP_HEIGHT = 700.0
"""Height of capitals in thousandths of the size where a font does not say."""


class Font(Struct, frozen=True, kw_only=True, eq=False):
    """A font as far as a check needs it. Widths and `cap_height` are in thousandths of the size; `code_bytes` is how
    many bytes make a character."""

    name: str
    kind: str
    embedded: bool
    subset: bool
    widths: Mapping[int, float]
    default_width: float
    cap_height: float
    code_bytes: int

    def advance(self, codes: bytes, spacing: float, word_spacing: float, size: float) -> float:
        """How far a text of these bytes reaches, in units of text space, before horizontal scaling."""
        step = self.code_bytes
        whole = len(codes) // step * step
        found = [int.from_bytes(codes[at : at + step], "big") for at in range(0, whole, step)]
        widths = sum(self.widths.get(code, self.default_width) for code in found)
        spaces = codes.count(b" ") if step == 1 else 0
        return widths / 1000 * size + spacing * len(found) + word_spacing * spaces


def read_font(value: Any, *, measured: bool) -> Font | None:
    """A font from its dictionary, with the widths of its glyphs if it is to be `measured`; None for what is no font."""
    kind = name_of(entry(value, "/Subtype"))
    if not kind or not isinstance(value, pikepdf.Dictionary):
        return None
    name = name_of(entry(value, "/BaseFont")) or name_of(entry(value, "/Name"))
    inner: Any = value
    if kind == "Type0":
        inner = next(iter(items_of(entry(value, "/DescendantFonts"))), None)
    descriptor = entry(inner, "/FontDescriptor")
    type3 = kind == "Type3"
    unit = 1000 * abs(_first(entry(value, "/FontMatrix"), 0.001)) if type3 else 1.0
    return Font(
        name=name or f"a {kind} font without a name",
        kind=kind,
        embedded=type3 or any(isinstance(entry(descriptor, key), pikepdf.Stream) for key in _FILES),
        subset=type3 or _SUBSET.match(name) is not None,
        widths={} if not measured else _cid_widths(inner) if kind == "Type0" else _simple_widths(value, unit),
        default_width=number_of(entry(inner, "/DW"), 1000.0)
        if kind == "Type0"
        else number_of(entry(descriptor, "/MissingWidth"), 0.0 if type3 else 500.0),
        cap_height=number_of(entry(descriptor, "/CapHeight")) or _CAP_HEIGHT,
        code_bytes=2 if kind == "Type0" else 1,
    )


def _first(value: Any, otherwise: float) -> float:
    return number_of(next(iter(items_of(value)), None), otherwise)


def _simple_widths(font: Any, unit: float) -> dict[int, float]:
    first = int(number_of(entry(font, "/FirstChar")))
    widths = items_of(entry(font, "/Widths"))[:256]
    return {first + index: number_of(width) * unit for index, width in enumerate(widths)}


def _cid_widths(font: Any) -> dict[int, float]:
    """ISO 32000-1, 9.7.4.3: `first [width ...]` and `first last width`, in any order."""
    items = items_of(entry(font, "/W"))
    widths: dict[int, float] = {}
    at = 0
    while at + 1 < len(items) and len(widths) < _MAX_GLYPHS:
        first = int(number_of(items[at]))
        if isinstance(items[at + 1], pikepdf.Array):
            widths |= {first + index: number_of(width) for index, width in enumerate(items_of(items[at + 1]))}
            at += 2
        else:
            last = min(int(number_of(items[at + 1])), first + _MAX_GLYPHS)
            width = number_of(items[at + 2]) if at + 2 < len(items) else 0.0
            widths |= dict.fromkeys(range(first, last + 1), width)
            at += 3
    return widths


def glyph_streams(font: Any) -> list[Any]:
    """The drawings of a Type 3 font's glyphs."""
    glyphs = entry(font, "/CharProcs")
    found = [entry(glyphs, key) for key in (glyphs.keys() if isinstance(glyphs, pikepdf.Dictionary) else ())]
    return [stream for stream in found if isinstance(stream, pikepdf.Stream)]
