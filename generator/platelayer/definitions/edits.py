"""Edits of JSON files that keep the layout, order and comments of everything else.

The largest edit renumbers all hexes of a title. Every printed coordinate moves by the same letters
and numbers: the keys of hexes, references to them (`references.hex_references`), the origins of
maps, and the forms in which hexes are named in words ("hex:D4", "/maps/main/hexes/D4", and the
places of waivers). The hexes therefore stay where they are, and look the same. Prose is not
changed, but reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from platelayer.definitions.assemble import Assembled
from platelayer.definitions.decode import Json
from platelayer.definitions.references import hex_references, values_at
from platelayer.definitions.source import entries_at, value_begin, value_end
from platelayer.foundation.problems import CannotRun, Place, join_pointer, split_pointer
from platelayer.model.gamemap import index_from_letters, letters_from_index

# Stands for the index after the last entry of a list, as in JSON Patch (RFC 6902).
LAST = "-"
_COLUMNS = 120
# Entries up to this length are on one line in our own layout.
_SHORT = 90
_STEP = re.compile(r"\n([ \t]+)\S")
_HALF = re.compile("[\ud800-\udfff]")


def with_value(text: str, pointer: str, value: Any) -> str:
    """Return the text with a value at a pointer, replacing an existing one.

    A missing key is added after the others of its object, along with missing objects around it; an
    index one beyond the end (or LAST) after the others of its list. Raises KeyError for any other
    index, and for a pointer that leads into a number or a string; ValueError for a duplicate key.
    """
    return _set(text, value_begin(text), split_pointer(pointer), value)


def without(text: str, pointer: str) -> str:
    """Return the text without the value at a pointer and its key. Raises KeyError if there is none,
    or for the whole text; ValueError if its key is duplicated."""
    *path, last = _parted(pointer)
    entries = list(_Entry.inside(text, _found(text, path)))
    number = _number(entries, last)
    begin, end = entries[number].begin, entries[number].end
    # Remove the comma after the first entry with it, otherwise the comma before the entry; with a
    # single entry, remove the line breaks within the brackets as well.
    if number + 1 < len(entries) and number == 0:
        end = entries[1].begin
    elif number:
        begin = entries[number - 1].end
    else:
        begin = text.rindex("{" if text[_found(text, path)] == "{" else "[", 0, begin) + 1
        end += len(text[end:]) - len(text[end:].lstrip())
    return text[:begin] + text[end:]


def renamed(text: str, pointer: str, key: str) -> str:
    """Return the text with another key for the value at a pointer. Raises KeyError if there is no
    such value in an object, and ValueError if the object already has the new key, or has the old
    one twice."""
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
    """Return the text with the value at a pointer, and its key, moved to another position in its
    object or list. Raises KeyError if there is no such value or position."""
    *path, last = split_pointer(pointer) or [""]
    entries = list(_Entry.inside(text, _found(text, path)))
    if not 0 <= to < len(entries):
        raise KeyError(str(to))
    order = [*entries]
    order.insert(to, order.pop(_number(entries, last)))
    made = text
    # Begin at the end, so that the offsets of earlier entries stay valid.
    for place, entry in reversed(list(zip(entries, order, strict=True))):
        made = made[: place.begin] + text[entry.begin : entry.end] + made[place.end :]
    return made


def text_at(text: str, pointer: str) -> str:
    """Return the part of a text that is the value at a pointer. Raises KeyError if there is
    none."""
    at = _found(text, split_pointer(pointer))
    return text[at : value_end(text, at)]


class _Entry(NamedTuple):
    """An entry of an object or a list: the offsets of its beginning (including its key, if any), of
    its value, and of its end."""

    key: str
    begin: int
    value: int
    end: int

    @classmethod
    def inside(cls, text: str, at: int) -> Iterator[_Entry]:
        """Yield entries of the container at an offset, in order."""
        for key, spot in entries_at(text, at):
            yield cls(key, spot.key, spot.value, value_end(text, spot.value))


def _parted(pointer: str) -> list[str]:
    """Return the keys of a pointer. Raises KeyError for the pointer of the whole text."""
    if not pointer:
        raise KeyError(pointer)
    return list(split_pointer(pointer))


def _number(entries: Sequence[_Entry], key: str) -> int:
    """Return the position of the entry with a key. Raises KeyError if there is none, ValueError if
    there are several, because programs differ in which one counts."""
    numbers = [number for number, entry in enumerate(entries) if entry.key == key]
    if not numbers:
        raise KeyError(key)
    if len(numbers) > 1:
        raise ValueError(f'the key "{key}" is there twice: remove one of the two')
    return numbers[0]


def _found(text: str, path: Sequence[str]) -> int:
    """Return the offset of a value. Raises KeyError if it does not exist."""
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
    if not entries:
        return _set(text, at, (), [value] if is_list else {key: value})
    alone = len(entries) == 1
    before_last = at + 1 if alone else entries[-2].end
    gap = text[before_last : entries[-1].begin].replace(",", "") or " " * alone
    last = entries[-1]
    lead = "" if is_list else _plain(key) + text[value_end(text, last.begin) : last.value]
    before, after = text[: last.end] + "," + gap + lead, text[last.end :]
    beside = [text[entry.value : entry.end] for entry in entries]
    if not all(other[0] in "[{" and other[0] == _plain(value)[0] for other in beside):
        beside = []
    return before + _written(before, value, len(before), beside) + after


def _written(text: str, value: Any, at: int, beside: Sequence[str] = ()) -> str:
    """Return a value as JSON for an offset of a text, in the style of that text: on one line, or
    with one line for each entry, like all values `beside` it."""
    if beside and not any("\n" in other for other in beside):
        return _plain(value)
    line = text[text.rfind("\n", 0, at) + 1 : at]
    steps = _STEP.search(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    # If an entry that would fit on one line has several, the author wants it so.
    opened = [" ".join(other.split()) for other in beside if "\n" in other]
    is_open = len(opened) == len(beside) and any(len(other) < _SHORT for other in opened)
    return laid_out(
        value,
        indent,
        len(line) - len(indent),
        step=steps[1] if steps else "  ",
        open_first=is_open,
    ).replace("\n", newline)


def _plain(value: Any) -> str:
    """Return a value on one line. A lone surrogate, which no file can store, stays an escape."""
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(value, ensure_ascii=False))


def laid_out(
    value: Any, indent: str = "", before: int = 0, *, step: str = "  ", open_first: bool = False
) -> str:
    """Return a value as JSON: on one line if it fits after an indent and `before` more columns,
    otherwise one line for each entry. With `open_first`, the outermost object or list always has
    one line for each entry."""
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


_COORDINATES = r"(?:[a-z]|[A-Z]{1,2})-?[0-9]{1,3}"
_NAME = re.compile(rf"({_COORDINATES})")
_IN_FORM = re.compile(rf"(^hex:(?:[^/]+/)?|^/maps/[^/]+/hexes/)({_COORDINATES})(?=/|$)")
_IN_PROSE = re.compile(rf"(?<![\w-]){_COORDINATES}(?!\w)")
_PARTS = re.compile(r"^([a-z]|[A-Z]{1,2})?(-?[0-9]{1,3})?$")
# Columns a to z, before A, and columns of one or two capitals; row numbers of up to three digits.
_LETTERS = range(-26, 26 * 27)
_NUMBERS = range(-999, 1000)
_Path = tuple[str | int, ...]
_OTHERS = ("companies", "privates", "trains", "phases", "tiles", "pictures")


class Renumbered(Struct, frozen=True, kw_only=True):
    """The files that change, by path, with their new texts; the replaced coordinates, old to new;
    the number of replacements; and the places of prose that still names an old one."""

    files: Mapping[Path, str]
    names: Mapping[str, str]
    count: int
    prose: tuple[tuple[Place, str], ...]


def renumber(assembled: Assembled, first: str = "A1") -> Renumbered:
    """Return the files of a title, without its variants applied, renumbered so that the first
    column or row of hexes is `first`: a letter, a number or both.

    Raises CannotRun for anything else, and for coordinates beyond the available letters and
    numbers.
    """
    title = assembled.value
    parts = _PARTS.match(first)
    if parts is None or not first:
        raise CannotRun(f"{first!r} is not a coordinate such as A1")
    references = list(hex_references(title))
    known = {name for _, name, is_key in references if is_key}
    if not known:
        raise CannotRun("there is no map with hexes of its own to renumber")
    letters, numbers = zip(*map(_split, known), strict=True)
    steps = (
        index_from_letters(parts[1]) - min(letters) if parts[1] else 0,
        int(parts[2]) - min(numbers) if parts[2] else 0,
    )
    if not any(steps):
        return Renumbered(files={}, names={}, count=0, prose=())
    names = {name: _moved(name, steps) for name in sorted(known, key=_split)}
    changes: list[tuple[_Path, str, bool]] = [
        (path, _moved(name, steps), is_key) for path, name, is_key in references
    ]
    changes += [(path, words, False) for path, words in _in_words(title, steps)]
    edits: dict[Path, dict[int, tuple[int, str]]] = {}
    texts: dict[Path, str] = {}
    for path, instead, is_key in changes:
        document, pointer = assembled.source(join_pointer(*path))
        begin = document.offset(pointer, key=is_key)
        texts[document.path] = document.text
        edits.setdefault(document.path, {})[begin] = (value_end(document.text, begin), instead)
    for file, places in edits.items():
        for begin, (end, instead) in sorted(places.items(), reverse=True):
            words = json.dumps(instead, ensure_ascii=False)
            texts[file] = texts[file][:begin] + words + texts[file][end:]
    for path, value in _origins(title, steps):
        document, pointer = assembled.source(join_pointer(*path))
        before = texts.get(document.path, document.text)
        texts[document.path] = with_value(before, pointer, value)
    done = {path for path, _, _ in changes}
    return Renumbered(
        files=texts,
        names=names,
        count=sum(map(len, edits.values())),
        prose=tuple(
            (assembled.place(join_pointer(*path)), words)
            for path, words in _strings(title)
            if " " in words and path not in done and known.intersection(_IN_PROSE.findall(words))
        ),
    )


def _origins(title: Json, steps: tuple[int, int]) -> Iterator[tuple[_Path, str | int]]:
    """Yield the new first letter and number of each map, including those that variants give it."""
    usual: dict[str, Any] = {"first_letter": "A", "first_number": 1}
    for above, first in (("", usual), ("variants/*/patch/", {})):
        for path, own, _ in values_at(title, f"{above}maps/*/coordinates"):
            given = {**first, **(own or {})}
            if steps[0] and isinstance(given.get("first_letter"), str):
                letters = _letters(index_from_letters(given["first_letter"]) + steps[0])
                yield (*path, "first_letter"), letters
            if steps[1] and isinstance(given.get("first_number"), int):
                yield (*path, "first_number"), _digits(given["first_number"] + steps[1])


def _split(name: str) -> tuple[int, int]:
    letters = name.rstrip("-0123456789")
    return index_from_letters(letters), int(name[len(letters) :])


def _moved(name: str, steps: tuple[int, int]) -> str:
    letter, number = (at + step for at, step in zip(_split(name), steps, strict=True))
    return _letters(letter) + str(_digits(number))


def _letters(index: int) -> str:
    if index not in _LETTERS:
        raise CannotRun("some hexes would lie beyond the possible letters, z to a and A to ZZ")
    return letters_from_index(index)


def _digits(value: int) -> int:
    if value not in _NUMBERS:
        raise CannotRun("some hexes would lie beyond the possible numbers, -999 to 999")
    return value


def _strings(value: Any, path: _Path = ()) -> Iterator[tuple[_Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, (Mapping, list, tuple)):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, inner in items:
            yield from _strings(inner, (*path, key))


def _in_words(title: Json, steps: tuple[int, int]) -> Iterator[tuple[_Path, str]]:
    """Yield the new form of strings that name a hex in one of the forms."""
    others = {key for block in _OTHERS for key in title.get(block) or ()}

    def of_waiver(found: re.Match[str]) -> str:
        return found[0] if found[0] in others else _moved(found[0], steps)

    for path, words in _strings(title):
        if path[-1] == "at" and path[-3:-2] == ("waivers",):
            parts = re.split("(/)", words)
            after = "".join(
                of_waiver(found) if (found := _NAME.fullmatch(part)) else part for part in parts
            )
        else:
            after = _IN_FORM.sub(lambda found: found[1] + _moved(found[2], steps), words)
        if after != words:
            yield path, after
