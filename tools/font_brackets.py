"""Air outside of round brackets in the faces of Barlow: `python tools/font_brackets.py`, then
`python tools/font_metrics.py`.

Barlow draws them without any, and its space is a narrow 0.2 em, so that "round (SR)" reads as one
word. They get as much as the letter o.
"""

from __future__ import annotations

from pathlib import Path

from fontTools.ttLib import TTFont

from platelayer.foundation.resources import asset_path


def spread(path: Path) -> None:
    """Move both brackets of a font off their neighbours; a second time changes nothing."""
    font = TTFont(path, recalcTimestamp=False)
    names, shapes, widths = font.getBestCmap(), font["glyf"], font["hmtx"]
    air = shapes[names[ord("o")]].xMin
    for char in "()":
        name = names[ord(char)]
        glyph, (width, _) = shapes[name], widths[name]
        more = air - (glyph.xMin if char == "(" else width - glyph.xMax)
        if char == "(":
            glyph.coordinates.translate((more, 0))
            glyph.recalcBounds(shapes)
        widths[name] = width + more, glyph.xMin
    font.save(path)


if __name__ == "__main__":
    for face in sorted(asset_path("fonts").glob("Barlow*.ttf")):
        spread(face)
