"""Turning map tiles: six turns are none, a tile is never turned over, its hexes are three
neighbours."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from platelayer.atlas.layouts import axial_of, corners_of, number_of
from platelayer.model.map_tiles import (
    CORNERS_OF_TILE,
    NEIGHBOURS,
    Axial,
    doubled,
    tile_hexes,
    turned,
)

PLACES = st.builds(Axial, st.integers(-150, 150), st.integers(-150, 150))


@given(PLACES)
def test_six_turns_are_none(place: Axial) -> None:
    once = [place]
    for _ in range(6):
        once.append(turned(once[-1], 1))
    assert once[6] == place
    assert [turned(place, turns) for turns in range(7)] == once


def test_a_turn_is_that_of_the_reference() -> None:
    assert turned(Axial(3, -5), 1) == (5, -2)  # (q, r) -> (-r, q + r)


@given(PLACES, st.integers(0, 5))
def test_hexes_of_a_tile_are_neighbours_clockwise(at: Axial, rotation: int) -> None:
    """Hex 3 follows hex 2 clockwise about hex 1, at every rotation: no tile is turned over."""
    one, two, three = tile_hexes(at, rotation)
    edges = [NEIGHBOURS.index(Axial(each.q - one.q, each.r - one.r)) for each in (two, three)]
    assert (edges[1] - edges[0]) % 6 == 1
    assert edges[0] == (5 + rotation) % 6  # south-east at rotation 0, then clockwise


def test_corners_are_those_of_the_reference() -> None:
    assert CORNERS_OF_TILE == ((0, 0), (1, 0), (0, 1))
    # South-east is one column to the right and half a hex down, south a whole one.
    assert [doubled(at) for at in CORNERS_OF_TILE] == [(0, 0), (1, 1), (0, 2)]


@given(PLACES)
def test_hexes_are_whole_numbers_and_back(place: Axial) -> None:
    assert axial_of(number_of(place)) == place


@given(PLACES, st.integers(0, 5))
def test_triangles_hold_a_tile_at_each_rotation(at: Axial, rotation: int) -> None:
    """Hex i lies in corner (i + t) mod 3, with rotation = kind + 2 t."""
    kind, turn = rotation % 2, rotation // 2
    hexes = tile_hexes(at, rotation)
    first = hexes[-turn % 3]  # what lies in corner 0
    corners = [axial_of(each) for each in corners_of(2 * number_of(first) + kind)]
    assert tuple(corners[(index + turn) % 3] for index in range(3)) == hexes
