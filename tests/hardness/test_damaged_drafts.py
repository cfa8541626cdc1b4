"""Damaged titles as drafts: what can be printed is printed, and what is wrong is told, never by a
traceback."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from damage import TITLES, Damage, Limit, damaged

from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.pipeline.build import Print, build
from platelayer.pipeline.job import BuildOptions

SECONDS = 600
SHORT, LONG = 2, 200
PARTS = 8


def drafted(damage: Damage, folder: Path, within: Limit) -> Print | None:
    """The draft of a damaged title; None where nothing of it can be read."""
    path = damage.write(folder)
    try:
        with within(SECONDS):
            return build(str(path), BuildOptions(draft=True, paper="a3"))
    except (ProblemsFound, CannotRun):
        return None
    except BaseException as error:
        raise AssertionError(f"{damage}: {type(error).__name__}: {error}") from error
    finally:
        shutil.rmtree(folder)


def try_out(first: int, count: int, title: str | None, folder: Path, within: Limit) -> Counter[str]:
    """Drafts of some damaged titles; how many print, and how many of them lack something."""
    found: Counter[str] = Counter()
    for seed in range(first, first + count):
        damage = damaged(seed, title)
        draft = drafted(damage, folder / str(seed), within)
        found["printed" if draft else "nothing to read"] += 1
        for problem in draft.problems if draft else ():
            assert problem.code != "LG09", f"{damage}: {problem}"
            assert str(problem).isprintable(), str(damage)
        if draft:
            assert "findings.pdf" in draft.files, str(damage)
            found["something left out"] += any(problem.code == "DR01" for problem in draft.problems)
    return found


def test_a_few_damaged_drafts(tmp_path, within) -> None:
    found = try_out(70_000, SHORT, "starter", tmp_path, within)
    assert found["printed"] >= 1, found
    assert found["something left out"] >= 1, found


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_damaged_drafts_of_the_starter(part, tmp_path, within) -> None:
    found = try_out(71_000 + 1000 * part, LONG // PARTS, "starter", tmp_path, within)
    assert found["something left out"] >= 3, found


@pytest.mark.slow
@pytest.mark.parametrize("title", [each for each in TITLES if each != "starter"])
def test_damaged_drafts_of_every_title(title, tmp_path, within) -> None:
    found = try_out(90_000, 12, title, tmp_path, within)
    assert found["printed"] >= 3, found
