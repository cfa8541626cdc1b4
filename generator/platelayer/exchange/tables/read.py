"""Titles from sheets, and from files of tables."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from string import ascii_lowercase
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from platelayer.definitions.assemble import BLOCK_SCHEMAS, assemble_title
from platelayer.definitions.source import Document
from platelayer.definitions.titles import schema_files, title_id
from platelayer.exchange.imported import Imported
from platelayer.exchange.losses import Losses, single
from platelayer.exchange.tables.columns import (
    COLOURS,
    COMMENT,
    HEXES,
    MARKET,
    MORE,
    PLAYERS,
    ROWS,
    SHARES,
    SHEETS,
    TEXTS,
    TITLE,
    WORD,
    ZONES,
    Column,
    Wrong,
    find_name,
    is_none,
    meant,
    number,
    plain_id,
    slip,
    value_of,
)
from platelayer.exchange.tables.sheets import MAX_BYTES, Cell, Sheet, read_sheets, table_files
from platelayer.exchange.tables.table import (
    ID,
    At,
    Row,
    Tables,
    block_of,
    entries_of,
    heading_of,
    headings,
    no_headings,
    note_rows,
    read_map,
    read_row,
    read_setting,
    read_table,
    read_value,
    refer,
    tile_colour,
)
from platelayer.foundation.cache import digest_of
from platelayer.foundation.door import (
    NotRead,
    inside,
    is_there,
    parse_value,
    read_bytes,
    read_json,
    real,
    unpack,
)
from platelayer.foundation.problems import (
    CannotRun,
    Place,
    Problem,
    ProblemsFound,
    Severity,
    has_errors,
    join_pointer,
    split_pointer,
)
from platelayer.foundation.values import Json
from platelayer.pipeline.write import write_all


def read_title(sheets: list[Sheet], stem: str, file: str) -> Tables:
    """Return the title in sheets. `stem` is its name unless the sheets give one."""
    into = Tables(file=file)
    into.value = {"format": "platelayer.title/1", "id": title_id(stem), "name": stem}
    by_kind = _sorted(sheets, into)
    layout = _read_head(by_kind, into)
    for kind, sheet in by_kind:
        if kind in ROWS:
            _read_rows(kind, sheet, into)
        elif kind == "map":
            read_map(sheet, layout, into)
    for kind, sheet in by_kind:
        if kind in _OTHERS:
            _OTHERS[kind](sheet, into)
    _derive(by_kind, into)
    for kind, sheet in by_kind:
        if kind == "json":
            _read_rest(sheet, into)
    return into


def _sorted(sheets: list[Sheet], into: Tables) -> list[tuple[str, Sheet]]:
    """Return sheets with their kinds. A sheet's kind follows from its name, otherwise from its
    headings if no sheet has the name of that kind."""
    filled = [
        sheet
        for sheet in sheets
        if any(not cell.is_empty or cell.colour for cell in sheet.cells.values())
    ]
    kinds = []
    for sheet in filled:
        first = re.split(r"[\s_:-]", sheet.name)[0]
        is_map = find_name(first, ("map",)) is not None
        kinds.append(find_name(sheet.name, SHEETS) or ("map" if is_map else None))
    found: list[tuple[str, Sheet]] = []
    for sheet, by_name in zip(filled, kinds, strict=True):
        hint = slip(sheet.name, SHEETS)
        kind = by_name
        if kind is None and not hint:
            kind = _by_contents(sheet, 2 if len(filled) == 1 else 3)
            kind = kind if kind not in kinds else None
        at = min(sheet.cells)
        if kind is None:
            message = f'there is no sheet called "{sheet.name}" among those that are read'
            known = f"sheets are {', '.join(SHEETS)}"
            into.wrong(sheet, at, message, hint or known, warns=not hint)
        elif kind != "map" and any(kind == other for other, _ in found):
            into.wrong(sheet, at, f"there are two sheets of {kind}", "put all rows on one")
        else:
            found.append((kind, sheet))
    return found


def _by_contents(sheet: Sheet, least: int) -> str | None:
    """Return the table to which most of a sheet's headings belong, or "title"; None if fewer than
    `least` headings do."""
    kinds = {**ROWS, "map": HEXES, "shares": SHARES, "texts": TEXTS}
    scores = {kind: len(headings(sheet, columns)[1]) for kind, columns in kinds.items()}
    names = [sheet.at(row, 1).text for row in sheet.rows()]
    scores["title"] = sum(
        heading_of(name, (*TITLE, *PLAYERS)) is not None for name in names if name
    )
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] >= least else None


# The title: names with values, and a table of players.


def _read_head(by_kind: list[tuple[str, Sheet]], into: Tables) -> str | None:
    """Read the sheet of the title; return the layout of its maps, or None if it gives none."""
    layout = None
    for kind, sheet in by_kind:
        if kind != "title":
            continue
        found, players = Row(row=0), {}
        for row in sheet.rows():
            cells = sheet.row(row)
            called = re.sub(r"\s*[(\[][^)\]]*[)\]]\s*$", "", cells[0][1].text)
            key = find_name(called, ("players", "cash", "certificate_limit"))
            counts = [cell.text for _, cell in cells[1:]]
            if key == "players" and counts and all(each.isdecimal() for each in counts):
                players = {at: cell.text for at, cell in cells[1:]}
                for at, count in players.items():
                    into.value.setdefault("players", {})[count] = {}
                    into.stand(sheet, (row, at), "players", count)
                continue
            own = "bank" if find_name(called, ("player_bank",)) else key
            column = next((each for each in PLAYERS if each.key == own), None)
            if column is not None and players:
                for at, cell in cells[1:]:
                    if at in players and not is_none(cell.text):
                        value = read_value(sheet, (row, at), cell, column, into)
                        into.value["players"][players[at]][column.key] = value
                        into.stand(sheet, (row, at), "players", players[at], column.key)
                    elif at not in players:
                        into.wrong(sheet, (row, at), "this cell is below no number of players")
                continue
            if not read_setting(sheet, row, TITLE, found, into):
                keys = (*(each.key for each in TITLE), "players", "cash", "certificate_limit")
                at, cell = cells[0]
                hint = slip(cell.text, keys)
                known = f"names are {', '.join(keys)}, with their values beside them"
                warns = not hint or len(cells) < 2
                message = f'"{cell.text[:40]}" is not read'
                into.wrong(sheet, (row, at), message, hint or known, warns=warns)
        layout = found.values.pop("layout", None)
        into.value |= found.values
        into.cells |= {join_pointer(key): found.places[key] for key in found.values}
        if "id" in found.values and not ID.fullmatch(str(into.value["id"])):
            into.value["id"] = title_id(str(into.value["id"]))
    return layout


# Blocks with one row for each entry.


def _read_rows(kind: str, sheet: Sheet, into: Tables) -> None:
    table = read_table(sheet, ROWS[kind], into)
    if table is None:
        no_headings(sheet, ROWS[kind], into)
        return
    entries, rows = entries_of(table, kind, into)
    block = block_of(kind)
    present = into.value.get(block, {})
    if kind in ("privates", "companies") and present.keys() & entries.keys():
        if kind == "companies":  # the sheet of private companies precedes this one
            into.value["privates"] = present
            into.cells |= {
                "/privates" + pointer.removeprefix("/companies"): place
                for pointer, place in into.cells.items()
                if pointer.startswith("/companies")
            }
        block, present = kind, {}
    into.value[block] = {**present, **entries}
    into.cells.setdefault(join_pointer(block), (sheet.name, 1, 1))
    note_rows(table, kind, (block,), rows, into)


# The other sheets.


def _read_shares(sheet: Sheet, into: Tables) -> None:
    """Read certificates, one per row: company, percent, count, director."""
    table = read_table(sheet, SHARES, into)
    if table is None:
        no_headings(sheet, SHARES, into)
        return
    companies = into.value.setdefault("companies", {})
    seen: dict[str, list[Json]] = {}
    before = ""
    for row in table.rows:
        called = before = str(row.values.pop("company", before) or before)
        company = into.other_ids.get(("companies", called), called)
        at = row.row, row.columns.get("company", row.at[1])
        if company not in companies:
            hint = meant(called, tuple(companies))
            into.wrong(sheet, at, f'there is no company "{called}"', hint)
            continue
        entry = {
            column.key: row.values[column.key]
            for column in SHARES[1:]
            if row.values.get(column.key, False) is not False
        }
        entries = seen.setdefault(company, [])
        into.stand(sheet, at, "companies", company, "certificates", len(entries))
        entries.append(entry)
    for company, entries in seen.items():
        entries.sort(key=lambda entry: not entry.get("director", False))
        if "director" not in table.has and len(entries) > 1 and entries[0].get("count", 1) == 1:
            entries[0]["director"] = True
        companies[company]["certificates"] = entries


def _read_market(sheet: Sheet, into: Tables) -> None:
    """Read the grid of prices, settings by name, and a table of zones."""
    settings = Row(row=0)
    grid: dict[tuple[int, int], Cell] = {}
    zones = {}
    colours = {}
    heading = {}
    for row in sheet.rows():
        cells = sheet.row(row)
        named = {at: found for at, cell in cells if (found := heading_of(cell.text, ZONES))}
        if "zone" in {column.key for column, _ in named.values()} and len(named) > 1:
            heading = named
        elif heading:
            entry = read_row(sheet, row, heading, into)
            zone = str(entry.values.pop("zone", ""))
            at = row, min(entry.columns.values(), default=cells[0][0])
            if not re.fullmatch("[A-Za-z]", zone):
                into.wrong(sheet, at, "a zone has one letter", 'such as "p"')
                continue
            more, comment = entry.values.pop(MORE, None), entry.values.pop(COMMENT, None)
            zones[zone] = entry.values | (more or {}) | ({"$comment": comment} if comment else {})
            shade = entry.colours.get("zone") or entry.colours.get("colour")
            if shade:
                colours[shade] = zone
                zones[zone].setdefault("colour", shade)
            zones[zone].setdefault("name", zone)
            into.stand(sheet, at, "market", "zones", zone)
        elif not _is_prices(cells) and read_setting(sheet, row, MARKET, settings, into):
            continue
        elif not _is_prices(cells) and len(cells) == 1:
            first, cell = cells[0]
            message = f'"{cell.text[:40]}" is not read'
            hint = "prices are numbers, with letters of their zones"
            into.wrong(sheet, (row, first), message, hint, warns=True)
        else:
            grid |= {(row, column): cell for column, cell in cells}
    if not grid:
        hint = "write the market as it is printed, a price in each cell"
        into.wrong(sheet, min(sheet.cells), "there are no prices", hint)
        return
    lettered = any(
        re.search("[A-Za-z]", cell.text) and not cell.text.startswith("{") for cell in grid.values()
    )
    if not lettered:
        for cell in grid.values():
            shade = cell.colour
            if shade and shade not in colours and tile_colour(shade) != "white":
                name = tile_colour(shade) or "gray"
                letter = next((each for each in name + ascii_lowercase if each not in zones), "z")
                zones[letter], colours[shade] = {"name": name.capitalize(), "colour": shade}, letter
        if not heading and len(zones) == 1:
            zones = {
                letter: {**zone, "name": "Start price", "par": True}
                for letter, zone in zones.items()
            }
            into.decided.append(f"{sheet.name}: the coloured spaces are the start prices.")
    if not heading and any(re.fullmatch(r"\D*[\d.,]+\s*p", cell.text) for cell in grid.values()):
        zones["p"] = {"name": "Start price", "colour": "tile.yellow", "par": True}
        into.decided.append(f"{sheet.name}: the letter p stands for start prices.")
    left = min(column for _, column in grid)
    rows: list[list[Any]] = []
    for number_of_row in sorted({row for row, _ in grid}):
        last = max(column for row, column in grid if row == number_of_row)
        spaces: list[Any] = []
        for column in range(left, last + 1):
            at = number_of_row, column
            cell = grid.get(at, Cell())
            into.stand(sheet, at, "market", "rows", len(rows), len(spaces))
            zone = "" if lettered else colours.get(cell.colour, "")
            spaces.append(_space(sheet, at, cell, zone, into))
        rows.append(spaces)
    values = settings.values
    shape = values.pop("shape", "grid" if len(rows) > 1 else "line")
    more = {"zones": zones, **values} if zones else values
    into.value["market"] = {"shape": shape, "rows": rows, **more}
    into.stand(sheet, (min(grid)[0], left), "market")


def _is_prices(cells: Iterable[tuple[int, Cell]]) -> bool:
    return any(
        re.match(r"[^\w]{0,2}\d", cell.text) or cell.text.startswith("{") for _, cell in cells
    )


def _space(sheet: Sheet, at: tuple[int, int], cell: Cell, zone: str, into: Tables) -> Any:
    if cell.is_empty or is_none(cell.text):
        return None
    if cell.fault:
        into.wrong(sheet, at, cell.fault, cell.hint)
        return cell.text
    plain = unicodedata.normalize("NFKC", cell.text)
    if isinstance(space := value_of(Column("space", WORD), plain), dict):
        return space
    match = re.fullmatch(r"([^\w]{0,2}\d[\d.,]*)\s*([A-Za-z]*)", plain)
    with suppress(Wrong):
        if match:
            return f"{number(match[1])}{match[2] or zone}"
    wanted = 'a price with letters of its zones, such as "100p"'
    into.wrong(sheet, at, f'"{plain[:30]}" is no space of a market: {wanted}')
    return cell.text


def _read_texts(sheet: Sheet, into: Tables) -> None:
    """Read player aids: a row for each line, with the name of its card and its heading. If these
    cells are empty, the line continues the card and section above."""
    table = read_table(sheet, TEXTS, into)
    if table is None:
        no_headings(sheet, TEXTS, into)
        return
    aids = into.value.setdefault("aids", {})
    card, heading = "", None
    for row in table.rows:
        values = row.values
        called = values.get("aid") or (values.get("name") if "aid" not in table.has else None)
        if called:
            words = called if isinstance(called, str) else next(iter(called.values()))
            card = words if ID.fullmatch(words) else plain_id(words, f"aid{len(aids) + 1}")
            heading = None
            aids.setdefault(card, {"name": values.get("name", called), "sections": []})
            into.stand(sheet, row.at, "aids", card)
        if not card:
            card = "rules"
            aids[card] = {"name": into.value["name"], "sections": []}
        sections = aids[card]["sections"]
        if "heading" in values and values["heading"] != heading:
            heading = values["heading"]
            sections.append({"heading": heading})
        if not sections:
            sections.append({"heading": aids[card]["name"]})
        if "text" in values:
            sections[-1].setdefault("lines", []).append(values["text"])
        into.stand(sheet, row.at, "aids", card, "sections", len(sections) - 1)
        if isinstance(more := values.get(MORE), dict):
            aids[card] |= more


_OTHERS: dict[str, Callable[[Sheet, Tables], None]] = {
    "shares": _read_shares, "market": _read_market, "texts": _read_texts,
}  # fmt: skip


def _read_rest(sheet: Sheet, into: Tables) -> None:
    """Read the sheet of everything that no table holds: pointers, each with the JSON of its value.
    An empty value removes the part at the pointer."""
    for row in sheet.rows():
        (at, cell), *values = sheet.row(row)
        if not cell.text.startswith("/"):
            continue
        *path, last = split_pointer(cell.text)
        node = into.value
        for key in path:
            node = node.setdefault(key, {}) if isinstance(node, dict) else None
        if not isinstance(node, dict):
            message = f"there is nothing at {cell.text}"
            into.wrong(sheet, (row, at), message, "remove this row")
            continue
        into.cells[cell.text] = (sheet.name, row, at)
        written = "".join(each.text for _, each in values)
        try:
            if written:
                node[last] = parse_value(written, name="json")
            else:
                node.pop(last, None)
        except NotRead as error:
            into.wrong(sheet, (row, values[0][0]), error.reason)


# Values derived from other tables if their column is missing.


def _derive(by_kind: list[tuple[str, Sheet]], into: Tables) -> None:
    """Replace references by name with references by id. Derive the trains that begin phases, and
    the colours of trains, if a sheet has no column for them."""
    value = into.value
    has = {
        kind: {column.key for column, _ in headings(sheet, ROWS[kind])[1].values()}
        for kind, sheet in by_kind
        if kind in ROWS
    }
    for kind in ("trains", "phases", "companies", "privates"):
        for entry in value.get(kind, {}).values():
            refer(entry, ROWS[kind], into)
    for board in value.get("maps", {}).values():
        for entry in board["hexes"].values():
            refer(entry, HEXES, into)
    trains, phases = value.get("trains", {}), value.get("phases", {})
    without_on = "phases" in has and "on" not in has["phases"]
    if without_on:
        for at, (key, phase) in enumerate(phases.items()):
            starting = [train for train, entry in trains.items() if entry.get("starts") == key]
            first = starting or ([key] if key in trains else [])
            phase.setdefault("on", None if at == 0 or not first else single(first))
    if "trains" in has and "starts" not in has["trains"]:
        for key, phase in phases.items():
            on = phase.get("on")
            for train in [on] if isinstance(on, str) else on or []:
                if train in trains:
                    trains[train].setdefault("starts", key)
    if "trains" in has and "colour" not in has["trains"]:
        for at, train in enumerate(trains.values()):
            begun = train.get("starts") or (next(iter(phases), None) if at == 0 else None)
            colours = phases.get(begun, {}).get("tiles")
            if isinstance(colours, list) and colours and colours[-1] in COLOURS:
                train["colour"] = colours[-1]
    if without_on:
        for train in trains.values():  # the first phase begins with the game
            if phases.get(train.get("starts"), {"on": ""}).get("on") is None:
                del train["starts"]
    for key, company in value.get("companies", {}).items():
        logo = company.get("logo")
        if isinstance(logo, str) and Path(logo).suffix:
            picture = plain_id(Path(logo).stem, "logo")
            value.setdefault("pictures", {})[picture] = logo
            company["logo"] = picture
            place = into.cells.get(join_pointer("companies", key, "logo"))
            if place is not None:
                into.cells[join_pointer("pictures", picture)] = place


# Tables as documents, from which titles are read, and as new titles.


STDIN = Path("-")


class TableDocument(Document, frozen=True, kw_only=True, dict=True):
    """Title in tables. `cells` has the sheet, row and column of each part by pointer, `decided` the
    decisions that the tables leave open. The text is the definition made from the tables."""

    cells: Mapping[str, At]
    decided: tuple[str, ...] = ()

    @cached_property
    def first(self) -> At:
        """Cell to report for parts that have no cell."""
        return next(iter(self.cells.values()), ("", 0, 0))

    def place(self, pointer: str, *, key: bool = False) -> Place:  # noqa: ARG002 - as Document's
        """Return the cell of the value at `pointer`, or of the innermost part around it that has
        one."""
        around = pointer
        while around and around not in self.cells:
            around = around.rpartition("/")[0]
        sheet, row, column = self.cells.get(around, self.first)
        return Place(self.file, pointer, row, column, sheet)


def read_tables(path: Path, file: str) -> TableDocument:
    """Return the title in a workbook, a delimited file, a folder of these, or (for "-") in cells
    pasted into the standard input. Cells that cannot be read are among its doubts. Raises
    ProblemsFound, CannotRun."""
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


# Cached, as a title is read again for each of its variants.
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
    """Return the title in tables as the files of a folder, including pictures next to the tables.
    Its id is the one in the tables, otherwise made from the folder's name. Raises ProblemsFound
    for cells that cannot be read."""
    document = read_tables(source, str(source))
    if has_errors(document.doubts):
        raise ProblemsFound(document.doubts)
    if not document.cells:  # no cells at all: report all omissions as errors
        raise ProblemsFound(replace(doubt, severity=Severity.ERROR) for doubt in document.doubts)
    value = dict(document.value)
    if folder and "/id" not in document.cells:
        value["id"] = title_id(folder)
    losses = Losses(assumed=[*document.decided])
    for problem in document.doubts:
        losses.lose("cell that is not read", problem.place.removeprefix(f"{document.file}:"))
    counted = {"hexes": sum(len(board["hexes"]) for board in value.get("maps", {}).values())}
    counted |= {block: len(value[block]) for block in ("tiles", *_BLOCKS) if block in value}
    losses.read |= {what: count for what, count in counted.items() if count}
    beside = {}
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
    """Return the files of a new title as one workbook. Raises CannotRun if openpyxl is missing."""
    from platelayer.exchange.export import needs_openpyxl

    needs_openpyxl()
    from platelayer.exchange.tables.write import workbook_of

    with TemporaryDirectory(prefix="platelayer-") as folder:
        unpack(Path(folder), files)
        value = assemble_title(Path(folder)).value
    return {f"{value['id']}.xlsx": workbook_of(value)}


# File with the digests of the files in a folder that were made from tables.
_RECORD = ".platelayer/tables.json"


def follow_tables(source: Path, folder: Path) -> tuple[str, ...]:
    """Write a title in tables into a new folder, or into one that was written from tables before.
    Files that were edited since are left unchanged; return their names. Raises ProblemsFound for
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
