"""Rivers, regions, seas and off-board areas of maps: on invented boards of both layouts, letters on
either axis."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import stretches, watered
from platelayer.drawing.map.shore import coasts
from platelayer.model.gamemap import Waypoint, joined
from platelayer.model.hexes import EDGES, Coord, Layout, neighbour
from platelayer.model.kinds import piece_size
from platelayer.model.title import Title
from platelayer.scene.flatten import FlatText, flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Role, Scene
from shipped import shipped

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


def _texts(scene: Scene) -> list[FlatText]:
    return list(flatten_scene(scene)[1])


@pytest.mark.parametrize(("layout", "letters_on"), BOARDS)
def test_river_is_one_line_through_its_hexes(
    tmp_path: FilePath, layout: str, letters_on: str
) -> None:
    title = invented(tmp_path, layout, letters_on)
    plan = MapPlan(gamemap=title.maps[0], across_mm=40.0)
    (river,) = plan.gamemap.rivers
    (line,) = stretches(plan)
    assert max(math.dist(a, b) for a, b in pairwise(line.points)) < 10
    for waypoint in river.course:
        assert min(math.dist(plan.centre(waypoint.at), point) for point in line.points) < 1.8, (
            "under a town"
        )
    assert all(one <= other for one, other in pairwise(line.halves))


@pytest.mark.parametrize(("layout", "letters_on"), BOARDS)
class TestInventedBoards:
    def test_poster_is_legible(
        self, tmp_path: FilePath, style: Style, layout: str, letters_on: str
    ) -> None:
        scene = draw_map(invented(tmp_path, layout, letters_on), "main", style)
        assert check_legibility(scene) == ()

    def test_cost_stays_and_squiggles_go(
        self, tmp_path: FilePath, style: Style, layout: str, letters_on: str
    ) -> None:
        title = invented(tmp_path, layout, letters_on)
        board = title.maps[0]
        crossed = len(watered(board.rivers, board.layout))
        with_rivers = draw_map(title, "main", style)
        bare = replace(title, maps=(replace(board, rivers=()),))
        without = draw_map(bare, "main", style)
        for scene in (with_rivers, without):
            assert [text.run.text for text in _texts(scene)].count("45") == crossed
        assert _symbol_area(with_rivers) < _symbol_area(without) / 3

    def test_names_are_on_the_map(
        self, tmp_path: FilePath, style: Style, layout: str, letters_on: str
    ) -> None:
        texts = _texts(draw_map(invented(tmp_path, layout, letters_on), "main", style))
        behind = "".join(text.run.text for text in texts if text.run.ground)
        assert "EASTLAND" in behind
        assert "WESTLAND" in behind or "WESTLAND" in {text.run.text for text in texts}
        letters = "".join(text.run.text for text in texts if text.run.face == "EBGaramond-Italic")
        assert "Longwater" in letters

    def test_names_of_cities_stay_dry(
        self, tmp_path: FilePath, style: Style, layout: str, letters_on: str
    ) -> None:
        title = invented(tmp_path, layout, letters_on)
        scene = draw_map(title, "main", style)
        (town,) = (text.bounds for text in _texts(scene) if text.run.text == "Middletown")
        plan = MapPlan(gamemap=title.maps[0], across_mm=piece_size(title, "map", "main").width_mm)
        first = plan.gamemap.hexes[0]
        at = {place: (x, y) for place, x, y in scene.places}[first.id]
        x, y = plan.centre(first.at)
        (line,) = stretches(plan.moved(at[0] - x, at[1] - y))
        for (one, other), half in zip(pairwise(line.points), line.halves[1:], strict=True):
            for step in range(10):
                px, py = (one[k] + (other[k] - one[k]) * step / 10 for k in (0, 1))
                assert math.dist((px, py), _nearest(town, px, py)) > half


def _nearest(box: tuple[float, float, float, float], x: float, y: float) -> tuple[float, float]:
    return min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])


def _symbol_area(scene: Scene) -> float:
    """What waves of the terrain take up, as boxes."""
    shapes, _ = flatten_scene(scene)
    waves = [shape for shape in shapes if shape.role is Role.SYMBOL and shape.stroke_mm]
    return math.fsum((s.bounds[2] - s.bounds[0]) * (s.bounds[3] - s.bounds[1]) for s in waves)


@pytest.mark.parametrize("layout", list(Layout))
def test_places_that_are_joined(layout: Layout) -> None:
    middle = Waypoint(Coord(4, 4))
    for edge in EDGES:
        beside = Waypoint(neighbour(Coord(4, 4), edge, layout))
        assert joined(middle, beside, layout)
        assert joined(middle, Waypoint(beside.at, (edge + 3) % 6), layout)
        assert not joined(middle, Waypoint(neighbour(beside.at, edge, layout)), layout)
        far = Waypoint(beside.at, float(edge))
        assert not joined(middle, far, layout)


@pytest.mark.parametrize(("layout", "letters_on"), BOARDS)
def test_coast_runs_clockwise_along_the_outline(
    tmp_path: FilePath, layout: str, letters_on: str
) -> None:
    first = _name(letters_on, 0, 0)
    corner = {"hex": first, "corner": 2}
    whole = {"name": "Ocean", "from": corner, "to": corner}
    some = {"from": {"hex": first, "corner": 1}, "to": corner}
    title = invented(tmp_path, layout, letters_on, seas={"ocean": whole, "bay": some})
    plan = MapPlan(gamemap=title.maps[0], across_mm=40.0)
    found = coasts(plan)
    assert set(found["ocean"]) == set(plan.outside_edges(plan.gamemap.hexes))
    assert found["bay"] == ((Coord(0, 0), 2),)


def test_ground_shows_the_state_and_a_sign_the_terrain(tmp_path: FilePath, style: Style) -> None:
    """A marsh in a tinted region has the ground of its region."""
    from platelayer.drawing.map.ground import ground_ink

    title = invented(tmp_path, "flat", "x")
    plan = MapPlan(gamemap=title.maps[0], across_mm=40.0)
    west, east = (plan.gamemap.by_id[name] for name in ("A1", "C1"))
    marsh = replace(west, tile=replace(west.tile, terrain=east.tile.terrain))
    assert ground_ink(plan, marsh, style) == style.ink("map.zone.2")
    assert ground_ink(plan, east, style) == style.ink("terrain.river.ground")


def test_area_of_several_hexes_is_named_once(style: Style) -> None:
    """1824: Dresden is two red hexes, with one name and one table; the table stands beside or below
    the name."""
    title = shipped("1824")
    assert title is not None
    texts = _texts(draw_map(title, "main", style))
    (dresden,) = (text for text in texts if text.run.text == "DRESDEN")
    middle = (
        (dresden.bounds[0] + dresden.bounds[2]) / 2,
        (dresden.bounds[1] + dresden.bounds[3]) / 2,
    )
    near = [
        text.run.text
        for text in texts
        if math.dist(text.bounds[:2], middle) < 20 and text.run.text.isdigit()
    ]
    assert sorted(near) == ["10", "20", "30", "40"]


def test_home_of_a_neighbour_has_a_slot_and_the_name_of_its_land(style: Style) -> None:
    """18CZ: two hexes for Saxony's railway, each with the land's name and a slot in the middle."""
    title = shipped("18cz")
    assert title is not None
    scene = draw_map(title, "main", style)
    texts = [text.run.text for text in _texts(scene)]
    assert texts.count("SACHSEN") == 2


def test_the_name_of_a_land_keeps_off_the_river_and_the_cost_of_its_hex(style: Style) -> None:
    """Hex C17 of Moravia and Silesia belongs to Bohemia, and the Labe rises there."""
    scene = draw_map(shipped("18cz"), "moravia", style)
    x, y = {place: (x, y) for place, x, y in scene.places}["C17"]
    (land,) = (
        text.bounds
        for text in _texts(scene)
        if text.run.text == "BOHEMIA" and math.dist((x, y), (text.bounds[0], text.bounds[1])) < 20
    )
    assert land[3] < y, "river and cost are in the lower half"


def test_track_lies_over_the_rock_of_a_pass(style: Style) -> None:
    """1841: track of tile 616 is seen going through the peaks."""
    from platelayer.drawing.hex.tile import hex_items

    title = shipped("1841")
    assert title is not None
    entry = next(each for each in title.tiles if each.tile.id == "616")
    items = hex_items(entry.tile, Layout.FLAT, 40.0, style)
    shapes, _ = flatten_scene(Scene(key="t", width_mm=40, height_mm=40, items=items))
    rock = [shape.order for shape in shapes if shape.fill == style.ink("slot.rock")]
    track = [shape.order for shape in shapes if shape.role is Role.TRACK]
    slots = [
        shape.order
        for shape in shapes
        if shape.role is Role.SLOT and shape.fill == style.ink("slot")
    ]
    assert max(rock) < min(track)
    assert max(track) < min(slots)
