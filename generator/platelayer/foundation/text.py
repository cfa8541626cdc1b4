"""Texts in one or several languages."""

from __future__ import annotations

import unicodedata

from msgspec import Struct

ANY_LANGUAGE = ""


class Text(Struct, frozen=True):
    """Words a person reads. `forms` pairs a language code ("en", "ja", or "" for any language) with the words; `term`
    is the name of fixed words ("cards/phase"), which a title may have its own, `parts` are what fills the blanks of
    those, too."""

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
        """Words in `language`; else those for any language; else in English; else the first form given."""
        found = dict(self.forms)
        for code in (language, ANY_LANGUAGE, "en"):
            if code in found:
                return found[code]
        return self.forms[0][1] if self.forms else ""

    def format(self, *parts: object) -> Text:
        """The text with its placeholders filled, in every language."""
        forms = tuple((code, words.format(*parts)) for code, words in self.forms)
        return Text(forms, self.term, tuple(map(str, parts)))


def printable(words: str) -> str:
    """Text from any source, made safe for a terminal: line breaks, control characters, direction marks and lone
    surrogates become escapes such as \\x1b."""
    return words if words.isprintable() else "".join(map(_shown, words))


def _shown(char: str) -> str:
    plain = char.isprintable() or unicodedata.category(char) == "Zs"
    return char if plain else char.encode("unicode_escape").decode()
