"""Kerning: words are as wide as HarfBuzz sets them with the fonts' own tables."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from font_kerning import UPSTREAM
from harfbuzz import shaped
from platelayer.scene.fonts import advances, face
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import TextRun
from platelayer.scene.typeset import TypeStyle, part_widths, set_line, text_width


@given(st.data())
def test_any_words_are(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*UPSTREAM]))
    letters = sorted(char for char in face(name).glyphs if char.isalpha() or char.isascii())
    text = data.draw(st.text(st.sampled_from(letters), min_size=1, max_size=12))
    assert math.fsum(advances(name, text)) == pytest.approx(shaped(name, text), abs=0.001)


STYLE = TypeStyle(faces=("EBGaramond-Regular",), size_pt=100.0)


def test_letters_that_overhang_come_closer() -> None:
    assert advances("EBGaramond-Regular", "To")[0] == pytest.approx(
        face("EBGaramond-Regular").glyphs["T"][0] - 0.105
    )


def test_figures_by_themselves_stay_at_even_distances() -> None:
    plain = face("Barlow-Bold").glyphs
    assert advances("Barlow-Bold", "1841")[2] == plain["4"][0]
    assert advances("Barlow-Bold", "L.41")[2] == plain["4"][0]
    assert advances("Barlow-Bold", "41A")[0] < plain["4"][0]


@pytest.mark.parametrize("words", ["Austria-Hungary To Venice", "To-To/To", "AV–AV"])
def test_parts_of_a_line_add_up_to_it(words: str) -> None:
    parts = [part for part in re.split(r"(?<=[ \-/–])", words) if part]
    widths = part_widths(parts, STYLE)
    whole = sum(within for within, _ in widths[:-1]) + widths[-1][1]
    assert whole == pytest.approx(text_width(words, STYLE))


def test_a_run_is_as_wide_as_its_words() -> None:
    (run,) = set_line("Torino", STYLE, BLACK, 0, 0)
    assert isinstance(run, TextRun)
    assert run.width_mm == pytest.approx(text_width("Torino", STYLE))
