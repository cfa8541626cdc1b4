"""Whatever has become of the files of a cache, a print has the bytes that it has without one."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from platelayer.foundation.cache import FOLDER
from platelayer.foundation.pool import PROCESSES
from platelayer.foundation.resources import title_path

SECONDS = 240
SHORT, LONG, PARTS = 1, 500, 10
ROOT = Path(__file__).parents[2]
PIECES = "tile:57,token:FS,certificate:FS-10,train:2,charter:FS"


class Place:
    """A folder with a cache."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The command."""
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT / "generator"),
                       FOLDER: str(self.cache), PROCESSES: "1"}  # fmt: skip
        return subprocess.run(
            [sys.executable, "-m", "platelayer", *words],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )

    def printed(self) -> dict[str, bytes]:
        """A print, by the names of its files."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        done = self.run("build", "18eu", "--pieces", PIECES, "-o", "out")
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        made = sorted((self.folder / "out" / "18eu").iterdir())
        return {path.name: path.read_bytes() for path in made}

    def entries(self) -> list[Path]:
        """The files of the cache."""
        return sorted(self.cache.iterdir())


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, dict[str, bytes]]:
    """A cache that a print has filled, and the print."""
    place = Place(tmp_path_factory.mktemp("full"))
    printed = place.printed()
    assert len(place.entries()) > 5
    return place, printed


@pytest.fixture
def place(full: tuple[Place, dict[str, bytes]], tmp_path: Path) -> Place:
    """A copy of the full cache to damage."""
    return copied(full[0], tmp_path / "copy")


def copied(place: Place, folder: Path) -> Place:
    """The same cache in another folder."""
    shutil.copytree(place.cache, folder / "cache")
    return Place(folder)


def test_exchanged_entries_print_nothing_else(
    place: Place, full: tuple[Place, dict[str, bytes]]
) -> None:
    paths = place.entries()
    contents = [path.read_bytes() for path in paths]
    for path, data in zip(paths, [*contents[1:], contents[0]], strict=True):
        path.write_bytes(data)
    assert place.printed() == full[1]


@pytest.mark.slow
def test_exchanged_findings_say_nothing_else(tmp_path: Path) -> None:
    """Entries of a check: those of what is illegible on one piece for those of another."""
    place = Place(tmp_path)
    folder = shutil.copytree(title_path("18eu"), tmp_path / "mine")
    block = json.loads((folder / "pieces.json").read_text(encoding="utf-8"))
    block["pieces"]["sizes"]["certificate"] = [40, 25]
    (folder / "pieces.json").write_text(json.dumps(block), encoding="utf-8")
    plain = place.run("check", "mine")
    assert "certificate:" in plain.stdout
    paths = place.entries()
    contents = [path.read_bytes() for path in paths]
    assert len(set(contents)) > 1
    for path, data in zip(paths, reversed(contents), strict=True):
        path.write_bytes(data)
    again = place.run("check", "mine")
    assert (again.returncode, again.stdout, again.stderr) == (
        plain.returncode,
        plain.stdout,
        plain.stderr,
    )


def test_a_sound_cache_is_used(place: Place, full: tuple[Place, dict[str, bytes]]) -> None:
    """Were nothing ever found, nothing of this would be a test."""
    before = {path: path.stat().st_mtime_ns for path in place.entries()}
    for path in before:
        os.utime(path, ns=(0, 0))
    assert place.printed() == full[1]
    assert any(path.stat().st_mtime_ns > 0 for path in before)
    assert place.entries() == sorted(before)


def _folder(path: Path, _dice: random.Random) -> None:
    path.unlink()
    (path / "within").mkdir(parents=True)


def _link(path: Path, dice: random.Random) -> None:
    path.unlink()
    path.symlink_to(dice.choice(["nowhere", ".", "/etc/passwd"]))


def _flipped(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice([1, 2, 50])):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def _exchanged(path: Path, dice: random.Random) -> None:
    others = [each for each in path.parent.iterdir() if each.is_file() and not each.is_symlink()]
    path.write_bytes(dice.choice(others).read_bytes())


def _cut(path: Path, dice: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: dice.randrange(len(data))])


DAMAGES: tuple[Callable[[Path, random.Random], object], ...] = (
    _folder,
    _link,
    _flipped,
    _exchanged,
    _cut,
    lambda path, dice: path.write_bytes(path.read_bytes() + dice.randbytes(dice.choice([1, 5000]))),
    lambda path, dice: path.write_bytes(dice.randbytes(dice.choice([0, 1, 16, 17, 3000]))),
    lambda path, dice: path.chmod(dice.choice([0, 0o200])),
)


def damage_some(seeds: Iterable[int], full: tuple[Place, dict[str, bytes]], folder: Path) -> None:
    """Prints from damaged copies of a cache, twice each: what is found, and what is kept then."""
    for seed in seeds:
        place, dice = copied(full[0], folder / str(seed)), random.Random(seed)
        paths = place.entries()
        for path in dice.sample(paths, dice.randint(1, len(paths))):
            dice.choice(DAMAGES)(path, dice)
        for _ in range(2):
            assert place.printed() == full[1], f"seed {seed}"
        shutil.rmtree(place.folder)


def test_a_few_damaged_caches(full: tuple[Place, dict[str, bytes]], tmp_path: Path) -> None:
    damage_some(range(SHORT), full, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_hundreds_of_damaged_caches(
    part: int, full: tuple[Place, dict[str, bytes]], tmp_path: Path
) -> None:
    count = LONG // PARTS
    damage_some(range(1000 + part * count, 1000 + (part + 1) * count), full, tmp_path)
