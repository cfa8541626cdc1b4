"""The pack of 18EU as it lies on disk: counts, boxes, fonts, size, and what outside programs say of
it."""

import csv
import hashlib
import json
import re
import subprocess
from collections import Counter
from itertools import product

import cairocffi as cairo
import pikepdf
import pytest

from facts_18eu import BOX
from often import often
from packs import build
from platelayer.definitions.themes import profile_ids
from platelayer.definitions.titles import load_title
from platelayer.foundation.geometry import PT_PER_MM
from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import title_ids
from platelayer.model.kinds import AIDS, KINDS, PLAIN
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.build import read_options
from platelayer.pipeline.draw import draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check, preflight, read_manifest
from platelayer.scene.shapes import rectangle_path
from shipped import shipped

PLAYERS = 6
"""Each has a two-sided aid (18EU: 2 to 6 players)."""
TILES = {
    "yellow": {"3": 8, "4": 10, "7": 4, "8": 15, "9": 15, "57": 8, "58": 14, "201": 7, "202": 9},
    "gray": {"513": 5},
}


@pytest.fixture(scope="session")
def built(pack):
    return pack.manifest


@pytest.fixture(scope="session")
def pdfs(pack):
    return sorted(pack.folder.glob("*.pdf"))


def test_what_is_placed_is_what_the_box_holds(built):
    laid = [entry for entry in built["placements"] if entry["file"] != "map-tiled.pdf"]
    placed = Counter(entry["kind"] for entry in laid if entry["face"] == "front")
    beside = Counter(entry["kind"] for entry in laid if entry["face"] == "back")
    assert beside == {"marker": BOX["marker/mountain"], "summary": PLAYERS}, (
        "the other sides of what has two"
    )
    for kind in (
        "tile",
        "train",
        "certificate",
        "charter",
        "number-card",
        "priority-card",
        "map",
        "market",
    ):
        assert placed[kind] == BOX[kind]
    totals = {key: count for key, count in built["totals"].items() if "/" not in key}
    assert placed == totals, "every piece once, however many pages it has"
    assert placed["token"] == BOX["token/station"] + BOX["token/market"]
    assert placed["marker"] == BOX["marker/mountain"] + BOX["marker/round"]
    tiles = Counter(entry["id"] for entry in built["placements"] if entry["kind"] == "tile")
    for counts in TILES.values():
        assert {number: tiles[number] for number in counts} == counts


def test_manifest_json_tells_the_truth_about_the_files(pack, built, pdfs):
    assert [path.name for path in pdfs] == sorted(entry["file"] for entry in built["files"])
    for entry in built["files"]:
        data = (pack.folder / entry["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        with pikepdf.open(pack.folder / entry["file"]) as pdf:
            assert len(pdf.pages) == entry["pages"]


def test_two_builds_give_the_same_bytes(pack, tmp_path):
    again = build("18eu", tmp_path, BuildOptions())
    assert [path.name for path in again.files] == [path.name for path in pack.files]
    for one, other in zip(pack.files, again.files, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def test_the_pack_is_small(pdfs):
    assert sum(path.stat().st_size for path in pdfs) <= 2_000_000


def test_every_page_has_its_own_boxes(pdfs):
    for path in pdfs:
        with pikepdf.open(path) as pdf:
            for page in pdf.pages:
                media, trim, bleed = (
                    [float(v) for v in page.obj[key]]
                    for key in ("/MediaBox", "/TrimBox", "/BleedBox")
                )
                assert media[0] <= bleed[0] <= trim[0] < trim[2] <= bleed[2] <= media[2]
                assert media[1] <= bleed[1] <= trim[1] < trim[3] <= bleed[3] <= media[3]


def test_placements_lie_within_the_page(pack, built):
    for name in {entry["file"] for entry in built["placements"]}:
        with pikepdf.open(pack.folder / name) as pdf:
            sizes = [
                [float(v) / PT_PER_MM for v in page.obj["/MediaBox"]][2:] for page in pdf.pages
            ]
        for entry in built["placements"]:
            if entry["file"] == name and name != "map-tiled.pdf":
                x, y, width, height = entry["trim_mm"]
                page_width, page_height = sizes[entry["page"] - 1]
                assert (
                    min(x, y, page_width + 0.01 - x - width, page_height + 0.01 - y - height) >= 0
                ), entry


def test_fonts_are_embedded_subsets(pdfs):
    for path in pdfs:
        rows = subprocess.run(
            ["pdffonts", path], capture_output=True, text=True, check=True
        ).stdout.splitlines()[2:]
        assert rows, path.name
        for row in rows:
            assert row.split()[-5:-2] == ["yes", "yes", "yes"], row
            assert row[6] == "+", row


def test_outside_programs_accept_every_file(pdfs):
    for path in pdfs:
        subprocess.run(["qpdf", "--check", path], capture_output=True, check=True)
        command = [
            *["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dPDFSTOPONWARNING", "-sDEVICE=nullpage"],
            path,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{path.name}: {done.stdout}{done.stderr}"
        assert not done.stderr, f"{path.name}: {done.stderr}"


def test_a_tile_measures_what_the_title_says(built):
    flat = [
        entry["trim_mm"]
        for entry in built["placements"]
        if entry["kind"] == "tile" and entry["rotation"] % 180 == 0
    ]
    turned = [
        entry["trim_mm"]
        for entry in built["placements"]
        if entry["kind"] == "tile" and entry["rotation"] % 180
    ]
    assert {round(box[3], 2) for box in flat} | {round(box[2], 2) for box in turned} == {38.1}


@pytest.mark.parametrize("paper", often(["letter", "a3"], "letter"))
def test_other_papers_hold_the_same_pieces(paper, built, tmp_path):
    result = build("18eu", tmp_path, BuildOptions(paper=paper))
    other = result.manifest

    def count(value):
        return Counter(
            (e["kind"], e["id"]) for e in value["placements"] if e["file"] != "map-tiled.pdf"
        )

    assert count(other) == count(built)


# Every title that ships: free of errors and warnings, printed in both languages on both papers,
# complete


VARIANTS = [
    (title, variant)
    for title in title_ids()
    for variant in (None, *(each.id for each in shipped(title).variants))
]


def counted(folder, shown):
    """What lies on the sheets, by kind and id: faces that are there once a piece."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    placed = Counter(
        (entry["kind"], entry["id"])
        for entry in manifest["placements"]
        if entry["face"] == shown and entry["file"] != "map-tiled.pdf"
    )
    return manifest, placed


@pytest.mark.parametrize(
    ("title", "quick"), often(product(title_ids(), [True, False]), *product(title_ids(), [True]))
)
def test_check_finds_nothing_but_notes(title, quick):
    assert [
        str(problem)
        for problem in check(title, quick=quick)
        if problem.severity is not Severity.NOTE
    ] == []


def texts(value):
    """Everything in a definition that is written in languages."""
    if isinstance(value, dict):
        return (
            [value] if "en" in value else [text for each in value.values() for text in texts(each)]
        )
    return [text for each in value for text in texts(each)] if isinstance(value, list) else []


@pytest.mark.parametrize(("title", "variant"), VARIANTS)
def test_every_text_is_in_english_and_japanese(title, variant):
    value = load_title(title, variant=variant).assembled.value
    found = texts(
        {block: each for block, each in value.items() if block != "terms"}
    )  # of which one language may do
    assert len(found) > 60
    for text in found:
        assert set(text) == {"en", "ja"}, text
        for words in text.values():  # no-break spaces keep figures with what they count
            assert words.replace("\N{NO-BREAK SPACE}", " ").isprintable()


@pytest.mark.parametrize(
    ("title", "language", "paper"),
    often(
        ((title, *way) for title in title_ids() for way in (("en", "a4"), ("ja", "letter"))),
        ("18cz", "en", "a4"),
    ),
)
def test_every_piece_of_the_box_is_printed(title, language, paper, tmp_path):
    result = build(title, tmp_path, read_options(None, {"language": language, "paper": paper}))
    wanted = read_manifest(title)
    manifest, placed = counted(result.folder, "front")
    assert manifest["totals"] == wanted.totals
    assert placed == {(piece.kind, piece.id): piece.count for piece in wanted.pieces}
    _, backs = counted(result.folder, "back")
    assert backs == {
        (piece.kind, piece.id): piece.count for piece in wanted.pieces if piece.back == "play"
    }


@pytest.mark.slow
@pytest.mark.parametrize(("title", "variant"), VARIANTS)
@pytest.mark.parametrize(("language", "paper"), [("en", "letter"), ("ja", "a4")])
def test_every_variant_prints_all_its_pieces_with_backs(title, variant, language, paper, tmp_path):
    given = {
        "variant": variant,
        "language": language,
        "paper": paper,
        "duplex": "long",
        "color": "cmyk",
        "cut": "spot",
    }
    result = build(title, tmp_path, read_options(None, given))
    wanted = read_manifest(title, variant=variant)
    _, placed = counted(result.folder, "front")
    assert placed == {(piece.kind, piece.id): piece.count for piece in wanted.pieces}
    _, backs = counted(result.folder, "back")
    behind = {(piece.kind, piece.id): piece.count for piece in wanted.pieces if piece.back}
    # Aids whose backs tell nothing may lie back to back, two to a card of two faces.
    aids = {
        (each.kind, each.id)
        for each in wanted.pieces
        if KINDS[each.kind].sort == AIDS and each.back == PLAIN
    }
    assert {key: backs[key] for key in backs.keys() - aids} == {
        key: behind[key] for key in behind.keys() - aids
    }
    assert all(backs[key] <= behind[key] for key in aids)
    assert sum(placed[key] + backs[key] for key in aids) % 2 == 0


# The packs as printers take them: every profile's files pass our preflight and the programs of
# others


PACKS = often(
    (
        (title, profile)
        for title in title_ids()
        for profile in profile_ids()
        if profile != "pictures"
    ),
)


def checked(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def packs(tmp_path_factory):
    """Packs by title and profile, each built once."""
    made = {}

    def pack(title, profile):
        if (title, profile) not in made:
            folder = tmp_path_factory.mktemp(f"{title}-{profile}")
            # A shop of hexes refuses map tiles, which it does not make.
            refuses = (title, profile) == ("lost-atlas", "thegamecrafter")
            given = {"without": ("map-tile", "overlay", "capital-project")} if refuses else {}
            made[title, profile] = build(title, folder, read_options(profile, given)).folder
        return made[title, profile]

    return pack


@pytest.mark.parametrize(("title", "profile"), PACKS)
def test_a_pack_passes_preflight_and_the_checkers_of_others(title, profile, packs):
    folder = packs(title, profile)
    files = sorted((*folder.glob("*.pdf"), *folder.glob("*/*.png")))
    assert files
    found = [
        str(problem)
        for problem in preflight(files, profile)
        if problem.severity is not Severity.NOTE
    ]
    assert found == []
    for path in folder.glob("*.pdf"):
        assert "No syntax or stream encoding errors" in checked("qpdf", "--check", path)
        words = checked(
            "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONWARNING", "-sDEVICE=nullpage", path
        )
        assert "Error" not in words


def test_what_a_shop_says_it_takes_is_what_the_files_say(tmp_path):
    for profile, release in (("offset", "PDF/X-4"), ("drivethrucards", "PDF/X-1a:2003")):
        options = read_options(profile, {"only": ("certificate", "train")})
        files = [*build("18eu", tmp_path / profile, options).folder.glob("*.pdf")]
        assert files
        for path in files:
            with pikepdf.open(path) as pdf:
                xmp = bytes(pdf.Root.Metadata.read_bytes()).decode()
                said = str(pdf.docinfo.get("/GTS_PDFXVersion", "")) or (
                    "PDF/X-4" if "PDF/X-4" in xmp else ""
                )
                assert said == release
                assert pdf.Root.OutputIntents[0].S == "/GTS_PDFX"
                assert pdf.pdf_version == ("1.6" if release == "PDF/X-4" else "1.4")


def test_what_is_left_out_is_said(packs):
    manifest = json.loads(
        (packs("18eu", "drivethrucards") / "manifest.json").read_text(encoding="utf-8")
    )
    kinds = {entry["kind"] for entry in manifest["placements"]}
    assert {
        "certificate",
        "train",
        "number-card",
        "priority-card",
        "summary",
        "phase-card",
    } <= kinds
    assert not kinds & {"map", "tile", "charter", "token"}


# Card shops make every card of every title


SHOPS = ("drivethrucards", "makeplayingcards", "thegamecrafter")
CARDS = tuple(kind.id for kind in KINDS.values() if kind.is_card)
SHOP_PACKS = often(product(title_ids(), SHOPS, ("en", "ja")))


@pytest.mark.parametrize(("title", "shop", "language"), SHOP_PACKS)
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
