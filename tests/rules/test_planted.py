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
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import Struct
from msgspec.structs import astuple, replace

from often import often
from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.build import catalogue_tiles
from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import Problem, ProblemsFound, Severity
from platelayer.foundation.resources import asset_path
from platelayer.foundation.text import Text
from platelayer.model.title import TileCount, Title
from platelayer.pipeline.load import find_or_salvage, judge
from platelayer.rules.rule import all_rules
from platelayer.rules.text_rules import located_texts

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


# The whole catalogue against the rules for tiles: every finding is an exception listed with its
# reason, none is spare.
#
# TL05 and the UP rules speak of what may follow what in one game, and the catalogue is the tiles
# of many: a town of 437 (30, a port) would fall to 10 on 87, which no game puts on it.


HERE = Path(__file__).parent
EXCEPTIONS = json.loads((HERE / "catalogue_exceptions.json").read_text(encoding="utf-8"))
ABOUT_ONE_TILE = ("TL01", "TL02", "TL03", "TL04", "TL06")


@pytest.fixture(scope="module")
def catalogue() -> Title:
    """All 476 tiles in one box, without a map."""
    tiles = tuple(TileCount(tile=tile, count=1, standard=tile) for tile in catalogue_tiles())
    assert len(tiles) == 476
    base = load_title(HERE / "base.json").title
    return replace(
        base, tiles=tiles, maps=(), phases=(), colours=("yellow", "green", "brown", "gray")
    )


@pytest.mark.parametrize("code", ABOUT_ONE_TILE)
def test_catalogue(catalogue, code):
    found = {finding.about for finding in all_rules()[code].check(catalogue)}
    assert found == {place for each in EXCEPTIONS if each["code"] == code for place in each["at"]}


def test_every_exception_has_a_reason():
    places = [(each["code"], place) for each in EXCEPTIONS for place in each["at"]]
    assert len(places) == len(set(places))
    assert all(len(each["reason"]) > 20 for each in EXCEPTIONS)


# Every text of a title is located, wherever the model keeps one


TESTS = HERE.parent


def texts_within(value: Any) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Struct):
        for each in astuple(value):
            yield from texts_within(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from texts_within(each)


def assert_all_located(reference: str | Path) -> int:
    title = load_title(reference).title
    located = list(located_texts(title))
    assert Counter(text for _, text in located) == Counter(texts_within(title))
    assert len({at for at, _ in located}) == len(located)
    return len(located)


@pytest.mark.parametrize(
    "title", ["18eu", "1841", "lost-atlas", str(TESTS / "field"), str(TESTS / "land")]
)
def test_no_text_of_a_title_is_left_out(title: str) -> None:
    """Also none of a field that nobody has named beside the model, such as what holds in a
    phase."""
    assert assert_all_located(title) > 25


def test_no_text_anywhere_is_left_out(tmp_path: Path) -> None:
    """The case of PC02 with a text in every place that takes one."""
    base = json.loads((HERE / "base.json").read_text(encoding="utf-8"))
    cases = json.loads((HERE / "cases" / "PC02.json").read_text(encoding="utf-8"))
    everywhere = next(case for case in cases["fail"] if case["name"] == "everywhere")
    (tmp_path / "title.json").write_text(
        json.dumps(merge_patch(base, everywhere["patch"])), encoding="utf-8"
    )
    assert assert_all_located(tmp_path) > 50
