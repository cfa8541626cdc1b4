"""Boxes of every kind: each policy makes a legal map or says that there is none, and Ctrl-C ends
it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from any_boxes import any_block, of_cities, title_with
from interrupts import interruptible
from platelayer.atlas import layouts
from platelayer.atlas.assemble import POLICIES, NoMap, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import compiled
from platelayer.atlas.measures import measure
from platelayer.cli.app import cli
from platelayer.definitions.build import box_faults, build_box
from platelayer.foundation.resources import title_path

SOUND = [
    seed
    for seed in range(400)
    if not [*box_faults(any_block(seed))] and any_block(seed)["modes"]["m"]["map_tiles"]
]


@pytest.mark.parametrize("seeds", [SOUND[:40], pytest.param(SOUND, marks=pytest.mark.slow)])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_sound_box_gives_legal_maps_or_none(
    policy: str, seeds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platelayer.atlas.assemble.MAX_RESTARTS", 200)
    with_stacks = without_map = 0
    for seed in seeds:
        box = build_box(any_block(seed))
        with_stacks += box.modes[0].stacks > 0
        try:
            log = assemble(box, "m", seed=seed, policy=policy)
        except NoMap:
            without_map += 1
            continue
        assert [*check_log(box, log)] == []
        assert len(log.placed) == box.modes[0].tiles_used
        measure(box, log)
    assert 0 < without_map < len(seeds)
    assert with_stacks > 0


@pytest.mark.parametrize("policy", ["even", "best"])
def test_the_library_is_called_for_short_times(
    policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C waits for a call to end; what it makes does not depend on how often it is called."""
    box = build_box(of_cities(9))

    def made() -> Any:
        if policy == "even":
            return assemble(box, "m", seed=3, policy="even")
        core = compiled(box, "m", "best", None)
        return core and [each.values() for each in core.rows(range(30))]

    before = made()
    monkeypatch.setattr(layouts, "_SLICE", 81 * 500)
    assert made() == before


def test_ctrl_c_ends_a_large_map(tmp_path: Path) -> None:
    """A minute of changes in the library; the first line on stderr says that Python runs."""
    own = title_with(of_cities(100), tmp_path / "own.json")
    script = tmp_path / "run.py"
    script.write_text(
        "import sys\nfrom platelayer.atlas import layouts\n"
        "from platelayer.__main__ import main\n"
        "run = layouts.Chain.run\n"
        "layouts.Chain.run = lambda *each: (print('runs', file=sys.stderr, flush=True), run(*each))\n"
        "main()\n"
    )
    words = (
        "atlas",
        "new",
        "--title",
        str(own),
        "--mode",
        "m",
        "--policy",
        "even",
        "-o",
        str(tmp_path / "out"),
    )
    command = interruptible(sys.executable, str(script), *words)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "runs\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=40) == 130
        assert process.stderr.read().strip() == "platelayer: interrupted"
    assert not (tmp_path / "out").exists()


def test_a_map_without_homes_says_nothing_of_fairness(tmp_path: Path) -> None:
    own, out = title_with(of_cities(4), tmp_path / "own.json"), tmp_path / "out"
    asked = ["atlas", "new", "--title", str(own), "--mode", "m", "--seed", "1", "--no-png"]
    phone = tmp_path / "phone.html"
    told = CliRunner().invoke(cli, [*asked, "-o", str(out), "--page", str(phone)])
    assert told.exit_code == 0, told.output
    assert '"fairness": {}' in phone.read_text("utf-8")
    assert "Fairness" not in told.output + (out / "report.txt").read_text("utf-8")
    assert "Fairness" not in (out / "guide.html").read_text("utf-8") + (out / "map.svg").read_text(
        "utf-8"
    )
    text = subprocess.run(
        ["pdftotext", out / "guide.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "of 100" not in text
    assert "Building guide" in text


def test_a_survey_names_the_title_in_its_command(tmp_path: Path) -> None:
    own = title_with(of_cities(4), tmp_path / "own box.json")
    asked = ["--title", str(own), "--mode", "m"]
    told = CliRunner().invoke(
        cli,
        [
            "atlas",
            "survey",
            *asked,
            "--count",
            "2",
            "--workers",
            "0",
            "-o",
            str(tmp_path / "survey"),
        ],
    )
    assert told.exit_code == 0, told.output
    command = f"platelayer atlas new --title '{own}' --mode m --seed SEED --policy compact -o DIR"
    assert command in told.output


# Maps of a box of one's own: a title that invents map tiles and a mode


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
