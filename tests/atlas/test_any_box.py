"""Boxes of every kind: each policy makes a legal map or says that there is none, and Ctrl-C ends
it."""

from __future__ import annotations

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
