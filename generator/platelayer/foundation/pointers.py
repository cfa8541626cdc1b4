"""JSON pointers (RFC 6901)."""

from __future__ import annotations


def join_pointer(*tokens: str | int) -> str:
    """A pointer from keys and indices."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def split_pointer(pointer: str) -> tuple[str, ...]:
    """The keys and indices of a pointer, as strings."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])
