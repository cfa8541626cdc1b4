"""Tiles and map hexes of 18xx-maker."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from msgspec import Struct

from platelayer.exchange.imported import Pictures
from platelayer.exchange.losses import Comments, one_line
from platelayer.exchange.tiles.definitions import named_icon
from platelayer.exchange.tiles.strings import rgb, tile_colour
from platelayer.model.hexes import COS_30, EDGES
from platelayer.model.tile import LEAST_AMOUNT, MOST_AMOUNT

# Track of 18xx-maker, which is drawn, as what it joins.
#
# 18xx-maker draws curves and places stops by angle and distance; nothing says which stop a curve
# leads to. A curve leads to a stop that lies on it, or where it ends. Lengths are in apothems;
# angles
# turn clockwise from side 1.


Json = dict[str, Any]
Point = tuple[float, float]

_NEAR = 0.24
"""How far from a stop a curve may pass that leads through it."""
_FAR = 0.75
"""How far it may be at most from a stop that no other track leads to."""
_APOTHEM = 85.0
"""That of a hex, in the units of paths, whose y axis points to side 1."""
_LONGEST = 400
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,20})?")
_ABSOLUTE = re.compile(r"[mM][-0-9., ]*(?:[LCQA][-0-9., ]*)+")
_BEYOND = 0.15
"""How far beyond its drawn end, as a part of its whole, a curve still leads to a stop."""
_RIM = 0.8
"""How far out it is at least that something lies on an edge."""
_STEPS = 24
_TURNS = {"sharp": 1, "gentle": 2, "straight": 3, "mid": 3, "bent": 2}
GAUGES = {"narrow": "narrow", "dual": "dual"}
_STUBS = (
    "stub",
    "stop",
    "straightStop",
    "gentleStop",
    "gentleStopRev",
    "sharpStop",
    "sharpStopRev",
)


class Spot(Struct, frozen=True, kw_only=True):
    """Where a stop lies, and whether the track of a hex without a direction leads to it."""

    at: Point
    offboard: bool = False


def place(raw: Json, turn: int = 0) -> Point:
    """The point of something with an angle, or a side, and a distance from the centre. Angles turn
    from the foot of the sheet, also on a pointy map (`turn` 1), where side 1 is at the left."""
    angle, side = raw.get("angle"), raw.get("side", 1)
    edge = side - 1 if angle is None else (angle - 90 * turn) / 60
    return _towards(edge, float(raw.get("percent") or 0))


def edge_at(raw: Json, turn: int) -> int | None:
    """The edge at whose middle something lies, None for what lies elsewhere."""
    x, y = place(raw, turn)
    towards = math.degrees(math.atan2(y, x)) / 60
    near_edge = math.hypot(x, y) > _RIM and abs(towards - round(towards)) < _NEAR
    return (round(towards) + turn) % 6 if near_edge else None


def _towards(edge: float, distance: float) -> Point:
    turned = math.radians(60 * edge)
    return distance * math.cos(turned), distance * math.sin(turned)


def segments(track: list[Json], spots: list[Spot]) -> tuple[list[list[Any]], list[str]]:
    """Segments between edges, stops and the junction, and what could not be told."""
    inward: list[list[Any]] = []
    lost: list[str] = []
    loose: list[tuple[int, Json]] = []
    curves: list[tuple[int, Json]] = []
    for segment in track:
        kind = segment.get("type")
        side = int(segment.get("side", 1)) - 1
        if segment.get("gauge") == "line" or segment.get("hidden"):
            continue
        ends = _ends_of_path(segment, side, spots) if kind == "custom" else None
        if ends is not None:
            inward.append(_with(ends, segment))
        elif kind == "custom" or kind in _STUBS:
            lost.append(f"{kind} track")
        elif kind in _TURNS:
            curves.append((side, segment))
        else:
            loose.append((side, segment))
    inward += _inward(loose, spots, lost)
    passed = [_passed(side, arc, spots) for side, arc in curves]
    reached = {end for segment in inward for end in segment[:2]} | {
        f"stop:{index}" for stops in passed for _, index in stops
    }
    for index, spot in enumerate(spots):
        if f"stop:{index}" not in reached and curves:
            apart, step, curve = min(
                (*_closest(side, raw, spot.at), number) for number, (side, raw) in enumerate(curves)
            )
            free = [number for number, stops in enumerate(passed) if not stops]
            if apart <= _FAR:
                passed[curve].append((step, index))
            elif free:
                passed[free[0]].append((0.5, index))
    curved = [
        segment
        for (side, arc), stops in zip(curves, passed, strict=True)
        for segment in _curve(side, arc, spots, stops)
    ]
    return _each_once([*curved, *inward]), lost


def _ends_of_path(segment: Json, side: int, spots: list[Spot]) -> list[Any] | None:
    """What a path that the game draws itself joins: edges that it begins or ends at, or the stops
    nearest to there. None for one whose ends are not said in coordinates, or that joins nothing."""
    path = str(segment.get("path") or "")
    numbers = [float(number) for number in _NUMBER.findall(path)] if len(path) <= _LONGEST else []
    if not _ABSOLUTE.fullmatch(path) or len(numbers) < 4:
        return None
    ends: list[Any] = []
    for x, y in (numbers[:2], numbers[-2:]):
        far, towards = math.hypot(x, y) / _APOTHEM, math.degrees(math.atan2(-x, y)) / 60 + side
        at_edge = far > _RIM and abs(towards - round(towards)) < _NEAR
        if not at_edge and not spots:
            return None
        ends.append(round(towards) % 6 if at_edge else _nearest(_towards(towards, far), spots))
    return ends if ends[0] != ends[1] else None


def _inward(loose: list[tuple[int, Json]], spots: list[Spot], lost: list[str]) -> list[list[Any]]:
    """Track from an edge to the middle: to a stop there, else to the nearest towards the edge, else
    to a junction."""
    inward: list[list[Any]] = []
    for side, segment in loose:
        offboard = segment.get("type") == "offboard"
        index = _stop_of(side, spots, offboard=offboard)
        end = "junction" if index is None else f"stop:{index}"
        if index is None and offboard:
            lost.append("track to no off-board")
            continue
        if index is None and len(loose) < 2:
            lost.append("track that ends inside a hex")
        inward.append(_with([side, end], segment))
    return inward


def _stop_of(side: int, spots: list[Spot], *, offboard: bool) -> int | None:
    if not spots:
        return None
    wanted = [index for index, spot in enumerate(spots) if spot.offboard == offboard] or list(
        range(len(spots))
    )
    central = [index for index in wanted if math.hypot(*spots[index].at) < _NEAR]
    if len(central) == 1:
        return central[0]
    edge = _towards(side, 1)
    return min(wanted, key=lambda index: (round(math.dist(spots[index].at, edge), 6), index))


def _closest(side: int, raw: Json, spot: Point) -> tuple[float, float]:
    """How near what is drawn of a curve comes to a point, and how far along."""
    first, last = _ends(raw)
    drawn = [
        step for step in range(_STEPS + 1) if first - _BEYOND <= step / _STEPS <= last + _BEYOND
    ]
    apart, step = min(
        (round(math.dist(_at(raw["type"], side, step / _STEPS), spot), 9), step) for step in drawn
    )
    return apart, step / _STEPS


def _ends(raw: Json) -> tuple[float, float]:
    """The part of a curve that is drawn, from 0 to 1."""
    first, last = float(raw.get("start") or 0), float(raw.get("end") or 1)
    return (first, last) if 0 <= first < last <= 1 else (0.0, 1.0)


def _passed(side: int, raw: Json, spots: list[Spot]) -> list[tuple[float, int]]:
    """The stops on a curve, with how far along they lie."""
    passed: list[tuple[float, int]] = []
    for index, spot in enumerate(spots):
        apart, along = _closest(side, raw, spot.at)
        if apart <= _NEAR:
            passed.append((along, index))
    return passed


def _curve(
    side: int, raw: Json, spots: list[Spot], passed: list[tuple[float, int]]
) -> list[list[Any]]:
    """A curve between two edges, cut at the stops on it; one that ends on its way leads to the
    nearest stop."""
    other = (side + _TURNS[raw["type"]]) % 6
    first, last = _ends(raw)
    ends: list[Any] = [f"stop:{index}" for _, index in sorted(passed)]
    if first == 0:
        ends.insert(0, side)
    elif not passed:
        ends.insert(0, _nearest(_at(raw["type"], side, first), spots))
    if last == 1:
        ends.append(other)
    elif not passed:
        ends.append(_nearest(_at(raw["type"], side, last), spots))
    return [_with([a, b], raw) for a, b in pairwise(ends) if a != b]


def _nearest(at: Point, spots: list[Spot]) -> str:
    if not spots:
        return "junction"
    return f"stop:{min(range(len(spots)), key=lambda index: (round(math.dist(spots[index].at, at), 6), index))}"


def _at(kind: str, side: int, along: float) -> Point:
    """The point of a curve from a side, from 0 there to 1 at its other end."""
    if kind in {"straight", "mid"}:
        return _towards(side, 1 - 2 * along)
    turn = _TURNS[kind]
    # The centre of an arc lies outside the hex, in the direction between its two edges.
    far, radius, sweep = (1 / COS_30, 0.5 / COS_30, 120) if turn == 1 else (2.0, 1.5 / COS_30, 60)
    middle = _towards(side + turn / 2, far)
    facing = 60 * (side + turn / 2) + 180
    angle = math.radians(facing + sweep * (0.5 - along))
    return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)


def _with(ends: list[Any], raw: Json) -> list[Any]:
    if isinstance(ends[1], int) and not isinstance(ends[0], int):
        ends = ends[::-1]
    more: Json = {}
    if raw.get("gauge") in GAUGES:
        more["gauge"] = GAUGES[raw["gauge"]]
    return [*ends, more] if more else ends


def _each_once(track: list[list[Any]]) -> list[list[Any]]:
    by_ends: dict[str, list[Any]] = {}
    for segment in track:
        by_ends.setdefault(repr((sorted(map(str, segment[:2])), segment[2:])), segment)
    return list(by_ends.values())


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
    "shapes": "shape drawn on a hex", "routeBonuses": "bonus for routes", "tunnelEntrances": "mouth of a tunnel",
    "goods": "goods", "industries": "industry", "divides": "divided hex",
}  # fmt: skip
CROSSINGS = {"bridges": "river", "tunnels": "mountain"}
"""What is crossed by a bridge or a tunnel: a border of this kind, or terrain of it where it lies
within the hex."""
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
)


class Hex(Struct, kw_only=True):
    """A hex as a definition, with the companies that begin at its stops, those it is kept for, and
    those whose destination it is; `off_the_map` if it has words at most and no border."""

    definition: Json
    homes: list[tuple[str, int | None]]
    reserved: list[str]
    destinations: list[str]
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
    """A tile or map hex; `custom` are colours that the game names. Side 1 is edge `turn`: 0 on a
    flat map, 1 on a pointy one, where 18xx-maker draws it at the left."""
    stops, spots, homes = _stops(raw, comments, turn)
    track, lost = segments(raw.get("track") or [], spots)
    for loss in lost:
        comments.lose(loss)
    track = [
        [_turned(segment[0], turn), _turned(segment[1], turn), *segment[2:]] for segment in track
    ]
    tile: Json = {"stops": stops, "track": track}
    _revenues(raw, stops, spots, comments, turn=turn, on_map=on_map)
    colour = str(raw.get("color", "plain")).split("/")
    tile["colour"], ground = read_colour(colour[0], custom, comments)
    if ground is not None:
        tile["ground"] = ground
    if len(colour) > 1:
        tile["stripes"], _ = read_colour(colour[1], custom, comments)
    tile["labels"] = _labels(raw, comments)
    tile["icons"] = _icons(raw, comments, pictures or Pictures())
    crossed, crossings = _crossings(raw, turn, comments)
    tile["terrain"] = comments.fit("terrains", _terrain(raw, comments) + crossed, 10)
    names = [
        one_line(name.get("name")) for name in raw.get("names") or () if isinstance(name, dict)
    ]
    named = [stop.pop("name") for stop in stops if "name" in stop]
    if named or (names and on_map):
        # Names of a hex are the lines of one name; names of stops are several.
        tile["name"] = " & ".join(dict.fromkeys(filter(None, named))) or " ".join(
            filter(None, names)
        )
    elif names:
        comments.lose("words on a tile", ", ".join(names))
    if on_map:
        borders = [*_borders(raw, turn, custom, comments), *crossings]
        tile["borders"] = comments.fit("borders", borders, 12)
    elif crossings:
        comments.lose("bridge or tunnel at the edge of a tile")
    for key, feature in LOST.items():
        if raw.get(key):
            comments.lose(feature)
    if tile["colour"] == "white" and on_map:
        del tile["colour"]
    reserved = [
        one_line(company.get("label"))
        for company in raw.get("companies") or ()
        if isinstance(company, dict)
    ]
    definition = {key: tile[key] for key in _ORDER if tile.get(key) not in (None, [], "")}
    tokens = [token for token in raw.get("tokens") or () if isinstance(token, dict)]
    homes += [
        (one_line(token["company"]), None)
        for token in tokens
        if "company" in token and not token.get("destination")
    ]
    destinations = [
        one_line(token["company"])
        for token in tokens
        if "company" in token and token.get("destination")
    ]
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


def read_colour(name: Any, custom: dict[str, Any], comments: Comments) -> tuple[str, str | None]:
    """A colour of tiles, and the ground it is painted in; for one that the game mixes itself the
    nearest, with that mixture as its ground. A colour that is called by a terrain is that of the
    ground of a plain hex."""
    words = str(name)
    known = COLOURS.get(words) or tile_colour(words)
    if known is None and words.lower() in TERRAIN and rgb(custom.get(words)) is not None:
        return "white", rgb(custom[words])
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
    raw: Json, comments: Comments, turn: int
) -> tuple[list[Json], list[Spot], list[tuple[str, int | None]]]:
    stops: list[Json] = []
    spots: list[Spot] = []
    homes: list[tuple[str, int | None]] = []
    for key, kind in STOPS.items():
        for entry in raw.get(key) or ():
            if entry.get("hidden"):
                continue
            if entry.get("outside"):
                homes += [
                    (_label(company), None)
                    for company in entry.get("companies") or ()
                    if _label(company)
                ]
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
            name = entry.get("name")
            words = one_line(name.get("name") if isinstance(name, dict) else name)
            if words:
                stop["name"] = words
            if entry.get("groups"):
                groups = [
                    comments.fit("letters of a group", str(group), 40) for group in entry["groups"]
                ]
                stop["groups"] = comments.fit("groups of a stop", groups, 10)
            homes += [
                (_label(company), len(stops))
                for company in entry.get("companies") or ()
                if _label(company)
            ]
            stops.append(stop)
            spots.append(Spot(at=place(entry, turn)))
    offboard = raw.get("offBoardRevenue")
    outward = any(segment.get("type") == "offboard" for segment in raw.get("track") or ())
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


def _revenues(
    raw: Json, stops: list[Json], spots: list[Spot], comments: Comments, *, turn: int, on_map: bool
) -> None:
    """Values printed on the hex go to the nearest stop; one value holds for all."""
    values: list[tuple[Point, int]] = []
    for value in raw.get("values") or ():
        amount = _amount(value.get("value"))
        if amount is None:
            comments.lose(_NO_VALUE, one_line(value.get("value")))
        else:
            values.append((place(value, turn), amount))
    for stop, spot in zip(stops, spots, strict=True):
        if stop["kind"] == "offboard":
            revenue = _offboard(raw.get("offBoardRevenue"), comments)
            if revenue:
                stop["revenue"] = revenue
        elif values:
            stop["revenue"] = min(
                values, key=lambda value: (round(math.dist(value[0], spot.at), 6), value[1])
            )[1]
        elif not on_map:
            comments.lose("stop without a value")
    if values and not stops:
        comments.lose("value without a stop", ", ".join(str(amount) for _, amount in values))


def _offboard(raw: Any, comments: Comments) -> Any:
    amounts: dict[str, int] = {}
    for revenue in (raw or {}).get("revenues") or ():
        amount = _amount(revenue.get("cost", revenue.get("value")))
        key = COLOURS.get(str(revenue.get("color")), str(revenue.get("color")))
        if amount is None:
            comments.lose(_NO_VALUE, one_line(revenue.get("cost", revenue.get("value"))))
        elif key in _KEYS and key not in amounts:
            amounts[key] = amount
        elif revenue.get("color") is None and len(raw["revenues"]) == 1:
            return amount
        else:
            comments.lose(f"revenue by {key}", str(amount))
    return amounts


_NO_VALUE, _NO_COST = (
    f"{what} that is no number from {LEAST_AMOUNT} to {MOST_AMOUNT}" for what in ("value", "cost")
)


def _amount(value: Any) -> int | None:
    """A whole number within bounds, perhaps with a sign of money before or after it; else None."""
    match = re.fullmatch(r"[^\d\u2212-]{0,3}([\u2212-]?[0-9]{1,9})\D{0,3}", str(value))
    amount = int(match[1].replace("\u2212", "-")) if match else None
    return amount if amount is not None and LEAST_AMOUNT <= amount <= MOST_AMOUNT else None


def _labels(raw: Json, comments: Comments) -> list[str]:
    texts: list[str] = []
    for label in raw.get("labels") or ():
        text = one_line(label.get("label"))
        if 0 < len(text) <= 8:
            texts.append(text)
        elif text:
            comments.lose("label of more than 8 letters", text)
    return comments.fit("labels", texts, 10)


def _icons(raw: Json, comments: Comments, pictures: Pictures) -> list[Any]:
    names: list[Any] = []
    for entry in raw.get("icons") or ():
        name = str(entry.get("type"))
        icon = ICONS.get(name) or pictures.find("icons", name)
        if icon is None:
            comments.lose("icon without a picture", name)
        names.append(icon or named_icon(name))
    return comments.fit("icons", names, 20)


def _terrain(raw: Json, comments: Comments) -> list[Json]:
    terrains: list[Json] = []
    for terrain in raw.get("terrain") or ():
        kind, cost = terrain.get("type"), _amount(terrain.get("cost", 0))
        kinds = [TERRAIN[kind]] if kind in TERRAIN else []
        if kind and kind not in TERRAIN:
            comments.lose(f"terrain {kind}")
        if cost is None:
            comments.lose(_NO_COST, one_line(terrain.get("cost")))
        if kinds or cost:
            terrains.append({"kinds": kinds} | ({"cost": cost} if cost else {}))
    return terrains


def _crossings(raw: Json, turn: int, comments: Comments) -> tuple[list[Json], list[Json]]:
    """Bridges and tunnels, which cost what they say to whoever crosses: terrain within the hex, and
    borders."""
    terrain: list[Json] = []
    borders: list[Json] = []
    for key, kind in CROSSINGS.items():
        for entry in raw.get(key) or ():
            amount, edge = _amount(entry.get("cost", 0)), edge_at(entry, turn)
            if amount is None:
                comments.lose(_NO_COST, one_line(entry.get("cost")))
            cost = {"cost": amount} if amount else {}
            if edge is not None:
                borders.append({"edge": edge, "kind": kind} | cost)
            else:
                terrain.append({"kinds": [kind]} | cost)
    return terrain, borders


def _turned(end: Any, turn: int) -> Any:
    return (end + turn) % 6 if isinstance(end, int) else end


def _open_sides(raw: Json) -> Iterable[float]:
    """Sides without a border, from 1; true stands for all of them."""
    sides = raw.get("removeBorders") or ()
    return range(1, len(EDGES) + 1) if sides is True else sides


def _borders(raw: Json, turn: int, custom: dict[str, Any], comments: Comments) -> list[Json]:
    """Sides that are left open to the neighbour, and coloured lines."""
    borders: list[Json] = [
        {"edge": (int(side) - 1 + turn) % 6, "kind": "none"} for side in _open_sides(raw)
    ]
    for entry in raw.get("borders") or ():
        side, name = entry.get("side"), str(entry.get("color"))
        colour = rgb(custom.get(name)) or rgb(name)
        if not isinstance(side, int):
            comments.lose("coloured border", one_line(entry))
            continue
        border: Json = {"edge": (side - 1 + turn) % 6, "kind": "divider"}
        borders.append(border | ({"colour": colour} if colour else {}))
    return borders
