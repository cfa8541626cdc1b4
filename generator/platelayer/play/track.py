"""What the track of a tile joins."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.model.tile import EndKind, Tile


def joined_by(tile: Tile, barring: Sequence[int]) -> list[tuple[int, set[int]]]:
    """What track joins without going through some stops: the edges of each group, as bits, and its stops."""
    groups: list[set[tuple[EndKind, int]]] = []
    for segment in tile.track:
        ends = {(end.kind, end.index) for end in segment.ends}
        if not segment.is_track or any((EndKind.STOP, index) in ends for index in barring):
            continue
        meeting = [group for group in groups if group & ends]
        groups = [group for group in groups if group not in meeting]
        groups.append(ends.union(*meeting))
    return [
        (
            sum(1 << index for kind, index in group if kind is EndKind.EDGE),
            {index for kind, index in group if kind is EndKind.STOP},
        )
        for group in groups
    ]
