"""Whole packs: files, counts, feet, page boxes, refusals."""

from collections import Counter
from itertools import pairwise

import pytest
from msgspec.structs import replace
from sheet_pieces import card, disc, hexagon, piece, small_game

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.problems import ProblemsFound
from platelayer.foundation.text import Text
from platelayer.imposition.impose import impose
from platelayer.model.options import PrintOptions
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Group, Role, Use

PAPERS = ("a4", "letter", "a3", "200x320mm")
MARGIN_MM = 6.0


@pytest.fixture(scope="module", params=PAPERS)
def pack(request, theme):
    return impose("18XX", small_game(), theme=theme, options=PrintOptions(paper=request.param))


def test_files_in_order(pack):
    assert [document.stem for document in pack] == [
        "map",
        "map-tiled",
        "tiles",
        "home-cards",
        "tokens",
        "boards",
        "checklist",
    ]


def test_counts_in_are_counts_out(pack):
    wanted = {(entry.piece.kind, entry.piece.id): entry.piece.count for entry in small_game()}
    placed = Counter(
        (p.kind, p.id)
        for document in pack
        for p in document.placements
        if document.stem != "map-tiled"
    )
    assert placed == wanted


def test_placements_name_pages_that_hold_what_they_say(pack):
    for document in pack:
        assert {p.file for p in document.placements} == {document.stem}
        assert {p.face for p in document.placements} == {"front"}
        for number, page in enumerate(document.pages, start=1):
            uses = Counter(scene.key for scene in pieces_on(page))
            placed = Counter(f"{p.kind}:{p.id}" for p in document.placements if p.page == number)
            # A piece in parts shows on every page and counts on the first.
            assert placed == uses or (not placed and len(uses) == 1)


def pieces_on(page):
    items = [item.items[0] if isinstance(item, Group) else item for item in page.scene.items]
    return [
        item.scene
        for item in items
        if isinstance(item, Use) and not item.scene.key.startswith("sheet:")
    ]


def test_pieces_are_placed_by_reference(pack):
    scenes = {}
    for document in pack:
        for page in document.pages:
            for scene in pieces_on(page):
                assert scenes.setdefault(scene.key, scene) is scene


def test_every_page_has_its_boxes_within_each_other(pack):
    for document in pack:
        for page in document.pages:
            (tx, ty, tw, th), (bx, by, bw, bh) = page.trim, page.bleed
            assert 0 <= bx <= tx + 1e-9
            assert 0 <= by <= ty + 1e-9
            assert tx + tw <= bx + bw + 1e-9
            assert ty + th <= by + bh + 1e-9
            assert bx + bw <= page.scene.width_mm
            assert by + bh <= page.scene.height_mm
            assert min(tw, th) > 0


def test_trim_box_is_what_is_around_all_trims(pack):
    for document in pack:
        for number, page in enumerate(document.pages, start=1):
            boxes = [p.trim for p in document.placements if p.page == number]
            if boxes:
                left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
                right, bottom = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
                assert page.trim == pytest.approx((left, top, right - left, bottom - top))


def test_every_page_has_a_foot_that_says_all(pack):
    for document in pack:
        for number, page in enumerate(document.pages, start=1):
            shapes, texts = flatten_scene(page.scene)
            words = " | ".join(text.run.text for text in texts)
            assert "18XX" in words
            assert "Print at 100 %, do not scale" in words
            assert f"heet {number} / {len(document.pages)}" in words
            rulers = [shape for shape in shapes if len(shape.polygons) == 52]
            assert len(rulers) == 1
            line, *ticks = rulers[0].polygons
            assert line[1][0] - line[0][0] == pytest.approx(50.0, abs=1e-9)
            assert [tick[0][0] - line[0][0] for tick in ticks] == pytest.approx(list(range(51)))


def test_marks_and_words_lie_inside_the_margins_and_off_the_pieces(pack):
    for document in pack:
        for page in document.pages:
            shapes, texts = flatten_scene(page.scene)
            x, y, width, height = page.bleed
            marks = [shape.bounds for shape in shapes if shape.role is Role.MARK]
            # Half of a mark's stroke of 0.1 mm may stand over.
            for left, top, right, bottom in marks + [text.bounds for text in texts]:
                assert min(left, top) >= MARGIN_MM - 0.06
                assert right <= page.scene.width_mm - MARGIN_MM + 0.06
                assert bottom <= page.scene.height_mm - MARGIN_MM + 0.06
            for text in texts:
                left, top, right, bottom = text.bounds
                assert text.size_pt >= 5
                assert right <= x or left >= x + width or bottom <= y or top >= y + height


def test_a_long_title_and_a_long_list_stay_on_the_sheet(theme):
    tokens = [piece("token", f"COMPANY{i}", disc(f"token:{i}"), 2) for i in range(40)]
    for paper in ("a4", "100x150mm"):
        for document in impose(
            "A very long title " * 12, tokens, theme=theme, options=PrintOptions(paper=paper)
        ):
            for page in document.pages:
                texts = flatten_scene(page.scene)[1]
                assert any("…" in text.run.text for text in texts)
                assert (
                    max(text.bounds[2] for text in texts) <= page.scene.width_mm - MARGIN_MM + 0.01
                )
                ordered = sorted((text.bounds for text in texts), key=lambda b: (round(b[3]), b[0]))
                for one, other in pairwise(ordered):
                    apart = (
                        one[2] <= other[0]
                        or other[2] <= one[0]
                        or one[3] <= other[1]
                        or other[3] <= one[1]
                    )
                    assert apart


def test_same_input_same_output(theme):
    first, again = (
        impose(
            "18XX", small_game(), theme=theme, options=PrintOptions(layouts=(("tiles", "singles"),))
        )
        for _ in range(2)
    )
    for one, other in zip(first, again, strict=True):
        assert one.placements == other.placements
        assert [(p.trim, p.bleed) for p in one.pages] == [(p.trim, p.bleed) for p in other.pages]
        for page, twin in zip(one.pages, other.pages, strict=True):
            assert repr(page.scene) == repr(twin.scene)


def test_the_poster_is_as_large_as_the_map_needs(theme):
    poster = impose("18XX", [piece("map", "m", card("map:m", 700, 500))], theme=theme)[0]
    (page,) = poster.pages
    assert page.trim[2:] == (700, 500)
    assert page.bleed[2:] == (706, 506)
    assert 700 + 12 + 6 <= page.scene.width_mm <= 700 + 12 + 20
    assert 500 + 12 + 6 + 8 <= page.scene.height_mm <= 500 + 12 + 30


def test_all_that_the_paper_is_too_small_for_is_reported_at_once(theme):
    with pytest.raises(ProblemsFound) as raised:
        impose("18XX", small_game(), theme=theme, options=PrintOptions(paper="40x40mm"))
    problems = raised.value.problems
    assert {problem.code for problem in problems} == {"SH01"}
    # The poster makes its own paper; everything else does not fit, the map not even in parts.
    assert len(problems) == len(small_game())
    for entry in small_game():
        assert (
            sum(f"too small for {entry.piece.key}," in problem.message for problem in problems) == 1
        )


@pytest.mark.parametrize(
    ("kind", "size", "paper", "hint"),
    [
        ("charter", (148, 105), "105x148mm", "Letter"),
        ("train", (260, 180), "letter", "A4"),
        ("train", (300, 250), "a4", "Tabloid"),
        ("train", (900, 700), "a4", "A0"),
        ("train", (2000, 1500), "a4", "no standard paper"),
    ],
)
def test_what_is_too_large_comes_with_the_paper_that_takes_it(kind, size, paper, hint, theme):
    with pytest.raises(ProblemsFound) as raised:
        impose(
            "18XX",
            [piece(kind, "x", card(f"{kind}:x", *size))],
            theme=theme,
            options=PrintOptions(paper=paper),
        )
    (problem,) = raised.value.problems
    assert problem.code == "SH01"
    assert f"{size[0]} x {size[1]} mm" in problem.message
    assert hint in problem.hint


def test_a_board_larger_than_the_paper_is_printed_in_parts(theme):
    documents = impose("18XX", [piece("market", "m", card("market:m", 300, 180))], theme=theme)
    (boards,) = documents
    assert len(boards.pages) == 2
    assert len(boards.placements) == 1
    market = piece("market", "m", card("market:m", 300, 180))
    (large,) = impose("18XX", [market], theme=theme, options=PrintOptions(paper="a3"))
    assert len(large.pages) == 1
    assert large.placements[0].trim[2:] == (300, 180)


def test_a_board_turns_the_paper_rather_than_itself(theme):
    (boards,) = impose("18XX", [piece("market", "m", card("market:m", 270, 150))], theme=theme)
    (page,) = boards.pages
    assert (page.scene.width_mm, page.scene.height_mm) == (297, 210)
    assert boards.placements[0].rotation == 0


def test_what_is_no_hex_among_tiles_goes_into_a_grid(theme):
    tiles = [
        piece("tile", "57", hexagon("tile:57"), 3, "yellow"),
        piece("tile", "big", card("tile:big", 90, 80), 2, "blue"),
    ]
    (document,) = impose("18XX", tiles, theme=theme)
    assert Counter(p.id for p in document.placements) == {"57": 3, "big": 2}
    assert len(document.pages) == 2


def test_nothing_to_print_is_no_document(theme):
    assert impose("18XX", [], theme=theme) == ()
    none = [piece("train", "2", card("train:2", 67, 44), 0)]
    assert impose("18XX", none, theme=theme) == ()


@pytest.mark.parametrize(("faces", "foot"), [(1, "Print at 100 %"), (2, "倍率100%で印刷")])
def test_feet_in_japanese_fall_back_to_english_where_the_faces_cannot(theme, faces, foot):
    types = {name: replace(style, faces=style.faces[:faces]) for name, style in theme.types.items()}
    train = piece("train", "2", card("train:2", 67, 44))
    theme = replace(theme, types=types)
    (document,) = impose("18XX", [train], theme=theme, tongue=Tongue("ja"))
    words = "".join(text.run.text for text in flatten_scene(document.pages[0].scene)[1])
    assert "1 / 1" in words
    assert foot in words


def test_feet_and_names_of_documents_have_the_title_s_own_words(theme):
    terms = {
        "documents/trains": Text((("en", "Rolling stock"),)),
        "pieces/destination": Text((("en", "Port {}"),)),
        "sheets/scale": Text((("en", "At 100 %"),)),
    }
    train = piece("train", "2", card("train:2", 67, 44))
    port = piece("destination-card", "A", card("destination-card:A", 67, 44))
    port = replace(
        port, piece=replace(port.piece, name=FixedWords("pieces")("destination").fill("A"))
    )
    tongue = Tongue("en", terms)
    (trains,) = impose("18XX", [train], theme=theme, tongue=tongue)
    (cards,) = impose("18XX", [port], theme=theme, tongue=tongue)
    assert trains.title == "18XX: Rolling stock"
    words = [text.run.text for text in flatten_scene(trains.pages[0].scene)[1]]
    assert {"Rolling stock", "At 100 %"} <= set(words)
    assert cards.title == "18XX: Cards"
    assert "Port A" in [text.run.text for text in flatten_scene(cards.pages[0].scene)[1]]
