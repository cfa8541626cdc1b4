"""The operations of a content stream, one by one: operands as written, and the operator."""

from __future__ import annotations

import re
from collections.abc import Iterator

from platelayer.preflight.objects import Budget, TooMuch

MAX_OPERANDS = 2**20
"""The most bytes before one operator. No print needs a hundredth of it."""

_END = rb"(?![^\s()<>\[\]{}/%])"

# One match an operation, so that the work is done by the regular expression engine: reading the 2.4
# MB of streams of 18EU takes 0.03 s this way, and 0.34 s as the objects that
# pikepdf.parse_content_stream makes. What builds paths, clips and shapes lines leaves no trace that
# a check looks at; runs of it are skipped in one match (two empty groups). No input makes it look
# twice at the same bytes: quantifiers of one byte are possessive, those of more stand in atomic
# groups (possessive ones match wrongly before Python 3.11.5, gh-106052). The engine remembers every
# turn of an atomic group until it is through, some hundred bytes each, so that their number has a
# limit: longer runs are several matches.
_OPERATION = re.compile(
    rb"(?>(?:[-+.0-9\s\[\]]++(?:[clmhvyJjdMin]|W\*?+|re)" + _END + rb"){0,1000})"
    rb"((?>(?:[-+.0-9\s\[\]]++|/[^\s()<>\[\]{}/%]*+|<<|>>|<[0-9A-Fa-f\s]*+>){0,1000}))"
    rb"([A-Za-z'\"][A-Za-z0-9*'\"]*+|[^-+.0-9\s\[\]/<>]|)"
)
_WORDS = (b"true", b"false", b"null")
_ODD = frozenset((b"(", b"%", b"ID", *_WORDS, b""))
"""Everything that is not a plain operator: nested strings, comments and the data of inline images,
which need more than a regular expression; words that are operands though they look like operators;
nothing."""
_PLAIN_STRING = re.compile(rb"[^()\\]*+\)")
_IN_STRING = re.compile(rb"\\.|[()]", re.DOTALL)
_LINE_END = re.compile(rb"(?=[\r\n])")
_IMAGE_END = re.compile(rb"(?<=\s)EI(?=\s|\Z)")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPES = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}


def operations(stream: bytes, budget: Budget) -> Iterator[tuple[bytes, bytes]]:
    """(operands, operator) in order, without path construction. Literal strings come as hexadecimal
    strings, comments are left out, an inline image is the operator `ID` after its entries. An
    operator that is not a word is a stray byte; operands without an operator come with an empty
    one. Raises TooMuch. The caller counts what is yielded as steps."""
    text = stream.replace(b"\0", b" ")
    is_long = len(text) > MAX_OPERANDS
    held = bytearray()
    at = 0
    while True:
        for match in _OPERATION.finditer(text, at):
            operands, operator = match.groups()
            if held and match.start(1) > match.start():
                held.clear()
            if operator not in _ODD:
                if held or (is_long and len(operands) > MAX_OPERANDS):
                    operands = _released(held, operands)
                yield operands, operator
            elif operator and operator not in _WORDS:
                break
            elif operands or operator:
                budget.spend_steps(1)
                _hold(held, operands + operator)
            elif match.start() == match.end() < len(text):
                yield _released(held, b""), text[match.end() : match.end() + 1]
        else:
            if held:
                yield _released(held, b""), b""
            return
        budget.spend_steps(2)
        _hold(held, operands)
        at = match.end()
        if operator == b"ID":
            yield _released(held, b""), operator
        at = _behind_odd(operator, stream, at, held, budget)


def _behind_odd(operator: bytes, stream: bytes, at: int, held: bytearray, budget: Budget) -> int:
    """The end of a string, a comment or the data of an image; strings are kept as operands."""
    if operator != b"(":
        match = (_LINE_END if operator == b"%" else _IMAGE_END).search(stream, at)
        return match.end() if match else len(stream)
    end = _string_end(stream, at)
    literal = stream[at : min(end, at + MAX_OPERANDS)]
    budget.spend_steps(literal.count(b"(") + literal.count(b"\\"))
    _hold(held, b"<%s>" % unescaped(literal).hex().encode())
    return end + 1


def _hold(held: bytearray, operands: bytes) -> None:
    """Keeps operands before an oddity, or before a limit of the engine, for the operator that
    follows."""
    held += operands
    if len(held) > MAX_OPERANDS:
        raise TooMuch(f"an operator has more than {MAX_OPERANDS // 2**20} MB of operands")


def _released(held: bytearray, operands: bytes) -> bytes:
    """All operands of an operator."""
    _hold(held, operands)
    whole = bytes(held)
    held.clear()
    return whole


def _string_end(stream: bytes, start: int) -> int:
    """The position of the bracket that closes the one before `start`; the end of the stream if
    there is none."""
    plain = _PLAIN_STRING.match(stream, start)
    if plain:
        return plain.end() - 1
    depth = 1
    for bracket in _IN_STRING.finditer(stream, start, start + MAX_OPERANDS):
        depth += (bracket[0] == b"(") - (bracket[0] == b")")
        if depth == 0:
            return bracket.start()
    return len(stream)


def unescaped(literal: bytes) -> bytes:
    """The bytes between the brackets of a literal string (ISO 32000-1, 7.3.4.2)."""
    return _ESCAPE.sub(_unescaped_one, literal) if b"\\" in literal else literal


def _unescaped_one(escape: re.Match[bytes]) -> bytes:
    word = escape[1]
    return (
        bytes([int(word, 8) & 255]) if word.isdigit() and word < b"8" else _ESCAPES.get(word, word)
    )
