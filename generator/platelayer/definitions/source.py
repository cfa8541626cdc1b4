"""A file's path in, its JSON value and the line and column of everything in it out."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.problems import Problem, ProblemsFound, Severity

MAX_BYTES = 1024 * 1024
"""Largest file read. The largest that is shipped, of the tile catalogue, has a thirtieth of it."""
MAX_DEPTH = 40
"""Deepest nesting of objects and lists. No schema asks for more than 16."""

_TOKEN = re.compile(r'[ \t\r\n]*("(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+)', re.DOTALL)
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Place(NamedTuple):
    """Where something stands: file as the user would type it, pointer within that file, line and column from 1."""

    file: str
    pointer: str
    line: int
    column: int


def join_pointer(*tokens: str | int) -> str:
    """An RFC 6901 pointer from keys and indices."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def split_pointer(pointer: str) -> tuple[str, ...]:
    """The keys and indices of an RFC 6901 pointer, as strings."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


class _Spot(NamedTuple):
    """Offsets of a value and of its key (of the value itself where there is no key)."""

    key: int
    value: int


class Document(Struct, frozen=True, kw_only=True, dict=True):
    """One JSON file. `file` is its path as the user would type it, `path` where it lies, `value` what it says.

    `doubts` are its problems that did not keep it from being read: JS01, JS02 and JS04.
    """

    file: str
    path: Path
    text: str
    value: Any
    doubts: tuple[Problem, ...] = ()

    @cached_property
    def _spots(self) -> dict[str, _Spot]:
        return dict(_scan(self.text))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column, counted from 1 in characters, of an offset into the text."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def locate(self, pointer: str, *, key: bool = False) -> tuple[int, int]:
        """Line and column of the value at `pointer`, or of its key. What is not in the file is looked for where it
        would be: in the nearest thing around it."""
        spots = self._spots
        while pointer and pointer not in spots:
            pointer, key = pointer.rpartition("/")[0], False
        spot = spots.get(pointer)
        return self.line_column((spot.key if key else spot.value) if spot else 0)

    def place(self, pointer: str, *, key: bool = False) -> Place:
        """Where the value at `pointer` (or its key) stands."""
        return Place(self.file, pointer, *self.locate(pointer, key=key))


def located_problem(
    code: str, message: str, place: Place, *, hint: str = "", severity: Severity = Severity.ERROR
) -> Problem:
    """A problem at a place."""
    return Problem(code=code, severity=severity, message=message, hint=hint, **place._asdict())


def read_document(path: Path, file: str | None = None) -> Document:
    """Read a JSON file (UTF-8, a byte order mark is allowed). `file` is its name in problems, by default `path`.

    Stricter than `json`: files over MAX_BYTES and nesting over MAX_DEPTH are refused; duplicate keys, NaN, Infinity and
    lone surrogates become `doubts`. Raises ProblemsFound with FI01, JS01, JS03 or JS04 when there is nothing to read.
    """
    file = str(path) if file is None else file
    text = _read_text(path, file)
    doubtful: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            doubtful.append("duplicate")
        return found

    def constant(name: str) -> None:
        doubtful.append(name)

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=_number)
    except json.JSONDecodeError as error:
        _refuse_broken(file, error)
    except RecursionError:
        _refuse(file, "JS03", f"objects and lists are nested too deeply; at most {MAX_DEPTH} levels are allowed")
    except ValueError:
        _refuse(file, "JS03", "a number has far too many digits")
    if _depth_exceeds(value, MAX_DEPTH):
        _refuse(file, "JS03", f"objects and lists are nested too deeply; at most {MAX_DEPTH} levels are allowed")
    document = Document(file=file, path=path, text=text, value=value)
    if doubtful or _ESCAPED_SURROGATE.search(text):
        return replace(document, doubts=tuple(_doubtful_problems(document)))
    return document


def document_problems(document: Document, schema: str) -> tuple[Problem, ...]:
    """The doubts about a document, and what a shipped schema refuses in it beside them."""
    from platelayer.definitions.schemas import schema_problems

    doubted = {problem.pointer for problem in document.doubts}
    refused = schema_problems(document.value, schema, document.place)
    return (*document.doubts, *(problem for problem in refused if problem.pointer not in doubted))


def read_checked(path: Path, schema: str, file: str | None = None) -> Document:
    """Read a JSON file and check it with a shipped schema ("theme", "sheet" ...).

    Raises ProblemsFound with every problem of the file: FI, JS and SC codes.
    """
    document = read_document(path, file)
    problems = document_problems(document, schema)
    if problems:
        raise ProblemsFound(problems)
    return document


def _number(literal: str) -> float | int:
    """2.0 is the whole number 2, as JSON Schema has it."""
    number = float(literal)
    return int(number) if number.is_integer() else number


def _refuse(file: str, code: str, message: str, line: int = 0, column: int = 0, *, hint: str = "") -> NoReturn:
    raise ProblemsFound([Problem(code=code, message=message, file=file, line=line, column=column, hint=hint)])


def _read_text(path: Path, file: str) -> str:
    try:
        if not path.exists():
            _refuse(file, "FI01", "there is no such file")
        if not path.is_file():
            _refuse(file, "FI01", "this is not a file", hint="name a .json file, or a folder with a title.json in it")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "the path cannot be used"
        _refuse(file, "FI01", f"this file cannot be read: {reason}")
    if len(data) > MAX_BYTES:
        _refuse(file, "JS03", f"this file is too large; at most {MAX_BYTES // 1024 // 1024} MB are read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1
        message = f"this is not UTF-8 text: byte 0x{data[error.start]:02x} is out of place"
        _refuse(file, "JS04", message, line, column, hint="save the file as UTF-8")


_PLAIN = {
    "Expecting value": "a value is expected here",
    "Expecting ',' delimiter": 'a "," or a closing bracket is expected here',
    "Expecting ':' delimiter": 'a ":" is expected after the key',
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected here",
    "Extra data": "there is something after its end",
    "Unterminated string starting at": "the text that begins here is not closed",
    "Invalid control character at": "a line break or another control character stands in a text",
}
_LAST_COMMA = re.compile(r",\s*[}\]]")


def _refuse_broken(file: str, error: json.JSONDecodeError) -> NoReturn:
    """Raises JS01 in plainer words than json's, and where the slip is rather than where json stumbled over it."""
    text = error.doc
    comma = len(text[: error.pos].rstrip()) - 1
    if text[error.pos : error.pos + 1] == ",":
        comma = error.pos
    if comma >= 0 and _LAST_COMMA.match(text, comma):
        line, column = text.count("\n", 0, comma) + 1, comma - text.rfind("\n", 0, comma)
        message = "this is not JSON: there is a comma before the closing bracket"
        _refuse(file, "JS01", message, line, column, hint="take the comma away")
    words = _PLAIN.get(error.msg) or error.msg[0].lower() + error.msg[1:]
    _refuse(file, "JS01", f"this is not JSON: {words}", error.lineno, error.colno, hint=_json_hint(error))


def _json_hint(error: json.JSONDecodeError) -> str:
    after = error.doc[error.pos :].lstrip()
    hints = (
        (not error.doc.strip(), "the file is empty"),
        (after.startswith(("//", "/*", "#")), "JSON has no comments"),
        (after.startswith("'"), "JSON wants double quotes"),
        (not after, "the file ends too early: is a bracket or a quote not closed?"),
        ("',' delimiter" in error.msg, "is there a comma missing before this?"),
    )
    return next((hint for fits, hint in hints if fits), "")


def _depth_exceeds(value: Any, limit: int) -> bool:
    layer = [value]
    for _ in range(limit + 1):
        if not layer:
            return False
        deeper: list[Any] = []
        for item in layer:
            if isinstance(item, dict):
                deeper.extend(child for child in item.values() if isinstance(child, (dict, list)))
            elif isinstance(item, list):
                deeper.extend(child for child in item if isinstance(child, (dict, list)))
        layer = deeper
    return True


def _scan(text: str) -> Iterator[tuple[str, _Spot]]:
    """(pointer, offsets) of every value of a text that is known to be JSON, in order; duplicate keys come twice."""
    open_pointers: list[tuple[str, int]] = []  # pointer of an open object (-1) or list (index of the next item)
    key, key_at = "", -1
    expecting_key = False
    for match in _TOKEN.finditer(text):
        token, at = match[1], match.start(1)
        if token in "}]":
            open_pointers.pop()
            expecting_key = False
        elif token == ",":
            expecting_key = open_pointers[-1][1] < 0
        elif token == ":":
            expecting_key = False
        elif expecting_key:
            key, key_at = join_pointer(json.loads(token)), at
        else:
            pointer = ""
            if open_pointers:
                around, index = open_pointers[-1]
                pointer = around + (key if index < 0 else f"/{index}")
                open_pointers[-1] = (around, index if index < 0 else index + 1)
            yield pointer, _Spot(key_at if key_at >= 0 else at, at)
            key_at = -1
            if token in "{[":
                open_pointers.append((pointer, -1 if token == "{" else 0))
                expecting_key = token == "{"


def _doubtful_problems(document: Document) -> Iterator[Problem]:
    """JS02 for each key given twice, JS01 for what json lets pass although it is not JSON or not text."""
    seen: dict[str, int] = {}
    for pointer, spot in _scan(document.text):
        place = Place(document.file, pointer, *document.line_column(spot.key))
        name = split_pointer(pointer)[-1] if pointer else ""
        if pointer in seen:
            first, _ = document.line_column(seen[pointer])
            message = f'the key "{name[:60]}" is given twice in one object, first in line {first}'
            yield located_problem("JS02", message, place, hint="keep one of the two")
        seen.setdefault(pointer, spot.key)
        word = _TOKEN.match(document.text, spot.value)
        token = word[1] if word else ""
        if token.lstrip("-") in ("NaN", "Infinity"):
            message = f"{token} is not JSON; numbers are written as digits"
            yield located_problem("JS01", message, Place(document.file, pointer, *document.line_column(spot.value)))
        for words, offset in ((name, spot.key), (json.loads(token) if token.startswith('"') else "", spot.value)):
            if any("\ud800" <= char <= "\udfff" for char in words):
                at = Place(document.file, pointer, *document.line_column(offset))
                yield located_problem("JS04", "half of a surrogate pair is not a character", at)
