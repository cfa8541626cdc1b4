"""JSON pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache


def join_pointer(*tokens: str | int) -> str:
    """A pointer from keys and indices."""
    return "".join(["/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens])


@lru_cache(
    maxsize=1 << 15
)  # the same few are compared again and again: a third of the time of salvaging a title
def split_pointer(pointer: str) -> tuple[str, ...]:
    """The keys and indices of a pointer, as strings."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def touches(reads: Iterable[str], lost: Iterable[str], own: str = "") -> bool:
    """True if a finding at the pointer `own` may come from what a document has `lost`, by the paths
    that it `reads`.

    "companies/*/homes" reads the homes of all companies. "companies/./homes" reads those of its own
    company alone, if it is about one. "companies/+/homes" reads all that there are: a company that
    is lost as a whole leaves no finding, one that has lost its homes may. "a|b" stands for either
    key, "" for everything.
    """
    gone = [split_pointer(pointer) for pointer in lost]
    return any(
        _touch(path.split("/") if path else (), keys, split_pointer(own))
        for path in reads
        for keys in gone
    )


def _touch(path: Sequence[str], lost: Sequence[str], own: Sequence[str]) -> bool:
    for depth, (step, key) in enumerate(zip(path, lost, strict=False)):
        if step == ".":
            is_about_one = len(own) > depth and all(
                _fits(*pair) for pair in zip(path[:depth], own, strict=False)
            )
            if is_about_one and lost[: depth + 1] != own[: depth + 1]:
                return False
        elif (step == "+" and depth + 1 == len(lost)) or not _fits(step, key):
            return False
    return True


def _fits(step: str, key: str) -> bool:
    return step in ("*", "+", ".") or key in step.split("|")
