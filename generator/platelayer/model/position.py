"""Positions: what lies on a map while a game is played."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, field

from platelayer.foundation.values import Frozen
from platelayer.model.described import (
    ID,
    LETTERS,
    ComputedDefault,
    Distinct,
    HexName,
    Id,
    Pairs,
    Parsed,
    Several,
    Shared,
    Words,
    written,
)

# Name and version of the file format.
POSITION = "platelayer.position/1"


# Company of a neutral token, which fills its slot on behalf of nobody.
NEUTRAL = "*"


def _lay(words: str) -> "Lay":
    tile, _, turns = words.partition(" ")
    return Lay(tile, int(turns or 0))


@written(
    Parsed(
        {
            "title": 'a tile as it lies: its number and its rotation, such as "57 1"',
            "type": "string",
            "pattern": f"^[{LETTERS}][{LETTERS}._+/-]{{0,39}}( [0-5])?$",
        },
        _lay,
    )
)
class Lay(Frozen):
    """A tile as it lies on a hex: its number, and how many sixths of a turn it is turned
    clockwise."""

    tile: str
    rotation: int = 0

    def __str__(self) -> str:
        return f"{self.tile} {self.rotation}"


def _station(words: str) -> "Station":
    company, _, place = words.partition(" ")
    stop, _, slot = place.partition(".")
    return Station(company, int(stop or 0), int(slot) if slot else None)


@written(
    Parsed(
        {
            "title": 'a token in its place, such as "SNCF", "SNCF 1", "SNCF 1.2" or, for a neutral one, "*"',
            "type": "string",
            "pattern": rf"^(\*|{ID})( [0-9]{{1,2}}(\.[0-9]{{1,2}})?)?$",
        },
        _station,
    )
)
class Station(Frozen):
    """A station token on a hex: its company (NEUTRAL: nobody's), the index of its stop there, and
    that of its slot (None: the next one that is free)."""

    company: str
    stop: int = 0
    slot: int | None = None

    def __str__(self) -> str:
        slot = "" if self.slot is None else f".{self.slot}"
        return f"{self.company} {self.stop}{slot}" if self.stop or slot else self.company


@written(
    **{"$schema": Annotated[str, Shared("schema"), ComputedDefault()]},
    format=Annotated[
        str, Parsed({"title": f'"{POSITION}"', "const": POSITION}), "The version of this format."
    ],
)
class Position(Frozen, kw_only=True):
    """Tiles, tokens and prices at one moment of a game."""

    title: Annotated[Id, 'Id of the title. Example: "18eu".']
    variant: Annotated[
        Words | None,
        Meta(max_length=600),
        "Id of the variant that is played, or atlas= with the code of a random map. If left out: none.",
    ] = None
    board: Annotated[
        Id | None, "Id of the map, if the title has several. If left out: the first."
    ] = field(name="map", default=None)
    phase: Annotated[
        Id | None, "Id of the phase. If left out: tiles of all colours may lie on the map."
    ] = None
    tiles: Annotated[
        tuple[tuple[HexName, Lay], ...],
        Pairs(2000),
        "Tiles by the printed coordinates of their hexes: the number, and the rotation in sixths of a turn clockwise, "
        '0 if left out. Hexes as they are printed are left out. Example: {"F5": "57 0", "G4": "14 2"}.',
    ] = ()
    tokens: Annotated[
        tuple[tuple[HexName, tuple[Station, ...]], ...],
        Pairs(2000),
        'Station tokens by the printed coordinates of their hexes: the id of the company ("*" for a neutral token, '
        "which fills its slot, but lets all trains pass), the index of the stop in the hex or tile (0 if left out), "
        "and the slot, from 0 (the next free one if left out). "
        'Example: {"F5": ["3"], "G4": ["RPR 0.1", "BNR 0.0"]}.',
    ] = ()
    trains: Annotated[
        tuple[
            tuple[
                Id,
                Annotated[
                    tuple[
                        Annotated[Words, Meta(max_length=60), 'A train. Example: "3".'],
                        ...,
                    ],
                    Meta(title="a list of trains"),
                    Several(40),
                    "Its trains.",
                ],
            ],
            ...,
        ],
        Pairs(200),
        "Trains by the id of the company that has them: ids, or names of trains on cards of several. "
        'Example: {"BNR": ["3", "4"]}.',
    ] = ()
    markers: Annotated[
        tuple[
            tuple[
                Id,
                Annotated[
                    tuple[
                        tuple[HexName, Annotated[int, Meta(ge=0, le=1000000), "An amount."]], ...
                    ],
                    Pairs(100),
                    Meta(title="amounts by hex"),
                    "Amounts by hex.",
                ],
            ],
            ...,
        ],
        Pairs(200),
        "What each train of a company earns in addition for a stop in a hex, by the id of the company: markers of "
        'private companies, suburbs. Example: {"IC": {"D6": 30}}.',
    ] = ()
    removed: Annotated[
        tuple[Id, ...],
        Distinct(60, "Id of a train."),
        'Trains that are out of the game. Example: ["2", "3"].',
    ] = ()
    market: Annotated[
        tuple[
            tuple[
                Id,
                Annotated[
                    tuple[int, int],
                    Meta(title="the row and the column of a space"),
                    "Row and column of its space on the market, both from 0.",
                ],
            ],
            ...,
        ],
        Pairs(200),
        'Share prices of companies as spaces of the market. Example: {"SNCF": [1, 4]}.',
    ] = ()


class InPlay(Frozen, kw_only=True):
    """Position shown on a map; `numbers` prints the numbers of its tiles."""

    position: Position
    numbers: bool = False


class Placed(Frozen):
    """A token in its slot."""

    hex: str
    stop: int
    slot: int
    company: str


def placed(position: Position) -> Iterator[Placed]:
    """Yield the tokens of a position with their slots. A token without a slot takes the first one
    that no other token names."""
    for hex_id, stations in position.tokens:
        # Collect the tokens with a given slot first, wherever they are in the list: a token without
        # one must not take a slot that a later token names.
        taken = {(station.stop, station.slot) for station in stations if station.slot is not None}
        for station in stations:
            slot = station.slot
            if slot is None:
                # One slot per station is enough for all of them, so one of these slots is free.
                slot = next(
                    free for free in range(len(stations)) if (station.stop, free) not in taken
                )
                taken.add((station.stop, slot))
            yield Placed(hex_id, station.stop, slot, station.company)
