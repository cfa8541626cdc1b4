"""The texts that are edited, saved or not, and every step back and forth."""

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
# How many changes of a file a page may be behind; one that is further behind reads the file anew.
_PARTS_KEPT = 400

# A change of a text as CodeMirror writes it: how many UTF-16 units stay, or [how many go, line,
# line ...].
Parts: TypeAlias = Sequence[int | Sequence[int | str]]


class Edit(NamedTuple):
    """One replacement in a file: at an offset in characters, a text gives way to another."""

    name: str
    at: int
    removed: str
    inserted: str

    @property
    def inverse(self) -> Edit:
        """Undo step."""
        return Edit(self.name, self.at, self.inserted, self.removed)


class Step(Struct):
    """Edits that one undo reverts. Edits with the same `group` that follow each other are one
    step."""

    label: str
    group: str
    edits: list[Edit]


class Open(Struct):
    """A file that is edited: its text, what is on disk of it, and its changes since it was opened,
    by version.

    `theirs` is the digest of what somebody else wrote while it was not saved ("" if the file is
    gone). `gone` is whether the file went when there was nothing to save: only its steps are left,
    which can be taken back."""

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
        """True if the text equals the file on disk."""
        return self.text == self.saved and self.theirs is None


class Kept(NamedTuple):
    """A text that is not saved, and the digest and text of what it was made from."""

    text: str
    digest: str
    saved: str = ""


class Stale(Changed):
    """Raised for a change of a text that is another by now: the page fetches what it lacks, and
    sends it again."""


class Workspace:
    """The files of a folder as they are edited. `revision` counts the changes of all; `autosave` is
    whether they are saved without being asked; `trouble` is why the last save has failed ("": it has
    not); `moments` are how they were."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.moments = folder, Moments(folder)
        self.revision = 0
        self.autosave = True
        self.trouble = ""
        self._open: dict[str, Open] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []

    def open(self, name: str) -> Open:
        """A file as it is edited. Raises Refused, Missing."""
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
        """Names of the files whose text is not what is on disk, in order."""
        return tuple(sorted(name for name, file in self._open.items() if not file.is_saved))

    @property
    def conflicts(self) -> Mapping[str, str]:
        """Files that somebody else has changed while they were not saved: "changed", or "gone"."""
        return {
            name: "changed" if file.theirs else "gone"
            for name, file in sorted(self._open.items())
            if file.theirs is not None
        }

    @property
    def versions(self) -> dict[str, int]:
        """Versions of the files that are edited."""
        return {name: file.version for name, file in sorted(self._open.items()) if not file.gone}

    @property
    def texts(self) -> dict[Path, str]:
        """The texts that are not on disk, by path."""
        return {self.folder.root / name: self._open[name].text for name in self.unsaved}

    @property
    def next_undo(self) -> str | None:
        """The label of the step that `undo` takes back; None if there is none."""
        return self._done[-1].label if self._done else None

    @property
    def next_redo(self) -> str | None:
        """The label of the step that `redo` takes; None if there is none."""
        return self._undone[-1].label if self._undone else None

    def edit(self, label: str, edits: Iterable[Edit], *, group: str = "", by: str = "") -> None:
        """Take one step. Edits count on those before them; all are made, or none. `by` names the
        page that has made them already. Raises Refused for an edit of what is not there."""
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
        """Take a step to other texts, by file."""
        edits = [difference(name, self.open(name).text, text) for name, text in texts.items()]
        self.edit(label, [edit for edit in edits if edit.removed != edit.inserted], group=group)

    def type(
        self, name: str, version: int, changes: Sequence[Parts], *, label: str, group: str, by: str
    ) -> None:
        """Take what a page has typed. Raises Stale if the text is another than that of the version;
        Refused."""
        file = self.open(name)
        if version != file.version:
            raise Stale(f"{name} has changed since")
        texts = [file.text]
        for parts in changes:  # all can be made, or none is
            texts.append(changed(texts[-1], parts))
        for parts, after in zip(changes, texts[1:], strict=True):
            if after != file.text:
                self.edit(label, [difference(name, file.text, after)], group=group, by=by)
            else:  # the page counts it
                self._note(file, parts, by)

    def since(self, name: str, version: int) -> tuple[tuple[Parts, str], ...] | None:
        """Changes of a file since a version, each with the page that made it; None if that is too
        long ago."""
        file = self.open(name)
        if not file.first <= version <= file.version:
            return None
        return tuple(file.changes[version - file.first :])

    def undo(self) -> str | None:
        """Take back the last step; its label, None if there is none."""
        return self._move(self._done, self._undone, back=True)

    def redo(self) -> str | None:
        """Take the last step again that was taken back; its label, None if there is none."""
        return self._move(self._undone, self._done, back=False)

    @property
    def savable(self) -> tuple[str, ...]:
        """Names of the files that are not saved and that nobody else has changed."""
        return tuple(name for name in self.unsaved if name not in self.conflicts)

    def save(self, names: Iterable[str]) -> tuple[str, ...]:
        """Write files; their names. Raises Changed for one that somebody else has changed, Refused,
        CannotRun; those that can be written are."""
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
        """Go back to what is on disk, in a step that can be taken back."""
        names, group = self.unsaved, f"revert {self.revision}"
        for name in names:
            self._open[name].theirs = None
        self.replace(label, {name: self._open[name].saved for name in names}, group=group)
        for name in names:
            self._look_at(name, label, group)

    def settle(self, name: str, *, mine: bool, label: str = "") -> None:
        """End a conflict: keep the text that is edited, to be saved over the other, or take what is
        on disk."""
        file = self.open(name)
        if file.theirs is None:
            return
        if mine:
            file.saved = self.folder.read(name).text if file.theirs else ""
            file.digest, file.theirs = file.theirs, None
        elif file.theirs:
            self._take(name, self.folder.read(name), label)
        else:
            # Without a digest, so that the file is taken as it is should it come back.
            file.saved, file.digest, file.theirs, file.gone = file.text, "", None, True
        self.revision += 1

    def unsaved_json(self) -> bytes:
        """The texts that are not on disk, to be restored by another studio of this folder."""
        files = {name: self._open[name] for name in self.unsaved}
        kept = {name: Kept(file.text, file.digest, file.saved) for name, file in files.items()}
        return msgspec.json.encode(kept) if kept else b""

    def restore(self, kept: Mapping[str, Kept], label: str) -> None:
        """Go on with texts that another studio could not save. Raises Refused if nothing can be
        changed here."""
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
        """Follow what somebody else did to the files on disk. A file that is not saved keeps its
        text; what they changed elsewhere in it is taken in."""
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
            return  # what cannot be read is left alone until it is saved, which refuses
        if file.gone or (file.theirs is not None and on_disk.digest == file.digest):
            file.gone, file.theirs = False, None  # it is there again, or as it was
            self.revision += 1
        if on_disk.digest in (file.digest, file.theirs):
            return
        if file.text in (file.saved, on_disk.text):
            self._take(name, on_disk, label, group)
            return
        theirs = difference(name, file.saved, on_disk.text)
        mine = difference(name, file.saved, file.text)
        # Edits that touch no common character can both be made.
        end_of_theirs, end_of_mine = theirs.at + len(theirs.removed), mine.at + len(mine.removed)
        is_apart = end_of_theirs < mine.at or end_of_mine < theirs.at
        if on_disk.text == file.saved or is_apart:
            if on_disk.text != file.saved:  # else other line ends
                shift = len(mine.inserted) - len(mine.removed) if mine.at < theirs.at else 0
                self._step(label, [theirs._replace(at=theirs.at + shift)], group)
            file.saved, file.digest, file.theirs = on_disk.text, on_disk.digest, None
        else:
            file.theirs = on_disk.digest
        self.revision += 1

    def _miss(self, file: Open) -> None:
        """Note that a file is not on disk."""
        if file.text == file.saved:
            missed, file.gone, file.theirs = not file.gone, True, None
        else:
            missed = file.theirs != "" and file.digest != ""
            file.theirs = "" if missed else file.theirs
        self.revision += missed

    def _take(self, name: str, on_disk: TextFile, label: str, group: str = "") -> None:
        """Make the text what is on disk, in a step that can be taken back."""
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
        if file.gone:  # a step about it is taken back: it is there again, and not on disk
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
    """The one edit that turns a text into another."""
    most = min(len(before), len(after))
    start = _common(most, lambda low, high: before[low:high] == after[low:high])
    gone, come = len(before), len(after)
    end = _common(
        most - start,
        lambda low, high: before[gone - high : gone - low] == after[come - high : come - low],
    )
    return Edit(name, start, before[start : gone - end], after[start : come - end])


def _common(most: int, agree: Callable[[int, int], bool]) -> int:
    """Number of characters at one end of two texts that agree, up to `most`; those from one number
    to another do or do not."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if agree(low, middle) else (low, middle - 1)
    return low


def changed(text: str, parts: Parts) -> str:
    """A text after a change. Raises Refused for a change of another text."""
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
    """An edit of a text as CodeMirror reads it."""
    before, gone = _units(text[: edit.at]), _units(edit.removed)
    after = _units(text) - before - gone
    lines = edit.inserted.split("\n") if edit.inserted else []
    return [*([before] if before else []), [gone, *lines], *([after] if after else [])]


def _units(text: str) -> int:
    """Length of a text in UTF-16, in which CodeMirror counts."""
    return len(text.encode(_UTF16, "surrogatepass")) // 2


# Texts that are not saved, kept for the next studio of their folder: beside its files, or
# elsewhere.


_NAME = "unsaved.json"
_MOST_BYTES = 64 * 1024 * 1024


class Unsaved:
    """Store of the unsaved texts of a folder. `why` they could not be kept beside its files, and
    the file `elsewhere` that holds them; None if there is no place for it."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.elsewhere: Path | None = None
        self.why = ""

    def keep(self, data: bytes) -> None:
        """Keep texts, as JSON by the names of their files, in place of those kept before; empty:
        none."""
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
        """The texts that the last studio of the folder has kept; those elsewhere are the newest."""
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
        """Files in folders of the user's that belong to this folder alone; nobody else's are
        read."""
        name = f"{sha256(os.fsencode(self._folder.root)).hexdigest()[:16]}.json"
        with suppress(RuntimeError, CannotRun):  # nobody's home
            yield inside(caches(), f"platelayer/unsaved/{name}")
        with suppress(CannotRun):
            yield inside(Path(tempfile.gettempdir()), f"platelayer-unsaved-{_user()}/{name}")


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
