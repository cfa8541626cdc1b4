"""Random maps assembled in one process; a table of maps per second and of dead ends out, by mode
and policy. Last, maps of the long game per second of the clock, by one process and by two.

Run: PYTHONPATH=generator python benchmarks/atlas.py [MAPS]. Maps are assembled in Python; the
compiled core, if there is one, measures them too. A second table tells where assemblies of the long
game end early: by the share of shuffles that begin with four border tiles, 7/33 x 6/32 x 5/31 x
4/30 = 0.0855 %, and by others.
"""

from __future__ import annotations

import sys
import time
from itertools import islice

from platelayer.atlas.assemble import POLICIES, assemble, lay_pile
from platelayer.atlas.compiled import compiled
from platelayer.atlas.layouts import Pile, TilePiece, draw_pile
from platelayer.definitions.build import shipped_box
from platelayer.foundation.pool import share_out
from platelayer.foundation.seeds import Dice
from platelayer.model.map_tiles import Ground

MAPS = 2000
SHUFFLES_PER_MAP = 5
BOX = shipped_box()


def speed(mode: str, policy: str, maps: int) -> tuple[float, int]:
    """Maps per second of processor time, and restarts."""
    start = time.process_time()
    restarts = sum(assemble(BOX, mode, seed=seed, policy=policy).restarts for seed in range(maps))
    return maps / (time.process_time() - start), restarts


def compiled_speed(mode: str, policy: str, maps: int) -> float:
    """Maps per second of processor time by the compiled core, measured too; 0 without it."""
    core = compiled(BOX, mode, policy, None)
    if core is None:
        return 0.0
    start = time.process_time()
    core.rows(range(maps))
    return maps / (time.process_time() - start)


def measured(seeds: range) -> int:
    """The number of long maps made and measured by the compiled core; none without it."""
    core = compiled(BOX, "long", "uniform", None)
    return 0 if core is None else len(core.rows(seeds))


def shared_speed(processes: int, maps: int) -> float:
    """Long maps per second of the clock by so many processes."""
    spans = [range(first, first + 500) for first in range(0, maps, 500)]
    start = time.perf_counter()
    made = sum(share_out(measured, spans, processes=processes))
    return made / (time.perf_counter() - start)


def begins_with_borders(pile: Pile, number: int) -> bool:
    """Are the first tiles of a pile, projects apart, all border tiles?"""
    tiles = islice((piece.tile for piece in pile.pieces if isinstance(piece, TilePiece)), number)
    return all(any(each.ground is Ground.BORDER for each in tile.hexes) for tile in tiles)


def dead_ends(mode: str, policy: str, shuffles: int) -> tuple[int, int, int]:
    """Piles that began with four border tiles, those among them that got stuck, and other piles
    that got stuck."""
    dice = Dice(0)
    began = stuck_at_four = stuck_later = 0
    for _ in range(shuffles):
        pile = draw_pile(BOX, BOX.mode_by_id[mode], dice)
        four = begins_with_borders(pile, 4)
        stuck = lay_pile(pile, POLICIES[policy].weights, dice).stuck is not None
        began += four
        stuck_at_four += four and stuck
        stuck_later += stuck and not four
    return began, stuck_at_four, stuck_later


def main(maps: int) -> None:
    """Print both tables."""
    print(
        f"{'mode':8} {'policy':8} {'maps':>7} {'maps/s':>8} {'compiled/s':>11} {'restarts':>9} {'per map':>9}"
    )
    for mode in BOX.mode_by_id:
        for policy in POLICIES.values():
            number = max(1, maps // (400 if policy.sweeps else policy.maps))
            rate, restarts = speed(mode, policy.id, number)
            quick = compiled_speed(mode, policy.id, number)
            print(
                f"{mode:8} {policy.id:8} {number:7} {rate:8.0f} {quick:11.0f} {restarts:9} {restarts / number:9.4%}"
            )
    print()
    shuffles = maps * SHUFFLES_PER_MAP
    print(
        f"{'mode':8} {'policy':8} {'shuffles':>9} {'4 borders':>10} {'of them stuck':>14} {'others stuck':>13}"
    )
    for mode in BOX.mode_by_id:
        for name in ("uniform", "compact"):
            began, at_four, later = dead_ends(mode, name, shuffles)
            four = f"{began / shuffles:10.4%} {at_four:7} of {began:3}"
            print(f"{mode:8} {name:8} {shuffles:9} {four} {later / shuffles:13.4%}")
    print()
    for processes in (1, 2):
        rate = shared_speed(processes, 20 * maps)
        print(f"long maps by {processes} process(es): {rate:.0f} a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MAPS)
