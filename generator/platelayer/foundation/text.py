"""A text in one or several languages in, the text for one language out."""

from __future__ import annotations

from msgspec import Struct

ANY_LANGUAGE = ""


class Text(Struct, frozen=True):
    """Words a person reads. `forms` pairs a language code ("en", "ja", or "" for any language) with the words."""

    forms: tuple[tuple[str, str], ...]

    @staticmethod
    def plain(words: str) -> Text:
        """The same words in every language."""
        return Text(((ANY_LANGUAGE, words),))

    def has(self, language: str) -> bool:
        """True when there are words for this language, or words for any."""
        return any(code in (language, ANY_LANGUAGE) for code, _ in self.forms)

    def get(self, language: str) -> str:
        """Words in `language`; else those for any language; else the first form given."""
        found = dict(self.forms)
        for code in (language, ANY_LANGUAGE):
            if code in found:
                return found[code]
        return self.forms[0][1] if self.forms else ""


def bilingual(en: str, ja: str) -> Text:
    """Words of our own, in the two languages that Platelayer prints."""
    return Text((("en", en), ("ja", ja)))
