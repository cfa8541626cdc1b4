"""The decoded bytes of PDF streams, within the budget of the whole file."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pikepdf

from platelayer.preflight.budget import Budget, TooMuch
from platelayer.preflight.filters import PARAMETERS, Parameters, Unreadable, decoded
from platelayer.preflight.objects import BROKEN, entry, items_of, name_of, number_of, plain_words

_LONG_NAMES = {"Fl": "FlateDecode", "LZW": "LZWDecode", "RL": "RunLengthDecode"}
_MOST_FILTERS = 8
_STEPS, _BYTES_A_STEP = 10, 2000
"""Cost of finding a stream, and of copying it."""


def read_stream(stream: Any, budget: Budget, most: int | None = None) -> bytes:
    """The decoded bytes of a stream. Raises Unreadable; TooMuch if they are more than `most`, or than the whole file
    may have."""
    data = _decoded(stream, budget.bytes if most is None else min(most, budget.bytes), budget)
    if most is not None and len(data) > most:
        raise TooMuch(f"a stream holds more than {most // 2**20} MB")
    budget.spend_bytes(len(data))
    return data


def read_picture(stream: Any, size: int, budget: Budget) -> bytes | None:
    """The bytes of a picture of this size; None if it has more, or if all pictures of the file together exceed the
    budget of a check. Raises Unreadable, TooMuch."""
    if size > budget.picture_bytes:
        return None
    data = _decoded(stream, size, budget)
    budget.picture_bytes -= size
    return data if len(data) <= size else None


def filters_of(stream: Any, budget: Budget) -> list[str]:
    """The names of the filters that a stream went through, in order of decoding."""
    names = map(name_of, _one_or_more(entry(stream, "/Filter"), budget))
    return [_LONG_NAMES.get(name, name) for name in names]


def _one_or_more(value: Any, budget: Budget) -> list[Any]:
    if isinstance(value, pikepdf.Array):
        return list(islice(items_of(value, budget), _MOST_FILTERS + 1))
    return [] if value is None else [value]


def _decoded(stream: Any, most: int, budget: Budget) -> bytes:
    """The decoded bytes; if they are more than `most`, more than `most` of them."""
    names = filters_of(stream, budget)
    if len(names) > _MOST_FILTERS:
        raise Unreadable(f"a stream went through more than {_MOST_FILTERS} filters")
    try:
        data = bytes(stream.read_raw_bytes())
    except BROKEN as stop:
        raise Unreadable(f"a stream cannot be read: {plain_words(stop)}") from stop
    budget.spend_steps(_STEPS + len(data) // _BYTES_A_STEP)
    parameters = [_numbers(each) for each in _one_or_more(entry(stream, "/DecodeParms"), budget)]
    for index, name in enumerate(names):
        data = decoded(name, data, parameters[index] if index < len(parameters) else {}, most, budget)
    return data


def _numbers(value: Any) -> Parameters:
    return {key: int(number_of(entry(value, key))) for key in PARAMETERS if entry(value, key) is not None}
