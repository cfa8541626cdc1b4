"""How sheets are made: stacks, and strokes that free every piece and cut none."""

from __future__ import annotations

import re
import subprocess

import pytest
from msgspec.structs import replace
from pdf_places import all_objects, stroked_lines
from sheet_pieces import card, disc, hexagon, piece, three_hexes

from platelayer.definitions.themes import load_theme
from platelayer.foundation.languages import Tongue
from platelayer.foundation.problems import ProblemsFound
from platelayer.imposition.impose import impose
from platelayer.imposition.making import Making, Stack, making_listing, stacks_of
from platelayer.imposition.paper import Box, Document, find_paper
from platelayer.imposition.plan import standard_plan
from platelayer.model.kinds import KINDS
from platelayer.model.options import OPTIONS, PrintOptions
from platelayer.pipeline.build import build, prepare
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.produce import lay_out
from platelayer.render.pdf import render_pdf
from platelayer.scene.inks import as_spot

LAYOUTS = {document.stem: document for document in standard_plan()}
EPS = 0.05
POSTERS = {"north": (300, 260), "south": (420, 300)}


def documents(title: str, **options: object) -> tuple[Document, ...]:
    ready = prepare(title, BuildOptions(**options))
    return lay_out(ready.job, ready.chosen)[0]


def close(one: Box, other: Box) -> bool:
    return all(abs(a - b) < EPS for a, b in zip(one, other, strict=True))


def freed(document: Document, stack: Stack) -> list[Box]:
    """The regions that a stack's strokes leave on the sheet, cut by a person who knows strips by the
    strokes on both sides of them."""
    page = document.pages[stack.page - 1].scene
    strips: list[tuple[tuple[int, int] | None, Box]] = [
        (None, (0.0, 0.0, page.width_mm, page.height_mm))
    ]
    number = 0
    for step in stack.steps:
        assert step.first == number + 1
        axis = 0 if step.way == "down" else 1
        named = [one for one in strips if one[0] in (step.between or (None,))]
        assert len(named) == step.strips
        for strip in named:
            strips.remove(strip)
            rest, before = strip[1], 0
            for number, at in enumerate(step.at_mm, step.first):
                # Places count from the near edge of the first of the strips, which stays.
                place = rest[axis] + at - step.region[axis]
                assert rest[axis] + EPS < place < rest[axis] + rest[axis + 2] - EPS
                far, near = [*rest], [*rest]
                far[axis], far[axis + 2] = place, rest[axis] + rest[axis + 2] - place
                near[axis + 2] = place - rest[axis]
                strips.append(((before, number), tuple(far)))
                rest, before = tuple(near), number
            strips.append(((before, 0), rest))
    return [region for _, region in strips]


@pytest.mark.parametrize(
    "title",
    [
        "18eu",
        pytest.param("1841", marks=pytest.mark.slow),
        pytest.param("1824", marks=pytest.mark.slow),
    ],
)
def test_strokes_free_every_card_and_cut_none(title: str) -> None:
    seen = 0
    for document in documents(title, only=("card", "notes", "upgrade-chart")):
        for stack in stacks_of(document, LAYOUTS["cards"].layout({"cards": "grid"})):
            regions = freed(document, stack)
            for sheet in stack.sheets:
                placed = [
                    one
                    for one in (*document.placements, *document.further)
                    if one.page == sheet and not one.parts
                ]
                for one in placed:
                    assert any(close(one.trim, region) for region in regions), one
                seen += len(placed)
                assert placed or stack.parts
    assert seen > 100


def test_each_sheet_is_in_one_stack_and_blanks_are_counted() -> None:
    (document,) = documents("18eu", only=("certificate",), layouts=(("certificates", "grid"),))
    layout = LAYOUTS["certificates"].layout({"certificates": "grid"})
    stacks = stacks_of(document, layout)
    sheets = [sheet for stack in stacks for sheet in stack.sheets]
    assert sorted(sheets) == [*range(1, len(document.pages) + 1)]
    places = max(
        sum(one.page == page for one in document.placements) for page in range(1, len(sheets) + 1)
    )
    assert sum(stack.blank for stack in stacks) == places * len(sheets) - len(document.placements)


def test_backs_are_no_sheets_of_their_own() -> None:
    layout = LAYOUTS["trains"].layout({"trains": "grid"})
    for duplex, pages in (("none", 1), ("long", 2)):
        (document,) = documents(
            "18eu", only=("train",), layouts=(("trains", "grid"),), duplex=duplex
        )
        sheets = [sheet for stack in stacks_of(document, layout) for sheet in stack.sheets]
        assert len(document.pages) == pages * len(sheets)


def test_hexes_in_rows_are_cut_along_lines() -> None:
    (document,) = documents("18eu", only=("tile",))
    layout = LAYOUTS["tiles"].layout({})
    (stack,) = stacks_of(document, layout)
    assert {step.way for step in stack.steps} == {"down", "rising", "falling"}
    # Two marks to a line.
    commands = [
        command
        for item in document.pages[0].scene.items
        for command in getattr(item, "commands", ())
        if getattr(item, "role", None) is not None and item.role.value == "mark"
    ]
    assert stack.outlines == 0
    assert stack.strokes == sum(command[0] == "M" for command in commands) / 2


def words_of(data: bytes) -> str:
    command = ["pdftotext", "-raw", "-", "-"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode()


def test_the_file_says_what_to_buy_and_numbers_the_strokes() -> None:
    options = {"only": ("train", "token", "map"), "making": True}
    printed = build("18eu", BuildOptions(**options))
    words = words_of(printed.files["making.pdf"])
    assert "Card of 250 to 300 g/m²" in words
    assert "trains.pdf, sheets" in words
    # The map comes as a poster and in parts: one of them is made.
    assert "map.pdf, instead of map-tiled.pdf, sheet 1" in words
    tokens = sum(piece.count for piece in prepare("18eu", BuildOptions(only=("token",))).chosen)
    assert f"Cut out {tokens} pieces" in words
    last = max(int(number) for number in re.findall(r"[–-](\d+) (?:down|across)", words))
    assert str(last) in words_of(printed.files["trains.pdf"]).split()
    assert {
        KINDS[piece.kind].sort for piece in prepare("18eu", BuildOptions(only=("label",))).chosen
    } == {
        "hexes",
        "discs",
    }


def test_sheets_of_one_document_keep_their_own_sizes() -> None:
    """A title may have several maps, each on a poster of its own size."""
    pieces = [piece("map", name, card(f"map:{name}", *size)) for name, size in POSTERS.items()]
    (document,) = (
        one for one in impose("18XX", pieces, theme=load_theme("classic")) if one.stem == "map"
    )
    layout = LAYOUTS["map"].layout({})
    stacks = stacks_of(document, layout)
    sides = [sorted((page.scene.width_mm, page.scene.height_mm)) for page in document.pages]
    assert [[*stack.size_mm] for stack in stacks] == sides
    making = Making(file="map.pdf", pieces=frozenset(), stacks=stacks)
    listing = making_listing([making], find_paper("a4"), Tongue("en"), ("Barlow-Regular",))
    for short, long in sides:
        assert f"1 × {short:.0f} × {long:.0f} mm (map.pdf)" in listing.entries[0].words


def test_sheets_cuts_and_stock_are_saved_as_requested() -> None:
    found = {}
    for optimise in (None, "sheets", "cuts", "stock"):
        (document,) = documents("18eu", only=("charter", "certificate", "train"), optimise=optimise)
        stacks = stacks_of(document, LAYOUTS["cards"].layout({"cards": "grid"}))
        kinds = [
            {one.kind for one in document.placements if one.page == page}
            for page in range(1, len(document.pages) + 1)
        ]
        sizes = [
            {tuple(sorted(one.trim[2:])) for one in document.placements if one.page == page}
            for page in range(1, len(document.pages) + 1)
        ]
        strokes = sum(stack.strokes for stack in stacks)
        found[optimise] = (len(document.pages), strokes, max(map(len, kinds)), max(map(len, sizes)))
    assert found["sheets"][0] == min(sheets for sheets, *_ in found.values())
    assert found["cuts"][1] == min(strokes for _, strokes, *_ in found.values())
    assert found["cuts"][3] == 1
    assert found["stock"][2] == 1
    assert found[None][0] <= found["sheets"][0] * 1.05
    assert found[None][1] <= found["sheets"][1]


def test_folded_sheets_are_cut_apart_from_flat_ones() -> None:
    (document,) = documents("18eu", only=("charter", "certificate"), duplex="fold", paper="letter")
    stacks = stacks_of(document, LAYOUTS["cards"].layout({"cards": "grid"}))
    for stack in stacks:
        for sheet in stack.sheets:
            assert (document.pages[sheet - 1].fold_mm is not None) == stack.folded
        if stack.folded:
            fold = document.pages[stack.page - 1].fold_mm or 0.0
            assert all(step.region[0] + step.region[2] <= fold + EPS for step in stack.steps)
            assert stack.strokes_at_home > stack.strokes
    assert sum(len(stack.sheets) for stack in stacks) == len(document.pages)


# Cut lines, read from the bytes: where they run, how often, in which ink, on which layer


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
