"""Values of Ruby data, and what the files of one game may cost: a budget of steps that nothing
resets.

A value is a plain one of Python, or one that cannot be known without running the file. A step is a
node of a tree, a turn of a loop, an element that is made, four that are walked through, or 64
characters of a text: so much time and memory follow from it that a limit of steps is one of both.
Whoever makes something pays for it before it is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

MOST = 1_500_000
"""Steps for one import; the costliest known game takes a tenth of them."""
SHARE = 300_000
"""Steps for one constant or method that is asked for."""
_AT_ONCE = 100_000
"""Steps for what one expression makes."""
_CHARACTERS, _WALKED = 64, 4
MOST_BITS = 63


class TooMuch(Exception):
    """Raised when a constant or method costs more than data ever does."""


class TooLarge(ValueError):
    """Raised instead of making something that no data holds: the expression is not read."""


class Budget:
    """Steps that are left. `floor` is where the share of what is read now ends."""

    def __init__(self, steps: int = MOST) -> None:
        self.left, self.floor = steps, 0

    def pay(self, steps: int = 1) -> None:
        """Take steps. Raises TooLarge for too many at once, TooMuch when the share is used up."""
        if not steps <= _AT_ONCE:  # also where it is no number
            raise TooLarge
        self.left -= max(0, steps)
        if self.left < self.floor:
            raise TooMuch

    @contextmanager
    def share(self, steps: int = SHARE) -> Iterator[None]:
        """A share of what is left."""
        outer = self.floor
        self.floor = max(outer, self.left - steps)
        try:
            yield
        finally:
            self.floor = outer


_budget = Budget()


def budget() -> Budget:
    """That of the game which is being read: a process reads one at a time."""
    return _budget


def begin(steps: int = MOST) -> None:
    """A new game has a new budget."""
    global _budget  # noqa: PLW0603 - shared by all that reads the game
    _budget = Budget(steps)


def pay(steps: int = 1) -> None:
    """Take steps of the budget (see Budget.pay)."""
    _budget.pay(steps)


def pay_for_text(characters: int) -> None:
    """Pay for a text of this length."""
    _budget.pay(characters // _CHARACTERS)


def pay_for(*values: Any) -> int:
    """Pay for walking through values all the way down; returns what they cost. A value that holds
    itself costs too much."""
    before = _budget.left
    waiting = list(values)
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            if len(node) >= _CHARACTERS:
                pay_for_text(len(node))
        elif isinstance(node, dict):
            _budget.pay(len(node) // _WALKED + 1)
            waiting += node
            waiting += node.values()
        elif isinstance(node, (list, tuple)):
            _budget.pay(len(node) // _WALKED + 1)
            waiting += node
    return before - _budget.left


def checked_number(value: Any) -> Any:
    """A value, unless it is a whole number that no data has."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise TooLarge
    return value


MOST_DEEP = 40
MOST_VALUES = 20_000
"""Levels, and values in all, of what is read for one constant or method; a whole known game has
6,000."""


class Unread(Struct, frozen=True, kw_only=True):
    """A value that only the program itself could work out: what stands there, in which file and
    line, and why it was not read where there is more to say."""

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
    """Something of the engine, such as a tile, by what it answers to which question. What is read
    of one with a `role` is noted, in order."""

    role = ""

    @classmethod
    def of(cls, value: Any, role: str = "") -> Any:
        """Plain data as things, all the way down."""
        if isinstance(value, dict):
            thing = cls({key: cls.of(entry) for key, entry in value.items()})
            thing.role = role
            return thing
        return [cls.of(entry) for entry in value] if isinstance(value, list) else value

    def read(self, name: str) -> Any:
        """What it answers."""
        if self.role:
            _read.append((self.role, name))
        return self[name]

    def __eq__(self, other: object) -> bool:
        if self.role:
            _read.append((self.role, WHOLE))
        return dict.__eq__(self, other)

    __hash__ = dict.__hash__


WHOLE = ""
"""What is noted where a thing is compared as a whole."""
_read: list[tuple[str, str]] = []


@contextmanager
def noting() -> Iterator[list[tuple[str, str]]]:
    """What is read of things with a role while the block lasts, as pairs of role and question."""
    _read.clear()
    yield _read
    _read.clear()


def is_unread(value: Any) -> bool:
    """True for a value that could not be read."""
    return isinstance(value, Unread)


def truthy(value: Any) -> bool:
    """What counts as true in Ruby: everything but nil and false; an unread value counts as
    false."""
    return value is not None and value is not False and not is_unread(value)


def checked_data(value: Any) -> Any:
    """A value that may leave the evaluator: it has no more values, deeper levels or larger numbers
    than data ever have. Raises TooLarge."""
    count, layer = 0, [value]
    for _ in range(MOST_DEEP + 1):
        pay(len(layer) // 4)
        deeper: list[Any] = []
        for node in layer:
            if isinstance(node, (dict, list, tuple)):
                count += len(node)
            elif isinstance(node, str):
                count += len(node) // 100
            if count > MOST_VALUES:
                raise TooLarge
            if isinstance(node, dict):
                deeper += node
                deeper += node.values()
            elif isinstance(node, (list, tuple)):
                deeper += node
            else:
                checked_number(node)
        layer = deeper
    if layer:
        raise TooLarge
    return value


def unread_in(value: Any) -> Iterator[Unread]:
    """Everything in a value that could not be read, in order."""
    if isinstance(value, Unread):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from unread_in(key)
            yield from unread_in(entry)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from unread_in(entry)


def readable(value: Any) -> Any:
    """The value without its unread parts: entries of hashes and elements of arrays are left out;
    None for one that is unread as a whole."""
    if isinstance(value, Unread):
        return None
    if isinstance(value, dict):
        return {
            _key(key): readable(entry)
            for key, entry in value.items()
            if not (is_unread(key) or is_unread(entry))
        }
    if isinstance(value, (list, tuple)):
        return [readable(entry) for entry in value if not is_unread(entry)]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _key(key: Any) -> Any:
    plain = readable(key)
    return tuple(map(_key, plain)) if isinstance(plain, list) else plain


def words(value: Any) -> str:
    """A value as Ruby's to_s writes it."""
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, (list, tuple, dict)):
        pay_for(value)
    return str(value)
