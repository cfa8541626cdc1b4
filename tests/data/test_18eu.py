"""18EU as data: every number of the rulebook, read through the loader; and the reference where it
is at hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from facts import assert_as_in_the_reference, exits_of, needs_reference, reference, words_of

from facts_18eu import BOX
from platelayer.model.company import CompanyKind
from platelayer.model.gamemap import Layout, neighbour
from platelayer.model.kinds import piece_size
from platelayer.model.manifest import build_manifest
from platelayer.model.tile import StopKind
from shipped import shipped

TITLE = shipped("18eu")
(BOARD,) = TITLE.maps

MAJORS = [company for company in TITLE.companies if company.kind is CompanyKind.MAJOR]
MINORS = [company for company in TITLE.companies if company.kind is CompanyKind.MINOR]


def hexes_where(test: Any) -> set[str]:
    return {each.id for each in BOARD.hexes if test(each)}


# --- map


def test_mountains_and_rough() -> None:
    costs = {
        each.id: (terrain.kinds, terrain.cost)
        for each in BOARD.hexes
        for terrain in each.tile.terrain
    }
    mountains = {"R3", "Q4", "P5", "Q6", "R7", "Q8", "P9", "O10"}
    rough = {
        *("N1", "P1", "J3", "T3", "I4", "K4", "N5", "O6", "P7", "O8", "J9", "L9", "N9"),
        *("I10", "M10", "H11", "I12", "O12", "J13"),
    }
    assert {name for name, found in costs.items() if found == (("mountain",), 120)} == mountains
    assert hexes_where(lambda each: "M" in [icon.text for icon in each.tile.icons]) == mountains
    # Rulebook 4.6: the printed hex south of Vienna stands in the row of the mountains; its upgrade
    # costs 60.
    assert costs.pop("P11") == (("mountain",), 60)
    assert {name for name, found in costs.items() if found == (("rough",), 60)} == rough
    assert set(costs) - mountains - rough == {"A4", "U2", "V5", "T9"}  # the sea


@pytest.mark.parametrize(
    ("at", "exits"), [("J1", [{4}, {5}]), ("E10", [{4}, {1}]), ("N11", [{0}, {3}])]
)
def test_special_cities(at: str, exits: list[set[int]]) -> None:
    assert [exits_of(BOARD.by_id[at].tile, index) for index in (0, 1)] == exits


def test_no_other_hex_is_preprinted() -> None:
    assert hexes_where(lambda each: each.tile.colour == "yellow") == {"J1", "E10", "N11", "P11"}
    assert all(not each.tile.track for each in BOARD.hexes if each.tile.colour == "white")


# --- tiles


def test_each_step_of_the_table_is_of_the_next_colour() -> None:
    for chain in TITLE.chains:
        colours = [
            {TITLE.tile_by_id[number].tile.colour for number in step} for step in chain.steps
        ]
        first = TITLE.colours.index(*colours[0])
        assert colours == [{colour} for colour in TITLE.colours[first : first + len(colours)]]


# --- companies


def test_names_are_the_same_in_both_prints() -> None:
    for company in TITLE.companies:
        assert company.name.get("ja") == company.name.get("en")
        assert company.second_name is not None


def test_homes_of_minors_are_cities() -> None:
    for company in MINORS:
        (home,) = company.homes
        assert home.stop is not None
        assert BOARD.by_id[home.hex].tile.stops[home.stop].kind is StopKind.CITY


# --- market, bonus


def test_market() -> None:
    market = TITLE.market
    assert market is not None
    assert [len(row) for row in market.rows] == [17, 14, 11, 8, 6, 5, 4]
    prices = [[cell.price for cell in row if cell] for row in market.rows]
    assert all(row == sorted(row) for row in prices)
    for upper, lower in pairwise(prices):
        assert all(above >= below for above, below in zip(upper, lower, strict=False))


# --- the box


def test_manifest() -> None:
    totals = build_manifest(TITLE).totals
    for key, count in BOX.items():
        assert totals[key] == count, key
    assert dict(TITLE.pieces.box).items() <= totals.items()


def test_sizes() -> None:
    assert piece_size(TITLE, "tile").width_mm == 38.1
    assert piece_size(TITLE, "map").width_mm == 38.6


# --- words


def test_a_contradiction_of_the_rulebook_is_reported_with_both_sections() -> None:
    stated = {each.subject: each for each in TITLE.provenance if each.conflict}
    for language in ("en", "ja"):
        minors = stated["aids/founding/companies"].note.get(language)
        assert "§4.1.3" in minors
        assert "§4.3" in minors


def test_no_hex_of_a_minor_s_own_is_called_adjacent() -> None:
    """Rulebook 4.6: held hexes lie beside the homes of minors; the one of minor 2 is its home
    itself."""
    (minor,) = (each for each in MINORS if set(each.blocks) & {home.hex for home in each.homes})
    assert minor.id == "2"
    assert BOARD.by_id["H3"].reserved == ("2",)
    for term in ("companies/held_back", "map/reserved"):
        assert "隣接" not in dict(TITLE.terms)[term].get("ja")
    assert not [line for line in BOARD.legend if "隣接" in line.get("ja")]


OTHER_WORDS = (
    "大会社",
    "運営",
    "駅トークン",
    "町",
    "荒地",
    "山岳",
    "ヘックス",
    "成立",
    "無配",
    "入札",
)
"""Words that the Japanese rulebook has others for."""


def test_japanese_uses_the_words_of_the_rulebook() -> None:
    texts = [words_of(TITLE, "*", "ja")]
    texts += [event.get("ja") for phase in TITLE.phases for event in phase.events]
    texts += [line.get("ja") for line in BOARD.legend]
    texts += [each.name.get("ja") for each in TITLE.pieces.rounds]
    texts += [chain.name.get("ja") for chain in TITLE.chains]
    assert TITLE.market is not None
    texts += [line.get("ja") for line in TITLE.market.movement]
    assert not [(word, text) for word in OTHER_WORDS for text in texts if word in text]
    half_width = (":", ",", "(", ")", "?", "!")
    assert not [
        text
        for text in texts
        for sign in half_width
        if sign in text.replace("£1,000", "").replace("£12,000", "")
    ]


# --- the reference, where it lies beside the checkout

KNOWN = reference("18eu")


def printed_here(theirs: str) -> str:
    """The reference has letters on the columns and numbers on the rows; the rulebook (4.6: M-8) the
    other way round."""
    return f"{chr(ord('A') + int(theirs[1:]) - 1)}{ord(theirs[0]) - ord('A') + 1}"


def test_coordinates_as_in_the_rulebook() -> None:
    # Rulebook 4.6: M-8 lies south of Munich and is no mountain.
    assert (BOARD.scheme.letters_on, BOARD.by_id["L7"].name.get("en")) == ("y", "Munich")
    assert BOARD.by_id["M8"].at == neighbour(BOARD.by_id["L7"].at, 5, Layout.FLAT)
    assert not BOARD.by_id["M8"].tile.terrain


@needs_reference
def test_reference_has_the_same_hexes() -> None:
    assert set(BOARD.by_id) == set(map(printed_here, KNOWN["hexes"]))


@needs_reference
def test_hexes_as_in_the_reference() -> None:
    for printed, there in KNOWN["hexes"].items():
        assert_as_in_the_reference(BOARD.by_id[printed_here(printed)], there, name=there["name"])


@needs_reference
def test_tiles_as_in_the_reference() -> None:
    assert {entry.tile.id: entry.count for entry in TITLE.tiles} == {
        number: tile["count"] for number, tile in KNOWN["tiles"].items()
    }


@needs_reference
def test_market_as_in_the_reference() -> None:
    assert TITLE.market is not None
    printed = [
        [f"{cell.price}{''.join(cell.zones)}" for cell in row if cell] for row in TITLE.market.rows
    ]
    assert printed == KNOWN["market"]["rows"]


@needs_reference
def test_companies_as_in_the_reference() -> None:
    assert {company.id: company.colour for company in MAJORS} == {
        each["sym"]: each["color"] for each in KNOWN["corporations"]
    }
    assert {company.id: company.name.get("en") for company in MINORS} == {
        each["sym"]: each["name"] for each in KNOWN["minors"]
    }
