"""Titles in a language that Platelayer itself does not speak."""

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from font_japanese import characters
from often import often
from packs import build as build_pack
from packs import pdf_text
from platelayer.definitions import themes
from platelayer.definitions.themes import drawable, unprintable
from platelayer.definitions.titles import load_title
from platelayer.foundation.languages import FOLDER, languages
from platelayer.foundation.problems import CannotRun, Severity
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.foundation.text import Text
from platelayer.pipeline.build import build
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_manifest
from platelayer.rules.text_rules import languages_of, spoken
from platelayer.scene import fonts
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.typeset import prepared
from processes import run_command, run_python

GERMAN = BuildOptions(language="de")


@pytest.fixture
def mine(tmp_path):
    """The starter with companies that have German names, and its words for the treasury in
    German."""
    copy = tmp_path / "mine"
    shutil.copytree(asset_path("starters", "small"), copy)
    path = copy / "companies.json"
    blocks = json.loads(path.read_text(encoding="utf-8"))
    for company in blocks["companies"].values():
        company["name"] = {"en": company["name"], "de": f"Königliche {company['name']}"}
    path.write_text(json.dumps(blocks), encoding="utf-8")
    path = copy / "title.json"
    title = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(
        json.dumps(title | {"terms": {"companies/treasury": {"de": "Kasse"}}}), encoding="utf-8"
    )
    return copy


def words_of(picture):
    return " ".join(each.run.text for each in flatten_scene(picture.scene)[1])


def test_its_texts_are_in_its_language_and_other_words_in_english(mine):
    piece = next(each.key for each in read_manifest(str(mine)).pieces if each.kind == "charter")
    words = words_of(draw(str(mine), piece, GERMAN))
    assert "KÖNIGLICHE" in words.upper()
    assert "kasse" in words.casefold()
    assert "trains" in words.casefold()


def test_a_print_says_what_is_english(mine):
    made = build(str(mine), BuildOptions(language="de", only=("priority-card",)))
    notes = [each for each in made.problems if each.code == "GL02"]
    assert [each.severity for each in notes] == [Severity.NOTE]
    assert '"de"' in notes[0].message


def test_an_unknown_language_is_told_with_those_there_are(mine):
    for act in (
        lambda: draw(str(mine), "charter:NR", BuildOptions(language="fr")),
        lambda: read_manifest(str(mine), language="fr"),
    ):
        with pytest.raises(CannotRun, match=re.escape('no texts in "fr"; known: "de", "en", "ja"')):
            act()


def test_it_is_proofed_in_its_language(mine):
    title = load_title(mine).title
    assert (languages_of(title), spoken(title)) == (("en", "de"), ("de", "en"))


def test_wordings_hold_where_neither_they_nor_fixed_words_have_the_language(mine):
    path = mine / "title.json"
    title = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(title | {"wording": ["president"]}), encoding="utf-8")
    piece = next(each.key for each in read_manifest(str(mine)).pieces if each.kind == "charter")
    words = words_of(draw(str(mine), piece, GERMAN))
    assert "President" in words
    assert "Director" not in words


def test_a_text_without_the_language_is_in_english():
    assert Text((("ja", "鉄道"), ("en", "Railway"))).get("de") == "Railway"


# Languages from outside: a folder with a file a language, partial or wrong


GERMAN_WORDS = {
    "name": "Deutsch",
    "words": {"backs": {"back": {"train": "Zug"}}, "pieces": {"trains": "Züge"}},
    "studio": {"map": "Karte"},
}
KIND = """
from platelayer.foundation.text import Text
from platelayer.model.kinds import KINDS
from platelayer.foundation.languages import unsaid, names, studio_words
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.scene.flatten import flatten_scene
def words(piece):
    picture = draw("18eu", piece, BuildOptions(language="de"))
    return " ".join(each.run.text for each in flatten_scene(picture.scene)[1]).upper()
assert "ZUG" in words("train:3:back")
assert "SHARE CERTIFICATE" in words("certificate:BNR-director:back")
assert KINDS["train"].name.get("de") == "Züge" and KINDS["token"].name.get("de") == "Tokens"
assert names()["de"] == "Deutsch" and "pieces/tokens" in unsaid("de")
page = studio_words("de")
assert page["map"] == "Karte" and page["pieces"] == studio_words("en")["pieces"]
"""


def write(folder: Path, code: str, language: object) -> None:
    (folder / f"{code}.json").write_text(json.dumps(language), encoding="utf-8")


def test_a_partial_language_is_printed_with_a_note_and_english_in_its_gaps(tmp_path: Path) -> None:
    write(tmp_path, "de", GERMAN_WORDS)
    words = ["build", "18eu", "--lang", "de", "--only", "train", "-o"]
    built = run_command(*words, tmp_path / "out", **{FOLDER: str(tmp_path)})
    assert built.returncode == 0, built.stderr
    assert "note GL02" in built.stderr
    assert 'fixed words are English, for "de" lacks' in built.stderr
    done = run_python("-c", KIND, **{FOLDER: str(tmp_path)})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("code", "language", "told"),
    [
        (
            "de",
            {"name": "Deutsch", "words": {"pieces": {"train": "Zug"}}},
            'no fixed words called "pieces/train"',
        ),
        ("de", {"name": "Deutsch", "words": {"pieces": {"phase": "Phase"}}}, '"pieces/phase": '),
        ("ja", {"name": "日本語"}, 'there is already a language "ja"'),
    ],
)
def test_a_wrong_file_is_told_in_one_line(
    tmp_path: Path, code: str, language: object, told: str
) -> None:
    write(tmp_path, code, language)
    done = run_command("manifest", "18eu", **{FOLDER: str(tmp_path)})
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


# Prints in Japanese: every word has its glyphs, files hold them as text, and prints without it do
# not wait for it


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
    result = build_pack("18eu", tmp_path, BuildOptions(only=("phase-card",), language="ja"))
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
    build_pack(
        starter, tmp_path, BuildOptions(only=("phase-card", "tile"))
    )  # titles have arrows, which Barlow has not
    assert any(name.startswith("Barlow") for name in read)
    assert not any(name.startswith("Noto") for name in read)
