"""Bytes in, files on disk out: whole or not at all. Nothing else writes a file, but surveys their chunks."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from platelayer.foundation.problems import CannotRun


def write_all(folder: Path, files: dict[str, bytes]) -> None:
    """Stage 9: each file under a temporary name first, then all renamed. Files that an earlier build of ours left and
    that are no longer made are removed. Raises CannotRun; then nothing half-written is left behind."""
    staged: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stale = _earlier_files(folder) - files.keys() if "manifest.json" in files else set()
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            staged.append((Path(temporary), path))
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(temporary).chmod(0o644)
        for temporary_path, path in staged:
            temporary_path.replace(path)
        for name in sorted(stale):
            (folder / name).unlink(missing_ok=True)
            with suppress(OSError):  # a folder that others still use stays
                if "/" in name:
                    (folder / name).parent.rmdir()
    except OSError as stop:
        raise CannotRun(f"cannot write {stop.filename or folder}: {stop.strerror or stop}") from stop
    finally:
        for temporary_path, _ in staged:
            temporary_path.unlink(missing_ok=True)


def write_new(folder: Path, files: dict[str, bytes]) -> None:
    """A tree of files into a folder that is empty or not there: written aside first, then moved in. Raises CannotRun;
    then what was made is taken away again."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    whole = False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".new.") as aside:
            for name, data in files.items():
                path = Path(aside, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            for entry in sorted(Path(aside).iterdir()):
                entry.rename(folder / entry.name)
        whole = True
    except OSError as stop:
        raise CannotRun(f"cannot write {stop.filename or folder}: {stop.strerror or stop}") from stop
    finally:
        for name in () if whole else sorted({Path(name).parts[0] for name in files}):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).unlink(missing_ok=True)
        for each in () if whole else made:
            with suppress(OSError):
                each.rmdir()


def _earlier_files(folder: Path) -> set[str]:
    """Names of the files that the manifest.json of an earlier build lists, as far as they lie in the folder or in
    a folder of its own."""
    try:
        value = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return {name for entry in value["files"] if _lies_within(name := str(entry["file"]))}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _lies_within(name: str) -> bool:
    parts = Path(name).parts
    return 1 <= len(parts) <= 2 and ".." not in parts and not Path(name).is_absolute() and "/".join(parts) == name
