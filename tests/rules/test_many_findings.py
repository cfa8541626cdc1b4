"""Titles of which one rule finds more than anybody reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import Severity
from platelayer.rules.rule import MOST_LISTED, run_rules


def with_hexes(folder: Path, count: int, **more: Any) -> Path:
    """A title with so many hexes that no track reaches a neighbour on (MP01, an error each)."""
    hexes = {
        f"A{2 * number + 1}": {"stops": [{"kind": "city"}], "track": [[2, "stop:0"]]}
        for number in range(count)
    }
    board = {"name": "Long", "layout": "flat", "coordinates": {"letters_on": "x"}, "hexes": hexes}
    title = {
        "format": "platelayer.title/1",
        "id": "long",
        "name": "Long",
        "maps": {"main": board},
        **more,
    }
    path = folder / "title.json"
    path.write_text(json.dumps(title), encoding="utf-8")
    return path


def found(path: Path, code: str) -> list[Any]:
    return [each for each in run_rules(load_title(path).title) if each.code == code]


def test_as_many_as_can_be_read_are_reported(tmp_path: Path) -> None:
    assert len(found(with_hexes(tmp_path, MOST_LISTED), "MP01")) == MOST_LISTED


def test_the_rest_is_counted_and_as_severe(tmp_path: Path) -> None:
    judged = found(with_hexes(tmp_path, MOST_LISTED + 7), "MP01")
    assert len(judged) == MOST_LISTED + 1
    assert judged[-1].message == "7 more findings of this rule are not listed"
    assert {each.severity for each in judged} == {Severity.ERROR}


def test_a_waiver_of_one_that_is_not_listed_is_used(tmp_path: Path) -> None:
    last = f"A{2 * MOST_LISTED + 11}"
    waiver = {"code": "MP01", "at": last, "reason": "Meant so."}
    path = with_hexes(tmp_path, MOST_LISTED + 6, waivers=[waiver])
    assert found(path, "RW01") == []
    assert found(path, "MP01")[-1].severity is Severity.ERROR
