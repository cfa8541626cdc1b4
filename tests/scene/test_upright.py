"""Japanese knows no italics: words that hold it are upright, Latin letters and figures too."""

from __future__ import annotations

from platelayer.definitions.themes import load_theme
from platelayer.scene.typeset import (
    TypeStyle,
    split_by_face,
)

THEME = load_theme("classic")
UPRIGHT = "Barlow-Regular"


def test_a_style_that_names_no_upright_face_keeps_its_own() -> None:
    bare = TypeStyle(faces=("EBGaramond-Italic", "NotoSansJP-Regular"), size_pt=8)
    assert split_by_face("20 %株", bare) == (
        ("EBGaramond-Italic", "20 %"),
        ("NotoSansJP-Regular", "株"),
    )
    assert bare.beside("株") is bare


def test_every_italic_style_of_the_classic_theme_has_an_upright_face() -> None:
    italics = [style for style in THEME.types.values() if "Italic" in style.faces[0]]
    assert italics
    assert all(style.beside("株 10 %").faces[0] == UPRIGHT for style in italics)
