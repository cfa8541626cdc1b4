"""Modes and policies in, a table of how many assembled maps pass the independent check out, with
rates of dead ends.

    python benchmarks/atlas_check.py                       10,000 maps for each mode and policy, all cores
    python benchmarks/atlas_check.py --maps 500 --policy compact
    python benchmarks/atlas_check.py --compiled --seed 18 --policy uniform --maps 160000    by the compiled twin
    python benchmarks/atlas_check.py --four-borders 1000000

A dead end is an assembly in which a drawn tile fits nowhere. The long game's surest one are four
map tiles with borders drawn before any other map tile: 7 of its 33 tiles have one, so (7 x 6 x 5 x
4) / (33 x 32 x 31 x 30) = 0.0855 % of all piles begin so; it is counted apart where the restarts of
the table are too few to show it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from multiprocessing import get_context
from typing import NamedTuple

from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import compiled, seed_of_map
from platelayer.atlas.layouts import TilePiece, draw_pile
from platelayer.atlas.measures import Surveyor
from platelayer.definitions.build import shipped_box
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import AtlasBox, Ground

SHARE = 250


class Share(NamedTuple):
    mode: str
    policy: str
    seed: int
    first: int
    end: int
    compiled: bool


class Found(NamedTuple):
    maps: int
    passed: int
    restarts: int
    codes: Counter[str]
    assemble_s: float
    check_s: float
    measure_s: float


def run(share: Share) -> Found:
    """Assemble, check and measure one share of maps, timing each by the processor's clock."""
    box = shipped_box()
    if share.compiled:
        return run_compiled(box, share)
    surveyor = Surveyor(box)
    passed = restarts = 0
    codes: Counter[str] = Counter()
    spent = [0.0, 0.0, 0.0]
    for number in range(share.first, share.end):
        marks = [time.process_time()]
        log = assemble(box, share.mode, seed=seed_of_map(share.seed, number), policy=share.policy)
        marks.append(time.process_time())
        problems = check_log(box, log)
        marks.append(time.process_time())
        surveyor.measure(log)
        marks.append(time.process_time())
        passed += not problems
        restarts += log.restarts
        codes.update(each.code for each in problems)
        spent = [
            so_far + end - start
            for so_far, start, end in zip(spent, marks, marks[1:], strict=False)
        ]
    return Found(share.end - share.first, passed, restarts, codes, *spent)


def run_compiled(box: AtlasBox, share: Share) -> Found:
    """The same by the compiled core, which does all three at once; a share with a wrong map has
    none that passes."""
    core = compiled(box, share.mode, share.policy, None)
    if core is None:
        sys.exit("there is no compiled core, or it does not have this policy")
    start = time.process_time()
    rows = core.rows(
        [seed_of_map(share.seed, number) for number in range(share.first, share.end)], check=True
    )
    restarts = sum(each.restarts for each in rows)
    return Found(
        share.end - share.first,
        len(rows),
        restarts,
        Counter(),
        time.process_time() - start,
        0.0,
        0.0,
    )


def four_borders(piles: int, seed: int) -> int:
    """How many of so many shuffled piles of a long game have four tiles with borders before any
    other map tile."""
    box = shipped_box()
    mode = box.mode_by_id["long"]
    dice = Dice(seed)
    found = 0
    for _ in range(piles):
        tiles = (
            each.tile for each in draw_pile(box, mode, dice).pieces if isinstance(each, TilePiece)
        )
        first = [next(tiles) for _ in range(4)]
        found += all(any(each.ground is Ground.BORDER for each in tile.hexes) for tile in first)
    return found


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--maps", type=int, default=10_000, help="maps for each mode and policy")
    options.add_argument("--mode", action="append", choices=list(shipped_box().mode_by_id))
    options.add_argument("--policy", action="append", choices=list(POLICIES))
    options.add_argument(
        "--compiled", action="store_true", help="by the compiled core; times are those of all steps"
    )
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options.add_argument("--four-borders", type=int, default=0, metavar="PILES")
    asked = options.parse_args()
    failed = 0
    print(
        f"{'mode':<8}{'policy':<9}{'maps':>8}{'pass':>8}{'dead ends':>11}{'rate':>10}"
        f"{'assemble':>10}{'check':>8}{'measure':>9}"
    )
    with get_context("spawn").Pool(asked.workers) as pool:
        for mode in asked.mode or shipped_box().mode_by_id:
            for policy in asked.policy or POLICIES:
                shares = [
                    Share(
                        mode,
                        policy,
                        asked.seed,
                        first,
                        min(first + SHARE, asked.maps),
                        asked.compiled,
                    )
                    for first in range(0, asked.maps, SHARE)
                ]
                parts = pool.map(run, shares, chunksize=1)
                maps = sum(each.maps for each in parts)
                passed, restarts = (
                    sum(each.passed for each in parts),
                    sum(each.restarts for each in parts),
                )
                codes = sum((each.codes for each in parts), Counter())
                seconds = zip(
                    *((each.assemble_s, each.check_s, each.measure_s) for each in parts),
                    strict=True,
                )
                times = [1000 * sum(each) / maps for each in seconds]
                rate = restarts / (maps + restarts)
                print(
                    f"{mode:<8}{policy:<9}{maps:>8}{passed:>8}{restarts:>11}{rate:>10.4%}"
                    f"{times[0]:>7.2f} ms{times[1]:>5.2f} ms{times[2]:>6.2f} ms",
                    dict(codes) or "",
                    flush=True,
                )
                failed += maps - passed
    if piles := asked.four_borders:
        found = four_borders(piles, asked.seed)
        print(
            f"four borders first: {found} of {piles} long piles, {found / piles:.4%} (expected 0.0855%)"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
