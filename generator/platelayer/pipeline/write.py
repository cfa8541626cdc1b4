"""Files on disk, written completely or not at all.

Every other module writes files through this one, except surveys, which write their own chunks.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path, PurePosixPath

import msgspec

from platelayer.definitions.profiles import files_record, recorded_files
from platelayer.foundation.cache import user_secret
from platelayer.foundation.door import NotRead, inside, is_there, parse_json, read_bytes, read_text
from platelayer.foundation.ending import Unwinding
from platelayer.foundation.problems import CannotRun

UNFINISHED = ".platelayer-unfinished"
"""Where a write keeps its new files until it puts them in place, old ones until all of them are,
and its journal."""
_LEFT = re.compile(r"[0-9]+\.(?:new|old)|([0-9a-f]{32})\.json")
"""Names of what lies in it: files by their number in the journal, and the journal by its seal."""
_MOST_JOURNAL = 16 << 20
_MAX_BYTES = 1 << 30
"""No file that we write is nearly as large; a larger one is not read to find out whether it is
ours."""
_PATIENCE_S = 10.0
_RESERVE_BYTES = 8 << 20
"""Memory set aside before anything is written, so that an unfinished write can be undone if there
is no more. Reading a journal takes half of it."""


def write_all(
    folder: Path,
    files: Mapping[str, bytes],
    *,
    record: str = "",
    named: Path | None = None,
    sources: Iterable[Path] = (),
) -> None:
    """Stage 9: a set of files, by their names in the folder. Raises CannotRun.

    All are written, or the folder is left as it was. A write that is killed while it moves files
    leaves a journal, from which the next write into the folder, of any files, first restores it.
    Until then the last file of the set may be missing; if it is there, so are the others. Writes
    into one folder wait for each other.

    `record` names the file that lists all others; it is made unless it is among them. Files that an
    earlier record of that name lists and that are no longer made are removed, if they are as we
    wrote them. Everything else in the folder stays, and links never lead out of it, nor out of the
    folder that the user has `named`, if this one is within it. `sources` are what the files were
    made from, which none of them may replace.
    """
    for source in sources:
        for place in (folder / name for name in files):
            if place.exists() and source.exists() and place.samefile(source):
                raise CannotRun(
                    f"cannot write {place}: it is what was read; name another file or folder with -o"
                )
    if named is not None and not _lies_within(named, str(folder.relative_to(named) / UNFINISHED)):
        raise CannotRun(f"cannot write {folder}: a link leads out of {named}")
    if record and record not in files:
        files = {**files, record: files_record(_digests(files))}
    with Unwinding(), _held(folder) as reserve:
        earlier = recorded_files(folder / record) if record else {}
        stale = [
            name
            for name, digest in earlier.items()
            if name not in files and _is_plain(folder, name) and _is_ours(folder, name, digest)
        ]
        _write(folder, files, stale, reserve)


def write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a tree of files into an empty or new folder, as `write_all` does. Raises CannotRun."""
    with Unwinding(), _held(folder) as reserve:
        if not all(path.name.startswith(UNFINISHED) for path in folder.iterdir()):
            raise CannotRun(f"{folder} already exists and is not an empty folder; name a new one")
        _write(folder, files, (), reserve)


def restore(folder: Path) -> None:
    """Restore a folder to its state before a write that was killed, as the next write would. Raises
    CannotRun."""
    if (folder / UNFINISHED).is_dir():
        with Unwinding(), _held(folder):
            pass


@contextmanager
def _held(folder: Path) -> Iterator[bytearray]:
    """A folder that nobody else writes into, created if necessary and restored if an earlier write
    was killed. One that was created and is empty in the end is removed. Gives the reserve of memory
    for a write that has to be undone. Raises CannotRun for anything that the system refuses."""
    created: list[Path] = []
    reserve = bytearray(_RESERVE_BYTES)
    try:
        created += [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(folder)
        try:
            _settle(folder)
            yield reserve
        finally:
            try:
                reserve.clear()
                _settle(folder)  # Ctrl-C may have come while the write did
            finally:
                os.close(lock)
    except OSError as error:
        raise CannotRun(
            f"cannot write {_named(error, folder)}: {error.strerror or error}"
        ) from error
    finally:
        for path in created:
            with suppress(OSError):
                path.rmdir()


def _lock(folder: Path) -> int:
    """The exclusive lock on a folder; the system releases it when a process ends, however it
    ends."""
    patient_until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            if sys.platform == "win32":
                name = folder / f"{UNFINISHED}.lock"
                return os.open(name, os.O_CREAT | os.O_EXCL | os.O_TEMPORARY)
            return _flock(folder)
        except (BlockingIOError, FileExistsError):
            if time.monotonic() > patient_until:
                raise CannotRun(
                    f"another run of platelayer is writing into {folder}; try again when it has finished"
                ) from None
            time.sleep(0.02)


def _flock(folder: Path) -> int:
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise
    except OSError:  # a file system without locks
        pass
    return handle


def _write(
    folder: Path, files: Mapping[str, bytes], stale: Sequence[str], reserve: bytearray
) -> None:
    """New files are written aside; then old ones are moved aside, the last first, and new ones into
    place, the last one last. A journal lists them. The write is complete when none of the new files
    is left aside."""
    for name in files:
        _check_place(folder, name)
    entries = dict.fromkeys(stale, "") | _digests(files)
    moves = list(enumerate(entries))
    aside = folder / UNFINISHED
    try:
        aside.mkdir()
        for number, name in moves:
            if name in files:
                _write_through(aside / f"{number}.new", files[name])
        if len(moves) > 1:  # one file takes the place of another in one step
            journal = msgspec.json.encode(entries)
            _write_through(aside / f"{_seal(journal)}.json", journal)
            for number, name in reversed(moves):
                if is_there(folder / name):
                    (folder / name).rename(aside / f"{number}.old")
        for number, name in moves:
            if name in files:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (aside / f"{number}.new").replace(folder / name)
    finally:
        reserve.clear()
        _settle(folder)


def _settle(folder: Path) -> None:
    """Undo the moves of an unfinished write, from its journal, and remove everything left aside.
    Raises CannotRun for what was left by somebody else."""
    aside = inside(folder, UNFINISHED)
    if not aside.is_dir():
        return
    left = [(path, match) for path in aside.iterdir() if (match := _LEFT.fullmatch(path.name))]
    journals = [path for path, match in left if match[1] and _is_sealed(path, match[1])]
    if not journals and any(path.suffix == ".old" for path, _ in left):
        raise CannotRun(
            f"cannot write {folder}: {aside} holds files of a write that another user or machine did not finish; "
            "move them out, or remove it"
        )
    try:
        for journal in journals:
            listed = parse_json(
                read_text(journal, _MOST_JOURNAL), dict[str, str], name=str(journal)
            )
            entries = [(number, *entry) for number, entry in enumerate(listed.items())]
            if any(is_there(aside / f"{number}.new") for number, _, _ in entries):
                _take_back(folder, aside, entries)
            _remove_empty(folder, listed)
        for (
            path,
            _,
        ) in (
            left
        ):  # new files go when there is no journal by which one in place could be taken for them
            if path.suffix == ".old":
                path.unlink(missing_ok=True)
        for journal in journals:
            journal.unlink()
    except OSError as error:
        words = f"cannot put {_named(error, folder)} back: {error.strerror or error}"
        raise CannotRun(f"{words}; the next write into {folder} will try again") from error
    with suppress(OSError):
        for path in aside.iterdir():
            if _LEFT.fullmatch(path.name):
                path.unlink()
        aside.rmdir()


def _seal(journal: bytes) -> str:
    """Seal that only this user can make: a journal that comes with a stranger's folder moves no
    file."""
    return hashlib.blake2b(journal, key=_key(), digest_size=16).hexdigest()


@cache
def _key() -> bytes:
    return user_secret() or os.urandom(
        32
    )  # where none can be kept, what this process has not finished stays


def _is_sealed(path: Path, seal: str) -> bool:
    try:
        return _seal(read_bytes(path, _MOST_JOURNAL)) == seal
    except NotRead:
        return False


def _take_back(folder: Path, aside: Path, entries: Sequence[tuple[int, str, str]]) -> None:
    """The moves of a journal in reverse, but only those that were made."""
    for number, name, digest in reversed(entries):
        new = aside / f"{number}.new"
        if not is_there(new) and _is_ours(folder, name, digest):
            (folder / name).rename(new)
    for number, name, _ in entries:
        old = aside / f"{number}.old"
        if is_there(old) and _lies_within(folder, name) and not is_there(folder / name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            old.rename(folder / name)


def _write_through(path: Path, data: bytes) -> None:
    """A new file whose bytes have reached the disk."""
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _remove_empty(folder: Path, names: Iterable[str]) -> None:
    """Remove the folders that files of these names were in, if they are empty."""
    around = {str(parent) for name in names for parent in PurePosixPath(name).parents} - {"."}
    for parent in sorted(around, reverse=True):
        with suppress(OSError):
            if _lies_within(folder, parent):
                (folder / parent).rmdir()


def _check_place(folder: Path, name: str) -> None:
    """Raises CannotRun if a file of this name would be outside the folder, or would replace
    something that is not a file."""
    path = folder / name
    if not _lies_within(folder, name):
        raise CannotRun(f"cannot write {path}: a link leads out of {folder}")
    if is_there(path) and not path.is_symlink() and not path.is_file():
        raise CannotRun(f"cannot write {path}: it exists but is not a file")


def _digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def _lies_within(folder: Path, name: str) -> bool:
    """Is a file of this name in the folder, wherever links may lead?"""
    try:
        return Path(os.path.realpath((folder / name).parent)).is_relative_to(
            os.path.realpath(folder)
        )
    except (OSError, ValueError):
        return False


def _is_plain(folder: Path, name: str) -> bool:
    """Does a name that a record lists lead to a place in this folder, past no link?"""
    try:
        return inside(folder, name) is not None
    except CannotRun:
        return False


def _is_ours(folder: Path, name: str, digest: str) -> bool:
    """Is it still the file with that digest, and inside this folder?"""
    path = folder / name
    try:
        status = path.lstat()
        if (
            not _lies_within(folder, name)
            or not stat.S_ISREG(status.st_mode)
            or status.st_size > _MAX_BYTES
        ):
            return False
        return hashlib.sha256(read_bytes(path, _MAX_BYTES)).hexdigest() == digest
    except (NotRead, OSError, ValueError):
        return False


def _named(error: OSError, folder: Path) -> str:
    """The file that an error is about, by the name the user knows."""
    paths = [str(name) for name in (error.filename, error.filename2) if name is not None]
    return next((name for name in paths if UNFINISHED not in Path(name).parent.parts), str(folder))
