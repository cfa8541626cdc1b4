"""Boards that are found on the earth by the names of their cities."""

from __future__ import annotations

from typing import Any

import pytest

from platelayer.earth.board import coasts_of

# Rows of hexes of 60 km round the Firth of Forth: letters on rows, numbers of a pointy map.
CITIES = {
    "C3": "Glasgow", "C5": "Edinburgh", "B4": "Stirling", "B6": "Dundee", "A7": "Aberdeen",
    "D6": "Berwick-Upon-Tweed", "F4": "Carlisle", "E7": "Newcastle & Gateshead",
}  # fmt: skip


def board(cities: dict[str, str] = CITIES, **more: Any) -> dict[str, Any]:
    """A map as its file has it."""
    hexes: dict[str, Any] = {
        f"{'ABCDEF'[row]}{column}": {}
        for row in range(6)
        for column in range(2 if row % 2 else 1, 9, 2)
    }
    for at, name in cities.items():
        hexes[at] = {"name": name, "stops": [{"kind": "city"}]}
    return {
        "layout": "pointy",
        "coordinates": {"letters_on": "y"},
        "hexes": hexes | more,
    }


def test_a_board_gets_the_coasts_round_its_cities() -> None:
    coasts = coasts_of(board())
    assert coasts
    assert {piece["hex"] for line in coasts for piece in line} <= set(board()["hexes"])
    assert coasts_of(board()) == coasts


@pytest.mark.parametrize(
    "cities",
    [
        {},
        dict(list(CITIES.items())[:5]),
        {at: f"{name}-on-Mars" for at, name in CITIES.items()},
        # The same names in another arrangement are no part of the earth.
        dict(zip(CITIES, sorted(CITIES.values()), strict=True)),
    ],
)
def test_a_board_that_is_nowhere_gets_none(cities: dict[str, str]) -> None:
    assert coasts_of(board(cities)) == []


def test_a_blue_hex_inland_is_a_lake() -> None:
    assert len(coasts_of(board(D4={"colour": "blue"}))) == len(coasts_of(board())) + 1


def test_two_waters_join_along_an_edge_that_no_track_can_cross() -> None:
    lakes = {at: {"colour": "blue"} for at in ("D2", "F2")}
    crossed = coasts_of(board(E1={"colour": "red", "track": [[4, "stop:0"]]}, **lakes))
    clear = coasts_of(board(E1={"colour": "red", "track": [[1, "stop:0"]]}, **lakes))
    assert len(clear) == len(crossed) - 1
