"""Texts in one or several languages, and words for messages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from msgspec import Struct

from platelayer.foundation.resources import asset_json

# Phrases with placeholders: "page {} of {}", "{1} of the {0}".


_TOKEN = re.compile(r"\{\{|\}\}|\{([0-9]?)\}|\{[^{}]{0,40}\}?|\}")
_SHOWN = 20
_LISTED = 10


@lru_cache(4096)
def _parsed(phrase: str) -> tuple[str | int, ...]:
    """Return the literal words and the placeholder numbers of a phrase, in order. Raises ValueError
    for an invalid phrase, with an explanation."""
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
    """Return the placeholder numbers of a phrase, from 0. A placeholder is {}, or {0} to {9}; a
    printed brace is written {{ or }}. Raises ValueError for an invalid phrase."""
    return frozenset(part for part in _parsed(phrase) if isinstance(part, int))


def fault(phrase: str, like: str) -> str:
    """Return what is wrong with a phrase that replaces another and must have the same placeholders;
    "" if nothing is."""
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
    """Return a phrase with its placeholders filled. Raises ValueError like `places`, and IndexError
    if a part is missing."""
    if "{" not in phrase and "}" not in phrase:
        return phrase
    return "".join(str(parts[part]) if isinstance(part, int) else part for part in _parsed(phrase))


ANY_LANGUAGE = ""


class Text(Struct, frozen=True):
    """Words for a person to read. `forms` pairs a language code ("en", "ja", or "" for any
    language) with the words. `term` is the name of fixed words ("cards/phase"), for which a
    title may have its own wording; `parts` fill the placeholders of either."""

    forms: tuple[tuple[str, str], ...]
    term: str = ""
    parts: tuple[str, ...] = ()

    @staticmethod
    def plain(words: str) -> Text:
        """Return a text with the same words in every language."""
        return Text(((ANY_LANGUAGE, words),))

    def has(self, language: str) -> bool:
        """Return True if there are words for this language, or for any language."""
        return any(code in (language, ANY_LANGUAGE) for code, _ in self.forms)

    def get(self, language: str) -> str:
        """Return the words in `language`; else those for any language; else in English; else the
        first form given."""
        by_language = dict(self.forms)
        for code in (language, ANY_LANGUAGE, "en"):
            if code in by_language:
                return by_language[code]
        return self.forms[0][1] if self.forms else ""

    def fill(self, *parts: object) -> Text:
        """Return the text with its placeholders filled, in every language."""
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
    """Return a whole number with a proper minus sign instead of Python's hyphen."""
    return format(number, pattern).replace("-", "\u2212")


def character(char: str) -> str:
    """Return a character for a message with its code point: itself, or its Unicode name if it is
    invisible or would affect the text around it."""
    code = f"U+{ord(char):04X}"
    if char.isprintable() and not (is_leftward(char) or is_mark(char)):
        return f"{char} ({code})"
    return f"{code} {unicodedata.name(char, '')}".rstrip()


# Bidirectional categories of characters that are written from right to left.
_LEFTWARD = frozenset(("R", "AL", "AN"))


def is_mark(char: str) -> bool:
    """Return True for a combining mark: a separate accent placed above or below the letter before
    it."""
    return unicodedata.category(char).startswith("M")


def is_hidden(char: str) -> bool:
    """Return True for invisible characters: control and format characters and lone surrogates, but
    not spaces."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs") and not char.isspace()


def is_leftward(char: str) -> bool:
    """Return True for letters and figures of scripts written from right to left."""
    return unicodedata.bidirectional(char) in _LEFTWARD


def suggestion(word: str, known: Iterable[str], *, most: int = 1) -> str:
    """Return a hint that names the known words that an unknown one may stand for: those that it is
    often mistaken for (assets/slips.json), else those closest to it, ignoring case; "" if there
    is none. A number never stands for another: 580 does not mean 80, nor til:57 tile:579."""
    from difflib import get_close_matches  # only needed for typing errors

    by_folded = {name.casefold(): name for name in known}
    meant = [slip for slip in slips().get(word.casefold(), ()) if slip.casefold() in by_folded]
    cutoff = 0.8 if word.casefold() in slips() else 0.5 if most > 1 else 0.6
    alike = (
        [] if word.isdecimal() else [name for name in by_folded if _digits(name) == _digits(word)]
    )
    near = meant[:most] or get_close_matches(word.casefold(), alike, n=most, cutoff=cutoff)
    names = [f'"{by_folded[name.casefold()]}"' for name in near]
    return f"did you mean {' or '.join(names)}?" if names else ""


def suggested(hint: str) -> tuple[str, ...]:
    """Return the words named in a hint from `suggestion`."""
    found = _SUGGESTED.search(hint)
    return tuple(_QUOTED.findall(found[1])) if found else ()


_SUGGESTED = re.compile(r'did you mean (".+?")\?')
_QUOTED = re.compile(r'"([^"]+)"')


@cache
def slips() -> Mapping[str, tuple[str, ...]]:
    """Return the words that may be meant by a lower-case word that is often written instead."""
    return {word: tuple(meant) for word, meant in asset_json("slips.json")["slips"].items()}


def _digits(word: str) -> list[str]:
    """Return the numbers in a word, with repeated digits taken as one."""
    return re.findall("[0-9]+", re.sub(r"([0-9])\1+", r"\1", word))


def counted(number: int, word: str, several: str = "") -> str:
    """Return a count with its noun: 1 hex, 2 hexes; `several` is an irregular plural."""
    return f"{number} {word if number == 1 else several or f'{word}s'}"


def numbered(noun: str, count: int) -> str:
    """Return a count of stops, slots ... with their numbers: "no stops", "1 stop (0)", "3 stops (0
    to 2)"."""
    if count < 2:
        return f"1 {noun} (0)" if count else f"no {noun}s"
    return f"{count} {noun}s (0 to {count - 1})"


def listed(words: Iterable[str], *, most: int = 12) -> str:
    """Return a list of words for a message: the first `most` of them, quoted."""
    return named((f'"{word}"' for word in words), most)


def named(names: Iterable[str], most: int = 6) -> str:
    """Return names for a message: the first `most` of them, and the number of the remaining
    ones."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
