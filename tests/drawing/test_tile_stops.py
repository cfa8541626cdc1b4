"""Stops sit where their track leads, apart from each other, inside the hex."""

import math

import pytest

from platelayer.definitions.build import build_tile, catalogue_tile, catalogue_tiles
from platelayer.drawing.hex.plan import plan_hex
from platelayer.model.gamemap import EDGES, Layout, edge_point
from platelayer.model.tile import StopKind, rotate_tile, slot_share
from shipped import shipped

ACROSS = 38.1


def marks(tile, layout=Layout.FLAT):
    return [mark for mark in plan_hex(tile, layout, ACROSS).marks if mark is not None]


def city(**more):
    return {"kind": "city", **more}


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


@pytest.mark.parametrize("number", ["57", "58", "3", "10", "59", "55", "54", "14", "471", "71"])
@pytest.mark.parametrize("turns", range(1, 6))
def test_turning_a_tile_turns_its_stops(number, turns):
    tile = catalogue_tile(number)
    angle = math.radians(60 * turns)
    for one, other in zip(marks(tile), marks(rotate_tile(tile, turns)), strict=True):
        x = one.x * math.cos(angle) - one.y * math.sin(angle)
        y = one.x * math.sin(angle) + one.y * math.cos(angle)
        assert (x, y) == pytest.approx(other.centre, abs=1e-6)


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


def test_any_number_of_stops_is_placed():
    for count in (7, 12, 60):
        tile = build_tile("x", {"colour": "yellow", "stops": [city(slots=3) for _ in range(count)]})
        assert len(marks(tile)) == count
        assert all(mark.kind is StopKind.CITY for mark in marks(tile))
