"""What a title has of each kind of piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.train import OPTION

if TYPE_CHECKING:
    from platelayer.model.company import Company
    from platelayer.model.title import Title

piece_words = FixedWords("pieces")


class Piece(Struct, frozen=True, kw_only=True):
    """One distinct piece and how many copies are in the box. `kind:id` names it on the command
    line; `group` is a finer class within the kind (a tile's colour, station or market token ...)
    that totals are kept of, and so is `size`, the class of the company it belongs to (small,
    medium, large). `unlimited`: the game has as many as anybody wants. `back` is what its back is
    for: PLAIN (what tells a face-down piece's kind, or its number), PLAY (read in play), or ""
    (none). `origin` are the keys that lead to its place in the definition, if it has one of its
    own.
    """

    kind: str
    id: str
    name: Text
    count: int
    group: str = ""
    back: str = ""
    size: str = ""
    origin: tuple[str, ...] = ()
    unlimited: bool = False

    @property
    def key(self) -> str:
        """`kind:id`."""
        return f"{self.kind}:{self.id}"


def maps(title: Title) -> Iterator[Piece]:
    """The sheet of each map."""
    for gamemap in title.maps:
        yield Piece(
            kind="map", id=gamemap.id, name=gamemap.name, count=1, origin=("maps", gamemap.id)
        )


def tiles(title: Title) -> Iterator[Piece]:
    """Each number of tile; the other side of a tile is no piece of its own."""
    for entry in title.tiles:
        tile = entry.tile
        name = tile.name or Text.plain(entry.shown)
        origin = ("tiles", tile.id)
        if entry.back_of is None:
            yield Piece(
                kind="tile",
                id=tile.id,
                name=name,
                count=entry.count,
                group=tile.colour,
                origin=origin,
                unlimited=entry.unlimited,
            )


def map_tiles(title: Title) -> Iterator[Piece]:
    """Each map tile of the box."""
    for tile in title.atlas.map_tiles if title.atlas else ():
        name = piece_words("map_tile").fill(tile.number)
        origin = ("atlas", "map_tiles", str(tile.number))
        yield Piece(
            kind="map-tile", id=str(tile.number), name=name, count=tile.copies, origin=origin
        )


def capital_projects(title: Title) -> Iterator[Piece]:
    """The capital projects of the box."""
    if title.atlas is not None:
        name = piece_words("capital_project")
        origin = ("atlas", "capital_projects")
        count = title.atlas.capital_projects
        yield Piece(kind="capital-project", id="capital", name=name, count=count, origin=origin)


def overlays(title: Title) -> Iterator[Piece]:
    """Overlays of the box and of the printed map."""
    if title.atlas is not None:
        box, capital = title.atlas, piece_words("capital_overlay")
        for group, name, count in (
            ("capital", capital, box.capital_overlays),
            ("blank", piece_words("blank_overlay"), box.blank_overlays),
        ):
            at = ("atlas", f"{group}_overlays")
            yield Piece(kind="overlay", id=group, name=name, count=count, group=group, origin=at)
    for overlay in title.pieces.overlays:
        origin = ("pieces", "overlays", overlay.id)
        yield Piece(
            kind="overlay",
            id=overlay.id,
            name=overlay.name,
            count=overlay.count,
            group="map",
            origin=origin,
        )


def markets(title: Title) -> Iterator[Piece]:
    """The stock market, unless it is on the sheet of a map."""
    if title.market is not None and not title.is_on_a_map("market"):
        yield Piece(
            kind="market",
            id="market",
            name=piece_words("stock_market"),
            count=1,
            origin=("market",),
        )


def revenue_charts(title: Title) -> Iterator[Piece]:
    """The revenue chart."""
    chart = title.pieces.revenue_chart
    if chart is not None:
        per_share = piece_words("earnings_per_share")
        name = per_share if chart.shares else piece_words("revenue_chart")
        origin = ("pieces", "revenue_chart")
        yield Piece(kind="revenue-chart", id="revenue", name=name, count=1, origin=origin)


def par_charts(title: Title) -> Iterator[Piece]:
    """The chart of start prices."""
    if title.pieces.par_chart is not None:
        yield Piece(
            kind="par-chart",
            id="par",
            name=piece_words("par_chart"),
            count=1,
            origin=("pieces", "par_chart"),
        )


def round_tracks(title: Title) -> Iterator[Piece]:
    """The round track, unless it is on the sheet of a map."""
    if title.pieces.rounds and not title.is_on_a_map("round-track"):
        yield Piece(
            kind="round-track",
            id="rounds",
            name=piece_words("round_track"),
            count=1,
            origin=("pieces", "rounds"),
        )


def bank_boards(title: Title) -> Iterator[Piece]:
    """The bank board."""
    board = title.pieces.bank_board
    if board is not None:
        yield Piece(
            kind="bank-board", id="bank", name=board.name, count=1, origin=("pieces", "bank_board")
        )


def _of_company(
    company: Company,
    kind: str,
    piece_id: str,
    count: int,
    group: str,
    *,
    size: str = "",
    at: tuple[str, ...] = (),
) -> Piece:
    origin = (company.block, company.id, *at)
    return Piece(
        kind=kind,
        id=piece_id,
        name=company.name,
        count=count,
        group=group,
        size=size,
        origin=origin,
    )


def charters(title: Title) -> Iterator[Piece]:
    """The charter of each company that operates."""
    for company in title.companies:
        if company.has_charter:
            yield _of_company(
                company, "charter", company.id, 1, company.kind.value, size=company.size or ""
            )


def tokens(title: Title) -> Iterator[Piece]:
    """Each company's stations, market tokens and destination token."""
    markers = title.pieces.market_tokens
    for company in title.companies:
        if company.has_charter:
            yield _of_company(company, "token", company.id, len(company.stations), "station")
            if company.certificates and not company.owned_whole and title.market is not None:
                yield _of_company(company, "token", f"{company.id}-market", markers, "market")
            if company.destination and company.destination.token:
                at = ("destination",)
                yield _of_company(
                    company, "token", f"{company.id}-destination", 1, "destination", at=at
                )


def privates(title: Title) -> Iterator[Piece]:
    """Privates, concessions, and companies that one certificate owns whole."""
    for company in title.companies:
        if company.owned_whole or not company.has_charter:
            size = company.size or ""
            yield _of_company(
                company, "private", company.id, 1, size or company.kind.value, size=size
            )


def certificates(title: Title) -> Iterator[Piece]:
    """Each grade of certificate of each company."""
    for company in title.companies:
        for number, certificate in enumerate(() if company.owned_whole else company.certificates):
            yield _of_company(
                company,
                "certificate",
                f"{company.id}-{certificate.grade}",
                certificate.count,
                "director" if certificate.director else "ordinary",
                size=company.size or "",
                at=("certificates", str(number)),
            )


def trains(title: Title) -> Iterator[Piece]:
    """Each train, and apart from it those marked for an option."""
    for train in title.trains:
        faces = " / ".join(face.name for face in train.faces)
        origin = ("trains", train.id)
        marked = train.optional if train.option is not None else 0
        yield Piece(
            kind="train",
            id=train.id,
            name=Text.plain(faces),
            count=train.printed - marked,
            origin=origin,
        )
        if marked:
            named = piece_words("optional_train").fill(faces)
            yield Piece(
                kind="train", id=f"{train.id}{OPTION}", name=named, count=marked, origin=origin
            )


def phase_cards(title: Title) -> Iterator[Piece]:
    """The phase cards."""
    for card in title.pieces.phase_cards:
        name = (
            piece_words("phase").fill(" / ".join((*card.front, *card.back)))
            if card.front
            else piece_words("phases")
        )
        origin = ("pieces", "phase_cards", card.id) if card.front else ("phases",)
        yield Piece(kind="phase-card", id=card.id, name=name, count=card.count, origin=origin)


def summaries(title: Title) -> Iterator[Piece]:
    """The player aids."""
    for aid in title.aids:
        yield Piece(
            kind="summary", id=aid.id, name=aid.name, count=aid.count, origin=("aids", aid.id)
        )


def number_cards(title: Title) -> Iterator[Piece]:
    """A card for each number."""
    for index, number in enumerate(title.pieces.number_cards):
        origin = ("pieces", "number_cards", str(index))
        yield Piece(
            kind="number-card", id=str(number), name=Text.plain(str(number)), count=1, origin=origin
        )


def priority_cards(title: Title) -> Iterator[Piece]:
    """The cards of priority."""
    name = piece_words("priority_deal")
    origin = ("pieces", "priority_cards")
    yield Piece(
        kind="priority-card",
        id="priority",
        name=name,
        count=title.pieces.priority_cards,
        origin=origin,
    )


def money(title: Title) -> Iterator[Piece]:
    """Notes by value."""
    for value, count in title.pieces.money:
        origin = ("pieces", "money", str(value))
        yield Piece(
            kind="money",
            id=str(value),
            name=Text.plain(title.money(value)),
            count=count,
            origin=origin,
        )


def destination_cards(title: Title) -> Iterator[Piece]:
    """The destination cards."""
    for card in title.pieces.destination_cards:
        known = piece_words("destination").fill(card.id)
        name = known if card.revenue else piece_words("destination_to_fill_in")
        origin = ("pieces", "destination_cards", card.id)
        yield Piece(kind="destination-card", id=card.id, name=name, count=card.count, origin=origin)


def score_sheets(title: Title) -> Iterator[Piece]:
    """The forms for the final accounts."""
    if title.pieces.score_sheet is not None:
        name = piece_words("final_accounts")
        origin = ("pieces", "score_sheets")
        count = title.pieces.score_sheet.count
        yield Piece(kind="score-sheet", id="accounts", name=name, count=count, origin=origin)


def offer_sheets(title: Title) -> Iterator[Piece]:
    """The sheet of the initial round."""
    if title.pieces.offer is not None:
        name = piece_words("initial_round")
        origin = ("pieces", "offer")
        yield Piece(
            kind="offer-sheet", id="offer", name=name, count=title.pieces.offer.count, origin=origin
        )


def markers(title: Title) -> Iterator[Piece]:
    """The markers."""
    for marker in title.pieces.markers:
        origin = ("pieces", "markers", marker.id)
        yield Piece(
            kind="marker",
            id=marker.id,
            name=marker.name,
            count=marker.count,
            group=marker.id,
            origin=origin,
        )


def upgrade_charts(title: Title) -> Iterator[Piece]:
    """The upgrade chart of a title whose tiles have more than one colour."""
    if len({entry.tile.colour for entry in title.tiles}) > 1:
        name = piece_words("upgrade_chart")
        yield Piece(kind="upgrade-chart", id="upgrades", name=name, count=1, origin=("tiles",))


def checklists(_title: Title) -> Iterator[Piece]:
    """The checklist, which every title has."""
    yield Piece(kind="checklist", id="checklist", name=piece_words("checklist"), count=1)
