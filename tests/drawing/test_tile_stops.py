"""Stops sit where their track leads, apart from each other, inside the hex."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from often import often
from platelayer.definitions.build import build_tile
from platelayer.definitions.catalogue import catalogue_tile, catalogue_tiles
from platelayer.drawing.hex import plan as planning
from platelayer.drawing.hex.plan import cluster, plan_hex, rounded_hull
from platelayer.model.hexes import EDGES, Layout, edge_point
from platelayer.model.tile import EndKind, StopKind, rotate_tile, slot_share
from shipped import shipped

ACROSS = 38.1


def marks(tile, layout=Layout.FLAT):
    return [mark for mark in plan_hex(tile, layout, ACROSS).marks if mark is not None]


def city(**more):
    return {"kind": "city", **more}


@pytest.mark.parametrize("number", ["57", "5", "6", "14", "15", "611", "513", "141", "204"])
def test_a_lone_city_or_town_with_other_than_two_exits_sits_in_the_middle(number):
    (mark,) = marks(catalogue_tile(number))
    assert mark.centre == pytest.approx((0, 0))
    assert not mark.bar


@pytest.mark.parametrize(
    ("number", "direction", "distance"), [("3", 0.5, 0.2887), ("58", 1.0, 0.134), ("4", 0.0, 0.0)]
)
def test_a_lone_town_is_a_bar_in_the_middle_of_its_track(number, direction, distance):
    # Nearest points of the curves to the centre: sharp 1/sqrt(3) - 1/(2 sqrt(3)), gentle 1 -
    # sqrt(3)/2, straight 0.
    (mark,) = marks(catalogue_tile(number))
    assert mark.bar
    assert mark.centre == pytest.approx(
        edge_point(direction, Layout.FLAT, distance * ACROSS), abs=0.02
    )


def test_a_bar_lies_across_its_track():
    for number in ("3", "4", "58", "1", "55", "69"):
        tile = catalogue_tile(number)
        plan = plan_hex(tile, Layout.FLAT, ACROSS)
        for segment, curve in zip(tile.track, plan.curves, strict=True):
            end = next(end for end in segment.ends if end.kind is EndKind.STOP)
            heading = curve.heading(1.0 if end == segment.b else 0.0)
            assert math.cos(heading - plan.marks[end.index].angle) == pytest.approx(0, abs=0.06), (
                number
            )


def gap(one, other):
    return min(math.hypot(a - x, b - y) - r - q for a, b, r in one.bulk for x, y, q in other.bulk)


def rim(mark, layout):
    ways = [edge_point(edge, layout, 1.0) for edge in EDGES]
    return ACROSS / 2 - max(x * wx + y * wy + r for x, y, r in mark.bulk for wx, wy in ways)


@pytest.mark.parametrize("layout", Layout)
def test_all_stops_of_the_catalogue_lie_inside_and_apart(layout):
    for tile in catalogue_tiles():
        found = marks(tile, layout)
        for mark in found:
            assert rim(mark, layout) > 0.3, tile.id
        for number, mark in enumerate(found):
            for other in found[:number]:
                assert gap(mark, other) > 0.2, tile.id


def test_a_city_with_one_exit_among_others_lies_near_its_edge():
    for tile in (catalogue_tile("10"), catalogue_tile("59"), catalogue_tile("235")):
        for segment in tile.track:
            mark = plan_hex(tile, Layout.FLAT, ACROSS).marks[segment.b.index]
            x, y = edge_point(segment.a.index, Layout.FLAT, 1.0)
            assert mark.x * x + mark.y * y > 0.2 * ACROSS


def test_towns_keep_off_the_crossing_of_their_tracks():
    for mark in marks(catalogue_tile("55")):
        assert math.hypot(*mark.centre) > 0.1 * ACROSS


def test_hints_are_obeyed():
    tile = build_tile(
        "x",
        {
            "colour": "yellow",
            "stops": [city(at={"edge": 3, "distance": 0.5}), city(at="centre")],
            "track": [[0, "stop:0"]],
        },
    )
    one, other = marks(tile)
    assert one.centre == pytest.approx(edge_point(3, Layout.FLAT, 0.25 * ACROSS))
    assert other.centre == pytest.approx((0, 0))


def test_two_cities_without_track_lie_side_by_side():
    for layout in Layout:
        left, right = marks(
            build_tile("x", {"colour": "yellow", "stops": [city(), city()]}), layout
        )
        assert left.y == right.y == 0
        assert left.x == pytest.approx(-right.x)
        assert gap(left, right) > 1


def test_what_is_hidden_or_off_board_has_no_mark():
    tile = build_tile("x", {"colour": "red", "stops": [city(hidden=True), {"kind": "offboard"}]})
    assert plan_hex(tile, Layout.FLAT, ACROSS).marks == (None, None)


@pytest.mark.parametrize("number", ["57", "58", "3", "10", "59", "55", "54", "14", "471", "71"])
@pytest.mark.parametrize("turns", range(1, 6))
def test_turning_a_tile_turns_its_stops(number, turns):
    tile = catalogue_tile(number)
    angle = math.radians(60 * turns)
    for one, other in zip(marks(tile), marks(rotate_tile(tile, turns)), strict=True):
        x = one.x * math.cos(angle) - one.y * math.sin(angle)
        y = one.x * math.sin(angle) + one.y * math.cos(angle)
        assert (x, y) == pytest.approx(other.centre, abs=1e-6)


def test_a_pointy_hex_is_the_flat_one_turned_by_30_degrees():
    for number in ("58", "54", "14", "59"):
        tile = catalogue_tile(number)
        for one, other in zip(marks(tile), marks(tile, Layout.POINTY), strict=True):
            x = one.x * math.cos(math.pi / 6) - one.y * math.sin(math.pi / 6)
            y = one.x * math.sin(math.pi / 6) + one.y * math.cos(math.pi / 6)
            assert (x, y) == pytest.approx(other.centre, abs=1e-6)


@given(st.integers(1, 40))
def test_slots_of_a_cluster_touch_and_do_not_overlap(slots):
    centres = cluster(slots)
    assert len(centres) == slots
    for number, (x, y) in enumerate(centres):
        others = [math.hypot(x - a, y - b) for k, (a, b) in enumerate(centres) if k != number]
        assert not others or min(others) == pytest.approx(1, abs=1e-6)


def test_a_slot_holds_the_token_that_is_promised():
    # Half an inch in a lone slot of a 38.1 mm hex, 12.4 mm (a token of 12 mm with play) in two,
    # three or four.
    for slots, diameter in ((1, 12.7), (2, 12.4), (3, 12.4), (4, 12.4), (5, 8.9), (6, 8.3)):
        tile = build_tile("x", {"stops": [city(slots=slots)], "track": [[0, "stop:0"]]})
        assert slot_share(tile) * ACROSS >= diameter


@pytest.mark.parametrize("layout", Layout)
def test_slots_of_the_catalogue_are_drawn_as_wide_as_it_says(layout):
    # A tile without room for slots of 12.4 mm says so (`slot_mm`): what is drawn never shrinks in
    # silence.
    for tile in catalogue_tiles():
        for mark in marks(tile, layout):
            if mark.slots:
                assert mark.slot_mm >= (tile.slot_mm or 12.4) - 0.01, tile.id


@pytest.mark.parametrize("name", ["18cz", "1841", "18eu", "1824", "lost-atlas"])
def test_slots_of_the_titles_are_drawn_as_wide_as_the_rule_takes_them(name):
    title = shipped(name)
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    prints = [(entry.tile, layout) for entry in title.tiles]
    prints += [
        (hexagon.tile, gamemap.layout) for gamemap in title.maps for hexagon in gamemap.hexes
    ]
    for tile, way in prints:
        for mark in marks(tile, way):
            if mark.slots:
                assert mark.slot_mm == pytest.approx(slot_share(tile) * ACROSS), tile.id


def test_two_rows_of_two_slots_have_room_side_by_side():
    one, other = marks(catalogue_tile("583"))
    assert math.sin(one.angle - other.angle) == pytest.approx(0, abs=1e-6)
    assert one.slot_mm == pytest.approx(12.4, abs=0.02)


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=1, max_size=9))
def test_a_rubber_band_encloses_its_circles(points):
    centres = tuple((float(x), float(y)) for x, y in points)
    corners = [command[-2:] for command in rounded_hull(centres, 2.0) if command[0] != "Z"]
    for axis in (0, 1):
        low, high = min(p[axis] for p in centres), max(p[axis] for p in centres)
        # Joints of the outline touch the outermost circles to within the bulge of a quarter turn.
        assert min(p[axis] for p in corners) == pytest.approx(low - 2.0, abs=0.6)
        assert max(p[axis] for p in corners) == pytest.approx(high + 2.0, abs=0.6)


def test_any_number_of_stops_is_placed():
    for count in (7, 12, 60):
        tile = build_tile("x", {"colour": "yellow", "stops": [city(slots=3) for _ in range(count)]})
        assert len(marks(tile)) == count
        assert all(mark.kind is StopKind.CITY for mark in marks(tile))


@pytest.mark.parametrize("slots", often([[1, 1], [2, 1], [3, 3], [4, 4]], [1, 1], [2, 1]))
def test_what_is_passed_over_could_not_have_been_the_best(monkeypatch, slots):
    """Of two stops, most combinations are known to be worse before their distances are all worked
    out."""
    pairs, whole = planning._Rooms.pair_cost, []

    def counted(rooms, one, other, sample=1):
        whole.append(sample == 1)
        return pairs(rooms, one, other, sample)

    monkeypatch.setattr(planning._Rooms, "pair_cost", counted)
    best = planning._best_of_all
    track = [[edge, "stop:0"] for edge in EDGES]
    tile = build_tile(
        "x", {"colour": "green", "stops": [city(slots=count) for count in slots], "track": track}
    )
    found = plan_hex(tile, Layout.FLAT, ACROSS)
    quick = sum(whole)
    whole.clear()
    monkeypatch.setattr(
        planning,
        "_best_of_all",
        lambda alone, pair, **_: best(alone, pair, at_least=lambda *_: 0.0),
    )
    planning._plan.cache_clear()
    assert plan_hex(tile, Layout.FLAT, ACROSS) == found
    assert quick <= sum(whole) * 0.5
