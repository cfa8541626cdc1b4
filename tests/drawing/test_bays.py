"""Places for cards and markers: the drawings have them as large as the rule PC05 takes them to
be."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from msgspec.structs import replace
from test_places_kept_clear import spots

from platelayer.definitions.themes import load_theme
from platelayer.drawing.company.charter import draw_charter
from platelayer.drawing.kit.style import Style
from platelayer.drawing.train.card import draw_train
from platelayer.model.manifest import CARD_PLAY_MM, train_bay, train_card
from platelayer.model.title import Size, Title
from platelayer.rules.piece_rules import larger_than_its_place
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Scene
from shipped import shipped

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")


def sizes_of(scene: Scene) -> list[tuple[float, float]]:
    """Width and height of every shape, with its line."""
    return [
        (right - left, bottom - top)
        for left, top, right, bottom in (s.bounds for s in flatten_scene(scene)[0])
    ]


@pytest.mark.parametrize("title_id", TITLES)
def test_charters_have_places_as_large_as_trains_and_a_little_more(title_id: str) -> None:
    title = shipped(title_id)
    wide, tall = train_card(title)
    for company in title.companies:
        if not company.has_charter:
            continue
        bay = train_bay(title, company)
        assert bay.holds(wide, tall), company.id
        drawn = sizes_of(draw_charter(title, company.id, Style(theme=load_theme("classic"))))
        assert any(
            w >= wide + CARD_PLAY_MM and h >= tall + CARD_PLAY_MM and h < tall + 3 for w, h in drawn
        ), company.id


def corners_of(scene: Scene, name: str) -> list[tuple[float, float]]:
    """Left and right end of a train's name where it stands small at the upper edge of its card."""
    found = [text.bounds for text in flatten_scene(scene)[1] if text.run.text == name]
    return sorted(
        (left, right) for left, top, right, bottom in found if bottom < 10.0 and bottom - top < 6.0
    )


@pytest.mark.parametrize("title_id", TITLES)
def test_of_each_train_that_lies_under_others_the_name_shows(title_id: str) -> None:
    title, style = shipped(title_id), Style(theme=load_theme("classic"))
    ends = {
        train.id: corners_of(draw_train(title, train.id, style), train.faces[0].name)[0][1]
        for train in title.trains
    }
    for company in title.companies:
        if company.has_charter:
            charter = draw_charter(title, company.id, style)
            lefts = [spot.left for spot in spots(charter.items) if spot.thing == "train"]
            shows = min((after - left for left, after in pairwise(lefts)), default=math.inf)
            assert [train for train, end in ends.items() if end > shows] == [], company.id


def with_size(title: Title, kind: str, width: float, height: float) -> Title:
    given = Size(kind=kind, width_mm=width, height_mm=height)
    kept = tuple(size for size in title.pieces.sizes if size.kind != kind)
    return replace(title, pieces=replace(title.pieces, sizes=(*kept, given)))


def test_poker_trains_on_the_charters_of_18eu_are_reported_and_larger_charters_hold_them() -> None:
    poker = with_size(shipped("18eu"), "train", 88, 63)
    stated = [each.message for each in larger_than_its_place(poker)]
    assert len(stated) == 1  # on wide charters, majors and minors have the same place
    assert all("trains of 88 x 63 mm do not fit" in each for each in stated)
    assert list(larger_than_its_place(with_size(poker, "charter", 160, 155))) == []
