"""Verification of a proof that a company's trains earn nothing more.

Nothing here is shared with the search in `runs.py` but the network of track, and the fields of a
case. A case without further cases gives each train a share, and each side a toll; it holds if no
run, less the tolls of its sides, is worth more than its train's share. Whatever the trains run
together, each side is used once at most, so they earn at most the shares and the tolls in sum. A
case with further cases holds if these do, and if a side is for one train alone in each, and for
each train in one: trains that are alike stand for each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import gcd, inf

from msgspec import Struct

from platelayer.play.network import Engine, Network

# Shares and tolls are whole numbers of parts of money, so that nothing is rounded.
PARTS = 240


class Case(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A case of a proof: `shares` of the trains and `tolls` of sides, in PARTS; or a `side`, and a
    case for each train (by its number) that may be the only one to use it."""

    shares: tuple[int, ...] = ()
    tolls: dict[str, int] = {}
    side: str | None = None
    cases: dict[str, Case] = {}


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
    _Verifier(network, trains).all_of(runs, total, case)


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

    def _paid(self, engine: Engine, places: tuple[int, ...]) -> int | None:
        """The most that a train is paid for these places, None if it may not visit them all: each is
        given to one entry of its reach, in all ways."""
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
                    further[more, pays] = max(further.get((more, pays), -(10**9)), earned)
                    paying = pays[index] + self.network.places[place].visits
                    if each.pay is None or 0 != each.pay >= paying:
                        one = (*pays[:index], paying, *pays[index + 1 :])
                        value = earned + each.multiplier * self.network.places[place].value
                        further[more, one] = max(further.get((more, one), -(10**9)), value)
            ways = further
        return max(ways.values(), default=None)

    def _bonus(self, places: tuple[int, ...]) -> int:
        """The bonuses of a run through these places, in order."""
        tokens = [place for place in places if self.network.places[place].own]
        earned = 0
        for ends, amounts in self.network.bonuses:
            if places[0] in ends and places[-1] in ends and tokens:
                earned += amounts[-1] if len(tokens) > len(amounts) else amounts[len(tokens) - 1]
        return earned

    def all_of(self, runs: Sequence[Shown | None], total: int, case: Case) -> None:
        """Check the runs, then the case that nothing earns more."""
        if len(runs) != len(self.trains):
            raise Refused(f"there are {len(self.trains)} trains and {len(runs)} runs")
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
        # All amounts are multiples of one, so what is less than the next one is no more.
        unit = gcd(
            *(
                place.value * each.multiplier
                for kind, place in zip(self.kinds, self.network.places, strict=True)
                for engine in self.trains
                for each in engine.reach
                if kind in each.stops and each.pay != 0
            ),
            *(amount for _, amounts in self.network.bonuses for amount in amounts),
        )
        self._case(case, total + (unit or 1), [frozenset[str]()] * len(runs))

    def _legal(self, train: int, run: Shown) -> None:
        """Refuse a run that this train cannot make, or that is not worth what it says."""
        places = [self.at.get(stop, -1) for stop in run.stops]
        if -1 in places or len(places) < 2 or len(run.sides) != len(places) - 1:
            raise Refused("a run is not from stop to stop")
        engine, steps = self.trains[train], 0
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
        paid = self.paid(engine, tuple(sorted(places)))
        if paid is None or paid + self._bonus(tuple(places)) != run.value:
            raise Refused(f"the run of train {train + 1} is not worth {run.value}")

    def _case(self, case: Case, less: int, closed: list[frozenset[str]]) -> None:
        """Refuse a case by which all trains could earn `less` or more; `closed` are the sides that
        each must leave alone."""
        if case.side is not None:
            if case.side not in self.number:
                raise Refused(f"there is no side {case.side}")
            for train, engine in enumerate(self.trains):
                like = [
                    other
                    for other in range(len(self.trains))
                    if self.trains[other] == engine and closed[other] == closed[train]
                ]
                if case.side not in closed[train] and not any(str(o) in case.cases for o in like):
                    raise Refused(f"no case gives {case.side} to train {train + 1}")
            if not case.cases:
                raise Refused(f"no case of {case.side} is told")
            for name, further in case.cases.items():
                narrower = [
                    sides if str(train) == name else sides | {case.side}
                    for train, sides in enumerate(closed)
                ]
                self._case(further, less, narrower)
            return
        if len(case.shares) != len(self.trains) or min((*case.shares, *case.tolls.values(), 0)) < 0:
            raise Refused("a case lacks a share, or has one below zero")
        if sum(case.shares) + sum(case.tolls.values()) >= less * PARTS:
            raise Refused("the shares and tolls of a case are too much")
        tolls = [case.tolls.get(name, 0) for name in self.network.names]
        if not case.tolls.keys() <= self.number.keys():
            raise Refused("a toll is on no side")
        done = set()
        for train, share in enumerate(case.shares):
            key = (self.trains[train], closed[train], share)
            if key not in done:
                done.add(key)
                bits = sum(1 << self.number[side] for side in closed[train])
                if next(self._above(self.trains[train], tolls, bits, share), None) is not None:
                    raise Refused(f"a run of train {train + 1} earns more than its share")

    def _above(
        self, engine: Engine, tolls: list[int], closed: int, share: int
    ) -> Iterator[tuple[int, ...]]:
        """Runs that are worth more than a share, from either end."""
        network, reach, leaving = self.network, engine.reach, self.leaving[engine]
        times = {
            kind: max((e.multiplier for e in reach if kind in e.stops), default=0)
            for kind in {*self.kinds}
        }
        worth = [
            max(0, times[kind] * place.value)
            for kind, place in zip(self.kinds, network.places, strict=True)
        ]
        prices = {
            chain.sides: sum(toll for side, toll in enumerate(tolls) if chain.sides >> side & 1)
            for chains in leaving
            for chain in chains
        }
        dearest = sorted(worth, reverse=True)
        extra = sum(max(amounts) for _, amounts in network.bonuses)
        most = sum(inf if each.visit is None else each.visit for each in reach)
        if any(place.visits != 1 for place in network.places):
            most = inf
        covered = [any(kind in each.stops for each in reach) for kind in self.kinds]

        def onward(
            places: tuple[int, ...], used: tuple[int, int, int], toll: int, own: bool
        ) -> Iterator[tuple[int, ...]]:
            bits, sides, steps = used
            paid = self.paid(engine, tuple(sorted(places)))
            if paid is None or (engine.hexes is not None and steps > engine.hexes):
                return
            if own and len(places) > 1 and (paid + self._bonus(places)) * PARTS - toll > share:
                yield places
            if len(places) > 1 and not network.places[places[-1]].open:
                return
            # What all stops that may follow would add at most.
            room = len(worth) if most == inf else int(most) - sum(covered[p] for p in places)
            ceiling = extra + sum(worth[place] for place in places) + sum(dearest[:room])
            if ceiling * PARTS - toll <= share:
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
            yield from onward((start,), (place.bit, 0, 0), 0, place.own)
