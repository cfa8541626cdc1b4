"""The stock market: cells, zones and ledges."""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.described import (
    DERIVED,
    ById,
    CompanySize,
    Distinct,
    Ink,
    OneOf,
    Pairs,
    Parsed,
    Several,
    Words,
    written,
)

# Arrows in rules of movement. They are drawn as shapes, so that no font needs them.
MOVES = frozenset("→↘↓↙←↖↑↗")


class MarketShape(Enum):
    """A line of prices, a line folded as a zigzag (even cells low, odd cells high), a grid, or rows
    of which every second is shifted right by half a space."""

    LINE = "line"
    ZIGZAG = "zigzag"
    GRID = "grid"
    HEX = "hex"


_LETTER: dict[str, Any] = {"title": "one letter", "pattern": "^[A-Za-z]$"}
_PRINTED = re.compile("([0-9]{1,5})([A-Za-z]*)")
_DIRECTION = {
    "title": "a direction",
    "description": "Where an arrow points.",
    "enum": ["right", "down-right", "down", "down-left", "left", "up-left", "up", "up-right"],
}


def cell_zones(written: str | Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the zone letters of a space as written in JSON."""
    if isinstance(written, Mapping):
        return tuple(written.get("zones", ()))
    match = _PRINTED.fullmatch(written) if written else None
    return tuple(match[2]) if match else ()


def _cell(written: str) -> "Cell":
    match = _PRINTED.fullmatch(written)
    assert match is not None
    return Cell(price=int(match[1]), zones=tuple(match[2]))


_SPACE = 'a space: a price with zone letters such as "100p", null for a gap, or {"price": 100, "zones": ["p"]}'


@written(
    OneOf(
        _SPACE,
        {"type": "string", "pattern": f"^{_PRINTED.pattern}$"},
        _cell,
    )
)
class Cell(Frozen, kw_only=True):
    """A space of the board, with what it needs beyond a price and letters."""

    price: Annotated[int, Meta(ge=0, le=99999), "Share price."]
    zones: Annotated[
        tuple[Annotated[str, Parsed({**_LETTER, "type": "string"}), "Letter of a zone."], ...],
        Distinct(8),
        "Letters of its zones.",
    ] = ()
    ledge: Annotated[
        tuple[
            Annotated[
                Literal["left", "right", "up", "down"],
                Meta(title="an edge of a space"),
                "An edge with a ledge that markers do not cross.",
            ],
            ...,
        ],
        Distinct(4),
        "Edges with a ledge.",
    ] = ()
    text: Annotated[
        Words, Meta(max_length=20), 'Printed instead of the price. Example: "Closed".'
    ] = ""
    arrows: Annotated[
        tuple[Annotated[str, Parsed(_DIRECTION)], ...],
        Distinct(3, least=1),
        OneOf('a direction such as "up", or several in a list', _DIRECTION, lambda one: (one,)),
        'Arrows in the space: where its marker goes from there. Examples: "up"; ["left", "down-left"].',
    ] = field(name="arrow", default=())


_End = Annotated[Literal["up", "down"], "Where a marker goes that would leave a row."]


class Zone(Frozen, kw_only=True):
    """Spaces with a special meaning."""

    id: Annotated[str, DERIVED, Parsed(_LETTER)]
    name: Annotated[Text, 'What the legend calls it. Example: "Start price".']
    colour: Annotated[Ink, "Its colour: ink name or #rrggbb."]
    par: Annotated[bool, "A start price may be set here."] = False
    who: Annotated[
        CompanySize | None, 'Kind or size of company it is for. If left out: all. Example: "small".'
    ] = None


class Market(Frozen, kw_only=True, cache_hash=True):
    """The stock market."""

    shape: Annotated[
        MarketShape,
        Meta(title="a shape of market"),
        "line: one row; zigzag: one row folded, even spaces low and odd spaces high; grid: rows and columns; hex: rows "
        "of which every second is half a space to the right, so that each space has six neighbours.",
    ]
    rows: Annotated[
        tuple[
            Annotated[
                tuple[
                    Annotated[Cell | None, Meta(title=_SPACE), "One space of the board, or a gap."],
                    ...,
                ],
                Several(120, least=1),
                "A row, from the left.",
            ],
            ...,
        ],
        Several(40, least=1),
        'Rows from the top, left aligned. A space is a price with letters of its zones ("100p"), null for '
        'a gap, or an object. Example: [["82", "90", "100p"], ["75", null, "82"]].',
    ]
    zones: Annotated[
        tuple[Zone, ...],
        ById(26),
        'Zones by the one letter that follows a price. Example: {"p": {"name": "Start price", "colour": '
        '"tile.yellow", "par": true}}.',
    ] = ()
    movement: Annotated[
        tuple[Text, ...],
        Several(12, "One rule."),
        "How markers move, for the legend of the board.",
    ] = ()
    notes: Annotated[
        tuple[Text, ...],
        Several(12, "One line."),
        "Further lines of the legend, after those about movement, e.g. on the bank pool. Example: "
        '["At most half of a company\'s shares may lie in the pool."].',
    ] = ()
    boards: Annotated[
        tuple[
            Annotated[
                Literal["round-track", "par-chart"],
                Meta(title="a board for the market's sheet"),
                "What is printed.",
            ],
            ...,
        ],
        Distinct(2),
        "What else is printed on the sheet of the market, below it, and not by itself: the round track, the par chart. "
        'Example: ["par-chart"].',
    ] = ()
    column_letters: Annotated[
        bool,
        "Letters A, B, C ... above the columns of a grid, where rules name columns (1841: K and P).",
    ] = False
    ends: Annotated[
        tuple[
            tuple[
                Annotated[str, Parsed({"title": '"left" or "right"', "enum": ["left", "right"]})],
                _End,
            ],
            ...,
        ],
        Pairs(),
        "Where a marker goes that would leave a row of a grid: an arrow in the last space of each row "
        'shows it, unless no space lies there. Example: {"left": "down", "right": "up"}.',
    ] = ()

    @property
    def par_prices(self) -> tuple[int, ...]:
        """Return the start prices in ascending order, each once."""
        par = {zone.id for zone in self.zones if zone.par}
        return tuple(
            sorted(
                {c.price for row in self.rows for c in row if c is not None and par & set(c.zones)}
            )
        )
