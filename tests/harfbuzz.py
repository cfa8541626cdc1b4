"""Widths of words as HarfBuzz sets them with the fonts' own tables."""

from __future__ import annotations

from functools import cache

import uharfbuzz as hb

from font_kerning import KERNING
from platelayer.foundation.resources import asset_path
from platelayer.scene.fonts import NUMBER_ALONE


@cache
def _font(name: str) -> hb.Font:
    path = asset_path("fonts", f"{name}.ttf")
    return hb.Font(hb.Face(hb.Blob.from_file_path(str(path))))


@cache
def shaped(name: str, text: str) -> float:
    """Width in ems, figures that stand by themselves unkerned."""
    font, buffer = _font(name), hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "ltr"
    # Nothing is kerned to a number, but its last figure to what follows.
    numbers = NUMBER_ALONE.finditer(text)
    figures = [(match.start(), match.end() - 1, False) for match in numbers]
    hb.shape(font, buffer, {**KERNING, "kern": [(0, len(text), True), *figures]})
    return sum(place.x_advance for place in buffer.glyph_positions) / font.face.upem
