"""The tile language of 18xx.games: `city=revenue:40;path=a:0,b:_0`.

Parts are separated by `;`, their fields by `,`, lists by `|` (TILES.md of 18xx.games). A part is
read as it stands; `_0` names the first of the stops and junctions before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from platelayer.model.tile import LEAST_AMOUNT, MOST_AMOUNT

NODES = ("city", "town", "halt", "pass", "offboard", "junction")
"""Parts that track leads to, counted from 0 in the order of the string."""

MOST_CHARACTERS = 10_000
_CENTRE = ("revenue", "groups", "hide", "visit_cost", "route", "format", "loc")
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
"""Every kind of part with its fields."""

_NEEDED = {"path": ("a", "b"), "border": ("edge",), "stub": ("edge",), "icon": ("image",), "partition": ("a", "b"),
           "frame": ("color",), "stripes": ("color",), "future_label": ("label", "color")}  # fmt: skip
_END = re.compile(r"[0-6]|_[0-9]{1,2}")
_EDGE = re.compile(r"[0-6]")
_ONCE_ROUND = "6"
"""Edge 0 as some games write it."""
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
    ("upgrade", "cost"): _NUMBER,
    ("city", "slots"): re.compile(r"[0-9]"),
    ("pass", "slots"): re.compile(r"[0-9]"),
    ("partition", "a"): re.compile(r"[0-5][+-]?"),
    ("partition", "b"): re.compile(r"[0-5][+-]?"),
    ("partition", "length"): re.compile(r"[0-9]{0,3}\.?[0-9]{1,9}"),
}
_REVENUE = re.compile(r"-?[0-9]{1,9}|[A-Za-z0-9]+_-?[0-9]{1,9}(\|[A-Za-z0-9]+_-?[0-9]{1,9})*")


class Part(Struct, frozen=True, kw_only=True):
    """One part of a tile string: its kind, its fields in the order written, and the words of a
    label."""

    kind: str
    fields: dict[str, str]
    text: str = ""

    def get(self, name: str) -> str | None:
        """A field, or None."""
        return self.fields.get(name)


def read_tile(string: str) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The parts of a tile string that are right, and what is refused of it: a field that cannot be,
    or a part without what it needs."""
    refused: list[str] = []
    parts: list[Part] = []
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
    """The tile string of some parts."""
    return ";".join(map(_written, parts))


def _written(part: Part) -> str:
    if part.kind == "label":
        return f"label={part.text}"
    fields = ",".join(f"{name}:{value}" for name, value in part.fields.items())
    return f"{part.kind}={fields}" if fields else part.kind


def _part(words: str, refused: list[str]) -> Part | None:
    kind, _, rest = (part.strip() for part in words.partition("="))
    if kind not in FIELDS:
        refused.append(f'there is no part "{kind}"; parts are {", ".join(FIELDS)}')
        return None
    if kind == "label":
        if not rest:
            refused.append('"label" has no text; write label=Y')
            return None
        return Part(kind=kind, fields={}, text=rest)
    fields: dict[str, str] = {}
    faulty: set[str] = set()
    for pair in rest.split(",") if rest else ():
        name, colon, value = (part.strip() for part in pair.partition(":"))
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
    return Part(kind=kind, fields=fields)


def _fault(kind: str, name: str, value: str, colon: str) -> str:
    """What is wrong with a field, "" if nothing is."""
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


# Colours that other programs call by name, as #rrggbb: theirs first, then those of CSS.


_NAMES = {
    "aqua": "#00ffff", "azure": "#f0ffff", "beige": "#f5f5dc", "black": "#1a1a1a", "blue": "#0a70b3",
    "brightgreen": "#6ec037", "brown": "#8b4513", "crimson": "#dc143c", "cyan": "#00b7eb", "darkblue": "#00008b",
    "darkgreen": "#006400", "darkgrey": "#808080", "darkorange": "#ff8c00", "darkred": "#8b0000",
    "deepskyblue": "#00bfff",
    "fuchsia": "#ff00ff", "gold": "#ffd700", "goldenrod": "#daa520", "gray": "#808080", "green": "#237333",
    "grey": "#808080", "indigo": "#4b0082", "ivory": "#fffff0", "khaki": "#f0e68c", "lavender": "#b57edc",
    "lightblue": "#a2dced", "lightbrown": "#c7a076", "lightgreen": "#90ee90", "lightgrey": "#d3d3d3",
    "lightgray": "#d3d3d3", "lime": "#bdbd00", "magenta": "#ff00ff", "maroon": "#800000", "mintgreen": "#b1cea3",
    "navy": "#000080", "navyblue": "#004d95", "natural": "#fbf4de", "olive": "#808000", "orange": "#f48221",
    "orchid": "#da70d6", "peru": "#cd853f", "pink": "#ff99b3", "plum": "#dda0dd", "purple": "#800080",
    "rebeccapurple": "#663399",
    "red": "#d81e3e", "rose": "#ff007f", "salmon": "#fa8072", "seagreen": "#2e8b57", "sienna": "#a0522d",
    "silver": "#c0c0c0", "skyblue": "#87ceeb", "steelblue": "#4682b4", "tan": "#d2b48c", "teal": "#008080",
    "tomato": "#ff6347", "turquoise": "#00a993", "violet": "#4d2674", "wheat": "#f5deb3", "white": "#ffffff",
    "yellow": "#ffe600", "yellowgreen": "#9acd32", "dimgray": "#696969", "lightcoral": "#f08080",
    "gray40": "#666666", "gray50": "#808080", "gray60": "#999999", "gray70": "#b3b3b3",
    "mediumpurple": "#9370db", "mediumseagreen": "#3cb371", "royalblue": "#4169e1", "forestgreen": "#228b22",
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
    """A colour as #rrggbb, or None for what is no colour."""
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
    """A colour of tiles, or None for one that Platelayer does not have."""
    words = str(name or "").strip().lower()
    words = _TILE_NAMES.get(words, words)
    return words if words in TILE_COLOURS else None
