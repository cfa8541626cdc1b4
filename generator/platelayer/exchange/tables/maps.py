"""Maps: a row for each hex, or drawn in cells."""

from __future__ import annotations

import colorsys
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from msgspec import MsgspecError, convert

from platelayer.exchange.losses import filled
from platelayer.exchange.tables.columns import CODES, DASHES, HEXES, MAP, phased, plain_id
from platelayer.exchange.tables.sheets import Cell, Sheet
from platelayer.exchange.tables.table import (
    Row,
    Tables,
    entries_of,
    is_offboard,
    note_rows,
    read_setting,
    read_table,
)
from platelayer.foundation.problems import join_pointer
from platelayer.foundation.values import Json
from platelayer.model.gamemap import (
    EDGES,
    Coord,
    CoordinateScheme,
    Layout,
    index_from_letters,
    letters_from_index,
    neighbour,
)

# Maps: a row for each hex, or drawn in cells.


def read_map(sheet: Sheet, layout: str | None, into: Tables) -> None:
    """Read a map; `layout` is that of the title, if it gives one. A sheet "map 2" is another."""
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
    """Give off-boards without track a track to each neighbour that is none itself."""
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
# A code before a name in another script: "C札幌".
_GLUED = re.compile(r"(?<!\S)([CTOP]{1,2}[0-9]?)(?=[^\x00-\x7f])")
_GROUND = re.compile(r"([MHFWRSLDG])(-?\d*)")


def _drawn(sheet: Sheet, layout: str | None, map_id: str, into: Tables) -> tuple[Json, Json]:
    """The settings and hexes of a map that is drawn in cells: each filled or merged cell is a hex.
    Rows are offset as the cells are: by merged cells two columns wide (pointy) or two rows tall
    (flat), by every other cell, or, where all cells of a row are filled, by half a hex in every
    second row (pointy) or column (flat)."""
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
    """The column and the row that hold coordinates, 0 for none."""
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
    """True for rising numbers, or letters in their order."""
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
    """Take coordinates from the column and the row that hold them beside a map whose hexes begin at
    a corner. Of the `halved` axis, a cell is two coordinates."""
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
    """A hex of the short codes of its cell: C (city), CC (two), C2 (a city with two slots), T
    (town), O (off-board), with values after them; M60 (mountain, cost 60), [Y] (label), *port
    (icon), >45 (track to edges 4 and 5); any other words are its name."""
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
    """The tile colour that a cell's colour stands for, "" for none."""
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
