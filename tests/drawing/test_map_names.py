"""Names of lands and rivers on maps: on arcs and smoothed lines, off what must be read, at the
least cost together."""

from __future__ import annotations

from itertools import product

import pytest

from platelayer.drawing.map import names
from platelayer.drawing.map.names import (
    Label,
    Letter,
    Spot,
    choose,
    choose_in_turn,
    total_cost,
)
from platelayer.scene.typeset import TypeStyle

TYPE = TypeStyle(faces=("Barlow-Regular",), size_pt=8)


def _label(name: str, *places: tuple[float, float, float]) -> Label:
    spots = []
    for cost, x, y in sorted(places):
        letter = Letter(name, x, y, 0.0, 2.0, 2.0)
        spots.append(names._spot(cost, (letter,), TYPE))
    return Label("land", name, (*spots, Spot(7.0, (), TYPE)))


def test_choice_costs_least() -> None:
    """As little as the cheapest of all combinations, where taking places in turn costs more."""
    labels = [
        _label("a", (0.0, 0, 0), (0.5, 20, 0)),
        _label("b", (0.2, 0.5, 0), (6.0, 40, 0)),
        _label("c", (0.1, 21, 0), (0.3, 60, 0)),
        _label("d", (0.1, 100, 0)),
    ]
    least = min(total_cost(spots) for spots in product(*(label.spots for label in labels)))
    choice = choose(labels)
    assert choice.proved
    assert choice.cost == pytest.approx(least)
    assert choice.cost == pytest.approx(1.1)
    assert choose_in_turn(labels).cost > choice.cost + 1
