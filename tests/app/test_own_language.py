"""Titles in a language that Platelayer itself does not speak."""

import json
import re
import shutil

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import CannotRun, Severity
from platelayer.foundation.resources import asset_path
from platelayer.foundation.text import Text
from platelayer.pipeline.build import build
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_manifest
from platelayer.rules.text_rules import languages_of, spoken
from platelayer.scene.flatten import flatten_scene

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
