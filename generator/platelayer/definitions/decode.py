"""Models from checked JSON and back, by the descriptions of their fields (model/described.py).

A reader is a function from JSON to a value, made once for each described type. None stands for a
type whose values equal their JSON, which saves a call for most fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, overload

from msgspec import Struct, structs

from platelayer.model.described import (
    DERIVED,
    FORMS,
    KEYS,
    AsArray,
    ById,
    ComputedDefault,
    Flattened,
    FlattenedIfSingle,
    OneOf,
    Pairs,
    Parsed,
    Shorthand,
    unwrapped,
)

Json = Mapping[str, Any]
Reader = Callable[[Any], Any]
_Kind = TypeVar("_Kind", bound=Struct)


@overload
def decode(described: type[_Kind], written: Any, **given: Any) -> _Kind: ...
@overload
def decode(described: Any, written: Any, **given: Any) -> Any: ...
def decode(described: Any, written: Any, **given: Any) -> Any:
    """Return the value of a described type (a struct, or an alias with marks) from JSON that its
    schema accepts. Fields of a struct that are `given` are not read."""
    if given:
        return _struct(unwrapped(described).plain)(written, **given)
    reader = _reader(described)
    return written if reader is None else reader(written)


@cache
def _reader(described: Any) -> Reader | None:
    """Return the reader of a described type."""
    plain, marks, nullable = unwrapped(described)
    reader = _reader_of(plain, marks)
    if reader is None or not nullable:
        return reader
    return lambda written: None if written is None else reader(written)


def _reader_of(plain: Any, marks: tuple[Any, ...]) -> Reader | None:
    for mark in (*marks, FORMS.get(plain)):
        if (reader := _marked(plain, mark)) is not None:
            return reader
    if get_origin(plain) is tuple:
        return _listed(get_args(plain)[0])
    if isinstance(plain, type) and issubclass(plain, Struct):
        return _struct(plain)
    return plain if isinstance(plain, type) and issubclass(plain, Enum) else None


def keys_of(kind: type[Struct]) -> Iterator[tuple[str, Any]]:
    """Yield the keys with which a struct is written and their described types: its fields, then
    other keys."""
    for field in structs.fields(kind):
        if DERIVED not in unwrapped(field.type).marks:
            yield field.encode_name, field.type
    yield from KEYS.get(kind, {}).items()


def _listed(entry: Any) -> Reader:
    reader = _reader(entry)
    return tuple if reader is None else lambda written: tuple(map(reader, written))


def _marked(plain: Any, mark: object) -> Reader | None:
    """Return the reader of values with a special written form, by its mark."""
    match mark:
        case Parsed():
            return mark.make or (lambda written: written)
        case Shorthand():
            whole, key = _struct(plain), structs.fields(plain)[0].encode_name
            return lambda written: whole(
                written if isinstance(written, Mapping) else {key: written}
            )
        case AsArray():
            return _as_array(plain)
        case OneOf():
            is_list = get_origin(plain) is tuple
            reader = _listed(get_args(plain)[0]) if is_list else _struct(plain)
            main, make = list if is_list else dict, mark.make or (lambda written: written)
            return lambda written: reader(written) if isinstance(written, main) else make(written)
        case ById():
            entry = unwrapped(get_args(plain)[0]).plain
            whole, first = _struct(entry), structs.fields(entry)[0]
            name, read = first.name, _always(first.type)
            return lambda written: tuple(
                whole(item, **{name: read(entry_id)}) for entry_id, item in written.items()
            )
        case Pairs():
            entry = get_args(plain)[0]
            key_of, value_of = map(_always, pair_types(entry))
            if get_origin(entry) is tuple:
                return lambda written: tuple(
                    (key_of(name), value_of(item)) for name, item in written.items()
                )
            one, other = (field.name for field in structs.fields(entry))
            return lambda written: tuple(
                entry(**{one: key_of(name), other: value_of(item)})
                for name, item in written.items()
            )
    return None


def _always(described: Any) -> Reader:
    return _reader(described) or (lambda written: written)


def pair_types(entry: Any) -> tuple[Any, Any]:
    """Return the described types of both sides of a pair, which is a tuple or a struct."""
    if get_origin(entry) is tuple:
        return get_args(entry)
    first, second = structs.fields(entry)
    return first.type, second.type


def _as_array(kind: type[Struct]) -> Reader:
    reader = _struct(kind)
    keys = [field.encode_name for field in structs.fields(kind) if field.required]

    def read(written: list[Any]) -> Any:
        # Optional fields follow in an object at the end.
        rest = written[len(keys)] if len(written) > len(keys) else {}
        return reader({**dict(zip(keys, written, strict=False)), **rest})

    return read


@cache
def _struct(kind: type[Struct]) -> Callable[..., Any]:
    """Return the reader of a struct from an object."""
    readers: dict[str, tuple[str, Reader | None]] = {}
    computed: list[tuple[str, Callable[[Json], Any]]] = []
    flattened = []
    for field in structs.fields(kind):
        marks = unwrapped(field.type).marks
        if DERIVED not in marks:
            readers[field.encode_name] = field.name, _reader(field.type)
        if any(isinstance(mark, FlattenedIfSingle) for mark in marks):
            flattened.append(field.encode_name)
        computed += (
            (field.name, mark.make)
            for mark in marks
            if isinstance(mark, ComputedDefault) and mark.make
        )

    def read(written: Json, **given: Any) -> Any:
        for key in flattened:
            if key not in written:
                written = {**written, key: [written]}
        # Schemas have refused unknown keys; the remaining ones are comments and derived fields.
        for key, value in written.items():
            if key in readers:
                name, reader = readers[key]
                if name not in given:
                    given[name] = value if reader is None else reader(value)
        # Follow the order of the fields, because a default may depend on earlier ones.
        for name, make in computed:
            if name not in given:
                given[name] = make(given)
        return kind(**given)

    return read


def encode(value: Any, described: Any = None) -> Any:
    """Return JSON from which `decode` makes a value; for a struct, without defaults and derived
    fields. Works for tiles and hexes of maps, which have no values written by id or as pairs."""
    plain, marks, _ = unwrapped(described or type(value))
    for mark in (*marks, FORMS.get(plain)):
        if isinstance(mark, Parsed) and mark.write and value is not None:
            return mark.write(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [encode(entry, get_args(plain)[0]) for entry in value]
    if not isinstance(value, Struct):
        return value
    written: dict[str, Any] = {}
    given: dict[str, Any] = {}
    for field in structs.fields(value):
        _, marks, _ = unwrapped(field.type)
        own = given[field.name] = getattr(value, field.name)
        computed = [
            mark.make(given) for mark in marks if isinstance(mark, ComputedDefault) and mark.make
        ]
        if DERIVED in marks or own == (*computed, field.default)[0]:
            continue
        entry = encode(own, field.type)
        written |= (
            entry
            if any(isinstance(mark, Flattened) for mark in marks)
            else {field.encode_name: entry}
        )
    if isinstance(FORMS.get(plain), AsArray):
        required = [
            written.pop(field.encode_name) for field in structs.fields(value) if field.required
        ]
        return [*required, *([written] if written else ())]
    return written
