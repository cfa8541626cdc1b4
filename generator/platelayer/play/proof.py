"""Verification of a proof that a company's trains earn nothing more.

The verification shares nothing with the search in `runs.py` except the network of track and the
fields of a case. A case without further cases gives each train a share and each side a toll. No
run, less the tolls of its sides, may be worth more than its train's share. As each side is used at
most once, all trains together earn at most the sum of the shares and tolls. If this sum exceeds the
income found, runs can earn more together only if each falls short of its share by no more than the
difference: the case holds if no combination of these runs earns more. A case with further cases
holds if they hold and reserve one side for each train in turn; one of several identical trains
stands for all.

All runs are found by walking from every stop. The runs of the proof are found in the same way, each
on its own track.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import product
from math import inf
from operator import or_

from msgspec import Struct

from platelayer.play.network import Bonus, Chain, Engine, Network

# Shares and tolls are whole numbers of parts of money, so that nothing is rounded.
PARTS = 240
# Less than anything earns.
_NEVER = -(10**15)


class Case(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A case of a proof: `shares` of the trains and `tolls` of sides, in PARTS; or a `side`, and a
    case for each train (by its number) that may be the only one to use this side. If the company
    has a car that runs with another train, there is a case for each of its `carriers` (by their
    numbers among the other trains)."""

    shares: tuple[int, ...] = ()
    tolls: dict[str, int] = {}
    side: str | None = None
    cases: dict[str, Case] = {}
    carriers: dict[str, Case] = {}


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """A run of a proof: its stops, each as a hex and a number, and the sides between them."""

    stops: tuple[tuple[str, int], ...]
    sides: tuple[tuple[str, ...], ...]
    value: int


class Refused(Exception):
    """Raised when a proof does not prove its claim."""


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
    if any(run for run, train in zip(runs, trains, strict=True) if train.car):
        raise Refused("a car has a run of its own")
    own = [train for train in trains if not train.car]
    theirs = [run for run, train in zip(runs, trains, strict=True) if not train.car]
    doubles = [train.doubles for train in trains if train.car]
    # Without a car, there is one way to run, otherwise one for each carrier of the car. The first
    # of several identical trains stands for all.
    ways = {"": own}
    cases: dict[str, Case | None] = {"": case}
    if doubles and own:
        carried = [train._replace(doubles=doubles[0]) for train in own]
        ways = {str(n): [*own[:n], carried[n], *own[n + 1 :]] for n in range(len(own))}
        cases = {number: case.carriers.get(str(own.index(own[int(number)]))) for number in ways}
    refusals = []
    for number, engines in ways.items():
        verifier, proof = _Verifier(network, engines), cases[number]
        if proof is None:
            raise Refused(f"no case has train {int(number) + 1} as the carrier of the car")
        if number in {"", *case.carriers}:
            # All incomes are multiples of one unit, so less than the next multiple means no more
            # than `total`.
            less = (total // network.unit + 1) * network.unit
            verifier.case(proof, less, [0] * len(engines))
        try:
            verifier.runs(theirs, total)
        except Refused as error:
            refusals.append(error)
    if len(refusals) == len(ways):
        raise refusals[0]


class _Verifier:
    """Verifier for the trains of a company, some of which may be identical."""

    def __init__(self, network: Network, trains: Sequence[Engine]) -> None:
        self.network = network
        self.trains = trains
        self.kinds = {engine: _Kind(network, engine) for engine in trains}
        self.number = {name: side for side, name in enumerate(network.names)}

    def runs(self, runs: Sequence[Shown | None], total: int) -> None:
        """Refuse runs that are not legal or do not earn the total."""
        at = {(place.hex, place.stop): n for n, place in enumerate(self.network.places)}
        used = 0
        for train, (run, engine) in enumerate(zip(runs, self.trains, strict=True)):
            if run is None:
                continue
            places = tuple(at.get(stop, -1) for stop in run.stops)
            # An unknown side gets a number that no chain has.
            ways = [
                sum({1 << self.number.get(s, len(at) + 999) for s in each}) for each in run.sides
            ]
            kind, sides = self.kinds[engine], reduce(or_, ways, 0)
            alone: list[list[Chain]] = [[] for _ in at]
            for one, two, bits in zip(places, places[1:], ways, strict=False):
                alone[one] = [c for c in kind.leaving[one] if (c.end, c.sides) == (two, bits)]
            if (places, sides, run.value * PARTS) not in kind.above(alone, {}, 0, -1):
                raise Refused(f"train {train + 1} has no such run that is worth {run.value}")
            if used & sides:
                raise Refused(f"train {train + 1} runs where another does")
            used |= sides
        if sum(run.value for run in runs if run is not None) != total:
            raise Refused(f"the runs do not earn {total}")

    def case(self, case: Case, less: int, closed: Sequence[int]) -> None:
        """Refuse a case that does not rule out that all trains together earn `less` or more.
        `closed` has, for each train, the sides that it must not use, as bits."""
        if not {*case.tolls} | ({case.side} - {None}) <= self.number.keys():
            raise Refused("a case names a side that is not there")
        if case.side is not None:
            side, kinds = 1 << self.number[case.side], [*zip(self.trains, closed, strict=True)]
            given = [kind for train, kind in enumerate(kinds) if str(train) in case.cases]
            for train, kind in enumerate(kinds):
                if kind not in given and not (given and kind[1] & side):
                    raise Refused(f"no case gives {case.side} to train {train + 1}")
            for name, further in case.cases.items():
                rest = [b if str(train) == name else b | side for train, b in enumerate(closed)]
                self.case(further, less, rest)
            return
        if len(case.shares) != len(self.trains) or min((*case.shares, *case.tolls.values(), 0)) < 0:
            raise Refused("a case lacks a share, or has one below zero")
        tolls = {self.number[name]: toll for name, toll in case.tolls.items() if toll}
        # Trains that together earn `less` fall short of the sum of shares and tolls by this amount.
        excess = sum(case.shares) + sum(tolls.values()) - less * PARTS
        trains, near = [*zip(self.trains, closed, case.shares, strict=True)], dict[_Train, _Runs]()
        for each in {*trains}:
            engine, bits, share = each
            short = {0: share} if share <= excess else {}
            of, floor = self.kinds[engine], share - max(excess, -1) - 1
            for _, sides, net in of.above(of.leaving, tolls, bits, floor):
                if net > share:
                    raise Refused("a run earns more than the share of its train")
                short[sides] = min(share - net, short.get(sides, share - net))
            near[each] = sorted((lack, sides) for sides, lack in short.items())
        if excess >= 0:
            _together([(each, near[each]) for each in trains], tolls, excess)


# A kind of train with its closed sides and its share; and its runs, each as the amount by which it
# falls short of the share, and its sides.
_Train = tuple[Engine, int, int]
_Runs = list[tuple[int, int]]
# The visits and the payments that are left of each entry of a reach.
_Left = tuple[tuple[float, ...], ...]


def _together(waiting: list[tuple[_Train, _Runs]], tolls: Mapping[int, int], spare: int) -> None:
    """Refuse the case if runs that share no side can fall short by at most `spare` in total,
    including the tolls of sides that none of them uses."""
    if not waiting:
        raise Refused("the shares and tolls of a case are too much")
    (key, runs), *others = sorted(waiting, key=lambda each: len(each[1]))
    for number, (lack, sides) in enumerate(runs):
        # Of identical trains, each takes a later run than the one before, or none.
        after = number + bool(sides)
        later = [(k, theirs[after:] if k == key else theirs) for k, theirs in others]
        left = [(k, [run for run in theirs if not run[1] & sides]) for k, theirs in later]
        if not all(theirs for _, theirs in left):
            continue
        usable = reduce(or_, (bits for _, theirs in left for _, bits in theirs), 0)
        idle = {side: toll for side, toll in tolls.items() if not (usable | sides) >> side & 1}
        rest = spare - lack - sum(idle.values())
        if rest >= sum(theirs[0][0] for _, theirs in left):
            open_to = {side: toll for side, toll in tolls.items() if usable >> side & 1}
            _together(left, open_to, rest)


class _Kind:
    """Runs of one kind of train, and the income from them."""

    def __init__(self, network: Network, engine: Engine) -> None:
        self.network, self.engine, self.places = network, engine, network.places
        self.leaving = network.leaving_for(engine)
        # For each place, the entries of the reach that apply to it.
        self.entries = [
            [each for each in range(len(engine.reach)) if kind in engine.reach[each].stops]
            for place in network.places
            for kind in ["town" if place.kind.value == "halt" else place.kind.value]
        ]
        self.partial = any(each.in_part and each.pay for each in engine.reach)
        # A stop that pays twice is treated as a bonus.
        doubled = tuple(
            (n, p.value) for n, p in enumerate(self.places) if p.kind.value in engine.doubles
        )
        self.bonuses = [
            *network.bonuses,
            *([Bonus(frozenset(), (), (doubled,))] if doubled else []),
        ]
        self.given = cache(self._given)

    def _given(self, places: tuple[int, ...], must: frozenset[int]) -> dict[_Left, int]:
        """Return all ways to assign each place to one entry of the reach so that the places in
        `must` pay: by the visits and payments left of each entry, the most that the train is
        paid."""
        reach = self.engine.reach
        if not places:
            limits = ((each.visit, each.pay) for each in reach)
            return {tuple(tuple(inf if n is None else n for n in each) for each in limits): 0}
        *before, place = places
        ways = self.given(tuple(before), must)
        if not self.entries[place]:
            return ways
        count, given = self.places[place].visits, dict[_Left, int]()
        for left, earned in ways.items():
            for entry in self.entries[place]:
                each, (visits, pays) = reach[entry], left[entry]
                # If all visits may pay, nothing is lost by letting this one pay.
                for pay in (0,) if each.pay == 0 else (0, 1) if each.in_part else (1,):
                    if visits >= count and pays >= pay * count and pay >= (place in must):
                        after = (visits - count, pays - pay * count)
                        key = (*left[:entry], after, *left[entry + 1 :])
                        more = earned + pay * each.multiplier * self.places[place].value
                        given[key] = max(given.get(key, more), more)
        return given

    def worth(self, places: tuple[int, ...]) -> int | None:
        """Return the most that a run through these places, in order, is worth with its bonuses;
        None if the reach does not allow it."""
        tokens = [place for place in places if self.places[place].own]
        # If only some of the stops pay, one with a token must.
        paying = [place for place in tokens if self.partial and self.entries[place]]
        ways = [(0, frozenset({token})) for token in paying] or [(0, frozenset[int]())]
        for ends, amounts, visits in self.bonuses:
            if tokens and (not ends or {places[0], places[-1]} <= ends):
                fixed = amounts[min(len(tokens), len(amounts)) - 1] if amounts else 0
                there = [[each for each in group if each[0] in places] for group in visits]
                ways += [
                    (earned + fixed + sum(pay for _, pay in stops), must.union(s for s, _ in stops))
                    for earned, must in ways
                    for stops in product(*there)
                ]
        order = tuple(sorted(places))
        paid = ((self.given(order, must).values(), earned) for earned, must in ways)
        return max((least + earned for given, earned in paid for least in given), default=None)

    def above(
        self, leaving: Sequence[Sequence[Chain]], tolls: Mapping[int, int], closed: int, floor: int
    ) -> Iterator[tuple[tuple[int, ...], int, int]]:
        """Yield the runs on this track that are worth more than `floor` after tolls, from both
        ends: their places, sides, and net earnings."""
        places, hexes, local = self.places, self.engine.hexes, self.network.local
        # Each walk begins with a chain without length from its first stop to itself.
        ways = [Chain(start, start, 0, ()) for start in range(len(places))]
        ways += [chain for some in leaving for chain in some if not chain.sides & closed]
        ahead, follows, options = self._ahead(ways, tolls)

        def onward(
            on: tuple[int, ...], way: int, mask: int, steps: int, so_far: dict[int, int]
        ) -> Iterator[tuple[tuple[int, ...], int, int]]:
            stops = [places[place] for place in on]
            fits = self.given(tuple(sorted(on)), frozenset())
            if not fits or (hexes is not None and steps > hexes):
                return
            own, stays = any(stop.own for stop in stops), len(on) == 1
            if own and self.engine.starts_at in {None, *stops[0].icons, *stops[-1].icons}:
                # A train that stays uses a side of its own if no other train may stay there.
                used = stops[0].loop if stays and not local else mask >> len(places)
                net = (self.worth(on) or 0) * PARTS - sum(
                    tolls.get(side, 0) for side in _bits(used)
                )
                runs = (local or self.engine.local) if stays else sum(s.counts for s in stops) > 1
                if runs and net > floor and not used & closed:
                    yield on, used, net
            # Without this bound, 534 recorded proofs take more than four minutes instead of 97 s.
            if max(gain + ahead[left][own][way] for left, gain in so_far.items()) <= floor:
                return
            for number in follows[way]:
                chain, after = ways[number], dict[int, int]()
                for left, gain in so_far.items():
                    for takes, more in options[number]:
                        if takes <= left:
                            after[left - takes] = max(after.get(left - takes, _NEVER), gain + more)
                taken = places[chain.end].bit | chain.sides << len(places)
                if after and not mask & taken:
                    there = (*on, chain.end), number, mask | taken
                    yield from onward(*there, steps + chain.steps, after)

        for start, place in enumerate(places):
            left = len(ahead) - 1
            first = {left - takes: gain for takes, gain in options[start] if takes <= left}
            yield from onward((start,), start, place.bit, 0, first)

    def _ahead(
        self, ways: Sequence[Chain], tolls: Mapping[int, int]
    ) -> tuple[list[list[list[int]]], list[list[int]], list[list[tuple[int, int]]]]:
        """Return an upper bound on what a run can still earn, less tolls, by what it may still
        visit, by whether it has a token, and by the way on which it came; the ways that follow
        each way; and, for each way, all pairs of the visits that it takes and its earnings.

        A walk may visit stops again, but in total no more than the reach allows. If visits are not
        limited, payments may be; income without any limit is added to the bound.
        """
        reach, places, hexes = self.engine.reach, self.places, self.engine.hexes
        limits = [each.pay if each.visit is None else each.visit for each in reach]
        budget = min(sum(limit or 0 for limit in limits), len(places)) if hexes is None else hexes
        still = {way.end for way in ways[len(places) :] if not way.steps}
        free, options = 0, list[list[tuple[int, int]]]()
        out: list[list[int]] = [[] for _ in places]
        for number, way in enumerate(ways):
            place, entries = places[way.end], [reach[each] for each in self.entries[way.end]]
            worth = max((e.multiplier * place.value * (e.pay != 0) for e in entries), default=0)
            paid = sum(tolls.get(side, 0) for side in _bits(way.sides))
            limited = all(e.visit is not None or e.pay is not None for e in entries)
            if (
                way.end in still
                if hexes is not None
                else not (entries and place.visits and limited)
            ):
                options.append([(0, -paid)])
                free += PARTS * worth * (number < len(places))
            else:
                options.append([(1 if hexes is None else way.steps, PARTS * worth - paid)])
                if hexes is None and any(e.visit is None for e in entries):
                    options[-1].append((0, -paid))
            if number >= len(places):
                out[way.start].append(number)
        follows = [
            [n for n in out[way.end] if not ways[n].sides & way.sides and ways[n].end != way.start]
            if number < len(places) or places[way.end].open
            else []
            for number, way in enumerate(ways)
        ]
        extra = sum(
            max(amounts, default=0) + sum(max(pay for _, pay in group) for group in visits)
            for _, amounts, visits in self.bonuses
        )
        rows: list[list[list[int]]] = []
        for left in range(budget + 1):
            rows.append([[_NEVER] * len(ways), [free + PARTS * extra] * len(ways)])
            again = True
            while again:
                again = False
                for own, row in enumerate(rows[-1]):
                    for came, on in enumerate(follows):
                        most = row[came]
                        for goes in on:
                            there = own or places[ways[goes].end].own
                            for takes, gain in options[goes]:
                                if takes <= left:
                                    most = max(most, gain + rows[left - takes][there][goes])
                        again |= most > row[came]
                        row[came] = most
        return rows, follows, options


def _bits(bits: int) -> Iterator[int]:
    return (side for side in range(bits.bit_length()) if bits >> side & 1)
