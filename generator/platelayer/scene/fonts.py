"""Bundled faces: their metrics and outlines.

Metrics come from assets/fonts/metrics, one file per face, which `tools/font_metrics.py` writes:
reading one takes 0.3 ms (a Japanese face 7), and parsing the font takes ten times as long. Each
face is read when it is first needed, so that a print without Japanese words does not wait for
Japanese faces.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from platelayer.foundation.resources import asset_json, asset_path
from platelayer.scene.glyf import GlyphFile
from platelayer.scene.shapes import Command

_Extent = tuple[float, float, float]
"""Advance, y_min and y_max of a glyph."""


class Glyphs(dict[str, _Extent]):
    """Extents by character. `in` tells whether a face has one; any other is as large as the box
    drawn for it."""

    def __init__(self, extents: dict[str, _Extent], box: _Extent) -> None:
        super().__init__(extents)
        self._box = box

    def __missing__(self, char: str) -> _Extent:
        return self._box


class Face(Struct, frozen=True, kw_only=True):
    """One font file. Lengths are fractions of the em."""

    name: str
    cap_height: float
    glyphs: Glyphs

    @property
    def path(self) -> Path:
        """The TrueType file."""
        return asset_path("fonts", f"{self.name}.ttf")


@cache
def face_names() -> tuple[str, ...]:
    """Names of all bundled faces, sorted."""
    return tuple(sorted(path.stem for path in asset_path("fonts").glob("*.ttf")))


@cache
def face(name: str) -> Face:
    """A bundled face by name, e.g. "BarlowCondensed-SemiBold". Raises KeyError when there is
    none."""
    if name not in face_names():
        raise KeyError(name)
    data: dict[str, Any] = asset_json("fonts", "metrics", f"{name}.json")
    em = data["em"]
    glyphs = {
        char: (adv / em, low / em, high / em) for char, (adv, low, high) in data["glyphs"].items()
    }
    advance, low, high = data["box"]
    box = (advance / em, low / em, high / em)
    return Face(name=name, cap_height=data["cap_height"] / em, glyphs=Glyphs(glyphs, box))


@cache
def _glyphs(name: str) -> GlyphFile:
    return GlyphFile(asset_path("fonts", f"{name}.ttf"))


@cache
def glyph_outline(name: str, char: str) -> tuple[Command, ...]:
    """Outline of a glyph in em units (1 = font size), y DOWN, cubic curves only. Empty for a space,
    a box for a character that the face lacks."""
    return _glyphs(name).outline(char)
