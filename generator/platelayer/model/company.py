"""Companies of every kind: certificates, stations, homes, colours and roundel; the livery of a
title and its own pictures."""

from enum import Enum
from typing import Annotated, Literal

from msgspec import Meta, field

from platelayer.foundation.pixels import Pixels
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.described import (
    DERIVED,
    ID,
    ById,
    CompanySize,
    ComputedDefault,
    Distinct,
    HexName,
    Id,
    Key,
    Money,
    Parsed,
    Rgb,
    Several,
    Shared,
    Shorthand,
    Words,
    common,
    one_of,
    written,
)
from platelayer.model.tile import RevenueStep

_PATH = "^[Mm][-+.,0-9 MLHVCSQTAZmlhvcsqtaz]{1,999}$"
_Drawn = Annotated[str, Meta(title='path data such as "M 0 -1 L 1 0 Z"', pattern=_PATH)]


class Figure(Frozen, kw_only=True):
    """Drawing of an ornament: shapes and lines."""

    fill: Annotated[
        _Drawn | None,
        'Shapes that are filled, as the attribute d of an SVG path. Example: "M 0 -1 L 1 0 L 0 1 L -1 0 Z".',
    ] = None
    line: Annotated[
        _Drawn | None,
        'Lines a tenth as wide as the figure is high, written as "fill". Example: "M 0 -1 L 0 1".',
    ] = None


class Motif(Frozen, kw_only=True):
    """An ornament: the sign that stands alone, the repeat of its borders, and what goes with it."""

    id: Key
    sign: Annotated[
        Figure,
        "The sign, within a circle of radius 1 round (0, 0). It stands in corners and on rules.",
    ]
    run: Annotated[
        Figure | None,
        "One repeat of its borders: from left to right, its height from -1 to 1. Default: plain lines.",
    ] = None
    length: Annotated[
        float, Meta(gt=0, le=20), "How long a repeat is, if half its height is 1. Example: 3.2."
    ] = 2.0
    plate: Annotated[
        Literal["square", "rounded", "notched", "clipped", "stepped"],
        "How corners of plates are cut.",
    ] = "notched"
    tips: Annotated[
        tuple[float, ...],
        Several(8, least=1),
        "How the lobes of rosettes end, which their names choose from: round (below 0) to pointed (above). "
        "Example: [0.1, 0.18].",
    ] = (-0.12, 0.0, 0.1, 0.18)
    sway: Annotated[
        float, Meta(ge=0, le=1.2), "How far the lobes of rosettes lean over into loops, 0 to 1.2."
    ] = 1.0


class LiveryColours(Frozen, kw_only=True):
    """A livery that comes with Platelayer."""

    id: Key
    motif: Annotated[Id, "Its ornament."]
    paper: Annotated[Rgb, "Tone of the paper of maps and cards."]
    line: Annotated[Rgb, "Frames of maps and plates."]
    accent: Annotated[
        Rgb, "Titles of maps and headings of legends; bands and backs of cards take on some of it."
    ]
    metal: Annotated[Rgb, "Seals, beads and rims of cards."]


@written(**{"$schema": Annotated[str, Shared("schema"), ComputedDefault()]})
class Liveries(Frozen, kw_only=True):
    """The liveries and ornaments that come with Platelayer."""

    liveries: Annotated[tuple[LiveryColours, ...], ById(100, least=1), "Liveries by id."]
    motifs: Annotated[tuple[Motif, ...], ById(100, least=1), "Ornaments by id."]


@written(Shorthand('a livery such as "habsburg" or {"motif": "scroll", "accent": "#8f3a1f"}'))
class Livery(Frozen, kw_only=True):
    """Common look of the pieces of a title: paper, accents and ornament.

    Colours are taken as they are, but paper that is too dark to read on is lightened, and lines and
    accents too pale for it are darkened. `ornament` is the motif itself.
    """

    like: Annotated[
        Id,
        ComputedDefault(),
        "A livery of assets/liveries.json, which says everything that is left out here. Default: the motif of one of "
        'them and the colours of another, always the same for the id of a title. Example: "habsburg".',
    ]
    motif: Annotated[
        Id,
        ComputedDefault(),
        'Ornament of frames, plates, certificates and backs. Example: "scroll".',
    ]
    paper: Annotated[
        Rgb, ComputedDefault(), 'Tone of the paper of maps and cards. Example: "#f8ecdc".'
    ]
    line: Annotated[Rgb, ComputedDefault(), 'Frames of maps and plates. Example: "#4a2a1c".']
    accent: Annotated[
        Rgb,
        ComputedDefault(),
        'Titles of maps and headings of legends; bands and backs of cards take on some of it. Example: "#8f3a1f".',
    ]
    metal: Annotated[Rgb, ComputedDefault(), 'Seals, beads and rims of cards. Example: "#b98046".']
    ornament: Annotated[Motif, DERIVED]


# Stands for the colour of the surroundings, as SVG's currentColor.
CURRENT = "current"


class Layer(Frozen, kw_only=True):
    """One shape of a picture: commands ("M", "L", "C", "Z", as shapes have them), and what fills
    and strokes it: #rrggbb, CURRENT, or None. Lengths are shares of the longer side of the
    picture."""

    commands: tuple[tuple[str | float, ...], ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[float, ...] = ()
    even_odd: bool = False


class Picture(Frozen, kw_only=True):
    """A picture centred on (0, 0), its longer side 1; `width` and `height` are those of its frame,
    beyond which nothing shows. It is made of layers, or of pixels. `name` is what a legend calls
    it."""

    id: str
    width: float
    height: float
    layers: tuple[Layer, ...] = ()
    pixels: Pixels | None = None
    name: Text | None = None


class CompanyKind(Enum):
    """The 18xx terms for what a company is."""

    PRIVATE = "private"
    CONCESSION = "concession"
    MINOR = "minor"
    MAJOR = "major"
    NATIONAL = "national"


class Home(Frozen):
    """A home."""

    hex: Annotated[HexName, "Printed coordinates of the hex."]
    stop: Annotated[
        int | None,
        Meta(ge=0, le=59),
        "Index of the stop in the hex, from 0. If left out: any, or a choice.",
    ] = None
    name: Annotated[
        Text | None,
        "What the charter calls it, where a place has several homes. Left out: the name of the place. "
        'Example: "Paris (NE)".',
    ] = None


class Destination(Home, frozen=True):
    """Hex that a company's track is to reach."""

    token: Annotated[bool, "It is marked with a token of its own."] = True


_PERCENT = {
    "title": "a share in per cent, 1 to 100, with two decimals at most",
    "type": "number",
    "minimum": 1,
    "maximum": 100,
}


def whole(percent: float) -> float:
    """Return a percentage as an int if it is whole, so that it prints without decimals."""
    return int(percent) if percent == int(percent) else round(percent, 2)


class Certificate(Frozen, kw_only=True):
    """Equal share certificates."""

    percent: Annotated[
        float, Parsed(_PERCENT, whole), "Share of the company in per cent. Examples: 10; 12.5."
    ]
    count: Annotated[int, Meta(ge=1, le=100), "How many of these there are."] = 1
    director: Annotated[bool, "The director's certificate."] = False
    reserved: Annotated[bool, "Reserved, e.g. for an exchange."] = False

    @property
    def grade(self) -> str:
        """Mark that distinguishes a certificate from the company's others: "director", "10", or
        "10r" if it is reserved."""
        return "director" if self.director else f"{self.percent}{'r' if self.reserved else ''}"


class Roundel(Frozen, kw_only=True):
    """A company's sign in two colours: a heraldic `division` (plain, pale, fess, bend,
    bend-sinister, quarterly, chevron, saltire, cross, border, chief, base, paly, barry, lozenge,
    pile ...). None in a title: it is worked out so that all companies of the title differ even
    without colour, and look the same in all its variants."""

    division: Annotated[
        str,
        one_of(
            "plain",
            "quarterly",
            "pale",
            "border",
            "bend",
            "paly",
            "chevron",
            "saltire",
            "fess",
            "per-pale",
            "lozenge",
            "bend-sinister",
            "barry",
            "cross",
            "gyronny",
            "pile",
            "chief",
            "bendy",
            "flaunches",
            "per-chevron",
            "per-bend",
            "chequy",
            "base",
            "sun",
            "canton",
            "roundels",
            "per-bend-sinister",
            "mullet",
            "barry-wavy",
            "tierce",
            "bendy-sinister",
        ),
        Meta(title="a division"),
        "Heraldic division of the disc in two colours.",
    ]


# Maximum number of loans of a company. A game without a limit has no boxes for loans.
MOST_LOANS = 20
# Blocks of a title file that list companies.
COMPANIES, PRIVATES = "companies", "privates"


_SHOWN = {
    "title": '"hex:D4", "tile:57" or "picture:camel"',
    "type": "string",
    "pattern": f"^(hex|tile|picture):{ID}$",
}
_INCOME = {
    "title": "an amount of money, or amounts by tile colour or phase",
    "anyOf": [
        common("money"),
        {
            "description": "Amounts by tile colour or phase.",
            "type": "object",
            "minProperties": 1,
            "maxProperties": 9,
            "propertyNames": common("id"),
            "additionalProperties": {
                **common("money"),
                "description": "What it pays from then on.",
            },
        },
    ],
}
_TOKEN_PLACE = {
    "title": "an amount of money, words, or null",
    "description": "Price at a place for a station token; 0: free; null: the place on the map tells it; words in "
    'place of a price. Example: "$80*".',
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": 1000000},
        {**common("words"), "maxLength": 16},
        {"type": "null"},
    ],
}
_A_PRIVATE = {"properties": {"kind": {"const": "private"}}, "required": ["kind"]}


@written(None, {"if": _A_PRIVATE, "else": {"required": ["colour"]}})
class Company(Frozen, kw_only=True):
    """One company.

    `id` is unique in its `block` of the title ("companies", or "privates" for what may share an id
    with one of those); `ref` is unique in the title. `stations` None: the map shows the price.
    `incomes` are what a private pays from a tile colour or phase on, where that changes; `income`
    is the first of them. `shows` is a kind and an id.
    """

    id: Key
    name: Annotated[Text, 'Full name. Example: "Chemin de Fer du Nord".']
    kind: Annotated[
        CompanyKind,
        Meta(title="a kind of company"),
        "What it is. Privates and concessions only have a certificate; minors, majors and nationals "
        "operate and have a charter.",
    ]
    token_text: Annotated[
        Words,
        Meta(max_length=12),
        ComputedDefault(lambda company: company["id"]),
        "Text on its tokens. Default: its id.",
    ]
    colour: Annotated[
        Rgb,
        ComputedDefault(),
        'Its colour; only a private company may leave it out. Example: "#ffcb05".',
    ]
    second: Annotated[
        Rgb,
        ComputedDefault(),
        "Second colour of its roundel. Default: white or black, whichever contrasts better with `colour`.",
    ]
    text_colour: Annotated[
        Rgb,
        ComputedDefault(),
        "Colour of text on its colour. Default: black or white, whichever reads better.",
    ]
    logo: Annotated[
        Id | None,
        "Id of one of the title's pictures, which takes the place of its roundel. A square picture fills "
        'the disc. Example: "PRR".',
    ] = None
    roundel: Annotated[
        Roundel | None, "Its roundel, if you do not want it worked out automatically."
    ] = None
    certificates: Annotated[
        tuple[Certificate, ...],
        Several(30),
        'Share certificates, the director\'s first. Example: [{"percent": 20, "director": true}, '
        '{"percent": 10, "count": 8}]. One certificate of 100 % is printed as a card like that of a '
        "private company, and the company has no share price.",
    ] = ()
    stations: Annotated[
        tuple[
            Annotated[
                int | None,
                Meta(title="an amount of money, or null", ge=0, le=1000000),
                "Price of a station token; null: the map shows it.",
            ],
            ...,
        ],
        Several(30),
        "Prices of its station tokens in order, the first normally the home token; null where the map "
        "shows the price. Example: [0, 40, 100].",
    ] = ()
    token_places: Annotated[
        tuple[
            Annotated[
                int | str | None,
                Parsed(_TOKEN_PLACE),
            ],
            ...,
        ],
        Several(30, least=1),
        'Prices at the places for station tokens on its charter, where they are not one for each token in "stations": '
        "0 for a free place, null where the place on the map tells the price, or words. Example: [0, null, "
        '"Exchange"].',
    ] = ()
    formation_cost: Annotated[
        Money, "Total cost of its other station tokens at formation (18EU: 100)."
    ] = 0
    loans: Annotated[
        int,
        Meta(ge=0, le=MOST_LOANS),
        "The most loans that it may have at once: its charter has a box for each. Example: 5.",
    ] = 0
    homes: Annotated[
        tuple[Home, ...],
        Several(20),
        'Where it starts: several are a choice, unless `all_homes`. Example: [{"hex": "B2"}].',
    ] = ()
    all_homes: Annotated[bool, "It starts in every one of its homes."] = False
    blocks: Annotated[
        tuple[HexName, ...],
        Distinct(30),
        "Hexes reserved for it until it first operates.",
    ] = ()
    order: Annotated[
        int | None, Meta(ge=1, le=200), "Place in the operating order, for minors. Example: 1."
    ] = None
    value: Annotated[Money | None, "Face value of a private company. Example: 40."] = None
    income: Annotated[
        int | None,
        Parsed(_INCOME),
        "What a private company pays each operating round; where it changes, by the tile colours or phases from which "
        'it counts, in order. Examples: 10; {"yellow": 5, "green": 10}.',
    ] = None
    size: Annotated[
        CompanySize | None,
        Meta(
            title='a size such as "small"; words for kinds of company, certificate or token are none',
            pattern="^(?!(private|concession|minor|major|national|director|ordinary|station|market)$)[\\s\\S]*$",
        ),
        'Its size class in the title. Example: "small".',
    ] = None
    later_sizes: Annotated[
        tuple[CompanySize, ...],
        Distinct(9, 'A size. Example: "10-share".'),
        'Sizes that it may become in play, in order: train limits of these hold from then on. Example: ["10-share"].',
    ] = ()
    float_percent: Annotated[
        int | None,
        Meta(ge=1, le=100),
        "Percentage that must be sold before it may operate. Example: 50.",
    ] = None
    train_limit: Annotated[
        int | None, Meta(ge=0, le=20), "Trains it may own in every phase, if the phases do not say."
    ] = None
    skips_full: Annotated[
        bool,
        "Its trains may skip cities full of others' tokens, which then are no stops (Lost Atlas's Overnight).",
    ] = False
    single_train_stops: Annotated[
        int,
        Meta(ge=0, le=20),
        "Stops by which its train reaches further while it has no other (1: Lost Atlas's Express).",
    ] = 0
    opens: Annotated[
        Id | None,
        "Phase in which it is formed, where that is not the first: train limits on its charter begin with it. "
        'Example: "5".',
    ] = None
    closes: Annotated[
        Words | None,
        Meta(max_length=80),
        'When it closes: the id of a phase, or a few words. Example: "phase 5".',
    ] = None
    abilities: Annotated[
        tuple[Text, ...],
        Several(20, "One ability."),
        'What it may do beyond the normal rules, one text for each ability. Example: ["Blocks hex D4 '
        'until it closes."].',
    ] = ()
    class_name: Annotated[
        Text | None,
        "What the title calls this type of company. It is printed on its card or charter in place of the usual word "
        'for its kind. Example: {"en": "Coal railway", "ja": "石炭鉄道"}.',
    ] = field(name="class", default=None)
    second_name: Annotated[
        Text | None,
        "Its name in another language of its country, printed in small type below the first on a private's card and on "
        'a charter, unless it is the same. Example: "Plan – Tachau" below "Planá – Tachov".',
    ] = None
    used: Annotated[
        Text | None,
        "What the back of a private's card says, which is turned up once its ability is used. Left out: "
        'the back is that of all privates. Example: "Its ability is used.".',
    ] = None
    incomes: Annotated[tuple[RevenueStep, ...], DERIVED] = ()
    min_price: Annotated[Money | None, "The least that a company may pay for it. Example: 20."] = (
        None
    )
    max_price: Annotated[Money | None, "The most that a company may pay for it. Example: 80."] = (
        None
    )
    discount: Annotated[
        int,
        Meta(ge=-1000000, le=1000000),
        "How much below its value it is first sold; below 0: above it. Example: 20.",
    ] = 0
    min_players: Annotated[
        int | None, Meta(ge=2, le=20), "The fewest players with whom it is in play. Example: 4."
    ] = None
    shows: Annotated[
        tuple[str, str] | None,
        Parsed(_SHOWN, lambda written: tuple(written.split(":", 1))),
        "What the card of a private company shows beside its abilities: a hex of the map, a tile of the title, an icon, "
        'or one of its pictures. Example: "hex:D4".',
    ] = None
    ownership_limit: Annotated[
        int | None,
        Meta(ge=1, le=100),
        "The largest share that one player may hold, in per cent, where that is not the common one. Example: 80.",
    ] = None
    capital: Annotated[
        Literal["full", "incremental"] | None,
        Meta(title='"full" or "incremental"'),
        "full: all its capital comes when it floats; incremental: the price of each share when that is sold. Left "
        'out: as for all companies. Example: "full".',
    ] = None
    share_of: Annotated[
        Id | None, 'The company of which a share comes with a private company. Example: "PRR".'
    ] = None
    destination: Annotated[
        Destination | None,
        "Where its track is to lead. The map shows it, the charter names it, and a token of its own marks "
        'it. Example: {"hex": "I12"}.',
    ] = None
    further_destinations: Annotated[
        tuple[Destination, ...],
        Several(9),
        "Where else its track is to lead, after `destination`.",
    ] = ()
    block: Annotated[str, DERIVED] = COMPANIES

    @property
    def ref(self) -> str:
        """The company's id, with its block and a slash in front unless the block is the usual
        one."""
        return self.id if self.block == COMPANIES else f"{self.block}/{self.id}"

    @property
    def destinations(self) -> tuple[Destination, ...]:
        """All destinations of the company."""
        return (*((self.destination,) if self.destination else ()), *self.further_destinations)

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes named on the company's charter or card."""
        places = (*self.homes, *self.destinations)
        return (*(place.hex for place in places), *(self.shows or ()))

    @property
    def has_charter(self) -> bool:
        """True for companies that operate. Privates and concessions have a certificate only."""
        return self.kind in (CompanyKind.MINOR, CompanyKind.MAJOR, CompanyKind.NATIONAL)

    @property
    def owned_whole(self) -> bool:
        """True if a single certificate is the whole company, which is then bought like a private
        and has no share price."""
        return [(certificate.percent, certificate.count) for certificate in self.certificates] == [
            (100, 1)
        ]


Companies = Annotated[
    tuple[Company, ...],
    ById(200),
    'Companies by id, the abbreviation printed on their tokens. Example: {"SNCF": {"kind": "major", ...}}.',
]
Privates = Annotated[
    tuple[Company, ...],
    ById(200),
    "Private companies and concessions by id, written as in the block `companies`. Privates may as well be among the "
    "companies; here they may have the same ids as companies. What refers to a company by its id means one of the "
    'block `companies`. Example: {"BO": {"kind": "private", "name": "Baltimore & Ohio", "value": 220, ...}}.',
]
