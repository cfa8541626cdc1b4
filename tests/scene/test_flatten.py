"""Flattened scenes: what is looked at near words alone, against all shapes and all points."""

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
