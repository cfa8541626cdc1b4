"""The kerning of the bundled faces: `python tools/font_kerning.py FOLDER`, then
`python tools/font_metrics.py`.

FOLDER holds `Barlow_700Bold.ttf` and its like, anywhere below it, as they come from the npm packages
`barlow`, `barlow-condensed`, `eb-garamond`, `fira-sans` and `fira-sans-condensed` of
`@expo-google-fonts`. What HarfBuzz sets each pair of characters closer or further apart is written
into the bundled file, which was cut without it. Pairs with a space are left out: lines are measured
word by word.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import uharfbuzz as hb
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.ttLib import TTFont

from platelayer.foundation.resources import asset_path

UPSTREAM = {
    "Barlow-Regular": "Barlow_400Regular",
    "Barlow-Italic": "Barlow_400Regular_Italic",
    "Barlow-Medium": "Barlow_500Medium",
    "Barlow-SemiBold": "Barlow_600SemiBold",
    "Barlow-Bold": "Barlow_700Bold",
    "BarlowCondensed-Medium": "BarlowCondensed_500Medium",
    "BarlowCondensed-SemiBold": "BarlowCondensed_600SemiBold",
    "BarlowCondensed-Bold": "BarlowCondensed_700Bold",
    "EBGaramond-Regular": "EBGaramond_400Regular",
    "EBGaramond-Italic": "EBGaramond_400Regular_Italic",
    "EBGaramond-Medium": "EBGaramond_500Medium",
    "EBGaramond-SemiBold": "EBGaramond_600SemiBold",
    "EBGaramond-Bold": "EBGaramond_700Bold",
    "EBGaramondMore-Regular": "EBGaramond_400Regular",
    "EBGaramondMore-Italic": "EBGaramond_400Regular_Italic",
    "EBGaramondMore-SemiBold": "EBGaramond_600SemiBold",
    "FiraSans-Regular": "FiraSans_400Regular",
    "FiraSans-Bold": "FiraSans_700Bold",
    "FiraSansCondensed-Medium": "FiraSansCondensed_500Medium",
    "FiraSansCondensed-Bold": "FiraSansCondensed_700Bold",
}
KERNING = {"kern": True, "liga": False, "clig": False, "calt": False, "ccmp": False, "locl": False}
"""Features of HarfBuzz: a character is a glyph, and stays that."""

Rows = Mapping[str, Mapping[str, int]]
"""Kerning in font units by the first and the second character of a pair."""


def kerning(path: Path, characters: Sequence[str]) -> dict[str, dict[str, int]]:
    """The kerning of all pairs of characters in a font, but of those that it does not move."""
    font = hb.Font(hb.Face(hb.Blob.from_file_path(str(path))))

    def advance(text: str) -> int:
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.direction = "ltr"
        buffer.script = "Latn"
        hb.shape(font, buffer, KERNING)
        return sum(position.x_advance for position in buffer.glyph_positions)

    alone = {char: advance(char) for char in characters}
    return {
        first: row
        for first in characters
        if (
            row := {
                second: moved
                for second in characters
                if (moved := advance(first + second) - alone[first] - alone[second])
            }
        )
    }


def classes(rows: Rows) -> tuple[list[list[str]], list[list[str]], list[tuple[int, int, int]]]:
    """First and second characters, those together that are kerned alike, and the kerning of their
    classes: numbers of both, and font units."""
    alike: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for char, row in rows.items():
        alike.setdefault(tuple(sorted(row.items())), []).append(char)
    columns: dict[str, list[tuple[int, int]]] = {}
    for number, kerned in enumerate(alike):
        for char, units in kerned:
            columns.setdefault(char, []).append((number, units))
    beside: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for char in sorted(columns):
        beside.setdefault(tuple(columns[char]), []).append(char)
    pairs = [(one, other, units) for other, column in enumerate(beside) for one, units in column]
    return list(alike.values()), list(beside.values()), sorted(pairs)


def write(name: str, upstream: Path) -> None:
    """Writes the kerning of a font into the bundled face that was cut from it."""
    path = asset_path("fonts", f"{name}.ttf")
    font, source = TTFont(path, recalcTimestamp=False), TTFont(upstream)
    glyphs, known = font.getBestCmap(), source.getBestCmap()
    if font["head"].unitsPerEm != source["head"].unitsPerEm:
        raise SystemExit(f"{name} and {upstream.name} have other units")
    chars = [chr(code) for code in sorted(glyphs) if code in known and not chr(code).isspace()]
    firsts, seconds, kerned = classes(kerning(upstream, chars))

    def named(chars: list[str]) -> str:
        return f"[{' '.join(sorted({glyphs[ord(char)] for char in chars}))}]"

    lines = [
        f"pos {named(firsts[first])} {named(seconds[second])} {units};"
        for first, second, units in kerned
    ]
    features = "languagesystem DFLT dflt;\nfeature kern {\n" + "\n".join(lines) + "\n} kern;\n"
    addOpenTypeFeaturesFromString(font, features, tables=["GPOS"])
    font.save(path)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for face, stem in UPSTREAM.items():
        write(face, next(folder.rglob(f"{stem}.ttf")))
