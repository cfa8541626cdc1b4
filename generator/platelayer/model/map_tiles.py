"""A random map of three-hex map tiles: the box it is drawn from, the modes of play, and the log of
its assembly.

Axial coordinates (q, r), flat layout: hex 1 of a map tile lies at `at`, hex 2 to its south-east,
hex 3 to its south; rotation k turns the tile k x 60 degrees clockwise about hex 1 by (q, r) -> (-r,
q + r). Source: the issue "Railways of the Lost Atlas" and its reference facts.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, field
from msgspec.structs import replace

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.described import (
    DERIVED,
    ID,
    ById,
    ComputedDefault,
    Count,
    Distinct,
    Id,
    Key,
    Money,
    OneOf,
    Pairs,
    Parsed,
    Several,
    written,
)
from platelayer.model.gamemap import Border, Coord, CoordinateScheme, GameMap, Layout, MapHex
from platelayer.model.tile import Icon, Position, Stop, StopKind, Terrain, Tile, rotate_tile


class Axial(NamedTuple):
    """Axial coordinates of one hex."""

    q: int
    r: int

    def __add__(self, other: tuple[object, ...]) -> "Axial":
        q, r = other
        return Axial(self.q + q, self.r + r)  # type: ignore[operator]

    def steps_to(self, other: "Axial") -> int:
        """Return the distance in steps to another hex."""
        q, r = self.q - other.q, self.r - other.r
        return max(abs(q), abs(r), abs(q + r))


def axial_name(at: Axial) -> str:
    """Return axial coordinates as a log writes them: "[2, -1]"."""
    return f"[{at.q}, {at.r}]"


# Step to the hex across each edge, with edges 0-5 clockwise from the bottom as everywhere.
NEIGHBOURS = (Axial(0, 1), Axial(-1, 1), Axial(-1, 0), Axial(0, -1), Axial(1, -1), Axial(1, 0))

# Hexes 1, 2 and 3 of a map tile at rotation 0.
CORNERS_OF_TILE = (Axial(0, 0), Axial(1, 0), Axial(0, 1))


def turned(offset: Axial, rotation: int) -> Axial:
    """Return an offset rotated clockwise by `rotation` x 60 degrees about (0, 0)."""
    q, r = offset
    for _ in range(rotation % 6):
        q, r = -r, q + r
    return Axial(q, r)


def tile_hexes(at: Axial, rotation: int) -> tuple[Axial, Axial, Axial]:
    """Return the positions of hexes 1, 2 and 3 of a map tile with hex 1 at `at`."""
    one, two, three = (at + turned(offset, rotation) for offset in CORNERS_OF_TILE)
    return one, two, three


def doubled(at: Axial) -> Coord:
    """Return the doubled coordinates (as maps use them) of axial ones, in a flat layout."""
    return Coord(at.q, 2 * at.r + at.q)


class Ground(Enum):
    """Kind of a hex of a map tile."""

    HOME = "home"
    PLAIN = "plain"
    MOUNTAIN = "mountain"
    WATER = "water"
    CITY = "city"
    BORDER = "border"
    DESTINATION = "destination"


def company_of(raw: str | Mapping[str, Any]) -> str | None:
    """Return the id of the company at home on a hex as written in JSON, or None."""
    return (raw.partition(":")[2] or None) if isinstance(raw, str) else raw.get("company")


def ground_of(raw: str | Mapping[str, Any]) -> Ground:
    """Return the ground of a hex as written in JSON."""
    return Ground(raw.partition(":")[0] if isinstance(raw, str) else raw["ground"])


_PLAIN = {
    "type": "string",
    "pattern": f"^(plain|mountain|water|city|border|destination|home:{ID})$",
}
_A_HOME = {"properties": {"ground": {"const": "home"}}, "required": ["ground"]}


@written(
    OneOf(
        'a hex such as "plain", "home:AG" or {"ground": "city", "tile": {...}}',
        _PLAIN,
        lambda raw: AtlasHex(ground=ground_of(raw), company=company_of(raw)),
    ),
    {"required": ["ground", "tile"], "if": _A_HOME, "then": {"required": ["company"]}},
)
class AtlasHex(Frozen, kw_only=True):
    """A hex: its ground; "home:" with the id of the company at home there; or an object if
    something special is printed on it, which does not follow from its ground (see
    model.atlas_board)."""

    ground: Annotated[
        Ground,
        Meta(title="a ground"),
        "What it is. A border may touch no hex of another tile; a city may receive a capital.",
    ]
    company: Annotated[
        Id | None, 'Id of the company at home here; only with the ground home. Example: "EM".'
    ] = None
    tile: Annotated[Tile | None, "What is printed on it at rotation 0, as for a tile."] = None


_NUMBER = Parsed({"title": "the number of a map tile", "pattern": "^[1-9][0-9]{0,2}$"}, int)


class MapTile(Frozen, kw_only=True):
    """A map tile: three hexes in a triangle. At rotation 0 hex 2 lies south-east of hex 1 and hex 3
    south of it."""

    number: Annotated[int, DERIVED, _NUMBER]
    copies: Annotated[int, Meta(ge=1, le=20), "How many copies are in the box."] = 1
    hexes: Annotated[
        tuple[AtlasHex, AtlasHex, AtlasHex],
        Meta(title="hexes 1, 2 and 3"),
        'Hexes 1, 2 and 3. Example: ["home:AG", "mountain", "plain"].',
    ]


class Stacks(Frozen, kw_only=True):
    """The tiles are dealt into stacks, and one of them is used."""

    count: Annotated[int, Meta(ge=2, le=9), "How many stacks. Example: 2."]
    homes: Annotated[
        int,
        Meta(ge=0, le=100),
        "Tiles with homes in each stack, in addition to an equal share of the other tiles. Example: 6.",
    ]
    dealt_as_homes: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=999), "Number of a map tile."], ...],
        Distinct(50),
        "Numbers of other map tiles that are dealt with those that have homes. Example: [21].",
    ] = ()


_PLAYERS = Parsed({"title": "a number of players, 1 to 9", "pattern": "^[1-9]$"}, int)


@written(stacks=Annotated[Stacks, ComputedDefault()])
class Mode(Frozen, kw_only=True):
    """A mode of play: how a map is drawn from the box, and what it is played with.

    With `stacks` > 0 the tiles with homes (and those of `stack_homes`) are dealt out,
    `homes_per_stack` to each stack, the rest evenly, and one stack is used.
    """

    id: Key
    players: Annotated[tuple[int, ...], DERIVED]
    cash: Annotated[
        tuple[tuple[Annotated[int, _PLAYERS], Money], ...],
        Pairs(9, "Cash of each.", least=1),
        "Starting cash of each player by number of players; the mode can be played with these numbers. "
        'Example: {"3": 300, "4": 275}.',
    ]
    removed: Annotated[
        tuple[
            tuple[
                Annotated[int, _NUMBER],
                Annotated[int, Meta(ge=1, le=20), "Copies that stay in the box."],
            ],
            ...,
        ],
        Pairs(200),
        'How many copies of map tiles stay in the box, by number. Example: {"9": 1}.',
    ] = ()
    capital_projects: Annotated[
        int,
        Meta(ge=0, le=20),
        "Capital projects shuffled in; in a mode with stacks, into each. Example: 3.",
    ]
    cycles: Annotated[int, Meta(ge=1, le=20), "Cycles of rounds until the game ends. Example: 6."]
    columns: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=20), "Charters in a column."], ...],
        Several(12),
        "How many charters are in each column on offer. Example: [4, 4, 4].",
    ] = field(name="charter_columns")
    trains: Annotated[
        tuple[tuple[Id, Count], ...],
        Pairs(30, "How many there are."),
        'How many trains of each kind are in play. Example: {"2": 7}.',
    ]
    absent: Annotated[
        tuple[Id, ...],
        Distinct(50, "Id of a company."),
        'Ids of companies out of play. Example: ["AD"].',
    ] = ()
    stacks: Annotated[int, DERIVED] = 0
    homes_per_stack: Annotated[int, DERIVED] = 0
    stack_homes: Annotated[tuple[int, ...], DERIVED] = ()
    tiles_used: Annotated[
        int,
        Meta(ge=1, le=500),
        "Map tiles that are laid; in a mode with stacks, those of one stack. Example: 33.",
    ] = field(name="map_tiles")
    exports: Annotated[bool, "A train is exported between rounds."] = True
    note: Annotated[
        Text | None, "Sentence on the trains of the mode, for the guide to building a map."
    ] = None

    def deals_as_home(self, tile: MapTile) -> bool:
        """Return True if the tile is dealt to the stacks together with the tiles that have
        homes."""
        return tile.number in self.stack_homes or any(
            hexagon.ground is Ground.HOME for hexagon in tile.hexes
        )


class AtlasBox(Frozen, kw_only=True, dict=True):
    """Box that maps are assembled from."""

    map_tiles: Annotated[
        tuple[MapTile, ...],
        ById(200, least=1),
        'Map tiles by printed number. Example: {"12": {"copies": 2, "hexes": ["plain", "plain", "plain"]}}.',
    ]
    modes: Annotated[
        tuple[Mode, ...],
        ById(20, least=1),
        "Modes of play by id, in the order they are listed to players.",
    ]
    capital_projects: Annotated[
        int, Meta(ge=0, le=20), "Capital project tiles in the box. Example: 3."
    ]
    capital_overlays: Annotated[
        int, Meta(ge=0, le=20), "Capital overlays of one hex in the box. Example: 3."
    ]
    blank_overlays: Annotated[
        int, Meta(ge=0, le=100), "Blank overlays of one hex in the box. Example: 12."
    ]
    homeless: Annotated[
        tuple[Id, ...],
        Distinct(50, "Id of a company."),
        "Ids of companies that have no home on a map tile. In modes with stacks they come into play with "
        'a tile that is `dealt_as_homes`; in other modes they always do. Example: ["AD"].',
    ] = ()
    bridging: Annotated[
        tuple[Id, ...],
        Distinct(50, "Id of a company."),
        "Ids of companies that lay track across water. On maps where none of them is in play, track that "
        'leads to water leads nowhere. Example: ["BR"].',
    ] = ()
    mountain_bonuses: Annotated[
        tuple[tuple[Id, Money], ...],
        Pairs(50, "Money of each time."),
        "Money that companies get each time they pay for a mountain, by id. The worth of their homes "
        'counts it. Example: {"TU": 60}.',
    ] = ()
    extra_stops: Annotated[
        tuple[tuple[Id, Count], ...],
        Pairs(50, "How many more."),
        'Stops that an only train of companies counts in addition, by id. Example: {"ER": 1}.',
    ] = ()
    suburbs: Annotated[
        tuple[tuple[Id, Count], ...],
        Pairs(50, "How many tokens."),
        "Suburbs that companies lay on basic cities, by id; each pays $10 more to a train of theirs. "
        'Example: {"SU": 2}.',
    ] = ()

    @cached_property
    def tile_by_number(self) -> dict[int, MapTile]:
        """Map tiles by printed number."""
        return {tile.number: tile for tile in self.map_tiles}

    def laid(self, draw: "TileDraw") -> Iterator[tuple[Axial, AtlasHex]]:
        """Yield the hexes of a map tile of the box, each with its position."""
        return zip(draw.hexes, self.tile_by_number[draw.tile].hexes, strict=True)

    @cached_property
    def mode_by_id(self) -> dict[str, Mode]:
        """Modes by id."""
        return {mode.id: mode for mode in self.modes}


class TileDraw(Frozen):
    """A map tile was drawn and laid. `alternatives` is the number of its distinct legal placements
    (0: not counted)."""

    draw: int
    tile: int
    copy: int
    at: Axial
    rotation: int
    alternatives: int = 0

    @property
    def hexes(self) -> tuple[Axial, Axial, Axial]:
        """Positions of hexes 1, 2 and 3 of the map tile."""
        return tile_hexes(self.at, self.rotation)


class ProjectDraw(Frozen):
    """A capital project was drawn. Its overlay was laid at `overlay_at`; None: the project went to
    the bottom of the pile."""

    draw: int
    capital_project: int
    overlay_at: Axial | None


Draw = TileDraw | ProjectDraw

# Policy and algorithm given for a map that was typed in as a table.
HAND = "hand"


class AtlasLog(Frozen, kw_only=True):
    """Everything needed to replay an assembly. `algorithm` is the version of the assembler for
    which the seed is valid ("hand" for a map entered by hand). `stack` is the stack that was
    used, from 1 (None: no stacks); `blank_limit` is the maximum number of blanks to lay (None:
    as many as the rules require)."""

    mode: str
    seed: int | None
    policy: str
    algorithm: str
    draws: tuple[Draw, ...]
    blanks: tuple[Axial, ...]
    restarts: int = 0
    stack: int | None = None
    blank_limit: int | None = None
    metrics: tuple[tuple[str, float], ...] = ()

    @property
    def placed(self) -> tuple[TileDraw, ...]:
        """The tiles laid, in order."""
        return tuple(draw for draw in self.draws if isinstance(draw, TileDraw))

    @property
    def overlays(self) -> tuple[Axial, ...]:
        """Positions of the capital overlays, in order."""
        return tuple(
            d.overlay_at
            for d in self.draws
            if isinstance(d, ProjectDraw) and d.overlay_at is not None
        )


# The board of an assembled map: hexes at coordinates, with their printed contents.
# The board's first column is A and its first row is 1, wherever the log puts the first tile.


atlas_words = FixedWords("atlas")
map_words = FixedWords("map")
piece_words = FixedWords("pieces")

# Columns have letters from A on, rows have numbers from 1 on.
SCHEME = CoordinateScheme(letters_on="x")
# Colour of border hexes, which nothing may touch.
BORDER = "border"
MOUNTAIN_COST = 40
# Printed on the first hex of a destination that has no name of its own.
DESTINATION = atlas_words("destination_name")
CAPITAL = map_words.table("icons")["capital"]
_MIDDLE = Position(edge=0, distance=0.0)
_CITY = Stop(kind=StopKind.CITY, slots=1)
# Width of a city's slot on a hex of 38.1 mm, so 17 mm on a hex of 40 mm. Source: rulebook, sections
# 2 and 14.
_CITY_MM = 16.2
_OPEN = Tile(id="", colour="white")
_CITY_PRINT = replace(_OPEN, stops=(_CITY,), slot_mm=_CITY_MM)
# Printed contents of ordinary hexes, by ground.
_PRINTS = {
    Ground.HOME: _CITY_PRINT,
    Ground.PLAIN: _OPEN,
    Ground.MOUNTAIN: replace(_OPEN, terrain=(Terrain(kinds=("mountain",), cost=MOUNTAIN_COST),)),
    Ground.WATER: Tile(id="", colour="blue"),
    Ground.CITY: _CITY_PRINT,
    Ground.BORDER: Tile(id="", colour=BORDER),
    Ground.DESTINATION: Tile(id="", colour="red", stops=(Stop(kind=StopKind.OFFBOARD),)),
}


def occupied(log: AtlasLog) -> tuple[Axial, ...]:
    """Return every hex of the board once: those of the tiles in the order they were laid, then the
    blanks. Overlays lie on tiles; if a faulty log has one off the tiles, its hex comes before
    the blanks."""
    laid = [place for draw in log.placed for place in draw.hexes]
    return tuple(dict.fromkeys((*laid, *log.overlays, *log.blanks)))


def board_origin(log: AtlasLog) -> Coord:
    """Return the offset to subtract from doubled coordinates so that the smallest x and y of the
    board are 0."""
    places = [doubled(at) for at in occupied(log)]
    return Coord(min((x for x, _ in places), default=0), min((y for _, y in places), default=0))


def board_coord(at: Axial, origin: Coord) -> Coord:
    """Return the position on the board of a hex of the log."""
    x, y = doubled(at)
    return Coord(x - origin.x, y - origin.y)


def place_name(at: Axial, origin: Coord) -> str:
    """Return the printed coordinates of a hex of the log, e.g. "D4"."""
    return SCHEME.name(board_coord(at, origin))


def hex_topology(hexagon: AtlasHex, place: str = "") -> Tile:
    """Return the topology printed on a hex of a map tile at rotation 0, with `place` as its id."""
    return replace(hexagon.tile or _PRINTS[hexagon.ground], id=place)


def capital_overlay(place: str = "") -> Tile:
    """Return the topology of a capital overlay: a city with the capital's sign in the middle."""
    sign = Icon(name="capital", at=_MIDDLE)
    return replace(_CITY_PRINT, id=place, icons=(sign,), frame="atlas.capital")


def blank_overlay(place: str = "") -> Tile:
    """Return the topology of a blank overlay: open country."""
    return replace(_OPEN, id=place)


def printed_hexes(box: AtlasBox) -> tuple[Tile, ...]:
    """Return the hexes that can be upgraded: each hex of each map tile as `tile-2/1` (its first
    hex), and the capital overlay as `capital`. Water counts as open ground, because bridges are
    laid on it."""
    printed = []
    for tile in box.map_tiles:
        name = piece_words("map_tile").fill(tile.number)
        for place, hexagon in enumerate(tile.hexes, 1):
            print_of = hex_topology(hexagon, f"tile-{tile.number}/{place}")
            if hexagon.ground is Ground.WATER and hexagon.tile is None:
                water = (Terrain(kinds=("water",)),)
                print_of = replace(print_of, colour="white", terrain=water)
            printed.append(replace(print_of, name=name))
    if box.capital_overlays:
        printed.append(replace(capital_overlay("capital"), name=CAPITAL))
    return tuple(printed)


def board_of(box: AtlasBox, log: AtlasLog, names: Mapping[str, Text] | None = None) -> GameMap:
    """Return the board that a log produces, with its blanks and capital overlays.

    `names` are those of companies by id: a home hex that prints no name takes its company's. The
    two hexes of a destination on one map tile are one place: no line is drawn between them and
    their stops share a group. Raises KeyError for a map tile that is not in the box. Where hexes
    overlap, the later one is shown.
    """
    origin = board_origin(log)
    hexes: dict[Axial, MapHex] = {}
    for draw in log.placed:
        laid = _laid(box.tile_by_number[draw.tile], draw, origin, names or {})
        hexes |= zip(draw.hexes, laid, strict=True)
    for overlay, places in ((capital_overlay, log.overlays), (blank_overlay, log.blanks)):
        for place in places:
            at = board_coord(place, origin)
            hexes[place] = MapHex(at, overlay(SCHEME.name(at)))
    return GameMap(
        id="atlas",
        name=piece_words("map"),
        layout=Layout.FLAT,
        scheme=SCHEME,
        hexes=tuple(hexes.values()),
    )


def board_of_tile(tile: MapTile, names: Mapping[str, Text] | None = None) -> GameMap:
    """Return one map tile by itself, as printed."""
    draw = TileDraw(draw=1, tile=tile.number, copy=1, at=Axial(0, 0), rotation=0, alternatives=1)
    hexes = _laid(tile, draw, Coord(0, 0), names or {})
    name = Text.plain(str(tile.number))
    return GameMap(
        id=f"tile-{tile.number}", name=name, layout=Layout.FLAT, scheme=SCHEME, hexes=hexes
    )


def homes_of(box: AtlasBox, log: AtlasLog) -> dict[str, Axial]:
    """Return the homes of companies by id, in the order in which their map tiles were laid."""
    return {
        hexagon.company: place
        for draw in log.placed
        for place, hexagon in box.laid(draw)
        if hexagon.company is not None
    }


def _laid(
    tile: MapTile, draw: TileDraw, origin: Coord, names: Mapping[str, Text]
) -> tuple[MapHex, ...]:
    """Return the three hexes of a map tile at their positions."""
    hexes = []
    grounds = [hexagon.ground for hexagon in tile.hexes]
    places = draw.hexes
    for index, (place, hexagon) in enumerate(zip(places, tile.hexes, strict=True)):
        at = board_coord(place, origin)
        printed = hex_topology(hexagon, SCHEME.name(at))
        if hexagon.company is not None and printed.name is None:
            printed = replace(printed, name=names.get(hexagon.company))
        borders = []
        if hexagon.ground is Ground.DESTINATION:
            # A destination's name spans both of its hexes, so only the first one has it.
            if printed.name is None and hexagon.ground not in grounds[:index]:
                printed = replace(printed, name=DESTINATION)
            # The group includes the copy number: both copies of a map tile may be on one map, and
            # they are two destinations.
            group = f"destination {draw.tile}.{draw.copy}"
            stops = tuple(replace(stop, groups=(group,)) for stop in printed.stops)
            printed = replace(printed, stops=stops)
            # Draw no line between the hexes of one destination; edges turn with the tile.
            here = CORNERS_OF_TILE[index]
            others = [
                corner
                for corner, ground in zip(CORNERS_OF_TILE, grounds, strict=True)
                if corner != here and ground is hexagon.ground
            ]
            for edge, step in enumerate(NEIGHBOURS):
                if here + step in others:
                    borders.append(Border(edge=(edge + draw.rotation) % 6, kind="none"))
        turned = rotate_tile(printed, draw.rotation)
        hexes.append(MapHex(at, turned, borders=tuple(borders)))
    return tuple(hexes)
