"""Wrapped words, tables and columns under cards and boards."""

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.layout import placing
from platelayer.drawing.kit.rich_text import rich_width, wrap_even, wrap_rich
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import (
    Column,
    DoesNotFit,
    Entry,
    Table,
    Words,
    balance,
    columns_height,
    draw_table,
    fill_columns,
    take_columns,
)
from platelayer.scene.inks import BLACK
from platelayer.scene.shapes import Group, TextRun
from platelayer.scene.typeset import TypeStyle

STYLE = TypeStyle(faces=("Barlow-Regular",), size_pt=8)


@pytest.fixture(scope="module")
def style():
    return Style(theme=load_theme("classic"))


def block(height, *, above=0.0, keep=False):
    return Entry(0.0, height, placing(()), above=above, keep=keep)


def word(text):
    return Words(text=text, type_style=STYLE, ink=BLACK)


def test_wrapped_lines_keep_all_words_and_the_width():
    text = "Counts a city or red area on the route of another of the company’s trains once more."
    for width in (20.0, 35.0, 60.0):
        lines = wrap_rich(text, STYLE, width)
        assert " ".join(lines) == text
        assert all(rich_width(line, STYLE) <= width for line in lines)


def test_a_percentage_is_never_torn_from_its_sign():
    for width in range(6, 60):
        assert not any(
            line.startswith("%")
            for line in wrap_rich("It floats at 50 % of its shares", STYLE, float(width))
        )


def test_an_even_wrap_has_as_few_lines_and_none_much_shorter():
    text = "One per company and never its only train at all, so it is said"
    lines, even = wrap_rich(text, STYLE, 40.0), wrap_even(text, STYLE, 40.0)
    assert len(even) == len(lines)
    assert max(rich_width(line, STYLE) for line in even) <= max(
        rich_width(line, STYLE) for line in lines
    )
    assert " ".join(even) == text


def test_columns_fill_in_order_and_a_heading_goes_with_what_it_heads():
    blocks = [block(4), block(4), block(2, keep=True), block(4)]
    columns = fill_columns(blocks, 2, 10.5)
    assert columns is not None
    assert [[placed.height for placed, _ in column] for column in columns] == [[4, 4], [2, 4]]
    assert fill_columns(blocks, 1, 10.5) is None


def test_no_room_is_left_above_the_first_block_of_a_column():
    columns = fill_columns([block(4, above=3), block(4, above=3), block(4, above=3)], 2, 11)
    assert columns is not None
    assert [[y for _, y in column] for column in columns] == [[0, 7], [0]]


def test_balanced_columns_are_as_low_as_can_be():
    columns = balance([block(2) for _ in range(6)], 3, 100)
    assert columns is not None
    assert [len(column) for column in columns] == [2, 2, 2]
    assert columns_height(columns) == 4


def test_pages_take_every_block_once_and_end_on_no_heading():
    blocks = [block(3, keep=index % 3 == 0) for index in range(17)]
    seen = []
    left = blocks
    while left:
        columns, used = take_columns(left, 2, 10)
        placed = [each for column in columns for each, _ in column]
        assert len(placed) == used
        assert used == len(left) or not placed[-1].keep
        seen += placed
        left = left[used:]
    assert len(seen) == 17


def table(*rows, flexible=-1):
    count = len(rows[0])
    return Table(
        columns=tuple(Column(flexible=index == flexible) for index in range(count)),
        rows=tuple(tuple(word(text) for text in row) for row in rows),
        rule=BLACK,
        strong=BLACK,
    )


def test_a_table_too_wide_says_so():
    with pytest.raises(DoesNotFit, match="2 columns is wider than 20 mm"):
        draw_table(table(("Certificates at most", "a long long heading")), 20.0)


def test_a_flexible_column_wraps_its_words_in_what_is_left():
    drawn = draw_table(
        table(("3", "Before the next stock round every minor is exchanged"), flexible=1), 40.0
    )
    (whole,) = drawn.paint(0.0, 0.0)
    assert isinstance(whole, Group)
    cells = [item for item in whole.items if isinstance(item, Group)]
    runs = [run for cell in cells for run in cell.items if isinstance(run, TextRun)]
    assert len(runs) > 2
    assert max(run.x + run.width_mm for run in runs) <= 40.01
    assert max(run.y for run in runs) < drawn.height


def test_a_heading_never_stands_alone_at_the_foot_of_a_column():
    heading, table = block(2, keep=True), block(9)
    assert fill_columns([block(6), heading, table], 2, 10.0) is None
    columns = fill_columns([block(6), heading, table], 2, 11.0)
    assert columns is not None
    assert [[placed.height for placed, _ in column] for column in columns] == [[6], [2, 9]]
