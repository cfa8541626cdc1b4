"""Parallel work in several processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from platelayer.foundation.problems import CannotRun

Job = TypeVar("Job")
Result = TypeVar("Result")

PROCESSES = "PLATELAYER_PROCESSES"
"""The environment variable that says how many processes may work at a time; without it, one per processor."""


def share_out(
    work: Callable[[Job], Result], jobs: Sequence[Job], *, done: Callable[[Job], None] = lambda _job: None
) -> list[Result]:
    """`work` of each job, in the order of the jobs; jobs that take long should come first. `done` is called with each
    job as it is finished, in this process.

    `work` and the jobs are sent to the other processes once if these are spawned (`start_method`), so they must be
    picklable; so must results, always. If processes die or cannot be started, their jobs are done here. Raises what
    `work` raises, and CannotRun for a PLATELAYER_PROCESSES that is not a number.
    """
    workers = min(processes(), len(jobs))
    results = _by_workers(work, jobs, workers, done) if workers > 1 else {}
    for number, job in enumerate(jobs):
        if number not in results:
            results[number] = work(job)
            done(job)
    return [results[number] for number in range(len(jobs))]


def processes() -> int:
    """How many processes may work at a time."""
    asked = os.environ.get(PROCESSES, "").strip()
    if multiprocessing.current_process().daemon:
        return 1  # processes of a pool may not start others
    if not asked:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked[:4]) <= _MOST):
        raise CannotRun(f"{PROCESSES}={asked!r} is not a number of processes from 1 to {_MOST}")
    return int(asked)


_MOST = 61
"""The most processes that Windows allows in a pool."""


def start_method() -> str:
    """How processes are started: by `fork` on Linux while this process has a single thread, because a fork copies the
    locks that other threads hold; otherwise, or if the program has set another method for multiprocessing, by `spawn`,
    which works anywhere."""
    alone = sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
    return "fork" if alone and multiprocessing.get_start_method(allow_none=True) in (None, "fork") else "spawn"


def _by_workers(
    work: Callable[[Job], Result], jobs: Sequence[Job], workers: int, done: Callable[[Job], None]
) -> dict[int, Result]:
    """Results by the numbers of their jobs, except for those of processes that died."""
    results: dict[int, Result] = {}
    context = multiprocessing.get_context(start_method())
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(work, jobs))
    try:
        # A pool whose processes die, or cannot be started for lack of memory, leaves the rest to be done here.
        with suppress(BrokenProcessPool, OSError):
            with _ctrl_c_later():
                numbers = {pool.submit(_do, number): number for number in range(len(jobs))}
            for future in as_completed(numbers):
                results[numbers[future]] = future.result()
                done(jobs[numbers[future]])
    finally:
        pool.shutdown(cancel_futures=True)
    return results


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """While processes are started, which inherit this, Ctrl-C waits: one that is just starting would tell of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_task: tuple[Callable[[Any], Any], Sequence[Any]]
"""In a worker: what to do, and the jobs."""


def _begin(work: Callable[[Job], Result], jobs: Sequence[Job]) -> None:
    """Prepare a new process: Ctrl-C ends it silently, and it does not outlive the process it works for."""
    global _task  # noqa: PLW0603 - a worker has one task, given to it once
    _task = (work, jobs)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _do(number: int) -> Any:
    work, jobs = _task
    return work(jobs[number])


@contextmanager
def gc_paused() -> Iterator[None]:
    """Scenes are trees that live until a print is done: looking for cycles among them would take a twentieth of the
    time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
