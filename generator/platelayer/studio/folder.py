"""The files of a title's folder: what the studio may read and write."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from platelayer.definitions.source import MAX_BYTES
from platelayer.foundation.files import read_at_most
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.write import write_all

SUFFIXES = (".json", ".svg", ".md")
"""What the editor opens: definitions, pictures, and the report of an import."""
_MOST_FILES = 400
_DEEP = 4


class TextFile(NamedTuple):
    """A file as it is now: its text, and the digest that a later save names so that nothing is overwritten unseen."""

    text: str
    digest: str


class Refused(CannotRun):
    """A file that is none of the studio's business, or that has changed since it was read."""


class Folder:
    """A folder and the files in it. Nothing outside it is read or written, whatever a name or a link says."""

    def __init__(self, root: Path, *, writable: bool = True) -> None:
        self.root = Path(os.path.realpath(root))
        self.writable = writable

    def inside(self, name: str) -> Path:
        """The path of a file or folder of the root. Raises Refused for one that is outside it, or hidden."""
        plain = Path(name)
        if "\\" in name or plain.is_absolute() or any(part == ".." or part.startswith(".") for part in plain.parts):
            raise Refused(f"{name!r} is not a file of this folder")
        try:
            real = Path(os.path.realpath(self.root / plain))
        except (OSError, ValueError) as stop:
            raise Refused(f"{name!r} is not a file of this folder") from stop
        if not real.is_relative_to(self.root):
            raise Refused(f"{name!r} leads out of this folder")
        return self.root / plain

    def file(self, name: str) -> Path:
        """The path of a file that the editor may open. Raises Refused."""
        if not name.endswith(SUFFIXES):
            raise Refused(f"{name!r} is not a definition, a picture or a report")
        return self.inside(name)

    def files(self, under: str = "") -> tuple[str, ...]:
        """Files that the editor opens, by their names in the folder, those of a title first."""
        found = sorted(self._walk(self.inside(under)), key=lambda name: (name.count("/"), name != "title.json", name))
        return tuple(found[:_MOST_FILES])

    def titles(self) -> tuple[str, ...]:
        """The folders within this one that hold a title, by their names ("" for the folder itself)."""
        names = (name for name in self._walk(self.root) if name.rpartition("/")[2] == "title.json")
        return tuple(sorted(name.rpartition("/")[0] for name in names))

    def _walk(self, start: Path) -> Iterator[str]:
        for folder, folders, names in os.walk(start):
            deep = len(Path(folder).relative_to(self.root).parts)
            folders[:] = sorted(each for each in folders if not each.startswith(".") and deep < _DEEP)
            for name in names:
                path = Path(folder) / name
                if name.endswith(SUFFIXES) and not name.startswith(".") and self._is_ours(path):
                    yield path.relative_to(self.root).as_posix()

    def _is_ours(self, path: Path) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.root)

    def read(self, name: str) -> TextFile:
        """A file. Raises Refused."""
        path = self.file(name)
        if not path.is_file():
            raise Refused(f"there is no {name}")
        data = read_at_most(path, MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise Refused(f"{name} is too large for the editor")
        return TextFile(data.decode("utf-8-sig", errors="replace"), _digest(data))

    def save(self, name: str, text: str, digest: str) -> str:
        """Write a file that was read with a digest; its new digest. Raises Refused, also if it has changed since."""
        if not self.writable:
            raise Refused("this title comes with Platelayer: copy its folder to change it")
        path = self.file(name)
        if path.is_file() and _digest(path.read_bytes()) != digest:
            raise Refused(f"{name} has changed on disk since it was opened")
        data = text.encode()
        target = Path(os.path.realpath(path))
        write_all(target.parent, {target.name: data})
        return _digest(data)

    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        """What tells whether any file has changed: names, times and sizes."""
        found: list[tuple[str, int, int]] = []
        for name in sorted(self._walk(self.root)):
            with suppress(OSError):  # gone in the meantime
                status = (self.root / name).stat()
                found.append((name, status.st_mtime_ns, status.st_size))
        return tuple(found)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
