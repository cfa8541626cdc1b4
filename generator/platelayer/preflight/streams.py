"""A stream of a PDF in, its decoded bytes out, within what a whole file may take."""

from __future__ import annotations

import re
import zlib
from typing import Any

import pikepdf

from platelayer.preflight.objects import BROKEN, entry, items_of, keys_of, name_of, plain_words

MAX_STREAM_BYTES = 32 * 2**20
"""Decoded content of all streams of one file that a check looks at."""
MAX_STEPS = 5_000_000
"""Operations, and what is carried from a form to where it is placed, of one file."""

_MOST_TIMES = {"FlateDecode": 1032, "LZWDecode": 2800, "RunLengthDecode": 64, "ASCIIHexDecode": 1, "ASCII85Decode": 1}
"""How many bytes a filter can make of one."""
_LONG_NAMES = {"Fl": "FlateDecode", "LZW": "LZWDecode", "RL": "RunLengthDecode"}
_PACKED = re.compile(rb"/(?:ObjStm|XRef)\b[^\x00]{0,2000}?\bstream\r?\n")


class TooMuch(Exception):
    """A file asks for more memory or time than any print needs. Its words say of what there is too much."""


class Unreadable(Exception):
    """A stream cannot be decoded. Its words say why."""


class Budget:
    """What is left of the bytes and steps that the check of one file may take."""

    def __init__(self) -> None:
        self.bytes, self.steps = MAX_STREAM_BYTES, MAX_STEPS

    def spend_bytes(self, count: int) -> None:
        """Raises TooMuch when the file's streams are longer than all prints we know of."""
        self.bytes -= count
        if self.bytes < 0:
            raise TooMuch(f"its streams hold more than {MAX_STREAM_BYTES // 2**20} MB")

    def spend_steps(self, count: int) -> None:
        """Raises TooMuch when drawing goes on without end, as of forms that place forms many times over."""
        self.steps -= count
        if self.steps < 0:
            raise TooMuch(f"drawing it takes more than {MAX_STEPS / 1e6:g} million steps")


def packed_too_much(data: bytes) -> bool:
    """Whether an object stream or cross-reference stream of a file would unpack into more than all we would read; the
    library unpacks those by itself as it opens the file."""
    left = MAX_STREAM_BYTES
    for found in _PACKED.finditer(data):
        try:
            left -= len(zlib.decompressobj().decompress(data[found.end() :], left))
        except zlib.error:
            continue
        if left <= 0:
            return True
    return False


def read_stream(stream: Any, budget: Budget) -> bytes:
    """The decoded bytes of a stream. Raises Unreadable, TooMuch."""
    filters = filters_of(stream)
    try:
        if filters == ["FlateDecode"] and not keys_of(entry(stream, "/DecodeParms")):
            data = _inflate(bytes(stream.read_raw_bytes()), budget)
        else:
            data = _decode(stream, filters)
    except (*BROKEN, zlib.error) as stop:
        raise Unreadable(f"a stream cannot be decoded: {plain_words(stop)}") from stop
    budget.spend_bytes(len(data))
    return data


def filters_of(stream: Any) -> list[str]:
    """The names of the filters that a stream went through, in order of decoding."""
    found = entry(stream, "/Filter")
    names = [name_of(found)] if isinstance(found, pikepdf.Name) else [name_of(item) for item in items_of(found)]
    return [_LONG_NAMES.get(name, name) for name in names]


def _inflate(raw: bytes, budget: Budget) -> bytes:
    unpack = zlib.decompressobj()
    data = unpack.decompress(raw, budget.bytes + 1)
    if raw and not unpack.eof and len(data) <= budget.bytes:
        raise Unreadable("a stream ends too early")
    return data


def _decode(stream: Any, filters: list[str]) -> bytes:
    """Everything else is decoded by the library, which takes the memory it needs: see first how much that may be."""
    most = len(stream.read_raw_bytes()) if filters else 0
    for name in filters:
        if name not in _MOST_TIMES:
            raise Unreadable(f"a stream is packed with {name or 'a filter without a name'}, which is not for drawings")
        most *= _MOST_TIMES[name]
    if most > 16 * MAX_STREAM_BYTES:
        raise TooMuch(f"a stream may unpack into more than {16 * MAX_STREAM_BYTES // 2**20} MB")
    return bytes(stream.read_bytes())
