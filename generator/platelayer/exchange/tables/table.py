"""Tables of sheets: headings, rows under them, and settings above."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from platelayer.exchange.tables.columns import (
    COMMENT,
    MORE,
    WORD,
    Column,
    Wrong,
    find_name,
    folded,
    is_none,
    names_of,
    slip,
    value_of,
)
from platelayer.exchange.tables.sheets import Cell, Sheet
from platelayer.foundation.problems import Place, Problem, Severity
from platelayer.foundation.suggestions import named as named_of
from platelayer.foundation.values import Json

At = tuple[str, int, int]
_HEADING = re.compile(r"(.+?)\s*[(\[]\s*([a-z]{2,3}(?:-[A-Za-z0-9]+)?)\s*[)\]]")
# "No. of trains".
_NUMBER_OF = re.compile(r"(?i)(#|no\.?|nr\.?|number) of ")


class Row(Struct, kw_only=True):
    """A row of a table: what its entry is called, values by field, the columns that they stand in, fields that are expressly
    none, colours of cells, and the fields that have a column at all. Settings have rows of their
    own, and so `places`."""

    row: int
    called: str = ""
    values: Json = {}
    columns: dict[str, int] = {}
    none: set[str] = set()
    colours: dict[str, str] = {}
    has: set[str] = set()
    places: dict[str, At] = {}


class Table(Struct, kw_only=True):
    """The table of a sheet: its rows, the fields that have a column, and settings above it."""

    sheet: Sheet
    rows: list[Row]
    has: set[str]
    settings: Row


class Tables(Struct, kw_only=True):
    """A title read from sheets: its definition, the cell of each part by pointer, problems, and
    what was decided. `file` is the name of the source for problems."""

    file: str
    value: Json = {}
    cells: dict[str, At] = {}
    problems: list[Problem] = []
    decided: list[str] = []
    other_ids: dict[tuple[str, str], str] = {}

    def place(self, pointer: str) -> Place:
        """The cell of a part of the definition, or of the nearest part around it."""
        around = pointer
        while around not in self.cells and around:
            around = around.rpartition("/")[0]
        sheet, row, column = self.cells.get(around, ("", 0, 0))
        return Place(self.file, pointer, row, column, sheet)

    def wrong(
        self,
        sheet: Sheet,
        row: int,
        column: int,
        message: str,
        hint: str = "",
        *,
        pointer: str = "",
        warns: bool = False,
    ) -> None:
        """Report a cell that cannot be read, or is not."""
        self.problems.append(
            Problem(
                "TB02" if warns else "TB01",
                message,
                hint,
                severity=Severity.WARNING if warns else Severity.ERROR,
            ).at(Place(self.file, pointer, row, column, sheet.name))
        )


# Rows under headings.


def headings(
    sheet: Sheet, columns: tuple[Column, ...]
) -> tuple[int, dict[int, tuple[Column, str]]]:
    """The row of the headings, 0 if there is none, and the columns that they name, with the language
    that a heading adds."""
    for row in sheet.rows()[:40]:
        cells = sheet.row(row)
        named = {at: found for at, cell in cells if (found := heading_of(cell.text, columns))}
        keys = {column.key for column, _ in named.values()}
        enough = len(keys) > 1 or (len(keys) == 1 and len(cells) == 1)
        if enough and keys & {columns[0].key, "name", "hex"}:
            return row, named
    return 0, {}


def heading_of(words: str, columns: tuple[Column, ...]) -> tuple[Column, str] | None:
    """The column that a heading names, and its language: "name", "Name (ja)", "Price (£)"."""
    keys = tuple(column.key for column in (*columns, *_BESIDE))
    plain = unicodedata.normalize("NFKC", words).strip()
    spoken = _HEADING.fullmatch(plain)
    tries = [(plain, "")] if not spoken else [(spoken[1], spoken[2]), (spoken[1], "")]
    if _NUMBER_OF.match(plain):
        tries.insert(0, ("count", ""))
    tries.append((re.sub(r"\s*[(\[].*?[)\]]\s*$", "", plain), ""))
    for name, language in tries:
        key = find_name(name, keys)
        if key is None and folded(name) in map(folded, names_of("id")):
            key = columns[0].key
        column = next((each for each in (*columns, *_BESIDE) if each.key == key), None)
        if column is not None and (not language or column.spoken):
            return column, language
    return None


_BESIDE = (Column(MORE, WORD), Column(COMMENT, WORD))


def read_table(
    sheet: Sheet, columns: tuple[Column, ...], into: Tables, settings: tuple[Column, ...] = ()
) -> Table | None:
    """The table of a sheet, or None where it has no headings; what is beside it is reported."""
    at_row, named = headings(sheet, columns)
    if not named:
        return None
    first = {}
    for at, cell in sheet.row(at_row):
        if at not in named:
            keys = tuple(column.key for column in columns)
            hint = slip(cell.text, keys)
            message = f'the column "{cell.text}" is not read'
            into.wrong(
                sheet,
                at_row,
                at,
                message,
                hint or f"columns are {named_of(keys, 12)}",
                warns=not hint,
            )
            continue
        column, language = named[at]
        if (column.key, language) in first:
            into.wrong(
                sheet, at_row, at, f'there are two columns "{column.key}"', "remove one of them"
            )
            del named[at]
        else:
            first[column.key, language] = at
    above = Row(row=at_row)
    for row in sheet.rows():
        if row < at_row:
            read_setting(sheet, row, settings, above, into)
    rows = []
    aside = []
    for row in sheet.rows():
        if row <= at_row:
            continue
        filled = {at for at, cell in sheet.row(row)}
        aside += [(row, at) for at in sorted(filled) if at not in dict(sheet.row(at_row))]
        if filled & named.keys():
            rows.append(read_row(sheet, row, named, into))
    if aside:
        row, at = aside[0]
        more = f" and {len(aside) - 1} more cells" if len(aside) > 1 else ""
        into.wrong(
            sheet, row, at, f'"{sheet.at(row, at).text[:40]}"{more} beside the table: not read',
            "give the column a heading", warns=True,
        )  # fmt: skip
    return Table(
        sheet=sheet, rows=rows, has={column.key for column, _ in named.values()}, settings=above
    )


def read_row(sheet: Sheet, row: int, named: Mapping[int, tuple[Column, str]], into: Tables) -> Row:
    """A row of a table. Merged cells count for each row that they cover, in their first column."""
    found = Row(row=row, has={column.key for column, _ in named.values()})
    spoken: dict[str, dict[str, tuple[Any, int]]] = {}
    for at, (column, language) in named.items():
        corner = sheet.merged.get((row, at), (row, at))
        if corner[1] != at:
            continue
        cell = sheet.at(row, at)
        if cell.colour:
            found.colours[column.key] = cell.colour
        if not cell.is_empty:
            found.columns.setdefault(column.key, at)
            if is_none(cell.text) and column.key != "track":
                found.none.add(column.key)
            else:
                value = read_value(sheet, (row, at), cell, column, into)
                spoken.setdefault(column.key, {})[language] = (value, at)
    for key, by_language in spoken.items():
        found.values[key] = _in_languages(sheet, row, key, by_language, into)
    return found


def read_value(sheet: Sheet, at: tuple[int, int], cell: Cell, column: Column, into: Tables) -> Any:
    """The value of a cell, or its text where that is wrong, which is reported."""
    if cell.fault:
        into.wrong(sheet, *at, cell.fault, cell.hint)
        return cell.text
    try:
        return value_of(column, cell.text)
    except Wrong as error:
        shown = " ".join(cell.text.split())[:60]
        message = f'"{shown}" is not what {column.key} takes: {error.allowed}'
        into.wrong(sheet, *at, message, error.hint)
        return cell.text


def _in_languages(
    sheet: Sheet, row: int, key: str, by_language: Mapping[str, tuple[Any, int]], into: Tables
) -> Any:
    """A text, or a list of texts, of the cells of its languages; one without a language beside others
    is English."""
    if [*by_language] == [""]:
        return by_language[""][0]
    values = {language or "en": value for language, (value, _) in by_language.items()}
    lists = [value for value in values.values() if isinstance(value, list)]
    if not lists:
        return values
    if len(lists) < len(values) or len({len(value) for value in lists}) > 1:
        _, at = [*by_language.values()][-1]
        into.wrong(
            sheet,
            row,
            at,
            f"{key} has another number of lines in each language",
            "give each as many lines",
        )
        return lists[0]
    return [dict(zip(values, lines, strict=True)) for lines in zip(*lists, strict=True)]


def read_setting(
    sheet: Sheet, row: int, columns: tuple[Column, ...], found: Row, into: Tables
) -> bool:
    """Read a row of a name and its value; True if it is one."""
    cells = sheet.row(row)
    heading = heading_of(cells[0][1].text, columns) if columns else None
    if heading is None or len(cells) < 2 or heading[0].key in (MORE, COMMENT):
        return False
    column, language = heading
    at, cell = cells[1]
    texts = [each for _, each in cells[1:]]
    if len(texts) > 1 and all(not each.fault for each in texts):
        mark = "\n" if column.spoken else ", "
        cell = Cell(mark.join(each.text for each in texts))
    value = read_value(sheet, (row, at), cell, column, into)
    before = found.values.get(column.key)
    if language or isinstance(before, dict):
        known = before if isinstance(before, dict) else {} if before is None else {"en": before}
        if isinstance(value, list):
            old = before if isinstance(before, list) else [{} for _ in value]
            value = [
                {**(line if isinstance(line, dict) else {"en": line}), (language or "en"): words}
                for line, words in zip(old, value, strict=False)
            ]
        else:
            value = {**known, (language or "en"): value}
    found.values[column.key] = value
    found.places[column.key] = (sheet.name, row, at)
    return True


def no_headings(sheet: Sheet, columns: tuple[Column, ...], into: Tables) -> None:
    """Report a sheet without headings."""
    row, column = min(sheet.cells)
    into.wrong(
        sheet, row, column, "there is no row of headings",
        f"begin with a row of headings such as {', '.join(each.key for each in columns[:6])}",
    )  # fmt: skip
