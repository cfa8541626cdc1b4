"""The bytes that a PDF packs, unpacked within a budget: its streams, and the objects that the
library would unpack."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import pikepdf

from platelayer.preflight.objects import (
    BROKEN,
    Budget,
    TooMuch,
    entry,
    items_of,
    name_of,
    number_of,
    plain_words,
)


class Unreadable(Exception):
    """A stream cannot be decoded. The message says why."""


_LONG_NAMES = {"Fl": "FlateDecode", "LZW": "LZWDecode", "RL": "RunLengthDecode"}
_MOST_FILTERS = 8
_STEPS_A_STREAM, _COPIED_A_STEP = 10, 2000
"""Cost of finding a stream, and of copying it."""


def read_stream(stream: Any, budget: Budget, most: int | None = None) -> bytes:
    """The decoded bytes of a stream. Raises Unreadable; TooMuch if they are more than `most`, or
    than the whole file may have."""
    data = _decoded(stream, budget.bytes if most is None else min(most, budget.bytes), budget)
    if most is not None and len(data) > most:
        raise TooMuch(f"a stream holds more than {most // 2**20} MB")
    budget.spend_bytes(len(data))
    return data


def read_picture(stream: Any, size: int, budget: Budget) -> bytes | None:
    """The bytes of a picture of this size; None if it has more, or if all pictures of the file
    together exceed the budget of a check. Raises Unreadable, TooMuch."""
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
    except BROKEN as error:
        raise Unreadable(f"a stream cannot be read: {plain_words(error)}") from error
    budget.spend_steps(_STEPS_A_STREAM + len(data) // _COPIED_A_STEP)
    parameters = [
        {
            key: int(number_of(entry(value, key)))
            for key in _PARAMETERS
            if entry(value, key) is not None
        }
        for value in _one_or_more(entry(stream, "/DecodeParms"), budget)
    ]
    for index, name in enumerate(names):
        data = _filtered(
            name, data, parameters[index] if index < len(parameters) else {}, most, budget
        )
    return data


# Filters
# --------------------------------------------------------------------------------------------------------------

_Parameters = Mapping[str, int]
"""The whole numbers under DecodeParms, by key."""

_PARAMETERS = ("/Predictor", "/Colors", "/BitsPerComponent", "/Columns", "/EarlyChange")
_MAX_ROW_BYTES = 2**20
"""No picture is wider."""
_SPACE = b"\0\t\n\f\r "
_CLEAR, _END, _MOST_CODES = 256, 257, 4096


def _filtered(name: str, data: bytes, parameters: _Parameters, most: int, budget: Budget) -> bytes:
    """The output of one filter; if that is more than `most` bytes, more than `most` of them. Raises
    Unreadable, TooMuch."""
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
    except (*BROKEN, zlib.error) as error:
        raise Unreadable(f"a stream cannot be decoded: it is not what {name} packs") from error


def _inflate(data: bytes, _parameters: _Parameters, most: int) -> bytes:
    unpack = zlib.decompressobj()
    plain = unpack.decompress(data, most + 1)
    if data and not unpack.eof and len(plain) <= most:
        raise Unreadable("a stream ends too early")
    return plain


def _lzw(data: bytes, parameters: _Parameters, most: int) -> bytes:
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


def _without_differences(name: str, data: bytes, parameters: _Parameters, most: int) -> bytes:
    """Data packed as differences from row to row (a predictor). The library decodes that faster
    than Python can, once the size of its output is known: each row, and a byte that says how it was
    packed."""
    row_bytes = (
        parameters.get("/Colors", 1)
        * parameters.get("/BitsPerComponent", 8)
        * parameters.get("/Columns", 1)
        // 8
    )
    if row_bytes > _MAX_ROW_BYTES:
        raise Unreadable("a stream is packed in rows longer than any picture is wide")
    most += most // max(row_bytes, 1)
    plain = _DECODERS[name][0](data, parameters, most)
    if len(plain) > most:
        return plain
    stream = pikepdf.Stream(pikepdf.new(), data)
    stream.Filter, stream.DecodeParms = (
        pikepdf.Name(f"/{name}"),
        pikepdf.Dictionary(dict(parameters)),
    )
    return bytes(stream.read_bytes())


def _run_lengths(data: bytes, _parameters: _Parameters, most: int) -> bytes:
    out, at = bytearray(), 0
    while at < len(data) and data[at] != 128 and len(out) <= most:
        if data[at] < 128:
            out += data[at + 1 : at + data[at] + 2]
            at += data[at] + 2
        else:
            out += data[at + 1 : at + 2] * (257 - data[at])
            at += 2
    return bytes(out)


def _hexadecimal(data: bytes, _parameters: _Parameters, _most: int) -> bytes:
    digits = data.partition(b">")[0].translate(None, _SPACE).decode("ascii")
    return bytes.fromhex(digits + "0" * (len(digits) % 2))


_DECODERS: dict[str, tuple[Callable[[bytes, _Parameters, int], bytes], int]] = {
    "FlateDecode": (_inflate, 2000),
    "LZWDecode": (_lzw, 2),
    "RunLengthDecode": (_run_lengths, 4),
    "ASCIIHexDecode": (_hexadecimal, 100),
    "ASCII85Decode": (
        lambda data, *_: base64.a85decode(data.partition(b"~>")[0], ignorechars=_SPACE),
        2,
    ),
}
"""How each filter is decoded, and how many bytes take a microsecond or so (ISO 32000-1, 7.4)."""


# Packed objects
# -------------------------------------------------------------------------------------------------------

# Object streams and cross-reference streams (ISO 32000-1, 7.5.7 and 7.5.8) contain what would
# otherwise be unpacked. A file of some thousand bytes may so hold millions of objects, each of
# which takes the library a hundred bytes and more.

_LEAST_BYTES, _TIMES_THE_FILE = 2**20, 2
"""The most that a file may unpack: bytes of objects, and multiples of its own size."""
_WINDOW = 2**14
"""A dictionary before a stream is sought so far back. Those that count are a hundred bytes long."""
_CHUNK = 2**16
_SOUGHT_A_STEP = 16

_REGULAR = rb"[^\s\0()<>\[\]{}/%]"
# Without one of these keys, W of cross-reference streams and First of object streams, there are
# none.
_KEY = re.compile(
    rb"/(?:(?:W|#57)(?:[\s\0]*[\[%]|[\s\0]+\d)|(?:F|#46)(?:i|#69)(?:r|#72)(?:s|#73)(?:t|#74)(?!"
    + _REGULAR
    + rb"))"
)
_STREAM = re.compile(rb"(?<=[>\s\0])stream(?!" + _REGULAR + rb")[\s\0]*")
_TOKEN = re.compile(
    rb"[\s\0]+|%[^\r\n]*|/" + _REGULAR + rb"*|[-+.0-9]+|<<|>>|<[0-9A-Fa-f\s\0]*>|[\[\]]"
    rb"|(?:true|false|null|R)(?!" + _REGULAR + rb")|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)",
    re.DOTALL,
)
_NAME = re.compile(rb"/" + _REGULAR + rb"*")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_FILTER = re.compile(rb"/Filter (?:/FlateDecode|\[ /FlateDecode \]) (?=[/>])")
_PREDICTION = re.compile(rb"/DecodeParms (?:\[ )?<< (?:/[A-Z][A-Za-z]* \d{1,4} )*>> (?=[/>\]])")
_LENGTH = re.compile(rb"/Length (\d{1,10}) (?!\d+ R )")


class Unmeasured(Exception):
    """The unpacked size of a file is unknown: it is encrypted, damaged, or packed as no program
    packs it."""


def check_packed(data: bytes, budget: Budget) -> None:
    """Raises TooMuch for a file that packs more objects than any print needs, Unmeasured if that is
    unknown."""
    if not _KEY.search(data):
        return
    most = left = _LEAST_BYTES + _TIMES_THE_FILE * len(data)
    for start, words in _packed_objects(data, budget):
        left -= _size(data, start, words, left)
        if left < 0:
            raise TooMuch(f"it packs objects of more than {most / 2**20:.0f} MB")


def _packed_objects(data: bytes, budget: Budget) -> Iterator[tuple[int, bytes]]:
    """Where the data of streams that hold objects begins, and the words of their dictionaries, each
    with a space behind it. Raises TooMuch; Unmeasured for what may be such a dictionary, or may
    not."""
    for begin in _STREAM.finditer(data):
        before = data[max(begin.start() - _WINDOW, 0) : begin.start()]
        head, _, dictionary = before.rpartition(b"obj")
        line = head[max(head.rfind(b"\n"), head.rfind(b"\r")) + 1 :]
        tokens = _TOKEN.findall(dictionary)
        sure = (
            head
            and b"%" not in line
            and b"".join(tokens) == dictionary
            and tokens.count(b"<<") == tokens.count(b">>")
        )
        if not sure:
            tokens = _NAME.findall(before)
        budget.spend_steps(1 + len(dictionary if sure else before) // _SOUGHT_A_STEP)
        words = [
            _ESCAPED.sub(_letter, token)
            for token in tokens
            if token[:1] not in b"%(\0" and not token.isspace()
        ]
        if b"/W" in words or (b"/First" in words and b"/N" in words):
            if not sure:
                raise Unmeasured
            yield begin.end(), b" ".join([*words, b""])


def _letter(escaped: re.Match[bytes]) -> bytes:
    return bytes.fromhex(escaped[1].decode())


def _size(data: bytes, start: int, words: bytes, most: int) -> int:
    """How many bytes a stream unpacks into, or more than `most`. Raises Unmeasured."""
    if b"/Filter " not in words:
        end = data.find(b"endstream", start)
        return max((end if end >= 0 else len(data)) - start, *map(int, _LENGTH.findall(words)), 0)
    for key, value in ((b"/Filter ", _FILTER), (b"/DecodeParms ", _PREDICTION)):
        if words.count(key) != len(value.findall(words)):
            raise Unmeasured
    unpack, size = zlib.decompressobj(), 0
    try:
        while not unpack.eof and start < len(data) and size <= most:
            size += len(unpack.decompress(data[start : start + _CHUNK], most - size + 1))
            start += _CHUNK
    except zlib.error:
        if not size:
            raise Unmeasured from None
    return size
