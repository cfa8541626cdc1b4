"""Signs of currencies that the Latin faces lack, merged into them: `python tools/font_currency.py
FOLDER`.

FOLDER holds the static files of Barlow, Barlow Condensed, EB Garamond, Noto Sans and Noto Serif,
anywhere below it, as they come from the npm packages `@expo-google-fonts/barlow` and its like. A
face takes a sign from its own full file; where that has none, from the Noto face of the same kind
and weight, as high as its own capitals.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from platelayer.foundation.resources import asset_path

SIGNS = "₹₽₧ƒ₡ℳ₤₩₱₺₴₦₫"
"""Rupee, rouble, peseta, florin, colón, mark, lira, won, peso, Turkish lira, hryvnia, naira,
dong."""

_WEIGHTS = {
    "Regular": "400Regular",
    "Italic": "400Regular_Italic",
    "Medium": "500Medium",
    "SemiBold": "600SemiBold",
    "Bold": "700Bold",
}
_LENDERS = {
    "Barlow": ("NotoSans", 1.0),
    "BarlowCondensed": ("NotoSans", 0.8),
    "EBGaramond": ("NotoSerif", 0.94),
}
"""The family that lends what a family lacks, and how much narrower its glyphs become."""


def complete(name: str, folder: Path) -> None:
    """Adds the signs to a bundled face. Raises KeyError for a sign that no source has."""
    target = asset_path("fonts", f"{name}.ttf")
    family, _, style = name.partition("-")
    lender, narrow = _LENDERS[family]
    sources = [
        (TTFont(next(folder.rglob(f"{each}_{_WEIGHTS[style]}.ttf"))), width)
        for each, width in ((family, 1.0), (lender, narrow))
    ]
    font = TTFont(target, recalcTimestamp=False, recalcBBoxes=False)
    for sign in SIGNS:
        if ord(sign) not in font.getBestCmap():
            source, width = next(
                (source for source in sources if ord(sign) in source[0].getBestCmap()), sources[-1]
            )
            _add(font, source, ord(sign), width)
    font["maxp"].recalc(font)
    font.save(target)


def _add(font: Any, source: Any, code: int, width: float) -> None:
    """One glyph of a source, scaled to the capitals of a font."""
    scale = font["OS/2"].sCapHeight / source["OS/2"].sCapHeight
    glyphs = source.getGlyphSet()
    drawn, parts, pen = (
        glyphs[source.getBestCmap()[code]],
        DecomposingRecordingPen(glyphs),
        TTGlyphPen(None),
    )
    drawn.draw(parts)
    parts.replay(TransformPen(pen, (scale * width, 0, 0, scale, 0, 0)))
    name = f"uni{code:04X}"
    glyph = pen.glyph(dropImpliedOnCurves=False)
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = glyph
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(drawn.width * scale * width), glyph.xMin)
    for table in font["cmap"].tables:
        table.cmap[code] = name


if __name__ == "__main__":
    for path in sorted(asset_path("fonts").glob("*.ttf")):
        if path.stem.partition("-")[0] in _LENDERS:
            complete(path.stem, Path(sys.argv[1]))
