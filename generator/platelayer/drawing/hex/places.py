"""Free places in a hex: candidates scored by the room round them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from platelayer.foundation.matrices import direction
from platelayer.foundation.ties import measured
from platelayer.model.hexes import EDGES, Layout, edge_angle
from platelayer.scene.shapes import Point

Disc = tuple[float, float, float]
"""x, y, radius."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Candidate = tuple[float, float, float]
"""What choosing it costs (mm of room it is worth), x, y."""

_WAYS = {layout: tuple(direction(edge_angle(k, layout)) for k in EDGES) for layout in Layout}
_NONE = -1e9


class Field:
    """The free room of one hex, filled step by step; all lengths in mm from its centre.

    Everything that is placed stays `inset_mm` from the edges.
    """

    def __init__(
        self, layout: Layout, across_mm: float, inset_mm: float, taken: Iterable[Disc] = ()
    ) -> None:
        self.layout = layout
        self.half = across_mm / 2 - inset_mm
        self.ways = _WAYS[layout]
        self.discs: list[Disc] = list(taken)
        self.boxes: list[Box] = []

    def take_disc(self, x: float, y: float, radius: float) -> None:
        """Fills a circle."""
        self.discs.append((x, y, radius))

    def take_box(self, x: float, y: float, width: float, height: float) -> None:
        """Fills a box centred on (x, y)."""
        self.boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))

    def disc_room(
        self, x: float, y: float, radius: float, *, enough: float, floor: float = _NONE
    ) -> float:
        """Distance from a circle to the nearest thing, at most `enough`; `floor` or less as soon as
        that is sure."""
        room = enough
        for wx, wy in self.ways:
            gap = self.half - x * wx - y * wy - radius
            if gap < room:
                if gap <= floor:
                    return gap
                room = gap
        for index, (px, py, r) in enumerate(self.discs):
            limit = room + r + radius
            dx = px - x
            if dx >= limit or -dx >= limit:
                continue
            gap = math.hypot(dx, py - y) - r - radius
            if gap < room:
                if gap <= floor:
                    self._first(index)
                    return gap
                room = gap
        for left, top, right, bottom in self.boxes:
            dx = left - x if x < left else x - right if x > right else 0.0
            dy = top - y if y < top else y - bottom if y > bottom else 0.0
            gap = math.hypot(dx, dy) - radius
            if gap < room:
                if gap <= floor:
                    return gap
                room = gap
        return room

    def box_room(
        self, x: float, y: float, size: Point, *, enough: float, floor: float = _NONE
    ) -> float:
        """Distance from a box centred on (x, y) to the nearest thing, at most `enough`; as
        `disc_room`."""
        room = enough
        w, h = size[0] / 2, size[1] / 2
        for wx, wy in self.ways:
            gap = self.half - x * wx - y * wy - abs(wx) * w - abs(wy) * h
            if gap < room:
                if gap <= floor:
                    return gap
                room = gap
        for index, (px, py, r) in enumerate(self.discs):
            limit = room + r
            dx = abs(px - x) - w
            if dx >= limit:
                continue
            dy = abs(py - y) - h
            if dy >= limit:
                continue
            gap = (math.hypot(dx, dy) if dx > 0 and dy > 0 else max(dx, dy)) - r
            if gap < room:
                if gap <= floor:
                    self._first(index)
                    return gap
                room = gap
        for left, top, right, bottom in self.boxes:
            gap = max(left - x - w, x - w - right, top - y - h, y - h - bottom)
            if gap < room:
                if gap <= floor:
                    return gap
                room = gap
        return room

    def _first(self, index: int) -> None:
        """What was in the way of one place is soon in the way of the next."""
        self.discs[0], self.discs[index] = self.discs[index], self.discs[0]

    def best_disc(
        self, candidates: Sequence[Candidate], radius: float, enough: float
    ) -> tuple[float, float, float]:
        """(x, y, room) of the candidate with the most room less its cost."""
        return _best(
            candidates,
            enough,
            lambda x, y, floor: self.disc_room(x, y, radius, enough=enough, floor=floor),
        )

    def best_box(
        self, candidates: Sequence[Candidate], width: float, height: float, enough: float
    ) -> tuple[float, float, float]:
        """(x, y, room) of the candidate with the most room less its cost."""
        size = (width, height)
        return _best(
            candidates,
            enough,
            lambda x, y, floor: self.box_room(x, y, size, enough=enough, floor=floor),
        )

    def reach(self, way: Point, width: float, height: float) -> float:
        """How far a box centred on a ray from the hex's centre may move out along it (a unit
        vector)."""
        room = math.inf
        for wx, wy in self.ways:
            along = wx * way[0] + wy * way[1]
            if along > 1e-9:
                room = min(room, (self.half - abs(wx) * width / 2 - abs(wy) * height / 2) / along)
        return room


def box_distance(at: Point, half: Point, discs: Iterable[Disc], enough: float = math.inf) -> float:
    """From a box `half` as wide and high as this round a place to the nearest of some discs, at
    most `enough`."""
    (x, y), (w, h) = at, half
    for px, py, r in discs:
        dx, dy = abs(px - x) - w, abs(py - y) - h
        if dx - r < enough and dy - r < enough:
            enough = min(enough, math.hypot(max(0.0, dx), max(0.0, dy)) - r)
    return enough


def _best(
    candidates: Sequence[Candidate], enough: float, room_at: Callable[[float, float, float], float]
) -> tuple[float, float, float]:
    best, score = (0.0, 0.0, _NONE), _NONE
    for cost, x, y in candidates:
        if enough - cost <= score:
            continue
        room = room_at(x, y, score + cost)
        if measured(room - cost) > score:
            best, score = (x, y, room), measured(room - cost)
    return best


def box_discs(x: float, y: float, width: float, height: float) -> Iterator[Disc]:
    """Circles that cover a box at (x, y) that is wider than it is high, but for its corners."""
    steps = math.ceil(2 * (width - height) / height)
    for step in range(steps + 1):
        yield x + ((width - height) * (step / steps - 0.5) if steps else 0.0), y, height / 2
