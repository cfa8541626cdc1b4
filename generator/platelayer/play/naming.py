"""Names of hexes in other programs: which hex of ours is meant.

Programs and rulebooks letter the same board in different ways: letters on rows or on columns, counted from another
corner. Which one a record of play follows is not written in it, but only one makes all of its tiles possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from platelayer.model.gamemap import GameMap
from platelayer.model.hexes import Coord, CoordinateScheme
from platelayer.model.position import Lay
from platelayer.model.title import Title
from platelayer.play.positions import judge_lay, spots_of

Names = dict[str, str]
"""Our names of hexes, by those of the other program."""


def hex_names(title: Title, gamemap: GameMap, lays: Collection[tuple[str, Lay]], others: Iterable[str]) -> Names | None:
    """Our names of all hexes that a record names: those of its `lays`, and `others`. Of the ways of lettering under
    which each is on the map, the one that makes most lays possible; the map's own if no other makes more. None if
    there is none, or if several make equally many of them possible.
    """
    named = sorted({*(name for name, _ in lays), *others})
    spots = spots_of(title, gamemap)
    best: list[Names] = []
    most = -1
    for names in _ways(gamemap, named):
        possible = 0
        for name, lay in lays:
            if lay.tile in title.tile_by_id:
                ours = names[name]
                possible += judge_lay(spots.get(ours), ours, lay) is None
        if possible > most:
            best, most = [names], possible
        elif possible == most:
            best.append(names)
    own = {name: name for name in named}
    if own in best:
        return own
    return best[0] if len(best) == 1 else None


def _ways(gamemap: GameMap, named: list[str]) -> list[Names]:
    """Every way of lettering under which all names are hexes of the map."""
    ways: list[Names] = []
    for axis in ("x", "y"):
        scheme = CoordinateScheme(letters_on=axis)
        places = [scheme.parse(name) for name in named]
        if not places or None in places:
            continue
        first = places[0]
        assert first is not None
        for hexagon in gamemap.hexes:
            dx, dy = hexagon.at.x - first.x, hexagon.at.y - first.y
            here = [gamemap.by_coord.get(Coord(at.x + dx, at.y + dy)) for at in places if at is not None]
            names = {name: spot.id for name, spot in zip(named, here, strict=True) if spot is not None}
            if len(names) == len(named) and names not in ways:
                ways.append(names)
    return ways
