"""The fixed words of every language (assets/languages)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, field

from platelayer.foundation.door import read_json
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path, shipped_json
from platelayer.foundation.text import Text, fault, fill, suggestion

_MOST_BYTES = 4 * 1024 * 1024
# Environment variable with the folder of the user's own languages.
FOLDER = "PLATELAYER_LANGUAGES"


class Language(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a language: fixed words by subject and key, some of them in tables; the words of
    the studio's page; synonyms, by what they mean; further names of fields in tables; and named
    sets of words that may replace fixed ones."""

    name: str
    words: dict[str, dict[str, str | dict[str, str]]] = {}
    studio: dict[str, str] = {}
    glossary: dict[str, tuple[str, ...]] = {}
    columns: dict[str, tuple[str, ...]] = {}
    wordings: dict[str, dict[str, str]] = {}
    schema: str = field(default="", name="$schema")
    comment: Any = field(default=None, name="$comment")


def language_files() -> list[Path]:
    """Return the files of all languages, English first, which supplies phrases that others lack."""
    shipped = sorted(
        asset_path("languages").glob("*.json"), key=lambda path: (path.stem != "en", path.stem)
    )
    own = os.environ.get(FOLDER)
    return [*shipped, *sorted(Path(own).glob("*.json"))] if own else shipped


@cache
def _read() -> Mapping[str, Language]:
    """Return every language by its code, which is the name of its file. Raises CannotRun for an
    invalid file, a second file of a language, and phrases that English does not have or has with
    other placeholders."""
    by_code = {}
    for path in language_files():
        if path.stem in by_code:
            raise CannotRun(f'{path}: there is already a language "{path.stem}"')
        if path.parent == asset_path("languages"):
            by_code[path.stem] = convert(shipped_json(path), Language)
            continue
        by_code[path.stem] = language = read_json(path, Language, _MOST_BYTES)
        english = dict(named(by_code["en"].words))
        for name, words in named(language.words):
            if name not in english:
                raise CannotRun(
                    f'{path}: there are no fixed words called "{name}"; {suggestion(name, english)}'
                )
            if wrong := fault(words, english[name]):
                raise CannotRun(f'{path}: "{name}": {wrong}; in English it is "{english[name]}"')
    return by_code


def languages() -> Mapping[str, Mapping[str, Any]]:
    """Return the fixed words of each language by its code ("en", "ja"), English first and
    complete."""
    return {code: language.words for code, language in _read().items()}


def names() -> Mapping[str, str]:
    """Return each language's own name for itself, by its code."""
    return {code: language.name for code, language in _read().items()}


def studio_words(code: str) -> Mapping[str, str]:
    """Return the words of the studio's page in a language, in English where it lacks them."""
    return {**_read()["en"].studio, **(_read()[code].studio if code in _read() else {})}


def column_words(key: str) -> tuple[str, ...]:
    """Return the names that a field or a value may have in a spreadsheet besides those on forms, in
    all languages."""
    return tuple(word for language in _read().values() for word in language.columns.get(key, ()))


def glossary() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return synonyms by language, and by what they mean."""
    return {code: language.glossary for code, language in _read().items() if language.glossary}


@cache
def wordings() -> Mapping[str, Mapping[str, Text]]:
    """Return the named sets of words that may replace fixed ones: each maps names of fixed words to
    the replacements."""
    forms: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for code, language in _read().items():
        for wording, own in language.wordings.items():
            for name, words in own.items():
                forms.setdefault(wording, {}).setdefault(name, []).append((code, words))
    return {
        key: {name: Text(tuple(form)) for name, form in forms[key].items()} for key in sorted(forms)
    }


def unsaid(code: str) -> tuple[str, ...]:
    """Return the names of the fixed words that a language lacks and takes from English."""
    own = dict(named(languages()[code]))
    return tuple(name for name in terms() if name not in own)


@cache
def terms() -> Mapping[str, str]:
    """Return all fixed words in English by name: "cards/phase", "cards/who/minor" ..."""
    return dict(named(languages()["en"]))


def named(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the fixed words of a language with their names."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{before}{key}", value
        else:
            yield from named(value, f"{before}{key}/")


class Tongue(Struct, frozen=True, eq=False):
    """A language, together with a title's own wording for fixed words, by name."""

    language: str = "en"
    terms: Mapping[str, Text] = {}

    def say(self, text: Text, *parts: object) -> str:
        """Return a text in this language, in the title's own wording if it has one, and in English
        as a last resort. `parts` fill the placeholders of fixed words."""
        own = self.terms.get(text.term) if text.term else None
        spoken = self.language if text.has(self.language) else "en"
        if own is not None and (own.has(self.language) or own.has(spoken)):
            return fill(own.get(self.language), *(text.parts or parts))
        words = text.get(self.language)
        return fill(words, *parts) if text.term and not text.parts else words


class FixedWords:
    """The fixed words of one subject. With `card_words = FixedWords("cards")`,
    `card_words("phase")` is a text, and `card_words.table("who")` a table of texts."""

    def __init__(self, subject: str) -> None:
        self._subject = subject

    def __call__(self, key: str) -> Text:
        """Return the words for this key in every language that has them. Raises KeyError for a key
        that English lacks."""
        return _text(self._subject, key)

    def table(self, key: str) -> Mapping[str, Text]:
        """Return a table of words by key. Raises KeyError."""
        return _table(self._subject, key)

    def all(self) -> Mapping[str, Text]:
        """Return all words of a subject without tables."""
        return _table(self._subject)


@cache
def _text(*path: str) -> Text:
    own = ((code, _at(table, path)) for code, table in languages().items())
    forms = tuple((code, words) for code, words in own if words is not None)
    if not any(code == "en" for code, _ in forms):
        raise KeyError("/".join(path))
    return Text(forms, "/".join(path))


@cache
def _table(*path: str) -> Mapping[str, Text]:
    table = _at(languages()["en"], path)
    if table is None:
        raise KeyError("/".join(path))
    return {key: _text(*path, key) for key in table}


def _at(table: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """Return the entry at a path in a table, or None."""
    entry: Any = table
    for key in path:
        entry = entry.get(key) if isinstance(entry, Mapping) else None
    return entry
