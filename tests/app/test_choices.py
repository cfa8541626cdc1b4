"""What a print may be asked for: which pieces, how many, of what size, only what has changed, and
for which shop."""

import csv
import io
import json
import os
import shutil
import struct
import subprocess
from collections import Counter
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from packs import build
from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.build import read_options
from platelayer.pipeline.job import read_printed_pieces
from shipped import shipped

MM = 72 / 25.4


def make(folder, title="18eu", profile=None, **given):
    """A print, its result and its manifest.json."""
    result = build(title, folder, read_options(profile, given))
    return result, json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))


def placed(manifest, face="front"):
    return Counter(
        f"{entry['kind']}:{entry['id']}"
        for entry in manifest["placements"]
        if entry["face"] == face
    )


def test_only_what_so_many_players_need(tmp_path):
    _, manifest = make(
        tmp_path, only=("number-card", "summary", "phase-card", "priority-card"), players=3
    )
    counts = placed(manifest)
    assert {key for key in counts if key.startswith("number")} == {
        "number-card:1",
        "number-card:2",
        "number-card:3",
    }
    assert counts["summary:play"] == 3
    # One each of the summaries that every player has, and the one that is there once for the
    # set-up.
    assert {count for key, count in counts.items() if key.startswith("summary")} == {1, 3}
    assert counts["priority-card:priority"] == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"pieces": ("tile:5x",)}, "no piece 'tile:5x'"),
        ({"pieces": ("trian:*",)}, "no piece"),
        ({"only": ("tiles",)}, 'did you mean "tile"'),
        ({"players": 9}, "for 2 to 6 players"),
    ],
)
def test_what_does_not_exist_is_one_clear_line(given, told, tmp_path):
    with pytest.raises(CannotRun) as raised:
        make(tmp_path, **given)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "18eu").exists()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"sizes": (("train", "pokr"),)}, "SH07"),
        ({"sizes": (("market", "63x88"),)}, "SH07"),
        ({"sizes": (("train", "63"),)}, "SH07"),
        ({"sizes": (("tile:999", "40"),)}, "SH07"),
        ({"sizes": (("tile", "2000"),)}, "SH07"),
        ({"layouts": (("tiles", "dye"),)}, "SH04"),
        ({"poster": "a3"}, "SH01"),
        ({"poster": "a33"}, "SH02"),
        ({"spot_name": "Cyan"}, "SH06"),
    ],
)
def test_what_makes_no_sense_is_a_problem_and_leaves_nothing_behind(given, code, tmp_path):
    with pytest.raises(ProblemsFound, match=code):
        make(tmp_path, only=("tile", "map", "train"), **given)
    assert not (tmp_path / "18eu").exists()


@pytest.mark.parametrize(
    ("kind", "size", "wanted"),
    [
        ("train", "poker", (88, 63)),
        ("number-card", "poker", (63, 88)),
        ("certificate", "3.5x2.5in", (88.9, 63.5)),
        ("token", "12.7", (12.7, 12.7)),
        ("tile", "38.5", (44.456, 38.5)),
        ("charter", "150x110mm", (150, 110)),
    ],
)
def test_pieces_of_another_size(kind, size, wanted, tmp_path):
    _, manifest = make(tmp_path, only=(kind,), sizes=((kind, size),))
    boxes = {
        tuple(sorted(round(length, 1) for length in entry["trim_mm"][2:]))
        for entry in manifest["placements"]
    }
    assert boxes == {tuple(sorted(round(length, 1) for length in wanted))}


OWN = ("tile", "train", "number-card")


@pytest.fixture
def own(tmp_path):
    """A copy of 18EU that may be changed, and its first print."""
    folder = tmp_path / "own"
    shutil.copytree(asset_path("titles", "18eu"), folder)
    _, manifest = make(tmp_path / "first", str(folder), only=OWN)
    path = tmp_path / "first" / "18eu" / "manifest.json"
    return folder, path, manifest


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def again(tmp_path, folder, since, **given):
    return make(tmp_path / "again", str(folder), only=OWN, since=str(since), **given)


def test_nothing_changed_is_nothing_printed(own, tmp_path):
    folder, since, first = own
    result, manifest = again(tmp_path, folder, since)
    assert result.changes == ()
    assert manifest["files"] == []
    assert manifest["pieces"] == first["pieces"]
    assert (result.folder / "changes.txt").read_text() == "Nothing has changed.\n"


def test_only_what_changed_is_printed_and_named_to_throw_away(own, tmp_path):
    folder, since, first = own
    tiles = json.loads((folder / "tiles.json").read_text(encoding="utf-8"))
    trains = (folder / "trains.json").read_text(encoding="utf-8")
    assert tiles["tiles"]["57"] == 8
    tiles["tiles"]["57"], tiles["tiles"]["9"] = 11, 13
    (folder / "tiles.json").write_text(json.dumps(tiles), encoding="utf-8")
    (folder / "trains.json").write_text(
        trains.replace('"price": 100', '"price": 110', 1), encoding="utf-8"
    )
    pieces = json.loads((folder / "pieces.json").read_text(encoding="utf-8"))
    del pieces["pieces"]["box"]
    pieces["pieces"]["number_cards"].remove(6)
    (folder / "pieces.json").write_text(json.dumps(pieces), encoding="utf-8")
    result, manifest = again(tmp_path, folder, since)
    found = {change.key: change for change in result.changes}
    assert (found["tile:57"].what, found["tile:57"].to_print, found["tile:57"].to_throw_away) == (
        "more",
        3,
        0,
    )
    assert (found["tile:9"].what, found["tile:9"].to_throw_away) == ("fewer", 2)
    assert (found["number-card:6"].what, found["number-card:6"].to_throw_away) == ("gone", 1)
    changed = [change for change in result.changes if change.what == "changed"]
    assert [change.key for change in changed] == ["train:2"]
    assert placed(manifest) == {"tile:57": 3, "train:2": changed[0].to_print}
    words = (result.folder / "changes.txt").read_text()
    assert "throw away 2" in words
    # The new manifest knows all pieces: a third print starts from there.
    third, _ = again(tmp_path, folder, result.folder / "manifest.json")
    assert third.changes == ()
    assert len(manifest["pieces"]) == len(first["pieces"]) - 1


def test_what_was_not_asked_for_is_neither_gone_nor_forgotten(own, tmp_path):
    folder, since, first = own
    trains = (folder / "trains.json").read_text(encoding="utf-8")
    (folder / "trains.json").write_text(
        trains.replace('"price": 100', '"price": 110', 1), encoding="utf-8"
    )
    result, manifest = make(
        tmp_path / "some", str(folder), since=str(since), pieces=("train:2", "tile:57")
    )
    assert [(change.key, change.what) for change in result.changes] == [("train:2", "changed")]
    assert [(e["kind"], e["id"]) for e in manifest["pieces"]] == [
        (e["kind"], e["id"]) for e in first["pieces"]
    ]
    rest, _ = again(tmp_path, folder, result.folder / "manifest.json")
    assert rest.changes == ()


PIECE = {"kind": "train", "id": "2", "count": 15, "front": "0" * 64}


def since(folder, **change):
    """A print since a manifest.json in which something is other than it should be."""
    value = {
        "format": "platelayer.build/1",
        "title": "18eu",
        "files": [],
        "pieces": [PIECE],
    } | change
    path = folder / "before.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return make(folder, pieces=("train:2",), since=str(path))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"format": "platelayer.build/2"},
            r'before.json:1:12 error SC04 "platelayer.build/2" is not "platelayer.build/1"',
        ),
        ({"title": "\x1b[2J"}, r"SC04 .*u001b\[2J"),
        ({"pieces": [3]}, r"SC01 3 is not an object"),
        ({"pieces": [PIECE | {"count": "15"}]}, r"SC01 .* \(hint: write 15 without quotes\)"),
        ({"pieces": [PIECE | {"count": -1}]}, "SC04 -1 is too small"),
        ({"pieces": [PIECE | {"id": "2\x1b[31m"}]}, "SC04 .* none of them a control character"),
        ({"pieces": [PIECE | {"id": "2\x9b31m"}]}, "SC04"),
        ({"pieces": [PIECE | {"id": "\ud800"}]}, "JS04 half of a surrogate pair"),
        ({"pieces": [PIECE | {"kind": "tr\nain"}]}, "SC04"),
        (
            {"pieces": [{"kind": "train", "id": "2", "count": 15}]},
            'SC03 the key "front" is missing',
        ),
        ({"pieces": [PIECE | {"back": "none"}]}, "SC04 .* 64 hexadecimal digits"),
        ({"more": 1}, "SC02"),
    ],
)
def test_since_a_manifest_with_a_fault_in_it(change, told, tmp_path):
    with pytest.raises(ProblemsFound, match=told):
        since(tmp_path, **change)
    assert not (tmp_path / "18eu").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (b"", "JS01"),
        (b"[]", "SC01"),
        (b"\xff", "JS04"),
        (b"[" * 10**6, "JS03"),
        (b" " * 10**7, "JS03"),
    ],
)
def test_since_something_else(words, code, tmp_path):
    (tmp_path / "other.json").write_bytes(words)
    with pytest.raises(ProblemsFound, match=f"other.json.* {code} "):
        make(tmp_path, only=("train",), since=str(tmp_path / "other.json"))


@pytest.mark.parametrize("path", ["nowhere.json", "/dev/zero", ".", "pipe"])
def test_since_nothing_that_can_be_read(path, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ProblemsFound, match="FI01"):
        make(tmp_path, only=("train",), since=str(tmp_path / path))


def test_since_another_title(tmp_path):
    with pytest.raises(CannotRun, match=r"since: .*before.json belongs to 1830, not to 18eu"):
        since(tmp_path, title="1830")


def test_since_names_of_pieces_cannot_steer_a_terminal_or_a_viewer(tmp_path):
    """What is no control character may yet turn the direction of writing."""
    result, _ = since(tmp_path, pieces=[PIECE | {"id": "2\u202egnp.exe"}])
    words = (result.folder / "changes.txt").read_text(encoding="utf-8")
    assert "train:2\\u202egnp.exe" in words
    assert all(line.isprintable() for line in words.splitlines())


@pytest.mark.parametrize("title", title_ids())
def test_every_manifest_written_is_one_that_can_be_read(title, tmp_path):
    """All pieces of a title, by their ids; without what takes long to draw."""
    manifest = build_manifest(load_title(title).title)
    value = {
        "format": "platelayer.build/1",
        "title": title,
        "variant": None,
        "options": {},
        "files": [],
        "totals": {},
    }
    value["pieces"] = [
        {"kind": p.kind, "id": p.id, "count": p.count, "front": "0" * 64} for p in manifest.pieces
    ]
    (tmp_path / "manifest.json").write_text(
        json.dumps(value | {"placements": []}), encoding="utf-8"
    )
    assert list(read_printed_pieces(tmp_path / "manifest.json", title)) == [
        piece.key for piece in manifest.pieces
    ]


def test_cards_for_a_shop_are_back_then_front_on_pages_of_trim_and_bleed(tmp_path):
    result, manifest = make(tmp_path, profile="drivethrucards", only=("train", "tile"))
    (deck,) = list(manifest["files"])
    assert {problem.code for problem in result.problems} == {"SH08"}
    assert placed(manifest) == placed(manifest, "back")
    assert sum(placed(manifest).values()) == 45
    assert [entry["face"] for entry in manifest["placements"]] == ["back", "front"] * 45
    assert [entry["page"] for entry in manifest["placements"]] == list(range(1, 91))
    # Turned over like the page of a book, a card that lies sideways has its back the other way
    # round.
    assert [entry["rotation"] for entry in manifest["placements"]] == [270, 90] * 45
    with pikepdf.open(result.folder / deck["file"]) as pdf:
        assert len(pdf.pages) == 90
        for page in pdf.pages:
            width, height = float(page.mediabox[2]) / MM, float(page.mediabox[3]) / MM
            assert (width, height) == pytest.approx((63 + 6.35, 88 + 6.35), abs=0.01)
            trim = [float(side) / MM for side in page.trimbox]
            assert (trim[2] - trim[0], trim[3] - trim[1]) == pytest.approx((63, 88), abs=0.01)


def test_a_shop_that_can_make_nothing_of_it_is_an_error(tmp_path):
    with pytest.raises(ProblemsFound, match="SH08"):
        make(tmp_path, profile="drivethrucards", only=("map", "market"))
    assert not (tmp_path / "18eu").exists()


def test_pictures_for_a_shop_have_its_pixels(tmp_path):
    result, manifest = make(
        tmp_path,
        profile="thegamecrafter",
        pieces=("train:2", "tile:57", "token:BNR", "market"),
    )
    sizes = {}
    for entry in manifest["files"]:
        data = (result.folder / entry["file"]).read_bytes()
        sizes[entry["file"]] = struct.unpack(">II", data[16:24])
        at = data.index(b"pHYs") + 4
        assert struct.unpack(">I", data[at : at + 4])[0] == round(300 / 0.0254)
    assert (
        sizes["PokerDeck/train-2-front.png"] == sizes["PokerDeck/train-2-back.png"] == (825, 1125)
    )
    assert sizes["SmallHexTile/tile-57-front.png"] == (675, 600)
    assert sizes["SmallCircleChit/token-BNR-front.png"] == (225, 225)
    assert sizes["BigMat/market-market-front.png"] == (3075, 4875)


def test_a_shop_gets_an_order_list_without_quantities_and_prices(tmp_path):
    result, manifest = make(
        tmp_path, profile="thegamecrafter", pieces=("train:2", "train:3", "tile:57")
    )
    rows = list(
        csv.DictReader(io.StringIO((result.folder / "order.csv").read_text(encoding="utf-8")))
    )
    counts = {piece.key: piece.count for piece in build_manifest(shipped("18eu")).pieces}
    assert [(row["product"], row["designs"], row["pieces"]) for row in rows] == [
        ("PokerDeck", "2", str(counts["train:2"] + counts["train:3"])),
        ("SmallHexTile", "1", str(counts["tile:57"])),
    ]
    assert (rows[0]["name"], rows[0]["width_mm"], rows[0]["height_mm"]) == (
        "Poker cards",
        "63.5",
        "88.9",
    )
    assert all(row[column] == "" for row in rows for column in ("quantity", "price", "total"))
    assert [report["file"] for report in manifest["reports"]] == ["order.csv"]


@pytest.mark.parametrize(
    ("profile", "made"), [("drivethrucards", True), ("pictures", False), ("home", False)]
)
def test_only_shops_with_products_get_an_order_list(profile, made, tmp_path):
    result, _ = make(tmp_path, profile=profile, pieces=("train:2",))
    assert (result.folder / "order.csv").exists() is made


def test_pictures_show_every_page_of_a_checklist_on_paper(tmp_path):
    result, manifest = make(tmp_path, profile="pictures", only=("checklist",))
    names = sorted(entry["file"] for entry in manifest["files"])
    assert names == [
        "checklist/checklist-checklist-front-2.png",
        "checklist/checklist-checklist-front.png",
    ]
    assert {entry["face"] for entry in manifest["placements"]} == {"front"}
    assert result.pieces == 1
    for name in names:
        with Image.open(result.folder / name) as picture:
            assert picture.convert("RGBA").getpixel((20, picture.height - 20)) == (
                255,
                255,
                255,
                255,
            )


def test_a_later_print_takes_away_what_an_earlier_one_left(tmp_path):
    make(tmp_path, profile="thegamecrafter", pieces=("train:2",))
    assert (tmp_path / "18eu" / "PokerDeck").is_dir()
    since = str(tmp_path / "18eu" / "manifest.json")
    result, manifest = make(tmp_path, pieces=("train:2",), since=since)
    left = {path.name for path in result.folder.rglob("*")}
    assert left == {"changes.txt", "trains.pdf", "manifest.json"}
    assert [each["file"] for each in manifest["reports"]] == ["changes.txt"]
    make(tmp_path, pieces=("train:2",))
    left = {path.relative_to(tmp_path / "18eu") for path in (tmp_path / "18eu").rglob("*")}
    assert left == {Path("trains.pdf"), Path("manifest.json")}


@pytest.mark.parametrize(
    "given", [{"color": "cmyk", "cut": "spot", "duplex": "long"}, {"profile": "drivethrucards"}]
)
def test_same_words_same_bytes(given, tmp_path):
    prints = [
        make(tmp_path / name, only=("train", "token"), **given)[1]["files"] for name in ("a", "b")
    ]
    assert prints[0] == prints[1]


@pytest.mark.slow
def test_colour_reaches_the_edge_of_the_bleed(tmp_path):
    """Rendered: just inside the BleedBox there is as much ink as just inside the trim, on every
    side of every card."""
    result, _ = make(tmp_path, profile="drivethrucards", pieces=("train:*",))
    pdf = next(result.folder.glob("*.pdf"))
    subprocess.run(["pdftoppm", "-r", "100", "-gray", str(pdf), str(tmp_path / "page")], check=True)
    pages = sorted(tmp_path.glob("page*.pgm"))
    assert len(pages) == 90
    for path in pages[::7]:
        width, height, rows = _gray(path.read_bytes())
        middle_row, middle_column = rows[height // 2], [row[width // 2] for row in rows]
        for line in (middle_row, middle_row[::-1], middle_column, middle_column[::-1]):
            assert min(line[1:10]) < 254 or max(line[14:20]) >= 250


def _gray(data):
    """Width, height and rows of a binary PGM."""
    _, size, _, pixels = data.split(b"\n", 3)
    width, height = map(int, size.split())
    return width, height, [pixels[row * width : (row + 1) * width] for row in range(height)]
