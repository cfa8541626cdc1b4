"""What lies in half a hex: its stops, and room for its words."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.drawing.hex.places import Disc
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.gamemap import Half
from platelayer.model.hexes import Layout
from platelayer.model.tile import Position, Tile

_WAYS = {
    Layout.FLAT: {Half.LEFT: 1.5, Half.RIGHT: 4.5, Half.TOP: 3.0, Half.BOTTOM: 0.0},
    Layout.POINTY: {Half.LEFT: 1.0, Half.RIGHT: 4.0, Half.TOP: 2.5, Half.BOTTOM: 5.5},
}
"""Edges in whose direction halves lie."""
_STOP_AT = 0.5
"""How far from the middle the one stop of a half lies, in apothems."""
_DISC, _STEPS = 0.11, 4
"""Discs over the half that is not there: their radius as a share of the hex, and how many there are in a row."""


def in_half(tile: Tile, half: Half, layout: Layout) -> Tile:
    """A hex whose one stop, if it says nothing else, lies in the half that there is."""
    if len(tile.stops) != 1 or tile.stops[0].at is not None:
        return tile
    at = Position(edge=_WAYS[layout][half], distance=_STOP_AT)
    return replace(tile, stops=(replace(tile.stops[0], at=at),))


def half_discs(half: Half | None, plan: MapPlan) -> tuple[Disc, ...]:
    """Circles over the half of a hex that is not there, so that words keep out of it."""
    if half is None:
        return ()
    radius, reach = _DISC * plan.across_mm, plan.across_mm * 0.6
    side = {Half.LEFT: (1, 0), Half.RIGHT: (-1, 0), Half.TOP: (0, 1), Half.BOTTOM: (0, -1)}[half]
    found: list[Disc] = []
    for out in range(_STEPS):
        for along in range(-_STEPS, _STEPS + 1):
            deep, wide = radius * 0.8 + out * reach / _STEPS, along * reach / _STEPS
            found.append((side[0] * deep + side[1] * wide, side[1] * deep + side[0] * wide, radius))
    return tuple(found)
