"""A second look at sequences of lays: each is judged by itself, from what lies there before it.

It knows neither the graph of upgrades nor flows, so that what `supply` claims is not proved by its
own means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from platelayer.model.gamemap import GameMap, MapHex, neighbour, opposite
from platelayer.model.position import Lay
from platelayer.model.tile import Tile, rotate_tile
from platelayer.model.title import Title
from platelayer.rules.graph import barred
from platelayer.rules.replacement import UNLAID, rotations


def replay(
    title: Title, gamemap: GameMap, steps: Iterable[tuple[str, Lay]]
) -> tuple[dict[str, Lay], str | None]:
    """The board after a sequence of lays, and what is wrong with the first that is not legal (None:
    all are)."""
    lying: dict[str, Lay] = {}
    used = Counter[str]()

    @cache
    def opens(hexagon: MapHex, edge: int) -> bool:
        """Some track can lead across an edge of a hex: what is printed, or of a tile to come."""
        if edge in hexagon.tile.exits or hexagon.half is not None:
            return edge in hexagon.tile.exits
        return hexagon.tile.colour == UNLAID or any(
            rotations(hexagon.tile, entry.tile, title.colours, title.upgrades, stubs=hexagon.stubs)
            for entry in title.tiles
        )

    for number, (hex_id, lay) in enumerate(steps, 1):
        hexagon, entry = gamemap.by_id.get(hex_id), title.tile_by_id.get(lay.tile)
        if hexagon is None or entry is None or hexagon.half is not None:
            return lying, f"lay {number}: there is no hex {hex_id} or no tile {lay.tile}"
        before = lying.get(hex_id)
        old = hexagon.tile if before is None else _under(title, hexagon, before)
        stubs = hexagon.stubs if before is None else ()
        if lay.rotation not in rotations(
            old, rotate_tile(entry.tile, 0), title.colours, title.upgrades, stubs=stubs
        ):
            return (
                lying,
                f"lay {number}: {lay} cannot replace {before or 'what is printed'} on {hex_id}",
            )
        for edge in rotate_tile(entry.tile, lay.rotation).exits:
            other = gamemap.by_coord.get(neighbour(hexagon.at, edge, gamemap.layout))
            if (
                other is None
                or barred(hexagon, edge)
                or barred(other, opposite(edge))
                or not opens(other, opposite(edge))
            ):
                return (
                    lying,
                    f"lay {number}: {lay} leads off the map from {hex_id} across edge {edge}",
                )
        if before is not None:
            used[_piece(title, before)] -= 1
        used[_piece(title, lay)] += 1
        piece = title.tile_by_id[_piece(title, lay)]
        if not piece.unlimited and used[piece.tile.id] > piece.count:
            return lying, f"lay {number}: no copy of tile {lay.tile} is left for {hex_id}"
        lying[hex_id] = lay
    return lying, None


def _piece(title: Title, lay: Lay) -> str:
    return title.tile_by_id[lay.tile].back_of or lay.tile


def _under(title: Title, hexagon: MapHex, lay: Lay) -> Tile:
    """A tile as it lies on a hex, with those labels of the hex that count from a later colour."""
    tile = rotate_tile(title.tile_by_id[lay.tile].tile, lay.rotation)
    later = [
        label for label in hexagon.tile.labels if label.since not in (None, *title.colours[:1])
    ]
    more = tuple(label for label in later if label.text not in [own.text for own in tile.labels])
    return replace(tile, labels=(*tile.labels, *more)) if more else tile
