"""Words of a hex find the places that cost least together; labels stand where players look for
them."""

import json
import math
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.definitions.build import build_tile
from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.map_sheet import draw_map
from platelayer.drawing.hex import tile as hexes
from platelayer.drawing.hex.geometry import Field
from platelayer.drawing.hex.tile import hex_items, tile_scene
from platelayer.drawing.hex.words import (
    Option,
    Shape,
    Word,
    choose,
    choose_in_turn,
    crowding,
    roomy,
    total_cost,
)
from platelayer.drawing.kit.rich_text import Stamp
from platelayer.drawing.kit.style import Style
from platelayer.foundation.resources import asset_path
from platelayer.model.hexes import Layout
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Path, Scene
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
    assert choice.cost <= choose_in_turn(words).cost + 1e-9


def test_taking_places_in_turn_can_end_worse():
    field = Field(Layout.FLAT, 60.0, 0.0)
    narrow, wide = [(0.0, 0.0, 0.0)], [(0.0, 0.0, 0.0), (0.2, 15.0, 0.0)]
    words = [word([(0.0, 6.0, 3.0, wide)], field), word([(0.0, 6.0, 3.0, narrow)], field)]
    assert choose(words).cost == pytest.approx(0.2)
    assert choose_in_turn(words).cost > 100


@given(st.sampled_from([0.8, 0.9, 1.5]), st.floats(min_value=-5, max_value=1.49))
def test_room_follows_from_its_cost(enough, room):
    if room < enough:
        assert roomy(crowding(room, enough), enough) == pytest.approx(room)
    else:
        assert crowding(room, enough) == 0


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


@pytest.mark.parametrize("layout", Layout)
def test_a_label_leaves_its_corner_for_a_city(layout, monkeypatch):
    city = {
        "colour": "green",
        "labels": ["Y"],
        "stops": [{"kind": "city", "revenue": 30}],
        "track": [[0, "stop:0"]],
    }
    free = label_at(build_tile("X", city), layout, monkeypatch)
    corner = {Layout.FLAT: 1.5, Layout.POINTY: 0.5}[layout]
    city["stops"][0]["at"] = {"edge": corner, "distance": 0.6}
    moved = label_at(build_tile("X", city), layout, monkeypatch)
    assert math.dist(free, moved) > 10


def test_names_and_labels_do_not_read_as_one():
    title = shipped("18cz")
    _, texts = flatten_scene(draw_map(title, "main", STYLE))
    names = {str(h.tile.name.get("en")) for h in title.maps[0].hexes if h.tile.name}
    labels = [text.bounds for text in texts if text.run.text == "OO"]
    assert len(labels) == 3
    for left, top, right, bottom in (text.bounds for text in texts if text.run.text in names):
        for x0, y0, x1, y1 in labels:
            if top < y1 and y0 < bottom:  # on one line
                assert left - x1 > 3 or x0 - right > 3


def test_values_of_two_stops_keep_apart():
    tile = shipped("lost-atlas").tile_by_id["LA4"].tile
    one, other = (
        ((b[0] + b[2]) / 2, (b[1] + b[3]) / 2)
        for b in (
            text.bounds
            for text in flatten_scene(tile_scene(tile, Layout.FLAT, ACROSS, STYLE))[1]
            if text.run.text in ("40", "60")
        )
    )
    assert math.dist(one, other) > 9


def test_words_keep_clear_of_the_line_of_a_held_hex():
    style = Style(theme=load_theme("classic"), language="ja")
    scene = draw_map(shipped("18eu"), "main", style)
    held = [
        item
        for item in scene.items
        if isinstance(item, Path) and item.stroke == style.stroke("map.held")
    ]
    assert len(held) > 3
    corners = [[command[1:3] for command in item.commands if len(command) > 1] for item in held]
    line = [
        (x + (nx - x) * k / 20, y + (ny - y) * k / 20)
        for points in corners
        for (x, y), (nx, ny) in pairwise([*points, points[0]])
        for k in range(20)
    ]
    for text in flatten_scene(scene)[1]:
        left, top, right, bottom = text.bounds
        assert text.run.ground or not any(left < x < right and top < y < bottom for x, y in line), (
            text.run.text
        )


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
