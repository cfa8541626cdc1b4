"""Japanese knows no italics: words that hold it are upright, Latin letters and figures too."""

from __future__ import annotations

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.lettering import balanced, set_on_arc
from platelayer.drawing.kit.rich_text import set_lines, set_rich, wrap_rich
from platelayer.scene.shapes import TextRun
from platelayer.scene.typeset import (
    TypeStyle,
    rise_mm,
    set_block,
    set_line,
    split_by_face,
    text_width,
    wrap,
)

THEME = load_theme("classic")
UPRIGHT = "Barlow-Regular"
ITALIC = THEME.type("charter.reminder")
BLACK = THEME.ink("black")
MIXED = "社長株 20 % と株式 8 × 10 % を持つ"
WAYS = {
    "line": lambda words: set_line(words, ITALIC, BLACK, 0, 0),
    "block": lambda words: set_block(wrap(words, ITALIC, 12.0), ITALIC, BLACK, 0, 0),
    "rich": lambda words: set_rich(words.replace("と", "→"), ITALIC, BLACK, 0, 0),
    "lines": lambda words: set_lines(wrap_rich(words, ITALIC, 12.0), ITALIC, BLACK, 0, 0),
    "arc": lambda words: set_on_arc(words, ITALIC, BLACK, 0, 0, radius_mm=80.0),
}


def faces(items) -> set[str]:
    return {item.face for item in items if isinstance(item, TextRun)}


@pytest.mark.parametrize("way", WAYS)
def test_words_with_japanese_are_upright(way: str) -> None:
    assert faces(WAYS[way](MIXED)) == {UPRIGHT, "NotoSansJP-Regular"}


@pytest.mark.parametrize("way", WAYS)
def test_latin_words_stay_italic(way: str) -> None:
    assert faces(WAYS[way]("Director 20 % and 8 × 10 %")) == {"EBGaramond-Italic"}


def test_a_line_of_figures_alone_is_set_as_the_rest_of_its_text() -> None:
    lines = ("社長株と", "8 × 10 %")
    assert "EBGaramond-Italic" not in faces(set_block(lines, ITALIC, BLACK, 0, 0))
    assert "EBGaramond-Italic" not in faces(set_lines(lines, ITALIC, BLACK, 0, 0))


def test_measures_are_those_of_what_is_set() -> None:
    runs = set_line(MIXED, ITALIC, BLACK, 0, 0)
    assert text_width(MIXED, ITALIC) == pytest.approx(runs[-1].x + runs[-1].width_mm)
    plain = TypeStyle(faces=(UPRIGHT, "NotoSansJP-Regular"), size_pt=ITALIC.size_pt)
    assert text_width(MIXED, ITALIC) == pytest.approx(text_width(MIXED, plain))
    assert wrap_rich(MIXED, ITALIC, 15.0) == wrap_rich(MIXED, plain, 15.0)
    assert rise_mm(MIXED, ITALIC) == rise_mm(MIXED, plain)
    kind, lines = balanced(MIXED, ITALIC, 18.0, 2)
    assert max(text_width(line, kind) for line in lines) <= 18.01


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
