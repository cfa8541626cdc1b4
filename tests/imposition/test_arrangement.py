"""Where pieces lie: apart, on the paper, on straight cuts, with colour that stays off the
neighbours."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sheet_pieces import card, depth, disc, hexagon, marks_of, piece, placed_polygons, sides, thick

from platelayer.definitions.themes import load_theme
from platelayer.imposition.impose import impose
from platelayer.imposition.plan import build_plan, standard_plan
from platelayer.model.options import PrintOptions

THEME = load_theme("classic")
PAPERS = ("a4", "letter", "a3", "120x180mm")
SLACK_MM = 1e-6


def lay(pieces, paper="a4", plan=None, **how):
    options = PrintOptions(paper=paper, **how)
    (document,) = impose("Test", pieces, theme=THEME, plan=plan, options=options)
    return document


def check_apart_and_on_paper(document, margin):
    for page in document.pages:
        found = placed_polygons(page)
        width, height = page.scene.width_mm, page.scene.height_mm
        for _, outline, _ in found:
            for x, y in outline:
                assert margin - SLACK_MM <= x <= width - margin + SLACK_MM
                assert margin - SLACK_MM <= y <= height - margin - 8 + SLACK_MM
        for one, other in neighbours(found):
            assert depth(one[1], other[1]) <= SLACK_MM, "trims overlap"
            assert depth(one[2], other[1]) <= SLACK_MM, "bleed runs over a neighbour's trim"
            assert depth(one[1], other[2]) <= SLACK_MM, "bleed runs over a neighbour's trim"


def neighbours(found):
    """Pairs of pieces that are near enough to touch."""
    reach = max(math.hypot(scene.width_mm + 10, scene.height_mm + 10) for scene, _, _ in found)
    return [
        pair for pair in combinations(found, 2) if math.dist(pair[0][1][0], pair[1][1][0]) < reach
    ]


counts = st.lists(st.integers(1, 40), min_size=1, max_size=5)
margins = st.floats(0, 9)
hexes = st.fixed_dictionaries(
    {"flat_to_flat": st.floats(18, 60), "pointy": st.booleans(), "bleed": st.floats(0, 4)}
)


@settings(max_examples=40, deadline=None)
@given(counts, hexes, st.sampled_from(PAPERS), margins)
def test_hexes_in_rows(numbers, look, paper, margin):
    tiles = [
        piece("tile", str(i), hexagon(f"tile:{i}", **look), n, "yellow" if i < 2 else "red")
        for i, n in enumerate(numbers)
    ]
    document = lay(tiles, paper, margin_mm=margin)
    check_apart_and_on_paper(document, margin)
    assert Counter(p.id for p in document.placements) == {str(i): n for i, n in enumerate(numbers)}


@settings(max_examples=25, deadline=None)
@given(counts, hexes, st.sampled_from(PAPERS), margins)
def test_hexes_singly(numbers, look, paper, margin):
    scenes = [hexagon(f"tile:{i}", **look) for i in range(len(numbers))]
    tiles = [piece("tile", str(i), scenes[i], n) for i, n in enumerate(numbers)]
    document = lay(tiles, paper, margin_mm=margin, layouts=(("tiles", "singles"),))
    check_apart_and_on_paper(document, margin)
    assert Counter(p.id for p in document.placements) == {str(i): n for i, n in enumerate(numbers)}
    for page in document.pages:
        for (_, _, one), (_, _, other) in neighbours(placed_polygons(page)):
            assert depth(one, other) <= SLACK_MM, "bleeds overlap"


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 30), st.floats(20, 60), st.floats(20, 60)), min_size=1, max_size=3
    ),
    st.floats(0, 4),
    st.sampled_from(PAPERS),
    margins,
)
def test_cards_in_grids(cards, bleed, paper, margin):
    made = [
        piece("train", str(i), card(f"train:{i}", w, h, bleed), n)
        for i, (n, w, h) in enumerate(cards)
    ]
    document = lay(made, paper, margin_mm=margin)
    check_apart_and_on_paper(document, margin)
    assert Counter(p.id for p in document.placements) == {
        str(i): n for i, (n, _, _) in enumerate(cards)
    }


@settings(max_examples=10, deadline=None)
@given(counts, st.floats(8, 30), st.floats(0, 3), st.sampled_from(PAPERS), margins)
def test_discs_in_grids(numbers, diameter, bleed, paper, margin):
    made = [
        piece("token", str(i), disc(f"token:{i}", diameter, bleed), n)
        for i, n in enumerate(numbers)
    ]
    document = lay(made, paper, margin_mm=margin)
    check_apart_and_on_paper(document, margin)
    assert Counter(p.id for p in document.placements) == {str(i): n for i, n in enumerate(numbers)}


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "120x180mm"])
@pytest.mark.parametrize("pointy", [False, True])
def test_every_edge_in_rows_lies_on_a_straight_cut_through_no_hex(paper, pointy):
    tiles = [
        piece("tile", c, hexagon(f"tile:{c}", pointy=pointy), 31, c) for c in ("yellow", "green")
    ]
    for page in lay(tiles, paper).pages:
        outlines = [outline for _, outline, _ in placed_polygons(page)]
        cuts = {cut_line(a, b) for outline in outlines for a, b in sides(outline)}
        for angle, distance in cuts:
            nx, ny = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            for outline in outlines:
                offs = [x * nx + y * ny - distance for x, y in outline]
                assert min(offs) > -0.001 or max(offs) < 0.001


def cut_line(a, b):
    """(angle of the normal in whole degrees, distance from the upper left in thousandths of a mm)
    of a line."""
    angle = math.degrees(math.atan2(b[0] - a[0], a[1] - b[1])) % 180
    angle = 0.0 if round(angle) == 180 else float(round(angle))
    nx, ny = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return angle, round(a[0] * nx + a[1] * ny, 3)


@settings(max_examples=20, deadline=None)
@given(hexes)
def test_bleeds_in_rows_meet_but_never_overlap_and_are_as_wide_as_requested(look):
    (page,) = lay([piece("tile", "57", hexagon("tile:57", **look), 9, "yellow")], "a3").pages
    found = placed_polygons(page)
    for (_, _, one), (_, _, other) in neighbours(found):
        assert depth(one, other) <= SLACK_MM
    for _, outline, painted in found:
        for (ax, ay), (bx, by) in sides(outline):
            length = math.hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / length, (ax - bx) / length
            reach = [(x - ax) * nx + (y - ay) * ny for x, y in painted]
            outward = max(reach) if max(reach) < look["flat_to_flat"] / 2 else -min(reach)
            assert outward == pytest.approx(min(2.0, look["bleed"]), abs=1e-6)


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_every_straight_cut_has_marks_at_both_ends(paper):
    for page in lay([piece("tile", "57", hexagon("tile:57"), 45, "yellow")], paper).pages:
        outlines = [outline for _, outline, _ in placed_polygons(page)]
        cuts = {cut_line(a, b) for outline in outlines for a, b in sides(outline)}
        ends = Counter(cut_line(a, b) for a, b in marks_of(page))
        found = {
            cut: sum(
                n for end, n in ends.items() if end[0] == cut[0] and abs(end[1] - cut[1]) < 0.01
            )
            for cut in cuts
        }
        # Lines less than a hundredth of a millimetre apart are one cut.
        assert set(found.values()) == {2}


@pytest.mark.parametrize("layout", ["rows", "singles"])
@pytest.mark.parametrize("paper", PAPERS)
def test_marks_stay_off_pieces_and_their_bleed_and_inside_the_margins(layout, paper):
    tiles = [piece("tile", c, hexagon(f"tile:{c}"), 9, c) for c in ("yellow", "green", "brown")]
    cards = [piece("train", "2", card("train:2", 44, 67), 11)]
    tokens = [piece("token", "B", disc("token:B"), 40)]
    for made in (tiles, cards, tokens):
        for page in lay(made, paper, layouts=(("tiles", layout),)).pages:
            painted = [polygon for _, _, polygon in placed_polygons(page)]
            marks = marks_of(page)
            assert len(marks) >= 4
            for a, b in marks:
                assert math.dist(a, b) >= 1 - SLACK_MM
                for x, y in (a, b):
                    assert 6 - SLACK_MM <= x <= page.scene.width_mm - 6 + SLACK_MM
                    assert 6 - SLACK_MM <= y <= page.scene.height_mm - 6 + SLACK_MM
                assert all(depth(thick(a, b), polygon) <= SLACK_MM for polygon in painted)


@pytest.mark.parametrize(
    ("pointy", "layout"), [(False, "rows"), (True, "rows"), (False, "singles"), (True, "singles")]
)
def test_a_hex_of_38_1_mm_measures_38_1_mm(pointy, layout):
    document = lay(
        [piece("tile", "57", hexagon("tile:57", pointy=pointy), 8)], layouts=(("tiles", layout),)
    )
    for placement in document.placements:
        assert min(placement.trim[2:]) == pytest.approx(38.1, abs=1e-9)
        assert max(placement.trim[2:]) == pytest.approx(38.1 / math.cos(math.pi / 6), abs=1e-9)
    for page in document.pages:
        for _, outline, _ in placed_polygons(page):
            (ax, ay), (bx, by) = sides(outline)[0]
            (cx, cy), (dx, dy) = sides(outline)[3]
            assert math.dist(
                ((ax + bx) / 2, (ay + by) / 2), ((cx + dx) / 2, (cy + dy) / 2)
            ) == pytest.approx(38.1)


@pytest.mark.parametrize(("paper", "a_page"), [("a4", 28), ("letter", 28)])
def test_offset_rows_take_as_many_as_the_best_known_layout(paper, a_page):
    # 28 hexes of 1.5 inches a page is what 18xx makers reach by turning the rows (18xx-maker, issue
    # 328).
    document = lay([piece("tile", "57", hexagon("tile:57"), 60, "yellow")], paper)
    assert sum(placement.page == 1 for placement in document.placements) == a_page


def test_one_blank_place_parts_the_colours_of_a_page():
    tiles = [piece("tile", c, hexagon(f"tile:{c}"), 5, c) for c in ("yellow", "green", "brown")]
    together = lay(tiles)
    alone = lay([piece("tile", "x", hexagon("tile:x"), 17)])
    taken = [p.trim[:2] for p in together.placements]
    places = [p.trim[:2] for p in alone.placements]
    assert [place not in taken for place in places] == [i in (5, 11) for i in range(17)]


def test_tiles_of_a_colour_come_together():
    order = ("yellow", "green", "yellow", "green")
    document = lay([piece("tile", str(i), hexagon(f"tile:{i}"), 2, c) for i, c in enumerate(order)])
    assert [p.id for p in document.placements] == ["0", "0", "2", "2", "1", "1", "3", "3"]


def test_cards_are_turned_where_more_fit():
    # 88 x 63 mm on A4: two upright columns of four, but three turned columns of three.
    document = lay([piece("certificate", "B", card("certificate:B", 88, 63), 9)])
    assert len(document.pages) == 1
    assert {p.rotation for p in document.placements} == {90}
    assert {p.trim[2:] for p in document.placements} == {(63, 88)}


def test_cards_of_one_size_share_a_sheet_whichever_way_up():
    document = lay(
        [
            piece("number-card", "1", card("number-card:1", 44, 67)),
            piece("priority-card", "p", card("priority-card:p", 67, 44)),
        ]
    )
    assert len(document.pages) == 1
    assert {(p.id, p.rotation) for p in document.placements} == {("1", 0), ("p", 90)}


@pytest.mark.parametrize("turned", [False, True])
def test_colour_bleeds_to_blank_paper_and_half_way_to_a_neighbour(turned):
    size = (63, 88) if turned else (88, 63)
    document = lay([piece("certificate", "B", card("certificate:B", *size), 9)])
    (page,) = document.pages
    found = placed_polygons(page)
    assert len(found) == 9
    for _, outline, painted in found:
        for axis in (0, 1):
            trims = [min(p[axis] for p in outline), max(p[axis] for p in outline)]
            reach = [min(p[axis] for p in painted), max(p[axis] for p in painted)]
            block = [f(p[axis] for _, o, _ in found for p in o) for f in (min, max)]
            wanted = [
                2 if trim == pytest.approx(end) else 0
                for trim, end in zip(trims, block, strict=True)
            ]
            assert [abs(r - t) for r, t in zip(reach, trims, strict=True)] == pytest.approx(wanted)


@pytest.mark.parametrize(
    "made",
    [card("train:2", 67, 44), disc("train:2", 40, bleed=4), hexagon("train:2", 40)],
    ids=["card", "disc", "hexagon"],
)
def test_colour_stops_half_way_where_the_gap_is_narrow(made):
    layout = {"arrange": "grid", "gaps_mm": [1], "bleed_mm": 3}
    plan = build_plan(
        {
            "documents": {
                "trains": {"name": "Trains", "kinds": ["train"], "layouts": {"rows": layout}}
            }
        }
    )
    plan += tuple(document for document in standard_plan() if document.stem == "tiles")
    (page,) = lay([piece("train", "2", made, 6)], plan=plan).pages
    pairs = [
        depth(one, other) for (_, _, one), (_, _, other) in combinations(placed_polygons(page), 2)
    ]
    assert max(pairs) <= SLACK_MM
