"""The pack of 18EU as it lies on disk: counts, boxes, fonts, size, and what outside programs say of
it."""

import hashlib
import subprocess
from collections import Counter

import pikepdf
import pytest

from facts_18eu import BOX
from often import often
from packs import build
from platelayer.foundation.geometry import PT_PER_MM
from platelayer.pipeline.job import BuildOptions

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
