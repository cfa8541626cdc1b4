"""The folder of a survey: sealed chunks of rows, one table of all of them, settings, and finished
work.

DIR/survey.json         what is surveyed; another survey cannot continue in the same folder
DIR/chunks/A-B.SEAL.csv maps A to B, as plain CSV: all of a chunk or nothing. The seal is a digest of its bytes, of what
                        is surveyed, and of which maps these are; A-B.checked.SEAL.csv if they were checked
DIR/maps.csv            all chunks in order, made when the last is done; maps.parquet too if pyarrow is installed
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from msgspec.structs import asdict

from platelayer.atlas.compiled import Columns, Wanted, is_whole, read_rows
from platelayer.definitions.source import read_document
from platelayer.foundation.door import NotRead, read_bytes
from platelayer.foundation.problems import CannotRun, ProblemsFound

FORMAT = "platelayer.survey/2"
CHUNK = 250
"""Maps in a chunk: a second or two of work, the most that each worker can lose to a kill."""
MAX_MAPS = 10_000_000
"""Maps of a survey: their numbers have seven digits."""
TABLES = ("maps.csv", "maps.parquet")
RESULTS = ("summary.txt", "summary.json", "histograms.svg")

Range = tuple[int, int]
"""First map and end of a chunk."""

_NAME = r"([0-9]{7})-([0-9]{7})(?:\.checked)?\.[0-9a-f]{32}\.csv"
_CHUNK = re.compile(_NAME)
_ASIDE = re.compile(
    rf"\.({'|'.join(map(re.escape, ('survey.json', *TABLES, *RESULTS)))}|{_NAME})\.[0-9a-f]{{16}}\.part"
)
_MAX_BYTES_PER_MAP = 2000
_CHUNKS_IN_GROUP = 100
"""Chunks in a row group of maps.parquet: the metadata of each group stays in memory to the end."""
_MAX_SHOWN = 50


class Chunk(NamedTuple):
    """Rows as text without a header, their values by column, and whether each map was checked."""

    text: str
    columns: Columns
    checked: bool


class Standing(NamedTuple):
    """Chunks to make, and how many of their maps exist but are damaged, or are not checked as they
    should be."""

    missing: tuple[Range, ...]
    damaged: int
    unchecked: int


class Store:
    """The folder of one survey of `count` maps; `checked`: each is also to be checked.

    Raises CannotRun if another survey is there, or if something that should be in the folder leads
    out of it.
    """

    def __init__(self, folder: Path, wanted: Wanted, count: int, *, checked: bool = False) -> None:
        self.folder, self.wanted, self.count, self.checked = folder, wanted, count, checked
        self._chunks = folder / "chunks"
        self._header = ",".join(wanted.columns) + "\n"
        settings: dict[str, Any] = {
            "format": FORMAT,
            **asdict(wanted),
            "columns": list(wanted.columns),
            "chunk": CHUNK,
        }
        if not wanted.box:
            del settings["box"]  # as in surveys from before there were others
        self._digest = hashlib.sha256(json.dumps(settings).encode())
        self._begin(folder / "survey.json", settings)
        self._names: dict[Range, list[str]] = {}
        for path in (*folder.iterdir(), *self._chunks.iterdir()):
            if _ASIDE.fullmatch(path.name):  # left by a survey that was killed
                with suppress(IsADirectoryError, PermissionError):
                    path.unlink(missing_ok=True)
            elif path.parent == self._chunks and (name := _CHUNK.fullmatch(path.name)):
                self._names.setdefault((int(name[1]), int(name[2]) + 1), []).append(path.name)

    def _begin(self, path: Path, settings: dict[str, Any]) -> None:
        """Start a survey in the folder, or make sure that the one already there is the same."""
        for folder in (path, self._chunks):
            if os.path.realpath(folder) != str(Path(os.path.realpath(self.folder), folder.name)):
                raise CannotRun(
                    f"{folder} is a link, but a survey stays in its own folder; name another folder"
                )
        if os.path.lexists(path):
            if differing := _differing(path, settings):
                raise CannotRun(
                    f"{self.folder} holds another survey ({differing}); name another folder"
                )
        elif self.folder.exists() and not all(
            _ASIDE.fullmatch(entry.name) for entry in self.folder.iterdir()
        ):
            raise CannotRun(
                f"{self.folder} is not empty and does not contain a survey; name another folder"
            )
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as stream:
                stream.write(json.dumps(settings, indent=1).encode() + b"\n")
        self._chunks.mkdir(exist_ok=True)

    def ranges(self) -> Iterator[Range]:
        """All chunks, in order."""
        return ((first, min(first + CHUNK, self.count)) for first in range(0, self.count, CHUNK))

    def standing(self) -> Standing:
        """Check for every chunk whether it exists and is as it was written."""
        missing: list[Range] = []
        damaged = unchecked = 0
        for span in self.ranges():
            chunk = self.read(span)
            if chunk is None:
                damaged += (span[1] - span[0]) * (span in self._names)
            elif self.checked and not chunk.checked:
                unchecked += span[1] - span[0]
            else:
                continue
            missing.append(span)
        return Standing(tuple(missing), damaged, unchecked)

    def keep(self, span: Range, rows: str) -> None:
        """Write a chunk, and remove earlier files of the same maps. Raises CannotRun for rows of
        other maps."""
        try:
            read_rows(rows, self.wanted, *span)
        except ValueError as error:
            words = f"maps {span[0]} to {span[1] - 1} came back damaged: {error}"
            raise CannotRun(
                f"{words}; do all workers have the same version of Platelayer?"
            ) from error
        data = (self._header + rows).encode()
        name = self._name(span, data, checked=self.checked)
        with whole_file(self._chunks / name) as stream:
            stream.write(data)
        for other in self._names.get(span, ()):
            if other != name:
                with suppress(
                    OSError
                ):  # a file that cannot be removed does no harm: it has no valid seal
                    (self._chunks / other).unlink()
        self._names[span] = [name]

    def read(self, span: Range) -> Chunk | None:
        """A chunk that is as it was written, preferably one that was checked; None if there is
        none."""
        for name in sorted(self._names.get(span, ()), key=_is_checked, reverse=True):
            data = _read(self._chunks / name, _MAX_BYTES_PER_MAP * (1 + span[1] - span[0]))
            if data is None or name != self._name(span, data, checked=_is_checked(name)):
                continue
            with suppress(ValueError):
                text = data.decode("ascii").removeprefix(self._header)
                return Chunk(text, read_rows(text, self.wanted, *span), _is_checked(name))
        return None

    def _name(self, span: Range, data: bytes, *, checked: bool) -> str:
        """The name of a chunk's file, with its seal."""
        name = f"{span[0]:07}-{span[1] - 1:07}{'.checked' if checked else ''}"
        digest = self._digest.copy()
        digest.update(f"\n{name}\n".encode() + data)
        return f"{name}.{digest.hexdigest()[:32]}.csv"

    def join(self, look: Callable[[Columns], None]) -> tuple[Path, ...]:
        """Make the tables of all maps, showing the columns of each chunk to `look`; returns their
        paths."""
        with ExitStack() as stack:
            table = stack.enter_context(whole_file(self.folder / TABLES[0]))
            table.write(self._header.encode())
            add_rows = self._open_parquet(stack)
            for span in self.ranges():
                if (chunk := self.read(span)) is None:
                    raise CannotRun(
                        f"maps {span[0]} to {span[1] - 1} have been damaged since they were made"
                    )
                table.write(chunk.text.encode())
                if add_rows is not None:
                    add_rows(chunk.columns)
                look(chunk.columns)
        return tuple(self.folder / name for name in TABLES[: 1 if add_rows is None else 2])

    def _open_parquet(self, stack: ExitStack) -> Callable[[Columns], None] | None:
        """With pyarrow: a function that adds rows to maps.parquet."""
        try:
            pyarrow: Any = import_module("pyarrow")
            parquet: Any = import_module("pyarrow.parquet")
        except ImportError:
            return None
        kinds = [
            pyarrow.int64() if is_whole(name) else pyarrow.float64() for name in self.wanted.columns
        ]
        schema = pyarrow.schema(list(zip(self.wanted.columns, kinds, strict=True)))
        stream = stack.enter_context(whole_file(self.folder / TABLES[1]))
        writer = stack.enter_context(parquet.ParquetWriter(stream, schema))
        group: list[Any] = []

        def write_group() -> None:
            if group:
                writer.write_table(pyarrow.concat_tables(group).combine_chunks())
                group.clear()

        def add_rows(columns: Columns) -> None:
            arrays = [
                pyarrow.array(values, type=kind)
                for values, kind in zip(columns, kinds, strict=True)
            ]
            group.append(pyarrow.Table.from_arrays(arrays, schema=schema))
            if len(group) == _CHUNKS_IN_GROUP:
                write_group()

        stack.callback(write_group)
        return add_rows


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that is written under a unique temporary name, and renamed when it is complete and on
    disk."""
    aside = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part")
    try:
        with aside.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _read(path: Path, most: int) -> bytes | None:
    """The bytes of a regular file that has no more than `most` of them and is no link."""
    with suppress(NotRead):
        return None if path.is_symlink() else read_bytes(path, most)
    return None


def _is_checked(name: str) -> bool:
    return ".checked." in name


def _differing(path: Path, settings: dict[str, Any]) -> str:
    """How the survey in a file differs, in words; "" if it does not. Raises CannotRun for a damaged
    file."""
    try:
        document = read_document(path)
        problems = document.doubts
    except ProblemsFound as error:
        problems = error.problems
    if problems:
        raise CannotRun(
            f"{problems[0].place}: {problems[0].message}; name another folder for the survey"
        )
    values = document.value if isinstance(document.value, dict) else {}
    for key, wanted in settings.items():
        recorded = json.dumps(values.get(key))
        if recorded != json.dumps(wanted):
            return f"{key} {recorded if len(recorded) <= _MAX_SHOWN else recorded[: _MAX_SHOWN - 4] + ' ...'}"
    return ""
