"""Surveys by processes of dask: that die, that are stopped, that start anew instead of being
forked."""

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
from platelayer.atlas import survey as survey_module
from platelayer.atlas.compiled import Wanted
from platelayer.atlas.store import CHUNK
from platelayer.atlas.survey import SurveyOptions, SurveyResult, survey
from platelayer.definitions.map_tiles import shipped_box
from platelayer.foundation.problems import CannotRun

ROOT = Path(__file__).resolve().parents[2]
WANTED = Wanted(mode="micro2", policy="compact", seed=3)
COUNT = 4 * CHUNK
NAMES = ("maps.csv", "maps.parquet", "summary.txt", "summary.json", "histograms.svg", "survey.json")

# What an installer makes of `platelayer`: each new process imports it, and must not run it.
CONSOLE_SCRIPT = """
import sys
from platelayer.__main__ import main
if __name__ == '__main__':
    sys.exit(main())
"""
WITHOUT_FORK = """
import os
def fork():
    raise AssertionError("forked")
os.fork = fork
"""
# Chunks from the third on are beyond every worker.
WITH_WORKERS_THAT_DIE = """
from platelayer.atlas import survey
made = survey.rows_of
def rows_of(box, wanted, first, end, *, check=False):
    if first >= {first}:
        {does}
    return made(box, wanted, first, end, check=check)
survey.rows_of = rows_of
"""


def here(folder: Path, count: int = COUNT) -> SurveyResult:
    return survey(shipped_box(), WANTED, count, folder, SurveyOptions(workers=0))


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("surveys") / "here"
    here(folder)
    return folder


def same_files(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in NAMES)


def start(
    folder: Path, script: str = CONSOLE_SCRIPT, *, count: int = COUNT
) -> subprocess.Popen[str]:
    """The command as a script, with two workers, in a group of processes of its own."""
    path = folder.parent / "platelayer"
    path.write_text(script, "utf-8")
    words = [
        "survey",
        "--mode",
        "micro2",
        "--seed",
        3,
        "--count",
        count,
        "--workers",
        2,
        "-o",
        folder,
    ]
    return subprocess.Popen(
        interruptible(sys.executable, str(path), "atlas", *map(str, words)),
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "generator"),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
        },
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


def test_processes_need_no_fork_and_run_no_script_twice(surveyed: Path, tmp_path: Path) -> None:
    status, _, stderr = end(start(tmp_path / "two", WITHOUT_FORK + CONSOLE_SCRIPT))
    assert (status, stderr) == (0, "")
    assert same_files(tmp_path / "two", surveyed)


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("import os; os._exit(1)", "worker processes kept dying: is there too little memory?"),
        ("raise MemoryError('no room\\nat all')", "a worker failed: MemoryError: no room"),
    ],
)
def test_workers_that_fail_are_told_in_a_line(
    does: str, told: str, surveyed: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "two"
    script = WITH_WORKERS_THAT_DIE.format(first=2 * CHUNK, does=does) + CONSOLE_SCRIPT
    status, stdout, stderr = end(start(folder, script))
    assert (status, stdout) == (2, ""), stderr
    assert len(stderr.splitlines()) == 1, stderr
    (line,) = stderr.splitlines()
    assert line.startswith("platelayer: ")
    assert told in line
    kept = len(list((folder / "chunks").glob("*.csv"))) * CHUNK
    assert kept <= 2 * CHUNK
    assert not kept or line.endswith(
        f"; {kept} of {COUNT} maps are saved; run the same command again to continue"
    )
    assert here(folder).found == kept
    assert same_files(folder, surveyed)


@pytest.mark.parametrize("chunks", [-1, pytest.param(0, marks=pytest.mark.slow), 2])
def test_ctrl_c_says_in_a_line_what_is_kept(chunks: int, tmp_path: Path) -> None:
    """While processes start (-1), while they do (0), and in the midst of the maps; Ctrl-C reaches
    all of them."""
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
    assert kept - int(told[1] or 0) in (0, CHUNK)  # one may have been written when the signal came
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


@pytest.mark.parametrize(
    "address",
    ["", " ", "tcp:", "tcp://", "tcp://x:y", "tls://127.0.0.1:9", "inproc://a", "a\nb", "9" * 5000],
)
def test_an_address_that_makes_no_sense_is_told(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platelayer.atlas.cluster._PATIENCE_S", 0.2)
    with pytest.raises(CannotRun, match="cannot reach the dask scheduler at '") as raised:
        survey(shipped_box(), WANTED, 5, tmp_path / "new", SurveyOptions(scheduler=address))
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 400


def test_no_more_processes_are_started_than_there_is_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = []

    def run_on_dask(work, ranges, *, workers: int, scheduler: str | None):
        hands.append((workers, scheduler, len(ranges)))
        return survey_module.run_here(work, ranges)

    monkeypatch.setattr(survey_module, "run_on_dask", run_on_dask)
    survey(shipped_box(), WANTED, 5, tmp_path / "new", SurveyOptions(workers=300))
    assert hands == [(1, None, 1)]
    survey(
        shipped_box(),
        WANTED,
        5,
        tmp_path / "new",
        SurveyOptions(workers=300, scheduler="tcp://nobody"),
    )
    assert len(hands) == 1  # nothing to do
