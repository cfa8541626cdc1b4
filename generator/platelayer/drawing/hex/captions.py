"""Words, values and signs of a hex, and candidate places for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Protocol

from msgspec.structs import replace

from platelayer.drawing.hex.geometry import Candidate, Disc, Field, box_distance
from platelayer.drawing.hex.ground import colour_ink, letter_block, letter_of
from platelayer.drawing.hex.plan import Mark, Plan
from platelayer.drawing.hex.terrain import RIVER_KINDS, relief_kind, terrain_items, terrain_size
from platelayer.drawing.hex.words import Option, Shape, Tie, Word, claims, cut_lengths
from platelayer.drawing.kit.icons import icon_block, over_symbols
from platelayer.drawing.kit.lettering import (
    Stamp,
    broken_words,
    cut_name,
    left_out_block,
    line_breaks,
    scaled,
    sizes_down,
    words_block,
)
from platelayer.drawing.kit.style import Style
from platelayer.foundation.geometry import direction, ranked
from platelayer.foundation.text import Text, printed_number
from platelayer.model.gamemap import Layout, edge_point
from platelayer.model.tile import (
    HEX_MM,
    Icon,
    Label,
    Position,
    RevenueStep,
    StopKind,
    Terrain,
    Tile,
)
from platelayer.scene.flatten import lines_cross
from platelayer.scene.inks import Ink, mix, readable_on
from platelayer.scene.legibility import MIN_PLAY_PT
from platelayer.scene.shapes import (
    Circle,
    Group,
    Item,
    Items,
    Path,
    Point,
    Role,
    TextRun,
    polygon_path,
    rectangle_path,
    shifted,
)
from platelayer.scene.typeset import SLACK_MM, TypeStyle, set_centred, text_width

# Directions of the corners of a hex, in degrees clockwise from the right, in the order in which
# labels use them: the tile's number is in the last one.
CORNERS = {
    Layout.FLAT: (180.0, 240.0, 120.0, 300.0, 0.0, 60.0),
    Layout.POINTY: (150.0, 210.0, 330.0, 270.0, 90.0, 30.0),
}

# Costs are in mm of clearance (see `words.py`): for a leader, and for a place that may seem to
# belong to another stop.
_LED_COST, _ASTRAY_COST = 10.0, 60.0
# Cost for each mm from the hint of an off-board, or from the end of its track.
_AWAY = 0.15
# Costs of a word that is as near to another stop as to its own, and for each mm that it is nearer
# to the other; and the difference of distances at which nobody is in doubt.
_DOUBT, _WRONG, _CLEARLY_MM = 1.1, 1.5, 3.0

Made = tuple[Shape, Sequence[Candidate]]
Make = Callable[[], Made]


class Sign(Protocol):
    """A sign to place in a hex; signs that look the same are equal."""

    def items(self, width_mm: float, style: Style) -> Items:
        """Return the sign in a width, around (0, 0)."""


class Captions:
    """Everything in one hex that needs a place: `words`, in painting order. Names look for one on
    `land`, values also on `rimmed`, where they may cover a pattern or frame; with `short`, names
    may be shortened."""

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
        badges: bool,
        signs: tuple[Sign, ...],
        wet: tuple[Disc, ...],
    ) -> None:
        self.tile, self.plan, self.field, self.style, self.ink = tile, plan, field, style, ink
        self.land, self.rimmed, self.short = land, rimmed, short
        self.layout, self.across, self.scale = field.layout, across_mm, across_mm / HEX_MM
        self.bare = not tile.stops and not tile.track
        self.marks = tuple(mark for mark in plan.marks if mark is not None)
        # Stops claim their words if the hex has words that are true of only some stops.
        named = tile.partitions or any(stop.name for stop in tile.stops)
        several = len(tile.stops) > 1 and named
        differ = several or len({stop.revenue for stop in tile.stops}) > 1
        self.claims = claims(tile, plan, field.layout, across_mm) if differ else {}
        self.words: list[Word] = []
        # Stops whose values are in a block together with a name, and whether the name of the hex is
        # in one.
        self.done: set[int] = set()
        self.named, self.badges, self.signs, self.wet = False, badges, signs, wet

    def mark_of(self, index: int) -> Mark | None:
        """Return the mark of a stop, or a substitute for it."""
        return self.claims[index].mark if index in self.claims else self.plan.marks[index]

    def values(self) -> dict[tuple[RevenueStep, ...], list[int]]:
        """Return values still to be printed, with the stops that they belong to."""
        by_revenue: dict[tuple[RevenueStep, ...], list[int]] = {}
        for index, stop in enumerate(self.tile.stops):
            hidden = stop.hidden or stop.revenue_hidden or index in self.done
            if not hidden and any(step.value for step in stop.revenue):
                by_revenue.setdefault(stop.revenue, []).append(index)
        return by_revenue

    def is_alike(self) -> bool:
        """True if all stops have the same values and no line runs between any two of them, so that
        the values are printed once."""
        revenues = {stop.revenue for stop in self.tile.stops if not stop.hidden}
        marks = [claim.mark for claim in self.claims.values()]
        lines = {line for claim in self.claims.values() for line in claim.bounds}
        return len(revenues) < 2 and not any(
            lines_cross(one.centre, other.centre, *line)
            for one, other in combinations(marks, 2)
            for line in lines
        )

    def type(self, name: str) -> TypeStyle:
        """Return a type style at the scale of this hex."""
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
        """Add something to find a place for, with the room that it needs (see `Word`) and, if there
        are several stops, the one that it belongs to."""
        claim = None if of is None else self.claims.get(of.index)
        if claim is not None:
            options = self._claimed(options)
        rising = tuple(sorted(options, key=lambda option: option.cost))
        self.words.append(
            Word(kind, rising, enough, rivals, field or self.field, self.scale, {}, {}, {}, claim)
        )

    def _claimed(self, options: Iterable[Option]) -> Iterator[Option]:
        """Yield options for a word at its stop or, if there is no room, with a leader to it or
        anywhere."""

        def farther(make: Make) -> Made:
            shape, places = make()
            return shape, ranked((*places, *self.inside()))

        for option in options:
            # The same word three times with increasing cost; its shape is computed once for all of
            # them.
            make = cache(option.make)
            yield replace(option, make=make)
            yield replace(
                option, make=partial(farther, make), cost=option.cost + _LED_COST, tie=Tie.LED
            )
            yield replace(option, make=make, cost=option.cost + _ASTRAY_COST, tie=Tie.NONE)

    def taken(self) -> list[Word]:
        """Return the words, and drop them here: their options refer to these captions, and such a
        cycle would live until a print is done (`gc_paused`)."""
        words, self.words = self.words, []
        return words

    def ring(
        self, size: Point, preferred: float, shares: tuple[float, ...], *, rimmed: bool = False
    ) -> tuple[Candidate, ...]:
        """Return places around the centre for a box of a size, nearest to the preferred direction
        (degrees) first. `shares` are distances in apothems, the first the best. With `rimmed`,
        places start as far out as a pattern or frame, if there is one."""
        way = (preferred, *shares)
        inner = ring_places(self.layout, self.field.half, self.across, size, way)
        if not rimmed or self.rimmed is self.field:
            return inner
        return (*inner, *ring_places(self.layout, self.rimmed.half, self.across, size, way))

    def covered(self, at: Point, half: Point, radius: float) -> bool:
        """Return True if a disc, or a box of half this width and height, would cover part of a
        pattern or frame at a place."""
        x, y = at
        inner = self.field.half - radius
        return self.rimmed is not self.field and any(
            x * wx + y * wy + abs(wx) * half[0] + abs(wy) * half[1] > inner
            for wx, wy in self.field.ways
        )

    def inside(self, fineness: int = 1) -> tuple[Candidate, ...]:
        """Return places all over the hex, the middle first; closer together with higher
        fineness."""
        return inside_places(self.across, fineness)

    def anywhere(self) -> tuple[Candidate, ...]:
        """Return places all over the hex, starting with the hint of its only stop or the middle."""
        hint = self.only_hint
        return self.inside() if hint is None else self.near(hint)

    def near(self, at: Point) -> tuple[Candidate, ...]:
        """Return a place, then places all over the hex, the nearest first."""
        away = ((_AWAY * math.dist(at, (x, y)) / self.scale, x, y) for _, x, y in self.inside())
        return tuple(ranked(((0.0, *at), *away)))

    @property
    def only_hint(self) -> Point | None:
        """Return the place given by a hint for the only stop."""
        return self._hint(0) if len(self.tile.stops) == 1 else None

    def end_of(self, offboard: Mark) -> Point:
        """Return the first place for the words of an off-board: its hint, else the end of its
        track."""
        return self._hint(offboard.index) or offboard.centre

    def value_hint(self, index: int) -> Point | None:
        """Return the place that a stop gives for its value."""
        return self._place(self.tile.stops[index].revenue_at, 0.8)

    def _hint(self, index: int) -> Point | None:
        return self._place(self.tile.stops[index].at, 0.5)

    def _place(self, at: Position | None, usual: float) -> Point | None:
        if at is None:
            return None
        return self.towards(at.edge, usual if at.distance is None else at.distance)

    def beside(self, mark: Mark, block: Stamp) -> list[Candidate]:
        """Return places for a block beside one of several stops; for an off-board, around the end
        of its track or its hint."""
        half = (block.width / 2, block.height / 2)
        places = self.round_mark(mark, 0.0, 0.0, half)
        if mark.kind is StopKind.OFFBOARD:
            places += self.near(self.end_of(mark))
        return ranked(self.doubted(places, half, (mark,)))

    def round_mark(
        self, mark: Mark, reach: float, cost: float, half: Point = (0.0, 0.0)
    ) -> list[Candidate]:
        """Return places beside a stop for something that extends `reach` mm around its middle, or
        around a box with half this width and height."""
        places = []
        # Sixteen directions, beginning with that of the stop itself, so that a row of slots has
        # places at right angles to it and at its ends.
        for k in range(16):
            ux, uy = direction(mark.angle + math.pi / 8 * k)
            bulk = max((x - mark.x) * ux + (y - mark.y) * uy + r for x, y, r in mark.bulk)
            box = abs(ux) * half[0] + abs(uy) * half[1]
            for gap in (0.9, 2.0):
                out = bulk + box + reach + gap * self.scale
                x, y = mark.x + ux * out, mark.y + uy * out
                # Places towards the middle of the hex are preferred, and those at right angles to a
                # bar or row.
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
        """Return places for a word with half this width and height. A place costs more if it is
        about as near to another stop, or to anything `foreign`, as to the word's own stop,
        because it is then unclear to which the word belongs."""
        near = [disc for mark in own for disc in mark.bulk]
        marks = [claim.mark for claim in self.claims.values()]
        others = [disc for mark in marks if mark not in own for disc in mark.bulk]
        if not near or not others:
            return [*places]
        others += foreign
        doubted = []
        for cost, x, y in places:
            away = box_distance((x, y), half, near)
            clearly = away + _CLEARLY_MM * self.scale
            nearest = box_distance((x, y), half, others, clearly)
            doubt = 0.0
            if nearest < clearly:
                nearer = (nearest - away) / self.scale
                doubt = _DOUBT * max(0.0, 1.0 - nearer / _CLEARLY_MM) + _WRONG * max(0.0, -nearer)
            doubted.append((cost + doubt, x, y))
        return doubted

    def towards(self, edge: float, distance: float) -> Point:
        """Return the point at `distance` apothems towards an edge."""
        return edge_point(edge, self.layout, distance * self.across / 2)


@lru_cache(2048)
def ring_places(
    layout: Layout, half_mm: float, across_mm: float, size: Point, way_and_shares: tuple[float, ...]
) -> tuple[Candidate, ...]:
    """Return places around the centre of a hex for a box that must stay within `half_mm` in every
    edge's direction."""
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
            # Of two places equally far from the preferred direction, the upper one wins.
            cost = away * 0.5 + number * 0.12 + (0.01 if way[1] > 0.01 else 0.0)
            places.append((cost, way[0] * out, way[1] * out))
    return tuple(ranked(places))


@lru_cache(64)
def inside_places(across_mm: float, fineness: int) -> tuple[Candidate, ...]:
    """Return places all over a hex, the middle first."""
    places = []
    most, step = 6 * fineness, across_mm / 16 / fineness
    for k in range(-most, most + 1):
        for n in range(-most, most + 1):
            x, y = k * step, n * step
            places.append((math.hypot(x, y) / across_mm * 1.2 + (0.01 if n < 0 else 0.0), x, y))
    return tuple(ranked(places))


# Captions of a hex: tile number, names, letters, icons, and terrain with its cost.

# Preferred directions in degrees, clockwise from the right.
_ICON_WAY, _BARE_ICON_WAY = {Layout.FLAT: 120.0, Layout.POINTY: 150.0}, -90.0
_COST_WAY, _LETTER_WAY = 90.0, -120.0
_NUMBER_CORNERS = {
    Layout.FLAT: (60.0, 120.0, 240.0, 300.0, 0.0, 180.0),
    Layout.POINTY: (30.0, 90.0, 150.0, 330.0, 210.0, 270.0),
}
# Direction of corner 0, which is between edges 5 and 0.
_CORNER_0 = {Layout.FLAT: 60.0, Layout.POINTY: 90.0}
# Costs of each step down in size, which equals half a millimetre less clearance; of each further
# line of a name; and of breaking a word, which is the last resort.
_SIZE_COST, _LINE_COST, _CUT_COST = 0.5, 0.3, 9.0
# Names below this share of their size look like a mistake on a map: the additional cost of each
# such step.
_TINY, _TINY_COST = 0.85, 1.5
_SIGN_SIZE_COST, _BESIDE_COST = 0.4, 0.4
# Costs of a label in another corner than on all other hexes, or in none: it moves only to become
# clear of something.
_CORNER_COST, _NO_CORNER_COST = 1.5, 4.0
# Minimum length of a number that may take two lines; minimum length of each of three or four lines.
_LONG_NUMBER, _LEAST_LINE = 6, 3
# Sizes of a number in fine print as shares of its usual size, for 6 to 5 pt. Fine print is better
# than touching something, and so is omitting the number.
_FINE_SHARES = (0.86, 0.79, 0.72)
_FINE_COST, _LEFT_OUT_COST = 14.0, 40.0
# Number of slots from which the name of a place is larger and bolder than others, and the cost if
# it is not.
_GREAT, _NOT_GREAT_COST = 3, 0.3
# Distance of labels from the centre, in apothems, the same for single letters and double ones.
_LABEL_REACH = 0.82
# Widths of icons and signs as shares of the hex; `_BARE` ones apply if relief shows the terrain of
# the whole hex.
_ICON_SHARES = (0.19, 0.16, 0.135)
_SIGN_SHARES = (0.32, 0.27, 0.23, 0.2, 0.17, 0.145)
_BARE_SIGN_SHARES = (0.46, 0.38, 0.3)
_BADGE_SHARES = (0.27, 0.23, 0.2, 0.175, 0.15)
_FORD_SHARES = (0.16, 0.14)
# Diameters of company signs as shares of the hex, and their distances from the centre, in order of
# preference: as near to a corner as possible.
COMPANY_SHARES = (0.21, 0.18, 0.147, 0.126)
_COMPANY_RING = (0.84, 0.76, 0.68, 0.6, 0.5, 0.4)


def _sized(
    type_style: TypeStyle,
    make: Callable[[TypeStyle], Made],
    cost: float,
    *,
    step_pt: float = 0.5,
    tiny_cost: float = 0.0,
) -> Iterator[Option]:
    """Yield a word at its style's size and at smaller ones, each at a higher cost; sizes below
    _TINY of the style's cost `tiny_cost` more a step."""
    for rank, size in enumerate(sizes_down(type_style, step_pt)):
        tiny = max(0.0, _TINY * type_style.size_pt - size.size_pt) / step_pt * tiny_cost
        yield Option(rank * cost + tiny, partial(make, size), rank > 0)


def _corner_places(
    captions: Captions, size: Point, corners: Sequence[float], step_mm: float
) -> tuple[Candidate, ...]:
    """Return places in the corners of a hex, best first: as far out as a box of a size fits, and a
    step further in."""
    places = []
    for number, corner in enumerate(corners):
        ux, uy = direction(math.radians(corner))
        out = captions.field.reach((ux, uy), *size)
        for step in (0.0, step_mm):
            places.append((number * 0.15 + step * 0.1, ux * (out - step), uy * (out - step)))
    return tuple(ranked(places))


@lru_cache(256)
def label_places(
    layout: Layout, half_mm: float, across_mm: float, size: Point
) -> tuple[Candidate, ...]:
    """Return a label's places in the corners of a hex, the preferred corner first, and for each
    also nearer to the middle."""
    field = Field(layout, 2 * half_mm, 0.0)
    places = []
    for number, corner in enumerate(CORNERS[layout]):
        ux, uy = direction(math.radians(corner))
        farthest = field.reach((ux, uy), *size) - 1.04 * across_mm / HEX_MM
        out = min(_LABEL_REACH * across_mm / 2, farthest)
        cost = (_CORNER_COST if number else 0.0) + number * 0.1
        for step in (0.0, 0.12, 0.24, 0.36):
            share = out - step * across_mm / 2
            places.append((cost + (0.2 + step if step else 0.0), ux * share, uy * share))
    return tuple(ranked(places))


def add_number(captions: Captions, number: str, corner: int | str | None) -> None:
    """Add the number of a tile, or the coordinates of a hex, small in a corner. A long one may take
    several lines. It is set as fine print only where it would touch something else, and left out
    if even that does not fit."""
    ways: Sequence[float] = _NUMBER_CORNERS[captions.layout]
    fixed = isinstance(corner, int)
    if isinstance(corner, int):
        first = (_CORNER_0[captions.layout] + 60.0 * corner) % 360.0
        ways = (first, *(way for way in ways if way != first))
    full = captions.type("tile.number")

    def make(lines: tuple[str, ...], type_style: TypeStyle) -> Made:
        block = words_block(lines, type_style, captions.ink)
        places = _corner_places(captions, (block.width, block.height), ways, 0.8)
        if fixed:
            places = tuple(
                ranked(
                    (cost + (0.0 if cost < 0.15 else _CORNER_COST), x, y) for cost, x, y in places
                )
            )
        if captions.rimmed is captions.field and not type_style.fine:
            return Shape(block), places
        # If a pattern occupies the corners, it is better to place the label anywhere than to touch
        # a slot.
        inside = captions.inside(2 if type_style.fine else 1)
        return Shape(block), (*places, *((cost + _NO_CORNER_COST, x, y) for cost, x, y in inside))

    def options() -> Iterator[Option]:
        breaks = _number_lines(number)
        for count, lines in enumerate(breaks[:2]):
            for option in _sized(full, partial(make, lines), 0.4):
                yield replace(option, cost=option.cost + count * _CUT_COST)
        for count, lines in enumerate(breaks):
            cost = _FINE_COST + (_CUT_COST if count > 1 else 0.0) + count
            for rank, share in enumerate(_FINE_SHARES):
                fine = replace(full.at(full.size_pt * share), fine=True)
                yield Option(cost + rank, partial(make, lines, fine), smaller=True)
        yield _left_out(captions, number, full)

    captions.add("number", options(), enough=0.9)


def _left_out(captions: Captions, words: str, type_style: TypeStyle) -> Option:
    """Return an empty option for something that no author can shorten or move: its omission does
    not stop a print."""
    nothing = Shape(left_out_block(words, type_style, captions.ink))
    return Option(_LEFT_OUT_COST, lambda: (nothing, captions.inside(2)), smaller=True)


def _number_lines(number: str) -> list[tuple[str, ...]]:
    """Return a number on one line; a long one also on two, broken after its first hyphen or in the
    middle; a longer one on three and four lines of about equal length."""
    ways: list[tuple[str, ...]] = [(number,)]
    if len(number) >= _LONG_NUMBER:
        at = number.find("-", 1, -1) + 1 or (len(number) + 1) // 2
        ways.append((number[:at], number[at:]))
    for lines in (3, 4):
        step = -(-len(number) // lines)
        if step >= _LEAST_LINE:
            ways.append(tuple(number[at : at + step] for at in range(0, len(number), step)))
    return ways


def add_name(captions: Captions) -> None:
    """Add the name of the place, on one to three lines, above or below its stops."""
    if captions.tile.name is None or captions.named:
        return
    red = captions.tile.colour == "red" or any(
        stop.kind is StopKind.OFFBOARD for stop in captions.tile.stops
    )
    large = red and not captions.marks
    text = captions.style.words(captions.tile.name)
    _add_name(captions, _name_options(captions, text, captions.marks, large=large, own=False))


def add_stop_names(captions: Captions) -> None:
    """Add the names of single stops, each beside its own."""
    for index, stop in enumerate(captions.tile.stops):
        if stop.name is not None and not stop.hidden and index not in captions.done:
            text, mark = captions.style.words(stop.name), captions.mark_of(index)
            marks = (mark,) if mark else ()
            options = _name_options(captions, text, marks, large=False, own=bool(marks))
            _add_name(captions, options, of=mark)


def _add_name(captions: Captions, options: Iterator[Option], of: Mark | None = None) -> None:
    captions.add("name", options, enough=0.9, rivals="letters", field=captions.land, of=of)


def _name_options(
    captions: Captions, text: str, marks: tuple[Mark, ...], *, large: bool, own: bool
) -> Iterator[Option]:
    top = bottom = middle = 0.0
    if marks:
        top = min(y - r for mark in marks for _, y, r in mark.bulk)
        bottom = max(y + r for mark in marks for _, y, r in mark.bulk)
        middle = math.fsum(mark.x for mark in marks) / len(marks)

    def make(lines: tuple[str, ...], type_style: TypeStyle) -> Made:
        block = words_block(lines, type_style, captions.ink)
        places = _name_places(
            round(middle, 2),
            round(top, 2),
            round(bottom, 2),
            across_mm=captions.across,
            height=round(block.height, 2),
            own=own,
        )
        if not own or not captions.claims:
            return Shape(block), places
        half, (mark,) = (block.width / 2, block.height / 2), marks
        beside = (*places, *captions.round_mark(mark, 0.0, 0.0, half))
        track = captions.claims[mark.index].track
        return Shape(block), ranked(captions.doubted(beside, half, marks, track))

    def shortened(length: int) -> Made:
        return make(cut_name(text, length), least)

    type_style = captions.type("tile.name.large" if large else "tile.name")
    least = type_style.at(type_style.min_pt)
    great = not own and math.fsum(len(mark.slots) for mark in marks) >= _GREAT
    for count, lines in enumerate(line_breaks(text)):
        if great:
            larger = captions.type("tile.name.large")
            yield Option(count * _LINE_COST, partial(make, lines, larger), False)
        sizes = _sized(type_style, partial(make, lines), _SIZE_COST, tiny_cost=_TINY_COST)
        for option in sizes:
            cost = option.cost + count * _LINE_COST + (_NOT_GREAT_COST if great else 0.0)
            yield replace(option, cost=cost)
    if (cut := broken_words(text)) is not None:
        for option in _sized(type_style, partial(make, cut), _SIZE_COST):
            yield replace(option, cost=option.cost + _CUT_COST)
    for cost, length in cut_lengths(text) if captions.short else ():
        yield Option(cost, partial(shortened, length), True)


@lru_cache(192)
def _name_places(
    middle: float, top: float, bottom: float, *, across_mm: float, height: float, own: bool
) -> tuple[Candidate, ...]:
    """Return places for a name: just above its stops, just below, then anywhere; mm."""
    gap = 1.0 * across_mm / HEX_MM
    above = below = 0.0
    if top < bottom:
        above, below = top - gap - height / 2, bottom + gap + height / 2
    weight = 0.16 if own else 0.06
    step = across_mm / 30
    places = []
    for row in dict.fromkeys((above, below, *(k * step for k in range(-13, 14)))):
        off = 0.07 * min(abs(row - above), abs(row - below) + 1.5)
        for k in range(-10, 11):
            places.append((weight * abs(k) * step + off, middle + k * step, row))
    return tuple(ranked(places))


def add_labels(captions: Captions) -> None:
    """Add the letters of the tile, in the same corner of all hexes unless it is occupied; then in
    the next one, or wherever there is room. Labels that apply later stand on a chip of the
    colour from which they apply."""

    def make(label: Label, type_style: TypeStyle) -> Made:
        ink = captions.ink if label.since is None else captions.style.ink("text")
        block = words_block((label.text,), type_style, ink)
        if label.since is not None:
            block = _chip(block, label.since, captions.style, captions.scale)
        size = (block.width, block.height)
        corners = label_places(captions.layout, captions.field.half, captions.across, size)
        inside = [(cost + _NO_CORNER_COST, x, y) for cost, x, y in captions.inside()]
        return Shape(block), (*corners, *inside)

    for label in captions.tile.labels:
        sizes = _sized(captions.type("tile.label"), partial(make, label), 1.0, step_pt=1.0)
        captions.add("label", sizes, enough=0.9, rivals="letters", field=captions.land)


def _chip(words: Stamp, colour: str, style: Style, scale: float) -> Stamp:
    """Return words on a small rounded ground of a colour."""
    pad = 1.2 * scale
    width, height = words.width + pad, words.height + pad
    box = rectangle_path(-width / 2, -height / 2, width, height, 0.5 * scale)
    rim, fill = style.stroke("tile.disc"), colour_ink(colour, style)
    ground = Path(box, fill=fill, stroke=rim, role=Role.SYMBOL)
    return Stamp((ground, *over_symbols(words.items)), width + rim.width_mm, height + rim.width_mm)


def chip_block(label: Label, style: Style) -> Stamp:
    """Return a label that applies later, on a chip of the colour from which it applies."""
    words = words_block((label.text,), style.type("tile.label"), style.ink("text"))
    return _chip(words, label.since or "", style, 1.0)


def add_colour_letter(captions: Captions) -> None:
    """Add the letter of the tile's colour, if the theme has one, far from the middle where nothing
    else needs room."""
    colour, style = captions.tile.colour, captions.style
    letter = letter_of(colour, style)
    if not letter:
        return

    def make(type_style: TypeStyle) -> Made:
        block = letter_block(colour, type_style, style)
        assert block is not None
        size = (block.width, block.height)
        ring = captions.ring(size, _LETTER_WAY, (1.1, 0.95, 0.8, 0.65, 0.5))
        inside = [(cost + 1.2, x, y) for cost, x, y in captions.inside()]
        # The pattern of the rim already shows the colour, so the letter may be fine print.
        items = (
            replace(item, fine=True) if isinstance(item, TextRun) else item for item in block.items
        )
        fine = Stamp(over_symbols(tuple(items)), block.width, block.height)
        return Shape(fine), ranked((*ring, *inside))

    type_style = captions.type("tile.colour")
    left_out = _left_out(captions, letter, type_style)
    captions.add("colour", (*_sized(type_style, make, 0.2), left_out), enough=0.8)


def add_icons(captions: Captions) -> None:
    """Add small pictures, where their hints say or where there is room."""
    least = captions.type("tile.cost")

    def make(icon: Icon, share: float) -> Made:
        type_style = least.at(least.size_pt * share / _ICON_SHARES[-1])
        width = share * captions.across
        block = icon_block(icon.name, icon.text, width, captions.style, type_style)
        if icon.at is not None:
            distance = 0.62 if icon.at.distance is None else icon.at.distance
            return Shape(block), ((0.0, *captions.towards(icon.at.edge, distance)),)
        way = _BARE_ICON_WAY if captions.bare else _ICON_WAY[captions.layout]
        size = (block.width, block.height)
        ring = captions.ring(size, way, (0.5, 0.62, 0.74, 0.86, 1.1))
        return Shape(block), ((0.0, 0.0, 0.0), *ring)

    for icon in captions.tile.icons:
        captions.add("icon", _stepped(_ICON_SHARES, partial(make, icon)), enough=1.1)


def add_terrain(captions: Captions) -> None:
    """Add each kind of terrain with its cost."""
    for entry in captions.tile.terrain:
        # The cost of a river is placed beside it.
        is_ford = bool(captions.wet and entry.kinds) and RIVER_KINDS.issuperset(entry.kinds)
        field = captions.land if is_ford else captions.field
        options = _terrain_options(captions, entry, is_ford=is_ford)
        captions.add("terrain", options, enough=1.2 if is_ford else 1.0, field=field)


def _terrain_options(captions: Captions, entry: Terrain, *, is_ford: bool) -> Iterator[Option]:
    def make(share: float, below: bool) -> Made:
        block = _terrain_block(captions, entry, share * captions.across, below=below)
        if is_ford:
            size = (block.width, block.height)
            ring = captions.ring(size, _COST_WAY, (0.54, 0.4, 0.66, 0.24, 0.76))
            inside = [(cost + _BESIDE_COST, x, y) for cost, x, y in captions.inside()]
            return Shape(block), ranked((*ring, *inside))
        if captions.bare:
            return Shape(block), captions.inside()
        size = (block.width, block.height)
        return Shape(block), captions.ring(size, _COST_WAY, (0.7, 0.8, 0.6, 0.5, 1.1))

    shares: tuple[float, ...] = _BARE_SIGN_SHARES if captions.bare else _SIGN_SHARES
    if captions.badges and all(relief_kind(kind) for kind in entry.kinds):
        shares = _BADGE_SHARES
    shares = _FORD_SHARES if is_ford else shares
    for rank, share in enumerate(shares):
        for beside in (False, True):
            cost = rank * _SIGN_SIZE_COST + (_BESIDE_COST if beside else 0.0)
            yield Option(cost, partial(make, share, not beside), rank > 0)


def _terrain_block(captions: Captions, entry: Terrain, width_mm: float, *, below: bool) -> Stamp:
    """Return symbols of terrain side by side, with the cost below or to the right of them."""
    style, cost = captions.style, printed_number(entry.cost)
    if not entry.kinds:
        words = words_block((cost,), captions.type("tile.cost"), style.ink("text"))
        return _chip(words, "white", style, captions.scale)
    words = Stamp((), 0.0, 0.0)
    if entry.cost:
        type_style = captions.type("tile.cost.large" if captions.bare else "tile.cost")
        words = words_block((cost,), type_style, captions.ink)
    gap = 0.45 * captions.scale
    signs = [(sign, *terrain_size(sign, round(width_mm, 2))) for sign in entry.kinds]
    total = math.fsum(width for _, width, _ in signs) + gap * (len(signs) - 1)
    tall = max(height for _, _, height in signs)
    space = 1.6 * gap if entry.cost else 0.0
    if below:
        width, height = max(total, words.width), tall + space + words.height
        left, middle, place = -total / 2, (tall - height) / 2, (0.0, (height - words.height) / 2)
    else:
        width, height = total + space + words.width, max(tall, words.height)
        left, middle, place = -width / 2, 0.0, ((width - words.width) / 2, 0.0)
    items = []
    for sign, sign_width, _ in signs:
        symbol = terrain_items(sign, sign_width, style)
        items.append(shifted(symbol, left + sign_width / 2, middle))
        left += sign_width + gap
    return Stamp((*items, *words.at(*place)), width, height)


def add_signs(captions: Captions) -> None:
    """Add signs of companies: in the middle of an empty hex, otherwise as near to a corner as
    possible."""
    across, count = captions.across, len(captions.signs)
    is_empty = captions.bare and not captions.words

    def make(number: int, share: float) -> Made:
        width = share * across
        whole = Group(captions.signs[number].items(width, captions.style))
        off = (number - (count - 1) / 2) * across * COMPANY_SHARES[0] * 1.2
        places = ((0.0, 0.0, off),) if is_empty else _company_places(across)
        return Shape(Stamp((whole,), width, width), width / 2), places

    for number in range(count):
        captions.add("sign", _stepped(COMPANY_SHARES, partial(make, number)), enough=1.2)


def _stepped(shares: Sequence[float], make: Callable[[float], Made]) -> Iterator[Option]:
    """Yield a sign in several widths, the first of which is best."""
    for rank, share in enumerate(shares):
        yield Option(rank * _SIZE_COST, partial(make, share), rank > 0)


@lru_cache(16)
def _company_places(across_mm: float) -> tuple[Candidate, ...]:
    ways = [(share, direction(math.radians(15 * k))) for share in _COMPANY_RING for k in range(24)]
    reach = across_mm / 2
    return tuple((0.9 - share, x * share * reach, y * share * reach) for share, (x, y) in ways)


# Values in a hex: revenue discs, tables of values that change, and off-board blocks.

# Radius of a revenue disc as a share of the hex.
DISC = 0.079
# Usual and absolute maximum width of figures in a disc, in radii; and the smallest disc as a share
# of the usual one.
_FULL, _WIDEST, _SMALL = 1.62, 1.78, 0.86
# Height of a capsule around a value, in cap heights.
_CAPSULE = 1.85
# Costs of a disc that is smaller than those of other hexes, of one as small as is legible, and of
# figures that are smaller than other values to fit into a disc.
_SMALL_COST, _CROWDED_COST, _SHRUNK_COST = 0.9, 15.0, 1.2
# Cost of covering part of a pattern or frame: more than that of a slightly smaller disc, less than
# that of a crowded one.
_COVER_COST = 2.0
# Costs of each step down in size of a value or of a table, and of each further row of a table.
_VALUE_SIZE_COST, _TABLE_SIZE_COST, _ROW_COST = 0.8, 0.5, 0.5
# Preferred direction of discs, in degrees.
_PREFERRED = {Layout.FLAT: 0.0, Layout.POINTY: -30.0}
_ENOUGH, _TABLE_ENOUGH = 1.5, 1.4
# Space to the left and right of a value in a table, in cap heights; above and below there is
# slightly more.
_PAD = 0.42
# Share of a solid rim's ink in the ground of a value if tiles are paler than their rims: in a
# table, colours that differ only in their rims would look the same.
_RIM_TINT = 0.4

Steps = tuple[RevenueStep, ...]


def add_offboard(captions: Captions) -> None:
    """Add the name of an off-board above the table of its values, as one block; one for each of
    several off-boards if they have different names."""
    tile = captions.tile
    offboards = [stop for stop in tile.stops if stop.kind is StopKind.OFFBOARD and not stop.hidden]
    steps = offboards[0].revenue if offboards else ()
    for index, claim in captions.claims.items():
        stop = tile.stops[index]
        if stop in offboards and stop.name is not None and any(step.value for step in stop.revenue):
            options = _offboard_options(captions, stop.name, stop.revenue, claim.mark)
            captions.add("offboard", options, enough=1.3, of=claim.mark)
            captions.done.add(index)
    mark = captions.marks[0] if captions.marks else None
    if mark is not None:
        # The name of a red city forms a block with up to two values; with more values, separate
        # words fit better.
        steps = tile.stops[0].revenue if len(tile.stops) == 1 else ()
        if tile.colour != "red" or len(steps) > 2:
            return
    if captions.done or tile.name is None or len(steps) < 2:
        return
    if captions.is_alike():
        captions.add("offboard", _offboard_options(captions, tile.name, steps, mark), enough=1.3)
        captions.done.update(range(len(tile.stops)))
        captions.named = True


def _offboard_options(
    captions: Captions, place: Text, steps: Steps, mark: Mark | None = None
) -> Iterator[Option]:
    table_type = captions.type("map.offboard")

    def make(lines: tuple[str, ...], type_style: TypeStyle, number: int, size_pt: float) -> Made:
        words = words_block(lines, type_style, captions.ink)
        table = _tables(steps, size_pt, captions.style)[number]
        block = words.above(table, 1.1 * captions.scale)
        core = (table.width / 2, table.height / 2)
        places = captions.beside(mark, block) if mark else captions.anywhere()
        return Shape(block, core=core), places

    def shortened(length: int, number: int, size_pt: float) -> Made:
        return make(cut_name(name, length), least, number, size_pt)

    name = captions.style.words(place)
    largest = captions.type("tile.name" if mark else "tile.name.large")
    least = largest.at(largest.min_pt)
    breaks = line_breaks(name)
    tables = range(len(_columns(steps)))
    for rank, type_style in enumerate(sizes_down(largest, 1.0)):
        size = max(table_type.min_pt, table_type.size_pt * (1 - 0.08 * rank))
        for count, lines in enumerate(breaks):
            for number in tables:
                cost = rank * _VALUE_SIZE_COST + count * 0.15 + number * _ROW_COST
                yield Option(cost, partial(make, lines, type_style, number, size), rank > 0)
    for cost, length in cut_lengths(name) if captions.short else ():
        for number in tables:
            yield Option(cost, partial(shortened, length, number, size), True)


def add_tables(captions: Captions) -> None:
    """Add values that change with the colour or phase, as tables: one for all stops if these are
    alike, otherwise one for each."""
    for steps, indices in captions.values().items():
        if len(steps) < 2:
            continue
        drawn = any(captions.plan.marks[index] is not None for index in indices)
        own = [] if captions.is_alike() else [captions.mark_of(index) for index in indices]
        for mark in own or [None]:
            options = _table_options(captions, steps, mark, ring=drawn)
            captions.add("table", options, enough=_TABLE_ENOUGH, of=mark)


def _table_options(
    captions: Captions, steps: Steps, mark: Mark | None, *, ring: bool
) -> Iterator[Option]:
    def make(number: int, size_pt: float) -> Made:
        block = _tables(steps, size_pt, captions.style)[number]
        if mark is not None:
            return Shape(block), captions.beside(mark, block)
        if not ring:
            return Shape(block), captions.anywhere()
        shares = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
        return Shape(block), captions.ring((block.width, block.height), 90.0, shares)

    for rank, type_style in enumerate(sizes_down(captions.type("map.offboard"), 0.75)):
        for number in range(len(_columns(steps))):
            cost = rank * _TABLE_SIZE_COST + number * _ROW_COST
            yield Option(cost, partial(make, number, type_style.size_pt), rank > 0)


def _columns(steps: Steps) -> tuple[int, ...]:
    """Return the possible numbers of values in a row of a table with equal rows."""
    return tuple(columns for columns in range(len(steps), 0, -1) if len(steps) % columns == 0)


@lru_cache(512)
def _tables(steps: Steps, size_pt: float, style: Style) -> tuple[Stamp, ...]:
    """Return a table of values in one row, in several full rows, and in one column."""
    items, width, height = revenue_table(steps, style, max_width_mm=1e6, size_pt=size_pt)
    blocks = [Stamp(items, width, height)]
    for columns in _columns(steps)[1:]:
        limit = width / len(steps) * columns + SLACK_MM
        blocks.append(Stamp(*revenue_table(steps, style, max_width_mm=limit, size_pt=size_pt)))
    return tuple(blocks)


def add_discs(captions: Captions) -> None:
    """Add values that do not change: one disc for all stops if these are alike, otherwise one for
    each."""
    values = captions.values()
    for steps, indices in values.items():
        if len(steps) > 1:
            continue
        value = steps[0].value
        if captions.is_alike():
            marks = [captions.plan.marks[index] for index in indices]
            drawn = [mark for mark in marks if mark is not None]
            _add_disc(captions, value, indices, drawn, own=False)
            continue
        # A single value keeps its usual place on tiles if it clearly belongs to its stop there.
        own = len(values) > 1 or len(indices) > 1
        for index in indices:
            mark = captions.mark_of(index)
            _add_disc(captions, value, [index], [mark] if mark else [], own=own)


def _add_disc(
    captions: Captions, value: int, stops: list[int], marks: list[Mark], *, own: bool
) -> None:
    """Add a value of some stops in a disc, or in a diamond; one too wide for a disc stands in a
    capsule, or smaller in a disc."""
    style, full = captions.style, captions.type("tile.revenue")
    figures, text, white = printed_number(value), style.ink("text"), style.ink("white")
    usual = DISC * captions.across
    words = words_block((figures,), full, text)
    if long := words.width > _FULL * usual:
        fitting = full.at(max(full.min_pt, full.size_pt * _FULL * usual / words.width))
        words = words_block((figures,), fitting, text)
    radius = max(usual, words.width / _FULL)
    least = max(words.width / _WIDEST, _SMALL * radius)
    rim = style.stroke("tile.disc")
    hint = next(filter(None, map(captions.value_hint, stops)), None)

    def made(ground: Item, words: Stamp, outer: Point, radius: float = 0.0) -> Made:
        """Return words on a ground that extends to `outer` from their middle; a round one has this
        radius without its rim."""
        block = Stamp((ground, *over_symbols(words.items)), 2 * outer[0], 2 * outer[1])
        if hint is not None:
            return Shape(block, radius), captions.near(hint)
        half = (0.0, 0.0) if radius else outer
        return Shape(block, radius), _disc_places(captions, radius, half, marks, own=own)

    def diamond(type_style: TypeStyle) -> Made:
        words = words_block((figures,), type_style, text)
        reach = (words.width + type_style.cap_height_mm) / 2 + 0.5 * captions.scale
        corners = ((-reach, 0.0), (0.0, -reach), (reach, 0.0), (0.0, reach))
        ground = Path(polygon_path(corners), fill=white, stroke=rim, role=Role.SYMBOL)
        outer = reach + rim.width_mm
        return made(ground, words, (outer, outer), reach)

    def disc(reach: float, words: Stamp = words) -> Made:
        ground = Circle(0.0, 0.0, reach, fill=white, stroke=rim, role=Role.SYMBOL)
        outer = reach + rim.width_mm / 2
        return made(ground, words, (outer, outer), reach)

    def capsule(type_style: TypeStyle) -> Made:
        words = words_block((figures,), type_style, text)
        tall = type_style.cap_height_mm * _CAPSULE
        wide = words.width + 0.7 * tall
        box = rectangle_path(-wide / 2, -tall / 2, wide, tall, tall / 2)
        ground = Path(box, fill=white, stroke=rim, role=Role.SYMBOL)
        return made(ground, words, ((wide + rim.width_mm) / 2, (tall + rim.width_mm) / 2))

    smaller = _SHRUNK_COST if long else 0.0
    options = [
        Option(smaller, partial(disc, radius), smaller > 0),
        Option(smaller + _SMALL_COST, partial(disc, least), True),
    ]
    if long:
        for rank, type_style in enumerate(sizes_down(full, 0.75)):
            if type_style.size_pt >= fitting.size_pt:
                cost = rank * _VALUE_SIZE_COST
                options.append(Option(cost, partial(capsule, type_style), rank > 0))
    if captions.short:
        words = words_block((figures,), full.at(MIN_PLAY_PT), text)
        options.append(Option(_CROWDED_COST, partial(disc, words.width / _WIDEST, words), True))
    if captions.tile.stops[stops[0]].diamond:
        options = [
            Option(rank * _VALUE_SIZE_COST, partial(diamond, type_style), rank > 0)
            for rank, type_style in enumerate(sizes_down(full, 0.75))
        ]
    rivals, of = "values" if own else "", None if captions.is_alike() or not marks else marks[0]
    captions.add("value", options, enough=_ENOUGH, rivals=rivals, field=captions.rimmed, of=of)


def _disc_places(
    captions: Captions, radius: float, half: Point, marks: list[Mark], *, own: bool
) -> list[Candidate]:
    """Return places around the hex for a disc, or for a box with half this width and height, on the
    same side of all tiles if possible; for towns and cities off the middle, beside them."""
    central = len(marks) != 1 or math.hypot(marks[0].x, marks[0].y) < 0.02 * captions.across
    places: list[Candidate] = []
    size = (2 * (half[0] + radius), 2 * (half[1] + radius))
    if not marks and captions.only_hint is not None:
        places += captions.near(captions.only_hint)
    elif not own or not marks:
        town = bool(marks) and not marks[0].slots
        shares = (0.5, 0.6, 0.72, 0.84, 1.1) if town else (0.72, 0.6, 0.5, 0.84, 1.1)
        ring = captions.ring(size, _PREFERRED[captions.layout], shares, rimmed=True)
        places += ((cost + (0.0 if central else 0.4), x, y) for cost, x, y in ring)
        if len(marks) != 1:
            places.append((0.1, 0.0, 0.0))
    for mark in marks:
        if own or not central or not mark.slots:
            cost = 0.0 if own or len(marks) == 1 else 0.25
            places += captions.round_mark(mark, radius, cost, half)
        if mark.kind is StopKind.OFFBOARD:
            places += captions.near(captions.end_of(mark))
    if own and marks:
        places = captions.doubted(places, half, marks)
    return ranked(
        (cost + (_COVER_COST if captions.covered((x, y), half, radius) else 0.0), x, y)
        for cost, x, y in places
    )


def revenue_table(
    steps: tuple[RevenueStep, ...],
    style: Style,
    *,
    max_width_mm: float = 34.0,
    size_pt: float | None = None,
) -> tuple[Items, float, float]:
    """Return items centred on (0, 0), and their width and height in mm.

    Each step is a box in the ink of its tile colour ("yellow" -> `tile.yellow`); a step that
    applies from a phase on is a white box headed by the phase. Boxes that do not fit in
    `max_width_mm` continue in further rows, all of them full. `size_pt` overrides the theme's
    `map.offboard`.
    """
    if not steps:
        return (), 0.0, 0.0
    type_style = style.type("map.offboard")
    type_style = type_style.at(size_pt) if size_pt is not None else type_style
    inks, patterns = style.theme.inks, style.theme.patterns
    text, white, over = style.ink("text"), style.ink("white"), (Role.SYMBOL,)
    # The ground of each step, and the text above it: the phase if no colour shows it, otherwise the
    # letter of the colour, if there is one.
    grounds: list[Ink] = []
    notes: list[str] = []
    for step in steps:
        since = step.since or ""
        ground, pattern = inks.get(f"tile.{since}") or inks.get(since), patterns.get(since)
        if ground is not None and pattern is not None and pattern.motif == "solid":
            ground = mix(ground, pattern.ink, _RIM_TINT)
        grounds.append(ground or white)
        notes.append(letter_of(since, style) if ground else since)
    cap = type_style.cap_height_mm
    widest = max(text_width(step.printed, type_style) for step in steps)
    # A letter only repeats what the ground shows, so it may be fine print; a phase is shown nowhere
    # else.
    again = [note != step.since for note, step in zip(notes, steps, strict=True)]
    fine = all(same or not note for note, same in zip(notes, again, strict=True))
    note_type = style.type("map.offboard.note")
    note_pt = min(note_type.size_pt, type_style.size_pt * 0.6)
    note_type = note_type.at(max(note_type.min_pt if fine else MIN_PLAY_PT, note_pt))
    note_pad = 0.8 * note_type.cap_height_mm
    width = max(
        widest + 2 * _PAD * cap * 1.2,
        cap * 2.4,
        *(text_width(note, note_type) + note_pad for note in notes),
    )
    head = note_type.cap_height_mm * 1.7 if any(notes) else 0.0
    height = cap * 1.95 + head
    columns = next(
        columns for columns in _columns(steps) if columns == 1 or columns * width <= max_width_mm
    )
    rows = len(steps) // columns
    left, top = (0 - columns / 2) * width, (0 - rows / 2) * height
    rim = style.stroke("map.offboard.rim")
    items: list[Item] = []
    for index, (step, ground, note) in enumerate(zip(steps, grounds, notes, strict=True)):
        row, column = divmod(index, columns)
        x, y = (column - columns / 2) * width, (row - rows / 2) * height
        box = rectangle_path(x, y, width, height)
        items.append(Path(box, fill=ground, stroke=rim, role=Role.SYMBOL))
        ink = readable_on(ground, text, white)
        middle = x + width / 2
        if note:
            runs = set_centred(note, note_type, ink, middle, y + head * 0.75, over=over)
            items += (replace(run, fine=again[index]) for run in runs)
        centre = y + head + (height - head) / 2
        items += set_centred(step.printed, type_style, ink, middle, centre, over=over)
    frame = rectangle_path(left, top, columns * width, rows * height)
    items.append(Path(frame, stroke=style.stroke("map.offboard.frame"), role=Role.SYMBOL))
    return tuple(items), columns * width, rows * height
