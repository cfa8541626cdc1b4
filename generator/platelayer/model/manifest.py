"""The list of every piece that a title prints."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from msgspec.structs import replace

from platelayer.foundation.values import Frozen, grouped
from platelayer.model.kinds import KINDS, Piece
from platelayer.model.title import Title


class Manifest(Frozen, kw_only=True, dict=True):
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
    def twins(self) -> list[list[Piece]]:
        """Pieces that share their `kind:id`, of which only one could be printed. None in a title
        that was read."""
        alike = grouped((piece.key, piece) for piece in self.pieces)
        return [pieces for pieces in alike.values() if len(pieces) > 1]


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


# Bank notes for titles whose boxes have none.


# Values of small notes with their greatest count, and the greatest share of the bank in them.
_SMALL = (
    (1, 40, 0.02),
    (5, 40, 0.05),
    (10, 50, 0.08),
    (20, 40, 0.1),
    (50, 30, 0.15),
    (100, 40, 0.3),
)
_LARGE, _LARGEST = 500, 1000
_MOST_OF_LARGE = 20


def notes_of(bank: int) -> tuple[tuple[int, int], ...]:
    """Values with counts that add up to the bank exactly: enough small notes to give change with,
    the rest in large ones."""
    counts = {value: min(most, int(bank * share) // value) for value, most, share in _SMALL}
    rest = bank - sum(value * count for value, count in counts.items())
    if rest // _LARGE > _MOST_OF_LARGE:
        # Half of the large notes, by value, are thousands.
        counts[_LARGEST] = rest // _LARGEST // 2
        rest -= counts[_LARGEST] * _LARGEST
    # From the largest down, so that what is left over becomes as few notes as possible.
    for value in (_LARGE, *(value for value, _, _ in reversed(_SMALL))):
        counts[value] = counts.get(value, 0) + rest // value
        rest %= value
    return tuple((value, counts[value]) for value in sorted(counts) if counts[value])
