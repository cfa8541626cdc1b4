"""Where lines may end: spaces in Latin, kinsoku in Japanese (JIS X 4051)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.lettering import (
    balanced,
    least_width,
    line_breaks,
    rich_width,
    set_lines,
    wrap_even,
    wrap_rich,
    wrap_within,
)
from platelayer.scene.breaks import (
    IN_WORD,
    end_costs,
    join_parts,
    line_parts,
    name_parts,
    spread,
)
from platelayer.scene.shapes import TextRun
from platelayer.scene.typeset import openings, part_widths, text_width, wrap

# From JIS X 4051, and the small kana and the long vowel sign which its strict setting adds.
NOT_FIRST = "、。，．）］｝」』】〉》・：；？！ーゃゅょっァィゥェォッャュョ々"
NOT_LAST = "（［｛「『【〈《"

THEME = load_theme("classic")
BODY = THEME.type("card.body")
PLAIN = "株式会社の列車は第一フェイズに駅へ入る"
_CHARACTERS = PLAIN + NOT_FIRST + NOT_LAST + "a1% "
texts = st.text(alphabet=_CHARACTERS, min_size=1, max_size=60)
WRAPS = {
    "wrap": lambda text, width: wrap(text, BODY, width),
    "wrap_rich": lambda text, width: wrap_rich(text, BODY, width),
    "wrap_even": lambda text, width: wrap_even(text, BODY, width),
    "balanced": lambda text, width: balanced(text, BODY, width, 2)[1],
    "line_breaks": lambda text, _: line_breaks(text)[-1],
}


@pytest.mark.parametrize("way", WRAPS)
@given(text=texts, width=st.floats(8, 60))
def test_no_line_begins_or_ends_with_what_it_must_not(way, text, width):
    lines = WRAPS[way](text, width)
    for before, line in pairwise(lines):
        # A space parts words whatever stands beside it; the writer put it there.
        if (before + line) in text:
            assert line[0] not in NOT_FIRST
            assert before[-1] not in NOT_LAST


@pytest.mark.parametrize("way", WRAPS)
@given(text=texts, width=st.floats(8, 60))
def test_no_character_is_lost_or_added(way, text, width):
    assert "".join(WRAPS[way](text, width)).replace(" ", "") == text.replace(" ", "")


@given(text=texts)
def test_parts_are_the_text(text):
    assert "".join(line_parts(text)) == text


def test_latin_breaks_at_spaces_alone():
    assert line_parts("two words, 50 % off") == ("two ", "words, ", "50 % ", "off")
    assert name_parts("Royal Bavarian  Railroad") == ("Royal", "Bavarian", "Railroad")


def test_names_break_where_a_word_begins():
    assert name_parts("失われた地図の鉄道") == ("失われた", "地図の", "鉄道")
    assert name_parts("王立バイエルン邦有鉄道") == ("王立", "バイエルン", "邦有鉄道")
    assert name_parts("アルプス・アドリア") == ("アルプス・", "アドリア")
    assert join_parts(("地図の", "鉄道")) == "地図の鉄道"
    assert join_parts(("Lost", "Atlas")) == "Lost Atlas"


@pytest.mark.parametrize("way", ["wrap", "wrap_rich"])
@given(text=texts, width=st.floats(8, 60))
def test_lines_that_part_no_word_are_as_few_as_can_be(way, text, width):
    text = " ".join(text.split())
    full: list[str] = []
    for part in line_parts(text):
        if full and text_width((full[-1] + part).rstrip(), BODY) <= width + 1e-6:
            full[-1] += part
        else:
            full.append(part)
    costs = dict(zip(accumulate(map(len, line_parts(text))), end_costs(text), strict=True))
    if all(costs[end] < IN_WORD for end in accumulate(map(len, full[:-1]))):
        assert len(WRAPS[way](text, width)) <= len(full)


@pytest.mark.parametrize(
    "text",
    [
        "株価が上がる会社の取締役は、運営ラウンドの終わりに列車を買えるようになる。",
        "山岳鉄道は合併の際に額面の半額を払って終了し、駅トークンはオーストリア帝立鉄道が引き継ぐ。",
        "各プレイヤーは手番ごとに株式を3枚まで売却してから1枚購入できる。",
    ],
)
def test_no_word_is_parted(text):
    for width in range(32, 60):
        lines = wrap(text, BODY, width)
        assert all(text_width(line, BODY) <= width for line in lines)
        costs = dict(zip(accumulate(map(len, line_parts(text))), end_costs(text), strict=True))
        assert all(costs[end] < IN_WORD for end in accumulate(map(len, lines[:-1]))), (width, lines)


def test_a_name_of_kanji_alone_breaks_before_what_it_is():
    assert name_parts("東部鉱業鉄道") == ("東部鉱業", "鉄道")
    assert name_parts("北港鉄道") == ("北港鉄道",)


@pytest.mark.parametrize(
    "unit", ["1", "1,", ".", "1 /", "1/2", "・", "、", "（", "鉄", "ア", "x", "x-", "→"]
)
def test_long_texts_take_no_longer_than_they_are(unit: str) -> None:
    text = (unit * 40_000)[:40_000]
    began = time.process_time()
    assert line_parts(text)
    wrap_within(text[:4000], BODY, 30.0)
    assert time.process_time() - began < 4.0


# Japanese lines are spaced by rule (JLREQ 3.1, 3.2): brackets set tight, a quarter of an em
# beside Latin letters


BLACK = THEME.ink("black")
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
