"""Whether a PDF packs too many objects, checked before the library unpacks them.

Object streams and cross-reference streams (ISO 32000-1, 7.5.7 and 7.5.8) contain what would otherwise be unpacked. A
file of some thousand bytes may so hold millions of objects, each of which takes the library a hundred bytes and more.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from platelayer.preflight.budget import Budget, TooMuch

_LEAST_BYTES, _TIMES_THE_FILE = 2**20, 2
"""The most that a file may unpack: bytes of objects, and multiples of its own size."""
_WINDOW = 2**14
"""A dictionary before a stream is sought so far back. Those that count are a hundred bytes long."""
_CHUNK = 2**16
_BYTES_A_STEP = 16

_REGULAR = rb"[^\s\0()<>\[\]{}/%]"
# Without one of these keys, W of cross-reference streams and First of object streams, there are none.
_KEY = re.compile(
    rb"/(?:(?:W|#57)(?:[\s\0]*[\[%]|[\s\0]+\d)|(?:F|#46)(?:i|#69)(?:r|#72)(?:s|#73)(?:t|#74)(?!" + _REGULAR + rb"))"
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
_PARAMETERS = re.compile(rb"/DecodeParms (?:\[ )?<< (?:/[A-Z][A-Za-z]* \d{1,4} )*>> (?=[/>\]])")
_LENGTH = re.compile(rb"/Length (\d{1,10}) (?!\d+ R )")


class Unmeasured(Exception):
    """The unpacked size of a file is unknown: it is encrypted, damaged, or packed as no program packs it."""


def check_packed(data: bytes, budget: Budget) -> None:
    """Raises TooMuch for a file that packs more objects than any print needs, Unmeasured if that is unknown."""
    if not _KEY.search(data):
        return
    most = left = _LEAST_BYTES + _TIMES_THE_FILE * len(data)
    for start, words in _packed_objects(data, budget):
        left -= _size(data, start, words, left)
        if left < 0:
            raise TooMuch(f"it packs objects of more than {most / 2**20:.0f} MB")


def _packed_objects(data: bytes, budget: Budget) -> Iterator[tuple[int, bytes]]:
    """Where the data of streams that hold objects begins, and the words of their dictionaries, each with a space behind
    it. Raises TooMuch; Unmeasured for what may be such a dictionary, or may not."""
    for found in _STREAM.finditer(data):
        before = data[max(found.start() - _WINDOW, 0) : found.start()]
        head, _, dictionary = before.rpartition(b"obj")
        line = head[max(head.rfind(b"\n"), head.rfind(b"\r")) + 1 :]
        tokens = _TOKEN.findall(dictionary)
        sure = (
            head and b"%" not in line and b"".join(tokens) == dictionary and tokens.count(b"<<") == tokens.count(b">>")
        )
        if not sure:
            tokens = _NAME.findall(before)
        budget.spend_steps(1 + len(dictionary if sure else before) // _BYTES_A_STEP)
        words = [_ESCAPED.sub(_letter, token) for token in tokens if token[:1] not in b"%(\0" and not token.isspace()]
        if b"/W" in words or (b"/First" in words and b"/N" in words):
            if not sure:
                raise Unmeasured
            yield found.end(), b" ".join([*words, b""])


def _letter(escaped: re.Match[bytes]) -> bytes:
    return bytes.fromhex(escaped[1].decode())


def _size(data: bytes, start: int, words: bytes, most: int) -> int:
    """How many bytes a stream unpacks into, or more than `most`. Raises Unmeasured."""
    if b"/Filter " not in words:
        end = data.find(b"endstream", start)
        return max((end if end >= 0 else len(data)) - start, *map(int, _LENGTH.findall(words)), 0)
    for key, value in ((b"/Filter ", _FILTER), (b"/DecodeParms ", _PARAMETERS)):
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
