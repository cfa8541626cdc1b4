"""Words of a hex with their candidate places, the cost of a place, and the choice of places for
all.

Costs are in mm on a hex of 38.1 mm: a cost of 1 is as bad as standing 1 mm closer to something than
is wanted. A choice of places is scored by the sum of

- `Option.cost`: smaller type than the style says, a name on several lines, a cost beside its sign;
- the cost of the place: its distance from the preferred side and from what it belongs to, and how
  hard it is to tell to which of several stops it belongs;
- `crowding` by track, stops and edges (once, by the nearest of them), and by every other word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum

from platelayer.drawing.hex.geometry import Candidate, Disc, Field, box_distance
from platelayer.drawing.hex.ground import dividing_lines
from platelayer.drawing.hex.plan import Mark, Plan, segments_bulk, taper_bulk
from platelayer.drawing.kit.lettering import Stamp
from platelayer.foundation.choice import EPSILON, SURE, Choice, Search
from platelayer.foundation.geometry import measured
from platelayer.foundation.values import Frozen
from platelayer.model.gamemap import Layout, edge_point
from platelayer.model.tile import StopKind, Tile, stop_end
from platelayer.scene.flatten import Line, distance_to_line, lines_cross
from platelayer.scene.legibility import APART
from platelayer.scene.shapes import Point, TextRun, middle_of
from platelayer.scene.typeset import run_corners

# The claims of stops. In a hex with several stops, each has a region for its name, value and table:
# a word is nearer to its own stop than to any other by a factor of APART, and no line that divides
# the hex runs between the two. If no such place is free, a leader connects the word to its stop.
# Distances are shares of the hex.

# Clearance of words from a line that divides their hex; and the margin by which circles that cover
# a stop are larger than it.
_OFF_LINE, _SPARE = 0.007, 0.008
# Maximum length of a leader, and its clearance from other stops and their track.
_LONGEST, _OFF_LEADER = 0.36, 0.012
# Costs of the longest leader and of one across track, in mm of clearance like all costs of places.
_LONG_COST, _ACROSS_COST = 3.0, 6.0


class Claim(Frozen):
    """A stop with everything that the `others` cover, the `track` that does not lead to it, and the
    lines that bound its region; mm from the centre."""

    mark: Mark
    others: tuple[Disc, ...]
    track: tuple[Disc, ...]
    bounds: tuple[Line, ...]
    across_mm: float

    def holds(self, at: Point, half: Point, radius: float) -> bool:
        """Return True if a disc, or a box with half this width and height, clearly belongs to the
        stop at a place."""
        # Readers may judge by the rim of a word, by its letters or by its centre.
        spare = _SPARE * self.across_mm
        for share in (1.0, 0.0) if radius else (1.0, 0.6, 0.0):
            size, off = (half[0] * share, half[1] * share), radius * share
            enough = APART * max(0.0, box_distance(at, size, self.mark.bulk) - off) + off + spare
            if box_distance(at, size, self.others, enough) < enough:
                return False
        return self._is_inside(at, half, radius)

    def leader(self, at: Point, half: Point, radius: float) -> Line | None:
        """Return the line from the rim of a disc or box to the stop; None if it would be long, or
        pass another stop."""
        x, y, r = min(self.mark.bulk, key=lambda disc: math.dist(at, disc[:2]) - disc[2])
        dx, dy = x - at[0], y - at[1]
        length = math.hypot(dx, dy)
        if length <= r:
            return None
        ux, uy = dx / length, dy / length
        start = radius or min(
            side / abs(way) for side, way in zip(half, (ux, uy), strict=True) if abs(way) > 1e-9
        )
        if not 0.0 < length - start - r <= _LONGEST * self.across_mm:
            return None
        a, b = (at[0] + ux * start, at[1] + uy * start), (x - ux * r, y - uy * r)
        if self._meets((a, b), self.others) or not self._is_inside(at, half, radius):
            return None
        return a, b

    def leader_cost(self, leader: Line) -> float:
        """Return the cost of a leader: lower if it is short and clear of the track of other
        stops."""
        longer = math.dist(*leader) / (_LONGEST * self.across_mm)
        return _LONG_COST * longer + (_ACROSS_COST if self._meets(leader, self.track) else 0.0)

    def _meets(self, line: Line, discs: Iterable[Disc]) -> bool:
        gap = _OFF_LEADER * self.across_mm
        return any(distance_to_line((x, y), *line) < r + gap for x, y, r in discs)

    def _is_inside(self, at: Point, half: Point, radius: float) -> bool:
        """Return True if no line that bounds the region runs through a word, or between it and the
        stop."""
        gap = radius + _OFF_LINE * self.across_mm
        return not any(
            lines_cross(at, self.mark.centre, *line) or line_distance(at, half, line) < gap
            for line in self.bounds
        )


def claims(tile: Tile, plan: Plan, layout: Layout, across_mm: float) -> dict[int, Claim]:
    """Return the claims of the stops of a hex by index, if there are several stops."""
    marks = [*_shown(tile, plan, layout, across_mm)]
    if len(marks) < 2:
        return {}
    lines = dividing_lines(tile, layout, across_mm)
    claims_of = {}
    for mark in marks:
        end = stop_end(mark.index)
        pairs = zip(tile.track, plan.curves, strict=True)
        foreign = ((segment, curve) for segment, curve in pairs if end not in segment.ends)
        # A line through the stop itself bounds nothing.
        bounds = (
            line
            for line in lines
            if all(distance_to_line((x, y), *line) > r for x, y, r in mark.bulk)
        )
        claims_of[mark.index] = Claim(
            mark,
            tuple(disc for other in marks if other is not mark for disc in other.bulk),
            tuple(segments_bulk(foreign, across_mm)),
            tuple(bounds),
            across_mm,
        )
    return claims_of


def _shown(tile: Tile, plan: Plan, layout: Layout, across_mm: float) -> Iterator[Mark]:
    """Yield the marks of all stops, with substitutes for the marks of off-boards: the ends of their
    track, or the places of their hints."""
    for index, (stop, mark) in enumerate(zip(tile.stops, plan.marks, strict=True)):
        if stop.hidden:
            continue
        if mark is not None:
            yield mark
            continue
        end = stop_end(index)
        curves = [
            curve if segment.a == end else curve.reversed()
            for segment, curve in zip(tile.track, plan.curves, strict=True)
            if end in segment.ends
        ]
        tips = [curve.p0 for curve in curves]
        if stop.at is not None and not tips:
            distance = 0.5 if stop.at.distance is None else stop.at.distance
            tips = [edge_point(stop.at.edge, layout, distance * across_mm / 2)]
        if tips:
            x, y = middle_of(tips)
            bulk = [disc for curve in curves for disc in taper_bulk(curve, across_mm)]
            marks = [disc for mark in plan.marks if mark is not None for disc in mark.bulk]
            # Parts of track below another stop are not visible.
            seen = [disc for disc in bulk if box_distance(disc[:2], (0.0, 0.0), marks) > 0.0]
            covered = tuple(seen or bulk or [(x, y, 0.0)])
            inward = math.atan2(-y, -x)
            yield Mark(index, StopKind.OFFBOARD, x, y, inward, (), 0.0, False, covered)


def line_distance(at: Point, half: Point, line: Line) -> float:
    """Return the distance from a box to a line; 0 if the line runs through it."""
    (x, y), (w, h) = at, half
    corners = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    if any(lines_cross(*line, corners[k - 1], corners[k]) for k in range(4)):
        return 0.0
    ends = (box_distance(at, half, ((*point, 0.0),)) for point in line)
    return min(*ends, *(distance_to_line(corner, *line) for corner in corners))


# Crowding grows in three slopes: below the first distance each mm counts five times, and below the
# second, which the lines around slots and discs occupy, a hundred times.
_TIGHT, _TIGHT_MORE = 0.7, 4.0
_TOUCH, _TOUCH_MORE = 0.25, 95.0
# Tolerance for corners of lines that overlap something, as in the check of legibility.
_CORNER_MM = 0.1
# Minimum distances between words that would be confused: a name and a label that would read as one,
# values of different stops; and between words and leaders of other words.
RIVALS = {"": 0.0, "letters": 4.0, "values": 5.0}
_BESIDE_LEADER = 0.7
# Lengths to which a name may be cut. Leaving out any letters is nearly as bad as touching
# something.
_CUT_LENGTHS = (40, 28, 20, 14, 10, 7, 5, 3, 2, 1)
_SHORT_COST, _SHORTER_COST = 20.0, 0.1
# Kinds of words that may become shorter or smaller than in their style, as a last resort.
_SHORTER = ("name", "offboard", "value")


class Shape(Frozen):
    """Shape of a word: a block that fills its box, or a disc of a radius in mm. `core` is half the
    width and height of the part at the bottom of a block that must be at the word's stop by
    itself: the values below a name."""

    block: Stamp
    radius: float = 0.0
    core: Point | None = None


class Tie(Enum):
    """Evidence that a word belongs to one of several stops: it is clearly at that stop, a leader
    runs to it, or there is none."""

    NEAR = 0
    LED = 1
    NONE = 2


# Cost of connecting a word to its stop, and the leader, if there is one.
Tied = tuple[float, Line | None]


class Option(Frozen):
    """One way to print a word: its cost, its shape, and the places for it, cheapest first. They are
    computed only if cheaper options leave something to improve. `smaller` is true if it is below
    the size of its style."""

    cost: float
    make: Callable[[], tuple[Shape, Sequence[Candidate]]]
    smaller: bool
    tie: Tie = Tie.NEAR


class Place(Frozen):
    """A word at a place in mm from the centre of its hex. `cost` is its total cost given track,
    stops and edges; `half` is half its width and height, less the radius of a disc."""

    cost: float
    x: float
    y: float
    half: tuple[float, float]
    radius: float
    enough: float
    rivals: str
    scale: float
    shape: Shape
    smaller: bool
    leader: Line | None = None


class Word(Frozen):
    """A word to place.

    It has a kind (for statistics), options by ascending cost, the distance in mm (on a hex of 38.1
    mm) that is `enough`, the words from which it keeps a larger distance (`RIVALS`), and the claim
    of its stop, if there are several. Computed results are cached: for each option its shape and
    places (`ways`); for each option and candidate the room found so far, and whether it is exact or
    only an upper bound (`known`), and the tie to the stop (`tied`).
    """

    kind: str
    options: tuple[Option, ...]
    enough: float
    rivals: str
    field: Field
    scale: float
    ways: dict[int, tuple[Shape, Sequence[Candidate]]]
    known: dict[tuple[int, int], tuple[float, bool]]
    tied: dict[tuple[int, int], Tied | None]
    claim: Claim | None = None

    def best(self) -> Place:
        """The place with the lowest cost on its own."""
        *_, least = self._search(math.inf, (), falling=True)
        return least

    def better(self, place: Place, others: Sequence[Place]) -> Place:
        """Return the place with the lowest cost given others: the current one, or one that costs
        less."""
        beside = place.cost + math.fsum(apart_cost(place, other) for other in others)
        *_, least = (place, *self._search(beside, others, falling=True))
        return least

    def within(self, limit: float) -> list[Place]:
        """Return all places that cost at most `limit` on their own, cheapest first."""
        return sorted(
            self._search(limit, (), falling=False), key=lambda place: measured(place.cost)
        )

    def _search(self, limit: float, others: Sequence[Place], *, falling: bool) -> Iterator[Place]:
        """Yield places that cost at most a limit given others; with `falling`, each costs less than
        the one before."""
        field, scale = self.field, self.scale
        enough = self.enough * scale
        for number, option in enumerate(self.options):
            if option.cost > limit:
                return
            if number not in self.ways:
                self.ways[number] = option.make()
            shape, candidates = self.ways[number]
            width, height, radius = shape.block.width, shape.block.height, shape.radius
            size = (0.0, 0.0) if radius else (width, height)
            half = (size[0] / 2, size[1] / 2)
            for index, (extra, x, y) in enumerate(candidates):
                key = number, index
                base = option.cost + extra
                spare = limit - base
                if spare < 0:
                    break
                # With less clearance than this the cost exceeds the limit, so it need not be
                # measured exactly.
                floor = roomy(spare, self.enough) * scale - 1e-9
                room, exact = self.known.get(key, (math.inf, False))
                if room > floor and not exact:
                    room = field.room(x, y, size, radius, enough=enough, floor=floor)
                    self.known[key] = room, room > floor
                if room <= floor:
                    continue
                tied = self._tied(option.tie, key, (x, y), half, shape)
                if tied is None:
                    continue
                more, leader = tied
                cost = base + crowding(room / scale, self.enough) + more
                if more and cost > limit:
                    continue
                rest = (self.enough, self.rivals, scale, shape, option.smaller, leader)
                place = Place(cost, x, y, half, radius, *rest)
                if falling:
                    total = cost + math.fsum(apart_cost(place, other) for other in others)
                    if total >= limit - EPSILON:
                        continue
                    limit = total
                yield place

    def _tied(
        self, tie: Tie, key: tuple[int, int], at: Point, half: Point, shape: Shape
    ) -> Tied | None:
        """Return the tie of a word to its stop at a place; None if it needs one and has none."""
        claim = self.claim
        if claim is None or tie is Tie.NONE:
            return 0.0, None
        if key not in self.tied:
            self.tied[key] = None
            if tie is Tie.LED:
                leader = claim.leader(at, half, shape.radius)
                if leader is not None:
                    self.tied[key] = claim.leader_cost(leader), leader
            else:
                parts = [(at, half)]
                if shape.core is not None:
                    parts.append(((at[0], at[1] + half[1] - shape.core[1]), shape.core))
                if all(claim.holds(*part, shape.radius) for part in parts):
                    self.tied[key] = 0.0, None
        return self.tied[key]


def cut_lengths(name: str) -> Iterator[tuple[float, int]]:
    """Yield (cost, letters) for a shortened name that has no room otherwise."""
    for number, length in enumerate(_CUT_LENGTHS):
        if length < len(name):
            yield _SHORT_COST + number * _SHORTER_COST, length


def crowding(room: float, enough: float) -> float:
    """Return the cost of crowding at a given room."""
    if room >= enough:
        return 0.0
    tight = _TIGHT_MORE * max(0.0, _TIGHT - room)
    return enough - room + tight + _TOUCH_MORE * max(0.0, _TOUCH - room)


def roomy(cost: float, enough: float) -> float:
    """Return the room at a given cost of crowding, the inverse of `crowding`."""
    if cost <= enough - _TIGHT:
        return enough - cost
    slope = 1 + _TIGHT_MORE
    room = (enough + _TIGHT_MORE * _TIGHT - cost) / slope
    return room if room >= _TOUCH else _TOUCH - (_TOUCH - room) * slope / (slope + _TOUCH_MORE)


def apart_cost(one: Place, other: Place) -> float:
    """Return the cost of two words near each other, and of a leader of one that runs through the
    other."""
    enough = one.enough if one.enough > other.enough else other.enough
    if one.rivals == other.rivals:
        enough = max(enough, RIVALS[one.rivals])
    gap = _gap(one, other, enough * one.scale)
    cost = 0.0 if gap is None else crowding(gap / one.scale, enough)
    for led, word in ((one, other), (other, one)):
        if led.leader is not None:
            room = line_distance((word.x, word.y), word.half, led.leader) - word.radius
            cost += crowding(room / one.scale, _BESIDE_LEADER)
    return cost


def _gap(one: Place, other: Place, most: float) -> float | None:
    """Return the distance of two words in mm, negative if they overlap; None if it is `most` or
    more."""
    reach = most + one.radius + other.radius
    dx = abs(one.x - other.x) - one.half[0] - other.half[0]
    if dx >= reach:
        return None
    dy = abs(one.y - other.y) - one.half[1] - other.half[1]
    if dy >= reach:
        return None
    gap = math.hypot(dx, dy) if dx > 0 and dy > 0 else max(dx, dy)
    return gap - one.radius - other.radius


def touching(words: Sequence[Word], places: Sequence[Place], dry: Field) -> bool:
    """Return True if a word that can be shortened overlaps another, anything else in the hex or, if
    it is a name, water."""
    for word, place in zip(words, places, strict=True):
        if word.kind not in _SHORTER:
            continue
        field = word.field if word.kind == "value" else dry
        if place.radius:
            room = field.room(place.x, place.y, (0.0, 0.0), place.radius, enough=EPSILON)
        else:
            room = min(field.room(*box, enough=EPSILON) for box in _boxes(place))
        if room < -EPSILON or any(
            _gap(place, other, 0.0) is not None for other in places if other is not place
        ):
            return True
    return False


def _boxes(place: Place) -> Iterator[tuple[float, float, Point]]:
    """Yield the middle and size of each line of a word, or of the whole word if it is more than
    lines; without its corners, which no letter fills."""
    block, runs = place.shape.block, []
    for item in block.items:
        if not isinstance(item, TextRun):
            yield place.x, place.y, (block.width, block.height)
            return
        runs.append(item)
    for run in runs:
        xs, ys = zip(*run_corners(run), strict=True)
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        share = max(0.5, 1 - 2 * _CORNER_MM / math.hypot(width, height))
        yield (
            place.x + (max(xs) + min(xs)) / 2,
            place.y + (max(ys) + min(ys)) / 2,
            (share * width, share * height),
        )


# The choice of places for all words of a hex at once. Words stay within their hex, so that a tile
# hides exactly the words that it replaces. So every hex is a small separate problem.


def choose(words: Sequence[Word]) -> Choice[Place]:
    """Return the places with the lowest total cost."""
    ideal = [word.best() for word in words]
    least = math.fsum(place.cost for place in ideal)
    if total_cost(ideal) - least < EPSILON:
        return Choice(tuple(ideal), least)
    # A good start makes the search faster: place words greedily, then move one at a time as long as
    # this improves the total.
    start = _in_turn(words, ideal)
    cost = total_cost(start)
    for _ in range(4):
        for k, word in enumerate(words):
            others = [*start[:k], *start[k + 1 :]]
            start[k] = _beside(word, ideal[k], start[k], others)
        now = total_cost(start)
        if now > cost - EPSILON:
            break
        cost = now
    own = [place.cost for place in ideal]
    slack = total_cost(start) - math.fsum(own)
    rows = []
    for word, cheapest in zip(words, own, strict=True):
        within = word.within(cheapest + slack + SURE)
        rows.append([(place.cost - cheapest, place) for place in within])
    search = Search(rows, start, slack, apart_cost)
    search.run()
    cost = math.fsum(own) + search.slack if search.found else total_cost(start)
    return Choice(tuple(search.best), cost, search.proved)


def _in_turn(words: Sequence[Word], ideal: Sequence[Place]) -> list[Place]:
    chosen: list[Place] = []
    for word, place in zip(words, ideal, strict=True):
        chosen.append(_beside(word, place, place, chosen))
    return chosen


def _beside(word: Word, ideal: Place, place: Place, others: Sequence[Place]) -> Place:
    """Return the place with the lowest cost given others; nothing is better than a word's ideal
    place with nothing near it."""
    if not any(apart_cost(ideal, other) for other in others):
        return ideal
    return word.better(place, others)


def total_cost(places: Sequence[Place]) -> float:
    """Return the total cost of places: of each on its own, and of each pair for its distance."""
    pairs = (apart_cost(one, other) for k, one in enumerate(places) for other in places[:k])
    return math.fsum((*(place.cost for place in places), *pairs))
