"""Trains: what a card shows and what happens to it."""

from typing import Annotated, Literal

from msgspec import Meta, field

from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.described import (
    ById,
    ColourName,
    CompanySize,
    Count,
    Distinct,
    FlattenedIfSingle,
    Id,
    Ink,
    Key,
    Money,
    Pairs,
    Parsed,
    Several,
    Words,
    common,
)

KindOfStop = Annotated[
    Literal["city", "town", "pass", "offboard"], Meta(title="a kind of stop"), "A kind of stop."
]
_Stops = Annotated[int, Meta(title="a number of stops, or null for any number", ge=0, le=99)]
_Ends = Annotated[tuple[Id, ...], Distinct(8)]


class Reach(Frozen, kw_only=True):
    """Number of stops of some kinds that the train visits, and number of them that pay."""

    stops: Annotated[
        tuple[KindOfStop, ...],
        Distinct(4, least=1),
        'Kinds of stop it applies to. Example: ["city", "offboard"].',
    ]
    visit: Annotated[_Stops | None, "How many it may visit; null: any number."]
    pay: Annotated[_Stops | None, "How many of them pay; null: all."]
    multiplier: Annotated[
        int, Meta(ge=1, le=99), "How many times its value each of these stops pays. Example: 2."
    ] = 1

    @property
    def in_part(self) -> bool:
        """True if only some of the visited stops pay."""
        return self.pay is not None and (self.visit is None or self.pay < self.visit)


class TradeIn(Frozen, kw_only=True):
    """A trade-in."""

    train: Annotated[Id, "The train traded in."]
    price: Annotated[Money, "Price with this trade-in."]


class TrainFace(Frozen, kw_only=True):
    """One train. Most cards have one face, 18CZ's have up to three."""

    name: Annotated[
        Words, Meta(max_length=12), 'Name of the train, printed large on the card. Example: "2".'
    ]
    figures: Annotated[
        Ink | None,
        "Colour of its name, on a plate of paper: ink name or #rrggbb. Left out: that of `who`, else black or white. "
        'Example: "tile.red".',
    ] = None
    who: Annotated[
        CompanySize | None,
        "Size or kind of company that alone may run it. Its name stands in the colour and with the sign of their zone "
        'of the market. Example: "small".',
    ] = None
    price: Annotated[
        Money,
        "Price from the bank; 0 for a train that is handed out, whose card has no price. Example: 100.",
    ]
    reach: Annotated[
        tuple[Reach, ...],
        Several(8, least=1),
        "How far it runs, one entry for each kind of stop. "
        'Example: [{"stops": ["city", "town", "offboard"], "visit": 3, "pay": 3}].',
    ]
    rusts_on: Annotated[_Ends, 'Trains (or phases) whose first sale rusts it. Example: ["4"].'] = ()
    obsolete_on: Annotated[
        _Ends, "Trains (or phases) whose first sale leaves it one last run."
    ] = ()
    permanent: Annotated[
        bool,
        "It never rusts. Required if neither `rusts_on` nor `obsolete_on` is given, so that nothing is forgotten.",
    ] = False
    trade_ins: Annotated[
        tuple[TradeIn, ...],
        Several(20),
        'Prices for trading in an older train. Example: [{"train": "4", "price": 800}].',
    ] = ()
    available_from: Annotated[
        Id | None,
        "Phase from which it is on sale. If left out: when the trains before it are sold.",
    ] = None
    hexes: Annotated[
        int | None,
        Meta(ge=1, le=99),
        "Length of its run in hexes, where it does not count stops: these are then null in `reach`. Example: 4 of a 4H.",
    ] = None
    gauges: Annotated[
        tuple[
            Annotated[
                Literal["standard", "narrow", "dual"], Meta(title="a gauge of track"), "A gauge."
            ],
            ...,
        ],
        Distinct(3),
        'Track that it may use. Left out: all that the company may. Example: ["narrow", "dual"].',
    ] = ()
    starts_at: Annotated[
        Words | None,
        Meta(max_length=40),
        "Icon of the hexes in one of which its route begins or ends, and which trains without it do not enter. "
        'Example: "mine" (g-trains of 1824).',
    ] = None
    doubles: Annotated[
        tuple[KindOfStop, ...],
        Distinct(4),
        "It runs with another train of its company, and one stop of these kinds on that train's route pays twice. "
        'Example: ["city", "offboard"] (Pullman cars of 18EU).',
    ] = ()
    salvage: Annotated[Money, "What the bank pays for it when it rusts. Example: 20."] = 0
    note: Annotated[Text | None, "A line at the foot of the card."] = None
    side: Annotated[
        Literal["front", "back"],
        Meta(title='"front" or "back"'),
        "The side of the card it is on. If two trains share a side, turn the card round to read the second.",
    ] = "front"

    @property
    def back(self) -> bool:
        """True if the face is on the back of the card."""
        return self.side == "back"


# Suffix of a train's id for those of its cards that are marked for an option.
OPTION = "-option"


class Train(Frozen, kw_only=True):
    """A kind of train card, with one face or several."""

    id: Key
    count: Annotated[
        Count,
        "Cards in the normal game (or cards to print, if the supply is unlimited). Example: 15.",
    ]
    optional: Annotated[Count, "Extra cards in the box, for an optional rule."] = 0
    option: Annotated[
        Text | None,
        "What the optional cards print, to be told from the others. Left out: they are like the others. "
        'Example: "Option".',
    ] = None
    unlimited: Annotated[bool, "The supply never runs out."] = False
    colour: Annotated[
        ColourName | None, 'Tile colour that links the card to its phase. Example: "yellow".'
    ] = None
    starts: Annotated[Id | None, "Phase that its first sale begins."] = None
    faces: Annotated[
        tuple[TrainFace, ...],
        Several(4, least=1),
        FlattenedIfSingle(
            'a train: {"count", "name", "price", "reach" ...} or {"count", "faces": [...]}',
            without=("side",),
        ),
        "The trains that the card may be.",
    ]

    @property
    def printed(self) -> int:
        """Number of cards to print."""
        return self.count + self.optional

    @property
    def sides(self) -> tuple[tuple[TrainFace, ...], tuple[TrainFace, ...]]:
        """The faces on the front of the card, and on its back."""
        return tuple(f for f in self.faces if not f.back), tuple(f for f in self.faces if f.back)


Trains = Annotated[
    tuple[Train, ...],
    ById(60),
    "Trains by id. A train with one face has the face's keys next to `count`; a card that may be one of several trains "
    '(18CZ) lists them in `faces`. Example: {"2": {"count": 15, "name": "2", "price": 100, ...}}.',
]


# Phases: how they begin and what they allow.


class TrainLimit(Frozen, kw_only=True):
    """Number of trains that a company of a kind or size (`who`: major, minor, small ...) may
    own."""

    who: CompanySize
    limit: Annotated[int, Meta(ge=0, le=20), "Limit."]


_ON = {
    "title": "the id of a train, several in a list, or null",
    "anyOf": [
        {"type": "null"},
        common("id"),
        {
            "description": "Trains of which the first that is sold begins the phase.",
            "type": "array",
            "minItems": 1,
            "maxItems": 8,
            "items": {**common("id"), "description": "Id of a train."},
            "uniqueItems": True,
        },
    ],
}


def trains_of_phase(on: str | list[str] | None) -> tuple[str, ...]:
    """Return the names of the trains that begin a phase when the first of them is sold."""
    return () if on is None else (on,) if isinstance(on, str) else tuple(on)


class Phase(Frozen, kw_only=True):
    """One phase."""

    id: Key
    begun_by: Annotated[
        tuple[str, ...],
        Parsed(_ON, trains_of_phase),
        "Train whose first sale begins the phase; of several, the first that is sold. Null: the first phase, or one "
        'that begins as `begins` says. Examples: "4", ["4", "4H"].',
    ] = field(name="on")
    train_limits: Annotated[
        tuple[TrainLimit, ...],
        Pairs(10),
        'Trains that a company may own, by kind or size of company. Example: {"major": 4, "minor": 2}.',
    ]
    tiles: Annotated[
        tuple[ColourName, ...],
        Distinct(9),
        'Tile colours that may be laid. Example: ["yellow", "green"].',
    ]
    operating_rounds: Annotated[
        int,
        Meta(ge=0, le=10),
        "Operating rounds between two stock rounds; 0 in every phase if the round track shows them. Example: 2.",
    ]
    revenue: Annotated[
        Id | None,
        'Key of the off-board values in force. Example: "yellow". If left out: given by the tile colours.',
    ] = None
    events: Annotated[
        tuple[Text, ...],
        Several(20, "One event."),
        "What happens when the phase begins.",
    ] = ()
    tile_lays: Annotated[
        Text | None,
        "How many tiles a company may lay in its turn, in a few words, if that differs by phase. Example: "
        '"1 per base".',
    ] = None
    begins: Annotated[
        Text | None,
        'What begins a phase that no train begins, in a few words. Example: "Third set of operating rounds".',
    ] = None
    status: Annotated[
        tuple[Text, ...],
        Distinct(12, "Something that holds."),
        'What holds while the phase lasts: names of the field such as "can_buy_companies", for which '
        "Platelayer has words (assets/languages, cards/status), or words of your own. Example: "
        '["can_buy_companies", "Tokens cost twice as much."].',
    ] = ()

    @property
    def on(self) -> str | None:
        """The train whose first sale begins the phase, or None."""
        return self.begun_by[0] if self.begun_by else None


Phases = Annotated[
    tuple[Phase, ...],
    ById(30),
    'Phases by id. Example: {"2": {"on": null, "train_limits": {"major": 4}, "tiles": ["yellow"], "operating_rounds": '
    "2}}.",
]
