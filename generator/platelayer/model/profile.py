"""Profiles: where a print goes (home, a shop), and the limits that its files must meet there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from platelayer.foundation.text import Text

# Families of colour spaces, by how a press handles them.
COLOURS = ("gray", "rgb", "cmyk", "lab", "spot")


class PngSize(Struct, frozen=True, kw_only=True):
    """One product of a shop that takes one picture per piece: pixels with bleed, and the size of
    the piece after cutting in mm. One that `holds_smaller` is a board or a mat: smaller boards and
    charters lie in its middle."""

    id: str
    name: Text
    width_px: int
    height_px: int
    trim_mm: tuple[float, float]
    holds_smaller: bool = False


class PngLimits(Struct, frozen=True, kw_only=True):
    """Requirements for the picture of a piece: dots per inch, colour mode ("rgb" or "gray"), bleed
    on each side, and the available sizes."""

    dpi: int
    colours: str
    bleed_mm: float
    sizes: tuple[PngSize, ...]

    def size(self, size_id: str) -> PngSize:
        """The size of that id. Raises KeyError."""
        return {size.id: size for size in self.sizes}[size_id]


class Limits(Struct, frozen=True, kw_only=True):
    """Limits for a PDF; schemas/profile.schema.json says what each field means. `None`, 0 and empty
    mean no limit, except for `colours` and `allows`, which list everything that is allowed."""

    colours: tuple[str, ...]
    allows: tuple[str, ...]
    boxes: tuple[str, ...] = ()
    bleed_mm: float = 0.0
    safe_mm: float = 0.0
    page_is_piece: bool = False
    marks: bool = True
    page_sizes_mm: tuple[tuple[float, float], ...] = ()
    same_page_size: bool = False
    pages_in_pairs: bool = False
    total_ink_percent: float | None = None
    fine_inks: bool = False
    spots: tuple[str, ...] | None = None
    cut_lines: tuple[str, ...] = ()
    cut_on_layer: bool = False
    image_dpi: float = 0.0
    text_pt: float = 0.0
    stroke_pt: float = 0.0
    subset_fonts: bool = False
    pdfx: tuple[str, ...] = ()
    png: PngLimits | None = None


class Profile(Struct, frozen=True, kw_only=True):
    """A place to print: its id, its name for people, what to know about it, where its numbers come
    from and when that was read (an ISO date, or ""), its limits, and the default options for a
    print there (names and values of BuildOptions)."""

    id: str
    name: Text
    about: Text
    source: Text
    limits: Limits
    read: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
