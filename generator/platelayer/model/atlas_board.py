"""The board of an assembled map: hexes at coordinates, with what is printed on each.

The board's first column is A and its first row 1, wherever the log puts the first tile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.atlas import (
    CORNERS_OF_TILE,
    NEIGHBOURS,
    AtlasBox,
    AtlasHex,
    AtlasLog,
    Axial,
    Ground,
    MapTile,
    TileDraw,
    doubled,
    tile_hexes,
)
from platelayer.model.gamemap import Border, GameMap, MapHex
from platelayer.model.hexes import Coord, CoordinateScheme, Layout
from platelayer.model.tile import Icon, Position, Stop, StopKind, Terrain, Tile, rotate_tile

atlas_words = FixedWords("atlas")
map_words = FixedWords("map")
piece_words = FixedWords("pieces")

SCHEME = CoordinateScheme(letters_on="x")
"""Letters on columns from A, numbers on rows from 1."""
BORDER = "border"
"""The colour of hexes that nothing may touch."""
MOUNTAIN_COST = 40
DESTINATION = atlas_words("destination_name")
"""Printed on a destination without a name of its own, on the first of its hexes."""
CAPITAL = map_words.table("icons")["capital"]
_MIDDLE = Position(edge=0, distance=0.0)
_CITY = Stop(kind=StopKind.CITY, slots=1)
_CITY_MM = 16.2
"""How wide a basic city is on a hex of 38.1 mm, so 17 mm on one of 40. Source: rulebook, sections 2
and 14."""


def occupied(log: AtlasLog) -> tuple[Axial, ...]:
    """Every hex of the board once: those of the tiles in the order they were laid, then the blanks.
    Overlays lie on tiles; if a faulty log has one beside them, its hex comes before the blanks."""
    laid = [place for draw in log.placed for place in tile_hexes(draw.at, draw.rotation)]
    return tuple(dict.fromkeys((*laid, *log.overlays, *log.blanks)))


def board_origin(log: AtlasLog) -> Coord:
    """What to subtract from doubled coordinates so that the least x and the least y of the board
    are 0."""
    places = [doubled(at) for at in occupied(log)]
    return Coord(min((x for x, _ in places), default=0), min((y for _, y in places), default=0))


def board_coord(at: Axial, origin: Coord) -> Coord:
    """Where a hex of the log lies on the board."""
    x, y = doubled(at)
    return Coord(x - origin.x, y - origin.y)


def place_name(at: Axial, origin: Coord) -> str:
    """Printed coordinates of a hex of the log, e.g. "D4"."""
    return SCHEME.name(board_coord(at, origin))


def hex_topology(hexagon: AtlasHex, place: str = "") -> Tile:
    """What a hex of a map tile has printed on it at rotation 0; its id is `place`."""
    return replace(hexagon.tile or _PLAIN_PRINT[hexagon.ground](), id=place)


def capital_overlay(place: str = "") -> Tile:
    """What a capital overlay has printed on it: the sign of the capital in the middle of a city."""
    icon = Icon(name="capital", at=_MIDDLE)
    return Tile(
        id=place,
        colour="white",
        stops=(_CITY,),
        icons=(icon,),
        frame="atlas.capital",
        slot_mm=_CITY_MM,
    )


def blank_overlay(place: str = "") -> Tile:
    """What a blank overlay has printed on it: open country."""
    return Tile(id=place, colour="white")


def printed_hexes(box: AtlasBox) -> tuple[Tile, ...]:
    """What can be upgraded: each hex of each map tile as `tile-2/1` (its first hex), and the
    capital overlay as `capital`. Water is open ground of that kind: bridges are laid on it."""
    board = [
        replace(
            _ground(hexagon, f"tile-{tile.number}/{place}"),
            name=piece_words("map_tile").fill(tile.number),
        )
        for tile in box.map_tiles
        for place, hexagon in enumerate(tile.hexes, 1)
    ]
    overlay = replace(capital_overlay("capital"), name=CAPITAL)
    return (*board, overlay) if box.capital_overlays else tuple(board)


def _ground(hexagon: AtlasHex, place: str) -> Tile:
    printed = hex_topology(hexagon, place)
    if hexagon.ground is Ground.WATER and hexagon.tile is None:
        return replace(printed, colour="white", terrain=(Terrain(kinds=("water",)),))
    return printed


def _city() -> Tile:
    return Tile(id="", colour="white", stops=(_CITY,), slot_mm=_CITY_MM)


def _plain() -> Tile:
    return Tile(id="", colour="white")


def _destination() -> Tile:
    return Tile(id="", colour="red", stops=(Stop(kind=StopKind.OFFBOARD),))


def _mountain() -> Tile:
    return Tile(id="", colour="white", terrain=(Terrain(kinds=("mountain",), cost=MOUNTAIN_COST),))


_PLAIN_PRINT: dict[Ground, Callable[[], Tile]] = {
    Ground.HOME: _city,
    Ground.PLAIN: _plain,
    Ground.MOUNTAIN: _mountain,
    Ground.WATER: lambda: Tile(id="", colour="blue"),
    Ground.CITY: _city,
    Ground.BORDER: lambda: Tile(id="", colour=BORDER),
    Ground.DESTINATION: _destination,
}


def board_of(box: AtlasBox, log: AtlasLog, names: Mapping[str, Text] | None = None) -> GameMap:
    """The board that a log leads to, its blanks and capital overlays laid.

    `names` are those of companies by id: a home hex that prints no name takes its company's. Both
    hexes of a destination on one map tile are one place: no line is drawn between them and their
    stops share a group. Raises KeyError for a map tile that is not in the box; where hexes overlap,
    the later one is shown.
    """
    origin = board_origin(log)
    hexes: dict[Axial, MapHex] = {}
    for draw in log.placed:
        tile = box.tile_by_number[draw.tile]
        for place, hexagon in zip(
            tile_hexes(draw.at, draw.rotation), _laid(tile, draw, origin, names or {}), strict=True
        ):
            hexes[place] = hexagon
    for place in log.overlays:
        hexes[place] = _piece(capital_overlay, place, origin)
    for place in log.blanks:
        hexes[place] = _piece(blank_overlay, place, origin)
    return GameMap(
        id="atlas",
        name=piece_words("map"),
        layout=Layout.FLAT,
        scheme=SCHEME,
        hexes=tuple(hexes.values()),
    )


def board_of_tile(tile: MapTile, names: Mapping[str, Text] | None = None) -> GameMap:
    """One map tile by itself, as it is printed."""
    draw = TileDraw(draw=1, tile=tile.number, copy=1, at=Axial(0, 0), rotation=0, alternatives=1)
    hexes = _laid(tile, draw, Coord(0, 0), names or {})
    name = Text.plain(str(tile.number))
    return GameMap(
        id=f"tile-{tile.number}", name=name, layout=Layout.FLAT, scheme=SCHEME, hexes=hexes
    )


def homes_of(box: AtlasBox, log: AtlasLog) -> dict[str, Axial]:
    """Where companies are at home, by id, in the order their map tiles were laid."""
    return {
        hexagon.company: place
        for draw in log.placed
        for place, hexagon in zip(
            tile_hexes(draw.at, draw.rotation), box.tile_by_number[draw.tile].hexes, strict=True
        )
        if hexagon.company is not None
    }


def _piece(printed: Callable[[str], Tile], place: Axial, origin: Coord) -> MapHex:
    at = board_coord(place, origin)
    return MapHex(at=at, tile=printed(SCHEME.name(at)))


def _laid(
    tile: MapTile, draw: TileDraw, origin: Coord, names: Mapping[str, Text]
) -> tuple[MapHex, ...]:
    """The three hexes of a map tile as they lie."""
    hexes: list[MapHex] = []
    for index, (place, hexagon) in enumerate(
        zip(tile_hexes(draw.at, draw.rotation), tile.hexes, strict=True)
    ):
        at = board_coord(place, origin)
        printed = hex_topology(hexagon, SCHEME.name(at))
        if hexagon.company is not None and printed.name is None:
            printed = replace(printed, name=names.get(hexagon.company))
        borders: tuple[Border, ...] = ()
        if hexagon.ground is Ground.DESTINATION:
            if printed.name is None and all(
                earlier.ground is not hexagon.ground for earlier in tile.hexes[:index]
            ):
                printed = replace(printed, name=DESTINATION)
            group = f"destination {draw.tile}.{draw.copy}"
            printed = replace(
                printed, stops=tuple(replace(stop, groups=(group,)) for stop in printed.stops)
            )
            borders = tuple(
                Border(edge=(edge + draw.rotation) % 6, kind="none")
                for edge in _towards_its_like(tile, index)
            )
        hexes.append(MapHex(at=at, tile=rotate_tile(printed, draw.rotation), borders=borders))
    return tuple(hexes)


def _towards_its_like(tile: MapTile, index: int) -> tuple[int, ...]:
    """Edges at rotation 0 of a tile's hex beyond which another hex of the same tile has the same
    ground."""
    here = CORNERS_OF_TILE[index]
    like = [
        corner
        for corner, hexagon in zip(CORNERS_OF_TILE, tile.hexes, strict=True)
        if corner != here and hexagon.ground is tile.hexes[index].ground
    ]
    return tuple(edge for edge, step in enumerate(NEIGHBOURS) if here + step in like)
