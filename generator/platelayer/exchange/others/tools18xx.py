"""Saved games and tile packs of 18xxtools, an editor of games for 18xx.games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypedDict

from platelayer.exchange.imported import Imported
from platelayer.exchange.losses import Entry, line_of, list_of, one_line, several
from platelayer.exchange.maker_form import edge_point
from platelayer.exchange.others.common import (
    AXES,
    MAX_BYTES,
    Notes,
    Stop,
    read_object,
    tile_code,
    title_from_data,
)
from platelayer.foundation.door import read_text
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Json
from platelayer.model.gamemap import letters_from_index

_PHASES = ("yellow", "green", "brown", "gray")
_TILE = re.compile(r"'([^'\n]{1,16})'\s*:\s*\{\s*dsl: *'([^'\n]*)', *color: *'([a-z]+)'")
# Parts of a hex that only repeat its other parts, or that control the editor's drawing and steps.
_LOOKS: list[str] = asset_json("imports.json")["looks"]["18xxtools"]


class _End(TypedDict, total=False):
    n: int


class _Path(TypedDict, total=False):
    a: _End
    b: _End


class _Node(TypedDict, total=False):
    phaseRevenue: dict[str, int]
    activePhases: dict[str, bool]


class _City(TypedDict, total=False):
    slots: int
    revenue: dict[str, int]


class _Border(TypedDict, total=False):
    edge: int


class _Hex(_Node, total=False):
    terrain: str
    bg: str
    city: _City | bool
    exits: list[int]
    nodes: list[_Node]
    paths: list[_Path]
    stubs: list[Json]
    borders: list[_Border]
    riverEdges: list[int]
    icons: list[Json]


class _Pack(TypedDict, total=False):
    companies: list[Json]


class _Train(TypedDict, total=False):
    distType: str
    events: list[Json]


class _Mechanics(TypedDict, total=False):
    startingCash: Json
    certLimit: Json


class _State(TypedDict, total=False):
    meta: Json
    hexes: dict[str, _Hex] | list[_Hex]
    manifest: Json
    customTiles: dict[str, Json]
    corpPacks: list[_Pack]
    companies: list[Json]
    minors: list[Json]
    privates: list[Json]
    trains: list[_Train]
    phases: list[Json]
    financials: Json
    mechanics: _Mechanics


def title_from_file(source: Path, title_id: str) -> Imported:
    """Return the definition of a title. Raises CannotRun for a file that cannot be read."""
    notes = Notes()
    if source.suffix == ".js":
        tiles = {
            name: {"count": 1, "color": colour, "code": code}
            for name, code, colour in _TILE.findall(read_text(source, MAX_BYTES))
            if colour != "white"
        }
        notes.losses.assume("Packs of tiles have no numbers of copies; one of each was taken.")
        return title_from_data(
            source, title_id, {"title": source.stem, "tiles": tiles}, notes, program="18xxtools"
        )
    state = read_object(source, _State, notes.losses)
    meta = state.get("meta") or state
    trains = {str(train.get("id")): train for train in list_of(state, "trains")}
    mechanics, financials = (state.get(key) or Entry({}) for key in ("mechanics", "financials"))
    limits = [meta.get(key) for key in ("playersMin", "playersMax")]
    data = {
        "title": meta.get("title") or source.name.partition(".")[0],
        "layout": meta.get("orientation", "flat"),
        "bank": mechanics.get("bankCash") or financials.get("bank") or meta.get("bank"),
        "players": limits if all(isinstance(limit, int) for limit in limits) else None,
        "market": _market(financials.get("market")),
        "currency": mechanics.get("currency") or "$%s",
        "cash": mechanics.get("startingCash"),
        "certificate_limit": mechanics.get("certLimit"),
        "tiles": _tiles(state),
        **_companies(state, notes),
        **_board(state, meta, notes),
        "trains": [_train(train, trains, notes) for train in trains.values()],
        "phases": [_phase(phase, trains, notes) for phase in list_of(state, "phases")],
    }
    for key in ("cash", "certificate_limit"):
        if isinstance(data[key], dict):
            data[key] = {int(count): each for count, each in data[key].items() if count.isdigit()}
    notes.name_unread("title", "title", state, (*_LOOKS, "rows", "cols", "baseGame", "marketType"))
    return title_from_data(source, title_id, data, notes, program="18xxtools")


def _tiles(state: Entry) -> Json:
    own = state.get("customTiles") or {}
    counts = state.get("manifest") or {}
    return {
        str(name): {
            "count": count,
            "color": own[name].get("color"),
            "code": own[name].get("code") or own[name].get("dsl"),
        }
        if name in own
        else count
        for name, count in {**dict.fromkeys(own, 1), **counts}.items()
        if count
    }


def _board(state: Entry, meta: Entry, notes: Notes) -> Json:
    """Return the hexes, axes and names of the map. A saved game has its hexes by their positions in
    the grid, an export has a list of hexes."""
    given = state.get("hexes") or {}
    hexes = (
        {str(entry.get("coordinate")): entry for entry in given}
        if isinstance(given, list)
        else given
    )
    transposed = meta.get("staggerParity") == 1 and meta.get("orientation") != "pointy"
    rows = transposed or meta.get("orientation") == "pointy"
    board: Json = {
        "hexes": {},
        "location_names": {},
        "axes": AXES[bool(rows)],
    }
    for place, entry in hexes.items():
        if entry.get("killed") or entry.get("terrain") == "offmap":
            continue
        printed = _printed(place, meta, transposed=bool(transposed))
        colour, code = _hex(printed, entry, notes)
        board["hexes"].setdefault(colour, {})[(printed,)] = code
        names = [entry.get("cityName"), entry.get("ooCityName")]
        names += [
            part.get("name") for key in ("city", "town") if isinstance(part := entry.get(key), dict)
        ]
        if any(names):
            board["location_names"][printed] = next(filter(None, names))
        notes.name_unread("hexes", printed, entry, _LOOKS)
    return board


def _printed(place: str, meta: Entry, *, transposed: bool) -> str:
    """Return the printed coordinates of a position in the grid, which is written as if letters were
    on columns and even columns were shifted down."""
    match = re.fullmatch(r"([A-Z])([0-9]{1,3})", place)
    if match is None:
        return place
    column, number = ord(match[1]) - ord("A"), int(match[2])
    row = (number - 1) // 2
    if meta.get("orientation") == "pointy":
        is_even = (row % 2 == 0) == (meta.get("pointyStaggerParity") == 1)
        return letters_from_index(row) + str(2 * column + (2 if is_even else 1))
    if transposed:
        return letters_from_index(2 * row + column % 2) + str(column + 1)
    is_even = (column % 2 == 0) == (meta.get("coordParity", 0) == 0)
    return letters_from_index(column) + str(2 * row + (2 if is_even else 1))


def _hex(printed: str, entry: Entry, notes: Notes) -> tuple[str, str]:
    """Return the colour and tile string of a hex."""
    parts = []
    paths = list_of(entry, "paths")
    if entry.get("feature") == "offboard" and not list_of(entry, "nodes"):
        parts.append(f"offboard=revenue:{_revenue(entry)}")
    for node in list_of(entry, "nodes"):
        kind = "offboard" if node.get("originalType") == "offboard" else str(node.get("type"))
        slots = node.get("slots", 1) if kind == "city" else 1
        where = node.get("locStr")
        parts.append(
            "junction"
            if kind == "junction"
            else f"{kind}=revenue:{_revenue(node)}"
            + (f",slots:{slots}" if slots != 1 else "")
            + (f",loc:{where}" if where and (where != "center") else "")
        )
    if not parts and not paths:  # hexes of older saves
        stops = []
        city, towns = (
            entry.get("city"),
            2 if entry.get("dualTown") else int(bool(entry.get("town"))),
        )
        if isinstance(city, dict):
            revenue = "|".join(
                f"{phase.replace('grey', 'gray')}_{value}"
                for phase, value in (city.get("revenue") or {}).items()
                if value
            )
            stops.append(Stop(kind="city", revenue=revenue or "0", slots=city.get("slots") or 1))
        stops += [Stop(kind="city")] * (2 if entry.get("oo") and not stops else 0)
        stops += [Stop(kind="town")] * towns
        exits = [edge for edge in list_of(entry, "exits") if isinstance(edge, int)]
        parts.append(tile_code(stops, [[edge_point(edge), 0j] for edge in exits]))
    for path in paths:
        ends = [
            f"_{end.get('n')}" if end.get("type") == "node" else str(end.get("n"))
            for end in (path.get(key) or Entry({}) for key in ("a", "b"))
        ]
        more = [f"terminal:{path['terminal']}"] if path.get("terminal") else []
        for name, lane in (("a_lane", path.get("aLane")), ("b_lane", path.get("bLane"))):
            more += (
                [f"{name}:{lane[0]}.{lane[1]}"] if isinstance(lane, list) and len(lane) == 2 else []
            )
        parts.append(",".join([f"path=a:{ends[0]},b:{ends[1]}", *more]))
    for stub in list_of(entry, "stubs"):
        parts.append(f"stub=edge:{stub.get('edge')}")
    if entry.get("label"):
        parts.append(f"label={entry['label']}")
    terrain, cost = entry.get("terrain"), entry.get("terrainCost")
    if terrain or cost:
        kinds = (
            [terrain, "water"] if entry.get("terrainHasWater") and terrain != "water" else [terrain]
        )
        named = f",terrain:{'|'.join(kinds)}" if terrain else ""
        parts.append(f"upgrade=cost:{cost or 0}{named}")
    for border in list_of(entry, "borders"):
        price = f",cost:{border['cost']}" if border.get("cost") else ""
        parts.append(f"border=edge:{border.get('edge')},type:{border.get('type')}{price}")
    borders = {border.get("edge") for border in list_of(entry, "borders")}
    for edge in list_of(entry, "riverEdges"):
        parts += [f"border=edge:{edge},type:water"] if edge not in borders else []
    parts += [f"icon=image:{icon.get('image')}" for icon in list_of(entry, "icons")]
    if entry.get("tile"):
        notes.at("hexes", printed).lose(
            "tile laid on the map", f"{entry['tile']}, turned by {entry.get('rotation', 0)}"
        )
    return str(entry.get("bg") or "white"), ";".join(filter(None, parts))


def _revenue(node: Entry) -> str:
    """Return a revenue in the form of tile strings: values by phase, or one number."""
    if node.get("flat") is not None:
        return str(node["flat"])
    values, active = node.get("phaseRevenue") or {}, node.get("activePhases")
    steps = [
        f"{phase}_{values.get(phase) or 0}"
        for phase in _PHASES
        if active is None or active.get(phase)
    ]
    amounts = {values.get(phase) or 0 for phase in _PHASES}
    return str(amounts.pop()) if len(amounts) == 1 else "|".join(steps) or "0"


def _companies(state: Entry, notes: Notes) -> Json:
    """Return corporations, minors and private companies in the form of 18xx.games. A pack holds the
    settings that its companies have in common."""
    corporations = []
    packs = list_of(state, "corpPacks")
    for pack in packs:
        for entry in list_of(pack, "companies"):
            own = {
                "type": pack.get("type"),
                "float_percent": entry.get("floatPctOverride") or pack.get("floatPct"),
                "shares": entry.get("sharesOverride") or list_of(pack, "shares"),
                "tokens": entry.get("tokensOverride") or pack.get("tokens"),
                "text_color": entry.get("textColor"),
                "destination_coordinates": entry.get("destinationCoordinates"),
            }
            corporations.append(
                _named(entry, own, ("coordinates", "city", "logo", "abilities"), notes, "companies")
            )
        notes.name_unread("title", "title", pack, (*_LOOKS, "label"))
    for entry in () if packs else list_of(state, "companies"):
        own = {
            "float_percent": entry.get("floatPct"),
            "coordinates": entry.get("homeHex"),
            "shares": [],
        }
        corporations.append(_named(entry, own, ("tokens",), notes, "companies"))
    minors = [
        _named(
            entry,
            {"coordinates": entry.get("homeHex") or entry.get("coordinates")},
            ("tokens", "city", "abilities"),
            notes,
            "companies",
        )
        for entry in list_of(state, "minors")
    ]
    privates = []
    for entry in list_of(state, "privates"):
        price = entry.get("cost")
        own = {
            "value": entry.get("value") if price is None else price,
            "desc": one_line(entry.get("desc") or entry.get("ability")),
            "type": entry.get("companyType"),
        }
        blocked = list_of(entry, "blocksHexes")
        private = _named(entry, own, ("revenue", "abilities"), notes, "privates")
        if blocked:
            blocks = {"type": "blocks_hexes", "owner_type": "player", "hexes": blocked}
            private["abilities"] = [*list_of(private, "abilities"), blocks]
        privates.append(private)
    return {"corporations": corporations, "minors": minors, "companies": privates}


def _named(entry: Entry, own: Json, same: tuple[str, ...], notes: Notes, block: str) -> Json:
    symbol = one_line(entry.get("sym") or entry.get("abbr") or entry.get("name"))
    whole = {"sym": symbol, "name": entry.get("name"), "color": entry.get("color"), **own}
    whole |= {key: entry.get(key) for key in same}
    entry.get("abbr"), entry.get("sym")
    notes.name_unread(block, symbol, entry, _LOOKS)
    return whole


def _market(given: Any) -> Any:
    rows = several(given)
    return rows if any(isinstance(row, list) for row in rows) else [rows] if rows else None


def _train(entry: Entry, trains: dict[str, Entry], notes: Notes) -> Json:
    """Return a train. Its distance is one of five kinds."""
    name = one_line(entry.get("type") or entry.get("id"))
    kind = entry.get("distType", "n")
    n, m, x, y, h = (entry.get(key) for key in "nmxyh")
    distance = {"n": n, "u": 999, "h": h}.get(kind, n)
    if kind == "h":
        notes.at("trains", name).lose("reach counted in hexes", str(h))
    elif kind == "nm":
        distance = [
            {"nodes": ["city", "offboard"], "pay": n, "visit": n},
            {"nodes": ["town"], "pay": m, "visit": m},
        ]
    elif kind == "xy":
        distance = [{"nodes": ["city", "offboard", "town"], "pay": x, "visit": y}]
    rust = entry.get("rustsOn") if entry.get("rusts", True) else None
    train = {
        "name": name,
        "distance": distance,
        "price": entry.get("cost"),
        "num": entry.get("count"),
        "rusts_on": _train_name(rust, trains),
        "multiplier": entry.get("multiplier"),
        "events": [{"type": event.get("type")} for event in list_of(entry, "events")],
    }
    notes.name_unread("trains", name, entry, _LOOKS)
    return train


def _train_name(given: Any, trains: dict[str, Entry]) -> Any:
    return one_line(trains[str(given)].get("type") or given) if str(given) in trains else given


def _phase(entry: Entry, trains: dict[str, Entry], notes: Notes) -> Json:
    """Return a phase. The source gives the newest tile colour; the colours before it are added."""
    name = line_of(entry, "name")
    last = str(entry.get("tiles") or "yellow").replace("grey", "gray")
    order = _PHASES.index(last) + 1 if last in _PHASES else 0
    phase = {
        "name": name,
        "on": _train_name(entry.get("onTrain"), trains),
        "train_limit": entry.get("limit"),
        "tiles": list(_PHASES[:order]) if order else list_of(entry, "tiles"),
        "operating_rounds": entry.get("ors"),
        "status": list_of(entry, "status"),
    }
    notes.name_unread("phases", name, entry, (*_LOOKS, "color"))
    return phase
