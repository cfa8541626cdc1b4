"""Whatever the manifest.json of an earlier print says: nothing but our own files is removed, no
traceback, no wait."""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from damage import ASSETS, RECORD, Damage, damaged_record
from test_damage import HANGS_AFTER_SECONDS, SECONDS

from packs import build
from platelayer.definitions.themes import read_print, recorded_files
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound
from platelayer.pipeline.job import (
    BuildOptions,
    PrintedPiece,
    changes,
    describe,
    read_printed_pieces,
)
from platelayer.pipeline.write import UNFINISHED, write_all

TITLE = ASSETS / "starters" / "small"
PIECES = ("train:2",)
OURS = {"a.pdf": b"one", "b.pdf": b"two", "sub/c.pdf": b"three"}
NEW = {"a.pdf": b"new", "d.pdf": b"new", RECORD: b"{}"}
SHORT, LONG = 30, 500


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The manifest.json of a small print, which names OURS as its files."""
    made = build(
        str(TITLE),
        tmp_path_factory.mktemp("sound"),
        BuildOptions(pieces=(*PIECES, "tile:*", "certificate:*")),
    )
    value = json.loads((made.folder / RECORD).read_text("utf-8"))
    value["files"] = [
        {"file": name, "pages": 1, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in OURS.items()
    ]
    return json.dumps(value).encode()


class Ground:
    """A folder `out` with files of ours and the user's, links that lead out of it, and what lies
    outside."""

    def __init__(self, base: Path) -> None:
        self.base, self.out = base, base / "out"
        self.outside = base / "outside" / "precious.txt"
        self.outside.parent.mkdir(parents=True)
        self.outside.write_bytes(b"precious")
        self.out.mkdir()
        for path, data in (OURS | {"mine.txt": b"mine", "b.pdf": b"signed by hand"}).items():
            (self.out / path).parent.mkdir(exist_ok=True)
            (self.out / path).write_bytes(data)
        (self.out / "link").symlink_to(self.outside.parent)
        (self.out / "link.txt").symlink_to(self.outside)

    def check(self, damage: Damage) -> None:
        """Nothing is gone that is not ours, and nothing lies about."""
        assert self.outside.read_bytes() == b"precious", str(damage)
        assert {path.name for path in self.base.iterdir()} == {"outside", "out"}, str(damage)
        assert (self.out / "link").is_symlink(), str(damage)
        assert (self.out / "link.txt").is_symlink(), str(damage)
        for name, data in {"mine.txt": b"mine", "b.pdf": b"signed by hand"}.items():
            assert (self.out / name).read_bytes() == data, str(damage)
        assert not (self.out / UNFINISHED).exists(), str(damage)


def lay(damage: Damage, folder: Path) -> Path:
    """The damaged manifest.json in a folder that is there."""
    path = folder / RECORD
    path.write_bytes(damage.files[RECORD])
    for act in damage.after:
        act(folder)
    return path


def hold_up(damage: Damage, began: float) -> None:
    signal.alarm(0)
    took = time.process_time() - began
    assert took < SECONDS, f"{damage}: {took:.1f} s"


def write_over(damage: Damage, base: Path) -> str:
    """A set is written into a folder with that manifest.json; returns how that ended."""
    ground = Ground(base)
    lay(damage, ground.out)
    before = recorded_files(ground.out / RECORD)
    signal.alarm(HANGS_AFTER_SECONDS)
    began = time.process_time()
    try:
        write_all(ground.out, NEW, record=RECORD)
        end = "removed" if not (ground.out / "sub/c.pdf").exists() else "written"
    except CannotRun as error:
        end = "refused" if f"{RECORD}: it exists but is not a file" in str(error) else str(error)
    except BaseException as error:
        raise AssertionError(f"{damage}: {type(error).__name__}: {error}") from error
    hold_up(damage, began)
    ground.check(damage)
    assert end in ("removed", "written", "refused"), f"{damage}: {end}"
    if end == "removed":
        assert "sub/c.pdf" in before, str(damage)
    if end != "refused":
        assert {name: (ground.out / name).read_bytes() for name in NEW} == NEW, str(damage)
    return end


def told(problems: tuple[Problem, ...], damage: Damage) -> None:
    assert problems, str(damage)
    for problem in problems:
        assert str(problem).isprintable(), str(damage)
        assert len(str(problem)) < 1000, f"{damage}: {problem}"


def read_since(damage: Damage, base: Path) -> str:
    """The manifest.json is one to print the changes since; returns how that ended."""
    base.mkdir()
    path = lay(damage, base)
    now = {
        "train:2": PrintedPiece(count=5, front="1" * 64),
        "tile:57": PrintedPiece(count=1, front="2" * 64),
    }
    signal.alarm(HANGS_AFTER_SECONDS)
    began = time.process_time()
    try:
        seen = read_printed_pieces(path, "starter")
        words = describe(changes(seen, now, [key.partition(":")[0] for key in seen]))
        assert all(line.isprintable() for line in words.splitlines()), str(damage)
        end = "read"
    except ProblemsFound as error:
        told(error.problems, damage)
        end = "refused"
    except CannotRun as error:
        end = "of another title" if str(error).isprintable() else str(error)
    except BaseException as error:
        raise AssertionError(f"{damage}: {type(error).__name__}: {error}") from error
    hold_up(damage, began)
    assert end in ("read", "refused", "of another title"), f"{damage}: {end}"
    return end


def run(first: int, count: int, folder: Path, sound: bytes) -> Counter[str]:
    """Tries damaged manifests both ways; returns how often what came of it."""
    found: Counter[str] = Counter()
    outside = (
        folder / "x" / "outside" / "precious.txt"
    )  # as it is called from within, in every ground
    outside.parent.mkdir(parents=True)
    outside.write_bytes(b"precious")
    for seed in range(first, first + count):
        base = folder / "ground"
        damage = damaged_record(seed, sound, outside)
        found[f"folder: {write_over(damage, base)}"] += 1
        found[f"since: {read_since(damage, folder / 'since')}"] += 1
        shutil.rmtree(base)
        shutil.rmtree(folder / "since")
    return found


def test_the_sound_one_is_read(sound: bytes, tmp_path: Path) -> None:
    (tmp_path / RECORD).write_bytes(sound)
    assert set(recorded_files(tmp_path / RECORD)) == set(OURS)
    assert len(read_print(tmp_path / RECORD)["pieces"]) > 3


def test_a_few_damaged_manifests(sound: bytes, tmp_path: Path) -> None:
    found = run(0, SHORT, tmp_path, sound)
    # Were nothing damaged, or everything beyond reading, the test would say little.
    assert min(found["folder: removed"], found["folder: written"], found["since: refused"]) >= 5, (
        found
    )
    assert found["since: read"] >= 3, found


@pytest.mark.slow
def test_many_damaged_manifests(sound: bytes, tmp_path: Path) -> None:
    found = run(1000, LONG, tmp_path, sound)
    assert min(found["folder: removed"], found["folder: written"], found["since: refused"]) >= 50, (
        found
    )
    assert min(found["since: read"], found["folder: refused"]) >= 10, found
