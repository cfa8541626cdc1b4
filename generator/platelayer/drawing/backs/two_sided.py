"""Backs of two-sided cards: what the card holds in play, or the back of its kind."""

from __future__ import annotations

from platelayer.drawing.backs.card import draw_card_back
from platelayer.drawing.kit.style import Style
from platelayer.model.kinds import PLAY
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene


def draw_train_back(title: Title, piece: Piece, style: Style) -> Scene:
    """The trains on the back of a train card."""
    from platelayer.drawing.train.card import draw_train_side

    if piece.back != PLAY:
        return draw_card_back(title, piece, style)
    return draw_train_side(title, piece.id, style, back=True)


def draw_private_back(title: Title, piece: Piece, style: Style) -> Scene:
    """What is left of a private whose ability is used."""
    from platelayer.drawing.company.private import draw_used_private

    if piece.back != PLAY:
        return draw_card_back(title, piece, style)
    return draw_used_private(title, piece.id, style)


def draw_phase_card_back(title: Title, piece: Piece, style: Style) -> Scene:
    """The later phases."""
    from platelayer.drawing.cards.phase_card import draw_phase_card_side

    if piece.back != PLAY:
        return draw_card_back(title, piece, style)
    return draw_phase_card_side(title, piece.id, style, back=True)


def draw_summary_back(title: Title, piece: Piece, style: Style) -> Scene:
    """The sections on the back of a player aid."""
    from platelayer.drawing.cards.summary import draw_summary_side

    if piece.back != PLAY:
        return draw_card_back(title, piece, style)
    return draw_summary_side(title, piece.id, style, back=True)


def draw_offer_sheet_back(title: Title, piece: Piece, style: Style) -> Scene:
    """Phases, trains and the upgrade table."""
    from platelayer.drawing.cards.offer_back import draw_offer_back

    return draw_offer_back(title, piece.id, style)
