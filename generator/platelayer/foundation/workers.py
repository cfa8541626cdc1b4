"""Processes that work for this one."""

from __future__ import annotations

import concurrent.futures
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

Job = TypeVar("Job")
Result = TypeVar("Result")


def done_by_workers(
    work: Callable[[Job], Result],
    jobs: Sequence[Job],
    workers: int,
    done: Callable[[Job], None],
) -> dict[int, Result]:
    """Run `work` on jobs in other processes and return the results by job number.

    Some are missing if a process dies, and all in a daemonic process (as in multiprocessing.Pool),
    which may not start others. Raises what `work` raises.
    """
    results: dict[int, Result] = {}
    if multiprocessing.current_process().daemon:
        return results
    with suppress(concurrent.futures.BrokenExecutor), _executor(work, jobs, workers) as executor:
        futures = {executor.submit(_work_on, number): number for number in range(len(jobs))}
        for future in concurrent.futures.as_completed(futures):
            number = futures[future]
            results[number] = future.result()
            done(jobs[number])
    return results


def start_method() -> str:
    """Return "fork" on Linux while this process has a single thread, because a fork copies the
    locks that other threads hold; otherwise, or if the program has set another method for
    multiprocessing, "spawn", which works anywhere."""
    # `threading` does not know the threads of libraries such as numpy.
    alone = sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
    chosen = multiprocessing.get_start_method(allow_none=True)
    return "fork" if alone and chosen in (None, "fork") else "spawn"


@contextmanager
def _executor(
    work: Callable[[Any], Any], jobs: Sequence[Any], workers: int
) -> Iterator[concurrent.futures.Executor]:
    """Yield an executor whose processes already know the work and the jobs, so that only numbers
    and results are sent."""
    method = start_method()
    with ExitStack() as stack:
        known: tuple[Any, ...] = (work, jobs)
        if method != "fork":
            # Do not pass these as arguments: multiprocessing writes arguments into a pipe and waits
            # for ever if the new process dies first, as it does in a script without a main guard.
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
            # After Ctrl-C or a failed job, do not wait for jobs that are still running. Python 3.14
            # has a method for this, `terminate_workers`.
            for process in list((executor._processes or {}).values()):
                process.terminate()
            # Wait for the executor's own thread: it closes the pipe that Python uses to end it at
            # exit. At Ctrl-C it may not have started, and then it cannot be joined.
            manager: Any = executor._executor_manager_thread
            executor.shutdown(wait=False, cancel_futures=True)
            if manager is not None and manager.is_alive():
                manager.join()
            raise
        executor.shutdown()


# In a worker process: the work function and the jobs.
_known: list[Any] = []


def _begin(*known: Any) -> None:
    """Prepare a worker. It ends silently at Ctrl-C, and with the process it works for."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_follow, daemon=True).start()
    if isinstance(known[0], Path):
        known = pickle.loads(read_bytes(known[0], sys.maxsize, own=True))
    _known[:] = known


def _follow() -> None:
    # A killed parent does not close its pipes, as the other workers hold them too.
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work_on(number: int) -> Any:
    work, jobs = _known
    return work(jobs[number])
