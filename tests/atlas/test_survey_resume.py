"""Surveys that go on: what was kept is looked at, what is damaged is made anew, and nothing outside
is touched."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from often import often
from platelayer.atlas import compiled as rows_module
from platelayer.atlas import survey as survey_store
from platelayer.atlas.compiled import Wanted, rows_of
from platelayer.atlas.survey import FORMAT, MAX_MAPS, Store, SurveyOptions, SurveyResult, survey
from platelayer.definitions.build import shipped_box
from platelayer.foundation.problems import CannotRun, Problem
from refusals import refused

ROOT = Path(__file__).resolve().parents[2]
WANTED = Wanted(mode="micro2", policy="compact", seed=1)
CHUNK, COUNT = 10, 34
FILES = ("maps.csv", "summary.txt", "summary.json", "histograms.svg", "survey.json")


@pytest.fixture(scope="module", autouse=True)
def small_chunks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(survey_store, "CHUNK", CHUNK)
        yield


def run(
    folder: Path, *, wanted: Wanted = WANTED, check: bool = False, count: int = COUNT
) -> SurveyResult:
    return survey(shipped_box(), wanted, count, folder, SurveyOptions(workers=0, check=check))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A survey that was never stopped."""
    folder = tmp_path_factory.mktemp("surveys") / "whole"
    run(folder)
    return folder


@pytest.fixture(scope="module")
def whole(finished: Path) -> dict[str, bytes]:
    """Its files."""
    return files_of(finished)


def files_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture
def done(finished: Path, tmp_path: Path) -> Path:
    """The folder of a survey that is done."""
    return shutil.copytree(finished, tmp_path / "done")


def chunk(folder: Path, first: int = 10) -> Path:
    (path,) = (folder / "chunks").glob(f"{first:07}-*.csv")
    return path


def lines(change: Callable[[list[str]], list[str]]) -> Callable[[Path], None]:
    """Damage to the lines of a chunk, the first of which is its header."""

    def damage(path: Path) -> None:
        before = path.read_text("ascii").splitlines(keepends=True)
        after = change(before)
        assert after != before
        path.write_text("".join(after), "ascii")

    return damage


def instead(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.unlink()
        make(path)

    return damage


def huge(path: Path) -> None:
    os.truncate(path, 2**40)  # takes no room on the disk


def of_another_survey(path: Path) -> None:
    """The same maps with another policy: the same header, numbers and seeds."""
    run(path.parents[2] / "other", wanted=Wanted(mode="micro2", policy="uniform", seed=1))
    path.write_bytes(chunk(path.parents[2] / "other").read_bytes())


def of_another_survey_under_its_name(path: Path) -> None:
    of_another_survey(path)
    path.rename(path.with_name(chunk(path.parents[2] / "other").name))


DAMAGE: dict[str, Callable[[Path], None]] = {
    "no header": lines(lambda rows: rows[1:]),
    "row twice, one gone": lines(lambda rows: [*rows[:4], rows[3], *rows[5:]]),
    "cut off before the last line break": lines(lambda rows: [*rows[:-1], rows[-1].rstrip("\n")]),
    "another number": lines(lambda rows: [*rows[:3], rows[3].replace(",3", ",4"), *rows[4:]]),
    "huge": huge,
    "a pipe": instead(os.mkfifo),
    "a link to an endless device": instead(lambda path: path.symlink_to("/dev/zero")),
    "a link to itself": instead(lambda path: path.symlink_to(path.name)),
    "a link to the chunk it was": lambda path: path.symlink_to(
        path.rename(path.parents[2] / "moved.csv")
    ),
    "another chunk of the survey": lambda path: (
        path.write_bytes(chunk(path.parents[1], 0).read_bytes()),
        None,
    )[1],
    "another survey": of_another_survey,
    "another survey, under its name": of_another_survey_under_its_name,
}


@pytest.mark.parametrize("damage", often(DAMAGE, *list(DAMAGE)[::2]))
def test_a_damaged_chunk_is_made_anew(
    damage: Callable[[Path], None], done: Path, whole: dict[str, bytes]
) -> None:
    path = chunk(done)
    kept = path.read_bytes()
    damage(path)
    result = run(done)
    assert (result.damaged, result.found, result.unchecked) == (CHUNK, COUNT - CHUNK, 0)
    assert files_of(done) == whole
    assert chunk(done).read_bytes() == kept
    assert not chunk(done).is_symlink()
    assert run(done).damaged == 0


def test_two_chunks_that_changed_places_are_made_anew(done: Path, whole: dict[str, bytes]) -> None:
    one, other = chunk(done, 0), chunk(done, 20)
    aside = one.rename(one.with_name("aside"))
    other.rename(one)
    aside.rename(other)
    assert run(done).damaged == 2 * CHUNK
    assert files_of(done) == whole


def test_a_chunk_that_is_gone_is_made_anew(done: Path, whole: dict[str, bytes]) -> None:
    chunk(done).unlink()
    result = run(done)
    assert (result.damaged, result.found) == (0, COUNT - CHUNK)
    assert files_of(done) == whole


def test_a_seal_does_not_excuse_false_rows(done: Path, whole: dict[str, bytes]) -> None:
    """Were false rows ever kept, they would be found out when the survey goes on."""
    other = rows_of(shipped_box(), Wanted(mode="micro2", policy="compact", seed=2), 10, 20)
    own = rows_of(shipped_box(), WANTED, 0, CHUNK)
    for number, rows in enumerate(("", "1,2\n" * CHUNK, own, other)):
        Store(done, WANTED, COUNT).keep((10, 20), rows)
        result = run(done)
        assert result.damaged == CHUNK, number
        assert files_of(done) == whole


def test_a_chunk_damaged_between_two_looks_is_told(
    done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (done / "maps.csv").read_bytes()
    stand = Store.standing

    def then_damage(self: Store) -> object:
        standing = stand(self)
        chunk(done).write_text("", "ascii")
        return standing

    monkeypatch.setattr(Store, "standing", then_damage)
    with pytest.raises(
        CannotRun,
        match="maps 10 to 19 have been damaged since they were made; 34 of 34 maps are saved",
    ):
        run(done)
    assert (done / "maps.csv").read_bytes() == before
    assert not list(done.glob(".*"))


# Checks
# --------------------------------------------------------------------------------------------------------------


def test_maps_that_were_not_checked_are_made_again_to_be_checked(
    done: Path, whole: dict[str, bytes]
) -> None:
    result = run(done, check=True)
    assert (result.unchecked, result.damaged, result.found) == (COUNT, 0, 0)
    assert files_of(done) == whole
    assert all(".checked." in path.name for path in (done / "chunks").iterdir())
    assert run(done, check=True).found == COUNT
    assert run(done).found == COUNT  # whoever asks for no checks takes those that were made
    assert all(".checked." in path.name for path in (done / "chunks").iterdir())


def test_a_chunk_does_not_become_a_checked_one_by_its_name(
    done: Path, whole: dict[str, bytes]
) -> None:
    path = chunk(done)
    first, seal, suffix = path.name.split(".")
    path.rename(path.with_name(f"{first}.checked.{seal}.{suffix}"))
    result = run(done, check=True)
    assert (result.damaged, result.unchecked) == (CHUNK, COUNT - CHUNK)
    assert files_of(done) == whole


def test_a_map_that_does_not_pass_is_told_and_not_kept(
    done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = []

    def check_log(_box: object, log: object) -> tuple[Problem, ...]:
        checked.append(log)
        return (
            (Problem(code="AT07", pointer="", message="lies apart"),) if len(checked) == 25 else ()
        )

    monkeypatch.setattr(rows_module, "compiled", lambda *_: None)
    monkeypatch.setattr(rows_module, "check_log", check_log)
    (problem,) = refused(run, done, check=True)
    assert problem.code == "AT07"
    assert problem.message.endswith(
        "lies apart; 20 of 34 maps are saved; run the same command again to continue"
    )
    assert [".checked." in chunk(done, first).name for first in (0, 10, 20, 30)] == [
        True,
        True,
        False,
        False,
    ]
    result = run(done, check=True)
    assert (result.found, result.unchecked) == (20, 14)


# survey.json
# ---------------------------------------------------------------------------------------------------------

SETTINGS: dict[str, tuple[bytes, str]] = {
    "cut off": (b'{"format": "platelayer.survey/2", "mode": "mic', "this is not JSON"),
    "large": (b" " * 2_000_000 + b"{}", "too large"),
    "key twice": (b'{"format": "x", "format": "platelayer.survey/2"}', "appears twice"),
    "list": (b"[1, 2]", "another survey (format null)"),
    "earlier format": (
        b'{"format": "platelayer.survey/1"}',
        'another survey (format "platelayer.survey/1")',
    ),
    "long word": (b'{"format": "' + b"\x7f" * 5000 + b'"}', " ...); name another folder"),
}


def survey_settings(**changed: object) -> bytes:
    store = {"format": FORMAT, "mode": "micro2", "policy": "compact", "seed": 1, "blanks": None}
    store |= {"algorithm": WANTED.algorithm, "measures": WANTED.measures}
    store |= {"columns": list(WANTED.columns), "chunk": CHUNK}
    return json.dumps(store | changed).encode()


SETTINGS |= {
    "true": (survey_settings(seed=True), "another survey (seed true)"),
    "4,000 digits": (survey_settings(seed=10**4000), "another survey (seed 1000000"),
    "other columns": (survey_settings(columns=["map"]), 'another survey (columns ["map"])'),
    "other algorithm": (
        survey_settings(algorithm="\x1b[2J"),
        r'another survey (algorithm "\u001b[2J")',
    ),
}


@pytest.mark.parametrize(("data", "told"), SETTINGS.values(), ids=SETTINGS)
def test_settings_that_are_damaged_are_told(data: bytes, told: str, done: Path) -> None:
    (done / "survey.json").write_bytes(data)
    before = {path: path.read_bytes() for path in done.rglob("*") if path.is_file()}
    with pytest.raises(CannotRun) as raised:
        run(done)
    message = str(raised.value)
    assert told in message
    assert message.isprintable()
    assert len(message.replace(str(done), "")) < 200
    assert {path: path.read_bytes() for path in done.rglob("*") if path.is_file()} == before


def test_settings_written_in_another_way_are_the_same(done: Path) -> None:
    (done / "survey.json").write_bytes(survey_settings())
    assert run(done).found == COUNT


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (os.mkfifo, "this is not a regular file"),
        (Path.mkdir, "this is a folder, not a file"),
        (lambda path: path.symlink_to(path.name), "cannot be read"),
        (lambda path: path.symlink_to("elsewhere.json"), "is a link"),
    ],
)
def test_settings_that_are_no_file_are_told(
    make: Callable[[Path], None], told: str, done: Path
) -> None:
    (done / "survey.json").rename(done / "elsewhere.json")
    make(done / "survey.json")
    with pytest.raises(CannotRun, match=told):
        run(done)


# The folder
# ----------------------------------------------------------------------------------------------------------


def test_chunks_that_lie_elsewhere_are_left_alone(done: Path, tmp_path: Path) -> None:
    elsewhere = (done / "chunks").rename(tmp_path / "elsewhere")
    (elsewhere / ".maps.csv.0123456789abcdef.part").write_text("", "ascii")
    before = sorted(elsewhere.iterdir())
    (done / "chunks").symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(CannotRun, match="chunks is a link, but a survey stays in its own folder"):
        run(done)
    assert sorted(elsewhere.iterdir()) == before


@pytest.mark.parametrize("name", ["maps.csv", "summary.txt", "summary.json", "histograms.svg"])
def test_nothing_is_written_through_a_link(
    name: str, done: Path, whole: dict[str, bytes], tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("mine", "ascii")
    (done / name).unlink()
    (done / name).symlink_to(tmp_path / "mine")
    run(done)
    assert (tmp_path / "mine").read_text("ascii") == "mine"
    assert files_of(done) == whole
    assert not (done / name).is_symlink()


def test_what_a_kill_left_is_removed_and_nothing_else(done: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", "ascii")
    stays = [
        done / ".git",
        done / ".maps.csv.swp",
        done / ".notes.csv.0123456789abcdef.part",
        done / "mine.part",
    ]
    stays += [
        done / "chunks" / name
        for name in (".half.csv.1", ".DS_Store", "0000000-0000009.csv", ".part")
    ]
    for path in stays:
        path.write_text("mine", "ascii")
    seal = "0123456789abcdef"
    aside = f".0000000-0000009.{seal * 2}.csv.{seal}.part"
    goes = [
        done / f".maps.csv.{seal}.part",
        done / "chunks" / aside,
        done / "chunks" / f".survey.json.{seal}.part",
    ]
    for path in goes:
        path.write_text("half", "ascii")
    link = done / f".summary.txt.{seal}.part"
    link.symlink_to(tmp_path / "mine")
    folder = done / f".summary.json.{seal}.part"
    folder.mkdir()
    run(done)
    assert all(path.read_text("ascii") == "mine" for path in (*stays, tmp_path / "mine"))
    assert not any(os.path.lexists(path) for path in (*goes, link))
    assert folder.is_dir()


@pytest.mark.parametrize("name", ["chunks", "maps.csv", "chunks/0000010*"])
def test_what_is_in_the_way_is_told(name: str, done: Path) -> None:
    (path,) = done.glob(name)
    if path.is_dir():
        path.rename(done / "gone")
        path.write_text("", "ascii")
    else:
        path.unlink()
        path.mkdir()
    with pytest.raises(CannotRun, match=f"cannot write .*{path.name}"):
        run(done)
    assert path.exists()
    assert not list(done.glob(".*"))


@pytest.mark.parametrize(
    "place",
    often(
        ["file", "file/new", "/dev/null", "/dev/null/x", "/proc/x", "x" * 300],
        "file/new",
        "/proc/x",
    ),
)
def test_a_folder_that_cannot_be_written_is_told_in_a_line(
    place: str, platelayer, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine", "ascii")
    for words in (["new", "--no-draw"], ["survey", "--count", 3, "--workers", 0]):
        told = platelayer("atlas", *words, "--mode", "micro2", "-o", place)
        assert told.returncode == 2
        assert len(told.stderr.splitlines()) == 1, told.stderr
        assert told.stderr.startswith("platelayer: ")
        assert place in told.stderr
    assert (tmp_path / "file").read_text("ascii") == "mine"


def test_a_survey_has_a_number_of_maps_that_can_be(tmp_path: Path) -> None:
    for count in (0, -1, MAX_MAPS + 1, 10**18, 10**5000):
        with pytest.raises(CannotRun, match=f"count: a survey has 1 to {MAX_MAPS} maps"):
            run(tmp_path / "new", count=count)
    assert not (tmp_path / "new").exists()


# Kills
# ---------------------------------------------------------------------------------------------------------------

DIES_AT_EVERY_STEP = """
import os, sys
from pathlib import Path
from platelayer.atlas import survey as survey_store
from platelayer.atlas.compiled import Wanted
from platelayer.definitions.build import shipped_box
from platelayer.atlas.survey import SurveyOptions, survey

survey_store.CHUNK = {chunk}
folder, steps = Path(sys.argv[1]), iter(range(10**9))

def counted(act, last):
    def step(*words, **more):
        if next(steps) == last:
            os._exit(9)  # as by a kill: nothing is cleared up
        return act(*words, **more)
    return step

def run(last):
    for owner, name in ((os, "fsync"), (os, "replace"), (os, "mkdir"), (Path, "open"), (Path, "replace"),
                        (Path, "mkdir"), (Path, "unlink")):
        setattr(owner, name, counted(getattr(owner, name), last))
    survey(shipped_box(), Wanted(mode="micro2", policy="compact", seed=1), {count}, folder, SurveyOptions(workers=0))
    os._exit(0)

for last in range(0, 1000, {stride}):
    if (pid := os.fork()) == 0:
        try:
            run(last)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(last, status, len(list(folder.glob("chunks/*.csv"))))
    if status != 9:
        break
"""


@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_a_kill_at_any_step_costs_what_was_in_work_alone(
    stride: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    """One survey, killed at its first step, then `stride` steps further on, and so on, until it
    comes to an end."""
    script = DIES_AT_EVERY_STEP.format(chunk=CHUNK, count=COUNT, stride=stride)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    command = [sys.executable, "-c", script, str(tmp_path / "killed")]
    told = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=900, check=True
    )
    *kills, (_, status, chunks) = [
        tuple(map(int, line.split())) for line in told.stdout.splitlines()
    ]
    assert (status, chunks) == (0, 4), told.stderr
    assert len(kills) > 15 // stride
    kept = [chunks for _, _, chunks in kills]
    assert kept == sorted(kept)
    assert {0, 4} <= set(kept)
    assert stride > 1 or {*range(5)} == set(kept)
    assert files_of(tmp_path / "killed") == whole
    left = {path.name for path in (tmp_path / "killed").rglob("*") if path.is_file()}
    assert left == {*FILES, *(chunk(tmp_path / "killed", first).name for first in (0, 10, 20, 30))}


def killed(command: list[str], folder: Path, chunks: int, wait_s: float) -> int:
    """Start a survey and kill it with all its processes, a while after there are so many chunks;
    returns its status."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    process = subprocess.Popen(
        [*command, str(folder)], env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    deadline = time.monotonic() + 600
    while process.poll() is None and len(list(folder.glob("chunks/[0-9]*.csv"))) < chunks:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    time.sleep(wait_s)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait(timeout=300)


def is_whole_once(folder: Path, count: int, chunk: int) -> bool:
    """Is every map there, in order, in one chunk and in one row of the table; and nothing half
    written?"""
    names = sorted(path.name[:15] for path in (folder / "chunks").iterdir())
    rows = (folder / "maps.csv").read_text("ascii").splitlines()[1:]
    ranges = [f"{first:07}-{min(first + chunk, count) - 1:07}" for first in range(0, count, chunk)]
    return (
        names == ranges
        and [int(row.partition(",")[0]) for row in rows] == list(range(count))
        and {path.name for path in folder.iterdir()} == {*FILES, "chunks"}
    )


@pytest.mark.slow
@pytest.mark.parametrize("check", [False, True])
def test_kills_of_the_command_lose_and_double_nothing(check: bool, tmp_path: Path) -> None:
    """The command with two workers, killed a dozen times."""
    chance, chunk, count = random.Random(1800 + check), 250, 60_000
    checking = ["--check"] if check else []
    words = ["--mode", "long", "--seed", "7", "--count", str(count), *checking]
    command = [sys.executable, "-m", "platelayer", "atlas", "survey", *words]
    folder, kept, kills = tmp_path / "killed", 0, 0
    for _ in range(12):
        moment = kept + chance.randint(0, 12)
        status = killed([*command, "--workers", "2", "-o"], folder, moment, chance.uniform(0, 0.3))
        assert status in (0, -signal.SIGKILL)
        kills += status != 0
        kept = len(list((folder / "chunks").glob("[0-9]*.csv")))
        assert kept >= moment
    assert kills > 5
    for where, workers in ((folder, "2"), (tmp_path / "whole", "0")):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
        last = [*command, "--workers", workers, "-o", str(where)]
        subprocess.run(last, env=environment, check=True, stdout=subprocess.DEVNULL)
    assert files_of(folder) == files_of(tmp_path / "whole")
    assert is_whole_once(folder, count, chunk)
