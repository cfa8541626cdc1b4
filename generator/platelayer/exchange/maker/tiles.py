"""Tiles and map hexes of 18xx-maker."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from platelayer.exchange.imported.pictures import Pictures
from platelayer.exchange.losses import Comments
from platelayer.exchange.maker.track import Point, Spot, place, segments
from platelayer.exchange.names import one_line
from platelayer.exchange.tiles.colours import rgb, tile_colour
from platelayer.exchange.tiles.definitions import named_icon
from platelayer.model.hexes import EDGES

Json = dict[str, Any]

COLOURS = {"plain": "white", "offboard": "red", "water": "blue", "grey": "gray", "white": "white"}
STOPS = {
    "cities": "city", "towns": "town", "centerTowns": "town", "mediumCities": "town", "boomtowns": "town",
}  # fmt: skip
NEAR_STOPS = {"mediumCities": "medium city"}
"""Kinds that come as the nearest, and are counted as lost."""
TERRAIN = {
    "mountain": "mountain", "hill": "hill", "river": "river", "water": "water", "lake": "lake", "swamp": "marsh",
    "marsh": "marsh", "desert": "desert", "forest": "forest", "tree": "forest", "stream": "river", "cactus": "desert",
}  # fmt: skip
ICONS = {"port": "port", "anchor": "anchor", "mine": "mine", "coal": "coal", "factory": "factory", "tree": "tree",
         "star": "star", "bridge": "bridge", "tunnel": "tunnel"}  # fmt: skip
LOST = {
    "shapes": "shape drawn on a hex", "routeBonuses": "bonus for routes", "tunnels": "tunnel", "bridges": "bridge",
    "tunnelEntrances": "tunnel", "goods": "goods", "industries": "industry", "divides": "divided hex",
}  # fmt: skip
_KEYS = ("yellow", "green", "brown", "gray", "purple", "red", "blue")
_ORDER = ("name", "colour", "stops", "track", "labels", "icons", "terrain", "ground", "stripes", "borders")


class Hex(Struct, kw_only=True):
    """A hex as a definition, with the companies that begin at its stops, and those it is kept for; `off_the_map` if it
    has words at most and no border."""

    definition: Json
    homes: list[tuple[str, int | None]]
    reserved: list[str]
    off_the_map: bool = False


def read_hex(
    raw: Json,
    comments: Comments,
    *,
    custom: dict[str, Any],
    on_map: bool,
    turn: int = 0,
    pictures: Pictures | None = None,
) -> Hex:
    """A tile or map hex; `custom` are colours that the game names. Side 1 is edge `turn`: 0 on a flat map, 1 on a
    pointy one, where 18xx-maker draws it at the left."""
    stops, spots, homes = _stops(raw, comments)
    track, lost = segments(raw.get("track") or [], spots)
    for each in lost:
        comments.lose(each)
    track = [[_turned(segment[0], turn), _turned(segment[1], turn), *segment[2:]] for segment in track]
    found: Json = {"stops": stops, "track": track}
    _revenues(raw, stops, spots, comments, on_map=on_map)
    colour = str(raw.get("color", "plain")).split("/")
    found["colour"], ground = read_colour(colour[0], custom, comments)
    if ground is not None:
        found["ground"] = ground
    if len(colour) > 1:
        found["stripes"], _ = read_colour(colour[1], custom, comments)
    found["labels"] = _labels(raw, comments)
    found["icons"] = _icons(raw, comments, pictures or Pictures())
    found["terrain"] = _terrain(raw, comments)
    names = [one_line(each.get("name")) for each in raw.get("names") or () if isinstance(each, dict)]
    named = [stop.pop("name") for stop in stops if "name" in stop]
    if named or (names and on_map):
        # Names of a hex are the lines of one name; names of stops are several.
        found["name"] = " & ".join(dict.fromkeys(filter(None, named))) or " ".join(filter(None, names))
    elif names:
        comments.lose("words on a tile", ", ".join(names))
    if on_map:
        found["borders"] = _borders(raw, turn, custom, comments)
    for key, feature in LOST.items():
        if raw.get(key):
            comments.lose(feature)
    if found["colour"] == "white" and on_map:
        del found["colour"]
    reserved = [one_line(each.get("label")) for each in raw.get("companies") or () if isinstance(each, dict)]
    kept = {key: found[key] for key in _ORDER if found.get(key) not in (None, [], "")}
    homes += [
        (one_line(each["company"]), None)
        for each in raw.get("tokens") or ()
        if isinstance(each, dict) and "company" in each
    ]
    off_the_map = kept.keys() <= {"labels", "name", "borders"} and len(set(_open_sides(raw))) == len(EDGES)
    return Hex(definition=kept, homes=homes, reserved=reserved, off_the_map=off_the_map)


def read_colour(name: Any, custom: dict[str, Any], comments: Comments) -> tuple[str, str | None]:
    """A colour of tiles, and the ground it is painted in; for one that the game mixes itself the nearest, with that
    mixture as its ground."""
    words = str(name)
    known = COLOURS.get(words) or tile_colour(words)
    if known is None:
        known = next(
            (each for each in _KEYS if each in words.lower() or each in str(custom.get(words, "")).lower()), None
        )
        ground = rgb(custom.get(words, words))
        if ground is None:
            comments.lose("colour of a hex or tile", words)
        return known or "gray", ground
    return known, None


def _stops(raw: Json, comments: Comments) -> tuple[list[Json], list[Spot], list[tuple[str, int | None]]]:
    stops: list[Json] = []
    spots: list[Spot] = []
    homes: list[tuple[str, int | None]] = []
    for key, kind in STOPS.items():
        for each in raw.get(key) or ():
            if each.get("hidden"):
                continue
            if each.get("outside"):
                homes += [(_label(company), None) for company in each.get("companies") or () if _label(company)]
                comments.lose("city beside the map")
                continue
            is_city = kind == "city" or (key == "boomtowns" and each.get("city"))
            stop: Json = {"kind": "pass" if each.get("pass") else "city" if is_city else "town"}
            if key == "boomtowns":
                stop["boom"] = True
            if key in NEAR_STOPS:
                comments.lose(NEAR_STOPS[key])
            size = re.match(r"[0-9]", str(each.get("size", 1)))
            if is_city and size and size[0] not in "01":
                stop["slots"] = int(size[0])
            name = each.get("name")
            words = one_line(name.get("name") if isinstance(name, dict) else name)
            if words:
                stop["name"] = words
            if each.get("groups"):
                stop["groups"] = [str(group)[:40] for group in each["groups"]][:10]
            homes += [(_label(company), len(stops)) for company in each.get("companies") or () if _label(company)]
            stops.append(stop)
            spots.append(Spot(at=place(each)))
    offboard = raw.get("offBoardRevenue")
    outward = any(each.get("type") == "offboard" for each in raw.get("track") or ())
    if offboard or (outward and not stops):
        stop = {"kind": "offboard"} | ({} if offboard else {"hidden": True})
        name = (offboard or {}).get("name")
        words = one_line(name.get("name") if isinstance(name, dict) else name)
        if words:
            stop["name"] = words
        stops.append(stop)
        spots.append(Spot(at=(0.0, 0.0), offboard=True))
    return stops, spots, homes


def _label(company: Any) -> str:
    return one_line(company.get("label") if isinstance(company, dict) else company)


def _revenues(raw: Json, stops: list[Json], spots: list[Spot], comments: Comments, *, on_map: bool) -> None:
    """Values printed on the hex go to the nearest stop; one value holds for all."""
    values: list[tuple[Point, int]] = []
    for each in raw.get("values") or ():
        amount = _amount(each.get("value"))
        if amount is None:
            comments.lose("value that is no number", one_line(each.get("value")))
        else:
            values.append((place(each), amount))
    for stop, spot in zip(stops, spots, strict=True):
        if stop["kind"] == "offboard":
            revenue = _offboard(raw.get("offBoardRevenue"), comments)
            if revenue:
                stop["revenue"] = revenue
        elif values:
            stop["revenue"] = min(values, key=lambda value: (round(math.dist(value[0], spot.at), 6), value[1]))[1]
        elif not on_map:
            comments.lose("stop without a value")
    if values and not stops:
        comments.lose("value without a stop", ", ".join(str(amount) for _, amount in values))


def _offboard(raw: Any, comments: Comments) -> Any:
    found: dict[str, int] = {}
    for each in (raw or {}).get("revenues") or ():
        amount = _amount(each.get("cost", each.get("value")))
        key = COLOURS.get(str(each.get("color")), str(each.get("color")))
        if amount is None:
            comments.lose("value that is no number", one_line(each.get("cost", each.get("value"))))
        elif key in _KEYS and key not in found:
            found[key] = amount
        elif each.get("color") is None and len(raw["revenues"]) == 1:
            return amount
        else:
            comments.lose(f"revenue by {key}", str(amount))
    return found


def _amount(value: Any) -> int | None:
    match = re.fullmatch(r"\D{0,3}([0-9]{1,4})\D{0,3}", str(value))
    return min(int(match[1]), 2000) if match else None


def _labels(raw: Json, comments: Comments) -> list[str]:
    found: list[str] = []
    for each in raw.get("labels") or ():
        text = one_line(each.get("label"))
        if 0 < len(text) <= 8:
            found.append(text)
        elif text:
            comments.lose("label of more than 8 letters", text)
    return found[:10]


def _icons(raw: Json, comments: Comments, pictures: Pictures) -> list[Any]:
    found: list[Any] = []
    for each in raw.get("icons") or ():
        name = str(each.get("type"))
        icon = ICONS.get(name) or pictures.find("icons", name)
        if icon is None:
            comments.lose("icon without a picture", name)
        found.append(icon or named_icon(name))
    return found[:20]


def _terrain(raw: Json, comments: Comments) -> list[Json]:
    found: list[Json] = []
    for each in raw.get("terrain") or ():
        kind, cost = each.get("type"), _amount(each.get("cost", 0))
        kinds = [TERRAIN[kind]] if kind in TERRAIN else []
        if kind and kind not in TERRAIN:
            comments.lose(f"terrain {kind}")
        if cost is None:
            comments.lose("cost that is no number", one_line(each.get("cost")))
        if kinds or cost:
            found.append({"kinds": kinds} | ({"cost": cost} if cost else {}))
    return found[:10]


def _turned(end: Any, turn: int) -> Any:
    return (end + turn) % 6 if isinstance(end, int) else end


def _open_sides(raw: Json) -> Iterable[float]:
    """Sides without a border, from 1; true stands for all of them."""
    sides = raw.get("removeBorders") or ()
    return range(1, len(EDGES) + 1) if sides is True else sides


def _borders(raw: Json, turn: int, custom: dict[str, Any], comments: Comments) -> list[Json]:
    """Sides that are left open to the neighbour, and coloured lines."""
    found: list[Json] = [{"edge": (int(side) - 1 + turn) % 6, "kind": "none"} for side in _open_sides(raw)]
    for each in raw.get("borders") or ():
        side, name = each.get("side"), str(each.get("color"))
        colour = rgb(custom.get(name)) or rgb(name)
        if not isinstance(side, int):
            comments.lose("coloured border", one_line(each))
            continue
        border: Json = {"edge": (side - 1 + turn) % 6, "kind": "divider"}
        found.append(border | ({"colour": colour} if colour else {}))
    return found[:12]
