"""New titles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from platelayer.definitions.edits import with_value
from platelayer.definitions.titles import copied_files, read_title, schema_files, starter_files
from platelayer.foundation.door import read_start, real
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import CannotRun, ProblemsFound, Severity
from platelayer.foundation.resources import title_ids
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.write import write_all, write_new

if TYPE_CHECKING:
    from platelayer.definitions.source import Document
    from platelayer.definitions.titles import Loaded


def new_title(folder: Path, start: str = "small") -> tuple[str, ...]:
    """Write a printable title of one of the sizes in `STARTS` into an empty or new folder, with
    schemas and settings for editors.

    Returns the names of its files. Raises CannotRun for any other folder; nothing is written then.
    """
    files = starter_files(real(folder).name, start)
    write_new(folder, files)
    return tuple(files)


def copy_title(shipped: str, folder: Path) -> tuple[str, ...]:
    """Write a copy of a shipped title into an empty or new folder, with schemas and settings for
    editors.

    Returns the names of its files. Raises CannotRun for an unknown title or any other folder;
    nothing is written then.
    """
    if shipped not in title_ids():
        raise CannotRun(f"there is no title {shipped!r} that comes with Platelayer")
    files = copied_files(shipped, real(folder).name)
    write_new(folder, files)
    return tuple(files)


def renew_schemas(folder: Path) -> tuple[str, ...]:
    """Write the schemas for editors into the folder of a title, replacing those of an earlier
    version. Returns their names.

    Raises CannotRun if there is no title.
    """
    if not (folder / "title.json").is_file():
        raise CannotRun(f"{folder} is not the folder of a title: there is no title.json in it")
    files = schema_files()
    write_all(folder, files)
    return tuple(files)


# Updates of the declared box contents in the user's own file.


_BOX = ("pieces", "box")
_MARK = b"\xef\xbb\xbf"


class Count(Struct, frozen=True, kw_only=True):
    """An accepted count: the file, as the user would type it, the key, the count before (None if
    there was none) and now. `variant` is the variant that declares it, None for the title
    itself."""

    file: str
    key: str
    before: int | None
    now: int
    variant: str | None = None


class Box(NamedTuple):
    """Accepted counts, and where they are declared: a document and the pointer of its box."""

    document: Document
    pointer: str
    counts: tuple[Count, ...]

    @property
    def values(self) -> Iterator[tuple[str, int]]:
        """Pointers in the document, and the counts to put there."""
        return ((self.pointer + join_pointer(count.key), count.now) for count in self.counts)


def accept_box(reference: str) -> tuple[Count, ...]:
    """Write what a title and its variants yield as the contents of their boxes: the counts that
    they declare, or one of each kind if the title declares none. A count that differs in a variant
    alone is written into the variant. Nothing else in the files changes.

    Raises ProblemsFound if the title has other errors than these counts, CannotRun for a title that
    comes with Platelayer and for one without a block `pieces`.
    """
    if reference in title_ids():
        raise CannotRun(f"{reference} comes with Platelayer; give the folder of your own title")
    loaded = _read(reference)
    counts = list(_write(box_of(loaded)))
    for variant in loaded.title.variants:
        counts += _write(box_of(_read(reference, variant.id), variant.id))
    return tuple(counts)


def box_of(loaded: Loaded, variant: str | None = None) -> Box:
    """The changes that make the declared counts right: updated or added counts of the title itself,
    or those of a variant in its own patch, which gets only the counts that the title has otherwise.
    Raises CannotRun for a title without a block `pieces`."""
    assembled = loaded.assembled
    totals, pieces = build_manifest(loaded.title).totals, assembled.value.get("pieces", {})
    if variant is None:
        document, pointer = assembled.source(join_pointer(*_BOX))
    else:
        document = assembled.root
        pointer = join_pointer("variants", variant, "patch", *_BOX)
    declared = pieces.get("box")
    counts: list[tuple[str, int | None, int]] = []
    if declared is not None:
        counts += ((key, before, totals.get(key, 0)) for key, before in declared.items())
    elif variant is None and "pieces" in assembled.value:
        counts += ((key, None, now) for key, now in totals.items() if "/" not in key)
    elif variant is None:
        raise CannotRun(
            f'{document.file}: there is no block "pieces" for the box; add "pieces": {{}} first'
        )
    return Box(
        document,
        pointer,
        tuple(
            Count(file=document.file, key=key, before=before, now=now, variant=variant)
            for key, before, now in counts
            if before != now
        ),
    )


def _read(reference: str, variant: str | None = None) -> Loaded:
    loaded = read_title(reference, variant=variant)
    others = [
        problem
        for problem in loaded.problems
        if problem.severity is Severity.ERROR and problem.code != "BX01"
    ]
    if others:
        raise ProblemsFound(others)
    return loaded


def _write(box: Box) -> tuple[Count, ...]:
    document = box.document
    text = document.text
    for pointer, now in box.values:
        text = with_value(text, pointer, now)
    if text != document.text:
        mark = _MARK if read_start(document.path, len(_MARK)).startswith(_MARK) else b""
        write_all(document.path.parent, {document.path.name: mark + text.encode()})
    return box.counts
