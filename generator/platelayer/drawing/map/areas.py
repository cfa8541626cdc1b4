"""Off-board areas of several hexes: their name once across them, with the values beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.hex.track import track_bulk
from platelayer.drawing.hex.values import revenue_table
from platelayer.drawing.hex.words import cut_lengths
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.text_blocks import Block, cut_name, line_breaks, stacked, words_block
from platelayer.drawing.map.plan import MapPlan
from platelayer.foundation.ties import measured
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import EDGES, Coord, neighbour
from platelayer.model.tile import RevenueStep, Tile
from platelayer.scene.shapes import Item, Point, middle_of
from platelayer.scene.typeset import SLACK_MM

Disc = tuple[float, float, float]

_STEP_MM = 2.0
_EDGE_MM = 1.8
"""How far words stay from the rim of an area."""
_TRACK_MM = 1.0
_TOUCHING_MM = 1e-6
"""What only touches is clear."""
_SMALLER = 0.92
_DESIGN_MM = 38.6


class Area(Struct, frozen=True):
    """Hexes without lines between them that are one place: its name and values."""

    hexes: tuple[MapHex, ...]
    named: MapHex
    steps: tuple[RevenueStep, ...]


def areas(plan: MapPlan) -> tuple[Area, ...]:
    """Off-board areas of several hexes that have one name."""
    return tuple(_areas(plan))


def _areas(plan: MapPlan) -> Iterator[Area]:
    known = plan.gamemap.by_coord
    seen: set[Coord] = set()
    for first in plan.gamemap.hexes:
        if first.tile.colour != "red" or first.at in seen:
            continue
        group = [first]
        seen.add(first.at)
        for hexagon in group:
            for edge in EDGES:
                other = known.get(neighbour(hexagon.at, edge, plan.layout))
                open_edge = plan.one_side((hexagon.at, edge)) in plan.open_edges
                if (
                    other is not None
                    and open_edge
                    and other.at not in seen
                    and other.tile.colour == "red"
                ):
                    seen.add(other.at)
                    group.append(other)
        named = [hexagon for hexagon in group if hexagon.name is not None]
        stops = [stop for hexagon in group for stop in hexagon.tile.stops if stop.revenue]
        tables = {stop.revenue for stop in stops}
        if len(group) > 1 and len(named) == 1 and len(tables) <= 1:
            yield Area(tuple(group), named[0], next(iter(tables), ()))


def without_words(tile: Tile) -> Tile:
    """A hex of an area without the name and values that stand across it."""
    return replace(tile, name=None, stops=tuple(replace(stop, revenue=()) for stop in tile.stops))


def bare_tile(tile: Tile) -> Tile:
    """A hex without anything that looks for its place: its track and stops alone."""
    stops = tuple(replace(stop, revenue=(), name=None) for stop in tile.stops)
    return replace(tile, name=None, stops=stops, labels=(), icons=(), terrain=())


def area_items(area: Area, plan: MapPlan, taken: Iterable[Disc], style: Style) -> tuple[Item, ...]:
    """The name of an area and its values where there is room near its middle: side by side, or one
    above the other; `style` is that of red hexes. They keep clear of track, stops and what else is
    `taken`."""
    site = _Site(
        tuple(plan.centre(hexagon.at) for hexagon in area.hexes),
        [
            (x, y, radius + _TRACK_MM - _TOUCHING_MM)
            for x, y, radius in (*_covered(area, plan), *taken)
        ],
        tuple(plan.edge_line(edge) for edge in plan.outside_edges(area.hexes)),
        plan.across_mm,
    )
    middle = middle_of(site.centres)
    spots = sorted((round(measured(math.dist(at, middle)), 2), at) for at in site.spots())
    for block in _blocks(area, style, plan.across_mm / _DESIGN_MM):
        at = next((at for _, at in spots if site.fits(at, block)), None)
        if at is not None:
            return block.at(*at)
    return block.at(*middle)


def _blocks(area: Area, style: Style, scale: float) -> Iterator[Block]:
    """Ways to set name and values, the largest first; at last the name is cut."""
    assert area.named.name is not None
    name = style.words(area.named.name)
    type_style = style.type("tile.name.large")
    table_type = style.type("map.offboard")
    steps = math.floor(math.log(type_style.min_pt / type_style.size_pt, _SMALLER) + 1e-9)
    whole = [(_SMALLER**step, line_breaks(name)) for step in range(steps + 1)]
    cut = [(_SMALLER**steps, (cut_name(name, length),)) for _, length in cut_lengths(name)]
    for share, ways in (*whole, *cut):
        smaller = type_style.at(type_style.size_pt * share)
        size = max(table_type.min_pt, table_type.size_pt * share)
        words = [words_block(lines, smaller, style.ink("text")) for lines in ways]
        tables = [Block(*revenue_table(area.steps, style, size_pt=size, max_width_mm=1e6))]
        if len(area.steps) > 2:
            half = tables[0].width / len(area.steps) * math.ceil(len(area.steps) / 2) + SLACK_MM
            tables.append(Block(*revenue_table(area.steps, style, size_pt=size, max_width_mm=half)))
        for table in tables:
            for word in words:
                if not area.steps:
                    yield word
                    continue
                yield _beside(word, table, 2.2 * scale)
                yield stacked(word, table, 1.1 * scale)


def _beside(left: Block, right: Block, gap_mm: float) -> Block:
    width = left.width + gap_mm + right.width
    items = (*left.at((left.width - width) / 2, 0.0), *right.at((width - right.width) / 2, 0.0))
    return Block(items, width, max(left.height, right.height))


def _covered(area: Area, plan: MapPlan) -> list[Disc]:
    """Circles that track and stops of an area cover."""
    covered: list[Disc] = []
    for hexagon in area.hexes:
        drawn = plan_hex(hexagon.tile, plan.layout, plan.across_mm)
        x, y = plan.centre(hexagon.at)
        discs = list(track_bulk(hexagon.tile, drawn, plan.across_mm))
        for stop, mark in zip(hexagon.tile.stops, drawn.marks, strict=True):
            if mark is not None and not stop.hidden:
                discs += mark.bulk
        covered += [(x + dx, y + dy, radius) for dx, dy, radius in discs]
    return covered


class _Site(Struct, frozen=True):
    """Where words of an area may stand: the middles of its hexes, what is taken, and its
    outline."""

    centres: tuple[Point, ...]
    discs: list[Disc]
    outline: tuple[tuple[Point, Point], ...]
    across_mm: float

    def spots(self) -> Iterator[Point]:
        """Points in rows all over the area that lie in one of its hexes."""
        left, right = min(x for x, _ in self.centres), max(x for x, _ in self.centres)
        top, bottom = min(y for _, y in self.centres), max(y for _, y in self.centres)
        reach = math.ceil(
            measured((max(right - left, bottom - top) + self.across_mm) / 2 / _STEP_MM)
        )
        for row in range(-reach, reach + 1):
            for column in range(-reach, reach + 1):
                at = (left + right) / 2 + column * _STEP_MM, (top + bottom) / 2 + row * _STEP_MM
                if (
                    measured(
                        min(math.dist(at, centre) for centre in self.centres) - self.across_mm / 2
                    )
                    <= 0
                ):
                    yield at

    def fits(self, at: Point, block: Block) -> bool:
        """True when a block with its middle in the area lies within it, clear of its rim and of its
        track."""
        x, y = at
        w, h = block.width / 2, block.height / 2
        for index, (px, py, radius) in enumerate(self.discs):
            dx, dy = abs(px - x) - w, abs(py - y) - h
            if dx < radius and dy < radius and (dx <= 0 or dy <= 0 or math.hypot(dx, dy) < radius):
                # What was in the way of one place is soon in the way of the next.
                self.discs[0], self.discs[index] = self.discs[index], self.discs[0]
                return False
        # Its middle lies in the area, so no line of the outline in the box means that all of it
        # does.
        return not any(_near_box(a, b, at, (w + _EDGE_MM, h + _EDGE_MM)) for a, b in self.outline)


def _near_box(a: Point, b: Point, at: Point, half: Point) -> bool:
    """True when a line enters a box (Liang and Barsky)."""
    low, high = 0.0, 1.0
    for k in (0, 1):
        start, way = a[k] - at[k], b[k] - a[k]
        for sign in (-1.0, 1.0):
            p, q = sign * way, half[k] - sign * start
            if abs(p) < 1e-9:
                if q < 0:
                    return False
            elif p < 0:
                low = max(low, q / p)
            else:
                high = min(high, q / p)
    return measured(high - low) > 0
