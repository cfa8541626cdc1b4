"""Several things in a row: commas, and what stands before the last, in the language of the
print."""

from __future__ import annotations

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.rich_text import listed
from platelayer.drawing.kit.style import Style
from platelayer.foundation.languages import FixedWords

company_words = FixedWords("companies")

THEME = load_theme("classic")
ENGLISH, JAPANESE = Style(theme=THEME, language="en"), Style(theme=THEME, language="ja")
PLACES = ("Wien", "Graz", "Innsbruck")


def test_commas_are_those_of_the_language() -> None:
    assert listed(PLACES, ENGLISH) == "Wien, Graz, Innsbruck"
    assert listed(PLACES, JAPANESE) == "Wien、Graz、Innsbruck"


@pytest.mark.parametrize(
    ("places", "english", "japanese"),
    [
        (PLACES, "Wien, Graz and Innsbruck", "Wien・Graz・Innsbruck"),
        (PLACES[:2], "Wien and Graz", "Wien・Graz"),
        (PLACES[:1], "Wien", "Wien"),
    ],
)
def test_all_of_several(places: tuple[str, ...], english: str, japanese: str) -> None:
    assert (
        listed(places, ENGLISH, between=company_words("between_all"), last=company_words("and"))
        == english
    )
    assert (
        listed(places, JAPANESE, between=company_words("between_all"), last=company_words("and"))
        == japanese
    )


def test_one_of_several() -> None:
    assert listed(PLACES, ENGLISH, last=company_words("or")) == "Wien, Graz or Innsbruck"
    assert listed(PLACES, JAPANESE, last=company_words("or")) == "Wien、GrazまたはInnsbruck"
