"""Tiles and maps of the invented title that has what those of the field have (tests/land)."""

from __future__ import annotations

import json

import pytest
from invented import invented, words_of
from msgspec.structs import replace

from platelayer.cli.reports import report_manifest
from platelayer.drawing.map.plan import CUT, MapPlan
from platelayer.foundation.problems import Severity
from platelayer.model.kinds import PLAY
from platelayer.rules.rule import run_rules

LAND = invented("land")
TITLE, MANIFEST, GRAPH, scenes = LAND.title, LAND.manifest, LAND.graph, LAND.scenes


def test_the_title_is_clean_but_for_what_it_waives() -> None:
    assert [problem for problem in run_rules(TITLE) if problem.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("kind", ["map", "tile"])
def test_every_piece_is_legible(kind: str, language: str) -> None:
    assert LAND.illegible(kind, language) == []


def test_unlimited_tiles_print_a_number_that_the_manifest_states() -> None:
    counts = {
        piece.id: (piece.count, piece.unlimited)
        for piece in MANIFEST.pieces
        if piece.kind == "tile"
    }
    assert (counts["57"], counts["8"], counts["9"]) == ((20, True), (12, True), (3, False))
    stated = {
        each["id"]: each for each in json.loads(report_manifest(MANIFEST, "json", "en"))["pieces"]
    }
    assert stated["57"]["unlimited"] is True
    assert "unlimited" not in stated["9"]
    assert "tile:57  57  (unlimited" in report_manifest(MANIFEST, "text", "en")


def test_two_tiles_back_to_back_are_one_piece() -> None:
    assert "tile:X2" not in MANIFEST.by_key
    piece = MANIFEST.by_key["tile:X1"]
    assert (piece.count, piece.back) == (2, PLAY)
    front, back = scenes("tile:X1")
    assert words_of(front) == ["X1"]
    assert words_of(back) == ["X2"]


def test_what_is_on_the_sheet_of_a_map_is_no_piece() -> None:
    assert not {"market:market", "round-track:rounds"} & MANIFEST.by_key.keys()
    assert {"Stock round", "ORDER OF PLAY"} <= set(words_of(scenes("map:main")[0]))
    assert "Start price" in words_of(scenes("map:east")[0])


def test_maps_show_what_is_on_them() -> None:
    printed = " ".join(words_of(scenes("map:main")[0]))
    for each in (
        "Halt",
        "Boomtown, may become a city",
        "Light railway",
        "Future track",
        "Mountain border",
        "Customs",
    ):
        assert each in printed


@pytest.mark.parametrize("first", ["D4", "D6"])
def test_a_border_has_what_either_of_its_hexes_declares(first: str) -> None:
    gamemap = TITLE.maps[0]
    named, plain = gamemap.by_id["D4"], gamemap.by_id["D6"]
    plain = replace(
        plain, borders=tuple(replace(border, colour=None, cost=-20) for border in plain.borders)
    )
    pair = (named, plain) if first == "D4" else (plain, named)
    merged = MapPlan(gamemap=replace(gamemap, hexes=pair), across_mm=40.0).borders
    (border,) = (border for _, border in merged if border.name is not None)
    assert (border.cost, border.colour) == (-20, "#d81e3e")


def test_hexes_print_their_coordinates_inside() -> None:
    (scene,) = scenes("map:main")
    assert {hexagon.id for hexagon in TITLE.maps[0].hexes} <= set(words_of(scene))


def test_half_a_hex_has_its_edges_and_its_cut() -> None:
    plan = MapPlan(gamemap=TITLE.maps[0], across_mm=40.0)
    west, whole = plan.gamemap.by_id["A5"], plan.gamemap.by_id["B4"]
    assert plan.edges_of(west) == (0, 3, 4, 5, CUT)
    assert plan.edges_of(whole) == (0, 1, 2, 3, 4, 5)
    (ax, ay), (bx, by) = plan.edge_line((west.at, CUT))
    assert ax == pytest.approx(bx)
    assert abs(ay - by) == pytest.approx(40.0)
    assert (
        plan.bounds[0]
        < min(x for x, _ in plan.polygon(west.at))
        == pytest.approx(plan.centre(west.at)[0])
    )


def test_a_boomtown_becomes_a_city_and_no_other_town_does() -> None:
    grown = {pair.to for pair in GRAPH.by_source["X4"]}
    assert "X5" in grown
    assert all(pair.to != "X5" for pair in GRAPH.by_source.get("4", ()))


def test_future_track_and_lines_are_no_track() -> None:
    tile = TITLE.maps[0].by_id["C5"].tile
    assert tile.exits == (0, 1, 3, 4)


def test_a_tile_with_a_ground_keeps_its_colour() -> None:
    assert MANIFEST.by_key["tile:X3"].group == "yellow"
