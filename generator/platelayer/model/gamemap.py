"""A map: hexes at coordinates, with names, borders and what is printed on them."""

from __future__ import annotations

from enum import Enum
from functools import cached_property

from msgspec import Struct

from platelayer.foundation.text import Text
from platelayer.model.hexes import Coord, CoordinateScheme, Layout
from platelayer.model.landscape import Region, River, Sea
from platelayer.model.tile import Tile


class Border(Struct, frozen=True, kw_only=True):
    """A line on one edge of a hex. `kind`: impassable, province, offboard, river, mountain, divider, none (no line is
    drawn between two hexes that belong together). `cost` is paid to cross. `since` / `until` are the phases in which it
    appears and disappears. `colour` (#rrggbb or ink name) replaces that of its kind; `name` is what the legend calls
    borders of this kind and colour."""

    edge: int
    kind: str
    cost: int = 0
    since: str | None = None
    until: str | None = None
    colour: str | None = None
    name: Text | None = None


class Half(Enum):
    """The half that there is of a hex."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"


_GONE = {
    Layout.FLAT: {Half.LEFT: (4, 5), Half.RIGHT: (1, 2), Half.TOP: (5, 0, 1), Half.BOTTOM: (2, 3, 4)},
    Layout.POINTY: {Half.LEFT: (3, 4, 5), Half.RIGHT: (0, 1, 2), Half.TOP: (0, 5), Half.BOTTOM: (2, 3)},
}
"""Edges of which nothing is left on a half hex."""


class MapHex(Struct, frozen=True, kw_only=True):
    """One hex of a map: its place, what is printed on it (`tile.id` is the printed coordinates), its borders.

    `stubs` are edges that the first tile laid here must use. `reserved` lists ids of companies for which the hex is
    reserved. `zone` names a region of the map (province, state) it belongs to. `half`: the half that there is of it.
    `apart`: it lies off the grid, beside the board.
    """

    at: Coord
    tile: Tile
    borders: tuple[Border, ...] = ()
    stubs: tuple[int, ...] = ()
    reserved: tuple[str, ...] = ()
    zone: str | None = None
    half: Half | None = None
    apart: bool = False

    def has_edge(self, edge: int, layout: Layout) -> bool:
        """Some of this edge is there: all six are of a whole hex."""
        return self.half is None or edge not in _GONE[layout][self.half]

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
    """A board. `boards` names what else is printed on its sheet, `inside` whether its hexes print their coordinates
    themselves. `legend` explains what its colours and signs mean, one text a line, after those worked out;
    `zone_names` are what it calls zones whose own names it does not print; `places` are for cards on the same sheet;
    `rivers`, `regions` and `seas` are what it shows of the land behind its hexes."""

    id: str
    name: Text
    layout: Layout
    scheme: CoordinateScheme
    hexes: tuple[MapHex, ...]
    legend: tuple[Text, ...] = ()
    zone_names: tuple[tuple[str, Text], ...] = ()
    places: tuple[CardPlaces, ...] = ()
    rivers: tuple[River, ...] = ()
    regions: tuple[Region, ...] = ()
    seas: tuple[Sea, ...] = ()
    boards: tuple[str, ...] = ()
    inside: bool = False

    @cached_property
    def by_id(self) -> dict[str, MapHex]:
        """Hexes by printed coordinates."""
        return {hexagon.id: hexagon for hexagon in self.hexes}

    @cached_property
    def region_of(self) -> dict[str, Region]:
        """Regions by the printed coordinates of their hexes."""
        return {hex_id: region for region in self.regions for hex_id in region.hexes}

    @cached_property
    def by_coord(self) -> dict[Coord, MapHex]:
        """Hexes by doubled coordinates."""
        return {hexagon.at: hexagon for hexagon in self.hexes}
