"""Other coordinates for all hexes of a title, in its files.

Every printed coordinate moves by the same letters and numbers: the keys of hexes, what refers to
them (`references.hex_references`), the origins of maps, and the forms in which hexes are named in
words: "hex:D4", "/maps/main/hexes/D4", and the places of waivers. So the hexes stay where they
are, and look as they did. Prose is left alone, and reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from platelayer.definitions.assemble import Assembled
from platelayer.definitions.decode import Json
from platelayer.definitions.edits import with_value
from platelayer.definitions.references import hex_references
from platelayer.definitions.source import value_end
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import CannotRun, Place
from platelayer.model.hexes import index_from_letters, letters_from_index

_COORDINATES = r"(?:[a-z]|[A-Z]{1,2})-?[0-9]{1,3}"
_NAME = re.compile(rf"({_COORDINATES})")
_IN_FORM = re.compile(rf"(^hex:(?:[^/]+/)?|^/maps/[^/]+/hexes/)({_COORDINATES})(?=/|$)")
_IN_PROSE = re.compile(rf"(?<![\w-]){_COORDINATES}(?!\w)")
_PARTS = re.compile(r"^([a-z]|[A-Z]{1,2})?(-?[0-9]{1,3})?$")
# Columns a to z before A, and one or two letters from it; numbers of three digits.
_LETTERS = range(-26, 26 * 27)
_NUMBERS = range(-999, 1000)
_Path = tuple[str | int, ...]
_OTHERS = ("companies", "privates", "trains", "phases", "tiles", "pictures")


class Renumbered(Struct, frozen=True, kw_only=True):
    """The files that change, by path, with their texts; the coordinates that were replaced, old to
    new; how often; and the places of prose that still names an old one."""

    files: Mapping[Path, str]
    names: Mapping[str, str]
    count: int
    prose: tuple[tuple[Place, str], ...]


def renumber(assembled: Assembled, first: str = "A1") -> Renumbered:
    """The files of a title, without its variants applied, with the first column or row of hexes
    called as `first` says: a letter, a number or both.

    Raises CannotRun for what is neither, and for coordinates beyond the letters and numbers there
    are.
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
    return Renumbered(
        files=texts,
        names=names,
        count=sum(map(len, edits.values())),
        prose=tuple(_prose(assembled, known, {path for path, _, _ in changes})),
    )


def _origins(title: Json, steps: tuple[int, int]) -> Iterator[tuple[_Path, str | int]]:
    """The first letter and number of each map as they become, and those that variants give it."""
    patches = [
        (("variants", key, "patch"), variant.get("patch", {}))
        for key, variant in title.get("variants", {}).items()
    ]
    for above, whole in [((), title), *patches]:
        for key, board in (whole.get("maps") or {}).items():
            if not isinstance(board, Mapping):
                continue
            path = (*above, "maps", key, "coordinates")
            given: dict[str, Any] = {} if above else {"first_letter": "A", "first_number": 1}
            given |= board.get("coordinates") or {}
            if steps[0] and isinstance(given.get("first_letter"), str):
                yield (
                    (*path, "first_letter"),
                    _letters(index_from_letters(given["first_letter"]) + steps[0]),
                )
            if steps[1] and isinstance(given.get("first_number"), int):
                yield (*path, "first_number"), _number(given["first_number"] + steps[1])


def _split(name: str) -> tuple[int, int]:
    letters = name.rstrip("-0123456789")
    return index_from_letters(letters), int(name[len(letters) :])


def _moved(name: str, steps: tuple[int, int]) -> str:
    letter, number = (at + step for at, step in zip(_split(name), steps, strict=True))
    return f"{_letters(letter)}{_number(number)}"


def _letters(index: int) -> str:
    if index not in _LETTERS:
        raise CannotRun("some hexes would lie beyond the possible letters, z to a and A to ZZ")
    return letters_from_index(index)


def _number(value: int) -> int:
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
    """Strings that name a hex in one of the forms, as they become."""
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


def _prose(assembled: Assembled, known: set[str], done: set[_Path]) -> Iterator[tuple[Place, str]]:
    for path, words in _strings(assembled.value):
        if " " in words and path not in done and known.intersection(_IN_PROSE.findall(words)):
            yield assembled.place(join_pointer(*path)), words
