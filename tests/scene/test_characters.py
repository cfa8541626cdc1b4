"""Characters as they are printed: spaces of all widths, capitals, and what fonts lack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.foundation.problems import Severity
from platelayer.foundation.text import character
from platelayer.pipeline.load import check
from platelayer.scene.fonts import face, face_names
from platelayer.scene.typeset import missing_glyphs, prepared, text_width

STYLES = load_theme("classic").types.values()


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("Compagnie du Nord\u202f!", "Compagnie du Nord\u00a0!"),
        ("10\u2007000", "10\u00a0000"),
        ("a\u2003b\u2009c\u205fd", "a b c d"),
        ("one\ntwo", "one two"),
        ("non\u2011stop", "non-stop"),
        ("e\u0301", "é"),
        ("Vi\u0065\u0323\u0302t", "Việt"),
    ],
)
def test_what_has_the_same_meaning_is_printed_the_same(words: str, printed: str) -> None:
    assert prepared(words) == printed
    assert all(missing_glyphs(words, style.faces) == () for style in STYLES)
    assert all(text_width(words, style) > 0 for style in STYLES)


@pytest.mark.parametrize(
    ("words", "printed"), [("Straße", "STRASSE"), ("ταΐζω", "ΤΑΪΖΩ"), ("ƒ5", "ƒ5"), ("ΰ", "Ϋ")]
)
def test_capitals_are_those_of_print(words: str, printed: str) -> None:
    assert prepared(words, capitals=True) == printed


@pytest.mark.parametrize("name", face_names())
def test_no_face_draws_what_is_invisible(name: str) -> None:
    assert not set("\u00ad\u200b\u200d\u200e\u2060\ufeff") & face(name).glyphs.keys()


@pytest.mark.parametrize(
    ("char", "named"),
    [
        ("é", "é (U+00E9)"),
        ("☃", "☃ (U+2603)"),
        ("\u0301", "U+0301 COMBINING ACUTE ACCENT"),
        ("ש", "U+05E9 HEBREW LETTER SHIN"),
        ("\u0634", "U+0634 ARABIC LETTER SHEEN"),
        ("\u200b", "U+200B ZERO WIDTH SPACE"),
        ("\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("\x07", "U+0007"),
        ("\ud800", "U+D800"),
    ],
)
def test_a_message_names_a_character_that_nobody_sees(char: str, named: str) -> None:
    assert character(char) == named


@pytest.mark.parametrize(
    ("words", "stated", "hint"),
    [
        ("ש Line", "U+05E9 HEBREW LETTER SHIN", "from right to left"),
        ("x\u0302 Line", "U+0302 COMBINING CIRCUMFLEX ACCENT", "one character"),
        ("a\u200bb", "U+200B ZERO WIDTH SPACE", "nobody sees"),
        ("soft\u00adhyphen", "U+00AD SOFT HYPHEN", "nobody sees"),
        ("รถไฟ", "ร (U+0E23)", "other characters"),
        ("".join(map(chr, range(0x5D0, 0x5E0))), "and 8 more", "from right to left"),
    ],
)
def test_check_warns_of_what_fonts_lack_by_name_and_place(
    tmp_path: Path, words: str, stated: str, hint: str
) -> None:
    whole = {"format": "platelayer.title/1", "id": "x", "name": "X", "subtitle": words}
    (tmp_path / "title.json").write_text(json.dumps(whole, indent=1), encoding="utf-8")
    [found] = [each for each in check(str(tmp_path)) if each.code == "GL01"]
    assert (found.pointer, found.line) == ("/subtitle", 5)
    assert found.severity is Severity.WARNING
    assert stated in found.message
    assert hint in found.hint


def test_check_looks_at_variants(tmp_path: Path) -> None:
    whole = {
        "format": "platelayer.title/1",
        "id": "x",
        "name": "X",
        "variants": {"v": {"name": "ש", "patch": {"subtitle": "ת"}}},
    }
    (tmp_path / "title.json").write_text(json.dumps(whole), encoding="utf-8")
    found = [each for each in check(str(tmp_path)) if each.code == "GL01"]
    assert {each.pointer.rpartition("/")[2] for each in found} == {"name", "subtitle"}


def test_a_style_measures_every_language_of_the_theme() -> None:
    style = Style(theme=load_theme("classic"))
    assert text_width("Đường sắt · Дорога · Σιδηρόδρομος", style.type("charter.minor")) > 10
