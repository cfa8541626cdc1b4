"""Two shares of work in, both results out: one done here, the other in a forked process where the system has such."""

from __future__ import annotations

import gc
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TypeVar

Share = TypeVar("Share")
Result = TypeVar("Result")


def in_halves(work: Callable[[Share], Result], here: Share, there: Share) -> tuple[Result, Result]:
    """(work(here), work(there)), at the same time if there are two processors and the system can fork.

    What is forked shares memory with this process, so that nothing but the result of `there` is copied. `work` must
    not raise for bad input; should the other process die, its share is done here after all.
    """
    if (os.cpu_count() or 1) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return work(here), work(there)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(work, there, sender), daemon=True)
    with warnings.catch_warnings():
        # A terminal's progress bar runs in a thread; the child only computes, it never touches the terminal.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()
    try:
        mine = work(here)
        try:
            return mine, receiver.recv()
        except EOFError:
            return mine, work(there)
    finally:
        receiver.close()
        process.terminate()
        process.join()


def _send(work: Callable[[Share], Result], share: Share, sender: Connection) -> None:
    sender.send(work(share))
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
