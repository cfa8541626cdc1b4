"""Names of a map: lands along arcs, rivers beside their courses, placed together at one cost.

Each name has candidate places, each with a cost: how far it is from the ideal size, spacing, place
and slope, and what its letters stand on or beside. Two names whose letters touch cost more. The sum
over all names of a map is minimised: the general model of Edmondson, Christensen, Marks & Shieber,
"A General Cartographic Labeling Algorithm", Cartographica 33, 1996, for points, lines and areas at
once. They search by simulated annealing; here names fall into small groups that can touch at all,
so the least cost of each is found by the exact search that words of a hex use. What makes a place
good follows Imhof, "Positioning Names on Maps", The American Cartographer 2, 1975: names of areas
spread along an arc of their axis, those of rivers run along a smoothed course, letters keep off
what must be read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from operator import and_

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Box, Disc, Field
from platelayer.drawing.hex.words import Search
from platelayer.drawing.kit.lettering import halo_path
from platelayer.drawing.kit.rich_text import line_breaks, sizes_down, words_block
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.ground import Hexes, ground_ink, lands, spans_of, state_edges
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.rivers import HALO_MM, Stretch, network, stretches
from platelayer.drawing.map.room import (
    CELL_MM,
    Drawn,
    Frame,
    Grid,
    Rows,
    bytes_of_row,
    frame_of,
    grown,
    grown_cells,
    part,
    room_left,
    spans_free,
)
from platelayer.foundation.geometry import measured
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import MapHex
from platelayer.model.hexes import COS_30, Layout
from platelayer.model.tile import HEX_MM
from platelayer.scene.breaks import holds_wide, is_wide
from platelayer.scene.shapes import Item, Items, Point, TextRun, middle_of
from platelayer.scene.typeset import TypeStyle, drop_mm, prepared, rise_mm, set_centred, text_width

# Costs of a place. They are matters of taste, weighed against each other: a letter on a stop is as
# bad as a name of 30 % of the size that its land deserves.
#
# A name of a land that costs more is set small in one hex instead; a river whose name costs more
# has none there.
_SMALL_COST, _NAMELESS_COST = 9.0, 7.0
# Two letters of two names on each other; two names closer to each other than a reader tells them
# apart; and the distance below which letters touch.
_TOUCHING_COST = 9.0
_CLOSE_COST, _APART_MM, _LEAST_MM = 1.2, 3.0, 0.4
# A letter on or close to a stop, a word, a sign or a token; out of its land; on or close to a
# river; on a line between hexes. So many cells beside a letter are close to it.
_ON_COST, _NEAR_COST = 5.0, 0.5
_OUT_COST = 7.0
_WATER_COST, _BANK_COST = 2.8, 0.3
_LINE_COST = 0.3
_CLOSE = 2

# Lands. Costs: of a name of no size (one half as large as its land deserves costs half), of letters
# as close as in a word where there is room to spread them, of a name at the end of its land rather
# than in its middle, of a slope of 30 degrees, of a bend other than that of the land, and of a
# second line.
_SIZE_COST, _SPREAD_COST, _OFF_COST = 7.0, 1.6, 3.2
_SLOPE_COST, _BENT_COST, _BREAK_COST = 1.3, 0.9, 1.0
# Size of a name for each root of a hex of its land, and the shares of it that are tried.
_DESERVED_PT = 6.2
_SHARES = (1.0, 0.82, 0.66, 0.52)
# Share of the axis of its land that a name covers.
_COVER = 0.74
# The widest and the closest space between letters, in ems, and the shares of it that are tried. A
# name that would need less than the last is too long for its land in this size.
_GAP_EM, _LEAST_GAP_EM, _GAPS = 1.7, 0.06, (1.0, 0.75, 0.5)
_CLOSEST_EM = -0.12
# Imhof: names of areas lie level or rise gently. Slopes in degrees; an axis steeper than the second
# counts as level, as a name would have to be read sideways.
_MOST_SLOPE, _STEEP = 30.0, 62.0
# The most that the first letter of a name leans from the last, and of the bend that is tried where
# the land has none, in radians.
_MOST_TURN, _USUAL_TURN = 0.6, 0.28
_LEADING = 1.3
# Least distance between two places that are tried, and the most of them along a land; the least
# step by which they are improved.
_STATION_MM, _STATIONS, _LEAST_STEP_MM = 4.0, 36, 1.0
# Places with no letter on anything that are looked at closely for each way to set a name.
_TRIED = 4
# Candidates kept for each name, and the most that they may cost beyond the best.
_KEPT, _SPREAD_OF_COSTS = 5, 2.0
# A name heeds what is taken so many cells round its land or river: more than half the height of any
# letter and what it keeps clear.
_HEEDED = 12

# Small names in single hexes: heights below the middle as shares of the hex, best first; the cost
# for each share off that height, and what they keep clear; the most hexes that are tried.
_CAPTION_AT = (0.3, 0.27, 0.33, 0.36, -0.3, -0.36)
_CAPTION_FAR_MM, _CAPTION_CLEAR_MM = 0.4, 0.6
_CAPTION_HEXES = 4

# Rivers. Costs: of a slope of 45 degrees, of upright Japanese, of a bend of half a radian, of each
# mm that the line strays from its river, of a name at an end of its piece, below its river, in
# smaller letters, and of a letter on a line between hexes.
_RIVER_SLOPE_COST, _RIVER_ERECT_COST = 1.0, 0.8
_RIVER_BENT_COST, _RIVER_STRAY_COST = 1.4, 0.9
_RIVER_OFF_COST, _RIVER_BELOW_COST, _RIVER_SMALL_COST, _RIM_COST = 1.2, 0.15, 1.0, 0.1
_SAMPLE_MM = 1.0
# Samples from one piece of a river that is tried to the next, and from one to the next that its
# line is fitted to.
_WINDOW, _THINNED = 4, 4
_SMALLER, _TRACKING = 0.86, 0.16
# The piece is so much longer than the name, and its smoothed line strays at most so far.
_SPARE_MM, _STRAY_MM = 1.5, 1.5
# Between the bank and the letters.
_BANK_MM = 1.0
# A river is named again after this many hexes.
_AGAIN = 11.0
# Japanese names of rivers that run steeper are set upright, downwards: so far from one character to
# the next, small kana so far to the upper right of their square, in ems; some characters lie along
# the line even there.
_ERECT = math.tan(math.radians(38))
_DOWN, _SMALL_ASIDE = 1.02, 0.09
_TURNED = "ー－—―〜～（）()「」＝"
_SMALL_KANA = "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"

# Track that leads over an edge takes so much of the next hex round the middle of the edge, on a hex
# of 38.1 mm.
_END_MM = 1.3
# Slack for sums of costs whose last bits differ.
_SURE = 1e-6


class Letter(Frozen):
    """A letter: its middle, its angle in degrees clockwise, and half its width and height in mm."""

    char: str
    x: float
    y: float
    angle: float
    wide: float
    tall: float

    def discs(self) -> tuple[Disc, ...]:
        """Circles that cover it: one for a letter about as wide as it is high, else a row."""
        reach = self.wide - self.tall
        if reach <= self.tall * 0.35:
            return ((self.x, self.y, max(self.wide, self.tall)),)
        turned = math.radians(self.angle)
        dx, dy = reach * math.cos(turned), reach * math.sin(turned)
        count = max(2, math.ceil(measured(self.wide / self.tall)))
        shares = [2 * k / (count - 1) - 1 for k in range(count)]
        return tuple((self.x + dx * share, self.y + dy * share, self.tall) for share in shares)

    def corners(self) -> tuple[Point, ...]:
        """The corners of its box, which circles leave out."""
        turned = math.radians(self.angle)
        across, down = math.cos(turned), math.sin(turned)
        return tuple(
            (self.x + dx * across - dy * down, self.y + dx * down + dy * across)
            for dx in (-self.wide, self.wide)
            for dy in (-self.tall, self.tall)
        )


def _degrees(lean: float) -> float:
    return round(measured(math.degrees(lean)), 1)


class Spot(Frozen):
    """A place for a name: its cost, its letters and their type, the circles that they cover, and
    bounds of all of these. A name that is left out has no letters."""

    cost: float
    letters: tuple[Letter, ...]
    type_style: TypeStyle
    discs: tuple[Disc, ...] = ()
    bounds: Box | None = None


def _spot(cost: float, letters: tuple[Letter, ...], type_style: TypeStyle) -> Spot:
    discs = tuple(disc for letter in letters for disc in letter.discs())
    bounds = (
        min(x - r for x, _, r in discs) - _APART_MM,
        min(y - r for _, y, r in discs) - _APART_MM,
        max(x + r for x, _, r in discs) + _APART_MM,
        max(y + r for _, y, r in discs) + _APART_MM,
    )
    return Spot(cost, letters, type_style, discs, bounds)


class Label(Frozen):
    """A name and its places, the cheapest first."""

    kind: str
    name: str
    spots: tuple[Spot, ...]


class Choice(Frozen):
    """A place for each name, their cost together, and whether that is proved to be the least."""

    spots: tuple[Spot, ...]
    cost: float
    proved: bool = True


def choose(labels: Sequence[Label]) -> Choice:
    """The places that cost least together."""
    picked = list(choose_in_turn(labels).spots)
    slack = total_cost(picked) - math.fsum(label.spots[0].cost for label in labels)
    if measured(slack) <= 0:
        return Choice(tuple(picked), total_cost(picked))
    # A bound: no choice costs less than all names at their cheapest places. So a place that by
    # itself wastes as much as all of the greedy choice can be part of no better one.
    rows = [
        [spot for spot in label.spots if spot.cost < label.spots[0].cost + slack + _SURE]
        for label in labels
    ]
    proved = True
    for group in _groups(rows):
        own = [[(spot.cost - rows[k][0].cost, spot) for spot in rows[k]] for k in group]
        start = [picked[k] for k in group]
        wasted = total_cost(start) - math.fsum(rows[k][0].cost for k in group)
        search = Search(own, start, wasted, _touching)
        search.run()
        for number, spot in zip(group, search.best, strict=True):
            picked[number] = spot
        proved = proved and search.proved
    return Choice(tuple(picked), total_cost(picked), proved)


def choose_in_turn(labels: Sequence[Label]) -> Choice:
    """Each name in turn takes the place that costs least beside those before it: the greedy
    baseline."""
    chosen: list[Spot] = []
    for label in labels:
        costs = [
            spot.cost + math.fsum(_touching(spot, other) for other in chosen)
            for spot in label.spots
        ]
        chosen.append(label.spots[costs.index(min(costs))])
    return Choice(tuple(chosen), total_cost(chosen), proved=False)


def total_cost(spots: Sequence[Spot]) -> float:
    """The cost of places: of each on its own, and of each pair for letters that touch."""
    own = (spot.cost for spot in spots)
    pairs = (_touching(one, other) for one, other in combinations(spots, 2))
    return math.fsum((*own, *pairs))


def _touching(one: Spot, other: Spot) -> float:
    """The cost of two places side by side: for letters that touch, and for names so close that they
    read as one."""
    if one.bounds is None or other.bounds is None:
        return 0.0
    left, top, right, bottom = one.bounds
    other_left, other_top, other_right, other_bottom = other.bounds
    if left >= other_right or other_left >= right or top >= other_bottom or other_top >= bottom:
        return 0.0
    gaps = [
        math.hypot(x - ox, y - oy) - r - reach
        for x, y, r in one.discs
        for ox, oy, reach in other.discs
    ]
    touching = len([gap for gap in gaps if gap < _LEAST_MM])
    return _TOUCHING_COST * touching + _CLOSE_COST * (min(gaps) < _APART_MM)


def _groups(rows: Sequence[Sequence[Spot]]) -> Iterator[list[int]]:
    """Names any of whose places touch, together, by number."""
    rest = list(range(len(rows)))
    while rest:
        group = [rest.pop(0)]
        for one in group:
            near = [
                other
                for other in rest
                if any(_touching(spot, place) for spot in rows[one] for place in rows[other])
            ]
            group += near
            rest = [other for other in rest if other not in near]
        yield sorted(group)


class Taken(Frozen):
    """Cells of a board that are taken, hex (0, 0) centred on (0, 0): by all that must be read, by
    rivers, by borders, by lines between hexes, and by the ends of track on land."""

    frame: Frame
    solid: Rows
    water: Rows
    lines: Rows
    rims: Rows
    ends: Rows

    def within(self, inner: Frame, heeded: Rows) -> Taken:
        """The same for some cells only: equal as long as nothing changes in those that are
        `heeded`, so that places of names can be kept by it."""
        layers = (
            part(rows, self.frame, inner)
            for rows in (self.solid, self.water, self.lines, self.rims, self.ends)
        )
        return Taken(inner, *(tuple(map(and_, rows, heeded)) for rows in layers))


def taken_of(plan: MapPlan, drawn: Mapping[str, Items], discs: Iterable[Disc]) -> Taken:
    """All that is taken of a board at its origin: by what is `drawn` in its hexes, by more `discs`,
    by rivers and borders, and all that is no land."""
    frame = frame_of(plan.bounds)
    solid, ends = Grid(frame), Grid(frame)
    for hexagon in plan.gamemap.hexes:
        white = hexagon.tile.colour == "white"
        items = Drawn(drawn.get(hexagon.id, ())) if white else None
        solid.take_rows(*_taken_in_hex(items, plan.centre(hexagon.at), plan.layout, plan.across_mm))
        if not white:  # track ends a little beyond its hex
            for edge in sorted({edge for segment in hexagon.tile.track for edge in segment.edges}):
                (ax, ay), (bx, by) = plan.edge_line((hexagon.at, edge))
                ends.take_disc(((ax + bx) / 2, (ay + by) / 2, _END_MM * plan.across_mm / HEX_MM))
    for disc in discs:
        solid.take_disc(disc)
    water = tuple(
        (a, b, half + 0.2)
        for line in stretches(plan)
        for (a, b), half in zip(pairwise(line.points), line.halves, strict=False)
    )
    borders = (*border_edges(plan), *state_edges(plan))
    lines = tuple((*plan.edge_line(edge), 0.8) for edge in borders)
    rims = tuple((*plan.edge_line(edge), 0.5) for edge in plan.inner_edges)
    return Taken(
        frame,
        solid.rows(),
        _taken_by_lines(water, frame),
        _taken_by_lines(lines, frame),
        _taken_by_lines(rims, frame),
        ends.rows(),
    )


# Kept: an edit changes few hexes.
@lru_cache(maxsize=1536)
def _taken_in_hex(
    drawn: Drawn | None, middle: Point, layout: Layout, across_mm: float
) -> tuple[Frame, Rows]:
    """Cells taken in a hex of white ground by all that is drawn on it; all of any other (None),
    which is no land."""
    x, y = middle
    discs: list[Disc] = []
    boxes: list[Box] = []
    if drawn is None:
        boxes = [
            (left, row * CELL_MM, right, row * CELL_MM + 0.5)
            for row, left, right in spans_of(Hexes((middle,), layout, across_mm), CELL_MM)
        ]
    elif drawn.items:
        field = room_left(layout, across_mm, drawn.items, -across_mm)
        discs = [(x + dx, y + dy, radius) for dx, dy, radius in field.discs]
        boxes = [
            (x + left, y + top, x + right, y + bottom) for left, top, right, bottom in field.boxes
        ]
    rims = [*boxes, *((x - r, y - r, x + r, y + r) for x, y, r in discs)]
    if not rims:
        return Frame(0, 0, 0, 0), ()
    lefts, tops, rights, bottoms = zip(*rims, strict=True)
    # A cell more on all sides: even what is narrower than a cell takes one.
    grid = Grid(frame_of((min(lefts) - 1, min(tops) - 1, max(rights) + 1, max(bottoms) + 1)))
    for disc in discs:
        grid.take_disc(disc)
    for box in boxes:
        grid.take_box(box)
    return grid.frame, grid.rows()


@lru_cache(maxsize=48)
def _taken_by_lines(lines: tuple[tuple[Point, Point, float], ...], frame: Frame) -> Rows:
    """Cells taken by lines, each from one point to another with half its width."""
    grid = Grid(frame)
    for line in lines:
        grid.take_line(*line)
    return grid.rows()


def hits(spot: Spot, taken: Taken) -> Iterator[Letter]:
    """The letters of a name that stand on something that must be read, a border or a river."""
    wide = taken.frame.wide
    for letter in spot.letters:
        for x, y, radius in letter.discs():
            column, row = math.floor(x) - taken.frame.left, math.floor(y) - taken.frame.top
            reach = _cells(radius) - 1
            layers = (grown(rows, wide, reach) for rows in (taken.solid, taken.lines, taken.water))
            inside = 0 <= row < taken.frame.tall and column >= 0
            if inside and any(rows[row] >> column & 1 for rows in layers):
                yield letter
                break


# Names along arcs, all over a land.


class _Arc(Frozen):
    """An arc through the middle of a name: its slope there in radians, and its bend in radians a mm
    (0: straight)."""

    slope: float
    bend: float

    def point(self, along: float, off: float) -> tuple[float, float, float]:
        """The point `along` the arc from its middle, `off` mm below it, and how it leans there
        (radians)."""
        turn = self.bend * along
        if abs(self.bend) < 1e-7:
            u, v = along, 0.0
        else:
            u, v = math.sin(turn) / self.bend, (1 - math.cos(turn)) / self.bend
        u, v = u - math.sin(turn) * off, v + math.cos(turn) * off
        cos, sin = math.cos(self.slope), math.sin(self.slope)
        return u * cos - v * sin, u * sin + v * cos, self.slope + turn


class _Axis(Frozen):
    """The middle of a land, its main axis (the first principal component of its hexes), the bend of
    its hexes round it, and their reach along and across."""

    middle: Point
    slope: float
    bend: float
    along: float
    across: float


def _axis(centres: Sequence[Point], across_mm: float) -> _Axis:
    mx, my = middle_of(centres)
    xx = math.fsum((x - mx) ** 2 for x, _ in centres)
    yy = math.fsum((y - my) ** 2 for _, y in centres)
    xy = math.fsum((x - mx) * (y - my) for x, y in centres)
    # Of a symmetric 2 x 2 matrix the angle of the main axis is half of that of (xx - yy, 2 xy). The
    # sums are rounded first: in a round land both are 0, and noise must not choose an axis.
    slope = round(measured(math.atan2(measured(2 * xy), measured(xx - yy)) / 2), 3)
    most = math.radians(_MOST_SLOPE)
    slope = slope if abs(slope) <= math.radians(_STEEP) else 0.0
    slope = max(-most, min(most, slope))
    cos, sin = math.cos(slope), math.sin(slope)
    us = [(x - mx) * cos + (y - my) * sin for x, y in centres]
    vs = [(y - my) * cos - (x - mx) * sin for x, y in centres]
    _, _, c = _parabola(us, vs) if len(centres) > 4 else (0.0, 0.0, 0.0)
    along = max(us) - min(us) + across_mm
    # The curvature of v = c u u is 2 c.
    bend = max(-_MOST_TURN, min(_MOST_TURN, 2 * c * along)) / along
    return _Axis((mx, my), slope, round(measured(bend), 5), along, max(vs) - min(vs) + across_mm)


def _parabola(us: Sequence[float], vs: Sequence[float]) -> tuple[float, float, float]:
    """a, b, c of v = a + b u + c u u, by least squares: the normal equations, by elimination, in
    units in which u is at most 1, so that they are well conditioned."""
    scale = max(1e-6, *map(abs, us))
    rows = [(1.0, u / scale, u * u / scale / scale) for u in us]
    matrix = [[math.fsum([row[i] * row[j] for row in rows]) for j in range(3)] for i in range(3)]
    right = [math.fsum([row[i] * v for row, v in zip(rows, vs, strict=True)]) for i in range(3)]
    for i in range(3):
        if abs(matrix[i][i]) < 1e-6:  # all at one u, or at two
            return math.fsum(vs) / len(vs), 0.0, 0.0
        for j in range(i + 1, 3):
            factor = matrix[j][i] / matrix[i][i]
            matrix[j] = [x - factor * y for x, y in zip(matrix[j], matrix[i], strict=True)]
            right[j] -= factor * right[i]
    c = right[2] / matrix[2][2]
    b = (right[1] - matrix[1][2] * c) / matrix[1][1]
    a = (right[0] - matrix[0][1] * b - matrix[0][2] * c) / matrix[0][0]
    return a, b / scale, c / scale / scale


class _Setting(Frozen):
    """A way to set a name: its cost wherever it stands, its lines, type, the space between letters
    in mm, and its arc."""

    cost: float
    lines: tuple[str, ...]
    type_style: TypeStyle
    gap: float
    arc: _Arc


def _settings(
    name: str, type_style: TypeStyle, axis: _Axis, deserved_pt: float
) -> Iterator[_Setting]:
    """Ways to set a name: sizes, spaces, slopes and bends."""
    words, type_style = prepared(name, capitals=type_style.capitals), type_style.beside(name)
    type_style = replace(type_style, capitals=False)
    turn = _USUAL_TURN / axis.along
    slopes = (axis.slope, axis.slope / 2, 0.0) if abs(axis.slope) > 0.1 else (axis.slope,)
    bends = (axis.bend, 0.0, -turn, turn)
    arcs = dict.fromkeys(
        _Arc(round(slope, 3), round(bend, 5)) for slope in slopes for bend in bends
    )
    sizes = [
        max(type_style.min_pt, min(type_style.size_pt, deserved_pt * share)) for share in _SHARES
    ]
    ways = line_breaks(words)[:2]
    for size_pt in dict.fromkeys(round(size * 4) / 4 for size in sizes):
        styled = type_style.at(size_pt)
        share = size_pt / deserved_pt
        small = _SIZE_COST * max(0.0, 1 - share)
        for lines in ways:
            widest = max(text_width(line, styled) for line in lines)
            count = max(1, max(map(len, lines)) - 1)
            ideal = (axis.along * _COVER - widest) / count / styled.size_mm
            if ideal < _CLOSEST_EM:
                continue
            ideal = max(_LEAST_GAP_EM, min(_GAP_EM, ideal))
            for part_of in _GAPS if ideal > _LEAST_GAP_EM else (1.0,):
                gap = max(_LEAST_GAP_EM, ideal * part_of) * styled.size_mm
                own = small + _SPREAD_COST * (1 - part_of) + _BREAK_COST * (len(lines) - 1)
                for arc in arcs:
                    tilt = _SLOPE_COST * (arc.slope / math.radians(30)) ** 2
                    bent = _BENT_COST * min(1.0, abs(arc.bend - axis.bend) * axis.along / 0.5)
                    yield _Setting(measured(own + tilt + bent), lines, styled, gap, arc)


def _cells(radius_mm: float) -> int:
    return math.ceil(measured(radius_mm / CELL_MM - 0.2))


class _Layers(Frozen):
    """Costs of letters, for the middle of a disc: cells (`grown_cells`) with a cost each, the
    dearest first, as only the first counts. `blocked` are rows of all that letters keep off if they
    can, all beyond the grid among them."""

    frame: Frame
    layers: tuple[tuple[bytes, float], ...]
    blocked: Rows = ()

    def cost(self, probes: Sequence[Point], x: float, y: float, most: float) -> float:
        """The cost of letters round a point; some number of at least `most` as soon as it is that
        much."""
        left, top, wide, tall = self.frame.left, self.frame.top, self.frame.wide, self.frame.tall
        step = bytes_of_row(wide)
        cost = 0.0
        for dx, dy in probes:
            column, row = math.floor(x + dx) - left, math.floor(y + dy) - top  # a cell is a mm
            if not (0 <= column < wide and 0 <= row < tall):
                return math.inf
            at, bit = row * step + (column >> 3), 1 << (column & 7)
            for cells, price in self.layers:
                if cells[at] & bit:
                    cost += price
                    if cost >= most:
                        return cost
                    break
        return cost

    def taken(self, ways: Sequence[tuple[int, int]], row: int, wanted: int) -> tuple[int, int]:
        """For all cells of a row at once: round which of them any letter is blocked, and round
        which several are; `ways` lead to the letters, in cells. It ends early where several are
        round all cells that are `wanted`."""
        whole, tall = self.frame.whole, self.frame.tall
        once = twice = 0
        for dx, dy in ways:
            if not 0 <= row + dy < tall:
                return whole, whole
            # Shifted, so that the bit of each cell is that of the letter `dx` beside it; bits
            # beyond the left end come in as taken, as those beyond the right end are.
            here = self.blocked[row + dy]
            here = here >> dx if dx >= 0 else here << -dx | (1 << -dx) - 1
            twice |= once & here
            if twice & wanted == wanted:
                break
            once |= here
        return once, twice


def _layers(land: Rows, taken: Taken, reach: int) -> _Layers:
    """Costs of letters of a land whose discs are so many cells large."""
    wide = taken.frame.wide
    kept_off = (land, taken.solid, taken.lines, taken.water)
    beyond = taken.frame.whole << wide
    grown_rows = [grown(rows, wide, reach) for rows in kept_off]
    blocked = tuple([a | b | c | d | beyond for a, b, c, d in zip(*grown_rows, strict=True)])
    costs = (
        (land, reach, _OUT_COST),
        (taken.solid, reach, _ON_COST),
        (taken.lines, reach, _ON_COST),
        (taken.water, reach, _WATER_COST),
        (taken.solid, reach + _CLOSE, _NEAR_COST),
        (land, reach + _CLOSE, _NEAR_COST),
        (taken.water, reach + _CLOSE, _BANK_COST),
        (taken.rims, reach // 2, _LINE_COST),
    )
    layers = tuple((grown_cells(rows, wide, far), cost) for rows, far, cost in costs)
    return _Layers(taken.frame, layers, blocked)


# Kept: few edits of a map move a name.
@lru_cache(maxsize=96)
def _land_spots(name: str, type_style: TypeStyle, hexes: Hexes, taken: Taken) -> tuple[Spot, ...]:
    """The cheapest places of the name of a land."""
    land, axis, stations, settings = _land_ways(name, type_style, hexes, taken.frame)
    # Rows of stations: the cost of the first of each, and its stations as bits.
    rows: dict[int, tuple[float, int]] = {}
    for off, _, _, column, row in stations:
        first, wanted = rows.get(row, (off, 0))
        rows[row] = first, wanted | 1 << column
    layers_of: dict[int, _Layers] = {}
    best: list[tuple[float, int, Spot]] = []
    worst = _SMALL_COST
    for setting in settings:
        if setting.cost >= worst:
            break
        letters, probes = _set_letters(setting)
        reach = _cells(max(letter.tall for letter in letters))
        if reach not in layers_of:
            layers_of[reach] = _layers(land, taken, reach)
        around = layers_of[reach]
        ways = [(math.floor(dx + 0.5), math.floor(dy + 0.5)) for dx, dy in probes]
        ways.sort(key=lambda way: -abs(way[0]))  # the ends of a name are blocked first
        rows_taken: dict[int, tuple[int, int]] = {}
        for row, (off, wanted) in rows.items():
            if setting.cost + off >= worst:
                break
            once, twice = around.taken(ways, row, wanted)
            if wanted & ~twice:
                rows_taken[row] = once, twice
        tried = 0
        for off, station_x, station_y, column, row in stations if rows_taken else ():
            own = setting.cost + off
            if own >= worst or tried == _TRIED:
                break
            if row not in rows_taken:
                continue
            # Two blocked letters are never worth it; one costs at least as much as one on water.
            once, twice = rows_taken[row]
            if twice >> column & 1 or (once >> column & 1 and own + _WATER_COST >= worst):
                continue
            tried += not once >> column & 1
            x, y = station_x, station_y
            cost = own + around.cost(probes, x, y, worst - own)
            if cost >= worst:
                continue
            # Downhill, in ever smaller steps: stations are far apart.
            step = _STATION_MM / 2
            while step >= _LEAST_STEP_MM:
                for dx, dy in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
                    here = setting.cost + _off_middle(axis, x + dx, y + dy)
                    now = here + around.cost(probes, x + dx, y + dy, cost - here)
                    if measured(now) < measured(cost):
                        cost, x, y = now, x + dx, y + dy
                        break
                else:
                    step /= 2
            placed = tuple(replace(letter, x=letter.x + x, y=letter.y + y) for letter in letters)
            cost = round(measured(cost), 3)
            best.append((cost, len(best), _spot(cost, placed, setting.type_style)))
            best = _apart(best, _STATION_MM)
            worst = min(worst, best[0][0] + _SPREAD_OF_COSTS) if len(best) < _KEPT else best[-1][0]
    return tuple(spot for *_, spot in best)


@lru_cache(maxsize=64)
def _land_ways(
    name: str, type_style: TypeStyle, hexes: Hexes, frame: Frame
) -> tuple[Rows, _Axis, list[tuple[float, float, float, int, int]], list[_Setting]]:
    """All that depends on the shape of a land alone: what is no land, the axis, the stations, and
    the ways to set its name, the cheapest first.

    Stations are the middles of cells all over the land: the cost of being so far from its middle,
    the point, its column and row; the nearest first.
    """
    axis = _axis(hexes.centres, hexes.across_mm)
    stations: list[tuple[float, float, float, int, int]] = []
    step = round(max(_STATION_MM, axis.along / _STATIONS) / CELL_MM)
    for row in range(0, frame.tall, step):
        for column in range(0, frame.wide, step):
            x, y = (column + frame.left + 0.5) * CELL_MM, (row + frame.top + 0.5) * CELL_MM
            off = measured(_off_middle(axis, x, y))
            if off < _OFF_COST:
                stations.append((off, x, y, column, row))
    deserved = min(type_style.size_pt, _DESERVED_PT * math.sqrt(len(hexes.centres)))
    ways = _settings(name, type_style, axis, max(type_style.min_pt, deserved))
    settings = sorted(ways, key=lambda setting: setting.cost)
    return _beyond(hexes, frame), axis, sorted(stations), settings


@lru_cache(maxsize=64)
def _beyond(hexes: Hexes, frame: Frame) -> Rows:
    """A grid that is all taken but for some hexes."""
    return spans_free(frame, spans_of(hexes, CELL_MM))


@lru_cache(maxsize=1024)
def _set_letters(setting: _Setting) -> tuple[tuple[Letter, ...], tuple[Point, ...]]:
    """The letters of a setting round (0, 0), and the middles of the circles that cover them."""
    styled, lines = setting.type_style, setting.lines
    letters: list[Letter] = []
    for number, line in enumerate(lines):
        off = (number - (len(lines) - 1) / 2) * _LEADING * styled.size_mm
        tall = max(styled.cap_height_mm, rise_mm(line, styled)) / 2
        widths = [text_width(char, styled) for char in line]
        at = -(math.fsum(widths) + setting.gap * (len(line) - 1)) / 2
        for char, width in zip(line, widths, strict=True):
            x, y, lean = setting.arc.point(at + width / 2, off)
            at += width + setting.gap
            if char != " ":
                letters.append(Letter(char, x, y, _degrees(lean), width / 2, tall))
    return tuple(letters), tuple((x, y) for letter in letters for x, y, _ in letter.discs())


def _apart(spots: list[tuple[float, int, Spot]], step: float) -> list[tuple[float, int, Spot]]:
    """The best few of some places, no two of them nearly the same: alternatives that touch the same
    things would help no search."""
    kept: list[tuple[float, int, Spot]] = []
    for entry in sorted(spots, key=lambda entry: entry[:2]):
        first, last = entry[2].letters[0], entry[2].letters[-1]
        for *_, other in kept:
            one, end = other.letters[0], other.letters[-1]
            if (
                math.hypot(first.x - one.x, first.y - one.y) <= step / 2
                and math.hypot(last.x - end.x, last.y - end.y) <= step / 2
            ):
                break
        else:
            kept.append(entry)
    return kept[:_KEPT]


def _off_middle(axis: _Axis, x: float, y: float) -> float:
    """The cost of a point off the middle of a land: rings of equal cost are ellipses along its
    axis."""
    dx, dy = x - axis.middle[0], y - axis.middle[1]
    cos, sin = math.cos(axis.slope), math.sin(axis.slope)
    along = (dx * cos + dy * sin) / (axis.along / 2)
    across = (dy * cos - dx * sin) / (axis.across / 2)
    return _OFF_COST * math.hypot(along, across * 0.8)


# Names along rivers.


class _Window(Frozen):
    """A piece of a river seen along its chord from (x, y), which runs at an angle: the parabola a +
    b u + c u u that smooths it, the most that it strays from that, and the reach of its banks above
    and below."""

    x: float
    y: float
    angle: float
    curve: tuple[float, float, float]
    stray: float
    above: float
    below: float
    long: float

    def point(self, u: float, off: float) -> tuple[float, float, float, float]:
        """The point `off` mm below the smoothed line at u, its lean in radians, and how much longer
        the line is there than its chord."""
        a, b, c = self.curve
        slope = b + 2 * c * u
        root = math.sqrt(1 + slope * slope)
        v = a + b * u + c * u * u
        u, v = u - slope / root * off, v + off / root
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        # A parallel curve is shorter on the inner side of a bend, by the curvature 2 c / root³
        # times its distance.
        longer = root * max(0.4, 1 - 2 * c / root**3 * off)
        x, y = self.x + u * cos - v * sin, self.y + u * sin + v * cos
        return x, y, self.angle + math.atan(slope), longer


def _window(samples: Sequence[tuple[Point, float]]) -> _Window | None:
    """A piece of a river, its samples in reading order; None if it bends too much for a name."""
    (ax, ay), (bx, by) = samples[0][0], samples[-1][0]
    long = math.hypot(bx - ax, by - ay)
    if long < 0.75 * (len(samples) - 1) * _SAMPLE_MM:
        return None
    cos, sin = (bx - ax) / long, (by - ay) / long
    us = [(x - ax) * cos + (y - ay) * sin - long / 2 for (x, y), _ in samples]
    vs = [(y - ay) * cos - (x - ax) * sin for (x, y), _ in samples]
    curve = a, b, c = _parabola(us[::_THINNED], vs[::_THINNED])
    off = [v - a - b * u - c * u * u for u, v in zip(us, vs, strict=True)]
    stray = max(map(abs, off))
    if stray > _STRAY_MM:
        return None
    above = max(half - v for v, (_, half) in zip(off, samples, strict=True))
    below = max(half + v for v, (_, half) in zip(off, samples, strict=True))
    x, y = (ax + bx) / 2, (ay + by) / 2
    return _Window(x, y, math.atan2(sin, cos), curve, stray, above, below, long)


class _Words(Frozen):
    """A name in its type, with the width of each letter and the space between two."""

    name: str
    type_style: TypeStyle
    widths: tuple[float, ...]
    gap: float

    @property
    def long(self) -> float:
        """Length in mm."""
        return math.fsum(self.widths) + self.gap * (len(self.name) - 1)

    @property
    def tall(self) -> float:
        """The height of capitals, or of Japanese."""
        return max(self.type_style.cap_height_mm, rise_mm(self.name, self.type_style))

    def along(self, window: _Window, side: float) -> tuple[Letter, ...] | None:
        """Letters along the smoothed line of a river, above it (-1) or below; None where they do
        not all fit."""
        bank, tall = (window.above if side < 0 else window.below) + _BANK_MM, self.tall
        drop = drop_mm(self.name, self.type_style) * 0.8 if side < 0 else 0.0
        off = side * (bank + tall / 2 + drop)
        letters: list[Letter] = []
        first = u = -self.long / 2 / window.point(0.0, off)[3]
        for char, width in zip(self.name, self.widths, strict=True):
            u += width / 2 / window.point(u, off)[3]
            x, y, lean, longer = window.point(u, off)
            if char != " ":
                letters.append(Letter(char, x, y, _degrees(lean), width / 2, tall / 2))
            u += (width / 2 + self.gap) / longer
        # Beyond its piece the smoothed line leads away from the river.
        return tuple(letters) if max(-first, u - self.gap) <= window.long / 2 + tall / 2 else None

    def downwards(self, window: _Window, side: float) -> tuple[Letter, ...] | None:
        """Japanese characters one below the other beside a river that runs down, each upright but
        for those that lie along a line; None where they do not all fit."""
        em = self.type_style.size_mm
        off = side * ((window.above if side < 0 else window.below) + _BANK_MM + em / 2)
        lean = window.point(0.0, off)[2]
        step = em * _DOWN / max(abs(math.cos(lean)), abs(math.sin(lean)))
        first = u = -step * len(self.name) / 2 / window.point(0.0, off)[3]
        letters: list[Letter] = []
        for char, width in zip(self.name, self.widths, strict=True):
            u += step / 2 / window.point(u, off)[3]
            x, y, lean, longer = window.point(u, off)
            if char in _TURNED or not is_wide(char):
                letters.append(Letter(char, x, y, _degrees(lean), width / 2, self.tall / 2))
            elif char != " ":
                aside = em * _SMALL_ASIDE if char in _SMALL_KANA else 0.0
                letters.append(Letter(char, x + aside, y - aside, 0.0, em / 2, em / 2))
            u += step / 2 / longer
        return tuple(letters) if max(-first, u) <= window.long / 2 + em / 2 else None


@lru_cache(maxsize=192)
def _river_spots(
    name: str, type_style: TypeStyle, dense: tuple[tuple[Point, float], ...], taken: Taken
) -> tuple[Spot, ...]:
    """The cheapest places of a name along a piece of a river; in smaller letters only where usual
    ones cost more than the size."""
    is_japanese, type_style, name = holds_wide(name), type_style.beside(name), prepared(name)
    best: list[tuple[float, int, Spot]] = []
    small = type_style.at(max(type_style.min_pt, type_style.size_pt * _SMALLER))
    for styled in dict.fromkeys((type_style, small)):
        smaller = _RIVER_SMALL_COST * (styled is not type_style)
        if best and best[0][0] <= smaller:
            break
        widths = tuple(text_width(char, styled) for char in name)
        words = _Words(name, styled, widths, _TRACKING * styled.size_mm)
        count = math.ceil(measured((words.long + _SPARE_MM) / _SAMPLE_MM))
        layers = _river_layers(taken, _cells(words.tall / 2))
        for window, erect, off in _windows(dense, count, is_japanese):
            turn = abs(2 * window.curve[2] * window.long)
            own = smaller + _RIVER_OFF_COST * off
            own = own + _RIVER_BENT_COST * turn + _RIVER_STRAY_COST * window.stray
            slope = _RIVER_SLOPE_COST * abs(window.angle) / math.radians(45)
            own += _RIVER_ERECT_COST if erect else slope
            for side in (-1.0, 1.0):
                cost = measured(own + _RIVER_BELOW_COST * (side > 0))
                if cost >= _NAMELESS_COST or (len(best) >= _KEPT and cost >= best[-1][0]):
                    continue
                letters, probes = _beside(words, window, side, erect)
                if not letters:
                    continue
                cost += layers.cost(probes, 0.0, 0.0, _NAMELESS_COST - cost)
                if cost < _NAMELESS_COST and not _cornered(letters, taken):
                    cost = round(measured(cost), 3)
                    best.append((cost, len(best), _spot(cost, letters, styled)))
                    best = _apart(best, _WINDOW * _SAMPLE_MM)
    return (*(spot for *_, spot in best), Spot(_NAMELESS_COST, (), type_style))


@lru_cache(maxsize=256)
def _windows(
    dense: tuple[tuple[Point, float], ...], count: int, is_japanese: bool
) -> tuple[tuple[_Window, bool, float], ...]:
    """The pieces of a river along which words of so many samples may stand; for each, whether they
    stand upright there, and how far from the middle of the river it is, 0 to 1."""
    windows = []
    for start in range(1, len(dense) - count - 1, _WINDOW):
        samples = dense[start : start + count + 1]
        (ax, ay), (bx, by) = samples[0][0], samples[-1][0]
        erect = is_japanese and measured(abs(by - ay) - abs(bx - ax) * _ERECT) > 0
        backwards = measured(by - ay if erect else bx - ax) < 0
        window = _window(samples[::-1] if backwards else samples)
        if window is not None:
            off = abs(start + count / 2 - len(dense) / 2) / len(dense) * 2
            windows.append((window, erect, off))
    return tuple(windows)


@lru_cache(maxsize=1024)
def _beside(
    words: _Words, window: _Window, side: float, erect: bool
) -> tuple[tuple[Letter, ...], tuple[Point, ...]]:
    """The letters of words beside a river, and the middles of the circles that cover them; none
    where they do not fit."""
    letters = (words.downwards if erect else words.along)(window, side) or ()
    return letters, tuple((x, y) for letter in letters for x, y, _ in letter.discs())


def _cornered(letters: Sequence[Letter], taken: Taken) -> bool:
    """True if a corner of a letter is on anything that must be read: circles leave corners out."""
    frame = taken.frame
    for letter in letters:
        for x, y in letter.corners():
            column, row = math.floor(x) - frame.left, math.floor(y) - frame.top
            if 0 <= row < frame.tall and column >= 0 and taken.solid[row] >> column & 1:
                return True
    return False


def _river_layers(taken: Taken, reach: int) -> _Layers:
    """Costs of letters beside a river: they stand on nothing, and not in other rivers. Their
    distance from their own is measured, not looked up."""
    costs = (
        (taken.solid, reach, math.inf),
        (taken.ends, reach, math.inf),
        (taken.lines, reach, math.inf),
        (taken.water, reach - 1, math.inf),
        (taken.solid, reach + _CLOSE, _NEAR_COST),
        (taken.rims, reach // 2, _RIM_COST),
    )
    layers = tuple((grown_cells(rows, taken.frame.wide, far), cost) for rows, far, cost in costs)
    return _Layers(taken.frame, layers)


@lru_cache(maxsize=256)
def _banks(dense: tuple[tuple[Point, float], ...]) -> tuple[Frame, Rows]:
    """The cells round a piece of a river, and those that are near to it."""
    thinned = (*dense[::_THINNED], dense[-1])
    xs, ys = [x for (x, _), _ in thinned], [y for (_, y), _ in thinned]
    near = _HEEDED + _THINNED * _SAMPLE_MM / 2
    frame = frame_of((min(xs) - near, min(ys) - near, max(xs) + near, max(ys) + near))
    grid = Grid(frame)
    for (x, y), _ in thinned:
        grid.take_box((x, y, x, y))
    return frame, grown(grid.rows(), frame.wide, math.ceil(near))


@lru_cache(maxsize=256)
def _dense(line: Stretch) -> tuple[tuple[Point, float], ...]:
    """Points a sample apart, with half the width of the river at each."""
    course: list[tuple[Point, float]] = []
    left = 0.0
    for (a, b), half in zip(pairwise(line.points), line.halves, strict=False):
        length = math.dist(a, b)
        at = left
        while measured(length - at) > 0:
            t = at / length
            course.append(((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t), half))
            at += _SAMPLE_MM
        left = at - length
    return tuple(course)


# All names of a map.


class Names(Frozen):
    """The names of a map as they are drawn: behind what is in the hexes, and on everything."""

    behind: Items
    above: Items


def map_labels(
    plan: MapPlan, taken: Taken, room: Callable[[str], Field], style: Style
) -> list[Label]:
    """All names of a map with their places, the board at its origin."""
    return [*_land_labels(plan, taken, room, style), *_river_labels(plan, taken, style)]


def _land_labels(
    plan: MapPlan, taken: Taken, room: Callable[[str], Field], style: Style
) -> Iterator[Label]:
    """For each land of several hexes its name along an arc; where there is no room for that, and
    for lands of one hex, once in each of their parts in small letters."""
    reach = plan.across_mm / 2 / COS_30 + 2
    for region in plan.gamemap.regions:
        if region.name is None:
            continue
        parts = lands(region, plan)
        land = max(parts, key=len, default=())
        name = style.words(region.name)
        if len(land) > 1:
            centres = tuple(plan.centre(hexagon.at) for hexagon in land)
            hexes = Hexes(centres, plan.layout, plan.across_mm)
            xs, ys = [x for x, _ in centres], [y for _, y in centres]
            frame = frame_of((min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach))
            inside = tuple(frame.whole & ~row for row in _beyond(hexes, frame))
            near = taken.within(frame, grown(inside, frame.wide, _HEEDED))
            spots = _land_spots(name, style.type("map.region"), hexes, near)
            if spots:
                yield Label("land", name, spots)
                continue
        for number, part_of in enumerate(parts):
            captions = tuple(_captions(name, part_of, plan, room, style))
            if captions:
                yield Label("caption", f"{name} {number}", captions)


def _captions(
    name: str, land: Sequence[MapHex], plan: MapPlan, room: Callable[[str], Field], style: Style
) -> Iterator[Spot]:
    """Places of a name in small capitals in hexes that have room for it, nearest to the middle of
    the land first."""
    centres = {hexagon.id: plan.centre(hexagon.at) for hexagon in land}
    middle = middle_of(centres.values())
    nearest = sorted(centres, key=lambda name: round(measured(math.dist(centres[name], middle)), 2))
    places = [(_CAPTION_FAR_MM * abs(y - 0.3), 0.0, y * plan.across_mm) for y in _CAPTION_AT]
    count = 0
    for hex_id in nearest:
        field = room(hex_id)
        for smaller, type_style in enumerate(sizes_down(style.type("map.region.small"))):
            block = words_block((name,), type_style, style.ink("map.region.small"))
            x, y, clear = field.best_box(places, block.width, block.height, _CAPTION_CLEAR_MM)
            if clear > 0.0:
                cx, cy = centres[hex_id]
                letter = Letter(name, cx + x, cy + y, 0.0, block.width / 2, block.height / 2)
                yield _spot(0.4 * smaller + 0.5 * count, (letter,), type_style)
                count += 1
                break
        if count == _CAPTION_HEXES:
            return


def _river_labels(plan: MapPlan, taken: Taken, style: Style) -> Iterator[Label]:
    type_style = style.type("map.river")
    lines = network(plan.gamemap.rivers, plan.layout, plan.across_mm)
    for river, line in zip(plan.gamemap.rivers, lines, strict=True):
        if river.name is None:
            continue
        name = style.words(river.name)
        dense = _dense(line)
        count = 1 + int(measured(len(dense) * _SAMPLE_MM / (_AGAIN * plan.across_mm)))
        for number in range(count):
            piece = dense[len(dense) * number // count : len(dense) * (number + 1) // count]
            if len(piece) > 2:
                spots = _river_spots(name, type_style, piece, taken.within(*_banks(piece)))
                yield Label("river", f"{name} {number}", spots)


def name_items(
    plan: MapPlan,
    drawn: Mapping[str, Items],
    discs: Iterable[Disc],
    room: Callable[[str], Field],
    style: Style,
) -> Names:
    """The names of the lands and rivers of a board. They keep clear of all that is `drawn` in its
    hexes and of `discs` on the sheet; `room` tells what is free in a hex for a small name."""
    gamemap = plan.gamemap
    named = [region.name for region in gamemap.regions] + [river.name for river in gamemap.rivers]
    if not any(named):
        return Names((), ())
    # With the board at its origin, places are kept when the sheet grows.
    ox, oy = plan.origin
    board = plan.moved(-ox, -oy)
    taken = taken_of(board, drawn, ((x - ox, y - oy, radius) for x, y, radius in discs))
    labels = map_labels(board, taken, room, style)
    chosen = choose(labels)
    behind: list[Item] = []
    above: list[Item] = []
    for label, spot in zip(labels, chosen.spots, strict=True):
        if label.kind == "caption":
            for letter in spot.letters:
                block = words_block((letter.char,), spot.type_style, style.ink("map.region.small"))
                above += block.at(letter.x + ox, letter.y + oy)
            continue
        is_land = label.kind == "land"
        ink = style.ink("map.region" if is_land else "map.river.name")
        type_style = replace(spot.type_style, capitals=False)
        items = behind if is_land else above
        runs: list[TextRun] = []
        for letter in spot.letters:
            x, y = letter.x + ox, letter.y + oy
            hexagon = _hex_at(letter, board)
            crosses = _crosses(letter, board, taken, None if is_land else hexagon)
            for run in set_centred(letter.char, type_style, ink, x, y, angle=letter.angle):
                runs.append(replace(run, ground=True) if is_land else run)
                if crosses:
                    halo = ground_ink(board, hexagon, style) if hexagon else style.ink("map.ground")
                    items.append(halo_path(run, halo, HALO_MM))
        items += runs
    return Names(tuple(behind), tuple(above))


def _crosses(letter: Letter, board: MapPlan, taken: Taken, within: MapHex | None) -> bool:
    """True for a letter on a line: a river, a border or the rim of the hex that it is `within`."""
    frame = taken.frame
    for x, y, radius in letter.discs():
        column, row = math.floor(x / CELL_MM) - frame.left, math.floor(y / CELL_MM) - frame.top
        near = math.ceil(radius)
        mask = ((1 << (2 * near + 1)) - 1) << max(0, column - near)
        for number in range(max(0, row - near), min(frame.tall, row + near + 1)):
            if (taken.water[number] | taken.lines[number]) & mask:
                return True
    if within is None:
        return False
    cx, cy = board.centre(within.at)
    field = Field(board.layout, board.across_mm, 0.0)
    return field.disc_room(letter.x - cx, letter.y - cy, letter.tall, enough=1.0) < 0.2


def _hex_at(letter: Letter, board: MapPlan) -> MapHex | None:
    """The hex in which the middle of a letter lies."""
    point, known = (letter.x, letter.y), board.gamemap.by_coord
    near = [known[at] for at in board.places_round(point) if at in known]
    return min(
        near, key=lambda hexagon: measured(math.dist(board.centre(hexagon.at), point)), default=None
    )
