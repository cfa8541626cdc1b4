"""A seed and a PDF in, a damaged copy out: the same seed, the same damage."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable

_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_NUMBER = re.compile(rb"\d+")
_WORDS = (
    b"/Type",
    b"/Kids",
    b"/Length",
    b"/Filter",
    b"obj",
    b"endobj",
    b"xref",
    b"trailer",
    b"<<",
    b">>",
    b"[",
    b"]",
)


def flip(data: bytearray, dice: random.Random) -> None:
    for _ in range(dice.randint(1, 40)):
        data[dice.randrange(len(data))] = dice.randrange(256)


def cut(data: bytearray, dice: random.Random) -> None:
    del data[dice.randrange(len(data)) :]


def splice(data: bytearray, dice: random.Random) -> None:
    start, end = sorted(dice.sample(range(len(data)), 2))
    piece = data[start : min(end, start + 5000)]
    at = dice.randrange(len(data))
    data[at : at + dice.choice((0, len(piece)))] = piece


def number(data: bytearray, dice: random.Random) -> None:
    found = list(_NUMBER.finditer(data))
    for each in sorted(dice.sample(found, min(4, len(found))), key=lambda each: -each.start()):
        data[each.start() : each.end()] = dice.choice(
            (b"0", b"-1", b"99999999999", b"1e9", b"4294967296", b"7 0 R")
        )


def word(data: bytearray, dice: random.Random) -> None:
    old, new = dice.sample(_WORDS, 2)
    places = [each.start() for each in re.finditer(re.escape(old), data)]
    for at in sorted(dice.sample(places, min(3, len(places))), reverse=True):
        data[at : at + len(old)] = new


def stream(data: bytearray, dice: random.Random) -> None:
    """A stream written anew with other content: cut short, many times over, or nonsense between its
    operators."""
    streams = list(_STREAM.finditer(data))
    if not streams:  # a file cut short before its first one
        return
    found = dice.choice(streams)
    try:
        text = zlib.decompress(found[1].strip(b"\r\n"))
    except zlib.error:
        text = bytes(found[1])
    at = dice.randrange(len(text) + 1)
    junk = dice.choice(
        (
            b" q " * 200,
            b" Q Q ",
            b" (((",
            b" <<",
            b" BI ID ",
            b" 1e400 w ",
            b" /X1 Do " * 50,
            b"\x00" * 99,
        )
    )
    text = dice.choice((text[:at], text * dice.randint(2, 60), text[:at] + junk + text[at:]))
    data[found.start(1) : found.end(1)] = zlib.compress(text)


WAYS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip,
    cut,
    splice,
    number,
    word,
    stream,
)


def damaged_pdf(dice: random.Random, data: bytes) -> bytes:
    """A copy with one to three pieces of damage."""
    copy = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        if copy:
            dice.choice(WAYS)(copy, dice)
    return bytes(copy)
