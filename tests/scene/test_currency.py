"""Signs of currencies: every Latin face has them, and capitals leave them alone."""

from __future__ import annotations

import pytest

from font_currency import SIGNS
from platelayer.foundation.resources import asset_path
from platelayer.scene.fonts import face
from platelayer.scene.typeset import prepared

LATIN = ("Barlow", "EBGaramond-")
"""How the names of the faces begin that words and figures are first set in."""
FACES = [
    path.stem for path in sorted(asset_path("fonts").glob("*.ttf")) if path.stem.startswith(LATIN)
]


@pytest.mark.parametrize("name", FACES)
def test_every_latin_face_has_the_signs_of_currencies(name: str) -> None:
    assert set("$£€¥" + SIGNS) <= face(name).glyphs.keys()


@pytest.mark.parametrize("name", FACES)
def test_signs_are_about_as_high_as_figures(name: str) -> None:
    tallest = face(name).glyphs["8"][2]
    for sign in SIGNS:
        advance, low, high = face(name).glyphs[sign]
        assert 0.7 * tallest < high < 1.45 * tallest, sign
        assert low > -0.35, sign
        assert 0.2 < advance < 1.3, sign


def test_capitals_leave_the_florin_sign_alone() -> None:
    assert prepared("ƒ400 a turn", capitals=True) == "ƒ400 A TURN"
