"""Rules on trains (rusting, supply, prices) and on phases: how they begin, tile colours and train
limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

from platelayer.foundation.problems import Problems, Severity, join_pointer
from platelayer.foundation.text import listed, suggestion
from platelayer.foundation.values import grouped
from platelayer.model.company import CompanyKind
from platelayer.model.tile import StopKind
from platelayer.model.title import Title
from platelayer.model.train import Train, TrainFace
from platelayer.rules.graph import prints
from platelayer.rules.money_rules import paid_series
from platelayer.rules.rule import at_fault, falls, finding, rises, rule

# Names of trains and the order in which they are sold.


def trains_by_name(title: Title) -> dict[str, Train]:
    """Return trains by the names used in rusting and phases: ids, and names of faces (the first
    train with such a face)."""
    sold = dict(title.train_by_id)
    for train in title.trains:
        for face in train.faces:
            sold.setdefault(face.name, train)
    return sold


def sale_places(title: Title) -> dict[str, int]:
    """Return the positions of the trains in the order of the definition, by id."""
    return {train.id: place for place, train in enumerate(title.trains)}


def sale_times(title: Title) -> dict[str, float]:
    """Return when each train is first sold, by id: its position among the trains or, if all its
    faces are on sale from a phase, half a position after the train that begins the first of
    these phases (-0.5: from the start)."""
    places, trains = sale_places(title), trains_by_name(title)
    times: dict[str, float] = {}
    for train in title.trains:
        phases = [face.available_from for face in train.faces]
        times[train.id] = places[train.id]
        if None not in phases:
            begun = [title.phase_by_id[phase].begun_by for phase in phases if phase is not None]
            starts = [
                min((places[trains[name].id] + 0.5 for name in names), default=-0.5)
                for names in begun
            ]
            times[train.id] = min(starts)
    return times


def _face(train: Train, number: int, *keys: str | int) -> str:
    """Return the pointer to a face: a train with one face has no list of faces."""
    faces = ("faces", number) if len(train.faces) > 1 else ()
    return join_pointer("trains", train.id, *faces, *keys)


# A train, the index of one of its faces, and the face.
_Sold = tuple[Train, int, TrainFace]


def _faces(title: Title) -> Iterator[_Sold]:
    """Yield every face of the trains, in order of sale."""
    for train in title.trains:
        for number, face in enumerate(train.faces):
            yield train, number, face


@rule("TR01", "train rusts before it is sold", reads=("phases", "trains"))
def rusts_too_early(title: Title) -> Problems:
    """A train rusts, or becomes obsolete, on its own first sale, on that of a train sold before it,
    or with a phase that begins before it is sold.

    Wrong: train "3" with "rusts_on": ["2"], or with its own name.

    Right: "rusts_on": ["6"].

    Source: trains are sold in the order of the definition (those available from a phase, from that
    phase on); whatever makes a train rust comes after it.
    """
    times, trains = sale_times(title), trains_by_name(title)
    for train, number, face in _faces(title):
        for key, targets in (("rusts_on", face.rusts_on), ("obsolete_on", face.obsolete_on)):
            for index, target in enumerate(targets):
                names = (target,) if target in trains else title.phase_by_id[target].begun_by
                causes = [trains[name].id for name in names]
                begun = target not in trains and title.phase_by_id[target].begins is not None
                if begun or (causes and min(times[cause] for cause in causes) > times[train.id]):
                    continue
                cause = min(causes, key=times.__getitem__, default=None)
                how = "rusts" if key == "rusts_on" else "becomes obsolete"
                when = "its own first sale" if cause == train.id else "which is before it is sold"
                yield finding(
                    _face(train, number, key, index),
                    f'train "{face.name}" {how} on "{target}", {when}',
                    "name a later train",
                )


@rule("TR02", "train never on sale", reads=("phases", "trains"))
def never_sold(title: Title) -> Problems:
    """A train can never be bought: it has no cards; it is available only from a phase that its own
    sale begins, or that nothing begins; or it comes after a train whose supply never runs out.

    Wrong: train "4" with "available_from": "4", where phase 4 begins on train "4".

    Right: no "available_from": it goes on sale when the trains before it are sold out.

    Source: trains are sold in order; phases begin with the first sale of a train.
    """
    endless: str | None = None
    for train in title.trains:
        if train.printed == 0:
            yield finding(
                ("trains", train.id, "count"),
                f'train "{train.id}" has no cards',
                "give it a count, or remove it",
            )
        waits = all(face.available_from is None for face in train.faces)
        if waits and endless is not None:
            yield finding(
                ("trains", train.id),
                f'train "{train.id}" is never on sale: the supply of train "{endless}" before it is endless',
                'set "available_from", or move it before the other',
                cause=endless,
            )
        if train.unlimited and waits and endless is None:
            endless = train.id
        yield from _dead_phases(title, train)


def _dead_phases(title: Title, train: Train) -> Problems:
    trains = trains_by_name(title)
    for number, face in enumerate(train.faces):
        phase = face.available_from
        if phase is None or phase == title.phases[0].id:
            continue
        begun = title.phase_by_id[phase]
        causes = [trains[name].id for name in begun.begun_by]
        own = bool(causes) and set(causes) == {train.id}
        if begun.begins is not None or (causes and not own):
            continue
        reason = "which its own first sale begins" if own else "which no train begins"
        yield finding(
            _face(train, number, "available_from"),
            f'train "{face.name}" is on sale only from phase {phase}, {reason}',
            "remove available_from, or name an earlier phase",
        )


@rule("TR03", "every train rusts", Severity.WARNING, reads=("trains",))
def all_rust(title: Title) -> Problems:
    """No train of the title is permanent, so companies could be left with no lasting train to buy.

    Wrong: three trains, each with "rusts_on".

    Right: the last with "permanent": true.

    Source: in published titles the last trains stay to the end of the game.
    """
    if title.trains and all(
        face.rusts_on or face.obsolete_on for train in title.trains for face in train.faces
    ):
        yield finding(
            ("trains", title.trains[-1].id),
            "every train rusts; none is permanent",
            'give the last "permanent": true',
        )


@rule("TR04", "longer train costs less", Severity.WARNING, reads=("trains/+",))
def cheaper_though_longer(title: Title) -> Problems:
    """A train costs less than an earlier train, although its reach is at least as long in
    everything that both count, and longer in something. Not compared: trains that count different
    kinds of stop, go on sale with a phase alongside others, or cost nothing, because they are not
    bought.

    Wrong: a 4-train for 30 after a 3-train for 200.

    Right: a 4-train for 300.

    Source: in published titles prices rise with reach.
    """
    for (train, number, face), (_, _, other) in _contradicting(
        title, lambda one, later: later.price < one.price
    ):
        longer, shorter = (face, other) if _goes_farther(face, other) else (other, face)
        yield finding(
            _face(train, number, "price"),
            f'train "{longer.name}" costs {longer.price} and goes farther than "{shorter.name}" '
            f"for {shorter.price}",
            f'the price of "{face.name}" may be a mistake',
        )


def _contradicting(
    title: Title, contradicts: Callable[[TrainFace, TrainFace], bool]
) -> Iterator[tuple[_Sold, _Sold]]:
    """Yield trains at fault because they contradict a longer one that is sold later, each with the
    other."""
    sold = [entry for entry in _faces(title) if entry[2].available_from is None and entry[2].price]
    pairs = (
        (first, second)
        for (first, (_, _, one)), (second, (_, _, later)) in combinations(enumerate(sold), 2)
        if _goes_farther(later, one) and contradicts(one, later)
    )
    for entry, other in at_fault(pairs).items():
        yield sold[entry], sold[other]


def _goes_farther(one: TrainFace, other: TrainFace) -> bool:
    if one.hexes or other.hexes:
        return bool(one.hexes and other.hexes) and (one.hexes or 0) > (other.hexes or 0)
    if [set(reach.stops) for reach in one.reach] != [set(reach.stops) for reach in other.reach]:
        return False
    pairs = [
        (_count(mine), _count(theirs))
        for first, second in zip(one.reach, other.reach, strict=True)
        for mine, theirs in (
            (first.visit, second.visit),
            (first.pay, second.pay),
            (first.multiplier, second.multiplier),
        )
    ]
    return all(mine >= theirs for mine, theirs in pairs) and any(
        mine > theirs for mine, theirs in pairs
    )


def _count(number: int | None) -> float:
    return float("inf") if number is None else number


@rule("TR05", "more stops pay than are visited", reads=("trains/.",))
def pays_beyond_its_reach(title: Title) -> Problems:
    """A train scores more stops of some kinds than it may visit.

    Wrong: {"stops": ["city"], "visit": 3, "pay": 4}.

    Right: "pay": 3; or null if every visited stop pays; or fewer, which the card then states.

    Source: `visit` and `pay` of a train's reach count the same stops.
    """
    for train, number, face in _faces(title):
        for index, reach in enumerate(face.reach):
            if reach.pay is not None and reach.visit is not None and reach.pay > reach.visit:
                yield finding(
                    _face(train, number, "reach", index, "pay"),
                    f'train "{face.name}" is paid for more stops ({reach.pay}) than it may visit '
                    f"({reach.visit}): {' and '.join(reach.stops)}",
                    '"pay" is "visit" or less; null pays for every stop visited',
                )


# Kinds of stops that trains do not count separately, with the kind that they count as.
_COUNTS_AS = {StopKind.HALT: StopKind.TOWN}


@rule(
    "TR06",
    "reach of stops that do not exist",
    Severity.WARNING,
    reads=("atlas", "maps", "tiles", "trains/."),
)
def stops_nowhere(title: Title) -> Problems:
    """Trains count a kind of stop that no map or tile has, so a part of their reach has no effect.
    This is reported once for all trains. A missing kind counted together with existing kinds is
    harmless.

    Wrong: {"stops": ["pass"], "visit": 2, "pay": 2} in a title without passes.

    Right: the same with a pass on the map or on a tile; or {"stops": ["city", "pass"], ...}.

    Source: trains run to stops on the map or on tiles laid there.
    """
    tiles = (*(tile for *_, tile in prints(title)), *(entry.tile for entry in title.tiles))
    there = {_COUNTS_AS.get(stop.kind, stop.kind).value for tile in tiles for stop in tile.stops}
    if not there:
        return
    idle = grouped(
        (reach.stops, (train, number, index, face))
        for train, number, face in _faces(title)
        for index, reach in enumerate(face.reach)
        if not there.intersection(reach.stops)
    )
    for stops, entries in idle.items():
        train, number, index, _ = entries[0]
        names = listed(dict.fromkeys(face.name for *_, face in entries), most=6)
        kinds = " or ".join(stops)
        yield finding(
            _face(train, number, "reach", index, "stops"),
            f"no {kinds} is on a map or a tile, but trains count them: {names}",
            f"the stops that there are: {', '.join(sorted(there))}",
        )


@rule("TR07", "trade-in that costs more", Severity.WARNING, reads=("trains/.",))
def dear_trade_in(title: Title) -> Problems:
    """A train costs more with a trade-in than without.

    Wrong: "price": 800, "trade_ins": [{"train": "4", "price": 900}].

    Right: "price": 1100, "trade_ins": [{"train": "4", "price": 800}].

    Source: an older train is handed in for a lower price.
    """
    for train, number, face in _faces(title):
        dear = [
            (index, trade) for index, trade in enumerate(face.trade_ins) if trade.price > face.price
        ]
        whole = len(dear) > 1 and len(dear) == len(face.trade_ins)
        for index, trade in dear[:1] if whole else dear:
            yield finding(
                _face(train, number, *(("price",) if whole else ("trade_ins", index, "price"))),
                f"{face.name} costs {trade.price} with a {trade.train} traded in, more than the "
                f"{face.price} without",
                "the price of a trade-in is the amount still to be paid",
            )


@rule("TR08", "later train rusts first", Severity.WARNING, reads=("phases", "trains"))
def rusts_out_of_turn(title: Title) -> Problems:
    """A train rusts although a shorter, earlier train rusts later or never. Not compared: trains
    that count different kinds of stop, or go on sale with a phase alongside others.

    Wrong: 2-trains with "permanent": true, and 3-trains with "rusts_on": ["6"].

    Right: 2-trains with "rusts_on": ["4"].

    Source: in published titles trains rust in the order in which they are sold.
    """
    for (train, number, face), (_, _, other) in _contradicting(
        title, lambda one, later: _rusts_at(title, later) < _rusts_at(title, one)
    ):
        ends = face.rusts_on or face.obsolete_on
        when = f"rusts on {listed(ends)}" if ends else "never rusts"
        others = other.rusts_on or other.obsolete_on
        yield finding(
            _face(
                train,
                number,
                "permanent" if face.permanent else "rusts_on" if face.rusts_on else "obsolete_on",
            ),
            f'train "{face.name}" {when}, but "{other.name}" '
            + (f"rusts on {listed(others)}" if others else "never rusts"),
            "trains rust in the order in which they are sold",
        )


def _rusts_at(title: Title, face: TrainFace) -> float:
    """Return the position, among the trains, of the sale with which a train rusts; infinity for
    never or for another cause."""
    trains, places = trains_by_name(title), sale_places(title)
    causes = [
        name
        for end in (*face.rusts_on, *face.obsolete_on)
        for name in ((end,) if end in trains else title.phase_by_id[end].begun_by)
    ]
    return min((places[trains[name].id] for name in causes), default=float("inf"))


_BARE_NUMBER = re.compile("[1-9][0-9]?")


@rule("TR09", "train of another number", Severity.WARNING, reads=("trains/.",))
def named_by_its_reach(title: Title) -> Problems:
    """A train with a number as its name visits and scores a different number of cities.

    Wrong: {"name": "5", "reach": [{"stops": ["city", "town"], "visit": 4, "pay": 4}]}.

    Right: "visit": 5, "pay": 5; or a name that is more than a number, such as "5H".

    Source: in 18xx games a 5-train runs to five stops.
    """
    for train, number, face in _faces(title):
        for index, reach in enumerate(face.reach if _BARE_NUMBER.fullmatch(face.name) else ()):
            if "city" in reach.stops and int(face.name) not in (reach.visit, reach.pay):
                misnamed = train.id == str(reach.visit)
                yield finding(
                    _face(train, number, *(("name",) if misnamed else ("reach", index, "visit"))),
                    f'train "{face.name}" visits {"any number of" if reach.visit is None else reach.visit} '
                    "stops",
                    "an entry may have been copied without its number",
                )


@rule(
    "TR10",
    "train of another colour than its phase",
    Severity.WARNING,
    reads=("colours", "phases", "trains/."),
)
def coloured_as_its_phase(title: Title) -> Problems:
    """The first sale of a train begins a phase, but the colour of its card is not the latest tile
    colour of that phase.

    Wrong: "colour": "green" of the 5-train, which begins the phase that allows brown tiles.

    Right: "colour": "brown".

    Source: the colour of a card shows players which tiles the train makes available.
    """
    latest: dict[str, dict[str, str]] = {}
    for phase in title.phases:
        for colour in [colour for colour in title.colours if colour in phase.tiles][-1:]:
            for name in phase.begun_by:
                latest.setdefault(trains_by_name(title)[name].id, {})[phase.id] = colour
    for train in title.trains:
        begun = latest.get(train.id, {})
        if begun and train.colour in title.colours and train.colour not in begun.values():
            begins, newest = next(iter(begun.items()))
            yield finding(
                ("trains", train.id, "colour"),
                f'train "{train.id}" is {train.colour}, but begins phase {begins}, whose latest tiles are '
                f"{newest}",
                "an entry may have been copied without its colour",
            )


@rule("PH01", "phase that nothing begins", reads=("phases/.", "trains"))
def phase_without_trigger(title: Title) -> Problems:
    """A phase after the first is not started by the first sale of any train, or is started by a
    train that has no cards.

    Wrong: a third phase with "on": null.

    Right: "on": "4"; "on": ["4", "4H"]; or "on": null and "begins": "Third set of operating
    rounds".

    Source: the first sale of a train begins the next phase; the first phase is in force from the
    start.
    """
    trains = trains_by_name(title)
    for index, phase in enumerate(title.phases):
        causes = [trains[name] for name in phase.begun_by]
        if (
            phase.begins is not None
            or any(train.printed for train in causes)
            or (index == 0 and not causes)
        ):
            continue
        if not causes:
            reason = "no train begins it; only the first phase may have none"
        else:
            reason = f'train "{causes[0].id}", which begins it, has no cards'
        yield finding(
            ("phases", phase.id, "on"),
            f"phase {phase.id} never begins: {reason}",
            'name a train ("on": "3"), or say what begins it ("begins": "...")',
        )


@rule("PH02", "phases out of order", reads=("phases", "trains"))
def phases_out_of_order(title: Title) -> Problems:
    """A phase begins with a train that is the same as, or is sold before, the one that begins the
    previous phase.

    Wrong: phases "3" on train "3", "5" on train "5", "4" on train "4".

    Right: phases in the order in which their trains are sold.

    Source: a phase replaces the one before it; cards and boards print them in order.
    """
    places, trains = sale_places(title), trains_by_name(title)
    latest, latest_phase = -1, ""
    for phase in title.phases:
        if phase.on is None:
            continue
        place = min(places[trains[name].id] for name in phase.begun_by)
        if place <= latest:
            opening = (
                "the same train"
                if place == latest
                else f'train "{phase.on}", which is sold earlier'
            )
            yield finding(
                ("phases", phase.id, "on"),
                f"phase {phase.id} comes after phase {latest_phase}, but begins with {opening}",
                "list phases in the order in which their trains are sold",
            )
        else:
            latest, latest_phase = place, phase.id


@rule("PH03", "train and phase disagree", reads=("phases", "trains/."))
def starts_disagree(title: Title) -> Problems:
    """According to a train, its first sale begins a phase, but according to the phase another train
    or none does; or a phase names a train that begins another phase.

    Wrong: train "4" with "starts": "4", and phase "4" with "on": "5".

    Right: phase "4" with "on": "4"; or no "starts".

    Source: `starts` of a train and `on` of a phase state the same fact, once for the card and once
    for the table of phases.
    """
    for train in title.trains:
        if train.starts is None or train.starts not in title.phase_by_id:
            continue
        phase = title.phase_by_id[train.starts]
        if not {train.id, *(face.name for face in train.faces)}.intersection(phase.begun_by):
            begun = " or ".join(f'train "{name}"' for name in phase.begun_by) or "nothing"
            # If two phases begin with the same train, the mistake is more likely in the phase.
            shared = any(
                other is not phase and {*other.begun_by} & {*phase.begun_by}
                for other in title.phases
            )
            yield finding(
                join_pointer("phases", phase.id, "on")
                if shared
                else join_pointer("trains", train.id, "starts"),
                f'train "{train.id}" says that it begins phase {phase.id}, which begins with {begun}',
                'make "starts" of the train and "on" of the phase agree',
                about=train.id,
            )


@rule("PH04", "tile colours out of order", reads=("colours", "phases/*/tiles"))
def colours_out_of_order(title: Title) -> Problems:
    """A phase withdraws a tile colour, or allows a colour before the one that precedes it in the
    title's order.

    Wrong: "tiles": ["yellow", "brown"], when the colours are yellow, green, brown.

    Right: "tiles": ["yellow", "green", "brown"].

    Source: tiles are upgraded colour by colour; a colour once allowed stays allowed.
    """
    before: set[str] = set()
    for phase in title.phases:
        own = [colour for colour in title.colours if colour in phase.tiles]
        lost = [
            colour for colour in title.colours if colour in before and colour not in phase.tiles
        ]
        skipped = [colour for colour in title.colours[: len(own)] if colour not in phase.tiles]
        if lost or skipped:
            breach = (
                f"allows {own[-1]} tiles without {', '.join(skipped)}"
                if skipped and own
                else f"no longer allows {', '.join(lost)} tiles"
            )
            yield finding(
                ("phases", phase.id, "tiles"),
                f"phase {phase.id} {breach}; the order is {', '.join(title.colours)}",
                "each phase repeats the colours of the one before",
            )
        before = before.union(own)


@rule("PH05", "train limit rises", Severity.WARNING, reads=("phases/+/train_limits",))
def rising_train_limit(title: Title) -> Problems:
    """A kind of company may own more trains in one phase than in a phase before.

    Wrong: {"major": 2} in phase 5, {"major": 3} in phase 6.

    Right: limits that fall or stay the same from phase to phase; a kind that no longer exists is
    left out.

    Source: in published titles train limits tighten, which is what forces companies to buy new
    trains.
    """
    limits = [{limit.who: limit.limit for limit in phase.train_limits} for phase in title.phases]
    for who in dict.fromkeys(who for each in limits for who in each):
        for at, other in rises([each.get(who) for each in limits]).items():
            phase, earlier = title.phases[at].id, title.phases[other].id
            yield finding(
                ("phases", phase, "train_limits", who),
                f"the train limit of {who} is {limits[at][who]} in phase {phase}, "
                f"but {limits[other][who]} in phase {earlier}",
                "limits fall or stay the same; one of the two may be a mistake",
            )


@rule(
    "PH08",
    "company without a train limit",
    Severity.WARNING,
    reads=("companies|privates/./kind", "companies|privates/./size", "phases/*/train_limits"),
)
def phase_without_limit(title: Title) -> Problems:
    """A phase gives no train limit for a kind of company that has one before and after it, or for
    majors, which stay to the end, after a phase that gives one. Kinds without a limit in early
    phases are formed later; minors and nationals without one in late phases are gone.

    Wrong: {"major": 3} in phase 4, between {"major": 4, "minor": 2} and {"major": 2, "minor": 1}.

    Right: {"major": 3, "minor": 1}.

    Source: phase cards and charters print a limit for each phase.
    """
    sorts = grouped(
        ((company.size or "", *company.later_sizes, company.kind.value), company)
        for company in title.companies
        if company.has_charter and company.train_limit is None
    )
    for names, companies in sorts.items():
        limited = [
            any(limit.who in names for limit in phase.train_limits) for phase in title.phases
        ]
        stays = companies[0].kind is CompanyKind.MAJOR
        for number, phase in enumerate(title.phases):
            if not limited[number] and any(limited[:number]) and (stays or any(limited[number:])):
                sort = names[0] or names[-1]
                yield finding(
                    ("phases", phase.id, "train_limits"),
                    f"phase {phase.id} has no train limit for {sort} companies, unlike phases before it",
                    f'add "{sort}": ... to its train limits',
                )


@rule(
    "PH09",
    "fewer operating rounds than before",
    Severity.WARNING,
    reads=("phases/+/operating_rounds",),
)
def falling_rounds(title: Title) -> Problems:
    """A phase has fewer operating rounds than a phase before it. Phases without operating rounds
    are not compared.

    Wrong: "operating_rounds" of 2, 3, 1 and 3.

    Right: 2, 3, 3 and 3.

    Source: in published titles, the number of operating rounds in a set never falls.
    """
    rounds = [phase.operating_rounds or None for phase in title.phases]
    for at, other in falls(rounds).items():
        yield finding(
            ("phases", title.phases[at].id, "operating_rounds"),
            f"the operating rounds of phase {title.phases[at].id} are {rounds[at]}, "
            f"but {rounds[other]} in phase {title.phases[other].id}",
            "one of the two may be a mistake",
        )


@rule(
    "PH10",
    "unknown key of revenue",
    Severity.WARNING,
    reads=("atlas", "companies", "maps", "phases/.", "pieces", "privates", "tiles"),
)
def unknown_revenue_key(title: Title) -> Problems:
    """The `revenue` of a phase is a key that no value of an off-board has, although the values have
    other keys.

    Wrong: "revenue": "blak", and values {"white": 20, "gray": 40, "black": 60}.

    Right: "revenue": "black".

    Source: off-boards print a value for each key; the phase card says which one is in force.
    """
    keys = {
        step.since
        for series in paid_series(title)
        for step in series.steps
        if step.since is not None
    }
    for phase in title.phases:
        if keys and phase.revenue is not None and phase.revenue not in keys | {*title.colours}:
            yield finding(
                ("phases", phase.id, "revenue"),
                f'no value has the key "{phase.revenue}" that phase {phase.id} puts in force',
                suggestion(phase.revenue, keys) or f"values have {listed(sorted(keys))}",
            )


# Kinds of companies that a status concerns, by the name of the status; other statuses concern all
# companies.
_CONCERNS: dict[str, tuple[CompanyKind, ...]] = {
    "can_buy_companies": (CompanyKind.PRIVATE,),
    "can_buy_companies_from_other_players": (CompanyKind.PRIVATE,),
    "can_buy_companies_operation_round_one": (CompanyKind.PRIVATE,),
    "can_start_major": (CompanyKind.MAJOR,),
    "can_convert_concessions": (CompanyKind.CONCESSION,),
    "national_operates": (CompanyKind.NATIONAL,),
    "minor_limit_one": (CompanyKind.MINOR,),
    "minor_limit_two": (CompanyKind.MINOR,),
}


@rule(
    "PH06",
    "status that applies to nothing",
    Severity.WARNING,
    reads=("companies", "phases/./status", "privates"),
)
def idle_status(title: Title) -> Problems:
    """A phase has a status that applies to a kind of company that the title does not have.

    Wrong: "status": ["can_buy_companies"] in a title without private companies.

    Right: the same with private companies, or no such status.

    Source: `status` is printed on phase cards and player aids, where it would have no effect.
    """
    kinds = {company.kind for company in title.companies}
    for phase in title.phases:
        for index, status in enumerate(phase.status):
            name = status.term.rpartition("/")[2]
            lacking = [kind for kind in _CONCERNS.get(name, ()) if kind not in kinds]
            if lacking:
                yield finding(
                    ("phases", phase.id, "status", index),
                    f'phase {phase.id} has the status "{name}", '
                    f"but the title has no {lacking[0].value} company",
                    "remove it, or add the companies",
                )


@rule(
    "PH07",
    "phase without operating rounds",
    Severity.WARNING,
    reads=("phases/*/on", "phases/*/operating_rounds"),
)
def phase_without_rounds(title: Title) -> Problems:
    """A phase has no operating rounds although others have, and the next phase begins with the sale
    of a train. Trains are bought in operating rounds, so the next phase never begins.

    Wrong: "operating_rounds" of 1, 0 and 2, where the third phase is "on": "4".

    Right: 1, 2 and 2; or 0 in every phase, if the round track shows them.

    Source: companies buy trains in their turns of operating rounds.
    """
    if not any(phase.operating_rounds for phase in title.phases):
        return
    for phase, following in pairwise(title.phases):
        if not phase.operating_rounds and following.begun_by:
            yield finding(
                ("phases", phase.id, "operating_rounds"),
                f"phase {phase.id} has no operating rounds, so the {following.on} that begins phase "
                f"{following.id} is never bought",
                'say how many there are ("operating_rounds": 1)',
            )
