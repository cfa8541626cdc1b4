"""Fixed words on sheets."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.text import Text
from platelayer.scene.typeset import missing_glyphs

WORDS = FixedWords("sheets").all()


def printable(text: Text, tongue: Tongue, faces: Sequence[str], *parts: object) -> str:
    """A text in a language, its places filled; in English if the faces lack a glyph for it, because
    sheets must be legible everywhere."""
    words, english = (
        language.say(text, *parts) for language in (tongue, Tongue("en", tongue.terms))
    )
    return english if words == english or missing_glyphs(words, faces) else words


def fixed(key: str, tongue: Tongue, faces: Sequence[str], *parts: object) -> str:
    """Fixed words with their places filled; an unknown key (a title's own group) stands for
    itself."""
    text = WORDS.get(key)
    return printable(text, tongue, faces, *parts) if text else key


def amount(what: str, count: int, tongue: Tongue) -> str:
    """A number of pieces or sheets in words, for the metadata of a file."""
    return tongue.say(WORDS[f"1 {what}" if count == 1 else f"n {what}"], count)
