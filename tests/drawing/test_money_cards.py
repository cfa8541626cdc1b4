"""Money and destination cards: as many as the facts say, told apart, and legible at other sizes
too."""

from __future__ import annotations

import pytest
from atlas_samples import FIRST_CARD, lost_atlas

from platelayer.definitions.themes import load_theme
from platelayer.drawing.cards.small_cards import draw_destination_card, draw_money
from platelayer.drawing.kit.style import Style
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Scene
from shipped import shipped


@pytest.fixture(scope="module")
def title() -> Title:
    return lost_atlas()


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


def words(scene: Scene) -> list[str]:
    return [text.run.text for text in flatten_scene(scene)[1]]


def test_285_notes_are_printed_worth_what_the_box_holds(title):
    manifest = build_manifest(title)
    notes = [piece for piece in manifest.pieces if piece.kind == "money"]
    assert manifest.totals["money"] == 285
    assert sum(int(piece.id) * piece.count for piece in notes) == 24500
    assert [str(piece.name) for piece in notes if piece.id == "2000"]


def test_a_title_without_money_prints_none():
    assert not {"money", "destination-card", "map-tile"} & set(
        build_manifest(shipped("18eu")).totals
    )


def test_a_destination_card_says_what_the_facts_say(title, style):
    printed = words(draw_destination_card(title, "first", style))
    for colour, value in FIRST_CARD:
        assert f"${value}" in printed
        assert {"gray": "GREY"}.get(colour, colour.upper()) in printed


def test_what_the_box_has_not_is_a_key_error(title, style):
    with pytest.raises(KeyError):
        draw_money(title, "3", style)
    with pytest.raises(KeyError):
        draw_destination_card(title, "third", style)
