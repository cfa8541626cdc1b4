"""Mistakes planted in titles and starters as designers make them: each is found, on its line, as
more than a note.

Each entry of `planted.json` is an edit of a `file`: the text `old` (the only one, or the first
after `after`) becomes `new`. Each of its `codes` is to be found on a line of the edit, or on that
of the text `at` ("pieces.json:..." in other files). Of two entries that contradict each other, the
one with the text `or` will do as well. A mistake that has no codes is one that nothing finds yet.
`variant` names one that the mistake is in.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from often import often
from platelayer.foundation.problems import Problem, ProblemsFound, Severity
from platelayer.foundation.resources import asset_path
from platelayer.pipeline.load import find_or_salvage, judge

PLANTED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "planted.json").read_text(encoding="utf-8")
)
FOUND = [mistake for mistake in PLANTED if mistake["codes"]]
LEAST = 74 / 80
"""Share of the mistakes that must be found."""


class Line(NamedTuple):
    file: str
    number: int


def source(title: str) -> Path:
    return next(
        path for kind in ("titles", "starters") if (path := asset_path(kind, title)).is_dir()
    )


def problems_of(folder: Path, variant: str | None = None) -> set[Problem]:
    """Everything that is found in a title, or in one of its variants."""
    try:
        loaded = find_or_salvage(folder, variant=variant)
    except ProblemsFound as error:
        return {*error.problems}
    return {*loaded.problems, *judge(loaded)}


@cache
def before(title: str) -> frozenset[tuple[str, str]]:
    """What a title has without mistakes."""
    return frozenset((problem.code, problem.message) for problem in problems_of(source(title)))


def line_of(folder: Path, place: str, file: str) -> Line:
    name, _, text = place.rpartition(".json:")
    name = f"{name}.json" if name else file
    written = (folder / name).read_text(encoding="utf-8")
    return Line(name, written[: written.index(text)].count("\n") + 1)


def equal(one: Iterable[str], other: Iterable[str]) -> int:
    """How many lines are the same from the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def plant(folder: Path, mistake: dict[str, Any]) -> set[Line]:
    """Make one of the edits in a copy of its title; the lines where it is to be found."""
    file, old, new = mistake["file"].partition("/")[2], mistake["old"], mistake["new"]
    text = (folder / file).read_text(encoding="utf-8")
    start = text.index(old, text.index(mistake["after"])) if "after" in mistake else text.index(old)
    assert "after" in mistake or text.count(old) == 1, mistake["what"]
    edited = text[:start] + new + text[start + len(old) :]
    (folder / file).write_text(edited, encoding="utf-8")
    if "at" in mistake:
        lines = {line_of(folder, mistake["at"], file)}
    else:
        were, are = text.splitlines(), edited.splitlines()
        first, tail = equal(were, are), equal(reversed(were), reversed(are))
        lines = {Line(file, number + 1) for number in range(first, max(first + 1, len(are) - tail))}
    return lines | ({line_of(folder, mistake["or"], file)} if "or" in mistake else set())


def found_at(found: Iterable[Problem], lines: set[Line], title: str) -> set[str]:
    """Codes of what is new on some lines, notes left out."""
    return {
        problem.code
        for problem in found
        if problem.severity is not Severity.NOTE
        and Line(Path(problem.file).name, problem.line) in lines
        and (problem.code, problem.message) not in before(title)
    }


FIRST_OF_ITS_CODES = {
    code: mistake["what"] for mistake in reversed(FOUND) for code in mistake["codes"]
}


@pytest.mark.parametrize(
    "mistake",
    often({mistake["what"]: mistake for mistake in FOUND}, *FIRST_OF_ITS_CODES.values()),
)
def test_mistake_is_found(mistake: dict[str, Any], tmp_path: Path) -> None:
    title = mistake["file"].partition("/")[0]
    folder = tmp_path / title
    shutil.copytree(source(title), folder)
    lines = plant(folder, mistake)
    assert found_at(problems_of(folder, mistake.get("variant")), lines, title) >= {
        *mistake["codes"]
    }


def test_so_many_are_found() -> None:
    assert len(PLANTED) >= 80
    assert len({mistake["what"] for mistake in PLANTED}) == len(PLANTED)
    assert len(FOUND) / len(PLANTED) >= LEAST


TOGETHER = (
    "one share too few",
    "a copied place in the operating order",
    "two homes in one city slot",
    "a 4-train at 30",
    "a kind without a train limit in one phase",
    "two prices swapped",
    "the right end leads down",
    "cash that is less with fewer",
    "seven M markers for eight hexes",
    "five number cards for six players",
    "a train without a place on the bank board",
    "preprinted track turned away",
    "terrain short of a digit",
    "a bonus short of a digit",
    "too few tiles with a label",
    "a text in one language only",
)


def test_all_appear_together(tmp_path: Path) -> None:
    folder = tmp_path / "18eu"
    shutil.copytree(source("18eu"), folder)
    several = [mistake for mistake in PLANTED if mistake["what"] in TOGETHER]
    assert len(several) == len(TOGETHER)
    planted = [(mistake, plant(folder, mistake)) for mistake in several]
    found = problems_of(folder)
    missing = {
        mistake["what"]: mistake["codes"]
        for mistake, lines in planted
        if not found_at(found, lines, "18eu") >= {*mistake["codes"]}
    }
    assert missing == {}
