"""Stacks: how high the pieces of a title lie, by what they are printed on."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from platelayer.model.kinds import AIDS, BOARDS, CARDS, CHARTERS, DISCS, HEXES, KINDS, NOTES, SHEETS
from platelayer.model.pieces import Piece

THICKNESS_MM = {
    BOARDS: 1.0,
    HEXES: 1.6,
    DISCS: 1.6,
    CHARTERS: 0.34,
    CARDS: 0.32,
    AIDS: 0.32,
    NOTES: 0.12,
    SHEETS: 0.12,
}
"""A piece by its sort: greyboard with a print on both sides, card of 300 g, paper of 120 g; boards
are prints on paper, folded to eight layers."""


class Stack(Struct, frozen=True, kw_only=True):
    """All pieces of a sort in one pile: how many, the largest width and height of them (portrait), and its height, in
    mm."""

    sort: str
    count: int
    width_mm: float
    height_mm: float
    high_mm: float

    @property
    def volume_mm3(self) -> float:
        """The room that it takes."""
        return self.width_mm * self.height_mm * self.high_mm


def stacks(pieces: Iterable[tuple[Piece, float, float]]) -> tuple[Stack, ...]:
    """Stacks of pieces with their widths and heights, in the order of the sorts. Pieces of different sizes lie on each
    other."""
    by_sort: dict[str, list[tuple[Piece, float, float]]] = {}
    for piece, width, height in pieces:
        sized = (piece, min(width, height), max(width, height))
        by_sort.setdefault(KINDS[piece.kind].sort, []).append(sized)
    return tuple(
        Stack(
            sort=sort,
            count=sum(piece.count for piece, _, _ in by_sort[sort]),
            width_mm=max(width for _, width, _ in by_sort[sort]),
            height_mm=max(height for _, _, height in by_sort[sort]),
            high_mm=math.fsum([thick * piece.count for piece, _, _ in by_sort[sort]]),
        )
        for sort, thick in THICKNESS_MM.items()
        if sort in by_sort
    )
