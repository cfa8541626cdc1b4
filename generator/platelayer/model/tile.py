"""The topology of a tile or a preprinted hex: stops, track, labels, icons, costs; its rotation; and
what may replace what: a title's upgrade options, and the upgrade graph.

JSON shape (a tile; a map hex has the same keys and a few more):
    {"colour": "green", "stops": [{"kind": "city", "slots": 2, "revenue": 30}],
     "track": [[0, "stop:0"], [1, "stop:0"], [3, 5], [2, "junction", {"gauge": "narrow"}]], "labels": ["Y"]}
"""

import math
from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, Self

from msgspec import Meta, field
from msgspec.structs import replace

from platelayer.foundation.text import Text, printed_number
from platelayer.foundation.values import Frozen, grouped
from platelayer.model.described import (
    LETTERS,
    AsArray,
    ById,
    ColourName,
    ComputedDefault,
    Distinct,
    Id,
    Ink,
    Key,
    Parsed,
    Several,
    Shorthand,
    Words,
    common,
    written,
)


class StopKind(Enum):
    """Kind of a stop. A pass is a city of 1841 with a size; a halt is less than a town, and may
    become one; a port is a town with an icon."""

    CITY = "city"
    TOWN = "town"
    HALT = "halt"
    PASS = "pass"
    OFFBOARD = "offboard"


class Gauge(Enum):
    """Kind of track; dual track carries trains of both gauges. Future track and a line are drawn,
    but no track yet."""

    STANDARD = "standard"
    NARROW = "narrow"
    DUAL = "dual"
    THIN = "thin"
    FERRY = "ferry"
    FUTURE = "future"
    LINE = "line"


class Terminal(Enum):
    """Taper of track where a route ends: to its stop, to the middle of the hex, or short of
    them."""

    LONG = "long"
    SHORT = "short"


class EndKind(Enum):
    """Kind of thing that an end of a segment of track connects to."""

    EDGE = "edge"
    STOP = "stop"
    JUNCTION = "junction"


_END = {
    "title": 'an end of track: an edge 0 to 5, "stop:0" or "junction"',
    "description": "What the end of a segment connects to: the number of an edge, a stop by its index in `stops` "
    '("stop:0" is the first), or the one junction without a stop.',
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": 5},
        {"type": "string", "pattern": "^(stop:[0-9]{1,2}|junction)$"},
    ],
}


@written(
    Parsed(
        _END,
        lambda raw: (
            edge_end(raw)
            if isinstance(raw, int)
            else JUNCTION
            if raw == "junction"
            else stop_end(int(raw.removeprefix("stop:")))
        ),
        lambda end: end.written,
    )
)
class End(Frozen):
    """One end of a segment: an edge 0-5, a stop (index into `stops`) or the junction (index 0)."""

    kind: EndKind
    index: int

    @property
    def written(self) -> int | str:
        """Return the end as written in JSON."""
        if self.kind is EndKind.EDGE:
            return self.index
        return f"stop:{self.index}" if self.kind is EndKind.STOP else "junction"


JUNCTION: End = End(EndKind.JUNCTION, 0)


def edge_end(edge: int) -> End:
    """Return the end at an edge of the hex."""
    return End(EndKind.EDGE, edge % 6)


def stop_end(index: int) -> End:
    """Return the end at stop number `index`."""
    return End(EndKind.STOP, index)


@written(AsArray("a lane: [width, index]"))
class Lane(Frozen):
    """Share of an edge: the number of lanes, and which of them this is, from 0. Example: [2, 1]."""

    width: Annotated[int, Meta(ge=1, le=6), "Lanes on this edge."]
    index: Annotated[int, Meta(ge=0, le=5), "Which lane, from 0."]


_TERMINALS = {False: None, True: Terminal.LONG, "short": Terminal.SHORT}
_TERMINAL = Parsed(
    {"title": 'true, false or "short"', "enum": [*_TERMINALS], "default": False},
    _TERMINALS.__getitem__,
    {terminal: word for word, terminal in _TERMINALS.items()}.__getitem__,
)


@written(
    AsArray(
        'a segment of track such as [0, 3] or [0, "stop:0", {"gauge": "narrow"}]',
        "Special attributes of a segment.",
    )
)
class Segment(Frozen, kw_only=True):
    """One piece of track between two ends; attributes may follow as a third item. Example: [0,
    "stop:0"]."""

    a: End
    b: End
    gauge: Annotated[
        Gauge,
        Meta(title="a gauge"),
        "Kind of track. Dual track carries trains of both gauges, thin track is a light railway, a ferry is drawn "
        "in dashes. Of two pieces that cross, the later one passes over. Future track and a line are only drawn: no "
        "train runs on them, and no tile need keep them.",
    ] = Gauge.STANDARD
    terminal: Annotated[
        Terminal | None,
        _TERMINAL,
        "The track tapers: routes end here. It leads to a stop, or to the junction where the hex has "
        'none; "short" track ends near its edge.',
    ] = None
    lanes: Annotated[
        tuple[Lane, Lane] | None,
        Meta(title="two lanes such as [[2, 0], [2, 1]]", min_length=2, max_length=2),
        "Which lane the segment uses at each of its two ends if several lanes share an edge, in the order of the ends.",
    ] = None

    @property
    def ends(self) -> tuple[End, End]:
        """Both ends."""
        return self.a, self.b

    @property
    def is_track(self) -> bool:
        """True if trains run on the segment."""
        return self.gauge not in (Gauge.FUTURE, Gauge.LINE)

    @property
    def edges(self) -> tuple[int, ...]:
        """The edges among its ends, 0 to 2 of them."""
        return tuple(end.index for end in self.ends if end.kind is EndKind.EDGE)


class RevenueStep(NamedTuple):
    """A value and the tile colour or phase from which it applies (None: always)."""

    value: int
    since: str | None

    @property
    def printed(self) -> str:
        """The value as printed."""
        return printed_number(self.value)


@written(
    Parsed(
        common("position"),
        lambda raw: (
            CENTRE
            if raw == "centre"
            else Position(**raw)
            if isinstance(raw, Mapping)
            else Position(edge=raw)
        ),
        lambda at: at.written,
    )
)
class Position(Frozen, kw_only=True):
    """A hint where to draw: towards `edge` (0-6, fractions point between edges) at `distance`
    apothems from the centre (0 = centre, 1 = middle of the edge; None: worked out)."""

    edge: float
    distance: float | None = None

    def rotated(self, turns: int) -> Self:
        """Return the place after a clockwise rotation by `turns` x 60 degrees."""
        return replace(self, edge=(self.edge + turns) % 6)

    @property
    def written(self) -> float | dict[str, float]:
        """Return the position as written in JSON."""
        return (
            self.edge if self.distance is None else {"edge": self.edge, "distance": self.distance}
        )


CENTRE: Position = Position(edge=0.0, distance=0.0)


# Limits of revenues, and of costs on the map.
LEAST_AMOUNT, MOST_AMOUNT = -9_999, 99_999
Cost = Annotated[int, Meta(ge=LEAST_AMOUNT, le=MOST_AMOUNT)]
_AMOUNT = {"type": "integer", "minimum": LEAST_AMOUNT, "maximum": MOST_AMOUNT}
Revenue = Annotated[
    tuple[RevenueStep, ...],
    Parsed(
        {
            "title": 'a revenue: a number, or numbers by colour or phase such as {"yellow": 40, "brown": 70}',
            "description": "What a train earns here, in money. A number; or an object with the number that applies "
            "from each tile colour (or phase, or a phase's `revenue` key) on, in order. If left out: nothing is "
            "printed.",
            "anyOf": [
                _AMOUNT,
                {
                    "type": "object",
                    "minProperties": 1,
                    "maxProperties": 8,
                    "propertyNames": common("id"),
                    "additionalProperties": {
                        "description": "Revenue from this colour or phase on.",
                        **_AMOUNT,
                    },
                },
            ],
        },
        lambda raw: tuple(
            RevenueStep(value, since)
            for since, value in ({None: raw} if isinstance(raw, int) else raw).items()
        ),
        lambda steps: (
            steps[0].value if steps[0].since is None else {step.since: step.value for step in steps}
        ),
    ),
]


# Kinds of stops with slots for stations.
WITH_SLOTS = (StopKind.CITY, StopKind.PASS)


class Stop(Frozen, kw_only=True):
    """A place where a train stops.

    `revenue` has one step with `since` None, or several by tile colour or phase; empty when nothing
    is printed.
    """

    kind: Annotated[
        StopKind,
        Meta(title="a kind of stop"),
        "What it is. A halt is less than a town, and may become one; a port is a town with an icon; a "
        "pass is 1841's mountain pass.",
    ]
    revenue: Revenue = ()
    slots: Annotated[
        int,
        Meta(ge=0, le=10),
        ComputedDefault(lambda stop: int(stop["kind"] in WITH_SLOTS)),
        "Station slots. Default: 1 for a city or a pass; towns and off-boards have none.",
    ] = 0
    at: Annotated[
        Position | None,
        "Where to draw the stop, or an off-board's values. If left out: worked out from its track.",
    ] = None
    groups: Annotated[
        tuple[Annotated[Words, Meta(max_length=40), 'Name of a group. Example: "Praha".'], ...],
        Several(10),
        "Groups it belongs to: stops that share a group count as one place.",
    ] = ()
    optional: Annotated[
        bool,
        ComputedDefault(lambda stop: stop["kind"] is StopKind.HALT),
        "A route may pass here without counting it. Default: true for a halt, else false.",
    ] = False
    counts: Annotated[
        bool,
        ComputedDefault(lambda stop: stop["kind"] is not StopKind.PASS),
        "A route needs two stops that count, and a token in one of them. Default: false for a pass, else true. "
        "Example: false for a port of 1841.",
    ] = True
    hidden: Annotated[bool, "Not drawn, because another hex of the same place shows it."] = False
    size: Annotated[
        int | None,
        Meta(ge=1, le=20),
        "Size of a pass (1841): 1 is drawn with a small mountain below its slots, 2 with a large one "
        "round them; larger ones show their number.",
    ] = None
    boom: Annotated[
        bool,
        "A boomtown: a town that may become a city, or a city that came of one. Drawn with a dashed ring.",
    ] = False
    double: Annotated[
        bool, "Two towns at one place of a route, which count as one. Drawn side by side."
    ] = False
    symbol: Annotated[Words, Meta(max_length=2), 'A letter or sign in a halt. Example: "£".'] = ""
    name: Annotated[Text | None, "A name of its own. Example: Buda and Pest on one tile."] = None
    visits: Annotated[
        int,
        Meta(ge=0, le=100),
        "Number of stops that it counts as, of those that a train may visit. Example: 0, which is free.",
    ] = 1
    diamond: Annotated[
        bool, "Its value stands in a diamond, as games print values that differ in kind."
    ] = False
    revenue_hidden: Annotated[bool, "Its revenue counts, and is not printed."] = False
    revenue_at: Annotated[
        Position | None,
        "Where to print its revenue, such as the corner that a game has it in. If left out: a free place is found. "
        "Example: 2.5.",
    ] = None


Letters = Annotated[Words, Meta(title='a label such as "Y"', max_length=8)]


@written(Shorthand('a label such as "Y" or {"text": "T", "since": "brown"}'))
class Label(Frozen, kw_only=True):
    """Letters printed on the tile, or letters that apply from a later colour."""

    text: Annotated[Letters, 'The letters. Example: "T".']
    since: Annotated[
        ColourName | None,
        "Tile colour from which it applies, in place of those that applied before.",
    ] = None


IconName = Annotated[Id, Meta(title="the name of an icon or of a picture of the title")]


@written(Shorthand('an icon such as "port" or {"name": "port", "at": 2.5}'))
class Icon(Frozen, kw_only=True):
    """A small picture by its name, one of Platelayer's icons or one of the title's `pictures`; or a
    short text in a lozenge; or the picture above the text."""

    name: Annotated[
        IconName,
        "Name of the picture: one of Platelayer's icons (docs/words.md), or the id of one of the title's `pictures`. "
        'Example: "port".',
    ]
    at: Annotated[Position | None, "Where to draw it. If left out: a free place is found."] = None
    text: Annotated[
        Words, Meta(max_length=12), 'Text below the picture, or in its place. Example: "+20".'
    ] = ""


TerrainKind = Annotated[
    Literal[
        "hill", "mountain", "rough", "forest", "river", "marsh", "lake", "sea", "desert", "water"
    ],
    Meta(title="a kind of terrain"),
]


class Terrain(Frozen, kw_only=True):
    """Kinds of ground, and the cost of laying track on them."""

    kinds: Annotated[
        tuple[TerrainKind, ...],
        Several(4, "A kind of ground, drawn with its own symbol."),
        'Kinds of ground. Example: ["mountain"]. If left out: only the cost matters.',
    ] = ()
    cost: Annotated[
        Cost, "One-off cost of laying track here; below 0: what the bank pays. Example: 60."
    ] = 0


class Partition(Frozen, kw_only=True):
    """A line across the hex from one position to another."""

    a: Annotated[Position, "Where the line begins."]
    b: Annotated[Position, "Where the line ends."]
    kind: Annotated[
        Literal["coast", "river", "province", "impassable", "mountain", "divider"],
        Meta(title="a kind of partition"),
        "What divides the hex: coast (land and sea), river, province, mountain, divider (a line that says "
        "nothing more).",
    ]
    colour: Annotated[
        Ink | None,
        'Colour of the line, as ink name or #rrggbb. If left out: that of its kind. Example: "#d81e3e".',
    ] = None


class Tile(Frozen, kw_only=True, cache_hash=True):
    """One tile. Example: {"colour": "green", "stops": [{"kind": "city", "slots": 2, "revenue":
    30}], "track": [[0, "stop:0"], [1, "stop:0"], [3, "stop:0"]]}.

    `id` is the printed number ("57"); what a map hex has printed on it is a tile whose id is its
    coordinates.
    """

    id: Annotated[Key, ComputedDefault(lambda _: "")]
    colour: Annotated[ColourName, 'Colour of the tile. Example: "green".']
    stops: Annotated[
        tuple[Stop, ...],
        Several(60),
        "Cities, towns, passes and off-boards of the tile; track refers to them by their index in this "
        'list. Example: [{"kind": "city", "revenue": 30}].',
    ] = ()
    track: Annotated[
        tuple[Segment, ...],
        Several(100),
        'Track, one entry for each segment. Example: [[0, 3], [1, "stop:0"]].',
    ] = ()
    labels: Annotated[
        tuple[Label, ...],
        Several(10),
        'Letters printed on the tile, e.g. ["Y"]: only tiles with the same letters may replace each other.',
    ] = ()
    icons: Annotated[tuple[Icon, ...], Several(20), 'Small pictures, e.g. ["port"].'] = ()
    terrain: Annotated[
        tuple[Terrain, ...],
        Several(10),
        "The ground and the cost of laying track here; on a tile, the remaining cost of the next upgrade. "
        'Example: [{"kinds": ["mountain"], "cost": 60}].',
    ] = ()
    partitions: Annotated[
        tuple[Partition, ...], Several(10), "Lines that divide the hex, e.g. a coast."
    ] = ()
    ground: Annotated[
        Ink | None,
        "What it is painted in, as ink name or #rrggbb, where that is not its colour's own; its colour still says what "
        "may be laid on it. Themes have the inks ground.orange, ground.pink, ground.sand, ground.mint, ground.sky, "
        'ground.lilac, ground.slate and ground.night for it. Example: "ground.orange".',
    ] = None
    frame: Annotated[
        Ink | None, 'A coloured rim, as ink name or #rrggbb. Example: 18CZ\'s purple "#800080".'
    ] = None
    second_frame: Annotated[
        Ink | None,
        'A second rim within the coloured one, as ink name or #rrggbb. Example: "#ffd700".',
    ] = None
    stripes: Annotated[
        ColourName | None,
        'A second colour that the tile also counts as, shown as stripes. Example: tile 119 is green striped "brown".',
    ] = None
    slot_mm: Annotated[
        float,
        Meta(ge=5, le=20),
        "How wide the slots are on a hex of 38.1 mm, where there is no room for slots of 12.4 mm, or the game "
        "has wider ones. Example: 10.7 on tile 583.",
    ] = 0.0
    name: Annotated[Text | None, "Name of the place, where the tile prints one."] = None

    @property
    def exits(self) -> tuple[int, ...]:
        """Edges with track, sorted, without repetition."""
        return tuple(
            sorted({edge for segment in self.track if segment.is_track for edge in segment.edges})
        )

    def stops_of(self, *kinds: StopKind) -> tuple[int, ...]:
        """Return the indices of the stops of these kinds."""
        return tuple(index for index, stop in enumerate(self.stops) if stop.kind in kinds)


def rotate_end(end: End, turns: int) -> End:
    """Return an end after a clockwise rotation of the tile by `turns` x 60 degrees."""
    return edge_end(end.index + turns) if end.kind is EndKind.EDGE else end


def _rotate_position(at: Position | None, turns: int) -> Position | None:
    return at.rotated(turns) if at is not None else None


def rotate_tile(tile: Tile, turns: int) -> Tile:
    """Return the tile rotated clockwise by `turns` x 60 degrees: every edge e moves to (e + turns)
    mod 6."""
    # Return the same object, not a copy: caches are looked up by tile.
    turns %= 6
    if turns == 0:
        return tile
    return replace(
        tile,
        stops=tuple(replace(stop, at=_rotate_position(stop.at, turns)) for stop in tile.stops),
        track=tuple(
            replace(s, a=rotate_end(s.a, turns), b=rotate_end(s.b, turns)) for s in tile.track
        ),
        icons=tuple(replace(icon, at=_rotate_position(icon.at, turns)) for icon in tile.icons),
        partitions=tuple(
            replace(p, a=p.a.rotated(turns), b=p.b.rotated(turns)) for p in tile.partitions
        ),
    )


Catalogue = Annotated[
    tuple[Annotated[Tile, "The tile of this number."], ...],
    ById(1000, least=1),
    'Tiles by printed number. Example: {"57": {"colour": "yellow", ...}}.',
]


# Widths of slots, by the cities of a hex: station tokens must fit them.
# Widths are shares of the distance between opposite sides of a hex. On a hex of 38.1 mm a single
# slot is 12.8 mm wide, and the slots of doubles, triples and several cities are 12.4 mm: they hold
# tokens of 12 mm. Where a hex has no room for that, its definition states the width of its slots
# (`slot_mm`).


# Size of the hex that lengths in definitions refer to.
HEX_MM = 38.1
# Minimum difference between the widths of a slot and its token.
TOKEN_PLAY_MM = 0.4
_LONE = 0.336
_USUAL = 0.3256
_OF_MANY_SLOTS = {5: 0.235, 6: 0.22}
_OF_MANY_CITIES = {5: 0.24, 6: 0.235}
_AT_LEAST = 0.12


def slot_share(tile: Tile) -> float:
    """Return the diameter of all city slots of a hex, as a share of the hex's size; 0 without a
    city."""
    cities = tuple(
        max(1, stop.slots) for stop in tile.stops if stop.kind in WITH_SLOTS and not stop.hidden
    )
    if not cities:
        return 0.0
    return tile.slot_mm / HEX_MM if tile.slot_mm else usual_share(cities)


def usual_share(cities: tuple[int, ...]) -> float:
    """Return the usual slot share of a hex for which the definition sets none, given the number of
    slots of each city."""
    largest, count = max(cities), len(cities)
    if count == 1 and largest == 1:
        return _LONE
    share = _USUAL
    # Up to four slots in a city, and up to four cities, have room for slots of the usual width. For
    # numbers beyond the tables, slots form a square of rows, and cities form a ring.
    if largest > 4:
        share = min(
            share, _OF_MANY_SLOTS.get(largest, max(_AT_LEAST, 0.54 / math.ceil(math.sqrt(largest))))
        )
    if count > 4:
        share = min(share, _OF_MANY_CITIES.get(count, max(_AT_LEAST, 1.3 / count)))
    return share


def holds(slot_mm: float, token_mm: float) -> bool:
    """Return True if a token fits in a slot with the clearance that it needs."""
    # Widths are products of shares; rounding errors must not cause a warning.
    return token_mm + TOKEN_PLAY_MM <= slot_mm + 0.01


# Prefix of a map hex's coordinates in lists of both tiles and hexes: `hex:D4`.
HEX = "hex:"


# Parsed instead of a Meta, which would compile the pattern for 7 ms.
_SOURCE = Parsed({"type": "string", "pattern": f"^(hex:)?[{LETTERS}][{LETTERS}._+/-]{{0,80}}$"})


_ON_A_SECOND_MAP = "On a second map that shares coordinates with the first: hex:map/D4."
_A_SOURCE = f"A tile or a hex. {_ON_A_SECOND_MAP}"


class AddedStops(Frozen, kw_only=True):
    """Changes to stops in upgrades to one colour. Example: {"colour": "green", "label": "B-V",
    "cities": 1}."""

    colour: Annotated[ColourName, 'Colour of the tile that is laid. Example: "green".']
    label: Annotated[
        Letters | None,
        "Label of the tile that is laid. If left out: it applies to tiles without a label, or to the tiles of `tiles`.",
    ] = None
    tiles: Annotated[
        tuple[Id, ...],
        Distinct(100, "Number of a tile of the title.", least=1),
        'Numbers of the only tiles that it applies to, whatever their labels. Example: ["981", "991"].',
    ] = ()
    cities: Annotated[
        int,
        Meta(ge=-9, le=9),
        "Number of extra cities; if negative, how many fewer there are because several become one.",
    ] = 0
    towns: Annotated[
        int,
        Meta(ge=-9, le=9),
        "Number of extra towns; if negative, how many fewer there are because several become one.",
    ] = 0


class GroundColour(Frozen, kw_only=True):
    """A colour, and the hexes that take it: those with one of the kinds of terrain or one of the
    labels."""

    colour: Annotated[ColourName, 'Colour of the tiles. Example: "blue".']
    terrain: Annotated[
        tuple[TerrainKind, ...],
        Distinct(10, "A kind of terrain as on the map."),
        'Kinds of terrain of the hexes. Example: ["water"].',
    ] = ()
    labels: Annotated[
        tuple[Letters, ...],
        Distinct(30, "Letters of a label, as on tiles and hexes."),
        'Labels of the hexes. Example: ["SX", "BY"], 18CZ\'s places for red home tiles.',
    ] = ()


class GrantedUpgrade(Frozen, kw_only=True):
    """Upgrades that a title's rules allow by name. Example: {"from": ["3", "58"], "to": ["5",
    "6"]}."""

    sources: Annotated[
        tuple[
            Annotated[
                str,
                Meta(title='a tile number, or a hex such as "hex:D4"'),
                _SOURCE,
                _A_SOURCE,
            ],
            ...,
        ],
        Distinct(200, least=1),
        'What is replaced: tiles by number, and hexes as hex:D4. Example: ["4", "hex:D4"].',
    ] = field(name="from")
    to: Annotated[
        tuple[Id, ...],
        Distinct(200, "Number of a tile of the title.", least=1),
        'Numbers of the tiles that may replace it. Example: ["57"].',
    ]


class UpgradeChain(Frozen, kw_only=True):
    """A row of the official upgrade table."""

    name: Annotated[Text, 'What the row is for. Example: "Y cities".']
    steps: Annotated[
        tuple[
            Annotated[
                tuple[Id, ...],
                Several(40, "Number of a tile of the title.", least=1),
                "Tiles of one colour.",
            ],
            ...,
        ],
        Several(9, least=1),
        'Tile numbers by colour in order. Example: [["57"], ["14", "15"], ["611"], ["513"]].',
    ]


class UpgradeOptions(Frozen, kw_only=True, cache_hash=True):
    """A title's own rules of upgrading."""

    chains: Annotated[
        tuple[UpgradeChain, ...],
        Several(60),
        "The upgrade table as the rulebook prints it.",
    ] = ()
    merging_labels: Annotated[
        tuple[Letters, ...],
        Distinct(30, "Letters of a label, as on tiles and hexes."),
        "Labels whose cities may merge in an upgrade: several old cities become one new city with slots "
        'for all their stations. Example: ["B-V"] where tile 584 makes one city of three.',
    ] = ()
    merging_towns: Annotated[
        tuple[ColourName, ...],
        Distinct(9, "Colour of the tile that is laid."),
        "Tile colours in whose upgrades towns may merge: several old towns become one new town. Example: "
        '["green"] where a green town follows two yellow ones.',
    ] = ()
    added: Annotated[
        tuple[AddedStops, ...],
        Several(
            30,
            'What changes in upgrades to one colour. Example: {"colour": "green", "label": "B-V", "cities": 1}.',
        ),
        "Stops that appear or disappear in an upgrade. If left out: the number of cities and towns stays the same.",
    ] = ()
    kept_icons: Annotated[
        tuple[IconName, ...],
        Distinct(20, "Name of an icon, as on tiles and hexes."),
        "Icons that are kept: a tile with the icon replaces only hexes and tiles that have it, and a tile "
        'without it only those that do not. Example: ["capital", "mine", "port"].',
    ] = ()
    edge_only_icons: Annotated[
        tuple[IconName, ...],
        Distinct(20, "Name of an icon, as on tiles and hexes."),
        "Icons of hexes and tiles on which only track to the edges of the hex must be kept: their stops "
        'may move, and track between stops is not compared. Example: ["mine"].',
    ] = ()
    fixed_rotation: Annotated[
        tuple[Id, ...],
        Distinct(100, "Number of a tile of the title."),
        'Tiles that are laid on the map as drawn, at rotation 0. Example: ["601"].',
    ] = ()
    never_upgraded: Annotated[
        tuple[
            Annotated[
                str,
                Meta(title='a colour, a tile number, or a hex such as "hex:D4"'),
                _SOURCE,
                f"A colour, a tile or a hex. {_ON_A_SECOND_MAP}",
            ],
            ...,
        ],
        Distinct(100),
        "What is never upgraded although the next colour exists: colours, tiles by number, hexes of the "
        'map as hex:D4. Example: ["hex:D4", "721"].',
    ] = ()
    grounds: Annotated[
        tuple[GroundColour, ...],
        Several(
            9,
            "A colour, and the hexes that take it: those with one of the kinds of terrain or one of the labels.",
        ),
        "Ground with its own tile colour: hexes of these kinds without a tile take only tiles of that colour, which "
        'cannot be laid anywhere else. Example: [{"colour": "blue", "terrain": ["water"]}] for bridges.',
    ] = ()
    connection: Annotated[
        Literal["track", "value", "city", "any"],
        "What a company must reach on the tile that it lays: new track; new track, or a stop that pays more than "
        'before ("value"); new track, or a city; or any track. Example: "any" in 18CZ.',
    ] = "value"
    granted: Annotated[
        tuple[GrantedUpgrade, ...],
        Several(
            200,
            'Upgrades that the rules allow by name. Example: {"from": ["3", "58"], "to": ["5", "6"]}.',
        ),
        "Upgrades beyond the common rules: a label gained or changed, a town that becomes a city, fewer towns, a tile "
        "of the same colour. Of old track, only what leads to the edges of the hex must be kept.",
    ] = ()


# The rules of a title that does not set upgrade options.
COMMON_RULES = UpgradeOptions()


class Upgrade(Frozen, kw_only=True):
    """`to` may replace `source` (a tile number, or `hex:D4`) when turned by any of `rotations` (x
    60 degrees clockwise) while `source` is at rotation 0. `via` names the only ability that may lay
    it."""

    source: str
    to: str
    rotations: tuple[int, ...]
    via: str | None = None

    @property
    def from_hex(self) -> bool:
        """True if this is the first tile on a map hex."""
        return self.source.startswith(HEX)


class UpgradeGraph(Frozen, kw_only=True, dict=True):
    """Every pair with at least one rotation: map hexes first, then tiles, both in the title's
    order."""

    title: str
    variant: str | None
    pairs: tuple[Upgrade, ...]

    @cached_property
    def by_source(self) -> dict[str, list[Upgrade]]:
        """Pairs by what is replaced."""
        return grouped((pair.source, pair) for pair in self.pairs)

    @cached_property
    def by_tile(self) -> dict[str, list[Upgrade]]:
        """Pairs by the tile that replaces."""
        return grouped((pair.to, pair) for pair in self.pairs)

    @cached_property
    def tile_pairs(self) -> tuple[Upgrade, ...]:
        """Pairs in which a tile replaces a tile."""
        return tuple(pair for pair in self.pairs if not pair.from_hex)
