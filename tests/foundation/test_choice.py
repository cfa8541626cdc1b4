"""Places that cost least together, against all combinations."""

import math
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.foundation.choice import choose

costs = st.sampled_from([0.0, 0.1, 0.4, 1.0, 7.0])


@settings(max_examples=150)
@given(
    st.lists(st.lists(costs, min_size=1, max_size=4), min_size=2, max_size=5),
    st.lists(st.sampled_from([0.0, 0.0, 0.3, 2.0, 40.0]), min_size=7, max_size=60),
)
def test_no_other_choice_costs_less(drawn, pairs):
    rows = [
        [(cost, (thing, place)) for place, cost in enumerate(sorted(row))]
        for thing, row in enumerate(drawn)
    ]

    def apart(one, other):
        (a, b), (c, d) = sorted((one, other))
        return pairs[(a * 5 + b * 7 + c * 11 + d * 3) % len(pairs)]

    def cost_of(entries):
        spots = [spot for _, spot in entries]
        own = [cost for cost, _ in entries]
        return math.fsum((*own, *(apart(*pair) for pair in combinations(spots, 2))))

    choice = choose(rows, apart)
    assert choice.proved
    assert choice.cost == pytest.approx(min(map(cost_of, product(*rows))))
