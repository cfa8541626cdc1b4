"""How each kind of piece is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct

from platelayer.model.kinds import KINDS, Kind, add_kind
from platelayer.model.title import Title
from platelayer.scene.legibility import MIN_PLAY_PT, MIN_TEXT_PT

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

    `reads` are the fields of a title that decide how its pieces look, beside the style (and, for `pages`, the manifest
    and the graph): as long as these stay the same, so do the pieces. A test watches what is read.
    """

    front: str = ""
    pages: str = ""
    back: str = ""
    safe_mm: float = CARD_SAFE_MM
    min_text_pt: float = MIN_TEXT_PT
    read_across: bool = False
    cost_ms: int = 20
    apart: bool = False
    reads: tuple[str, ...] = Title.__struct_fields__

    def draw(self, part: str) -> Callable[..., Any]:
        """The function for a part: "front", "pages" or "back"."""
        return _function(getattr(self, part))


@cache
def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module, "platelayer.drawing"), function)
    return found


_CARD_BACK = ".backs.card:draw_card_back"

LOOKS: dict[str, Look] = {
    "map": Look(
        front=".map.board:draw_map",
        cost_ms=400,
        apart=True,
        reads=(
            "bonuses",
            "companies",
            "credits",
            "currency",
            "line_up",
            "maps",
            "name",
            "phases",
            "pieces",
            "subtitle",
            "variant",
        ),
    ),
    "tile": Look(
        front=".hex.tile:draw_tile",
        back=".backs.hex:draw_tile_back",
        min_text_pt=MIN_PLAY_PT,
        cost_ms=3,
        apart=True,
        reads=("maps", "name", "pieces", "tiles"),
    ),
    "map-tile": Look(
        front=".map.map_tile:draw_map_tile",
        back=".backs.hex:draw_map_tile_back",
        min_text_pt=MIN_PLAY_PT,
        reads=("atlas", "companies", "id", "name", "pieces"),
    ),
    "overlay": Look(
        front=".map.overlay:draw_overlay",
        back=".backs.hex:draw_overlay_back",
        reads=("companies", "line_up", "maps", "name", "phases", "pieces"),
    ),
    "charter": Look(
        front=".company.charter:draw_charter",
        back=".backs.card:draw_charter_back",
        safe_mm=3.0,
        cost_ms=23,
        apart=True,
        reads=("atlas", "companies", "currency", "id", "line_up", "maps", "name", "phases", "pieces"),
    ),
    "certificate": Look(
        front=".company.certificate:draw_certificate",
        back=_CARD_BACK,
        read_across=True,
        cost_ms=27,
        reads=("companies", "id", "line_up", "name", "pieces"),
    ),
    "private": Look(
        front=".company.private:draw_private",
        back=".backs.two_sided:draw_private_back",
        min_text_pt=MIN_PLAY_PT,
        read_across=True,
        reads=("companies", "currency", "id", "line_up", "name", "phases", "pieces"),
    ),
    "train": Look(
        front=".train.card:draw_train",
        back=".backs.two_sided:draw_train_back",
        cost_ms=13,
        reads=("currency", "id", "market", "name", "phases", "pieces", "trains"),
    ),
    "token": Look(
        front=".company.token:draw_token",
        back=".backs.disc:draw_token_back",
        cost_ms=3,
        apart=True,
        min_text_pt=MIN_PLAY_PT,
        reads=("companies", "line_up", "pieces"),
    ),
    "market": Look(
        front=".boards.market:draw_market", apart=True, min_text_pt=MIN_PLAY_PT, reads=("market", "name", "pieces")
    ),
    "revenue-chart": Look(
        front=".boards.revenue_chart:draw_revenue_chart", min_text_pt=MIN_PLAY_PT, reads=("currency", "name", "pieces")
    ),
    "round-track": Look(
        front=".boards.round_track:draw_round_track",
        min_text_pt=MIN_PLAY_PT,
        reads=("currency", "name", "phases", "pieces"),
    ),
    "phase-card": Look(
        front=".cards.phase_card:draw_phase_card",
        back=".backs.two_sided:draw_phase_card_back",
        reads=("bonuses", "companies", "currency", "id", "name", "phases", "pieces", "trains"),
    ),
    "summary": Look(
        front=".cards.summary:draw_summary",
        back=".backs.two_sided:draw_summary_back",
        reads=("aids", "id", "name", "pieces"),
    ),
    "number-card": Look(front=".cards.number_card:draw_number_card", back=_CARD_BACK, reads=("id", "name", "pieces")),
    "priority-card": Look(
        front=".cards.priority_card:draw_priority_card", back=_CARD_BACK, reads=("id", "name", "pieces")
    ),
    "money": Look(
        front=".cards.money:draw_money",
        back=".backs.card:draw_money_back",
        read_across=True,
        reads=("currency", "name", "pieces"),
    ),
    "marker": Look(
        front=".cards.marker:draw_marker",
        back=".backs.disc:draw_marker_back",
        min_text_pt=MIN_PLAY_PT,
        reads=("pieces",),
    ),
    "upgrade-chart": Look(
        pages=".charts.upgrade_chart:upgrade_chart_pages",
        reads=("atlas", "chains", "colours", "maps", "name", "tiles", "upgrades"),
    ),
    "checklist": Look(
        pages=".charts.checklist:checklist_pages",
        cost_ms=190,
        reads=("aids", "colours", "companies", "maps", "name", "pieces", "provenance", "tiles", "variants"),
    ),
    "capital-project": Look(
        front=".map.capital_project:draw_capital_project",
        back=".backs.hex:draw_map_tile_back",
        min_text_pt=MIN_PLAY_PT,
        reads=("companies", "id", "name", "pieces"),
    ),
    "destination-card": Look(
        front=".cards.destination_card:draw_destination_card",
        back=_CARD_BACK,
        read_across=True,
        min_text_pt=MIN_PLAY_PT,
        reads=("colours", "currency", "id", "name", "pieces"),
    ),
    "score-sheet": Look(
        front=".boards.score_sheet:draw_score_sheet", reads=("companies", "line_up", "name", "pieces", "players")
    ),
    "offer-sheet": Look(
        front=".cards.offer_sheet:draw_offer_sheet",
        back=".backs.two_sided:draw_offer_sheet_back",
        reads=("bonuses", "chains", "colours", "companies", "currency", "name", "phases", "pieces", "tiles", "trains"),
    ),
    "bank-board": Look(
        front=".boards.bank_board:draw_bank_board",
        min_text_pt=MIN_PLAY_PT,
        reads=("companies", "currency", "line_up", "name", "phases", "pieces", "trains"),
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
