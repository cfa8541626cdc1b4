"""Parallel work with dask, on this machine or on a cluster."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

from platelayer.atlas.compiled import WrongMap
from platelayer.foundation.installing import to_install
from platelayer.foundation.problems import CannotRun

Range = tuple[int, int]
Results = Generator[tuple[Range, str], None, None]
_WAITING = 3
"""Pieces of work handed out per worker: enough that none waits, so few that results never pile
up."""
_PATIENCE_S = 20


def run_here(work: Callable[[int, int], str], ranges: Sequence[Range]) -> Results:
    """Each range with its rows, one after another in this process."""
    return ((span, work(*span)) for span in ranges)


def run_on_dask(
    work: Callable[[int, int], str],
    ranges: Iterable[Range],
    *,
    workers: int,
    scheduler: str | None = None,
) -> Results:
    """Each range with its rows, in the order in which they are done; ranges are taken as workers
    need them.

    `workers` processes on this machine, or those of the scheduler at an address. Raises CannotRun
    when dask is not installed, the scheduler cannot be reached, or workers are lost too often; and
    WrongMap where `work` does.
    """
    try:
        dask: Any = import_module("distributed")
    except ImportError as error:
        raise CannotRun(
            f"this runs on dask, which is not installed: {to_install('platelayer[cluster]')}"
        ) from error
    with ExitStack() as stack:
        stack.enter_context(_without_logs())
        hands = workers
        try:
            if scheduler is None:
                target = stack.enter_context(_processes(dask, workers))
            else:
                asyncio.run(_reach(dask, target := scheduler))
            client = stack.enter_context(dask.Client(target, timeout=_PATIENCE_S))
            if scheduler is not None:
                client.wait_for_workers(1, timeout=_PATIENCE_S)
                hands = len(client.scheduler_info(n_workers=-1)["workers"])
        except Exception as error:  # of any kind: an address can be invalid in many ways
            what = (
                "start worker processes"
                if scheduler is None
                else f"reach the dask scheduler at {scheduler[:60]!a}"
            )
            raise CannotRun(f"cannot {what}: {_first_line(error)}") from error
        left = iter(ranges)
        waiting: dict[Any, Range] = {}
        done: list[Any] = []
        while True:
            with _told(dask):
                for span in islice(left, hands * _WAITING - len(waiting)):
                    waiting[client.submit(work, *span, pure=False)] = span
                if not waiting:
                    return
                done = done or _some_done(dask, client, list(waiting))
                rows = done[-1].result()
            yield waiting.pop(done.pop()), rows


async def _reach(dask: Any, address: str) -> None:
    """Raises whatever prevents a connection to the scheduler, because a client that fails to
    connect is never closed."""
    comm = await dask.connect(
        address, timeout=_PATIENCE_S, **dask.Security().get_connection_args("client")
    )
    await comm.close()


def _some_done(dask: Any, client: Any, futures: Sequence[Any]) -> list[Any]:
    """Those that are done, as soon as there are any."""
    while True:
        try:
            return list(dask.wait(futures, timeout=_PATIENCE_S, return_when="FIRST_COMPLETED").done)
        except TimeoutError:  # to be expected if work takes long; but is any worker left?
            client.wait_for_workers(1, timeout=_PATIENCE_S)


@contextmanager
def _told(dask: Any) -> Iterator[None]:
    """Turns failures of workers into CannotRun with one line; lets WrongMap through."""
    try:
        yield
    except WrongMap:
        raise
    except dask.KilledWorker as error:
        raise CannotRun("worker processes kept dying: is there too little memory?") from error
    except (OSError, CancelledError, asyncio.CancelledError) as error:
        words = "lost the dask scheduler or all of its workers: do they all have the same version of Platelayer?"
        raise CannotRun(words) from error
    except Exception as error:
        raise CannotRun(f"a worker failed: {type(error).__name__}: {_first_line(error)}") from error


@contextmanager
def _without_logs() -> Iterator[None]:
    """Silences dask's logs about lost workers, which we report in one line."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


@contextmanager
def _processes(dask: Any, number: int) -> Iterator[Any]:
    """A dask cluster on this machine. Its processes ignore Ctrl-C; this one receives it and ends
    them."""
    from multiprocessing import resource_tracker

    with ExitStack() as stack:
        resource_tracker.ensure_running()  # whatever starts it lets SIGINT through again
        cluster = dask.LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            dashboard_address=":0",  # it needs a port even without a dashboard: any will do
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL + 1,
            preload=[__name__],
        )
        stack.enter_context(cluster)
        yield cluster


def dask_setup(_worker: object) -> None:
    """Called by dask in each process that starts here: it ignores Ctrl-C on every system and
    reports no failures itself; the process that ends it reports them once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
