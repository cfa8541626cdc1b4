"""Parallel work in several processes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from platelayer.foundation.problems import CannotRun

Job = TypeVar("Job")
Result = TypeVar("Result")

# Environment variable with the number of worker processes; the default is one per processor.
PROCESSES = "PLATELAYER_PROCESSES"
# Maximum size of a process pool on Windows.
_MOST = 61


def share_out(
    work: Callable[[Job], Result],
    jobs: Sequence[Job],
    *,
    processes: int,
    done: Callable[[Job], None] = lambda _job: None,
    alone: bool = False,
) -> list[Result]:
    """Run `work` on each job and return the results in the order of the jobs. Long jobs should come
    first. `done` is called in this process with each finished job.

    With one process, or `alone`, no process is started. Results must be picklable; so must `work`
    and the jobs where processes are spawned (`start_method`). If a process dies, the remaining jobs
    run here. Raises what `work` raises, and CannotRun for an impossible number of processes.
    """
    if not 1 <= processes <= _MOST:
        raise CannotRun(f"{processes} processes are not possible; use 1 to {_MOST}")
    workers = 1 if alone else min(processes, len(jobs))
    results = {}
    if workers > 1:
        from platelayer.foundation.workers import done_by_workers  # imports in 11 ms

        results = done_by_workers(work, jobs, workers, done)
    for number, job in enumerate(jobs):
        if number not in results:
            results[number] = work(job)
            done(job)
    return [results[number] for number in range(len(jobs))]


def available_processes() -> int:
    """Return the number of processes that the command uses. Raises CannotRun for an invalid
    PLATELAYER_PROCESSES."""
    wanted = os.environ.get(PROCESSES, "").strip()
    if not wanted:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if not (wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:4]) <= _MOST):
        raise CannotRun(f"{PROCESSES}={wanted!r} is not a number of processes from 1 to {_MOST}")
    return int(wanted)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector. Scenes are trees that live until a print is done; searching them
    for cycles would take a twentieth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
