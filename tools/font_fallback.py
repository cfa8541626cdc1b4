"""Subsets of the faces that draw what the others lack: `python tools/font_fallback.py FOLDER`.

FOLDER holds `FiraSans_400Regular.ttf` and its like, anywhere below it, as they come from the npm
packages `fira-sans`, `fira-sans-condensed`, `eb-garamond`, `noto-sans`, `noto-sans-jp`,
`noto-sans-math`, `noto-sans-symbols` and `noto-sans-symbols-2` of `@expo-google-fonts`. They draw
Greek, Cyrillic, rarer Latin letters, the signs of currencies, and everyday signs: circled numbers,
fractions, arrows, ticks, suits of cards.
"""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path

from fontTools.ttLib import TTFont

from font_japanese import FACES as JAPANESE
from font_japanese import cut
from platelayer.foundation.resources import asset_path

_LETTERS = (
    range(0x0100, 0x0250),
    range(0x0370, 0x0400),
    range(0x0400, 0x0500),
    range(0x1E00, 0x1F00),
)
"""Latin of Europe and Africa, Greek, Cyrillic, Latin of Vietnam."""
_CURRENCIES = (range(0x20A0, 0x20C1), (0x0192, 0x2133))

SIGNS: dict[str, tuple[range | tuple[int, ...], ...]] = {
    "Latin-1": (range(0xA1, 0x100),),
    "general punctuation": (range(0x2010, 0x2028), range(0x2030, 0x205F)),
    "superscripts and subscripts": (range(0x2070, 0x209D),),
    "letterlike symbols": (
        (
            0x2103,
            0x2105,
            0x2109,
            0x210E,
            0x210F,
            0x2113,
            0x2116,
            0x2117,
            0x211E,
            0x2120,
            0x2121,
            0x2122,
            0x2126,
        ),
        (0x2127, 0x212A, 0x212B, 0x212E, 0x2139, 0x213B, 0x214D),
    ),
    "number forms": (range(0x2150, 0x2184), (0x2189,)),
    "arrows": (range(0x2190, 0x2200), range(0x27F5, 0x27FB), range(0x2B05, 0x2B0E)),
    "mathematical operators": (range(0x2200, 0x2300),),
    "technical signs": (
        (
            0x2300,
            0x2302,
            0x2308,
            0x2309,
            0x230A,
            0x230B,
            0x2318,
            0x231A,
            0x231B,
            0x2325,
            0x2328,
            0x232B,
            0x23CE,
        ),
        range(0x23E9, 0x23FB),
    ),
    "enclosed alphanumerics": (range(0x2460, 0x2500),),
    "lines and blocks": (range(0x2500, 0x25A0),),
    "geometric shapes": (range(0x25A0, 0x2600), range(0x2B1B, 0x2B1D), range(0x2B24, 0x2B59)),
    "weather, suits, chess, dice and other signs": (range(0x2600, 0x2700),),
    "dingbats": (range(0x2701, 0x27C0),),
    # Without marks of tone, which combine, and signs that stand in vertical lines alone.
    "signs of Japanese": (range(0x3000, 0x302A), (0x3030,), range(0x3036, 0x3040)),
    "enclosed kanji, katakana and numbers": (
        (*range(0x3220, 0x3244), *range(0x3251, 0x3260), *range(0x3280, 0x32C0)),
        range(0x32D0, 0x3300),
    ),
    "squared words and units": ((*range(0x3300, 0x3358), *range(0x3371, 0x33E0), 0x33FF),),
    "forms of another width": (range(0xFF01, 0xFFA0), range(0xFFE0, 0xFFE7)),
    "land, trade and transport": (
        (
            0x1F30D,
            0x1F3D4,
            0x1F3D8,
            0x1F3D9,
            0x1F3DB,
            0x1F3E0,
            0x1F3ED,
            0x1F4A3,
            0x1F4B0,
            0x1F4C8,
            0x1F4C9,
            0x1F512,
        ),
        (
            0x1F513,
            0x1F5FA,
            0x1F687,
            0x1F6E0,
            0x1F6E1,
            0x1F6E2,
            0x1F6E3,
            0x1F6E4,
            0x1F6E5,
            0x1F6F2,
            0x1F6F3,
        ),
    ),
}
"""Code points of everyday signs, by what they are. Emoji are left to the boxes that stand for what
no face has."""
SIGN_FACES = {
    "NotoSansJPSigns-Medium": "NotoSansJP_500Medium.ttf",
    "NotoSans-SemiBold": "NotoSans_600SemiBold.ttf",
    "NotoSansSymbols2-Regular": "NotoSansSymbols2_400Regular.ttf",
    "NotoSansMath-Regular": "NotoSansMath_400Regular.ttf",
    "NotoSansSymbols-SemiBold": "NotoSansSymbols_600SemiBold.ttf",
}
"""The faces that draw signs, and the files that they are subsets of. A sign is in the first whose
file has it, and in none of them if the Japanese faces, which every style names before these, have
it."""

FACES = {
    "FiraSans-Regular": ("FiraSans_400Regular.ttf", (*_LETTERS, *_CURRENCIES)),
    "FiraSans-Bold": ("FiraSans_700Bold.ttf", (*_LETTERS, *_CURRENCIES)),
    "FiraSansCondensed-Medium": ("FiraSansCondensed_500Medium.ttf", (*_LETTERS, *_CURRENCIES)),
    "FiraSansCondensed-Bold": ("FiraSansCondensed_700Bold.ttf", (*_LETTERS, *_CURRENCIES)),
    "EBGaramondMore-Regular": ("EBGaramond_400Regular.ttf", (*_LETTERS, *_CURRENCIES)),
    "EBGaramondMore-SemiBold": ("EBGaramond_600SemiBold.ttf", (*_LETTERS, *_CURRENCIES)),
    "EBGaramondMore-Italic": ("EBGaramond_400Regular_Italic.ttf", (*_LETTERS, *_CURRENCIES)),
}
"""The bundled faces, the files that they are subsets of, and the characters that they have of
them."""


def settle(path: Path) -> None:
    """Let every glyph start where its points do: readers of fonts differ on glyphs put together
    from others that do not."""
    font = TTFont(path, recalcTimestamp=False)
    table, places = font["glyf"], font["hmtx"]
    for name in font.getGlyphOrder():
        if table[name].numberOfContours:
            table[name].recalcBounds(table)
            places[name] = (places[name][0], table[name].xMin)
    font.save(path)


def cut_signs(folder: Path) -> None:
    """Share signs among their faces, with the currencies that the others lack."""
    left = set(chain.from_iterable(chain(*SIGNS.values(), _CURRENCIES)))
    left -= set.intersection(
        *(set(TTFont(asset_path("fonts", f"{name}.ttf")).getBestCmap()) for name in JAPANESE)
    )
    for name, file in SIGN_FACES.items():
        source, target = next(folder.rglob(file)), asset_path("fonts", f"{name}.ttf")
        found = left & TTFont(source).getBestCmap().keys()
        cut(source, target, map(chr, found))
        settle(target)
        left -= found


if __name__ == "__main__":
    for name, (file, codes) in FACES.items():
        source, target = next(Path(sys.argv[1]).rglob(file)), asset_path("fonts", f"{name}.ttf")
        cut(source, target, map(chr, chain.from_iterable(codes)))
        settle(target)
    cut_signs(Path(sys.argv[1]))
