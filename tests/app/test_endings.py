"""How the command ends when something stops it: Ctrl-C, a dead worker, no memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from interrupts import interruptible, workers_of
from platelayer.cli import app
from platelayer.foundation.pool import PROCESSES
from processes import files_of

ROOT = Path(__file__).resolve().parents[2]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
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
