"""Moments that a title can be compared with: how it was on disk, when it was saved, printed, or
committed."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from platelayer.foundation.door import NotRead, is_safe_path, read_start, unpack
from platelayer.foundation.problems import CannotRun
from platelayer.model.kinds import KINDS
from platelayer.pipeline.registry import function
from platelayer.studio.folder import Folder

if TYPE_CHECKING:
    from platelayer.studio.view import View

# What a title is read from.
SUFFIXES = (".json", ".svg")
# The folder in a title's that prints are written into.
_PRINTS = "output"
_MOST_BYTES = 16 * 1024 * 1024
_MOST_FILES = 400
_MOST_SAVES = 20
_MOST_READ = 3
_DIGITS = 16
_PRINTED = "printed.json"

# The files of a title by their paths in its folder.
Files: TypeAlias = Mapping[str, bytes]


class Moment(NamedTuple):
    """When a title was as it was: "disk" (now), "opened", "save", "print" or "commit", with the
    time in seconds since 1970, and the subject of a commit."""

    id: str
    kind: str
    time: float
    subject: str = ""


class Printed(NamedTuple):
    """Files from which the last print of a title was made."""

    time: float
    files: dict[str, bytes]


class Moments:
    """The moments of the titles in a folder. Those of this studio are kept in memory, the last
    print beside the files; commits are read from git."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._kept: dict[str, OrderedDict[Moment, Files]] = {}
        self._read: OrderedDict[tuple[str, str | None], View] = OrderedDict()
        self._number = 0
        self._printed: dict[str, Printed] | None = None

    def begin(self, at: str) -> None:
        """Keep a title as it is when it is looked at for the first time."""
        if at not in self._kept:
            self._kept[at] = OrderedDict()
            with suppress(CannotRun, OSError):
                self._kept[at][Moment("opened", "opened", time.time())] = self.now(at)

    def save(self, at: str) -> None:
        """Keep a title as somebody has just saved it, unless nothing has changed since the last
        time."""
        kept = self._kept.setdefault(at, OrderedDict())
        with suppress(CannotRun, OSError):
            files = self.now(at)
            if kept and next(reversed(kept.values())) == files:
                return
            self._number += 1
            kept[Moment(f"save-{self._number}", "save", time.time())] = files
            saves = [moment for moment in kept if moment.kind == "save"]
            for moment in saves[:-_MOST_SAVES]:
                del kept[moment]

    def printed(self, at: str, files: Files) -> None:
        """Keep what a print was made from, also for the next studio."""
        self._prints[at] = Printed(time.time(), dict(files))
        with suppress(CannotRun):  # the next studio has one thing less to compare with
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
        """Moments that a title can be compared with: the files on disk, then earlier ones, the
        newest first."""
        kept = reversed(self._kept.get(at, {}))
        printed = [Moment("print", "print", self._prints[at].time)] if at in self._prints else []
        past = [
            Moment(f"commit-{commit.id}", "commit", commit.time, commit.subject)
            for commit in function("commits")(self._place(at))
        ]
        return (Moment("disk", "disk", time.time()), *printed, *kept, *past)

    def now(self, at: str) -> Files:
        """The files of a title as they are on disk. Raises CannotRun, OSError."""
        before = next(reversed(self._kept[at].values()), {}) if self._kept.get(at) else {}
        files: dict[str, bytes] = {}
        room = _MOST_BYTES
        for name in self._folder.files(at):
            short = name[len(at) + 1 :] if at else name
            is_print = short.startswith(f"{_PRINTS}/") or not name.endswith(SUFFIXES)
            if self._folder.title_of(name) == at and not is_print and is_safe_path(short):
                data = read_start(self._folder.file(name), room + 1)
                room -= len(data)
                if room < 0:
                    raise CannotRun("there is too much in this folder to compare it")
                # Most files stay as they are: they are kept once.
                files[short] = before[short] if before.get(short) == data else data
        return files

    def files(self, at: str, moment: str) -> Files:
        """The files of a title at a moment. Raises CannotRun."""
        if moment == "disk":
            return self.now(at)
        if moment == "print" and at in self._prints:
            return self._prints[at].files
        if moment.startswith("commit-"):
            commit = moment.removeprefix("commit-")
            then = function("commit_files")(
                self._place(at), commit, SUFFIXES, most_bytes=_MOST_BYTES, most_files=_MOST_FILES
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
        raise CannotRun("what this is to be compared with is no longer kept")

    def view(self, at: str, variant: str | None, moment: str) -> tuple[View, str]:
        """A title as it was at a moment, and a digest of its files. Raises CannotRun for what
        cannot be shown."""
        files = self.files(at, moment)
        key = (_digest(files), variant)
        view = self._read.pop(key, None) or _read(files, variant)
        self._read[key] = view
        while len(self._read) > _MOST_READ:
            self._read.popitem(last=False)
        return view, key[0]

    def _place(self, at: str) -> Path:
        return self._folder.inside(at)


def _digest(files: Files) -> str:
    whole = hashlib.sha256()
    for name, data in sorted(files.items()):
        whole.update(f"{name}\0{len(data)}\0".encode() + data)
    return whole.hexdigest()[:_DIGITS]


def _read(files: Files, variant: str | None) -> View:
    """A title from files, wherever those are: they get a folder of their own while it is read, so
    that what was not there then is not there. Raises CannotRun."""
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
    """Pieces that look different, are more or fewer, new or gone, and hexes of maps; and the
    changes in words, by heading."""
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
