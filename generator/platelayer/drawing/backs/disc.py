"""Backs of tokens and markers: the same as the front, or in reversed colours."""

from __future__ import annotations

from msgspec.structs import replace

from platelayer.drawing.cards.marker import draw_marker_side
from platelayer.drawing.company.token import draw_reversed_token, draw_token
from platelayer.drawing.kit.style import Style
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene


def draw_token_back(title: Title, piece: Piece, style: Style) -> Scene:
    """A station token is the same on both sides; a market token has its colours reversed."""
    draw = draw_reversed_token if piece.group == "market" else draw_token
    return replace(draw(title, piece.id, style), key=f"{piece.key}:back")


def draw_marker_back(title: Title, piece: Piece, style: Style) -> Scene:
    """A marker is the same on both sides, unless it has a text of its own on its back."""
    return draw_marker_side(title, piece.id, style, back=True)
