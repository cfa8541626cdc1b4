"""The sheet of an initial round with its back, the track of rounds played once, places for cards on
a map."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.cards.offer_sheet import draw_offer_sheet
from platelayer.drawing.kit.style import Style
from platelayer.model.title import OfferSheet, Size
from platelayer.scene.legibility import check_legibility
from shipped import shipped

STYLE = Style(theme=load_theme("classic"))
CZ = shipped("18cz")
EU = shipped("18eu")


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
