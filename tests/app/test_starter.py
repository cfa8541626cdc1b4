"""`platelayer new` as a new user goes through it: a folder, its editor, check, manifest, print,
draw."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from often import crossed, often
from platelayer import check
from platelayer.definitions.titles import read_title, title_id
from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import STARTS, asset_path
from platelayer.pipeline.scaffold import NewTitle, new_title, tile_boxes
from platelayer.play.supply import supply_of

BLOCKS = {"title", "map", "tiles", "companies", "trains"}


def tree(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.fixture
def starter(platelayer, tmp_path) -> Path:
    done = platelayer("new", "My Game")
    assert done.returncode == 0, done.stderr
    assert "platelayer check 'My Game'" in done.stdout
    return tmp_path / "My Game"


def test_a_mistake_in_it_is_found(platelayer, starter) -> None:
    path = starter / "map.json"
    path.write_text(
        path.read_text("utf-8").replace('"name": "Ashford"', '"nmae": "Ashford"'), "utf-8"
    )
    done = platelayer("check", ".", cwd=starter)
    assert done.returncode == 1
    assert 'did you mean "name"?' in done.stdout


def test_starts_are_the_folders_there_are() -> None:
    assert set(STARTS) == {path.name for path in asset_path("starters").iterdir() if path.is_dir()}


@pytest.mark.parametrize("start", often(STARTS, "small"))
def test_each_start_checks_clean_and_its_readme_leads_to_a_print(
    platelayer, tmp_path, start
) -> None:
    """All commands of the README, in order: from the first look to printed sheets."""
    assert platelayer("new", start, "--start", start).returncode == 0
    folder = tmp_path / start
    assert platelayer("check", ".", cwd=folder).stdout == "1 title checked: no problems\n"
    lines = (folder / "README.md").read_text("utf-8").splitlines()
    commands = [
        re.split(r"  +| for | writes ", line.strip())[0].split()[1:]
        for line in lines
        if _is_command(line)
    ]
    assert {words[0] for words in commands} >= {"check", "draw", "manifest", "upgrades", "build"}
    for words in commands:
        done = platelayer(*words, cwd=folder)
        assert done.returncode == 0, (words, done.stderr)
    assert (folder / "map.png").exists()
    assert (folder / f"output/{start}/map.pdf").exists()
    kept = {path.name: path.read_bytes() for path in asset_path("starters", start).glob("*.json")}
    assert all(
        json.loads((folder / name).read_bytes()).keys() == json.loads(data).keys()
        for name, data in kept.items()
    )


@pytest.mark.parametrize(("box", "layout"), crossed(tile_boxes(), ["flat", "pointy"]))
def test_a_map_of_its_own_takes_every_tile_of_its_box(tmp_path, box, layout) -> None:
    """No finding is about anything but the game, and supply knows a hex for each tile."""
    new = NewTitle(name="Test", rows=7, columns=8, layout=layout, companies=5, tiles=box)
    new_title(tmp_path / "new", new=new)
    loaded = read_title(str(tmp_path / "new"))
    problems = check(str(tmp_path / "new"))
    assert not [str(each) for each in problems if each.severity is not Severity.NOTE]
    assert supply_of(loaded.title).never == ()
    board = loaded.title.maps[0]
    assert (len(board.hexes), board.layout.value) == (56, layout)
    homes = [home.hex for company in loaded.title.companies for home in company.homes]
    assert len(set(homes)) == 5
    assert all(hexagon.tile.stops for hexagon in board.hexes if hexagon.id in homes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--size", "50x7"], "at most 40x40"),
        (["--size", "2x2", "--companies", "12"], "no room for 12 cities"),
        (["--tiles", "1831"], 'only "small", "1830"'),
        (["--start", "classic", "--companies", "3"], "has its own map"),
        (["--currency", "{}{}"], "cannot be the currency"),
        (["--language", "xx"], "there is no language"),
    ],
)
def test_what_no_title_can_begin_with_is_refused_and_nothing_written(
    platelayer, tmp_path, options, words
) -> None:
    done = platelayer("new", "mine", *options)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())
    assert not (tmp_path / "mine").exists()


def test_a_new_title_is_named_after_its_folder_if_nothing_names_it(platelayer, tmp_path) -> None:
    platelayer("new", "two_great-rivers", "--start", "bare")
    folder = tmp_path / "two_great-rivers"
    title, board = (json.loads((folder / name).read_bytes()) for name in ("title.json", "map.json"))
    assert title["name"] == board["map"]["name"] == "Two great rivers"
    platelayer("new", "ja", "--name", "四国", "--companies", "2", "--language", "ja")
    companies = json.loads((tmp_path / "ja" / "companies.json").read_bytes())["companies"]
    assert [company["name"] for company in companies.values()] == ["会社 1", "会社 2"]


def _is_command(line: str) -> bool:
    return line.startswith("    platelayer ")


def test_the_classic_start_is_in_the_manner_of_1830(platelayer, tmp_path) -> None:
    """Eight companies of ten shares, privates, trains 2 to D, tiles in three colours."""
    platelayer("new", "classic", "--start", "classic")
    totals = json.loads(platelayer("manifest", "classic", "--format", "json").stdout)["totals"]
    assert (totals["charter"], totals["certificate"], totals["private"]) == (8, 72, 5)
    assert {
        colour for colour in ("yellow", "green", "brown") if totals[f"tile/{colour}"] >= 30
    } == {
        "yellow",
        "green",
        "brown",
    }
    trains = json.loads((tmp_path / "classic/trains.json").read_text("utf-8"))["trains"]
    assert list(trains) == ["2", "3", "4", "5", "6", "D"]


def test_editors_find_a_schema_for_each_file_offline(starter) -> None:
    """What VS Code does: `$schema`, or json.schemas, relative to the file or folder; then every
    $ref from there."""
    settings = json.loads((starter / ".vscode/settings.json").read_text("utf-8"))["json.schemas"]
    by_name = {pattern: entry["url"] for entry in settings for pattern in entry["fileMatch"]}
    base = "file:///title/"
    registry = Registry().with_resources(
        (
            urljoin(base, path.relative_to(starter).as_posix()),
            DRAFT202012.create_resource(json.loads(path.read_text("utf-8"))),
        )
        for path in (starter / ".platelayer/schemas").glob("*.json")
    )
    for name in BLOCKS:
        value = json.loads((starter / f"{name}.json").read_text("utf-8"))
        # VS Code takes a path for relative to the file only when it begins with a dot.
        assert value["$schema"].startswith("./")
        assert by_name[f"/{name}.json"] == value["$schema"]
        address = urljoin(base, value["$schema"])
        validator = Draft202012Validator({"$ref": address}, registry=registry)
        assert list(validator.iter_errors(value)) == []
        assert list(validator.iter_errors(value | {"nmae": 1})) != []


def test_schemas_can_be_renewed(platelayer, starter) -> None:
    stale = starter / ".platelayer/schemas/map.schema.json"
    fresh = stale.read_bytes()
    stale.write_text("{}", "utf-8")
    own = (starter / "map.json").read_bytes()
    assert platelayer("new", "--schemas", ".", cwd=starter).returncode == 0
    assert stale.read_bytes() == fresh
    assert (starter / "map.json").read_bytes() == own
    done = platelayer("new", "--schemas", "..", cwd=starter)
    assert done.returncode == 2
    assert "title.json" in done.stderr


def test_an_empty_folder_will_do(platelayer, tmp_path) -> None:
    (tmp_path / "deep").mkdir()
    assert platelayer("new", ".", cwd=tmp_path / "deep").returncode == 0
    assert (tmp_path / "deep/title.json").exists()
    assert platelayer("new", "a/b/c").returncode == 0
    assert (tmp_path / "a/b/c/.vscode/settings.json").exists()
    assert not list(tmp_path.rglob(".platelayer-*"))


def test_what_is_there_is_never_touched(platelayer, tmp_path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine", "utf-8")
    (tmp_path / "file").write_text("mine", "utf-8")
    before = tree(tmp_path)
    for name in ("mine", "file", "file/below"):
        done = platelayer("new", name)
        assert done.returncode == 2, name
        assert done.stderr.startswith("platelayer: "), name
    assert tree(tmp_path) == before


@pytest.mark.parametrize("after", [0, 3, 20])
def test_all_or_nothing(tmp_path, monkeypatch, after) -> None:
    """A disk that is full after some files: nothing is left."""
    from platelayer.foundation.problems import CannotRun
    from platelayer.pipeline.scaffold import new_title

    count = [after]

    def full(_handle: int) -> None:
        count[0] -= 1
        if count[0] < 0:
            raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotRun, match="No space left"):
        new_title(tmp_path / "a" / "b")
    assert tree(tmp_path) == set()


@pytest.mark.parametrize(
    ("folder", "wanted"),
    [
        ("My Game", "my-game"),
        ("18xx", "18xx"),
        ("Zürich!", "z-rich"),
        ("東京", "starter"),
        ("-", "starter"),
        ("NUL", "starter"),
        ("null", "null"),
    ],
)
def test_the_id_comes_from_the_folder(folder, wanted) -> None:
    assert title_id(folder) == wanted
    assert 1 <= len(title_id(folder * 30)) <= 40
