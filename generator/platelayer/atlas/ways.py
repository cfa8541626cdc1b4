"""A map by the numbers of its hexes, and the ways by land between them."""

from __future__ import annotations

from msgspec import Struct, field

from platelayer.atlas.extent import companies_in_play
from platelayer.atlas.terrain import Face, faces_of
from platelayer.model.atlas import NEIGHBOURS, AtlasBox, AtlasLog, Axial, Ground, tile_hexes

_BLANK = Face(ground=Ground.PLAIN, open_edges=0b111111)
_LAND = frozenset({Ground.HOME, Ground.PLAIN, Ground.MOUNTAIN, Ground.CITY})
BRIDGES = 5
"""Bridges of a company that lays them; each takes the place of a yellow tile. Source: rulebook,
section 26."""


class Terrain(Struct):
    """A map by numbers of its hexes: faces, neighbours beyond each edge (-1: none), ways by land,
    ways into destinations (named by number), where everything is, whether somebody lays bridges,
    and the homes of those."""

    places: list[Axial]
    faces: list[Face]
    beyond: list[tuple[int, ...]]
    land: list[list[int]]
    entered: list[list[int]]
    tiled: int
    homes: dict[int, str] = field(default_factory=dict)
    cities: list[int] = field(default_factory=list)
    capitals: list[int] = field(default_factory=list)
    destinations: list[list[int]] = field(default_factory=list)
    bridged: bool = False
    bridgers: set[int] = field(default_factory=set)


def is_land(face: Face) -> bool:
    """May track lead over it without a bridge?"""
    return face.ground in _LAND


def _takes_track(face: Face) -> bool:
    """May track lead over it, be it on a bridge?"""
    return face.ground in _LAND or face.ground is Ground.WATER


def _linked(places: list[Axial], faces: list[Face], tiled: int) -> Terrain:
    """Which hexes touch, and between which there is a way by land: both are land, and neither is
    closed there."""
    at: dict[tuple[int, int], int] = {place: number for number, place in enumerate(places)}
    get = at.get
    beyond = [tuple(get((q + dq, r + dr), -1) for dq, dr in NEIGHBOURS) for q, r in places]
    land: list[list[int]] = []
    for face, around in zip(faces, beyond, strict=True):
        if face.ground not in _LAND:
            land.append([])
            continue
        mine = face.open_edges
        land.append(
            [
                other
                for edge, other in enumerate(around)
                if other >= 0
                and mine >> edge & 1
                and faces[other].ground in _LAND
                and faces[other].open_edges >> (edge + 3) % 6 & 1
            ]
        )
    return Terrain(places, faces, beyond, land, [[] for _ in places], tiled)


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
        homes: dict[int, str] = {}
        cities: list[int] = []
        taken: list[int] = []
        destinations: list[list[int]] = []
        for draw in log.placed:
            tile = self._box.tile_by_number[draw.tile]
            first = len(places)
            places += tile_hexes(draw.at, draw.rotation)
            faces += self._faces_of(draw.tile, draw.rotation)
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
        ground = _linked(places, faces, tiled)
        ground.homes, ground.cities, ground.capitals, ground.destinations = (
            homes,
            cities,
            taken,
            destinations,
        )
        ground.bridgers = {home for home, company in homes.items() if company in self._box.bridging}
        ground.bridged = not set(self._box.bridging).isdisjoint(self.companies(log))
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

    def _faces_of(self, number: int, rotation: int) -> tuple[Face, Face, Face]:
        key = number, rotation
        if key not in self._faces:
            self._faces[key] = faces_of(self._box.tile_by_number[number], rotation)
        return self._faces[key]


class Ways(Struct, frozen=True):
    """Shortest ways by land from one home: hexes in layers (by steps), the steps to each, and the
    least cost of the mountains on such a way."""

    layers: list[list[int]]
    steps: dict[int, int]
    cost: dict[int, int]


def ways_from(ground: Terrain, home: int) -> Ways:
    """The shortest ways by land from a home."""
    land, faces = ground.land, ground.faces
    steps, cost = {home: 0}, {home: faces[home].cost}
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
            cost[number] = so_far + faces[number].cost
        layers.append(list(layer))
    layers.pop()
    return Ways(layers, steps, cost)


def steps_with_bridges(ground: Terrain, home: int) -> dict[int, int]:
    """The fewest steps from a home to each hex, from near to far, over land and water, with at most
    BRIDGES hexes of water on each way. Shapes of bridges are left out."""
    faces, steps, fewest = ground.faces, {home: 0}, {home: 0}
    layer = [(home, 0)]
    for step in range(1, len(faces)):
        new: list[tuple[int, int]] = []
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
