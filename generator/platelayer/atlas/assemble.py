"""The assembler of random maps.

The rules are those of the reference facts ("assembly_rules"). What they leave open is decided here:
- The first tile lies at (0, 0) and is not turned: a table has no north. It counts one alternative.
- Placements are alternatives if the hexes and what lies on them differ: a tile of three equal hexes fits a triangle in
  one way, any other tile in three.
- A draw that fits nowhere is a dead end: everything is shuffled (and dealt) again with the next numbers of the same
  random stream, and `restarts` goes up by one.
- A capital project that no city can take goes to the bottom; when nothing but such projects is left, the map is done.
- The steps, in this order, take numbers from the stream: deal and shuffle, then for each draw the choice of a placement
  (of those in the order of `frontier`, triangles sorted and turns 0 to 2 in each, the first whose weight and those
  before it add up to more than the number) or of a city (in the order they were laid). The first tile takes no number;
  a choice from a single option does. So a seed always gives the same map; ALGORITHM names this order of steps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Sequence
from itertools import accumulate, zip_longest
from typing import NamedTuple

from msgspec import Struct, field

from platelayer.atlas.layouts import (
    STEPS,
    Frontier,
    Pile,
    ProjectPiece,
    TilePiece,
    axial_of,
    borders_of,
    corners_of,
    draw_pile,
    even_map,
    looks_alike,
    number_of,
    placed_at,
)
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import (
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    Mode,
    ProjectDraw,
    TileDraw,
)

# Policies: the probability of each placement, by the number of edges along which it touches the
# map.
# All weights are whole numbers, so a seed gives the same map on every machine.


# Three hexes in a triangle have twelve outer edges.
MOST_CONTACTS = 12

# `compact` is a softmax on contacts: each additional edge multiplies the probability of a placement
# by e ** COMPACT_STRENGTH.
COMPACT_STRENGTH = 1.25

# round(1000 * exp(COMPACT_STRENGTH * (contacts - 3))) for 3 to 12 contacts, after three entries
# that are never used. Written out, because the last digit of exp() may differ between machines, and
# any other weight gives other maps.
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
# Number of changes per tile, as a multiple of the square of the number of tiles: at least nineteen
# times as many as a map needs to lose all traces of its initial state (benchmarks/atlas_spread.py,
# docs/atlas-method.md).
EVEN_SWEEPS = 30
UNIFORM_WEIGHTS = (1,) * (MOST_CONTACTS + 1)


class Policy(Struct, frozen=True):
    """Way of choosing placements: `weights` by contacts, the number of whole maps of which the best
    is kept, and the changes for each tile, times the square of the tiles, by which a map is evened
    out (see `even`)."""

    id: str
    weights: tuple[int, ...]
    maps: int = 1
    sweeps: int = 0


# Add new policies at the end: map codes contain the index.
POLICIES: dict[str, Policy] = {
    policy.id: policy
    for policy in (
        Policy("uniform", weights=UNIFORM_WEIGHTS),
        Policy("compact", weights=COMPACT_WEIGHTS),
        Policy("best", weights=COMPACT_WEIGHTS, maps=12),
        Policy("even", weights=UNIFORM_WEIGHTS, sweeps=EVEN_SWEEPS),
    )
}


# Scores of finished maps: lower is better. The policy "best" takes the map with the lowest score.
# Terms, all counted in hexes or their edges:
# - perimeter: edges between a hex and no hex, blanks included; a long perimeter makes a large,
# ragged board with gaps;
# - length: LONG for each hex of the map's length in the longest of its three directions, so that it
# fits a table;
# - crowding: CROWDED for each hex by which the nearest other home is nearer than APART;
# - cramping: CRAMPED for each neighbour that a home lacks even with blanks (because of a border, or
# of too few blanks).


LONG = 6
CROWDED = 4
CRAMPED = 2
# Homes at this distance have two hexes between them, which is room for the track of both.
APART = 3


def score_of(covered: Sequence[int], blanks: Sequence[int], homes: Sequence[int]) -> int:
    """Return the score of a map from its covered hexes, blanks and homes (whole numbers as in
    `frontier`)."""
    board = {*covered, *blanks}
    rim = sum(number + step not in board for number in board for step in STEPS)
    cramped = sum(home + step not in board for home in homes for step in STEPS)
    # In axial coordinates the third direction of a hex grid is q + r.
    axes = zip(*((q, r, q + r) for q, r in map(axial_of, board)), strict=True)
    length: int = max(max(axis) - min(axis) + 1 for axis in axes)
    return rim + LONG * length + CROWDED * _crowding(homes) + CRAMPED * cramped


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


# To be changed if, and only if, some seed gives a different map than before.
ALGORITHM = "platelayer.atlas.assemble/1"

DEFAULT_POLICY = "compact"
# Maximum number of consecutive dead ends: more do not happen by chance, so the box allows no map.
MAX_RESTARTS = 10_000


class NoMap(Exception):
    """Raised when MAX_RESTARTS assemblies of a mode ended in dead ends."""


class Assembly(Struct, kw_only=True):
    """A pile laid until it was empty or a tile did not fit: its draws, where homes and cities
    without a capital are, and what is where. `stuck` is the tile that fitted nowhere (None: all
    were laid)."""

    stack: int | None
    frontier: Frontier = field(default_factory=Frontier)
    draws: list[Draw] = []
    homes: list[int] = []
    cities: list[int] = []
    stuck: TilePiece | None = None


def assemble(
    box: AtlasBox,
    mode_id: str,
    *,
    seed: int,
    policy: str = DEFAULT_POLICY,
    blanks: int | None = None,
) -> AtlasLog:
    """Return a random map by the rules of the box; the same arguments always give the same map.

    `policy` is a key of POLICIES; `blanks` is the maximum number of blank overlays (None: one on
    every place that the rules fill; the box has `box.blank_overlays`). With the policy "best",
    `restarts` are those of the map that was kept. Raises KeyError for an unknown mode or policy,
    ValueError for a seed or a number of blanks out of range, NoMap.
    """
    if blanks is not None and blanks < 0:
        raise ValueError(f"the number of blanks is 0 or more, not {blanks}")
    mode, chosen, dice = box.mode_by_id[mode_id], POLICIES[policy], Dice(seed)
    # All maps of "best" use one stream: the second continues where the first ended. On equal scores
    # the first wins, as with min().
    finished = [_finish(box, mode, chosen, dice, blanks) for _ in range(chosen.maps)]
    best = finished[0]
    if chosen.maps > 1:
        best = min(
            finished,
            key=lambda each: score_of(
                each.assembly.frontier.covered, each.blanks, each.assembly.homes
            ),
        )
    return AtlasLog(
        mode=mode_id,
        seed=seed,
        policy=policy,
        algorithm=ALGORITHM,
        draws=tuple(best.assembly.draws),
        blanks=tuple(map(axial_of, best.blanks)),
        restarts=best.restarts,
        stack=best.assembly.stack,
        blank_limit=blanks,
    )


class _Finished(NamedTuple):
    assembly: Assembly
    blanks: tuple[int, ...]
    restarts: int


def _finish(box: AtlasBox, mode: Mode, policy: Policy, dice: Dice, blanks: int | None) -> _Finished:
    """Return one complete map, after as many restarts as it takes."""
    for restarts in range(MAX_RESTARTS):
        assembly = lay_pile(draw_pile(box, mode, dice), policy.weights, dice)
        if assembly.stuck is None:
            if policy.sweeps:
                assembly = _evened(box, mode, assembly, dice, policy.sweeps)
            return _Finished(
                assembly, lay_blanks(assembly.frontier, assembly.homes, blanks), restarts
            )
    raise NoMap(f"{MAX_RESTARTS} assemblies of mode {mode.id} ended in dead ends")


def _evened(box: AtlasBox, mode: Mode, start: Assembly, dice: Dice, sweeps: int) -> Assembly:
    """Return the map that a chain (`even`) reaches from another. Each project is drawn at a random
    time after its city, or at the end if no city can take it."""
    draws = [draw for draw in start.draws if isinstance(draw, TileDraw)]
    before = [placed_at(box.tile_by_number[draw.tile], draw.at, draw.rotation) for draw in draws]
    tiles, capitals = even_map(box, mode, before, dice, sweeps=sweeps)
    numbers = dict.fromkeys(
        draw.capital_project for draw in start.draws if isinstance(draw, ProjectDraw)
    )
    due: dict[int, list[tuple[int, int | None]]] = {}
    for project, city in zip_longest(numbers, capitals):
        # A project without a city (if there are fewer cities than projects) is drawn with or after
        # the last tile, when every city is taken: only then may it be deferred.
        laid = next(
            (index for index, tile in enumerate(tiles) if city in tile.hexes), len(tiles) - 1
        )
        due.setdefault(laid + dice.below(len(tiles) - laid), []).append((project, city))
    assembly = Assembly(stack=start.stack)
    copies: Counter[int] = Counter()
    for index, (tile, triangle, turn) in enumerate(tiles):
        copies[tile.number] += 1
        choice = Choice(triangle, turn, ways_to_lay(assembly.frontier, tile))
        put_tile(assembly, TilePiece(tile, copies[tile.number]), choice)
        for project, city in due.get(index, ()):
            put_overlay(assembly, project, city)
    return assembly


def lay_pile(
    pile: Pile, weights: Sequence[int], dice: Dice, start: Assembly | None = None
) -> Assembly:
    """Draw and lay a whole pile, or up to the first tile that fits nowhere. `weights` are those of
    a policy; `start` is what lies there already, and is extended."""
    assembly = start or Assembly(stack=pile.stack)
    left = deque(pile.pieces)
    # Deferred projects are drawn again as long as a city is free. Once every piece has been drawn
    # and no city is free, the loop must end.
    undrawn = len(left)
    while left and (undrawn > 0 or assembly.cities):
        piece = left.popleft()
        undrawn -= 1
        if isinstance(piece, ProjectPiece):
            cities = assembly.cities
            city = cities[dice.below(len(cities))] if cities else None
            put_overlay(assembly, piece.number, city)
            if city is None:
                left.append(piece)
            continue
        choice = choose_placement(assembly.frontier, piece.tile, weights, dice)
        if choice is None:
            assembly.stuck = piece
            break
        put_tile(assembly, piece, choice)
    return assembly


def put_overlay(assembly: Assembly, project: int, city: int | None) -> None:
    """Lay the overlay of a project on a city, or (None) put the project at the bottom of the
    pile."""
    place = None
    if city is not None:
        assembly.cities.remove(city)
        place = axial_of(city)
    assembly.draws.append(
        ProjectDraw(len(assembly.draws) + 1, capital_project=project, overlay_at=place)
    )


def put_tile(assembly: Assembly, piece: TilePiece, choice: Choice) -> None:
    """Lay a map tile on the chosen place."""
    tile = piece.tile
    corners = corners_of(choice.triangle)
    turn = choice.turn
    hexes = tuple(corners[(index + turn) % 3] for index in range(3))
    assembly.frontier.lay(hexes, [hexes[index] for index in borders_of(tile)])
    for number, hexagon in zip(hexes, tile.hexes, strict=True):
        if hexagon.ground is Ground.HOME:
            assembly.homes.append(number)
        elif hexagon.ground is Ground.CITY:
            assembly.cities.append(number)
    assembly.draws.append(
        TileDraw(
            len(assembly.draws) + 1,
            tile.number,
            piece.copy,
            axial_of(hexes[0]),
            (choice.triangle & 1) + 2 * turn,
            choice.among,
        )
    )


class Choice(NamedTuple):
    """A triangle, a rotation within it, and the number of distinct placements from which it was
    chosen."""

    triangle: int
    turn: int
    among: int


_FIRST = Choice(2 * number_of(Axial(0, 0)), 0, 1)


def choose_placement(
    frontier: Frontier, tile: MapTile, weights: Sequence[int], dice: Dice
) -> Choice | None:
    """Return a legal placement of a tile, with a probability proportional to the weight of its
    contacts; None if there is none."""
    if not frontier.covered:
        return _FIRST
    triangles, touching = frontier.places(), frontier.open
    if borders := borders_of(tile):
        ways = [
            (triangle, turn) for triangle in triangles for turn in frontier.turns(triangle, borders)
        ]
        if not ways:
            return None
        sums = list(accumulate([weights[touching[triangle]] for triangle, _ in ways]))
        triangle, turn = ways[bisect_right(sums, dice.below(sums[-1]))]
        return Choice(triangle, turn, len(ways))
    if not triangles:
        return None
    # As above, but with the turns of each triangle taken together, which needs a third of the sums.
    # The remainder of the number within the triangle's share gives the turn, so that equal numbers
    # give equal turns in both forms.
    turns = 1 if looks_alike(tile) else 3
    sums = list(accumulate([turns * weights[touching[triangle]] for triangle in triangles]))
    pick = dice.below(sums[-1])
    index = bisect_right(sums, pick)
    triangle = triangles[index]
    turn = turns - 1 - (sums[index] - 1 - pick) // weights[touching[triangle]]
    return Choice(triangle, turn, len(triangles) * turns)


def ways_to_lay(frontier: Frontier, tile: MapTile) -> int:
    """Return the number of distinct legal placements of a tile."""
    if not frontier.covered:
        return 1
    if borders := borders_of(tile):
        return sum(1 for triangle in frontier.places() for _ in frontier.turns(triangle, borders))
    return len(frontier.places()) * (1 if looks_alike(tile) else 3)


def lay_blanks(
    frontier: Frontier, homes: Sequence[int], limit: int | None = None
) -> tuple[int, ...]:
    """Hexes for blanks, sorted: every empty place beside a home, unless a border forbids it.

    If there are fewer to lay than places (the box has 12), they go where they matter most, one by
    one: to the home with the fewest neighbours so far; of its places to the one that serves most
    homes, then to the one that touches most of the map, then to the first by (q, r).
    """
    places = {home: frontier.empty_beside(home) for home in homes}
    wanted = set().union(*places.values())
    if limit is None or limit >= len(wanted):
        return tuple(sorted(wanted))
    laid: set[int] = set()
    while len(laid) < limit:
        free = {
            home: [place for place in beside if place not in laid]
            for home, beside in places.items()
        }
        # Blanks beside a home are space for its track. The home with the most open places is served
        # first, and ties are decided by the printed map, never by the order of a set.
        neediest = max(len(spots) for spots in free.values())
        needing = [place for spots in free.values() if len(spots) == neediest for place in spots]
        serves = {place: sum(place in spots for spots in free.values()) for place in needing}
        contacts = frontier.contacts
        laid.add(min(needing, key=lambda place: (-serves[place], -contacts.get(place, 0), place)))
    return tuple(sorted(laid))
