"""Whatever happens to a definition: problems or a clean pass, no traceback, no network, within two seconds."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from damage import SOURCES, TITLES, Damage, damaged

from platelayer.building import build
from platelayer.cli.reports import CheckReport, report_check
from platelayer.definitions.source import read_checked
from platelayer.definitions.themes import load_theme
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, has_errors
from platelayer.options import BuildOptions
from platelayer.pipeline import check
from platelayer.sheets.plan import read_plan

SECONDS = 2.0
HANGS_AFTER_SECONDS = 30
SHORT, LONG = 150, 5000


class NetworkTouched(BaseException):
    """Somebody opened a socket. No Exception, so that nothing takes it for a failure of its own."""


class Hangs(BaseException):
    """Something does not come to an end."""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def touched(*_: object, **__: object) -> None:
        raise NetworkTouched

    for name in ("socket", "create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, touched)


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """`signal.alarm` raises Hangs, even out of a read that waits."""

    def ring(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def load_papers(path: Path) -> None:
    read_checked(path, "papers")


def load_tiles(path: Path) -> None:
    read_checked(path, "tiles")


def look_at(damage: Damage, folder: Path) -> tuple[Problem, ...]:
    """All problems of a damaged copy, as the command would report them."""
    path = damage.write(folder)
    read = {"theme": load_theme, "tiles": load_tiles, "sheet": load_papers if path.stem == "papers" else read_plan}
    try:
        if damage.kind in TITLES:
            return check(str(path))
        read[damage.kind](path)
    except (ProblemsFound, CannotRun) as stop:
        return stop.problems if isinstance(stop, ProblemsFound) else ()
    return ()


def try_out(damage: Damage, folder: Path) -> tuple[Problem, ...]:
    """Problems of a damaged copy; raises AssertionError, naming the damage, for anything else that may happen."""
    signal.alarm(HANGS_AFTER_SECONDS)
    began = time.process_time()
    try:
        problems = look_at(damage, folder)
    except BaseException as stop:
        raise AssertionError(f"{damage}: {type(stop).__name__}: {stop}") from stop
    took = time.process_time() - began
    signal.alarm(0)
    shutil.rmtree(folder)
    assert took < SECONDS, f"{damage}: {took:.1f} s"
    for form in ("text", "github", "json", "sarif"):
        text = report_check(CheckReport(problems=problems, checked=1, codes=dict), form)
        text.encode()
        assert len(text) < 1_000_000, str(damage)
    for problem in problems:
        assert str(problem).isprintable(), str(damage)
        assert len(str(problem)) < 1000, f"{damage}: {problem}"
    return problems


def run(first: int, count: int, folder: Path) -> dict[str, int]:
    """Tries copies; returns how many of each kind had errors, and how many passed."""
    found = dict.fromkeys((f"{kind} {end}" for kind in SOURCES for end in ("refused", "passed")), 0)
    for seed in range(first, first + count):
        damage = damaged(seed)
        problems = try_out(damage, folder / str(seed))
        found[f"{damage.kind} {'refused' if has_errors(problems) else 'passed'}"] += 1
    return found


def test_a_few_damaged_files(tmp_path) -> None:
    found = run(0, SHORT, tmp_path)
    assert sum(found.values()) == SHORT
    # Were nothing damaged, or everything beyond reading, the test would say little.
    assert found["starter refused"] >= 20
    assert found["starter passed"] >= 3


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_thousands_of_damaged_files(part, tmp_path) -> None:
    count = LONG // 10
    found = run(10_000 + part * count, count, tmp_path)
    assert sum(found.values()) == count
    assert min(count for end, count in found.items() if end.endswith("refused")) >= 10, found


def prints(damage: Damage, folder: Path) -> bool:
    """Prints a damaged title that passes `check`; False when it does not pass."""
    path = damage.write(folder / "title")
    if has_errors(check(str(path))):
        return False
    signal.alarm(10 * HANGS_AFTER_SECONDS)
    try:
        build(str(path), folder / "out", BuildOptions(paper="a3"))
    except (ProblemsFound, CannotRun):
        assert not (folder / "out").exists(), str(damage)
    except BaseException as stop:
        raise AssertionError(f"{damage}: {type(stop).__name__}: {stop}") from stop
    else:
        (manifest,) = (folder / "out").glob("*/manifest.json")
        assert json.loads(manifest.read_text("utf-8"))["placements"]
    signal.alarm(0)
    shutil.rmtree(folder)
    return True


def print_passing(first: int, count: int, folder: Path) -> None:
    """Prints `count` damaged starters that pass."""
    passed = 0
    for seed in range(first, first + 60 * count):
        passed += prints(damaged(seed, "starter", mildly=True), folder / str(seed))
        if passed == count:
            return
    raise AssertionError(f"only {passed} of {60 * count} damaged copies passed")


def test_what_passes_can_be_drawn(tmp_path) -> None:
    print_passing(0, 3, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_much_of_what_passes_can_be_drawn(part, tmp_path) -> None:
    print_passing(50_000 + 1000 * part, 10, tmp_path)


def test_the_damage_of_a_seed_is_always_the_same() -> None:
    assert [str(damaged(seed)) for seed in range(20)] == [str(damaged(seed)) for seed in range(20)]
    assert damaged(7).files == damaged(7).files
