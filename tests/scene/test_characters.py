"""Characters as they are printed: spaces of all widths, capitals, and what fonts lack."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from itertools import chain
from pathlib import Path

import pytest

from font_currency import SIGNS as CURRENCIES
from font_fallback import SIGNS
from platelayer.definitions.themes import drawable, load_theme, theme_ids
from platelayer.drawing.kit.style import Style
from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import asset_path
from platelayer.foundation.text import character
from platelayer.pipeline.build import build
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check
from platelayer.scene.fonts import face, face_names
from platelayer.scene.typeset import (
    TypeStyle,
    missing_glyphs,
    prepared,
    split_by_face,
    text_width,
)

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


# Everyday signs are printed; what no font has is printed as a box, with a warning


EVERYDAY = (
    "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳❶❷❸❹❺❻❼❽❾❿⓪⑴⑵Ⓐⓐ㊀㊤㊥㊦㋐㉑㊿ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹ"
    "✓✔✗✘☐☑☒⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞№℡㈱㈲㈹㎞㎝㎜㎡㎥㎏㎎㏄㍉㌔㌢㍍㌧㍿℃℉™©®°′″‰"
    "♠♥♦♣♤♡♢♧←↑→↓↔↕↖↗↘↙⇐⇒⇔➡⬅⬆⬇➔➜↩↪↻★☆✦✩●○◎◉■□▲△▼▽◆◇▶◀◯▪▫─│┌┐└┘├┤╋█▒"
    "±×÷−≠≈≡≤≥≦≧∞∑√∝∂∆∇∈∩∪∧∨∀∃∠⊥∥∴∵⚀⚁⚂⚃⚄⚅♔♕♖♗♘♙♚♛☎☏✉✂✈☀☁☂☃☠☢☮☯☺⚓⚒⚔⚙⚠⚡⛏⛰"
    "§¶†‡•…–—‚„“”‘’«»‹›‖※〒〓〆〽♪♫♯♭♂♀€£¥¢₩₽₹₿ƒｱｲｳ￥！？（）"
)


def everyday(block: str) -> list[str]:
    codes = chain.from_iterable(SIGNS[block])
    return [
        char
        for char in map(chr, codes)
        if unicodedata.category(char) not in ("Cn", "Cf", "Zs", "Zl", "Zp")
    ]


def titled(folder: Path, words: str) -> str:
    company = {
        "name": {"en": f"First {words}", "ja": f"第一{words}"},
        "kind": "minor",
        "colour": "#224488",
        "token_text": words[:1],
        "certificates": [{"percent": 100}],
        "value": 100,
        "stations": [0],
    }
    aid = {
        "name": "Aid",
        "sections": [
            {"heading": words, "lines": [words, {"en": "Plain", "ja": f"一度だけ{words}。"}]}
        ],
    }
    whole = {"format": "platelayer.title/1", "id": "signs", "name": "Signs", "currency": "{}"}
    whole |= {"companies": {"M1": company}, "aids": {"turn": aid}}
    (folder / "title.json").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize("theme_id", theme_ids())
def test_every_style_of_every_theme_draws_everyday_signs(theme_id: str) -> None:
    assert {*EVERYDAY} - drawable(load_theme(theme_id)) == set()


@pytest.mark.parametrize("block", SIGNS)
def test_a_class_of_signs_has_no_gaps_but_emoji(block: str) -> None:
    lacking = {*everyday(block)} - drawable(load_theme("classic"))
    assert lacking <= {*"⏫⏬⏰✅✊✨❌❎❔❕➕➖➗➰➿㌬"}


@pytest.mark.parametrize("theme_id", theme_ids())
@pytest.mark.parametrize("language", ["en", "ja"])
def test_signs_are_printed_and_can_be_copied(tmp_path: Path, theme_id: str, language: str) -> None:
    title = titled(tmp_path, "①Ⅲ✓²⅓№㈱㎞♠⇒★☃")
    assert check(title) == ()
    options = BuildOptions(theme=theme_id, language=language)
    assert [
        each for each in build(title, options).problems if each.severity is not Severity.NOTE
    ] == []
    (tmp_path / "aid.pdf").write_bytes(draw(title, "summary:turn", options).pdf())
    text = subprocess.run(
        ["pdftotext", str(tmp_path / "aid.pdf"), "-"], capture_output=True, text=True, check=True
    )
    assert {*"①Ⅲ✓²⅓№㈱㎞♠⇒★☃"} <= {*text.stdout}


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_sign_of_no_font_is_a_box_with_a_warning(
    tmp_path: Path, draft: bool, language: str
) -> None:
    title = titled(tmp_path, "\U00013000ש\U0001f682")
    found = [each for each in check(title) if each.code == "GL01"]
    assert {each.pointer for each in found} >= {"/companies/M1/name/en", "/companies/M1/name/ja"}
    assert {each.severity for each in found} == {Severity.WARNING}
    assert all(
        each.line == 1 and "\U00013000 (U+13000)" in each.message
        for each in found
        if "token" not in each.pointer
    )
    made = build(title, BuildOptions(draft=draft, language=language))
    assert {each.severity for each in made.problems if each.code == "GL01"} == {Severity.WARNING}
    assert {"charter:M1", "token:M1", "summary:turn"} <= {
        f"{each['kind']}:{each['id']}"
        for each in json.loads(made.files["manifest.json"])["placements"]
    }
    (tmp_path / "aid.pdf").write_bytes(
        draw(title, "summary:turn", BuildOptions(language=language)).pdf()
    )
    text = subprocess.run(
        ["pdftotext", str(tmp_path / "aid.pdf"), "-"], capture_output=True, text=True, check=True
    )
    assert {*"\U00013000ש\U0001f682"} <= {*text.stdout}


def test_an_emoji_selector_is_not_printed(tmp_path: Path) -> None:
    assert check(titled(tmp_path, "\u26a0\ufe0f\u2611\ufe0e")) == ()


# Japanese knows no italics: words that hold it are upright, Latin letters and figures too


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


# Signs of currencies: every Latin face has them, and capitals leave them alone


LATIN = ("Barlow", "EBGaramond-")
"""How the names of the faces begin that words and figures are first set in."""
FACES = [
    path.stem for path in sorted(asset_path("fonts").glob("*.ttf")) if path.stem.startswith(LATIN)
]


@pytest.mark.parametrize("name", FACES)
def test_every_latin_face_has_the_signs_of_currencies(name: str) -> None:
    assert set("$£€¥" + CURRENCIES) <= face(name).glyphs.keys()


@pytest.mark.parametrize("name", FACES)
def test_signs_are_about_as_high_as_figures(name: str) -> None:
    tallest = face(name).glyphs["8"][2]
    for sign in CURRENCIES:
        advance, low, high = face(name).glyphs[sign]
        assert 0.7 * tallest < high < 1.45 * tallest, sign
        assert low > -0.35, sign
        assert 0.2 < advance < 1.3, sign


def test_capitals_leave_the_florin_sign_alone() -> None:
    assert prepared("ƒ400 a turn", capitals=True) == "ƒ400 A TURN"
