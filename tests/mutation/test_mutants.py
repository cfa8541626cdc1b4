"""Tests notice small changes of the source, but for those that were looked at."""

from __future__ import annotations

import pytest
from mutants import ROOMS, SOURCE, looked_at, mutants_of, sample, survives, unseen

SEED = "1"
COUNT = 10
"""Mutants of each room."""


@pytest.fixture(scope="module")
def everyone():
    return {name: mutants_of(room) for name, room in ROOMS.items()}


def test_every_room_has_hundreds(everyone) -> None:
    assert all(len(mutants) > 400 for mutants in everyone.values())


def test_what_was_looked_at_is_still_there_and_says_why(everyone) -> None:
    known = looked_at()
    gone = known.keys() - {mutant for mutants in everyone.values() for mutant in mutants}
    assert not gone, f"take out of survivors.json: {sorted(gone)}"
    assert all(len(why) > 20 for why in known.values())


def test_a_sample_is_the_same_each_time_and_the_source_is_only_read() -> None:
    before = {path: path.stat().st_mtime_ns for path in SOURCE.glob("platelayer/rules/*.py")}
    assert sample(ROOMS["rules"], SEED, COUNT) == sample(ROOMS["rules"], SEED, COUNT)
    assert sample(ROOMS["rules"], SEED, 3) == sample(ROOMS["rules"], SEED, COUNT)[:3]
    assert sample(ROOMS["rules"], SEED, 3) != sample(ROOMS["rules"], "2", 3)
    assert {path: path.stat().st_mtime_ns for path in before} == before


KNOWN = {
    "preflight": [
        ("platelayer/preflight/findings.py", "", "_DPI_SLACK = 0.6", "_DPI_SLACK = 6.0"),
        ("platelayer/preflight/inspect.py", "", "_SIZE_SLACK_MM = 0.3", "_SIZE_SLACK_MM = 3.0"),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("room", "words"), [(room, words) for room, known in KNOWN.items() for words in known]
)
def test_those_that_once_survived_are_noticed(everyone, room, words) -> None:
    (mutant,) = [each for each in everyone[room] if tuple(each) == words]
    assert not survives(mutant, ROOMS[room])


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_a_sample_is_noticed(room) -> None:
    left = "\n".join(map(str, unseen(SEED, COUNT, room)))
    assert not left, (
        f"no test notices:\n{left}\nWrite one, or say in survivors.json why none need notice it."
    )
