"""The rules of assembly read a second time, plainly, for tests: a log in, what is wrong with it
out.

And the assembler a second time, from what its docstring says of the order of its steps: brute
force, no shortcuts. Shares with the first nothing but types, the geometry of a tile, and the stream
of random numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import exp

from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import (
    NEIGHBOURS,
    AtlasBox,
    AtlasHex,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    ProjectDraw,
    TileDraw,
    tile_hexes,
)

Held = dict[Axial, AtlasHex]


def around(place: Axial) -> list[Axial]:
    return [place + step for step in NEIGHBOURS]


def contacts(held: Held, places: tuple[Axial, ...]) -> int:
    return sum(beside in held for place in places for beside in around(place))


def may_lie(held: Held, tile: MapTile, at: Axial, rotation: int) -> bool:
    """Enough contact, no overlap, and every border alone with its own tile."""
    places = tile_hexes(at, rotation)
    if any(place in held for place in places) or contacts(held, places) < 3:
        return False
    after = held | dict(zip(places, tile.hexes, strict=True))
    borders = [place for place, each in after.items() if each.ground is Ground.BORDER]
    return all(sum(beside in after for beside in around(border)) == 2 for border in borders)


def free_cities(held: Held, capitals: list[Axial]) -> list[Axial]:
    return [
        place
        for place, each in held.items()
        if each.ground is Ground.CITY and place not in capitals
    ]


def blanks_of(held: Held) -> set[Axial]:
    beside = {
        place: {each for each in around(place) if each in held}
        for home in held
        for place in around(home)
    }
    return {
        place
        for place, hexes in beside.items()
        if place not in held
        and any(held[each].ground is Ground.HOME for each in hexes)
        and not any(held[each].ground is Ground.BORDER for each in hexes)
    }


def wrong_with(box: AtlasBox, log: AtlasLog) -> Iterator[str]:
    """Words for each rule that a log breaks."""
    held: Held = {}
    capitals: list[Axial] = []
    for number, draw in enumerate(log.draws, start=1):
        if draw.draw != number:
            yield f"draw {number} says {draw.draw}"
        if isinstance(draw, ProjectDraw):
            free = free_cities(held, capitals)
            if draw.overlay_at not in (free or [None]):
                yield f"draw {number}: overlay at {draw.overlay_at}, free are {free}"
            capitals += [] if draw.overlay_at is None else [draw.overlay_at]
            continue
        tile = box.tile_by_number[draw.tile]
        if held and not may_lie(held, tile, draw.at, draw.rotation):
            yield f"draw {number}: tile {draw.tile} may not lie there"
        if not held and (draw.at, draw.rotation, draw.alternatives) != ((0, 0), 0, 1):
            yield "the first tile lies elsewhere"
        held |= dict(zip(tile_hexes(draw.at, draw.rotation), tile.hexes, strict=True))
    places = blanks_of(held)
    if not set(log.blanks) <= places or len(set(log.blanks)) != len(log.blanks):
        yield "blanks where there must be none"
    if len(log.blanks) != min(len(places), 10**6 if log.blank_limit is None else log.blank_limit):
        yield f"{len(log.blanks)} blanks"
    yield from wrong_pile(box, log, len(capitals), len(free_cities(held, capitals)))
    yield from wrong_supply(box, log)


def wrong_pile(box: AtlasBox, log: AtlasLog, laid: int, free: int) -> Iterator[str]:
    """Each piece once, then the deferred projects in their order, until they are laid or no city is
    left."""
    mode = box.mode_by_id[log.mode]
    size = len(log.placed) + mode.capital_projects
    pieces = [
        (draw.tile, draw.copy) if isinstance(draw, TileDraw) else ("project", draw.capital_project)
        for draw in log.draws
    ]
    if len(set(pieces[:size])) != size or len(pieces) < size:
        yield "a piece came up again before the pile was drawn"
    deferred = [
        d.capital_project for d in log.draws if isinstance(d, ProjectDraw) and d.overlay_at is None
    ]
    if [number for _, number in pieces[size:]] != deferred[: len(pieces) - size]:
        yield "deferred projects came up in another order"
    if laid < mode.capital_projects and free:
        yield "a deferred project never came out"


def wrong_supply(box: AtlasBox, log: AtlasLog) -> Iterator[str]:
    mode = box.mode_by_id[log.mode]
    wanted = {"long": 33, "short": 25, "micro3": 16, "micro2": 11}[log.mode]
    laid = Counter((draw.tile, draw.copy) for draw in log.placed)
    if set(laid.values()) != {1} or len(laid) != wanted:
        yield f"{len(laid)} tiles, or one of them twice"
    left = dict(mode.removed)
    for number, copy in laid:
        if not 1 <= copy <= box.tile_by_number[number].copies - left.get(number, 0):
            yield f"tile {number} copy {copy} is not in play"
    homes = {"micro3": 6, "micro2": 4}.get(log.mode)
    if homes is not None and sum(number <= 11 or number == 21 for number, _ in laid) != homes:
        yield f"not {homes} homes in the stack"
    if (log.stack is None) != (homes is None):
        yield "stack"


# The steps of `assemble`, from its docstring
# ------------------------------------------------------------------------


def weight(policy: str, touching: int) -> int:
    return 1 if policy == "uniform" else round(1000 * exp(1.25 * (touching - 3)))


def placements(held: Held, tile: MapTile) -> list[tuple[Axial, int]]:
    """Distinct legal placements: triangles by (q, r) of their corner and kind, then turns 0 to
    2."""
    reach = range(-2, 3)
    corners = sorted(
        {Axial(place.q + q, place.r + r) for place in held for q, r in product(reach, reach)}
    )
    found: list[tuple[Axial, int]] = []
    for corner, kind in product(corners, (0, 1)):
        pictures: set[frozenset[tuple[Axial, AtlasHex]]] = set()
        for turn in range(3):
            at, rotation = tile_hexes(corner, kind)[turn], kind + 2 * turn
            picture = frozenset(zip(tile_hexes(at, rotation), tile.hexes, strict=True))
            if picture not in pictures and may_lie(held, tile, at, rotation):
                pictures.add(picture)
                found.append((at, rotation))
    return found


def assemble_plainly(box: AtlasBox, mode_id: str, seed: int, policy: str) -> AtlasLog:
    """What `assemble` should make of a seed, with the policies uniform and compact."""
    dice, restarts = Dice(seed), 0
    while True:
        pile, stack = shuffled_pile(box, mode_id, dice)
        draws, held = lay_all(box, pile, policy, dice)
        if held is not None:
            blanks = tuple(sorted(blanks_of(held)))
            return AtlasLog(
                mode=mode_id,
                seed=seed,
                policy=policy,
                algorithm="platelayer.atlas.assemble/1",
                draws=tuple(draws),
                blanks=blanks,
                restarts=restarts,
                stack=stack,
            )
        restarts += 1


def shuffled_pile(
    box: AtlasBox, mode_id: str, dice: Dice
) -> tuple[list[tuple[str, int, int]], int | None]:
    """Tiles by number and copy, then projects, shuffled; or homes, others, which stack, and the
    stack shuffled."""
    mode = box.mode_by_id[mode_id]
    left = dict(mode.removed)
    tiles = [
        ("tile", tile.number, copy)
        for tile in box.map_tiles
        for copy in range(1, 1 + tile.copies - left.get(tile.number, 0))
    ]
    if not mode.stacks:
        projects = [("project", number + 1, 0) for number in range(mode.capital_projects)]
        return dice.shuffled(tiles + projects), None
    homes = dice.shuffled([each for each in tiles if each[1] in (*range(1, 12), 21)])
    others = dice.shuffled([each for each in tiles if each[1] not in (*range(1, 12), 21)])
    used, per_stack = dice.below(mode.stacks), len(others) // mode.stacks
    stack = (
        homes[used * mode.homes_per_stack :][: mode.homes_per_stack]
        + others[used * per_stack :][:per_stack]
    )
    return dice.shuffled([*stack, ("project", used + 1, 0)]), used + 1


def lay_all(
    box: AtlasBox, pile: list[tuple[str, int, int]], policy: str, dice: Dice
) -> tuple[list[Draw], Held | None]:
    draws: list[Draw] = []
    held: Held = {}
    capitals: list[Axial] = []
    tried: set[int] = set()
    while pile:
        kind, number, copy = pile.pop(0)
        if kind == "project":
            free = free_cities(held, capitals)
            place = free[dice.below(len(free))] if free else None
            if place is None and number in tried and all(each[0] == "project" for each in pile):
                break
            tried.add(number)
            draws.append(ProjectDraw(draw=len(draws) + 1, capital_project=number, overlay_at=place))
            if place is None:
                pile.append((kind, number, copy))
            else:
                capitals.append(place)
            continue
        tile = box.tile_by_number[number]
        ways = placements(held, tile) if held else [(Axial(0, 0), 0)]
        if not ways:
            return draws, None
        at, rotation = ways[0]
        if held:
            weights = [weight(policy, contacts(held, tile_hexes(*way))) for way in ways]
            at, rotation = pick_by_weight(ways, weights, dice)
        held |= dict(zip(tile_hexes(at, rotation), tile.hexes, strict=True))
        draws.append(
            TileDraw(
                draw=len(draws) + 1,
                tile=number,
                copy=copy,
                at=at,
                rotation=rotation,
                alternatives=len(ways),
            )
        )
    return draws, held


def pick_by_weight(
    ways: list[tuple[Axial, int]], weights: list[int], dice: Dice
) -> tuple[Axial, int]:
    pick = dice.below(sum(weights))
    for way, each in zip(ways, weights, strict=True):
        if pick < each:
            return way
        pick -= each
    raise AssertionError
