"""What the Ruby files of one game may cost: a budget of steps that nothing resets.

A step is a node of a tree, a turn of a loop, an element that is made, four that are walked through, or 64 characters of
a text: so much time and memory follow from it that a limit of steps is one of both. Whoever makes something pays for it
before it is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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
    """Pay for so many characters."""
    _budget.pay(characters // _CHARACTERS)


def pay_for(*values: Any) -> int:
    """Pay for walking through values all the way down; returns what they cost. A value that holds itself costs too
    much."""
    before = _budget.left
    waiting = list(values)
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if len(each) >= _CHARACTERS:
                pay_for_text(len(each))
        elif isinstance(each, dict):
            _budget.pay(len(each) // _WALKED + 1)
            waiting += each
            waiting += each.values()
        elif isinstance(each, (list, tuple)):
            _budget.pay(len(each) // _WALKED + 1)
            waiting += each
    return before - _budget.left


def checked_number(value: Any) -> Any:
    """A value, unless it is a whole number that no data has."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise TooLarge
    return value
