"""Phrases with places to fill in: "page {} of {}", "{1} of the {0}"."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(r"\{\{|\}\}|\{([0-9]?)\}|\{[^{}]{0,40}\}?|\}")
_SHOWN = 20
_LISTED = 10


@lru_cache(maxsize=4096)
def _parsed(phrase: str) -> tuple[str | int, ...]:
    """Literal words and numbers of places, in order. Raises ValueError for what is no phrase, in
    words."""
    parts: list[str | int] = []
    end = counted = 0
    numbered: set[bool] = set()
    for token in _TOKEN.finditer(phrase):
        parts.append(phrase[end : token.start()])
        end = token.end()
        if token[0] in ("{{", "}}"):
            parts.append(token[0][0])
        elif token[1] is None:
            shown = token[0] if len(token[0]) <= _SHOWN else f"{token[0][:_SHOWN]} ..."
            raise ValueError(f'"{shown}" is no place')
        else:
            numbered.add(bool(token[1]))
            parts.append(int(token[1]) if token[1] else counted)
            counted += 1
    if len(numbered) > 1:
        raise ValueError("places have numbers either all or none")
    return tuple(part for part in (*parts, phrase[end:]) if part != "")


def places(phrase: str) -> frozenset[int]:
    """The numbers of the places of a phrase, from 0. Raises ValueError for what is no phrase: a
    place is {}, or {0} to {9}; a brace that is printed is written {{ or }}."""
    return frozenset(part for part in _parsed(phrase) if isinstance(part, int))


def fault(phrase: str, like: str) -> str:
    """What is wrong with a phrase that takes the place of another and must have the same places; ""
    if nothing is."""
    wanted = places(like)
    allowed = f"the places are {_listed(wanted)}" if wanted else "there are no places"
    try:
        filled = places(phrase)
    except ValueError as error:
        return f"{error}; {allowed}"
    if filled - wanted:
        return f"{_listed(filled - wanted)} cannot be filled; {allowed}"
    return f"{_listed(wanted - filled)} is missing; {allowed}" if wanted - filled else ""


def _listed(numbers: frozenset[int]) -> str:
    more = [f"{len(numbers) - _LISTED} more"] if len(numbers) > _LISTED else []
    return " and ".join([*(f"{{{number}}}" for number in sorted(numbers)[:_LISTED]), *more])


def fill(phrase: str, *parts: object) -> str:
    """A phrase with its places filled. Raises ValueError as `places` does, and IndexError where a
    part is missing."""
    if "{" not in phrase and "}" not in phrase:
        return phrase
    return "".join(str(parts[part]) if isinstance(part, int) else part for part in _parsed(phrase))
