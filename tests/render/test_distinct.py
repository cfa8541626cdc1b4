"""Which scenes a scene places: each once, inner ones first, and no two under one name."""

from __future__ import annotations

import pytest
from sample_scenes import card, everything, roundel, tile

from platelayer.render.scenes import ClashingKeys, used_scenes
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Group, Item, Scene, Use, translation


def holding(*items: Item, key: str = "page") -> Scene:
    return Scene(key=key, width_mm=100, height_mm=100, items=items)


def test_inner_scenes_come_before_those_that_place_them() -> None:
    sheet = holding(Use(scene=card()), Group(items=(Use(scene=tile()),)))
    assert list(used_scenes([sheet])) == ["roundel:SB", "card:1", "tile:57"]


def test_a_scene_built_twice_counts_once() -> None:
    sheets = [
        holding(*(Use(scene=card(), matrix=translation(x, 0)) for x in range(5))),
        holding(Use(scene=card())),
    ]
    assert list(used_scenes(sheets)) == ["roundel:SB", "card:1"]
    assert list(used_scenes([everything(), everything()])) == ["roundel:SB", "tile:57"]


@pytest.mark.parametrize("other", [tile(ground=BLACK), tile(number="58"), holding(key="tile:57")])
def test_two_drawings_under_one_key_are_refused(other: Scene) -> None:
    with pytest.raises(ClashingKeys, match="tile:57"):
        used_scenes([holding(Use(scene=tile()), Use(scene=other))])


def test_a_scene_within_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="places itself"):
        used_scenes([holding(Use(scene=holding(Use(scene=holding(key="a")), key="a")))])


def test_nothing_placed_nothing_found() -> None:
    assert used_scenes([roundel()]) == {}
