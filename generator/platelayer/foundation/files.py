"""Bytes of files that may be anything."""

from __future__ import annotations

import os
from pathlib import Path

_BYTES = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def read_at_most(path: Path, most: int) -> bytes:
    """The first `most` bytes of a file or pipe. A file of the system that would have more to say later (/proc/kmsg) is
    read as far as it goes now. Raises OSError, and ValueError for what is no path."""
    flags = _BYTES | _AT_ONCE if path.is_file() else _BYTES
    with os.fdopen(os.open(path, flags), "rb") as stream:
        return stream.read(most) or b""
