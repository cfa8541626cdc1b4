"""Track of a position as a network: stops, and the chains of track between them.

A company's trains run on this network. Track between two stops is a chain; the sides of hexes that
it crosses decide which chains two trains can use at the same time. Sides are numbered, and a set of
sides is an integer with one bit for each. Sets of places are integers likewise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import gcd, inf
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from platelayer.model.gamemap import MapHex, neighbour, opposite
from platelayer.model.position import NEUTRAL, Position, placed
from platelayer.model.tile import EndKind, Lane, Segment, Stop, StopKind, stop_end
from platelayer.model.title import Title
from platelayer.model.train import Reach

# Maximum number of points of track passed in listing chains, for each second of the search (at least
# one), regardless of the machine's speed.
_POINTS = 50_000


class Engine(NamedTuple):
    """Reach of a train and other limits: `hexes` is the maximum number of steps from hex to hex
    (None: any), `gauges` the track that it may use (none: all), `starts_at` the icon of a place
    at one end of its run. One stop of the kinds `doubles` pays twice: on the run of another
    train if the engine is a `car`, otherwise on its own."""

    reach: tuple[Reach, ...]
    hexes: int | None = None
    gauges: tuple[str, ...] = ()
    starts_at: str | None = None
    doubles: tuple[str, ...] = ()
    car: bool = False

    @property
    def local(self) -> bool:
        """True if it visits one city at most. It may stay there if no other local train does."""
        visits = [each.visit for each in self.reach if "city" in each.stops]
        return not self.car and None not in visits and sum(filter(None, visits)) == 1


def engines_of(title: Title, company: str, trains: Iterable[str]) -> tuple[Engine, ...]:
    """Return the engines of a company's trains, given by name."""
    faces = [title.faces_by_name[train] for train in trains]
    engines = [
        Engine(
            face.reach, face.hexes, face.gauges, face.starts_at, face.doubles, bool(face.doubles)
        )
        for face in faces
    ]
    more = title.company_by_id[company].single_train_stops
    if len(engines) == 1 and more:
        (engine,) = engines
        first, *rest = engine.reach
        visit = None if first.visit is None else first.visit + more
        pay = None if first.pay is None else first.pay + more
        engines = [engine._replace(reach=(replace(first, visit=visit, pay=pay), *rest))]
    return tuple(engines)


class Place(NamedTuple):
    """A stop of the position, which counts as `visits` stops. `bit` represents it in sets of
    places; stops of one group share a bit. `open` is False where the company's trains must end:
    at an off-board, at track that tapers, in a city full of other companies' tokens. `own` is
    True if a token of the company is there from which a route may lead. A route needs two places
    with `counts`. `icons` are its icons at which trains start; `loop` is the side used by a
    train that stays there."""

    hex: str
    stop: int
    kind: StopKind
    value: int
    bit: int
    open: bool
    own: bool
    visits: int = 1
    counts: bool = True
    icons: tuple[str, ...] = ()
    loop: int = 0


class Chain(NamedTuple):
    """Track from one place to the next: the sides of hexes on the way, as bits; the segments in
    order, each with its hex; and the number of steps from hex to hex."""

    start: int
    end: int
    sides: int
    track: tuple[tuple[str, Segment], ...]
    steps: int = 0


class Bonus(NamedTuple):
    """Bonus for routes between two of the places `ends` (none: any) that are paid for one stop of
    each group in `visits`: the amounts given with these stops, plus one of `amounts`, by the
    number of own tokens on the route (for more tokens, the last)."""

    ends: frozenset[int]
    amounts: tuple[int, ...] = ()
    visits: tuple[tuple[tuple[int, int], ...], ...] = ()


class Network(Struct, frozen=True, kw_only=True):
    """Everything that the trains of one company can run on. `leaving` has the chains from each
    place (the shortest, if not the `whole` network was listed); `names` are those of the sides, such
    as "G4/2", by bit. If routes are `local`, a train may stay at a single stop, even if others stay
    there."""

    places: tuple[Place, ...]
    leaving: tuple[tuple[Chain, ...], ...]
    names: tuple[str, ...]
    bonuses: tuple[Bonus, ...] = ()
    local: bool = False
    whole: bool = True

    @property
    def unit(self) -> int:
        """Amount of which all incomes are multiples."""
        added = (
            amount
            for bonus in self.bonuses
            for amount in (*bonus.amounts, *(pay for group in bonus.visits for _, pay in group))
        )
        return gcd(*(place.value for place in self.places), *added) or 1

    def leaving_for(self, engine: Engine) -> tuple[tuple[Chain, ...], ...]:
        """Return, for each place, the chains from it that a train may use."""
        # Light railways and ferries carry all trains.
        barred = {gauge for gauge in ("standard", "narrow", "dual") if gauge not in engine.gauges}
        closed = {
            number
            for number, place in enumerate(self.places)
            if place.icons and engine.starts_at not in place.icons
        }
        if not (closed or engine.gauges):
            return self.leaving
        return tuple(
            tuple(
                chain
                for chain in chains
                if not ({chain.start, chain.end} & closed)
                and not (
                    engine.gauges
                    and any(segment.gauge.value in barred for _, segment in chain.track)
                )
            )
            for chains in self.leaving
        )


class Reached(NamedTuple):
    """Everything to which a company can trace a route from its tokens: segments of track with their
    hexes, and stops by hex and index."""

    track: set[tuple[str, Segment]]
    stops: set[tuple[str, int]]


def reached_by(title: Title, position: Position, company: str) -> Reached:
    """Return the track and stops that a company can reach, passing every stop where its trains need
    not end."""
    tracks = _Tracks.of(title, position)
    places = _places(title, position, company, tracks)
    closed = {(place.hex, place.stop) for place in places if not place.open}
    found = Reached(set(), {(place.hex, place.stop) for place in places if place.own})
    # Points, with the hexes from which they are reached: track never turns back at a side.
    waiting: list[tuple[_Point, str]] = [
        ((hex_id, EndKind.STOP.value, stop), "") for hex_id, stop in sorted(found.stops)
    ]
    known = {*waiting}
    for point, came in waiting:
        for hex_id, to, _, segment in tracks.joined[point]:
            if point[1] == "side" and hex_id == came:
                continue
            found.track.add((hex_id, segment))
            if to[1] == EndKind.STOP.value:
                found.stops.add((to[0], to[2]))
                if (to[0], to[2]) in closed:
                    continue
            step = (to, hex_id if to[1] == "side" else "")
            if step not in known:
                known.add(step)
                waiting.append(step)
    return found


def _reached_in(title: Title, phase: str | None, *, by_key: bool) -> set[str | None]:
    """Return the phases up to this one (None: all) together with their tile colours or, with
    `by_key`, their revenue keys."""
    order = [each.id for each in title.phases]
    until = title.phases[: order.index(phase) + 1] if phase in order else title.phases
    reached: set[str | None] = {None}
    for each in until:
        reached.update((each.id, each.revenue) if by_key else (each.id, *each.tiles))
    return reached


def value_in(title: Title, stop: Stop, phase: str | None) -> int:
    """Return the value of a stop in a phase (None: the last); 0 if no value is printed."""
    reached = _reached_in(title, phase, by_key=any(each.revenue for each in title.phases))
    paid = [step.value for step in stop.revenue if step.since in reached]
    return paid[-1] if paid else stop.revenue[0].value if stop.revenue else 0


# A point where segments of track meet: a side of two hexes, or a stop or junction of one.
_Point = tuple[str, str, int]


class _Join(NamedTuple):
    """Segment seen from one of its points: its hex, the point at the other end, and its sides."""

    hex: str
    to: _Point
    sides: int
    segment: Segment


def network_of(title: Title, position: Position, company: str, *, seconds: float = inf) -> Network:
    """Return the network for a company's trains. The position must have no problems.

    Track with many junctions has more chains than anyone can list: the shortest are listed, in
    about `seconds`."""
    tracks = _Tracks.of(title, position)
    places = _places(title, position, company, tracks)
    number = {(place.hex, place.stop): index for index, place in enumerate(places)}
    shown, skips_full = title.shown_in(position), title.company_by_id[company].skips_full
    # Stops that a chain may skip.
    passed = {
        index
        for index, place in enumerate(places)
        if (stop := shown[place.hex].stops[place.stop]).optional
        or (skips_full and stop.slots and not place.open)
    }
    most = _POINTS * max(1, seconds) / max(1, len(places))
    found = [_chains(tracks, number, passed, place, most) for place in places]
    return Network(
        places=tuple(places),
        leaving=tuple(chains for chains, _ in found),
        whole=all(whole for _, whole in found),
        names=tuple(tracks.sides),
        bonuses=tuple(_bonuses(title, position, company, places)),
        local=title.local_routes,
    )


def _places(title: Title, position: Position, company: str, tracks: _Tracks) -> list[Place]:
    """Return the stops of a position as places for a company."""
    gamemap = title.map_of(position)
    shown = title.shown_in(position)
    tokens = defaultdict[tuple[str, int], list[str]](list)
    for token in placed(position):
        tokens[token.hex, token.stop].append(token.company)
    places: list[Place] = []
    groups: dict[str, int] = {}
    starts = {face.starts_at for train in title.trains for face in train.faces if face.starts_at}
    for hexagon in gamemap.hexes:
        icons = tuple(icon.name for icon in shown[hexagon.id].icons if icon.name in starts)
        for index, stop in enumerate(shown[hexagon.id].stops):
            held = tokens[hexagon.id, index]
            own = company in held
            # A neutral token blocks nobody.
            full = bool(stop.slots) and len(held) >= stop.slots and not {company, NEUTRAL} & {*held}
            ends = any(
                segment.terminal and stop_end(index) in segment.ends
                for segment in shown[hexagon.id].track
            )
            bit = len(places)
            one_city = title.one_city_per_hex and stop.kind is StopKind.CITY
            for group in (*stop.groups, *([f"hex:{hexagon.id}"] if one_city else ())):
                bit = groups.setdefault(group, bit)
            loop = f"{hexagon.id}:{index}"
            places.append(
                Place(
                    hex=hexagon.id,
                    stop=index,
                    kind=stop.kind,
                    value=value_in(title, stop, position.phase),
                    bit=1 << bit,
                    open=not (full or ends) and stop.kind is not StopKind.OFFBOARD,
                    own=own and stop.counts,
                    visits=stop.visits,
                    counts=stop.counts,
                    icons=icons,
                    loop=1 << tracks.sides.setdefault(loop, len(tracks.sides)) if own else 0,
                )
            )
    return places


def _bonuses(
    title: Title, position: Position, company: str, places: list[Place]
) -> Iterator[Bonus]:
    reached = _reached_in(title, position.phase, by_key=False)
    shown = title.shown_in(position)
    homes = {
        home.hex: shown[home.hex].colour
        for home in title.company_by_id[company].homes
        if home.hex in shown
    }

    def group(amounts: Iterable[tuple[str, int]]) -> tuple[tuple[int, int], ...]:
        by_hex = dict(amounts)
        return tuple(
            (number, by_hex[place.hex])
            for number, place in enumerate(places)
            if place.hex in by_hex
        )

    for table in title.bonuses:
        rows = [row for row in table.rows if row.head in reached]
        pays = table.pays
        if pays is not None and (rows or pays.visits or pays.home):
            ends = frozenset(
                number
                for number, place in enumerate(places)
                if place.kind.value in pays.ends and place.hex not in pays.without
            )
            amounts = rows[-1].amounts if rows else ()
            visits = [group(each) for each in pays.visits]
            if pays.home:
                paid = dict(pays.home)
                at_home = ((home, paid[colour]) for home, colour in homes.items() if colour in paid)
                visits.append(group(at_home))
            if all(visits) and (ends or not pays.ends):
                yield Bonus(ends, amounts if pays.per_token else amounts[:1], tuple(visits))
    for marker in dict(position.markers).get(company, ()):
        if places_of_marker := group((marker,)):
            yield Bonus(frozenset(), visits=(places_of_marker,))


def side_name(one: tuple[str, int], other: tuple[str, int], lane: Lane | None = None) -> str:
    """Return the name of the side between two hexes, such as "F3/1". Each hex is given with its
    edge there; the two count the lanes of the side from opposite ends."""
    width, index = (lane.width, lane.index) if lane else (1, 0)
    hex_id, edge, number = min((*one, index), (*other, width - 1 - index))
    return f"{hex_id}/{edge}" + (f".{number}of{width}" if width > 1 else "")


class _Tracks:
    """Segments of track by the points that they join, and numbers for the sides of hexes."""

    def __init__(self, title: Title, position: Position) -> None:
        self.gamemap = title.map_of(position)
        order = [each.id for each in title.phases]
        # Positions of phases in the game, for borders that appear or disappear with a phase.
        self.order = {phase: index for index, phase in enumerate(order)}
        self.now = self.order.get(position.phase or "", len(order))
        self.sides: dict[str, int] = {}
        self.joined: dict[_Point, list[_Join]] = defaultdict(list)

    @classmethod
    def of(cls, title: Title, position: Position) -> _Tracks:
        """Return all track of a position."""
        tracks, shown = cls(title, position), title.shown_in(position)
        for hexagon in tracks.gamemap.hexes:
            for segment in shown[hexagon.id].track:
                if segment.is_track:
                    tracks.add(hexagon, segment)
        return tracks

    def add(self, hexagon: MapHex, segment: Segment) -> None:
        """Add a segment with the bits of the sides that it touches, unless it leads off the map or
        to a closed edge."""
        points: list[_Point] = []
        bits = 0
        for which, end in enumerate(segment.ends):
            if end.kind is not EndKind.EDGE:
                points.append((hexagon.id, end.kind.value, end.index))
                continue
            at = neighbour(hexagon.at, end.index, self.gamemap.layout)
            other, back = self.gamemap.by_coord.get(at), opposite(end.index)
            if other is None or self.closed(hexagon, end.index) or self.closed(other, back):
                return
            lane = segment.lanes[which] if segment.lanes else None
            key = side_name((hexagon.id, end.index), (other.id, back), lane)
            bits |= 1 << self.sides.setdefault(key, len(self.sides))
            points.append((key, "side", 0))
        if not bits:  # between two stops, or a stop and the junction, of one hex
            key = f"{hexagon.id}:{points[0][1]}{points[0][2]}-{points[1][1]}{points[1][2]}"
            bits = 1 << self.sides.setdefault(key, len(self.sides))
        one, two = points
        self.joined[one].append(_Join(hexagon.id, two, bits, segment))
        self.joined[two].append(_Join(hexagon.id, one, bits, segment))

    def closed(self, hexagon: MapHex, edge: int) -> bool:
        """Return True if the edge is impassable in the position's phase."""
        return any(
            border.edge == edge
            and border.kind == "impassable"
            and self.order.get(border.since or "", 0) <= self.now
            and self.now < self.order.get(border.until or "", len(self.order) + 1)
            for border in hexagon.borders
        )


def _chains(
    tracks: _Tracks,
    number: dict[tuple[str, int], int],
    optional: set[int],
    place: Place,
    most: float,
) -> tuple[tuple[Chain, ...], bool]:
    """Return the chains that leave a place, each crossing every side and junction at most once, the
    shortest first; and True if these are all, False if the search stopped after `most` points."""
    start, whole = number[place.hex, place.stop], True
    chains: list[Chain] = []
    first: _Point = (place.hex, EndKind.STOP.value, place.stop)
    waiting: list[tuple[_Point, str, int, frozenset[_Point], tuple[tuple[str, Segment], ...]]]
    waiting = [(first, "", 0, frozenset((first,)), ())]
    for point, came, bits, passed, track in waiting:
        for hex_id, to, own, segment in tracks.joined[point]:
            # Beyond a side, track continues in the other hex; it never turns back at a side.
            if (point[1] == "side" and hex_id == came) or to in passed:
                continue
            sides, way = bits | own, (*track, (hex_id, segment))
            if to[1] == EndKind.STOP.value:
                end = number[hex_id, to[2]]
                if end != start:
                    steps = sum(one != other for (one, _), (other, _) in pairwise(way))
                    chains.append(Chain(start, end, sides, way, steps))
                if end not in optional:
                    continue
            if len(waiting) < most:
                waiting.append((to, hex_id, sides, passed | {to}, way))
            else:
                whole = False
    return tuple(chains), whole
