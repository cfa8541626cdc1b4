"""Whatever happens to another program's game: the import ends within 1 GB and 20 seconds with what
it could read, or is refused in clear lines; it writes nothing but its folder."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from damage import Damage
from game_damage import damaged_game, damaged_maker

from limited import CPU_SECONDS, bring

PARTS = 20
GAMES: dict[str, tuple[Callable[[int], Damage], int]] = {
    "ruby": (damaged_game, 2000),
    "maker": (damaged_maker, 500),
}
"""By program: what damages its games, and how many are tried."""


def try_out(kind: str, first: int, count: int, folder: Path) -> Counter[int]:
    """Imports damaged games; returns how often it ended how. Raises AssertionError, naming the
    damage."""
    if kind == "ruby":
        pytest.importorskip("tree_sitter_ruby")
    damaged = GAMES[kind][0]
    found: Counter[int] = Counter()
    for seed in range(first, first + count):
        damage, home = damaged(seed), folder / str(seed)
        for name, data in damage.files.items():
            path = home / "engine" / "game" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.resolve().parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        try:
            ended = bring(home / "engine" / "game" / damage.main, home / "out")
            assert ended.seconds < CPU_SECONDS
            assert bool(ended.errors) is (ended.status != 0)
            assert all(
                line.isprintable() and len(line) < 1000 for line in ended.errors.splitlines()
            )
        except AssertionError as error:
            raise AssertionError(f"{damage}: {error}") from error
        found[ended.status] += 1
        shutil.rmtree(home)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", GAMES)
def test_many_damaged_games(kind: str, part: int, tmp_path: Path) -> None:
    count = GAMES[kind][1] // PARTS
    found = try_out(kind, 10_000 + part * count, count, tmp_path)
    assert found.total() == count
    assert found[0] + found[1] >= count // 5, found
