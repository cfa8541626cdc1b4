"""Pieces of work in, their results out as they are done: by dask, on this machine or on a cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from platelayer.foundation.problems import CannotRun

Range = tuple[int, int]
_WAITING = 3
"""Pieces of work handed out per worker: enough that none waits, so few that results never pile up."""
_PATIENCE_S = 20


def run_here(work: Callable[[int, int], str], ranges: Sequence[Range]) -> Iterator[tuple[Range, str]]:
    """Each range with its rows, one after another in this process."""
    return ((each, work(*each)) for each in ranges)


def run_on_dask(
    work: Callable[[int, int], str], ranges: Sequence[Range], *, workers: int, scheduler: str | None = None
) -> Iterator[tuple[Range, str]]:
    """Each range with its rows, in the order in which they are done.

    `workers` processes on this machine, or those of the scheduler at an address. Raises CannotRun when dask is not
    installed or the scheduler cannot be reached, and whatever `work` raises.
    """
    try:
        dask: Any = import_module("distributed")
    except ImportError as stop:
        raise CannotRun("surveys run on dask, which is not installed: pip install 'platelayer[cluster]'") from stop
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with ExitStack() as stack:
        try:
            if scheduler is None:
                cluster = dask.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
                target: Any = stack.enter_context(cluster)
            else:
                target = scheduler
            client = stack.enter_context(dask.Client(target, timeout=_PATIENCE_S))
        except (OSError, ValueError) as stop:
            raise CannotRun(f"cannot reach the dask scheduler at {scheduler or 'this machine'}: {stop}") from stop
        hands = workers if scheduler is None else max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
        left = iter(ranges)
        range_of: dict[str, Range] = {}

        def hand_out() -> Any:
            """The next piece of work, or None."""
            each = next(left, None)
            if each is None:
                return None
            future = client.submit(work, *each, pure=False)
            range_of[future.key] = each
            return future

        handed = [future for _ in range(hands * _WAITING) if (future := hand_out()) is not None]
        done = dask.as_completed(handed)
        del handed
        for future in done:
            yield range_of.pop(future.key), future.result()
            if (another := hand_out()) is not None:
                done.add(another)
