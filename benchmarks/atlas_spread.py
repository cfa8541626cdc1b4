"""How the maps of the policies are spread; figures of docs/atlas.md.

PYTHONPATH=generator:tests python benchmarks/atlas_spread.py count --samples 20000    the number of maps of micro2
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py chi --draws 1000000      evenness on a box of 3,132 maps
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py mixing --mode long       how soon a chain forgets
PYTHONPATH=generator:tests python benchmarks/atlas_spread.py compare --mode micro2    uniform against even
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from statistics import fmean, stdev

from everymap import chi_square, drawn_by_all, likelihood
from platelayer.atlas.assemble import assemble
from platelayer.atlas.counting import estimate_maps
from platelayer.atlas.even import Chain, contacts_of, placed_at
from platelayer.atlas.frontier import axial_of
from platelayer.atlas.measures import Surveyor
from platelayer.definitions.atlas_box import shipped_box
from platelayer.foundation.seeds import Dice
from platelayer.model.atlas import Axial

BOX = shipped_box()
EVERY = 50
"""Sweeps between two looks at a chain."""
COMPARED = ("perimeter", "diameter", "gap_hexes", "home_distance_mean", "land_largest", "income_mean", "fairness")


def count(samples: int, mode: str) -> None:
    found = estimate_maps(BOX, BOX.mode_by_id[mode], samples=samples, seed=1)
    print(f"{mode}: {found.maps:.4g} maps, standard error {found.error / found.maps:.1%}, {samples} samples")


def chi(draws: int, sweeps: int) -> None:
    found, freedom = chi_square("stacks", drawn_by_all("stacks", draws, sweeps))
    told = f"chi-square {found:.1f} on {freedom} degrees of freedom, p = {likelihood(found, freedom):.3f}"
    print(f"stacks: {draws} draws of {sweeps} sweeps: {told}", flush=True)


def traits(chain: Chain) -> tuple[float, float, float]:
    """Of a layout: its edges inside, its extent, and where the tile with the least number lies."""
    inside = sum(sum(each.values()) for each in contacts_of(chain.placed)) / 2
    places = [axial(each, chain) for tile in chain.placed for each in tile.hexes]
    extent = max(max(axis) - min(axis) for axis in zip(*((q, r, q + r) for q, r in places), strict=True))
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
        tiles = [placed_at(BOX.tile_by_number[each.tile], each.at, each.rotation) for each in log.placed]
        chain = Chain(BOX, BOX.mode_by_id[mode], tiles, Dice(seed))
        found: list[tuple[float, ...]] = []
        for _ in range(sweeps // EVERY):
            chain.run(EVERY * len(tiles))
            found.append(traits(chain))
        series.append(found[len(found) // 10 :])
    print(f"{mode}: {chains} chains of {sweeps} sweeps")
    for number, name in enumerate(("edges inside", "extent", "first tile off the middle")):
        runs = [[each[number] for each in found] for found in series]
        print(f"  {name:26} autocorrelation time {EVERY * autocorrelation(runs):6.0f} sweeps   R-hat {r_hat(runs):.4f}")


def autocorrelation(runs: Sequence[Sequence[float]]) -> float:
    """The integrated autocorrelation time, summed over a window of five times itself (Sokal 1997)."""
    mean = fmean(each for run in runs for each in run)
    spread = fmean((each - mean) ** 2 for run in runs for each in run)
    total = 1.0
    for lag in range(1, len(runs[0]) // 2):
        products = [fmean((a - mean) * (b - mean) for a, b in zip(run, run[lag:], strict=False)) for run in runs]
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


def compare(mode: str, maps: int) -> None:
    surveyor = Surveyor(BOX)
    found = {
        policy: [surveyor.measure(assemble(BOX, mode, seed=seed, policy=policy)) for seed in range(maps)]
        for policy in ("compact", "uniform", "even")
    }
    print(f"{mode}, {maps} maps of each policy: means and standard errors")
    for name in COMPARED:
        cells = []
        for rows in found.values():
            values = [row[name] for row in rows if row[name] != -1]
            cells.append(f"{fmean(values):9.2f} ± {stdev(values) / math.sqrt(len(values)):.2f}")
        print(f"  {name:20}", "  ".join(cells))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=["count", "chi", "mixing", "compare"])
    options.add_argument("--mode", default="micro2", choices=list(BOX.mode_by_id))
    options.add_argument("--samples", type=int, default=20_000)
    options.add_argument("--draws", type=int, default=1_000_000)
    options.add_argument("--sweeps", type=int, default=270)
    options.add_argument("--chains", type=int, default=8)
    options.add_argument("--maps", type=int, default=1000)
    asked = options.parse_args()
    started = time.process_time()
    match asked.what:
        case "count":
            count(asked.samples, asked.mode)
        case "chi":
            chi(asked.draws, asked.sweeps)
        case "mixing":
            mixing(asked.mode, asked.chains, max(asked.sweeps, 100))
        case _:
            compare(asked.mode, asked.maps)
    print(f"{time.process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()
