"""Fast yes-or-no checks against the shipped JSON Schemas.

Importing jsonschema takes longer than everything else that a check does, and it is needed only to
say WHAT is wrong. So functions compiled from the same schema files first check whether anything is
wrong at all. They support only the keywords that the shipped schemas use; tests verify that they
agree with jsonschema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from platelayer.foundation.resources import schema_path, schema_paths, shipped_json

Check = Callable[[Any], bool]

ANNOTATIONS = frozenset({"$schema", "$defs", "title", "description", "default", "examples"})


@cache
def raw_schema(name: str) -> dict[str, Any]:
    """A shipped schema as written in its file, e.g. `raw_schema("title")`."""
    schema: dict[str, Any] = shipped_json(schema_path(name))
    return schema


@cache
def quick_check(name: str, pointer: str = "") -> Check:
    """True for values that the schema (or the part of it at `pointer`) accepts.

    Raises KeyError for a schema with an unsupported keyword.
    """
    schema: Any = raw_schema(name)
    for token in pointer.split("/")[1:]:
        schema = schema[token]
    return _compile(schema, name)


@cache
def _homes() -> dict[int, str]:
    """The name of the schema that each of its parts belongs to, by the part's identity: no part is
    ever freed."""
    homes: dict[int, str] = {}
    for path in schema_paths():
        name = path.name.removesuffix(".schema.json")
        stack: list[Any] = [raw_schema(name)]
        while stack:
            part = stack.pop()
            if isinstance(part, dict):
                homes[id(part)] = name
                stack.extend(part.values())
            elif isinstance(part, list):
                stack.extend(part)
    return homes


_PARTS: dict[int, Check] = {}


def part_check(part: Any) -> Check:
    """True for values that a part of a shipped schema accepts; `part` is the same object that
    `raw_schema` holds."""
    if id(part) not in _PARTS:
        _PARTS[id(part)] = _compile(part, _homes()[id(part)])
    return _PARTS[id(part)]


def referred(part: Any) -> Any:
    """What the reference of a part of a shipped schema leads to; `part` is the same object that
    `raw_schema` holds."""
    file, _, pointer = part["$ref"].partition("#")
    target: Any = raw_schema(file.removesuffix(".schema.json") or _homes()[id(part)])
    for token in pointer.split("/")[1:]:
        target = target[token]
    return target


def whole_match(pattern: str, text: str) -> bool:
    """True when an anchored pattern matches all of a text: unlike `$`, not even a last line break
    is left over."""
    return re.fullmatch(pattern, text) is not None


def _compile(schema: Any, name: str) -> Check:
    if isinstance(schema, bool):
        return lambda _: schema
    checks: list[Check] = []
    for keyword, argument in schema.items():
        if keyword not in ANNOTATIONS and _LEADS.get(keyword) not in schema:
            checks.append(_KEYWORDS[keyword](argument, schema, name))
    if len(checks) == 1:
        return checks[0]
    parts = tuple(checks)

    return lambda value: all(part(value) for part in parts)


def _reference(target: str, _schema: Any, name: str) -> Check:
    file, _, pointer = target.partition("#")
    return quick_check(file.removesuffix(".schema.json") or name, pointer)


_TYPES: dict[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}


def _type(names: str | list[str], _schema: Any, _name: str) -> Check:
    if isinstance(names, str):
        return _TYPES[names]
    kinds = [_TYPES[name] for name in names]
    return lambda value: any(kind(value) for kind in kinds)


def _of(
    kind: type | tuple[type, ...], test: Callable[[Any, Any], bool]
) -> Callable[[Any, Any, str], Check]:
    """A keyword that checks one type of value and accepts all others."""

    def build(argument: Any, _schema: Any, _name: str) -> Check:
        return lambda value: (
            not isinstance(value, kind) or isinstance(value, bool) or test(value, argument)
        )

    return build


def _enum(allowed: list[Any], _schema: Any, _name: str) -> Check:
    return lambda value: any(value == wanted and type(value) is type(wanted) for wanted in allowed)


def _pattern(pattern: str, _schema: Any, _name: str) -> Check:
    matches = re.compile(pattern).fullmatch
    return lambda value: not isinstance(value, str) or matches(value) is not None


def unique_items(value: Any) -> bool:
    """True for a list without duplicates, and for anything that is not a list."""
    return not isinstance(value, list) or len(set(map(json.dumps, value))) == len(value)


def _unique(wanted: bool, _schema: Any, _name: str) -> Check:
    return unique_items if wanted else lambda _: True


def _object(_argument: Any, schema: Any, name: str) -> Check:
    """`properties` and `additionalProperties` together."""
    known = {key: _compile(part, name) for key, part in schema.get("properties", {}).items()}
    other = _compile(schema.get("additionalProperties", True), name)

    def check(value: Any) -> bool:
        return not isinstance(value, dict) or all(
            known.get(key, other)(item) for key, item in value.items()
        )

    return check


def _names(argument: Any, _schema: Any, name: str) -> Check:
    check = _compile(argument, name)
    return lambda value: not isinstance(value, dict) or all(map(check, value))


def _items(_argument: Any, schema: Any, name: str) -> Check:
    """`prefixItems` and `items` together."""
    first = [_compile(part, name) for part in schema.get("prefixItems", ())]
    rest = _compile(schema.get("items", True), name)

    def check(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        return all(
            (first[index] if index < len(first) else rest)(item) for index, item in enumerate(value)
        )

    return check


def _any_of(parts: list[Any], _schema: Any, name: str) -> Check:
    branches = tuple(_compile(part, name) for part in parts)
    return lambda value: any(branch(value) for branch in branches)


def _if(argument: Any, schema: Any, name: str) -> Check:
    condition = _compile(argument, name)
    then, otherwise = (
        _compile(schema.get("then", True), name),
        _compile(schema.get("else", True), name),
    )
    return lambda value: then(value) if condition(value) else otherwise(value)


_NUMBER = (int, float)
_KEYWORDS: dict[str, Callable[[Any, Any, str], Check]] = {
    "$ref": _reference,
    "type": _type,
    "enum": _enum,
    "const": lambda only, schema, name: _enum([only], schema, name),
    "pattern": _pattern,
    "minimum": _of(_NUMBER, lambda value, least: value >= least),
    "maximum": _of(_NUMBER, lambda value, most: value <= most),
    "exclusiveMinimum": _of(_NUMBER, lambda value, least: value > least),
    "minLength": _of(str, lambda value, least: len(value) >= least),
    "maxLength": _of(str, lambda value, most: len(value) <= most),
    "minItems": _of(list, lambda value, least: len(value) >= least),
    "maxItems": _of(list, lambda value, most: len(value) <= most),
    "uniqueItems": _unique,
    "minProperties": _of(dict, lambda value, least: len(value) >= least),
    "maxProperties": _of(dict, lambda value, most: len(value) <= most),
    "required": _of(dict, lambda value, keys: all(key in value for key in keys)),
    "properties": _object,
    "additionalProperties": _object,
    "propertyNames": _names,
    "items": _items,
    "prefixItems": _items,
    "anyOf": _any_of,
    "if": _if,
}
# Keywords that are read together with another, if that one is present.
_LEADS = {"then": "if", "else": "if", "prefixItems": "items", "additionalProperties": "properties"}
