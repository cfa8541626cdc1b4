"""Numbers and lengths as SVG writes them."""

from __future__ import annotations

import re

from platelayer.scene.svg_paths import LARGEST, NUMBER

_BLANK = re.compile(r"[\s,]*")
_LENGTH = re.compile(rf"({NUMBER})(px|pt|pc|mm|cm|in)?")
_UNITS = {
    None: 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96.0,
}


def lengths(words: str) -> list[float]:
    """Lengths in user units, with blanks, commas or nothing between them. Raises ValueError for
    anything else, and for numbers beyond LARGEST."""
    numbers: list[float] = []
    at = _BLANK.match(words).end()  # type: ignore[union-attr]
    while at < len(words):
        match = _LENGTH.match(words, at)
        if match is None:
            raise ValueError(f'"{words[at : at + 20]}" is not a length')
        number = float(match[1]) * _UNITS[match[2]]
        if not -LARGEST <= number <= LARGEST:
            raise ValueError(f"{match[0][:20]} is beyond {LARGEST:g}")
        numbers.append(number)
        at = _BLANK.match(words, match.end()).end()  # type: ignore[union-attr]
    return numbers


def length(words: str) -> float:
    """One length in user units. Raises ValueError."""
    (number,) = lengths(words)
    return number


def share(words: str) -> float:
    """A number or percentage, from 0 to 1. Raises ValueError."""
    number = words.removesuffix("%")
    if not re.fullmatch(NUMBER, number):
        raise ValueError(f'"{words[:20]}" is not a number')
    return min(1.0, max(0.0, float(number) / (100 if number != words else 1)))
