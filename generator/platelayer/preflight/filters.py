"""Decoding of PDF filters, with not much more output than requested."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping

import pikepdf

from platelayer.preflight.budget import Budget
from platelayer.preflight.objects import BROKEN

Parameters = Mapping[str, int]
"""The whole numbers under DecodeParms, by key."""

PARAMETERS = ("/Predictor", "/Colors", "/BitsPerComponent", "/Columns", "/EarlyChange")
_MAX_ROW_BYTES = 2**20
_SPACE = b"\0\t\n\f\r "
_CLEAR, _END, _MOST_CODES = 256, 257, 4096


class Unreadable(Exception):
    """A stream cannot be decoded. The message says why."""


def decoded(name: str, data: bytes, parameters: Parameters, most: int, budget: Budget) -> bytes:
    """The output of one filter; if that is more than `most` bytes, more than `most` of them. Raises Unreadable,
    TooMuch."""
    if name not in _DECODERS:
        raise Unreadable(
            f"a stream is packed with {name or 'a filter without a name'}, which cannot be used for drawings"
        )
    decode, bytes_a_step = _DECODERS[name]
    budget.spend_steps(1 + len(data) // bytes_a_step)
    try:
        if parameters.get("/Predictor", 1) > 1:
            return _without_differences(name, data, parameters, most)
        return decode(data, parameters, most)
    except (*BROKEN, zlib.error) as stop:
        raise Unreadable(f"a stream cannot be decoded: it is not what {name} packs") from stop


def _inflate(data: bytes, _parameters: Parameters, most: int) -> bytes:
    unpack = zlib.decompressobj()
    plain = unpack.decompress(data, most + 1)
    if data and not unpack.eof and len(plain) <= most:
        raise Unreadable("a stream ends too early")
    return plain


def _lzw(data: bytes, parameters: Parameters, most: int) -> bytes:
    out = bytearray()
    table = [bytes([letter]) for letter in range(256)] + [b"", b""]
    early, width, before = int(parameters.get("/EarlyChange", 1) != 0), 9, b""
    held = bits = 0
    for byte in data:
        held, bits = held << 8 | byte, bits + 8
        if bits < width:
            continue
        bits -= width
        code, held = held >> bits, held & (1 << bits) - 1
        if code == _END or len(out) > most:
            break
        if code == _CLEAR:
            del table[_END + 1 :]
            width, before = 9, b""
            continue
        word = table[code] if code < len(table) else before + before[:1]
        if not word or code > len(table):
            raise ValueError(code)
        out += word
        if before and len(table) < _MOST_CODES:
            table.append(before + word[:1])
        width, before = min((len(table) + early).bit_length(), 12), word
    return bytes(out)


def _without_differences(name: str, data: bytes, parameters: Parameters, most: int) -> bytes:
    """Data packed as differences from row to row (a predictor). The library decodes that faster than Python can, once
    the size of its output is known: each row, and a byte that says how it was packed."""
    row_bytes = (
        parameters.get("/Colors", 1) * parameters.get("/BitsPerComponent", 8) * parameters.get("/Columns", 1) // 8
    )
    if row_bytes > _MAX_ROW_BYTES:
        raise Unreadable("a stream is packed in rows longer than any picture is wide")
    most += most // max(row_bytes, 1)
    plain = _DECODERS[name][0](data, parameters, most)
    if len(plain) > most:
        return plain
    stream = pikepdf.Stream(pikepdf.new(), data)
    stream.Filter, stream.DecodeParms = pikepdf.Name(f"/{name}"), pikepdf.Dictionary(dict(parameters))
    return bytes(stream.read_bytes())


def _run_lengths(data: bytes, _parameters: Parameters, most: int) -> bytes:
    out, at = bytearray(), 0
    while at < len(data) and data[at] != 128 and len(out) <= most:
        if data[at] < 128:
            out += data[at + 1 : at + data[at] + 2]
            at += data[at] + 2
        else:
            out += data[at + 1 : at + 2] * (257 - data[at])
            at += 2
    return bytes(out)


def _hexadecimal(data: bytes, _parameters: Parameters, _most: int) -> bytes:
    digits = data.partition(b">")[0].translate(None, _SPACE).decode("ascii")
    return bytes.fromhex(digits + "0" * (len(digits) % 2))


def _base_85(data: bytes, _parameters: Parameters, _most: int) -> bytes:
    return base64.a85decode(data.partition(b"~>")[0], ignorechars=_SPACE)


_DECODERS: dict[str, tuple[Callable[[bytes, Parameters, int], bytes], int]] = {
    "FlateDecode": (_inflate, 2000),
    "LZWDecode": (_lzw, 2),
    "RunLengthDecode": (_run_lengths, 4),
    "ASCIIHexDecode": (_hexadecimal, 100),
    "ASCII85Decode": (_base_85, 2),
}
"""How each filter is decoded, and how many bytes take a microsecond or so (ISO 32000-1, 7.4)."""
