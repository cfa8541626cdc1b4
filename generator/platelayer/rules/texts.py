"""Every text of a title that people read, with a pointer to its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import fields

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.text import Text
from platelayer.model.company import Company
from platelayer.model.described import Beside, ById, Derived, Inside, Pairs
from platelayer.model.picture import Picture
from platelayer.model.title import TileCount, Title

Located = tuple[str, Text]
_Marks = frozenset[type]


def located_texts(title: Title) -> tuple[Located, ...]:
    """(JSON pointer, text) of all texts of a title, in the order of the format."""
    return tuple(_texts(title, ()))


def _texts(value: Any, at: tuple[str | int, ...], marks: _Marks = frozenset()) -> Iterator[Located]:
    """The texts in a value of the model, whose field has some marks."""
    if isinstance(value, Text):
        yield join_pointer(*at), value
    elif isinstance(value, Struct):
        for name, key, own in _fields(type(value)):
            yield from _texts(getattr(value, name), at if Inside in own else (*at, key), own)
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            if isinstance(entry, Company):
                yield from _texts(entry, (entry.block, entry.id))
            elif isinstance(entry, TileCount):
                yield from _texts(entry, (*at, entry.tile.id))
            elif ById in marks or isinstance(entry, Picture):
                first = getattr(entry, entry.__struct_fields__[0])
                yield from _texts(entry, (*at, getattr(entry, "id", first)))
            elif Pairs in marks:
                yield from _texts(entry[1], (*at, entry[0]))
            else:
                yield from _texts(
                    entry, at[:-1] if Beside in marks and len(value) == 1 else (*at, number)
                )


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, str, _Marks], ...]:
    """The fields of a struct that may hold texts: their names, here and in the definition, and
    kinds of their marks."""
    marked = (
        (field, frozenset(map(type, getattr(field.type, "__metadata__", ()))))
        for field in fields(kind)
    )
    return tuple(
        (field.name, field.encode_name, marks)
        for field, marks in marked
        if Derived not in marks and _may_hold_texts(field.type)
    )


def _may_hold_texts(described: Any) -> bool:
    if isinstance(described, type) and issubclass(described, Struct):
        return described is Text or bool(_fields(described))
    return any(map(_may_hold_texts, get_args(described)))


def languages_of(title: Title) -> tuple[str, ...]:
    """The languages that a title is written in: English, and those that at least half of its texts
    by language have."""
    counts, told = _by_language(title)
    return (
        "en",
        *sorted(code for code, count in counts.items() if code != "en" and 2 * count >= told),
    )


def spoken(title: Title) -> tuple[str, ...]:
    """The languages that any text of a title is in, in the order of their codes."""
    return tuple(sorted(_by_language(title)[0]))


def _by_language(title: Title) -> tuple[Counter[str], int]:
    """How many of the title's own texts there are in each language, and how many by language there
    are at all."""
    own = (text for _, text in located_texts(title) if not text.term)
    codes_of = [codes for text in own if (codes := [code for code, _ in text.forms if code])]
    return Counter(code for codes in codes_of for code in codes), len(codes_of)
