"""A log that is broken in any one way is caught: legal maps, every kind of damage, and a slow
second judge.

Some changes of a legal log lead to another legal log (the last tile laid on another of its places,
say). A plain second reading of the rules, which tries and looks, tells these apart: whatever it
finds wrong, the check must find wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.definitions.map_tiles import shipped_box
from platelayer.model.map_tiles import (
    NEIGHBOURS,
    AtlasHex,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    ProjectDraw,
    TileDraw,
    tile_hexes,
)
from replay import blanks_of, may_lie, placements

BOX = shipped_box()
MODES = tuple(BOX.mode_by_id)
SEEDS = st.integers(0, 2)
Damage = Callable[[AtlasLog, random.Random], AtlasLog]
CHANCES = st.integers(0, 10**9)


@cache
def a_map(mode: str, seed: int) -> AtlasLog:
    return assemble(BOX, mode, seed=seed, policy="uniform")


def is_legal(log: AtlasLog) -> bool:
    """The rules of laying read once more, slowly; supply and order of the pile are not asked for
    here."""
    held: dict[Axial, AtlasHex] = {}
    overlays: set[Axial] = set()
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            tile = BOX.tile_by_number[draw.tile]
            if held and not may_lie(held, tile, draw.at, draw.rotation):
                return False
            if draw.alternatives != (len(placements(held, tile)) if held else 1):
                return False
            held |= dict(zip(tile_hexes(draw.at, draw.rotation), tile.hexes, strict=True))
            continue
        free = {place for place, each in held.items() if each.ground is Ground.CITY} - overlays
        if draw.overlay_at not in free and (draw.overlay_at is not None or free):
            return False
        overlays |= {draw.overlay_at} - {None}
    return sorted(log.blanks) == sorted(blanks_of(held))


def with_draw(log: AtlasLog, index: int, draw: Draw) -> AtlasLog:
    return replace(log, draws=(*log.draws[:index], draw, *log.draws[index + 1 :]))


def tiles(log: AtlasLog) -> list[int]:
    return [index for index, draw in enumerate(log.draws) if isinstance(draw, TileDraw)]


def projects(log: AtlasLog) -> list[int]:
    return [index for index, draw in enumerate(log.draws) if isinstance(draw, ProjectDraw)]


def numbered(draws: list[Draw]) -> tuple[Draw, ...]:
    return tuple(replace(draw, draw=number) for number, draw in enumerate(draws, start=1))


# Damage that may lead to another legal map: the second judge decides
# -------------------------------------------------


def moved(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    draw = log.draws[index]
    step = chance.choice(NEIGHBOURS)
    return with_draw(log, index, replace(draw, at=draw.at + step))


def moved_anywhere(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    at = Axial(chance.randint(-12, 12), chance.randint(-12, 12))
    return with_draw(log, index, replace(log.draws[index], at=at, rotation=chance.randint(0, 5)))


def rotated(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    draw = log.draws[index]
    return with_draw(log, index, replace(draw, rotation=(draw.rotation + chance.randint(1, 5)) % 6))


def reflected(log: AtlasLog, chance: random.Random) -> AtlasLog:
    """Hexes 2 and 3 of a tile change places, which no rotation about hex 1 does: the nearest that a
    log can say."""
    index = chance.choice(tiles(log))
    draw = log.draws[index]
    _, two, _ = tile_hexes(draw.at, draw.rotation)
    return with_draw(log, index, replace(draw, at=two))


def swapped(log: AtlasLog, chance: random.Random) -> AtlasLog:
    """Two tiles change places."""
    one, other = chance.sample(tiles(log), 2)
    first, second = log.draws[one], log.draws[other]
    log = with_draw(log, one, replace(first, at=second.at, rotation=second.rotation))
    return with_draw(log, other, replace(second, at=first.at, rotation=first.rotation))


def reordered(log: AtlasLog, chance: random.Random) -> AtlasLog:
    draws = list(log.draws)
    one, other = chance.sample(range(len(draws)), 2)
    draws[one], draws[other] = draws[other], draws[one]
    return replace(log, draws=numbered(draws))


def overlay_moved(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(projects(log))
    place = chance.choice(
        [place for draw in log.placed for place in tile_hexes(draw.at, draw.rotation)]
    )
    return with_draw(log, index, replace(log.draws[index], overlay_at=place))


MAYBE = (moved, moved_anywhere, rotated, reflected, swapped, reordered, overlay_moved)


@pytest.mark.parametrize("damage", MAYBE, ids=lambda each: each.__name__)
@settings(max_examples=25, deadline=None)
@given(mode=st.sampled_from(MODES), seed=SEEDS, chance=CHANCES)
def test_what_is_illegal_is_caught(damage: Damage, mode: str, seed: int, chance: int) -> None:
    log = damage(a_map(mode, seed), random.Random(chance))
    assert check_log(BOX, log) or is_legal(log)


@pytest.mark.parametrize("damage", MAYBE, ids=lambda each: each.__name__)
@settings(max_examples=8, deadline=None)
@given(mode=st.sampled_from(("micro2", "micro3")), seed=SEEDS, chance=CHANCES)
def test_what_is_legal_is_not_told(damage: Damage, mode: str, seed: int, chance: int) -> None:
    log = damage(a_map(mode, seed), random.Random(chance))
    if is_legal(log):
        # A change of order may break the order of the pile, which the second judge does not look
        # at.
        assert {each.code for each in check_log(BOX, log)} <= {"AT11"}


# Damage that is always wrong
# ------------------------------------------------------------------------------------------


def lost(log: AtlasLog, chance: random.Random) -> AtlasLog:
    """A tile or an overlay is gone. (Without a deferral the project just lay deeper in the pile:
    that is legal.)"""
    draws = list(log.draws)
    del draws[
        chance.choice(
            [i for i, d in enumerate(draws) if isinstance(d, TileDraw) or d.overlay_at is not None]
        )
    ]
    return replace(log, draws=numbered(draws))


def lost_unnumbered(log: AtlasLog, chance: random.Random) -> AtlasLog:
    draws = list(log.draws)
    del draws[chance.randrange(len(draws) - 1)]
    return replace(log, draws=tuple(draws))


def doubled(log: AtlasLog, chance: random.Random) -> AtlasLog:
    draws = list(log.draws)
    index = chance.randrange(len(draws))
    draws.insert(index, draws[index])
    return replace(log, draws=numbered(draws))


def other_copy(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    return with_draw(log, index, replace(log.draws[index], copy=chance.choice([0, 3, 4])))


def other_tile(log: AtlasLog, chance: random.Random) -> AtlasLog:
    """One tile is a second copy of another."""
    index, other = chance.sample(tiles(log), 2)
    draw = log.draws[other]
    return with_draw(log, index, replace(log.draws[index], tile=draw.tile, copy=draw.copy))


def no_such_tile(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    return with_draw(log, index, replace(log.draws[index], tile=chance.choice([0, 29, -1])))


def turned_too_far(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    draw = log.draws[index]
    return with_draw(log, index, replace(draw, rotation=draw.rotation + chance.choice([6, -6, 12])))


def far_away(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    far = chance.choice([10**3, -(10**4), 8192, 10**30])
    return with_draw(log, index, replace(log.draws[index], at=log.draws[index].at + Axial(far, 0)))


def alternatives(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(tiles(log))
    draw = log.draws[index]
    return with_draw(
        log, index, replace(draw, alternatives=draw.alternatives + chance.choice([-1, 1, 3]))
    )


def misnumbered(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.randrange(len(log.draws))
    draw = log.draws[index]
    return with_draw(log, index, replace(draw, draw=draw.draw + chance.choice([-1, 1, 5])))


def places(log: AtlasLog, ground: Ground) -> list[Axial]:
    return [
        place
        for draw in log.placed
        for place, each in zip(
            tile_hexes(draw.at, draw.rotation), BOX.tile_by_number[draw.tile].hexes, strict=True
        )
        if each.ground is ground
    ]


def overlay_on_home(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(projects(log))
    home = chance.choice(places(log, Ground.HOME))
    return with_draw(log, index, replace(log.draws[index], overlay_at=home))


def overlay_on_nothing(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(projects(log))
    return with_draw(
        log, index, replace(log.draws[index], overlay_at=Axial(40, chance.randint(0, 40)))
    )


def overlay_too_early(log: AtlasLog, chance: random.Random) -> AtlasLog:
    index = chance.choice(projects(log))
    later = [d for d in log.draws[index:] if isinstance(d, TileDraw)] or [log.placed[0]]
    home_or_later = later[0].at if later else places(log, Ground.HOME)[0]
    if log.draws.index(later[0]) < index:
        home_or_later = places(log, Ground.HOME)[0]
    return with_draw(log, index, replace(log.draws[index], overlay_at=home_or_later))


def one_overlay_more(log: AtlasLog, chance: random.Random) -> AtlasLog:
    free = [city for city in places(log, Ground.CITY) if city not in log.overlays] or [Axial(0, 0)]
    number = chance.randint(1, 4)
    extra = ProjectDraw(
        draw=len(log.draws) + 1, capital_project=number, overlay_at=chance.choice(free)
    )
    return replace(log, draws=(*log.draws, extra))


def needless_deferral(log: AtlasLog, _chance: random.Random) -> AtlasLog:
    index = projects(log)[-1]
    return with_draw(log, index, replace(log.draws[index], overlay_at=None))


def extra_blank(log: AtlasLog, chance: random.Random) -> AtlasLog:
    held = {place for draw in log.placed for place in tile_hexes(draw.at, draw.rotation)}
    near = sorted({p + s for p in held for s in NEIGHBOURS} - held - set(log.blanks))
    return replace(log, blanks=(*log.blanks, chance.choice(near)))


def blank_on_tile(log: AtlasLog, chance: random.Random) -> AtlasLog:
    return replace(log, blanks=(*log.blanks, chance.choice(log.placed).at))


def blank_far_away(log: AtlasLog, chance: random.Random) -> AtlasLog:
    return replace(log, blanks=(*log.blanks, Axial(chance.choice([100, 8192, -(10**20)]), 0)))


def blank_twice(log: AtlasLog, chance: random.Random) -> AtlasLog:
    return replace(log, blanks=(*log.blanks, chance.choice(log.blanks or (Axial(0, 0),))))


def missing_blank(log: AtlasLog, chance: random.Random) -> AtlasLog:
    if not log.blanks:
        return extra_blank(log, chance)
    lost_one = chance.choice(log.blanks)
    return replace(log, blanks=tuple(each for each in log.blanks if each != lost_one))


def no_mode(log: AtlasLog, chance: random.Random) -> AtlasLog:
    return replace(log, mode=chance.choice(["", "LONG", "micro4"]))


def other_mode(log: AtlasLog, chance: random.Random) -> AtlasLog:
    return replace(log, mode=chance.choice([mode for mode in MODES if mode != log.mode]))


def other_stack(log: AtlasLog, chance: random.Random) -> AtlasLog:
    return replace(log, stack=chance.choice([0, 4] if log.stack else [0, 1]))


ALWAYS = (
    lost,
    lost_unnumbered,
    doubled,
    other_copy,
    other_tile,
    no_such_tile,
    turned_too_far,
    far_away,
    alternatives,
    misnumbered,
    overlay_on_home,
    overlay_on_nothing,
    overlay_too_early,
    one_overlay_more,
    needless_deferral,
    extra_blank,
    blank_on_tile,
    blank_far_away,
    blank_twice,
    missing_blank,
    no_mode,
    other_mode,
    other_stack,
)


@pytest.mark.parametrize("damage", ALWAYS, ids=lambda each: each.__name__)
@settings(max_examples=12, deadline=None)
@given(mode=st.sampled_from(MODES), seed=SEEDS, chance=CHANCES)
def test_damage_is_caught(damage: Damage, mode: str, seed: int, chance: int) -> None:
    log = damage(a_map(mode, seed), random.Random(chance))
    assert check_log(BOX, log)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_a_legal_map_is_clean(mode: str, seed: int) -> None:
    assert check_log(BOX, a_map(mode, seed)) == ()
