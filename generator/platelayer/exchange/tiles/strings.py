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
