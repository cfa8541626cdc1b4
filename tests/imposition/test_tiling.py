"""Things larger than the paper: windows cover all of it, share the stated overlap, and say where
they join; and pages of one piece."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sheet_pieces import card, disc, hexagon, marks_of, piece

from platelayer.definitions.themes import load_theme
from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.impose import impose
from platelayer.imposition.paper import find_paper, frames, part_name
from platelayer.imposition.plan import build_plan
from platelayer.imposition.tiling import single_page, tile_over
from platelayer.model.options import PrintOptions
from platelayer.scene.flatten import flatten_commands, flatten_scene
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Group, Role, TextRun

THEME = load_theme("classic")
OVERLAP_MM = 8


def tiled(width, height, paper="a4", margin=6.0):
    pieces = [piece("map", "main", card("map:main", width, height))]
    documents = impose(
        "Test", pieces, theme=THEME, options=PrintOptions(paper=paper, margin_mm=margin)
    )
    return {document.stem: document for document in documents}["map-tiled"]


def windows(document):
    """What each page shows: (left, top, right, bottom) on the map, and the shift from map to
    page."""
    found = []
    for page in document.pages:
        (shown,) = [item for item in page.scene.items if isinstance(item, Group)]
        corners = flatten_commands(shown.clip)[0][0]
        xs, ys = {round(x, 6) for x, _ in corners}, {round(y, 6) for _, y in corners}
        found.append(((min(xs), min(ys), max(xs), max(ys)), shown.matrix[4:]))
    return found


@settings(max_examples=40, deadline=None)
@given(
    st.floats(60, 1300),
    st.floats(60, 1300),
    st.sampled_from(["a4", "letter", "a3", "150x150mm"]),
    st.floats(0, 10),
)
def test_parts_cover_the_whole_map_and_overlap_by_8_mm(width, height, paper, margin):
    document = tiled(width, height, paper, margin)
    boxes = [box for box, _ in windows(document)]
    around = (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )
    # As much bleed as saves no sheet, and the same on all sides.
    (bleed,) = {
        round(side, 5) for side in (-around[0], -around[1], around[2] - width, around[3] - height)
    }
    assert bleed in (3, 1, 0)

    def bands(first, second):
        return sorted({(box[first], box[second]) for box in boxes})

    ways = [(1, 3, 0, 2), (0, 2, 1, 3)]
    first, second, low, high = next(
        way
        for way in ways
        if all(
            end - start == pytest.approx(OVERLAP_MM, abs=1e-5)
            for (_, end), (start, _) in pairwise(bands(*way[:2]))
        )
    )
    for band in bands(first, second):
        spans = sorted((b[low], b[high]) for b in boxes if (b[first], b[second]) == band)
        assert (spans[0][0], spans[-1][1]) == pytest.approx((around[low], around[high]))
        for (_, end), (start, _) in pairwise(spans):
            assert end - start == pytest.approx(OVERLAP_MM, abs=1e-5)
    for page, ((left, top, right, bottom), (dx, dy)) in zip(
        document.pages, windows(document), strict=True
    ):
        assert min(left + dx, top + dy) >= margin - 1e-9
        assert right + dx <= page.scene.width_mm - margin + 1e-9
        assert bottom + dy <= page.scene.height_mm - margin - 8 + 1e-9


def test_neighbours_join_at_the_same_place_of_the_map():
    document = tiled(560, 430)
    seen = []
    for page, (box, (dx, dy)) in zip(document.pages, windows(document), strict=True):
        upright = {round(a[0] - dx, 4) for a, b in marks_of(page) if math.isclose(a[0], b[0])}
        level = {round(a[1] - dy, 4) for a, b in marks_of(page) if math.isclose(a[1], b[1])}
        seen.append((box, upright, level))
    for box, upright, level in seen:
        for other, other_upright, other_level in seen:
            if box[1] == other[1] and box[0] < other[0] < box[2]:
                assert upright & other_upright == {round(other[0] + OVERLAP_MM / 2, 4)}
            if box[0] == other[0] and box[1] < other[1] < box[3]:
                assert level & other_level == {round(other[1] + OVERLAP_MM / 2, 4)}
    assert {0.0, 560.0} <= set().union(*(upright for _, upright, _ in seen))
    assert {0.0, 430.0} <= set().union(*(level for _, _, level in seen))


def test_every_part_says_which_it_is_and_names_its_neighbours():
    document = tiled(560, 430)
    # Four upright pages above, three across below: one sheet fewer than eight upright ones.
    places = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2)]
    assert len(document.pages) == len(places)
    found = [box for box, _ in windows(document)]
    for number, (page, (row, column)) in enumerate(zip(document.pages, places, strict=True)):
        words = [text.run.text for text in flatten_scene(page.scene)[1]]
        assert f"Part {part_name(row, column)}, sheet {number + 1} / 7" in words
        left, top, right, bottom = found[number]
        beside = {
            part_name(*places[other])
            for other, (x, y, far, low) in enumerate(found)
            if other != number
            and min(right, far) - max(left, x) > -1e-6
            and min(bottom, low) - max(top, y) > -1e-6
            and max(min(right, far) - max(left, x), min(bottom, low) - max(top, y))
            > OVERLAP_MM + 1e-6
        }
        assert beside <= set(" ".join(words).split())
        assert any("overlap by 8 mm" in text for text in words)


def test_seams_run_beside_words():
    words = TextRun(
        text="Stock market",
        x=186.0,
        y=100.0,
        face="Barlow-Bold",
        size_pt=20.0,
        ink=BLACK,
        width_mm=40.0,
    )
    board = replace(card("market:m", 400, 240), items=(words,))
    (boards,) = impose("Test", [piece("market", "m", board)], theme=THEME)
    seams = {round(part.shows[0], 1) for part in boards.placements[0].parts if part.shows[0] > 0}
    assert len(boards.pages) > 1
    assert seams
    assert not any(186 <= seam <= 226 for seam in seams)


def test_names_of_parts():
    assert [part_name(0, 0), part_name(1, 2), part_name(25, 9), part_name(26, 0)] == [
        "A1",
        "B3",
        "Z10",
        "AA1",
    ]


def test_a_map_in_parts_counts_once_and_its_boxes_are_what_the_pages_show():
    document = tiled(560, 430)
    (placement,) = document.placements
    assert (placement.page, placement.kind, placement.id) == (1, "map", "main")
    for page, ((left, top, right, bottom), (dx, dy)) in zip(
        document.pages, windows(document), strict=True
    ):
        assert page.bleed == pytest.approx((left + dx, top + dy, right - left, bottom - top))
        # The trim ends in the middle of what parts share, and where the whole map is cut.
        half = OVERLAP_MM / 2
        first = (left + half if left > 0 else 0, top + half if top > 0 else 0)
        last = (right - half if right < 560 else 560, bottom - half if bottom < 430 else 430)
        assert page.trim == pytest.approx(
            (first[0] + dx, first[1] + dy, last[0] - first[0], last[1] - first[1])
        )


def test_a_small_map_takes_one_sheet_without_talk_of_joining():
    document = tiled(150, 200)
    assert len(document.pages) == 1
    words = " ".join(text.run.text for text in flatten_scene(document.pages[0].scene)[1])
    assert "overlap" not in words


def lost(width, paper):
    """Whether a map of this width, in parts with much overlap, is neither on a sheet nor
    refused."""
    layout = {"arrange": "tiled", "overlap_mm": 40, "bleed_mm": 3}
    plan = build_plan(
        {"documents": {"maps": {"name": "Maps", "kinds": ["map"], "layouts": {"parts": layout}}}}
    )
    pieces = [piece("map", "main", card("map:main", width, width))]
    try:
        (document,) = impose(
            "Test", pieces, theme=THEME, plan=plan, options=PrintOptions(paper=paper, margin_mm=0.0)
        )
        return not document.pages
    except ProblemsFound:
        return False


@pytest.mark.parametrize("paper", ["66x90mm", "90x66mm"])
def test_where_bleed_alone_is_too_much_a_map_has_none_and_is_not_left_out(paper):
    assert [width for width in range(40, 75) if lost(width, paper)] == []


def test_parts_that_butt_show_every_point_once():
    tiling = tile_over(frames(find_paper("a4"), 6.0), (0.0, 0.0, 500.0, 400.0), 0.0)
    assert tiling is not None
    area = sum(window.box[2] * window.box[3] for window in tiling.windows)
    assert math.isclose(area, 500 * 400)


@pytest.mark.parametrize(
    "scene", [hexagon("tile:57"), card("train:2", 67, 44), disc("token:BNR")], ids=lambda s: s.key
)
def test_a_page_with_marks_outside_the_bleed(scene):
    document = single_page(scene, "18XX")
    (page,) = document.pages
    assert document.stem == scene.key.replace(":", "-")
    assert page.trim[2:] == (scene.width_mm, scene.height_mm)
    assert page.bleed[2:] == (
        scene.width_mm + 2 * scene.bleed_mm,
        scene.height_mm + 2 * scene.bleed_mm,
    )
    x, y = page.bleed[:2]
    assert page.scene.width_mm == pytest.approx(page.bleed[2] + 2 * x)
    assert page.scene.height_mm == pytest.approx(page.bleed[3] + 2 * y)
    (marks,) = [shape for shape in flatten_scene(page.scene)[0] if shape.role is Role.MARK]
    assert min(marks.bounds[:2]) >= 1
    assert marks.bounds[2] <= page.scene.width_mm - 1
    assert marks.bounds[3] <= page.scene.height_mm - 1


def test_a_page_of_exactly_trim_and_bleed():
    (page,) = single_page(card("train:2", 67, 44), "18XX", marks=False).pages
    assert (page.scene.width_mm, page.scene.height_mm) == (73, 50)
    assert page.trim == (3, 3, 67, 44)
    assert page.bleed == (0, 0, 73, 50)
