"""Fonts of a PDF, as far as a print shop cares: is it embedded, is it a subset, how wide are its
glyphs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pikepdf
from msgspec import Struct

from platelayer.preflight.objects import Budget, entry, items_of, keys_of, name_of, number_of

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
