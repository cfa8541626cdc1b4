"""Titles from other programs' files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from platelayer.definitions.starter import schema_files
from platelayer.foundation.problems import Problem
from platelayer.pipeline.write import write_new


class Import(Struct, frozen=True, kw_only=True):
    """What an import wrote: the folder, its files, how much was lost, and what `check` finds."""

    folder: Path
    files: tuple[str, ...]
    lost: int
    unread: int
    waived: int
    problems: tuple[Problem, ...]


def import_title(source: Path, folder: Path | None = None, *, rules: Sequence[str] = ()) -> Import:
    """Read another program's game with the first importer that takes it, and write it as a title
    into an empty or new folder (by default one with the id of the title, here). `rules` are
    optional rules of the game to read it with.

    Raises CannotRun for what none can read, ProblemsFound for a source with errors.
    """
    # Here, as programs that only load a title import this module, too: 80 ms.
    from platelayer.exchange.imported.settling import problems_in, settle
    from platelayer.exchange.importers import Asked, importer_of

    with ExitStack() as during:
        asked = Asked(
            folder=folder.name if folder is not None else None, rules=tuple(rules), during=during
        )
        imported = importer_of(source, asked).read(source, asked)
        into = folder if folder is not None else Path(str(imported.head["id"]))
        settle(imported, source.name)
    files = imported.files(source.name)
    write_new(into, files | schema_files())
    return Import(
        folder=into,
        files=tuple(files),
        lost=imported.losses.count,
        unread=len(imported.losses.unread),
        waived=len(imported.accepted),
        problems=problems_in(into),
    )
