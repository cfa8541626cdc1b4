"""Mountains of passes: a small one below the slots, a large one round them; their signs in the
legend."""

from __future__ import annotations

import math

import pytest

from platelayer.drawing.hex.plan import Mark, plan_hex
from platelayer.drawing.hex.tile import draw_tile
from platelayer.drawing.map.panels import legend_entries
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.hexes import Layout
from platelayer.model.tile import Stop, StopKind, Tile
from platelayer.pipeline.load import read_to_print
from platelayer.pipeline.options import BuildOptions
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Point, Scene

ACROSS_MM = 38.1
LOADED, _, STYLE = read_to_print("1841", BuildOptions())
TITLE = LOADED.title
SMALL, LARGE = ("613", "614", "615", "616", "617", "618"), ("610",)


def mark_of(tile: Tile) -> Mark:
    (mark,) = plan_hex(tile, Layout.FLAT, ACROSS_MM).marks
    assert mark is not None
    return mark


def to_side(at: Point, a: Point, b: Point) -> float:
    """How far a point is from the line through two others."""
    return abs((b[0] - a[0]) * (a[1] - at[1]) - (a[0] - at[0]) * (b[1] - a[1])) / math.dist(a, b)


def test_a_pass_of_size_1_has_a_small_triangle_below_its_slots_and_one_of_size_2_a_large_one_round_them() -> (
    None
):
    """Rulebook of 1841, table of §4.1.1."""
    tiles = {entry.tile.id: entry.tile for entry in TITLE.tiles}
    for tile_id in SMALL:
        mark = mark_of(tiles[tile_id])
        assert mark.rock
        lowest = max(y for _, y in mark.slots) + mark.slot_mm / 2
        assert all(y > lowest - 1e-6 for _, y in mark.rock), tile_id
        assert mark.rock[2][0] - mark.rock[1][0] < mark.slot_mm, tile_id
    for tile_id in LARGE:
        mark = mark_of(tiles[tile_id])
        assert mark.rock
        top, left, right = mark.rock
        for side in ((top, left), (left, right), (right, top)):
            assert to_side(mark.slots[0], *side) > mark.slot_mm / 2, tile_id


@pytest.mark.parametrize("size", [None, 1, 2, 3])
@pytest.mark.parametrize("slots", [1, 2, 3])
def test_passes_of_any_size_lie_within_their_tile(size: int | None, slots: int) -> None:
    tile = Tile(id="x", colour="green", stops=(Stop(kind=StopKind.PASS, slots=slots, size=size),))
    mark = mark_of(tile)
    assert mark.rock
    half = ACROSS_MM / 2
    for x, y in mark.rock:
        assert abs(y) < half
        assert math.sqrt(3) * abs(x) + abs(y) < 2 * half
    for x, y in mark.rock:  # what labels keep off reaches nearly to the corners
        assert min(math.dist((x, y), (a, b)) - radius for a, b, radius in mark.bulk) < 2.0


@pytest.mark.parametrize("tile_id", [*SMALL, *LARGE])
def test_tiles_of_passes_are_legible(tile_id: str) -> None:
    scene = draw_tile(TITLE, tile_id, STYLE)
    assert [str(problem) for problem in check_legibility(scene)] == []
    printed = {text.run.text for text in flatten_scene(scene)[1]}
    assert not printed & {"1", "2"}, "the mountain tells the size"


def test_signs_of_passes_in_the_legend_keep_within_their_height() -> None:
    plan = MapPlan(gamemap=TITLE.maps[0], across_mm=38.6)
    entries = {entry.words: entry for entry in legend_entries(TITLE, plan, STYLE)}
    for words in ("Apennine pass", "Alpine pass"):
        entry = entries[words]
        shapes, _ = flatten_scene(Scene(key="x", width_mm=20.0, height_mm=20.0, items=entry.sign))
        tops, bottoms = zip(*((shape.bounds[1], shape.bounds[3]) for shape in shapes), strict=True)
        assert max(*map(abs, tops), *map(abs, bottoms)) <= entry.height_mm / 2, words
