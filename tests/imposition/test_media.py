"""Media of the catalogue: each is printed once, and the PDF is measured."""

import json
import math
from io import BytesIO

import pikepdf
import pytest
from pdf_places import placed_forms
from sheet_pieces import card, disc, hexagon, piece

from platelayer.definitions.source import read_checked
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import asset_path
from platelayer.imposition.impose import impose
from platelayer.imposition.paper import MEDIA, catalogue, find_medium, find_paper
from platelayer.imposition.plan import on_places, standard_plan
from platelayer.pipeline.job import BuildOptions
from platelayer.render.pdf import render_pdf
from platelayer.scene.shapes import apply

FILES = {file: json.loads(asset_path("media", f"{file}.json").read_bytes()) for file in MEDIA}
PLACES = {
    medium: entry["places"]
    for file in ("labels", "dies")
    for medium, entry in FILES[file]["media"].items()
}
NEAR_MM = 0.1
POINT_MM = 25.4 / 72


def printed(medium, count, theme, **how):
    """The PDF of that many pieces, as large as the places of a medium."""
    width, height = PLACES[medium]["size_mm"]
    is_hex = abs(width / height - 2 / 3**0.5) < 0.01
    scene = hexagon("tile:57", height) if is_hex else card("train:A", width, height)
    options = BuildOptions(media=medium, duplex="none", **how)
    plan = on_places(standard_plan(), find_medium(medium))
    pieces = [piece(scene.key.partition(":")[0], "A", scene, count)]
    (document,) = impose("Test", pieces, theme=theme, options=options, plan=plan)
    return scene, render_pdf(document)


def measured(pdf, scene):
    """Boxes of the pieces on each page, in mm from the upper left, as the PDF has them."""
    pages = []
    for forms in placed_forms(pdf):
        boxes = []
        # The foot of the sheet comes last.
        for name, matrix in forms:
            if name != forms[0][0]:
                continue
            corners = [apply(matrix, at) for at in ((0, 0), (scene.width_mm, scene.height_mm))]
            (left, right), (top, bottom) = (sorted(axis) for axis in zip(*corners, strict=True))
            boxes.append((left, top, right - left, bottom - top))
        pages.append(boxes)
    return pages


def stated(medium):
    """Boxes of the places by the file, row by row."""
    entry = PLACES[medium]
    (x, y), (width, height), (across, down) = entry["first_mm"], entry["size_mm"], entry["pitch_mm"]
    short = entry.get("short_columns", False)
    return [
        (
            x + column * across,
            y + (row + (0.5 if short and column % 2 else 0)) * down,
            width,
            height,
        )
        for row in range(entry["rows"])
        for column in range(entry["columns"])
        if not (short and column % 2 and row == entry["rows"] - 1)
    ]


@pytest.mark.parametrize("file", MEDIA)
def test_files_follow_the_schema_and_say_their_source(file):
    assert len(read_checked(asset_path("media", f"{file}.json"), "media").value["source"]) > 40
    names = [name for medium in catalogue().values() for name in (medium.id, *medium.equal)]
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.slow
@pytest.mark.parametrize("medium", PLACES)
def test_every_place_is_where_the_catalogue_has_it(medium, theme):
    boxes = stated(medium)
    scene, pdf = printed(medium, len(boxes) + 1, theme)
    first, second = measured(pdf, scene)
    assert len(second) == 1
    left = [*boxes]
    for box in first:
        nearest = min(left, key=lambda place: math.dist(place, box))
        assert box == pytest.approx(nearest, abs=NEAR_MM)
        left.remove(nearest)
    assert left == []
    paper = find_paper(PLACES[medium]["paper"])
    with pikepdf.open(BytesIO(pdf)) as opened:
        for page in opened.pages:
            width, height = (float(side) * POINT_MM for side in page.mediabox[2:])
            assert (width, height) == pytest.approx((paper.width_mm, paper.height_mm), abs=NEAR_MM)
    assert all(
        min(x, y) >= -0.01 and x + w <= paper.width_mm + 0.01 and y + h <= paper.height_mm + 0.01
        for x, y, w, h in boxes
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "medium", [name for name, one in catalogue().items() if one.size_mm and one.kind != "sleeve"]
)
def test_every_paper_and_area_is_a_page(medium, theme):
    options = BuildOptions(media=medium)
    pieces = [piece("train", "A", card("train:A", 67, 44), 3)]
    (document,) = impose("Test", pieces, theme=theme, options=options)
    with pikepdf.open(BytesIO(render_pdf(document))) as opened:
        (page,) = opened.pages
        sides = sorted(float(side) * POINT_MM for side in page.mediabox[2:])
    assert sides == pytest.approx(sorted(catalogue()[medium].size_mm), abs=NEAR_MM)


def test_a_half_used_sheet_of_labels_is_used_from_its_next_label(theme):
    scene, pdf = printed("avery-L7160", 20, theme, start_at=5)
    first, second = measured(pdf, scene)
    rows = stated("avery-L7160")
    for box, place in zip(sorted(first, key=lambda box: box[1::-1]), rows[4:], strict=True):
        assert box == pytest.approx(place, abs=NEAR_MM)
    # The next sheet is a new one.
    assert [box[:2] for box in sorted(second, key=lambda box: box[1::-1])] == [
        pytest.approx(place[:2], abs=NEAR_MM) for place in rows[:3]
    ]


def test_pieces_of_several_kinds_share_sheets_of_labels(theme):
    pieces = [
        piece("token", "A", disc("token:A", 14), 3),
        piece("train", "2", card("train:2", 34, 20), 2),
    ]
    options = BuildOptions(media="avery-L7651", start_at=64)
    plan = on_places(standard_plan(), find_medium("avery-L7651"))
    (document,) = impose("Test", pieces, theme=theme, options=options, plan=plan)
    assert document.stem == "labels"
    assert [placed.page for placed in document.placements] == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("words", ["AVERY-l7160", "avery-j8160", " avery-7160 "])
def test_a_medium_has_several_names_in_any_case(words):
    assert find_medium(words).id == "avery-L7160"
    assert (BuildOptions(media=words).paper, BuildOptions(media=words).media) == (
        "a4",
        "avery-L7160",
    )


def test_media_decide_paper_and_marks():
    assert BuildOptions(media="13x19in").paper == "13x19in"
    assert find_paper("13x19in") == find_paper("13X19in").turned.turned
    assert BuildOptions(media="cameo-5-alpha").register == "silhouette"
    assert BuildOptions(media="cricut-a4").paper == "cricut-a4"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"media": "avery-L7160", "start_at": 22}, "avery-L7160 has 21 places"),
        ({"start_at": 2}, "name the sheet of labels with media"),
        ({"media": "sleeve-mini-euro"}, "cannot be printed on"),
    ],
)
def test_impossible_media_are_one_clear_line(given, words):
    with pytest.raises(CannotRun, match=words):
        BuildOptions(**given)


def test_an_unknown_medium_has_a_suggestion():
    with pytest.raises(ProblemsFound, match=r"(?i)avery-l7160"):
        BuildOptions(media="averyl7160")


def test_the_command_lists_and_filters(platelayer):
    assert "avery-L7160" in platelayer("media").stdout
    lines = platelayer("media", "labels", "7160").stdout.splitlines()
    assert len(lines) == 1
    assert "21 of 63.5 x 38.1 mm on a4" in lines[0]
    rows = json.loads(platelayer("media", "product", "hex", "--format", "json").stdout)["media"]
    assert {"thegamecrafter:SmallHexTile"} <= {row["id"] for row in rows}
    assert all(row["kind"] == "product" for row in rows)
    done = platelayer("media", "nothing-like-it")
    assert (done.returncode, done.stdout) == (2, "")
