"""Hints that say how a value refused by a schema could be written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from platelayer.definitions.quick import part_check, raw_schema, referred

Part = dict[str, Any]


_OF_THE_SAME_VALUE = frozenset({"anyOf", "then", "else"})
_EXAMPLE = re.compile(r"\b(?:Examples?:|e\.g\.) ")
_DIGITS = re.compile("-?[0-9]{1,16}")
_SHORT_RGB = re.compile("#?([0-9a-fA-F]{3})")
_STEPS = re.compile("([a-z]+)_([0-9]{1,4})")
_WITHOUT_LIMIT = frozenset({"unlimited", "infinite", "all", "any", "none", "∞", 99, 999, 9999})
_LONGEST = 200
"""Letters of a value as JSON beyond which none is proposed: nobody reads a longer hint."""
_DEEPEST = 4


def parts_at(schema: str, path: Sequence[str | int]) -> tuple[Part, ...]:
    """The parts of a shipped schema that describe one value, by the path of the keyword that
    refuses it. The outermost comes first: what a property says of itself before what it refers
    to."""
    parts = _with_targets((raw_schema(schema),))
    tokens = list(path[:-1])
    while tokens:
        step = str(tokens.pop(0))
        inner: Any = next((part[step] for part in reversed(parts) if step in part), None)
        if isinstance(inner, list) or step == "properties":
            inner = inner[tokens.pop(0)]
        if not isinstance(inner, dict):
            break
        parts = _with_targets((*parts, inner) if step in _OF_THE_SAME_VALUE else (inner,))
    return parts


def parts_of_key(holder: Sequence[Part], key: str) -> tuple[Part, ...]:
    """The parts that describe the value of a key, by those that describe the object."""
    inner = (part["properties"][key] for part in holder if key in part.get("properties", ()))
    return _with_targets(tuple(islice(inner, 1)))


def _with_targets(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Some parts, and after the last of them what it refers to."""
    while parts and "$ref" in parts[-1]:
        parts = (*parts, referred(parts[-1]))
    return parts


def example(parts: Sequence[Part]) -> str:
    """The first example in the descriptions of some parts, as JSON that they accept; "" if there is
    none."""
    for part in parts:
        description = part.get("description", "")
        match = _EXAMPLE.search(description)
        if match:
            try:
                value, end = json.JSONDecoder().raw_decode(description, match.end())
            except ValueError:
                continue
            if part_check(part)(value):
                return str(description[match.end() : end])
    return ""


def repaired(value: Any, parts: Sequence[Part]) -> str:
    """The value as JSON in the form that a part asks for: in a list, in an object of one key, with
    or without quotes; "" if no such form fits."""
    if len(json.dumps(value, ensure_ascii=False, default=str)) > _LONGEST:
        return ""
    for form in _forms(value, parts[0], _DEEPEST):
        if part_check(parts[0])(form):
            return json.dumps(form, ensure_ascii=False)
    return ""


def _forms(value: Any, part: Part, depth: int) -> Iterator[Any]:
    """Forms of a value that a part might accept, the likeliest first."""
    if depth == 0:
        return
    if "$ref" in part:
        yield from _forms(value, referred(part), depth)
    for choice in part.get("anyOf", ()):
        yield from _forms(value, choice, depth)
    yield value
    wanted = part.get("type", ())
    wanted = {wanted} if isinstance(wanted, str) else set(wanted)
    if "string" in wanted:
        yield from _texts(value)
    if "integer" in wanted and isinstance(value, str) and _DIGITS.fullmatch(value):
        yield int(value)
    if "null" in wanted and not isinstance(value, (list, dict)) and value in _WITHOUT_LIMIT:
        yield None
    if "array" in wanted and isinstance(part.get("items"), dict):
        # A number in place of a list is more often a number of things than the only one of them.
        yield from (
            [form] for form in _forms(value, part["items"], depth - 1) if not isinstance(form, int)
        )
    if "object" in wanted and not isinstance(value, (dict, list)):
        first = (key for key in part.get("properties", ()) if not key.startswith("$"))
        steps = {key: int(number) for key, number in _STEPS.findall(str(value))}
        yield from (steps,) if steps else ()
        keys = part.get("required") or tuple(islice(first, 1))
        for form in _forms(value, part["properties"][keys[0]], depth - 1) if len(keys) == 1 else ():
            yield {keys[0]: form}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    if isinstance(value, str):
        yield f"#{value}"
        short = _SHORT_RGB.fullmatch(value)
        if short:
            yield "#" + "".join(digit * 2 for digit in short[1])
        yield value.replace("%s", "{}").replace("%d", "{}").replace("#", "{}")
        # As the tile strings of 18xx.games have it.
        yield value.removeprefix("image:")
        yield value.replace("_", "stop:")
