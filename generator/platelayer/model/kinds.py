"""Kinds of piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model import pieces
from platelayer.model.pieces import Piece

if TYPE_CHECKING:
    from platelayer.model.title import Title

_name = FixedWords("pieces")

PLAIN, PLAY = "plain", "play"

_LARGER_CARDS_MM = ((88.0, 63.0), (105.0, 75.0), (148.0, 105.0))
_LARGER_AIDS_MM = ((186.0, 128.0), (256.0, 182.0), (266.0, 198.0))
"""Two on A4 or Letter, one, and as much as a sheet of either holds."""


class Form(Enum):
    """How a piece is cut. A kind of hexes or discs has one length for its size: flat to flat, or the diameter."""

    RECTANGLE = "rectangle"
    HEXAGON = "hexagon"
    DISC = "disc"


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
    many as the most players need. A kind that `is_ours` is an aid that Platelayer makes of its own accord, or of
    numbers alone: it is left out rather than stop a print.
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
    is_ours: bool = False

    def back_of(self, title: Title, piece: Piece) -> str:
        """What the back of a piece is for."""
        if not self.has_back:
            return ""
        return PLAY if self.is_read_behind(title, piece.id) else PLAIN


_KINDS = (
    Kind(
        id="map",
        name=_name("map"),
        pieces=pieces.maps,
        documents=("map", "map-tiled"),
        size_mm=(38.6, 38.6),
        form=Form.HEXAGON,
        has_back=False,
    ),
    Kind(
        id="tile",
        name=_name("tiles"),
        pieces=pieces.tiles,
        documents=("tiles",),
        is_read_behind=lambda title, tile: title.other_side(tile) is not None,
        size_mm=(38.1, 38.1),
        form=Form.HEXAGON,
    ),
    Kind(
        id="map-tile",
        name=_name("map_tiles"),
        pieces=pieces.map_tiles,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        form=Form.HEXAGON,
    ),
    Kind(
        id="overlay",
        name=_name("overlays"),
        pieces=pieces.overlays,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        form=Form.HEXAGON,
        goes_by_name=True,
    ),
    Kind(
        id="charter",
        name=_name("charters"),
        pieces=pieces.charters,
        documents=("charters",),
        size_mm=(148.0, 105.0),
    ),
    Kind(
        id="certificate",
        name=_name("certificates"),
        pieces=pieces.certificates,
        is_card=True,
        documents=("certificates",),
        size_mm=(88.0, 63.0),
    ),
    Kind(
        id="private",
        name=_name("privates"),
        pieces=pieces.privates,
        is_card=True,
        documents=("certificates",),
        size_mm=(88.0, 63.0),
        larger_mm=_LARGER_CARDS_MM[1:],
        is_read_behind=lambda title, private: title.private(private).used is not None,
    ),
    Kind(
        id="train",
        name=_name("trains"),
        pieces=pieces.trains,
        is_card=True,
        documents=("trains",),
        size_mm=(67.0, 44.0),
        larger_mm=_LARGER_CARDS_MM,
        is_read_behind=lambda title, train: bool(title.train_of_card(train).sides[1]),
    ),
    Kind(
        id="token",
        name=_name("tokens"),
        pieces=pieces.tokens,
        documents=("tokens",),
        size_mm=(12.0, 12.0),
        form=Form.DISC,
    ),
    Kind(
        id="market",
        name=_name("stock_market"),
        pieces=pieces.markets,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="revenue-chart",
        name=_name("revenue_chart"),
        pieces=pieces.revenue_charts,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="round-track",
        name=_name("round_track"),
        pieces=pieces.round_tracks,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="phase-card",
        name=_name("phase_cards"),
        pieces=pieces.phase_cards,
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
        pieces=pieces.summaries,
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
        pieces=pieces.number_cards,
        is_card=True,
        documents=("cards",),
        size_mm=(44.0, 67.0),
        is_ours=True,
    ),
    Kind(
        id="priority-card",
        name=_name("priority_card"),
        pieces=pieces.priority_cards,
        is_card=True,
        documents=("cards",),
        size_mm=(67.0, 44.0),
        goes_by_name=True,
    ),
    Kind(
        id="money",
        name=_name("money"),
        pieces=pieces.money,
        is_card=True,
        documents=("money",),
        size_mm=(94.0, 49.0),
    ),
    Kind(
        id="marker",
        name=_name("markers"),
        pieces=pieces.markers,
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
        pieces=pieces.upgrade_charts,
        documents=("boards",),
        has_back=False,
        is_ours=True,
    ),
    Kind(
        id="checklist",
        name=_name("checklist"),
        pieces=pieces.checklists,
        documents=("checklist",),
        has_back=False,
        is_ours=True,
    ),
    Kind(
        id="capital-project",
        name=_name("capital_projects"),
        pieces=pieces.capital_projects,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        goes_by_name=True,
    ),
    Kind(
        id="destination-card",
        name=_name("destination_cards"),
        pieces=pieces.destination_cards,
        is_card=True,
        documents=("cards",),
        size_mm=(88.0, 63.0),
        goes_by_name=True,
    ),
    Kind(
        id="score-sheet",
        name=_name("score_sheets"),
        pieces=pieces.score_sheets,
        documents=("score-sheets",),
        size_mm=(182.0, 256.0),
        has_back=False,
        goes_by_name=True,
    ),
    Kind(
        id="offer-sheet",
        name=_name("initial_round"),
        pieces=pieces.offer_sheets,
        documents=("cards",),
        size_mm=(172.0, 236.0),
        larger_mm=((196.0, 266.0),),
        is_read_behind=lambda _title, _sheet: True,
    ),
    Kind(
        id="par-chart",
        name=_name("par_chart"),
        pieces=pieces.par_charts,
        documents=("boards",),
        has_back=False,
    ),
    Kind(
        id="bank-board",
        name=_name("bank_board"),
        pieces=pieces.bank_boards,
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
