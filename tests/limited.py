"""Commands in processes with limits of memory and processor time, forked from one that has imported
everything.

Run as a script, it reads commands as lines of JSON, and answers each with a line that says how it
ended.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

MEMORY_BYTES = 1 << 30
CPU_SECONDS = 20
WALL_SECONDS = 300
"""A process that waits uses no processor time."""
ROOT = Path(__file__).resolve().parents[1]


class Ended(NamedTuple):
    """How a command ended: its exit status (negative: the signal that ended it), what it printed,
    its seconds."""

    status: int
    out: str
    err: str
    seconds: float


class Runner:
    """Runs commands one after another."""

    def __init__(self, server: subprocess.Popen[str]) -> None:
        self._server = server

    def run(self, words: list[str], folder: Path) -> Ended:
        """A command in a folder; what it prints is kept beside it."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        out, err = folder.with_suffix(".out"), folder.with_suffix(".err")
        request = {"words": words, "folder": str(folder), "out": str(out), "err": str(err)}
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        status, seconds = json.loads(self._server.stdout.readline())
        texts = [path.read_bytes().decode("utf-8", "replace") for path in (out, err)]
        out.unlink()
        err.unlink()
        return Ended(status, *texts, seconds)


@contextmanager
def runner() -> Iterator[Runner]:
    """A process that forks one for each command, until the block ends."""
    environment = {
        "PYTHONPATH": str(ROOT / "generator"),
        "PATH": "/usr/bin:/bin",
        "PYTHONHASHSEED": "0",
    }
    environment["XDG_CACHE_HOME"] = os.environ.get(
        "XDG_CACHE_HOME", ""
    )  # else the user's secret is made beside `out`
    command = [sys.executable, str(Path(__file__))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        try:
            yield Runner(server)
        finally:
            assert server.stdin is not None
            server.stdin.close()
            server.wait(timeout=WALL_SECONDS)


@cache
def commands() -> Runner:
    """One that runs as long as this process."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(runner())


class Brought(NamedTuple):
    """How an import ended: its status, errors and report, and the seconds of processor time that it
    took."""

    status: int
    errors: str
    report: str
    seconds: float


def bring(source: Path, out: Path) -> Brought:
    """Import a game in the folder of `out`. No traceback is ever printed, and nothing is written
    but `out`, which is there only if the import ended well enough."""
    home = out.parent
    there = set(home.rglob("*"))
    status, printed, errors, seconds = commands().run(["import", str(source), "-o", str(out)], home)
    assert "Traceback" not in errors + printed, errors
    assert status in (0, 1, 2), (status, errors)
    assert {path for path in home.rglob("*") if out not in (path, *path.parents)} == there
    assert out.exists() is (status == 0 or (out / "title.json").exists()), errors
    report = out / "import-report.md"
    return Brought(status, errors, report.read_text("utf-8") if report.exists() else "", seconds)


def _serve() -> None:
    _import_all()
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(request)
        signal.signal(signal.SIGALRM, lambda *_, child=child: os.kill(child, signal.SIGKILL))
        signal.alarm(WALL_SECONDS)
        _, status, used = os.wait4(child, 0)
        signal.alarm(0)
        sys.stdout.write(
            json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime]) + "\n"
        )
        sys.stdout.flush()


def _become(request: dict[str, Any]) -> None:
    """This process runs the command and ends."""
    folder = request["folder"]
    os.environ |= {
        "PLATELAYER_PROCESSES": "1",
        "PLATELAYER_CACHE": "",
        "HOME": folder,
        "TMPDIR": folder,
    }
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, path in enumerate((os.devnull, request["out"], request["err"])):
        os.dup2(os.open(path, flags if number else os.O_RDONLY, 0o600), number)
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.argv = ["platelayer", *request["words"]]
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
        for number, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    from platelayer.__main__ import main

    main()


def _import_all() -> None:
    """What commands import as they run, so that each child begins with it."""
    import importlib

    for name in (
        "jsonschema",
        "pikepdf",
        "platelayer.atlas.command",
        "platelayer.atlas.find",
        "platelayer.atlas.make",
        "platelayer.cli.app",
        "platelayer.exchange.importers",
        "platelayer.pipeline.build",
        "platelayer.pipeline.load",
        "platelayer.pipeline.draw",
        "platelayer.preflight",
        "platelayer.render.pdf",
        "platelayer.render.png",
        "platelayer.render.svg",
    ):
        importlib.import_module(name)


if __name__ == "__main__":
    _serve()
