"""Surveys: the same maps for any number of workers, none lost or twice after a stop, clear words
where it cannot be."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gate import require_module
from interrupts import interruptible
from platelayer.atlas.assemble import assemble
from platelayer.atlas.compiled import Wanted, rows_of, seed_of_map
from platelayer.atlas.measures import MEASURES, measure
from platelayer.atlas.survey import CHUNK, Store, SurveyOptions, SurveyResult, survey, survey_on
from platelayer.definitions.build import shipped_box
from platelayer.foundation.problems import CannotRun, Interrupted

ROOT = Path(__file__).resolve().parents[2]
WANTED = Wanted(mode="micro2", policy="compact", seed=3)
HERE = SurveyOptions(workers=0)
COUNT = 2 * CHUNK + 40


def run(
    folder: Path, count: int = COUNT, options: SurveyOptions = HERE, wanted: Wanted = WANTED
) -> SurveyResult:
    return survey(shipped_box(), wanted, count, folder, options)


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("surveys") / "here"
    run(folder)
    return folder


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "maps.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_seeds_are_the_documented_digest():
    # printf 1:0 | sha256sum | cut -c 1-12
    assert seed_of_map(1, 0) == 0xA6685F3B62D5
    assert len({seed_of_map(3, number) for number in range(2000)}) == 2000


def test_every_row_is_the_map_of_its_seed(surveyed):
    found = rows(surveyed)
    assert [int(row["map"]) for row in found] == list(range(COUNT))
    for row in found[:: COUNT // 7]:
        assert int(row["seed"]) == seed_of_map(3, int(row["map"]))
        log = assemble(shipped_box(), "micro2", seed=int(row["seed"]))
        assert {name: float(row[name]) for name in MEASURES} == measure(shipped_box(), log)
        assert int(row["restarts"]) == log.restarts


def test_summary_names_the_extremes(surveyed):
    summary = json.loads((surveyed / "summary.json").read_text("utf-8"))
    found = rows(surveyed)
    for name in ("perimeter", "income_mean", "home_distance_mean"):
        values = [float(row[name]) for row in found]
        least = summary["measures"][name]["least"]
        assert least["value"] == min(values)
        assert least["seed"] == int(found[values.index(min(values))]["seed"])
        assert summary["measures"][name]["greatest"]["value"] == max(values)
        assert summary["measures"][name]["mean"] == pytest.approx(sum(values) / COUNT, abs=1e-4)
    assert b"<svg" in (surveyed / "histograms.svg").read_bytes()


def test_goes_on_after_a_stop(surveyed, tmp_path, monkeypatch):
    kept = Store.keep
    done = []

    def stop_after_one(self: Store, each: tuple[int, int], text: str) -> None:
        if done:
            raise KeyboardInterrupt
        done.append(each)
        kept(self, each, text)

    monkeypatch.setattr(Store, "keep", stop_after_one)
    with pytest.raises(Interrupted, match=f"{CHUNK} of {COUNT} maps are saved"):
        run(tmp_path / "stopped")
    monkeypatch.setattr(Store, "keep", kept)
    result = run(tmp_path / "stopped")
    assert result.found == CHUNK
    assert same_files(tmp_path / "stopped", surveyed)


def test_grows(surveyed, tmp_path):
    run(tmp_path / "small", count=CHUNK + 10)
    result = run(tmp_path / "small")
    assert result.found == CHUNK
    assert (tmp_path / "small" / "maps.csv").read_bytes() == (surveyed / "maps.csv").read_bytes()


def same_files(one: Path, other: Path) -> bool:
    names = (
        "maps.csv",
        "summary.txt",
        "summary.json",
        "histograms.svg",
        "survey.json",
    )
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


def test_another_survey_does_not_go_on_in_the_same_folder(surveyed, tmp_path):
    with pytest.raises(CannotRun, match=r"another survey \(seed 3\)"):
        run(surveyed, wanted=Wanted(mode="micro2", policy="compact", seed=4))
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CannotRun, match="does not contain a survey"):
        run(tmp_path)


def test_without_dask_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CannotRun, match=r"pip install .*\[cluster\]'"):
        survey_on(None, tmp_path / "new", 5, mode="micro2")


@pytest.mark.slow
def test_a_cluster_of_two_workers_makes_the_same_files(surveyed, tmp_path):
    distributed = require_module("distributed", "cluster")
    quiet = {"dashboard_address": ":0", "scheduler_kwargs": {"dashboard": False}}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **quiet) as cluster,
        distributed.Client(cluster) as client,
    ):
        survey_on(client, tmp_path / "far", CHUNK + 40, mode="micro2", seed=3)
        result = survey_on(client, tmp_path / "far", COUNT, mode="micro2", seed=3)
    assert result.found == CHUNK
    assert same_files(tmp_path / "far", surveyed)


def test_rows_do_not_depend_on_where_a_chunk_begins():
    box = shipped_box()
    assert rows_of(box, WANTED, 0, 9) == rows_of(box, WANTED, 0, 4) + rows_of(box, WANTED, 4, 9)


# Several processes
# ---------------------------------------------------------------------------------------------------------------


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
        assert run(folder, max(ends)).found == kept


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
