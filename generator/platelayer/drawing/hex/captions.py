"""Words and signs of a hex, and candidate places for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations

from msgspec.structs import replace

from platelayer.drawing.hex.claims import claims
from platelayer.drawing.hex.places import Candidate, Disc, Field, box_distance
from platelayer.drawing.hex.plan import Plan
from platelayer.drawing.hex.stop_marks import Mark
from platelayer.drawing.hex.words import Option, Shape, Tie, Word
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import Block, scaled
from platelayer.foundation.matrices import direction
from platelayer.foundation.ties import ranked
from platelayer.model.hexes import Layout, edge_point
from platelayer.model.tile import RevenueStep, StopKind, Tile
from platelayer.scene.flatten import lines_cross
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Point
from platelayer.scene.typeset import TypeStyle

TILE_MM = 38.1
"""Sizes of type in the theme are meant for a hex of this size."""
CORNERS = {
    Layout.FLAT: (180.0, 240.0, 120.0, 300.0, 0.0, 60.0),
    Layout.POINTY: (150.0, 210.0, 330.0, 270.0, 90.0, 30.0),
}
"""Directions of the corners of a hex, in degrees clockwise from the right, in the order in which
labels take them: the tile's number stands in the last."""


_LED_COST, _ASTRAY_COST = 10.0, 60.0
"""For a leader, and for a place that may be taken to be another stop's."""
_AWAY = 0.15
"""For each mm from the hint of an off-board, or from the end of its track."""
_DOUBT, _WRONG = 1.1, 1.5
_CLEARLY_MM = 3.0
"""How much nearer to its own stop than to any other a word must lie so that nobody mistakes it."""


Made = tuple[Shape, Sequence[Candidate]]
Make = Callable[[], Made]


class Captions:
    """Everything in one hex that looks for its own place: `words`, in painting order. Names look
    for it on `land`, values also on `rimmed`, where they may cover a pattern or frame; with
    `short`, names may be cut."""

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
        self.claims = claims(tile, plan, field.layout, across_mm) if self._differ() else {}
        self.words: list[Word] = []
        self.told: set[int] = set()
        self.named = False
        self.badges = False

    def _differ(self) -> bool:
        """True if anything is said of one stop that is not said of all."""
        stops = self.tile.stops
        return len({stop.revenue for stop in stops}) > 1 or (
            len(stops) > 1 and (bool(self.tile.partitions) or any(stop.name for stop in stops))
        )

    @property
    def layout(self) -> Layout:
        """Which way the hex lies."""
        return self.field.layout

    @property
    def bare(self) -> bool:
        """True for a hex without stops and track."""
        return not self.tile.stops and not self.tile.track

    def mark_of(self, index: int) -> Mark | None:
        """The mark of a stop, or what stands for it."""
        return self.claims[index].mark if index in self.claims else self.plan.marks[index]

    def values(self) -> dict[tuple[RevenueStep, ...], list[int]]:
        """Words still to be printed, with the stops that they belong to."""
        by_revenue: dict[tuple[RevenueStep, ...], list[int]] = {}
        for index, stop in enumerate(self.tile.stops):
            if (
                any(step.value for step in stop.revenue)
                and not stop.hidden
                and index not in self.told
            ):
                by_revenue.setdefault(stop.revenue, []).append(index)
        return by_revenue

    def is_alike(self) -> bool:
        """True if all stops have the same values and no line runs between any two of them: they are
        printed once."""
        revenues = {stop.revenue for stop in self.tile.stops if not stop.hidden}
        marks = [claim.mark for claim in self.claims.values()]
        lines = {line for claim in self.claims.values() for line in claim.bounds}
        return len(revenues) < 2 and not any(
            lines_cross(one.centre, other.centre, *line)
            for one, other in combinations(marks, 2)
            for line in lines
        )

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
        """Something to find a place for, with the room that it wants (see `Word`), and the one of
        several stops that it belongs to."""
        claim = None if of is None else self.claims.get(of.index)
        if claim is not None:
            options = self._claimed(options)
        rising = tuple(sorted(options, key=lambda option: option.cost))
        self.words.append(
            Word(kind, rising, enough, rivals, field or self.field, self.scale, {}, {}, {}, claim)
        )

    def _claimed(self, options: Iterable[Option]) -> Iterator[Option]:
        """Options for a word that stands at its stop or, for want of room, has a leader to it or
        stands anywhere."""

        def farther(make: Make) -> Made:
            shape, places = make()
            return shape, ranked((*places, *self.inside()))

        for option in options:
            make = cache(option.make)
            yield replace(option, make=make)
            yield replace(
                option, make=partial(farther, make), cost=option.cost + _LED_COST, tie=Tie.LED
            )
            yield replace(option, make=make, cost=option.cost + _ASTRAY_COST, tie=Tie.NONE)

    def taken(self) -> list[Word]:
        """The words, which are let go of: their options know these captions, and a circle would
        live until a print is done (`gc_paused`)."""
        words, self.words = self.words, []
        return words

    def ring(
        self, size: Point, preferred: float, shares: tuple[float, ...]
    ) -> tuple[Candidate, ...]:
        """Places round the centre for a box of a size, nearest to the preferred direction (degrees)
        first; `shares` are distances in apothems, the first the best."""
        return ring_places(self.layout, self.field.half, self.across, size, (preferred, *shares))

    def rimmed_ring(
        self, size: Point, preferred: float, shares: tuple[float, ...]
    ) -> tuple[Candidate, ...]:
        """As `ring`, and then as far out as a pattern or frame, if there is one."""
        inner = self.ring(size, preferred, shares)
        if self.rimmed is self.field:
            return inner
        return (
            *inner,
            *ring_places(self.layout, self.rimmed.half, self.across, size, (preferred, *shares)),
        )

    def covered(self, at: Point, half: Point, radius: float) -> bool:
        """Whether a disc, or a box `half` as wide and high as this, covers some of a pattern or
        frame at a place."""
        x, y = at
        inner = self.field.half - radius
        return self.rimmed is not self.field and any(
            x * wx + y * wy + abs(wx) * half[0] + abs(wy) * half[1] > inner
            for wx, wy in self.field.ways
        )

    def inside(self, fineness: int = 1) -> tuple[Candidate, ...]:
        """Places all over the hex, the middle first; with a higher fineness nearer to each
        other."""
        return inside_places(self.across, fineness)

    def anywhere(self) -> tuple[Candidate, ...]:
        """Places all over the hex, the hint of its only stop or the middle first."""
        return self.inside() if self.hint is None else self.near(self.hint)

    def near(self, at: Point) -> tuple[Candidate, ...]:
        """A place, and places all over the hex, the nearest first."""
        away = ((_AWAY * math.dist(at, (x, y)) / self.scale, x, y) for _, x, y in self.inside())
        return tuple(ranked(((0.0, *at), *away)))

    @property
    def hint(self) -> Point | None:
        """The place that a hint names for the only stop."""
        return self._hinted(0) if len(self.tile.stops) == 1 else None

    def end_of(self, offboard: Mark) -> Point:
        """First place of the words of an off-board: its hint, else the end of its track."""
        return self._hinted(offboard.index) or offboard.centre

    def _hinted(self, index: int) -> Point | None:
        at = self.tile.stops[index].at
        return (
            None
            if at is None
            else self.towards(at.edge, 0.5 if at.distance is None else at.distance)
        )

    def beside(self, mark: Mark, block: Block) -> list[Candidate]:
        """Places for a block beside one of several stops; for an off-board, round the end of its
        track or its hint."""
        half = (block.width / 2, block.height / 2)
        places = self.round_mark(mark, 0.0, 0.0, half)
        if mark.kind is StopKind.OFFBOARD:
            places += self.near(self.end_of(mark))
        return ranked(self.doubted(places, half, (mark,)))

    def round_mark(
        self, mark: Mark, reach: float, cost: float, half: Point = (0.0, 0.0)
    ) -> list[Candidate]:
        """Places beside a stop for something that reaches `reach` mm round its middle, or round a
        box `half` as wide and high as this."""
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
        self,
        places: Iterable[Candidate],
        half: Point,
        own: Sequence[Mark],
        foreign: Sequence[Disc] = (),
    ) -> list[Candidate]:
        """Places for a word `half` as wide and high as this, dearer where it lies about as near to
        another stop, or to what is `foreign` to its own, as to its own: it is unclear which it
        belongs to."""
        near = [disc for mark in own for disc in mark.bulk]
        marks = [claim.mark for claim in self.claims.values()]
        others = [disc for mark in marks if mark not in own for disc in mark.bulk]
        if not near or not others:
            return [*places]
        others += foreign
        return [(cost + self._doubt((x, y), half, near, others), x, y) for cost, x, y in places]

    def _doubt(self, at: Point, half: Point, own: Sequence[Disc], others: Sequence[Disc]) -> float:
        away = box_distance(at, half, own)
        clearly = away + _CLEARLY_MM * self.scale
        nearest = box_distance(at, half, others, clearly)
        if nearest >= clearly:
            return 0.0
        nearer = (nearest - away) / self.scale
        return _DOUBT * max(0.0, 1.0 - nearer / _CLEARLY_MM) + _WRONG * max(0.0, -nearer)

    def towards(self, edge: float, distance: float) -> Point:
        """The point at `distance` apothems towards an edge."""
        return edge_point(edge, self.layout, distance * self.across / 2)


@lru_cache(maxsize=2048)
def ring_places(
    layout: Layout, half_mm: float, across_mm: float, size: Point, way_and_shares: tuple[float, ...]
) -> tuple[Candidate, ...]:
    """Places round the centre of a hex for a box that must stay within `half_mm` of every edge's
    direction."""
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
def inside_places(across_mm: float, fineness: int) -> tuple[Candidate, ...]:
    """Places all over a hex, the middle first."""
    places = []
    most, step = 6 * fineness, across_mm / 16 / fineness
    for k in range(-most, most + 1):
        for n in range(-most, most + 1):
            x, y = k * step, n * step
            places.append((math.hypot(x, y) / across_mm * 1.2 + (0.01 if n < 0 else 0.0), x, y))
    return tuple(ranked(places))
