"""Track: circular arcs that leave edges at right angles, joins without gaps, casing where it
crosses."""

import math

import pytest

from platelayer.definitions.build import build_tile, catalogue_tile
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.plan import plan_hex, track_items
from platelayer.drawing.kit.style import Style
from platelayer.model.gamemap import Coord, Layout, centre_mm, edge_point, neighbour

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
