"""Borders between hexes: impassable, province, mountain, river and other borders; and off-board
areas of several hexes, which share one name and one set of values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.drawing.hex.captions import revenue_table
from platelayer.drawing.hex.geometry import Disc, Field, between, box_discs
from platelayer.drawing.hex.ground import RED_RIM, colour_ink, painted
from platelayer.drawing.hex.terrain import smooth
from platelayer.drawing.hex.words import cut_lengths
from platelayer.drawing.kit.lettering import Stamp, cut_name, line_breaks, words_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.plan import DESIGN_MM, Edge, MapPlan
from platelayer.drawing.map.room import room_left
from platelayer.foundation.geometry import measured
from platelayer.foundation.text import printed_number
from platelayer.model.gamemap import EDGES, Border, MapHex, neighbour
from platelayer.model.tile import RevenueStep
from platelayer.model.train import Phase
from platelayer.scene.flatten import bounds_of
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import (
    Commands,
    Item,
    Items,
    Path,
    Point,
    Role,
    Stroke,
    middle_of,
    polygon_path,
    rectangle_path,
)
from platelayer.scene.typeset import SLACK_MM, set_centred, text_width

# Dashes of a border that comes into force later, in widths of its line.
_LATER_DASH = (0.8, 1.4)
# Amplitude of a river's bends off a straight edge, as a share of its length; positions along it,
# with shares of the amplitude.
_BEND = 0.16
_SWING = ((0.25, 0.5), (0.5, 0.0), (0.75, -0.5))
# Number of peaks of a mountain border on one edge, and their height as a share of its length.
_PEAKS, _PEAK = 4, 0.045
# Positions of costs and of terms along an edge, in order of preference.
_COST_AT = (0.5, 0.25, 0.75)
_TERM_AT = (0.27, 0.73, 0.5)
# Distance at which the phases of one long border are repeated, in hexes.
_TERM_EVERY = 1.9
_NOTES_APART_MM = 5.2
# Dashes of borders that hold only in some phases, mm on and off: long dashes, short ones, dots,
# short dashes and dots. The last is that of borders that always hold.
_TERM_DASHES = ((6.0, 1.7), (2.6, 1.6), (0.01, 2.1), (2.6, 1.5, 0.01, 1.5), (6.0, 1.5, 0.01, 1.5))
_TERM_WIDTHS = (1.25, 1.25, 1.5, 1.25, 1.25)
_TERM_PT = 9.0
# Width of the casing on each side of each kind of line; off-board areas have none.
_CASINGS_MM = {
    "impassable": 0.55,
    "province": 0.45,
    "offboard": 0.0,
    "mountain": 0.45,
    "divider": 0.4,
}

# A kind of border and the phases in which it holds ("": always).
Term = tuple[str, str]


def border_items(
    plan: MapPlan, phases: Sequence[Phase], notes: Iterable[Note], style: Style
) -> Items:
    """Draw all borders, with costs and terms on small plates. They go over the rims and the
    contents of the hexes."""
    manners = border_manners(plan, phases)
    # Draw borders of the same appearance as one path, so that they join where they meet.
    groups: dict[tuple[str, bool, int | None, str | None], list[Edge]] = {}
    for edge, border in plan.borders:
        if border.kind != "none":
            manner = manners[border.kind, border_term(border, phases)]
            look = (border.kind, border.since is not None, manner, border.colour)
            groups.setdefault(look, []).append(edge)
    for edge in _zone_edges(plan):
        groups.setdefault(("province", False, None, None), []).append(edge)
    items: list[Item] = []
    for (kind, later, manner, colour), edges in groups.items():
        course = COURSES.get(kind)
        path = plan.lines(edges)
        if course:
            path = tuple(command for edge in edges for command in course(*plan.edge_line(edge)))
        painted = coloured(style, kind, colour)
        items += border_line(kind, path, painted, later=later, manner=manner)
    type_style = style.type("map.border.note")
    for note in notes:
        x, y = note.at
        wide, tall = note.size(style)
        # A disc for a cost, a plate with rounded ends for a term.
        plate = rectangle_path(x - wide / 2, y - tall / 2, wide, tall, tall / 2)
        fill, rim = style.ink("white"), style.stroke("hairline")
        items.append(Path(plate, fill=fill, stroke=rim, role=Role.SYMBOL))
        shown = type_style if note.is_cost else type_style.at(_TERM_PT)
        items += set_centred(note.words, shown, style.ink("text"), x, y, over=(Role.SYMBOL,))
    return tuple(items)


def border_manners(plan: MapPlan, phases: Sequence[Phase]) -> dict[Term, int | None]:
    """Return a number for the manner of drawing borders of each kind and term. Terms of a kind are
    numbered in the order of the game; borders that always hold have -1 if others of their kind
    have terms, otherwise None. Borders without a meaning are omitted."""
    order = [phase.id for phase in phases]
    spans: dict[Term, tuple[int, int]] = {}
    for _, border in plan.borders:
        if border.kind != "none":
            start = order.index(border.since) if border.since in order else 0
            end = order.index(border.until) if border.until in order else len(order)
            spans.setdefault((border.kind, border_term(border, phases)), (start, end))
    counts: dict[str, int] = {}
    manner_of = {}
    for kind, term in sorted(spans, key=spans.__getitem__):
        number = counts.setdefault(kind, 0)
        manner_of[kind, term] = number if term else None
        counts[kind] += bool(term)
    return {
        span: -1 if manner is None and counts[span[0]] else manner
        for span, manner in manner_of.items()
    }


def border_edges(plan: MapPlan) -> tuple[Edge, ...]:
    """Return every edge on which a border is drawn."""
    return (*(edge for edge, border in plan.borders if border.kind != "none"), *_zone_edges(plan))


def _zone_edges(plan: MapPlan) -> Iterator[Edge]:
    """Yield edges between two zones without a declared border, if the map has no province borders
    of its own. A map that has some declares all of them: its other zones have no frontiers."""
    if any(border.kind == "province" for _, border in plan.borders):
        return
    declared = {edge for edge, _ in plan.borders}
    for edge in plan.inner_edges:
        zone, other = plan.gamemap.by_coord[edge[0]].zone, plan.across(edge)
        assert other is not None
        if edge not in declared and zone is not None and other.zone not in (None, zone):
            yield edge


def border_line(
    kind: str, commands: Commands, style: Style, *, later: bool = False, manner: int | None = None
) -> Items:
    """Draw a border of a kind along a path: `later` if it comes into force during the game,
    `manner` (see `border_manners`) if it does not always hold."""

    def path(line: Stroke) -> Path:
        return Path(commands, stroke=line, role=Role.SYMBOL)

    def casing(line: Stroke, by_mm: float) -> Path:
        width = line.width_mm + 2 * by_mm
        stroke = Stroke(style.ink("map.casing"), width, cap=line.cap, join="round")
        return Path(commands, stroke=stroke)

    if kind == "province" and manner is not None:
        # Each group of phases has its own dashes and, if the theme defines it, its own ink; -1 is
        # the last.
        number = manner % len(_TERM_DASHES)
        ink = style.theme.inks.get(f"map.province.{number}") or style.ink("map.province")
        width, dash = _TERM_WIDTHS[number], _TERM_DASHES[number]
        line = Stroke(ink, width, dash=dash, cap="round", join="round")
        return (casing(line, 0.5), path(line))
    if kind == "river":
        bank = style.stroke("map.border.river")
        ink, width = style.ink("terrain.water.light"), bank.width_mm * 0.62
        return (path(bank), path(Stroke(ink, width, cap="round", join="round")))
    kind = kind if kind in _CASINGS_MM else "province"
    line, by_mm = style.stroke(f"map.border.{kind}"), _CASINGS_MM[kind]
    drawn = line
    if later:
        dash = (line.width_mm * _LATER_DASH[0], line.width_mm * _LATER_DASH[1])
        drawn = replace(line, dash=dash, cap="butt")
    return (casing(line, by_mm), path(drawn)) if by_mm else (path(drawn),)


def coloured(style: Style, kind: str, colour: str | None) -> Style:
    """Return the style with another colour for a kind of border."""
    if colour is None:
        return style
    name = f"map.border.{kind}"
    line = replace(style.stroke(name), ink=colour_ink(colour, style))
    return replace(style, theme=replace(style.theme, strokes={**style.theme.strokes, name: line}))


def winding_line(a: Point, b: Point) -> Commands:
    """Return the line of a river from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    bends = [
        (a[0] + dx * t - dy * side * _BEND, a[1] + dy * t + dx * side * _BEND) for t, side in _SWING
    ]
    return smooth([a, *bends, b])


def ridge_line(a: Point, b: Point) -> Commands:
    """Return a line of peaks from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    points = [a]
    for peak in range(_PEAKS):
        for share, out in ((0.25, _PEAK), (0.75, -_PEAK)):
            t = (peak + share) / _PEAKS
            points.append((a[0] + dx * t + dy * out, a[1] + dy * t - dx * out))
    return polygon_path((*points, b), closed=False)


# Kinds of borders that are not straight along their edge.
COURSES: dict[str, Callable[[Point, Point], Commands]] = {
    "river": winding_line,
    "mountain": ridge_line,
}


class Note(NamedTuple):
    """Words on a border: the cost of crossing it, or the phases in which it holds."""

    at: Point
    words: str
    is_cost: bool

    def size(self, style: Style) -> Point:
        """Return the width and height of the note's plate in mm; a cost has a disc."""
        type_style = style.type("map.border.note")
        if self.is_cost:
            cap = type_style.cap_height_mm
            wide = 2 * (cap * 1.15 + 0.22 * cap * max(0, len(self.words) - 2))
            return wide, wide
        type_style = type_style.at(_TERM_PT)
        tall = type_style.cap_height_mm * 1.75
        return max(tall, text_width(self.words, type_style) + tall * 0.75), tall


def border_notes(plan: MapPlan, phases: Sequence[Phase]) -> Iterator[Note]:
    """Yield the cost of crossing each border that has one, and, at intervals along borders, the
    phases in which they hold."""
    placed: list[Point] = []
    terms: dict[Term, list[Point]] = {}

    def free(a: Point, b: Point, shares: tuple[float, ...]) -> Point:
        """Return the first position along an edge that is clear of the notes already placed; if
        there is none, the first."""
        places = [between(a, b, share) for share in shares]
        for at in places:
            if all(math.dist(at, other) > _NOTES_APART_MM for other in placed):
                break
        else:
            at = places[0]
        placed.append(at)
        return at

    for edge, border in plan.borders:
        a, b = plan.edge_line(edge)
        if border.cost:
            yield Note(free(a, b, _COST_AT), printed_number(border.cost), is_cost=True)
        term = border_term(border, phases)
        named = terms.setdefault((border.kind, term), [])
        middle, least = between(a, b, 0.5), _TERM_EVERY * plan.across_mm
        if term and all(math.dist(middle, other) >= least for other in named):
            named.append(middle)
            yield Note(free(a, b, _TERM_AT), term, is_cost=False)


def note_discs(
    notes: Iterable[Note], plan: MapPlan, hexagon: MapHex, style: Style
) -> Iterator[Disc]:
    """Yield circles that cover the notes near a hex, relative to its middle."""
    x, y = plan.centre(hexagon.at)
    for note in notes:
        if math.dist(note.at, (x, y)) < plan.across_mm:
            yield from box_discs(note.at[0] - x, note.at[1] - y, *note.size(style))


def border_term(border: Border, phases: Sequence[Phase]) -> str:
    """Return the phases in which a border holds: "2–3", "4", or "4+" from phase 4 to the end; "" if
    always."""
    if border.until is None:
        return f"{border.since}+" if border.since is not None else ""
    order = [phase.id for phase in phases]
    first = order.index(border.since) if border.since in order else 0
    held = order[first : order.index(border.until)] if border.until in order else [border.until]
    return held[0] if len(held) == 1 else f"{held[0]}–{held[-1]}" if held else border.until


# Off-board areas.

# Distance between points that are tried for words.
_STEP_MM = 2.0
# Clearance of words from the rim of an area, and from track and stops.
_EDGE_MM, _TRACK_MM = 1.8, 1.0
# Tolerance: words that only touch something count as clear of it.
_TOUCHING_MM = 1e-6
# Number of discs along each edge of an area.
_RIM_DISCS = 12
# Ratio of each size of words that is tried to the previous one.
_SMALLER = 0.92


class Area(Struct, frozen=True):
    """Hexes that form one place without lines between them, with its name and values."""

    hexes: tuple[MapHex, ...]
    named: MapHex
    steps: tuple[RevenueStep, ...]


def areas(plan: MapPlan) -> tuple[Area, ...]:
    """Return the off-board areas of several hexes that have one name."""
    known = plan.gamemap.by_coord
    seen = set()
    found = []
    for first in plan.gamemap.hexes:
        if first.tile.colour != "red" or first.at in seen:
            continue
        group = [first]
        seen.add(first.at)
        for hexagon in group:
            for edge in EDGES:
                other = known.get(neighbour(hexagon.at, edge, plan.layout))
                if other is None or other.at in seen or other.tile.colour != "red":
                    continue
                if plan.one_side((hexagon.at, edge)) in plan.open_edges:
                    seen.add(other.at)
                    group.append(other)
        named = [hexagon for hexagon in group if hexagon.name is not None]
        stops = [stop for hexagon in group for stop in hexagon.tile.stops if stop.revenue]
        tables = {stop.revenue for stop in stops}
        if len(group) > 1 and len(named) == 1 and len(tables) <= 1:
            found.append(Area(tuple(group), named[0], next(iter(tables), ())))
    return tuple(found)


def area_items(
    area: Area,
    plan: MapPlan,
    drawn: Mapping[str, Items],
    discs: Mapping[str, Iterable[Disc]],
    style: Style,
) -> Items:
    """Draw the name and values of an area where there is room near its middle, one above the other
    or side by side. They keep clear of everything `drawn` in its hexes and of further `discs`
    there. `style` is that of red hexes."""
    field = Field(plan.layout, math.inf, 0.0)
    for hexagon in area.hexes:
        x, y = plan.centre(hexagon.at)
        own = room_left(plan.layout, plan.across_mm, drawn[hexagon.id], -plan.across_mm)
        for dx, dy, radius in (*own.discs, *discs[hexagon.id]):
            field.take_disc(x + dx, y + dy, radius + _TRACK_MM)
        for west, north, east, south in own.boxes:
            wide, tall = east - west + 2 * _TRACK_MM, south - north + 2 * _TRACK_MM
            field.take_box(x + (west + east) / 2, y + (north + south) / 2, wide, tall)
    for a, b in map(plan.edge_line, plan.outside_edges(area.hexes)):
        for step in range(_RIM_DISCS):
            rim = _EDGE_MM + RED_RIM * plan.across_mm
            field.take_disc(*between(a, b, step / _RIM_DISCS), rim)
    centres = [plan.centre(hexagon.at) for hexagon in area.hexes]

    # Points in rows all over the area that are in one of its hexes, those nearest to its centre
    # first.
    left, top, right, bottom = bounds_of(centres)
    middle, across = middle_of(centres), plan.across_mm
    reach = math.ceil(measured((max(right - left, bottom - top) + across) / 2 / _STEP_MM))
    spots = []
    for row in range(-reach, reach + 1):
        for column in range(-reach, reach + 1):
            at = (left + right) / 2 + column * _STEP_MM, (top + bottom) / 2 + row * _STEP_MM
            if measured(min(math.dist(at, centre) for centre in centres) - across / 2) <= 0:
                spots.append((round(measured(math.dist(at, middle)), 2), at))
    spots.sort()
    for block in _blocks(area, style, across / DESIGN_MM):
        for _, at in spots:
            # The centre lies in the area, so a block whose rim is clear is within it completely.
            size = (block.width, block.height)
            if field.room(*at, size, enough=1.0, floor=-_TOUCHING_MM) > -_TOUCHING_MM:
                return block.at(*at)
    return block.at(*middle)


def _blocks(area: Area, style: Style, scale: float) -> Iterator[Stamp]:
    """Yield ways to set name and values, the largest first; in the last ones, the name is cut."""
    assert area.named.name is not None
    name = style.words(area.named.name)
    ink = readable_on(painted(area.named.tile, style), style.ink("text"), style.ink("white"))
    type_style = style.type("tile.name.large")
    table_type = style.type("map.offboard")
    # Number of steps down to the smallest size.
    steps = math.floor(math.log(type_style.min_pt / type_style.size_pt, _SMALLER) + 1e-9)
    whole = [(_SMALLER**step, line_breaks(name)) for step in range(steps + 1)]
    cut = [(_SMALLER**steps, (cut_name(name, length),)) for _, length in cut_lengths(name)]
    for share, ways in (*whole, *cut):
        smaller = type_style.at(type_style.size_pt * share)
        size = max(table_type.min_pt, table_type.size_pt * share)
        words = [words_block(lines, smaller, ink) for lines in ways]
        if not area.steps:
            yield from words
            continue
        tables = [Stamp(*revenue_table(area.steps, style, size_pt=size, max_width_mm=1e6))]
        if len(area.steps) > 2:
            half = tables[0].width / len(area.steps) * math.ceil(len(area.steps) / 2) + SLACK_MM
            tables.append(Stamp(*revenue_table(area.steps, style, size_pt=size, max_width_mm=half)))
        yield from (word.above(table, 1.1 * scale) for table in tables for word in words)
        for table, word in product(tables, words):
            width = word.width + 2.2 * scale + table.width
            items = (
                *word.at((word.width - width) / 2, 0.0),
                *table.at((width - table.width) / 2, 0.0),
            )
            yield Stamp(items, width, max(word.height, table.height))
