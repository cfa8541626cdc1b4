"""The files in assets/fonts/metrics; run it after changing a font."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from font_kerning import classes, kerning
from platelayer.foundation.resources import asset_path
from platelayer.scene.fonts import face_names


def measure_font(path: Path) -> dict[str, Any]:
    """Metrics of a TrueType file in font units, as its file in assets/fonts/metrics holds them."""
    font = TTFont(path)
    glyph_set, widths = font.getGlyphSet(), font["hmtx"].metrics

    def extent(glyph_name: str) -> list[int]:
        pen = BoundsPen(glyph_set)
        glyph_set[glyph_name].draw(pen)
        low, high = (round(pen.bounds[1]), round(pen.bounds[3])) if pen.bounds else (0, 0)
        return [widths[glyph_name][0], low, high]

    chars = [chr(code) for code in sorted(font.getBestCmap()) if not chr(code).isspace()]
    firsts, seconds, kerned = classes(kerning(path, chars)) if "GPOS" in font else ([], [], [])
    return {
        "em": font["head"].unitsPerEm,
        "cap_height": font["OS/2"].sCapHeight,
        "box": extent(font.getGlyphOrder()[0]),  # drawn for what the font lacks
        "glyphs": {
            # The number of its glyph comes last.
            chr(code): [*extent(glyph_name), font.getGlyphID(glyph_name)]
            for code, glyph_name in sorted(font.getBestCmap().items())
            if unicodedata.category(chr(code))
            != "Cf"  # a soft hyphen is not there unless a line ends at it
        },
        # Classes of first and of second characters; and for each pair that is kerned the numbers of
        # its classes and how much, one after the other, which is quickest to read.
        "kerning": [
            ["".join(chars) for chars in firsts],
            ["".join(chars) for chars in seconds],
            [number for pair in kerned for number in pair],
        ],
    }


if __name__ == "__main__":
    folder = asset_path("fonts", "metrics")
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    for each in face_names():
        text = json.dumps(
            measure_font(asset_path("fonts", f"{each}.ttf")),
            ensure_ascii=False,
            separators=(",", ":"),
            sort_keys=True,
        )
        (folder / f"{each}.json").write_text(text + "\n", encoding="utf-8")
