"""Sheets of several sizes: full strokes cut them apart, nothing is lost, and every cut of a press
has its marks."""

import math
import re
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sheet_pieces import (
    card,
    depth,
    disc,
    hexagon,
    marks_of,
    piece,
    placed_polygons,
    small_game,
    thick,
)

from platelayer.definitions.themes import load_profile
from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.ganging import Batch, gang
from platelayer.imposition.impose import impose
from platelayer.imposition.paper import REGISTER_RIM_MM, catalogue, find_paper, frames
from platelayer.imposition.plan import gathered, standard_plan
from platelayer.model.kinds import PLAIN, PLAY
from platelayer.model.options import PrintOptions
from platelayer.render.cut_files import render_cut_svg
from platelayer.scene.shapes import Path

PRESS = dict.fromkeys(
    ("tiles", "tokens", "charters", "certificates", "trains", "cards", "money", "score-sheets"),
    "press",
)
OFFSET = PrintOptions(
    profile=load_profile("offset"),
    paper="sra3",
    margin_mm=10,
    cut="marks",
    duplex="long",
    register="press",
)
LEAST_MM = 3.0


def is_cut_by_strokes(boxes):
    """Whether full strokes, each between two parts, cut boxes apart."""
    if len(boxes) < 2:
        return True
    for axis in (0, 1):
        far = -math.inf
        ordered = sorted(boxes, key=lambda box: box[axis])
        for number, box in enumerate(ordered):
            if number and box[axis] > far - 1e-6:
                return is_cut_by_strokes(ordered[:number]) and is_cut_by_strokes(ordered[number:])
            far = max(far, box[axis] + box[axis + 2])
    return False


def batches(sizes, gap=4.0, around=3.0):
    return [
        Batch(width_mm=w, height_mm=h, count=count, gap_mm=gap, around_mm=(around, around))
        for w, h, count in sizes
    ]


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(12, 140), st.floats(12, 140), st.integers(1, 40)),
        min_size=1,
        max_size=7,
    )
)
def test_everything_is_placed_once_inside_the_room_and_strokes_cut_it_apart(sizes):
    ways = frames(find_paper("a4"), 6)
    requested = batches(sizes)
    sheets = gang(ways, requested, 1.0)
    assert Counter({index: size[2] for index, size in enumerate(sizes)}) == sum(
        (Counter({block.batch: len(block.boxes)}) for sheet in sheets for block in sheet.blocks),
        Counter(),
    )
    assert sheets == gang(ways, requested, 1.0)
    for sheet in sheets:
        x, y, width, height = sheet.frame.room
        boxes = [box for block in sheet.blocks for box in block.boxes]
        for left, top, across, down in boxes:
            assert x + 4 - 1e-6 <= left
            assert left + across <= x + width - 4 + 1e-6
            assert y + 4 - 1e-6 <= top
            assert top + down <= y + height - 4 + 1e-6
        assert is_cut_by_strokes(list(boxes))


def test_several_sizes_share_a_sheet():
    ways = frames(find_paper("a4"), 6)
    mixed = batches([(88, 63, 4), (67, 44, 3), (50, 30, 2)])
    assert len(gang(ways, mixed)) == 1
    assert sum(len(gang(ways, [one])) for one in mixed) == 3


# Two aids are 1 mm narrower than three cards, and one piece is 1 mm higher than another.
AIDS = [(94, 134, 2), (63, 88, 3), (51, 76, 2), (50, 75, 1)]
# The larger cards have room only if the train below them moves with them.
ABOVE_A_TRAIN = [(92, 66, 3), (88, 63, 4), (76, 51, 1)]


@pytest.mark.parametrize(
    ("paper", "sizes", "gap", "around"),
    [("tabloid", AIDS, 0.0, 3.0), ("tabloid", AIDS, 2.0, 3.0), ("a4", ABOVE_A_TRAIN, 4.0, 3.5)],
)
def test_lines_of_a_sheet_coincide_or_can_be_told_apart(paper, sizes, gap, around):
    (sheet,) = gang(frames(find_paper(paper), 6), batches(sizes, gap, around), 1.0)
    boxes = [box for block in sheet.blocks for box in block.boxes]
    assert is_cut_by_strokes(boxes)
    for axis in (0, 1):
        lines = sorted(box[axis] + size for box in boxes for size in (0.0, box[axis + 2]))
        apart = [after - line for line, after in pairwise(lines)]
        assert all(step < 0.02 or step > 1.98 for step in apart), apart


def test_a_piece_that_fits_no_sheet_is_refused():
    with pytest.raises(ValueError, match="fit"):
        gang(frames(find_paper("a4"), 6), batches([(400, 400, 1)]))


def press_sheets(theme, pieces=None, **how):
    pieces = small_game() if pieces is None else pieces
    return impose("Test", pieces, theme=theme, options=replace(OFFSET, **how))


def test_documents_of_one_file_are_gathered():
    plan = gathered(standard_plan(), PRESS)
    assert [document.stem for document in plan][:3] == ["map", "map-tiled", "press-board"]
    (cards,) = (document for document in plan if document.stem == "press-cards")
    assert {"charter", "certificate", "private", "train", "summary", "money", "score-sheet"} <= set(
        cards.kinds
    )
    home = {document.stem: document for document in gathered(standard_plan(), {})}
    assert {"charter", "certificate", "private", "train", "summary"} <= set(
        home["home-cards"].kinds
    )
    assert "money" not in home["home-cards"].kinds
    # A document with a layout of its own is not gathered, whatever it is called.
    apart = [document.stem for document in gathered(standard_plan(), {"cards": "grid"})]
    assert {"cards", "home-cards"} <= set(apart)


def test_a_document_that_would_share_its_file_with_nothing_keeps_its_name(theme):
    trains = [one for one in small_game() if one.piece.kind == "train"]
    (document,) = impose("18XX", trains, theme=theme)
    assert document.stem == "trains"


def test_a_press_sheet_lists_what_is_on_it_in_the_order_of_the_game(theme):
    (cards,) = (
        document
        for document in press_sheets(theme, layouts=tuple(PRESS.items()))
        if document.stem == "press-cards"
    )
    kinds = list(dict.fromkeys(placement.kind for placement in cards.placements))
    assert kinds == ["charter", "certificate", "train", "number-card", "priority-card"]


@pytest.mark.parametrize("layout", ["press", "bleed", "grid", "ganged"])
def test_every_cut_of_a_press_has_marks_of_3_mm(layout, theme):
    chosen = tuple((name, layout) for name in ("certificates", "trains", "charters"))
    pieces = [one for one in small_game() if one.piece.kind in ("certificate", "train", "charter")]
    for document in press_sheets(theme, pieces, layouts=chosen):
        for number, page in enumerate(document.pages, start=1):
            if page.is_back:
                continue
            marks = [(a, b) for a, b in marks_of(page) if math.dist(a, b) < 4.2]
            assert all(math.dist(a, b) >= LEAST_MM - 1e-6 for a, b in marks)
            upright = {round(a[0], 2) for a, b in marks if abs(a[0] - b[0]) < 1e-6}
            level = {round(a[1], 2) for a, b in marks if abs(a[1] - b[1]) < 1e-6}
            for placed in (
                placement for placement in document.placements if placement.page == number
            ):
                x, y, width, height = placed.trim
                assert {round(x, 2), round(x + width, 2)} <= upright
                assert {round(y, 2), round(y + height, 2)} <= level


@pytest.mark.parametrize("scene", [hexagon("tile:57", bleed=3.2), disc("token:B", bleed=3.2)])
def test_marks_around_hexes_and_discs_of_a_press_have_3_mm(scene, theme):
    kind = scene.key.partition(":")[0]
    layouts = (("tiles", "press"), ("tokens", "press"))
    (document,) = press_sheets(theme, [piece(kind, "B", scene, 30)], layouts=layouts, duplex="none")
    for page in document.pages:
        marks = [(a, b) for a, b in marks_of(page) if math.dist(a, b) < 4.1]
        assert len(marks) >= 8
        assert min(math.dist(a, b) for a, b in marks) >= LEAST_MM - 0.01


def test_marks_of_a_gang_stay_off_what_is_cut_out(theme):
    pieces = [
        one
        for one in small_game()
        if one.piece.kind not in ("map", "market", "round-track", "checklist")
    ]
    for document in press_sheets(theme, pieces, layouts=tuple(PRESS.items())):
        for page in document.pages:
            outlines = [outline for _, outline, _ in placed_polygons(page)]
            for a, b in marks_of(page):
                assert all(depth(thick(a, b), outline) <= 1e-6 for outline in outlines)


def test_a_shop_has_its_bleed_whatever_the_layout(theme):
    cards = [piece("train", "2", card("train:2", 67, 44, bleed=3.2), 20)]
    (document,) = press_sheets(theme, cards, layouts=(("trains", "grid"),))
    boxes = [placement.trim for placement in document.placements if placement.page == 1]
    assert (
        min(abs(b[0] - a[0]) for a in boxes for b in boxes if abs(b[0] - a[0]) > 1) >= 67 + 6 - 1e-6
    )


def with_back(kind, name, size, back, count=1):
    entry = piece(kind, name, card(f"{kind}:{name}", *size), count)
    made = replace(entry.piece, back=back)
    return replace(entry, piece=made, back=card(f"{kind}:{name}:back", *size))


def test_what_half_a_sheet_is_too_small_for_is_printed_flat(theme):
    pieces = [
        with_back("summary", "a", (186, 128), PLAY),
        with_back("summary", "b", (186, 128), PLAIN),
    ]
    pieces.append(with_back("summary", "c", (88, 63), PLAIN))
    (document,) = impose("Test", pieces, theme=theme, options=PrintOptions(duplex="fold"))
    assert Counter((placed.id, placed.face) for placed in document.placements) == {
        ("a", "front"): 1,
        ("a", "back"): 1,
        ("b", "front"): 1,
        ("c", "front"): 1,
        ("c", "back"): 1,
    }
    (note,) = document.notes
    assert (note.code, "summary:a, summary:b" in note.message) == ("SH11", True)


def test_what_is_too_large_even_flat_is_refused_by_name(theme):
    large = [with_back("charter", "X", (250, 250), PLAIN)]
    with pytest.raises(ProblemsFound) as error:
        impose("Test", large, theme=theme, options=PrintOptions(duplex="fold"))
    assert {problem.about for problem in error.value.problems} == {"charter:X"}


def test_a_cutter_gets_a_closed_path_for_each_piece(theme):
    pieces = [
        piece("tile", "57", hexagon("tile:57"), 3, "yellow"),
        piece("tile", "4+4", hexagon("tile:4+4"), 1, "green"),
    ]
    options = PrintOptions(layouts=(("tiles", "honeycomb"),), also=("svg",))
    (document,) = impose("Test", pieces, theme=theme, options=options)
    (page,) = document.pages
    assert [line.id for line in page.cut] == ["tile-57-1", "tile-57-2", "tile-57-3", "tile-4_4"]
    text = render_cut_svg(page.cut, 210, 297).decode()
    paths = re.findall(r'<path id="([^"]+)" d="([^"]+)"/>', text)
    assert len(paths) == 4
    assert all(
        data.startswith("M") and data.endswith("Z") and data.count("L") == 5 for _, data in paths
    )
    assert 'id="page"' not in text
    assert 'id="page"' in render_cut_svg(page.cut, 210, 297, edge=True).decode()


@pytest.mark.parametrize(("layout", "most"), [("honeycomb-tight", 36), ("honeycomb", 33)])
def test_a_sheet_of_a4_holds_36_tiles_side_by_side(layout, most, theme):
    tiles = [piece("tile", "57", hexagon("tile:57"), 100, "yellow")]
    (document,) = impose(
        "Test", tiles, theme=theme, options=PrintOptions(layouts=(("tiles", layout),))
    )
    assert max(Counter(placement.page for placement in document.placements).values()) == most


def test_tiles_side_by_side_share_their_lines(theme):
    tiles = [piece("tile", "57", hexagon("tile:57"), 36, "yellow")]
    options = PrintOptions(layouts=(("tiles", "honeycomb-tight"),), also=("svg",))
    (document,) = impose("Test", tiles, theme=theme, options=options)
    (page,) = document.pages
    (shared,) = page.cut
    lines = sum(command[0] == "L" for command in shared.commands)
    assert shared.id == "shared-lines"
    assert 36 * 3 < lines < 36 * 6


@pytest.mark.parametrize("machine", [m for m, medium in catalogue().items() if medium.cutter])
@pytest.mark.parametrize(("paper", "duplex"), [("a4", "none"), ("letter", "long")])
def test_rooms_and_feet_of_a_cutters_sheet_are_clear_of_its_marks(paper, duplex, machine):
    cutter = catalogue()[machine].cutter
    ways = frames(find_paper(paper), 6, duplex, cutter=cutter)
    assert len(ways) == (2 if machine == "portrait" else 4)
    for frame in ways:
        left, top, wide, high = frame.foot
        ends = REGISTER_RIM_MM if duplex == "long" else 0.0  # its own marks
        for x, y, width, height in (frame.room, (left - ends, top, wide + 2 * ends, high)):
            beside = x > cutter.reach_mm and x + width < frame.width_mm - cutter.reach_mm
            between = y > cutter.reach_mm and y + height < frame.height_mm - cutter.reach_mm
            assert beside or between
        (x, y, width, height), inset = frame.room, cutter.inset_mm
        assert min(x, y, frame.width_mm - x - width, frame.height_mm - y - height) >= inset - 1e-6
        assert y + height <= frame.foot[1]


def test_eight_poker_cards_for_a_cutter_fit_letter(theme):
    cards = [piece("train", "A", card("train:A", 63.5, 88.9), 8)]
    options = PrintOptions(
        paper="letter", register="silhouette", cut="none", layouts=(("trains", "spaced"),)
    )
    (document,) = impose("Test", cards, theme=theme, options=options)
    assert len(document.pages) == 1
    boxes = [placed.trim for placed in document.placements]
    assert len(boxes) == 8
    for (x, y, w, h), (a, b, c, d) in combinations(boxes, 2):
        assert max(a - x - w, x - a - c, b - y - h, y - b - d) >= 1.25 - 1e-6


def test_cards_of_one_size_lie_together_whatever_they_are(theme):
    sizes = [("train", 9), ("number-card", 6), ("priority-card", 1)]
    pieces = [piece(kind, "A", card(f"{kind}:A", 44, 67), count) for kind, count in sizes]
    (document,) = impose("Test", pieces, theme=theme)
    assert len(document.pages) == 1  # four rows of four, their kinds one after the other
    assert [placed.kind for placed in document.placements] == [
        kind for kind, count in sizes for _ in range(count)
    ]


@pytest.mark.parametrize(("size", "turned"), [((196, 250), 0), ((250, 196), 90)])
def test_a_board_that_leaves_no_room_for_marks_has_an_outline_instead(size, turned, theme):
    board = [piece("market", "market", card("market:market", *size))]
    (document,) = impose("Test", board, theme=theme)
    (placed,) = document.placements
    (page,) = document.pages
    assert (placed.parts, placed.rotation, sorted(placed.trim[2:])) == ((), turned, [196, 250])
    x, y, width, height = placed.trim
    corners = {(round(a, 2), round(b, 2)) for a in (x, x + width) for b in (y, y + height)}
    paths = [
        item.commands for item in page.scene.items if isinstance(item, Path) and item.fill is None
    ]
    drawn = [
        {(round(c[1], 2), round(c[2], 2)) for c in commands if len(c) == 3} for commands in paths
    ]
    assert corners in drawn
    (bare,) = impose("Test", board, theme=theme, options=PrintOptions(cut="none"))
    assert len(bare.pages) == 1
