"""The board that a log leads to: places, turns, overlays and what is printed, by the reference
facts."""

from __future__ import annotations

import pytest
from atlas_samples import MINORS, laid, with_projects

from platelayer.definitions.build import shipped_box
from platelayer.model.gamemap import Coord
from platelayer.model.map_tiles import (
    Axial,
    Ground,
    board_of,
    board_of_tile,
    board_origin,
    homes_of,
    place_name,
)
from platelayer.model.tile import StopKind


def test_the_least_column_is_a_and_the_least_row_is_1_wherever_the_log_begins():
    for start in ((0, 0), (-7, 3), (90, -120)):
        board = board_of(shipped_box(), laid((12, start, 0)))
        assert {hexagon.id: hexagon.at for hexagon in board.hexes} == {
            "A1": Coord(0, 0),
            "B2": Coord(1, 1),
            "A3": Coord(0, 2),
        }


def test_coordinates_of_a_place_match_the_board():
    log = laid((12, (0, 0), 3))
    origin = board_origin(log)
    names = {hexagon.id for hexagon in board_of(shipped_box(), log).hexes}
    assert {
        place_name(Axial(0, 0), origin),
        place_name(Axial(-1, 0), origin),
        place_name(Axial(0, -1), origin),
    } == names


@pytest.mark.parametrize("rotation", range(6))
def test_track_turns_with_its_map_tile(rotation):
    # Bridging, hex 3 of map tile 9: exits 3, 4, 5, 0, of which edge 3 faces the water of hex 1.
    board = board_of(shipped_box(), laid((9, (0, 0), rotation)))
    water, _, bridging = board.hexes
    assert set(bridging.tile.exits) == {(edge + rotation) % 6 for edge in (3, 4, 5, 0)}
    step = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))[(3 + rotation) % 6]
    assert (bridging.at.x + step[0], bridging.at.y + step[1]) == water.at


def test_grounds_are_printed_as_the_facts_say():
    colours = {ground: set() for ground in Ground}
    for tile in shipped_box().map_tiles:
        for hexagon, printed in zip(tile.hexes, board_of_tile(tile).hexes, strict=True):
            colours[hexagon.ground].add(printed.tile.colour)
            costs = [entry.cost for entry in printed.tile.terrain]
            if hexagon.ground is Ground.MOUNTAIN or hexagon.company == "TU":
                assert costs == [40]
            else:
                assert costs == []
            if hexagon.ground in (Ground.CITY, Ground.HOME):
                assert printed.tile.stops[0].kind is StopKind.CITY
    assert colours == {
        Ground.HOME: {"white", "yellow", "gray"},
        Ground.PLAIN: {"white"},
        Ground.MOUNTAIN: {"white"},
        Ground.WATER: {"blue"},
        Ground.CITY: {"white"},
        Ground.BORDER: {"border"},
        Ground.DESTINATION: {"red"},
    }


@pytest.mark.parametrize(("number", "hexes"), [(27, (1, 2)), (28, (1, 2))])
def test_both_hexes_of_a_destination_are_one_place(number, hexes):
    board = board_of(shipped_box(), laid((number, (0, 0), 2)))
    one, other = (board.hexes[index] for index in hexes)
    assert one.tile.stops[0].groups == other.tile.stops[0].groups != ()
    assert [border.kind for border in (*one.borders, *other.borders)] == ["none", "none"]
    # Hex 3 lies beyond edge 1 of hex 2; turned twice, beyond edge 3.
    assert (one.borders[0].edge, other.borders[0].edge) == (3, 0)
    assert [one.name is None, other.name is None] == [False, True]


def test_capitals_cover_what_was_printed_and_blanks_are_open_country():
    log = with_projects(laid((15, (0, 0), 0), blanks=((-1, 0),)), None, (0, 0))
    board = board_of(shipped_box(), log)
    capital = board.by_id[place_name(Axial(0, 0), board_origin(log))]
    assert [icon.name for icon in capital.tile.icons] == ["capital"]
    blank = board.by_id[place_name(Axial(-1, 0), board_origin(log))]
    assert (blank.tile.colour, blank.tile.stops, blank.tile.track) == ("white", (), ())
    assert len(board.hexes) == 4


def test_companies_are_at_home_on_the_map_tiles_of_the_facts():
    for company, (_, number) in MINORS.items():
        if number is None:
            continue
        assert list(homes_of(shipped_box(), laid((number, (0, 0), 0)))) == [company]


def test_a_faulty_log_has_a_board_too():
    # Tiles that overlap, and a capital off the map: the check tells what is wrong, the drawing
    # shows it.
    log = with_projects(laid((12, (0, 0), 0), (21, (0, 0), 1)), (-3, 0))
    board = board_of(shipped_box(), log)
    assert sorted(board.by_id) == ["A1", "C5", "D4", "D6", "E5"]
