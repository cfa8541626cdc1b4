"""Progress bars on standard error, if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from platelayer.foundation.ending import Before


@contextmanager
def watch() -> Iterator[Callable[[str, int, int], None]]:
    """A callable that takes (stage, done, of); rich is imported only if there is a terminal to draw on."""
    if not sys.stderr.isatty():
        yield lambda _stage, _done, _of: None
        return
    # Without a refreshing thread: processes are forked from this one, and a fork copies the locks of threads.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    with bars, Before(bars.stop):
        task = bars.add_task("", total=None)
        yield lambda stage, done, of: bars.update(task, description=stage, completed=done, total=of, refresh=True)
