"""The layout kit: boxes in boxes, grids of cells, and blocks stacked with gaps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.drawing.kit.layout import (
    Block,
    Box,
    below,
    box_block,
    in_row,
    leaded,
    placing,
    shape_block,
    stacked,
    strut,
    text_block,
)
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Anchor, Circle, Group, Item, Stroke, TextRun
from platelayer.scene.typeset import TypeStyle, text_width

TYPE = TypeStyle(faces=("Barlow-Regular",), size_pt=10, min_pt=6)
LENGTHS = st.floats(1.0, 50.0)


def dot(width: float, height: float) -> Block:
    return shape_block((Circle(cx=0.0, cy=0.0, r=1.0, fill=BLACK),), width, height)


def starts(items: tuple[Item, ...]) -> list[tuple[float, float]]:
    return [item.matrix[4:] for item in items if isinstance(item, Group)]


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


def test_rows_are_as_columns() -> None:
    head, body, foot = Box(0.0, 10.0, 5.0, 30.0).rows(4.0, 0.0, 6.0, gap=1.0)
    assert (head.y, body.y, foot.y) == (10.0, 15.0, 34.0)
    assert (body.height, foot.foot) == (18.0, 40.0)


def test_cells_of_a_grid() -> None:
    grid = Box(10.0, 20.0, 30.0, 40.0).grid((6.0, 0.0, 0.0), (10.0, 0.0))
    assert grid[0, 0] == (10.0, 20.0, 6.0, 10.0)
    assert grid[-1, -1] == (28.0, 30.0, 12.0, 30.0)
    assert grid[:2, 1] == (10.0, 30.0, 18.0, 30.0)
    assert grid[:, 1:] == (10.0, 30.0, 30.0, 30.0)
    assert grid[:, 2:].height == 0.0
    line = Stroke(ink=BLACK, width_mm=0.1)
    assert grid.level(1, line, slice(1, None)).commands == (("M", 16.0, 30.0), ("L", 40.0, 30.0))
    assert grid.upright(1, line, slice(1)).commands == (("M", 16.0, 20.0), ("L", 16.0, 30.0))


def test_equal_cells_fill_a_box_row_by_row() -> None:
    cells = Box(1.0, 2.0, 32.0, 21.0).cells(3, 2, 1.0)
    assert [(cell.x, cell.y) for cell in cells] == [
        (x, y) for y in (2.0, 13.0) for x in (1.0, 12.0, 23.0)
    ]
    assert {(cell.width, cell.height) for cell in cells} == {(10.0, 10.0)}


def test_a_block_is_drawn_into_the_box_that_it_is_placed_in() -> None:
    edge = Stroke(ink=BLACK, width_mm=0.1)
    block = box_block(10.0, 4.0, lambda box: (box.inset(1.0).plate(stroke=edge),))
    (path,) = block.sized(20.0, 8.0, Anchor.END, 1.0).paint(5.0, 6.0)
    assert path == Box(16.0, 11.0, 8.0, 2.0).plate(stroke=edge)


def test_a_first_baseline_lies_as_far_below_the_upper_edge_as_is_stated() -> None:
    for rise, depth in ((below(7.0), 7.0), (leaded(1.5), 1.5 * TYPE.size_mm)):
        first, *_ = [
            run
            for item in text_block("One line", TYPE, BLACK, rise=rise).paint(0.0, 1.0)
            for run in runs(item)
        ]
        assert first.y == pytest.approx(1.0 + depth)


def test_tails_move_a_block_up_rather_than_leave_its_box() -> None:
    words, box = text_block("gypsy", TYPE, BLACK), Box(0.0, 0.0, 30.0, 4.0)
    (run,) = runs(box.centred(words, level=1.0))
    assert run.y == pytest.approx(4.0 - words.tails)
    assert words.tails > 0.5


def test_stacked_blocks_stand_below_each_other_in_line() -> None:
    stack = stacked(dot(4.0, 2.0), 3.0, dot(10.0, 6.0), strut(5.0), gap=0.5)
    assert (stack.width, stack.height) == (10.0, 2.0 + 3.0 + 0.5 + 6.0 + 0.5 + 5.0)
    # Matrices hold the middles of the dots.
    assert starts(stack.paint(1.0, 1.0)) == [(6.0, 2.0), (6.0, 9.5)]
    left = stacked(dot(4.0, 2.0), dot(10.0, 6.0), align=Anchor.START)
    assert starts(left.paint(0.0, 0.0)) == [(2.0, 1.0), (5.0, 5.0)]


def test_blocks_in_a_row_are_level() -> None:
    row = in_row(dot(4.0, 2.0), 1.0, dot(10.0, 6.0), gap=2.0)
    assert (row.width, row.height) == (17.0, 6.0)
    assert starts(row.paint(0.0, 0.0)) == [(2.0, 3.0), (12.0, 3.0)]


def test_a_block_stands_in_the_middle_of_a_box() -> None:
    box = Box(10.0, 10.0, 30.0, 20.0)
    group = box.centred(Block(10.0, 4.0, placing(())))
    assert starts(tuple(group.items)) == [(20.0, 18.0)]
    corner = box.centred(Block(10.0, 4.0, placing(())), Anchor.END, 1.0, pad=1.0, down=2.0)
    assert starts(tuple(corner.items)) == [(29.0, 24.0)]
    assert corner.box == (10.0, 10.0, 40.0, 30.0)


@pytest.mark.parametrize("align", [*Anchor])
def test_words_stay_in_their_box(align: Anchor) -> None:
    box = Box(5.0, 5.0, 20.0, 6.0)
    for text in ("8", "Receives a station", "Receives a station in every city"):
        (run,) = runs(box.words(text, TYPE, BLACK, align, pad=1.0))
        assert run.x >= 6.0 - 0.01
        assert run.x + run.width_mm <= 24.0 + 0.01
        assert (run.lost is None) == (run.text == text)
    assert run.text.endswith("…")


def test_lines_are_measured_from_capitals_to_the_last_baseline_or_by_their_ink() -> None:
    lines = ("Hangs", "low gy")
    block = text_block(lines, TYPE, BLACK, leading=1.5)
    assert block.height == pytest.approx(TYPE.cap_height_mm + 1.5 * TYPE.size_mm)
    assert block.width == pytest.approx(max(text_width(line, TYPE) for line in lines), abs=0.01)
    first, *_, last = [run for item in block.paint(2.0, 3.0) for run in runs(item)]
    assert first.y == pytest.approx(3.0 + TYPE.cap_height_mm)
    assert last.y == pytest.approx(3.0 + block.height)
    assert (
        text_block(lines, TYPE, BLACK, by_ink=True).height > text_block(lines, TYPE, BLACK).height
    )
    assert text_block((), TYPE, BLACK).height == 0.0
