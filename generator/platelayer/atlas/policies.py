"""Policies: how likely the assembler makes each placement, by the edges along which it touches the
map.

All weights are whole numbers, so a seed gives the same map on every machine.
"""

from __future__ import annotations

from msgspec import Struct

MOST_CONTACTS = 12
"""Three hexes in a triangle have twelve outer edges."""

COMPACT_STRENGTH = 1.25
"""`compact` is a softmax on contacts: each additional edge makes a placement e ** COMPACT_STRENGTH
times as likely."""

# round(1000 * exp(COMPACT_STRENGTH * (contacts - 3))) for 3 to 12 contacts, after three that are
# never used.
COMPACT_WEIGHTS = (
    0,
    0,
    0,
    1000,
    3490,
    12182,
    42521,
    148413,
    518013,
    1808042,
    6310688,
    22026466,
    76879920,
)
EVEN_SWEEPS = 30
"""Changes for each tile, times the square of the tiles: at least nineteen times as many as it takes
a map to forget what it was like (benchmarks/atlas_spread.py, docs/atlas.md)."""
UNIFORM_WEIGHTS = (1,) * (MOST_CONTACTS + 1)


class Policy(Struct, frozen=True, kw_only=True):
    """How placements are chosen: `weights` by contacts, the number of whole maps of which the best
    is kept, and the changes for each tile, times the square of the tiles, by which a map is evened
    out (see `even`)."""

    id: str
    weights: tuple[int, ...]
    maps: int = 1
    sweeps: int = 0


POLICIES: dict[str, Policy] = {
    policy.id: policy
    for policy in (
        Policy(id="uniform", weights=UNIFORM_WEIGHTS),
        Policy(id="compact", weights=COMPACT_WEIGHTS),
        Policy(id="best", weights=COMPACT_WEIGHTS, maps=12),
        Policy(id="even", weights=UNIFORM_WEIGHTS, sweeps=EVEN_SWEEPS),
    )
}
