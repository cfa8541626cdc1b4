"""The map pieces of the box, typed once more from the reference facts for tests; and a slow, plain
assembler."""

from __future__ import annotations

import random
from itertools import product

from platelayer.model.map_tiles import (
    NEIGHBOURS,
    AtlasBox,
    AtlasHex,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    Mode,
    ProjectDraw,
    TileDraw,
    tile_hexes,
)

# h home, m mountain, p plain, w water, c city, b border, d destination; hexes 1, 2, 3 of tiles 1 to
# 28.
_TILES = "hmp hpm chp chp phw mch bhc mhc wph chw wph ppp pww mpw cpm cpp cmp pcw ccp cmc ccc mmm bpp bwp bpc bpd bdd bdd"
_GROUND = {ground.value[0]: ground for ground in Ground}
TWICE = (12, 13, 14, 15, 16)


def _tile(number: int, letters: str) -> MapTile:
    hexes = tuple(
        AtlasHex(ground=_GROUND[each], company=f"H{number}" if each == "h" else None)
        for each in letters
    )
    return MapTile(number=number, copies=2 if number in TWICE else 1, hexes=hexes)  # type: ignore[arg-type]


def _mode(
    name: str,
    removed: tuple[tuple[int, int], ...],
    projects: int,
    *,
    stacks: int = 0,
    homes: int = 0,
) -> Mode:
    used = {0: 0, 2: 16, 3: 11}[stacks]
    return Mode(
        id=name,
        players=(3,),
        cash=((3, 300),),
        removed=removed,
        capital_projects=projects,
        cycles=4,
        columns=(4,),
        trains=(),
        stacks=stacks,
        homes_per_stack=homes,
        stack_homes=(21,) if stacks else (),
        tiles_used=used,
    )


LEFT_OUT_SHORT = ((9, 1), (10, 1), (11, 1), (21, 1), (26, 1), (12, 1), (13, 1), (14, 1))
BOX = AtlasBox(
    map_tiles=tuple(
        _tile(number, letters) for number, letters in enumerate(_TILES.split(), start=1)
    ),
    modes=(
        _mode("long", (), 3),
        _mode("short", LEFT_OUT_SHORT, 2),
        _mode("micro3", ((26, 1),), 1, stacks=2, homes=6),
        _mode("micro2", (), 1, stacks=3, homes=4),
    ),
    capital_projects=3,
    capital_overlays=3,
    blank_overlays=12,
)
MODES = tuple(BOX.mode_by_id)


def placements(
    held: dict[Axial, AtlasHex], tile: MapTile
) -> dict[frozenset[tuple[Axial, AtlasHex]], tuple[Axial, int]]:
    """Every distinct legal placement, tried one by one: by the map it makes, one way to make it."""
    if not held:
        return {
            frozenset(zip(tile_hexes(Axial(0, 0), 0), tile.hexes, strict=True)): (Axial(0, 0), 0)
        }
    found: dict[frozenset[tuple[Axial, AtlasHex]], tuple[Axial, int]] = {}
    near = {
        place + one + two for place in held for one, two in product((*NEIGHBOURS, (0, 0)), repeat=2)
    }
    for at, rotation in product(sorted(near), range(6)):
        places = tile_hexes(at, rotation)
        if legal(held, dict(zip(places, tile.hexes, strict=True))):
            found.setdefault(frozenset(zip(places, tile.hexes, strict=True)), (at, rotation))
    return found


def legal(held: dict[Axial, AtlasHex], new: dict[Axial, AtlasHex]) -> bool:
    """The three rules of laying, read out of the finished picture."""
    if held.keys() & new.keys():
        return False
    pairs = [(place, place + step) for place in new for step in NEIGHBOURS if place + step in held]
    both = held | new
    return len(pairs) >= 3 and not any(
        both[each].ground is Ground.BORDER for pair in pairs for each in pair
    )


def assemble_slowly(mode_id: str, seed: int) -> AtlasLog:
    """A legal map, by trying everything; starts again when a tile has no place."""
    chance = random.Random(seed)
    mode = BOX.mode_by_id[mode_id]
    restarts = 0
    while True:
        pile = _pile(mode, chance)
        log = _lay(pile, chance)
        if log is not None:
            draws, blanks = log
            return AtlasLog(
                mode=mode_id,
                seed=seed,
                policy="uniform",
                algorithm="slow/1",
                draws=draws,
                blanks=blanks,
                restarts=restarts,
                stack=1 if mode.stacks else None,
            )
        restarts += 1


def _pile(mode: Mode, chance: random.Random) -> list[tuple[int, int]]:
    removed = dict(mode.removed)
    tiles = [
        (t.number, n)
        for t in BOX.map_tiles
        for n in range(1, t.copies - removed.get(t.number, 0) + 1)
    ]
    if mode.stacks:
        homes = [each for each in tiles if each[0] <= 11 or each[0] == 21]
        others = [each for each in tiles if each not in homes]
        tiles = chance.sample(homes, mode.homes_per_stack)
        tiles += chance.sample(others, mode.tiles_used - mode.homes_per_stack)
    pile = tiles + [(0, number) for number in range(1, mode.capital_projects + 1)]
    chance.shuffle(pile)
    return pile


def _lay(
    pile: list[tuple[int, int]], chance: random.Random
) -> tuple[tuple[Draw, ...], tuple[Axial, ...]] | None:
    held: dict[Axial, AtlasHex] = {}
    overlays: set[Axial] = set()
    draws: list[Draw] = []
    undrawn = len(pile)
    while pile:
        if not undrawn and not any(
            e.ground is Ground.CITY and p not in overlays for p, e in held.items()
        ):
            break
        undrawn = max(0, undrawn - 1)
        tile_number, copy = pile.pop(0)
        if not tile_number:
            free = sorted(
                p for p, each in held.items() if each.ground is Ground.CITY and p not in overlays
            )
            place = chance.choice(free) if free else None
            draws.append(ProjectDraw(draw=len(draws) + 1, capital_project=copy, overlay_at=place))
            if place is None:
                pile.append((0, copy))
            else:
                overlays.add(place)
            continue
        tile = BOX.tile_by_number[tile_number]
        ways = placements(held, tile)
        if not ways:
            return None
        at, rotation = chance.choice(sorted(ways.values()))
        draws.append(
            TileDraw(
                draw=len(draws) + 1,
                tile=tile_number,
                copy=copy,
                at=at,
                rotation=rotation,
                alternatives=len(ways),
            )
        )
        held |= zip(tile_hexes(at, rotation), tile.hexes, strict=True)
    return tuple(draws), blanks_of(held)


def blanks_of(held: dict[Axial, AtlasHex]) -> tuple[Axial, ...]:
    """Empty places beside homes, but beside no border."""
    beside_home = {
        p + step for p, each in held.items() if each.ground is Ground.HOME for step in NEIGHBOURS
    }
    beside_border = {
        p + step for p, each in held.items() if each.ground is Ground.BORDER for step in NEIGHBOURS
    }
    return tuple(sorted(beside_home - beside_border - held.keys()))
