"""A whole title from a game file of 18xx-maker."""

from __future__ import annotations

import cmath
import json
import math
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from string import ascii_letters
from typing import Any

from msgspec import Struct, field

from platelayer.definitions.build import build_tile, catalogue_definitions
from platelayer.exchange.imported import (
    Imported,
    Pictures,
    by_rows,
    complete,
    market_rows,
    off_the_grid,
    reference,
    token_text,
    trade_ins,
    wording,
)
from platelayer.exchange.losses import (
    Comments,
    Entry,
    Losses,
    counts_hexes,
    filled,
    hashes,
    in_json,
    line_of,
    list_of,
    mark,
    number,
    one_line,
    safe_id,
    several,
    single,
    spoken,
    unread,
    unused,
)
from platelayer.exchange.maker_form import along, edge_point, read_form, read_tile
from platelayer.exchange.tile_strings import ICONS, OTHERS, named_icon, rgb, same_tile, tile_colour
from platelayer.foundation.door import is_there, read_json, real
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_json
from platelayer.foundation.values import Json
from platelayer.model.company import whole
from platelayer.model.gamemap import (
    EDGES,
    CoordinateScheme,
    Layout,
    centre_mm,
    corner_points,
)
from platelayer.model.tile import LEAST_AMOUNT, MOST_AMOUNT

# Maximum size of a game file: ten times the largest known one.
MAX_BYTES = 1024 * 1024
_MOST_VALUES = 150_000
_TILE_FILES = ("yellow", "green", "brown", "gray", "other")
# Fields that only affect how something is drawn.
_LOOKS: list[str] = asset_json("imports.json")["looks"]["18xx-maker"]
# Words for fields that no definition has a place for; other fields are reported by name.
_NAMES = {
    "maxPlayers": "greatest number of players for a company", "debt": "debt of a private company",
    "shapes": "shape drawn on a hex", "tunnelEntrances": "mouth of a tunnel", "goods": "goods", "industries": "industry",
    "divides": "divided hex", "upgrades": "table of upgrades",
}  # fmt: skip
# Boards on the sheet of a map.
BOARDS = {"roundTracker": "round-track", "market": "market", "players": "seats"}


def title_from_file(path: Path, title_id: str) -> Imported:
    """Return the definition of a title, with the losses. Raises CannotRun for a file that is not a
    game file."""
    raw = read_json(path, dict, MAX_BYTES, most_values=_MOST_VALUES)
    if not isinstance(raw.get("info"), dict) or "title" not in raw["info"]:
        raise CannotRun(
            f"{path} is no game file of 18xx-maker: it has no info with a title; {OTHERS}"
        )
    losses = Losses()
    raw = read_form(raw, losses.left_out)
    # Games and tiles are in the same folder as pictures, or in a folder beside src/data.
    data = real(path).parent.parent
    data = data if (data / "tiles").is_dir() else data / "src" / "data"
    pictures = Pictures(folders={kind: data / kind for kind in ("logos", "icons")})
    mapping = Mapping(raw=raw, losses=losses, pictures=pictures)
    comments = losses.comments("title")
    market_tokens = number(raw["info"].get("marketTokens"), 1, 10)
    head = _head(raw, title_id, comments)
    read_companies(mapping)
    words = wording(
        json.dumps([raw.get("shareTypes"), raw.get("companies"), raw.get("stock")]),
        usual="director",
    )
    if words:
        head["wording"] = words
    maps = _maps(mapping, str(head["name"]))
    trains = trains_block(raw, losses)
    phases = phases_block(raw, losses, trains)
    for phase_id, phase in phases.items():
        for train in several(phase["on"]):
            trains[train].setdefault("starts", phase_id)
    blocks = {
        "tiles": _tiles(mapping, _catalogue(path)),
        "companies": mapping.companies,
        "privates": mapping.privates,
        "trains": {train_id: _ordered(train) for train_id, train in trains.items()},
        "phases": phases,
        "market": market_block(raw, losses),
    }
    pieces = {"rounds": rounds(raw), "markers": _markers(mapping), "market_tokens": market_tokens}
    if "par-chart" in (blocks["market"] or {}).get("boards", ()):
        losses.assume("The par chart has a place for each company with shares.")
        places = sum("certificates" in company for company in mapping.companies.values())
        pieces["par_chart"] = {"places": min(max(places, 1), 20)}
    blocks["pieces"] = {key: part for key, part in pieces.items() if part}
    blocks["aids"] = _turns(raw, comments)
    mapping.pictures.name_icons(
        {mark(label): mapping.companies[key]["name"] for label, key in mapping.named.items()}
    )
    links = {key: str(address).strip() for key, address in (raw.get("links") or {}).items()}
    comments.name_unread(raw, _LOOKS, _NAMES)
    losses.assume(
        "18xx-maker draws track without saying which stop it leads to; that was worked out from the drawing."
    )
    losses.assume("How far trains run is read from their names.")
    note = f"{path.name}, a game file of 18xx-maker, imported by Platelayer; not compared with the rulebook."
    head["provenance"] = [
        reference(key, note) for key, block in {"map": maps, **blocks}.items() if block
    ] + [reference("all", f"{spoken(key)}: {address}") for key, address in links.items() if address]
    head = comments.comment | head
    return complete(
        Imported(head=head, maps=maps, blocks=blocks, losses=losses, pictures=mapping.pictures)
    )


def _catalogue(path: Path) -> Json:
    """Return 18xx-maker's own tiles by number, from its files if they are found near the game."""
    blocks: Json = {}
    for folder in (real(path).parent.parent, real(path).parent.parent.parent):
        for name in _TILE_FILES:
            file = folder / "src" / "data" / "tiles" / f"{name}.json"
            if is_there(file):
                tiles = read_json(
                    file, dict, MAX_BYTES, most_values=_MOST_VALUES, within=file.parent
                )
                blocks = tiles | blocks
    return blocks


def _ordered(train: Json) -> Json:
    order = ("$comment", "count", "unlimited", "colour", "starts")
    return {key: train[key] for key in dict.fromkeys((*order, *train)) if key in train}


def _head(raw: Json, title_id: str, comments: Comments) -> Json:
    info = raw["info"]
    pattern = str(info.get("currency", "$#")).replace("#", "{}", 1)
    currency = pattern if re.fullmatch(r"[^{}]{0,8}\{\}[^{}]{0,8}", pattern) else "{}"
    if currency != pattern:
        comments.lose("pattern of the currency", pattern)
    players = [player for player in raw.get("players") or () if "number" in player]
    banks = [player["bank"] for player in players if isinstance(player.get("bank"), int)]
    bank = raw.get("bank")
    if not isinstance(bank, int):
        bank = max(banks, default=None)
    by_count = {}
    for player in players:
        cash = player.get("capital", raw.get("capital"))
        limit = player.get("certLimit", raw.get("certLimit"))
        if isinstance(cash, int) and 1 <= player["number"] <= 20:
            amounts = {"cash": cash, "certificate_limit": limit, "bank": player.get("bank")}
            by_count[str(player["number"])] = {
                key: value for key, value in amounts.items() if isinstance(value, int)
            }
        else:
            comments.lose("cash of players", in_json(player))
    head: Json = {
        "format": "platelayer.title/1",
        "id": title_id,
        "name": line_of(info, "title") or title_id,
        "subtitle": line_of(info, "subtitle"),
        "credits": [
            f"{role} by {line_of(info, key)}"
            for key, role in (("designer", "Designed"), ("publisher", "Published"))
            if info.get(key)
        ],
        "currency": currency,
        "players": by_count,
    }
    head = filled(head) | {"bank": bank}
    comments.name_unread([raw.get("info"), players], _LOOKS, _NAMES)
    comments.account(
        "players and bank",
        [raw.get(key) for key in ("bank", "capital", "certLimit", "players")],
        head,
    )
    return head


def _maps(mapping: Mapping, name: str) -> dict[str, Json]:
    raw, losses = mapping.raw, mapping.losses
    flat = raw["info"].get("orientation") == "horizontal"
    maps: dict[str, Json] = {}
    made: list[dict[str, Json]] = []
    for index, board in enumerate(several(raw.get("map") or None)):
        comments = losses.comments(line_of(board, "name") or "map")
        removed = board.get("remove") or ()
        hexes = _hexes(mapping, board, comments, first=not maps)
        copy = board.get("copy")
        if copy is not None and copy < len(made):
            hexes = {
                printed: hexagon
                for printed, hexagon in made[copy].items()
                if printed not in removed
            } | hexes
        elif copy is not None:
            comments.lose("map that is a copy of another", str(copy))
        made.append(dict(hexes))
        letters_on = "x" if flat else "y"
        apart, between = off_the_grid(hexes, letters_on)
        for printed in apart:
            hexes[printed]["apart"] = True
        for printed in between:
            losses.lose("hex between the others", printed)
            del hexes[printed]
        _put_lines(board, hexes, CoordinateScheme(letters_on=letters_on), raw, comments)
        if hexes:
            label = line_of(board, "name")
            map_id = "main" if not maps else unused(safe_id(label or f"map-{index}"), maps)
            there = {
                "round-track": rounds(raw),
                "market": raw.get("stock"),
                "seats": raw.get("players"),
            }
            boards_on_sheet = [
                name for key, name in BOARDS.items() if board.get(key) and there[name]
            ]

            comments.name_unread(board, (*_LOOKS, "hexes"), _NAMES)
            block = {
                "name": label or name,
                "layout": "flat" if flat else "pointy",
                "coordinates": {"letters_on": letters_on},
                "boards": boards_on_sheet,
                "hexes": by_rows(hexes, letters_on),
            }
            maps[map_id] = comments.comment | filled(block)
    return maps


def _hexes(mapping: Mapping, board: Json, about: Comments, *, first: bool) -> dict[str, Json]:
    """Return the hexes of a map by coordinates; losses that concern the whole map go to `about`."""
    raw = mapping.raw
    turn = 0 if raw["info"].get("orientation") == "horizontal" else 1
    # Latest colour of tiles in a phase, by each name of the phase.
    phases = {
        str(entry[key]): colour
        for entry in raw.get("phases") or ()
        for key in ("name", "phase", "train")
        if entry.get(key) and (colour := _colour_of_phase(entry)) in _COLOURS
    }
    removed = set(board.get("remove") or ())
    hexes = {}
    for entry in board.get("hexes") or ():
        rest: list[tuple[str, str]] = []
        for printed in entry.get("hexes") or ():
            if printed in removed or not re.fullmatch(r"[A-Z]{1,2}[0-9]{1,3}", str(printed)):
                mapping.losses.lose("hex with coordinates that are none", str(printed)[:40])
                continue
            comments = mapping.losses.comments(printed)
            custom = colours_of(raw)
            hexagon = read_hex(
                entry,
                comments,
                custom=custom,
                on_map=True,
                turn=turn,
                pictures=mapping.pictures,
                phases=phases,
            )
            rest += unread(entry, _LOOKS, _NAMES)
            for feature, words in rest:
                comments.lose(feature, words)
            if hexagon.off_the_map:
                if worded := {key: entry[key] for key in entry if key not in _OF_A_BLANK}:
                    about.lose("words beside the map", f"{printed} {in_json(worded)}", printed)
                continue
            if first:
                _settle(mapping, printed, hexagon, comments)
            if printed in hexes:
                comments.lose("hex that is given twice", printed)
            comments.account("hexes", worth_of(_without_places(entry)), hexagon.definition)
            hexes[printed] = comments.comment | hexagon.definition
    return hexes


# Kinds of border by the colours of lines on maps.
_LINES = {"water": "river", "river": "river", "mountain": "mountain"}


def _put_lines(
    board: Json, hexes: dict[str, Json], scheme: CoordinateScheme, raw: Json, comments: Comments
) -> None:
    """Put the lines of a map on the edges of its hexes. Lines run from corner to corner ("B10p5" is
    corner 5 of B10)."""
    layout = Layout.FLAT if scheme.letters_on == "x" else Layout.POINTY
    corners = corner_points(layout, 1.0)
    first = 0 if layout is Layout.FLAT else 4  # index of the corner that 18xx-maker numbers 0

    def corner(printed: str, number: int) -> tuple[float, float]:
        at = scheme.parse(printed)
        assert at is not None
        (x, y), (dx, dy) = centre_mm(at, layout, 1.0), corners[number % 6]
        return round(x + dx, 3), round(y + dy, 3)

    edges = {
        frozenset((corner(printed, edge - 1), corner(printed, edge))): (printed, edge)
        for printed in hexes
        for edge in EDGES
    }
    for line in board.get("borders") or ():
        name = str(line.get("color"))
        colour = _rgb(name, raw) if name not in _LINES else None
        border = filled({"kind": _LINES.get(name, "divider"), "colour": colour})
        places = [
            re.fullmatch("([A-Z]{1,2}[0-9]{1,3})p([1-6])", str(at))
            for at in line.get("coords") or ()
        ]
        if not all(places):
            comments.lose("line drawn on a map", in_json(line))
            continue
        points = [corner(place[1], int(place[2]) + first) for place in places if place]
        for pair in pairwise(points):
            printed, edge = edges.get(frozenset(pair), ("", 0))
            if printed:
                hexes[printed].setdefault("borders", []).append({"edge": edge, **border})
            elif pair[0] != pair[1]:
                comments.lose("line drawn on a map", in_json(line))
        comments.name_unread(line, (*_LOOKS, "dashArray", "borderWidth"), _NAMES)


_OF_A_BLANK = ("hexes", "removeBorders", "color")


def _colour_of_phase(entry: Json) -> str | None:
    # A game may name its own colours after those of tiles, such as train_green.
    return tile_colour(re.split("[^a-z]", str(entry.get("tiles")).lower())[-1])


def _without_places(entry: Json) -> Json:
    return {key: value for key, value in entry.items() if key not in ("hexes", "removeBorders")}


def _settle(mapping: Mapping, printed: str, hexagon: Hex, comments: Comments) -> None:
    """Record the companies that begin in a hex, whose destination it is, or for which it is
    reserved; labels that belong to none become marks."""
    companies = []
    marks = []
    stops = hexagon.definition.get("stops", ())
    for label, stop in hexagon.homes:
        company = mapping.named.get(label)
        if company is None:
            marks.append(label)
        elif stop is not None and stops[stop]["kind"] == "city":
            home = {"hex": printed, "stop": stop if len(stops) > 1 else None}
            mapping.companies[company].setdefault("homes", []).append(filled(home))
        else:
            companies.append(company)
    for label in hexagon.destinations:
        if label not in mapping.named:
            comments.lose("destination of a company that there is not", label)
            continue
        company, goal = mapping.companies[mapping.named[label]], {"hex": printed}
        if company.setdefault("destination", goal) != goal:
            goals = company.setdefault("further_destinations", [])
            goals += [goal] if goal not in goals else []
    for label in hexagon.reserved:
        if label in mapping.named:
            companies.append(mapping.named[label])
        elif label in mapping.held:
            blocks = mapping.privates[mapping.held[label]].setdefault("blocks", [])
            blocks += [printed] if printed not in blocks else []
        else:
            marks.append(label)
    if marks:
        _put_marks(hexagon.definition, marks, comments)
    if companies:
        hexagon.definition["reserved"] = comments.fit(
            "companies on a hex", list(dict.fromkeys(companies)), 20
        )


def _put_marks(definition: Json, words: list[str], comments: Comments) -> None:
    """Put words of a hex that belong to no company into lozenges."""
    icons = [named_icon(word) for word in dict.fromkeys(words)]
    for word, icon in zip(dict.fromkeys(words), icons, strict=True):
        if icon["text"] != word:
            comments.lose("letters of a mark", word)
    definition["icons"] = comments.fit("icons", [*definition.get("icons", ()), *icons], 20)


_LONGEST_NUMBER = 16
_OF_A_COUNT = ("quantity", "print", "rotations", "group")


def _tiles(mapping: Mapping, catalogue: Json) -> Json:
    raw, losses = mapping.raw, mapping.losses
    tiles: Json = {}
    for name, entry in (raw.get("tiles") or {}).items():
        number = unused(safe_id(name), tiles)
        comments = mapping.losses.comments(f"tile {name}")
        own = entry if isinstance(entry, dict) else {"quantity": entry}
        count = own.get("quantity", 1)
        if not isinstance(count, int):
            count = "unlimited"
        given = {key: own[key] for key in own if key not in _OF_A_COUNT}
        definition = catalogue_definitions().get(number)
        if not given and definition is not None:
            tiles[number] = count
            continue
        there = str(own.get("tile", name))
        base = catalogue.get(there) and read_tile(catalogue[there], there, losses.left_out)
        if not given and not base:
            losses.lose("tile that no catalogue has", name)
            continue
        whole = Entry({**(base or {}), **given})
        tile = read_hex(
            whole, comments, custom=colours_of(raw), on_map=False, pictures=mapping.pictures
        ).definition
        comments.name_unread(whole, (*_LOOKS, "tile"), _NAMES)
        comments.account("tiles", worth_of(_without_places(whole)), tile)
        if definition is not None and same_tile(
            build_tile(number, definition), build_tile(number, tile)
        ):
            tiles[number] = count
        else:
            # Text after a bar distinguishes tiles with the same number.
            shown = one_line(name.partition("|")[0])
            printed = "" if shown == number or len(shown) > _LONGEST_NUMBER else shown
            more = filled({"count": count, "number": printed})
            tiles[number] = {**comments.comment, **more, "tile": tile}
    return tiles


def rounds(raw: Json) -> list[Json]:
    """Return the spaces of the round track, at most 12."""
    by_id: dict[str, Json] = {}
    names = [line_of(entry, "name") for entry in hashes(raw.get("rounds"))]
    if names and names[-1].startswith("SR"):  # listed backwards
        names.reverse()
    for name in filter(None, names):
        if len(by_id) < 12:
            round_id = unused(safe_id(name), by_id)
            by_id[round_id] = {"id": round_id, "name": name}
    return list(by_id.values())


def _turns(raw: Json, comments: Comments) -> Json:
    """Return the block `aids`: a card with the steps of each round; empty if there are no steps."""
    sections = []
    for turn in raw.get("turns") or ():
        steps = [one_line(step) for step in turn.get("steps") or ()]
        if turn.get("ordered"):
            steps = [f"{number}. {step}" for number, step in enumerate(steps, 1)]
        steps += map(one_line, turn.get("optional") or ())
        lines = comments.fit("steps of a turn", [*filter(None, steps)], 40)
        sections.append({"heading": line_of(turn, "name") or "Turn", "lines": lines})
    sections = comments.fit("rounds with steps", sections, 30)
    return {"turns": {"name": "Turn order", "sections": sections}} if sections else {}


def _markers(mapping: Mapping) -> Json:
    """Return the markers of the game and of its private companies by id, equal ones counted
    together."""
    raw, markers = mapping.raw, Json()
    given = [(token, "") for token in list_of(raw, "tokens")] + [
        (entry["token"], line_of(entry, "name"))
        for entry in raw.get("privates") or ()
        if entry.get("token")
    ]
    for token, owner in given:
        whole = token if isinstance(token, dict) else Entry({"label": token})
        label, icon = line_of(whole, "label"), str(whole.get("icon") or "")
        logo = one_line(whole.get("logo") or whole.get("company"))
        name = owner or label or spoken(icon or logo).replace("-", " ") or "Marker"
        comments = mapping.losses.comments(f"marker {name}")
        count = number(whole.get("quantity"), 1, 500) or number(whole.get("print"), 1, 500) or 1
        is_drawn = icon in ("", _ENGINE)
        picture = None if is_drawn else ICONS.get(icon) or mapping.pictures.find("icons", icon)
        if not is_drawn and picture is None:
            comments.lose("icon without a picture", icon)
        text = label or logo or ("" if picture or is_drawn else spoken(icon))
        marker: Json = {
            "name": name,
            "count": count,
            "text": comments.fit("letters on a marker", text, 12),
            "colour": _rgb(whole.get("color", "white"), raw),
            "text_colour": _rgb(whole.get("labelColor"), raw),
            "picture": "" if label else picture,
        }
        comments.name_unread(whole, _LOOKS, _NAMES)
        marker = comments.comment | filled(marker)
        alike = next(
            (other for other in markers.values() if other | {"count": 0} == marker | {"count": 0}),
            None,
        )
        if alike is None:
            markers[unused(safe_id(name).lower().strip("+._-") or "marker", markers)] = marker
        else:
            alike["count"] += count
    return dict(mapping.losses.comments("markers").fit("markers", [*markers.items()], 40))


# Icon of a train, which is the default picture of a marker without letters.
_ENGINE = "train"

# Companies, trains, phases and market

_PRIVATE = "#e9d8a6"
_PLAIN = "#808080"
_UNLIMITED = 6
# Maximum train limit in the format.
_MOST_TRAINS = 20
_MOST_ROUNDS = 10
ARROWS = {way: way for way in ("up", "down", "left", "right")} | {
    "upLeft": "up-left", "upRight": "up-right", "downLeft": "down-left", "downRight": "down-right"
}  # fmt: skip
_COLOURS = ("yellow", "green", "brown", "gray")
# Fields that only affect how the card of a private company is drawn.
_DRAWN = (
    "image",
    "icon",
    "tile",
    "hex",
    "token",
    "idBackgroundColor",
    "backgroundColor",
    "iconColor",
)
_OF_A_ROUNDEL = ("logo", "token", "subtext", "color")


class Mapping(Struct, kw_only=True):
    """A game file being converted to a definition. `named` and `held` are companies and private
    companies by what the map calls them; their values are ids of `companies` and `privates`."""

    raw: Json
    losses: Losses = field(default_factory=Losses)
    pictures: Pictures = field(default_factory=Pictures)
    companies: Json = {}
    privates: Json = {}
    named: dict[str, str] = {}
    held: dict[str, str] = {}
    places: dict[str, str] = {}


def colours_of(raw: Json) -> dict[str, str]:
    """Return the colours that a game names, including those in groups."""
    named: dict[str, str] = {}
    waiting = [raw.get("colors") or {}]
    while waiting:
        for name, colour in waiting.pop(0).items():
            if isinstance(colour, dict):
                waiting.append(colour)
            elif isinstance(colour, str):
                named.setdefault(name, colour)
    return named


def _rgb(name: Any, raw: Json) -> str | None:
    return rgb(colours_of(raw).get(str(name), name)) or rgb(name)


def _places(raw: Json) -> dict[str, str]:
    """Return the coordinates of the hexes of all maps, by coordinates and by name."""
    places: dict[str, str] = {}
    for board in several(raw.get("map") or None):
        for entry in board.get("hexes") or ():
            printed = list(entry.get("hexes") or ())
            places |= dict(zip(printed, printed, strict=True))
            names = list(entry.get("names") or ())
            for key in ("cities", "towns", "centerTowns"):
                names += [stop.get("name") for stop in entry.get(key) or ()]
            words = [_word(name, "name") for name in names]
            places |= {word: printed[0] for word in words if word and len(printed) == 1}
    return places


def read_companies(mapping: Mapping) -> None:
    """Read companies and private companies into the mapping."""
    mapping.places = _places(mapping.raw)
    for entry in mapping.raw.get("companies") or ():
        company_id = unused(safe_id(entry.get("abbrev") or entry.get("name")), mapping.companies)
        mapping.named.setdefault(line_of(entry, "abbrev"), company_id)
        mapping.companies[company_id] = _company(mapping, entry, company_id)
    for index, entry in enumerate(mapping.raw.get("privates") or (), 1):
        label = one_line(entry.get("sym") or entry.get("id")) or f"P{index}"
        company_id = unused(safe_id(label), mapping.privates, "-p")
        mapping.held.setdefault(label, company_id)
        mapping.privates[company_id] = _private(mapping, entry, company_id, label)


def _listed(raw: Json, kinds: str, given: Any) -> list[Any]:
    """Return a list that is given as it is or by its name in the game; without either, the game's
    default list."""
    named = raw.get(kinds) or {}
    if isinstance(given, list):
        return given
    return list(named.get(str(given or "default")) or ())


def _company(mapping: Mapping, entry: Json, company_id: str) -> Json:
    raw, comments = mapping.raw, mapping.losses.comments(company_id)
    colour = _rgb(entry.get("color"), raw)
    if colour is None:
        comments.lose("colour of a company", line_of(entry, "color"))
    kind = "minor" if entry.get("minor") else "major"
    label = line_of(entry, "abbrev")
    usual = "minor" if entry.get("minor") else "default"
    shares = _listed(raw, "shareTypes", entry.get("shares", entry.get("shareType", usual)))
    certificates = _certificates(shares, comments)
    tokens = _listed(raw, "tokenTypes", entry.get("tokens", entry.get("tokenType", usual)))
    homes = [mapping.places.get(_word(token, "label")) for token in tokens]
    prices = [
        0 if home else _price(token, comments) for token, home in zip(tokens, homes, strict=True)
    ]
    stations = [_number_in(price) if isinstance(price, str) else price for price in prices]
    placed = [{"hex": home} for home in dict.fromkeys(filter(None, homes))]
    company = {
        "name": line_of(entry, "name") or company_id,
        "kind": kind,
        "colour": colour or _PLAIN,
        **token_text(label, company_id),
        **filled({"certificates": certificates}),
        "stations": comments.fit("stations", stations, 30),
    }
    has_words = any(isinstance(price, str) for price in prices)
    percent = number(raw.get("floatPercent"), 1, 100)
    logo = line_of(entry, "logo")
    picture = mapping.pictures.find("logos", logo) if logo else None
    if logo and picture is None:
        comments.lose("logo", logo)
    drawn = entry.get("token") or {}
    division = next((ours for key, ours in _DIVISIONS.items() if drawn.get(key)), None)
    company |= filled(
        {
            "token_places": prices[:30] if has_words else None,
            "homes": placed,
            "all_homes": len(placed) > 1 or None,
            "float_percent": percent if certificates else None,
            "logo": picture,
            "second_name": line_of(entry, "subtext"),
            "abilities": [*filter(None, [line_of(entry, "description")])],
            "roundel": division and {"division": division},
        }
    )
    if drawn and division is None:
        comments.lose("drawing of a token", in_json(drawn))
    counted = {name: value for name, value in entry.items() if name not in _OF_A_ROUNDEL}
    counted["shares"] = [share.get("percent") for share in shares]
    comments.name_unread(entry, _LOOKS, _NAMES)
    comments.account("companies", counted, {company_id: company})
    return comments.comment | company


# Divisions of a roundel, by 18xx-maker's drawings of tokens.
_DIVISIONS = {"bar": "fess", "stripes": "paly", "stripe": "bend", "curvedStripes": "barry-wavy", "quarters": "quarterly",
              "halves": "per-pale", "square": "lozenge", "target": "roundels"}  # fmt: skip


def _certificates(shares: list[Any], comments: Comments) -> list[Json]:
    counts: dict[float, int] = {}
    director = None
    for share in shares:
        label, given = str(share.get("label")), share.get("percent")
        match = re.match(r"[0-9]{1,9}(\.[0-9]+)?", str(given or ""))
        percent, count = whole(float(match[0])) if match else 0, int(share.get("quantity") or 0)
        if not 1 <= percent <= 100 or share.get("variant"):
            words = one_line(share.get("label") or share.get("subtext"))
            comments.lose("certificate without a percentage", words)
            continue
        if not isinstance(given, (int, float)):
            comments.lose("percentage that changes", str(given))
        is_named = re.search("(?i)president|director", label)
        if director is None and count and (not counts or is_named):
            director, count = percent, count - 1
        if count:
            counts[percent] = counts.get(percent, 0) + count
    if director is None:
        return []
    rest = [
        filled({"percent": percent, "count": count if count > 1 else None})
        for percent, count in counts.items()
    ]
    certificates = [{"percent": director, "director": True}, *rest]
    return comments.fit("kinds of certificate", certificates, 30)


def _word(value: Any, key: str) -> str:
    """Return a word that is given as it is, or under a key."""
    return one_line(value.get(key) if isinstance(value, dict) else value)


def _price(token: Any, comments: Comments) -> int | str | None:
    """Return the price of a station; its text if that is more than a price; None if there is
    neither."""
    words = _word(token, "label")
    if re.fullmatch(r"\D?[0-9]{1,9}", words):
        return _number_in(words)
    if words in ("Free", "Home", "free", "home"):
        return 0
    return comments.fit("letters on a place for a station", words, 16) or None


def _number_in(words: str) -> int | None:
    number = re.search("[0-9]{1,9}", words)
    return int(number[0]) if number else None


def _private(mapping: Mapping, entry: Json, company_id: str, label: str) -> Json:
    raw, comments = mapping.raw, mapping.losses.comments(company_id)
    company: Json = {
        "name": line_of(entry, "name") or company_id,
        "kind": "private",
        "colour": _rgb(entry.get("idBackgroundColor"), raw) or _PRIVATE,
        **token_text(label, company_id),
    }
    texts = [line_of(entry, "description"), line_of(entry, "note")]
    for key, name in (("price", "value"), ("revenue", "income")):
        given = entry.get(key)
        amounts = [_number_in(str(amount)) for amount in several(given)]
        if name == "income" and 1 < len(amounts) <= len(_COLOURS) and None not in amounts:
            company[name] = dict(zip(_COLOURS, amounts, strict=False))
            comments.losses.assume(
                "Several revenues of a private company were taken to begin with yellow, green ..."
            )
            continue
        amount = _amount(given)
        if amount is not None:
            company[name] = amount
        elif given is not None:
            comments.lose(f"{key} that is no single number", one_line(given))
            texts.append(f"{spoken(key)}: {one_line(given)}.")
    bid = entry.get("bid")
    if isinstance(bid, int) and bid != company.get("value"):
        company["discount"] = company.get("value", 0) - bid
    least = entry.get("minPlayers")
    share = line_of(entry, "company")
    company |= filled(
        {
            "min_players": number(least, 2, 20) if isinstance(least, int) else None,
            "shows": _shows(mapping, entry, comments),
            "abilities": [*filter(None, texts)],
            "share_of": mapping.named.get(share),
        }
    )
    if share and share not in mapping.named:
        comments.lose("share that a private company comes with", share)
    counted = {
        name: value
        for name, value in entry.items()
        if name not in _DRAWN and not name.endswith("FontSize")
    }
    comments.name_unread(entry, (*_LOOKS, "token"), _NAMES)  # the token is read as a marker
    comments.account(
        "privates", counted, [company_id, label, company, bid if "discount" in company else None]
    )
    return comments.comment | company


def _shows(mapping: Mapping, entry: Json, comments: Comments) -> str | None:
    """Return the tile, hex or picture on the card of a private company, the first of them that
    exists; None if none does."""
    places = []
    for key in ("tile", "hex", "icon", "image"):
        name = line_of(entry, key)
        kind = key if key in ("tile", "hex") else "picture"
        if kind == "tile":
            shown = safe_id(name) if name in (mapping.raw.get("tiles") or {}) else None
        elif kind == "hex":
            shown = name if mapping.places.get(name) == name else None
        else:
            shown = name and (mapping.pictures.find("icons", name) or ICONS.get(name))
        if shown:
            places.append(f"{kind}:{shown}")
        elif name:
            comments.lose(f"{kind} on a card", name)
    return places[0] if places else None


def trains_block(raw: Json, losses: Losses) -> Json:
    """Return the block `trains`, without the phases that they begin."""
    trains: Json = {}
    names = {line_of(entry, "name") for entry in raw.get("trains") or ()}
    ends = names | {_phase_name(phase) for phase in raw.get("phases") or ()}
    rusting: dict[str, list[str]] = {}
    for phase in raw.get("phases") or ():
        for words in list_of(phase, "rust"):
            for old in re.split(r"\s*[/,]\s*", one_line(words)):
                rusting.setdefault(old, []).append(_phase_name(phase))
                if old not in names:
                    losses.lose(f"train {old} that rusts", f"phase {_phase_name(phase)}")
    for entry in raw.get("trains") or ():
        name = line_of(entry, "name")
        comments = losses.comments(f"train {name}")
        train = _train(entry, name, (names, ends), rusting.get(name, []), comments)
        counted = {
            key: value for key, value in entry.items() if key not in ("discount", "image", "color")
        }
        counted["discount"] = {
            old: off for old, off in (entry.get("discount") or {}).items() if old not in names
        }
        comments.name_unread(entry, _LOOKS, _NAMES)
        comments.account("trains", counted, train)
        trains[unused(safe_id(name), trains)] = comments.comment | train
    return trains


# Parts of notes in older files: "Rusted by 4. Skips towns", "Permanent, can't be sold".
_ENDED = re.compile(r"(?i)(rust|obsolete)\w*\s+(?:by|on|with)\s+([^.,;]+)[.,;\s]*")
_LASTS = re.compile(r"(?i)permanent\b[.,;\s]*")


def _train(
    entry: Json, name: str, known: tuple[set[str], set[str]], rusting: list[str], comments: Comments
) -> Json:
    """Return a train. `known` has the names of trains and the names of whatever may end one;
    `rusting` the phases that list this train as rusting."""
    names, known_ends = known
    ids = {old: safe_id(old) for old in names}
    count = entry.get("print", entry.get("quantity"))
    train: Json = {"count": count if isinstance(count, int) else _UNLIMITED}
    if not isinstance(entry.get("quantity"), int):
        train["unlimited"] = True
    colour = tile_colour(entry.get("color"))
    if colour is not None:
        train["colour"] = colour
    else:
        comments.lose("colour of a train", line_of(entry, "color"))
    price = _amount(entry.get("price"))
    if price is None and entry.get("price") is not None:
        comments.lose("price of a train", line_of(entry, "price"))
    if price is None:
        first = re.search("[0-9]{1,9}", str(entry.get("price", "")))
        price = int(first[0]) if first else 0
    train |= {
        "name": comments.fit("letters of the name of a train", name, 12) or "?",
        "price": max(price, 0),
        "reach": _reach(name),
    }
    if "pullman" in f"{name} {entry.get('image')}".lower():
        train["reach"] = [{"stops": ["city", "town", "offboard"], "visit": 1, "pay": 1}]
        comments.losses.assume(
            "Pullman cars were taken to add one stop to the run of another train."
        )
    if in_hexes := counts_hexes(name):
        train["hexes"] = in_hexes
    infos = [_word(info, "note") for info in list_of(entry, "info")]
    noted = [(kind.lower(), end.strip()) for info in infos for kind, end in _ENDED.findall(info)]
    for given, ended in (
        (entry.get("rust"), "rusts_on"),
        (entry.get("obsolete"), "obsolete_on"),
        (entry.get("phased"), "obsolete_on"),
        ([end for kind, end in noted if kind == "rust"], "rusts_on"),
        ([end for kind, end in noted if kind == "obsolete"], "obsolete_on"),
        (rusting, "rusts_on"),
    ):
        ends = [safe_id(end) for end in _ends(given, comments) if end in known_ends]
        if ends:
            train[ended] = comments.fit(
                "trains that end another", list(dict.fromkeys([*train.get(ended, ()), *ends])), 8
            )
        elif given:
            comments.lose("train that ends another", one_line(given))
    if "rusts_on" not in train and "obsolete_on" not in train:
        train["permanent"] = True
    more = {
        "trade_ins": trade_ins(entry.get("discount"), ids, train["price"], comments),
        "note": " ".join(
            filter(
                None,
                [
                    line_of(entry, "description"),
                    *(_LASTS.sub("", _ENDED.sub("", info)) for info in infos),
                ],
            )
        ),
    }
    train |= filled(more)
    if entry.get("image"):
        comments.lose("image of a train", one_line(entry["image"]))
    return train


def _ends(given: Any, comments: Comments) -> list[str]:
    ends = []
    for end in several(given or None):
        if isinstance(end, dict):
            ends.append(line_of(end, "on"))
            if end.get("index"):
                comments.lose(
                    "train that ends another only later", f"{end.get('on')}, card {end['index']}"
                )
        else:
            ends += map(one_line, str(end).split("/"))
    return ends


def _reach(name: str) -> list[Json]:
    """Return the reach of a train, from its name: 3, 3+1, 5E (skips towns), 4H (stops are not
    counted), D."""
    match = re.match(r"([0-9]{1,2})(?:\+([0-9]{1,2}))?", name)
    if match is None or counts_hexes(name):
        return [{"stops": ["city", "town", "offboard"], "visit": None, "pay": None}]
    far = int(match[1])
    if re.fullmatch("[0-9]{1,2}E", name):
        return [
            {"stops": ["city", "offboard"], "visit": far, "pay": far},
            {"stops": ["town"], "visit": None, "pay": 0},
        ]
    if match[2] is None:
        return [{"stops": ["city", "town", "offboard"], "visit": far, "pay": far}]
    near = int(match[2])
    return [
        {"stops": ["city", "offboard"], "visit": far, "pay": far},
        {"stops": ["town"], "visit": near, "pay": near},
    ]


def _merged(entries: Iterable[Json]) -> list[tuple[Json, Json | None]]:
    """Return phases, each with the phase of minor companies or None: a game may list theirs
    separately, under the same names."""
    listed = list(entries)
    small = {_phase_name(phase): phase for phase in listed if phase.get("minor")}
    large = {_phase_name(phase): phase for phase in listed if not phase.get("minor")}
    if not small or not large or len(small) + len(large) < len(listed):
        return [(entry, entry if entry.get("minor") else None) for entry in listed]
    order, names = list(large), list(small)
    for at, name in enumerate(names):
        if name not in order:
            following = next((later for later in names[at + 1 :] if later in order), None)
            order.insert(len(order) if following is None else order.index(following), name)
    return [(large.get(name) or small[name], small.get(name)) for name in order]


def _phase_name(entry: Json) -> str:
    return next(filter(None, (line_of(entry, key) for key in ("name", "phase", "train"))), "")


def phases_block(raw: Json, losses: Losses, trains: Json) -> Json:
    """Return the block `phases`. Tiles of a colour may be laid from the phase of that colour on."""
    phases: Json = {}
    by_name = {line_of(train, "name"): train for train in raw.get("trains") or ()}
    kinds = (
        {"minor": "minor"}
        if any(company.get("minor") for company in raw.get("companies") or ())
        else {}
    )
    majors = any(not company.get("minor") for company in raw.get("companies") or ())
    reached = 0
    for entry, small in _merged(raw.get("phases") or ()):
        label = _phase_name(entry)
        phase_id = unused(safe_id(label), phases)
        comments = losses.comments(f"phase {label}")
        colour = _colour_of_phase(entry)
        if colour in _COLOURS:
            reached = max(reached, _COLOURS.index(str(colour)))
        else:
            comments.lose("colour of tiles in a phase", line_of(entry, "tiles"))
        begins = [
            safe_id(end) for end in _ends(entry.get("on") or entry.get("train") or label, comments)
        ]
        known = [begin for begin in begins if begin in trains]
        known = comments.fit("trains that begin a phase", list(dict.fromkeys(known)), 8)
        limit = re.findall("[0-9]{1,9}", str(entry.get("limit")))
        limits = {"major": int(limit[0])} if limit and majors else {}
        least = re.findall("[0-9]{1,9}", str((small or entry).get("limit")))
        if entry is small:
            limits = {}
        if least and (kinds or small):
            limits["minor"] = int(least[-1])
        events = [spoken(name) for name, on in (entry.get("events") or {}).items() if on]
        listed = [entry] if small in (None, entry) else [entry, small]
        events += [one_line(note) for part in listed for note in list_of(part, "notes")]
        rounds = number(entry.get("rounds"), 0, _MOST_ROUNDS)
        if rounds is None and entry.get("rounds") is not None:
            comments.lose(
                f"operating rounds that are no number to {_MOST_ROUNDS}", one_line(entry["rounds"])
            )
        texts = [event for event in events if event]
        of_train = by_name.get(label, Entry({}))
        statuses = ["can_buy_companies"] if entry.get("buy_companies") else []
        counted = []
        for part in listed:
            again = [
                key
                for key, own in (("number", "quantity"), ("price", "price"))
                if key in part and str(part[key]) == str(of_train.get(own))
            ]
            # The cards of the trains that a phase rusts already say so.
            aside = (*again, "rust")
            counted.append({key: value for key, value in part.items() if key not in aside})
            statuses += [
                f"{spoken(key)} of trains: {one_line(part[key])}"
                for key in ("number", "price")
                if key in part and key not in again
            ]
        phase = {
            "on": None if not phases or not known else single(known),
            "train_limits": {who: count for who, count in limits.items() if count <= _MOST_TRAINS},
            "tiles": list(_COLOURS[: reached + 1]),
            "operating_rounds": rounds or 0,
        } | filled(
            {
                "begins": f"Train {', '.join(begins)}"
                if phases and not known and any(begins)
                else None,
                "status": list(dict.fromkeys(statuses)),
                "events": comments.fit("events of a phase", texts, 20),
            }
        )
        comments.name_unread([entry, small], _LOOKS, _NAMES)
        comments.account("phases", counted, {phase_id: phase})
        phases[phase_id] = comments.comment | phase
    return phases


def worth_of(value: Any) -> list[Any]:
    """Return the game's numbers in what is drawn: values, costs, and plain items of lists."""
    if isinstance(value, dict):
        own = [
            entry
            for key, entry in value.items()
            if key in ("value", "cost") and not isinstance(entry, (dict, list))
        ]
        return own + [number for entry in value.values() for number in worth_of(entry)]
    if isinstance(value, list):
        plain = [entry for entry in value if not isinstance(entry, (dict, list))]
        return plain + [number for entry in value for number in worth_of(entry)]
    return []


def market_block(raw: Json, losses: Losses) -> Json | None:
    """Return the block `market`; None if there is no market."""
    stock = raw.get("stock")
    if not stock or not stock.get("market"):
        return None
    comments = losses.comments("market")
    given = stock["market"]
    zones: Json = {}
    starts = set()
    # If spaces are marked as start prices themselves, the list is only for the par chart.
    for value in (stock.get("par") or {}).get("values") or ():
        amount = _amount(
            value.get("value", value.get("label")) if isinstance(value, dict) else value
        )
        if amount is None:
            comments.lose("start price", in_json(value))
        elif '"par"' not in json.dumps(given):
            starts.add(amount)
    lists = [row for row in given if isinstance(row, list)] or [given]
    rows = [[_space(cell, zones, raw, comments, starts=starts) for cell in row] for row in lists]
    rows = market_rows(rows, comments)
    if not rows:
        return None
    display = stock.get("display") or {}
    boards = [
        board
        for key, board in (("roundTracker", "round-track"), ("par", "par-chart"))
        if display.get(key) and (board != "round-track" or rounds(raw))
    ]
    comments.account("market", worth_of(given), rows)
    _put_ledges(stock.get("ledges"), rows, comments)
    market: Json = {"shape": "line" if len(rows) == 1 else "grid", "rows": rows}
    if not any(zone.get("par") for zone in zones.values()):
        boards = [board for board in boards if board != "par-chart"]
    moves = [
        f"{way.capitalize()}: {one_line(why)}"
        for way, whys in (stock.get("movement") or {}).items()
        for why in whys or ()
    ]
    notes = [
        f"{one_line(limit.get('description'))}: "
        + " to ".join(str(limit[key]) for key in ("value", "min", "max") if key in limit)
        for limit in list_of(stock, "limits")
    ] + [
        f"{one_line(pool.get('name')) or 'Pool'}: {one_line(note.get('note'))}"
        for pool in list_of(raw, "pools")
        for note in list_of(pool, "notes")
    ]
    market |= filled(
        {
            "boards": boards,
            "zones": zones,
            "movement": comments.fit("lines about moves on the market", moves, 12),
            "notes": comments.fit("notes on the market", [*filter(None, notes)], 12),
        }
    )
    comments.name_unread([stock, raw.get("pools")], (*_LOOKS, "icon"), _NAMES)
    return comments.comment | market


def _put_ledges(ledges: Any, rows: list[list[Any]], comments: Comments) -> None:
    """Put the ledges of the market, which are lines along the spaces from corner to corner, on the
    spaces themselves."""
    for ledge in several(ledges):
        corners = [
            tuple(map(int, re.findall(r"\d+", str(corner)))) for corner in ledge.get("coords") or ()
        ]
        for (x, y), (right, foot) in pairwise(corners):
            upright = x == right
            for step in range(*sorted((y, foot) if upright else (x, right))):
                row, column, sides = (
                    (step, x, ("left", "right")) if upright else (y, step, ("up", "down"))
                )
                before = (row, column - 1) if upright else (row - 1, column)
                for (line, place), side in zip(((row, column), before), sides, strict=True):
                    cell = (
                        rows[line][place]
                        if 0 <= line < len(rows) and 0 <= place < len(rows[line])
                        else None
                    )
                    if cell is None:
                        continue
                    if isinstance(cell, str):
                        price = cell.rstrip(ascii_letters)
                        zones = [*cell.removeprefix(price)]
                        cell = rows[line][place] = {"price": int(price), "zones": zones}
                    cell["ledge"] = list(dict.fromkeys((*cell.get("ledge", ()), side)))
                    break
                else:
                    comments.lose("ledge between no spaces", f"{x} {y}")


def _space(cell: Any, zones: Json, raw: Json, comments: Comments, *, starts: set[int]) -> Any:
    if cell is None:
        return None
    legend = raw["stock"].get("legend") or []
    whole = cell if isinstance(cell, dict) else {"value": cell}
    words = one_line(whole.get("value", whole.get("label")))
    below = one_line(whole.get("subLabel") or whole.get("sublabel"))
    words = words or below
    price = re.match(r"[0-9]{1,5}", words)
    arrow = ARROWS.get(str(whole.get("arrow")))
    if price is None and not words:
        return None
    letters = ""
    if price is not None and (whole.get("par") or int(price[0]) in starts):
        zones.setdefault("p", {"name": "Start price", "colour": "#e8a9a0", "par": True})
        letters += "p"
    number = whole.get("legend")
    if isinstance(number, int) and 0 <= number < len(legend) and number < 15:
        letter = chr(ord("a") + number)
        entry = legend[number]
        colour = _rgb(entry.get("color"), raw) or "#e4e4e4"
        zones.setdefault(
            letter,
            {"name": line_of(entry, "description") or f"Zone {number + 1}", "colour": colour},
        )
        letters += letter
    elif whole.get("color"):
        name = spoken(whole["color"])
        colour = _rgb(whole["color"], raw) or "#e4e4e4"
        known = [
            letter for letter, zone in zones.items() if zone == {"name": name, "colour": colour}
        ]
        letter = next(iter(known), None) or next(
            sign for sign in "qrstuvwxyzABCDEFGHIJ" if sign not in zones
        )
        zones.setdefault(letter, {"name": name, "colour": colour})
        letters += letter
    text = words if price is None else f"{price[0]} {below}" if below else ""
    if text:
        text = comments.fit("letters on a space of the market", text, 20)
    if price is not None and not text and not arrow:
        return price[0] + letters
    more = {"zones": list(letters), "text": text, "arrow": arrow}
    return {"price": int(price[0]) if price else 0} | {
        key: value for key, value in more.items() if value
    }


# Tiles and map hexes
#
# 18xx-maker draws curves, and places stops by angle and distance, without saying which stop a curve
# leads to. A curve is taken to lead to a stop on it or at its end. Lengths are in apothems; angles
# run clockwise from side 1.


# Maximum distance between a stop and a curve through it.
_NEAR = 0.24
# Maximum distance if no other track leads to the stop.
_FAR = 0.75
# Apothem of a hex in the units of paths, whose y axis points to side 1. Paths that a game draws
# itself run slightly beyond it and are measured by the second value.
_INNER = 75.0
_APOTHEM = 85.0
_LONGEST = 400
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,20})?")
_ABSOLUTE = re.compile(r"[mM][-0-9., ]*(?:[LCQA][-0-9., ]*)+")
# Maximum distance beyond the drawn end of a curve at which the curve still leads to a stop, as a
# share of the whole curve.
_BEYOND = 0.15
# Minimum distance from the centre of a point on an edge.
_RIM = 0.8
_STEPS = 24
_TURNS = {"sharp": 1, "gentle": 2, "straight": 3, "bent": 3}
_LEVELS = {"under": -1, "bottom": -1, "over": 1, "top": 1}
GAUGES = {"narrow": "narrow", "dual": "dual", "double": "dual", "dashed": "ferry", "line": "line"}
# Ends at stops of track from side 1, in the units of paths.
_STOPPING = {
    "stop": (0.0, 37.5), "straightStop": (0.0, -37.5), "gentleStop": (-38.05, -16.86), "gentleStopRev": (38.05, -16.86),
    "sharpStop": (-21.65, 37.5), "sharpStopRev": (21.65, 37.5),
}  # fmt: skip


class Spot(Struct, frozen=True, kw_only=True):
    """Position of a stop, with the stop's name in track. `offboard` stops are the ends of off-board
    track."""

    name: str
    at: complex
    offboard: bool = False


def place(raw: Json, turn: int = 0) -> complex:
    """Return the point of something that has an angle or a side, and a distance from the centre.
    Angles are measured from the bottom of the sheet, also on a pointy map (`turn` 1), where side
    1 is at the left."""
    angle, side = raw.get("angle"), raw.get("side", 1)
    edge = side - 1 if angle is None else (angle - 90 * turn) / 60
    return edge_point(edge) * float(raw.get("percent") or 0)


def _edge(point: complex) -> int | None:
    """Return the edge whose middle is at a point; None for points elsewhere."""
    towards = cmath.phase(point / 1j) / (math.pi / 3)
    near_edge = abs(point) > _RIM and abs(towards - round(towards)) < _NEAR
    return round(towards) % 6 if near_edge else None


def segments(track: list[Json], spots: list[Spot]) -> tuple[list[list[Any]], list[str]]:
    """Return segments between edges, stops and the junction, and words for the track that could not
    be read."""
    inward = []
    lost = []
    loose = []
    curves = []
    # Where two pieces of track cross, the later one passes over the other.
    for segment in sorted(track, key=lambda each: _LEVELS.get(str(each.get("cross")), 0)):
        kind = segment.get("type")
        side = int(segment.get("side", 1)) - 1
        if segment.get("hidden"):
            continue
        if segment.get("color") == "water":
            lost.append("line drawn on a hex")
        elif kind == "custom":
            ends = _ends_of_path(segment, side, spots)
            if ends is None:
                lost.append("custom track")
            else:
                inward.append(_with(ends, segment))
        elif kind in _STOPPING and spots:
            end = _nearest(_seen_from(side, *_STOPPING[kind], _INNER), spots)
            inward.append(_with([side, end], segment))
        elif kind == "stub":
            continue
        elif kind in _STOPPING:
            lost.append(f"{kind} track")
        elif kind == "mid":
            ends = [_nearest(at, spots, _NEAR) for at in (0j, edge_point(side) / 2)]
            if ends[0] != ends[1]:
                inward.append(_with(ends, segment))
        elif kind in _TURNS:
            curves.append((side, segment))
        else:
            loose.append((side, segment))
    inward += _inward(loose, spots, lost)
    passed = []
    for side, arc in curves:
        near = [(spot.name, *_closest(side, arc, spot.at)) for spot in spots]
        passed.append([(step, name) for name, apart, step in near if apart <= _NEAR])
    reached = {end for segment in inward for end in segment[:2]}
    reached |= {name for stops in passed for _, name in stops}
    for spot in spots if curves else ():
        if spot.name not in reached:
            apart, step, curve = min(
                (*_closest(side, raw, spot.at), number) for number, (side, raw) in enumerate(curves)
            )
            free = [stops for stops in passed if not stops]
            if apart <= _FAR:
                passed[curve].append((step, spot.name))
            elif free:
                free[0].append((0.5, spot.name))
    curved = [
        segment
        for (side, arc), stops in zip(curves, passed, strict=True)
        for segment in _curve(side, arc, spots, stops)
    ]
    by_ends: dict[str, list[Any]] = {}
    for piece in (*curved, *inward):
        by_ends.setdefault(repr((sorted(map(str, piece[:2])), piece[2:])), piece)
    return list(by_ends.values()), lost


def _ends_of_path(segment: Json, side: int, spots: list[Spot]) -> list[Any] | None:
    """Return the ends of a path that the game draws itself: the edges at which it begins or ends,
    otherwise the nearest stops. None if its ends are not given as coordinates, or if both ends
    are the same."""
    path = str(segment.get("path") or "")
    numbers = [float(number) for number in _NUMBER.findall(path)] if len(path) <= _LONGEST else []
    if not _ABSOLUTE.fullmatch(path) or len(numbers) < 4:
        return None
    ends = []
    for x, y in (numbers[:2], numbers[-2:]):
        point = _seen_from(side, x, y, _APOTHEM)
        edge = _edge(point)
        if edge is None and not spots:
            return None
        ends.append(_nearest(point, spots) if edge is None else edge)
    return ends if ends[0] != ends[1] else None


def _inward(loose: list[tuple[int, Json]], spots: list[Spot], lost: list[str]) -> list[list[Any]]:
    """Return track that leads inwards from an edge: to a stop in the middle, otherwise to the stop
    nearest to the edge, otherwise to a junction."""
    inward = []
    for side, segment in loose:
        offboard = segment.get("type") == "offboard"
        if not spots and offboard:
            lost.append("track to no off-board")
            continue
        if not spots and len(loose) < 2:
            lost.append("track that ends inside a hex")
        wanted = [spot for spot in spots if spot.offboard == offboard] or spots
        central = [spot for spot in wanted if abs(spot.at) < _NEAR]
        nearest = central if len(central) == 1 else wanted
        end = _nearest(edge_point(side), nearest)
        inward.append(_with([side, end], segment))
    return inward


def _closest(side: int, raw: Json, spot: complex) -> tuple[float, float]:
    """Return the distance of a point from the drawn part of a curve, and the position along the
    curve, from 0 to 1."""
    first, last = _drawn_part(raw)
    steps = [step / _STEPS for step in range(_STEPS + 1)]
    return min(
        (round(abs(_at(raw["type"], side, step) - spot), 9), step)
        for step in steps
        if first - _BEYOND <= step <= last + _BEYOND
    )


def _drawn_part(raw: Json) -> tuple[float, float]:
    """Return the start and end of the drawn part of a curve, each from 0 to 1."""
    first, last = float(raw.get("start") or 0), float(raw.get("end") or 1)
    return (first, last) if 0 <= first < last <= 1 else (0.0, 1.0)


def _curve(
    side: int, raw: Json, spots: list[Spot], passed: list[tuple[float, str]]
) -> list[list[Any]]:
    """Return a curve between two edges, cut at the stops on it. A curve that ends before the other
    edge leads to the nearest stop."""
    kind = raw["type"]
    first, last = _drawn_part(raw)
    ends: list[Any] = [name for _, name in sorted(passed)]
    if first == 0:
        ends.insert(0, side)
    elif not passed:
        ends.insert(0, _nearest(_at(kind, side, first), spots))
    if last == 1:
        ends.append((side + _TURNS[kind]) % 6)
    elif not passed:
        ends.append(_nearest(_at(kind, side, last), spots))
    return [_with([a, b], raw) for a, b in pairwise(ends) if a != b]


def _nearest(at: complex, spots: list[Spot], most: float = math.inf) -> str:
    """Return the stop nearest to a point, at a distance of at most `most`; otherwise the
    junction."""
    far = [round(abs(spot.at - at), 6) for spot in spots]
    return spots[far.index(min(far))].name if spots and min(far) <= most else "junction"


def _seen_from(side: int, x: float, y: float, apothem: float) -> complex:
    """Return a point of a path in apothems from the centre; the y axis of the path points to a
    side."""
    return complex(x, y) / apothem * edge_point(side) / 1j


def _at(kind: str, side: int, part: float) -> complex:
    """Return a point of a curve that starts at a side; `part` is from 0 (there) to 1 (the other
    end)."""
    if kind != "bent":
        return along(side, side + _TURNS[kind], part)
    # Two halves, each a cubic Bézier curve that ends near the centre.
    half = abs(2 * part - 1)
    steps = (1j, 1.2j, 1.6 + 1.6j, 8 / 15)
    at = sum(half ** (3 - k) * (1 - half) ** k * step for k, step in enumerate(steps))
    return _seen_from(side, at.real, at.imag if part < 0.5 else -at.imag, 1)


def _with(ends: list[Any], raw: Json) -> list[Any]:
    if isinstance(ends[1], int) and not isinstance(ends[0], int):
        ends = ends[::-1]
    gauge = GAUGES.get(raw.get("gauge") or "")
    return [*ends, {"gauge": gauge}] if gauge else ends


COLOURS = {
    "plain": "white",
    "land": "white",
    "offboard": "red",
    "water": "blue",
    "grey": "gray",
    "white": "white",
}
STOPS = {
    "cities": "city", "towns": "town", "centerTowns": "town", "mediumCities": "town", "boomtowns": "town",
}  # fmt: skip
# Kinds that are replaced by the nearest one, and counted as lost.
NEAR_STOPS = {"mediumCities": "medium city"}
TERRAIN = {
    "mountain": "mountain", "hill": "hill", "river": "river", "water": "water", "lake": "lake", "swamp": "marsh",
    "marsh": "marsh", "desert": "desert", "forest": "forest", "tree": "forest", "stream": "river", "cactus": "desert",
}  # fmt: skip
# Kind of border that bridges and tunnels cross, or of terrain if they are within the hex.
CROSSINGS = {"bridges": "river", "tunnels": "mountain"}
_KEYS = ("yellow", "green", "brown", "gray", "purple", "red", "blue")
_ORDER = (
    "name",
    "colour",
    "stops",
    "track",
    "labels",
    "icons",
    "terrain",
    "ground",
    "stripes",
    "borders",
    "stubs",
)


class Hex(Struct, kw_only=True):
    """A hex as a definition; the companies that begin at its stops, those for which it is reserved,
    and those whose destination it is. `off_the_map` is true if it has nothing but words, and no
    border."""

    definition: Json
    homes: list[tuple[str, int | None]]
    reserved: list[str]
    destinations: list[str]
    off_the_map: bool = False


def read_hex(
    raw: Json,
    comments: Comments,
    *,
    custom: Json,
    on_map: bool,
    turn: int = 0,
    pictures: Pictures | None = None,
    phases: dict[str, str] | None = None,
) -> Hex:
    """Return a tile or map hex. `custom` are colours that the game names, `phases` the latest
    colours of tiles by phase. Side 1 is edge `turn`: 0 on a flat map, 1 on a pointy one, where
    18xx-maker draws it at the left."""
    stops, spots, homes = _stops(raw, comments, turn, phases or {})
    track, lost = segments(raw.get("track") or [], spots)
    for loss in lost:
        comments.lose(loss)
    for segment in track:
        segment[:2] = [(end + turn) % 6 if isinstance(end, int) else end for end in segment[:2]]
    tile = {"stops": stops, "track": track}
    _revenues(raw, stops, spots, comments, turn=turn, on_map=on_map)
    colour = str(raw.get("color", "plain")).split("/")
    tile["colour"], ground = read_colour(colour[0], custom, comments)
    if ground is not None:
        tile["ground"] = ground
    painted = TERRAIN.get(colour[0].lower()) if ground is None else None
    if len(colour) > 1:
        tile["stripes"], _ = read_colour(colour[1], custom, comments)
    labels = [line_of(label, "label") for label in raw.get("labels") or ()]
    short = [label for label in labels if 0 < len(label) <= _MOST_OF_A_LABEL]
    tile["labels"] = comments.fit("labels", short, 10)
    tile["icons"] = _icons(raw, comments, pictures or Pictures())
    crossed, crossings = _crossings(raw, turn, comments)
    terrain = _terrain(raw, comments) + crossed
    if painted and not terrain and tile["colour"] == "white":
        terrain.append({"kinds": [painted]})
    tile["terrain"] = comments.fit("terrains", terrain, 10)
    names = [line_of(name, "name") for name in raw.get("names") or () if isinstance(name, dict)]
    names += [label for label in labels if len(label) > _MOST_OF_A_LABEL]
    named = [stop.pop("name") for stop in stops if "name" in stop]
    if named or any(names):
        # Several names of a hex are lines of a single name; names of stops are separate names.
        tile["name"] = " & ".join(dict.fromkeys(filter(None, named))) or " ".join(
            filter(None, names)
        )
    if on_map:
        borders = [*_borders(raw, turn, custom, comments), *crossings]
        tile["borders"] = comments.fit("borders", borders, 12)
        stubs = [each for each in raw.get("track") or () if each.get("type") == "stub"]
        tile["stubs"] = sorted({(int(each.get("side", 1)) - 1 + turn) % 6 for each in stubs})
    elif crossings:
        comments.lose("bridge or tunnel at the edge of a tile")
    if tile["colour"] == "white" and on_map:
        del tile["colour"]
    reserved = _companies(raw)
    definition = {key: tile[key] for key in _ORDER if tile.get(key) not in (None, [], "")}
    destinations = []
    labelled = []
    for token in raw.get("tokens") or ():
        company = line_of(token, "company") if isinstance(token, dict) else ""
        label = _word(token, "label")
        if not company and label:
            labelled.append(label)
        elif not company:
            comments.lose("token on a hex", in_json(token))
        elif token.get("destination"):
            destinations.append(company)
        else:
            homes.append((company, None))
    labelled += [line_of(bonus, "value") for bonus in raw.get("routeBonuses") or ()]
    if labelled := [*filter(None, labelled)]:
        _put_marks(definition, labelled, comments)
    off_the_map = definition.keys() <= {"labels", "name", "borders"} and len(
        set(_open_sides(raw))
    ) == len(EDGES)
    return Hex(
        definition=definition,
        homes=homes,
        reserved=reserved,
        destinations=destinations,
        off_the_map=off_the_map,
    )


def read_colour(name: Any, custom: Json, comments: Comments) -> tuple[str, str | None]:
    """Return a colour of tiles and the colour of the ground, if any. A colour that the game mixes
    itself becomes the nearest colour of tiles, with the mixture as ground. A colour with the
    name of a terrain means a plain hex with the mixture as ground or, if the game does not mix
    it, with that terrain."""
    words = str(name)
    known = COLOURS.get(words) or tile_colour(words)
    if known is None and words.lower() in TERRAIN:
        return "white", rgb(custom.get(words))
    if known is None:
        known = next(
            (
                key
                for key in _KEYS
                if key in words.lower() or key in str(custom.get(words, "")).lower()
            ),
            None,
        )
        ground = rgb(custom.get(words, words))
        if ground is None:
            comments.lose("colour of a hex or tile", words)
        return known or "gray", ground
    return known, None


def _stops(
    raw: Json, comments: Comments, turn: int, phases: dict[str, str]
) -> tuple[list[Json], list[Spot], list[tuple[str, int | None]]]:
    stops: list[Json] = []
    spots: list[Spot] = []
    homes: list[tuple[str, int | None]] = []
    for key, kind in STOPS.items():
        for entry in raw.get(key) or ():
            if entry.get("hidden"):
                continue
            if entry.get("outside"):
                homes += [(company, None) for company in _companies(entry)]
                comments.lose("city beside the map")
                continue
            is_city = kind == "city" or (key == "boomtowns" and entry.get("city"))
            stop: Json = {"kind": "pass" if entry.get("pass") else "city" if is_city else "town"}
            if key == "boomtowns":
                stop["boom"] = True
            if key in NEAR_STOPS:
                comments.lose(NEAR_STOPS[key])
            size = re.match(r"[0-9]", str(entry.get("size", 1)))
            if is_city and size and size[0] not in "01":
                stop["slots"] = int(size[0])
            if words := _word(entry.get("name"), "name"):
                stop["name"] = words
            if entry.get("groups"):
                groups = [
                    comments.fit("letters of a group", str(group), 40) for group in entry["groups"]
                ]
                stop["groups"] = comments.fit("groups of a stop", groups, 10)
            homes += [(company, len(stops)) for company in _companies(entry)]
            spots.append(Spot(name=f"stop:{len(stops)}", at=place(entry, turn)))
            stops.append(stop)
    offboards = raw.get("offBoardRevenue") or []
    outward = any(segment.get("type") == "offboard" for segment in raw.get("track") or ())
    for entry in offboards or ([Entry({})] if outward and not stops else []):
        stop = {"kind": "offboard"}
        if words := _word(entry.get("name"), "name"):
            stop["name"] = words
        revenue = _offboard(entry, comments, phases)
        if revenue:
            stop["revenue"] = revenue
        # A single off-board fills the hex, wherever its revenues are printed.
        at = place(entry, turn) if len(offboards) > 1 else 0j
        spots.append(Spot(name=f"stop:{len(stops)}", at=at, offboard=True))
        stops.append(stop)
    return stops, spots, homes


def _companies(raw: Json) -> list[str]:
    words = (_word(company, "label") for company in raw.get("companies") or ())
    return [word for word in words if word]


def _revenues(
    raw: Json, stops: list[Json], spots: list[Spot], comments: Comments, *, turn: int, on_map: bool
) -> None:
    """Give each stop the nearest value printed on the hex; a single value applies to all stops."""
    values = []
    for value in raw.get("values") or ():
        amount = _amount(value.get("value"))
        if amount is None:
            comments.lose(_NO_VALUE, line_of(value, "value"))
        else:
            values.append((place(value, turn), amount))
    printed = bool(raw.get("offBoardRevenue"))
    for stop, spot in zip(stops, spots, strict=True):
        if stop["kind"] == "offboard" and (printed or not values):
            if not printed:
                stop["hidden"] = True
        elif values:
            stop["revenue"] = min((round(abs(at - spot.at), 6), value) for at, value in values)[1]
        elif not on_map:
            comments.lose("stop without a value")
    if values and not stops:
        comments.lose("value without a stop", ", ".join(str(amount) for _, amount in values))


def _offboard(raw: Json, comments: Comments, phases: dict[str, str]) -> Any:
    """Return revenues by colour. A revenue with a phase takes the colour of that phase's tiles; one
    in a colour that tiles do not have takes the colour after the previous one."""
    revenues = raw.get("revenues") or []
    amounts: dict[str, int] = {}
    for revenue in revenues:
        given = revenue.get("cost", revenue.get("value"))
        amount, name = _amount(given), revenue.get("color")
        if amount is None:
            comments.lose(_NO_VALUE, one_line(given))
            continue
        if name is None and len(revenues) == 1:
            return amount
        words = str(name).rpartition("_")[2]  # train_green
        key = phases.get(str(revenue.get("phase"))) or COLOURS.get(words, words)
        if key not in _KEYS or key in amounts:
            last = max(
                (_COLOURS.index(colour) for colour in amounts if colour in _COLOURS), default=-1
            )
            key = _COLOURS[last + 1] if last + 1 < len(_COLOURS) else key
            comments.losses.assume(
                "Off-board revenues in colours that no tiles have were taken to be of the next colour of tiles."
            )
        if key in _KEYS and key not in amounts:
            amounts[key] = amount
        else:
            comments.lose(f"revenue by {key}", str(amount))
    return amounts


_NO_VALUE, _NO_COST = (
    f"{what} that is no number from {LEAST_AMOUNT} to {MOST_AMOUNT}" for what in ("value", "cost")
)


def _amount(value: Any) -> int | None:
    """Return a whole number within bounds, which may have a currency sign before or after it;
    otherwise None."""
    match = re.fullmatch(r"[^\d\u2212-]{0,3}([\u2212-]?[0-9]{1,9})\D{0,3}", str(value))
    amount = int(match[1].replace("\u2212", "-")) if match else None
    return amount if amount is not None and LEAST_AMOUNT <= amount <= MOST_AMOUNT else None


_MOST_OF_A_LABEL = 8


def _icons(raw: Json, comments: Comments, pictures: Pictures) -> list[Any]:
    names = []
    for entry in raw.get("icons") or ():
        name = str(entry.get("type"))
        icon = ICONS.get(name) or pictures.find("icons", name)
        if icon is None:
            comments.lose("icon without a picture", name)
        names.append(icon or named_icon(name))
    return comments.fit("icons", names, 20)


def _terrain(raw: Json, comments: Comments) -> list[Json]:
    terrains = []
    for terrain in raw.get("terrain") or ():
        kind, cost = terrain.get("type"), _amount(terrain.get("cost", 0))
        kinds = [TERRAIN[kind]] if kind in TERRAIN else []
        if kind and kind not in TERRAIN:
            comments.lose(f"terrain {kind}")
        if cost is None:
            comments.lose(_NO_COST, line_of(terrain, "cost"))
        if kinds or cost:
            terrains.append({"kinds": kinds} | ({"cost": cost} if cost else {}))
    return terrains


def _crossings(raw: Json, turn: int, comments: Comments) -> tuple[list[Json], list[Json]]:
    """Return bridges and tunnels, which cost their amount to cross: those within the hex as
    terrain, and the others as borders."""
    terrain = []
    borders = []
    for key, kind in CROSSINGS.items():
        for entry in raw.get(key) or ():
            amount, edge = _amount(entry.get("cost", 0)), _edge(place(entry, turn))
            if amount is None:
                comments.lose(_NO_COST, line_of(entry, "cost"))
            cost = {"cost": amount} if amount else {}
            if edge is not None:
                borders.append({"edge": (edge + turn) % 6, "kind": kind} | cost)
            else:
                terrain.append({"kinds": [kind]} | cost)
    return terrain, borders


def _open_sides(raw: Json) -> Iterable[float]:
    """Return the sides without a border, counted from 1; true in the file means all sides."""
    sides = raw.get("removeBorders") or ()
    return range(1, len(EDGES) + 1) if sides is True else sides


def _borders(raw: Json, turn: int, custom: Json, comments: Comments) -> list[Json]:
    """Return borders for sides that are open to the neighbour, and for coloured lines."""
    borders = [{"edge": (int(side) - 1 + turn) % 6, "kind": "none"} for side in _open_sides(raw)]
    for entry in raw.get("borders") or ():
        side, name = entry.get("side"), str(entry.get("color"))
        colour = rgb(custom.get(name)) or rgb(name)
        if not isinstance(side, int):
            comments.lose("coloured border", one_line(entry))
            continue
        border = {"edge": (side - 1 + turn) % 6, "kind": "divider", "colour": colour}
        borders.append(filled(border))
    return borders
