"""Verification of a proof that a company's trains earn nothing more.

Nothing here is shared with the search in `runs.py` but the network of track, and the fields of a
case. A case without further cases gives each train a share, and each side a toll; no run, less the
tolls of its sides, may be worth more than its train's share. Whatever the trains run together, each
side is used once at most, so they earn at most the shares and the tolls in sum. If that is more
than what was found, only runs that fall short of their shares by no more than the difference can
earn more together: the case holds if no combination of these does. A case with further cases holds
if these do, and if a side is for one train alone in each, and for each train in one: trains that
are alike stand for each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import gcd
from typing import NamedTuple

from msgspec import Struct

from platelayer.play.network import Bonus, Engine, Network

# Shares and tolls are whole numbers of parts of money, so that nothing is rounded.
PARTS = 240


class Case(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A case of a proof: `shares` of the trains and `tolls` of sides, in PARTS; or a `side`, and a
    case for each train (by its number) that may be the only one to use it. Where the company has a
    car that runs with another train, a case for each of its `carriers` (by their numbers among the
    other trains)."""

    shares: tuple[int, ...] = ()
    tolls: dict[str, int] = {}
    side: str | None = None
    cases: dict[str, Case] = {}
    carriers: dict[str, Case] = {}


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """A run: the numbers of its stops, each with its hex, and the sides between them."""

    stops: tuple[tuple[str, int], ...]
    sides: tuple[tuple[str, ...], ...]
    value: int


class Refused(Exception):
    """A proof that does not prove what it says."""


def verify(
    network: Network,
    trains: Sequence[Engine],
    runs: Sequence[Shown | None],
    total: int,
    case: Case,
) -> None:
    """Raise Refused unless these runs are legal, earn `total` together, and no others earn more."""
    if len(runs) != len(trains):
        raise Refused(f"there are {len(trains)} trains and {len(runs)} runs")
    cars = [train for train in trains if train.car]
    own = [train for train in trains if not train.car]
    if any(run for run, train in zip(runs, trains, strict=True) if train.car):
        raise Refused("a car has a run of its own")
    theirs = [run for run, train in zip(runs, trains, strict=True) if not train.car]
    if not cars or not own:
        verifier = _Verifier(network, own)
        verifier.runs(theirs, total)
        verifier.case(case, total)
        return
    refused, legal = Refused("a car has no carrier"), False
    for number, train in enumerate(own):
        carried = [*own]
        carried[number] = train._replace(doubles=cars[0].doubles)
        verifier = _Verifier(network, carried)
        first = str(own.index(train))
        if first not in case.carriers:
            raise Refused(f"no case has train {number + 1} as the carrier of the car")
        if first == str(number):
            verifier.case(case.carriers[first], total)
        try:
            verifier.runs(theirs, total)
        except Refused as error:
            refused = error
        else:
            legal = True
    if not legal:
        raise refused


class _Verifier:
    def __init__(self, network: Network, trains: Sequence[Engine]) -> None:
        self.network = network
        self.trains = [*trains]
        self.leaving = {engine: network.leaving_for(engine) for engine in trains}
        self.number = {name: side for side, name in enumerate(network.names)}
        self.at = {(place.hex, place.stop): n for n, place in enumerate(network.places)}
        self.kinds = [
            "town" if place.kind.value == "halt" else place.kind.value for place in network.places
        ]
        self.paid = cache(self._paid)
        # One stop that a train doubles is a bonus, too.
        self.bonuses: dict[Engine, list[Bonus]] = {}
        for engine in trains:
            at = [
                (n, p.value) for n, p in enumerate(network.places) if p.kind.value in engine.doubles
            ]
            doubled = [Bonus(frozenset(), visits=(tuple(at),))] if at else []
            self.bonuses[engine] = [*network.bonuses, *doubled]

    def _paid(
        self, engine: Engine, places: tuple[int, ...], must: frozenset[int] = frozenset()
    ) -> int | None:
        """The most that a train is paid for these places, and for those that `must` pay, None if it may
        not visit them all: each is given to one entry of its reach, in all ways."""
        reach = engine.reach
        counted = [p for p in places if any(self.kinds[p] in each.stops for each in reach)]
        ways = {(tuple(0 for _ in reach), tuple(0 for _ in reach)): 0}
        for place in counted:
            further: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
            for (visits, pays), earned in ways.items():
                for index, each in enumerate(reach):
                    count = visits[index] + self.network.places[place].visits
                    over = each.visit is not None and count > each.visit
                    if over or self.kinds[place] not in each.stops:
                        continue
                    more = (*visits[:index], count, *visits[index + 1 :])
                    if place not in must:
                        further[more, pays] = max(further.get((more, pays), -(10**9)), earned)
                    paying = pays[index] + self.network.places[place].visits
                    if each.pay is None or 0 != each.pay >= paying:
                        one = (*pays[:index], paying, *pays[index + 1 :])
                        value = earned + each.multiplier * self.network.places[place].value
                        further[more, one] = max(further.get((more, one), -(10**9)), value)
            ways = further
        return max(ways.values(), default=None)

    def _worth(self, engine: Engine, places: tuple[int, ...]) -> int | None:
        """The most that a train earns on a run through these places, in order, with its bonuses."""
        tokens = [place for place in places if self.network.places[place].own]
        covered = {p for p in places if any(self.kinds[p] in e.stops for e in engine.reach)}
        # If only some of the stops pay, one with a token does.
        paying = covered & {*tokens} if any(e.in_part and e.pay for e in engine.reach) else ()
        ways = [(0, frozenset({token})) for token in sorted(paying)] or [(0, frozenset[int]())]
        for ends, amounts, visits in self.bonuses[engine]:
            if tokens and (not ends or (places[0] in ends and places[-1] in ends)):
                fixed = 0
                if amounts:
                    fixed = amounts[-1] if len(tokens) > len(amounts) else amounts[len(tokens) - 1]
                with_it = [(earned + fixed, must) for earned, must in ways]
                for group in visits:
                    with_it = [
                        (earned + pay, must | {stop})
                        for earned, must in with_it
                        for stop, pay in group
                        if stop in places
                    ]
                ways += with_it
        order = tuple(sorted(places))
        paid = [(self.paid(engine, order, must & covered), earned) for earned, must in ways]
        return max((least + earned for least, earned in paid if least is not None), default=None)

    def runs(self, runs: Sequence[Shown | None], total: int) -> None:
        """Refuse runs that are not legal, or do not earn the total."""
        used: set[str] = set()
        for train, run in enumerate(runs):
            if run is not None:
                self._legal(train, run)
                sides = [side for some in run.sides for side in some]
                twice = sorted(used & {*sides}) or sorted(s for s in sides if sides.count(s) > 1)
                if twice:
                    raise Refused(f"side {twice[0]} is used twice")
                used.update(sides)
        if sum(run.value for run in runs if run is not None) != total:
            raise Refused(f"the runs do not earn {total}")

    def case(self, case: Case, total: int) -> None:
        """Refuse a case that does not prove that the trains earn no more than the total."""
        # All amounts are multiples of one, so what is less than the next one is no more.
        unit = gcd(
            *(
                place.value * each.multiplier
                for kind, place in zip(self.kinds, self.network.places, strict=True)
                for engine in self.trains
                for each in engine.reach
                if kind in each.stops and each.pay != 0
            ),
            *(
                amount
                for bonuses in self.bonuses.values()
                for _, amounts, visits in bonuses
                for amount in (*amounts, *(pay for group in visits for _, pay in group))
            ),
        )
        unit = unit or 1
        self._case(case, (total // unit + 1) * unit, [0] * len(self.trains))

    def _legal(self, train: int, run: Shown) -> None:
        """Refuse a run that this train cannot make, or that is not worth what it says."""
        places = [self.at.get(stop, -1) for stop in run.stops]
        engine, steps = self.trains[train], 0
        stays = self._stays(engine, places[0], run.sides) if len(places) == 1 else False
        if -1 in places or not (stays or len(run.sides) == len(places) - 1 > 0):
            raise Refused("a run is not from stop to stop")
        for one, two, sides in zip(places, places[1:], run.sides, strict=False):
            bits = sum(1 << self.number.get(side, len(self.number)) for side in {*sides})
            from_here = self.leaving[engine][one]
            steps += min((c.steps for c in from_here if (c.end, c.sides) == (two, bits)), default=0)
            if not any((c.end, c.sides) == (two, bits) for c in from_here):
                raise Refused(f"no track leads from {run.stops[places.index(one)]} over {sides}")
        if engine.hexes is not None and steps > engine.hexes:
            raise Refused(f"the run of train {train + 1} is too long")
        if not all(self.network.places[place].open for place in places[1:-1]):
            raise Refused("a run passes a stop where it ends")
        if not any(self.network.places[place].own for place in places):
            raise Refused("a run has no token of the company")
        if len({self.network.places[place].bit for place in places}) < len(places):
            raise Refused("a run visits a place twice")
        if not (stays or sum(self.network.places[place].counts for place in places) > 1):
            raise Refused("a run has less than two stops that count")
        if not self._starts(engine, tuple(places)):
            raise Refused(f"a run does not begin at {engine.starts_at}")
        if self._worth(engine, tuple(places)) != run.value:
            raise Refused(f"the run of train {train + 1} is not worth {run.value}")

    def _stays(self, engine: Engine, place: int, sides: tuple[tuple[str, ...], ...]) -> bool:
        """True if a train may stay at a stop, and uses these sides there."""
        if self.network.local:
            return not sides
        loop = f"{self.network.places[place].hex}:{self.network.places[place].stop}"
        return engine.local and sides == ((loop,),)

    def _starts(self, engine: Engine, places: tuple[int, ...]) -> bool:
        """True if a run begins or ends where its train has to."""
        icons = (*self.network.places[places[0]].icons, *self.network.places[places[-1]].icons)
        return engine.starts_at is None or engine.starts_at in icons

    def _case(self, case: Case, less: int, closed: Sequence[int]) -> None:
        """Refuse a case by which all trains could earn `less` or more; `closed` are the sides, as bits,
        that each must leave alone."""
        kinds = [*zip(self.trains, closed, strict=True)]
        if case.side is not None:
            if case.side not in self.number:
                raise Refused(f"there is no side {case.side}")
            side = 1 << self.number[case.side]
            told = [kind for train, kind in enumerate(kinds) if str(train) in case.cases]
            for train, kind in enumerate(kinds):
                if not kind[1] & side and kind not in told:
                    raise Refused(f"no case gives {case.side} to train {train + 1}")
            if not case.cases:
                raise Refused(f"no case of {case.side} is told")
            for name, further in case.cases.items():
                narrower = [
                    bits if str(train) == name else bits | side for train, bits in enumerate(closed)
                ]
                self._case(further, less, narrower)
            return
        if len(case.shares) != len(self.trains) or min((*case.shares, *case.tolls.values(), 0)) < 0:
            raise Refused("a case lacks a share, or has one below zero")
        tolls = [case.tolls.get(name, 0) for name in self.network.names]
        if not case.tolls.keys() <= self.number.keys():
            raise Refused("a toll is on no side")
        # Trains that earn `less` together fall short of the shares and tolls by this.
        excess = sum(case.shares) + sum(tolls) - less * PARTS
        shares: dict[tuple[Engine, int], int] = {}
        near: dict[tuple[Engine, int], list[tuple[int, int]]] = {}
        for train, (kind, share) in enumerate(zip(kinds, case.shares, strict=True)):
            if shares.setdefault(kind, share) != share:
                raise Refused("trains that are alike have different shares")
            if kind not in near:
                short: dict[int, int] = {0: share} if share <= excess else {}
                for sides, net in self._above(*kind, tolls, share - max(excess, -1) - 1):
                    if net > share:
                        raise Refused(f"a run of train {train + 1} earns more than its share")
                    short[sides] = min(share - net, short.get(sides, share - net))
                near[kind] = sorted((lack, sides) for sides, lack in short.items())
        if excess >= 0:
            unused = sum(1 << side for side, toll in enumerate(tolls) if toll)
            self._together([(kind, near[kind]) for kind in kinds], tolls, unused, excess)

    def _together(
        self,
        waiting: list[tuple[object, list[tuple[int, int]]]],
        tolls: list[int],
        unused: int,
        spare: int,
    ) -> None:
        """Refuse a case in which runs that share no side lack no more than `spare`, with the tolls of
        sides that nobody uses. For each train, its runs: what each lacks to its share, and sides."""
        if not waiting:
            raise Refused("the shares and tolls of a case are too much")
        key, runs = min(waiting, key=lambda each: len(each[1]))
        others = [*waiting]
        others.remove((key, runs))
        for number, (lack, sides) in enumerate(runs):
            left = []
            for other, theirs in others:
                # Of trains that are alike, each has a later run than the one before, or none.
                later = theirs[number + bool(sides) :] if other == key else theirs
                left.append((other, [run for run in later if not run[1] & sides]))
            reached = 0
            for _, theirs in left:
                for _, bits in theirs:
                    reached |= bits
            idle = unused & ~sides & ~reached
            rest = spare - lack - sum(t for side, t in enumerate(tolls) if idle >> side & 1)
            if all(theirs for _, theirs in left):
                room = rest - sum(theirs[0][0] for _, theirs in left)
                if room >= 0:
                    fits = [
                        (other, [run for run in theirs if run[0] - theirs[0][0] <= room])
                        for other, theirs in left
                    ]
                    self._together(fits, tolls, unused & ~sides & ~idle, rest)

    def _above(
        self, engine: Engine, closed: int, tolls: list[int], floor: int
    ) -> Iterator[tuple[int, int]]:
        """Runs that are worth more than a floor less tolls, as sides and these net earnings, from
        either end."""
        network, leaving = self.network, self.leaving[engine]
        prices = {
            chain.sides: sum(toll for side, toll in enumerate(tolls) if chain.sides >> side & 1)
            for chains in leaving
            for chain in chains
            if not chain.sides & closed
        }
        ahead = _Ahead(self, engine, prices)
        extra = sum(
            max(amounts, default=0) + sum(max(pay for _, pay in group) for group in visits)
            for _, amounts, visits in self.bonuses[engine]
        )

        def onward(
            places: tuple[int, ...], used: tuple[int, int, int], toll: int, own: bool
        ) -> Iterator[tuple[int, int]]:
            bits, sides, steps = used
            paid = self.paid(engine, tuple(sorted(places)))
            if paid is None or (engine.hexes is not None and steps > engine.hexes):
                return
            stops = sum(network.places[place].counts for place in places)
            if own and stops > 1 and self._starts(engine, places):
                net = (self._worth(engine, places) or 0) * PARTS - toll
                if net > floor:
                    yield sides, net
            if len(places) > 1 and not network.places[places[-1]].open:
                return
            # Without this bound, 534 recorded proofs take more than four minutes instead of 97 s.
            if ahead.most(places, steps, own) <= floor + toll - extra * PARTS:
                return
            for chain in leaving[places[-1]]:
                to = network.places[chain.end]
                if to.bit & bits or chain.sides & (sides | closed):
                    continue
                yield from onward(
                    (*places, chain.end),
                    (bits | to.bit, sides | chain.sides, steps + chain.steps),
                    toll + prices[chain.sides],
                    own or to.own,
                )

        for start, place in enumerate(network.places):
            if place.own and (network.local or engine.local) and self._starts(engine, (start,)):
                bits = 0 if network.local else place.loop
                toll = sum(t for side, t in enumerate(tolls) if bits >> side & 1)
                net = (self._worth(engine, (start,)) or 0) * PARTS - toll
                if not bits & closed and net > floor:
                    yield bits, net
            yield from onward((start,), (place.bit, 0, 0), 0, place.own)


class _Ahead:
    """More than a run can earn further on, less tolls.

    A walk may visit stops again, but no more of them than the reach allows in all: the most that it
    earns is known for each stop at which it begins and for each number of visits. Where visits are
    not limited, payments may be; what is paid without a limit is added for all stops.
    """

    def __init__(self, verifier: _Verifier, engine: Engine, prices: dict[int, int]) -> None:
        network, reach = verifier.network, engine.reach
        named = [[each for each in reach if kind in each.stops] for kind in verifier.kinds]
        self.worth = [
            max(0, *(each.multiplier * place.value * (each.pay != 0) for each in entries), 0)
            * PARTS
            for entries, place in zip(named, network.places, strict=True)
        ]
        still = {c.end for chains in network.leaving for c in chains if not c.steps}
        self.by_hexes = engine.hexes is not None
        # Stops that each take one of the visits, or of the payments if they are paid.
        self.visits = [False] * len(named)
        self.pays = [False] * len(named)
        # Stops that pay without a limit.
        self.free = [False] * len(named)
        for at, (entries, place) in enumerate(zip(named, network.places, strict=True)):
            if self.by_hexes:
                self.free[at] = at in still
            elif entries and place.visits and all(each.visit is not None for each in entries):
                self.visits[at] = True
            elif place.visits and all(each.pay is not None for each in entries):
                self.pays[at] = bool(self.worth[at])
            else:
                self.free[at] = True
        limits = (each.pay if each.visit is None else each.visit for each in reach)
        budget = sum(limit for limit in limits if limit is not None)
        self.budget = min(budget, len(named)) if engine.hexes is None else engine.hexes
        self.all_free = sum(w for w, free in zip(self.worth, self.free, strict=True) if free)
        # By what may still be visited and whether a token was: for each stop, the most that follows,
        # the stop that comes next then, and the most if another comes next.
        self.table: list[tuple[list[_Next], list[_Next]]] = []
        ends = [_Next(-(10**15), -1, -(10**15))] * len(named), [_Next(0, -1, 0)] * len(named)
        ways = [
            (start, c.end, prices[c.sides], c.steps, network.places[c.end])
            for start, chains in enumerate(verifier.leaving[engine])
            for c in chains
            if c.sides in prices
        ]
        for left in range(self.budget + 1):
            row = ([*self.table[-1][0]], [*self.table[-1][1]]) if left else ([*ends[0]], [*ends[1]])
            self.table.append(row)
            for _ in named:
                changed = False
                for start, end, price, steps, place in ways:
                    takes = steps if self.by_hexes else self.visits[end]
                    gain = 0 if self.free[end] or self.pays[end] else self.worth[end]
                    for own in (0, 1):
                        after = -(10**15)
                        if takes <= left:
                            there = (self.table[left - takes] if place.open else ends)[
                                own or place.own
                            ]
                            after = there[end].after(start)
                        if self.pays[end] and left:
                            there = (self.table[left - 1] if place.open else ends)[own or place.own]
                            after = max(after, there[end].after(start) + self.worth[end])
                        best = row[own][start].with_way(after + gain - price, end)
                        if best is not row[own][start]:
                            row[own][start], changed = best, True
                if not changed:
                    break

    def most(self, places: tuple[int, ...], steps: int, own: bool) -> int:
        """More than any run earns that begins with these places, before the tolls up to there."""
        left = self.budget - (steps if self.by_hexes else sum(self.visits[p] for p in places))
        if left < 0:
            return 0
        before = places[-2] if len(places) > 1 else -2
        sure = self.all_free + sum(
            self.worth[place] for place in places if not (self.free[place] or self.pays[place])
        )
        paid = sorted((self.worth[place] for place in places if self.pays[place]), reverse=True)
        return sure + max(
            sum(paid[:number]) + self.table[left - number][own][places[-1]].after(before)
            for number in range(min(len(paid), left) + 1)
        )


class _Next(NamedTuple):
    """The most that may follow, the stop that comes next then, and the most if another comes next:
    no run goes right back."""

    most: int
    stop: int
    other: int

    def after(self, stop: int) -> int:
        """The most that may follow if a run comes from a stop."""
        return self.other if stop == self.stop else self.most

    def with_way(self, most: int, stop: int) -> _Next:
        """The same with one more way on."""
        if stop == self.stop:
            return _Next(most, stop, self.other) if most > self.most else self
        if most > self.most:
            return _Next(most, stop, self.most)
        return _Next(self.most, self.stop, most) if most > self.other else self
