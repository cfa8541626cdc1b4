"""A cache of results by the digest of what they were made from: in memory, or in a folder that processes share."""

from __future__ import annotations

import os
import pickle
import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from functools import cached_property
from hashlib import blake2b
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from platelayer.foundation.resources import shipped_files

FOLDER = "PLATELAYER_CACHE"
"""The environment variable that names the folder of the cache."""
MOST_BYTES = 256 << 20
MOST_BYTES_IN_MEMORY = 64 << 20
_LARGEST = MOST_BYTES // 8
_LEFT = 0.75
"""How much of a full cache is left when its oldest entries have been removed."""
_CHECK = 16
"""Bytes of the digest that an entry begins with."""
_SUFFIX = ".kept"
_MAKERS = ("budoux", "cairocffi", "fontTools", "msgspec", "pikepdf", "PIL", "reportlab", "svgwrite")
"""Packages that decide what is drawn, painted and found."""


def digest_of(*parts: object) -> str:
    """A digest of values whose `repr` says all that there is to say of them, such as structs of the model."""
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


class Cache:
    """Results by digest. Those of another version of the code, of what is shipped with it or of what it builds on are
    not found. What cannot be read, or is not as it was written, counts as not there; what cannot be written is not
    kept: a cache may be deleted, damaged, read-only or shared at any time.

    Without a folder, results are kept in the memory of this process.
    """

    def __init__(self, folder: Path | None = None, *, most_bytes: int | None = None) -> None:
        self._folder = folder
        self._most_bytes = most_bytes or (MOST_BYTES_IN_MEMORY if folder is None else MOST_BYTES)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> Any:
        """The result that was put under a digest, or None."""
        data = self._kept.get(key) if self._folder is None else _read(self._file(self._folder, key))
        if data is None:
            return None
        if self._folder is None:
            self._kept.move_to_end(key)
        try:
            return _Reader(BytesIO(data)).load()
        except Exception:  # a pickle that is not ours may raise anything
            return None

    def put(self, key: str, result: Any) -> None:
        """Keeps a result. It is made of structs of ours and what Python has."""
        data = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        if len(data) > min(_LARGEST, self._most_bytes):
            return
        if self._folder is not None:
            _write(self._file(self._folder, key), data)
            return
        self._bytes += len(data) - len(self._kept.pop(key, b""))
        self._kept[key] = data
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._kept.popitem(last=False)[1])

    def trim(self, *keys: str) -> None:
        """Removes what was not used for longest if the folder holds too much. Given the keys of
        new results, it looks only if one of them says so, as one in sixteen does: looking through a full cache takes
        60 ms."""
        if self._folder is None or (keys and not any(key.endswith("0") for key in keys)):
            return
        with suppress(OSError):
            entries = sorted(_entries(self._folder))
            size = sum(each[1] for each in entries)
            most = self._most_bytes if size <= self._most_bytes else self._most_bytes * _LEFT
            for _, each, path in entries:
                if size <= most:
                    break
                size -= each
                with suppress(OSError):
                    Path(path).unlink()

    @cached_property
    def _version(self) -> str:
        return digest_of(sys.version, list(_stamps()))

    def _file(self, folder: Path, key: str) -> Path:
        return folder / f"{digest_of(self._version, key)}{_SUFFIX}"


def user_cache() -> Cache | None:
    """The cache of this user: in the folder that PLATELAYER_CACHE names, else where the system keeps caches. None if
    there is no such place, or PLATELAYER_CACHE is empty."""
    named = os.environ.get(FOLDER)
    if named == "":
        return None
    try:
        return Cache(Path(named) if named else _caches() / "platelayer")
    except RuntimeError:  # nobody's home
        return None


def _caches() -> Path:
    """Where the system keeps caches of this user. (platformdirs knows too, but takes 14 ms to tell.)"""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    asked = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return asked if asked.is_absolute() else Path.home() / ".cache"


def _stamps() -> Iterator[tuple[str, int, int]]:
    """Size and time of every file that decides results: our own, and one of each package that we build on."""
    specs = (find_spec(name) for name in _MAKERS)
    for path in (*shipped_files(), *(spec.origin for spec in specs if spec is not None and spec.origin)):
        with suppress(OSError):
            status = os.stat(path)  # noqa: PTH116 - a Path for each of 500 would take a millisecond
            yield path, status.st_size, status.st_mtime_ns


def _read(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
    except (OSError, ValueError):
        return None
    if data[:_CHECK] != _check(data[_CHECK:]):
        return None
    with suppress(OSError):
        os.utime(path)
    return data[_CHECK:]


def _write(path: Path, data: bytes) -> None:
    """Writes an entry aside and moves it into place, so that nobody reads a part of it."""
    aside = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            aside.write_bytes(_check(data) + data)
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)


def _check(data: bytes) -> bytes:
    return blake2b(data, digest_size=_CHECK).digest()


def _entries(folder: Path) -> Iterator[tuple[int, int, str]]:
    """When each file of a cache was last used, its size, and where it is."""
    with os.scandir(folder) as found:
        for entry in found:
            with suppress(OSError):
                if entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime_ns, status.st_size, entry.path


class _Reader(pickle.Unpickler):
    """Reads structs of ours and nothing else: a file put into the cache by somebody else runs no code of theirs."""

    def find_class(self, module: str, name: str) -> Any:
        """A class of ours, or what Python and msgspec make objects with. Raises UnpicklingError for anything else."""
        if (module, name) == ("builtins", "getattr"):
            return _member
        if (module, name) in _BUILDERS:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith("platelayer.") and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return found


_BUILDERS = {("builtins", "set"), ("builtins", "frozenset"), ("msgspec._utils", "rebuild")}


def _member(enum: type[Enum], name: str) -> Enum:
    """A member of an enumeration of ours, which Python pickles as an attribute."""
    return enum[name]
