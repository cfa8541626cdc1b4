"""The random stream: published values of SplitMix64, fair numbers, and a shuffle that stays as it
is."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.foundation.seeds import MAX_SEED, Dice, new_seed


def test_published_values() -> None:
    """Of the reference implementation (Vigna, splitmix64.c) for the seed 1234567."""
    dice = Dice(1234567)
    assert [dice.bits64() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, MAX_SEED), st.integers(1, 2**64))
def test_numbers_lie_below_their_bound(seed: int, bound: int) -> None:
    dice = Dice(seed)
    assert all(0 <= dice.below(bound) < bound for _ in range(5))


def test_numbers_are_fair() -> None:
    dice = Dice(5)
    seen = Counter(dice.below(7) for _ in range(70_000))
    # A fair die stays within five standard deviations (92.6) of 10 000.
    assert all(abs(count - 10_000) < 463 for count in seen.values())
    assert len(seen) == 7


def test_every_order_is_as_likely() -> None:
    dice = Dice(6)
    seen = Counter("".join(dice.shuffled("abcd")) for _ in range(24_000))
    assert set(seen) == {"".join(order) for order in permutations("abcd")}
    assert all(abs(count - 1000) < 155 for count in seen.values())  # five standard deviations


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        Dice(seed)


def test_new_seeds_can_be_read_out() -> None:
    seeds = {new_seed() for _ in range(20)}
    assert len(seeds) > 15
    assert all(0 <= seed < 10**9 for seed in seeds)
