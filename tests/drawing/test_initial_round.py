"""The sheets of an initial round, with places for its cards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from test_places_kept_clear import GHOST, Place, darkest, painted, spots

from platelayer.definitions.themes import load_theme
from platelayer.drawing.cards.offer_sheet import draw_offer_sheet
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.model.manifest import offered_card
from platelayer.model.title import OfferSheet, Size, Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from shipped import shipped

STYLE = Style(theme=load_theme("classic"))
CZ = shipped("18cz")
EU = shipped("18eu")


def of_few(width_mm: float, height_mm: float) -> Title:
    """Two small local railways and a medium one, and sheets of a size."""
    few = [company for company in CZ.companies if company.id in ("S1", "S2", "M1")]
    sheet = Size(kind="offer-sheet", width_mm=width_mm, height_mm=height_mm)
    sizes = (*CZ.pieces.sizes, sheet)
    pieces = replace(CZ.pieces, sizes=sizes, offer=OfferSheet(count=1))
    return replace(CZ, companies=tuple(few), pieces=pieces)


def test_sheets_of_another_size_and_few_companies() -> None:
    for sheet, count in (("small", 2), ("medium", 1)):
        scene = draw_offer_sheet(of_few(160, 130), sheet, STYLE)
        assert (scene.width_mm, scene.height_mm) == (160, 130)
        assert list(check_legibility(scene)) == []
        assert len([*spots(scene.items)]) == count


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("sheet", ["small", "medium", "large"])
def test_cards_lie_beside_their_prices_on_nothing_that_is_printed(
    sheet: str, language: str
) -> None:
    scene = draw_offer_sheet(CZ, sheet, Style(theme=load_theme("classic"), language=language))
    cards = [private for private in CZ.companies if private.size == sheet and private.value]
    places = [*spots(scene.items)]
    assert len(places) == len(cards) == 6
    width, height = offered_card(CZ, cards)
    for place in places:
        assert place.right - place.left == pytest.approx(width)
        assert place.bottom - place.top == pytest.approx(height)
        assert place.bottom <= scene.height_mm - 3
    words = [text.bounds for text in flatten_scene(scene)[1]]
    assert not any(x1 > places[0].left and y1 > places[0].top for _, _, x1, y1 in words)
    picture = painted(scene)
    step = places[1].top - places[0].top
    shown = [place._replace(bottom=place.top + step) for place in places[:-1]]
    for spot in (*shown, places[-1]):
        seen = Place(thing="private", width_mm=width - 2, height_mm=spot.bottom - spot.top - 2)
        assert darkest(picture, spot, seen) <= GHOST


def test_cards_too_large_for_the_sheet_are_named() -> None:
    with pytest.raises(DoesNotFit, match="2 cards of 89 x 64 mm do not fit a sheet of 120 x 100"):
        draw_offer_sheet(of_few(120, 100), "small", STYLE)


def test_no_sheet_without_an_initial_round() -> None:
    with pytest.raises(KeyError):
        draw_offer_sheet(EU, "private", STYLE)
