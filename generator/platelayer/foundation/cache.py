"""A cache of results by the digest of their inputs, in a folder that several processes may use."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from msgspec import MsgspecError
from msgspec.msgpack import decode, encode

from platelayer.foundation.door import NotRead, read_bytes
from platelayer.foundation.languages import language_files
from platelayer.foundation.resources import shipped_files

# Environment variable with the cache folder.
FOLDER = "PLATELAYER_CACHE"
MOST_BYTES = 256 << 20
_LARGEST = MOST_BYTES // 8
# Share of a full cache that remains after its oldest entries have been removed.
_LEFT = 0.75
# Length of the digest at the start of an entry, in bytes.
_DIGEST = 16
# File names in a cache folder: finished entries, and files still being written.
_OURS = re.compile(r"[0-9a-f]{40}\.kept|[0-9a-f]{16}\.part")
# Packages whose versions affect what is drawn, painted and found.
_MAKERS = ("budoux", "cairocffi", "msgspec", "pikepdf", "PIL", "reportlab", "svgwrite")

T = TypeVar("T")


def digest_of(*parts: object) -> str:
    """Return a digest of values. Those that MessagePack can encode, such as structs of the model,
    are digested by their fields, which takes a seventh of the time of `repr`; all others by
    their `repr`."""
    try:
        data = encode(parts, enc_hook=repr)
    except UnicodeEncodeError:  # a lone surrogate
        data = repr(parts).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=20).hexdigest()


class Cache:
    """Results by digest and type.

    Results of another version of the code, of its shipped files or of its dependencies are not
    found. Entries that cannot be read, are damaged or belong to another user count as missing;
    entries that cannot be written are not kept. A cache may therefore be deleted, damaged,
    read-only or shared at any time.

    Entries are MessagePack, which holds values and no code. Each begins with a digest of its name
    and data.
    """

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def get(self, key: str, kind: type[T]) -> T | None:
        """Return the result of this type stored under a digest, or None."""
        name = self._name(key, kind)
        try:
            entry = read_bytes(self._folder / name, _LARGEST + _DIGEST, own=True)
        except NotRead:
            return None
        data = entry[_DIGEST:]
        if entry[:_DIGEST] != _digest(name, data):
            return None
        with suppress(OSError):
            os.utime(self._folder / name)  # mark the entry as the most recently used
        try:
            return decode(data, type=kind)
        except (MsgspecError, RecursionError):
            return None

    def put(self, key: str, result: T, kind: type[T]) -> None:
        """Store a result of a type that msgspec can decode."""
        try:
            data = encode(result)
        except (ValueError, OverflowError, RecursionError):
            return  # a lone surrogate, an infinite number, or nesting that is too deep
        if len(data) > min(_LARGEST, self._most_bytes):
            return
        name = self._name(key, kind)
        aside = self._folder / f"{os.urandom(8).hex()}.part"
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                aside.write_bytes(_digest(name, data) + data)
                aside.replace(self._folder / name)
            except OSError:
                aside.unlink(missing_ok=True)

    def trim(self, *keys: str) -> None:
        """Remove the least recently used entries if the folder holds too much. If keys of new
        results are given, only one key in sixteen triggers this, because listing a full cache
        takes 60 ms."""
        if keys and not any(key.endswith("0") for key in keys):
            return
        with suppress(OSError):
            entries = sorted(self._entries())
            size = sum(entry[1] for entry in entries)
            most = self._most_bytes if size <= self._most_bytes else self._most_bytes * _LEFT
            for _, freed, path in entries:
                if size <= most:
                    break
                size -= freed
                with suppress(OSError):
                    Path(path).unlink()

    def _entries(self) -> Iterator[tuple[int, int, str]]:
        """Yield, for each file that a cache has written, the time of its last use, its size, and
        its path."""
        with os.scandir(self._folder) as listing:
            for entry in listing:
                with suppress(OSError):
                    if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        yield status.st_mtime_ns, status.st_size, entry.path

    def _name(self, key: str, kind: object) -> str:
        return f"{digest_of(self._version, str(kind), key)}.kept"

    @cached_property
    def _version(self) -> str:
        return digest_of(sys.version, list(_stamps()))


def user_cache() -> Cache | None:
    """Return this user's cache: in the folder named by PLATELAYER_CACHE, else in the system's usual
    place. None if there is no such place, or PLATELAYER_CACHE is empty."""
    named = os.environ.get(FOLDER)
    if named == "":
        return None
    try:
        return Cache(Path(named) if named else caches() / "platelayer")
    except RuntimeError:  # no home folder
        return None


def caches() -> Path:
    """Return the folder where the system keeps this user's caches, without importing platformdirs
    (14 ms)."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    wanted = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return wanted if wanted.is_absolute() else Path.home() / ".cache"


def _stamps() -> Iterator[tuple[str, int, int]]:
    """Yield the size and time of every file that affects results: all of ours, and one of each
    package we depend on."""
    specs = (find_spec(name) for name in _MAKERS)
    for path in (
        *shipped_files(),
        *map(str, language_files()),
        *(spec.origin for spec in specs if spec is not None and spec.origin),
    ):
        with suppress(OSError):
            status = os.stat(path)  # noqa: PTH116 - a Path for each of 500 would take a millisecond
            yield path, status.st_size, status.st_mtime_ns


def _digest(name: str, data: bytes) -> bytes:
    digest = blake2b(name.encode(), digest_size=_DIGEST)
    digest.update(data)
    return digest.digest()
