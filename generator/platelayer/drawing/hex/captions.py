"""Words and signs of a hex, and candidate places for them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from platelayer.drawing.hex.places import Candidate, Disc, Field
from platelayer.drawing.hex.plan import Plan
from platelayer.drawing.hex.stop_marks import Mark
from platelayer.drawing.hex.track import segments_bulk
from platelayer.drawing.hex.words import Option, Word
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import scaled
from platelayer.foundation.matrices import direction
from platelayer.foundation.ties import ranked
from platelayer.model.hexes import Layout, edge_point
from platelayer.model.tile import EndKind, RevenueStep, Tile
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Point
from platelayer.scene.typeset import TypeStyle

TILE_MM = 38.1
"""Sizes of type in the theme are meant for a hex of this size."""
CORNERS = {
    Layout.FLAT: (180.0, 240.0, 120.0, 300.0, 0.0, 60.0),
    Layout.POINTY: (150.0, 210.0, 330.0, 270.0, 90.0, 30.0),
}
"""Directions of the corners of a hex, in degrees clockwise from the right, in the order in which labels take them: the
tile's number stands in the last."""


_DOUBT, _WRONG = 1.1, 1.5
_CLEARLY_MM = 3.0
"""How much nearer to its own stop than to any other a word must lie so that nobody mistakes it."""


class Captions:
    """Everything in one hex that looks for its own place: `words`, in painting order. Names look for it on `land`,
    values also on `rimmed`, where they may cover a pattern or frame; with `short`, names may be cut."""

    def __init__(
        self,
        tile: Tile,
        plan: Plan,
        field: Field,
        across_mm: float,
        style: Style,
        *,
        ink: Ink,
        land: Field,
        rimmed: Field,
        short: bool,
    ) -> None:
        self.tile, self.plan, self.field, self.style, self.ink = tile, plan, field, style, ink
        self.land, self.rimmed, self.short = land, rimmed, short
        self.across = across_mm
        self.scale = across_mm / TILE_MM
        self.marks = tuple(mark for mark in plan.marks if mark is not None)
        self.words: list[Word] = []
        self.told: set[tuple[RevenueStep, ...]] = set()
        self.named = False
        self.badges = False

    @property
    def layout(self) -> Layout:
        """Which way the hex lies."""
        return self.field.layout

    @property
    def bare(self) -> bool:
        """True for a hex without stops and track."""
        return not self.tile.stops and not self.tile.track

    def type(self, name: str) -> TypeStyle:
        """A type style at the size of this hex."""
        return scaled(self.style.type(name), self.scale)

    def add(
        self,
        kind: str,
        options: Iterable[Option],
        *,
        enough: float,
        rivals: str = "",
        field: Field | None = None,
        of: Mark | None = None,
    ) -> None:
        """Something to find a place for, with the room that it wants (see `Word`), and the one of several stops that it
        belongs to."""
        rising = tuple(sorted(options, key=lambda option: option.cost))
        own = of.centre if of is not None and len(self.marks) > 1 else None
        self.words.append(Word(kind, rising, enough, rivals, field or self.field, self.scale, {}, {}, own))

    def taken(self) -> list[Word]:
        """The words, which are let go of: their options know these captions, and a circle would live until a print is
        done (`gc_paused`)."""
        words, self.words = self.words, []
        return words

    def ring(self, size: Point, preferred: float, shares: tuple[float, ...]) -> tuple[Candidate, ...]:
        """Places round the centre for a box of a size, nearest to the preferred direction (degrees) first; `shares`
        are distances in apothems, the first the best."""
        return ring_places(self.layout, self.field.half, self.across, size, (preferred, *shares))

    def rimmed_ring(self, size: Point, preferred: float, shares: tuple[float, ...]) -> tuple[Candidate, ...]:
        """As `ring`, and then as far out as a pattern or frame, if there is one."""
        inner = self.ring(size, preferred, shares)
        if self.rimmed is self.field:
            return inner
        return (*inner, *ring_places(self.layout, self.rimmed.half, self.across, size, (preferred, *shares)))

    def covered(self, at: Point, half: Point, radius: float) -> bool:
        """Whether a disc, or a box `half` as wide and high as this, covers some of a pattern or frame at a place."""
        x, y = at
        inner = self.field.half - radius
        return self.rimmed is not self.field and any(
            x * wx + y * wy + abs(wx) * half[0] + abs(wy) * half[1] > inner for wx, wy in self.field.ways
        )

    def inside(self) -> tuple[Candidate, ...]:
        """Places all over the hex, the middle first."""
        return inside_places(self.across)

    def round_mark(self, mark: Mark, reach: float, cost: float, half: Point = (0.0, 0.0)) -> list[Candidate]:
        """Places beside a stop for something that reaches `reach` mm round its middle, or round a box `half` as wide
        and high as this."""
        places = []
        for k in range(16):
            turn = mark.angle + math.pi / 8 * k
            way = direction(turn)
            bulk = max((x - mark.x) * way[0] + (y - mark.y) * way[1] + r for x, y, r in mark.bulk)
            box = abs(way[0]) * half[0] + abs(way[1]) * half[1]
            for gap in (0.9, 2.0):
                out = bulk + box + reach + gap * self.scale
                x, y = mark.x + way[0] * out, mark.y + way[1] * out
                inward = math.hypot(x, y) / self.across
                places.append((cost + inward * 0.6 + gap * 0.1 + (0.05 if k % 4 else 0.0), x, y))
        return ranked(places)

    def doubted(
        self, places: Iterable[Candidate], half: Point, own: Sequence[Mark], foreign: Sequence[Disc] = ()
    ) -> list[Candidate]:
        """Places for a word `half` as wide and high as this, dearer where it lies about as near to another stop, or to
        what is `foreign` to its own, as to its own: it is unclear which it belongs to."""
        near = [disc for mark in own for disc in mark.bulk]
        others = [disc for mark in self.marks if mark not in own for disc in mark.bulk]
        if not near or not others:
            return [*places]
        others += foreign
        return [(cost + self._doubt((x, y), half, near, others), x, y) for cost, x, y in places]

    def _doubt(self, at: Point, half: Point, own: Sequence[Disc], others: Sequence[Disc]) -> float:
        away = _distance(at, half, own)
        clearly = away + _CLEARLY_MM * self.scale
        nearest = _distance(at, half, others, clearly)
        if nearest >= clearly:
            return 0.0
        nearer = (nearest - away) / self.scale
        return _DOUBT * max(0.0, 1.0 - nearer / _CLEARLY_MM) + _WRONG * max(0.0, -nearer)

    def foreign_track(self, own: Mark) -> list[Disc]:
        """Circles that cover the track of all other stops."""
        segments = [
            (segment, curve)
            for segment, curve in zip(self.tile.track, self.plan.curves, strict=True)
            if all(end.kind is not EndKind.STOP or end.index != own.index for end in segment.ends)
        ]
        return segments_bulk(segments, self.across)

    def towards(self, edge: float, distance: float) -> Point:
        """The point at `distance` apothems towards an edge."""
        return edge_point(edge, self.layout, distance * self.across / 2)


def _distance(at: Point, half: Point, discs: Iterable[Disc], enough: float = math.inf) -> float:
    """From a box to the nearest of some discs, at most `enough`."""
    (x, y), (w, h) = at, half
    for px, py, r in discs:
        dx, dy = abs(px - x) - w, abs(py - y) - h
        if dx - r < enough and dy - r < enough:
            enough = min(enough, math.hypot(max(0.0, dx), max(0.0, dy)) - r)
    return enough


@lru_cache(maxsize=2048)
def ring_places(
    layout: Layout, half_mm: float, across_mm: float, size: Point, way_and_shares: tuple[float, ...]
) -> tuple[Candidate, ...]:
    """Places round the centre of a hex for a box that must stay within `half_mm` of every edge's direction."""
    preferred, *shares = way_and_shares
    field = Field(layout, 2 * half_mm, 0.0)
    places = []
    for k in range(12):
        turn = math.radians(preferred + 30 * k)
        away = min(k, 12 - k) / 6
        way = direction(turn)
        reach = field.reach(way, *size)
        for number, share in enumerate(shares):
            out = min(share * across_mm / 2, reach)
            # Of two places equally far from the preferred direction, the upper.
            cost = away * 0.5 + number * 0.12 + (0.01 if way[1] > 0.01 else 0.0)
            places.append((cost, way[0] * out, way[1] * out))
    return tuple(ranked(places))


@lru_cache(maxsize=64)
def inside_places(across_mm: float) -> tuple[Candidate, ...]:
    """Places all over a hex, the middle first."""
    places = []
    for k in range(-6, 7):
        for n in range(-6, 7):
            x, y = k * across_mm / 16, n * across_mm / 16
            places.append((math.hypot(x, y) / across_mm * 1.2 + (0.01 if n < 0 else 0.0), x, y))
    return tuple(ranked(places))
