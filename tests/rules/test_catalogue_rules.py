"""The whole catalogue against the rules for tiles: every finding is an exception listed with its
reason, none is spare.

TL05 and the UP rules speak of what may follow what in one game, and the catalogue is the tiles of
many: a town of 437 (30, a port) would fall to 10 on 87, which no game puts on it.
"""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from platelayer.definitions.build import catalogue_tiles
from platelayer.definitions.titles import load_title
from platelayer.model.title import TileCount, Title
from platelayer.rules.rule import all_rules

HERE = Path(__file__).parent
EXCEPTIONS = json.loads((HERE / "catalogue_exceptions.json").read_text(encoding="utf-8"))
ABOUT_ONE_TILE = ("TL01", "TL02", "TL03", "TL04", "TL06")


@pytest.fixture(scope="module")
def catalogue() -> Title:
    """All 476 tiles in one box, without a map."""
    tiles = tuple(TileCount(tile=tile, count=1, standard=tile) for tile in catalogue_tiles())
    assert len(tiles) == 476
    base = load_title(HERE / "base.json").title
    return replace(
        base, tiles=tiles, maps=(), phases=(), colours=("yellow", "green", "brown", "gray")
    )


@pytest.mark.parametrize("code", ABOUT_ONE_TILE)
def test_catalogue(catalogue, code):
    found = {finding.about for finding in all_rules()[code].check(catalogue)}
    assert found == {place for each in EXCEPTIONS if each["code"] == code for place in each["at"]}


def test_every_exception_has_a_reason():
    places = [(each["code"], place) for each in EXCEPTIONS for place in each["at"]]
    assert len(places) == len(set(places))
    assert all(len(each["reason"]) > 20 for each in EXCEPTIONS)
