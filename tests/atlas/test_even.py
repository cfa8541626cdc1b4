"""How maps are spread: all legal maps of small boxes counted in three ways, and drawn evenly."""

from collections import Counter
from fractions import Fraction
from math import prod

import pytest
from msgspec.structs import replace

from counting import (
    bridge_maps,
    estimate_maps,
    even_order,
    joined,
    loosening,
    maps_for,
    orders_of,
    unlikelihood,
)
from everymap import (
    BOXES,
    Layout,
    chain_of,
    chi_square,
    count,
    drawn,
    drawn_by_all,
    layouts,
    likelihood,
    logs,
    shape_of,
)
from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.even import NEAR, can_be_laid, contacts_of, normal, placed_at
from platelayer.definitions.map_tiles import shipped_box
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import Axial, tile_hexes
from replay import Held, may_lie, wrong_with

SLOW = pytest.mark.slow


@SLOW
@pytest.mark.parametrize("name", ["three of a kind", "a border", "two borders", "stacks"])
def test_the_estimate_is_true_on_average_over_all_that_can_be_drawn(name: str) -> None:
    """Two counts that share nothing: layouts state by state, and the mean of what each draw stands
    for."""
    box = BOXES[name]
    mean = Fraction()
    for chance, tiles, ways in logs(box):
        mean += chance * maps_for(box, box.modes[0], tiles, ways)
    assert mean == count(name)


@SLOW
@pytest.mark.parametrize("strength", [0.0, 0.4])
@pytest.mark.parametrize("name", BOXES)
def test_the_estimate_is_near_the_count(name: str, strength: float) -> None:
    found = estimate_maps(
        BOXES[name], BOXES[name].modes[0], samples=1500, seed=1, weights=loosening(strength)
    )
    assert abs(found.maps - count(name)) < 4 * found.error + 1e-6
    assert found.error < 0.1 * found.maps


@SLOW
@pytest.mark.parametrize("name", BOXES)
def test_the_bridge_is_near_the_count(name: str) -> None:
    found = joined(
        *bridge_maps(BOXES[name], BOXES[name].modes[0], samples=400, seed=1, weights=loosening(0.3))
    )
    assert abs(found.maps - count(name)) < 4 * found.error + 1e-6
    assert found.error < 0.1 * found.maps


def test_orders_are_drawn_evenly() -> None:
    log = assemble(shipped_box(), "micro2", seed=3, policy="uniform")
    tiles = [
        placed_at(shipped_box().tile_by_number[draw.tile], draw.at, draw.rotation)
        for draw in log.placed
    ][:5]
    dice, number = Dice(1), orders_of(tiles)
    seen = Counter(tuple(map(tiles.index, even_order(tiles, dice))) for _ in range(60 * number))
    assert len(seen) == number
    chi = sum((times - 60) ** 2 / 60 for times in seen.values())
    assert likelihood(chi, number - 1) > 0.001


def test_equal_weights_are_the_product_of_alternatives() -> None:
    for seed in range(20):
        log = assemble(shipped_box(), "micro2", seed=seed, policy="uniform")
        tiles = [
            placed_at(shipped_box().tile_by_number[each.tile], each.at, each.rotation)
            for each in log.placed
        ]
        assert unlikelihood(tiles, loosening(0.0)) == prod(each.alternatives for each in log.placed)


def test_more_tiles_than_can_be_counted() -> None:
    box = shipped_box()
    with pytest.raises(ValueError, match="orders of 33 tiles are too many to count; at most 16"):
        estimate_maps(box, box.mode_by_id["long"], samples=2, seed=1)


def test_orders_by_hand() -> None:
    """Three tiles in a row, of which the outer ones do not touch: any may be first, but the outer
    ones not both."""
    tile = BOXES["three of a kind"].map_tiles[0]
    row = [placed_at(tile, Axial(each, 0), 0) for each in (0, 2, 4)]
    touched = contacts_of(row)
    assert touched == [{1: touched[0][1]}, {0: touched[0][1], 2: touched[0][1]}, {1: touched[0][1]}]
    assert orders_of(row) == (4 if touched[0][1] >= 3 else 0)
    assert can_be_laid(touched) == (touched[0][1] >= 3)


def test_as_many_triangles_beside_one_kind_as_beside_the_other() -> None:
    assert len(NEAR[0]) == len(NEAR[1]) == len(set(NEAR[0]))


@pytest.mark.parametrize(
    ("name", "draws"), [("three of a kind", 500), ("a border", 2000), ("stacks", 3000)]
)
def test_a_chain_comes_to_every_map_equally_often(name: str, draws: int) -> None:
    assert likelihood(*chi_square(name, drawn(name, range(draws), 270))) > 0.0001


def test_the_policy_uniform_does_not() -> None:
    assert likelihood(*chi_square("a border", drawn("a border", range(2000), 0))) < 1e-9


@pytest.mark.parametrize("mode", shipped_box().mode_by_id)
def test_even_maps_are_legal(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "even", replace(POLICIES["even"], sweeps=1))
    box = shipped_box()
    for seed in range(2):
        log = assemble(box, mode, seed=seed, policy="even")
        assert check_log(box, log) == ()
        assert list(wrong_with(box, log)) == []
        assert log == assemble(box, mode, seed=seed, policy="even")


def test_the_first_tile_lies_unturned() -> None:
    box = shipped_box()
    log = assemble(box, "micro2", seed=5, policy="uniform")
    tiles = [
        placed_at(box.tile_by_number[draw.tile], draw.at, draw.rotation) for draw in log.placed
    ]
    assert normal(tiles) == tiles
    again = normal([*tiles[3:], *tiles[:3]])
    assert again[0].rotation == 0
    assert again[0].hexes[0] == 0
    assert sorted(map(len, contacts_of(again))) == sorted(map(len, contacts_of(tiles)))


@SLOW
@pytest.mark.parametrize("name", ["two borders", "stacks"])
def test_every_map_can_be_reached_from_every_other(name: str) -> None:
    """One long chain comes to all of them."""
    chain, wanted, seen = chain_of(BOXES[name], 1), sum(layouts(name).values()), set[Layout]()
    for _ in range(1000 * wanted):
        chain.step()
        seen.add(shape_of(BOXES[name], chain.placed))
        if len(seen) == wanted:
            break
    assert len(seen) == wanted


@SLOW
def test_a_million_draws() -> None:
    name = "stacks"
    assert likelihood(*chi_square(name, drawn_by_all(name, 1_000_000, 270))) > 0.001


def test_what_may_lie_is_what_the_chain_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every layout of a chain keeps the rules read a second time."""
    monkeypatch.setitem(POLICIES, "even", replace(POLICIES["even"], sweeps=1))
    box = shipped_box()
    log = assemble(box, "short", seed=3, policy="even")
    held: Held = {}
    for draw in log.placed:
        tile = box.tile_by_number[draw.tile]
        assert not held or may_lie(held, tile, draw.at, draw.rotation)
        held |= dict(zip(tile_hexes(draw.at, draw.rotation), tile.hexes, strict=True))
