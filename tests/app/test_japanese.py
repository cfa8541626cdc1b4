"""Prints in Japanese: every word has its glyphs, files hold them as text, and prints without it do
not wait for it."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from font_japanese import characters
from often import often
from packs import build, pdf_text
from platelayer.definitions import themes
from platelayer.definitions.themes import drawable, unprintable
from platelayer.definitions.titles import load_title
from platelayer.foundation.languages import languages
from platelayer.foundation.resources import title_ids
from platelayer.pipeline.job import BuildOptions
from platelayer.scene import fonts
from platelayer.scene.typeset import prepared

ROOT = Path(__file__).resolve().parents[2]


def words_in_code() -> set[str]:
    """Every text with a Japanese letter that our own code holds, but for documentation and tables
    of characters."""
    found = set()
    for path in sorted((ROOT / "generator").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path.stem in ("breaks", "piece_rules", "spacing") or not is_japanese(source):
            continue
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and is_japanese(node.value)
            ):
                found.add(node.value)
    return found


def is_japanese(text: str) -> bool:
    return re.search("[ぁ-龿]", text) is not None


def _leaves(table):
    for value in table.values():
        yield from (value,) if isinstance(value, str) else _leaves(value)


@pytest.mark.parametrize("theme_id", often(themes.theme_ids(), "classic"))
def test_our_own_words_are_drawn_in_every_type_style(theme_id):
    words = words_in_code()
    words |= set(_leaves(languages()["ja"]))
    assert {"株券", "凡例"} <= words
    assert sorted(set(prepared("".join(words))) - drawable(themes.load_theme(theme_id))) == []


@pytest.mark.parametrize("title_id", title_ids())
def test_every_word_of_a_title_is_drawn_in_every_type_style(title_id):
    loaded = load_title(title_id)
    for theme_id in themes.theme_ids():
        assert unprintable(loaded, themes.load_theme(theme_id), language=None) == (), theme_id


def test_the_common_characters_are_there():
    wanted = characters(())
    kanji = {char for char in wanted if "一" <= char <= "鿿"}
    assert len(kanji - {"仝"}) == 2965  # JIS X 0208, level 1; 仝 is a sign of its row 1
    assert {char for char in wanted if char >= "、"} <= drawable(themes.load_theme("classic"))


def test_a_print_holds_its_words_as_text_in_embedded_subsets(tmp_path):
    result = build("18eu", tmp_path, BuildOptions(only=("phase-card",), language="ja"))
    pdf = result.folder / "cards.pdf"
    text = pdf_text(pdf, "-raw")
    assert "フェイズ" in text
    assert "片側の終点がハンブルグならなし。" in text
    listed = subprocess.run(
        ["pdffonts", pdf], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    japanese = [line for line in listed if "NotoSansJP" in line or "NotoSerifJP" in line]
    assert len(japanese) == 2
    for line in japanese:
        assert "+Noto" in line  # a subset
        # Embedded, subset, with a table of characters.
        assert line.split()[-5:-2] == ["yes", "yes", "yes"]
    assert pdf.stat().st_size < 200_000


def test_an_english_print_reads_no_japanese_face(tmp_path, monkeypatch):
    read, starter = [], str(fonts.asset_path("starters", "small"))

    def recorded(*parts):
        read.append(parts[-1])
        return asset_json(*parts)

    asset_json = fonts.asset_json
    monkeypatch.setattr(fonts, "asset_json", recorded)
    fonts.face.cache_clear()
    build(
        starter, tmp_path, BuildOptions(only=("phase-card", "tile"))
    )  # titles have arrows, which Barlow has not
    assert any(name.startswith("Barlow") for name in read)
    assert not any(name.startswith("Noto") for name in read)
