"""Steps of the work, as they show on a terminal while a command runs, and all of them with
`--verbose`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_watchers: list[Callable[[str], None]] = []


def step(text: str) -> None:
    """Report what begins now, or what was read, kept or skipped."""
    for watcher in _watchers:
        watcher(text)


@contextmanager
def reporting_to(watcher: Callable[[str], None]) -> Iterator[None]:
    """Call `watcher` with each step of this process."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)
