"""What lies below the words of a scene, found through a grid of squares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import not_

from msgspec import Struct

from platelayer.scene.flatten import Bounds, FlatShape, FlatText, Polygon, polygon_lines, touch
from platelayer.scene.inks import WHITE, Ink
from platelayer.scene.shapes import Point, middle_of

_CELL_MM = 16.0
_WIDE_CELLS = 60


class Beneath(Struct, frozen=True, kw_only=True, eq=False):
    """What a text lies on: the shapes whose bounds touch it, in painting order; the points at which
    its ground was looked for; and the fills found there, by painting order (bare paper: -1)."""

    shapes: Sequence[FlatShape]
    samples: Sequence[Point]
    grounds: dict[int, Ink]


def beneath(text: FlatText, near: Nearby) -> Beneath:
    """What a text lies on."""
    shapes, samples = near.shapes_near(text.bounds), _samples(text.corners)
    return Beneath(shapes=shapes, samples=samples, grounds=_grounds(shapes, text, samples))


class Nearby:
    """Shapes and texts by the squares of a grid that they touch; wide shapes, which would be in
    most of a poster's squares, are in a separate list."""

    def __init__(self, shapes: Sequence[FlatShape], texts: Sequence[FlatText]) -> None:
        self._shapes: dict[tuple[int, int], list[FlatShape]] = defaultdict(list)
        self._wide = [shape for shape in shapes if _is_wide(shape.bounds)]
        self._texts: dict[tuple[int, int], list[FlatText]] = defaultdict(list)
        wide = {shape.order for shape in self._wide}
        for shape in shapes:
            if shape.order not in wide:
                for cell in _cells(shape.bounds):
                    self._shapes[cell].append(shape)
        for text in texts:
            for cell in _cells(text.bounds):
                self._texts[cell].append(text)

    def shapes_near(self, bounds: Bounds) -> list[FlatShape]:
        """Shapes whose bounds touch `bounds`, in painting order."""
        by_order = {
            s.order: s
            for cell in _cells(bounds)
            for s in self._shapes.get(cell, ())
            if touch(s.bounds, bounds)
        }
        by_order |= {shape.order: shape for shape in self._wide if touch(shape.bounds, bounds)}
        return [by_order[order] for order in sorted(by_order)]

    def texts_near(self, bounds: Bounds) -> list[FlatText]:
        """Texts whose bounds touch `bounds`, in painting order."""
        by_order = {
            t.order: t
            for cell in _cells(bounds)
            for t in self._texts.get(cell, ())
            if touch(t.bounds, bounds)
        }
        return [by_order[order] for order in sorted(by_order)]


def _cells(bounds: Bounds) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(value // _CELL_MM) for value in bounds)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _is_wide(bounds: Bounds) -> bool:
    return (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) > _WIDE_CELLS * _CELL_MM**2


def _samples(corners: Polygon) -> tuple[Point, ...]:
    """Nine points of a text's box, at which its ground is looked for: corners, middles of sides,
    centre."""
    middles = tuple(
        ((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in polygon_lines(corners, closed=True)
    )
    centre = middle_of(corners)
    inset = tuple(
        (x + (centre[0] - x) * 0.02, y + (centre[1] - y) * 0.02) for x, y in corners + middles
    )
    return (*inset, centre)


def _grounds(
    shapes: Sequence[FlatShape], text: FlatText, samples: Sequence[Point]
) -> dict[int, Ink]:
    """What lies right below a text: the topmost fill under each of its sample points, by painting
    order. Bare paper counts as order -1."""
    inks: dict[int, Ink] = {}
    bare = list(samples)
    for shape in reversed(shapes):
        if shape.fill is None or shape.order > text.order:
            continue
        left = (
            []
            if shape.covers_box(text.bounds)
            else [*compress(bare, map(not_, shape.covered(bare)))]
        )
        if len(left) < len(bare):
            inks[shape.order] = shape.fill
            bare = left
        if not bare:
            return inks
    return inks | {-1: WHITE}
