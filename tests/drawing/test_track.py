"""Track: circular arcs that leave edges at right angles, joins without gaps, casing where it
crosses."""

import math

import pytest

from platelayer.definitions.build import build_tile
from platelayer.definitions.catalogue import catalogue_tile
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.plan import plan_hex, track_items
from platelayer.drawing.hex.tile import hex_items
from platelayer.drawing.kit.style import Style
from platelayer.model.hexes import Coord, Layout, centre_mm, edge_point, neighbour
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Circle, Path, Role, Scene

ACROSS = 38.1
SIDE = ACROSS / math.sqrt(3)
STYLE = Style(theme=load_theme("classic"))


def drawn(tile, layout=Layout.FLAT):
    return track_items(tile, plan_hex(tile, layout, ACROSS), ACROSS, STYLE)


def curve(a, b, layout=Layout.FLAT):
    tile = build_tile("x", {"colour": "yellow", "track": [[a, b]]})
    return plan_hex(tile, layout, ACROSS).curves[0]


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize(
    ("edges", "centre", "radius"),
    [
        # The sharp curve is drawn round the corner between its edges, through the middles of two
        # sides.
        ((0, 1), (0.5, 2 / math.sqrt(3)), SIDE / 2),
        ((4, 5), (4.5, 2 / math.sqrt(3)), SIDE / 2),
        # The gentle curve is drawn round the centre of the neighbouring hex, two apothems away.
        ((0, 2), (1, 2.0), 1.5 * SIDE),
        ((3, 5), (4, 2.0), 1.5 * SIDE),
    ],
)
def test_curves_are_circular_arcs(layout, edges, centre, radius):
    cx, cy = edge_point(centre[0], layout, centre[1] * ACROSS / 2)
    for x, y in curve(*edges, layout).points(1.0):
        assert math.hypot(x - cx, y - cy) == pytest.approx(radius, abs=0.02)


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("edges", [(0, 1), (0, 2), (0, 3), (5, 1), (4, 2)])
def test_track_runs_from_middle_to_middle_of_edges_at_right_angles(layout, edges):
    found = curve(*edges, layout)
    for end, edge, way in (
        (found.p0, edges[0], found.heading(0)),
        (found.p3, edges[1], found.heading(1) + math.pi),
    ):
        x, y = edge_point(edge, layout, ACROSS / 2)
        assert end == pytest.approx((x, y), abs=1e-9)
        assert math.cos(way - math.atan2(-y, -x)) == pytest.approx(1, abs=1e-9)


def test_track_to_a_stop_ends_in_its_middle():
    tile = catalogue_tile("59")
    plan = plan_hex(tile, Layout.FLAT, ACROSS)
    for segment, found in zip(tile.track, plan.curves, strict=True):
        assert found.p0 == pytest.approx(edge_point(segment.a.index, Layout.FLAT, ACROSS / 2))
        assert found.p3 == pytest.approx(plan.marks[segment.b.index].centre)


def casings(number):
    white = STYLE.ink("track.casing")
    width = STYLE.stroke("track").width_mm
    return [
        item
        for item in drawn(catalogue_tile(number))
        if item.stroke and item.stroke.ink == white and item.stroke.width_mm > width
    ]


@pytest.mark.parametrize(
    ("number", "crossings"),
    # 16, 19, 20: two tracks cross. 17, 18: they miss each other. 23, 24, 25: they part from one
    # edge. 60: a junction.
    [
        ("16", 1),
        ("19", 1),
        ("20", 1),
        ("17", 0),
        ("18", 0),
        ("23", 0),
        ("24", 0),
        ("25", 0),
        ("60", 0),
        ("9", 0),
    ],
)
def test_white_casing_where_tracks_cross_and_only_there(number, crossings):
    assert len(casings(number)) == crossings


def test_casing_lies_round_the_crossing():
    ((casing),) = casings("20")
    (_, ax, ay), (_, bx, by) = casing.commands
    assert math.hypot((ax + bx) / 2, (ay + by) / 2) < 0.1
    assert 3 < math.hypot(ax - bx, ay - by) < 8


@pytest.mark.parametrize(("gauge", "dashed"), [("narrow", True), ("dual", False)])
def test_gauges_have_a_light_middle(gauge, dashed):
    tile = build_tile("x", {"colour": "yellow", "track": [[0, 3, {"gauge": gauge}]]})
    core, middle = drawn(tile)
    assert middle.stroke.width_mm < core.stroke.width_mm
    assert bool(middle.stroke.dash) is dashed
    assert middle.stroke.ink != core.stroke.ink


def test_offboard_track_tapers_to_a_point_within_the_hex():
    tile = build_tile(
        "x",
        {"colour": "red", "stops": [{"kind": "offboard", "revenue": 30}], "track": [[3, "stop:0"]]},
    )
    (wedge,) = drawn(tile)
    ys = [command[2] for command in wedge.commands if len(command) == 3]
    xs = [command[1] for command in wedge.commands if len(command) == 3]
    assert min(ys) == pytest.approx(-ACROSS / 2)
    assert -ACROSS / 2 < max(ys) < 0
    outer = [x for x, y in zip(xs, ys, strict=True) if y == min(ys)]
    inner = [x for x, y in zip(xs, ys, strict=True) if y == max(ys)]
    assert max(outer) - min(outer) > 5 * (max(inner) - min(inner))


def test_terminal_track_narrows_to_its_city():
    tile = build_tile(
        "x",
        {
            "colour": "yellow",
            "stops": [{"kind": "city"}],
            "track": [[3, "stop:0", {"terminal": True}], [0, "stop:0"]],
        },
    )
    wedge, line = drawn(tile)
    assert wedge.fill is not None
    assert line.stroke is not None


def test_lanes_meet_those_of_the_neighbour():
    # 1824: Sarajevo spans J11, J13, J15; lane 0 of J11 at its edge 4 runs on as lane 1 of J13 at
    # its edge 1.
    one = build_tile(
        "J11",
        {
            "colour": "red",
            "track": [[2, 4, {"lanes": [[1, 0], [2, 0]]}], [3, 4, {"lanes": [[1, 0], [2, 1]]}]],
        },
    )
    other = build_tile(
        "J15",
        {
            "colour": "red",
            "track": [[2, 1, {"lanes": [[1, 0], [2, 0]]}], [3, 1, {"lanes": [[1, 0], [2, 1]]}]],
        },
    )
    shift = centre_mm(neighbour(Coord(0, 0), 4, Layout.POINTY), Layout.POINTY, ACROSS)
    ends = [found.p3 for found in plan_hex(one, Layout.POINTY, ACROSS).curves]
    onward = [
        (x + shift[0], y + shift[1])
        for x, y in (c.p3 for c in plan_hex(other, Layout.POINTY, ACROSS).curves)
    ]
    assert ends[0] == pytest.approx(onward[1])
    assert ends[1] == pytest.approx(onward[0])
    assert ends[0][1] > ends[1][1]
    # They do not cross on their way.
    assert not [
        item for item in drawn(one, Layout.POINTY) if item.stroke and item.stroke.width_mm > 2.2
    ]


def test_track_bleeds_straight_over_the_edge():
    tile = catalogue_tile("9")
    plan = plan_hex(tile, Layout.FLAT, ACROSS)
    (line,) = track_items(tile, plan, ACROSS, STYLE, bleed_mm=2)
    ys = [command[-1] for command in line.commands]
    assert min(ys) <= -ACROSS / 2 - 2
    assert max(ys) >= ACROSS / 2 + 2


def test_all_track_has_the_role_of_track():
    for number in ("9", "20", "78", "104", "60"):
        assert {item.role for item in drawn(catalogue_tile(number))} == {Role.TRACK}
    items = hex_items(catalogue_tile("9"), Layout.FLAT, ACROSS, STYLE)
    shapes, _ = flatten_scene(Scene(key="x", width_mm=1, height_mm=1, items=items))
    assert sum(shape.role is Role.TRACK for shape in shapes) == 1


def test_a_junction_closes_in_the_middle():
    hubs = [item for item in drawn(catalogue_tile("60")) if isinstance(item, Circle)]
    spokes = [item for item in drawn(catalogue_tile("60")) if isinstance(item, Path)]
    assert [(hub.cx, hub.cy) for hub in hubs] == [(0, 0)]
    assert len(spokes) == 6
