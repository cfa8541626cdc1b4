"""What the check says of maps: words that name the draw and the place, and maps typed in from a
table."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import seed_of_map
from platelayer.atlas.lines import log_text
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import (
    HAND,
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


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("mode", MODES)
def test_assembled_maps_pass(mode, policy, monkeypatch):
    # Without the compiled library a sweep of the long game takes half a minute.
    monkeypatch.setitem(POLICIES, "even", replace(POLICIES["even"], sweeps=1))
    for number in range({"best": 12, "even": 2}.get(policy, 40)):
        log = assemble(BOX, mode, seed=seed_of_map(11, number), policy=policy)
        assert check_log(BOX, log) == ()


@pytest.mark.parametrize("blanks", [0, 3, 12])
def test_limited_blanks_pass(blanks):
    for number in range(10):
        log = assemble(BOX, "long", seed=number, blanks=blanks)
        assert check_log(BOX, log) == ()
        if len(log.blanks) == blanks > 0:
            assert {each.code for each in check_log(BOX, replace(log, blanks=log.blanks[1:]))} == {
                "AT14"
            }


def by_hand(seed: int = 1):
    """A legal map whose draws are in no order, as someone writes it down from a table."""
    log = assemble(BOX, "micro3", seed=seed, policy="uniform")
    draws = [
        replace(draw, alternatives=0) if isinstance(draw, TileDraw) else draw for draw in log.draws
    ]
    random.Random(seed).shuffle(draws)
    numbered = tuple(replace(draw, draw=number) for number, draw in enumerate(draws, start=1))
    return replace(log, draws=numbered, algorithm=HAND, policy=HAND, seed=None, stack=None)


@pytest.mark.parametrize("seed", range(6))
def test_a_map_by_hand_passes_in_any_order(seed):
    assert check_log(BOX, by_hand(seed)) == ()


def test_a_map_by_hand_says_what_is_wrong_and_where():
    log = by_hand()
    bearing_nothing = assemble(BOX, "micro3", seed=1, policy="uniform").placed[-1]
    last = next(
        draw
        for draw in log.placed
        if draw.at == bearing_nothing.at and draw.tile == bearing_nothing.tile
    )
    away = replace(last, at=last.at + Axial(30, 0))
    broken = replace(log, draws=tuple(away if draw is last else draw for draw in log.draws))
    found = [each for each in check_log(BOX, broken) if each.code == "AT07"]
    assert [each.pointer for each in found] == [f"/draws/{last.draw - 1}"]
    assert "in every order" in found[0].message


def test_a_map_by_hand_counts_its_capitals():
    log = by_hand()
    without = replace(
        log, draws=tuple(draw for draw in log.draws if not isinstance(draw, ProjectDraw))
    )
    assert [each.code for each in check_log(BOX, without)] == ["AT12"]


def test_words_name_the_draw_the_tile_and_the_place():
    log = assemble(BOX, "micro2", seed=1, policy="uniform")
    index = next(i for i, draw in enumerate(log.draws) if isinstance(draw, TileDraw) and i > 2)
    draw, first = log.draws[index], log.placed[0]
    onto = replace(draw, at=first.at, rotation=first.rotation)
    broken = replace(log, draws=(*log.draws[:index], onto, *log.draws[index + 1 :]))
    found = next(each for each in check_log(BOX, broken) if each.code == "AT06")
    assert found.message.startswith(
        f"draw {draw.draw}, tile {draw.tile}: lies on [{first.at.q}, {first.at.r}]"
    )
    assert f"of tile {first.tile}" in found.message


def test_the_command_tells_places_in_the_file(platelayer, tmp_path):
    log = assemble(BOX, "micro2", seed=7)
    (tmp_path / "good.json").write_text(log_text(log), encoding="utf-8")
    good = platelayer("atlas", "check", "good.json")
    assert (good.returncode, good.stdout) == (0, "1 map checked: no problems\n")
    value = json.loads(log_text(log))
    value["blanks"].append([30, 30])
    (tmp_path / "bad.json").write_text(json.dumps(value, indent=1), encoding="utf-8")
    bad = platelayer("atlas", "check", "good.json", "bad.json")
    assert bad.returncode == 1
    assert "AT13 a blank at [30, 30]: there is no home beside it" in bad.stdout
    line = int(bad.stdout.split(":")[1])
    assert (tmp_path / "bad.json").read_text("utf-8").splitlines()[line - 1].strip() == "["
    assert "2 maps checked: 1 problem" in bad.stdout
    told = json.loads(platelayer("atlas", "check", "bad.json", "--format", "json").stdout)
    assert [each["code"] for each in told["problems"]] == ["AT13"]


def test_the_gallery_is_the_same_each_time(platelayer, tmp_path):
    for name in ("one.svg", "two.svg", "sheets.pdf"):
        done = platelayer("atlas", "gallery", "--mode", "micro2", "--count", "13", "-o", name)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert (tmp_path / "sheets.pdf").read_bytes().startswith(b"%PDF")
    assert platelayer("atlas", "gallery", "--mode", "tiny", "-o", "no.svg").returncode == 2


# A log that is broken in any one way is caught: legal maps, every kind of damage, and a slow
# second judge.
#
# Some changes of a legal log lead to another legal log (the last tile laid on another of its
# places, say). A plain second reading of the rules, which tries and looks, tells these apart:
# whatever it finds wrong, the check must find wrong.


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


Change = Callable[[AtlasLog, Draw, random.Random], dict[str, object]]


def on(draws: Callable[[AtlasLog], list[int]], change: Change) -> Damage:
    """Damage to one draw of some."""

    def damage(log: AtlasLog, chance: random.Random) -> AtlasLog:
        draw = log.draws[index := chance.choice(draws(log))]
        return with_draw(log, index, replace(draw, **change(log, draw, chance)))

    return damage


def places(log: AtlasLog, *grounds: Ground) -> list[Axial]:
    """Hexes of some grounds."""
    return [at for draw in log.placed for at, each in BOX.laid(draw) if each.ground in grounds]


# Damage that may lead to another legal map: the second judge decides
# -------------------------------------------------


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


MAYBE: dict[str, Damage] = {
    "moved": on(tiles, lambda _, draw, chance: {"at": draw.at + chance.choice(NEIGHBOURS)}),
    "moved anywhere": on(
        tiles,
        lambda _log, _draw, chance: {
            "at": Axial(chance.randint(-12, 12), chance.randint(-12, 12)),
            "rotation": chance.randint(0, 5),
        },
    ),
    "rotated": on(
        tiles, lambda _, draw, chance: {"rotation": (draw.rotation + chance.randint(1, 5)) % 6}
    ),
    # Hexes 2 and 3 of a tile change places, which no rotation about hex 1 does: the nearest that a
    # log can say.
    "reflected": on(tiles, lambda _, draw, _chance: {"at": tile_hexes(draw.at, draw.rotation)[1]}),
    "swapped": swapped,
    "reordered": reordered,
    "overlay moved": on(
        projects, lambda log, _, chance: {"overlay_at": chance.choice(places(log, *Ground))}
    ),
}


@pytest.mark.parametrize("damage", MAYBE.values(), ids=MAYBE)
@settings(max_examples=25, deadline=None)
@given(mode=st.sampled_from(MODES), seed=SEEDS, chance=CHANCES)
def test_what_is_illegal_is_caught(damage: Damage, mode: str, seed: int, chance: int) -> None:
    log = damage(a_map(mode, seed), random.Random(chance))
    assert check_log(BOX, log) or is_legal(log)


@pytest.mark.parametrize("damage", MAYBE.values(), ids=MAYBE)
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


def other_tile(log: AtlasLog, chance: random.Random) -> AtlasLog:
    """One tile is a second copy of another."""
    index, other = chance.sample(tiles(log), 2)
    draw = log.draws[other]
    return with_draw(log, index, replace(log.draws[index], tile=draw.tile, copy=draw.copy))


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


def extra_blank(log: AtlasLog, chance: random.Random) -> AtlasLog:
    held = {place for draw in log.placed for place in tile_hexes(draw.at, draw.rotation)}
    near = sorted({p + s for p in held for s in NEIGHBOURS} - held - set(log.blanks))
    return replace(log, blanks=(*log.blanks, chance.choice(near)))


def missing_blank(log: AtlasLog, chance: random.Random) -> AtlasLog:
    if not log.blanks:
        return extra_blank(log, chance)
    lost_one = chance.choice(log.blanks)
    return replace(log, blanks=tuple(each for each in log.blanks if each != lost_one))


def blank_at(place: Callable[[AtlasLog, random.Random], Axial]) -> Damage:
    """One blank more."""
    return lambda log, chance: replace(log, blanks=(*log.blanks, place(log, chance)))


def all_draws(log: AtlasLog) -> list[int]:
    return [*range(len(log.draws))]


def _plus(
    key: str, change: object, _log: AtlasLog, draw: Draw, _chance: object
) -> dict[str, object]:
    return {key: getattr(draw, key) + change}


def _set(key: str, value: object, *_: object) -> dict[str, object]:
    return {key: value}


ALWAYS: dict[str, Damage] = {
    "lost": lost,
    "lost, unnumbered": lost_unnumbered,
    "doubled": doubled,
    "other tile": other_tile,
    "overlay too early": overlay_too_early,
    "one overlay more": one_overlay_more,
    "extra blank": extra_blank,
    "missing blank": missing_blank,
    "blank on a tile": blank_at(lambda log, chance: chance.choice(log.placed).at),
    "blank far away": blank_at(lambda _, chance: Axial(chance.choice([100, 8192, -(10**20)]), 0)),
    "blank twice": blank_at(lambda log, chance: chance.choice(log.blanks or (Axial(0, 0),))),
    "no mode": lambda log, chance: replace(log, mode=chance.choice(["", "LONG", "micro4"])),
    "other mode": lambda log, chance: replace(
        log, mode=chance.choice([mode for mode in MODES if mode != log.mode])
    ),
    "other stack": lambda log, chance: replace(
        log, stack=chance.choice([0, 4] if log.stack else [0, 1])
    ),
    "needless deferral": lambda log, _: with_draw(
        log, projects(log)[-1], replace(log.draws[projects(log)[-1]], overlay_at=None)
    ),
    **{
        f"{key} {change}": on(draws, partial(_plus, key, change))
        for draws, key, changes in (
            (tiles, "rotation", (6, -6, 12)),
            (tiles, "alternatives", (-1, 1, 3)),
            (all_draws, "draw", (-1, 1, 5)),
            (tiles, "at", tuple(Axial(far, 0) for far in (10**3, -(10**4), 8192, 10**30))),
        )
        for change in changes
    },
    **{
        f"{key} becomes {value}": on(draws, partial(_set, key, value))
        for draws, key, values in (
            (tiles, "copy", (0, 3, 4)),
            (tiles, "tile", (0, 29, -1)),
            (projects, "overlay_at", (Axial(40, 0), Axial(40, 17))),
        )
        for value in values
    },
    "overlay on a home": on(
        projects, lambda log, _, chance: {"overlay_at": chance.choice(places(log, Ground.HOME))}
    ),
}


@pytest.mark.parametrize("damage", ALWAYS.values(), ids=ALWAYS)
@settings(max_examples=8, deadline=None)
@given(mode=st.sampled_from(MODES), seed=SEEDS, chance=CHANCES)
def test_damage_is_caught(damage: Damage, mode: str, seed: int, chance: int) -> None:
    log = damage(a_map(mode, seed), random.Random(chance))
    assert check_log(BOX, log)
