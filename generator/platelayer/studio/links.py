"""Links that hold a title: its difference to the shipped title or start that it resembles most.

A link is JSON, deflated with a dictionary (assets/links) and written in base64url: a version, a name,
the base with its checksum, and a change for each file that differs from the base. A change is null
for what is removed, [value] or [value, index] for what is set, and {key: change} for an object most
of whose keys stay. The text of a file stands for itself where its changes do not give exactly that
text. Dictionaries are never edited: links of earlier editions need them.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import MsgspecError

from platelayer.definitions.edits import laid_out, moved, with_value, without
from platelayer.definitions.titles import copied_files, starter_files
from platelayer.foundation.door import NotRead, parse_value
from platelayer.foundation.problems import CannotRun, join_pointer
from platelayer.foundation.resources import STARTS, asset_bytes, title_ids

# The first byte of a link, and the name of its dictionary. A link without it begins with a header of zlib (0x78).
_VERSION = b"\1"
_MOST_BYTES = 4 * 1024 * 1024

Change: TypeAlias = Any


class Linked(NamedTuple):
    """The title of a link: its name and its files. `base` is the name of a shipped title that has
    changed since the link was made, and may differ in what the link does not say."""

    name: str
    files: dict[str, str]
    base: str = ""


def link_of(name: str, files: Mapping[str, str]) -> str:
    """The shortest link to a title, by the texts of its files."""
    bases = {base: _base(base, name) for base in (*title_ids(), *STARTS)}
    nearest = max(bases, key=lambda base: _shared(bases[base], files))
    links: list[bytes] = []
    for base, known in (("", dict[str, str]()), (nearest, bases[nearest])):
        changes: dict[str, Change] = {path: None for path in known if path not in files}
        for path, text in files.items():
            if text != known.get(path):
                changes[path] = _file_change(known.get(path, ""), text)
        data = [name, base, _checksum(known), changes]
        deflater = zlib.compressobj(9, wbits=-zlib.MAX_WBITS, memLevel=9, zdict=_dictionary())
        links.append(_VERSION + deflater.compress(_plain(data).encode()) + deflater.flush())
    return base64.urlsafe_b64encode(min(links, key=len)).decode().rstrip("=")


def title_of(link: str) -> Linked:
    """The title of a link of any edition. Raises CannotRun."""
    try:
        packed = base64.b64decode(link + "=" * (-len(link) % 4), altchars=b"-_", validate=True)
        if packed[:1] != _VERSION:
            name, files = msgspec.json.decode(
                _inflated(zlib.decompressobj(), packed), type=tuple[str, dict[str, str]]
            )
            return Linked(name, files)
        inflater = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_dictionary())
        name, base, checksum, changes = msgspec.json.decode(
            _inflated(inflater, packed[1:]), type=tuple[str, str, int, dict[str, Any]]
        )
        if base not in ("", *title_ids(), *STARTS):
            raise CannotRun(f"this link builds on {base!r}, which this edition does not have")
        known = _base(base, name)
        files = {path: text for path, text in known.items() if changes.get(path, "") is not None}
        for path, change in changes.items():
            if change is not None:
                files[path] = _changed(known.get(path, ""), change)
    except (ValueError, TypeError, LookupError, AttributeError, zlib.error, MsgspecError) as error:
        raise CannotRun(f"this link holds no title: {error}") from error
    return Linked(name, files, base if checksum != _checksum(known) else "")


def _base(base: str, name: str) -> dict[str, str]:
    """The files of a shipped title or a start as they are given to a title of a name, without those
    for editors."""
    if not base:
        return {}
    files = starter_files(name, base) if base in STARTS else copied_files(base, name)
    return {path: data.decode() for path, data in files.items() if not path.startswith(".")}


def _shared(one: Mapping[str, str], other: Mapping[str, str]) -> int:
    """The letters of the lines that both have in files of the same name."""
    both = (
        set(one[path].split("\n")) & set(other[path].split("\n")) for path in one if path in other
    )
    return sum(len(line) for lines in both for line in lines)


def _checksum(files: Mapping[str, str]) -> int:
    return zlib.crc32(repr(sorted(files.items())).encode()) if files else 0


@cache
def _dictionary() -> bytes:
    return asset_bytes("links", f"{_VERSION[0]}.txt")


def _inflated(inflater: Any, packed: bytes) -> bytes:
    data: bytes = inflater.decompress(packed, _MOST_BYTES)
    if not inflater.eof:
        raise CannotRun("this link is incomplete, or too large for a title")
    return data


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _file_change(old: str, new: str) -> Change:
    """The change of a file from one text ("" for a new file) to another, or the new text."""
    with suppress(NotRead, KeyError, ValueError):
        value = parse_value(new, name="")
        change = _change(parse_value(old, name=""), value) if old else [value]
        for each in (change, [value]):
            if _changed(old, each) == new:
                return each
    return new


def _change(old: Any, new: Any) -> Change:
    """The change of a value, or all of the new one if that is shorter."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return [new]
    common = [key for key in old if key in new]
    if 2 * len(common) < len(old) or common != [key for key in new if key in old]:
        return [new]
    changes: dict[str, Change] = {key: None for key in old if key not in new}
    last = max((number for number, key in enumerate(new) if key in old), default=-1)
    for number, (key, value) in enumerate(new.items()):
        if key not in old:
            changes[key] = [value] if number > last else [value, number]
        elif _plain(old[key]) != _plain(value):
            changes[key] = _change(old[key], value)
    return min(changes, [new], key=lambda change: len(_plain(change)))


def _changed(text: str, change: Change, at: str = "") -> str:
    """The text of a file with a change at a pointer. What no longer fits another base than the one
    of the link is left out."""
    if isinstance(change, str):
        return change
    if isinstance(change, list):
        return laid_out(change[0], open_first=True) + "\n"
    for key, each in change.items():
        pointer = at + join_pointer(key)
        with suppress(KeyError):
            if each is None:
                text = without(text, pointer)
            elif isinstance(each, dict):
                text = _changed(text, each, pointer)
            else:
                text = with_value(text, pointer, each[0])
                if each[1:]:
                    text = moved(text, pointer, each[1])
    return text
