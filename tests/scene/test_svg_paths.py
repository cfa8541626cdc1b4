"""Path data of SVG: arcs against fontTools, which decomposes them by another route."""

from __future__ import annotations

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from hypothesis import given
from hypothesis import strategies as st

from platelayer.scene.paths import path_data_commands

LENGTHS = st.integers(-400, 400).map(lambda tenths: tenths / 10)
RADII = st.integers(5, 900).map(lambda tenths: tenths / 10)


FLAGS = st.sampled_from(["0 0", "0 1", "1 0", "1 1"])


@given(st.tuples(RADII, RADII, st.integers(-400, 400), FLAGS, LENGTHS, LENGTHS))
def test_arcs_are_those_of_fonttools(arc: tuple[object, ...]) -> None:
    data = f"M3 4 A{' '.join(map(str, arc))}"
    pen = RecordingPen()
    parse_path(data, pen)
    wanted = [sum(points, ()) for name, points in pen.value if name == "curveTo"]
    (_, *curves) = path_data_commands(data)
    assert len(curves) == len(wanted)
    for (name, *drawn), numbers in zip(curves, wanted, strict=True):
        assert name == "C"
        assert drawn == pytest.approx(numbers, abs=0.01)


@pytest.mark.parametrize(
    ("data", "drawn"), [("M1 2 A0 5 0 0 1 7 8", [("L", 7.0, 8.0)]), ("M1 2 A5 5 0 0 1 1 2", [])]
)
def test_an_arc_without_a_radius_is_a_line_and_one_without_a_length_nothing(
    data: str, drawn: list[object]
) -> None:
    assert list(path_data_commands(data)[1:]) == drawn


def test_an_arc_too_narrow_to_work_out_is_an_error() -> None:
    with pytest.raises(ValueError, match="too narrow"):
        path_data_commands("M0 0 A1e-320 1 0 0 1 9 9")
