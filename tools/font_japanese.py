"""Subsets of the Noto faces that ship with Platelayer: `python tools/font_japanese.py FOLDER`.

FOLDER holds `NotoSansJP_400Regular.ttf` and its like, anywhere below it, as they come from the npm
packages `@expo-google-fonts/noto-sans-jp` and `@expo-google-fonts/noto-serif-jp`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

import platelayer
from platelayer.foundation.resources import asset_path

FACES = {
    "NotoSansJP-Regular": "NotoSansJP_400Regular.ttf",
    "NotoSansJP-Bold": "NotoSansJP_700Bold.ttf",
    "NotoSerifJP-SemiBold": "NotoSerifJP_600SemiBold.ttf",
}
"""The bundled faces, and the files that they are subsets of."""

_ROWS = (1, 2, 3, 4, 5, *range(16, 48))
"""Of JIS X 0208: punctuation and signs, full-width letters, kana, and the 2965 kanji of level 1."""
_WIDE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_KEPT_TABLES = {"OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"}


def characters(texts: Iterable[str]) -> frozenset[str]:
    """ASCII, the characters of the JIS X 0208 rows above, and all other Japanese characters in the
    texts."""
    cells = (
        bytes((0xA0 + row, 0xA0 + cell)).decode("euc_jp", "ignore")
        for row in _ROWS
        for cell in range(1, 95)
    )
    found = {chr(code) for code in range(0x20, 0x7F)} | {char for char in cells if char}
    return frozenset(found.union(*(_WIDE.findall(text) for text in texts)))


def shipped_texts() -> tuple[str, ...]:
    """Every file that may contain text for a print: Platelayer's definitions and code."""
    code = Path(platelayer.__file__).parent
    no_words = {"metrics", "phrases"}
    files = sorted([*asset_path().rglob("*.json"), *code.rglob("*.py")])
    return tuple(path.read_text(encoding="utf-8") for path in files if not no_words & {*path.parts})


def cut(source: Path, target: Path, chars: Iterable[str]) -> None:
    """Writes the glyphs of some characters of a face, without layout, hints and glyphs for vertical
    lines."""
    font = TTFont(source, recalcTimestamp=False)
    for table in set(font.keys()) - _KEPT_TABLES - {"GlyphOrder"}:
        del font[table]
    options = Options(hinting=False, notdef_outline=True, glyph_names=False, recalc_timestamp=False)
    options.name_IDs = ["*"]  # Copyright, trademark and licence stay with the face.
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(chars)))
    subsetter.subset(font)
    name_after(font, target.stem)
    font.save(target)


def name_after(font: Any, name: str) -> None:
    """Gives a font the family of its file ("EBGaramondMore-Regular") in each of its names: programs
    and painters of PDF take two fonts of one name for the same."""
    names = font["name"]
    short, wanted = (each.partition("-")[0] for each in (names.getDebugName(6), name))
    if short == wanted:
        return
    if not wanted.startswith(short):
        raise ValueError(f"{name} is made of {short}, and its name does not begin so")
    family, more = names.getDebugName(16) or names.getDebugName(1), wanted.removeprefix(short)
    for record in names.names:
        if record.nameID in (3, 6):
            record.string = str(record).replace(short, wanted, 1)
        elif record.nameID in (1, 4, 16):
            record.string = str(record).replace(family, f"{family} {more}", 1)


if __name__ == "__main__":
    wanted = characters(shipped_texts())
    for name, file in FACES.items():
        cut(next(Path(sys.argv[1]).rglob(file)), asset_path("fonts", f"{name}.ttf"), wanted)
