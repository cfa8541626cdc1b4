"""The box of Railways of the Lost Atlas as it ships, held to the facts; and files of boxes that are
not right."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from platelayer.atlas.layouts import tiles_in_play
from platelayer.definitions.build import load_box, shipped_box
from platelayer.foundation.resources import asset_path
from platelayer.model.tile import EndKind
from refusals import refused

BOX = shipped_box()
FILE = asset_path("titles", "lost-atlas", "map-tiles.json")
LETTERS = (
    "hmp hpm chp chp phw mch bhc mhc wph chw wph ppp pww mpw "
    "cpm cpp cmp pcw ccp cmc ccc mmm bpp bwp bpc bpd bdd bdd"
)
"""Hexes 1, 2, 3 of tiles 1 to 28 by the first letters of their grounds, from the reference facts."""


def test_there_are_33_tiles_of_28_designs() -> None:
    assert [tile.number for tile in BOX.map_tiles] == list(range(1, 29))
    assert {tile.number: tile.copies for tile in BOX.map_tiles if tile.copies > 1} == dict.fromkeys(
        range(12, 17), 2
    )
    assert sum(tile.copies for tile in BOX.map_tiles) == 33


def test_every_tile_is_as_typed_a_second_time() -> None:
    found = ["".join(each.ground.value[0] for each in tile.hexes) for tile in BOX.map_tiles]
    assert found == LETTERS.split()


def test_single_hexes() -> None:
    assert (BOX.capital_projects, BOX.capital_overlays, BOX.blank_overlays) == (3, 3, 12)


@pytest.mark.parametrize(
    ("number", "index", "exits"),
    [
        (2, 0, {5}),
        (7, 1, {4, 5, 0}),
        (9, 2, {3, 4, 5, 0}),
        (11, 2, {4, 5, 0, 1}),
        (26, 2, {4}),
        (27, 1, {4}),
        (27, 2, {5, 1}),
        (28, 1, {4, 0}),
        (28, 2, {1}),
    ],
)
def test_printed_exits(number: int, index: int, exits: set[int]) -> None:
    printed = BOX.tile_by_number[number].hexes[index].tile
    assert printed is not None
    ends = [end for segment in printed.track for end in (segment.a, segment.b)]
    assert {end.index for end in ends if end.kind is EndKind.EDGE} == exits


def test_modes_use_the_tiles_they_should() -> None:
    used = {mode.id: len(tiles_in_play(BOX, mode)) for mode in BOX.modes}
    assert used == {"long": 33, "short": 25, "micro3": 32, "micro2": 33}
    assert {mode.id: mode.tiles_used for mode in BOX.modes} == {
        "long": 33,
        "short": 25,
        "micro3": 16,
        "micro2": 11,
    }
    assert {mode.id: mode.capital_projects for mode in BOX.modes} == {
        "long": 3,
        "short": 2,
        "micro3": 1,
        "micro2": 1,
    }
    short = Counter(piece.tile.number for piece in tiles_in_play(BOX, BOX.mode_by_id["short"]))
    assert not short.keys() & {9, 10, 11, 21, 26}
    assert [short[number] for number in range(12, 17)] == [1, 1, 1, 2, 2]


def test_modes_are_for_their_players() -> None:
    assert {mode.id: dict(mode.cash) for mode in BOX.modes} == {
        "long": {3: 300, 4: 275, 5: 220},
        "short": {2: 450, 3: 300, 4: 275},
        "micro3": {3: 225},
        "micro2": {2: 225},
    }
    assert {mode.id: mode.columns for mode in BOX.modes} == {
        "long": (4, 4, 4),
        "short": (4, 4),
        "micro3": (3, 3),
        "micro2": (2, 2),
    }


def broken(tmp_path: Path, change: Any) -> list[tuple[str, str]]:
    raw = json.loads(FILE.read_text("utf-8"))
    change(raw["atlas"])
    path = tmp_path / "map-tiles.json"
    path.write_text(json.dumps(raw, indent=1), "utf-8")
    problems = refused(load_box, path)
    assert all(problem.line > 1 for problem in problems)
    return [(problem.code, problem.pointer) for problem in problems]


@pytest.mark.parametrize("homes", [0, 5, 7, 100])
def test_stacks_that_do_not_take_the_tiles_with_homes_are_refused(
    tmp_path: Path, homes: int
) -> None:
    def deal(raw: Any) -> None:
        raw["modes"]["micro3"]["stacks"]["homes"] = homes

    assert broken(tmp_path, deal) == [("SC04", "/atlas/modes/micro3/stacks/homes")]


def test_a_box_that_does_not_add_up_is_refused(tmp_path: Path) -> None:
    def leave_out(raw: Any) -> None:
        raw["modes"]["short"]["removed"] |= {"77": 1, "12": 3}

    assert broken(tmp_path, leave_out) == [
        ("SC04", "/atlas/modes/short/map_tiles"),
        ("SC04", "/atlas/modes/short/removed/12"),
        ("RF01", "/atlas/modes/short/removed/77"),
    ]

    def deal(raw: Any) -> None:
        raw["modes"]["micro3"]["stacks"]["dealt_as_homes"] = [21, 99]
        raw["modes"]["long"]["capital_projects"] = 4

    assert broken(tmp_path, deal) == [
        ("SC04", "/atlas/modes/long/capital_projects"),
        ("RF01", "/atlas/modes/micro3/stacks/dealt_as_homes/1"),
    ]


def test_a_home_wants_a_company(tmp_path: Path) -> None:
    def strip(raw: Any) -> None:
        del raw["map_tiles"]["2"]["hexes"][0]["company"]

    assert broken(tmp_path, strip) == [("SC03", "/atlas/map_tiles/2/hexes/0")]
