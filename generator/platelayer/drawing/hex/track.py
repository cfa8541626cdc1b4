"""Track: cores, gauges, white casing at crossings, and tapered ends."""

from __future__ import annotations

import math
from collections.abc import Iterable

from platelayer.drawing.hex.geometry import Curve, crossing
from platelayer.drawing.hex.plan import TRACK_WIDTH, Plan
from platelayer.drawing.kit.style import Style
from platelayer.foundation.ties import measured
from platelayer.model.tile import JUNCTION, EndKind, Gauge, Segment, Terminal, Tile
from platelayer.scene.inks import Ink
from platelayer.scene.shapes import Circle, Group, Item, Path, Point, Role, Stroke, polygon_path

Discs = list[tuple[float, float, float]]
"""Circles x, y, r that something covers."""

_TILE_MM = 38.1
_WIDER = {
    Gauge.STANDARD: 1.0, Gauge.NARROW: 1.0, Gauge.DUAL: 1.3, Gauge.THIN: 0.5, Gauge.FUTURE: 0.75, Gauge.LINE: 0.2,
}  # fmt: skip
_CORE_SHARE = {Gauge.NARROW: 0.5, Gauge.DUAL: 0.34}
"""Width of the light line in the middle, as a share of the track."""
_FUTURE_DASH = (1.1, 0.8)
"""Dashes and gaps of future track, in widths of it."""
_SLEEPER_MM = 1.5
_TIP = {True: 0.35, False: 0.1}
"""Width of the thin end of tapered track, as a share of its width: into a stop, or into nothing."""


def track_items(
    tile: Tile, plan: Plan, across_mm: float, style: Style, *, bleed_mm: float = 0.0
) -> tuple[Item, ...]:
    """All track of a hex. It ends on the edges of the hex, or runs on straight by `bleed_mm` into
    the bleed.

    Where two segments without a common end cross, the later one lies on top and gets a white
    casing.
    """
    pens = [
        _Pen(segment, curve, across_mm, style, bleed_mm)
        for segment, curve in zip(tile.track, plan.curves, strict=True)
    ]
    for pen in pens:
        pen.offboard = _offboard(pen.segment, plan)
        ends_in_nothing = pen.segment.terminal is Terminal.SHORT or pen.offboard is not None
        pen.tapered = pen.segment.terminal is not None or ends_in_nothing
        pen.to_stop = not ends_in_nothing
    hub = [pen for pen in pens if JUNCTION in pen.segment.ends]
    if hub and all(pen.tapered for pen in hub):
        for pen in hub:
            pen.to_stop = False
        hub = []
    items: list[Item] = []
    for pen in pens:
        # Of several stops, an off-board is where its track ends.
        shown = (
            pen.offboard is not None and len(tile.stops) > 1 and not tile.stops[pen.offboard].hidden
        )
        items += (Group(items=pen.core(), stop=pen.offboard),) if shown else pen.core()
    if hub:
        items.append(_hub(pens, style))
    items += [item for pen in pens for item in pen.middle()]
    for number, over in enumerate(pens):
        for under in pens[:number]:
            if not (over.tapered or under.tapered or _meet(over.segment, under.segment)):
                items += over.bridge(under)
    return tuple(items)


def _offboard(segment: Segment, plan: Plan) -> int | None:
    """The stop without a mark at the end of a segment, if there is one."""
    stops = (end.index for end in segment.ends if end.kind is EndKind.STOP)
    return next((index for index in stops if plan.marks[index] is None), None)


def track_bulk(tile: Tile, plan: Plan, across_mm: float) -> Discs:
    """Circles that cover all track, so that other things keep clear of it."""
    return segments_bulk(zip(tile.track, plan.curves, strict=True), across_mm)


def segments_bulk(segments: Iterable[tuple[Segment, Curve]], across_mm: float) -> Discs:
    """Circles that cover some of the track."""
    discs: Discs = []
    seen: set[Curve] = set()
    for segment, curve in segments:
        if curve in seen:
            continue
        seen.add(curve)
        half = TRACK_WIDTH / 2 * across_mm * _WIDER[segment.gauge]
        discs += [(x, y, half * 1.12) for x, y in curve.points(half * 1.3)]
    return discs


def taper_bulk(curve: Curve, across_mm: float) -> Discs:
    """Circles that cover track of an off-board, from its thin end `p0` to the edge."""
    half = TRACK_WIDTH / 2 * across_mm
    steps = max(1, math.ceil(curve.length() / half))
    thin = _TIP[False]
    return [
        (*curve.at(k / steps), half * (thin + (1 - thin) * k / steps)) for k in range(steps + 1)
    ]


def _meet(one: Segment, other: Segment) -> bool:
    """True when two segments share an end, so that they join there instead of crossing."""
    if set(one.ends) & set(other.ends):
        return True
    return one.a == one.b or other.a == other.b


def _hub(pens: list[_Pen], style: Style) -> Item:
    radius = max(pen.width for pen in pens) / 2
    return Circle(cx=0.0, cy=0.0, r=radius, fill=style.ink("track"), role=Role.TRACK)


class _Pen:
    """One segment about to be drawn."""

    def __init__(
        self, segment: Segment, curve: Curve, across_mm: float, style: Style, bleed_mm: float
    ) -> None:
        bleed_mm += 0.4 if bleed_mm else 0.0
        self.segment, self.curve, self.style = segment, curve, style
        self.scale = across_mm / _TILE_MM
        self.width = TRACK_WIDTH * across_mm * _WIDER[segment.gauge]
        self.before = bleed_mm if segment.a.kind is EndKind.EDGE else 0.0
        self.after = bleed_mm if segment.b.kind is EndKind.EDGE else 0.0
        self.tapered = self.to_stop = False
        self.offboard: int | None = None
        self.ink = style.ink(
            "track" if segment.is_track or segment.gauge is Gauge.LINE else "track.future"
        )

    def core(self) -> tuple[Item, ...]:
        """The track itself."""
        ink = self.ink
        if self.tapered:
            return (self._wedge(ink),)
        return (self._line(self.curve, ink, self.width, self.before, self.after),)

    def middle(self) -> tuple[Item, ...]:
        """The light line along narrow track (broken) and dual track (unbroken)."""
        if self.segment.gauge not in _CORE_SHARE or self.tapered:
            return ()
        return (self._middle(self.curve, self.before, self.after),)

    def bridge(self, under: _Pen) -> tuple[Item, ...]:
        """The piece of this track that passes over another, with its casing; nothing when they do
        not cross."""
        met = crossing(self.curve, under.curve)
        if met is None:
            return ()
        angle = self.curve.heading(met[0]) - under.curve.heading(met[1])
        sine = max(abs(math.sin(angle)), 0.35)
        casing = self.style.stroke("track.casing").width_mm - self.style.stroke("track").width_mm
        white = self.width + casing * self.scale
        reach = (under.width / 2 + white / 2 * abs(math.cos(angle))) / sine + 0.5 * self.scale
        length = max(self.curve.length(), 1e-6)
        sleeper = _SLEEPER_MM * self.scale / length
        low, high = met[0] - reach / length, met[0] + reach / length
        long_low, long_high = math.floor(measured(low / sleeper / 2)) * sleeper * 2, high + sleeper
        cased = self._part(low, high)
        cored = self._part(long_low, long_high)
        items: list[Item] = [
            self._line(cased, self.style.ink("track.casing"), white),
            self._line(cored, self.ink, self.width),
        ]
        if self.segment.gauge in _CORE_SHARE:
            items.append(self._middle(cored))
        return tuple(items)

    def _part(self, low: float, high: float) -> Curve:
        return self.curve.part(max(0.0, low), min(1.0, high))

    def _line(
        self, curve: Curve, ink: Ink, width_mm: float, before_mm: float = 0.0, after_mm: float = 0.0
    ) -> Path:
        future = self.segment.gauge is Gauge.FUTURE and width_mm == self.width
        dash = tuple(share * width_mm for share in _FUTURE_DASH) if future else ()
        stroke = Stroke(ink=ink, width_mm=width_mm, dash=dash)
        return Path(commands=curve.commands(before_mm, after_mm), stroke=stroke, role=Role.TRACK)

    def _middle(self, curve: Curve, before_mm: float = 0.0, after_mm: float = 0.0) -> Path:
        gauge = self.segment.gauge
        sleeper = _SLEEPER_MM * self.scale
        stroke = Stroke(
            ink=self.style.ink("track.casing"),
            width_mm=self.width * _CORE_SHARE[gauge],
            dash=(sleeper, sleeper) if gauge is Gauge.NARROW else (),
        )
        return Path(commands=curve.commands(before_mm, after_mm), stroke=stroke, role=Role.TRACK)

    def _wedge(self, ink: Ink) -> Path:
        """Track that narrows towards the end that is not an edge."""
        backwards = self.segment.b.kind is EndKind.EDGE and self.segment.a.kind is not EndKind.EDGE
        curve = self.curve.reversed() if backwards else self.curve
        run_on = max(self.before, self.after)
        tip = _TIP[self.to_stop]
        steps = 1 if curve.is_straight() else 10
        left: list[Point] = []
        right: list[Point] = []
        for k in range(steps + 1):
            t = k / steps
            x, y = curve.at(t)
            way = curve.heading(min(t, 0.999))
            half = self.width / 2 * (1 - t * (1 - tip))
            side = (-math.sin(way) * half, math.cos(way) * half)
            if k == 0 and run_on:
                bx, by = x - math.cos(way) * run_on, y - math.sin(way) * run_on
                left.append((bx + side[0], by + side[1]))
                right.append((bx - side[0], by - side[1]))
            left.append((x + side[0], y + side[1]))
            right.append((x - side[0], y - side[1]))
        return Path(commands=polygon_path([*left, *reversed(right)]), fill=ink, role=Role.TRACK)
