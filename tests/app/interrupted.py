"""Commands that hear Ctrl-C at moments of their own. A script: prints as JSON how each run ended.

    python interrupted.py FOLDER call N,N,... COMMAND...
    python interrupted.py FOLDER after SECONDS,SECONDS,... COMMAND...

Each run is a fork of this process, which has imported nothing of ours, so all of it is as in a
command that was just started. `call`: the signal comes at the Nth call of a function since our own
code has control, imports included; `after`: from outside, so long after. Paths in COMMAND are in
FOLDER, which is empty each time.
"""

import json
import os
import runpy
import shutil
import signal
import sys
import time
from pathlib import Path

READY = "end_clearly"
"""The function that settles how the command ends."""
_LONGEST_S = 600


def begin(command: list[str], number: int, ready: int) -> None:
    """The command, in this process. Never returns."""
    seen = -1

    def look(frame: object, event: str, _argument: object) -> None:
        nonlocal seen
        if seen < 0:
            if event == "return" and frame.f_code.co_name == READY:
                seen = 0
                os.write(ready, b".")
                if not number:
                    sys.setprofile(None)
        elif event in ("call", "c_return"):
            seen += 1
            if seen == number:
                sys.setprofile(None)
                os.kill(os.getpid(), signal.SIGINT)

    sys.argv = ["platelayer", *command]
    sys.setprofile(look)
    runpy.run_module("platelayer", run_name="__main__", alter_sys=True)


def run(folder: Path, way: str, moment: float, command: list[str]) -> dict[str, object]:
    """How a run ended: its status, what it said, and the files that it left. The status is None for
    one that hangs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    said = [folder.with_name(f"{folder.name}.{name}") for name in ("out", "err")]
    ready, ready_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.close(ready)
        for handle, path in enumerate(said, start=1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), handle)
        begin(command, int(moment) if way == "call" else 0, ready_end)
        raise SystemExit(70)
    os.close(ready_end)
    started = os.read(ready, 1) == b"."
    os.close(ready)
    if way == "after":
        time.sleep(moment)
        os.killpg(child, signal.SIGINT)
    status = None
    until = time.monotonic() + _LONGEST_S
    while status is None and time.monotonic() < until:
        done, code = os.waitpid(child, os.WNOHANG)
        status = os.waitstatus_to_exitcode(code) if done else None
        time.sleep(0.002)
    if status is None:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    out, err = (path.read_text("utf-8", errors="replace") for path in said)
    left = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return {
        "moment": moment,
        "started": started,
        "status": status,
        "out": out,
        "err": err,
        "left": left,
    }


if __name__ == "__main__":
    here, way, moments, *words = sys.argv[1:]
    rows = [run(Path(here), way, float(each), words) for each in moments.split(",")]
    sys.stdout.write(json.dumps(rows))
