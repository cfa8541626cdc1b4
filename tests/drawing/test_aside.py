"""Abilities that have no room on their piece stand on an aid, and the piece says so."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece, draw_with_room, with_words_aside
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Size
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from shipped import shipped

LONG = {
    "en": "It may do what no other company may do. ",
    "ja": "この会社だけが、ほかの会社にできないことをしてよい。",
}


def wordy(name: str, company_id: str, lines: int) -> object:
    """A title of which one company may do very much."""
    title = shipped(name)
    stated = Text(tuple((code, (words * 12).strip()) for code, words in LONG.items()))
    companies = tuple(
        replace(company, abilities=(stated,) * lines) if company.id == company_id else company
        for company in title.companies
    )
    return replace(title, companies=companies)


def faces(title, key, style):
    manifest = build_manifest(title)
    piece = manifest.by_key[key]
    return draw_with_room(
        lambda roomy, ink: draw_piece(roomy, manifest, piece, ink), title, piece, style
    )


def shown(scenes) -> str:
    return "".join(text.run.text for scene in scenes for text in flatten_scene(scene)[1]).replace(
        " ", ""
    )


@pytest.mark.parametrize(
    ("language", "key"),
    often(
        product(["en", "ja"], ["charter:SD", "private:B1"]),
        ("ja", "charter:SD"),
        ("en", "private:B1"),
    ),
)
def test_what_does_not_fit_goes_to_the_aid(key, language):
    title = wordy("1824", key.partition(":")[2], 8)
    style = Style(theme=load_theme("classic"), language=language)
    scenes, notes = faces(title, key, style)
    assert [note.code for note in notes][-1:] == ["LG18"]
    assert {"en": "Abilitiesinfull", "ja": "能力の全文"}[language] in shown(scenes)
    assert LONG[language].replace(" ", "") not in shown(scenes)
    moved, warnings = with_words_aside(title, style)
    assert [(problem.code, problem.about) for problem in warnings] == [("LG18", key)]
    aid = moved.aids[-1]
    assert aid.count == max(setting.players for setting in title.players)
    printed, _ = faces(moved, f"summary:{aid.id}", style)
    assert LONG[language].replace(" ", "").strip("。.")[:12] in shown(printed)
    assert [
        str(problem) for scene in (*scenes, *printed) for problem in check_legibility(scene)
    ] == []
    assert faces(moved, key, style)[1] == ()


def on_low_charters(name: str) -> object:
    """A title whose charters have no room for a panel of abilities."""
    title = shipped(name)
    given = tuple(size for size in title.pieces.sizes if size.kind.partition(":")[0] != "charter")
    low = Size(kind="charter", width_mm=148, height_mm=105)
    return replace(title, pieces=replace(title.pieces, sizes=(*given, low)))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("company_id", ["EPP", "SD1"])
def test_a_minor_on_a_low_charter_says_what_it_may_do_or_where_that_stands(company_id, language):
    title, style = on_low_charters("1824"), Style(theme=load_theme("classic"), language=language)

    def able(ability: Text) -> object:
        changed = (
            replace(each, abilities=(ability,)) for each in title.companies if each.id == company_id
        )
        return replace(title, companies=tuple(changed))

    long, brief = (
        Text(tuple((language, 16 * words) for language, words in LONG.items())),
        Text((("en", "May skip towns."), ("ja", "町を飛ばせる。"))),
    )
    scenes, notes = faces(able(long), f"charter:{company_id}", style)
    assert [note.code for note in notes] == ["LG18"]
    assert {"en": "Abilitiesinfull", "ja": "能力の全文"}[language] in shown(scenes)
    scenes, notes = faces(able(brief), f"charter:{company_id}", style)
    assert notes == ()
    assert {"en": "Mayskiptowns.", "ja": "町を飛ばせる。"}[language] in shown(scenes)
    assert [str(problem) for scene in scenes for problem in check_legibility(scene)] == []
