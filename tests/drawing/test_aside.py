"""Abilities that have no room on their piece stand on an aid, and the piece says so."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece, draw_with_room, with_words_aside
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility

LONG = {"en": "It may do what no other company may do. ", "ja": "この会社だけが、ほかの会社にできないことをしてよい。"}


def wordy(name: str, company_id: str, lines: int) -> object:
    """A title of which one company may do very much."""
    title = load_title(name).title
    told = Text(tuple((code, (words * 12).strip()) for code, words in LONG.items()))
    companies = tuple(
        replace(company, abilities=(told,) * lines) if company.id == company_id else company
        for company in title.companies
    )
    return replace(title, companies=companies)


def faces(title, key, style):
    manifest = build_manifest(title)
    piece = manifest.by_key[key]
    return draw_with_room(lambda roomy, ink: draw_piece(roomy, manifest, piece, ink), title, piece, style)


def said(scenes) -> str:
    return "".join(text.run.text for scene in scenes for text in flatten_scene(scene)[1]).replace(" ", "")


@pytest.mark.parametrize(
    ("language", "key"),
    often(product(["en", "ja"], ["charter:SD", "private:B1"]), ("ja", "charter:SD"), ("en", "private:B1")),
)
def test_what_does_not_fit_goes_to_the_aid(key, language):
    title = wordy("1824", key.partition(":")[2], 8)
    style = Style(theme=load_theme("classic"), language=language)
    scenes, notes = faces(title, key, style)
    assert [note.code for note in notes][-1:] == ["LG18"]
    assert {"en": "Abilitiesinfull", "ja": "能力の全文"}[language] in said(scenes)
    assert LONG[language].replace(" ", "") not in said(scenes)
    moved, warnings = with_words_aside(title, style)
    assert [(problem.code, problem.about) for problem in warnings] == [("LG18", key)]
    aid = moved.aids[-1]
    assert aid.count == max(setting.players for setting in title.players)
    printed, _ = faces(moved, f"summary:{aid.id}", style)
    assert LONG[language].replace(" ", "").strip("。.")[:12] in said(printed)
    assert [str(problem) for scene in (*scenes, *printed) for problem in check_legibility(scene)] == []
    assert faces(moved, key, style)[1] == ()


@pytest.mark.parametrize("name", ["1824", "18cz", "lost-atlas"])
def test_titles_that_fit_stay_as_they_are(name):
    title = load_title(name).title
    style = Style(theme=load_theme("classic"), language="ja")
    assert with_words_aside(title, style) == (title, ())
