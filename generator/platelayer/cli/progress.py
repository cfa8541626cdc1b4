"""A progress bar on standard error, if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from platelayer.foundation.ending import Before

_COLUMNS = 79
_BAR = 40


@contextmanager
def watch() -> Iterator[Callable[[str, int, int], None]]:
    """A callable that takes (stage, done, of)."""
    if not sys.stderr.isatty():
        yield lambda _stage, _done, _of: None
        return

    def show(line: str, end: str = "") -> None:
        sys.stderr.write(f"\r{line:<{_COLUMNS}.{_COLUMNS}}{end}")
        sys.stderr.flush()

    def progress(stage: str, done: int, of: int) -> None:
        show(f"{stage:<10} {'#' * (_BAR * done // max(of, 1)):.<{_BAR}} {done}/{of}")

    def clear() -> None:
        show("", end="\r")

    with Before(clear):
        try:
            yield progress
        finally:
            clear()
