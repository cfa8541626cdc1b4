"""Japanese lines are spaced by rule (JLREQ 3.1, 3.2): brackets set tight, a quarter of an em beside
Latin letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.rich_text import rich_width, set_lines
from platelayer.scene.breaks import spread
from platelayer.scene.shapes import TextRun
from platelayer.scene.typeset import part_widths, text_width

BODY = load_theme("classic").type("card.body")
BLACK = load_theme("classic").ink("black")
EM = BODY.size_mm


def parts_of(text: str) -> list[tuple[str, float]]:
    return list(spread(text))


def test_brackets_and_stops_are_set_tight_where_two_meet_and_at_the_head_of_a_line():
    assert parts_of("「東」、（西）。") == [
        ("「東」", -0.5),
        ("、", -0.5),
        ("（西）", -0.5),
        ("。", -0.5),
    ]


@given(text=st.text(alphabet="東西かなカ（）「」、。A1%・ー", min_size=1, max_size=12))
def test_the_parts_of_a_line_are_as_wide_as_the_line(text):
    parts = tuple(text)
    *within, (_, end) = part_widths(parts, BODY)
    lead = EM / 2 if text[0] in "（「" else 0.0
    assert sum(wide for wide, _ in within) + end - lead == pytest.approx(
        text_width(text, BODY), abs=1e-6
    )


def test_lines_fill_their_measure_but_the_last():
    lines = ("最初の列車を買った会社は", "運行する。")
    measure = rich_width(lines[0], BODY) + 1.0
    runs = [
        item
        for item in set_lines(lines, BODY, BLACK, 0, 0, measure_mm=measure)
        if isinstance(item, TextRun)
    ]
    ends = {run.y: run.x + run.width_mm for run in runs}
    assert ends[0.0] == pytest.approx(measure)
    assert min(end for y, end in ends.items() if y) == pytest.approx(
        rich_width(lines[1], BODY) + EM / 2
    )


def test_no_line_is_torn_apart():
    lines = ("会社は", "運行する。")
    (run, *_) = set_lines(lines, BODY, BLACK, 0, 0, measure_mm=40.0)
    assert isinstance(run, TextRun)
    assert run.tracking_mm == 0.0
