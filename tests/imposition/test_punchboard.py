"""Punchboards: one die for boards of one plan, nicks in its lines, backs behind their fronts."""

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pdf_places import all_objects, stroked_lines
from sheet_pieces import card, disc, hexagon, piece, three_hexes

from platelayer.definitions.themes import load_profile
from platelayer.imposition.cut import nicked
from platelayer.imposition.impose import impose
from platelayer.imposition.plan import Board
from platelayer.model.options import PrintOptions
from platelayer.render.cut_files import render_cut_svg, render_dxf, runs_of
from platelayer.render.pdf import render_pdf
from platelayer.scene.shapes import circle_path, polygon_path

BOARDS = tuple((name, "punchboard") for name in ("tiles", "map-tiles", "tokens"))
PRESS = PrintOptions(
    profile=load_profile("offset"),
    paper="sra3",
    margin_mm=10,
    layouts=BOARDS,
    cut="spot",
    spot_name="Knife",
    spot_layer="Die line",
    duplex="long",
    register="press",
)
GAP_MM, RIM_MM = 6.0, 10.0


def with_back(entry):
    return replace(entry, back=replace(entry.scene, key=f"{entry.scene.key}:back"))


PIECES = [
    piece("tile", "57", hexagon("tile:57"), 70, "yellow"),
    piece("tile", "14", hexagon("tile:14"), 31, "green"),
    piece("token", "A", disc("token:A", bleed=3.0), 33, "station"),
    piece("marker", "M", disc("marker:M", 20, bleed=3.0), 7),
]
NESTING = [piece("map-tile", "1", three_hexes("map-tile:1"), 20)]


def boards(theme, pieces=PIECES, options=PRESS):
    entries = [with_back(entry) for entry in pieces]
    return impose("Test", entries, theme=theme, options=options)


def chords(commands):
    """The lines that a knife follows."""
    return [
        line
        for points, closed in runs_of(commands)
        for line in pairwise((*points, points[0]) if closed else points)
    ]


def length(commands):
    return math.fsum(math.dist(a, b) for a, b in chords(commands))


def box_of(line):
    points = [command[-2:] for command in line.commands if len(command) > 2]
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def test_boards_of_one_plan_share_a_die(theme):
    sheets, dies = boards(theme)
    fronts = [page for page in sheets.pages if not page.is_back]
    assert (sheets.stem, dies.stem, len(dies.pages)) == ("punchboards", "punchboards-die", 1)
    assert len(fronts) > 1
    assert len({page.cut for page in fronts}) == 1
    assert dies.pages[0].cut == fronts[0].cut
    assert not dies.placements
    placed = Counter((placed.kind, placed.id, placed.face) for placed in sheets.placements)
    assert placed == {
        (e.piece.kind, e.piece.id, f): e.piece.count for e in PIECES for f in ("front", "back")
    }


def test_every_piece_lies_on_a_place_of_the_die_and_places_to_spare_are_cut_too(theme):
    sheets, _ = boards(theme)
    places = {tuple(round(c, 1) for c in box_of(line)) for line in sheets.pages[0].cut}
    hexes = [
        placed for placed in sheets.placements if placed.kind == "tile" and placed.face == "front"
    ]
    for placed in hexes:
        x, y, width, height = placed.trim
        assert tuple(round(c, 1) for c in (x, y, x + width, y + height)) in places
    cut = Counter(line.id.partition("-")[0] for line in sheets.pages[0].cut)
    pages = len(sheets.pages) // 2
    assert cut["tile"] == -(-101 // pages)
    assert cut["tile"] * pages > 101


def test_lines_of_a_die_are_6_mm_apart_and_10_from_the_edge(theme):
    for sheets in boards(theme)[:1] + boards(theme, NESTING)[:1]:
        *lines, edge = sheets.pages[0].cut
        assert edge.id == "board"
        left, top, right, bottom = box_of(edge)
        corners = [[a for a, _ in chords(line.commands)] for line in lines]
        for number, own in enumerate(corners):
            assert (
                min(min(x - left, right - x, y - top, bottom - y) for x, y in own) >= RIM_MM - 1e-6
            )
            for other in corners[:number]:
                assert min(math.dist(a, b) for a in own for b in other) >= GAP_MM - 0.01


def test_a_board_is_the_trim_of_its_page_and_its_back_lies_behind_it(theme):
    sheets, _ = boards(theme)
    front, back = sheets.pages[:2]
    x, y, width, height = front.trim
    assert (x, y, x + width, y + height) == pytest.approx(box_of(front.cut[-1]))
    assert back.trim == pytest.approx((front.scene.width_mm - x - width, y, width, height))
    behind = {placed.id: [] for placed in sheets.placements}
    for placed in sheets.placements:
        if placed.page in {1, 2}:
            at = placed.trim[0] + placed.trim[2] / 2
            at = at if placed.face == "front" else front.scene.width_mm - at
            behind[placed.id].append((placed.face, round(at, 3), round(placed.trim[1], 3)))
    for places in behind.values():
        fronts, backs = (
            {place[1:] for place in places if place[0] == face} for face in ("front", "back")
        )
        assert fronts == backs


def test_pieces_with_hollows_nest_on_boards_of_their_own(theme):
    sheets, dies = boards(theme, [*PIECES, *NESTING])
    assert len(dies.pages) == 2
    kinds = [
        {p.kind for p in sheets.placements if p.page == number}
        for number in range(1, len(sheets.pages) + 1)
    ]
    assert all(kind == {"map-tile"} or "map-tile" not in kind for kind in kinds)
    assert {"map-tile"} in kinds


def test_sizes_that_share_no_sheet_have_dies_of_their_own(theme):
    large = [piece("tile", str(size), card(f"tile:{size}", 230 + size, 300), 2) for size in (0, 10)]
    sheets, dies = boards(theme, large)
    assert len(dies.pages) == 2
    assert len(sheets.placements) == 8


@pytest.mark.parametrize("cut", ["marks", "spot"])
def test_the_die_line_is_on_the_sheet_and_in_a_file_of_its_own_under_the_names_of_the_maker(
    cut, theme
):
    sheets, dies = boards(theme, PIECES[2:3], replace(PRESS, cut=cut))
    spots = []
    for document in (sheets, dies):
        data = render_pdf(document, colour="cmyk")
        lines = stroked_lines(data)[0]
        assert any(len(points) > 100 for _, _, points in lines)
        spots.append({(spot, layer) for spot, layer, _ in lines if spot and spot != "All"})
        assert ("Knife" in all_objects(data)) == (cut == "spot")
    assert spots == [{("Knife", "Die line")} if cut == "spot" else set()] * 2
    (die,) = dies.pages
    assert b'inkscape:label="Die line"' in render_cut_svg(die.cut, 320, 450, layer="Die line")
    lines = [command for line in die.cut for command in line.commands]
    assert b"\nDIE_LINE\n" in render_dxf(lines, 320, 450, layer="Die line")


@pytest.mark.parametrize(
    ("outline", "nicks"),
    [(hexagon("tile:57").outline, 3), (circle_path(7, 7, 7), 3), (circle_path(30, 30, 30), 5)],
)
def test_nicks_are_gaps_of_their_width(outline, nicks):
    lines = nicked(outline, Board())
    assert sum(command[0] == "M" for command in lines) == nicks
    assert length(outline) - length(lines) == pytest.approx(nicks * 0.4, abs=0.02)
    assert nicked(outline, Board(nick_mm=0.0)) == tuple(outline)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.floats(5, 60), min_size=3, max_size=12),
    st.floats(0.2, 1.0),
    st.floats(20, 80),
    st.integers(1, 4),
)
def test_what_remains_of_an_outline_lies_on_it(radii, width, every, least):
    step = 2 * math.pi / len(radii)
    points = [(r * math.cos(i * step), r * math.sin(i * step)) for i, r in enumerate(radii)]
    board = Board(nick_mm=width, nick_every_mm=every, least_nicks=least)
    outline = polygon_path(points)
    lines = nicked(outline, board)
    starts = [command[1:] for command in lines if command[0] == "M"]
    whole = length(outline)
    assert len(starts) == max(least, round(whole / every))
    assert length(lines) == pytest.approx(whole - len(starts) * width, abs=1e-6)
    sides = chords(outline)
    for x, y in (command[1:] for command in lines):
        assert min(off(x, y, *side) for side in sides) < 1e-6


def off(x, y, a, b):
    """How far a point is from a line."""
    (ax, ay), (bx, by) = a, b
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / (math.dist(a, b) ** 2 or 1.0)
    t = min(max(along, 0.0), 1.0)
    return math.dist((x, y), (ax + (bx - ax) * t, ay + (by - ay) * t))
