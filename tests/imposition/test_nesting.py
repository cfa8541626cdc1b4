"""Pieces that reach into each other's hollows: never nearer than the gap, never outside the room,
more than a grid."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.map_tile import draw_map_tile
from platelayer.imposition.arrange import grid, nested, offset_rows, turned_half
from platelayer.imposition.paper import find_paper, frames
from platelayer.model.gamemap import Layout, corner_points
from platelayer.scene.flatten import bounds_of, flatten_commands
from shipped import shipped

SLACK_MM = 0.002
SQUARE = ((0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0))
SLIM = ((0.0, 0.0), (60.0, 0.0), (0.0, 40.0))
ELL = ((0.0, 0.0), (70.0, 0.0), (70.0, 25.0), (25.0, 25.0), (25.0, 60.0), (0.0, 60.0))


def three_hexes():
    scene = draw_map_tile(shipped("lost-atlas"), "12", Style(theme=load_theme("classic")))
    return flatten_commands(scene.outline)[0][0]


def at_place(outline, place):
    (x, y, width, height), turn = place
    left, top, right, bottom = bounds_of(outline)
    shape = turned_half(outline) if turn else outline
    assert (width, height) == pytest.approx((right - left, bottom - top), abs=SLACK_MM)
    return [(px - left + x, py - top + y) for px, py in shape]


def sides(polygon):
    return list(zip(polygon, polygon[1:] + polygon[:1], strict=True))


def holds(polygon, point):
    """Whether a point lies inside, by the sides right of it."""
    x, y = point
    crossing = [(a, b) for a, b in sides(polygon) if (a[1] <= y) != (b[1] <= y)]
    return (
        sum(x < ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in crossing) % 2 == 1
    )


def point_to_side(point, side):
    (ax, ay), (bx, by) = side
    dx, dy = bx - ax, by - ay
    t = max(0.0, min(1.0, ((point[0] - ax) * dx + (point[1] - ay) * dy) / (dx * dx + dy * dy)))
    return math.dist(point, (ax + t * dx, ay + t * dy))


def overlap(one, other):
    """Whether two polygons share room: points of a fine grid over what their bounds share lie in
    both."""
    left, top, right, bottom = (
        pick(pair)
        for pick, pair in zip(
            (max, max, min, min), zip(bounds_of(one), bounds_of(other), strict=True), strict=True
        )
    )
    if right - left < 2 * SLACK_MM or bottom - top < 2 * SLACK_MM:
        return False
    fine = [(k + 0.37) / 16 for k in range(16)]
    points = [(left + (right - left) * u, top + (bottom - top) * v) for u in fine for v in fine]
    return any(holds(one, point) and holds(other, point) for point in points)


def distance(one, other):
    """Between two polygons; -1 when they overlap."""
    if overlap(one, other):
        return -1.0
    ends = [(p, s) for p in one for s in sides(other)] + [(p, s) for p in other for s in sides(one)]
    return min(point_to_side(point, side) for point, side in ends)


def boxes_apart(one, other):
    """How far the bounds of two polygons are apart, across and down."""
    a, b = bounds_of(one), bounds_of(other)
    return max(0.0, a[0] - b[2], b[0] - a[2]), max(0.0, a[1] - b[3], b[1] - a[3])


def check(nest, outline, gap, reserve=0.0):
    x, y, width, height = nest.frame.room
    polygons = [at_place(outline, place) for place in nest.places]
    for polygon in polygons:
        left, top, right, bottom = bounds_of(polygon)
        assert left >= x + reserve - SLACK_MM
        assert top >= y + reserve - SLACK_MM
        assert right <= x + width - reserve + SLACK_MM
        assert bottom <= y + height - reserve + SLACK_MM
    for one, other in combinations(polygons, 2):
        if math.hypot(*boxes_apart(one, other)) > gap + 0.1:
            continue
        assert distance(one, other) >= gap - SLACK_MM
    assert {turn for _, turn in nest.places} <= {0, 180}


def test_the_measure_of_this_test_knows_overlap():
    moved = [(x + 10, y) for x, y in SQUARE]
    assert distance(list(SQUARE), moved) == -1.0
    assert distance(list(SQUARE), [(x + 53, y) for x, y in SQUARE]) == pytest.approx(3)
    assert distance(list(SQUARE), [(x / 5 + 20, y / 5 + 20) for x, y in SQUARE]) == -1.0


@pytest.mark.parametrize("gap", [0.0, 2.0, 4.0])
@pytest.mark.parametrize(("paper", "least"), [("a4", 8), ("a3", 16)])
def test_more_map_tiles_than_in_a_grid(paper, least, gap):
    """Boxes of 80.8 x 80 mm: a grid has 2 x 3 on A4, 3 x 4 and a half on A3."""
    outline, found = three_hexes(), frames(find_paper(paper), 6.0)
    nest = nested(found, outline, gap_mm=gap, reserve_mm=2.0)
    check(nest, outline, gap, 2.0)
    assert len(nest.places) >= least
    _, _, width, height = bounds_of(outline)
    boxes = grid(found, width, height, count=1000, gaps_mm=[(gap, (2.0, 2.0))]).boxes
    assert len(nest.places) > len(boxes)


def test_all_map_tiles_and_projects_fit_on_five_sheets_of_a4():
    nest = nested(frames(find_paper("a4"), 6.0), three_hexes(), gap_mm=3.0, reserve_mm=2.0)
    assert -(-(33 + 3) // len(nest.places)) == 5


@pytest.mark.parametrize("outline", [SQUARE, SQUARE[::-1]])
def test_squares_lie_as_in_a_grid(outline):
    found = frames(find_paper("a4"), 6.0)
    nest = nested(found, outline, gap_mm=2.0)
    check(nest, outline, 2.0)
    assert len(nest.places) == len(
        grid(found, 50, 50, count=1000, gaps_mm=[(2.0, (0.0, 0.0))]).boxes
    )


def test_triangles_lie_head_to_tail():
    nest = nested(frames(find_paper("a4"), 6.0), SLIM, gap_mm=0.0)
    check(nest, SLIM, 0.0)
    assert {turn for _, turn in nest.places} == {0, 180}
    # 1,200 mm² each; in boxes of 60 x 40 mm the better grid has 3 x 6 or 4 x 4.
    assert len(nest.places) >= 30


@pytest.mark.parametrize("layout", Layout)
def test_hexes_lie_as_close_as_in_a_honeycomb(layout):
    outline = corner_points(layout, 38.0)
    nest = nested(frames(find_paper("a4"), 6.0), outline, gap_mm=0.0)
    check(nest, outline, 0.0)
    wide, high = sorted(side for side in (38.0, 38.0 / math.cos(math.radians(30))))[::-1]
    assert len(nest.places) >= len(offset_rows(nest_frames(), wide, high, 0.0).boxes)


def nest_frames():
    return frames(find_paper("a4"), 6.0)


@settings(max_examples=8, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(35, 70), st.integers(0, 359)),
        min_size=5,
        max_size=9,
        unique_by=lambda each: each[1],
    ),
    st.sampled_from([0.0, 1.5, 3.0]),
)
def test_pieces_of_any_outline_keep_their_distance(spokes, gap):
    """Stars: corners at any distance round a middle, in the order of their angles."""
    spokes = sorted(spokes, key=lambda each: each[1])
    turns = [
        b[1] - a[1] for a, b in zip(spokes, [*spokes[1:], (0, spokes[0][1] + 360)], strict=True)
    ]
    if max(turns) >= 170 or min(turns) < 5:
        return
    outline = tuple(
        (r * math.cos(math.radians(a)), r * math.sin(math.radians(a))) for r, a in spokes
    )
    nest = nested(frames(find_paper("a4"), 6.0), outline, gap_mm=gap)
    check(nest, outline, gap)
    assert nest == nested(frames(find_paper("a4"), 6.0), outline, gap_mm=gap)


def test_an_ell_with_a_hollow():
    nest = nested(frames(find_paper("a4"), 6.0), ELL, gap_mm=2.0)
    check(nest, ELL, 2.0)
    assert len(nest.places) >= 12


def test_no_room_for_one_piece():
    assert (
        nested(
            frames(find_paper("120x180mm"), 6.0),
            tuple((4 * x, 4 * y) for x, y in SQUARE),
            gap_mm=1.0,
        )
        is None
    )
