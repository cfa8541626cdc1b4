"""What hexes say: revenue, names, costs, letters and numbers find places where nothing is in their
way."""

import math

import pytest

from often import some_of
from platelayer.definitions.build import build_tile, catalogue_tile, catalogue_tiles
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.tile import hex_items, tile_scene
from platelayer.drawing.kit.style import Style
from platelayer.model.gamemap import Layout, corner_points
from platelayer.model.tile import rotate_tile
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Scene, polygon_path, translation

ACROSS = 38.1
STYLE = Style(theme=load_theme("classic"))


def hexagon(definition, layout=Layout.FLAT, **options):
    """A map hex as a scene of its own."""
    tile = build_tile("A1", definition)
    items = hex_items(tile, layout, ACROSS, STYLE, **options)
    outline = [(x + 25, y + 25) for x, y in corner_points(layout, ACROSS)]
    moved = Group(items=items, matrix=translation(25, 25))
    return Scene(
        key="hex",
        width_mm=50,
        height_mm=50,
        items=(moved,),
        outline=polygon_path(outline),
        safe_mm=0.8,
    )


def words(scene):
    return sorted(text.run.text for text in flatten_scene(scene)[1])


def place(scene, text):
    (found,) = (each for each in flatten_scene(scene)[1] if each.run.text == text)
    return found


@pytest.mark.parametrize("part", some_of(5))
@pytest.mark.parametrize("layout", Layout)
def test_the_whole_catalogue_is_legible_however_it_lies(layout, part):
    found = []
    for number, tile in [*enumerate(catalogue_tiles())][part]:
        turned = rotate_tile(tile, number % 6 if layout is Layout.FLAT else number * 5 % 6)
        found += check_legibility(tile_scene(turned, layout, ACROSS, STYLE))
    assert found == []


def test_a_long_number_takes_two_lines_where_one_would_touch_a_slot():
    cities = [{"kind": "city", "slots": 2}, {"kind": "city", "slots": 2}]
    track = [[0, "stop:0"], ["stop:0", "stop:1"], [1, 4], [5, "stop:0"], [1, "stop:0"]]
    for number, printed in (("M-5t4c", ["5t4c", "M-"]), ("X57", ["X57"])):
        tile = build_tile(number, {"colour": "gray", "stops": cities, "track": track})
        scene = tile_scene(tile, Layout.FLAT, ACROSS, STYLE)
        assert words(scene) == printed
        assert list(check_legibility(scene)) == []


def test_equal_values_are_printed_once_and_different_ones_each():
    assert words(tile_scene(catalogue_tile("1"), Layout.FLAT, ACROSS, STYLE)) == ["1", "10"]
    assert words(tile_scene(catalogue_tile("54"), Layout.FLAT, ACROSS, STYLE)) == ["54", "60", "NY"]
    assert words(tile_scene(catalogue_tile("471"), Layout.FLAT, ACROSS, STYLE)) == [
        "10",
        "20",
        "471",
        "M",
    ]


def test_an_offboard_shows_its_name_and_all_its_values():
    stop = {"kind": "offboard", "revenue": {"yellow": 40, "brown": 70}}
    scene = hexagon(
        {
            "colour": "red",
            "name": "London",
            "stops": [stop],
            "track": [[0, "stop:0"], [5, "stop:0"]],
        }
    )
    assert words(scene) == ["40", "70", "London"]
    assert check_legibility(scene) == ()
    hidden = hexagon(
        {"colour": "red", "stops": [stop | {"hidden": True}], "track": [[0, "stop:0"]]}
    )
    assert words(hidden) == []


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize(
    "name",
    [
        "Hódmezővásárhely",
        "Teplice & Ústí nad Labem",
        "Reggio nell'Emilia",
        "Székesfehérvár",
        "Königlich Preußisch Stargard",
        "Ö",
    ],
)
@pytest.mark.parametrize(
    "more",
    [
        {
            "stops": [{"kind": "city"}],
            "labels": ["OO"],
            "terrain": [{"kinds": ["mountain"], "cost": 120}],
        },
        {
            "stops": [{"kind": "city", "slots": 2, "revenue": 30}],
            "track": [[k, "stop:0"] for k in range(5)],
        },
        {
            "stops": [{"kind": "city", "revenue": 20}, {"kind": "city", "revenue": 20}],
            "track": [[0, "stop:0"], [3, "stop:1"]],
        },
        {
            "stops": [{"kind": "town"}, {"kind": "town"}],
            "terrain": [{"kinds": ["river"], "cost": 10}],
        },
        {"track": [[0, 3]], "terrain": [{"kinds": ["hill"], "cost": 20}]},
    ],
)
def test_long_names_fit(name, layout, more):
    scene = hexagon({"colour": "white", "name": name, **more}, layout)
    assert check_legibility(scene) == ()
    assert "".join(words(scene)).count(name[0]) >= 1


def test_ground_and_rim_can_be_left_to_the_map():
    definition = {"colour": "green", "track": [[0, 3]]}
    whole, bare = hexagon(definition), hexagon(definition, ground=False, rim=False)
    fills = [[shape.fill for shape in flatten_scene(scene)[0]] for scene in (whole, bare)]
    assert STYLE.ink("tile.green") in fills[0]
    assert STYLE.ink("tile.green") not in fills[1]
    assert len(fills[0]) == len(fills[1]) + 2


@pytest.mark.parametrize(
    ("layout", "size"), [(Layout.FLAT, (43.994, 38.1)), (Layout.POINTY, (38.1, 43.994))]
)
def test_a_tile_is_as_large_as_it_says(layout, size):
    scene = tile_scene(catalogue_tile("57"), layout, ACROSS, STYLE)
    assert (scene.width_mm, scene.height_mm) == pytest.approx(size, abs=0.001)
    corners = [command[1:] for command in scene.die_line if len(command) == 3]
    assert len(corners) == 6
    sides = [math.dist(corners[k - 1], corners[k]) for k in range(6)]
    assert sides == pytest.approx([ACROSS / math.sqrt(3)] * 6)
    assert scene.key == "tile:57"


def stops_by_nearness(tile, text, layout=Layout.FLAT):
    """(distance, index) of the stops of a tile from the words that stand on it, nearest first."""
    scene = tile_scene(tile, layout, ACROSS, STYLE)
    corners = place(scene, text).corners
    x, y = (
        sum(c[axis] for c in corners) / 4 - side / 2
        for axis, side in ((0, scene.width_mm), (1, scene.height_mm))
    )
    marks = plan_hex(tile, layout, ACROSS).marks
    return sorted(
        (min(math.hypot(x - a, y - b) - r for a, b, r in mark.bulk), mark.index) for mark in marks
    )


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("rotation", range(6))
def test_values_of_two_plain_cities_can_be_distinguished_however_they_lie(layout, rotation):
    tile = build_tile(
        "two",
        {
            "colour": "green",
            "stops": [{"kind": "city", "revenue": 50}, {"kind": "city", "revenue": 30}],
            "track": [[0, "stop:0"], [1, "stop:0"], [3, "stop:1"], [4, "stop:1"]],
        },
    )
    tile = rotate_tile(tile, rotation)
    assert stops_by_nearness(tile, "50", layout)[0][1] == 0
    assert stops_by_nearness(tile, "30", layout)[0][1] == 1
