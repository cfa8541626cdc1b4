"""A piece with a back in, the scene of that back out: as large as its front, its outline seen from behind.

Each kind has its own way, imported when the first back of the kind is drawn. Pieces that must not be told apart face
down share one scene, whose key names what they share ("back:certificate:88x63").
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from platelayer.drawing.style import Style
from platelayer.model.manifest import Manifest, Piece
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene

Draw = Callable[[Title, Piece, Style], Scene]

_CARD, _HEX, _DISC, _SIDE = "back_card", "back_hex", "back_disc", "back_side"
_DRAWN = {
    "tile": (_HEX, "draw_tile_back"),
    "overlay": (_HEX, "draw_overlay_back"),
    "map-tile": (_HEX, "draw_map_tile_back"),
    "capital-project": (_HEX, "draw_map_tile_back"),
    "charter": (_CARD, "draw_charter_back"),
    "certificate": (_CARD, "draw_card_back"),
    "private": (_CARD, "draw_card_back"),
    "train": (_SIDE, "draw_train_back"),
    "phase-card": (_SIDE, "draw_phase_card_back"),
    "summary": (_CARD, "draw_card_back"),
    "number-card": (_CARD, "draw_card_back"),
    "priority-card": (_CARD, "draw_card_back"),
    "money": (_CARD, "draw_money_back"),
    "destination-card": (_CARD, "draw_card_back"),
    "offer-sheet": (_SIDE, "draw_offer_sheet_back"),
    "token": (_DISC, "draw_token_back"),
    "marker": (_DISC, "draw_marker_back"),
}


def draw_back(title: Title, manifest: Manifest, piece: Piece, style: Style) -> Scene | None:
    """The back of a piece of the manifest: width, height, bleed and safe zone are those of its front, its outline the
    front's mirrored left to right. None for a piece without a back (`piece.back` is "").

    The key is `kind:id:back`, or one that all pieces with the same back share.
    """
    del manifest
    if not piece.back:
        return None
    module, name = _DRAWN[piece.kind]
    draw: Draw = getattr(import_module(f"platelayer.drawing.{module}"), name)
    return draw(title, piece, style)
