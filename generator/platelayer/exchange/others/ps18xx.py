"""Maps and tiles of ps18xx: PostScript files from which the lists of hexes and tiles are read.

Tiles refer to generic tiles. The file connData gives the connections of these, and src/18-gentl.ps
the number of tokens in their cities; without these files, the generic tiles are those of our
catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import field

from platelayer.exchange.imported import Imported
from platelayer.exchange.losses import number, one_line
from platelayer.exchange.others.common import (
    AXES,
    MAX_BYTES,
    Notes,
    catalogue_tile,
    currency,
    title_from_data,
    turned,
)
from platelayer.foundation.door import is_there, joined, read_bytes, real
from platelayer.foundation.values import Frozen, Json

_COLOURS = {"Ground": "white", "Russet": "brown", "Special": "white", "SpecialArea": "white", "Copper": "brown",
            "NoHex": "blue", "Barr": "blue", "Pyjama": "brown"}  # fmt: skip
_TERRAIN = {"Water": "river", "Water2": "river", "Water3": "river", "Water4": "river", "Mountain": "mountain",
            "Mountain2": "mountain", "Mountain3": "mountain", "Hill": "hill", "HillWater": "hill|river",
            "MountainWater": "mountain|river", "Alp": "mountain", "Appennine": "mountain", "Tree": "forest"}  # fmt: skip
_ICONS = {"Port": "port", "Port2": "port", "PickShovel": "mine", "Grass": "grass", "Yucca": "yucca"}
_SIDES = {"S": 0, "SW": 0, "W": 1, "NW": 2, "NE": 3, "E": 4, "SE": 5}
_FLAT_SIDES = {"S": 0, "SW": 1, "NW": 2, "N": 3, "NE": 4, "SE": 5}
_EDGES = {"Barrier": "impassable", "CostBarrier": "water", "Frontier": "province"}
_KINDS = {"City": "city", "Village": "town", "OffBoard": "offboard", "Pass": "pass"}
_GAUGES = {"n": ",track:narrow", "d": ",track:dual"}
# Phases of revenues that are separated by slashes, by the number of revenues.
_PHASES = {
    1: ("yellow",),
    2: ("yellow", "brown"),
    3: ("yellow", "green", "brown"),
    4: ("yellow", "green", "brown", "gray"),
}
# Generic tiles of maps.
_BARE = {"500": "Plain", "501": "Village", "502": "Village", "503": "City", "504": "City", "246": "City",
         "505": "OffBoard 0", "506": "OffBoard 0,1", "507": "OffBoard 0,1,2", "272": "OffBoard 1", "529": "Plain",
         "550": "Plain"}  # fmt: skip
_TWO_STOPS = ("502", "504")
_STATIONS = {"Double": 2, "Triple": 3, "BridgedTriple": 3, "TripleInLine": 3, "Quadruple": 4, "Quintuple": 5,
             "Quincunctial": 5, "Sextuple": 6}  # fmt: skip

_CODE = re.compile(
    r"(?m)^[^%\n]*?tileCodes\s+(\w+)\s*\[\s*(\d+)\s+(\d)\s+//tl(\w+)\s+//tl(\w+)\s*\(([^)]*)\)\s*\(([^)]*)\)\s*(\d+)[^\]]*\]"
)
_LAY = re.compile(r"(?m)^[^%\n]*?\(([^)/]+)/(\w+)\)\s*(-?)(\w+)\s*\[([^\]]*)\]\s*LayTile")
_BORDER = re.compile(
    r"(?m)^[^%\n]*?\(([^)/]+)/(\w+)\)\s*(?:\(([^)]*)\))?\s*(\w*Barrier|Frontier)\b"
)
# Other commands that place something on a map or among the tiles.
_COMMAND = re.compile(r"\b(Lay[A-Z]\w*|\w*Frontier|\w*Barrier|Edge)\s*$|\btileCodes\s+\w+\s*\[")
_TOKEN = re.compile(r"(?m)^%\s*Token\s+(\S+)\s+(\d+)")


class _Tile(Frozen, kw_only=True):
    """Tile of a game: colour, tile string, words on it, number of copies."""

    colour: str
    code: str
    label: str
    count: int


class _Generic(Frozen, kw_only=True):
    """Generic tiles: the connections of each, and the number of stations that it draws."""

    links: dict[str, str] = field(default_factory=lambda: dict(_BARE))
    stations: dict[str, int] = field(default_factory=dict)


def title_from_file(source: Path, title_id: str) -> Imported:
    """Return the definition of a title from its map or its tiles; the other of these two files is
    read from the same folder. Raises CannotRun for files that cannot be read."""
    stem = re.sub(r"-(map|tc)$", "", source.stem)
    folder = real(source).parent
    own = _text(source)
    texts = {
        part: own if source.stem.endswith(part) else _text(joined(folder, f"{stem}-{part}.ps"))
        for part in ("tc", "map")
    }
    if own not in texts.values():
        texts = dict.fromkeys(texts, own)
    notes = Notes()
    generic = _generic(folder, notes)
    tiles = dict(_tiles(texts["tc"], generic, notes))
    whole = texts["tc"] + texts["map"]
    flat = bool(re.search(r"(?m)^[^%\n]*/tileSitting true def", whole))
    swapped = bool(re.search(r"(?m)^[^%\n]*/axesSwapped true def", whole))
    variant = re.search(r"/18xxVariant \(([^)]+)\) def", whole)
    data = {
        "title": variant[1] if variant else stem,
        "layout": "flat" if flat else "pointy",
        "axes": AXES[not swapped],
        "tiles": {
            name: {
                "count": tile.count,
                "color": tile.colour,
                "code": ";".join(filter(None, (tile.code, tile.label and f"label={tile.label}"))),
            }
            for name, tile in tiles.items()
            if tile.count
        },
        **_board(texts["map"], tiles, notes, flat=flat),
    }
    if "axisDirection" in re.sub(r"%.*", "", whole):
        notes.losses.lose("axis of the map that counts backwards", "map")
    for line in re.sub(r"%.*", "", whole).splitlines():
        if _COMMAND.search(line.strip()) and not any(
            read.search(line) for read in (_CODE, _LAY, _BORDER)
        ):
            notes.at("title", "title").lose("line that puts something on the map", one_line(line))
    signs = re.findall(r"\(\s*(?:\w+ )?([^\w\s(]+)\d+\s*\)", texts["tc"])
    if signs:
        data["currency"] = currency(signs)
    counts = {symbol: int(count) for symbol, count in _TOKEN.findall(texts["tc"])}
    homes = data.pop("homes")
    data["corporations"] = [
        {
            "sym": symbol,
            "name": symbol,
            "color": "#808080",
            "shares": [],
            "tokens": [0] * counts.get(symbol, 0),
        }
        | ({"coordinates": homes[symbol]} if symbol in homes else {})
        for symbol in {**counts, **homes}
    ]
    notes.losses.assume(
        "Names, colours, shares and prices of stations of companies are not in ps18xx."
    )
    upgrades = len(re.findall(r"(?m)^%\s*Upgrade ", texts["tc"]))
    if upgrades:
        notes.losses.lose("table of upgrades", f"{upgrades} lines")
    return title_from_data(source, title_id, data, notes, program="ps18xx")


def _text(path: Path) -> str:
    """Return a file as text; old files are in Latin-1. Empty if there is no such file."""
    data = read_bytes(path, MAX_BYTES) if is_there(path) else b""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _generic(folder: Path, notes: Notes) -> _Generic:
    """Return the generic tiles, from the program's own files around a game."""
    generic = _Generic()
    for line in _text(folder.parent / "connData").splitlines():
        name, colon, links = line.partition(": ")
        if colon and name.isdigit():
            generic.links[name] = links.strip()
    blocks = re.split(r"(?m)^/Tile_(\d+)", _text(folder / "18-gentl.ps"))
    for name, block in zip(blocks[1::2], blocks[2::2], strict=True):
        body = re.sub(r"%.*", "", block)
        stations = sum(_STATIONS.get(kind, 0) for kind in re.findall(r"\b(\w+?)Station\b", body))
        stations += len(re.findall(r"stationMarker\s[^/\n]*//\w*Gauge", body))
        generic.stations[str(int(name))] = stations
    if not generic.stations:
        notes.losses.unread.append(
            "connData and src/18-gentl.ps of ps18xx are not around the file: generic tiles are those of our catalogue."
        )
    return generic


def _tiles(text: str, generic: _Generic, notes: Notes) -> Iterator[tuple[str, _Tile]]:
    """Yield tiles by number, including those of the map."""
    for name, base, turn, colour, terrain, label, value, count in _CODE.findall(text):
        comments = notes.at("tiles", name)
        code = _code(base, _revenue(value, comments), generic)
        if code is None:
            comments.lose("generic tile that is not known", base)
            code = ""
        parts = [turned(code, int(turn))]
        cost = re.search(r"[^\sA-Za-z\d]\s*(\d+)", label)
        kinds = _TERRAIN.get(terrain)
        if kinds and not cost:
            parts += [
                f"icon=image:{kind}"
                if kind in ("river", "mountain")
                else f"upgrade=cost:0,terrain:{kind}"
                for kind in kinds.split("|")
            ]
        elif cost:
            parts.append(f"upgrade=cost:{cost[1]}" + (f",terrain:{kinds}" if kinds else ""))
        if terrain in _ICONS:
            parts.append(f"icon=image:{_ICONS[terrain]}")
        elif terrain != "Plain" and not kinds and terrain != "Private":
            comments.lose("terrain", terrain)
        words = re.sub(r"[^\sA-Za-z\d]\s*\d+", "", label).strip(" @[")
        yield (
            name,
            _Tile(
                colour=_COLOURS.get(colour, "" if colour == "Transparent" else colour.lower()),
                code=";".join(filter(None, parts)),
                label=words,
                count=int(count),
            ),
        )


def _revenue(value: str, comments: Any) -> str:
    amounts = [amount for amount in re.split(r"\s*/\s*", value.strip("[{( ")) if amount]
    if all(amount.isdigit() for amount in amounts) and 2 <= len(amounts) <= 4:
        return "|".join(
            f"{phase}_{amount}"
            for phase, amount in zip(_PHASES[len(amounts)], amounts, strict=True)
        )
    if amounts and not (len(amounts) == 1 and amounts[0].isdigit()):
        comments.lose("revenue", value)
        return "0"
    return amounts[0] if amounts else "0"


def _code(base: str, revenue: str, generic: _Generic) -> str | None:
    """Return the tile string of a generic tile: groups of edges for each stop, and plain track.
    None if the tile is unknown."""
    if base not in generic.links:
        ours = catalogue_tile(base)
        code = re.sub(r";?label=[^;]*", "", ours[1]) if ours is not None else ""
        return re.sub(r"revenue:[^,;]*", f"revenue:{revenue}", code) if ours is not None else None
    kinds, _, links = generic.links[base].partition(" ")
    parts: list[str] = []
    paths = []
    lists = links.split(";") if links else []
    for index, kind in enumerate(kinds.split("/")):
        given = [
            group for group in (lists[index].split(",") if index < len(lists) else []) if group
        ]
        groups = [re.findall(r"([nd]?)(\d)", group) for group in given]
        if kind not in _KINDS:
            for group in groups:
                ends = [(edge, gauge) for gauge, edge in group]
                pairs = [(ends[0], end) for end in ends[1:]] if len(ends) > 1 else []
                paths += [f"path=a:{a[0]},b:{b[0]}{_GAUGES.get(a[1], '')}" for a, b in pairs]
            continue
        if kind == "OffBoard":
            groups = [[end for group in groups for end in group]]
        groups = groups or [[]] * (2 if base in _TWO_STOPS else 1)
        slots = max(1, generic.stations.get(base, 0) // len(groups)) if kind == "City" else 1
        for group in groups:
            more = f",slots:{slots}" if slots > 1 else ""
            paths += [
                f"path=a:{edge},b:_{len(parts)}{_GAUGES.get(gauge, '')}" for gauge, edge in group
            ]
            parts.append(f"{_KINDS[kind]}=revenue:{revenue}{more}")
    return ";".join([*parts, *paths])


def _board(text: str, tiles: dict[str, _Tile], notes: Notes, *, flat: bool) -> Json:
    """Return the hexes, names and homes of the map. A later tile on a hex replaces an earlier one,
    unless it is transparent."""
    codes = {}
    names = {}
    homes: dict[str, str] = {}
    for place, side, _, name, tokens in _LAY.findall(text):
        printed, tile = place.upper(), tiles.get(name)
        if tile is None:
            notes.at("hexes", printed).lose("tile that the game does not have", name)
            continue
        turn = number(side, 0, 5)
        turn = turn if turn is not None else (_FLAT_SIDES if flat else _SIDES).get(side, 0)
        words = (
            [f"icon=image:{tile.label}"]
            if len(tile.label) > 2
            else [f"label={tile.label}"]
            if tile.label
            else []
        )
        parts = [turned(tile.code, turn), *words]
        if tile.colour or printed not in codes:
            codes[printed] = (tile.colour or "white", parts)
        else:
            codes[printed][1].extend(parts)
        for token in re.findall(r"\(([^)]*)\)", tokens):
            if token.startswith("#"):
                names[printed] = token[1:].strip()
            elif token.strip() not in ("", "~"):
                homes.setdefault(token.strip(), printed)
    for place, side, cost, kind in _BORDER.findall(text):
        printed, edge = place.upper(), (_FLAT_SIDES if flat else _SIDES).get(side)
        if printed in codes and edge is not None:
            price = f",cost:{cost.strip('o')}" if cost.strip("o").isdigit() else ""
            codes[printed][1].append(
                f"border=edge:{edge},type:{_EDGES.get(kind, 'province')}{price}"
            )
        else:
            notes.losses.lose("border on no hex", f"{place}/{side}")
    hexes: Json = {}
    for printed, (colour, parts) in codes.items():
        hexes.setdefault(colour, {})[(printed,)] = ";".join(filter(None, parts))
    return {"hexes": hexes, "location_names": names, "homes": homes}
