"""How wide the slots of a hex are, by its cities: what station tokens must fit.

Widths are shares of the distance flat to flat. On a hex of 38.1 mm a lone slot is 12.8 mm wide, and
slots of doubles, triples and several cities are 12.4 mm: they hold tokens of 12 mm. Where a hex has
no room for that, its definition says how wide its slots are (`slot_mm`).
"""

from __future__ import annotations

import math

from platelayer.model.tile import StopKind, Tile

HEX_MM = 38.1
"""The hex that lengths in definitions are meant for."""
TOKEN_PLAY_MM = 0.4
"""A slot is wider than its token by at least this."""
_LONE = 0.336
_USUAL = 0.3256
_OF_MANY_SLOTS = {5: 0.235, 6: 0.22}
_OF_MANY_CITIES = {5: 0.24, 6: 0.235}
_AT_LEAST = 0.12


def slot_share(tile: Tile) -> float:
    """Diameter of the slots of all cities of a hex, as a share of its size; 0 without a city."""
    cities = tuple(
        max(1, stop.slots)
        for stop in tile.stops
        if stop.kind in (StopKind.CITY, StopKind.PASS) and not stop.hidden
    )
    if not cities:
        return 0.0
    return tile.slot_mm / HEX_MM if tile.slot_mm else usual_share(cities)


def usual_share(cities: tuple[int, ...]) -> float:
    """The same where the definition says nothing, given how many slots each city has."""
    largest, count = max(cities), len(cities)
    if count == 1 and largest == 1:
        return _LONE
    share = _USUAL
    if largest > 4:
        share = min(
            share, _OF_MANY_SLOTS.get(largest, max(_AT_LEAST, 0.54 / math.ceil(math.sqrt(largest))))
        )
    if count > 4:
        share = min(share, _OF_MANY_CITIES.get(count, max(_AT_LEAST, 1.3 / count)))
    return share


def holds(slot_mm: float, token_mm: float) -> bool:
    """True if a token lies in a slot with the play that it needs."""
    return token_mm + TOKEN_PLAY_MM <= slot_mm + 0.01
