"""Contacts, borders and the number of places for the next tile.

A hex is a single whole number, `key_of`, so that finding a neighbour takes one addition. Triangles
of places are of two kinds, "up" with corners x, x + east, x + south-east and "down"; each is stored
with what a tile in it would touch, and only triangles near a new tile are updated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from platelayer.atlas.report import companies_in_play
from platelayer.foundation.values import Frozen
from platelayer.model.map_tiles import (
    CORNERS_OF_TILE,
    NEIGHBOURS,
    AtlasBox,
    AtlasHex,
    AtlasLog,
    Axial,
    Ground,
    MapTile,
    hex_topology,
    turned,
)
from platelayer.model.tile import Stop, StopKind, Tile

# Edges along which a map tile touches tiles already laid. Source: reference facts, assembly
# rules.
MIN_CONTACT = 3

# A greater distance than between any two hexes that are compared.
_ROW = 1 << 13


def key_of(place: Axial) -> int:
    """A place as one number."""
    return place.q * _ROW + place.r


_STEPS = tuple(key_of(step) for step in NEIGHBOURS)
# Each triangle by its first corner: rotations 0 and 1 of a map tile cover the two kinds, the others
# the same again.
_KINDS = tuple(
    tuple(key_of(turned(corner, rotation)) for corner in CORNERS_OF_TILE) for rotation in (0, 1)
)
_TURNS = (0, 1, 2)


class Land:
    """The hexes of map tiles laid so far. `owner` is the tile number on each."""

    def __init__(self) -> None:
        self.owner: dict[int, int] = {}
        self.first: Axial | None = None
        self._contact: dict[int, int] = {}  # how many hexes each place touches
        self._border: dict[int, int] = {}  # border hexes, with the tile each belongs to
        self._shut: set[int] = set()  # places that touch a border
        self._open: dict[
            tuple[int, int], int
        ] = {}  # triangles for tiles: which corners touch nothing, in bits
        self._open_by_bits = [0] * 8

    def contact(self, key: int) -> int:
        """Edges along which a place touches hexes that are laid."""
        return self._contact.get(key, 0)

    def borders_beside(self, key: int) -> list[int]:
        """Numbers of the tiles whose border hexes a place touches."""
        border = self._border
        return (
            [border[key + step] for step in _STEPS if key + step in border]
            if key in self._shut
            else []
        )

    def takes_blank(self, key: int) -> bool:
        """True for an empty place that is not beside a border."""
        return key not in self.owner and key not in self._shut

    def lay(self, number: int, places: tuple[Axial, ...], borders: tuple[bool, ...]) -> None:
        """Lay a tile on three places, whether it is allowed there or not."""
        keys = [key_of(place) for place in places]
        if self.first is None:
            self.first = places[0]
        contact = self._contact
        near = set(keys)
        for key, is_border in zip(keys, borders, strict=True):
            beside = [key + step for step in _STEPS]
            near.update(beside)
            if key not in self.owner:
                for other in beside:
                    contact[other] = contact.get(other, 0) + 1
            self.owner[key] = number
            if is_border:
                self._border[key] = number
                self._shut.update(beside)
        for kind, offsets in enumerate(_KINDS):
            for first in {key - offset for key in near for offset in offsets}:
                self._look_at(first, kind)

    def _look_at(self, first: int, kind: int) -> None:
        """Mark a triangle as open, or as no longer open."""
        if (before := self._open.pop((first, kind), None)) is not None:
            self._open_by_bits[before] -= 1
        total = bits = 0
        for bit, offset in zip((1, 2, 4), _KINDS[kind], strict=True):
            key = first + offset
            if key in self.owner or key in self._shut:
                return
            touched = self._contact.get(key, 0)
            total += touched
            if not touched:
                bits |= bit
        if total >= MIN_CONTACT:
            self._open[first, kind] = bits
            self._open_by_bits[bits] += 1

    def alternatives(self, tile: MapTile) -> int:
        """Number of distinct placements of a tile that the rules allow; 1 for the first tile of a map."""
        if self.first is None:
            return 1
        # The number of distinct ways to lay a tile in a triangle, by the bits of the corners that
        # touch nothing: each of its borders needs one of those. Its three rotations are all the
        # same, or all different.
        first, second, third = tile.hexes
        alike = first == second == third and first.tile is None
        borders = [corner for corner in _TURNS if tile.hexes[corner].ground is Ground.BORDER]
        turns = [
            sum(1 << (corner + turn) % 3 for corner in borders)
            for turn in ((0,) if alike else _TURNS)
        ]
        ways = tuple(sum(turn & ~bits == 0 for turn in turns) for bits in range(8))
        return sum(count * ways[bits] for bits, count in enumerate(self._open_by_bits) if count)

    def parts(self) -> list[list[int]]:
        """The hexes, each connected group in one list."""
        left, parts = dict.fromkeys(self.owner), []
        while left:
            part = [left.popitem()[0]]
            for key in part:
                for step in _STEPS:
                    if key + step in left:
                        del left[key + step]
                        part.append(key + step)
            parts.append(part)
        return parts


# The hexes of a map tile as the measures see them: open sides, exits, income and cost.


# Income of a city with nothing printed: its yellow tiles, 5, 6 and 57. Source: the tile
# catalogue.
CITY_INCOME = 20
# Income of a capital: its yellow tiles, 291 to 293. Source: reference facts, special track
# tiles.
CAPITAL_INCOME = 40
# Income of a destination: the yellow value of the only known destination card. Source: reference
# facts.
DESTINATION_INCOME = 30

# Income of a city on its green tiles, 14, 15 and 619. Source: the tile catalogue.
GREEN_CITY_INCOME = 30
# Income of a capital on its green tiles, 294 to 296. Source: reference facts, special track
# tiles.
GREEN_CAPITAL_INCOME = 50
# The green value of the card 30/40/70/100. Source: rulebook, section 3.
GREEN_DESTINATION_INCOME = 40
# Income of a hex with this sign on its green tile: LA1 (50 and 30), LA2. Source: reference
# facts, special track tiles.
GREEN_SIGN_INCOME = {"mine": 80, "port": 60}

ALL_EDGES = 0b111111
_FINISHED, _COAST = "gray", "coast"


class Face(Frozen, kw_only=True):
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

    @property
    def is_basic(self) -> bool:
        """True for a city that takes a suburb: it pays as basic cities do, and has no sign."""
        return self.income == CITY_INCOME and self.green == GREEN_CITY_INCOME

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
        open_edges=sum({1 << (edge + rotation) % 6 for edge in _open_edges(hexagon, printed)}),
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


# A map by the numbers of its hexes, and the ways by land between them.


_BLANK = Face(ground=Ground.PLAIN, open_edges=0b111111)
_LAND = frozenset({Ground.HOME, Ground.PLAIN, Ground.MOUNTAIN, Ground.CITY})
# Bridges of a company that lays them; each takes the place of a yellow tile. Source: rulebook,
# section 26.
BRIDGES = 5
# A suburb adds this to a city. Source: rulebook, section 26.
SUBURB_INCOME = 10


class Terrain(Struct):
    """A map by numbers of its hexes: faces, neighbours beyond each edge (-1: none), ways by land,
    ways into destinations (named by number), where everything is, whether somebody lays bridges,
    and the homes of those; by home, what a mountain brings, stops of a train more than its number,
    and suburbs."""

    places: list[Axial]
    faces: list[Face]
    beyond: list[tuple[int, ...]]
    land: list[list[int]]
    entered: list[list[int]]
    tiled: int
    homes: dict[int, str] = {}
    cities: list[int] = []
    capitals: list[int] = []
    destinations: list[list[int]] = []
    bridged: bool = False
    bridgers: set[int] = set()
    mountain_bonuses: dict[int, int] = {}
    extra_stops: dict[int, int] = {}
    suburbs: dict[int, int] = {}


def is_land(face: Face) -> bool:
    """May track lead over it without a bridge?"""
    return face.ground in _LAND


def _takes_track(face: Face) -> bool:
    """May track lead over it, be it on a bridge?"""
    return face.ground in _LAND or face.ground is Ground.WATER


class Terrains:
    """The terrain of maps of one box; holds what the box's map tiles look like in each rotation."""

    def __init__(self, box: AtlasBox) -> None:
        self._box = box
        self._faces: dict[tuple[int, int], tuple[Face, Face, Face]] = {}

    def of(self, log: AtlasLog) -> Terrain:
        """A map by numbers: hexes of tiles in the order they were laid, then blanks."""
        capitals = set(log.overlays)
        places: list[Axial] = []
        faces: list[Face] = []
        homes = {}
        cities = []
        taken = []
        destinations = []
        for draw in log.placed:
            tile = self._box.tile_by_number[draw.tile]
            first = len(places)
            places += draw.hexes
            key = draw.tile, draw.rotation
            if key not in self._faces:
                self._faces[key] = faces_of(tile, draw.rotation)
            faces += self._faces[key]
            entered = []
            for number, hexagon in enumerate(tile.hexes, start=first):
                match hexagon.ground:
                    case Ground.HOME:
                        homes[number] = hexagon.company or str(draw.tile)
                    case Ground.CITY:
                        cities.append(number)
                        if places[number] in capitals:
                            taken.append(number)
                            faces[number] = faces[number].as_capital()
                    case Ground.DESTINATION:
                        entered.append(number)
            if entered:
                destinations.append(entered)
        tiled = len(places)
        places += log.blanks
        faces += [_BLANK] * len(log.blanks)
        at: dict[tuple[int, int], int] = {place: number for number, place in enumerate(places)}
        beyond = [tuple(at.get((q + dq, r + dr), -1) for dq, dr in NEIGHBOURS) for q, r in places]
        # Between hexes that touch there is a way by land if both are land, and neither is closed there.
        land = [
            [
                other
                for edge, other in enumerate(around)
                if other >= 0
                and face.open_edges >> edge & 1
                and faces[other].ground in _LAND
                and faces[other].open_edges >> (edge + 3) % 6 & 1
            ]
            if face.ground in _LAND
            else []
            for face, around in zip(faces, beyond, strict=True)
        ]
        box = self._box

        def own(power: Sequence[tuple[str, int]]) -> dict[int, int]:
            amounts = dict(power)
            return {home: amounts[company] for home, company in homes.items() if company in amounts}

        ground = Terrain(
            places,
            faces,
            beyond,
            land,
            [[] for _ in places],
            tiled,
            homes=homes,
            cities=cities,
            capitals=taken,
            destinations=destinations,
            bridged=not set(box.bridging).isdisjoint(self.companies(log)),
            bridgers={home for home, company in homes.items() if company in box.bridging},
            mountain_bonuses=own(box.mountain_bonuses),
            extra_stops=own(box.extra_stops),
            suburbs=own(box.suburbs),
        )
        for index, hexes in enumerate(destinations):
            for number in hexes:
                for edge in ground.faces[number].exits:
                    other = ground.beyond[number][edge]
                    if other >= 0 and _takes_track(faces[other]) and faces[other].is_open(edge + 3):
                        ground.entered[other].append(index)
        return ground

    def companies(self, log: AtlasLog) -> tuple[str, ...]:
        """Ids of the companies in play on a map."""
        return companies_in_play(self._box, self._box.mode_by_id[log.mode], log)


class Ways(Frozen):
    """Shortest ways by land from one home: hexes in layers (by steps), the steps to each, and the
    least cost of the mountains on such a way."""

    layers: list[list[int]]
    steps: dict[int, int]
    cost: dict[int, int]


def ways_from(ground: Terrain, home: int, bonus: int = 0) -> Ways:
    """The shortest ways by land from a home, which gets a bonus each time it pays for a mountain."""
    land, faces = ground.land, ground.faces
    steps, cost = {home: 0}, {home: faces[home].cost and faces[home].cost - bonus}
    layers = [[home]]
    while layers[-1]:
        layer: dict[int, int] = {}
        for number in layers[-1]:
            so_far = cost[number]
            for other in land[number]:
                if other not in steps and so_far < layer.get(other, so_far + 1):
                    layer[other] = so_far
        for number, so_far in layer.items():
            steps[number] = len(layers)
            paid = faces[number].cost
            cost[number] = so_far + paid - bonus if paid else so_far
        layers.append(list(layer))
    layers.pop()
    return Ways(layers, steps, cost)


def steps_with_bridges(ground: Terrain, home: int) -> dict[int, int]:
    """The fewest steps from a home to each hex, from near to far, over land and water, with at most
    BRIDGES hexes of water on each way. Shapes of bridges are left out."""
    faces, steps, fewest = ground.faces, {home: 0}, {home: 0}
    layer = [(home, 0)]
    for step in range(1, len(faces)):
        new = []
        for number, bridges in layer:
            for edge, other in enumerate(ground.beyond[number]):
                if other < 0 or not (_takes_track(faces[other]) and faces[number].is_open(edge)):
                    continue
                used = bridges + (faces[other].ground is Ground.WATER)
                if (
                    used <= BRIDGES
                    and faces[other].is_open(edge + 3)
                    and used < fewest.get(other, BRIDGES + 1)
                ):
                    fewest[other] = used
                    steps.setdefault(other, step)
                    new.append((other, used))
        layer = new
    return steps
