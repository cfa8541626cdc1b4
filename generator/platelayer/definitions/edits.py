"""Edits of JSON files: the layout, the order and the comments of what they are not about stay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from platelayer.definitions.source import entries_at, value_begin, value_end
from platelayer.foundation.pointers import split_pointer

LAST = "-"
"""The index after the last of a list, as in JSON Patch (RFC 6902)."""
_COLUMNS = 120
_STEP = re.compile(r"\n([ \t]+)\S")


def with_value(text: str, pointer: str, value: Any) -> str:
    """The text with a value at a pointer, which replaces the one that is there. A key that is missing is added behind
    the others of its object, with the objects around it, an index one beyond the end (or LAST) behind the others of its
    list. Raises KeyError for any other index, and for a pointer that leads into a number or a string."""
    return _set(text, value_begin(text), split_pointer(pointer), value)


def without(text: str, pointer: str) -> str:
    """The text without the value at a pointer and its key. Raises KeyError if there is none, or for the whole text."""
    *path, last = split_pointer(pointer) or [""]
    entries = list(_Entry.inside(text, _found(text, path)))
    number = _number(entries, last)
    begin, end = entries[number].begin, entries[number].end
    if number + 1 < len(entries) and number == 0:
        end = entries[1].begin
    elif number:
        begin = entries[number - 1].end
    else:
        begin = text.rindex("{" if text[_found(text, path)] == "{" else "[", 0, begin) + 1
        end += len(text[end:]) - len(text[end:].lstrip())
    return text[:begin] + text[end:]


def renamed(text: str, pointer: str, key: str) -> str:
    """The text with another key for the value at a pointer. Raises KeyError if there is no such value in an object, and
    ValueError if the object has the new key already."""
    *path, last = split_pointer(pointer)
    at = _found(text, path)
    entries = list(_Entry.inside(text, at))
    if text[at] != "{":
        raise KeyError(pointer)
    if any(entry.key == key != last for entry in entries):
        raise ValueError(f'there is already a key "{key}"')
    begin = entries[_number(entries, last)].begin
    return text[:begin] + json.dumps(key, ensure_ascii=False) + text[value_end(text, begin) :]


class _Entry(NamedTuple):
    """An entry of an object or a list: where it begins (with its key, if it has one), where its value does, and where
    both end."""

    key: str
    begin: int
    value: int
    end: int

    @classmethod
    def inside(cls, text: str, at: int) -> Iterator[_Entry]:
        """What the container at an offset has, in order."""
        for key, spot in entries_at(text, at):
            yield cls(key, spot.key, spot.value, value_end(text, spot.value))


def _number(entries: Sequence[_Entry], key: str) -> int:
    for number, entry in enumerate(entries):
        if entry.key == key:
            return number
    raise KeyError(key)


def _found(text: str, path: Sequence[str]) -> int:
    """The offset of a value. Raises KeyError if it is not there."""
    at = value_begin(text)
    for key in path:
        entries = list(_Entry.inside(text, at))
        at = entries[_number(entries, key)].value
    return at


def _set(text: str, at: int, path: Sequence[str], value: Any) -> str:
    if not path:
        return text[:at] + _written(text, value, at) + text[value_end(text, at) :]
    key, *rest = path
    if text[at] not in "{[":
        raise KeyError(key)
    entries = list(_Entry.inside(text, at))
    for entry in entries:
        if entry.key == key:
            return _set(text, entry.value, rest, value)
    is_list = text[at] == "["
    if is_list and key not in (LAST, str(len(entries))):
        raise KeyError(key)
    for outer in reversed(rest):
        value = {outer: value}
    lead = "" if is_list else json.dumps(key, ensure_ascii=False) + ": "
    if not entries:
        return _set(text, at, (), [value] if is_list else {key: value})
    before_last = entries[-2].end if len(entries) > 1 else at + 1
    gap = text[before_last : entries[-1].begin].replace(",", "") or " "
    before, after = text[: entries[-1].end] + "," + gap + lead, text[entries[-1].end :]
    return before + _written(before, value, len(before)) + after


def _written(text: str, value: Any, at: int) -> str:
    """A value as JSON for an offset of a text, in the style of that text."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    steps = _STEP.search(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return laid_out(value, indent, len(line) - len(indent), step=steps[1] if steps else "  ").replace("\n", newline)


def laid_out(value: Any, indent: str = "", before: int = 0, *, step: str = "  ") -> str:
    """A value as JSON: on one line where it fits after an indent and `before` more columns, else an entry a line."""
    plain = json.dumps(value, ensure_ascii=False)
    fits = len(indent) + before + len(plain) < _COLUMNS
    if not isinstance(value, (dict, list)) or not value or fits:
        return plain
    inner = indent + step
    if isinstance(value, list):
        rows = [laid_out(entry, inner, step=step) for entry in value]
    else:
        keys = {json.dumps(key, ensure_ascii=False) + ": ": entry for key, entry in value.items()}
        rows = [key + laid_out(entry, inner, len(key), step=step) for key, entry in keys.items()]
    first, last = "[]" if isinstance(value, list) else "{}"
    return f"{first}\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}{last}"
