"""Bundled faces: their metrics and outlines.

Metrics come from assets/fonts/metrics, one file per face, which `tools/font_metrics.py` writes: reading one takes
0.3 ms (a Japanese face 7), and parsing the font takes ten times as long. Each face is read when it is first needed, so
that a print without Japanese words does not wait for Japanese faces.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from platelayer.foundation.resources import asset_path
from platelayer.scene.glyf import GlyphFile
from platelayer.scene.shapes import Command


class Face(Struct, frozen=True, kw_only=True):
    """One font file. Lengths are fractions of the em; `glyphs` maps a character to (advance, y_min, y_max)."""

    name: str
    cap_height: float
    glyphs: dict[str, tuple[float, float, float]]

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
    """A bundled face by name, e.g. "BarlowCondensed-SemiBold". Raises KeyError when there is none."""
    if name not in face_names():
        raise KeyError(name)
    data: dict[str, Any] = json.loads(asset_path("fonts", "metrics", f"{name}.json").read_text(encoding="utf-8"))
    em = data["em"]
    glyphs = {char: (adv / em, low / em, high / em) for char, (adv, low, high) in data["glyphs"].items()}
    return Face(name=name, cap_height=data["cap_height"] / em, glyphs=glyphs)


@cache
def _glyphs(name: str) -> GlyphFile:
    return GlyphFile(asset_path("fonts", f"{name}.ttf"))


@cache
def glyph_outline(name: str, char: str) -> tuple[Command, ...]:
    """Outline of a glyph in em units (1 = font size), y DOWN, cubic curves only. Empty for a space."""
    return _glyphs(name).outline(char)
