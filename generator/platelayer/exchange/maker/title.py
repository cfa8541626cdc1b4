"""A whole title from a game file of 18xx-maker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, TypedDict

import msgspec

from platelayer.definitions.build import build_tile
from platelayer.definitions.catalogue import catalogue_definitions
from platelayer.exchange.imported import Imported, Pictures, complete, off_the_grid, wording
from platelayer.exchange.losses import Comments, Losses, mark, one_line, safe_id, several, unused
from platelayer.exchange.maker.blocks import (
    Json as title_Json,
)
from platelayer.exchange.maker.blocks import (
    Mapping,
    colours_of,
    market_block,
    phases_block,
    read_companies,
    trains_block,
    worth_of,
)
from platelayer.exchange.maker.tiles import Hex, read_hex
from platelayer.exchange.tiles.definitions import same_tile
from platelayer.foundation.door import is_there, plain_fault, read_json, real
from platelayer.foundation.problems import CannotRun

# The form of game files of 18xx-maker, as far as an import relies on it.
#
# What is `Any` may be anything, as whatever reads it looks at it first.


Json = dict[str, Any]
Number = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]


class Placed(TypedDict, total=False):
    """Something with a place on a hex: an angle in degrees or a side, and how far it is from the
    centre."""

    angle: Number | None
    side: Number
    percent: Number | None


class Track(TypedDict, total=False):
    """A curve, or a line inwards, from a side."""

    type: str | None
    side: Number
    start: Number | None
    end: Number | None
    gauge: str | None
    path: str | None


class Stop(Placed, total=False):
    """A city or town."""

    companies: list[Any] | None
    groups: list[Any] | None


class OffBoard(TypedDict, total=False):
    """Revenues of an off-board."""

    revenues: list[Json] | None


class Terrain(TypedDict, total=False):
    """Terrain of a hex."""

    type: str | None


class HexForm(TypedDict, total=False):
    """A tile, or hexes of a map that look the same."""

    track: list[Track] | None
    cities: list[Stop] | None
    towns: list[Stop] | None
    centerTowns: list[Stop] | None
    mediumCities: list[Stop] | None
    boomtowns: list[Stop] | None
    offBoardRevenue: OffBoard | None
    values: list[Placed] | None
    names: list[Any] | None
    labels: list[Json] | None
    icons: list[Json] | None
    terrain: list[Terrain] | None
    bridges: list[Placed] | None
    tunnels: list[Placed] | None
    companies: list[Any] | None
    tokens: list[Any] | None
    removeBorders: list[Number] | bool | None
    borders: list[Json] | None
    hexes: list[str] | None


class Board(TypedDict, total=False):
    """A map. One that is a copy has the hexes of another, by its number, but for those that it
    removes."""

    copy: Annotated[int, msgspec.Meta(ge=0, le=99)] | None
    hexes: list[HexForm] | None
    remove: list[str] | None


class Share(TypedDict, total=False):
    """Certificates of a company."""

    quantity: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None


class Company(TypedDict, total=False):
    """A company. Shares and tokens may be the name of a list that companies have in common."""

    shares: list[Share] | str | None
    shareType: str | None


class Train(TypedDict, total=False):
    """A train."""

    discount: Json | None


class Phase(TypedDict, total=False):
    """A phase."""

    events: Json | None


class Players(TypedDict, total=False):
    """How many players begin with what."""

    number: int


class Par(TypedDict, total=False):
    """Start prices."""

    values: list[Any] | None


class Market(TypedDict, total=False):
    """The stock market."""

    market: list[Any] | None
    legend: list[Json] | None
    par: Par | None
    movement: dict[str, list[Any] | None] | None


class Game(TypedDict, total=False):
    """A game file."""

    info: Json
    players: list[Players] | None
    map: Board | list[Board] | None
    shareTypes: dict[str, list[Share] | None] | None
    tokenTypes: dict[str, list[Any] | None] | None
    companies: list[Company] | None
    privates: list[Json] | None
    trains: list[Train] | None
    phases: list[Phase] | None
    rounds: list[Any] | None
    stock: Market | None
    tiles: dict[str, HexForm | int | str | None] | None
    colors: Json | None


def check_form(path: Path, value: Any, form: Any) -> None:
    """Raises CannotRun for a value of a file that does not have a form of these, with the place in
    it."""
    try:
        msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise CannotRun(
            f"{path} does not follow the form of 18xx-maker: {plain_fault(error)}"
        ) from error


MAX_BYTES = 1024 * 1024
"""Largest game file that is read: ten times the largest known one."""
_MOST_VALUES = 150_000
_TILE_FILES = ("yellow", "green", "brown", "gray", "other")
LOST = {
    "tokens": "extra tokens", "turns": "steps of a turn", "pools": "pool with notes",
    "upgrades": "table of upgrades", "links": None, "wip": None, "prototype": None,
}  # fmt: skip
BOARDS = {"roundTracker": "round-track", "market": "market", "players": "seats"}
"""What is drawn on a map beside its hexes."""


def title_from_file(path: Path, title_id: str) -> Imported:
    """The definition of a title, with what was lost. Raises CannotRun for what is no game file."""
    raw = read_json(path, dict, MAX_BYTES, most_values=_MOST_VALUES)
    if not isinstance(raw.get("info"), dict) or "title" not in raw["info"]:
        raise CannotRun(f"{path} is not a game file of 18xx-maker: it has no info with a title")
    check_form(path, raw, Game)
    mapping = Mapping(raw=raw, pictures=_pictures(path))
    losses = mapping.losses
    head = _head(raw, title_id, losses)
    read_companies(mapping)
    said = wording(
        json.dumps([raw.get("shareTypes"), raw.get("companies"), raw.get("stock")]),
        usual="director",
    )
    if said:
        head["wording"] = said
    maps = _maps(mapping, str(head["name"]))
    trains = trains_block(raw, losses)
    phases = phases_block(raw, losses, trains)
    for phase_id, phase in phases.items():
        for train in several(phase["on"]):
            trains[train].setdefault("starts", phase_id)
    blocks: title_Json = {
        "tiles": _tiles(mapping, _catalogue(path)),
        "companies": mapping.companies,
        "privates": mapping.privates,
        "trains": {train_id: _ordered(train) for train_id, train in trains.items()},
        "phases": phases,
        "market": market_block(raw, losses),
    }
    if rounds(raw):
        blocks["pieces"] = {"rounds": rounds(raw)}
    mapping.pictures.name_icons(
        {mark(label): mapping.companies[key]["name"] for label, key in mapping.named.items()}
    )
    for key, feature in LOST.items():
        if raw.get(key) and feature is not None:
            losses.lose(feature, "title")
    losses.assume(
        "18xx-maker draws track without saying which stop it leads to; that was worked out from the drawing."
    )
    losses.assume("How far trains run is read from their names.")
    note = f"{path.name}, a game file of 18xx-maker, imported by Platelayer; not compared with the rulebook."
    head["provenance"] = [
        {"subject": key, "source": "reference", "note": note}
        for key, block in {"map": maps, **blocks}.items()
        if block
    ]
    return complete(
        Imported(head=head, maps=maps, blocks=blocks, losses=losses, pictures=mapping.pictures)
    )


def _pictures(path: Path) -> Pictures:
    """Pictures in src/data, where games and tiles are."""
    data = real(path).parent.parent
    data = data if (data / "tiles").is_dir() else data / "src" / "data"
    return Pictures(folders={kind: data / kind for kind in ("logos", "icons")})


def _catalogue(path: Path) -> title_Json:
    """Tiles of 18xx-maker by number, from its own files where they are beside the game."""
    blocks: title_Json = {}
    for folder in (real(path).parent.parent, real(path).parent.parent.parent):
        for name in _TILE_FILES:
            file = folder / "src" / "data" / "tiles" / f"{name}.json"
            if is_there(file):
                tiles = read_json(
                    file, dict, MAX_BYTES, most_values=_MOST_VALUES, within=file.parent
                )
                check_form(file, tiles, dict[str, HexForm])
                blocks |= {number: tile for number, tile in tiles.items() if number not in blocks}
    return blocks


def _ordered(train: title_Json) -> title_Json:
    order = ("$comment", "count", "unlimited", "colour", "starts")
    return {
        key: train[key]
        for key in (
            *(key for key in order if key in train),
            *(key for key in train if key not in order),
        )
    }


def _head(raw: title_Json, title_id: str, losses: Losses) -> title_Json:
    info = raw["info"]
    head: title_Json = {
        "format": "platelayer.title/1",
        "id": title_id,
        "name": one_line(info["title"]) or title_id,
    }
    if info.get("subtitle"):
        head["subtitle"] = one_line(info["subtitle"])
    if info.get("designer"):
        head["credits"] = [f"Designed by {one_line(info['designer'])}"]
    pattern = str(info.get("currency", "$#")).replace("#", "{}", 1)
    head["currency"] = pattern if re.fullmatch(r"[^{}]{0,8}\{\}[^{}]{0,8}", pattern) else "{}"
    if head["currency"] != pattern:
        losses.lose("pattern of the currency", pattern)
    players = [player for player in raw.get("players") or () if "number" in player]
    bank = raw.get("bank")
    banks = [player["bank"] for player in players if isinstance(player.get("bank"), int)]
    if banks:
        bank = bank if isinstance(bank, int) else max(banks)
    head["bank"] = bank if isinstance(bank, int) else None
    by_count: title_Json = {}
    for player in players:
        cash = player.get("capital", raw.get("capital"))
        limit = player.get("certLimit", raw.get("certLimit"))
        if isinstance(cash, int) and 1 <= player["number"] <= 20:
            more = {"certificate_limit": limit, "bank": player.get("bank")}
            numbers = {key: value for key, value in more.items() if isinstance(value, int)}
            by_count[str(player["number"])] = {"cash": cash} | numbers
        else:
            losses.lose("cash of players", f"{player['number']} players")
    if by_count:
        head["players"] = by_count
    comments = losses.comments("title")
    comments.account(
        "players and bank",
        [raw.get(key) for key in ("bank", "capital", "certLimit", "players")],
        head,
    )
    return comments.comment | head


def _maps(mapping: Mapping, name: str) -> dict[str, title_Json]:
    raw, losses = mapping.raw, mapping.losses
    given = raw.get("map")
    boards = given if isinstance(given, list) else [given] if given else []
    flat = raw["info"].get("orientation") == "horizontal"
    maps: dict[str, title_Json] = {}
    made: list[dict[str, title_Json]] = []
    for index, board in enumerate(boards):
        for key in ("borders", "lines", "borderTexts", "roundTracker", "market", "players"):
            if board.get(key) and key not in BOARDS:
                losses.lose(f"{key} drawn on a map", one_line(board.get("name")) or "map")
        removed = board.get("remove") or ()
        hexes = _hexes(mapping, board, first=not maps)
        copy = board.get("copy")
        if copy is not None and copy < len(made):
            hexes = {
                printed: hexagon
                for printed, hexagon in made[copy].items()
                if printed not in removed
            } | hexes
        elif copy is not None:
            losses.lose("map that is a copy of another", one_line(board.get("name")) or str(index))
        made.append(dict(hexes))
        letters_on = "x" if flat else "y"
        apart, between = off_the_grid(hexes, letters_on)
        for printed in apart:
            hexes[printed]["apart"] = True
        for printed in between:
            losses.lose("hex between the others", printed)
            del hexes[printed]
        if hexes:
            label = one_line(board.get("name"))
            map_id = "main" if not maps else unused(safe_id(label or f"map-{index}"), maps)
            maps[map_id] = {
                "name": label or name,
                "layout": "flat" if flat else "pointy",
                "coordinates": {"letters_on": letters_on},
                **({"boards": printed_here} if (printed_here := _boards(board, raw)) else {}),
                "hexes": dict(sorted(hexes.items(), key=lambda entry: _place(entry[0], flat=flat))),
            }
    return maps


def _boards(board: title_Json, raw: title_Json) -> list[str]:
    """What else is drawn on the sheet of a map, as far as the title has it."""
    there = {"round-track": rounds(raw), "market": raw.get("stock"), "seats": raw.get("players")}
    return [name for key, name in BOARDS.items() if board.get(key) and there[name]]


def rounds(raw: title_Json) -> list[title_Json]:
    """The spaces of the round track."""
    by_id: dict[str, title_Json] = {}
    names = [entry for entry in raw.get("rounds") or () if isinstance(entry, dict)]
    if names and str(names[-1].get("name")).startswith("SR"):  # listed from the end of its track
        names.reverse()
    for entry in names:
        name = one_line(entry.get("name"))
        if name and len(by_id) < 12:
            round_id = unused(safe_id(name), by_id)
            by_id[round_id] = {"id": round_id, "name": name}
    return list(by_id.values())


def _place(printed: str, *, flat: bool) -> tuple[int, int]:
    letters = printed.rstrip("0123456789")
    column, row = ord(letters[-1]) + 26 * (len(letters) - 1), int(printed.removeprefix(letters))
    return (row, column) if flat else (column, row)


def _hexes(mapping: Mapping, board: title_Json, *, first: bool) -> dict[str, title_Json]:
    raw = mapping.raw
    turn = 0 if raw["info"].get("orientation") == "horizontal" else 1
    removed = set(board.get("remove") or ())
    hexes: dict[str, title_Json] = {}
    for entry in board.get("hexes") or ():
        for printed in entry.get("hexes") or ():
            if printed in removed or not re.fullmatch(r"[A-Z]{1,2}[0-9]{1,3}", str(printed)):
                mapping.losses.lose("hex with coordinates that are none", str(printed)[:40])
                continue
            comments = mapping.losses.comments(printed)
            custom = colours_of(raw)
            hexagon = read_hex(
                entry, comments, custom=custom, on_map=True, turn=turn, pictures=mapping.pictures
            )
            if hexagon.off_the_map and hexagon.definition:
                mapping.losses.lose("words beside the map", printed)
            if hexagon.off_the_map:
                continue
            if first:
                _settle(mapping, printed, hexagon, comments)
            if printed in hexes:
                comments.lose("hex that is given twice", printed)
            comments.account("hexes", worth_of(_without_places(entry)), hexagon.definition)
            hexes[printed] = comments.comment | hexagon.definition
    return hexes


def _without_places(entry: title_Json) -> title_Json:
    return {key: value for key, value in entry.items() if key not in ("hexes", "removeBorders")}


def _settle(mapping: Mapping, printed: str, hexagon: Hex, comments: Comments) -> None:
    """Note the companies that begin in a hex, or for which it is kept."""
    companies: list[str] = []
    for label, stop in hexagon.homes:
        company = mapping.named.get(label)
        if company is None:
            comments.lose("home of a company that there is not", label)
        elif stop is not None and hexagon.definition["stops"][stop]["kind"] == "city":
            home: title_Json = {"hex": printed} | (
                {"stop": stop} if len(hexagon.definition["stops"]) > 1 else {}
            )
            mapping.companies[company].setdefault("homes", []).append(home)
        else:
            companies.append(company)
    for label in hexagon.destinations:
        if label in mapping.named:
            mapping.companies[mapping.named[label]].setdefault("destination", {"hex": printed})
        else:
            comments.lose("destination of a company that there is not", label)
    for label in hexagon.reserved:
        if label in mapping.named:
            companies.append(mapping.named[label])
        elif label in mapping.held:
            blocks = mapping.privates[mapping.held[label]].setdefault("blocks", [])
            blocks += [printed] if printed not in blocks else []
        else:
            comments.lose("mark of a company", label)
    if companies:
        hexagon.definition["reserved"] = comments.fit(
            "companies on a hex", list(dict.fromkeys(companies)), 20
        )


_LONGEST_NUMBER = 16


def _tiles(mapping: Mapping, catalogue: title_Json) -> title_Json:
    raw, losses = mapping.raw, mapping.losses
    tiles: title_Json = {}
    for name, entry in (raw.get("tiles") or {}).items():
        number = unused(safe_id(name), tiles)
        comments = mapping.losses.comments(f"tile {name}")
        own = entry if isinstance(entry, dict) else {"quantity": entry}
        count = own.get("quantity", 1)
        if not isinstance(count, int):
            count = "unlimited"
        given = {
            key: value
            for key, value in own.items()
            if key not in ("quantity", "print", "rotations", "group")
        }
        definition = catalogue_definitions().get(number)
        if not given and definition is not None:
            tiles[number] = count
            continue
        base = catalogue.get(str(own.get("tile", name)), {})
        if not given and not base:
            losses.lose("tile that no catalogue has", name)
            continue
        custom = colours_of(raw)
        whole = {**base, **given}
        tile = read_hex(
            whole, comments, custom=custom, on_map=False, pictures=mapping.pictures
        ).definition
        comments.account("tiles", worth_of(_without_places(whole)), tile)
        if definition is not None and same_tile(
            build_tile(number, definition), build_tile(number, tile)
        ):
            tiles[number] = count
        else:
            # What stands behind a bar tells tiles of one number apart.
            shown = one_line(name.partition("|")[0])
            printed = (
                {"number": shown} if 0 < len(shown) <= _LONGEST_NUMBER and shown != number else {}
            )
            tiles[number] = {**comments.comment, "count": count, **printed, "tile": tile}
    return tiles
