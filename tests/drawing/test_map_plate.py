"""Maps as framed pictures: on paper of a size, without a legend, with coordinates or without."""

from __future__ import annotations

from collections import Counter

import pytest
from invented import words_of
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.kit.style import style_of
from platelayer.model.title import Title
from platelayer.pipeline.build import prepare
from platelayer.pipeline.job import BuildOptions
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene
from shipped import shipped

A2, A1 = (420.0, 594.0), (594.0, 841.0)


def plate(title: Title, *papers: tuple[float, float], framed: bool = True) -> Scene:
    maps = tuple(
        replace(board, scheme=replace(board.scheme, framed=framed)) for board in title.maps
    )
    title = replace(title, plate=papers, maps=maps)
    return draw_map(title, title.maps[0].id, style_of(title, load_theme("classic"), "en"))


@pytest.mark.parametrize("title", ["18cz", "1841", "18eu", "1824"])
def test_a_plate_fills_its_paper_and_shows_no_legend(title):
    loaded = shipped(title)
    scene = plate(loaded, A2)
    assert sorted((scene.width_mm, scene.height_mm)) == [420.0, 594.0]
    assert [str(problem) for problem in check_legibility(scene)] == []
    words = words_of(scene)
    assert "LEGEND" not in words
    assert loaded.name.get("en").upper() in words
    xs, ys = [x for _, x, _ in scene.places], [y for _, _, y in scene.places]
    assert min(xs) > 30
    assert max(xs) < scene.width_mm - 30
    assert min(ys) > 30
    assert max(ys) < scene.height_mm - 30


def test_coordinates_may_be_left_out_or_stand_in_hexes():
    loaded = shipped("18eu")
    on_frame = Counter(words_of(plate(loaded, A2))) - Counter(
        words_of(plate(loaded, A2, framed=False))
    )
    assert on_frame == Counter(2 * [*map(str, range(1, 15)), *"ABCDEFGHIJKLMNOPQRSTUV"])
    for where, framed, inside in (("frame", True, False), ("hexes", False, True)):
        scheme = prepare("18eu", BuildOptions(coordinates=where)).job.title.maps[0].scheme
        assert (scheme.framed, scheme.inside) == (framed, inside)


def test_hexes_that_would_be_too_small_take_a_larger_paper():
    """18EU on A2 has hexes of 30 mm, on A4 of 15."""
    loaded = shipped("18eu")
    small = plate(loaded, (210.0, 297.0), A2)
    assert sorted((small.width_mm, small.height_mm)) == [420.0, 594.0]
    chosen = BuildOptions(layouts=(("map", "plate"),))
    assert prepare("18eu", chosen).job.title.plate[:2] == (A2, A1)
    assert prepare("18eu", replace(chosen, poster="a1")).job.title.plate == (A1,)
    assert prepare("18eu", BuildOptions()).job.title.plate == ()
