"""Tile catalogues, maps and games of n18 and rusty_train.

Their maps are positions: hexes with the tiles and tokens that lie on them. Tiles become printed
hexes, tokens a position next to the title.
"""

from __future__ import annotations

import cmath
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from platelayer.exchange.imported import Imported
from platelayer.exchange.importers import is_rusty_train
from platelayer.exchange.losses import (
    Comments,
    Entry,
    line_of,
    list_of,
    number,
    one_line,
    safe_id,
    several,
)
from platelayer.exchange.maker_form import edge_point
from platelayer.exchange.others.common import (
    AXES,
    MAX_BYTES,
    Notes,
    Stop,
    catalogue_tile,
    printed_at,
    read_object,
    standard,
    tile_code,
    title_from_data,
    turned,
)
from platelayer.foundation.door import real
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Json

_FACES = {"Bottom": 0, "LowerLeft": 1, "UpperLeft": 2, "Top": 3, "UpperRight": 4, "LowerRight": 5}
# Corner k lies between edges k and k + 1.
_CORNERS = ("BottomLeft", "Left", "TopLeft", "TopRight", "Right", "BottomRight")
# Number of edges from the face where a kind of track begins to the face where it ends.
_TRACK = {"Straight": 3, "Mid": 3, "GentleL": 2, "GentleR": -2, "HardL": 1, "HardR": -1}
_SLOTS = {"Single": 1, "Double": 2, "Triple": 3, "Quad": 4}
_TURNS = {"Zero": 0, "Cw1": 1, "Cw2": 2, "Half": 3, "Acw2": 4, "Acw1": 5}
_PHASES = {"Yellow": "yellow", "Green": "green", "Brown": "brown", "Grey": "gray"}
_LOOKS: list[str] = asset_json("imports.json")["looks"]["rusty_train"]


class _Track(TypedDict, total=False):
    Mid: str
    Straight: str
    GentleL: str
    GentleR: str
    HardL: str
    HardR: str
    dit: tuple[str, int, str]
    span: tuple[float, float]


class _Label(TypedDict, total=False):
    PhaseRevenue: list[tuple[str, int, bool]]
    PhaseRevenueVert: list[tuple[str, int, bool]]


class _Tile(TypedDict, total=False):
    colour: str
    track: list[_Track]
    cities: list[Json]
    labels: list[_Label]
    tokens: list[tuple[int, str]]


class _Tiles(TypedDict, total=False):
    tiles: list[_Tile]


class _Whole(_Tiles, total=False):
    map: _Tiles


def title_from_file(source: Path, title_id: str) -> Imported:
    """Return the definition of a title. Raises CannotRun for a file that cannot be read."""
    notes = Notes()
    whole = read_object(source, _Whole, notes.losses)
    board = whole.get("map") if isinstance(whole.get("map"), dict) else whole
    is_map = "orientation" in board
    tiles = _beside(source, notes) if is_map else {}
    for entry in () if is_map else list_of(whole, "tiles"):
        tiles[line_of(entry, "name")] = entry
    codes = {name: _code(entry, notes.at("tiles", name)) for name, entry in tiles.items()}
    data = {
        "title": line_of(whole, "game") or source.stem,
        "hexes": {},
        "location_names": {},
    }
    tokens = {}
    if is_map:
        flat = board.get("orientation") != "PointedTop"
        data |= {
            "layout": "flat" if flat else "pointy",
            "axes": AXES[not flat],
        }
        tokens = _put(list_of(board, "tiles"), tiles, codes, data, notes, flat=flat)
        notes.losses.assume(
            "Tiles that lie on the map are printed on it: what is below them is not in the file."
        )
    data["tiles"] = {
        name: {"count": 1, "color": _colour(tiles[name]), "code": code}
        for name, (code, _) in codes.items()
        if tiles[name].get("show_tile_name", True) and tiles[name].get("colour") in _PHASES
    }
    if data["tiles"]:
        notes.losses.assume(
            "Catalogues of n18 have no numbers of copies; one of each tile was taken."
        )
    on_map = {line_of(entry, "tile") for entry in list_of(board, "tiles")} if is_map else set()
    for name, entry in tiles.items():
        if name not in data["tiles"] and name not in on_map:
            notes.at("tiles", name).lose("printed hex without a place on a map", codes[name][0])
        notes.name_unread("tiles", name, entry, _LOOKS)
    notes.name_unread("title", "title", whole)
    imported = title_from_data(source, title_id, data, notes, program="n18 and rusty_train")
    if tokens:
        position = {"format": "platelayer.position/1", "title": title_id, "tokens": tokens}
        imported.beside["position.json"] = (json.dumps(position, indent=1) + "\n").encode()
        notes.losses.assume("Tokens are in position.json, for draw TITLE map --position.")
    return imported


def _beside(source: Path, notes: Notes) -> dict[str, Entry]:
    """Return the tiles of all catalogues in the folder of a map, by name."""
    tiles: dict[str, Entry] = {}
    for path in sorted(real(source).parent.glob("*.json")):
        if path.stat().st_size <= MAX_BYTES and is_rusty_train(path):
            entries = several(read_object(path, _Whole, notes.losses).get("tiles"))
            tiles = {one_line(entry["name"]): entry for entry in entries if "name" in entry} | tiles
    return tiles


def _colour(entry: Entry) -> str:
    return "white" if entry.get("colour") == "Empty" else str(entry.get("colour")).lower()


def _code(entry: Entry, comments: Comments) -> tuple[str, str]:
    """Return the tile string and name of a tile."""
    labels = list_of(entry, "labels")
    values = [
        f"{_PHASES[step[0]]}_{step[1]}"
        for label in labels
        for kind in ("PhaseRevenue", "PhaseRevenueVert")
        for step in several(label.get(kind))
        if step[0] in _PHASES
    ]
    is_off = entry.get("colour") == "Red" or bool(entry.get("offboard_faces"))
    stops = []
    for city in list_of(entry, "cities"):
        kind = next((kind for kind in _SLOTS if kind in city), "Single")
        value = str(city.get("revenue", 0))
        stops.append(
            Stop(
                kind="offboard" if is_off else "city",
                revenue="|".join(values) or value,
                at=_place(str(city.get(kind, "Centre"))),
                slots=1 if is_off else _SLOTS[kind],
            )
        )
    lines = []
    for track in list_of(entry, "track"):
        kind = next((kind for kind in _TRACK if kind in track), "")
        if not kind or track[kind] not in _FACES:
            comments.lose("track of a kind that is none", json.dumps(track)[:80])
            continue
        start = _FACES[track[kind]]
        first, last = track.get("span") or (0, 0.5 if kind == "Mid" else 1)
        line = standard(start, (start + _TRACK[kind]) % 6, first, last)
        dit = track.get("dit")
        if dit:
            at = line[0] if dit[0] == "Start" else line[-1]
            stops.append(Stop(kind="town", revenue="0" if first == last else str(dit[1]), at=at))
        if first != last:
            lines.append(line)
        elif dit:  # a town of the map, whose revenue is not drawn
            comments.lose("revenue of a town without track", str(dit[1]))
    more = []
    names = []
    for label in labels:
        note = line_of(label, "Note")
        cost = re.fullmatch(r"[^\d]{0,3}(\d+)(?:: *(Mountain|River|Water|Hill))?", note)
        if cost:
            more.append(
                f"upgrade=cost:{cost[1]}" + (f",terrain:{cost[2].lower()}" if cost[2] else "")
            )
        elif note:
            comments.lose("note on a tile", note)
        more += [f"label={label['City']}"] if label.get("City") else []
        more += ["label=Y"] if "Y" in label else []
        label.get("Y")
        names += [one_line(label["MapLocation"])] if label.get("MapLocation") else []
    return tile_code(stops, lines, more), " & ".join(names)


def _place(words: str) -> complex:
    """Return the point where cities at a position such as TopFace or LeftCorner are drawn."""
    face, corner = words.removesuffix("Face"), words.removesuffix("Corner")
    if face in _FACES:
        return 0.5 * edge_point(_FACES[face])
    if corner in _CORNERS:
        # The middle of a sharp curve is half a side away from the corner.
        turn = cmath.exp(1j * math.pi / 6) / math.sqrt(3)
        return edge_point(_CORNERS.index(corner)) * turn
    return 0j


def _put(
    entries: list[Entry],
    tiles: Mapping[str, Entry],
    codes: Mapping[str, tuple[str, str]],
    data: Json,
    notes: Notes,
    *,
    flat: bool,
) -> dict[str, list[str]]:
    """Put hexes into the data of a game. Return the tokens on them, in the form of a position."""
    tokens: dict[str, list[str]] = {}
    companies: dict[str, None] = {}
    rows, columns = (
        [number(entry.get(key), -99, 99) or 0 for entry in entries] for key in ("row", "col")
    )
    # Rows above and columns left of the origin; an even number, so that the same rows or columns
    # stay shifted.
    up, left = (
        before + before % 2 for before in (-min([*places, 0]) for places in (rows, columns))
    )
    for entry, row, column in zip(entries, rows, columns, strict=True):
        printed = printed_at(row + up, column + left, flat=flat)
        name = line_of(entry, "tile")
        title, ours = name, catalogue_tile(name)
        colour, code = ours or ("white", "")
        if name in tiles:
            colour, (code, title) = _colour(tiles[name]), codes[name]
        elif ours is not None:
            title = ""
            notes.losses.assume(
                f"Tile {name} is in no catalogue beside the map; it is that of ours."
            )
        elif name:
            notes.at("hexes", printed).lose("tile that no catalogue has", name)
        turn = _TURNS.get(str(entry.get("rotation", "Zero")), 0)
        data["hexes"].setdefault(colour, {})[(printed,)] = turned(code, turn)
        if title:
            data["location_names"][printed] = title
        for space, company in list_of(entry, "tokens"):
            slot = _slot(code, int(space))
            if slot is None:
                notes.at("hexes", printed).lose(
                    "token on a space that is not known", f"{company}, {space}"
                )
            else:
                companies[str(company)] = None
                tokens.setdefault(printed, []).append(f"{safe_id(company)} {slot}")
        notes.name_unread("hexes", printed, entry)
    data["corporations"] = [
        {"sym": name, "name": name, "color": "#808080", "shares": []} for name in companies
    ]
    return tokens


def _slot(code: str, space: int) -> str | None:
    """Return a space for tokens as "stop.slot"; spaces are counted through all cities of a tile.
    None if the tile has no such space."""
    stops = re.findall(r"(?:^|;)(city|town|offboard)=([^;]*)", code)
    for index, (kind, fields) in enumerate(stops):
        more = re.search(r"slots:(\d)", fields)
        slots = 0 if kind != "city" else int(more[1]) if more else 1
        if space < slots:
            return f"{index}.{space}"
        space -= slots
    return None
