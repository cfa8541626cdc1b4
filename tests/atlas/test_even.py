"""How maps are spread: all legal maps of small boxes counted in three ways, and drawn evenly."""

import pytest
from msgspec.structs import replace

from everymap import (
    BOXES,
    Layout,
    chain_of,
    chi_square,
    drawn,
    drawn_by_all,
    layouts,
    likelihood,
    shape_of,
)
from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.check import check_log
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import tile_hexes
from replay import Held, may_lie, wrong_with

SLOW = pytest.mark.slow


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
