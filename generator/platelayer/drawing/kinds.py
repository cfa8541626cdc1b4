"""How each kind of piece is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct

from platelayer.model.kinds import KINDS, Kind, add_kind
from platelayer.model.title import Title
from platelayer.scene.legibility import MIN_PLAY_PT

OWN = "company"
"""What a piece reads if it reads anything of the company that it belongs to."""
OWN_HEXES = "company.hexes"
"""What it reads if it reads of hexes only those that this company names."""
OWN_ROUNDEL = "company.division"
"""What it reads if it reads of the roundels of all companies only how that of this one is divided."""
OWN_TILE = "tile"
"""What a tile reads if it reads of tiles only itself and its other side."""
SIZES = "pieces.sizes:"
"""Before a kind of piece: the sizes that a title gives to that kind, or to single pieces of it."""

CARD_SAFE_MM = 3.2
"""How far inside its trim everything readable on a card stays: a little more than the eighth of an inch that shops ask
for."""


class Look(Struct, frozen=True, kw_only=True):
    """How a kind of piece is drawn. Functions are named `module:function`, modules within `platelayer.drawing` by a
    leading dot; they are imported when the first piece of the kind is drawn: a tile does not wait for locomotives.

    `front` draws `(title, piece_id, style) -> Scene`; `pages` instead of it, for kinds of several pages,
    `(title, manifest, graph, style) -> tuple[Scene, ...]`; `back` `(title, piece, style) -> Scene`. `safe_mm` is the
    safe zone, `min_text_pt` the least size of what is read. `read_across` is for cards whose backs are read across,
    however they lie. `cost_ms` is the time to draw, check and paint one piece, measured with 18EU, so that slow pieces
    start first; pieces of a kind share a job where each is a picture of its own unless `apart`.

    `reads` is what decides how its pieces look, beside the style: fields of a title, or parts of them ("maps.layout"
    is the layout of each map), sizes by kind, OWN for all of a piece's own company, OWN_HEXES, OWN_ROUNDEL, OWN_TILE,
    "manifest" and "graph". As long as these stay the same, so do the pieces. A test watches what is read.
    """

    front: str = ""
    pages: str = ""
    back: str = ""
    safe_mm: float = CARD_SAFE_MM
    min_text_pt: float = MIN_PLAY_PT
    read_across: bool = False
    cost_ms: int = 20
    apart: bool = False
    reads: tuple[str, ...] = (*Title.__struct_fields__, "manifest", "graph")

    def draw(self, part: str) -> Callable[..., Any]:
        """The function for a part: "front", "pages" or "back"."""
        return _function(getattr(self, part))


@cache
def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module, "platelayer.drawing"), function)
    return found


_CARD_BACK = ".backs.card:draw_card_back"

_PATTERNS = tuple(
    f"{field}.{part}" for field in ("companies", "line_up") for part in ("block", "id", "kind", "roundel", "token_text")
)
"""What decides how the roundels of all companies are divided."""
_ROUNDELS = (*_PATTERNS, *(f"companies.{part}" for part in ("colour", "logo", "second", "text_colour")))

LOOKS: dict[str, Look] = {
    "map": Look(
        front=".boards.map_sheet:draw_map",
        cost_ms=400,
        apart=True,
        reads=(
            *_ROUNDELS,
            "bonuses",
            "companies.blocks",
            "companies.destination",
            "companies.homes",
            "credits",
            "currency",
            "maps",
            "market",
            "name",
            "phases.id",
            "phases.operating_rounds",
            "phases.revenue",
            "phases.tiles",
            "pieces",
            "players",
            "subtitle",
            "variant",
        ),
    ),
    "tile": Look(
        front=".hex.tile:draw_tile",
        back=".backs.hex:draw_tile_back",
        cost_ms=3,
        apart=True,
        reads=("maps.layout", "name", SIZES + "tile", OWN_TILE),
    ),
    "map-tile": Look(
        front=".map.map_tile:draw_map_tile",
        back=".backs.hex:draw_map_tile_back",
        reads=(
            *_ROUNDELS,
            "atlas",
            "companies.blocks",
            "companies.destination",
            "companies.homes",
            "companies.name",
            "id",
            "name",
            "phases.id",
            SIZES + "map-tile",
        ),
    ),
    "overlay": Look(
        front=".map.overlay:draw_overlay",
        back=".backs.hex:draw_overlay_back",
        reads=(
            *_ROUNDELS,
            "companies.blocks",
            "companies.destination",
            "companies.homes",
            "maps.hexes",
            "maps.inside",
            "maps.layout",
            "maps.regions",
            "maps.rivers",
            "name",
            "phases.id",
            "pieces.overlays",
            SIZES + "overlay",
        ),
    ),
    "charter": Look(
        front=".company.charter:draw_charter",
        back=".backs.card:draw_charter_back",
        safe_mm=3.0,
        cost_ms=23,
        apart=True,
        reads=(
            OWN_ROUNDEL,
            "atlas",
            OWN,
            "currency",
            "id",
            OWN_HEXES,
            "name",
            "phases.id",
            "phases.tiles",
            "phases.train_limits",
            SIZES + "charter",
            SIZES + "token",
            SIZES + "train",
            "trains",
        ),
    ),
    "certificate": Look(
        front=".company.certificate:draw_certificate",
        back=_CARD_BACK,
        read_across=True,
        cost_ms=27,
        reads=(OWN_ROUNDEL, OWN, "id", "name", SIZES + "certificate"),
    ),
    "private": Look(
        front=".company.private:draw_private",
        back=".backs.two_sided:draw_private_back",
        read_across=True,
        reads=(
            OWN_ROUNDEL,
            OWN,
            "currency",
            "id",
            OWN_HEXES,
            "maps.layout",
            "name",
            "phases.id",
            SIZES + "private",
            "tiles",
        ),
    ),
    "train": Look(
        front=".train.card:draw_train",
        back=".backs.two_sided:draw_train_back",
        cost_ms=13,
        reads=("currency", "id", "market", "name", "phases", SIZES + "train", "trains"),
    ),
    "token": Look(
        front=".company.token:draw_token",
        back=".backs.disc:draw_token_back",
        cost_ms=3,
        apart=True,
        reads=(OWN_ROUNDEL, OWN, SIZES + "token"),
    ),
    "market": Look(front=".boards.market:draw_market", apart=True, reads=("market", "name", SIZES + "token")),
    "revenue-chart": Look(
        front=".boards.revenue_chart:draw_revenue_chart",
        reads=("currency", "name", "pieces.revenue_chart", SIZES + "token"),
    ),
    "par-chart": Look(
        front=".boards.par_chart:draw_par_chart",
        min_text_pt=MIN_PLAY_PT,
        reads=("currency", "market", "name", "pieces.par_chart", SIZES + "token"),
    ),
    "round-track": Look(
        front=".boards.round_track:draw_round_track",
        reads=(
            "currency",
            "name",
            "phases.id",
            "phases.operating_rounds",
            "phases.tiles",
            "pieces.cycles",
            "pieces.rounds",
            "pieces.rounds_note",
            "pieces.rounds_once",
        ),
    ),
    "phase-card": Look(
        front=".cards.phase_card:draw_phase_card",
        back=".backs.two_sided:draw_phase_card_back",
        reads=(
            "bonuses",
            "companies.name",
            "companies.size",
            "currency",
            "id",
            "name",
            "phases",
            "pieces.phase_cards",
            SIZES + "phase-card",
            "trains",
        ),
    ),
    "summary": Look(
        front=".cards.summary:draw_summary",
        back=".backs.two_sided:draw_summary_back",
        reads=(
            "aids",
            "bonuses",
            "companies.name",
            "companies.size",
            "currency",
            "id",
            "name",
            "phases",
            SIZES + "summary",
            "trains",
        ),
    ),
    "number-card": Look(
        front=".cards.number_card:draw_number_card",
        back=_CARD_BACK,
        reads=("id", "name", "pieces.number_cards", SIZES + "number-card"),
    ),
    "priority-card": Look(
        front=".cards.priority_card:draw_priority_card", back=_CARD_BACK, reads=("id", "name", SIZES + "priority-card")
    ),
    "money": Look(
        front=".cards.money:draw_money",
        back=".backs.card:draw_money_back",
        read_across=True,
        reads=("currency", "name", "pieces.money", SIZES + "money"),
    ),
    "marker": Look(
        front=".cards.marker:draw_marker",
        back=".backs.disc:draw_marker_back",
        reads=("pieces.markers", SIZES + "marker"),
    ),
    "upgrade-chart": Look(
        pages=".charts.upgrade_chart:upgrade_chart_pages",
        reads=("atlas", "chains", "colours", "graph", "maps.hexes", "maps.layout", "name", "tiles", "upgrades"),
    ),
    "checklist": Look(
        pages=".charts.checklist:checklist_pages",
        cost_ms=190,
        reads=(
            "aids",
            "colours",
            "companies.block",
            "companies.id",
            "companies.name",
            "manifest",
            "maps.id",
            "maps.layout",
            "maps.name",
            "name",
            "pieces.box",
            "pieces.markers",
            "provenance",
            "tiles",
            "variants",
        ),
    ),
    "capital-project": Look(
        front=".map.capital_project:draw_capital_project",
        back=".backs.hex:draw_map_tile_back",
        reads=(
            *_PATTERNS,
            "companies.blocks",
            "companies.destination",
            "companies.homes",
            "id",
            "name",
            "phases.id",
            SIZES + "capital-project",
        ),
    ),
    "destination-card": Look(
        front=".cards.destination_card:draw_destination_card",
        back=_CARD_BACK,
        read_across=True,
        reads=("colours", "currency", "id", "name", "pieces.destination_cards", SIZES + "destination-card"),
    ),
    "score-sheet": Look(
        front=".boards.score_sheet:draw_score_sheet",
        reads=(*_ROUNDELS, "companies.certificates", "name", "pieces.score_sheet", SIZES + "score-sheet", "players"),
    ),
    "offer-sheet": Look(
        front=".cards.offer_sheet:draw_offer_sheet",
        back=".backs.two_sided:draw_offer_sheet_back",
        reads=(
            "bonuses",
            "chains",
            "colours",
            "companies.class_name",
            "companies.colour",
            "companies.income",
            "companies.kind",
            "companies.name",
            "companies.second",
            "companies.second_name",
            "companies.size",
            "companies.text_colour",
            "companies.token_text",
            "companies.value",
            "currency",
            "name",
            "phases",
            "pieces.offer",
            SIZES + "offer-sheet",
            "tiles",
            "trains",
        ),
    ),
    "bank-board": Look(
        front=".boards.bank_board:draw_bank_board",
        reads=(
            *_ROUNDELS,
            "bonuses",
            "companies.certificates",
            "companies.name",
            "companies.size",
            "currency",
            "name",
            "phases",
            "pieces.bank_board",
            "pieces.sizes",
            "trains",
        ),
    ),
}


def add_piece_kind(kind: Kind, look: Look) -> None:
    """Add a kind of piece of your own: it is listed, drawn, laid out and printed like any other.

    Raises ValueError for an id that is taken, and for a look that lacks a front, or the back that the kind has.
    """
    if bool(look.front) == bool(look.pages):
        raise ValueError(f"{kind.id!r} needs either a front or pages")
    if kind.has_back and not look.back:
        raise ValueError(f"{kind.id!r} has a back, but nothing draws it")
    add_kind(kind)
    LOOKS[kind.id] = look


_SHIPPED = frozenset(LOOKS)


def added_kinds() -> tuple[tuple[Kind, Look], ...]:
    """The kinds that `add_piece_kind` has added: newly started processes do not know them."""
    return tuple((KINDS[each], look) for each, look in LOOKS.items() if each not in _SHIPPED)


def know_kinds(added: Iterable[tuple[Kind, Look]]) -> None:
    """Add kinds that are not known yet."""
    for kind, look in added:
        if kind.id not in LOOKS:
            add_piece_kind(kind, look)


def look_of(scene_key: str) -> Look:
    """The look of the kind that a scene's key begins with ("tile:57"); that of a plain card for other scenes."""
    return LOOKS.get(scene_key.partition(":")[0]) or Look()
