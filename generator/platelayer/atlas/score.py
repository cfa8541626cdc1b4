"""A finished map in, one whole number out: the lower, the better a board it makes. The policy "best" keeps the lowest.

Terms, all counted in hexes or their edges:
- perimeter: edges between a hex and no hex, blanks included; a long rim makes a large, ragged, gappy board;
- crowding: CROWDING for each hex that the nearest other home of a home is nearer than APART;
- cramping: for each home, CRAMPED for each neighbour it lacks even with blanks (only borders cause that).
"""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.atlas.frontier import STEPS, axial_of

APART = 3
"""Homes at this distance have two hexes between them: room for track of both."""
CROWDING = 4
CRAMPED = 2


def score_of(covered: Sequence[int], blanks: Sequence[int], homes: Sequence[int]) -> int:
    """The score of a map of covered hexes, blanks and homes (whole numbers as in `frontier`)."""
    board = {*covered, *blanks}
    rim = sum(number + step not in board for number in board for step in STEPS)
    cramped = sum(home + step not in board for home in homes for step in STEPS)
    crowded = sum(
        max(0, APART - min((_distance(home, other) for other in homes if other != home), default=APART))
        for home in homes
    )
    return rim + CROWDING * crowded + CRAMPED * cramped


def _distance(one: int, other: int) -> int:
    q, r = axial_of(one - other)
    return max(abs(q), abs(r), abs(q + r))
