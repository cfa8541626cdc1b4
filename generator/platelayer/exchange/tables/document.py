"""Tables as documents, which titles are read from, and as new titles."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from platelayer.definitions.assemble import BLOCK_SCHEMAS, assemble_title
from platelayer.definitions.source import Document
from platelayer.definitions.titles import schema_files, title_id
from platelayer.exchange.imported import Imported
from platelayer.exchange.losses import Losses
from platelayer.exchange.tables.read import read_title
from platelayer.exchange.tables.sheets import MAX_BYTES, read_sheets, table_files
from platelayer.exchange.tables.table import At
from platelayer.foundation.cache import digest_of
from platelayer.foundation.door import (
    NotRead,
    inside,
    is_there,
    read_bytes,
    read_json,
    real,
    unpack,
)
from platelayer.foundation.problems import CannotRun, Place, Problem, ProblemsFound, has_errors
from platelayer.foundation.values import cached_property
from platelayer.pipeline.write import write_all

STDIN = Path("-")


class TableDocument(Document, frozen=True, kw_only=True, dict=True):
    """A title in tables: `cells` are the sheets, rows and columns of its parts by pointer, `decided`
    what the tables leave open. Its text is the definition that they make."""

    cells: Mapping[str, At]
    decided: tuple[str, ...] = ()

    @cached_property
    def first(self) -> At:
        """The cell for what stands in none."""
        return next(iter(self.cells.values()), ("", 0, 0))

    def place(self, pointer: str, *, key: bool = False) -> Place:  # noqa: ARG002 - as Document's
        """The cell of the value at `pointer`, or of the nearest part around it."""
        around = pointer
        while around and around not in self.cells:
            around = around.rpartition("/")[0]
        sheet, row, column = self.cells.get(around, self.first)
        return Place(self.file, pointer, row, column, sheet)


def read_tables(path: Path, file: str) -> TableDocument:
    """The title in a workbook, a delimited file, a folder of these, or (for "-") in what is pasted
    into the standard input. Cells that cannot be read are among its doubts. Raises ProblemsFound,
    CannotRun."""
    if path == STDIN:
        files: Mapping[str, bytes] | None = {"table.tsv": sys.stdin.buffer.read(MAX_BYTES)}
        file = "-"
    else:
        try:
            files = table_files(path)
        except NotRead as error:
            raise error.found(file) from error
    if not files:
        raise CannotRun(f"{file}: there is no table")
    return _read(tuple(files.items()), file, path)


# A title is read again for each of its variants.
@lru_cache(8)
def _read(files: tuple[tuple[str, bytes], ...], file: str, path: Path) -> TableDocument:
    try:
        sheets = read_sheets(dict(files))
    except CannotRun as error:
        raise ProblemsFound([Problem("TB03", str(error), file=file)]) from error
    if not any(sheet.cells for sheet in sheets):
        raise ProblemsFound([Problem("TB03", "all cells are empty", file=file)])
    stem = real(path).name if path.is_dir() else path.stem if path != STDIN else "table"
    tables = read_title(sheets, stem, file)
    document = TableDocument(
        file=file,
        path=path / "title.csv" if path.is_dir() else path,
        text=json.dumps(tables.value, ensure_ascii=False, indent=1),
        value=tables.value,
        cells=tables.cells,
        decided=tuple(tables.decided),
    )
    by_cell: dict[At, str] = {}
    for pointer, at in tables.cells.items():
        by_cell.setdefault(at, pointer)
    doubts = [
        replace(
            problem,
            pointer=by_cell.get((problem.sheet, problem.line, problem.column), problem.pointer),
        )
        for problem in tables.problems
    ]
    return replace(document, doubts=tuple(doubts))


def title_from_tables(source: Path, folder: str | None = None) -> Imported:
    """The title in tables as the files of a folder, with the pictures that lie beside them. Its id is
    its own, else the folder's. Raises ProblemsFound for cells that cannot be read."""
    document = read_tables(source, str(source))
    if has_errors(document.doubts):
        raise ProblemsFound(document.doubts)
    value = dict(document.value)
    if folder and "/id" not in document.cells:
        value["id"] = title_id(folder)
    losses = Losses(assumed=[*document.decided])
    for problem in document.doubts:
        losses.lose("cell that is not read", problem.place.removeprefix(f"{document.file}:"))
    counted = {"hexes": sum(len(board["hexes"]) for board in value.get("maps", {}).values())}
    counted |= {block: len(value[block]) for block in ("tiles", *_BLOCKS) if block in value}
    losses.read |= {what: count for what, count in counted.items() if count}
    beside: dict[str, bytes] = {}
    for picture in value.get("pictures", {}).values():
        name = picture["file"] if isinstance(picture, dict) else str(picture)
        with suppress(NotRead):
            path = inside(document.path.parent, name)
            beside[name] = read_bytes(path, MAX_BYTES, within=document.path.parent)
    maps = value.pop("maps", {})
    blocks = {key: value.pop(key) for key in (*BLOCK_SCHEMAS,) if isinstance(value.get(key), dict)}
    return Imported(head=value, maps=maps, blocks=blocks, losses=losses, exact=True, beside=beside)


_BLOCKS = ("companies", "privates", "trains", "phases", "aids")


def workbook_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a new title as one workbook. Raises CannotRun if openpyxl is missing."""
    from platelayer.exchange.export import needs_openpyxl

    needs_openpyxl()
    from platelayer.exchange.tables.write import workbook_of

    with TemporaryDirectory(prefix="platelayer-") as folder:
        unpack(Path(folder), files)
        value = assemble_title(Path(folder)).value
    return {f"{value['id']}.xlsx": workbook_of(value)}


# Digests of the files that a folder has from tables.
_RECORD = ".platelayer/tables.json"


def follow_tables(source: Path, folder: Path) -> tuple[str, ...]:
    """Write a title in tables into a new folder, or into one that was written from tables before.
    Files that were edited since stay as they are; their names are returned. Raises ProblemsFound for
    cells that cannot be read, CannotRun for another title's folder."""
    files = title_from_tables(source, real(folder).name).files(source.name) | schema_files()
    known = {}
    if is_there(folder / _RECORD):
        known = read_json(inside(folder, _RECORD), dict[str, str], MAX_BYTES)
    elif is_there(folder / "title.json"):
        raise CannotRun(f"{folder} holds a title already; name an empty folder")
    digests = {name: digest_of(data) for name, data in files.items()}
    edited = []
    for name, digest in digests.items():
        path = inside(folder, name)
        if is_there(path) and digest_of(read_bytes(path, MAX_BYTES)) not in (
            digest,
            known.get(name),
        ):
            edited.append(name)
    record = known | {name: digest for name, digest in digests.items() if name not in edited}
    written = {name: data for name, data in files.items() if name not in edited}
    write_all(folder, written | {_RECORD: json.dumps(record, indent=1).encode()})
    return tuple(edited)
