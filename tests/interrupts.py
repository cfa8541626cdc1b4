"""Commands that hear Ctrl-C."""

from __future__ import annotations

import sys

_SCRIPT = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"


def interruptible(*command: str) -> list[str]:
    """The command, hearing SIGINT wherever the tests run: a shell makes what it starts in the
    background deaf to it."""
    return [sys.executable, "-c", _SCRIPT, *command]
