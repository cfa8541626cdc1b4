"""Maps of a box of one's own: a title that invents map tiles and a mode."""

import json
import shutil
from pathlib import Path

import pytest

from platelayer.foundation.resources import title_path


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Lost Atlas with two more tiles, and a mode of twelve tiles of which three are the new
    ones."""
    folder = tmp_path_factory.mktemp("own") / "my atlas"
    shutil.copytree(title_path("lost-atlas"), folder)
    path = folder / "map-tiles.json"
    document = json.loads(path.read_text("utf-8"))
    box = document["atlas"]
    box["map_tiles"]["40"] = {"hexes": ["city", "city", "plain"], "copies": 2}
    box["map_tiles"]["41"] = {"hexes": ["border", "mountain", "city"]}
    kept = {"1", "2", "3", "4", "5", "6", "17", "18", "19", "40", "41"}
    removed = {
        number: tile.get("copies", 1)
        for number, tile in box["map_tiles"].items()
        if number not in kept
    }
    # Modes of the shipped box leave the new tiles in it.
    for mode in box["modes"].values():
        mode.setdefault("removed", {}).update({"40": 2, "41": 1})
    box["modes"]["picnic"] = {
        **box["modes"]["short"],
        "map_tiles": 12,
        "removed": removed,
        "capital_projects": 2,
    }
    del box["modes"]["picnic"]["absent"]
    path.write_text(json.dumps(document), "utf-8")
    pieces = folder / "pieces.json"
    text = pieces.read_text("utf-8")
    assert '"map-tile": 33' in text
    pieces.write_text(text.replace('"map-tile": 33', '"map-tile": 36'), "utf-8")
    title = folder / "title.json"
    raw = json.loads(title.read_text("utf-8"))
    raw["id"] = "my-atlas"
    title.write_text(json.dumps(raw), "utf-8")
    return folder


def test_a_map_is_made_drawn_and_checked(own: Path, platelayer, tmp_path: Path) -> None:
    words = ("--title", own, "--mode", "picnic", "--seed", 5)
    told = platelayer("atlas", "new", *words, "--no-png", "-o", tmp_path / "out")
    assert told.returncode == 0, told.stderr
    log = json.loads((tmp_path / "out/atlas.json").read_text("utf-8"))
    tiles = sorted(draw["tile"] for draw in log["draws"] if "tile" in draw)
    assert tiles == [1, 2, 3, 4, 5, 6, 17, 18, 19, 40, 40, 41]
    assert f"platelayer atlas new --title '{own}' --mode picnic --seed 5" in told.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "map.svg",
        "map.pdf",
        "guide.pdf",
        "guide.html",
    }
    checked = platelayer("atlas", "check", "--title", own, tmp_path / "out/atlas.json")
    assert (checked.returncode, checked.stdout.strip()) == (0, "1 map checked: no problems")
    without = platelayer("atlas", "check", tmp_path / "out/atlas.json")
    assert without.returncode == 1
    assert "there is no mode 'picnic'" in without.stdout


@pytest.mark.parametrize("policy", ["uniform", "compact", "best", "even"])
def test_every_policy_makes_maps_of_it(own: Path, policy: str, platelayer, tmp_path: Path) -> None:
    words = ("--title", own, "--mode", "picnic", "--seed", 6, "--policy", policy)
    assert platelayer("atlas", "new", *words, "--no-draw", "-o", tmp_path).returncode == 0
    assert platelayer("atlas", "check", "--title", own, tmp_path / "atlas.json").returncode == 0


def test_they_are_surveyed_and_searched(own: Path, platelayer, tmp_path: Path) -> None:
    words = ("--title", own, "--mode", "picnic")
    told = platelayer(
        "atlas",
        "survey",
        *words,
        "--count",
        30,
        "--check",
        "--workers",
        0,
        "-o",
        tmp_path / "survey",
    )
    assert told.returncode == 0, told.stderr
    rows = (tmp_path / "survey/maps.csv").read_text("ascii").splitlines()
    assert len(rows) == 31
    search = ("--where", "homes = 6, hexes = 36", "--best", "fairness", "--maps", 30, "--count", 2)
    found = platelayer("atlas", "find", *words, *search, "-o", tmp_path / "found.svg")
    assert found.returncode == 0, found.stderr
    assert "30 met every condition" in found.stdout
    assert found.stdout.count(f"--title '{own}'") == 2
    assert (tmp_path / "found.svg").is_file()
    assert (
        platelayer(
            "atlas", "gallery", *words, "--count", 2, "-o", tmp_path / "gallery.svg"
        ).returncode
        == 0
    )


def test_a_survey_of_another_box_is_another_survey(own: Path, platelayer, tmp_path: Path) -> None:
    words = ("--mode", "long", "--count", 3, "--workers", 0, "-o", tmp_path / "survey")
    assert platelayer("atlas", "survey", *words).returncode == 0
    told = platelayer("atlas", "survey", "--title", own, *words)
    assert told.returncode == 2
    assert "holds another survey (box null); name another folder" in told.stderr


def test_a_title_without_map_tiles_is_told(platelayer, tmp_path: Path) -> None:
    told = platelayer("atlas", "new", "--title", "18eu", "--mode", "long", "-o", tmp_path)
    assert told.returncode == 2
    assert (
        told.stderr
        == 'platelayer: --title: 18eu has no map tiles (the block "atlas" of a definition)\n'
    )
    assert list(tmp_path.iterdir()) == []
