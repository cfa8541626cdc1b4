"""Scores of finished maps: lower is better. The policy "best" keeps the lowest.

Terms, all counted in hexes or their edges:
- perimeter: edges between a hex and no hex, blanks included; a long rim makes a large, ragged, gappy board;
- length: LONG for each hex that the map measures in the longest of its three directions, so that it fits a table;
- crowding: CROWDED for each hex that the nearest other home of a home is nearer than APART;
- cramping: CRAMPED for each neighbour that a home lacks even with blanks (because of a border, or of too few blanks).
"""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.atlas.frontier import STEPS, axial_of
from platelayer.model.atlas import Axial

LONG = 6
CROWDED = 4
CRAMPED = 2
APART = 3
"""Homes at this distance have two hexes between them: room for the track of both."""


def score_of(covered: Sequence[int], blanks: Sequence[int], homes: Sequence[int]) -> int:
    """The score of a map of covered hexes, blanks and homes (whole numbers as in `frontier`)."""
    board = {*covered, *blanks}
    rim = sum(number + step not in board for number in board for step in STEPS)
    cramped = sum(home + step not in board for home in homes for step in STEPS)
    return (
        rim
        + LONG * _length([*map(axial_of, board)])
        + CROWDED * _crowding(homes)
        + CRAMPED * cramped
    )


def _length(board: Sequence[Axial]) -> int:
    ways = ([q for q, _ in board], [r for _, r in board], [q + r for q, r in board])
    return max(max(way) - min(way) + 1 for way in ways)


def _crowding(homes: Sequence[int]) -> int:
    places = [*map(axial_of, homes)]
    return sum(
        max(
            0,
            APART
            - min((home.steps_to(other) for other in places if other is not home), default=APART),
        )
        for home in places
    )
