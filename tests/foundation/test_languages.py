"""Fixed words: English is complete, other languages have no words of their own, and all are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import platelayer
from platelayer.foundation.languages import FixedWords, Tongue, languages
from platelayer.foundation.text import Text

CODE = Path(platelayer.__file__).parent
ENGLISH = languages()["en"]
_BLANK = re.compile(r"\{[^}]*\}")


def leaves(table: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(table, str):
        yield path, table
    else:
        for key, value in table.items():
            yield from leaves(value, (*path, key))


def printed() -> Iterator[tuple[str, str]]:
    """(subject, key) of all words and tables that the code asks for by a name of its own."""
    for path in CODE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name, subject in re.findall(r'(\w+) = FixedWords\("(\w+)"\)', text):
            for key in re.findall(rf"\b{name}(?:\.table)?\(\s*[\"']([^\"'{{}}]+)[\"']", text):
                yield subject, key


def test_english_comes_first() -> None:
    assert next(iter(languages())) == "en"
    assert "ja" in languages()


@pytest.mark.parametrize("code", languages())
def test_words_translate_those_of_english(code: str) -> None:
    own, english = dict(leaves(languages()[code])), dict(leaves(ENGLISH))
    assert own.keys() <= english.keys()
    for path, words in own.items():
        assert words.strip(" "), path
        if path[0] not in ("report",):  # lists of figures there are told otherwise in each language
            assert sorted(_BLANK.findall(words)) == sorted(_BLANK.findall(english[path])), path


def test_every_word_that_is_used_is_there() -> None:
    found = list(printed())
    assert len(found) > 150
    for subject, key in found:
        assert key in ENGLISH[subject], (subject, key)


def test_no_word_lies_unused() -> None:
    quoted = set()
    for path in CODE.rglob("*.py"):
        quoted |= set(re.findall(r"[\"'](\w+)[\"']", path.read_text(encoding="utf-8")))
    for subject in ("cards", "companies", "map", "backs", "atlas"):
        assert ENGLISH[subject].keys() - quoted == set(), subject


def test_a_word_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        FixedWords("cards")("nonesuch")


@pytest.mark.parametrize(
    ("language", "own", "stated"),
    [
        ("fr", {"ja": "期"}, ENGLISH["cards"]["phases"]),
        ("fr", {"en": "Eras", "ja": "期"}, "Eras"),
        ("fr", {"fr": "Phases de jeu"}, "Phases de jeu"),
        ("fr", {"": "Eras"}, "Eras"),
        ("ja", {"en": "Eras"}, languages()["ja"]["cards"]["phases"]),
    ],
)
def test_words_of_a_title_are_spoken_in_their_own_language(
    language: str, own: dict[str, str], stated: str
) -> None:
    tongue = Tongue(language, {"cards/phases": Text(tuple(own.items()))})
    assert tongue.say(FixedWords("cards")("phases")) == stated
