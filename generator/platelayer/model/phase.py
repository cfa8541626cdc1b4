"""Phases: how they begin and what they allow."""

from typing import Annotated

from msgspec import Meta, Struct, field

from platelayer.foundation.text import Text
from platelayer.model.described import (
    BY_ID,
    DISTINCT,
    PAIRS,
    ColourName,
    CompanySize,
    Id,
    Key,
    Read,
    common,
)


class TrainLimit(Struct, frozen=True, kw_only=True):
    """How many trains a company of a kind or size (`who`: major, minor, small ...) may own."""

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
    """Names of the trains of which the first that is sold begins a phase."""
    return () if on is None else (on,) if isinstance(on, str) else tuple(on)


class Phase(Struct, frozen=True, kw_only=True):
    """One phase."""

    id: Key
    begun_by: Annotated[
        tuple[str, ...],
        Read(_ON, trains_of_phase),
        "Train whose first sale begins the phase; of several, the first that is sold. Null: the first phase, or one "
        'that begins as `begins` says. Examples: "4", ["4", "4H"].',
    ] = field(name="on")
    train_limits: Annotated[
        tuple[TrainLimit, ...],
        PAIRS,
        Meta(max_length=10),
        'Trains that a company may own, by kind or size of company. Example: {"major": 4, "minor": 2}.',
    ]
    tiles: Annotated[
        tuple[ColourName, ...],
        Meta(max_length=9),
        DISTINCT,
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
        tuple[Annotated[Text, "One event."], ...],
        Meta(max_length=20),
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
        tuple[Annotated[Text, "Something that holds."], ...],
        Meta(max_length=12),
        DISTINCT,
        'What holds while the phase lasts: names of the field such as "can_buy_companies", for which '
        "Platelayer has words (assets/languages, cards/status), or words of your own. Example: "
        '["can_buy_companies", "Tokens cost twice as much."].',
    ] = ()

    @property
    def on(self) -> str | None:
        """The train whose first sale begins it; None if none does."""
        return self.begun_by[0] if self.begun_by else None


Phases = Annotated[
    tuple[Phase, ...],
    BY_ID,
    Meta(max_length=30),
    'Phases by id. Example: {"2": {"on": null, "train_limits": {"major": 4}, "tiles": ["yellow"], "operating_rounds": '
    "2}}.",
]
