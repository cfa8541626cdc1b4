"""Names of a map: lands along arcs and rivers beside their courses, all placed together at minimum
cost.

Each name has candidate places with costs, which depend on how far the place is from the ideal size,
spacing, position and slope, and on what its letters stand on or beside. Two names whose letters
touch cost more. The sum over all names of a map is minimised: the general model of Edmondson,
Christensen, Marks & Shieber, "A General Cartographic Labeling Algorithm", Cartographica 33, 1996,
for points, lines and areas at once. Their search is simulated annealing. Here, names fall into
small groups within which they can touch, so the minimum cost of each group is found by the exact
search that is also used for words of a hex.

The costs follow Imhof, "Positioning Names on Maps", The American Cartographer 2, 1975: names of
areas spread along an arc of their axis, names of rivers run along a smoothed course. No letter of a
land stands within 2 mm of anything that is read in play. If an arc has no such place, the name is
set smaller, as a last resort straight in small letters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import pairwise
from operator import and_

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Box, Disc
from platelayer.drawing.kit.lettering import halo_path, left_out, line_breaks, sizes_down
from platelayer.drawing.kit.style import Style, darkened
from platelayer.drawing.map.borders import border_edges
from platelayer.drawing.map.ground import (
    Hexes,
    ground_ink,
    lands,
    spans_of,
    state_edges,
)
from platelayer.drawing.map.plan import MapPlan
from platelayer.drawing.map.relief import relief_kind
from platelayer.drawing.map.rivers import Stretch, network, stretches
from platelayer.drawing.map.room import (
    CELL_MM,
    Drawn,
    Frame,
    Grid,
    Rows,
    bytes_of_row,
    frame_of,
    grown,
    grown_bits,
    grown_cells,
    part,
    room_left,
    spans_free,
)
from platelayer.drawing.map.shore import Coast
from platelayer.foundation.choice import Choice
from platelayer.foundation.choice import choose as least_together
from platelayer.foundation.geometry import measured
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import COS_30, Layout, MapHex, Region
from platelayer.model.tile import HEX_MM
from platelayer.scene.breaks import holds_wide, is_wide
from platelayer.scene.inks import Ink, luminance
from platelayer.scene.legibility import LARGE_CONTRAST, LARGE_PT, MIN_CONTRAST
from platelayer.scene.shapes import Group, Item, Items, Path, Point, TextRun, middle_of
from platelayer.scene.typeset import TypeStyle, drop_mm, prepared, rise_mm, set_centred, text_width

# Costs of a place, which are a matter of taste and weighed against each other.
# Costs of a land's name in small letters, and of omitting the name of a river, which is omitted
# where it would cost more.
_SMALL_COST, _NAMELESS_COST = 9.0, 7.0
# Cost of two overlapping letters of different names, which is prohibitive; cost of names closer
# together than the distance that readers need; and the distance below which letters touch.
_TOUCHING_COST = 40.0
_CLOSE_COST, _APART_MM, _LEAST_MM = 1.2, 3.0, 1.4
# Width of the halo of letters, in the colour of the land.
_HALO_MM = 0.5

# Names of lands. Clearance of a letter from what is read in play, the same of small letters, and
# clearance of a letter from a border or river; and the reach of the corners of a letter beyond its
# circle, as a share of the radius.
_CLEAR_MM, _SMALL_CLEAR_MM, _LINE_MM, _CORNER = 3.0, 1.1, 0.6, 0.41
# Costs: of letters on a relief; of a name of size zero (half the size that its land deserves costs
# half); of letters as close as in a word where they could be spread; of a name at the end of its
# land instead of its middle; of a slope of 30 degrees; of a bend other than that of the land; and
# of a second line.
_RELIEF_COST = 1.6
# Cost of letters in line with something that is read, and so near that both would be read as one;
# and this distance.
_READ_ON_COST, _READ_ON_MM = 1.2, 8.0
# Extent of a relief beyond its hexes.
_FOOT_MM = 3.0
_SIZE_COST, _SPREAD_COST, _OFF_COST = 7.0, 1.2, 3.2
_SLOPE_COST, _BENT_COST, _BREAK_COST = 3.0, 0.9, 1.0
# Size of a name, per square root of the number of hexes of its land, and the shares of it that are
# tried.
_DESERVED_PT = 6.2
_SHARES = (1.0, 0.85, 0.72, 0.61, 0.52, 0.44)
# Share of the axis of its land that a name covers.
_COVER = 0.74
# The widest and the closest spacing of letters, in ems, and the shares of it that are tried. A name
# that would need a spacing below the last figure is too long for its land in this size.
_GAP_EM, _LEAST_GAP_EM, _GAPS = 0.6, 0.06, (1.0, 0.6, 0.25)
_CLOSEST_EM = -0.12
# A wider space between letters must be as clear as a letter.
_PASSED_MM = 3.0
# Imhof: names of areas are horizontal or rise gently. Slopes in degrees; an axis steeper than the
# second counts as horizontal, as a name along it would have to be read sideways.
_MOST_SLOPE, _STEEP = 30.0, 62.0
# Maximum angle between the first and the last letter of a name, and the bend that is tried if the
# land has none, in radians.
_MOST_TURN, _USUAL_TURN = 0.6, 0.28
_LEADING = 1.3
# Distance between two places that are tried; it is 1 mm more for lands with at least this many
# hexes.
_STATION_MM, _MANY = 2, 12
# Maximum number of candidates for each name, and their maximum cost above that of the best.
_KEPT, _SPREAD_OF_COSTS = 6, 2.5
# Number of cells around its land or river within which obstacles matter to a name: more than half
# the height of any letter plus its clearance.
_HEEDED = 14

# Names of rivers. Costs: of a slope of 45 degrees, of upright Japanese, of a bend of one radian, of
# each mm by which the line deviates from its river, of a name at an end of its stretch of the river,
# of one below its river, of smaller letters, and of a letter within a number of cells of something
# that is read.
_RIVER_SLOPE_COST, _RIVER_ERECT_COST = 1.0, 0.8
_RIVER_BENT_COST, _RIVER_STRAY_COST = 1.4, 0.9
_RIVER_OFF_COST, _RIVER_BELOW_COST, _RIVER_SMALL_COST = 1.2, 0.15, 1.0
_NEAR_COST, _CLOSE = 0.5, 2
_SAMPLE_MM = 1.0
# Number of samples from one piece of a river to the next that is tried, and from one sample to the
# next around which obstacles are collected.
_WINDOW, _THINNED = 4, 4
_SMALLER, _TRACKING = 0.86, 0.16
# Minimum excess of a piece's length over that of the name, and maximum deviation of its smoothed
# line.
_SPARE_MM, _STRAY_MM = 1.5, 1.8
# Distance between the bank and the letters.
_BANK_MM = 1.0
# Distance after which a river's name is repeated, in hexes.
_AGAIN = 11.0
# Above this slope, Japanese names of rivers are set upright, from top to bottom: step from one
# character to the next, and offset of small kana to the upper right, in ems. Some characters follow
# the line even then.
_ERECT = math.tan(math.radians(38))
_DOWN, _SMALL_ASIDE = 1.02, 0.09
_TURNED = "ー－—―〜～（）()「」＝"
_SMALL_KANA = "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"

# Radius around the middle of an edge that track across it occupies in the next hex, on a hex of
# 38.1 mm.
_END_MM = 1.3


class Letter(Frozen):
    """A letter: its middle, its angle in degrees clockwise, and half its width and height in mm."""

    char: str
    x: float
    y: float
    angle: float
    wide: float
    tall: float

    def discs(self) -> tuple[Disc, ...]:
        """Return circles that cover the letter: one if it is about as wide as it is high, otherwise
        a row."""
        reach = self.wide - self.tall
        if reach <= self.tall * 0.35:
            return ((self.x, self.y, max(self.wide, self.tall)),)
        turned = math.radians(self.angle)
        dx, dy = reach * math.cos(turned), reach * math.sin(turned)
        count = max(2, math.ceil(measured(self.wide / self.tall)))
        shares = [2 * k / (count - 1) - 1 for k in range(count)]
        return tuple((self.x + dx * share, self.y + dy * share, self.tall) for share in shares)

    def is_in(self, rows: Rows, frame: Frame) -> bool:
        """Return True if the letter's middle or a corner lies in a taken cell of a grid."""
        for x, y in ((self.x, self.y), *self.corners()):
            column, row = math.floor(x / CELL_MM) - frame.left, math.floor(y / CELL_MM) - frame.top
            if 0 <= row < frame.tall and column >= 0 and rows[row] >> column & 1:
                return True
        return False

    def corners(self) -> tuple[Point, ...]:
        """Return the corners of the letter's box, which its circles do not cover."""
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
    """A place for a name: its cost, its letters and their type, the circles that cover them, and
    the bounds of all of these. A name that is left out has no letters."""

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


def choose(labels: Sequence[Label]) -> Choice[Spot]:
    """Return the places with the minimum total cost."""
    rows = [[(spot.cost, spot) for spot in label.spots] for label in labels]
    return least_together(rows, _touching)


def _touching(one: Spot, other: Spot) -> float:
    """Return the additional cost of two places, for letters that touch and for names so close that
    they read as one."""
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


class Taken(Frozen):
    """Cells of a board that are taken by anything that must be read, by rivers, by borders, and by
    the relief of high ground. Hex (0, 0) is centred on (0, 0)."""

    frame: Frame
    solid: Rows
    water: Rows
    lines: Rows
    relief: Rows

    def within(self, inner: Frame, heeded: Rows) -> Taken:
        """Return the cells of the grid `inner` only. The result is equal as long as nothing changes
        in the cells that are `heeded`, so that it can serve as a cache key for places of names."""
        layers = (
            part(rows, self.frame, inner)
            for rows in (self.solid, self.water, self.lines, self.relief)
        )
        return Taken(inner, *(tuple(map(and_, rows, heeded)) for rows in layers))


def taken_of(
    plan: MapPlan,
    drawn: Mapping[str, Items],
    discs: Iterable[Disc],
    coast: Coast | None,
    origin: Point,
) -> Taken:
    """Return everything that is taken on a board at its origin: by what is `drawn` in its hexes, by
    more `discs`, by rivers, borders and the `coast` (of the board at `origin` on the sheet), and
    by areas that are not land."""
    frame = frame_of(plan.bounds)
    solid = Grid(frame)
    for hexagon in plan.gamemap.hexes:
        white = hexagon.tile.colour == "white"
        items = Drawn(drawn.get(hexagon.id, ())) if white else None
        solid.take_rows(*_taken_in_hex(items, plan.centre(hexagon.at), plan.layout, plan.across_mm))
        if not white:  # track ends slightly beyond its hex
            for edge in sorted({edge for segment in hexagon.tile.track for edge in segment.edges}):
                (ax, ay), (bx, by) = plan.edge_line((hexagon.at, edge))
                solid.take_disc(((ax + bx) / 2, (ay + by) / 2, _END_MM * plan.across_mm / HEX_MM))
    for disc in discs:
        solid.take_disc(disc)
    return Taken(frame, solid.rows(), *_taken_by_ground(plan.ground, frame, coast, origin))


@lru_cache(8)
def _taken_by_ground(
    plan: MapPlan, frame: Frame, coast: Coast | None, origin: Point
) -> tuple[Rows, Rows, Rows]:
    """Return the cells taken by water, by lines and by relief."""
    water = tuple(
        (a, b, half + 0.2)
        for line in stretches(plan)
        for (a, b), half in zip(pairwise(line.points), line.halves, strict=False)
    )
    borders = (*border_edges(plan), *state_edges(plan))
    lines = tuple((*plan.edge_line(edge), 0.8) for edge in borders)
    for shore in coast.lines if coast is not None else ():
        points = [(x - origin[0], y - origin[1]) for x, y in shore]
        lines += tuple((a, b, 0.5) for a, b in pairwise(points))
    high = [hexagon for hexagon in plan.gamemap.hexes if relief_kind(plan, hexagon) is not None]
    relief = spans_free(frame, spans_of(_hexes(high, plan), CELL_MM))
    return (
        _taken_by_lines(water, frame),
        _taken_by_lines(lines, frame),
        tuple(frame.whole & ~row for row in relief),
    )


def _hexes(hexes: Iterable[MapHex], plan: MapPlan) -> Hexes:
    return Hexes(tuple(plan.centre(hexagon.at) for hexagon in hexes), plan.layout, plan.across_mm)


# Cached, as an edit changes few hexes.
@lru_cache(1536)
def _taken_in_hex(
    drawn: Drawn | None, middle: Point, layout: Layout, across_mm: float
) -> tuple[Frame, Rows]:
    """Return the cells taken by everything drawn in a hex of white ground; for any other hex
    (None), which is not land, all its cells."""
    x, y = middle
    discs = []
    boxes = []
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
    # One more cell on all sides, as things narrower than a cell also occupy one.
    grid = Grid(frame_of((min(lefts) - 1, min(tops) - 1, max(rights) + 1, max(bottoms) + 1)))
    for disc in discs:
        grid.take_disc(disc)
    for box in boxes:
        grid.take_box(box)
    return grid.frame, grid.rows()


@lru_cache(48)
def _taken_by_lines(lines: tuple[tuple[Point, Point, float], ...], frame: Frame) -> Rows:
    """Return the cells taken by lines, each given by its ends and half its width."""
    grid = Grid(frame)
    for line in lines:
        grid.take_line(*line)
    return grid.rows()


# Names along arcs, anywhere in a land.


class _Arc(Frozen):
    """An arc through the middle of a name: its slope there in radians, and its curvature in radians
    per mm (0: straight)."""

    slope: float
    bend: float

    def point(self, along: float, off: float) -> tuple[float, float, float]:
        """Return the point `along` the arc from its middle and `off` mm below it, with the slope of
        the arc there in radians."""
        turn = self.bend * along
        if abs(self.bend) < 1e-7:
            u, v = along, 0.0
        else:
            u, v = math.sin(turn) / self.bend, (1 - math.cos(turn)) / self.bend
        u, v = u - math.sin(turn) * off, v + math.cos(turn) * off
        cos, sin = math.cos(self.slope), math.sin(self.slope)
        return u * cos - v * sin, u * sin + v * cos, self.slope + turn


class _Axis(Frozen):
    """Middle of a land; slope of its main axis (the first principal component of its hexes) and the
    unit vector along it; bend of its hexes around the axis; and their extent along and across
    it."""

    middle: Point
    slope: float
    way: Point
    bend: float
    along: float
    across: float

    def off_middle(self, x: float, y: float) -> float:
        """Return the cost of a point's distance from the middle of the land; lines of equal cost
        are ellipses along the axis."""
        dx, dy = x - self.middle[0], y - self.middle[1]
        cos, sin = self.way
        along = (dx * cos + dy * sin) / (self.along / 2)
        across = (dy * cos - dx * sin) / (self.across / 2)
        return measured(_OFF_COST * math.hypot(along, across * 0.8))


def _axis(centres: Sequence[Point], across_mm: float) -> _Axis:
    mx, my = middle_of(centres)
    xx = math.fsum((x - mx) ** 2 for x, _ in centres)
    yy = math.fsum((y - my) ** 2 for _, y in centres)
    xy = math.fsum((x - mx) * (y - my) for x, y in centres)
    # For a symmetric 2 x 2 matrix, the angle of the main axis is half of that of (xx - yy, 2 xy).
    # The sums are rounded first: in a round land both are 0, and rounding errors must not choose an
    # axis.
    slope = round(measured(math.atan2(measured(2 * xy), measured(xx - yy)) / 2), 3)
    most = math.radians(_MOST_SLOPE)
    slope = slope if abs(slope) <= math.radians(_STEEP) else 0.0
    slope = max(-most, min(most, slope))
    cos, sin = math.cos(slope), math.sin(slope)
    us = [(x - mx) * cos + (y - my) * sin for x, y in centres]
    vs = [(y - my) * cos - (x - mx) * sin for x, y in centres]
    along = max(us) - min(us) + across_mm
    c = 0.0
    if len(centres) > 4:
        # The curvature of v = c u u is 2 c.
        mean = math.fsum(u * u for u in us) / len(us)
        squares = [u * u - mean for u in us]
        c = math.fsum(q * v for q, v in zip(squares, vs, strict=True))
        c /= math.fsum(q * q for q in squares) or 1.0
    bend = max(-_MOST_TURN, min(_MOST_TURN, 2 * c * along)) / along
    bend, across = round(measured(bend), 5), max(vs) - min(vs) + across_mm
    return _Axis((mx, my), slope, (cos, sin), bend, along, across)


class _Setting(Frozen):
    """A way to set a name: its cost regardless of position, its lines, type, space between letters
    in mm, arc, and clearance from anything that is read."""

    cost: float
    lines: tuple[str, ...]
    type_style: TypeStyle
    gap: float
    arc: _Arc
    clear_mm: float = _CLEAR_MM


def _settings(
    name: str, large: TypeStyle, small: TypeStyle, axis: _Axis, count: int
) -> Iterator[_Setting]:
    """Yield ways to set the name of a land of `count` hexes: sizes, spaces, slopes and bends; and,
    for all lands, straight lines in small letters."""
    words, type_style = prepared(name, capitals=large.capitals), large.beside(name)
    type_style = replace(type_style, capitals=False)
    least_pt = max(large.min_pt, LARGE_PT)  # smaller ones are small letters
    deserved_pt = max(least_pt, min(large.size_pt, _DESERVED_PT * math.sqrt(count)))
    turn = _USUAL_TURN / axis.along
    slopes = (axis.slope, axis.slope / 2, 0.0) if abs(axis.slope) > 0.1 else (axis.slope,)
    bends = (axis.bend, 0.0, -turn, turn)
    arcs = dict.fromkeys(
        _Arc(round(slope, 3), round(bend, 5)) for slope in slopes for bend in bends
    )
    sizes = [max(least_pt, deserved_pt * share) for share in _SHARES if count > 1]
    for size_pt in dict.fromkeys(round(size * 4) / 4 for size in sizes):
        styled = type_style.at(size_pt)
        reduced = _SIZE_COST * max(0.0, 1 - size_pt / deserved_pt)
        for lines in line_breaks(words)[:2]:
            widest = max(text_width(line, styled) for line in lines)
            gaps = max(1, max(map(len, lines)) - 1)
            ideal = (axis.along * _COVER - widest) / gaps / styled.size_mm
            if ideal < _CLOSEST_EM:
                continue
            ideal = max(_LEAST_GAP_EM, min(_GAP_EM, ideal))
            for part_of in _GAPS if ideal > _LEAST_GAP_EM else (1.0,):
                gap = max(_LEAST_GAP_EM, ideal * part_of) * styled.size_mm
                own = reduced + _SPREAD_COST * (1 - part_of) + _BREAK_COST * (len(lines) - 1)
                for arc in arcs:
                    tilt = _SLOPE_COST * (arc.slope / math.radians(30)) ** 2
                    bent = _BENT_COST * min(1.0, abs(arc.bend - axis.bend) * axis.along / 0.5)
                    yield _Setting(measured(own + tilt + bent), lines, styled, gap, arc)
    words = prepared(name, capitals=small.capitals)
    for number, styled in enumerate(sizes_down(small.beside(name))):
        gap = styled.tracking / 1000 * styled.size_mm
        plain = replace(styled, capitals=False, tracking=0)
        for lines in line_breaks(words):
            cost = _SMALL_COST + 0.4 * number + _BREAK_COST * (len(lines) - 1)
            yield _Setting(cost, lines, plain, gap, _Arc(0.0, 0.0), _SMALL_CLEAR_MM)


def _cells(radius_mm: float) -> int:
    return math.ceil(measured(radius_mm / CELL_MM - 0.2))


# Bytes with at least one bit set.
_MARKED = re.compile(rb"[^\0]")


# Cached, as few edits of a map move a name.
@lru_cache(96)
def _land_spots(
    name: str, large: TypeStyle, small: TypeStyle, hexes: Hexes, taken: Taken
) -> tuple[Spot, ...]:
    """Return the cheapest places for the name of a land.

    All places of a setting are tried at once. A layer of taken cells is one number with a bit for
    each cell. When it is shifted by the vector from the middle of the name to a letter, its bits
    mark all middles for which that letter would stand on something.
    """
    frame = taken.frame
    land, stations, settings = _land_ways(name, large, small, hexes, frame)
    stride = 8 * bytes_of_row(frame.wide)
    every, unit = stride * frame.tall, sum(1 << stride * row for row in range(frame.tall))
    size, whole = every // 8, (1 << every) - 1
    marked = bytearray(size)
    for place in stations:
        marked[place >> 3] |= 1 << (place & 7)
    anywhere = int.from_bytes(marked, "little")

    @cache
    def open_to(tall: float, clear_mm: float) -> int:
        """Return the cells in which the middle of a letter may lie."""
        corner, kept_off = _CORNER * tall, 0
        for rows, far in (
            (land, 0.5),
            (taken.solid, max(clear_mm, _SMALL_CLEAR_MM + corner)),
            (taken.lines, _LINE_MM + corner),
            (taken.water, _LINE_MM + corner),
        ):
            kept_off |= grown_bits(rows, frame.wide, _cells(tall + far))
        return whole & ~kept_off

    @cache
    def dear(tall: float) -> tuple[tuple[bytes, float], ...]:
        """Return cells in which a letter costs more, with the cost: on high ground, and beside
        other words."""
        beside = grown_bits(taken.solid, frame.wide, _cells(tall))
        for _ in range(_cells(_READ_ON_MM)):
            beside |= beside << 1 | beside >> 1
        high = grown_bits(taken.relief, frame.wide, _cells(tall + _FOOT_MM))
        priced = ((high, _RELIEF_COST), (beside, _READ_ON_COST))
        return tuple(((cells & whole).to_bytes(size, "little"), price) for cells, price in priced)

    best: list[tuple[float, int, Spot]] = []
    worst = math.inf
    for setting in settings:
        if setting.cost >= worst:
            break
        letters, probes = _set_letters(setting)
        tall = max(letter.tall for letter in letters)
        ways = {(math.floor(dx + 0.5), math.floor(dy + 0.5)) for dx, dy in probes}
        # Bits beyond the ends of a row belong to the rows next to it: no letter may be there.
        left, right = (extreme(dx for dx, _ in ways) for extreme in (min, max))
        columns = (1 << max(0, frame.wide - max(0, right))) - (1 << max(0, -left))
        free = anywhere & unit * max(0, columns)
        shifts = sorted((dy * stride + dx for dx, dy in ways), key=lambda by: -abs(by))
        middles = open_to(tall, setting.clear_mm)
        for by in shifts:
            free &= middles >> by if by >= 0 else middles << -by
            if not free:
                break
        else:
            here = free.to_bytes(size, "little")
            # Only a few of thousands of stations are left, so find them without examining each one.
            remaining = [
                stations[8 * byte.start() + bit]
                for byte in _MARKED.finditer(here)
                for bit in range(8)
                if byte[0][0] >> bit & 1
            ]
            # Only large letters could be read as a continuation.
            priced = dear(tall) if setting.clear_mm == _CLEAR_MM else dear(tall)[:1]
            found: tuple[float, float, float] | None = None
            for off, x, y, place in sorted(remaining):
                own = setting.cost + off
                if own >= worst or (found is not None and own >= found[0]):
                    break
                # Wherever a name is free, all its letters are within the grid.
                own += math.fsum(
                    price
                    for cells, price in priced
                    if any(cells[place + by >> 3] >> (place + by & 7) & 1 for by in shifts)
                )
                if own < worst and (found is None or own < found[0]):
                    found = own, x, y
            if found is not None:
                cost, x, y = found
                placed = tuple(
                    replace(letter, x=letter.x + x, y=letter.y + y) for letter in letters
                )
                best.append((cost, len(best), _spot(cost, placed, setting.type_style)))
                best = _apart(best, 2.0 * _STATION_MM)
                worst = best[0][0] + _SPREAD_OF_COSTS if len(best) < _KEPT else best[-1][0]
    return tuple(spot for *_, spot in best)


@lru_cache(64)
def _land_ways(
    name: str, large: TypeStyle, small: TypeStyle, hexes: Hexes, frame: Frame
) -> tuple[Rows, dict[int, tuple[float, float, float, int]], list[_Setting]]:
    """Return everything that depends only on the shape of a land: the cells that are not part of
    it, the stations, and the ways to set its name, the cheapest first.

    Stations are the middles of cells all over the land, by the numbers of their bits: the cost of
    their distance from the middle of the land, the point, and the number.
    """
    axis = _axis(hexes.centres, hexes.across_mm)
    stations = {}
    land = _beyond(hexes, frame)
    step = _STATION_MM if len(hexes.centres) < _MANY else _STATION_MM + 1
    for row in range(0, frame.tall, step):
        for column in range(0, frame.wide, step):
            if not land[row] >> column & 1:
                x, y = (column + frame.left + 0.5) * CELL_MM, (row + frame.top + 0.5) * CELL_MM
                place = 8 * bytes_of_row(frame.wide) * row + column
                stations[place] = (axis.off_middle(x, y), x, y, place)
    ways = _settings(name, large, small, axis, len(hexes.centres))
    return land, stations, sorted(ways, key=lambda setting: setting.cost)


@lru_cache(64)
def _beyond(hexes: Hexes, frame: Frame) -> Rows:
    """Return a grid in which everything is taken except for some hexes."""
    return spans_free(frame, spans_of(hexes, CELL_MM))


@lru_cache(1024)
def _set_letters(setting: _Setting) -> tuple[tuple[Letter, ...], tuple[Point, ...]]:
    """Return the letters of a setting around (0, 0), and the middles of the circles that cover them
    and the wide spaces between them."""
    styled, lines = setting.type_style, setting.lines
    letters: list[Letter] = []
    probes: list[Point] = []
    for number, line in enumerate(lines):
        off = (number - (len(lines) - 1) / 2) * _LEADING * styled.size_mm
        set_line, spaces = _along(line, styled, setting.gap, setting.arc, off)
        letters += set_line
        probes += spaces
    probes += ((x, y) for letter in letters for x, y, _ in letter.discs())
    return tuple(letters), tuple(probes)


def _along(
    line: str, styled: TypeStyle, gap: float, arc: _Arc, off: float
) -> tuple[list[Letter], list[Point]]:
    """Return letters `off` mm below an arc, spaced by `gap`, and the middles of wide gaps."""
    tall = max(styled.cap_height_mm, rise_mm(line, styled)) / 2
    widths = [text_width(char, styled) for char in line]
    at = -_length(widths, gap) / 2
    letters = []
    spaces = []
    # A parallel curve is shorter on the inner side of a bend.
    longer = max(0.4, 1 - arc.bend * off)
    for place, (char, width) in enumerate(zip(line, widths, strict=True)):
        x, y, lean = arc.point((at + width / 2) / longer, off)
        if place and gap > _PASSED_MM:
            spaces.append(arc.point((at - gap / 2) / longer, off)[:2])
        at += width + gap
        if char != " ":
            letters.append(Letter(char, x, y, _degrees(lean), width / 2, tall))
        else:
            spaces.append((x, y))
    return letters, spaces


def _length(widths: Sequence[float], gap: float) -> float:
    return math.fsum(widths) + gap * (len(widths) - 1)


def _apart(spots: list[tuple[float, int, Spot]], step: float) -> list[tuple[float, int, Spot]]:
    """Return the best few of some places, of which no two are nearly identical: alternatives that
    touch the same things would not help the search."""
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


# Names along rivers.


class _Piece(Frozen):
    """A piece of a river from left to right, or downwards: the middle of the arc that smooths it,
    the maximum deviation from the arc, and the reach of its banks above and below. Words stand
    upright beside an `erect` piece; `off` is its distance from the middle of the river, 0 to 1."""

    x: float
    y: float
    arc: _Arc
    stray: float
    above: float
    below: float
    long: float
    erect: bool
    off: float

    def letters(self, name: str, styled: TypeStyle, side: float) -> tuple[Letter, ...]:
        """Return the letters of a name beside the river, above it (`side` -1) or below; none if
        they do not all fit."""
        bank = (self.above if side < 0 else self.below) + _BANK_MM
        widths = [text_width(char, styled) for char in name]
        em, gap, tall = styled.size_mm, _TRACKING * styled.size_mm, _tall(name, styled)
        if not self.erect:
            drop = drop_mm(name, styled) * 0.8 if side < 0 else 0.0
            off = side * (bank + tall / 2 + drop)
            needed = _length(widths, gap) / max(0.4, 1 - self.arc.bend * off) - tall
            letters, _ = _along(name, styled, gap, self.arc, off)
        else:
            # Set Japanese characters below each other, each upright except those that follow the
            # line.
            off = side * (bank + em / 2)
            slope = self.arc.slope
            step = em * _DOWN / max(abs(math.cos(slope)), abs(math.sin(slope)))
            step /= max(0.4, 1 - self.arc.bend * off)
            needed = step * len(name) - em
            letters = []
            for place, (char, width) in enumerate(zip(name, widths, strict=True)):
                x, y, lean = self.arc.point(step * (place - (len(name) - 1) / 2), off)
                if char in _TURNED or not is_wide(char):
                    letters.append(Letter(char, x, y, _degrees(lean), width / 2, tall / 2))
                elif char != " ":
                    aside = em * _SMALL_ASIDE if char in _SMALL_KANA else 0.0
                    letters.append(Letter(char, x + aside, y - aside, 0.0, em / 2, em / 2))
        # Beyond its piece of the river the arc leads away from it.
        if needed > self.long:
            return ()
        return tuple(replace(each, x=each.x + self.x, y=each.y + self.y) for each in letters)


def _tall(name: str, styled: TypeStyle) -> float:
    """Return the height of capitals, or of Japanese characters."""
    return max(styled.cap_height_mm, rise_mm(name, styled))


# Costs of letters beside a river, by the centre of a disc: sets of cells (`grown_cells`) with a
# cost each, in descending order, as only the first match counts.
_Layers = tuple[tuple[bytes, float], ...]


def _river_layers(taken: Taken, reach: int) -> _Layers:
    """Return the costs of letters beside a river. Letters must not stand on anything, or in other
    rivers. Their distance from their own river is measured instead of looked up."""
    costs = (
        (taken.solid, reach + 1, math.inf),
        (taken.lines, reach, math.inf),
        (taken.water, reach - 1, math.inf),
        (taken.solid, reach + _CLOSE, _NEAR_COST),
    )
    return tuple((grown_cells(rows, taken.frame.wide, far), cost) for rows, far, cost in costs)


def _cost_on(layers: _Layers, frame: Frame, letters: Iterable[Letter]) -> float:
    """Return the cost of letters, infinite if any of them is blocked."""
    cost = 0.0
    for letter in letters:
        for x, y, _ in letter.discs():
            column, row = math.floor(x) - frame.left, math.floor(y) - frame.top  # in cells of 1 mm
            if not (0 <= column < frame.wide and 0 <= row < frame.tall):
                return math.inf
            at, bit = row * bytes_of_row(frame.wide) + (column >> 3), 1 << (column & 7)
            cost += next((price for cells, price in layers if cells[at] & bit), 0.0)
    return cost


@lru_cache(192)
def _river_spots(
    name: str, type_style: TypeStyle, dense: tuple[tuple[Point, float], ...], taken: Taken
) -> tuple[Spot, ...]:
    """Return the cheapest places for a name along a piece of a river; smaller letters are tried
    only if the usual ones cost more than the reduction in size."""
    is_japanese, type_style, name = holds_wide(name), type_style.beside(name), prepared(name)
    best: list[tuple[float, int, Spot]] = []
    small = type_style.at(max(type_style.min_pt, type_style.size_pt * _SMALLER))
    for styled in dict.fromkeys((type_style, small)):
        smaller = _RIVER_SMALL_COST * (styled is not type_style)
        if best and best[0][0] <= smaller:
            break
        long = _length([text_width(char, styled) for char in name], _TRACKING * styled.size_mm)
        count = math.ceil(measured((long + _SPARE_MM) / _SAMPLE_MM))
        layers = _river_layers(taken, _cells(_tall(name, styled) / 2))
        for piece in _pieces(dense, count, is_japanese):
            own = smaller + _RIVER_OFF_COST * piece.off + _RIVER_STRAY_COST * piece.stray
            own += _RIVER_BENT_COST * abs(piece.arc.bend) * piece.long
            slope = _RIVER_SLOPE_COST * abs(piece.arc.slope) / math.radians(45)
            own += _RIVER_ERECT_COST if piece.erect else slope
            for side in (-1.0, 1.0):
                cost = measured(own + _RIVER_BELOW_COST * (side > 0))
                if cost >= _NAMELESS_COST or (len(best) >= _KEPT and cost >= best[-1][0]):
                    continue
                letters = piece.letters(name, styled, side)
                if not letters:
                    continue
                cost += _cost_on(layers, taken.frame, letters)
                if cost < _NAMELESS_COST and not any(
                    letter.is_in(taken.solid, taken.frame) for letter in letters
                ):
                    cost = round(measured(cost), 3)
                    best.append((cost, len(best), _spot(cost, letters, styled)))
                    best = _apart(best, _WINDOW * _SAMPLE_MM)
    return (*(spot for *_, spot in best), Spot(_NAMELESS_COST, (), type_style))


@lru_cache(256)
def _pieces(
    dense: tuple[tuple[Point, float], ...], count: int, is_japanese: bool
) -> tuple[_Piece, ...]:
    """Return the pieces of a river, each `count` samples long, that do not bend too much for
    words."""
    pieces = []
    for start in range(1, len(dense) - count - 1, _WINDOW):
        samples = dense[start : start + count + 1]
        (ax, ay), (bx, by) = samples[0][0], samples[-1][0]
        erect = is_japanese and measured(abs(by - ay) - abs(bx - ax) * _ERECT) > 0
        if measured(by - ay if erect else bx - ax) < 0:
            ax, ay, bx, by = bx, by, ax, ay
        long = math.hypot(bx - ax, by - ay)
        if long < 0.75 * count * _SAMPLE_MM:
            continue
        cos, sin = (bx - ax) / long, (by - ay) / long
        us = [(x - ax) * cos + (y - ay) * sin - long / 2 for (x, y), _ in samples]
        vs = [(y - ay) * cos - (x - ax) * sin for (x, y), _ in samples]
        # The height of the flat arc through both ends is fitted to all points by least squares.
        arch = [1 - (2 * u / long) ** 2 for u in us]
        high = math.fsum(v * w for v, w in zip(vs, arch, strict=True))
        high /= math.fsum(w * w for w in arch)
        offs = [v - high * w for v, w in zip(vs, arch, strict=True)]
        stray = max(map(abs, offs))
        if stray <= _STRAY_MM:
            halves = [half for _, half in samples]
            above = max(half - off for half, off in zip(halves, offs, strict=True))
            below = max(half + off for half, off in zip(halves, offs, strict=True))
            x, y = (ax + bx) / 2 - sin * high, (ay + by) / 2 + cos * high
            arc = _Arc(math.atan2(sin, cos), -8 * high / long**2)
            far = abs(start + count / 2 - len(dense) / 2) / len(dense) * 2
            pieces.append(_Piece(x, y, arc, stray, above, below, long, erect, far))
    return tuple(pieces)


@lru_cache(256)
def _banks(dense: tuple[tuple[Point, float], ...]) -> tuple[Frame, Rows]:
    """Return the grid around a piece of a river, and the cells near the piece."""
    thinned = (*dense[::_THINNED], dense[-1])
    xs, ys = [x for (x, _), _ in thinned], [y for (_, y), _ in thinned]
    near = _HEEDED + _THINNED * _SAMPLE_MM / 2
    frame = frame_of((min(xs) - near, min(ys) - near, max(xs) + near, max(ys) + near))
    grid = Grid(frame)
    for (x, y), _ in thinned:
        grid.take_box((x, y, x, y))
    return frame, grown(grid.rows(), frame.wide, math.ceil(near))


@lru_cache(256)
def _dense(line: Stretch) -> tuple[tuple[Point, float], ...]:
    """Return points one sample apart, each with half the width of the river there."""
    course = []
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


def map_labels(
    plan: MapPlan, taken: Taken, style: Style, laid: Set[str] = frozenset()
) -> list[Label]:
    """Return all names of a map with their places, for the board at its origin. The name of a land
    is in its largest part that has room for it; if all its parts are single hexes, in each of
    them. Tiles `laid` on hexes of a land may hide its name."""
    labels: list[Label] = []
    large, small = style.type("map.region"), style.type("map.region.small")
    for text, region, parts in _lands(plan.ground):
        name = style.words(text)
        named = False
        for number, (hexes, frame, heeded) in enumerate(parts):
            if named and len(parts[0][0].centres) > 1:
                break
            spots = _land_spots(name, large, small, hexes, taken.within(frame, heeded))
            labels += [Label("land", f"{name} {number}", spots)] if spots else ()
            named = named or bool(spots)
        if not named and laid.isdisjoint(region.hexes):
            labels.append(Label("land", name, (Spot(0.0, (), small),)))
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
                labels.append(Label("river", f"{name} {number}", spots))
    return labels


@lru_cache(8)
def _lands(plan: MapPlan) -> list[tuple[Text, Region, list[tuple[Hexes, Frame, Rows]]]]:
    """Return the names of regions, each with its region and its parts, the largest first: the hexes
    of the part, the grid around them, and the cells that matter for a name there."""
    reach = plan.across_mm / 2 / COS_30 + 2
    found = []
    for region in plan.gamemap.regions:
        if region.name is None:
            continue
        parts = []
        for land in sorted(lands(region, plan), key=len, reverse=True):
            hexes = _hexes(land, plan)
            xs, ys = zip(*hexes.centres, strict=True)
            frame = frame_of((min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach))
            inside = tuple(frame.whole & ~row for row in _beyond(hexes, frame))
            parts.append((hexes, frame, grown(inside, frame.wide, _HEEDED)))
        found.append((region.name, region, parts))
    return found


def name_items(
    plan: MapPlan,
    style: Style,
    *,
    drawn: Mapping[str, Items],
    discs: Iterable[Disc],
    tints: Items,
    bands: Items,
    coast: Coast | None,
    laid: Set[str] = frozenset(),
) -> Items:
    """Draw the names of the lands and rivers of a board; they break the lines between its hexes.
    Names keep clear of everything `drawn` in its hexes, of `discs` on the sheet and of the
    coast, and are legible on the `tints` of its relief and the `bands` of its states. Tiles are
    `laid` on some hexes."""
    gamemap = plan.gamemap
    named = [region.name for region in gamemap.regions] + [river.name for river in gamemap.rivers]
    if not any(named):
        return ()
    # Relative to the board's origin, so that places remain in the cache when the sheet grows.
    ox, oy = plan.origin
    board = plan.moved(-ox, -oy)
    moved = ((x - ox, y - oy, radius) for x, y, radius in discs)
    taken = taken_of(board, drawn, moved, coast, plan.origin)
    labels = map_labels(board, taken, style, laid)
    high = grown(taken.relief, taken.frame.wide, _cells(_FOOT_MM))
    tones, washes = set(_inks(tints)), set(_inks(bands))
    halos = []
    runs: list[TextRun] = []
    for label, spot in zip(labels, choose(labels).places, strict=True):
        if label.kind == "land" and not spot.letters:
            runs += left_out(label.name, spot.type_style, style.ink("text"))
        under = [_grounds(letter, board.ground, style) for letter in spot.letters]
        ink = style.ink("map.river.name")
        if label.kind == "land" and spot.letters:
            is_small = spot.type_style.size_pt < LARGE_PT
            ink = style.ink("map.region.small" if is_small else "map.region")
            darkest = {ground for grounds in under for ground in grounds} | washes
            if any(letter.is_in(high, taken.frame) for letter in spot.letters):
                darkest |= tones
            least = MIN_CONTRAST if is_small else LARGE_CONTRAST
            ink = darkened(ink, min(darkest, key=luminance), least)
        type_style = replace(spot.type_style, capitals=False)
        for letter, grounds in zip(spot.letters, under, strict=True):
            x, y = letter.x + ox, letter.y + oy
            for run in set_centred(letter.char, type_style, ink, x, y, angle=letter.angle):
                runs.append(replace(run, name=label.name))
                for ground, hexes in grounds.items():
                    halo = halo_path(run, ground, _HALO_MM)
                    clip = plan.area(hexes) if len(grounds) > 1 else None
                    halos.append(Group((halo,), clip=clip) if clip else halo)
    return (*halos, *runs)


# Radius of the inscribed circle of a hex of width 1, slightly less because of rounding.
_INSCRIBED = 0.499


# Cached, as few edits of a map move a name.
@lru_cache(2048)
def _grounds(letter: Letter, board: MapPlan, style: Style) -> dict[Ink, list[MapHex]]:
    """Return the hexes that a letter covers, by their grounds."""
    grounds: dict[Ink, list[MapHex]] = {}
    grown = replace(letter, wide=letter.wide + _HALO_MM, tall=letter.tall + _HALO_MM)
    middle = (letter.x, letter.y)
    under = board.hex_at(middle)
    places = [under]
    off = math.inf if under is None else math.dist(board.centre(under.at), middle)
    # A letter within the inscribed circle is entirely on that hex.
    if off + math.hypot(grown.wide, grown.tall) > _INSCRIBED * board.across_mm:
        places += map(board.hex_at, grown.corners())
    for hexagon in dict.fromkeys(filter(None, places)):
        grounds.setdefault(ground_ink(board, hexagon, style), []).append(hexagon)
    return grounds


def _inks(items: Iterable[Item]) -> Iterator[Ink]:
    for item in items:
        if isinstance(item, Group):
            yield from _inks(item.items)
        elif isinstance(item, Path):
            yield from (ink for ink in (item.fill, item.stroke and item.stroke.ink) if ink)
