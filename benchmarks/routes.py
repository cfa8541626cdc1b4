"""How long the best routes take, with their proofs: prints a table.

Run: PYTHONPATH=generator:docs python benchmarks/routes.py [GAMES]. On boards of games of chance on the
five titles (`docs/played_pictures.py`), each company runs two or three trains of one phase. Times are
of the processor, in milliseconds: of the network of track, of the search, and of the verification.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from played_pictures import Game, title_with_map

from platelayer.play.network import engines_of, network_of
from platelayer.play.proof import Shown, verify
from platelayer.play.runs import best_runs, bits_of

T = TypeVar("T")
TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")
LAYS = (20, 40, 60, 90)


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """What a function returns, and its time in milliseconds."""
    start = time.process_time()
    done = run()
    return done, (time.process_time() - start) * 1000


def main(games: int = 4) -> None:
    """Print for each title the median and the slowest of a hundred, and how many were proven."""
    print(
        f"{'title':<12}{'runs':>6}{'network':>9}{'search':>9}{'p99':>9}{'verify':>9}{'p99':>9}  proven"
    )
    for name in TITLES:
        title = title_with_map(name)
        rows, proven = [], 0
        for seed in range(games):
            dice = random.Random(seed)
            for lays in LAYS:
                position = Game(title, seed).position(lays)
                for company in sorted({s.company for _, there in position.tokens for s in there}):
                    names = [f"{t.id} {f.name}" for t in title.trains for f in t.faces]
                    trains = engines_of(title, company, dice.choices(names, k=3))
                    network, first = timed(lambda: network_of(title, position, company))  # noqa: B023
                    best, second = timed(lambda: best_runs(network, trains))  # noqa: B023
                    third = 0.0
                    if best.proof is not None:
                        proven += 1
                        runs = [
                            run
                            and Shown(
                                stops=tuple(
                                    (network.places[p].hex, network.places[p].stop)
                                    for p in run.places
                                ),
                                sides=tuple(
                                    tuple(network.names[side] for side in bits_of(chain.sides))
                                    for chain in run.chains
                                ),
                                value=run.value,
                            )
                            for run in best.runs
                        ]
                        proof = best.proof
                        _, third = timed(
                            lambda: verify(network, trains, runs, best.total, proof)  # noqa: B023
                        )
                    rows.append((first, second, third))
        if rows:
            columns = [sorted(column) for column in zip(*rows, strict=True)]
            middle = [column[len(column) // 2] for column in columns]
            slowest = [column[int(len(column) * 0.99)] for column in columns]
            print(
                f"{name:<12}{len(rows):>6}{middle[0]:>9.2f}{middle[1]:>9.2f}{slowest[1]:>9.1f}"
                f"{middle[2]:>9.2f}{slowest[2]:>9.1f}  {proven / len(rows):.1%}"
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
