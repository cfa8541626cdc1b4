"""The pieces to print, and how many of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from msgspec.structs import replace

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.suggestions import suggestion
from platelayer.model.kinds import KINDS, kinds_named
from platelayer.model.manifest import Manifest
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.pipeline.options import BuildOptions


def choose(title: Title, manifest: Manifest, options: BuildOptions) -> tuple[Piece, ...]:
    """The pieces requested by kind, by name and for a number of players, in printing order, with
    the counts to print.

    Raises CannotRun for pieces that do not exist, and if nothing is left.
    """
    only = {kind for word in options.only for kind in kinds_named(word)}
    without = {kind for word in options.without for kind in kinds_named(word)}
    wanted = tuple(piece for piece in manifest.pieces if not options.only or piece.kind in only)
    chosen = tuple(piece for piece in wanted if piece.kind not in without)
    if wanted and not chosen:
        raise CannotRun(
            f"without: nothing is left of {manifest.title} without {', '.join(options.without)}"
        )
    if not chosen:
        hint = "; money makes notes for its bank" if "money" in options.only else ""
        raise CannotRun(f"only: {manifest.title} has no {' or '.join(options.only)}{hint}")
    if options.pieces:
        chosen = tuple(_matching(manifest, chosen, options.pieces))
    if options.players is not None:
        chosen = needed(title, chosen, options.players)
        if not chosen:
            raise CannotRun(f"players {options.players}: none of the requested pieces is needed")
    if options.copies is not None:
        chosen = tuple(replace(piece, count=options.copies) for piece in chosen)
    return chosen


def _matching(
    manifest: Manifest, chosen: Sequence[Piece], patterns: Sequence[str]
) -> Iterator[Piece]:
    """Pieces whose `kind:id` (or kind) fits one of the patterns; a pattern that fits none is an
    error."""
    for pattern in patterns:
        if not any(_fits(piece, pattern) for piece in chosen):
            hint = suggestion(pattern, manifest.by_key, most=3) or "see platelayer manifest"
            raise CannotRun(
                f"pieces: {manifest.title} has no piece {pattern!r} among those requested; {hint}"
            )
    return (piece for piece in chosen if any(_fits(piece, pattern) for pattern in patterns))


def _fits(piece: Piece, pattern: str) -> bool:
    return fnmatchcase(piece.key, pattern) or piece.kind == pattern


def needed(title: Title, pieces: Sequence[Piece], players: int) -> tuple[Piece, ...]:
    """What that many players need: of pieces that come one per player (as many as the title's most
    players), only that many; of number cards from 1 to the most players, those up to their number.
    Raises CannotRun for a number of players that the title does not take."""
    counts = sorted(count.players for count in title.players)
    if players not in counts:
        raise CannotRun(f"players {players}: {title.id} {_takes(counts)}")
    most = counts[-1]
    numbered = title.pieces.number_cards == tuple(range(1, most + 1))
    chosen: list[Piece] = []
    for piece in pieces:
        if piece.kind == "number-card" and numbered:
            if int(piece.id) <= players:
                chosen.append(piece)
        elif KINDS[piece.kind].one_a_player and piece.count == most:
            chosen.append(replace(piece, count=players))
        else:
            chosen.append(piece)
    return tuple(chosen)


def _takes(counts: Sequence[int]) -> str:
    """For how many players a title is, in words."""
    if not counts:
        return "does not say for how many players it is"
    if list(counts) == list(range(counts[0], counts[-1] + 1)) and len(counts) > 1:
        return f"is for {counts[0]} to {counts[-1]} players"
    return f"is for {' or '.join(map(str, counts))} players"
