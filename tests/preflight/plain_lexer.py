"""What the lexer of content streams ought to find, byte by byte: slow, and as plain as the
standard."""

from __future__ import annotations

from platelayer.preflight.content import unescaped

SPACE, DELIMITERS = b"\0\t\n\v\f\r ", b"()<>[]{}/%"
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'\""
NUMBERS, HEXADECIMAL = b"-+.0123456789", b"0123456789ABCDEFabcdef"
WORDS = (b"[", b"]", b"<<", b">>", b"true", b"false", b"null")
PATHS = frozenset(b"c l m h v y J j d M i n W W* re".split())
"""What the lexer may leave out."""


def plain_operations(stream: bytes) -> list[tuple[bytes, bytes]]:
    """(operands, operator) in order, operands squeezed, without what builds paths."""
    found: list[tuple[bytes, bytes]] = []
    operands, at = b"", 0

    def tell(operator: bytes) -> None:
        if operator not in PATHS and (operator or operands.strip(SPACE)):
            found.append((b" ".join(operands.replace(b"\0", b" ").split()), operator))

    while at < len(stream):
        end = _end(stream, at)
        token, first = stream[at:end], stream[at : at + 1]
        at = end
        if first == b"%":
            operands += b" "
        elif first == b"(":
            operands += (
                b"<" + unescaped(token[1:-1] if _closed(token) else token[1:]).hex().encode() + b">"
            )
        elif (
            first in SPACE + NUMBERS + b"/" or token in WORDS or (first == b"<" and len(token) > 1)
        ):
            operands += token
        else:
            tell(token)
            operands = b""
            at = _behind_image(stream, at) if token == b"ID" else at
    tell(b"")
    return found


def _end(stream: bytes, at: int) -> int:
    """Where the token ends that begins here."""
    first = stream[at : at + 1]
    end = at + 1
    if first == b"(":
        end = _string_end(stream, at)
    elif stream[at : at + 2] in (b"<<", b">>"):
        end = at + 2
    elif first == b"<":
        end = _while(stream, at + 1, HEXADECIMAL + SPACE)
        end = end + 1 if stream[end : end + 1] == b">" else at + 1
    elif first == b"%":
        end = _until(stream, at, b"\r\n")
    elif first == b"/":
        end = _until(stream, at + 1, SPACE + DELIMITERS)
    elif first in LETTERS:
        end = _while(stream, at, LETTERS + b"0123456789*")
    elif first in NUMBERS:
        end = _while(stream, at, NUMBERS)
    return end


def _while(stream: bytes, at: int, wanted: bytes) -> int:
    while at < len(stream) and stream[at] in wanted:
        at += 1
    return at


def _until(stream: bytes, at: int, unwanted: bytes) -> int:
    while at < len(stream) and stream[at] not in unwanted:
        at += 1
    return at


def _string_end(stream: bytes, at: int) -> int:
    depth = 0
    while at < len(stream):
        depth += (stream[at] == ord("(")) - (stream[at] == ord(")"))
        at += 2 if stream[at] == ord("\\") else 1
        if not depth:
            return at
    return len(stream)


def _closed(token: bytes) -> bool:
    return _string_end(token + b" ", 0) == len(token)


def _behind_image(stream: bytes, at: int) -> int:
    """Behind an EI that stands between white space."""
    for end in range(at + 1, len(stream) - 1):
        if (
            stream[end : end + 2] == b"EI"
            and stream[end - 1] in SPACE[1:]
            and (stream[end + 2 : end + 3] or b" ") in SPACE[1:]
        ):
            return end + 2
    return len(stream)
