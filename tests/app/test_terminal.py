"""The command at its edges: streams that are closed, full or not UTF-8, and a strange
environment."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import click
import pytest

from interrupts import interruptible, workers_of
from often import often
from platelayer.cli import app
from platelayer.cli.app import exit_status
from platelayer.cli.terminal import watch
from platelayer.comparison.compare import compare
from platelayer.exchange.importers import import_title
from platelayer.foundation.pool import PROCESSES
from platelayer.foundation.problems import reporting_to, step
from platelayer.foundation.resources import title_path
from platelayer.play.report import supply
from processes import files_of

ROOT = Path(__file__).resolve().parents[2]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and descriptors of POSIX")
COMMAND = (sys.executable, "-m", "platelayer")


def _environment(**more: str) -> dict[str, str]:
    return {"PATH": os.defpath, "PYTHONPATH": str(ROOT / "generator"), **more}


def _run(*words: object, shell_words: str = "", **more: str) -> subprocess.CompletedProcess[bytes]:
    """The command with its standard output and error as bytes; `shell_words` redirect them."""
    command = [*map(str, (*COMMAND, *words))]
    if shell_words:
        command = ["sh", "-c", f'exec "$@" {shell_words}', "sh", *command]
    done = subprocess.run(command, check=False, env=_environment(**more), capture_output=True)
    assert b"Traceback" not in done.stderr + done.stdout, done.stderr
    assert b"Exception ignored" not in done.stderr, done.stderr
    return done


# The Czech names of the English report are what a Japanese terminal cannot show.
@pytest.mark.parametrize(
    ("encoding", "language"),
    often(
        [("cp1252", "ja"), ("cp932", "en"), ("ascii", "ja"), ("latin-1", "ja"), ("utf-8", "ja")],
        ("cp932", "en"),
        ("ascii", "ja"),
    ),
)
def test_any_terminal_takes_every_report(encoding: str, language: str) -> None:
    done = _run("manifest", "18cz", "--lang", language, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    shown = done.stdout.decode(
        "utf-8" if encoding == "ascii" else encoding
    )  # click takes ASCII for a slip
    assert len(shown.splitlines()) > 100
    assert ("\\u" in shown or "\\x" in shown) == (encoding not in ("ascii", "utf-8"))


def test_json_is_utf_8_whatever_the_terminal_speaks() -> None:
    words = ("manifest", "18cz", "--lang", "ja", "--format", "json")
    done = _run(*words, PYTHONIOENCODING="cp1252")
    assert json.loads(done.stdout.decode("utf-8"))


@POSIX
@pytest.mark.parametrize(
    "closed", often([">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"], "<&- >&- 2>&-")
)
def test_closed_streams_change_no_exit_status(tmp_path: Path, closed: str) -> None:
    assert (
        _run("build", "18eu", "--only", "token", "-o", tmp_path, shell_words=closed).returncode == 0
    )
    assert (tmp_path / "18eu" / "tokens.pdf").read_bytes().startswith(b"%PDF")
    assert _run("build", "nonesuch", shell_words=closed).returncode == 1


ANSWERING = (
    "titles", "check 18eu --quick", "manifest 18eu", "manifest 18eu --format json", "upgrades 18eu", "explain LG01",
    "export 18eu --to csv", "export 18eu --to tile-strings", "compare 18eu 18eu", "--help",
    "--version", "supply 18eu", "atlas find --mode micro2 --maps 20",
)  # fmt: skip


@POSIX
@pytest.mark.parametrize(
    ("words", "lost"),
    often(
        product(ANSWERING, (">&-", ">/dev/full")),
        ("titles", ">&-"),
        ("manifest 18eu", ">/dev/full"),
        ("export 18eu --to csv", ">/dev/full"),
    ),
)
def test_an_answer_that_nobody_gets_is_a_failure(words: str, lost: str) -> None:
    if lost == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    done = _run(*words.split(), shell_words=lost)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "value",
    ["abc", *(pytest.param(value, marks=pytest.mark.slow) for value in ("", "-1", "9" * 400))],
)
def test_no_variable_dates_a_file(tmp_path: Path, value: str) -> None:
    for name, more in (("dated", {"SOURCE_DATE_EPOCH": value}), ("plain", {})):
        assert (
            _run("build", "18eu", "--only", "token", "-o", tmp_path / name, **more).returncode == 0
        )
    pdfs = [(tmp_path / name / "18eu" / "tokens.pdf").read_bytes() for name in ("dated", "plain")]
    assert pdfs[0] == pdfs[1]


def test_a_scale_that_makes_no_sense_is_refused(platelayer, tmp_path: Path) -> None:
    for scale in ("0", "-1", "nan", "inf", "1e400"):
        done = platelayer("build", "18eu", "--only", "token", "-o", ".", "--scale-x", scale)
        assert (done.returncode, "SH06" in done.stderr) == (1, True), scale
    assert not [*tmp_path.iterdir()]


def test_a_number_of_processes_that_makes_no_sense_is_refused(
    platelayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATELAYER_PROCESSES", "many")
    done = platelayer("build", "18eu", "-o", "out")
    assert done.returncode == 2
    assert "PLATELAYER_PROCESSES" in done.stderr


# How the command ends when something stops it: Ctrl-C, a dead worker, no memory


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
BUILD = ("build", "18eu", "--profile", "pictures", "-o")
"""A print that takes seconds."""


def _start(*words: object, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        interruptible(sys.executable, "-m", "platelayer", *map(str, words)),
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT / "generator"), PROCESSES: "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@LINUX
@pytest.mark.parametrize(
    ("whom", "earlier"), [(os.killpg, True), (os.kill, False)], ids=["terminal", "process"]
)
def test_ctrl_c_in_a_build_ends_it_and_leaves_all_as_it_was(
    tmp_path: Path, whom, earlier: bool
) -> None:
    """A terminal sends it to the workers too; `kill -INT` to the command alone. In the folder there
    is an earlier print, or nothing."""
    if earlier:
        first = _start("build", "18eu", "--only", "token", "-o", "out", cwd=tmp_path)
        first.communicate(timeout=300)
        assert first.returncode == 0
    before = files_of(tmp_path)
    running = _start(*BUILD, "out", cwd=tmp_path)
    workers = workers_of(running.pid)
    whom(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=300)
    assert (running.returncode, err.split("\n"), out) == (
        130,
        ["", "platelayer: interrupted", ""],
        "",
    )
    assert files_of(tmp_path) == before
    assert earlier or not [*tmp_path.iterdir()]
    assert not any(map(_is_running, workers))


@LINUX
def test_a_build_outlives_a_dead_worker(tmp_path: Path) -> None:
    """As the system kills one where memory is short."""
    words = ("build", "18eu", "--only", "token,train,tile,certificate", "-o")
    plain = _start(*words, "plain", cwd=tmp_path)
    plain.communicate(timeout=300)
    running = _start(*words, "out", cwd=tmp_path)
    os.kill(workers_of(running.pid)[0], signal.SIGKILL)
    running.communicate(timeout=300)
    assert (plain.returncode, running.returncode) == (0, 0)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "plain")


@POSIX
def test_a_command_that_is_deaf_to_ctrl_c_stays_so(tmp_path: Path) -> None:
    """As those that a shell starts in the background."""
    program = (
        "import os, signal; signal.signal(2, signal.SIG_IGN)\n"
        "from platelayer.cli import app\n"
        "os.kill(os.getpid(), 2); app.run(['titles'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "generator")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (MemoryError(), 2, "platelayer: there is not enough memory for this\n"),
        (OSError(28, "No space left on device"), 2, "platelayer: No space left on device\n"),
        (
            PermissionError(13, "Permission denied", "a.pdf"),
            2,
            "platelayer: a.pdf: Permission denied\n",
        ),
        (KeyboardInterrupt(), 130, "\nplatelayer: interrupted\n"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_stops_a_command_is_one_line(
    error: BaseException,
    status: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    @click.command()
    def fails() -> None:
        raise error

    monkeypatch.setitem(app.cli.commands, "titles", fails)
    monkeypatch.setattr("gc.freeze", lambda: None)
    with pytest.raises(SystemExit) as ended:
        app.run(["titles"])
    assert ended.value.code == status
    assert capsys.readouterr().err == words


# `--verbose`, what a terminal shows while a command runs, and files on standard output


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
