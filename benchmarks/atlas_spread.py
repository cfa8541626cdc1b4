"""How the maps of the policies are spread; figures of docs/atlas-method.md.

PYTHONPATH=generator:tests python benchmarks/atlas_spread.py count --samples 20000    the number of maps of micro2
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py bridge --samples 20000   the same by even maps, too
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py chi --draws 1000000      evenness on a box of 3,132 maps
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py mixing --mode long       how soon a chain forgets
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py compare --mode micro2    uniform against even
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py exact                    the same, exactly, on small boxes
"""

from __future__ import annotations

import argparse
import math
import os
from bisect import bisect
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from statistics import fmean, stdev

from counting import Estimate, bridge_maps, estimate_maps, joined, loosening
from everymap import (
    BOXES,
    Layout,
    capitals_of,
    chi_square,
    drawn_by_all,
    layouts,
    likelihood,
    logs,
    moved,
    shape_of,
    size_of,
)
from platelayer.atlas.assemble import assemble
from platelayer.atlas.layouts import Chain, axial_of, placed_at
from platelayer.atlas.measures import Surveyor
from platelayer.definitions.build import shipped_box
from platelayer.foundation.pool import available_processes, share_out
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import Axial

BOX = shipped_box()
SAMPLES_AT_ONCE = 1000
EVERY = 50
"""Sweeps between two looks at a chain."""
COMPARED = (
    "perimeter",
    "diameter",
    "gap_hexes",
    "home_distance_mean",
    "land_largest",
    "income_mean",
    "fairness",
)


def counted(mode: str, strength: float, job: tuple[int, int]) -> Estimate:
    """The number of maps of a mode by some samples of a seed."""
    seed, samples = job
    return estimate_maps(
        BOX, BOX.mode_by_id[mode], samples=samples, seed=seed, weights=loosening(strength)
    )


def count(samples: int, mode: str, strength: float) -> None:
    """The mean of equal parts, and its standard error from how they differ."""
    parts = max(2, samples // SAMPLES_AT_ONCE)
    jobs = [(seed, samples // parts) for seed in range(1, parts + 1)]
    found = [
        each.maps
        for each in share_out(
            partial(counted, mode, strength), jobs, processes=available_processes()
        )
    ]
    mean = fmean(found)
    print(
        f"{mode}: {mean:.4g} maps, standard error {error(found) / mean:.1%}, {samples} samples, strength {strength:g}"
    )


def bridged(mode: str, strength: float, job: tuple[int, int]) -> tuple[list[float], list[float]]:
    """What maps of a seed stand for, drawn and even ones."""
    seed, samples = job
    weights: tuple[list[float], list[float]] = bridge_maps(
        BOX, BOX.mode_by_id[mode], samples=samples, seed=seed, weights=loosening(strength)
    )
    return weights


def bridge(samples: int, mode: str, strength: float) -> None:
    """The number of maps from as many samples of each kind."""
    parts = max(2, samples // SAMPLES_AT_ONCE)
    jobs = [(seed, samples // parts) for seed in range(1, parts + 1)]
    drawn, even = zip(
        *share_out(partial(bridged, mode, strength), jobs, processes=available_processes()),
        strict=True,
    )
    made = joined([*chain.from_iterable(drawn)], [*chain.from_iterable(even)])
    told = f"standard error {made.error / made.maps:.1%}, {made.samples} samples, strength {strength:g}"
    print(f"{mode}: {made.maps:.4g} maps, {told}")


def chi(draws: int, sweeps: int) -> None:
    found, freedom = chi_square("stacks", drawn_by_all("stacks", draws, sweeps))
    told = f"chi-square {found:.1f} on {freedom} degrees of freedom, p = {likelihood(found, freedom):.3f}"
    print(f"stacks: {draws} draws of {sweeps} sweeps: {told}", flush=True)


def traits(chain: Chain) -> tuple[float, float, float]:
    """Of a layout: its edges inside, its extent, and where the tile with the least number lies."""
    inside = sum(sum(each.values()) for each in chain.touched) / 2
    places = [axial(each, chain) for tile in chain.placed for each in tile.hexes]
    extent = max(
        max(axis) - min(axis) for axis in zip(*((q, r, q + r) for q, r in places), strict=True)
    )
    first = min(chain.placed, key=lambda each: each.tile.number)
    middle = [math.fsum(axis) / len(places) for axis in zip(*places, strict=True)]
    off = axial(first.hexes[0], chain)
    q, r = off.q - middle[0], off.r - middle[1]
    return inside, extent, max(abs(q), abs(r), abs(q + r))


def axial(number: int, chain: Chain) -> Axial:
    return axial_of(number - chain.placed[0].hexes[0])


def mixing(mode: str, chains: int, sweeps: int) -> None:
    """Autocorrelation times in sweeps, and how far chains from different maps differ (R-hat)."""
    series: list[list[tuple[float, ...]]] = []
    for seed in range(chains):
        log = assemble(BOX, mode, seed=seed, policy=("uniform", "compact")[seed % 2])
        tiles = [
            placed_at(BOX.tile_by_number[each.tile], each.at, each.rotation) for each in log.placed
        ]
        chain = Chain(BOX, BOX.mode_by_id[mode], tiles, Dice(seed))
        found: list[tuple[float, ...]] = []
        for _ in range(sweeps // EVERY):
            chain.run(EVERY * len(tiles))
            found.append(traits(chain))
        series.append(found[len(found) // 10 :])
    print(f"{mode}: {chains} chains of {sweeps} sweeps")
    for number, name in enumerate(("edges inside", "extent", "first tile off the middle")):
        runs = [[each[number] for each in found] for found in series]
        print(
            f"  {name:26} autocorrelation time {EVERY * autocorrelation(runs):6.0f} sweeps   R-hat {r_hat(runs):.4f}"
        )


def autocorrelation(runs: Sequence[Sequence[float]]) -> float:
    """The integrated autocorrelation time, summed over a window of five times itself (Sokal
    1997)."""
    mean = fmean(each for run in runs for each in run)
    spread = fmean((each - mean) ** 2 for run in runs for each in run)
    total = 1.0
    for lag in range(1, len(runs[0]) // 2):
        products = [
            fmean((a - mean) * (b - mean) for a, b in zip(run, run[lag:], strict=False))
            for run in runs
        ]
        total += 2 * fmean(products) / spread
        if lag > 5 * total:
            break
    return total


def r_hat(runs: Sequence[Sequence[float]]) -> float:
    """Gelman and Rubin 1992: near 1 where chains agree."""
    length = len(runs[0])
    within = fmean(stdev(run) ** 2 for run in runs)
    between = stdev([fmean(run) for run in runs]) ** 2
    return math.sqrt((length - 1) / length + between / within)


def measured(mode: str, job: tuple[str, int, int]) -> list[dict[str, float]]:
    """The measures of the maps of some seeds."""
    policy, first, end = job
    surveyor = Surveyor(BOX)
    return [
        surveyor.measure(assemble(BOX, mode, seed=seed, policy=policy))
        for seed in range(first, end)
    ]


def compare(mode: str, maps: int) -> None:
    """Means with standard errors; uniform less even with a 95 % interval, in standard deviations of
    even, and the greatest distance of their distributions (Kolmogorov and Smirnov)."""
    found: dict[str, list[dict[str, float]]] = {"compact": [], "uniform": [], "even": []}
    jobs = [
        (policy, first, min(first + 20, maps))
        for policy in [*found][::-1]
        for first in range(0, maps, 20)
    ]
    results = share_out(partial(measured, mode), jobs, processes=available_processes())
    for (policy, _, _), rows in zip(jobs, results, strict=True):
        found[policy] += rows
    chance = 1.358 * math.sqrt(2 / maps)
    print(
        f"{mode}, {maps} maps of each policy; by chance alone D is above {chance:.3f} in 5 % of comparisons"
    )
    print(
        f"  {'':20} {'compact':>16} {'uniform':>16} {'even':>16}   uniform - even        in s.d.      D"
    )
    for name in COMPARED:
        columns = [[row[name] for row in rows if row[name] != -1] for rows in found.values()]
        told = [f"{fmean(each):9.2f} ± {error(each):4.2f}" for each in columns]
        _, uniform, even = columns
        apart, wide = fmean(uniform) - fmean(even), 1.96 * math.hypot(error(uniform), error(even))
        size, most = apart / (stdev(even) or 1), greatest_distance(uniform, even)
        print(
            f"  {name:20} {'  '.join(told)}   {apart:7.2f} ± {wide:5.2f}   {size:6.2f}   {most:.3f}",
            flush=True,
        )


def error(values: Sequence[float]) -> float:
    """The standard error of their mean."""
    return stdev(values) / math.sqrt(len(values))


def greatest_distance(one: Sequence[float], other: Sequence[float]) -> float:
    """The most by which the shares of values up to some value differ."""
    one, other = sorted(one), sorted(other)
    return max(
        abs(bisect(one, each) / len(one) - bisect(other, each) / len(other))
        for each in {*one, *other}
    )


def exact(name: str) -> None:
    """How the policy uniform spreads over all layouts of a box that can be enumerated, with their
    exact probabilities. A layout counts as often as it has maps: ways to lay its capitals, of which
    uniform may favour some."""
    box = BOXES[name]
    chances: dict[Layout, Fraction] = defaultdict(Fraction)
    for chance, tiles, _ in logs(box):
        shape = shape_of(box, tiles)
        chances[min((moved(list(shape), box, turn) for turn in range(6)), key=sorted)] += chance
    even = {
        each: Fraction(turns, 6) * len(capitals_of(box, each))
        for each, turns in layouts(name).items()
    }
    maps = sum(even.values(), Fraction())
    ratios = [chances[each] * maps / share for each, share in even.items()]
    apart = sum((abs(chances[each] - share / maps) for each, share in even.items()), Fraction()) / 2
    assert sum(chances.values(), Fraction()) == 1
    told = f"{len(even)} layouts, {float(maps):g} maps; uniform draws a layout {float(min(ratios)):.2f} to"
    print(
        f"{name}: {told} {float(max(ratios)):.2f} times as often as even; total variation distance {float(apart):.3f}"
    )


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("what", choices=["count", "bridge", "chi", "mixing", "compare", "exact"])
    options.add_argument("--mode", default="micro2", choices=list(BOX.mode_by_id))
    options.add_argument("--samples", type=int, default=20_000)
    options.add_argument(
        "--strength", type=float, default=0.4, help="how much fewer contacts are favoured"
    )
    options.add_argument("--draws", type=int, default=1_000_000)
    options.add_argument("--sweeps", type=int, default=270)
    options.add_argument("--chains", type=int, default=8)
    options.add_argument("--maps", type=int, default=1000)
    asked = options.parse_args()
    match asked.what:
        case "count":
            count(asked.samples, asked.mode, asked.strength)
        case "bridge":
            bridge(asked.samples, asked.mode, asked.strength)
        case "chi":
            chi(asked.draws, asked.sweeps)
        case "mixing":
            mixing(asked.mode, asked.chains, max(asked.sweeps, 100))
        case "exact":
            for name in BOXES:
                if size_of(BOXES[name]) <= 3:
                    exact(name)
        case _:
            compare(asked.mode, asked.maps)
    print(f"{math.fsum(os.times()[:4]):.0f} s of processor time")


if __name__ == "__main__":
    main()
