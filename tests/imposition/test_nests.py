"""Sheets of pieces that reach into each other's hollows: every copy, apart, with colour that keeps
to its own side."""

from itertools import combinations

import pytest
from sheet_pieces import card, hexagon, piece, placed_polygons, three_hexes
from test_nesting import overlap

from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.impose import impose
from platelayer.imposition.plan import build_plan
from platelayer.model.options import PrintOptions
from platelayer.scene.flatten import flatten_commands


def nested(theme, pieces, paper="a4", **layout):
    entry = {"name": "Map tiles", "kinds": ["map-tile", "overlay"]}
    plan = build_plan(
        {"documents": {"map-tiles": {**entry, "layouts": {"own": {"arrange": "nest", **layout}}}}}
    )
    (document,) = impose("18XX", pieces, theme=theme, plan=plan, options=PrintOptions(paper=paper))
    return document


@pytest.mark.parametrize("paper", ["a4", "letter", "297x210mm", "a3"])
@pytest.mark.parametrize("gap", [0, 2, 4])
def test_every_copy_lies_apart_and_colour_with_it(gap, paper, theme):
    document = nested(
        theme,
        [piece("map-tile", "1", three_hexes("map-tile:1"), 13)],
        paper,
        gaps_mm=[gap],
        bleed_mm=1.5,
    )
    assert len(document.placements) == 13
    for page in document.pages:
        placed = placed_polygons(page)
        for (_, one, painted), (_, other, its) in combinations(placed, 2):
            assert not overlap(one, other)
            assert not overlap(painted, its)
        for _, outline, painted in placed:
            reach = min(x for x, _ in outline) - min(x for x, _ in painted)
            assert reach == pytest.approx(min(1.5, gap / 2) / 0.8660254, abs=0.01)
            assert min(min(point) for point in painted) >= 6 - 1e-3


def test_bleed_boxes_hold_what_is_painted(theme):
    (page, *_) = nested(
        theme, [piece("map-tile", "1", three_hexes("map-tile:1"), 8)], gaps_mm=[2], bleed_mm=1.5
    ).pages
    points = [point for _, _, painted in placed_polygons(page) for point in painted]
    x, y, width, height = page.bleed
    around = [pick(point[axis] for point in points) for pick in (min, max) for axis in (0, 1)]
    assert around == pytest.approx([x, y, x + width, y + height], abs=0.01)


def test_the_first_gap_that_needs_no_more_pages_is_taken(theme):
    tiles = [piece("map-tile", "1", three_hexes("map-tile:1"), 8)]
    assert len(nested(theme, tiles, gaps_mm=[12]).pages) == 2
    assert len(nested(theme, tiles, gaps_mm=[12, 2]).pages) == 1
    few = [piece("map-tile", "1", three_hexes("map-tile:1"), 2)]
    boxes = [nested(theme, few, gaps_mm=gaps).placements for gaps in ([12, 2], [12])]
    assert boxes[0] == boxes[1]


def test_what_has_no_hollows_follows_in_a_grid(theme):
    pieces = [
        piece("map-tile", "1", three_hexes("map-tile:1"), 3),
        piece("overlay", "hex", hexagon("overlay:hex"), 5),
        piece("overlay", "card", card("overlay:card", 40, 30), 4),
    ]
    document = nested(theme, pieces, gaps_mm=[2], bleed_mm=1.5)
    assert len(document.placements) == 12
    assert len(document.pages) == 3
    for page in document.pages:
        outlines = [outline for _, outline, _ in placed_polygons(page)]
        assert not any(overlap(one, other) for one, other in combinations(outlines, 2))


def test_what_is_too_large_is_reported(theme):
    with pytest.raises(ProblemsFound, match="SH01"):
        nested(theme, [piece("map-tile", "1", three_hexes("map-tile:1", 120))], gaps_mm=[2])


def test_the_form_of_three_hexes_is_what_its_name_says():
    outline = flatten_commands(three_hexes("x", 40.0).outline)[0][0]
    corners = [point for point in outline if point != outline[0]]
    assert len(set(corners)) == 11
