"""Parallel work in several processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar, cast

from platelayer.foundation.ending import is_lack_of_memory
from platelayer.foundation.problems import CannotRun

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    _Line: TypeAlias = Connection[Any, Any]

Job = TypeVar("Job")
Result = TypeVar("Result")

PROCESSES = "PLATELAYER_PROCESSES"
"""The environment variable for the number of processes that the command works in; without it, one
per processor."""


def share_out(
    work: Callable[[Job], Result],
    jobs: Sequence[Job],
    *,
    processes: int,
    done: Callable[[Job], None] = lambda _job: None,
) -> list[Result]:
    """`work` of each job, in the order of the jobs; jobs that take long should come first. `done`
    is called with each job as it is finished, in this process.

    With one process nothing is started. `work` and the jobs are sent to the other processes once if
    these are spawned (`start_method`), so they must be picklable; so must results, always. If
    processes die or cannot be started, their jobs are done here. Raises what `work` raises, and
    CannotRun for an impossible number of processes.
    """
    if not 1 <= processes <= _MOST:
        raise CannotRun(f"{processes} processes are not possible; use 1 to {_MOST}")
    this = multiprocessing.current_process()
    if getattr(
        this, "_inheriting", False
    ):  # spawned, and still importing the script that began it all
        raise CannotRun(
            'a script that works in several processes must do so below `if __name__ == "__main__":`'
        )
    if this.daemon:
        processes = 1  # processes of a pool may not start others
    workers = min(processes, len(jobs))
    results = _by_workers(work, jobs, workers, done) if workers > 1 else {}
    for number, job in enumerate(jobs):
        if number not in results:
            results[number] = work(job)
            done(job)
    return [results[number] for number in range(len(jobs))]


def available_processes() -> int:
    """The number of processes that the command works in. Raises CannotRun for a wrong
    PLATELAYER_PROCESSES."""
    asked = os.environ.get(PROCESSES, "").strip()
    if not asked:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked[:4]) <= _MOST):
        raise CannotRun(f"{PROCESSES}={asked!r} is not a number of processes from 1 to {_MOST}")
    return int(asked)


_MOST = 61
"""The most processes that Windows allows in a pool."""


def start_method() -> str:
    """How processes are started: by `fork` on Linux while this process has a single thread, because
    a fork copies the locks that other threads hold; otherwise, or if the program has set another
    method for multiprocessing, by `spawn`, which works anywhere."""
    alone = sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
    return (
        "fork"
        if alone and multiprocessing.get_start_method(allow_none=True) in (None, "fork")
        else "spawn"
    )


def _by_workers(
    work: Callable[[Job], Result], jobs: Sequence[Job], workers: int, done: Callable[[Job], None]
) -> dict[int, Result]:
    """Results by the numbers of their jobs, except for those of processes that died.

    There is no thread here, and no lock is shared: a process that dies for lack of memory is a line
    that has ended, and nothing waits for it. (concurrent.futures waits for ever if one of its own
    threads cannot start.)
    """
    results: dict[int, Result] = {}
    left = iter(range(len(jobs)))
    hands: list[BaseProcess] = []
    lines: list[_Line] = []
    method = start_method()
    forks = method == "fork"
    try:
        context: Any = multiprocessing.get_context(method)
        with ctrl_c_later(), suppress(OSError):
            for _ in range(workers):
                here, there = context.Pipe()
                hand = context.Process(
                    target=_serve, args=(there, (work, jobs) if forks else None), daemon=True
                )
                hand.start()
                there.close()
                hands.append(hand)
                lines.append(here)
        waiting = [
            line for line in lines if (forks or _send(line, (work, jobs))) and _give(line, left)
        ]
        while waiting:
            for line in cast("list[_Line]", connection.wait(waiting)):
                try:
                    number, result, failure = line.recv()
                except (EOFError, OSError):
                    waiting.remove(line)
                    continue
                if failure is not None:
                    raise failure
                results[number] = result
                done(jobs[number])
                if not _give(line, left):
                    waiting.remove(line)
    finally:
        for hand in hands:
            hand.kill()
            hand.join()
        for line in lines:
            line.close()
    return results


def _give(line: _Line, left: Iterator[int]) -> bool:
    """Hands the next job to the process at the end of a line; False if there is none, of either."""
    number = next(left, None)
    return number is not None and _send(line, number)


def _send(line: _Line, what: Any) -> bool:
    """False if there is nobody at the end of the line."""
    with suppress(OSError):
        line.send(what)
        return True
    return False


@contextmanager
def ctrl_c_later() -> Iterator[None]:
    """While processes are started, which inherit this, Ctrl-C waits: one that is just starting
    would tell of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(line: _Line, shared: tuple[Callable[[Any], Any], Sequence[Any]] | None) -> NoReturn:
    """In a process of its own: the work of each job whose number comes along the line, or what it
    raises.

    Work and jobs come first along the line to a process that shares no memory: multiprocessing
    itself would wait for ever for one that dies before it has read them.

    Ctrl-C ends the process silently, and so does whatever it cannot tell: libraries that get no
    memory would say so in words of their own. It does not outlive the process it works for.
    """
    sys.unraisablehook = lambda _lost: os._exit(1)
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        parent = multiprocessing.parent_process()
        with suppress(RuntimeError):  # no memory for a thread: then it looks between jobs
            threading.Thread(target=_follow, args=(parent,), daemon=True).start()
        work, jobs = shared or line.recv()
        while parent is not None and parent.sentinel not in connection.wait(
            [line, parent.sentinel]
        ):
            number = line.recv()
            answer: tuple[int, Any, Exception | None]
            try:
                answer = (number, work(jobs[number]), None)
            except Exception as error:  # what it was raised from does not go along the line
                answer = (number, None, MemoryError() if is_lack_of_memory(error) else error)
            line.send(answer)
    finally:
        os._exit(1)


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Scenes are trees that live until a print is done: looking for cycles among them would take a
    twentieth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
