"""The sheet of an initial round with its back, the track of rounds played once, places for cards on
a map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.boards.round_track import draw_round_track
from platelayer.drawing.cards.offer_sheet import draw_offer_sheet
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back
from platelayer.drawing.train.phase_tables import CardTypes, Side, train_tables
from platelayer.foundation.text import Text
from platelayer.model.manifest import build_manifest
from platelayer.model.title import OfferSheet, Round, Size
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Circle, Group, Item, Scene
from shipped import shipped

STYLE = Style(theme=load_theme("classic"))
CZ = shipped("18cz")
EU = shipped("18eu")
TOKEN_MM = 14.0


def words_of(scene: Scene) -> list[str]:
    return [text.run.text.replace("\u00a0", " ") for text in flatten_scene(scene)[1]]


def test_every_private_has_a_space_with_its_price() -> None:
    scene = draw_offer_sheet(CZ, "offer", STYLE)
    printed = words_of(scene)
    privates = [company for company in CZ.companies if not company.has_charter]
    assert len(privates) == 18
    for company in privates:
        assert company.id in printed
        assert company.value is not None
        assert CZ.money(company.value) in printed
        assert company.second_name is not None
        # What follows the dot has a line of its own.
        assert STYLE.words(company.second_name).replace("\u00a0", " ").replace(
            " · ", " "
        ) in " ".join(printed)
    assert [printed.count(f"Income {amount} K") for amount in (5, 10, 20)] == [6, 6, 6]
    assert list(check_legibility(scene)) == []


def test_a_sheet_of_another_size_and_few_companies() -> None:
    few = [company for company in CZ.companies if company.id in ("S1", "S2", "M1")]
    pieces = replace(
        CZ.pieces,
        sizes=(Size(kind="offer-sheet", width_mm=148, height_mm=105),),
        offer=OfferSheet(count=1),
    )
    scene = draw_offer_sheet(replace(CZ, companies=tuple(few), pieces=pieces), "offer", STYLE)
    assert (scene.width_mm, scene.height_mm) == (148, 105)
    assert list(check_legibility(scene)) == []


def test_no_sheet_without_an_initial_round() -> None:
    with pytest.raises(KeyError):
        draw_offer_sheet(EU, "offer", STYLE)


def test_its_back_shows_phases_trains_and_upgrades() -> None:
    manifest = build_manifest(CZ)
    front = draw_offer_sheet(CZ, "offer", STYLE)
    back = draw_back(CZ, manifest.by_key["offer-sheet:offer"], STYLE)
    assert back is not None
    assert (back.key, back.width_mm, back.height_mm) == (
        "offer-sheet:offer:back",
        front.width_mm,
        front.height_mm,
    )
    printed = words_of(back)
    assert {
        "a",
        "j",
        "5+5",
        "8E",
        "1,000 K",
        "Plain track",
        "8889, 8890",
        "8894p*, 8895p*, 8896p*",
    } <= set(printed)
    assert list(check_legibility(back)) == []


def _all(title):
    return Side(phases=title.phases, trains=title.trains, bonuses=())


def test_trains_of_one_card_stay_in_one_table_below_its_letter() -> None:
    tables = train_tables(CZ, _all(CZ), STYLE, CardTypes.of(STYLE, 1.0), 0.0)
    assert [[span.words.text for span in table.spans] for table in tables] == [
        list("abcdef"),
        list("ghij"),
    ]
    plain = train_tables(EU, _all(EU), STYLE, CardTypes.of(STYLE, 1.0), 0.0)
    assert [table.spans for table in plain] == [()]


def test_the_track_of_rounds_that_are_played_once() -> None:
    scene = draw_round_track(CZ, "rounds", STYLE)
    printed = words_of(scene)
    amounts = [each.amount for each in CZ.pieces.rounds if each.amount is not None]
    assert len(amounts) == 13
    assert {CZ.money(amount) for amount in amounts} <= set(printed)
    assert "Operating round 8.3" in printed
    assert scene.width_mm <= 283
    assert list(check_legibility(scene)) == []
    rings = [circle for circle in circles(scene.items) if circle.fill is not None]
    assert len(rings) == 8 + 13
    assert all(2 * ring.r >= TOKEN_MM - 1 for ring in rings)


def circles(items: Iterable[Item]) -> Iterator[Circle]:
    for item in items:
        if isinstance(item, Circle):
            yield item
        elif isinstance(item, Group):
            yield from circles(item.items)


def test_columns_begin_with_rounds_without_an_amount() -> None:
    rounds = tuple(
        Round(id=f"r{number}", name=Text.plain(f"Round {number}"), amount=amount)
        for number, amount in enumerate((10, None, 20, 30, None))
    )
    scene = draw_round_track(replace(CZ, pieces=replace(CZ.pieces, rounds=rounds)), "rounds", STYLE)
    _, texts = flatten_scene(scene)
    at = {text.run.text: round((text.bounds[0] + text.bounds[2]) / 2, 1) for text in texts}
    assert at["Round 1"] == at["Round 2"] == at["Round 3"]
    assert at["Round 0"] < at["Round 1"] < at["Round 4"]


def test_places_for_cards_lie_beside_the_hexes() -> None:
    scene = draw_map(CZ, "bohemia", STYLE)
    printed = " ".join(words_of(scene))
    assert "VACLAV" in printed.upper()
    assert "Bohemia" in printed
    assert list(check_legibility(scene)) == []
    bare = draw_map(
        replace(CZ, maps=tuple(replace(board, places=()) for board in CZ.maps)), "bohemia", STYLE
    )
    assert bare.width_mm < scene.width_mm
