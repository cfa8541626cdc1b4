"""Kinds of piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.train import OPTION

if TYPE_CHECKING:
    from platelayer.model.company import Company
    from platelayer.model.title import Title

_name = FixedWords("pieces")

PLAIN, PLAY = "plain", "play"

_LARGER_AIDS_MM = ((186.0, 131.0), (256.0, 182.0), (266.0, 198.0))
"""Two on A4 or Letter, one, and as much as a sheet of either holds."""


class Form(Enum):
    """How a piece is cut. A kind of hexes or discs has one length for its size: flat to flat, or the diameter."""

    RECTANGLE = "rectangle"
    HEXAGON = "hexagon"
    DISC = "disc"


class Piece(Struct, frozen=True, kw_only=True):
    """One distinct piece and how many copies are in the box. `kind:id` names it on the command line; `group` is a finer
    class within the kind (a tile's colour, station or market token ...) that totals are kept of, and so is `size`, the
    class of the company it belongs to (small, medium, large). `unlimited`: the game has as many as anybody wants.
    `back` is what its back is for: PLAIN (what tells a
    face-down piece's kind, or its number), PLAY (read in play), or "" (none). `origin` are the keys that lead to its
    place in the definition, if it has one of its own.
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


def never(_title: Title, _piece_id: str) -> bool:
    """No back of the kind is read in play."""
    return False


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of piece, without its drawing (`drawing/kinds.py` has that).

    `pieces` lists what a title implies, without backs; `size_mm` is the trimmed width and height where a title gives
    none (None: as large as what it holds), `larger_mm` are the sizes of which a piece takes the first that holds its
    words where that does not. `has_back` is whether the kind has any; `is_read_behind` says of a title and
    the id of one of its pieces whether its back is read in play. `documents` are the stems of the files that hold the
    kind. `goes_by_name` is for kinds whose ids tell less than their names, `is_card` for what
    every card shop must make. Of kinds with `one_a_player` a box holds as
    many as the most players need.
    """

    id: str
    name: Text
    pieces: Callable[[Title], Iterable[Piece]]
    documents: tuple[str, ...]
    size_mm: tuple[float, float] | None = None
    larger_mm: tuple[tuple[float, float], ...] = ()
    form: Form = Form.RECTANGLE
    has_back: bool = True
    is_read_behind: Callable[[Title, str], bool] = never
    goes_by_name: bool = False
    is_card: bool = False
    one_a_player: bool = False

    def back_of(self, title: Title, piece: Piece) -> str:
        """What the back of a piece is for."""
        if not self.has_back:
            return ""
        return PLAY if self.is_read_behind(title, piece.id) else PLAIN


def _maps(title: Title) -> Iterator[Piece]:
    for gamemap in title.maps:
        yield Piece(kind="map", id=gamemap.id, name=gamemap.name, count=1, origin=("maps", gamemap.id))


def _tiles(title: Title) -> Iterator[Piece]:
    for entry in title.tiles:
        tile = entry.tile
        name = tile.name or Text.plain(tile.id)
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


def _map_tiles(title: Title) -> Iterator[Piece]:
    for tile in title.atlas.map_tiles if title.atlas else ():
        name = _name("map_tile").format(tile.number)
        origin = ("atlas", "map_tiles", str(tile.number))
        yield Piece(kind="map-tile", id=str(tile.number), name=name, count=tile.copies, origin=origin)


def _capital_projects(title: Title) -> Iterator[Piece]:
    if title.atlas is not None:
        name = _name("capital_project")
        origin = ("atlas", "capital_projects")
        count = title.atlas.capital_projects
        yield Piece(kind="capital-project", id="capital", name=name, count=count, origin=origin)


def _overlays(title: Title) -> Iterator[Piece]:
    if title.atlas is not None:
        box, capital = title.atlas, _name("capital_overlay")
        for group, name, count in (
            ("capital", capital, box.capital_overlays),
            ("blank", _name("blank_overlay"), box.blank_overlays),
        ):
            at = ("atlas", f"{group}_overlays")
            yield Piece(kind="overlay", id=group, name=name, count=count, group=group, origin=at)
    for overlay in title.pieces.overlays:
        origin = ("pieces", "overlays", overlay.id)
        yield Piece(kind="overlay", id=overlay.id, name=overlay.name, count=overlay.count, group="map", origin=origin)


def _markets(title: Title) -> Iterator[Piece]:
    if title.market is not None and not title.is_on_a_map("market"):
        yield Piece(kind="market", id="market", name=_name("stock_market"), count=1, origin=("market",))


def _revenue_charts(title: Title) -> Iterator[Piece]:
    chart = title.pieces.revenue_chart
    if chart is not None:
        per_share = _name("earnings_per_share")
        name = per_share if chart.shares else _name("revenue_chart")
        origin = ("pieces", "revenue_chart")
        yield Piece(kind="revenue-chart", id="revenue", name=name, count=1, origin=origin)


def _par_charts(title: Title) -> Iterator[Piece]:
    if title.pieces.par_chart is not None:
        yield Piece(kind="par-chart", id="par", name=_name("par_chart"), count=1, origin=("pieces", "par_chart"))


def _round_tracks(title: Title) -> Iterator[Piece]:
    if title.pieces.rounds and not title.is_on_a_map("round-track"):
        yield Piece(kind="round-track", id="rounds", name=_name("round_track"), count=1, origin=("pieces", "rounds"))


def _bank_boards(title: Title) -> Iterator[Piece]:
    board = title.pieces.bank_board
    if board is not None:
        yield Piece(kind="bank-board", id="bank", name=board.name, count=1, origin=("pieces", "bank_board"))


def _of_company(
    company: Company, kind: str, piece_id: str, count: int, group: str, *, size: str = "", at: tuple[str, ...] = ()
) -> Piece:
    origin = (company.block, company.id, *at)
    return Piece(kind=kind, id=piece_id, name=company.name, count=count, group=group, size=size, origin=origin)


def _charters(title: Title) -> Iterator[Piece]:
    for company in title.companies:
        if company.has_charter:
            yield _of_company(company, "charter", company.id, 1, company.kind.value, size=company.size or "")


def _tokens(title: Title) -> Iterator[Piece]:
    markers = title.pieces.market_tokens
    for company in title.companies:
        if company.has_charter:
            yield _of_company(company, "token", company.id, len(company.stations), "station")
            if company.certificates and not company.owned_whole and title.market is not None:
                yield _of_company(company, "token", f"{company.id}-market", markers, "market")
            if company.destination_token:
                at = ("destination",)
                yield _of_company(company, "token", f"{company.id}-destination", 1, "destination", at=at)


def _privates(title: Title) -> Iterator[Piece]:
    for company in title.companies:
        if company.owned_whole or not company.has_charter:
            size = company.size or ""
            yield _of_company(company, "private", company.id, 1, size or company.kind.value, size=size)


def _certificates(title: Title) -> Iterator[Piece]:
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


def _trains(title: Title) -> Iterator[Piece]:
    for train in title.trains:
        faces = " / ".join(face.name for face in train.faces)
        origin = ("trains", train.id)
        marked = train.optional if train.option is not None else 0
        yield Piece(kind="train", id=train.id, name=Text.plain(faces), count=train.printed - marked, origin=origin)
        if marked:
            named = _name("optional_train").format(faces)
            yield Piece(kind="train", id=f"{train.id}{OPTION}", name=named, count=marked, origin=origin)


def _phase_cards(title: Title) -> Iterator[Piece]:
    for card in title.pieces.phase_cards:
        name = _name("phase").format(" / ".join((*card.front, *card.back))) if card.front else _name("phases")
        origin = ("pieces", "phase_cards", card.id) if card.front else ("phases",)
        yield Piece(kind="phase-card", id=card.id, name=name, count=card.count, origin=origin)


def _summaries(title: Title) -> Iterator[Piece]:
    for aid in title.aids:
        yield Piece(kind="summary", id=aid.id, name=aid.name, count=aid.count, origin=("aids", aid.id))


def _number_cards(title: Title) -> Iterator[Piece]:
    for index, number in enumerate(title.pieces.number_cards):
        origin = ("pieces", "number_cards", str(index))
        yield Piece(kind="number-card", id=str(number), name=Text.plain(str(number)), count=1, origin=origin)


def _priority_cards(title: Title) -> Iterator[Piece]:
    name = _name("priority_deal")
    origin = ("pieces", "priority_cards")
    yield Piece(kind="priority-card", id="priority", name=name, count=title.pieces.priority_cards, origin=origin)


def _money(title: Title) -> Iterator[Piece]:
    for value, count in title.pieces.money:
        origin = ("pieces", "money", str(value))
        yield Piece(kind="money", id=str(value), name=Text.plain(title.money(value)), count=count, origin=origin)


def _destination_cards(title: Title) -> Iterator[Piece]:
    for card in title.pieces.destination_cards:
        known = _name("destination").format(card.id)
        name = known if card.revenue else _name("destination_to_fill_in")
        origin = ("pieces", "destination_cards", card.id)
        yield Piece(kind="destination-card", id=card.id, name=name, count=card.count, origin=origin)


def _score_sheets(title: Title) -> Iterator[Piece]:
    if title.pieces.score_sheet is not None:
        name = _name("final_accounts")
        origin = ("pieces", "score_sheets")
        count = title.pieces.score_sheet.count
        yield Piece(kind="score-sheet", id="accounts", name=name, count=count, origin=origin)


def _offer_sheets(title: Title) -> Iterator[Piece]:
    if title.pieces.offer is not None:
        name = _name("initial_round")
        origin = ("pieces", "offer")
        yield Piece(kind="offer-sheet", id="offer", name=name, count=title.pieces.offer.count, origin=origin)


def _markers(title: Title) -> Iterator[Piece]:
    for marker in title.pieces.markers:
        origin = ("pieces", "markers", marker.id)
        yield Piece(kind="marker", id=marker.id, name=marker.name, count=marker.count, group=marker.id, origin=origin)


def _upgrade_charts(title: Title) -> Iterator[Piece]:
    if len({entry.tile.colour for entry in title.tiles}) > 1:
        name = _name("upgrade_chart")
        yield Piece(kind="upgrade-chart", id="upgrades", name=name, count=1, origin=("tiles",))


def _checklists(_title: Title) -> Iterator[Piece]:
    yield Piece(kind="checklist", id="checklist", name=_name("checklist"), count=1)


_KINDS = (
    Kind(
        id="map",
        name=_name("map"),
        pieces=_maps,
        documents=("map", "map-tiled"),
        size_mm=(38.6, 38.6),
        form=Form.HEXAGON,
        has_back=False,
    ),
    Kind(
        id="tile",
        name=_name("tiles"),
        pieces=_tiles,
        documents=("tiles",),
        is_read_behind=lambda title, tile: title.other_side(tile) is not None,
        size_mm=(38.1, 38.1),
        form=Form.HEXAGON,
    ),
    Kind(
        id="map-tile",
        name=_name("map_tiles"),
        pieces=_map_tiles,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        form=Form.HEXAGON,
    ),
    Kind(
        id="overlay",
        name=_name("overlays"),
        pieces=_overlays,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        form=Form.HEXAGON,
        goes_by_name=True,
    ),
    Kind(
        id="charter",
        name=_name("charters"),
        pieces=_charters,
        documents=("charters",),
        size_mm=(148.0, 105.0),
    ),
    Kind(
        id="certificate",
        name=_name("certificates"),
        pieces=_certificates,
        is_card=True,
        documents=("certificates",),
        size_mm=(88.0, 63.0),
    ),
    Kind(
        id="private",
        name=_name("privates"),
        pieces=_privates,
        is_card=True,
        documents=("certificates",),
        size_mm=(88.0, 63.0),
        larger_mm=((105.0, 75.0), (148.0, 105.0)),
        is_read_behind=lambda title, private: title.private(private).used is not None,
    ),
    Kind(
        id="train",
        name=_name("trains"),
        pieces=_trains,
        is_card=True,
        documents=("trains",),
        size_mm=(67.0, 44.0),
        is_read_behind=lambda title, train: bool(title.train_of_card(train).sides[1]),
    ),
    Kind(
        id="token",
        name=_name("tokens"),
        pieces=_tokens,
        documents=("tokens",),
        size_mm=(12.0, 12.0),
        form=Form.DISC,
    ),
    Kind(
        id="market",
        name=_name("stock_market"),
        pieces=_markets,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="revenue-chart",
        name=_name("revenue_chart"),
        pieces=_revenue_charts,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="round-track",
        name=_name("round_track"),
        pieces=_round_tracks,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="phase-card",
        name=_name("phase_cards"),
        pieces=_phase_cards,
        is_card=True,
        documents=("cards",),
        size_mm=(148.0, 105.0),
        larger_mm=_LARGER_AIDS_MM,
        is_read_behind=lambda title, card: any(each.back for each in title.pieces.phase_cards if each.id == card),
        goes_by_name=True,
        one_a_player=True,
    ),
    Kind(
        id="summary",
        name=_name("player_aids"),
        pieces=_summaries,
        is_card=True,
        documents=("cards",),
        size_mm=(148.0, 105.0),
        larger_mm=_LARGER_AIDS_MM,
        is_read_behind=lambda title, summary: any(aid.back for aid in title.aids if aid.id == summary),
        goes_by_name=True,
        one_a_player=True,
    ),
    Kind(
        id="number-card",
        name=_name("number_cards"),
        pieces=_number_cards,
        is_card=True,
        documents=("cards",),
        size_mm=(44.0, 67.0),
    ),
    Kind(
        id="priority-card",
        name=_name("priority_card"),
        pieces=_priority_cards,
        is_card=True,
        documents=("cards",),
        size_mm=(67.0, 44.0),
        goes_by_name=True,
    ),
    Kind(
        id="money",
        name=_name("money"),
        pieces=_money,
        is_card=True,
        documents=("money",),
        size_mm=(94.0, 49.0),
    ),
    Kind(
        id="marker",
        name=_name("markers"),
        pieces=_markers,
        documents=("tokens",),
        size_mm=(12.0, 12.0),
        form=Form.DISC,
        is_read_behind=lambda title, marker: any(
            each.back not in ("", each.text) for each in title.pieces.markers if each.id == marker
        ),
        goes_by_name=True,
    ),
    Kind(
        id="upgrade-chart",
        name=_name("upgrade_chart"),
        pieces=_upgrade_charts,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="checklist",
        name=_name("checklist"),
        pieces=_checklists,
        documents=("checklist",),
        has_back=False,
    ),
    Kind(
        id="capital-project",
        name=_name("capital_projects"),
        pieces=_capital_projects,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        goes_by_name=True,
    ),
    Kind(
        id="destination-card",
        name=_name("destination_cards"),
        pieces=_destination_cards,
        is_card=True,
        documents=("cards",),
        size_mm=(88.0, 63.0),
        goes_by_name=True,
    ),
    Kind(
        id="score-sheet",
        name=_name("score_sheets"),
        pieces=_score_sheets,
        documents=("score-sheets",),
        size_mm=(182.0, 256.0),
        has_back=False,
        goes_by_name=True,
    ),
    Kind(
        id="offer-sheet",
        name=_name("initial_round"),
        pieces=_offer_sheets,
        documents=("cards",),
        size_mm=(172.0, 236.0),
        larger_mm=((196.0, 266.0),),
        is_read_behind=lambda _title, _sheet: True,
    ),
    Kind(
        id="par-chart",
        name=_name("par_chart"),
        pieces=_par_charts,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="bank-board",
        name=_name("bank_board"),
        pieces=_bank_boards,
        documents=("boards",),
        has_back=False,
        goes_by_name=True,
    ),
)

KINDS: dict[str, Kind] = {kind.id: kind for kind in _KINDS}
"""Every kind by its id, in the order of printing."""


def add_kind(kind: Kind) -> None:
    """Register a kind of piece, after all others. Raises ValueError for an id that is taken."""
    if kind.id in KINDS:
        raise ValueError(f"there is already a kind of piece {kind.id!r}")
    KINDS[kind.id] = kind
