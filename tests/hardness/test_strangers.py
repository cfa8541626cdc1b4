"""Hostile files and words, through whole commands in 1 GB and 20 s: a clean end, and nothing
outside their folder."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from strangers import STRANGERS

from limited import Ended, Runner, runner

PART = 100
TOLD = 200_000
"""Characters that a command may print about one file."""


@pytest.fixture(scope="module")
def commands() -> Iterator[Runner]:
    with runner() as running:
        yield running


def seen(home: Path) -> dict[Path, tuple[int, int, int]]:
    """What lies in a folder and beside it, but for what it has in `out`."""
    found = {}
    for base, folders, names in os.walk(home.parent):
        here = Path(base)
        if here == home:
            folders[:] = [name for name in folders if name != "out"]
        for path in (here / name for name in (*folders, *names)):
            status = path.lstat()
            told = (status.st_size, status.st_mtime_ns) if path.name in names else (0, 0)
            found[path] = status.st_mode, *told
    return found


def wrong_with(ended: Ended) -> str:
    """What is wrong with the end of a command; "" for nothing."""
    told = ended.out + ended.err
    if ended.status not in (0, 1, 2):
        return f"status {ended.status} after {ended.seconds:.1f} s"
    for words in ("Traceback (most", "Exception ignored", "this is a bug in Platelayer"):
        if words in told:
            return told[max(0, told.index(words) - 500) :][-3000:]
    if ended.status and not told.strip():
        return f"status {ended.status} without a word"
    return f"{len(told)} characters" if len(told) > TOLD else ""


def try_out(kind: str, seeds: range, folder: Path, commands: Runner) -> Counter[int]:
    """How many commands ended with each status. Raises AssertionError for all that ended wrong,
    with their seeds."""
    found: Counter[int] = Counter()
    faults = []
    for seed in seeds:
        home = folder / str(seed)
        home.mkdir()
        words = STRANGERS[kind].make(seed, home)
        before = seen(home)
        ended = commands.run(words, home)
        found[ended.status] += 1
        fault = wrong_with(ended)
        if not fault and (after := seen(home)) != before:
            fault = f"written: {sorted(after.items() ^ before.items())[:5]}"
        if fault:
            faults.append(f"{kind} {seed}: {fault}\n  {[each[:200] for each in words]}")
        shutil.rmtree(home, ignore_errors=True)
    assert not faults, "\n".join(faults)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (kind, part)
        for kind, stranger in STRANGERS.items()
        for part in range(stranger.count // PART)
    ],
)
def test_thousands_of_strangers(kind: str, part: int, tmp_path: Path, commands: Runner) -> None:
    first = 1_000 + part * PART
    found = try_out(kind, range(first, first + PART), tmp_path, commands)
    assert found.total() == PART
    assert found[0] > 0, found
    assert found[1] + found[2] > 0
