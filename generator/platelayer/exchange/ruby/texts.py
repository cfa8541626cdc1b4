"""Further methods of Ruby's strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from platelayer.exchange.ruby.budget import pay_for_text
from platelayer.exchange.ruby.patterns import Pattern
from platelayer.exchange.ruby.work import Block, ruby_run

_MOST = 1000


def next_word(text: str) -> str:
    """Ruby's `succ`: A9 comes before B0, AZ before BA."""
    if not text.isascii() or not text.isalnum():
        raise ValueError
    letters = list(text)
    for at in range(len(letters) - 1, -1, -1):
        last = {"9": "0", "z": "a", "Z": "A"}.get(letters[at])
        if last is None:
            letters[at] = chr(ord(letters[at]) + 1)
            return "".join(letters)
        letters[at] = last
    return ("1" if letters[0] == "0" else letters[0]) + "".join(letters)


def words_between(first: str, last: str) -> list[str]:
    """A range of words: A8..A11."""
    found = [first]
    while found[-1] != last:
        if len(found) > _MOST or len(found[-1]) > len(last):
            raise ValueError
        found.append(next_word(found[-1]))
    return found


def matches(text: Any, arguments: list[Any], _block: Block) -> int | None:
    """Ruby's `=~`."""
    found = arguments[0].search(text) if isinstance(arguments[0], Pattern) else text.search(arguments[0])
    return found.start() if found else None


def _replaced(most: int) -> Callable[[Any, list[Any], Block], str]:
    def found(text: Any, arguments: list[Any], _block: Block) -> str:
        whole, other = str(text), str(arguments[1])
        if isinstance(arguments[0], Pattern):
            pay_for_text(len(other) * (len(whole) + 1))
            return str(arguments[0].replace(whole, other, most=most))
        pay_for_text(len(other) * whole.count(str(arguments[0])))
        return whole.replace(str(arguments[0]), other, most or -1)

    return found


def _split(text: str, arguments: list[Any], _block: Block) -> list[str]:
    by, most = arguments[0] if arguments else " ", arguments[1] - 1 if len(arguments) > 1 else -1
    if isinstance(by, Pattern):
        return by.split(text)
    return text.split(None if by == " " else by, most) if by else list(text)


def _filled(way: Callable[..., str]) -> Callable[[Any, list[Any], Block], str]:
    """rjust and the like."""

    def found(text: Any, arguments: list[Any], _block: Block) -> str:
        pay_for_text(arguments[0])
        return way(text, *arguments)

    return found


def _character(code: Any) -> Any:
    if isinstance(code, int) and 0xD800 <= code <= 0xDFFF:
        raise ValueError
    return chr(code) if isinstance(code, int) else code[:1]


def _chars(text: str, _arguments: list[Any], block: Block) -> list[str]:
    for each in text if block is not None else ():
        ruby_run(block, each)
    return list(text)


TEXTS: dict[str, Callable[[Any, list[Any], Block], Any]] = {
    "=~": matches,
    "match?": lambda text, arguments, block: matches(text, arguments, block) is not None,
    "gsub": _replaced(0),
    "sub": _replaced(1),
    "scan": lambda text, arguments, _b: arguments[0].findall(text),
    "split": _split,
    "each_char": _chars,
    "chars": _chars,
    "rjust": _filled(str.rjust),
    "ljust": _filled(str.ljust),
    "center": _filled(str.center),
    "ord": lambda text, _a, _b: ord(text[0]),
    "chr": lambda code, _a, _b: _character(code),
    "swapcase": lambda text, _a, _b: text.swapcase(),
    "titleize": lambda text, _a, _b: text.replace("_", " ").title(),
    "succ": lambda text, _a, _b: text + 1 if isinstance(text, int) else next_word(text),
    "next": lambda text, _a, _b: text + 1 if isinstance(text, int) else next_word(text),
}
"""Methods by name."""
