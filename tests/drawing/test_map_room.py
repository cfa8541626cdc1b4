"""Places for cartouche and legend: never on a hex, never on each other, never off the sheet."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from platelayer.drawing.map.room import Placeable, Rect, Skyline, find_room, spare_room
from platelayer.model.gamemap import Coord, Layout, centre_mm, corner_points

ACROSS = 38.6
CLEAR = 7.0

cells = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 5)), min_size=1, max_size=30)
sizes = st.tuples(st.floats(20, 180), st.floats(20, 120))


def _board(
    found: set[tuple[int, int]], layout: Layout
) -> tuple[list[tuple[float, float]], float, float]:
    coords = [
        Coord(a, 2 * b + a % 2) if layout is Layout.FLAT else Coord(2 * a + b % 2, b)
        for a, b in sorted(found)
    ]
    centres = [centre_mm(at, layout, ACROSS) for at in coords]
    corners = corner_points(layout, ACROSS)
    right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
    left, top = min(x for x, _ in centres) - right, min(y for _, y in centres) - bottom
    moved = [(x - left, y - top) for x, y in centres]
    return moved, max(x for x, _ in moved) + right, max(y for _, y in moved) + bottom


def _apart(one: Rect, other: Rect) -> bool:
    return (
        one[0] + one[2] <= other[0]
        or other[0] + other[2] <= one[0]
        or one[1] + one[3] <= other[1]
        or other[1] + other[3] <= one[1]
    )


def _clear_of_hexes(box: Rect, centres: list[tuple[float, float]], layout: Layout) -> bool:
    """By separating axes, with the hex grown by half of what is to stay free."""
    corners = corner_points(layout, ACROSS + CLEAR)
    x, y, w, h = box
    for cx, cy in centres:
        hexagon = [(cx + dx, cy + dy) for dx, dy in corners]
        rectangle = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        axes = [(1.0, 0.0), (0.0, 1.0)] + [
            (b[1] - a[1], a[0] - b[0])
            for a, b in zip(hexagon, hexagon[1:] + hexagon[:1], strict=True)
        ]
        overlap = all(
            max(px * ax + py * ay for px, py in hexagon)
            > min(px * ax + py * ay for px, py in rectangle)
            and max(px * ax + py * ay for px, py in rectangle)
            > min(px * ax + py * ay for px, py in hexagon)
            for ax, ay in axes
        )
        if overlap:
            return False
    return True


@settings(max_examples=40, deadline=None)
@given(cells, st.sampled_from(list(Layout)), st.lists(sizes, min_size=1, max_size=2), sizes)
def test_blocks_touch_nothing(
    found: set[tuple[int, int]],
    layout: Layout,
    shapes: list[tuple[float, float]],
    third: tuple[float, float],
) -> None:
    centres, width, height = _board(found, layout)
    skyline = Skyline(centres, corner_points(layout, ACROSS), width, height, CLEAR)
    growth, places = find_room(skyline, tuple(Placeable(shapes=(shape,)) for shape in shapes))
    boxes = [box for _, box in places]
    spare = spare_room(skyline, growth, boxes, third)
    boxes += [spare] if spare is not None else []
    moved = [(x + growth.left, y + growth.top) for x, y in centres]
    full = (width + growth.left + growth.right, height + growth.top + growth.bottom)
    for number, box in enumerate(boxes):
        assert box[0] >= -1e-6
        assert box[1] >= -1e-6
        assert box[0] + box[2] <= full[0] + 1e-6
        assert box[1] + box[3] <= full[1] + 1e-6
        assert _clear_of_hexes(box, moved, layout)
        assert all(_apart(box, other) for other in boxes[:number])
