"""Japanese lines are spaced by rule (JLREQ 3.1, 3.2): brackets set tight, a quarter of an em beside
Latin letters."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.lettering import least_width, rich_width, set_lines, wrap_within
from platelayer.scene.breaks import line_parts, spread
from platelayer.scene.shapes import TextRun
from platelayer.scene.typeset import openings, part_widths, text_width

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
    lines = ("最初の列車を買った会社は", "運行して配当を払う。")
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


def set_line_of(line: str, measure: float, after: str = "運行して配当を払う。") -> list[TextRun]:
    items = set_lines((line, after), BODY, BLACK, 0, 0, measure_mm=measure)
    return [item for item in items if isinstance(item, TextRun) and item.y == 0]


def test_a_line_above_a_short_last_one_is_not_opened():
    line = "最初の列車を買った会社は"
    assert set_line_of(line, rich_width(line, BODY) + 1.0, "運行する。") == set_line_of(
        line, rich_width(line, BODY), "運行する。"
    )


def test_a_line_is_closed_beside_its_stops_and_brackets_before_a_word_is_carried_over():
    text = "最初の列車を買い、会社（第一）が運行するときに使う"
    measure = rich_width("最初の列車を買い、会社（第一）が運行する", BODY) - 0.7 * EM
    first, *_ = wrap_within(text, BODY, measure, fill=True)
    assert first == "最初の列車を買い、会社（第一）が運行する"
    runs = set_line_of(first, measure)
    assert [run.text for run in runs] == ["最初の列車を買い、", "会社", "（第一）", "が運行する"]
    assert runs[-1].x + runs[-1].width_mm == pytest.approx(measure)
    assert {run.tracking_mm for run in runs} == {0.0}


def test_a_foreign_name_is_parted_only_where_its_line_would_be_torn_apart():
    text = "会社を作るプレイヤーは最初の社長になる。"
    assert wrap_within(text, BODY, 7 * EM, fill=True)[0] == "会社を作るプレ"
    assert wrap_within(text, BODY, 7 * EM)[0] == "会社を作る"
    assert wrap_within(text, BODY, 10 * EM, fill=True)[0] == "会社を作るプレイヤー"


def loose(lines: Sequence[str], width: float) -> int:
    """Number of lines that would have to be opened by more than an eighth of an em."""
    short = [(line, width - rich_width(line, BODY)) for line in lines[:-1]]
    return sum(gap > openings(line, BODY) * EM / 8 + 1e-6 for line, gap in short)


@given(
    text=st.text(alphabet="東西の会社はプレイヤー、。（）", min_size=1, max_size=60),
    ems=st.floats(6, 20),
)
def test_no_way_to_break_has_fewer_lines_that_would_be_torn_apart(text, ems):
    width = ems * EM
    full: list[str] = []
    for part in line_parts(text):
        if full and least_width(full[-1] + part, BODY) <= width:
            full[-1] += part
        else:
            full.append(part)
    lines = wrap_within(text, BODY, width, fill=True)
    assert "".join(lines) == text
    assert all(least_width(line, BODY) <= width + 0.02 for line in lines if len(line) > 8)
    if len(lines) == len(full):
        assert loose(lines, width) <= loose(full, width)


def test_no_line_is_torn_apart():
    lines = ("会社は", "運行する。")
    (run, *_) = set_lines(lines, BODY, BLACK, 0, 0, measure_mm=40.0)
    assert isinstance(run, TextRun)
    assert run.tracking_mm == 0.0
