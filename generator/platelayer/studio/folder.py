"""Files of a title's folder that the studio may read and write, and their earlier states: as
opened, saved, printed or committed."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import tempfile
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from difflib import SequenceMatcher
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from platelayer.definitions.source import MAX_BYTES
from platelayer.foundation.door import (
    NotRead,
    inside,
    is_safe_path,
    read_bytes,
    read_json,
    read_start,
    unpack,
)
from platelayer.foundation.problems import CannotRun
from platelayer.model.kinds import KINDS
from platelayer.pipeline.registry import function
from platelayer.pipeline.write import write_all

if TYPE_CHECKING:
    from platelayer.studio.view import View


# Files that the editor opens: definitions, pictures, and the report of an import.
SUFFIXES = (".json", ".svg", ".md")
# Raster images.
PIXELS = (".png", ".jpg", ".jpeg", ".PNG", ".JPG", ".JPEG")
_MOST_FILES = 400
_DEEP = 4
_OWN = ".platelayer"
_MOST_ASIDE = 64 * 1024 * 1024
_LINE_END = re.compile(r"\r\n?|\n")


K = TypeVar("K")
T = TypeVar("T")


class TextFile(NamedTuple):
    """Current state of a file: its text, with LF line ends, and its digest, which a later save must
    name so that changes by others are not overwritten."""

    text: str
    digest: str


class Refused(CannotRun):
    """Raised for a file that the studio must not touch. `status` is an HTTP status."""

    status = 403


class Changed(Refused):
    """Raised for a file that has changed or disappeared since it was read."""

    status = 409


class Missing(Refused):
    """Raised for a file that does not exist."""

    status = 404


class Recent(OrderedDict[K, T]):
    """Cache that discards the least recently used values beyond a number or a total size."""

    def __init__(self, most: int, size: Callable[[T], int] = lambda _: 1) -> None:
        super().__init__()
        self._most, self._size = most, size

    def used(self, key: K) -> T | None:
        """Return a value and mark it as used; None if it is not cached."""
        if key in self:
            self.move_to_end(key)
        return self.get(key)

    def keep(self, key: K, value: T) -> T:
        """Cache a value and return it."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > 1 and sum(map(self._size, self.values())) > self._most:
            self.popitem(last=False)
        return value


class Folder:
    """Folder with its files. Nothing outside it is read or written, whatever a name or a link says;
    a link inside the folder of a title must stay within that title."""

    def __init__(self, root: Path, *, writable: bool = True) -> None:
        self.root = Path(os.path.realpath(root))
        self.writable = writable
        # Stamps of the files when they were last checked, or saved since then.
        self.seen: dict[str, _Stamp] = {}

    @property
    def is_bare(self) -> bool:
        """True if the folder is empty."""
        return self.root.is_dir() and not any(self.root.iterdir())

    def inside(self, name: str) -> Path:
        """Return the path of a file or folder. Raises Refused if it is outside the root, or
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
        """Return True if the target of a link in a folder belongs to the same title as the
        folder."""
        return target.is_relative_to(self.root) and self._title_of(target) == self._title_of(folder)

    def _title_of(self, path: Path) -> Path:
        """Return the folder of the title that a path belongs to; the root if there is none."""
        within = [path, *path.parents][: len(path.relative_to(self.root).parts) + 1]
        return next((folder for folder in within if (folder / "title.json").is_file()), self.root)

    def title_of(self, name: str) -> str:
        """Return the name of the folder of the title that a file belongs to; "" for the root, or if
        there is none."""
        folder = self._title_of(self.inside(name))
        return "" if folder == self.root else folder.relative_to(self.root).as_posix()

    def file(self, name: str) -> Path:
        """Return the path of a file that the editor may open. Raises Refused."""
        if not name.endswith((*SUFFIXES, *PIXELS)):
            raise Refused(f"{name!r} is not a definition, a picture or a report")
        return self.inside(name)

    def files(self, under: str = "", suffixes: tuple[str, ...] = SUFFIXES) -> tuple[str, ...]:
        """List the files below a folder with these suffixes by their names relative to the root:
        those in upper folders first, title.json before other files."""
        names = sorted(
            self._walk(self.inside(under), suffixes),
            key=lambda name: (name.count("/"), name != "title.json", name),
        )
        return tuple(names[:_MOST_FILES])

    def titles(self) -> tuple[str, ...]:
        """List the folders that hold a title by their names ("" for the root)."""
        names = (name for name in self._walk(self.root) if name.rpartition("/")[2] == "title.json")
        return tuple(sorted(name.rpartition("/")[0] for name in names))

    def _walk(self, start: Path, suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[str]:
        for folder, folders, names in os.walk(start):
            deep = len(Path(folder).relative_to(self.root).parts)
            folders[:] = sorted(
                inner for inner in folders if not inner.startswith(".") and deep < _DEEP
            )
            for name in names:
                path = Path(folder) / name
                if name.endswith(suffixes) and not name.startswith(".") and self._is_ours(path):
                    yield path.relative_to(self.root).as_posix()

    def _is_ours(self, path: Path) -> bool:
        return not path.is_symlink() or self._stays(path.parent, Path(os.path.realpath(path)))

    def read(self, name: str) -> TextFile:
        """Read a file. Raises Refused, also if it is not UTF-8 and so could not be saved unchanged;
        Missing."""
        data = self._bytes(name)
        if data is None:
            raise Missing(f"there is no {name}")
        return TextFile(with_plain_ends(_text(name, data)), _digest(data))

    def save(self, name: str, text: str, digest: str) -> str:
        """Write a file and return its new digest. `digest` is the one that the file was read with,
        "" for a new file. A byte order mark and the line ends are preserved. Raises Refused if
        the result could not be read again; Changed if the file has changed since."""
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
        with suppress(OSError):  # already deleted
            self.seen[Path(name).as_posix()] = _stamp(target)
        return _digest(data)

    def add(self, name: str, data: bytes) -> None:
        """Write a new file. Raises Refused."""
        path = self.file(name)
        path.parent.mkdir(exist_ok=True)
        write_all(path.parent, {path.name: data})

    def _bytes(self, name: str) -> bytes | None:
        """Return the bytes of a file; None if it does not exist. Raises Refused."""
        path = self.file(name)
        try:
            return read_bytes(path, MAX_BYTES, name=name)
        except NotRead as error:
            if error.missing or path.is_dir() or not path.parent.is_dir():
                return None
            raise Refused(str(error)) from error

    def kept(self, name: str, kind: type[T]) -> T:
        """Return the value stored by `keep` under a name. Raises NotRead if there is none, or if
        another user stored it: the folder may come from a stranger."""
        return read_json(inside(self.root, f"{_OWN}/{name}"), kind, _MOST_ASIDE, own=True)

    def keep(self, name: str, data: bytes) -> None:
        """Store data of the studio beside the files for the next studio; empty data deletes it.
        Raises CannotRun if it cannot be stored."""
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

    def stamp(self) -> dict[str, _Stamp]:
        """Return the time, size and inode of each file by name; they differ after any change."""
        stamps: dict[str, _Stamp] = {}
        for name in sorted(self._walk(self.root, (*SUFFIXES, *PIXELS))):
            with suppress(OSError):  # deleted in the meantime
                stamps[name] = _stamp(self.root / name)
        return stamps


_Stamp: TypeAlias = tuple[int, int, int]


def _stamp(path: Path) -> _Stamp:
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


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
    """Encode a text with the byte order mark and line ends of the bytes that it replaces. Raises
    Refused."""
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
    """Return a text with LF line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _with_ends_of(before: str, text: str) -> str:
    """Return a text with the line ends of the text that it replaces. If those are mixed, each old
    line keeps its own, and new lines get the most common."""
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


# Files that a title is read from.
TITLE_SUFFIXES = (".json", ".svg", *PIXELS)
# Folder for prints, within that of a title.
_PRINTS = "output"
_MOST_BYTES = 16 * 1024 * 1024
_MOST_SAVES = 20
_MOST_READ = 3
_DIGITS = 16
_PRINTED = "printed.json"

# Files of a title by their paths relative to its folder.
Files: TypeAlias = Mapping[str, bytes]


class Moment(NamedTuple):
    """Moment that a title can be compared with. The kind is "disk" (now), "opened", "save", "print"
    or "commit"; the time is in seconds since 1970; a commit has a subject."""

    id: str
    kind: str
    time: float
    subject: str = ""


class Printed(NamedTuple):
    """Time of the last print of a title, and the files from which it was made."""

    time: float
    files: dict[str, bytes]


class Moments:
    """Moments of the titles in a folder. Those of this studio are stored in memory, the last print
    beside the files; commits are read from git."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._kept: dict[str, dict[Moment, Files]] = {}
        self._read = Recent[tuple[str, str | None], "View"](_MOST_READ)
        self._number = 0
        self._printed: dict[str, Printed] | None = None

    def begin(self, at: str) -> None:
        """Record a title when it is opened for the first time."""
        if at not in self._kept:
            self._kept[at] = {}
            self._keep(at, Moment("opened", "opened", time.time()))

    def save(self, at: str) -> None:
        """Record a title that the user has just saved, unless nothing has changed since the last
        record."""
        self._number += 1
        self._keep(at, Moment(f"save-{self._number}", "save", time.time()))
        saves = [moment for moment in self._kept[at] if moment.kind == "save"]
        for moment in saves[:-_MOST_SAVES]:
            del self._kept[at][moment]

    def _keep(self, at: str, moment: Moment) -> None:
        kept = self._kept.setdefault(at, {})
        with suppress(CannotRun, OSError):
            files = self.now(at)
            if files not in [*kept.values()][-1:]:
                kept[moment] = files

    def printed(self, at: str, files: Files) -> None:
        """Record the files from which a print was made, also for the next studio."""
        self._prints[at] = Printed(time.time(), dict(files))
        with suppress(CannotRun):  # the next studio then cannot compare with this print
            self._folder.keep(_PRINTED, msgspec.json.encode(self._prints))

    @property
    def _prints(self) -> dict[str, Printed]:
        if self._printed is None:
            self._printed = {}
            with suppress(NotRead):  # there is none, or it is not ours
                kept = self._folder.kept(_PRINTED, dict[str, Printed])
                self._printed = {
                    at: each for at, each in kept.items() if all(map(is_safe_path, each.files))
                }
        return self._printed

    def all(self, at: str) -> tuple[Moment, ...]:
        """List the moments that a title can be compared with: the files on disk, the last print,
        then saves and commits, each newest first."""
        kept = reversed(self._kept.get(at, {}))
        printed = [Moment("print", "print", self._prints[at].time)] if at in self._prints else []
        past = [
            Moment(f"commit-{commit.id}", "commit", commit.time, commit.subject)
            for commit in function("commits")(self._place(at))
        ]
        return (Moment("disk", "disk", time.time()), *printed, *kept, *past)

    def now(self, at: str) -> Files:
        """Read the files of a title from disk. Raises CannotRun, OSError."""
        before = next(reversed(self._kept[at].values()), {}) if self._kept.get(at) else {}
        files: dict[str, bytes] = {}
        room = _MOST_BYTES
        for name in self._folder.files(at, TITLE_SUFFIXES):
            short = name[len(at) + 1 :] if at else name
            is_print = short.startswith(f"{_PRINTS}/")
            if self._folder.title_of(name) == at and not is_print and is_safe_path(short):
                data = read_start(self._folder.file(name), room + 1)
                room -= len(data)
                if room < 0:
                    raise CannotRun("the folder is too large to compare")
                # Share the bytes of files that have not changed, to save memory.
                files[short] = before[short] if before.get(short) == data else data
        return files

    def files(self, at: str, moment: str) -> Files:
        """Return the files of a title at a moment. Raises CannotRun."""
        if moment == "disk":
            return self.now(at)
        if moment == "print" and at in self._prints:
            return self._prints[at].files
        if moment.startswith("commit-"):
            commit = moment.removeprefix("commit-")
            then = function("commit_files")(
                self._place(at),
                commit,
                TITLE_SUFFIXES,
                most_bytes=_MOST_BYTES,
                most_files=_MOST_FILES,
            )
            inner = [
                name.removesuffix("title.json") for name in then if name.endswith("/title.json")
            ]
            return {
                name: data
                for name, data in then.items()
                if not name.startswith((*inner, f"{_PRINTS}/"))
            }
        for kept, files in self._kept.get(at, {}).items():
            if kept.id == moment:
                return files
        raise CannotRun("the earlier state is no longer available")

    def view(self, at: str, variant: str | None, moment: str) -> tuple[View, str]:
        """Return a title as it was at a moment, and a digest of its files. Raises CannotRun if it
        cannot be shown."""
        files = self.files(at, moment)
        key = (_files_digest(files), variant)
        return self._read.keep(key, self._read.get(key) or _read(files, variant)), key[0]

    def _place(self, at: str) -> Path:
        return self._folder.inside(at)


def _files_digest(files: Files) -> str:
    whole = hashlib.sha256()
    for name, data in sorted(files.items()):
        whole.update(f"{name}\0{len(data)}\0".encode() + data)
    return whole.hexdigest()[:_DIGITS]


def _read(files: Files, variant: str | None) -> View:
    """Read a title from the given files alone, in a temporary folder, so that files that did not
    exist at that time have no influence. Raises CannotRun."""
    from platelayer.studio.view import View

    if "title.json" not in files:
        raise CannotRun("there was no title in this folder then")
    with tempfile.TemporaryDirectory(prefix="platelayer-") as place:
        unpack(Path(place), files)
        view = View(Path(place), "", variant)
        view.reload()
    if view.loaded is None or view.broken:
        raise CannotRun(f"this cannot be shown as it was: {view.read_problems[0].message}")
    return view


def compared(now: View, then: View, language: str, theme: str) -> dict[str, Any]:
    """Compare two states of a title: pieces that are new, gone, different in look or in number;
    hexes that differ; and the changes in words, by heading."""
    pieces: list[dict[str, Any]] = []
    before = then.manifest.by_key if then.manifest else {}
    after = now.manifest.by_key if now.manifest else {}
    sources, old = now.sources(language, theme), then.sources(language, theme)
    for key, piece in (before | after).items():
        was, now_is = before.get(key), after.get(key)
        how = (
            "gone" if now_is is None
            else "new" if was is None
            else "changed" if sources.key(now_is) != old.key(was)
            else "count" if now_is.count != was.count
            else ""
        )  # fmt: skip
        if how:
            counts = [face.count if face else 0 for face in (was, now_is)]
            pieces.append({"key": key, "kind": piece.kind, "name": piece.name.get(language) or piece.id,
                           "how": how, "counts": counts})  # fmt: skip
    kinds = {piece["kind"]: KINDS[piece["kind"]].name.get(language) for piece in pieces}
    facts = (
        function("compare_loaded")(then.loaded, now.loaded, language=language).in_words
        if then.loaded and now.loaded
        else {}
    )
    return {"pieces": pieces, "kinds": kinds, "hexes": [*_hexes(now, then)], "facts": facts}


def _hexes(now: View, then: View) -> list[dict[str, str]]:
    changed: list[dict[str, str]] = []
    before = {board.id: board.by_id for board in then.title.maps}
    for board in now.title.maps:
        was = before.get(board.id, {})
        for name, hexagon in (was | board.by_id).items():
            how = "gone" if name not in board.by_id else "new" if name not in was else "changed"
            if how != "changed" or was[name] != hexagon:
                changed.append({"target": f"hex:{board.id}/{name}", "id": name, "how": how})
    return changed
