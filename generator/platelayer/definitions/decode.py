"""Models from checked JSON, by the descriptions of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

from msgspec import Struct, structs

from platelayer.model.described import BY_ID, DERIVED, OWN_FORMS, Beside, Read

Json = Mapping[str, Any]
Reader = Callable[[Any], Any]


def decode(described: Any, written: Any) -> Any:
    """The value of a described type (a struct, or an alias with marks) from JSON that its schema accepts."""
    reader = _reader(described)
    return written if reader is None else reader(written)


@cache
def _reader(described: Any) -> Reader | None:
    """What makes a value from JSON; None if the two are the same."""
    plain, marks, _ = unwrapped(described)
    for mark in (*marks, OWN_FORMS.get(plain)):
        if isinstance(mark, Read):
            return mark.make
    if get_origin(plain) is tuple:
        entry, _ = get_args(plain)
        return _by_id(entry) if BY_ID in marks else _listed(entry)
    if isinstance(plain, type) and issubclass(plain, Struct):
        return _struct(plain)
    return plain if isinstance(plain, type) and issubclass(plain, Enum) else None


class Described(NamedTuple):
    """A type without its marks and without "or None", its marks, those from the outside last, and whether None is
    among its values."""

    plain: Any
    marks: tuple[Any, ...]
    nullable: bool


def unwrapped(described: Any, marks: tuple[Any, ...] = (), *, nullable: bool = False) -> Described:
    """What a description says."""
    own = getattr(described, "__metadata__", None)
    if own is not None:
        return unwrapped(described.__origin__, (*own, *marks), nullable=nullable)
    choices = getattr(described, "__args__", ())
    if NoneType in choices:
        return unwrapped(next(each for each in choices if each is not NoneType), marks, nullable=True)
    return Described(described, marks, nullable)


def _listed(entry: Any) -> Reader:
    reader = _reader(entry)
    return tuple if reader is None else lambda written: tuple(map(reader, written))


def _by_id(entry: Any) -> Reader:
    reader = _struct(entry)
    return lambda written: tuple(reader(each, id=entry_id) for entry_id, each in written.items())


@cache
def _struct(kind: type[Struct]) -> Callable[..., Any]:
    """What makes a struct from an object; fields that are no keys of it are given by name."""
    readers: dict[str, tuple[str, Reader | None]] = {}
    beside: list[str] = []
    for each in structs.fields(kind):
        marks = unwrapped(each.type).marks
        if DERIVED not in marks:
            readers[each.encode_name] = each.name, _reader(each.type)
        if any(isinstance(mark, Beside) for mark in marks):
            beside.append(each.encode_name)

    def read(written: Json, **given: Any) -> Any:
        for key in beside:
            if key not in written:
                written = {**written, key: [written]}
        for key, value in written.items():
            if key in readers:
                name, reader = readers[key]
                given[name] = value if reader is None or value is None else reader(value)
        return kind(**given)

    return read
