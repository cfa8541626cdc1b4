"""Commands that hear Ctrl-C."""

from __future__ import annotations

import sys
import time
from pathlib import Path

_SCRIPT = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"


def interruptible(*command: str) -> list[str]:
    """The command, hearing SIGINT wherever the tests run: a shell makes what it starts in the
    background deaf to it."""
    return [sys.executable, "-c", _SCRIPT, *command]


def workers_of(process: int) -> list[int]:
    """The workers of a running command, once they are at work: all have several threads then."""
    children = Path(f"/proc/{process}/task/{process}/children")
    until = time.monotonic() + 300
    while time.monotonic() < until:
        found = [int(each) for each in children.read_text("ascii").split()]
        if len(found) >= 2 and all(_threads(each) >= 2 for each in (process, *found)):
            return found
        time.sleep(0.005)
    raise AssertionError("no workers")


def _threads(process: int) -> int:
    return len([*Path(f"/proc/{process}/task").iterdir()])
