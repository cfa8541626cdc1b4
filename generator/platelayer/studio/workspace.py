"""Texts being edited, with undo, redo and saving."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from platelayer.foundation.cache import caches
from platelayer.foundation.door import NotRead, inside, is_own, read_json
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.write import write_all
from platelayer.studio.folder import Changed, Folder, Missing, Moments, Refused, TextFile

READ_ONLY = "this title comes with Platelayer: copy its folder to change it"
_UTF16 = "utf-16-le"
_MOST_STEPS = 2000
# Number of changes of a file that are stored; a page that lags further behind reads the whole file.
_PARTS_KEPT = 400

# Change of a text in CodeMirror's format: the number of UTF-16 units to keep, or [number to remove,
# line to insert, line ...].
Parts: TypeAlias = Sequence[int | Sequence[int | str]]


class Edit(NamedTuple):
    """Replacement in a file: at an offset in characters, `removed` gives way to `inserted`."""

    name: str
    at: int
    removed: str
    inserted: str

    @property
    def inverse(self) -> Edit:
        """Edit that undoes this one."""
        return Edit(self.name, self.at, self.inserted, self.removed)


class Step(Struct):
    """Edits that are undone together. Successive edits with the same `group` form one step."""

    label: str
    group: str
    edits: list[Edit]


class Open(Struct):
    """File being edited: its text, the text on disk as last known (`saved`), and its changes since
    it was opened, by version.

    `theirs` is the digest of what somebody else wrote while the text was not saved ("" if the file
    was deleted). `gone` is True if the file was deleted while it had no unsaved changes: only its
    steps remain, which can be undone.
    """

    text: str
    saved: str
    digest: str
    first: int = 0
    changes: list[tuple[Parts, str]] = []
    theirs: str | None = None
    gone: bool = False

    @property
    def version(self) -> int:
        """Number of changes so far."""
        return self.first + len(self.changes)

    @property
    def is_saved(self) -> bool:
        """True if the text equals the file on disk and there is no conflict."""
        return self.text == self.saved and self.theirs is None


class Kept(NamedTuple):
    """Unsaved text, with the digest and text of the file that it is based on."""

    text: str
    digest: str
    saved: str = ""


class Stale(Changed):
    """Raised for a change of an outdated version. The page fetches the changes that it lacks, then
    sends its own again."""


class Workspace:
    """Files of a folder being edited. `revision` counts the changes of all files; `autosave` turns
    automatic saving on or off; `trouble` is the reason why the last save failed ("" if it did
    not); `moments` are earlier states."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.moments = folder, Moments(folder)
        self.revision = 0
        self.autosave = True
        self.trouble = ""
        self._open: dict[str, Open] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []

    def open(self, name: str) -> Open:
        """Return a file, opening it for editing if necessary. Raises Refused, Missing."""
        file = self._open.get(name)
        if file is None or file.gone:
            found = self.folder.read(name)
            file = self._open.setdefault(
                name, Open(text=found.text, saved=found.text, digest=found.digest)
            )
            self._look_at(name)
        return file

    @property
    def unsaved(self) -> tuple[str, ...]:
        """Names of the files with unsaved changes, sorted."""
        return tuple(sorted(name for name, file in self._open.items() if not file.is_saved))

    @property
    def conflicts(self) -> Mapping[str, str]:
        """Files with unsaved changes that somebody else has "changed", or that are "gone"."""
        return {
            name: "changed" if file.theirs else "gone"
            for name, file in sorted(self._open.items())
            if file.theirs is not None
        }

    @property
    def versions(self) -> dict[str, int]:
        """Versions of the files being edited."""
        return {name: file.version for name, file in sorted(self._open.items()) if not file.gone}

    @property
    def texts(self) -> dict[Path, str]:
        """Unsaved texts by path."""
        return {self.folder.root / name: self._open[name].text for name in self.unsaved}

    @property
    def next_undo(self) -> str | None:
        """Label of the step that `undo` would undo; None if there is none."""
        return self._done[-1].label if self._done else None

    @property
    def next_redo(self) -> str | None:
        """Label of the step that `redo` would redo; None if there is none."""
        return self._undone[-1].label if self._undone else None

    def edit(self, label: str, edits: Iterable[Edit], *, group: str = "", by: str = "") -> None:
        """Make edits as one step. Each edit builds on those before it; either all are made or none.
        `by` identifies the page that has already made them. Raises Refused if the text to remove
        is not there."""
        if not self.folder.writable:
            raise Refused(READ_ONLY)
        self._step(label, edits, group, by)

    def _step(self, label: str, edits: Iterable[Edit], group: str = "", by: str = "") -> None:
        made = self._make_all(edits, by)
        if not made:
            return
        self._undone.clear()
        if group and self._done and self._done[-1].group == group:
            self._done[-1].edits += made
        else:
            self._done.append(Step(label, group, made))
            del self._done[:-_MOST_STEPS]

    def replace(self, label: str, texts: Mapping[str, str], *, group: str = "") -> None:
        """Replace the texts of files in one step."""
        edits = [difference(name, self.open(name).text, text) for name, text in texts.items()]
        self.edit(label, [edit for edit in edits if edit.removed != edit.inserted], group=group)

    def type(
        self, name: str, version: int, changes: Sequence[Parts], *, label: str, group: str, by: str
    ) -> None:
        """Apply changes typed in a page. Raises Stale if the text has a newer version; Refused."""
        file = self.open(name)
        if version != file.version:
            raise Stale(f"{name} has changed since")
        texts = [file.text]
        for parts in changes:  # fails before any change is made
            texts.append(changed(texts[-1], parts))
        for parts, after in zip(changes, texts[1:], strict=True):
            if after != file.text:
                self.edit(label, [difference(name, file.text, after)], group=group, by=by)
            else:  # the page counts it as a version
                self._note(file, parts, by)

    def since(self, name: str, version: int) -> tuple[tuple[Parts, str], ...] | None:
        """Return the changes of a file since a version, each with the page that made it; None if
        the version is too old."""
        file = self.open(name)
        if not file.first <= version <= file.version:
            return None
        return tuple(file.changes[version - file.first :])

    def undo(self) -> str | None:
        """Undo the last step and return its label; None if there is none."""
        return self._move(self._done, self._undone, back=True)

    def redo(self) -> str | None:
        """Redo the last step that was undone and return its label; None if there is none."""
        return self._move(self._undone, self._done, back=False)

    @property
    def savable(self) -> tuple[str, ...]:
        """Names of the files with unsaved changes that nobody else has changed."""
        return tuple(name for name in self.unsaved if name not in self.conflicts)

    def save(self, names: Iterable[str]) -> tuple[str, ...]:
        """Write files and return their names. Raises Changed if somebody else has changed one,
        Refused, CannotRun; the other files are written nevertheless."""
        written: list[str] = []
        refused: CannotRun | None = None
        for name in names:
            try:
                file = self.open(name)
                file.digest = self.folder.save(name, file.text, file.digest)
            except CannotRun as error:
                refused = error
                if name in self._open:
                    self._look_at(name)
                continue
            file.saved, file.theirs = file.text, None
            written.append(name)
        self.trouble = str(refused or "")
        if refused is not None:
            raise refused
        return tuple(written)

    def revert(self, label: str) -> None:
        """Replace all texts by those on disk, in a step that can be undone."""
        names, group = self.unsaved, f"revert {self.revision}"
        for name in names:
            self._open[name].theirs = None
        self.replace(label, {name: self._open[name].saved for name in names}, group=group)
        for name in names:
            self._look_at(name, label, group)

    def settle(self, name: str, *, mine: bool, label: str = "") -> None:
        """Resolve a conflict: keep the edited text, which will overwrite the file, or load the file
        from disk."""
        file = self.open(name)
        if file.theirs is None:
            return
        if mine:
            file.saved = self.folder.read(name).text if file.theirs else ""
            file.digest, file.theirs = file.theirs, None
        elif file.theirs:
            self._take(name, self.folder.read(name), label)
        else:
            # No digest: if the file comes back, its contents are loaded.
            file.saved, file.digest, file.theirs, file.gone = file.text, "", None, True
        self.revision += 1

    def unsaved_json(self) -> bytes:
        """Return the unsaved texts as JSON, to be restored by another studio of this folder."""
        files = {name: self._open[name] for name in self.unsaved}
        kept = {name: Kept(file.text, file.digest, file.saved) for name, file in files.items()}
        return msgspec.json.encode(kept) if kept else b""

    def restore(self, kept: Mapping[str, Kept], label: str) -> None:
        """Restore texts that another studio could not save. Raises Refused if the folder is
        read-only."""
        if not self.folder.writable:
            raise Refused(READ_ONLY)
        for name, (text, digest, saved) in kept.items():
            with suppress(Refused):
                self.folder.file(name)
                file = self._open.setdefault(name, Open(text=saved, saved=saved, digest=digest))
                file.saved, file.digest, file.gone = saved, digest, False
                self.replace(label, {name: text})
                self._look_at(name, label)

    def refresh(self, label: str) -> None:
        """Load changes that others have made to the files on disk. A file with unsaved changes
        keeps its text, and changes elsewhere in it are merged."""
        for name in list(self._open):
            self._look_at(name, label)

    def _look_at(self, name: str, label: str = "", group: str = "") -> None:
        file = self._open[name]
        try:
            on_disk = self.folder.read(name)
        except Missing:
            self._miss(file)
            return
        except Refused:
            return  # ignore an unreadable file for now; saving it will be refused
        if file.gone or (file.theirs is not None and on_disk.digest == file.digest):
            file.gone, file.theirs = False, None  # it was restored, or is as before
            self.revision += 1
        if on_disk.digest in (file.digest, file.theirs):
            return
        if file.text in (file.saved, on_disk.text):
            self._take(name, on_disk, label, group)
            return
        theirs = difference(name, file.saved, on_disk.text)
        mine = difference(name, file.saved, file.text)
        # Edits that neither overlap nor touch can both be made.
        end_of_theirs, end_of_mine = theirs.at + len(theirs.removed), mine.at + len(mine.removed)
        is_apart = end_of_theirs < mine.at or end_of_mine < theirs.at
        if on_disk.text == file.saved or is_apart:
            if on_disk.text != file.saved:  # otherwise only line ends differ
                shift = len(mine.inserted) - len(mine.removed) if mine.at < theirs.at else 0
                self._step(label, [theirs._replace(at=theirs.at + shift)], group)
            file.saved, file.digest, file.theirs = on_disk.text, on_disk.digest, None
        else:
            file.theirs = on_disk.digest
        self.revision += 1

    def _miss(self, file: Open) -> None:
        """Record that a file is not on disk."""
        if file.text == file.saved:
            missed, file.gone, file.theirs = not file.gone, True, None
        else:
            missed = file.theirs != "" and file.digest != ""
            file.theirs = "" if missed else file.theirs
        self.revision += missed

    def _take(self, name: str, on_disk: TextFile, label: str, group: str = "") -> None:
        """Replace the text by the one on disk, in a step that can be undone."""
        file = self._open[name]
        if file.text != on_disk.text:
            self._step(label, [difference(name, file.text, on_disk.text)], group)
        file.saved, file.digest, file.theirs = on_disk.text, on_disk.digest, None
        self.revision += 1

    def _make_all(self, edits: Iterable[Edit], by: str = "") -> list[Edit]:
        made: list[Edit] = []
        try:
            for edit in edits:
                self._make(edit, by)
                made.append(edit)
        except Refused:
            for edit in reversed(made):
                self._make(edit.inverse)
            raise
        return made

    def _make(self, edit: Edit, by: str = "") -> None:
        file = self._open.get(edit.name) or self.open(edit.name)
        end = edit.at + len(edit.removed)
        if file.text[edit.at : end] != edit.removed:
            raise Refused(f"{edit.name} is another by now")
        self._note(file, _parts(file.text, edit), by)
        file.text = file.text[: edit.at] + edit.inserted + file.text[end:]
        if file.gone:  # undo of a step restores the file, but not on disk
            file.gone, file.theirs = False, ""

    def _note(self, file: Open, parts: Parts, by: str) -> None:
        file.changes.append((parts, by))
        over = len(file.changes) - _PARTS_KEPT
        if over > 0:
            del file.changes[:over]
            file.first += over
        self.revision += 1

    def _move(self, source: list[Step], target: list[Step], *, back: bool) -> str | None:
        if not source:
            return None
        step = source[-1]
        self._make_all([edit.inverse for edit in reversed(step.edits)] if back else step.edits)
        source.pop()
        target.append(Step(step.label, "", step.edits))
        return step.label


def difference(name: str, before: str, after: str) -> Edit:
    """Return the single edit that turns one text into another."""
    most = min(len(before), len(after))
    start = _common(most, lambda low, high: before[low:high] == after[low:high])
    gone, come = len(before), len(after)
    end = _common(
        most - start,
        lambda low, high: before[gone - high : gone - low] == after[come - high : come - low],
    )
    return Edit(name, start, before[start : gone - end], after[start : come - end])


def _common(most: int, agree: Callable[[int, int], bool]) -> int:
    """Return the number of characters, up to `most`, that two texts share at one end. `agree` says
    whether they agree in a range of characters counted from that end."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if agree(low, middle) else (low, middle - 1)
    return low


def changed(text: str, parts: Parts) -> str:
    """Apply a change to a text. Raises Refused if it is a change of another text."""
    units = text.encode(_UTF16, "surrogatepass")
    at, made = 0, bytearray()
    for part in parts:
        if isinstance(part, int):
            made += units[2 * at : 2 * (at + part)]
            at += part
        else:
            at += int(part[0])
            made += "\n".join(map(str, part[1:])).encode(_UTF16, "surrogatepass")
    if 2 * at != len(units):
        raise Refused("this is a change of another text")
    try:
        return made.decode(_UTF16)
    except UnicodeDecodeError as error:
        raise Refused("this change would leave half a character") from error


def _parts(text: str, edit: Edit) -> Parts:
    """Return an edit of a text in CodeMirror's format."""
    before, gone = _units(text[: edit.at]), _units(edit.removed)
    after = _units(text) - before - gone
    lines = edit.inserted.split("\n") if edit.inserted else []
    return [*([before] if before else []), [gone, *lines], *([after] if after else [])]


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 code units, which CodeMirror counts."""
    return len(text.encode(_UTF16, "surrogatepass")) // 2


# Unsaved texts, stored for the next studio of their folder, beside its files or elsewhere.


_NAME = "unsaved.json"
_MOST_BYTES = 64 * 1024 * 1024


class Unsaved:
    """Store for the unsaved texts of a folder. `why` is the reason why they could not be stored
    beside its files; `elsewhere` is the file that then holds them, None if there was no place
    for it."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.elsewhere: Path | None = None
        self.why = ""

    def keep(self, data: bytes) -> None:
        """Store texts, as JSON by file name, instead of those stored before; empty data only
        deletes those."""
        self.elsewhere, self.why = None, ""
        try:
            self._folder.keep(_NAME, data)
        except CannotRun as error:
            if data:
                self.why = str(error)
                self._keep_elsewhere(data)
                return
        for path in self._places():
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def _keep_elsewhere(self, data: bytes) -> None:
        for path in self._places():
            with suppress(CannotRun, OSError):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                if is_own(path.parent.stat()):
                    write_all(path.parent, {path.name: data})
                    read_json(path, dict[str, Kept], _MOST_BYTES, own=True)
                    self.elsewhere = path
                    return

    def kept(self) -> dict[str, Kept]:
        """Return the texts stored by the last studio of the folder; a file elsewhere takes
        precedence, as it is the newest."""
        for path in self._places():
            with suppress(CannotRun):
                return read_json(path, dict[str, Kept], _MOST_BYTES, own=True)
        with suppress(NotRead):
            return self._folder.kept(_NAME, dict[str, Kept])
        return {}

    def tell(self) -> None:
        """Raise CannotRun if texts could not be kept beside their files."""
        if not self.why:
            return
        fate = "what was not saved is lost: there was no other place to keep it"
        if self.elsewhere is not None:
            fate = f"what is not saved is in {self.elsewhere}, and the next studio of this folder shows it"
        raise CannotRun(f"{self.why}; {fate}")

    def _places(self) -> Iterator[Path]:
        """Yield the files outside the folder that can hold its texts: in the user's cache, then in
        the temporary directory. Callers must check that these belong to the user."""
        name = f"{sha256(os.fsencode(self._folder.root)).hexdigest()[:16]}.json"
        with suppress(RuntimeError, CannotRun):  # the user has no home directory
            yield inside(caches(), f"platelayer/unsaved/{name}")
        with suppress(CannotRun):
            yield inside(Path(tempfile.gettempdir()), f"platelayer-unsaved-{_user()}/{name}")


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
