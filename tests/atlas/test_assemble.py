"""Random maps: legal by a second reading of the rules, the same from a seed for ever, chosen as the
policies say."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations
from math import exp, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from everymap import (
    BOXES,
    Layout,
    chain_of,
    chi_square,
    drawn,
    drawn_by_all,
    layouts,
    likelihood,
    shape_of,
    small,
)
from platelayer.atlas.assemble import (
    ALGORITHM,
    COMPACT_STRENGTH,
    POLICIES,
    NoMap,
    assemble,
    choose_placement,
    lay_pile,
    score_of,
)
from platelayer.atlas.check import check_log
from platelayer.atlas.layouts import (
    Frontier,
    axial_of,
    corners_of,
    draw_pile,
    number_of,
)
from platelayer.atlas.lines import log_text
from platelayer.definitions.build import shipped_box
from platelayer.foundation.seeds import MAX_SEED, Dice, new_seed
from platelayer.model.map_tiles import (
    CORNERS_OF_TILE,
    NEIGHBOURS,
    AtlasHex,
    AtlasLog,
    Axial,
    Ground,
    ProjectDraw,
    doubled,
    tile_hexes,
    turned,
)
from processes import run_python
from replay import assemble_plainly, blanks_of, contacts, placements, wrong_with

BOX = shipped_box()
MODES = tuple(BOX.mode_by_id)
QUICK = [each.id for each in POLICIES.values() if not each.sweeps]
"""Policies without the chain, which has tests of its own."""
SEEDS = st.integers(0, MAX_SEED)


def held_by(log: AtlasLog) -> dict[Axial, AtlasHex]:
    return dict(pair for draw in log.placed for pair in BOX.laid(draw))


# Legal


@pytest.mark.parametrize("policy", QUICK)
@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=8, deadline=None)
@given(seed=SEEDS, blanks=st.one_of(st.none(), st.integers(0, 14)))
def test_every_map_is_legal(mode: str, policy: str, seed: int, blanks: int | None) -> None:
    log = assemble(BOX, mode, seed=seed, policy=policy, blanks=blanks)
    assert list(wrong_with(BOX, log)) == []
    assert (log.mode, log.seed, log.policy, log.algorithm, log.blank_limit) == (
        mode,
        seed,
        policy,
        ALGORITHM,
        blanks,
    )


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("mode", MODES)
def test_very_many_maps_are_legal(mode: str, policy: str) -> None:
    for seed in range({"best": 150, "even": 20}.get(policy, 1500)):
        log = assemble(BOX, mode, seed=seed, policy=policy)
        assert (list(wrong_with(BOX, log)), check_log(BOX, log)) == ([], ()), seed


def test_projects_are_deferred_and_come_back() -> None:
    logs = [assemble(BOX, "long", seed=seed) for seed in range(150)]
    deferred = [
        log
        for log in logs
        if any(isinstance(d, ProjectDraw) and d.overlay_at is None for d in log.draws)
    ]
    assert 10 < len(deferred) < 60  # about one map in six has a project before the first city
    assert all(len(log.overlays) == 3 for log in logs)


def test_stacks_are_dealt_evenly() -> None:
    """Each stack, and each tile, is used about as often as any other."""
    for mode, stacks, tiles in (("micro3", 2, 16), ("micro2", 3, 11)):
        logs = [assemble(BOX, mode, seed=seed) for seed in range(300)]
        used = Counter(log.stack for log in logs)
        assert set(used) == set(range(1, stacks + 1))
        assert all(abs(count - 300 / stacks) < 5 * sqrt(300 / stacks) for count in used.values())
        seen = Counter((draw.tile, draw.copy) for log in logs for draw in log.placed)
        assert len(seen) == (32 if mode == "micro3" else 33)
        assert all(abs(count - 300 / stacks) < 5 * sqrt(300 / stacks) for count in seen.values())
        assert all(len(log.placed) == tiles for log in logs)


# The same for ever


@pytest.mark.parametrize("policy", ["uniform", "compact"])
@pytest.mark.parametrize(
    ("mode", "seed"), [("long", 1), ("short", 8), ("micro3", 15), ("micro2", MAX_SEED)]
)
def test_the_documented_steps_lead_to_the_same_map(mode: str, seed: int, policy: str) -> None:
    assert assemble(BOX, mode, seed=seed, policy=policy) == assemble_plainly(
        BOX, mode, seed, policy
    )


def test_restarts_go_on_with_the_same_stream() -> None:
    seed = next(seed for seed in range(5000) if assemble(BOX, "micro2", seed=seed).restarts)
    assert assemble(BOX, "micro2", seed=seed) == assemble_plainly(BOX, "micro2", seed, "compact")


GOLDEN = (
    ("long", "compact", 1, None, "cfdb97afee846180d5641e31"),
    ("long", "uniform", 2, None, "119086dd4137120289d65ecd"),
    ("long", "best", 3, None, "e9a85c1adc7ee65cee28d9a4"),
    ("short", "compact", 4, None, "9a23242e59223f348ea8067a"),
    ("short", "uniform", 9007199254740991, 12, "2c98684451b5fab6c83c73e7"),
    ("micro3", "compact", 5, None, "b33603ce1d15611aaebf6b09"),
    ("micro3", "uniform", 6, 3, "cbb58e77326f1068041c694b"),
    ("micro2", "compact", 7, None, "d2df072e3d19a55cfde60465"),
    ("micro2", "best", 0, None, "57dd02d5fb76b0154947ca75"),
    ("long", "compact", 20261121, 12, "fddb456487e7132ba52777b7"),
)


@pytest.mark.parametrize(("mode", "policy", "seed", "blanks", "digest"), GOLDEN)
def test_seeds_lead_to_the_maps_they_always_did(
    mode: str, policy: str, seed: int, blanks: int | None, digest: str
) -> None:
    """Never to be changed: with other maps, ALGORITHM has another name."""
    text = log_text(assemble(BOX, mode, seed=seed, policy=policy, blanks=blanks))
    assert hashlib.sha256(text.encode()).hexdigest()[:24] == digest


def test_no_hash_seed_changes_a_map() -> None:
    program = (
        "from platelayer.atlas.assemble import assemble\n"
        "from platelayer.definitions.build import shipped_box\n"
        "from platelayer.atlas.lines import log_text\n"
        "for policy in ('uniform', 'compact', 'best'):\n"
        "    print(log_text(assemble(shipped_box(), 'short', seed=77, policy=policy, blanks=4)))\n"
    )
    texts = {
        run_python("-c", program, PYTHONHASHSEED=hash_seed).stdout for hash_seed in ("1", "400")
    }
    (text,) = texts
    assert log_text(assemble(BOX, "short", seed=77, blanks=4)) in text


# Policies


@pytest.mark.parametrize(("second", "ways"), [("ppp", 6), ("pcw", 18), ("pcp", 18), ("bpp", 6)])
def test_alternatives_by_hand(second: str, ways: int) -> None:
    """Six triangles touch a triangle along three edges: of each of its three sides both kinds that
    lie flush with it. Three plains have one way to lie in each, others three; a border fits where
    the corner farthest off is."""
    box = small((1, "www"), (1, second))
    log = next(
        log
        for log in (assemble(box, "small", seed=seed) for seed in range(99))
        if log.placed[0].tile == 1
    )
    assert log.placed[1].alternatives == ways


@pytest.mark.parametrize("number", [12, 17, 23])
@pytest.mark.parametrize("policy", ["uniform", "compact"])
def test_placements_are_as_likely_as_the_policy_says(policy: str, number: int) -> None:
    """The next tile of a half-laid map, drawn 6000 times: each placement as often as the softmax on
    contacts says."""
    frontier, held = Frontier(), {}
    for draw in assemble(BOX, "long", seed=3, policy="uniform").placed[:14]:
        hexes, tile = tile_hexes(draw.at, draw.rotation), BOX.tile_by_number[draw.tile]
        numbers = [number_of(place) for place in hexes]
        frontier.lay(
            numbers,
            [
                n
                for n, each in zip(numbers, tile.hexes, strict=True)
                if each.ground is Ground.BORDER
            ],
        )
        held |= dict(zip(hexes, tile.hexes, strict=True))
    ways = placements(held, BOX.tile_by_number[number])
    strength = {"uniform": 0.0, "compact": COMPACT_STRENGTH}[policy]
    weights = {way: exp(strength * contacts(held, tile_hexes(*way))) for way in ways}
    piece, weigh, dice, draws = BOX.tile_by_number[number], POLICIES[policy].weights, Dice(1), 6000
    seen: Counter[tuple[Axial, int]] = Counter()
    for _ in range(draws):
        choice = choose_placement(frontier, piece, weigh, dice)
        assert choice is not None
        assert choice.among == len(ways)
        seen[
            axial_of(corners_of(choice.triangle)[choice.turn]),
            (choice.triangle & 1) + 2 * choice.turn,
        ] += 1
    assert set(seen) <= set(ways)
    assert len({round(weight) for weight in weights.values()}) >= (2 if policy == "compact" else 1)
    for way, weight in weights.items():
        share = draws * weight / sum(weights.values())
        assert abs(seen[way] - share) < 5 * sqrt(share) + 5, way


def test_best_is_the_best_of_the_maps_of_its_stream() -> None:
    mode, dice = BOX.mode_by_id["micro3"], Dice(5)
    scores = {}
    while len(scores) < POLICIES["best"].maps:
        assembly = lay_pile(draw_pile(BOX, mode, dice), POLICIES["best"].weights, dice)
        assert assembly.stuck is None
        log = AtlasLog(
            mode="micro3", seed=5, policy="", algorithm="", draws=tuple(assembly.draws), blanks=()
        )
        blanks = blanks_of(held_by(log))
        laid = [number_of(place) for place in blanks]
        scores[tuple(assembly.draws)] = score_of(assembly.frontier.covered, laid, assembly.homes)
    best = assemble(BOX, "micro3", seed=5, policy="best")
    assert scores[best.draws] == min(scores.values())
    assert len(set(scores.values())) > 4


# Dead ends


def test_a_box_without_any_map_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platelayer.atlas.assemble.MAX_RESTARTS", 20)
    with pytest.raises(NoMap, match="mode small"):
        assemble(small((6, "bpp")), "small", seed=1)


# Arguments


def test_arguments_out_of_range_are_refused() -> None:
    with pytest.raises(KeyError):
        assemble(BOX, "lung", seed=1)
    with pytest.raises(KeyError):
        assemble(BOX, "long", seed=1, policy="lucky")
    with pytest.raises(ValueError, match="blanks"):
        assemble(BOX, "long", seed=1, blanks=-1)
    with pytest.raises(ValueError, match="seed"):
        assemble(BOX, "long", seed=-1)


# Turning map tiles: six turns are none, a tile is never turned over, its hexes are three
# neighbours


PLACES = st.builds(Axial, st.integers(-150, 150), st.integers(-150, 150))


@given(PLACES)
def test_six_turns_are_none(place: Axial) -> None:
    once = [place]
    for _ in range(6):
        once.append(turned(once[-1], 1))
    assert once[6] == place
    assert [turned(place, turns) for turns in range(7)] == once


def test_a_turn_is_that_of_the_reference() -> None:
    assert turned(Axial(3, -5), 1) == (5, -2)  # (q, r) -> (-r, q + r)


@given(PLACES, st.integers(0, 5))
def test_hexes_of_a_tile_are_neighbours_clockwise(at: Axial, rotation: int) -> None:
    """Hex 3 follows hex 2 clockwise about hex 1, at every rotation: no tile is turned over."""
    one, two, three = tile_hexes(at, rotation)
    edges = [NEIGHBOURS.index(Axial(each.q - one.q, each.r - one.r)) for each in (two, three)]
    assert (edges[1] - edges[0]) % 6 == 1
    assert edges[0] == (5 + rotation) % 6  # south-east at rotation 0, then clockwise


def test_corners_are_those_of_the_reference() -> None:
    assert CORNERS_OF_TILE == ((0, 0), (1, 0), (0, 1))
    # South-east is one column to the right and half a hex down, south a whole one.
    assert [doubled(at) for at in CORNERS_OF_TILE] == [(0, 0), (1, 1), (0, 2)]


@given(PLACES)
def test_hexes_are_whole_numbers_and_back(place: Axial) -> None:
    assert axial_of(number_of(place)) == place


@given(PLACES, st.integers(0, 5))
def test_triangles_hold_a_tile_at_each_rotation(at: Axial, rotation: int) -> None:
    """Hex i lies in corner (i + t) mod 3, with rotation = kind + 2 t."""
    kind, turn = rotation % 2, rotation // 2
    hexes = tile_hexes(at, rotation)
    first = hexes[-turn % 3]  # what lies in corner 0
    corners = [axial_of(each) for each in corners_of(2 * number_of(first) + kind)]
    assert tuple(corners[(index + turn) % 3] for index in range(3)) == hexes


# The random stream: published values of SplitMix64, fair numbers, and a shuffle that stays as it
# is


def test_published_values() -> None:
    """Of the reference implementation (Vigna, splitmix64.c) for the seed 1234567."""
    dice = Dice(1234567)
    assert [dice.bits64() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, MAX_SEED), st.integers(1, 2**64))
def test_numbers_lie_below_their_bound(seed: int, bound: int) -> None:
    dice = Dice(seed)
    assert all(0 <= dice.below(bound) < bound for _ in range(5))


def test_numbers_are_fair() -> None:
    dice = Dice(5)
    seen = Counter(dice.below(7) for _ in range(70_000))
    # A fair die stays within five standard deviations (92.6) of 10 000.
    assert all(abs(count - 10_000) < 463 for count in seen.values())
    assert len(seen) == 7


def test_every_order_is_as_likely() -> None:
    dice = Dice(6)
    seen = Counter("".join(dice.shuffled("abcd")) for _ in range(24_000))
    assert set(seen) == {"".join(order) for order in permutations("abcd")}
    assert all(abs(count - 1000) < 155 for count in seen.values())  # five standard deviations


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        Dice(seed)


def test_new_seeds_can_be_read_out() -> None:
    seeds = {new_seed() for _ in range(20)}
    assert len(seeds) > 15
    assert all(0 <= seed < 10**9 for seed in seeds)


# How maps are spread: all legal maps of small boxes counted in three ways, and drawn evenly


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "draws"), [("three of a kind", 500), ("a border", 2000), ("stacks", 3000)]
)
def test_a_chain_comes_to_every_map_equally_often(name: str, draws: int) -> None:
    assert likelihood(*chi_square(name, drawn(name, range(draws), 270))) > 0.0001


def test_the_policy_uniform_does_not() -> None:
    assert likelihood(*chi_square("a border", drawn("a border", range(2000), 0))) < 1e-9


@pytest.mark.parametrize("mode", shipped_box().mode_by_id)
def test_even_maps_are_legal(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "even", replace(POLICIES["even"], sweeps=1))
    box = shipped_box()
    for seed in range(2):
        log = assemble(box, mode, seed=seed, policy="even")
        assert check_log(box, log) == ()
        assert list(wrong_with(box, log)) == []
        assert log == assemble(box, mode, seed=seed, policy="even")


@SLOW
@pytest.mark.parametrize("name", ["two borders", "stacks"])
def test_every_map_can_be_reached_from_every_other(name: str) -> None:
    """One long chain comes to all of them."""
    chain, wanted, seen = chain_of(BOXES[name], 1), sum(layouts(name).values()), set[Layout]()
    for _ in range(1000 * wanted):
        chain.step()
        seen.add(shape_of(BOXES[name], chain.placed))
        if len(seen) == wanted:
            break
    assert len(seen) == wanted


@SLOW
def test_a_million_draws() -> None:
    name = "stacks"
    assert likelihood(*chi_square(name, drawn_by_all(name, 1_000_000, 270))) > 0.001
