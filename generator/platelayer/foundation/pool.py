"""Parallel work in several processes."""

from __future__ import annotations

import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from platelayer.foundation.door import read_bytes
from platelayer.foundation.problems import CannotRun

Job = TypeVar("Job")
Result = TypeVar("Result")

# Environment variable for the number of processes that the command works in; without it, one
# per processor.
PROCESSES = "PLATELAYER_PROCESSES"
# The most processes that Windows allows in a pool.
_MOST = 61


def share_out(
    work: Callable[[Job], Result],
    jobs: Sequence[Job],
    *,
    processes: int,
    done: Callable[[Job], None] = lambda _job: None,
) -> list[Result]:
    """`work` of each job, in the order of the jobs; jobs that take long should come first. `done`
    is called with each job as it is finished, in this process.

    With one process nothing is started. Results must be picklable; so must `work` and the jobs
    where processes are spawned (`start_method`). If a process dies, what is left is done here.
    Raises what `work` raises, and CannotRun for an impossible number of processes.
    """
    if not 1 <= processes <= _MOST:
        raise CannotRun(f"{processes} processes are not possible; use 1 to {_MOST}")
    if multiprocessing.current_process().daemon:
        processes = 1  # a daemonic process, as those of multiprocessing.Pool, may not start others
    workers = min(processes, len(jobs))
    results: dict[int, Result] = {}
    if workers > 1:
        with (
            suppress(concurrent.futures.BrokenExecutor),
            _executor(work, jobs, workers) as executor,
        ):
            futures = {executor.submit(_work_on, number): number for number in range(len(jobs))}
            for future in concurrent.futures.as_completed(futures):
                number = futures[future]
                results[number] = future.result()
                done(jobs[number])
    for number, job in enumerate(jobs):
        if number not in results:
            results[number] = work(job)
            done(job)
    return [results[number] for number in range(len(jobs))]


def available_processes() -> int:
    """The number of processes that the command works in. Raises CannotRun for a wrong
    PLATELAYER_PROCESSES."""
    wanted = os.environ.get(PROCESSES, "").strip()
    if not wanted:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if not (wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:4]) <= _MOST):
        raise CannotRun(f"{PROCESSES}={wanted!r} is not a number of processes from 1 to {_MOST}")
    return int(wanted)


def start_method() -> str:
    """Return "fork" on Linux while this process has a single thread, because a fork copies the
    locks that other threads hold; otherwise, or if the program has set another method for
    multiprocessing, "spawn", which works anywhere."""
    # Threads of libraries such as numpy are not in `threading`.
    alone = sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if alone and chosen in (None, "fork") else "spawn"


@contextmanager
def _executor(
    work: Callable[[Any], Any], jobs: Sequence[Any], workers: int
) -> Iterator[concurrent.futures.Executor]:
    """Processes that know the work and the jobs, so that only numbers and results are sent."""
    method = start_method()
    with ExitStack() as stack:
        known: tuple[Any, ...] = (work, jobs)
        if method != "fork":
            # Not as an argument: multiprocessing writes these into a pipe, and waits for ever if
            # the new process dies first, as it does below a script without a guard.
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="platelayer-"))
            path = Path(folder, "work")
            path.write_bytes(pickle.dumps(known))
            known = (path,)
        executor = concurrent.futures.ProcessPoolExecutor(
            workers, multiprocessing.get_context(method), _begin, known
        )
        try:
            yield executor
        except BaseException:
            # Nobody waits for what the workers are busy with: Ctrl-C, or a job that failed.
            # Python 3.14 has a method for it, `terminate_workers`.
            for process in list((executor._processes or {}).values()):
                process.terminate()
            raise
        finally:
            executor.shutdown(cancel_futures=True)


# In a worker: the work and the jobs.
_known: list[Any] = []


def _begin(*known: Any) -> None:
    """Prepare a worker. It ends without a word at Ctrl-C, and with the process it works for."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_follow, daemon=True).start()
    if isinstance(known[0], Path):
        known = pickle.loads(read_bytes(known[0], sys.maxsize, own=True))
    _known[:] = known


def _follow() -> None:
    # A killed parent closes no pipe that its other workers hold as well.
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work_on(number: int) -> Any:
    work, jobs = _known
    return work(jobs[number])


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the collector: scenes are trees that live until a print is done, and looking for cycles
    among them would take a twentieth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
