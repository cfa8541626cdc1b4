"""Whatever is in the folder of a cache, a print has the bytes that it has without one, within 20
seconds and 1 GB."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path

import pytest

from platelayer.foundation.cache import FOLDER
from platelayer.foundation.pool import PROCESSES
from platelayer.foundation.resources import title_path

resource = pytest.importorskip("resource", reason="only POSIX limits the memory of a process")

MEMORY, SECONDS = 1 << 30, 20
SHORT, LONG, PARTS = 1, 500, 10
ROOT = Path(__file__).parents[2]
PIECES = "tile:57,token:FS,certificate:FS-10,train:2,charter:FS"


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


class Place:
    """A folder with a cache, and a module that tells when it is imported."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache, self.harmed = folder, folder / "cache", folder / "harmed"
        (folder / "planted").mkdir(parents=True, exist_ok=True)
        (folder / "planted" / "harm.py").write_text(f"open({str(self.harmed)!r}, 'w')")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The command, within the limits."""
        environment = {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": os.pathsep.join((str(ROOT / "generator"), str(self.folder / "planted"))),
            FOLDER: str(self.cache),
            PROCESSES: "1",
            "MALLOC_ARENA_MAX": "1",
        }
        return subprocess.run(
            [sys.executable, "-m", "platelayer", *words],
            env=environment,
            cwd=self.folder,
            preexec_fn=_limited,
            capture_output=True,
            encoding="utf-8",
            timeout=12
            * SECONDS,  # other work may keep the processor from it; what counts is its own time
            check=False,
        )

    def printed(self) -> dict[str, bytes]:
        """A print, by the names of its files."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        done = self.run("build", "18eu", "--pieces", PIECES, "-o", "out")
        assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        assert not self.harmed.exists()
        return {
            path.name: path.read_bytes()
            for path in sorted((self.folder / "out" / "18eu").iterdir())
        }

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


def assigning(struct: str, **values: str) -> bytes:
    """A pickle that sets attributes of a class of ours when it is read."""
    module, _, name = struct.rpartition(".")
    pairs = b"".join(f"V{key}\nV{value}\ns".encode() for key, value in values.items())
    return f"c{module}\n{name}\n".encode() + b"(N}" + pairs + b"tb0"


KIND = assigning(
    "platelayer.model.kinds.Kind", front="harm:harm", pages="harm:harm", back="harm:harm"
)
PIECE = assigning("platelayer.model.kinds.Piece", id="import harm", kind="tile")
CALL = b"cbuiltins\nexec\n(Vimport harm\ntR0"
PICKLES = [
    KIND + b"N.",
    PIECE + b"N.",
    KIND + PIECE + b"N.",
    CALL + b"N.",
    b"cplatelayer.model.kinds\nKind\n.",
]


def plant(path: Path, code: bytes) -> None:
    """A pickle as an entry, behind the digest that anybody can work out."""
    path.write_bytes(blake2b(path.name.encode() + code, digest_size=16).digest() + code)


@pytest.mark.parametrize("code", PICKLES, ids=["kind", "piece", "both", "call", "class"])
def test_a_planted_pickle_runs_nothing(
    code: bytes, place: Place, full: tuple[Place, dict[str, bytes]]
) -> None:
    for path in place.entries():
        plant(path, code)
    assert place.printed() == full[1]


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


def _pipe(path: Path, _dice: random.Random) -> None:
    path.unlink()
    os.mkfifo(path)


def _linked(target: str) -> Callable[[Path, random.Random], None]:
    def damage(path: Path, _dice: random.Random) -> None:
        path.unlink()
        path.symlink_to(target)

    return damage


def _folder(path: Path, _dice: random.Random) -> None:
    path.unlink()
    path.mkdir()
    (path / "within").touch()


def _sparse(path: Path, dice: random.Random) -> None:
    with path.open("ab") as stream:
        stream.truncate(1 << dice.choice([24, 25, 26, 36]))


def _given_away(path: Path, _dice: random.Random) -> None:
    if os.geteuid() == 0:
        os.chown(path, 4321, 4321)


def _locked(path: Path, dice: random.Random) -> None:
    path.chmod(dice.choice([0, 0o200, 0o777]))


def _flipped(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice([1, 2, 50])):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def _cut(path: Path, dice: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: dice.randrange(len(data))])


def _longer(path: Path, dice: random.Random) -> None:
    path.write_bytes(path.read_bytes() + dice.randbytes(dice.choice([1, 16, 5000])))


def _noise(path: Path, dice: random.Random) -> None:
    path.write_bytes(dice.randbytes(dice.choice([0, 1, 15, 16, 17, 32, 3000])))


def _pickled(path: Path, dice: random.Random) -> None:
    plant(path, dice.choice(PICKLES))


def _exchanged(path: Path, dice: random.Random) -> None:
    other = dice.choice(
        [each for each in path.parent.iterdir() if each.is_file() and not each.is_symlink()]
        or [path]
    )
    if other.stat().st_size < MEMORY:
        path.write_bytes(other.read_bytes())


DAMAGES = [
    *(
        _pipe,
        _folder,
        _sparse,
        _given_away,
        _locked,
        _flipped,
        _cut,
        _longer,
        _noise,
        _pickled,
        _exchanged,
    ),
    *map(_linked, ("/dev/zero", "/dev/tty", "nowhere", ".", "/etc/passwd")),
]


def damaged(place: Place, seed: int) -> list[str]:
    """Damages some of the files; tells what was done."""
    dice = random.Random(seed)
    paths = place.entries()
    told = []
    for path in dice.sample(paths, dice.randint(1, len(paths))):
        damage = dice.choice(DAMAGES)
        damage(path, dice)
        told.append(f"{path.name[:8]} {damage.__qualname__}")
    return told


def damage_some(seeds: Iterable[int], full: tuple[Place, dict[str, bytes]], folder: Path) -> None:
    """Prints from damaged copies of a cache, twice each: what is found, and what is kept then."""
    for seed in seeds:
        place = copied(full[0], folder / str(seed))
        told = damaged(place, seed)
        for _ in range(2):
            try:
                printed = place.printed()
            except (AssertionError, subprocess.SubprocessError) as error:
                raise AssertionError(f"seed {seed}, {told}: {error}") from error
            assert printed == full[1], f"seed {seed}: {told}"
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
