"""Titles from ids, folders and files; what is worked out where a definition is silent; files and
variants."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.resources import title_ids, title_path
from platelayer.model.gamemap import Coord, Layout
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.draw import draw
from refusals import refused
from shipped import loaded, shipped

ACCEPT = Path(__file__).parent / "cases" / "accept"
HEAD = {"format": "platelayer.title/1", "id": "mini", "name": "Mini"}


def write(folder: Path, **blocks: Any) -> Path:
    path = folder / "title.json"
    path.write_text(json.dumps(HEAD | blocks), encoding="utf-8")
    return path


def codes(reference: str | Path, variant: str | None = None) -> list[tuple[str, str]]:
    return [
        (problem.code, problem.pointer)
        for problem in refused(load_title, reference, variant=variant)
    ]


# --- references


def test_a_shipped_title_by_its_id() -> None:
    loaded = load_title("18eu")
    assert loaded.title.id == "18eu"
    assert loaded.problems == ()
    assert loaded.files[0].endswith("assets/titles/18eu/title.json")


def test_a_folder_and_a_file_give_the_same_title() -> None:
    assert (
        load_title(title_path("18eu")).title == load_title(title_path("18eu") / "title.json").title
    )


def test_files_are_named_as_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    write(tmp_path / "mine", companies="companies.json")
    (tmp_path / "mine" / "companies.json").write_text('{"companies": {}}')
    monkeypatch.chdir(tmp_path)
    assert load_title("mine").files == ("mine/title.json", "mine/companies.json")
    assert load_title("./mine/title.json").files == ("./mine/title.json", "mine/companies.json")
    monkeypatch.chdir(tmp_path / "mine")
    assert load_title("title.json").files == ("title.json", "companies.json")


@pytest.mark.parametrize(
    ("reference", "code", "words"),
    [
        ("18ue", "RF09", 'did you mean "18eu"?'),
        ("no such title", "RF09", '"18eu"'),
        ("", "FI01", "title.json"),
        ("missing.json", "FI01", "no such file"),
        ("missing/folder", "FI01", "no such file"),
        ("/dev/null", "FI01", "not a regular file"),
        ("nul\0byte", "RF09", "nul\\x00byte"),
        ("x" * 5000, "RF09", "too long for a file"),
    ],
)
def test_references_that_lead_nowhere(
    reference: str, code: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (problem,) = refused(load_title, reference)
    assert problem.code == code
    assert words in str(problem)


def test_a_part_is_located_in_its_file(tmp_path: Path) -> None:
    write(tmp_path, companies="companies.json")
    company = '{"name": "Alpha", "kind": "minor", "colour": "#000000"}'
    (tmp_path / "companies.json").write_text(
        '{\n  "companies": {\n    "A": ' + company + "\n  }\n}\n"
    )
    problem = load_title(tmp_path).problem("XX01", "/companies/A/kind", "words")
    assert (problem.file, problem.pointer) == (
        str(tmp_path / "companies.json"),
        "/companies/A/kind",
    )
    assert (problem.line, problem.column) == (3, 36)


# --- files of the title


@pytest.mark.parametrize(
    "name", ["../outside.json", "/etc/outside.json", "inner/../../outside.json", "link.json"]
)
def test_a_file_outside_the_folder_is_refused_and_not_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_text('{"companies": "secret"}')
    folder = tmp_path / "title"
    (folder / "inner").mkdir(parents=True)
    (folder / "link.json").symlink_to(tmp_path / "outside.json")
    write(folder, companies=name)
    (problem,) = refused(load_title, folder)
    assert (problem.code, problem.pointer) == ("RF08", "/companies")
    assert "secret" not in str(problem)


def test_files_in_inner_folders_and_links_inside_are_fine(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "companies.json").write_text('{"companies": {}}')
    (tmp_path / "link.json").symlink_to(tmp_path / "inner" / "companies.json")
    write(tmp_path, companies="inner/companies.json")
    assert load_title(tmp_path).title.companies == ()
    write(tmp_path, companies="link.json")
    assert load_title(tmp_path).title.companies == ()


@pytest.mark.parametrize(
    "name", ["nul\0.json", "\ud800.json", "x" * 190 + ".json", "loop.json", "folder.json"]
)
def test_names_that_are_no_files(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    (tmp_path / "folder.json").mkdir()
    write(tmp_path, companies=name)
    assert ("RF08", "/companies") in codes(tmp_path)


# --- variants


def test_a_variant_changes_the_assembled_title() -> None:
    base, short = (
        load_title(ACCEPT / "variants.json"),
        load_title(ACCEPT / "variants.json", variant="short"),
    )
    assert (base.title.bank, base.title.variant) == (12000, None)
    assert (short.title.bank, short.title.variant) == (None, "short")
    assert [(entry.tile.id, entry.count) for entry in base.title.tiles] == [("57", 2), ("8", 3)]
    assert [(entry.tile.id, entry.count) for entry in short.title.tiles] == [("8", 3), ("9", 1)]
    assert [variant.id for variant in short.title.variants] == ["short"]


def test_a_variant_applies_those_it_includes_first(tmp_path: Path) -> None:
    variants = {
        "more": {"name": "More", "patch": {"bank": 9000, "currency": "{} G"}},
        "less": {"name": "Less", "patch": {"bank": 3000}},
        "both": {"name": "Both", "includes": ["more", "less"], "patch": {"subtitle": "Both"}},
        "all": {"name": "All", "includes": ["both", "less"], "patch": {}},
    }
    write(tmp_path, variants=variants)
    for variant in ("both", "all"):
        title = load_title(tmp_path, variant=variant).title
        assert (title.bank, title.currency, title.subtitle and title.subtitle.get("en")) == (
            3000,
            "{} G",
            "Both",
        )
    assert next(each.includes for each in title.variants if each.id == "both") == ("more", "less")


def test_a_variant_that_removes_what_is_not_there(tmp_path: Path) -> None:
    variants = {
        "less": {"name": "Less", "patch": {"bank": None, "players": {"9": None}}},
        "both": {
            "name": "Both",
            "includes": ["less"],
            "patch": {"bank": None, "pieces": {"money": {"5": None}}},
        },
    }
    write(tmp_path, bank=9000, players={"3": {"cash": 100}}, variants=variants)
    found = [
        (problem.code, problem.pointer) for problem in load_title(tmp_path, variant="both").problems
    ]
    assert found == [("RF23", "/variants/less/patch/players/9")]


def test_a_variant_may_name_another_file(tmp_path: Path) -> None:
    for name, first in (("large", "A2"), ("small", "C2")):
        board = {
            "name": name,
            "layout": "flat",
            "coordinates": {"letters_on": "x"},
            "hexes": {first: {}},
        }
        (tmp_path / f"{name}.json").write_text(json.dumps({"map": board}))
    variants = {
        "small": {"name": "Small", "patch": {"maps": {"main": "small.json"}}},
        "broken": {"name": "Broken", "patch": {"maps": {"main": "smal.json"}}},
    }
    write(tmp_path, maps={"main": "large.json"}, variants=variants)
    assert load_title(tmp_path).title.maps[0].hexes[0].id == "A2"
    small = load_title(tmp_path, variant="small")
    assert small.title.maps[0].hexes[0].id == "C2"
    assert small.place("/maps/main/name").file == str(tmp_path / "small.json")
    assert codes(tmp_path, "broken") == [("RF08", "/variants/broken/patch/maps/main")]


def test_faults_of_a_patch_are_reported_beside_those_of_the_files_it_names(tmp_path: Path) -> None:
    (tmp_path / "market.json").write_text(json.dumps({"market": {"shape": "line", "rows": 7}}))
    patch = {"market": "market.json", "aids": {"turn": {"name": "Turn"}}}
    write(tmp_path, variants={"other": {"name": "Other", "patch": patch}})
    expected = {("SC01", "/market/rows"), ("SC03", "/variants/other/patch/aids/turn")}
    assert {*codes(tmp_path, "other")} == expected


def test_the_box_of_a_variant_is_counted() -> None:
    assert codes(ACCEPT.parent / "reject" / "folder-variant", "more") == [
        ("RF01", "/variants/more/patch/tiles/99999")
    ]


# --- what is built


def test_the_example_of_the_reference_is_complete(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "definitions.md").read_text(
        encoding="utf-8"
    )
    example = page.split("<!-- title.json -->\n```json\n")[1].split("```")[0]
    (tmp_path / "title.json").write_text(example, encoding="utf-8")
    title = load_title(tmp_path).title
    assert [
        len(each) for each in (title.maps[0].hexes, title.tiles, title.companies, title.trains)
    ] == [7, 5, 2, 2]
    assert load_title(tmp_path, variant="long").title.bank == 6000


def test_coordinates_as_boards_print_them() -> None:
    flat, pointy = load_title(ACCEPT / "coordinates.json").title.maps
    assert flat.layout is Layout.FLAT
    assert {each.id: each.at for each in flat.hexes} == {
        "A2": Coord(0, 1),
        "B1": Coord(1, 0),
        "AA4": Coord(26, 3),
        "a5": Coord(-1, 4),
    }
    assert pointy.layout is Layout.POINTY
    assert {each.id: each.at for each in pointy.hexes} == {
        "B0": Coord(0, 0),
        "C1": Coord(1, 1),
        "a-4": Coord(-4, -2),
    }


# --- whatever is in the files


# --- speed


def test_a_sound_title_is_read_without_jsonschema_and_print_libraries() -> None:
    script = (
        "import sys; from platelayer.definitions.titles import load_title; load_title('18eu');"
        "print([name for name in ('jsonschema', 'reportlab', 'svgwrite') if name in sys.modules])"
    )
    generator = str(Path(__file__).resolve().parents[2] / "generator")
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": generator},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


# Names of pieces: each piece of a title has one of its own, and knows where in the definition it
# comes from


@pytest.mark.parametrize("title", title_ids())
def test_every_piece_comes_from_a_place_of_the_definition(title: str) -> None:
    read = loaded(title)
    pieces = build_manifest(read.title).pieces
    for piece in pieces:
        found: Any = read.assembled.value
        for key in piece.origin:
            found = found[int(key) if isinstance(found, list) else key]
    owned = {
        piece.origin
        for piece in pieces
        if piece.kind in ("map", "tile", "train", "charter", "private", "marker")
    }
    assert () not in owned
    assert owned >= {("trains", train.id) for train in read.title.trains}


def test_an_overlay_may_not_have_the_name_of_one_that_the_map_tiles_bring(tmp_path: Path) -> None:
    folder = shutil.copytree(title_path("lost-atlas"), tmp_path / "atlas")
    title = json.loads((folder / "title.json").read_text("utf-8"))
    board = {
        "name": "Board",
        "layout": "flat",
        "coordinates": {"letters_on": "x"},
        "hexes": {"A1": {}},
    }
    overlays = {
        "blank": {"name": "Blank", "hex": "A1"},
        "capitol": {"name": "Capitol", "hex": "A1"},
    }
    title |= {"maps": {"board": board}, "pieces": {"overlays": overlays}}
    (folder / "title.json").write_text(json.dumps(title, indent=1), encoding="utf-8")
    one, other = refused(load_title, folder)
    assert {(each.code, each.pointer, Path(each.file).name) for each in (one, other)} == {
        ("DF06", "/pieces/overlays/blank", "title.json"),
        ("DF06", "/atlas/blank_overlays", "map-tiles.json"),
    }
    assert "overlay:blank" in one.message
    assert f"{one.file}:{one.line}" in other.message
    assert f"{other.file}:{other.line}" in one.message


# A private and a company may share an id: each is in its own block, and its pieces are of its own
# kinds


BASE = Path(__file__).parents[1] / "rules" / "base.json"
PRIVATE = {
    "name": "Northern Mail Coach",
    "kind": "private",
    "colour": "#7a4b1e",
    "value": 40,
    "income": 10,
    "abilities": ["Blocks A2."],
    "blocks": ["A2"],
    "used": "The coach has left.",
}


@pytest.fixture
def title(tmp_path):
    value = json.loads(BASE.read_text(encoding="utf-8")) | {"privates": {"NR": PRIVATE}}
    value["maps"]["main"]["hexes"]["A6"]["reserved"] = ["NR"]
    path = tmp_path / "title.json"
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def test_pieces_come_from_their_own_block(title):
    loaded = load_title(title)
    by_key = build_manifest(loaded.title).by_key
    assert by_key["private:NR"].origin == ("privates", "NR")
    assert by_key["charter:NR"].origin == ("companies", "NR")
    assert by_key["private:NR"].back == "play"
    words = [
        draw(str(title), key).svg().decode()
        for key in ("private:NR", "charter:NR", "private:NR:back")
    ]
    assert "Northern Mail Coach" in words[0] or "NORTHERN MAIL COACH" in words[0].upper()
    assert "Northern Railway" in words[1]
    assert "The coach has left." in words[2]


def test_a_title_may_keep_its_privates_among_the_companies(title):
    value = json.loads(title.read_text(encoding="utf-8"))
    value["companies"]["P1"] = value["privates"].pop("NR")
    title.write_text(json.dumps(value), encoding="utf-8")
    assert build_manifest(shipped(title)).by_key["private:P1"].origin == (
        "companies",
        "P1",
    )
