"""Texts in one or several languages."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

# Phrases with places to fill in: "page {} of {}", "{1} of the {0}".


_TOKEN = re.compile(r"\{\{|\}\}|\{([0-9]?)\}|\{[^{}]{0,40}\}?|\}")
_SHOWN = 20
_LISTED = 10


@lru_cache(4096)
def _parsed(phrase: str) -> tuple[str | int, ...]:
    """Literal words and numbers of places, in order. Raises ValueError for what is no phrase, in
    words."""
    parts: list[str | int] = []
    end = counted = 0
    numbered = set()
    for token in _TOKEN.finditer(phrase):
        parts.append(phrase[end : token.start()])
        end = token.end()
        if token[0] in ("{{", "}}"):
            parts.append(token[0][0])
        elif token[1] is None:
            shown = token[0] if len(token[0]) <= _SHOWN else f"{token[0][:_SHOWN]} ..."
            raise ValueError(f'"{shown}" is no place')
        else:
            numbered.add(bool(token[1]))
            parts.append(int(token[1]) if token[1] else counted)
            counted += 1
    if len(numbered) > 1:
        raise ValueError("places have numbers either all or none")
    return tuple(part for part in (*parts, phrase[end:]) if part != "")


def places(phrase: str) -> frozenset[int]:
    """The numbers of the places of a phrase, from 0. Raises ValueError for what is no phrase: a
    place is {}, or {0} to {9}; a brace that is printed is written {{ or }}."""
    return frozenset(part for part in _parsed(phrase) if isinstance(part, int))


def fault(phrase: str, like: str) -> str:
    """Fault of a phrase that replaces another and must have the same placeholders; "" if there is
    none."""
    wanted = places(like)
    allowed = f"the places are {_listed(wanted)}" if wanted else "there are no places"
    try:
        filled = places(phrase)
    except ValueError as error:
        return f"{error}; {allowed}"
    if filled - wanted:
        return f"{_listed(filled - wanted)} cannot be filled; {allowed}"
    return f"{_listed(wanted - filled)} is missing; {allowed}" if wanted - filled else ""


def _listed(numbers: frozenset[int]) -> str:
    more = [f"{len(numbers) - _LISTED} more"] if len(numbers) > _LISTED else []
    return " and ".join([*(f"{{{number}}}" for number in sorted(numbers)[:_LISTED]), *more])


def fill(phrase: str, *parts: object) -> str:
    """A phrase with its places filled. Raises ValueError as `places` does, and IndexError where a
    part is missing."""
    if "{" not in phrase and "}" not in phrase:
        return phrase
    return "".join(str(parts[part]) if isinstance(part, int) else part for part in _parsed(phrase))


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
    if words.isprintable():
        return words
    return "".join(
        char
        if char.isprintable() or unicodedata.category(char) == "Zs"
        else char.encode("unicode_escape").decode()
        for char in words
    )


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


# Directions of characters that are written from right to left.
_LEFTWARD = frozenset(("R", "AL", "AN"))


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
