"""A map: hexes at coordinates, with names, borders and what is printed on them.

Coordinates are doubled (x right, y down): in a flat layout vertical neighbours differ by 2 in y, in
a pointy layout horizontal neighbours differ by 2 in x. Edges are numbered 0-5 clockwise from the
bottom (flat) or lower left (pointy); angles grow clockwise from the x axis because y grows
downwards.
"""

import math
import re
from enum import Enum
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct, field

from platelayer.foundation.geometry import direction, measured
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.described import (
    DERIVED,
    ById,
    Distinct,
    Edge,
    Flattened,
    HexName,
    Id,
    Ink,
    Key,
    Pairs,
    Parsed,
    Several,
    Shared,
    Words,
    common,
    one_of,
    written,
)
from platelayer.model.tile import Cost, Tile

Point = tuple[float, float]

EDGES = range(6)
COS_30 = math.sqrt(3) / 2


class Layout(Enum):
    """Orientation of the hexes: with a flat side or a point at the top."""

    FLAT = "flat"
    POINTY = "pointy"


class Coord(NamedTuple):
    """Doubled coordinates of one hex."""

    x: int
    y: int


# Step to the neighbour across each edge, beginning with edge 0.
_STEPS: dict[Layout, tuple[Coord, ...]] = {
    Layout.FLAT: (
        Coord(0, 2),
        Coord(-1, 1),
        Coord(-1, -1),
        Coord(0, -2),
        Coord(1, -1),
        Coord(1, 1),
    ),
    Layout.POINTY: (
        Coord(-1, 1),
        Coord(-2, 0),
        Coord(-1, -1),
        Coord(1, -1),
        Coord(2, 0),
        Coord(1, 1),
    ),
}
_EDGE_0_DEGREES = {Layout.FLAT: 90.0, Layout.POINTY: 120.0}


def opposite(edge: int) -> int:
    """The edge that touches `edge` from the neighbouring hex."""
    return (edge + 3) % 6


def neighbour(at: Coord, edge: int, layout: Layout) -> Coord:
    """The hex on the other side of `edge`."""
    step = _STEPS[layout][edge % 6]
    return Coord(at.x + step.x, at.y + step.y)


def beside(at: Coord) -> tuple[Coord, ...]:
    """Return the places half a step away: hexes there would overlap this one."""
    return (
        Coord(at.x - 1, at.y),
        Coord(at.x + 1, at.y),
        Coord(at.x, at.y - 1),
        Coord(at.x, at.y + 1),
    )


def centre_mm(at: Coord, layout: Layout, across_mm: float) -> Point:
    """Return the centre of a hex in mm when hex (0, 0) is centred on (0, 0); `across_mm` is the
    distance flat to flat."""
    half, pitch = across_mm / 2, across_mm * COS_30
    return (at.x * pitch, at.y * half) if layout is Layout.FLAT else (at.x * half, at.y * pitch)


def hex_at(point: Point, layout: Layout, across_mm: float, odd: int = 0) -> Coord:
    """Return the hex that contains a point, among those whose coordinates have an even sum (or,
    with `odd` 1, an odd one)."""
    wide, tall = centre_mm(Coord(1, 1), layout, across_mm)
    column, row = math.floor(measured(point[0] / wide)), math.floor(measured(point[1] / tall))
    # Doubled coordinates form a chequerboard whose fields of one colour are the hexes. A point lies
    # between four fields; of the two that are hexes, it belongs to the nearer one.
    near = [Coord(column + dx, row + dy) for dx in (0, 1) for dy in (0, 1)]

    def away(at: Coord) -> float:
        return measured(math.dist(centre_mm(at, layout, across_mm), point))

    return min((at for at in near if (at.x + at.y) % 2 == odd), key=away)


def edge_angle(edge: float, layout: Layout) -> float:
    """Return the direction from the centre to the middle of an edge, in radians clockwise from the
    x axis.

    Fractions are allowed: 2.5 points to the corner between edges 2 and 3.
    """
    return math.radians(_EDGE_0_DEGREES[layout] + 60.0 * edge)


@lru_cache(1024)
def edge_point(edge: float, layout: Layout, distance_mm: float) -> Point:
    """Return the point at `distance_mm` from the centre towards an edge (fractions allowed)."""
    x, y = direction(edge_angle(edge, layout))
    return distance_mm * x, distance_mm * y


@lru_cache(256)
def corner_points(layout: Layout, across_mm: float) -> tuple[Point, ...]:
    """Return the six corners around the centre (0, 0); corner k lies between edges k and k + 1."""
    radius = across_mm / 2 / COS_30
    return tuple(edge_point(k + 0.5, layout, radius) for k in EDGES)


def letters_from_index(index: int) -> str:
    """Return letters for a number: 0 -> A, 25 -> Z, 26 -> AA; lower case below zero: -1 -> a, -2 ->
    b."""
    if index < 0:
        return chr(ord("a") - 1 - index)
    letters = ""
    # Letters are digits from 1 to 26, without a zero, so that AA follows Z.
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def index_from_letters(letters: str) -> int:
    """Return the number for letters, the inverse of `letters_from_index`."""
    if letters.islower():  # columns left of A, as some maps print them
        return ord("a") - 1 - ord(letters)
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


_PRINTED = re.compile(r"([a-z]|[A-Z]{1,2})(-?[0-9]{1,3})")


class CoordinateScheme(Struct, frozen=True, kw_only=True):
    """Printed coordinates of a board: which axis has letters, and where each begins."""

    letters_on: Annotated[
        str,
        one_of("x", "y"),
        Meta(title="an axis"),
        'The axis with letters: "x" (columns) or "y" (rows); numbers are on the other.',
    ]
    first_letter: Annotated[
        str,
        Meta(title='a letter such as "A"', pattern="^([a-z]|[A-Z]{1,2})$"),
        "Letter printed where its axis is 0 in doubled coordinates.",
    ] = "A"
    first_number: Annotated[
        int, Meta(ge=-999, le=999), "Number printed where its axis is 0 in doubled coordinates."
    ] = 1
    inside: Annotated[
        bool, "Print them in every hex as well, small in a corner, if there is room."
    ] = False
    # True for hexes on the frame of the map.
    framed: Annotated[bool, DERIVED] = True

    def parse(self, printed: str) -> Coord | None:
        """Return doubled coordinates for printed ones such as "D4"; None if `printed` is not a
        coordinate."""
        match = _PRINTED.fullmatch(printed)
        if match is None:
            return None
        letter = index_from_letters(match[1]) - index_from_letters(self.first_letter)
        number = int(match[2]) - self.first_number
        return Coord(letter, number) if self.letters_on == "x" else Coord(number, letter)

    def name(self, at: Coord) -> str:
        """Return printed coordinates for doubled ones."""
        letter, number = (at.x, at.y) if self.letters_on == "x" else (at.y, at.x)
        return self.letter(letter) + self.number(number)

    def letter(self, value: int) -> str:
        """Return the printed coordinate at `value` on the lettered axis."""
        return letters_from_index(value + index_from_letters(self.first_letter))

    def number(self, value: int) -> str:
        """Return the printed coordinate at `value` on the numbered axis."""
        return str(value + self.first_number)

    def column(self, x: int) -> str:
        """Return the coordinate printed on the rim above column x."""
        return self.letter(x) if self.letters_on == "x" else self.number(x)

    def row(self, y: int) -> str:
        """Return the coordinate printed on the rim beside row y."""
        return self.letter(y) if self.letters_on == "y" else self.number(y)


# The land behind the hexes of a map: rivers, regions and seas.


def _place(about: str, *required: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of a place that is written as an object."""
    hex_name = {**common("hex"), "description": 'The hex. Example: "D4".'}
    return {
        "description": about,
        "type": "object",
        "properties": {"$comment": common("comment"), "hex": hex_name, **properties},
        "required": ["hex", *required],
        "additionalProperties": False,
    }


_NUMBER = {
    "title": "a corner, 0 to 5",
    "description": "A corner of a hex, 0 to 5: corner 2 lies between edges 2 and 3. Example: 2.",
    "type": "integer",
    "minimum": 0,
    "maximum": 5,
}
_SHARE = {
    "description": "How far along the way from the middle of the hex: 0 is the middle, 1 the edge or corner. Default: "
    "1. Example: 0.5.",
    "type": "number",
    "minimum": 0,
    "maximum": 1,
}
_EDGE = {**common("edge"), "description": "The edge. Example: 2."}
_CORNER = _place(
    'A corner of a hex. Example: {"hex": "D4", "corner": 2}.', "corner", corner=_NUMBER
)
_WAYPOINT = {
    "title": 'a hex such as "D4", or a point of one such as {"hex": "D4", "edge": 2}',
    "description": "A place on a map: the middle of a hex, a corner or the middle of an edge, or a place on the way "
    "there.",
    "anyOf": [
        common("hex"),
        _place("A place on an edge, or on the way to it.", "edge", edge=_EDGE, distance=_SHARE),
        _place("A corner, or a place on the way to it.", "corner", corner=_NUMBER, distance=_SHARE),
    ],
}

_STEP = {"type": "number", "minimum": -10000, "maximum": 10000}
_COAST = {
    "title": "lines of points",
    "description": "Coasts, each a line of points: steps to the right and down from the middle of a hex, in hundredths "
    "of its width from side to side. A line that ends where it begins goes round an island or a lake; others run on "
    "beyond the frame. The hexes say on which side the land is. Where a sea has coasts, they alone part land and water "
    'beyond the board. Example: [[{"hex": "J9", "points": [[-60, 40], [-20, 58], [35, 62]]}]].',
    "type": "array",
    "maxItems": 200,
    "items": {
        "title": "pieces of a line",
        "description": "One line.",
        "type": "array",
        "minItems": 1,
        "maxItems": 400,
        "items": _place(
            "Points of the line, near a hex.",
            "points",
            points={
                "description": "Steps right and down from the middle of the hex. Example: [[-20, 58], [35, 62]].",
                "type": "array",
                "minItems": 1,
                "maxItems": 4000,
                "items": {
                    "title": "two numbers",
                    "description": "One point.",
                    "type": "array",
                    "items": {
                        **_STEP,
                        "description": "A step, in hundredths of the hex. Example: 35.",
                    },
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
        ),
    },
}
_SIDES = ("north", "east", "south", "west")
_SEA = {
    "title": '"around", or a list of north, east, south and west',
    "description": 'Sea beyond the board without further words: "around" it, or on some of its sides. Example: '
    '["south", "east"].',
    "anyOf": [
        {"description": "Water on all sides.", "const": "around"},
        {
            "description": "Sides with water.",
            "type": "array",
            "items": {"description": "A side.", "enum": [*_SIDES]},
            "minItems": 1,
            "maxItems": 4,
            "uniqueItems": True,
        },
    ],
}


@written(Parsed(_WAYPOINT))
class Waypoint(Frozen):
    """A place on a map: the middle of the hex `at`, or a `share` of the way from there towards an
    edge (2.5: the corner between edges 2 and 3)."""

    at: Coord
    towards: float | None = None
    share: float = 1.0

    def point(self, layout: Layout, across_mm: float) -> tuple[float, float]:
        """Return the place in mm, with hex (0, 0) centred on (0, 0)."""
        x, y = centre_mm(self.at, layout, across_mm)
        if self.towards is None:
            return x, y
        reach = across_mm / 2 * self.share
        if self.towards % 1:  # corners are farther from the centre than the middles of edges
            reach /= COS_30
        dx, dy = edge_point(self.towards, layout, reach)
        return x + dx, y + dy

    def touches(self, layout: Layout) -> tuple[Coord, ...]:
        """Return the hexes that contain the place or have it on their rim."""
        if self.towards is None or self.share < 1.0:
            return (self.at,)
        # Halves point to corners, which touch two neighbours, and whole numbers to one edge.
        edges = {int(self.towards): None, int(self.towards + 0.5): None}
        return (self.at, *(neighbour(self.at, edge, layout) for edge in edges))


def joined(one: Waypoint, other: Waypoint, layout: Layout) -> bool:
    """Return True if a river may run from one place to the other: through a hex that both touch, or
    between neighbouring hexes."""
    shared = set(one.touches(layout)) & set(other.touches(layout))
    inside = all(point.towards is None or point.share < 1.0 for point in (one, other))
    return bool(shared) or (
        inside and other.at in (neighbour(one.at, edge, layout) for edge in EDGES)
    )


class River(Frozen, kw_only=True):
    """A river."""

    id: Key
    course: Annotated[
        tuple[Waypoint, ...],
        Several(200, least=2),
        "Places it runs through, from its source to its mouth. Each one and the next touch a common hex, or are the "
        "middles of two neighbours. A river that flows into another ends on a place of the other's course.",
    ]
    name: Annotated[Text | None, "Its name, printed along it where there is room."] = None


class Region(Frozen, kw_only=True):
    """A region."""

    id: Key
    hexes: Annotated[
        tuple[HexName, ...],
        Distinct(2000, least=1),
        "Its hexes, by printed coordinates; no hex is in two regions. Either this or `zone`.",
    ] = ()
    zone: Annotated[
        Words | None,
        Meta(max_length=60),
        'The zone whose hexes it has, in place of a list. Example: "Piedmont".',
    ] = None
    name: Annotated[Text | None, "Its name. If left out: none is printed."] = None
    tint: Annotated[
        Ink | None,
        "The ground of its white hexes, whose terrain is then shown by signs alone. Example: "
        '"map.zone.2". If left out: none.',
    ] = None


class Sea(Frozen, kw_only=True):
    """A sea."""

    id: Key
    start: Annotated[
        Waypoint | None,
        Parsed(_CORNER),
        "Where its coast begins: a corner on the outline of the board.",
    ] = field(name="from", default=None)
    end: Annotated[
        Waypoint | None, Parsed(_CORNER), "Where its coast ends, clockwise round the board."
    ] = field(name="to", default=None)
    # Coordinates are in widths of a hex, with the centre of hex (0, 0) at (0, 0).
    coasts: Annotated[
        tuple[tuple[tuple[float, float], ...], ...],
        Parsed(_COAST),
        "Its coasts point by point, instead of or beside a stretch of the outline.",
    ] = ()
    name: Annotated[Text | None, "Its name, printed beside the board where there is room."] = None


class NextLand(Frozen, kw_only=True):
    """A land beyond the board."""

    id: Key
    name: Annotated[Text, 'Its name. Example: "Denmark".']
    near: Annotated[Waypoint, "The place on the outline of the board beyond which it lies."]
    mountains: Annotated[
        tuple[Waypoint, ...],
        Several(60),
        "Places on the outline of the board beyond which it has mountains, a hex wide: edges, or corners for two hexes. "
        'Example: [{"hex": "A9", "edge": 3}].',
    ] = ()


class Border(Frozen, kw_only=True):
    """A line on one edge."""

    edge: Annotated[Edge, "The edge it lies on, 0 to 5."]
    kind: Annotated[
        str,
        one_of("impassable", "province", "offboard", "river", "mountain", "divider", "none"),
        Meta(title="a kind of border"),
        "impassable: no track; province: a frontier; river; mountain: a ridge; divider: a line with no rule of its "
        "own; offboard: the rim of an off-board area; none: no line, the two hexes belong together.",
    ]
    cost: Annotated[
        Cost, "One-off cost of crossing it with track; below 0: what the bank pays."
    ] = 0
    since: Annotated[
        Id | None, "Phase in which the border appears. If left out: from the start."
    ] = None
    until: Annotated[Id | None, "Phase in which the border disappears. If left out: never."] = None
    colour: Annotated[
        Ink | None,
        'Colour of the line, as ink name or #rrggbb. If left out: that of its kind. Example: "#d81e3e".',
    ] = None
    name: Annotated[
        Text | None,
        "What the legend calls borders of this kind and colour; one of them with a name is enough. "
        'Example: "Customs border".',
    ] = None


class Half(Enum):
    """The half that there is of a hex."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"

    def has(self, edge: int, layout: Layout) -> bool:
        """Return True if any part of this edge belongs to the half."""
        return edge not in _GONE[layout][self]


# Edges that are cut off completely on a half hex.
_GONE = {
    Layout.FLAT: {
        Half.LEFT: (4, 5),
        Half.RIGHT: (1, 2),
        Half.TOP: (5, 0, 1),
        Half.BOTTOM: (2, 3, 4),
    },
    Layout.POINTY: {
        Half.LEFT: (3, 4, 5),
        Half.RIGHT: (0, 1, 2),
        Half.TOP: (0, 5),
        Half.BOTTOM: (2, 3),
    },
}


_COLOUR = {"colour": "Colour of what is printed. Default: white, to be built on with yellow tiles."}


class MapHex(Frozen):
    """One hex: what a tile has (see tile.schema.json), and what only a map prints. An empty object
    is plain ground.

    `tile` is what is printed on it, with the printed coordinates as its id.
    """

    at: Annotated[Coord, DERIVED, Shared("hex")]
    tile: Annotated[Tile, Flattened(_COLOUR)]
    borders: Annotated[
        tuple[Border, ...],
        Several(12),
        "Lines on the edges of the hex. A border counts for both hexes at its edge and is written on one of them.",
    ] = ()
    stubs: Annotated[
        tuple[Edge, ...],
        Distinct(6),
        "Edges that the first tile laid here must use.",
    ] = ()
    reserved: Annotated[
        tuple[Id, ...],
        Distinct(20),
        "Ids of the companies for which the hex is reserved.",
    ] = ()
    zone: Annotated[
        Words | None,
        Meta(max_length=60),
        "Name of the region of the map it belongs to. Two zones have a frontier between them where the "
        'map has no borders of the kind province. Example: "Piedmont".',
    ] = None
    half: Annotated[
        Half | None,
        Meta(title="a half of a hex"),
        'The half that there is of it, at the rim of a board. Example: "left".',
    ] = None
    apart: Annotated[
        bool,
        "It lies off the grid of the others, half a step aside, and touches none of them: a box beside "
        "the board with coordinates of its own.",
    ] = False

    @property
    def id(self) -> str:
        """Printed coordinates."""
        return self.tile.id

    @property
    def name(self) -> Text | None:
        """Name of the place, if any."""
        return self.tile.name


class CardPlaces(Frozen, kw_only=True):
    """A group of places. Example: {"name": "Vaclav", "spaces": ["Small company", "Medium
    company"]}."""

    id: Key
    name: Annotated[Text, "What they are for."]
    spaces: Annotated[
        tuple[Text, ...],
        Several(12, "Text of the place.", least=1),
        "Text of each place.",
    ]
    note: Annotated[Text | None, "A line below the name."] = None


_Zone = Annotated[str, Parsed({"title": "the zone of some hexes", "minLength": 1, "maxLength": 60})]


class GameMap(Frozen, kw_only=True, dict=True):
    """A board."""

    id: Key
    name: Annotated[Text, "Name of the board, printed in its cartouche."]
    layout: Annotated[
        Layout,
        Meta(title="a layout"),
        "Orientation of the hexes: with a flat side or a point at the top.",
    ]
    scheme: CoordinateScheme = field(name="coordinates")
    hexes: Annotated[
        tuple[MapHex, ...],
        ById(2000, least=1),
        'The hexes, by printed coordinates. Example: {"A8": {}, "A10": {"name": "Paris", ...}}.',
    ]
    legend: Annotated[
        tuple[Text, ...],
        Several(40, "One line of the legend."),
        "Lines for the legend, after those worked out from the map.",
    ] = ()
    zone_names: Annotated[
        tuple[tuple[_Zone, Text], ...],
        Pairs(60, "Name of the region."),
        one_of,
        "Names of its regions as the legend prints them, by the `zone` of the hexes. A zone without an entry prints "
        'its own name. Example: {"Piedmont": {"en": "Piedmont", "ja": "ピエドモント"}}.',
    ] = field(name="zones", default=())
    places: Annotated[
        tuple[CardPlaces, ...],
        ById(6),
        "Places for cards on the sheet of the map, by id, each as large as a train card.",
    ] = ()
    rivers: Annotated[
        tuple[River, ...],
        ById(60),
        "Rivers, by id. Each is drawn as one line that widens from its source to its mouth, below the track, with its "
        "name along it. Hexes on its course show the cost of their river terrain beside a small sign. A river changes "
        'no rule. Example: {"po": {"name": "Po", "course": ["H4", "I5", {"hex": "I5", "corner": 5}]}}.',
    ] = ()
    regions: Annotated[
        tuple[Region, ...],
        ById(60),
        "Lands on the map, by id: each has its name, large and clear of all that is read, and a faint line "
        'towards other regions where no border is drawn. They change no rule. Example: {"tyrol": {"name": '
        '"Tyrol", "hexes": ["H1", "H3"]}}.',
    ] = ()
    seas: Annotated[
        tuple[Sea, ...],
        ById(20),
        "Seas beside the board, by id: the coast runs along the outline of the board from one corner of a hex "
        "clockwise to another (or all round, to the same corner), and beyond it is water as far as the frame; or it is "
        "given point by point in `coasts`. A map that declares none has its seas as `sea` says, else round its blue "
        'hexes, its ports and in its holes. Example: {"adriatic": {"name": "Adriatic Sea", "from": '
        '{"hex": "J10", "corner": 0}, "to": {"hex": "J8", "corner": 1}}}.',
    ] = ()
    beyond: Annotated[
        tuple[NextLand, ...],
        ById(40),
        "Lands beyond the board, by id: their names are printed on the land beside the board (LG10 reports those without "
        'room). Example: {"denmark": {"name": "Denmark", "near": {"hex": "B7", "edge": 3}}}.',
    ] = ()
    sea: Annotated[
        tuple[str, ...],
        Parsed(_SEA, lambda sides: (sides,) if isinstance(sides, str) else tuple(sides)),
        'Sides of the board with water beyond, or "around", where no coast is declared. Example: "around".',
    ] = ()
    back_of: Annotated[
        Id | None,
        "The map whose other side this one is: a poster that is printed on both sides has one on each. Both stay maps "
        'of their own in all else. Example: "main".',
    ] = None
    boards: Annotated[
        tuple[
            Annotated[
                Literal["round-track", "market", "seats"],
                Meta(title="a board for the map's sheet"),
                "What is printed.",
            ],
            ...,
        ],
        Distinct(3),
        "What else is printed on the sheet of the map, in the free room beside its hexes: the round "
        "track, the market, or seats (a place for each player and what they hold). A board that is "
        'printed here is not printed by itself. Example: ["round-track"].',
    ] = ()

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
