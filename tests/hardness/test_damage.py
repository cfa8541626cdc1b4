"""Whatever happens to a definition: problems or a clean pass, no traceback, no network, in a
moment."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest
from damage import SOURCES, TITLES, Damage, Limit, damaged

from packs import build
from platelayer.cli.reports import CheckReport, report_check
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, has_errors
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import check

SECONDS = 2.0
SECONDS_EACH = 0.5
"""For a title with more than three variants: for itself and for each of them."""
HANGS_AFTER_SECONDS = 300
SHORT, LONG = 16, 5000
PARTS = 20


def look_at(damage: Damage, folder: Path) -> tuple[Problem, ...]:
    """All problems of a damaged copy, as the command would report them."""
    path = damage.write(folder)
    try:
        return check(str(path), quick=True)
    except (ProblemsFound, CannotRun) as error:
        return error.problems if isinstance(error, ProblemsFound) else ()


def try_out(damage: Damage, folder: Path, within: Limit) -> tuple[Problem, ...]:
    """Problems of a damaged copy; raises AssertionError, naming the damage, for anything else that
    may happen."""
    began = time.process_time()
    try:
        with within(HANGS_AFTER_SECONDS):
            problems = look_at(damage, folder)
    except BaseException as error:
        raise AssertionError(f"{damage}: {type(error).__name__}: {error}") from error
    took = time.process_time() - began
    shutil.rmtree(folder)
    judged = 1 + len(
        json.loads((SOURCES[damage.kind] / "title.json").read_bytes()).get("variants", ())
    )
    assert took < max(SECONDS, SECONDS_EACH * judged), f"{damage}: {took:.1f} s"
    for form in ("text", "github", "json", "sarif"):
        text = report_check(CheckReport(problems=problems, checked=1, codes=dict), form)
        text.encode()
        assert len(text) < 1_000_000, str(damage)
    for problem in problems:
        assert str(problem).isprintable(), str(damage)
        assert len(str(problem)) < 1000, f"{damage}: {problem}"
    return problems


def run(first: int, count: int, folder: Path, within: Limit) -> dict[str, int]:
    """Tries copies; returns how many of each title had errors, and how many passed."""
    found = dict.fromkeys(
        (f"{title} {end}" for title in TITLES for end in ("refused", "passed")), 0
    )
    for seed in range(first, first + count):
        damage = damaged(seed)
        problems = try_out(damage, folder / str(seed), within)
        found[f"{damage.kind} {'refused' if has_errors(problems) else 'passed'}"] += 1
    return found


def test_a_few_damaged_titles(tmp_path, within) -> None:
    found = run(0, SHORT, tmp_path, within)
    assert sum(found.values()) == SHORT
    # Were nothing damaged, or everything beyond reading, the test would say little.
    assert sum(found[f"{title} refused"] for title in TITLES) >= 3
    assert sum(found[f"{title} passed"] for title in TITLES) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_thousands_of_damaged_titles(part, tmp_path, within) -> None:
    count = LONG // PARTS
    found = run(10_000 + part * count, count, tmp_path, within)
    assert sum(found.values()) == count
    assert min(count for end, count in found.items() if end.endswith("refused")) >= 3, found


def prints(damage: Damage, folder: Path, within: Limit) -> bool:
    """Prints a damaged title that passes `check`; False when it does not pass."""
    path = damage.write(folder / "title")
    if has_errors(check(str(path), quick=True)):
        return False
    try:
        with within(10 * HANGS_AFTER_SECONDS):
            build(str(path), folder / "out", BuildOptions(paper="a3"))
    except (ProblemsFound, CannotRun):
        assert not (folder / "out").exists(), str(damage)
    except BaseException as error:
        raise AssertionError(f"{damage}: {type(error).__name__}: {error}") from error
    else:
        (manifest,) = (folder / "out").glob("*/manifest.json")
        assert json.loads(manifest.read_text("utf-8"))["placements"]
    shutil.rmtree(folder)
    return True


def print_passing(first: int, count: int, title: str, folder: Path, within: Limit) -> None:
    """Prints `count` damaged copies of a title that pass."""
    passed = 0
    for seed in range(first, first + 60 * count):
        passed += prints(damaged(seed, title, mildly=True), folder / str(seed), within)
        if passed == count:
            return
    raise AssertionError(f"only {passed} of {60 * count} damaged copies passed")


def test_what_passes_can_be_drawn(tmp_path, within) -> None:
    print_passing(0, 1, "starter", tmp_path, within)


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("part", range(2))
def test_much_of_what_passes_can_be_drawn(part, title, tmp_path, within) -> None:
    print_passing(50_000 + 10_000 * part, 20, title, tmp_path, within)
