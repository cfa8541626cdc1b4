"""Legends of maps: what belongs together stands in one column."""

from __future__ import annotations

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.legend import Entry, legend
from platelayer.drawing.map.plan import MapPlan
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Scene

PLAN = MapPlan(gamemap=load_title("18eu").title.maps[0], across_mm=38.6)


def column_of(entries: list[Entry], columns: int) -> dict[str, int]:
    """For the words of each entry the column that they stand in."""
    panel = legend(entries, PLAN, columns, 40.0, Style(theme=load_theme("classic")))
    scene = Scene(key="x", width_mm=panel.width_mm, height_mm=panel.height_mm, items=panel.items)
    lefts = {text.run.text: text.bounds[0] for text in flatten_scene(scene)[1]}
    each_mm = panel.width_mm / columns
    return {entry.words: int(lefts[entry.words] // each_mm) for entry in entries}


def entries_of(groups: str) -> list[Entry]:
    """An entry for each digit: its group."""
    return [Entry(sign=(), words=f"sign {number}", group=int(group)) for number, group in enumerate(groups)]


@pytest.mark.parametrize(
    ("groups", "columns", "expected"),
    [
        ("000000", 2, [0, 0, 0, 1, 1, 1]),
        ("001111", 2, [0, 0, 1, 1, 1, 1]),  # evenly, the group would be parted
        ("011110", 2, [0, 0, 0, 0, 0, 1]),  # a group does not begin a column where it has room
        ("001122", 3, [0, 0, 1, 1, 2, 2]),
        ("0001111000", 3, [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]),
        ("111111", 2, [0, 0, 0, 1, 1, 1]),  # a group that would leave the other column empty is parted
    ],
)
def test_a_group_stands_in_one_column_unless_that_is_far_higher(groups: str, columns: int, expected: list[int]) -> None:
    assert list(column_of(entries_of(groups), columns).values()) == expected
