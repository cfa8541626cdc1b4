"""A cache gives back what was put into it or nothing, whatever happens to its folder."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from platelayer.foundation import cache as module
from platelayer.foundation.cache import FOLDER, Cache, digest_of, user_cache
from platelayer.foundation.problems import Problem, Severity

RESULT = (Problem(code="XX01", severity=Severity.NOTE, message="a note"), {"a": 1.5}, frozenset({"b"}))


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


@pytest.mark.parametrize("kept", [True, False])
def test_a_result_is_found_by_its_key_alone(kept: bool, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "a" / "b") if kept else Cache()
    cache.put("one", RESULT)
    assert cache.get("one") == RESULT
    assert cache.get("two") is None


def test_processes_share_a_folder(tmp_path: Path) -> None:
    Cache(tmp_path).put("one", RESULT)
    assert Cache(tmp_path).get("one") == RESULT
    assert [path.suffix for path in entries(tmp_path)] == [".kept"]


@pytest.mark.parametrize("at", [0, 20, -1])
def test_a_damaged_entry_is_not_there(at: int, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("one", RESULT)
    (path,) = entries(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert cache.get("one") is None
    path.write_bytes(data[:7])
    assert cache.get("one") is None
    cache.put("one", RESULT)
    assert cache.get("one") == RESULT


class Harmful:
    """What runs code when it is read by an ordinary unpickler."""

    def __reduce__(self) -> Any:
        return (os.mkdir, ("harmed",))


@pytest.mark.parametrize("make", [Harmful, lambda: Path("x"), lambda: digest_of])
def test_an_entry_of_somebody_else_runs_no_code(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cache = Cache(tmp_path / "cache")
    cache.put("one", make())
    assert entries(tmp_path / "cache")
    assert cache.get("one") is None
    assert not Path("harmed").exists()
    pickle.loads(pickle.dumps(Harmful()))
    assert Path("harmed").exists(), "the test would not see harm done"


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file")
    cache.put("one", RESULT)
    cache.trim()
    assert cache.get("one") is None
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(path: Path, data: bytes) -> int:
        with path.open("wb") as stream:
            stream.write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    cache = Cache(tmp_path)
    monkeypatch.setattr(Path, "write_bytes", half)
    cache.put("one", RESULT)
    assert cache.get("one") is None
    assert entries(tmp_path) == []


def test_another_version_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cache(tmp_path).put("one", RESULT)
    stamps = [*module._stamps()]
    assert any(path.endswith("cache.py") for path, _, _ in stamps)
    assert any("reportlab" in path for path, _, _ in stamps)
    monkeypatch.setattr(module, "_stamps", lambda: stamps[1:])
    assert Cache(tmp_path).get("one") is None


def test_what_was_not_used_for_longest_is_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=5000)
    for number in range(5):
        cache.put(str(number), bytes(1000))
        os.utime(cache._file(tmp_path, str(number)), ns=(number * 10**9, number * 10**9))
    assert cache.get("0") is not None  # used just now
    cache.trim()
    assert [number for number in range(5) if cache.get(str(number))] == [0, 3, 4]
    assert sum(path.stat().st_size for path in entries(tmp_path)) <= 5000
    cache.trim()
    assert len(entries(tmp_path)) == 3


def test_a_folder_is_looked_through_now_and_then(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=5000)
    for number in range(6):
        cache.put(str(number), bytes(1000))
    cache.trim("a1", "b2")
    assert len(entries(tmp_path)) == 6
    cache.trim("a1", "b0")
    assert len(entries(tmp_path)) == 3


def test_memory_is_bounded() -> None:
    cache = Cache(most_bytes=5000)
    for number in range(5):
        cache.put(str(number), bytes(1000))
        assert cache.get("0")
    assert [number for number in range(5) if cache.get(str(number))] == [0, 2, 3, 4]
    cache.put("large", bytes(6000))
    assert cache.get("large") is None
    assert cache.get("0")


def test_the_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, "")
    assert user_cache() is None
    monkeypatch.setenv(FOLDER, str(tmp_path / "named"))
    (user_cache() or Cache()).put("one", RESULT)
    assert len(entries(tmp_path / "named")) == 1
    monkeypatch.delenv(FOLDER)
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    (user_cache() or Cache()).put("one", RESULT)
    assert len(entries(tmp_path / "caches" / "platelayer")) == 1
    monkeypatch.setattr(module.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    (user_cache() or Cache()).put("one", RESULT)
    assert len(entries(tmp_path / "local" / "platelayer")) == 1


def test_nobody_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(FOLDER)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", nobody)
    assert user_cache() is None
