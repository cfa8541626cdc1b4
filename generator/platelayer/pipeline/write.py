"""Files on disk, complete or not at all.

Every other module writes files through this one, except surveys, which write their own chunks.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from platelayer.definitions.themes import files_record, recorded_files
from platelayer.foundation.door import NotRead, check_names, inside, is_there, read_bytes, real
from platelayer.foundation.problems import CannotRun, step

STANDARD_OUTPUT = Path("-")
# Folder that holds the new files until all are complete.
UNFINISHED = ".platelayer-unfinished"
# Names of the files in it.
_NEW = re.compile(r"[0-9]+\.new")
# None of our files is nearly this large; a larger file is not read to check whether it is ours.
_MAX_BYTES = 1 << 30


def write_all(
    folder: Path,
    files: Mapping[str, bytes],
    *,
    record: str = "",
    named: Path | None = None,
    sources: Iterable[Path] = (),
) -> None:
    """Run stage 9: write a set of files, by their names in the folder. Raises CannotRun.

    Nothing in the folder changes before all of them are complete and on disk. Then each is moved
    into place in one step, `record` last: an interrupted write leaves complete files, old and new,
    and the old record. Writes into the same folder wait for each other, but not on Windows.

    `record` names the file that lists all others; it is created unless it is among them. Files
    listed in an earlier record of that name that are no longer made are removed, provided that they
    are as we wrote them. Everything else in the folder stays, and links never lead out of it, nor
    out of the folder that the user has `named`, if the folder is within that. None of the files may
    replace one of the `sources` they were made from. The names must be able to coexist on every
    system.
    """
    for source in sources:
        for path in (folder / name for name in files):
            if path.exists() and source.exists() and path.samefile(source):
                raise CannotRun(
                    f"cannot write {path}: it is what was read; name another file or folder with -o"
                )
    if len(files) > 1:
        check_names(files)
    if named is not None and not _lies_within(named, str(folder.relative_to(named) / UNFINISHED)):
        raise CannotRun(f"cannot write {folder}: a link leads out of {named}")
    if record and record not in files:
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        files = {**files, record: files_record(digests)}
    with _alone(folder):
        earlier = recorded_files(folder / record) if record else {}
        stale = [
            name
            for name, digest in earlier.items()
            if name not in files and _is_ours(folder, name, digest)
        ]
        _write(folder, files, record, stale)


def write_one(path: Path, data: bytes, *, sources: Iterable[Path] = ()) -> None:
    """Write one file as `write_all` does; "-" is standard output. Raises CannotRun."""
    if path != STANDARD_OUTPUT:
        write_all(path.parent, {path.name: data}, sources=sources)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a tree of files into an empty or new folder, as `write_all` does. Raises CannotRun."""
    check_names(files)
    with _alone(folder):
        if any(path.name != UNFINISHED for path in folder.iterdir()):
            raise CannotRun(f"{folder} already exists and is not an empty folder; name a new one")
        _write(folder, files)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other writers out of a folder, which is created if necessary and removed if it stays
    empty. Raises CannotRun for anything that the system refuses."""
    created = []
    try:
        created += [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            yield
    except OSError as error:
        raise CannotRun(
            f"cannot write {_named(error, folder)}: {error.strerror or error}"
        ) from error
    finally:
        for path in created:
            with suppress(OSError):
                path.rmdir()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if sys.platform == "win32":  # Windows cannot lock folders
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # the file system may not support locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        # Unlock explicitly: closing is not enough if a process forked meanwhile, such as a printing
        # worker, holds a copy of the handle.
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


def _write(
    folder: Path, files: Mapping[str, bytes], record: str = "", stale: Iterable[str] = ()
) -> None:
    """Write a set of files into a folder, and remove stale files of an earlier one."""
    for name in files:
        path = folder / name
        if not _lies_within(folder, name):
            raise CannotRun(f"cannot write {path}: a link leads out of {folder}")
        if is_there(path) and not path.is_symlink() and not path.is_file():
            raise CannotRun(f"cannot write {path}: it exists but is not a file")
    aside = inside(folder, UNFINISHED)
    _clear(aside)  # remains of a write that was killed
    aside.mkdir()
    try:
        moves = {}
        for number, name in enumerate(sorted(files, key=record.__eq__)):
            moves[name] = aside / f"{number}.new"
            with moves[name].open("xb") as stream:
                stream.write(files[name])
                stream.flush()
                os.fsync(stream.fileno())
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for name, new in moves.items():
            # The old record stays until all other files are in place, so that after an interruption
            # it still lists existing files.
            if name == record:
                for old in stale:
                    (folder / old).unlink()
                    step(f"removed {folder / old}, of an earlier print")
            new.replace(folder / name)
            step(f"wrote {folder / name}: {len(files[name]):,} bytes")
    finally:
        _clear(aside)
        _remove_empty(folder, [*files, *stale])


def _clear(aside: Path) -> None:
    """Remove the temporary files of an interrupted write, and nothing else."""
    with suppress(OSError):
        for path in aside.iterdir():
            if _NEW.fullmatch(path.name):
                path.unlink()
        aside.rmdir()


def _remove_empty(folder: Path, names: Iterable[str]) -> None:
    """Remove the folders of these files if they are empty."""
    around = {str(parent) for name in names for parent in PurePosixPath(name).parents} - {"."}
    for parent in sorted(around, reverse=True):
        with suppress(OSError):
            if _lies_within(folder, parent):
                (folder / parent).rmdir()


def _lies_within(folder: Path, name: str) -> bool:
    """Return True if a file of this name is in the folder once links are resolved."""
    return real((folder / name).parent).is_relative_to(real(folder))


def _is_ours(folder: Path, name: str, digest: str) -> bool:
    """Return True if a file still has that digest and is not reached by a link."""
    try:
        path = inside(folder, name)
        if path.lstat().st_size > _MAX_BYTES:
            return False
        return hashlib.sha256(read_bytes(path, _MAX_BYTES)).hexdigest() == digest
    except (NotRead, OSError):
        return False


def _named(error: OSError, folder: Path) -> str:
    """Return the file that an error is about, named as the user knows it."""
    paths = [str(name) for name in (error.filename, error.filename2) if name is not None]
    return next((name for name in paths if UNFINISHED not in Path(name).parent.parts), str(folder))
