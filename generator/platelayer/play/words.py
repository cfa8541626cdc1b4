"""What the box holds and where track can go, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.play.reach import Reach
from platelayer.play.supply import Bound, Tightness

_NAMED = 12
"""The most hexes or tiles that a sentence names."""


def some(names: Sequence[str], most: int = _NAMED) -> str:
    """Names in a row; of many the first, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def bound_words(bound: Bound) -> str:
    """A bound as a sentence: the minimum cut, if it binds."""
    what = f"a {bound.colour} tile" + (f" ({bound.kind})" if bound.kind else "")
    hexes = f"{len(bound.want)} hex{'es' * (len(bound.want) != 1)}"
    if not bound.binds:
        return f"All of the {hexes} that can want {what} can have one at once."
    tiles = f"tile{'s' * (len(bound.tiles) != 1)} {some(bound.tiles)}"
    copies = f"{bound.copies} cop{'ies' if bound.copies != 1 else 'y'}"
    among = "they" if len(bound.short) == len(bound.want) else f"{len(bound.short)} of them"
    most = f"at most {bound.most} can have one at once"
    return f"Of {hexes} that can want {what}, {most}: {among} compete for {tiles} ({copies})."


def tightness_words(row: Tightness) -> str:
    """What a tile is wanted for, and how many there are."""
    copies = "as many copies as anybody wants" if row.copies is None else f"{row.copies} in the box"
    return f"{row.hexes} hexes can come to it, about {row.wanted:.1f} are expected to; {copies}"


def reach_words(reach: Reach) -> list[tuple[str, str]]:
    """Where track can go: pairs of a heading and a sentence."""
    rows: list[tuple[str, str]] = []
    before: tuple[str, ...] | None = None
    for phase in reach.phases:
        if phase.missed != before:
            missed = f"no track can get to {some(phase.missed, 40)}" if phase.missed else "track can get to every stop"
            rows.append((f"Phase {phase.phase} ({', '.join(phase.colours)})" if phase.phase else "All colours", missed))
        before = phase.missed
    if reach.never:
        rows.append(("Never", f"no train will ever run on {some(reach.never, 40)}"))
    for cut in reach.cuts:
        rows.append((f"Cut at {cut.hex}", f"once its slots are full, nobody else gets past it to {some(cut.beyond)}"))
    for home in reach.walled_in:
        rows.append(
            (f"{home.company} in {home.home}", f"tile {home.lay} on {home.hex}, its only way out, closes it for good")
        )
    return rows
