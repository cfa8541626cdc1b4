"""Dies and labels: every piece on a place of the die, to a twentieth of a millimetre of what makers
know of them."""

from itertools import pairwise

import pytest
from pdf_places import placed_forms, stroked_lines
from sheet_pieces import disc, hexagon, piece

from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.ganging import places_of
from platelayer.imposition.impose import impose
from platelayer.imposition.paper import find_paper
from platelayer.imposition.plan import standard_plan
from platelayer.model.options import PrintOptions
from platelayer.render.pdf import render_pdf
from platelayer.scene.shapes import apply

INCH = 25.4


def sheet(theme, layout, size=38.1, paper="letter", count=30, **how):
    tiles = [
        piece("tile", "57", hexagon("tile:57", size), count, "yellow"),
        piece("tile", "14", hexagon("tile:14", size, pointy=True), 3, "green"),
    ]
    (document,) = impose(
        "18XX",
        tiles,
        theme=theme,
        options=PrintOptions(paper=paper, layouts=(("tiles", layout),), **how),
    )
    return document


def die(name):
    return next(each for each in standard_plan() if each.stem == "tiles").layouts[name].die


def test_the_ellison_die_is_what_makers_say():
    """PRINT: 4 columns of 6, columns a quarter of an inch apart; hexes of 1.5 in; the block in the
    middle of Letter."""
    places = places_of(die("die"))
    assert len(places) == 24
    lefts = sorted({round(place[0], 3) for place in places})
    width = 1.5 * INCH / 0.8660254
    assert len(lefts) == 4
    for one, other in pairwise(lefts):
        assert other - (one + width) == pytest.approx(0.25 * INCH, abs=0.05)
    tops = sorted({round(place[1], 3) for place in places})
    assert [b - a for a, b in pairwise(tops)] == pytest.approx([1.5 * INCH] * 5, abs=0.01)
    assert lefts[0] == pytest.approx(8.5 * INCH - (lefts[-1] + width), abs=0.05)


def test_the_small_die_holds_60_in_7_columns():
    places = places_of(die("small-die"))
    columns = {}
    for x, *_ in places:
        columns[round(x, 2)] = columns.get(round(x, 2), 0) + 1
    assert [columns[x] for x in sorted(columns)] == [9, 8, 9, 8, 9, 8, 9]
    assert len(places) == 60
    assert max(x + w for x, _, w, _ in places) < 8.5 * INCH
    assert max(y + h for _, y, _, h in places) < 11 * INCH


@pytest.mark.parametrize(("layout", "size"), [("die", 38.1), ("small-die", 26.99)])
def test_pieces_lie_in_the_middle_of_places(layout, size, theme):
    document = sheet(theme, layout, size)
    places = [(x + w / 2, y + h / 2) for x, y, w, h in places_of(die(layout))]
    (first, *_) = placed_forms(render_pdf(document))
    laid = [placed for placed in document.placements if placed.page == 1]
    for placed, (_, matrix) in zip(laid, first, strict=False):
        width, height = size / 0.8660254, size
        if placed.id == "14":
            width, height = height, width
        middle = apply(matrix, (width / 2, height / 2))
        assert min(abs(middle[0] - x) + abs(middle[1] - y) for x, y in places) < 0.05
    assert {placed.rotation for placed in document.placements if placed.id == "14"} == {90}
    assert len({placed.trim for placed in laid}) == len(laid)


@pytest.mark.parametrize("layout", ["die", "small-die"])
def test_the_page_is_the_paper_of_the_die_as_it_lies(layout, theme):
    document = sheet(theme, layout, size=38.1 if layout == "die" else 26.99)
    paper = find_paper(die(layout).paper)
    for page in document.pages:
        assert (page.scene.width_mm, page.scene.height_mm) == (paper.width_mm, paper.height_mm)


def test_pins_are_marked_half_an_inch_below_the_edge(theme):
    assert {y for _, y in die("die").pins_mm} == {12.7}
    marks = [
        points for _, _, points in stroked_lines(render_pdf(sheet(theme, "die", cut="none")))[0]
    ]
    for x, y in die("die").pins_mm:
        assert any(min(abs(px - x) + abs(py - y) for px, py in points) < 5 for points in marks)


def test_colour_stops_where_the_next_hex_begins(theme):
    """Colour runs 0.1 in over the cut, but not over the hex above or below."""
    document = sheet(theme, "die", count=24)
    uses = [item for item in document.pages[0].scene.items if getattr(item, "clip", None)]
    reach = [
        (min(c[2] for c in use.clip if len(c) == 3), max(c[2] for c in use.clip if len(c) == 3))
        for use in uses
    ]
    assert reach[0] == pytest.approx((-2.54, 38.1), abs=0.01)
    assert reach[1] == pytest.approx((0.0, 38.1), abs=0.01)
    assert reach[5] == pytest.approx((0.0, 38.1 + 2.54), abs=0.01)


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"layout": "die", "paper": "a4"}, "SH05"),
        ({"layout": "die", "duplex": "fold"}, None),
        ({"layout": "die", "size": 40.0}, "SH01"),
        ({"layout": "small-die", "size": 38.1}, "SH01"),
    ],
)
def test_what_a_die_cannot_do_is_refused(how, code, theme):
    if code is None:  # without backs nothing is folded
        assert sheet(theme, **how).pages
        return
    with pytest.raises(ProblemsFound, match=code):
        sheet(theme, **how)


def test_square_labels_fill_their_cells(theme):
    tokens = [piece("token", "A", disc("token:A", bleed=3.0), 20)]
    (document,) = impose(
        "18XX", tokens, theme=theme, options=PrintOptions(layouts=(("tokens", "squares"),))
    )
    boxes = sorted(placed.trim for placed in document.placements)
    lefts = sorted({round(box[0], 3) for box in boxes})
    assert lefts[1] - lefts[0] == pytest.approx(16.0)
    clips = [item.clip for item in document.pages[0].scene.items if getattr(item, "clip", None)]
    assert {tuple(sorted({round(c[1], 3) for c in clip if len(c) == 3})) for clip in clips} == {
        (-1.0, 15.0)
    }
