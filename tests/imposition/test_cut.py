"""Cut lines, read from the bytes: where they run, how often, in which ink, on which layer."""

import pytest
from msgspec.structs import replace
from pdf_places import all_objects, stroked_lines
from sheet_pieces import card, disc, hexagon, piece, three_hexes

from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.impose import impose
from platelayer.model.options import OPTIONS, PrintOptions
from platelayer.render.pdf import render_pdf
from platelayer.scene.inks import as_spot

PIECES = {
    "tile": [piece("tile", "57", hexagon("tile:57"), 9, "yellow")],
    "train": [piece("train", "2", card("train:2", 67, 44), 7)],
    "map-tile": [piece("map-tile", "1", three_hexes("map-tile:1"), 5)],
    "token": [piece("token", "A", disc("token:A"), 5)],
    "map": [piece("map", "m", card("map:m", 300, 250))],
}


def made(kind, theme, **how):
    documents = impose("18XX", PIECES[kind], theme=theme, options=PrintOptions(**how))
    return [(document, render_pdf(document, colour="cmyk")) for document in documents]


@pytest.mark.parametrize("kind", PIECES)
@pytest.mark.parametrize("cut", OPTIONS["cut"].choices)
def test_the_spot_colour_is_there_when_requested_and_only_then(kind, cut, theme):
    for _, data in made(kind, theme, cut=cut, spot_name="Thru-cut"):
        for lines in stroked_lines(data):
            spots = {(spot, layer) for spot, layer, _ in lines if spot}
            assert spots == ({("Thru-cut", "Cut line")} if cut == "spot" else set())
        assert ("Thru-cut" in all_objects(data)) == (cut == "spot")


def test_lines_run_along_every_trim(theme):
    for document, data in made("tile", theme, cut="spot"):
        for number, lines in enumerate(stroked_lines(data), start=1):
            (points,) = [points for spot, _, points in lines if spot]
            boxes = [p.trim for p in document.placements if p.page == number]
            around = (min(b[0] for b in boxes), max(b[0] + b[2] for b in boxes))
            assert (min(p[0] for p in points), max(p[0] for p in points)) == pytest.approx(
                around, abs=0.01
            )


def test_cards_that_touch_share_one_line(theme):
    ((document, data),) = made("train", theme, cut="lines")
    (drawn,) = stroked_lines(data)
    boxes = [p.trim for p in document.placements]
    edges = set()
    for x, y, w, h in boxes:
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        edges |= {
            tuple(sorted((tuple(round(c, 1) for c in a), tuple(round(c, 1) for c in b))))
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
        }
    longest = max((points for _, _, points in drawn if len(points) != 104), key=len)
    assert {tuple(round(c, 1) for c in point) for point in longest} == {
        point for edge in edges for point in edge
    }


def test_no_way_to_cut_leaves_no_marks(theme):
    for kind in ("train", "token", "tile"):
        ((_, data),) = made(kind, theme, cut="none")
        plain = len(stroked_lines(data)[0])
        ((_, data),) = made(kind, theme, cut="marks")
        assert len(stroked_lines(data)[0]) == plain + 1


def test_backs_carry_no_cut_line(theme):
    entries = [
        replace(entry, back=replace(entry.scene, key="train:2:back")) for entry in PIECES["train"]
    ]
    options = PrintOptions(cut="spot", duplex="long")
    (document,) = impose("18XX", entries, theme=theme, options=options)
    front, back = stroked_lines(render_pdf(document, colour="cmyk"))
    assert any(spot for spot, _, _ in front)
    assert not any(spot for spot, _, _ in back)


def test_parts_of_a_map_show_their_part_of_the_line(theme):
    for document, data in made("map", theme, cut="spot"):
        pages = stroked_lines(data)
        if document.stem == "map-tiled":
            assert len(pages) > 1
        for lines in pages:
            assert any(spot for spot, _, _ in lines)


def test_labels_show_their_outlines_however_they_are_cut(theme):
    (document,) = impose(
        "18XX",
        PIECES["token"],
        theme=theme,
        options=PrintOptions(layouts=(("tokens", "circles"),), cut="none"),
    )
    (plain,) = impose("18XX", PIECES["token"], theme=theme, options=PrintOptions(cut="none"))
    circles, none = (stroked_lines(render_pdf(each))[0] for each in (document, plain))
    assert len(circles) == len(none) + 1


def test_a_spot_colour_of_the_theme_that_looks_otherwise_is_refused(theme):
    other = replace(theme, inks={**theme.inks, "gold": as_spot(theme.ink("tile.yellow"), "Gold")})
    with pytest.raises(ProblemsFound, match="SH06"):
        made("train", other, cut="spot", spot_name="Gold")
    assert made("train", other, cut="spot", spot_name="Knife")


def test_nested_pieces_show_their_outlines_where_marks_are_requested(theme):
    """Marks find no room between pieces that lie 2 mm apart."""
    shown = {}
    ruler = 104
    for cut in OPTIONS["cut"].choices:
        ((document, data),) = made("map-tile", theme, cut=cut)
        front = [points for _, _, points in stroked_lines(data)[0]]
        placed = sum(p.page == 1 for p in document.placements)
        shown[cut] = (
            max((len(points) for points in front if len(points) != ruler), default=0) == 13 * placed
        )
    assert shown == {"none": False, "marks": True, "lines": True, "spot": True}


@pytest.mark.parametrize("cut", ["lines", "spot"])
def test_no_line_runs_around_what_is_not_cut_out(cut, theme):
    """A checklist is read as it comes from the printer."""
    page = [piece("checklist", "checklist", card("checklist:checklist", 186, 254, bleed=0))]
    (made,) = impose("18XX", page, theme=theme, options=PrintOptions(cut=cut))
    data = render_pdf(made, colour="cmyk")
    assert b"Thru-cut" not in data
    assert "CutContour" not in all_objects(data)
    around = [
        line
        for lines in stroked_lines(data)
        for line in lines
        if len({point[0] for point in line[2]}) > 1
    ]
    assert [
        points
        for _, _, points in around
        if max(x for x, _ in points) - min(x for x, _ in points) > 180
    ] == []
