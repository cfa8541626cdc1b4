"""The files of a title's folder: what the studio may read and write."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from difflib import SequenceMatcher
from pathlib import Path, PureWindowsPath
from typing import NamedTuple, TypeVar

from platelayer.definitions.source import MAX_BYTES
from platelayer.foundation.door import NotRead, inside, read_bytes, read_json
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.write import write_all

# What the editor opens: definitions, pictures, and the report of an import.
SUFFIXES = (".json", ".svg", ".md")
_MOST_FILES = 400
_DEEP = 4
_OWN = ".platelayer"
_MOST_ASIDE = 64 * 1024 * 1024
_LINE_END = re.compile(r"\r\n?|\n")


T = TypeVar("T")


class TextFile(NamedTuple):
    """A file as it is now: its text, with lines that end in "\\n", and the digest that a later save
    names so that nothing is overwritten unseen."""

    text: str
    digest: str


class Refused(CannotRun):
    """Raised for a file that is none of the studio's business."""


class Changed(Refused):
    """Raised for a file that has changed since it was read, or is gone."""


class Missing(Refused):
    """Raised for a file that does not exist."""


class Folder:
    """A folder and the files in it. Nothing outside it is read or written, whatever a name or a
    link says, and a link in the folder of a title leads neither out of it nor into another
    title."""

    def __init__(self, root: Path, *, writable: bool = True) -> None:
        self.root = Path(os.path.realpath(root))
        self.writable = writable

    def inside(self, name: str) -> Path:
        """The path of a file or folder of the root. Raises Refused for one that is outside it, or
        hidden."""
        plain = Path(name)
        leads_away = (
            plain.is_absolute() or PureWindowsPath(name).drive or "\\" in name or "\0" in name
        )
        if leads_away or any(part == ".." or part.startswith(".") for part in plain.parts):
            raise Refused(f"{name!r} is not a file of this folder")
        real = self.root
        for part in plain.parts:
            try:
                target = Path(os.path.realpath(real / part))
            except (OSError, ValueError) as error:
                raise Refused(f"{name!r} is not a file of this folder") from error
            if target != real / part and not self._stays(real, target):
                raise Refused(f"{name!r} leads out of this folder")
            real = target
        return self.root / plain

    def _stays(self, folder: Path, target: Path) -> bool:
        """True if the target of a link in a folder belongs to the same title as the folder."""
        return target.is_relative_to(self.root) and self._title_of(target) == self._title_of(folder)

    def _title_of(self, path: Path) -> Path:
        """The folder of the title that a path belongs to; the root if it belongs to none."""
        within = [path, *path.parents][: len(path.relative_to(self.root).parts) + 1]
        return next((folder for folder in within if (folder / "title.json").is_file()), self.root)

    def title_of(self, name: str) -> str:
        """The folder of the title that a file belongs to, by its name; "" if that is the root, or
        none."""
        folder = self._title_of(self.inside(name))
        return "" if folder == self.root else folder.relative_to(self.root).as_posix()

    def file(self, name: str) -> Path:
        """The path of a file that the editor may open. Raises Refused."""
        if not name.endswith(SUFFIXES):
            raise Refused(f"{name!r} is not a definition, a picture or a report")
        return self.inside(name)

    def files(self, under: str = "") -> tuple[str, ...]:
        """Files that the editor opens, by their names in the folder, those of a title first."""
        names = sorted(
            self._walk(self.inside(under)),
            key=lambda name: (name.count("/"), name != "title.json", name),
        )
        return tuple(names[:_MOST_FILES])

    def titles(self) -> tuple[str, ...]:
        """The folders within this one that hold a title, by their names ("" for the folder
        itself)."""
        names = (name for name in self._walk(self.root) if name.rpartition("/")[2] == "title.json")
        return tuple(sorted(name.rpartition("/")[0] for name in names))

    def _walk(self, start: Path) -> Iterator[str]:
        for folder, folders, names in os.walk(start):
            deep = len(Path(folder).relative_to(self.root).parts)
            folders[:] = sorted(
                inner for inner in folders if not inner.startswith(".") and deep < _DEEP
            )
            for name in names:
                path = Path(folder) / name
                if name.endswith(SUFFIXES) and not name.startswith(".") and self._is_ours(path):
                    yield path.relative_to(self.root).as_posix()

    def _is_ours(self, path: Path) -> bool:
        return not path.is_symlink() or self._stays(path.parent, Path(os.path.realpath(path)))

    def read(self, name: str) -> TextFile:
        """A file. Raises Refused, also for what is not UTF-8 and could not be saved as it was;
        Missing."""
        data = self._bytes(name)
        if data is None:
            raise Missing(f"there is no {name}")
        return TextFile(with_plain_ends(_text(name, data)), _digest(data))

    def save(self, name: str, text: str, digest: str) -> str:
        """Write a file that was read with a digest, or that did not exist ("" for the digest); its
        new digest. The mark of the encoding stays, and so do the ends of lines. Raises Refused for
        what could not be read again; Changed if the file is another since."""
        if not self.writable:
            raise Refused("this title comes with Platelayer: copy its folder to change it")
        before = self._bytes(name)
        if before is None and digest:
            raise Changed(f"{name} is no longer on disk")
        if before is not None and _digest(before) != digest:
            raise Changed(f"{name} has changed on disk since it was opened")
        data = _encoded(name, text, before or b"")
        target = Path(os.path.realpath(self.file(name)))
        if not target.parent.is_dir():
            raise Refused(f"the folder of {name} is no longer on disk")
        write_all(target.parent, {target.name: data})
        return _digest(data)

    def _bytes(self, name: str) -> bytes | None:
        """Bytes of a file; None if there is no such file. Raises Refused."""
        path = self.file(name)
        try:
            return read_bytes(path, MAX_BYTES, name=name)
        except NotRead as error:
            if error.missing or path.is_dir() or not path.parent.is_dir():
                return None
            raise Refused(str(error)) from error

    def kept(self, name: str, kind: type[T]) -> T:
        """Value that `keep` has kept by a name. Raises NotRead if there is none, or none of this
        user's studio: the folder may be a stranger's."""
        return read_json(inside(self.root, f"{_OWN}/{name}"), kind, _MOST_ASIDE, own=True)

    def keep(self, name: str, data: bytes) -> None:
        """Keep something of the studio's own for the next one, beside the files; empty: nothing.
        Raises CannotRun if it cannot be kept."""
        if not self.writable:
            return
        path = inside(self.root, f"{_OWN}/{name}")
        try:
            if data:
                path.parent.mkdir(exist_ok=True)
                write_all(path.parent, {path.name: data})
                read_bytes(path, _MOST_ASIDE, own=True)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise CannotRun(f"cannot write {path}: {error.strerror or error}") from error

    def stamp(self) -> dict[str, tuple[int, int, int]]:
        """Times, sizes and numbers of the files by name, which change when any file does."""
        stamps: dict[str, tuple[int, int, int]] = {}
        for name in sorted(self._walk(self.root)):
            with suppress(OSError):  # gone in the meantime
                status = (self.root / name).stat()
                stamps[name] = status.st_mtime_ns, status.st_size, status.st_ino
        return stamps


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_MOST = f"{MAX_BYTES // 1024 // 1024} MB"


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refused(
            f"{name}:{line} is not UTF-8 text; save the file as UTF-8 to edit it here"
        ) from error


def _encoded(name: str, text: str, before: bytes) -> bytes:
    """A text as the bytes that replace others."""
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    try:
        data = mark + _with_ends_of(_text(name, before), text).encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise Refused(f"{name}:{line} holds half a character, which no file can keep") from error
    if len(data) > MAX_BYTES:
        raise Refused(f"{name} would be over {_MOST}, and could not be read again")
    return data


def with_plain_ends(text: str) -> str:
    """A text whose lines end in "\\n"."""
    return _LINE_END.sub("\n", text)


def _with_ends_of(before: str, text: str) -> str:
    """A text with the line ends of what it replaces. Where they differ, each line keeps its own,
    and new lines get the most usual."""
    ends = _LINE_END.findall(before)
    usual = Counter(ends).most_common(1)[0][0] if ends else "\n"
    lines = _LINE_END.split(text)
    taken = [usual] * len(lines)
    if len(set(ends)) > 1:
        ends.append(usual)
        for _, start, end, into, until in SequenceMatcher(
            None, _LINE_END.split(before), lines
        ).get_opcodes():
            count = min(end - start, until - into)
            taken[into : into + count] = ends[start : start + count]
    return "".join(line + end for line, end in zip(lines, [*taken[:-1], ""], strict=True))
