"""Bundled faces: their metrics and outlines.

Metrics come from assets/fonts/metrics, one file per face, which `python -m platelayer.scene.fonts` regenerates from the
fonts: reading one takes 0.3 ms (a Japanese face 7), and parsing the font takes ten times as long. Each face is read
when it is first needed, so that a print without Japanese words does not wait for Japanese faces.
"""

from __future__ import annotations

import json
import unicodedata
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
    ascent: float
    descent: float
    cap_height: float
    x_height: float
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
    heights = {key: data[key] / em for key in ("ascent", "descent", "cap_height", "x_height")}
    return Face(name=name, glyphs=glyphs, **heights)


@cache
def _glyphs(name: str) -> GlyphFile:
    return GlyphFile(asset_path("fonts", f"{name}.ttf"))


@cache
def glyph_outline(name: str, char: str) -> tuple[Command, ...]:
    """Outline of a glyph in em units (1 = font size), y DOWN, cubic curves only. Empty for a space."""
    return _glyphs(name).outline(char)


def measure_font(path: Path) -> dict[str, Any]:
    """Metrics of a TrueType file in font units, as its file in assets/fonts/metrics holds them."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.ttLib import TTFont

    font = TTFont(path)
    glyph_set, widths = font.getGlyphSet(), font["hmtx"].metrics
    glyphs: dict[str, list[int]] = {}
    for code, glyph_name in sorted(font.getBestCmap().items()):
        if unicodedata.category(chr(code)) == "Cf":  # a soft hyphen is not there unless a line ends at it
            continue
        pen = BoundsPen(glyph_set)
        glyph_set[glyph_name].draw(pen)
        low, high = (round(pen.bounds[1]), round(pen.bounds[3])) if pen.bounds else (0, 0)
        glyphs[chr(code)] = [widths[glyph_name][0], low, high]
    os2, hhea = font["OS/2"], font["hhea"]
    return {
        "em": font["head"].unitsPerEm,
        "ascent": hhea.ascent,
        "descent": hhea.descent,
        "cap_height": os2.sCapHeight,
        "x_height": os2.sxHeight,
        "glyphs": glyphs,
    }


if __name__ == "__main__":
    folder = asset_path("fonts", "metrics")
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    for each in face_names():
        text = json.dumps(
            measure_font(asset_path("fonts", f"{each}.ttf")), ensure_ascii=False, separators=(",", ":"), sort_keys=True
        )
        (folder / f"{each}.json").write_text(text + "\n", encoding="utf-8")
