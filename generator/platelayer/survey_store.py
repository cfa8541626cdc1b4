"""Rows of a survey in, files out: chunks written whole, one table of all of them, settings, and what is done already.

DIR/survey.json          what is surveyed; another survey cannot go on in the same folder
DIR/chunks/A-B.csv       maps A to B, written aside and renamed: there is all of it or nothing
DIR/maps.csv             all chunks in order, made when the last is there; maps.parquet too where pyarrow is
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from msgspec.structs import asdict

from platelayer.atlas.rows import Wanted
from platelayer.foundation.problems import CannotRun

FORMAT = "platelayer.survey/1"
CHUNK = 250
"""Maps in a chunk: a second or two of work, the most that a kill can cost each worker."""


class Store:
    """The folder of one survey of `count` maps. Raises CannotRun when another survey lies there."""

    def __init__(self, folder: Path, wanted: Wanted, count: int) -> None:
        self.folder, self.wanted, self.count = folder, wanted, count
        self._chunks = folder / "chunks"
        settings = {"format": FORMAT, **asdict(wanted), "columns": list(wanted.columns), "chunk": CHUNK}
        path = folder / "survey.json"
        if path.exists():
            if (differing := _differing(path, settings)) is not None:
                raise CannotRun(f"{folder} holds another survey ({differing}); name another folder")
        elif folder.exists() and any(folder.iterdir()):
            raise CannotRun(f"{folder} is not empty and holds no survey; name another folder")
        self._chunks.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as stream:
            stream.write(json.dumps(settings, indent=1) + "\n")
        for left in self._chunks.glob(".*"):
            left.unlink(missing_ok=True)

    def ranges(self) -> list[tuple[int, int]]:
        """First map and end of each chunk, in order."""
        return [(first, min(first + CHUNK, self.count)) for first in range(0, self.count, CHUNK)]

    def missing(self) -> list[tuple[int, int]]:
        """Chunks that are still to be made."""
        return [each for each in self.ranges() if not self._path(*each).exists()]

    def keep(self, first: int, end: int, rows: str) -> None:
        """Write one chunk, with a header."""
        with whole_file(self._path(first, end)) as stream:
            stream.write(",".join(self.wanted.columns) + "\n" + rows)

    def tables(self) -> Iterator[list[dict[str, float]]]:
        """The rows of each chunk in turn, numbers by column."""
        for each in self.ranges():
            with self._path(*each).open(encoding="utf-8", newline="") as stream:
                yield [{name: _number(text) for name, text in row.items()} for row in csv.DictReader(stream)]

    def join(self) -> tuple[Path, ...]:
        """Make the files of all maps; returns their paths."""
        path = self.folder / "maps.csv"
        with whole_file(path) as stream:
            for index, each in enumerate(self.ranges()):
                text = self._path(*each).read_text(encoding="utf-8")
                stream.write(text if index == 0 else text.partition("\n")[2])
        return (path, *self._join_parquet())

    def _join_parquet(self) -> tuple[Path, ...]:
        try:
            pyarrow: Any = import_module("pyarrow")
            parquet: Any = import_module("pyarrow.parquet")
        except ImportError:
            return ()
        fields = [(name, _parquet_type(pyarrow, name)) for name in self.wanted.columns]
        schema = pyarrow.schema(fields)
        path = self.folder / "maps.parquet"
        aside = _aside(path)
        with parquet.ParquetWriter(aside, schema) as writer:
            for rows in self.tables():
                columns = [pyarrow.array([row[name] for row in rows], type=kind) for name, kind in fields]
                writer.write_table(pyarrow.Table.from_arrays(columns, schema=schema))
        aside.replace(path)
        return (path,)

    def _path(self, first: int, end: int) -> Path:
        return self._chunks / f"{first:07}-{end - 1:07}.csv"


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file to write aside and rename when it is whole and on disk."""
    aside = _aside(path)
    with aside.open("w", encoding="utf-8", newline="") as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())
    aside.replace(path)


def _aside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")


def _differing(path: Path, settings: dict[str, Any]) -> str | None:
    """In what a survey that was begun differs, in words; None for nothing."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return "its survey.json cannot be read"
    if not isinstance(found, dict):
        return "its survey.json cannot be read"
    return next((f"{key} {found.get(key)}" for key in settings if found.get(key) != settings[key]), None)


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def is_whole(name: str) -> bool:
    """Does a column hold whole numbers alone?"""
    return not name.endswith(("_mean", "_centrality"))


def _parquet_type(pyarrow: Any, name: str) -> Any:
    return pyarrow.int64() if is_whole(name) else pyarrow.float64()


def columns_measured(columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that are measures of maps, and not their names."""
    return tuple(name for name in columns if name not in ("map", "seed"))
