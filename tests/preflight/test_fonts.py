"""Widths of glyphs, as ISO 32000-1 (9.7.4.3, table 117) describes them."""

import pytest
from pikepdf import Array, Dictionary, Name

from platelayer.preflight.document import within_budget
from platelayer.preflight.resources import read_font


@pytest.fixture(autouse=True)
def _budget():
    with within_budget():
        yield


def composite(**entries):
    inner = Dictionary(Subtype=Name.CIDFontType2, **entries)
    return Dictionary(
        Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Sample"), DescendantFonts=Array([inner])
    )


@pytest.mark.parametrize(
    ("listed", "widths"),
    [
        ([3, 5, 600], {3: 600, 4: 600, 5: 600}),
        ([3, [400, 500]], {3: 400, 4: 500}),
        ([7, 7, 250, 9, [300], 11, 12, 350], {7: 250, 9: 300, 11: 350, 12: 350}),
        ([8, 7, 250], {}),
    ],
)
def test_widths_of_a_composite_font(listed, widths):
    array = Array([Array(each) if isinstance(each, list) else each for each in listed])
    font = read_font(composite(W=array), True)
    assert font.widths == widths


def test_glyphs_without_a_width_have_that_of_the_font():
    assert read_font(composite(), True).default_width == 1000
    assert read_font(composite(DW=420), True).default_width == 420


def test_a_code_of_a_composite_font_has_two_bytes():
    font = read_font(composite(W=Array([3, 5, 600]), DW=100), True)
    assert font.advance(b"\x00\x05\x00\x06", 0, 0, 10) == pytest.approx((600 + 100) / 1000 * 10)


def test_widths_are_read_only_where_they_matter():
    assert read_font(composite(W=Array([3, 5, 600])), False).widths == {}
