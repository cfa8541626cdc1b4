"""Where lines may end: spaces in Latin, kinsoku in Japanese (JIS X 4051)."""

from __future__ import annotations

import time
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.lettering import balanced
from platelayer.drawing.kit.rich_text import line_breaks, wrap_even, wrap_rich, wrap_within
from platelayer.scene.breaks import (
    IN_WORD,
    end_costs,
    join_parts,
    line_parts,
    name_parts,
    script_of,
    whole_words,
)
from platelayer.scene.typeset import rise_mm, text_width, wrap

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


def test_japanese_fills_its_lines():
    text = "会社が成立すると、売れ残った株式はプールへ移り、その代金を銀行が会社に支払う。"
    lines = wrap_rich(text, BODY, 40.0)
    assert len(lines) == 3
    assert all(34.0 < text_width(line, BODY) <= 40.0 for line in lines[:-1])


def test_no_character_stands_alone_in_a_last_line():
    text = "会社が成立すると残った株式はプールへ移る。"
    width = text_width(text, BODY) - 0.1
    assert len(wrap_rich(text, BODY, width)[-1]) >= 4


def test_a_last_line_in_latin_is_not_short():
    text = "Starts with 240 in its treasury. Half dividend. 2 trains at most; it must own one."
    width = text_width(text.removesuffix(" own one."), BODY) + 0.1
    lines = wrap_rich(text, BODY, width)
    assert len(lines) == 2
    assert text_width(lines[-1], BODY) > 0.2 * width


def test_a_word_may_end_a_japanese_text_alone_rather_than_part_the_line_above_it():
    text = "市場価格の高い方の会社の社長が行う。"
    assert wrap_rich(text, BODY, 0.9 * text_width(text, BODY)) == (
        "市場価格の高い方の会社の社長",
        "が行う。",
    )


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


def test_kanji_are_parted_in_pairs():
    text = "株式会社設立準備金など"
    costs = dict(zip(accumulate(map(len, line_parts(text))), end_costs(text), strict=True))
    assert {end for end, cost in costs.items() if cost < IN_WORD} >= {2, 4}
    assert costs[1] == IN_WORD


def test_a_line_ends_at_a_phrase_where_there_is_room():
    text = "境界ヘックスは同じタイルの2ヘックスにだけ接し、その後もほかのヘックスには接しない。"
    for width in range(30, 60, 3):
        for before, line in pairwise(wrap_rich(text, BODY, width)):
            assert (before[-1], line[0]) not in pairwise("ヘックス"), (width, before, line)
    assert wrap_even("3ヘックスのマップタイルと番号", BODY, 30.0) == (
        "3ヘックスの",
        "マップタイルと番号",
    )


def test_words_of_katakana_are_kept_whole_even_for_a_line():
    text = (
        "タイル1枚の配置かアップグレード。最初の手番はアップグレードしなければ黄色タイルをもう1枚。"
    )
    for width in range(30, 60):
        lines = wrap_rich(text, BODY, width)
        assert all(text_width(line, BODY) <= width for line in lines)
        for before, line in pairwise(lines):
            assert {script_of(before[-1]), script_of(line[0])} != {"katakana"}, (
                width,
                before,
                line,
            )


def test_a_word_of_katakana_wider_than_half_a_line_is_parted():
    assert len(wrap_rich("アップグレードアップグレード", BODY, 20.0)) == 2


def test_a_percentage_does_not_stand_on_a_line_alone():
    assert line_parts("Compagnia Trasporti, 10 %") == ("Compagnia ", "Trasporti, 10 %")
    assert line_parts("Impresa Latina、10 %") == ("Impresa ", "Latina、10 %")


def test_figures_with_slashes_stay_together():
    assert line_parts("300 / 275 / 220") == ("300 / 275 / 220",)
    assert line_parts("3 / 2 / 7 trains / 5") == ("3 / 2 / 7 ", "trains ", "/ ", "5")


def test_a_name_of_kanji_alone_breaks_before_what_it_is():
    assert name_parts("東部鉱業鉄道") == ("東部鉱業", "鉄道")
    assert name_parts("北港鉄道") == ("北港鉄道",)


def test_figures_stay_with_what_they_count():
    assert line_parts("全部で10枚ずつ渡す。") == ("全", "部", "で", "10枚", "ず", "つ渡す。")


def test_japanese_stands_higher_than_capitals():
    assert rise_mm("Phase", BODY) == BODY.cap_height_mm
    assert BODY.cap_height_mm < rise_mm("フェイズ国", BODY) < BODY.size_mm


def test_whole_words_are_not_parted():
    assert whole_words("マップタイル") == ("マップタイル",)
    assert whole_words("Map tiles") == ("Map", "tiles")
    assert "".join(whole_words("空白ヘックスタイルを置く場所")) == "空白ヘックスタイルを置く場所"


def test_no_name_ends_in_a_line_of_one_character():
    assert name_parts("Bridging社") == ("Bridging社",)
    assert name_parts("Eastern Mining社") == ("Eastern", "Mining社")


def test_a_line_may_end_before_katakana():
    assert whole_words("初期売り出しラウンド") == ("初期売り出し", "ラウンド")


@pytest.mark.parametrize(
    "unit", ["1", "1,", ".", "1 /", "1/2", "・", "、", "（", "鉄", "ア", "x", "x-", "→"]
)
def test_long_texts_take_no_longer_than_they_are(unit: str) -> None:
    text = (unit * 40_000)[:40_000]
    began = time.process_time()
    assert line_parts(text)
    wrap_within(text[:4000], BODY, 30.0)
    assert time.process_time() - began < 4.0


@pytest.mark.parametrize("figures", ["300 / 275 / 220", "3,000 / 2,500", "1/2/3"])
def test_figures_of_several_numbers_stay_together(figures: str) -> None:
    assert any(figures in part for part in line_parts(f"costs {figures} in all"))
