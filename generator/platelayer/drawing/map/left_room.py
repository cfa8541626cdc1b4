"""The room that is left in a hex of a map beside what it shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from platelayer.drawing.hex.places import Disc, Field
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.ties import measured
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.shapes import Item, Point, Role, Scene

_STEP_MM = 1.2


def left_room(plan: MapPlan, drawn: tuple[Item, ...], inset_mm: float) -> Field:
    """The field of a hex without what is `drawn` in it and where its track runs, round its middle."""
    field = Field(plan.layout, plan.across_mm, inset_mm)
    width = plan.across_mm
    shapes, texts = flatten_scene(Scene(key="field", width_mm=width, height_mm=width, items=drawn))
    for shape in shapes:
        if shape.role is Role.TRACK:
            for points in shape.polygons:
                for px, py in _along(points):
                    field.take_disc(px, py, shape.stroke_mm / 2)
        elif shape.role is not Role.GROUND:
            left, top, right, bottom = shape.bounds
            field.take_box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    for text in texts:
        left, top, right, bottom = text.bounds
        field.take_box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    return field


def sign_discs(drawn: tuple[Item, ...]) -> Iterator[Disc]:
    """Circles that the icons and letters `drawn` in a hex cover, round its middle; mm."""
    shapes, texts = flatten_scene(Scene(key="signs", width_mm=1.0, height_mm=1.0, items=drawn))
    boxes = [shape.bounds for shape in shapes if shape.role is Role.SYMBOL] + [text.bounds for text in texts]
    for left, top, right, bottom in boxes:
        wide, tall = right - left, bottom - top
        count = max(1, math.ceil(measured(max(wide, tall) / max(min(wide, tall), _STEP_MM))))
        radius = math.hypot(wide if wide < tall else wide / count, tall if tall <= wide else tall / count) / 2
        for k in range(count):
            share = (k + 0.5) / count
            yield (
                (left + share * wide, (top + bottom) / 2, radius)
                if wide >= tall
                else ((left + right) / 2, top + share * tall, radius)
            )


def _along(points: Sequence[Point]) -> Iterator[Point]:
    """Points of a line no farther apart than a step."""
    for (ax, ay), (bx, by) in pairwise(points):
        steps = max(1, math.ceil(measured(math.hypot(bx - ax, by - ay) / _STEP_MM)))
        yield from ((ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps) for k in range(steps))
    yield points[-1]
