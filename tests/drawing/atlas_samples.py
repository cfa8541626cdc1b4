"""Titles and logs that the tests of the Lost Atlas drawings share."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.definitions.build import shipped_box
from platelayer.foundation.text import Text
from platelayer.model.company import Company, CompanyKind
from platelayer.model.map_tiles import AtlasLog, Axial, Draw, ProjectDraw, TileDraw
from platelayer.model.tile import RevenueStep
from platelayer.model.title import DestinationCard, Title
from shipped import shipped

# Names, symbols and home map tiles as the reference facts have them.
MINORS = {
    "AD": ("Adaptive", None),
    "AG": ("Agricultural", 3),
    "BR": ("Bridging", 9),
    "EM": ("Eastern Mining", 2),
    "EA": ("Expansive", 1),
    "ER": ("Express", 5),
    "NP": ("Northern Port", 7),
    "OV": ("Overnight", 10),
    "RE": ("Resourceful", 4),
    "SP": ("Spacious", 11),
    "SU": ("Suburban", 6),
    "TU": ("Tunneling", 8),
}
COPIES = {number: 2 if 12 <= number <= 16 else 1 for number in range(1, 29)}
MONEY = ((1, 80), (5, 76), (20, 77), (100, 35), (500, 10), (2000, 7))
FIRST_CARD = (("yellow", 30), ("green", 40), ("purple", 70), ("gray", 100))


def lost_atlas() -> Title:
    """A title with the shipped map tiles and the minor companies, money and destination cards of
    the facts."""
    minors = tuple(
        Company(
            id=symbol,
            name=Text.plain(name),
            kind=CompanyKind.MINOR,
            token_text=symbol,
            colour=f"#{40 + 15 * number:02x}60{200 - 12 * number:02x}",
            second="#ffffff",
            text_colour="#ffffff",
            stations=(0,),
        )
        for number, (symbol, (name, _)) in enumerate(MINORS.items())
    )
    base = shipped("18eu")
    cards = (
        DestinationCard(
            id="first", revenue=tuple(RevenueStep(value, colour) for colour, value in FIRST_CARD)
        ),
        DestinationCard(id="blank"),
    )
    return replace(
        base,
        id="lost-atlas",
        name=Text.plain("Railways of the Lost Atlas"),
        subtitle=None,
        companies=minors,
        maps=(),
        bonuses=(),
        currency="${}",
        colours=("yellow", "green", "purple", "gray"),
        atlas=shipped_box(),
        pieces=replace(base.pieces, money=MONEY, destination_cards=cards),
    )


def laid(
    *draws: tuple[int, tuple[int, int], int], blanks: tuple[tuple[int, int], ...] = ()
) -> AtlasLog:
    """A log of map tiles laid by hand: number, place of hex 1, rotation."""
    found: tuple[Draw, ...] = tuple(
        TileDraw(draw=order, tile=tile, copy=1, at=Axial(*at), rotation=rotation, alternatives=1)
        for order, (tile, at, rotation) in enumerate(draws, 1)
    )
    places = tuple(Axial(*at) for at in blanks)
    return AtlasLog(
        mode="long", seed=None, policy="hand", algorithm="hand", draws=found, blanks=places
    )


def with_projects(log: AtlasLog, *places: tuple[int, int] | None) -> AtlasLog:
    """The log with capital projects drawn at its end: their overlays' places, None for one put
    back."""
    first = len(log.draws) + 1
    more = tuple(
        ProjectDraw(
            draw=first + k, capital_project=k + 1, overlay_at=None if at is None else Axial(*at)
        )
        for k, at in enumerate(places)
    )
    return replace(log, draws=(*log.draws, *more))
