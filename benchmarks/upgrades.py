"""How long the upgrade graph takes, for 18EU and for 100 to 800 tiles of the catalogue: prints a
table.

Run: PYTHONPATH=generator python benchmarks/upgrades.py. Beyond the 476 tiles of the catalogue its
tiles come again under new numbers. Every pair is asked for in all six rotations. Each row is the
best of five runs in one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from platelayer.definitions.build import catalogue_tiles
from platelayer.definitions.titles import load_title
from platelayer.model.title import TileCount, Title
from platelayer.rules.graph import spots, upgrade_graph
from platelayer.rules.replacement import rotations

SIZES = (90, 100, 200, 400, 800)
RUNS = 5


def best_ms(title: Title, work: Callable[[Title], object]) -> float:
    """Milliseconds; each run works on a title of another name, so that nothing is remembered from
    the last."""
    times = []
    for run in range(RUNS):
        another = replace(title, id=f"{title.id}.{run}.{work.__name__}")
        start = time.perf_counter()
        work(another)
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def with_tiles(title: Title, number: int) -> Title:
    """The title without a map, with that many tiles spread evenly over the catalogue."""
    catalogue = catalogue_tiles()
    step = max(1.0, len(catalogue) / number)
    chosen = []
    for place in range(number):
        index = int(place * step) % len(catalogue)
        again = place // len(catalogue)
        tile = catalogue[index]
        chosen.append(replace(tile, id=f"{tile.id}.{again}" if again else tile.id))
    tiles = tuple(TileCount(tile=tile, count=1) for tile in chosen)
    return replace(title, tiles=tiles, maps=())


def one_by_one(title: Title) -> int:
    """The same by asking about every pair by itself, without the sorting that the graph does
    first."""
    options, colours = title.upgrades, title.colours
    return sum(
        len(rotations(old.tile, new.tile, colours, options))
        for old in title.tiles
        for new in title.tiles
    )


def main() -> None:
    title = load_title("18eu").title
    print(f"{'':28}{'tiles':>7}{'pairs':>9}{'rotations':>11}{'graph ms':>10}{'us/tile²':>10}")
    for name, each in (
        ("18EU with its map", title),
        *((f"catalogue, {n} tiles", with_tiles(title, n)) for n in SIZES),
    ):
        graph = upgrade_graph(each)
        turned = sum(len(pair.rotations) for pair in graph.pairs)
        spent = best_ms(each, upgrade_graph)
        count = len(each.tiles)
        print(
            f"{name:28}{count:>7}{len(graph.pairs):>9}{turned:>11}{spent:>10.1f}{spent * 1000 / count**2:>10.2f}"
        )
    print(f"\n18EU, graph and chains on its map: {best_ms(title, spots):.1f} ms")
    print(
        f"90 tiles, each of the 8,100 pairs by itself: {best_ms(with_tiles(title, 90), one_by_one):.1f} ms"
    )


if __name__ == "__main__":
    main()
