"""Objects of a PDF that may be anything in, the values a check hopes for out, or None."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import pikepdf

Matrix = tuple[float, float, float, float, float, float]
Linear = tuple[float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

BROKEN = (pikepdf.PdfError, ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RuntimeError)
"""What pikepdf raises for objects that are not what a program took them for."""

_IN_MEMORY = re.compile(r"(?:stream )?<_io\.BytesIO object[^>]*>[,:]?\s*")
_MAX_DEPTH = 60
_MAX_NODES = 1000


def plain_words(stop: object) -> str:
    """What the library says in its first line, without the name, other each time, that it gives to bytes in memory."""
    words = str(stop).strip().splitlines()
    return _IN_MEMORY.sub("", words[0] if words else type(stop).__name__)[:200]


def entry(holder: Any, *keys: str) -> Any:
    """What stands under a key of a dictionary or stream (and under a key of that ...); None where there is nothing."""
    for key in keys:
        if not isinstance(holder, (pikepdf.Dictionary, pikepdf.Stream)):
            return None
        holder = holder.get(key)
    return holder


def keys_of(holder: Any) -> list[str]:
    """The keys of a dictionary; none for anything else."""
    return sorted(holder.keys()) if isinstance(holder, (pikepdf.Dictionary, pikepdf.Stream)) else []


def items_of(value: Any) -> list[Any]:
    """The items of an array; none for anything else."""
    return list(value) if isinstance(value, pikepdf.Array) else []


def name_of(value: Any) -> str:
    """A name without its slash; "" for anything else."""
    return str(value)[1:] if isinstance(value, pikepdf.Name) else ""


def words_of(value: Any) -> str:
    """A string as text; "" for anything else."""
    return str(value) if isinstance(value, pikepdf.String) else ""


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
    """An array of so many numbers; None for anything else."""
    items = items_of(value)
    if len(items) != count:
        return None
    found = tuple(number_of(item, math.nan) for item in items)
    return None if any(map(math.isnan, found)) else found


def matrix_of(value: Any) -> Matrix:
    """A matrix of six numbers; the identity for anything else."""
    found = numbers_of(value, 6)
    return IDENTITY if found is None else (found[0], found[1], found[2], found[3], found[4], found[5])


def inherited(page: Any, key: str) -> Any:
    """What a page has under a key itself or through the nodes of the page tree above it."""
    for _ in range(_MAX_DEPTH):
        found = entry(page, key)
        if found is not None or page is None:
            return found
        page = entry(page, "/Parent")
    return None


def has_names(tree: Any) -> bool:
    """Whether a name tree holds anything. Trees may be no trees: kids that are their own forebears, without end."""
    waiting = [tree]
    for _ in range(_MAX_NODES):
        if not waiting:
            return False
        node = waiting.pop()
        if items_of(entry(node, "/Names")):
            return True
        waiting += items_of(entry(node, "/Kids"))[:_MAX_NODES]
    return True


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """`inner` first, then `outer`."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def least_scale(linear: Linear) -> float:
    """By how much the direction that a matrix stretches least is stretched: its smaller singular value."""
    a, b, c, d = linear
    total = a * a + b * b + c * c + d * d
    apart = math.hypot(a * a + b * b - c * c - d * d, 2 * (a * c + b * d))
    return math.sqrt(max(total - apart, 0.0) / 2)
