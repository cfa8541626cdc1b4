"""Edits of JSON files: the layout, the order and the comments of what they are not about stay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from platelayer.definitions.source import entries_at, value_begin, value_end
from platelayer.foundation.pointers import split_pointer

# The index after the last of a list, as in JSON Patch (RFC 6902).
LAST = "-"
_COLUMNS = 120
_STEP = re.compile(r"\n([ \t]+)\S")
_HALF = re.compile("[\ud800-\udfff]")


def with_value(text: str, pointer: str, value: Any) -> str:
    """The text with a value at a pointer, which replaces the one that is there. A key that is
    missing is added behind the others of its object, with the objects around it, an index one
    beyond the end (or LAST) behind the others of its list. Raises KeyError for any other index, and
    for a pointer that leads into a number or a string; ValueError for a key that is there twice."""
    return _set(text, value_begin(text), split_pointer(pointer), value)


def without(text: str, pointer: str) -> str:
    """The text without the value at a pointer and its key. Raises KeyError if there is none, or for
    the whole text; ValueError if its key is there twice."""
    *path, last = _parted(pointer)
    entries = list(_Entry.inside(text, _found(text, path)))
    number = _number(entries, last)
    begin, end = entries[number].begin, entries[number].end
    # The comma behind the first entry goes with it, else the one before; with the only entry go the
    # line breaks within the brackets.
    if number + 1 < len(entries) and number == 0:
        end = entries[1].begin
    elif number:
        begin = entries[number - 1].end
    else:
        begin = text.rindex("{" if text[_found(text, path)] == "{" else "[", 0, begin) + 1
        end += len(text[end:]) - len(text[end:].lstrip())
    return text[:begin] + text[end:]


def renamed(text: str, pointer: str, key: str) -> str:
    """The text with another key for the value at a pointer. Raises KeyError if there is no such
    value in an object, and ValueError if the object has the new key already, or the old one
    twice."""
    *path, last = _parted(pointer)
    at = _found(text, path)
    entries = list(_Entry.inside(text, at))
    if text[at] != "{":
        raise KeyError(pointer)
    if any(entry.key == key != last for entry in entries):
        raise ValueError(f'there is already a key "{key}"')
    begin = entries[_number(entries, last)].begin
    return text[:begin] + _plain(key) + text[value_end(text, begin) :]


def moved(text: str, pointer: str, to: int) -> str:
    """The text with the value at a pointer, and its key, at another place among those of its object
    or list. Raises KeyError if there is no such value or no such place."""
    *path, last = split_pointer(pointer) or [""]
    entries = list(_Entry.inside(text, _found(text, path)))
    if not 0 <= to < len(entries):
        raise KeyError(str(to))
    order = [*entries]
    order.insert(to, order.pop(_number(entries, last)))
    made = text
    # From the end, so that the offsets of the entries before stay right.
    for place, entry in reversed(list(zip(entries, order, strict=True))):
        made = made[: place.begin] + text[entry.begin : entry.end] + made[place.end :]
    return made


def text_at(text: str, pointer: str) -> str:
    """The part of a text that is the value at a pointer. Raises KeyError if there is none."""
    at = _found(text, split_pointer(pointer))
    return text[at : value_end(text, at)]


class _Entry(NamedTuple):
    """An entry of an object or a list: where it begins (with its key, if it has one), where its
    value does, and where both end."""

    key: str
    begin: int
    value: int
    end: int

    @classmethod
    def inside(cls, text: str, at: int) -> Iterator[_Entry]:
        """Entries of the container at an offset, in order."""
        for key, spot in entries_at(text, at):
            yield cls(key, spot.key, spot.value, value_end(text, spot.value))


def _parted(pointer: str) -> list[str]:
    """The keys of a pointer. Raises KeyError for that of the whole text."""
    if not pointer:
        raise KeyError(pointer)
    return list(split_pointer(pointer))


def _number(entries: Sequence[_Entry], key: str) -> int:
    """The number of the entry with a key. Raises KeyError if there is none, ValueError if there are
    several: readers differ in which of them counts."""
    numbers = [number for number, entry in enumerate(entries) if entry.key == key]
    if not numbers:
        raise KeyError(key)
    if len(numbers) > 1:
        raise ValueError(f'the key "{key}" is there twice: remove one of the two')
    return numbers[0]


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
    if any(entry.key == key for entry in entries):
        return _set(text, entries[_number(entries, key)].value, rest, value)
    is_list = text[at] == "["
    if is_list and key not in (LAST, str(len(entries))):
        raise KeyError(key)
    for outer in reversed(rest):
        value = {outer: value}
    lead = "" if is_list else _plain(key) + ": "
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
    return laid_out(
        value, indent, len(line) - len(indent), step=steps[1] if steps else "  "
    ).replace("\n", newline)


def _plain(value: Any) -> str:
    """A value on one line. Half a character, which no file can keep, stays an escape."""
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(value, ensure_ascii=False))


def laid_out(
    value: Any, indent: str = "", before: int = 0, *, step: str = "  ", open_first: bool = False
) -> str:
    """A value as JSON: on one line where it fits after an indent and `before` more columns, else an
    entry a line. `open_first`: the outermost object or list has a line for each of its entries in
    any case."""
    plain = _plain(value)
    fits = len(indent) + before + len(plain) < _COLUMNS and not open_first
    if not isinstance(value, (dict, list)) or not value or fits:
        return plain
    inner = indent + step
    if isinstance(value, list):
        rows = [laid_out(entry, inner, step=step) for entry in value]
    else:
        keys = {_plain(key) + ": ": entry for key, entry in value.items()}
        rows = [key + laid_out(entry, inner, len(key), step=step) for key, entry in keys.items()]
    first, last = "[]" if isinstance(value, list) else "{}"
    return f"{first}\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}{last}"
