"""Rivers, regions, seas and off-board areas of maps: on invented boards of both layouts, letters on
either axis."""

from __future__ import annotations

import json
from pathlib import Path as FilePath
from typing import Any

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.gamemap import Coord, Layout, neighbour
from platelayer.model.title import Title
from platelayer.scene.legibility import check_legibility

BOARDS = [("flat", "x"), ("flat", "y"), ("pointy", "x"), ("pointy", "y")]


def _name(letters_on: str, x: int, y: int) -> str:
    letter, number = (x, y) if letters_on == "x" else (y, x)
    return f"{chr(ord('A') + letter)}{number + 1}"


def invented(folder: FilePath, layout: str, letters_on: str, **more: Any) -> Title:
    """A board of six by six hexes with a river from top to bottom, two regions and a sea."""
    places = [(x, y) for y in range(12) for x in range(6) if (x + y) % 2 == 0]
    if layout == "pointy":
        places = [(x, y) for y in range(6) for x in range(12) if (x + y) % 2 == 0]
    hexes: dict[str, Any] = {_name(letters_on, x, y): {} for x, y in places}
    way = Layout(layout)
    at, course = Coord(2, 0), []
    while (at.x, at.y) in places:
        course.append(_name(letters_on, *at))
        at = neighbour(at, 0 if way is Layout.FLAT or len(course) % 2 else 5, way)
    for name in course:
        hexes[name] = {"terrain": [{"kinds": ["river"], "cost": 45}]}
    hexes[course[1]] |= {"name": "Middletown", "stops": [{"kind": "city"}]}
    west = [_name(letters_on, x, y) for x, y in places if x < 2]
    board = {
        "name": "Nowhere",
        "layout": layout,
        "coordinates": {"letters_on": letters_on},
        "rivers": {"long": {"name": "Longwater", "course": course}},
        "regions": {
            "west": {"name": "Westland", "hexes": west, "tint": "map.zone.2"},
            "east": {"name": "Eastland", "hexes": [name for name in hexes if name not in west]},
        },
        "hexes": hexes,
    } | more
    file = folder / "title.json"
    file.write_text(
        json.dumps(
            {"format": "platelayer.title/1", "id": "nowhere", "name": "No", "maps": {"main": board}}
        )
    )
    loaded = load_title(str(file))
    assert loaded.title is not None, loaded.problems
    return loaded.title


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


@pytest.mark.parametrize(("layout", "letters_on"), BOARDS)
class TestInventedBoards:
    def test_poster_is_legible(
        self, tmp_path: FilePath, style: Style, layout: str, letters_on: str
    ) -> None:
        scene = draw_map(invented(tmp_path, layout, letters_on), "main", style)
        assert check_legibility(scene) == ()


def test_ground_shows_the_state_and_a_sign_the_terrain(tmp_path: FilePath, style: Style) -> None:
    """A marsh in a tinted region has the ground of its region; water is along its river alone."""
    from platelayer.drawing.map.ground import bank_grounds, ground_ink

    title = invented(tmp_path, "flat", "x")
    plan = MapPlan(gamemap=title.maps[0], across_mm=40.0)
    west, east = (plan.gamemap.by_id[name] for name in ("A1", "C1"))
    marsh = replace(west, tile=replace(west.tile, terrain=east.tile.terrain))
    assert ground_ink(plan, marsh, style) == style.ink("map.zone.2")
    assert ground_ink(plan, east, style) == style.ink("tile.white")
    (banks,) = bank_grounds(plan, style).values()
    assert east in banks
