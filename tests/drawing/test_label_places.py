"""Words of a hex find the places that cost least together; labels stand where players look for
them."""

import json
import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.sheets import draw_map
from platelayer.drawing.hex import tile as hexes
from platelayer.drawing.hex.geometry import Field
from platelayer.drawing.hex.tile import hex_items
from platelayer.drawing.hex.words import (
    Option,
    Shape,
    Word,
    choose,
    total_cost,
)
from platelayer.drawing.kit.lettering import Stamp
from platelayer.drawing.kit.style import Style
from platelayer.foundation.resources import asset_path
from platelayer.model.gamemap import Layout
from platelayer.scene.shapes import Scene
from shipped import shipped

ACROSS = 38.1
STYLE = Style(theme=load_theme("classic"))
TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")


def word(options, field, *, enough=1.0, rivals="", radius=0.0):
    """A word with options (cost, width, height, places)."""
    ranked = tuple(
        Option(
            cost,
            lambda w=width, h=height, p=places: (Shape(Stamp((), w, h), radius), sorted(p)),
            cost > 0,
        )
        for cost, width, height, places in sorted(options)
    )
    return Word("test", ranked, enough, rivals, field, 1.0, {}, {}, {})


number = st.integers(min_value=-12, max_value=12).map(float)
candidates = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.4, 1.0]), number, number), min_size=1, max_size=5
)
choices = st.lists(st.tuples(st.sampled_from([0.0, 0.5]), candidates), min_size=1, max_size=2)


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(choices, st.sampled_from(["", "letters"]), st.sampled_from([0.0, 2.0])),
        min_size=2,
        max_size=4,
    )
)
def test_no_other_choice_costs_less(drawn):
    field = Field(Layout.FLAT, ACROSS, 1.0, [(0.0, 0.0, 6.0)])
    words = [
        word(
            [(cost, 6.0 - cost, 3.0, places) for cost, places in options],
            field,
            rivals=rivals,
            radius=radius,
        )
        for options, rivals, radius in drawn
    ]
    choice = choose(words)
    assert choice.proved
    assert choice.cost == pytest.approx(total_cost(choice.places))
    least = min(
        total_cost(places) for places in product(*(each.within(math.inf) for each in words))
    )
    assert choice.cost == pytest.approx(least)


def label_at(tile, layout, monkeypatch):
    """Where the first label of a tile stands."""
    seen = {}

    def noted(words):
        choice = choose(words)
        seen.update(
            {
                each.kind: (place.x, place.y)
                for each, place in zip(words, choice.places, strict=True)
            }
        )
        return choice

    monkeypatch.setattr(hexes, "choose", noted)
    hexes.hex_items.cache_clear()
    hex_items(tile, layout, ACROSS, STYLE, number=tile.id)
    return seen["label"]


@pytest.mark.parametrize(
    ("title", "labels", "corner"),
    [
        ("18eu", ("Y",), (-1, 0)),
        ("1841", ("Y", "M", "T", "G"), (-1, 0)),
        ("18cz", ("Y",), (-1, 1)),
        ("1824", ("T",), (-1, 1)),
    ],
)
def test_labels_stand_in_one_place_on_all_tiles_of_a_title(title, labels, corner, monkeypatch):
    loaded = shipped(title)
    layout = loaded.maps[0].layout
    found = {
        entry.tile.id: label_at(entry.tile, layout, monkeypatch)
        for entry in loaded.tiles
        # Three slots in a triangle fill the corner.
        if [label.text for label in entry.tile.labels] in [[each] for each in labels]
        and all(stop.slots < 3 for stop in entry.tile.stops)
    }
    assert len(found) >= 3
    assert len({(round(x, 1), round(y, 1)) for x, y in found.values()}) == 1, found
    ((x, y),) = {(round(x, 1), round(y, 1)) for x, y in found.values()}
    assert ((x > 3) - (x < -3), (y > 3) - (y < -3)) == corner
    assert math.hypot(x, y) > ACROSS * 0.38


def hints(value):
    """Everything in a definition with a hand-set place: stops and icons."""
    if isinstance(value, dict):
        if "at" in value and ("kind" in value or "name" in value):
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from hints(each)


@pytest.mark.parametrize("title", TITLES)
def test_places_set_by_hand_say_why(title):
    for path in sorted(asset_path("titles", title).glob("*.json")):
        for each in hints(json.loads(path.read_text(encoding="utf-8"))):
            assert each.get("$comment"), f"{path.name}: {each}"


def test_the_same_words_take_the_same_places():
    title = shipped("1824")
    one, other = (draw_map(title, "main", STYLE) for _ in range(2))
    assert isinstance(one, Scene)
    assert one.items == other.items
