"""Flattened scenes: what is looked at near words alone, against all shapes and all points."""

import math
import re

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from hypothesis import given
from hypothesis import strategies as st

from platelayer.foundation.geometry import inverse
from platelayer.scene.flatten import (
    flatten_commands,
    flatten_scene,
    inside,
    touch,
)
from platelayer.scene.inks import WHITE
from platelayer.scene.legibility import Grid
from platelayer.scene.paths import (
    matrix_numbers,
    number,
    numbers,
    path_data_commands,
    pdf_path,
    svg_path,
)
from platelayer.scene.shapes import (
    Group,
    Path,
    Scene,
    apply,
    circle_path,
    multiply,
    rectangle_path,
    rotation,
    translation,
)

PLACES = st.integers(-30, 30).map(lambda number: number * 2.5)
POINTS = st.tuples(PLACES, PLACES)
LENGTHS = st.sampled_from([0.5, 3.0, 20.0, 60.0])


@st.composite
def some_commands(draw):
    """A few subpaths, closed or open, of lines and curves, some of them long."""
    commands = []
    for _ in range(draw(st.integers(1, 3))):
        commands.append(("M", *draw(POINTS)))
        for _ in range(draw(st.sampled_from([1, 3, 30]))):
            curve = draw(st.booleans())
            ends = [draw(POINTS) for _ in range(3 if curve else 1)]
            commands.append(("C" if curve else "L", *(number for end in ends for number in end)))
        commands += [("Z",)] * draw(st.booleans())
    return tuple(commands)


COMMANDS = st.one_of(
    some_commands(),
    st.builds(rectangle_path, PLACES, PLACES, LENGTHS, LENGTHS, st.sampled_from([0.0, 0.2])),
)
MATRICES = st.builds(
    lambda at, angle, wide, tall: multiply(
        multiply(translation(*at), rotation(angle)), (wide, 0, 0, tall, 0, 0)
    ),
    POINTS,
    st.sampled_from([0, 30, 90, 180]),
    st.sampled_from([1.0, 0.3, -1.0]),
    st.sampled_from([1.0, 2.0]),
)


def scene_of(items) -> Scene:
    return Scene(key="s", width_mm=60, height_mm=60, items=tuple(items))


CLIPS = st.one_of(st.none(), COMMANDS, st.builds(circle_path, PLACES, PLACES, LENGTHS))


@given(st.lists(st.tuples(POINTS, LENGTHS, LENGTHS), max_size=30))
def test_a_grid_finds_the_boxes_that_touch(corners):
    boxes = [(x, y, x + wide, y + tall) for (x, y), wide, tall in corners]
    grid = Grid(boxes)
    for box in boxes:
        assert grid.touching(box) == [
            number for number, other in enumerate(boxes) if touch(box, other)
        ]


@given(COMMANDS, MATRICES, CLIPS, st.tuples(PLACES, PLACES), LENGTHS)
def test_points_are_covered_as_by_each_polygon(commands, matrix, clip, at, length):
    """Between the places that shapes have their corners at, so that no point is on a line."""
    group = Group(items=(Path(commands=commands, fill=WHITE),), matrix=matrix, clip=clip)
    ((shape,), _) = flatten_scene(scene_of([group]))
    x, y = at[0] + 0.123, at[1] + 0.217
    points = [(x + length * i / 4, y + length * j / 4) for i in range(3) for j in range(3)]
    clips = [polygon for polygon, _ in flatten_commands(clip or (), matrix)]

    def plainly(point) -> bool:
        local = apply(inverse(matrix), point)
        rings = [polygon for polygon, _ in flatten_commands(commands)]
        is_filled = sum(inside(local, ring) for ring in rings) % 2 == 1
        is_clipped = clip is not None and sum(inside(point, ring) for ring in clips) % 2 == 0
        return is_filled and not is_clipped

    assert shape.covered(points) == [*map(plainly, points)]


# Path data of SVG: arcs against fontTools, which decomposes them by another route


TENTHS = st.integers(-400, 400).map(lambda tenths: tenths / 10)
RADII = st.integers(5, 900).map(lambda tenths: tenths / 10)


FLAGS = st.sampled_from(["0 0", "0 1", "1 0", "1 1"])


@given(st.tuples(RADII, RADII, st.integers(-400, 400), FLAGS, TENTHS, TENTHS))
def test_arcs_are_those_of_fonttools(arc: tuple[object, ...]) -> None:
    data = f"M3 4 A{' '.join(map(str, arc))}"
    pen = RecordingPen()
    parse_path(data, pen)
    wanted = [sum(points, ()) for name, points in pen.value if name == "curveTo"]
    (_, *curves) = path_data_commands(data)
    assert len(curves) == len(wanted)
    for (name, *drawn), right in zip(curves, wanted, strict=True):
        assert name == "C"
        assert drawn == pytest.approx(right, abs=0.01)


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


# Digits: steady, short, and never anything a viewer cannot read


NUMBERS = st.floats(min_value=-2e5, max_value=2e5)


@given(NUMBERS, st.integers(1, 6))
def test_a_number_is_short_plain_and_near(value: float, places: int) -> None:
    text = number(value, places)
    assert re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?", text)
    assert text != "-0"
    assert float(text) == pytest.approx(value, abs=0.500001 * 10**-places)


@given(st.lists(NUMBERS, max_size=8))
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
