"""How the command ends, whenever Ctrl-C comes and however little memory there is: in one line."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interrupts import interruptible
from often import often
from platelayer.foundation import ending, forks
from platelayer.foundation.ending import is_lack_of_memory
from platelayer.foundation.pool import PROCESSES
from platelayer.pipeline.write import UNFINISHED

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("interrupted.py")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="forks, /proc and limits of memory")

COMMANDS = {
    "help": ["--help"],
    "check": ["check", "18eu"],
    "build": ["build", "18eu", "-o", "out"],
    "atlas": ["atlas", "new", "--mode", "short", "-o", "out"],
    "draw": ["draw", "18eu", "tile:57", "-o", "57.png"],
    "export": ["export", "18eu", "--to", "files", "--only", "token", "-o", "out"],
    "new": ["new", "title"],
}
INTERRUPTED = (130, "platelayer: interrupted\n")
NO_MEMORY = (2, "platelayer: there is not enough memory for this\n")


def _environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "generator"), **more}


def _interrupted(
    folder: Path, command: list[str], way: str, moments: list[float]
) -> list[dict[str, Any]]:
    words = [
        sys.executable,
        str(SCRIPT),
        str(folder / "here"),
        way,
        ",".join(map(str, moments)),
        *command,
    ]
    environment = _environment(**{PROCESSES: "2"})
    done = subprocess.run(words, check=True, env=environment, capture_output=True, text=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(rows) == len(moments)
    return rows


def _check_interrupted(rows: list[dict[str, Any]]) -> int:
    """All ended as they should; how many of them before their work was done."""
    for row in rows:
        assert row["started"], row
        assert (row["status"], row["err"]) in (INTERRUPTED, (0, "")), row
        assert not any(UNFINISHED in name for name in row["left"]), row
    return sum(row["status"] != 0 for row in rows)


@LINUX
@pytest.mark.parametrize("name", often(list(COMMANDS), "check", "build"))
def test_ctrl_c_at_any_call_ends_in_one_line(tmp_path: Path, name: str) -> None:
    moments = [*range(1, 12), *(round(12 * 2.2**power) for power in range(15))]
    rows = _interrupted(tmp_path, COMMANDS[name], "call", moments)
    assert _check_interrupted(rows) >= 18
    assert not any(row["left"] for row in rows[:18])


@LINUX
@pytest.mark.parametrize("name", often(list(COMMANDS), "check", "build"))
def test_ctrl_c_from_outside_ends_in_one_line(tmp_path: Path, name: str) -> None:
    moments = [0.0, 0.01, 0.03, 0.07, 0.15, 0.4, 1.0]
    interrupted = _check_interrupted(_interrupted(tmp_path, COMMANDS[name], "after", moments))
    assert interrupted or name != "build"  # the others may be done before this process has its turn


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_at_every_moment_ends_in_one_line(tmp_path: Path, name: str) -> None:
    moments = [step * 0.005 for step in range(200)]
    _check_interrupted(_interrupted(tmp_path, COMMANDS[name], "after", moments))
    chance = random.Random(1)
    calls = sorted(round(10 ** chance.uniform(0, 5)) for _ in range(100))
    assert _check_interrupted(_interrupted(tmp_path, COMMANDS[name], "call", calls)) >= 1


def _run(program: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = interruptible(sys.executable, "-c", program, *words)
    return subprocess.run(
        command, check=False, env=_environment(**more), capture_output=True, text=True
    )


_START = """
import os, signal, sys
from platelayer.foundation.ending import Before, Unwinding, deaf, end_clearly
end_clearly()
ctrl_c = lambda: os.kill(os.getpid(), signal.SIGINT)
"""
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@POSIX
@pytest.mark.parametrize(
    "where",
    [
        "ctrl_c()",
        "try:\n    ctrl_c()\nexcept BaseException:\n    print('lost')",
        "class A:\n    def __del__(self): ctrl_c()\nA()",
        "class A:\n    def __del__(self): ctrl_c()\nwith Unwinding():\n    A()\nprint('lost')",
        "import ctypes\nact = ctypes.CFUNCTYPE(None)(ctrl_c)\nwith Unwinding():\n    act()\nprint('lost')",
        "import threading\nthreading.Thread(target=ctrl_c).start()\nimport time\nwhile True: time.sleep(0.01)",
        "import atexit\natexit.register(ctrl_c)",
        "import gc, weakref\nclass A: pass\na = A()\nweakref.finalize(a, ctrl_c)\nwith Unwinding():\n    del a",
    ],
)
def test_ctrl_c_is_never_lost(where: str) -> None:
    done = _run(_START + where)
    assert (done.returncode, done.stderr, done.stdout) == (*INTERRUPTED, "")


@POSIX
def test_what_is_begun_is_put_back_unless_ctrl_c_comes_again() -> None:
    body = "try:\n    with Unwinding():\n        ctrl_c()\nexcept KeyboardInterrupt:\n    print('back', flush=True)\n"
    assert _run(_START + body).stdout == "back\n"
    again = _run(_START + body + "    ctrl_c()\n    print('lost')")
    assert (again.returncode, again.stderr, again.stdout) == (*INTERRUPTED, "back\n")
    nested = _run(_START + "with Unwinding():\n    with Unwinding():\n        pass\n    ctrl_c()")
    assert nested.stderr.endswith("KeyboardInterrupt\n")


@POSIX
def test_ctrl_c_changes_nothing_when_all_is_told() -> None:
    done = _run(_START + "print('done', flush=True)\ndeaf()\nctrl_c()\nsys.exit(3)")
    assert (done.returncode, done.stderr, done.stdout) == (3, "", "done\n")
    at_the_end = _run(
        _START
        + "class A:\n    def __del__(self): os.kill(os.getpid(), 2)\nsys.kept = A()\nsys.exit(3)"
    )
    assert (at_the_end.returncode, at_the_end.stderr) == (3, "")


@POSIX
def test_a_bar_is_taken_away_before_the_line() -> None:
    done = _run(_START + "with Before(lambda: print('bar away', flush=True)):\n    ctrl_c()")
    assert (done.returncode, done.stderr, done.stdout) == (*INTERRUPTED, "bar away\n")


@POSIX
def test_who_is_deaf_to_ctrl_c_stays_so() -> None:
    done = _run(
        "import signal; signal.signal(2, signal.SIG_IGN)\n" + _START + "ctrl_c()\nprint('on')"
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "on\n")


@LINUX
@pytest.mark.parametrize("delay_s", [0, 0.1, 0.5])
def test_ctrl_c_ends_the_installed_command_in_one_line(tmp_path: Path, delay_s: float) -> None:
    installed = Path(sys.executable).with_name("platelayer")
    start = [str(installed)] if installed.exists() else [sys.executable, "-m", "platelayer"]
    command = interruptible(*start, "build", "18eu", "--profile", "pictures", "-o", str(tmp_path))
    running = subprocess.Popen(
        command,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    maps, patience = Path(f"/proc/{running.pid}/maps"), time.monotonic() + 600
    while "msgspec" not in maps.read_text("utf-8"):  # imported by us: our first line has run
        assert time.monotonic() < patience
        time.sleep(0.002)
    time.sleep(delay_s)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=600)
    assert (running.returncode, err, out) == (*INTERRUPTED, "")
    assert not [*tmp_path.iterdir()]


_LIMITED = """
import importlib, resource, runpy, sys
for name in sys.argv.pop(1).split():
    importlib.import_module(name)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv.pop(1)),) * 2)
runpy.run_module("platelayer", run_name="__main__", alter_sys=True)
"""


BROKEN = (-signal.SIGSEGV, -signal.SIGABRT)
"""CPython 3.11 may break off by itself, at a limit that nobody can foresee, while it makes a
MemoryError known."""


def _check_limited(
    folder: Path, name: str, limits_mb: list[float], processes: int = 2, imported: str = ""
) -> list[int]:
    """The statuses of a command with so much memory beside what Python and what is imported
    take."""
    statuses: list[int] = []
    for limit_mb in limits_mb:
        here = folder / f"{limit_mb}"
        here.mkdir()
        command = [
            sys.executable,
            "-c",
            _LIMITED,
            imported,
            str(round(limit_mb * 2**20)),
            *COMMANDS[name],
        ]
        environment = _environment(**{PROCESSES: str(processes)})
        done = subprocess.run(
            command,
            check=False,
            cwd=here,
            env=environment,
            capture_output=True,
            text=True,
            timeout=900,
        )
        broken = done.returncode in BROKEN and "Traceback" not in done.stderr
        assert broken or (done.returncode, done.stderr) in (NO_MEMORY, (0, "")), (limit_mb, done)
        assert done.returncode == 0 or not [*here.iterdir()]
        statuses.append(done.returncode)
    assert sum(status in BROKEN for status in statuses) <= 1, statuses
    return statuses


@LINUX
@pytest.mark.parametrize("name", often(list(COMMANDS), "build"))
def test_too_little_memory_is_told_in_one_line_by_every_command(tmp_path: Path, name: str) -> None:
    statuses = _check_limited(tmp_path, name, [1, 13, 35, 1000])
    assert statuses[0] == 2
    assert statuses[-1] == 0


@LINUX
def test_too_little_memory_is_told_in_one_line_in_the_middle_of_a_print(tmp_path: Path) -> None:
    imported = "platelayer.pipeline.build platelayer.drawing.pieces platelayer.render.pdf platelayer.preflight"
    statuses = _check_limited(tmp_path, "build", [3, 4, 5, 6], processes=1, imported=imported)
    assert {*statuses} - {*BROKEN} == {2}


@LINUX
@pytest.mark.parametrize("limit_mb", [11.5, 12.5, 13, 14, 15, 18.7])
def test_a_title_begun_without_memory_is_put_back(tmp_path: Path, limit_mb: float) -> None:
    _check_limited(tmp_path, "new", [limit_mb])


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_any_limit_of_memory_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    assert {0, 2} == {*_check_limited(tmp_path, name, [*range(1, 100, 2), 1000])} - {*BROKEN}


def test_lack_of_memory_has_many_names() -> None:
    for error in (
        MemoryError(),
        OSError(12, "Cannot allocate memory"),
        ImportError("libcairo.so: failed to map segment from shared object"),
        ImportError("_x.so: cannot allocate memory in static TLS block"),
        RuntimeError("can't start new thread"),
        SystemError("error return without exception set"),
    ):
        assert is_lack_of_memory(error)
        later = RuntimeError("other")
        later.__cause__ = error
        assert is_lack_of_memory(later)
    for error in (
        OSError(2, "no such file"),
        ImportError("No module named x"),
        ValueError("out of memory"),
    ):
        assert not is_lack_of_memory(error)
    circle = ValueError()
    circle.__context__ = circle
    assert not is_lack_of_memory(circle)


def test_its_module_takes_no_time_to_import() -> None:
    found = _run(
        "import json, sys; before = {*sys.modules}; import platelayer.__main__;"
        "print(json.dumps([*{*sys.modules} - before]))"
    )
    ours = {
        "platelayer",
        "platelayer.__main__",
        "platelayer.foundation",
        forks.__name__,
        ending.__name__,
    }
    assert {*json.loads(found.stdout)} <= {*ours, "__future__", "atexit", "errno", "gc", "_signal"}
