"""Writes that are stopped at each of their steps in turn. A script: prints as JSON what lay in the
folder each time.

    python stopped.py FOLDER kill|fail|fail-on|one|race
    python stopped.py FOLDER twice EVERY

A step is anything that Python does with a path in the folder, as its audit events tell. `kill` ends
the process before the step; `fail` has the system refuse it, once; `fail-on` it and all renames
after it; `one` ends a write of a single file; `twice` ends the write that puts things right too, at
each of its own steps, for every so many of the first's; `race` stops nothing, but has several
processes write at the same time.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from platelayer.foundation.problems import CannotRun
from platelayer.pipeline import write
from platelayer.pipeline.write import write_all

RECORD = "list.json"
OLD = {
    "a.txt": b"old a",
    "same.txt": b"same",
    "b.txt": b"old b",
    "gone/c.txt": b"old c",
    "bare/f.txt": b"old f",
    "kept/d.txt": b"old d",
}
NEW = {
    "a.txt": b"new a",
    "same.txt": b"same",
    "b.txt": b"new b",
    "kept/d.txt": b"new d",
    "more/e.txt": b"new e",
}
ONE = {"a.txt": b"new a"}
NEXT = {"next.txt": b"next"}
USERS = {"mine.txt": b"mine", "gone/mine.txt": b"mine", "kept/mine.txt": b"mine"}

STEPS = ("open", "os.rename", "os.mkdir", "os.rmdir", "os.remove")
REFUSED = ("os.rename", "os.mkdir")
KILLED, NOT_STOPPED = 9, 3


class Stop:
    """What happens at a step, counted from 1; `on`: at every rename after it too."""

    def __init__(
        self,
        number: int,
        act: Callable[[], None],
        steps: tuple[str, ...] = STEPS,
        *,
        on: bool = False,
    ) -> None:
        self.number, self.act, self.steps, self.on, self.count = number, act, steps, on, 0

    def look(self, event: str, arguments: Any) -> None:
        if event in self.steps or (event == "open" and "x" in (arguments[1] or "")):
            self.count += 1
            if self.count == self.number or (
                self.on and self.count > self.number and event == "os.rename"
            ):
                self.act()


_stop: Stop | None = None  # audit hooks cannot be taken away
_within = ""


def _hook(event: str, arguments: Any) -> None:
    # A path, or the number of a file that is open already.
    if (
        _stop is not None
        and event in STEPS
        and isinstance(arguments[0], (str, os.PathLike))
        and _within in os.fspath(arguments[0])
    ):
        _stop.look(event, arguments)


def tree(folder: Path) -> dict[str, str]:
    """Contents by path; "/" for an empty folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            found[name] = path.read_text("utf-8")
        elif not any(path.iterdir()):
            found[name] = "/"
    return found


def refuse() -> None:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


def kill() -> None:
    os._exit(KILLED)


def start(work: Callable[[], int]) -> int:
    """A process of its own, which ends with the status that `work` gives, or 2 for CannotRun."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except CannotRun:
            os._exit(2)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(70)
    return child


def status_of(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_child(stop: Stop | None, folder: Path, files: dict[str, bytes], record: str = "") -> int:
    """How a process ends that writes files: 0, 2, KILLED, or NOT_STOPPED when it came to no such
    step."""

    def work() -> int:
        global _stop  # noqa: PLW0603 - of the child alone
        _stop = stop
        write_all(folder, files, record=record)
        return NOT_STOPPED if stop is not None and stop.count < stop.number else 0

    return status_of(start(work))


def begin(folder: Path, files: dict[str, bytes]) -> None:
    """A folder with the user's own files and a set of ours."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in USERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    write_all(folder, files, record=RECORD)


WAYS = {
    "kill": lambda number: Stop(number, kill),
    "fail": lambda number: Stop(number, refuse, REFUSED),
    "fail-on": lambda number: Stop(number, refuse, REFUSED, on=True),
    "one": lambda number: Stop(number, kill),
}


def put_right(folder: Path, stop: Stop | None = None) -> int:
    """The next write, of another file."""
    return in_child(stop, folder, NEXT)


def numbers(every: int = 1) -> Iterator[int]:
    yield from range(1, 500, every)
    raise AssertionError("a write does not come to its end")


def once(folder: Path, way: str) -> Iterator[dict[str, Any]]:
    for number in numbers():
        begin(folder, OLD)
        status = in_child(WAYS[way](number), folder, *((ONE,) if way == "one" else (NEW, RECORD)))
        if status == NOT_STOPPED:
            return
        left = tree(folder)
        yield {"status": status, "left": left, "again": put_right(folder), "then": tree(folder)}


def twice(folder: Path, every: int) -> Iterator[dict[str, Any]]:
    half = folder.with_name("half")
    for number in numbers(every):
        begin(half, OLD)
        if in_child(Stop(number, kill), half, NEW, RECORD) == NOT_STOPPED:
            return
        for second in numbers():
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(half, folder)
            if put_right(folder, Stop(second, kill)) == NOT_STOPPED:
                break
            yield {"again": put_right(folder), "then": tree(folder)}


def race(folder: Path, hands: int = 4, times: int = 25) -> Iterator[dict[str, Any]]:
    """Each hand writes sets of its own: the same files with other contents, and one more file."""

    write._PATIENCE_S = 600.0  # on a busy machine a hand may be passed over for long

    def work(hand: int) -> int:
        for number in range(times):
            names = ("a.txt", "b.txt", f"of-{hand}/c.txt")
            write_all(folder, dict.fromkeys(names, f"{hand} {number}".encode()), record=RECORD)
        return 0

    for child in [start(partial(work, hand)) for hand in range(hands)]:
        yield {"status": status_of(child)}
    yield {"left": tree(folder)}


def whole(folder: Path, files: dict[str, bytes]) -> dict[str, str]:
    """What lies in the folder when a set was written over the old one without a stop."""
    begin(folder, OLD)
    write_all(folder, files, record=RECORD)
    return tree(folder)


if __name__ == "__main__":
    here, way = Path(sys.argv[1], "folder"), sys.argv[2]
    _within = str(here.parent)
    sys.addaudithook(_hook)
    os.fsync = lambda _handle: (
        None
    )  # what a killed process has written is not lost, and thousands of flushes take long
    rows = (
        race(here)
        if way == "race"
        else twice(here, int(sys.argv[3]))
        if way == "twice"
        else once(here, way)
    )
    found = {"rows": list(rows), "old": whole(here, OLD), "new": whole(here, NEW)}
    print(json.dumps(found))  # noqa: T201
