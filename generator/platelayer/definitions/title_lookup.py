"""The titles that files belong to, for editors and commit hooks that name changed files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from platelayer.definitions.assemble import find_title
from platelayer.definitions.source import MAX_BYTES
from platelayer.foundation.files import read_at_most
from platelayer.foundation.problems import ProblemsFound

_MARK = b"platelayer.title/"
"""What the `format` of every title contains; searched for as bytes, because the file may be damaged."""


def titles_of(references: Iterable[str], *, only_related: bool = False) -> tuple[str, ...]:
    """What to check for some ids, folders and files: in order, each title once.

    A file that is not itself a title stands for the title whose folder it is in, however deep. Whatever belongs to no
    title is kept (reading it will say what is wrong with it), or skipped with `only_related`.
    """
    found: dict[Path | str, str] = {}
    for reference in references:
        for title in _title_of(reference, only_related=only_related):
            found.setdefault(_identity(title), title)
    return tuple(found.values())


def _title_of(reference: str, *, only_related: bool) -> Iterator[str]:
    path = Path(reference)
    try:
        is_part = path.is_file() and path.name != "title.json" and not _is_title(path)
    except (OSError, ValueError):
        is_part = False
    around = _folder_around(path) if is_part else reference
    if around is not None:
        yield around
    elif not only_related:
        yield reference


def _is_title(path: Path) -> bool:
    return _MARK in read_at_most(path, MAX_BYTES)


def _folder_around(path: Path) -> str | None:
    """The nearest folder around a file that holds a title.json, relative or absolute like the file's own path."""
    for folder in Path(os.path.normpath(path.absolute())).parents:
        if (folder / "title.json").is_file():
            return str(folder) if path.is_absolute() else os.path.relpath(folder)
    return None


def _identity(reference: str) -> Path | str:
    """The path of a title's file, however it was named; the words themselves if there is none."""
    try:
        return find_title(reference)[0].resolve()
    except (ProblemsFound, OSError, ValueError, RuntimeError):
        return reference
