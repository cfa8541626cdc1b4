"""A whole title: everything its definition says, after variants are applied."""

from collections.abc import Hashable
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from platelayer.foundation.text import Text, printed_number
from platelayer.foundation.values import Frozen, grouped
from platelayer.model.company import PRIVATES, Companies, Company, Livery, Picture, Privates
from platelayer.model.described import (
    DERIVED,
    Block,
    ById,
    ColourName,
    CompanySize,
    ComputedDefault,
    Count,
    Distinct,
    HexName,
    Id,
    Key,
    Money,
    OneOf,
    Pairs,
    Parsed,
    Rgb,
    Several,
    Shared,
    Words,
    common,
    text,
    written,
)
from platelayer.model.gamemap import GameMap, Layout
from platelayer.model.map_tiles import AtlasBox
from platelayer.model.market import Market
from platelayer.model.position import InPlay, Position
from platelayer.model.tile import (
    COMMON_RULES,
    Revenue,
    Tile,
    UpgradeChain,
    UpgradeOptions,
    rotate_tile,
)
from platelayer.model.train import OPTION, KindOfStop, Phase, Phases, Train, TrainFace, Trains


def printed_amount(amount: int, currency: str) -> str:
    """Return an amount of money as the currency prints it ("{}" stands for the amount)."""
    return currency.replace("{}", printed_number(amount, ","))


UNLIMITED = "unlimited"
_ALONE = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 500}, {"const": UNLIMITED}]}
_PRINTED = Annotated[
    int,
    Meta(ge=1, le=500),
    ComputedDefault(),
    "How many are printed of an unlimited tile. Default: 20. Example: 12.",
]


NO_CORNER = "none"
# A corner of a hex: corner k lies between edges k - 1 and k.
Corner = Annotated[
    int | str | None,
    Parsed(
        {
            "title": 'a corner, 0 to 5, or "none"',
            "anyOf": [{"type": "integer", "minimum": 0, "maximum": 5}, {"const": NO_CORNER}],
        }
    ),
]


@written(
    OneOf('a count, "unlimited", or an object such as {"count": 1, "tile": {...}}', _ALONE),
    {"anyOf": [{"required": ["count"]}, {"required": ["back_of"]}]},
    printed=_PRINTED,
)
class TileCount(Frozen, kw_only=True):
    """Number of copies of a tile in the box; or an object that says more.

    `standard` is the catalogue's tile with this number (the same tile, unless the title redefines
    it), or None. With `unlimited`, the game has as many as anybody wants, and `count` is the number
    printed.
    """

    count: Annotated[
        int,
        Parsed(
            {
                "title": 'a count, 0 to 500, or "unlimited"',
                "anyOf": [common("count"), {"const": UNLIMITED}],
            }
        ),
        ComputedDefault(),
        'How many of it are in the box; "unlimited" if the game sets no limit. Left out for the other side of a tile '
        "(`back_of`).",
    ]
    back_of: Annotated[
        Id | None,
        "Number of the tile whose other side this one is: both are printed back to back as one piece, of which there "
        'are as many as of that tile. Example: {"X1": 2, "X2": {"back_of": "X1"}}.',
    ] = None
    via: Annotated[
        Text | None, 'Name of the only ability that may lay it. Example: "local railway".'
    ] = None
    number: Annotated[
        Words,
        Meta(max_length=16),
        'The number that is printed, where it is not the id: tiles of several ids may show one. Example: "Det".',
    ] = ""
    number_corner: Annotated[
        Corner,
        'The corner in which its number is printed: corner k lies between edges k - 1 and k; "none": the number is not '
        "printed. If left out: as `pieces` says, else where there is room.",
    ] = None
    tile: Annotated[
        Tile,
        ComputedDefault(),
        "The tile itself, if the catalogue has none with this number or the title's differs.",
    ]
    standard: Annotated[Tile | None, DERIVED] = None
    unlimited: Annotated[bool, DERIVED] = False

    @property
    def shown(self) -> str:
        """The number printed for the tile."""
        return self.number or self.tile.id

    @property
    def is_standard(self) -> bool:
        """True if this is the catalogue's tile with this number."""
        return self.tile == self.standard


Tiles = Annotated[
    tuple[tuple[Id, TileCount], ...],
    Pairs(1000),
    "How many of each tile there are, by printed number. Numbers without a `tile` of their own are taken from the "
    'catalogue (assets/tiles). Example: {"57": 8, "58": "unlimited", "14p": {"count": 1, "via": "local railway"}}.',
]


_PLAYERS = {"title": "a number of players, 1 to 20", "pattern": "^([1-9]|1[0-9]|20)$"}
_LIMIT = {"type": "integer", "minimum": 0, "maximum": 500}
_LIMITS = {
    "title": "a number, or numbers by how many companies are left",
    "anyOf": [
        _LIMIT,
        {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 40,
            "propertyNames": {"title": "a number of companies", "pattern": "^[1-9][0-9]?$"},
            "additionalProperties": {
                "description": "The limit with so many companies left.",
                **_LIMIT,
            },
        },
    ],
}


class PlayerCount(Frozen, kw_only=True):
    """For this number of players.

    `certificate_limit` None: no limit is given. `limits` pairs numbers of companies that are left
    with the limit then, the most first (none: the limit is always the same).
    """

    players: Annotated[int, DERIVED, Parsed(_PLAYERS, int)]
    cash: Annotated[Money, "Starting money of each player."]
    certificate_limit: Annotated[
        int | None,
        Parsed(_LIMITS),
        "Certificates a player may hold: a number, or numbers by how many companies are left. If left "
        'out: any number. Examples: 20; {"5": 19, "4": 16}.',
    ] = None
    limits: Annotated[tuple[tuple[int, int], ...], DERIVED] = ()
    bank: Annotated[
        Money | None, "Money in the bank with this number of players, if it differs. Example: 8000."
    ] = None


class BonusRow(Frozen, kw_only=True):
    """A row."""

    head: Annotated[Words, Meta(max_length=40), 'Phase or tile colour. Example: "brown".']
    amounts: Annotated[
        tuple[Money, ...],
        Several(20, "An amount.", least=1),
        "Amounts for 1, 2, 3 ... in money. Example: [20, 40, 60, 80].",
    ]


class BonusPays(Frozen, kw_only=True):
    """Condition under which a route earns the bonus, for `platelayer routes`. The amounts of a table are those of the
    last row whose head is a colour or phase that the game has come to."""

    ends: Annotated[
        tuple[KindOfStop, ...],
        Distinct(4),
        'Kinds of stop that both ends must be. Left out: any. Example: ["offboard"].',
    ] = ()
    visits: Annotated[
        tuple[
            Annotated[
                tuple[
                    tuple[HexName, Annotated[int, Meta(ge=0, le=1000000), "An amount of money."]],
                    ...,
                ],
                Pairs(100, least=1),
                Meta(title="amounts by hex"),
                "Hexes, of which a stop must be paid, with the amount for it.",
            ],
            ...,
        ],
        Several(8),
        "Groups of hexes: one of each must be visited, and pays its amount. "
        'Example: [{"B8": 20, "C5": 10}, {"I1": 30}], from west to east.',
    ] = ()
    home: Annotated[
        tuple[
            tuple[ColourName, Annotated[int, Meta(ge=0, le=1000000), "An amount of money."]], ...
        ],
        Pairs(9),
        Meta(title="amounts by colour"),
        "Amounts for a home of the company, by the colour of its hex or tile. "
        'Example: {"red": 50} (18CZ).',
    ] = ()
    without: Annotated[
        tuple[HexName, ...],
        Distinct(30),
        'Hexes that may not be an end. Example: ["B7"].',
    ] = ()
    per_token: Annotated[
        bool,
        "Amounts are by the number of own tokens on the route, the last for more of them. Left out: the first "
        "amount is paid.",
    ] = False


class RevenueBonus(Frozen, kw_only=True):
    """One table."""

    id: Key
    name: Annotated[Text, "Heading of the table."]
    rows: Annotated[
        tuple[BonusRow, ...],
        Several(20),
        "Rows from the top. Without any, nothing is printed.",
    ] = ()
    note: Annotated[Text | None, "A line below the table."] = None
    pays: Annotated[
        BonusPays | None,
        "When a route earns it. If left out: routes do not count it. Example: "
        '{"ends": ["offboard"], "per_token": true}.',
    ] = None


Bonuses = Annotated[
    tuple[RevenueBonus, ...],
    ById(20),
    'Bonus tables by id. Example: {"red": {"name": "Red to red", "rows": [{"head": "green", "amounts": [10]}]}}.',
]


class Round(Frozen, kw_only=True):
    """A space of the round track."""

    id: Annotated[Id, 'Its id. Example: "sr".']
    name: Annotated[Text, 'Text on it. Example: "Stock round".']
    amount: Annotated[
        Money | None,
        "Money that counts during the round, printed large. Example: 45, the value of local railways at "
        "that point (18CZ).",
    ] = None
    into: Annotated[
        Id | None,
        'The round is played once, beside the others, and this one comes next. Example: "or1".',
    ] = None
    after: Annotated[
        Id | None,
        'Of a round that is played once: the round before it. Left out: it begins the game. Example: "or2".',
    ] = None
    export: Annotated[
        bool,
        "A train leaves the game after the round: a crossed-out engine stands below its space. Only with "
        "rounds_once; a track that comes round again has a round of its own for it.",
    ] = False


_CELL = {
    "title": 'a cell: words with a visible character, such words by language, or " " for an empty one',
    "anyOf": [{"const": " "}, common("text")],
}
_Cell = Annotated[Text, Parsed(_CELL, text), 'A cell. Examples: "30"; " ", which is empty.']


class AidTable(Frozen, kw_only=True):
    """A table."""

    head: Annotated[
        tuple[_Cell, ...],
        Several(12, 'Heading of a column; " " where there is none.', least=1),
        "Headings of the columns.",
    ]
    rows: Annotated[
        tuple[
            Annotated[
                tuple[_Cell, ...],
                Several(12, least=1),
                "Cells of a row: as many as there are headings.",
            ],
            ...,
        ],
        Several(60, least=1),
        "Rows from the top.",
    ]


class AidSection(Frozen, kw_only=True):
    """A part of a card."""

    heading: Annotated[Text, "Heading of the part."]
    lines: Annotated[
        tuple[Text, ...],
        Several(40, "One line or paragraph."),
        "Text, one entry per line.",
    ] = ()
    table: Annotated[
        AidTable | None,
        OneOf('a table, or "players"', {"const": "players"}),
        'A table; "players" is that of the title\'s settings by number of players: cash, certificate limit, bank.',
    ] = None


class Aid(Frozen, kw_only=True):
    """One aid. It is printed as a `summary` piece."""

    id: Key
    name: Annotated[Text, "Heading of the card."]
    count: Annotated[
        Count, ComputedDefault(), "Copies to print. Default: one for each player. Example: 6."
    ]
    sections: Annotated[
        tuple[AidSection, ...], Several(30, least=1), "Parts of the card, in order."
    ]
    back: Annotated[
        tuple[AidSection, ...],
        Several(30, least=1),
        "Parts on the back of the card, in order. Without them it has the plain back of its kind.",
    ] = ()
    phases: Annotated[
        bool, "The front shows the tables of phases and trains; the sections are on the back."
    ] = False


Aids = Annotated[tuple[Aid, ...], ById(20), "Player aids by id."]
MARKER_COLOUR = "#8a5a2b"


class Marker(Frozen, kw_only=True):
    """A kind of round marker."""

    id: Key
    name: Annotated[Text, "What it is called."]
    text: Annotated[
        Words,
        Meta(max_length=12),
        'Letters printed on it. Left out: it shows a locomotive, which wants a light colour. Example: "M".',
    ] = ""
    count: Annotated[Count, "How many there are."]
    square: Annotated[
        bool, "It is square, as stickers for cubes are: its size is then that of a side."
    ] = False
    colour: Annotated[Rgb, "Its colour."] = MARKER_COLOUR
    text_colour: Annotated[
        Rgb,
        ComputedDefault(),
        "Colour of its letters. Default: black or white, whichever reads better.",
    ] = "#ffffff"
    note: Annotated[Text | None, "What it is a reminder of."] = None
    head: Annotated[
        Words, Meta(max_length=6), 'Letters printed small above the text. Example: "M".'
    ] = ""
    back: Annotated[
        Words,
        Meta(max_length=6),
        "Letters on its back, which shows reversed colours; other letters than those of the front are "
        'read in play. Left out: the back is the same as the front. Example: "60".',
    ] = ""
    picture: Annotated[
        Id | None,
        'Id of a picture of the title, or name of an icon, in place of letters. Example: "mine".',
    ] = None


def kind_of_size(key: str) -> str:
    """Return the kind of piece to which a key of sizes belongs: "certificate" for
    "certificate/small" and "certificate:SX"."""
    return key.partition(":")[0].partition("/")[0]


class Size(Frozen):
    """Trimmed size in mm of a kind of piece, of its pieces that belong to companies of one size
    (`certificate/small`), or of one piece (`kind:id`); hexes give the distance flat to flat, discs
    the diameter, as both sides."""

    kind: str
    width_mm: float
    height_mm: float


_MM = {"type": "number", "minimum": 5, "maximum": 2000}
_SIDES = {
    "title": "a size in mm: one number, or [width, height], each 5 to 2000",
    "description": "One number (flat to flat, or diameter) or [width, height], in mm.",
    "anyOf": [
        _MM,
        {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {"title": "a length of 5 to 2000 mm", "description": "A side in mm.", **_MM},
        },
    ],
}
_SIZES = {
    "type": "object",
    "maxProperties": 200,
    "propertyNames": {
        "title": 'a kind of piece such as "tile", or one piece such as "token:SNCF"',
        "minLength": 1,
        "maxLength": 60,
    },
    "additionalProperties": _SIDES,
}


class RevenueChart(Frozen, kw_only=True):
    """The board on which revenue is marked."""

    step: Annotated[
        int, Meta(ge=1, le=1000), "Difference of neighbouring spaces, in money. Example: 10."
    ]
    top: Annotated[int, Meta(ge=1, le=100000), "Highest value, in money. Example: 400."]
    columns: Annotated[int, Meta(ge=2, le=50), "Spaces in a row. Example: 10."]
    shares: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=20), "Number of shares."], ...],
        Distinct(8),
        "The chart is of earnings per share: each space also tells what so many shares earn together. "
        "Example: [2, 3, 4, 5, 6].",
    ] = ()


class ParChart(Frozen, kw_only=True):
    """The board on which the start prices of companies are marked."""

    places: Annotated[int, Meta(ge=1, le=20), "Places for tokens beside each price. Example: 4."]
    prices: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=99999), "A price."], ...],
        Distinct(60, least=1),
        "Its prices. If left out: the start prices of the market. Example: [67, 71, 76, 82, 90, 100].",
    ] = ()


class DestinationCard(Frozen, kw_only=True):
    """One card."""

    id: Key
    revenue: Annotated[
        Revenue, "The values on it, by tile colour. If left out: empty boxes to fill in."
    ] = ()
    count: Annotated[Count, "How many there are."] = 1
    note: Annotated[Text | None, "Text below the values."] = None


class HexOverlay(Frozen, kw_only=True):
    """One overlay."""

    id: Key
    name: Annotated[Text, "What it is called."]
    hex: Annotated[HexName, "Printed coordinates of the hex, on the first map that has them."]
    count: Annotated[Count, "How many there are."] = 1


class ScoreSheet(Frozen, kw_only=True):
    """A form for the final accounts; `rows` are the headings below the rows of companies."""

    count: Annotated[Count, "Sheets to print. Example: 2."]
    rows: Annotated[
        tuple[Text, ...],
        Several(12, "Heading of a row."),
        'Rows below those of the companies. Example: ["Cash", "Total"].',
    ]


class OfferSheet(Frozen, kw_only=True):
    """The sheets of the initial round, one for each size of privates and concessions, else for each kind."""

    count: Annotated[Count, "How many there are of each. Example: 1."]
    note: Annotated[Text | None, "Text below the spaces."] = None


class BankArea(Frozen, kw_only=True):
    """An area of the bank board: places for certificates of companies, for trains, or with words of
    their own. One without any place, as in a variant without its companies, is not drawn."""

    name: Annotated[Text, 'Its heading. Example: "Pool".']
    columns: Annotated[int, Meta(ge=1, le=20), "Places beside each other. Example: 4."]
    companies: Annotated[
        CompanySize | None,
        'A place for the certificates of each company of this kind or size. Example: "small".',
    ] = None
    trains: Annotated[
        tuple[Id, ...],
        Distinct(60, "Id of a train."),
        OneOf('a list of trains, or "all"', {"const": "all"}),
        'A place for each of these trains, or for all trains of the title. Examples: ["2", "3"]; "all".',
    ] = ()
    places: Annotated[
        tuple[Text, ...],
        Several(40, "What lies there."),
        "Places with words, as large as a card of the kind `card`.",
    ] = ()
    card: Annotated[
        Literal["train", "certificate", "private"],
        Meta(title="a kind of card"),
        "The kind of card that the `places` are for.",
    ] = "train"
    shows_mm: Annotated[
        float | None,
        Meta(ge=20, le=120),
        "Places lie one over the other, the first on top: at least this much of each shows at the right of the one "
        "before. Default: they lie side by side. Example: 36.",
    ] = None
    note: Annotated[Text | None, "What stands below the heading."] = None


class BankBoard(Frozen, kw_only=True):
    """The board for what the bank holds, such as unsold certificates and trains."""

    name: Annotated[Text, 'Its title. Example: "Unsold shares".']
    rows: Annotated[
        tuple[
            Annotated[
                tuple[BankArea, ...],
                Several(8, least=1),
                "Areas beside each other, from the left.",
            ],
            ...,
        ],
        Several(12, least=1),
        "Areas in rows, from the top.",
    ]
    note: Annotated[Text | None, "What stands below the areas."] = None
    phases: Annotated[
        bool,
        "A strip of the phases stands below the areas, or beside the last of them where it has the room, with the "
        "trains, their prices and what rusts them where trains have no places.",
    ] = False


class PhaseCard(Frozen, kw_only=True):
    """A card with some of the phases: a single one is told at large, several stand in a table. An
    empty front stands for all phases."""

    id: Key
    front: Annotated[
        tuple[Id, ...],
        Meta(title="ids of phases"),
        Distinct(30, "Id of a phase.", least=1),
        'Phases on one side of a card, in order. Example: ["3"].',
    ]
    back: Annotated[
        tuple[Id, ...],
        Meta(title="ids of phases"),
        Distinct(30, "Id of a phase.", least=1),
        'Phases on one side of a card, in order. Example: ["3"].',
    ] = ()
    count: Annotated[Count, "How many of this card."] = 1


_TOTAL = {
    "title": 'a key of the manifest\'s totals such as "tile/yellow"',
    "minLength": 1,
    "maxLength": 60,
}
_VALUE = {"title": "a value of 1 to 999999", "pattern": "^[1-9][0-9]{0,5}$"}
_MARKERS = {
    "title": "true, false, or a number of markers",
    "anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0, "maximum": 9}],
    "default": True,
}


class Pieces(Frozen, kw_only=True, dict=True):
    """Pieces of the box besides what tiles, companies and trains imply, and how large each kind
    is."""

    sizes: Annotated[
        tuple[Size, ...],
        Parsed(
            _SIZES,
            lambda raw: tuple(
                Size(kind, *(side if isinstance(side, list) else (side, side)))
                for kind, side in raw.items()
            ),
        ),
        'Trimmed sizes in mm by kind of piece, by kind and size of company ("certificate/small"), or by one piece '
        '("kind:id"). One number is the distance flat to flat of a hex or the diameter of a disc; two are width and '
        'height. Example: {"tile": 38.1, "certificate": [88, 63], "token:SNCF": 12.7}.',
    ] = ()
    box: Annotated[
        tuple[
            tuple[
                Annotated[str, Parsed(_TOTAL)],
                Annotated[int, Meta(ge=0, le=10000), "Declared count."],
            ],
            ...,
        ],
        Pairs(100),
        "Counts that the rulebook declares, by kind or kind/group as in `platelayer manifest`: each is "
        'compared with the count from the definition. Example: {"tile": 191, "tile/yellow": 90}.',
    ] = ()
    number_cards: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=999), "Number printed."], ...],
        Distinct(60),
        "Numbers of the player-order cards, one card each. Example: [1, 2, 3, 4, 5, 6].",
    ] = ()
    number_corner: Annotated[
        Corner,
        'The corner of tiles in which their numbers are printed, as in `tiles`, or "none". If left out: where there is '
        "room, best at the lower right.",
    ] = None
    priority_cards: Annotated[Count, "Priority-deal cards."] = 0
    priority_picture: Annotated[
        Id | None,
        "Id of a picture of the title, or name of an icon, on priority cards and their backs in place of an engine. "
        'Example: "compass".',
    ] = None
    trains_at_right: Annotated[
        bool,
        "Charters have the place for trains at the right and that for money at the left, not the other way round.",
    ] = False
    phase_cards: Annotated[
        tuple[PhaseCard, ...],
        ById(30),
        OneOf("a number of cards, or cards by id", common("count")),
        "How many cards show the table of all phases; or each card by its id, with the phases on its "
        'sides. Default: 1 where there are phases. Example: {"3": {"front": ["3"], "back": ["6"]}}.',
    ] = ()
    markers: Annotated[tuple[Marker, ...], ById(40), "Small round markers by id."] = ()
    market_tokens: Annotated[
        int,
        Parsed(_MARKERS, int),
        "Each company with shares has a marker on the market; or so many markers, for the market and "
        "other boards. Example: 2.",
    ] = 1
    market_tokens_turned: Annotated[
        bool,
        "Markers on the market are turned over in play, for example when a company has had its turn: both faces are "
        "printed, on sheets with one side, too.",
    ] = False
    rounds: Annotated[
        tuple[Round, ...],
        Several(40),
        "Spaces of the round track, in order.",
    ] = ()
    cycles: Annotated[
        int,
        Meta(ge=0, le=12),
        "How many times the rounds are played: numbered spaces right of the round track. Default: 0, which is none.",
    ] = 0
    rounds_once: Annotated[
        bool,
        "The rounds are played once, in order, and no arrow leads back; a round without an amount starts a new column.",
    ] = False
    rounds_note: Annotated[
        Text | None,
        'A line below rounds that are played once. Example: "After each column the next train leaves.".',
    ] = None
    offer: Annotated[
        OfferSheet | None,
        "The sheet of the initial round: a space with its price for every private company; phases, trains "
        "and the upgrade table on its back.",
    ] = None
    bank_board: Annotated[
        BankBoard | None,
        "The board for what the bank holds: places as large as cards, e.g. for unsold certificates and trains.",
    ] = None
    revenue_chart: Annotated[RevenueChart | None, "The board on which revenue is marked."] = None
    par_chart: Annotated[
        ParChart | None,
        "The board on which the start prices of companies are marked: a row of places for tokens beside each price.",
    ] = None
    money: Annotated[
        tuple[tuple[Annotated[int, Parsed(_VALUE, int)], Count], ...],
        Pairs(20, "How many there are."),
        'Notes or coins in the box: how many of each value. Example: {"1": 80, "5": 76, "20": 77}.',
    ] = ()
    destination_cards: Annotated[
        tuple[DestinationCard, ...],
        ById(40),
        'Cards that say what the destinations of an assembled map pay, by id. Example: {"first": '
        '{"revenue": {"yellow": 30, "green": 40, "purple": 70, "gray": 100}}, "blank": {}}.',
    ] = ()
    overlays: Annotated[
        tuple[HexOverlay, ...],
        ById(60),
        "Single hexes to lay on a printed map, by id: each prints a hex as defined by this title or "
        'variant. Example: {"cuneo": {"name": "Cuneo", "hex": "M3"}}.',
    ] = ()
    score_sheet: Annotated[
        ScoreSheet | None,
        "Sheets for the final accounts: a row for each company with shares, a column for each player.",
    ] = field(name="score_sheets", default=None)

    def sizes_of(self, kind: str) -> tuple[Size, ...]:
        """Return the sizes that the title gives to a kind, to the kind's pieces for companies of
        one size, and to single pieces of it."""
        return tuple(self._sizes_by_kind.get(kind, ()))

    def given_size(
        self, kind: str, piece_id: str = "", company_size: str | None = None
    ) -> Size | None:
        """Return the size that the title gives to a piece: its own, that for companies of this
        size, or that of its kind."""
        sizes = {size.kind: size for size in self.sizes_of(kind)}
        return (
            sizes.get(f"{kind}:{piece_id}")
            or sizes.get(f"{kind}/{company_size}")
            or sizes.get(kind)
        )

    @cached_property
    def _sizes_by_kind(self) -> dict[str, list[Size]]:
        return grouped((kind_of_size(size.kind), size) for size in self.sizes)


class Provenance(Frozen, kw_only=True):
    """Source of one part of the definition."""

    subject: Annotated[
        Words,
        Meta(max_length=120),
        'What it covers: a JSON pointer or a key of the manifest. Example: "tiles", "/companies/SNCF".',
    ]
    source: Annotated[
        Literal["rulebook", "catalogue", "reference", "reconstruction"],
        Meta(title="a source"),
        "rulebook: taken from the rulebook; catalogue: the tile catalogue; reference: other published "
        "facts; reconstruction: worked out, and listed as such on the checklist.",
    ]
    note: Annotated[Text, "What was taken or decided, and why."]
    conflict: Annotated[
        bool,
        "Sources differ; the note says how, and which one is followed. Listed on the checklist.",
    ] = False


_PATCH = {"title": "an object of changes", "type": "object"}


@written(
    patch=Annotated[
        Any,
        Parsed(_PATCH),
        "Changes to the assembled title as a JSON merge patch (RFC 7396): null deletes a key, objects are merged, "
        'everything else replaces. Example: {"bank": 8000, "companies": {"BNR": null}}.',
    ]
)
class Variant(Frozen, kw_only=True):
    """A variant. Its changes are already applied if the title was read with it."""

    id: Key
    name: Annotated[Text, "What it is called."]
    note: Annotated[Text | None, "What it changes."] = None
    includes: Annotated[
        tuple[Id, ...],
        Distinct(8, "Id of another variant."),
        'Variants whose patches are applied first, in this order. Example: ["version-1", "lite"].',
    ] = ()


class Waiver(Frozen, kw_only=True):
    """A rule, a place, a reason. Example: {"code": "UP06", "at": "Y/brown", "reason": "Nine tiles
    for fourteen hexes: meant to be scarce."}."""

    code: Annotated[
        str,
        Meta(
            title='a code such as "UP06", or the beginning of several, such as "UP*"',
            pattern="^[A-Z]{2}([0-9]{2}|[0-9]?\\*)$",
        ),
        "Code of the rule, as `platelayer check` prints it, or the beginning of several codes and a *. "
        'Example: "UP06".',
    ]
    at: Annotated[
        Words,
        Meta(max_length=120),
        'What the finding is about, as `platelayer check` prints it after "waive at": a tile, a hex, a '
        'company ...; * stands for any characters. Example: "D4". Default: "*", every place.',
    ] = "*"
    reason: Annotated[Text, "Why it is right as it is."]
    optional: Annotated[
        bool, "It may waive nothing, as on a map drawn at random; RW01 does not report it."
    ] = False

    def covers(self, code: str, at: str) -> bool:
        """Return True if the waiver accepts findings with this code at this place."""
        return _fits(code, self.code) and _fits(at, self.at)


def _fits(words: str, pattern: str) -> bool:
    if "*" not in pattern:
        return words == pattern
    # Only * is special in patterns of waivers.
    return fnmatchcase(words, pattern.replace("[", "[[]").replace("?", "[?]"))


DEFAULT_COLOURS = ("yellow", "green", "brown", "gray")
_PATH = {
    "title": "the path of an .svg, .png or .jpg file in the folder of the title",
    "description": "An SVG, PNG or JPEG file: a path relative to the title's folder and inside it. "
    'Example: "pictures/wheat.svg".',
    "type": "string",
    "pattern": "^.{1,200}\\.([sS][vV][gG]|[pP][nN][gG]|[jJ][pP][eE]?[gG])$",
}
_NAMED = {
    "description": "A picture with a name.",
    "type": "object",
    "properties": {
        "$comment": common("comment"),
        "file": {**_PATH, "description": 'The path of its file. Example: "pictures/wheat.svg".'},
        "name": {
            **common("text"),
            "description": 'What the legend of a map calls it. If left out: its id. Example: "Wheat".',
        },
    },
    "required": ["file"],
    "additionalProperties": False,
}
_PICTURE = {
    "title": 'the path of an .svg file, or {"file": "wheat.svg", "name": "Wheat"}',
    "description": "A picture: the path of its file, or that with a name for legends.",
    "anyOf": [_PATH, _NAMED],
}
_PICTURES = {
    "type": "object",
    "maxProperties": 200,
    "propertyNames": common("id"),
    "additionalProperties": _PICTURE,
}
_FORMAT = {"title": '"platelayer.title/1"', "const": "platelayer.title/1"}
_ID = {
    "title": 'an id of lower-case letters, digits and "-" other than the Windows device names (con, nul, aux ...)',
    "type": "string",
    "pattern": "^(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$)[a-z0-9][a-z0-9-]{0,39}$",
}
_CURRENCY = {
    "title": 'a pattern with {} for the amount, such as "£{}"',
    "type": "string",
    "pattern": "^[^{}]{0,8}\\{\\}[^{}]{0,8}$",
}
_TERM = {
    "title": "a subject and a key with a slash between",
    "type": "string",
    "pattern": "^[a-z]+(/[A-Za-z0-9 _-]+){1,2}$",
}
_Map = Annotated[GameMap, Block("map"), "A board, or the path of its file"]


@written(
    **{"$schema": Annotated[str, Shared("schema"), ComputedDefault()]},
    format=Annotated[str, Parsed(_FORMAT), "Version of this format."],
    wording=Annotated[
        tuple[Id, ...],
        Distinct(8, "Name of a set of words: president, chairman."),
        ComputedDefault(),
        'Sets of words that the title uses (assets/languages/wordings). "terms" come before them. '
        'Example: ["president"], so that no piece says director.',
    ],
    privates=Annotated[
        Privates,
        Block("privates"),
        ComputedDefault(),
        "Private companies by id, if they share ids with companies",
    ],
)
class Title(Frozen, kw_only=True, dict=True, cache_hash=True):
    """One 18xx game. The blocks are in this file, or in files of the same folder that it names.

    `variant` is the id of the variant applied, or None. `line_up`: with a variant, the companies of
    the title without it, in their order, then those that it adds; without one, empty. `in_play` is
    the position that its map shows, if any. `plate` are sizes in mm of papers on which maps may be
    drawn as framed pictures, the best first; empty for maps to play on.
    """

    id: Annotated[
        str,
        Parsed(_ID),
        "Name of the title on the command line and of the folder of its prints. Not con, prn, aux, nul, "
        'com0 to com9 or lpt0 to lpt9, which Windows keeps for devices. Example: "18eu".',
    ]
    name: Annotated[Text, 'Name of the game. Example: "18EU".']
    subtitle: Annotated[Text | None, "A line below the name."] = None
    terms: Annotated[
        tuple[tuple[Annotated[str, Parsed(_TERM)], Text], ...],
        Pairs(400),
        "The title's own words in place of Platelayer's fixed ones, by their names in assets/languages/en.json. A "
        "language that is left out keeps the usual words. They have the same places as the English words: {} one after "
        "the other, or {0}, {1} in any order; {{ and }} are braces. Example: "
        '{"cards/train_limit": {"ja": "列車制限"}}.',
    ] = ()
    credits: Annotated[
        tuple[Text, ...],
        Several(30, "One person or company, with their role."),
        "Designers and publishers.",
    ] = ()
    currency: Annotated[
        str,
        Parsed(_CURRENCY),
        'How an amount of money is printed; {} is the amount. Example: "£{}".',
    ] = "{}"
    bank: Annotated[
        int | None,
        Meta(title="an amount of money, or null for an unlimited bank", ge=0, le=10_000_000),
        ComputedDefault(),
        "Money in the bank; null: unlimited. Example: 12000.",
    ]
    loan: Annotated[
        Money | None, "Amount of one loan of a company, printed on charters. Example: 50."
    ] = None
    players: Annotated[
        tuple[PlayerCount, ...],
        ById(20),
        'Settings by number of players. A section of a player aid with the table "players" shows them. '
        'Example: {"3": {"cash": 450, "certificate_limit": 20}}.',
    ] = ()
    livery: Annotated[
        Livery | None,
        "Paper, accents and ornament of its maps and cards: the name of a livery, or an object that says more. "
        "Default: one that follows from the id of the title. "
        'Examples: "habsburg", {"like": "albion", "motif": "star"}.',
    ] = None
    last_year: Annotated[
        int | None,
        Meta(ge=1800, le=2200),
        "Year in which its story ends: no engine on its pieces is younger. Example: 1885.",
    ] = None
    colours: Annotated[
        tuple[ColourName, ...],
        Distinct(9, least=1),
        'Tile colours in upgrade order. Default: ["yellow", "green", "brown", "gray"].',
    ] = DEFAULT_COLOURS
    maps: Annotated[
        tuple[_Map, ...],
        ById(12),
        "Boards by id. Each is a map (map.schema.json) or the path of a file that holds one. Example: "
        '{"main": "map.json"}.',
    ] = ()
    tiles: Annotated[
        tuple[TileCount, ...], Block("title-tiles"), "How many of each tile are in the box"
    ] = ()
    companies: Annotated[Companies, Block("companies"), "Companies by id"] = ()
    trains: Annotated[Trains, Block("trains"), "Trains by id"] = ()
    phases: Annotated[Phases, Block("phases"), "Phases by id"] = ()
    market: Annotated[Market | None, Block("market"), "The stock market"] = None
    pieces: Annotated[
        Pieces, Block("pieces"), ComputedDefault(), "What else is in the box, and sizes"
    ]
    upgrades: Annotated[UpgradeOptions, Block("upgrades"), "Which tiles may replace which"] = (
        COMMON_RULES
    )
    bonuses: Annotated[Bonuses, Block("bonuses"), "Tables of bonuses"] = ()
    one_city_per_hex: Annotated[
        bool, "A route visits one of the cities of a hex only, such as one of Paris (18EU)."
    ] = False
    local_routes: Annotated[
        bool,
        "A train may run at one stop with a token of its company, without track, and others at the same one "
        "(Lost Atlas's local routes).",
    ] = False
    aids: Annotated[Aids, Block("aids"), "Player aids"] = ()
    atlas: Annotated[
        AtlasBox | None, Block("map-tiles"), "Map tiles that make up the board, and modes of play"
    ] = None
    pictures: Annotated[
        tuple[Picture, ...],
        Parsed(_PICTURES),
        "The title's own pictures by id: icons of hexes and tiles, logos of companies, art of markers and "
        "private companies. Each is an SVG file of plain shapes in flat colours, in the title's folder. "
        'Example: {"wheat": "pictures/wheat.svg"}.',
    ] = ()
    provenance: Annotated[tuple[Provenance, ...], Several(100), "Where the blocks come from."] = ()
    waivers: Annotated[
        tuple[Waiver, ...],
        Several(200),
        "Findings of the rules that are accepted for this title. Each is reported as a note with its "
        "reason. A waiver that matches no finding is itself a problem.",
    ] = ()
    variants: Annotated[
        tuple[Variant, ...], ById(40), "Variants by id, chosen with --variant."
    ] = ()
    variant: Annotated[str | None, DERIVED] = None
    line_up: Annotated[tuple[Company, ...], DERIVED] = ()
    in_play: Annotated[InPlay | None, DERIVED] = None
    plate: Annotated[tuple[tuple[float, float], ...], DERIVED] = ()

    @property
    def bonus_tables(self) -> tuple[RevenueBonus, ...]:
        """The tables of bonuses to print."""
        return tuple(bonus for bonus in self.bonuses if bonus.rows)

    @property
    def chains(self) -> tuple[UpgradeChain, ...]:
        """The official upgrade table."""
        return self.upgrades.chains

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """Cached results that depend only on the title, by what determines them."""
        return {}

    @cached_property
    def company_by_id(self) -> dict[str, Company]:
        """Companies by `ref`: their ids, and "privates/BO" for those in the block of that name."""
        return {company.ref: company for company in self.companies}

    def private(self, piece_id: str) -> Company:
        """Return the company of a private's card. Raises KeyError."""
        return self.company_by_id.get(f"{PRIVATES}/{piece_id}") or self.company_by_id[piece_id]

    @property
    def layout(self) -> Layout:
        """Hex layout of the first map; flat if there is none."""
        return self.maps[0].layout if self.maps else Layout.FLAT

    @cached_property
    def tile_by_id(self) -> dict[str, TileCount]:
        """Tiles of the box by number."""
        return {entry.tile.id: entry for entry in self.tiles}

    def other_side(self, number: str) -> TileCount | None:
        """Return the tile on the back of a two-sided tile of the box, or None."""
        return next((entry for entry in self.tiles if entry.back_of == number), None)

    def map_of(self, position: Position) -> GameMap:
        """Return the map that a position is on. Raises KeyError for a map that the title does not
        have, and IndexError if it has none."""
        if position.board is None:
            return self.maps[0]
        return {gamemap.id: gamemap for gamemap in self.maps}[position.board]

    def shown_in(self, position: Position) -> dict[str, Tile]:
        """Return the tile visible on each hex of a position, as it is rotated: a laid one or the
        preprinted one. Tiles that the title does not have and hexes that its map does not have
        are omitted."""
        shown = {hexagon.id: hexagon.tile for hexagon in self.map_of(position).hexes}
        for hex_id, lay in position.tiles:
            if hex_id in shown and lay.tile in self.tile_by_id:
                shown[hex_id] = rotate_tile(self.tile_by_id[lay.tile].tile, lay.rotation)
        return shown

    def is_on_a_sheet(self, board: str) -> bool:
        """Return True if a board is printed on the sheet of a map or of the market."""
        market = self.market.boards if self.market is not None else ()
        return board in market or any(board in gamemap.boards for gamemap in self.maps)

    @cached_property
    def train_by_id(self) -> dict[str, Train]:
        """Trains by id."""
        return {train.id: train for train in self.trains}

    @cached_property
    def faces_by_name(self) -> dict[str, TrainFace]:
        """Trains under each name that positions use: the id of a card (the first train, if it shows
        several), id and name ("c 2+2"), and the name alone."""
        named = [(f"{train.id} {face.name}", face) for train in self.trains for face in train.faces]
        alone = {face.name: face for train in reversed(self.trains) for face in train.faces[::-1]}
        return {**alone, **dict(named), **{train.id: train.faces[0] for train in self.trains}}

    def train_of_card(self, piece_id: str) -> Train:
        """Return the train of a card, including cards marked for an option. Raises KeyError."""
        return self.train_by_id.get(piece_id) or self.train_by_id[piece_id.removesuffix(OPTION)]

    def trains_beside(self, piece_id: str) -> tuple[Train, ...]:
        """Return the trains with as much as the card of one of them depends on: of the other
        trains' prices only which have one, and the length of the longest on a card with one
        train. Raises KeyError."""
        own = self.train_of_card(piece_id)
        alone = [train for train in (own, *self.trains) if len(train.faces) == len(own.faces) == 1]
        # The train's own price if no other is longer, otherwise the first of the longest prices.
        prices = (train.faces[0].price for train in alone)
        longest = max(filter(None, prices), key=lambda price: len(self.money(price)), default=1)
        return tuple(
            train
            if train is own
            else replace(
                train,
                faces=tuple(
                    replace(face, price=longest if face.price else 0) for face in train.faces
                ),
            )
            for train in self.trains
        )

    @cached_property
    def phase_by_id(self) -> dict[str, Phase]:
        """Phases by id."""
        return {phase.id: phase for phase in self.phases}

    def phase_sides(self, card_id: str) -> tuple[tuple[Phase, ...], tuple[Phase, ...]]:
        """Return the phases on the front and on the back of a phase card. Raises KeyError."""
        card = {card.id: card for card in self.pieces.phase_cards}[card_id]
        if not card.front:
            return self.phases, ()
        return tuple(self.phase_by_id[phase] for phase in card.front), tuple(
            self.phase_by_id[phase] for phase in card.back
        )

    @property
    def most_players(self) -> int:
        """The largest number of players; 0 if the title does not say."""
        return max((count.players for count in self.players), default=0)

    def money(self, amount: int) -> str:
        """Return an amount as the title prints it."""
        return printed_amount(amount, self.currency)
