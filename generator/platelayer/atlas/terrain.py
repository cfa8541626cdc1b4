"""The hexes of a map tile as the measures see them: open sides, exits, income and cost."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from platelayer.model.atlas import AtlasHex, Ground, MapTile
from platelayer.model.atlas_board import hex_topology
from platelayer.model.tile import Stop, StopKind, Tile

CITY_INCOME = 20
"""Income of a city with nothing printed: its yellow tiles, 5, 6 and 57. Source: the tile
catalogue."""
CAPITAL_INCOME = 40
"""Income of a capital: its yellow tiles, 291 to 293. Source: reference facts, special track
tiles."""
DESTINATION_INCOME = 30
"""Income of a destination: the yellow value of the only known destination card. Source: reference
facts."""

GREEN_CITY_INCOME = 30
"""Income of a city on its green tiles, 14, 15 and 619. Source: the tile catalogue."""
GREEN_CAPITAL_INCOME = 50
"""Income of a capital on its green tiles, 294 to 296. Source: reference facts, special track
tiles."""
GREEN_DESTINATION_INCOME = 40
"""The green value of the card 30/40/70/100. Source: rulebook, section 3."""
GREEN_SIGN_INCOME = {"mine": 80, "port": 60}
"""Income of a hex with this sign on its green tile: LA1 (50 and 30), LA2. Source: reference facts,
special track tiles."""

ALL_EDGES = 0b111111
_FINISHED, _COAST = "gray", "coast"


class Face(Struct, frozen=True, kw_only=True):
    """One hex in its rotation. `open_edges` has a bit for each edge across which track may ever
    lead; `exits` are the edges of printed track; `income` is the money of its stops as first built
    (0: it has none), `green` in the green phase; `cost` the cost of building there."""

    ground: Ground
    open_edges: int = ALL_EDGES
    exits: tuple[int, ...] = ()
    income: int = 0
    green: int = 0
    cost: int = 0

    def is_open(self, edge: int) -> bool:
        """May track ever lead across this edge?"""
        return bool(self.open_edges >> edge % 6 & 1)

    def as_capital(self) -> Face:
        """The same hex under a capital overlay."""
        return replace(self, income=CAPITAL_INCOME, green=GREEN_CAPITAL_INCOME)


def faces_of(tile: MapTile, rotation: int) -> tuple[Face, Face, Face]:
    """The hexes 1, 2 and 3 of a map tile turned by `rotation`."""
    one, two, three = (_face(hexagon, rotation) for hexagon in tile.hexes)
    return one, two, three


def _face(hexagon: AtlasHex, rotation: int) -> Face:
    printed = hex_topology(hexagon)
    income = _income(printed.stops) if hexagon.ground in (Ground.HOME, Ground.CITY) else 0
    return Face(
        ground=hexagon.ground,
        open_edges=_bits((edge + rotation) % 6 for edge in _open_edges(hexagon, printed)),
        exits=tuple(sorted((edge + rotation) % 6 for edge in printed.exits)),
        income=income,
        green=_green(printed, income),
        cost=sum(terrain.cost for terrain in printed.terrain),
    )


def _open_edges(hexagon: AtlasHex, printed: Tile) -> Iterable[int]:
    """A border is closed; a destination and a hex that is never upgraded (gray) open at printed
    exits alone; a coast is closed on the side of the water, which lies clockwise from its first end
    to its second. Water is open on all sides, for those who bridge it."""
    if hexagon.ground is Ground.BORDER:
        return ()
    if hexagon.ground is Ground.DESTINATION or printed.colour == _FINISHED:
        return printed.exits
    coasts = [partition for partition in printed.partitions if partition.kind == _COAST]
    return [
        edge
        for edge in range(6)
        if not any(
            (edge - coast.a.edge) % 6 < (coast.b.edge - coast.a.edge) % 6 for coast in coasts
        )
    ]


def _green(printed: Tile, income: int) -> int:
    """Money in the green phase: a hex that is never upgraded (gray) pays as printed."""
    if not income or printed.colour == _FINISHED:
        return income
    return next(
        (GREEN_SIGN_INCOME[icon.name] for icon in printed.icons if icon.name in GREEN_SIGN_INCOME),
        GREEN_CITY_INCOME,
    )


def _bits(edges: Iterable[int]) -> int:
    return sum({1 << edge for edge in edges})


def _income(stops: Iterable[Stop]) -> int:
    """Money of all stops as first printed; stops that count as one place pay once."""
    by_place: dict[object, int] = {}
    for index, stop in enumerate(stops):
        money = (
            stop.revenue[0].value if stop.revenue else CITY_INCOME * (stop.kind is StopKind.CITY)
        )
        place = stop.groups or index
        by_place[place] = max(money, by_place.get(place, 0))
    return sum(by_place.values())
