"""The ground of maps: the sea and its shores, relief, and the washes of states."""

from __future__ import annotations

import json
import math
import random
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import pytest
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map import ground as relief
from platelayer.drawing.map import shore
from platelayer.drawing.map.ground import wash_items
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.shore import Coast, coast_of, wet_edges
from platelayer.foundation.seeds import chance
from platelayer.model.hexes import Coord, Layout
from platelayer.model.title import Title
from platelayer.scene.digest import Digester
from platelayer.scene.flatten import distance_to_line, flatten_scene, inside
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Path, Point, Scene, Use
from shipped import shipped

LAYOUTS = ("flat", "pointy")
ACROSS_MM = 38.6
FRAME = (-60.0, -60.0, 400.0, 400.0)
REACH_MM = 2.1
"""How far a shore may stray from the edge of a hex, with the rounding of its corners."""


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


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


def signs(scene: Scene) -> list[Use]:
    found: list[Use] = []

    def look(items: tuple[Any, ...]) -> None:
        for item in items:
            if isinstance(item, Use) and item.scene.key.startswith("relief:"):
                found.append(item)
            elif isinstance(item, Group):
                look(item.items)

    look(scene.items)
    return found


def test_chance_depends_on_place_alone_and_is_the_same_everywhere() -> None:
    assert chance(0) == pytest.approx(
        0xE220A8397B1DCDAF / 2**63 - 1
    )  # SplitMix64's first number from 0
    values = [chance(x, y) for x in range(-20, 20) for y in range(-20, 20)]
    assert len({*values}) == len(values)
    assert all(-1.0 <= value < 1.0 for value in values)
    assert abs(math.fsum(values)) / len(values) < 0.1


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

    def test_shore_keeps_to_the_edges_of_hexes(self, tmp_path: FilePath, layout: str) -> None:
        plan, coast = shores(island(tmp_path, layout, A1={"colour": "blue"}))
        edges = [plan.edge_line(edge) for edge in coast.edges]
        far = [
            min(distance_to_line(point, *edge) for edge in edges)
            for line in coast.lines
            for point in line
        ]
        assert max(far) < REACH_MM
        assert max(far) > 1.0
        assert max(math.dist(a, b) for line in coast.lines for a, b in pairwise(line)) < 3.0

    def test_printed_hex_stays_whole(self, tmp_path: FilePath, layout: str) -> None:
        rim = ("A3", "A5", "A7")
        title = island(
            tmp_path,
            layout,
            A1={"colour": "blue"},
            **{name: {"colour": "yellow"} for name in rim[:2]},
        )
        plan, coast = shores(title)
        for name in rim[:2]:
            hexagon = plan.gamemap.by_id[name]
            x, y = plan.centre(hexagon.at)
            for corner in plan.polygon(hexagon.at):
                near = (x + (corner[0] - x) * 0.99, y + (corner[1] - y) * 0.99)
                assert inside(near, coast.land[hexagon.at])

    def test_change_of_one_hex_leaves_shores_elsewhere(
        self, tmp_path: FilePath, layout: str
    ) -> None:
        _, before = shores(island(tmp_path, layout, A1={"colour": "blue"}))
        changed = island(tmp_path, layout, A1={"colour": "blue"}, E5={"colour": "yellow"})
        plan, after = shores(changed)
        x, y = plan.centre(plan.gamemap.by_id["E5"].at)
        points = {point for line in after.lines for point in line}
        moved = [point for line in before.lines for point in line if point not in points]
        assert moved
        assert all(math.dist(point, (x, y)) < 1.6 * ACROSS_MM for point in moved)

    def test_same_map_has_the_same_ground(
        self, tmp_path: FilePath, style: Style, layout: str
    ) -> None:
        title = island(tmp_path, layout, A1={"colour": "blue"})
        first = Digester().scene(draw_map(title, "main", style))
        for kept in (shore._coast, *RELIEF):
            kept.cache_clear()
        assert Digester().scene(draw_map(title, "main", style)) == first

    def test_poster_is_legible(self, tmp_path: FilePath, style: Style, layout: str) -> None:
        assert (
            check_legibility(
                draw_map(island(tmp_path, layout, A1={"colour": "blue"}), "main", style)
            )
            == ()
        )


def test_names_of_seas_stand_on_water(style: Style) -> None:
    """18EU: the Adriatic and all other named seas."""
    title = shipped("18eu")
    assert title is not None
    scene = draw_map(title, "main", style)
    names = {"North", "Baltic", "Adriatic", "Mediterranean"}
    texts = [text for text in flatten_scene(scene)[1] if text.run.ink.name == "map.sea.name"]
    assert names <= {word for text in texts for word in text.run.text.split()}
    shapes = [
        shape for shape in flatten_scene(scene)[0] if shape.fill is not None and not shape.clips
    ]
    for text in texts:
        assert not any(any(shape.covered(text.corners)) for shape in shapes[4:])


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


@pytest.mark.parametrize("layout", LAYOUTS)
class TestRelief:
    def test_signs_stand_in_the_mountains_clear_of_words(
        self, tmp_path: FilePath, style: Style, layout: str
    ) -> None:
        title = island(tmp_path, layout)
        scene = draw_map(title, "main", style)
        places = {name: (x, y) for name, x, y in scene.places}
        high = [places[hexagon.id] for hexagon in title.maps[0].hexes if hexagon.tile.terrain]
        _, texts = flatten_scene(scene)
        uses = signs(scene)
        assert len(uses) > 3 * len(high)
        for use in uses:
            width, height = use.scene.width_mm, use.scene.height_mm
            box: tuple[Point, ...] = tuple(
                (use.matrix[4] + dx * width, use.matrix[5] + dy * height)
                for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))
            )
            middle = (use.matrix[4] + width / 2, use.matrix[5] + height / 2)
            assert min(math.dist(middle, place) for place in high) <= ACROSS_MM / 2 / math.cos(
                math.pi / 6
            )
            assert not any(inside(corner, box) for text in texts for corner in text.corners)

    def test_low_ink_has_larger_symbols_instead(self, tmp_path: FilePath, layout: str) -> None:
        title = island(tmp_path, layout)
        symbols = {}
        for theme in ("classic", "low-ink"):
            scene = draw_map(title, "main", Style(theme=load_theme(theme)))
            assert bool(signs(scene)) is (theme == "classic")
            shapes, _ = flatten_scene(scene)
            lines = [
                shape
                for shape in shapes
                if shape.line and shape.line.name == "terrain.mountain.line"
            ]
            symbols[theme] = sum(shape.bounds[2] - shape.bounds[0] for shape in lines)
        assert symbols["low-ink"] > 1.5 * symbols["classic"]

    def test_ground_of_its_own_has_no_relief(
        self, tmp_path: FilePath, style: Style, layout: str
    ) -> None:
        title = island(tmp_path, layout)
        board = title.maps[0]
        hexes = tuple(
            replace(hexagon, tile=replace(hexagon.tile, ground="ground.night"))
            for hexagon in board.hexes
        )
        own = replace(title, maps=(replace(board, hexes=hexes),))
        assert not signs(draw_map(own, "main", style))


def test_neighbours_are_washed_in_different_colours(style: Style) -> None:
    """18EU: as many washes as states, and two along each border."""
    title = shipped("18eu")
    assert title is not None
    plan = plan_of(title)
    groups = [item for item in wash_items(plan, style) if isinstance(item, Group)]
    assert len(groups) == len(plan.gamemap.regions)
    inks: dict[Any, set[str]] = {}
    for group in groups:
        outer = group.items[0]
        assert isinstance(outer, Path)
        assert outer.stroke is not None
        for command in outer.commands:
            if command[0] != "Z":
                at = (round(float(command[1]), 1), round(float(command[2]), 1))
                inks.setdefault(at, set()).add(outer.stroke.ink.hex)
    assert all(len(colours) > 1 for colours in inks.values())


def test_single_hex_of_a_zone_is_ringed(style: Style) -> None:
    """1841: Switzerland is one white hex, and its wash runs along all six edges."""
    title = shipped("1841")
    assert title is not None
    plan = plan_of(title)
    lugano = next(hexagon for hexagon in plan.gamemap.hexes if hexagon.zone == "Switzerland")
    area = plan.area([lugano])
    (own,) = [
        item for item in wash_items(plan, style) if isinstance(item, Group) and item.clip == area
    ]
    band = own.items[0]
    assert isinstance(band, Path)
    assert len([command for command in band.commands if command[0] == "L"]) >= 5
