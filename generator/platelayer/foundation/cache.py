"""A cache of results by the digest of what they were made from: in memory, or in a folder that
processes share."""

from __future__ import annotations

import os
import re
import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from stat import S_IRUSR, S_IRWXG, S_IRWXO, S_ISREG, S_IWUSR
from typing import TypeVar

from msgspec import MsgspecError
from msgspec.msgpack import decode, encode

from platelayer.foundation.languages import language_files
from platelayer.foundation.properties import cached_property
from platelayer.foundation.resources import shipped_files

FOLDER = "PLATELAYER_CACHE"
"""The environment variable that names the folder of the cache."""
MOST_BYTES = 256 << 20
MOST_BYTES_IN_MEMORY = 64 << 20
_LARGEST = MOST_BYTES // 8
_LEFT = 0.75
"""How much of a full cache is left when its oldest entries have been removed."""
_SEAL = 16
"""Bytes of the seal that an entry begins with."""
_SECRET = 32
"""Bytes of the secret that entries are sealed with."""
_OURS = re.compile(r"[0-9a-f]{40}\.kept|[0-9a-f]{16}\.part")
"""Names of files in the folder of a cache: entries, and what is being written."""
_MAKERS = ("budoux", "cairocffi", "msgspec", "pikepdf", "PIL", "reportlab", "svgwrite")
"""Packages that decide what is drawn, painted and found."""
_READ = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY")
)

T = TypeVar("T")


def digest_of(*parts: object) -> str:
    """A digest of values whose `repr` says all that there is to say of them, such as structs of the
    model."""
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


class Cache:
    """Results by digest and type. Those of another version of the code, of what is shipped with it
    or of what it builds on are not found. What cannot be read, or is not as this user wrote it
    under this digest, counts as not there; what cannot be written is not kept: a cache may be
    deleted, damaged, forged, read-only or shared at any time.

    Entries are MessagePack, which holds values and no code. Each is sealed, together with its name,
    by a secret that only this user can read, so that what others put into the folder is not there.

    Without a folder, results are kept in the memory of this process.
    """

    def __init__(self, folder: Path | None = None, *, most_bytes: int | None = None) -> None:
        self._folder = folder
        self._most_bytes = most_bytes or (MOST_BYTES_IN_MEMORY if folder is None else MOST_BYTES)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, key: str, kind: type[T]) -> T | None:
        """The result of this type that was put under a digest, or None."""
        name = self._name(key, kind)
        if self._folder is not None:
            data = self._unsealed(name, _read(self._folder / name, _LARGEST + _SEAL))
        elif data := self._kept.get(name):
            self._kept.move_to_end(name)
        if data is None:
            return None
        try:
            return decode(data, type=kind)
        except (MsgspecError, RecursionError):
            return None

    def put(self, key: str, result: T, kind: type[T]) -> None:
        """Keeps a result of a type that msgspec can decode."""
        try:
            data = encode(result)
        except (
            ValueError,
            OverflowError,
            RecursionError,
        ):  # half a surrogate, a number without end, too deep
            return
        if len(data) > min(_LARGEST, self._most_bytes):
            return
        name = self._name(key, kind)
        if self._folder is not None:
            if self._secret:
                _write(self._folder / name, _seal(self._secret, name, data) + data)
            return
        self._bytes += len(data) - len(self._kept.pop(name, b""))
        self._kept[name] = data
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._kept.popitem(last=False)[1])

    def trim(self, *keys: str) -> None:
        """Removes what was not used for longest if the folder holds too much. Given the keys of new
        results, it looks only if one of them says so, as one in sixteen does: looking through a
        full cache takes 60 ms."""
        if self._folder is None or (keys and not any(key.endswith("0") for key in keys)):
            return
        with suppress(OSError):
            entries = sorted(_entries(self._folder))
            size = sum(entry[1] for entry in entries)
            most = self._most_bytes if size <= self._most_bytes else self._most_bytes * _LEFT
            for _, freed, path in entries:
                if size <= most:
                    break
                size -= freed
                with suppress(OSError):
                    Path(path).unlink()

    @cached_property
    def _version(self) -> str:
        return digest_of(sys.version, list(_stamps()))

    @cached_property
    def _secret(self) -> bytes:
        return user_secret()

    def _name(self, key: str, kind: object) -> str:
        return f"{digest_of(self._version, str(kind), key)}.kept"

    def _unsealed(self, name: str, entry: bytes | None) -> bytes | None:
        """What an entry of this name holds, if it is sealed as one."""
        if entry is None or not self._secret:
            return None
        seal, data = entry[:_SEAL], entry[_SEAL:]
        return data if seal == _seal(self._secret, name, data) else None


def user_cache() -> Cache | None:
    """The cache of this user: in the folder that PLATELAYER_CACHE names, else where the system
    keeps caches. None if there is no such place, or PLATELAYER_CACHE is empty."""
    named = os.environ.get(FOLDER)
    if named == "":
        return None
    try:
        return Cache(Path(named) if named else caches() / "platelayer")
    except RuntimeError:  # nobody's home
        return None


def caches() -> Path:
    """Where the system keeps caches of this user. (platformdirs knows too, but takes 14 ms to
    tell.)"""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    asked = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return asked if asked.is_absolute() else Path.home() / ".cache"


def _stamps() -> Iterator[tuple[str, int, int]]:
    """Size and time of every file that decides results: our own, and one of each package that we
    build on."""
    specs = (find_spec(name) for name in _MAKERS)
    for path in (
        *shipped_files(),
        *map(str, language_files()),
        *(spec.origin for spec in specs if spec is not None and spec.origin),
    ):
        with suppress(OSError):
            status = os.stat(path)  # noqa: PTH116 - a Path for each of 500 would take a millisecond
            yield path, status.st_size, status.st_mtime_ns


def user_secret() -> bytes:
    """Secret that this user seals things with, made where there is none yet: beside the user's own
    cache, whichever folder PLATELAYER_CACHE names. Nothing if it cannot be kept."""
    try:
        path = caches() / "platelayer" / "secret"
    except RuntimeError:  # nobody's home
        return b""
    for _ in range(2):
        secret = _read(path, _SECRET, private=True)
        if secret is not None and len(secret) == _SECRET:
            return secret
        _write(path, os.urandom(_SECRET))
    return b""


def _seal(secret: bytes, name: str, data: bytes) -> bytes:
    seal = blake2b(name.encode(), key=secret, digest_size=_SEAL)
    seal.update(data)
    return seal.digest()


def _read(path: Path, most: int, *, private: bool = False) -> bytes | None:
    """What a file holds, which is then the one used last; None if it is not an ordinary file of
    this user (a link, a pipe, a device) or holds more. A `private` one may be read by nobody else.
    Never waits."""
    try:
        number = os.open(path, _READ)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(number)
        if (
            not S_ISREG(status.st_mode)
            or status.st_size > most
            or not _is_own(status, private=private)
        ):
            return None
        with suppress(OSError):
            os.utime(number if os.utime in os.supports_fd else path)
        return os.read(number, status.st_size)
    except OSError:
        return None
    finally:
        os.close(number)


def _is_own(status: os.stat_result, *, private: bool) -> bool:
    """True if a file belongs to this user. Windows does not tell."""
    if sys.platform == "win32":
        return True
    return status.st_uid == os.geteuid() and not (private and status.st_mode & (S_IRWXG | S_IRWXO))


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, S_IRUSR | S_IWUSR)


def _write(path: Path, data: bytes) -> None:
    """Writes a file aside, which nobody else may read, and moves it into place, so that nobody
    reads a part of it."""
    aside = path.with_name(f"{os.urandom(8).hex()}.part")
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with open(aside, "xb", opener=_open_private) as stream:
                stream.write(data)
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)


def _entries(folder: Path) -> Iterator[tuple[int, int, str]]:
    """When each file that a cache has written was last used, its size, and where it is."""
    with os.scandir(folder) as listing:
        for entry in listing:
            with suppress(OSError):
                if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime_ns, status.st_size, entry.path
