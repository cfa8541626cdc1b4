"""Card shops make every card of every title."""

import csv
import re
from collections import Counter
from itertools import product

import cairocffi as cairo
import pikepdf
import pytest

from often import often
from packs import build
from platelayer.foundation.resources import title_ids
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.build import read_options
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.scene.shapes import rectangle_path
from shipped import shipped

SHOPS = ("drivethrucards", "makeplayingcards", "thegamecrafter")
CARDS = tuple(kind.id for kind in KINDS.values() if kind.is_card)
PACKS = often(product(title_ids(), SHOPS, ("en", "ja")))


@pytest.mark.parametrize(("title", "shop", "language"), PACKS)
def test_a_shop_makes_every_card(title, shop, language, tmp_path):
    options = read_options(shop, {"only": CARDS, "language": language})
    manifest = build(title, tmp_path, options).manifest
    # Abilities that do not fit a shop's card stand on aids of their own.
    made = [
        (each["kind"], each["id"])
        for each in manifest["placements"]
        if each["face"] == "front" and not each["id"].startswith("in-full")
    ]
    box = [piece for piece in build_manifest(shipped(title)).pieces if piece.kind in CARDS]
    assert sorted(made) == sorted(
        (piece.kind, piece.id) for piece in box for _ in range(piece.count)
    )


@pytest.mark.parametrize("shop", SHOPS)
def test_a_card_that_a_shop_does_not_make_stops_the_build(platelayer, shop, tmp_path):
    words = ["build", "18eu", "--pieces", "train:2", "--profile", shop, "--size", "train=100x100mm"]
    done = platelayer(*words, "-o", "out")
    assert done.returncode == 1
    assert re.search("SH08 .* does not make train pieces of 100 x 100 mm", done.stderr)
    assert not [*tmp_path.iterdir()]


def test_a_shop_of_hexes_refuses_map_tiles_in_one_line(platelayer, tmp_path):
    words = ["build", "lost-atlas", "--pieces", "map-tile:1,capital-project:*"]
    done = platelayer(*words, "--profile", "thegamecrafter", "-o", "out")
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if "SH08" in line]
    assert "does not make pieces of several hexes" in line
    assert "--without map-tile,overlay,capital-project" in line
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("title", ["18eu", "lost-atlas"])
@pytest.mark.parametrize("profile", ["home", "thegamecrafter"])
def test_tiles_wider_than_their_hexes_are_an_error_in_every_print(
    platelayer, title, profile, tmp_path
):
    words = ["build", title, "--only", "tile", "--profile", profile, "--size", "tile=60"]
    done = platelayer(*words, "-o", "out")
    assert done.returncode == 1
    assert "error PC07 tiles of 60 mm do not fit the hexes of map" in done.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_a_map_lies_on_boards_of_the_shop_side_by_side(tmp_path):
    options = read_options("thegamecrafter", {"only": ("map", "tile", "upgrade-chart")})
    pack = build("18eu", tmp_path, options)
    lines = (pack.folder / "order.csv").read_text(encoding="utf-8").splitlines()
    order = {row["product"]: row for row in csv.DictReader(lines)}
    # The map of 603 x 593 mm needs two mats of 609.6 x 355.6 mm, the chart two sheets.
    assert (order["MediumGameMat"]["designs"], order["MediumGameMat"]["pieces"]) == ("2", "2")
    assert order["LargeSquareMat"]["designs"] == "2"
    assert order["SmallHexTile"]["pieces"] == "191"
    # Where they meet, each shows what the other shows: 1 mm on both sides of the seam.
    parts = [pack.folder / "MediumGameMat" / f"map-main-front{end}.png" for end in ("", "-2")]
    first, second = (cairo.ImageSurface.create_from_png(str(path)) for path in parts)
    both_bleeds = round(2 * 3.175 / 25.4 * 300)

    def row(surface, y):
        start = y * surface.get_stride()
        return bytes(surface.get_data())[start : start + 4 * surface.get_width()]

    for y in range(10, both_bleeds - 10, 6):
        upper, lower = row(first, first.get_height() - both_bleeds + y), row(second, y)
        unlike = sum(abs(a - b) > 8 for a, b in zip(upper, lower, strict=True))
        assert unlike < len(upper) / 500


def test_a_publisher_gets_each_piece_once_with_its_die_line_under_the_names_of_the_shop(tmp_path):
    given = {"pieces": ("train:2", "tile:57"), "spot_name": "Dieline", "spot_layer": "Die line"}
    pack = build("18eu", tmp_path, read_options("publisher", given))
    folder, manifest = pack.folder, pack.manifest
    assert [(entry["file"], entry["pages"]) for entry in manifest["files"]] == [
        ("tile.pdf", 2),
        ("train.pdf", 2),
    ]
    counts = {piece.key: piece.count for piece in build_manifest(shipped("18eu")).pieces}
    fronts = [entry for entry in manifest["placements"] if entry["face"] == "front"]
    assert len(fronts) == counts["train:2"] + counts["tile:57"]
    with pikepdf.open(folder / "train.pdf") as pdf:
        assert str(pdf.Root.OCProperties.OCGs[0].Name) == "Die line"
        page = pdf.pages[1]
        trim, bleed = ([float(side) for side in page.obj[key]] for key in ("/TrimBox", "/BleedBox"))
        assert trim[0] - bleed[0] == pytest.approx(3 * 72 / 25.4, abs=0.01)
        assert bleed == [float(side) for side in page.obj["/MediaBox"]]
        spaces = [str(space[1]) for space in page.obj["/Resources"]["/ColorSpace"].values()]
        assert spaces == ["/Dieline"]
    assert not (folder / "order.csv").exists()


def test_a_maker_of_punchboards_gets_boards_and_their_die(tmp_path):
    given = {
        "pieces": ("tile:57", "token:*", "marker:*"),
        "spot_name": "Dieline",
        "spot_layer": "Die line",
    }
    pack = build("18eu", tmp_path, read_options("punchboard", given))
    folder, manifest = pack.folder, pack.manifest
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "manifest.json",
        "punchboards.pdf",
        "punchboards-die.pdf",
        "punchboards-die-1.svg",
        "punchboards-die-1.dxf",
    }
    svg = (folder / "punchboards-die-1.svg").read_text(encoding="utf-8")
    front = Counter(entry["kind"] for entry in manifest["placements"] if entry["page"] == 1)
    assert Counter(re.findall(r'<path id="([a-z]+)', svg)) == front + Counter(board=1)
    assert not any(entry["file"] == "punchboards-die" for entry in manifest["placements"])


def test_what_is_white_at_its_edges_is_white_beyond_them_for_a_publisher(tmp_path):
    folder = build("18eu", tmp_path, read_options("publisher", {"only": ("checklist",)})).folder
    with pikepdf.open(folder / "checklist.pdf") as pdf:
        trim, bleed = (
            [float(side) for side in pdf.pages[0].obj[key]] for key in ("/TrimBox", "/BleedBox")
        )
    assert trim[0] - bleed[0] == pytest.approx(3 * 72 / 25.4, abs=0.01)


def test_cards_with_round_corners_are_cut_and_shown_so(tmp_path):
    given = {"pieces": ("train:2", "tile:57"), "corner_mm": 3.0}
    folder = build("18eu", tmp_path, read_options("publisher", given)).folder
    curves = {}
    for kind in ("train", "tile"):
        with pikepdf.open(folder / f"{kind}.pdf") as pdf:
            listed = [str(found.operator) for found in pikepdf.parse_content_stream(pdf.pages[1])]
            curves[kind] = listed.count("c")
    assert curves == {"train": 4, "tile": 0}
    picture = draw("18eu", "train:2", BuildOptions(corner_mm=3.0))
    assert picture.scene.outline == rectangle_path(
        0, 0, picture.scene.width_mm, picture.scene.height_mm, 3
    )
    assert (
        draw("18eu", "tile:57", BuildOptions(corner_mm=3.0)).svg() == draw("18eu", "tile:57").svg()
    )
