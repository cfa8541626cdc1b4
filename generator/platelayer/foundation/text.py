"""Texts in one or several languages."""

from __future__ import annotations

import unicodedata

from msgspec import Struct

from platelayer.foundation.phrases import fill

ANY_LANGUAGE = ""


class Text(Struct, frozen=True):
    """Words a person reads. `forms` pairs a language code ("en", "ja", or "" for any language) with
    the words; `term` is the name of fixed words ("cards/phase"), which a title may have its own,
    `parts` are what fills the places of those, too."""

    forms: tuple[tuple[str, str], ...]
    term: str = ""
    parts: tuple[str, ...] = ()

    @staticmethod
    def plain(words: str) -> Text:
        """The same words in every language."""
        return Text(((ANY_LANGUAGE, words),))

    def has(self, language: str) -> bool:
        """True if there are words for this language, or for any language."""
        return any(code in (language, ANY_LANGUAGE) for code, _ in self.forms)

    def get(self, language: str) -> str:
        """Words in `language`; else those for any language; else in English; else the first form
        given."""
        by_language = dict(self.forms)
        for code in (language, ANY_LANGUAGE, "en"):
            if code in by_language:
                return by_language[code]
        return self.forms[0][1] if self.forms else ""

    def fill(self, *parts: object) -> Text:
        """The text with its places filled, in every language."""
        forms = tuple((code, fill(words, *parts)) for code, words in self.forms)
        return Text(forms, self.term, tuple(map(str, parts)))


def printable(words: str) -> str:
    """Text from any source, made safe for a terminal: line breaks, control characters, direction
    marks and lone surrogates become escapes such as \\x1b."""
    return words if words.isprintable() else "".join(map(_shown, words))


def printed_number(number: int, pattern: str = "d") -> str:
    """A whole number with a minus sign, where Python writes a hyphen."""
    return format(number, pattern).replace("-", "\u2212")


def character(char: str) -> str:
    """A character for a message: itself with its code point, or that and its Unicode name where
    nobody would see it, or where it would turn or alter what is around it."""
    code = f"U+{ord(char):04X}"
    if char.isprintable() and not (is_leftward(char) or is_mark(char)):
        return f"{char} ({code})"
    return f"{code} {unicodedata.name(char, '')}".rstrip()


_LEFTWARD = frozenset(("R", "AL", "AN"))
"""Directions of characters that are written from right to left."""


def is_mark(char: str) -> bool:
    """True for a combining mark: an accent of its own, placed over or below the letter before
    it."""
    return unicodedata.category(char).startswith("M")


def is_hidden(char: str) -> bool:
    """True for what nobody sees: control and format characters and lone surrogates, but no
    space."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs") and not char.isspace()


def is_leftward(char: str) -> bool:
    """True for the letters and figures of scripts that are written from right to left."""
    return unicodedata.bidirectional(char) in _LEFTWARD


def _shown(char: str) -> str:
    plain = char.isprintable() or unicodedata.category(char) == "Zs"
    return char if plain else char.encode("unicode_escape").decode()
