"""Coordinates of the hexes of an imported map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from platelayer.model.hexes import CoordinateScheme, beside


def apart_from_the_others(printed: Iterable[str], letters_on: str) -> tuple[str, ...]:
    """Hexes that lie half a step off the grid of the others, and cover none of them."""
    scheme = CoordinateScheme(letters_on=letters_on)
    places = {name: scheme.parse(name) for name in printed}
    taken = {at for at in places.values() if at is not None}
    return tuple(
        name
        for name in between_the_others(places, letters_on)
        if (at := places[name]) is not None and scheme.name(at) == name and taken.isdisjoint(beside(at))
    )


def between_the_others(printed: Iterable[str], letters_on: str) -> tuple[str, ...]:
    """Hexes whose coordinates are none, are written otherwise than the board prints them, or lie between those of the
    other hexes."""
    scheme = CoordinateScheme(letters_on=letters_on)
    places = {name: scheme.parse(name) for name in printed}
    parities = Counter((at.x + at.y) % 2 for at in places.values() if at is not None)
    usual = 1 if parities[1] > parities[0] else 0
    return tuple(
        name for name, at in places.items() if at is None or (at.x + at.y) % 2 != usual or scheme.name(at) != name
    )
