"""Values of a definition in one form each, whatever form they are written in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Struct, structs

from platelayer.definitions.build import PRIVATE_COLOUR, clearer, contrasting
from platelayer.definitions.decode import decode, keys_of, unwrapped
from platelayer.foundation.text import Text
from platelayer.model.company import Company
from platelayer.model.described import (
    FORMS,
    Alone,
    Beside,
    ById,
    InPlace,
    Inside,
    LeftOut,
    Or,
    Pairs,
    Read,
)
from platelayer.model.title import MARKER_COLOUR, Aid, Marker, TileCount, Tiles, Title

MISSING: Any = msgspec.UNSET
"""In place of a value that is not written."""
COMMENTS = ("$comment", "$schema", "format")
"""Keys that say nothing of the game."""
ID, PLAYERS = "\0id", "\0players"
"""Where a struct keeps, while it is read, the id of an entry and the most players of its title."""


class Shape(Struct, frozen=True):
    """How a described value is compared: a struct by its `keys`, an object by id or a list by its
    `entry`, anything else as a whole (`kind` "leaf")."""

    kind: str
    plain: Any
    marks: tuple[Any, ...]
    keys: Mapping[str, Any] = {}
    entry: Any = None


@cache
def shape(described: Any) -> Shape:
    """The shape of a described type."""
    plain, marks, _ = unwrapped(described)
    forms = (*marks, FORMS.get(plain))
    if any(isinstance(form, Read) and "propertyNames" in form.schema for form in forms):
        return Shape("entries", plain, marks, entry=Any)
    if any(isinstance(form, (Read, InPlace, Alone)) for form in forms):
        return Shape("leaf", plain, marks)
    if any(isinstance(form, (ById, Pairs)) for form in forms):
        entry = get_args(plain)[0]
        pair = any(isinstance(form, Pairs) for form in forms)
        return Shape("entries", plain, marks, entry=_second(entry) if pair else entry)
    if get_origin(plain) is tuple:
        return Shape("list", plain, marks, entry=get_args(plain)[0])
    if isinstance(plain, type) and issubclass(plain, Struct):
        return Shape("struct", plain, marks, keys=dict(_keys(plain)))
    return Shape("leaf", plain, marks)


def _second(entry: Any) -> Any:
    """The type of the values of pairs; a struct of two fields that may say more is written as a
    whole."""
    if get_origin(entry) is tuple:
        return get_args(entry)[1]
    fields = structs.fields(entry)
    return entry if len(fields) > 2 else fields[1].type


_IN_FILES: Mapping[tuple[type[Struct], str], Any] = {(Title, "tiles"): Tiles}
"""Blocks that the schema of their file describes, rather than the field of the title."""


def _keys(kind: type[Struct]) -> Any:
    for key, field_type in keys_of(kind):
        described = _IN_FILES.get((kind, key), field_type)
        inside = unwrapped(described)
        if any(isinstance(mark, Inside) for mark in inside.marks):
            yield from _keys(inside.plain)
        else:
            yield key, described


@cache
def beside(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Keys of a struct whose only entry may stand beside the others, with the type of the entry."""
    return tuple(
        (field.encode_name, get_args(unwrapped(field.type).plain)[0])
        for field in structs.fields(kind)
        if any(isinstance(mark, Beside) for mark in unwrapped(field.type).marks)
    )


def opened(form: Shape, written: Any) -> Any:
    """A value in the form that has all its keys: a count of tiles as an object, a space of the
    market as an object."""
    if written is MISSING or written is None:
        return written
    if form.plain is TileCount and not isinstance(written, Mapping):
        return {"count": written}
    if form.kind == "struct" and not isinstance(written, Mapping):
        for mark in (*form.marks, FORMS.get(form.plain)):
            if isinstance(mark, Or) and mark.make is not None:
                made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(mark.make(written)))
                return made
    if form.kind == "list" and not isinstance(written, list):
        for mark in form.marks:
            if isinstance(mark, Or) and mark.make is not None:
                return list(mark.make(written))
    return written


def apart(kind: type[Struct], one: Any, other: Any) -> tuple[Any, Any]:
    """Two objects of which either has several entries under a key, or none both have their only one
    beside the others."""
    for key, entry in beside(kind):
        if (key in one) != (key in other):
            inner = shape(entry).keys
            one, other = (
                side
                if key in side
                else {name: value for name, value in side.items() if name not in inner}
                | {key: [{name: value for name, value in side.items() if name in inner}]}
                for side in (one, other)
            )
    return one, other


@cache
def all_keys(kind: type[Struct]) -> Mapping[str, Any]:
    """The keys of a struct, and those that its only entry may have beside them."""
    keys = dict(_keys(kind))
    for _, entry in beside(kind):
        keys = {**shape(entry).keys, **keys}
    return keys


def keys_in_title(at: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Keys that lead into a title, and of each whether it is a field; others are ids and
    indices."""
    described: Any = Title
    for key in at:
        form = shape(described) if described is not None else None
        is_field = form is not None and form.kind == "struct"
        yield key, is_field
        described = (
            None if form is None else all_keys(form.plain).get(key) if is_field else form.entry
        )


_WORKED_OUT: Mapping[tuple[type[Struct], str], Callable[[Mapping[str, Any]], Any]] = {
    (Company, "colour"): lambda _: PRIVATE_COLOUR,
    (Company, "second"): lambda company: contrasting(company.get("colour", PRIVATE_COLOUR)),
    (Company, "text_colour"): lambda company: clearer(company.get("colour", PRIVATE_COLOUR)),
    (Company, "token_text"): lambda company: company.get(ID),
    (Aid, "count"): lambda aid: aid.get(PLAYERS),
    (Marker, "text_colour"): lambda marker: contrasting(marker.get("colour", MARKER_COLOUR)),
}
"""What is worked out from the rest of a struct where it is left out, besides what its description
says."""


class _Lazy(dict[str, Any]):
    """Fields of a struct, decoded when they are asked for."""

    def __init__(self, keys: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        super().__init__()
        self._keys, self._written = keys, written

    def __missing__(self, key: str) -> Any:
        return decode(self._keys[key], self._written[key])


def left_out(kind: type[Struct], key: str, described: Any, around: Mapping[str, Any]) -> Any:
    """What a key of a struct means that is left out, decoded; MISSING if that cannot be said of the
    struct alone."""
    if (kind, key) in _WORKED_OUT:
        return _WORKED_OUT[kind, key](around)
    for mark in unwrapped(described).marks:
        if isinstance(mark, LeftOut):
            try:
                return MISSING if mark.make is None else mark.make(_Lazy(all_keys(kind), around))
            except KeyError:
                return MISSING
    return _defaults(kind).get(key, MISSING)


@cache
def _defaults(kind: type[Struct]) -> Mapping[str, Any]:
    defaults: dict[str, Any] = {}
    for field in structs.fields(kind):
        plain = unwrapped(field.type).plain
        if any(isinstance(mark, Inside) for mark in unwrapped(field.type).marks):
            defaults |= _defaults(plain)
        elif field.default is not msgspec.NODEFAULT:
            defaults[field.encode_name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            defaults[field.encode_name] = field.default_factory()
    for _, entry in beside(kind):
        defaults = {**_defaults(entry), **defaults}
    return defaults


def value_of(described: Any, written: Any) -> Any:
    """What a written value means, decoded as far as it can be by itself."""
    form = shape(described)
    if written is MISSING or written is None:
        return written
    if form.kind == "leaf":
        try:
            return decode(described, written)
        except (
            TypeError,
            KeyError,
            ValueError,
            AttributeError,
        ):  # what only its surroundings explain
            return written
    return written


def same(described: Any, one: Any, other: Any, *, languages_of_both: bool = False) -> bool:
    """Whether two written values mean the same. `languages_of_both`: of texts, only what both
    languages have."""
    if one == other:
        return True
    if one is MISSING or other is MISSING or one is None or other is None:
        return False
    this, that = value_of(described, one), value_of(described, other)
    if languages_of_both and isinstance(this, Text) and isinstance(that, Text):
        shared = {code for code, _ in this.forms} & {code for code, _ in that.forms} or {"en"}
        return all(this.get(code) == that.get(code) for code in shared)
    return bool(this == that)


def digest(described: Any, written: Any) -> str:
    """A text that is equal for values that mean the same, for looking them up: lists without order
    have none."""
    form = shape(described)
    written = opened(form, written)
    if written is MISSING or written is None:
        return "null"
    if form.kind == "struct" and isinstance(written, Mapping):
        parts = []
        for key, inner in sorted(all_keys(form.plain).items()):
            if key in written and key not in COMMENTS:
                part = digest(inner, written[key])
                usual = left_out(form.plain, key, inner, written)
                if usual is MISSING or not _means(inner, written[key], usual):
                    parts.append(f"{key}:{part}")
        return "{" + ",".join(parts) + "}"
    if form.kind == "entries" and isinstance(written, Mapping):
        return (
            "{"
            + ",".join(f"{key}:{digest(form.entry, written[key])}" for key in sorted(written))
            + "}"
        )
    if form.kind == "list" and isinstance(written, (list, tuple)):
        return "[" + ",".join(digest(form.entry, entry) for entry in written) + "]"
    value = value_of(described, written)
    return json.dumps(value, sort_keys=True) if isinstance(value, (dict, list)) else repr(value)


def _means(described: Any, written: Any, usual: Any) -> bool:
    """Whether what is written is what is meant where nothing is."""
    try:
        return bool(decode(described, written) == usual)
    except (TypeError, KeyError, ValueError, AttributeError):
        return False


def is_usual(
    kind: type[Struct], key: str, described: Any, written: Any, around: Mapping[str, Any]
) -> bool:
    """Whether what is written at a key of a struct is what is meant where it is left out."""
    usual = left_out(kind, key, described, around)
    return usual is not MISSING and (
        written is None if usual is None else _means(described, written, usual)
    )
