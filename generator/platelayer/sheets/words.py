"""A language in, the fixed words on sheets out."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.foundation.text import Text
from platelayer.scene.typeset import missing_glyphs

WORDS: dict[str, Text] = {
    key: Text((("en", en), ("ja", ja)))
    for key, en, ja in (
        ("scale", "Print at 100 %, do not scale", "倍率100 %で印刷(拡大縮小なし)"),
        ("sheet", "Sheet {} / {}", "シート {} / {}"),
        ("sheet back", "Back of sheet {} / {}", "シート {} / {} 裏面"),
        ("part", "Part {}, sheet {} / {}", "部分 {}、シート {} / {}"),
        (
            "join",
            "parts overlap by {} mm: cut one at the joining marks and lay it on its neighbour",
            "重なり {} mm:合わせ印で一方を切り、隣に重ねて貼る",
        ),
        ("1 sheet", "1 sheet", "1枚"),
        ("n sheet", "{} sheets", "{}枚"),
        ("1 piece", "1 piece", "1個"),
        ("n piece", "{} pieces", "{}個"),
        ("white", "white", "白"),
        ("yellow", "yellow", "黄"),
        ("green", "green", "緑"),
        ("brown", "brown", "茶"),
        ("gray", "gray", "灰"),
        ("purple", "purple", "紫"),
        ("red", "red", "赤"),
        ("blue", "blue", "青"),
        ("sepia", "sepia", "セピア"),
        ("station", "station", "駅"),
        ("market", "market", "株価"),
        ("director", "director", "社長"),
    )
}


def printable(text: Text, language: str, faces: Sequence[str]) -> str:
    """A text in a language; in English where the faces lack a glyph for it, as sheets must be legible anywhere."""
    words, english = text.get(language), text.get("en")
    return english if words == english or missing_glyphs(words, faces) else words


def fixed(key: str, language: str, faces: Sequence[str], *parts: object) -> str:
    """Fixed words with their blanks filled; a key that is not known (a group of a title's own) stands for itself."""
    text = WORDS.get(key)
    return printable(text, language, faces).format(*parts) if text else key


def amount(what: str, count: int, language: str) -> str:
    """So many pieces or sheets, for the metadata of a file."""
    return WORDS[f"1 {what}" if count == 1 else f"n {what}"].get(language).format(count)
