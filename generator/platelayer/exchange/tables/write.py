"""Workbooks of titles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from platelayer.definitions.decode import keys_of
from platelayer.exchange.tables.columns import (
    COMMENT,
    HEXES,
    MAP,
    MARKET,
    MORE,
    PLAYERS,
    REST,
    ROWS,
    TEXTS,
    TILES,
    TITLE,
    ZONES,
    Column,
    cell_of,
)
from platelayer.exchange.tables.read import read_title
from platelayer.exchange.tables.sheets import Cell, Sheet
from platelayer.exchange.tables.table import OWN_KEYS, is_offboard
from platelayer.exchange.writers.bookkeeping import packed
from platelayer.foundation.languages import studio_words
from platelayer.foundation.problems import join_pointer
from platelayer.foundation.values import Json
from platelayer.model.company import Company
from platelayer.model.described import unwrapped
from platelayer.model.gamemap import MapHex
from platelayer.model.tile import Terrain, Tile
from platelayer.model.title import TileCount, Title
from platelayer.model.train import Phase, Train, TrainFace

_MOST_LETTERS = 30_000
_HEAD, _TEXT = "FF3D4A57", "@"
_SETTINGS = {
    "title": (*(column.key for column in (*TITLE, *PLAYERS)), "players", "player_bank"),
    "map": tuple(column.key for column in MAP),
    "market": tuple(column.key for column in MARKET),
}
# Number of rows below a table to which its drop-down lists extend.
_SPARE_ROWS = 200
# Structs whose descriptions become the notes of headings.
_DESCRIBED = {
    "trains": (Train, TrainFace), "phases": (Phase,), "companies": (Company,), "privates": (Company,),
    "tiles": (TileCount, Tile, Terrain), "map": (MapHex, Tile, Terrain), "title": (Title,), "texts": (),
}  # fmt: skip
_OWN_NOTES = {
    "kind": "Stops and ground: city, town, off-board, mountain ...; C, CC, T, TT; a number after a city is its slots "
    '("city 2"). Example: "city 2; town".',
    "value": 'Revenue of the stop: "30", or from colours on: "yellow 20, brown 50", "20/30/50". Of several stops: '
    '"10; 20".',
    "track": 'Track: "0-3" between edges, "4" from an edge to the stop, "1-s1" to its second stop, "2-j" to a junction. '
    "Left out of an off-board: to each neighbour.",
    "certificates": 'Per cents and numbers of certificates, the director\'s first: "20, 10x8".',
    "reach": '"3" stops, "2+2" cities and towns, "4D" pays double, "5E" counts the best five, "4H" runs four hexes, "D" any '
    "number. Left out: by the name.",
    "homes": '"D4", or "D4/1" for the second of its stops. Several are a choice.',
    MORE: "Whatever else the format has for this row, as JSON.",
    COMMENT: "A remark, which is kept and not printed.",
    "hex": "Printed coordinates of the hex.",
    **dict.fromkeys(
        ("train", "phase", "company", "tile"),
        "Its id: letters A to Z or a to z, digits and . _ + -; other letters are taken as its name.",
    ),
    "where": "The place in the definition.",
    "json": "What is there, as JSON; long texts go on in the next cells.",
}


def workbook_of(value: Json, language: str = "en") -> bytes:
    """Return the workbook (.xlsx) of a title's whole definition, with headings in a language. The
    same definition gives the same bytes, and `read_title` restores the definition from them."""
    sheets = sheets_of(value)
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    for kind, sheet in sheets:
        _put(workbook.create_sheet(_sheet_name(sheet, language)), kind, sheet, language)
    workbook.properties.creator = "Platelayer"
    return packed(workbook)


def sheets_of(value: Json) -> list[tuple[str, Sheet]]:
    """Return the sheets of a definition with their kinds; headings are the fields' own names. Parts
    that a table would not restore exactly are on the sheet "json"."""
    value = {key: part for key, part in value.items() if key != "$schema"}
    left: set[str] = set()
    while True:
        sheets = [*_tables(value, left)]
        read = read_title([sheet for _, sheet in sheets], "", "").value
        unequal = {
            block
            for block in _BLOCKS
            if block not in left and not _same_order(_ordered(read, block), _ordered(value, block))
        }
        if not unequal:
            break
        left |= unequal
    rest = [*_differences(read, value)]
    if rest:
        sheets.append(("json", _rest(rest)))
    return sheets


_BLOCKS = (
    "players",
    "maps",
    "tiles",
    "companies",
    "privates",
    "trains",
    "phases",
    "market",
    "aids",
)


def _ordered(value: Json, block: str) -> Any:
    part = value.get(block)
    return part.get("zones") if block == "market" and isinstance(part, dict) else part


def _same_order(read: Any, value: Any) -> bool:
    """Return True if the keys that two objects share are in the same order, as far as order
    matters: for entries of a block, hexes and zones. In `value`, shared keys must also precede
    all others."""
    if not isinstance(read, dict) or not isinstance(value, dict):
        return True
    shared = [key for key in value if key in read]
    if [key for key in read if key in value] != shared or (
        shared and [*value][: len(shared)] != shared
    ):
        return False
    return all(
        _same_order(read[key]["hexes"], value[key].get("hexes"))
        for key in shared
        if isinstance(read[key], dict) and isinstance(value[key], dict) and "hexes" in read[key]
    )


def _differences(read: Any, value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield pointers to differing parts with the value to put there; `...` if there is none."""
    for key in value:
        at = pointer + join_pointer(key)
        if key not in read:
            yield at, value[key]
        elif isinstance(read[key], dict) and isinstance(value[key], dict):
            yield from _differences(read[key], value[key], at)
        elif read[key] != value[key] or type(read[key]) is not type(value[key]):
            yield at, value[key]
    yield from ((pointer + join_pointer(key), ...) for key in read if key not in value)


def _tables(value: Json, left: set[str]) -> Iterator[tuple[str, Sheet]]:
    yield "title", _title(value, left)
    for map_id, board in value.get("maps", {}).items() if "maps" not in left else ():
        if isinstance(board, dict) and isinstance(board.get("hexes"), dict):
            yield "map", _map(map_id, board)
    blocks = {
        key: value.get(key)
        for key in ("tiles", "companies", "trains", "phases", "privates")
        if key not in left
    }
    privates = blocks.pop("privates", None)
    companies = blocks.get("companies")
    apart = []
    if isinstance(companies, dict) and not privates:
        # Private companies at the end or the beginning get a sheet of their own, which preserves
        # the order.
        own = {key: entry for key, entry in companies.items() if _kind(entry) == "private"}
        others = {key: entry for key, entry in companies.items() if key not in own}
        for order in (
            [("companies", others), ("privates", own)],
            [("privates", own), ("companies", others)],
        ):
            if own and others and [key for _, part in order for key in part] == [*companies]:
                apart = order
                break
    elif (
        isinstance(companies, dict)
        and isinstance(privates, dict)
        and companies.keys() & privates.keys()
    ):
        apart = [("companies", companies), ("privates", privates)]
    for kind, block in blocks.items():
        for name, part in apart if kind == "companies" and apart else [(kind, block)]:
            if isinstance(part, dict) and part:
                yield name, _rows(name, name, ROWS[name], part)
    if isinstance(value.get("market"), dict) and "market" not in left:
        yield "market", _market(value["market"])
    if isinstance(value.get("aids"), dict) and "aids" not in left:
        yield from _texts(value["aids"])


def _kind(entry: Any) -> Any:
    return entry.get("kind") if isinstance(entry, dict) else None


class _Writer:
    """Sheet that is filled row by row, from the top."""

    def __init__(self, name: str) -> None:
        self.sheet, self.row = Sheet(name=name), 0

    def add(self, cells: Iterable[Cell | str | int | None]) -> None:
        self.row += 1
        for column, each in enumerate(cells, 1):
            cell = each if isinstance(each, Cell) else Cell(_number(each))
            if not cell.is_empty or cell.colour:
                self.sheet.cells[self.row, column] = cell


def _number(value: str | int | None) -> str | int | None:
    """Return digits as a number, because spreadsheets convert them anyway."""
    is_plain = isinstance(value, str) and len(value) < 10 and value.isascii() and value.isdecimal()
    return int(value) if is_plain and value is not None and str(int(value)) == value else value


def _languages(column: Column, values: Iterable[Any]) -> list[str]:
    """Return the languages for which a column of texts has cells, "" for text without a
    language."""
    found: dict[str, None] = {}
    for value in values:
        found |= dict.fromkeys(_by_language(column, value))
    return [*found] or [""]


def _by_language(column: Column, value: Any) -> Json:
    """Return a text, or the lines of a list of texts, by language."""
    if column.spoken and isinstance(value, dict):
        return value
    if (
        column.spoken
        and isinstance(value, list)
        and all(isinstance(line, dict) for line in value)
        and len({tuple(line) for line in value}) == 1
    ):
        return {language: [line[language] for line in value] for language in value[0]}
    return {"": value}


def _heading(column: Column, language: str) -> str:
    return f"{column.key} ({language})" if language else column.key


def _rows(name: str, kind: str, columns: tuple[Column, ...], block: Json) -> Sheet:
    writer = _Writer(name)
    _write_rows(writer, kind, columns, block)
    return writer.sheet


def _write_rows(writer: _Writer, kind: str, columns: tuple[Column, ...], block: Json) -> None:
    entries = {key: _split(kind, entry) for key, entry in block.items()}
    needed = _ALWAYS.get(kind, ())
    used = [
        (column, language)
        for column in columns[1:]
        if column.key in needed or any(column.key in entry for entry in entries.values())
        for language in _languages(
            column, (entry[column.key] for entry in entries.values() if column.key in entry)
        )
    ]
    heads = [columns[0].key, *(_heading(column, language) for column, language in used)]
    beside = [
        key
        for key in (MORE, COMMENT)
        if any(_beside(entry, columns, key) for entry in entries.values())
    ]
    writer.add([*heads, *beside])
    for key, entry in entries.items():
        cells: list[str | int | None] = [key]
        for column, language in used:
            value = entry.get(column.key)
            spoken = _by_language(column, value) if column.key in entry else {}
            if value is None and column.key in entry:
                cells.append(None)
            elif column.key not in entry:
                cells.append(
                    "-"
                    if column.key in _NOT_DERIVED.get(kind, ())
                    and language in ("", "en")
                    and _is_derived(kind, column.key, entry)
                    else None
                )
            else:
                cells.append(cell_of(column, spoken[language]) if language in spoken else None)
        writer.add([*cells, *(_beside(entry, columns, each) or None for each in beside)])


_ALWAYS = {
    "trains": ("name", "count", "price", "reach", "rusts_on", "permanent", "starts", "colour"),
    "phases": ("on", "train_limits", "tiles", "operating_rounds", "events"),
    "companies": ("name", "kind", "colour", "certificates", "stations", "homes", "float_percent"),
    "privates": ("name", "kind", "value", "income", "abilities", "colour"),
    "map": ("name", "colour", "kind", "value", "terrain", "cost", "labels", "icons", "track"),
    "tiles": ("count",),
}  # fmt: skip
# Fields that are derived if their cells are empty, so that "-" must state that there is none.
_NOT_DERIVED = {
    "map": ("colour", "track"), "trains": ("reach", "permanent"), "tiles": ("count",),
    "companies": ("kind", "name", "colour"), "privates": ("kind", "name", "colour"),
}  # fmt: skip


def _is_derived(kind: str, key: str, entry: Json) -> bool:
    if kind == "map":
        stops = entry.get("kind") or ()
        return any(map(is_offboard, stops["stops"] if isinstance(stops, dict) else stops))
    if kind == "trains" and key == "permanent":
        return not {"rusts_on", "obsolete_on"} & entry.keys() and "faces" not in entry
    return (kind, key) in (("trains", "reach"), ("tiles", "count")) and not {
        "faces",
        "back_of",
    } & entry.keys()


def _split(kind: str, entry: Any) -> Json:
    """Return the fields of an entry by column. For hexes and tiles, stops and terrain are split
    into several columns."""
    if kind == "tiles":
        entry = entry if isinstance(entry, dict) else {"count": entry}
        own = entry.get("tile") or {}
        if isinstance(own, dict) and not own.keys() & {*OWN_KEYS, COMMENT, "$comment"}:
            return {**{key: part for key, part in entry.items() if key != "tile"}, **_land(own)}
        return dict(entry)
    return _land(entry) if kind == "map" else dict(entry)


def _land(entry: Json) -> Json:
    flat = dict(entry)
    stops = flat.get("stops")
    if (
        isinstance(stops, list)
        and stops
        and all(stop.keys() <= {"kind", "slots", "revenue"} for stop in stops)
    ):
        given = [stop["revenue"] for stop in stops if "revenue" in stop]
        # Values apply to the first stops.
        if all("revenue" in stop for stop in stops[: len(given)]):
            del flat["stops"]
            flat["kind"] = {
                "stops": [
                    {key: stop[key] for key in ("kind", "slots") if key in stop} for stop in stops
                ],
                "grounds": [],
            }
            if given:
                flat["value"] = given
    elif isinstance(stops, list) and stops:
        flat["kind"] = flat.pop("stops")
    ground = flat.get("terrain")
    if (
        isinstance(ground, list)
        and len(ground) == 1
        and ground[0]
        and ground[0].keys() <= {"kinds", "cost"}
    ):
        del flat["terrain"]
        if "kinds" in ground[0]:
            flat["terrain"] = ground[0]["kinds"]
        if "cost" in ground[0]:
            flat["cost"] = ground[0]["cost"]
    return flat


def _beside(entry: Json, columns: tuple[Column, ...], which: str) -> str:
    """Return the cell of a row for its remark, or for fields without a column."""
    if which == COMMENT:
        return str(entry.get("$comment", ""))
    keys = {column.key for column in columns[1:]} | {"$comment"}
    rest = {key: part for key, part in entry.items() if key not in keys}
    written = json.dumps(rest, ensure_ascii=False) if rest else ""
    return written if len(written) < _MOST_LETTERS else ""


def _setting(writer: _Writer, column: Column, value: Any) -> None:
    for language, words in _by_language(column, value).items():
        writer.add([_heading(column, language), cell_of(column, words)])


def _title(value: Json, left: set[str]) -> Sheet:
    writer = _Writer("title")
    for column in TITLE:
        if column.key in value and column.key != "layout":
            _setting(writer, column, value[column.key])
    players = value.get("players")
    if isinstance(players, dict) and players and "players" not in left:
        writer.add([])
        writer.add(["players", *players])
        for column in PLAYERS:
            if any(column.key in entry for entry in players.values()):
                cells = [
                    cell_of(column, entry[column.key]) if column.key in entry else None
                    for entry in players.values()
                ]
                writer.add([{"bank": "player_bank"}.get(column.key, column.key), *cells])
    return writer.sheet


def _map(map_id: str, board: Json) -> Sheet:
    writer = _Writer("map" if map_id == "main" else f"map {map_id}")
    for column in MAP:
        value = board.get(column.key, (board.get("coordinates") or {}).get(column.key))
        if value is not None:
            _setting(writer, column, value)
    writer.add([])
    _write_rows(writer, "map", HEXES, board["hexes"])
    return writer.sheet


def _market(market: Json) -> Sheet:
    writer = _Writer("market")
    zones = market.get("zones") or {}
    for column in MARKET:
        if column.key in market:
            _setting(writer, column, market[column.key])
    writer.add([])
    for row in market.get("rows", ()):
        cells = []
        for space in row:
            letters = (
                re.sub("[^A-Za-z]", "", space)
                if isinstance(space, str)
                else "".join((space or {}).get("zones", ()))
            )
            colour = str((zones.get(letters[:1]) or {}).get("colour", ""))
            shade = colour if re.fullmatch("#[0-9a-fA-F]{6}", colour) else _INKS.get(colour, "")
            words = (
                space
                if space is None or isinstance(space, str)
                else json.dumps(space, ensure_ascii=False)
            )
            cells.append(Cell("-" if words is None else _number(words), shade))
        writer.add(cells)
    if zones:
        writer.add([])
        _write_rows(writer, "zones", ZONES, zones)
    return writer.sheet


_INKS = {
    "tile.yellow": "#fde047", "tile.green": "#86c07a", "tile.brown": "#c0936a", "tile.gray": "#c4c8cc",
    "tile.red": "#e57373", "tile.blue": "#8ec5e8", "tile.white": "#ffffff",
}  # fmt: skip


def _texts(aids: Json) -> Iterator[tuple[str, Sheet]]:
    """Yield the sheet of aids that consist of headings with lines; other aids stay JSON."""
    writer = _Writer("texts")
    name, heading, text = TEXTS[1:]
    plain = {
        key: aid
        for key, aid in aids.items()
        if isinstance(aid.get("sections"), list)
        and all(
            section.keys() <= {"heading", "lines"} and section.get("lines")
            for section in aid["sections"]
        )
        and all(
            a["heading"] != b["heading"]
            for a, b in zip(aid["sections"], aid["sections"][1:], strict=False)
        )
    }
    if not plain:
        return
    used = [
        (column, language)
        for column, values in (
            (name, [aid["name"] for aid in plain.values()]),
            (
                heading,
                [section["heading"] for aid in plain.values() for section in aid["sections"]],
            ),
            (
                text,
                [
                    line
                    for aid in plain.values()
                    for section in aid["sections"]
                    for line in section["lines"]
                ],
            ),
        )
        for language in _languages(column, values)
    ]
    rests = {
        key: {field: part for field, part in aid.items() if field not in ("name", "sections")}
        for key, aid in plain.items()
    }
    writer.add(
        [
            "aid",
            *(_heading(column, language) for column, language in used),
            *([MORE] if any(rests.values()) else []),
        ]
    )
    for key, aid in plain.items():
        for at, section in enumerate(aid["sections"]):
            for line_at, line in enumerate(section["lines"]):
                values = {
                    "name": aid["name"] if at == line_at == 0 else None,
                    "heading": section["heading"] if line_at == 0 else None,
                    "text": line,
                }
                cells: list[str | int | None] = [key if at == line_at == 0 else None]
                for column, language in used:
                    spoken = _by_language(column, values[column.key])
                    words = spoken.get(language)
                    cells.append(None if words is None else cell_of(column, words))
                first = at == line_at == 0 and rests[key]
                writer.add([*cells, json.dumps(rests[key], ensure_ascii=False) if first else None])
    yield "texts", writer.sheet


def _rest(rows: list[tuple[str, Any]]) -> Sheet:
    writer = _Writer("json")
    writer.add([column.key for column in REST])
    for pointer, value in rows:
        words = "" if value is ... else json.dumps(value, ensure_ascii=False)
        # Cells lose blanks at their ends, so chunks must not begin or end with one.
        chunks = re.findall(rf"(?s)\S(?:.{{0,{_MOST_LETTERS}}}\S(?=\S|\Z))?", words)
        writer.add([pointer, *(Cell(chunk) for chunk in chunks)])
    return writer.sheet


# The workbook.


def _sheet_name(sheet: Sheet, language: str) -> str:
    kind, _, name = sheet.name.partition(" ")
    words = studio_words(language).get(f"label_{kind}", kind) if language != "en" else kind
    return f"{words} {name}".strip()[:31]


def _put(worksheet: Worksheet, kind: str, sheet: Sheet, language: str) -> None:
    columns = {"map": HEXES, "tiles": TILES, "texts": TEXTS, "json": REST, **ROWS}.get(kind, ())
    known = {column.key: column for column in (*columns, *(ZONES if kind == "market" else ()))}
    head = next(
        (row for row in sheet.rows() if columns and sheet.at(row, 1).text == columns[0].key), 0
    )
    widths: dict[int, int] = {}
    for (row, column), each in sorted(sheet.cells.items()):
        cell = worksheet.cell(row, column)
        words = each.value
        if isinstance(words, str):
            is_setting = column == 1 and words.partition(" (")[0] in _SETTINGS.get(kind, ())
            is_name = row == head or is_setting
            cell.value = _called(words, language) if is_name else words
            cell.data_type = "s"
            cell.number_format = _TEXT
        else:
            cell.value = words
        if each.colour:
            cell.fill = PatternFill("solid", fgColor=f"FF{each.colour[1:].upper()}")
        elif known.get(_key(sheet, head, column)) and re.fullmatch("#[0-9a-fA-F]{6}", each.text):
            cell.fill = PatternFill("solid", fgColor=f"FF{each.text[1:].upper()}")
        lines = each.text.split("\n")
        widths[column] = max(widths.get(column, 6), min(60, max(map(len, lines)) + 2))
        if row == head:
            cell.font = Font(bold=True, color="FFFFFFFF")
            cell.fill = PatternFill("solid", fgColor=_HEAD)
            if note := _note(kind, _key(sheet, head, column)):
                comment = Comment(note, "Platelayer")
                comment.width, comment.height = 320, 130
                cell.comment = comment
        elif head or kind == "title":
            cell.alignment = Alignment(vertical="top", wrap_text=len(lines) > 1)
            if column == 1:
                cell.font = Font(bold=True)
        else:
            cell.alignment = Alignment(horizontal="center")
    for column, width in widths.items():
        worksheet.column_dimensions[get_column_letter(column)].width = width
    if head:
        worksheet.freeze_panes = f"B{head + 1}"
        for at in range(1, max(column for _, column in sheet.cells) + 1):
            choices = known[key].codec.choices if (key := _key(sheet, head, at)) in known else ()
            if choices:
                letter = get_column_letter(at)
                lists = DataValidation(
                    type="list", formula1=f'"{",".join(choices)}"', allow_blank=True
                )
                lists.errorStyle = "information"
                lists.add(f"{letter}{head + 1}:{letter}{max(sheet.rows()) + _SPARE_ROWS}")
                worksheet.add_data_validation(lists)


def _key(sheet: Sheet, head: int, column: int) -> str:
    return re.sub(r" \([\w-]+\)$", "", sheet.at(head, column).text) if head else ""


def _called(words: str, language: str) -> str:
    """Return a heading in the language of the workbook."""
    match = re.fullmatch(r"(\w+)( \([\w-]+\))?", words)
    if match is None:
        return words
    key, spoken = match[1], match[2] or ""
    said = studio_words(language).get(f"label_{key}") if language != "en" else None
    return f"{said or key.replace('_', ' ')}{spoken}"


def _note(kind: str, key: str) -> str:
    if (
        key in _OWN_NOTES
        and not (key == "value" and kind in ("companies", "privates"))
        and not (key == "kind" and kind in ("companies", "privates"))
    ):
        return _OWN_NOTES[key]
    for struct in _DESCRIBED.get(kind, ()):
        for name, described in keys_of(struct):
            if name == key:
                return next(
                    (mark for mark in unwrapped(described).marks if isinstance(mark, str)), ""
                )
    return ""
