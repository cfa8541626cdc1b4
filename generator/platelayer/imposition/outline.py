"""The form of a piece's outline, and the clips that hold its bleed."""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec.structs import replace

from platelayer.model.kinds import Form
from platelayer.scene.shapes import Command, Point, Scene, circle_path, polygon_path, rectangle_path

Sides = tuple[float, float, float, float]
"""Left, top, right, bottom in mm."""

_SLACK_MM = 0.02


def form_of(scene: Scene) -> Form:
    """The form of a scene's outline: six straight lines of a regular hexagon, four curves of a
    circle, or other."""
    verbs = "".join(str(command[0]) for command in scene.outline or ())
    if verbs == "MCCCCZ" and abs(scene.width_mm - scene.height_mm) < _SLACK_MM:
        return Form.DISC
    if verbs == "MLLLLLZ" and _is_regular(scene):
        return Form.HEXAGON
    return Form.RECTANGLE


@lru_cache(maxsize=256)
def with_corners(scene: Scene, radius_mm: float) -> Scene:
    """A rectangular scene whose outline has rounded corners: it is cut there, and shown so."""
    if not radius_mm or scene.outline is not None:
        return scene
    radius = min(radius_mm, scene.width_mm / 2, scene.height_mm / 2)
    return replace(scene, outline=rectangle_path(0, 0, scene.width_mm, scene.height_mm, radius))


def _is_regular(scene: Scene) -> bool:
    centre = (scene.width_mm / 2, scene.height_mm / 2)
    radius = max(centre)
    return all(abs(math.dist(centre, corner) - radius) < _SLACK_MM for corner in corners(scene))


def corners(scene: Scene) -> tuple[Point, ...]:
    """Corners of a hexagonal outline in order."""
    return tuple(
        (float(command[1]), float(command[2]))
        for command in scene.outline or ()
        if len(command) == 3
    )


def grown(scene: Scene, form: Form, by_mm: float) -> tuple[Command, ...]:
    """The outline of a hexagon or disc, `by_mm` further out on every side; the clip of pieces that
    touch no neighbour."""
    x, y = scene.width_mm / 2, scene.height_mm / 2
    if form is Form.DISC:
        return circle_path(x, y, x + by_mm)
    factor = 1 + by_mm / min(x, y)
    return polygon_path((x + (px - x) * factor, y + (py - y) * factor) for px, py in corners(scene))


def between_rows(scene: Scene, by_mm: float) -> tuple[Command, ...]:
    """The clip of a hexagon that touches its neighbours corner to corner: `by_mm` further out along
    every side, but never past the line through a corner that divides the space there fairly. There
    the sides' offset lines end at 2 x `by_mm` beside the corner, as the angle between that line and
    a side is 30 degrees."""
    x, y = scene.width_mm / 2, scene.height_mm / 2
    points: list[Point] = []
    ring = corners(scene)
    for (px, py), (nx, ny) in zip(ring, ring[1:] + ring[:1], strict=True):
        radius = math.dist((x, y), (px, py))
        ux, uy = -(py - y) / radius, (px - x) / radius
        way = math.copysign(2 * by_mm, ux * (nx - px) + uy * (ny - py))
        points += ((px - ux * way, py - uy * way), (px + ux * way, py + uy * way))
    return polygon_path(points)


def rectangle_round(scene: Scene, sides: Sides) -> tuple[Command, ...]:
    """The clip of a rectangular piece with its own bleed on every side (in the piece's
    coordinates)."""
    left, top, right, bottom = sides
    return rectangle_path(
        -left, -top, scene.width_mm + left + right, scene.height_mm + top + bottom
    )
