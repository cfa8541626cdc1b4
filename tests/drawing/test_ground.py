"""The ground of maps: the sea and its shores, relief, and the washes of states."""

from __future__ import annotations

import json
import random
from pathlib import Path as FilePath
from typing import Any

import pytest

from platelayer.definitions.titles import load_title
from platelayer.drawing.map import ground as relief
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.shore import Coast, coast_of, wet_edges
from platelayer.model.hexes import Coord, Layout
from platelayer.model.title import Title

LAYOUTS = ("flat", "pointy")
ACROSS_MM = 38.6
FRAME = (-60.0, -60.0, 400.0, 400.0)


def island(folder: FilePath, layout: str, **changes: dict[str, Any]) -> Title:
    """A board of five by five hexes with mountains in the middle; `changes` are those of hexes by
    their names."""
    places = [(x, y) for y in range(10) for x in range(5) if (x + y) % 2 == 0]
    if layout == "pointy":
        places = [(x, y) for y in range(5) for x in range(10) if (x + y) % 2 == 0]
    hexes: dict[str, Any] = {f"{chr(ord('A') + x)}{y + 1}": {} for x, y in places}
    middle = list(hexes)[10:15]
    hexes |= {name: {"terrain": [{"kinds": ["mountain"], "cost": 40}]} for name in middle} | changes
    board = {
        "name": "Nowhere",
        "layout": layout,
        "coordinates": {"letters_on": "x"},
        "hexes": hexes,
    }
    file = folder / "title.json"
    file.write_text(
        json.dumps(
            {"format": "platelayer.title/1", "id": "nowhere", "name": "No", "maps": {"main": board}}
        )
    )
    loaded = load_title(str(file))
    assert loaded.title is not None, loaded.problems
    return loaded.title


def plan_of(title: Title) -> MapPlan:
    return MapPlan(gamemap=title.maps[0], across_mm=ACROSS_MM)


def shores(title: Title) -> tuple[MapPlan, Coast]:
    plan = plan_of(title)
    return plan, coast_of(plan, wet_edges(plan), FRAME)


@pytest.mark.parametrize("layout", LAYOUTS)
class TestShores:
    def test_island_lies_in_the_sea(self, tmp_path: FilePath, layout: str) -> None:
        plan, coast = shores(island(tmp_path, layout, A1={"colour": "blue"}))
        outline = plan.outside_edges(plan.gamemap.hexes)
        water = plan.gamemap.by_id["A1"].at
        assert coast.open_sea
        assert not coast.beyond
        assert {edge for edge in outline if edge[0] != water} <= coast.edges

    def test_off_board_area_keeps_land_where_no_blue_hex_is_near(
        self, tmp_path: FilePath, layout: str
    ) -> None:
        plan, coast = shores(
            island(
                tmp_path, layout, A1={"colour": "blue"}, E9={"colour": "red"}, E5={"colour": "red"}
            )
        )
        assert coast.open_sea
        assert coast.beyond
        assert not {
            edge
            for edge in coast.edges
            if edge[0] == plan.gamemap.by_id["E9" if layout == "flat" else "E5"].at
        }

    def test_board_without_blue_hexes_has_no_sea(self, tmp_path: FilePath, layout: str) -> None:
        _, coast = shores(island(tmp_path, layout))
        assert not coast.open_sea
        assert not coast.lines


# All that is kept of a relief.
RELIEF = (
    relief._heights,
    relief._heights_in,
    relief._tops,
    relief._high_top,
    relief._scattered,
    relief._shading,
    relief._outlines,
)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_relief_after_edits_is_that_of_a_map_drawn_for_the_first_time(layout: str) -> None:
    dice = random.Random(layout)
    places = [Coord(x, y) for x in range(5) for y in range(5) if (x + y) % 2 == 0]
    kinds = dict.fromkeys(places, "mountain")
    for _ in range(12):
        kinds[dice.choice(places)] = dice.choice(["mountain", "hill", "forest", "plain"])
        lands = relief._Lands(
            tuple((at, kind) for at, kind in kinds.items() if kind != "plain"), Layout(layout), 38.6
        )
        kept = relief._tops(lands), relief._shading(lands, (3.0, 4.0))
        for work in RELIEF:
            work.cache_clear()
        assert kept == (relief._tops(lands), relief._shading(lands, (3.0, 4.0)))
