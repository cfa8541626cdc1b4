"""A map: hexes at coordinates, with names, borders and what is printed on them."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from platelayer.foundation.text import Text
from platelayer.model.hexes import Coord, CoordinateScheme, Layout
from platelayer.model.tile import Tile


class Border(Struct, frozen=True, kw_only=True):
    """A line on one edge of a hex. `kind`: impassable, province, offboard, river, none (no line is drawn between two
    hexes that belong together). `cost` is paid to cross. `since` / `until` are the phases in which it appears and
    disappears."""

    edge: int
    kind: str
    cost: int = 0
    since: str | None = None
    until: str | None = None


class MapHex(Struct, frozen=True, kw_only=True):
    """One hex of a map: its place, what is printed on it (`tile.id` is the printed coordinates), its borders.

    `stubs` are edges that the first tile laid here must use. `reserved` lists ids of companies for which the hex is
    reserved. `zone` names a region of the map (province, state) it belongs to.
    """

    at: Coord
    tile: Tile
    borders: tuple[Border, ...] = ()
    stubs: tuple[int, ...] = ()
    reserved: tuple[str, ...] = ()
    zone: str | None = None

    @property
    def id(self) -> str:
        """Printed coordinates."""
        return self.tile.id

    @property
    def name(self) -> Text | None:
        """Name of the place, if any."""
        return self.tile.name


class CardPlaces(Struct, frozen=True, kw_only=True):
    """Places for cards on the sheet of a map, each as large as a train card: what they are for (18CZ: the third hand of
    two players), and the words of each."""

    id: str
    name: Text
    spaces: tuple[Text, ...]
    note: Text | None = None


class GameMap(Struct, frozen=True, kw_only=True, dict=True):
    """A board. `legend` explains what its colours and signs mean, one text a line, after those worked out;
    `zone_names` are what it calls zones whose own names it does not print; `places` are for cards on the same sheet."""

    id: str
    name: Text
    layout: Layout
    scheme: CoordinateScheme
    hexes: tuple[MapHex, ...]
    legend: tuple[Text, ...] = ()
    zone_names: tuple[tuple[str, Text], ...] = ()
    places: tuple[CardPlaces, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, MapHex]:
        """Hexes by printed coordinates."""
        return {hexagon.id: hexagon for hexagon in self.hexes}

    @cached_property
    def by_coord(self) -> dict[Coord, MapHex]:
        """Hexes by doubled coordinates."""
        return {hexagon.at: hexagon for hexagon in self.hexes}
