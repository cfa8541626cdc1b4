"""The language of tile strings of 18xx.games, both read and written:
`city=revenue:40;path=a:0,b:_0`.

Parts are separated by `;`, their fields by `,`, lists by `|` (TILES.md of 18xx.games). Parts are
read in order, each on its own; in a path, `_0` is the first of the stops and junctions before it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from platelayer.exchange.imported import Imported, Pictures, complete, reference
from platelayer.exchange.losses import Comments, Losses, filled, mark, safe_id, unused
from platelayer.foundation.door import read_bytes
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, Severity, has_errors
from platelayer.foundation.text import suggestion
from platelayer.foundation.values import Json
from platelayer.model.gamemap import EDGES, Border, MapHex
from platelayer.model.tile import (
    LEAST_AMOUNT,
    MOST_AMOUNT,
    WITH_SLOTS,
    EndKind,
    Gauge,
    Stop,
    StopKind,
    Terminal,
    Tile,
    rotate_tile,
)

# Parts to which track can lead, numbered from 0 in the order of the string.
NODES = ("city", "town", "halt", "pass", "offboard", "junction")

MOST_CHARACTERS = 10_000
_CENTRE = ("revenue", "groups", "hide", "visit_cost", "route", "format", "loc")
# Fields of each kind of part.
FIELDS: dict[str, tuple[str, ...]] = {
    "city": (*_CENTRE, "slots", "boom", "outline"),
    "pass": (*_CENTRE, "slots", "boom", "color", "size"),
    "town": (*_CENTRE, "boom", "style", "to_city"),
    "halt": (*_CENTRE, "symbol"),
    "offboard": (*_CENTRE, "rows"),
    "junction": (),
    "path": (
        "a", "b", "terminal", "lanes", "a_lane", "b_lane", "track", "ignore",
        "ignore_gauge_walk", "ignore_gauge_compare",
    ),
    "label": (),
    "future_label": ("label", "color"),
    "upgrade": ("cost", "terrain", "size", "loc"),
    "border": ("edge", "type", "cost", "color"),
    "stub": ("edge",),
    "icon": ("image", "name", "sticky", "blocks_lay", "large", "loc"),
    "partition": ("a", "b", "type", "restrict", "length"),
    "frame": ("color", "color2"),
    "stripes": ("color",),
}  # fmt: skip

# Abbreviations of parts and fields in older strings.
_SHORT = {"c": "city", "t": "town", "o": "offboard", "p": "path", "l": "label", "u": "upgrade", "b": "border",
          "j": "junction", "i": "icon", "s": "stub"}  # fmt: skip
_SHORT_OF_STOPS = {"r": "revenue", "s": "slots", "g": "groups", "h": "hide", "v": "visit_cost"}
_SHORT_FIELDS = dict.fromkeys(("city", "town", "offboard"), _SHORT_OF_STOPS) | {
    "upgrade": {"c": "cost", "t": "terrain"},
    "border": {"e": "edge", "t": "type", "c": "cost"},
    "icon": {"i": "image", "n": "name", "s": "sticky", "b": "blocks_lay"},
    "stub": {"e": "edge"},
}

_NEEDED = {"path": ("a", "b"), "border": ("edge",), "stub": ("edge",), "icon": ("image",), "partition": ("a", "b"),
           "frame": ("color",), "stripes": ("color",), "future_label": ("label", "color")}  # fmt: skip
_END = re.compile(r"[0-6]|_[0-9]{1,2}")
_EDGE = re.compile(r"[0-6]")
# Some games write edge 0 like this.
_ONCE_ROUND = "6"
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_FORMS = {
    ("path", "a"): _END,
    ("path", "b"): _END,
    ("path", "lanes"): re.compile(r"[1-9]"),
    ("path", "a_lane"): re.compile(r"[1-9](\.[0-9])?"),
    ("path", "b_lane"): re.compile(r"[1-9](\.[0-9])?"),
    ("path", "terminal"): re.compile(r"[0-9]"),
    ("path", "track"): re.compile(r"[a-z_]+"),
    ("border", "edge"): _EDGE,
    ("border", "cost"): _NUMBER,
    ("stub", "edge"): _EDGE,
    **{(kind, "visit_cost"): re.compile("1?[0-9]?[0-9]") for kind in NODES},
    ("upgrade", "cost"): _NUMBER,
    ("city", "slots"): re.compile(r"[0-9]"),
    ("pass", "slots"): re.compile(r"[0-9]"),
    ("partition", "a"): re.compile(r"[0-5][+-]?"),
    ("partition", "b"): re.compile(r"[0-5][+-]?"),
    ("partition", "length"): re.compile(r"[0-9]{0,3}\.?[0-9]{1,9}"),
}
_REVENUE = re.compile(r"-?[0-9]{1,9}|[A-Za-z0-9]+_-?[0-9]{1,9}(\|[A-Za-z0-9]+_-?[0-9]{1,9})*")


class Part(Struct, frozen=True):
    """A part of a tile string: its kind, its fields in the order written, and the text of a
    label."""

    kind: str
    fields: dict[str, str]
    text: str = ""

    def get(self, name: str) -> str | None:
        """Return a field, None if it is not given."""
        return self.fields.get(name)


def read_tile(string: str) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Return the valid parts of a tile string, and a message for everything refused: an invalid
    field, or a part without what it needs."""
    refused: list[str] = []
    parts = []
    seen = 0
    if len(string) > MOST_CHARACTERS:
        return (), (
            f"{len(string)} characters are too many for a tile string, which has at most {MOST_CHARACTERS}",
        )
    for words in re.split(r";|\n(?=[^\S\n]*[a-z_]+=)", string):
        part = _part(" ".join(words.split()), refused) if words.strip() else None
        if part is not None and (part.kind != "path" or _leads(part, seen, refused)):
            parts.append(part)
            seen += part.kind in NODES
    return tuple(parts), tuple(refused)


def _leads(path: Part, seen: int, refused: list[str]) -> bool:
    ends = path.fields["a"], path.fields["b"]
    for end in ends:
        if end.startswith("_") and int(end[1:]) >= seen:
            refused.append(f'"path" leads to {end}, but {seen} stops and junctions come before it')
            return False
    if ends[0] == ends[1]:
        refused.append(f'"path" leads from {ends[0]} to itself')
        return False
    return True


def write_tile(parts: Iterable[Part]) -> str:
    """Return the tile string of these parts."""
    written = []
    for part in parts:
        fields = ",".join(f"{name}:{value}" for name, value in part.fields.items())
        words = part.text if part.kind == "label" else fields
        written.append(f"{part.kind}={words}" if words or part.kind == "label" else part.kind)
    return ";".join(written)


def _part(words: str, refused: list[str]) -> Part | None:
    kind, _, rest = (part.strip() for part in words.partition("="))
    kind = _SHORT.get(kind, kind)
    if kind not in FIELDS:
        refused.append(f'there is no part "{kind}"; parts are {", ".join(FIELDS)}')
        return None
    if kind == "label":
        if not rest:
            refused.append('"label" has no text; write label=Y')
            return None
        return Part(kind, {}, text=rest)
    fields = {}
    faulty = set()
    for pair in rest.split(",") if rest else ():
        name, colon, value = (part.strip() for part in pair.partition(":"))
        name = _SHORT_FIELDS.get(kind, {}).get(name, name)
        if kind == "partition" and name in ("a", "b"):
            value = value[:2].rstrip(".")  # the engine reads only a vertex and its sign
        wrong = _fault(kind, name, value, colon)
        if wrong:
            refused.append(wrong)
            faulty.add(name)
        else:
            fields[name] = (
                "0" if value == _ONCE_ROUND and _FORMS.get((kind, name)) in (_END, _EDGE) else value
            )
    lacking = [name for name in _NEEDED.get(kind, ()) if name not in fields]
    missing = [name for name in lacking if name not in faulty]
    if missing:
        refused.append(f'"{kind}" needs {" and ".join(missing)}')
    if lacking:
        return None
    return Part(kind, fields)


def _fault(kind: str, name: str, value: str, colon: str) -> str:
    """Return a message about a field, "" if the field is valid."""
    if name not in FIELDS[kind]:
        allowed = f"its fields are {', '.join(FIELDS[kind])}" if FIELDS[kind] else "it has none"
        return f'"{kind}" has no field "{name}"; {allowed}'
    if not colon:
        return f'"{name}" of "{kind}" has no value; write {name}:...'
    form = _FORMS.get((kind, name), _REVENUE if name == "revenue" else None)
    if form is not None and not form.fullmatch(value):
        return f'"{value}" cannot be the {name} of "{kind}"'
    amounts = (
        [int(amount.rpartition("_")[2]) for amount in value.split("|")]
        if form in (_REVENUE, _NUMBER)
        else []
    )
    if beyond := [amount for amount in amounts if not LEAST_AMOUNT <= amount <= MOST_AMOUNT]:
        return f'{beyond[0]} cannot be the {name} of "{kind}", which is {LEAST_AMOUNT} to {MOST_AMOUNT}'
    return ""


# Named colours of other programs, as #rrggbb, if CSS has another colour or none with that name.


_NAMES = {
    "black": "#1a1a1a", "blue": "#0a70b3", "brightgreen": "#6ec037", "brown": "#8b4513", "cyan": "#00b7eb",
    "darkgrey": "#808080", "green": "#237333", "lavender": "#b57edc", "lightblue": "#a2dced",
    "lightbrown": "#c7a076", "lime": "#bdbd00", "mintgreen": "#b1cea3", "navyblue": "#004d95",
    "natural": "#fbf4de", "orange": "#f48221", "pink": "#ff99b3", "rebeccapurple": "#663399",
    "red": "#d81e3e", "rose": "#ff007f", "turquoise": "#00a993", "violet": "#4d2674", "yellow": "#ffe600",
    "gray40": "#666666", "gray50": "#808080", "gray60": "#999999", "gray70": "#b3b3b3",
}  # fmt: skip

TILE_COLOURS = ("white", "yellow", "green", "brown", "gray", "purple", "red", "blue", "sepia")
_TILE_NAMES = {
    "grey": "gray",
    "lightblue": "blue",
    "water": "blue",
    "offboard": "red",
    "plain": "white",
    "none": "white",
}


def rgb(name: object) -> str | None:
    """Return a colour as #rrggbb, None for anything that is not a colour."""
    words = str(name or "").strip().lower().replace("_", "").replace("-", "").replace(" ", "")
    if re.fullmatch(r"#[0-9a-f]{6}([0-9a-f]{2})?", words):
        return words[:7]
    if re.fullmatch(r"#[0-9a-f]{3}", words):
        return "#" + "".join(2 * digit for digit in words[1:])
    return _NAMES.get(words) or _of_css(words)


def _of_css(words: str) -> str | None:
    import tinycss2.color3

    readable = words.isalpha() or words.startswith("rgb(")
    colour = tinycss2.color3.parse_color(words) if readable else None
    if colour is None or isinstance(colour, str) or not colour.alpha:
        return None
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour[:3])


def tile_colour(name: object) -> str | None:
    """Return a colour of tiles, None for one that Platelayer does not have."""
    words = str(name or "").strip().lower()
    words = _TILE_NAMES.get(words, words)
    return words if words in TILE_COLOURS else None


# Definitions of tiles and map hexes from tile strings.
#
# Features that the format cannot express are counted as lost; the tables below have one line per
# feature.


STOPS = {"city": "city", "town": "town", "halt": "halt", "pass": "pass", "offboard": "offboard"}
TERRAIN = {
    "mountain": "mountain", "hill": "hill", "water": "water", "river": "river", "lake": "lake", "sea": "sea",
    "swamp": "marsh", "marsh": "marsh", "desert": "desert", "forest": "forest", "rough": "rough",
}  # fmt: skip
# Kinds of border, by their names in tile strings.
BORDERS = {"impassable": "impassable", "province": "province", "offboard": "offboard", "water": "river",
           "mountain": "mountain", "divider": "divider", None: "none"}  # fmt: skip
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
# Icons of Platelayer by the last word of an image's path.
ICONS = {name: name for name in (
    "port", "anchor", "mine", "coal", "factory", "tree", "tunnel", "bridge", "star", "capital", "boat", "cactus", "coins",
    "house", "mail", "meat", "mountain", "river", "share", "tracks", "train",
)} | {"coalcar": "coal", "steamboat": "boat", "oil-derrick": "derrick", "home": "house"}  # fmt: skip
# Images that show terrain without a cost.
LANDSCAPE = {"mountain": "mountain", "river": "river"}

# Maximum number of letters on an icon.
_MOST_LETTERS = 12

# Phase of diesels: the engine pays a last value to diesel trains; boards print it for that phase.
DIESEL = "D"

# Fields that the format cannot express. Fields that only affect how 18xx.games draws (style, rows,
# large, sticky, size of an upgrade) are dropped silently: Platelayer has its own layout.
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
for _kind in ("city", "town", "halt", "pass", "offboard"):
    LOST_FIELDS[_kind, "format"] = "format of a revenue"


# Losses that the drawing of a tile does not show: they matter only in play, or are icons drawn as
# their names.
UNSEEN = {*LOST_FIELDS.values(), "icon without a picture"}


def tile_definition(
    parts: tuple[Part, ...],
    comments: Comments,
    *,
    keys: frozenset[str],
    on_map: bool,
    pictures: Pictures | None = None,
) -> Json:
    """Return a tile or map hex without its colour and name. `keys` are the keys that revenues may
    have, `pictures` the ones that icons may use."""
    for part in parts:
        for name in part.fields:
            if (part.kind, name) in LOST_FIELDS and part.fields[name]:
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
    else:
        tile["partitions"] += _rims(parts, comments)
        tile["track"] += (
            [int(part.fields["edge"]), "junction", {"gauge": "future", "terminal": "short"}]
            for part in parts
            if part.kind == "stub"
        )
    return filled(tile)


def _places(parts: tuple[Part, ...], comments: Comments) -> list[str]:
    """Return the ends of track that `_0`, `_1` ... refer to."""
    ends = []
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
        stop["revenue_hidden"] = True
    visits = part.get("visit_cost")
    if visits not in (None, "", "1"):
        stop["visits"] = int(visits)
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
    """Return a revenue from "40" or "yellow_30|brown_50"; values by keys that the title does not
    have are lost."""
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
    """Return the position of a stop: "centre", or an edge, with fractions between edges; otherwise
    None."""
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
    segments = []
    is_last_edge = isinstance(ends[1], int) and not isinstance(ends[0], int)
    pair = ends[::-1] if is_last_edge else ends  # edges come first
    for lanes in _lanes(part, ends):
        turned = lanes[::-1] if lanes and is_last_edge else lanes
        own = {**more, "lanes": turned} if turned else more
        segments.append([*pair, own] if own else pair)
    return segments


def _lanes(part: Part, ends: list[Any]) -> list[list[list[int]] | None]:
    """Return the lanes of a path, one entry per segment; parallel lanes swap sides between two
    edges."""
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
    """Return a label with its pictures replaced by the first letters of their names."""
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
    icons = []
    for part in parts:
        if part.kind == "icon" and _word(part) not in LANDSCAPE:
            image = part.fields["image"]
            icon: Any = ICONS.get(_word(part)) or pictures.find("icons", image)
            # A picture of an amount, such as "1846/20" or "minus_10", is written as a number.
            amount = re.fullmatch(r"(minus_|-)?([0-9]{1,4})", _last(part))
            if icon is None and amount:
                icon = named_icon(_last(part)) | {"text": f"{'–' if amount[1] else ''}{amount[2]}"}
            elif icon is None:
                comments.lose("icon without a picture", image)
            icons.append(icon or named_icon(_last(part)))
    return comments.fit("icons", icons, 20)


def _last(part: Part) -> str:
    """Return the last word in the path of an icon's image, "" for other parts."""
    return (
        part.fields["image"].rsplit("/", 1)[-1].removesuffix(".svg") if part.kind == "icon" else ""
    )


def _word(part: Part) -> str:
    return _last(part).lower()


def icon_word(part: Part) -> str:
    """Return the word of an icon, in the form in which `losses.mark` writes company symbols."""
    return mark(_last(part))


def named_icon(words: str) -> Json:
    """Return an icon that is drawn as its name."""
    name = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    if not re.match("[a-z]", name):
        name = f"sign-{name}".rstrip("-")
    text = re.sub("[_-]+", " ", words).strip()
    if len(text) > _MOST_LETTERS:
        text = text[: _MOST_LETTERS + 1].rsplit(" ", 1)[0][:_MOST_LETTERS]
    return {"name": name[:40].rstrip("-"), "text": text or "?"}


def _terrain(part: Part, comments: Comments) -> Json:
    kinds = []
    for word in filter(None, (part.get("terrain") or "").split("|")):
        kind = TERRAIN.get(word)
        if kind is None:
            comments.lose(f"terrain {word}")
        elif kind not in kinds:
            kinds.append(kind)
    cost = int(part.get("cost") or 0)
    return {"kinds": comments.fit("kinds of terrain", kinds, 4), **({"cost": cost} if cost else {})}


def _borders(parts: tuple[Part, ...], comments: Comments) -> list[Json]:
    borders = []
    for part in parts:
        if part.kind != "border":
            continue
        kind, cost = part.get("type"), int(part.get("cost") or 0)
        if kind not in BORDERS:
            comments.lose(f"border {kind}")
        border = {
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


# Distance from the centre to the ends of a tile's border, in apothems: slightly inside the edge,
# along which the tile is cut.
_RIM = 1.07


def _rims(parts: tuple[Part, ...], comments: Comments) -> list[Json]:
    """Return the borders of a tile as lines along its edges."""
    rims = []
    for border in _borders(parts, comments):
        edge, kind = border["edge"], border["kind"]
        if border.get("cost"):
            comments.lose("cost of a border of a tile", str(border["cost"]))
        if kind == "none":  # only hides the rim, which tiles do not have once cut out
            continue
        if kind not in PARTITIONS.values():
            comments.lose("border of a tile", kind)
            continue
        ends = {
            name: {"edge": (edge + way) % 6, "distance": _RIM}
            for name, way in (("a", -0.5), ("b", 0.5))
        }
        rims.append(ends | {key: border[key] for key in ("kind", "colour") if key in border})
    return comments.fit("borders of a tile", rims, 10)


def _partition(part: Part, comments: Comments) -> Json:
    kind = part.get("type") or "divider"
    if kind not in PARTITIONS:
        comments.lose(f"partition {kind}")
    # Corner k lies between edges k - 1 and k.
    a, b = ((int(part.fields[name][0]) - 0.5) % 6 for name in ("a", "b"))
    return {"a": a, "b": b, "kind": PARTITIONS.get(kind, "province")}


# Comparison of tiles, regardless of rotation and drawing.


def same_tile(one: Tile, other: Tile, rotations: Iterable[int] = EDGES) -> bool:
    """Return True if two tiles have the same colour, labels, stops, revenues, costs and track in
    one of the rotations, in whatever order these are listed; where stops are drawn does not
    matter."""
    wanted = _shape(one)
    return any(_shape(rotate_tile(other, turn)) == wanted for turn in rotations)


def turns(tile: Tile) -> int:
    """Return the number of different rotations: 1, 2, 3 or 6. After that many turns by 60 degrees
    the tile looks as before."""
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
    """Return the track of one stop: edges, and kinds of other ends, with gauges."""
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
# Each line is a tile: its number and colour (optional), its tile string, and a count in brackets
# (optional). Text after `#` is a comment:
#
#     # number colour string (count)
#     X1 yellow city=revenue:20;path=a:0,b:_0;path=a:2,b:_0 (2)
#     city=revenue:40;path=a:0,b:_0


MAX_BYTES = 1024 * 1024
# Number given to a tile that has none.
SKETCH = "tile"
_COUNT = re.compile(r"\(([0-9]{1,3})\)$")
_KEYS = frozenset((*TILE_COLOURS, "D"))
_COLOUR = "yellow"


def is_tile_string(words: str) -> bool:
    """Return True for a text that begins like a tile string and cannot be a path."""
    return words.split("=", maxsplit=1)[0].split(";", maxsplit=1)[0].strip() in FIELDS and (
        "=" in words or ";" in words or words == "junction"
    )


def tile_from_string(
    string: str, *, colour: str = _COLOUR, comments: Comments | None = None
) -> Json:
    """Return the definition of a tile. Raises ProblemsFound (IM01) for each faulty part."""
    parts, refused = read_tile(string)
    if refused:
        raise ProblemsFound([Problem("IM01", message, _hint(message)) for message in refused])
    tile = tile_definition(parts, comments or Losses().comments("tile"), keys=_KEYS, on_map=False)
    return {"colour": colour, **tile}


def _hint(message: str) -> str:
    """Return a suggestion of the part or field that an unknown one was meant to be."""
    unknown = re.search(r'no (part|field) "([^"]*)"', message)
    kind = re.match('"([a-z_]+)" has no field', message)
    return suggestion(unknown[2], FIELDS[kind[1]] if kind else FIELDS) if unknown else ""


def title_from_string(string: str) -> tuple[Json, tuple[Problem, ...]]:
    """Return a title with a single tile, for a quick look, and warnings about losses that the
    drawing does not show. Raises ProblemsFound (IM01) for errors in the string and for losses
    that the drawing would show."""
    losses = Losses()
    comments = losses.comments("tile")
    tile = tile_from_string(string, comments=comments)
    problems = tuple(
        Problem(
            "IM01",
            f"this cannot be drawn: {words}",
            severity=Severity.WARNING if words.partition(" (")[0] in UNSEEN else Severity.ERROR,
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


# End of messages about sources that cannot be read; and a pattern for the beginning of a part of a
# tile string.
OTHERS = "docs/importing.md lists what can be imported"
_LIKE_TILES = re.compile(rb"\b[a-z]+=[a-z]+:[0-9_-]")


def title_from_list(path: Path, title_id: str) -> Imported:
    """Return a title with the tiles of a text file. Raises CannotRun for a file that is too large
    or has no tiles, and ProblemsFound for every line that is not a tile."""
    data = read_bytes(path, MAX_BYTES)
    losses = Losses()
    problems = []
    tiles: Json = {}
    for line, text in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        words = re.sub(r"(^|\s)#.*", "", text).strip()
        if not words:
            continue
        try:
            number, entry = _tile(words, tiles, losses)
        except ProblemsFound as error:
            problems += [
                replace(problem, file=str(path), line=line, column=1) for problem in error.problems
            ]
            continue
        tiles[number] = entry
    if not tiles and not _LIKE_TILES.search(data):
        raise CannotRun(
            f"{path} has no tiles, such as X1 green city=revenue:40;path=a:0,b:_0; {OTHERS}"
        )
    if problems:
        raise ProblemsFound(problems)
    note = f"{path.name}, a list of tile strings, imported by Platelayer."
    head: Json = {"format": "platelayer.title/1", "id": title_id, "name": path.stem}
    head["provenance"] = [reference("tiles", note)]
    decides = ("a list of tiles has no map",)
    return complete(Imported(head=head, blocks={"tiles": tiles}, losses=losses, decides=decides))


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
    return ProblemsFound([Problem("IM02", message, hint)])


# Writing: tile strings from tiles and map hexes, using the inverted tables of reading. Features
# that the language cannot express are counted as lost.

_TERMINALS = {Terminal.LONG: "1", Terminal.SHORT: "2"}
_TERRAIN = {ours: theirs for theirs, ours in TERRAIN.items()} | {
    "marsh": "swamp",
    "mountain": "mountain",
}
_BORDERS = {ours: theirs for theirs, ours in BORDERS.items()}
_PARTITIONS = {ours: theirs for theirs, ours in PARTITIONS.items()}
_GAUGES = {ours: theirs for theirs, ours in GAUGES.items()} | {"ferry": "thin"}
_ICONS = {ours: theirs for theirs, ours in reversed(ICONS.items())}
_UNSEEN = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029]
_SEPARATORS = dict.fromkeys([*map(ord, ",;|:=_"), *_UNSEEN], " ")
_BETWEEN_PARTS = dict.fromkeys([ord(";"), *_UNSEEN], " ")


def tile_string(tile: Tile, comments: Comments, keys: Mapping[str, str] | None = None) -> str:
    """Return the string of a tile, which does not include its colour, number and name. `keys` has
    other names for the keys of revenues."""
    return write_tile(_parts(tile, comments, keys or {}))


def hex_string(hexagon: MapHex, comments: Comments, keys: Mapping[str, str] | None = None) -> str:
    """Return the string of a map hex, with its borders and stubs. `keys` has other names for the
    keys of revenues."""
    borders = (_border(border, comments) for border in hexagon.borders)
    stubs = (Part("stub", {"edge": str(edge)}) for edge in hexagon.stubs)
    if hexagon.half is not None:
        comments.lose("half of a hex", hexagon.half.value)
    if hexagon.zone:
        comments.lose("zone of a hex", hexagon.zone)
    return write_tile([*_parts(hexagon.tile, comments, keys or {}), *borders, *stubs])


def _parts(tile: Tile, comments: Comments, keys: Mapping[str, str]) -> Iterator[Part]:
    for stop in tile.stops:
        yield _written_stop(stop, comments, keys)
    if any(end.kind is EndKind.JUNCTION for segment in tile.track for end in segment.ends):
        yield Part("junction", {})
    for segment in tile.track:
        # Stops and junctions are numbered in string order: the junction is last.
        names = {
            EndKind.EDGE: "{0.index}",
            EndKind.STOP: "_{0.index}",
            EndKind.JUNCTION: f"_{len(tile.stops)}",
        }
        fields = {
            name: names[end.kind].format(end) for name, end in zip("ab", segment.ends, strict=True)
        }
        gauge = _GAUGES[None if segment.gauge.value == "standard" else segment.gauge.value]
        if segment.gauge is Gauge.FERRY:
            comments.lose("ferry")
        if gauge != "broad":
            fields["track"] = str(gauge)
        if segment.terminal is not None:
            fields["terminal"] = _TERMINALS[segment.terminal]
        if segment.lanes is not None:
            for name, lane in zip(("a_lane", "b_lane"), segment.lanes, strict=True):
                fields[name] = f"{lane.width}.{lane.index}"
        yield Part("path", fields)
    for label in tile.labels:
        text = _words(label.text, comments, _SEPARATORS if label.since else _BETWEEN_PARTS)
        if text and label.since is None:
            yield Part("label", {}, text=text)
        elif text:
            yield Part("future_label", {"label": text, "color": str(label.since)})
    for terrain in tile.terrain:
        for kind in terrain.kinds:
            if kind not in _TERRAIN:
                comments.lose("terrain", kind)
        fields = {"cost": str(terrain.cost)}
        known = [_TERRAIN[kind] for kind in terrain.kinds if kind in _TERRAIN]
        if known:
            fields["terrain"] = "|".join(known)
        yield Part("upgrade", fields)
    for icon in tile.icons:
        if icon.text:
            comments.lose("words of an icon", icon.text)
        yield Part("icon", {"image": _ICONS.get(icon.name, icon.name)})
    for partition in tile.partitions:
        # Corner k lies between edges k - 1 and k.
        corners = [(position.edge + 0.5) % 6 for position in (partition.a, partition.b)]
        own = _PARTITIONS.get(partition.kind)
        if partition.a.distance == partition.b.distance == _RIM and own is not None:
            yield Part("border", {"edge": f"{corners[0]:g}", "type": own})
            continue
        is_off_corner = any(not corner.is_integer() for corner in corners)
        if own is None or is_off_corner or partition.a.distance or partition.b.distance:
            comments.lose("line across a hex", partition.kind)
        else:
            fields = {"a": f"{corners[0]:g}", "b": f"{corners[1]:g}", "type": own}
            yield Part("partition", fields)
    if tile.frame is not None and tile.frame.startswith("#"):
        fields = {"color": tile.frame}
        if tile.second_frame is not None and tile.second_frame.startswith("#"):
            fields["color2"] = tile.second_frame
        yield Part("frame", fields)
    elif tile.frame is not None:
        comments.lose("frame in an ink of the theme", tile.frame)
    if tile.ground is not None:
        comments.lose("ground of another colour", tile.ground)
    if tile.stripes is not None:
        yield Part("stripes", {"color": tile.stripes})


def _written_stop(stop: Stop, comments: Comments, keys: Mapping[str, str]) -> Part:
    steps = stop.revenue
    if all(step.since is None for step in steps):
        fields = {"revenue": str(steps[0].value if steps else 0)}
    else:
        since = [step.since or "yellow" for step in steps]
        amounts = [
            f"{keys.get(key, key)}_{step.value}" for key, step in zip(since, steps, strict=True)
        ]
        fields = {"revenue": "|".join(amounts)}
    if stop.kind in WITH_SLOTS and stop.slots != 1:
        fields["slots"] = str(stop.slots)
    groups = "|".join(filter(None, (_words(group, comments) for group in stop.groups)))
    if groups:
        fields["groups"] = groups
    if stop.optional:
        fields["route"] = "optional"
    if stop.visits != 1:
        fields["visit_cost"] = str(stop.visits)
    if stop.revenue_hidden:
        fields["hide"] = "1"
    if stop.diamond:
        comments.lose("value in a diamond")
    if stop.hidden:
        fields |= {"style": "hidden"} if stop.kind is StopKind.TOWN else {"hide": "1"}
    if stop.boom and "boom" in FIELDS[stop.kind.value]:
        fields["boom"] = "1"
    if stop.kind is StopKind.HALT and (symbol := _words(stop.symbol, comments)):
        fields["symbol"] = symbol
    if stop.kind is StopKind.PASS and stop.size is not None:
        fields["size"] = str(stop.size)
    if stop.at is not None and stop.at.distance == 0:
        fields["loc"] = "center"
    elif stop.at is not None:
        fields["loc"] = f"{stop.at.edge % 6:g}"
        if stop.at.distance is not None:
            distance = f"{stop.at.distance:g}"
            comments.lose("distance of a stop from the centre", distance)
    if stop.name is not None:
        comments.lose("name of a single stop", stop.name.get("en"))
    return Part(stop.kind.value, fields)


def _words(text: str, comments: Comments, separators: Mapping[int, str] = _SEPARATORS) -> str:
    """Return words as a value of the language, which has no quoting: without the characters that
    separate parts and fields."""
    words = " ".join(text.translate(separators).split())
    if words != text:
        comments.lose("sign that separates parts of a tile string", text)
    return words


def _border(border: Border, comments: Comments) -> Part:
    fields = {"edge": str(border.edge)}
    if border.kind not in _BORDERS:
        comments.lose("kind of border", border.kind)
    kind = _BORDERS.get(border.kind, "province")
    if kind is not None:
        fields["type"] = kind
    if border.cost:
        fields["cost"] = str(border.cost)
    if border.colour is not None and border.colour.startswith("#"):
        fields["color"] = border.colour
    if border.since is not None or border.until is not None:
        comments.lose("phases of a border", f"{border.since or ''} to {border.until or ''}")
    return Part("border", fields)
