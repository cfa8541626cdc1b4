"""Problems with codes, and JSON pointers (RFC 6901) to their places; exceptions that stop a
command; the steps of its work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from platelayer.foundation.resources import asset_bytes
from platelayer.foundation.text import named, printable

# Maximum number of problems listed for one file.
MAX_PROBLEMS = 200


class Severity(IntEnum):
    """Importance of a problem: an error stops a build; a warning or a note does not."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The lower-case word printed in reports: `error`, `warning` or `note`."""
        return self.name.lower()


class Place(NamedTuple):
    """Location of a value: the file as the user would type it, a pointer within that file, line and
    column from 1. For a spreadsheet's cell also the sheet, whose rows are the lines."""

    file: str
    pointer: str
    line: int
    column: int
    sheet: str = ""


class Locator(Protocol):
    """Function that locates the value (or its key) at a pointer."""

    def __call__(self, pointer: str, *, key: bool = False) -> Place:
        """Return the place of a pointer."""


def nowhere(pointer: str, *, key: bool = False) -> Place:  # noqa: ARG001 - a Locator
    """Locator of values that are in no file: a pointer stays as it is."""
    return Place("", pointer, 0, 0)


class Problem(Struct, frozen=True):
    """One problem and its place.

    `code` is never reused (`platelayer explain CODE`); `file` is the path as the user would type it
    ("" if the problem belongs to no file); `pointer` is an RFC 6901 JSON pointer; `line` and
    `column` count from 1, 0 = unknown; `message` says what is wrong and what is allowed; `hint`
    (may be "") says what to do. `about` is the subject in the title's own words ("57", "D4",
    "tile:57"), which a waiver names if the problem is `waivable`. `pages` of a finished file count
    from 1.

    Problems of one `cause` may be reported as one (`foundation/problems.py`), which has the
    `others`.

    A new problem may still lack some facts: rules leave `code` to their register, and before it is
    located, `pointer` refers to the value that was checked (with `at_key`, to its key).
    """

    code: str = ""
    message: str = ""
    hint: str = ""
    severity: Severity = Severity.ERROR
    file: str = ""
    pointer: str = ""
    line: int = 0
    column: int = 0
    about: str = ""
    pages: tuple[int, ...] = ()
    at_key: bool = False
    waivable: bool = False
    cause: str = ""
    others: tuple[Problem, ...] = ()
    sheet: str = ""

    def __post_init__(self) -> None:
        # Text from a broken file must not garble a terminal or a report: no line breaks, control
        # characters or lone surrogates. A pointer is left alone until it has been resolved to a
        # position in its file.
        for name in ("message", "file", "hint", "about", *(["pointer"] if self.file else ())):
            force_setattr(self, name, printable(getattr(self, name)))

    def at(self, place: Place) -> Problem:
        """Return the problem with its place set. If that is a cell, the hint names columns instead
        of JSON."""
        hint = _in_cells(self.hint) if place.sheet else self.hint
        return replace(self, **place._asdict(), hint=hint)

    def located(self, place: Locator) -> Problem:
        """Return the problem with the place of its pointer set, and with its `others` located
        too."""
        found = self.at(place(self.pointer, key=self.at_key))
        return (
            replace(found, others=tuple(other.located(place) for other in self.others))
            if self.others
            else found
        )

    @property
    def place(self) -> str:
        """`file:line:column`, or whichever parts are known; `file:sheet!C4` for a cell."""
        if self.sheet:
            return f"{self.file}:{self.sheet}!{_letters(self.column)}{self.line}"
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    @property
    def words(self) -> str:
        """The message with its hint, and with the `at` value that waives it."""
        return self.message + self.after

    @property
    def after(self) -> str:
        """The end of the message: " (hint: ...; waive at "57")"."""
        asides = [f"hint: {self.hint}"] if self.hint else []
        if self.waivable:
            asides.append(f'waive at "{self.about}"')
        return f" ({'; '.join(asides)})" if asides else ""

    @property
    def as_json(self) -> dict[str, Any]:
        """Return every field as JSON, `severity` as a word."""
        return {
            "code": self.code,
            "severity": self.severity.word,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "pointer": self.pointer,
            "message": self.message,
            "hint": self.hint,
            "about": self.about,
            "waiver": {"code": self.code, "at": self.about} if self.waivable else None,
            "pages": list(self.pages),
            "others": [other.as_json for other in self.others],
            **({"sheet": self.sheet} if self.sheet else {}),
        }

    def __str__(self) -> str:
        head = f"{self.place} " if self.place else ""
        return f"{head}{self.severity.word} {self.code} {self.words}"


Problems = Iterator[Problem]


_FIELD = re.compile(r'"([A-Za-z0-9_]+)": (?:"([^"{}]*)"|(true|false|null|\.\.\.|[0-9.]*[0-9]))')
_OBJECT = re.compile(r'"([A-Za-z0-9_]+)": \{([^{}]*)\}')
_IN_CELLS = {"true": "yes", "false": "no", "null": "-"}


def _in_cells(hint: str) -> str:
    """Return a hint with JSON reworded for a table: `"on": "3"` as `"3" under on`, and `"3":
    {"cash": 40}` as a row 3."""

    def cell(found: re.Match[str]) -> str:
        key, text, plain = found.groups()
        value = text if plain is None else _IN_CELLS.get(plain, plain)
        return f"{value} under {key}" if value == "..." else f'"{value}" under {key}'

    return _OBJECT.sub(r'a row "\1" with \2', _FIELD.sub(cell, hint))


def _letters(column: int) -> str:
    """Return the letters of a spreadsheet's column: 1 is A, 27 AA."""
    before, last = divmod(column - 1, 26)
    return (_letters(before) if before else "") + chr(ord("A") + last)


def sort_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems sorted by file, line, column, code and message, without duplicates."""
    return tuple(
        sorted(
            set(problems),
            key=lambda p: (
                p.file,
                p.sheet,
                p.line,
                p.column,
                p.pointer,
                p.code,
                p.message,
                p.hint,
                p.about,
            ),
        )
    )


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return True if at least one problem is an error."""
    return any(problem.severity is Severity.ERROR for problem in problems)


class PlatelayerError(Exception):
    """Failure that the user can remedy."""


class ProblemsFound(PlatelayerError):
    """Raised when work cannot continue; carries every problem found so far, sorted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sort_problems(problems)
        super().__init__("\n".join(map(str, self.problems)))


class CannotRun(PlatelayerError):
    """Raised when work cannot start or finish for a reason outside the definitions (exit status 2):
    an output that cannot be written, an invalid option, a missing system library. One clear
    line."""


class Interrupted(CannotRun):
    """Raised when the user stops the run: exit status 130."""


# Merging of problems with one cause.


# Up to this many problems with one cause are listed individually.
MOST_ALIKE = 3


def folded(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems in order, with more than MOST_ALIKE of the same code, severity and cause
    merged into the first of them."""
    alike: dict[tuple[object, ...], list[Problem]] = {}
    for number, problem in enumerate(problems):
        shared = (problem.code, problem.severity, problem.waivable, problem.cause)
        alike.setdefault(shared if problem.cause else (number,), []).append(problem)
    return tuple(
        problem
        for group in alike.values()
        for problem in (group if len(group) <= MOST_ALIKE else (standing_for(group),))
    )


def standing_for(group: Sequence[Problem], message: str = "") -> Problem:
    """Return the first problem of a group, standing for all of them."""
    first, *others = group
    message = (
        message
        or f"{first.message}; {len(others)} more like it: {named(other.about for other in others)}"
    )
    return replace(first, message=message, others=tuple(others))


# Codes begin with their family. Families are listed in the order in which a title meets them.
FAMILIES = {
    "FI": "Files",
    "JS": "JSON",
    "SC": "Schema",
    "TB": "Tables",
    "RF": "References",
    "PI": "Pictures",
    "DF": "Definitions",
    "BX": "The box",
    "TX": "Texts",
    "GL": "Glyphs",
    "DR": "Drafts",
    "TH": "Themes",
    "PR": "Profiles",
    "IM": "Imports",
    "TL": "Tiles",
    "UP": "Upgrades",
    "PO": "Positions",
    "MP": "Map",
    "CO": "Companies",
    "TR": "Trains",
    "PH": "Phases",
    "MK": "Market",
    "MO": "Money and limits",
    "PC": "Pieces",
    "BD": "Boards against data",
    "RW": "Waivers",
    "AT": "Maps of the Lost Atlas",
    "LG": "Legibility",
    "SH": "Sheets",
    "PF": "Preflight",
}


class Code(NamedTuple):
    """Description of a problem code: a short name, a paragraph of explanation, a wrong and a right
    example, and the severity. A rule has a severity of its own."""

    name: str
    explanation: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        return f"{self.name}\n\n{self.explanation}"


@cache
def codes() -> dict[str, Code]:
    """Return the codes that do not belong to a rule."""
    import tomllib

    return {
        code: Code(
            entry["name"], entry["text"].strip(), Severity[entry.get("severity", "error").upper()]
        )
        for code, entry in tomllib.loads(asset_bytes("codes.toml").decode("utf-8")).items()
    }


def severity_of(code: str) -> Severity:
    """Return the severity of problems with a code of assets/codes.toml."""
    return codes()[code].severity


def join_pointer(*tokens: str | int) -> str:
    """Return a pointer made of keys and indices."""
    return "".join(["/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens])


# The same few pointers are compared again and again: uncached, this takes a third of the time of
# salvaging a title.
@lru_cache(maxsize=1 << 15)
def split_pointer(pointer: str) -> tuple[str, ...]:
    """Return the keys and indices of a pointer, as strings."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def touches(reads: Iterable[str], lost: Iterable[str], own: str = "") -> bool:
    """Return True if a finding at the pointer `own` may be a consequence of parts that a document
    has `lost`, given the paths that the rule `reads`.

    "companies/*/homes" reads the homes of all companies. "companies/./homes" reads only those of
    the company that the finding is about. "companies/+/homes" reads all that exist: a company that
    is lost as a whole causes no finding, one that has lost its homes may. "a|b" stands for either
    key, "" for everything.
    """
    gone = [split_pointer(pointer) for pointer in lost]
    return any(
        _touch(path.split("/") if path else (), keys, split_pointer(own))
        for path in reads
        for keys in gone
    )


def _touch(path: Sequence[str], lost: Sequence[str], own: Sequence[str]) -> bool:
    for depth, (step, key) in enumerate(zip(path, lost, strict=False)):
        if step == ".":
            is_about_one = len(own) > depth and all(
                _fits(*pair) for pair in zip(path[:depth], own, strict=False)
            )
            if is_about_one and lost[: depth + 1] != own[: depth + 1]:
                return False
        elif (step == "+" and depth + 1 == len(lost)) or not _fits(step, key):
            return False
    return True


def _fits(step: str, key: str) -> bool:
    return step in ("*", "+", ".") or key in step.split("|")


_watchers: list[Callable[[str], None]] = []


def step(text: str) -> None:
    """Report what begins now, or what was read, kept or skipped."""
    for watcher in _watchers:
        watcher(text)


@contextmanager
def reporting_to(watcher: Callable[[str], None]) -> Iterator[None]:
    """Call `watcher` with each step of this process."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)
