"""The list of every piece that a title prints."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from platelayer.foundation.properties import cached_property
from platelayer.model.kinds import KINDS
from platelayer.model.pieces import Piece
from platelayer.model.title import Title


class Manifest(Struct, frozen=True, kw_only=True, dict=True):
    """Everything a title prints, in printing order, and totals by kind and by kind/group."""

    title: str
    variant: str | None
    pieces: tuple[Piece, ...]

    @cached_property
    def totals(self) -> dict[str, int]:
        """Counts by `kind` and, where a kind has groups or sizes, by `kind/group` and `kind/size`;
        kinds in the order of KINDS."""
        counts: Counter[str] = Counter()
        for piece in self.pieces:
            counts[piece.kind] += piece.count
            for part in dict.fromkeys((piece.group, piece.size)):
                if part:
                    counts[f"{piece.kind}/{part}"] += piece.count
        return dict(counts)

    @cached_property
    def by_key(self) -> dict[str, Piece]:
        """Pieces by `kind:id`."""
        return {piece.key: piece for piece in self.pieces}

    @cached_property
    def twins(self) -> tuple[tuple[Piece, ...], ...]:
        """Pieces that share their `kind:id`, of which only one could be printed. None in a title
        that was read."""
        alike: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            alike.setdefault(piece.key, []).append(piece)
        return tuple(tuple(pieces) for pieces in alike.values() if len(pieces) > 1)


def build_manifest(title: Title) -> Manifest:
    """Every piece the title's definition implies. Raises nothing: names and counts are checked when
    a title is read."""
    pieces = tuple(
        replace(piece, back=kind.back_of(title, piece))
        for kind in KINDS.values()
        for piece in kind.pieces(title)
        if piece.count > 0
    )
    return Manifest(title=title.id, variant=title.variant, pieces=pieces)
