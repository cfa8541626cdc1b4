"""Money and destination cards: as many as the facts say, told apart, and legible at other sizes
too."""

from __future__ import annotations

import pytest
from atlas_samples import FIRST_CARD, MONEY, lost_atlas
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.backs import draw_money_back
from platelayer.drawing.cards.money import draw_money
from platelayer.drawing.cards.small_cards import draw_destination_card
from platelayer.drawing.kit.style import Style
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Size, Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
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


@pytest.mark.parametrize("value", [value for value, _ in MONEY])
@pytest.mark.parametrize("size", [(100.0, 50.0), (120.0, 60.0), (50.0, 100.0)])
def test_notes_can_be_read(title, style, value, size):
    sizes = (Size(kind="money", width_mm=size[0], height_mm=size[1]),)
    scene = draw_money(replace(title, pieces=replace(title.pieces, sizes=sizes)), str(value), style)
    assert (scene.width_mm, scene.height_mm) == pytest.approx(size)
    assert [str(problem) for problem in check_legibility(scene)] == []


def test_a_note_says_its_value_three_times(title, style):
    assert words(draw_money(title, "500", style)).count("$500") == 3


def test_notes_differ_in_their_colour(title, style):
    figures = []
    for value, _ in MONEY:
        scene = draw_money(title, str(value), style)
        figures.append(
            next(
                text.run.ink.rgb
                for text in flatten_scene(scene)[1]
                if text.run.text.startswith("$")
            )
        )
    assert len(set(figures)) == len(MONEY)


def test_a_destination_card_says_what_the_facts_say(title, style):
    printed = words(draw_destination_card(title, "first", style))
    for colour, value in FIRST_CARD:
        assert f"${value}" in printed
        assert {"gray": "GREY"}.get(colour, colour.upper()) in printed


def test_the_blank_card_has_colours_but_no_values(title, style):
    printed = words(draw_destination_card(title, "blank", style))
    assert {"YELLOW", "GREEN", "PURPLE", "GREY"} <= set(printed)
    assert not any(char.isdecimal() for word in printed for char in word)


@pytest.mark.parametrize("card", ["first", "blank"])
@pytest.mark.parametrize("size", [(88.0, 63.0), (67.0, 48.0)])
def test_destination_cards_can_be_read(title, style, card, size):
    sizes = (Size(kind="destination-card", width_mm=size[0], height_mm=size[1]),)
    scene = draw_destination_card(
        replace(title, pieces=replace(title.pieces, sizes=sizes)), card, style
    )
    assert [str(problem) for problem in check_legibility(scene)] == []


def test_what_the_box_has_not_is_a_key_error(title, style):
    with pytest.raises(KeyError):
        draw_money(title, "3", style)
    with pytest.raises(KeyError):
        draw_destination_card(title, "third", style)


def test_the_value_is_the_largest_on_the_back_of_a_note(title, style):
    for piece in build_manifest(title).pieces:
        if piece.kind == "money":
            scene = draw_money_back(title, piece, style)
            assert not check_legibility(scene)
            runs = {text.run.text: text.run.size_pt for text in flatten_scene(scene)[1]}
            assert runs[title.money(int(piece.id))] == max(runs.values()) >= 12.0
