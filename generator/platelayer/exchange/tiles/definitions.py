"""Definitions of tiles and map hexes from tile strings.

What the format has no place for is counted as lost; the tables at the top say what goes where, one
line a feature.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

from platelayer.exchange.imported import Imported, Pictures, complete
from platelayer.exchange.losses import Comments, Losses, mark, safe_id, unused
from platelayer.exchange.tiles.strings import (
    FIELDS,
    NODES,
    TILE_COLOURS,
    Part,
    read_tile,
    rgb,
    tile_colour,
)
from platelayer.foundation.door import read_bytes
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, Severity, has_errors
from platelayer.foundation.suggestions import suggestion
from platelayer.model.hexes import EDGES
from platelayer.model.tile import EndKind, Tile, rotate_tile

Json = dict[str, Any]

STOPS = {"city": "city", "town": "town", "halt": "halt", "pass": "pass", "offboard": "offboard"}
TERRAIN = {
    "mountain": "mountain", "hill": "hill", "water": "water", "river": "river", "lake": "lake", "sea": "sea",
    "swamp": "marsh", "marsh": "marsh", "desert": "desert", "forest": "forest", "rough": "rough",
}  # fmt: skip
BORDERS = {"impassable": "impassable", "province": "province", "offboard": "offboard", "water": "river",
           "mountain": "mountain", "divider": "divider", None: "none"}  # fmt: skip
"""Kinds of border, by their names there."""
PARTITIONS = {"water": "river", "province": "province", "impassable": "impassable", "divider": "divider",
              "mountain": "mountain"}  # fmt: skip
GAUGES = {
    "broad": None,
    "narrow": "narrow",
    "dual": "dual",
    "thin": "thin",
    "future": "future",
    "line": "line",
}
ICONS = {
    "port": "port", "anchor": "anchor", "mine": "mine", "coal": "coal", "coalcar": "coal", "factory": "factory",
    "tree": "tree", "tunnel": "tunnel", "bridge": "bridge", "star": "star", "capital": "capital",
}  # fmt: skip
"""Pictures that Platelayer has, by the last word of an image's path."""
LANDSCAPE = {"mountain": "mountain", "river": "river"}
"""Images that are terrain without a cost."""

_MOST_LETTERS = 12
"""Of the words on an icon."""

DIESEL = "D"
"""The phase of diesels: the engine pays a last value to diesels, which boards print for their
phase."""

LOST_FIELDS = {
    ("city", "outline"): "outline of a city",
    ("pass", "color"): "colour of a pass",
    ("icon", "blocks_lay"): "hex that only an ability may build on",
    ("partition", "length"): "length of a partition",
    ("partition", "restrict"): "side of a partition",
    ("path", "ignore"): "track that routes ignore",
    ("path", "ignore_gauge_walk"): "track that ignores gauges",
    ("path", "ignore_gauge_compare"): "track that ignores gauges",
}
"""Fields without a place in the format. Fields that only say how 18xx.games draws (style, rows,
large, sticky, size of an upgrade) are left out silently: Platelayer works out its drawing."""
for _kind in ("city", "town", "halt", "pass", "offboard"):
    LOST_FIELDS[_kind, "format"] = "format of a revenue"
    LOST_FIELDS[_kind, "visit_cost"] = "visits that a stop costs"


BORDER_OF_TILE = "border or stub of a tile"
UNSEEN = {*LOST_FIELDS.values(), "icon without a picture"}
"""Losses that a drawing of the tile does not show: what has other meanings in play, and icons drawn
as their names."""


def tile_definition(
    parts: tuple[Part, ...],
    comments: Comments,
    *,
    keys: frozenset[str],
    on_map: bool,
    pictures: Pictures | None = None,
) -> Json:
    """A tile or map hex without its colour and name. `keys` are what a revenue may be given by,
    `pictures` those that icons may be."""
    for part in parts:
        for name in part.fields:
            if (part.kind, name) in LOST_FIELDS and part.fields[name] not in (
                "",
                "1" if name == "visit_cost" else "",
            ):
                comments.lose(LOST_FIELDS[part.kind, name], part.fields[name])
    places = _places(parts, comments)
    tile: Json = {
        "stops": [
            _stop(part, comments, keys, on_map=on_map) for part in parts if part.kind in STOPS
        ],
        "track": [
            segment
            for part in parts
            if part.kind == "path"
            for segment in _track(part, places, comments)
        ],
        "labels": _labels(parts, comments),
        "icons": _icons(parts, comments, pictures or Pictures()),
        "terrain": comments.fit(
            "terrains",
            [
                *(_terrain(part, comments) for part in parts if part.kind == "upgrade"),
                *({"kinds": [LANDSCAPE[word]]} for word in map(_word, parts) if word in LANDSCAPE),
            ],
            10,
        ),
        "partitions": comments.fit(
            "partitions",
            [_partition(part, comments) for part in parts if part.kind == "partition"],
            10,
        ),
    }
    for part in parts:
        if part.kind == "frame":
            tile["frame"] = rgb(part.fields["color"])
            if tile["frame"] is None:
                comments.lose("colour of a frame", part.fields["color"])
            elif part.get("color2"):
                tile["second_frame"] = rgb(part.fields["color2"])
        elif part.kind == "stripes":
            tile["stripes"] = tile_colour(part.fields["color"])
    if on_map:
        tile["borders"] = _borders(parts, comments)
        tile["stubs"] = sorted({int(part.fields["edge"]) for part in parts if part.kind == "stub"})
    elif any(part.kind in ("border", "stub") for part in parts):
        comments.lose(BORDER_OF_TILE)
    return {key: value for key, value in tile.items() if value not in (None, [], "")}


def _places(parts: tuple[Part, ...], comments: Comments) -> list[str]:
    """What track to `_0`, `_1` ... leads to."""
    ends: list[str] = []
    stops = junctions = 0
    for part in parts:
        if part.kind == "junction":
            junctions += 1
            ends.append("junction")
        elif part.kind in NODES:
            ends.append(f"stop:{stops}")
            stops += 1
    if junctions > 1:
        comments.lose("second junction")
    return ends


def _stop(part: Part, comments: Comments, keys: frozenset[str], *, on_map: bool) -> Json:
    stop: Json = {"kind": STOPS[part.kind]}
    revenue = read_revenue(part.get("revenue"), comments, keys)
    if revenue not in (None, {}) and not (revenue == 0 and (on_map or part.kind == "halt")):
        stop["revenue"] = revenue
    slots = int(part.get("slots") or 1)
    if slots != 1 and part.kind in ("city", "pass"):
        stop["slots"] = slots
    at = position(part.get("loc"))
    if at is not None:
        stop["at"] = at
    groups = [
        comments.fit("letters of a group", word, 40)
        for word in (part.get("groups") or "").split("|")
        if word.strip()
    ]
    if groups:
        stop["groups"] = comments.fit("groups of a stop", groups, 10)
    route = part.get("route")
    if route in ("optional", "never"):
        stop["optional"] = True
    if route == "never":
        comments.lose("stop that no route counts")
    if part.kind == "offboard" and part.get("hide"):
        stop["hidden"] = True
    elif part.get("hide"):
        comments.lose("revenue that is not shown")
    if part.kind == "town" and part.get("style") == "hidden":
        stop["hidden"] = True
    size = part.get("size")
    if part.get("boom") or part.get("to_city"):
        stop["boom"] = True
    if part.kind == "halt" and part.get("symbol"):
        stop["symbol"] = comments.fit("letters of a symbol", part.fields["symbol"], 2)
    if (
        part.kind == "pass"
        and size is not None
        and re.fullmatch("[0-9]{1,2}", size)
        and 1 <= int(size) <= 20
    ):
        stop["size"] = int(size)
    return stop


def read_revenue(
    words: str | None, comments: Comments, keys: frozenset[str]
) -> int | dict[str, int] | None:
    """A revenue from "40" or "yellow_30|brown_50"; values by keys that the title has not are
    lost."""
    if words is None:
        return None
    if "_" not in words:
        return int(words)
    revenue: dict[str, int] = {}
    for pair in words.split("|"):
        key, _, value = pair.rpartition("_")
        key = DIESEL if key == "diesel" and DIESEL in keys else key
        if key in keys and key not in revenue and len(revenue) < 8:
            revenue[key] = int(value)
        else:
            comments.lose(f"revenue by {key}", value)
    return revenue


def position(words: str | None) -> str | float | int | None:
    """Where a stop is drawn: "center", or an edge, with fractions between edges."""
    if words == "center":
        return "centre"
    try:
        at = float(words or "")
    except ValueError:
        return None
    return (int(at) if at.is_integer() else at) if 0 <= at < 6 else None


def _track(part: Part, places: list[str], comments: Comments) -> list[list[Any]]:
    ends = [
        places[int(end[1:])] if end.startswith("_") else int(end)
        for end in (part.fields["a"], part.fields["b"])
    ]
    more: Json = {}
    gauge = part.get("track") or "broad"
    if gauge not in GAUGES:
        comments.lose(f"{gauge} track")
    elif GAUGES[gauge]:
        more["gauge"] = GAUGES[gauge]
    if part.get("terminal") not in (None, "0"):
        more["terminal"] = "short" if part.fields["terminal"] == "2" else True
    if ends[0] == ends[1]:
        comments.lose("track between junctions")
        return []
    return [_segment(ends, more, lanes) for lanes in _lanes(part, ends)]


def _segment(ends: list[Any], more: Json, lanes: list[list[int]] | None) -> list[Any]:
    """A segment with an edge first, where it has one."""
    if isinstance(ends[1], int) and not isinstance(ends[0], int):
        ends, lanes = ends[::-1], lanes[::-1] if lanes else None
    said = {**more, "lanes": lanes} if lanes else more
    return [*ends, said] if said else ends


def _lanes(part: Part, ends: list[Any]) -> list[list[list[int]] | None]:
    """The lanes of a path, one for each segment: parallel ones change sides between two edges."""
    if part.get("lanes"):
        count = int(part.fields["lanes"])
        crossing = all(isinstance(end, int) for end in ends)
        return [
            [[count, lane], [count, count - lane - 1 if crossing else lane]]
            for lane in range(count)
        ]
    given = [part.get("a_lane"), part.get("b_lane")]
    if not any(given):
        return [None]
    lanes = [[int(number) for number in (lane or "1.0").split(".")] for lane in given]
    return [[[width, rest[0] if rest else 0] for width, *rest in lanes]]


def _labels(parts: tuple[Part, ...], comments: Comments) -> list[Any]:
    labels: list[Any] = []
    for part in parts:
        text: str | None = (
            part.text
            if part.kind == "label"
            else part.fields["label"]
            if part.kind == "future_label"
            else None
        )
        if text is None:
            continue
        text = _letters(text, comments)
        if len(text) > 8:
            comments.lose("label of more than 8 letters", text)
        elif part.kind == "label":
            labels.append(text)
        elif tile_colour(part.fields["color"]):
            labels.append({"text": text, "since": tile_colour(part.fields["color"])})
        else:
            comments.lose("label from a later colour", text)
    return comments.fit("labels", labels, 10)


def _letters(text: str, comments: Comments) -> str:
    """A label without pictures: of those, the first letters of their names."""
    if not any(unicodedata.category(char) == "So" for char in text):
        return text
    comments.lose(
        "label that is a picture", " ".join(unicodedata.name(char, "") for char in text).strip()
    )
    characters = [char for char in text if unicodedata.category(char) in ("So", "Lu", "Ll", "Nd")]
    return "".join(
        unicodedata.name(char, "X")[:3] if unicodedata.category(char) == "So" else char
        for char in characters
    )


def _icons(parts: tuple[Part, ...], comments: Comments, pictures: Pictures) -> list[Any]:
    icons: list[Any] = []
    for part in parts:
        if part.kind == "icon" and _word(part) not in LANDSCAPE:
            image = part.fields["image"]
            icon = ICONS.get(_word(part)) or pictures.find("icons", image)
            if icon is None:
                comments.lose("icon without a picture", image)
            icons.append(icon or named_icon(_last(part)))
    return comments.fit("icons", icons, 20)


def _last(part: Part) -> str:
    """The last word of the path of an icon's image."""
    return (
        part.fields["image"].rsplit("/", 1)[-1].removesuffix(".svg") if part.kind == "icon" else ""
    )


def _word(part: Part) -> str:
    return _last(part).lower()


def icon_word(part: Part) -> str:
    """What an icon stands for, as companies are named by `names.mark`."""
    return mark(_last(part))


def named_icon(words: str) -> Json:
    """An icon that is drawn as its name."""
    name = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    if not re.match("[a-z]", name):
        name = f"sign-{name}".rstrip("-")
    return {
        "name": name[:40].rstrip("-"),
        "text": _short(re.sub("[_-]+", " ", words).strip()) or "?",
    }


def _short(words: str) -> str:
    """Words that fit an icon: of more, the first."""
    return (
        words
        if len(words) <= _MOST_LETTERS
        else words[: _MOST_LETTERS + 1].rsplit(" ", 1)[0][:_MOST_LETTERS]
    )


def _terrain(part: Part, comments: Comments) -> Json:
    kinds: list[str] = []
    for word in filter(None, (part.get("terrain") or "").split("|")):
        kind = TERRAIN.get(word)
        if kind is None:
            comments.lose(f"terrain {word}")
        elif kind not in kinds:
            kinds.append(kind)
    cost = int(part.get("cost") or 0)
    return {"kinds": comments.fit("kinds of terrain", kinds, 4), **({"cost": cost} if cost else {})}


def _borders(parts: tuple[Part, ...], comments: Comments) -> list[Json]:
    borders: list[Json] = []
    for part in parts:
        if part.kind != "border":
            continue
        kind, cost = part.get("type"), int(part.get("cost") or 0)
        if kind not in BORDERS:
            comments.lose(f"border {kind}")
        border: Json = {
            "edge": int(part.fields["edge"]),
            "kind": BORDERS.get(kind, "province"),
        }
        colour = rgb(part.get("color")) if kind is not None else None
        if colour is not None:
            border["colour"] = colour
        if cost:
            border["cost"] = cost
        if border not in borders:
            borders.append(border)
    return comments.fit("borders", borders, 12)


def _partition(part: Part, comments: Comments) -> Json:
    kind = part.get("type") or "divider"
    if kind not in PARTITIONS:
        comments.lose(f"partition {kind}")
    # Corner k lies between edges k - 1 and k.
    a, b = ((int(part.fields[name][0]) - 0.5) % 6 for name in ("a", "b"))
    return {"a": a, "b": b, "kind": PARTITIONS.get(kind, "province")}


# Whether two definitions are one tile, however it is turned and drawn.


def same_tile(one: Tile, other: Tile) -> bool:
    """True for the same colour, labels, stops, revenues, costs and track in some rotation, however
    both are listed; where stops are drawn makes no difference."""
    wanted = _shape(one)
    return any(_shape(rotate_tile(other, turn)) == wanted for turn in EDGES)


def turns(tile: Tile) -> int:
    """The number of different rotations: 1, 2, 3 or 6; after that many turns of 60 degrees it looks
    as before."""
    wanted = _shape(tile)
    return next(turn for turn in (1, 2, 3, 6) if _shape(rotate_tile(tile, turn)) == wanted)


def _shape(tile: Tile) -> Any:
    ends = [_stop_track(tile, index) for index in range(len(tile.stops))]
    stops = sorted(
        (stop.kind.value, stop.slots, str(stop.revenue), stop.groups, stop.hidden, ends[index])
        for index, stop in enumerate(tile.stops)
    )
    plain = sorted(
        (
            sorted((segment.a.index, segment.b.index)),
            segment.gauge.value,
            str(segment.lanes),
            segment.terminal,
        )
        for segment in tile.track
        if segment.a.kind is EndKind.EDGE and segment.b.kind is EndKind.EDGE
    )
    junction = sorted(
        (other.kind.value, other.index if other.kind is EndKind.EDGE else 0, segment.gauge.value)
        for segment in tile.track
        for end, other in (segment.ends, segment.ends[::-1])
        if end.kind is EndKind.JUNCTION
    )
    terrain = sorted((kind.kinds, kind.cost) for kind in tile.terrain)
    labels = sorted((label.text, label.since or "") for label in tile.labels)
    return tile.colour, tile.stripes, labels, terrain, stops, plain, junction


def _stop_track(tile: Tile, index: int) -> Any:
    """Track of one stop: edges, and kinds of other ends, with gauges."""
    return sorted(
        (
            other.kind.value,
            other.index if other.kind is EndKind.EDGE else 0,
            segment.gauge.value,
            segment.terminal,
        )
        for segment in tile.track
        for end, other in (segment.ends, segment.ends[::-1])
        if end.kind is EndKind.STOP and end.index == index
    )


# Text files of tile strings, and single strings.
#
# A line is a tile: its number and colour, where it has them, its tile string, and a count in
# brackets. What follows `#` is a comment:
#
#     # number colour string (count)
#     X1 yellow city=revenue:20;path=a:0,b:_0;path=a:2,b:_0 (2)
#     city=revenue:40;path=a:0,b:_0


MAX_BYTES = 1024 * 1024
SKETCH = "tile"
"""Number of a tile that has none."""
_COUNT = re.compile(r"\(([0-9]{1,3})\)$")
_KEYS = frozenset((*TILE_COLOURS, "D"))
_COLOUR = "yellow"


def is_tile_string(words: str) -> bool:
    """True for what begins like a tile string, and no path does."""
    return words.split("=", maxsplit=1)[0].split(";", maxsplit=1)[0].strip() in FIELDS and (
        "=" in words or ";" in words or words == "junction"
    )


def tile_from_string(
    string: str, *, colour: str = _COLOUR, comments: Comments | None = None
) -> Json:
    """The definition of one tile. Raises ProblemsFound (IM01) for each part that is wrong."""
    parts, refused = read_tile(string)
    if refused:
        raise ProblemsFound(
            [Problem(code="IM01", message=message, hint=_hint(message)) for message in refused]
        )
    tile = tile_definition(parts, comments or Losses().comments("tile"), keys=_KEYS, on_map=False)
    return {"colour": colour, **tile}


def _hint(message: str) -> str:
    """The part or field that is likely meant by an unknown one."""
    unknown = re.search(r'no (part|field) "([^"]*)"', message)
    kind = re.match('"([a-z_]+)" has no field', message)
    return suggestion(unknown[2], FIELDS[kind[1]] if kind else FIELDS) if unknown else ""


def title_from_string(string: str) -> tuple[Json, tuple[Problem, ...]]:
    """A title with nothing but one tile, for a quick look, and warnings of what it has no place
    for. Raises ProblemsFound (IM01) for what is wrong in the string, and for what would be missing
    in the drawing."""
    losses = Losses()
    comments = losses.comments("tile")
    tile = tile_from_string(string, comments=comments)
    problems = tuple(
        Problem(
            code="IM01",
            severity=Severity.WARNING if words.partition(" (")[0] in UNSEEN else Severity.ERROR,
            message=f"this cannot be drawn: {words}",
            hint="draw it as a hex of a map" if words == BORDER_OF_TILE else "",
        )
        for words in comments
    )
    if has_errors(problems):
        raise ProblemsFound(problems)
    tiles = {SKETCH: {"count": 1, "tile": tile}}
    return {
        "format": "platelayer.title/1",
        "id": SKETCH,
        "name": string[:200],
        "tiles": tiles,
    }, problems


def title_from_list(path: Path, title_id: str) -> Imported:
    """A title with the tiles of a text file. Raises CannotRun for a file that is too large or has
    none, and ProblemsFound for every line that is no tile."""
    data = read_bytes(path, MAX_BYTES)
    losses = Losses()
    problems: list[Problem] = []
    tiles: Json = {}
    for line, text in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        words = re.sub(r"(^|\s)#.*", "", text).strip()
        if not words:
            continue
        try:
            number, entry = _tile(words, tiles, losses)
        except ProblemsFound as error:
            problems += [_at(problem, path, line) for problem in error.problems]
            continue
        tiles[number] = entry
    if not tiles and not problems:
        raise CannotRun(
            f"{path} has no tiles: write one on each line, e.g. X1 green city=revenue:40;path=a:0,b:_0"
        )
    if problems:
        raise ProblemsFound(problems)
    note = f"{path.name}, a list of tile strings, imported by Platelayer."
    head: Json = {"format": "platelayer.title/1", "id": title_id, "name": path.stem}
    head["provenance"] = [{"subject": "tiles", "source": "reference", "note": note}]
    decides = ("a list of tiles has no map",)
    return complete(Imported(head=head, blocks={"tiles": tiles}, losses=losses, decides=decides))


def _at(problem: Problem, path: Path, line: int) -> Problem:
    return Problem(
        code=problem.code,
        message=problem.message,
        hint=problem.hint,
        file=str(path),
        line=line,
        column=1,
    )


def _tile(words: str, tiles: Json, losses: Losses) -> tuple[str, Json]:
    match = _COUNT.search(words)
    count = int(match[1]) if match else 1
    words = words[: match.start()].rstrip() if match else words
    *before, string = (
        words.split()
        if len(words.split()) <= 3
        else [*words.split()[:2], " ".join(words.split()[2:])]
    )
    if not is_tile_string(string):
        raise _refused(
            f'"{string[:60]}" is not a tile string',
            "write e.g. X1 green city=revenue:40;path=a:0,b:_0",
        )
    colour = tile_colour(before[-1]) if before else None
    if len(before) == 2 and colour is None:
        raise _refused(f'"{before[1]}" is no colour of tiles; they are {", ".join(TILE_COLOURS)}',
                       suggestion(before[1], TILE_COLOURS))  # fmt: skip
    number = before[0] if before and (len(before) == 2 or colour is None) else SKETCH
    tile_id = unused(safe_id(number), tiles)
    comments = losses.comments(f"tile {tile_id}")
    tile = tile_from_string(string, colour=colour or _COLOUR, comments=comments)
    return tile_id, {**comments.comment, "count": count, "tile": tile}


def _refused(message: str, hint: str) -> ProblemsFound:
    return ProblemsFound([Problem(code="IM02", message=message, hint=hint)])
