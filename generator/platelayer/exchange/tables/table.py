"""Tables in sheets: headings, rows below them, settings above them, and the entries made from rows;
also maps, which have a row for each hex or are drawn in cells."""

from __future__ import annotations

import colorsys
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any

from msgspec import MsgspecError, Struct, convert
from msgspec.structs import replace

from platelayer.exchange.losses import filled
from platelayer.exchange.tables.columns import (
    CODES,
    COMMENT,
    DASHES,
    HEXES,
    MAP,
    MORE,
    ROWS,
    WORD,
    Column,
    Wrong,
    find_name,
    folded,
    is_none,
    names_of,
    narrow,
    phased,
    plain_id,
    reach,
    slip,
    value_of,
)
from platelayer.exchange.tables.sheets import Cell, Sheet
from platelayer.foundation.problems import Place, Problem, Severity, join_pointer
from platelayer.foundation.text import named as named_of
from platelayer.foundation.values import Json
from platelayer.model import described
from platelayer.model.gamemap import (
    EDGES,
    Coord,
    CoordinateScheme,
    Layout,
    index_from_letters,
    letters_from_index,
    neighbour,
)

At = tuple[str, int, int]
_HEADING = re.compile(r"(.+?)\s*[(\[]\s*([a-z]{2,3}(?:-[A-Za-z0-9]+)?)\s*[)\]]")
# A heading such as "No. of trains".
_NUMBER_OF = re.compile(r"(?i)(#|no\.?|nr\.?|number) of ")


class Row(Struct, kw_only=True):
    """Row of a table: the name of its entry, values by field, the columns of these values, fields
    that are explicitly empty, colours of cells, and all fields that have a column. Settings span
    several rows, so `places` has the cell of each."""

    row: int
    called: str = ""
    values: Json = {}
    columns: dict[str, int] = {}
    none: set[str] = set()
    colours: dict[str, str] = {}
    has: set[str] = set()
    places: dict[str, At] = {}

    @property
    def at(self) -> tuple[int, int]:
        """Row, and column of its first value."""
        return self.row, min(self.columns.values())


class Table(Struct, kw_only=True):
    """Table of a sheet: its rows, the fields that have a column, and the settings above it."""

    sheet: Sheet
    rows: list[Row]
    has: set[str]
    settings: Row


class Tables(Struct, kw_only=True):
    """Title read from sheets: its definition, the cell of each part by pointer, problems, and
    decisions. `file` is the name of the source in problems."""

    file: str
    value: Json = {}
    cells: dict[str, At] = {}
    problems: list[Problem] = []
    decided: list[str] = []
    other_ids: dict[tuple[str, str], str] = {}

    def stand(self, sheet: Sheet, at: tuple[int, int], *keys: str | int) -> None:
        """Record the cell of a part of the definition."""
        self.cells[join_pointer(*keys)] = (sheet.name, *at)

    def wrong(
        self,
        sheet: Sheet,
        at: tuple[int, int],
        message: str,
        hint: str = "",
        *,
        warns: bool = False,
    ) -> None:
        """Report a cell that cannot be read, or with `warns` one that is ignored."""
        code, severity = ("TB02", Severity.WARNING) if warns else ("TB01", Severity.ERROR)
        problem = Problem(code, message, hint, severity=severity)
        self.problems.append(problem.at(Place(self.file, "", *at, sheet.name)))


# Rows under headings.


def headings(
    sheet: Sheet, columns: tuple[Column, ...]
) -> tuple[int, dict[int, tuple[Column, str]]]:
    """Return the row of the headings (0 if there is none), and the columns that they name, with the
    language given in a heading."""
    for row in sheet.rows()[:40]:
        cells = sheet.row(row)
        named = {at: found for at, cell in cells if (found := heading_of(cell.text, columns))}
        keys = {column.key for column, _ in named.values()}
        enough = len(keys) > 1 or (len(keys) == 1 and len(cells) == 1)
        if enough and keys & {columns[0].key, "name", "hex"}:
            return row, named
    return 0, {}


def heading_of(words: str, columns: tuple[Column, ...]) -> tuple[Column, str] | None:
    """Return the column that a heading names, and its language: "name", "Name (ja)", "Price (£)".
    None if it names no column."""
    keys = tuple(column.key for column in (*columns, *_BESIDE))
    plain = narrow(words)
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
    """Return the table of a sheet, or None if it has no headings. Cells outside the table are
    reported."""
    at_row, named = headings(sheet, columns)
    if not named:
        return None
    first = {}
    for at, cell in sheet.row(at_row):
        if at not in named:
            keys = tuple(column.key for column in columns)
            hint = slip(cell.text, keys)
            message = f'the column "{cell.text}" is not read'
            usual = f"columns are {named_of(keys, 12)}"
            into.wrong(sheet, (at_row, at), message, hint or usual, warns=not hint)
            continue
        column, language = named[at]
        if (column.key, language) in first:
            message = f'there are two columns "{column.key}"'
            into.wrong(sheet, (at_row, at), message, "remove one of them")
            del named[at]
        else:
            first[column.key, language] = at
    above = Row(row=at_row)
    rows = []
    aside = []
    for row in sheet.rows():
        if row < at_row:
            read_setting(sheet, row, settings, above, into)
        elif row > at_row:
            filled = dict(sheet.row(row))
            aside += [(row, at) for at in filled if at not in dict(sheet.row(at_row))]
            if filled.keys() & named.keys():
                rows.append(read_row(sheet, row, named, into))
    if aside:
        more = f" and {len(aside) - 1} more cells" if len(aside) > 1 else ""
        message = f'"{sheet.at(*aside[0]).text[:40]}"{more} beside the table: not read'
        into.wrong(sheet, aside[0], message, "give the column a heading", warns=True)
    return Table(
        sheet=sheet, rows=rows, has={column.key for column, _ in named.values()}, settings=above
    )


def read_row(sheet: Sheet, row: int, named: Mapping[int, tuple[Column, str]], into: Tables) -> Row:
    """Return a row of a table. A merged cell counts in each row that it covers, but only in its
    first column."""
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
    """Return the value of a cell. If it is wrong, report it and return its text."""
    if cell.fault:
        into.wrong(sheet, at, cell.fault, cell.hint)
        return cell.text
    try:
        return value_of(column, cell.text)
    except Wrong as error:
        shown = " ".join(cell.text.split())[:60]
        message = f'"{shown}" is not what {column.key} takes: {error.allowed}'
        into.wrong(sheet, at, message, error.hint)
        return cell.text


def _in_languages(
    sheet: Sheet, row: int, key: str, by_language: Mapping[str, tuple[Any, int]], into: Tables
) -> Any:
    """Return a text, or a list of texts, from the cells of its languages. If there are several, a
    cell without a language is English."""
    if [*by_language] == [""]:
        return by_language[""][0]
    values = {language or "en": value for language, (value, _) in by_language.items()}
    lists = [value for value in values.values() if isinstance(value, list)]
    if not lists:
        return values
    if len(lists) < len(values) or len({len(value) for value in lists}) > 1:
        _, at = [*by_language.values()][-1]
        message = f"{key} has another number of lines in each language"
        into.wrong(sheet, (row, at), message, "give each as many lines")
        return lists[0]
    return [dict(zip(values, lines, strict=True)) for lines in zip(*lists, strict=True)]


def read_setting(
    sheet: Sheet, row: int, columns: tuple[Column, ...], found: Row, into: Tables
) -> bool:
    """Read a row with a setting's name and value. Return True if it is one."""
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
    named = ", ".join(each.key for each in columns[:6])
    hint = f"begin with a row of headings such as {named}"
    into.wrong(sheet, min(sheet.cells), "there is no row of headings", hint)


# Entries of blocks, each in a row.

OWN_KEYS = ("count", "back_of", "via", "number", "number_corner", "printed")
ID = re.compile(described.ID)
_HEX = re.compile(r"([a-z]|[A-Z]{1,2})-?[0-9]{1,3}")
# The end of "4-train", "4 trains", "4列車".
_TRAIN = re.compile(r"(?i)(?<=.)[- ]?trains?$|(?<=.)列車$")
# Fields that a column determines under other names.
_PLACES = {
    "kind": ("kind", "stops"), "value": ("value", "stops"), "cost": ("terrain/0/cost",), "company": ("id",),
    "train": ("name",), "percent": ("certificates",),
}  # fmt: skip


def entry_of(
    row: Row, kind: str, table: Table, taken: Json, into: Tables
) -> tuple[str, Json] | None:
    """Return an entry of a block and its id from the values of a row; None if it has no usable id,
    which is reported."""
    columns = ROWS.get(kind, HEXES)
    key, sheet = columns[0].key, table.sheet
    values = dict(row.values)
    more, comment = values.pop(MORE, None), values.pop(COMMENT, None)
    called = values.pop(key, None) or values.get("name")
    if isinstance(called, dict):
        called = next(iter(called.values()))
    if called is None:
        message, hint = f"this row has no {key}", f'give it one in the column "{key}"'
        into.wrong(sheet, row.at, message, hint)
        return None
    plain = narrow(called)
    if kind == "trains":
        plain = _TRAIN.sub("", plain) or plain
    called = plain if plain.isascii() else str(called)
    if kind == "hexes":
        entry_id = called.strip()
        if not _HEX.fullmatch(entry_id):
            at = row.row, row.columns.get(key, row.at[1])
            message = f'"{called[:40]}" is no hex: a letter and a number such as "D4"'
            into.wrong(sheet, at, message)
            return None
    else:
        entry_id = called if ID.fullmatch(called) else _made_id(called, kind, taken)
        into.other_ids[block_of(kind), called] = entry_id
        if isinstance(values.get("name"), str):
            into.other_ids.setdefault((block_of(kind), values["name"]), entry_id)
    if isinstance(more, dict):
        values |= more
    elif more is not None:
        at = row.row, row.columns[MORE]
        into.wrong(sheet, at, "this is no JSON object", 'such as {"note": "..."}')
    entry = _JOINED[kind](replace(row, values=values, called=called)) if kind in _JOINED else values
    if comment is not None and isinstance(entry, dict):
        entry["$comment"] = comment
    return entry_id, entry


def entries_of(table: Table, kind: str, into: Tables) -> tuple[Json, dict[str, Row]]:
    """Return the entries of a table, and their rows, by id."""
    entries: Json = {}
    rows: dict[str, Row] = {}
    for row in table.rows:
        found = entry_of(row, kind, table, entries, into)
        if found is None:
            continue
        entry_id, entry = found
        if entry_id in rows:
            message = f'"{entry_id}" has a row already: row {rows[entry_id].row}'
            hint = "remove one" if kind == "hexes" else "give it another id"
            into.wrong(table.sheet, row.at, message, hint)
        else:
            entries[entry_id], rows[entry_id] = entry, row
    return entries, rows


def note_rows(
    table: Table, kind: str, pointer: tuple[str, ...], rows: dict[str, Row], into: Tables
) -> None:
    """Record the cells of entries below a pointer, and of their fields."""
    for entry_id, row in rows.items():
        into.stand(table.sheet, row.at, *pointer, entry_id)
        for key, column in row.columns.items():
            inner = ("tile",) if kind == "tiles" and key not in OWN_KEYS else ()
            for place in _PLACES.get(key, (key,)):
                at = row.row, column
                into.stand(table.sheet, at, *pointer, entry_id, *inner, *place.split("/"))


def block_of(kind: str) -> str:
    """Return the block to which the rows of a sheet belong: private companies are companies."""
    return "companies" if kind == "privates" else kind


def _made_id(called: str, kind: str, taken: Json) -> str:
    """Return an id for a name that is not a valid id: the initials of several words, otherwise the
    letters that are allowed in an id."""
    words = re.findall(r"[A-Za-z0-9]+", unicodedata.normalize("NFKD", called))
    initials = "".join(word[0] for word in words if word[0].isupper() or word[0].isdecimal())
    if kind in ("companies", "privates") and 1 < len(initials) <= 6 and initials not in taken:
        return initials
    usual = f"{kind[0].upper()}{len(taken) + 1}"
    made = plain_id(called, usual)
    return made if made not in taken else usual


def _train(row: Row) -> Json:
    values = row.values
    if "faces" in values:
        return values
    if isinstance(values.get("count"), str) and values["count"] == "unlimited":
        values |= {"count": 10, "unlimited": True}
    values.setdefault("name", row.called)
    if "reach" not in values and "reach" not in row.none:
        with suppress(Wrong):
            values["reach"] = reach(str(values["name"]))
    if isinstance(values.get("reach"), list) and "hexes" in (values["reach"] or ({},))[0]:
        values.setdefault("hexes", values["reach"][0].pop("hexes"))
    ends = any(values.get(key) for key in ("rusts_on", "obsolete_on"))
    if not ends and "permanent" not in row.none:
        values.setdefault("permanent", True)
    return values


def _phase(row: Row) -> Json:
    values = row.values
    if "on" in row.has or "begins" in values:
        values.setdefault("on", None)
    return values


def _company(row: Row, usual: str = "major") -> Json:
    values = row.values
    if "kind" not in row.none:
        values.setdefault("kind", usual)
    if "name" not in values and "name" not in row.none:
        values["name"] = row.called
    if "colour" not in values and "colour" not in row.none:
        filled = row.colours.get("colour") or row.colours.get("company") or row.colours.get("name")
        if filled and (values["kind"] != "private" or "colour" in row.colours):
            values["colour"] = filled
    if len(row.called) <= 4 and not row.called.isascii():
        values.setdefault("token_text", row.called)
    return values


def _land(values: Json) -> Json:
    """Combine the columns of kinds, values, ground and cost into stops and terrain."""
    kind = values.pop("kind", None)
    amounts = values.pop("value", None)
    cost = values.pop("cost", None)
    is_bare = values.get("terrain") == []
    grounds = values.pop("terrain", None) or []
    if isinstance(kind, list):
        values["stops"] = kind
    elif isinstance(kind, dict) and "stops" in kind and "grounds" in kind:
        if kind["stops"]:
            values["stops"] = [dict(stop) for stop in kind["stops"]]
        grounds = (
            [*kind["grounds"], *grounds]
            if all(isinstance(each, str) for each in grounds)
            else grounds
        )
    elif kind is not None:
        values["stops"] = kind
    stops = values.get("stops")
    if isinstance(amounts, list) and isinstance(stops, list):
        for stop, amount in zip(stops, amounts, strict=False):
            if isinstance(stop, dict):
                stop["revenue"] = amount
    elif (
        isinstance(amounts, list)
        and amounts
        and cost is None
        and grounds
        and isinstance(amounts[0], int)
    ):
        cost = amounts[0]
    if grounds and all(isinstance(each, dict) for each in grounds):
        values["terrain"] = grounds
    elif grounds or cost is not None:
        entry = {"kinds": grounds} if grounds or is_bare else {}
        values["terrain"] = [{**entry, **({"cost": cost} if cost is not None else {})}]
    return values


def _hex(row: Row) -> Json:
    values = _land(row.values)
    if values.get("track") == []:
        del values["track"]
    stops = values.get("stops")
    is_edge = isinstance(stops, list) and any(is_offboard(stop) for stop in stops)
    if is_edge and "colour" not in {*values} | row.none:
        values = {"colour": "red", **values}
    if values.get("colour") == "white" and "colour" in row.none:
        del values["colour"]
    return values


def is_offboard(stop: Any) -> bool:
    """Return True if a stop is an off-board."""
    return isinstance(stop, dict) and stop.get("kind") == "offboard"


def _tile(row: Row) -> Any:
    values = row.values
    own = {key: values.pop(key) for key in [*values] if key in OWN_KEYS}
    inner = values.pop("tile", None)
    values = _land(values)
    if values.get("track") == []:
        del values["track"]
    if values or inner:
        own["tile"] = {**values, **(inner or {})}
    if "count" not in own and "back_of" not in own and "count" not in row.none:
        own["count"] = 1
    return own["count"] if [*own] == ["count"] else own


_JOINED: dict[str, Callable[[Row], Any]] = {
    "trains": _train, "phases": _phase, "companies": _company,
    "privates": lambda row: _company(row, "private"), "tiles": _tile, "hexes": _hex,
}  # fmt: skip


def refer(entry: Any, columns: tuple[Column, ...], into: Tables) -> None:
    """Replace names of trains, phases and companies in an entry by their ids."""

    def id_of(called: str, block: str) -> str:
        plain = unicodedata.normalize("NFKC", called)
        if block == "trains":
            plain = _TRAIN.sub("", plain) or plain
        return into.other_ids.get((block, called)) or (
            plain if plain.isascii() else into.other_ids.get((block, plain), called)
        )

    for column in columns:
        held = entry.get(column.key) if isinstance(entry, dict) and column.of else None
        if isinstance(held, list):
            entry[column.key] = [id_of(str(each), column.of) for each in held]
        elif isinstance(held, str):
            entry[column.key] = id_of(held, column.of)


# Maps: one row for each hex, or drawn in cells.


def read_map(sheet: Sheet, layout: str | None, into: Tables) -> None:
    """Read a map. `layout` is that of the title, if it gives one. A sheet "map 2" is a further
    map."""
    name = re.sub(r"^\W+", "", sheet.name[len(re.split(r"[\s_:-]", sheet.name)[0]) :])
    map_id = plain_id(name, "main") if name else "main"
    table = read_table(sheet, HEXES, into, MAP)
    none_of = set()
    if table is not None:
        board, rows = entries_of(table, "hexes", into)
        note_rows(table, "hexes", ("maps", map_id, "hexes"), rows, into)
        none_of |= {hex_id for hex_id, row in rows.items() if "track" in row.columns}
        settings = table.settings.values
    else:
        settings, board = _drawn(sheet, layout, map_id, into)
    flat = settings.pop("layout", None) or layout
    if flat is None:
        flat = "flat"
        into.decided.append(
            f'{sheet.name}: hexes have a flat side on top; write "layout" with "pointy" otherwise.'
        )
    coordinates = {"letters_on": "x" if flat == "flat" else "y"}
    for key in ("letters_on", "first_letter", "first_number", "inside"):
        if key in settings:
            given = settings.pop(key)
            coordinates[key] = str(given) if key == "first_letter" else given
    maps = into.value.setdefault("maps", {})
    if map_id in maps:
        message, hint = f'there are two maps "{map_id}"', 'name the sheets "map" and "map 2"'
        into.wrong(sheet, min(sheet.cells), message, hint)
        return
    maps[map_id] = {"name": settings.pop("name", into.value["name"]), "layout": flat, "coordinates": coordinates,
                    **settings, "hexes": board}  # fmt: skip
    into.cells.setdefault(join_pointer("maps", map_id), (sheet.name, *min(sheet.cells)))
    if isinstance(flat, str) and isinstance(coordinates["letters_on"], str):
        _join_offboards(maps[map_id], none_of)


def _join_offboards(board: Json, settled: set[str]) -> None:
    """Give each off-board without track a track to every neighbour that is not red or blue.
    `settled` are hexes whose track is given."""
    try:
        layout = Layout(board["layout"])
        scheme = convert(board["coordinates"], CoordinateScheme)
    except (MsgspecError, TypeError, ValueError):
        return
    places = {scheme.parse(name): name for name in board["hexes"]}
    for at, name in places.items():
        entry = board["hexes"][name]
        stops = entry.get("stops")
        if at is None or name in settled or "track" in entry or not isinstance(stops, list):
            continue
        if stops and all(map(is_offboard, stops)):
            track = []
            for edge in EDGES:
                other = board["hexes"].get(places.get(neighbour(at, edge, layout), ""))
                if other is not None and other.get("colour") not in ("red", "blue"):
                    track.append([edge, "stop:0"])
            if track:
                entry["track"] = track


_GROUND_CODES = {
    "M": "mountain", "H": "hill", "F": "forest", "W": "water", "R": "river", "S": "marsh", "L": "lake", "D": "desert",
    "G": "rough",
}  # fmt: skip
_LETTERS = re.compile(r"([CTOP]+)(\d*)")
# A code directly before a name in another script: "C札幌".
_GLUED = re.compile(r"(?<!\S)([CTOP]{1,2}[0-9]?)(?=[^\x00-\x7f])")
_GROUND = re.compile(r"([MHFWRSLDG])(-?\d*)")


def _drawn(sheet: Sheet, layout: str | None, map_id: str, into: Tables) -> tuple[Json, Json]:
    """Return the settings and hexes of a map that is drawn in cells, where each filled or merged
    cell is a hex. Cells show the offset of rows: merged cells two columns wide (pointy) or two
    rows tall (flat), or every other cell. If all cells of a row are filled, every second row
    (pointy) or column (flat) is offset by half a hex."""
    settings = Row(row=0)
    hexes = dict(sheet.cells)
    for row in sheet.rows():
        if read_setting(sheet, row, MAP, settings, into):
            hexes = {place: cell for place, cell in hexes.items() if place[0] != row}
    first_column, first_row = _rims(hexes)
    hexes = {
        (row, column): cell
        for (row, column), cell in hexes.items()
        if (row != first_row and column != first_column)
        and (
            not cell.is_empty
            or cell.wide * cell.tall > 1
            or tile_colour(cell.colour) not in ("", "white")
        )
    }
    if not hexes:
        message = "there is neither a row of headings nor a cell of a map"
        into.wrong(sheet, min(sheet.cells), message, 'write "hex" above the hexes')
        return settings.values, {}
    wide = Counter(cell.wide for cell in hexes.values())[2]
    tall = Counter(cell.tall for cell in hexes.values())[2]
    usual = settings.values.get("layout") or layout or ("pointy" if wide > tall else "flat")
    settings.values["layout"] = usual
    touching = any(
        (row, column + 1) in hexes and (row + 1, column) in hexes for row, column in hexes
    )
    parities = Counter((row + column) % 2 for row, column in hexes)
    few = min(parities.values()) * 8 < max(parities.values())
    if len(parities) > 1 and (wide != tall or few or not touching):
        odd = min(parities, key=lambda parity: parities[parity])
        hint = "every second row is offset by one cell"
        for place in [place for place in hexes if sum(place) % 2 == odd]:
            into.wrong(sheet, place, "this cell lies between two hexes", hint)
            del hexes[place]
        del parities[odd]
    top, left = min(row for row, _ in hexes), min(column for _, column in hexes)
    halved = "" if len(parities) == 1 else "x" if usual == "pointy" else "y"
    _name_axes(sheet, (first_column, first_row), (top, left), settings, halved)
    given = settings.values
    letters_on, letter, number = (
        given.get(key) for key in ("letters_on", "first_letter", "first_number")
    )
    scheme = CoordinateScheme(
        letters_on=letters_on if letters_on in ("x", "y") else "x" if usual == "flat" else "y",
        first_letter=str(letter) if re.fullmatch("[a-z]|[A-Z]{1,2}", str(letter)) else "A",
        first_number=number if isinstance(number, int) else 1,
    )
    board = {}
    for row, column in sorted(hexes):
        x, y = column - left, row - top
        if halved == "x":
            x = 2 * x + y % 2
        elif halved == "y":
            y = 2 * y + x % 2
        name = scheme.name(Coord(x, y))
        into.stand(sheet, (row, column), "maps", map_id, "hexes", name)
        board[name] = _drawn_hex(sheet, (row, column), hexes[row, column], into)
    return settings.values, board


def _rims(cells: Mapping[tuple[int, int], Cell]) -> tuple[int, int]:
    """Return the column and the row that hold coordinates, 0 if there is none."""
    filled = {place: cell for place, cell in cells.items() if not cell.is_empty}
    if not filled:
        return 0, 0
    top, left = min(row for row, _ in filled), min(column for _, column in filled)
    row = [
        cell.text for (at, column), cell in sorted(filled.items()) if at == top and column != left
    ]
    column = [
        cell.text for (at, across), cell in sorted(filled.items()) if across == left and at != top
    ]
    return (left if _is_axis(column) else 0), (top if _is_axis(row) else 0)


def _is_axis(words: list[str]) -> bool:
    """Return True if words are rising numbers, or letters in alphabetical order, in steps of 1 or
    2."""
    if len(words) < 2:
        return False
    if all(word.isdecimal() for word in words):
        numbers = [*map(int, words)]
    elif all(re.fullmatch("[A-Z]{1,2}", word) for word in words):
        numbers = [index_from_letters(word) for word in words]
    else:
        return False
    steps = {b - a for a, b in pairwise(numbers)}
    return len(steps) == 1 and steps <= {1, 2}


def _name_axes(
    sheet: Sheet, rims: tuple[int, int], corner: tuple[int, int], settings: Row, halved: str
) -> None:
    """Take coordinates from the column and the row next to a map (`rims`), whose hexes begin at
    `corner`. On the `halved` axis, a cell spans two coordinates."""
    (rim_column, rim_row), (top, left) = rims, corner
    across = (
        {column: sheet.at(rim_row, column).text for column in range(left, left + 200)}
        if rim_row
        else {}
    )
    down = (
        {row: sheet.at(row, rim_column).text for row in range(top, top + 200)} if rim_column else {}
    )
    for axis, words, start in (("x", across, left), ("y", down, top)):
        at = next((place for place, word in words.items() if word), None)
        if at is None:
            continue
        word, before = words[at], at - start
        if not (word.isdecimal() or re.fullmatch("[A-Z]{1,2}", word)):
            continue
        if axis == halved:
            before *= 2
        if word.isdecimal():
            settings.values.setdefault("first_number", int(word) - before)
            settings.values.setdefault("letters_on", "y" if axis == "x" else "x")
        else:
            settings.values.setdefault(
                "first_letter", letters_from_index(index_from_letters(word) - before)
            )
            settings.values.setdefault("letters_on", axis)


def _drawn_hex(sheet: Sheet, at: tuple[int, int], cell: Cell, into: Tables) -> Json:
    """Return a hex from the short codes in its cell: C (city), CC (two), C2 (a city with two slots), T
    (town), O (off-board), followed by their values; M60 (mountain, cost 60), [Y] (label), *port (icon),
    >45 (track to edges 4 and 5). Any other words are its name."""
    if cell.fault:
        into.wrong(sheet, at, cell.fault, cell.hint)
    stops: list[Json] = []
    grounds: list[str] = []
    words: list[str] = []
    found: Json = {}
    cost: int | None = None
    plain = unicodedata.normalize("NFKC", cell.text)
    for token in _GLUED.sub(r"\1 ", plain).split():
        if letters := _LETTERS.fullmatch(token):
            kinds = [CODES[letter] for letter in letters[1]]
            has_slots = letters[2] and kinds[-1] in ("city", "pass")
            slots = {"slots": int(letters[2])} if has_slots else {}
            stops += [{"kind": kind, **slots} for kind in kinds]
        elif ground := _GROUND.fullmatch(token):
            grounds.append(_GROUND_CODES[ground[1]])
            cost = int(ground[2]) if ground[2] not in ("", "-") else cost
        elif re.fullmatch(r"\d+(/\d+)*", token):
            if stops:
                stop = next((stop for stop in stops if "revenue" not in stop), stops[-1])
                stop["revenue"] = phased(token)
            elif token.isdecimal():
                cost = int(token)
            else:
                hint = 'write "O 20/50" for an off-board'
                into.wrong(sheet, at, f"{token} belongs to no stop", hint)
        elif label := re.fullmatch(r"\[([^\]]{1,8})\]", token):
            found.setdefault("labels", []).append(label[1])
        elif icon := re.fullmatch(r"\*([A-Za-z][\w.+-]*)", token):
            found.setdefault("icons", []).append(icon[1])
        elif track := re.fullmatch(r">([0-5]{1,6})", token):
            found["track"] = [[int(edge), "stop:0"] for edge in track[1]]
        elif token not in (".", *DASHES, "・"):
            words.append(token)
    colour = tile_colour(cell.colour)
    if not colour and any(map(is_offboard, stops)):
        colour = "red"
    terrain = filled({"kinds": grounds, "cost": cost})
    entry = {
        "colour": "" if colour == "white" else colour,
        "name": " ".join(words),
        "stops": stops,
        "terrain": [terrain] if terrain else [],
        **found,
    }
    return filled(entry)


def tile_colour(rgb: str) -> str:
    """Return the tile colour closest to a cell's colour; "" if it has none."""
    if not rgb:
        return ""
    red, green, blue = (int(rgb[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, full = colorsys.rgb_to_hls(red, green, blue)
    hue *= 360
    if light > 0.97:
        return "white"
    if full < 0.12 or max(red, green, blue) - min(red, green, blue) < 0.04:
        return "gray"
    if hue < 42 and hue >= 15:
        return "brown" if light < 0.7 else "yellow"
    for limit, name in (
        (15, "red"),
        (70, "yellow"),
        (170, "green"),
        (260, "blue"),
        (330, "purple"),
    ):
        if hue < limit:
            return name
    return "red"
