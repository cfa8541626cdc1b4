"""Where track can lie on a map, and where it can cross from hex to hex."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.properties import cached_property
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.hexes import EDGES, Layout, neighbour, opposite
from platelayer.model.title import Title
from platelayer.rules.replacement import UNLAID

_SIDES = {
    Layout.FLAT: ("bottom", "lower left", "upper left", "top", "upper right", "lower right"),
    Layout.POINTY: ("lower left", "left", "upper left", "upper right", "right", "lower right"),
}


class Land(Struct, frozen=True, kw_only=True, dict=True):
    """A map and the order of tile colours, which says where tiles may still be laid."""

    gamemap: GameMap
    colours: Sequence[str]

    def pointer(self, hexagon: MapHex, *keys: str | int) -> str:
        """JSON pointer of a hex, or of something in it."""
        return join_pointer("maps", self.gamemap.id, "hexes", hexagon.id, *keys)

    def edge_words(self, edge: int) -> str:
        """An edge in words, e.g. "edge 3 (top)"."""
        return f"edge {edge} ({_SIDES[self.gamemap.layout][edge]})"

    def beyond(self, hexagon: MapHex, edge: int) -> MapHex | None:
        """The hex on the other side of an edge; None off the map."""
        return self.gamemap.by_coord.get(neighbour(hexagon.at, edge, self.gamemap.layout))

    def buildable(self, hexagon: MapHex) -> bool:
        """A tile may be laid here: the hex is unlaid, or of a colour that another follows."""
        unlaid = hexagon.tile.colour == UNLAID or hexagon.tile.colour in self.colours[:-1]
        return unlaid and hexagon.half is None

    def opens(self, hexagon: MapHex, edge: int) -> bool:
        """Track can leave this hex by this edge, now or later, as far as the hex alone
        determines."""
        return edge in self._open_edges[hexagon.id]

    @cached_property
    def _open_edges(self) -> dict[str, frozenset[int]]:
        return {
            hexagon.id: frozenset(
                edge
                for edge in (EDGES if self.buildable(hexagon) else hexagon.tile.exits)
                if not barred(hexagon, edge)
            )
            for hexagon in self.gamemap.hexes
        }

    def joined(self, hexagon: MapHex, edge: int) -> MapHex | None:
        """The neighbour to which track can ever lead across an edge; None when it cannot."""
        other = self.beyond(hexagon, edge)
        if other is None or not self.opens(hexagon, edge) or not self.opens(other, opposite(edge)):
            return None
        return other

    def components(self) -> Iterator[tuple[MapHex, ...]]:
        """Hexes that track can ever join, one group after the other, the largest first; hexes that
        track can never reach or leave are in none."""
        groups: list[tuple[MapHex, ...]] = []
        seen: set[str] = set()
        for start in self.gamemap.hexes:
            if start.id in seen or not any(self.opens(start, edge) for edge in EDGES):
                continue
            seen.add(start.id)
            group = [start]
            for hexagon in group:
                for edge in EDGES:
                    other = self.joined(hexagon, edge)
                    if other is not None and other.id not in seen:
                        seen.add(other.id)
                        group.append(other)
            groups.append(tuple(group))
        yield from sorted(groups, key=len, reverse=True)


def lands(title: Title) -> Iterator[Land]:
    """Every map of a title."""
    for gamemap in title.maps:
        yield Land(gamemap=gamemap, colours=title.colours)


def barred(hexagon: MapHex, edge: int) -> bool:
    """No track ever crosses this edge: the hex has an impassable border there that no phase brings
    or lifts."""
    return any(
        border.edge == edge
        and border.kind == "impassable"
        and border.since is None
        and border.until is None
        for border in hexagon.borders
    )
