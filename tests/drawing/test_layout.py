"""The layout kit: boxes in boxes, grids of cells, and blocks stacked with gaps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.drawing.kit.layout import (
    Box,
    text_block,
)
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Anchor, Group, Item, TextRun
from platelayer.scene.typeset import TypeStyle

TYPE = TypeStyle(faces=("Barlow-Regular",), size_pt=10, min_pt=6)
LENGTHS = st.floats(1.0, 50.0)


def runs(item: Item) -> list[TextRun]:
    if isinstance(item, TextRun):
        return [item]
    return [run for each in item.items for run in runs(each)] if isinstance(item, Group) else []


@given(st.lists(LENGTHS | st.just(0.0), min_size=1, max_size=6), st.floats(0.0, 3.0))
def test_columns_share_out_what_is_left(widths: list[float], gap: float) -> None:
    box = Box(3.0, 4.0, 400.0, 20.0)
    columns = box.columns(*widths, gap=gap)
    for width, column, after in zip(widths, columns, [*columns[1:], None], strict=True):
        assert width in (column.width, 0.0)
        if after is not None:
            assert after.x == pytest.approx(column.right + gap)
    if 0.0 in widths:
        assert columns[-1].right == pytest.approx(box.right)
        shares = [column.width for width, column in zip(widths, columns, strict=True) if not width]
        assert max(shares) == pytest.approx(min(shares))


def test_tails_move_a_block_up_rather_than_leave_its_box() -> None:
    words, box = text_block("gypsy", TYPE, BLACK), Box(0.0, 0.0, 30.0, 4.0)
    (run,) = runs(box.centred(words, level=1.0))
    assert run.y == pytest.approx(4.0 - words.tails)
    assert words.tails > 0.5


@pytest.mark.parametrize("align", [*Anchor])
def test_words_stay_in_their_box(align: Anchor) -> None:
    box = Box(5.0, 5.0, 20.0, 6.0)
    for text in ("8", "Receives a station", "Receives a station in every city"):
        (run,) = runs(box.words(text, TYPE, BLACK, align, pad=1.0))
        assert run.x >= 6.0 - 0.01
        assert run.x + run.width_mm <= 24.0 + 0.01
        assert (run.lost is None) == (run.text == text)
    assert run.text.endswith("…")
