"""Seeded random numbers, identical on every machine and with every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

# The largest seed: the largest whole number that every JSON reader preserves exactly.
MAX_SEED = 2**53 - 1
_EASY_SEEDS = 10**9
_MASK = 2**64 - 1


def new_seed() -> int:
    """Return a random seed of at most nine digits, short enough to be read out at a table."""
    import secrets  # slow to import, and only needed for a new seed

    return secrets.randbelow(_EASY_SEEDS)


class Dice:
    """Random whole numbers from a seed, by SplitMix64.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The
    standard library's generator is not used because its methods may change between versions of
    Python. `state` is all that the next numbers depend on.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= MAX_SEED:
            raise ValueError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed}")
        self.state = seed

    def bits64(self) -> int:
        """Return a number from 0 to 2**64 - 1."""
        self.state = state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return state ^ (state >> 31)

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, all equally likely. `bound` is from 1 to 2**64."""
        fair = 2**64 - 2**64 % bound
        while (bits := self.bits64()) >= fair:
            pass
        return bits % bound

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order (Fisher and Yates, from the last place down)."""
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return pile


def chance(*numbers: int) -> float:
    """Return a number from -1 to 1 that depends only on some whole numbers, by the mixing of
    SplitMix64. A place gets the same number whatever lies around it; dice would have to be
    thrown in some order."""
    dice = Dice(0)
    for number in numbers:
        dice.state += number
        dice.state = dice.bits64()
    return (dice.state >> 20) / 2**43 - 1.0
