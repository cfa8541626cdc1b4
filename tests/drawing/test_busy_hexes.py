"""Busy hexes: names, values and letters stand where nobody takes them for those of something
else."""

from __future__ import annotations

import math

import pytest

from platelayer.definitions.build import build_tile
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.tile import hex_items, tile_scene
from platelayer.drawing.kit.style import Style, style_of
from platelayer.drawing.map.board import map_style
from platelayer.drawing.map.marks import stub_items
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import wet_discs
from platelayer.model.hexes import Layout
from platelayer.model.kinds import piece_size
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Scene, TextRun
from shipped import shipped


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("hex_id", ["H4", "R14"])
def test_the_names_of_two_cities_stand_each_at_its_own(language: str, hex_id: str) -> None:
    """Torino and Firenze of 1841: beside their own discs, and off the track of the other one."""
    title = shipped("1841")
    hexagon = title.maps[0].by_id[hex_id]
    style = map_style(style_of(title, load_theme("classic"), language))
    items = hex_items(hexagon.tile, Layout.FLAT, 38.6, style)
    groups = sorted(
        (item for item in items if isinstance(item, Group) and item.of is not None),
        key=lambda g: g.of,
    )
    runs = [item for group in groups for item in group.items if isinstance(item, TextRun)]
    assert [run.text for run in runs] == [style.words(stop.name) for stop in hexagon.tile.stops]
    plan = plan_hex(hexagon.tile, Layout.FLAT, 38.6)
    for number, run in enumerate(runs):
        own, other = plan.marks[number], plan.marks[1 - number]
        middle = (run.x, run.y - 1.2)
        assert math.dist(middle, own.centre) < 12
        assert math.dist(middle, own.centre) < math.dist(middle, other.centre) - 2
        pairs = zip(hexagon.tile.track, plan.curves, strict=True)
        curves = [curve for segment, curve in pairs if segment.b.index == 1 - number]
        assert (
            min(math.dist(middle, point) for curve in curves for point in curve.points(0.5)) > 3.5
        )


def test_a_letter_of_a_hex_keeps_off_its_river() -> None:
    title = shipped("1841")
    plan = MapPlan(gamemap=title.maps[0], across_mm=38.6)
    hexagon = title.maps[0].by_id["R14"]
    style = map_style(style_of(title, load_theme("classic"), "en"))
    wet = wet_discs(plan).get(hexagon.at, ())
    assert wet
    items = hex_items(hexagon.tile, Layout.FLAT, 38.6, style, wet=wet)
    (letter,) = (item for item in items if isinstance(item, TextRun) and item.text == "Y")
    assert all(
        math.dist((letter.x + 0.8, letter.y - 1.5), (x, y)) > radius + 1.5 for x, y, radius in wet
    )


def test_values_too_wide_for_a_disc_are_no_smaller_where_there_is_room() -> None:
    style = map_style(Style(theme=load_theme("classic")))
    sizes = {}
    for value in (90, 900, 1500, 12000):
        stop = {"kind": "town", "revenue": value}
        tile = build_tile("1", {"colour": "yellow", "stops": [stop], "track": [[0, "stop:0"]]})
        (run,) = (
            item for item in hex_items(tile, Layout.FLAT, 38.6, style) if isinstance(item, TextRun)
        )
        sizes[value] = run.size_pt
    assert sizes[1500] == sizes[12000] == sizes[90]


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
