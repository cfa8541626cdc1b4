"""What a map shows of the land behind its hexes: rivers, regions and seas."""

from __future__ import annotations

from msgspec import Struct

from platelayer.foundation.text import Text
from platelayer.model.hexes import EDGES, Coord, Layout, neighbour


class Waypoint(Struct, frozen=True):
    """A place on a map: the middle of the hex `at`, or a `share` of the way from there towards an edge (2.5: the corner
    between edges 2 and 3)."""

    at: Coord
    towards: float | None = None
    share: float = 1.0

    def touches(self, layout: Layout) -> tuple[Coord, ...]:
        """The hexes it lies in or on whose rim."""
        if self.towards is None or self.share < 1.0:
            return (self.at,)
        edges = {int(self.towards): None, int(self.towards + 0.5): None}
        return (self.at, *(neighbour(self.at, edge, layout) for edge in edges))


def joined(one: Waypoint, other: Waypoint, layout: Layout) -> bool:
    """True when a river may run from one place to the other: through a hex that both touch, or between neighbours."""
    shared = set(one.touches(layout)) & set(other.touches(layout))
    inside = all(point.towards is None or point.share < 1.0 for point in (one, other))
    return bool(shared) or (inside and other.at in (neighbour(one.at, edge, layout) for edge in EDGES))


class River(Struct, frozen=True, kw_only=True):
    """A river from its source to its mouth."""

    id: str
    course: tuple[Waypoint, ...]
    name: Text | None = None


class Region(Struct, frozen=True, kw_only=True):
    """A land: the printed coordinates of its hexes, its name, and the ink of its white hexes."""

    id: str
    hexes: tuple[str, ...]
    name: Text | None = None
    tint: str | None = None


class Sea(Struct, frozen=True, kw_only=True):
    """Water along the outline of the board, clockwise from one corner to another."""

    id: str
    start: Waypoint
    end: Waypoint
    name: Text | None = None
