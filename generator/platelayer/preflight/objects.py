"""Values from PDF objects, which may be anything, within a budget for the whole file."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import pikepdf

from platelayer.foundation.matrices import IDENTITY, Matrix

MAX_STREAM_BYTES = 32 * 2**20
"""Decoded content of all streams of one file that a check reads; the same again for its
pictures."""
MAX_STEPS = 3_000_000
"""Operations in one file, and transfers from forms to their placements. None takes more than a
microsecond or so; what takes longer counts as several."""


class TooMuch(Exception):
    """A file needs more memory or time than any print. The message says of what there is too
    much."""


class Budget:
    """What is left of the bytes and steps that the check of one file may take."""

    def __init__(self) -> None:
        self.bytes, self.picture_bytes, self.steps = MAX_STREAM_BYTES, MAX_STREAM_BYTES, MAX_STEPS

    def spend_bytes(self, count: int) -> None:
        """Raises TooMuch when the file's streams are longer than all prints we know of."""
        self.bytes -= count
        if self.bytes < 0:
            self.bytes = 0
            raise TooMuch(f"its streams hold more than {MAX_STREAM_BYTES // 2**20} MB")

    def spend_steps(self, count: int) -> None:
        """Raises TooMuch if drawing never ends, as with forms that place forms many times over."""
        self.steps -= count
        if self.steps < 0:
            raise TooMuch(f"checking it takes more than {MAX_STEPS / 1e6:g} million steps")


# Values
# --------------------------------------------------------------------------------------------------------------

BROKEN = (
    pikepdf.PdfError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
    ArithmeticError,
    RuntimeError,
)
"""What pikepdf raises for objects of an unexpected type."""

_HOLDERS = (pikepdf.Dictionary, pikepdf.Stream)
_IN_MEMORY = re.compile(r"(?:stream )?<_io\.BytesIO object[^>]*>[,:]?\s*")
MAX_NAME, _MAX_WORDS = 255, 65536
"""The most characters of a name, which may have 127 bytes (ISO 32000-1, annex C), and of a title or
similar text."""
_MAX_NUMBER = 1000
"""Size of a Python number in bytes: about two thousand digits."""


def plain_words(error: object) -> str:
    """The first line of the library's message, without the varying name that it gives to bytes in
    memory."""
    words = str(error).strip().splitlines()
    return _IN_MEMORY.sub("", words[0] if words else type(error).__name__)[:200]


def entry(holder: Any, *keys: str) -> Any:
    """The value of a key in a dictionary or stream (and of a key in that value ...); None if there
    is none."""
    for key in keys:
        if (
            not isinstance(holder, _HOLDERS) or key not in holder
        ):  # checking first is ten times as fast as `get`
            return None
        holder = holder[key]
    return _handy(holder) if isinstance(holder, Decimal) else holder


def keys_of(holder: Any, budget: Budget) -> list[str]:
    """The keys of a dictionary; none for anything else."""
    if not isinstance(holder, _HOLDERS):
        return []
    keys = sorted(holder.keys())
    budget.spend_steps(len(keys))
    return keys


def items_of(value: Any, budget: Budget) -> Iterator[Any]:
    """The items of an array, each read and counted when it is asked for; none for anything else."""
    for index in range(length_of(value)):
        budget.spend_steps(1)
        yield _handy(value[index])


def length_of(value: Any) -> int:
    """How many items an array has; 0 for anything else."""
    return len(value) if isinstance(value, pikepdf.Array) else 0


def _handy(value: Any) -> Any:
    """A value itself. Raises TooMuch for a number with so many digits that every use takes long:
    objects may refer to the same one thousands of times."""
    if isinstance(value, Decimal) and sys.getsizeof(value) > _MAX_NUMBER:
        raise TooMuch("a number has thousands of digits")
    return value


def name_of(value: Any) -> str:
    """A name without its slash; "" for anything else. Raises TooMuch for names that take long to
    process."""
    return _limited(str(value)[1:], MAX_NAME, "name") if isinstance(value, pikepdf.Name) else ""


def words_of(value: Any) -> str:
    """A string as text; "" for anything else. Raises TooMuch for texts that take long to
    process."""
    return _limited(str(value), _MAX_WORDS, "text") if isinstance(value, pikepdf.String) else ""


def _limited(words: str, most: int, what: str) -> str:
    if len(words) > most:
        raise TooMuch(f"a {what} has more than {most} characters")
    return words


def number_of(value: Any, otherwise: float = 0.0) -> float:
    """A number that is finite; `otherwise` for anything else."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            return otherwise
        return number if math.isfinite(number) else otherwise
    return otherwise


def numbers_of(value: Any, count: int) -> tuple[float, ...] | None:
    """An array with this many numbers; None for anything else."""
    if length_of(value) != count:
        return None
    numbers = tuple(number_of(_handy(value[index]), math.nan) for index in range(count))
    return None if any(map(math.isnan, numbers)) else numbers


def matrix_of(value: Any) -> Matrix:
    """A matrix of six numbers; the identity for anything else."""
    numbers = numbers_of(value, 6)
    return (
        IDENTITY
        if numbers is None
        else (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    )


def identity(value: Any) -> tuple[int, int] | None:
    """The identity of an object of a file; None for direct objects."""
    try:
        number = value.objgen if isinstance(value, pikepdf.Object) else (0, 0)
    except BROKEN:
        return None
    return number if number != (0, 0) else None


def unseen(values: Iterable[Any], seen: set[Any]) -> Iterator[Any]:
    """Those of some objects that have not been seen before. Walks through trees therefore end,
    because each direct object is written only once."""
    for value in values:
        key = identity(value)
        if key is None or key not in seen:
            seen.add(key)
            yield value


def has_names(tree: Any, budget: Budget) -> bool:
    """Whether a name tree contains anything. It may not be a tree at all: kids can be their own
    ancestors."""
    waiting, seen = [tree], set[Any]()
    while waiting:
        node = waiting.pop()
        if length_of(entry(node, "/Names")):
            return True
        waiting += unseen(items_of(entry(node, "/Kids"), budget), seen)
    return False
