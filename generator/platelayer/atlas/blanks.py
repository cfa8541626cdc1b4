"""Blank overlays of a finished map."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.atlas.frontier import Frontier


def lay_blanks(frontier: Frontier, homes: Sequence[int], limit: int | None = None) -> tuple[int, ...]:
    """Hexes for blanks, sorted: every empty place beside a home, unless a border forbids it.

    If there are fewer to lay than places (the box has 12), they go where they matter most, one by one: to the home with
    the fewest neighbours so far; of its places to the one that serves most homes, then to the one that touches most of
    the map, then to the first by (q, r).
    """
    places = {home: frontier.empty_beside(home) for home in homes}
    wanted = set().union(*places.values())
    if limit is None or limit >= len(wanted):
        return tuple(sorted(wanted))
    laid: set[int] = set()
    while len(laid) < limit:
        free = {home: [place for place in beside if place not in laid] for home, beside in places.items()}
        neediest = max(len(each) for each in free.values())
        needing = [place for each in free.values() if len(each) == neediest for place in each]
        serves = {place: sum(place in each for each in free.values()) for place in needing}
        contacts = frontier.contacts
        laid.add(min(needing, key=lambda place: (-serves[place], -contacts.get(place, 0), place)))
    return tuple(sorted(laid))
