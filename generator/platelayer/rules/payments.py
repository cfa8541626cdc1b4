"""Everything that pays differently by tile colour or phase, as series of amounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from platelayer.foundation.pointers import join_pointer
from platelayer.model.tile import RevenueStep, StopKind
from platelayer.model.title import Title


class Series(Struct, frozen=True, kw_only=True):
    """Amounts that something pays in turn: where they stand in the title, what a waiver calls it,
    and its name."""

    pointer: str
    about: str
    name: str
    steps: Sequence[RevenueStep]
    may_end: bool = False
    """A last amount of 0 ends the payments."""


def _words(kind: StopKind) -> str:
    return "off-board" if kind is StopKind.OFFBOARD else kind.value


def paid_series(title: Title) -> Iterator[Series]:
    """Amounts paid by stops of maps and of the title's own tiles, destination cards and
    privates."""
    for gamemap in title.maps:
        for hexagon in gamemap.hexes:
            for number, stop in enumerate(hexagon.tile.stops):
                at = join_pointer(
                    "maps", gamemap.id, "hexes", hexagon.id, "stops", number, "revenue"
                )
                yield Series(
                    pointer=at,
                    about=hexagon.id,
                    name=f"the {_words(stop.kind)} of {hexagon.id}",
                    steps=stop.revenue,
                )
    for entry in title.tiles:
        for number, stop in enumerate(() if entry.tile == entry.standard else entry.tile.stops):
            at = join_pointer("tiles", entry.tile.id, "tile", "stops", number, "revenue")
            yield Series(
                pointer=at,
                about=entry.tile.id,
                name=f"the {_words(stop.kind)} of tile {entry.tile.id}",
                steps=stop.revenue,
            )
    for card in title.pieces.destination_cards:
        at = join_pointer("pieces", "destination_cards", card.id, "revenue")
        yield Series(
            pointer=at, about=card.id, name=f"destination card {card.id}", steps=card.revenue
        )
    for company in title.companies:
        at = join_pointer(company.block, company.id, "income")
        yield Series(
            pointer=at, about=company.ref, name=company.id, steps=company.incomes, may_end=True
        )
