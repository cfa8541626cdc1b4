"""Estimates of the number of legal maps of a mode.

Every map that is drawn stands for as many as make its kind likely: with p the probability of its
draws, and n the orders in which its tiles can be laid, 1 / (p n) is on average the number of
layouts, whatever is drawn and however placements are weighted (Knuth, "Estimating the efficiency of
backtrack programs", 1975; dead ends count 0). Weights that favour few contacts draw maps nearer to
all maps, so that fewer of them carry most of the sum. Orders are counted exactly, subset by subset,
which limits this to modes of few tiles.

Two maps are the same if one is the other moved or turned on the table; copies of a tile look alike.
A layout that a turn brings onto itself is counted for less than 1; there is none where two tiles
have no twin.

Where few samples carry most of the sum, maps drawn evenly tell the rest: an even map, laid in an
even order, is drawn 1 / (number of maps) times as often as it stands for others. Both together make
a bridge (Meng and Wong, "Simulating ratios of normalizing constants via a simple identity", 1996),
whose terms are bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb, exp, factorial, fsum, perm, prod, sqrt
from statistics import fmean, variance

from msgspec import Struct

from platelayer.atlas.assemble import POLICIES, assemble, lay_pile
from platelayer.atlas.layouts import (
    MIN_CONTACTS,
    STEPS,
    Frontier,
    Placed,
    borders_of,
    corners_of,
    draw_pile,
    looks_alike,
    placed_at,
    tiles_in_play,
)
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import AtlasBox, Ground, Mode, TileDraw

MOST_TILES = 16
"""Tiles of a mode whose orders can be counted: there are 2 ** tiles subsets."""


class Estimate(Struct, frozen=True, kw_only=True):
    """The number of maps, its standard error, and from how many samples."""

    maps: float
    error: float
    samples: int


def loosening(strength: float) -> tuple[int, ...]:
    """Weights by contacts: each additional one makes a placement e ** -strength times as likely; 0
    is uniform."""
    return tuple(
        max(1, round(100_000 * exp(-strength * (contacts - MIN_CONTACTS))))
        for contacts in range(13)
    )


def estimate_maps(
    box: AtlasBox,
    mode: Mode,
    *,
    samples: int,
    seed: int,
    weights: Sequence[int] = POLICIES["uniform"].weights,
) -> Estimate:
    """The number of legal maps of a mode, capitals included, by maps drawn with these weights.
    Raises ValueError for a mode of more than MOST_TILES."""
    dice = Dice(seed)
    found = [_stands_for(box, mode, dice, weights) for _ in range(samples)]
    mean = fsum(found) / samples
    squares = fsum((each - mean) ** 2 for each in found)
    return Estimate(maps=mean, error=sqrt(squares / (samples - 1) / samples), samples=samples)


def _stands_for(box: AtlasBox, mode: Mode, dice: Dice, weights: Sequence[int]) -> float:
    """A number of maps whose mean is that of all maps."""
    assembly = lay_pile(draw_pile(box, mode, dice), weights, dice)
    if assembly.stuck is not None:
        return 0.0
    draws = [draw for draw in assembly.draws if isinstance(draw, TileDraw)]
    tiles = [placed_at(box.tile_by_number[draw.tile], draw.at, draw.rotation) for draw in draws]
    return float(maps_for(box, mode, tiles, unlikelihood(tiles, weights)))


def bridge_maps(
    box: AtlasBox,
    mode: Mode,
    *,
    samples: int,
    seed: int,
    weights: Sequence[int] = POLICIES["uniform"].weights,
) -> tuple[list[float], list[float]]:
    """What each map stands for, as in `estimate_maps`: of some maps drawn with these weights, and
    of as many of the policy even, each in an even order. `joined` makes an estimate of them."""
    dice = Dice(seed)
    drawn = [_stands_for(box, mode, dice, weights) for _ in range(samples)]
    even = []
    for number in range(samples):
        log = assemble(box, mode.id, seed=seed * samples + number, policy="even")
        laid = [
            placed_at(box.tile_by_number[draw.tile], draw.at, draw.rotation) for draw in log.placed
        ]
        tiles = even_order(laid, dice)
        even.append(float(maps_for(box, mode, tiles, unlikelihood(tiles, weights))))
    return drawn, even


def joined(drawn: Sequence[float], even: Sequence[float]) -> Estimate:
    """The number of maps by both, with the standard error of independent samples
    (Frühwirth-Schnatter 2004)."""
    share = len(drawn) / (len(drawn) + len(even))

    def terms(maps: float) -> tuple[list[float], list[float]]:
        """Each sample beside a mixture of both ways to draw."""
        mixed = [value / maps / (share + (1 - share) * value / maps) for value in drawn]
        return mixed, [1 / (share + (1 - share) * value / maps) for value in even]

    maps = fsum(drawn) / len(drawn)
    for _ in range(_MOST_ROUNDS):
        above, below = terms(maps)
        ratio = fsum(above) / len(above) * len(below) / fsum(below)
        maps *= ratio
        if abs(ratio - 1) < _NEAR_ENOUGH:
            break
    parts = sum(variance(part) / fmean(part) ** 2 / len(part) for part in terms(maps))
    return Estimate(maps=maps, error=maps * sqrt(parts), samples=len(drawn) + len(even))


_MOST_ROUNDS, _NEAR_ENOUGH = 1000, 1e-9


def unlikelihood(tiles: Sequence[Placed], weights: Sequence[int]) -> Fraction:
    """One divided by the probability of these placements, in this order, with weights by contacts;
    with equal weights the product of the alternatives."""
    frontier, product = Frontier(), Fraction(1)
    for number, (tile, triangle, turn) in enumerate(tiles):
        borders = borders_of(tile)
        if number:
            ways = [
                (where, 1 if looks_alike(tile) else sum(1 for _ in frontier.turns(where, borders)))
                for where in frontier.places()
            ]
            whole = sum(weights[frontier.open[where]] * turns for where, turns in ways)
            product *= Fraction(whole, weights[frontier.open[triangle]])
        corners = corners_of(triangle)
        hexes = tuple(corners[(index + turn) % 3] for index in range(3))
        frontier.lay(hexes, [hexes[index] for index in borders])
    return product


def maps_for(
    box: AtlasBox, mode: Mode, tiles: Sequence[Placed], alternatives: Fraction | int
) -> Fraction:
    """The number of maps that a layout stands for, which was laid with this product of
    alternatives."""
    used = Counter(each.tile.number for each in tiles)
    in_play = Counter(piece.tile.number for piece in tiles_in_play(box, mode))
    piles = factorial(len(tiles))
    if mode.stacks:
        homes = sum(mode.deals_as_home(piece.tile) for piece in tiles_in_play(box, mode))
        piles *= comb(homes, mode.homes_per_stack)
        piles *= comb(in_play.total() - homes, len(tiles) - mode.homes_per_stack)
    alike = prod(perm(in_play[number], count) for number, count in used.items())
    cities = sum(each.ground is Ground.CITY for placed in tiles for each in placed.tile.hexes)
    capitals = comb(cities, min(cities, mode.capital_projects))
    # A first tile of three equal hexes lies unturned in three ways.
    first = 3 if looks_alike(tiles[0].tile) else 1
    return Fraction(piles * alternatives * capitals, alike * first * orders_of(tiles))


def orders_of(tiles: Sequence[Placed]) -> int:
    """In how many orders the tiles of a layout can be laid. Raises ValueError for more than
    MOST_TILES."""
    return _orders(tiles, _edges(tiles))[-1]


def even_order(tiles: Sequence[Placed], dice: Dice) -> list[Placed]:
    """The tiles of a layout in one of the orders in which they can be laid, each as likely. Raises
    ValueError as `orders_of` does."""
    edges = _edges(tiles)
    orders = _orders(tiles, edges)
    laid, found = len(orders) - 1, list[Placed]()
    while laid:
        last = dice.below(orders[laid])
        for new, tile in enumerate(tiles):
            before = laid & ~(1 << new)
            if before == laid or (before and not _may_follow(edges[new], before)):
                continue
            ways = orders[before] if before else 1
            if last < ways:
                laid = before
                found.append(tile)
                break
            last -= ways
    return found[::-1]


def _edges(tiles: Sequence[Placed]) -> list[list[int]]:
    """Along how many edges each tile touches each other."""
    if len(tiles) > MOST_TILES:
        raise ValueError(
            f"orders of {len(tiles)} tiles are too many to count; at most {MOST_TILES}"
        )
    owner = {hexagon: index for index, placed in enumerate(tiles) for hexagon in placed.hexes}
    edges = [[0] * len(tiles) for _ in tiles]
    for hexagon, index in owner.items():
        for step in STEPS:
            if (other := owner.get(hexagon + step, index)) != index:
                edges[index][other] += 1
    return edges


def _may_follow(edges: Sequence[int], laid: int) -> bool:
    """Whether a tile touches enough of those laid, in bits."""
    return sum(count for other, count in enumerate(edges) if laid >> other & 1) >= MIN_CONTACTS


def _orders(tiles: Sequence[Placed], edges: Sequence[Sequence[int]]) -> list[int]:
    """In how many orders each set of the tiles, in bits, can be laid."""
    orders = [0] * (1 << len(tiles))
    for first in range(len(tiles)):
        orders[1 << first] = 1
    for laid in range(1, 1 << len(tiles)):
        if not (ways := orders[laid]):
            continue
        before = [number for number in range(len(tiles)) if laid >> number & 1]
        for new, around in enumerate(edges):
            if not laid >> new & 1 and sum(map(around.__getitem__, before)) >= MIN_CONTACTS:
                orders[laid | 1 << new] += ways
    return orders
