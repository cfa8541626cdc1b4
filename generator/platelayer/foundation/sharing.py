"""Jobs in, their results in order out: done by two processes, each taking the next when it is free."""

from __future__ import annotations

import gc
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

_TICKET_BYTES = 2
"""A pipe holds tens of thousands of tickets, and gives each to one reader."""


def share_out(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """`work` of each job, in order; jobs that take long should come first. Where there are two processors and the
    system can fork, a second process helps.

    What is forked shares memory with this process, so that nothing but results is copied. `work` must not raise for bad
    input; should the other process die, what it had taken is done here after all.
    """
    done: dict[int, Result] = {}
    if len(jobs) > 1 and (os.cpu_count() or 1) > 1 and "fork" in multiprocessing.get_all_start_methods():
        done = _by_two(work, jobs)
    return [done[number] if number in done else work(job) for number, job in enumerate(jobs)]


def _by_two(work: Callable[[Job], Result], jobs: Sequence[Job]) -> dict[int, Result]:
    """Results by the numbers of their jobs, but for those of a process that died."""
    tickets, counter = os.pipe()
    os.write(counter, b"".join(number.to_bytes(_TICKET_BYTES, "big") for number in range(len(jobs))))
    os.close(counter)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_help, args=(work, jobs, tickets, sender), daemon=True)
    with warnings.catch_warnings():
        # A terminal's progress bar runs in a thread; the child only computes, it never touches the terminal.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()
    try:
        mine = _take(work, jobs, tickets)
        with suppress(EOFError):
            mine |= receiver.recv()
        return mine
    finally:
        os.close(tickets)
        receiver.close()
        process.terminate()
        process.join()


def _take(work: Callable[[Job], Result], jobs: Sequence[Job], tickets: int) -> dict[int, Result]:
    done: dict[int, Result] = {}
    while ticket := os.read(tickets, _TICKET_BYTES):
        number = int.from_bytes(ticket, "big")
        done[number] = work(jobs[number])
    return done


def _help(work: Callable[[Job], Result], jobs: Sequence[Job], tickets: int, sender: Connection) -> None:
    sender.send(_take(work, jobs, tickets))
    sender.close()


@contextmanager
def without_collector() -> Iterator[None]:
    """Scenes are trees that live until a print is done: looking for cycles among them takes a twentieth of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
