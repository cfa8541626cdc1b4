"""Values of Ruby data: plain Python ones, and what cannot be known without running the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from platelayer.exchange.ruby.budget import TooLarge, checked_number, pay, pay_for

MOST_DEEP = 40
MOST_VALUES = 20_000
"""Levels, and values in all, of what is read for one constant or method; a whole known game has 6,000."""


class Unread(Struct, frozen=True, kw_only=True):
    """A value that only the program itself could work out: what stands there, in which file and line, and why it was
    not read where there is more to say."""

    what: str
    file: str = ""
    line: int = 0
    why: str = ""

    def __bool__(self) -> bool:
        return False

    @property
    def place(self) -> str:
        """`map.rb:12`."""
        return f"{self.file}:{self.line}"


class Thing(dict[str, Any]):
    """Something of the engine, such as a tile, by what it answers to which question."""

    @classmethod
    def of(cls, value: Any) -> Any:
        """Plain data as things, all the way down."""
        if isinstance(value, dict):
            return cls({key: cls.of(each) for key, each in value.items()})
        return [cls.of(each) for each in value] if isinstance(value, list) else value


def is_unread(value: Any) -> bool:
    """True for a value that could not be read."""
    return isinstance(value, Unread)


def truthy(value: Any) -> bool:
    """What counts as true in Ruby: everything but nil and false; an unread value counts as false."""
    return value is not None and value is not False and not is_unread(value)


def checked_data(value: Any) -> Any:
    """A value that may leave the evaluator: it has no more values, deeper levels or larger numbers than data ever have.
    Raises TooLarge."""
    count, layer = 0, [value]
    for _ in range(MOST_DEEP + 1):
        pay(len(layer) // 4)
        deeper: list[Any] = []
        for each in layer:
            if isinstance(each, (dict, list, tuple)):
                count += len(each)
            elif isinstance(each, str):
                count += len(each) // 100
            if count > MOST_VALUES:
                raise TooLarge
            if isinstance(each, dict):
                deeper += each
                deeper += each.values()
            elif isinstance(each, (list, tuple)):
                deeper += each
            else:
                checked_number(each)
        layer = deeper
    if layer:
        raise TooLarge
    return value


def unread_in(value: Any) -> Iterator[Unread]:
    """Everything in a value that could not be read, in order."""
    if isinstance(value, Unread):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from unread_in(key)
            yield from unread_in(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from unread_in(each)


def readable(value: Any) -> Any:
    """The value without its unread parts: entries of hashes and elements of arrays are left out; None for one that is
    unread as a whole."""
    if isinstance(value, Unread):
        return None
    if isinstance(value, dict):
        return {_key(key): readable(each) for key, each in value.items() if not (is_unread(key) or is_unread(each))}
    if isinstance(value, (list, tuple)):
        return [readable(each) for each in value if not is_unread(each)]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _key(key: Any) -> Any:
    return tuple(_key(each) for each in key if not is_unread(each)) if isinstance(key, (list, tuple)) else key


def words(value: Any) -> str:
    """A value as Ruby's to_s writes it."""
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, (list, tuple, dict)):
        pay_for(value)
    return str(value)
