"""Fixed words in every language (assets/languages)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from platelayer.foundation.phrases import fill
from platelayer.foundation.resources import asset_path
from platelayer.foundation.text import Text


@cache
def languages() -> Mapping[str, Mapping[str, Any]]:
    """The table of each language by its code ("en", "ja"): words by subject and key, some of them in tables. All tables
    have the same keys; English comes first, because it is used unless another language is requested."""
    paths = sorted(asset_path("languages").glob("*.json"), key=lambda path: (path.stem != "en", path.stem))
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))["words"] for path in paths}


@cache
def glossary() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """By language: words that mean the same, by the thing they mean."""
    return {
        path.stem: {
            thing: tuple(words) for thing, words in json.loads(path.read_text(encoding="utf-8"))["things"].items()
        }
        for path in sorted(asset_path("languages", "glossary").glob("*.json"))
    }


@cache
def wordings() -> Mapping[str, Mapping[str, Text]]:
    """Sets of words that take the place of fixed ones, by name: each maps names of fixed words to the words."""
    return {
        path.stem: {
            name: Text(tuple(words.items()))
            for name, words in json.loads(path.read_text(encoding="utf-8"))["terms"].items()
        }
        for path in sorted(asset_path("languages", "wordings").glob("*.json"))
    }


@cache
def terms() -> Mapping[str, str]:
    """All fixed words in English by their names: "cards/phase", "cards/who/minor" ..."""
    (_, first), *_ = languages().items()
    return dict(named(first))


def named(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """The fixed words of a language with their names."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{before}{key}", value
        else:
            yield from named(value, f"{before}{key}/")


class Tongue(Struct, frozen=True, eq=False):
    """A language, and a title's own words in place of fixed ones, by their names."""

    language: str = "en"
    terms: Mapping[str, Text] = {}

    def say(self, text: Text, *parts: object) -> str:
        """A text in this language, in the title's own words where it has some; in English where neither has any. The
        places of fixed words are filled with `parts`."""
        own = self.terms.get(text.term) if text.term else None
        spoken = self.language if text.has(self.language) else "en"
        if own is not None and (own.has(self.language) or own.has(spoken)):
            return fill(own.get(self.language), *(text.parts or parts))
        words = text.get(self.language)
        return fill(words, *parts) if text.term and not text.parts else words


class FixedWords:
    """The fixed words of one subject: with `say = FixedWords("cards")`, `say("phase")` is a text, `say.table("who")` a
    table of texts."""

    def __init__(self, subject: str) -> None:
        self._subject = subject

    def __call__(self, key: str) -> Text:
        """The words for this key in every language. Raises KeyError for a key that is not in the tables."""
        return _text(self._subject, key)

    def table(self, key: str) -> Mapping[str, Text]:
        """A table of words by their own keys. Raises KeyError."""
        return _table(self._subject, key)

    def all(self) -> Mapping[str, Text]:
        """All words of a subject that has no tables."""
        return _table(self._subject)


@cache
def _text(*path: str) -> Text:
    return Text(tuple((code, _at(table, path)) for code, table in languages().items()), "/".join(path))


@cache
def _table(*path: str) -> Mapping[str, Text]:
    (_, first), *_ = languages().items()
    return {key: _text(*path, key) for key in _at(first, path)}


def _at(table: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    for key in path:
        table = table[key]
    return table
