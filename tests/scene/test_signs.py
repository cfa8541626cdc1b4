"""Everyday signs are printed; what no font has is printed as a box, with a warning."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from itertools import chain
from pathlib import Path

import pytest

from font_fallback import SIGNS
from platelayer.definitions.themes import drawable, load_theme, theme_ids
from platelayer.foundation.problems import Severity
from platelayer.pipeline.build import build
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check

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
