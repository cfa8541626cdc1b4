"""Phrases with places: what they are, how they are filled, and that all of ours have the places of
the English ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.foundation.languages import languages, named, terms, wordings
from platelayer.foundation.text import fault, fill, places

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
