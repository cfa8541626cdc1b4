"""Edits of a title that change one fact each, made at random from the description of the format."""

from __future__ import annotations

import copy
import random
import string
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Literal, NamedTuple, get_args, get_origin

from platelayer.comparison.facts import (
    COMMENTS,
    NO_ORDER,
    ORDERED_BLOCKS,
    ORDERED_KEYS,
    all_keys,
    shape,
)
from platelayer.definitions.schemas import quick_check
from platelayer.foundation.text import Text
from platelayer.model.described import FORMS, AsArray, Distinct, Parsed, unwrapped
from platelayer.model.tile import Stop
from platelayer.model.title import Title

Keys = tuple[Any, ...]


class Edit(NamedTuple):
    """What was done where, and the title after it."""

    did: str
    at: Keys
    after: dict[str, Any]


class Part(NamedTuple):
    """A value of a title: the keys that lead to it, and its type as the model describes it."""

    at: Keys
    described: Any
    value: Any


def parts(described: Any, value: Any, at: Keys = ()) -> Iterator[Part]:
    """Every value of a title that the format describes, from the outside."""
    yield Part(at, described, value)
    form = shape(described)
    if form.kind == "struct" and isinstance(value, Mapping):
        for key, inner in all_keys(form.plain).items():
            if key in value and key not in COMMENTS and key != "patch":
                yield from parts(inner, value[key], (*at, key))
    elif form.kind == "entries" and isinstance(value, Mapping):
        for key, entry in value.items():
            yield from parts(form.entry, entry, (*at, key))
    elif form.kind == "list" and isinstance(value, list):
        for index, entry in enumerate(value):
            yield from parts(form.entry, entry, (*at, index))


def one_fact(title: dict[str, Any], chance: random.Random, places: list[Part]) -> Edit:
    """A title with one fact changed at random, so that its schema still accepts it."""
    while True:
        part = chance.choice(places)
        made = _edited(title, part, chance)
        if made is not None and quick_check("title")(made.after):
            return made


def _edited(title: dict[str, Any], part: Part, chance: random.Random) -> Edit | None:
    if not part.at:
        return None
    form = shape(part.described)
    after, around = _copied(title, part.at)
    edits = {"entries": _entries_edited, "list": _list_edited}
    did = edits.get(form.kind, _value_edited)(part, around, chance)
    return Edit(did[0], (*part.at, *did[1]), after) if did else None


_Did = tuple[str, Keys]
"""What was done, and to which entry of the value."""


def _entries_edited(part: Part, around: Any, chance: random.Random) -> _Did | None:
    entries = around[part.at[-1]]
    if not isinstance(entries, dict) or not entries:
        return None
    key = chance.choice([*entries])
    if chance.random() < 0.5:
        del entries[key]
        return "take out", (key,)
    new = _new_id(entries, part.at, key, chance)
    if new is None:
        return None
    entries[new] = copy.deepcopy(entries[key])
    return "put in", (new,)


def _list_edited(part: Part, around: Any, chance: random.Random) -> _Did | None:
    last = part.at[-1]
    entries = around[last]
    if not isinstance(entries, list) or not entries:
        return None
    index = chance.randrange(len(entries))
    if (
        last == "stops" and index < len(entries) - 1
    ):  # what track leads to would change with the numbers of stops
        return None
    if chance.random() < 0.5:
        del entries[index]
        return "take out", (index,)
    if last == "track":  # the same track twice is no more track
        return None
    entries.insert(index, copy.deepcopy(entries[index]))
    return "put in", (index,)


def _value_edited(part: Part, around: Any, chance: random.Random) -> _Did | None:
    last = part.at[-1]
    changed = None if chance.random() < 0.1 else _changed(part.described, part.value, chance)
    if changed is not None:
        around[last] = changed
        return "change", ()
    # Without a tile of its own, a number has the catalogue's, which may differ in more than one
    # fact.
    if isinstance(last, str) and isinstance(around, dict) and last != "tile":
        del around[last]
        return "leave out", ()
    return None


def _copied(title: dict[str, Any], at: Keys) -> tuple[dict[str, Any], Any]:
    """A title that can be changed at a place, and what is around that place."""
    after: dict[str, Any] = dict(title)
    around: Any = after
    for key in at[:-1]:
        around[key] = copy.copy(around[key])
        around = around[key]
    around[at[-1]] = copy.copy(around[at[-1]])
    return after, around


def _new_id(entries: Mapping[str, Any], at: Keys, key: str, chance: random.Random) -> str | None:
    if at[-1] == "hexes":
        rows = sorted({name.strip("0123456789-") for name in entries})
        new = f"{chance.choice(rows)}{chance.randrange(1, 60)}"
    else:
        new = (
            str(chance.randrange(2, 21))
            if at[-1] == "players"
            else f"{key}{chance.randrange(2, 9)}"
        )
    return None if new in entries else new


def _changed(described: Any, value: Any, chance: random.Random) -> Any:
    """Another value of the same kind; None where none is known."""
    choices = _choices(described)
    if choices:
        return chance.choice([one for one in choices if one != value])
    forms = (*unwrapped(described).marks, FORMS.get(unwrapped(described).plain))
    if any(isinstance(form, AsArray) for form in forms) and isinstance(value, list):
        return [chance.choice([edge for edge in range(6) if edge != value[0]]), *value[1:]]
    if isinstance(value, dict):
        languages = [key for key in value if unwrapped(described).plain is Text]
        language = chance.choice(languages) if languages else None
        return {**value, language: value[language] + "x"} if language else None
    return _CHANGED[type(value)](value, chance) if type(value) in _CHANGED else None


def _choices(described: Any) -> list[Any]:
    plain, marks, _ = unwrapped(described)
    if isinstance(plain, type) and issubclass(plain, Enum):
        return [one.value for one in plain]
    if get_origin(plain) is Literal:
        return [*get_args(plain)]
    forms = (*marks, FORMS.get(plain))
    return [
        one for form in forms if isinstance(form, Parsed) for one in form.schema.get("enum", ())
    ]


def _word(value: str, chance: random.Random) -> str:
    if value.startswith("#"):
        return f"#{chance.randrange(16**6):06x}"
    price = value.rstrip(string.ascii_letters)
    return f"{int(price) + 1}{value[len(price) :]}" if price.isdigit() else value + "x"


_CHANGED: dict[type, Callable[[Any, random.Random], Any]] = {
    bool: lambda value, _: not value,
    int: lambda value, chance: max(0, value + chance.choice((-10, -1, 1, 10))),
    float: lambda value, _: value + 0.5,
    str: _word,
}


def shuffled(described: Any, value: Any, chance: random.Random, at: Keys = ()) -> Any:
    """A title in another order wherever the order says nothing."""
    form = shape(described)
    if form.kind == "struct" and isinstance(value, Mapping):
        keys = all_keys(form.plain)
        items = [
            (key, shuffled(keys[key], part, chance, (*at, key)) if key in keys else part)
            for key, part in value.items()
        ]
        chance.shuffle(items)
        return dict(items)
    if form.kind == "entries" and isinstance(value, Mapping):
        items = [
            (key, shuffled(form.entry, part, chance, (*at, key))) for key, part in value.items()
        ]
        if at[-1:] not in tuple((block,) for block in ORDERED_BLOCKS):
            chance.shuffle(items)
        return dict(items)
    if form.kind == "list" and isinstance(value, list):
        entries = [shuffled(form.entry, part, chance, (*at, "0")) for part in value]
        plain = shape(form.entry).plain
        if (
            at[-1] not in ORDERED_KEYS
            and plain is not Stop
            and (plain in NO_ORDER or any(isinstance(mark, Distinct) for mark in form.marks))
        ):
            chance.shuffle(entries)
        return entries
    return value


def all_parts(title: dict[str, Any]) -> list[Part]:
    """Every value of an assembled title."""
    return [*parts(Title, title)]
