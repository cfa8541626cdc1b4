"""What hexes say: revenue, names, costs, letters and numbers find places where nothing is in their
way."""

import math

import pytest

from often import some_of
from platelayer.definitions.build import build_tile
from platelayer.definitions.catalogue import catalogue_tile, catalogue_tiles
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.geometry import Field
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.tile import hex_items, tile_scene
from platelayer.drawing.kit.icons import icon_names
from platelayer.drawing.kit.style import Style
from platelayer.model.hexes import Layout, corner_points
from platelayer.model.tile import rotate_tile
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import MIN_PLAY_PT, check_legibility
from platelayer.scene.shapes import Group, Role, Scene, polygon_path, translation
from shipped import shipped

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
        found += check_legibility(
            tile_scene(turned, layout, ACROSS, STYLE), min_text_pt=MIN_PLAY_PT
        )
    assert found == []


def test_each_tile_prints_its_number_once():
    for number in ("57", "298LA", "888"):
        assert (
            words(tile_scene(catalogue_tile(number), Layout.FLAT, ACROSS, STYLE)).count(number) == 1
        )
    assert "A1" not in words(hexagon({"colour": "white", "name": "Lyon"}))


def test_a_long_number_takes_two_lines_where_one_would_touch_a_slot():
    cities = [{"kind": "city", "slots": 2}, {"kind": "city", "slots": 2}]
    track = [[0, "stop:0"], ["stop:0", "stop:1"], [1, 4], [5, "stop:0"], [1, "stop:0"]]
    for number, printed in (("M-5t4c", ["5t4c", "M-"]), ("X57", ["X57"])):
        tile = build_tile(number, {"colour": "gray", "stops": cities, "track": track})
        scene = tile_scene(tile, Layout.FLAT, ACROSS, STYLE)
        assert words(scene) == printed
        assert list(check_legibility(scene, min_text_pt=MIN_PLAY_PT)) == []


def test_equal_values_are_printed_once_and_different_ones_each():
    assert words(tile_scene(catalogue_tile("1"), Layout.FLAT, ACROSS, STYLE)) == ["1", "10"]
    assert words(tile_scene(catalogue_tile("54"), Layout.FLAT, ACROSS, STYLE)) == ["54", "60", "NY"]
    assert words(tile_scene(catalogue_tile("471"), Layout.FLAT, ACROSS, STYLE)) == [
        "10",
        "20",
        "471",
        "M",
    ]


def test_different_values_stand_beside_their_own_stop():
    scene = tile_scene(catalogue_tile("471"), Layout.FLAT, ACROSS, STYLE)
    # The city (20) is in the middle, the town (10) on the right, at the corner between edges 4 and
    # 5.
    town = (scene.width_mm / 2 + 14, scene.height_mm / 2)
    centre = {text: place(scene, text).bounds for text in ("10", "20")}
    away = {
        text: math.dist(((b[0] + b[2]) / 2, (b[1] + b[3]) / 2), town) for text, b in centre.items()
    }
    assert away["10"] < 9 < away["20"]


def test_no_value_is_printed_for_nothing():
    assert (
        words(
            hexagon(
                {"colour": "white", "stops": [{"kind": "city"}, {"kind": "town", "revenue": 0}]}
            )
        )
        == []
    )


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


def test_names_of_stops_stand_beside_them():
    stops = [
        {"kind": "city", "name": "Buda", "at": {"edge": 1.5, "distance": 0.5}},
        {"kind": "city", "name": "Pest", "at": {"edge": 4.5, "distance": 0.5}},
    ]
    scene = hexagon({"colour": "white", "stops": stops})
    assert place(scene, "Buda").bounds[2] < 25 < place(scene, "Pest").bounds[0]
    assert check_legibility(scene) == ()


def test_words_leave_free_what_is_kept_clear():
    plain = hexagon({"colour": "white", "name": "Lyon"})
    left, top, right, bottom = place(plain, "Lyon").bounds
    blocked = ((left + right) / 2 - 25, (top + bottom) / 2 - 25, 4.0)
    moved = place(
        hexagon({"colour": "white", "name": "Lyon"}, keep_clear=(blocked,)), "Lyon"
    ).bounds
    x, y = blocked[0] + 25, blocked[1] + 25
    assert math.hypot(max(moved[0] - x, x - moved[2], 0), max(moved[1] - y, y - moved[3], 0)) >= 4.0


def test_ground_and_rim_can_be_left_to_the_map():
    definition = {"colour": "green", "track": [[0, 3]]}
    whole, bare = hexagon(definition), hexagon(definition, ground=False, rim=False)
    fills = [[shape.fill for shape in flatten_scene(scene)[0]] for scene in (whole, bare)]
    assert STYLE.ink("tile.green") in fills[0]
    assert STYLE.ink("tile.green") not in fills[1]
    assert len(fills[0]) == len(fills[1]) + 2


def test_a_coast_puts_the_sea_clockwise_from_a_to_b():
    scene = hexagon({"colour": "white", "partitions": [{"a": 5.5, "b": 2.5, "kind": "coast"}]})
    sea = next(shape for shape in flatten_scene(scene)[0] if shape.fill == STYLE.ink("tile.blue"))
    # From the lower right corner clockwise to the upper left one: the lower left half.
    assert sum(x for x, _ in sea.polygons[0]) / len(sea.polygons[0]) < 25
    assert sum(y for _, y in sea.polygons[0]) / len(sea.polygons[0]) > 25


def test_names_stand_on_one_side_of_a_coast():
    scene = hexagon(
        {
            "colour": "yellow",
            "name": "Northern Port",
            "stops": [
                {"kind": "city", "revenue": 30, "at": {"edge": 4.5, "distance": 0.5}},
                {"kind": "city", "revenue": 30, "at": {"edge": 0.3, "distance": 0.42}},
            ],
            "track": [[4, "stop:0"], [5, "stop:0"], [0, "stop:1"]],
            "icons": [{"name": "port", "at": {"edge": 2.5, "distance": 0.86}}],
            "partitions": [{"a": 1.5, "b": 3.5, "kind": "coast"}],
        }
    )
    placed = [text.bounds for text in flatten_scene(scene)[1] if not text.run.text.isdecimal()]
    sea = next(shape for shape in flatten_scene(scene)[0] if shape.fill == STYLE.ink("tile.blue"))
    points = [point for polygon in sea.polygons for point in polygon]
    assert placed
    assert points
    for x0, y0, x1, y1 in placed:
        assert not [1 for x, y in points if x0 <= x <= x1 and y0 <= y <= y1]


def test_a_frame_and_stripes_are_drawn_in_their_colours():
    framed = tile_scene(catalogue_tile("971"), Layout.FLAT, ACROSS, STYLE)
    assert "#800080" in {shape.fill.hex for shape in flatten_scene(framed)[0] if shape.fill}
    striped = tile_scene(catalogue_tile("119"), Layout.FLAT, ACROSS, STYLE)
    assert {"tile.green", "tile.brown"} <= {
        shape.fill.name for shape in flatten_scene(striped)[0] if shape.fill
    }


def test_letters_that_apply_later_stand_on_their_colour():
    scene = hexagon({"colour": "white", "labels": [{"text": "T", "since": "brown"}]})
    x0, _, _, y1 = place(scene, "T").bounds
    chips = [shape for shape in flatten_scene(scene)[0] if shape.fill == STYLE.ink("tile.brown")]
    assert len(chips) == 1
    assert chips[0].bounds[0] < x0
    assert chips[0].bounds[3] > y1
    assert check_legibility(scene) == ()


@pytest.mark.parametrize("name", [*icon_names(), "unknown"])
def test_icons_are_drawn_as_symbols(name):
    scene = hexagon({"colour": "white", "icons": [name], "stops": [{"kind": "city"}]})
    shapes, texts = flatten_scene(scene)
    assert any(shape.role is Role.SYMBOL for shape in shapes)
    assert [text.run.text for text in texts] == (["unknown"] if name == "unknown" else [])
    assert check_legibility(scene) == ()


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


def test_small_tiles_keep_to_the_least_sizes():
    for number in ("57", "14", "58", "611", "54", "513"):
        scene = tile_scene(catalogue_tile(number), Layout.FLAT, 27.0, STYLE)
        assert check_legibility(scene, min_text_pt=MIN_PLAY_PT) == ()


def test_the_same_tile_is_drawn_the_same():
    for number in ("57", "457", "48"):
        one, other = (
            tile_scene(catalogue_tile(number), Layout.FLAT, ACROSS, STYLE) for _ in range(2)
        )
        assert one.items == other.items


def test_free_places_are_measured():
    field = Field(Layout.FLAT, 40.0, 1.0, [(0.0, 0.0, 5.0)])
    assert field.disc_room(8, 0, 1, enough=9) == pytest.approx(2)
    assert field.box_room(0, -9, (4, 2), enough=9) == pytest.approx(3)
    assert field.box_room(0, -18, (4, 2), enough=9) == pytest.approx(0)
    assert field.disc_room(0, 25, 1, enough=9) < 0
    field.take_box(10, 0, 2, 2)
    assert field.disc_room(8, 0, 0.5, enough=9) == pytest.approx(0.5)
    assert field.best_disc([(0.0, 0.0, 0.0), (0.5, -10.0, 0.0)], 1.0, 3.0)[:2] == (-10.0, 0.0)
    assert field.reach((0.0, 1.0), 2.0, 2.0) == pytest.approx(18)


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


@pytest.mark.parametrize("number", ["LA1", "LA4", "LA7"])
def test_of_several_values_each_lies_beside_its_own_city(number):
    tile = shipped("lost-atlas").tile_by_id[number].tile
    for index, stop in enumerate(tile.stops):
        (nearest, found), (other, _) = stops_by_nearness(tile, str(stop.revenue[0].value))
        assert found == index
        assert other - nearest > 2.0


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
