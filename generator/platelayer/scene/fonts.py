"""Names of bundled faces in, their metrics and outlines out.

Metrics come from assets/fonts/metrics.json, which `python -m platelayer.scene.fonts` writes anew from the fonts:
reading it takes 2 ms where parsing the fonts would take 100.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from platelayer.foundation.resources import asset_path
from platelayer.scene.glyf import GlyphFile
from platelayer.scene.shapes import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
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
def _all_metrics() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(asset_path("fonts", "metrics.json").read_text(encoding="utf-8"))
    return data


def face_names() -> tuple[str, ...]:
    """Names of all bundled faces, sorted."""
    return tuple(sorted(_all_metrics()))


@cache
def face(name: str) -> Face:
    """A bundled face by name, e.g. "BarlowCondensed-SemiBold". Raises KeyError when there is none."""
    data = _all_metrics()[name]
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


def measure_fonts(folder: Path) -> dict[str, Any]:
    """Metrics of every .ttf in a folder, in font units, ready for metrics.json."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.ttLib import TTFont

    metrics: dict[str, Any] = {}
    for path in sorted(folder.glob("*.ttf")):
        font = TTFont(path)
        glyph_set, widths = font.getGlyphSet(), font["hmtx"].metrics
        glyphs: dict[str, list[int]] = {}
        for code, glyph_name in sorted(font.getBestCmap().items()):
            pen = BoundsPen(glyph_set)
            glyph_set[glyph_name].draw(pen)
            low, high = (round(pen.bounds[1]), round(pen.bounds[3])) if pen.bounds else (0, 0)
            glyphs[chr(code)] = [widths[glyph_name][0], low, high]
        os2, hhea = font["OS/2"], font["hhea"]
        metrics[path.stem] = {
            "em": font["head"].unitsPerEm,
            "ascent": hhea.ascent,
            "descent": hhea.descent,
            "cap_height": os2.sCapHeight,
            "x_height": os2.sxHeight,
            "glyphs": glyphs,
        }
    return metrics


if __name__ == "__main__":
    fonts = asset_path("fonts")
    text = json.dumps(measure_fonts(fonts), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    (fonts / "metrics.json").write_text(text + "\n", encoding="utf-8")
