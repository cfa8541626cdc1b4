"""The compiled library of random maps, if there is one, and how numbers get in and out of it."""

from __future__ import annotations

import ctypes
import hashlib
import os
from array import array
from functools import cache
from pathlib import Path
from typing import Any

# Environment variable that, set to 0, leaves the library unused.
OFF = "PLATELAYER_COMPILED"
SOURCES = ("compiled.c", "compiled_chain.c", "compiled_check.c")
FOLDER = Path(__file__).parent


def library_name(folder: Path = FOLDER) -> str:
    """The file name of the library built from these sources: one of other sources is never
    loaded."""
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in SOURCES)).hexdigest()
    return f"_compiled_{digest[:12]}.so"


@cache
def library() -> Any:
    """The library, or None where it was not built or is not wanted."""
    if os.environ.get(OFF) == "0":
        return None
    try:
        return ctypes.CDLL(str(FOLDER / library_name()))
    except (
        OSError
    ):  # not built, built for another system, or in a browser, which has not even the sources
        return None


def numbers(count: int) -> array[int]:
    """An array of `count` int32 zeros."""
    return array("i", bytes(4 * count))


def at(numbers: array[int]) -> Any:
    """The address of an array, to pass to the library."""
    return ctypes.c_void_p(numbers.buffer_info()[0])
