"""Surveys in several processes: that are stopped or killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interrupts import interruptible
from platelayer.atlas.compiled import Wanted
from platelayer.atlas.survey import CHUNK, SurveyOptions, SurveyResult, survey
from platelayer.definitions.map_tiles import shipped_box

ROOT = Path(__file__).resolve().parents[2]
WANTED = Wanted(mode="micro2", policy="compact", seed=3)
COUNT = 4 * CHUNK
NAMES = ("maps.csv", "summary.txt", "summary.json", "histograms.svg", "survey.json")


def here(folder: Path, count: int = COUNT) -> SurveyResult:
    return survey(shipped_box(), WANTED, count, folder, SurveyOptions(workers=0))


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("surveys") / "here"
    here(folder)
    return folder


def same_files(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in NAMES)


def start(folder: Path, *, count: int = COUNT) -> subprocess.Popen[str]:
    """The command with two workers, in a group of processes of its own."""
    words = ["survey", "--mode", "micro2", "--seed", 3, "--count", count, "--workers", 2]
    return subprocess.Popen(
        interruptible(
            sys.executable, "-m", "platelayer", "atlas", *map(str, words), "-o", str(folder)
        ),
        env={**os.environ, "PYTHONPATH": str(ROOT / "generator")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    try:
        stdout, stderr = process.communicate(timeout=600)
    finally:
        process.kill()
    return process.returncode, stdout, stderr


def test_two_processes_make_the_same_files(surveyed: Path, tmp_path: Path) -> None:
    status, _, stderr = end(start(tmp_path / "two"))
    assert (status, stderr) == (0, "")
    assert same_files(tmp_path / "two", surveyed)


@pytest.mark.parametrize("chunks", [pytest.param(0, marks=pytest.mark.slow), 2])
def test_ctrl_c_says_in_a_line_what_is_kept(chunks: int, tmp_path: Path) -> None:
    """Ctrl-C reaches all processes, once they work (0) or in the midst of the maps."""
    folder = tmp_path / "two"
    process = start(folder, count=400 * CHUNK)
    deadline = time.monotonic() + 600
    while not (folder / "chunks").exists() or len(list((folder / "chunks").glob("*.csv"))) < chunks:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    if not chunks:
        time.sleep(0.7)
    os.killpg(process.pid, signal.SIGINT)
    status, stdout, stderr = end(process)
    assert (status, stdout) == (130, ""), stderr
    (line,) = stderr.splitlines()
    of = rf"; (\d+) of {400 * CHUNK} maps are saved; run the same command again to continue"
    told = re.fullmatch(rf"platelayer: interrupted(?:{of})?", line)
    assert told, line
    ends = [int(path.name[8:15]) + 1 for path in (folder / "chunks").glob("*.csv")]
    kept = len(ends) * CHUNK
    assert chunks * CHUNK <= kept < 400 * CHUNK  # it has not worked on to the end
    # Each of the two may have written a chunk that the command had not heard of.
    assert kept - int(told[1] or 0) in (0, CHUNK, 2 * CHUNK)
    if ends:
        assert here(folder, max(ends)).found == kept


def test_a_kill_ends_all_processes(tmp_path: Path) -> None:
    folder = tmp_path / "two"
    process = start(folder, count=400 * CHUNK)
    deadline = time.monotonic() + 600
    while not list(folder.glob("chunks/*.csv")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    # Workers hold its pipes for as long as they live.
    process.communicate(timeout=300)
