"""What differs between two definitions: each fact once."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from definitions.one_fact import Edit, Part, all_parts, one_fact, shuffled
from platelayer.definitions.assemble import assemble_title
from platelayer.definitions.build import build_title
from platelayer.definitions.compare.facts import compare_definitions
from platelayer.model.title import Title

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")


@cache
def whole(title: str) -> dict[str, Any]:
    """An assembled title."""
    return assemble_title(title).value


@cache
def model(title: str) -> Title:
    """The title as it is."""
    return build_title(whole(title))


@cache
def places(title: str) -> list[Part]:
    """Where it can be edited."""
    return all_parts(whole(title))


def _is_no_change(title: str, edit: Edit) -> bool:
    """What is written otherwise means the same: the model is the same."""
    try:
        return model(title) == build_title(edit.after)
    except Exception:
        return False


def _one_fact(title: str, seed: int) -> None:
    chance = random.Random(f"{title} {seed}")
    edit = one_fact(whole(title), chance, places(title))
    facts = compare_definitions(whole(title), edit.after).facts
    found = [(fact.what, fact.at, fact.before, fact.after) for fact in facts]
    what = f"{title} {seed}: {edit.did} {'/'.join(map(str, edit.at))}: {found}"
    if _is_no_change(title, edit):
        assert not facts, what
        return
    assert len(facts) == 1, what
    (fact,) = facts
    assert len(fact.at) >= len(edit.at), what
    # What is in a list without order may be told at another index.
    assert all(isinstance(key, int) or key == told for key, told in zip(edit.at, fact.at, strict=False)), what


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("start", range(0, 40, 8))
def test_an_edit_of_one_fact_is_that_one_change(title: str, start: int) -> None:
    for seed in range(start, start + 8):
        _one_fact(title, seed)


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_four_hundred_edits_of_one_fact_are_one_change_each(title: str) -> None:
    for seed in range(1000, 1400):
        _one_fact(title, seed)


@pytest.mark.parametrize("title", TITLES)
def test_another_order_is_no_change(title: str) -> None:
    for seed in range(3):
        other = shuffled(Title, whole(title), random.Random(seed))
        assert compare_definitions(whole(title), other).facts == ()
