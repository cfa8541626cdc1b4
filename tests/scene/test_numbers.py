"""Digits: steady, short, and never anything a viewer cannot read."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.scene.paths import matrix_numbers, number, numbers, pdf_path, svg_path

LENGTHS = st.floats(min_value=-2e5, max_value=2e5)


@given(LENGTHS, st.integers(1, 6))
def test_a_number_is_short_plain_and_near(value: float, places: int) -> None:
    text = number(value, places)
    assert re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?", text)
    assert text != "-0"
    assert float(text) == pytest.approx(value, abs=0.500001 * 10**-places)


@given(st.lists(LENGTHS, max_size=8))
def test_many_numbers_are_written_like_one(values: list[float]) -> None:
    assert numbers(values) == " ".join(map(number, values))


@pytest.mark.parametrize(
    ("value", "text"),
    [(100.0, "100"), (-0.0001, "0"), (-0.5, "-0.5"), (38.1, "38.1"), (2 / 3, "0.667"), (1e-9, "0")],
)
def test_numbers_by_hand(value: float, text: str) -> None:
    assert number(value) == text
    assert numbers((value,)) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        number(value)
    with pytest.raises(ValueError, match="finite"):
        numbers((1.0, value))


def test_paths_in_both_languages() -> None:
    commands = (("M", 0.0, 1.5), ("L", -2.0, 3.25), ("C", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0), ("Z",))
    assert svg_path(commands) == "M0 1.5L-2 3.25C1 2 3 4 5 6Z"
    assert pdf_path(commands) == "0 1.5 m\n-2 3.25 l\n1 2 3 4 5 6 c\nh"


def test_a_matrix_keeps_its_turn_to_six_places() -> None:
    assert (
        matrix_numbers((math.cos(1), math.sin(1), 0.0, 1.0, 10.0, 20.12347))
        == "0.540302 0.841471 0 1 10 20.1235"
    )
