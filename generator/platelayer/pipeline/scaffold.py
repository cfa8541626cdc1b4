"""New titles."""

from __future__ import annotations

from pathlib import Path

from platelayer.definitions.starter import copied_files, schema_files, starter_files
from platelayer.foundation.door import real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import title_ids
from platelayer.pipeline.write import write_all, write_new


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
