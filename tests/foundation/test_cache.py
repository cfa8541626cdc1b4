"""A cache gives back what was put into it or nothing, whatever happens to its folder."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct

from platelayer.drawing.kit.style import Style
from platelayer.foundation import cache as module
from platelayer.foundation.cache import FOLDER, Cache, digest_of, user_cache
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.values import Frozen
from platelayer.imposition.plan import DocumentPlan
from platelayer.model.kinds import Piece
from platelayer.model.manifest import Manifest
from platelayer.model.options import PrintOptions, Profile
from platelayer.model.title import Title
from platelayer.scene.shapes import Scene
from platelayer.scene.typeset import Theme


class Result(Struct, frozen=True, kw_only=True):
    """Something of every sort that results are made of."""

    problems: tuple[Problem, ...] = ()
    lengths: dict[str, float] = {}
    names: frozenset[str] = frozenset()
    data: bytes = b""
    path: tuple[tuple[str | float, ...], ...] = ()


class Other(Struct, frozen=True, kw_only=True):
    """What looks the same when it is encoded."""

    problems: tuple[Problem, ...] = ()
    lengths: dict[str, float] = {}
    names: frozenset[str] = frozenset()
    data: bytes = b""
    path: tuple[tuple[str | float, ...], ...] = ()


RESULT = Result(
    problems=(Problem(code="XX01", severity=Severity.NOTE, message="a note"),),
    lengths={"a": 1.5},
    names=frozenset({"b"}),
    data=b"\0\xff",
    path=(("M", 0.1, 2.0), ("Z",)),
)
WINDOWS = os.name == "nt"


@pytest.fixture
def alarm() -> Iterator[None]:
    """Ends a test that waits for ever."""
    signal.alarm(20)
    yield
    signal.alarm(0)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def kept(cache: Cache, key: str = "one", result: Result = RESULT) -> Path:
    """Where the entry of a result is."""
    cache.put(key, result, Result)
    return found(cache, key)


def found(cache: Cache, key: str) -> Path:
    return cache._folder / cache._name(key, Result)


def sized(cache: Cache, number: int) -> None:
    """Puts an entry of a thousand bytes, and a few."""
    cache.put(str(number), bytes(1000), bytes)


def test_a_result_is_found_by_its_key_and_type_alone(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "a" / "b")
    cache.put("one", RESULT, Result)
    assert cache.get("one", Result) == RESULT
    assert cache.get("two", Result) is None
    assert cache.get("one", Other) is None
    assert cache.get("one", tuple[Problem, ...]) is None


def test_processes_share_a_folder(tmp_path: Path) -> None:
    kept(Cache(tmp_path))
    assert Cache(tmp_path).get("one", Result) == RESULT
    assert [path.suffix for path in entries(tmp_path)] == [".kept"]


def test_whatever_byte_is_damaged_the_entry_is_not_there(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    path = kept(cache)
    data = path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        assert cache.get("one", Result) is None, at
        path.write_bytes(data[:at])
        assert cache.get("one", Result) is None, at
    path.write_bytes(data + b"\0")
    assert cache.get("one", Result) is None
    assert kept(cache) == path
    assert cache.get("one", Result) == RESULT


def test_exchanged_entries_are_not_there(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    one, two = kept(cache), kept(cache, "two", Result(data=b"other"))
    aside = one.rename(tmp_path / "aside")
    two.rename(one)
    aside.rename(two)
    assert cache.get("one", Result) is None
    assert cache.get("two", Result) is None


def test_what_is_whole_but_of_another_type_is_not_there(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    path = found(cache, "one")
    for data in (
        b"\x01",
        b"\x80\x80",
        b"\x81\xa4data\xa3abc",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 100_000,
        b"",
    ):
        path.write_bytes(module._digest(path.name, data) + data)
        assert cache.get("one", Result) is None, data[:20]


def test_what_cannot_be_encoded_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for odd in ("\ud800", 1 << 70):
        cache.put("one", odd, type(odd))
    assert entries(tmp_path) == []


def planted_pipe(path: Path) -> None:
    os.mkfifo(path)


def planted_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def planted_link(path: Path) -> None:
    """A link to a sound entry of another name."""
    path.symlink_to(kept(Cache(path.parent), "two"))


def planted_sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


def planted_of_another(path: Path) -> None:
    """A sound entry that belongs to somebody else."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    kept(Cache(path.parent))
    os.chown(path, 12345, 12345)


@pytest.mark.skipif(WINDOWS, reason="these are of POSIX")
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize(
    "plant",
    [planted_pipe, planted_endless, planted_link, Path.mkdir, planted_sparse, planted_of_another],
)
def test_what_is_no_file_of_this_user_is_not_there(
    plant: Callable[[Path], None], tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    path = found(cache, "one")
    plant(path)
    assert cache.get("one", Result) is None
    cache.put("one", RESULT, Result)
    cache.trim()
    assert cache.get("one", Result) == (None if path.is_dir() else RESULT)
    assert Path("/dev/zero").is_char_device()


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file")
    cache.put("one", RESULT, Result)
    cache.trim()
    assert cache.get("one", Result) is None
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as stream:
            stream.write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    cache = Cache(tmp_path)
    monkeypatch.setattr(Path, "write_bytes", full)
    cache.put("one", RESULT, Result)
    assert cache.get("one", Result) is None
    assert entries(tmp_path) == []


def test_a_read_only_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(Cache(tmp_path))

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:  # root may write into any folder
        for name in ("utime", "unlink", "mkdir", "rename", "replace"):
            patch.setattr(os, name, refused)
        patch.setattr(Path, "write_bytes", refused)
        cache = Cache(tmp_path)
        assert cache.get("one", Result) == RESULT
        cache.put("two", RESULT, Result)
        cache.trim()
        assert cache.get("two", Result) is None
    assert len(entries(tmp_path)) == 1


def test_another_version_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(Cache(tmp_path))
    stamps = [*module._stamps()]
    assert any(path.endswith("cache.py") for path, _, _ in stamps)
    assert any("reportlab" in path for path, _, _ in stamps)
    monkeypatch.setattr(module, "_stamps", lambda: stamps[1:])
    assert Cache(tmp_path).get("one", Result) is None


def test_what_was_not_used_for_longest_is_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=5000)
    for number in range(5):
        sized(cache, number)
        os.utime(tmp_path / cache._name(str(number), bytes), ns=(number * 10**9, number * 10**9))
    assert cache.get("0", bytes) is not None  # used just now
    cache.trim()
    assert [number for number in range(5) if cache.get(str(number), bytes)] == [0, 3, 4]
    assert sum(path.stat().st_size for path in entries(tmp_path)) <= 5000
    cache.trim()
    assert len(entries(tmp_path)) == 3


def test_only_what_a_cache_has_written_is_removed(tmp_path: Path) -> None:
    others = [
        tmp_path / "thesis.odt",
        tmp_path / "mine.kept",
        tmp_path / f"{'0' * 40}.kept.txt",
        tmp_path / ".part",
    ]
    for path in others:
        path.write_bytes(bytes(9000))
        os.utime(path, ns=(0, 0))
    left = tmp_path / f"{'0' * 16}.part"  # by a process that was killed
    left.write_bytes(bytes(6000))
    Cache(tmp_path, most_bytes=5000).trim()
    assert entries(tmp_path) == sorted(others)


def test_a_folder_is_looked_through_now_and_then(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=5000)
    for number in range(6):
        sized(cache, number)
    cache.trim("a1", "b2")
    assert len(entries(tmp_path)) == 6
    cache.trim("a1", "b0")
    assert len(entries(tmp_path)) == 3


def the_cache() -> Cache:
    cache = user_cache()
    assert cache is not None
    return cache


def test_the_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, "")
    assert user_cache() is None
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv(FOLDER, str(tmp_path / "named"))
    kept(the_cache())
    assert len(entries(tmp_path / "named")) == 1
    monkeypatch.delenv(FOLDER)
    kept(the_cache())
    assert len(entries(tmp_path / "caches" / "platelayer")) == 1
    monkeypatch.setattr(module.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    kept(the_cache())
    assert len(entries(tmp_path / "local" / "platelayer")) == 1


def test_nobody_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(FOLDER)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", nobody)
    assert user_cache() is None


# Digests hold the fields of structs, not their classes (`digest_of`): where a struct of one class
# may stand for one of another, the two differ in their fields or their tags


DIGESTED = (Title, Manifest, Style, Theme, Piece, PrintOptions, Profile, DocumentPlan, Scene)


def structs_in(annotation: Any) -> Iterator[frozenset[type[Struct]]]:
    """The classes that each place of a type may hold: those of a union, with their subclasses."""
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        yield with_subclasses(annotation)
    arguments = get_args(annotation)
    if get_origin(annotation) is Union or type(annotation).__name__ == "UnionType":
        yield frozenset[type[Struct]]().union(
            *(each for one in arguments for each in structs_in(one))
        )
    for one in arguments:
        yield from structs_in(one)


def with_subclasses(struct: type[Struct]) -> frozenset[type[Struct]]:
    """A class and all that are made of it."""
    return frozenset({struct}).union(*map(with_subclasses, struct.__subclasses__()))


def places(root: type[Struct]) -> Iterator[frozenset[type[Struct]]]:
    """All places below a class that hold structs."""
    known, left = set[type[Struct]](), [*with_subclasses(root)]
    while left:
        struct = left.pop()
        if struct in known:
            continue
        known.add(struct)
        for annotation in get_type_hints(struct).values():
            for classes in structs_in(annotation):
                yield classes
                left += classes


def written(struct: type[Struct]) -> tuple[Any, ...]:
    """The parts of a struct that a digest sees."""
    config = struct.__struct_config__
    return config.tag, len(struct.__struct_fields__) if config.array_like else frozenset(
        struct.__struct_encode_fields__
    )


def alike(classes: frozenset[type[Struct]]) -> list[str]:
    """Pairs of classes that a digest does not tell apart."""
    pairs = combinations(sorted(classes, key=lambda each: each.__qualname__), 2)
    return [
        f"{one.__qualname__}, {other.__qualname__}"
        for one, other in pairs
        if written(one) == written(other)
    ]


@pytest.mark.parametrize("root", DIGESTED)
def test_no_two_classes_of_one_place_look_the_same(root: type[Struct]) -> None:
    assert [pair for classes in {*places(root)} for pair in alike(classes)] == []


class One(Frozen):
    """A length."""

    mm: float


class OtherFrozen(Frozen):
    """Another one."""

    mm: float


class Both(Frozen):
    """A place for both."""

    length: tuple[One | OtherFrozen, ...]


def test_the_guard_sees_two_that_do() -> None:
    assert digest_of(One(1.0)) == digest_of(OtherFrozen(1.0))
    assert [pair for classes in places(Both) for pair in alike(classes)] == ["One, OtherFrozen"]
