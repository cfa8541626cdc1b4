"""JSON files, with the line and column of every value."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Protocol

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation import door
from platelayer.foundation.problems import (
    MAX_PROBLEMS,
    Place,
    Problem,
    Problems,
    ProblemsFound,
    join_pointer,
    split_pointer,
)
from platelayer.foundation.values import Json

# Maximum size of a definition: thirty times the largest shipped file, which belongs to the tile
# catalogue.
MAX_BYTES = 1024 * 1024
# Maximum nesting of objects and lists. No schema needs more than 16.
MAX_DEPTH = 40
# Maximum length of a key, in characters. No schema allows more than 60.
MAX_KEY = 200

_GAP = re.compile(r"[ \t\r\n]*[,:]?[ \t\r\n]*")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF = "half of a surrogate pair is not a character"
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
_DECODER = json.JSONDecoder()


_unsaved: ContextVar[Mapping[Path, str]] = ContextVar("unsaved", default={})  # noqa: B039 - nobody writes into it


@contextmanager
def read_as(texts: Mapping[Path, str]) -> Iterator[None]:
    """Within the block, read the files at these paths as these texts, whatever is on disk. When
    nested, inner ones win."""
    token = _unsaved.set({**_unsaved.get(), **texts})
    try:
        yield
    finally:
        _unsaved.reset(token)


def is_there(path: Path) -> bool:
    """Return True if there is a file at a path, or a text to read instead. Raises OSError and
    ValueError."""
    return path in _unsaved.get() or path.is_file()


class Spot(NamedTuple):
    """Offsets of a value and of its key (of the value itself if it has no key)."""

    key: int
    value: int


class Document(Struct, frozen=True, kw_only=True, dict=True):
    """One JSON file. `file` is its path as the user would type it, `path` its location, `value` its
    contents.

    `doubts` are problems that did not prevent it from being read: JS01, JS02, JS04, and SC05 when
    there are more.
    """

    file: str
    path: Path
    text: str
    value: Any
    doubts: tuple[Problem, ...] = ()

    @cached_property
    def _opened(self) -> dict[int, dict[str, Spot]]:
        """Contents of objects and lists by offset. Filled on demand, because most of a file is
        never needed."""
        return {}

    @cached_property
    def refused(self) -> dict[str, tuple[Problem, ...]]:
        """Problems found by each of the schemas applied so far."""
        return {}

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return line and column, counted from 1 in characters, of an offset into the text."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, pointer: str, *, key: bool = False) -> int:
        """Return the offset in the text of the value at `pointer`, or of its key. Raises KeyError
        if the file does not have it."""
        spot, is_there = self._find(pointer)
        if not is_there:
            raise KeyError(pointer)
        return spot.key if key else spot.value

    def span(self, pointer: str) -> tuple[int, int] | None:
        """Return start and end in the text of the value at `pointer`; None if the file does not
        have it."""
        spot, is_there = self._find(pointer)
        return (spot.value, value_end(self.text, spot.value)) if is_there else None

    def _find(self, pointer: str) -> tuple[Spot, bool]:
        """Return the offsets of the value at `pointer`, or of the nearest container around it, and
        whether it is the value."""
        start = _skip(self.text, 0)
        spot = Spot(start, start)
        for token in split_pointer(pointer):
            at = spot.value
            # Scan one level at a time, and each only once: a file with a single mistake is scanned
            # along one path, instead of being parsed again with the positions of all values.
            if at not in self._opened:
                self._opened[at] = dict(entries_at(self.text, at))
            if token not in self._opened[at]:
                return spot, False
            spot = self._opened[at][token]
        return spot, True

    def place(self, pointer: str, *, key: bool = False) -> Place:
        """Return the place of the value at `pointer` (or of its key). For something that is not in
        the file, it is that of the nearest container around it."""
        spot, is_there = self._find(pointer)
        offset = spot.key if key and is_there else spot.value
        return Place(self.file, pointer, *self.line_column(offset))


class OtherFiles(Protocol):
    """Reader of titles in files other than JSON."""

    def holds(self, path: Path) -> bool:
        """Return True if there is a title at a path."""

    def read(self, path: Path, file: str) -> Document:
        """Read the title at a path. Raises ProblemsFound, CannotRun."""


# Readers of titles in other formats than JSON; pipeline/registry.py registers those of wings.
OTHER_FILES: list[OtherFiles] = []


class MadeVariant(NamedTuple):
    """Variant that is not stored in a file: its name, the variant of the title that is applied
    before it, if any, and the change to the title's JSON."""

    name: str
    base: str | None
    change: Callable[[Json], Json]


# Functions that make variants KIND=SOURCE, by kind; also registered there. Arguments are a title's
# JSON and the source.
MADE_VARIANTS: dict[str, Callable[[Json, str], MadeVariant]] = {}


def other_file(path: Path) -> OtherFiles | None:
    """Return the reader for a path that is not JSON, if there is one."""
    return next((reader for reader in OTHER_FILES if reader.holds(path)), None)


def read_document(path: Path, file: str | None = None, *, max_bytes: int = MAX_BYTES) -> Document:
    """Read a JSON file (UTF-8, a byte order mark is allowed). `file` is its name in problems, by
    default `path`.

    Stricter than `json`: files over MAX_BYTES, nesting over MAX_DEPTH and keys over MAX_KEY are
    refused; duplicate keys, NaN, Infinity and lone surrogates become `doubts`. Raises ProblemsFound
    with FI01, JS01, JS03 or JS04 if there is nothing to read.
    """
    file = str(path) if file is None else file
    if path.suffix != ".json" and (reader := other_file(path)):
        return reader.read(path, file)
    text = read_text(path, file, max_bytes)
    # Larger files, such as the manifests of prints, are read only once, so caching them would waste
    # memory.
    return (_parsed_once if max_bytes <= MAX_BYTES else _parsed)(text, file, path)


def _parsed(text: str, file: str, path: Path) -> Document:
    doubtful = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        entries = dict(items)
        if len(entries) != len(items):
            doubtful.append("duplicate")
        for key in entries:
            if len(key) > MAX_KEY:
                _refuse(
                    file,
                    "JS03",
                    f'the key "{key[:40]} ..." is too long; at most {MAX_KEY} characters are allowed',
                )
        return entries

    def constant(name: str) -> None:
        doubtful.append(name)

    try:
        value = json.loads(
            text, object_pairs_hook=pairs, parse_constant=constant, parse_float=_number
        )
    except json.JSONDecodeError as error:
        _refuse_broken(file, error)
    # Python's parser may reach its own limit before MAX_DEPTH is detected: use the same message for
    # both.
    except RecursionError:
        _refuse(
            file,
            "JS03",
            f"objects and lists are nested too deeply; at most {MAX_DEPTH} levels are allowed",
        )
    except ValueError:
        _refuse(file, "JS03", "a number has far too many digits")
    if _depth_exceeds(value, MAX_DEPTH):
        _refuse(
            file,
            "JS03",
            f"objects and lists are nested too deeply; at most {MAX_DEPTH} levels are allowed",
        )
    document = Document(file=file, path=path, text=text, value=value)
    if doubtful or _ESCAPED_SURROGATE.search(text):
        return replace(
            document, doubts=first_problems(_doubts(document, _skip(text, 0)), document.place(""))
        )
    return document


# Cached, because the files of a title are read again for each of its variants, and in the studio
# for every edit of one of them. Callers must not change the value of a document.
_parsed_once = lru_cache(32)(_parsed)


def first_problems(problems: Iterable[Problem], whole: Place) -> tuple[Problem, ...]:
    """Return the first MAX_PROBLEMS problems; if there are more, with SC05 at the place of the
    whole."""
    listed = tuple(islice(problems, MAX_PROBLEMS + 1))
    if len(listed) <= MAX_PROBLEMS:
        return listed
    return (
        *listed[:-1],
        Problem("SC05", f"only the first {MAX_PROBLEMS} problems are listed").at(whole),
    )


def document_problems(document: Document, schema: str) -> tuple[Problem, ...]:
    """Return the doubts about a document, and everything in it that a shipped schema refuses."""
    from platelayer.definitions.schemas import schema_problems

    if schema not in document.refused:
        document.refused[schema] = schema_problems(document.value, schema, document.place)
    # Python uses the second value of a duplicate key, which may be the wrong one. So report only
    # the doubt, not what the schema says about the value.
    doubted = {problem.pointer for problem in document.doubts}
    # Report one problem for a cell that cannot be read, however many parts come from it.
    cells = {doubt.place for doubt in document.doubts if doubt.sheet}
    return (
        *document.doubts,
        *(
            problem
            for problem in document.refused[schema]
            if problem.pointer not in doubted and problem.place not in cells
        ),
    )


def read_checked(
    path: Path, schema: str, file: str | None = None, *, max_bytes: int = MAX_BYTES
) -> Document:
    """Read a JSON file and check it with a shipped schema ("theme", "sheet" ...).

    Raises ProblemsFound with every problem of the file: FI, JS and SC codes.
    """
    document = read_document(path, file, max_bytes=max_bytes)
    problems = document_problems(document, schema)
    if problems:
        raise ProblemsFound(problems)
    return document


def _number(literal: str) -> float | int:
    """Return 2.0 as the whole number 2, as JSON Schema requires."""
    number = float(literal)
    return int(number) if number.is_integer() else number


def _refuse(
    file: str, code: str, message: str, line: int = 0, column: int = 0, *, hint: str = ""
) -> NoReturn:
    raise ProblemsFound([Problem(code, message, hint, file=file, line=line, column=column)])


def read_text(path: Path, file: str, max_bytes: int = MAX_BYTES) -> str:
    """Return the text of a file (UTF-8, a byte order mark is allowed). Raises ProblemsFound with
    FI01, JS03 or JS04."""
    if (unsaved := _unsaved.get().get(path)) is not None:
        return unsaved
    try:
        return door.read_text(path, max_bytes)
    except door.NotRead as error:
        raise error.found(file) from error


_PLAIN = {
    "Expecting value": "a value is expected here",
    "Expecting ',' delimiter": 'a "," or a closing bracket is expected here',
    "Expecting ':' delimiter": 'a ":" is expected after the key',
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected here",
    "Extra data": "there is more text after its end",
    "Unterminated string starting at": "the text that starts here is not closed",
    "Invalid control character at": "a text contains a line break or another control character",
}
_LAST_COMMA = re.compile(r",\s*[}\]]")


def _refuse_broken(file: str, error: json.JSONDecodeError) -> NoReturn:
    """Raise JS01 in plainer words than json's, at the mistake itself rather than where json noticed
    it."""
    text = error.doc
    # json reports a superfluous comma at the bracket after it, in newer Pythons at the comma
    # itself.
    comma = len(text[: error.pos].rstrip()) - 1
    if text[error.pos : error.pos + 1] == ",":
        comma = error.pos
    if comma >= 0 and _LAST_COMMA.match(text, comma):
        line, column = text.count("\n", 0, comma) + 1, comma - text.rfind("\n", 0, comma)
        message = "this is not JSON: there is a comma before the closing bracket"
        _refuse(file, "JS01", message, line, column, hint="remove the comma")
    words = _PLAIN.get(error.msg) or error.msg[0].lower() + error.msg[1:]
    after = error.doc[error.pos :].lstrip()
    hints = (
        (not error.doc.strip(), "the file is empty"),
        (after.startswith(("//", "/*", "#")), "JSON has no comments"),
        (after.startswith("'"), "JSON requires double quotes"),
        (not after, "the file ends too early: is a closing bracket or quote missing?"),
        ("',' delimiter" in error.msg, "is a comma missing before this?"),
    )
    _refuse(
        file,
        "JS01",
        f"this is not JSON: {words}",
        error.lineno,
        error.colno,
        hint=next((hint for fits, hint in hints if fits), ""),
    )


def _depth_exceeds(value: Any, limit: int) -> bool:
    layer: list[Any] = [[value]]
    for _ in range(limit + 2):
        if not layer:
            return False
        # Compare exact classes, which is fast: `json` creates no others, and a map is checked at
        # every edit.
        layer = [
            child
            for item in layer
            for child in (item.values() if type(item) is dict else item)
            if type(child) is dict or type(child) is list
        ]
    return True


def value_begin(text: str) -> int:
    """Return the offset of the value of a whole text."""
    return _skip(text, 0)


def value_end(text: str, at: int) -> int:
    """Return the offset of the end of the value (or key) that begins at an offset."""
    return _DECODER.raw_decode(text, at)[1]


def _skip(text: str, at: int) -> int:
    """Return the offset after white space that may include a comma or colon."""
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def entries_at(text: str, at: int) -> Iterator[tuple[str, Spot]]:
    """Yield (key or index, offsets) for each entry of the value at an offset, in order; duplicate
    keys come twice.

    The text is known to be JSON, and json's own decoder skips deeper levels.
    """
    opening, index = text[at], 0
    if opening not in "{[":
        return
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        key, key_at = str(index), at
        if opening == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, at)
        yield key, Spot(key_at, at)
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        index += 1


def _doubts(document: Document, at: int, path: tuple[str, ...] = ()) -> Problems:
    """Yield problems of the value at an offset and everything inside it: JS02 for each duplicate
    key, JS01 and JS04 for what json accepts although it is not JSON or not text."""
    text = document.text

    def problem(code: str, offset: int, message: str, *key: str, hint: str = "") -> Problem:
        place = Place(document.file, join_pointer(*path, *key), *document.line_column(offset))
        return Problem(code, message, hint).at(place)

    first: dict[str, int] = {}
    for key, spot in entries_at(text, at):
        if first.setdefault(key, spot.key) != spot.key:
            line, _ = document.line_column(first[key])
            message = f'the key "{key[:60]}" appears twice in one object, first on line {line}'
            yield problem("JS02", spot.key, message, key, hint="keep one of the two")
        if _SURROGATE.search(key):
            yield problem("JS04", spot.key, _HALF, key)
        yield from _doubts(document, spot.value, (*path, key))
    if text.startswith(_NO_NUMBERS, at):
        name = next(name for name in _NO_NUMBERS if text.startswith(name, at))
        yield problem("JS01", at, f"{name} is not JSON; numbers are written as digits")
    elif text[at] == '"' and _SURROGATE.search(_DECODER.raw_decode(text, at)[0]):
        yield problem("JS04", at, _HALF)
