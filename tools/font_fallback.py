"""Subsets of the faces that draw what the others lack: `python tools/font_fallback.py FOLDER`.

FOLDER holds `FiraSans_400Regular.ttf` and its like, anywhere below it, as they come from the npm packages `fira-sans`,
`fira-sans-condensed`, `eb-garamond`, `noto-sans` and `noto-sans-math` of `@expo-google-fonts`. They draw Greek,
Cyrillic, rarer Latin letters, and the signs of currencies.
"""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path

from fontTools.ttLib import TTFont

from font_japanese import cut
from platelayer.foundation.resources import asset_path

_LETTERS = (range(0x0100, 0x0250), range(0x0370, 0x0400), range(0x0400, 0x0500), range(0x1E00, 0x1F00))
"""Latin of Europe and Africa, Greek, Cyrillic, Latin of Vietnam."""
_CURRENCIES = (range(0x20A0, 0x20C1), (0x0192, 0x2133))

FACES = {
    "FiraSans-Regular": ("FiraSans_400Regular.ttf", (*_LETTERS, *_CURRENCIES)),
    "FiraSans-Bold": ("FiraSans_700Bold.ttf", (*_LETTERS, *_CURRENCIES)),
    "FiraSansCondensed-Medium": ("FiraSansCondensed_500Medium.ttf", (*_LETTERS, *_CURRENCIES)),
    "FiraSansCondensed-Bold": ("FiraSansCondensed_700Bold.ttf", (*_LETTERS, *_CURRENCIES)),
    "EBGaramondMore-Regular": ("EBGaramond_400Regular.ttf", (*_LETTERS, *_CURRENCIES)),
    "EBGaramondMore-SemiBold": ("EBGaramond_600SemiBold.ttf", (*_LETTERS, *_CURRENCIES)),
    "EBGaramondMore-Italic": ("EBGaramond_400Regular_Italic.ttf", (*_LETTERS, *_CURRENCIES)),
    "NotoSans-SemiBold": ("NotoSans_600SemiBold.ttf", _CURRENCIES),
    "NotoSansMath-Regular": ("NotoSansMath_400Regular.ttf", ((0x2133,),)),
}
"""The bundled faces, the files that they are subsets of, and the characters that they have of them."""


def settle(path: Path) -> None:
    """Let every glyph start where its points do: readers of fonts differ on glyphs put together from others that do
    not."""
    font = TTFont(path, recalcTimestamp=False)
    table, places = font["glyf"], font["hmtx"]
    for name in font.getGlyphOrder():
        if table[name].numberOfContours:
            table[name].recalcBounds(table)
            places[name] = (places[name][0], table[name].xMin)
    font.save(path)


if __name__ == "__main__":
    for name, (file, codes) in FACES.items():
        source, target = next(Path(sys.argv[1]).rglob(file)), asset_path("fonts", f"{name}.ttf")
        cut(source, target, map(chr, chain.from_iterable(codes)))
        settle(target)
