"""Where lines may end: spaces in Latin, kinsoku in Japanese (JIS X 4051)."""

from __future__ import annotations

import time
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.lettering import (
    balanced,
    line_breaks,
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
)
from platelayer.scene.typeset import text_width, wrap

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
