"""A title and a piece of its manifest in, the scenes of its faces out: the table of what draws each kind."""

from __future__ import annotations

from collections.abc import Callable

from platelayer.drawing.certificate import draw_certificate
from platelayer.drawing.charter import draw_charter
from platelayer.drawing.checklist import draw_checklists
from platelayer.drawing.map import draw_map
from platelayer.drawing.marker import draw_marker
from platelayer.drawing.market import draw_market
from platelayer.drawing.number_card import draw_number_card
from platelayer.drawing.phase_card import draw_phase_card
from platelayer.drawing.priority_card import draw_priority_card
from platelayer.drawing.private import draw_private
from platelayer.drawing.revenue_chart import draw_revenue_chart
from platelayer.drawing.round_track import draw_round_track
from platelayer.drawing.style import Style
from platelayer.drawing.summary import draw_summary
from platelayer.drawing.tile import draw_tile
from platelayer.drawing.token import draw_token
from platelayer.drawing.train import draw_train
from platelayer.model.manifest import Manifest, Piece
from platelayer.model.title import Title
from platelayer.scene.legibility import MIN_NUMBER_PT, MIN_TEXT_PT
from platelayer.scene.shapes import Scene

_DRAW: dict[str, Callable[[Title, str, Style], Scene]] = {
    "map": draw_map,
    "tile": draw_tile,
    "charter": draw_charter,
    "certificate": draw_certificate,
    "private": draw_private,
    "train": draw_train,
    "token": draw_token,
    "market": draw_market,
    "revenue-chart": draw_revenue_chart,
    "round-track": draw_round_track,
    "phase-card": draw_phase_card,
    "summary": draw_summary,
    "number-card": draw_number_card,
    "priority-card": draw_priority_card,
    "marker": draw_marker,
}

CHECKLIST_PAGE_MM = (186.0, 256.0)
"""Size of a checklist page: fits both A4 and Letter with margins and footer."""


def draw_piece(title: Title, manifest: Manifest, piece: Piece, style: Style) -> tuple[Scene, ...]:
    """The scenes of one piece, front first: one, but for a checklist that runs over several pages."""
    if piece.kind == "checklist":
        return draw_checklists(title, manifest, style, *CHECKLIST_PAGE_MM)
    return (_DRAW[piece.kind](title, piece.id, style),)


def min_text_pt(scene: Scene) -> float:
    """The least size of text a scene may hold: 4 pt where tile numbers are (PRINT, "Legibility rules"), else 5 pt."""
    return MIN_NUMBER_PT if scene.key.startswith("tile:") else MIN_TEXT_PT
