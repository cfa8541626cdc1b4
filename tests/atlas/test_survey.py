"""Surveys: the same maps for any number of workers, none lost or twice after a stop, clear words
where it cannot be."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from platelayer.atlas.assemble import assemble
from platelayer.atlas.compiled import COLUMNS, Wanted, rows_of, seed_of_map
from platelayer.atlas.measures import MEASURES, measure
from platelayer.atlas.store import CHUNK, Store
from platelayer.atlas.survey import SurveyOptions, SurveyResult, survey
from platelayer.cli.app import cli
from platelayer.definitions.map_tiles import shipped_box
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


def test_parquet_holds_the_same(surveyed):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(surveyed / "maps.parquet").to_pylist()
    assert [tuple(row) for row in table[:1]] == [COLUMNS]
    assert [{k: float(v) for k, v in row.items()} for row in table] == [
        {k: float(v) for k, v in row.items()} for row in rows(surveyed)
    ]


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
        "maps.parquet",
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
        run(tmp_path / "new", count=5, options=SurveyOptions(workers=2))


def test_an_unreachable_scheduler_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("platelayer.atlas.cluster._PATIENCE_S", 1)
    with pytest.raises(CannotRun, match="cannot reach the dask scheduler at 'tcp:"):
        run(tmp_path / "new", count=5, options=SurveyOptions(scheduler="tcp://127.0.0.1:9"))


def test_rows_do_not_depend_on_where_a_chunk_begins():
    box = shipped_box()
    assert rows_of(box, WANTED, 0, 9) == rows_of(box, WANTED, 0, 4) + rows_of(box, WANTED, 4, 9)


def command(*words: object) -> list[str]:
    return [
        sys.executable,
        "-m",
        "platelayer",
        "atlas",
        "survey",
        "--mode",
        "micro2",
        "--seed",
        "3",
        *map(str, words),
    ]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "generator")}


ALL_THERE = """
import sys
from distributed import Client
Client(sys.argv[1], timeout=600).wait_for_workers(int(sys.argv[2]), timeout=600)
"""


def test_a_scheduler_with_two_workers_makes_the_same_files_and_finds_the_same_maps(
    surveyed, tmp_path
):
    python, address = [sys.executable, "-m"], tmp_path / "scheduler.json"
    quiet = {
        "env": environment(),
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "cwd": tmp_path,
    }
    scheduler = [
        *python,
        "distributed.cli.dask_scheduler",
        "--port",
        "0",
        "--host",
        "127.0.0.1",
        "--no-dashboard",
    ]
    worker = [
        *python,
        "distributed.cli.dask_worker",
        "--scheduler-file",
        str(address),
        "--nthreads",
        "1",
        "--no-nanny",
    ]
    running = [subprocess.Popen([*scheduler, "--scheduler-file", str(address)], **quiet)]
    try:
        deadline = time.monotonic() + 600
        while not address.exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        running += [subprocess.Popen([*worker, "--no-dashboard"], **quiet) for _ in range(2)]
        tcp = json.loads(address.read_text("utf-8"))["address"]
        subprocess.run([sys.executable, "-c", ALL_THERE, tcp, "2"], check=True, **quiet)
        done = subprocess.run(
            command("--count", COUNT, "--scheduler", tcp, "-o", tmp_path / "far"),
            env=environment(),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert same_files(tmp_path / "far", surveyed)
        words = ["atlas", "find", "--mode", "micro2", "--where", "dead_land = 0", "--maps", "350"]
        far, here = (
            CliRunner().invoke(cli, [*words, *more]) for more in (["--scheduler", tcp], [])
        )
        assert (far.exit_code, far.output) == (0, here.output)
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()


DIES_AFTER_TWO = """
import os, runpy, signal
from platelayer.atlas.store import Store

keep, kept = Store.keep, []

def then_die(self, each, rows):
    keep(self, each, rows)
    kept.append(each)
    if len(kept) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

Store.keep = then_die
runpy.run_module("platelayer", run_name="__main__", alter_sys=True)
"""


def test_a_kill_loses_no_chunk_that_is_done(tmp_path):
    folder, count = tmp_path / "killed", 5 * CHUNK
    words = command("--count", count, "--workers", 0, "-o", folder)[3:]
    done = subprocess.run(
        [sys.executable, "-c", DIES_AFTER_TWO, *words], env=environment(), check=False
    )
    assert done.returncode == -signal.SIGKILL
    kept = {path.name: path.stat().st_mtime_ns for path in (folder / "chunks").glob("*.csv")}
    assert len(kept) == 2
    run(folder, count=count)
    assert all(
        (folder / "chunks" / name).stat().st_mtime_ns == written for name, written in kept.items()
    )
    assert [int(row["map"]) for row in rows(folder)] == list(range(count))
    whole = tmp_path / "whole"
    run(whole, count=count)
    assert same_files(folder, whole)
