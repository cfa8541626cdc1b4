"""Backs lie behind their fronts, on any sheet, flipped any way: read from the bytes of the
files."""

from collections import Counter
from itertools import cycle, pairwise

import pytest
from msgspec.structs import replace
from pdf_places import placed_forms, stroked_lines
from sheet_pieces import card, disc, hexagon, piece, three_hexes

from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.impose import impose
from platelayer.model.kinds import PLAIN, PLAY
from platelayer.model.options import PrintOptions
from platelayer.render.pdf import render_pdf
from platelayer.scene.shapes import apply

KINDS = {
    "tile": [("flat", hexagon("tile:flat"), 5), ("pointy", hexagon("tile:pointy", pointy=True), 4)],
    "train": [("2", card("train:2", 67, 44), 7), ("tall", card("train:tall", 44, 67), 5)],
    "token": [("A", disc("token:A"), 9)],
    "map-tile": [("1", three_hexes("map-tile:1"), 11)],
    "charter": [("C", card("charter:C", 148, 105), 2)],
}
PAPERS = ("a4", "297x210mm", "letter", "a3")


def two_sided(kind):
    """Pieces of a kind, each with a back of the same size and a key of its own."""
    made = []
    for name, scene, count in KINDS[kind]:
        back = replace(scene, key=f"{scene.key}:back")
        made.append(replace(piece(kind, name, scene, count), back=back))
    return made


def faces(kind, theme, **how):
    """Front and back pages of one document: forms by key, with their matrices."""
    (document,) = impose("18XX", two_sided(kind), theme=theme, options=PrintOptions(**how))
    data = render_pdf(document)
    return document, placed_forms(data)


def trims(document, number, face):
    return [p for p in document.placements if p.page == number and p.face == face]


@pytest.mark.parametrize(
    ("paper", "duplex", "kind", "offset"),
    [
        (paper, duplex, kind, offset)
        for paper, offset in zip(PAPERS, cycle([(0.0, 0.0), (1.5, -2.0)]))
        for duplex in ("long", "short")
        for kind in KINDS
    ],
)
def test_each_back_lies_behind_its_front_and_upright(kind, duplex, paper, offset, theme):
    document, pages = faces(kind, theme, duplex=duplex, paper=paper, offset_mm=offset)
    assert len(pages) == len(document.pages)
    assert len(pages) % 2 == 0
    sizes = {name: (scene.width_mm, scene.height_mm) for name, scene, _ in KINDS[kind]}
    seen = 0
    for number in range(1, len(pages), 2):
        sheet = document.pages[number - 1].scene
        upright = sheet.width_mm <= sheet.height_mm
        sideways = (duplex == "long") == upright
        fronts, backs = trims(document, number, "front"), trims(document, number + 1, "back")
        # The forms stand in the order of the placements (the last one is the foot's).
        for front, back, (_, there), (_, here) in zip(
            fronts,
            backs,
            pages[number - 1][: len(fronts)],
            pages[number][: len(backs)],
            strict=True,
        ):
            assert front.id == back.id
            width, height = sizes[front.id]
            for point in ((0, 0), (width, 0), (0, height), (width / 2, height / 3)):
                x, y = apply(there, point)
                # Seen through the paper, and the piece turned over like the page of a book.
                behind = (sheet.width_mm - x, y) if sideways else (x, sheet.height_mm - y)
                assert apply(here, (width - point[0], point[1])) == pytest.approx(behind, abs=0.1)
            seen += 1
    assert seen == sum(count for _, _, count in KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_folded_sheets_have_their_backs_beyond_the_fold(kind, theme):
    document, pages = faces(kind, theme, duplex="fold")
    sizes = {name: (scene.width_mm, scene.height_mm) for name, scene, _ in KINDS[kind]}
    for number, forms in enumerate(pages, start=1):
        fold = document.pages[number - 1].scene.width_mm / 2
        fronts, backs = trims(document, number, "front"), trims(document, number, "back")
        assert len(fronts) == len(backs) > 0
        for front, (_, there), (_, here) in zip(fronts, forms, forms[len(fronts) :], strict=False):
            width, height = sizes[front.id]
            for point in ((0, 0), (width, 0), (width / 2, height / 3)):
                x, y = apply(there, point)
                assert x < fold + 0.01
                assert apply(here, (width - point[0], point[1])) == pytest.approx(
                    (2 * fold - x, y), abs=0.1
                )


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"map-tile"}))
def test_marks_of_a_folded_sheet_lie_on_each_other_when_it_is_folded(kind, theme):
    options = PrintOptions(duplex="fold")
    (document,) = impose("18XX", two_sided(kind), theme=theme, options=options)
    for page, lines in zip(document.pages, stroked_lines(render_pdf(document)), strict=True):
        width = page.scene.width_mm
        marks = {(round(x, 1), round(y, 1)) for _, _, points in lines for x, y in points}
        beside = {(x, y) for x, y in marks if abs(x - width / 2) > 1}
        assert beside
        for x, y in beside:
            assert any(abs(width - x - a) <= 0.11 and abs(y - b) <= 0.11 for a, b in beside), (x, y)


def test_every_piece_has_both_faces_and_counts_are_kept(theme):
    for kind, pieces in KINDS.items():
        for duplex in ("long", "short", "fold"):
            document, _ = faces(kind, theme, duplex=duplex)
            counts = Counter((p.id, p.face) for p in document.placements)
            for name, _, count in pieces:
                assert counts[name, "front"] == counts[name, "back"] == count


def test_the_back_offset_moves_backs_alone(theme):
    _, still = faces("train", theme, duplex="long")
    _, moved = faces("train", theme, duplex="long", back_offset_mm=(0.7, -0.4))
    for before, after in zip(still[::2], moved[::2], strict=True):
        assert [matrix for _, matrix in before] == [matrix for _, matrix in after]
    for before, after in zip(still[1::2], moved[1::2], strict=True):
        for (_, one), (_, other) in zip(before, after, strict=True):
            assert (other[4] - one[4], other[5] - one[5]) == pytest.approx((0.7, -0.4), abs=1e-3)


def test_scale_is_about_the_middle_of_the_sheet(theme):
    _, plain = faces("token", theme)
    _, wide = faces("token", theme, scale=(1.01, 1.0))
    for (_, one), (_, other) in zip(plain[0], wide[0], strict=True):
        assert other[0] == pytest.approx(one[0] * 1.01, abs=1e-4)
        assert other[4] - 105 == pytest.approx((one[4] - 105) * 1.01, abs=1e-3)
        assert other[5] == pytest.approx(one[5], abs=1e-3)


@pytest.mark.parametrize(
    "faulty",
    [
        {"offset_mm": (25.0, 0.0)},
        {"back_offset_mm": (0.0, float("nan"))},
        {"scale": (1.2, 1.0)},
        {"spot_name": "Black"},
        {"spot_name": " "},
        {"offset_mm": (15.0, 0.0)},
    ],
)
def test_a_finish_that_makes_no_sense_is_refused(faulty, theme):
    with pytest.raises(ProblemsFound, match="SH06"):
        faces("train", theme, **faulty)


def test_sheets_without_backs_stay_one_sided(theme):
    plain = [replace(entry, back=None) for entry in two_sided("train")]
    (document,) = impose("18XX", plain, theme=theme, options=PrintOptions(duplex="long"))
    (single,) = impose("18XX", plain, theme=theme)
    assert [page.trim for page in document.pages] == [page.trim for page in single.pages]


def aid(name, count, *, size=(148, 105), back=PLAIN):
    one = piece("summary", name, card(f"summary:{name}", *size), count)
    behind = card(f"summary:{name}:back", *size)
    return replace(one, back=behind, piece=replace(one.piece, back=back))


@pytest.mark.parametrize("duplex", ["long", "short", "fold"])
def test_aids_go_back_to_back(duplex, theme):
    """Aids of one size whose backs tell nothing share cards, as many as there are of both; each
    counts once."""
    aids = [
        aid("a", 3),
        aid("b", 2),
        aid("c", 2, size=(134, 94)),
        aid("d", 2, back=PLAY),
        aid("e", 1),
    ]
    (document,) = impose("18XX", aids, theme=theme, options=PrintOptions(paper="a3", duplex=duplex))
    faces = Counter((p.id, p.face) for p in document.placements)
    fronts = {"a": 3, "b": 2, "c": 2, "d": 2, "e": 1}
    assert {name: faces[name, "front"] for name in fronts} == fronts
    # a with b, a with b, a with e; what is alone, and what is read in play, keeps its own back.
    assert {name: faces[name, "back"] for name in fronts} == {
        "a": 0,
        "b": 0,
        "c": 2,
        "d": 2,
        "e": 0,
    }


@pytest.mark.parametrize(
    ("layout", "duplex", "pages"),
    [("poster", "long", 2), ("poster", "none", 2), ("poster", "fold", 2), ("tiled", "long", 3)],
)
def test_a_map_lies_behind_the_map_whose_other_side_it_is(layout, duplex, pages, theme):
    """On posters printed on both sides; in the middle, if it is the smaller one."""
    main, other = (
        piece("map", name, card(f"map:{name}", *size), 1)
        for name, size in (("main", (280, 190)), ("east", (240, 150)))
    )
    maps = [main, replace(other, piece=replace(other.piece, behind="main"))]
    options = PrintOptions(
        duplex=duplex, layouts=((f"map{'-tiled' * (layout == 'tiled')}", layout),)
    )
    documents = impose("18XX", maps, theme=theme, options=options)
    document = next(each for each in documents if ("tiled" in each.stem) == (layout == "tiled"))
    assert {(p.id, p.face) for p in document.placements} == {("main", "front"), ("east", "front")}
    assert len(document.pages) == pages
    if (layout, duplex) == ("poster", "long"):
        (x, y, w, h), (left, top, width, height) = (p.trim for p in document.placements)
        behind = x + w / 2, document.pages[1].scene.height_mm - y - h / 2
        assert (left + width / 2, top + height / 2) == pytest.approx(behind)
        assert (width, height) == (240, 150)


def test_aids_of_one_side_are_not_paired(theme):
    (document,) = impose("18XX", [aid("a", 3), aid("b", 2)], theme=theme)
    assert Counter(p.id for p in document.placements) == {"a": 3, "b": 2}
    assert len(document.pages) == 3


@pytest.mark.parametrize("layout", ["ganged", "grid"])
def test_backs_that_differ_stand_apart_unless_sheets_are_saved(layout, theme):
    """Four cards of this height fit a sheet only without gaps."""
    for names, optimise, gap in (("abca", None, 2.0), ("aaaa", None, 0.0), ("abca", "sheets", 0.0)):
        pieces = [
            replace(
                piece("charter", str(n), card(f"charter:{n}", 188, 67), 1),
                back=card(f"charter:{name}:back", 188, 67),
            )
            for n, name in enumerate(names)
        ]
        options = PrintOptions(duplex="long", optimise=optimise, layouts=(("charters", layout),))
        (document,) = impose("18XX", pieces, theme=theme, options=options)
        assert len(document.pages) == (4 if gap else 2)
        tops = sorted(placement.trim[1] for placement in trims(document, 2, "back"))
        gaps = [after - before - 67 for before, after in pairwise(tops)]
        assert len(gaps) == (2 if gap else 3)
        assert all(at >= 2.0 if gap else at == pytest.approx(0.0, abs=1e-6) for at in gaps)
