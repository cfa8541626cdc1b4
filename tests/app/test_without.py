"""Prints without some pieces: those left out by name, and aids that the paper is too small for."""

from __future__ import annotations

import json

import pytest

from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.pipeline.build import build
from platelayer.pipeline.options import BuildOptions


def placed(files: dict[str, bytes]) -> set[str]:
    return {placement["kind"] for placement in json.loads(files["manifest.json"])["placements"]}


def test_kinds_and_sorts_are_left_out() -> None:
    made = build("18eu", BuildOptions(only=("cards", "aids", "discs"), without=("train", "discs")))
    assert placed(dict(made.files)) == {
        "certificate",
        "number-card",
        "priority-card",
        "phase-card",
        "summary",
    }


def test_nothing_left_and_unknown_kinds_are_one_clear_line() -> None:
    with pytest.raises(CannotRun, match="without: nothing is left"):
        build("18eu", BuildOptions(only=("train",), without=("train",)))
    with pytest.raises(CannotRun, match="without: there is no kind of piece 'trian'"):
        BuildOptions(without=("trian",))


def test_an_aid_that_the_paper_is_too_small_for_is_left_out_and_what_play_needs_is_not() -> None:
    made = build("18eu", BuildOptions(only=("checklist", "train"), paper="148x210mm"))
    assert placed(dict(made.files)) == {"train"}
    (problem,) = [problem for problem in made.problems if problem.code == "SH12"]
    assert "checklist" in problem.message
    with pytest.raises(ProblemsFound) as error:
        build("18eu", BuildOptions(only=("checklist", "charter"), paper="90x120mm"))
    assert {problem.about.partition(":")[0] for problem in error.value.problems} == {
        "charter",
        "checklist",
    }
