"""Words of a hex with their candidate places, and what a place costs.

Costs are in mm on a hex of 38.1 mm: a cost of 1 is as bad as standing 1 mm closer to something than
is wanted. A choice of places is scored by the sum of

- `Option.cost`: smaller type than the style says, a name on several lines, a cost beside its symbol instead of below;
- the cost of the place: how far it is from the preferred side and from what it belongs to, and how hard it is to tell
  to which of several stops it belongs;
- `crowding` by track, stops and edges (once, by the nearest of them), and by every other word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from enum import Enum

from msgspec import Struct

from platelayer.drawing.hex.claims import Claim, line_distance
from platelayer.drawing.hex.places import Candidate, Field
from platelayer.drawing.kit.text_blocks import Block
from platelayer.foundation.ties import measured
from platelayer.scene.flatten import Line
from platelayer.scene.shapes import Point, TextRun
from platelayer.scene.typeset import run_corners

_TIGHT, _TIGHT_MORE = 0.7, 4.0
"""Below this distance each mm counts five times."""
_TOUCH, _TOUCH_MORE = 0.25, 95.0
"""Below this distance, which the lines round slots and discs take up, each mm counts a hundred
times."""
_CORNER_MM = 0.1
"""So far the corners of a line may reach into something, as in the check of legibility."""
RIVALS = {"": 0.0, "letters": 4.0, "values": 5.0}
"""How far words stay from each other: a name and a label that would read as one, values of
different stops."""
_BESIDE_LEADER = 0.7
_CUT_LENGTHS = (40, 28, 20, 14, 10, 7, 5, 3, 2, 1)
_SHORT_COST, _SHORTER_COST = 20.0, 0.1
"""Leaving out letters is nearly as bad as touching something."""
_SHORTER = ("name", "offboard", "value")
"""Kinds of words that become shorter or smaller than their style says, where nothing else helps."""
_EPSILON = 1e-9


class Shape(Struct, frozen=True):
    """Shape of a word: a block that fills its box, or the disc of a radius in mm. `core` is half
    the width and height of what is at the bottom of a block and must be at the word's stop by
    itself: the values below a name."""

    block: Block
    radius: float = 0.0
    core: Point | None = None


class Tie(Enum):
    """By what a word of one of several stops is known to be that stop's: it stands plainly at it, a
    leader runs to it, or nothing."""

    NEAR = 0
    LED = 1
    NONE = 2


Tied = tuple[float, Line | None]
"""Cost of tying a word to its stop, and the leader, if there is one."""


class Option(Struct, frozen=True):
    """One way to print a word: what it costs, and its shape and the places for it, cheapest first.
    They are worked out only if cheaper options leave something to wish for. `smaller` says that it
    is not the size of its style."""

    cost: float
    make: Callable[[], tuple[Shape, Sequence[Candidate]]]
    smaller: bool
    tie: Tie = Tie.NEAR


class Place(Struct, frozen=True):
    """A word at a place in mm from the centre of its hex. `cost` is all that it costs beside track,
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


class Word(Struct, frozen=True):
    """Something that looks for its place: its kind (for statistics), its options by rising cost,
    the distance in mm (on a hex of 38.1 mm) that is `enough`, and the words from which it keeps
    farther away (`RIVALS`)."""

    kind: str
    options: tuple[Option, ...]
    enough: float
    rivals: str
    field: Field
    scale: float
    ways: dict[int, tuple[Shape, Sequence[Candidate]]]
    """The shape and the places of each option that has been needed so far."""
    known: dict[tuple[int, int], tuple[float, bool]]
    """The room found so far at a candidate of an option, and whether it is exact: else it is at
    most that."""
    tied: dict[tuple[int, int], Tied | None]
    """Ties of the candidates of an option to the stop, as far as they have been needed."""
    claim: Claim | None = None
    """That of the one of several stops that it belongs to."""

    def best(self) -> Place:
        """The place that costs least on its own."""
        *_, least = self._search(math.inf, (), falling=True)
        return least

    def better(self, place: Place, others: Sequence[Place]) -> Place:
        """The place that costs least beside others: the given one, or one that costs less."""
        beside = place.cost + math.fsum(apart_cost(place, other) for other in others)
        *_, least = (place, *self._search(beside, others, falling=True))
        return least

    def within(self, limit: float) -> list[Place]:
        """All places that cost at most `limit` on their own, cheapest first."""
        return sorted(
            self._search(limit, (), falling=False), key=lambda place: measured(place.cost)
        )

    def _search(self, limit: float, others: Sequence[Place], *, falling: bool) -> Iterator[Place]:
        """Places that cost at most a limit beside others; with `falling`, each costs less than the
        one before."""
        field, scale = self.field, self.scale
        enough = self.enough * scale
        for number, option in enumerate(self.options):
            if option.cost > limit:
                return
            if number not in self.ways:
                self.ways[number] = option.make()
            shape, candidates = self.ways[number]
            width, height, radius = shape.block.width, shape.block.height, shape.radius
            half = (0.0, 0.0) if radius else (width / 2, height / 2)
            for index, (extra, x, y) in enumerate(candidates):
                base = option.cost + extra
                spare = limit - base
                if spare < 0:
                    break
                floor = roomy(spare, self.enough) * scale - 1e-9
                room, exact = self.known.get((number, index), (math.inf, False))
                if room > floor and not exact:
                    if radius:
                        room = field.disc_room(x, y, radius, enough=enough, floor=floor)
                    else:
                        room = field.box_room(x, y, (width, height), enough=enough, floor=floor)
                    self.known[number, index] = room, room > floor
                tied = (
                    self._tied(option.tie, (number, index), (x, y), shape) if room > floor else None
                )
                if tied is None:
                    continue
                more, leader = tied
                cost = base + crowding(room / scale, self.enough) + more
                if more and cost > limit:
                    continue
                place = Place(
                    cost,
                    x,
                    y,
                    half,
                    radius,
                    self.enough,
                    self.rivals,
                    scale,
                    shape,
                    option.smaller,
                    leader,
                )
                if falling:
                    total = cost + math.fsum(apart_cost(place, other) for other in others)
                    if total >= limit - _EPSILON:
                        continue
                    limit = total
                yield place

    def _tied(self, tie: Tie, key: tuple[int, int], at: Point, shape: Shape) -> Tied | None:
        """Tie of a word to its stop at a place; None if it needs one and has none."""
        claim = self.claim
        if claim is None or tie is Tie.NONE:
            return 0.0, None
        if key not in self.tied:
            half = (0.0, 0.0) if shape.radius else (shape.block.width / 2, shape.block.height / 2)
            if tie is Tie.LED:
                leader = claim.leader(at, half, shape.radius)
                self.tied[key] = None if leader is None else (claim.leader_cost(leader), leader)
            else:
                parts = [(at, half)]
                if shape.core is not None:
                    parts.append(((at[0], at[1] + half[1] - shape.core[1]), shape.core))
                self.tied[key] = (
                    (0.0, None) if all(claim.holds(*part, shape.radius) for part in parts) else None
                )
        return self.tied[key]


def cut_lengths(name: str) -> Iterator[tuple[float, int]]:
    """(cost, letters) for what may be left of a name that has no room at all."""
    for number, length in enumerate(_CUT_LENGTHS):
        if length < len(name):
            yield _SHORT_COST + number * _SHORTER_COST, length


def crowding(room: float, enough: float) -> float:
    """The cost of crowding at a given room."""
    if room >= enough:
        return 0.0
    return (
        enough
        - room
        + _TIGHT_MORE * max(0.0, _TIGHT - room)
        + _TOUCH_MORE * max(0.0, _TOUCH - room)
    )


def roomy(cost: float, enough: float) -> float:
    """The room at a given cost of crowding: the inverse."""
    if cost <= enough - _TIGHT:
        return enough - cost
    slope = 1 + _TIGHT_MORE
    room = (enough + _TIGHT_MORE * _TIGHT - cost) / slope
    return room if room >= _TOUCH else _TOUCH - (_TOUCH - room) * slope / (slope + _TOUCH_MORE)


def apart_cost(one: Place, other: Place) -> float:
    """Cost of two words beside each other, and of a leader of one that runs through the other."""
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
    """How far apart two words stand in mm, below 0 if they overlap; None if that is `most` or
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
    """Whether a word that can be shorter overlaps another, or what is in a hex besides them and,
    for a name, water."""
    for word, place in zip(words, places, strict=True):
        if word.kind not in _SHORTER:
            continue
        field = word.field if word.kind == "value" else dry
        if place.radius:
            room = field.disc_room(place.x, place.y, place.radius, enough=_EPSILON)
        else:
            room = min(field.box_room(*box, enough=_EPSILON) for box in _boxes(place))
        if room < -_EPSILON or any(
            _gap(place, other, 0.0) is not None for other in places if other is not place
        ):
            return True
    return False


def _boxes(place: Place) -> Iterator[tuple[float, float, Point]]:
    """The middle and size of each line of a word, or of all of it where it is more than lines;
    without its corners, which no letter fills."""
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
