"""`--verbose`, what a terminal shows while a command runs, and files on standard output."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from platelayer.cli.app import exit_status
from platelayer.cli.terminal import watch
from platelayer.comparison.compare import compare
from platelayer.exchange.importers import import_title
from platelayer.foundation.problems import reporting_to, step
from platelayer.foundation.resources import title_path
from platelayer.play.report import supply

TILE = "city=revenue:40;path=a:0,b:_0"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLATELAYER_CACHE", str(tmp_path / "cache"))
    return Path(shutil.copytree(title_path("18eu"), tmp_path / "mine"))


@pytest.mark.parametrize("first", [True, False])
def test_what_is_read_kept_written_and_skipped_is_said_with_times(
    first: bool, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["build", "mine", "--only", "train", "-o", "out"]

    def steps() -> list[str]:
        assert exit_status(["-v", *words] if first else [*words, "--verbose"]) == 0
        lines = capfd.readouterr().err.splitlines()
        found = [re.fullmatch(r" *(\d+\.\d{3}) s  (.*)", line) for line in lines]
        times = [float(match[1]) for match in found if match]
        assert times == sorted(times)
        return [match[2] for match in found if match]

    made, again = steps(), steps()
    size = (folder / "trains.json").stat().st_size
    assert f"read mine/trains.json: {size:,} bytes" in made
    assert {"18eu: rules checked", "printed: trains.pdf"} <= {*made}
    assert any(line.startswith("wrote out/18eu/trains.pdf: ") for line in made)
    assert {"18eu: rules from the cache", "from the cache: trains.pdf"} <= {*again}
    (folder.parent / "LICENSE").touch()
    words = ["check", "LICENSE", "mine", "--changed", "--quick"]
    assert {"skipped LICENSE: it belongs to no title", "legibility skipped (--quick)"} <= {*steps()}


def test_without_it_nothing_is_said(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_status(["check", str(folder), "--quick"]) == 0
    assert capfd.readouterr().err == ""


def test_a_terminal_shows_the_last_step_until_there_is_a_bar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", terminal)
    with watch() as progress:
        step("reading \x1b[31m")
        progress("printing", 1, 2)
        step("reading more")
    lines = [line.strip() for line in terminal.getvalue().split("\r")]
    assert lines == ["", r"reading \x1b[31m", f"printing   {'#' * 20}{'.' * 20} 1/2", "", ""]


def test_long_work_has_steps(folder: Path) -> None:
    seen: list[str] = []
    trains = json.loads((folder / "trains.json").read_text("utf-8"))
    next(iter(trains["trains"].values()))["price"] = 111
    (folder / "trains.json").write_text(json.dumps(trains), "utf-8")
    strings = folder.parent / "tiles.txt"
    strings.write_text(f"X1 yellow {TILE}\n", "utf-8")
    with reporting_to(seen.append):
        compare("18eu", folder, pieces=True).pdf()
        supply("18eu")
        import_title(strings, folder.parent / "new")
    step("nobody hears this")
    for words in ("drawing train:", "setting ", "supply of yellow: ", "reach of track in phase "):
        assert any(line.startswith(words) for line in seen), words
    assert {"settling: grant", "checking the title"} <= {*seen}
    assert "nobody hears this" not in seen


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (["draw", TILE, "-o", "-"], b"<?xml"),
        (["draw", TILE, "-o", "-", "--format", "png"], b"\x89PNG"),
        (["calibrate", "-o", "-"], b"%PDF"),
        (["box", "18eu", "-o", "-"], b"%PDF"),
        (["supply", "18eu", "-o", "-"], b"%PDF"),
        (["supply", "18eu", "--witness", "-"], b"{"),
        (["export", "18eu", "--to", "tile-strings", "-o", "-"], b""),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_single_file_goes_to_standard_output_and_all_else_to_standard_error(
    words: list[str],
    start: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_status(words) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(start)
    assert out
    if "--witness" in words:
        assert json.loads(out)["format"] == "platelayer.position/1"
    assert b"-\n" not in err.splitlines(keepends=True)
    assert [*tmp_path.iterdir()] == []
