"""Names of lands and rivers on maps: on arcs and smoothed lines, off what must be read, at the
least cost together."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from msgspec.structs import replace

from often import crossed
from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.ground import lands
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.text import Text
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, TextRun
from platelayer.scene.typeset import MM_PER_PT, prepared
from shipped import shipped

TITLES = ("18cz", "1841", "18eu", "1824")


def runs_of(items):
    for item in items:
        if isinstance(item, TextRun):
            yield item
        elif isinstance(item, Group):
            yield from runs_of(item.items)


@pytest.mark.parametrize(("title", "language"), crossed(TITLES, ["en", "ja"]))
def test_names_of_lands_are_large_where_there_is_room_and_keep_off_what_is_read(title, language):
    loaded = shipped(title)
    style = Style(theme=load_theme("classic"), language=language, terms=dict(loaded.terms))
    for gamemap in loaded.maps:
        scene = draw_map(loaded, gamemap.id, style)
        assert [str(problem) for problem in check_legibility(scene)] == []
        names: dict[str, list[TextRun]] = {}
        for run in runs_of(scene.items):
            if run.name is not None:
                names.setdefault(run.name, []).append(run)
        for region in gamemap.regions:
            parts = lands(region, MapPlan(gamemap=gamemap, across_mm=38.6))
            if region.name is None or not parts:
                continue
            words = style.words(region.name)
            runs = next(runs for name, runs in names.items() if name.rpartition(" ")[0] == words)
            assert "".join(run.text for run in runs).casefold() == (
                "".join(prepared(words, capitals=True).split()).casefold()
            )
            if max(map(len, parts)) > 1:
                assert runs[0].size_pt >= style.type("map.region").min_pt
            # Imhof: letters stand no farther apart than an eye joins them.
            for one, other in pairwise(runs):
                gap = math.dist((one.x, one.y), (other.x, other.y))
                spread = one.width_mm + 0.8 * one.size_pt * MM_PER_PT
                assert gap < 1.1 * spread or any(mark in words for mark in " -＝")


def test_lands_beyond_the_board_are_named_on_land_off_the_board():
    loaded = shipped("18eu")
    style = Style(theme=load_theme("classic"))
    scene = draw_map(loaded, loaded.maps[0].id, style)
    gamemap = loaded.maps[0]
    names: dict[str, list[TextRun]] = {}
    for run in runs_of(scene.items):
        if run.name is not None:
            names.setdefault(run.name, []).append(run)
    near = {"Great Britain": "F1", "Denmark": "B7", "Balkans": "R11", "Russia": "J13"}
    assert {*near} == {style.words(land.name) for land in gamemap.beyond}
    hexes = {hex_id: (x, y) for hex_id, x, y in scene.places}
    for name, hex_id in near.items():
        run = names[name][0]
        far = {other: math.dist((run.x, run.y), at) for other, at in hexes.items()}
        assert min(far.values()) > 38.6 / 2
        assert far[hex_id] < 38.6 * 4


def test_a_land_beyond_the_board_without_room_is_reported():
    loaded = shipped("18eu")
    (board,) = loaded.maps
    britain = replace(
        board.beyond[0], name=Text.plain("Great Britain and all its Dominions beyond")
    )
    loaded = replace(loaded, maps=(replace(board, beyond=(britain,)),))
    (problem,) = check_legibility(draw_map(loaded, board.id, Style(theme=load_theme("classic"))))
    assert (problem.code, "Great Britain and all" in problem.message) == ("LG10", True)
