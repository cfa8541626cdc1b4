"""What a print may be asked for: which pieces, how many, of what size, only what has changed, and
for which shop."""

import csv
import io
import json
import shutil
import struct
import subprocess
from collections import Counter
from math import fsum
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from often import often
from packs import build
from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.resources import asset_path, title_ids
from platelayer.imposition.plan import standard_plan
from platelayer.model.manifest import build_manifest, notes_of
from platelayer.pipeline.build import build as build_in_memory
from platelayer.pipeline.build import read_options
from platelayer.pipeline.job import BuildOptions, read_printed_pieces
from platelayer.pipeline.load import read_manifest
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


# What a number of players needs, in manifests and prints, and the aid that each of them has


@pytest.mark.parametrize(
    ("title", "variant", "players"),
    [("18cz", "bohemia", 2), ("18cz", "moravia", 3), ("1841", "lite", 6)],
)
def test_variants_have_as_many_aids_as_their_players(
    title: str, variant: str, players: int
) -> None:
    assert read_manifest(title, variant=variant).by_key["summary:play"].count == players


def test_a_print_places_as_many_as_the_manifest_lists() -> None:
    made = build_in_memory("1824", BuildOptions(only=("summary",), players=4))
    placed = [
        each
        for each in json.loads(made.files["manifest.json"])["placements"]
        if each["id"] == "play"
    ]
    assert [each["face"] for each in placed].count("front") == 4
    assert read_manifest("1824", players=4).by_key["summary:play"].count == 4


@pytest.mark.parametrize(
    ("title", "players", "told"),
    [
        ("18eu", 7, "players 7: 18eu is for 2 to 6 players"),
        ("lost-atlas", 2, "players 2: lost-atlas is for 3 to 5 players"),
    ],
)
def test_other_numbers_of_players_are_one_clear_line(title: str, players: int, told: str) -> None:
    with pytest.raises(CannotRun) as raised:
        read_manifest(title, players=players)
    assert str(raised.value) == told


def test_a_title_that_names_no_players_says_so(tmp_path: Path) -> None:
    title = {"format": "platelayer.title/1", "id": "x", "name": "X"}
    (tmp_path / "title.json").write_text(json.dumps(title), encoding="utf-8")
    with pytest.raises(CannotRun, match="x does not say for how many players it is"):
        read_manifest(str(tmp_path), players=3)


@pytest.mark.parametrize("title", ["18cz", "1841", "18eu", "1824"])
def test_the_aid_tells_the_course_of_play_in_both_languages(title: str) -> None:
    (aid,) = (each for each in load_title(title).title.aids if each.id == "play")
    assert aid.phases
    assert aid.sections == ()
    for language in ("en", "ja"):
        assert all(line.get(language) for part in aid.back for line in (part.heading, *part.lines))


# Notes for titles whose boxes have none: they add up to the bank, and are only made when asked
# for


# Rulebooks: 18EU 1.1, 1824 III, 1841 1.2; the variants as in the rulebooks of their titles.
BANKS = [
    ("18eu", None, 12000),
    ("1824", None, 12000),
    ("1824", "cisleithania-2", 4000),
    ("1824", "cisleithania-3", 9000),
    ("1841", None, 14400),
    ("1841", "lite", 10900),
]


@pytest.mark.parametrize(("title", "variant", "bank"), BANKS)
def test_notes_add_up_to_the_bank(title: str, variant: str | None, bank: int) -> None:
    assert "money" not in read_manifest(title, variant=variant).totals
    notes = [
        piece
        for piece in read_manifest(title, variant=variant, money=True).pieces
        if piece.kind == "money"
    ]
    assert sum(int(note.id) * note.count for note in notes) == bank
    counts = {int(note.id): note.count for note in notes}
    assert counts[1] >= 20, "change for shares of odd revenue"
    assert sum(counts.values()) <= 300


@pytest.mark.parametrize("bank", [1, 7, 99, 500, 1234, 6000, 12000, 24500, 50000, 999999])
def test_any_bank_can_be_made_of_notes(bank: int) -> None:
    notes = notes_of(bank)
    assert sum(value * count for value, count in notes) == bank
    assert list(notes) == sorted(notes)
    assert all(count > 0 for _, count in notes)


@pytest.mark.parametrize("title", ["18cz", "lost-atlas"])
def test_a_box_with_money_keeps_its_own(title: str) -> None:
    own = load_title(title).title.pieces.money
    assert own
    asked = [piece for piece in read_manifest(title, money=True).pieces if piece.kind == "money"]
    assert [(int(piece.id), piece.count) for piece in asked] == list(own)


def test_a_title_without_bank_and_money_cannot_have_notes(tmp_path: Path) -> None:
    title = {"format": "platelayer.title/1", "id": "x", "name": "X"}
    (tmp_path / "title.json").write_text(json.dumps(title), encoding="utf-8")
    with pytest.raises(CannotRun, match="x has neither notes nor a bank") as raised:
        read_manifest(str(tmp_path), money=True)
    assert "\n" not in str(raised.value)


# What is asked for is placed, or the build fails: sheet plans that leave kinds out, hold them
# twice, or elsewhere


KINDS_OF = {document.stem: document.kinds for document in standard_plan()}
TOTALS = read_manifest("18eu").totals
KIND_HOMES = {kind: stem for stem, kinds in KINDS_OF.items() for kind in kinds}


def _print(
    folder: Path, documents: dict[str, Any], *only: str, **more: Any
) -> Counter[tuple[str, str]]:
    """(file, kind) of every front that a print with this plan (none: the standard plan) says it
    placed."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"documents": documents}), encoding="utf-8")
    options = BuildOptions(sheets=str(plan) if documents else None, only=only, **more)
    result = build("18eu", folder / "out", options)
    value = result.manifest
    assert sorted(each["file"] for each in value["files"]) == sorted(
        {each["file"] for each in value["files"]}
    )
    return Counter(
        (each["file"], each["kind"]) for each in value["placements"] if each["face"] == "front"
    )


def _refused(folder: Path, documents: dict[str, Any], *only: str) -> list[str]:
    with pytest.raises(ProblemsFound) as raised:
        _print(folder, documents, *only)
    assert not (folder / "out").exists()
    return [f"{problem.code} {problem.message}" for problem in raised.value.problems]


def test_a_kind_that_no_document_holds_stops_the_print(tmp_path: Path) -> None:
    found = _refused(tmp_path, {"tokens": {"kinds": ["token"]}}, "token", "marker")
    assert found == ["SH09 no document in the sheet plan holds pieces of the kind marker"]


def test_all_kinds_without_a_document_are_told_at_once(tmp_path: Path) -> None:
    found = _refused(
        tmp_path, {"tokens": {"kinds": ["number-card"]}, "tiles": {"kinds": ["number-card"]}}
    )
    kinds = ("tile", "token", "marker")
    assert found == sorted(
        f"SH09 no document in the sheet plan holds pieces of the kind {kind}" for kind in kinds
    )


def test_a_kind_in_two_documents_is_printed_in_both(tmp_path: Path) -> None:
    twice = {"trains": {"kinds": ["train", "marker"]}}
    placed = _print(tmp_path, twice, "train", "marker", "token")
    assert placed["tokens.pdf", "marker"] == placed["trains.pdf", "marker"] == TOTALS["marker"]
    assert placed["trains.pdf", "train"] > 20
    assert placed["tokens.pdf", "token"] == 63


def test_a_kind_in_a_document_that_cannot_hold_it_is_refused(tmp_path: Path) -> None:
    found = _refused(tmp_path, {"cards": {"kinds": [*KINDS_OF["cards"], "map"]}}, "map")
    assert found
    assert all(each.startswith("SH01") for each in found)


@pytest.mark.parametrize("output", ["cards", "pictures"])
def test_cards_and_pictures_are_counted_too(tmp_path: Path, output: str) -> None:
    only = ("token", "train", "checklist")
    placed = _print(tmp_path, {}, *only, output=output)
    kinds: Counter[str] = Counter()
    for (_, kind), number in placed.items():
        kinds[kind] += number
    sheets = _print(tmp_path, {}, *only)
    assert kinds == {kind: sheets[f"{KIND_HOMES[kind]}.pdf", kind] for kind in only}


@pytest.mark.parametrize(
    "more",
    often(
        {"plain": {}, "duplex": {"duplex": "long"}, "moved": {"offset_mm": (1.5, -1.0)}}, "plain"
    ),
)
def test_a_map_in_parts_is_one_placement_that_names_all_of_its_pages(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    pack = build("18eu", tmp_path, BuildOptions(only=("map",), **more))
    value = pack.manifest
    by_file = {each["file"]: each for each in value["placements"]}
    assert len(by_file) == len(value["placements"]) == 2
    poster, tiled = by_file["map.pdf"], by_file["map-tiled.pdf"]
    assert "pages" not in poster
    assert (tiled["page"], tiled["trim_mm"], tiled["rotation"]) == (
        1,
        tiled["pages"][0]["trim_mm"],
        0,
    )
    (pages,) = (each["pages"] for each in value["files"] if each["file"] == "map-tiled.pdf")
    assert [each["page"] for each in tiled["pages"]] == [*range(1, pages + 1)]
    _, _, width, height = poster["trim_mm"]
    parts = [each["part_mm"] for each in tiled["pages"]]
    assert fsum(w * h for _, _, w, h in parts) == pytest.approx(width * height, rel=1e-5)
    corner = (max(x + w for x, _, w, _ in parts), max(y + h for _, y, _, h in parts))
    assert corner == pytest.approx((width, height), abs=0.005)
    for index, (x, y, w, h) in enumerate(parts):
        for left, top, wide, high in parts[index + 1 :]:
            assert (
                min(x + w, left + wide) - max(x, left) < 0.01
                or min(y + h, top + high) - max(y, top) < 0.01
            )
    assert all(each["trim_mm"][2:] == each["part_mm"][2:] for each in tiled["pages"])
    again = build(
        "18eu",
        tmp_path / "again",
        BuildOptions(only=("map",), since=str(pack.folder / "manifest.json"), **more),
    )
    assert again.pieces == 0
