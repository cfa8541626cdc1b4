"""Words of the glossary in the texts of a title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from platelayer.foundation.languages import glossary
from platelayer.foundation.text import Text

Uses = Mapping[str, Mapping[str, tuple[str, ...]]]
"""By thing and word: pointers of the texts that use the word."""


def words_used(texts: Iterable[tuple[str, Text]], language: str) -> Uses:
    """Where words of the glossary are used; each text is a pointer and words. The longest word that fits counts: 留保
    is not found in 内部留保."""
    found: dict[str, dict[str, list[str]]] = {}
    _, things = _patterns()[language]
    for at, text in texts:
        for word in _words_in(text.get(language), language):
            found.setdefault(things[word], {}).setdefault(word, []).append(at)
    return {thing: {word: tuple(at) for word, at in uses.items()} for thing, uses in found.items()}


@lru_cache(maxsize=1 << 13)
def _words_in(text: str, language: str) -> tuple[str, ...]:
    """Words of the glossary in a text, each once. The variants of a title share most of their texts."""
    pattern, _ = _patterns()[language]
    return tuple(dict.fromkeys(match.lower() for match in pattern.findall(text)))


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str], Mapping[str, str]]]:
    """By language: what finds the words of its glossary, and the thing that each word means."""
    found = {}
    for language, words_of in glossary().items():
        things = {word.lower(): thing for thing, words in words_of.items() for word in words}
        words = sorted(things, key=len, reverse=True)
        signs = "".join(word for word in words if _is_sign(word))
        longer = [_alone(word) for word in words if not _is_sign(word)]
        single = [f"(?<!{_KANJI})[{signs}](?!{_KANJI})"] if signs else []
        found[language] = re.compile("|".join((*longer, *single))), things
    return found


_KANJI = r"[\u3005\u3400-\u9fff\uf900-\ufaff]"


def _is_sign(word: str) -> bool:
    """True for one kanji, which is found between other characters only."""
    return len(word) == 1 and not word.isascii()


def _alone(word: str) -> str:
    """The word where it is no part of another: Latin words between spaces, in capitals or not."""
    plain = re.escape(word)
    if word.isascii():
        plain = rf"\b{plain}\b"
    return plain if word.lower() == word.upper() else f"(?i:{plain})"
