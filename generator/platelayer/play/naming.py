"""Names of hexes in other programs: which hex of ours is meant.

Programs and rulebooks letter the same board in different ways: letters on rows or on columns,
counted from another corner. Which one a record of play follows is not written in it, but only one
makes all of its tiles possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from platelayer.model.gamemap import GameMap
from platelayer.model.hexes import Coord, CoordinateScheme
from platelayer.model.position import Lay
from platelayer.model.title import Title
from platelayer.play.positions import judge_lay, spots_of

_MOST_LAYS = 2000
"""Lays that are tried: more tell nothing more."""


class Named(NamedTuple):
    """Our names of hexes, by those of the other program, and how many of its lays are possible
    there."""

    names: dict[str, str]
    possible: int


def hex_names(
    title: Title, gamemap: GameMap, lays: Collection[tuple[str, Lay]], others: Iterable[str]
) -> Named | None:
    """Our names of the hexes that a record names: those of its `lays`, and `others`. Of the ways of
    lettering under which most are on the map, the one that makes most lays possible; the map's own
    if no other makes more. None if there is none under which three of four are, or if several make
    equally many lays possible.
    """
    named = sorted({*(name for name, _ in lays), *others})
    spots = spots_of(title, gamemap)
    best: list[dict[str, str]] = []
    most = (3 * len(named) // 4, -1)
    for names in _ways(gamemap, named):
        if len(names) < most[0]:
            continue
        possible = 0
        for name, lay in islice(lays, _MOST_LAYS):
            if lay.tile in title.tile_by_id and name in names:
                possible += judge_lay(spots.get(names[name]), names[name], lay) is None
        if (len(names), possible) > most:
            best, most = [names], (len(names), possible)
        elif (len(names), possible) == most:
            best.append(names)
    own = {name: name for name in named if name in gamemap.by_id}
    if own in best:
        return Named(own, most[1])
    return Named(best[0], most[1]) if len(best) == 1 else None


def _ways(gamemap: GameMap, named: list[str]) -> list[dict[str, str]]:
    """Every way of lettering under which three of four names are hexes of the map: those names,
    with our names."""
    ways: list[dict[str, str]] = []
    if 3 * len(named) // 4 > len(gamemap.hexes):
        return ways
    first = named[: len(named) // 4 + 1]  # one of them is on the map
    for axis in ("x", "y"):
        scheme = CoordinateScheme(letters_on=axis)
        places = {name: at for name in named if (at := scheme.parse(name)) is not None}
        corners = [places[name] for name in first if name in places]
        shifts = {
            (hexagon.at.x - at.x, hexagon.at.y - at.y)
            for hexagon in gamemap.hexes
            for at in corners
        }
        for dx, dy in sorted(shifts):
            here = {
                name: gamemap.by_coord.get(Coord(at.x + dx, at.y + dy))
                for name, at in places.items()
            }
            names = {name: spot.id for name, spot in here.items() if spot is not None}
            if names not in ways:
                ways.append(names)
    return ways
