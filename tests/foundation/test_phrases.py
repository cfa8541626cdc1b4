"""Phrases with places: what they are, how they are filled, and that all of ours have the places of
the English ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import platelayer
from platelayer.foundation.languages import FixedWords, Tongue, languages, named, terms, wordings
from platelayer.foundation.text import Text, fault, fill, places, printable

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "platelayer"


@pytest.mark.parametrize(
    ("phrase", "parts", "stated"),
    [
        ("plain", (), "plain"),
        ("page {} of {}", (1, 2), "page 1 of 2"),
        ("{1} of {0}", ("a", "b"), "b of a"),
        ("{0}, {0}", (7,), "7, 7"),
        ("{{{}}}", ("x",), "{x}"),
        ("{{}}", (), "{}"),
        ("{} {}", ("{1}", "{}"), "{1} {}"),
        ("none of the {}", ("towns", 0), "none of the towns"),
    ],
)
def test_places_are_filled(phrase, parts, stated):
    assert fill(phrase, *parts) == stated


@pytest.mark.parametrize(
    ("phrase", "found"),
    [("", []), ("{}{}", [0, 1]), ("{2} {0}", [0, 2]), ("{{0}}", []), ("{9}", [9])],
)
def test_places_have_numbers(phrase, found):
    assert sorted(places(phrase)) == found


BROKEN = (
    "{", "}", "{x}", "{:g}", "{0:>4}", "{!r}", "{0!r}", "{.a}", "{0.__class__}", "{0[0]}", "{10}", "{-1}", "{ }", "{{}",
    "{}}", "{} {0}", "{:>99999999}", "{٣}", "{\n}",
)  # fmt: skip


@pytest.mark.parametrize("phrase", BROKEN)
def test_anything_else_in_braces_is_refused(phrase):
    with pytest.raises(ValueError, match="place"):
        places(phrase)
    with pytest.raises(ValueError, match="place"):
        fill(phrase, 1, 2)
    assert fault(phrase, "{}")


def test_a_missing_part_is_an_error_and_not_silence():
    with pytest.raises(IndexError):
        fill("{} {}", 1)


@given(
    st.lists(
        st.sampled_from(["{", "}", "{{", "}}", "{}", "{0}", "{1}", "a", "{:", "!r}"]), max_size=12
    ).map("".join)
)
def test_what_is_accepted_fills_like_a_format_without_options(phrase):
    try:
        found = places(phrase)
    except ValueError:
        return
    assert fill(phrase, *"abcdefghijkl") == phrase.format(*"abcdefghijkl")
    assert max(found, default=-1) < 10 or "{}" in phrase


@pytest.mark.parametrize(
    "phrase", ["{" * 200_000, "{}" * 100_000, "}" * 200_000, "{a" * 100_000, "{:" + "9" * 200_000]
)
def test_what_is_wrong_with_a_long_phrase_is_short(phrase):
    assert 0 < len(fault(phrase, "{}")) < 150


@pytest.mark.parametrize(
    ("phrase", "like", "stated"),
    [
        ("Seite {} von {}", "page {} of {}", ""),
        ("{1} / {0}", "page {} of {}", ""),
        ("Seite {}", "page {} of {}", "{1} is missing; the places are {0} and {1}"),
        ("{2} {1} {0}", "page {} of {}", "{2} cannot be filled; the places are {0} and {1}"),
        ("{}", "Phase", "{0} cannot be filled; there are no places"),
        ("W {2}", "W {2}: x", ""),
    ],
)
def test_a_phrase_has_the_places_of_the_one_that_it_replaces(phrase, like, stated):
    assert fault(phrase, like) == stated


def ours():
    """All phrases of ours: by where they are, their name, and the words."""
    for code, table in languages().items():
        for name, words in named(table):
            yield f"{code}: {name}", name, words
    for wording, texts in wordings().items():
        for name, text in texts.items():
            for code, words in text.forms:
                yield f"{wording}, {code}: {name}", name, words


def test_our_own_words_have_the_places_of_the_english_ones():
    assert [
        (where, wrong) for where, name, words in ours() if (wrong := fault(words, terms()[name]))
    ] == []
    assert len(list(ours())) > 900


def test_nothing_else_fills_words():
    """`str.format` and `replace` know more of braces than a phrase should, or less."""
    allowed = {
        "comparison/wording.py",
        "model/title.py",
        "imposition/impose.py",
        "scene/paths.py",
        "definitions/schemas.py",
        "render/pdf.py",
    }
    found = {
        str(path.relative_to(PACKAGE).as_posix())
        for room in (
            "model",
            "imposition",
            "scene",
            "definitions",
            "render",
            "drawing",
            "atlas",
            "rules",
            "foundation",
        )
        for path in (PACKAGE / room).rglob("*.py")
        if re.search(
            r'\.format\(|\.format_map\(|\.replace\("\{\}"', path.read_text(encoding="utf-8")
        )
    }
    assert found <= allowed


# Words from anywhere, as a terminal may show them


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Salt Lake City", "Salt Lake City"),
        ("東京 駅", "東京 駅"),
        ("全角\u3000の間", "全角\u3000の間"),
        ("1\u00a0000", "1\u00a0000"),
        ("e\u0301 🚂", "e\u0301 🚂"),
        ("", ""),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x00\x07\x08\x7f", r"\x00\x07\x08\x7f"),
        ("\x9b31m\x85", r"\x9b31m\x85"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("2\u202egnp.exe", r"2\u202egnp.exe"),
        ("\u2066\u2069\u200f\u061c", r"\u2066\u2069\u200f\u061c"),
        ("\ud800", r"\ud800"),
        ("\udc80.json", r"\udc80.json"),
    ],
)
def test_what_steers_a_terminal_is_shown(words: str, shown: str) -> None:
    assert printable(words) == shown


@given(st.text(st.characters(codec=None)))
def test_nothing_printable_is_changed_and_all_else_is(words: str) -> None:
    shown = printable(words)
    shown.encode()  # there is no lone surrogate any more
    assert printable(shown) == shown
    assert all(char >= " " and not "\x7f" <= char <= "\x9f" for char in shown)
    if words.isprintable():
        assert shown == words


# Fixed words: English is complete, other languages have no words of their own, and all are used


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
