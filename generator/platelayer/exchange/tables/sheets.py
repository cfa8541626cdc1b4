"""Workbooks and delimited text as plain cells."""

from __future__ import annotations

import colorsys
import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from msgspec import Struct

from platelayer.foundation.door import read_bytes
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import to_install

MAX_BYTES = 8 * 1024 * 1024
# Maximum unpacked size of a workbook in bytes, and maximum number of cells with contents.
_MOST_UNPACKED, _MOST_CELLS = 64 * 1024 * 1024, 200_000
_MOST_COLUMNS = 1000
WORKBOOKS = (".xlsx", ".xlsm", ".ods")
TEXTS = (".csv", ".tsv", ".tab")
A_DATE = "a date"
_AS_TEXT = "format the cell as text, and type it again"


class Cell(NamedTuple):
    """Cell with a value or a colour. `fault` says why the value cannot be read, `hint` how to
    correct it; `wide` and `tall` are the numbers of columns and rows of a merged cell."""

    value: str | int | float | None = None
    colour: str = ""
    wide: int = 1
    tall: int = 1
    fault: str = ""
    hint: str = ""

    @property
    def text(self) -> str:
        """Value as text, "" for None."""
        return "" if self.value is None else str(self.value)

    @property
    def is_empty(self) -> bool:
        """True if the cell has no value or fault; it may have a colour."""
        return self.value is None and not self.fault


class Sheet(Struct, kw_only=True):
    """Sheet with its cells by row and column, counted from 1. A merged cell is stored once, at its
    upper left corner, to which `merged` maps the positions that it covers."""

    name: str
    cells: dict[tuple[int, int], Cell] = {}
    merged: dict[tuple[int, int], tuple[int, int]] = {}

    def at(self, row: int, column: int) -> Cell:
        """Return the cell at a position, or the merged cell that covers it."""
        place = (row, column)
        return self.cells.get(self.merged.get(place, place), Cell())

    def rows(self) -> list[int]:
        """Return the rows that hold a value."""
        return sorted({row for (row, _), cell in self.cells.items() if not cell.is_empty})

    def row(self, row: int) -> list[tuple[int, Cell]]:
        """Return the columns and cells of a row that hold a value, without cells merged into
        another."""
        return sorted(
            (column, cell)
            for (at, column), cell in self.cells.items()
            if at == row and not cell.is_empty
        )


def read_sheets(files: Mapping[str, bytes]) -> list[Sheet]:
    """Return the sheets of workbooks, and of delimited files one sheet each, named after the file.
    Raises CannotRun."""
    sheets: list[Sheet] = []
    for name, data in files.items():
        stem, ending = Path(name).stem, Path(name).suffix.lower()
        try:
            if ending == ".ods":
                sheets += _open_document(data)
            elif ending in WORKBOOKS:
                sheets += _office_open(data)
            else:
                sheets.append(_delimited(stem, data, tabs=ending in TEXTS[1:]))
        except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, ValueError) as error:
            raise CannotRun(
                f"{name}: this is not a workbook that can be read; save it as .xlsx, .ods or .csv again"
            ) from error
    if sum(len(sheet.cells) for sheet in sheets) > _MOST_CELLS:
        raise CannotRun(f"there are too many cells; at most {_MOST_CELLS:,} are read")
    return sheets


def table_files(path: Path) -> dict[str, bytes] | None:
    """Return the contents of a workbook, of a delimited file, or of the delimited files in a
    folder, by file name; None for any other path. Raises NotRead."""
    if path.suffix.lower() in (*WORKBOOKS, *TEXTS) and not path.is_dir():
        return {path.name: read_bytes(path, MAX_BYTES)}
    if path.is_dir() and not (path / "title.json").exists():
        found = sorted(file for file in path.iterdir() if file.suffix.lower() in TEXTS)
        return {file.name: read_bytes(file, MAX_BYTES, within=path) for file in found} or None
    return None


def _plain(value: Any, *, percent: bool = False) -> Cell:
    """Return a cell with a value as a spreadsheet program stores it."""
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, (datetime, date, time, timedelta)):
        shown = value.strftime("%d %B %Y") if isinstance(value, date) else str(value)
        return Cell(shown, fault=f"the spreadsheet made {A_DATE} of this: {shown}", hint=_AS_TEXT)
    if isinstance(value, (int, float)):
        number = round(value * 100, 6) if percent else value
        return Cell(int(number) if float(number).is_integer() else float(number))
    words = str(value).replace("\r\n", "\n").strip() if value is not None else ""
    if re.fullmatch(r"#(REF|N/A|NAME|VALUE|DIV/0|NUM|NULL)[!?]?", words):
        return Cell(words, fault=f"the formula gives {words}", hint="correct the formula")
    return Cell(words or None)


_UNSAVED = Cell(
    fault="this formula has no saved value",
    hint="open the file in your spreadsheet program and save it, or type the value",
)


def _parts(data: bytes) -> dict[str, bytes]:
    """Return the XML files of a workbook. Raises ValueError if they are too large or have a
    document type."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(info.file_size for info in archive.infolist()) > _MOST_UNPACKED:
            raise ValueError("too large")
        parts = {name: archive.read(name) for name in archive.namelist() if name.endswith(".xml")}
    if any(b"<!DOCTYPE" in part[:4096] for part in parts.values()):
        raise ValueError("a document type has no place in a workbook")
    return parts


# Office Open XML, read with openpyxl.


def _office_open(data: bytes) -> Iterator[Sheet]:
    if find_spec("openpyxl") is None:
        command = to_install("platelayer[spreadsheet]")
        raise CannotRun(
            f"an Excel workbook is read with openpyxl, which is not installed; type: {command}"
        )
    import warnings

    from openpyxl import load_workbook

    parts = _parts(data)
    has_formulas = any(
        b"<f" in part for name, part in parts.items() if name.startswith("xl/worksheets/")
    )
    with warnings.catch_warnings():  # about features that are not read, such as validation lists
        warnings.simplefilter("ignore")
        try:
            workbook = load_workbook(io.BytesIO(data), data_only=True)
            formulas = load_workbook(io.BytesIO(data)) if has_formulas else None
        except Exception as error:  # openpyxl raises many exceptions for damaged files
            raise ValueError(str(error)) from error
    theme = _theme_colours(workbook.loaded_theme)
    for worksheet in workbook.worksheets:
        sheet = Sheet(name=worksheet.title)
        for area in worksheet.merged_cells.ranges:
            if (area.max_row - area.min_row + 1) * (
                area.max_col - area.min_col + 1
            ) > _MOST_COLUMNS:
                continue
            for row in range(area.min_row, area.max_row + 1):
                for column in range(area.min_col, area.max_col + 1):
                    sheet.merged[row, column] = (area.min_row, area.min_col)
        sizes = {
            (area.min_row, area.min_col): (
                area.max_col - area.min_col + 1,
                area.max_row - area.min_row + 1,
            )
            for area in worksheet.merged_cells.ranges
        }
        typed = formulas[worksheet.title]._cells if formulas is not None else {}
        for place, each in worksheet._cells.items():
            if sheet.merged.get(place, place) != place:
                continue
            cell = _plain(each.value, percent="%" in (each.number_format or ""))
            if each.value is None and place in typed and typed[place].data_type == "f":
                cell = _UNSAVED
            colour = _fill(each.fill, theme) if each.has_style else ""
            if not cell.is_empty or colour or place in sizes:
                wide, tall = sizes.get(place, (1, 1))
                sheet.cells[place] = cell._replace(colour=colour, wide=wide, tall=tall)
        yield sheet


def _theme_colours(theme: bytes | str | None) -> list[str]:
    """Return the colours of a theme in the order of their indices in cells (ECMA-376 part 1,
    20.1.6.2)."""
    if not theme:
        return []
    scheme = ElementTree.fromstring(theme).find(".//{*}clrScheme")
    entries = scheme if scheme is not None else ()
    found = [str(child.get("lastClr") or child.get("val")) for entry in entries for child in entry]
    return [*(found[at] for at in (1, 0, 3, 2)), *found[4:]] if len(found) >= 4 else []


def _fill(fill: Any, theme: list[str]) -> str:
    if fill.patternType != "solid":
        return ""
    colour = fill.fgColor
    if colour.type == "theme":
        known = colour.theme < len(theme)
        return _tinted(theme[colour.theme], colour.tint) if known else ""
    if colour.type == "indexed":
        from openpyxl.styles.colors import COLOR_INDEX

        known = colour.indexed < len(COLOR_INDEX)
        return f"#{COLOR_INDEX[colour.indexed][-6:].lower()}" if known else ""
    return f"#{str(colour.rgb)[-6:].lower()}"


def _tinted(rgb: str, tint: float) -> str:
    """Return a colour made lighter or darker (ECMA-376 part 1, 18.3.1.15)."""
    red, green, blue = (int(rgb[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, light, full = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    parts = colorsys.hls_to_rgb(hue, min(1.0, light), full)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


# OpenDocument. Its XML states values directly, so the standard library is enough.


def _open_document(data: bytes) -> Iterator[Sheet]:
    parts = _parts(data)
    content = ElementTree.fromstring(parts["content.xml"])
    styles = {}
    for part in ("styles.xml", "content.xml"):
        root = ElementTree.fromstring(parts[part]) if part in parts else Element("none")
        for style in root.iterfind(".//{*}style"):
            if _own(style, "family") == "table-cell":
                properties = style.find("{*}table-cell-properties")
                colour = _own(properties, "background-color") if properties is not None else ""
                styles[_own(style, "name")] = (colour, _own(style, "parent-style-name"))

    def colour_of(name: str) -> str:
        for _ in range(9):
            colour, name = styles.get(name, ("", ""))
            if colour:
                return colour.lower() if colour.startswith("#") else ""
        return ""

    for table in content.iterfind(".//{*}spreadsheet/{*}table"):
        yield _sheet_of(table, colour_of)


def _own(element: Element, name: str) -> str:
    """Return an attribute by its name without namespace; "" if there is none."""
    return next((value for key, value in element.items() if key.endswith("}" + name)), "")


def _times(element: Element, name: str) -> int:
    repeated = _own(element, name)
    return int(repeated) if repeated.isdecimal() else 1


def _sheet_of(table: Element, colour_of: Any) -> Sheet:
    sheet = Sheet(name=_own(table, "name"))
    usual = []
    for column in table.iterfind(".//{*}table-column"):
        times = min(_times(column, "number-columns-repeated"), _MOST_COLUMNS)
        usual += [_own(column, "default-cell-style-name")] * times
    at_row = 1
    for row in table.iterfind(".//{*}table-row"):
        times = _times(row, "number-rows-repeated")
        at = 1
        for element in row:
            if element.tag.rpartition("}")[2] not in ("table-cell", "covered-table-cell"):
                continue
            repeated = _times(element, "number-columns-repeated")
            cell = _cell_of(element)
            style = _own(element, "style-name") or (usual[at - 1] if at <= len(usual) else "")
            colour = colour_of(style)
            covered = element.tag.endswith("covered-table-cell")
            spans = cell.wide * cell.tall > 1
            keeps = not covered and (not cell.is_empty or spans or (colour and repeated < 100))
            if keeps and times <= _MOST_COLUMNS and repeated <= _MOST_COLUMNS:
                for below in range(times):
                    for right in range(repeated):
                        place = (at_row + below, at + right)
                        sheet.cells[place] = cell._replace(colour=colour)
                        if len(sheet.cells) > _MOST_CELLS:
                            raise CannotRun(f"at most {_MOST_CELLS:,} cells are read")
                if spans and cell.wide * cell.tall <= _MOST_COLUMNS:
                    for below in range(cell.tall):
                        for right in range(cell.wide):
                            sheet.merged[at_row + below, at + right] = (at_row, at)
            at += repeated
        at_row += times
    return sheet


def _cell_of(element: Element) -> Cell:
    kind, words = (
        _own(element, "value-type"),
        "\n".join(_words(line) for line in element.iterfind("{*}p")),
    )
    if kind in ("float", "percentage", "currency"):
        cell = _plain(float(_own(element, "value")), percent=kind == "percentage")
    elif kind == "date":
        cell = _plain(datetime.fromisoformat(_own(element, "date-value")))
    elif kind == "boolean":
        cell = _plain(_own(element, "boolean-value") == "true")
    elif not kind and _own(element, "formula"):
        cell = _UNSAVED
    else:
        cell = _plain(words)
    wide, tall = _times(element, "number-columns-spanned"), _times(element, "number-rows-spanned")
    return cell._replace(wide=wide, tall=tall)


def _words(line: Element) -> str:
    """Return the text of a paragraph, in which repeated spaces and line breaks are elements."""
    said = line.text or ""
    for child in line:
        name = child.tag.rpartition("}")[2]
        if name == "s":
            said += " " * min(_times(child, "c"), 100)
        elif name in ("line-break", "tab"):
            said += "\n" if name == "line-break" else " "
        elif name != "annotation":
            said += _words(child)
        said += child.tail or ""
    return said


# Delimited text, as spreadsheets save and copy it.


def _delimited(name: str, data: bytes, *, tabs: bool) -> Sheet:
    text = _decoded(data)
    lines = [re.sub(r'"[^"]*"', "", line) for line in text.splitlines() if line.strip()]
    present = Counter({mark: sum(mark in line for line in lines) for mark in "\t;,"})
    mark = "\t" if tabs and present["\t"] else max("\t;,", key=lambda each: present[each])
    sheet = Sheet(name=name)
    for row, values in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=mark), 1):
        for column, value in enumerate(values, 1):
            cell = _plain(value.removeprefix("'") if re.match(r"'[=+\-@']", value) else value)
            if re.fullmatch(r"-?\d{1,9}", cell.text):
                cell = Cell(int(cell.text)) if str(int(cell.text)) == cell.text else cell
            if not cell.is_empty:
                sheet.cells[row, column] = cell
    return sheet


def _decoded(data: bytes) -> str:
    """Return text from UTF-8 or UTF-16, or in the encodings that Excel uses in Japan (cp932) and in
    the West (cp1252)."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding)
    if data[1:2] == b"\0" or data[:1] == b"\0":
        return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
    # The first bytes of common kanji and kana are 81 to 9F, where Western encodings have few signs
    # and no letters.
    leads = [char.encode("cp932")[0] for char in text if ord(char) > 0xFF]
    japanese = sum(0x81 <= lead < 0xA0 for lead in leads)
    return text if japanese * 2 > len(leads) else data.decode("cp1252", "replace")
