"""Busy hexes: names, values and letters stand where nobody takes them for those of something
else."""

from __future__ import annotations

import math

import pytest

from platelayer.definitions.build import build_tile
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.tile import tile_scene
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.map.board import map_style
from platelayer.drawing.map.marks import stub_items
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.gamemap import Layout
from platelayer.model.kinds import piece_size
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene
from shipped import shipped


@pytest.mark.parametrize("values", [(1000, 1200, 1500), (10000, 12000, 15000), (990, 1000, 1010)])
def test_values_of_three_stops_are_legible_and_at_their_own(values: tuple[int, ...]) -> None:
    stops = [{"kind": "city", "revenue": value} for value in values]
    track = [[0, "stop:0"], [2, "stop:1"], [4, "stop:2"]]
    tile = build_tile(
        "1",
        {
            "colour": "yellow",
            "name": "Metropolis",
            "stops": stops,
            "track": track,
            "labels": ["NY"],
        },
    )
    scene = tile_scene(tile, Layout.FLAT, 38.1, Style(theme=load_theme("classic")))
    assert check_legibility(scene) == ()
    assert {str(value) for value in values} <= {text.run.text for text in flatten_scene(scene)[1]}


def test_a_tile_hides_the_stubs_of_its_hex() -> None:
    title = shipped("18cz")
    plan = MapPlan(gamemap=title.maps[0], across_mm=38.6)
    style = map_style(style_of(title, load_theme("classic"), "en"))
    shapes, _ = flatten_scene(
        Scene(key="stubs", width_mm=1, height_mm=1, items=stub_items(plan, style))
    )
    (hexagon, *_) = (hexagon for hexagon in plan.gamemap.hexes if hexagon.stubs)
    x, y = plan.centre(hexagon.at)
    tile = piece_size(title, "tile", "1").width_mm
    points = [point for shape in shapes for line in shape.outline.subpaths for point in line[0]]
    own = [point for point in points if math.dist(point, (x, y)) < 19.3]
    assert own
    assert all(math.dist(point, (x, y)) < tile / 2 - 0.1 for point in own)


def test_a_name_beside_many_slots_keeps_its_size() -> None:
    tile = build_tile(
        "1",
        {
            "colour": "yellow",
            "name": "Chicago & Gary",
            "stops": [{"kind": "city", "revenue": 10} for _ in range(4)],
            "track": [[edge, f"stop:{stop}"] for stop, edge in enumerate((0, 3, 4, 5))],
            "labels": ["Chi"],
            "icons": [{"name": "meat", "text": "meat"}],
        },
    )
    style = map_style(style_of(shipped("18cz"), load_theme("classic"), "en"))
    scene = tile_scene(tile, Layout.POINTY, 40.0, style)
    assert check_legibility(scene) == ()
    runs = [text.run for text in flatten_scene(scene)[1] if "Gary" in text.run.text]
    assert [run.size_pt >= 0.85 * style.type("tile.name").size_pt for run in runs] == [True]
