"""The best runs of a company's trains, with a proof that nothing earns more.

A single train: all ways out of a token (arms) are listed once, as a tree. A run is two arms that
share nothing; two branches that meet, or that together earn too little, are discarded whole. Long
trains have too many arms. Theirs start in the middle of runs and are half as long, and one of the
two has a token. If the company has only one train, its shortest arms make a good run; after that,
only arms that may be part of a better run are listed.

Several trains may not share a side of a hex. Each side gets a toll, paid by every train that uses
it. For any tolls, the trains together earn at most the sum of their best runs less tolls, plus the
tolls themselves (Lagrangian relaxation). The gap between this bound and the best income found
limits how far each run may fall short of its train's share. If only some hundreds of runs are
within this limit, all their combinations are tried. If there are too many, a contested side is
given to one train after the other, and each of these cases is bounded by itself. The proof consists
of these cases with their tolls; `proof.py` verifies it.

Effect of each part, on every sixth of 3,220 recorded boards (benchmarks/recorded_routes.py reads
them), with one part left out at a time, in processor time of a busy machine:

                                                  all boards   proven of 537
    all parts                                     6.6 s        536
    all arms through the same places              6.8 s        536
    combinations tried again at the same gap      7.3 s        536
    no halves                                     7.7 s        536
    no combining with runs of earlier tolls       8.4 s        535
    no bound on a set of stops (`_most`)          12.8 s       534
    no combinations of runs near the bound        16.0 s       533
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, reduce
from heapq import heappop, heappush
from itertools import chain as chain_of
from itertools import combinations, count, islice, product
from math import inf
from operator import add, or_, sub
from time import monotonic
from typing import NamedTuple

from msgspec import Struct

from platelayer.model.tile import StopKind
from platelayer.play.network import Bonus, Chain, Engine, Network
from platelayer.play.proof import PARTS, Case

# Numbers of arms out of tokens. If one of several trains has `_FEW_ARMS` or more, its runs are made
# of halves, provided that it has a middle and the halves are at most `_MORE_HALVES` times as many.
# A company's only train with more than `_MANY_ARMS` first makes a run of the shortest.
_FEW_ARMS = 300
_MANY_ARMS = 3_000
_MORE_HALVES = 8
# Maximum number of arms listed for each second of the search, regardless of the machine's speed.
_MOST_ARMS = 75_000
# Maximum number of rounds that improve the tolls of one case, and the rounds after which all
# combinations of runs near the bound are tried if these runs are few enough.
_ROUNDS = 60
_TRIED_AFTER = (4, 8, 16, 28, 44, _ROUNDS - 1)
# Maximum numbers, then, of runs of a train, of pairs of arms that are split to find them, and of
# combinations of runs.
_FEW_RUNS = 400
_FEW_PAIRS = 3_000
_COMBINATIONS = 3_000
# Number of chains out of a stop above which even their pairs may take too long.
_MANY_WAYS = 1_000
# Number of pairs of arms split before the time is looked at.
_LEAST_ROUNDS = 40
# Toll of barred sides: more than any run earns.
_NEVER = 10**15


class Run(NamedTuple):
    """Run of one train: its places in order, the chains between them, and its income."""

    places: tuple[int, ...]
    chains: tuple[Chain, ...]
    value: int

    @property
    def sides(self) -> int:
        """All sides that the run uses, as bits."""
        bits = 0
        for chain in self.chains:
            bits |= chain.sides
        return bits


class Best(Struct, frozen=True, kw_only=True):
    """Maximum income of a company's trains. `runs` has one entry per train: None for a train that
    stays at home and for a car, which runs with train `carrier`. Nothing earns more than
    `bound`, which equals `total` if the search was completed."""

    runs: tuple[Run | None, ...]
    total: int
    bound: int
    proof: Case | None
    carrier: int | None = None


_KINDS = (StopKind.CITY, StopKind.TOWN, StopKind.PASS, StopKind.OFFBOARD)


class Limits:
    """The stops that a train may visit together, and their pay.

    A set of stops can be visited if, for every set of kinds, it has no more stops of these kinds
    than allowed by the entries of the reach that apply to at least one of them (Hall's theorem).
    Each of these sums is a counter of eight bits in one integer. Counters start at a value from
    which exceeding the limit sets the highest bit.
    """

    def __init__(self, engine: Engine) -> None:
        self.reach = reach = engine.reach
        kinds = [kind for kind in _KINDS if any(kind.value in each.stops for each in reach)]
        sums: list[tuple[set[StopKind], int]] = []
        for bits in range(1, 1 << len(kinds)):
            some = {kind for index, kind in enumerate(kinds) if bits >> index & 1}
            entries = [each for each in reach if any(kind.value in each.stops for kind in some)]
            most = sum(each.visit or 0 for each in entries)
            # A limit above the number of stops on any map is no limit, and does not fit into a
            # counter.
            if most < 128 and all(each.visit is not None for each in entries):
                sums.append((some, most))
        self.start = sum((127 - limit) << 8 * at for at, (_, limit) in enumerate(sums))
        self.over = sum(128 << 8 * at for at in range(len(sums)))
        self.steps = {
            kind: sum(1 << 8 * at for at, (some, _) in enumerate(sums) if kind in some)
            for kind in StopKind
        }
        # Middle of a run: the shift of a counter of stops of some kinds, and the counter's value
        # when half of the limit is reached.
        self.middle: tuple[int, int] | None = None
        self.middle_kinds: set[StopKind] = set()
        if sums:
            at = max(range(len(sums)), key=lambda at: (len(sums[at][0]), -sums[at][1]))
            self.middle_kinds, most = sums[at]
            self.middle = 8 * at, 127 - most + most // 2 + 1
        # One more counter for the steps from hex to hex.
        self.step = 0
        if engine.hexes is not None:
            self.step = 1 << 8 * len(sums)
            self.start += (127 - engine.hexes) * self.step
            self.over += 128 * self.step
            self.middle_kinds = {*StopKind}
            self.middle = 8 * len(sums), 127 - engine.hexes + engine.hexes // 2
        self.times = {
            kind: max(
                (e.multiplier for e in reach if _kind(kind) in e.stops and e.pay != 0), default=0
            )
            for kind in StopKind
        }
        # True if all stops pay in full, in any combination.
        self.additive = all(
            all(self.times[StopKind(kind)] == 0 for kind in each.stops)
            if each.pay == 0
            else not each.in_part
            and all(each.multiplier == self.times[StopKind(kind)] for kind in each.stops)
            for each in reach
        )
        # Maximum number of stops that pay (below 0: any).
        self.pays = -1 if any(e.pay is None for e in reach) else sum(e.pay or 0 for e in reach)
        # If only some stops pay, one with a token must.
        self.partial = any(each.in_part and each.pay for each in reach)
        self.paid = cache(self._paid)

    def _paid(self, stops: tuple[tuple[str, int, int, bool], ...]) -> int:
        """Return the most that stops pay if each is assigned to an entry of the reach that has room
        for it. A stop is a kind, a value, the visits that it counts as, and True if it must pay."""

        @cache
        def best(at: int, visits: tuple[float, ...], pays: tuple[float, ...]) -> int:
            if at == len(stops):
                return 0
            kind, value, count, must = stops[at]
            most = -(10**9)
            for index, entry in enumerate(self.reach):
                if kind not in entry.stops or visits[index] < count:
                    continue
                rest = (*visits[:index], visits[index] - count, *visits[index + 1 :])
                if not must:
                    most = max(most, best(at + 1, rest, pays))
                if entry.pay != 0 and pays[index] >= count:
                    fewer = (*pays[:index], pays[index] - count, *pays[index + 1 :])
                    most = max(most, entry.multiplier * value + best(at + 1, rest, fewer))
            return most

        return best(
            0,
            tuple(inf if each.visit is None else each.visit for each in self.reach),
            tuple(inf if each.pay is None else each.pay for each in self.reach),
        )


def _kind(kind: StopKind) -> str:
    """Return the kind by which a reach refers to a stop: a halt is a small town."""
    return "town" if kind is StopKind.HALT else kind.value


class _Tree(Struct, frozen=True):
    """The ways out of one stop (arms) by number, each one chain longer than the arm `before` it;
    the first is the stop alone.

    Columns hold, for each arm: the most that its stops and their bonuses pay, in PARTS (`gains`);
    its places and sides as bits (`masks`); the counters of the limits; its stops (several may be
    one place); its last stop; the number of the last chain's price; and that chain. `onward` has
    the arms that extend an arm by one chain, `beyond` the stops of an arm and of all arms that
    extend it. `twice` is the income counted by both arms of a run, `ceiling` an upper bound on what
    two arms earn together.
    """

    before: list[int]
    gains: list[int]
    masks: list[int]
    counters: list[int]
    stops: list[int]
    last: list[int]
    prices: list[int]
    chains: list[Chain | None]
    onward: list[list[int]]
    beyond: list[int]
    twice: int
    ceiling: int

    def nets(self, price: Sequence[int]) -> list[int]:
        """Return the most that each arm earns less the prices of its chains, in PARTS."""
        # The list grows while it is read: every arm comes after the arm that it extends.
        paid = [0]
        before = map(paid.__getitem__, islice(self.before, 1, None))
        paid.extend(map(add, before, map(price.__getitem__, islice(self.prices, 1, None))))
        return [*map(sub, self.gains, paid)]

    def furthest(self, nets: Sequence[int]) -> list[int]:
        """Return, for each arm, the most that it or an arm that extends it earns."""
        furthest = [*nets]
        for before, net in zip(reversed(self.before), reversed(furthest), strict=True):
            furthest[before] = max(furthest[before], net)
        return furthest

    def way(self, arm: int) -> tuple[list[int], list[Chain]]:
        """Return the stops of an arm from its end to its root, and the chains between them."""
        stops, chains = [self.last[arm]], []
        while (chain := self.chains[arm]) is not None:
            chains.append(chain)
            arm = self.before[arm]
            stops.append(self.last[arm])
        return stops, chains


class Oracle:
    """Search for the best run of one kind of train for any tolls."""

    def __init__(
        self,
        network: Network,
        engine: Engine,
        ends: float,
        seconds: float,
        *,
        alone: bool,
        engines: int = 1,
    ) -> None:
        self.network = network
        self.limits = Limits(engine)
        self.leaving = network.leaving_for(engine)
        self.worth = [place.value * self.limits.times[place.kind] for place in network.places]
        self.bonuses = network.bonuses
        if engine.doubles:
            values = ((n, p.value) for n, p in enumerate(network.places))
            of_kind = tuple(v for v in values if network.places[v[0]].kind.value in engine.doubles)
            self.bonuses += (Bonus(frozenset(), visits=(of_kind,) if of_kind else ()),)
        # Stops that the train counts but that never pay earn no bonus.
        unpaid = {
            n
            for n, place in enumerate(network.places)
            if self.limits.times[place.kind] == 0
            and any(_kind(place.kind) in each.stops for each in engine.reach)
        }
        payable = (
            bonus._replace(
                visits=tuple(
                    tuple(stop for stop in group if stop[0] not in unpaid) for group in bonus.visits
                )
            )
            for bonus in self.bonuses
        )
        self.bonuses = tuple(bonus for bonus in payable if all(bonus.visits))
        self.additive = self.limits.additive and not self.bonuses
        self.local = engine.local
        # Places of which a run must have one as an end (None: any end).
        self.starts: set[int] | None = None
        if engine.starts_at is not None:
            icon = engine.starts_at
            self.starts = {n for n, place in enumerate(network.places) if icon in place.icons}
        # Stops that neither pay nor count, as bits: an arm that passes fewer of them is better.
        self.idle = sum(
            1 << n
            for n, place in enumerate(network.places)
            if not (
                self.worth[n]
                or place.own
                or self.limits.steps[place.kind] * place.visits
                or self.limits.step
                or self.bonuses
                or not all(each.counts for each in network.places)
            )
        )
        # Stops of which a route needs two, as bits.
        self.counting = sum(1 << n for n, place in enumerate(network.places) if place.counts)
        self.ends = ends
        # Number of pairs of arms that may still be examined (None: all).
        self.patience: int | None = None
        # The most that all bonuses add.
        self._added = sum(
            max(bonus.amounts, default=0)
            + sum(max(pay for _, pay in each) for each in bonus.visits)
            for bonus in self.bonuses
        )
        # For each bonus: its ends as bits (0: any); its maximum amount for them; and, for each
        # group of visits, the pay of its stops and their bits, the highest pay first.
        self._extras = [
            (
                sum(1 << stop for stop in bonus.ends),
                max(bonus.amounts, default=0),
                [
                    sorted(((pay, 1 << stop) for stop, pay in group), reverse=True)
                    for group in bonus.visits
                ],
            )
            for bonus in self.bonuses
        ]
        self._known_most: dict[tuple[int, int], int] = {}
        # Stops with a token, as bits; every run has one.
        self.own = sum(1 << n for n, place in enumerate(network.places) if place.own)
        # The sides of each chain, by the numbers of their prices.
        self._sides = [0, *sorted({chain.sides for some in self.leaving for chain in some})]
        number = {sides: price for price, sides in enumerate(self._sides)}
        self._numbers = [tuple(bits_of(sides)) for sides in self._sides]
        # Ways onward from each stop: the chain, its end, the places and sides that it uses as bits,
        # its steps in the counters of the limits, the income of its end, and the number of its
        # price.
        self._ways = [
            [
                (
                    chain,
                    chain.end,
                    (to := network.places[chain.end]).bit | chain.sides << len(network.places),
                    self.limits.steps[to.kind] * to.visits + self.limits.step * chain.steps,
                    PARTS * self.worth[chain.end],
                    number[chain.sides],
                )
                for chain in chains
            ]
            for chains in self.leaving
        ]
        kinds = self.limits.middle_kinds
        has_middle = (
            not (alone and not self.additive)
            and self.limits.middle is not None
            and all(
                place.visits == 1 if place.kind in kinds else not place.own
                for place in network.places
            )
        )
        most = round(_MOST_ARMS * seconds)
        self.left = _MANY_ARMS if has_middle else most
        # All kinds of trains together list their arms in half of the time.
        self.listed_by = monotonic() + seconds / 2 / engines
        self.begun: tuple[int, Run | None] = 0, None
        self._plant(self._from_tokens())
        # False as soon as arms were left out: a best run is then only the best found, with an upper
        # bound.
        self.complete = whole = self.left >= 0
        listed = _MANY_ARMS - self.left
        if has_middle and alone and not whole:
            # An only train needs one run, once. The shortest arms make a good one; of the others,
            # only those are needed that may be part of a better run.
            _, run = self.best([0] * len(network.names), 0)
            self.begun = PARTS * run.value if run else 0, run
            self.left = most
            self._plant(self._from_tokens())
            self.complete = self.left >= 0
        elif has_middle and not alone and not (whole and listed < _FEW_ARMS):
            # There are more halves than arms, but fewer of their pairs are too long.
            self.left = _MORE_HALVES * listed if whole else most
            halves = [*self._from_the_middle()]
            if self.left >= 0 or not whole:
                self._plant(halves)
                self.complete = self.left >= 0
        self.complete &= network.whole

    def _plant(self, trees: Iterable[_Tree | None]) -> None:
        self.trees = sorted((tree for tree in trees if tree), key=lambda tree: -tree.ceiling)

    def _from_tokens(self) -> Iterator[_Tree | None]:
        """Yield, for each token, all ways out of it that avoid the tokens before it."""
        taken = 0
        for root, place in enumerate(self.network.places):
            if place.own:
                yield self._arms(root, taken, None)
                taken |= 1 << root

    def _from_the_middle(self) -> Iterator[_Tree | None]:
        """Yield, for each stop that may be the middle of a run, all ways out of it up to half the
        reach of the train."""
        for root, place in enumerate(self.network.places):
            if place.kind in self.limits.middle_kinds:
                tree = self._arms(root, 0, self.limits.middle)
                if tree and tree.beyond[0] & self.own:
                    yield tree

    def _arms(self, root: int, taken: int, middle: tuple[int, int] | None) -> _Tree | None:
        """Return all ways out of a stop that avoid the stops `taken`, as far as the limits or the
        middle allow; None if the limits exclude the stop itself."""
        places, limits = self.network.places, self.limits
        place, (least, _) = places[root], self.begun
        count = limits.start + limits.steps[place.kind] * place.visits
        if count & limits.over:
            return None
        over, idle, width, shift = limits.over, ~self.idle, len(places), middle[0] if middle else 0
        fixed = PARTS * self.worth[root]
        befores, gains, masks = [0], [fixed + self._extra(1 << root, root)], [place.bit]
        counters, stops, last, prices, first = [count], [1 << root], [root], [0], [0]
        chains: list[Chain | None] = [None]
        # An arm through the same places to the same end, on more sides, is never better.
        known: dict[int, list[int]] = {}
        for before, end in enumerate(last):
            # The first arms are always listed: some run is found even without time.
            if self.left < 0 or (before > 20 and monotonic() > self.listed_by):
                self.left = -1
                break
            if before and not places[end].open:
                continue
            mask, count, gain = masks[before], counters[before], gains[before]
            for chain, to, bits, step, worth, price in self._ways[end]:
                if mask & bits or taken >> to & 1:
                    continue
                more = count + step
                if more & over:
                    continue
                # If steps from hex to hex are counted, those of the first chain may cross the
                # middle.
                start = first[before] if before else limits.step and chain.steps
                if middle and before and (more >> shift & 255) - start > middle[1]:
                    continue
                passed, both = stops[before] | 1 << to, mask | bits
                earns = gain + worth
                if least and earns + PARTS * self._most(~passed, more) <= least:
                    continue
                if self.bonuses:
                    earns += self._extra(passed, to) - self._extra(stops[before], end)
                fewest = known.setdefault((passed & idle) * width + to, [])
                for few in fewest:
                    if few & both == few:
                        break
                else:
                    fewest.append(both)
                    self.left -= 1
                    befores.append(before)
                    gains.append(earns)
                    masks.append(both)
                    counters.append(more)
                    stops.append(passed)
                    last.append(to)
                    prices.append(price)
                    chains.append(chain)
                    first.append(start)
        onward: list[list[int]] = [[] for _ in last]
        beyond, furthest = [*stops], [*gains]
        for index in range(len(last) - 1, 0, -1):
            before = befores[index]
            onward[before].append(index)
            beyond[before] |= beyond[index]
            furthest[before] = max(furthest[before], furthest[index])
        twice = fixed + self._extra(1 << root, None)
        two = sorted((gains[0], *(furthest[index] for index in onward[0])))[-2:]
        return _Tree(
            befores,
            gains,
            masks,
            counters,
            stops,
            last,
            prices,
            chains,
            onward,
            beyond,
            twice,
            sum(two) - twice,
        )

    def _extra(self, stops: int, end: int | None) -> int:
        """Return the most that an arm adds to the bonuses of a run, in PARTS; for bonuses between
        two ends, each `end` adds one half."""
        extra = 0
        for ends, most, visits in self._extras:
            if end is not None and (not ends or ends >> end & 1):
                extra += PARTS // 2 * most
            for group in visits:
                extra += PARTS * next((pay for pay, bit in group if stops & bit), 0)
        return extra

    @cached_property
    def _dearest(self) -> list[tuple[int, int, int, int, int]]:
        """The stops that pay, the most valuable first: the bit of each, the payments and the
        counters that it takes, a bit shared by all stops of its kind in its place, and its
        worth."""
        places, alike = self.network.places, dict[tuple[int, StopKind], int]()
        paying = []
        for number in sorted(range(len(places)), key=lambda number: -self.worth[number]):
            place, once = places[number], min(1, places[number].visits)
            if self.worth[number] > 0:
                same = alike.setdefault((place.bit, place.kind), 1 << len(alike))
                steps = self.limits.steps[place.kind] * once
                paying.append((1 << number, once, steps, same, self.worth[number]))
        return paying

    def _most(self, stops: int, so_far: int) -> int:
        """Return an upper bound on what a run earns at these stops: the worth of the most valuable
        that the limits allow in addition to the counters `so_far`, as if each were one visit,
        and all bonuses."""
        known = self._known_most.get((stops, so_far))
        if known is not None:
            return known
        count, left, total, taken = so_far, self.limits.pays, self._added, 0
        over = self.limits.over
        for bit, once, steps, same, worth in self._dearest:
            if stops & bit and (left or not once) and not (taken & same or count + steps & over):
                count += steps
                left -= once
                taken |= same
                total += worth
        self._known_most[stops, so_far] = total
        return total

    def best(self, tolls: Sequence[int], barred: int) -> tuple[int, Run | None]:
        """Return the most that one run earns less the tolls of its sides, in PARTS, and that run; 0
        and None if no run earns more than its tolls. `barred` sides are not used. If the search
        is not `complete`, return an upper bound and the best run found."""
        price = self._price(tolls, barred)
        most, found = self.begun
        for net, run in self._staying_above(tolls, barred, most):
            if net > most:
                most, found = net, run
        for tree in self.trees:
            if tree.ceiling <= most:
                break
            for net, run in self._above(tree, price, most, only_best=True):
                most, found = net, run
            if monotonic() > self.ends:
                self.complete = False
                break
        return most if self.complete else max(
            most, PARTS * self._most(-1, self.limits.start)
        ), found

    def above(
        self, tolls: Sequence[int], barred: int, floor: int
    ) -> tuple[list[tuple[int, Run]], bool]:
        """Return the runs that earn more than `floor` after tolls, each with these net earnings;
        and True if these are all, False if only some hundreds of them. Runs that earn no more
        than another on a subset of their sides are omitted."""
        self.patience = _FEW_PAIRS
        price = self._price(tolls, barred)
        found: list[tuple[int, int, Run]] = []
        each = (run for tree in self.trees for run in self._above(tree, price, floor))
        for net, run in chain_of(self._staying_above(tolls, barred, floor), each):
            sides = run.sides
            for _, few, known in found:
                if few & sides == few and run.value <= known.value:
                    break
            else:
                found.append((net, sides, run))
                if len(found) > _FEW_RUNS:
                    break
        whole = len(found) <= _FEW_RUNS and self.complete and self.patience > 0
        self.patience = None
        return [(net, run) for net, _, run in found], whole

    def _above(
        self, tree: _Tree, price: Sequence[int], most: int, *, only_best: bool = False
    ) -> Iterator[tuple[int, Run]]:
        """Yield runs out of a tree that earn more than `most` or, with `only_best`, more than those
        yielded before.

        The search is for pairs of arms. A number stands for an arm and all arms that extend it, its
        complement (~) for that arm alone. Pairs that cannot be run together, or that earn too
        little, are discarded with everything that extends them; the most promising pair is split
        next.
        """
        additive = self.additive
        masks, counters, stops = tree.masks, tree.counters, tree.stops
        gains, onward, beyond, twice = tree.gains, tree.onward, tree.beyond, tree.twice
        root, spare, over, own = masks[0], counters[0], self.limits.over, self.own
        nets = tree.nets(price)
        furthest = tree.furthest(nets)
        ways = [~0, *onward[0]]
        is_open = self.network.places[tree.last[0]].open
        pairs: Iterable[tuple[int, int]] = (
            combinations(ways, 2) if is_open else product(ways[:1], ways[1:])
        )
        if len(ways) > _MANY_WAYS:
            pairs = self._in_time(pairs)
        waiting: list[tuple[int, int, int, int]] = []
        for rounds in count():
            for one, two in pairs:
                if one >= 0:
                    a, net, seen = one, furthest[one], beyond[one]
                else:
                    a = ~one
                    net, seen = nets[a], stops[a]
                if two >= 0:
                    b, bound, seen_too = two, furthest[two], beyond[two]
                else:
                    b = ~two
                    bound, seen_too = nets[b], stops[b]
                bound += net - twice
                if (
                    bound <= most
                    or masks[a] & masks[b] != root
                    or (counters[a] + counters[b] - spare) & over
                    or not (seen | seen_too) & own
                ):
                    continue
                if not additive:
                    paid = gains[a] - nets[a] + gains[b] - nets[b]
                    bound = min(
                        bound, PARTS * self._most(seen | seen_too, self.limits.start) - paid
                    )
                    if bound <= most:
                        continue
                # If bounds are equal, pairs that are further on come first.
                heappush(waiting, (-bound, -a - b, one, two))
            while waiting and -waiting[0][0] > most:
                bound, further, one, two = heappop(waiting)
                a, seen = (one, beyond[one]) if one >= 0 else (~one, stops[~one])
                b, seen_too = (two, beyond[two]) if two >= 0 else (~two, stops[~two])
                if additive:
                    # The bound based on stops takes time, and most of the waiting pairs never need
                    # it.
                    further_on = (seen | seen_too) & ~(stops[a] | stops[b])
                    counted = counters[a] + counters[b] - spare
                    less = nets[a] + nets[b] - twice + PARTS * self._most(further_on, counted)
                    if less < -bound:
                        if less > most:
                            heappush(waiting, (-less, further, one, two))
                        continue
                if self.patience is not None:
                    self.patience -= 1
                    if self.patience <= 0:
                        return
                if one >= 0 and not 0 <= two < one:
                    pairs = product((~one, *onward[one]), (two,))
                    break
                if two >= 0:
                    pairs = product((one,), (~two, *onward[two]))
                    break
                a, b = sorted((a, b), key=lambda arm: (-nets[arm], arm))
                run = self._joined(tree, a, b)
                if run is not None:
                    net = -bound
                    if not additive:
                        net = PARTS * run.value - gains[a] + nets[a] - gains[b] + nets[b]
                    if net > most:
                        most = net if only_best else most
                        yield net, run
            else:
                break
            # Some rounds are always made: most trains then have a run even without time.
            if rounds >= _LEAST_ROUNDS and monotonic() > self.ends:
                self.complete = False
                break

    def _in_time(self, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield pairs until the time is over."""
        pairs = iter(pairs)
        while some := [*islice(pairs, _MANY_WAYS)]:
            yield from some
            if monotonic() > self.ends:
                self.complete = False
                return

    def _staying_above(
        self, tolls: Sequence[int], barred: int, most: int
    ) -> Iterator[tuple[int, Run]]:
        """Yield the runs at one stop that earn more than `most`."""
        for run in self._staying:
            net = PARTS * run.value - sum(tolls[side] for side in bits_of(run.sides))
            if not run.sides & barred and net > most:
                yield net, run

    @cached_property
    def _staying(self) -> tuple[Run, ...]:
        """Runs at a single stop, if trains may stay there: on no track or, for a local train, as
        the only one."""
        network, runs = self.network, []
        for root, place in enumerate(network.places):
            count = self.limits.start + self.limits.steps[place.kind] * place.visits
            allowed = place.own and not count & self.limits.over
            if allowed and (self.starts is None or root in self.starts):
                if network.local:
                    runs.append(Run((root,), (), self.pays((root,))))
                elif self.local:
                    loop = Chain(root, root, place.loop, ())
                    runs.append(Run((root,), (loop,), self.pays((root,))))
        return tuple(runs)

    def _price(self, tolls: Sequence[int], barred: int) -> list[int]:
        """Return the tolls of each chain by its number; for chains with a barred side, more than
        any run earns."""
        return [
            _NEVER if sides & barred else sum([tolls[side] for side in numbers])
            for sides, numbers in zip(self._sides, self._numbers, strict=True)
        ]

    def _joined(self, tree: _Tree, one: int, two: int) -> Run | None:
        """Return the run back along arm `one` and out along arm `two`; None if it is not legal."""
        if (self.counting & (tree.stops[one] | tree.stops[two])).bit_count() < 2 or not (
            self.starts is None or {tree.last[one], tree.last[two]} & self.starts
        ):
            return None
        (back, there), (out, onward) = tree.way(one), tree.way(two)
        places = (*back, *out[-2::-1])
        return Run(places, (*there, *reversed(onward)), self.pays(places))

    def pays(self, places: Iterable[int]) -> int:
        """Return the income of a run through these places, in order."""
        places = tuple(places)
        tokens = sum(self.network.places[place].own for place in places)
        # For each bonus of the run, the amounts that it may add, with the stops that must pay for
        # each.
        bonuses: list[list[tuple[int, tuple[int, ...]]]] = []
        for bonus in self.bonuses:
            if bonus.ends and not (places[0] in bonus.ends and places[-1] in bonus.ends):
                continue
            amounts = bonus.amounts
            fixed = amounts[min(tokens, len(amounts)) - 1] if amounts else 0
            visited = [[each for each in group if each[0] in places] for group in bonus.visits]
            ways = [
                (fixed + sum(pay for _, pay in stops), tuple(stop for stop, _ in stops))
                for stops in product(*visited)
            ]
            bonuses.append([*ways, (0, ())])
        if self.limits.additive:
            most = sum(max(ways)[0] for ways in bonuses)
            return most + sum(self.worth[place] for place in places)
        known = {kind for entry in self.limits.reach for kind in entry.stops}
        named = [(place, self.network.places[place]) for place in places]
        own: list[tuple[int, tuple[int, ...]]] = [
            (0, (n,)) for n, place in named if place.own and _kind(place.kind) in known
        ]
        if own and self.limits.partial:
            bonuses.append(own)
        best = -1
        for chosen in product(*bonuses):
            must = {stop for _, stops in chosen for stop in stops}
            stops = (
                (_kind(place.kind), place.value, place.visits, number in must)
                for number, place in named
            )
            paid = self.limits.paid(tuple(sorted(stop for stop in stops if stop[0] in known)))
            best = max(best, paid + sum(amount for amount, _ in chosen))
        return best


def bits_of(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, the lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def best_runs(network: Network, trains: Sequence[Engine], *, seconds: float = 2.0) -> Best:
    """Return the most that these trains earn together on a network.

    A car is tried with each of the other trains in turn; a second car stays at home. After
    `seconds` the search ends with the best runs found and an upper bound.
    """
    ends = monotonic() + seconds
    own = [number for number, train in enumerate(trains) if not train.car]
    car = next((train for train in trains if train.car), None)
    ways: dict[int | None, list[Engine]] = {None: [trains[number] for number in own]}
    if car is not None and own:
        alike = {trains[number]: number for number in reversed(own)}
        ways = {
            carrier: [
                trains[number]._replace(doubles=car.doubles)
                if number == carrier
                else trains[number]
                for number in own
            ]
            for carrier in sorted(alike.values())
        }
    oracles: dict[Engine, Oracle] = {}
    found: dict[int | None, Best] = {}
    for carrier, engines in ways.items():
        for engine in engines:
            if engine not in oracles:
                alone = len(engines) == 1
                oracles[engine] = Oracle(
                    network, engine, ends, seconds, alone=alone, engines=len({*engines})
                )
        least = max((best.total for best in found.values()), default=0)
        search = _Search(network, [oracles[engine] for engine in engines], ends, least)
        found[carrier] = search.solve()
    carrier, best = max(found.items(), key=lambda each: each[1].total)
    total, bound = best.total, max(each.bound for each in found.values())
    proof = best.proof
    if car is not None and own:
        # Carriers are numbered among the trains that are not cars, as in the verifier.
        proofs = {
            str(own.index(at)): each.proof
            for at, each in found.items()
            if at is not None and each.proof is not None
        }
        proof = Case(carriers=proofs) if len(proofs) == len(found) else None
    runs: list[Run | None] = [None] * len(trains)
    for number, run in zip(own, best.runs, strict=True):
        runs[number] = run
    if carrier is not None and runs[carrier] is None:
        carrier = None
    return Best(runs=tuple(runs), total=total, bound=bound, proof=proof, carrier=carrier)


class _Near(NamedTuple):
    """Run (None: the train stays at home) with its sides, and the `slack` by which it falls short
    of its train's share."""

    slack: int
    sides: int
    run: Run | None


class _Search:
    """Search for the best runs of several trains. If they earn no more than `least`, it finds only
    a proof of that."""

    def __init__(
        self, network: Network, oracles: list[Oracle], ends: float, least: int = 0
    ) -> None:
        self.network = network
        self.oracles = oracles
        self.ends = ends
        self.out_of_time = False
        self.runs: list[Run | None] = [None] * len(oracles)
        self.total = least
        # Runs that were the best for some tolls, by kind of train, with their sides.
        self.pools: dict[int, dict[int, Run]] = {id(oracle): {} for oracle in oracles}
        self.unit = network.unit

    def solve(self) -> Best:
        """Return the best runs with their proof."""
        barred = [0] * len(self.oracles)
        bound, case = self._case(barred, [0] * len(self.network.names))
        return Best(
            runs=tuple(self.runs),
            total=self.total,
            bound=max(self.total, bound),
            proof=None if self.out_of_time else case,
        )

    def _take(self, runs: Sequence[Run | None]) -> None:
        total = sum(run.value for run in runs if run)
        if total > self.total:
            self.total, self.runs = total, list(runs)

    def _greedy(self, barred: list[int], order: Sequence[int], tolls: Sequence[int]) -> None:
        """Let the trains run one after the other, each on the sides that the ones before it have
        left."""
        used, runs = 0, list[Run | None]([None] * len(self.oracles))
        for train in order:
            _, run = self.oracles[train].best(tolls, barred[train] | used)
            runs[train] = run
            used |= run.sides if run else 0
        self._take(runs)

    def _gather(self, order: Sequence[int], runs: Sequence[Run | None]) -> None:
        """Combine each of these runs that is new with the most valuable runs that the other trains
        had for earlier tolls."""
        for first, run in enumerate(runs):
            pool = self.pools[id(self.oracles[first])]
            if run is None or pool.get(run.sides, run).value > run.value or run.sides in pool:
                continue
            pool[run.sides] = run
            used, joined = run.sides, list[Run | None]([None] * len(self.oracles))
            joined[first] = run
            for train in order:
                if train != first:
                    others = self.pools[id(self.oracles[train])].items()
                    free = (other for sides, other in others if not sides & used)
                    best = max(free, key=lambda other: other.value, default=None)
                    joined[train] = best
                    used |= best.sides if best else 0
            self._take(joined)

    def _proves(self, bound: int) -> bool:
        """Return True if a bound in PARTS lies below the next income above the best found."""
        return bound < self._next * PARTS

    @property
    def _next(self) -> int:
        """Lowest possible income above the best found."""
        return (self.total // self.unit + 1) * self.unit

    def _shares(self, shares: tuple[int, ...], tolls: Sequence[int]) -> Case:
        named = dict(zip(self.network.names, tolls, strict=True))
        return Case(shares=shares, tolls={name: toll for name, toll in named.items() if toll})

    def _combine(
        self, barred: list[int], tolls: Sequence[int], shares: Sequence[int], bound: int
    ) -> bool:
        """Try all combinations of runs by which the trains could earn more than the best found, and
        keep the best. Return False if there are too many, so that only some were tried.

        Each run falls short of its train's share by some slack. A combination falls short of the
        bound by the slack of its runs plus the tolls of sides that none of them uses.
        """
        alike: dict[tuple[int, int], list[int]] = {}
        for train, oracle in enumerate(self.oracles):
            alike.setdefault((id(oracle), barred[train]), []).append(train)
        whole = True
        groups: list[tuple[list[int], list[_Near]]] = []
        for trains in alike.values():
            share = shares[trains[0]]
            floor = share - (bound - self._next * PARTS) - 1
            above, all_of_them = self.oracles[trains[0]].above(tolls, barred[trains[0]], floor)
            whole &= all_of_them
            near = [_Near(share - net, run.sides, run) for net, run in above]
            near += [_Near(share, 0, None)] if floor < 0 else []
            groups.append((trains, sorted(near, key=lambda each: each.slack)))
        left = _COMBINATIONS
        tolls_of = cache(lambda bits: sum(tolls[side] for side in bits_of(bits)))

        def onward(
            groups: list[tuple[list[int], list[_Near]]],
            unused: int,
            spent: int,
            chosen: dict[int, Run | None],
        ) -> None:
            nonlocal left
            if not groups:
                self._take([chosen[train] for train in range(len(self.oracles))])
                return
            trains, near = min(groups, key=lambda group: len(group[1]))
            others = [group for group in groups if group[0] is not trains]
            for index, (slack, sides, run) in enumerate(near):
                left -= 1
                if left < 0:
                    return
                # Identical trains take their runs in order. Each of the other trains falls short by
                # at least as much as the best run left to it.
                alike = [(trains[1:], near[index + bool(sides) :])] if len(trains) > 1 else []
                spare, least = bound - self._next * PARTS, spent + slack
                usable, rest = 0, []
                for group, runs in (*alike, *others):
                    can = [
                        each for each in runs if not each[1] & sides and least + each[0] <= spare
                    ]
                    if not can:
                        break
                    least += can[0].slack * len(group)
                    usable = reduce(or_, (each.sides for each in can), usable)
                    rest.append((group, can))
                else:
                    free = unused & ~sides
                    idle = tolls_of(free & ~usable)
                    if least + idle <= spare:
                        so_far = {**chosen, trains[0]: run}
                        onward(rest, free & usable, spent + slack + idle, so_far)

        tolled = sum(1 << side for side, toll in enumerate(tolls) if toll)
        if all(near for _, near in groups):
            onward(groups, tolled, 0, {})
        return whole and left >= 0

    def _case(self, barred: list[int], tolls: list[int]) -> tuple[int, Case]:
        """Bound what the trains earn if each avoids its `barred` sides, by tolls or by cases.
        Return the bound, in money, and its proof."""
        count = len(self.oracles)
        sides = len(self.network.names)
        least, best_tolls, shares = None, tolls, tuple[int, ...]()
        scale, worst, slopes, tried = 1.0, None, [0.0] * sides, inf
        for round_ in range(_ROUNDS):
            known: dict[tuple[int, int], tuple[int, Run | None]] = {}
            runs, nets = [], []
            for train, oracle in enumerate(self.oracles):
                key = (id(oracle), barred[train])
                if key not in known:
                    known[key] = oracle.best(tolls, barred[train])
                net, run = known[key]
                nets.append(net)
                runs.append(run)
            bound = sum(nets) + sum(tolls)
            once, twice = 0, 0
            use = [0] * sides
            for run in runs:
                bits = run.sides if run else 0
                twice |= once & bits
                once |= bits
                for side in bits_of(bits):
                    use[side] += 1
            if twice:
                worst = max(bits_of(twice), key=lambda side: (use[side], -side))
            else:
                self._take(runs)
            if least is None or bound < least:
                least, best_tolls, shares = bound, tolls, tuple(nets)
                stalled = 0
            else:
                stalled += 1
                if stalled % 5 == 0:
                    scale /= 2
            order = sorted(range(count), key=lambda train: (-nets[train], train))
            self._gather(order, runs)
            if self._proves(least):
                return self.total, self._shares(shares, best_tolls)
            if round_ in (0, 8, 24):
                self._greedy(barred, order, [0] * sides)
                self._greedy(barred, order[::-1], [0] * sides)
                if round_:
                    self._greedy(barred, order, tolls)
            # Combinations are tried again only when the gap, and with it their number, is smaller.
            gap = least - self._next * PARTS
            if gap >= 0 and round_ in _TRIED_AFTER and gap < 0.7 * tried:
                if self._combine(barred, best_tolls, shares, least):
                    gap = -1
                tried = gap
            if gap < 0:
                return self.total, self._shares(shares, best_tolls)
            # Part of the last step is retained, so that oscillating tolls settle sooner.
            slopes = [
                (use[side] - 1 if use[side] or tolls[side] else 0) + 0.5 * slopes[side]
                for side in range(sides)
            ]
            length = sum(slope * slope for slope in slopes)
            complete = all(oracle.complete for oracle in self.oracles)
            if monotonic() > self.ends or not (complete or (length and round_ < 24)):
                self.out_of_time = True
                return least // PARTS // self.unit * self.unit, Case()
            if not length:
                break
            step = scale * max(bound - self.total * PARTS, PARTS) / length
            tolls = [
                max(0, toll + round(step * slope)) if slope else toll
                for toll, slope in zip(tolls, slopes, strict=True)
            ]
        if worst is None:
            # The best runs for these tolls share no side, but there are tolls on sides that nobody
            # uses.
            worst = max(
                (side for side in range(sides) if best_tolls[side]),
                key=lambda side: best_tolls[side],
            )
        best_tolls = [0 if side == worst else toll for side, toll in enumerate(best_tolls)]
        cases, most = {}, self.total
        seen = set()
        for train, oracle in enumerate(self.oracles):
            if barred[train] >> worst & 1 or (id(oracle), barred[train]) in seen:
                continue
            seen.add((id(oracle), barred[train]))
            narrower = [
                bits if other == train else bits | 1 << worst for other, bits in enumerate(barred)
            ]
            bound, case = self._case(narrower, best_tolls)
            most = max(most, bound)
            cases[str(train)] = case
        assert least is not None  # there is at least one round
        most = min(most, least // PARTS // self.unit * self.unit)
        return most, Case(side=self.network.names[worst], cases=cases)
