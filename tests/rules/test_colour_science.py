"""Colour science against published values, never against itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.rules.company_rules import Lab, Vision, ciede2000, difference, lab_from_hex

# Sharma, Wu and Dalal (2005), table 1: two colours in CIELAB and their difference.
PAIRS = (
    (50.0000, 2.6772, -79.7751, 50.0000, 0.0000, -82.7485, 2.0425),
    (50.0000, 3.1571, -77.2803, 50.0000, 0.0000, -82.7485, 2.8615),
    (50.0000, 2.8361, -74.0200, 50.0000, 0.0000, -82.7485, 3.4412),
    (50.0000, -1.3802, -84.2814, 50.0000, 0.0000, -82.7485, 1.0000),
    (50.0000, -1.1848, -84.8006, 50.0000, 0.0000, -82.7485, 1.0000),
    (50.0000, -0.9009, -85.5211, 50.0000, 0.0000, -82.7485, 1.0000),
    (50.0000, 0.0000, 0.0000, 50.0000, -1.0000, 2.0000, 2.3669),
    (50.0000, -1.0000, 2.0000, 50.0000, 0.0000, 0.0000, 2.3669),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0009, 7.1792),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0010, 7.1792),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0011, 7.2195),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0012, 7.2195),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0009, -2.4900, 4.8045),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0010, -2.4900, 4.8045),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0011, -2.4900, 4.7461),
    (50.0000, 2.5000, 0.0000, 50.0000, 0.0000, -2.5000, 4.3065),
    (50.0000, 2.5000, 0.0000, 73.0000, 25.0000, -18.0000, 27.1492),
    (50.0000, 2.5000, 0.0000, 61.0000, -5.0000, 29.0000, 22.8977),
    (50.0000, 2.5000, 0.0000, 56.0000, -27.0000, -3.0000, 31.9030),
    (50.0000, 2.5000, 0.0000, 58.0000, 24.0000, 15.0000, 19.4535),
    (50.0000, 2.5000, 0.0000, 50.0000, 3.1736, 0.5854, 1.0000),
    (50.0000, 2.5000, 0.0000, 50.0000, 3.2972, 0.0000, 1.0000),
    (50.0000, 2.5000, 0.0000, 50.0000, 1.8634, 0.5757, 1.0000),
    (50.0000, 2.5000, 0.0000, 50.0000, 3.2592, 0.3350, 1.0000),
    (60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644),
    (63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630),
    (61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731),
    (35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645),
    (22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373),
    (36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146),
    (90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441),
    (90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381),
    (6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377),
    (2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082),
)
# CIELAB (D65) of the corners of sRGB as Lindbloom's CIE colour calculator gives them.
CORNERS = (
    ("#ffffff", (100.0, 0.0, 0.0)),
    ("#000000", (0.0, 0.0, 0.0)),
    ("#ff0000", (53.2408, 80.0925, 67.2032)),
    ("#00ff00", (87.7347, -86.1827, 83.1793)),
    ("#0000ff", (32.2970, 79.1875, -107.8602)),
    ("#ffff00", (97.1393, -21.5537, 94.4780)),
)


@pytest.mark.parametrize("pair", PAIRS)
def test_ciede2000_reference_pairs(pair: tuple[float, ...]) -> None:
    one, other = Lab(*pair[:3]), Lab(*pair[3:6])
    assert ciede2000(one, other) == pytest.approx(pair[6], abs=5e-5)
    assert ciede2000(other, one) == pytest.approx(pair[6], abs=5e-5)


@pytest.mark.parametrize(("colour", "lab"), CORNERS)
def test_lab_of_srgb(colour: str, lab: tuple[float, float, float]) -> None:
    assert lab_from_hex(colour) == pytest.approx(lab, abs=0.02)


@pytest.mark.parametrize("vision", Vision)
def test_rows_of_a_vision_keep_greys(vision: Vision) -> None:
    """Each row of a matrix of Machado et al. (2009) adds up to 1: greys look grey to every eye."""
    assert [sum(row) for row in vision.value] == pytest.approx([1.0, 1.0, 1.0], abs=2e-6)
    assert difference("#808080", "#808080", vision) == 0
    assert lab_from_hex("#777777", vision) == pytest.approx(lab_from_hex("#777777"), abs=0.01)


def test_red_and_green_meet_without_one_kind_of_cones() -> None:
    """Far apart to most people, near each other to dichromats; blue and yellow stay apart."""
    red, green = "#b8622b", "#6f8031"
    assert difference(red, green) > 25
    for vision in (Vision.DEUTERANOPIA, Vision.PROTANOPIA):
        assert difference(red, green, vision) < difference(red, green) / 2
        assert difference("#1f4e8c", "#ffcb05", vision) > 50


def test_protanopes_see_red_dark() -> None:
    assert (
        lab_from_hex("#ff0000", Vision.PROTANOPIA).lightness
        < lab_from_hex("#ff0000").lightness - 10
    )
    assert (
        lab_from_hex("#ff0000", Vision.DEUTERANOPIA).lightness > lab_from_hex("#ff0000").lightness
    )


COLOUR = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@given(COLOUR, COLOUR, st.sampled_from(Vision))
def test_a_difference_is_the_same_both_ways(one: str, other: str, vision: Vision) -> None:
    apart = difference(one, other, vision)
    assert apart == pytest.approx(difference(other, one, vision))
    assert 0 <= apart < 130
    assert difference(one, one.upper(), vision) == 0
