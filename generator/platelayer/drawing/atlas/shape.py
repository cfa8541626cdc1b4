"""The shape of a map tile: its hexes and its outline round its middle, in mm."""

from __future__ import annotations

import math
from functools import lru_cache

from platelayer.model.atlas import Axial, doubled, tile_hexes
from platelayer.model.hexes import EDGES, Coord, Layout, centre_mm, corner_points, neighbour
from platelayer.scene.shapes import Command, Point, polygon_path


@lru_cache(maxsize=64)
def triangle(across_mm: float, rotation: int = 0) -> tuple[Point, ...]:
    """Centres of hexes 1, 2 and 3 round the middle of the tile."""
    places = [centre_mm(doubled(at), Layout.FLAT, across_mm) for at in tile_hexes(Axial(0, 0), rotation)]
    x, y = (math.fsum(axis) / 3 for axis in zip(*places, strict=True))
    return tuple((px - x, py - y) for px, py in places)


@lru_cache(maxsize=64)
def tile_outline(across_mm: float, rotation: int = 0) -> tuple[Command, ...]:
    """The outline of the three hexes in one run, round the middle of the tile."""
    places = [doubled(at) for at in tile_hexes(Axial(0, 0), rotation)]
    return polygon_path(_outline(tuple(places), triangle(across_mm, rotation), across_mm))


def _outline(places: tuple[Coord, ...], centres: tuple[Point, ...], across_mm: float) -> list[Point]:
    corners = corner_points(Layout.FLAT, across_mm)
    step: dict[tuple[int, int], tuple[Point, Point]] = {}
    for place, (x, y) in zip(places, centres, strict=True):
        for edge in EDGES:
            if neighbour(place, edge, Layout.FLAT) not in places:
                (ax, ay), (bx, by) = corners[(edge - 1) % 6], corners[edge % 6]
                a, b = (x + ax, y + ay), (x + bx, y + by)
                step[_key(a)] = (a, b)
    point, end = next(iter(step.values()))
    found = [point]
    while _key(end) != _key(found[0]):
        found.append(end)
        end = step[_key(end)][1]
    return found


def _key(point: Point) -> tuple[int, int]:
    return round(point[0] * 50), round(point[1] * 50)
