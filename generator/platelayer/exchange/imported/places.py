"""Coordinates of the hexes of an imported map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from platelayer.model.hexes import CoordinateScheme, beside


def off_the_grid(
    printed: Iterable[str], letters_on: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hexes that are not on the grid of most: those that lie half a step off it and cover none of
    the others, and those that cannot be on the map: their coordinates are none, are written
    otherwise than the board prints them, or lie between those of the other hexes."""
    scheme = CoordinateScheme(letters_on=letters_on)
    places = {name: scheme.parse(name) for name in printed}
    taken = {at for at in places.values() if at is not None}
    parities = Counter((at.x + at.y) % 2 for at in places.values() if at is not None)
    usual = 1 if parities[1] > parities[0] else 0
    apart: list[str] = []
    between: list[str] = []
    for name, at in places.items():
        if at is None or scheme.name(at) != name:
            between.append(name)
        elif (at.x + at.y) % 2 != usual:
            (apart if taken.isdisjoint(beside(at)) else between).append(name)
    return tuple(apart), tuple(between)
